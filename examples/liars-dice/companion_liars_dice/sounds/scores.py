"""The scores of liar's dice. Its motif: a fourth up and back, as a cup that is set down."""

from __future__ import annotations

from typing import Final

from sounds.scores import Family, Note, even

_CUES: Final = {
    # All cups at once: they rattle, and stand.
    "shaken": (
        *even("D5 G5 D5 G5 D5 G5", 0.06, 0.06), *even("D5 G5 D5", 0.10, 0.12, 0.42),
    ),
    # A word across the table.
    "bid": even("D5 G5 D5", 0.07, 0.09),
    # A fist beside the cup: the motif, and a step out of the scale.
    "doubt": (*even("D5 G5 D5", 0.10, 0.12), Note(0.34, "Bb4", 0.30, 1.2)),
    # A cup goes up.
    "lifted": (*even("D5 G5 D5", 0.06, 0.08), Note(0.20, "D5", 0.25, 0.9, "D6")),
    "true": (*even("D5 G5 D5", 0.10, 0.12), Note(0.34, "G5", 0.12), Note(0.46, "D6", 0.45)),
    "false": (*even("D5 G5 D5", 0.10, 0.12), Note(0.34, "Bb4", 0.14), Note(0.50, "A4", 0.45)),
    "won": (
        *even("D5 G5 D5", 0.12, 0.13), *even("D5 G5 D5", 0.12, 0.13, 0.42),
        Note(0.82, "D6", 0.65), Note(0.82, "G5", 0.65, 0.8),
    ),
}  # fmt: skip

FAMILY: Final = Family(_CUES, motif=(5, -5))
