from __future__ import annotations

import asyncio
from typing import Any

import pytest

from parley_client import NetworkError
from parley_client.connection import Connection, Handlers
from parley_client.rest import StartedSession


class SilentSignaling:
    """Takes everything, and answers nothing."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    async def open(self) -> None:
        pass

    async def send(self, action: str, payload: object) -> None:
        pass

    async def close(self) -> None:
        pass


class SlowPeer:
    """Needs some turns of the event loop to close, as a real one does."""

    made: list[SlowPeer] = []

    def __init__(self, *_: object) -> None:
        self.connected = asyncio.Event()
        self.channel_open = asyncio.Event()
        self.closed = False
        self.made.append(self)

    async def offer(self) -> str:
        return "v=0"

    async def close(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        self.closed = True


async def test_a_start_that_fails_closes_its_peer_connection_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The closing was cancelled with everything else: each failed start left the sockets of a peer connection open."""
    monkeypatch.setattr("parley_client.connection.Signaling", SilentSignaling)
    monkeypatch.setattr("parley_client.connection.Peer", SlowPeer)
    monkeypatch.setattr("parley_client.connection._CONNECT_TIMEOUT_S", 0.01)
    started = StartedSession("s", "ws://127.0.0.1:9/ws", 5, (), None)

    def ignore(*_: Any) -> None:
        pass

    http: Any = None
    connection = Connection(http, started, None, Handlers(ignore, ignore, ignore, ignore, ignore))
    with pytest.raises(NetworkError):
        await connection.open()
    await connection.close()
    assert [peer.closed for peer in SlowPeer.made] == [True]
