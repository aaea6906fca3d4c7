"""The latest numbered protocol lines of a seat, which a phone receives when it reconnects."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from companion.door.report import LazyLine

MAX_STORED_LINES: Final = 64
"""The maximum number of protocol lines that a seat's history stores."""


class LineHistory:
    """The latest numbered protocol lines of one seat, or of the public.

    `last` is the number of the newest line. Each seat counts its own lines, because a gap in shared
    numbers would reveal that another player received a secret.
    """

    def __init__(self, last: int) -> None:
        self.last = last
        self._kept: deque[tuple[int, LazyLine]] = deque(maxlen=MAX_STORED_LINES)

    def number_and_add_lines(self, lines: Iterable[LazyLine], *, heard: bool) -> bytes:
        """Add new lines to the history, and return these lines as bytes, each with its number.

        heard: True if at least one phone or program receives the seat's lines.

        If `heard` is False, build no text and return no lines. In this case, a secret line clears
        the history, because an undo may remove the secret before a phone reconnects.
        """
        new = []
        for line in lines:
            self.last += 1
            self._kept.append((self.last, line))
            if heard:
                new.append(add_line_number(line.text, self.last))
            elif line.own:
                self._kept.clear()
        return b"".join(new)

    def lines_after_number(self, number: int) -> bytes | None:
        """Return all lines after the line `number`; None if one of these lines is not stored."""
        if number == self.last:
            return b""
        first = self._kept[0][0] if self._kept else self.last + 1
        if not first - 1 <= number <= self.last:
            return None
        return b"".join(add_line_number(line.text, n) for n, line in self._kept if n > number)

    def numbered_state_lines(self, lines: Iterable[LazyLine]) -> bytes:
        """Return `lines`, which describe the present state, as bytes with numbers.

        The final line has the number `last`.
        """
        lines_now = [*lines]
        first = self.last + 1 - len(lines_now)
        return b"".join(
            add_line_number(line.text, n) for n, line in enumerate(lines_now, start=first)
        )


def add_line_number(text: str, number: int) -> bytes:
    """Return a JSON line as bytes, with `number` added as the field `event_id`."""
    return f'{text[:-2]}, "event_id": {number}}}\n'.encode()
