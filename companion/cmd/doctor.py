"""`companion doctor`: is every part of the box there, and what to do if not.

A check is a small function of what it looks at; `commands.py` gives it this machine, tests give it
fakes. A finding's `cure` is what to do, and None if all is well.
"""

from __future__ import annotations

import os
import shutil
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.cmd import places, tongue
from companion.cmd.tongue import said
from companion.draw.canvas import Canvas
from companion.say.decimals import decimal
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
LOUDER: Final = "doctor.sound.louder"
INSTALL: Final = "doctor.service.install"
DOOR: Final = "doctor.door.cure"
MEANING: Final = ("failed", "inactive")
"""States of the service of which is known what to do."""


class Finding(NamedTuple):
    """What a check found of one part; `cure` is what to do, None if all is well.

    `text` and `cure` are for people, `part` is a name for programs.
    """

    part: str
    text: str
    cure: str | None = None

    @property
    def line(self) -> str:
        """One line for a person, and what to do below it."""
        part = said(f"doctor.part.{self.part}")
        if self.cure is None:
            return f"{said('doctor.ok'):<5} {part:<11} {self.text}"
        return f"{said('doctor.not'):<5} {part:<11} {self.text}\n{'':18}{self.cure}"


# --- the checks -----------------------------------------------------------------------------------


def pins(open_buttons: Callable[[], Buttons], *, running: bool) -> Finding:
    """The buttons' pins can be had, and no button hangs. `running`: the service holds them."""
    if running:
        return Finding("pins", said("doctor.pins.running"))
    held: list[Edge] = []
    buttons = open_buttons()
    try:
        buttons.listen(held.append)
    except HardwareError as error:
        return Finding("pins", tongue.wrong(error), access("gpio"))
    finally:
        buttons.close()
    if held:
        names = ", ".join(sorted({edge.button.upper() for edge in held}))
        text = said("doctor.pins.held", buttons=names)
        return Finding("pins", text, said("doctor.pins.held.cure"))
    return Finding("pins", said("doctor.pins.fine"))


def access(group: str) -> str:
    """What to do when a device is there and may not be used."""
    return said("doctor.access", group=group)


