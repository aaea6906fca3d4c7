"""The scores of all cues: the source of the WAV files, which `sounds/compose.py` makes from them.

One scale for the box (C major pentatonic; `refused` and the two secret cues borrow a note from
outside it, on purpose), and a motif of three notes for each game, which stands in each of its own
cues and in nobody else's. What sets two cues apart is rhythm and contour, so that they are told
apart on any speaker and by ears that hear no timbre.
"""

from __future__ import annotations

from typing import Final, NamedTuple

PITCHES: Final = {
    "A4": 440.00, "Bb4": 466.16, "C5": 523.25, "D5": 587.33, "Eb5": 622.25, "E5": 659.26,
    "F#5": 739.99, "G5": 783.99, "A5": 880.00, "Bb5": 932.33, "B5": 987.77, "C6": 1046.50,
    "D6": 1174.66, "Eb6": 1244.51, "E6": 1318.51, "F#6": 1479.98, "G6": 1567.98,
}  # fmt: skip
"""Hertz. Nothing is below 440: a speaker of 2 cm plays next to nothing under 350."""


class Note(NamedTuple):
    """A stroke: when (seconds), which pitch, how long (seconds), how hard, where it glides to."""

    start: float
    pitch: str
    length: float
    force: float = 1.0
    to: str = ""


Score = tuple[Note, ...]


def _even(pitches: str, step: float, length: float, start: float = 0.0) -> Score:
    """Give notes at even distances."""
    names = pitches.split()
    return tuple(Note(start + step * i, name, length) for i, name in enumerate(names))


MOTIFS: Final = {
    "barney_miller": (5, -3),
    "kojak": (3, 3),
    "baretta": (0, 8),
    "probe": (2, 4),
}
"""How a game's three notes follow one another, in half-tones: a friendly call, up and a little
back; two minor thirds, as in a dark street; two knocks and a leap; a typewriter's climb."""

OWN: Final = {
    "barney_miller": (
        "begins_barney_miller", "total_reached", "round_won", "captured", "freed",
        "won_barney_miller",
    ),
    "kojak": (
        "begins_kojak", "mission", "warrant", "drum_roll", "trap", "kojak", "alarm", "race",
        "handcuffs", "won_kojak",
    ),
    "baretta": (
        "begins_baretta", "card_turned", "move_on", "stay_put", "wounded", "go_to", "in_trouble",
        "hunch", "guess", "placed", "marker_off", "out", "arrest", "won_baretta",
    ),
    "probe": (
        "begins_probe", "card_drawn", "uncovered", "said_no", "word_open", "word_kept",
        "interruption_right", "interruption_wrong", "last_rounds", "won_probe",
    ),
}  # fmt: skip
"""The cues that belong to one game; all others are the box's."""

LONG: Final = {
    "won_barney_miller": 3.0, "won_kojak": 3.0, "won_baretta": 3.0,
    "won_probe": 3.0, "hunch": 3.0,
}  # fmt: skip
"""Cues that may last longer than LONGEST, and how long, in seconds."""
LONGEST: Final = 1.5

