"""A box with a running loop and a door, for measurements with other processes.

The loop runs in a thread. The page and its clients are other processes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import perf_counter, sleep
from typing import Any, Final, TypeVar

from companion.box.events import PhonesPageRequested
from companion.cmd.start import make_door_opener
from hardware.ports import OK
from tests.page.wire import post
from tests.system.bench.box import Table

T = TypeVar("T")
TIMEOUT_SECONDS: Final = 30.0


class Alive(Table):
    """A running box. The page connects to the socket `door`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.door = folder / "door.sock"
        self._codes: SimpleQueue[str] = SimpleQueue()
        opener = make_door_opener(self.door, told=lambda code, _: self._codes.put(code))
        super().__init__(folder / "games.db", door=opener)

    def turn(self) -> None:
        """Handle events until one of them is None."""
        while (event := self.loop.inbox.get()) is not None:
            if callable(event):
                event()
            else:
                self.loop.handle_event(event)
            self.loop.draw_postponed_frame()

    def do(self, work: Callable[[], T]) -> T:
        """Run a function in the loop's thread after all earlier events; return its result."""
        done: SimpleQueue[T] = SimpleQueue()
        self._put(lambda: done.put(work()))
        return done.get(timeout=TIMEOUT_SECONDS)

    def press_to_frame(self, random: Random) -> tuple[float, float]:
        """Answer a question; return the times of the release of OK and of the frame (s)."""
        self.do(lambda: self._aim(random))
        begun = perf_counter()
        self.buttons.release(OK)
        while not self.screen.when and perf_counter() < begun + TIMEOUT_SECONDS:
            sleep(0.001)  # poll: a request in the inbox would delay the frame
        return begun, self.screen.when

    def seat(self, port: int, who: str) -> str:
        """Seat a phone that connects to the page at a port; return its cookie."""
        while not self._codes.empty():
            self._codes.get()
        self._put(PhonesPageRequested())
        with ThreadPoolExecutor(1) as phone:
            body = {"name": who, "code": self._codes.get(timeout=TIMEOUT_SECONDS)}
            asking = phone.submit(post, port, "/join", body)
            while not asking.done() and not self.do(self._admit):
                sleep(0.01)
            reply, cookie = asking.result()
        assert "ok" in reply, reply
        return cookie

    def _admit(self) -> bool:
        """Confirm the box's question about a phone; return True if there was one."""
        if not self.table.menus.has_page("joining"):
            return False
        while self.table.menus.has_page("joining"):  # an overlay may be in front of it
            self.buttons.wait(1)
            self.press(OK)
        while self.table.menus.pages:
            self.press("back")
        return True

    def _aim(self, random: Random) -> None:
        self.to_question()
        self.press(*random.choices(("up", "down"), k=1 + random.randrange(3)))
        self.buttons.press_and_hold(OK)
        self.drain()
        self.screen.clear()

    def end(self) -> None:
        self._put(None)

    def _put(self, event: Any) -> None:
        self.loop.inbox.put(event)


@contextmanager
def alive(folder: Path) -> Iterator[Alive]:
    table = Alive(folder)
    with closing(table.loop):
        thread = threading.Thread(target=table.turn)
        thread.start()
        try:
            yield table
        finally:
            table.end()
            thread.join()
