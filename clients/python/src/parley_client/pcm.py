"""Samples of audio, and where they come from."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Final, Union

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.video.frame import VideoFrame
from numpy.typing import NDArray

Samples = NDArray[np.int16]

# What Opus and WebRTC work with.
SAMPLE_RATE: Final = 48_000


@dataclass(frozen=True, slots=True)
class Device:
    """A microphone of this machine.

    name and format are those of FFmpeg: `Device("default", "alsa")` or `Device("default", "pulse")` on Linux,
    `Device(":0", "avfoundation")` on macOS, `Device("audio=Microphone", "dshow")` on Windows.
    """

    name: str = "default"
    format: str = "alsa"


@dataclass(frozen=True, slots=True)
class Pcm:
    """16-bit little-endian samples that a program makes: bytes or NumPy arrays. sample_rate: in Hz."""

    chunks: AsyncIterable[bytes | Samples]
    sample_rate: int
    channels: int = 1


# A file that FFmpeg can read, a microphone, samples, or PyAV frames.
AudioSource = Union["os.PathLike[str]", Device, Pcm, AsyncIterable[AudioFrame]]


def frame_of(samples: Samples, sample_rate: int) -> AudioFrame:
    """A mono frame. samples: one-dimensional."""
    frame = AudioFrame.from_ndarray(np.ascontiguousarray(samples).reshape(1, -1), format="s16", layout="mono")
    frame.sample_rate = sample_rate
    return frame


def samples_of(frame: AudioFrame) -> Samples:
    """The samples of a frame from the service: an array of shape (samples, channels)."""
    return np.asarray(frame.to_ndarray(), dtype=np.int16).reshape(-1, len(frame.layout.channels))


def picture_of(frame: VideoFrame) -> NDArray[np.uint8]:
    """A frame from the service as RGB: an array of shape (height, width, 3)."""
    return np.asarray(frame.to_ndarray(format="rgb24"), dtype=np.uint8)


async def read_audio(source: AudioSource) -> AsyncIterator[Samples]:
    """The source as mono samples at 48 kHz. Raises OSError or ValueError when it cannot be read."""
    to_mono = AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE)
    async for frame in _frames_of(source):
        # Sources may leave gaps in their times; here every sample follows the one before it.
        frame.pts = None
        for part in _resampled(to_mono, frame):
            yield part
    for part in _resampled(to_mono, None):
        yield part


def _resampled(resampler: AudioResampler, frame: AudioFrame | None) -> Iterator[Samples]:
    for part in resampler.resample(frame):
        if part is not None and part.samples > 0:
            yield samples_of(part)[:, 0]


def _frames_of(source: AudioSource) -> AsyncIterable[AudioFrame]:
    if isinstance(source, Device):
        return _decoded(source.name, source.format)
    if isinstance(source, Pcm):
        return _frames_of_pcm(source)
    if isinstance(source, os.PathLike):
        return _decoded(os.fspath(source), None)
    return source


async def _decoded(name: str, format: str | None) -> AsyncIterator[AudioFrame]:
    # Reading blocks until there is data: it happens in a thread.
    container: Any = await asyncio.to_thread(av.open, name, format=format)
    try:
        if not container.streams.audio:
            raise ValueError(f"{name} holds no audio.")
        frames = container.decode(audio=0)
        while (frame := await asyncio.to_thread(lambda: next(frames, None))) is not None:
            yield frame
    finally:
        await asyncio.to_thread(container.close)


async def _frames_of_pcm(source: Pcm) -> AsyncIterator[AudioFrame]:
    rest = b""
    frame_bytes = 2 * source.channels
    async for chunk in source.chunks:
        data = rest + (chunk if isinstance(chunk, bytes) else np.asarray(chunk, dtype="<i2").tobytes())
        whole = len(data) - len(data) % frame_bytes
        rest = data[whole:]
        if whole > 0:
            channels = np.frombuffer(data[:whole], dtype="<i2").reshape(-1, source.channels)
            mono = channels.mean(axis=1).astype(np.int16) if source.channels > 1 else channels[:, 0]
            yield frame_of(mono, source.sample_rate)
