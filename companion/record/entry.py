"""One line of the record: its format, and how damage to it is detected.

A line is a checksum and a JSON list. The checksum includes the previous line of the game.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from companion.core.prompts import Answer

LINE_NUMBER_BITS: Final = 24
"""The low bits of a row's id: the place of the line in its game. The rest is the game's number."""
GAME_NUMBER_LIMIT: Final = 1 << 62 - LINE_NUMBER_BITS
"""The limit of a game's number."""
_in_json: Final = json.JSONEncoder(separators=(",", ":")).encode


class Entry(NamedTuple):
    """One line of a game.

    - `kind`: the kind of line. "game" is the first line (`value`: the header). "answer" is an
      answer of a person, "box" one of the box. "press" is a press that is mixed into the chance.
      "seen": `who` looked at a secret. "undo" and "redo". "program": a computer player takes over
      the seat of `who` (`value`: level and version) or gives it back (`value`: None). "over" ends
      the game (`value`: the winners). "cut": only the first `value` lines fit the present rules.
    - `at`: the time in seconds since 1970.
    """

    kind: str
    question: str | None = None
    who: str | None = None
    value: Answer = None
    at: int = 0


def encode_line(game: int, n: int, entry: Entry, before: int) -> tuple[str, int]:
    """Return the text of line `n` of a game, and its checksum. `before`: the previous checksum."""
    text = _in_json([game, n, *entry])
    check = zlib.crc32(text.encode(), before)
    return f"{check:08x} {text}\n", check


class DamagedRecord(Exception):
    """A difference between the file and what was written."""


DAMAGE_ERRORS: Final = (
    DamagedRecord,
    sqlite3.Error,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    MemoryError,
    RecursionError,
)
"""The exceptions that reading a damaged file can raise: SQLite passes on what it finds."""


class RecordEnd(NamedTuple):
    """The end of a game's record: number and checksum of the last line, and the winners.

    `before` is the number of the previous game, so that a lost game leaves a gap.
    """

    n: int
    checksum: int
    winners: str | None
    before: int

    def row(self, game: int) -> tuple[int, int, str | None, int]:
        """Return the game's row, for comparison with the row in the file."""
        text = f"{self.before} {game} {self.n} {self.winners}"
        return game, self.n, self.winners, zlib.crc32(text.encode())


def winners_of(entries: Iterable[Entry], winners: str | None = None) -> str | None:
    """Return the winners of a finished game. Looking at cards afterwards does not change them."""
    for entry in entries:
        if entry.kind != "seen":
            winners = json.dumps(entry.value) if entry.kind == "over" else None
    return winners


def effective_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Return the lines that count: a "cut" line drops those that did not fit the rules."""
    lines: list[Entry] = []
    for entry in entries:
        if entry.kind == "cut":
            del lines[entry.value :]
        else:
            lines.append(entry)
    return lines


def decode_line(line: str, game: int, n: int, before: int) -> tuple[Entry, int]:
    """Return a line's entry and checksum. Raise one of DAMAGE_ERRORS if the line is damaged."""
    text = _text(line)
    check = zlib.crc32(text.encode(), before)
    if line != f"{check:08x} {text}\n":
        raise DamagedRecord
    found_game, found_n, *rest = json.loads(text)
    if (found_game, found_n) != (game, n):
        raise DamagedRecord
    return Entry(*rest), check


def decode_unchecked(line: str) -> Entry:
    """Return the entry of a line, unchecked. Raise one of DAMAGE_ERRORS if it has no entry."""
    _game, _n, *rest = json.loads(_text(line))
    return Entry(*rest)


def _text(line: str) -> str:
    """Return the text of a line without its checksum (eight digits and a space) and its end."""
    return line[9:-1]


class Damage(NamedTuple):
    """The result of a repair: lines kept, minimum of lines lost, and the file set aside."""

    kept: int
    lost: int
    file: str


def parse_damage(value: Answer) -> Damage | None:
    """Return the damage that a setting describes; None if it describes none."""
    match value:
        case [int(kept), int(lost), str(file)]:
            return Damage(kept, lost, file)
        case _:
            return None


def append_entries(
    db: sqlite3.Connection, game: int, head: RecordEnd, entries: tuple[Entry, ...]
) -> RecordEnd:
    """Write entries after the end `head` of a game and return the new end. Raise sqlite3.Error."""
    rows, n, check = [], head.n, head.checksum
    for n, entry in enumerate(entries, head.n + 1):
        line, check = encode_line(game, n, entry, check)
        rows.append((game << LINE_NUMBER_BITS | n, line))
    head = RecordEnd(n, check, winners_of(entries, head.winners), head.before)
    db.executemany("INSERT INTO entry VALUES (?, ?)", rows)
    db.execute("REPLACE INTO game VALUES (?, ?, ?, ?)", head.row(game))
    return head
