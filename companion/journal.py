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
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core import Answer, CompanionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

VERSION: Final = 1
APPLICATION: Final = 0x436F6D70
"""SQLite's application_id: "Comp"."""
BITS: Final = 24
"""A row's id is its game's number, then 24 bits of its place in the game."""
LINE: Final = re.compile(rb"([0-9a-f]{8}) (\[[\x20-\x7e]+\])\n")

SCHEMA: Final = f"""
CREATE TABLE entry(id INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;
CREATE TABLE game(id INTEGER PRIMARY KEY, head INTEGER NOT NULL, winners TEXT) STRICT;
CREATE INDEX unfinished ON game(id) WHERE winners IS NULL;
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


def _decode(line: str, game: int, n: int, before: int) -> tuple[Entry, int]:
    """An entry and its checksum. Raises _Damaged if the line is not that one, unharmed."""
    try:
        text = line[9:-1]
        check = zlib.crc32(text.encode(), before)
        found_game, found_n, *rest = json.loads(text)
        if line[:8] != f"{check:08x}" or (found_game, found_n) != (game, n):
            raise _Damaged
        return Entry(*rest), check
    except (ValueError, TypeError) as error:
        raise _Damaged from error


class Journal:
    """Games and settings in one file; in memory, and gone afterwards, if `path` is None.

    Opening a damaged file sets it aside under a dated name, keeps what can be read, and says so in
    `damage`. Raises JournalError if another companion has the file, or a newer one wrote it.
    """

    def __init__(self, path: Path | None, now: int = 0) -> None:
        self.damage: Damage | None = None
        self.was_empty = False
        self._path = path
        self._heads: dict[int, tuple[int, int]] = {}
        self._settings: dict[str, Any] = {}
        self._lock = -1
        if path is None:
            self._db = _connect(":memory:")
            self._db.executescript(SCHEMA)
            return
        self._lock = _take_lock(path)
        self._open(path, now)

    def _open(self, path: Path, now: int) -> None:
        self.was_empty = path.exists() and path.stat().st_size == 0
        try:
            self._db = _open_file(path, new=not _has_content(path))
            self._verify()
        except (_Damaged, sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                raise _explained(error, path) from error
            self._rescue(path, now)

    # --- games ---

    def begin(self, header: dict[str, Any], entries: Iterable[Entry], now: int) -> int:
        """Write a new game down, header and first lines; its number. Raises JournalError."""
        (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
        game = int(last) + 1
        self._heads[game] = (-1, 0)
        try:
            self.append(game, [Entry("game", value=header, at=now), *entries])
        except JournalError:
            del self._heads[game]
            raise
        return game

    def append(self, game: int, entries: Iterable[Entry]) -> None:
        """Write entries of one game down with one sync. Raises JournalError; then nothing is."""
        n, check = self._head(game)
        rows, winners = [], None
        for entry in entries:
            n += 1
            line, check = _encode(game, n, entry, check)
            rows.append((game << BITS | n, line))
            winners = json.dumps(entry.value) if entry.kind == "over" else None
        if not rows:
            return
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT INTO entry VALUES (?, ?)", rows)
                self._db.execute("REPLACE INTO game VALUES (?, ?, ?)", (game, n, winners))
        except sqlite3.DatabaseError as error:
            raise _explained(error, self._path) from error
        self._heads[game] = (n, check)
        self._bookmark(game, n)

    def read(self, game: int) -> tuple[dict[str, Any], list[Entry]]:
        """The header and the lines of a game. Raises JournalError if there is no such game."""
        try:
            entries = self._entries(game)
        except (_Damaged, sqlite3.DatabaseError) as error:
            raise JournalError(f"Game {game} is damaged: start again to repair it.") from error
        if not entries:
            raise JournalError(f"There is no game {game}: `companion games` lists them.")
        return entries[0].value, entries[1:]

    def summary(self, game: int) -> Summary:
        """What the list of games says of one game. Raises JournalError."""
        try:
            row = self._db.execute(
                "SELECT head, winners FROM game WHERE id = ?", (game,)
            ).fetchone()
            if row is None:
                raise JournalError(f"There is no game {game}: `companion games` lists them.")
            header, last = (self._line(game, n) for n in (0, row[0]))
            value, winners = header[5], row[1] and tuple(json.loads(row[1]))
            return Summary(
                game, value["game"], tuple(value["players"]), header[6], last[6], winners
            )
        except (_Damaged, sqlite3.DatabaseError, ValueError, TypeError, KeyError) as error:
            raise JournalError(f"Game {game} is damaged: start again to repair it.") from error

    def unfinished(self) -> list[int]:
        """The numbers of all games that can go on, newest first."""
        rows = self._db.execute("SELECT id FROM game WHERE winners IS NULL ORDER BY id DESC")
        return [game for (game,) in rows]

    def games(self) -> list[int]:
        """The numbers of all games, newest first."""
        return [game for (game,) in self._db.execute("SELECT id FROM game ORDER BY id DESC")]

    # --- settings ---

    def settings(self) -> dict[str, Any]:
        """What was set, by key."""
        return dict(self._settings)

    def set(self, key: str, value: Answer, now: int) -> None:
        """Remember a setting. Raises JournalError."""
        line, _ = _encode(0, 0, Entry("setting", key, None, value, now), 0)
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute("REPLACE INTO setting VALUES (?, ?)", (key, line))
        except sqlite3.DatabaseError as error:
            raise _explained(error, self._path) from error
        self._settings[key] = value

    def close(self) -> None:
        """Close the file and give the lock back; safe to call twice."""
        self._db.close()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    # --- reading with care ---

    def _head(self, game: int) -> tuple[int, int]:
        if game not in self._heads:
            self._entries(game)
        return self._heads[game]

    def _entries(self, game: int) -> list[Entry]:
        """All lines of a game, checked. Raises _Damaged or sqlite3.DatabaseError."""
        entries: list[Entry] = []
        check = 0
        rows = self._db.execute(
            "SELECT id, line FROM entry WHERE id BETWEEN ? AND ? ORDER BY id",
            (game << BITS, (game + 1 << BITS) - 1),
        )
        for n, (_, line) in enumerate(rows):
            entry, check = _decode(line, game, n, check)
            entries.append(entry)
        self._heads[game] = (len(entries) - 1, check)
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
        """Read what may be played on, and compare with the bookmark. Raises _Damaged."""
        for game, head in self._db.execute(
            "SELECT id, head FROM game WHERE winners IS NULL"
        ).fetchall():
            entries = self._entries(game)
            if not entries or entries[0].kind != "game" or len(entries) - 1 != head:
                raise _Damaged
        for key, line in self._db.execute("SELECT key, line FROM setting"):
            entry, _ = _decode(line, 0, 0, 0)
            self._settings[key] = entry.value
        marked = self._marked()
        if marked is None:
            return
        row = self._db.execute("SELECT head FROM game WHERE id = ?", (marked[0],)).fetchone()
        if row is None or row[0] < marked[1]:
            raise _Damaged
        self._line(marked[0], row[0])

    # --- the bookmark: game and line, written without a sync, so it is never ahead of the disk ---

    def _bookmark(self, game: int, n: int) -> None:
        if self._lock >= 0:
            os.pwrite(self._lock, f"{game:10d} {n:10d}\n".encode(), 0)

    def _marked(self) -> tuple[int, int] | None:
        found = re.fullmatch(rb" *(\d+) +(\d+)\n", os.pread(self._lock, 22, 0))
        return (int(found[1]), int(found[2])) if found else None

    # --- damage ---

    def _rescue(self, path: Path, now: int) -> None:
        """Set the damaged file aside and begin a new one with every line that is unharmed."""
        if hasattr(self, "_db"):
            self._db.close()
        games, settings, found = _salvage(path)
        kept = sum(map(len, games.values()))
        game, n = self._marked() or (0, -1)
        missing = n + 1 - len(games.get(game, ()))
        self.damage = Damage(kept, max(found - kept, missing), _set_aside(path, now))
        os.ftruncate(self._lock, 0)
        self._heads.clear()
        self._settings = {str(entry.question): entry.value for entry in settings}
        self._db = _open_file(path, new=True)
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for number, entries in games.items():
                self._restore(number, entries)
            for entry in settings:
                line, _ = _encode(0, 0, entry, 0)
                self._db.execute("REPLACE INTO setting VALUES (?, ?)", (entry.question, line))

    def _restore(self, game: int, entries: list[Entry]) -> None:
        check = 0
        for n, entry in enumerate(entries):
            line, check = _encode(game, n, entry, check)
            self._db.execute("INSERT INTO entry VALUES (?, ?)", (game << BITS | n, line))
        last = entries[-1]
        winners = json.dumps(last.value) if last.kind == "over" else None
        self._db.execute("INSERT INTO game VALUES (?, ?, ?)", (game, len(entries) - 1, winners))


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


def _has_content(path: Path) -> bool:
    """Whether there is a record: the file, or a log of it that was not yet merged."""
    return any(
        os.path.exists(name) and os.path.getsize(name)  # noqa: PTH110, PTH202 - not quite a path
        for name in (f"{path}", f"{path}-wal")
    )


def _open_file(path: Path, *, new: bool) -> sqlite3.Connection:
    """Open or make the file. Raises sqlite3.DatabaseError, _Damaged, or JournalError if newer."""
    old_mask = os.umask(0o077)  # the running game's seed and hands are nobody else's business
    try:
        db = _connect(str(path))
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if new:
            db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
        elif application != APPLICATION:
            raise _Damaged
        elif version > VERSION:
            raise JournalError(f"{path} was written by a newer companion: update this one.")
    finally:
        os.umask(old_mask)
    return db


def _is_damage(error: sqlite3.Error) -> bool:
    words = ("malformed", "not a database", "no such", "corrupt", "decode", "unsupported")
    return any(word in str(error) for word in words)


def _explained(error: sqlite3.Error, path: Path | None) -> JournalError:
    text = str(error)
    if "full" in text:
        text = "The disk is full: make room, then press again. Nothing was lost."
        return JournalError(text, "full")
    if "readonly" in text or "unable to open" in text:
        return JournalError(f"{path} can not be written: check who owns it. Nothing was lost.")
    if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
        return JournalError(f"{path} can not be written ({text}). Nothing was lost.")
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
        if os.path.exists(f"{path}{tail}"):  # noqa: PTH110 - the name is not quite a path
            os.rename(f"{path}{tail}", f"{aside}{tail}")  # noqa: PTH104 - likewise
    if os.path.exists(f"{path}-shm"):  # noqa: PTH110 - likewise
        os.unlink(f"{path}-shm")  # noqa: PTH108 - likewise
    return aside.name


def _salvage(path: Path) -> tuple[dict[int, list[Entry]], list[Entry], int]:
    """Games, settings, and how many lines of games there were, from the bytes of file and log."""
    found: dict[tuple[int, int], set[bytes]] = {}
    settings: dict[str, Entry] = {}
    for check, text in _lines(path):
        try:
            game, n, *rest = json.loads(text)
            entry = Entry(*rest)
        except (ValueError, TypeError):
            continue
        if game:
            found.setdefault((game, n), set()).add(check + b" " + text + b"\n")
        elif check == b"%08x" % zlib.crc32(text):
            settings[str(entry.question)] = max(
                settings.get(str(entry.question), entry), entry, key=lambda setting: setting.at
            )
    games = {game: _chain(found, game) for game in sorted({game for game, _ in found})}
    kept = {game: entries for game, entries in games.items() if entries}
    return kept, list(settings.values()), len(found)


def _lines(path: Path) -> Iterator[tuple[bytes, bytes]]:
    for tail in ("", "-wal"):
        if os.path.exists(f"{path}{tail}"):  # noqa: PTH110 - the name is not quite a path
            with open(f"{path}{tail}", "rb") as file:  # noqa: PTH123 - likewise
                yield from LINE.findall(file.read())


def _chain(found: dict[tuple[int, int], set[bytes]], game: int) -> list[Entry]:
    """The lines of a game from its first to the last before a gap."""
    entries: list[Entry] = []
    check = 0
    while candidates := found.get((game, len(entries))):
        for line in candidates:
            try:
                entry, after = _decode(line.decode(), game, len(entries), check)
                break
            except _Damaged:
                continue
        else:
            break
        entries.append(entry)
        check = after
    return entries
