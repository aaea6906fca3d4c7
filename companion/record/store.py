"""The SQLite file under the journal: whose it is, how it is opened, what its errors mean."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import sqlite3
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final

from companion.core.errors import Explained
from companion.record.entry import ODD, Damaged, Entry, decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION: Final = 1
APPLICATION: Final = 0x436F6D70
"""SQLite's application_id: "Comp"."""
PATIENCE: Final = 0.5
"""Seconds that a lock of another program is waited for."""
LOCKS: Final = Path("/proc/locks")
MASK: Final = RLock()
"""Held while the umask is another: it is the process's, and two threads would leave it changed."""
IDENTITY: Final = "record"
"""The key of a setting that is none: a random text by which a record is known to its lock."""
IDENTITY_LENGTH: Final = 16
LAST_VERSION: Final = 999
"""A version above this one is no version but damage."""

SCHEMA: Final = f"""
CREATE TABLE entry(id INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;
CREATE TABLE game(
  id INTEGER PRIMARY KEY, head INTEGER NOT NULL, winners TEXT, checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE setting(key TEXT PRIMARY KEY, line TEXT NOT NULL) STRICT;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""
CODES: Final = {
    "fixed_disk": "read_only",
    "in_use_by": "in_use",
    "damaged_game": "damaged",
    **{code: code for code in ("in_use", "read_only", "full", "busy", "damaged")},
}
"""What the box calls a reason, in its few words; all others are "unwritable"."""


class JournalError(Explained, OSError):
    """The record cannot be opened or written. Nothing was lost.

    `code` is what the box says of it: one of CODES, or "unwritable".
    """

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(f"record.{reason}", **facts)
        self.code = CODES.get(reason, "unwritable")


def take_lock(path: Path) -> int:
    """Take the lock beside a file; its descriptor. Raises JournalError if another has it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        reason = "fixed_disk" if error.errno == errno.EROFS else "closed"
        raise JournalError(reason, file=path, why=error.strerror) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        n = _holder(lock)
        os.close(lock)
        raise JournalError("in_use_by" if n else "in_use", file=path, n=n) from error
    return lock


def _holder(lock: int) -> int:
    """The process that has taken a lock, to be ended by hand should it be deaf; 0: not known.

    Linux tells, in proc_locks(5): `1: FLOCK ADVISORY WRITE 4711 fd:00:1234 0 EOF`.
    """
    found = os.fstat(lock)
    file = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    try:
        rows = [row.split() for row in LOCKS.read_text("utf-8").splitlines()]
    except OSError:
        return 0
    return next((int(row[4]) for row in rows if row[1] == "FLOCK" and row[5] == file), 0)


@contextmanager
def private() -> Iterator[None]:
    """What is made in here is its owner's alone: a running game's seed and hands are secrets."""
    with MASK:
        old_mask = os.umask(0o077)
        try:
            yield
        finally:
            os.umask(old_mask)


@private()
def connect(name: str) -> sqlite3.Connection:
    """A connection that begins transactions only when it is told to, in any thread.

    A press does not wait long for somebody else's program: it is refused, and can be made again.
    """
    db = sqlite3.connect(
        name,
        isolation_level=None,
        check_same_thread=False,
        timeout=PATIENCE,
        uri=name.startswith("file:"),
    )
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def to_read(path: Path) -> sqlite3.Connection:
    """A connection that only reads, and sees the file as it is now. Raises one of ODD.

    `path` may be relative, or a link: the log lies beside the file itself.
    """
    db = _readable(path.resolve())
    try:
        ours = _is_ours(db)
        db.execute("BEGIN")
    except BaseException:
        db.close()
        raise
    if not ours:
        db.close()
        raise Damaged
    return db


def _is_ours(db: sqlite3.Connection) -> bool:
    """Whether a file has our tables in this version, and nothing else. Raises one of ODD."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return (application, version) == (APPLICATION, VERSION) and has_schema(db, SCHEMA)


def has_schema(db: sqlite3.Connection, schema: str) -> bool:
    """Return True if the file has the tables and indexes of `schema`, and nothing else.

    A file from elsewhere may hold triggers and views of our names: they would run with each press.
    Raises one of ODD.
    """
    found = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return sorted(found, key=repr) == _objects(schema)


@cache
def _objects(schema: str) -> list[tuple[str, str, str, str | None]]:
    """Return type, name, table and SQL of all that a schema makes, as SQLite stores them."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema)
        made = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return sorted(made, key=repr)


