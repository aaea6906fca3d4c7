"""The record file: opening, locking, commits, detection of damage, and repair.

SQLite stores the lines as rows (WAL mode, one sync for each commit). If SQLite cannot read a
damaged file, a scan of the file's bytes finds the lines. The bookmark in the lock file contains the
last line's number, and so reveals that lines at the end are missing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from companion.record import reading
from companion.record.entry import (
    DAMAGE_ERRORS,
    DamagedRecordError,
    Entry,
    GameRecordEnd,
    RepairResult,
    parse_repair_result,
)
from companion.record.files import (
    close_database_keeping_log,
    copy_to_replacement_file,
    delete_replacement_file,
    file_size,
    rename_file_and_log,
    rename_sqlite_log,
    replace_file_keeping_old,
    replacement_file_path,
    unused_dated_path,
)
from companion.record.lock import RecordLock
from companion.record.repair import RecordRepair
from companion.record.scan import contains_record_lines, scan_file_for_settings
from companion.record.schema import (
    IDENTITY_SETTING,
    SCHEMA,
    JournalError,
    as_journal_error,
    check_record_file_access,
    connect_to_database,
    has_foreign_log,
    is_damage_error,
    open_database_read_only,
    read_record_identity,
    renew_record_identity,
)

MAX_NEWEST_GAMES: Final = 250
"""The number of newest games whose table rows are checked when a record is opened."""
MAX_CHECKED_GAMES: Final = 3
"""The number of newest unfinished games whose lines are checked when a record is opened."""
UNANNOUNCED_REPAIR_SETTING: Final = "repaired"
"""The key of the setting with the result of a repair that no box has announced yet."""


class RecordFile:
    """An open and locked record file, which the constructor repairs if the file is damaged.

    - `path`: the path of the file; None for an empty record in memory.
    - `now`: the present time in seconds since 1970.
    - `tell`: the callback for the progress of a repair in percent.
    - `named`: whether the user named the file. A named file that is not a record stays unchanged.
    - `beside`: whether to read the file without a lock, while another process may use the file.

    The object has these attributes:

    - `repair_result`: the result of the repair by this constructor; None if there was no repair.
    - `unannounced_repair`: the result of an earlier repair that no box has announced yet, or None.
    - `was_empty`: whether the file existed, but was empty.
    - `read_only`: whether the file was opened without a lock, or is on a read-only file system.

    A repair writes a new file, and renames the damaged file in its folder. The constructor raises
    JournalError if another process has locked the file, or if a newer version of the software wrote
    the file. The constructor also raises JournalError if a named file is not a record, or if the
    file cannot be read.
    """

    def __init__(
        self,
        path: Path | None,
        now: int = 0,
        tell: Callable[[int], None] = lambda _: None,
        *,
        named: bool = False,
        beside: bool = False,
    ) -> None:
        self.repair_result: RepairResult | None = None
        self.unannounced_repair: RepairResult | None = None
        self.was_empty = self.read_only = False
        self._path, self._tell, self._named = path, tell, named
        self._place: RecordLock | None = None
        self._heads: dict[int, GameRecordEnd] = {}
        self._settings: dict[str, Any] = {}
        self._news: list[str] = []
        if path is None or beside:
            self._only_read(path.resolve()) if path else self._in_memory()
            return
        try:
            self._place = place = RecordLock(path)
        except JournalError as error:
            if error.code != "read_only":
                raise
            try:
                self._only_read(path.resolve())
            except JournalError:  # the file is unreadable: use an empty record in memory
                self._in_memory()
            return
        try:
            self._open(place, now)
        except BaseException:
            self.close()
            raise

    def _in_memory(self) -> None:
        self._db = connect_to_database(":memory:")
        self._db.executescript(SCHEMA)

    def _only_read(self, path: Path) -> None:
        self.read_only = True
        try:
            self._db = open_database_read_only(path)
            self._read_settings()
        except DAMAGE_ERRORS as error:
            self.close()
            raise as_journal_error(error, path) from error

    def _open(self, place: RecordLock, now: int) -> None:
        path = place.path
        _tidy(path, now)
        size, log = file_size(path), file_size(f"{path}-wal")
        self.was_empty = path.exists() and not size
        try:
            if log and not size:
                raise DamagedRecordError  # opening the empty file would delete the log
            self._use(path, new=not size)
            if size:
                self._identify(place)
            self._verify(place)  # detect lost lines: compare the record with the bookmark
            self._identify(place)
        except DAMAGE_ERRORS as error:
            if isinstance(error, sqlite3.OperationalError) and not is_damage_error(error, path):
                raise as_journal_error(error, path) from error

            if (
                self._named
                and place.last_committed_game_and_line is None
                and not contains_record_lines(path)
            ):
                place.release(leave_nothing=True)
                raise JournalError("no_record", file=path) from error
            try:
                self._rescue(place, now)
            except (*DAMAGE_ERRORS, OSError) as failed:
                raise as_journal_error(failed, path) from failed
        else:
            if replacement_file_path(path).exists():  # a repair was interrupted
                delete_replacement_file(path)
        place.remember_file_identity()
        self._news += ["record_narrowed"] if place.has_removed_permissions else []

    def _use(self, path: Path, *, new: bool) -> None:
        self._db = connect_to_database(str(path))
        check_record_file_access(self._db, path, new=new)

    def _identify(self, place: RecordLock) -> None:
        """Store the identity of the open record in the lock file."""
        name = read_record_identity(self._db)
        if name is None and place.has_record_identity:
            raise DamagedRecordError  # a record file without its identity is damaged
        place.store_record_identity(name or renew_record_identity(self._db))

    # --- the whole file ---

    @property
    def changed_row_count(self) -> int:
        """Return the number of database rows that this connection has changed."""
        return self._db.total_changes

    def as_sqlite_bytes(self) -> bytes:
        """Return the bytes of the record's SQLite file. Raise JournalError if reading fails."""
        with self._careful():
            return self._db.serialize()

    def take_file_event_codes(self) -> tuple[str, ...]:
        """Return and clear the codes of events that concern the record file.

        - "record_narrowed": other users could read or write the file, and no longer can.
        - "record_moved": the file was deleted or moved while it was open, and the box wrote it
          again.
        """
        news, self._news = tuple(self._news), []
        return news

    def close(self) -> None:
        """Close the record file and release its lock. A second call does nothing."""
        if hasattr(self, "_db"):
            self._db.close()
        if self._place is not None:
            self._place.release()

    # --- writing ---

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Run the `with` block as one commit. Raise JournalError if saving fails."""
        if self.read_only:
            raise JournalError("read_only", file=self._path)
        with self._careful():
            if self._place is not None and self._place.is_file_replaced:
                self._return(self._place)
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                yield

    def _return(self, place: RecordLock) -> None:
        """Write the open record to its path again, after the file was deleted or moved."""
        place.relock_if_lost()
        copy_to_replacement_file(self._db, place.path)
        self._db.close()  # close now: a later close would delete the new file's log
        place.delete_log_of_deleted_record()
        replace_file_keeping_old(place.path)
        self._use(place.path, new=False)
        place.remember_file_identity()
        self._news.append("record_moved")

    # --- checked reads ---

    @contextmanager
    def _careful(self, game: int | None = None) -> Iterator[None]:
        """Convert DAMAGE_ERRORS in the `with` block to JournalError.

        If the record is damaged, also request a repair.
        """
        try:
            yield
        except DAMAGE_ERRORS as error:
            failed = as_journal_error(error, self._path, game)
            if failed.code == "damaged" and self._place is not None:
                self._place.request_repair()
            raise failed from error

    def _checked(self, game: int) -> list[Entry]:
        entries, self._heads[game] = reading.read_game_entries(self._db, game)
        return entries

    def _verify(self, place: RecordLock) -> None:
        """Check the newest games, and compare these games with the bookmark's last commit.

        Raise one of DAMAGE_ERRORS if the record is damaged, lacks lines, or needs a repair. The
        method reads no older games, so that a long history does not delay the start.
        """
        marked = place.last_committed_game_and_line
        heads = reading.read_winners_of_newest_games(self._db, MAX_NEWEST_GAMES)
        open_games = [game for game, winners in heads.items() if winners is None]
        for game in {*open_games[-MAX_CHECKED_GAMES:], *([marked[0]] if marked else [])}:
            self._checked(game)
        lacking = marked and self._heads[marked[0]].n < marked[1]
        if lacking or reading.last_game_number(self._db) != max(heads, default=0):
            raise DamagedRecordError
        self._read_settings()
        if place.is_repair_requested:
            raise DamagedRecordError

    def _read_settings(self) -> None:
        self._settings = reading.read_settings(self._db)
        self._settings.pop(IDENTITY_SETTING, None)
        self.unannounced_repair = parse_repair_result(
            self._settings.pop(UNANNOUNCED_REPAIR_SETTING, None)
        )

    # --- damage ---

    def _rescue(self, place: RecordLock, now: int) -> None:
        """Write all undamaged lines to a new file, and open this file. Rename the damaged file."""
        damaged, path = getattr(self, "_db", None), place.path
        marked = place.last_committed_game_and_line
        try:
            with closing(RecordRepair(path, damaged, self._tell)) as repair:
                lines_kept, lost = repair.run(marked)
                entries = {str(entry.question): entry for entry in scan_file_for_settings(path)}
                untold = entries.get(UNANNOUNCED_REPAIR_SETTING)
                if untold is not None and (before := parse_repair_result(untold.value)) is not None:
                    lost += before.lost
                aside = unused_dated_path(path, now)
                self.repair_result = RepairResult(lines_kept, lost, aside.name)
                entries[UNANNOUNCED_REPAIR_SETTING] = Entry(
                    "setting", UNANNOUNCED_REPAIR_SETTING, None, [*self.repair_result], now
                )
                repair.complete_repaired_file(entries.values())
        except BaseException as error:
            if isinstance(error, Exception):  # after an interrupt, keep the file for a later repair
                delete_replacement_file(path)
            if damaged is not None:
                close_database_keeping_log(damaged, path)
                del self._db
            raise
        place.request_repair()
        rename_file_and_log(path, aside)
        if damaged is not None:
            damaged.close()  # close after the renaming: closing deletes a log at `path`
        replacement_file_path(path).rename(path)
        place.empty_lock_file()
        self._use(path, new=False)
        self._identify(place)
        self._read_settings()
        if (
            marked is not None
            and (end := reading.last_line_number_of_game(self._db, marked[0])) is not None
        ):
            place.store_last_commit(marked[0], end)


def _tidy(path: Path, now: int) -> None:
    """Finish the renaming of an interrupted repair, and rename a log of another record."""
    if replacement_file_path(path).exists() and not path.exists():
        rename_file_and_log(path, unused_dated_path(path, now))
        replacement_file_path(path).rename(path)
    if has_foreign_log(path):
        rename_sqlite_log(path, unused_dated_path(path, now, "before"))
