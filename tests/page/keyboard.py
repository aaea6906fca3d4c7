"""A player who uses the page only by keyboard and screen reader.

`EARS` records every change of a live region, every element that gets the focus, and every moment
without focus.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.page.base_handler import SEAT_COOKIE
from companion.page.box_connections import encode_seat_cookie
from tests.door.callers import House
from tests.page.box import Phone, phones
from tests.page.browsers import DRAWN, KNOWN, NOW, TIMEOUT_MILLISECONDS
from tests.page.door import beside

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

PRESSED: Final = ("Tab", "Shift+Tab", "Enter", "Space", "ArrowUp", "ArrowDown", "Escape")
"""All keys that are pressed, besides the letters of a word."""
EARS: Final = """
(() => {
  const live = '[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]';
  Object.assign(window, { said: [], landed: [], lost: [], lines: [] });
  const note = ({ textContent }) => {
    if (textContent.trim()) window.said.push(textContent.trim());
  };
  const born = (node) => [node, ...node.querySelectorAll('*')].filter((one) => one.matches(live));
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      const within = (target.nodeType === 1 ? target : target.parentElement)?.closest(live);
      if (type === 'characterData' && within) note(target);
      for (const node of addedNodes) {
        if (within) note(node);
        else if (node.nodeType === 1) born(node).forEach(note);
      }
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
  document.addEventListener('focusin', ({ target }) => {
    if (target.matches('#question')) window.landed.push(target.innerText);
  });
  let had = false;
  const look = () => {
    const at = document.activeElement;
    if (at && at !== document.body) had = true;
    else if (had) window.lost.push(document.getElementById('question')?.innerText ?? 'no question');
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.EventSource = class extends EventSource {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', (event) => window.lines.push(JSON.parse(event.data)));
    }
  };
})();
"""
SETTLED: Final = """
([id, asked]) => {
  const { model, own } = window.own;
  const newer = model.ask?.kept || (model.ask?.id ?? Infinity) > id;
  return own.asked || own.error || model.over || newer;
}
"""
FURTHER: Final = "(own.asked && own.asked.id !== asked) "
MANY: Final = 160
"""Maximum number of Tabs from one end of the page to the other."""


class Table:
    """A running box and its page, in a thread."""

    def __init__(self, url: str, found: dict[str, Phone], loop: asyncio.AbstractEventLoop) -> None:
        self.url, self.phones, self._loop = url, found, loop

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine in the box's thread. Return its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def cookie(self, who: str) -> Any:
        """Return the cookie that makes a browser the phone of a seat."""
        return {
            "name": SEAT_COOKIE,
            "value": encode_seat_cookie(self.phones[who].seat),
            "url": self.url,
        }

    async def answer(self, who: str, chosen: random.Random) -> bool:
        """Answer the pending question of a seat. Return False if the seat has none."""
        ask = self.phones[who].seat.watch.ask
        if ask is None or ask.get("hidden") or ask["who"] not in (None, who):
            return False
        said = [ask]
        while said and said[-1]["type"] == "ask":  # a form has further questions
            value = chosen.choice(said[-1]["choices"])["value"]
            said = await self.phones[who].mean(answer=value, id=said[-1]["id"])
        return True


@contextmanager
def table(
    folder: Path, playing: Callable[[], House], names: tuple[str, ...], language: str
) -> Iterator[Table]:
    """Yield a box that begins a game in its own thread, with the phones of these players."""
    with beside(lambda: phones(folder, playing(), names, language)) as (found, loop):
        yield Table(found[names[0]].url, found, loop)


class Keys:
    """A seat that is played only by keyboard. `slips` contains the console's error messages."""

    def __init__(self, browser: Browser, table: Table, who: str, language: str) -> None:
        self.who, self.slips = who, list[str]()
        context = browser.new_context(locale=language, viewport={"width": 900, "height": 800})
        context.set_default_timeout(TIMEOUT_MILLISECONDS)
        context.add_cookies([table.cookie(who)])
        context.add_init_script(EARS)
        self.tab: Tab = context.new_page()
        self.tab.on("pageerror", lambda error: self.slips.append(str(error)))
        self.tab.on(
            "console",
            lambda line: self.slips.append(line.text) if line.type == "error" else None,
        )
        self.tab.goto(table.url)
        self.tab.evaluate(KNOWN)
        self.tab.wait_for_selector(".tools")
        self.tab.wait_for_function("() => window.lines.length > 0")

    def now(self) -> tuple[Any, Any]:
        """Return the phone's pending question and whether the game is over."""
        self.drawn()
        ask, over = self.tab.evaluate(NOW)
        return ask, over

    def drawn(self) -> None:
        """Wait until received changes are drawn."""
        self.tab.evaluate(DRAWN)
        self.tab.evaluate(DRAWN)

    def press(self, key: str, times: int = 1) -> None:
        assert key in PRESSED
        for _ in range(times):
            self.tab.keyboard.press(key)

    def at(self, selector: str) -> bool:
        """Return True if the focus is on the element."""
        return bool(self.tab.evaluate("(one) => document.activeElement.matches(one)", selector))

    def reach(self, selector: str, key: str = "Tab") -> None:
        """Move the focus to an element by Tab. Raise AssertionError if Tab does not reach it."""
        for _ in range(MANY):
            if self.at(selector):
                return
            self.press(key)
        raise AssertionError(f"{key} does not lead to {selector}")

    def answer(self, ask: Any, chosen: random.Random) -> None:
        """Answer the pending question of a seat."""
        if ask.get("spell"):
            self.reach("[data-key=ask] input[name=value]")
            self.tab.keyboard.type(chosen.choice(ask["choices"])["value"])
            self.read()
            self.press("Enter")
        else:
            if ask["private"] and not self.tab.locator(".answers").count():
                self.reach("#hold")
                self.press("Enter")
                self.tab.wait_for_selector("[data-key=ask] .answers")
                self.reach("[data-key=ask] [data-do=answer]", "Shift+Tab")
            else:
                self.reach("[data-key=ask] [data-do=answer], [data-key=ask] .strong")
                many = self.tab.locator("[data-key=ask] .answers [data-do=answer]").count()
                self.press("Tab", chosen.randrange(many) if many else 0)
            self.read()
            self.press(chosen.choice(("Enter", "Space")))
        self.tab.wait_for_function(SETTLED, arg=[ask["id"], 0])
        self.drawn()
        while self.tab.locator("#asked").count():  # confirmation, or rest of a form
            assert self.at("#asked")
            asked = self.tab.evaluate("() => window.own.own.asked.id")
            yes = "[data-key=asked] [data-value='\"yes\"']"
            self.reach(
                yes if self.tab.locator(yes).count() else "[data-key=asked] [data-do=answer]"
            )
            self.read()
            self.press("Enter")
            self.tab.wait_for_function(
                SETTLED.replace("own.asked ", FURTHER), arg=[ask["id"], asked]
            )
            self.drawn()

    def read(self) -> None:
        """Wait for the time in which answers to a new question are ignored."""
        self.tab.wait_for_selector("[data-fresh]", state="detached")

    def noted(self, name: str) -> list[Any]:
        """Return a list of recorded events: `said`, `landed`, `lost` or `lines`."""
        return list(self.tab.evaluate("(name) => window[name]", name))
