"""The messages of a conversation, put together from their parts."""

from __future__ import annotations

from collections.abc import Iterator

from .events import Message, Role, SpeechText


class Transcript:
    """All messages of a session in the order in which they began."""

    def __init__(self) -> None:
        self._messages: dict[tuple[Role, str], Message] = {}
        self._seen: set[tuple[Role, str, int]] = set()

    def __iter__(self) -> Iterator[Message]:
        return iter(list(self._messages.values()))

    def __len__(self) -> int:
        return len(self._messages)

    def add(self, part: SpeechText) -> Message | None:
        """The message that grew; None for a part that was there already (after an outage, parts can come twice)."""
        place = (part.role, part.message_id, part.index)
        if place in self._seen:
            return None
        self._seen.add(place)
        key = (part.role, part.message_id)
        message = self._messages.get(key)
        if message is None:
            message = Message(part.message_id, part.role, part.turn_id, timestamp=part.timestamp)
            self._messages[key] = message
        message.text += part.text
        message.interrupted = message.interrupted or part.interrupted
        message.finished = message.finished or part.final
        if part.utterance_id is not None:
            self._add_utterance(message, part.utterance_id, part.text)
        return message

    @staticmethod
    def _add_utterance(message: Message, utterance_id: str, text: str) -> None:
        # Later utterances begin with one blank that joins them to the text before.
        first_part = utterance_id not in message.utterances
        if first_part and message.utterances:
            text = text.removeprefix(" ")
        message.utterances[utterance_id] = message.utterances.get(utterance_id, "") + text
