"""The command `companion doctor`, which checks every part of the box and names repairs.

A check is a function that receives the values to examine as arguments. `run_doctor_checks` passes
the values of this machine. Tests pass fake values. A check returns a `BoxPartDiagnosis`, or None if
there is nothing to report. The field `cure` of the diagnosis names the repair, or is None if the
part works.
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from checked_input import source
from checked_input.files import may_file_exist
from companion.catalog import registry, services
from companion.cmd import i18n, places, preset
from companion.cmd.arguments import ask_yes_no
from companion.cmd.i18n import command_sentence, unknown_name_message
from companion.draw.canvas import Canvas
from companion.menus.page import BoxPartDiagnosis
from companion.page import address
from companion.record.owner_rights import (
    MAX_REPLY_BYTES,
    escape_and_shorten_for_terminal,
    run_as_path_owner,
)
from companion.say.decimals import format_decimal
from companion.say.dictionary import LISTS_FOLDER, WORD_LISTS
from hardware.boards import board_file, user_board
from hardware.boards.firmware import (
    append_config_lines,
    find_firmware_config_file,
    missing_config_lines,
)
from hardware.display import bus as buses
from hardware.pins import pi, pin_search
from hardware.pins.bounce_counter import PressAndBounceCount, presses_and_bounces_by_button
from hardware.pins.buttons import PinButtons
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH, SEATS, Box, Edge, HardwareError
from hardware.sound import cards, speech, voices
from hardware.sound.aplay import AplaySoundDevice
from hardware.sound.engine_client import EngineMissingError
from hardware.sound.playback_queue import SoundDevicePort
from hardware.sound.speaker import Loudspeaker
from hardware.sound.speech import VoiceSynthesiser
from hardware.wiring import Board

if TYPE_CHECKING:
    from hardware.ports import Buttons


MIN_FREE_BYTES: Final = 100 * 2**20
"""Minimum free disk space in bytes, enough for years of games and for the cache of the voices."""
DEFAULT_I2C_HERTZ: Final = 100_000
"""Default clock rate of the display's I2C bus in hertz."""
LOUDER_SENTENCE_KEY: Final = "doctor.sound.louder"
DOOR_CURE_KEY: Final = "doctor.door.cure"
FURTHER_UNITS: Final = (
    "companion-page.service", "companion-seats.socket", "companion-seats.service",
    "companion-stopped.service", "companion-root.service",
)  # fmt: skip
"""Names of the box's systemd units other than companion.service and companion-page.socket."""
STATES_WITH_REMEDY: Final = ("failed", "inactive")
"""States of companion.service for which the doctor names a repair.

In other states, the doctor advises the user to wait.
"""


def format_diagnosis(diagnosis: BoxPartDiagnosis) -> str:
    """Return a diagnosis as one line, with the repair on the next line."""
    part = command_sentence(f"doctor.part.{diagnosis.part}")
    if diagnosis.cure is None:
        return f"{command_sentence('doctor.ok'):<5} {part:<11} {diagnosis.text}"
    return (
        f"{command_sentence('doctor.not'):<5} {part:<11} {diagnosis.text}\n{'':18}{diagnosis.cure}"
    )


def not_a_pi_notice(model: Path) -> str | None:
    """Return the notice that this machine is not a Raspberry Pi; None on a Raspberry Pi.

    `model`: the file with the machine's model name.
    """
    if model.exists() and "Raspberry Pi" in model.read_text("utf-8", "replace"):
        return None
    return command_sentence("doctor.off")


def service_install_advice(way: str) -> str:
    """Return the command that installs the service, or advice how to install the service.

    `way`: the way of installation, which is "package", "checkout" or "release".
    """
    return command_sentence(f"doctor.service.install.{way}")


# --- the checks -----------------------------------------------------------------------------------


def check_button_pins(open_buttons: Callable[[], Buttons], *, running: bool) -> BoxPartDiagnosis:
    """Check that the pins of the buttons are available and that no button is stuck.

    `running` is True if the service runs and uses the pins.
    """
    if running:
        return BoxPartDiagnosis("pins", command_sentence("doctor.pins.running"))
    held: list[Edge] = []
    buttons = open_buttons()
    try:
        buttons.listen(held.append)
    except HardwareError as error:
        return BoxPartDiagnosis(
            "pins", i18n.localised_error_text(error), device_access_remedy("gpio")
        )
    finally:
        buttons.close()
    if held:
        names = ", ".join(sorted({edge.button.upper() for edge in held}))
        text = command_sentence("doctor.pins.held", buttons=names)
        return BoxPartDiagnosis("pins", text, command_sentence("doctor.pins.held.cure"))
    return BoxPartDiagnosis("pins", command_sentence("doctor.pins.fine"))


