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

from companion.figures import names, people, recorded
from companion.figures.played import Played, figures
from companion.record.reading import FAR
from companion.record.store import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from companion.figures.people import Person
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
CREATE TABLE page(of TEXT, text TEXT) STRICT;
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
        ends = self._journal.ends()
        self._catch_up(ends, tell)
        self._sweep({number for number, *_ in ends})
        return self._read(None)

    def page(self, before: int = FAR) -> list[Played]:
        """The newest games before a number, newest first. Raises JournalError."""
        ends = self._journal.ends(before, PAGE)
        self._catch_up(ends, lambda _: None)
        return [*reversed(self._read([number for number, *_ in ends]))]

    def people(self, tell: Callable[[int], None] = lambda _: None) -> tuple[Person, ...]:
        """Everybody in figures, as `people.people` tells them. Raises JournalError."""
        names_now = sorted(names.known(self._journal.settings()).items())
        of = _text([self._journal.mark(), names_now])
        row = self._db.execute("SELECT text FROM page WHERE of = ?", (of,)).fetchone()
        if row is not None:
            return people.read(json.loads(row[0]))
        found = people.people(self.games(tell))
        with self._db:
            self._db.execute("DELETE FROM page")
            self._db.execute("INSERT INTO page VALUES (?, ?)", (of, _text(found)))
        return found

    def of(self, number: int) -> tuple[Played, Detail]:
        """One game in figures, made from the record now. Raises JournalError."""
        played, detail = figures(recorded.of(self._journal, number), number)
        (now,) = names.seen((played,), names.known(self._journal.settings()))
        called = dict(zip(played.players, now.players, strict=True))
        tally = {
            (called.get(who, who), what): n
            for (who, what), n in detail.tally.items()
            if called.get(who) != names.SOMEBODY
        }
        return now, detail._replace(tally=tally)

    def tally(self, numbers: Iterable[int]) -> Counter[tuple[str, str, str]]:
        """What was counted in some games, by game, player and figure. `games` was called before."""
        found = Counter[tuple[str, str, str]]()
        texts = ",".join(self._kept("tally", [*numbers]))
        for kind, counts in json.loads(f"[{texts}]"):
            for who, what, n in counts:
                found[kind, who, what] += n
        return found

    def _read(self, numbers: list[int] | None) -> list[Played]:
        """The kept figures of some games, or of all."""
        rows = self._kept("played", numbers)
        games = (_played(*row) for row in json.loads(f"[{','.join(rows)}]"))
        return [*names.seen(games, names.known(self._journal.settings()))]

    def _kept(self, column: str, numbers: list[int] | None) -> list[str]:
        """A column of some games, or of all, oldest first."""
        if numbers is None:
            rows = self._db.execute(f"SELECT {column} FROM kept ORDER BY game")  # noqa: S608 - ours
            return [text for (text,) in rows]
        query = f"SELECT {column} FROM kept WHERE game = ?"  # noqa: S608 - likewise
        found = (self._db.execute(query, (number,)).fetchone() for number in numbers)
        return [row[0] for row in found if row is not None]

    def _catch_up(self, ends: list[tuple[int, int, str]], tell: Callable[[int], None]) -> None:
        """Make what is missing of these games."""
        if len(ends) > PAGE:
            kept = {*self._db.execute("SELECT game, n, checksum FROM kept")}
        else:
            query = "SELECT game, n, checksum FROM kept WHERE game = ?"
            kept = {self._db.execute(query, (game,)).fetchone() for game, *_ in ends}
        missing = [end for end in ends if end not in kept]
        for at in range(0, len(missing), BATCH):
            tell(len(missing) - at)
            rows = [self._row(*end) for end in missing[at : at + BATCH]]
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("REPLACE INTO kept VALUES (?, ?, ?, ?, ?)", rows)

    def _sweep(self, there: set[int]) -> None:
        """Drop what is of no game any more."""
        gone = [row for row in self._db.execute("SELECT game FROM kept") if row[0] not in there]
        with self._db:
            self._db.executemany("DELETE FROM kept WHERE game = ?", gone)

    def _row(self, number: int, n: int, checksum: str) -> tuple[int, int, str, str, str]:
        played, detail = figures(recorded.of(self._journal, number), number)
        tally = [[who, what, count] for (who, what), count in detail.tally.items()]
        return number, n, checksum, _text(list(played)), _text([played.game, tally])


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _played(
    number: int, id_: str, game: str, players: list[str], begun: int, ended: int | None,
    winners: list[str], scores: list[int], *rest: Any,
) -> Played:  # fmt: skip
    """A game in figures as it was kept: its lists are tuples again."""
    first, seconds, answers, undone, corrected, faces, leads, decided = rest
    return Played(
        number, id_, game, tuple(players), begun, ended, tuple(winners), tuple(scores),
        first, seconds, answers, undone, corrected, tuple(faces), leads, decided,
    )  # fmt: skip


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
