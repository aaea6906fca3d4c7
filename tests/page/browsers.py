"""Browsers for tests: the distribution's Chromium as phones and as a television."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.page.house import Box, Page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext
    from playwright.sync_api import Page as Tab

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
REQUIRE_BROWSERS: Final = os.environ.get("COMPANION_BROWSERS") == "yes"
MISSING_BROWSER_REASON: Final = "there is no Chromium: apt-get install chromium fonts-dejavu-core"
TIMEOUT_MILLISECONDS: Final = 60_000
PRESS_MILLISECONDS: Final = 5_000
"""Milliseconds for a press of OK to reach a phone. Later, OK is pressed again."""
MAX_PRESSES: Final = 20
"""Presses of OK before the test fails."""
PHONES: Final = ("Pixel 7", "iPhone 14")
LANGUAGE_TAGS: Final = ("en-GB", "fr-FR")
KNOWN: Final = "() => import('/static/model.js').then((found) => { window.own = found; })"
DRAWN: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
"""Waits until the page has drawn all received data, which takes until the next animation frame."""
TAKEN: Final = (
    "() => document.querySelector('[data-key=ask] [data-do=answer]:not([aria-disabled=true])')"
)
"""Finds an answer that the page accepts. Just after a question arrives, the page accepts none."""
NOW: Final = "() => import('/static/model.js').then(({ model }) => [model.ask, model.over])"

AXE: Final = files("axe_playwright_python") / "axe.min.js"
"""The file of axe-core, a script that searches a page for barriers to people with a disability."""

BROKEN: Final = """() => {
  const found = [];
  const range = document.createRange();
  const look = (node, from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    const rects = [...range.getClientRects()];
    const text = range.toString();
    if (new Set(rects.map(({ top }) => Math.round(top))).size > 1) found.push(`broken: ${text}`);
    const { right } = range.getBoundingClientRect();
    const scrolls = range.startContainer.parentElement.closest('.scroll, .top nav');
    if (!scrolls && right > innerWidth + 1) found.push(`outside: ${text}`);
  };
  const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (all.nextNode()) {
    const { currentNode: node, currentNode: { parentElement: at, data } } = all;
    if (!at.getClientRects().length || at.closest('.hush, .skip, .aside, svg, script')) continue;
    if (at.matches('td.n, .scores td, td time, .flap i')) look(node, 0, data.length);
    for (const { 0: word, index } of data.matchAll(/[^\\s-]{1,14}(?![^\\s-])/g)) {
      if (!index || /[\\s-]/.test(data[index - 1])) look(node, index, index + word.length);
    }
  }
  return found;
}"""
"""Finds values, and words of up to 14 letters, that are broken or outside the window."""


@contextmanager
def chromium(letters: int = 16) -> Iterator[tuple[Browser, Any]]:
    """Yield the browser and its devices. Skip the test without Chromium.

    `letters`: the user's font size (pixels).
    """
    if CHROMIUM is None and not REQUIRE_BROWSERS:
        pytest.skip(MISSING_BROWSER_REASON)
    assert CHROMIUM is not None, MISSING_BROWSER_REASON
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only with a browser

    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic",
             f"--blink-settings=defaultFontSize={letters}",
             "--host-resolver-rules=MAP companion.local 127.0.0.1"]  # fmt: skip
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        try:
            yield browser, playwright.devices
        finally:
            browser.close()


class Phone:
    """A tab of a phone. `slips` contains the messages of its console.

    Messages about too many requests are omitted, because all phones share one address here.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        context.set_default_timeout(TIMEOUT_MILLISECONDS)
        self.context, self.url = context, url
        self.slips: list[str] = []
        self.tab = self.another()

    def another(self) -> Tab:
        """Open a second tab of the phone."""
        tab = self.context.new_page()
        tab.on("pageerror", lambda error: self.slips.append(str(error)))
        tab.on("console", self._console)
        return tab

    def _console(self, message: Any) -> None:
        if message.type == "error" and not any(each in message.text for each in ("ERR_", " 429 ")):
            self.slips.append(message.text)

    def join(self, box: Box, who: str) -> None:
        """Take a seat with the code and a press on the box."""
        self.tab.goto(f"{self.url}/?C={box.code()}")
        self.tab.click(f"[data-do=join][data-value={who}]")
        self.tab.wait_for_selector("#waits")  # the box waits for OK
        self.tab.wait_for_timeout(1200)  # the box ignores a press that comes too soon
        box.press("ok")
        self.tab.wait_for_selector(".tools")

    def now(self) -> tuple[Any, Any]:
        """Return the phone's pending question and whether the game is over."""
        ask, over = self.tab.evaluate(NOW)
        return ask, over

    def act(self, who: str, ask: Any, chosen: random.Random) -> bool:
        """Answer by touch. Return True if the answer was possible."""
        from playwright.sync_api import Error  # noqa: PLC0415 - only with a browser

        if ask is None or ask.get("hidden") or ask["who"] not in (None, who):
            return False
        try:
            if ask.get("spell"):
                self.tab.fill("[data-check]", chosen.choice(ask["choices"])["value"], timeout=2000)
                self.tab.click("[data-key=ask] form[data-form=word] .strong", timeout=2000)
            else:
                if (
                    ask["private"]
                    and self.tab.locator("[data-do=keep][aria-pressed=false]").count()
                ):
                    self.tab.click("[data-do=keep]", timeout=2000)
                answers = self.tab.locator("[data-key=ask] .answers [data-do=answer]")
                answers.first.wait_for(timeout=2000)
                self.tab.wait_for_function(TAKEN, timeout=2000)  # click() polls only twice a second
                answer = answers.nth(chosen.randrange(answers.count()))
                answer.focus(timeout=2000)  # the list of a drawing's answers is visible with focus
                answer.click(timeout=2000)
            self._mean_it(ask["id"])
        except (Error, ValueError):  # another player has answered
            return False
        return True

    def _mean_it(self, asked: int) -> None:
        """Wait until the answer was accepted. Confirm it if the box asks."""
        self.tab.evaluate(KNOWN)
        answered = "id => window.own.own.asked || (window.own.model.ask?.id ?? Infinity) > id"
        self.tab.wait_for_function(answered, arg=asked, timeout=4000)
        self.tab.evaluate(DRAWN)
        sure = self.tab.locator("[data-key=asked] [data-value='\"yes\"']")
        if sure.count():
            sure.click(timeout=2000)
            follow(self.tab, asked, timeout=4000)