def _readable(path: Path) -> sqlite3.Connection:
    """A file that somebody has open has a log; any other is read as it lies there, untouched."""
    if Path(f"{path}-wal").exists() and not has_foreign_log(path):
        db = connect(f"{path.as_uri()}?mode=ro")
        try:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error:
            db.close()
        else:
            return db
    return connect(f"{path.as_uri()}?mode=ro&immutable=1")


@private()
def prepare(db: sqlite3.Connection, path: Path, *, new: bool, more: str = "") -> None:
    """See whose file it is and that it can be written. Raises one of ODD, or JournalError.

    `more` is the SQL of what stands there beside our tables.
    """
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if not new:
        if application != APPLICATION or not 1 <= version <= LAST_VERSION:
            raise Damaged
        if version > VERSION:
            raise JournalError("newer", file=path, n=version, known=VERSION)
        if not has_schema(db, SCHEMA + more):
            raise Damaged
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    if new:
        db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
        rename(db)
    else:
        db.execute("BEGIN IMMEDIATE")
        db.execute("ROLLBACK")


def identity(db: sqlite3.Connection) -> str | None:
    """Return the text by which a record is known to its lock; None if it has none.

    Raises one of ODD.
    """
    row = db.execute("SELECT line FROM setting WHERE key = ?", (IDENTITY,)).fetchone()
    return None if row is None else str(decode(row[0], 0, 0, 0)[0].value)


def lock_identity(path: Path) -> str | None:
    """Return the identity of the record that the lock beside a file was last taken for, or None."""
    with suppress(OSError), Path(f"{path}-lock").open("rb") as lock:
        found = re.match(rb"[0-9a-f]{%d}" % IDENTITY_LENGTH, lock.read(IDENTITY_LENGTH))
        return found[0].decode() if found else None
    return None


def has_foreign_log(path: Path) -> bool:
    """Return True if the log beside a file is of another record, which lay there before.

    SQLite would write such a log over the file.
    """
    expected = lock_identity(path)
    if expected is None or not Path(f"{path}-wal").exists():
        return False
    with suppress(*ODD), closing(connect(f"{path.as_uri()}?mode=ro&immutable=1")) as db:
        return identity(db) not in (None, expected)
    return False


def rename(db: sqlite3.Connection) -> str:
    """Give a record another identity, and return it. Raises sqlite3.Error."""
    name = secrets.token_hex(IDENTITY_LENGTH // 2)
    line, _ = encode(0, 0, Entry("setting", IDENTITY, None, name), 0)
    db.execute("REPLACE INTO setting VALUES (?, ?)", (IDENTITY, line))
    return name


def is_damage(error: sqlite3.Error, path: Path | None) -> bool:
    """Whether an error means that the file is damaged, not that it cannot be written."""
    words = ("malformed", "not a database", "no such", "corrupt", "decode", "unsupported")
    if "readonly" in str(error) and path is not None:
        return os.access(path, os.W_OK)  # SQLite says so of a version that it does not know
    return any(word in str(error) for word in words)


def explained(error: BaseException, path: Path | None, game: int | None = None) -> JournalError:
    """The error as one sentence that says what to do. `game` is the game that was read."""
    text = str(error)
    if isinstance(error, JournalError):
        return error
    if isinstance(error, OSError):
        return JournalError("unreadable", file=path, why=error.strerror)
    if isinstance(error, sqlite3.OperationalError) and not is_damage(error, path):
        if "full" in text:
            return JournalError("full")
        if "locked" in text:
            return JournalError("busy", file=path)
        if "readonly" in text or "unable to open" in text:
            return JournalError("denied", file=path)
        return JournalError("unwritable", file=path, why=text)
    if game is not None:
        return JournalError("damaged_game", n=game)
    return JournalError("damaged", file=path)
