"""The file of a record: opening, locking, commits, detection of damage, and repair.

SQLite stores the lines as rows (WAL mode, one sync for each commit). If SQLite cannot read a
damaged file, a scan of the file's bytes finds the lines. The bookmark in the lock's file shows
missing lines at the end.
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
    Damage,
    DamagedRecord,
    Entry,
    RecordEnd,
    parse_damage,
)
from companion.record.files import (
    close_keeping_log,
    copy_to_new_file,
    delete_new_file,
    move_new_file_into_place,
    new_file_path,
    set_aside,
    set_log_aside,
    size_of,
    unused_aside_path,
)
from companion.record.lock import LockedFile
from companion.record.repair import Repair
from companion.record.scan import contains_record, scan_settings
from companion.record.schema import (
    IDENTITY_SETTING,
    SCHEMA,
    JournalError,
    connect,
    explain_error,
    has_foreign_log,
    is_damage,
    open_read_only,
    prepare_file,
    record_identity,
    renew_identity,
)

NEWEST_GAMES: Final = 250
"""The number of newest games that are checked when a record is opened."""
CHECKED_GAMES: Final = 3
"""The number of unfinished games that are read line by line when a record is opened."""
REPAIRED_SETTING: Final = "repaired"
"""The key of the setting with a repair's result, until the box has announced the repair."""


