"""Tests of touch: on boards, on racks, and on a question that has just appeared."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.page.keyboard import Table

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from companion.catalog import registry
from companion.page import guard
from tests.door.examples import example
from tests.page.browsers import DRAWN, KNOWN, TIMEOUT_MILLISECONDS, chromium
from tests.page.keyboard import table
from tests.page.test_asked import playing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route, ViewportSize
    from playwright.sync_api import Page as Tab

pytestmark = pytest.mark.long

NAMES: Final = ("Ann", "Bob")
THUMBED: Final = 25
"""Number of answers by random taps in each game."""
MOST: Final = 400
"""Maximum number of answers until a player is asked."""
HASTY: Final = """() => {
  window.posted = [];
  const { fetch } = window;
  window.fetch = (path, given) => {
    if (path === '/do') window.posted.push(JSON.parse(given.body));
    return fetch(path, given);
  };
  new MutationObserver(() => {
    const fresh = document.querySelector('[data-key=ask] [data-do=answer]');
    if (fresh && fresh !== window.seen) {
      window.seen = fresh;
      window.taps = (window.taps ?? 0) + 1;
      fresh.click();
    }
  }).observe(document.getElementById('main'), { subtree: true, childList: true });
}"""
"""Taps each new answer at once, and records the posted messages."""


MOVED: Final = """async () => {
  const { keepFocus } = await import('/static/reader.js');
  const main = document.getElementById('main');
  const draw = (place) => {
    const button = `<button data-key='1 "a"'></button>`;
    main.innerHTML = `<h1 tabindex="-1"></h1><${place}>${button}</${place}>`;
  };
  draw('p');
  main.querySelector('button').focus();
  keepFocus(main, () => draw('div'), null, null);
  return document.activeElement.parentElement.tagName;
}"""
"""Draws the focused answer in another place. Returns the tag around the focus."""


THUMB: Final = """() => {
  const main = document.getElementById('main');
  const { model, own } = window.own;
  const note = { hasty: [], answers: 0, taps: 0 };
  const since = new Map();
  const look = (at) => {
    const found = main.querySelectorAll('[data-do=answer], form[data-id]');
    const there = new Set([...found].map((one) => one.dataset.id));
    for (const id of since.keys()) if (!there.has(id)) since.delete(id);
    for (const id of there) if (!since.has(id)) since.set(id, at);
  };
  const watched = { subtree: true, childList: true, attributes: true };
  new MutationObserver(() => look(performance.now())).observe(main, watched);
  look(-Infinity);
  const { fetch } = window;
  window.fetch = (path, given) => {
    const said = path === '/do' ? JSON.parse(given.body) : {};
    if ('answer' in said) {
      note.answers += 1;
      const age = performance.now() - since.get(String(said.id));
      if (!(age >= 450)) note.hasty.push([age, given.body]);
    }
    return fetch(path, given);
  };
  const any = (all) => all[Math.floor(Math.random() * all.length)];
  const write = (field) => {
    const guess = field.matches('[data-rest]') && 'E'.repeat(field.maxLength);
    const letters = guess || any((own.asked ?? model.ask).choices)?.value;
    if (!letters || field.value) return;
    field.value = letters;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const hit = (x, y) => {
    note.taps += 1;
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 });
    const found = document.elementFromPoint(x, y);
    if (!found?.closest('a, [data-do=leave], [data-do=language]')) found?.dispatchEvent(click);
  };
  const often = '[data-do=answer], form .strong, [data-do=keep][aria-pressed=false]';
  const seldom = '[data-do=form], [data-do=undo], [data-do=take_back], [data-do=drop]';
  const tap = () => {
    main.querySelectorAll('form input[type=text]').forEach(write);
    const found = [...main.querySelectorAll(Math.random() < 0.04 ? seldom : often)];
    const one = any(found.filter((each) => !each.closest('.aside')));
    if (one) {
      one.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = one.getBoundingClientRect();
      const spot = [left + width / 2, top + height / 2];
      hit(...spot);
      if (Math.random() < 0.5) setTimeout(() => hit(...spot), 20 + 400 * Math.random());
    }
    setTimeout(tap, 10 + 140 * Math.random());
  };
  window.thumb = note;
  tap();
}"""
"""Taps at random, often twice. Records answers less than 0.45 s after their question."""


@pytest.fixture(autouse=True)
def nobody_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard.RequestBudgets, "count_request_and_check_limit", lambda *_: True)


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """Yield one browser for all tests, because its start takes a second."""
    with chromium() as (browser, _):
        yield browser


@pytest.fixture(autouse=True)
def games() -> Iterator[None]:
    """Register the example game that `playing` can begin."""
    with example():
        yield


def phone(
    chrome: Browser, there: Table, who: str = "Ann", size: tuple[int, int] = (390, 844)
) -> Tab:
    """Return a tab without motion, as a phone with a seat."""
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    context = chrome.new_context(locale="en", viewport=viewport, reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    context.add_cookies([there.cookie(who)])
    tab = context.new_page()
    tab.goto(there.url)
    tab.evaluate(KNOWN)
    tab.wait_for_selector(".tools")
    return tab


async def until(
    there: Table, asked: Callable[[dict[str, Any]], bool], seed: int = 4
) -> dict[str, Any]:
    """Let the players answer until `asked` accepts a question to Ann. Return the question."""
    chosen = random.Random(seed)
    for _ in range(MOST):
        ask = there.phones["Ann"].seat.watch.ask
        assert ask is not None, "it is over"
        if ask["who"] == "Ann" and asked(ask):
            return ask
        if not await there.answer("Ann", chosen):
            await there.answer("Bob", chosen)
    pytest.fail("Ann did not get this question")


def drawn(tab: Tab, asked: int) -> None:
    """Wait until a question is drawn, and can be answered."""
    tab.wait_for_selector(f"#question[data-id='{asked}']")
    tab.wait_for_selector("[data-fresh]", state="detached")


def test_a_question_that_has_just_appeared_takes_no_tap(chrome: Browser, tmp_path: Path) -> None:
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        tab = phone(chrome, there)
        tab.evaluate(HASTY)
        ask = there.do(until(there, lambda ask: len(ask["choices"]) > 1))
        drawn(tab, ask["id"])
        assert tab.evaluate("() => window.taps") > 0
        assert tab.evaluate("() => window.posted") == []
        tab.locator("[data-key=ask] [data-do=answer]").first.click()
        tab.wait_for_function("() => window.posted.length === 1")
        tab.context.close()


def test_no_random_thumb_answers_within_half_a_second_of_a_question(
    chrome: Browser, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        tabs = []
        for game in registry.BUILT_IN_GAMES:
            folder = tmp_path / game
            folder.mkdir()
            there = stack.enter_context(
                table(folder, lambda game=game: playing(game), NAMES, "en")  # type: ignore[misc] # this game
            )
            tabs += [phone(chrome, there, who) for who in NAMES]
        for tab in tabs:
            tab.evaluate(THUMB)
        for both in zip(tabs[::2], tabs[1::2], strict=True):
            while sum(tab.evaluate("() => window.thumb.answers") for tab in both) < THUMBED:
                both[0].wait_for_timeout(200)
        assert [one for tab in tabs for one in tab.evaluate("() => window.thumb.hasty")] == []
        for tab in tabs:
            tab.context.close()


def test_where_answers_lie_on_a_board_the_board_is_touched_below_its_question(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("baretta"), NAMES, "en") as there:
        tab = phone(chrome, there)
        ask = there.do(until(there, lambda ask: ask["question"] == "move_to"))
        drawn(tab, ask["id"])
        listed = tab.locator("[data-key=ask] .aside [data-do=answer]")
        assert listed.count() == len(ask["choices"])  # for screen readers and keyboards
        hidden = tab.locator("[data-key=ask] .aside").bounding_box()
        assert hidden is not None
        assert hidden["height"] <= 1
        question, board = (tab.locator(f"[data-key={k}]").bounding_box() for k in ("ask", "board"))
        assert question is not None
        assert board is not None
        assert 0 < board["y"] - question["y"] - question["height"] < 40
        listed.first.focus()
        shown = tab.locator("[data-key=ask] .aside").bounding_box()
        assert shown is not None
        assert shown["height"] > 44
        value = f'"{ask["choices"][-1]["value"]}"'
        tab.evaluate("() => document.activeElement.blur()")
        tab.locator(f"[data-key=board] g[data-do=answer][data-value='{value}']").click()
        tab.wait_for_function("id => window.own.model.ask?.id > id", arg=ask["id"])
        tab.context.close()


def test_whether_a_hunch_is_meant_is_asked_where_it_is_seen_and_alone(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("baretta"), NAMES, "en") as there:
        tab = phone(chrome, there, size=(320, 568))
        ask = there.do(until(there, lambda ask: ask["question"] == "hunch", seed=1))
        drawn(tab, ask["id"])
        lures = tab.locator("[data-key=board] g[data-do=answer]")
        n = lures.count()
        lures.last.scroll_into_view_if_needed()
        lures.last.click()
        tab.wait_for_selector("#asked")
        tab.wait_for_function("() => document.activeElement.id === 'asked'")
        asked, tools = (tab.locator(one).bounding_box() for one in ("#asked", ".tools"))
        assert asked is not None
        assert tools is not None
        assert 0 <= asked["y"] < asked["y"] + asked["height"] <= tools["y"]
        assert tab.locator("[data-key=ask] [data-do=answer]").count() == 0
        assert "a card" in tab.inner_text("[data-key=ask] #question")
        tab.wait_for_selector("[data-fresh]", state="detached")
        tab.click("[data-key=asked] [data-do=answer]")  # the first answer is "no"
        tab.wait_for_selector("#asked", state="detached")
        assert lures.count() == n
        tab.context.close()


def test_a_criminal_is_put_right_on_his_circle(chrome: Browser, tmp_path: Path) -> None:
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        tab = phone(chrome, there)
        there.do(until(there, lambda ask: ask["question"] == "happened"))
        tab.click("[data-do=form][data-value=correct]")
        tab.click("[data-key=asked] [data-value='\"criminal\"']")
        tab.locator("[data-key=board] g.can[data-value='\"blue\"']").click()
        tab.wait_for_function("() => window.own.own.asked?.question === 'n'")
        tab.wait_for_selector("[data-fresh]", state="detached")
        tab.locator("[data-key=board] g.can[data-value='2']").click()
        tab.wait_for_function("() => window.own.model.state.circle.blue === 2")
        tab.context.close()


# --- Probe: words in racks ------------------------------------------------------------------------


def test_a_word_is_spelled_into_its_rack_with_dots_by_finger_and_the_next_one_looks_different(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("probe", words="secret"), NAMES, "en") as there:
        tab = phone(chrome, there)
        rack = tab.locator("[data-key=ask] .rack")
        assert "Your left-hand word" in rack.inner_text()
        assert "Four to twelve places" in tab.inner_text("[data-key=ask]")
        tab.fill("[data-check]", "HOUSE")
        tab.click("[aria-label='One more dot in front']")
        tab.click("[aria-label='One more dot behind']")
        tab.click("[aria-label='One more dot behind']")
        tab.click("[aria-label='One dot fewer behind']")
        tab.evaluate(DRAWN)
        assert tab.input_value("[data-check]") == ".HOUSE."
        assert "".join(rack.locator("b").all_inner_texts()).strip() == "●HOUSE●"
        left = rack.evaluate("(one) => getComputedStyle(one).textAlign")
        tab.click("[data-key=ask] form .strong")
        tab.wait_for_selector("[data-key=ask] .rack:has-text('Your right-hand word')")
        assert tab.input_value("[data-check]") == ""
        assert rack.evaluate("(one) => getComputedStyle(one).textAlign") != left
        tab.context.close()


def test_an_own_word_is_seen_in_its_rack_and_a_flap_that_fits_is_touched(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("probe", words="secret"), NAMES, "en") as there:
        tab = phone(chrome, there)
        ask = there.do(
            until(there, lambda ask: ask["question"] == "uncover" and len(ask["choices"]) > 1)
        )
        drawn(tab, ask["id"])
        assert tab.locator("#secret .flap").count() == 0
        tab.click("[data-do=keep]")
        tab.wait_for_selector("#secret .flap")
        (secret,) = there.do(there.phones["Ann"].do(look=True))[0]["secrets"]
        racks = ["".join(one.split()) for one in secret["words"].values()]
        seen = tab.locator("#secret .rack")
        letters = ["".join(one.locator("b").all_inner_texts()).strip() for one in seen.all()]
        assert letters == [one.replace(".", "●") for one in racks]
        fits = tab.locator("#secret button.flap")
        assert fits.count() == len(ask["choices"])
        sizes = [one.bounding_box() for one in fits.all()]
        assert all(box is not None and min(box["width"], box["height"]) >= 44 for box in sizes)
        fits.last.click()
        tab.wait_for_function("id => (window.own.model.ask?.id ?? 0) > id", arg=ask["id"])
        tab.context.close()


def test_answers_of_a_secret_question_come_with_what_they_are_about_however_late(
    chrome: Browser, tmp_path: Path
) -> None:
    held: list[Route] = []
    with table(tmp_path, lambda: playing("probe", words="secret"), NAMES, "en") as there:
        tab = phone(chrome, there)
        ask = there.do(until(there, lambda ask: ask["question"] == "uncover"))
        drawn(tab, ask["id"])
        tab.route("**/do", lambda route: held.append(route))  # noqa: PLW0108 - not a builtin method
        tab.focus("#hold")
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#hold[aria-expanded=true]")
        assert tab.locator("[data-key=ask] [data-do=answer]").count() == 0
        held.pop().continue_()
        tab.wait_for_selector("#secret .flap")
        answers = tab.locator("[data-key=ask] [data-do=answer]")
        assert answers.count() == len(ask["choices"])
        assert tab.evaluate("() => document.activeElement.id") == "hold"
        tab.context.close()


def test_focus_stays_on_an_answer_that_is_drawn_in_another_place(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        tab = phone(chrome, there)
        assert tab.evaluate(MOVED) == "DIV"
        tab.context.close()


def test_the_rack_that_is_asked_stands_above_the_letters_and_all_fit_a_phone(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("probe", words="secret"), NAMES, "en") as there:
        tab = phone(chrome, there)
        ask = there.do(until(there, lambda ask: ask["question"] == "ask_for"))
        drawn(tab, ask["id"])
        racks = tab.locator("[data-key=ask] .rack")
        assert racks.locator("h2").all_inner_texts() == ["Bob, left", "Bob, right"]
        keys = tab.locator("[data-key=ask] [data-do=answer]")
        last, above, below = (
            one.bounding_box() for one in (keys.last, racks.last, tab.locator(".tools"))
        )
        assert last is not None
        assert above is not None
        assert below is not None
        assert above["y"] < last["y"]
        assert last["y"] + last["height"] <= below["y"]
        tab.context.close()


def test_a_whole_word_is_guessed_into_what_is_known_and_send_says_what_it_costs(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("probe", words="secret"), NAMES, "en") as there:
        tab = phone(chrome, there)
        there.do(until(there, lambda ask: _open(there) in range(1, 4) and not ask["private"]))
        tab.wait_for_selector("[data-do=form][data-value=interrupt]")
        tab.click("[data-do=form][data-value=interrupt]")
        while not tab.locator("[data-rest]").count():
            tab.wait_for_selector("#asked")
            asked = tab.evaluate("() => window.own.own.asked.id")
            guarded = _guarded(there)
            tab.click(f"[data-key=asked] [data-value='\"{guarded}\"']")
            tab.wait_for_function("id => window.own.own.asked?.id !== id", arg=asked)
            tab.evaluate(DRAWN)
        seen = tab.evaluate("() => window.own.own.asked.spell.open")
        send = tab.locator("[data-key=asked] form .strong")
        assert "50" in send.inner_text()
        assert send.get_attribute("aria-disabled") == "true"
        tab.fill("[data-rest]", "Q" * seen.count("_"))
        tab.wait_for_selector("[data-key=asked] form .strong:not([aria-disabled])")
        whole = seen.replace("_", "Q")
        flaps = tab.locator("[data-key=asked] .flap b").all_inner_texts()
        assert "".join(flaps).strip() == whole.replace(".", "●")
        send.click()
        tab.wait_for_selector("[data-key=asked] [data-value='\"yes\"']")  # confirmation
        sure = tab.evaluate("() => window.own.own.asked.of")
        assert sure == {"question": "guess", "value": whole}
        tab.context.close()


def _racks(there: Table) -> dict[str, Any]:
    state = there.phones["Ann"].seat.watch.state
    return {} if state is None else dict(state["racks"])


def _guarded(there: Table) -> str:
    """Return Bob's rack with open letters and at least five hidden ones, or an empty string."""
    for name, places in _racks(there).items():
        hidden = [place["covered"] for place in places]
        seen = any(place["letter"] not in (None, ".") for place in places)
        if name.startswith("Bob") and seen and sum(hidden) >= 5:
            return name
    return ""


