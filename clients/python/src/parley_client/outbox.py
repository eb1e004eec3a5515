"""Messages to the service that an outage may have taken."""

from __future__ import annotations

from collections import deque
from typing import Final

# More than anybody sends between two packets of the service.
_KEPT: Final = 500


class Outbox:
    """Remembers what was sent on the data channel of one peer connection, with its times in seconds."""

    def __init__(self) -> None:
        self._sent: deque[tuple[float, str]] = deque(maxlen=_KEPT)

    def sent(self, text: str, at: float) -> None:
        self._sent.append((at, text))

    def take_lost(self, heard_at: float) -> list[str]:
        """What was sent after the last sign of life of the service, oldest first; it is sent again once.

        Networks usually fail in both directions at once: what was sent before that sign has arrived.
        """
        lost = [text for at, text in self._sent if at > heard_at]
        self._sent.clear()
        return lost
