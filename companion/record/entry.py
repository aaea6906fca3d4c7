"""The lines of the record file: their format, and the detection of damage.

A line consists of a checksum and a JSON list. The checksum is computed from the JSON list's text
and from the checksum of the game's previous line.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from companion.core.prompts import Answer

LINE_NUMBER_BITS: Final = 24
"""The number of low bits in a database row's id that contain a line's number.

The high bits of the row's id contain the game's number.
"""
GAME_NUMBER_LIMIT: Final = 1 << 62 - LINE_NUMBER_BITS
"""All valid game numbers are smaller than this number."""
_in_json: Final = json.JSONEncoder(separators=(",", ":")).encode


class Entry(NamedTuple):
    """One line of a game, or one setting, in the record file.

    - `kind`: the type of the line, as listed below.
    - `question`: the name of the answered question, or None.
    - `who`: the player whom the line concerns, or None.
    - `value`: the content of the line, such as the answer.
    - `at`: the time at which the line was written, in seconds since 1970.

    The types of lines are:

    - "game": the first line of a game; `value` is the header.
    - "answer": an answer of a person or of a computer player.
    - "box": an answer of the box, such as a roll.
    - "press": a button press whose time is mixed into the game's random numbers.
    - "seen": the player `who` looked at a secret.
    - "undo" and "redo": an undo or a redo of an answer.
    - "program": a computer player takes over the seat (`value` is the level and version) or returns
      the seat to a person (`value` is None).
    - "over": the end of the game; `value` is the list of winners.
    - "cut": a removal of all lines after the first `value` lines, because these lines break the
      present rules.
    - "setting": the value of the setting `question`; this line belongs to no game.
    """

    kind: str
    question: str | None = None
    who: str | None = None
    value: Answer = None
    at: int = 0


def encode_record_line(game: int, n: int, entry: Entry, before: int) -> tuple[str, int]:
    """Return line `n` of a game as text, and the line's checksum.

    The text begins with the checksum.

    before: the checksum of the game's previous line; 0 for the first line.
    """
    text = _in_json([game, n, *entry])
    check = zlib.crc32(text.encode(), before)
    return f"{check:08x} {text}\n", check


class DamagedRecordError(Exception):
    """The error for damaged content of the record file."""


DAMAGE_ERRORS: Final = (
    DamagedRecordError,
    sqlite3.Error,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    MemoryError,
    RecursionError,
)
"""The exceptions that reading from a damaged record file can raise."""


class GameRecordEnd(NamedTuple):
    """Data about the last line of a game, which are needed to add the next line.

    - `n`: the number of the game's last line; -1 if there are no lines.
    - `checksum`: the checksum of the last line.
    - `winners`: the winners as a JSON list; None if the game is unfinished.
    - `before`: the number of the previous game in the file. If no game with this number exists, a
      game is lost.
    """

    n: int
    checksum: int
    winners: str | None
    before: int

    def as_table_row(self, game: int) -> tuple[int, int, str | None, int]:
        """Return this game's row for the database table `game`.

        game: the number of the game.
        """
        text = f"{self.before} {game} {self.n} {self.winners}"
        return game, self.n, self.winners, zlib.crc32(text.encode())


def winners_from_entries(entries: Iterable[Entry], winners: str | None = None) -> str | None:
    """Return the winners of a game as a JSON list, or None if the game is unfinished.

    winners: the winners according to the lines before `entries`.

    A "seen" line (a player looked at a secret) after the end of a game does not change the winners.
    """
    for entry in entries:
        if entry.kind != "seen":
            winners = json.dumps(entry.value) if entry.kind == "over" else None
    return winners


def drop_cut_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Return the lines of a game without the lines that a "cut" line removes.

    A "cut" line states which earlier lines broke the rules. The result contains neither "cut" lines
    nor these earlier lines.
    """
    lines: list[Entry] = []
    for entry in entries:
        if entry.kind == "cut":
            del lines[entry.value :]
        else:
            lines.append(entry)
    return lines


def decode_record_line(line: str, game: int, n: int, before: int) -> tuple[Entry, int]:
    """Return the entry and the checksum in a line.

    Raise one of DAMAGE_ERRORS if the line is damaged.

    before: the checksum of the game's previous line; 0 for the first line.
    """
    text = _text(line)
    check = zlib.crc32(text.encode(), before)
    if line != f"{check:08x} {text}\n":
        raise DamagedRecordError
    found_game, found_n, *rest = json.loads(text)
    if (found_game, found_n) != (game, n):
        raise DamagedRecordError
    return Entry(*rest), check


def decode_record_line_unchecked(line: str) -> Entry:
    """Return the entry in a line without verifying its checksum.

    Raise one of DAMAGE_ERRORS if the line contains no entry.
    """
    _game, _n, *rest = json.loads(_text(line))
    return Entry(*rest)


def _text(line: str) -> str:
    """Return a line's JSON text, without the checksum, the following space and the newline."""
    return line[9:-1]


class RepairResult(NamedTuple):
    """The result of the repair of a damaged record file.

    - `kept`: the number of lines in the repaired file.
    - `lost`: the number of lines that are certainly lost.
    - `file`: the name to which the damaged file was renamed.
    """

    kept: int
    lost: int
    file: str


def parse_repair_result(value: Answer) -> RepairResult | None:
    """Return the repair result that a setting's value contains.

    Return None if the value has another format.
    """
    match value:
        case [int(kept), int(lost), str(file)]:
            return RepairResult(kept, lost, file)
        case _:
            return None


def append_entries(
    db: sqlite3.Connection, game: int, head: GameRecordEnd, entries: tuple[Entry, ...]
) -> GameRecordEnd:
    """Write entries after the last line of a game. Return the data about the new last line.

    head: the data about the last line before the new entries.

    Raise sqlite3.Error if the file cannot be written.
    """
    rows, n, check = [], head.n, head.checksum
    for n, entry in enumerate(entries, head.n + 1):
        line, check = encode_record_line(game, n, entry, check)
        rows.append((game << LINE_NUMBER_BITS | n, line))
    head = GameRecordEnd(n, check, winners_from_entries(entries, head.winners), head.before)
    db.executemany("INSERT INTO entry VALUES (?, ?)", rows)
    db.execute("REPLACE INTO game VALUES (?, ?, ?, ?)", head.as_table_row(game))
    return head