def follow(tab: Tab, asked: int, timeout: float = TIMEOUT_MILLISECONDS) -> None:
    """Wait until a tab has a newer question, or no question."""
    tab.evaluate(KNOWN)
    newer = "id => (window.own.model.ask?.id ?? Infinity) > id"
    tab.wait_for_function(newer, arg=asked, timeout=timeout)


def answer_at_box(box: Box, tab: Tab, asked: int) -> None:
    """Press OK on the box until the tab has a newer question than `asked`.

    One press is not enough: the box ignores OK just after it draws a page, and an announcement
    can be in front of the question. Raise AssertionError if no press answers the question.
    """
    from playwright.sync_api import TimeoutError as TooLate  # noqa: PLC0415 - only with a browser

    for _ in range(MAX_PRESSES):
        box.press("ok")
        with suppress(TooLate):
            follow(tab, asked, timeout=PRESS_MILLISECONDS)
            return
    raise AssertionError(f"{MAX_PRESSES} presses of OK answer nothing")


def handheld(devices: Any, name: str, language: str = "en-GB") -> dict[str, Any]:
    """Return the options for a context that emulates a device of Playwright."""
    device = {key: value for key, value in devices[name].items() if key != "default_browser_type"}
    return {**device, "locale": language}


def phones(
    browser: Browser, devices: Any, page: Page, box: Box, names: tuple[str, ...]
) -> dict[str, Phone]:
    """Return phones of several kinds and languages, all with seats."""
    found = {}
    box.open_phones()
    for n, who in enumerate(names):
        device = handheld(devices, PHONES[n % 2], LANGUAGE_TAGS[n % 2])
        found[who] = Phone(browser.new_context(**device), page.url)
        found[who].join(box, who)
    box.close_phones()
    return found
