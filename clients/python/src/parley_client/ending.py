"""Why a session ended."""

from __future__ import annotations

from typing import Final

CLIENT_DISCONNECTED: Final = "client_disconnected"
CONNECTION_LOST: Final = "connection_lost"
# Another program took over this session with its id.
REPLACED: Final = "replaced"
# The service gave a code that this version does not know.
OTHER: Final = "other"

# The codes that the service sends beside the text for people.
SERVICE_REASONS: Final = frozenset(
    {
        "end_call",
        "user_inactivity",
        "max_session_length",
        "stopped_by_api",
        "share_link_withdrawn",
        "usage_limit",
        "engine_shutdown",
        "engine_error",
        "meeting_ended",
        "never_connected",
        CONNECTION_LOST,
        CLIENT_DISCONNECTED,
    }
)


def reason_of(code: object) -> str:
    """The reason for a code of `endsession`; `other` for an unknown one."""
    return code if isinstance(code, str) and code in SERVICE_REASONS else OTHER
