"""`companion doctor`: is every part of the box there, and what to do if not.

A check is a small function of what it looks at; `commands.py` gives it this machine, tests give it
fakes. A finding's `cure` is what to do, and None if all is well.
"""

from __future__ import annotations

import os
import shutil
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.draw.canvas import Canvas
from companion.say.dictionary import LISTS
from hardware import PAGES, WIDTH, HardwareError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from hardware import Box, Buttons, Edge

FREE: Final = 100 * 2**20
"""Bytes that should be free: years of games, and the voice's cache."""
SLOW: Final = 100_000
"""What the display's bus runs at if nobody has said otherwise, in hertz."""
QUIET: Final = 0.01
"""Seconds without an edge after which a button counts as settled."""
LOUDER: Final = "Raise it in alsamixer; aplay -l lists the cards; is the speaker plugged in?"
DOOR: Final = "The box says why: journalctl -u companion; or sudo systemctl restart companion"
MEANING: Final = {
    "failed": "It has failed: journalctl -u companion -n 50, then sudo systemctl restart companion",
    "inactive": "It does not run: sudo systemctl start companion",
}


class Finding(NamedTuple):
    """What a check found of one part; `cure` is what to do, None if all is well."""

    part: str
    text: str
    cure: str | None = None

    @property
    def line(self) -> str:
        """One line for a person, and what to do below it."""
        if self.cure is None:
            return f"OK    {self.part:<11} {self.text}"
        return f"NOT   {self.part:<11} {self.text}\n{'':18}{self.cure}"


# --- the checks -----------------------------------------------------------------------------------


def pins(open_buttons: Callable[[], Buttons], *, running: bool) -> Finding:
    """The buttons' pins can be had, and no button hangs. `running`: the service holds them."""
    if running:
        return Finding("pins", "the running box has them")
    held: list[Edge] = []
    buttons = open_buttons()
    try:
        buttons.listen(held.append)
    except HardwareError as error:
        return Finding("pins", str(error), access("gpio"))
    finally:
        buttons.close()
    if held:
        names = ", ".join(sorted({edge.button.upper() for edge in held}))
        cure = "If nobody presses: the wire to ground touches, or the button is stuck."
        return Finding("pins", f"pressed right now: {names}", cure)
    return Finding("pins", "all there, no button hangs")


def access(group: str) -> str:
    """What to do when a device is there and may not be used."""
    return f"Other program, or no permission? sudo usermod -aG {group} $USER, then log in again."


def bus(device: Path, clock: Path) -> Finding:
    """The display's bus is on, may be used, and how fast I2C is: `clock` is a device tree file."""
    kind = device.name[:3]
    if not device.exists():
        switch = f"sudo raspi-config nonint do_{kind} 0, then sudo reboot"
        return Finding("bus", f"{device} is missing", switch)
    if not os.access(device, os.R_OK | os.W_OK):
        return Finding("bus", f"{device} may not be used", access(kind))
    if kind == "spi":
        return Finding("bus", f"{device}")
    hertz = int.from_bytes(clock.read_bytes(), "big") if clock.exists() else SLOW
    faster = "" if hertz > SLOW else " (400 is smoother: install.sh --bus 400)"
    return Finding("bus", f"{device}, {hertz // 1000} kHz{faster}")


def display(
    open_box: Callable[[Callable[[HardwareError], None]], Box],
    ask: Callable[[str], bool] | None,
    *,
    running: bool,
) -> Finding:
    """The display answers, and shows the whole test picture if there is somebody to `ask`.

    The running box keeps its picture: the display is only asked whether it is there.
    """
    errors: list[HardwareError] = []
    seen = None
    try:
        box = open_box(errors.append)
    except HardwareError as error:
        errors.append(error)
    else:
        if not running:
            box.displays[0].show(picture())
            seen = ask(QUESTION) if ask is not None else None
        box.displays[0].close()
    if errors:
        cure = "Four wires: 3V3, ground, SDA to GPIO 2, SCL to GPIO 3; or say which board it is"
        return Finding("display", str(errors[0]), cure)
    if seen is False:
        return Finding(
            "display",
            "answers, but its picture is wrong",
            'Shifted by 2, or snow at an edge: say chip = "sh1106" (or "ssd1306") in board.toml;'
            " other panels: docs/hardware.md",
        )
    return Finding("display", "answers" if seen is None else "shows the whole picture")


def sound(
    cards: Path, chime: Callable[[], list[HardwareError]], ask: Callable[[str], bool] | None
) -> Finding:
    """There is a sound card, and a sound goes out, and is heard if there is somebody to `ask`.

    `chime` plays one, and gives what went wrong.
    """
    text = cards.read_text(encoding="utf-8") if cards.exists() else ""
    if not text.strip() or "no soundcards" in text:
        return Finding(
            "sound",
            "no sound card",
            "Plug one in, or dtparam=audio=on in /boot/firmware/config.txt",
        )
    errors = chime()
    if errors:
        return Finding("sound", str(errors[0]), LOUDER)
    if ask is None:
        return Finding("sound", "a chime has gone out")
    heard = ask("Was there a chime?")
    return Finding("sound", "is heard") if heard else Finding("sound", "is not heard", LOUDER)


def voice(
    which: Callable[[str], str | None] = shutil.which, others: tuple[str, ...] = ()
) -> Finding:
    """Sentences can be spoken. `others` are voices that can be chosen beside."""
    found = which("espeak-ng")
    if found is None:
        return Finding("voice", "espeak-ng is missing", "sudo apt install espeak-ng")
    return Finding("voice", ", ".join((found, *others)))


