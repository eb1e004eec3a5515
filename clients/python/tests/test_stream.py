from __future__ import annotations

import asyncio

from parley_client.stream import Hub


async def test_every_reader_gets_every_value() -> None:
    hub: Hub[int] = Hub()
    first, second = hub.stream(), hub.stream()
    hub.publish(1)
    hub.publish(2)
    hub.close()
    assert [value async for value in first] == [1, 2]
    assert [value async for value in second] == [1, 2]


async def test_a_slow_reader_loses_the_oldest_values() -> None:
    hub: Hub[int] = Hub()
    stream = hub.stream(limit=2)
    for value in (1, 2, 3):
        hub.publish(value)
    assert (stream.waiting, stream.dropped) == (2, 1)
    assert await anext(stream) == 2


async def test_a_reader_waits_for_the_next_value() -> None:
    hub: Hub[int] = Hub()
    reading = asyncio.ensure_future(anext(hub.stream()))
    await asyncio.sleep(0)
    hub.publish(7)
    assert await reading == 7


async def test_a_stream_of_a_closed_hub_is_empty() -> None:
    hub: Hub[int] = Hub()
    hub.close()
    assert [value async for value in hub.stream()] == []


async def test_a_closed_stream_takes_no_more() -> None:
    hub: Hub[int] = Hub()
    async with hub.stream() as stream:
        hub.publish(1)
    hub.publish(2)
    assert [value async for value in stream] == [1]
