"""Lines of a game, written behind those that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.record.entry import BITS, Entry, Head, encode, winners_of

if TYPE_CHECKING:
    import sqlite3


def append(db: sqlite3.Connection, game: int, head: Head, entries: tuple[Entry, ...]) -> Head:
    """Write entries behind a game's `head`; its new one. Raises sqlite3.Error."""
    rows, n, check = [], head.n, head.checksum
    for n, entry in enumerate(entries, head.n + 1):
        line, check = encode(game, n, entry, check)
        rows.append((game << BITS | n, line))
    head = Head(n, check, winners_of(entries, head.winners), head.before)
    db.executemany("INSERT INTO entry VALUES (?, ?)", rows)
    db.execute("REPLACE INTO game VALUES (?, ?, ?, ?)", head.row(game))
    return head
