"""The scores of the sound set "bells", in which a small wooden bell plays all sounds."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from sounds.scores import PITCHES, Hit, Score, SoundFamily, SoundRank, hit


def _note(start: float, pitch: str, length: float, force: float = 1.0, to: str = "") -> Hit:
    glide = {"to": PITCHES[to]} if to else {}
    return hit(start, "bell", pitch, force, length=length, **glide)


def _even(pitches: str, step: float, length: float, start: float = 0.0) -> tuple[Hit, ...]:
    names = pitches.split()
    return tuple(_note(start + step * i, name, length) for i, name in enumerate(names))


_STROKES: Final = {
    "accepted": (_note(0.00, "G5", 0.08),),
    "refused": (_note(0.00, "Bb4", 0.12), _note(0.15, "A4", 0.26)),
    "your_turn": (_note(0.00, "G5", 0.20), _note(0.18, "C6", 0.55)),
    "zero_played": (
        _note(0.00, "D5", 0.20), _note(0.20, "D5", 0.20, 0.5), _note(0.40, "D5", 0.30, 0.25),
    ),
    "undo": (_note(0.00, "C6", 0.30, 1.0, "C5"),),
    "redo": (_note(0.00, "C5", 0.30, 1.0, "C6"),),
    "secret_shown": (
        _note(0.00, "A5", 0.09), _note(0.09, "Eb6", 0.04), _note(0.12, "D6", 0.04),
        _note(0.15, "Eb6", 0.04), _note(0.18, "D6", 0.14),
    ),
    "secret_hidden": (_note(0.00, "Eb6", 0.05), _note(0.05, "A5", 0.05), _note(0.12, "A4", 0.11)),
    "dealt": _even("E6 E6 E6 E6 E6", 0.08, 0.05),
    "rolled": (
        _note(0.00, "A5", 0.05), _note(0.05, "D6", 0.05), _note(0.11, "G5", 0.05),
        _note(0.18, "C6", 0.06), _note(0.27, "G5", 0.07), _note(0.39, "C6", 0.08),
        _note(0.55, "G5", 0.30),
    ),
    "ready": (_note(0.00, "C5", 0.22), _note(0.20, "G5", 0.22), _note(0.40, "D6", 0.60)),
    "goodbye": (_note(0.00, "D6", 0.34), _note(0.32, "G5", 0.34), _note(0.64, "C5", 0.70)),
    "begins_barney_miller": (
        _note(0.00, "G5", 0.24), _note(0.24, "C6", 0.12), _note(0.36, "A5", 0.36),
        _note(0.72, "G5", 0.12), _note(0.84, "C6", 0.60),
    ),
    "total_reached": (*_even("G5 C6 A5", 0.07, 0.12), _note(0.35, "C6", 0.45)),
    "over_ten": (_note(0.00, "A5", 0.35, 1.0, "G5"), _note(0.32, "G5", 0.60, 1.0, "Eb5")),
    "round_won": (
        _note(0.00, "G5", 0.22), _note(0.22, "C6", 0.10), _note(0.32, "A5", 0.22),
        _note(0.54, "E6", 0.62),
    ),
    "captured": (
        *_even("G5 C6 A5 G5 E5 D5", 0.07, 0.10), _note(0.52, "A4", 0.40, 1.3),
    ),
    "freed": (
        _note(0.00, "A4", 0.20, 1.3), *_even("D5 G5 E5", 0.08, 0.10, 0.24),
        *_even("A5 D6 B5", 0.08, 0.10, 0.50), _note(0.76, "E6", 0.45),
    ),
    "won_barney_miller": (
        _note(0.00, "D5", 0.18), _note(0.18, "G5", 0.10), _note(0.28, "E5", 0.30),
        _note(0.64, "G5", 0.18), _note(0.82, "C6", 0.10), _note(0.92, "A5", 0.30),
        _note(1.28, "A5", 0.18), _note(1.46, "D6", 0.10), _note(1.56, "B5", 0.20),
        _note(1.78, "E6", 1.10), _note(1.78, "C6", 1.10, 0.7), _note(1.78, "G5", 1.10, 0.6),
    ),
    "begins_kojak": (*_even("E5 G5 Bb5", 0.18, 0.22), _note(0.66, "A5", 0.70)),
    "mission": (*_even("E5 G5 Bb5", 0.08, 0.12), *_even("E5 G5 Bb5", 0.08, 0.16, 0.44)),
    "warrant": (
        *_even("E5 G5 Bb5", 0.07, 0.10), _note(0.38, "E5", 0.12, 1.2), _note(0.58, "E5", 0.35, 1.2),
    ),
    "drum_roll": (
        *(_note(0.05 * i, "E5", 0.06, 0.25 + 0.05 * i) for i in range(14)),
        _note(0.74, "G5", 0.12), _note(0.90, "Bb5", 0.45),
    ),
    "trap": (*_even("A5 C6 Eb6", 0.10, 0.12), _note(0.34, "Eb6", 0.50, 1.0, "A4")),
    "kojak": (*_even("A5 C6 Eb6", 0.22, 0.26), _note(0.84, "E6", 0.60)),
    "alarm": _even("A5 C6 Eb6 C6 A5 C6 Eb6 C6 A5 C6 Eb6", 0.11, 0.14),
    "race": (
        *_even("A5 C6 Eb6", 0.16, 0.16), *_even("A5 C6 Eb6", 0.10, 0.12, 0.50),
        *_even("A5 C6 Eb6", 0.06, 0.10, 0.82), _note(1.02, "E6", 0.40),
    ),
    "handcuffs": (
        *_even("E5 G5 Bb5", 0.09, 0.12), _note(0.40, "E6", 0.06), _note(0.50, "E6", 0.06),
        _note(0.74, "A4", 0.45, 1.2),
    ),
    "won_kojak": (
        *_even("E5 G5 Bb5", 0.15, 0.20), *_even("A5 C6 Eb6", 0.15, 0.20, 0.60),
        _note(1.20, "E6", 0.20), _note(1.40, "C6", 0.20), _note(1.60, "E6", 1.20),
        _note(1.60, "A5", 1.20, 0.8), _note(1.60, "C6", 1.20, 0.7),
    ),
    "begins_baretta": (
        *_even("E5 E5", 0.16, 0.14), _note(0.48, "C6", 0.16), _note(0.64, "B5", 0.12),
        _note(0.80, "C6", 0.60),
    ),
    "card_turned": (*_even("E5 E5", 0.07, 0.07), _note(0.14, "C6", 0.16)),
    "move_on": _even("E5 E5 C6 D6 E6 G6", 0.09, 0.12),
    "stay_put": (
        *_even("E5 E5", 0.07, 0.07), *_even("C6 C6 C6", 0.20, 0.16, 0.14),
    ),
    "wounded": (*_even("E5 E5", 0.07, 0.07), _note(0.14, "C6", 0.85, 1.0, "C5")),
    "go_to": (
        *_even("E5 E5", 0.07, 0.07), _note(0.14, "C6", 0.14), _note(0.34, "E5", 0.45, 1.0, "E6"),
    ),
    "in_trouble": (
        *_even("E5 E5", 0.07, 0.07), _note(0.14, "C6", 0.14), _note(0.36, "Bb4", 0.18),
        _note(0.62, "A4", 0.40),
    ),
    "hunch": (
        _note(0.00, "E5", 0.40), _note(0.45, "E5", 0.40), _note(0.90, "C6", 0.70),
        _note(1.60, "B5", 0.35, 0.7), _note(1.95, "C6", 0.85, 0.6),
    ),
    "guess": (*_even("E5 E5 C6", 0.12, 0.14), *_even("E5 E5 C6", 0.12, 0.18, 0.50)),
    "placed": (*_even("E5 E5", 0.07, 0.07), _note(0.14, "C6", 0.10), _note(0.32, "C5", 0.25)),
    "marker_off": (
        _note(0.00, "C5", 0.14), *_even("E5 E5", 0.07, 0.07, 0.18), _note(0.32, "C6", 0.30),
    ),
    "out": (
        *_even("E5 E5", 0.12, 0.12), _note(0.24, "C6", 0.24), _note(0.52, "G5", 0.14),
        _note(0.68, "Eb5", 0.14), _note(0.84, "A4", 0.60, 1.2),
    ),
    "arrest": (
        *_even("E5 E5 C6", 0.12, 0.14), *_even("G5 G5 Eb6", 0.12, 0.14, 0.40),
        _note(0.78, "E6", 0.22), _note(0.98, "G6", 0.50),
    ),
    "won_baretta": (
        *_even("E5 E5", 0.14, 0.14), _note(0.42, "C6", 0.30), *_even("E5 E5", 0.14, 0.14, 0.84),
        _note(1.26, "C6", 0.20), _note(1.46, "D6", 0.20), _note(1.66, "E6", 1.20),
        _note(1.66, "C6", 1.20, 0.7), _note(1.66, "G5", 1.20, 0.6),
    ),
    "begins_probe": (
        *_even("C5 D5 F#5", 0.12, 0.10), *_even("C6 D6 F#6", 0.12, 0.10, 0.42),
        _note(0.90, "G6", 0.55),
    ),
    "card_drawn": _even("C6 D6 F#6", 0.09, 0.12),
    "uncovered": (*_even("C6 D6 F#6", 0.06, 0.08), _note(0.20, "G6", 0.45)),
    "said_no": (*_even("C6 D6 F#6", 0.06, 0.08), _note(0.24, "D5", 0.30)),
    "word_open": (
        *_even("C5 D5 F#5 C6 D6 F#6", 0.08, 0.10), _note(0.52, "E6", 0.14), _note(0.66, "G6", 0.60),
    ),
    "word_kept": (
        *_even("C5 D5 F#5", 0.10, 0.12), *_even("C5 D5 F#5", 0.10, 0.12, 0.36),
        _note(0.76, "C6", 0.50),
    ),
    "interruption_right": (
        _note(0.00, "A4", 0.10, 1.2), _note(0.12, "A4", 0.10, 1.2),
        *_even("C6 D6 F#6", 0.10, 0.12, 0.32), _note(0.66, "G6", 0.50),
    ),
    "interruption_wrong": (
        _note(0.00, "A4", 0.10, 1.2), _note(0.12, "A4", 0.10, 1.2),
        *_even("C6 D6 F#6", 0.10, 0.12, 0.32), _note(0.66, "Bb4", 0.16), _note(0.86, "A4", 0.40),
    ),
    "last_rounds": (*_even("C5 D5 F#5", 0.30, 0.34), _note(0.95, "C5", 0.50, 1.2)),
    "won_probe": (
        *_even("C5 D5 F#5", 0.13, 0.13), *_even("C6 D6 F#6", 0.13, 0.13, 0.45),
        *_even("C6 D6 F#6", 0.13, 0.13, 0.95), _note(1.45, "G6", 1.20),
        _note(1.45, "B5", 1.20, 0.8),
        _note(1.45, "D6", 1.20, 0.7),
    ),
}  # fmt: skip


def _score(strokes: tuple[Hit, ...]) -> Score:
    length = max(hit.start + hit.parameters["length"] for hit in strokes)
    return Score(SoundRank.BELL, length, strokes)


FAMILY: Final = SoundFamily(
    {name: _score(strokes) for name, strokes in _STROKES.items()},
    classic=True,
    softer=MappingProxyType({"accepted": 12.0}),
)
