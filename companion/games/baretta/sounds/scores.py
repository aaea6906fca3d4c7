"""The scores of Baretta. Its motif: two knocks and a leap."""

from __future__ import annotations

from typing import Final

from sounds.scores import Family, Note, even

_CUES: Final = {
    # Knock, knock, and the door flies open.
    "begins_baretta": (
        *even("E5 E5", 0.16, 0.14), Note(0.48, "C6", 0.16), Note(0.64, "B5", 0.12),
        Note(0.80, "C6", 0.60),
    ),
    "card_turned": (*even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.16)),
    # Off he goes, up the street.
    "move_on": even("E5 E5 C6 D6 E6 G6", 0.09, 0.12),
    # He stands, and stands.
    "stay_put": (
        *even("E5 E5", 0.07, 0.07), *even("C6 C6 C6", 0.20, 0.16, 0.14),
    ),
    # A cry that sinks.
    "wounded": (*even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.85, 1.0, "C5")),
    # A car door, and away.
    "go_to": (
        *even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.14), Note(0.34, "E5", 0.45, 1.0, "E6"),
    ),
    # Steps behind him, deeper and deeper.
    "in_trouble": (
        *even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.14), Note(0.36, "Bb4", 0.18),
        Note(0.62, "A4", 0.40),
    ),
    # A thought that comes slowly, and waits: silence, please.
    "hunch": (
        Note(0.00, "E5", 0.40), Note(0.45, "E5", 0.40), Note(0.90, "C6", 0.70),
        Note(1.60, "B5", 0.35, 0.7), Note(1.95, "C6", 0.85, 0.6),
    ),
    # Knocks at two doors.
    "guess": (*even("E5 E5 C6", 0.12, 0.14), *even("E5 E5 C6", 0.12, 0.18, 0.50)),
    # A counter set down, and taken up.
    "placed": (*even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.10), Note(0.32, "C5", 0.25)),
    "marker_off": (
        Note(0.00, "C5", 0.14), *even("E5 E5", 0.07, 0.07, 0.18), Note(0.32, "C6", 0.30),
    ),
    # The door falls shut on a player.
    "out": (
        *even("E5 E5", 0.12, 0.12), Note(0.24, "C6", 0.24), Note(0.52, "G5", 0.14),
        Note(0.68, "Eb5", 0.14), Note(0.84, "A4", 0.60, 1.2),
    ),
    # Got him: the leap, and the leap again on top of it.
    "arrest": (
        *even("E5 E5 C6", 0.12, 0.14), *even("G5 G5 Eb6", 0.12, 0.14, 0.40),
        Note(0.78, "E6", 0.22), Note(0.98, "G6", 0.50),
    ),
    "won_baretta": (
        *even("E5 E5", 0.14, 0.14), Note(0.42, "C6", 0.30), *even("E5 E5", 0.14, 0.14, 0.84),
        Note(1.26, "C6", 0.20), Note(1.46, "D6", 0.20), Note(1.66, "E6", 1.20),
        Note(1.66, "C6", 1.20, 0.7), Note(1.66, "G5", 1.20, 0.6),
    ),
}  # fmt: skip

FAMILY: Final = Family(_CUES, motif=(0, 8), longer={"won_baretta": 3.0, "hunch": 3.0})
