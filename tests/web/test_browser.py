"""Tests of the box in Chromium: its display, its storage, and games equal to those without a
browser.

Python for the browser comes from npm, so these tests need Chromium, npm and a network.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable, Iterator
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest

from book import live
from companion.catalog.registry import BUILT_IN_GAMES
from companion.say.words import LANGUAGES
from hardware.ports import BUTTONS
from tests.page.browsers import AXE
from tests.web.site import CHROMIUM, FLAGS, NPM, TIMEOUT_MILLISECONDS, served
from tests.web.taps import PLAY, SEED, Recorded, games_of_the_site, menu_presses, recorded
from web import build

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Dialog, FilePayload, Page


pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    if CHROMIUM is None or NPM is None:
        pytest.skip("no Chromium or no npm: apt install chromium npm")
    try:
        with served() as (address, _):
            yield address
    except build.BuildFailed as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only with a browser

    with sync_playwright() as playwright, TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=FLAGS, viewport={"width": 390, "height": 844}
        )
        context.set_default_timeout(TIMEOUT_MILLISECONDS)
        yield context
        context.close()


@pytest.fixture(autouse=True)
def _begins_without_a_record(site: str, context: BrowserContext) -> Iterator[None]:
    """Delete the record before each test, and close the test's pages after it."""
    page = context.new_page()
    page.goto(f"{site}LICENCES.txt")
    page.wait_for_function(FORGET)
    page.close()
    yield
    for page in context.pages[1:]:
        page.close()


def opened(context: BrowserContext, address: str) -> Page:
    """Return a new page of the box, which has started."""
    page = context.new_page()
    page.goto(address)
    started(page)
    return page


def reload(page: Page) -> None:
    page.reload()
    started(page)


def started(page: Page) -> None:
    page.wait_for_function(READY)
    assert page.evaluate("companion.error") is None


SIZES: Final = ((390, 844), (1280, 800))
ENTRY: Final = re.compile(r'.*"entry".*')
NOT_GAMES: Final[FilePayload] = {
    "name": "a.jsonl", "mimeType": "application/jsonl", "buffer": b"{}",
}  # fmt: skip
READY: Final = "() => companion.ready.then(() => true)"
FORGET: Final = """async () => {
    const root = await navigator.storage.getDirectory();
    try {
        for (const name of await Array.fromAsync(root.keys())) await root.removeEntry(name);
        return true;
    } catch { return false; }
}"""
"""Removes the record. Returns false while a page still uses it."""
FILES: Final = "navigator.storage.getDirectory().then((root) => Array.fromAsync(root.keys()))"
WIDE: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL: Final = """[...document.querySelectorAll("button, a")].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width && Math.min(width, height) < (one.matches("button") ? 44 : 24);
}).map((one) => one.outerHTML)"""
"""Finds buttons and links that are too small for a thumb."""
CROWDED: Final = """[...document.querySelectorAll(".case button")].filter((one, at, all) => {
    const label = one.firstElementChild.getBoundingClientRect();
    const place = one.getBoundingClientRect();
    const covers = ({ left, right, top, bottom }) => left < place.right && place.left < right
        && top < place.bottom && place.top < bottom;
    return label.left < place.left || place.right < label.right
        || all.some((other) => other !== one && covers(other.getBoundingClientRect()));
}).map((one) => one.outerHTML)"""
"""Finds buttons of the box that cover each other, or are narrower than their labels."""
RELOADS: Final = int(os.environ.get("COMPANION_RELOADS", "8"))
ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
"""Identifiers of games, which are always new."""
GAMES: Final = (BUILT_IN_GAMES[:2], BUILT_IN_GAMES[2:])
PAIRS: Final = (
    (SIZES[0], "en", GAMES[0]), (SIZES[0], "fr", GAMES[1]),
    (SIZES[1], "fr", GAMES[0]), (SIZES[1], "en", GAMES[1]),
)  # fmt: skip
"""Sizes, languages and games: each game in each size and in each language."""
EVERY: Final = tuple((size, language, BUILT_IN_GAMES) for size in SIZES for language in LANGUAGES)
"""Each game in each size in each language."""
TAPS: Final = EVERY if os.environ.get("COMPANION_TAPS") == "all" else PAIRS
ANSWER: Final = """() => companion.press("ok")
    .then(() => companion.export()).then((games) => games.includes('"entry"'))"""