_BOX: Final = {
    # The receipt of every press: one tick, over before it can bore.
    "accepted": (Note(0.00, "G5", 0.08),),
    # A shake of the head: two low strokes, a half-tone down.
    "refused": (Note(0.00, "Bb4", 0.12), Note(0.15, "A4", 0.26)),
    # A doorbell turned round: one step up, held.
    "your_turn": (Note(0.00, "G5", 0.20), Note(0.18, "C6", 0.55)),
    # Nothing happens: the same note again, further and further away.
    "zero_played": (
        Note(0.00, "D5", 0.20), Note(0.20, "D5", 0.20, 0.5), Note(0.40, "D5", 0.30, 0.25),
    ),
    # The tape runs back, and forward: one glide each.
    "undo": (Note(0.00, "C6", 0.30, 1.0, "C5"),),
    "redo": (Note(0.00, "C5", 0.30, 1.0, "C6"),),
    # A curtain: a strange step up and a flicker; down without one when it closes.
    "secret_shown": (
        Note(0.00, "A5", 0.30), Note(0.28, "Eb6", 0.12), Note(0.38, "D6", 0.12),
        Note(0.48, "Eb6", 0.12), Note(0.58, "D6", 0.40),
    ),
    "secret_hidden": (Note(0.00, "Eb6", 0.16), Note(0.14, "A5", 0.16), Note(0.36, "A4", 0.34)),
    # Cards on the table: five alike, evenly.
    "dealt": _even("E6 E6 E6 E6 E6", 0.08, 0.05),
    # Dice: they tumble, slow down and lie.
    "rolled": (
        Note(0.00, "A5", 0.05), Note(0.05, "D6", 0.05), Note(0.11, "G5", 0.05),
        Note(0.18, "C6", 0.06), Note(0.27, "G5", 0.07), Note(0.39, "C6", 0.08),
        Note(0.55, "G5", 0.30),
    ),
    # Good evening, and good night: three even steps up, three slower steps down.
    "ready": (Note(0.00, "C5", 0.22), Note(0.20, "G5", 0.22), Note(0.40, "D6", 0.60)),
    "goodbye": (Note(0.00, "D6", 0.34), Note(0.32, "G5", 0.34), Note(0.64, "C5", 0.70)),
}  # fmt: skip

_BARNEY_MILLER: Final = {
    # The morning shift: the call, leaning back, and a nod.
    "begins_barney_miller": (
        Note(0.00, "G5", 0.24), Note(0.24, "C6", 0.12), Note(0.36, "A5", 0.36),
        Note(0.72, "G5", 0.12), Note(0.84, "C6", 0.60),
    ),
    # Ten, on the dot: the call in a hurry, a breath, and a stop.
    "total_reached": (*_even("G5 C6 A5", 0.07, 0.12), Note(0.35, "C6", 0.45)),
    # A small flourish: the call, dotted, and up.
    "round_won": (
        Note(0.00, "G5", 0.22), Note(0.22, "C6", 0.10), Note(0.32, "A5", 0.22),
        Note(0.54, "E6", 0.62),
    ),
    # A cell door: the call, a run down, and the bolt.
    "captured": (
        *_even("G5 C6 A5 G5 E5 D5", 0.07, 0.10), Note(0.52, "A4", 0.40, 1.3),
    ),
    # The bolt, and the call in the street, twice, higher.
    "freed": (
        Note(0.00, "A4", 0.20, 1.3), *_even("D5 G5 E5", 0.08, 0.10, 0.24),
        *_even("A5 D6 B5", 0.08, 0.10, 0.50), Note(0.76, "E6", 0.45),
    ),
    # A street parade: the call three times, each time higher, and a chord.
    "won_barney_miller": (
        Note(0.00, "D5", 0.18), Note(0.18, "G5", 0.10), Note(0.28, "E5", 0.30),
        Note(0.64, "G5", 0.18), Note(0.82, "C6", 0.10), Note(0.92, "A5", 0.30),
        Note(1.28, "A5", 0.18), Note(1.46, "D6", 0.10), Note(1.56, "B5", 0.20),
        Note(1.78, "E6", 1.10), Note(1.78, "C6", 1.10, 0.7), Note(1.78, "G5", 1.10, 0.6),
    ),
}  # fmt: skip

