"""Figures kept beside the record, so that ten thousand games are told at once.

They are derived: rebuilt where they are missing or of another version, and never trusted over the
record, of which each names the end that it was made from.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from companion.figures import names, recorded
from companion.figures.played import Played, figures
from companion.record.store import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from companion.figures.played import Detail
    from companion.record.journal import Journal

VERSION: Final = 1
"""Counts up when a figure is made in another way; all are made again then."""
APPLICATION: Final = 0x436F6D66
"""SQLite's application_id: "Comf"."""
SCHEMA: Final = f"""
CREATE TABLE kept(
  game INTEGER PRIMARY KEY, n INTEGER, checksum TEXT, played TEXT, tally TEXT
) STRICT;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""
BATCH: Final = 100
PAGE: Final = 20
"""Games on a page of the history."""


class Shelf:
    """The figures of a journal's games; kept in `path`, or in memory alone if it is None.

    What can not be kept is made each time: nobody plays the worse for it.
    """

    def __init__(self, journal: Journal, path: Path | None) -> None:
        self._journal = journal
        self._db = connect(":memory:" if path is None else str(path))
        if not _is_ours(self._db):
            self._db.close()
            self._db = _begun(path)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def games(self, tell: Callable[[int], None] = lambda _: None) -> list[Played]:
        """All games as they are called now, oldest first; `tell` hears how many must be made.

        Raises JournalError.
        """
        self._catch_up(self._journal.ends(), tell)
        return self._read(None)

    def page(self, before: int | None = None) -> list[Played]:
        """The newest games, or those before a number, newest first. Raises JournalError."""
        ends = [end for end in self._journal.ends() if before is None or end[0] < before][-PAGE:]
        self._catch_up(ends, lambda _: None)
        return [*reversed(self._read({number for number, *_ in ends}))]

    def of(self, number: int) -> tuple[Played, Detail]:
        """One game in figures, made from the record now. Raises JournalError."""
        played, detail = figures(recorded.of(self._journal, number), number)
        (played,) = names.seen((played,), names.known(self._journal.settings()))
        return played, detail

    def tally(self, numbers: Iterable[int]) -> Counter[tuple[str, str, str]]:
        """What was counted in some games, by game, player and figure. `games` was called before."""
        wanted, found = {*numbers}, Counter[tuple[str, str, str]]()
        rows = self._db.execute("SELECT game, tally FROM kept")
        texts = ",".join(text for number, text in rows if number in wanted)
        for kind, counts in json.loads(f"[{texts}]"):
            for who, what, n in counts:
                found[kind, who, what] += n
        return found

    def _read(self, numbers: set[int] | None) -> list[Played]:
        """The kept figures of some games, or of all."""
        rows = self._db.execute("SELECT game, played FROM kept ORDER BY game")
        texts = [text for game, text in rows if numbers is None or game in numbers]
        games = map(_played, json.loads(f"[{','.join(texts)}]"))
        return [*names.seen(games, names.known(self._journal.settings()))]

    def _catch_up(self, ends: list[tuple[int, int, str]], tell: Callable[[int], None]) -> None:
        """Make what is missing of these games, and drop what is of no game."""
        kept = {*self._db.execute("SELECT game, n, checksum FROM kept")}
        missing = [end for end in ends if end not in kept]
        gone = {game for game, *_ in kept} - {*self._journal.games()}
        for at in range(0, len(missing), BATCH):
            tell(len(missing) - at)
            self._keep([self._row(*end) for end in missing[at : at + BATCH]], set())
        if gone:
            self._keep([], gone)

    def _row(self, number: int, n: int, checksum: str) -> tuple[int, int, str, str, str]:
        played, detail = figures(recorded.of(self._journal, number), number)
        tally = [[who, what, count] for (who, what), count in detail.tally.items()]
        return number, n, checksum, _text(list(played)), _text([played.game, tally])

    def _keep(self, rows: list[tuple[int, int, str, str, str]], gone: set[int]) -> None:
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("REPLACE INTO kept VALUES (?, ?, ?, ?, ?)", rows)
            self._db.executemany("DELETE FROM kept WHERE game = ?", [(game,) for game in gone])


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _played(row: list[Any]) -> Played:
    """A game in figures as it was kept: its lists are tuples again."""
    return Played._make(tuple(value) if isinstance(value, list) else value for value in row)


def _is_ours(db: sqlite3.Connection) -> bool:
    """Whether a file is one of figures, of this version, and can be read and written."""
    with suppress(sqlite3.Error, TypeError):
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        found = db.execute("SELECT count(*), max(length(tally)) FROM kept").fetchall()
        db.execute("BEGIN IMMEDIATE")
        db.execute("ROLLBACK")
        return bool((application, version) == (APPLICATION, VERSION) and found)
    return False


def _begun(path: Path | None) -> sqlite3.Connection:
    """A new file, or memory where there can be none."""
    if path is not None:
        with suppress(OSError, sqlite3.Error):
            for tail in ("", "-journal"):
                path.with_name(path.name + tail).unlink(missing_ok=True)
            db = connect(str(path))
            db.executescript(SCHEMA)
            return db
    db = connect(":memory:")
    db.executescript(SCHEMA)
    return db
