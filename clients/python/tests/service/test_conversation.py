"""What programs do with a session, each seen on both sides."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from av.audio.frame import AudioFrame

from parley_client import (
    Client,
    CapacityError,
    NotFoundError,
    Persona,
    PersonaNotFoundError,
    Session,
    SessionEndedError,
    SessionOptions,
    TalkInterruptedError,
    ToolError,
    UpdateRejectedError,
    VoiceDetection,
)
from parley_client.events import (
    CueApplied,
    FloorChanged,
    MessageFinished,
    SpeechText,
    TalkInterrupted,
    ToolCallCompleted,
    ToolCallFailed,
    UserSpeechStarted,
)

STORY = (
    "Once upon a time there was a very small boat on a very wide river, and nobody had ever asked it where it was "
    "going, because it never seemed to be in a hurry at all."
)

MakePersona = Callable[..., Persona]


async def test_a_greeting_is_heard_and_seen(client: Client, persona: MakePersona) -> None:
    greeting_persona = persona(skip_greeting=None, initial_message="Hello there.", avatar_model="cara-4")
    session = client.session(greeting_persona)
    # From the beginning: a busy machine may hear all of it at once, together with the news that the session is ready.
    greeted = asyncio.ensure_future(session.wait_for(MessageFinished))
    voice = asyncio.ensure_future(first_loud_frame(session))
    async with session:
        video = session.video()
        greeting = (await greeted).message
        assert (greeting.role, greeting.text, greeting.interrupted) == ("persona", "Hello there.", False)
        picture = await anext(video)
        assert (picture.width, picture.height) == (1152, 768)
        assert (await voice).sample_rate == 48_000
    assert session.ended is not None and session.ended.reason == "client_disconnected"
    await told(client, session, end_reason="client_disconnected")


async def test_a_spoken_question_is_answered(session: Session, question: Path) -> None:
    holders: list[str] = []
    session.on(FloorChanged)(lambda event: holders.append(event.holder))
    heard = asyncio.ensure_future(session.wait_for(UserSpeechStarted))
    answer = await session.ask(question)
    assert (await heard).turn_id == answer.turn_id
    assert [message.role for message in session.transcript] == ["user", "persona"]
    assert answer.text != ""
    assert holders[0] == "user" and holders[-1] == "nobody" and "persona" in holders


async def test_a_tool_gives_its_result_to_the_persona(client: Client, persona: MakePersona) -> None:
    session = client.session(persona())
    cities: list[str] = []

    @session.tool(timeout_s=60)
    async def show_weather(city: str = "Paris") -> str:
        """Shows the weather of a city on the page."""
        cities.append(city)
        return "Sunny, 21 degrees"

    async with session:
        completed = asyncio.ensure_future(session.wait_for(ToolCallCompleted))
        await session.ask("Please show me the weather in Paris.")
        assert (await completed).result == "Sunny, 21 degrees"
        assert len(cities) == 1
    await told(client, session, toolName="show_weather", status="completed", result="Sunny, 21 degrees")


async def test_a_tool_that_fails_is_told_to_the_persona(client: Client, persona: MakePersona) -> None:
    session = client.session(persona())

    @session.tool(timeout_s=60)
    def show_weather(city: str = "Paris") -> str:
        """Shows the weather of a city on the page."""
        raise ToolError("no network")

    async with session:
        failed = asyncio.ensure_future(session.wait_for(ToolCallFailed))
        await session.ask("Please show me the weather in Paris.")
        assert (await failed).error == "no network"
    await told(client, session, toolName="show_weather", status="failed", errorMessage="no network")


async def test_an_update_is_awaited_or_refused(session: Session) -> None:
    changed = await session.update(
        language_code="de", voice_detection=VoiceDetection(end_of_speech_sensitivity=0.9)
    )
    sensitivity = changed["voiceDetectionOptions.endOfSpeechSensitivity"]
    assert (sensitivity.before, sensitivity.after) == (0.5, 0.9)
    with pytest.raises(UpdateRejectedError, match="languageCode"):
        await session.update(language_code="not-a-language")


async def test_context_is_silent(session: Session) -> None:
    await session.add_context("The user is looking at the pricing page.")
    await session.ask("Hello!")
    assert [message.role for message in session.transcript] == ["persona"]


async def test_a_talk_stream_is_interrupted_once(session: Session) -> None:
    interruptions: list[str] = []
    session.on(TalkInterrupted)(lambda event: interruptions.append(event.stream_id))
    stream = session.talk_stream("talk-1")
    begun = asyncio.ensure_future(session.wait_for(SpeechText, lambda part: "small" in part.text))
    told = asyncio.ensure_future(session.wait_for(TalkInterrupted))
    for word in STORY.split(" "):
        await stream.send(word + " ")
    await begun
    await session.interrupt()
    message = await stream.spoken()
    assert message.interrupted and message.turn_id == "talk-1"
    assert STORY.startswith(message.text.strip()) and len(message.text.strip()) < len(STORY)
    with pytest.raises(TalkInterruptedError):
        await stream.send("too late")
    await told
    assert interruptions == ["talk-1"]


async def test_the_utterances_of_a_talk_stream_are_told_apart(client: Client, persona: MakePersona) -> None:
    # Earlier models know no utterances.
    async with client.session(persona(avatar_model="cara-4")) as session:
        async with session.talk_stream() as stream:
            await stream.send("Good morning.", new_utterance=True)
            await stream.send("How are you?", new_utterance=True)
        message = await stream.spoken()
    assert list(message.utterances.values()) == ["Good morning.", "How are you?"]
    assert message.text == "Good morning. How are you?"


async def test_a_cue_is_acted(client: Client, persona: MakePersona) -> None:
    # Earlier models take no cues.
    async with client.session(persona(avatar_model="cara-4")) as session:
        applied = asyncio.ensure_future(session.wait_for(CueApplied))
        await session.talk(STORY)
        await session.wait_for(SpeechText)
        await session.cue("happy")
        assert (await applied).tag == "happy"


async def test_an_agents_audio_is_spoken(client: Client, persona: MakePersona, tone: bytes) -> None:
    async with client.session(persona(), audio_passthrough=True) as session:
        audio = session.audio()
        async with session.agent_audio(sample_rate=24_000) as voice:
            await voice.send(tone)
        async for frame in audio:
            if abs(frame.to_ndarray()).max() > 1_000:
                break
        assert len(session.transcript) == 0


async def test_a_session_token_is_enough(client: Client, persona: MakePersona) -> None:
    token = await client.create_session_token(
        persona(), options=SessionOptions(show_ai_avatar_disclosure=True), client_label="a test"
    )
    async with Client(client.base_url) as visitor, visitor.session(token=token) as session:
        assert "Ada" in (await session.ask("What is your name?")).text
    await told(client, session, clientLabel="a test")


async def test_the_service_ends_a_session_with_its_reason(client: Client, session: Session) -> None:
    await client.request("POST", f"/v1/sessions/{session.id}/stop", {})
    ended = await session.wait_until_ended()
    assert (ended.reason, ended.text) == ("stopped_by_api", "Session was stopped.")
    with pytest.raises(SessionEndedError) as refused:
        await session.send_user_message("Hello?")
    assert refused.value.reason == "stopped_by_api"


async def test_refusals_have_a_class_each(client: Client, persona: MakePersona) -> None:
    nobody = "00000000-0000-4000-8000-000000000000"
    with pytest.raises(PersonaNotFoundError):
        async with client.session(persona_id=nobody):
            pass
    with pytest.raises(NotFoundError):
        await client.request("GET", f"/v1/sessions/{nobody}")


async def test_a_full_service_says_so(client: Client, persona: MakePersona) -> None:
    limit = (await client.request("GET", "/v1/sessions/concurrency"))["limit"]
    token = await client.create_session_token(persona())
    # Sessions without a client hold their place until they expire.
    starts = [client.request("POST", "/v1/engine/session", {"personaConfig": persona().to_wire()}) for _ in range(limit)]
    started = await asyncio.gather(*starts)
    try:
        with pytest.raises(CapacityError) as refused:
            async with client.session(token=token):
                pass
        assert refused.value.status == 429
    finally:
        await asyncio.gather(
            *(client.request("POST", f"/v1/sessions/{one['sessionId']}/stop", {}) for one in started)
        )


async def first_loud_frame(session: Session) -> AudioFrame:
    """Waits for a frame that has speech in it: no silence reaches this level, of 32,767 at most."""
    async for frame in session.audio():
        if abs(frame.to_ndarray()).max() > 1_000:
            return frame
    raise AssertionError("The session ended before anything was heard.")


async def told(client: Client, session: Session, **expected: object) -> None:
    """Waits until the service's account of the session, or of its one tool call, has these values."""
    while True:
        account = await client.request("GET", f"/v1/sessions/{session.id}")
        for part in (account, *account["toolCalls"]):
            if all(part.get(name) == value for name, value in expected.items()):
                return
        await asyncio.sleep(0.1)
