"""Exclusive use of a terminal: messages of libraries are hidden, and its loss is handled."""

from __future__ import annotations

import asyncio
import io
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

END_SIGNALS: Final = tuple(s for s in signal.Signals if s.name in ("SIGTERM", "SIGHUP"))
"""The signals that end a program from outside; not every system has both."""


class LossTolerantTerminal(io.FileIO):
    """A terminal to write to. After it is lost (closed window, lost ssh), writes are ignored.

    `gone` is called at the loss, from the thread that writes. An exception would end textual's
    writing thread; once 30 texts wait in its queue, the thread of the face would block for ever.
    """

    def __init__(self, number: int, gone: Callable[[], None]) -> None:
        super().__init__(number, "w")
        self._gone = gone

    def write(self, data: ReadableBuffer) -> int:
        """Write bytes; return how many were written or ignored."""
        try:
            return super().write(data)
        except OSError:
            self._gone()
            return memoryview(data).nbytes


def watch_for_loss(terminal: int, tell: Callable[[], None]) -> Callable[[], None]:
    """Have the event loop call `tell` when a terminal is lost; return a function that stops that.

    An idle box writes nothing, and textual treats the end of its input as silence. Where epoll is
    missing, a signal or the next frame reveals the loss.
    """
    if not hasattr(select, "epoll"):
        return lambda: None
    loop, poll = asyncio.get_running_loop(), select.epoll()
    poll.register(terminal, 0)  # the end of the terminal is always reported; keys are not requested

    def end() -> None:
        if not poll.closed:
            loop.remove_reader(poll.fileno())
            poll.close()

    def forward_end() -> None:
        end()
        tell()

    loop.add_reader(poll.fileno(), forward_end)
    return end


@contextmanager
def exclusive_screen(gone: Callable[[], None]) -> Iterator[None]:
    """Reserve the terminal for the face: C libraries such as ALSA's write messages over it.

    The face writes to the terminal through another file descriptor. `gone` is called when the
    terminal is lost.
    """
    before = sys.__stderr__
    with (
        io.TextIOWrapper(
            io.BufferedWriter(LossTolerantTerminal(os.dup(2), gone)), "utf-8"
        ) as screen,
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
def quit_on_signals(leave: Callable[[], None]) -> Iterator[None]:
    """Make the first signal that would end the process call `leave` instead, for a tidy end."""
    # signals are delivered to the main thread
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _frame: object) -> None:
        if number == signal.SIGTERM:
            signal.signal(number, signal.SIG_DFL)  # a second signal ends the process at once
        leave()  # a closed window sends two signals: one from the kernel, one from its shell

    before = {number: signal.signal(number, end) for number in END_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
