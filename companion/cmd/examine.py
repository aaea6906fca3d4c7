"""`companion doctor` on this machine: gives `doctor`'s checks what they look at."""

from __future__ import annotations

import contextlib
import io
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
import wave
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.catalog import registry
from companion.cmd import doctor, door, owned, places, tongue
from companion.cmd.asking import agreed
from companion.cmd.tongue import said
from companion.say.dictionary import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.cmd.doctor import Finding
    from hardware import Box, Edge, HardwareError
    from hardware.wiring import Board

STATE: Final = Path("/var/lib/companion")
"""Where the service keeps the games."""
CONFIG: Final = Path("/etc/companion")
"""Where its board and editions are."""
MOUNTS: Final = Path("/proc/self/mounts")
"""What the kernel has mounted."""
SHOWN: Final = ("LoadState", "ActiveState", "UnitFileState", "NRestarts")
TRIAL: Final = f"{', '.join(registry.NAMES)}, 21, 105."
"""What a voice says to be measured, in any language: names and numbers."""
PATIENCE: Final = 10.0
"""Seconds that a chime may take to have gone out, and a box to say who it is."""
SHORTEST: Final = 0.001
"""Seconds of a wait that is to end at once: 0 would be none at all."""
CHECKING: Final = 120.0
"""Seconds in which a record is read through."""
WELL: Final = "ok"
"""What SQLite says of a file that is whole."""


def service(unit: str = "companion.service") -> dict[str, str]:
    """What systemd says of the service, or of another unit; nothing if there is no systemd."""
    command = ["systemctl", "show", unit, *(f"--property={name}" for name in SHOWN)]
    try:
        said = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    except OSError:
        return {}
    return dict(line.partition("=")[::2] for line in said.stdout.splitlines())


def findings(ask: Callable[[str], bool] | None) -> Iterator[Finding]:
    """All that is found, part by part. `ask` puts a question to a person, if there is one."""
    from hardware import bus, pi  # noqa: PLC0415 - only here

    shown = service()
    running = shown.get("ActiveState") == "active"
    folder = STATE if STATE.exists() else places.data_folder()
    yield doctor.pins(lambda: pi.PinButtons(_board()), running=running)
    if (device := bus.device(_board().display)) is not None:
        clock = f"/sys/class/i2c-adapter/{device.name}/of_node/clock-frequency"
        yield doctor.bus(device, Path(clock))
    yield doctor.display(_box, ask, running=running)
    yield doctor.sound(Path("/proc/asound/cards"), _chime, ask)
    yield doctor.voice(others=_other_voices())
    yield from _own_voices()
    place = next(f for f in (folder, *folder.parents) if f.exists())
    free, forgets = shutil.disk_usage(place).free, is_forgotten(place, MOUNTS)
    yield doctor.disk(free, lambda: _damage(folder / "games.db"), forgets=forgets)
    yield doctor.service(shown)
    path = door.found()
    yield doctor.door(path, lambda: _greeted(path), running=running or path.exists())
    hotspot = shutil.which("nmcli") is not None
    yield doctor.phones(service("companion-page.socket"), hotspot=hotspot)
    yield doctor.dictionary(FOLDER)


def is_forgotten(place: Path, mounts: Path) -> bool:
    """Whether what is written in a folder goes with the power: it is on overlayroot's memory."""
    if place.stat().st_dev != Path("/").stat().st_dev or not mounts.exists():
        return False
    return any(line.startswith("overlayroot / ") for line in mounts.read_text().splitlines())


def _greeted(path: Path) -> str:
    """What a box says to whoever comes, as far as it tells who it is. Raises OSError."""
    said, end = b"", places.monotonic() + PATIENCE
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(PATIENCE)
        wire.connect(str(path))
        while b"\n" not in said and len(said) < owned.LIMIT:
            wire.settimeout(max(SHORTEST, end - places.monotonic()))
            data = wire.recv(owned.LIMIT)
            if not data:
                break
            said += data
    return said.decode("utf-8", "replace")


def _other_voices() -> tuple[str, ...]:
    """The voices of other engines that are installed."""
    from hardware import voices  # noqa: PLC0415 - only here

    found = (c.name for lang in voices.LANGUAGES for c in voices.choices(lang, None))
    return tuple(dict.fromkeys(name for name in found if name != voices.ESPEAK))


def _own_voices() -> Iterator[Finding]:
    """What there is to say of the owner's own voices; nothing is loaded if there is none."""
    from hardware import voices  # noqa: PLC0415 - only here

    for file in voices.files(_config() / "voices"):
        yield doctor.own_voice(file, partial(_measured, file))


def _measured(file: Path) -> tuple[float, float]:
    """Seconds that a voice needs for its second sentence, and of its sound. Raises HardwareError.

    The first one loads the voice.
    """
    from hardware import speech, voices  # noqa: PLC0415 - only here

    choice = voices.Choice(file.stem, voices.PIPER, file.name[:2], str(file))
    with closing(speech.slow()) as reader:
        reader.say(choice.engine, choice.voice, speech.SPEED, "Un, deux.")
        begun = time.perf_counter()
        wav = reader.say(choice.engine, choice.voice, speech.SPEED, TRIAL)
        took = time.perf_counter() - begun
    with wave.open(io.BytesIO(wav)) as sound:
        return took, sound.getnframes() / sound.getframerate()


def _config() -> Path:
    """Where the box's own board is, or would be: the service's folder, else the user's."""
    return CONFIG if CONFIG.exists() else places.config_folder()


def _board() -> Board:
    from hardware import boards  # noqa: PLC0415 - only here

    return boards.load(_config())


def _box(report: Callable[[HardwareError], None]) -> Box:
    from hardware import pi  # noqa: PLC0415 - only here

    return pi.open_box(report, _config())


def _chime() -> list[HardwareError]:
    """Play a sound to its end; what went wrong."""
    from hardware.speaker import Loudspeaker  # noqa: PLC0415 - only here

    errors: list[HardwareError] = []
    speaker = Loudspeaker(errors.append, places.speech())
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
        found = owned.looked(file, partial(_checked, file), CHECKING)
    except PermissionError:
        raise
    except OSError as error:
        found = tongue.reason(error)
    return (
        None if found == WELL else said("doctor.disk.harmed", file=file, why=owned.escaped(found))
    )


def _checked(file: Path) -> str:
    """What SQLite says of a file. Raises PermissionError."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return said("wrong.record.no_file", file=file)
        with contextlib.closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as db:
            return str(db.execute("PRAGMA quick_check").fetchone()[0])
    except FileNotFoundError:
        return WELL
    except PermissionError:
        raise
    except (sqlite3.Error, OSError) as error:
        return str(error)


def examine() -> int:
    """Print every finding; the exit status: 0 if all is well, else 1."""
    ask = agreed if sys.stdin.isatty() else None
    well = True
    for finding in findings(ask):
        click.echo(finding.line)
        well = well and finding.cure is None
    return 0 if well else 1


def try_buttons(seconds: float | None) -> int:
    """Count presses and bounces until Ctrl-C, or for some seconds; the exit status."""
    from hardware import pi  # noqa: PLC0415 - only here

    if service().get("ActiveState") == "active":
        raise click.ClickException(said("doctor.buttons.held"))
    board = _board()
    edges: list[Edge] = []
    buttons = pi.PinButtons(board, debounce=None)
    buttons.listen(edges.append)
    click.echo(said("doctor.buttons.press"))
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait(seconds)
    buttons.close()
    click.echo(doctor.table(edges, board.buttons))
    return 0
