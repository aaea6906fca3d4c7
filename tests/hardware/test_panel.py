"""Tests of a display that never blocks its caller, with our own driver and with luma."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from hardware.display import panel
from hardware.display.bus import I2cConnection
from hardware.display.luma import LumaPanel
from hardware.display.oled import OledPanel
from hardware.display.panel import ThreadedDisplay
from hardware.ports import BLANK_FRAME, DISPLAY_PAGES
from hardware.wiring import LumaDisplayWiring
from tests.english import english_error
from tests.hardware.chip import Chip, Kernel, Rig
from tests.hardware.frames import NOISE, texts


@pytest.fixture(params=["ssd1306 by ours", "sh1106 by ours", "sh1106 by luma"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    kind, _, driver = request.param.split()
    found = (
        LumaPanel(LumaDisplayWiring(kind, "i2c"), I2cConnection())
        if driver == "luma"
        else OledPanel(kind, I2cConnection())
    )
    with Rig(found, Chip(kind)).plugged_in() as made:
        yield made


def test_a_frame_of_a_wrong_size_is_refused(rig: Rig) -> None:
    with pytest.raises(ValueError, match="1024"):
        rig.display.show(b"")


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
    rig.show(BLANK_FRAME)
    rig.kernel.let_go.clear()
    before = rig.kernel.transactions

    for n in range(200):
        rig.display.show(texts(f"{n:03}"))
    assert rig.kernel.transactions == before  # show() has returned although the bus is stuck
    rig.kernel.let_go.set()
    rig.show(texts("199"))

    assert rig.kernel.transactions <= before + 4 * 2 * DISPLAY_PAGES  # luma sends whole frames


def test_a_display_that_is_pulled_out_is_told_once_and_made_ready_when_it_is_back(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "RETRY_SECONDS", 0.01)
    rig.show(texts("before"))
    rig.kernel.plugged = False
    rig.chip.lose_power()

    rig.display.show(texts("during"))
    assert rig.reported.wait(60)
    tries = rig.kernel.transactions
    rig.kernel.until(lambda: rig.kernel.transactions > tries + 4)
    rig.kernel.plugged = True
    rig.kernel.until(lambda: rig.chip.on)

    assert rig.chip.frame == texts("during")
    assert [english_error(error) for error in rig.reports] == [
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
    settings = rig.chip.settings
    rig.chip.lose_power()
    monkeypatch.setattr(panel, "REINITIALISE_AFTER_SECONDS", 0.0)

    rig.show(texts("after"))

    assert rig.chip.settings == settings != {}
    assert rig.reports == []


def test_a_display_that_is_pulled_out_again_is_told_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "RETRY_SECONDS", 0.01)
    rig.show(texts("0"))
    for n in "12":
        rig.reported.clear()
        rig.kernel.plugged = False
        rig.display.show(texts(n))
        assert rig.reported.wait(60)
        rig.kernel.plugged = True
        rig.kernel.until(lambda n=n: rig.chip.frame == texts(n))  # type: ignore[misc]
        rig.show(texts(f"{n}!"))

    assert len(rig.reports) == 2


@pytest.mark.sampled(1)
def test_a_dimmed_display_is_dimmer_and_a_dark_one_wakes_with_the_newest_frame(rig: Rig) -> None:
    rig.show(texts("one"))
    bright = rig.chip.contrast

    rig.display.set_brightness(10)
    rig.kernel.until(lambda: rig.chip.contrast == bright // 10)
    rig.display.set_brightness(0)
    rig.kernel.until(lambda: not rig.chip.on)
    rig.display.show(texts("two"))
    rig.chip.lose_power()
    rig.display.set_brightness(100)
    rig.kernel.until(lambda: rig.chip.on)

    assert rig.chip.frame == texts("two")
    assert rig.chip.contrast == bright


def test_a_closed_display_is_dark_and_its_bus_is_free(rig: Rig) -> None:
    rig.show(NOISE)

    rig.display.close()
    rig.display.close()

    assert not rig.chip.on
    assert rig.kernel.open_files == 0


def test_a_display_that_is_kept_goes_on_showing_its_last_frame(rig: Rig) -> None:
    rig.show(NOISE)
    rig.display.show(texts("Safe to unplug"))

    rig.display.close(keep=True)

    assert rig.chip.on
    assert rig.chip.frame == texts("Safe to unplug")
    assert rig.kernel.open_files == 0


def test_the_last_frame_before_closing_is_still_sent(rig: Rig) -> None:
    rig.show(NOISE)
    rig.kernel.let_go.clear()

    rig.display.show(texts("Goodbye"))
    rig.kernel.let_go.set()
    rig.display.close()

    assert rig.chip.frame == texts("Goodbye")


def test_a_stuck_bus_does_not_keep_a_program_from_ending(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "CLOSE_TIMEOUT_SECONDS", 0.01)
    rig.show(BLANK_FRAME)
    rig.kernel.let_go.clear()
    rig.display.show(NOISE)

    rig.display.close()

    assert rig.display._thread.daemon
    assert rig.display._thread.is_alive()
    rig.kernel.let_go.set()
    rig.display._thread.join()


def test_a_display_that_was_never_there_is_told_and_can_be_closed() -> None:
    kernel = Kernel()
    reported = Event()
    with kernel.patched():
        display = ThreadedDisplay(OledPanel("ssd1306", I2cConnection()), lambda _: reported.set())
        display.show(NOISE)
        assert reported.wait(60)
        display.close()

    assert not display._thread.is_alive()
    assert kernel.open_files == 0
