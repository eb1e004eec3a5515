"""The service, from the side of a program."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final
from urllib.parse import urlencode

import aiohttp

from .persona import Persona, SessionOptions
from .rest import Rest, StartedSession
from .session import Session
from .tools import Toolbox
from .version import __version__

_CLIENT_NAME: Final = "parley-client-python"


class Client(Toolbox):
    """A Parley service.

    base_url: for example `https://talk.example.com`. api_key: for programs on a server. Without one, sessions start
    with a session token that such a program has made. Tools that are registered here are offered in every session.
    """

    def __init__(self, base_url: str, *, api_key: str | None = None) -> None:
        super().__init__()
        self.base_url = base_url
        self._api_key = api_key
        self._http: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        http, self._http = self._http, None
        if http is not None:
            await http.close()

    def session(
        self,
        persona: Persona | Mapping[str, Any] | None = None,
        *,
        persona_id: str | None = None,
        token: str | None = None,
        options: SessionOptions | None = None,
        audio_passthrough: bool = False,
        microphone: bool = True,
        client_label: str | None = None,
    ) -> Session:
        """A session with a persona of its own, with a saved persona, or with what a session token names.

        persona: a mapping has the field names of the HTTP API. options, audio_passthrough and tools are part of a
        token, so they cannot be given beside one. microphone: whether the program can speak to the persona. The tools
        of a saved persona are those that are attached to it; functions of the same names answer their calls.
        Raises ValueError for more or less than one of the three.
        """
        if sum(value is not None for value in (persona, persona_id, token)) != 1:
            raise ValueError("Give a persona, a persona_id or a token.")
        if token is not None and (options is not None or audio_passthrough):
            raise ValueError("The options of a session token are set when the token is made.")
        if token is None and self._api_key is None:
            raise ValueError("Without an API key, a session needs a token.")

        async def start(tools: Toolbox) -> tuple[aiohttp.ClientSession, StartedSession]:
            body: dict[str, Any] = {"clientMetadata": {"client": _CLIENT_NAME, "version": __version__}}
            if token is None:
                body |= _request(persona, persona_id, options, audio_passthrough, client_label, tools)
            http = self._open_http()
            started = await Rest(http, self.base_url).start_session(token or self._api_key or "", body)
            return http, started

        return Session(start, self, microphone=microphone)

    async def create_session_token(
        self,
        persona: Persona | Mapping[str, Any] | None = None,
        *,
        persona_id: str | None = None,
        options: SessionOptions | None = None,
        audio_passthrough: bool = False,
        client_label: str | None = None,
        expires_in: int | None = None,
    ) -> str:
        """A token with which a browser or another program can start sessions. expires_in: 60 to 86,400 seconds.

        Raises ApiError, NetworkError.
        """
        body = _request(persona, persona_id, options, audio_passthrough, client_label, self)
        if expires_in is not None:
            body["expiresIn"] = expires_in
        answer = await self.request("POST", "/v1/auth/session-token", body)
        return str(answer["sessionToken"])

    async def personas(self, search: str | None = None) -> list[dict[str, Any]]:
        """Saved personas, at most 100, newest first. search: a part of the name."""
        query = {"perPage": "100"} | ({} if search is None else {"search": search})
        answer = await self.request("GET", "/v1/personas?" + urlencode(query))
        return list(answer["data"])

    async def request(self, method: str, path: str, body: object | None = None) -> Any:
        """Any route of the HTTP API, for example `await client.request("GET", "/v1/avatars")`.

        Raises ApiError for a status from 400 on, NetworkError.
        """
        return await Rest(self._open_http(), self.base_url).request(method, path, self._api_key, body)

    def _open_http(self) -> aiohttp.ClientSession:
        if self._http is None:
            self._http = aiohttp.ClientSession()
        return self._http


def _request(
    persona: Persona | Mapping[str, Any] | None,
    persona_id: str | None,
    options: SessionOptions | None,
    audio_passthrough: bool,
    client_label: str | None,
    tools: Toolbox,
) -> dict[str, Any]:
    config: dict[str, Any]
    if persona is None:
        config = {"personaId": persona_id}
    else:
        config = persona.to_wire() if isinstance(persona, Persona) else dict(persona)
        inline = [tool.inline() for tool in tools]
        if inline:
            config["tools"] = [*config.get("tools", []), *inline]
    if audio_passthrough:
        config["enableAudioPassthrough"] = True
    body: dict[str, Any] = {"personaConfig": config}
    if options is not None:
        body["sessionOptions"] = options.to_wire()
    if client_label is not None:
        body["clientLabel"] = client_label
    return body
