"""The SQLite schema of a record file, connections to the file, and its errors."""

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

from companion.core.errors import TranslatedError
from companion.record.entry import (
    DAMAGE_ERRORS,
    DamagedRecordError,
    Entry,
    decode_record_line,
    encode_record_line,
)

VERSION: Final = 1
APPLICATION_ID: Final = 0x436F6D70
"""The application_id of SQLite files that are records: the letters "Comp"."""
LOCK_TIMEOUT_SECONDS: Final = 0.5
"""The maximum number of seconds to wait for another program's lock on the SQLite file."""
KERNEL_LOCKS_FILE: Final = Path("/proc/locks")
UMASK_LOCK: Final = RLock()
"""The lock that a thread holds while it changes the umask, which all threads share."""
IDENTITY_SETTING: Final = "record"
"""The key of the setting with the random text that identifies a record file."""
IDENTITY_LENGTH: Final = 16
MAX_PLAUSIBLE_VERSION: Final = 999
"""The highest plausible schema version. A higher number in a file means damage."""

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
"""The box's error code for each reason of a JournalError.

Reasons that the table lacks have the code "unwritable".
"""


class JournalError(TranslatedError, OSError):
    """The error for a record that cannot be opened, read or written.

    code: the box's code for the reason: a value of REASON_CODES, or "unwritable".
    """

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(f"record.{reason}", **facts)
        self.code = REASON_CODES.get(reason, "unwritable")


def lock_record(path: Path) -> int:
    """Lock the file `<path>-lock` for the record at `path`, and return the lock file's descriptor.

    Raise JournalError if another process has the lock or the file cannot be created.
    """
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
    """Return the id of the process that holds the lock on a descriptor's file; 0 if unknown.

    The function reads the kernel's table of locks, /proc/locks (see `man proc_locks`).
    """
    status = os.fstat(lock)
    file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    try:
        rows = [row.split() for row in KERNEL_LOCKS_FILE.read_text("utf-8").splitlines()]
    except OSError:
        return 0
    return next((int(row[4]) for row in rows if row[1] == "FLOCK" and row[5] == file), 0)


@contextmanager
def create_files_privately() -> Iterator[None]:
    """Give files that are created in the `with` block permissions for their owner only."""
    with UMASK_LOCK:
        old_mask = os.umask(0o077)
        try:
            yield
        finally:
            os.umask(old_mask)


@create_files_privately()
def connect_to_database(name: str) -> sqlite3.Connection:
    """Return a connection to the SQLite file or URI `name`.

    Any thread may use the connection. The connection begins no implicit transactions.

    A commit fails if another program locks the file for longer than LOCK_TIMEOUT_SECONDS.
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


def open_database_read_only(path: Path) -> sqlite3.Connection:
    """Return a read-only connection to a record file, with a transaction on its present state.

    Raise one of DAMAGE_ERRORS if the file is damaged or is not a record.
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
        raise DamagedRecordError
    return db


def _is_ours(db: sqlite3.Connection) -> bool:
    """Return True if a file is a record with exactly the tables of this version."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return (application, version) == (APPLICATION_ID, VERSION) and has_exact_schema(db, SCHEMA)


def has_exact_schema(db: sqlite3.Connection, schema: str) -> bool:
    """Return True if an SQLite file has exactly the tables and indexes of the SQL `schema`.

    A file from another source could contain more, such as triggers that SQLite runs at each change.
    Raise one of DAMAGE_ERRORS if the file is damaged.
    """
    objects = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return sorted(objects, key=repr) == _objects(schema)


@cache
def _objects(schema: str) -> list[tuple[str, str, str, str | None]]:
    """Return the type, name, table and SQL of each database object that a schema creates."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema)
        made = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return sorted(made, key=repr)


def _readable(path: Path) -> sqlite3.Connection:
    """Return a read-only connection to a file.

    If the file's write-ahead log is readable, the connection also reads the log.
    """
    if Path(f"{path}-wal").exists() and not has_foreign_log(path):
        db = connect_to_database(f"{path.as_uri()}?mode=ro")
        try:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error:
            db.close()
        else:
            return db
    return connect_to_database(f"{path.as_uri()}?mode=ro&immutable=1")


