"""Measure answer, undo, redo and replay in games of different lengths."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from companion.catalog import registry
from companion.core.chance import Chance
from companion.core.game import Cue, Cues, Game
from companion.core.prompts import Choose
from companion.play import verify
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from tests.system.bench.row import Row

LENGTHS: Final = (100, 1_000, 10_000, 100_000)
MAX_TIME_RATIO: Final = 2
"""Maximum ratio of an answer's time in the longest game to its time in the shortest."""


class State(NamedTuple):
    """The number of answers."""

    n: int = 0


def on_move(state: State, _: object) -> tuple[State, Cues]:
    """Count an answer; every tenth answer sends its player a secret."""
    state = State(state.n + 1)
    return state, (Cue("dealt", {"n": state.n}, to="Ann"),) if state.n % 10 == 0 else ()


ENDLESS: Final[Game[State]] = Game(
    name="endless",
    seats=range(2, 3),
    options=(),
    setup=lambda _players, _options, _edition: State(),
    ask=lambda _: Choose("move", "Ann", ("on",)),
    on={"move": on_move},
    view=lambda state, _: {"n": state.n},
    outcome=lambda _: None,
)
SETUP: Final = GameSetup(ENDLESS, ("Ann", "Bob"), {}, {}, Chance("seed"), mixing=False)


def lengths(folder: Path) -> Iterator[Row]:
    """Yield the executed lines of Python for a press, and the replay time, by game length."""
    runs: dict[str, list[int]] = {"answer": [], "undo": [], "redo": []}
    times: dict[str, list[float]] = {"all undone": [], "resumed": [], "verified": []}
    for length in LENGTHS:
        session, journal = _played(folder / f"{length}.db", length)
        for press, found in runs.items():
            found.append(_lines(partial(_press, session, press)))
        for replay, seconds in _replays(session, journal).items():
            times[replay].append(seconds / length)
        journal.close()
    shown = ", ".join(f"{length:,}" for length in LENGTHS)
    for press, found in runs.items():
        figure = " ".join(f"{n:,}" for n in found)
        yield Row(f"Lines of Python for {press}, after {shown}", figure, "same", len({*found}) == 1)
    for replay, took in times.items():
        ratio = took[-1] / took[0]
        figure = f"{ratio:.2f} ({' '.join(f'{each * 1e6:.0f}' for each in took)} us)"
        what = f"An answer {replay}, the most against the fewest"
        yield Row(what, figure, f"{MAX_TIME_RATIO}", ratio <= MAX_TIME_RATIO)


def _played(path: Path, length: int) -> tuple[Session, Journal]:
    """Return a game of `length` answers, whose last answer was undone and redone."""
    journal = Journal(path)
    session = Session.begin(journal, SETUP, 0)
    for _ in range(length):
        session.answer("on", 0)
    session.undo(0)
    session.redo(0)
    session.commit()
    return session, journal


def _press(session: Session, press: str) -> None:
    if press == "answer":
        session.answer("on", 0)
    else:
        getattr(session, press)(0)
    session.commit()


def _lines(do: Callable[[], None]) -> int:
    """Return the number of lines of Python that a function executes."""
    count = 0

    def trace(_frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        do()
    finally:
        sys.settrace(before)
    return count


def _replays(session: Session, journal: Journal) -> dict[str, float]:
    """Return the processor seconds of undoing and redoing all, resuming, and verifying."""

    def all_undone() -> None:
        for press in (session.undo, session.redo):
            for _ in range(
                session.standing.snapshot.undoable or session.standing.snapshot.redoable
            ):
                press(0)
        session.commit()

    def verified() -> None:
        with patch.object(registry, "find_game_of_record", return_value=ENDLESS):
            assert verify.verify_game_against_seed(journal, session.number).problem is None

    return {
        "all undone": _seconds(all_undone),
        "resumed": _seconds(lambda: Session.resume(journal, session.number, SETUP, 0)),
        "verified": _seconds(verified),
    }


def _seconds(do: Callable[[], object]) -> float:
    begun = process_time()
    do()
    return process_time() - begun
