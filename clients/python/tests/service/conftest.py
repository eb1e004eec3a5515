"""Tests against a running service: its address and API key are in the environment."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytest_asyncio

from parley_client import Client, Persona, Session, VoiceDetection



def in_environment(name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        pytest.skip(f"{name} is not set: e2e/python-client.test.ts sets it")
    return value


@pytest_asyncio.fixture
async def client() -> AsyncIterator[Client]:
    async with Client(in_environment("PARLEY_TEST_URL"), api_key=in_environment("PARLEY_TEST_KEY")) as client:
        yield client


@pytest_asyncio.fixture
async def persona(client: Client) -> Callable[..., Persona]:
    """Makes personas that say nothing of their own accord."""
    avatars = (await client.request("GET", "/v1/avatars"))["data"]

    def make(**changes: Any) -> Persona:
        quiet = VoiceDetection(silence_before_skip_turn_seconds=0, silence_before_session_end_seconds=0)
        fields: dict[str, Any] = {
            "avatar_id": avatars[0]["id"],
            "name": "Ada",
            "system_prompt": "You are Ada, a friendly guide.",
            "skip_greeting": True,
            "voice_detection_options": quiet,
        }
        return Persona(**(fields | changes))

    return make


@pytest_asyncio.fixture
async def session(client: Client, persona: Callable[..., Persona]) -> AsyncIterator[Session]:
    async with client.session(persona()) as session:
        yield session


@pytest.fixture
def question() -> Path:
    """A recording of somebody who asks for a name."""
    return Path(in_environment("PARLEY_TEST_QUESTION"))


@pytest.fixture
def tone() -> bytes:
    """Two seconds of 440 Hz: 24 kHz, mono, 16 bits."""
    times = np.arange(2 * 24_000) / 24_000
    return (8_000 * np.sin(2 * np.pi * 440 * times)).astype("<i2").tobytes()
