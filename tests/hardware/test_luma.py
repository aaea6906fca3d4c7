"""Tests of panels that luma drives: equal pixels on every chip, and our own driver's guarantees.

`Glass` models the pixels of a panel after luma's messages. The chips and buses of `chip.py` are
strict. Shapes are tested on luma's emulated devices. `test_panel.py` tests the behaviour that all
displays share.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from luma.core.interface.serial import noop
from PIL import Image

from hardware.boards import board_file, user_board
from hardware.display import bus, luma
from hardware.display.frame_conversions import HEIGHT, frame_as_pixel_rows
from hardware.display.luma import (
    EmulatedPanel,
    LumaPanel,
    fit_frame_picture_to_panel,
    frame_as_pillow_picture,
    make_luma_device_and_contrast,
)
from hardware.display.panel import ThreadedDisplay
from hardware.pins import pi
from hardware.ports import BLANK_FRAME, DISPLAY_WIDTH, HardwareError
from hardware.wiring import BoardFileError, LumaDisplayWiring, OledWiring
from tests.english import mistake_with_place, raises_english
from tests.hardware.chip import Chip, Kernel
from tests.hardware.frames import frame_from_rows

NOISE: Final = Random(12).randbytes(1024)
OTHER: Final = bytes(200) + NOISE[200:210] + bytes(814)
FULL: Final = b"\xff" * 1024

Rows = list[list[bool]]


def no_pins(pin: int) -> Any:
    raise AssertionError(f"GPIO {pin} was taken")


def refuse(error: HardwareError) -> None:
    raise AssertionError(error)


# --- The same pixels ------------------------------------------------------------------------------


class Wire:
    """A fake wire that records luma's messages."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes, bytes]] = []
        self.opened = 0

    def open(self) -> None:
        self.opened += 1

    def send(self, commands: bytes, data: bytes = b"") -> None:
        self.sent.append((commands, data))

    def close(self) -> None:
        self.opened = 0


class Shape(NamedTuple):
    """A chip's memory, which is written through a window of columns and rows.

    A column has `across` pixels of `bits` each. The panel begins at the column `left`. If `low` is
    true, the low half of a byte is the first of its two pixels.
    """

    width: int
    height: int
    bits: int = 4
    across: int = 2
    left: int = 0
    low: bool = True


SHAPES: Final = {
    "ssd1322": Shape(256, 64, across=4, left=28, low=False),
    "ssd1322_nhd": Shape(128, 64, bits=8, left=28),
    "ssd1325": Shape(128, 64),
    "ssd1327": Shape(128, 128),
    "ssd1331": Shape(96, 64, bits=16, across=1),
    "ssd1351": Shape(128, 128, bits=16, across=1),
    "ssd1362": Shape(256, 64),
}
"""Panels by chip: the graphic memory in the datasheet, with the remapping that luma sets."""


class Glass(Wire):
    """A panel with grey levels or colours. `levels` are its rows."""

    COLUMNS, ROWS, WRITE = 0x15, 0x75, 0x5C

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.levels = [[1] * shape.width for _ in range(shape.height)]
        self._columns = self._lines = range(0)
        self._code, self._bare = 0, False
        self._next: Iterator[tuple[int, int]] = iter(())

    def send(self, commands: bytes, data: bytes = b"") -> None:
        super().send(commands, data)
        if commands:
            self._bare = len(commands) == 1
            for start in range(0, len(commands), 3):
                self._obey(*commands[start : start + 3])
        if data and self._bare and self._code != self.WRITE:
            self._obey(self._code, *data)  # luma sends these arguments as data
        elif data and self._code in (self.ROWS, self.WRITE):
            for pixel, (x, y) in zip(self._pixels(data), self._next, strict=False):
                self.levels[y][x] = pixel

    def _obey(self, code: int, *rest: int) -> None:
        self._code, left, across = code, self.shape.left, self.shape.across
        if code == self.COLUMNS and rest:
            self._columns = range((rest[0] - left) * across, (rest[1] + 1 - left) * across)
        if code == self.ROWS and rest:
            self._lines = range(rest[0], rest[1] + 1)
            self._next = ((x, y) for y in self._lines for x in self._columns)

    def _pixels(self, data: bytes) -> list[int]:
        if self.shape.bits == 16:
            return [data[i] << 8 | data[i + 1] for i in range(0, len(data), 2)]
        if self.shape.bits == 8:
            return list(data)
        shifts = (0, 4) if self.shape.low else (4, 0)
        return [byte >> shift & 15 for byte in data for shift in shifts]


