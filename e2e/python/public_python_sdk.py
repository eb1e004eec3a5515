"""Conversations through the hosted service's Python SDK as PyPI has it. Each check prints `ok NAME`. `slow`: those that wait.

PARLEY_TEST_URL, PARLEY_TEST_KEY, PARLEY_TEST_AVATAR, PARLEY_TEST_QUESTION (a WAV of 16 bits, mono) say with what.
"""

import asyncio
import itertools
import math
import os
import struct
import sys
import wave

import aiohttp
from anam import AnamClient, AnamEvent, AgentAudioInputConfig, ClientOptions, PersonaConfig, SessionOptions
from anam.errors import AnamError, AuthenticationError, ErrorCode, SessionError

URL = os.environ["PARLEY_TEST_URL"]
KEY = os.environ["PARLEY_TEST_KEY"]
AVATAR = os.environ["PARLEY_TEST_AVATAR"]
MAX_WAIT_S = 45
MIN_TOKEN_S = 60
LOUD = 500


def client(key=KEY, **persona):
    config = PersonaConfig(avatar_id=AVATAR, name="Ada", system_prompt="You are Ada.", **persona)
    return AnamClient(api_key=key, persona_config=config, options=ClientOptions(api_base_url=URL))


async def until(condition, what):
    for _ in range(MAX_WAIT_S * 20):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never: {what}")


class Ears:
    """Takes all frames, and keeps when the sound was last loud."""

    def __init__(self, session):
        self.loud = 0
        self.pictures = 0
        self.tasks = [asyncio.create_task(self._listen(session)), asyncio.create_task(self._watch(session))]

    async def _listen(self, session):
        async for frame in session.audio_frames():
            if abs(frame.to_ndarray()).max() > LOUD:
                self.loud += 1

    async def _watch(self, session):
        async for _ in session.video_frames():
            self.pictures += 1

    def close(self):
        for task in self.tasks:
            task.cancel()


async def talks():
    ada = client()
    ready, messages = asyncio.Event(), []
    ada.add_listener(AnamEvent.SESSION_READY, lambda *_: ready.set())
    ada.add_listener(AnamEvent.MESSAGE_STREAM_EVENT_RECEIVED, messages.append)
    async with ada.connect() as session:
        ears = Ears(session)
        await asyncio.wait_for(ready.wait(), MAX_WAIT_S)
        await until(lambda: ears.pictures > 10, "pictures")
        await session.send_message("What is your name?")
        await until(lambda: ears.loud > 20, "an answer that is heard")
        await until(lambda: any("assistant" in str(m.role).lower() or "persona" in str(m.role).lower() for m in messages), "its words")
        stream = session.create_talk_stream()
        # So long that it is still spoken when a busy machine has heard of its first words.
        story = "This is a sentence of the program itself. " + "It goes on for quite a while. " * 15
        await stream.send(story, end_of_speech=False)
        await stream.send("Then another one.", end_of_speech=True)
        before = len(messages)
        await until(lambda: any("program" in m.content for m in messages[before:]) or any("program" in m.content for m in messages), "the words of the stream")
        await session.interrupt()
        await until(lambda: any(m.interrupted for m in messages), "the interruption")
        ears.close()


async def hears():
    """Last, because the SDK's own `close` never returns after it has sent audio of a user."""
    ada = client()
    ready, heard = asyncio.Event(), []
    ada.add_listener(AnamEvent.SESSION_READY, lambda *_: ready.set())
    ada.add_listener(AnamEvent.MESSAGE_STREAM_EVENT_RECEIVED, heard.append)
    session = await ada.connect_async()
    with wave.open(os.environ["PARLEY_TEST_QUESTION"]) as question:
        rate, pcm = question.getframerate(), question.readframes(question.getnframes())
    await asyncio.wait_for(ready.wait(), MAX_WAIT_S)
    ears = Ears(session)
    size = rate // 50 * 2
    silence = bytes(size)
    words = [pcm[i : i + size].ljust(size, b"\0") for i in range(0, len(pcm), size)]

    async def speak():
        """As a microphone does, by the clock: somebody who asks again until there is an answer."""
        began = asyncio.get_running_loop().time()
        for at, frame in enumerate(itertools.cycle([silence] * 50 + words + [silence] * 400)):
            await asyncio.sleep(began + at * 0.02 - asyncio.get_running_loop().time())
            session.send_user_audio(frame, rate, 1)

    await until(lambda: any(m.end_of_speech for m in heard), "the end of the greeting")
    speaking = asyncio.create_task(speak())
    await until(lambda: any("user" in str(m.role).lower() and m.content.strip() for m in heard), "words of the user")
    speaking.cancel()
    ears.close()


