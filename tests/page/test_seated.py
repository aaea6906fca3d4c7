"""Tests of a phone in a hand: alerts for its player, a small screen, and the focus."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.catalog import registry
from companion.say.words import LANGUAGES
from tests.door.callers import House
from tests.helpers import begin_game, setup_for
from tests.page.box import Phone
from tests.page.browsers import DRAWN, KNOWN, TIMEOUT_MILLISECONDS, chromium
from tests.page.keyboard import Table, table
from tests.page.test_asked import playing
from tests.page.test_fingers import NAMES, drawn, games, phone, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize
    from playwright.sync_api import Page as Tab

__all__ = ["games"]  # a fixture

pytestmark = pytest.mark.long

SMALL: Final[ViewportSize] = {"width": 320, "height": 568}
USUAL: Final[ViewportSize] = {"width": 390, "height": 844}
LONG: Final = ("Alexandrie", "Bartholomé", "Maximilien", "Wojehowicz")
TOUCHED: Final = (LONG[0], "move_to")
"""The player and the question whose answers are on a board."""
MANY: Final = 80
STUBS: Final = """
  window.notes = 0;
  window.locks = [];
  window.AudioContext = class {
    currentTime = 0;
    resume() {}
    createGain() {
      const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
      return { gain, connect: (to) => to };
    }
    createOscillator() {
      window.notes += 1;
      return { frequency: {}, connect: (to) => to, start() {}, stop() {} };
    }
  };
  const request = async (what) => window.locks.push(what);
  Object.defineProperty(navigator, 'wakeLock', { value: { request } });
"""
"""Counts the notes that the page plays, and records the wake locks that it requests."""
HTTP: Final = "Object.defineProperty(window, 'isSecureContext', { value: false });"
"""Sets the value that a browser has if the page comes by http from another machine."""
NEAR: Final = """(one) => {
  const found = [...document.querySelectorAll(one)]
    .map((each) => each.getBoundingClientRect().bottom);
  const tools = document.querySelector('.tools')?.getBoundingClientRect().top ?? innerHeight;
  return [found.length, Math.max(...found), Math.min(tools, innerHeight)];
}"""
"""Returns the number of elements, the bottom of the lowest one, and the fold."""
LINES: Final = """(one) => [...document.querySelectorAll(one)].map((each) => {
  const range = document.createRange();
  range.selectNodeContents(each.lastChild);
  return range.getClientRects().length;
})"""
"""Returns the number of lines of each element's last text."""
FOCUS: Final = "() => document.activeElement.dataset.do ?? document.activeElement.id"


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    with chromium() as (browser, _):
        yield browser


def seated(
    chrome: Browser, there: Table, *scripts: str, who: str = "Ann", path: str = "/", **told: Any
) -> Tab:
    """Return a phone with a seat, in which scripts run before the page's.

    told: further options of the browser's context.
    """
    context = chrome.new_context(**{"locale": "en", "viewport": USUAL} | told)
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    context.add_cookies([there.cookie(who)])
    for script in scripts:
        context.add_init_script(script)
    tab = context.new_page()
    tab.goto(there.url + path)
    tab.evaluate(KNOWN)
    tab.wait_for_selector("[data-key=scores]")
    return tab


def turns(there: Table, tab: Tab) -> None:
    """Let the players answer until Ann, then another player, then Ann again is asked."""
    chosen = random.Random(4)
    for wanted in (True, False, True):
        for _ in range(MANY):
            ask = there.phones["Ann"].seat.watch.ask
            assert ask is not None
            if (ask["who"] == "Ann") is wanted:
                break
            there.do(there.answer("Ann", chosen)) or there.do(there.answer("Bob", chosen))
        assert ask is not None
        drawn(tab, ask["id"])


def test_a_phone_sounds_at_its_players_turn_until_that_is_switched_off(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("barney-miller"), NAMES, "en") as there:
        tab = seated(chrome, there, STUBS)
        switch = tab.locator("[data-do=sound]")
        assert switch.get_attribute("aria-pressed") == "true"
        tab.mouse.click(5, 5)  # a browser is silent until a page is touched
        before = tab.evaluate("() => window.notes")
        turns(there, tab)
        heard = tab.evaluate("() => window.notes")
        assert heard > before
        switch.click()
        tab.evaluate(DRAWN)
        assert switch.get_attribute("aria-pressed") == "false"
        turns(there, tab)
        assert tab.evaluate("() => window.notes") == heard
        tab.reload()
        tab.wait_for_selector("[data-do=sound][aria-pressed=false]")
        tab.context.close()


