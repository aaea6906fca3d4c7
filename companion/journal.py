"""The durable list of answers of every game ever played on this box.

A row is one line of text with a checksum that chains it to the line before. SQLite (WAL, one sync
a commit) keeps the rows; what SQLite can no longer read after damage, a scan of the raw bytes can.
Beside the file lies its lock, `<file>-lock`: it also holds a bookmark of the last committed line,
so that a record which was cut short is noticed even if what is left of it looks whole.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import sqlite3
import time
import zlib
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core import Answer, CompanionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERSION: Final = 1
APPLICATION: Final = 0x436F6D70
"""SQLite's application_id: "Comp"."""
BITS: Final = 24
"""A row's id is its game's number, then 24 bits of its place in the game."""
NEWEST: Final = 999
"""A version above this one is no version but damage."""
PLACE: Final = 22
"""The length of a bookmark; behind it stands, if need be, that the file is to be repaired."""
REPAIR: Final = b"repair"
LINE: Final = re.compile(rb"([0-9a-f]{8}) (\[[\x20-\x7e]+\])\n")

SCHEMA: Final = f"""
CREATE TABLE entry(id INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;
CREATE TABLE game(
  id INTEGER PRIMARY KEY, head INTEGER NOT NULL, winners TEXT, checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE setting(key TEXT PRIMARY KEY, line TEXT NOT NULL) STRICT;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


class JournalError(CompanionError, OSError):
    """The record can not be opened or written; the text says what to do. Nothing was lost.

    `code` is the reason for the words' sake: "full", "unwritable" or "damaged".
    """

    def __init__(self, text: str, code: str = "unwritable") -> None:
        super().__init__(text)
        self.code = code


class Entry(NamedTuple):
    """One line of a game.

    `kind`: "game" (the first: `value` is the header), "answer", "box" (an answer of the box's
    own), "press" (a player's part in the chance), "seen" (`who` looked at a secret), "undo",
    "redo", "over" (`value`: the winners), "cut" (only the first `value` lines still
    fit the rules). `at` is in seconds since 1970.
    """

    kind: str
    question: str | None = None
    who: str | None = None
    value: Answer = None
    at: int = 0


class Summary(NamedTuple):
    """A game in the list of games. `winners` is None while it can go on; times in seconds."""

    id: int
    game: str
    players: tuple[str, ...]
    started: int
    last: int
    winners: tuple[str, ...] | None


class Damage(NamedTuple):
    """What was found damaged: lines kept, lines known to be lost, and the file set aside."""

    kept: int
    lost: int
    file: str


def _encode(game: int, n: int, entry: Entry, before: int) -> tuple[str, int]:
    text = json.dumps([game, n, *entry], separators=(",", ":"))
    check = zlib.crc32(text.encode(), before)
    return f"{check:08x} {text}\n", check


class _Damaged(Exception):  # noqa: N818 - never leaves this file
    """Something in the file is not what was written."""


ODD: Final = (
    _Damaged,
    sqlite3.Error,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    MemoryError,
)
"""What reading a damaged file can raise: SQLite hands on whatever it finds there."""


class _Head(NamedTuple):
    """Where a game's record ends: its last line and that line's checksum; who won, if it is over.

    `before` is the number of the game before, so that a lost game leaves a gap.
    """

    n: int
    checksum: int
    winners: str | None
    before: int

    def row(self, game: int) -> tuple[int, int, str | None, int]:
        """The game's row: it must be found as it was written."""
        text = f"{self.before} {game} {self.n} {self.winners}"
        return game, self.n, self.winners, zlib.crc32(text.encode())


def _winners(entries: Iterable[Entry], winners: str | None = None) -> str | None:
    """The winners of a game that is over; to look at cards afterwards changes nothing."""
    for entry in entries:
        if entry.kind != "seen":
            winners = json.dumps(entry.value) if entry.kind == "over" else None
    return winners


def _decode(line: str, game: int, n: int, before: int) -> tuple[Entry, int]:
    """An entry and its checksum. Raises one of ODD if the line is not that one, unharmed."""
    text = line[9:-1]
    check = zlib.crc32(text.encode(), before)
    if line != f"{check:08x} {text}\n":
        raise _Damaged
    found_game, found_n, *rest = json.loads(text)
    if (found_game, found_n) != (game, n):
        raise _Damaged
    return Entry(*rest), check


class Journal:
    """Games and settings in one file; in memory, and gone afterwards, if `path` is None.

    Opening a damaged file sets it aside under a dated name, keeps what can be read, and says so in
    `damage`. Raises JournalError if another companion has the file, or a newer one wrote it.
    """

    def __init__(self, path: Path | None, now: int = 0) -> None:
        self.damage: Damage | None = None
        self.was_empty = False
        self._path = path
        self._heads: dict[int, _Head] = {}
        self._settings: dict[str, Any] = {}
        self._lock = -1
        if path is None:
            self._db = _connect(":memory:")
            self._db.executescript(SCHEMA)
            return
        self._lock = _take_lock(path)
        try:
            self._open(path, now)
        except BaseException:
            self.close()
            raise

    def _open(self, path: Path, now: int) -> None:
        building = Path(f"{path}-new")
        if building.exists() and not path.exists():  # a repair was cut short at its very end
            _set_aside(path, now)
            building.rename(path)
        size, log = _size(path), _size(f"{path}-wal")
        self.was_empty = path.exists() and not size
        try:
            if log and not size:
                raise _Damaged  # SQLite would throw the log of an empty file away
            self._use(path, new=not size)
            self._verify()
        except ODD as error:
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error, path):
                raise _explained(error, path) from error
            try:
                self._rescue(path, now)
            except sqlite3.Error as failed:
                raise _explained(failed, path) from failed

    def _use(self, path: Path, *, new: bool) -> None:
        """Open or make the file. Raises one of ODD, or JournalError if it is newer."""
        old_mask = os.umask(0o077)  # the running game's seed and hands are nobody else's business
        try:
            self._db = _connect(str(path))
            _prepare(self._db, path, new=new)
        finally:
            os.umask(old_mask)

    # --- games ---

    def begin(self, header: dict[str, Any], entries: Iterable[Entry], now: int) -> int:
        """Write a new game down, header and first lines; its number. Raises JournalError."""
        with self._careful():
            (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
            game = int(last) + 1
        self._heads[game] = _Head(-1, 0, None, game - 1 and last)
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
        rows, n, check = [], head.n, head.checksum
        for n, entry in enumerate(entries, head.n + 1):
            line, check = _encode(game, n, entry, check)
            rows.append((game << BITS | n, line))
        head = _Head(n, check, _winners(entries, head.winners), head.before)
        with self._careful(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO entry VALUES (?, ?)", rows)
            self._db.execute("REPLACE INTO game VALUES (?, ?, ?, ?)", head.row(game))
        self._heads[game] = head
        self._bookmark(game, n)

    def read(self, game: int) -> tuple[dict[str, Any], list[Entry]]:
        """The header and the lines of a game. Raises JournalError if there is no such game."""
        with self._careful(game):
            entries = self._checked(game)
        if not entries:
            raise JournalError(f"There is no game {game}: `companion games` lists them.")
        return entries[0].value, entries[1:]

    def summary(self, game: int) -> Summary:
        """What the list of games says of one game. Raises JournalError."""
        with self._careful(game):
            row = self._db.execute(
                "SELECT head, winners FROM game WHERE id = ?", (game,)
            ).fetchone()
            if row is None:
                raise JournalError(f"There is no game {game}: `companion games` lists them.")
            header, last = (self._line(game, n) for n in (0, row[0]))
            value, winners = header[5], row[1] and tuple(json.loads(row[1]))
            players = tuple(value["players"])
            return Summary(game, value["game"], players, header[6], last[6], winners)

    def unfinished(self) -> list[int]:
        """The numbers of all games that can go on, newest first. Raises JournalError."""
        return self._numbers("SELECT id FROM game WHERE winners IS NULL ORDER BY id DESC")

    def games(self) -> list[int]:
        """The numbers of all games, newest first. Raises JournalError."""
        return self._numbers("SELECT id FROM game ORDER BY id DESC")

    def _numbers(self, query: str) -> list[int]:
        with self._careful():
            return [game for (game,) in self._db.execute(query)]

    # --- settings ---

    def settings(self) -> dict[str, Any]:
        """What was set, by key."""
        return dict(self._settings)

    def set(self, key: str, value: Answer, now: int) -> None:
        """Remember a setting. Raises JournalError."""
        line, _ = _encode(0, 0, Entry("setting", key, None, value, now), 0)
        with self._careful(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("REPLACE INTO setting VALUES (?, ?)", (key, line))
        self._settings[key] = value

    def close(self) -> None:
        """Close the file and give the lock back; safe to call twice."""
        if hasattr(self, "_db"):
            self._db.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    # --- reading with care ---

    @contextmanager
    def _careful(self, game: int | None = None) -> Iterator[None]:
        """Whatever fails in here is a JournalError; damage is repaired at the next start."""
        try:
            yield
        except ODD as error:
            failed = _explained(error, self._path, game)
            if failed.code == "damaged":
                self._repair_later()
            raise failed from error

    def _repair_later(self) -> None:
        if self._lock >= 0:
            with suppress(OSError):
                os.pwrite(self._lock, REPAIR, PLACE)

    def _head(self, game: int) -> _Head:
        if game not in self._heads:
            self._checked(game)
        return self._heads[game]

    def _checked(self, game: int) -> list[Entry]:
        """All lines of a game, none if there is no such game. Raises one of ODD."""
        entries = self._entries(game)
        row = self._db.execute("SELECT * FROM game WHERE id = ?", (game,)).fetchone()
        if row != (self._heads[game].row(game) if entries else None):
            raise _Damaged
        return entries

    def _entries(self, game: int) -> list[Entry]:
        """All lines of a game, checked. Raises one of ODD."""
        entries: list[Entry] = []
        check = 0
        rows = self._db.execute(
            "SELECT id, line FROM entry WHERE id BETWEEN ? AND ? ORDER BY id",
            (game << BITS, (game + 1 << BITS) - 1),
        )
        for n, (_, line) in enumerate(rows):
            entry, check = _decode(line, game, n, check)
            entries.append(entry)
        (before,) = self._db.execute(
            "SELECT coalesce(max(id), 0) FROM game WHERE id < ?", (game,)
        ).fetchone()
        self._heads[game] = _Head(len(entries) - 1, check, _winners(entries), before)
        return entries

    def _line(self, game: int, n: int) -> list[Any]:
        row = self._db.execute(
            "SELECT line FROM entry WHERE id = ?", (game << BITS | n,)
        ).fetchone()
        if row is None:
            raise _Damaged
        found: list[Any] = json.loads(row[0][9:-1])
        return found

    def _verify(self) -> None:
        """Read what may be played on, and compare with the bookmark. Raises one of ODD."""
        marked = self._marked()
        last, heads = 0, {}
        for row in self._db.execute("SELECT * FROM game ORDER BY id").fetchall():
            game, head, winners, _ = row
            if _Head(head, 0, winners, last).row(game) != row:
                raise _Damaged
            if winners is None or (marked and game == marked[0]):
                self._checked(game)
            last, heads[game] = game, head
        (line,) = self._db.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()
        if line >> BITS != last or (marked and heads.get(marked[0], -1) < marked[1]):
            raise _Damaged
        for key, line in self._db.execute("SELECT key, line FROM setting"):
            entry, _ = _decode(line, 0, 0, 0)
            if entry.question != key:
                raise _Damaged
            self._settings[key] = entry.value
        if os.pread(self._lock, len(REPAIR), PLACE) == REPAIR:
            raise _Damaged

    # --- the bookmark: game and line, written without a sync, so it is never ahead of the disk ---

    def _bookmark(self, game: int, n: int) -> None:
        if self._lock >= 0:
            with suppress(OSError):  # an old bookmark is none the worse
                os.pwrite(self._lock, f"{game:10d} {n:10d}\n".encode(), 0)

    def _marked(self) -> tuple[int, int] | None:
        found = re.fullmatch(rb" *(\d+) +(\d+)\n", os.pread(self._lock, PLACE, 0))
        return (int(found[1]), int(found[2])) if found else None

    # --- damage ---

    def _rescue(self, path: Path, now: int) -> None:
        """Set the damaged file aside and begin a new one with every line that is unharmed.

        Raises sqlite3.Error if that can not be written; then nothing has changed.
        """
        damaged = getattr(self, "_db", None)
        games, settings, found = _salvage(path, damaged)
        kept = sum(map(len, games.values()))
        marked, n = self._marked() or (0, -1)
        heads = {**_heads(damaged), marked: n}
        missing = sum(max(0, n + 1 - len(games.get(game, ()))) for game, n in heads.items())
        building = Path(f"{path}-new")
        for tail in ("", "-wal", "-shm"):
            Path(f"{building}{tail}").unlink(missing_ok=True)
        self._heads = {}
        try:
            self._use(building, new=True)
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                for game, entries in games.items():
                    self._restore(game, entries)
                for entry in settings:
                    line, _ = _encode(0, 0, entry, 0)
                    self._db.execute("REPLACE INTO setting VALUES (?, ?)", (entry.question, line))
        except sqlite3.Error:
            self._db.close()
            building.unlink(missing_ok=True)
            if damaged is not None:
                _let_go(damaged, path)
            raise
        finally:
            self._settings = {str(entry.question): entry.value for entry in settings}
        self._db.close()
        self._repair_later()
        self.damage = Damage(kept, max(found - kept, missing), _set_aside(path, now))
        if damaged is not None:
            damaged.close()  # not before: SQLite deletes the log when it closes
        building.rename(path)
        os.ftruncate(self._lock, 0)
        if marked in games:
            self._bookmark(marked, len(games[marked]) - 1)
        self._use(path, new=False)

    def _restore(self, game: int, entries: list[Entry]) -> None:
        check = 0
        for n, entry in enumerate(entries):
            line, check = _encode(game, n, entry, check)
            self._db.execute("INSERT INTO entry VALUES (?, ?)", (game << BITS | n, line))
        before = max(self._heads, default=0)
        self._heads[game] = head = _Head(len(entries) - 1, check, _winners(entries), before)
        self._db.execute("INSERT INTO game VALUES (?, ?, ?, ?)", head.row(game))


def _take_lock(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise JournalError(f"{path} can not be opened: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise JournalError(f"Another companion is using {path}: end that one first.") from error
    return lock


def _connect(name: str) -> sqlite3.Connection:
    return sqlite3.connect(name, isolation_level=None, check_same_thread=False)


def _size(path: Path | str) -> int:
    """The size of a file, 0 if there is none."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _prepare(db: sqlite3.Connection, path: Path, *, new: bool) -> None:
    """See whose file it is and that it can be written. Raises one of ODD, or JournalError."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if not new:
        if application != APPLICATION or not 1 <= version <= NEWEST:
            raise _Damaged
        if version > VERSION:
            raise JournalError(f"{path} was written by a newer companion: update this one.")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    if new:
        db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
    else:
        db.execute("BEGIN IMMEDIATE")
        db.execute("ROLLBACK")


def _let_go(db: sqlite3.Connection, path: Path) -> None:
    """Close a damaged file, but keep its log: SQLite deletes it, with what it could not read."""
    log, kept = Path(f"{path}-wal"), Path(f"{path}-log")
    with suppress(FileNotFoundError):
        log.rename(kept)
    db.close()
    with suppress(FileNotFoundError):
        kept.rename(log)


def _is_damage(error: sqlite3.Error, path: Path | None) -> bool:
    words = ("malformed", "not a database", "no such", "corrupt", "decode", "unsupported")
    if "readonly" in str(error) and path is not None:
        return os.access(path, os.W_OK)  # SQLite says so of a version that it does not know
    return any(word in str(error) for word in words)


def _explained(error: BaseException, path: Path | None, game: int | None = None) -> JournalError:
    text = str(error)
    if isinstance(error, sqlite3.OperationalError) and not _is_damage(error, path):
        if "full" in text:
            text = "The disk is full: make room, then press again. Nothing was lost."
            return JournalError(text, "full")
        if "readonly" in text or "unable to open" in text:
            return JournalError(f"{path} can not be written: check who owns it. Nothing was lost.")
        return JournalError(f"{path} can not be written ({text}). Nothing was lost.")
    if game is not None:
        return JournalError(f"Game {game} is damaged: start again to repair it.", "damaged")
    text = f"{path} is damaged: switch off and on to repair it. Nothing was lost."
    return JournalError(text, "damaged")


def _set_aside(path: Path, now: int) -> str:
    """Rename the file and its log to a dated name; the new name."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(now))
    aside = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.stem}-damaged-{stamp}-{number}{path.suffix}")
    for tail in ("", "-wal"):
        with suppress(FileNotFoundError):
            Path(f"{path}{tail}").rename(f"{aside}{tail}")
    Path(f"{path}-shm").unlink(missing_ok=True)
    return aside.name


def _salvage(
    path: Path, db: sqlite3.Connection | None
) -> tuple[dict[int, list[Entry]], list[Entry], int]:
    """Games, settings, and how many lines of games there were, from the bytes of file and log.

    A line longer than a page lies in pieces: for those, `db` is asked as well.
    """
    found: dict[tuple[int, int], dict[bytes, None]] = {}
    settings: dict[str, Entry] = {}
    for check, text in _lines(path):
        try:
            game, n, *rest = json.loads(text)
            entry = Entry(*rest)
        except (ValueError, TypeError):
            continue
        if type(game) is not int or type(n) is not int:
            continue
        if game:
            found.setdefault((game, n), {})[check + b" " + text + b"\n"] = None
        elif check == b"%08x" % zlib.crc32(text):
            key = str(entry.question)
            if key not in settings or settings[key].at <= entry.at:
                settings[key] = entry
    for game in {game for game, _ in found}:
        if (game, 0) not in found and db is not None:
            with suppress(*ODD):
                query = "SELECT CAST(line AS BLOB) FROM entry WHERE id = ?"
                (line,) = db.execute(query, (game << BITS,)).fetchone()
                found[game, 0] = {line: None}
    games = {game: _chain(found, game) for game in sorted({game for game, _ in found})}
    kept = {game: entries for game, entries in games.items() if entries}
    return kept, list(settings.values()), len(found)


def _heads(db: sqlite3.Connection | None) -> dict[int, int]:
    """The last line of each game, as far as a damaged file still tells."""
    heads: dict[int, int] = {}
    if db is not None:
        with suppress(*ODD):
            for row in db.execute("SELECT * FROM game ORDER BY id"):
                game, n, winners, _ = row
                if row == _Head(n, 0, winners, max(heads, default=0)).row(game):
                    heads[game] = n
    return heads


def _lines(path: Path) -> Iterator[tuple[bytes, bytes]]:
    for tail in ("", "-wal"):
        if _size(f"{path}{tail}"):
            yield from LINE.findall(Path(f"{path}{tail}").read_bytes())


def _chain(found: dict[tuple[int, int], dict[bytes, None]], game: int) -> list[Entry]:
    """The lines of a game from its first to the last before a gap.

    Where two lines fit (one was written, but never committed), the longer record is the true one.
    """
    chains: dict[int, list[Entry]] = {0: []}
    while True:
        longer: dict[int, list[Entry]] = {}
        for check, entries in chains.items():
            n = len(entries)
            for line in found.get((game, n), ()):
                with suppress(*ODD):
                    entry, after = _decode(line.decode(), game, n, check)
                    longer[after] = [*entries, entry]
        if not longer:
            return next(iter(chains.values()))
        chains = longer