"""Presses OK. Returns true if a game has begun and has an answer."""
PRESS_ON: Final = """(buttons) => { (async () => {
    for (const button of buttons) {
        await companion.press(button);
        sessionStorage.shown = await companion.export();
        sessionStorage.presses = Number(sessionStorage.presses ?? 0) + 1;
    }
})(); }"""
"""Presses buttons without waiting. Stores the export after each press."""
PRESSED: Final = "(presses) => Number(sessionStorage.presses) >= presses"
BOUNDS: Final = """() => Object.fromEntries([...document.querySelectorAll("[data-button]")]
    .map((one) => [one.dataset.button, one.getBoundingClientRect()])
    .map(([name, { x, y, width, height }]) => [name, [x + width / 2, y + height / 2]]))"""
QUICK: Final = """() => {
    const lamp = document.querySelector(".lamp");
    lamp.className = "lamp quick";
    return getComputedStyle(lamp).animationName;
}"""
"""Returns the animation of a lamp that blinks quickly."""
THREADS: Final = """
window.threads = [];
window.Worker = class extends Worker {
    constructor(...given) {
        super(...given);
        this.lives = true;
        threads.push(this);
        this.addEventListener("message", ({ data }) => (this.last = data));
    }
    terminate() { super.terminate(); this.lives = false; }
    vanish() { super.terminate(); }
};"""
"""Lists all workers of a page in `threads`. The first one is the worker of the box."""
PLAYS_ON: Final = """async ([answers, presses]) => {
    const answered = async () => (await companion.export()).split('"who":"Chip"').length > answers;
    for (let press = 0; press < presses && !await answered(); press++) {
        await companion.press("ok");
        if (companion.said.at(-1)?.text === "Hold OK first, to look.") {
            await companion.press("ok");
            await companion.down("ok");
            await companion.wait(800);
            await companion.press("down");
            await companion.up("ok");
            await companion.press("ok");
        }
        await companion.wait(700);
    }
    return answered();
}"""
"""Presses OK until the computer player has given N answers. Looks at a hand first if necessary."""
MAX_PRESSES: Final = 100
FAILS_TO_START: Final = """async () => {
    const announced = () => companion.said.some(({ text }) => text.includes("does not start"));
    for (let second = 0; second < 60 && !announced(); second++) {
        await companion.press("ok");
        await companion.wait(1000);
    }
    return announced();
}"""
"""Presses OK for a minute. Returns true if the box reports that the computer player fails."""
UNREGISTERED: Final = """() => navigator.serviceWorker.getRegistrations()
    .then((found) => Promise.all(found.map((one) => one.unregister())))"""
KEYS: Final = {"ok": "Enter", "back": "Escape", "up": "ArrowUp", "down": "ArrowDown"}


class Fingers:
    """Touches the page's buttons, with one finger for each button that is down."""

    def __init__(self, page: Page) -> None:
        self._page, self._cdp = page, page.context.new_cdp_session(page)
        self._places: dict[str, list[float]] = page.evaluate(BOUNDS)

    def down(self, button: str) -> None:
        self._touch("touchStart", button)

    def up(self, button: str) -> None:
        self._touch("touchEnd", button)

    def wait(self, seconds: float) -> None:
        self._page.evaluate("(ms) => companion.wait(ms)", seconds * 1000)

    def _touch(self, kind: str, button: str) -> None:
        x, y = self._places[button]
        point = {"x": x, "y": y, "id": BUTTONS.index(button)}
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})


