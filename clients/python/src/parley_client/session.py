"""One conversation with a persona."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import datetime, timezone
from types import TracebackType
from typing import Any, Final, TypeVar

import aiohttp
import numpy as np
from av.audio.frame import AudioFrame
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from .agent_audio import AgentAudio
from .connection import Connection, Handlers
from .errors import NetworkError, UpdateRejectedError
from .events import (
    Change,
    Event,
    Holder,
    Message,
    MessageFinished,
    Reconnecting,
    ServiceWarning,
    SessionEnded,
    SessionReady,
    SettingsApplied,
    TalkInterrupted,
    ToolCallFailed,
    ToolCallStarted,
    UserSpeechStarted,
)
from .feed import Feed
from .microphone import Microphone
from .pcm import AudioSource, Samples, picture_of, samples_of
from .persona import VoiceDetection, VoiceGeneration
from .rest import StartedSession
from .stream import Stream
from .talk import TalkStream
from .tool_runner import ToolRunner
from .tools import Toolbox
from .transcript import Transcript

E = TypeVar("E")
R = TypeVar("R")

_READY_TIMEOUT_S: Final = 30.0
# One second: a reader that is slower loses the oldest frames.
_VIDEO_FRAMES: Final = 25
_AUDIO_FRAMES: Final = 50
_REJECTED: Final = "Persona config update rejected: "

Start = Callable[[Toolbox], Awaitable[tuple[aiohttp.ClientSession, StartedSession]]]


class Session(Toolbox):
    """Made by `Client.session`; `async with` starts it and hangs up at its end.

    Methods that send wait during an outage, and raise SessionEndedError when the session is over.
    """

    def __init__(self, start: Start, tools: Toolbox, *, microphone: bool) -> None:
        super().__init__(tools)
        self._start = start
        self._connection: Connection | None = None
        self._started: StartedSession | None = None
        self._feed = Feed()
        self._updating = asyncio.Lock()
        self._ready = asyncio.Event()
        self._runner: ToolRunner | None = None
        # How often the program has cut what the persona says.
        self._cuts = 0
        self.microphone = Microphone() if microphone else None

    async def __aenter__(self) -> Session:
        """Starts the session and returns when the persona sees and hears.

        Raises one of `parley_client.errors`: ApiError for a refusal, NetworkError, SessionEndedError.
        """
        if self._connection is not None:
            raise RuntimeError("A session starts only once: make another one.")
        http, self._started = await self._start(self)
        self._runner = ToolRunner(self.id, self, self._send, self._feed.emit)
        self._feed.on(ToolCallStarted)(self._runner.follow)
        self._feed.on(ToolCallFailed)(self._runner.follow)
        feed = self._feed
        handlers = Handlers(
            signal=self._signal, message=feed.message, frame=feed.frame, outage=feed.emit, over=feed.end
        )
        self._connection = Connection(http, self._started, self.microphone, handlers)
        try:
            await self._connection.open()
            await self._until_ready()
        except BaseException:
            await self.end()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.end()

    @property
    def id(self) -> str:
        if self._started is None:
            raise RuntimeError("The session has not started yet.")
        return self._started.session_id

    @property
    def region(self) -> str | None:
        """Where the session runs, as the service names it."""
        return None if self._started is None else self._started.region

    @property
    def floor(self) -> Holder:
        """Who speaks now."""
        return self._feed.floor.holder

    @property
    def transcript(self) -> Transcript:
        """All messages so far."""
        return self._feed.transcript

    @property
    def ended(self) -> SessionEnded | None:
        """Why the session ended; None while it lasts."""
        return self._feed.ended

    # What the session tells.

    def events(self) -> Stream[Event]:
        """All events from now on. The last one is SessionEnded."""
        return self._feed.events.stream()

    def on(self, kind: type[E]) -> Callable[[Callable[[E], R]], Callable[[E], R]]:
        """A decorator: calls the function, which may be `async`, for each event of a kind. Its errors are logged."""
        return self._feed.on(kind)

    async def wait_for(self, kind: type[E], where: Callable[[E], bool] = lambda event: True) -> E:
        """The next event of a kind for which `where` holds. Raises SessionEndedError."""
        return await self._feed.wait_for(kind, where)

    async def wait_until_ended(self) -> SessionEnded:
        return await self._feed.until_ended()

    def video(self, limit: int = _VIDEO_FRAMES) -> Stream[VideoFrame]:
        """The persona's picture as PyAV frames. `frame.time`: seconds on one time line with the audio."""
        return self._feed.video.stream(limit)

    def audio(self, limit: int = _AUDIO_FRAMES) -> Stream[AudioFrame]:
        """The persona's voice as PyAV frames of 20 ms: 48 kHz, 16 bits, stereo; silence included."""
        return self._feed.audio.stream(limit)

    async def pictures(self) -> AsyncIterator[NDArray[np.uint8]]:
        """The persona's picture as NumPy arrays (height, width, 3), RGB."""
        async with self.video() as frames:
            async for frame in frames:
                yield picture_of(frame)

    async def samples(self) -> AsyncIterator[Samples]:
        """The persona's voice as NumPy arrays (samples, channels), 48 kHz."""
        async with self.audio() as frames:
            async for frame in frames:
                yield samples_of(frame)

    # What the user does.

    async def say(self, source: AudioSource) -> None:
        """Speaks a file, a microphone's sound, samples or frames to the persona. Returns when all of it was sent.

        Raises RuntimeError for a session without a microphone.
        """
        if self.microphone is None:
            raise RuntimeError("The session was made with microphone=False.")
        await self._feed.unless_ended(self.microphone.play(source))

    async def send_user_message(self, text: str) -> None:
        """A typed message: it interrupts the persona, and the persona answers."""
        self._cuts += 1
        now = datetime.now(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds")
        await self._send({"message_type": "speech", "content": text, "session_id": self.id, "timestamp": now})

    async def ask(self, question: str | AudioSource) -> Message:
        """Types a text, or speaks a sound, and returns the persona's whole answer to it.

        What a text cuts short, for example the greeting, is no answer to it. The answer to a sound is the answer to
        what was said last in it. When nothing in it is understood, no answer comes: use `asyncio.timeout`.
        """
        known = {message.turn_id for message in self.transcript}
        asked: str | None = None
        answer: Message | None = None
        # Whether something else than the question may have cut what the persona says since then.
        cut, cuts = False, self._cuts
        async with self.events() as events:
            if isinstance(question, str):
                cuts += 1
                await self.send_user_message(question)
            else:
                await self.say(question)
            async for event in events:
                cut = cut or isinstance(event, (UserSpeechStarted, Reconnecting)) or self._cuts != cuts
                if isinstance(event, MessageFinished) and event.message.turn_id not in known:
                    message = event.message
                    if message.role == "user":
                        asked, answer = message.turn_id, None
                    elif message.turn_id == asked or (isinstance(question, str) and (cut or not message.interrupted)):
                        answer = message
                # While the sound was spoken, the persona may have answered its beginning.
                if answer is not None and events.waiting == 0:
                    return answer
        raise self._feed.over()

    async def add_context(self, text: str) -> None:
        """Tells the LLM something, of at most 32 KiB, that it knows from the next turn on. Nobody answers it."""
        await self._send({"message_type": "context", "content": text, "session_id": self.id})

    async def interrupt(self) -> None:
        """Stops the persona's speech, and drops what waits to be spoken."""
        self._cuts += 1
        await self._send({"message_type": "interrupt", "session_id": self.id, "timestamp": _iso_now()})

    # What the persona says and does.

    def talk_stream(self, stream_id: str | None = None) -> TalkStream:
        """A speech that is sent in parts. stream_id: any text; it becomes the `turn_id` of the message."""
        return TalkStream(self, stream_id)

    async def talk(self, text: str) -> TalkStream:
        """The persona speaks this text. `await (await session.talk(text)).spoken()` waits until it was heard."""
        stream = TalkStream(self)
        await stream.send(text)
        await stream.end()
        return stream

    def agent_audio(self, sample_rate: int = 24_000, channels: int = 1) -> AgentAudio:
        """Audio that the persona's face speaks, in a session with `audio_passthrough=True`."""
        return AgentAudio(self, sample_rate, channels)

    async def cue(self, tag: str, *, in_seconds: float | None = None, at_seconds: float | None = None) -> None:
        """A director's cue, for example `happy`. in_seconds: from now; at_seconds: from the start of the speech.

        CueApplied tells when the face acts it. Raises ValueError for two times.
        """
        if in_seconds is not None and at_seconds is not None:
            raise ValueError("A cue has one time: in_seconds or at_seconds.")
        message: dict[str, Any] = {"message_type": "director_note_cue", "cue": {"tag": tag}}
        if in_seconds is not None:
            message["in_seconds"] = in_seconds
        if at_seconds is not None:
            message["at_seconds"] = at_seconds
        await self._send(message)

    async def update(
        self,
        *,
        language_code: str | None = None,
        voice_detection: VoiceDetection | None = None,
        voice_generation: VoiceGeneration | None = None,
    ) -> Mapping[str, Change]:
        """Changes settings, all or none, and returns what changed once it is in effect.

        Raises UpdateRejectedError with the reason, ValueError for no change, SessionEndedError.
        """
        data: dict[str, Any] = {}
        if language_code is not None:
            data["languageCode"] = language_code
        if voice_detection is not None:
            data["voiceDetectionOptions"] = voice_detection.to_wire()
        if voice_generation is not None:
            data["voiceGenerationOptions"] = voice_generation.to_wire()
        if not data:
            raise ValueError("There is nothing to change.")
        # Answers do not say which update they mean.
        async with self._updating, self.events() as events:
            await self._send({"message_type": "persona_config", "data": data})
            async for event in events:
                if isinstance(event, SettingsApplied):
                    return event.changed
                if isinstance(event, ServiceWarning) and event.text.startswith(_REJECTED):
                    raise UpdateRejectedError(event.text.removeprefix(_REJECTED))
        raise self._feed.over()

    async def end(self) -> None:
        """Hangs up. Repeated calls do nothing."""
        if self._runner is not None:
            await self._runner.close()
        if self._connection is not None:
            await self._connection.close()
        self._feed.close()

    # For the parts of a session.

    def was_interrupted(self, stream_id: str) -> bool:
        return stream_id in self._feed.interrupted

    async def signal(self, action: str, payload: object) -> None:
        await self._line().signal(action, payload)

    async def _send(self, message: dict[str, Any]) -> None:
        await self._line().send(json.dumps(message))

    def _line(self) -> Connection:
        if self._connection is None:
            raise RuntimeError("The session has not started yet: use `async with`.")
        return self._connection

    async def _until_ready(self) -> None:
        try:
            await asyncio.wait_for(self._feed.unless_ended(_done_when(self._ready)), _READY_TIMEOUT_S)
        except asyncio.TimeoutError:
            raise NetworkError(f"The session was not ready within {_READY_TIMEOUT_S:.0f} s.") from None

    def _signal(self, action: str, payload: Any) -> None:
        if action == "sessionready" and not self._ready.is_set():
            self._ready.set()
            self._feed.emit(SessionReady())
        elif action == "warning":
            self._feed.emit(ServiceWarning(str(payload)))
        elif action == "talkinputstreaminterrupted" and isinstance(payload, dict):
            self._feed.emit(TalkInterrupted(str(payload.get("correlationId"))))


async def _done_when(event: asyncio.Event) -> None:
    await event.wait()


def _iso_now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
