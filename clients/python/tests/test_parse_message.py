from __future__ import annotations

import json
from typing import Any

import pytest

from parley_client.events import (
    Change,
    CueApplied,
    ReasoningText,
    SettingsApplied,
    SpeechText,
    ToolCall,
    ToolCallCompleted,
    ToolCallFailed,
    ToolCallStarted,
    UserSpeechStarted,
)
from parley_client.parse_message import parse_message

CALL = {
    "event_uid": "e1",
    "tool_call_id": "fc_1",
    "tool_name": "search",
    "tool_type": "server",
    "tool_subtype": "rag",
    "arguments": {"query": "hours"},
    "timestamp": "2026-01-01T00:00:01.000Z",
    "timestamp_user_action": "2026-01-01T00:00:00.000Z",
    "user_action_correlation_id": "t1",
}
PARSED_CALL = ToolCall("fc_1", "search", "server", "rag", {"query": "hours"}, "t1", "2026-01-01T00:00:00.000Z")


def parsed(message_type: str, **data: Any) -> Any:
    result = parse_message(json.dumps({"messageType": message_type, "data": data}))
    return None if result is None else result[0]


def test_messages_become_events() -> None:
    speech = {
        "message_id": "m1",
        "content_index": 1,
        "content": " at nine.",
        "role": "persona",
        "end_of_speech": False,
        "interrupted": False,
        "user_action_correlation_id": "t1",
        "timestamp": "now",
        "cue_tag": "happy",
    }
    assert parsed("speechText", **speech) == SpeechText(
        "m1", 1, " at nine.", "persona", False, False, "t1", "now", cue="happy"
    )
    assert parsed(
        "reasoningText", message_id="m1", content_index=0, content="Hm", role="persona", end_of_thought=True
    ) == ReasoningText("m1", 0, "Hm", True)
    assert parsed("userSpeechStarted", user_action_correlation_id="t1", timestamp="now") == UserSpeechStarted("t1", "now")
    assert parsed("toolCallStarted", **CALL) == ToolCallStarted(PARSED_CALL)
    assert parsed("toolCallCompleted", **CALL, result="nine", documents_accessed=["faq.pdf"]) == ToolCallCompleted(
        PARSED_CALL, "nine", ("faq.pdf",)
    )
    assert parsed("toolCallFailed", **CALL, error_message="no answer") == ToolCallFailed(PARSED_CALL, "no answer")
    assert parsed(
        "personaConfigUpdateApplied", changed_fields={"languageCode": {"before": None, "after": "de"}}
    ) == SettingsApplied({"languageCode": Change(None, "de")})
    assert parsed("directorNoteCueApplied", cue_tag="happy", user_action_correlation_id="t1") == CueApplied("happy", "t1")


def test_an_event_that_may_be_repeated_has_its_id() -> None:
    result = parse_message(json.dumps({"messageType": "toolCallStarted", "data": CALL}))
    assert result is not None and result[1] == "e1"


@pytest.mark.parametrize(
    "text",
    [
        "not JSON",
        "7",
        "[]",
        "{}",
        '{"messageType": "speechText", "data": null}',
        '{"messageType": "speechText", "data": {"message_id": "m1"}}',
        '{"messageType": "speechText", "data": {"message_id": "m1", "content_index": "x"}}',
        '{"messageType": "personaConfigUpdateApplied", "data": {"changed_fields": [1]}}',
        '{"messageType": "ofANewerService", "data": {}}',
    ],
)
def test_what_is_not_understood_is_ignored(text: str) -> None:
    assert parse_message(text) is None
