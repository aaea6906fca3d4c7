"""What everybody, or a seat, was told lately, numbered, so that a sleeper hears what was missed."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.door.report import PendingLine

KEPT: Final = 64
"""Lines that can be told again."""


class Stream:
    """The numbered lines of one seat, or of everybody; `last` is the number of the newest.

    Each seat has numbers of its own: a gap would tell the others that somebody was told a secret.
    """

    def __init__(self, last: int) -> None:
        self.last = last
        self._kept: deque[tuple[int, PendingLine]] = deque(maxlen=KEPT)

    def add(self, lines: Iterable[PendingLine], *, heard: bool) -> bytes:
        """New lines, with their numbers; none of them is made if it is not `heard`.

        A secret that no connection has heard is not kept: it may be taken back before it is seen.
        """
        new = []
        for told in lines:
            self.last += 1
            self._kept.append((self.last, told))
            if heard:
                new.append(numbered(told.text, self.last))
            elif told.own:
                self._kept.clear()
        return b"".join(new)

    def since(self, number: int) -> bytes | None:
        """All after a number; None if that is not known any more."""
        if number == self.last:
            return b""
        first = self._kept[0][0] if self._kept else self.last + 1
        if not first - 1 <= number <= self.last:
            return None
        return b"".join(numbered(told.text, n) for n, told in self._kept if n > number)

    def whole(self, lines: Iterable[PendingLine]) -> bytes:
        """How things stand, in lines that end with the newest number: what comes next follows."""
        told = [*lines]
        first = self.last + 1 - len(told)
        return b"".join(numbered(line.text, n) for n, line in enumerate(told, start=first))


def numbered(text: str, number: int) -> bytes:
    """A line, with its number behind all else."""
    return f'{text[:-2]}, "event_id": {number}}}\n'.encode()
