"""Functions that read and check a record's database rows.

The functions raise one of DAMAGE_ERRORS if a row is damaged.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.record.entry import (
    LINE_NUMBER_BITS,
    DamagedRecordError,
    Entry,
    GameRecordEnd,
    decode_record_line,
    decode_record_line_unchecked,
    winners_from_entries,
)

ABOVE_EVERY_GAME_NUMBER: Final = 1 << 39
"""A number greater than all valid game numbers."""


class GameSummary(NamedTuple):
    """The summary of a game, for the list of games.

    - `id`: the number of the game.
    - `started`, `last`: the times of the game's first and last line, in seconds since 1970.
    - `winners`: the names of the winners; None if the game is unfinished.
    - `package`: the package that added the game; None for a built-in game.
    - `options`: the house rules that the players chose at the start.
    - `has_seed`: whether the record contains the game's seed, without which the game cannot
      continue.
    - `programs`: the level of each computer player at the start, by player.
    """

    id: int
    game: str
    players: tuple[str, ...]
    started: int
    last: int
    winners: tuple[str, ...] | None
    package: str | None = None
    options: Mapping[str, str] = {}
    has_seed: bool = True
    programs: Mapping[str, str] = {}


def read_winners_of_newest_games(db: sqlite3.Connection, n: int) -> dict[int, str | None]:
    """Return the winners of the newest `n` games, by the number of the game.

    The oldest game comes first. The winners are a JSON list, or None if the game is unfinished.
    """
    rows = db.execute("SELECT * FROM game ORDER BY id DESC LIMIT ?", (n + 1,))
    *newest, oldest = [*rows.fetchall(), (0, 0, None, 0)][: n + 1]
    games: dict[int, str | None] = {}
    last = oldest[0]
    for row in reversed(newest):
        game, end, winners, _ = row
        if GameRecordEnd(end, 0, winners, last).as_table_row(game) != row:
            raise DamagedRecordError
        last = game
        games[game] = winners
    return games


def read_game_entries(db: sqlite3.Connection, game: int) -> tuple[list[Entry], GameRecordEnd]:
    """Return all lines of a game, and the data about the last line.

    If the game does not exist, return no lines.
    """
    entries: list[Entry] = []
    check = 0
    rows = db.execute(
        "SELECT id, line FROM entry WHERE id BETWEEN ? AND ? ORDER BY id",
        (game << LINE_NUMBER_BITS, (game + 1 << LINE_NUMBER_BITS) - 1),
    )
    for n, (_, text) in enumerate(rows):
        entry, check = decode_record_line(text, game, n, check)
        entries.append(entry)
    query = "SELECT coalesce(max(id), 0) FROM game WHERE id < ?"
    (before,) = db.execute(query, (game,)).fetchone()
    head = GameRecordEnd(len(entries) - 1, check, winners_from_entries(entries), before)
    row = db.execute("SELECT * FROM game WHERE id = ?", (game,)).fetchone()
    if row != (head.as_table_row(game) if entries else None):
        raise DamagedRecordError
    return entries, head


def read_game_summary(db: sqlite3.Connection, game: int) -> GameSummary | None:
    """Return the summary of a game for the list of games; None if the game does not exist."""
    row = db.execute("SELECT head, winners FROM game WHERE id = ?", (game,)).fetchone()
    if row is None:
        return None
    end, won = row
    began = read_first_entry_of_game(db, game)
    last = decode_record_line_unchecked(read_stored_line(db, game, end))
    players, winners = tuple(began.value["players"]), won and tuple(json.loads(won))
    name, package = began.value["game"], began.value.get("package")
    options, whole = began.value.get("options", {}), began.value.get("seed", "") is not None
    programs = {who: program["level"] for who, program in began.value.get("programs", {}).items()}
    return GameSummary(
        game, name, players, began.at, last.at, winners, package, options, whole, programs
    )


def read_first_entry_of_game(db: sqlite3.Connection, game: int) -> Entry:
    """Return the first line of a game, whose `value` is the header."""
    header, _ = decode_record_line(read_stored_line(db, game, 0), game, 0, 0)
    return header


def read_newest_game_record_ends(
    db: sqlite3.Connection, before: int, n: int
) -> list[tuple[int, int, str]]:
    """Return the ends of the newest `n` games, the oldest game first.

    An end consists of the game's number, the last line's number, and the last line's checksum as
    text. If `n` is negative, return the ends of all games.

    before: a game number. Only games with smaller numbers are examined.
    """
    ends = db.execute(
        "SELECT game.id, head, substr(line, 1, 8) FROM game"
        " JOIN entry ON entry.id = (game.id << ? | head)"
        " WHERE game.id < ? ORDER BY game.id DESC LIMIT ?",
        (LINE_NUMBER_BITS, before, n),
    ).fetchall()
    return ends[::-1]


def read_change_fingerprint(db: sqlite3.Connection) -> str:
    """Return a text that changes when a line is added or the record file is replaced."""
    sums = db.execute("SELECT count(*), max(id), sum(head), sum(checksum) FROM game").fetchone()
    newest = db.execute("SELECT substr(line, 1, 8) FROM entry ORDER BY id DESC LIMIT 1").fetchone()
    return " ".join(map(str, (*sums, newest)))


def read_stored_line(db: sqlite3.Connection, game: int, n: int) -> str:
    """Return the text of line `n` of a game as stored, including its checksum."""
    query = "SELECT line FROM entry WHERE id = ?"
    (text,) = db.execute(query, (game << LINE_NUMBER_BITS | n,)).fetchone() or (None,)
    if not isinstance(text, str):
        raise DamagedRecordError
    return text


def last_line_number_of_game(db: sqlite3.Connection, game: int) -> int | None:
    """Return the line number of a game's last line; None if the game does not exist."""
    row = db.execute("SELECT head FROM game WHERE id = ?", (game,)).fetchone()
    return None if row is None else int(row[0])


def last_game_number(db: sqlite3.Connection) -> int:
    """Return the highest number of a game that has lines; 0 if there are no games."""
    (row_id,) = db.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
    return int(row_id) >> LINE_NUMBER_BITS


def read_settings(db: sqlite3.Connection) -> dict[str, Any]:
    """Return the values of all settings in the record by key."""
    settings = {}
    for key, text in db.execute("SELECT key, line FROM setting"):
        entry, _ = decode_record_line(text, 0, 0, 0)
        if entry.question != key:
            raise DamagedRecordError
        settings[key] = entry.value
    return settings
