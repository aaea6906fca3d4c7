"""Tests of whole games in browsers, and of phones that sleep, steal a seat and come back."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pytest

from companion.catalog import editions
from companion.page import page_html
from tests.page.browsers import (
    AXE,
    REQUIRE_BROWSERS,
    Phone,
    answer_at_box,
    chromium,
    follow,
    phones,
)
from tests.page.house import TIMEOUT_SECONDS, house
from tests.page.test_asked import vocabulary, words_in
from tests.typed import run_companion

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

Chrome: TypeAlias = "tuple[Browser, Any]"
"""The browser, and the devices that it can emulate."""

pytestmark = pytest.mark.long

GAMES: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("barney-miller", {"deck": "virtual"}),
    ("baretta", {}),
    ("kojak", {}),
    ("probe", {"words": "secret"}),
)
SEEDS: Final = {"kojak": 1}
"""Seeds of the random answers, for games in which few answers lead to the end."""
MOST: Final = 600
"""Maximum number of answers in a game."""
LIVELY: Final = ("/", "/board")
"""Pages that differ in each game. The other pages are tested with one game."""
PATHS: Final = (*LIVELY, "/history", "/people", "/rules")


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    """Yield one browser for all tests, because its start takes a second."""
    with chromium() as found:
        yield found


@pytest.fixture
def chrome(browser: Chrome) -> Iterator[Chrome]:
    """Yield the browser, then close all contexts of the test."""
    yield browser
    for context in browser[0].contexts:
        context.close()


def verified(home: Path) -> str:
    """Return the output of `companion verify` for the only game of a home."""
    run = run_companion("verify", "1", env={"XDG_DATA_HOME": str(home), "LANG": "C.UTF-8"})
    return (run.stdout + run.stderr).decode()


def played(
    chrome: Chrome, folder: Path, game: str, options: dict[str, str], names: tuple[str, ...]
) -> None:
    """Play a whole game on phones, Pixel and iPhone in turn, and verify the record.

    Every second phone is French and must show no English word. The record is verified in its
    folder, because SQLite's write-ahead log may still have a part of it.
    """
    chosen = random.Random(SEEDS.get(game, 4))
    home = folder / "companion"
    home.mkdir()
    with house(home, game, ",".join(names), **options) as (box, page):
        all_of_them = phones(*chrome, page, box, names)
        over, answers, turn, until = None, 0, 0, time.monotonic() + TIMEOUT_SECONDS
        read, offered = set[str](), set[str]()
        while not over and answers < MOST and time.monotonic() < until:
            who = names[(answers + turn) % len(names)]
            turn += 1
            asked, over = all_of_them[who].now()
            offered |= {str(one["value"]) for one in (asked or {}).get("choices", ())}
            if not over and all_of_them[who].act(who, asked, chosen):
                answers, turn, until = answers + 1, 0, time.monotonic() + TIMEOUT_SECONDS
                read |= words_in(all_of_them[names[1]].tab.inner_text("main"))
                if game == "kojak" and answers % 5 == 0:
                    box.press("ok")  # the buttons answer, too
            elif turn % len(names) == 0:
                all_of_them[who].tab.wait_for_timeout(20)  # the question is not on a phone yet
        assert over is not None
        for phone in all_of_them.values():
            phone.tab.wait_for_selector("[data-key=over]")
            assert phone.slips == []
    known = words_in(f"{names} {offered} {editions.load_edition(game)} {page_html.LANGUAGE_NAMES}")
    assert read & (vocabulary("en", game) - vocabulary("fr", game) - known) == set()
    assert read & (vocabulary("fr", game) - vocabulary("en", game))
    assert "The chance was fair" in verified(folder)


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game for game, _ in GAMES])
def test_a_whole_game_is_played_by_two_phones_and_the_buttons(
    game: str, options: dict[str, str], chrome: Chrome, tmp_path: Path
) -> None:
    played(chrome, tmp_path, game, options, ("Ann", "Bob"))


@pytest.mark.skipif(not REQUIRE_BROWSERS, reason="half a minute: make page-test")
def test_a_whole_game_with_secret_words_is_played_by_four_phones(
    chrome: Chrome, tmp_path: Path
) -> None:
    played(chrome, tmp_path, "probe", {"words": "secret"}, ("Ann", "Bob", "Cy", "Di"))


TWICE: Final = """() => {
  const root = document.documentElement;
  root.style.fontSize = '225%';
  const wide = root.scrollWidth - root.clientWidth;
  root.style.fontSize = '';
  return wide;
}"""
"""Returns the pixels by which a page is too wide with letters of twice the size."""


COLOURS: Final = ["color-contrast", "link-in-text-block"]
"""Rules of axe about colours. All other rules give the same result by day and at night."""


def accessible(tab: Tab) -> list[str]:
    """Return axe's violations by day, and an error if large letters make the page too wide."""
    tab.evaluate(AXE.read_text("utf-8"))
    wide = tab.evaluate(TWICE)
    return violations(tab, {}) + ([f"{wide} pixels too wide"] if wide > 0 else [])


def violations(tab: Tab, what: dict[str, Any]) -> list[str]:
    found = tab.evaluate("(what) => axe.run(what).then((result) => result.violations)", what)
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found]


