"""The file of a record, and its lock: opening, one commit at a time, damage and repair.

A row is one line of text with a checksum that chains it to the line before. SQLite (WAL, one sync
a commit) keeps the rows; what SQLite can no longer read after damage, a scan of the raw bytes can.
Beside the file lies its lock, `<file>-lock`: it also holds a bookmark of the last committed line,
so that a record which was cut short is noticed even if what is left of it looks whole. Lock and log
of a record that lay there before are recognised by its identity, and do not count for another one.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Final

from companion.record import reading
from companion.record.entry import ODD, Damage, Damaged, Entry, Head, remembered
from companion.record.files import (
    aside_of,
    building_of,
    drop,
    let_go,
    put_in_place,
    set_aside,
    set_log_aside,
    size_of,
    write_again,
)
from companion.record.place import LockedFile
from companion.record.repair import Repair
from companion.record.scan import is_record, settings
from companion.record.store import (
    IDENTITY,
    SCHEMA,
    JournalError,
    connect,
    explained,
    has_foreign_log,
    identity,
    is_damage,
    prepare,
    rename,
    to_read,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


NEWEST: Final = 250
"""So many games are looked at when the file is opened."""
CHECKED: Final = 3
"""So many of them that can go on are read line by line."""
REPAIRED: Final = "repaired"
"""A setting that is none: the damage that was repaired, until a box has told it."""


class RecordFile:
    """The file of a record: opened, locked, checked, and repaired if it is damaged.

    Opening a damaged file sets it aside under a dated name, keeps what can be read, and says so in
    `damage`; `tell` hears how far that is, in percent. `untold` is what no box has told its players
    yet. A file that was `named` by somebody, and holds nothing of a record, is refused instead.
    What lies where nothing can be written is `read_only`; so is what is read `beside` a companion
    that has the file: as it is now, without a lock, repair or trace. Raises JournalError if another
    companion has the file, or a newer one wrote it. `path` None: in memory, and gone afterwards.
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
        self._heads: dict[int, Head] = {}
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
            except JournalError:  # what cannot be read is as if not there
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
        """Open a file without writing. Raises JournalError if it cannot be read."""
        self.read_only = True
        try:
            self._db = to_read(path)
            self._read_settings()
        except ODD as error:
            self.close()
            raise explained(error, path) from error

    def _open(self, place: LockedFile, now: int) -> None:
        path = place.path
        _tidy(path, now)
        size, log = size_of(path), size_of(f"{path}-wal")
        self.was_empty = path.exists() and not size
        try:
            if log and not size:
                raise Damaged  # SQLite would throw the log of an empty file away
            self._use(path, new=not size)
            if size:
                self._identify(place)
            self._verify(place)  # the bookmark tells of a file that was emptied or deleted
            self._identify(place)
        except ODD as error:
            if isinstance(error, sqlite3.OperationalError) and not is_damage(error, path):
                raise explained(error, path) from error

            if self._named and place.marked is None and not is_record(path):
                place.release(leave_nothing=True)
                raise JournalError("no_record", file=path) from error
            try:
                self._rescue(place, now)
            except (*ODD, OSError) as failed:
                raise explained(failed, path) from failed
        else:
            if building_of(path).exists():  # by a repair of a file that somebody put right since
                drop(path)
        place.settle()
        self._news += ["record_narrowed"] if place.narrowed else []

    def _use(self, path: Path, *, new: bool) -> None:
        """Open or make the file. Raises one of ODD, or JournalError if it is newer."""
        self._db = connect(str(path))
        prepare(self._db, path, new=new)

    def _identify(self, place: LockedFile) -> None:
        """Take the lock for the record that is open now. Raises one of ODD."""
        place.identify(identity(self._db) or rename(self._db))

    # --- the whole ---

    @property
    def changes(self) -> int:
        """Return how many rows were changed since the record was opened: another after a commit."""
        return self._db.total_changes

    def image(self) -> bytes:
        """Return the record as the bytes of one SQLite file. Raises JournalError."""
        with self._careful():
            return self._db.serialize()

    def news(self) -> tuple[str, ...]:
        """What has happened to the file since somebody last asked.

        "record_narrowed": others had rights to it; "record_moved": it was deleted or moved, and is
        in its place again.
        """
        news, self._news = tuple(self._news), []
        return news

    def close(self) -> None:
        """Close the file and give the lock back; safe to call twice."""
        if hasattr(self, "_db"):
            self._db.close()
        if self._place is not None:
            self._place.release()

    # --- writing ---

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One commit: all that is done in here, or nothing of it. Raises JournalError."""
        if self.read_only:
            raise JournalError("read_only", file=self._path)
        with self._careful():
            if self._place is not None and self._place.is_left:
                self._return(self._place)
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                yield

    def _return(self, place: LockedFile) -> None:
        """The file is gone, but open still: all of it is written to its old place."""
        place.lock_again()
        write_again(self._db, place.path)
        self._db.close()  # before the new log is there: SQLite deletes a log by its name
        place.clear_log()
        put_in_place(place.path)
        self._use(place.path, new=False)
        place.settle()
        self._news.append("record_moved")

    # --- reading with care ---

    @contextmanager
    def _careful(self, game: int | None = None) -> Iterator[None]:
        """Whatever fails in here is a JournalError; damage is repaired at the next start."""
        try:
            yield
        except ODD as error:
            failed = explained(error, self._path, game)
            if failed.code == "damaged" and self._place is not None:
                self._place.repair_later()
            raise failed from error

    def _checked(self, game: int) -> list[Entry]:
        """All lines of a game, none if there is no such game. Raises one of ODD."""
        entries, self._heads[game] = reading.entries(self._db, game)
        return entries

    def _verify(self, place: LockedFile) -> None:
        """Read what may be played on, and compare with the bookmark. Raises one of ODD.

        Of the games only the newest are looked at, and few of those line by line: a long history
        does not make a start longer. The others are checked when they are read.
        """
        marked = place.marked
        heads = reading.newest(self._db, NEWEST)
        open_games = [game for game, winners in heads.items() if winners is None]
        for game in {*open_games[-CHECKED:], *([marked[0]] if marked else [])}:
            self._checked(game)
        lacking = marked and self._heads[marked[0]].n < marked[1]
        if lacking or reading.last_game(self._db) != max(heads, default=0):
            raise Damaged
        self._read_settings()
        if place.is_to_repair:
            raise Damaged

    def _read_settings(self) -> None:
        self._settings = reading.settings(self._db)
        self._settings.pop(IDENTITY, None)
        self.untold = remembered(self._settings.pop(REPAIRED, None))

    # --- damage ---

    def _rescue(self, place: LockedFile, now: int) -> None:
        """Set the damaged file aside and begin a new one with every line that is unharmed.

        Raises OSError or one of ODD if that cannot be done; then nothing has changed.
        """
        damaged, marked, path = getattr(self, "_db", None), place.marked, place.path
        try:
            with closing(Repair(path, damaged, self._tell)) as repair:
                kept, lost = repair.run(marked)
                entries = {str(entry.question): entry for entry in settings(path)}
                untold = entries.get(REPAIRED)
                if untold is not None and (before := remembered(untold.value)) is not None:
                    lost += before.lost
                aside = aside_of(path, now)
                self.damage = Damage(kept, lost, aside.name)
                entries[REPAIRED] = Entry("setting", REPAIRED, None, [*self.damage], now)
                repair.finish(entries.values())
        except BaseException as error:
            if isinstance(error, Exception):  # what the power or a person cuts short goes on
                drop(path)
            if damaged is not None:
                let_go(damaged, path)
                del self._db
            raise
        place.repair_later()
        set_aside(path, aside)
        if damaged is not None:
            damaged.close()  # not before: SQLite deletes the log when it closes
        building_of(path).rename(path)
        place.clear()
        self._use(path, new=False)
        self._identify(place)
        self._read_settings()
        if marked is not None and (end := reading.end(self._db, marked[0])) is not None:
            place.mark(marked[0], end)


def _tidy(path: Path, now: int) -> None:
    """End a repair that was cut at its very end. Set the log of an earlier file aside."""
    if building_of(path).exists() and not path.exists():
        set_aside(path, aside_of(path, now))
        building_of(path).rename(path)
    if has_foreign_log(path):
        set_log_aside(path, aside_of(path, now, "before"))
