"""Tests of the first frame: the file that the box saves, and the code that shows it at power-on."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from binascii import crc32
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest

from companion.box import first_screen
from companion.cmd import first, opening, places
from companion.core.version import installed_version
from companion.record.journal import Journal
from companion.remote.doorway import DoorServerAndCallbacks
from hardware.boards import board_file, user_board
from hardware.display import saved_frame as left_module
from hardware.display.bus import I2cConnection, bus_device_path
from hardware.display.oled import OledPanel, turn_frame_upside_down
from hardware.display.saved_frame import save_frame_for_display
from hardware.mock import FakeBox
from hardware.pins import edge_recording
from hardware.ports import Edge
from hardware.wiring import DEFAULT_BOARD, LumaDisplayWiring
from tests.door.callers import Wire
from tests.hardware.chip import Chip, Kernel
from tests.hardware.frames import NOISE, texts
from tests.helpers import NOW_SECONDS, OWN_PARTS_OPTIONS, PLAYER_NAMES, Drive, begin_game, setup_for
from tests.structure import ROOT

FRAME: Final = texts("COMPANION", "One moment, please.")
BOARD: Final = """like = "four-buttons"
[display]
chip = "{chip}"
bus = "i2c"
upside_down = {turned}
"""


def board(folder: Path, chip: str = "ssd1306", *, upside_down: bool = False) -> Path:
    file = folder / "board.toml"
    file.write_text(BOARD.format(chip=chip, turned=str(upside_down).lower()), "utf-8")
    return folder


def left(folder: Path, frame: bytes = FRAME) -> Path:
    """Save a frame as the box does. Return the saved file."""
    save_frame_for_display(
        user_board.load_own_or_default_board(folder).display,
        frame,
        "asks",
        "",
        folder / "companion" / "first",
    )
    return folder / "companion" / "first"


def summed(text: str) -> str:
    """Return the content of a file with this text and the right checksum."""
    return f"{left_module.FILE_FORMAT} {crc32(text.encode()):x}\n{text}"


BUSES: Final = "/dev/i2c-1", "/dev/gpiochip"
DEVICE: Final = Path(os.devnull).stat()


class Here:
    """`os` with a fake kernel's devices."""

    def __init__(self, kernel: Kernel | Pins) -> None:
        self._kernel = kernel

    def open(self, path: str, flags: int) -> int:
        return (self._kernel if path.startswith(BUSES) else os).open(path, flags)

    def stat(self, path: str) -> os.stat_result:
        """Return the status of a device. Only `open` reports that a device is missing."""
        return DEVICE if path.startswith(BUSES) else Path(path).stat()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel if hasattr(self._kernel, name) else os, name)


@contextmanager
def on(kernel: Kernel | Pins) -> Iterator[None]:
    """Make the first screen use `kernel`."""
    with patch.multiple(first, os=Here(kernel), fcntl=kernel):
        yield


def powered_on(file: Path, chip: Chip, place: int = 0x3C) -> Kernel:
    """Show the saved frame on a bus with this chip."""
    kernel = Kernel({place: chip})
    with on(kernel):
        first.send_saved_display_messages(first.read_checksummed_lines(str(file))[1:])
    return kernel


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("kind", ["ssd1306", "ssd1309", "sh1106"])
def test_what_the_box_leaves_is_what_the_display_of_its_board_shows_at_power_on(
    tmp_path: Path, kind: str, *, upside_down: bool
) -> None:
    chip = Chip("sh1106" if kind == "sh1106" else "ssd1306")

    powered_on(left(board(tmp_path, kind, upside_down=upside_down)), chip)

    assert chip.frame == (turn_frame_upside_down(FRAME) if upside_down else FRAME)
    assert chip.on


def test_the_box_takes_the_display_over_without_a_dark_moment(tmp_path: Path) -> None:
    chip = Chip()
    kernel = powered_on(left(tmp_path), chip)
    set_before = chip.settings | {0x81: (chip.contrast,)}
    glass = OledPanel("ssd1306", I2cConnection())

    with kernel.patched():
        glass.open()
        assert (chip.on, chip.frame) == (True, FRAME)
        glass.draw(NOISE, None)
        glass.set_brightness(100)

    assert chip.went_dark == 0
    assert (chip.on, chip.frame) == (True, NOISE)
    assert chip.settings | {0x81: (chip.contrast,)} == set_before


