"""Real outages: the tests run in a network of their own, and cut it themselves."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from conftest import in_environment
from parley_client import Client, MediaBlockedError, Persona, Session
from parley_client.events import MessageFinished, Reconnected, Reconnecting, SpeechText


def iptables(*rule: str) -> None:
    subprocess.run(["iptables", *rule], check=True)


@pytest_asyncio.fixture
async def network() -> AsyncIterator[None]:
    in_environment("PARLEY_TEST_NETWORK")
    yield
    iptables("-F")


async def cut(seconds: float, *what: str) -> None:
    for chain in ("OUTPUT", "INPUT"):
        iptables("-A", chain, *what, "-j", "DROP")
    await asyncio.sleep(seconds)
    iptables("-F")


@pytest.mark.parametrize(
    ("seconds", "what"),
    [(8, ("-p", "udp")), (20, ("-p", "udp")), (20, ())],
    ids=["UDP for 8 s", "UDP for 20 s", "everything for 20 s"],
)
async def test_the_conversation_goes_on_after_an_outage(
    network: None, client: Client, persona: Callable[..., Persona], seconds: int, what: tuple[str, ...]
) -> None:
    session = client.session(persona(skip_greeting=None, initial_message="Hello there."))
    greeted = asyncio.ensure_future(session.wait_for(MessageFinished))
    async with session:
        outages: list[object] = []
        session.on(Reconnecting)(outages.append)
        session.on(Reconnected)(outages.append)
        await greeted
        await session.ask("My name is Robert.")
        back = asyncio.ensure_future(session.wait_for(Reconnected))
        failing = asyncio.ensure_future(cut(seconds, *what))
        await session.wait_for(Reconnecting)
        # Sent into the outage: it arrives after it, once.
        late = asyncio.ensure_future(session.ask("What is your name?"))
        await failing
        assert (await back).seconds > 2
        assert "Ada" in (await late).text
        await anext(session.video())
        assert [type(outage) for outage in outages] == [Reconnecting, Reconnected]
    said = (await client.request("GET", f"/v1/sessions/{session.id}/transcript"))["messages"]
    assert [line["message"] for line in said if line["role"] == "user"] == ["My name is Robert.", "What is your name?"]
    assert [line["message"] for line in said].count("Hello there.") == 1


async def test_a_message_that_the_outage_took_is_sent_again(
    network: None, client: Client, session: Session
) -> None:
    outage = asyncio.ensure_future(cut(14, "-p", "udp"))
    await asyncio.sleep(0.5)
    await session.send_user_message("What is your name?")
    part = await session.wait_for(SpeechText)
    assert part.role == "persona"
    await outage


async def test_a_network_without_udp_is_named(
    network: None, client: Client, persona: Callable[..., Persona]
) -> None:
    iptables("-A", "OUTPUT", "-p", "udp", "-j", "DROP")
    with pytest.raises(MediaBlockedError, match="UDP"):
        async with client.session(persona()):
            pass
