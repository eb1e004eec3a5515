from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest

from parley_client import Message, Session
from parley_client.connection import Connection
from parley_client.rest import StartedSession
from parley_client.tools import Toolbox


class Line:
    """Takes everything."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send(self, text: str) -> None:
        self.sent.append(json.loads(text)["message_type"])


class Conversation:
    """A session whose service is played by the test."""

    def __init__(self) -> None:
        self.line = Line()
        self.session = Session(cast(Any, None), Toolbox(), microphone=False)
        self.session._connection = cast(Connection, self.line)
        self.session._started = StartedSession("s", "ws://127.0.0.1:9/ws", 5, (), None)

    async def asking(self, question: str) -> asyncio.Future[Message]:
        """Once the question was sent."""
        answer = asyncio.ensure_future(self.session.ask(question))
        while "speech" not in self.line.sent:
            await asyncio.sleep(0)
        return answer

    def says(self, turn: str, text: str, *, interrupted: bool = False) -> None:
        """The persona, a whole message."""
        data = {
            "message_id": turn,
            "content_index": 0,
            "content": text,
            "role": "persona",
            "end_of_speech": True,
            "interrupted": interrupted,
            "user_action_correlation_id": turn,
        }
        self.session._feed.message(json.dumps({"messageType": "speechText", "data": data}))


@pytest.fixture
def conversation() -> Conversation:
    return Conversation()


async def test_a_greeting_that_the_question_cuts_is_no_answer(conversation: Conversation) -> None:
    """Right after the start, the greeting may begin before the question arrives, and was taken for the answer."""
    answer = await conversation.asking("What is your name?")
    conversation.says("greeting", "Hello", interrupted=True)
    # `ask` gets to look at it before the next message.
    for _ in range(10):
        await asyncio.sleep(0)
    conversation.says("answer", "My name is Ada.")
    assert (await answer).text == "My name is Ada."


async def test_an_answer_that_is_cut_is_the_answer_as_far_as_it_was_heard(conversation: Conversation) -> None:
    answer = await conversation.asking("Tell me a story.")
    await conversation.session.interrupt()
    conversation.says("answer", "Once upon", interrupted=True)
    assert (await answer).text == "Once upon"


async def test_an_answer_that_the_user_interrupts_is_the_answer_as_far_as_it_was_heard(
    conversation: Conversation,
) -> None:
    answer = await conversation.asking("Tell me a story.")
    started = {"messageType": "userSpeechStarted", "data": {"user_action_correlation_id": "t", "timestamp": ""}}
    conversation.session._feed.message(json.dumps(started))
    conversation.says("answer", "Once upon", interrupted=True)
    assert (await answer).text == "Once upon"