def test_nothing_is_lit_before_the_whole_picture_is_there(tmp_path: Path) -> None:
    chip, lit = Chip(), list[bytes]()
    kernel = Kernel({0x3C: chip})
    write = kernel.write

    def seen(file: int, payload: bytes) -> int:
        written = write(file, payload)
        if chip.on:
            lit.append(chip.frame)
        return written

    with patch.object(kernel, "write", seen), on(kernel):
        first.send_saved_display_messages(first.read_checksummed_lines(str(left(tmp_path)))[1:])

    assert lit == [FRAME]


def test_a_display_at_the_other_address_is_found(tmp_path: Path) -> None:
    chip = Chip()
    powered_on(left(tmp_path), chip, place=0x3D)
    assert chip.frame == FRAME


class Early:
    """`os` and `time` of a machine that starts. `looks`: number of looks before each device."""

    def __init__(self, **looks: int) -> None:
        self.looks = looks
        self.now = 0.0

    def access(self, path: str, mode: int) -> bool:
        assert mode == os.R_OK | os.W_OK
        name = path.rpartition("/")[2]
        self.looks[name] = self.looks.get(name, 1_000_000) - 1
        return self.looks[name] < 0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


def waited(early: Early) -> float:
    """Return the time (s) that the wait for the devices took."""
    with patch.multiple(first, os=early, time=early):
        first.wait_for_devices([f"/dev/{name}" for name in early.looks], ["/dev/none"])
    return early.now


def test_devices_that_udev_has_not_found_yet_are_waited_for() -> None:
    assert waited(Early(bus=0, pins=0)) == 0
    assert waited(Early(bus=5, pins=7)) == pytest.approx(12 * first.POLL_SECONDS)


def test_a_device_that_never_comes_is_waited_for_ten_seconds_and_no_longer() -> None:
    never = 1_000_000
    for bus, pins in ((never, 0), (never, never), (0, never)):
        machine = Early(bus=bus, pins=pins)
        assert waited(machine) == pytest.approx(10, abs=first.POLL_SECONDS)


@pytest.mark.usefixtures("cache")
def test_only_a_box_that_starts_with_the_machine_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(first.AWAITED_DEVICES_VARIABLE, raising=False)
    early = Early()
    with patch.multiple(first, os=early, time=early):
        first.show_saved_screen()
    assert early.now == 0
    monkeypatch.setenv(first.AWAITED_DEVICES_VARIABLE, "/dev/bus /dev/pins")
    early = Early(bus=2, pins=0)
    with patch.multiple(first, os=early, time=early):
        first.show_saved_screen()
    assert early.now == pytest.approx(2 * first.POLL_SECONDS)


SHIPPED: Final = ROOT / "systemd" / "companion.service"


class Machine(Early):
    """A starting machine with these devices in a folder instead of /dev."""

    def __init__(self, dev: Path, *names: str) -> None:
        super().__init__()
        self._dev = dev
        dev.mkdir()
        for name in names:
            (dev / name).touch()

    def access(self, path: str, mode: int) -> bool:
        return os.access(path.replace("/dev", str(self._dev)), mode)

    def listdir(self, folder: str) -> list[str]:
        return [file.name for file in Path(folder.replace("/dev", str(self._dev))).iterdir()]

    def start(self, monkeypatch: pytest.MonkeyPatch) -> float:
        """Start the box under its unit's environment. Return the seconds that it waited."""
        line = next(
            text
            for text in SHIPPED.read_text("utf-8").split('"')
            if first.AWAITED_DEVICES_VARIABLE in text
        )
        monkeypatch.setenv(*line.split("=", 1))
        with patch.multiple(first, os=self, time=self):
            first.show_saved_screen()
        return self.now


