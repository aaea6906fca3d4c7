"""Notes and noises of Kojak's sounds: brass, a telephone, a siren, a drum, handcuffs, a stamp.

The brass repeats a motif of two minor thirds.
"""

from __future__ import annotations

from typing import Final

from sounds.scores import Hit, Score, SoundFamily, SoundRank, chord, hit, run_of_notes

_VERDICT: Final = SoundRank.VERDICT


def _rolled(count: int, step: float, start: float = 0.0, rising: float = 0.05) -> tuple[Hit, ...]:
    return tuple(
        hit(start + step * n, "snare", force=0.5 + rising * n, length=0.08, decay=0.025)
        for n in range(count)
    )


_CUES: Final = {
    # Start of the game: brass plays two slow minor thirds over a drum.
    "begins_kojak": Score(
        _VERDICT,
        1.20,
        (
            *run_of_notes("brass", "E5 G5 Bb5", 0.19, length=0.22),
            hit(0.60, "brass", "A5", length=0.6),
            hit(0.0, "snare", force=0.8),
            hit(0.60, "snare", force=1.2, length=0.2),
        ),
    ),
    # A mission card: a telephone rings twice.
    "mission": Score(
        _VERDICT,
        0.96,
        (
            hit(0.0, "gong", length=0.40),
            hit(0.52, "gong", length=0.45),
        ),
    ),
    # A warrant is posted: a stamp strikes twice, and paper rustles.
    "warrant": Score(
        _VERDICT,
        0.70,
        (
            hit(0.0, "stamp"),
            hit(0.26, "stamp", force=1.3),
            hit(0.44, "flick", force=0.4, length=0.1),
        ),
    ),
    # A trap card is drawn: a drum roll gets louder and ends with a stroke.
    "drum_roll": Score(
        _VERDICT,
        0.92,
        (
            *_rolled(22, 0.031),
            hit(0.71, "snare", force=2.0, length=0.19, decay=0.06),
        ),
    ),
    # A criminal moves: brass plays two minor thirds at once, and the notes fall.
    "trap": Score(
        SoundRank.GREAT,
        1.00,
        (
            hit(0.0, "flick", force=0.4, first=2800, last=900),
            *run_of_notes("brass", "E5 G5 Bb5", 0.06, 0.09, length=0.08, bright=4),
            *chord("brass", "Eb5 E5 G5 Bb5", 0.28, length=0.7, fall=0.8, tremolo=11),
            hit(0.28, "snare", force=0.8, length=0.2),
        ),
    ),
    # A Kojak card is drawn: three notes like footsteps, and a chord.
    "kojak": Score(
        SoundRank.GREAT,
        1.30,
        (
            *run_of_notes("brass", "A5 C6 Eb6", 0.2, length=0.2, bright=2.2),
            *chord("brass", "E5 A5 C6 E6", 0.62, length=0.75, bright=2.2),
        ),
    ),
    # A criminal reaches or leaves red: a siren.
    "alarm": Score(SoundRank.ALARM, 1.33, (hit(0.0, "siren", length=1.32),)),
    # Tie-break race: a drum gets faster while a telephone rings.
    "race": Score(
        _VERDICT,
        1.15,
        (
            *(
                hit(1.05 * (1 - 0.86**n), "stamp", force=0.5 + 0.05 * n, length=0.1)
                for n in range(14)
            ),
            *(hit(0.07 + 1.05 * (1 - 0.86**n), "gong", force=0.25, length=0.09) for n in range(8)),
        ),
    ),
    # Arrest: handcuffs click twice, and the brass plays.
    "handcuffs": Score(
        SoundRank.GREAT,
        1.35,
        (
            hit(0.0, "ratchet"),
            hit(0.30, "ratchet", clicks=6, pitch=2400),
            *run_of_notes("brass", "E5 G5 Bb5", 0.09, 0.60, length=0.1, bright=7),
            *chord("brass", "E5 A5 C6", 0.88, length=0.5, bright=7),
        ),
    ),
    # Victory: the motif of minor thirds rises.
    "won_kojak": Score(
        SoundRank.VICTORY,
        2.40,
        (
            *chord("brass", "E5 A5 C6", 0.0, length=0.18, bright=7),
            *run_of_notes("brass", "E5 G5 Bb5", 0.15, 0.25, length=0.17),
            *run_of_notes("brass", "A5 C6 Eb6", 0.15, 0.76, length=0.17),
            *_rolled(9, 0.04, 1.22, 0.12),
            *chord("brass", "E5 A5 C6 E6", 1.60, length=0.84, bright=6),
            hit(1.60, "snare", force=2.5, length=0.2),
            hit(1.90, "ratchet", force=0.5),
        ),
    ),
}

FAMILY: Final = SoundFamily(_CUES, motif=(3, 3), max_seconds_by_name={"trap": 1.0})
