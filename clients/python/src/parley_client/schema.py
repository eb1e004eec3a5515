"""From a function's type hints to the JSON Schema of its arguments."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union, get_args, get_origin

_SCALARS: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def parameters_schema(function: Callable[..., Any]) -> dict[str, Any]:
    """The schema of a function's parameters; those without a default are required.

    Types: str, int, float, bool, list[…], dict[str, …], Literal[…], `X | None`, and Annotated[X, "a description"].
    Raises TypeError, naming the parameter, for another type or for `*args` and `**kwargs`.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise TypeError(f"{function.__name__}: the parameter {name} must have a name that the LLM can use.")
        if name not in hints:
            raise TypeError(f"{function.__name__}: the parameter {name} needs a type hint.")
        try:
            properties[name] = _schema_of(hints[name])
        except TypeError as error:
            raise TypeError(f"{function.__name__}: the parameter {name}: {error}") from None
        if parameter.default is parameter.empty:
            required.append(name)
        elif isinstance(parameter.default, (str, int, float, bool)):
            properties[name]["default"] = parameter.default
    return {"type": "object", "properties": properties, "required": required}


def _schema_of(hint: Any) -> dict[str, Any]:
    if hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        described = [text for text in arguments[1:] if isinstance(text, str)]
        return _schema_of(arguments[0]) | ({"description": described[0]} if described else {})
    if origin is Literal:
        return _literal(arguments)
    if origin in (Union, types.UnionType):
        others = [argument for argument in arguments if argument is not type(None)]
        if len(others) == 1:
            return _schema_of(others[0])
        return {"anyOf": [_schema_of(argument) for argument in others]}
    if hint is list or origin is list:
        return {"type": "array"} | ({"items": _schema_of(arguments[0])} if arguments else {})
    if hint is dict or origin is dict:
        if arguments and arguments[0] is not str:
            raise TypeError("the keys of a JSON object are strings.")
        return {"type": "object"} | ({"additionalProperties": _schema_of(arguments[1])} if arguments else {})
    if hint is Any:
        return {}
    raise TypeError(f"{hint!r} has no counterpart in JSON Schema.")


def _literal(values: tuple[Any, ...]) -> dict[str, Any]:
    kinds = {_SCALARS.get(type(value)) for value in values}
    if len(kinds) != 1 or None in kinds:
        raise TypeError("all values of a Literal must be of one of the types str, int, float, bool.")
    return {"type": kinds.pop(), "enum": list(values)}