class Keys:
    """Presses the page's keys."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def down(self, button: str) -> None:
        self._page.keyboard.down(KEYS[button])

    def up(self, button: str) -> None:
        self._page.keyboard.up(KEYS[button])

    def wait(self, seconds: float) -> None:
        self._page.evaluate("(ms) => companion.wait(ms)", seconds * 1000)


def play(hand: Fingers | Keys, edges: Iterable[tuple[str, Any]]) -> None:
    for do, what in edges:
        getattr(hand, do)(what)


def press_at_once(page: Page, *buttons: str) -> None:
    """Press buttons, each as soon as the box has handled the previous one."""
    for button in buttons:
        page.evaluate(f"companion.press('{button}')")


def games(page: Page) -> str:
    return str(page.evaluate("companion.export()"))


def test_a_game_goes_on_after_a_reload_and_without_a_network(
    site: str, context: BrowserContext
) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = opened(context, f"{site}?lang=en&mute")
    page.wait_for_function(ANSWER)
    played = games(page)

    second = context.new_page()
    second.goto(f"{site}?lang=en&mute")
    second.wait_for_function(READY)
    assert "another tab" in second.evaluate("companion.error")
    assert second.is_disabled("#erase")
    second.close()

    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    try:
        reload(page)
        assert games(page) == played
    finally:
        context.set_offline(False)
    page.close()
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(site).netloc}


@pytest.mark.parametrize(("size", "language", "played"), TAPS)
def test_each_game_is_played_to_its_end_by_taps(
    site: str,
    context: BrowserContext,
    size: tuple[int, int],
    language: str,
    played: tuple[str, ...],
) -> None:
    """COMPANION_TAPS=all plays each game in each size in each language: 16 games instead of 8."""
    page = context.new_page()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    compare(page, f"{site}?lang={language}", Fingers, recorded(language, *played))


def test_a_game_is_played_to_its_end_by_keys(site: str, context: BrowserContext) -> None:
    compare(context.new_page(), f"{site}?lang=en", Keys, recorded("en", "barney-miller"))


def test_the_score_pad_is_played_to_its_end_by_taps(site: str, context: BrowserContext) -> None:
    compare(context.new_page(), f"{site}?lang=fr", Fingers, recorded("fr", "score-pad"))


def compare(page: Page, address: str, hand: type[Fingers | Keys], played: Recorded) -> None:
    """Play the recorded edges. Compare the display at each game's end, and the record."""
    page.goto(f"{address}&seed={SEED}&step&mute")
    started(page)
    thumbs, done = hand(page), 0
    for edges, frame in played.frames:
        play(thumbs, played.edges[done:edges])
        page.evaluate("companion.wait(0)")
        assert shown(page) == frame, f"after {edges} edges"
        done = edges
    play(thumbs, played.edges[done:])
    assert ID.sub("", games(page)).splitlines()[1:] == ID.sub("", played.games).splitlines()[1:]
    page.close()


def shown(page: Page) -> bytes:
    return bytes(page.evaluate("[...companion.frame()]"))


def test_a_secret_that_was_open_is_covered_after_a_reload(
    site: str, context: BrowserContext
) -> None:
    played = recorded("en", "probe")  # nothing is rolled before its first secret
    page = opened(context, f"{site}?lang=en&step&mute")
    fingers, secret = Fingers(page), played.secrets[0]
    play(fingers, played.edges[: secret - 2])
    page.evaluate("companion.wait(0)")
    covered = shown(page)
    play(fingers, played.edges[secret - 2 : secret])
    open_ = shown(page)
    assert open_ != covered

    reload(page)
    assert shown(page) not in (open_, covered)
    press_at_once(page, "ok", "ok")  # resume the game, and close the page about its state
    assert shown(page) == covered
    fingers = Fingers(page)
    play(fingers, played.edges[secret - 2 : secret])
    assert shown(page) == open_
    page.close()


