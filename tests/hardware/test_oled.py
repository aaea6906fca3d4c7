"""The display's bus: what is sent, how little of it, and what happens when nobody answers.

Every test runs on a model of the chip (`tests/chip.py`); luma.oled drives another one beside it.
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import BLANK, PAGES, HardwareError, bus, panel
from hardware.bus import I2c, Spi
from hardware.oled import CHIPS, Oled, turned
from hardware.panel import PanelDisplay
from tests.hardware.chip import Chip, Kernel, Stock
from tests.hardware.frames import NOISE, edited, edits, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS: Final = ("ssd1306", "ssd1309", "sh1106")
PLACE: Final = 0x3C


class Rig:
    """A display on a bus, with what it reports; `show` waits until the chip has the frame."""

    def __init__(self, kind: str = "ssd1306", *, upside_down: bool = False) -> None:
        self.chip = Chip("sh1106" if kind == "sh1106" else "ssd1306")
        self.kernel = Kernel({PLACE: self.chip})
        self.reports: list[HardwareError] = []
        self.reported = Event()
        with self.kernel.patched():
            self.glass = Oled(kind, I2c(), upside_down=upside_down)
            self.oled = PanelDisplay(self.glass, self._report)

    def _report(self, error: HardwareError) -> None:
        self.reports.append(error)
        self.reported.set()

    def show(self, frame: bytes) -> tuple[int, int]:
        """Show a frame, and give the bytes and transactions that it took."""
        before = self.kernel.bytes, self.kernel.transactions
        self.oled.show(frame)
        shown = turned(frame) if self.glass._upside_down else frame
        self.kernel.until(lambda: self.chip.on and self.chip.frame == shown)
        return self.kernel.bytes - before[0], self.kernel.transactions - before[1]


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = Rig()
    with made.kernel.patched():
        yield made
        made.kernel.plugged = True
        made.kernel.let_go.set()
        made.oled.close()


# --- What the chip ends up with -------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_chip_is_made_ready_with_lumas_bytes_but_for_the_addressing(kind: str) -> None:
    stock = Stock(kind)
    first = bytes(stock.commands[: len(CHIPS[kind].ready)])
    windows = first.replace(b"\x20\x00\xa1", b"\x20\x02\xa1")
    rest = [0x81, CHIPS[kind].contrast]

    assert windows == CHIPS[kind].ready
    assert stock.commands[len(first) : len(first) + 2] == rest


@pytest.mark.parametrize("kind", KINDS)
def test_a_display_that_was_switched_on_shows_light_as_lumas_does(kind: str) -> None:
    rig, stock = Rig(kind), Stock(kind)
    with rig.kernel.patched():
        rig.show(NOISE)

        assert rig.chip.on == stock.chip.on
        assert rig.chip.contrast == stock.chip.contrast
        assert rig.chip.settings == stock.chip.settings
        assert rig.chip.flags == stock.chip.flags
        rig.oled.close()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(KINDS), st.booleans(), edits())
def test_after_any_edits_the_memory_is_what_luma_leaves_there(
    kind: str,
    upside_down: bool,  # noqa: FBT001 - hypothesis
    changed: list[tuple[int, bytes]],
) -> None:
    rig = Rig(kind, upside_down=upside_down)
    frame = NOISE
    with rig.kernel.patched():
        rig.glass.open()
        rig.glass.draw(frame, None)
        for place, data in changed:
            before, frame = frame, edited(frame, place, data)
            rig.glass.draw(frame, before)
        rig.glass.close()
        rig.oled.close()

    stock = Stock(kind, rotate=2 if upside_down else 0)
    stock.show(frame)
    assert rig.chip.frame == stock.chip.frame


# --- How little is sent ---------------------------------------------------------------------------


def test_nothing_that_did_not_change_is_sent(rig: Rig) -> None:
    rig.show(NOISE)
    before = rig.kernel.transactions

    rig.oled.show(NOISE)
    rig.oled.show(bytes(bytearray(NOISE)))
    rig.oled.close()

    assert rig.kernel.transactions == before + 1  # it is switched off


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
    rig = Rig(upside_down=True)
    with rig.kernel.patched():
        rig.show(texts("1"))
        assert rig.show(texts("2"))[0] <= 14
        rig.oled.close()


def test_a_whole_frame_takes_a_transaction_a_page(rig: Rig) -> None:
    rig.show(BLANK)

    sent, transactions = rig.show(NOISE)

    assert sent <= 1090
    assert transactions == PAGES


# --- The bus --------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", bus.ADDRESSES)
def test_a_display_is_found_at_either_of_its_addresses(place: int) -> None:
    chip = Chip()
    kernel = Kernel({place: chip})
    with kernel.patched():
        wire = I2c()
        wire.open()
        wire.send(b"\x20\x02\xb3\x05\x10", b"\x2a")

    assert chip.ram[3 * 128 + 5] == 0x2A


def test_without_a_display_at_either_address_the_bus_says_so() -> None:
    kernel = Kernel()
    with kernel.patched(), pytest.raises(OSError, match="Remote I/O"):
        I2c().open()


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
        wire = Spi(0, 0, 24, 25, Line)
        display = PanelDisplay(Oled("sh1106", wire), _nobody)
        display.show(NOISE)
        kernel.until(lambda: chip.on)
        display.close()

    assert chip.frame == NOISE
    assert resets == ["24 low", "25 low", "25 high", "24 closed", "25 closed"]
    assert kernel.open_files == 0


# --- A display of its own -------------------------------------------------------------------------


def test_a_frame_of_a_wrong_size_is_refused(rig: Rig) -> None:
    with pytest.raises(ValueError, match="1024"):
        rig.oled.show(b"")


def test_the_first_light_is_the_first_frame(rig: Rig) -> None:
    seen: list[bytes] = []
    obey = rig.chip._obey

    def watch(code: int, rest: list[int]) -> None:
        if code == 0xAF:
            seen.append(rig.chip.frame)
        obey(code, rest)

    rig.chip._obey = watch  # type: ignore[method-assign]
    rig.show(NOISE)

    assert seen == [NOISE]


def test_a_bus_that_is_stuck_stops_nobody_and_the_newest_frame_wins(rig: Rig) -> None:
    rig.show(BLANK)
    rig.kernel.let_go.clear()
    before = rig.kernel.transactions

    for n in range(200):
        rig.oled.show(texts(f"{n:03}"))
    assert rig.kernel.transactions == before  # and yet we are here
    rig.kernel.let_go.set()
    rig.show(texts("199"))

    assert rig.kernel.transactions <= before + 4


def test_a_display_that_is_pulled_out_is_told_once_and_made_ready_when_it_is_back(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "RETRY", 0.01)
    rig.show(texts("before"))
    rig.kernel.plugged = False
    rig.chip.lose_power()

    rig.oled.show(texts("during"))
    assert rig.reported.wait(10)
    tries = rig.kernel.transactions
    rig.kernel.until(lambda: rig.kernel.transactions > tries + 4)
    rig.kernel.plugged = True
    rig.kernel.until(lambda: rig.chip.on)

    assert rig.chip.frame == texts("during")
    assert [str(error) for error in rig.reports] == [
        "The display does not answer: check its four wires."
    ]
    assert rig.reports[0].part == "display"


def test_a_message_that_is_lost_once_is_sent_again_and_nobody_is_told(rig: Rig) -> None:
    rig.show(texts("before"))
    rig.kernel.noise = 1

    rig.show(texts("after"))

    assert rig.kernel.noise == 0
    assert rig.reports == []


def test_a_display_that_lost_its_power_unseen_is_made_ready_by_the_next_frame_after_a_while(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.show(texts("before"))
    rig.chip.lose_power()
    monkeypatch.setattr(panel, "UNSEEN", 0.0)

    rig.show(texts("after"))

    assert rig.reports == []


def test_a_display_that_has_kept_its_power_is_sent_all_of_it_but_not_made_dark(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.show(texts("before"))
    monkeypatch.setattr(panel, "UNSEEN", 0.0)
    before, letter = rig.kernel.transactions, 1

    rig.show(texts("befora"))
    rig.kernel.until(lambda: rig.kernel.transactions == before + letter + PAGES + 2)

    assert rig.chip.went_dark == 0
    assert rig.chip.on


def test_a_display_that_is_pulled_out_again_is_told_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "RETRY", 0.01)
    rig.show(texts("0"))
    for n in "12":
        rig.reported.clear()
        rig.kernel.plugged = False
        rig.oled.show(texts(n))
        assert rig.reported.wait(10)
        rig.kernel.plugged = True
        rig.kernel.until(lambda n=n: rig.chip.frame == texts(n))  # type: ignore[misc]
        rig.show(texts(f"{n}!"))

    assert len(rig.reports) == 2


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
    with pytest.raises(HardwareError, match=advice):
        raise bus.explained(error)


def test_a_dimmed_display_is_dimmer_and_a_dark_one_wakes_with_the_newest_frame(rig: Rig) -> None:
    rig.show(texts("one"))

    rig.oled.light(10)
    rig.kernel.until(lambda: rig.chip.contrast == 0xCF // 10)
    rig.oled.light(0)
    rig.kernel.until(lambda: not rig.chip.on)
    rig.oled.show(texts("two"))
    rig.chip.lose_power()
    rig.oled.light(100)
    rig.kernel.until(lambda: rig.chip.on)

    assert rig.chip.frame == texts("two")
    assert rig.chip.contrast == 0xCF


def test_a_closed_display_is_dark_and_its_bus_is_free(rig: Rig) -> None:
    rig.show(NOISE)

    rig.oled.close()
    rig.oled.close()

    assert not rig.chip.on
    assert rig.kernel.open_files == 0


def test_a_display_that_is_kept_goes_on_showing_its_last_frame(rig: Rig) -> None:
    rig.show(NOISE)
    rig.oled.show(texts("Safe to unplug"))

    rig.oled.close(keep=True)

    assert rig.chip.on
    assert rig.chip.frame == texts("Safe to unplug")
    assert rig.kernel.open_files == 0


def test_the_last_frame_before_closing_is_still_sent(rig: Rig) -> None:
    rig.show(NOISE)
    rig.kernel.let_go.clear()

    rig.oled.show(texts("Goodbye"))
    rig.kernel.let_go.set()
    rig.oled.close()

    assert rig.chip.frame == texts("Goodbye")


def test_a_stuck_bus_does_not_keep_a_program_from_ending(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "PATIENCE", 0.01)
    rig.show(BLANK)
    rig.kernel.let_go.clear()
    rig.oled.show(NOISE)

    rig.oled.close()

    assert rig.oled._thread.daemon
    assert rig.oled._thread.is_alive()
    rig.kernel.let_go.set()
    rig.oled._thread.join()


def test_a_display_that_was_never_there_is_told_and_can_be_closed() -> None:
    kernel = Kernel()
    reported = Event()
    with kernel.patched():
        display = PanelDisplay(Oled("ssd1306", I2c()), lambda _: reported.set())
        display.show(NOISE)
        assert reported.wait(10)
        display.close()

    assert not display._thread.is_alive()
    assert kernel.open_files == 0
