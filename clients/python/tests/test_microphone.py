from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import av
import numpy as np
import pytest

from parley_client import Device, Microphone, Pcm
from parley_client.pcm import SAMPLE_RATE, AudioSource, Samples, read_audio

FRAME = SAMPLE_RATE // 50


async def sounding(samples: Samples) -> AsyncIterator[bytes]:
    """In pieces that cut samples in two."""
    data = samples.astype("<i2").tobytes()
    for start in range(0, len(data), 333):
        yield data[start : start + 333]


def tone(seconds: float, rate: int) -> Samples:
    return (8_000 * np.sin(2 * np.pi * 440 * np.arange(int(seconds * rate)) / rate)).astype(np.int16)


def write_wav(file: Path, samples: Samples, rate: int) -> None:
    with av.open(str(file), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=rate, layout="mono")
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = rate
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            container.mux(packet)


async def all_of(source: AudioSource) -> Samples:
    return np.concatenate([samples async for samples in read_audio(source)])


async def test_any_rate_becomes_48_khz() -> None:
    samples = await all_of(Pcm(sounding(tone(1, 16_000)), sample_rate=16_000))
    assert abs(len(samples) - SAMPLE_RATE) < FRAME
    assert 7_000 < abs(samples).max() < 9_000


async def test_two_channels_become_one() -> None:
    left = tone(0.1, SAMPLE_RATE)
    both = np.stack([left, np.zeros_like(left)], axis=1).reshape(-1)
    samples = await all_of(Pcm(sounding(both), sample_rate=SAMPLE_RATE, channels=2))
    assert 3_500 < abs(samples).max() < 4_500


async def test_a_file_is_read(tmp_path: Path) -> None:
    write_wav(tmp_path / "tone.wav", tone(0.5, 22_050), 22_050)
    samples = await all_of(tmp_path / "tone.wav")
    assert abs(len(samples) - SAMPLE_RATE // 2) < FRAME


async def test_a_source_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "no-sound.txt").write_text("words")
    for source in (tmp_path / "missing.wav", tmp_path / "no-sound.txt", Device("no such microphone", "alsa")):
        with pytest.raises((OSError, ValueError)):
            await all_of(source)


def test_silence_goes_out_while_nothing_is_played() -> None:
    frame = Microphone().read()
    assert len(frame) == FRAME and not frame.any()


async def test_what_is_played_goes_out_whole_and_then_play_returns() -> None:
    microphone = Microphone()
    played = tone(0.1, SAMPLE_RATE)
    playing = asyncio.ensure_future(microphone.play(Pcm(sounding(played), SAMPLE_RATE)))
    heard: list[Samples] = []
    while not playing.done():
        heard.append(microphone.read())
        await asyncio.sleep(0.001)
    sound = np.concatenate(heard)
    assert np.array_equal(sound[sound != 0], played[played != 0])


async def test_a_pause_keeps_what_is_played_and_mute_does_not() -> None:
    microphone = Microphone()
    playing = asyncio.ensure_future(microphone.play(Pcm(sounding(tone(0.1, SAMPLE_RATE)), SAMPLE_RATE)))
    while not microphone.read().any():
        await asyncio.sleep(0.001)
    microphone.pause()
    assert not any(microphone.read().any() for _ in range(20))
    microphone.resume()
    microphone.muted = True
    while not playing.done():
        assert not microphone.read().any()
        await asyncio.sleep(0.001)
