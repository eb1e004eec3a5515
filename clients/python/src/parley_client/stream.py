"""Values that one side makes and any number of readers iterate over."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")


class Stream(Generic[T]):
    """An asynchronous iterator. With a limit, a slow reader loses the oldest values and `dropped` counts them."""

    def __init__(self, hub: Hub[T], limit: int | None) -> None:
        self._hub = hub
        self._waiting: deque[T] = deque(maxlen=limit)
        self._news = asyncio.Event()
        self._open = True
        self.dropped = 0

    def __aiter__(self) -> Stream[T]:
        return self

    async def __anext__(self) -> T:
        while not self._waiting:
            if not self._open:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._waiting.popleft()

    async def __aenter__(self) -> Stream[T]:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def waiting(self) -> int:
        """How many values have arrived and were not read yet."""
        return len(self._waiting)

    def close(self) -> None:
        """Takes no more values. What has arrived can still be read."""
        self._open = False
        self._hub.forget(self)
        self._news.set()

    def put(self, value: T) -> None:
        if len(self._waiting) == self._waiting.maxlen:
            self.dropped += 1
        self._waiting.append(value)
        self._news.set()


class Hub(Generic[T]):
    """Gives each value to every stream that is open."""

    def __init__(self) -> None:
        self._streams: list[Stream[T]] = []
        self._open = True

    def stream(self, limit: int | None = None) -> Stream[T]:
        """A stream of what comes from now on."""
        stream = Stream(self, limit)
        if self._open:
            self._streams.append(stream)
        else:
            stream.close()
        return stream

    def publish(self, value: T) -> None:
        for stream in self._streams:
            stream.put(value)

    def forget(self, stream: Stream[T]) -> None:
        if stream in self._streams:
            self._streams.remove(stream)

    def close(self) -> None:
        """Ends all streams once their readers have read what waits."""
        self._open = False
        for stream in list(self._streams):
            stream.close()
