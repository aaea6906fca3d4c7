"""A terminal that only one program writes to, whatever its libraries have to say."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENDS: Final = tuple(s for s in signal.Signals if s.name in ("SIGTERM", "SIGHUP"))
"""What ends a program from outside; not every system has both."""


@contextmanager
def own_screen() -> Iterator[None]:
    """Keep the screen to the face: libraries in C, such as ALSA's, write complaints over it.

    The face itself goes on writing to the terminal, under another number.
    """
    before = sys.__stderr__
    with (
        os.fdopen(os.dup(2), "w", encoding="utf-8") as screen,
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
    ):
        os.dup2(nowhere.fileno(), 2)
        sys.__stderr__ = screen  # type: ignore[misc]
        try:
            yield
        finally:
            sys.__stderr__ = before  # type: ignore[misc]
            screen.flush()
            os.dup2(screen.fileno(), 2)


@contextmanager
def ended_by_signals(leave: Callable[[], None]) -> Iterator[None]:
    """Let the first signal that would end the process `leave` instead, so that it can tidy up."""
    if threading.current_thread() is not threading.main_thread():  # who has that hears the signals
        yield
        return

    def end(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # whoever sends it twice means it
        leave()

    before = {number: signal.signal(number, end) for number in ENDS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