def test_no_answer_that_was_shown_is_lost_by_reloads(site: str, context: BrowserContext) -> None:
    """COMPANION_RELOADS=50 reloads the page 50 times instead of 8."""
    page, rng = opened(context, f"{site}?lang=en&step&mute"), random.Random(50)
    presses = 0
    for _ in range(RELOADS):
        presses += rng.randrange(1, 20)
        page.evaluate(PRESS_ON, rng.choices(("ok", "up", "down"), (6, 1, 1), k=60))
        page.wait_for_function(PRESSED, arg=presses)
        reload(page)
        presses = int(page.evaluate("sessionStorage.presses"))
        assert answers(page.evaluate("sessionStorage.shown")) <= answers(games(page))
    assert len(answers(games(page))) > RELOADS, "the played games have answers"
    page.close()


def answers(exported: str) -> set[str]:
    return {line for line in exported.splitlines() if '"entry"' in line}


def opposed(page: Page, address: str, level: str = "learner") -> None:
    """Open the box in `page`, and begin Barney Miller against a computer player."""
    page.add_init_script(THREADS)
    page.goto(address)
    started(page)
    assert page.evaluate("threads.length") == 1
    press_at_once(page, *menu_presses("barney-miller", level))


def answered(page: Page, answers: int = 1) -> bool:
    """Press buttons until the computer player has given N answers. Return False if it does not."""
    return bool(page.evaluate(PLAYS_ON, [answers, MAX_PRESSES]))


def chips_answers(page: Page) -> int:
    return games(page).count('"who":"Chip"')


def fresh_origin(page: Page, site: str) -> str:
    """Return the address of the site at another origin, without a service worker."""
    address = site.replace("127.0.0.1", "localhost")
    page.goto(f"{address}LICENCES.txt")
    page.evaluate(UNREGISTERED)
    page.wait_for_function(FORGET)
    return address


def replace_script(page: Page, name: str, body: str) -> None:
    """Let the host send another script to a page without a service worker."""
    page.add_init_script("Object.defineProperty(navigator, 'serviceWorker', { value: undefined });")
    page.route(f"**/{name}", lambda route: route.fulfill(
        body=body, content_type="text/javascript"
    ))  # fmt: skip


def test_a_game_against_the_box_goes_on_after_a_reload_without_a_network(
    site: str, context: BrowserContext
) -> None:
    page = context.new_page()
    opposed(page, f"{site}?lang=en&mute")
    assert answered(page)
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    try:
        reload(page)
        assert page.evaluate("threads.length") == 1
        assert answered(page, chips_answers(page) + 1)
        assert page.evaluate("threads.length") == 2
    finally:
        context.set_offline(False)


def test_a_worker_that_ends_without_a_word_is_replaced(site: str, context: BrowserContext) -> None:
    page = context.new_page()
    opposed(page, f"{site}?lang=en&mute")
    assert answered(page)
    page.evaluate("threads[1].vanish()")
    page.wait_for_function("threads.length === 3")
    assert answered(page, chips_answers(page) + 1)


def test_a_worker_that_vanishes_while_it_loads_is_replaced(
    site: str, context: BrowserContext
) -> None:
    page = context.new_page()
    opposed(page, f"{site}?lang=en&step&mute")
    page.wait_for_function("threads[1]?.last?.lock")
    page.evaluate("threads[1].vanish()")
    page.wait_for_function("!threads[1].lives")
    page.evaluate("companion.wait(11000)")
    page.wait_for_function("threads[2]?.last?.number")


def test_a_worker_that_cannot_start_is_announced(site: str, context: BrowserContext) -> None:
    page = context.new_page()
    address = fresh_origin(page, site)
    replace_script(page, "seats.js", "throw new Error('no memory');")
    opposed(page, f"{address}?lang=en&step&mute")
    assert page.evaluate(FAILS_TO_START)
    assert page.evaluate("companion.error") is None


