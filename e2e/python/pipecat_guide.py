"""Runs the program in the guide for Pipecat and calls it: sees the face, asks, hears the answer. Each check prints `ok NAME`.

PARLEY_TEST_URL, PARLEY_TEST_KEY: the service. PARLEY_TEST_GUIDE: the guide. PARLEY_TEST_QUESTION: a spoken question (WAV).
The program gets OPENAI_BASE_URL, and so talks to stand-ins here.
"""

import asyncio
import pathlib
import socket
import sys
import tempfile
from fractions import Fraction

import aiohttp
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError, MediaStreamTrack
from av import AudioFrame
from av.audio.resampler import AudioResampler
from guide_program import answers, environment, program, spoken_question, stand_ins, until

MAX_WAIT_S = 90
LOUD = 500
# Mean brightness; the transport shows black before there is a face.
BLACK = 30


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Microphone(MediaStreamTrack):
    """Silence, and the question once it is asked."""

    kind = "audio"

    def __init__(self):
        super().__init__()
        self.rate, self.question = spoken_question()
        self.words = b""
        self.pts = 0
        self.began = None

    def ask(self):
        self.words = self.question

    async def recv(self):
        now = asyncio.get_running_loop().time
        self.began = self.began or now()
        await asyncio.sleep(self.began + self.pts / self.rate - now())
        size = self.rate // 50
        frame = AudioFrame(format="s16", layout="mono", samples=size)
        frame.planes[0].update(self.words[: 2 * size].ljust(2 * size, b"\0"))
        self.words = self.words[2 * size :]
        frame.sample_rate, frame.pts, frame.time_base = self.rate, self.pts, Fraction(1, self.rate)
        self.pts += size
        return frame


class Caller:
    def __init__(self):
        self.pictures = 0
        self.size = None
        self.bright = 0
        self.loud = 0
        self.peer = RTCPeerConnection()
        self.microphone = Microphone()
        self.resampler = AudioResampler("s16", "mono", 48_000)
        self.peer.on("track", lambda track: asyncio.ensure_future(self.watch(track)))

    async def watch(self, track):
        while True:
            try:
                frame = await track.recv()
            except MediaStreamError:
                return
            if track.kind == "video":
                self.pictures += 1
                self.size = (frame.width, frame.height)
                self.bright = int(frame.to_ndarray(format="gray").mean())
            else:
                for piece in self.resampler.resample(frame):
                    if abs(piece.to_ndarray().astype(int)).max() > LOUD:
                        self.loud += 1

    async def call(self, url):
        self.peer.addTrack(self.microphone)
        self.peer.addTransceiver("video", direction="recvonly")
        await self.peer.setLocalDescription(await self.peer.createOffer())
        offer = {"sdp": self.peer.localDescription.sdp, "type": "offer"}
        async with aiohttp.ClientSession() as http, http.post(f"{url}/api/offer", json=offer) as response:
            assert response.status == 200, await response.text()
            answer = await response.json()
        await self.peer.setRemoteDescription(RTCSessionDescription(answer["sdp"], answer["type"]))


async def is_up(port, process):
    while True:
        assert process.returncode is None, "the program ended"
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            return writer.close()
        except OSError:
            await asyncio.sleep(0.2)


async def check(caller):
    await until(lambda: caller.pictures > 25 and caller.bright > BLACK, "pictures of the face")
    assert caller.size == (720, 480), caller.size
    await answers(caller, caller.microphone.ask)


async def main(folder):
    pathlib.Path(folder, "bot.py").write_text(program())
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "bot.py", "--host", "127.0.0.1", "--port", str(port)),
        cwd=folder,
        env=environment(await stand_ins()),
    )
    try:
        await asyncio.wait_for(is_up(port, process), MAX_WAIT_S)
        caller = Caller()
        await caller.call(f"http://127.0.0.1:{port}")
        await check(caller)
        await caller.peer.close()
    finally:
        process.terminate()
        await process.wait()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(main(home))
