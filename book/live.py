"""Live boxes in the book: still pictures that link to a simulated box in a web page."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from web.box import FIXED_TIME, SteppedBox, SteppedClock

PROJECT_FILE: Final = Path(__file__).parents[1] / "pyproject.toml"


def scene_first_frame(scene: str, language: str) -> bytes:
    """Return the first frame that the box shows when the box starts in a scene."""
    shown: list[bytes] = []

    def send(messages: Sequence[dict[str, Any]]) -> None:
        shown.extend(message["frame"] for message in messages if message["kind"] == "frame")

    with TemporaryDirectory() as folder:
        SteppedBox(folder, language, SteppedClock(), lambda: FIXED_TIME, send, None, scene)
    return shown[-1]


@cache
def live_site_address() -> str:
    """Return the address of the web page with the simulated box, from pyproject.toml."""
    address: str = tomllib.loads(PROJECT_FILE.read_text("utf-8"))["project"]["urls"]["Try"]
    return address


def live_box_address(scene: str, language: str) -> str:
    """Return the address of the web page whose simulated box starts in a scene."""
    return f"{live_site_address()}?scene={scene}&lang={language}"


def live_figure_html_start(still: str, address: str, caption: str) -> str:
    """Return the first part of an HTML figure: a still picture that links to a live box.

    The caption follows the returned HTML. The script `box.js` replaces the picture by the live box.
    """
    image = f'<img src="{still}" alt="{caption}">'
    return f'<figure class="live"><a href="{escape(address)}">{image}</a><figcaption>'
