"""One line of the record: what is written, and how damage to it is seen.

A line is its checksum and a JSON list; the checksum chains it to the line before of its game.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.prompts import Answer

BITS: Final = 24
"""A row's id is its game's number, then 24 bits of its place in the game."""
GAMES: Final = 1 << 62 - BITS
"""A game's number is below this."""
_in_json: Final = json.JSONEncoder(separators=(",", ":")).encode


class Entry(NamedTuple):
    """One line of a game.

    `kind`: "game" (the first: `value` is the header), "answer", "box" (an answer of the box's
    own), "press" (a player's part in the chance), "seen" (`who` looked at a secret), "undo",
    "redo", "program" (the box plays the seat of `who` from now on; `value`: its level and version,
    None if the player does again), "over" (`value`: the winners), "cut" (only the first `value`
    lines still fit the rules). `at` is in seconds since 1970.
    """

    kind: str
    question: str | None = None
    who: str | None = None
    value: Answer = None
    at: int = 0


def encode(game: int, n: int, entry: Entry, before: int) -> tuple[str, int]:
    """The `n`th line of a game and its checksum; `before` is the checksum of the line before."""
    text = _in_json([game, n, *entry])
    check = zlib.crc32(text.encode(), before)
    return f"{check:08x} {text}\n", check


class Damaged(Exception):
    """Something in the file is not what was written."""


ODD: Final = (
    Damaged,
    sqlite3.Error,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    MemoryError,
    RecursionError,
)
"""What reading a damaged file can raise: SQLite hands on whatever it finds there."""


class Head(NamedTuple):
    """Where a game's record ends: its last line and that line's checksum; who won, if it is over.

    `before` is the number of the game before, so that a lost game leaves a gap.
    """

    n: int
    checksum: int
    winners: str | None
    before: int

    def row(self, game: int) -> tuple[int, int, str | None, int]:
        """The game's row: it must be found as it was written."""
        text = f"{self.before} {game} {self.n} {self.winners}"
        return game, self.n, self.winners, zlib.crc32(text.encode())


def winners_of(entries: Iterable[Entry], winners: str | None = None) -> str | None:
    """The winners of a game that is over; to look at cards afterwards changes nothing."""
    for entry in entries:
        if entry.kind != "seen":
            winners = json.dumps(entry.value) if entry.kind == "over" else None
    return winners


def kept(entries: Iterable[Entry]) -> list[Entry]:
    """The lines of a record that count: a "cut" drops those that no longer fitted the rules."""
    lines: list[Entry] = []
    for entry in entries:
        if entry.kind == "cut":
            del lines[entry.value :]
        else:
            lines.append(entry)
    return lines


def decode(line: str, game: int, n: int, before: int) -> tuple[Entry, int]:
    """An entry and its checksum. Raises one of ODD if the line is not that one, unharmed."""
    text = _text(line)
    check = zlib.crc32(text.encode(), before)
    if line != f"{check:08x} {text}\n":
        raise Damaged
    found_game, found_n, *rest = json.loads(text)
    if (found_game, found_n) != (game, n):
        raise Damaged
    return Entry(*rest), check


def glance(line: str) -> Entry:
    """An entry as it stands, its checksum unread. Raises one of ODD if it is no entry."""
    _game, _n, *rest = json.loads(_text(line))
    return Entry(*rest)


def _text(line: str) -> str:
    """A line between its checksum, which is eight digits and a space, and its end."""
    return line[9:-1]


class Damage(NamedTuple):
    """What was found damaged: lines kept, at least so many lost, and the file set aside."""

    kept: int
    lost: int
    file: str


def remembered(value: Answer) -> Damage | None:
    """The damage that a record remembers, if it is one."""
    match value:
        case [int(kept), int(lost), str(file)]:
            return Damage(kept, lost, file)
        case _:
            return None


def append(db: sqlite3.Connection, game: int, head: Head, entries: tuple[Entry, ...]) -> Head:
    """Write entries behind a game's `head`; its new one. Raises sqlite3.Error."""
    rows, n, check = [], head.n, head.checksum
    for n, entry in enumerate(entries, head.n + 1):
        line, check = encode(game, n, entry, check)
        rows.append((game << BITS | n, line))
    head = Head(n, check, winners_of(entries, head.winners), head.before)
    db.executemany("INSERT INTO entry VALUES (?, ?)", rows)
    db.execute("REPLACE INTO game VALUES (?, ?, ?, ?)", head.row(game))
    return head
