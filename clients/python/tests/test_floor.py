from __future__ import annotations

from parley_client.events import FloorChanged, SpeechText, UserSpeechEnded, UserSpeechStarted
from parley_client.floor import Floor


def persona_says(text: str, *, final: bool = False) -> SpeechText:
    return SpeechText("m", 0, text, "persona", final, False, "t", "")


def test_the_floor_follows_both_speakers() -> None:
    floor = Floor()
    events = [
        UserSpeechStarted("t", ""),
        UserSpeechEnded("t", ""),
        persona_says("Hello"),
        UserSpeechStarted("u", ""),
        persona_says("", final=True),
        UserSpeechEnded("u", ""),
    ]
    changes = [floor.follow(event) for event in events]
    assert [change and change.holder for change in changes] == ["user", "nobody", "persona", "both", "user", "nobody"]


def test_nothing_is_told_when_nothing_changes() -> None:
    floor = Floor()
    assert floor.follow(persona_says("Hel")) == FloorChanged("persona")
    assert floor.follow(persona_says("lo")) is None


def test_the_users_words_come_when_the_user_has_finished() -> None:
    floor = Floor()
    assert floor.follow(SpeechText("m", 0, "Hi", "user", True, False, "t", "")) is None
