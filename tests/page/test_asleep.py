"""Tests of phones whose connection dies silently: asleep, behind a proxy that drops data,
restarted.

`SLEEPS=20 ASLEEP=300 pytest -s tests/page/test_asleep.py` prints the seconds until the right
question appears.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.page.keyboard import Table
from tests.page.swallowing import Swallowing

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from companion.page import guard
from tests.page.browsers import KNOWN, TIMEOUT_MILLISECONDS, chromium, phones
from tests.page.house import Box, Page, begin
from tests.page.keyboard import table
from tests.page.swallowing import swallowing
from tests.page.test_asked import playing
from tests.page.wire import asked

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

pytestmark = pytest.mark.long

NAMES: Final = ("Ann", "Bob")
SEATS: Final = ("Ann", "Bob", "Cy", "Di")
"""Players whose phones sleep."""
SLEEPS: Final = int(os.environ.get("SLEEPS", "4"))
"""Number of times that a phone is woken."""
TABS: Final = int(os.environ.get("TABS", "1"))
"""Open tabs of each phone."""
ASLEEP: Final = float(os.environ.get("ASLEEP", "6"))
"""Seconds of each sleep."""
SOON: Final = 3.0
"""Seconds after waking in which the phone must show the right question."""
SECRETS: Final = ("barney-miller", "baretta", "probe")
CONNECTING: Final = 0
CLOSED: Final = 2
SILENT: Final = """() => {
  window.opened = [];
  window.EventSource = class extends EventTarget {
    static CLOSED = 2;
    readyState = 0;
    constructor() { super(); window.opened.push(this); }
    close() { this.readyState = 2; }
  };
  window.due = [];
  window.setTimeout = (then, time) => window.due.push({ then, time });
}"""
"""Replaces new streams by streams without response, and holds timers: see `opened` and `due`."""
A_SECOND_LATER: Final = """() => {
  for (const { then, time } of window.due.splice(0)) if (time === 1000) then();
}"""
NOTES_A_SIGN: Final = """
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      for (const kind of ['message', 'beat'])
        this.addEventListener(kind, () => { window.sign = true; });
    }
  };
"""
"""Sets `sign` at the first message of a stream."""
STATES: Final = "() => window.opened.map(({ readyState }) => readyState)"
HAND: Final = "secret => JSON.stringify(window.own.own.secret) === secret"
ASKED: Final = "id => document.getElementById('question')?.dataset.id === String(id)"


@pytest.fixture(autouse=True)
def nobody_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard.RequestBudgets, "count_request_and_check_limit", lambda *_: True)


@pytest.fixture(scope="module")
def chrome() -> Iterator[tuple[Browser, Any]]:
    """Yield one browser for all tests, because its start takes a second."""
    with chromium() as found:
        yield found


@contextmanager
def behind(folder: Path) -> Iterator[tuple[Table, Swallowing]]:
    """Yield a table with a game of Kojak, and a proxy in front of its page."""
    with (
        table(folder, lambda: playing("kojak"), NAMES, "en") as there,
        swallowing(int(there.url.rpartition(":")[2])) as proxy,
    ):
        yield there, proxy


def phone(chrome: tuple[Browser, Any], url: str, there: Table) -> Tab:
    """Return a tab of Ann's phone with the page at `url`."""
    context = chrome[0].new_context(locale="en", reduced_motion="reduce")
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    context.add_cookies([there.cookie("Ann")])  # valid for every port of this host
    tab = context.new_page()
    tab.goto(url)
    tab.evaluate(KNOWN)
    tab.wait_for_selector(".tools")
    return tab


async def until_asked(there: Table) -> None:
    """Let the players answer until only Ann is asked."""
    chosen = random.Random(4)
    while (ask := there.phones["Ann"].seat.watch.ask) is None or ask["who"] != "Ann":
        await there.answer("Bob", chosen) or await there.answer("Ann", chosen)


@pytest.mark.parametrize("game", SECRETS)
def test_a_hand_that_is_kept_open_is_the_one_that_ann_has(
    game: str, chrome: tuple[Browser, Any], tmp_path: Path
) -> None:
    chosen = random.Random(4)
    with table(tmp_path, lambda: playing(game), NAMES, "en") as there:
        tab = phone(chrome, there.url, there)
        ann, hands = there.phones["Ann"], set[str]()
        tab.click("[data-do=keep]")
        for _ in range(40):
            if not there.do(there.answer("Ann", chosen)):
                there.do(there.answer("Bob", chosen))
            said = there.do(ann.do(look=True))
            if secret := next((one for one in said if one.get("type") == "secret"), None):
                text = json.dumps(secret, ensure_ascii=False, separators=(",", ":"))
                tab.wait_for_function(HAND, arg=text, timeout=5000)
                hands.add(text)
        assert len(hands) > 1
        tab.context.close()


def test_a_stream_that_is_swallowed_is_opened_again_after_an_answer(
    chrome: tuple[Browser, Any], tmp_path: Path
) -> None:
    with behind(tmp_path) as (there, proxy):
        tab = phone(chrome, proxy.url, there)
        there.do(until_asked(there))
        tab.wait_for_function("() => window.own.model.ask?.who === 'Ann'")
        ask = tab.evaluate("() => window.own.model.ask")
        opened = proxy.opened
        proxy.swallow(streams_only=True)
        value = ask["choices"][0]["value"]
        post = "m => import('/static/line.js').then(({ post }) => post('/do', m))"
        tab.evaluate(post, {"answer": value, "id": ask["id"]})
        tab.wait_for_function("id => window.own.model.ask?.id !== id", arg=ask["id"], timeout=9000)
        assert proxy.opened > opened
        tab.context.close()