@pytest.mark.parametrize("bus", ["i2c-1", "spidev0.0", "spidev10.0", "i2c-22"])
@pytest.mark.parametrize("chip", ["gpiochip0", "gpiochip4", "gpiochip11"])
def test_a_first_start_with_any_bus_and_any_chip_waits_for_nothing(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, bus: str, chip: str
) -> None:
    assert not (cache / "companion").exists()
    assert Machine(tmp_path / "dev", bus, chip).start(monkeypatch) == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("present", [("i2c-1",), ("spidev0.0",), ("gpiochip11",), ()])
def test_a_first_start_without_a_bus_or_a_chip_waits_for_it(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, present: tuple[str, ...]
) -> None:
    assert cache
    waited = Machine(tmp_path / "dev", *present).start(monkeypatch)
    assert waited == pytest.approx(first.DEVICE_TIMEOUT_SECONDS, abs=first.POLL_SECONDS)


def used(cache: Path, name: str, chip: str) -> None:
    """Save a frame as a run with a known board and this GPIO chip does."""
    presses = f"/dev/{chip} pinctrl-rp1 {REQUEST}" if chip else ""
    save_frame_for_display(
        board_file.load_known_board(name).display,
        FRAME,
        "asks",
        presses,
        cache / "companion" / "first",
    )


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", board_file.known_board_names())
@pytest.mark.parametrize("chip", ["gpiochip0", "gpiochip11", ""])
def test_a_start_with_the_devices_of_the_last_run_waits_for_nothing(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, name: str, chip: str
) -> None:
    used(cache, name, chip)
    bus = bus_device_path(board_file.load_known_board(name).display)
    assert bus is not None
    machine = Machine(tmp_path / "dev", bus.name, chip or "gpiochip11")
    assert machine.start(monkeypatch) == 0