def check_board_file(file: Path) -> BoxPartDiagnosis:
    """Report the supplied board on which a valid board file is based, and the user's own keys."""
    data = source.read_toml(file).data
    if "like" not in data:
        return BoxPartDiagnosis("board", command_sentence("doctor.board.whole", file=file))
    keys = [f"{name}.{key}" for name, lines in data.items() if name != "like" for key in lines]
    text = command_sentence(
        f"doctor.board.{'changed' if keys else 'like'}",
        file=file,
        like=data["like"],
        keys=", ".join(keys),
    )
    return BoxPartDiagnosis("board", text)


def device_access_remedy(group: str) -> str:
    """Return the repair for an existing device that the user is not allowed to open.

    `group`: the user group that can open the device.
    """
    return command_sentence("doctor.access", group=group)


def check_display_bus(device: Path, clock: Path) -> BoxPartDiagnosis:
    """Check that the display's bus (I2C or SPI) is usable, and report the clock rate of I2C.

    `clock`: the file in the device tree that contains the clock rate.
    """
    kind = device.name[:3]
    if not device.exists():
        text = command_sentence("doctor.bus.missing", device=device)
        return BoxPartDiagnosis("bus", text, command_sentence("doctor.bus.missing.cure", kind=kind))
    if not os.access(device, os.R_OK | os.W_OK):
        return BoxPartDiagnosis(
            "bus", command_sentence("doctor.bus.denied", device=device), device_access_remedy(kind)
        )
    if kind == "spi":
        return BoxPartDiagnosis("bus", f"{device}")
    hertz = int.from_bytes(clock.read_bytes(), "big") if clock.exists() else DEFAULT_I2C_HERTZ
    speed = "fast" if hertz > DEFAULT_I2C_HERTZ else "slow"
    return BoxPartDiagnosis(
        "bus", command_sentence(f"doctor.bus.{speed}", device=device, n=hertz // 1000)
    )


def check_firmware_config(
    board: Board, file: Path, there: Callable[[Path], bool], ask: Callable[[str], bool] | None
) -> BoxPartDiagnosis | None:
    """Check that the Pi's firmware settings contain the lines that the board file requires.

    Return None if all lines are present. If `ask` is given and `file` can be written, ask once
    whether to add the missing lines.

    - `file`: the file with the firmware settings.
    - `there`: function that returns True if a path exists.
    - `ask`: function that asks a yes-or-no question; None to ask nothing.
    """
    try:
        lines = missing_config_lines(board, file.read_text("utf-8", "replace"), there)
        if not lines:
            return None
        facts = {"file": file, "lines": ", ".join(lines)}
        text = command_sentence("doctor.firmware.lacks", **facts)
        if not os.access(file, os.W_OK) or ask is None:
            return BoxPartDiagnosis(
                "firmware", text, command_sentence("doctor.firmware.lacks.cure")
            )
        if not ask(command_sentence("doctor.firmware.ask", **facts)):
            return BoxPartDiagnosis(
                "firmware", text, command_sentence("doctor.firmware.lacks.cure")
            )
        copy = append_config_lines(file, lines)
    except OSError as error:
        text = command_sentence("wrong.file", file=file, why=i18n.os_error_reason(error))
        return BoxPartDiagnosis("firmware", text, command_sentence("doctor.firmware.lacks.cure"))
    text = command_sentence("doctor.firmware.written", copy=copy, **facts)
    return BoxPartDiagnosis("firmware", text, command_sentence("doctor.firmware.restart"))


def check_display(
    open_box: Callable[[Callable[[HardwareError], None]], Box],
    ask: Callable[[str], bool] | None,
    board: Board,
    *,
    running: bool,
) -> BoxPartDiagnosis:
    """Check that the display works.

    - `running`: True if the service runs. The service then uses the display, so the check only
      tests whether the display is present.
    - `ask`: function that asks the user whether the test picture is visible; None to ask nothing.
    """
    errors: list[HardwareError] = []
    seen = None
    try:
        box = open_box(errors.append)
    except HardwareError as error:
        errors.append(error)
    else:
        if not running:
            box.displays[0].show(make_test_frame())
            seen = ask(command_sentence("doctor.display.ask")) if ask is not None else None
        box.displays[0].close()
    if errors:
        labels = board_file.display_pin_labels(board.display)
        return BoxPartDiagnosis(
            "display",
            i18n.localised_error_text(errors[0]),
            command_sentence("doctor.display.wiring", pins=", ".join(labels)),
        )
    if seen is False:
        return BoxPartDiagnosis(
            "display",
            command_sentence("doctor.display.wrong"),
            command_sentence("doctor.display.wrong.cure"),
        )
    return BoxPartDiagnosis(
        "display", command_sentence(f"doctor.display.{'answers' if seen is None else 'whole'}")
    )


def check_sound(
    card_names: Sequence[str],
    chime: Callable[[str], list[HardwareError]],
    ask: Callable[[str], bool] | None,
    board: Board,
    file: Path,
) -> BoxPartDiagnosis:
    """Check that the box can play a sound.

    If the user heard no sound, play a chime on every other sound card, and ask after each chime
    whether the chime was heard.

    - `chime`: plays a chime on a card ("" is the default card) and returns the errors.
    - `ask`: asks the user a yes-or-no question; None to ask nothing.
    - `file`: the board file. If the user agrees, it receives the name of the heard card.
    """
    if not card_names:
        overlay = "" if board.sound is None else board.sound.overlay
        cure = command_sentence(
            f"doctor.sound.{'overlay' if overlay else 'no_card.cure'}", overlay=overlay
        )
        return BoxPartDiagnosis("sound", command_sentence("doctor.sound.no_card"), cure)
    errors = chime(board.device)
    if ask is None:
        if errors:
            return BoxPartDiagnosis(
                "sound", i18n.localised_error_text(errors[0]), command_sentence(LOUDER_SENTENCE_KEY)
            )
        return BoxPartDiagnosis("sound", command_sentence("doctor.sound.sent"))
    if not errors and ask(command_sentence("doctor.sound.ask")):
        return BoxPartDiagnosis("sound", command_sentence("doctor.sound.heard"))
    # try no other card if the default card is the only card
    others = card_names if board.device or len(card_names) > 1 else ()
    heard = [card for card in others if card != board.device and _is_heard(card, chime, ask)]
    if heard:
        return _choose_card(heard, ask, board, file)
    text = (
        i18n.localised_error_text(errors[0]) if errors else command_sentence("doctor.sound.unheard")
    )
    return BoxPartDiagnosis("sound", text, command_sentence(LOUDER_SENTENCE_KEY))


def _is_heard(
    card: str, chime: Callable[[str], list[HardwareError]], ask: Callable[[str], bool]
) -> bool:
    return not chime(card) and ask(command_sentence("doctor.sound.ask_card", card=card))


def _choose_card(
    heard: Sequence[str], ask: Callable[[str], bool], board: Board, file: Path
) -> BoxPartDiagnosis:
    card, usual = heard[0], board.device or command_sentence("doctor.sound.default")
    text = command_sentence("doctor.sound.heard_card", cards=", ".join(heard), usual=usual)
    there = file if file.exists() else file.parent
    if not os.access(there, os.W_OK) or not ask(
        command_sentence("doctor.sound.ask_write", card=card, file=file)
    ):
        return BoxPartDiagnosis("sound", text, command_sentence("doctor.sound.choose", card=card))
    try:
        content = file.read_text("utf-8") if file.exists() else ""
        pin_search.save_board_file(file, cards.board_text_with_sound_card(content, card))
    except HardwareError as error:
        return BoxPartDiagnosis(
            "sound",
            i18n.localised_error_text(error),
            command_sentence("doctor.sound.choose", card=card),
        )
    except OSError as error:
        text = command_sentence("wrong.file", file=file, why=i18n.os_error_reason(error))
        return BoxPartDiagnosis("sound", text, command_sentence("doctor.sound.choose", card=card))
    text = command_sentence("doctor.sound.written", card=card, file=file)
    return BoxPartDiagnosis("sound", text, command_sentence("doctor.sound.restart"))


def check_private_sound_output(
    device: str, chime: Callable[[], list[HardwareError]], ask: Callable[[str], bool] | None
) -> BoxPartDiagnosis:
    """Check the second sound output, which plays secrets to one player in audio mode."""
    errors = chime()
    if errors:
        return BoxPartDiagnosis(
            "ear", i18n.localised_error_text(errors[0]), command_sentence("doctor.ear.cure")
        )
    if ask is None:
        return BoxPartDiagnosis("ear", command_sentence("doctor.sound.sent"))
    if ask(command_sentence("doctor.ear.ask", device=device)):
        return BoxPartDiagnosis("ear", command_sentence("doctor.ear.heard"))
    return BoxPartDiagnosis(
        "ear", command_sentence("doctor.ear.unheard"), command_sentence("doctor.ear.cure")
    )


def check_voice(
    which: Callable[[str], str | None] = shutil.which, others: tuple[str, ...] = ()
) -> BoxPartDiagnosis:
    """Check that a voice is installed. `others` are the names of further voices to choose from."""
    program = which("espeak-ng")
    if program is None:
        return BoxPartDiagnosis(
            "voice", command_sentence("doctor.voice.missing"), "sudo apt install espeak-ng"
        )
    return BoxPartDiagnosis("voice", ", ".join((program, *others)))


def check_owner_voice(file: Path, speak: Callable[[], tuple[float, float]]) -> BoxPartDiagnosis:
    """Check a voice that the owner has added, and report the voice's speed on this machine.

    `speak`: function that synthesises a sentence, and returns two durations in seconds: the time
    for the synthesis (without loading the voice), and the length of the sound.

    If the synthesis takes longer than the sound, the voice is too slow for sentences that are not
    in the cache.
    """
    try:
        card = voices.read_voice_properties(voices.check_voice_file(file))
        took, sounds = speak()
    except HardwareError as error:
        return BoxPartDiagnosis(
            "own_voice", i18n.localised_error_text(error), command_sentence("doctor.own_voice.cure")
        )
    licence = card.licence or command_sentence("doctor.own_voice.no_licence")
    properties = ", ".join(filter(None, (card.language, card.quality, licence)))
    ratio = format_decimal(took / sounds, places.system_language(), ".2g")
    named = command_sentence("doctor.own_voice.told", name=file.stem, what=properties, ratio=ratio)
    if card.language[:2] not in voices.LANGUAGES:
        return BoxPartDiagnosis("own_voice", named, command_sentence("doctor.own_voice.unused"))
    return BoxPartDiagnosis("own_voice", named)


def check_disk_and_record(
    free: int, damage: Callable[[], str | None], *, forgets: bool = False
) -> BoxPartDiagnosis:
    """Check that games can be saved and read.

    - `free`: the free disk space in bytes.
    - `damage`: function that returns a description of the record's damage, or None for an intact
      record.
    - `forgets` is True if the files in the record's folder are lost at power-off.
    """
    if forgets:
        return BoxPartDiagnosis(
            "disk",
            command_sentence("doctor.disk.forgets"),
            command_sentence("doctor.disk.forgets.cure"),
        )
    if free < MIN_FREE_BYTES:
        text = command_sentence("doctor.disk.full", n=free // 2**20)
        return BoxPartDiagnosis("disk", text, command_sentence("doctor.disk.full.cure"))
    try:
        harm = damage()
    except PermissionError:
        return BoxPartDiagnosis(
            "disk",
            command_sentence("doctor.disk.denied"),
            command_sentence("doctor.disk.denied.cure"),
        )
    if harm is not None:
        return BoxPartDiagnosis("disk", harm, command_sentence("doctor.disk.harmed.cure"))
    return BoxPartDiagnosis("disk", command_sentence("doctor.disk.fine", n=free // 2**20))


def check_clock(*, is_set: bool, now: str) -> BoxPartDiagnosis:
    """Check that the machine's clock is set.

    `now`: the time that the clock shows, as text.
    """
    if is_set:
        return BoxPartDiagnosis("clock", now)
    return BoxPartDiagnosis(
        "clock",
        command_sentence("doctor.clock.unset", now=now),
        command_sentence("doctor.clock.unset.cure"),
    )


def check_box_service(shown: Mapping[str, str], way: str = "checkout") -> BoxPartDiagnosis:
    """Check that the service runs and starts at boot.

    - `shown`: the properties of the service that `systemctl show` prints.
    - `way`: "package", "checkout" or "release", the way in which the service was installed.
    """
    if shown.get("LoadState") != "loaded":
        return BoxPartDiagnosis(
            "service", command_sentence("doctor.service.missing"), service_install_advice(way)
        )
    state = shown.get("ActiveState", "")
    if state != "active":
        cure = command_sentence(
            f"doctor.service.{state if state in STATES_WITH_REMEDY else 'wait'}"
        )
        return BoxPartDiagnosis("service", state, cure)
    if shown.get("UnitFileState") != "enabled":
        text = command_sentence("doctor.service.once")
        return BoxPartDiagnosis("service", text, command_sentence("doctor.service.once.cure"))
    again = int(shown.get("NRestarts", "0"))
    if again:
        text = i18n.command_sentence_for_count("doctor.service.restarted", again)
        return BoxPartDiagnosis("service", text, command_sentence("doctor.service.restarted.cure"))
    return BoxPartDiagnosis("service", command_sentence("doctor.service.fine"))


def check_box_socket(path: Path, greet: Callable[[], str], *, running: bool) -> BoxPartDiagnosis:
    """Check that programs can connect to the box through its socket `path`.

    `greet`: function that connects to the box and returns the first line that the box sends.
    """
    if not running:
        return BoxPartDiagnosis("door", command_sentence("doctor.door.shut"))
    try:
        hello = greet()
    except PermissionError:
        return BoxPartDiagnosis(
            "door",
            command_sentence("doctor.bus.denied", device=path),
            device_access_remedy("companion"),
        )
    except OSError as error:
        return BoxPartDiagnosis(
            "door",
            command_sentence("wrong.file", file=path, why=i18n.os_error_reason(error)),
            command_sentence(DOOR_CURE_KEY),
        )
    if '"hello"' not in hello:
        return BoxPartDiagnosis(
            "door",
            command_sentence("doctor.door.says", path=path, said=repr(hello[:40])),
            command_sentence(DOOR_CURE_KEY),
        )
    return BoxPartDiagnosis("door", command_sentence("doctor.door.fine", path=path))


def check_phone_page(
    shown: Mapping[str, str],
    where: tuple[str, ...] = (),
    way: str = "checkout",
    *,
    hotspot: bool,
) -> BoxPartDiagnosis:
    """Check that systemd starts the web page for phones when a phone connects.

    - `shown`: the systemd properties of the web page's socket.
    - `where`: the web page's hosts and ports as typed into a browser.
    - `hotspot` is True if nmcli is installed.
    - `way`: the way in which the web page was installed, see `service_install_advice`.
    """
    if shown.get("LoadState") != "loaded":
        return BoxPartDiagnosis(
            "phones", command_sentence("doctor.service.missing"), service_install_advice(way)
        )
    if shown.get("ActiveState") != "active":
        return BoxPartDiagnosis(
            "phones",
            command_sentence("doctor.phones.nobody"),
            command_sentence("doctor.phones.nobody.cure"),
        )
    text = command_sentence(f"doctor.phones.{'fine' if hotspot else 'no_hotspot'}")
    return BoxPartDiagnosis("phones", " · ".join((*(f"http://{host}" for host in where), text)))


def parse_listen_port(listen: str) -> int | None:
    """Return the port in systemd's text `[::]:80 (Stream)`; return None if the text has no port."""
    match = re.search(r":([0-9]+) \(Stream\)", listen)
    return int(match[1]) if match else None


def check_word_lists(folder: Path) -> BoxPartDiagnosis:
    """Check the word lists for the games in which players spell words."""
    lists = tuple(chain.from_iterable(WORD_LISTS.values()))
    missing = [name for name in lists if not (folder / name).exists()]
    if missing:
        text = command_sentence("doctor.dictionary.missing", lists=", ".join(missing))
        return BoxPartDiagnosis("dictionary", text, "sudo apt install wamerican wbritish wfrench")
    return BoxPartDiagnosis("dictionary", command_sentence("doctor.dictionary.fine", n=len(lists)))


def check_new_record_settings_file(file: Path) -> BoxPartDiagnosis:
    """Check the file with the settings for a new record. Report the first mistake in the file."""
    values, mistakes = preset.read_settings_file(file)
    if mistakes:
        return BoxPartDiagnosis(
            "settings",
            i18n.describe_file_mistake(mistakes[0]),
            command_sentence("doctor.settings.cure"),
        )
    return BoxPartDiagnosis(
        "settings", command_sentence("doctor.settings.fine", file=file, n=len(values))
    )


def check_systemd_unit(name: str, shown: Mapping[str, str]) -> BoxPartDiagnosis | None:
    """Check that a systemd unit of the box has not failed.

    A socket unit must also be active. Return None if the unit is not installed.
    """
    if shown.get("LoadState") != "loaded":
        return None
    state = shown.get("ActiveState", "")
    failed = state == "failed" or (name.endswith(".socket") and state != "active")
    text = command_sentence("doctor.unit.state", unit=name, state=state)
    return BoxPartDiagnosis(
        "unit", text, command_sentence("doctor.unit.cure", unit=name) if failed else None
    )


# --- the test picture -----------------------------------------------------------------------------


def make_test_frame() -> bytes:
    """Return a test frame with lines along all edges, and the name of each corner.

    The test frame makes a shifted picture or noise visible.
    """
    canvas = Canvas()
    for page in range(DISPLAY_PAGES):
        edge = 0x01 if page == 0 else 0x80 if page == DISPLAY_PAGES - 1 else 0
        canvas.copy_columns(page, 0, bytes((0xFF, *[edge] * (DISPLAY_WIDTH - 2), 0xFF)))
    for page, x, text in ((1, 4, "1"), (1, 118, "2"), (6, 4, "3"), (6, 118, "4")):
        canvas.draw_text(page, x, text)
    canvas.draw_centred_text(2, "COMPANION", "medium")
    canvas.draw_centred_text(5, command_sentence("doctor.display.edge"))
    return canvas.frame


# --- the buttons ----------------------------------------------------------------------------------


def button_report(edges: list[Edge], names: Iterable[str]) -> str:
    """Return a text with a heading and one line for each button.

    The lines of buttons that bounce or send nothing contain a repair.
    """
    counts = presses_and_bounces_by_button(edges)
    rows = [command_sentence("doctor.buttons.head")]
    for name in names:
        count = counts.get(name, PressAndBounceCount())
        advice = (
            "" if count.bounces <= 20 * count.presses else command_sentence("doctor.buttons.bad")
        )
        advice = (
            advice
            if count != PressAndBounceCount()
            else command_sentence("doctor.buttons.elsewhere")
        )
        row = f"{name:<7} {count.presses:>7} {count.bounces:>8}"
        rows.append(f"{row}  {advice}" if advice else row)
    return "\n".join(rows)


CONFIG_FOLDER: Final = Path("/etc/companion")
"""The folder of the service's board file and editions."""
MOUNTED_SYSTEMS_FILE: Final = Path("/proc/self/mounts")
"""The file in which the kernel lists the mounted file systems."""
DEBIAN_PACKAGE_FOLDER: Final = Path("/usr/lib/companion/current")
"""The folder in which the Debian package installs the program version in use."""
CHECKOUT_INSTALLER: Final = Path(__file__).parents[2] / "systemd" / "install.sh"
"""The installer in a clone of the repository."""
PI_MODEL_FILE: Final = Path("/proc/device-tree/model")
"""The file with the model name of a Raspberry Pi."""
UNIT_PROPERTIES: Final = ("LoadState", "ActiveState", "UnitFileState", "NRestarts", "Listen")
TRIAL_SENTENCE: Final = f"{', '.join(registry.BUILT_IN_GAMES)}, 21, 105."
"""Sentence of names and numbers (for any language), to measure the speed of a voice."""
REPLY_TIMEOUT_SECONDS: Final = 10.0
"""Time limit in seconds until systemctl ends, a chime ends, or the box sends its first line."""
MIN_TIMEOUT_SECONDS: Final = 0.001
"""The shortest timeout in seconds. A timeout of 0 would mean no timeout."""
RECORD_CHECK_TIMEOUT_SECONDS: Final = 120.0
"""Time limit in seconds for reading a whole record."""
SQLITE_INTACT_REPLY: Final = "ok"
"""The text that SQLite returns for an intact file."""


def read_unit_properties(unit: str = "companion.service") -> dict[str, str]:
    """Return systemd's properties of a unit, or an empty table if systemd is not available."""
    command = ["systemctl", "show", unit, *(f"--property={name}" for name in UNIT_PROPERTIES)]
    try:
        result = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=REPLY_TIMEOUT_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    pairs = [line.partition("=")[::2] for line in result.stdout.splitlines()]
    return dict(reversed(pairs))  # if a name appears in several lines, the first line counts


def detect_install_method() -> str:
    """Return how the box was installed on this machine: "package", "checkout" or "release"."""
    if DEBIAN_PACKAGE_FOLDER.exists():
        return "package"
    return "checkout" if CHECKOUT_INSTALLER.exists() else "release"


def phone_page_hosts(port: int | None) -> tuple[str, ...]:
    """Return the hosts at which phones find the web page: the box's addresses and host name.

    Each host includes the port. The host name is included only if the network resolves this name.
    Return () if `port` is None.
    """
    names = (
        *address.own_reachable_addresses(),
        address.local_host_name() if address.is_local_host_name_announced() else None,
    )
    return tuple(
        address.format_host_and_port(name, port) for name in names if name and port is not None
    )


def run_doctor_checks(ask: Callable[[str], bool] | None) -> Iterator[BoxPartDiagnosis]:
    """Yield the diagnoses of all parts of the box. If `ask` is None, ask no questions."""
    shown, board = read_unit_properties(), _board()
    running = shown.get("ActiveState") == "active"
    folder = places.STATE_FOLDER if places.STATE_FOLDER.exists() else places.record_folder()
    yield from _board_file()
    yield check_button_pins(lambda: PinButtons(_board()), running=running)
    if (file := find_firmware_config_file()) is not None:
        firmware = check_firmware_config(board, file, Path.exists, ask)
        yield from (firmware,) if firmware is not None else ()
    if (device := buses.bus_device_path(board.display)) is not None:
        clock = f"/sys/class/i2c-adapter/{device.name}/of_node/clock-frequency"
        yield check_display_bus(device, Path(clock))
    yield check_display(_box, ask, board, running=running)
    card_names = [card.name for card in cards.playback_sound_cards()]
    yield check_sound(card_names, _chime, ask, board, user_board.own_board_path(_config()))
    if second := board.ear:
        yield check_private_sound_output(second, lambda: _chime(ear=second), ask)
    yield check_voice(others=_other_voices())
    yield from _own_voices()
    place = next(f for f in (folder, *folder.parents) if f.exists())
    free = shutil.disk_usage(place).free
    forgets = is_folder_only_in_memory(place, MOUNTED_SYSTEMS_FILE)
    yield check_disk_and_record(free, lambda: _damage(folder / "games.db"), forgets=forgets)
    yield check_clock(is_set=places.is_clock_set(), now=places.format_local_time(int(time.time())))
    yield check_box_service(shown, detect_install_method())
    if may_file_exist(file := _config() / places.new_record_settings_file().name):
        yield check_new_record_settings_file(file)
    path = places.box_socket()
    yield check_box_socket(path, lambda: _read_greeting(path), running=running or path.exists())
    hotspot = shutil.which("nmcli") is not None
    page = read_unit_properties("companion-page.socket")
    where = phone_page_hosts(parse_listen_port(page.get("Listen", "")))
    yield check_phone_page(page, where, detect_install_method(), hotspot=hotspot)
    added = (unit for service in services.installed_services() for unit in service.units)
    yield from filter(
        None,
        (check_systemd_unit(name, read_unit_properties(name)) for name in (*FURTHER_UNITS, *added)),
    )
    yield check_word_lists(LISTS_FOLDER)


def is_folder_only_in_memory(place: Path, mounts: Path) -> bool:
    """Return True if a folder is only in memory (`overlayroot`) and is lost at power-off."""
    if place.stat().st_dev != Path("/").stat().st_dev or not mounts.exists():
        return False
    return any(line.startswith("overlayroot / ") for line in mounts.read_text().splitlines())


def _read_greeting(path: Path) -> str:
    greeting, end = b"", places.monotonic_time() + REPLY_TIMEOUT_SECONDS
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(REPLY_TIMEOUT_SECONDS)
        wire.connect(str(path))
        while b"\n" not in greeting and len(greeting) < MAX_REPLY_BYTES:
            wire.settimeout(max(MIN_TIMEOUT_SECONDS, end - places.monotonic_time()))
            data = wire.recv(MAX_REPLY_BYTES)
            if not data:
                break
            greeting += data
    return greeting.decode("utf-8", "replace")


def _board_file() -> Iterator[BoxPartDiagnosis]:
    if may_file_exist(file := user_board.own_board_path(_config())):
        yield check_board_file(file)


def _other_voices() -> tuple[str, ...]:
    names = (
        c.name for lang in voices.LANGUAGES for c in voices.voice_choices_of_language(lang, None)
    )
    return tuple(dict.fromkeys(name for name in names if name != voices.ESPEAK))


def _own_voices() -> Iterator[BoxPartDiagnosis]:
    for file in voices.voice_files_in_folder(_config() / "voices"):
        yield check_owner_voice(file, partial(_measure_voice, file))


def _measure_voice(file: Path) -> tuple[float, float]:
    """Return the seconds to synthesise a sentence, and the seconds of the sentence's sound.

    Before the measurement, another sentence is synthesised, because the first sentence loads the
    voice. Raise HardwareError if the voice fails.
    """
    choice = voices.VoiceChoice(file.stem, voices.PIPER, file.name[:2], str(file))
    with closing(speech.make_slow_voice_process()) as reader:
        try:
            reader.synthesise_wav(
                choice.engine, choice.voice, speech.DEFAULT_WORDS_PER_MINUTE, "Un, deux."
            )
        except EngineMissingError as error:
            raise speech.missing_engine_error(choice, error, voices.OWN_VOICE_PART) from error
        begun = time.perf_counter()
        wav = reader.synthesise_wav(
            choice.engine, choice.voice, speech.DEFAULT_WORDS_PER_MINUTE, TRIAL_SENTENCE
        )
        took = time.perf_counter() - begun
    with wave.open(io.BytesIO(wav)) as sound:
        return took, sound.getnframes() / sound.getframerate()


def _config() -> Path:
    return CONFIG_FOLDER if CONFIG_FOLDER.exists() else places.config_folder()


def _board() -> Board:
    return user_board.load_own_or_default_board(_config())


def _box(report: Callable[[HardwareError], None]) -> Box:
    return pi.open_box_on_pins(report, _config())


def _chime(card: str = "", *, ear: str = "") -> list[HardwareError]:
    errors: list[HardwareError] = []
    opens: Callable[[], SoundDevicePort] | None = (lambda: AplaySoundDevice(ear)) if ear else None
    voice = VoiceSynthesiser(places.speech_cache_folder(), voices=places.owner_voices_folder())
    speaker = Loudspeaker(errors.append, voice, device=card, open_mixer=opens)
    speaker.play("ready")
    speaker.close()
    for thread in threading.enumerate():
        if thread.name == "speaker":
            thread.join(REPLY_TIMEOUT_SECONDS)
    return errors


def _damage(file: Path) -> str | None:
    """Return a description of the record's damage; None if the record is intact or does not exist.

    This check does not write or repair the record. The box repairs a damaged record at its next
    start.
    """
    try:
        damage = run_as_path_owner(
            file,
            partial(_check_database, file),
            RECORD_CHECK_TIMEOUT_SECONDS,
            places.monotonic_time,
        )
    except PermissionError:
        raise
    except OSError as error:
        damage = i18n.os_error_reason(error)
    return (
        None
        if damage == SQLITE_INTACT_REPLY
        else command_sentence(
            "doctor.disk.harmed", file=file, why=escape_and_shorten_for_terminal(damage)
        )
    )


def _check_database(file: Path) -> str:
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return command_sentence("wrong.record.no_file", file=file)
        with contextlib.closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        ) as db:
            return str(db.execute("PRAGMA quick_check").fetchone()[0])
    except FileNotFoundError:
        return SQLITE_INTACT_REPLY
    except PermissionError:
        raise
    except (sqlite3.Error, OSError) as error:
        return str(error)


def print_diagnoses(*, as_json: bool) -> int:
    """Print every diagnosis; return the exit status: 0 if all parts work, else 1.

    `as_json`: print each diagnosis as a JSON line with `part`, `text` and `cure`, and ask no
    question.
    """
    if as_json:
        findings = [
            each._replace(part=command_sentence(f"doctor.part.{each.part}"))
            for each in run_doctor_checks(None)
        ]
        click.echo("\n".join(json.dumps(each._asdict()) for each in findings))
        return int(any(each.cure is not None for each in findings))
    ask = ask_yes_no if sys.stdin.isatty() else None
    well = True
    if (elsewhere := not_a_pi_notice(PI_MODEL_FILE)) is not None:
        click.echo(elsewhere)
    for each in run_doctor_checks(ask):
        click.echo(format_diagnosis(each))
        well = well and each.cure is None
    return 0 if well else 1


def find_and_save_button_pins(like: str | None) -> int:
    """Ask for a press of each button, write the pins into the board file, return the exit status.

    `like`: the name of the supplied board file that is the basis of the new board file; None to
    keep the basis of the present board file.
    """
    if read_unit_properties().get("ActiveState") == "active":
        raise click.ClickException(command_sentence("doctor.buttons.held"))
    if like not in (None, *board_file.known_board_names()):
        raise click.UsageError(
            unknown_name_message("board", str(like), board_file.known_board_names())
        )
    file = user_board.own_board_path(_config())
    board = _board() if like is None else board_file.load_known_board(like)
    listening = pin_search.FreePinListener(board)
    if not listening:
        raise click.ClickException(command_sentence("doctor.find.no_pins"))
    try:
        pins = pin_search.find_button_pins(
            listening.edges(), chain(pin_search.REQUIRED_BUTTONS, _seats()), _tell_button
        )
    finally:
        listening.close()
    content = file.read_text("utf-8") if like is None and file.exists() else ""
    base = board_file.known_board_path(like or _base_board_name(content)).read_text("utf-8")
    try:
        before = pin_search.save_board_file(
            file, pin_search.compose_board_file(base, content, pins)
        )
    except OSError as error:
        why = i18n.os_error_reason(error)
        raise click.ClickException(command_sentence("wrong.file", file=file, why=why)) from error
    click.echo(command_sentence("doctor.find.written", file=file))
    if before is not None:
        click.echo(command_sentence("doctor.find.before", file=before))
    return 0


def _base_board_name(content: str) -> str:
    """Return the value of `like` in a board file, or "four-buttons" if this value is missing."""
    return str(tomllib.loads(content).get("like", "four-buttons"))


def _seats() -> Iterator[str]:
    for number, seat in enumerate(SEATS, 1):
        if not ask_yes_no(command_sentence("doctor.find.seat", n=number)):
            return
        yield seat


def _tell_button(button: str, pin: int | None) -> None:
    seat = f"{SEATS.index(button) + 1}" if button in SEATS else ""
    name = command_sentence(f"doctor.find.{'seat_button' if seat else button}", n=seat)
    way = "doctor.find.press" if pin is None else "doctor.find.found"
    click.echo(command_sentence(way, button=name, n=pin))


def count_presses_and_bounces(seconds: float | None) -> int:
    """Count presses and bounces of the buttons, print the counts, and return the exit status.

    `seconds`: how long to count; None to count until the user presses Ctrl-C.
    """
    if read_unit_properties().get("ActiveState") == "active":
        raise click.ClickException(command_sentence("doctor.buttons.held"))
    board = _board()
    edges: list[Edge] = []
    buttons = PinButtons(board, debounce=None)
    buttons.listen(edges.append)
    click.echo(command_sentence("doctor.buttons.press"))
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait(seconds)
    buttons.close()
    click.echo(button_report(edges, board.buttons))
    return 0


@click.command("doctor")
@click.option(
    "--buttons", is_flag=True, help=("Count the presses and contact bounces of each button.")
)
@click.option(
    "--seconds", type=float, help=("With --buttons: stop the count after this number of seconds.")
)
@click.option(
    "--find",
    is_flag=True,
    help=("Find the pin of each button, and save the pins in the board file."),
)
@click.option(
    "--like",
    metavar="BOARD",
    help=("With --find: copy the settings of display and sound from the known board BOARD."),
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help=("Print each finding as one line of JSON, and ask no questions."),
)
def doctor_command(
    buttons: bool,
    seconds: float | None,
    find: bool,
    like: str | None,
    as_json: bool,
) -> int:
    """Check every part of the box, and explain how to fix a fault.

    The exit status is 1 if a part fails.
    """
    if find:
        return find_and_save_button_pins(like)
    return count_presses_and_bounces(seconds) if buttons else print_diagnoses(as_json=as_json)
