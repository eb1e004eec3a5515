"""One WebRTC peer connection. After an outage, a fresh one takes the place of the old."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from aiortc import RTCConfiguration, RTCIceServer, RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError, MediaStreamTrack
from aiortc.sdp import candidate_from_sdp

_log = logging.getLogger(__name__)

Kind = Literal["audio", "video"]

_CLOSE_TIMEOUT_S: Final = 3.0


class Peer:
    """on_frame: gets each decoded frame of the service. on_message: gets each text of the data channel."""

    def __init__(
        self,
        ice_servers: Sequence[dict[str, Any]],
        microphone: MediaStreamTrack | None,
        on_frame: Callable[[Kind, Any], None],
        on_message: Callable[[str], None],
    ) -> None:
        servers = [
            RTCIceServer(urls=server["urls"], username=server.get("username"), credential=server.get("credential"))
            for server in ice_servers
        ]
        self._pc = RTCPeerConnection(RTCConfiguration(iceServers=servers))
        self._microphone = microphone
        self._on_frame = on_frame
        self._readers: list[asyncio.Task[None]] = []
        self.connected = asyncio.Event()
        self.channel_open = asyncio.Event()
        self._channel = self._pc.createDataChannel("session")
        self._channel.on("open", self.channel_open.set)
        self._channel.on("message", lambda message: on_message(message) if isinstance(message, str) else None)
        self._pc.addTransceiver("video", direction="recvonly")
        if microphone is None:
            self._pc.addTransceiver("audio", direction="recvonly")
        else:
            self._pc.addTransceiver(microphone, direction="sendrecv")
        self._pc.on("track", self._track)
        self._pc.on("connectionstatechange", self._state_changed)

    async def offer(self) -> str:
        """The offer's SDP, with all candidates."""
        await self._pc.setLocalDescription(await self._pc.createOffer())
        return str(self._pc.localDescription.sdp)

    async def accept(self, answer: str) -> None:
        await self._pc.setRemoteDescription(RTCSessionDescription(sdp=answer, type="answer"))

    async def add_candidate(self, candidate: dict[str, Any]) -> None:
        text = str(candidate.get("candidate") or "")
        if not text.startswith("candidate:"):
            return
        parsed = candidate_from_sdp(text.removeprefix("candidate:"))
        parsed.sdpMid = candidate.get("sdpMid")
        parsed.sdpMLineIndex = candidate.get("sdpMLineIndex")
        await self._pc.addIceCandidate(parsed)

    def send(self, text: str) -> None:
        self._channel.send(text)

    async def close(self) -> None:
        """Tells the service goodbye, where it can be reached, and frees everything."""
        if self._microphone is not None:
            self._microphone.stop()
        for reader in self._readers:
            reader.cancel()
        try:
            await asyncio.wait_for(self._pc.close(), _CLOSE_TIMEOUT_S)
        except (asyncio.TimeoutError, ConnectionError, OSError) as error:
            _log.debug("a peer connection did not close: %r", error)

    def _state_changed(self) -> None:
        if self._pc.connectionState == "connected":
            self.connected.set()

    def _track(self, track: MediaStreamTrack) -> None:
        # Read always: aiortc keeps every frame that nobody reads.
        self._readers.append(asyncio.create_task(self._read(track), name=f"parley {track.kind}"))

    async def _read(self, track: MediaStreamTrack) -> None:
        try:
            while True:
                self._on_frame(track.kind, await track.recv())
        except MediaStreamError:
            _log.debug("the %s track has ended", track.kind)
