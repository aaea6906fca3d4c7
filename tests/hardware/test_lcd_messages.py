"""Tests of colour LCDs: pixels in two colours, messages with changes only, and the backlight.

The chips are models (`tft.py`). luma's own messages to a chip are the reference for a panel's
position in the chip's memory and for its rotation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from hardware.boards.board_file import load_known_board
from hardware.display import lcd_messages
from hardware.display.frame_conversions import frame_as_pixel_rows
from hardware.display.lcd_messages import (
    BACKGROUND_COLOUR,
    FOREGROUND_COLOUR,
    VisiblePanelArea,
    frame_change_messages,
    unlit_and_lit_pixel_bytes,
)
from hardware.pins.buttons import PinButtons
from hardware.ports import BACK, BLANK_FRAME, DOWN, OK, SEATS, UP, Edge, HardwareError
from hardware.wiring import LumaDisplayWiring, SoundWiring
from tests.hardware.frames import NOISE, texts
from tests.hardware.tft import AWAKE, LumaSerial, Tft

luma = pytest.importorskip("hardware.display.luma", reason="needs luma: pip install '.[test]'")
if "st7789" not in luma.installed_panel_kinds_by_name():
    pytest.skip("needs luma.lcd: pip install luma.lcd", allow_module_level=True)

from gpiozero import Device  # noqa: E402 - after what may skip all of it
from gpiozero.pins.mock import MockFactory  # noqa: E402

from tests.english import raises_english  # noqa: E402
from tests.helpers import long_lane_params  # noqa: E402
from tests.system.bench.bus import whole_game  # noqa: E402

LCDS: Final = ("pirate-audio", "display-hat-mini", "waveshare-lcd-1in44")
NEWER: Final = ("waveshare-lcd-1in3", "adafruit-mini-pitft", "adafruit-mini-pitft-1in3")
OTHER: Final = bytes(200) + NOISE[200:210] + bytes(814)


class Light:
    """The pin of a backlight."""

    def __init__(self) -> None:
        self.lit, self.taken = False, False

    def take(self, pin: int) -> Light:
        assert pin
        self.taken, self.lit = True, False
        return self

    def on(self) -> None:
        self.lit = True

    def off(self) -> None:
        self.lit = False

    def close(self) -> None:
        self.taken = False


class Glass:
    """A board's LCD on its chip, and the pixels that people see."""

    def __init__(self, name: str) -> None:
        screen = load_known_board(name).display
        assert isinstance(screen, LumaDisplayWiring)
        self.screen = screen
        self.chip, self.lamp = Tft(self.screen.chip), Light()
        behind = luma.Backlight(self.screen.light, self.lamp.take)
        self.panel = luma.LcdPanel(self.screen, self.chip, behind, self.chip.pause)
        self.place: VisiblePanelArea = self.panel._place

    @property
    def memory(self) -> tuple[int, int, int, int]:
        return self.place.left, self.place.top, self.place.width, self.place.height

    @property
    def seen(self) -> list[list[bool]]:
        """Return the lit pixels as people see them: the memory, turned back."""
        found = self.chip.lit(*self.memory)
        for _ in range(self.place.quarters):
            found = [list(row) for row in zip(*found, strict=True)][::-1]
        return found


@pytest.fixture(params=LCDS + NEWER)
def glass(request: pytest.FixtureRequest) -> Glass:
    return Glass(request.param)


def in_the_middle(frame: bytes, place: VisiblePanelArea) -> list[list[bool]]:
    """Return the pixels of a frame in the middle of `place`, at its largest integer scale."""
    (width, height), times = place.visible_size, place.largest_frame_scale
    left, top = (width - 128 * times) // 2, (height - 64 * times) // 2
    found = [[False] * width for _ in range(height)]
    for y, row in enumerate(frame_as_pixel_rows(frame)):
        wide = [lit for lit in row for _ in range(times)]
        for dy in range(times):
            found[top + y * times + dy][left : left + len(wide)] = wide
    return found


# --- Pixels ---------------------------------------------------------------------------------------


