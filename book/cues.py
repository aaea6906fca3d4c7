"""The sounds of the box and its games in the book, each with its spectrogram and an audio player.

The book's WAV files are smaller than the box's WAV files, because the book's files have only 22,050
samples a second. This sample rate is high enough for all frequencies in the sounds.
"""

from __future__ import annotations

import re
import tomllib
import wave
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from docutils import nodes
from PIL import Image
from sphinx.util.docutils import SphinxDirective

from sounds.compose import SOUND_PACKAGES, SoundFamilyFolder, load_sound_scores_and_folder, read_wav
from sounds.measure import SAMPLE_RATE
from sounds.picture import spectrogram_rows

SITE_SOUNDS_FOLDER: Final = "_static/cues"
"""Path of the folder with the sound files, relative to the root of the site."""
SOUNDS_README: Final = Path(__file__).parents[1] / "sounds" / "README.md"
FRENCH_OCCASIONS_FILE: Final = Path(__file__).with_name("cues.toml")
ROW_PATTERN: Final = re.compile(
    r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \| (\w+) \| ([\d.]+) s \|$", re.MULTILINE
)
"""Pattern of a sound's row in SOUNDS_README: name, occasion, description, rank and seconds."""
FRENCH_RANKS: Final = {
    "press": "appui", "turn": "tour", "verdict": "verdict", "great": "grand moment",
    "victory": "victoire", "alarm": "alarme",
}  # fmt: skip
"""Table from each rank (importance) of sounds to its French name."""
SPECTROGRAM_TEXTS: Final = {"en": "{} as a spectrogram", "fr": "le spectrogramme de {}"}
COLON_OF_LANGUAGE: Final = {"en": ": ", "fr": "\N{NO-BREAK SPACE}: "}


class ListedSound(NamedTuple):
    """A sound in a list of the book: name, occasion (`when`), rank, and length with unit."""

    name: str
    when: str
    rank: str
    seconds: str


def sound_families_by_name() -> Mapping[str, SoundFamilyFolder]:
    """Return each family of sounds and the folder of the sounds, by "box" or a game's name."""
    sound_folders = [load_sound_scores_and_folder(package) for package in SOUND_PACKAGES]
    return {
        "box" if n == 0 else sounds.folder.parents[1].name: sounds
        for n, sounds in enumerate(sound_folders)
    }


def list_sounds_of_family(family: str, language: str) -> list[ListedSound]:
    """Return all sounds of a family ("box" or a game) for a list in the book."""
    rows = {
        name: (when, rank, s)
        for name, when, _, rank, s in ROW_PATTERN.findall(SOUNDS_README.read_text("utf-8"))
    }
    french = tomllib.loads(FRENCH_OCCASIONS_FILE.read_text("utf-8"))
    listed_sounds = []
    for name in sound_families_by_name()[family].family.cues:
        when, rank, seconds = rows[name]
        if language == "fr":
            when, rank, seconds = french[name], FRENCH_RANKS[rank], seconds.replace(".", ",")
        listed_sounds.append(ListedSound(name, when, rank, f"{seconds} s"))
    return listed_sounds


def sound_figures_html(family: str, language: str, up: str) -> Iterator[str]:
    """Yield an HTML figure for each sound of a family.

    `up` is the relative path from the page to the root of the site.
    """
    for cue in list_sounds_of_family(family, language):
        at, alt_text = (
            f"{up}{SITE_SOUNDS_FOLDER}/{cue.name}",
            escape(SPECTROGRAM_TEXTS[language].format(cue.name)),
        )
        yield (
            f'<figure class="cue"><img src="{at}.png" alt="{alt_text}" loading="lazy">'
            f'<audio controls preload="none" src="{at}.wav"></audio>'
            f"<figcaption><code>{cue.name}</code>{COLON_OF_LANGUAGE[language]}"
            f"{escape(cue.when)}<br>\n"
            f"{cue.rank}, {cue.seconds}</figcaption></figure>"
        )


def write_sounds_and_spectrograms(top: Path) -> None:
    """Write the spectrogram and the WAV file of each sound into the site in the folder `top`."""
    folder = top / SITE_SOUNDS_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for sounds in sound_families_by_name().values():
        for name in sounds.family.cues:
            file = sounds.sound_file_path(name)
            Image.fromarray(spectrogram_rows(file)).save(folder / f"{name}.png", optimize=True)
            _write_half(file, folder / f"{name}.wav")


def _write_half(file: Path, smaller: Path) -> None:
    samples = read_wav(file)
    pairs = samples[: samples.size // 2 * 2].reshape(-1, 2)
    with wave.open(str(smaller), "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(SAMPLE_RATE // 2)
        wav.writeframes(np.round(pairs.mean(axis=1)).astype("<i2").tobytes())


class SoundListDirective(SphinxDirective):
    """The directive `cues`: all sounds of the box or of a game, with spectrograms and players."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the HTML figures of all sounds; only HTML builders show the figures."""
        up, language = "../" * self.env.docname.count("/"), str(self.config.language)
        html = "\n".join(sound_figures_html(self.arguments[0], language, up))
        return [nodes.raw("", f'<div class="cues">{html}</div>', format="html")]
