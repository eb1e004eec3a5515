"""Talk with the AI personas of a Parley service."""

from . import ending, errors, events
from .agent_audio import AgentAudio
from .client import Client
from .errors import (
    ApiError,
    AuthenticationError,
    CapacityError,
    ForbiddenError,
    InvalidRequestError,
    LegacyTokenError,
    MediaBlockedError,
    NetworkError,
    NotFoundError,
    ParleyError,
    PersonaNotFoundError,
    ServiceError,
    SessionEndedError,
    TalkInterruptedError,
    TokenExpiredError,
    ToolError,
    UpdateRejectedError,
    UsageLimitError,
)
from .events import Event, Message
from .microphone import Microphone
from .pcm import AudioSource, Device, Pcm
from .persona import DirectorNotes, Persona, SessionOptions, VoiceDetection, VoiceGeneration
from .recorder import Recorder
from .session import Session
from .talk import TalkStream
from .transcript import Transcript
from .version import __version__

__all__ = [
    "AgentAudio",
    "ApiError",
    "AudioSource",
    "AuthenticationError",
    "CapacityError",
    "Client",
    "Device",
    "DirectorNotes",
    "Event",
    "ForbiddenError",
    "InvalidRequestError",
    "LegacyTokenError",
    "MediaBlockedError",
    "Message",
    "Microphone",
    "NetworkError",
    "NotFoundError",
    "ParleyError",
    "Pcm",
    "Persona",
    "PersonaNotFoundError",
    "Recorder",
    "ServiceError",
    "Session",
    "SessionEndedError",
    "SessionOptions",
    "TalkInterruptedError",
    "TalkStream",
    "TokenExpiredError",
    "ToolError",
    "Transcript",
    "UpdateRejectedError",
    "UsageLimitError",
    "VoiceDetection",
    "VoiceGeneration",
    "__version__",
    "ending",
    "errors",
    "events",
]
