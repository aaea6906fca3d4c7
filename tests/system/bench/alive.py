"""A box with a door that is alive: its loop turns in a thread, and a press waits for what is there.

Its page and whoever comes to it are other processes, as people have them.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from queue import SimpleQueue
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, Final, TypeVar

from companion.box.events import OpenPhones
from companion.cmd.start import door_opener
from hardware.ports import OK
from tests.page.wire import post
from tests.system.bench.box import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from random import Random

T = TypeVar("T")
PATIENCE: Final = 30.0


class Alive(Table):
    """The box; `door` is where its page finds it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.door = folder / "door.sock"
        self._codes: SimpleQueue[str] = SimpleQueue()
        opener = door_opener(self.door, told=lambda code, _: self._codes.put(code))
        super().__init__(folder / "games.db", door=opener)

    def turn(self) -> None:
        """Take one event after the other, until one of them is None."""
        while (event := self.loop.inbox.get()) is not None:
            if callable(event):
                event()
            else:
                self.loop.handle_event(event)
            self.loop.draw_postponed_frame()

    def do(self, work: Callable[[], T]) -> T:
        """Do something in the thread of the loop, after all that came before: what it gives."""
        done: SimpleQueue[T] = SimpleQueue()
        self._put(lambda: done.put(work()))
        return done.get(timeout=PATIENCE)

    def press_to_frame(self, random: Random) -> tuple[float, float]:
        """Answer a question: when OK was let go, and when the frame came; of `perf_counter`."""
        self.do(lambda: self._aim(random))
        begun = perf_counter()
        self.buttons.up(OK)
        while not self.screen.when and perf_counter() < begun + PATIENCE:
            sleep(0.001)  # whatever is put into the inbox would hold the frame up
        return begun, self.screen.when

    def seat(self, port: int, who: str) -> str:
        """Seat a phone that comes to the page at a port: its cookie."""
        while not self._codes.empty():
            self._codes.get()
        self._put(OpenPhones())
        with ThreadPoolExecutor(1) as phone:
            body = {"name": who, "code": self._codes.get(timeout=PATIENCE)}
            asking = phone.submit(post, port, "/join", body)
            while not asking.done() and not self.do(self._admit):
                sleep(0.01)
            reply, cookie = asking.result()
        assert "ok" in reply, reply
        return cookie

    def _admit(self) -> bool:
        """Say yes if the box asks whether a phone may come in; whether it did."""
        if not self.loop.table.menus.has_page("joining"):
            return False
        while self.loop.table.menus.has_page("joining"):  # a moment may lie in front of it
            self.buttons.wait(1)
            self.press(OK)
        while self.loop.table.menus.pages:
            self.press("back")
        return True

    def _aim(self, random: Random) -> None:
        self.to_question()
        self.press(*random.choices(("up", "down"), k=1 + random.randrange(3)))
        self.buttons.down(OK)
        self.drain()
        self.screen.clear()

    def end(self) -> None:
        """Take no more events."""
        self._put(None)

    def _put(self, event: Any) -> None:
        self.loop.inbox.put(event)


@contextmanager
def alive(folder: Path) -> Iterator[Alive]:
    """A box that is alive."""
    table = Alive(folder)
    with closing(table.loop):
        thread = threading.Thread(target=table.turn)
        thread.start()
        try:
            yield table
        finally:
            table.end()
            thread.join()