def _open(there: Table) -> int:
    """Return the number of open letters in Bob's rack."""
    return sum(place["letter"] is not None for place in _racks(there).get(_guarded(there), ()))


# --- Undo, seats and missed events ----------------------------------------------------------------


def test_an_undo_is_asked_about_and_only_another_seat_agrees_to_it(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("probe", words="secret"), NAMES, "en") as there:
        ann, bob = phone(chrome, there), phone(chrome, there, "Bob")
        for tab in (ann, bob):
            tab.evaluate(HASTY.replace("fresh.click()", ""))
        turns = iter(range(MOST))
        there.do(until(there, lambda ask: ask["question"] == "ask_for" and next(turns) > 2))
        ann.click("[data-do=undo]")
        ann.wait_for_selector("#undoing")
        assert ann.evaluate("() => window.posted") == []
        ann.click("[data-do=stay]")
        ann.wait_for_selector("#undoing", state="detached")
        assert ann.evaluate("() => window.posted") == []
        asked = _asks_for_undo(ann, there)
        drawn(ann, asked)
        assert ann.locator("[data-key=ask] [data-value='\"yes\"']").count() == 0
        assert "Another player must agree" in ann.inner_text("[data-key=ask]")
        (refused,) = there.do(there.phones["Ann"].do(answer="yes", id=asked))
        assert refused["code"] == "another"
        drawn(bob, asked)
        bob.click("[data-key=ask] [data-value='\"yes\"']")
        bob.wait_for_function("id => window.own.model.ask?.id > id", arg=asked)
        ann.context.close()
        bob.context.close()


