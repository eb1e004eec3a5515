"""The HTTP API, as far as a conversation needs it. Everything else: `Client.request`."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import aiohttp

from .errors import NetworkError, ServiceError, api_error
from .version import __version__

_log = logging.getLogger(__name__)

_TIMEOUT_S: Final = 10.0
# Starting a session is tried again when the service did not answer or failed: 0.25 s, 0.5 s later, with some chance so
# that many clients do not come at the same moment.
_ATTEMPTS: Final = 3
_FIRST_DELAY_S: Final = 0.25
_DEFAULT_HEARTBEAT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class StartedSession:
    """The service's answer to the start of a session."""

    session_id: str
    signaling_url: str
    heartbeat_s: float
    ice_servers: tuple[dict[str, Any], ...]
    region: str | None


def started_session(answer: Mapping[str, Any]) -> StartedSession:
    """Reads the answer. Raises KeyError for an answer that is not the service's."""
    config = answer.get("clientConfig") or {}
    scheme = "wss" if answer.get("engineProtocol") == "https" else "ws"
    host = str(answer["engineHost"]).split("/", 1)[0]
    path = answer.get("signallingEndpoint") or "/ws"
    session_id = str(answer["sessionId"])
    return StartedSession(
        session_id=session_id,
        signaling_url=f"{scheme}://{host}{path}?session_id={session_id}",
        heartbeat_s=float(config.get("heartbeatIntervalSeconds") or _DEFAULT_HEARTBEAT_S),
        ice_servers=tuple(config.get("iceServers") or ()),
        region=answer.get("region"),
    )


class Rest:
    def __init__(self, http: aiohttp.ClientSession, base_url: str) -> None:
        self._http = http
        self._base_url = base_url.rstrip("/")

    async def request(self, method: str, path: str, token: str | None, body: object | None = None) -> Any:
        """The parsed answer; None when it is empty. Raises NetworkError, or ApiError for a status from 400 on."""
        headers = {"user-agent": f"parley-client/{__version__}"}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        try:
            async with self._http.request(
                method,
                self._base_url + path,
                headers=headers,
                json=body,
                timeout=aiohttp.ClientTimeout(total=_TIMEOUT_S),
            ) as response:
                text = await response.text()
                status = response.status
        except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
            raise NetworkError(f"{self._base_url} did not answer: {error or type(error).__name__}") from error
        try:
            answer = json.loads(text) if text else None
        except ValueError:
            answer = None
        if status >= 400:
            raise api_error(status, answer)
        return answer

    async def start_session(self, token: str, body: object) -> StartedSession:
        """Starts a session. token: a session token or an API key. Tried again when the service does not answer."""
        delay = _FIRST_DELAY_S
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                answer = await self.request("POST", "/v1/engine/session", token, body)
                return started_session(answer)
            except (NetworkError, ServiceError) as error:
                if attempt == _ATTEMPTS:
                    raise
                _log.info("the session did not start, next attempt in %.2f s: %s", delay, error)
            except (KeyError, TypeError, AttributeError) as error:
                raise NetworkError("The answer to the start of a session is not that of a Parley service.") from error
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))
            delay *= 2
        raise AssertionError("unreachable")
