"""What a session tells its program: one frozen dataclass for each event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Union

Role = Literal["user", "persona"]
Holder = Literal["nobody", "user", "persona", "both"]
ToolType = Literal["client", "server", "system"]


@dataclass(slots=True)
class Message:
    """What the user or the persona said in one turn. Grows while it is spoken."""

    id: str
    role: Role
    # The same for the user's words, the tool calls and the persona's answer of one turn.
    turn_id: str
    text: str = ""
    # Only for speech of a talk stream with utterances.
    utterances: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False
    finished: bool = False
    # Start of the message, ISO 8601.
    timestamp: str = ""


@dataclass(frozen=True, slots=True)
class SessionReady:
    """The persona sees and hears. Comes once."""


@dataclass(frozen=True, slots=True)
class SpeechText:
    """A part of a message: of the persona's, as it is heard; of the user's, all of it."""

    message_id: str
    # 0, 1, 2 … within a message.
    index: int
    text: str
    role: Role
    # The last part of the message; its text can be empty.
    final: bool
    interrupted: bool
    turn_id: str
    timestamp: str
    utterance_id: str | None = None
    cue: str | None = None


@dataclass(frozen=True, slots=True)
class MessageFinished:
    """A message is complete, or was interrupted."""

    message: Message


@dataclass(frozen=True, slots=True)
class ReasoningText:
    """A part of what a reasoning LLM thinks. It is never spoken."""

    message_id: str
    index: int
    text: str
    final: bool


@dataclass(frozen=True, slots=True)
class UserSpeechStarted:
    """Voice activity began, before any word is known."""

    turn_id: str
    timestamp: str


@dataclass(frozen=True, slots=True)
class UserSpeechEnded:
    turn_id: str
    timestamp: str


@dataclass(frozen=True, slots=True)
class FloorChanged:
    """Who speaks now."""

    holder: Holder


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool by the LLM."""

    id: str
    name: str
    type: ToolType
    # `rag` for knowledge, `webhook`; otherwise None.
    subtype: str | None
    arguments: Mapping[str, Any]
    turn_id: str
    timestamp_user_action: str


@dataclass(frozen=True, slots=True)
class ToolCallStarted:
    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolCallCompleted:
    call: ToolCall
    result: Any
    # Names of the files that a knowledge tool read.
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolCallFailed:
    call: ToolCall
    error: str


@dataclass(frozen=True, slots=True)
class Change:
    """A setting before and after an update; None: it was not set."""

    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class SettingsApplied:
    """An update took effect. Keys are dotted, for example `voiceDetectionOptions.endOfSpeechSensitivity`."""

    changed: Mapping[str, Change]


@dataclass(frozen=True, slots=True)
class CueApplied:
    """The face began to act a director's cue."""

    tag: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class TalkInterrupted:
    """A talk stream was cut: the rest of it is not spoken."""

    stream_id: str


@dataclass(frozen=True, slots=True)
class ServiceWarning:
    """Something did not work, and the session continues."""

    text: str


@dataclass(frozen=True, slots=True)
class Reconnecting:
    """Nothing arrives from the service. The session is kept, and the client tries to come back."""


@dataclass(frozen=True, slots=True)
class Reconnected:
    """Audio and video arrive again, after `seconds` without any."""

    seconds: float
    # Whether a fresh peer connection was necessary.
    fresh: bool


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The last event. reason: see `parley_client.ending`; text: a sentence for people."""

    reason: str
    text: str


Event = Union[
    SessionReady,
    SpeechText,
    MessageFinished,
    ReasoningText,
    UserSpeechStarted,
    UserSpeechEnded,
    FloorChanged,
    ToolCallStarted,
    ToolCallCompleted,
    ToolCallFailed,
    SettingsApplied,
    CueApplied,
    TalkInterrupted,
    ServiceWarning,
    Reconnecting,
    Reconnected,
    SessionEnded,
]
