"""Tests of the page's look on a phone, a tablet and a television, against approved pictures.

The tests compare one picture of each device, and all pictures in `make page-test`.
DRAW_PICTURES=yes draws the pictures again, and fails, so that it is not set by accident.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from PIL import Image, ImageChops

from companion.say.words import LANGUAGES
from tests import pictures
from tests.page.browsers import BROKEN, REQUIRE_BROWSERS, chromium
from tests.page.door import COOKIE
from tests.page.scenes import GAMES, tables

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

pytestmark = pytest.mark.long

KEPT: Final = Path(__file__).with_name("pictures")
DRAWS: Final = os.environ.get("DRAW_PICTURES") == "yes"
FONTS: Final = ':root { --slab: "DejaVu Serif"; --plain: "DejaVu Sans"; }'
"""The fonts of fonts-dejavu-core, with which every machine draws the same letters."""
COLOURS: Final = 32
TILE: Final = 16
"""Side of a square in pixels. In a newer browser, letters may move a little."""
MOST: Final = 40
"""Permitted difference in the brightness of a square, of 255."""
FEW: Final = 0.005
"""Permitted share of squares with a larger difference."""


class Device(NamedTuple):
    """A screen. Except for a television, it is high enough for the whole page."""

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


def visited(browser: Browser, url: str, language: str, device: Device) -> Tab:
    """Return a tab without motion that has drawn the page. A phone has Ann's seat."""
    context = browser.new_context(
        viewport={"width": device.width, "height": device.height}, locale=language,
        bypass_csp=True, reduced_motion="reduce", color_scheme="light",
    )  # fmt: skip
    if device.path == "/":
        name, _, value = COOKIE.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": url}])
    tab = context.new_page()
    tab.goto(url + device.path)
    tab.add_style_tag(content=FONTS)
    tab.wait_for_selector(".told li.new")
    return tab


def shots(browser: Browser, urls: dict[str, str]) -> Iterator[tuple[str, Image.Image]]:
    """Yield pictures with their names."""
    for of, game, language in ALL if REQUIRE_BROWSERS or DRAWS else SOME:
        tab = visited(browser, urls[game], language, DEVICES[of])
        drawn = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
        yield f"{of}-{game}-{language}", drawn
        tab.context.close()


def differs(one: Image.Image, other: Image.Image) -> float:
    """Return the share of squares that differ between two pictures."""
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
                pictures.save_differences(name, kept, sheet.getvalue())
                wrong.append(name)
    assert wrong == [], f"see {pictures.DIFFERENCES_FOLDER}/index.html"
    assert not DRAWS, "drawn again: look at them"


COVERED: Final = """() => {
  const question = document.getElementById('sentence').getBoundingClientRect();
  const tools = document.querySelector('.tools').getBoundingClientRect();
  return question.bottom > Math.min(innerHeight, tools.top);
}"""
"""Is true if a part of the question is below the window or under the toolbar."""
UNUSED: Final = """() => {
  const box = (one) => one.getBoundingClientRect();
  const found = [];
  for (const card of document.querySelectorAll('.card')) {
    const key = card.dataset.key;
    if (box(card).bottom > innerHeight) found.push(`${key} goes on below the window`);
    if (key !== 'board') continue;
    const seen = [...card.children].filter((one) => !one.matches('.hush'));
    const used = Math.max(...seen.map((one) => box(one).bottom)) - box(card).top;
    if (used > box(card).height) found.push('the board is cut off');
    if (used < 0.85 * box(card).height) found.push('room below the board');
    if (box(card).bottom < 0.95 * innerHeight) found.push('room below the card');
  }
  return found;
}"""
"""Finds hidden parts and unused room on a television."""


def test_no_word_is_broken_and_the_question_is_seen_on_narrow_phones_with_letters_of_twice_the_size(
    tmp_path: Path,
) -> None:
    wrong = []
    for letters in (16, 32):
        folder = tmp_path / str(letters)
        folder.mkdir()
        with chromium(letters) as (browser, _), tables(folder) as urls:
            for game, language, size in product(GAMES, LANGUAGES, ((320, 568), (390, 844))):
                tab = visited(browser, urls[game], language, Device(*size))
                found = tab.evaluate(BROKEN)
                if tab.evaluate(COVERED):
                    found.append("the question is covered")
                wrong += [(letters, game, language, size[0], one) for one in found]
                tab.context.close()
    assert wrong == []


def test_a_television_uses_all_of_1080p(tmp_path: Path) -> None:
    wrong = []
    with chromium() as (browser, _), tables(tmp_path) as urls:
        for game, language in product(GAMES, LANGUAGES):
            tab = visited(browser, urls[game], language, Device(1920, 1080, "/board"))
            wrong += [(game, language, one) for one in tab.evaluate(UNUSED)]
            tab.context.close()
    assert wrong == []