@pytest.mark.sampled(1)
def test_a_frame_is_seen_in_the_middle_as_large_as_it_can_in_two_colours(glass: Glass) -> None:
    before = None
    glass.panel.open()
    for frame in (NOISE, OTHER, OTHER, texts("12", "7"), texts("13", "7")):
        glass.panel.draw(frame, before)
        before = frame

        assert glass.seen == in_the_middle(frame, glass.place)
    assert glass.chip.colours(*glass.memory) == set(unlit_and_lit_pixel_bytes(100))


def test_the_multiples_are_one_two_and_one() -> None:
    assert [Glass(name).place.largest_frame_scale for name in LCDS] == [1, 2, 1]
    assert [Glass(name).place.visible_size for name in LCDS] == [(240, 240), (320, 240), (128, 128)]
    assert [Glass(name).place.largest_frame_scale for name in NEWER] == [1, 1, 1]
    assert [Glass(name).place.visible_size for name in NEWER] == [
        (240, 240),
        (240, 135),
        (240, 240),
    ]


@pytest.mark.sampled(1)
def test_a_glass_holds_the_pixels_that_luma_would_leave_there(glass: Glass) -> None:
    stock = Tft(glass.screen.chip)
    stock.open()
    kind = getattr(__import__("luma.lcd.device", fromlist=["x"]), glass.screen.chip)
    takes_offsets = glass.screen.chip == "st7735"  # luma's st7789 writes from column and row 0
    options = {
        key: value
        for key, value in glass.screen.options.items()
        if takes_offsets or key not in luma.OFFSET_OPTIONS
    }
    device: Any = kind(LumaSerial(stock), backlight=lambda _: None, **options)
    device.persist = True
    white = luma.fit_frame_picture_to_panel(
        luma.frame_as_pillow_picture(NOISE), device.size, device.mode
    )
    device.display(white)
    glass.panel.open()
    glass.panel.draw(NOISE, None)

    width, height = glass.memory[2:]
    left, top = (options.get(key, 0) for key in luma.OFFSET_OPTIONS)
    assert glass.chip.lit(*glass.memory) == stock.lit(left, top, width, height)


@pytest.mark.sampled(1)
def test_only_the_rectangles_that_changed_are_sent(glass: Glass) -> None:
    glass.panel.open()
    glass.panel.draw(texts("12"), None)
    glass.chip.bytes = glass.chip.messages = 0

    glass.panel.draw(texts("13"), texts("12"))
    digit = glass.chip.bytes
    glass.panel.draw(texts("13"), texts("13"))

    assert digit == glass.chip.bytes  # an unchanged frame sends no bytes
    assert digit <= 11 + 6 * 8 * 2 * glass.place.largest_frame_scale**2
    assert glass.chip.messages == 6  # columns, rows, pixels: a command and its data each


@pytest.mark.sampled(1)
def test_no_message_is_longer_than_the_kernels_buffer_for_spi(glass: Glass) -> None:
    glass.panel.open()
    glass.panel.draw(NOISE, None)

    assert glass.chip.longest == 4096