def _asks_for_undo(tab: Tab, there: Table) -> int:
    """Undo answer by answer until the table is asked. Return the number of this question."""
    for _ in range(MOST):
        before = tab.evaluate("() => window.own.model.ask.id")
        tab.click("[data-do=undo]")
        tab.click("[data-do=take_back]")
        tab.wait_for_function("id => window.own.model.ask?.id !== id", arg=before)
        ask = there.phones["Ann"].seat.watch.ask
        assert ask is not None
        if ask["question"] == "agree_undo":
            return int(ask["id"])
    pytest.fail("the table was not asked")


def test_no_code_is_asked_for_and_a_seat_that_is_given_up_greys_the_other_tab(
    chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        tab = phone(chrome, there)
        other = tab.context.new_page()
        other.goto(there.url)
        other.click("[data-do=leave]")
        other.wait_for_selector("[data-do=join]")
        tab.wait_for_selector("main.gone")
        assert "given its seat back" in tab.inner_text(".banner")
        assert tab.locator(".tools, [data-do=answer]").count() == 0
        other.click("[data-do=join]")
        other.wait_for_selector("[role=alert]")
        assert other.inner_text("[role=alert]") == "Type all 4 letters of the code."
        other.fill("#code", "AB")
        other.click("[data-do=join]")
        other.wait_for_function("() => document.activeElement.id === 'code'")
        assert other.inner_text("[role=alert]") == "Type all 4 letters of the code."
        assert other.evaluate("() => document.activeElement.id") == "code"
        tab.context.close()


def test_what_was_missed_is_told_in_two_lines(chrome: Browser, tmp_path: Path) -> None:
    hides = """(hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }"""
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        tab = phone(chrome, there)
        there.do(until(there, lambda ask: ask["question"] == "happened"))
        assert tab.locator("[data-key=since]").count() == 0
        tab.evaluate(hides, True)
        was = there.phones["Ann"].seat.watch.ask
        assert was is not None
        there.do(there.answer("Ann", random.Random(4)))
        there.do(until(there, lambda ask: ask["id"] > was["id"]))
        tab.evaluate(hides, False)
        tab.wait_for_selector("[data-key=since]")
        told = [one["sentence"] for one in there.phones["Ann"].seat.watch.told]
        tab.wait_for_function(
            "text => document.querySelector('[data-key=since]').innerText.includes(text)",
            arg=told[-1],
        )
        lines = tab.locator("[data-key=since] p").all_inner_texts()
        assert lines == told[-2:]
        tab.click("[data-do=seen]")
        tab.wait_for_selector("[data-key=since]", state="detached")
        tab.context.close()


NARROW: Final = """() => {
  const box = (one) => document.querySelector(one).getBoundingClientRect();
  const rows = (one) => new Set([...one.getClientRects()].map((rect) => rect.top)).size;
  const lines = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return rows(range);
  };
  return {
    question: box('#sentence').bottom, tools: box('.tools').top,
    broken: [...document.querySelectorAll('.scores td, .flap i')]
      .filter((one) => lines(one) > 1).length,
  };
}"""


@pytest.mark.parametrize("size", ["112.5%", "225%"])
def test_at_320_pixels_no_value_is_broken_and_the_question_is_seen(
    size: str, chrome: Browser, tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("probe", words="secret"), NAMES, "en") as there:
        tab = phone(chrome, there, size=(320, 844))
        ask = there.do(until(there, lambda ask: ask["question"] == "ask_for"))
        drawn(tab, ask["id"])
        tab.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)
        found = tab.evaluate(NARROW)
        assert found["broken"] == 0
        assert found["question"] <= found["tools"]
        tab.context.close()
