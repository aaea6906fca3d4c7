"""The scenes of the goldens, by module: one for each game, the box, and the statistics.

Each module has `SCENES`: names, and functions that lead to the frame.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np

from companion.catalog import registry
from companion.say.words import LANGUAGES
from tests.evening import scenes as evening
from tests.helpers import Drive
from tests.scenes import box, figures

GOLDENS_FOLDER: Final = Path(__file__).parents[1] / "draw" / "goldens"


def _scenes(game: str) -> dict[str, Callable[[str], Drive]]:
    module = import_module(
        registry.game_module_name(game).replace("companion.games", "tests.scenes")
    )
    found: dict[str, Callable[[str], Drive]] = module.SCENES
    return found


SCENES: Final = (
    box.SCENES
    | evening.SCENES
    | figures.SCENES
    | {name: draw for game in registry.BUILT_IN_GAMES for name, draw in _scenes(game).items()}
)
"""Functions that take a language and return the box with the scene. Names begin with the game."""


@cache
def draw_scene(scene: str, language: str) -> bytes:
    return SCENES[scene](language).frame


def draw_scene_again(scene: str) -> dict[str, bytes]:
    """Return the frames of a scene that is played in English and drawn in each language.

    Words that were spelt or saved during the scene stay in English.
    """
    drive = SCENES[scene]("en")
    frames, host = {"en": drive.frame}, drive.services
    for language in LANGUAGES[1:]:
        host.basics.settings.now = {**host.basics.settings.now, "language": language}
        frames[language] = drive.shown_frame
    return frames


def enlarge_scene(scene: str, language: str) -> bytes:
    """Return the frame of a scene from its stored picture."""
    return decode_picture((GOLDENS_FOLDER / f"{scene}.{language}.png").read_bytes())


def decode_picture(picture: bytes) -> bytes:
    """Return the frame of a picture by `hardware.display.frame_conversions.encode_frame_as_png`."""
    start = picture.index(b"IDAT") + 4
    size = int.from_bytes(picture[start - 8 : start - 4])
    lines = np.frombuffer(zlib.decompress(picture[start : start + size]), np.uint8).reshape(64, 17)
    pixels = np.unpackbits(lines[:, 1:], axis=1).reshape(8, 8, 128)
    return np.packbits(pixels, axis=1, bitorder="little").tobytes()
