"""The WebSocket of a session: opens again by itself, and keeps the order of what is sent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from typing import Any, Final

import aiohttp

from .errors import NetworkError

_log = logging.getLogger(__name__)

# A socket whose other end does not answer a ping within half of this time is closed, so that a new one is tried.
_PING_EVERY_S: Final = 4.0
_FIRST_DELAY_S: Final = 0.1
_LONGEST_DELAY_S: Final = 1.0
_OPEN_TIMEOUT_S: Final = 5.0
_CLOSE_TIMEOUT_S: Final = 3.0
# A service that does not know the session may be one that is about to take it over from a process that died.
_UNKNOWN_FOR_S: Final = 5.0
# The service closes an older socket with this reason when another one is opened for the same session.
_REPLACED: Final = "replaced"
# "Service Restart" in the registry of close codes: the session goes on in another process.
_RESTART: Final = 1012


class Signaling:
    """on_signal: gets each message's action, payload and, at the end of a session, its code. on_over: gets why no socket will be opened again.
    on_restart: the session goes on in another process. unknown_for_s: seconds for which the service must say that it does
    not know the session before the client believes it."""

    def __init__(
        self,
        http: aiohttp.ClientSession,
        url: str,
        session_id: str,
        heartbeat_s: float,
        on_signal: Callable[[str, Any, Any], None],
        on_over: Callable[[str], None],
        on_restart: Callable[[], None] = lambda: None,
        unknown_for_s: float = _UNKNOWN_FOR_S,
    ) -> None:
        self._http = http
        self._url = url
        self._session_id = session_id
        self._heartbeat_s = heartbeat_s
        self._on_signal = on_signal
        self._on_over = on_over
        self._on_restart = on_restart
        self._unknown_for_s = unknown_for_s
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        # Done when the newest socket is no more.
        self._broken: asyncio.Future[None]
        self._opened = asyncio.Event()
        # One at a time, in the order of the calls.
        self._sending = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Opens the first socket. Raises NetworkError."""
        try:
            socket = await self._connect()
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
            raise NetworkError(f"The signaling socket did not open: {error}") from error
        self._tasks = [
            asyncio.create_task(self._run(socket), name="parley signaling"),
            asyncio.create_task(self._beat(), name="parley heartbeat"),
        ]

    async def send(self, action: str, payload: object) -> None:
        """Waits while there is no socket. A message whose socket breaks meanwhile is sent on the next one."""
        text = json.dumps({"actionType": action, "sessionId": self._session_id, "payload": payload})
        async with self._sending:
            while True:
                await self._opened.wait()
                socket = self._socket
                if socket is not None and not socket.closed and await self._write(socket, text):
                    return
                # Another one may be open by now.
                if self._socket is socket:
                    self._opened.clear()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            # On a dead network, the goodbye itself may never be written.
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._socket.close(), _CLOSE_TIMEOUT_S)

    async def _connect(self) -> aiohttp.ClientWebSocketResponse:
        socket = await asyncio.wait_for(
            self._http.ws_connect(self._url, heartbeat=_PING_EVERY_S, max_msg_size=0), _OPEN_TIMEOUT_S
        )
        self._socket = socket
        self._broken = asyncio.get_running_loop().create_future()
        self._opened.set()
        return socket

    async def _write(self, socket: aiohttp.ClientWebSocketResponse, text: str) -> bool:
        """Whether it was written before the socket broke. On a dead network, writing itself ends only after minutes."""
        writing = asyncio.create_task(socket.send_str(text))
        try:
            await asyncio.wait({writing, self._broken}, return_when=asyncio.FIRST_COMPLETED)
            if writing.done():
                await writing
                return True
        except (ConnectionError, RuntimeError, aiohttp.ClientError):
            _log.debug("a socket broke while it was written to")
        finally:
            writing.cancel()
        return False

    async def _run(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        while True:
            reason = await self._read(socket)
            self._opened.clear()
            self._broken.set_result(None)
            # 1000 with a reason means that the service is done with this client.
            if socket.close_code == aiohttp.WSCloseCode.OK and reason != "":
                return self._on_over(reason)
            if socket.close_code == _RESTART:
                self._on_restart()
            delay = _FIRST_DELAY_S
            unknown_since: float | None = None
            while True:
                await asyncio.sleep(delay)
                now = asyncio.get_running_loop().time()
                try:
                    socket = await self._connect()
                    break
                except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
                    _log.debug("the signaling socket did not open again yet")
                    unknown = isinstance(error, aiohttp.WSServerHandshakeError) and error.status == 404
                    unknown_since = (now if unknown_since is None else unknown_since) if unknown else None
                if unknown_since is not None and now - unknown_since >= self._unknown_for_s:
                    return self._on_over("gone")
                delay = min(2 * delay, _LONGEST_DELAY_S)

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> str:
        """Reads until the socket is closed. Returns the reason that the other side gave, or an empty text."""
        while True:
            try:
                message = await socket.receive(timeout=_PING_EVERY_S)
            except asyncio.TimeoutError:
                # A socket that aiohttp has given up, but that still has something to write, says so only when asked again.
                continue
            if message.type is aiohttp.WSMsgType.TEXT:
                self._take(message.data)
            elif message.type is aiohttp.WSMsgType.CLOSE:
                return str(message.extra or "")
            elif message.type in (aiohttp.WSMsgType.CLOSING, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR):
                return ""

    def _take(self, text: str) -> None:
        try:
            signal = json.loads(text)
            action, payload, code = signal["actionType"], signal.get("payload"), signal.get("code")
        except (ValueError, KeyError, TypeError, AttributeError):
            return _log.debug("a message that is no signal was ignored")
        self._on_signal(str(action).lower(), payload, code)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat_s)
            if self._opened.is_set():
                await self.send("heartbeat", "")


def is_replaced(reason: str) -> bool:
    """Whether another program has taken the session over."""
    return reason == _REPLACED