@create_files_privately()
def check_record_file_access(
    db: sqlite3.Connection, path: Path, *, new: bool, more: str = ""
) -> None:
    """Check that an open file is a writable record, or create the tables of a new record.

    - `new`: whether to create the tables.
    - `more`: the SQL of additional tables that the file must have.

    Raise JournalError if a newer version wrote the file. Raise one of DAMAGE_ERRORS if the file is
    damaged.
    """
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if not new:
        if application != APPLICATION_ID or not 1 <= version <= MAX_PLAUSIBLE_VERSION:
            raise DamagedRecordError
        if version > VERSION:
            raise JournalError("newer", file=path, n=version, known=VERSION)
        if not has_exact_schema(db, SCHEMA + more):
            raise DamagedRecordError
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    if new:
        with db:  # one commit for the tables and the identity, because a record needs both
            db.executescript(f"BEGIN; {SCHEMA}")
            renew_record_identity(db)
    else:
        db.execute("BEGIN IMMEDIATE")
        db.execute("ROLLBACK")


def read_record_identity(db: sqlite3.Connection) -> str | None:
    """Return the random text that identifies a record; None if the record has none.

    Raise one of DAMAGE_ERRORS if the file is damaged.
    """
    row = db.execute("SELECT line FROM setting WHERE key = ?", (IDENTITY_SETTING,)).fetchone()
    return None if row is None else str(decode_record_line(row[0], 0, 0, 0)[0].value)


def read_record_identity_from_lock(path: Path) -> str | None:
    """Return the identity of the record that last used the lock file of `path`.

    Return None if the lock file does not contain an identity.
    """
    with suppress(OSError), Path(f"{path}-lock").open("rb") as lock:
        identity = re.match(rb"[0-9a-f]{%d}" % IDENTITY_LENGTH, lock.read(IDENTITY_LENGTH))
        return identity[0].decode() if identity else None
    return None


def has_foreign_log(path: Path) -> bool:
    """Return True if the write-ahead log beside a record file belongs to another record.

    SQLite would apply this log to the file.
    """
    expected = read_record_identity_from_lock(path)
    if expected is None or not Path(f"{path}-wal").exists():
        return False
    with (
        suppress(*DAMAGE_ERRORS),
        closing(connect_to_database(f"{path.as_uri()}?mode=ro&immutable=1")) as db,
    ):
        return read_record_identity(db) not in (None, expected)
    return False


def renew_record_identity(db: sqlite3.Connection) -> str:
    """Save a new random identity in a record, and return the identity.

    Raise sqlite3.Error if the file cannot be written.
    """
    name = secrets.token_hex(IDENTITY_LENGTH // 2)
    line, _ = encode_record_line(0, 0, Entry("setting", IDENTITY_SETTING, None, name), 0)
    db.execute("REPLACE INTO setting VALUES (?, ?)", (IDENTITY_SETTING, line))
    return name


def is_damage_error(error: sqlite3.Error, path: Path | None) -> bool:
    """Return True if an SQLite error means that the file is damaged, and not only unwritable."""
    words = ("malformed", "not a database", "no such", "corrupt", "decode", "unsupported")
    if "readonly" in str(error) and path is not None:
        # SQLite reports "readonly" also for an unknown format version, which means damage
        return os.access(path, os.W_OK)
    return any(word in str(error) for word in words)


def as_journal_error(
    error: BaseException, path: Path | None, game: int | None = None
) -> JournalError:
    """Return the JournalError that explains an exception from reading or writing a record.

    game: the number of the game whose lines were read, or None.
    """
    text = str(error)
    if isinstance(error, JournalError):
        return error
    if isinstance(error, OSError):
        return JournalError("unreadable", file=path, why=error.strerror)
    if isinstance(error, sqlite3.OperationalError) and not is_damage_error(error, path):
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
