"""From a message of the data channel to an event."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from .events import (
    Change,
    CueApplied,
    Event,
    ReasoningText,
    SettingsApplied,
    SpeechText,
    ToolCall,
    ToolCallCompleted,
    ToolCallFailed,
    ToolCallStarted,
    UserSpeechEnded,
    UserSpeechStarted,
)

Data = Mapping[str, Any]


def _turn(data: Data) -> str:
    return str(data.get("user_action_correlation_id") or data.get("correlationId") or "")


def _time(data: Data) -> str:
    return str(data.get("timestamp") or "")


def _speech_text(data: Data) -> SpeechText:
    return SpeechText(
        message_id=str(data["message_id"]),
        index=int(data["content_index"]),
        text=str(data["content"]),
        role="user" if data["role"] == "user" else "persona",
        final=bool(data["end_of_speech"]),
        interrupted=bool(data.get("interrupted")),
        turn_id=_turn(data),
        timestamp=_time(data),
        utterance_id=data.get("utterance_id"),
        cue=data.get("cue_tag"),
    )


def _reasoning_text(data: Data) -> ReasoningText:
    return ReasoningText(
        message_id=str(data["message_id"]),
        index=int(data["content_index"]),
        text=str(data["content"]),
        final=bool(data["end_of_thought"]),
    )


def _call(data: Data) -> ToolCall:
    return ToolCall(
        id=str(data["tool_call_id"]),
        name=str(data["tool_name"]),
        type=data["tool_type"],
        subtype=data.get("tool_subtype"),
        arguments=dict(data.get("arguments") or {}),
        turn_id=_turn(data),
        timestamp_user_action=str(data.get("timestamp_user_action") or ""),
    )


def _completed(data: Data) -> ToolCallCompleted:
    documents = tuple(str(name) for name in data.get("documents_accessed") or ())
    return ToolCallCompleted(_call(data), data.get("result"), documents)


def _settings_applied(data: Data) -> SettingsApplied:
    fields = data.get("changed_fields") or {}
    return SettingsApplied(
        {path: Change(change.get("before"), change.get("after")) for path, change in fields.items()}
    )


_PARSERS: dict[str, Callable[[Data], Event]] = {
    "speechText": _speech_text,
    "reasoningText": _reasoning_text,
    "userSpeechStarted": lambda data: UserSpeechStarted(_turn(data), _time(data)),
    "userSpeechEnded": lambda data: UserSpeechEnded(_turn(data), _time(data)),
    "toolCallStarted": lambda data: ToolCallStarted(_call(data)),
    "toolCallCompleted": _completed,
    "toolCallFailed": lambda data: ToolCallFailed(_call(data), str(data.get("error_message") or "")),
    "personaConfigUpdateApplied": _settings_applied,
    "directorNoteCueApplied": lambda data: CueApplied(str(data["cue_tag"]), _turn(data)),
}


def parse_message(text: str) -> tuple[Event, str | None] | None:
    """The event in a message, with the id under which the service may repeat it; None when there is no known event.

    A newer service may send other messages, so that what is not understood is no error.
    """
    try:
        envelope = json.loads(text)
        parser = _PARSERS.get(envelope["messageType"])
        data = envelope["data"]
        return None if parser is None else (parser(data), data.get("event_uid"))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
