"""Every line in the bytes of a damaged file and its log, whatever SQLite thinks of them.

A file is read a piece at a time, so that its size does not matter. Places are bytes from its start.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.record.entry import BITS, GAMES, ODD, Entry, decode
from companion.record.files import TAILS

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE: Final = 4096
PIECE: Final = 128 * PAGE
OVERLAP: Final = 2 * PAGE
"""A line that lies across two pieces is found in the second, which begins so much earlier."""
LOG_HEAD, FRAME_HEAD = 32, 24
CHECK: Final = 9
"""A line begins with so many bytes of a checksum and a space."""
LEAF: Final = 13
"""SQLite's mark of a page with rows on it."""
_FOUND: Final = re.compile(
    rb"([0-9a-f]{8} \[(0|[1-9][0-9]{0,11}),(0|[1-9][0-9]{0,7}),[\x20-\x7e]{1,4096}\]\n)"
)
_SETTING: Final = re.compile(rb'\[0,0,"setting",[\x20-\x7e]{1,4096}\]\n')


class ScannedLines(NamedTuple):
    """Lines of games, by their rows' ids, in the piece of a file that ends at `place`."""

    place: int
    lines: list[tuple[int, str]]


def lines(path: str, place: int = 0) -> Iterator[ScannedLines]:
    """All that look like lines of games, piece by piece from `place` on."""
    for start, data in _pieces(path, place):
        found = [
            (int(game) << BITS | int(n), line.decode())
            for line, game, n in _FOUND.findall(data)
            if game != b"0" and int(n) < 1 << BITS and int(game) < GAMES
        ]
        yield ScannedLines(start + len(data), found)


def is_record(path: Path) -> bool:
    """Whether there is any line of ours in the file or its log."""
    files = [f"{path}{tail}" for tail in TAILS]
    return bool(settings(path)) or any(found.lines for file in files for found in lines(file))


def _pieces(path: str, place: int = 0) -> Iterator[tuple[int, bytes]]:
    """The bytes of a file with where each piece starts; nothing, if there is no file."""
    with suppress(FileNotFoundError), Path(path).open("rb") as file:
        file.seek(max(0, place - OVERLAP))
        start, data = file.tell(), file.read(PIECE)
        while data:
            yield start, data
            start += max(len(data) - OVERLAP, 0)
            file.seek(start)
            data = file.read(PIECE) if len(data) == PIECE else b""


# --- settings: the newest by its place, for a clock can go backwards ------------------------------


def settings(path: Path) -> list[Entry]:
    """The newest line of each setting.

    A row of a page is newer than what the page still holds of rows that were replaced, the log is
    newer than the file, and what the log still holds of an earlier one is older than both.
    """
    found: dict[str, tuple[tuple[bool, int, int], Entry]] = {}
    for order, tail in enumerate(TAILS):
        name = f"{path}{tail}"
        salts = _salts(name) if tail else frozenset()
        for start, data in _pieces(name):
            for match in _SETTING.finditer(data):
                begin, end = match.start() - CHECK, match.end()
                with suppress(*ODD):
                    entry, _ = decode(data[begin:end].decode(), 0, 0, 0)
                    at, key = start + begin, str(entry.question)
                    is_row, is_old = _standing(name, at, start + end, salts)
                    rank = is_row, -1 if is_old else order, at
                    if key not in found or found[key][0] <= rank:
                        found[key] = rank, entry
    return [entry for _, entry in found.values()]


def _salts(log: str) -> frozenset[bytes]:
    """What marks the frames of a log that count: as in its head, and in its first frame."""
    with suppress(OSError), Path(log).open("rb") as file:
        head = file.read(LOG_HEAD + FRAME_HEAD)
        return frozenset((head[16:24], head[LOG_HEAD + 8 : LOG_HEAD + 16]))
    return frozenset()


def _standing(name: str, at: int, end: int, salts: frozenset[bytes]) -> tuple[bool, bool]:
    """Whether a text is a row of its page, and whether it is of an earlier log."""
    head, frame = (LOG_HEAD, FRAME_HEAD) if salts else (0, 0)
    start = head + (at - head) // (frame + PAGE) * (frame + PAGE)
    with Path(name).open("rb") as file:
        file.seek(start)
        data = file.read(frame + PAGE)
    page = data[frame:]
    is_old = bool(salts) and data[8:16] not in salts
    return _is_row(page, end - start - frame, 100 if start == 0 and not frame else 0), is_old


def _is_row(page: bytes, end: int, head: int) -> bool:
    """Whether a row of the page ends there; also if the page no longer tells where its rows are."""
    if page[head : head + 1] != bytes([LEAF]):
        return True
    rows = int.from_bytes(page[head + 3 : head + 5], "big")
    for n in range(min(rows, PAGE // 4)):
        row = int.from_bytes(page[head + 8 + 2 * n : head + 10 + 2 * n], "big")
        size, after = _number(page, row)
        _, after = _number(page, after)
        if after + size == end:
            return True
    return False


def _number(page: bytes, at: int) -> tuple[int, int]:
    """A number as SQLite writes it, seven bits a byte, and where it ends."""
    number = 0
    while at < len(page):
        byte, at = page[at], at + 1
        number = number << 7 | byte & 127
        if byte < 128:  # noqa: PLR2004 - the eighth bit says that there is more
            break
    return number, at
