"""The scores of Kojak. Its motif: two minor thirds, as in a dark street."""

from __future__ import annotations

from typing import Final

from sounds.scores import Family, Note, even

_CUES: Final = {
    # A car turns into the street: the thirds, slowly, and it stops.
    "begins_kojak": (*even("E5 G5 Bb5", 0.18, 0.22), Note(0.66, "A5", 0.70)),
    # The telephone: the thirds, hung up, and once more.
    "mission": (*even("E5 G5 Bb5", 0.08, 0.12), *even("E5 G5 Bb5", 0.08, 0.16, 0.44)),
    # A stamp: the thirds, and two blows.
    "warrant": (
        *even("E5 G5 Bb5", 0.07, 0.10), Note(0.38, "E5", 0.12, 1.2), Note(0.58, "E5", 0.35, 1.2),
    ),
    # The roll, louder and louder, and what it was for.
    "drum_roll": (
        *(Note(0.05 * i, "E5", 0.06, 0.25 + 0.05 * i) for i in range(14)),
        Note(0.74, "G5", 0.12), Note(0.90, "Bb5", 0.45),
    ),
    # A foot through the floor.
    "trap": (*even("A5 C6 Eb6", 0.10, 0.12), Note(0.34, "Eb6", 0.50, 1.0, "A4")),
    # The man himself: three steps, and there he stands.
    "kojak": (*even("A5 C6 Eb6", 0.22, 0.26), Note(0.84, "E6", 0.60)),
    # A siren: up and down the thirds.
    "alarm": even("A5 C6 Eb6 C6 A5 C6 Eb6 C6 A5 C6 Eb6", 0.11, 0.14),
    # Faster and faster, head to head.
    "race": (
        *even("A5 C6 Eb6", 0.16, 0.16), *even("A5 C6 Eb6", 0.10, 0.12, 0.50),
        *even("A5 C6 Eb6", 0.06, 0.10, 0.82), Note(1.02, "E6", 0.40),
    ),
    # Two clicks, and the lid on the file.
    "handcuffs": (
        *even("E5 G5 Bb5", 0.09, 0.12), Note(0.40, "E6", 0.06), Note(0.50, "E6", 0.06),
        Note(0.74, "A4", 0.45, 1.2),
    ),
    # The thirds climb over one another into daylight.
    "won_kojak": (
        *even("E5 G5 Bb5", 0.15, 0.20), *even("A5 C6 Eb6", 0.15, 0.20, 0.60),
        Note(1.20, "E6", 0.20), Note(1.40, "C6", 0.20), Note(1.60, "E6", 1.20),
        Note(1.60, "A5", 1.20, 0.8), Note(1.60, "C6", 1.20, 0.7),
    ),
}  # fmt: skip

FAMILY: Final = Family(_CUES, motif=(3, 3), longer={"won_kojak": 3.0})