class RecordFile:
    """The opened and locked file of a record, repaired if the file was damaged.

    - `path`: the path of the file; None for a record in memory.
    - `now`: the present time in seconds since 1970.
    - `tell`: receives the progress of a repair in percent.
    - `named`: whether the user named the file, so that a file that is not a record must stay
      unchanged.
    - `beside`: whether to read the file without a lock while another process uses the file.
    - `damage`: the result of the repair at this opening, or None.
    - `untold`: the result of a repair that no box has announced yet, or None.
    - `read_only`: whether the file was opened without a lock or is in a read-only folder.

    The constructor repairs a damaged file by writing a new file. The damaged file gets a new name
    in its folder. The constructor raises JournalError if another companion has locked the file or a
    newer version wrote the file.
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
        self.damage: Damage | None = None
        self.untold: Damage | None = None
        self.was_empty = self.read_only = False
        self._path, self._tell, self._named = path, tell, named
        self._place: LockedFile | None = None
        self._heads: dict[int, RecordEnd] = {}
        self._settings: dict[str, Any] = {}
        self._news: list[str] = []
        if path is None or beside:
            self._only_read(path.resolve()) if path else self._in_memory()
            return
        try:
            self._place = place = LockedFile(path)
        except JournalError as error:
            if error.code != "read_only":
                raise
            try:
                self._only_read(path.resolve())
            except JournalError:  # use an empty record in memory if the file cannot be read
                self._in_memory()
            return
        try:
            self._open(place, now)
        except BaseException:
            self.close()
            raise

    def _in_memory(self) -> None:
        self._db = connect(":memory:")
        self._db.executescript(SCHEMA)

    def _only_read(self, path: Path) -> None:
        self.read_only = True
        try:
            self._db = open_read_only(path)
            self._read_settings()
        except DAMAGE_ERRORS as error:
            self.close()
            raise explain_error(error, path) from error

    def _open(self, place: LockedFile, now: int) -> None:
        path = place.path
        _tidy(path, now)
        size, log = size_of(path), size_of(f"{path}-wal")
        self.was_empty = path.exists() and not size
        try:
            if log and not size:
                raise DamagedRecord  # repair, because SQLite would delete the log of an empty file
            self._use(path, new=not size)
            if size:
                self._identify(place)
            self._verify(place)  # detects an emptied or deleted file by the bookmark
            self._identify(place)
        except DAMAGE_ERRORS as error:
            if isinstance(error, sqlite3.OperationalError) and not is_damage(error, path):
                raise explain_error(error, path) from error

            if self._named and place.last_commit is None and not contains_record(path):
                place.release(leave_nothing=True)
                raise JournalError("no_record", file=path) from error
            try:
                self._rescue(place, now)
            except (*DAMAGE_ERRORS, OSError) as failed:
                raise explain_error(failed, path) from failed
        else:
            if new_file_path(path).exists():  # an interrupted repair left the file
                delete_new_file(path)
        place.remember_identity()
        self._news += ["record_narrowed"] if place.narrowed else []

    def _use(self, path: Path, *, new: bool) -> None:
        self._db = connect(str(path))
        prepare_file(self._db, path, new=new)

    def _identify(self, place: LockedFile) -> None:
        """Take the lock for the identity of the open record."""
        name = record_identity(self._db)
        if name is None and place.has_name:
            raise DamagedRecord  # the record lost its identity, although the lock has an identity
        place.lock_for_record(name or renew_identity(self._db))

    # --- the whole file ---

    @property
    def change_count(self) -> int:
        """Return the number of rows changed since the record was opened."""
        return self._db.total_changes

    def sqlite_image(self) -> bytes:
        """Return the bytes of the record's SQLite file. Raise JournalError if reading fails."""
        with self._careful():
            return self._db.serialize()

    def take_events(self) -> tuple[str, ...]:
        """Return and clear the codes of events that concern the file.

        - "record_narrowed": other users had permissions for the file and lost them.
        - "record_moved": the file was deleted or moved, and the box wrote the file again.
        """
        news, self._news = tuple(self._news), []
        return news

    def close(self) -> None:
        """Close the file and release its lock, unless the file is already closed."""
        if hasattr(self, "_db"):
            self._db.close()
        if self._place is not None:
            self._place.release()

    # --- writing ---

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Run the context as one commit. Raise JournalError if saving fails."""
        if self.read_only:
            raise JournalError("read_only", file=self._path)
        with self._careful():
            if self._place is not None and self._place.is_replaced:
                self._return(self._place)
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                yield

    def _return(self, place: LockedFile) -> None:
        """Write a file that was deleted while it was open to its old path."""
        place.lock_again()
        copy_to_new_file(self._db, place.path)
        self._db.close()  # close before the new log exists, because SQLite would delete the new log
        place.clear_log()
        move_new_file_into_place(place.path)
        self._use(place.path, new=False)
        place.remember_identity()
        self._news.append("record_moved")

    # --- checked reads ---

    @contextmanager
    def _careful(self, game: int | None = None) -> Iterator[None]:
        """Convert damage errors in the context to JournalError, and request a repair."""
        try:
            yield
        except DAMAGE_ERRORS as error:
            failed = explain_error(error, self._path, game)
            if failed.code == "damaged" and self._place is not None:
                self._place.request_repair()
            raise failed from error

    def _checked(self, game: int) -> list[Entry]:
        entries, self._heads[game] = reading.read_entries(self._db, game)
        return entries

    def _verify(self, place: LockedFile) -> None:
        """Check the newest games and the bookmark. Raise one of DAMAGE_ERRORS if lines are missing.

        The method reads no older games, so that a long history does not delay the start.
        """
        marked = place.last_commit
        heads = reading.newest_winners(self._db, NEWEST_GAMES)
        open_games = [game for game, winners in heads.items() if winners is None]
        for game in {*open_games[-CHECKED_GAMES:], *([marked[0]] if marked else [])}:
            self._checked(game)
        lacking = marked and self._heads[marked[0]].n < marked[1]
        if lacking or reading.last_game(self._db) != max(heads, default=0):
            raise DamagedRecord
        self._read_settings()
        if place.is_repair_requested:
            raise DamagedRecord

    def _read_settings(self) -> None:
        self._settings = reading.read_settings(self._db)
        self._settings.pop(IDENTITY_SETTING, None)
        self.untold = parse_damage(self._settings.pop(REPAIRED_SETTING, None))

    # --- damage ---

    def _rescue(self, place: LockedFile, now: int) -> None:
        """Rename the damaged file, and create a new file with all undamaged lines."""
        damaged, marked, path = getattr(self, "_db", None), place.last_commit, place.path
        try:
            with closing(Repair(path, damaged, self._tell)) as repair:
                lines_kept, lost = repair.run(marked)
                entries = {str(entry.question): entry for entry in scan_settings(path)}
                untold = entries.get(REPAIRED_SETTING)
                if untold is not None and (before := parse_damage(untold.value)) is not None:
                    lost += before.lost
                aside = unused_aside_path(path, now)
                self.damage = Damage(lines_kept, lost, aside.name)
                entries[REPAIRED_SETTING] = Entry(
                    "setting", REPAIRED_SETTING, None, [*self.damage], now
                )
                repair.finish(entries.values())
        except BaseException as error:
            if isinstance(error, Exception):  # an interrupted repair continues at the next start
                delete_new_file(path)
            if damaged is not None:
                close_keeping_log(damaged, path)
                del self._db
            raise
        place.request_repair()
        set_aside(path, aside)
        if damaged is not None:
            damaged.close()  # close after the renaming, because SQLite deletes the log
        new_file_path(path).rename(path)
        place.clear_bookmark()
        self._use(path, new=False)
        self._identify(place)
        self._read_settings()
        if (
            marked is not None
            and (end := reading.last_line_number(self._db, marked[0])) is not None
        ):
            place.mark_commit(marked[0], end)


def _tidy(path: Path, now: int) -> None:
    """Finish an interrupted repair, and rename the log of an earlier record."""
    if new_file_path(path).exists() and not path.exists():
        set_aside(path, unused_aside_path(path, now))
        new_file_path(path).rename(path)
    if has_foreign_log(path):
        set_log_aside(path, unused_aside_path(path, now, "before"))
