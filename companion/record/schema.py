"""The SQLite file of a record: its owner, how it is opened, what its errors mean."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Final

from companion.core.errors import ExplainedError
from companion.record.entry import DAMAGE_ERRORS, DamagedRecord, Entry, decode_line, encode_line

VERSION: Final = 1
APPLICATION_ID: Final = 0x436F6D70
"""SQLite's application_id: "Comp"."""
LOCK_TIMEOUT_SECONDS: Final = 0.5
"""The time in seconds to wait for another program's lock."""
LOCKS_FILE: Final = Path("/proc/locks")
UMASK_LOCK: Final = RLock()
"""Held while the umask is changed, because all threads share it."""
IDENTITY_SETTING: Final = "record"
"""The internal setting with the random text that identifies a record to its lock."""
IDENTITY_LENGTH: Final = 16
MAX_VERSION: Final = 999
"""A version above this number is damage."""

SCHEMA: Final = f"""
CREATE TABLE entry(id INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;
CREATE TABLE game(
  id INTEGER PRIMARY KEY, head INTEGER NOT NULL, winners TEXT, checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE setting(key TEXT PRIMARY KEY, line TEXT NOT NULL) STRICT;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""
REASON_CODES: Final = {
    "fixed_disk": "read_only",
    "in_use_by": "in_use",
    "damaged_game": "damaged",
    **{code: code for code in ("in_use", "read_only", "full", "busy", "damaged")},
}
"""The box's codes for reasons; every other reason is "unwritable"."""


class JournalError(ExplainedError, OSError):
    """The record cannot be opened or written. Nothing was lost.

    `code` is the box's code of the reason: a value of REASON_CODES, or "unwritable".
    """

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(f"record.{reason}", **facts)
        self.code = REASON_CODES.get(reason, "unwritable")


def take_lock(path: Path) -> int:
    """Lock the file beside a record; return the descriptor. Raise JournalError if it is taken."""
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
    """Return the id of the process that holds a lock, so that a user can end it; 0 if unknown.

    Source: proc_locks(5), `1: FLOCK ADVISORY WRITE 4711 fd:00:1234 0 EOF`.
    """
    status = os.fstat(lock)
    file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    try:
        rows = [row.split() for row in LOCKS_FILE.read_text("utf-8").splitlines()]
    except OSError:
        return 0
    return next((int(row[4]) for row in rows if row[1] == "FLOCK" and row[5] == file), 0)


@contextmanager
def private_files() -> Iterator[None]:
    """Create files in this context for their owner only: seeds and hands are secret."""
    with UMASK_LOCK:
        old_mask = os.umask(0o077)
        try:
            yield
        finally:
            os.umask(old_mask)


@private_files()
def connect(name: str) -> sqlite3.Connection:
    """Return a connection for any thread, without implicit transactions.

    A press that meets another program's lock is refused after LOCK_TIMEOUT_SECONDS. It can be
    repeated.
    """
    db = sqlite3.connect(
        name,
        isolation_level=None,
        check_same_thread=False,
        timeout=LOCK_TIMEOUT_SECONDS,
        uri=name.startswith("file:"),
    )
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def open_read_only(path: Path) -> sqlite3.Connection:
    """Return a read-only connection to the file as it is now. Raise one of DAMAGE_ERRORS.

    `path` may be relative or a link: the log lies beside the link's target.
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
        raise DamagedRecord
    return db


def _is_ours(db: sqlite3.Connection) -> bool:
    """Return True if a file has exactly our tables, in this version. Raise one of DAMAGE_ERRORS."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return (application, version) == (APPLICATION_ID, VERSION) and has_schema(db, SCHEMA)


def has_schema(db: sqlite3.Connection, schema: str) -> bool:
    """Return True if the file has exactly the tables and indexes of `schema`.

    A file from somewhere else could contain triggers and views with our names, which would run with
    each press. Raise one of DAMAGE_ERRORS.
    """
    objects = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return sorted(objects, key=repr) == _objects(schema)


@cache
def _objects(schema: str) -> list[tuple[str, str, str, str | None]]:
    """Return type, name, table and SQL of everything a schema creates, as SQLite stores them."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema)
        made = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return sorted(made, key=repr)


def _readable(path: Path) -> sqlite3.Connection:
    """Return a connection to a file: with its log if it is in use, else unchanged as it is."""
    if Path(f"{path}-wal").exists() and not has_foreign_log(path):
        db = connect(f"{path.as_uri()}?mode=ro")
        try:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error:
            db.close()
        else:
            return db
    return connect(f"{path.as_uri()}?mode=ro&immutable=1")


@private_files()
def prepare_file(db: sqlite3.Connection, path: Path, *, new: bool, more: str = "") -> None:
    """Check owner and writability of the file. Raise one of DAMAGE_ERRORS, or JournalError.

    `more`: the SQL of tables beside ours.
    """
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if not new:
        if application != APPLICATION_ID or not 1 <= version <= MAX_VERSION:
            raise DamagedRecord
        if version > VERSION:
            raise JournalError("newer", file=path, n=version, known=VERSION)
        if not has_schema(db, SCHEMA + more):
            raise DamagedRecord
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    if new:
        with db:  # one commit: a record without an identity has lost lines
            db.executescript(f"BEGIN; {SCHEMA}")
            renew_identity(db)
    else:
        db.execute("BEGIN IMMEDIATE")
        db.execute("ROLLBACK")


def record_identity(db: sqlite3.Connection) -> str | None:
    """Return the text that identifies a record to its lock; None if it has none.

    Raise one of DAMAGE_ERRORS.
    """
    row = db.execute("SELECT line FROM setting WHERE key = ?", (IDENTITY_SETTING,)).fetchone()
    return None if row is None else str(decode_line(row[0], 0, 0, 0)[0].value)


def lock_identity(path: Path) -> str | None:
    """Return the identity of the record that last took the lock beside a file; None if unknown."""
    with suppress(OSError), Path(f"{path}-lock").open("rb") as lock:
        identity = re.match(rb"[0-9a-f]{%d}" % IDENTITY_LENGTH, lock.read(IDENTITY_LENGTH))
        return identity[0].decode() if identity else None
    return None


def has_foreign_log(path: Path) -> bool:
    """Return True if the log beside a file belongs to a record that was there before.

    SQLite would apply such a log to the file.
    """
    expected = lock_identity(path)
    if expected is None or not Path(f"{path}-wal").exists():
        return False
    with suppress(*DAMAGE_ERRORS), closing(connect(f"{path.as_uri()}?mode=ro&immutable=1")) as db:
        return record_identity(db) not in (None, expected)
    return False


def renew_identity(db: sqlite3.Connection) -> str:
    """Give a record a new identity and return it. Raise sqlite3.Error."""
    name = secrets.token_hex(IDENTITY_LENGTH // 2)
    line, _ = encode_line(0, 0, Entry("setting", IDENTITY_SETTING, None, name), 0)
    db.execute("REPLACE INTO setting VALUES (?, ?)", (IDENTITY_SETTING, line))
    return name


def is_damage(error: sqlite3.Error, path: Path | None) -> bool:
    """Return True if an error means that the file is damaged, not that it is unwritable."""
    words = ("malformed", "not a database", "no such", "corrupt", "decode", "unsupported")
    if "readonly" in str(error) and path is not None:
        return os.access(path, os.W_OK)  # SQLite reports this for an unknown version too
    return any(word in str(error) for word in words)


def explain_error(error: BaseException, path: Path | None, game: int | None = None) -> JournalError:
    """Return an error as one sentence that says what to do. `game`: the game being read."""
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