def own_voice(file: Path, speak: Callable[[], tuple[float, float]]) -> Finding:
    """A voice of the owner's own: what it is, and how fast this machine is with it.

    `speak` has it say something, and gives the seconds that took, without those of loading it, and
    the seconds of the sound. A ratio over 1 is a voice that is late without its cache.
    """
    from hardware import voices  # noqa: PLC0415 - most boxes have none

    try:
        card = voices.card(voices.checked(file))
        took, sounds = speak()
    except HardwareError as error:
        return Finding("own voice", str(error), "Copy both of its files again: docs/voices.md")
    told = (card.language, card.quality, card.licence or "no licence beside it")
    named = f"{file.stem}: {', '.join(filter(None, told))}; {took / sounds:.2g} s a second of sound"
    if card.language[:2] not in voices.LANGUAGES:
        return Finding("own voice", named, "The box speaks English and French: it stays unused")
    return Finding("own voice", named)


def disk(free: int, damage: Callable[[], str | None]) -> Finding:
    """Games can be written down, and those that are can be read. `free` is in bytes."""
    if free < FREE:
        return Finding("disk", f"only {free // 2**20} MB are free", "sudo apt clean, or a new card")
    try:
        harm = damage()
    except PermissionError:
        return Finding("disk", "the games are the box's own", "Look as root: sudo companion doctor")
    if harm is not None:
        return Finding("disk", harm, "Copy the games away, and think of a new card")
    return Finding("disk", f"{free // 2**20} MB free, the games can be read")


def service(shown: Mapping[str, str]) -> Finding:
    """The service runs, and will after the next start. `shown` is of `systemctl show`."""
    if shown.get("LoadState") != "loaded":
        return Finding("service", "not installed", "sudo ./systemd/install.sh")
    state = shown.get("ActiveState", "")
    if state != "active":
        cure = MEANING.get(state, "Wait a moment: systemctl status companion")
        return Finding("service", state, cure)
    if shown.get("UnitFileState") != "enabled":
        return Finding("service", "runs, but not after a start", "sudo systemctl enable companion")
    again = int(shown.get("NRestarts", "0"))
    if again:
        return Finding(
            "service", f"runs, after {again} restarts", "What was it? journalctl -u companion"
        )
    return Finding("service", "runs, and starts by itself")


def door(path: Path, greet: Callable[[], str], *, running: bool) -> Finding:
    """Programs can talk to the box. `greet` connects, and gives the first line."""
    if not running:
        return Finding("door", "shut: no box runs")
    try:
        hello = greet()
    except PermissionError:
        return Finding("door", f"{path} may not be used", access("companion"))
    except OSError as error:
        return Finding("door", f"{path}: {error.strerror or error}", DOOR)
    if '"hello"' not in hello:
        return Finding("door", f"{path} says {hello[:40]!r}", DOOR)
    return Finding("door", f"{path} answers")


def dictionary(folder: Path) -> Finding:
    """The word lists for the games that spell."""
    lists = tuple(chain.from_iterable(LISTS.values()))
    missing = [name for name in lists if not (folder / name).exists()]
    if missing:
        return Finding(
            "dictionary",
            f"missing: {', '.join(missing)}",
            "sudo apt install wamerican wbritish wfrench",
        )
    return Finding("dictionary", f"{len(lists)} lists")


# --- the test picture -----------------------------------------------------------------------------


QUESTION: Final = (
    "The display should show a thin unbroken line along all four edges, 1 2 above and 3 4 below,"
    "\nupright, with no snow. Does it?"
)


def picture() -> bytes:
    """A frame along all four edges, and a corner's name in each: a shift or snow can not hide."""
    canvas = Canvas()
    for page in range(PAGES):
        edge = 0x01 if page == 0 else 0x80 if page == PAGES - 1 else 0
        canvas.fill(page, 0, bytes((0xFF, *[edge] * (WIDTH - 2), 0xFF)))
    for page, x, text in ((1, 4, "1"), (1, 118, "2"), (6, 4, "3"), (6, 118, "4")):
        canvas.text(page, x, text)
    canvas.centre(2, "COMPANION", "medium")
    canvas.centre(5, "1 2 3 4, a whole edge")
    return canvas.frame


# --- the buttons ----------------------------------------------------------------------------------


class Count(NamedTuple):
    """A button's presses, and the edges that were too many: its contacts bounce."""

    presses: int = 0
    bounces: int = 0


def counted(edges: Iterable[Edge]) -> dict[str, Count]:
    """Presses and bounces of each button, from raw edges.

    A burst of edges with less than QUIET between them is one change at most: a press if it ends
    with the button down where it was up before. Every edge beyond that one is a bounce.
    """
    by_button: dict[str, list[Edge]] = {}
    for edge in edges:
        by_button.setdefault(edge.button, []).append(edge)
    return {button: _count(found) for button, found in by_button.items()}


def _count(edges: list[Edge]) -> Count:
    presses = bounces = 0
    down = False
    for burst in _bursts(edges):
        changed = burst[-1].down != down
        presses += changed and burst[-1].down
        bounces += len(burst) - changed
        down = burst[-1].down
    return Count(presses, bounces)


def _bursts(edges: list[Edge]) -> Iterator[list[Edge]]:
    burst: list[Edge] = []
    for edge in edges:
        if burst and edge.time - burst[-1].time >= QUIET:
            yield burst
            burst = []
        burst.append(edge)
    if burst:
        yield burst


def table(edges: list[Edge], names: Iterable[str]) -> str:
    """A line a button; what to do about those that bounce a lot."""
    found = counted(edges)
    rows = ["button  presses  bounces"]
    for name in names:
        count = found.get(name, Count())
        advice = "" if count.bounces <= 20 * count.presses else "  a bad switch: change it"
        rows.append(f"{name:<7} {count.presses:>7} {count.bounces:>8}{advice}")
    return "\n".join(rows)
