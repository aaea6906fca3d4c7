"""Draw the spectrograms of all sounds: `python -m sounds.picture docs/sounds.png`.

One tile per sound: time to the right (70 pixels per second), pitch upwards from 250 Hz (20 pixels
per octave), darker is louder, over 50 dB. The line is at 350 Hz: a small speaker plays only higher
pitches.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sounds.compose import FULL_SAMPLE, PACKAGES, kept, read
from sounds.measure import RATE

COLUMNS: Final = 6
SECOND: Final = 70
OCTAVE: Final = 20
LOWEST: Final = 250.0
RANGE: Final = 50.0
"""Decibels from white to black."""
LIMIT: Final = 350.0
WIDTH, HEIGHT, LABEL, MARGIN = 3 * SECOND, 5 * OCTAVE, 12, 6
WINDOW: Final = 2048

Pixels = NDArray[np.uint8]


def spectrogram(file: Path) -> Pixels:
    """Return HEIGHT rows of WIDTH greys; 255 is silence."""
    sound = np.zeros(round(WIDTH / SECOND * RATE) + WINDOW)
    samples = read(file) / FULL_SAMPLE
    sound[WINDOW // 2 : WINDOW // 2 + samples.size] = samples
    begins = (np.arange(WIDTH) * RATE) // SECOND
    frames = sound[begins[:, None] + np.arange(WINDOW)] * np.hanning(WINDOW)
    strength = np.abs(np.fft.rfft(frames, 4 * WINDOW)) / (WINDOW / 4)
    hertz = LOWEST * 2 ** (np.arange(HEIGHT, 0, -1) / OCTAVE)
    bins = np.round(hertz / RATE * 4 * WINDOW).astype(int)
    level = 20 * np.log10(np.maximum(strength[:, bins].T, 1e-9)) / RANGE
    return np.round(255 * np.clip(-level, 0, 1)).astype(np.uint8)


def groups() -> list[list[Path]]:
    """Return the files in the order of the picture: the box's, then each game's in a new row."""
    return [[one.file(name) for name in one.family.cues] for one in map(kept, PACKAGES)]


def picture() -> Image.Image:
    """Return the picture of all sounds."""
    rows = [
        group[start : start + COLUMNS]
        for group in groups()
        for start in range(0, len(group), COLUMNS)
    ]
    across, down = WIDTH + MARGIN, HEIGHT + LABEL + MARGIN
    image = Image.new("L", (COLUMNS * across + MARGIN, len(rows) * down + MARGIN), 255)
    draw = ImageDraw.Draw(image)
    limit = HEIGHT - round(OCTAVE * float(np.log2(LIMIT / LOWEST)))
    for y, row in enumerate(rows):
        for x, file in enumerate(row):
            left, top = MARGIN + x * across, MARGIN + y * down
            draw.text((left, top - 1), file.stem, fill=0)
            image.paste(Image.fromarray(spectrogram(file)), (left, top + LABEL))
            draw.line((left, top + LABEL + limit, left + WIDTH, top + LABEL + limit), fill=200)
            draw.rectangle(
                (left - 1, top + LABEL - 1, left + WIDTH, top + LABEL + HEIGHT), None, 160
            )
    return image


if __name__ == "__main__":
    picture().save(Path(sys.argv[1]), optimize=True)
