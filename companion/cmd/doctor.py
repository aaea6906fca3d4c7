"""`companion doctor`: is every part of the box there, and what to do if not.

A check is a small function of what it looks at; `findings` gives it this machine, tests give it
fakes. A finding's `cure` is what to do, and None if all is well.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
import tomllib
import wave
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from checked_input.files import is_there
from companion.catalog import registry, services
from companion.cmd import i18n, places, preset
from companion.cmd.arguments import ask_yes_no
from companion.cmd.i18n import sentence, suggest_name
from companion.draw.canvas import Canvas
from companion.menus.page import Diagnosis
from companion.page import address
from companion.record.owner import LIMIT, escaped, looked
from companion.say.decimals import decimal
from companion.say.dictionary import FOLDER, LISTS
from hardware.boards import board_file, own_board
from hardware.boards.firmware import add, config, lacking
from hardware.display import bus as buses
from hardware.pins import finding, pi
from hardware.pins.bounces import PressCount, count_presses
from hardware.ports import PAGES, SEATS, WIDTH, HardwareError
from hardware.sound import cards, speech, voices
from hardware.sound.aplay import AplayMixer
from hardware.sound.engine_process import MissingError
from hardware.sound.speaker import Loudspeaker
from hardware.sound.speech import Speech

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hardware.ports import Box, Buttons, Edge
    from hardware.sound.player import Mixer
    from hardware.wiring import Board


FREE: Final = 100 * 2**20
"""Bytes that should be free: years of games, and the voice's cache."""
SLOW: Final = 100_000
"""What the display's bus runs at if nobody has said otherwise, in hertz."""
LOUDER: Final = "doctor.sound.louder"
DOOR: Final = "doctor.door.cure"
UNITS: Final = (
    "companion-page.service", "companion-seats.socket", "companion-seats.service",
    "companion-stopped.service", "companion-root.service",
)  # fmt: skip
"""The box's own units beside its service and the socket of its page."""
MEANING: Final = ("failed", "inactive")
"""States of the service of which is known what to do."""


def format_diagnosis(found: Diagnosis) -> str:
    """One line for a person, and what to do below it."""
    part = sentence(f"doctor.part.{found.part}")
    if found.cure is None:
        return f"{sentence('doctor.ok'):<5} {part:<11} {found.text}"
    return f"{sentence('doctor.not'):<5} {part:<11} {found.text}\n{'':18}{found.cure}"


def not_a_pi_notice(model: Path) -> str | None:
    """What is said first on a machine that is no Raspberry Pi; None on one. `model` is its file."""
    if model.exists() and "Raspberry Pi" in model.read_text("utf-8", "replace"):
        return None
    return sentence("doctor.off")


def install_hint(way: str) -> str:
    """How the service comes onto this machine: by its `package`, a `checkout`, or a `release`."""
    return sentence(f"doctor.service.install.{way}")


# --- the checks -----------------------------------------------------------------------------------


def pins(open_buttons: Callable[[], Buttons], *, running: bool) -> Diagnosis:
    """The buttons' pins can be had, and no button hangs. `running`: the service holds them."""
    if running:
        return Diagnosis("pins", sentence("doctor.pins.running"))
    held: list[Edge] = []
    buttons = open_buttons()
    try:
        buttons.listen(held.append)
    except HardwareError as error:
        return Diagnosis("pins", i18n.error_text(error), access("gpio"))
    finally:
        buttons.close()
    if held:
        names = ", ".join(sorted({edge.button.upper() for edge in held}))
        text = sentence("doctor.pins.held", buttons=names)
        return Diagnosis("pins", text, sentence("doctor.pins.held.cure"))
    return Diagnosis("pins", sentence("doctor.pins.fine"))


def access(group: str) -> str:
    """What to do when a device is there and may not be used."""
    return sentence("doctor.access", group=group)