async def passes_audio_through():
    for rate in (8_000, 16_000, 24_000, 44_100, 48_000):
        ada = client(enable_audio_passthrough=True)
        ready, warnings, closed = asyncio.Event(), [], []
        ada.add_listener(AnamEvent.SESSION_READY, lambda *_: ready.set())
        ada.add_listener(AnamEvent.SERVER_WARNING, lambda *text: warnings.append(text))
        ada.add_listener(AnamEvent.CONNECTION_CLOSED, lambda *why: closed.append(why))
        async with ada.connect() as session:
            ears = Ears(session)
            await asyncio.wait_for(ready.wait(), MAX_WAIT_S)
            audio = session.create_agent_audio_input_stream(AgentAudioInputConfig(sample_rate=rate))
            # As many chunks as closed the socket when each of them counted as junk.
            size = rate // 50
            tone = [int(8000 * math.sin(2 * math.pi * 300 * i / rate)) for i in range(size * 250)]
            for start in range(0, len(tone), size):
                await audio.send_audio_chunk(struct.pack(f"<{size}h", *tone[start : start + size]))
            await audio.end_sequence()
            await until(lambda: ears.loud > 50, f"a tone of {rate} Hz")
            assert not warnings and not closed, (rate, warnings, closed)
            ears.close()


async def stops_without_a_body():
    ada = client()
    ended = []
    ada.add_listener(AnamEvent.CONNECTION_CLOSED, lambda *why: ended.append(why))
    async with ada.connect() as session:
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}"}) as http:
            async with http.post(f"{URL}/v1/sessions/{session.session_id}/stop") as answer:
                assert answer.status < 300, (answer.status, await answer.text())
        await until(lambda: ended, "the end")


async def fails(expected, code, ada, **options):
    try:
        await ada.connect_async(**options)
    except expected as error:
        assert error.code == code, (error.code, str(error))
        return error
    raise AssertionError(f"no {expected.__name__}")


async def made(path, body):
    # A share link is for pages: it asks where the request comes from.
    async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}", "Origin": URL}) as http:
        async with http.post(f"{URL}{path}", json=body) as answer:
            assert answer.status < 300, (answer.status, await answer.text())
            return await answer.json()


def with_token(token):
    return AnamClient(session_token=token, options=ClientOptions(api_base_url=URL))


async def names_errors():
    await fails(AuthenticationError, ErrorCode.AUTHENTICATION_ERROR, client(key="wrong"))
    await fails(SessionError, ErrorCode.VALIDATION_ERROR, client(max_session_length_seconds=-5))
    unknown = PersonaConfig(persona_id="00000000-0000-4000-8000-000000000000")
    ada = AnamClient(api_key=KEY, persona_config=unknown, options=ClientOptions(api_base_url=URL))
    error = await fails(AnamError, ErrorCode.SERVER_ERROR, ada)
    assert error.status_code == 404, error.status_code
    reader = await made("/v1/api-keys", {"name": "Reader", "scopes": ["personas:read"]})
    error = await fails(SessionError, ErrorCode.AUTHENTICATION_ERROR, client(key=reader["key"]))
    assert error.status_code == 403, error.status_code
    elsewhere = SessionOptions(region="us", region_policy="strict")
    await fails(SessionError, ErrorCode.SERVICE_BUSY, client(), session_options=elsewhere)


async def names_limits():
    """The organization may run two sessions, and the link has one conversation."""
    persona = await made("/v1/personas", {"name": "Ada", "avatarId": AVATAR, "systemPrompt": "You are Ada."})
    link = await made("/v1/share-links", {"personaId": persona["id"], "usageLimit": 1})
    token = (await made("/v1/auth/share-link", {"token": link["token"]}))["sessionToken"]
    async with with_token(token).connect():
        await fails(SessionError, ErrorCode.USAGE_LIMIT_REACHED, with_token(token))
        async with client().connect():
            await fails(SessionError, ErrorCode.CONCURRENT_SESSION_LIMIT, client())
    # Two are free again: who was refused has taken none.
    async with client().connect():
        pass


async def refuses_an_expired_token():
    body = {"personaConfig": {"avatarId": AVATAR}, "expiresIn": MIN_TOKEN_S}
    token = (await made("/v1/auth/session-token", body))["sessionToken"]
    await asyncio.sleep(MIN_TOKEN_S + 1)
    error = await fails(AuthenticationError, ErrorCode.AUTHENTICATION_ERROR, with_token(token))
    assert "expired" in str(error), str(error)


CHECKS = (talks, passes_audio_through, stops_without_a_body, names_errors, names_limits, hears)
SLOW = (refuses_an_expired_token,)


async def main():
    for check in SLOW if sys.argv[1:] == ["slow"] else CHECKS:
        await asyncio.wait_for(check(), 150)
        print(f"ok {check.__name__}", flush=True)


if __name__ == "__main__":
    status = 0
    try:
        asyncio.get_event_loop_policy().new_event_loop().run_until_complete(main())
    except BaseException as error:
        import traceback

        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    os._exit(status)
