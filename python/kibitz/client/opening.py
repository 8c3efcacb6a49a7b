"""Something that is opened: awaited, or entered and left."""

from collections.abc import Awaitable, Callable, Generator
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

__all__ = ["Opening"]


class Closable(Protocol):
    """What can be closed."""

    async def close(self) -> None:
        """Ends it."""


T = TypeVar("T", bound=Closable)


class Opening(Generic[T]):
    """`thing = await opening`, or `async with opening as thing:`, which closes it in the end."""

    def __init__(self, open_it: Callable[[], Awaitable[T]]) -> None:
        self._open = open_it
        self._thing: T | None = None

    def __await__(self) -> Generator[Any, None, T]:
        return self._open().__await__()

    async def __aenter__(self) -> T:
        self._thing = await self._open()
        return self._thing

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thing is not None:
            await self._thing.close()
