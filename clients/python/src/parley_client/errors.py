"""What can go wrong: one class for each cause that a program can act on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class ParleyError(Exception):
    """The base of all errors of this package."""


class NetworkError(ParleyError):
    """The service could not be reached, or did not answer."""


class MediaBlockedError(NetworkError):
    """The service answers, but no audio or video arrives: usually a firewall blocks UDP."""


class ApiError(ParleyError):
    """The service refused a request.

    status: the HTTP status. code: a short text that does not change. details: one entry for each wrong field.
    """

    def __init__(self, status: int, code: str, message: str, details: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.details = tuple(details)


class InvalidRequestError(ApiError):
    """A field of the request breaks a rule; `details` names each one."""


class AuthenticationError(ApiError):
    """The API key or session token is missing or wrong."""


class TokenExpiredError(AuthenticationError):
    """The session token has expired: ask for a new one."""


class LegacyTokenError(AuthenticationError):
    """The session token names no persona: make a new one with a persona configuration."""


class ForbiddenError(ApiError):
    """The API key may not do that."""


class NotFoundError(ApiError):
    """There is nothing with this id."""


class PersonaNotFoundError(NotFoundError):
    """No persona of this organization has this id."""


class CapacityError(ApiError):
    """Every session slot is taken, or no engine is running: try again later."""


class UsageLimitError(ApiError):
    """A limit of the organization is reached."""


class ServiceError(ApiError):
    """The service failed."""


class SessionEndedError(ParleyError):
    """The session is over, so that nothing more can be sent or awaited.

    reason: for example `end_call`, `user_inactivity`, `connection_lost`; see `parley_client.ending`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class UpdateRejectedError(ParleyError):
    """The service refused a change of settings as a whole. The text says why."""


class TalkInterruptedError(ParleyError):
    """The talk stream was interrupted: what is sent to it now would never be spoken."""


class ToolError(ParleyError):
    """Raise it in a tool: the persona is told this text, and no other detail."""


_BY_CODE: dict[str, type[ApiError]] = {
    "Session token expired": TokenExpiredError,
    "Legacy session tokens are no longer supported": LegacyTokenError,
    "Persona not found": PersonaNotFoundError,
    "Concurrent session limit reached": CapacityError,
    "No engines available": CapacityError,
    "Persona is not available": CapacityError,
}
_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: UsageLimitError,
    403: ForbiddenError,
    404: NotFoundError,
    413: InvalidRequestError,
    422: InvalidRequestError,
    429: UsageLimitError,
}


def api_error(status: int, body: object) -> ApiError:
    """The error for a refused request. body: the parsed JSON answer; anything else is tolerated."""
    answer = body if isinstance(body, Mapping) else {}
    code = answer.get("error")
    code = code if isinstance(code, str) else f"HTTP {status}"
    message = answer.get("summary") or answer.get("message") or code
    details = answer.get("details")
    kind = _BY_CODE.get(code) or _BY_STATUS.get(status) or (ServiceError if status >= 500 else ApiError)
    listed = [item for item in details if isinstance(item, Mapping)] if isinstance(details, list) else []
    return kind(status, code, str(message), listed)
