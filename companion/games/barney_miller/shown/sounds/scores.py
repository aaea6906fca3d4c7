"""Notes and noises of Barney Miller's sounds: bass, wah guitar, clavinet, a shaker, a cell door.

The bass repeats a motif: a fourth up and a third down.
"""

from __future__ import annotations

from typing import Final

from sounds.scores import Hit, Score, SoundFamily, SoundRank, chord, hit, run_of_notes

_VERDICT: Final = SoundRank.VERDICT


def _shaken(start: float, count: int, step: float) -> tuple[Hit, ...]:
    return tuple(
        hit(start + step * n, "shaker", force=0.5 if n % 2 else 0.9, length=0.055)
        for n in range(count)
    )


_CUES: Final = {
    # Start of the game: the bass and the shaker, answered by the guitar.
    "begins_barney_miller": Score(
        _VERDICT,
        1.20,
        (
            *_shaken(0.0, 14, 0.075),
            *run_of_notes("bass", "G3 C4 A3", 0.15, 0.24, length=0.19),
            hit(0.74, "wah", "C5", length=0.5, first=2400, last=800),
        ),
    ),
    # A total of exactly ten: a fast bass, a pause, and a chord.
    "total_reached": Score(
        SoundRank.GREAT,
        1.30,
        (
            *run_of_notes("bass", "G3 C4 A3", 0.12, length=0.14),
            *chord("clav", "C5 E5 G5 C6", 0.42, length=0.8, decay=0.3),
        ),
    ),
    # A total over ten: falling notes on the guitar.
    "over_ten": Score(
        _VERDICT,
        0.95,
        (
            hit(0.0, "wah", "A4", length=0.32, sink=0.97, first=2400, last=1000),
            hit(0.30, "wah", "G4", length=0.6, sink=0.84, first=2200, last=520),
        ),
    ),
    # A round is won: rising notes and a chord on the clavinet, with the shaker.
    "round_won": Score(
        _VERDICT,
        1.00,
        (
            *run_of_notes("clav", "C5 E5 G5", 0.11, length=0.16, decay=0.07),
            *chord("clav", "E5 C6 E6", 0.40, length=0.5, decay=0.2),
            *_shaken(0.0, 13, 0.06),
        ),
    ),
    # A suspect is captured: a cell door falls shut.
    "captured": Score(
        _VERDICT,
        0.85,
        (
            hit(0.0, "shaker", 5200, length=0.06),
            hit(0.09, "shaker", 6800, length=0.06),
            hit(0.22, "door", length=0.6, ring=0.13),
        ),
    ),
    # A suspect is set free: a bolt, and a fast bass with a shaker.
    "freed": Score(
        _VERDICT,
        1.00,
        (
            hit(0.0, "door", force=0.6, length=0.26, ring=0.06),
            *run_of_notes("bass", "A3 C4 E4 A4", 0.13, 0.26, length=0.14),
            *_shaken(0.26, 12, 0.055),
        ),
    ),
    # Victory: the motif twice on the bass, with the guitar, and a chord.
    "won_barney_miller": Score(
        SoundRank.VICTORY,
        2.40,
        (
            *chord("clav", "C5 G5 C6", 0.0, length=0.2, decay=0.09),
            *run_of_notes("bass", "G3 C4 A3", 0.14, 0.22, length=0.18),
            *run_of_notes("bass", "G3 C4 A3", 0.14, 0.80, length=0.18),
            *_shaken(0.22, 16, 0.08),
            hit(0.58, "wah", "C5", force=0.7, length=0.22),
            hit(1.16, "wah", "E5", force=0.7, length=0.22),
            *run_of_notes("clav", "C5 G5 C6", 0.10, 1.36, length=0.14, decay=0.08),
            *chord("clav", "C5 G5 C6 E6", 1.66, length=0.78, decay=0.35),
        ),
    ),
}

FAMILY: Final = SoundFamily(_CUES, motif=(5, -3))
