"""The durable list of answers of every game ever played on this box.

A row is one line of text with a checksum that chains it to the line before. SQLite (WAL, one sync
a commit) keeps the rows; what SQLite can no longer read after damage, a scan of the raw bytes can.
Beside the file lies its lock, `<file>-lock`: it also holds a bookmark of the last committed line,
so that a record which was cut short is noticed even if what is left of it looks whole.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.record.entry import (
    BITS,
    ODD,
    Damaged,
    Entry,
    Head,
    decode,
    encode,
    glance,
    winners_of,
)
from companion.record.repair import Repair, aside_of, building_of, drop, let_go, set_aside
from companion.record.scan import settings, size_of
from companion.record.store import (
    SCHEMA,
    VERSION,
    JournalError,
    connect,
    explained,
    is_damage,
    prepare,
    take_lock,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from companion.core.prompts import Answer

__all__ = ["NEWEST", "VERSION", "Damage", "Entry", "Journal", "JournalError", "Summary"]

NEWEST: Final = 250
"""So many games are looked at when the file is opened."""
PLACE: Final = 22
"""The length of a bookmark; behind it stands, if need be, that the file is to be repaired."""
REPAIR: Final = b"repair"
REPAIRED: Final = "repaired"
"""A setting that is none: the damage that was repaired, until a box has told it."""


class Summary(NamedTuple):
    """A game in the list of games. `winners` is None while it can go on; times in seconds.

    `package` is the one that the game is from; None for a built-in game.
    """

    id: int
    game: str
    players: tuple[str, ...]
    started: int
    last: int
    winners: tuple[str, ...] | None
    package: str | None = None


class Damage(NamedTuple):
    """What was found damaged: lines kept, at least so many lost, and the file set aside."""

    kept: int
    lost: int
    file: str


class Journal:
    """Games and settings in one file; in memory, and gone afterwards, if `path` is None.

    Opening a damaged file sets it aside under a dated name, keeps what can be read, and says so in
    `damage`; `tell` hears how far that is, in percent. `untold` is what no box has told its players
    yet. Raises JournalError if another companion has the file, or a newer one wrote it.
    """

    def __init__(
        self, path: Path | None, now: int = 0, tell: Callable[[int], None] = lambda _: None
    ) -> None:
        self.damage: Damage | None = None
        self.untold: Damage | None = None
        self.was_empty = False
        self._path, self._tell = path, tell
        self._heads: dict[int, Head] = {}
        self._settings: dict[str, Any] = {}
        self._lock = -1
        if path is None:
            self._db = connect(":memory:")
            self._db.executescript(SCHEMA)
            return
        self._lock = take_lock(path)
        try:
            self._open(path, now)
        except BaseException:
            self.close()
            raise

    def _open(self, path: Path, now: int) -> None:
        if building_of(path).exists() and not path.exists():  # a repair was cut at its very end
            set_aside(path, aside_of(path, now))
            building_of(path).rename(path)
        size, log = size_of(path), size_of(f"{path}-wal")
        self.was_empty = path.exists() and not size
        try:
            if log and not size:
                raise Damaged  # SQLite would throw the log of an empty file away
            self._use(path, new=not size)
            self._verify()
        except ODD as error:
            if isinstance(error, sqlite3.OperationalError) and not is_damage(error, path):
                raise explained(error, path) from error
            try:
                self._rescue(path, now)
            except (sqlite3.Error, OSError) as failed:
                raise explained(failed, path) from failed
        else:
            if building_of(path).exists():  # by a repair of a file that somebody put right since
                drop(path)

    def _use(self, path: Path, *, new: bool) -> None:
        """Open or make the file. Raises one of ODD, or JournalError if it is newer."""
        self._db = connect(str(path))
        prepare(self._db, path, new=new)

    # --- games ---

    def begin(self, header: dict[str, Any], entries: Iterable[Entry], now: int) -> int:
        """Write a new game down, header and first lines; its number. Raises JournalError."""
        with self._careful():
            (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
            game = int(last) + 1
        self._heads[game] = Head(-1, 0, None, game - 1 and last)
        try:
            self.append(game, [Entry("game", value=header, at=now), *entries])
        except JournalError:
            del self._heads[game]
            raise
        return game

    def append(self, game: int, entries: Iterable[Entry]) -> None:
        """Write entries of one game down with one sync. Raises JournalError; then nothing is."""
        entries = tuple(entries)
        if not entries:
            return
        with self._careful(game):
            head = self._head(game)
        rows, n, check = [], head.n, head.checksum
        for n, entry in enumerate(entries, head.n + 1):
            line, check = encode(game, n, entry, check)
            rows.append((game << BITS | n, line))
        head = Head(n, check, winners_of(entries, head.winners), head.before)
        with self._careful(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO entry VALUES (?, ?)", rows)
            self._db.execute("REPLACE INTO game VALUES (?, ?, ?, ?)", head.row(game))
        self._heads[game] = head
        self._bookmark(game, n)

    def read(self, game: int) -> tuple[dict[str, Any], list[Entry]]:
        """The header and the lines of a game. Raises JournalError if there is no such game."""
        with self._careful(game):
            entries = self._checked(game)
        if not entries:
            raise JournalError(f"There is no game {game}: `companion history` lists them.")
        return entries[0].value, entries[1:]

    def summary(self, game: int) -> Summary:
        """What the list of games says of one game. Raises JournalError."""
        with self._careful(game):
            row = self._db.execute(
                "SELECT head, winners FROM game WHERE id = ?", (game,)
            ).fetchone()
            if row is None:
                raise JournalError(f"There is no game {game}: `companion history` lists them.")
            end, won = row
            first, _ = decode(self._line(game, 0), game, 0, 0)
            last = glance(self._line(game, end))
            players, winners = tuple(first.value["players"]), won and tuple(json.loads(won))
            name, package = first.value["game"], first.value.get("package")
            return Summary(game, name, players, first.at, last.at, winners, package)

    def unfinished(self) -> list[int]:
        """The numbers of the newest games that can go on, newest first. Raises JournalError."""
        with self._careful():
            newest = self._newest()
        return sorted((game for game, winners in newest.items() if winners is None), reverse=True)

    def games(self) -> list[int]:
        """The numbers of all games, newest first. Raises JournalError."""
        with self._careful():
            return [game for (game,) in self._db.execute("SELECT id FROM game ORDER BY id DESC")]

    # --- settings ---

    def settings(self) -> dict[str, Any]:
        """What was set, by key."""
        return dict(self._settings)

    def set(self, key: str, value: Answer, now: int) -> None:
        """Remember a setting. Raises JournalError."""
        self.set_all({key: value}, now)

    def set_all(self, values: Mapping[str, Answer], now: int) -> None:
        """Remember settings that belong together. Raises JournalError; then none of them is."""
        lines = [
            (key, encode(0, 0, Entry("setting", key, None, value, now), 0)[0])
            for key, value in values.items()
        ]
        with self._careful(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("REPLACE INTO setting VALUES (?, ?)", lines)
        self._settings |= values

    def told(self) -> None:
        """The players know of the repair now. Raises JournalError."""
        with self._careful(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("DELETE FROM setting WHERE key = ?", (REPAIRED,))
        self.untold = None

    def close(self) -> None:
        """Close the file and give the lock back; safe to call twice."""
        if hasattr(self, "_db"):
            self._db.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    # --- reading with care ---

    @contextmanager
    def _careful(self, game: int | None = None) -> Iterator[None]:
        """Whatever fails in here is a JournalError; damage is repaired at the next start."""
        try:
            yield
        except ODD as error:
            failed = explained(error, self._path, game)
            if failed.code == "damaged":
                self._repair_later()
            raise failed from error

    def _repair_later(self) -> None:
        if self._lock >= 0:
            with suppress(OSError):
                os.pwrite(self._lock, REPAIR, PLACE)

    def _head(self, game: int) -> Head:
        if game not in self._heads:
            self._checked(game)
        return self._heads[game]

    def _checked(self, game: int) -> list[Entry]:
        """All lines of a game, none if there is no such game. Raises one of ODD."""
        entries = self._entries(game)
        row = self._db.execute("SELECT * FROM game WHERE id = ?", (game,)).fetchone()
        if row != (self._heads[game].row(game) if entries else None):
            raise Damaged
        return entries

    def _entries(self, game: int) -> list[Entry]:
        """All lines of a game, checked. Raises one of ODD."""
        entries: list[Entry] = []
        check = 0
        rows = self._db.execute(
            "SELECT id, line FROM entry WHERE id BETWEEN ? AND ? ORDER BY id",
            (game << BITS, (game + 1 << BITS) - 1),
        )
        for n, (_, line) in enumerate(rows):
            entry, check = decode(line, game, n, check)
            entries.append(entry)
        (before,) = self._db.execute(
            "SELECT coalesce(max(id), 0) FROM game WHERE id < ?", (game,)
        ).fetchone()
        self._heads[game] = Head(len(entries) - 1, check, winners_of(entries), before)
        return entries

    def _line(self, game: int, n: int) -> str:
        """A line of a game as it stands. Raises one of ODD."""
        query = "SELECT line FROM entry WHERE id = ?"
        (line,) = self._db.execute(query, (game << BITS | n,)).fetchone() or (None,)
        if not isinstance(line, str):
            raise Damaged
        return line

    def _verify(self) -> None:
        """Read what may be played on, and compare with the bookmark. Raises one of ODD.

        Of the games only the newest are looked at: a long history does not make a start longer.
        """
        marked = self._marked()
        heads = self._newest()
        open_games = {game for game, winners in heads.items() if winners is None}
        for game in open_games | ({marked[0]} if marked else set()):
            self._checked(game)
        (line,) = self._db.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
        if line >> BITS != max(heads, default=0):
            raise Damaged
        if marked and self._heads[marked[0]].n < marked[1]:
            raise Damaged
        self._read_settings()
        if os.pread(self._lock, len(REPAIR), PLACE) == REPAIR:
            raise Damaged

    def _newest(self) -> dict[int, str | None]:
        """The newest games and their winners. Raises one of ODD if one of them is not whole."""
        rows = self._db.execute("SELECT * FROM game ORDER BY id DESC LIMIT ?", (NEWEST + 1,))
        *newest, oldest = [*rows.fetchall(), (0, 0, None, 0)][: NEWEST + 1]
        games: dict[int, str | None] = {}
        last = oldest[0]
        for row in reversed(newest):
            game, n, winners, _ = row
            if Head(n, 0, winners, last).row(game) != row:
                raise Damaged
            last = game
            games[game] = winners
        return games

    def _read_settings(self) -> None:
        self._settings, self.untold = {}, None
        for key, line in self._db.execute("SELECT key, line FROM setting"):
            entry, _ = decode(line, 0, 0, 0)
            if entry.question != key:
                raise Damaged
            if key == REPAIRED:
                self.untold = Damage(*entry.value)
            else:
                self._settings[key] = entry.value

    # --- the bookmark: game and line, written without a sync, so it is never ahead of the disk ---

    def _bookmark(self, game: int, n: int) -> None:
        if self._lock >= 0:
            with suppress(OSError):  # an old bookmark is none the worse
                os.pwrite(self._lock, f"{game:10d} {n:10d}\n".encode(), 0)

    def _marked(self) -> tuple[int, int] | None:
        found = re.fullmatch(rb" *(\d+) +(\d+)\n", os.pread(self._lock, PLACE, 0))
        return (int(found[1]), int(found[2])) if found else None

    # --- damage ---

    def _rescue(self, path: Path, now: int) -> None:
        """Set the damaged file aside and begin a new one with every line that is unharmed.

        Raises sqlite3.Error or OSError if that can not be done; then nothing has changed.
        """
        damaged, marked = getattr(self, "_db", None), self._marked()
        try:
            with closing(Repair(path, damaged, self._tell)) as repair:
                kept, lost = repair.run(marked)
                entries = {str(entry.question): entry for entry in settings(path)}
                if REPAIRED in entries:  # which nobody has been told yet
                    lost += Damage(*entries[REPAIRED].value).lost
                aside = aside_of(path, now)
                self.damage = Damage(kept, lost, aside.name)
                entries[REPAIRED] = Entry("setting", REPAIRED, None, [*self.damage], now)
                repair.finish(entries.values())
        except BaseException as error:
            if isinstance(error, sqlite3.Error | OSError):
                drop(path)
            if damaged is not None:
                let_go(damaged, path)
                del self._db
            raise
        self._repair_later()
        set_aside(path, aside)
        if damaged is not None:
            damaged.close()  # not before: SQLite deletes the log when it closes
        building_of(path).rename(path)
        os.ftruncate(self._lock, 0)
        self._use(path, new=False)
        self._read_settings()
        if marked is not None and (end := self._end(marked[0])) is not None:
            self._bookmark(marked[0], end)

    def _end(self, game: int) -> int | None:
        """A game's last line; None if there is no such game."""
        row = self._db.execute("SELECT head FROM game WHERE id = ?", (game,)).fetchone()
        return None if row is None else int(row[0])