def test_a_rectangle_is_turned_as_often_as_its_glass() -> None:
    dot = bytes(5) + b"\x01" + bytes(1018)  # the sixth column of the first row
    places = {}
    for quarters in range(4):
        width, height = (128, 64) if quarters % 2 == 0 else (64, 128)
        messages = frame_change_messages(
            VisiblePanelArea(width, height, 3, 7, quarters), BLANK_FRAME, dot, 100
        )
        columns, lines, pixels = (data for _, data in messages)
        first = int.from_bytes(columns[:2]), int.from_bytes(lines[:2])
        lit = [
            i
            for i in range(0, len(pixels), 2)
            if pixels[i : i + 2] == unlit_and_lit_pixel_bytes(100)[1]
        ]
        wide = int.from_bytes(columns[2:]) - first[0] + 1
        (index,) = (i // 2 for i in lit)
        places[quarters] = first[0] + index % wide - 3, first[1] + index // wide - 7

    assert places == {0: (5, 0), 1: (63, 5), 2: (122, 63), 3: (0, 122)}


def test_the_colours_are_calm_and_far_enough_apart_to_be_read() -> None:
    def light(colour: tuple[int, ...]) -> float:  # WCAG 2, relative luminance
        parts = (v / 255 for v in colour)
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
        return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    assert (light(FOREGROUND_COLOUR) + 0.05) / (light(BACKGROUND_COLOUR) + 0.05) >= 12
    assert max(FOREGROUND_COLOUR) < 255  # no glaring white
    assert FOREGROUND_COLOUR[0] > FOREGROUND_COLOUR[1] > FOREGROUND_COLOUR[2]  # a warm colour


# --- Ready, dim and dark --------------------------------------------------------------------------


@pytest.mark.sampled(1)
def test_nothing_is_seen_before_the_first_frame(glass: Glass) -> None:
    glass.panel.open()
    assert not glass.lamp.lit
    glass.panel.draw(NOISE, None)
    assert not glass.lamp.lit

    glass.panel.set_brightness(100)

    assert glass.lamp.lit
    assert glass.chip.on
    assert glass.chip.resets == 0


def test_a_chip_is_let_wake_up(glass: Glass) -> None:
    glass.panel.open()

    waited = dict(glass.chip.waited)
    assert waited[AWAKE] >= 0.12
    assert (-1 in waited) == (glass.screen.reset is not None)


@pytest.mark.sampled(1)
def test_it_dims_by_its_colours_and_rests_without_its_light(glass: Glass) -> None:
    glass.panel.open()
    glass.panel.draw(NOISE, None)
    glass.panel.set_brightness(100)

    glass.panel.set_brightness(20)
    assert glass.lamp.lit
    assert glass.chip.colours(*glass.memory) == set(unlit_and_lit_pixel_bytes(20))
    glass.panel.draw(OTHER, NOISE)
    assert glass.chip.colours(*glass.memory) == set(unlit_and_lit_pixel_bytes(20))

    glass.panel.switch_off()
    assert (glass.lamp.lit, glass.chip.on) == (False, False)

    glass.panel.open()
    glass.panel.draw(OTHER, None)
    glass.panel.set_brightness(100)
    assert (glass.lamp.lit, glass.chip.on) == (True, True)
    assert glass.seen == in_the_middle(OTHER, glass.place)
    assert glass.chip.colours(*glass.memory) == set(unlit_and_lit_pixel_bytes(100))


@pytest.mark.sampled(1)
def test_it_is_made_ready_again_without_going_dark(glass: Glass) -> None:
    glass.panel.open()
    glass.panel.draw(NOISE, None)
    glass.panel.set_brightness(100)
    before = glass.chip.bytes

    glass.panel.reinitialise()

    assert glass.lamp.lit
    assert glass.chip.on
    assert glass.seen == in_the_middle(NOISE, glass.place)
    assert glass.chip.bytes - before < 256  # no pixels are sent


def test_the_lights_pin_is_given_back(glass: Glass) -> None:
    glass.panel.open()
    assert glass.lamp.taken
    glass.panel.close()
    glass.panel.close()
    assert not glass.lamp.taken


# --- Boards ---------------------------------------------------------------------------------------


def test_the_boards_are_wired_as_their_makers_say() -> None:
    pirate, mini, waveshare = map(load_known_board, LCDS)
    four = {UP: (5,), DOWN: (6,), OK: (16,)}

    assert pirate.buttons == four | {BACK: (24, 20)}
    assert mini.buttons == four | {BACK: (24,)}
    for board in (pirate, mini):
        screen = board.display
        assert isinstance(screen, LumaDisplayWiring)
        assert (screen.bus, screen.device, screen.dc, screen.light) == ("spi", 1, 9, 13)
    assert pirate.sound == SoundWiring("hifiberry-dac", (25,))
    assert mini.sound is waveshare.sound is None
    screen = waveshare.display
    assert isinstance(screen, LumaDisplayWiring)
    assert (screen.device, screen.dc, screen.reset, screen.light) == (0, 25, 27, 24)
    assert waveshare.buttons == {
        UP: (6,), DOWN: (19,), OK: (13, 21, 26), BACK: (5, 20), SEATS[0]: (16,),
    }  # fmt: skip


def native(name: str, x: int, y: int) -> tuple[int, int]:
    """Return the column and the row in an ST7789's upright memory for the visible pixel (x, y).

    luma's direction (0x70) exchanges rows and columns, and mirrors the columns.
    """
    glass = Glass(name)
    glass.panel.open()
    dot = bytearray(1024)
    dot[y // 8 * 128 + x] = 1 << y % 8
    glass.panel.draw(bytes(dot), None)
    (place,) = (
        (239 - row, column)
        for row, pixels in enumerate(glass.chip.rows)
        for column, pixel in enumerate(pixels)
        if pixel[0] > 0x30 and pixel != b"?"
    )
    return place


@pytest.mark.long
def test_the_pitfts_show_a_pixel_where_adafruits_example_has_it() -> None:
    """The panels begin at column 53, row 40 (turned by 90 degrees), or at row 80 (by 180)."""
    left, top = (240 - 128) // 2, (135 - 64) // 2
    for x, y in ((0, 0), (127, 0), (5, 63)):
        u, v = left + x, top + y
        assert native("adafruit-mini-pitft", x, y) == (53 + v, 40 + 239 - u)
    top = (240 - 64) // 2
    for x, y in ((0, 0), (127, 0), (5, 63)):
        u, v = left + x, top + y
        assert native("adafruit-mini-pitft-1in3", x, y) == (239 - u, 80 + 239 - v)


def test_the_newer_boards_are_wired_as_their_makers_say() -> None:
    waveshare, pitft, larger = (load_known_board(name) for name in NEWER)

    assert waveshare.buttons == load_known_board("waveshare-lcd-1in44").buttons
    assert pitft.buttons == larger.buttons == {UP: (5,), DOWN: (6,), OK: (23,), BACK: (24,)}
    for board in (pitft, larger):
        screen = board.display
        assert isinstance(screen, LumaDisplayWiring)
        assert (screen.device, screen.dc, screen.reset, screen.light) == (0, 25, None, 22)


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    before = Device.pin_factory
    Device.pin_factory = MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before


@pytest.mark.long
@pytest.mark.parametrize("name", [LCDS[2], *long_lane_params(LCDS[:2])])
def test_a_whole_game_is_played_on_a_board(name: str, factory: MockFactory) -> None:
    board, glass, edges = load_known_board(name), Glass(name), list[Edge]()
    buttons = PinButtons(board)
    buttons.listen(edges.append)
    glass.panel.open()

    def pushed(button: str) -> str:
        """Press and release a button of the board. Return the button's name in the edges."""
        pin = factory.pin(board.buttons[button][-1])
        edges.clear()
        pin.drive_low()
        pin.drive_high()
        assert [edge.down for edge in edges] == [True, False]
        return edges[0].button

    frames = list[bytes]()
    for press in whole_game("barney-miller", 1, tuple(board.buttons), pushed):
        for frame in press.frames[bool(frames) :]:
            glass.panel.draw(frame, frames[-1] if frames else None)
            frames.append(frame)
            if len(frames) % 50 == 0:
                assert glass.seen == in_the_middle(frame, glass.place), len(frames)
    assert len(frames) > 100
    assert glass.seen == in_the_middle(frames[-1], glass.place)
    buttons.close()


def test_a_board_whose_library_is_missing_is_read_and_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(luma, "installed_panel_kinds_by_name", lambda: {"ssd1306": "oled"})
    screen = load_known_board("pirate-audio").display
    assert isinstance(screen, LumaDisplayWiring)

    with raises_english(HardwareError, match=r"pip install luma\.lcd"):
        luma.make_luma_panel(screen, Light().take)


def test_an_option_that_a_panel_has_not_is_told() -> None:
    with raises_english(HardwareError, match="st7789 has no bgr"):
        luma.make_luma_device_and_contrast(
            LumaDisplayWiring("st7789", "spi", {"bgr": True}), luma.ReplaySerialInterface()
        )


def test_a_panel_of_letters_is_none_of_ours() -> None:
    assert not {"hd44780", "ht1621"} & set(luma.installed_panel_kinds_by_name())
    assert lcd_messages.TWO_BYTE_PIXELS_COMMAND == (0x3A, 0x05)
