"""The pages that are told what happens, and the sign of life that keeps their connections open."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

BEAT: Final = 25.0
"""Seconds between two signs of life, while somebody looks; nothing wakes up for nobody."""


class ToldPage(Protocol):
    """One page that is told: whose seat it is, "" if it has none, and from which address."""

    whose: str

    @property
    def caller(self) -> str:
        """The address of whoever asks."""

    def beat(self) -> None:
        """Show that we are there."""

    def replace(self) -> None:
        """Let it go for a newer page, and ask it not to come back by itself."""

    def end(self) -> None:
        """Let it go."""


class Streams:
    """All of them."""

    def __init__(self) -> None:
        self._open: dict[ToldPage, None] = {}
        self._beating: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[ToldPage]:
        """Iterate over the open pages, the oldest first."""
        return iter(tuple(self._open))

    def add(self, stream: ToldPage) -> None:
        """Somebody looks."""
        self._open[stream] = None
        if self._beating is None:
            self._later()

    def discard(self, stream: ToldPage) -> None:
        """Somebody looks no more."""
        self._open.pop(stream, None)
        if not self._open and self._beating is not None:
            self._beating.cancel()
            self._beating = None

    def _later(self) -> None:
        self._beating = asyncio.get_running_loop().call_later(BEAT, self._beat)

    def _beat(self) -> None:
        self._later()
        for stream in self:
            stream.beat()
