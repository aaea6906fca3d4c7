"""The command `python -m sounds.compose`, which computes WAV files from scores.

With `--check`, the command compares the existing WAV files with the scores.

A score is a list of strokes, and the instruments of `sounds/instruments.py` play the strokes. The
box's scores are in `sounds/scores.py`. The scores of a game are in the game's folder `sounds/`.
Each WAV file is written beside its score. The same score always gives the same file: the seed of
the random noise is the CRC of the sound's name.

The command `python -m sounds.compose my_game.sounds` computes the WAV files of a game in another
package.
"""

from __future__ import annotations

import argparse
import sys
import wave
import zlib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sounds.instruments import INSTRUMENTS
from sounds.measure import (
    HIGHEST_HERTZ,
    LOWEST_HERTZ,
    SAMPLE_RATE,
    Samples,
    energy_share_above,
    filter_sound,
    loudest_k_weighted_level,
    loudest_rms_level,
    mean_spectral_flatness,
    speaker_filters,
    true_peak,
)

if TYPE_CHECKING:
    from sounds.scores import Score, SoundFamily

_GAMES: Final = Path(__file__).parents[1].glob("companion/games/*/shown/sounds/scores.py")
SOUND_PACKAGES: Final = (
    "sounds",
    *(f"companion.games.{file.parts[-4]}.shown.sounds" for file in sorted(_GAMES)),
)
"""Names of the packages with the scores of the default sound set.

The first package has the scores of the box. Every other package has the scores of one game.
"""
SET_PACKAGES: Final = ("sounds.bells",)
"""Names of the packages with the scores of other sound sets."""

FULL_SAMPLE: Final = 32_767
MAX_PEAK_DBTP: Final = -3.0
"""Maximum true peak of a sound (dBTP)."""
ROOM_REFLECTIONS: Final = ((4, 0.30), (7, -0.24), (12, 0.20), (17, -0.14), (24, 0.10), (32, -0.07))
"""Reflections of the simulated room. Each reflection has a delay (ms) and a relative strength."""
RISE_SECONDS: Final = 0.001
TAIL_SECONDS: Final = 0.025
"""Maximum number of seconds for which a sound fades out at its end."""
TABLE_HEAD: Final = "cue                   length        peak       level   over 2 kHz  flatness"


def mix_score(score: Score, noise: np.random.Generator) -> Samples:
    """Return the samples of all strokes of `score`, mixed into one sound.

    `noise`: the random generator for noisy instruments.
    """
    sound = np.zeros(round(score.length * SAMPLE_RATE))
    for hit in score.hits:
        begin = round(hit.start * SAMPLE_RATE)
        stroke = hit.force * INSTRUMENTS[hit.instrument](noise, **hit.parameters)
        stroke = stroke[: sound.size - begin]
        sound[begin : begin + stroke.size] += stroke
    return sound


def add_room_reverb(sound: Samples) -> Samples:
    """Return `sound` with the reflections of a room, faded in and out.

    The returned sound has only frequencies from LOWEST_HERTZ to HIGHEST_HERTZ.
    """
    heard = sound.copy()
    for delay, strength in ROOM_REFLECTIONS:
        begin = round(delay * SAMPLE_RATE / 1000)
        heard[begin:] += strength * sound[:-begin]
    heard = filter_sound(heard, *speaker_filters(LOWEST_HERTZ, HIGHEST_HERTZ))
    time = np.arange(heard.size) / SAMPLE_RATE
    rise = np.minimum(time / RISE_SECONDS, 1.0)
    fall = np.minimum((time[-1] - time) / min(TAIL_SECONDS, time[-1] / 3), 1.0)
    return np.asarray(heard * np.sin(np.pi / 2 * rise) ** 2 * np.sin(np.pi / 2 * fall) ** 2)


class SoundFamilyFolder(NamedTuple):
    """The scores of a family of sounds, and the folder of the sounds' WAV files."""

    folder: Path
    family: SoundFamily

    def sound_file_path(self, name: str) -> Path:
        """Return the path of the WAV file of the sound `name`."""
        return self.folder / f"{name}.wav"


