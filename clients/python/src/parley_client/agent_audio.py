"""Speech that the program makes itself: the persona's face speaks it (audio passthrough)."""

from __future__ import annotations

import base64
from types import TracebackType
from typing import TYPE_CHECKING, Final

import numpy as np

from .pcm import Samples

if TYPE_CHECKING:
    from .session import Session

# The service takes 8 to 48 kHz.
_RATES: Final = range(8_000, 48_001)
# Far below the 1 MiB that one message may have, and some 0.7 s at 24 kHz.
_CHUNK_BYTES: Final = 32 * 1024


class AgentAudio:
    """Sequences of speech. `async with` ends the last one.

    The face begins to move once 0.8 s have arrived or the sequence has ended. Audio may be sent faster than it is
    spoken. `Session.interrupt` drops what was not spoken yet.
    """

    def __init__(self, session: Session, sample_rate: int, channels: int) -> None:
        if sample_rate not in _RATES or channels not in (1, 2):
            raise ValueError("Agent audio has 8,000 to 48,000 Hz and one or two channels.")
        self._session = session
        self._sample_rate = sample_rate
        self._channels = channels
        self._rest = b""
        self._number = 0

    async def __aenter__(self) -> AgentAudio:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            await self.end()

    async def send(self, pcm: bytes | Samples) -> None:
        """Adds 16-bit little-endian samples; channels are interleaved. Raises SessionEndedError."""
        data = self._rest + (pcm if isinstance(pcm, bytes) else np.asarray(pcm, dtype="<i2").tobytes())
        frame_bytes = 2 * self._channels
        whole = len(data) - len(data) % frame_bytes
        self._rest = data[whole:]
        for start in range(0, whole, _CHUNK_BYTES):
            chunk = data[start : min(start + _CHUNK_BYTES, whole)]
            number, self._number = self._number, self._number + 1
            await self._session.signal(
                "agentaudioinput",
                {
                    "audioData": base64.b64encode(chunk).decode("ascii"),
                    "encoding": "pcm_s16le",
                    "sampleRate": self._sample_rate,
                    "channels": self._channels,
                    "sequenceNumber": number,
                },
            )

    async def end(self) -> None:
        """Ends the sequence: the face settles after its last sample. The next `send` begins another one."""
        self._rest = b""
        if self._number > 0:
            self._number = 0
            await self._session.signal("agentaudioinputend", {})
