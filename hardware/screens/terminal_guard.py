"""Reserve a terminal for the box: hide messages of libraries, and handle a lost terminal."""

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
"""Signals by which another process ends this program; some systems have no SIGHUP."""


class LossTolerantTerminal(io.FileIO):
    """Output file of a terminal. After the terminal is lost, the file ignores all output.

    A terminal is lost when its window is closed or its ssh connection breaks. The thread that
    writes to a lost terminal calls `gone` and continues. Without this class, an exception would end
    textual's writing thread, and the box's thread would wait for the ended thread for ever.
    """

    def __init__(self, number: int, gone: Callable[[], None]) -> None:
        super().__init__(number, "w")
        self._gone = gone

    def write(self, data: ReadableBuffer) -> int:
        """Write bytes; return the number of bytes that were written or ignored."""
        try:
            return super().write(data)
        except OSError:
            self._gone()
            return memoryview(data).nbytes


def watch_for_terminal_loss(terminal: int, tell: Callable[[], None]) -> Callable[[], None]:
    """Watch a terminal, and call `tell` when the terminal is lost.

    Return a function that ends the watch.

    `terminal`: the file descriptor of the terminal. Without the watch, an idle box would not notice
    the loss, because an idle box writes nothing, and textual ignores the end of the input. Systems
    without epoll have no watch. On these systems, the next frame or a signal reveals the loss.
    """
    if not hasattr(select, "epoll"):
        return lambda: None
    loop, poll = asyncio.get_running_loop(), select.epoll()
    poll.register(terminal, 0)  # 0: report only the loss of the terminal

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
def silence_other_terminal_output(gone: Callable[[], None]) -> Iterator[None]:
    """Discard messages of C libraries such as ALSA while the box uses the terminal.

    The context manager redirects standard error to /dev/null, and writes the box's output to a copy
    of the terminal's file descriptor. `gone`: function that is called when the terminal is lost.
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
    """Call `leave` at a signal in END_SIGNALS.

    Without this context manager, the signal would end the process at once.
    """
    # do nothing on other threads: only the main thread can set signal handlers
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, _frame: object) -> None:
        if number == signal.SIGTERM:
            signal.signal(number, signal.SIG_DFL)  # a second SIGTERM ends the process at once
        leave()  # a closed window sends two signals, so `leave` must tolerate a second call

    before = {number: signal.signal(number, end) for number in END_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