_KOJAK: Final = {
    # A car turns into the street: the thirds, slowly, and it stops.
    "begins_kojak": (*_even("E5 G5 Bb5", 0.18, 0.22), Note(0.66, "A5", 0.70)),
    # The telephone: the thirds, hung up, and once more.
    "mission": (*_even("E5 G5 Bb5", 0.08, 0.12), *_even("E5 G5 Bb5", 0.08, 0.16, 0.44)),
    # A stamp: the thirds, and two blows.
    "warrant": (
        *_even("E5 G5 Bb5", 0.07, 0.10), Note(0.38, "E5", 0.12, 1.2), Note(0.58, "E5", 0.35, 1.2),
    ),
    # The roll, louder and louder, and what it was for.
    "drum_roll": (
        *(Note(0.05 * i, "E5", 0.06, 0.25 + 0.05 * i) for i in range(14)),
        Note(0.74, "G5", 0.12), Note(0.90, "Bb5", 0.45),
    ),
    # A foot through the floor.
    "trap": (*_even("A5 C6 Eb6", 0.10, 0.12), Note(0.34, "Eb6", 0.50, 1.0, "A4")),
    # The man himself: three steps, and there he stands.
    "kojak": (*_even("A5 C6 Eb6", 0.22, 0.26), Note(0.84, "E6", 0.60)),
    # A siren: up and down the thirds.
    "alarm": _even("A5 C6 Eb6 C6 A5 C6 Eb6 C6 A5 C6 Eb6", 0.11, 0.14),
    # Faster and faster, head to head.
    "race": (
        *_even("A5 C6 Eb6", 0.16, 0.16), *_even("A5 C6 Eb6", 0.10, 0.12, 0.50),
        *_even("A5 C6 Eb6", 0.06, 0.10, 0.82), Note(1.02, "E6", 0.40),
    ),
    # Two clicks, and the lid on the file.
    "handcuffs": (
        *_even("E5 G5 Bb5", 0.09, 0.12), Note(0.40, "E6", 0.06), Note(0.50, "E6", 0.06),
        Note(0.74, "A4", 0.45, 1.2),
    ),
    # The thirds climb over one another into daylight.
    "won_kojak": (
        *_even("E5 G5 Bb5", 0.15, 0.20), *_even("A5 C6 Eb6", 0.15, 0.20, 0.60),
        Note(1.20, "E6", 0.20), Note(1.40, "C6", 0.20), Note(1.60, "E6", 1.20),
        Note(1.60, "A5", 1.20, 0.8), Note(1.60, "C6", 1.20, 0.7),
    ),
}  # fmt: skip

_BARETTA: Final = {
    # Knock, knock, and the door flies open.
    "begins_baretta": (
        *_even("E5 E5", 0.16, 0.14), Note(0.48, "C6", 0.16), Note(0.64, "B5", 0.12),
        Note(0.80, "C6", 0.60),
    ),
    "card_turned": (*_even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.16)),
    # Off he goes, up the street.
    "move_on": _even("E5 E5 C6 D6 E6 G6", 0.09, 0.12),
    # He stands, and stands.
    "stay_put": (
        *_even("E5 E5", 0.07, 0.07), *_even("C6 C6 C6", 0.20, 0.16, 0.14),
    ),
    # A cry that sinks.
    "wounded": (*_even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.85, 1.0, "C5")),
    # A car door, and away.
    "go_to": (
        *_even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.14), Note(0.34, "E5", 0.45, 1.0, "E6"),
    ),
    # Steps behind him, deeper and deeper.
    "in_trouble": (
        *_even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.14), Note(0.36, "Bb4", 0.18),
        Note(0.62, "A4", 0.40),
    ),
    # A thought that comes slowly, and waits: silence, please.
    "hunch": (
        Note(0.00, "E5", 0.40), Note(0.45, "E5", 0.40), Note(0.90, "C6", 0.70),
        Note(1.60, "B5", 0.35, 0.7), Note(1.95, "C6", 0.85, 0.6),
    ),
    # Knocks at two doors.
    "guess": (*_even("E5 E5 C6", 0.12, 0.14), *_even("E5 E5 C6", 0.12, 0.18, 0.50)),
    # A counter set down, and taken up.
    "placed": (*_even("E5 E5", 0.07, 0.07), Note(0.14, "C6", 0.10), Note(0.32, "C5", 0.25)),
    "marker_off": (
        Note(0.00, "C5", 0.14), *_even("E5 E5", 0.07, 0.07, 0.18), Note(0.32, "C6", 0.30),
    ),
    # The door falls shut on a player.
    "out": (
        *_even("E5 E5", 0.12, 0.12), Note(0.24, "C6", 0.24), Note(0.52, "G5", 0.14),
        Note(0.68, "Eb5", 0.14), Note(0.84, "A4", 0.60, 1.2),
    ),
    # Got him: the leap, and the leap again on top of it.
    "arrest": (
        *_even("E5 E5 C6", 0.12, 0.14), *_even("G5 G5 Eb6", 0.12, 0.14, 0.40),
        Note(0.78, "E6", 0.22), Note(0.98, "G6", 0.50),
    ),
    "won_baretta": (
        *_even("E5 E5", 0.14, 0.14), Note(0.42, "C6", 0.30), *_even("E5 E5", 0.14, 0.14, 0.84),
        Note(1.26, "C6", 0.20), Note(1.46, "D6", 0.20), Note(1.66, "E6", 1.20),
        Note(1.66, "C6", 1.20, 0.7), Note(1.66, "G5", 1.20, 0.6),
    ),
}  # fmt: skip

