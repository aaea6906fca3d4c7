"""The file of a record: opening and locking, commits, detection of damage, repair.

A row is one line of text with a checksum that includes the previous line. SQLite (WAL, one sync for
each commit) stores the rows. If SQLite cannot read a damaged file, a scan of its bytes can. The
lock `<file>-lock` also holds a bookmark of the last committed line, so that a truncated record is
noticed even if the rest is intact. Lock and log of a replaced record are recognised by its identity
and ignored.
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
"""The number of games that are checked when the file is opened."""
CHECKED_GAMES: Final = 3
"""The number of unfinished games that are read line by line when the file is opened."""
REPAIRED_SETTING: Final = "repaired"
"""The setting with the result of a repair, until a box has announced it."""


class RecordFile:
    """The file of a record: opened, locked, checked, and repaired if it is damaged.

    A damaged file is set aside under a dated name; `damage` describes what was lost, and `untold`
    what no box has announced yet. A file that is not a record is refused if the user `named` it. A
    file in a read-only place, or one opened `beside` the companion that has it, is `read_only`: it
    is read without lock, repair or trace.

    - `path`: the file; None for a record in memory.
    - `tell`: called with the progress of a repair in percent.

    Raise JournalError if another companion has the file or a newer version wrote it.
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
            except JournalError:  # a file that cannot be read counts as missing
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
        """Open a file without writing. Raise JournalError if it cannot be read."""
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
                raise DamagedRecord  # SQLite would delete the log of an empty file
            self._use(path, new=not size)
            if size:
                self._identify(place)
            self._verify(place)  # the bookmark detects an emptied or deleted file
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
            if new_file_path(
                path
            ).exists():  # by a repair of a file that was repaired by hand since
                delete_new_file(path)
        place.remember_identity()
        self._news += ["record_narrowed"] if place.narrowed else []

    def _use(self, path: Path, *, new: bool) -> None:
        """Open or create the file.

        Raise one of DAMAGE_ERRORS, or JournalError if a newer version wrote it.
        """
        self._db = connect(str(path))
        prepare_file(self._db, path, new=new)

    def _identify(self, place: LockedFile) -> None:
        """Take the lock for the open record. Raise one of DAMAGE_ERRORS."""
        name = record_identity(self._db)
        if name is None and place.has_name:
            raise DamagedRecord  # the log was cut before the identity; the bookmark shows the loss
        place.lock_for_record(name or renew_identity(self._db))

    # --- the whole file ---

    @property
    def change_count(self) -> int:
        """Return the number of rows changed since the record was opened; each commit adds some."""
        return self._db.total_changes

    def sqlite_image(self) -> bytes:
        """Return the record as the bytes of one SQLite file. Raise JournalError."""
        with self._careful():
            return self._db.serialize()

    def take_events(self) -> tuple[str, ...]:
        """Return the codes of what has happened to the file since the last call.

        "record_narrowed": other users had access to it. "record_moved": it was deleted or moved,
        and was written again.
        """
        news, self._news = tuple(self._news), []
        return news

    def close(self) -> None:
        """Close the file and release the lock; safe to call twice."""
        if hasattr(self, "_db"):
            self._db.close()
        if self._place is not None:
            self._place.release()

    # --- writing ---

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Run the context as one commit. Raise JournalError; nothing is saved then."""
        if self.read_only:
            raise JournalError("read_only", file=self._path)
        with self._careful():
            if self._place is not None and self._place.is_replaced:
                self._return(self._place)
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                yield

    def _return(self, place: LockedFile) -> None:
        """Write a file that was deleted while open to its old place."""
        place.lock_again()
        copy_to_new_file(self._db, place.path)
        self._db.close()  # before the new log exists, since SQLite deletes a log by name
        place.clear_log()
        move_new_file_into_place(place.path)
        self._use(place.path, new=False)
        place.remember_identity()
        self._news.append("record_moved")

    # --- checked reads ---

    @contextmanager
    def _careful(self, game: int | None = None) -> Iterator[None]:
        """Convert every failure in the context to JournalError; the next start repairs damage."""
        try:
            yield
        except DAMAGE_ERRORS as error:
            failed = explain_error(error, self._path, game)
            if failed.code == "damaged" and self._place is not None:
                self._place.request_repair()
            raise failed from error

    def _checked(self, game: int) -> list[Entry]:
        """Return all lines of a game, if it has any. Raise one of DAMAGE_ERRORS."""
        entries, self._heads[game] = reading.read_entries(self._db, game)
        return entries

    def _verify(self, place: LockedFile) -> None:
        """Read the unfinished games and compare them with the bookmark. Raise one of DAMAGE_ERRORS.

        Only the newest games are examined, and few of them line by line, so that a long history
        does not delay the start. Other games are checked when they are read.
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
        """Set the damaged file aside and start a new one with all undamaged lines.

        Raise OSError or one of DAMAGE_ERRORS if that is impossible. Nothing has changed then.
        """
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
            if isinstance(error, Exception):  # an interrupted repair continues later
                delete_new_file(path)
            if damaged is not None:
                close_keeping_log(damaged, path)
                del self._db
            raise
        place.request_repair()
        set_aside(path, aside)
        if damaged is not None:
            damaged.close()  # not earlier, since SQLite deletes the log when it closes
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
    """Finish a repair that was interrupted at its end. Set the log of an earlier file aside."""
    if new_file_path(path).exists() and not path.exists():
        set_aside(path, unused_aside_path(path, now))
        new_file_path(path).rename(path)
    if has_foreign_log(path):
        set_log_aside(path, unused_aside_path(path, now, "before"))
