"""The journal: reading and saving of games and settings in the record file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from companion.core.prompts import Answer
from companion.record import reading
from companion.record.entry import (
    Entry,
    GameRecordEnd,
    RepairResult,
    append_entries,
    encode_record_line,
)
from companion.record.reading import ABOVE_EVERY_GAME_NUMBER, GameSummary
from companion.record.record_file import MAX_NEWEST_GAMES, UNANNOUNCED_REPAIR_SETTING, RecordFile
from companion.record.schema import VERSION, JournalError

__all__ = [
    "MAX_NEWEST_GAMES",
    "VERSION",
    "Entry",
    "GameSummary",
    "Journal",
    "JournalError",
    "RepairResult",
]


class Journal(RecordFile):
    """The record file with its games and the box's settings."""

    # --- games ---

    def save_new_game(self, header: dict[str, Any], entries: Iterable[Entry], now: int) -> int:
        """Save a new game, and return its number.

        - `header`: the content of the game's first line.
        - `entries`: the lines after the header.
        - `now`: the present time in seconds since 1970.

        Raise JournalError if saving fails.
        """
        with self._careful():
            (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
            game = int(last) + 1
        self._heads[game] = GameRecordEnd(-1, 0, None, game - 1 and last)
        try:
            self.append_entries_to_game(game, [Entry("game", value=header, at=now), *entries])
        except JournalError:
            del self._heads[game]
            raise
        return game

    def append_entries_to_game(self, game: int, entries: Iterable[Entry]) -> None:
        """Append lines to a saved game in one commit.

        If saving fails, raise JournalError and save none of the lines.
        """
        entries = tuple(entries)
        if not entries:
            return
        with self._careful(game):
            head = self._head(game)
        with self._writing():
            head = append_entries(self._db, game, head, entries)
        self._keep(game, head)

    @contextmanager
    def game_adder_with_single_commit(self) -> Iterator[Callable[[Iterable[Entry]], int]]:
        """Return a function that adds a game from its lines, and returns the game's number.

        All games that are added inside the `with` block are saved in one commit. If saving fails,
        raise JournalError and save none of the games.
        """
        added: dict[int, GameRecordEnd] = {}

        def add(entries: Iterable[Entry]) -> int:
            last = max(added, default=reading.last_game_number(self._db))
            added[last + 1] = append_entries(
                self._db, last + 1, GameRecordEnd(-1, 0, None, last), tuple(entries)
            )
            return last + 1

        with self._writing():
            yield add
        for game, head in added.items():
            self._keep(game, head)

    def _keep(self, game: int, head: GameRecordEnd) -> None:
        self._heads[game] = head
        if self._place is not None:
            self._place.store_last_commit(game, head.n)

    def read_lines_of_game(self, game: int) -> list[Entry]:
        """Return all lines of a game, starting with its header.

        Raise JournalError if the game does not exist or a line is damaged.
        """
        with self._careful(game):
            entries = self._checked(game)
        if not entries:
            raise JournalError("no_game", n=game)
        return entries

    def read_first_line_of_game(self, game: int) -> Entry:
        """Return the first line of a game, whose `value` is the header.

        Raise JournalError if the line is damaged or does not exist.
        """
        with self._careful(game):
            return reading.read_first_entry_of_game(self._db, game)

    def read_game_header_and_lines(self, game: int) -> tuple[dict[str, Any], list[Entry]]:
        """Return a game's header, and all lines after it.

        Raise JournalError if the game does not exist or a line is damaged.
        """
        first, *entries = self.read_lines_of_game(game)
        return first.value, entries

    def ends_of_newest_games(
        self, before: int = ABOVE_EVERY_GAME_NUMBER, n: int = -1
    ) -> list[tuple[int, int, str]]:
        """Return the number, last line number and last checksum of the newest `n` games.

        The oldest game comes first. If `n` is negative, return all games.

        before: a game number. Only games with smaller numbers are returned.

        Raise JournalError if the record cannot be read.
        """
        with self._careful():
            return reading.read_newest_game_record_ends(self._db, before, n)

    def change_fingerprint(self) -> str:
        """Return a text that changes whenever a line is added to a game in the record.

        Raise JournalError if the record cannot be read.
        """
        with self._careful():
            return reading.read_change_fingerprint(self._db)

    def game_summary(self, game: int) -> GameSummary:
        """Return the summary of a game for the list of games.

        Raise JournalError if the game does not exist or cannot be read.
        """
        with self._careful(game):
            summary = reading.read_game_summary(self._db, game)
        if summary is None:
            raise JournalError("no_game", n=game)
        return summary

    def recent_unfinished_game_numbers(self) -> list[int]:
        """Return the numbers of unfinished games, newest first.

        Examine only the last `MAX_NEWEST_GAMES` games. Raise JournalError if the record cannot be
        read.
        """
        with self._careful():
            newest = reading.read_winners_of_newest_games(self._db, MAX_NEWEST_GAMES)
        return sorted((game for game, winners in newest.items() if winners is None), reverse=True)

    def game_numbers(self) -> list[int]:
        """Return the numbers of all games, newest first.

        Raise JournalError if the record cannot be read.
        """
        with self._careful():
            return [game for (game,) in self._db.execute("SELECT id FROM game ORDER BY id DESC")]

    # --- settings ---

    def all_settings(self) -> dict[str, Any]:
        """Return all of the box's settings by key."""
        return dict(self._settings)

    def save_setting(self, key: str, value: Answer, now: int) -> None:
        """Save the setting `key` in the record. Raise JournalError if saving fails.

        now: the present time in seconds since 1970.
        """
        self.save_settings({key: value}, now)

    def save_settings(self, values: Mapping[str, Answer], now: int) -> None:
        """Save settings (values by key) in one commit.

        If saving fails, raise JournalError and save none of the settings.
        """
        lines = [
            (key, encode_record_line(0, 0, Entry("setting", key, None, value, now), 0)[0])
            for key, value in values.items()
        ]
        with self._writing():
            self._db.executemany("REPLACE INTO setting VALUES (?, ?)", lines)
        self._settings |= values

    def delete_shown_repair_notice(self) -> None:
        """Delete the saved result of a repair, because the box has announced the result.

        Raise JournalError if saving fails.
        """
        with self._writing():
            self._db.execute("DELETE FROM setting WHERE key = ?", (UNANNOUNCED_REPAIR_SETTING,))
        self.unannounced_repair = None

    def _head(self, game: int) -> GameRecordEnd:
        if game not in self._heads:
            self._checked(game)
        return self._heads[game]
