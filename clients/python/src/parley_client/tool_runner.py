"""Runs the tools of the program when the LLM calls them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from .errors import SessionEndedError
from .events import Event, ToolCall, ToolCallCompleted, ToolCallFailed, ToolCallStarted
from .tools import Tool, Toolbox, outcome_of


class ToolRunner:
    """send: sends a message on the data channel. tell: tells the program of the outcome."""

    def __init__(
        self,
        session_id: str,
        toolbox: Toolbox,
        send: Callable[[dict[str, Any]], Awaitable[None]],
        tell: Callable[[Event], None],
    ) -> None:
        self._session_id = session_id
        self._toolbox = toolbox
        self._send = send
        self._tell = tell
        self._running: dict[str, asyncio.Task[None]] = {}

    def follow(self, event: Event) -> None:
        """Starts a tool that was called; stops one that the service no longer waits for."""
        if isinstance(event, ToolCallStarted):
            tool = self._toolbox.get(event.call.name)
            if event.call.type == "client" and tool is not None:
                self._start(event.call, tool)
        elif isinstance(event, ToolCallFailed) and event.call.id in self._running:
            self._running[event.call.id].cancel()

    async def close(self) -> None:
        # A tool may end the session: it must not wait for itself.
        tasks = [task for task in self._running.values() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, call: ToolCall, tool: Tool) -> None:
        task = asyncio.create_task(self._run(call, tool), name=f"parley tool {call.name}")
        self._running[call.id] = task
        task.add_done_callback(lambda _: self._running.pop(call.id, None))

    async def _run(self, call: ToolCall, tool: Tool) -> None:
        outcome = await outcome_of(tool, dict(call.arguments))
        try:
            await self._send(
                {
                    "message_type": "tool_result",
                    "session_id": self._session_id,
                    "tool_call_id": call.id,
                    "user_action_correlation_id": call.turn_id,
                    "timestamp_user_action": call.timestamp_user_action,
                    **outcome.to_wire(),
                }
            )
        except SessionEndedError:
            return
        self._running.pop(call.id, None)
        # The service itself reports no outcome of a client's tool: the client knows it already.
        if outcome.error is None:
            self._tell(ToolCallCompleted(call, outcome.result))
        else:
            self._tell(ToolCallFailed(call, outcome.error))
