"""The latest lines of a seat, numbered, so that a phone that was offline can catch up."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from companion.door.report import PendingLine

STORED_LINES: Final = 64
"""The number of lines that are stored."""


class LineHistory:
    """The numbered lines of one seat, or of the public. `last` is the newest number.

    Each seat counts its own lines, because a gap would reveal that another player received a
    secret.
    """

    def __init__(self, last: int) -> None:
        self.last = last
        self._kept: deque[tuple[int, PendingLine]] = deque(maxlen=STORED_LINES)

    def add(self, lines: Iterable[PendingLine], *, heard: bool) -> bytes:
        """Return new lines with their numbers. If no connection is open (`heard`), build no line.

        A secret that no connection has received is not stored, because an undo may remove it
        unseen.
        """
        new = []
        for line in lines:
            self.last += 1
            self._kept.append((self.last, line))
            if heard:
                new.append(number_line(line.text, self.last))
            elif line.own:
                self._kept.clear()
        return b"".join(new)

    def lines_after(self, number: int) -> bytes | None:
        """Return all lines after a number; None if that number is no longer stored."""
        if number == self.last:
            return b""
        first = self._kept[0][0] if self._kept else self.last + 1
        if not first - 1 <= number <= self.last:
            return None
        return b"".join(number_line(line.text, n) for n, line in self._kept if n > number)

    def number_state(self, lines: Iterable[PendingLine]) -> bytes:
        """Return the present state as lines, of which the last one has the newest number."""
        lines_now = [*lines]
        first = self.last + 1 - len(lines_now)
        return b"".join(number_line(line.text, n) for n, line in enumerate(lines_now, start=first))


def number_line(text: str, number: int) -> bytes:
    """Return a line with its number as the last field."""
    return f'{text[:-2]}, "event_id": {number}}}\n'.encode()