def test_a_start_waits_for_the_bus_of_the_last_run_though_others_are_there(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used(cache, "waveshare-oled-hat", "gpiochip11")
    machine = Machine(tmp_path / "dev", "i2c-20", "gpiochip10")
    assert machine.start(monkeypatch) == pytest.approx(
        first.REMEMBERED_DEVICES_TIMEOUT_SECONDS, abs=first.POLL_SECONDS
    )


def test_a_start_ends_its_wait_when_the_bus_of_the_last_run_comes(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used(cache, "waveshare-oled-hat", "gpiochip11")
    machine = Machine(tmp_path / "dev", "i2c-20", "gpiochip11")
    looks = iter(range(5))

    def access(path: str, mode: int) -> bool:
        return ("spidev" in path and next(looks) == 4) or Machine.access(machine, path, mode)

    monkeypatch.setattr(machine, "access", access)
    assert machine.start(monkeypatch) == pytest.approx(4 * first.POLL_SECONDS)


def test_a_board_without_a_bus_of_the_pi_waits_for_no_bus(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = LumaDisplayWiring("pygame")
    save_frame_for_display(
        screen, FRAME, "asks", "/dev/gpiochip11 rp1 00", cache / "companion" / "first"
    )
    assert Machine(tmp_path / "dev", "gpiochip11").start(monkeypatch) == 0


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set the user's cache folder, where the box saves its frame."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert places.saved_first_screen_file() == tmp_path / "companion" / "first"
    return tmp_path


@pytest.mark.long
def test_what_can_not_be_shown_is_one_line_in_the_log_and_no_failure(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = left(cache).read_text("utf-8")
    bad = (
        "",
        "\n",
        whole[:-2],
        whole.replace("c", "d"),
        summed("\n/dev/i2c-1 3c\n\n\n"),
        summed("\n/dev/i2c-1 3c\n\n\nno digits\n"),
        summed("").replace("screen 1", "screen 2"),
        summed("\0\n"),
        summed("\none line\n"),
        summed("\n\n\n\n00\n"),
        summed("\n/dev/null zz\n\n\n00\n"),
        summed(f"\n/dev/null {'f' * 40}\n\n\n00\n"),
        summed("0" * 100_000_000),
    )
    for text in bad:
        left(cache).write_text(text, "utf-8")
        assert first.show_saved_screen() is None
        assert capsys.readouterr().err.count("\n") == 1, text[:40]
    left(cache).write_bytes(b"\xff\xfe")
    assert first.show_saved_screen() is None
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("kind", ["a FIFO", "a device", "a folder"])
def test_a_first_screen_that_is_no_regular_file_ends_no_start(
    cache: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    file = left(cache)
    file.unlink()
    if kind == "a FIFO":
        os.mkfifo(file)
    elif kind == "a device":
        file.symlink_to("/dev/zero")
    else:
        file.mkdir()
    assert first.show_saved_screen() is None
    assert capsys.readouterr().err == f"companion: no first picture: {file} is no regular file\n"


def test_a_bus_that_is_no_character_device_is_left_alone(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fifo, letter, file = cache / "fifo", cache / "letter", left(cache)
    os.mkfifo(fifo)
    letter.write_text("Dear Ann", "utf-8")
    for path in (fifo, letter, cache):
        file.write_text(summed(f"\n{path} \n\n\n00\n"), "utf-8")
        assert first.show_saved_screen() is None
        assert capsys.readouterr().err == f"companion: no first picture: {path} is no device\n"
    assert letter.read_text("utf-8") == "Dear Ann"


def test_presses_of_any_shape_are_one_line_in_the_log(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fifo = cache / "fifo"
    os.mkfifo(fifo)
    for presses in ("one", "a b c d", f"{fifo} label 00", "/dev/null label xx", "/dev/null l \t00"):
        left(cache).write_text(summed(f"\n/dev/null\nasks\n{presses}\n00\n"), "utf-8")
        shown = first.show_saved_screen()
        assert shown is not None
        assert (shown[0], shown[2]) == ("asks", None), presses
        assert capsys.readouterr().err.startswith("companion: no first presses: "), presses


def test_both_sides_of_the_first_screen_name_one_format() -> None:
    assert first.FILE_FORMAT == left_module.FILE_FORMAT


@pytest.mark.parametrize("text", [None, "\n/dev/i2c-none 3c\n\n\n00\n"])
def test_without_a_picture_or_a_bus_nothing_is_said(
    cache: Path, capsys: pytest.CaptureFixture[str], text: str | None
) -> None:
    if text is not None:
        left(cache).write_text(summed(text), "utf-8")
    first.show_saved_screen()
    assert capsys.readouterr().err == ""


def test_a_display_that_does_not_answer_is_one_line_in_the_log(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left(cache)
    kernel = Kernel({})
    with on(kernel):
        first.show_saved_screen()
    assert capsys.readouterr().err == "companion: no first picture: [Errno 121] Remote I/O error\n"
    assert kernel.open_files == 0


@pytest.mark.parametrize("name", ["waveshare-oled-hat", "waveshare-oled-1in5"])
def test_of_a_display_that_the_box_must_drive_only_the_devices_are_left(
    cache: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    left(cache)
    used(cache, name, "gpiochip11")
    lines = first.read_checksummed_lines(str(cache / "companion" / "first"))
    assert lines == ["/dev/spidev0.0 /dev/gpiochip11"]
    assert first.show_saved_screen() is None
    assert capsys.readouterr().err == ""


def test_what_stands_there_is_not_written_again(tmp_path: Path) -> None:
    before = left(tmp_path).stat()
    assert left(tmp_path).stat().st_ino == before.st_ino
    assert left(tmp_path, NOISE).stat().st_ino != before.st_ino  # a new file replaces the old one


def test_a_fifo_in_the_place_of_the_first_screen_is_replaced(tmp_path: Path) -> None:
    text, file = left(tmp_path).read_bytes(), left(tmp_path)
    file.unlink()
    for name in (file, file.with_name("first.new")):
        os.mkfifo(name)
    assert left(tmp_path).read_bytes() == text


def test_a_card_that_can_not_be_written_to_costs_a_line_and_no_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "companion").write_text("no folder", "utf-8")
    left(tmp_path)
    assert capsys.readouterr().err.startswith("companion: no first picture for the next start: ")


# --- The saved screen, and early presses ----------------------------------------------------------


class Earlier(FakeBox):
    """A box that stores the saved screens, and whose buttons first report earlier edges."""

    def __init__(self, asks: str = "", *early: Edge) -> None:
        super().__init__()
        self.kept: list[tuple[bytes, str]] = []
        self._listen = self.buttons.listen
        self._early = early
        shown = (asks, SHOWN, None) if asks else None
        self.box = self.box._replace(
            buttons=self,
            shown_screen=shown,
            save_screen=lambda frame, asks: self.kept.append((frame, asks)),
        )

    def listen(self, put: Callable[[Edge], None]) -> None:
        """Report the early edges first."""
        for edge in self._early:
            put(edge)
        self._listen(put)

    def close(self) -> None:
        self.buttons.close()


SHOWN: Final = -3.0
"""Time (s) of the first screen. The box is ready at 0."""


def pressed(*buttons: str, at: float = -1.0) -> list[Edge]:
    """Return edges of presses, one after another from `at`, before the box is ready."""
    times = [at + 0.1 * n for n in range(len(buttons))]
    return [
        Edge(button, down, time + (0 if down else 0.05))
        for button, time in zip(buttons, times, strict=True)
        for down in (True, False)
    ]


def test_the_screen_that_is_left_is_the_one_that_the_next_start_shows() -> None:
    fake = Earlier()
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS)), fake=fake)
    assert len(fake.kept) == 1
    next_time = Earlier()
    assert Drive(drive.journal, fake=next_time).frames[0] == fake.kept[0][0]
    assert next_time.kept == fake.kept


def test_the_screen_is_left_anew_for_another_language_or_game_and_not_by_presses() -> None:
    fake = Earlier()
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS)), fake=fake)
    drive.press("down", "up")
    assert len(fake.kept) == 1
    drive.services.turn.save_settings({"language": "fr"})
    drive.press("down", "up")
    assert len(fake.kept) == 2
    drive.resume()
    drive.press("down", "up")
    assert len(fake.kept) == 3
    (english, asked), (french, asked_in_french), same = fake.kept
    assert french != english
    assert asked_in_french != asked
    assert same == (french, asked_in_french)


def left_of(journal: Journal, language: str = "en") -> str:
    """Return the question id that the box saves for the first screen of a record."""
    fake = Earlier()
    Drive(journal, language, fake=fake)
    return fake.kept[-1][1]


def test_presses_before_the_box_is_there_are_taken_in_order_and_none_is_lost() -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    # resume, rematch, new game, list of games ...
    early = pressed("down", "down", "up", "down", "down", "up")
    drive = Drive(journal, fake=Earlier(left_of(journal), *early))
    plain = Drive(journal)
    plain.press("down", "down")
    assert drive.table.cursor.at == plain.table.cursor.at == 2

    drive = Drive(journal, fake=Earlier(left_of(journal), *pressed("ok")))
    assert drive.session.number == 1
    assert drive.table.menu_or_game_prompt is not None


def test_a_press_as_the_screen_came_up_answers_nothing() -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    drive = Drive(journal, fake=Earlier(left_of(journal), *pressed("ok", at=SHOWN + 0.1)))
    assert drive.page == "home"


def test_a_button_that_is_still_down_counts_when_it_is_let_go() -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    down, up = pressed("ok")
    drive = Drive(journal, fake=Earlier(left_of(journal), down))
    assert drive.page == "home"
    drive.loop.inbox.put(up._replace(time=drive.buttons.now))
    drive.pump()
    assert drive.session.number == 1


def test_a_press_for_a_screen_that_was_left_of_another_record_or_language_is_not_taken() -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    another = left_of(begin_game(setup_for(OWN_PARTS_OPTIONS, players=PLAYER_NAMES[1:3])))
    none = left_of(Journal(None))
    french = left_of(journal, "fr")
    for asks in (another, none, french, "damaged"):
        fake = Earlier(asks, *pressed("ok", "down", "ok"))
        drive = Drive(journal, fake=fake)
        assert (drive.page, drive.frame) == ("home", Drive(journal).frame), asks
        assert drive.table.cursor.at == 0
        drive.wait(1)
        drive.press("ok")
        assert drive.session.number == 1, "a press after the right screen counts"


def test_a_press_from_before_does_not_go_past_what_the_box_has_to_tell() -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    asks = left_of(journal)
    journal.save_setting("volume", "loud", 0)  # an invalid setting, which the box reports
    drive = Drive(journal, fake=Earlier(asks, *pressed("ok", "ok")))
    assert drive.front.name == "reset"


# --- The box's own first screen -------------------------------------------------------------------


def at_start(journal: Journal, language: str = "en") -> tuple[bytes, str] | None:
    """Return the first frame of a box with four seat buttons, and the id of its question."""
    return first_screen.first_frame_and_question_id(
        journal, language=language, now=NOW_SECONDS, hour=12, rows=True
    )


def open_door(_: object) -> DoorServerAndCallbacks:
    """Return a door without connections."""
    wire: Any = Wire()
    return DoorServerAndCallbacks(wire, "1", bytes.hex)


def test_the_boxs_own_first_screen_is_the_one_that_it_leaves_for_the_next_start() -> None:
    for language, settings in (
        ("en", {}),
        ("fr", {}),
        ("en", {"large": True}),
        ("fr", {"silent": True}),
        (
            "en",
            {"language": "fr", "heard": "nothing", "service_data": {"club": {}}},
        ),
    ):
        for journal in (Journal(None), begin_game(setup_for(OWN_PARTS_OPTIONS))):
            journal.save_settings(settings, 0)
            fake = Earlier()
            own = at_start(journal, language)
            Drive(journal, language, fake=fake, door=open_door)
            assert own == fake.kept[-1], (language, settings)


def started(monkeypatch: pytest.MonkeyPatch, journal: Journal, fake: Earlier) -> Drive:
    """Return a box that shows its own first screen one second before it is ready."""
    monkeypatch.setattr(time, "monotonic", lambda: OWN_SCREEN)
    monkeypatch.setattr(places, "wall_time", lambda: NOW_SECONDS)
    monkeypatch.setattr(places, "current_local_hour", lambda: 12)
    fake.box = opening.show_first_screen(fake.box, journal)
    return Drive(journal, fake=fake, door=open_door)


OWN_SCREEN: Final = -1.0
"""Time (s) of the box's own first screen. The box is ready at 0."""


def test_a_box_for_which_nothing_was_left_shows_its_own_screen_before_the_rest_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    drive = started(monkeypatch, journal, Earlier())
    own = at_start(journal)
    assert own is not None
    assert drive.frames[0] == own[0]
    assert drive.page == "home"


def test_a_left_screen_that_is_as_good_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    own = at_start(journal)
    assert own is not None
    fake = Earlier(own[1])
    monkeypatch.setattr(time, "monotonic", lambda: OWN_SCREEN)
    assert opening.show_first_screen(fake.box, journal) == fake.box
    assert not fake.display.frames


def test_a_press_counts_from_when_the_true_screen_stands_there_and_not_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    wrong = left_of(Journal(None))
    for at, page in ((OWN_SCREEN - 0.5, "home"), (OWN_SCREEN + 0.1, "home"), (-0.4, None)):
        fake = Earlier(wrong, *pressed("ok", at=at))
        drive = started(monkeypatch, journal, fake)
        own = at_start(journal)
        assert own is not None
        assert drive.frames[0] == own[0], "the right screen follows at once"
        assert drive.table.menus.current_page is None or drive.page == page, at
        assert (drive.table.menus.current_page is None) == (page is None), at


def test_what_is_told_before_any_screen_waits_for_the_whole_box(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS))
    journal.save_setting("volume", "loud", 0)  # an invalid setting, which the box reports
    assert at_start(journal) is None
    drive = started(monkeypatch, journal, Earlier("wrong", *pressed("ok", "ok")))
    assert drive.front.name == "reset"
    assert len(drive.frames) == 1


NEEDED: Final = """
import sys
from companion.page import without_ssl
without_ssl.block_openssl_imports()
import companion.cmd.opening
print(*sys.modules)
"""
NEEDLESS: Final = (
    "companion.box.services", "companion.menus.index", "companion.catalog.editions",
    "companion.door", "hardware.sound.speaker", "dataclasses", "socket", "subprocess", "tempfile",
    "traceback", "uuid",
)  # fmt: skip


def test_the_boxs_own_first_screen_waits_for_nothing_that_it_does_not_show() -> None:
    command = [sys.executable, "-c", NEEDED]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert {*done.stdout.split()}.isdisjoint(NEEDLESS)


LOADED: Final = """
import sys
before = {*sys.modules}
import companion.cmd.cli
print(*sorted({*sys.modules} - before))
"""


def test_before_the_first_frame_nothing_is_imported_that_takes_time() -> None:
    command = [sys.executable, "-I", "-c", LOADED]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    ours = {"companion", "companion.cmd", "companion.cmd.cli", "companion.cmd.first"}
    assert {*done.stdout.split()} <= ours | {"__future__", "binascii", "gc", "fcntl", "time"}


CARRIED: Final = """
import atexit, sys
from companion.cmd.cli import main
atexit.register(lambda: print(*(name for name, module in sys.modules.items() if module)))
sys.argv = ["companion"]
main()
"""


@pytest.mark.long
def test_the_box_carries_neither_openssl_nor_what_only_finds_packages() -> None:
    """OpenSSL and importlib.metadata would need a quarter of the box's memory."""
    command = [sys.executable, "-c", CARRIED]
    done = subprocess.run(
        command, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert "GPIO" in done.stderr, "no box is wired here"
    loaded = {*done.stdout.split()}
    assert "companion.box.loop" in loaded
    assert not loaded & {"_hashlib", "_ssl", "importlib.metadata", "email", "asyncio"}


def test_the_version_is_the_one_that_is_installed() -> None:
    assert installed_version() == metadata.version("tabletop-companion")


# --- Edges that the kernel stores -----------------------------------------------------------------


class Pins:
    """`os` and `fcntl` with a GPIO chip whose kernel stores edges in the file descriptor `kept`."""

    def __init__(self, kept: int, label: str = "pinctrl-bcm2835") -> None:
        self._kept, self._label = kept, label.encode()
        self.closed = 0
        self.asked = b""

    def open(self, path: str, flags: int) -> int:
        if path != "/dev/gpiochip0":
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        return os.open(os.devnull, flags)

    def close(self, file: int) -> None:
        os.close(file)
        self.closed += 1

    def ioctl(self, _: int, code: int, argument: bytes | bytearray) -> bytes:
        if code == first.CHIP_INFO_IOCTL:
            return bytes(32) + self._label.ljust(32, b"\0") + bytes(4)
        assert code == first.REQUEST_LINES_IOCTL
        assert isinstance(argument, bytearray), "the kernel writes the file descriptor into it"
        assert len(argument) == code >> 16 & 0x3FFF, "the ioctl code contains the length"
        self.asked = bytes(argument)
        argument[-4:] = self._kept.to_bytes(4, sys.byteorder)
        return b""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)


REQUEST: Final = edge_recording.make_edge_recording_request(DEFAULT_BOARD, 0.008).hex()


def test_the_kernel_is_asked_for_the_lines_of_the_chip_that_was_there() -> None:
    pins = Pins(kept=77)
    with on(pins):
        assert first.record_presses_in_kernel(f"/dev/gpiochip0 pinctrl-bcm2835 {REQUEST}") == 77
        assert pins.asked.hex() == REQUEST
        assert first.record_presses_in_kernel(f"/dev/gpiochip0 another {REQUEST}") is None
    assert pins.closed == 2


def test_without_the_chip_the_screen_is_shown_all_the_same(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chip, file = Chip(), cache / "companion" / "first"
    keep = f"/dev/gpiochip9 pinctrl-bcm2835 {REQUEST}"
    save_frame_for_display(
        user_board.load_own_or_default_board(cache).display, FRAME, "asks", keep, file
    )
    kernel = Kernel({0x3C: chip})
    with on(kernel):
        shown = first.show_saved_screen()
    assert shown is not None
    assert (shown[0], shown[2]) == ("asks", None)
    assert chip.frame == FRAME
    assert capsys.readouterr().err.startswith("companion: no first presses: ")


def test_what_the_kernel_has_kept_is_told_in_order_with_its_times() -> None:
    reading, writing = os.pipe()
    events = [(16, True, 1.5), (16, False, 1.625), (5, True, 2.0)]
    for pin, down, at in events:
        os.write(writing, edge_recording._EVENT.pack(int(at * 1e9), 1 if down else 2, pin))
    assert [*edge_recording.read_recorded_edges(reading)] == events
    os.close(writing)
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(reading)
