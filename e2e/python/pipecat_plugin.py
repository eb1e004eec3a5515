"""Pipecat's plugin for the hosted service as PyPI has it, in a pipeline. Each check prints `ok NAME`.

PARLEY_TEST_URL, PARLEY_TEST_KEY, PARLEY_TEST_AVATAR say with what.
"""

import asyncio
import math
import os
import struct
import sys

import aiohttp
import numpy
from anam import PersonaConfig
from pipecat.frames.frames import (
    EndFrame,
    ErrorFrame,
    InterruptionFrame,
    OutputImageRawFrame,
    OutputTransportReadyFrame,
    SpeechOutputAudioRawFrame,
    TTSAudioRawFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.runner import PipelineRunner
from pipecat.pipeline.task import PipelineParams, PipelineTask
from pipecat.processors.frame_processor import FrameProcessor
from pipecat_anam import AnamVideoService

URL = os.environ["PARLEY_TEST_URL"]
KEY = os.environ["PARLEY_TEST_KEY"]
AVATAR = os.environ["PARLEY_TEST_AVATAR"]
MAX_WAIT_S = 45
LOUD = 500


async def until(condition, what):
    for _ in range(MAX_WAIT_S * 20):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never: {what}")


class Audience(FrameProcessor):
    """What comes out of the plugin."""

    def __init__(self):
        super().__init__()
        self.pictures = 0
        self.loud = 0
        self.loud_at = 0.0

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if isinstance(frame, OutputImageRawFrame):
            self.pictures += 1
        if isinstance(frame, SpeechOutputAudioRawFrame):
            if abs(numpy.frombuffer(frame.audio, numpy.int16).astype(int)).max() > LOUD:
                self.loud += 1
                self.loud_at = asyncio.get_running_loop().time()
        await self.push_frame(frame, direction)


class Call:
    def __init__(self, rate):
        self.rate = rate
        self.audience = Audience()
        self.errors = []
        persona = PersonaConfig(avatar_id=AVATAR, enable_audio_passthrough=True)
        self.plugin = AnamVideoService(api_key=KEY, persona_config=persona, api_base_url=URL, api_version="v1")
        pipeline = Pipeline([self.plugin, self.audience])
        self.task = PipelineTask(pipeline, params=PipelineParams(audio_out_sample_rate=rate))
        self.task.add_event_handler("on_pipeline_error", self._failed)

    async def _failed(self, _task, frame: ErrorFrame):
        self.errors.append(frame.error)

    async def __aenter__(self):
        self.running = asyncio.create_task(PipelineRunner(handle_sigint=False).run(self.task))
        await self.task.queue_frame(OutputTransportReadyFrame())
        await until(lambda: self.audience.pictures > 10, "pictures")
        return self

    async def __aexit__(self, *_):
        await self.task.queue_frame(EndFrame())
        await asyncio.wait_for(self.running, MAX_WAIT_S)

    @property
    def session_id(self):
        return self.plugin._anam_session.session_id

    async def say(self, context, seconds):
        """A tone in the place of a voice, in pieces of 20 ms, as fast as a fast voice gives them."""
        size = self.rate // 50
        await self.task.queue_frame(TTSStartedFrame(context_id=context))
        for start in range(0, self.rate * seconds, size):
            tone = [int(8000 * math.sin(2 * math.pi * 300 * i / self.rate)) for i in range(start, start + size)]
            audio = struct.pack(f"<{size}h", *tone)
            await self.task.queue_frame(TTSAudioRawFrame(audio, self.rate, 1, context_id=context))
        await self.task.queue_frame(TTSStoppedFrame(context_id=context))


async def passes_audio_through():
    for rate in (8_000, 24_000):
        async with Call(rate) as call:
            await call.say("one", 2)
            await until(lambda: call.audience.loud > 50, f"a tone of {rate} Hz")
        assert not call.errors, call.errors


async def is_interrupted():
    async with Call(24_000) as call:
        await call.say("long", 20)
        await until(lambda: call.audience.loud > 20, "the tone")
        await call.task.queue_frame(InterruptionFrame())
        now = asyncio.get_running_loop().time
        await until(lambda: now() - call.audience.loud_at > 2, "silence")
        # A tone that nobody interrupts has ten times as many pieces.
        assert call.audience.loud < 500, call.audience.loud
        before = call.audience.loud
        await call.say("next", 2)
        await until(lambda: call.audience.loud > before + 50, "what comes after the interruption")
    assert not call.errors, call.errors


async def is_told_of_the_end():
    async with Call(24_000) as call:
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}"}) as http:
            async with http.post(f"{URL}/v1/sessions/{call.session_id}/stop") as answer:
                assert answer.status < 300, (answer.status, await answer.text())
        await until(lambda: any("server_closed" in error for error in call.errors), "the end")


async def main():
    for check in (passes_audio_through, is_interrupted, is_told_of_the_end):
        await asyncio.wait_for(check(), 150)
        print(f"ok {check.__name__}", flush=True)


if __name__ == "__main__":
    status = 0
    try:
        asyncio.run(main())
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    os._exit(status)
