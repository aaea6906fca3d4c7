"""The command `python -m sounds.picture docs/sounds.png`, which draws all spectrograms.

The picture has one tile for each sound. Time runs to the right, 70 pixels a second. Pitch rises
from 250 Hz at the bottom, 20 pixels an octave. Darker pixels are louder; the range from white to
black is 50 dB. A line marks 350 Hz, because a small speaker plays only pitches above 350 Hz.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sounds.compose import FULL_SAMPLE, SOUND_PACKAGES, load_sound_scores_and_folder, read_wav
from sounds.measure import SAMPLE_RATE

TILE_COLUMNS: Final = 6
PIXELS_PER_SECOND: Final = 70
PIXELS_PER_OCTAVE: Final = 20
LOWEST_HERTZ: Final = 250.0
RANGE_DECIBELS: Final = 50.0
"""Range of loudness (dB) from a white pixel to a black pixel."""
SPEAKER_LIMIT_HERTZ: Final = 350.0
TILE_WIDTH, TILE_HEIGHT, LABEL_HEIGHT, TILE_MARGIN = (
    3 * PIXELS_PER_SECOND,
    5 * PIXELS_PER_OCTAVE,
    12,
    6,
)
WINDOW_SAMPLES: Final = 2048

Pixels = NDArray[np.uint8]


def spectrogram_rows(file: Path) -> Pixels:
    """Return the spectrogram of a WAV file as TILE_HEIGHT rows of TILE_WIDTH grey values.

    The grey value 255 means silence.
    """
    sound = np.zeros(round(TILE_WIDTH / PIXELS_PER_SECOND * SAMPLE_RATE) + WINDOW_SAMPLES)
    samples = read_wav(file) / FULL_SAMPLE
    sound[WINDOW_SAMPLES // 2 : WINDOW_SAMPLES // 2 + samples.size] = samples
    begins = (np.arange(TILE_WIDTH) * SAMPLE_RATE) // PIXELS_PER_SECOND
    frames = sound[begins[:, None] + np.arange(WINDOW_SAMPLES)] * np.hanning(WINDOW_SAMPLES)
    strength = np.abs(np.fft.rfft(frames, 4 * WINDOW_SAMPLES)) / (WINDOW_SAMPLES / 4)
    hertz = LOWEST_HERTZ * 2 ** (np.arange(TILE_HEIGHT, 0, -1) / PIXELS_PER_OCTAVE)
    bins = np.round(hertz / SAMPLE_RATE * 4 * WINDOW_SAMPLES).astype(int)
    level = 20 * np.log10(np.maximum(strength[:, bins].T, 1e-9)) / RANGE_DECIBELS
    return np.round(255 * np.clip(-level, 0, 1)).astype(np.uint8)


def sound_files_in_picture_order() -> list[list[Path]]:
    """Return lists of sound files in the picture's order: the box's list, then each game's list."""
    return [
        [sound_folder.sound_file_path(name) for name in sound_folder.family.cues]
        for sound_folder in map(load_sound_scores_and_folder, SOUND_PACKAGES)
    ]


def all_spectrograms_picture() -> Image.Image:
    """Return a picture with the spectrograms of all sounds.

    The tiles of each game begin in a new row.
    """
    rows = [
        group[start : start + TILE_COLUMNS]
        for group in sound_files_in_picture_order()
        for start in range(0, len(group), TILE_COLUMNS)
    ]
    across, down = TILE_WIDTH + TILE_MARGIN, TILE_HEIGHT + LABEL_HEIGHT + TILE_MARGIN
    image = Image.new(
        "L", (TILE_COLUMNS * across + TILE_MARGIN, len(rows) * down + TILE_MARGIN), 255
    )
    draw = ImageDraw.Draw(image)
    limit = TILE_HEIGHT - round(
        PIXELS_PER_OCTAVE * float(np.log2(SPEAKER_LIMIT_HERTZ / LOWEST_HERTZ))
    )
    for y, row in enumerate(rows):
        for x, file in enumerate(row):
            left, top = TILE_MARGIN + x * across, TILE_MARGIN + y * down
            draw.text((left, top - 1), file.stem, fill=0)
            image.paste(Image.fromarray(spectrogram_rows(file)), (left, top + LABEL_HEIGHT))
            draw.line(
                (left, top + LABEL_HEIGHT + limit, left + TILE_WIDTH, top + LABEL_HEIGHT + limit),
                fill=200,
            )
            draw.rectangle(
                (
                    left - 1,
                    top + LABEL_HEIGHT - 1,
                    left + TILE_WIDTH,
                    top + LABEL_HEIGHT + TILE_HEIGHT,
                ),
                None,
                160,
            )
    return image


if __name__ == "__main__":
    all_spectrograms_picture().save(Path(sys.argv[1]), optimize=True)
