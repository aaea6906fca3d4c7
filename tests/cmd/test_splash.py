"""The first pixels: what the box leaves behind for the next power-on, and what shows it then."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import pytest

from companion.box.loop import Loop
from companion.box.system import Machine
from companion.cmd import places, splash
from companion.draw.screens import splash as picture
from companion.record.journal import Journal
from companion.say.words import LANGUAGES, Words
from hardware import boards
from hardware.bus import I2c
from hardware.mock import FakeBox
from hardware.oled import Oled, turned
from hardware.splash import leave
from tests.hardware.chip import Chip, Kernel
from tests.hardware.frames import NOISE, texts

if TYPE_CHECKING:
    from pathlib import Path

FRAME: Final = texts("COMPANION", "One moment, please.")
BOARD: Final = """like = "four-buttons"
[display]
chip = "{chip}"
bus = "i2c"
upside_down = {turned}
"""


def board(folder: Path, chip: str = "ssd1306", *, upside_down: bool = False) -> Path:
    """A user's own board."""
    file = folder / "board.toml"
    file.write_text(BOARD.format(chip=chip, turned=str(upside_down).lower()), "utf-8")
    return folder


def left(folder: Path, frame: bytes = FRAME) -> Path:
    """What a box leaves of a frame."""
    leave(boards.load(folder).display, frame, folder / "companion" / "splash")
    return folder / "companion" / "splash"


