"""What scores are made of, and the box's own: the source of the WAV files beside this script.

One scale for the box (C major pentatonic; `refused` and the two secret cues borrow a note from
outside it, on purpose), and a motif of three notes for each game, which stands in each of its own
cues and in nobody else's. What sets two cues apart is rhythm and contour, so that they are told
apart on any speaker and by ears that hear no timbre.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def even(pitches: str, step: float, length: float, start: float = 0.0) -> Score:
    """Give notes at even distances."""
    names = pitches.split()
    return tuple(Note(start + step * i, name, length) for i, name in enumerate(names))


LONGEST: Final = 1.5
"""How long a cue may last, in seconds."""


class Family(NamedTuple):
    """The cues whose files are in one folder: the box's, or those of one game.

    `motif` is how a game's three notes follow one another, in half-tones. `longer` are the cues
    that may last longer than LONGEST, and how long, in seconds. `softer` are those that are not as
    loud as all others, and by how many dB.
    """

    cues: Mapping[str, Score]
    motif: tuple[int, int] | None = None
    longer: Mapping[str, float] = MappingProxyType({})
    softer: Mapping[str, float] = MappingProxyType({})


_CUES: Final = {
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
        Note(0.00, "A5", 0.09), Note(0.09, "Eb6", 0.04), Note(0.12, "D6", 0.04),
        Note(0.15, "Eb6", 0.04), Note(0.18, "D6", 0.14),
    ),
    "secret_hidden": (Note(0.00, "Eb6", 0.05), Note(0.05, "A5", 0.05), Note(0.12, "A4", 0.11)),
    # Cards on the table: five alike, evenly.
    "dealt": even("E6 E6 E6 E6 E6", 0.08, 0.05),
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

FAMILY: Final = Family(_CUES, softer=MappingProxyType({"accepted": 12.0}))
"""The box's cues; those of a game stand in the `sounds/` of its folder."""
