"""Saves what the persona shows and says as a file."""

from __future__ import annotations

import asyncio
import fractions
import os
from types import TracebackType
from typing import Any, Final

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.video.frame import VideoFrame

from .pcm import SAMPLE_RATE, samples_of
from .session import Session
from .stream import Stream

_FRAMES_PER_SECOND: Final = 25
# A gap that is heard; shorter ones are rounding.
_GAP: Final = SAMPLE_RATE // 25
# 10 s: encoding may fall behind for a while.
_VIDEO_QUEUE: Final = 10 * _FRAMES_PER_SECOND
_AUDIO_QUEUE: Final = 10 * 50


class Recorder:
    """`async with Recorder(session, path):` records until the block or the session ends.

    The ending of the path chooses the format: `.mp4` has H.264 and AAC. Video begins with its first frame.
    """

    def __init__(self, session: Session, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._video: Stream[VideoFrame] = session.video(_VIDEO_QUEUE)
        self._audio: Stream[AudioFrame] = session.audio(_AUDIO_QUEUE)
        self._file: _File | None = None
        self._task: asyncio.Task[None] | None = None
        # Only one thread at a time may write to the file.
        self._writing = asyncio.Lock()

    async def __aenter__(self) -> Recorder:
        self._task = asyncio.create_task(self._record(), name="parley recorder")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Writes what has arrived and closes the file. Raises what went wrong in writing, for example OSError."""
        self._video.close()
        self._audio.close()
        task, self._task = self._task, None
        if task is not None:
            await task

    async def _record(self) -> None:
        first = await anext(self._video, None)
        if first is None:
            return
        began = float(first.time)
        self._file = await asyncio.to_thread(_File, self._path, first.width, first.height)
        try:
            await self._write_video(first, began)
            await asyncio.gather(self._video_loop(began), self._audio_loop(began))
        finally:
            await asyncio.to_thread(self._file.close)

    async def _video_loop(self, began: float) -> None:
        async for frame in self._video:
            await self._write_video(frame, began)

    async def _write_video(self, frame: VideoFrame, began: float) -> None:
        assert self._file is not None
        async with self._writing:
            await asyncio.to_thread(self._file.video, frame, float(frame.time) - began)

    async def _audio_loop(self, began: float) -> None:
        assert self._file is not None
        async for frame in self._audio:
            if frame.time >= began:
                async with self._writing:
                    await asyncio.to_thread(self._file.audio, frame, float(frame.time) - began)


class _File:
    """One file with a picture and a sound track. Blocks: for use in threads. Times in seconds since its beginning."""

    def __init__(self, path: str, width: int, height: int) -> None:
        self._container: Any = av.open(path, "w")
        self._video: Any = self._container.add_stream("libx264", rate=_FRAMES_PER_SECOND)
        self._video.width, self._video.height = width, height
        self._video.pix_fmt = "yuv420p"
        self._video.options = {"preset": "veryfast"}
        # Frames keep their own times, to the millisecond.
        self._video.codec_context.time_base = fractions.Fraction(1, 1000)
        self._audio: Any = self._container.add_stream("aac", rate=SAMPLE_RATE)
        self._last_ms = -1
        self._samples = 0

    def video(self, frame: VideoFrame, at: float) -> None:
        milliseconds = round(at * 1000)
        if milliseconds <= self._last_ms:
            return
        self._last_ms = milliseconds
        # A copy: other readers have the same frame. The encoder chooses which frames are keyframes.
        copy = VideoFrame.from_ndarray(frame.to_ndarray(format="yuv420p"), format="yuv420p")
        copy.pts = milliseconds
        copy.time_base = fractions.Fraction(1, 1000)
        self._mux(self._video.encode(copy))

    def audio(self, frame: AudioFrame, at: float) -> None:
        missing = round(at * SAMPLE_RATE) - self._samples
        if missing > _GAP:
            self._encode(np.zeros((missing, len(frame.layout.channels)), dtype=np.int16))
        self._encode(samples_of(frame))

    def close(self) -> None:
        try:
            self._mux(self._video.encode(None))
            if self._samples > 0:
                self._mux(self._audio.encode(None))
        finally:
            self._container.close()

    def _encode(self, samples: Any) -> None:
        layout = "stereo" if samples.shape[1] == 2 else "mono"
        frame = AudioFrame.from_ndarray(np.ascontiguousarray(samples).reshape(1, -1), format="s16", layout=layout)
        frame.sample_rate = SAMPLE_RATE
        frame.pts = self._samples
        frame.time_base = fractions.Fraction(1, SAMPLE_RATE)
        self._samples += samples.shape[0]
        self._mux(self._audio.encode(frame))

    def _mux(self, packets: Any) -> None:
        for packet in packets:
            self._container.mux(packet)
