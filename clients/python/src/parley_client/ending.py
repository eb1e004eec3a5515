"""Why a session ended."""

from __future__ import annotations

from typing import Final

CLIENT_DISCONNECTED: Final = "client_disconnected"
CONNECTION_LOST: Final = "connection_lost"
# Another program took over this session with its id.
REPLACED: Final = "replaced"
# The service gave a text that this version does not know.
OTHER: Final = "other"

# The signaling carries only the text for people; the service documents one text for each reason.
_REASON_OF_TEXT: Final = {
    "The call was ended by the persona.": "end_call",
    "Session ended due to inactivity.": "user_inactivity",
    "Maximum session length reached.": "max_session_length",
    "Session was stopped.": "stopped_by_api",
    "Connection lost.": CONNECTION_LOST,
    "Session expired before it was connected.": "never_connected",
    "An internal error occurred.": "engine_error",
    "The service is shutting down.": "engine_shutdown",
    "Usage limit reached.": "usage_limit",
    "The meeting has ended.": "meeting_ended",
}


def reason_of(text: str) -> str:
    """The reason behind the text of `endsession`; `other` for an unknown text."""
    return _REASON_OF_TEXT.get(text, OTHER)