def bus(device: Path, clock: Path) -> Finding:
    """The display's bus is on, may be used, and how fast I2C is: `clock` is a device tree file."""
    kind = device.name[:3]
    if not device.exists():
        text = said("doctor.bus.missing", device=device)
        return Finding("bus", text, said("doctor.bus.missing.cure", kind=kind))
    if not os.access(device, os.R_OK | os.W_OK):
        return Finding("bus", said("doctor.bus.denied", device=device), access(kind))
    if kind == "spi":
        return Finding("bus", f"{device}")
    hertz = int.from_bytes(clock.read_bytes(), "big") if clock.exists() else SLOW
    speed = "fast" if hertz > SLOW else "slow"
    return Finding("bus", said(f"doctor.bus.{speed}", device=device, n=hertz // 1000))


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
            seen = ask(said("doctor.display.ask")) if ask is not None else None
        box.displays[0].close()
    if errors:
        return Finding("display", tongue.wrong(errors[0]), said("doctor.display.wiring"))
    if seen is False:
        return Finding("display", said("doctor.display.wrong"), said("doctor.display.wrong.cure"))
    return Finding("display", said(f"doctor.display.{'answers' if seen is None else 'whole'}"))


def sound(
    cards: Path, chime: Callable[[], list[HardwareError]], ask: Callable[[str], bool] | None
) -> Finding:
    """There is a sound card, and a sound goes out, and is heard if there is somebody to `ask`.

    `chime` plays one, and gives what went wrong.
    """
    text = cards.read_text(encoding="utf-8") if cards.exists() else ""
    if not text.strip() or "no soundcards" in text:
        return Finding("sound", said("doctor.sound.no_card"), said("doctor.sound.no_card.cure"))
    errors = chime()
    if errors:
        return Finding("sound", tongue.wrong(errors[0]), said(LOUDER))
    if ask is None:
        return Finding("sound", said("doctor.sound.sent"))
    if ask(said("doctor.sound.ask")):
        return Finding("sound", said("doctor.sound.heard"))
    return Finding("sound", said("doctor.sound.unheard"), said(LOUDER))


def voice(
    which: Callable[[str], str | None] = shutil.which, others: tuple[str, ...] = ()
) -> Finding:
    """Sentences can be spoken. `others` are voices that can be chosen beside."""
    found = which("espeak-ng")
    if found is None:
        return Finding("voice", said("doctor.voice.missing"), "sudo apt install espeak-ng")
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
        return Finding("own_voice", tongue.wrong(error), said("doctor.own_voice.cure"))
    licence = card.licence or said("doctor.own_voice.no_licence")
    what = ", ".join(filter(None, (card.language, card.quality, licence)))
    ratio = decimal(took / sounds, places.language(), ".2g")
    named = said("doctor.own_voice.told", name=file.stem, what=what, ratio=ratio)
    if card.language[:2] not in voices.LANGUAGES:
        return Finding("own_voice", named, said("doctor.own_voice.unused"))
    return Finding("own_voice", named)


def disk(free: int, damage: Callable[[], str | None], *, forgets: bool = False) -> Finding:
    """Games can be written down, and those that are can be read. `free` is in bytes.

    `forgets`: what is written there goes with the power.
    """
    if forgets:
        return Finding("disk", said("doctor.disk.forgets"), said("doctor.disk.forgets.cure"))
    if free < FREE:
        text = said("doctor.disk.full", n=free // 2**20)
        return Finding("disk", text, said("doctor.disk.full.cure"))
    try:
        harm = damage()
    except PermissionError:
        return Finding("disk", said("doctor.disk.denied"), said("doctor.disk.denied.cure"))
    if harm is not None:
        return Finding("disk", harm, said("doctor.disk.harmed.cure"))
    return Finding("disk", said("doctor.disk.fine", n=free // 2**20))


def service(shown: Mapping[str, str]) -> Finding:
    """The service runs, and will after the next start. `shown` is of `systemctl show`."""
    if shown.get("LoadState") != "loaded":
        return Finding("service", said("doctor.service.missing"), said(INSTALL))
    state = shown.get("ActiveState", "")
    if state != "active":
        cure = said(f"doctor.service.{state if state in MEANING else 'wait'}")
        return Finding("service", state, cure)
    if shown.get("UnitFileState") != "enabled":
        text = said("doctor.service.once")
        return Finding("service", text, said("doctor.service.once.cure"))
    again = int(shown.get("NRestarts", "0"))
    if again:
        text = tongue.counted("doctor.service.restarted", again)
        return Finding("service", text, said("doctor.service.restarted.cure"))
    return Finding("service", said("doctor.service.fine"))


def door(path: Path, greet: Callable[[], str], *, running: bool) -> Finding:
    """Programs can talk to the box. `greet` connects, and gives the first line."""
    if not running:
        return Finding("door", said("doctor.door.shut"))
    try:
        hello = greet()
    except PermissionError:
        return Finding("door", said("doctor.bus.denied", device=path), access("companion"))
    except OSError as error:
        return Finding("door", said("wrong.file", file=path, why=tongue.reason(error)), said(DOOR))
    if '"hello"' not in hello:
        return Finding(
            "door", said("doctor.door.says", path=path, said=repr(hello[:40])), said(DOOR)
        )
    return Finding("door", said("doctor.door.fine", path=path))


def phones(shown: Mapping[str, str], *, hotspot: bool) -> Finding:
    """The page comes when a phone does. `shown` is of its socket; `hotspot`: there is nmcli."""
    if shown.get("LoadState") != "loaded":
        return Finding("phones", said("doctor.service.missing"), said(INSTALL))
    if shown.get("ActiveState") != "active":
        return Finding("phones", said("doctor.phones.nobody"), said("doctor.phones.nobody.cure"))
    return Finding("phones", said(f"doctor.phones.{'fine' if hotspot else 'no_hotspot'}"))


def dictionary(folder: Path) -> Finding:
    """The word lists for the games that spell."""
    lists = tuple(chain.from_iterable(LISTS.values()))
    missing = [name for name in lists if not (folder / name).exists()]
    if missing:
        text = said("doctor.dictionary.missing", lists=", ".join(missing))
        return Finding("dictionary", text, "sudo apt install wamerican wbritish wfrench")
    return Finding("dictionary", said("doctor.dictionary.fine", n=len(lists)))


# --- the test picture -----------------------------------------------------------------------------


def picture() -> bytes:
    """A frame along all four edges, and a corner's name in each: a shift or snow can not hide."""
    canvas = Canvas()
    for page in range(PAGES):
        edge = 0x01 if page == 0 else 0x80 if page == PAGES - 1 else 0
        canvas.fill(page, 0, bytes((0xFF, *[edge] * (WIDTH - 2), 0xFF)))
    for page, x, text in ((1, 4, "1"), (1, 118, "2"), (6, 4, "3"), (6, 118, "4")):
        canvas.text(page, x, text)
    canvas.centre(2, "COMPANION", "medium")
    canvas.centre(5, said("doctor.display.edge"))
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
    rows = [said("doctor.buttons.head")]
    for name in names:
        count = found.get(name, Count())
        advice = "" if count.bounces <= 20 * count.presses else said("doctor.buttons.bad")
        row = f"{name:<7} {count.presses:>7} {count.bounces:>8}"
        rows.append(f"{row}  {advice}" if advice else row)
    return "\n".join(rows)
