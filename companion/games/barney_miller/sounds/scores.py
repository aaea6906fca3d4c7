"""The scores of Barney Miller. Its motif: a friendly call, up and a little back."""

from __future__ import annotations

from typing import Final

from sounds.scores import Family, Note, even

_CUES: Final = {
    # The morning shift: the call, leaning back, and a nod.
    "begins_barney_miller": (
        Note(0.00, "G5", 0.24), Note(0.24, "C6", 0.12), Note(0.36, "A5", 0.36),
        Note(0.72, "G5", 0.12), Note(0.84, "C6", 0.60),
    ),
    # Ten, on the dot: the call in a hurry, a breath, and a stop.
    "total_reached": (*even("G5 C6 A5", 0.07, 0.12), Note(0.35, "C6", 0.45)),
    # A small flourish: the call, dotted, and up.
    "round_won": (
        Note(0.00, "G5", 0.22), Note(0.22, "C6", 0.10), Note(0.32, "A5", 0.22),
        Note(0.54, "E6", 0.62),
    ),
    # A cell door: the call, a run down, and the bolt.
    "captured": (
        *even("G5 C6 A5 G5 E5 D5", 0.07, 0.10), Note(0.52, "A4", 0.40, 1.3),
    ),
    # The bolt, and the call in the street, twice, higher.
    "freed": (
        Note(0.00, "A4", 0.20, 1.3), *even("D5 G5 E5", 0.08, 0.10, 0.24),
        *even("A5 D6 B5", 0.08, 0.10, 0.50), Note(0.76, "E6", 0.45),
    ),
    # A street parade: the call three times, each time higher, and a chord.
    "won_barney_miller": (
        Note(0.00, "D5", 0.18), Note(0.18, "G5", 0.10), Note(0.28, "E5", 0.30),
        Note(0.64, "G5", 0.18), Note(0.82, "C6", 0.10), Note(0.92, "A5", 0.30),
        Note(1.28, "A5", 0.18), Note(1.46, "D6", 0.10), Note(1.56, "B5", 0.20),
        Note(1.78, "E6", 1.10), Note(1.78, "C6", 1.10, 0.7), Note(1.78, "G5", 1.10, 0.6),
    ),
}  # fmt: skip

FAMILY: Final = Family(_CUES, motif=(5, -3), longer={"won_barney_miller": 3.0})