def test_no_press_waits_while_the_computer_player_thinks(
    site: str, context: BrowserContext
) -> None:
    page = context.new_page()
    address = fresh_origin(page, site)
    script = page.evaluate("fetch('seats.js').then((file) => file.text())")
    assert "function answer() {" in script
    thinks = "function answer() { post(0, 'thinks'); for (;;) {} }\nfunction unused() {"
    replace_script(page, "seats.js", script.replace("function answer() {", thinks))
    opposed(page, f"{address}?lang=en&step&mute", "strong")
    page.wait_for_function("threads[1]?.last?.line === 'thinks'")
    page.evaluate("companion.press('ok')")
    before = shown(page)
    press_at_once(page, "back", "down")
    assert shown(page) != before
    press_at_once(page, "up", "back")
    assert shown(page) == before


def test_the_worker_of_the_computer_player_ends_with_its_game(
    site: str, context: BrowserContext
) -> None:
    page = context.new_page()
    opposed(page, f"{site}?lang=en&step&mute")
    page.wait_for_function("threads[1]?.last?.number")
    press_at_once(page, *menu_presses("barney-miller", "learner", leaves=True))
    page.wait_for_function("!threads[1].lives")
    assert page.evaluate("threads.length") == 2
    assert page.evaluate("companion.error") is None


