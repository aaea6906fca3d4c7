"""Classes and functions for the scores of sounds, and the scores of the box's sounds.

`compose.py` computes WAV files from scores. The box has its own instruments. Each game has some
instruments that no other game uses, so that players can hear which game they play. Each game also
has a motif of three notes. The motif sounds only when the game begins, when a player wins, and in
great moments.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple

PITCHES: Final = {
    "G3": 196.00, "A3": 220.00, "C4": 261.63, "D4": 293.66, "E4": 329.63, "G4": 392.00,
    "A4": 440.00, "Bb4": 466.16, "C5": 523.25, "D5": 587.33, "Eb5": 622.25, "E5": 659.26,
    "F#5": 739.99, "G5": 783.99, "A5": 880.00, "Bb5": 932.33, "B5": 987.77, "C6": 1046.50,
    "D6": 1174.66, "Eb6": 1244.51, "E6": 1318.51, "F#6": 1479.98, "G6": 1567.98, "A6": 1760.00,
    "B6": 1975.53, "C7": 2093.00,
}  # fmt: skip
"""Pitches of notes in hertz, by the name of the note."""


class Hit(NamedTuple):
    """A stroke of an instrument in `sounds/instruments.py`.

    - `start`: the time (s) at which the stroke begins.
    - `instrument`, `parameters`: the name of the instrument, and its parameters.
    - `force`: a factor for the amplitude of the stroke.
    """

    start: float
    instrument: str
    parameters: Mapping[str, float] = MappingProxyType({})
    force: float = 1.0


def hit(
    start: float, instrument: str, pitch: str | float = 0, force: float = 1.0, **parameters: float
) -> Hit:
    """Return a stroke of an instrument.

    `pitch`: the name of a note, or a number of hertz, or 0 for the instrument's default pitch.
    """
    if pitch:
        hertz = PITCHES[pitch] if isinstance(pitch, str) else pitch
        parameters = {"pitch": hertz, **parameters}
    return Hit(start, instrument, MappingProxyType(parameters), force)


def run_of_notes(
    instrument: str, pitches: str, step: float, start: float = 0.0, **parameters: float
) -> tuple[Hit, ...]:
    """Return one stroke for each note in `pitches`.

    `pitches`: names of notes, separated by spaces. `step`: the seconds from one note to the next.
    """
    names = pitches.split()
    return tuple(
        hit(start + step * i, instrument, name, **parameters) for i, name in enumerate(names)
    )


def chord(instrument: str, pitches: str, start: float, **parameters: float) -> tuple[Hit, ...]:
    """Return the strokes of the notes `pitches`, which sound at the same time.

    `pitches`: names of notes, separated by spaces.
    """
    return tuple(hit(start, instrument, name, **parameters) for name in pitches.split())


class SoundRank(Enum):
    """The importance of a sound, which decides its level and its maximum length.

    A value has two parts: the level (dBFS, see `sounds/measure.py`) and the maximum length (s).
    """

    PRESS = (-30.0, 0.06)
    TURN = (-25.0, 0.3)
    VERDICT = (-20.0, 1.35)
    GREAT = (-16.0, 1.4)
    VICTORY = (-16.0, 2.8)
    ALARM = (-14.0, 1.35)
    BELL = (-16.0, 3.0)

    @property
    def level_dbfs(self) -> float:
        """Return the level (dBFS) of all sounds of this rank."""
        return self.value[0]

    @property
    def max_seconds(self) -> float:
        """Return the maximum length (s) of a sound of this rank."""
        return self.value[1]


class Score(NamedTuple):
    """The score of a sound: its rank, its length (s) and its strokes."""

    rank: SoundRank
    length: float
    hits: tuple[Hit, ...]


class SoundFamily(NamedTuple):
    """The sounds whose WAV files are in one folder: the sounds of the box, or of one game.

    - `cues`: table from a sound's name to its score.
    - `motif`: the two intervals (semitones) between the three notes of the game's motif; None if
      the sounds have no motif.
    - `max_seconds_by_name`: table from a sound's name to its maximum length (s), for sounds whose
      maximum length differs from the maximum length of their ranks.
    - `classic` is True if the sounds have no simulated room and no pass band, and if their RMS
      level decides their loudness.
    - `softer`: table from a sound's name to the number of decibels by which the sound is softer
      than other sounds of the same rank.
    """

    cues: Mapping[str, Score]
    motif: tuple[int, int] | None = None
    max_seconds_by_name: Mapping[str, float] = MappingProxyType({})
    classic: bool = False
    softer: Mapping[str, float] = MappingProxyType({})


_T, _V = SoundRank.TURN, SoundRank.VERDICT

_DICE: Final = (1010, 860, 1100, 790, 980, 880, 1060, 780)


def _dice() -> tuple[Hit, ...]:
    starts = [0.04 * (1.2**n - 1) / 0.2 for n in range(len(_DICE))]
    return tuple(
        hit(start, "wood", force=1.0 - 0.06 * n, pitch=pitch)
        for n, (start, pitch) in enumerate(zip(starts, _DICE, strict=True))
    )


_CUES: Final = {
    # accepted: a very short note of the electric piano, after every press
    "accepted": Score(
        SoundRank.PRESS, 0.06, (hit(0.0, "rhodes", "C7", length=0.058, decay=0.016, bright=0.3),)
    ),
    # refused: the buzz of a locked door
    "refused": Score(
        _V, 0.33, (hit(0.0, "buzz", "C5", length=0.13), hit(0.15, "buzz", "Bb4", length=0.16))
    ),
    # your_turn: two rising notes of the electric piano
    "your_turn": Score(
        _T, 0.30, (hit(0.0, "rhodes", "G5"), hit(0.07, "rhodes", "C6", length=0.23))
    ),
    # zero_played: three breaths, each fainter than the breath before
    "zero_played": Score(
        _V,
        0.72,
        (
            hit(0.0, "air", first=2600, last=700, length=0.21, quality=2.4, swell=0.35),
            hit(0.25, "air", first=2400, last=650, length=0.21, quality=2.4, swell=0.35, force=0.6),
            hit(
                0.50, "air", first=2200, last=600, length=0.21, quality=2.4, swell=0.35, force=0.35
            ),
        ),
    ),
    # undo: a tape runs backwards; redo: a tape runs forwards, shorter and without hiss
    "undo": Score(_T, 0.30, (hit(0.0, "tape", length=0.29),)),
    "redo": Score(
        _T,
        0.26,
        (
            hit(0.0, "tape", first=700, last=1500, length=0.12, hiss=0.05, flutter=0.0),
            hit(0.12, "tape", first=1000, last=2200, length=0.13, hiss=0.05, flutter=0.0),
        ),
    ),
    # secret_shown: a curtain opens; secret_hidden: a curtain closes
    "secret_shown": Score(
        _T, 0.30, (hit(0.0, "air", first=1500, last=8500, length=0.29, quality=1.2),)
    ),
    "secret_hidden": Score(
        _T,
        0.24,
        (
            hit(0.0, "air", first=5200, last=700, length=0.2, quality=3.5, swell=0.15),
            hit(0.16, "wood", pitch=620, decay=0.02, length=0.08),
        ),
    ),
    # dealt: five cards, dealt at equal intervals
    "dealt": Score(
        _T,
        0.45,
        tuple(hit(0.085 * n, "flick", length=0.05, first=4400, last=1500) for n in range(5)),
    ),
    # rolled: several dice roll more and more slowly, and stop
    "rolled": Score(_T, 0.80, _dice()),
    # ready: the box starts; goodbye: the box is switched off
    "ready": Score(
        _V,
        1.00,
        (
            *run_of_notes("rhodes", "C5 G5 D6", 0.18, bright=2.6, decay=0.14, length=0.5),
            *chord("rhodes", "G5 D6 G6", 0.54, bright=2.2, decay=0.2, length=0.5),
        ),
    ),
    "goodbye": Score(
        _V,
        1.15,
        (
            *run_of_notes("rhodes", "D6 G5 C5", 0.28, bright=0.5, decay=0.22, length=0.6),
            hit(0.98, "tick", force=0.7, pitch=1300),
            hit(1.01, "tick", force=0.5, pitch=2900),
        ),
    ),
}

FAMILY: Final = SoundFamily(
    _CUES, max_seconds_by_name=MappingProxyType({"rolled": 0.8, "dealt": 0.45})
)
"""The sounds of the box. The sounds of a game are in the folder `sounds/` of the game."""
