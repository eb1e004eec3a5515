"""A face for an agent of your own: Parley shows the persona speaking audio that your program makes.

Your agent hears the user, thinks, and makes speech. Here it reads its speech from a sound file.

python face_for_an_agent.py http://localhost:8080 API_KEY PERSONA_ID answer.wav face.mp4
"""

import asyncio
import sys
from collections.abc import AsyncIterator

import av

from parley_client import Client, Recorder, Session

RATE = 24_000
# How much longer the recording goes on, so that the mouth closes.
AFTERWARDS_S = 1.0


async def speech_of_my_agent(file: str) -> AsyncIterator[bytes]:
    """Samples of 16 bits as they become available: replace this by your agent."""
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    with av.open(file) as sound:
        for frame in sound.decode(audio=0):
            for part in resampler.resample(frame):
                yield part.to_ndarray().tobytes()


async def speak(session: Session, file: str) -> float:
    """Sends all of a speech; returns how many seconds it lasts."""
    sent = 0
    async with session.agent_audio(sample_rate=RATE) as voice:
        async for samples in speech_of_my_agent(file):
            await voice.send(samples)
            sent += len(samples)
    return sent / 2 / RATE


async def main(url: str, key: str, persona_id: str, file: str, recording: str) -> None:
    async with Client(url, api_key=key) as client:
        async with client.session(persona_id=persona_id, audio_passthrough=True) as session:
            async with Recorder(session, recording):
                seconds = await speak(session, file)
                # The persona speaks in real time, whatever the speed of sending. `session.interrupt()` would stop it.
                await asyncio.sleep(seconds + AFTERWARDS_S)


asyncio.run(main(*sys.argv[1:]))
