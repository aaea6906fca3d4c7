"""The animation of the README: two rounds of a real game, as the display shows them.

python -m book.film draws docs/game.gif again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image

from hardware.display.pixels import HEIGHT, rows
from hardware.ports import WIDTH
from tests.helpers import OWN, Drive, begun, setup_for

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE: Final = Path(__file__).parents[1] / "docs" / "game.gif"
SCALE: Final = 3
"""Size of a display's pixel in the animation (pixels)."""
COLOURS: Final = (6, 9, 13, 207, 228, 255)
"""Dark and lit colour (RGB), as in the window."""
CARDS: Final = (2, 3, 1, 5, 4, 2, 3, 5)
"""The cards that are played in two rounds; the fourth one exceeds ten."""
STEP, STAND = 450, 1500
"""Milliseconds for a step of the cursor, and for a frame to read."""


def shots() -> Iterator[tuple[bytes, int]]:
    """Yield each frame, and how long it is shown (ms)."""
    drive = Drive(begun(setup_for(OWN, players=("Fish", "Harris"), seed="film")))
    drive.choose("resume")
    for card in CARDS:
        yield from _read_moments(drive)
        yield drive.frame, STEP
        drive.turn_to(card)
        yield drive.frame, STEP
        drive.press("ok")
    yield from _read_moments(drive)


def _read_moments(drive: Drive) -> Iterator[tuple[bytes, int]]:
    """Yield the moments in front of the next question, one after another."""
    while drive.moments:
        yield drive.frame, STAND
        drive.press("ok")


def image(frame: bytes) -> Image.Image:
    """Return a frame as a picture of two colours."""
    small = Image.new("P", (WIDTH, HEIGHT))
    small.putpalette(COLOURS)
    small.putdata([pixel for row in rows(frame) for pixel in row])
    return small.resize((WIDTH * SCALE, HEIGHT * SCALE), Image.Resampling.NEAREST)


def draw(file: Path) -> None:
    """Write the animation, which repeats for ever."""
    frames, times = zip(*shots(), strict=True)
    first, *more = map(image, frames)
    first.save(file, save_all=True, append_images=more, duration=times, loop=0, optimize=True)


if __name__ == "__main__":
    draw(FILE)
