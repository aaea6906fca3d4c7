"""Notes and noises of Probe's sounds: a typewriter's keys, carriage and bell, and falling flaps.

The bell repeats a motif: a step of one whole tone, and a step of two whole tones.
"""

from __future__ import annotations

from typing import Final

from sounds.scores import Hit, Score, SoundFamily, SoundRank, chord, hit, run_of_notes

_TURN, _VERDICT, _GREAT = SoundRank.TURN, SoundRank.VERDICT, SoundRank.GREAT


def _typed(start: float, *gaps: float, force: float = 1.0) -> tuple[Hit, ...]:
    starts = [start + sum(gaps[:n]) for n in range(len(gaps) + 1)]
    return tuple(
        hit(at, "key", force=force, pitch=1650 + 130 * ((n * 3) % 4)) for n, at in enumerate(starts)
    )


_CUES: Final = {
    # Start of the game: keys are typed, the carriage moves, and bells play rising notes.
    "begins_probe": Score(
        _VERDICT,
        1.20,
        (
            *_typed(0.0, 0.10, 0.08, 0.11),
            hit(0.36, "carriage", length=0.30),
            *run_of_notes("chime", "C6 D6 F#6", 0.14, 0.68, length=0.3),
        ),
    ),
    # A card is drawn: a card is flicked, and a bell rings.
    "card_drawn": Score(
        _TURN,
        0.28,
        (
            hit(0.0, "flick", force=0.7, first=6500, last=3200, length=0.06),
            hit(0.07, "chime", "G6", length=0.2),
        ),
    ),
    # A letter is uncovered: the sound of four falling flaps, then a bell.
    "uncovered": Score(
        _VERDICT,
        0.90,
        (
            *(hit(0.07 * n, "flap") for n in range(4)),
            hit(0.16, "chime", "G6", force=0.8, length=0.7),
        ),
    ),
    # Answer "no": two keys are typed, and two flaps fall.
    "said_no": Score(
        _VERDICT,
        0.46,
        (
            *_typed(0.0, 0.12),
            hit(0.26, "flap", 450, 1.2, length=0.14),
            hit(0.37, "flap", 450, 0.9),
        ),
    ),
    # A word is open: bells play rising notes, six flaps fall, and a bell rings.
    "word_open": Score(
        _GREAT,
        1.30,
        (
            *run_of_notes("chime", "C6 D6 F#6", 0.11, length=0.3),
            *(hit(0.33 + 0.055 * n, "flap") for n in range(6)),
            hit(0.66, "chime", "G6", length=0.64),
        ),
    ),
    # The last word stays secret: a flap, a bell, the carriage, and a key.
    "word_kept": Score(
        _VERDICT,
        0.95,
        (
            hit(0.0, "flap", 470, 1.4, length=0.12),
            hit(0.04, "chime", "C6", 0.6, length=0.4),
            hit(0.34, "carriage", length=0.4, first=2600, last=1300),
            hit(0.78, "key"),
        ),
    ),
    # A guess of a word: a hand strikes the table.
    # Then a bell rings (right guess), or the keys of the typewriter jam (wrong guess).
    "interruption_right": Score(
        _VERDICT,
        0.85,
        (
            hit(0.0, "flap", pitch=450, force=1.2, length=0.12),
            *run_of_notes("chime", "E6 B6", 0.13, 0.14, length=0.6),
        ),
    ),
    "interruption_wrong": Score(
        _VERDICT,
        0.80,
        (
            hit(0.0, "flap", pitch=450, force=1.2, length=0.12),
            *_typed(0.14, 0.03, 0.025, 0.03, 0.025, 0.03, 0.025, 0.03),
            hit(0.46, "carriage", first=1800, last=900, length=0.3),
        ),
    ),
    # The last rounds begin: the clock strikes.
    "last_rounds": Score(
        _VERDICT,
        1.25,
        (
            *(hit(0.2 * n, "key", force=0.5, pitch=2500 if n % 2 else 2100) for n in range(3)),
            hit(0.55, "chime", "C6", length=0.7),
            hit(0.9, "chime", "C6", force=0.8, length=0.4),
        ),
    ),
    "won_probe": Score(
        SoundRank.VICTORY,
        2.40,
        (
            *chord("chime", "G6 B6", 0.0, length=0.3, force=0.5),
            *_typed(0.12, 0.08, 0.07, 0.09, 0.07, 0.08, 0.07),
            hit(0.62, "carriage", force=0.9, length=0.3),
            *run_of_notes("chime", "C6 D6 F#6", 0.13, 0.92, length=0.4),
            *chord("chime", "D6 G6 B6", 1.34, length=1.1),
            *_typed(1.34, 0.09, 0.07, 0.09, 0.07, force=0.5),
        ),
    ),
}

FAMILY: Final = SoundFamily(_CUES, motif=(2, 4))