def load_sound_scores_and_folder(package: str) -> SoundFamilyFolder:
    """Return the scores of the sounds of `package`, and the folder of their WAV files.

    Raise ImportError if the package has no module `scores`.
    """
    scores = import_module(f"{package}.scores")
    family: SoundFamily = scores.FAMILY
    return SoundFamilyFolder(Path(str(scores.__file__)).parent, family)


def compose_sound(name: str, family: SoundFamily) -> NDArray[np.int16]:
    """Return the samples of the sound `name`, at the level of the sound's rank.

    In the classic set, the level is the RMS level. In all other sets, the level is the K-weighted
    level. Raise ValueError if the peak of the sound is too high.
    """
    score = family.cues[name]
    sound = mix_score(score, np.random.default_rng(zlib.crc32(name.encode())))
    sound = sound if family.classic else add_room_reverb(sound)
    measured = loudest_rms_level(sound) if family.classic else loudest_k_weighted_level(sound)
    sound *= 10 ** ((score.rank.level_dbfs - family.softer.get(name, 0.0) - measured) / 20)
    peak = true_peak(sound)
    if peak > MAX_PEAK_DBTP:
        raise ValueError(f"{name}: the peak is {peak:.1f} dBTP, above {MAX_PEAK_DBTP}")
    return np.round(sound * FULL_SAMPLE).astype(np.int16)


def read_wav(file: Path) -> NDArray[np.int16]:
    """Return the samples of a 16-bit WAV file."""
    with wave.open(str(file), "rb") as wav:
        return np.frombuffer(wav.readframes(wav.getnframes()), dtype="<i2")


def write_wav(file: Path, samples: NDArray[np.int16]) -> None:
    """Write `samples` into a 16-bit mono WAV file."""
    with wave.open(str(file), "wb") as wav:
        wav.setparams((1, 2, SAMPLE_RATE, samples.size, "NONE", ""))
        wav.writeframes(samples.astype("<i2").tobytes())


def has_nearly_equal_samples(first: NDArray[np.int16], second: NDArray[np.int16]) -> bool:
    """Return True if the samples of two sounds differ by at most one step of 16 bits.

    On another machine, the C library can round differently, so a sample can differ by one step.
    """
    if first.shape != second.shape:
        return False
    return bool(np.abs(first.astype(np.int32) - second.astype(np.int32)).max() <= 1)


def format_sound_row(name: str, samples: NDArray[np.int16]) -> str:
    """Return the line of the printed table for a sound; `TABLE_HEAD` names the columns."""
    sound = samples / FULL_SAMPLE
    return (
        f"{name:<20} {sound.size / SAMPLE_RATE:5.2f} s {true_peak(sound):6.1f} dBTP "
        f"{loudest_k_weighted_level(sound):6.1f} dBFS "
        f"{100 * energy_share_above(sound, 2000):8.1f} %"
        f" {mean_spectral_flatness(sound):8.4f}"
    )


def main() -> int:
    """Write all WAV files, or only compare them with `--check`; return the exit status."""
    parser = argparse.ArgumentParser(description="Compose the cues.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument(
        "package",
        nargs="*",
        default=(*SOUND_PACKAGES, *SET_PACKAGES),
        help="with scores: my_game.sounds",
    )
    asked = parser.parse_args()
    print(TABLE_HEAD)
    wrong = sum(
        _make(load_sound_scores_and_folder(package), check=asked.check) for package in asked.package
    )
    return 1 if wrong else 0


def _make(sound_folder: SoundFamilyFolder, *, check: bool) -> int:
    """Write or compare the WAV files of a family; return the number of files that differ."""
    wrong = 0
    for name in sound_folder.family.cues:
        samples = compose_sound(name, sound_folder.family)
        if not check:
            write_wav(sound_folder.sound_file_path(name), samples)
        differs = not has_nearly_equal_samples(
            samples, read_wav(sound_folder.sound_file_path(name))
        )
        wrong += differs
        print(format_sound_row(name, samples) + ("  DIFFERS" if differs else ""))
    return wrong


if __name__ == "__main__":
    sys.exit(main())
