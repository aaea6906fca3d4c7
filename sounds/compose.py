"""Compose the cues: `python sounds/compose.py` writes them, `--check` compares them.

One instrument, a small wooden bell, plays one scale (C major pentatonic; `refused` and the two
secret cues borrow a note from outside it, on purpose). The scores below are the source, the WAV
files beside this script are its result: the same scores always give the same files. What sets
two cues apart is rhythm and contour, so that they are told apart on any speaker and by ears that
hear no timbre. No note lies below 440 Hz: a speaker of 2 cm plays next to nothing under 350 Hz.

Loudness is the RMS, in dBFS, of a sound's loudest 200 ms (steps of 10 ms; a shorter sound is
filled up with silence, for an ear, too, adds a sound up over about a fifth of a second). There
is no frequency weighting: all strong partials lie between 440 Hz and 2.7 kHz, where the
K-weighting of ITU-R BS.1770 is level within 4 dB.
"""

from __future__ import annotations

import argparse
import sys
import wave
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

RATE: Final = 44_100
FULL: Final = 32_767
LOUDNESS: Final = -16.0
CEILING: Final = -1.0
"""No sample is above this peak, in dBFS."""
BLOCK: Final = RATE // 100
WINDOW: Final = 20
"""Blocks of 10 ms over which loudness is measured."""
ATTACK: Final = 0.003
RELEASE: Final = 0.012
"""Seconds in which a note rises from, and falls to, nothing: without them it would click."""

DAMPING: Final = 2.6
"""How far a note dies away in its length: by exp(-DAMPING)."""

PARTIALS: Final = ((1.0, 1.0, 1.0), (2.0, 0.22, 1.8), (3.93, 0.14, 4.5))
"""The instrument: multiple of the pitch, strength, and how many times faster it dies away."""

PITCHES: Final = {
    "A4": 440.00, "Bb4": 466.16, "C5": 523.25, "D5": 587.33, "E5": 659.26, "G5": 783.99,
    "A5": 880.00, "C6": 1046.50, "D6": 1174.66, "Eb6": 1244.51, "E6": 1318.51,
}  # fmt: skip


class Note(NamedTuple):
    """A stroke: when (seconds), which pitch, how long (seconds), how hard, where it glides to."""

    start: float
    pitch: str
    length: float
    force: float = 1.0
    to: str = ""