def bus(device: Path, clock: Path) -> Diagnosis:
    """The display's bus is on, may be used, and how fast I2C is: `clock` is a device tree file."""
    kind = device.name[:3]
    if not device.exists():
        text = sentence("doctor.bus.missing", device=device)
        return Diagnosis("bus", text, sentence("doctor.bus.missing.cure", kind=kind))
    if not os.access(device, os.R_OK | os.W_OK):
        return Diagnosis("bus", sentence("doctor.bus.denied", device=device), access(kind))
    if kind == "spi":
        return Diagnosis("bus", f"{device}")
    hertz = int.from_bytes(clock.read_bytes(), "big") if clock.exists() else SLOW
    speed = "fast" if hertz > SLOW else "slow"
    return Diagnosis("bus", sentence(f"doctor.bus.{speed}", device=device, n=hertz // 1000))


def firmware(
    board: Board, file: Path, there: Callable[[Path], bool], ask: Callable[[str], bool] | None
) -> Diagnosis | None:
    """The Pi's firmware is told what the board needs; None if that is nothing, or told already.

    Whoever may write `file` is asked whether to, if there is somebody to `ask`: once, for then the
    lines are there.
    """
    try:
        lines = lacking(board, file.read_text("utf-8", "replace"), there)
        if not lines:
            return None
        told = {"file": file, "lines": ", ".join(lines)}
        text = sentence("doctor.firmware.lacks", **told)
        if not os.access(file, os.W_OK) or ask is None:
            return Diagnosis("firmware", text, sentence("doctor.firmware.lacks.cure"))
        if not ask(sentence("doctor.firmware.ask", **told)):
            return Diagnosis("firmware", text, sentence("doctor.firmware.lacks.cure"))
        copy = add(file, lines)
    except OSError as error:
        text = sentence("wrong.file", file=file, why=i18n.system_reason(error))
        return Diagnosis("firmware", text, sentence("doctor.firmware.lacks.cure"))
    text = sentence("doctor.firmware.written", copy=copy, **told)
    return Diagnosis("firmware", text, sentence("doctor.firmware.restart"))


def display(
    open_box: Callable[[Callable[[HardwareError], None]], Box],
    ask: Callable[[str], bool] | None,
    *,
    running: bool,
) -> Diagnosis:
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
            box.displays[0].show(corner_picture())
            seen = ask(sentence("doctor.display.ask")) if ask is not None else None
        box.displays[0].close()
    if errors:
        return Diagnosis("display", i18n.error_text(errors[0]), sentence("doctor.display.wiring"))
    if seen is False:
        return Diagnosis(
            "display", sentence("doctor.display.wrong"), sentence("doctor.display.wrong.cure")
        )
    return Diagnosis(
        "display", sentence(f"doctor.display.{'answers' if seen is None else 'whole'}")
    )


def sound(
    found: Sequence[str],
    chime: Callable[[str], list[HardwareError]],
    ask: Callable[[str], bool] | None,
    board: Board,
    file: Path,
) -> Diagnosis:
    """Report whether a sound goes out, and is heard if there is somebody to `ask`.

    If it is not heard, every sound card plays a chime, and the person is asked which was heard.
    found: the names of the sound cards that are there. chime: plays on a card ("" is the default),
    and returns what went wrong. file: where the board is, or would be: a card is written into it.
    """
    if not found:
        overlay = "" if board.sound is None else board.sound.overlay
        cure = sentence(f"doctor.sound.{'overlay' if overlay else 'no_card.cure'}", overlay=overlay)
        return Diagnosis("sound", sentence("doctor.sound.no_card"), cure)
    errors = chime(board.device)
    if ask is None:
        if errors:
            return Diagnosis("sound", i18n.error_text(errors[0]), sentence(LOUDER))
        return Diagnosis("sound", sentence("doctor.sound.sent"))
    if not errors and ask(sentence("doctor.sound.ask")):
        return Diagnosis("sound", sentence("doctor.sound.heard"))
    others = found if board.device or len(found) > 1 else ()  # a single card is the default
    heard = [card for card in others if card != board.device and _is_heard(card, chime, ask)]
    if heard:
        return _choose_card(heard, ask, board, file)
    text = i18n.error_text(errors[0]) if errors else sentence("doctor.sound.unheard")
    return Diagnosis("sound", text, sentence(LOUDER))


def _is_heard(
    card: str, chime: Callable[[str], list[HardwareError]], ask: Callable[[str], bool]
) -> bool:
    return not chime(card) and ask(sentence("doctor.sound.ask_card", card=card))


def _choose_card(
    heard: Sequence[str], ask: Callable[[str], bool], board: Board, file: Path
) -> Diagnosis:
    """Offer to write the first card that was heard into the board's file."""
    card, usual = heard[0], board.device or sentence("doctor.sound.default")
    text = sentence("doctor.sound.heard_card", cards=", ".join(heard), usual=usual)
    there = file if file.exists() else file.parent
    if not os.access(there, os.W_OK) or not ask(
        sentence("doctor.sound.ask_write", card=card, file=file)
    ):
        return Diagnosis("sound", text, sentence("doctor.sound.choose", card=card))
    try:
        own = file.read_text("utf-8") if file.exists() else ""
        finding.save(file, cards.with_device(own, card))
    except HardwareError as error:
        return Diagnosis(
            "sound", i18n.error_text(error), sentence("doctor.sound.choose", card=card)
        )
    except OSError as error:
        text = sentence("wrong.file", file=file, why=i18n.system_reason(error))
        return Diagnosis("sound", text, sentence("doctor.sound.choose", card=card))
    text = sentence("doctor.sound.written", card=card, file=file)
    return Diagnosis("sound", text, sentence("doctor.sound.restart"))


def ear(
    device: str, chime: Callable[[], list[HardwareError]], ask: Callable[[str], bool] | None
) -> Diagnosis:
    """The second output, for secrets by ear: a sound goes out, and nobody else hears it."""
    errors = chime()
    if errors:
        return Diagnosis("ear", i18n.error_text(errors[0]), sentence("doctor.ear.cure"))
    if ask is None:
        return Diagnosis("ear", sentence("doctor.sound.sent"))
    if ask(sentence("doctor.ear.ask", device=device)):
        return Diagnosis("ear", sentence("doctor.ear.heard"))
    return Diagnosis("ear", sentence("doctor.ear.unheard"), sentence("doctor.ear.cure"))


def voice(
    which: Callable[[str], str | None] = shutil.which, others: tuple[str, ...] = ()
) -> Diagnosis:
    """Sentences can be spoken. `others` are voices that can be chosen beside."""
    found = which("espeak-ng")
    if found is None:
        return Diagnosis("voice", sentence("doctor.voice.missing"), "sudo apt install espeak-ng")
    return Diagnosis("voice", ", ".join((found, *others)))


def own_voice(file: Path, speak: Callable[[], tuple[float, float]]) -> Diagnosis:
    """A voice of the owner's own: what it is, and how fast this machine is with it.

    `speak` has it say something, and gives the seconds that took, without those of loading it, and
    the seconds of the sound. A ratio over 1 is a voice that is late without its cache.
    """
    try:
        card = voices.card(voices.check_voice_file(file))
        took, sounds = speak()
    except HardwareError as error:
        return Diagnosis("own_voice", i18n.error_text(error), sentence("doctor.own_voice.cure"))
    licence = card.licence or sentence("doctor.own_voice.no_licence")
    what = ", ".join(filter(None, (card.language, card.quality, licence)))
    ratio = decimal(took / sounds, places.language(), ".2g")
    named = sentence("doctor.own_voice.told", name=file.stem, what=what, ratio=ratio)
    if card.language[:2] not in voices.LANGUAGES:
        return Diagnosis("own_voice", named, sentence("doctor.own_voice.unused"))
    return Diagnosis("own_voice", named)


def disk(free: int, damage: Callable[[], str | None], *, forgets: bool = False) -> Diagnosis:
    """Games can be written down, and those that are can be read. `free` is in bytes.

    `forgets`: what is written there goes with the power.
    """
    if forgets:
        return Diagnosis(
            "disk", sentence("doctor.disk.forgets"), sentence("doctor.disk.forgets.cure")
        )
    if free < FREE:
        text = sentence("doctor.disk.full", n=free // 2**20)
        return Diagnosis("disk", text, sentence("doctor.disk.full.cure"))
    try:
        harm = damage()
    except PermissionError:
        return Diagnosis(
            "disk", sentence("doctor.disk.denied"), sentence("doctor.disk.denied.cure")
        )
    if harm is not None:
        return Diagnosis("disk", harm, sentence("doctor.disk.harmed.cure"))
    return Diagnosis("disk", sentence("doctor.disk.fine", n=free // 2**20))


def time_of_day(*, is_set: bool, now: str) -> Diagnosis:
    """Report whether the machine's clock is set. `now` is what it says."""
    if is_set:
        return Diagnosis("clock", now)
    return Diagnosis(
        "clock", sentence("doctor.clock.unset", now=now), sentence("doctor.clock.unset.cure")
    )


def service(shown: Mapping[str, str], way: str = "checkout") -> Diagnosis:
    """The service runs, and will after the next start. `shown` is of `systemctl show`.

    `way` is how it is installed here, see `install`.
    """
    if shown.get("LoadState") != "loaded":
        return Diagnosis("service", sentence("doctor.service.missing"), install_hint(way))
    state = shown.get("ActiveState", "")
    if state != "active":
        cure = sentence(f"doctor.service.{state if state in MEANING else 'wait'}")
        return Diagnosis("service", state, cure)
    if shown.get("UnitFileState") != "enabled":
        text = sentence("doctor.service.once")
        return Diagnosis("service", text, sentence("doctor.service.once.cure"))
    again = int(shown.get("NRestarts", "0"))
    if again:
        text = i18n.plural_sentence("doctor.service.restarted", again)
        return Diagnosis("service", text, sentence("doctor.service.restarted.cure"))
    return Diagnosis("service", sentence("doctor.service.fine"))


def door(path: Path, greet: Callable[[], str], *, running: bool) -> Diagnosis:
    """Programs can talk to the box. `greet` connects, and gives the first line."""
    if not running:
        return Diagnosis("door", sentence("doctor.door.shut"))
    try:
        hello = greet()
    except PermissionError:
        return Diagnosis("door", sentence("doctor.bus.denied", device=path), access("companion"))
    except OSError as error:
        return Diagnosis(
            "door", sentence("wrong.file", file=path, why=i18n.system_reason(error)), sentence(DOOR)
        )
    if '"hello"' not in hello:
        return Diagnosis(
            "door", sentence("doctor.door.says", path=path, said=repr(hello[:40])), sentence(DOOR)
        )
    return Diagnosis("door", sentence("doctor.door.fine", path=path))


def phones(
    shown: Mapping[str, str],
    where: tuple[str, ...] = (),
    way: str = "checkout",
    *,
    hotspot: bool,
) -> Diagnosis:
    """The page comes when a phone does. `shown` is of its socket; `hotspot`: there is nmcli.

    `where` are its hosts with their port, as they are typed into a browser; `way`: see `install`.
    """
    if shown.get("LoadState") != "loaded":
        return Diagnosis("phones", sentence("doctor.service.missing"), install_hint(way))
    if shown.get("ActiveState") != "active":
        return Diagnosis(
            "phones", sentence("doctor.phones.nobody"), sentence("doctor.phones.nobody.cure")
        )
    text = sentence(f"doctor.phones.{'fine' if hotspot else 'no_hotspot'}")
    return Diagnosis("phones", " · ".join((*(f"http://{host}" for host in where), text)))


def listening(listen: str) -> int | None:
    """The port of a socket that systemd listens at: `[::]:80 (Stream)`. None if it tells none."""
    found = re.search(r":([0-9]+) \(Stream\)", listen)
    return int(found[1]) if found else None


def dictionary(folder: Path) -> Diagnosis:
    """The word lists for the games that spell."""
    lists = tuple(chain.from_iterable(LISTS.values()))
    missing = [name for name in lists if not (folder / name).exists()]
    if missing:
        text = sentence("doctor.dictionary.missing", lists=", ".join(missing))
        return Diagnosis("dictionary", text, "sudo apt install wamerican wbritish wfrench")
    return Diagnosis("dictionary", sentence("doctor.dictionary.fine", n=len(lists)))


def first_settings(file: Path) -> Diagnosis:
    """The settings of a new record can be read: the first mistake of `file`, if it has one."""
    values, mistakes = preset.read_settings(file)
    if mistakes:
        return Diagnosis(
            "settings", i18n.describe_mistake(mistakes[0]), sentence("doctor.settings.cure")
        )
    return Diagnosis("settings", sentence("doctor.settings.fine", file=file, n=len(values)))


def unit(name: str, shown: Mapping[str, str]) -> Diagnosis | None:
    """A further unit of the box has not failed; None if it is not installed."""
    if shown.get("LoadState") != "loaded":
        return None
    state = shown.get("ActiveState", "")
    failed = state == "failed" or (name.endswith(".socket") and state != "active")
    text = sentence("doctor.unit.state", unit=name, state=state)
    return Diagnosis("unit", text, sentence("doctor.unit.cure", unit=name) if failed else None)


# --- the test picture -----------------------------------------------------------------------------


def corner_picture() -> bytes:
    """A frame along all four edges, and a corner's name in each: a shift or snow cannot hide."""
    canvas = Canvas()
    for page in range(PAGES):
        edge = 0x01 if page == 0 else 0x80 if page == PAGES - 1 else 0
        canvas.fill(page, 0, bytes((0xFF, *[edge] * (WIDTH - 2), 0xFF)))
    for page, x, text in ((1, 4, "1"), (1, 118, "2"), (6, 4, "3"), (6, 118, "4")):
        canvas.text(page, x, text)
    canvas.centre(2, "COMPANION", "medium")
    canvas.centre(5, sentence("doctor.display.edge"))
    return canvas.frame


# --- the buttons ----------------------------------------------------------------------------------


def button_table(edges: list[Edge], names: Iterable[str]) -> str:
    """A line a button; what to do about those that bounce a lot, or were never heard of."""
    found = count_presses(edges)
    rows = [sentence("doctor.buttons.head")]
    for name in names:
        count = found.get(name, PressCount())
        advice = "" if count.bounces <= 20 * count.presses else sentence("doctor.buttons.bad")
        advice = advice if count != PressCount() else sentence("doctor.buttons.elsewhere")
        row = f"{name:<7} {count.presses:>7} {count.bounces:>8}"
        rows.append(f"{row}  {advice}" if advice else row)
    return "\n".join(rows)


CONFIG: Final = Path("/etc/companion")
"""Where its board and editions are."""
MOUNTS: Final = Path("/proc/self/mounts")
"""What the kernel has mounted."""
PACKAGE: Final = Path("/usr/lib/companion/current")
"""The version that the package runs."""
CHECKOUT: Final = Path(__file__).parents[2] / "systemd" / "install.sh"
"""What a clone of the repository installs itself with."""
MODEL: Final = Path("/proc/device-tree/model")
"""What this machine is called, if it is a board."""
SHOWN: Final = ("LoadState", "ActiveState", "UnitFileState", "NRestarts", "Listen")
TRIAL: Final = f"{', '.join(registry.NAMES)}, 21, 105."
"""What a voice says to be measured, in any language: names and numbers."""
PATIENCE: Final = 10.0
"""Seconds that a chime may take to have gone out, and a box to say who it is."""
SHORTEST: Final = 0.001
"""Seconds of a wait that is to end at once: 0 would be none at all."""
CHECKING: Final = 120.0
"""Seconds in which a record is read through."""
WHOLE: Final = "ok"
"""What SQLite says of a file that is whole."""


def systemd(unit: str = "companion.service") -> dict[str, str]:
    """What systemd says of the service, or of another unit; nothing if there is no systemd."""
    command = ["systemctl", "show", unit, *(f"--property={name}" for name in SHOWN)]
    try:
        said = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    pairs = [line.partition("=")[::2] for line in said.stdout.splitlines()]
    return dict(reversed(pairs))  # of several with one name, the first


def install_way() -> str:
    """How the box comes onto this machine: see `install`."""
    if PACKAGE.exists():
        return "package"
    return "checkout" if CHECKOUT.exists() else "release"


def hosts(port: int | None) -> tuple[str, ...]:
    """Where phones find the page: this machine's addresses, its name if something answers."""
    names = (*address.reachable(), address.name() if address.is_answered() else None)
    return tuple(address.format_address(name, port) for name in names if name and port is not None)


def findings(ask: Callable[[str], bool] | None) -> Iterator[Diagnosis]:
    """All that is found, part by part. `ask` puts a question to a person, if there is one."""
    shown, board = systemd(), _board()
    running = shown.get("ActiveState") == "active"
    folder = places.STATE if places.STATE.exists() else places.data_folder()
    yield pins(lambda: pi.PinButtons(_board()), running=running)
    if (file := config()) is not None:
        told = firmware(board, file, Path.exists, ask)
        yield from (told,) if told is not None else ()
    if (device := buses.device(board.display)) is not None:
        clock = f"/sys/class/i2c-adapter/{device.name}/of_node/clock-frequency"
        yield bus(device, Path(clock))
    yield display(_box, ask, running=running)
    found = [card.name for card in cards.cards()]
    yield sound(found, _chime, ask, board, own_board.own_file(_config()))
    if second := board.ear:
        yield ear(second, lambda: _chime(ear=second), ask)
    yield voice(others=_other_voices())
    yield from _own_voices()
    place = next(f for f in (folder, *folder.parents) if f.exists())
    free, forgets = shutil.disk_usage(place).free, is_forgotten(place, MOUNTS)
    yield disk(free, lambda: _damage(folder / "games.db"), forgets=forgets)
    yield time_of_day(is_set=places.is_set(), now=places.format_time(int(time.time())))
    yield service(shown, install_way())
    if is_there(file := _config() / places.settings_file().name):
        yield first_settings(file)
    path = places.socket()
    yield door(path, lambda: _read_greeting(path), running=running or path.exists())
    hotspot = shutil.which("nmcli") is not None
    page = systemd("companion-page.socket")
    where = hosts(listening(page.get("Listen", "")))
    yield phones(page, where, install_way(), hotspot=hotspot)
    added = (unit for service in services.every() for unit in service.units)
    yield from filter(None, (unit(name, systemd(name)) for name in (*UNITS, *added)))
    yield dictionary(FOLDER)


def is_forgotten(place: Path, mounts: Path) -> bool:
    """Whether what is written in a folder goes with the power: it is on overlayroot's memory."""
    if place.stat().st_dev != Path("/").stat().st_dev or not mounts.exists():
        return False
    return any(line.startswith("overlayroot / ") for line in mounts.read_text().splitlines())


def _read_greeting(path: Path) -> str:
    """What a box says to whoever comes, as far as it tells who it is. Raises OSError."""
    said, end = b"", places.monotonic() + PATIENCE
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(PATIENCE)
        wire.connect(str(path))
        while b"\n" not in said and len(said) < LIMIT:
            wire.settimeout(max(SHORTEST, end - places.monotonic()))
            data = wire.recv(LIMIT)
            if not data:
                break
            said += data
    return said.decode("utf-8", "replace")


def _other_voices() -> tuple[str, ...]:
    """The voices of other engines that are installed."""
    found = (c.name for lang in voices.LANGUAGES for c in voices.choices(lang, None))
    return tuple(dict.fromkeys(name for name in found if name != voices.ESPEAK))


def _own_voices() -> Iterator[Diagnosis]:
    """What there is to say of the owner's own voices; nothing is loaded if there is none."""
    for file in voices.files(_config() / "voices"):
        yield own_voice(file, partial(_measure_voice, file))


def _measure_voice(file: Path) -> tuple[float, float]:
    """Seconds that a voice needs for its second sentence, and of its sound. Raises HardwareError.

    The first one loads the voice.
    """
    choice = voices.Choice(file.stem, voices.PIPER, file.name[:2], str(file))
    with closing(speech.slow()) as reader:
        try:
            reader.say(choice.engine, choice.voice, speech.SPEED, "Un, deux.")
        except MissingError as error:
            raise speech.missing(choice, error, voices.PART) from error
        begun = time.perf_counter()
        wav = reader.say(choice.engine, choice.voice, speech.SPEED, TRIAL)
        took = time.perf_counter() - begun
    with wave.open(io.BytesIO(wav)) as sound:
        return took, sound.getnframes() / sound.getframerate()


def _config() -> Path:
    """Where the box's own board is, or would be: the service's folder, else the user's."""
    return CONFIG if CONFIG.exists() else places.config_folder()


def _board() -> Board:
    return own_board.load(_config())


def _box(report: Callable[[HardwareError], None]) -> Box:
    return pi.open_box(report, _config())


def _chime(card: str = "", *, ear: str = "") -> list[HardwareError]:
    """Play a sound to its end, on that card in the room or into the ear; return what went wrong."""
    errors: list[HardwareError] = []
    opens: Callable[[], Mixer] | None = (lambda: AplayMixer(ear)) if ear else None
    voice = Speech(places.voice_cache(), voices=places.voice_folder())
    speaker = Loudspeaker(errors.append, voice, device=card, open_mixer=opens)
    speaker.play("ready")
    speaker.close()
    for thread in threading.enumerate():
        if thread.name == "speaker":
            thread.join(PATIENCE)
    return errors


def _damage(file: Path) -> str | None:
    """What is wrong with the record; None if it can be read, or is not there yet.

    Nothing is written or repaired: the box does that when it opens it. Raises PermissionError.
    """
    try:
        found = looked(file, partial(_check_database, file), CHECKING, places.monotonic)
    except PermissionError:
        raise
    except OSError as error:
        found = i18n.system_reason(error)
    return None if found == WHOLE else sentence("doctor.disk.harmed", file=file, why=escaped(found))


def _check_database(file: Path) -> str:
    """What SQLite says of a file. Raises PermissionError."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return sentence("wrong.record.no_file", file=file)
        with contextlib.closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as db:
            return str(db.execute("PRAGMA quick_check").fetchone()[0])
    except FileNotFoundError:
        return WHOLE
    except PermissionError:
        raise
    except (sqlite3.Error, OSError) as error:
        return str(error)


def examine(*, as_json: bool) -> int:
    """Print every finding; the exit status: 0 if all is well, else 1.

    As JSON a line has `part`, `text` and `cure`, the part as people call it; nobody is asked.
    """
    if as_json:
        found = [
            each._replace(part=sentence(f"doctor.part.{each.part}")) for each in findings(None)
        ]
        click.echo("\n".join(json.dumps(each._asdict()) for each in found))
        return int(any(each.cure is not None for each in found))
    ask = ask_yes_no if sys.stdin.isatty() else None
    well = True
    if (elsewhere := not_a_pi_notice(MODEL)) is not None:
        click.echo(elsewhere)
    for each in findings(ask):
        click.echo(format_diagnosis(each))
        well = well and each.cure is None
    return 0 if well else 1


def find_buttons(like: str | None) -> int:
    """Have a person press each button, and write down where it is; the exit status."""
    if systemd().get("ActiveState") == "active":
        raise click.ClickException(sentence("doctor.buttons.held"))
    if like not in (None, *board_file.names()):
        raise click.UsageError(suggest_name("board", str(like), board_file.names()))
    file = own_board.own_file(_config())
    board = _board() if like is None else board_file.load_board(like)
    listening = finding.PinListening(board)
    if not listening:
        raise click.ClickException(sentence("doctor.find.no_pins"))
    try:
        found = finding.walk(listening.edges(), chain(finding.ASKED, _seats()), _tell_button)
    finally:
        listening.close()
    own = file.read_text("utf-8") if like is None and file.exists() else ""
    base = board_file.place(like or _base_board_name(own)).read_text("utf-8")
    try:
        before = finding.save(file, finding.compose_board_file(base, own, found))
    except OSError as error:
        why = i18n.system_reason(error)
        raise click.ClickException(sentence("wrong.file", file=file, why=why)) from error
    click.echo(sentence("doctor.find.written", file=file))
    if before is not None:
        click.echo(sentence("doctor.find.before", file=before))
    return 0


def _base_board_name(own: str) -> str:
    """The known board that a board's file begins with; our own wiring if it has none."""
    return str(tomllib.loads(own).get("like", "four-buttons"))


def _seats() -> Iterator[str]:
    """The seats that have a button, as a person says when the four buttons are found."""
    for number, seat in enumerate(SEATS, 1):
        if not ask_yes_no(sentence("doctor.find.seat", n=number)):
            return
        yield seat


def _tell_button(button: str, pin: int | None) -> None:
    """Ask for a button, or say where it is."""
    seat = f"{SEATS.index(button) + 1}" if button in SEATS else ""
    name = sentence(f"doctor.find.{'seat_button' if seat else button}", n=seat)
    way = "doctor.find.press" if pin is None else "doctor.find.found"
    click.echo(sentence(way, button=name, n=pin))


def try_buttons(seconds: float | None) -> int:
    """Count presses and bounces until Ctrl-C, or for some seconds; the exit status."""
    if systemd().get("ActiveState") == "active":
        raise click.ClickException(sentence("doctor.buttons.held"))
    board = _board()
    edges: list[Edge] = []
    buttons = pi.PinButtons(board, debounce=None)
    buttons.listen(edges.append)
    click.echo(sentence("doctor.buttons.press"))
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait(seconds)
    buttons.close()
    click.echo(button_table(edges, board.buttons))
    return 0


@click.command("doctor")
@click.option("--buttons", is_flag=True, help="Count each button's presses and bounces.")
@click.option("--seconds", type=float, help="End the count by itself.")
@click.option("--find", is_flag=True, help="Find out which pin each button is on, and keep that.")
@click.option("--like", metavar="BOARD", help="With --find: the board whose display is there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line; ask nothing.")
def doctor_command(
    buttons: bool,
    seconds: float | None,
    find: bool,
    like: str | None,
    as_json: bool,
) -> int:
    """Is every part of the box there? For each OK, or what to do; exit status 1 if one is not."""
    if find:
        return find_buttons(like)
    return try_buttons(seconds) if buttons else examine(as_json=as_json)
