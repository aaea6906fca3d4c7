"""Repair of a damaged record file: a new file with all undamaged lines.

The repair builds the new file in small steps. After a power cut, the repair repeats only the
interrupted step.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from companion.record.entry import (
    DAMAGE_ERRORS,
    LINE_NUMBER_BITS,
    Entry,
    GameRecordEnd,
    decode_record_line,
    encode_record_line,
    winners_from_entries,
)
from companion.record.files import (
    FILE_SUFFIXES,
    delete_replacement_file,
    file_size,
    replacement_file_path,
)
from companion.record.scan import scan_for_possible_game_lines
from companion.record.schema import (
    SCHEMA,
    JournalError,
    check_record_file_access,
    connect_to_database,
    has_exact_schema,
)

LINES_PER_REPORT: Final = 2_000
"""The number of restored lines between two progress reports."""
SCAN_PROGRESS_PERCENT: Final = 50
"""The progress in percent at which the scan for lines ends and the assembly of games begins."""
STEPS_SCHEMA: Final = """
CREATE TABLE twin(id INTEGER, line TEXT, PRIMARY KEY(id, line)) WITHOUT ROWID;
CREATE TABLE step(source TEXT, place INTEGER, found INTEGER);
"""


class GameStartCandidate(NamedTuple):
    """One possible sequence of the first lines of a game, assembled by the repair.

    - `check`: the checksum of the sequence's last line.
    - `winners`: the winners as JSON; None if the game is unfinished.
    - `others`: lines of this sequence whose text differs from the line in the table `entry`. Each
      line is a row id and a text; the latest line comes first.
    """

    check: int = 0
    winners: str | None = None
    others: tuple[tuple[int, str], ...] = ()


class RepairedLineCounts(NamedTuple):
    """The number of restored lines (`kept`), and of lines that are certainly lost (`lost`)."""

    kept: int
    lost: int


class RecordRepair:
    """The repair of the damaged record file at `path`.

    - `damaged`: the SQLite connection to the damaged file; None if SQLite cannot open the file.
    - `tell`: the callback for the progress in percent.
    """

    def __init__(
        self, path: Path, damaged: sqlite3.Connection | None, tell: Callable[[int], None]
    ) -> None:
        self._path, self._tell = path, tell
        self._damaged = damaged if damaged is not None and _is_safe(damaged) else None
        self._sizes = [file_size(f"{path}{tail}") for tail in FILE_SUFFIXES]
        self._db = self._begun() or self._begin()

    def close(self) -> None:
        """Close the unfinished new file, with which a later repair can continue."""
        self._db.close()

    def _begin(self) -> sqlite3.Connection:
        delete_replacement_file(self._path)
        db = connect_to_database(str(replacement_file_path(self._path)))
        check_record_file_access(db, self._path, new=True)
        # no sync at each step: after a power cut, the repair repeats the step
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(STEPS_SCHEMA)
        db.execute("INSERT INTO step VALUES (?, 0, NULL)", (self._source(),))
        return db

    def _begun(self) -> sqlite3.Connection | None:
        """Return a connection to the file that an interrupted repair left.

        Return None if there is no such file, or if the damaged file has changed since then.
        """
        if not replacement_file_path(self._path).exists():
            return None
        db = connect_to_database(str(replacement_file_path(self._path)))
        with suppress(*DAMAGE_ERRORS, JournalError):
            check_record_file_access(db, self._path, new=False, more=STEPS_SCHEMA)
            if db.execute("SELECT source FROM step").fetchone() == (self._source(),):
                return db
        db.close()
        return None

    def _source(self) -> str:
        parts = []
        for tail in FILE_SUFFIXES:
            with suppress(FileNotFoundError):
                status = Path(f"{self._path}{tail}").stat()
                parts.append(f"{status.st_ino} {status.st_size} {status.st_mtime_ns}")
        return ", ".join(parts)

    # --- reading the bytes ---

    def run(self, marked: tuple[int, int] | None) -> RepairedLineCounts:
        """Write all undamaged lines to the new file, and return the numbers of kept and lost lines.

        marked: the game number and the line number of the last known commit; None if unknown.

        Raise sqlite3.Error if the new file cannot be written.
        """
        (place, lines_found) = self._db.execute("SELECT place, found FROM step").fetchone()
        if lines_found is None:
            self._read(place)
            (lines_found,) = self._db.execute("SELECT count(*) FROM entry").fetchone()
            self._db.execute("UPDATE step SET place = 0, found = ?", (lines_found,))
        self._put_together(lines_found)
        (lines_kept,) = self._db.execute("SELECT count(*) FROM entry").fetchone()
        return RepairedLineCounts(lines_kept, max(lines_found - lines_kept, self._missing(marked)))

    def complete_repaired_file(self, entries: Iterable[Entry]) -> None:
        """Save settings in the new file, delete the repair's own tables, and close the file.

        Raise sqlite3.Error if the new file cannot be written.
        """
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for entry in entries:
                line, _ = encode_record_line(0, 0, entry, 0)
                self._db.execute("REPLACE INTO setting VALUES (?, ?)", (entry.question, line))
            self._db.execute("DROP TABLE twin")
            self._db.execute("DROP TABLE step")
        self._db.close()

    def _read(self, place: int) -> None:
        """Store all lines that the scan finds from the byte offset `place` on.

        Offsets count the bytes of the file and then the bytes of its write-ahead log.
        """
        offset, whole = 0, max(1, sum(self._sizes))
        for tail, size in zip(FILE_SUFFIXES, self._sizes, strict=True):
            if place < offset + size:
                for at, lines in scan_for_possible_game_lines(
                    f"{self._path}{tail}", max(0, place - offset)
                ):
                    with self._db:
                        self._db.execute("BEGIN IMMEDIATE")
                        self._add(lines)
                        self._db.execute("UPDATE step SET place = ?", (offset + at,))
                    self._tell((offset + at) * SCAN_PROGRESS_PERCENT // whole)
            offset += size

    def _add(self, lines: list[tuple[int, str]]) -> None:
        """Store found lines (row id and text).

        If a row already has another text, store the new text in the table `twin`.
        """
        before = self._db.total_changes
        self._db.executemany("INSERT OR IGNORE INTO entry VALUES (?, ?)", lines)
        if self._db.total_changes - before < len(lines):
            self._db.executemany(
                "INSERT OR IGNORE INTO twin SELECT ?1, ?2 "
                "WHERE (SELECT line FROM entry WHERE id = ?1) <> ?2",
                lines,
            )

    # --- putting games together ---

    def _put_together(self, lines_found: int) -> None:
        """Restore each game from its first line up to its first missing line.

        lines_found: the number of lines that the scan found.
        """
        (place,) = self._db.execute("SELECT place FROM step").fetchone()
        done = 0
        while self._first(place) is not None:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                place, lines_done = self._restore_some(place)
                self._db.execute("UPDATE step SET place = ?", (place,))
            done += lines_done
            self._tell(
                min(
                    99,
                    SCAN_PROGRESS_PERCENT
                    + done * (100 - SCAN_PROGRESS_PERCENT) // max(1, lines_found),
                )
            )

    def _restore_some(self, place: int) -> tuple[int, int]:
        """Restore games from the row id `place` on, and stop after about `LINES_PER_REPORT` lines.

        Return the row id at which to continue, and the number of examined lines.
        """
        (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()
        done = 0
        while done < LINES_PER_REPORT and (row := self._first(place)) is not None:
            game = row >> LINE_NUMBER_BITS
            n = self._restore(game, last)
            last, place, done = (game if n else last), game + 1 << LINE_NUMBER_BITS, done + n + 1
        return place, done

    def _first(self, place: int) -> int | None:
        row: int | None
        (row,) = self._db.execute("SELECT min(id) FROM entry WHERE id >= ?", (place,)).fetchone()
        return row

    def _restore(self, game: int, before: int) -> int:
        """Restore one game, and return its number of lines.

        before: the number of the previous game.

        If two lines match one row, choose the line that leads to the longer game, because this line
        was committed. The scan cannot find lines that are longer than an SQLite page. The method
        therefore reads such long lines with SQLite.
        """
        first = game << LINE_NUMBER_BITS
        links: tuple[GameStartCandidate, ...] = (GameStartCandidate(),)
        candidates = self._candidates(first)
        for n, stored, twins in candidates:
            row = first | n
            longer = _longer(links, row, stored, (stored, *twins))
            longer = longer or _longer(links, row, stored, (self._asked(row),))
            if not longer:
                break
            links = longer
        candidates.close()
        link = links[0]
        self._db.executemany("REPLACE INTO entry VALUES (?, ?)", link.others)
        self._db.execute(
            "DELETE FROM entry WHERE id BETWEEN ? AND ?",
            (first | n, (game + 1 << LINE_NUMBER_BITS) - 1),
        )
        if n:
            head = GameRecordEnd(n - 1, link.check, link.winners, before)
            self._db.execute("INSERT INTO game VALUES (?, ?, ?, ?)", head.as_table_row(game))
        return n

    def _candidates(self, first: int) -> Generator[tuple[int, str, list[str]]]:
        """Yield a tuple for each line number of a game: number, found line, other found lines.

        If the scan found no line, the found line is "".

        first: the row id of the game's first line.
        """
        ids = first, first + (1 << LINE_NUMBER_BITS) - 1
        twins = self._db.execute(
            "SELECT id, line FROM twin WHERE id BETWEEN ? AND ?", ids
        ).fetchall()
        query = "SELECT id, line FROM entry WHERE id BETWEEN ? AND ? ORDER BY id"
        with closing(self._db.execute(query, ids)) as rows:
            row = rows.fetchone()
            for n in count():
                stored = ""
                if row is not None and row[0] == first | n:
                    stored, row = row[1], rows.fetchone()
                yield n, stored, [line for place, line in twins if place == first | n]

    def _asked(self, row: int) -> str:
        """Return the line that SQLite reads from the damaged file; "" if SQLite cannot read it.

        row: the row id of the line.
        """
        if self._damaged is not None:
            with suppress(*DAMAGE_ERRORS):
                query = "SELECT CAST(line AS BLOB) FROM entry WHERE id = ?"
                (line,) = self._damaged.execute(query, (row,)).fetchone()
                return str(line, "ascii")
        return ""

    # --- missing lines ---

    def _missing(self, marked: tuple[int, int] | None) -> int:
        """Return the number of lines that must have existed and were not found.

        marked: the game number and the line number in the bookmark, or None.
        """
        marked_game, last = marked or (0, -1)
        missing = self._shorter(marked_game, last)
        for game, n in _heads(self._damaged):
            if game != marked_game:
                missing += self._shorter(game, n)
        return missing

    def _shorter(self, game: int, n: int) -> int:
        row = self._db.execute("SELECT head FROM game WHERE id = ?", (game,)).fetchone()
        return max(0, n - (row[0] if row else -1))


def _longer(
    links: tuple[GameStartCandidate, ...], row: int, stored: str, lines: Iterable[str]
) -> tuple[GameStartCandidate, ...]:
    """Return the sequences in `links`, each continued with a matching line from `lines`.

    Sequences without a matching line are omitted.

    - `row`: the row id of the lines.
    - `stored`: the line of this row in the table `entry`.
    """
    longer: dict[int, GameStartCandidate] = {}
    for link in links:
        for line in filter(None, lines):
            with suppress(*DAMAGE_ERRORS):
                entry, check = decode_record_line(
                    line, row >> LINE_NUMBER_BITS, row & (1 << LINE_NUMBER_BITS) - 1, link.check
                )
                others = link.others if line == stored else ((row, line), *link.others)
                longer.setdefault(
                    check,
                    GameStartCandidate(check, winners_from_entries((entry,), link.winners), others),
                )
    return tuple(longer.values())


def _is_safe(db: sqlite3.Connection) -> bool:
    """Return True if the file has exactly the record's tables.

    A view with the name of a table could make reading endless.
    """
    with suppress(*DAMAGE_ERRORS):
        return has_exact_schema(db, SCHEMA)
    return False


def _heads(db: sqlite3.Connection | None) -> Iterator[tuple[int, int]]:
    """Yield the number and the last line number of each game in the damaged file's table `game`."""
    last = 0
    if db is not None:
        with suppress(*DAMAGE_ERRORS):
            for row in db.execute("SELECT * FROM game ORDER BY id"):
                game, n, winners, _ = row
                if row == GameRecordEnd(n, 0, winners, last).as_table_row(game):
                    last = game
                    yield game, n
