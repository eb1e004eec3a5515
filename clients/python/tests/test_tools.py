from __future__ import annotations

import threading

import pytest

from parley_client import ToolError
from parley_client.tools import Outcome, Toolbox, outcome_of


def only(toolbox: Toolbox):  # type: ignore[no-untyped-def]
    [tool] = toolbox
    return tool


def test_a_tool_is_described_by_its_function() -> None:
    toolbox = Toolbox()

    @toolbox.tool(timeout_s=30, disable_interruptions=True)
    def show_map(place: str) -> None:
        """Shows a place on the map."""

    tool = only(toolbox)
    parameters = {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}
    assert tool.inline() == {
        "type": "client",
        "name": "show_map",
        "description": "Shows a place on the map.",
        "parameters": parameters,
        "awaitResult": True,
        "toolTimeoutSeconds": 30,
        "disableInterruptions": True,
    }
    assert tool.saved() == {
        "type": "CLIENT",
        "name": "show_map",
        "description": "Shows a place on the map.",
        "config": {"parameters": parameters, "awaitResult": True, "toolTimeoutSeconds": 30},
        "disableInterruptions": True,
    }


def test_a_function_without_a_description_is_refused() -> None:
    def silent() -> None: ...

    with pytest.raises(ValueError, match="silent"):
        Toolbox().tool(silent)


def test_a_session_has_its_own_tools_and_those_of_its_client() -> None:
    client = Toolbox()
    session = Toolbox(client)
    client.tool(description="for all")(named("one"))
    client.tool(description="for all")(named("two"))
    session.tool(description="for this session")(named("two"))
    assert {tool.name: tool.description for tool in session} == {"one": "for all", "two": "for this session"}
    assert session.get("two") is not None and session.get("three") is None


def named(name: str):  # type: ignore[no-untyped-def]
    def function() -> None: ...

    function.__name__ = name
    return function


async def test_results_and_errors_are_told() -> None:
    toolbox = Toolbox()

    @toolbox.tool
    async def double(number: int) -> int:
        """Doubles a number."""
        if number == 0:
            raise ToolError("nothing to double")
        if number < 0:
            raise KeyError("negative")
        return 2 * number

    tool = only(toolbox)
    assert await outcome_of(tool, {"number": 4, "invented": True}) == Outcome(result=8)
    assert await outcome_of(tool, {"number": 0}) == Outcome(error="nothing to double")
    assert await outcome_of(tool, {"number": -1}) == Outcome(error="KeyError: 'negative'")
    assert await outcome_of(tool, {}) == Outcome(error="missing arguments: number")


async def test_a_result_that_cannot_be_sent_is_an_error() -> None:
    toolbox = Toolbox()

    @toolbox.tool
    async def give(what: str) -> object:
        """Gives something."""
        return {"too much": "x" * 70_000, "no json": object()}[what]

    tool = only(toolbox)
    assert "70002 bytes" in ((await outcome_of(tool, {"what": "too much"})).error or "")
    assert "not JSON serializable" in ((await outcome_of(tool, {"what": "no json"})).error or "")


async def test_a_blocking_function_runs_in_a_thread() -> None:
    toolbox = Toolbox()

    @toolbox.tool
    def where() -> str:
        """Tells its thread."""
        return threading.current_thread().name

    assert (await outcome_of(only(toolbox), {})).result != threading.current_thread().name


def test_success_without_content_has_neither_result_nor_error() -> None:
    assert Outcome().to_wire() == {}
    assert Outcome(result=0).to_wire() == {"result": 0}
    assert Outcome(error="no").to_wire() == {"error": "no"}