def coloured(tab: Tab) -> list[str]:
    """Return axe's violations about colours at night."""
    tab.emulate_media(color_scheme="dark")
    found = violations(tab, {"runOnly": COLOURS})
    tab.emulate_media(color_scheme="light")
    return found


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game for game, _ in GAMES])
def test_axe_finds_nothing_wrong_with_any_page(
    game: str, options: dict[str, str], chrome: Chrome, tmp_path: Path
) -> None:
    found = {}
    with house(tmp_path, game, "Ann,Bob", **options) as (box, page):
        phone = phones(*chrome, page, box, ("Ann",))["Ann"]
        phone.tab.emulate_media(reduced_motion="reduce")  # new elements are lit for a second
        for path in PATHS if REQUIRE_BROWSERS or game == GAMES[0][0] else LIVELY:
            phone.tab.goto(page.url + path)
            if path in LIVELY:
                phone.tab.wait_for_selector("html[data-game]")  # until it is drawn
            found["light", path] = accessible(phone.tab)
            found["dark", path] = coloured(phone.tab)
        stranger = Phone(chrome[0].new_context(bypass_csp=True), page.url)
        stranger.tab.goto(page.url)
        found["light", "join"] = accessible(stranger.tab)
    assert {key: wrong for key, wrong in found.items() if wrong} == {}


@pytest.mark.skipif(not REQUIRE_BROWSERS, reason="some seconds: make page-test")
def test_no_pile_is_counted_before_the_cards_are_dealt(chrome: Chrome, tmp_path: Path) -> None:
    from playwright.sync_api import TimeoutError as TooLate  # noqa: PLC0415 - only with a browser

    with house(tmp_path, "baretta", "Ann,Bob", criminals="choose") as (box, page):
        ann = phones(*chrome, page, box, ("Ann",))["Ann"]
        ann.tab.wait_for_selector(".scores")
        counted = ann.tab.locator(".scores", has_text="cards in the pile")
        assert counted.count() == 0
        for _ in range(8):  # an overlay may cover the question
            box.press("ok")
            with suppress(TooLate):
                counted.wait_for(timeout=1000)
                break
        assert counted.count() == 1


def test_phones_sleep_double_and_come_back(chrome: Chrome, tmp_path: Path) -> None:
    with house(tmp_path, "kojak", "Ann,Bob") as (box, page):
        found = phones(*chrome, page, box, ("Ann", "Bob"))
        ann, bob = found["Ann"], found["Bob"]
        other = ann.another()
        other.goto(page.url)  # a second tab
        other.wait_for_selector(".tools")

        ann.context.set_offline(True)  # asleep
        ask, _ = bob.now()
        answer_at_box(box, bob.tab, ask["id"])
        ann.context.set_offline(False)
        for tab in (ann.tab, other):
            follow(tab, ask["id"])

        late = ann.tab.evaluate(
            "id => import('/static/line.js').then((l) => l.post('/do', { answer: 'nothing', id }))",
            ask["id"],
        )
        assert late["error"]["code"] in {"late", "other_id"}

        cookies = ann.context.cookies()
        thief = chrome[0].new_context()
        false = [{**one, "value": str(one["value"])[:-8] + "00000000"} for one in cookies]
        thief.add_cookies(false)  # type: ignore[arg-type]
        tab = thief.new_page()
        tab.goto(page.url)
        tab.wait_for_selector("[data-do=join]")
        assert tab.locator("[data-do=join]").count() == 2
        assert tab.locator(".tools").count() == 0


def test_a_page_that_is_killed_comes_back_to_the_same_seats(chrome: Chrome, tmp_path: Path) -> None:
    from tests.page.house import Page  # noqa: PLC0415 - a second one, by its name

    with house(tmp_path, "kojak", "Ann,Bob") as (box, page):
        ann = phones(*chrome, page, box, ("Ann",))["Ann"]
        page.process.kill()
        page.process.wait(TIMEOUT_SECONDS)
        ann.tab.wait_for_selector(".banner")
        again = Page(tmp_path / "door.sock", page.port)
        try:
            ann.tab.wait_for_selector(".banner", state="detached")
            ask, _ = ann.now()
            answer_at_box(box, ann.tab, ask["id"])
            assert ann.tab.locator(".tools").count() == 1
        finally:
            again.end()


def test_a_hand_is_open_while_a_finger_holds_and_no_longer(chrome: Chrome, tmp_path: Path) -> None:
    with house(tmp_path, "barney-miller", "Ann,Bob", deck="virtual") as (box, page):
        ann = phones(*chrome, page, box, ("Ann",))["Ann"]
        secret = ann.tab.locator(".secret")
        assert "Your cards" not in secret.inner_text()
        ann.tab.locator("#hold").scroll_into_view_if_needed()
        spot = ann.tab.locator("#hold").bounding_box()
        assert spot is not None
        ann.tab.mouse.move(spot["x"] + 20, spot["y"] + 20)
        ann.tab.mouse.down()
        ann.tab.wait_for_selector(".secret >> text=Your cards")
        ann.tab.mouse.up()
        ann.tab.wait_for_selector(".secret .covered")
        assert "Your cards" not in secret.inner_text()
        ann.tab.locator("#hold").focus()
        ann.tab.keyboard.press("Enter")  # by keyboard, the hand is open until the next Enter
        ann.tab.wait_for_selector(".secret >> text=Your cards")
        ann.tab.keyboard.press("Enter")
        ann.tab.wait_for_selector(".secret .covered")
