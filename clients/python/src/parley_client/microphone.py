"""What the persona hears."""

from __future__ import annotations

import asyncio
import fractions
from collections import deque
from typing import Final

import numpy as np
from aiortc.mediastreams import MediaStreamError, MediaStreamTrack
from av.audio.frame import AudioFrame

from .pcm import SAMPLE_RATE, AudioSource, Samples, frame_of, read_audio

_FRAME: Final = SAMPLE_RATE // 50
_FRAME_S: Final = 0.02
# What waits to be sent: enough for a late event loop, and little enough for a live voice.
_LONGEST_QUEUE: Final = 10 * _FRAME
# After a longer standstill, the track continues from now on instead of catching up.
_LATEST_S: Final = 0.5


class Microphone:
    """A source of sound that is always on: silence goes out while nothing is played, as from a quiet room."""

    def __init__(self) -> None:
        self.muted = False
        self._queue: deque[Samples] = deque()
        self._queued = 0
        self._taken = asyncio.Event()
        self._flowing = asyncio.Event()
        self._flowing.set()

    async def play(self, source: AudioSource) -> None:
        """Speaks all of the source, in real time. Returns when its last sample was sent. Raises OSError, ValueError.

        Several sources at a time are mixed up: play them one after the other.
        """
        async for samples in read_audio(source):
            await self._until_queue_below(_LONGEST_QUEUE)
            self._queue.append(samples)
            self._queued += len(samples)
        await self._until_queue_below(1)

    def clear(self) -> None:
        """Drops what waits to be sent."""
        self._queue.clear()
        self._queued = 0
        self._taken.set()

    def pause(self) -> None:
        """Sends silence and keeps what waits, during an outage."""
        self._flowing.clear()

    def resume(self) -> None:
        self._flowing.set()

    def read(self) -> Samples:
        """The next 20 ms. Silence where there is nothing."""
        frame = np.zeros(_FRAME, dtype=np.int16)
        filled = 0
        while filled < _FRAME and self._queue and self._flowing.is_set():
            head = self._queue.popleft()
            part = head[: _FRAME - filled]
            frame[filled : filled + len(part)] = part
            filled += len(part)
            if len(part) < len(head):
                self._queue.appendleft(head[len(part) :])
        self._queued -= filled
        self._taken.set()
        return np.zeros(_FRAME, dtype=np.int16) if self.muted else frame

    async def _until_queue_below(self, limit: int) -> None:
        while self._queued >= limit:
            self._taken.clear()
            await self._taken.wait()


class MicrophoneTrack(MediaStreamTrack):  # type: ignore[misc]  # aiortc has no types in its older versions
    """The microphone for one peer connection. Only one track may read it at a time: stop the old one first."""

    kind = "audio"

    def __init__(self, microphone: Microphone) -> None:
        super().__init__()
        self._microphone = microphone
        self._sent = 0
        self._started: float | None = None

    async def recv(self) -> AudioFrame:
        if self.readyState != "live":
            raise MediaStreamError
        now = asyncio.get_running_loop().time()
        if self._started is None or now - (self._started + self._sent * _FRAME_S) > _LATEST_S:
            self._started = now - self._sent * _FRAME_S
        await asyncio.sleep(max(0.0, self._started + self._sent * _FRAME_S - now))
        frame = frame_of(self._microphone.read(), SAMPLE_RATE)
        frame.pts = self._sent * _FRAME
        frame.time_base = fractions.Fraction(1, SAMPLE_RATE)
        self._sent += 1
        return frame
