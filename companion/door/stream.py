"""The latest lines of a seat, with numbers, for phones that reconnect."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from companion.door.report import LazyLine

STORED_LINES: Final = 64
"""The maximum number of lines that a seat's history stores."""


class LineHistory:
    """The latest numbered lines of one seat, or of the public.

    `last` is the number of the newest line. Each seat has its own numbers, because a gap in shared
    numbers would reveal that another player received a secret.
    """

    def __init__(self, last: int) -> None:
        self.last = last
        self._kept: deque[tuple[int, LazyLine]] = deque(maxlen=STORED_LINES)

    def add_lines(self, lines: Iterable[LazyLine], *, heard: bool) -> bytes:
        """Add new lines to the history, and return the lines with their numbers.

        heard: whether a connection of the seat is open. If no connection is open, the method builds
        no line. A new secret that no connection receives clears the history, because an undo may
        remove the secret.
        """
        new = []
        for line in lines:
            self.last += 1
            self._kept.append((self.last, line))
            if heard:
                new.append(add_line_number(line.build_text, self.last))
            elif line.own:
                self._kept.clear()
        return b"".join(new)

    def lines_after(self, number: int) -> bytes | None:
        """Return all lines after a number; None if the history no longer has these lines."""
        if number == self.last:
            return b""
        first = self._kept[0][0] if self._kept else self.last + 1
        if not first - 1 <= number <= self.last:
            return None
        return b"".join(add_line_number(line.build_text, n) for n, line in self._kept if n > number)

    def number_state_lines(self, lines: Iterable[LazyLine]) -> bytes:
        """Return the lines of the present state with numbers that end at `last`."""
        lines_now = [*lines]
        first = self.last + 1 - len(lines_now)
        return b"".join(
            add_line_number(line.build_text, n) for n, line in enumerate(lines_now, start=first)
        )


def add_line_number(text: str, number: int) -> bytes:
    """Return the bytes of a line, with the number as the field `event_id`."""
    return f'{text[:-2]}, "event_id": {number}}}\n'.encode()