_PROBE: Final = {
    # A sheet is turned in, and the bell.
    "begins_probe": (
        *_even("C5 D5 F#5", 0.12, 0.10), *_even("C6 D6 F#6", 0.12, 0.10, 0.42),
        Note(0.90, "G6", 0.55),
    ),
    "card_drawn": _even("C6 D6 F#6", 0.09, 0.12),
    # A letter: it falls into place, and rings.
    "uncovered": (*_even("C6 D6 F#6", 0.06, 0.08), Note(0.20, "G6", 0.45)),
    # None: the key falls back.
    "said_no": (*_even("C6 D6 F#6", 0.06, 0.08), Note(0.24, "D5", 0.30)),
    # The whole line, and the bell.
    "word_open": (
        *_even("C5 D5 F#5 C6 D6 F#6", 0.08, 0.10), Note(0.52, "E6", 0.14), Note(0.66, "G6", 0.60),
    ),
    # Still covered: the line again and again, and it holds.
    "word_kept": (
        *_even("C5 D5 F#5", 0.10, 0.12), *_even("C5 D5 F#5", 0.10, 0.12, 0.36),
        Note(0.76, "C6", 0.50),
    ),
    # A hand on the table; then up, or down.
    "interruption_right": (
        Note(0.00, "A4", 0.10, 1.2), Note(0.12, "A4", 0.10, 1.2),
        *_even("C6 D6 F#6", 0.10, 0.12, 0.32), Note(0.66, "G6", 0.50),
    ),
    "interruption_wrong": (
        Note(0.00, "A4", 0.10, 1.2), Note(0.12, "A4", 0.10, 1.2),
        *_even("C6 D6 F#6", 0.10, 0.12, 0.32), Note(0.66, "Bb4", 0.16), Note(0.86, "A4", 0.40),
    ),
    # The clock strikes.
    "last_rounds": (*_even("C5 D5 F#5", 0.30, 0.34), Note(0.95, "C5", 0.50, 1.2)),
    "won_probe": (
        *_even("C5 D5 F#5", 0.13, 0.13), *_even("C6 D6 F#6", 0.13, 0.13, 0.45),
        *_even("C6 D6 F#6", 0.13, 0.13, 0.95), Note(1.45, "G6", 1.20), Note(1.45, "B5", 1.20, 0.8),
        Note(1.45, "D6", 1.20, 0.7),
    ),
}  # fmt: skip

CUES: Final[dict[str, Score]] = {**_BOX, **_BARNEY_MILLER, **_KOJAK, **_BARETTA, **_PROBE}
"""Every cue as its score."""
