"""Read the rows of a record and check them. Damage raises one of DAMAGE_ERRORS."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.record.entry import (
    LINE_NUMBER_BITS,
    DamagedRecord,
    Entry,
    RecordEnd,
    decode_line,
    decode_unchecked,
    winners_of,
)

ABOVE_EVERY_GAME_NUMBER: Final = 1 << 39
"""A number greater than that of any game."""


class Summary(NamedTuple):
    """A game in the list of games.

    - `winners`: None for an unfinished game.
    - `package`: the package of the game; None for a built-in one.
    - `options`: the options at the start of the game.
    - `whole`: False for a game that was imported without its secrets, which cannot continue.
    - `programs`: the levels of the computer players at the start.

    Times are in seconds since 1970.
    """

    id: int
    game: str
    players: tuple[str, ...]
    started: int
    last: int
    winners: tuple[str, ...] | None
    package: str | None = None
    options: Mapping[str, str] = {}
    whole: bool = True
    programs: Mapping[str, str] = {}


def newest_winners(db: sqlite3.Connection, n: int) -> dict[int, str | None]:
    """Return the winners of the newest `n` games by number, oldest first."""
    rows = db.execute("SELECT * FROM game ORDER BY id DESC LIMIT ?", (n + 1,))
    *newest, oldest = [*rows.fetchall(), (0, 0, None, 0)][: n + 1]
    games: dict[int, str | None] = {}
    last = oldest[0]
    for row in reversed(newest):
        game, end, winners, _ = row
        if RecordEnd(end, 0, winners, last).row(game) != row:
            raise DamagedRecord
        last = game
        games[game] = winners
    return games


def read_entries(db: sqlite3.Connection, game: int) -> tuple[list[Entry], RecordEnd]:
    """Return all lines of a game (none if it does not exist) and its end."""
    entries: list[Entry] = []
    check = 0
    rows = db.execute(
        "SELECT id, line FROM entry WHERE id BETWEEN ? AND ? ORDER BY id",
        (game << LINE_NUMBER_BITS, (game + 1 << LINE_NUMBER_BITS) - 1),
    )
    for n, (_, text) in enumerate(rows):
        entry, check = decode_line(text, game, n, check)
        entries.append(entry)
    query = "SELECT coalesce(max(id), 0) FROM game WHERE id < ?"
    (before,) = db.execute(query, (game,)).fetchone()
    head = RecordEnd(len(entries) - 1, check, winners_of(entries), before)
    row = db.execute("SELECT * FROM game WHERE id = ?", (game,)).fetchone()
    if row != (head.row(game) if entries else None):
        raise DamagedRecord
    return entries, head


def read_summary(db: sqlite3.Connection, game: int) -> Summary | None:
    """Return the entry of a game in the list of games; None if it does not exist."""
    row = db.execute("SELECT head, winners FROM game WHERE id = ?", (game,)).fetchone()
    if row is None:
        return None
    end, won = row
    began = read_first_entry(db, game)
    last = decode_unchecked(read_line(db, game, end))
    players, winners = tuple(began.value["players"]), won and tuple(json.loads(won))
    name, package = began.value["game"], began.value.get("package")
    options, whole = began.value.get("options", {}), began.value.get("seed", "") is not None
    programs = {who: program["level"] for who, program in began.value.get("programs", {}).items()}
    return Summary(
        game, name, players, began.at, last.at, winners, package, options, whole, programs
    )


def read_first_entry(db: sqlite3.Connection, game: int) -> Entry:
    """Return the first line of a game, whose value is the header."""
    header, _ = decode_line(read_line(db, game, 0), game, 0, 0)
    return header


def read_ends(db: sqlite3.Connection, before: int, n: int) -> list[tuple[int, int, str]]:
    """Return the newest `n` games before a number, oldest first; all if n < 0.

    Each is its number, the number of its last line, and that line's checksum as stored.
    """
    ends = db.execute(
        "SELECT game.id, head, substr(line, 1, 8) FROM game"
        " JOIN entry ON entry.id = (game.id << ? | head)"
        " WHERE game.id < ? ORDER BY game.id DESC LIMIT ?",
        (LINE_NUMBER_BITS, before, n),
    ).fetchall()
    return ends[::-1]


def change_mark(db: sqlite3.Connection) -> str:
    """Return a text that changes with every line added and with every other file."""
    sums = db.execute("SELECT count(*), max(id), sum(head), sum(checksum) FROM game").fetchone()
    newest = db.execute("SELECT substr(line, 1, 8) FROM entry ORDER BY id DESC LIMIT 1").fetchone()
    return " ".join(map(str, (*sums, newest)))


def read_line(db: sqlite3.Connection, game: int, n: int) -> str:
    """Return a line of a game as stored."""
    query = "SELECT line FROM entry WHERE id = ?"
    (text,) = db.execute(query, (game << LINE_NUMBER_BITS | n,)).fetchone() or (None,)
    if not isinstance(text, str):
        raise DamagedRecord
    return text


def last_line_number(db: sqlite3.Connection, game: int) -> int | None:
    """Return the number of a game's last line; None if the game does not exist."""
    row = db.execute("SELECT head FROM game WHERE id = ?", (game,)).fetchone()
    return None if row is None else int(row[0])


def last_game(db: sqlite3.Connection) -> int:
    """Return the game of the very last line; 0 if there is none."""
    (row_id,) = db.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
    return int(row_id) >> LINE_NUMBER_BITS


def read_settings(db: sqlite3.Connection) -> dict[str, Any]:
    """Return all settings by key."""
    settings = {}
    for key, text in db.execute("SELECT key, line FROM setting"):
        entry, _ = decode_line(text, 0, 0, 0)
        if entry.question != key:
            raise DamagedRecord
        settings[key] = entry.value
    return settings
