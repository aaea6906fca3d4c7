"""The animation in README.md: two rounds of a game, as the display shows the game.

The command `python -m book.film` writes the animation to docs/game.gif.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PIL import Image

from hardware.display.frame_conversions import HEIGHT, frame_as_pixel_rows
from hardware.ports import DISPLAY_WIDTH
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, setup_for

ANIMATION_FILE: Final = Path(__file__).parents[1] / "docs" / "game.gif"
PIXEL_SCALE: Final = 3
"""Width and height (pixels) of one display pixel in the animation."""
PALETTE: Final = (6, 9, 13, 207, 228, 255)
"""Colours of dark and lit pixels (RGB), as in the box's window on a computer."""
PLAYED_CARDS: Final = (2, 3, 1, 5, 4, 2, 3, 5)
"""The cards that players play in two rounds. The fourth card makes the total exceed ten."""
STEP_MILLISECONDS, STILL_MILLISECONDS = 450, 1500
"""Times (milliseconds) for which a frame is shown.

- STEP_MILLISECONDS: a frame before the next step of the cursor.
- STILL_MILLISECONDS: a frame with an overlay, such as a result.
"""


def animation_frames_with_durations() -> Iterator[tuple[bytes, int]]:
    """Yield each frame of the animation, and the time for which the frame is shown (ms)."""
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS, players=("Fish", "Harris"), seed="film")))
    drive.choose("resume")
    for card in PLAYED_CARDS:
        yield from _read_moments(drive)
        yield drive.frame, STEP_MILLISECONDS
        drive.turn_to(card)
        yield drive.frame, STEP_MILLISECONDS
        drive.press("ok")
    yield from _read_moments(drive)


def _read_moments(drive: Drive) -> Iterator[tuple[bytes, int]]:
    while drive.moments:
        yield drive.frame, STILL_MILLISECONDS
        drive.press("ok")


def enlarged_frame_image(frame: bytes) -> Image.Image:
    """Return a frame as an enlarged picture in two colours."""
    small = Image.new("P", (DISPLAY_WIDTH, HEIGHT))
    small.putpalette(PALETTE)
    small.putdata([pixel for row in frame_as_pixel_rows(frame) for pixel in row])
    return small.resize(
        (DISPLAY_WIDTH * PIXEL_SCALE, HEIGHT * PIXEL_SCALE), Image.Resampling.NEAREST
    )


def write_animation_gif(file: Path) -> None:
    """Write the animation as a GIF file that repeats for ever."""
    frames, times = zip(*animation_frames_with_durations(), strict=True)
    first, *more = map(enlarged_frame_image, frames)
    first.save(file, save_all=True, append_images=more, duration=times, loop=0, optimize=True)


if __name__ == "__main__":
    write_animation_gif(ANIMATION_FILE)
