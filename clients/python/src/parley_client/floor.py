"""Who speaks now."""

from __future__ import annotations

from .events import Event, FloorChanged, Holder, SpeechText, UserSpeechEnded, UserSpeechStarted


class Floor:
    """Follows the events of a session. The persona speaks from the first to the last part of its message."""

    def __init__(self) -> None:
        self._speakers: frozenset[str] = frozenset()

    @property
    def holder(self) -> Holder:
        match sorted(self._speakers):
            case ["persona"]:
                return "persona"
            case ["user"]:
                return "user"
            case []:
                return "nobody"
            case _:
                return "both"

    def follow(self, event: Event) -> FloorChanged | None:
        """The change that the event makes; None for none."""
        before = self.holder
        if isinstance(event, UserSpeechStarted):
            self._speakers |= {"user"}
        elif isinstance(event, UserSpeechEnded):
            self._speakers -= {"user"}
        elif isinstance(event, SpeechText) and event.role == "persona":
            self._speakers = self._speakers - {"persona"} if event.final else self._speakers | {"persona"}
        return None if self.holder == before else FloorChanged(self.holder)
