"""Search for a record's lines in the bytes of a damaged SQLite file and of its log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from companion.record.entry import (
    DAMAGE_ERRORS,
    GAME_NUMBER_LIMIT,
    LINE_NUMBER_BITS,
    Entry,
    decode_record_line,
)
from companion.record.files import FILE_SUFFIXES

PAGE_BYTES: Final = 4096
PIECE_BYTES: Final = 128 * PAGE_BYTES
OVERLAP_BYTES: Final = 2 * PAGE_BYTES
"""The overlap of consecutive pieces of a file in bytes, so that no piece border hides a line."""
LOG_HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
CHECKSUM_LENGTH: Final = 9
"""The number of characters in a line's checksum, including the following space."""
LEAF_PAGE_MARK: Final = 13
"""The first byte of an SQLite leaf page, which contains rows (SQLite file format, section 1.6)."""
_FOUND: Final = re.compile(
    rb"([0-9a-f]{8} \[(0|[1-9][0-9]{0,11}),(0|[1-9][0-9]{0,7}),[\x20-\x7e]{1,4096}\]\n)"
)
_SETTING: Final = re.compile(rb'\[0,0,"setting",[\x20-\x7e]{1,4096}\]\n')


class ScannedFilePiece(NamedTuple):
    """The lines of games that one piece of a file contains, each with its row id.

    place: the byte offset in the file at which the piece ends.
    """

    place: int
    lines: list[tuple[int, str]]


def scan_for_possible_game_lines(path: str, place: int = 0) -> Iterator[ScannedFilePiece]:
    """Yield the possible lines of games in each piece of a file, from the byte offset `place` on.

    The checksums of the lines are not verified.
    """
    for start, data in _pieces(path, place):
        lines = [
            (int(game) << LINE_NUMBER_BITS | int(n), line.decode())
            for line, game, n in _FOUND.findall(data)
            if game != b"0" and int(n) < 1 << LINE_NUMBER_BITS and int(game) < GAME_NUMBER_LIMIT
        ]
        yield ScannedFilePiece(start + len(data), lines)


def contains_record_lines(path: Path) -> bool:
    """Return True if the file at `path` or its write-ahead log contains a line of a record."""
    files = [f"{path}{tail}" for tail in FILE_SUFFIXES]
    return bool(scan_file_for_settings(path)) or any(
        scanned.lines for file in files for scanned in scan_for_possible_game_lines(file)
    )


def _pieces(path: str, place: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield overlapping pieces of a file, each with its byte offset in the file."""
    with suppress(FileNotFoundError), Path(path).open("rb") as file:
        file.seek(max(0, place - OVERLAP_BYTES))
        start, data = file.tell(), file.read(PIECE_BYTES)
        while data:
            yield start, data
            start += max(len(data) - OVERLAP_BYTES, 0)
            file.seek(start)
            data = file.read(PIECE_BYTES) if len(data) == PIECE_BYTES else b""


# --- settings: the place in the file shows the newest entry, because a clock can be wrong ---------


def scan_file_for_settings(path: Path) -> list[Entry]:
    """Return the newest entry of each setting in a damaged file and its write-ahead log.

    An entry in use is newer than a deleted entry. A frame of the present log is newer than the
    file. A frame that remains from an earlier log is older than the file.
    """
    newest: dict[str, tuple[tuple[bool, int, int], Entry]] = {}
    for order, tail in enumerate(FILE_SUFFIXES):
        name = f"{path}{tail}"
        salts = _salts(name) if tail else frozenset()
        for start, data in _pieces(name):
            for match in _SETTING.finditer(data):
                begin, end = match.start() - CHECKSUM_LENGTH, match.end()
                with suppress(*DAMAGE_ERRORS):
                    entry, _ = decode_record_line(data[begin:end].decode(), 0, 0, 0)
                    at, key = start + begin, str(entry.question)
                    is_row, is_old = _standing(name, at, start + end, salts)
                    rank = is_row, -1 if is_old else order, at
                    if key not in newest or newest[key][0] <= rank:
                        newest[key] = rank, entry
    return [entry for _, entry in newest.values()]


def _salts(log: str) -> frozenset[bytes]:
    """Return the salts (8 bytes each) that valid frames of a write-ahead log contain."""
    with suppress(OSError), Path(log).open("rb") as file:
        head = file.read(LOG_HEADER_BYTES + FRAME_HEADER_BYTES)
        return frozenset((head[16:24], head[LOG_HEADER_BYTES + 8 : LOG_HEADER_BYTES + 16]))
    return frozenset()


def _standing(name: str, at: int, end: int, salts: frozenset[bytes]) -> tuple[bool, bool]:
    """Return whether a text is a row in use, and whether the text belongs to an earlier log.

    at, end: the byte offsets of the text in the file `name`.
    """
    head, frame = (LOG_HEADER_BYTES, FRAME_HEADER_BYTES) if salts else (0, 0)
    start = head + (at - head) // (frame + PAGE_BYTES) * (frame + PAGE_BYTES)
    with Path(name).open("rb") as file:
        file.seek(start)
        data = file.read(frame + PAGE_BYTES)
    page = data[frame:]
    is_old = bool(salts) and data[8:16] not in salts
    return _is_row(page, end - start - frame, 100 if start == 0 and not frame else 0), is_old


def _is_row(page: bytes, end: int, head: int) -> bool:
    """Return True if a row of an SQLite leaf page ends at the offset `end`.

    If the page is not a leaf page, also return True.

    head: the offset of the page's header in bytes.
    """
    if page[head : head + 1] != bytes([LEAF_PAGE_MARK]):
        return True
    rows = int.from_bytes(page[head + 3 : head + 5], "big")
    for n in range(min(rows, PAGE_BYTES // 4)):
        row = int.from_bytes(page[head + 8 + 2 * n : head + 10 + 2 * n], "big")
        size, after = _number(page, row)
        _, after = _number(page, after)
        if after + size == end:
            return True
    return False


def _number(page: bytes, at: int) -> tuple[int, int]:
    """Return the SQLite varint (seven bits a byte) at the offset `at`, and the next offset."""
    number = 0
    while at < len(page):
        byte, at = page[at], at + 1
        number = number << 7 | byte & 127
        if byte < 128:  # noqa: PLR2004 - the eighth bit means that another byte follows
            break
    return number, at
