"""A cache file beside the record file, with the statistics of all games.

For each game, the cache stores the number and the checksum of the last line. If the last line of
the game in the record is different, the statistics of the game are computed again. With the cache,
the statistics of ten thousand games appear quickly.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from companion.figures import game_statistics, group, names, people, recorded
from companion.figures.game_statistics import (
    GameStatistics,
    ReplayStatistics,
    recorded_game_statistics,
)
from companion.figures.group import Day, GroupStatistics
from companion.figures.people import PersonStatistics
from companion.record.journal import Journal
from companion.record.reading import ABOVE_EVERY_GAME_NUMBER
from companion.record.schema import connect_to_database, has_exact_schema

VERSION: Final = 5
"""The version of the cache. Increase the version if a statistic is computed differently."""
APPLICATION_ID: Final = 0x436F6D66
"""The application_id of SQLite files that are caches: the letters "Comf"."""
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
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""
TABLES_QUERY: Final = "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view')"
GAMES_PER_TRANSACTION: Final = 100
GAMES_PER_PAGE: Final = 20
"""The number of games on one page of the list of past games."""
MIN_UNCACHED_GAMES: Final = 100
"""The minimum number of newest games that cached totals leave out.

The newest games may continue, and then have other totals.
"""
DAY_SECONDS: Final = 86_400


class StatisticsCache:
    """The cached statistics of the games in a record.

    `path`: the cache file. If `path` is None or the file cannot be written, the cache is in memory.
    """

    def __init__(self, journal: Journal, path: Path | None) -> None:
        self._journal = journal
        self._mark, self._newest = "", 0
        self._db = _opened(path)

    def close(self) -> None:
        """Close the cache file."""
        self._db.close()

    def all_game_statistics(
        self, tell: Callable[[int], None] = lambda _: None
    ) -> list[GameStatistics]:
        """Return the statistics of all games, oldest first, with the players' present names.

        `tell`: the callback that receives the number of games whose statistics are not computed
        yet. Raise JournalError if the record cannot be read.
        """
        self._follow(tell)
        return self._read(None)

    def history_statistics_page(
        self, before: int = ABOVE_EVERY_GAME_NUMBER
    ) -> list[GameStatistics]:
        """Return statistics of up to GAMES_PER_PAGE games numbered below `before`, newest first.

        Raise JournalError if the record cannot be read.
        """
        ends = self._journal.ends_of_newest_games(before, GAMES_PER_PAGE)
        self._catch_up(ends, lambda _: None)
        return [*reversed(self._read([number for number, *_ in ends]))]

    def people_statistics(
        self, tell: Callable[[int], None] = lambda _: None
    ) -> tuple[PersonStatistics, ...]:
        """Return the statistics of each person. Raise JournalError if the record cannot be read."""
        return people.people_statistics_from_json(
            self._sum("people", people.people_statistics_after_games, [], tell)
        )

    def group_statistics(
        self, day: Callable[[int], Day], tell: Callable[[int], None] = lambda _: None
    ) -> GroupStatistics:
        """Return the statistics of all players together.

        `day`: the function that returns the local date of a time (s since 1970). Raise JournalError
        if the record cannot be read.
        """
        return group.group_statistics_from_json(
            self._sum("group", partial(group.group_statistics_after_games, day=day), {}, tell)
        )

    def list_games_one_year_ago(self, now: int, day: Callable[[int], Day]) -> list[GameStatistics]:
        """Return the games that began on the same date one year before `now` (s since 1970).

        If `now` is 0 (unknown), return no game. Call `people_statistics` first, because
        `people_statistics` updates the cache.
        """
        if not now:
            return []
        query = "SELECT played FROM kept WHERE begun BETWEEN ? AND ? ORDER BY game"
        rows = self._db.execute(query, (now - 368 * DAY_SECONDS, now - 363 * DAY_SECONDS))
        return group.games_one_year_ago(self._seen(text for (text,) in rows), day(now), day)

    def _sum(
        self, what: str, add: Callable[[Any, list[GameStatistics]], Any], none: Any,
        tell: Callable[[int], None],
    ) -> Any:  # fmt: skip
        """Return the totals over all games, and cache the totals over older games.

        - `what`: the name of the totals in the cache.
        - `add`: the function that adds games to totals.
        - `none`: the totals before the first game.
        """
        newest = self._follow(tell)
        called = _text(sorted(names.load_current_names_table(self._journal.all_settings()).items()))
        query = "SELECT upto, text FROM sum WHERE what = ? AND names = ?"
        row = self._db.execute(query, (what, called)).fetchone()
        upto, state = (row[0], json.loads(row[1])) if row else (0, none)
        settled = (newest // MIN_UNCACHED_GAMES - 1) * MIN_UNCACHED_GAMES
        if settled > upto:
            state, upto = json.loads(_text(add(state, self._between(upto, settled)))), settled
            with self._db:
                self._db.execute(
                    "REPLACE INTO sum VALUES (?, ?, ?, ?)", (what, called, upto, _text(state))
                )
        return json.loads(_text(add(state, self._between(upto, ABOVE_EVERY_GAME_NUMBER))))

    def compute_game_statistics(self, number: int) -> tuple[GameStatistics, ReplayStatistics]:
        """Compute and return the statistics of the game `number`, with the players' present names.

        Raise JournalError if the game cannot be read.
        """
        found, detail = recorded_game_statistics(
            recorded.load_recorded_game(self._journal, number), number
        )
        (now,) = names.games_with_current_names(
            (found,), names.load_current_names_table(self._journal.all_settings())
        )
        called = dict(zip(found.players, now.players, strict=True))
        tally = {
            (called.get(who, who), what): n
            for (who, what), n in detail.tally.items()
            if called.get(who) != names.FORGOTTEN_NAME
        }
        return now, detail._replace(tally=tally)

    def game_specific_person_counts(self, name: str) -> Counter[tuple[str, str]]:
        """Return a person's numbers in the statistics that the games' rules define.

        Each key consists of the game and the name of the statistic. Call `people_statistics` first,
        because `people_statistics` updates the cache.
        """
        known = names.load_current_names_table(self._journal.all_settings())
        spelt = {name, *(key.partition(":")[2] or key for key, to in known.items() if to == name)}
        found = Counter[tuple[str, str]]()
        for one in spelt:
            is_mine = known.get(one, one) == name
            if is_mine:
                found.update(self._counted(one))
            parted = (key.partition(":") for key in known)
            for game in (int(n) for n, _, of in parted if of == one and n.isdecimal()):
                if (names.current_player_name(known, one, game) == name) != is_mine:
                    (found.subtract if is_mine else found.update)(self._counted(one, game))
        return +found

    def _counted(self, who: str, game: int | None = None) -> dict[tuple[str, str], int]:
        one, given = ("", (who,)) if game is None else (" AND game = ?", (who, game))
        query = f"""SELECT kind, what, sum(n) FROM tally
            WHERE who = ? AND what NOT LIKE '%:%'{one} GROUP BY kind, what"""  # noqa: S608 - the text is constant
        return {(kind, what): n for kind, what, n in self._db.execute(query, given)}

    def hardest_secret_words(self, n: int = 3) -> list[tuple[str, int]]:
        """Return the `n` secret words for which the other players asked for the most letters.

        Each word is returned with the number of letters asked for. Call `people_statistics` first,
        because `people_statistics` updates the cache.
        """
        query = (
            "SELECT substr(what, 6), max(n) FROM tally WHERE what BETWEEN 'word:' AND 'word;'"
            " GROUP BY what ORDER BY max(n) DESC, what LIMIT ?"
        )
        return self._db.execute(query, (n,)).fetchall()

    def _read(self, numbers: list[int] | None) -> list[GameStatistics]:
        if numbers is None:
            return self._between(0, ABOVE_EVERY_GAME_NUMBER)
        query = "SELECT played FROM kept WHERE game = ?"
        found = (self._db.execute(query, (number,)).fetchone() for number in numbers)
        return self._seen(text for (text,) in filter(None, found))

    def _between(self, after: int, last: int) -> list[GameStatistics]:
        query = "SELECT played FROM kept WHERE game > ? AND game <= ? ORDER BY game"
        return self._seen(text for (text,) in self._db.execute(query, (after, last)))

    def _seen(self, rows: Iterable[str]) -> list[GameStatistics]:
        games = (
            game_statistics.game_statistics_from_json(row)
            for row in json.loads(f"[{','.join(rows)}]")
        )
        return [
            *names.games_with_current_names(
                games, names.load_current_names_table(self._journal.all_settings())
            )
        ]

    def _follow(self, tell: Callable[[int], None]) -> int:
        """Update the cache from the record, and return the number of the newest game."""
        mark = self._journal.change_fingerprint()
        if mark != self._mark:
            ends = self._journal.ends_of_newest_games()
            self._catch_up(ends, tell)
            self._sweep({number for number, *_ in ends})
            self._mark, self._newest = mark, max((number for number, *_ in ends), default=0)
        return self._newest

    def _catch_up(self, ends: list[tuple[int, int, str]], tell: Callable[[int], None]) -> None:
        if len(ends) > GAMES_PER_PAGE:
            kept = {*self._db.execute("SELECT game, n, checksum FROM kept")}
        else:
            query = "SELECT game, n, checksum FROM kept WHERE game = ?"
            kept = {self._db.execute(query, (game,)).fetchone() for game, *_ in ends}
        missing = [end for end in ends if end not in kept]
        for at in range(0, len(missing), GAMES_PER_TRANSACTION):
            tell(len(missing) - at)
            rows = [self._row(*end) for end in missing[at : at + GAMES_PER_TRANSACTION]]
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute("DELETE FROM sum WHERE upto >= ?", (min(missing)[0],))
                for played_row, tally in rows:
                    self._db.execute("DELETE FROM tally WHERE game = ?", played_row[:1])
                    self._db.execute("REPLACE INTO kept VALUES (?, ?, ?, ?, ?)", played_row)
                    self._db.executemany("INSERT INTO tally VALUES (?, ?, ?, ?, ?)", tally)

    def _sweep(self, there: set[int]) -> None:
        gone = [row for row in self._db.execute("SELECT game FROM kept") if row[0] not in there]
        if gone:
            with self._db:
                self._db.execute("DELETE FROM sum WHERE upto >= ?", min(gone))
                self._db.executemany("DELETE FROM kept WHERE game = ?", gone)
                self._db.executemany("DELETE FROM tally WHERE game = ?", gone)

    def _row(self, number: int, n: int, checksum: str) -> tuple[tuple[Any, ...], list[Any]]:
        found, detail = recorded_game_statistics(
            recorded.load_recorded_game(self._journal, number), number
        )
        tally = [(number, found.game, *key, count) for key, count in detail.tally.items()]
        return (number, n, checksum, found.begun, _text(found)), tally


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _opened(path: Path | None) -> sqlite3.Connection:
    """Open the cache file.

    Replace an unreadable cache file with a new file. If the file is locked or cannot be written,
    open a cache in memory.
    """
    if path is not None:
        try:
            return _kept(str(path))
        except sqlite3.Error as error:
            # do not replace a cache file that another program has locked
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                with suppress(OSError, sqlite3.Error):
                    for tail in ("", "-journal"):
                        path.with_name(path.name + tail).unlink(missing_ok=True)
                    return _kept(str(path))
    return _kept(":memory:")


def _kept(path: str) -> sqlite3.Connection:
    db = connect_to_database(path)
    try:
        db.execute("BEGIN IMMEDIATE")
        if not _is_ours(db):
            for kind, name in db.execute(TABLES_QUERY).fetchall():
                db.execute(f'DROP {kind} "{name}"')
            for statement in SCHEMA.split(";"):
                db.execute(statement)
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db


def _is_ours(db: sqlite3.Connection) -> bool:
    with suppress(sqlite3.Error, TypeError):
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        found = db.execute(
            "SELECT max(length(played)), (SELECT max(n) FROM tally) FROM kept"
        ).fetchall()
        is_this = (application, version) == (APPLICATION_ID, VERSION) and has_exact_schema(
            db, SCHEMA
        )
        return bool(is_this and found)
    return False
