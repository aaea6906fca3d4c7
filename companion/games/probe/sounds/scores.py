"""The scores of Probe. Its motif: a typewriter's climb, a whole tone and two."""

from __future__ import annotations

from typing import Final

from sounds.scores import Family, Note, even

_CUES: Final = {
    # A sheet is turned in, and the bell.
    "begins_probe": (
        *even("C5 D5 F#5", 0.12, 0.10), *even("C6 D6 F#6", 0.12, 0.10, 0.42),
        Note(0.90, "G6", 0.55),
    ),
    "card_drawn": even("C6 D6 F#6", 0.09, 0.12),
    # A letter: it falls into place, and rings.
    "uncovered": (*even("C6 D6 F#6", 0.06, 0.08), Note(0.20, "G6", 0.45)),
    # None: the key falls back.
    "said_no": (*even("C6 D6 F#6", 0.06, 0.08), Note(0.24, "D5", 0.30)),
    # The whole line, and the bell.
    "word_open": (
        *even("C5 D5 F#5 C6 D6 F#6", 0.08, 0.10), Note(0.52, "E6", 0.14), Note(0.66, "G6", 0.60),
    ),
    # Still covered: the line again and again, and it holds.
    "word_kept": (
        *even("C5 D5 F#5", 0.10, 0.12), *even("C5 D5 F#5", 0.10, 0.12, 0.36),
        Note(0.76, "C6", 0.50),
    ),
    # A hand on the table; then up, or down.
    "interruption_right": (
        Note(0.00, "A4", 0.10, 1.2), Note(0.12, "A4", 0.10, 1.2),
        *even("C6 D6 F#6", 0.10, 0.12, 0.32), Note(0.66, "G6", 0.50),
    ),
    "interruption_wrong": (
        Note(0.00, "A4", 0.10, 1.2), Note(0.12, "A4", 0.10, 1.2),
        *even("C6 D6 F#6", 0.10, 0.12, 0.32), Note(0.66, "Bb4", 0.16), Note(0.86, "A4", 0.40),
    ),
    # The clock strikes.
    "last_rounds": (*even("C5 D5 F#5", 0.30, 0.34), Note(0.95, "C5", 0.50, 1.2)),
    "won_probe": (
        *even("C5 D5 F#5", 0.13, 0.13), *even("C6 D6 F#6", 0.13, 0.13, 0.45),
        *even("C6 D6 F#6", 0.13, 0.13, 0.95), Note(1.45, "G6", 1.20), Note(1.45, "B5", 1.20, 0.8),
        Note(1.45, "D6", 1.20, 0.7),
    ),
}  # fmt: skip

FAMILY: Final = Family(_CUES, motif=(2, 4), longer={"won_probe": 3.0})
