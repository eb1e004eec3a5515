"""A voice agent of LiveKit Agents as its guides have it: its own VAD, turn taking and interruptions, and stand-ins that hear,
think and speak over HTTP (see ../voicebench.ts)."""

import os

import aiohttp
from livekit import rtc
from livekit.agents import (
    DEFAULT_API_CONNECT_OPTIONS,
    Agent,
    AgentSession,
    JobContext,
    WorkerOptions,
    cli,
    llm,
    stt,
    tts,
)

RATE = 16_000


async def ask(path, **request):
    async with aiohttp.ClientSession() as http, http.post(os.environ["STAND_INS"] + path, **request) as answer:
        answer.raise_for_status()
        return await answer.read()


class Recognizer(stt.STT):
    def __init__(self):
        super().__init__(capabilities=stt.STTCapabilities(streaming=False, interim_results=False))

    async def _recognize_impl(self, buffer, *, language=None, conn_options=None):
        wav = rtc.combine_audio_frames(buffer).to_wav_bytes()
        words = (await ask("/recognize", data=wav)).decode()
        return stt.SpeechEvent(
            type=stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[stt.SpeechData(language="en", text=words)]
        )


class Voice(tts.TTS):
    def __init__(self):
        super().__init__(capabilities=tts.TTSCapabilities(streaming=False), sample_rate=RATE, num_channels=1)

    def synthesize(self, text, *, conn_options=DEFAULT_API_CONNECT_OPTIONS):
        return Speech(tts=self, input_text=text, conn_options=conn_options)


class Speech(tts.ChunkedStream):
    async def _run(self, output_emitter):
        output_emitter.initialize(
            request_id="speech", sample_rate=RATE, num_channels=1, mime_type="audio/pcm"
        )
        output_emitter.push(await ask("/speak", data=self.input_text.encode()))


class AtOnce(llm.LLM):
    def chat(self, *, chat_ctx, tools=None, conn_options=DEFAULT_API_CONNECT_OPTIONS, **_):
        return Answer(self, chat_ctx=chat_ctx, tools=tools or [], conn_options=conn_options)


class Answer(llm.LLMStream):
    async def _run(self):
        delta = llm.ChoiceDelta(role="assistant", content=os.environ["ANSWER"])
        self._event_ch.send_nowait(llm.ChatChunk(id="c", delta=delta))


async def entry(ctx: JobContext):
    await ctx.connect()
    session = AgentSession(stt=Recognizer(), llm=AtOnce(), tts=Voice())
    await session.start(agent=Agent(instructions="You keep a shop."), room=ctx.room, record=False)


if __name__ == "__main__":
    # A busy machine gives a worker no job unless it says that it has none.
    cli.run_app(
        WorkerOptions(
            entrypoint_fnc=entry, agent_name="pipeline", port=0, num_idle_processes=1, load_fnc=lambda *_: 0.0
        )
    )
