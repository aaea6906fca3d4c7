"""The box on the rig: press its buttons, read its display and its record."""

from __future__ import annotations

import io
import tarfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from companion.draw.canvas import load_font
from companion.press.controls import UNREAD_SECONDS
from companion.record.journal import Journal
from hardware.mock import MIN_READING_SECONDS
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH, OK
from hardware.wiring import DEFAULT_BOARD
from tests.door.callers import unvisited
from tests.helpers import Drive
from tests.system.rig.guest import DEBUG, Guest, RigError, presses, wait_until
from tests.system.rig.panel import Message, Panel, messages

STATE: Final = "/var/lib/companion"
SLOW: Final = 60.0
"""Time limit of any step (s): the machine is emulated, and the host may be busy."""
GLYPHS: Final = "".join(map(chr, range(33, 127))) + "■□"


class Traffic(NamedTuple):
    """The traffic of the display's bus, and the number of changed bytes of its memory."""

    bytes: int
    messages: int
    changed: int


class Box:
    """The installed box. A model of the chip computes the display from the bytes on the bus."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.power_on()

    def power_on(self) -> None:
        """Reset the display's memory and the log after the guest's start."""
        self.panel, self.position = Panel(), 0
        self.history: list[bytes] = []
        self.sent: list[Message] = []

    # --- display ---

    def plug_in(self) -> None:
        """Reconnect the display, which has lost its memory."""
        self.look()
        self.panel = Panel()
        self.guest.set("present", 1)

    def look(self) -> bytes | None:
        """Return the displayed frame; None if the display is dark."""
        raw, self.position = self.guest.log(self.position)
        for message in messages(raw):
            self.panel.take(message)
            self.sent.append(message)
            if (frame := self.panel.frame) is not None:
                self.history.append(frame)
        return self.panel.frame

    def forget(self) -> None:
        """Restart the counts of frames and traffic."""
        self.look()
        self.history, self.sent, self.panel.changed = self.history[-1:], [], 0

    def showed(self, frame: bytes, seconds: float = SLOW) -> bool:
        """Wait until a frame is displayed, or was after `forget`; return False after `seconds`."""
        return wait_until(lambda: self.look() == frame or frame in self.history, seconds)

    def shows(self, frame: bytes, seconds: float = SLOW) -> bool:
        """Wait until a frame is displayed; return False after `seconds`."""
        return wait_until(lambda: self.look() == frame, seconds)

    @property
    def reads(self) -> str:
        """Return the small letters on the display."""
        shown = self.look()
        return "dark" if shown is None else " | ".join(text(shown))

    def traffic(self) -> Traffic:
        """Return the traffic since `forget`."""
        return Traffic(sum(m.bytes for m in self.sent), len(self.sent), self.panel.changed)

    # --- buttons ---

    def press(self, *buttons: str, ms: float = 150) -> None:
        """Press buttons one after another, long enough for a stalled machine."""
        scripts = (presses(line(button), ms, gap=120) for button in buttons)
        self.guest.run("; ".join(f"echo '{script}' > {DEBUG}/drive" for script in scripts))

    # --- service and record ---

    def start(self, verb: str = "start") -> None:
        """Start the service, or run `verb`, and wait until it is playable."""
        self.guest.run(f"systemctl reset-failed companion; systemctl {verb} companion")
        assert self.is_up(), "no frame, or no presses received"

    def is_up(self, seconds: float = SLOW) -> bool:
        """Wait until the box shows a frame and receives presses; return False after `seconds`."""
        heard = line(OK)
        return wait_until(
            lambda: self.look() is not None and self.guest.line(heard)["irq"] == "on", seconds
        )

    def stop(self) -> None:
        self.guest.run("systemctl stop companion; systemctl stop companion-stopped")

    def shown(self, what: str, unit: str = "companion") -> str:
        """Return a property of the service from systemd."""
        return self.guest.run(f"systemctl show -P {what} {unit}")

    def runs(self) -> bool:
        return self.shown("ActiveState") == "active"

    def record(self, folder: Path) -> Journal:
        """Return a copy of the record on the guest's disk. Raise RigError if it is damaged."""
        folder.mkdir(parents=True)
        found = self.guest.read(f"cd {STATE} && tar -cf - $(ls games.db games.db-wal 2>/dev/null)")
        with tarfile.open(fileobj=io.BytesIO(found)) as tar:
            for member in tar:
                content = tar.extractfile(member)
                assert content is not None, member.name
                file = folder / member.name
                file.write_bytes(content.read())
                file.chmod(0o600)  # otherwise the fake box shows a warning first
        journal = Journal(folder / "games.db")
        if journal.repair_result is not None:
            raise RigError(f"The record is harmed: {journal.repair_result}")
        return journal


def line(button: str) -> int:
    """Return the GPIO number of a button."""
    return DEFAULT_BOARD.buttons[button][0]


def text(frame: bytes) -> list[str]:
    """Return the small letters of a frame, row by row, recognised from its pixels."""
    small = load_font("small")
    known = {small.glyph_columns(letter)[0]: letter for letter in GLYPHS}
    return [
        _row(frame[page * DISPLAY_WIDTH : (page + 1) * DISPLAY_WIDTH], known, small.width)
        for page in range(DISPLAY_PAGES)
    ]


def _row(pixels: bytes, known: dict[bytes, str], width: int) -> str:
    found, x = "", 0
    while x < DISPLAY_WIDTH:
        letter = known.get(pixels[x : x + width])
        blank = letter is None and not any(pixels[x : x + width])
        found += letter or (" " if blank else "")
        x += width if letter or blank else 1
    return found.strip()


def first_screen() -> bytes:
    """Return the first screen of a box without games."""
    return Drive(Journal(None), door=unvisited).frame


class Both(Drive):
    """A box on fake hardware and the real box, side by side: each press is made on both.

    Both have a door, which the menus show. `taught` is the fake box's folder for boards. After each
    press both must show equal frames; `pressed` has the traffic of each press. While `alone`, only
    the fake box plays, and `way` has its presses.
    """

    def __init__(
        self, box: Box, journal: Journal, *, alone: bool = False, taught: Path | None = None
    ) -> None:
        self.box, self.alone = box, True
        self.pressed: list[Traffic] = []
        self.way: list[str] = []
        super().__init__(journal, taught=taught, door=unvisited)
        self.alone = alone

    def press(self, *buttons: str, seconds: float = 0.08, gap: float = MIN_READING_SECONDS) -> None:
        """Press buttons one after another, long enough for a stalled machine."""
        if self.alone:
            self.way += buttons
            super().press(*buttons, seconds=seconds, gap=gap)
            return
        for button in buttons:
            self.box.forget()
            super().press(button, seconds=seconds, gap=gap)
            self.box.press(button)
            assert self.box.showed(self.frame), self.difference()
            self.pressed.append(self.box.traffic())

    def settle(self) -> None:
        """Wait for temporary screens to end, and press OK where necessary."""
        while self.moments:
            if (until := self.table.overlays.until) is None:
                self.read()
                self.press("ok")
            else:
                self.wait(until - self.buttons.now + 0.01)
        self.read()

    def read(self) -> None:
        """Wait until both boxes accept answers, and compare their displays."""
        assert self.box.shows(self.frame), self.difference()
        time.sleep(UNREAD_SECONDS)
        self.wait(UNREAD_SECONDS)

    def difference(self) -> str:
        """Return a message with the text on the box's display, and the text that it should be."""
        wanted = " | ".join(text(self.frame))
        return f"the box shows {self.box.reads}; it should be {wanted}"