def test_games_are_saved_as_a_file_loaded_and_erased(site: str, context: BrowserContext) -> None:
    page = opened(context, f"{site}?lang=en&step&mute")
    press_at_once(page, *["ok"] * 8)
    played = games(page)
    with page.expect_download() as saving:
        page.click("#export")
    assert saving.value.suggested_filename == "companion.jsonl"
    file = saving.value.path()
    assert file.read_text("utf-8") == played

    asked: list[str] = []

    def decline(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.once("dialog", decline)
    page.click("#erase")
    assert games(page) == played, "the player declined to erase"
    page.once("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        page.click("#erase")
    started(page)
    assert asked == ["Erase all games and settings of this browser?"]
    assert '"entry"' not in games(page)

    page.set_input_files("#file", file)
    page.wait_for_function("document.querySelector('#status').textContent")
    assert page.text_content("#status") == "1 game was added."
    assert ENTRY.findall(games(page)) == ENTRY.findall(played)
    page.set_input_files("#file", files=[NOT_GAMES])
    page.wait_for_function("!document.querySelector('#status').textContent.startsWith('1')")
    assert page.text_content("#status") == "This file holds no games of the box."


def test_a_browser_without_files_plays_without_a_record_and_says_so(
    site: str, context: BrowserContext
) -> None:
    page = context.new_page()
    fresh = fresh_origin(page, site)
    script = page.evaluate("fetch('worker.js').then((file) => file.text())")
    without = "Object.defineProperty(navigator, 'storage', { value: undefined });"
    page.route("**/worker.js", lambda route: route.fulfill(
        body=script.replace("let box", f"{without}let box"), content_type="text/javascript"
    ))  # fmt: skip
    page.goto(f"{fresh}?lang=en&step&mute")
    started(page)
    assert "keeps no files" in str(page.text_content("#status"))
    press_at_once(page, *["ok"] * 8)
    assert '"entry"' in games(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_accessible_in_both_sizes_and_with_large_letters(
    site: str, context: BrowserContext, language: str
) -> None:
    page = opened(context, f"{site}?lang={language}&seed=c0ffee&mute")
    page.add_script_tag(content=AXE.read_text("utf-8"))
    for size in SIZES:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for letters in ("100%", "200%"):
            page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", letters)
            page.evaluate("dispatchEvent(new Event('resize'))")
            found = page.evaluate("axe.run().then((result) => result.violations)")
            assert [one["id"] for one in found] == [], (size, letters)
            assert page.evaluate(WIDE) == 0, (size, letters)
            dots = page.evaluate("document.querySelector('canvas').getBoundingClientRect().width")
            assert dots % 128 == 0, "all dots of the display have one size"
            small = page.evaluate(SMALL)
            assert small == [], (size, letters)
            assert page.evaluate(CROWDED) == [], (size, letters)


def test_lamps_do_not_blink_where_motion_is_not_wanted(site: str, context: BrowserContext) -> None:
    page = opened(context, f"{site}?seed=c0ffee&step&mute")
    assert page.evaluate(QUICK) == "blink"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(QUICK) == "none"


def test_the_page_can_be_installed(site: str, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{site}?seed=c0ffee&mute")
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    errors = context.new_cdp_session(page).send("Page.getInstallabilityErrors")
    found = [error["errorId"] for error in errors["installabilityErrors"]]
    assert [error for error in found if error != "in-incognito"] == []


@pytest.mark.parametrize(("language", "scene"), [("en", "kojak"), ("fr", "probe")])
def test_a_scene_begins_with_its_frame_and_keeps_nothing(
    site: str, context: BrowserContext, language: str, scene: str
) -> None:
    page = opened(context, f"{site}?lang={language}&scene={scene}&step&mute")
    assert shown(page) == live.scene_first_frame(scene, language)
    page.goto(f"{site}LICENCES.txt")
    assert page.evaluate(FILES) == []


def test_a_scene_that_there_is_not_is_said_to_be_unknown(
    site: str, context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(f"{site}?lang=en&scene=nowhere&mute")
    page.wait_for_function(READY)
    assert page.evaluate("companion.error") == "This page knows no such situation."


def test_a_right_click_keeps_a_button_pressed_until_the_next_click(
    site: str, context: BrowserContext
) -> None:
    page = opened(context, f"{site}?seed=c0ffee&step&mute")
    page.click("[data-button=up]", button="right")
    assert "down" in str(page.get_attribute("[data-button=up]", "class"))
    page.click("[data-button=up]", button="right")
    assert page.get_attribute("[data-button=up]", "class") == ""


def test_keys_turn_the_wheel_after_a_button_was_clicked(site: str, context: BrowserContext) -> None:
    page = opened(context, f"{site}?seed=c0ffee&step&mute")
    first = shown(page)
    page.focus("[data-button=down]")
    page.click("[data-button=down]")
    page.evaluate("companion.wait(0)")
    second = shown(page)
    page.keyboard.press("ArrowUp")
    page.evaluate("companion.wait(0)")
    assert (second != first, shown(page)) == (True, first)


def test_a_press_while_the_box_starts_does_nothing(site: str, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{site}?lang=en&seed=c0ffee&step&mute")
    page.evaluate("companion.press('ok')")
    started(page)
    assert page.text_content("#status") == ""
    assert page.is_enabled("#erase")


def test_a_repeatable_box_keeps_nothing_and_speaks_the_language_it_is_given(
    site: str, context: BrowserContext
) -> None:
    page = opened(context, f"{site}?lang=fr&seed=c0ffee&step&mute")
    press_at_once(page, *["ok"] * 8)
    page.wait_for_function("companion.said.length")
    assert {said["language"] for said in page.evaluate("companion.said")} == {"fr"}
    assert page.evaluate("document.documentElement.lang") == "fr"
    page.goto(f"{site}LICENCES.txt")
    assert page.evaluate(FILES) == []


def test_the_program_shows_and_says_the_same_as_without_a_browser(
    site: str, context: BrowserContext
) -> None:
    space: dict[str, Any] = {}
    exec(PLAY, space)  # noqa: S102 - the same text runs in the browser
    with games_of_the_site():
        played = [[*space["play"](seed, 200)] for seed in ("a1", "b2", "c3", "d4")]
    page = context.new_page()
    page.goto(f"{site}LICENCES.txt")
    found = page.evaluate(
        """async ([text, seeds, presses]) => {
            const { loadPyodide } = await import("./pyodide/pyodide.mjs");
            const python = await loadPyodide({ indexURL: new URL("pyodide/", location).href });
            const program = await (await fetch("program.zip")).arrayBuffer();
            python.unpackArchive(program, "zip", { extractDir: "/program" });
            python.runPython("import sys; sys.path.insert(0, '/program')");
            python.runPython(text);
            const play = python.globals.get("play");
            return seeds.map((seed) => play(seed, presses).toJs());
        }""",
        [PLAY, ["a1", "b2", "c3", "d4"], 200],
    )
    assert found == played
    page.close()
