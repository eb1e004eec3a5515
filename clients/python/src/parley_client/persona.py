"""Who the user talks to, and how: the fields of the HTTP API in Python's spelling."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


class _Wire:
    """A dataclass whose fields that are set go to the service under their camel-case names."""

    def to_wire(self) -> dict[str, Any]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            _camel(name): value.to_wire() if isinstance(value, _Wire) else value
            for name, value in values.items()
            if value is not None
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceDetection(_Wire):
    """When it is whose turn. Seconds; the service's reference names each range."""

    end_of_speech_sensitivity: float | None = None
    silence_before_skip_turn_seconds: float | None = None
    silence_before_session_end_seconds: float | None = None
    silence_before_auto_end_turn_seconds: float | None = None
    speech_enhancement_level: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceGeneration(_Wire):
    """How the persona speaks. Which fields count depends on the voice."""

    speed: float | None = None
    volume: float | None = None
    stability: float | None = None
    similarity_boost: float | None = None
    style: float | None = None
    emotion: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorNotes(_Wire):
    """How the face acts, on avatar models that can."""

    preset_style: str | None = None
    custom_style_prompt: str | None = None
    # 0 to 1.
    expressivity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona(_Wire):
    """A persona that is made for one session. Only `avatar_id` is required."""

    avatar_id: str
    name: str | None = None
    avatar_model: Literal["cara-2", "cara-3", "cara-4", "cara-4-latest"] | None = None
    voice_id: str | None = None
    llm_id: str | None = None
    system_prompt: str | None = None
    initial_message: str | None = None
    skip_greeting: bool | None = None
    uninterruptible_greeting: bool | None = None
    language_code: str | None = None
    max_session_length_seconds: float | None = None
    voice_detection_options: VoiceDetection | None = None
    voice_generation_options: VoiceGeneration | None = None
    director_notes: DirectorNotes | None = None
    tool_ids: list[str] | None = None
    enable_audio_passthrough: bool | None = None
    zero_data_retention: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOptions:
    """How one session runs, whatever its persona.

    video_size: width and height that the avatar's model offers. show_ai_avatar_disclosure: a label in every frame
    says that the person is an AI avatar. record: whether the service keeps a recording.
    """

    video_quality: Literal["auto", "high"] | None = None
    video_size: tuple[int, int] | None = None
    show_ai_avatar_disclosure: bool | None = None
    record: bool | None = None
    region: str | None = None
    region_policy: Literal["preferred", "strict"] | None = None

    def to_wire(self) -> dict[str, Any]:
        width, height = self.video_size or (None, None)
        values = {
            "videoQuality": self.video_quality,
            "videoWidth": width,
            "videoHeight": height,
            # The service spells this one with two capitals.
            "showAIAvatarDisclosure": self.show_ai_avatar_disclosure,
            "sessionReplay": None if self.record is None else {"enableSessionReplay": self.record},
            "region": self.region,
            "regionPolicy": self.region_policy,
        }
        return {name: value for name, value in values.items() if value is not None}
