"""A worker of LiveKit Agents with the unmodified public plugin. It says a tone, is interrupted in another one, and leaves.

Events go out as lines of JSON, as room.mjs writes them.
"""

import asyncio
import json
import math
import os
import struct
import time

from livekit import rtc
from livekit.agents import Agent, AgentSession, JobContext, WorkerOptions, cli
from livekit.plugins import anam

RATE = 24_000


def tell(event, **more):
    # In one write: the log of another process goes to the same pipe, and came between the text and its end of line.
    os.write(1, (json.dumps({"event": event, "at": time.time() * 1000, **more}) + "\n").encode())


async def tone(seconds):
    samples = RATE // 50
    for k in range(int(seconds * 50)):
        sound = (8_000 * math.sin(2 * math.pi * 440 * (k * samples + i) / RATE) for i in range(samples))
        yield rtc.AudioFrame(struct.pack(f"<{samples}h", *map(int, sound)), RATE, 1, samples)


async def entry(ctx: JobContext):
    await ctx.connect()
    session = AgentSession()
    avatar = anam.AvatarSession(
        api_url=os.environ["AVATAR_URL"],
        api_key=os.environ["AVATAR_KEY"],
        persona_config=anam.PersonaConfig(
            name="Ada",
            avatarId=os.environ["AVATAR_ID"],
            directorNotes=anam.DirectorNotes(expressivity=0.7, presetStyle="warm"),
        ),
        session_options=anam.SessionOptions(video_width=640, video_height=360, show_ai_avatar_disclosure=True),
    )
    await avatar.start(session, room=ctx.room)
    await session.start(agent=Agent(instructions="None."), room=ctx.room, record=False)
    await avatar.wait_for_join()
    session.output.audio.on(
        "playback_finished",
        lambda e: tell("finished", playbackPosition=e.playback_position, interrupted=e.interrupted),
    )
    await session.say("A tone.", audio=tone(1)).wait_for_playout()
    speech = session.say("A long tone.", audio=tone(10))
    await asyncio.sleep(1.5)
    await session.interrupt()
    await speech.wait_for_playout()
    await session.aclose()
    tell("done")
    ctx.shutdown()


if __name__ == "__main__":
    # A busy machine gives a worker no job unless it says that it has none.
    cli.run_app(WorkerOptions(entrypoint_fnc=entry, port=0, num_idle_processes=1, load_fnc=lambda *_: 0.0))
