"""Whole games with browsers, and what becomes of phones that sleep, steal and come back."""

from __future__ import annotations

import random
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.page.browsers import INSISTS, Phone, chromium, follow, phones
from tests.page.house import PATIENCE, companion, house

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

pytestmark = pytest.mark.browser

AXE: Final = Path(__file__).with_name("axe.min.js")
GAMES: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("barney-miller", {"deck": "virtual"}),
    ("baretta", {}),
    ("kojak", {}),
    ("probe", {"words": "secret"}),
)
MOST: Final = 600
"""Answers of a game, at most."""


def verified(journal: Path) -> str:
    """What `companion verify` says of the only game of a journal."""
    data = journal.parent / "companion"
    data.mkdir()
    journal.rename(data / "games.db")
    run = subprocess.run(
        [*companion(), "verify", "1"], capture_output=True, text=True, check=False,
        env={"XDG_DATA_HOME": str(journal.parent), "LANG": "C.UTF-8", "PATH": ""},
    )  # fmt: skip
    return run.stdout + run.stderr


def played(folder: Path, game: str, options: dict[str, str], names: tuple[str, ...]) -> None:
    """A whole game, everybody with a phone, Pixel and iPhone in turn; then its record is proved."""
    chosen = random.Random(4)
    with (
        chromium() as (browser, devices),
        house(folder, game, ",".join(names), **options) as (box, page),
    ):
        all_of_them = phones(browser, devices, page, box, names)
        over = None
        for turn in range(MOST):
            for who in chosen.sample(names, len(names)):
                asked, over = all_of_them[who].now()
                if over or all_of_them[who].act(who, asked, chosen):
                    break
            if over:
                break
            if turn % 5 == 0 and game == "kojak":
                box.press("ok")  # the buttons answer too
        assert over is not None
        for phone in all_of_them.values():
            phone.tab.wait_for_selector("text=/win/")
            assert phone.slips == []
    assert "Played straight" in verified(folder / "games.db")


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game for game, _ in GAMES])
def test_a_whole_game_is_played_by_two_phones_and_the_buttons(
    game: str, options: dict[str, str], tmp_path: Path
) -> None:
    played(tmp_path, game, options, ("Ann", "Bob"))


@pytest.mark.skipif(not INSISTS, reason="half a minute: make page-test")
def test_a_whole_game_with_secret_words_is_played_by_four_phones(tmp_path: Path) -> None:
    played(tmp_path, "probe", {"words": "secret"}, ("Ann", "Bob", "Cy", "Di"))


TWICE: Final = """() => {
  const root = document.documentElement;
  root.style.fontSize = '225%';
  const wide = root.scrollWidth - root.clientWidth;
  root.style.fontSize = '';
  return wide;
}"""
"""Pixels by which a page is too wide with letters of twice the size."""


def accessible(tab: Tab) -> list[str]:
    """What axe finds wrong with a page; and with letters of twice the size it is no wider."""
    tab.evaluate(AXE.read_text("utf-8"))
    found = tab.evaluate("() => axe.run().then((result) => result.violations)")
    wide = tab.evaluate(TWICE)
    return [
        *(f"{one['id']}: {one['nodes'][0]['html']}" for one in found),
        *([f"{wide} pixels too wide"] if wide > 0 else []),
    ]


@pytest.mark.skipif(not AXE.exists(), reason="axe.min.js is in the repository alone")
@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game for game, _ in GAMES])
def test_axe_finds_nothing_wrong_with_any_page(
    game: str, options: dict[str, str], tmp_path: Path
) -> None:
    found = {}
    with (
        chromium() as (browser, devices),
        house(tmp_path, game, "Ann,Bob", **options) as (box, page),
    ):
        phone = phones(browser, devices, page, box, ("Ann",))["Ann"]
        for scheme in ("light", "dark"):
            phone.tab.emulate_media(color_scheme=scheme)
            for path in ("/", "/board", "/history", "/people", "/rules"):
                phone.tab.goto(page.url + path)
                phone.tab.wait_for_timeout(600)
                found[scheme, path] = accessible(phone.tab)
        stranger = Phone(browser.new_context(bypass_csp=True), page.url)
        stranger.tab.goto(page.url)
        found["light", "join"] = accessible(stranger.tab)
    assert {key: wrong for key, wrong in found.items() if wrong} == {}


def test_phones_sleep_double_and_come_back(tmp_path: Path) -> None:
    from playwright.sync_api import TimeoutError as TooLate  # noqa: PLC0415 - where there is one

    with chromium() as (browser, devices), house(tmp_path, "kojak", "Ann,Bob") as (box, page):
        found = phones(browser, devices, page, box, ("Ann", "Bob"))
        ann, bob = found["Ann"], found["Bob"]
        other = ann.another()
        other.goto(page.url)  # a second tab
        other.wait_for_selector(".tools")

        ann.context.set_offline(True)  # asleep
        ask, _ = bob.now()
        for _ in range(4):  # a moment may lie in front of the question
            box.press("ok")
            with suppress(TooLate):
                follow(bob.tab, ask["id"], timeout=2000)
                break
        assert bob.now()[0]["id"] > ask["id"]
        ann.context.set_offline(False)
        for tab in (ann.tab, other):
            follow(tab, ask["id"])

        late = ann.tab.evaluate(
            "id => import('/static/line.js').then((l) => l.post('/do', { answer: 'nothing', id }))",
            ask["id"],
        )
        assert late["error"]["code"] in {"late", "other_id"}

        cookies = ann.context.cookies()
        thief = browser.new_context()
        false = [{**one, "value": str(one["value"])[:-8] + "00000000"} for one in cookies]
        thief.add_cookies(false)  # type: ignore[arg-type] # as they were given
        tab = thief.new_page()
        tab.goto(page.url)
        assert tab.locator(".tools").count() == 0
        assert tab.locator("[data-do=join]").count() == 2


def test_a_page_that_is_killed_comes_back_to_the_same_seats(tmp_path: Path) -> None:
    from tests.page.house import Page  # noqa: PLC0415 - a second one, by its name

    with chromium() as (browser, devices), house(tmp_path, "kojak", "Ann,Bob") as (box, page):
        ann = phones(browser, devices, page, box, ("Ann",))["Ann"]
        page.process.kill()
        page.process.wait(PATIENCE)
        ann.tab.wait_for_selector(".banner")
        again = Page(tmp_path / "door.sock", page.port)
        try:
            ann.tab.wait_for_selector(".banner", state="detached", timeout=40_000)
            ask, _ = ann.now()
            box.press("ok")
            follow(ann.tab, ask["id"])
            assert ann.tab.locator(".tools").count() == 1
        finally:
            again.end()


def test_a_hand_is_open_while_a_finger_holds_and_no_longer(tmp_path: Path) -> None:
    with (
        chromium() as (browser, devices),
        house(tmp_path, "barney-miller", "Ann,Bob", deck="virtual") as (box, page),
    ):
        ann = phones(browser, devices, page, box, ("Ann",))["Ann"]
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
        ann.tab.keyboard.press("Enter")  # by keyboard, until Enter comes again
        ann.tab.wait_for_selector(".secret >> text=Your cards")
        ann.tab.keyboard.press("Enter")
        ann.tab.wait_for_selector(".secret .covered")
