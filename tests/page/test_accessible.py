"""Tests of each state of the page in both languages: WCAG 2.2 AA, as far as a program can tell."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.record.journal import Journal
from tests.page.door import Web
from tests.page.keyboard import Table
from tests.system.bench import pressed

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from companion.catalog import registry
from companion.door.record_requests import RecordRequestHandler
from companion.page import guard
from companion.page.files import GAME_FILES, STATIC_FOLDER
from companion.page.page_html import LANGUAGE_NAMES as CALLED
from companion.say.dictionary import Dictionary
from companion.say.words import LANGUAGES
from companion_club import table as tables
from companion_club.evening_state import compute_evening_state
from tests.door.callers import House
from tests.door.examples import example
from tests.evening.test_page import played
from tests.helpers import NOW_SECONDS, begin_game, format_day, setup_for
from tests.page.browsers import AXE, BROKEN, KNOWN, chromium
from tests.page.door import beside, page
from tests.page.keyboard import table
from tests.page.test_asked import OPTIONS, playing
from tests.page.test_browsers import COLOURS, violations
from tests.page.test_non_live_pages import record  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

NAMES: Final = ("Ann", "Bob")
MOST, FEW = 900, 20
"""Maximum number of answers: in a game, and until a player is asked."""

MEASURED: Final = """
() => {
  const found = [];
  const show = (one) => one.outerHTML.slice(0, 110);
  const unseen = '.skip, .hush, .aside:not(:focus-within)';
  const drawn = (one) => one.getClientRects().length && !one.closest(unseen);
  const least = document.body.matches('.board') ? 24 : 44;  // a television has none to press
  const targets = 'a[href], button, input, select, summary, [role=button]';
  for (const one of document.querySelectorAll(targets)) {
    const { width, height } = one.getBoundingClientRect();
    const shortcut = one.closest('[data-key=board]');  // each is an answer below the question too
    if (drawn(one) && !shortcut && Math.min(width, height) < least) {
      found.push(`${width.toFixed()} x ${height.toFixed()}: ${show(one)}`);
    }
  }
  for (const one of document.querySelectorAll('section, details, ul, ol, table')) {
    const drawing = one.querySelector('svg, img');
    if (!drawing && !one.textContent.trim()) found.push(`empty: ${show(one)}`);
  }
  const wide = (when) => {
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(`too wide ${when}: ${root.scrollWidth}`);
  };
  wide('as it is');
  const spaced = new CSSStyleSheet();
  spaced.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important } p { margin-bottom: 2em !important }`);
  document.adoptedStyleSheets = [spaced];
  wide('with letters further apart');
  for (const one of document.querySelectorAll('body:not(.board) *:not(.frame, svg, svg *)')) {
    const { overflowX, overflowY } = getComputedStyle(one);
    const cut = one.scrollWidth > one.clientWidth + 1 && overflowX === 'hidden'
      || one.scrollHeight > one.clientHeight + 1 && overflowY === 'hidden';
    if (cut && drawn(one)) found.push(`cut off: ${show(one)}`);
  }
  document.adoptedStyleSheets = [];
  return found;
}
"""
"""Finds elements that are empty, smaller than 44 pixels, too wide or cut off by WCAG's spacing."""
CAME: Final = """
(was) => window.own.own.asked?.id !== was
  || document.querySelector('[role=alert]')
"""
"""Is true after the box accepted or refused an answer of a form."""
FORCED: Final = """
() => {
  const probe = document.body.appendChild(document.createElement('i'));
  const system = (name) => { probe.style.color = name; return getComputedStyle(probe).color; };
  const names = ['Canvas', 'CanvasText', 'Highlight', 'HighlightText', 'GrayText'];
  const own = new Set(names.map(system));
  const ground = system('Canvas');
  probe.remove();
  const found = new Set();
  for (const one of document.querySelectorAll('svg *')) {
    const { fill, stroke } = getComputedStyle(one);
    for (const colour of [fill, stroke]) {
      if (colour !== 'none' && !own.has(colour)) found.add(`${colour}: ${one.outerHTML}`);
    }
  }
  for (const one of document.querySelectorAll('main *:not(svg, svg *)')) {
    const { color, forcedColorAdjust } = getComputedStyle(one);
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (text && forcedColorAdjust !== 'none' && color === ground) {
      found.add(`text on itself: ${one.outerHTML}`);  // a browser puts the ground under each text
    }
  }
  return [...found];
}
"""
"""Finds colours of a drawing that are not the user's system colours."""


@pytest.fixture(autouse=True)
def nobody_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard.RequestBudgets, "count_request_and_check_limit", lambda *_: True)


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """Yield one browser for all tests, because its start takes a second."""
    with chromium() as (browser, _):
        yield browser


def wrong(tab: Tab, language: str) -> list[str]:
    """Return all faults of a state of the page."""
    tab.evaluate(AXE.read_text("utf-8"))
    found = violations(tab, {"resultTypes": ["violations"]})
    tab.emulate_media(color_scheme="dark")
    found += violations(tab, {"runOnly": COLOURS, "resultTypes": ["violations"]})
    for how in ({"contrast": "more"}, {"color_scheme": "light"}):
        tab.emulate_media(**how)  # type: ignore[arg-type]
        found += violations(tab, {"runOnly": COLOURS, "resultTypes": ["violations"]})
    tab.emulate_media(contrast="no-preference")
    found += tab.evaluate(MEASURED) + tab.evaluate(BROKEN)
    whole = tab.viewport_size
    assert whole is not None
    tab.set_viewport_size({"width": 320, "height": 640})
    found += [f"at 320: {one}" for one in tab.evaluate(MEASURED) + tab.evaluate(BROKEN)]
    tab.set_viewport_size(whole)
    tab.emulate_media(forced_colors="active")
    found += tab.evaluate(FORCED)
    tab.emulate_media(forced_colors="none")
    lang, titles = tab.evaluate(
        "() => [document.documentElement.lang, [...document.querySelectorAll('h1')].length]"
    )
    if (lang, titles) != (language, 1):
        found.append(f"lang {lang}, {titles} titles")
    return found


def report(found: dict[str, list[str]]) -> None:
    """Fail with all faults, one in each line."""
    lines = [f"{name}: {one}" for name, some in found.items() for one in some]
    assert not lines, "\n".join(lines)


def looked(browser: Browser, url: str, language: str, *cookies: Any) -> Tab:
    """Return a tab without motion, as on a phone of this language."""
    context = browser.new_context(
        locale=language, viewport={"width": 412, "height": 800}, reduced_motion="reduce",
        bypass_csp=True,
    )  # fmt: skip
    context.add_cookies([*cookies])
    tab = context.new_page()
    tab.goto(url)
    return tab


async def answered(
    there: Table, chosen: random.Random, until: str | None = None, most: int = MOST
) -> bool:
    """Let the players answer until `until` is asked. Return False if the game ends first."""
    for _ in range(most):
        ask = there.phones["Ann"].seat.watch.ask
        if ask is None or (until is not None and ask["who"] == until):
            return ask is not None
        if not await there.answer("Ann", chosen):
            await there.answer("Bob", chosen)
    return False


def game_states(chrome: Browser, there: Table, language: str) -> Iterator[tuple[str, Tab]]:
    """Yield each state of a game on Ann's phone and on a television, and the tab that shows it."""
    chosen = random.Random(4)
    there.do(answered(there, chosen, "Ann", FEW))
    tab = looked(chrome, there.url, language, there.cookie("Ann"))
    tab.wait_for_selector(".tools")
    yield "asked", tab
    if tab.locator("#hold").count():
        tab.click("[data-do=keep]")
        tab.wait_for_selector(".secret p:not(.covered)")
        yield "open hand", tab
        tab.click("[data-do=keep]")
    tab.click("[data-do=why]")
    tab.wait_for_selector("[data-key=why], [role=alert]")
    yield "why", tab
    if there.do(answered(there, chosen, "Bob", FEW)):
        tab.wait_for_selector("[data-key=ask]:not(.mine)")
        yield "another is asked", tab
    there.do(a_few(there, chosen))
    tab.evaluate(KNOWN)
    forms = tab.locator("[data-do=form]")
    for n in range(forms.count()):
        forms.nth(n).click()
        tab.wait_for_selector("#asked")
        yield f"form {n}", tab
        answers = tab.locator("[data-key=asked] [data-do=answer]")
        sure = tab.evaluate("() => window.own.own.asked.sure")  # a "yes" would end the game
        if answers.count() > 1 and not sure:
            before = tab.evaluate("() => window.own.own.asked.id")
            answers.last.click()
            tab.wait_for_function(CAME, arg=before)
            yield f"form {n}, answered", tab
        tab.keyboard.press("Escape")
        tab.wait_for_selector("#asked", state="detached")
    television = looked(chrome, f"{there.url}/board", language)
    television.wait_for_selector("[data-key=scores]")
    yield "television", television
    there.do(answered(there, chosen))
    tab.wait_for_selector("[data-key=over]")
    yield "over", tab
    television.wait_for_selector("[data-key=over]")
    yield "television, over", television


async def a_few(there: Table, chosen: random.Random) -> None:
    """Give 13 to 40 answers, until Ann may open a form."""
    for _ in range(40):
        if there.phones["Ann"].seat.watch.offers and _ > 12:
            return
        if not await there.answer("Ann", chosen):
            await there.answer("Bob", chosen)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OPTIONS)
def test_nothing_is_wrong_with_any_state_of_a_game(
    game: str, language: str, chrome: Browser, tmp_path: Path
) -> None:
    with example(), table(tmp_path, lambda: playing(game), NAMES, language) as there:
        found = {name: wrong(tab, language) for name, tab in game_states(chrome, there, language)}
    report(found)


def unlisted(folder: Path) -> House:
    """Return a box with a game of Probe with secret words, whose word lists have one word."""
    for name in ("american-english", "french"):
        (folder / name).write_text("probe\n", "utf-8")
    usual = {option.name: option.values[0] for option in registry.find_game("probe").options}
    setup = setup_for(usual | {"words": "secret"}, game="probe", players=NAMES)
    lists = Dictionary(folder / "cache", folder)
    house = House(begin_game(setup), "en", lists.look_up, lambda: lists)
    house.drive.resume()
    return house


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wrong_with_a_word_that_is_typed_nor_with_a_seat_that_is_taken(
    language: str, chrome: Browser, tmp_path: Path
) -> None:
    found = {}
    with table(tmp_path, lambda: unlisted(tmp_path), NAMES, language) as there:
        tab = looked(chrome, there.url, language, there.cookie("Ann"))
        tab.fill("[data-check]", "QWXZ")
        tab.wait_for_function("() => document.getElementById('verdict').innerText")
        found["verdict"] = wrong(tab, language)
        tab.click("[data-key=ask] form .strong")
        tab.wait_for_selector("#asked")
        found["sure"] = wrong(tab, language)
        lost = looked(chrome, there.url, language, there.cookie("Ann"))
        lost.route("**/events*", lambda route: route.abort())
        lost.reload()
        lost.wait_for_selector(".banner")
        found["offline"] = wrong(lost, language)
        new = looked(chrome, there.url, language)
        new.wait_for_selector("[data-do=join]")
        found["join"] = wrong(new, language)
        new.fill("#code", "ZZZZ")
        new.click("[data-do=join]")
        new.wait_for_selector("[data-key=join] [role=alert]")
        found["no such code"] = wrong(new, language)
        assert new.evaluate("() => document.activeElement.id") == "code"
        assert new.input_value("#code") == "ZZZZ"
        new.route("**/join", lambda _: None)
        new.click("[data-do=join]")
        new.wait_for_selector("#waits")
        found["press OK"] = wrong(new, language)
        assert new.evaluate("() => document.activeElement.id") == "waits"
    report(found)


READ: Final = ("/history", "/game/1", "/people", "/rules", "/evening", "/evening?view=board",
               "/evening/1", "/game/99")  # fmt: skip


@asynccontextmanager
async def reading(folder: Path, record: Path) -> AsyncIterator[Web]:  # noqa: F811 - the fixture
    """Yield the page of a box with these games, and with a played evening."""
    known = played()
    async with page(folder) as web:
        figures = record.with_name("figures.db")
        web.door.archive = RecordRequestHandler(
            record, figures, format_day, lambda: NOW_SECONDS
        ).reply_to_request
        web.door.evening = lambda wish: tables.answer_page_request(
            compute_evening_state(known), known, wish
        )
        yield web


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wrong_with_a_page_to_read(
    language: str,
    chrome: Browser,
    tmp_path: Path,
    record: Path,  # noqa: F811 - the fixture
) -> None:
    with beside(lambda: reading(tmp_path, record)) as (web, _):
        found = {}
        for path in READ:
            tab = looked(chrome, web.url + path, language)
            found[path] = wrong(tab, language)
            tab.context.close()
    report(found)


@pytest.mark.long
def test_a_time_is_written_as_in_the_country_of_the_browser(
    chrome: Browser,
    tmp_path: Path,
) -> None:
    at = 1_798_207_200  # 25 December 2026, 14:00 UTC
    usual = {"en-GB": "25 Dec 2026, 14:00", "fr-CA": "25 déc. 2026, 14 h 00", "en-US": "2:00 PM"}
    path = tmp_path / "games.db"
    with closing(pressed.over("kojak")) as played, closing(Journal(path)) as journal:
        header, *lines = played.read_lines_of_game(1)
        journal.save_new_game(header.value, [line._replace(at=at) for line in lines], at)
    with beside(lambda: reading(tmp_path, path)) as (web, _):
        for language, text in usual.items():
            tab = looked(chrome, f"{web.url}/game/1", language)
            assert text in tab.inner_text("time").replace("\N{NARROW NO-BREAK SPACE}", " ")
            tab.context.close()


# --- without a browser ----------------------------------------------------------------------------


def light(colour: str) -> float:
    """Return the relative luminance of a colour such as #fffdf8 (WCAG 2.2)."""
    full = colour if len(colour) > 4 else "#" + "".join(2 * one for one in colour[1:])
    parts = [int(full[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours: 1 to 21."""
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def palettes(sheets: list[str]) -> dict[str, dict[str, str]]:
    """Return the colours of style sheets: by day, at night, and both with more contrast."""
    found: dict[str, dict[str, str]] = {"day": {}, "night": {}, "more": {}, "more, at night": {}}
    blocks = r"(?:@media ([^{]*)\{\s*)?:root(?::root)? \{([^}]*)\}"
    for sheet in sheets:
        for media, inside in re.findall(blocks, sheet):
            named = {
                "": list(found), "(prefers-color-scheme: dark) ": ["night", "more, at night"],
                "(prefers-contrast: more) ": ["more", "more, at night"],
                "(prefers-contrast: more) and (prefers-color-scheme: dark) ": ["more, at night"],
            }.get(media, [])  # fmt: skip
            for name in named:
                found[name] |= dict(re.findall(r"--(\w[\w-]*): (#[0-9a-f]+)", inside))
    return found


GROUNDS: Final = ("paper", "sheet", "glow")
SHAPES: Final = {*(f"s{seat}" for seat in range(8)), "red", "yellow", "blue", "green", "soft"}
"""Colours of shapes: seats, circles and ways."""


@pytest.mark.parametrize("game", [None, *registry.BUILT_IN_GAMES])
def test_colours_differ_enough_by_day_at_night_and_with_more_contrast(game: str | None) -> None:
    own = (
        ""
        if game is None
        else registry.game_file_path(game, GAME_FILES["style"]).read_text("utf-8")
    )
    page_css = (STATIC_FOLDER / "page.css").read_text("utf-8")
    head, _, more = page_css.partition("@media (prefers-contrast: more)")
    later = re.findall(r"@media \(prefers-contrast.*?\n(?:  .*\n)*\}", own)
    found = palettes([head, own, "@media (prefers-contrast: more)" + more, *later])
    assert len(found["more, at night"]) > 12
    assert all(len({colours[f"s{seat}"] for seat in range(8)}) == 8 for colours in found.values())
    wrong = []
    for name, colours in found.items():
        text, shape = (7.0, 4.5) if name.startswith("more") else (4.5, 3.0)
        least = dict.fromkeys(product(("ink", "soft", "bad", "good"), GROUNDS), text)
        least |= dict.fromkeys(product(("accent",), GROUNDS), 4.5)
        least |= dict.fromkeys(product(SHAPES & colours.keys(), ("sheet",)), shape)
        least["on-accent", "accent"] = 4.5
        wrong += [
            (name, *two)
            for two, n in least.items()
            if contrast(colours[two[0]], colours[two[1]]) < n
        ]
    assert wrong == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_without_scripts_has_a_language_a_title_headings_and_one_live_region(
    language: str, tmp_path: Path
) -> None:
    with beside(lambda: page(tmp_path)) as (web, loop):
        asked = asyncio.run_coroutine_threadsafe(web.ask("/", Accept_Language=language), loop)
        text = asked.result(60).body.decode()
    other = {"en": "fr", "fr": "en"}[language]
    assert f'<html lang="{language}">' in text
    assert re.findall(r"<h\d", text) == ["<h1", "<h2"]
    assert len(re.findall(r"aria-live|role=\"(?:status|alert)", text)) == 1
    assert re.search(rf'<button[^>]* lang="{other}" aria-label="[^"]*{CALLED[other]}"', text)
    assert not re.search(r'tabindex="[1-9]|user-scalable=no|maximum-scale', text)


def test_scripts_and_drawings_say_nothing_by_regions_of_their_own() -> None:
    files = [
        *STATIC_FOLDER.glob("*.js"),
        *(registry.game_file_path(game, "page.js") for game in registry.BUILT_IN_GAMES),
    ]
    said = {
        (file.name, found)
        for file in files
        for found in re.findall(r"aria-live|role: '(?:status|alert|log)'", file.read_text("utf-8"))
    }
    assert said == {
        ("asking.js", "role: 'status'"), ("asking.js", "role: 'alert'"),
        ("views.js", "role: 'alert'"),
    }  # fmt: skip
