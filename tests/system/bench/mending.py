"""Measure repairs of records: the time must be proportional, the memory constant."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from companion.catalog import editions
from companion.record.entry import LINE_NUMBER_BITS, Entry
from companion.record.journal import Journal
from tests.system.bench.row import Row, has_proc, job_command, run_job

GAMES: Final = (100, 1_000, 5_000)
LINES_PER_GAME: Final = 120
MAX_MEGABYTES: Final = 32
"""Maximum memory of a repair (MB), for a record of any size."""


def repairs(folder: Path) -> Iterator[Row]:
    """Yield the time for each game and the maximum memory of repairs."""
    has_proc()
    figures = {}
    for games in GAMES:
        path = folder / f"{games}.db"
        write(path, games)
        seconds, memory, kept = run_job(folder, job_command("mend", path)).split()
        figures[games] = float(seconds) / games, float(memory)
        size = path.stat().st_size / 2**20
        figure = f"{float(seconds):.2f} s, {float(memory):.1f} MB ({size:.0f} MB, {kept} lines)"
        met = float(memory) <= MAX_MEGABYTES
        yield Row(
            f"Repair of {games:,} games: processor, memory", figure, f"{MAX_MEGABYTES} MB", met
        )
    ratio = figures[GAMES[-1]][0] / figures[GAMES[0]][0]
    yield Row("Repair: a game of the most, against the fewest", f"{ratio:.2f}", "2", ratio <= 2)


def write(path: Path, games: int) -> None:
    """Write a damaged record: the first game has a changed line, the last game has no row."""
    journal = Journal(path)
    header: dict[str, Any] = {"game": "barney-miller", "players": ["Ann", "Bob"], "seed": "s"}
    header["edition"] = editions.load_edition("barney-miller")
    lines = [
        Entry("answer", "play_card", "Ann", n, 1_763_700_000) for n in range(LINES_PER_GAME - 2)
    ]
    for _ in range(games):
        journal.save_new_game(header, [*lines, Entry("over", value=["Ann"])], 1_763_700_000)
    journal.close()
    harmed = sqlite3.connect(path)
    harmed.execute(
        "UPDATE entry SET line = lower(line) || ' ' WHERE id = ?", (1 << LINE_NUMBER_BITS | 60,)
    )
    harmed.execute("DELETE FROM game WHERE id = ?", (games,))
    harmed.commit()
    harmed.close()
