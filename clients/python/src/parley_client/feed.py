"""Everything that a session tells: events, the transcript, frames, and the end."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from av.audio.frame import AudioFrame
from av.video.frame import VideoFrame

from .errors import SessionEndedError
from .events import Event, MessageFinished, SessionEnded, SpeechText, TalkInterrupted
from .floor import Floor
from .parse_message import parse_message
from .peer import Kind
from .stream import Hub
from .transcript import Transcript

_log = logging.getLogger(__name__)

E = TypeVar("E")
R = TypeVar("R")


class Feed:
    """Gives each event to the streams, then to the functions of the program, in the order of the events."""

    def __init__(self) -> None:
        self.events: Hub[Event] = Hub()
        self.video: Hub[VideoFrame] = Hub()
        self.audio: Hub[AudioFrame] = Hub()
        self.transcript = Transcript()
        self.floor = Floor()
        # The talk streams that were cut, and other turns.
        self.interrupted: set[str] = set()
        self.ended: SessionEnded | None = None
        self._seen: set[str] = set()
        self._handlers: list[tuple[type[Any], Callable[[Any], Any]]] = []
        self._running: set[asyncio.Task[None]] = set()

    def on(self, kind: type[E]) -> Callable[[Callable[[E], R]], Callable[[E], R]]:
        def add(handler: Callable[[E], R]) -> Callable[[E], R]:
            self._handlers.append((kind, handler))
            return handler

        return add

    async def wait_for(self, kind: type[E], where: Callable[[E], bool]) -> E:
        async with self.events.stream() as events:
            async for event in events:
                if isinstance(event, kind) and where(event):
                    return event
        raise self.over()

    async def until_ended(self) -> SessionEnded:
        if self.ended is None:
            return await self.wait_for(SessionEnded, lambda event: True)
        return self.ended

    async def unless_ended(self, work: Awaitable[None]) -> None:
        """Waits for the work, and stops it when the session ends. Raises SessionEndedError."""
        doing = asyncio.ensure_future(work)
        ended = asyncio.ensure_future(self.until_ended())
        try:
            await asyncio.wait({doing, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                raise self.over()
            await doing
        finally:
            doing.cancel()
            ended.cancel()

    def over(self) -> SessionEndedError:
        """The error for what was asked of a session that has ended."""
        ended = self.ended or SessionEnded("other", "The session has ended.")
        return SessionEndedError(ended.reason, ended.text)

    def message(self, text: str) -> None:
        """Takes a message of the data channel."""
        parsed = parse_message(text)
        if parsed is None:
            return
        event, uid = parsed
        if uid is not None and uid in self._seen:
            return
        if uid is not None:
            self._seen.add(uid)
        if not isinstance(event, SpeechText):
            return self.emit(event)
        message = self.transcript.add(event)
        if message is None:
            return
        self.emit(event)
        if event.final:
            if message.interrupted:
                # The socket says so, too: whichever comes first.
                self.interrupted.add(message.turn_id)
            self.emit(MessageFinished(message))

    def frame(self, kind: Kind, frame: Any) -> None:
        (self.audio if kind == "audio" else self.video).publish(frame)

    def emit(self, event: Event) -> None:
        if isinstance(event, TalkInterrupted):
            self.interrupted.add(event.stream_id)
        self.events.publish(event)
        for kind, handler in self._handlers:
            if isinstance(event, kind):
                self._call(handler, event)
        change = self.floor.follow(event)
        if change is not None:
            self.emit(change)

    def end(self, reason: str, text: str) -> None:
        """Tells the end, after which nothing comes."""
        self.ended = SessionEnded(reason, text)
        self.emit(self.ended)
        for hub in (self.events, self.video, self.audio):
            hub.close()

    def close(self) -> None:
        """Stops the functions of the program that still run."""
        for task in self._running:
            task.cancel()

    def _call(self, handler: Callable[[Any], Any], event: Event) -> None:
        try:
            result = handler(event)
        except Exception:  # A function of the program must not stop the session.
            return _log.exception("a handler of %s failed", type(event).__name__)
        if inspect.isawaitable(result):
            task = asyncio.create_task(self._finish(result, type(event).__name__))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    async def _finish(self, work: Awaitable[Any], name: str) -> None:
        try:
            await work
        except Exception:
            _log.exception("a handler of %s failed", name)
