from __future__ import annotations

import json

import pytest

from parley_client import Session, TalkInterruptedError
from parley_client.tools import Toolbox


async def never_starts(tools: Toolbox) -> None:
    raise AssertionError("There is no service.")


def part(index: int, text: str, *, last: bool = False) -> str:
    """Of the message of a stream, as the data channel has it: the last one says that it was interrupted."""
    data = {
        "message_id": "m",
        "content_index": index,
        "content": text,
        "role": "persona",
        "end_of_speech": last,
        "interrupted": last,
        "user_action_correlation_id": "talk-1",
    }
    return json.dumps({"messageType": "speechText", "data": data})


async def test_a_stream_takes_no_more_text_when_its_message_was_interrupted() -> None:
    """It did until the socket had said so, too, which may be later than the data channel."""
    session = Session(never_starts, Toolbox(), microphone=False)  # type: ignore[arg-type]
    stream = session.talk_stream("talk-1")
    session._feed.message(part(0, "Once upon"))
    assert not stream.interrupted
    session._feed.message(part(1, " a", last=True))
    assert (await stream.spoken()).text == "Once upon a"
    with pytest.raises(TalkInterruptedError):
        await stream.send("too late")
