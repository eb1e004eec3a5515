"""The line to the service: a signaling socket and a peer connection, both renewed after an outage."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final

import aiohttp
from aiortc.mediastreams import MediaStreamError

from .ending import CLIENT_DISCONNECTED, CONNECTION_LOST, OTHER, REPLACED, reason_of
from .errors import MediaBlockedError, NetworkError, SessionEndedError
from .events import Reconnected, Reconnecting
from .frame_clock import FrameClock
from .microphone import Microphone, MicrophoneTrack
from .outage_rules import MOVED_FOR_S, OFFER_EVERY_S, Step, next_step
from .outbox import Outbox
from .peer import Kind, Peer
from .rest import StartedSession
from .signaling import Signaling, is_replaced

_log = logging.getLogger(__name__)

# A slow network needs some seconds; after this, something blocks it. The service gives up after 30 s.
_CONNECT_TIMEOUT_S: Final = 25.0
_ANSWER_TIMEOUT_S: Final = 5.0
_CHECK_EVERY_S: Final = 0.25
_CHECK_RETURN_S: Final = 0.05
# How long the goodbye may take that is sent over the signaling.
_FAREWELL_S: Final = 1.0


class _Line(Enum):
    CONNECTING = auto()
    UP = auto()
    INTERRUPTED = auto()
    OVER = auto()


@dataclass(frozen=True, slots=True)
class Handlers:
    """What the owner of a connection hears. None of them may raise."""

    signal: Callable[[str, Any], None]
    message: Callable[[str], None]
    frame: Callable[[Kind, Any], None]
    outage: Callable[[Reconnecting | Reconnected], None]
    # Reason and text; once.
    over: Callable[[str, str], None]


class Connection:
    def __init__(
        self, http: aiohttp.ClientSession, started: StartedSession, microphone: Microphone | None, handlers: Handlers
    ) -> None:
        self._started = started
        self._microphone = microphone
        self._handlers = handlers
        self._signaling = Signaling(
            http,
            started.signaling_url,
            started.session_id,
            started.heartbeat_s,
            on_signal=self._signal,
            on_over=self._socket_over,
            on_restart=self._moving,
        )
        self._line = _Line.CONNECTING
        self._peer: Peer | None = None
        self._clock = FrameClock()
        self._outbox = Outbox()
        # Open while messages may be sent on the data channel; one at a time, in the order of the calls.
        self._talkable = asyncio.Event()
        self._sending = asyncio.Lock()
        self._answer: asyncio.Future[str] | None = None
        self._early_candidates: list[dict[str, Any]] = []
        self._heard_at = time.monotonic()
        # When the service said last that the session goes on in another process.
        self._moved_at: float | None = None
        self._ending: tuple[str, str] | None = None
        self._ended = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        # Peer connections that are being closed. Whoever stops this half-way leaves their sockets open.
        self._closing: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Connects. Raises NetworkError, MediaBlockedError, SessionEndedError."""
        await self._signaling.open()
        connecting = asyncio.create_task(self._connect_first())
        ended = asyncio.create_task(self._ended.wait())
        try:
            await asyncio.wait({connecting, ended}, return_when=asyncio.FIRST_COMPLETED)
            if self._ending is not None:
                raise SessionEndedError(*self._ending)
            await connecting
        finally:
            connecting.cancel()
            ended.cancel()
            await asyncio.gather(connecting, ended, return_exceptions=True)
        self._line = _Line.UP
        self._heard_at = time.monotonic()
        self._spawn(self._watch())

    async def signal(self, action: str, payload: object) -> None:
        """Sends on the signaling socket; waits while there is none. Raises SessionEndedError."""
        await self._unless_over(self._signaling.send(action, payload))

    async def send(self, text: str) -> None:
        """Sends on the data channel; waits during an outage. Raises SessionEndedError."""
        await self._unless_over(self._send(text))

    async def close(self) -> None:
        """Hangs up. Repeated calls do nothing."""
        if self._line is not _Line.OVER:
            self._end(CLIENT_DISCONNECTED, "The client ended the session.")
            try:
                await asyncio.wait_for(self._signaling.send("endsession", {}), _FAREWELL_S)
            except (asyncio.TimeoutError, ConnectionError, aiohttp.ClientError):
                _log.debug("the service did not hear the goodbye")
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        peer, self._peer = self._peer, None
        if peer is not None:
            self._close_peer(peer)
        await asyncio.gather(*self._closing, return_exceptions=True)
        await self._signaling.close()

    async def _connect_first(self) -> None:
        peer = await self._offer(_CONNECT_TIMEOUT_S)
        try:
            await asyncio.wait_for(_both(peer.connected, peer.channel_open), _CONNECT_TIMEOUT_S)
        except asyncio.TimeoutError:
            raise MediaBlockedError(
                f"No media arrived within {_CONNECT_TIMEOUT_S:.0f} s, although the service answers: is UDP blocked?"
            ) from None
        self._talkable.set()

    async def _offer(self, timeout_s: float) -> Peer:
        """Puts a fresh peer connection in the place of the old one, as soon as the service has agreed to it."""
        peer = self._new_peer()
        try:
            sdp = await peer.offer()
            self._answer = asyncio.get_running_loop().create_future()
            description = {"connectionDescription": {"type": "offer", "sdp": sdp}, "userUid": self._started.session_id}
            await asyncio.wait_for(self._signaling.send("offer", description), timeout_s)
            answer = await asyncio.wait_for(self._answer, timeout_s)
            await peer.accept(answer)
        except BaseException as error:
            self._close_peer(peer)
            if isinstance(error, asyncio.TimeoutError):
                raise NetworkError("The service did not answer the offer.") from None
            raise
        finally:
            self._answer = None
        old, self._peer = self._peer, peer
        if old is not None:
            self._close_peer(old)
        for candidate in self._early_candidates:
            await peer.add_candidate(candidate)
        self._early_candidates.clear()
        return peer

    def _new_peer(self) -> Peer:
        clocks = {"audio": self._clock.track(), "video": self._clock.track()}

        def on_frame(kind: Kind, frame: Any) -> None:
            if self._peer is not peer:
                return
            self._heard_at = time.monotonic()
            clocks[kind].stamp(frame)
            self._handlers.frame(kind, frame)

        track = None if self._microphone is None else MicrophoneTrack(self._microphone)
        peer = Peer(self._started.ice_servers, track, on_frame, self._handlers.message)
        return peer

    async def _send(self, text: str) -> None:
        async with self._sending:
            await self._talkable.wait()
            if self._peer is not None:
                self._peer.send(text)
                self._outbox.sent(text, time.monotonic())

    async def _watch(self) -> None:
        while self._line is not _Line.OVER:
            await asyncio.sleep(_CHECK_EVERY_S)
            if next_step(time.monotonic() - self._heard_at, None, self._has_moved()) is not Step.NOTHING:
                await self._outage()

    def _moving(self) -> None:
        self._moved_at = time.monotonic()

    def _has_moved(self) -> bool:
        return self._moved_at is not None and time.monotonic() - self._moved_at < MOVED_FOR_S

    async def _outage(self) -> None:
        """From the moment when nothing arrives any more until frames and messages flow again, or the session ends."""
        heard_at = self._heard_at
        before = self._peer
        offered_at: float | None = None
        self._interrupted()
        while self._heard_at == heard_at or self._peer is None or not self._peer.channel_open.is_set():
            now = time.monotonic()
            match next_step(now - self._heard_at, None if offered_at is None else now - offered_at, self._has_moved()):
                case Step.GIVE_UP:
                    return self._end(CONNECTION_LOST, "Connection lost.")
                case Step.OFFER:
                    offered_at = now
                    await self._try_fresh_peer()
                case Step.WAIT | Step.NOTHING:
                    await asyncio.sleep(_CHECK_RETURN_S)
        if self._peer is not before:
            for text in self._outbox.take_lost(heard_at):
                self._peer.send(text)
        self._back(Reconnected(seconds=self._heard_at - heard_at, fresh=self._peer is not before))

    def _interrupted(self) -> None:
        self._line = _Line.INTERRUPTED
        self._talkable.clear()
        if self._microphone is not None:
            self._microphone.pause()
        self._handlers.outage(Reconnecting())

    def _back(self, event: Reconnected) -> None:
        self._line = _Line.UP
        if self._microphone is not None:
            self._microphone.resume()
        self._handlers.outage(event)
        self._talkable.set()

    async def _try_fresh_peer(self) -> None:
        try:
            peer = await self._offer(_ANSWER_TIMEOUT_S)
            await asyncio.wait_for(_both(peer.connected, peer.channel_open), OFFER_EVERY_S)
        except (NetworkError, asyncio.TimeoutError, MediaStreamError, ConnectionError, ValueError) as error:
            _log.debug("a fresh peer connection did not come up: %r", error)

    def _signal(self, action: str, payload: Any, code: Any) -> None:
        if action == "answer":
            if self._answer is not None and not self._answer.done() and isinstance(payload, dict):
                self._answer.set_result(str(payload.get("sdp")))
        elif action == "icecandidate":
            if isinstance(payload, dict):
                self._candidate(payload)
        elif action == "endsession":
            text = payload if isinstance(payload, str) else "The session has ended."
            self._end(reason_of(code), text)
        else:
            self._handlers.signal(action, payload)

    def _candidate(self, candidate: dict[str, Any]) -> None:
        if self._answer is not None or self._peer is None:
            self._early_candidates.append(candidate)
        else:
            self._spawn(self._peer.add_candidate(candidate))

    def _socket_over(self, reason: str) -> None:
        if is_replaced(reason):
            self._end(REPLACED, "Another client took this session over.")
        elif reason == "gone":
            self._end(CONNECTION_LOST, "The service does not know this session any more.")
        else:
            self._end(OTHER, f"The service closed the session: {reason}.")

    def _end(self, reason: str, text: str) -> None:
        if self._line is _Line.OVER:
            return
        self._line = _Line.OVER
        self._ending = (reason, text)
        self._ended.set()
        self._handlers.over(reason, text)

    async def _unless_over(self, work: Coroutine[Any, Any, None]) -> None:
        doing = asyncio.create_task(work)
        ended = asyncio.create_task(self._ended.wait())
        try:
            if self._ending is None:
                await asyncio.wait({doing, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not doing.done() and self._ending is not None:
                raise SessionEndedError(*self._ending)
            await doing
        finally:
            doing.cancel()
            ended.cancel()

    def _close_peer(self, peer: Peer) -> None:
        task = asyncio.create_task(peer.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a task of the connection failed", exc_info=task.exception())


async def _both(first: asyncio.Event, second: asyncio.Event) -> None:
    await first.wait()
    await second.wait()
