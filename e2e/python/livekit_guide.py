"""Runs the program in the guide for LiveKit and enters its room: sees the face, asks, hears the answer. Each check prints `ok NAME`.

PARLEY_TEST_URL, PARLEY_TEST_KEY: the service. PARLEY_TEST_GUIDE: the guide. PARLEY_TEST_QUESTION: a spoken question (WAV).
LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET: the server.
"""

import asyncio
import os
import pathlib
import sys
import tempfile

import numpy
from guide_program import answers, environment, program, spoken_question, stand_ins, until
from livekit import api, rtc

LOUD = 500
FACE = "anam-avatar-agent"


class Caller:
    def __init__(self):
        self.pictures = 0
        self.loud = 0
        self.words = b""
        self.room = rtc.Room()
        self.room.on("track_subscribed", self.heard_of)
        self.tasks = []

    def heard_of(self, track, _publication, participant):
        if participant.identity == FACE:
            watch = self.see if track.kind == rtc.TrackKind.KIND_VIDEO else self.hear
            self.tasks.append(asyncio.ensure_future(watch(track)))

    async def see(self, track):
        async for _ in rtc.VideoStream(track):
            self.pictures += 1

    async def hear(self, track):
        async for event in rtc.AudioStream(track):
            if abs(numpy.frombuffer(event.frame.data, numpy.int16).astype(int)).max() > LOUD:
                self.loud += 1

    async def enter(self):
        token = api.AccessToken().with_identity("caller").with_grants(api.VideoGrants(room_join=True, room="shop"))
        await self.room.connect(os.environ["LIVEKIT_URL"], token.to_jwt())
        self.rate, self.question = spoken_question()
        source = rtc.AudioSource(self.rate, 1)
        options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)
        track = rtc.LocalAudioTrack.create_audio_track("microphone", source)
        await self.room.local_participant.publish_track(track, options)
        self.tasks.append(asyncio.ensure_future(self.speak(source)))

    async def speak(self, source):
        size = self.rate // 50
        while True:
            words = self.words[: 2 * size].ljust(2 * size, b"\0")
            self.words = self.words[2 * size :]
            await source.capture_frame(rtc.AudioFrame(words, self.rate, 1, size))

    def ask(self):
        self.words = self.question

    async def leave(self):
        for task in self.tasks:
            task.cancel()
        await self.room.disconnect()


async def check(caller):
    await until(lambda: caller.pictures > 25, "pictures of the face")
    await answers(caller, caller.ask)


async def main(folder):
    pathlib.Path(folder, "agent.py").write_text(program())
    log = pathlib.Path(folder, "log")
    with log.open("w") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "agent.py", "dev", "--no-reload"),
            cwd=folder,
            env=environment(await stand_ins()),
            stdout=output,
            stderr=output,
        )
    caller = Caller()
    try:
        await until(lambda: "registered worker" in log.read_text(), "the worker")
        await caller.enter()
        await check(caller)
    except BaseException:
        print(log.read_text(), file=sys.stderr)
        raise
    finally:
        await caller.leave()
        process.terminate()
        await process.wait()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(main(home))