def test_a_stream_that_is_silent_for_a_minute_is_opened_again(
    chrome: tuple[Browser, Any], tmp_path: Path
) -> None:
    with behind(tmp_path) as (there, proxy):
        context = chrome[0].new_context(locale="en")
        context.add_cookies([there.cookie("Ann")])
        tab = context.new_page()
        tab.add_init_script(NOTES_A_SIGN)
        tab.clock.install()
        tab.goto(proxy.url)
        tab.wait_for_function("() => window.sign")
        opened = proxy.opened
        proxy.swallow(streams_only=True)
        tab.clock.run_for(59_000)
        assert proxy.opened == opened
        tab.clock.run_for(1_500)
        tab.wait_for_timeout(500)
        assert proxy.opened == opened + 1
        context.close()


def test_beside_a_silent_stream_two_others_are_opened_and_the_first_to_answer_stays(
    chrome: tuple[Browser, Any], tmp_path: Path
) -> None:
    with table(tmp_path, lambda: playing("kojak"), NAMES, "en") as there:
        tab = phone(chrome, there.url, there)
        tab.evaluate(SILENT)
        tab.evaluate("() => window.dispatchEvent(new Event('pageshow'))")
        for _ in range(3):
            tab.evaluate(A_SECOND_LATER)
        assert tab.evaluate(STATES) == [CONNECTING] * 3
        tab.evaluate("() => window.opened[1].dispatchEvent(new MessageEvent('beat'))")
        assert tab.evaluate(STATES) == [CLOSED, CONNECTING, CLOSED]
        tab.context.close()


@pytest.mark.parametrize("event", ["visibilitychange", "pageshow", "resume", "online"])
def test_a_phone_that_wakes_asks_at_once(
    event: str, chrome: tuple[Browser, Any], tmp_path: Path
) -> None:
    with behind(tmp_path) as (there, proxy):
        tab = phone(chrome, proxy.url, there)
        asked = there.phones["Ann"].seat.watch.ask
        assert asked is not None
        tab.wait_for_function(ASKED, arg=asked["id"])
        proxy.swallow()
        there.do(there.answer("Ann", random.Random(4)))
        there.do(there.answer("Bob", random.Random(4)))
        now = there.phones["Ann"].seat.watch.ask
        assert now is not None
        assert now["id"] != asked["id"]
        where = "document" if event in ("visibilitychange", "resume") else "window"
        tab.evaluate(f"() => {where}.dispatchEvent(new Event('{event}'))")
        tab.wait_for_function(ASKED, arg=now["id"], timeout=1000 * SOON)
        tab.context.close()


def below(pid: int) -> list[int]:
    """Return all descendants of a process."""
    tasks = Path(f"/proc/{pid}/task")
    own = [int(n) for each in tasks.glob("*/children") for n in each.read_text().split()]
    return [*own, *(n for one in own for n in below(one))]


def browsers() -> list[int]:
    """Return the processes of this test's browser."""
    return [n for n in below(os.getpid()) if "chrom" in Path(f"/proc/{n}/comm").read_text()]


@contextmanager
def asleep() -> Iterator[None]:
    """Stop the browser with all its tabs, as a phone that is put away does."""
    found = browsers()
    assert found
    for pid in found:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in found:
            os.kill(pid, signal.SIGCONT)


class Home:
    def __init__(self, folder: Path) -> None:
        self._journal, self._door = folder / "games.db", folder / "door.sock"
        begin(self._journal, "kojak", ",".join(SEATS))
        self.box = Box(self._journal, self._door)
        self.box.go_on()
        self.page = Page(self._door)

    def begin_again(self, *, box: bool) -> None:
        """Restart the page, or the page and the box. The game continues."""
        self.page.end()
        if box:
            self.box.end()
            self.box = Box(self._journal, self._door)
            self.box.go_on()
        self.page = Page(self._door, self.page.port)
        self.box.press("ok", "ok")

    def end(self) -> None:
        self.page.end()
        self.box.end()


def asked_now(port: int) -> int:
    """Return the number of the pending question, as a new client receives it."""
    while True:
        with asked(port, "/events") as stream, stream.makefile() as lines:
            found = next(line for line in lines if line.startswith("data: {"))
        if ask := json.loads(found.removeprefix("data: "))["ask"]:
            return int(ask["id"])


def test_a_phone_that_slept_shows_the_right_question_soon(
    chrome: tuple[Browser, Any], tmp_path: Path
) -> None:
    times = list[float]()
    with closing_home(tmp_path) as home, swallowing(home.page.port) as proxy:
        own, home.page.url = home.page.port, proxy.url
        found = phones(*chrome, home.page, home.box, SEATS)
        tabs = [one.tab for one in found.values()]
        for one in [*found.values()] * (TABS - 1):
            tabs.append(one.another())
            tabs[-1].goto(proxy.url)
            tabs[-1].wait_for_selector(".tools")
        for n in range(-(-SLEEPS // len(tabs))):
            with asleep():
                proxy.swallow()
                home.begin_again(box=n % 2 == 0)
                time.sleep(ASLEEP)
                now = asked_now(own)
            begun = time.monotonic()
            for tab in tabs:
                tab.wait_for_function(ASKED, arg=now, timeout=30_000, polling=50)
                times.append(time.monotonic() - begun)
        for one in found.values():
            one.context.close()
    soon = sum(seconds <= SOON for seconds in times)
    told = ", ".join(f"{seconds:.2f}" for seconds in sorted(times))
    sys.stdout.write(f"asleep {ASLEEP:.0f} s: {soon} of {len(times)} within {SOON} s ({told})\n")
    assert soon == len(times)


@contextmanager
def closing_home(folder: Path) -> Iterator[Home]:
    """Yield a box and its page, and end both after the block."""
    home = Home(folder)
    try:
        yield home
    finally:
        home.end()
