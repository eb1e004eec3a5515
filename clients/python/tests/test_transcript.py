from __future__ import annotations

from parley_client.events import SpeechText
from parley_client.transcript import Transcript


def part(index: int, text: str, **changes: object) -> SpeechText:
    fields: dict[str, object] = {
        "message_id": "m1",
        "index": index,
        "text": text,
        "role": "persona",
        "final": False,
        "interrupted": False,
        "turn_id": "t1",
        "timestamp": "2026-01-01T00:00:00.000Z",
    }
    return SpeechText(**(fields | changes))  # type: ignore[arg-type]


def test_parts_are_joined_without_separators() -> None:
    transcript = Transcript()
    for one in (part(0, "We open"), part(1, " at nine."), part(2, "", final=True)):
        transcript.add(one)
    [message] = transcript
    assert (message.text, message.finished, message.interrupted) == ("We open at nine.", True, False)


def test_a_part_that_comes_again_after_an_outage_is_told_apart() -> None:
    transcript = Transcript()
    assert transcript.add(part(0, "Hello.")) is not None
    assert transcript.add(part(0, "Hello.")) is None
    assert [message.text for message in transcript] == ["Hello."]


def test_user_and_persona_may_share_an_id() -> None:
    transcript = Transcript()
    transcript.add(part(0, "Hi", role="user", final=True))
    transcript.add(part(0, "Hello", final=True))
    assert [(message.role, message.text) for message in transcript] == [("user", "Hi"), ("persona", "Hello")]


def test_an_interruption_stays() -> None:
    transcript = Transcript()
    transcript.add(part(0, "Once", interrupted=True))
    transcript.add(part(1, "", final=True))
    assert [message.interrupted for message in transcript] == [True]


def test_the_blank_before_an_utterance_belongs_to_the_message() -> None:
    transcript = Transcript()
    for one in (
        part(0, "Good", utterance_id="a"),
        part(1, " day.", utterance_id="a"),
        part(2, " How", utterance_id="b"),
        part(3, " are you?", utterance_id="b", final=True),
    ):
        transcript.add(one)
    [message] = transcript
    assert message.text == "Good day. How are you?"
    assert message.utterances == {"a": "Good day.", "b": "How are you?"}
