"""Measure colour LCDs: changed rectangles against luma's whole frames, on a dummy bus.

A turn is a turn of the wheel in a whole game, as in `bus`. The rates without a bus are measured
for both ways in this run. The rates of the board's bus are computed from the bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from hardware.boards.board_file import load_known_board
from hardware.ports import DOWN, UP
from hardware.wiring import LumaDisplayWiring
from tests.system.bench.bus import whole_game
from tests.system.bench.row import MissingTool, Row

LCDS: Final = ("pirate-audio", "display-hat-mini", "waveshare-lcd-1in44")
GAME: Final = "kojak"
MIN_FRAMES_PER_SECOND: Final = 10
"""Minimum ratio of the bytes of a whole frame to the bytes of a turn."""


class Counted:
    """A wire and luma interface that sends nothing and counts bytes."""

    def __init__(self) -> None:
        from luma.core.interface.serial import noop  # noqa: PLC0415 - luma is optional

        self.bus, self.bytes = noop(), 0

    def open(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def cleanup(self) -> None:
        """Do nothing."""

    def send(self, commands: bytes, data: bytes = b"") -> None:
        """Count the bytes of a message."""
        if commands:
            self.command(*commands)
        if data:
            self.data(data)

    def command(self, *codes: int) -> None:
        """Count the bytes of commands."""
        self.bytes += len(codes)
        self.bus.command(*codes)

    def data(self, data: Sequence[int]) -> None:
        """Count the bytes of data."""
        self.bytes += len(data)
        self.bus.data(data)


def turns(_: Path) -> Iterator[Row]:
    """Yield for each board the bytes sent when the wheel turns, and the frames a second."""
    try:
        from hardware.display import luma  # noqa: PLC0415 - luma is optional
    except ImportError as error:
        raise MissingTool("luma.lcd", None) from error
    if "st7789" not in luma.installed_panel_kinds_by_name():
        raise MissingTool("luma.lcd", None)
    presses = [press for press in whole_game(GAME, 0) if press.button in (UP, DOWN)]
    pairs = [(p.frames[-2], p.frames[-1]) for p in presses if len(p.frames) > 1]
    for name in LCDS:
        screen = load_known_board(name).display
        assert isinstance(screen, LumaDisplayWiring)
        yield from _board(name, screen, pairs, luma)


def _board(
    name: str, screen: LumaDisplayWiring, pairs: Sequence[tuple[bytes, bytes]], luma: Any
) -> Iterator[Row]:
    ours, stock = Counted(), Counted()
    panel = luma.LcdPanel(screen, ours, pause=lambda _: None)
    panel.open()
    device, _ = luma.make_luma_device_and_contrast(screen, stock)
    if hasattr(device, "framebuffer"):  # otherwise luma sends only changed parts
        device.framebuffer = None
        device.init_framebuffer(_whole(), 1)

    def whole(_: bytes, new: bytes) -> None:
        picture = luma.frame_as_pillow_picture(new)
        device.display(luma.fit_frame_picture_to_panel(picture, device.size, device.mode))

    by_us = _measured(ours, lambda old, new: panel.draw(new, old), pairs)
    by_luma = _measured(stock, whole, pairs[:20])
    times = by_luma[0] / by_us[0]
    yield Row(
        f"LCD, {name}: bytes of a turn, median; luma's frame",
        f"{by_us[0]:,.0f}; {by_luma[0]:,.0f} ({times:,.0f} times)",
        f"{MIN_FRAMES_PER_SECOND} times",
        times >= MIN_FRAMES_PER_SECOND,
    )
    speed = screen.speed or 0
    through = " and ".join(f"{speed / 8 / n:,.0f}" for n in (by_us[0], by_luma[0]))
    yield Row("  turns a second that the bus lets through; luma's frames", through)
    faster = by_us[1] / by_luma[1]
    yield Row(
        "  turns a second that are made here; luma's frames",
        f"{by_us[1]:,.0f}; {by_luma[1]:,.0f} ({faster:.0f} times)",
        "1 times",
        faster >= 1,
    )


def _whole() -> Any:
    """Return luma's function that sends whole frames."""
    from luma.core.framebuffer import full_frame  # noqa: PLC0415 - luma is optional

    return full_frame()


def _measured(
    counted: Counted, show: Callable[[bytes, bytes], None], pairs: Sequence[tuple[bytes, bytes]]
) -> tuple[float, float]:
    """Return the median bytes of a frame, and the frames a second."""
    each = []
    begun = time.perf_counter()
    for old, new in pairs:
        before = counted.bytes
        show(old, new)
        each.append(counted.bytes - before)
    return median(each), len(pairs) / (time.perf_counter() - begun)
