"""The box on the rig: presses its buttons, sees its display, reads its record."""

from __future__ import annotations

import io
import tarfile
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.draw.canvas import load_font
from companion.press.controls import UNREAD_SECONDS
from companion.record.journal import Journal
from hardware.mock import MIN_READING_SECONDS
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH, OK
from hardware.wiring import FOUR_BUTTONS
from tests.door.callers import unvisited
from tests.helpers import Drive
from tests.system.rig.guest import DEBUG, RigError, presses, wait_until
from tests.system.rig.panel import Panel, messages

if TYPE_CHECKING:
    from pathlib import Path

    from tests.system.rig.guest import Guest
    from tests.system.rig.panel import Message

STATE: Final = "/var/lib/companion"
SLOW: Final = 60.0
"""Seconds that anything may take: the machine is emulated, and others may use this one."""
GLYPHS: Final = "".join(map(chr, range(33, 127))) + "■□"


class Traffic(NamedTuple):
    """What went over the display's bus, and how many bytes of the display's memory that changed."""

    bytes: int
    messages: int
    changed: int


class Box:
    """The installed box. Its display is what the bytes on the bus make of a model of the chip."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.power_on()

    def power_on(self) -> None:
        """The guest has started: a display without memory, and an empty log."""
        self.panel, self.position = Panel(), 0
        self.history: list[bytes] = []
        self.sent: list[Message] = []

    # --- display ---

    def plug_in(self) -> None:
        """Give the display its power back: it knows nothing of what it showed before."""
        self.look()
        self.panel = Panel()
        self.guest.set("present", 1)

    def look(self) -> bytes | None:
        """What the display shows now; None if it is dark."""
        raw, self.position = self.guest.log(self.position)
        for message in messages(raw):
            self.panel.take(message)
            self.sent.append(message)
            if (frame := self.panel.frame) is not None:
                self.history.append(frame)
        return self.panel.frame

    def forget(self) -> None:
        """Begin a new count of what is shown and sent."""
        self.look()
        self.history, self.sent, self.panel.changed = self.history[-1:], [], 0

    def showed(self, frame: bytes, seconds: float = SLOW) -> bool:
        """Whether a frame stands on the display, or has since `forget`; waits for it."""
        return wait_until(lambda: self.look() == frame or frame in self.history, seconds)

    def shows(self, frame: bytes, seconds: float = SLOW) -> bool:
        """Whether a frame stands on the display; waits for it."""
        return wait_until(lambda: self.look() == frame, seconds)

    @property
    def reads(self) -> str:
        """What stands on the display, as far as it is small letters."""
        shown = self.look()
        return "dark" if shown is None else " | ".join(text(shown))

    def traffic(self) -> Traffic:
        """What was sent since `forget`."""
        return Traffic(sum(m.bytes for m in self.sent), len(self.sent), self.panel.changed)

    # --- buttons ---

    def press(self, *buttons: str, ms: float = 150) -> None:
        """Press buttons one after another, so long that a stall of the machine leaves a press."""
        scripts = (presses(line(button), ms, gap=120) for button in buttons)
        self.guest.run("; ".join(f"echo '{script}' > {DEBUG}/drive" for script in scripts))

    # --- service and record ---

    def start(self, verb: str = "start") -> None:
        """Start the service, or `verb`, and wait until it can be played with."""
        self.guest.run(f"systemctl reset-failed companion; systemctl {verb} companion")
        assert self.is_up(), "it is dark, or deaf"

    def is_up(self, seconds: float = SLOW) -> bool:
        """Whether it shows something and hears its buttons, which comes later; waits for it."""
        heard = line(OK)
        return wait_until(
            lambda: self.look() is not None and self.guest.line(heard)["irq"] == "on", seconds
        )

    def stop(self) -> None:
        """Stop the service."""
        self.guest.run("systemctl stop companion; systemctl stop companion-stopped")

    def shown(self, what: str, unit: str = "companion") -> str:
        """A property of the service, as systemd shows it."""
        return self.guest.run(f"systemctl show -P {what} {unit}")

    def runs(self) -> bool:
        """Whether the service runs."""
        return self.shown("ActiveState") == "active"

    def record(self, folder: Path) -> Journal:
        """A copy of the record on the guest's disk. Raises RigError if it is harmed."""
        folder.mkdir(parents=True)
        found = self.guest.read(f"cd {STATE} && tar -cf - $(ls games.db games.db-wal 2>/dev/null)")
        with tarfile.open(fileobj=io.BytesIO(found)) as tar:
            for member in tar:
                content = tar.extractfile(member)
                assert content is not None, member.name
                file = folder / member.name
                file.write_bytes(content.read())
                file.chmod(0o600)  # else the box beside it has that to tell first
        journal = Journal(folder / "games.db")
        if journal.damage is not None:
            raise RigError(f"The record is harmed: {journal.damage}")
        return journal


def line(button: str) -> int:
    """The GPIO of a button."""
    return FOUR_BUTTONS.buttons[button][0]


def text(frame: bytes) -> list[str]:
    """The small letters of a frame, row by row, read from its pixels."""
    small = load_font("small")
    known = {small.glyph(letter)[0]: letter for letter in GLYPHS}
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
    """What a box without games shows first; it has a door, and its menus say so."""
    return Drive(Journal(None), door=unvisited).frame


class Both(Drive):
    """A box on fakes and the real one, side by side: what is pressed is pressed on both.

    Both have a door: the menus say so. `taught` is where the one on fakes keeps boards.

    After each press both must show the same. `pressed` keeps what each press sent over the bus.
    While `alone`, the fakes play without the real one, and `way` keeps what would be pressed.
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
        """Press buttons on both, and see both show the same after each."""
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
        """Let everything pass that passes by itself, press OK where it is waited for."""
        while self.moments:
            if (until := self.table.moments.until) is None:
                self.read()
                self.press("ok")
            else:
                self.wait(until - self.buttons.now + 0.01)
        self.read()

    def read(self) -> None:
        """See both show the same, until the box takes answers: somebody can have read it."""
        assert self.box.shows(self.frame), self.difference()
        time.sleep(UNREAD_SECONDS)
        self.wait(UNREAD_SECONDS)

    def difference(self) -> str:
        """What each of the two shows, as far as it is small letters."""
        wanted = " | ".join(text(self.frame))
        return f"the box shows {self.box.reads}; it should be {wanted}"
