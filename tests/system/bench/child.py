"""Jobs for measurements, each in its own process."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from companion.catalog import registry
from companion.draw import canvas
from companion.play.session import resume_recorded_game
from companion.record.journal import Journal
from companion.say import sentences
from tests.system.bench.box import PLAYERS, Table

WARM_UP_ROUNDS: Final = 20
"""Uncounted presses at the beginning, which load modules and data."""


def draw(n: str) -> None:
    """Draw a screen n times with our drawing, then with the usual libraries.

    Calls of `getppid` mark the borders for valgrind.
    """
    from tests.system.bench import stock  # noqa: PLC0415 - only for this job

    table = Table(None)
    for _ in range(7):
        table.answer(Random(1))
    screen = stock.texts(table)
    for _ in range(2):  # fill the caches of glyphs
        stock.question(table)
        stock.draw(screen)
    os.getppid()
    for _ in range(int(n)):
        canvas._typeset.cache_clear()  # keep only glyphs, as the libraries do
        stock.question(table)
    os.getppid()
    for _ in range(int(n)):
        stock.draw(screen)
    os.getppid()


def press(folder: str, n: str) -> None:
    """Answer n questions, then press the usual libraries' button n times with equal texts.

    Calls of `getppid` mark the box's edges, the ends of commits, and the ends of the comparison.
    """
    from tests.system.bench import stock  # noqa: PLC0415 - only for this job

    table, random = Table(None), Random(1)
    screens = [
        stock.written(table, partial(table.loop.handle_event, table.aim(random)))
        for _ in range(WARM_UP_ROUNDS + int(n))
    ]
    theirs = stock.Stock(Path(folder) / "stock.db")
    table, random = Table(Path(folder) / "ours.db"), Random(1)
    for screen in screens[:WARM_UP_ROUNDS]:
        table.answer(random)
        theirs.press(screen)
    for _ in range(int(n)):
        edge = table.aim(random)
        with marked(table.journal):
            table.loop.handle_event(edge)
    os.getppid()
    for screen in screens[WARM_UP_ROUNDS:]:
        theirs.press(screen)
    os.getppid()
    theirs.close()


@contextmanager
def marked(journal: Journal) -> Iterator[None]:
    """Mark the beginning of the block, and the end of the next commit."""
    from unittest.mock import patch  # noqa: PLC0415 - too large for the memory job

    append = journal.append_entries_to_game

    def appended(*arguments: Any) -> None:
        append(*arguments)
        os.getppid()

    with patch.object(journal, "append_entries_to_game", appended):
        os.getppid()
        yield


def play(path: str, answers: str) -> None:
    """Give random answers in a game with a record."""
    table, random = Table(Path(path)), Random(1)
    for _ in range(int(answers)):
        table.answer(random)
    table.journal.close()


def idle(path: str, *once: str) -> None:
    """Play half a game, print the number of loaded languages, and wait for a press."""
    registry.set_packaged_games_cache_file(Path(path).with_name("packages.json"))
    table, random = Table(Path(path), {PLAYERS[1]: "fr"}), Random(1)
    for _ in range(30):
        table.answer(random)
    table.to_question()
    print(sentences._catalogue.cache_info().currsize // 2, flush=True)  # noqa: T201 - for the parent
    if not once:
        table.loop.run()


def resume(path: str, number: str) -> None:
    """Resume a game of a record; print the bytes that were read."""
    Table(None)  # imports the modules that are imported late
    before = _read()
    journal = Journal(Path(path))
    resume_recorded_game(journal, int(number), 0)
    print(_read() - before)  # noqa: T201 - for the parent
    journal.close()


def mend(path: str) -> None:
    """Repair a record; print processor seconds, additional megabytes, and lines."""
    before, begun = _memory(), time.process_time()
    with closing(Journal(Path(path))) as journal:
        took = time.process_time() - begun
        assert journal.repair_result is not None
        print(took, (_memory() - before) / 1024, journal.repair_result.kept)  # noqa: T201 - for the parent


def _memory() -> int:
    """Return the maximum memory of this process (KiB)."""
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])


def _read() -> int:
    return int(Path("/proc/self/io").read_text().split()[1])


JOBS: Final[dict[str, Callable[..., None]]] = {
    "draw": draw,
    "press": press,
    "play": play,
    "resume": resume,
    "mend": mend,
}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
