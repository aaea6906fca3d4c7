"""Tests of the display's bus: the messages, their size, and a chip that does not answer.

Every test runs on a model of the chip (`chip.py`). luma.oled drives a second model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.display import bus, panel
from hardware.display.bus import I2cConnection, SpiConnection
from hardware.display.oled import OLED_CHIPS, OledPanel
from hardware.display.panel import ThreadedDisplay
from hardware.ports import BLANK_FRAME, DISPLAY_PAGES, HardwareError
from hardware.wiring import OledWiring
from tests.english import raises_english
from tests.hardware.chip import Chip, Kernel, Rig, Stock
from tests.hardware.frames import NOISE, edited, edits, texts
from tests.helpers import max_examples

KINDS: Final = ("ssd1306", "ssd1309", "sh1106")


def ours(kind: str = "ssd1306", *, upside_down: bool = False) -> Rig:
    """Return a rig with the project's own driver."""
    chip = Chip("sh1106" if kind == "sh1106" else "ssd1306")
    return Rig(
        OledPanel(kind, I2cConnection(), upside_down=upside_down), chip, upside_down=upside_down
    )


@pytest.fixture
def rig() -> Iterator[Rig]:
    with ours().plugged_in() as made:
        yield made


# --- The chip's memory ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_chip_is_made_ready_with_lumas_bytes_but_for_the_addressing(kind: str) -> None:
    stock = Stock(kind)
    first = bytes(stock.commands[: 1 + len(OLED_CHIPS[kind].initialisation)])
    windows = first.replace(b"\x20\x00\xa1", b"\x20\x02\xa1")
    rest = [0x81, OLED_CHIPS[kind].contrast]

    assert windows == b"\xae" + OLED_CHIPS[kind].initialisation  # luma switches it off first
    assert stock.commands[len(first) : len(first) + 2] == rest


@pytest.mark.parametrize("kind", KINDS)
def test_a_display_that_was_switched_on_shows_light_as_lumas_does(kind: str) -> None:
    stock = Stock(kind)
    with ours(kind).plugged_in() as rig:
        rig.show(NOISE)

        assert rig.chip.on == stock.chip.on
        assert rig.chip.contrast == stock.chip.contrast
        assert rig.chip.settings == stock.chip.settings
        assert rig.chip.flags == stock.chip.flags


@pytest.mark.long
@settings(max_examples=max_examples(60))
@given(st.sampled_from(KINDS), st.booleans(), edits())
def test_after_any_edits_the_memory_is_what_luma_leaves_there(
    kind: str,
    upside_down: bool,  # noqa: FBT001 - hypothesis
    changed: list[tuple[int, bytes]],
) -> None:
    frame = NOISE
    with ours(kind, upside_down=upside_down).plugged_in() as rig:
        rig.panel.open()
        rig.panel.draw(frame, None)
        for place, data in changed:
            before, frame = frame, edited(frame, place, data)
            rig.panel.draw(frame, before)

    stock = Stock(kind, rotate=2 if upside_down else 0)
    stock.show(frame)
    assert rig.chip.frame == stock.chip.frame


# --- Size of the messages -------------------------------------------------------------------------


def test_nothing_that_did_not_change_is_sent(rig: Rig) -> None:
    rig.show(NOISE)
    before = rig.kernel.transactions

    rig.display.show(NOISE)
    rig.display.show(bytes(bytearray(NOISE)))
    rig.display.close()

    assert rig.kernel.transactions == before + 1  # close() switches the display off


def test_a_step_in_a_menu_takes_at_most_32_bytes_in_two_transactions(rig: Rig) -> None:
    rig.show(texts("  Menu", "> one", "  two", "  three"))

    sent, transactions = rig.show(texts("  Menu", "  one", "> two", "  three"))

    assert sent <= 32
    assert transactions == 2


def test_the_stock_way_sends_a_whole_frame_whatever_changed() -> None:
    stock = Stock()
    stock.show(NOISE)
    before = stock.bytes, stock.transactions

    stock.show(NOISE)

    assert (stock.bytes - before[0], stock.transactions - before[1]) == (1034, 2)


def test_upside_down_a_digit_is_no_more_than_upright() -> None:
    with ours(upside_down=True).plugged_in() as rig:
        rig.show(texts("1"))
        assert rig.show(texts("2"))[0] <= 14


def test_a_whole_frame_takes_a_transaction_a_page(rig: Rig) -> None:
    rig.show(BLANK_FRAME)

    sent, transactions = rig.show(NOISE)

    assert sent <= 1090
    assert transactions == DISPLAY_PAGES


def test_a_display_that_has_kept_its_power_is_sent_all_of_it_but_not_made_dark(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.show(texts("before"))
    monkeypatch.setattr(panel, "REINITIALISE_AFTER_SECONDS", 0.0)
    before, letter = rig.kernel.transactions, 1

    rig.show(texts("befora"))
    rig.kernel.until(lambda: rig.kernel.transactions == before + letter + DISPLAY_PAGES + 2)

    assert rig.chip.went_dark == 0
    assert rig.chip.on


# --- The bus --------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", bus.I2C_ADDRESSES)
def test_a_display_is_found_at_either_of_its_addresses(place: int) -> None:
    chip = Chip()
    kernel = Kernel({place: chip})
    with kernel.patched():
        wire = I2cConnection()
        wire.open()
        wire.send(b"\x20\x02\xb3\x05\x10", b"\x2a")

    assert chip.ram[3 * 128 + 5] == 0x2A


def test_without_a_display_at_either_address_the_bus_says_so() -> None:
    kernel = Kernel()
    with kernel.patched(), pytest.raises(OSError, match="Remote I/O"):
        I2cConnection().open()


def _nobody(error: HardwareError) -> None:
    raise error


def test_over_spi_a_line_says_what_is_a_command_and_what_is_data() -> None:
    chip = Chip("sh1106")
    kernel = Kernel(spi=chip)
    resets: list[str] = []

    class Line:
        """The DC line (24), or the reset line (25)."""

        def __init__(self, pin: int) -> None:
            self.pin = pin
            resets.append(f"{pin} low")

        def on(self) -> None:
            if self.pin == 24:
                kernel.dc = True
            else:
                resets.append("25 high")

        def off(self) -> None:
            kernel.dc = False

        def close(self) -> None:
            resets.append(f"{self.pin} closed")

    with kernel.patched():
        wire = SpiConnection(OledWiring(bus="spi", port=0, dc=24, reset=25), Line)
        display = ThreadedDisplay(OledPanel("sh1106", wire), _nobody)
        display.show(NOISE)
        kernel.until(lambda: chip.on)
        display.close()

    assert chip.frame == NOISE
    assert resets == ["24 low", "25 low", "25 high", "24 closed", "25 closed"]
    assert kernel.open_files == 0


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (FileNotFoundError(2, "No such file", "/dev/i2c-1"), "no /dev/i2c-1.*raspi-config"),
        (PermissionError(13, "Permission denied"), "group"),
        (OSError(121, "Remote I/O error"), "four wires"),
        (HardwareError("GPIO24 is in use."), "GPIO24 is in use"),
    ],
)
def test_what_is_wrong_with_a_display_comes_with_what_to_do(error: OSError, advice: str) -> None:
    with raises_english(HardwareError, match=advice):
        raise bus.hardware_error_for_display(error)