CUES: Final = {
    # The receipt of every press: one tick, over before it can bore.
    "accepted": (Note(0.00, "G5", 0.08),),
    # A shake of the head: two low strokes, a half-tone down.
    "refused": (Note(0.00, "Bb4", 0.12), Note(0.15, "A4", 0.26)),
    # A doorbell turned round: one step up, held.
    "your_turn": (Note(0.00, "G5", 0.20), Note(0.18, "C6", 0.55)),
    # Ten, on the dot: a roll up the chord, and a stop.
    "total_reached": (
        Note(0.00, "C5", 0.12), Note(0.07, "E5", 0.12), Note(0.14, "G5", 0.12),
        Note(0.21, "C6", 0.14), Note(0.35, "C6", 0.45),
    ),
    # Nothing happens: the same note again, further and further away.
    "zero_played": (
        Note(0.00, "D5", 0.20), Note(0.20, "D5", 0.20, 0.5), Note(0.40, "D5", 0.30, 0.25),
    ),
    # A small flourish, dotted: long, short, long.
    "round_won": (
        Note(0.00, "G5", 0.22), Note(0.22, "G5", 0.10), Note(0.32, "C6", 0.22),
        Note(0.54, "E6", 0.62),
    ),
    # A cell door: a run down, and the bolt.
    "captured": (
        Note(0.00, "E6", 0.10), Note(0.06, "D6", 0.10), Note(0.12, "C6", 0.10),
        Note(0.18, "A5", 0.10), Note(0.24, "G5", 0.10), Note(0.42, "A4", 0.40, 1.3),
    ),
    # The bolt, and the run up into the street.
    "freed": (
        Note(0.00, "A4", 0.20, 1.3), Note(0.24, "G5", 0.10), Note(0.30, "A5", 0.10),
        Note(0.36, "C6", 0.10), Note(0.42, "D6", 0.10), Note(0.48, "E6", 0.45),
    ),
    # The only long one: a fanfare in two breaths over a last chord.
    "game_won": (
        Note(0.00, "C5", 0.15), Note(0.15, "C5", 0.15), Note(0.30, "C5", 0.15),
        Note(0.45, "G5", 0.45), Note(0.90, "E5", 0.15), Note(1.05, "G5", 0.15),
        Note(1.20, "C6", 0.30), Note(1.50, "G5", 0.15), Note(1.65, "E6", 1.20),
        Note(1.65, "C6", 1.20, 0.7), Note(1.65, "G5", 1.20, 0.6),
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
    "dealt": tuple(Note(0.08 * i, "E6", 0.05) for i in range(5)),
    # Dice: they tumble, slow down and lie.
    "rolled": (
        Note(0.00, "A5", 0.05), Note(0.05, "D6", 0.05), Note(0.11, "G5", 0.05),
        Note(0.18, "C6", 0.06), Note(0.27, "A5", 0.07), Note(0.39, "C6", 0.08),
        Note(0.55, "G5", 0.30),
    ),
    # A drum, rolled louder and louder: something is about to be turned over.
    "drum_roll": (
        *(Note(0.06 * i, "D5", 0.06, 0.3 + 0.05 * i) for i in range(14)),
        Note(0.90, "A5", 0.40, 1.3),
    ),
    # The same drum, and a swagger that nobody else has: low, high, low, higher.
    "kojak": (
        *(Note(0.06 * i, "D5", 0.06, 0.3 + 0.08 * i) for i in range(6)),
        Note(0.40, "D5", 0.12), Note(0.52, "A5", 0.24), Note(0.78, "D5", 0.12),
        Note(0.90, "D6", 0.50),
    ),
    # A siren: two notes, up and down, three times.
    "alarm": tuple(
        Note(0.18 * i, "Eb6" if i % 2 else "A5", 0.17, 1.0) for i in range(6)
    ),
    # A telephone: two short rings, each a quick trill.
    "mission": tuple(
        Note(start + 0.05 * i, "E6" if i % 2 else "C6", 0.05)
        for start in (0.0, 0.5) for i in range(6)
    ),
    # Engines: a stroke that comes sooner and sooner, and away.
    "race": (
        Note(0.00, "C5", 0.10), Note(0.26, "C5", 0.10), Note(0.48, "D5", 0.10),
        Note(0.66, "D5", 0.10), Note(0.80, "E5", 0.08), Note(0.90, "G5", 0.08),
        Note(0.98, "A5", 0.45, 1.2, "E6"),
    ),
    # On foot: four even steps uphill.
    "move_on": (
        Note(0.00, "C5", 0.14), Note(0.20, "D5", 0.14), Note(0.40, "E5", 0.14),
        Note(0.60, "G5", 0.40),
    ),
    # By car: one glide up, and the brakes.
    "go_to": (Note(0.00, "C5", 0.45, 1.0, "E6"), Note(0.50, "C6", 0.12), Note(0.66, "C6", 0.30)),
    # Feet on the ground: twice the same, low and heavy.
    "stay_put": (Note(0.00, "A4", 0.30, 1.3), Note(0.42, "A4", 0.45, 1.3)),
    # Ouch: high, and a limp downstairs.
    "wounded": (
        Note(0.00, "E6", 0.22), Note(0.22, "A5", 0.10), Note(0.40, "G5", 0.22),
        Note(0.62, "D5", 0.10), Note(0.80, "C5", 0.45),
    ),
    # Trouble behind every corner: up a little, down a little, three times.
    "in_trouble": (
        Note(0.00, "A4", 0.12), Note(0.14, "C5", 0.12), Note(0.28, "A4", 0.12),
        Note(0.42, "C5", 0.12), Note(0.56, "A4", 0.12), Note(0.70, "Eb6", 0.50),
    ),
    # A question: three notes that ask, each higher and longer in the air.
    "hunch": (Note(0.00, "E5", 0.22), Note(0.24, "A5", 0.30), Note(0.62, "D6", 0.85)),
    # The rising one, while the card turns: faster and faster up, and no answer at the top.
    "guess": (
        Note(0.00, "C5", 0.22, 0.6), Note(0.22, "D5", 0.20, 0.7), Note(0.42, "E5", 0.18, 0.8),
        Note(0.60, "G5", 0.15, 0.9), Note(0.75, "A5", 0.13), Note(0.88, "C6", 0.11),
        Note(0.99, "D6", 0.09), Note(1.08, "E6", 0.40),
    ),
    # Handcuffs, click and click; then it is done.
    "arrest": (
        Note(0.00, "E6", 0.06), Note(0.14, "E6", 0.06), Note(0.42, "G5", 0.14),
        Note(0.56, "C6", 0.14), Note(0.70, "E6", 0.65), Note(0.70, "G5", 0.65, 0.7),
    ),
    # The door falls shut behind somebody: three slow steps down, the last one far.
    "out": (Note(0.00, "G5", 0.34), Note(0.34, "E5", 0.34), Note(0.80, "A4", 0.60, 1.2)),
    # A card slides along the table, and is let go.
    "placed": (Note(0.00, "D6", 0.16, 1.0, "A5"), Note(0.22, "E5", 0.10)),
    # A card turns over: a flick, and there it lies.
    "card_drawn": (Note(0.00, "C6", 0.06), Note(0.09, "E6", 0.06), Note(0.24, "G5", 0.30)),
    # No: one step down, not unkind.
    "said_no": (Note(0.00, "E5", 0.18), Note(0.22, "C5", 0.40)),
    # A flap goes up: a ripple that rises.
    "uncovered": (
        Note(0.00, "G5", 0.08), Note(0.08, "A5", 0.08), Note(0.16, "C6", 0.08),
        Note(0.28, "E6", 0.40),
    ),
    # The whole word: it swings open twice, and stays.
    "word_open": (
        Note(0.00, "G5", 0.10), Note(0.10, "C6", 0.10), Note(0.20, "G5", 0.10),
        Note(0.30, "C6", 0.10), Note(0.42, "E6", 0.60),
    ),
    # The last rounds: three slow strokes of a clock.
    "last_rounds": (Note(0.00, "A5", 0.40), Note(0.45, "A5", 0.40), Note(0.90, "A5", 0.55)),
    # Good evening, and good night: three even steps up, three slower steps down.
    "ready": (Note(0.00, "C5", 0.22), Note(0.20, "G5", 0.22), Note(0.40, "D6", 0.60)),
    "goodbye": (Note(0.00, "D6", 0.34), Note(0.32, "G5", 0.34), Note(0.64, "C5", 0.70)),
}  # fmt: skip
"""Every cue as its score."""


def stroke(note: Note) -> Samples:
    """Give one note as the instrument sounds it, before anything is levelled."""
    time = np.arange(round(note.length * RATE)) / RATE
    first, last = PITCHES[note.pitch], PITCHES[note.to or note.pitch]
    # The phase is the integral of a pitch that moves evenly in octaves.
    phase = 2 * np.pi * np.cumsum(first * (last / first) ** (time / note.length)) / RATE
    decay = DAMPING / note.length
    partials = [
        strength * np.sin(multiple * phase) * np.exp(-decay * faster * time)
        for multiple, strength, faster in PARTIALS
    ]
    rise = np.minimum(time / ATTACK, 1.0)
    fall = np.minimum((time[-1] - time) / RELEASE, 1.0)
    fades = np.sin(np.pi / 2 * rise) ** 2 * np.sin(np.pi / 2 * fall) ** 2
    return np.asarray(note.force * fades * np.sum(partials, axis=0))


def mix(score: tuple[Note, ...]) -> Samples:
    """Lay the notes of `score` over one another."""
    sound = np.zeros(round(max(note.start + note.length for note in score) * RATE))
    for note in score:
        begin = round(note.start * RATE)
        played = stroke(note)[: sound.size - begin]
        sound[begin : begin + played.size] += played
    return sound


def decibels(ratio: float) -> float:
    """Give the level of `ratio`, where 1.0 is 0 dB."""
    return float(20 * np.log10(max(ratio, 1e-9)))


def loudness(sound: Samples) -> float:
    """Measure in dBFS as the module's docstring says; `sound` lies within -1.0 and 1.0."""
    blocks = max(-(-sound.size // BLOCK), WINDOW)
    filled = np.zeros(blocks * BLOCK)
    filled[: sound.size] = sound
    energy = (filled.reshape(blocks, BLOCK) ** 2).sum(axis=1)
    loudest = np.convolve(energy, np.ones(WINDOW), "valid").max()
    return decibels(float(np.sqrt(loudest / (WINDOW * BLOCK))))


def compose(name: str) -> NDArray[np.int16]:
    """Give the cue `name`, levelled, as samples. Raises ValueError if it would be too high."""
    sound = mix(CUES[name])
    sound *= 10 ** ((LOUDNESS - loudness(sound)) / 20)
    peak = decibels(float(np.abs(sound).max()))
    if peak > CEILING:
        raise ValueError(f"{name}: the peak is {peak:.1f} dBFS, above {CEILING}")
    return np.round(sound * FULL).astype(np.int16)


def read(file: Path) -> NDArray[np.int16]:
    """Give the samples of a WAV file."""
    with wave.open(str(file), "rb") as wav:
        return np.frombuffer(wav.readframes(wav.getnframes()), dtype="<i2")


def write(file: Path, samples: NDArray[np.int16]) -> None:
    """Save `samples` as 16-bit mono WAV."""
    with wave.open(str(file), "wb") as wav:
        wav.setparams((1, 2, RATE, samples.size, "NONE", ""))
        wav.writeframes(samples.astype("<i2").tobytes())


def same(one: NDArray[np.int16], other: NDArray[np.int16]) -> bool:
    """Say whether two sounds are equal within one step of 16 bits: libm may round otherwise."""
    if one.shape != other.shape:
        return False
    return bool(np.abs(one.astype(np.int32) - other.astype(np.int32)).max() <= 1)


def row(name: str, samples: NDArray[np.int16]) -> str:
    """Give the line of the table for a cue: its name, length, peak and loudness."""
    sound = samples / FULL
    peak = decibels(float(np.abs(sound).max()))
    return f"{name:<14} {sound.size / RATE:5.2f} s {peak:6.1f} dBFS {loudness(sound):6.1f} dBFS"


def main() -> int:
    """Write the cues, or with `--check` compare them; give the exit status."""
    parser = argparse.ArgumentParser(description="Compose the cues.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    folder = Path(__file__).parent
    wrong = 0
    print(f"{'cue':<14} {'length':>7} {'peak':>11} {'loudness':>11}")
    for name in CUES:
        samples = compose(name)
        file = folder / f"{name}.wav"
        if not check:
            write(file, samples)
        differs = not same(samples, read(file))
        wrong += differs
        print(row(name, samples) + ("  DIFFERS" if differs else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
