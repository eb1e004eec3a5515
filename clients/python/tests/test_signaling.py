"""Against a real WebSocket server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web

from parley_client import NetworkError
from parley_client.signaling import Signaling


# More than the buffers of the system take.
_LONG = 16 * 1024 * 1024
REPLACE_ME = "close this socket as for a newer one"


class Server:
    """Keeps what it receives, and the newest socket."""

    def __init__(self) -> None:
        self.received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sockets: list[web.WebSocketResponse] = []
        self.url = ""
        # So many requests are told that there is no such session.
        self.forgotten = 0

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        if self.forgotten > 0:
            self.forgotten -= 1
            raise web.HTTPNotFound
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        self.sockets.append(socket)
        async for message in socket:
            signal = json.loads(message.data)
            await self.received.put(signal)
            if signal["payload"] == REPLACE_ME:
                await socket.close(code=1000, message=b"replaced")
        return socket


class Client:
    def __init__(self, signaling: Signaling, heard: list[tuple[str, Any, Any]], over: asyncio.Future[str]) -> None:
        self.signaling, self.heard, self.over = signaling, heard, over


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    app = web.Application()
    app.router.add_get("/ws", server.serve)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/ws"
    yield server
    await runner.cleanup()


# Limits that no test reaches, however busy the machine is: those that are about one of them set it.


@pytest.fixture
def ping_every_s() -> float:
    return 60


@pytest.fixture
def unknown_for_s() -> float:
    return 60


@pytest_asyncio.fixture
async def client(
    server: Server, monkeypatch: pytest.MonkeyPatch, ping_every_s: float, unknown_for_s: float
) -> AsyncIterator[Client]:
    monkeypatch.setattr("parley_client.signaling._PING_EVERY_S", ping_every_s)
    heard: list[tuple[str, Any, Any]] = []
    over: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with aiohttp.ClientSession() as http:
        signaling = Signaling(
            http,
            server.url,
            "s1",
            0.05,
            lambda *signal: heard.append(signal),
            over.set_result,
            unknown_for_s=unknown_for_s,
        )
        await signaling.open()
        yield Client(signaling, heard, over)
        await signaling.close()


async def next_but_heartbeats(server: Server) -> dict[str, Any]:
    while (message := await server.received.get())["actionType"] == "heartbeat":
        pass
    return message


async def test_messages_have_the_envelope_of_the_service(server: Server, client: Client) -> None:
    await client.signaling.send("offer", {"sdp": "v=0"})
    message = await next_but_heartbeats(server)
    assert message == {"actionType": "offer", "sessionId": "s1", "payload": {"sdp": "v=0"}}
    assert list(message) == ["actionType", "sessionId", "payload"]


async def test_it_sends_heartbeats(server: Server, client: Client) -> None:
    message = await server.received.get()
    assert message == {"actionType": "heartbeat", "sessionId": "s1", "payload": ""}


async def test_a_broken_socket_is_opened_again_and_the_order_stays(server: Server, client: Client) -> None:
    await client.signaling.send("talkstream", 1)
    assert (await next_but_heartbeats(server))["payload"] == 1
    abort(server)
    while client.signaling._opened.is_set():
        await asyncio.sleep(0.01)
    await asyncio.gather(*(client.signaling.send("talkstream", number) for number in (2, 3, 4)))
    assert [(await next_but_heartbeats(server))["payload"] for _ in range(3)] == [2, 3, 4]
    assert len(server.sockets) == 2


@pytest.mark.parametrize("ping_every_s", [1.0])
async def test_a_socket_that_takes_nothing_any_more_does_not_hold_up_the_next_one(
    server: Server, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a dead network, a long message fills the system's buffers and waits for a sign of life, for a quarter of an
    hour. Whatever was to be sent waited behind it, also the offer that would have ended the outage.
    """
    network = server.sockets[0]._req.transport  # type: ignore[union-attr]
    network.pause_reading()  # type: ignore[union-attr]
    long = asyncio.create_task(client.signaling.send("talkstream", "x" * _LONG))
    short = asyncio.create_task(client.signaling.send("talkstream", "short"))
    await asyncio.sleep(0)
    assert client.signaling._sending.locked()
    while client.signaling._opened.is_set():
        await asyncio.sleep(0.01)
    # The next one is alive, and the answer to a ping waits behind the long message.
    monkeypatch.setattr("parley_client.signaling._PING_EVERY_S", 60)
    await asyncio.gather(long, short)
    assert [len((await next_but_heartbeats(server))["payload"]) for _ in range(2)] == [_LONG, 5]
    assert len(server.sockets) == 2
    network.abort()  # type: ignore[union-attr]


async def test_the_end_does_not_wait_for_a_socket_that_takes_nothing_any_more(
    server: Server, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The goodbye of the socket waited behind a long message, so a program on a dead network did not come to its end."""
    monkeypatch.setattr("parley_client.signaling._CLOSE_TIMEOUT_S", 0.1)
    network = server.sockets[0]._req.transport  # type: ignore[union-attr]
    network.pause_reading()  # type: ignore[union-attr]
    long = asyncio.create_task(client.signaling.send("talkstream", "x" * _LONG))
    await asyncio.sleep(0)
    await client.signaling.close()
    long.cancel()
    network.abort()  # type: ignore[union-attr]


def abort(server: Server) -> None:
    transport = server.sockets[-1]._req.transport  # type: ignore[union-attr]
    transport.abort()  # type: ignore[union-attr]


async def test_a_session_that_another_process_is_about_to_take_over_is_waited_for(
    server: Server, client: Client
) -> None:
    server.forgotten = 2
    abort(server)
    while client.signaling._opened.is_set():
        await asyncio.sleep(0.01)
    await client.signaling.send("talkstream", "still here")
    assert (await next_but_heartbeats(server))["payload"] == "still here"
    assert not client.over.done()


@pytest.mark.parametrize("unknown_for_s", [1.0])
async def test_a_session_that_stays_unknown_is_over(server: Server, client: Client) -> None:
    server.forgotten = 1_000
    abort(server)
    assert await client.over == "gone"


async def test_junk_is_ignored(server: Server, client: Client) -> None:
    for text in ("not JSON", "7", "{}", '{"actionType": "WARNING", "payload": "careful"}'):
        await server.sockets[0].send_str(text)
    while not client.heard:
        await asyncio.sleep(0.01)
    assert client.heard == [("warning", "careful", None)]


async def test_a_socket_that_another_client_replaced_is_not_opened_again(server: Server, client: Client) -> None:
    await client.signaling.send("heartbeat", REPLACE_ME)
    assert await client.over == "replaced"
    assert len(server.sockets) == 1


async def test_a_service_that_is_not_there_is_a_network_error() -> None:
    async with aiohttp.ClientSession() as http:
        signaling = Signaling(http, "http://127.0.0.1:9/ws", "s1", 5, lambda *signal: None, lambda reason: None)
        with pytest.raises(NetworkError):
            await signaling.open()
