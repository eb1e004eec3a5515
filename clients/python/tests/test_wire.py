"""What client and service must both know, compared with the document that is made from the service's code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from parley_client.ending import SERVICE_REASONS
from parley_client.parse_message import parse_message

WIRE = json.loads((Path(__file__).resolve().parents[3] / "docs/reference/wire.json").read_text())

# Fields that this client does not pass on: the session and the kind of a message are known.
UNUSED: dict[str, set[str]] = {
    "speechText": {"correlationId"},
    "reasoningText": set(),
    "userSpeechStarted": {"session_id"},
    "userSpeechEnded": {"session_id"},
    "toolCallStarted": {"session_id", "timestamp"},
    "toolCallCompleted": {"session_id", "timestamp"},
    "toolCallFailed": {"session_id", "timestamp"},
    "personaConfigUpdateApplied": {"session_id"},
    "directorNoteCueApplied": {"session_id", "timestamp_user_action"},
}


def fields_of(kind: str) -> dict[str, Any]:
    """The fields of a message that have more than one possible value, with their JSON Schema."""
    messages = {option["properties"]["messageType"]["const"]: option for option in WIRE["serverMessages"]["oneOf"]}
    fields: dict[str, Any] = messages[kind]["properties"]["data"]["properties"]
    return {name: field for name, field in fields.items() if "const" not in field}


def another(field: dict[str, Any], value: Any) -> Any:
    values = field.get("anyOf", [field])[0].get("enum")
    if values is not None:
        return next(one for one in values if one != value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return f"{value} and more"
    if isinstance(value, list):
        return [*value, "more"]
    return {**value, "more": {"before": 1, "after": 2}}


@pytest.mark.parametrize("example", WIRE["examples"], ids=lambda example: str(example["messageType"]))
def test_every_field_of_a_message_is_read(example: dict[str, Any]) -> None:
    def parsed(data: dict[str, Any]) -> object:
        event = parse_message(json.dumps({**example, "data": data}))
        assert event is not None
        return event

    kind, data = example["messageType"], example["data"]
    unread = {
        name for name, field in fields_of(kind).items() if parsed({**data, name: another(field, data[name])}) == parsed(data)
    }
    assert unread == UNUSED[kind]


def test_the_reasons_of_an_end_are_those_of_the_service() -> None:
    assert SERVICE_REASONS == set(WIRE["endReasons"])
