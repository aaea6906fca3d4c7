"""Compose the cues: `python -m sounds.compose` writes them, `--check` compares them.

One instrument, a small wooden bell, plays the scores: the box's are in `sounds/scores.py`, a game's
in the `sounds/` of its folder. They are the source, the WAV files beside them are the result: the
same scores always give the same files. The cues of a game from elsewhere are composed by the name
of its package: `python -m sounds.compose my_game.sounds`.

Loudness is the RMS, in dBFS, of a sound's loudest 200 ms (steps of 10 ms; a shorter sound is
filled up with silence, for an ear, too, adds a sound up over about a fifth of a second). There
is no frequency weighting: all strong partials lie between 440 Hz and 3.2 kHz, where the
K-weighting of ITU-R BS.1770 is level within 4 dB. A partial is strong if it is a peak of the whole
sound's spectrum, at most 20 dB under the highest one.
"""

from __future__ import annotations

import argparse
import sys
import wave
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sounds.scores import PITCHES, Family, Note, Score

Samples = NDArray[np.float64]

_GAMES: Final = Path(__file__).parents[1].glob("companion/games/*/sounds/scores.py")
PACKAGES: Final = (
    "sounds",
    *(f"companion.games.{file.parts[-3]}.sounds" for file in sorted(_GAMES)),
)
"""Where scores are: the box's, then each game's."""

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

STRONG: Final = 0.1
HEAD: Final = "cue                   length        peak    loudness    lowest   highest"

DAMPING: Final = 2.6
"""How far a note dies away in its length: by exp(-DAMPING)."""

PARTIALS: Final = ((1.0, 1.0, 1.0), (2.0, 0.22, 1.8), (3.93, 0.14, 4.5))
"""The instrument: multiple of the pitch, strength, and how many times faster it dies away."""


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


def mix(score: Score) -> Samples:
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


class Kept(NamedTuple):
    """A family of cues, and the folder of its files."""

    folder: Path
    family: Family

    def file(self, name: str) -> Path:
        """Where the cue of that name is kept."""
        return self.folder / f"{name}.wav"


def kept(package: str) -> Kept:
    """Read the scores of a package. Raises ImportError if it has none."""
    scores = import_module(f"{package}.scores")
    family: Family = scores.FAMILY
    return Kept(Path(str(scores.__file__)).parent, family)


def compose(name: str, score: Score, softer: float = 0.0) -> NDArray[np.int16]:
    """Give a cue, levelled, as samples; `softer` by so many dB.

    Raises ValueError with its name if it would be too high.
    """
    sound = mix(score)
    sound *= 10 ** ((LOUDNESS - softer - loudness(sound)) / 20)
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


def partials(sound: Samples) -> tuple[float, float]:
    """Find the lowest and the highest strong partial, in hertz, as the module's docstring says."""
    size = 2 ** (RATE - 1).bit_length()
    strength = np.abs(np.fft.rfft(sound, max(size, sound.size)))
    inner = strength[1:-1]
    peaks = (inner > strength[:-2]) & (inner >= strength[2:]) & (inner > STRONG * strength.max())
    found = (np.flatnonzero(peaks) + 1) * RATE / max(size, sound.size)
    return float(found[0]), float(found[-1])


def row(name: str, samples: NDArray[np.int16]) -> str:
    """Give the line of the table for a cue, as `HEAD` says."""
    sound = samples / FULL
    low, high = partials(sound)
    return (
        f"{name:<20} {sound.size / RATE:5.2f} s {decibels(float(np.abs(sound).max())):6.1f} dBFS "
        f"{loudness(sound):6.1f} dBFS {low:6.0f} Hz {high:6.0f} Hz"
    )


def main() -> int:
    """Write the cues, or with `--check` compare them; give the exit status."""
    parser = argparse.ArgumentParser(description="Compose the cues.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("package", nargs="*", default=PACKAGES, help="with scores: my_game.sounds")
    asked = parser.parse_args()
    print(HEAD)
    wrong = sum(_make(kept(package), check=asked.check) for package in asked.package)
    return 1 if wrong else 0


def _make(kept: Kept, *, check: bool) -> int:
    """Write or compare the cues of a family; give how many files differ."""
    wrong = 0
    for name, score in kept.family.cues.items():
        samples = compose(name, score, kept.family.softer.get(name, 0.0))
        if not check:
            write(kept.file(name), samples)
        differs = not same(samples, read(kept.file(name)))
        wrong += differs
        print(row(name, samples) + ("  DIFFERS" if differs else ""))
    return wrong


if __name__ == "__main__":
    sys.exit(main())
