"""The durable list of answers of every game ever played on this box."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion.record import reading
from companion.record.entry import Damage, Entry, Head, append, encode
from companion.record.reading import FAR, Summary
from companion.record.record_file import NEWEST, REPAIRED, RecordFile
from companion.record.store import VERSION, JournalError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from companion.core.prompts import Answer

__all__ = ["NEWEST", "VERSION", "Damage", "Entry", "Journal", "JournalError", "Summary"]


class Journal(RecordFile):
    """Games and settings in one file, which `RecordFile` opens."""

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
        with self._writing():
            head = append(self._db, game, head, entries)
        self._keep(game, head)

    @contextmanager
    def adding(self) -> Iterator[Callable[[Iterable[Entry]], int]]:
        """A function that adds a whole game, header first: one commit for all, or nothing of it.

        It gives the game's number. Raises JournalError.
        """
        added: dict[int, Head] = {}

        def add(entries: Iterable[Entry]) -> int:
            last = max(added, default=reading.last_game(self._db))
            added[last + 1] = append(self._db, last + 1, Head(-1, 0, None, last), tuple(entries))
            return last + 1

        with self._writing():
            yield add
        for game, head in added.items():
            self._keep(game, head)

    def _keep(self, game: int, head: Head) -> None:
        """A game's end is written down."""
        self._heads[game] = head
        if self._place is not None:
            self._place.mark(game, head.n)

    def lines(self, game: int) -> list[Entry]:
        """All lines of a game, its header first. Raises JournalError if there is no such game."""
        with self._careful(game):
            entries = self._checked(game)
        if not entries:
            raise JournalError("no_game", n=game)
        return entries

    def first(self, game: int) -> Entry:
        """The first line of a game, whose value is the header. Raises JournalError."""
        with self._careful(game):
            return reading.first(self._db, game)

    def read(self, game: int) -> tuple[dict[str, Any], list[Entry]]:
        """The header and the lines of a game. Raises JournalError if there is no such game."""
        first, *entries = self.lines(game)
        return first.value, entries

    def ends(self, before: int = FAR, n: int = -1) -> list[tuple[int, int, str]]:
        """Where games end: number, last line, and that one's checksum. Raises JournalError."""
        with self._careful():
            return reading.ends(self._db, before, n)

    def mark(self) -> str:
        """A text that is another one as soon as anything was played. Raises JournalError."""
        with self._careful():
            return reading.mark(self._db)

    def summary(self, game: int) -> Summary:
        """What the list of games says of one game. Raises JournalError."""
        with self._careful(game):
            found = reading.summary(self._db, game)
        if found is None:
            raise JournalError("no_game", n=game)
        return found

    def unfinished(self) -> list[int]:
        """The numbers of the newest games that can go on, newest first. Raises JournalError."""
        with self._careful():
            newest = reading.newest(self._db, NEWEST)
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
        with self._writing():
            self._db.executemany("REPLACE INTO setting VALUES (?, ?)", lines)
        self._settings |= values

    def told(self) -> None:
        """The players know of the repair now. Raises JournalError."""
        with self._writing():
            self._db.execute("DELETE FROM setting WHERE key = ?", (REPAIRED,))
        self.untold = None

    def _head(self, game: int) -> Head:
        if game not in self._heads:
            self._checked(game)
        return self._heads[game]
