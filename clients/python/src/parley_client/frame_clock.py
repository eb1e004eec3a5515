"""One time line for all frames of a session."""

from __future__ import annotations

import time
from typing import Any


class FrameClock:
    """Gives frames times since the session began, in seconds, also when another peer connection delivers them.

    A track counts from its own first frame. That frame's arrival places the track on the time line of the session.
    """

    def __init__(self) -> None:
        self._began = time.monotonic()

    def track(self) -> FrameClockTrack:
        return FrameClockTrack(self._began)


class FrameClockTrack:
    """The frames of one track of one peer connection."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._offset: float | None = None

    def stamp(self, frame: Any) -> None:
        """Moves the frame's `pts` (and so `time`) to the time line of the session."""
        if frame.pts is None or frame.time_base is None:
            return
        if self._offset is None:
            self._offset = time.monotonic() - self._began - float(frame.pts * frame.time_base)
        frame.pts += round(self._offset / frame.time_base)
