"""How the page looks on a phone, a tablet and a television: pictures that people have looked at.

One of each device is compared, and all of them by `make page-test`. DRAW_PICTURES=yes draws them
again, and fails, so that nobody does it by accident.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from PIL import Image, ImageChops

from companion.say.words import LANGUAGES
from tests import pictures
from tests.page.browsers import INSISTS, chromium
from tests.page.door import COOKIE
from tests.page.scenes import GAMES, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

KEPT: Final = Path(__file__).with_name("pictures")
DRAWS: Final = os.environ.get("DRAW_PICTURES") == "yes"
FONTS: Final = ':root { --slab: "DejaVu Serif"; --plain: "DejaVu Sans"; }'
"""Those of fonts-dejavu-core, so that every machine draws the same letters."""
COLOURS: Final = 32
TILE: Final = 16
"""Pixels of a square: letters may lie a little differently in it, as browsers grow older."""
MOST: Final = 40
"""Of 255, by which a square may be lighter or darker."""
FEW: Final = 0.005
"""Squares that may differ more, of all."""


class Device(NamedTuple):
    """A screen: as high as all that stands on it, but for a television."""

    width: int
    height: int
    path: str = "/"


DEVICES: Final = {
    "phone": Device(412, 2700),
    "tablet": Device(820, 2100),
    "television": Device(1280, 720, "/board"),
}
ALL: Final = [(of, game, lang) for of in DEVICES for game in GAMES for lang in LANGUAGES]
SOME: Final = [
    ("phone", "barney-miller", "fr"),
    ("tablet", "baretta", "en"),
    ("television", "kojak", "en"),
]


def shots(browser: Browser, urls: dict[str, str]) -> Iterator[tuple[str, Image.Image]]:
    """Pictures by their names."""
    for of, game, language in ALL if INSISTS or DRAWS else SOME:
        device = DEVICES[of]
        context = browser.new_context(
            viewport={"width": device.width, "height": device.height}, locale=language,
            bypass_csp=True, reduced_motion="reduce", color_scheme="light",
        )  # fmt: skip
        if device.path == "/":
            name, _, value = COOKIE.partition("=")
            context.add_cookies([{"name": name, "value": value, "url": urls[game]}])
        tab = context.new_page()
        tab.goto(urls[game] + device.path)
        tab.add_style_tag(content=FONTS)
        tab.wait_for_selector(".told li.new")
        drawn = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
        yield f"{of}-{game}-{language}", drawn
        context.close()


def differs(one: Image.Image, other: Image.Image) -> float:
    """How much of two pictures differs, square by square."""
    if one.size != other.size:
        return 1.0
    small = (one.width // TILE, one.height // TILE)
    tiles = [picture.resize(small, Image.Resampling.BOX) for picture in (one, other)]
    most = ImageChops.difference(*tiles).convert("L").tobytes()
    return sum(value > MOST for value in most) / len(most)


def test_a_picture_differs_from_another_and_hardly_from_itself_a_little_moved() -> None:
    one = Image.effect_noise((160, 160), 90).convert("RGB")
    moved = ImageChops.offset(one, 1, 0)
    assert differs(one, moved) <= FEW
    assert differs(one, Image.new("RGB", (160, 160))) > FEW
    assert differs(one, one.crop((0, 0, 100, 160))) == 1


def test_the_page_looks_as_it_was_looked_at(tmp_path: Path) -> None:
    wrong = []
    with chromium() as (browser, _), tables(tmp_path) as urls:
        for name, drawn in shots(browser, urls):
            kept = KEPT / f"{name}.png"
            if DRAWS:
                drawn.quantize(COLOURS).save(kept, optimize=True)
            elif differs(drawn, Image.open(kept).convert("RGB")) > FEW:
                sheet = io.BytesIO()
                drawn.save(sheet, "PNG")
                pictures.differ(name, kept, sheet.getvalue())
                wrong.append(name)
    assert wrong == [], f"see {pictures.FOLDER}/index.html"
    assert not DRAWS, "drawn again: look at them"
