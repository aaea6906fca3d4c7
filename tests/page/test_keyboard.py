"""Tests of the page by keyboard and screen reader: WCAG 2.2 AA for focus and announcements."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from companion.page import guard
from companion.say.words import LANGUAGES
from tests.door.examples import example
from tests.page.browsers import chromium
from tests.page.keyboard import MANY, Keys, table
from tests.page.test_asked import OPTIONS, SHORT, playing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

EXAMPLES: Final = (SHORT, "liars-dice")
NAMES: Final = ("Ann", "Bob")
MOST: Final = 900
"""Maximum number of answers in a game."""


@pytest.fixture(autouse=True)
def nobody_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard.RequestBudgets, "count_request_and_check_limit", lambda *_: True)


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """Yield one browser for all tests, because its start takes a second."""
    with chromium() as (browser, _):
        yield browser


def said_twice(keys: Keys) -> dict[str, tuple[int, int]]:
    """Return sentences with other numbers of announcements and events: both numbers."""
    lines = keys.noted("lines")
    happened = Counter(one["sentence"] or one["text"] for one in lines if one["type"] == "tell")
    said = Counter(keys.noted("said"))
    return {one: (said[one], n) for one, n in happened.items() if said[one] != n}


def unasked(keys: Keys) -> dict[str, tuple[int, int]]:
    """Return the seat's questions that were not announced once, by live region or by focus."""
    lines = [one for line in keys.noted("lines") for one in (line.get("ask") or line,)]
    asked = {one["id"]: one for one in lines if one["type"] == "ask" and one["who"] == keys.who}
    told = [*keys.noted("said"), *keys.noted("landed")]
    due = Counter(one["sentence"] for one in asked.values())
    counted = {text: (sum(one.endswith(text) for one in told), n) for text, n in due.items()}
    return {text: (often, n) for text, (often, n) in counted.items() if often != n}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", dict.fromkeys((*OPTIONS, *EXAMPLES)))
def test_a_whole_game_is_played_by_keyboard_with_focus_kept_and_each_sentence_said_once(
    game: str, language: str, chrome: Browser, tmp_path: Path
) -> None:
    chosen, bob = random.Random(4), random.Random(5)
    of = game if game in EXAMPLES else SHORT
    with example(of), table(tmp_path, lambda: playing(game), NAMES, language) as there:
        ann = Keys(chrome, there, "Ann", language)
        ann.press("Tab")
        over = None
        for _ in range(MOST):
            ask, over = ann.now()
            if over:
                break
            mine = ask is not None and ask["who"] in (None, "Ann")
            if mine and not ask.get("hidden") and not ask.get("kept"):
                ann.answer(ask, chosen)
            else:
                there.do(there.answer("Bob", bob))
        assert over is not None
        ann.tab.wait_for_selector("[data-key=over]")
        assert (ann.slips, ann.noted("lost")) == ([], [])
        assert said_twice(ann) == {}
        assert unasked(ann) == {}
        ann.tab.context.close()


SEEN: Final = """
() => {
  const at = document.activeElement;
  const { left, right, top, bottom } = at.getBoundingClientRect();
  const middle = [(left + right) / 2, (top + bottom) / 2];
  const spots = [middle, [left + 4, top + 4], [right - 4, bottom - 4]];
  const over = spots.map((spot) => document.elementFromPoint(...spot));
  const { outlineStyle } = getComputedStyle(at);
  return {
    name: at.outerHTML.slice(0, 90), body: at === document.body,
    covered: !over.some((one) => one && (at.contains(one) || one.contains(at))),
    unmarked: outlineStyle === 'none' && !at.matches('.can, .skip'),
  };
}
"""
"""Returns the focused element, and whether it is covered, and whether it is invisible."""


@pytest.mark.parametrize("size", [(412, 800), (320, 256), (1280, 720)])
def test_tab_leads_through_the_page_and_out_of_it_and_nothing_lies_over_what_it_comes_to(
    size: tuple[int, int], chrome: Browser, tmp_path: Path
) -> None:
    for game in ("barney-miller", "kojak"):
        folder = tmp_path / game
        folder.mkdir()
        with table(folder, lambda game=game: playing(game), NAMES, "fr") as there:  # type: ignore[misc] # this game
            for _ in range(6):
                there.do(there.answer("Ann", random.Random(4)))
                there.do(there.answer("Bob", random.Random(4)))
            ann = Keys(chrome, there, "Ann", "fr")
            ann.tab.set_viewport_size({"width": size[0], "height": size[1]})
            for key in ("Tab", "Shift+Tab"):
                stops: list[dict[str, Any]] = []
                while len(stops) < MANY:
                    ann.press(key)
                    stops.append(ann.tab.evaluate(SEEN))
                    if stops[-1]["body"]:
                        break
                assert 6 < len(stops) < MANY, "Tab does not leave the page"
                wrong = [one for one in stops[:-1] if one["covered"] or one["unmarked"]]
                assert wrong == []
            ann.tab.context.close()


def test_a_hand_is_said_when_it_is_asked_for_and_taken_back_when_it_is_covered(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("barney-miller"), NAMES, "en") as there:
        ann = Keys(chrome, there, "Ann", "en")
        hand = "Your cards:"
        assert not any(hand in one for one in ann.noted("said"))
        ann.reach("#hold")
        ann.press("Enter")
        ann.tab.wait_for_selector(".secret p:not(.covered)")
        ann.drawn()
        assert sum(hand in one for one in ann.noted("said")) == 1
        assert (ann.at("#hold"), hand in ann.tab.inner_text("#log")) == (True, True)
        ann.press("Escape")
        ann.tab.wait_for_selector(".secret .covered")
        assert hand not in ann.tab.content()
        # A screen reader presses without a finger and without a key.
        ann.tab.evaluate("() => document.getElementById('hold').click()")
        ann.tab.wait_for_selector(".secret p:not(.covered)")
        ann.drawn()
        assert sum(hand in one for one in ann.noted("said")) == 2
        ann.tab.evaluate("() => document.getElementById('hold').click()")
        ann.tab.wait_for_selector(".secret .covered")
        ann.tab.context.close()


def test_what_is_opened_stays_open_and_focus_comes_back_to_where_it_was_opened(
    chrome: Browser, tmp_path: Path
) -> None:
    chosen = random.Random(4)
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        for _ in range(30):
            there.do(there.answer("Ann", chosen)) or there.do(there.answer("Bob", chosen))
        ann = Keys(chrome, there, "Ann", "en")
        ann.reach("summary")
        ann.press("Enter")
        form = "[data-do=form][data-value=correct]"
        ann.reach(form)
        ann.press("Enter")
        ann.tab.wait_for_selector("#asked")
        ann.drawn()
        assert ann.at("#asked")
        ann.press("Escape")
        ann.tab.wait_for_selector("#asked", state="detached")
        ann.drawn()
        assert ann.at(form)
        ann.reach("[data-do=why]")
        ann.press("Enter")
        ann.tab.wait_for_selector("[data-key=why]")
        assert ann.tab.locator("details[open]").count() == 1
        explained = ann.tab.inner_text("[data-key=why] p")
        assert ann.noted("said").count(explained) == 1
        ann.reach("[data-do=understood]", "Shift+Tab")
        ann.press("Enter")
        ann.drawn()
        assert ann.at("[data-do=why]")
        assert ann.noted("lost") == []
        ann.tab.context.close()
