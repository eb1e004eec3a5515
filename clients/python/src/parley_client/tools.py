"""Functions of the program that the LLM may call."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar, overload

from .errors import ToolError
from .schema import parameters_schema

_log = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

DEFAULT_TIMEOUT_S: Final = 10.0
# One message of the data channel holds 64 KiB; the rest of it needs some room.
_MAX_RESULT_BYTES: Final = 60 * 1024


@dataclass(frozen=True, slots=True)
class Tool:
    """A function with what the LLM is told of it."""

    name: str
    description: str
    parameters: dict[str, Any]
    function: Callable[..., Any]
    # Whether the persona waits for the result, and how long, in seconds.
    await_result: bool
    timeout_s: float
    disable_interruptions: bool

    def inline(self) -> dict[str, Any]:
        """The tool as a persona configuration has it."""
        return {"type": "client", "name": self.name, "description": self.description} | self._options()

    def saved(self) -> dict[str, Any]:
        """The tool as `POST /v1/tools` takes it, to attach it to a saved persona."""
        options = self._options()
        interruptions = options.pop("disableInterruptions")
        return {
            "type": "CLIENT",
            "name": self.name,
            "description": self.description,
            "config": options,
            "disableInterruptions": interruptions,
        }

    def _options(self) -> dict[str, Any]:
        return {
            "parameters": self.parameters,
            "awaitResult": self.await_result,
            "toolTimeoutSeconds": self.timeout_s,
            "disableInterruptions": self.disable_interruptions,
        }

    async def run(self, arguments: dict[str, Any]) -> Any:
        """The function's result. Functions that are not `async` run in a thread. Raises what the function raises."""
        known = {name: value for name, value in arguments.items() if name in self.parameters["properties"]}
        missing = [name for name in self.parameters["required"] if name not in known]
        if missing:
            raise ToolError(f"missing arguments: {', '.join(missing)}")
        if inspect.iscoroutinefunction(self.function):
            return await self.function(**known)
        return await asyncio.to_thread(self.function, **known)


class Toolbox:
    """The tools of a client or a session."""

    def __init__(self, others: Toolbox | None = None) -> None:
        self._tools: dict[str, Tool] = {}
        self._others = others

    def __iter__(self) -> Iterator[Tool]:
        others = {} if self._others is None else {tool.name: tool for tool in self._others}
        return iter({**others, **self._tools}.values())

    def get(self, name: str) -> Tool | None:
        own = self._tools.get(name)
        return own if own is not None or self._others is None else self._others.get(name)

    @overload
    def tool(self, function: Callable[P, R], /) -> Callable[P, R]: ...

    @overload
    def tool(
        self,
        *,
        name: str | None = None,
        description: str | None = None,
        await_result: bool = True,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        disable_interruptions: bool = False,
    ) -> Callable[[Callable[P, R]], Callable[P, R]]: ...

    def tool(
        self,
        function: Callable[..., Any] | None = None,
        *,
        name: str | None = None,
        description: str | None = None,
        await_result: bool = True,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        disable_interruptions: bool = False,
    ) -> Any:
        """Lets the LLM call a function. Its description is the function's docstring, its arguments are its parameters.

        timeout_s: 1 to 600; then the persona is told that there was no answer. Raises TypeError for a function whose
        type hints cannot be said in JSON Schema, ValueError for one without a description.
        """

        def add(target: Callable[..., Any]) -> Callable[..., Any]:
            told = description or inspect.getdoc(target)
            if not told:
                raise ValueError(f"{target.__name__} needs a docstring: it tells the LLM when to call it.")
            tool = Tool(
                name=name or target.__name__,
                description=told,
                parameters=parameters_schema(target),
                function=target,
                await_result=await_result,
                timeout_s=timeout_s,
                disable_interruptions=disable_interruptions,
            )
            self._tools[tool.name] = tool
            return target

        return add if function is None else add(function)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: a result, or an error text."""

    result: Any = None
    error: str | None = None

    def to_wire(self) -> dict[str, Any]:
        if self.error is not None:
            return {"error": self.error}
        return {} if self.result is None else {"result": self.result}


async def outcome_of(tool: Tool, arguments: dict[str, Any]) -> Outcome:
    """Runs a tool. Never raises: the persona is told of a failure."""
    try:
        result = await tool.run(arguments)
        size = len(json.dumps(result).encode())
    except ToolError as error:
        return Outcome(error=str(error))
    except Exception as error:  # A tool of the program may fail in any way.
        _log.exception("the tool %s failed", tool.name)
        return Outcome(error=f"{type(error).__name__}: {error}")
    if size > _MAX_RESULT_BYTES:
        return Outcome(error=f"the result has {size} bytes; at most {_MAX_RESULT_BYTES} can be sent")
    return Outcome(result=result)
