"""Figures kept beside the record, so that ten thousand games are told at once.

They are derived: rebuilt where they are missing or of another version, and never trusted over the
record, of which each names the end that it was made from.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.figures import group, names, people, played, recorded
from companion.figures.played import figures
from companion.record.reading import FAR
from companion.record.store import connect, has_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from companion.figures.group import Day, Group
    from companion.figures.people import Person
    from companion.figures.played import Detail, Played
    from companion.record.journal import Journal

VERSION: Final = 4
"""Counts up when a figure is made in another way; all are made again then."""
APPLICATION: Final = 0x436F6D66
"""SQLite's application_id: "Comf"."""
SCHEMA: Final = f"""
CREATE TABLE kept(
  game INTEGER PRIMARY KEY, n INTEGER, checksum TEXT, begun INTEGER, played TEXT
) STRICT;
CREATE INDEX begun ON kept(begun);
CREATE TABLE tally(game INTEGER, kind TEXT, who TEXT, what TEXT, n INTEGER) STRICT;
CREATE INDEX of_game ON tally(game);
CREATE INDEX of_who ON tally(who, kind, what, n);
CREATE INDEX of_what ON tally(what);
CREATE TABLE sum(what TEXT PRIMARY KEY, names TEXT, upto INTEGER, text TEXT) STRICT;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""
TABLES: Final = "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')"
BATCH: Final = 100
PAGE: Final = 20
"""Games on a page of the history."""
UNSETTLED_GAMES: Final = 100
"""What games come to together is kept up to so many before the newest, which may still go on."""
DAY: Final = 86_400


class Shelf:
    """The figures of a journal's games; kept in `path`, or in memory alone if it is None.

    What cannot be kept is made each time: nobody plays the worse for it.
    """

    def __init__(self, journal: Journal, path: Path | None) -> None:
        self._journal = journal
        self._mark, self._newest = "", 0
        self._db = _opened(path)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def games(self, tell: Callable[[int], None] = lambda _: None) -> list[Played]:
        """All games as they are called now, oldest first; `tell` hears how many must be made.

        Raises JournalError.
        """
        self._follow(tell)
        return self._read(None)

    def page(self, before: int = FAR) -> list[Played]:
        """The newest games before a number, newest first. Raises JournalError."""
        ends = self._journal.ends(before, PAGE)
        self._catch_up(ends, lambda _: None)
        return [*reversed(self._read([number for number, *_ in ends]))]

    def people(self, tell: Callable[[int], None] = lambda _: None) -> tuple[Person, ...]:
        """Everybody in figures, as `people.people` tells them. Raises JournalError."""
        return people.read(self._sum("people", people.add, [], tell))

    def group(
        self, day: Callable[[int], Day], tell: Callable[[int], None] = lambda _: None
    ) -> Group:
        """The table as a whole; `day` tells a time's day. Raises JournalError."""
        return group.read(self._sum("group", partial(group.add, day=day), {}, tell))

    def a_year_before(self, now: int, day: Callable[[int], Day]) -> list[Played]:
        """Return the games that were begun on this day of last year; none on an unknown day.

        `people` or `group` came before.
        """
        if not now:
            return []
        query = "SELECT played FROM kept WHERE begun BETWEEN ? AND ? ORDER BY game"
        rows = self._db.execute(query, (now - 368 * DAY, now - 363 * DAY))
        return group.a_year_before(self._seen(text for (text,) in rows), day(now), day)

    def _sum(
        self, what: str, add: Callable[[Any, list[Played]], Any], none: Any,
        tell: Callable[[int], None],
    ) -> Any:  # fmt: skip
        """What all games come to together; only the newest are added up anew."""
        newest = self._follow(tell)
        called = _text(sorted(names.load_names(self._journal.settings()).items()))
        query = "SELECT upto, text FROM sum WHERE what = ? AND names = ?"
        row = self._db.execute(query, (what, called)).fetchone()
        upto, state = (row[0], json.loads(row[1])) if row else (0, none)
        settled = (newest // UNSETTLED_GAMES - 1) * UNSETTLED_GAMES
        if settled > upto:
            state, upto = json.loads(_text(add(state, self._between(upto, settled)))), settled
            with self._db:
                self._db.execute(
                    "REPLACE INTO sum VALUES (?, ?, ?, ?)", (what, called, upto, _text(state))
                )
        return json.loads(_text(add(state, self._between(upto, FAR))))

    def figures_of(self, number: int) -> tuple[Played, Detail]:
        """One game in figures, made from the record now. Raises JournalError."""
        found, detail = figures(recorded.load_game(self._journal, number), number)
        (now,) = names.with_current_names((found,), names.load_names(self._journal.settings()))
        called = dict(zip(found.players, now.players, strict=True))
        tally = {
            (called.get(who, who), what): n
            for (who, what), n in detail.tally.items()
            if called.get(who) != names.SOMEBODY
        }
        return now, detail._replace(tally=tally)

    def tally_of(self, name: str) -> Counter[tuple[str, str]]:
        """What was counted of a person, by game and figure. `people` was called before."""
        known = names.load_names(self._journal.settings())
        spelt = {name, *(key.partition(":")[2] or key for key, to in known.items() if to == name)}
        found = Counter[tuple[str, str]]()
        for one in spelt:
            is_mine = known.get(one, one) == name
            if is_mine:
                found.update(self._counted(one))
            parted = (key.partition(":") for key in known)
            for game in (int(n) for n, _, of in parted if of == one and n.isdecimal()):
                if (names.current_name(known, one, game) == name) != is_mine:
                    (found.subtract if is_mine else found.update)(self._counted(one, game))
        return +found

    def _counted(self, who: str, game: int | None = None) -> dict[tuple[str, str], int]:
        """What was counted of a name as it was played with, in all games or in one."""
        one, given = ("", (who,)) if game is None else (" AND game = ?", (who, game))
        query = f"""SELECT kind, what, sum(n) FROM tally
            WHERE who = ? AND what NOT LIKE '%:%'{one} GROUP BY kind, what"""  # noqa: S608 - ours
        return {(kind, what): n for kind, what, n in self._db.execute(query, given)}

    def hardest(self, n: int = 3) -> list[tuple[str, int]]:
        """The words of which most letters were asked, and how many. `people` was called before."""
        query = (
            "SELECT substr(what, 6), max(n) FROM tally WHERE what BETWEEN 'word:' AND 'word;'"
            " GROUP BY what ORDER BY max(n) DESC, what LIMIT ?"
        )
        return self._db.execute(query, (n,)).fetchall()

    def _read(self, numbers: list[int] | None) -> list[Played]:
        """The kept figures of some games, or of all."""
        if numbers is None:
            return self._between(0, FAR)
        query = "SELECT played FROM kept WHERE game = ?"
        found = (self._db.execute(query, (number,)).fetchone() for number in numbers)
        return self._seen(text for (text,) in filter(None, found))

    def _between(self, after: int, last: int) -> list[Played]:
        """The kept figures of the games after a number, up to another."""
        query = "SELECT played FROM kept WHERE game > ? AND game <= ? ORDER BY game"
        return self._seen(text for (text,) in self._db.execute(query, (after, last)))

    def _seen(self, rows: Iterable[str]) -> list[Played]:
        """Games as they were kept, with everybody as they are called now."""
        games = (played.read(row) for row in json.loads(f"[{','.join(rows)}]"))
        return [*names.with_current_names(games, names.load_names(self._journal.settings()))]

    def _follow(self, tell: Callable[[int], None]) -> int:
        """Make what is missing of all games, and drop what is of none; the newest one's number.

        It is done once, as long as nothing is added to the record.
        """
        mark = self._journal.mark()
        if mark != self._mark:
            ends = self._journal.ends()
            self._catch_up(ends, tell)
            self._sweep({number for number, *_ in ends})
            self._mark, self._newest = mark, max((number for number, *_ in ends), default=0)
        return self._newest

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
                self._db.execute("DELETE FROM sum WHERE upto >= ?", (min(missing)[0],))
                for played_row, tally in rows:
                    self._db.execute("DELETE FROM tally WHERE game = ?", played_row[:1])
                    self._db.execute("REPLACE INTO kept VALUES (?, ?, ?, ?, ?)", played_row)
                    self._db.executemany("INSERT INTO tally VALUES (?, ?, ?, ?, ?)", tally)

    def _sweep(self, there: set[int]) -> None:
        """Drop what is of no game any more."""
        gone = [row for row in self._db.execute("SELECT game FROM kept") if row[0] not in there]
        if gone:
            with self._db:
                self._db.execute("DELETE FROM sum WHERE upto >= ?", min(gone))
                self._db.executemany("DELETE FROM kept WHERE game = ?", gone)
                self._db.executemany("DELETE FROM tally WHERE game = ?", gone)

    def _row(self, number: int, n: int, checksum: str) -> tuple[tuple[Any, ...], list[Any]]:
        found, detail = figures(recorded.load_game(self._journal, number), number)
        tally = [(number, found.game, *key, count) for key, count in detail.tally.items()]
        return (number, n, checksum, found.begun, _text(found)), tally


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _opened(path: Path | None) -> sqlite3.Connection:
    """The file, made anew if it cannot be read; memory where there can be none."""
    if path is not None:
        try:
            return _kept(str(path))
        except sqlite3.Error as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:  # else it is another's
                with suppress(OSError, sqlite3.Error):
                    for tail in ("", "-journal"):
                        path.with_name(path.name + tail).unlink(missing_ok=True)
                    return _kept(str(path))
    return _kept(":memory:")


def _kept(path: str) -> sqlite3.Connection:
    """A file whose tables are of this version: whoever opens it beside us finds them, or waits."""
    db = connect(path)
    try:
        db.execute("BEGIN IMMEDIATE")
        if not _is_ours(db):
            for kind, name in db.execute(TABLES).fetchall():
                db.execute(f'DROP {kind} "{name}"')
            for statement in SCHEMA.split(";"):
                db.execute(statement)
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db


def _is_ours(db: sqlite3.Connection) -> bool:
    """Whether a file is one of figures, of this version, and can be read."""
    with suppress(sqlite3.Error, TypeError):
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        found = db.execute(
            "SELECT max(length(played)), (SELECT max(n) FROM tally) FROM kept"
        ).fetchall()
        is_this = (application, version) == (APPLICATION, VERSION) and has_schema(db, SCHEMA)
        return bool(is_this and found)
    return False
