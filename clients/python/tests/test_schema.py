from __future__ import annotations

from typing import Annotated, Any, Callable, Literal, Optional

import pytest

from parley_client.schema import parameters_schema


def test_type_hints_become_a_json_schema() -> None:
    def book(
        people: int,
        day: Annotated[str, "ISO 8601"],
        place: Literal["inside", "outside"] = "inside",
        names: list[str] = [],
        budget: float | None = None,
        *,
        vegan: bool = False,
        notes: Optional[dict[str, str]] = None,
    ) -> None: ...

    assert parameters_schema(book) == {
        "type": "object",
        "properties": {
            "people": {"type": "integer"},
            "day": {"type": "string", "description": "ISO 8601"},
            "place": {"type": "string", "enum": ["inside", "outside"], "default": "inside"},
            "names": {"type": "array", "items": {"type": "string"}},
            "budget": {"type": "number"},
            "vegan": {"type": "boolean", "default": False},
            "notes": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["people", "day"],
    }


def test_several_types_are_alternatives() -> None:
    def pick(value: int | str) -> None: ...

    assert parameters_schema(pick)["properties"]["value"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}


def untyped(city) -> None: ...  # type: ignore[no-untyped-def]
def any_number(*cities: str) -> None: ...
def any_names(**cities: str) -> None: ...
def strange(day: complex) -> None: ...
def mixed(day: Literal["a", 1]) -> None: ...
def numbered(days: dict[int, str]) -> None: ...


@pytest.mark.parametrize("function", [untyped, any_number, any_names, strange, mixed, numbered])
def test_a_function_that_json_cannot_describe_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=function.__name__):
        parameters_schema(function)