class OnChip(Wire):
    """A chip of one colour that is written page by page."""

    def __init__(self, chip: Chip) -> None:
        super().__init__()
        self.chip = chip

    def send(self, commands: bytes, data: bytes = b"") -> None:
        super().send(commands, data)
        for byte in commands:
            self.chip.command(byte)
        for byte in data:
            self.chip.data(byte)


class Upright(Wire):
    """An SH1107 of 64 columns and 16 pages."""

    def __init__(self) -> None:
        super().__init__()
        self.pages = [b""] * 16

    def send(self, commands: bytes, data: bytes = b"") -> None:
        super().send(commands, data)
        if data:
            self.pages[self.sent[-2][0][2] & 15] = data

    @property
    def lying(self) -> Rows:
        """Return the pixels of the panel when it is turned to the left by a quarter."""
        return [
            [bool(self.pages[x // 8][63 - y] >> x % 8 & 1) for x in range(DISPLAY_WIDTH)]
            for y in range(HEIGHT)
        ]


def in_the_middle(frame: bytes, width: int, height: int) -> Rows:
    """Return the pixels of a larger panel: the frame in the middle, at its largest scale."""
    times = min(width // DISPLAY_WIDTH, height // HEIGHT)
    left, top = (width - DISPLAY_WIDTH * times) // 2, (height - HEIGHT * times) // 2
    glass = [[False] * width for _ in range(height)]
    for y, row in enumerate(frame_as_pixel_rows(frame)):
        for x, lit in enumerate(row):
            for dy in range(times):
                begin = left + x * times
                glass[top + y * times + dy][begin : begin + times] = [lit] * times
    return glass


def shown(chip: str, wire: Wire, *frames: bytes, **options: int) -> LumaPanel:
    """Return a panel that has drawn the frames in order."""
    made_panel = LumaPanel(LumaDisplayWiring(chip, "spi", options), wire)
    made_panel.open()
    before = None
    for frame in frames:
        made_panel.draw(frame, before)
        before = frame
    made_panel.set_brightness(100)
    return made_panel


@pytest.mark.sampled(1)
@pytest.mark.parametrize("chip", [name for name in SHAPES if name != "ssd1331"])
def test_a_panel_with_greys_shows_every_pixel_of_the_frame(chip: str) -> None:
    shape = SHAPES[chip]
    for frames in ((NOISE,), (NOISE, OTHER), (BLANK_FRAME, OTHER, NOISE)):
        glass = Glass(shape)
        shown(chip, glass, *frames)

        lit = (1 << shape.bits) - 1
        assert {level for row in glass.levels for level in row} <= {0, lit}
        expected = in_the_middle(frames[-1], shape.width, shape.height)
        assert [[level == lit for level in row] for row in glass.levels] == expected


@pytest.mark.parametrize(
    ("chip", "kind"),
    [
        ("ssd1306", "ssd1306"),
        ("ssd1309", "ssd1306"),
        ("ssd1315", "ssd1306"),
        ("sh1106", "sh1106"),
        ("ch1115", "sh1106"),
    ],
)
def test_a_panel_of_one_colour_shows_every_pixel_of_the_frame(chip: str, kind: str) -> None:
    wire = OnChip(Chip(kind))

    shown(chip, wire, NOISE, OTHER)

    assert wire.chip.on
    assert wire.chip.frame == OTHER


def test_an_upright_panel_is_turned_by_itself() -> None:
    wire = Upright()
    shown("sh1107", wire, NOISE)
    assert wire.lying == frame_as_pixel_rows(NOISE)

    shown("sh1107", wire, NOISE, rotate=3)
    assert wire.lying == [row[::-1] for row in frame_as_pixel_rows(NOISE)[::-1]]


def test_a_square_panel_of_sixteen_pages_shows_the_frame_in_its_middle() -> None:
    wire = Upright()
    shown("sh1107", wire, NOISE, width=128, height=128)
    pages = wire.pages
    assert [pages[n] for n in (*range(4), *range(12, 16))] == [bytes(128)] * 8
    assert b"".join(pages[4:12]) == NOISE


@pytest.mark.long
def test_an_offset_is_honoured_by_a_chip_or_refused() -> None:
    """A chip honours an offset if the bytes that it receives depend on the offset."""
    honoured = set()
    for chip, part in luma.installed_panel_kinds_by_name().items():
        if part == "emulator":
            continue
        sent = [offset_bytes(chip, option) for option in (None, "h_offset", "v_offset")]
        if sent[1:] == ["refused"] * 2:
            continue
        assert "refused" not in sent, chip
        assert len({*sent}) == 3, chip
        honoured.add(chip)
    assert honoured == {"ili9341", "ili9486", "ili9488", "ssd1351", "st7735", "st7789"}


def offset_bytes(chip: str, option: str | None) -> str:
    """Return all messages for a frame with an offset, or the reason of the refusal."""
    wire = Wire()
    options = {option: 1} if option else {}
    try:
        screen = LumaDisplayWiring(chip, "spi", options)
        panel: LumaPanel = (
            luma.LcdPanel(screen, wire, pause=lambda _: None)
            if chip in luma.LCDS_DRAWN_WITHOUT_LUMA
            else LumaPanel(screen, wire)
        )
    except HardwareError as error:
        return "refused" if error.reason == "no_option" else error.reason
    panel.open()
    panel.draw(NOISE, None)
    return str(wire.sent)


def test_a_panel_upside_down_is_turned_by_luma() -> None:
    glass = Glass(SHAPES["ssd1325"])

    shown("ssd1325", glass, NOISE, rotate=2)

    assert [[level > 0 for level in row] for row in glass.levels] == [
        row[::-1] for row in frame_as_pixel_rows(NOISE)[::-1]
    ]


def test_a_narrow_panel_shows_as_much_light_as_the_frame_has() -> None:
    glass = Glass(SHAPES["ssd1331"])
    stripes = frame_from_rows(
        [[y < 32 and x % 4 != 3 for x in range(DISPLAY_WIDTH)] for y in range(HEIGHT)]
    )

    shown("ssd1331", glass, stripes)

    greens = [level >> 5 & 63 for level in glass.levels[10]]
    assert set(glass.levels[50]) == {0}
    assert sum(greens) / 96 / 63 == pytest.approx(3 / 4, abs=0.05)
    assert {63} < set(greens)  # some columns are wholly lit, others partly


@pytest.mark.parametrize(
    ("size", "corners"),
    [
        ((128, 64), (0, 0, 128, 64)),
        ((256, 64), (64, 0, 192, 64)),
        ((128, 128), (0, 32, 128, 96)),
        ((256, 128), (0, 0, 256, 128)),
        ((320, 240), (32, 56, 288, 184)),
        ((96, 64), (0, 0, 96, 64)),
        ((96, 96), (0, 16, 96, 80)),
    ],
)
def test_a_frame_lies_in_the_middle_as_large_as_it_can(
    size: tuple[int, int], corners: tuple[int, int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(luma, "installed_panel_kinds_by_name", lambda: {"dummy": "core"})
    width, height = size
    device, contrast = make_luma_device_and_contrast(
        LumaDisplayWiring("dummy", "spi", {"width": width, "height": height}), noop()
    )

    device.display(
        fit_frame_picture_to_panel(frame_as_pillow_picture(FULL), device.size, device.mode)
    )

    assert device.image.getbbox() == corners
    assert contrast is None


@pytest.mark.parametrize(
    ("size", "mode", "legible"),
    [
        ((128, 64), "1", True),
        ((127, 64), "1", False),
        ((128, 32), "1", False),
        ((96, 48), "RGB", True),
        ((96, 32), "RGB", False),
        ((64, 128), "RGB", False),
    ],
)
def test_a_frame_is_squeezed_only_where_greys_keep_it_legible(
    size: tuple[int, int], mode: str, *, legible: bool
) -> None:
    assert luma.can_panel_show_legible_frames(size, mode) == legible


def test_a_picture_has_the_pixels_of_the_frame() -> None:
    drawn = frame_as_pillow_picture(NOISE)

    assert [
        [bool(drawn.getpixel((x, y))) for x in range(DISPLAY_WIDTH)] for y in range(HEIGHT)
    ] == frame_as_pixel_rows(NOISE)


# --- Ready, dark, and ready again -----------------------------------------------------------------


def test_a_panel_that_sends_differences_gets_all_of_it_after_a_failure() -> None:
    glass = Glass(SHAPES["ssd1327"])
    found = shown("ssd1327", glass, NOISE)
    glass.levels = [[1] * 128 for _ in range(128)]  # the panel has lost its power

    found.open()
    found.draw(NOISE, None)

    assert all(level in (0, 15) for row in glass.levels for level in row)


def test_a_panel_that_has_kept_its_power_is_made_ready_without_any_pixel() -> None:
    wire = OnChip(Chip())
    found = shown("ssd1306", wire, NOISE)
    wire.sent.clear()

    found.reinitialise()

    assert wire.chip.on
    assert wire.chip.frame == NOISE
    assert sum(len(commands) for commands, _ in wire.sent) < 32
    assert not any(data for _, data in wire.sent)


def test_a_panel_whose_contrast_luma_does_not_set_is_only_on_or_off() -> None:
    wire = OnChip(Chip("sh1106"))
    found = shown("ch1115", wire, NOISE)
    before = wire.chip.contrast
    wire.sent.clear()

    found.draw(NOISE, NOISE)
    found.set_brightness(20)
    assert not any(data for _, data in wire.sent)
    assert (wire.chip.on, wire.chip.contrast) == (True, before)
    found.switch_off()
    assert not wire.chip.on


def test_nothing_blank_is_sent_before_the_first_frame() -> None:
    wire = Wire()

    shown("ssd1306", wire, NOISE)

    assert sum(len(data) for _, data in wire.sent) == 1024


def test_a_panel_that_is_kept_is_left_alone_by_luma_when_the_program_ends() -> None:
    wire = OnChip(Chip())
    found = shown("ssd1306", wire, NOISE)

    found._device.cleanup()  # as luma does at exit

    assert wire.chip.on
    assert wire.chip.frame == NOISE


# --- Buses ----------------------------------------------------------------------------------------


def test_a_whole_box_on_spi_takes_its_pins_where_all_others_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pi, "is_raspberry_pi", lambda: True)
    monkeypatch.setattr(Device, "pin_factory", MockFactory())
    own(tmp_path, 'device = "ssd1306"\ninterface = "spi"\ndc = 25\nreset = 27')
    chip = Chip()
    kernel = Kernel(spi=chip)
    dc, write = Device.pin_factory.pin(25), kernel.write

    def clocked(file: int, payload: bytes) -> int:
        kernel.dc = bool(dc.state)
        return write(file, payload)

    kernel.write = clocked  # type: ignore[method-assign]
    with kernel.patched():
        box = pi.open_box_on_pins(print, tmp_path)
        box.displays[0].show(NOISE)
        kernel.until(lambda: chip.on)
        assert Device.pin_factory.pin(27).state
        box.close()

    assert chip.frame == NOISE
    Device.pin_factory.reset()


def test_no_message_is_longer_than_the_kernels_buffer_for_spi() -> None:
    glass = Glass(SHAPES["ssd1351"])

    shown("ssd1351", glass, NOISE)

    assert max(len(data) for _, data in glass.sent) == 4096


# --- luma.emulator --------------------------------------------------------------------------------


emulated = pytest.mark.skipif(
    sys.version_info >= (3, 14), reason="luma.emulator needs pygame, not pygame-ce"
)


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Choose SDL's driver that needs no desktop. Return the folder for the pictures."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@emulated
def test_capture_writes_each_frame_as_a_picture(desktop: Path) -> None:
    display = ThreadedDisplay(luma.make_luma_panel(LumaDisplayWiring("capture"), no_pins), refuse)
    display.show(FULL)
    display.close()

    first = Image.open(min(desktop.glob("luma_*.png")))
    assert first.size == (2 * DISPLAY_WIDTH, 2 * HEIGHT)
    assert first.getextrema() == ((255, 255),) * 3


@emulated
def test_a_window_that_is_closed_ends_the_box_in_good_order(
    desktop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desktop
    ended: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *given: ended.append(given))
    found = luma.make_luma_panel(LumaDisplayWiring("pygame"), no_pins)
    assert isinstance(found, EmulatedPanel)
    found.open()
    found.draw(NOISE, None)
    found.reinitialise()
    found.set_brightness(20)
    pygame = found._device._pygame
    pygame.event.post(pygame.event.Event(pygame.QUIT))

    for _ in range(2):  # the second time, the window is gone
        with raises_english(HardwareError, match="window is closed"):
            found.draw(OTHER, NOISE)
        assert ended.pop() == (os.getpid(), signal.SIGTERM)
    found.close()


@emulated
def test_without_a_desktop_it_is_said_before_the_box_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonsense")

    with raises_english(HardwareError, match=r"luma's pygame: .*nonsense"):
        luma.make_luma_panel(LumaDisplayWiring("pygame"), no_pins)


@emulated
def test_a_box_with_a_pretended_display_and_pretended_pins_needs_no_pi(
    desktop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    own(desktop, 'device = "capture"')

    box = pi.open_box_on_pins(refuse, desktop)
    box.displays[0].show(NOISE)
    box.close()

    assert list(desktop.glob("luma_*.png"))


@emulated
def test_the_names_of_the_emulators_are_lumas() -> None:
    assert {
        name for name, part in luma.installed_panel_kinds_by_name().items() if part == "emulator"
    } == {*board_file.EMULATOR_PANELS}


# --- The board's file -----------------------------------------------------------------------------


I2C: Final = 'device = "ssd1327"\ninterface = "i2c"\n'
SPI: Final = 'device = "ssd1327"\ninterface = "spi"\n'
BUTTONS: Final = "[buttons]\nup = 17\ndown = 22\nok = 4\nback = 23\n"


def own(folder: Path, lines: str) -> None:
    """Write a board file for a display that luma drives. `lines` begin in its third line."""
    text = f'[display]\ndriver = "luma"\n{lines}\n{BUTTONS}'
    user_board.own_board_path(folder).write_text(text, "utf-8")


def mistakes(folder: Path) -> list[str]:
    with pytest.raises(BoardFileError) as raised:
        user_board.load_own_or_default_board(folder)
    return [*map(mistake_with_place, raised.value.mistakes)]


@pytest.mark.parametrize(
    ("lines", "display"),
    [
        ('device = "ssd1327"\ninterface = "i2c"', LumaDisplayWiring("ssd1327", "i2c", port=1)),
        (
            'device = "sh1107"\nrotate = 3\ninterface = "i2c"\nport = 0\naddress = 0x3d',
            LumaDisplayWiring("sh1107", "i2c", {"rotate": 3}, address=0x3D),
        ),
        (
            'device = "ssd1322"\ninterface = "spi"\nce = 1\ndc = 24\nreset = 25\nspeed = 8000000',
            LumaDisplayWiring("ssd1322", "spi", device=1, dc=24, reset=25, speed=8_000_000),
        ),
        pytest.param(
            'device = "pygame"\nwidth = 256\nheight = 128',
            LumaDisplayWiring("pygame", options={"width": 256, "height": 128}),
            marks=emulated,
        ),
    ],
)
def test_a_board_says_which_panel_luma_drives_and_how(
    lines: str, display: LumaDisplayWiring, tmp_path: Path
) -> None:
    own(tmp_path, lines)

    board = user_board.load_own_or_default_board(tmp_path)

    assert board.display == display


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            'device = "ssd1337"\ninterface = "i2c"',
            'line 3: display.device = "ssd1337" is not valid; expected: "',
        ),
        (
            'device = 1327\ninterface = "i2c"',
            "line 3: display.device = 1327 is not valid; expected: the name",
        ),
        ('device = "ssd1327"', "line 1: display.interface is missing"),
        (I2C + "adress = 60", 'line 5: display.adress is not a key here; did you mean "address"?'),
        (I2C + "dc = 24", 'line 5: display.dc is not a key here; expected: "driver", "device"'),
        (I2C + "rotate = 90", "line 5: display.rotate = 90 is not valid; expected: 0 to 3 quarter"),
        (
            I2C.replace("i2c", "i3c"),
            'line 4: display.interface = "i3c" is not valid; expected: "i2c", ',
        ),
        (SPI, "line 1: display.dc is missing"),
        (SPI + "dc = 17", "line 7: buttons.up = 17 is already used by display.dc"),
        (SPI + "dc = 8", "line 5: display.dc = 8 is already used by SPI (CE0)"),
        (
            SPI + "dc = 24\nspeed = 8",
            "line 6: display.speed = 8 is not valid; expected: bits",
        ),
        (
            I2C.replace("ssd1327", "sh1107") + "rotate = 0",
            "line 5: display.rotate is not valid: sh1107 has 64x128 pixels. The box needs 128x64",
        ),
        (
            I2C + "width = 100",
            "line 5: display.width is not valid: luma's ssd1327: Unsupported",
        ),
        (I2C + "h_offset = 2", "line 5: display.h_offset is not valid: ssd1327 has no h_offset."),
        (
            'device = "ssd1681"\ninterface = "i2c"',
            "line 3: display.device is not valid: ssd1681 is e-paper, which takes a second or",
        ),
        (
            'device = "ssd1305"\ninterface = "i2c"',
            "line 3: display.device is not valid: ssd1305 has 128x32 pixels. The box needs",
        ),
        ('device = "winstar_weh"\ninterface = "i2c"', "winstar_weh has 80x16 pixels"),
        pytest.param(
            'device = "pygame"\ninterface = "spi"',
            "line 4: display.interface is not a key here; expected:",
            marks=emulated,
        ),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_was_expected(
    lines: str, said: str, tmp_path: Path
) -> None:
    own(tmp_path, lines)

    (found,) = mistakes(tmp_path)[:1]

    assert found.startswith("board.toml")
    assert said in found


def test_lumas_words_without_its_driver_are_told(tmp_path: Path) -> None:
    text = f'[display]\nchip = "ssd1306"\nbus = "i2c"\nrotate = 2\ndevice = "ssd1327"\n{BUTTONS}'
    user_board.own_board_path(tmp_path).write_text(text, "utf-8")

    assert mistakes(tmp_path) == [
        'board.toml, line 4: display.rotate is not a key here; expected: driver = "luma"',
        (
            'board.toml, line 5: display.device = "ssd1327" is not valid; '
            "expected: 0 for CE0, 1 for CE1"
        ),
    ]


def test_a_driver_that_there_is_not_is_told(tmp_path: Path) -> None:
    text = f'[display]\ndriver = "lumma"\n{I2C}{BUTTONS}'
    user_board.own_board_path(tmp_path).write_text(text, "utf-8")

    assert mistakes(tmp_path) == [
        'board.toml, line 2: display.driver = "lumma" is not valid; expected: "luma"'
    ]


def test_without_luma_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_file, "import_luma_driver", lambda: None)
    own(tmp_path, I2C)

    (told,) = mistakes(tmp_path)
    assert told.startswith("board.toml, line 2: ")
    assert told.endswith("pip install luma.oled")


def test_without_the_emulator_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "luma.emulator.device", None)
    own(tmp_path, 'device = "pygame"')

    (told,) = mistakes(tmp_path)
    assert told.startswith("board.toml, line 3: ")
    assert told.endswith("pip install luma.emulator")


def test_the_modules_are_wired_as_waveshare_says() -> None:
    assert board_file.load_known_board("waveshare-oled-1in5").display == LumaDisplayWiring(
        "ssd1327", "spi", dc=25, reset=27
    )
    assert board_file.load_known_board("waveshare-oled-2in42").display == OledWiring(
        "ssd1309", "spi", 0, None, 0, 25, 27
    )


def test_the_device_of_a_boards_bus_is_known_if_the_kernel_has_it() -> None:
    found = {
        name: bus.bus_device_path(board_file.load_known_board(name).display)
        for name in board_file.known_board_names()
    }

    assert found["four-buttons"] == Path("/dev/i2c-1")
    assert found["waveshare-oled-hat"] == found["waveshare-oled-1in5"] == Path("/dev/spidev0.0")
    assert bus.bus_device_path(LumaDisplayWiring("pygame")) is None


@pytest.mark.long
def test_luma_is_imported_only_when_a_board_has_chosen_it(tmp_path: Path) -> None:
    user_board.own_board_path(tmp_path).write_text('like = "waveshare-oled-2in42"\n', "utf-8")
    program = (
        "import sys; from pathlib import Path; from hardware.boards import user_board\n"
        "from hardware.pins import pi\n"
        f"user_board.load_own_or_default_board(Path({str(tmp_path)!r}))\n"
        "sys.exit(bool({'luma', 'PIL', 'hardware.display.luma'} & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