class Here:
    """`os`, with another kernel under it."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel if hasattr(self._kernel, name) else os, name)


def powered_on(file: Path, chip: Chip, place: int = 0x3C) -> Kernel:
    """The splash has run, on a bus with that chip."""
    kernel = Kernel({place: chip})
    with patch.multiple(splash, os=kernel, fcntl=kernel):
        splash.send(str(file))
    return kernel


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("kind", ["ssd1306", "ssd1309", "sh1106"])
def test_what_the_box_leaves_is_what_the_display_of_its_board_shows_at_power_on(
    tmp_path: Path, kind: str, *, upside_down: bool
) -> None:
    chip = Chip("sh1106" if kind == "sh1106" else "ssd1306")

    powered_on(left(board(tmp_path, kind, upside_down=upside_down)), chip)

    assert chip.frame == (turned(FRAME) if upside_down else FRAME)
    assert chip.on


def test_the_box_takes_the_display_over_without_a_dark_moment(tmp_path: Path) -> None:
    chip = Chip()
    kernel = powered_on(left(tmp_path), chip)
    set_by_the_splash = chip.settings | {0x81: (chip.contrast,)}
    glass = Oled("ssd1306", I2c())

    with kernel.patched():
        glass.open()
        assert (chip.on, chip.frame) == (True, FRAME)
        glass.draw(NOISE, None)
        glass.light(100)

    assert chip.went_dark == 0
    assert (chip.on, chip.frame) == (True, NOISE)
    assert chip.settings | {0x81: (chip.contrast,)} == set_by_the_splash


def test_nothing_is_lit_before_the_whole_picture_is_there(tmp_path: Path) -> None:
    chip, lit = Chip(), list[bytes]()
    kernel = Kernel({0x3C: chip})
    write = kernel.write

    def seen(file: int, payload: bytes) -> int:
        written = write(file, payload)
        if chip.on:
            lit.append(chip.frame)
        return written

    with (
        patch.object(kernel, "write", seen),
        patch.multiple(splash, os=kernel, fcntl=kernel),
    ):
        splash.send(str(left(tmp_path)))

    assert lit == [FRAME]


def test_a_display_at_the_other_address_is_found(tmp_path: Path) -> None:
    chip = Chip()
    powered_on(left(tmp_path), chip, place=0x3D)
    assert chip.frame == FRAME


class Early:
    """`os` and `time` of a machine that starts: each device is there after so many looks."""

    def __init__(self, **looks: int) -> None:
        self.looks = looks
        self.now = 0.0

    def access(self, path: str, mode: int) -> bool:
        assert mode == os.R_OK | os.W_OK
        name = path.rpartition("/")[2]
        self.looks[name] -= 1
        return self.looks[name] < 0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def waited(early: Early) -> float:
    """The seconds that it took until the devices were no longer waited for."""
    with patch.multiple(splash, os=early, time=early):
        splash.wait([f"/dev/{name}" for name in early.looks])
    return early.now


def test_devices_that_udev_has_not_found_yet_are_waited_for() -> None:
    assert waited(Early(bus=0, pins=0)) == 0
    assert waited(Early(bus=5, pins=7)) == pytest.approx(12 * splash.STEP)


def test_a_device_that_never_comes_is_waited_for_ten_seconds_and_no_longer() -> None:
    never = 1_000_000
    for early in (Early(bus=never, pins=0), Early(bus=never, pins=never), Early(bus=0, pins=never)):
        assert waited(early) == pytest.approx(10, abs=splash.STEP)


@pytest.mark.usefixtures("cache")
def test_only_a_box_that_starts_with_the_machine_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(splash.AWAITS, raising=False)
    early = Early()
    with patch.multiple(splash, os=early, time=early):
        splash.show()
    assert early.now == 0
    monkeypatch.setenv(splash.AWAITS, "/dev/bus /dev/pins")
    early = Early(bus=2, pins=0)
    with patch.multiple(splash, os=early, time=early):
        splash.show()
    assert early.now == pytest.approx(2 * splash.STEP)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's, where the box leaves its picture."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert places.splash_file() == tmp_path / "companion" / "splash"
    return tmp_path


@pytest.mark.parametrize("text", ["", "\n", "/dev/i2c-1 3c\n", "/dev/i2c-1 3c\nno digits\n"])
def test_what_can_not_be_shown_is_one_line_in_the_log_and_no_failure(
    cache: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    left(cache).write_text(text, "utf-8")
    splash.show()
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("text", [None, "/dev/i2c-none 3c\n00\n"])
def test_without_a_picture_or_a_bus_nothing_is_said(
    cache: Path, capsys: pytest.CaptureFixture[str], text: str | None
) -> None:
    if text is not None:
        left(cache).write_text(text, "utf-8")
    splash.show()
    assert capsys.readouterr().err == ""


def test_a_display_that_does_not_answer_is_one_line_in_the_log(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left(cache)
    kernel = Kernel({})
    with patch.multiple(splash, os=Here(kernel), fcntl=kernel):
        splash.show()
    assert capsys.readouterr().err == "companion: no first picture: [Errno 121] Remote I/O error\n"
    assert kernel.open_files == 0


@pytest.mark.parametrize("name", ["waveshare-oled-hat", "waveshare-oled-1in5"])
def test_of_a_display_that_the_splash_can_not_drive_nothing_is_left(
    tmp_path: Path, name: str
) -> None:
    file = left(tmp_path)
    assert file.exists()
    (tmp_path / "board.toml").write_text(f'like = "{name}"\n', "utf-8")

    left(tmp_path)

    assert not file.exists()


def test_what_stands_there_is_not_written_again(tmp_path: Path) -> None:
    before = left(tmp_path).stat()
    assert left(tmp_path).stat().st_ino == before.st_ino
    assert (
        left(tmp_path, NOISE).stat().st_ino != before.st_ino
    )  # a new file takes the old one's place


def test_a_card_that_can_not_be_written_to_costs_a_line_and_no_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "companion").write_text("no folder", "utf-8")
    left(tmp_path)
    assert capsys.readouterr().err.startswith("companion: no first picture for the next start: ")


def test_the_box_leaves_its_picture_when_it_has_started_and_when_its_language_changes() -> None:
    frames = list[bytes]()
    box = FakeBox().box._replace(leave=frames.append)
    loop = Loop(box, Journal(None), Machine(lambda: 0.0, lambda: 0))
    loop.start()
    loop._host.set({"volume": 50})
    loop._host.set({"language": "fr"})
    assert frames == [picture(Words(language), "box.waking") for language in ("en", "fr")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_not_taken_for_a_goodbye(language: str) -> None:
    words = Words(language)
    assert picture(words, "box.waking") != picture(words)


LOADED: Final = """
import sys
before = {*sys.modules}
import companion.cmd.cli
print(*sorted({*sys.modules} - before))
"""


def test_before_the_splash_nothing_is_imported_that_takes_time() -> None:
    command = [sys.executable, "-I", "-c", LOADED]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    ours = {"companion", "companion.cmd", "companion.cmd.cli", "companion.cmd.splash"}
    assert {*done.stdout.split()} <= ours | {"__future__", "gc", "fcntl", "time"}