def four(game: str, language: str) -> House:
    """Return a box with four players who have the longest names."""
    options = {option.name: option.values[0] for option in registry.find_game(game).options}
    house = House(begin_game(setup_for(options, game=game, players=LONG)), language)
    house.drive.resume()
    return house


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_small_phone_four_seats_are_above_the_fold_and_no_name_is_broken(
    language: str, chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: four("kojak", language), LONG, language) as there:
        context = chrome.new_context(viewport=SMALL, locale=language)
        tab = context.new_page()
        tab.goto(there.url)
        tab.wait_for_selector("[data-do=join]")
        seats, lowest, fold = tab.evaluate(NEAR, "[data-do=join]")
        assert seats == len(LONG)
        assert lowest <= fold
        assert max(tab.evaluate(LINES, "[data-do=join]")) == 1
        context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_small_phone_a_board_that_is_touched_is_above_the_fold(
    language: str, chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: four("baretta", language), LONG, language) as there:
        chosen, ann = random.Random(4), there.phones[LONG[0]]
        while (ask := ann.seat.watch.ask) is None or (ask["who"], ask["question"]) != TOUCHED:
            assert any(there.do(there.answer(who, chosen)) for who in LONG)
        tab = seated(chrome, there, who=LONG[0], viewport=SMALL, locale=language)
        drawn(tab, ask["id"])
        tab.wait_for_selector("[data-key=board] svg")
        _, lowest, fold = tab.evaluate(NEAR, "[data-key=board] svg")
        assert lowest <= fold
        tab.context.close()


@pytest.mark.parametrize(
    ("game", "asked", "options"),
    [
        ("probe", "word", {"words": "secret"}),
        ("barney-miller", "roll", {"die": "real"}),
        ("kojak", "arrived", {}),
    ],
)
def test_on_a_small_phone_the_answer_is_above_the_fold(
    game: str, asked: str, options: dict[str, Any], chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing(game, **options), NAMES, "en") as there:
        ask = there.do(until(there, lambda ask: ask["question"] in (asked, "roll", "happened")))
        tab = phone(chrome, there, size=(SMALL["width"], SMALL["height"]))
        drawn(tab, ask["id"])
        answers = "[data-key=ask] form .strong, [data-key=ask] [data-do=answer]"
        tab.wait_for_selector(answers)
        _, _, fold = tab.evaluate(NEAR, answers)
        first = tab.locator(answers).first.bounding_box()
        assert first is not None
        assert first["y"] + first["height"] <= fold
        tab.context.close()


def test_tab_comes_from_undo_to_redo_and_then_to_giving_up_the_seat(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        tab = seated(chrome, there)
        tab.focus("[data-do=undo]")
        stops = []
        for _ in range(2):
            tab.keyboard.press("Tab")
            stops.append(tab.evaluate(FOCUS))
        assert stops == ["redo", "leave"]
        tab.context.close()


def test_a_stopped_game_leaves_no_old_question_and_no_redo(chrome: Browser, tmp_path: Path) -> None:
    houses = list[House]()

    def kept() -> House:
        houses.append(playing("kojak"))
        return houses[0]

    async def stop(phone: Phone) -> str:
        drive = houses[0].drive
        drive.press("back")
        drive.choose("leave")
        assert drive.page == "home"
        await phone.do(why=True)  # any request: this box sends its messages only after a request
        return drive.frame.hex()

    with table(tmp_path, kept, NAMES, "en") as there:
        tab = seated(chrome, there)
        assert tab.locator("[data-do=redo]").count() == 1
        shown = there.do(stop(there.phones["Ann"]))
        tab.wait_for_selector("[data-key=nothing]")
        assert tab.locator("[data-do=redo]").count() == 0
        assert tab.locator("[data-do=leave]").count() == 1
        assert (tab.get_attribute("img.frame", "src") or "").endswith(f",{shown}")
        tab.context.close()


def test_focus_is_on_the_question_after_joining(chrome: Browser, tmp_path: Path) -> None:
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        tab = chrome.new_context(locale="en").new_page()
        tab.goto(there.url)
        tab.fill("#code", "AB12")
        tab.route("**/join", lambda route: route.fulfill(json={"ok": True}))
        with tab.expect_navigation():
            tab.click("[data-do=join]")
        tab.wait_for_function("() => document.activeElement.id === 'question'")
        tab.context.close()


def test_focus_stays_on_the_language_after_it_was_changed(chrome: Browser, tmp_path: Path) -> None:
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        tab = seated(chrome, there)
        with tab.expect_navigation():
            tab.click("[data-do=language]")
        tab.wait_for_function("() => document.activeElement.dataset.do === 'language'")
        tab.context.close()


@pytest.mark.parametrize("path", ["/", "/board"])
def test_a_screen_is_kept_lit_where_the_browser_lets_a_page_do_so(
    path: str, chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        lit, dark = (
            seated(chrome, there, *scripts, path=path) for scripts in ((STUBS,), (STUBS, HTTP))
        )
        lit.wait_for_function("() => window.locks.length")
        assert lit.evaluate("() => window.locks") == ["screen"]
        assert lit.locator("[data-key=sleeps]").count() == 0
        assert dark.evaluate("() => window.locks") == []
        said = dark.inner_text("[data-key=sleeps]")
        assert "go dark" in said
        lit.context.close()
        dark.context.close()
