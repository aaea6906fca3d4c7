"""The jobs that are measured from outside, each in a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from companion.draw import canvas
from companion.play.session import recorded
from companion.record.journal import Journal
from companion.say import words
from tests.bench.box import PLAYERS, Table

if TYPE_CHECKING:
    from collections.abc import Callable


def draw(n: str) -> None:
    """Draw a screen n times our way, then the stock way; `getppid` marks the borders."""
    from tests.bench import stock  # noqa: PLC0415 - not for the other jobs

    table = Table(None)
    for _ in range(7):
        table.answer(Random(1))
    screen = stock.texts(table)
    for _ in range(2):  # fill the caches of glyphs
        stock.question(table)
        stock.draw(screen)
    os.getppid()
    for _ in range(int(n)):
        canvas._typeset.cache_clear()  # only glyphs are kept, as on the other side
        stock.question(table)
    os.getppid()
    for _ in range(int(n)):
        stock.draw(screen)
    os.getppid()


def play(path: str, answers: str) -> None:
    """Play that many answers, with a record."""
    table, random = Table(Path(path)), Random(1)
    for _ in range(int(answers)):
        table.answer(random)
    table.journal.close()


def idle(path: str) -> None:
    """Play half a game, in two languages, and then wait for a press that never comes."""
    table, random = Table(Path(path), {PLAYERS[1]: "fr"}), Random(1)
    for _ in range(30):
        table.answer(random)
    table.to_question()
    print(words._catalogue.cache_info().currsize // 2, flush=True)  # noqa: T201 - for the parent
    table.loop.run()


def resume(path: str, number: str) -> None:
    """Open a record and resume a game: print the bytes that were read for it."""
    Table(None)  # imports what is only imported when it is needed
    before = _read()
    journal = Journal(Path(path))
    recorded(journal, int(number), 0)
    print(_read() - before)  # noqa: T201 - for the parent
    journal.close()


def _read() -> int:
    return int(Path("/proc/self/io").read_text().split()[1])


JOBS: Final[dict[str, Callable[..., None]]] = {
    "draw": draw,
    "play": play,
    "idle": idle,
    "resume": resume,
}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
