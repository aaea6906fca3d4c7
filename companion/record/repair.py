"""What can be read of a damaged record: every line that is unharmed, from the bytes themselves."""

from __future__ import annotations

import json
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.record.entry import BITS, LINE, ODD, Entry, Head, decode

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator


class Found(NamedTuple):
    """Games and settings that are whole, and how many lines of games there were in all."""

    games: dict[int, list[Entry]]
    settings: list[Entry]
    lines: int


def size_of(path: Path | str) -> int:
    """The size of a file, 0 if there is none."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def let_go(db: sqlite3.Connection, path: Path) -> None:
    """Close a damaged file, but keep its log: SQLite deletes it, with what it could not read."""
    log, kept = Path(f"{path}-wal"), Path(f"{path}-log")
    with suppress(FileNotFoundError):
        log.rename(kept)
    db.close()
    with suppress(FileNotFoundError):
        kept.rename(log)


def set_aside(path: Path, now: int) -> str:
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


def salvage(path: Path, db: sqlite3.Connection | None) -> Found:
    """What is whole in the bytes of file and log.

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
    return Found(kept, list(settings.values()), len(found))


def heads_of(db: sqlite3.Connection | None) -> dict[int, int]:
    """The last line of each game, as far as a damaged file still tells."""
    heads: dict[int, int] = {}
    if db is not None:
        with suppress(*ODD):
            for row in db.execute("SELECT * FROM game ORDER BY id"):
                game, n, winners, _ = row
                if row == Head(n, 0, winners, max(heads, default=0)).row(game):
                    heads[game] = n
    return heads


def _lines(path: Path) -> Iterator[tuple[bytes, bytes]]:
    for tail in ("", "-wal"):
        if size_of(f"{path}{tail}"):
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
                    entry, after = decode(line.decode(), game, n, check)
                    longer[after] = [*entries, entry]
        if not longer:
            return next(iter(chains.values()))
        chains = longer
