"""The scores of the sounds of liar's dice, which imitate wooden cups and dice.

The motif rises by a fourth and falls back, like a cup that is lifted and set down.
"""

from __future__ import annotations

from typing import Final

from sounds.scores import Score, SoundFamily, SoundRank, hit, run_of_notes

_CUES: Final = {
    # the sound of dice that are shaken in cups
    "shaken": Score(
        SoundRank.TURN,
        0.80,
        tuple(hit(0.05 * n, "wood", 900 + 90 * (n * 5 % 4)) for n in range(14)),
    ),
    # the sound of a bid: the motif
    "bid": Score(SoundRank.TURN, 0.25, run_of_notes("wood", "D5 G5 D5", 0.07)),
    # the sound of a doubt: the motif, and a note outside of the scale
    "doubt": Score(
        SoundRank.VERDICT,
        0.60,
        (*run_of_notes("wood", "D5 G5 D5", 0.1), hit(0.34, "buzz", "Bb4", length=0.2)),
    ),
    # the sound of a cup that is lifted: the fast motif, and air
    "lifted": Score(
        SoundRank.VERDICT,
        0.50,
        (*run_of_notes("wood", "D5 G5 D5", 0.06), hit(0.2, "air", length=0.28)),
    ),
    "true": Score(
        SoundRank.VERDICT,
        0.80,
        (*run_of_notes("wood", "D5 G5 D5", 0.1), *run_of_notes("rhodes", "G5 D6", 0.12, 0.34)),
    ),
    "false": Score(
        SoundRank.VERDICT,
        0.80,
        (*run_of_notes("wood", "D5 G5 D5", 0.1), *run_of_notes("buzz", "Bb4 A4", 0.16, 0.34)),
    ),
    "won": Score(
        SoundRank.VICTORY,
        1.60,
        (
            *run_of_notes("wood", "D5 G5 D5", 0.12),
            *run_of_notes("rhodes", "D5 G5 D5", 0.12, 0.42, decay=0.14),
            *(hit(0.82, "rhodes", note, length=0.7, decay=0.25) for note in ("D6", "G5")),
        ),
    ),
}

FAMILY: Final = SoundFamily(_CUES, motif=(5, -5), max_seconds_by_name={"shaken": 0.8})
