from __future__ import annotations

import pytest

from parley_client import (
    ApiError,
    AuthenticationError,
    CapacityError,
    ForbiddenError,
    InvalidRequestError,
    LegacyTokenError,
    NotFoundError,
    PersonaNotFoundError,
    ServiceError,
    TokenExpiredError,
    UsageLimitError,
)
from parley_client.ending import reason_of
from parley_client.errors import api_error


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "Validation error", InvalidRequestError),
        (401, "Invalid API key", AuthenticationError),
        (401, "Session token expired", TokenExpiredError),
        (401, "Legacy session tokens are no longer supported", LegacyTokenError),
        (403, "Forbidden", ForbiddenError),
        (404, "Persona not found", PersonaNotFoundError),
        (404, "Session not found", NotFoundError),
        (418, "I am a teapot", ApiError),
        (429, "Concurrent session limit reached", CapacityError),
        (429, "Usage limit reached", UsageLimitError),
        (500, "Internal server error", ServiceError),
        (503, "No engines available", CapacityError),
    ],
)
def test_each_cause_has_a_class(status: int, code: str, kind: type[ApiError]) -> None:
    error = api_error(status, {"error": code, "message": "A sentence."})
    assert type(error) is kind
    assert (error.status, error.code, str(error)) == (status, code, "A sentence.")


def test_wrong_fields_are_named() -> None:
    details = [{"path": "avatarId", "message": "Required", "code": "invalid_type"}]
    error = api_error(400, {"error": "Validation error", "summary": "avatarId: Required", "details": details})
    assert str(error) == "avatarId: Required"
    assert error.details == tuple(details)


@pytest.mark.parametrize("body", [None, "a page of a proxy", [], {"error": 7, "details": "?"}])
def test_an_answer_that_is_not_the_services_is_an_error_too(body: object) -> None:
    error = api_error(502, body)
    assert type(error) is ServiceError and str(error) == "HTTP 502"


def test_the_code_of_an_end_is_its_reason() -> None:
    assert reason_of("user_inactivity") == "user_inactivity"
    assert [reason_of(code) for code in ("something_new", None, 7)] == ["other"] * 3
