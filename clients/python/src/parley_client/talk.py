"""Text that the persona speaks as it is, without the LLM."""

from __future__ import annotations

import uuid
from types import TracebackType
from typing import TYPE_CHECKING

from .errors import SessionEndedError, TalkInterruptedError
from .events import Message, MessageFinished, SessionEnded, TalkInterrupted

if TYPE_CHECKING:
    from .session import Session


class TalkStream:
    """A speech that is sent in parts, for example as an LLM writes it. `async with` ends it.

    The service ends a stream that gets no text for 15 s.
    """

    def __init__(self, session: Session, stream_id: str | None = None) -> None:
        self._session = session
        self.id = stream_id or str(uuid.uuid4())
        self._utterance_id: str | None = None
        self._begun = False
        self._complete = False

    async def __aenter__(self) -> TalkStream:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, SessionEndedError):
            await self.end()

    @property
    def interrupted(self) -> bool:
        return self._session.was_interrupted(self.id)

    async def send(self, text: str, *, new_utterance: bool = False) -> None:
        """Adds text. new_utterance: it begins an utterance of its own, which `Message.utterances` then tells apart.

        Raises TalkInterruptedError when the user or the program interrupted the stream, SessionEndedError.
        """
        if self.interrupted:
            raise TalkInterruptedError("The talk stream was interrupted.")
        if self._complete:
            raise ValueError("The talk stream has ended.")
        if text == "":
            return
        if new_utterance:
            self._utterance_id = str(uuid.uuid4())
        begins, self._begun = not self._begun, True
        await self._chunk(text, starts=begins, ends=False, utterance_id=self._utterance_id if new_utterance else None)

    async def end(self) -> None:
        """Says that no more text comes. Repeated calls do nothing."""
        if self._complete or not self._begun:
            self._complete = True
            return
        self._complete = True
        if not self.interrupted:
            await self._chunk("", starts=False, ends=True, utterance_id=self._utterance_id)

    async def spoken(self) -> Message:
        """Waits until the last word was heard, or the speech was interrupted (`Message.interrupted`).

        Raises TalkInterruptedError when it was interrupted before its first word, SessionEndedError.
        """
        async with self._session.events() as events:
            if (message := self._message()) is not None and message.finished:
                return message
            if self.interrupted and message is None:
                raise TalkInterruptedError("The talk stream was interrupted before its first word.")
            async for event in events:
                if isinstance(event, MessageFinished) and event.message.turn_id == self.id:
                    return event.message
                if isinstance(event, TalkInterrupted) and event.stream_id == self.id and self._message() is None:
                    raise TalkInterruptedError("The talk stream was interrupted before its first word.")
                if isinstance(event, SessionEnded):
                    raise SessionEndedError(event.reason, event.text)
        raise AssertionError("a session ends with SessionEnded")

    def _message(self) -> Message | None:
        return next((message for message in self._session.transcript if message.turn_id == self.id), None)

    async def _chunk(self, text: str, *, starts: bool, ends: bool, utterance_id: str | None) -> None:
        payload = {"content": text, "startOfSpeech": starts, "endOfSpeech": ends, "correlationId": self.id}
        if utterance_id is not None:
            payload["utteranceId"] = utterance_id
        await self._session.signal("talkstream", payload)
