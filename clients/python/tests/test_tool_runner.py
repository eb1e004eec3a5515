from __future__ import annotations

import asyncio
from typing import Any

from parley_client.events import ToolCall, ToolCallStarted
from parley_client.tool_runner import ToolRunner
from parley_client.tools import Toolbox


async def test_a_tool_can_end_the_session_that_has_called_it() -> None:
    """The end cancelled the tool that asked for it and waited for it, so the session was never hung up."""
    toolbox = Toolbox()
    ended = asyncio.Event()

    @toolbox.tool
    async def hang_up() -> None:
        """Ends the call."""
        await runner.close()
        ended.set()

    async def send(message: dict[str, Any]) -> None:
        pass

    runner = ToolRunner("s", toolbox, send, lambda event: None)
    runner.follow(ToolCallStarted(ToolCall("t", "hang_up", "client", None, {}, "turn", "")))
    [running] = runner._running.values()
    await running
    assert ended.is_set()
    assert not runner._running
