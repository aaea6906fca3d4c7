"""The box in Chromium: what it shows, what it keeps, and that it is the same program.

Python for the browser comes from npm, so these tests need Chromium, npm and a network.
"""

from __future__ import annotations

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import pytest

from web import build

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext, Page

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE: Final = 120_000
"""Milliseconds that a start may take on a machine with other work."""
PLAY: Final = '''
import hashlib, random, tempfile
from web.box import WebBox, message_text, repeatable
from companion.play import begin

def play(seed, presses):
    """The messages of a box that is pressed at random, on a clock that is moved by hand."""
    rng, now, told = random.Random(seed), [100.0], []
    begin.fresh_seed = repeatable(seed)
    box = WebBox(tempfile.mkdtemp(), "en", lambda: now[0], lambda: 1767225600, told.extend, None)
    for _ in range(presses):
        button = rng.choices(("ok", "up", "down", "back"), (6, 3, 3, 1))[0]
        for down in (True, False):
            now[0] += 0.5
            box.tick()
            box.edge(button, down)
        for message in [one for one in told if "number" in one][-1:]:
            box.ended(message["number"])
    return hashlib.sha256(message_text(told).encode()).hexdigest(), len(told)
'''

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium"),
    pytest.mark.skipif(shutil.which("npm") is None, reason="no npm: apt install npm"),
]


class Quiet(SimpleHTTPRequestHandler):
    """Serves the site and writes no log."""

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with TemporaryDirectory() as folder:
        try:
            python = build.fetch(Path(folder))
        except build.BuildFailed as error:
            pytest.skip(str(error))
        build.build(Path(folder) / "web", python)
        serve = partial(Quiet, directory=f"{folder}/web")
        with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}/"
            server.shutdown()


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    with sync_playwright() as playwright, TemporaryDirectory() as profile:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-quic"]
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=flags, viewport={"width": 390, "height": 844}
        )
        context.set_default_timeout(PATIENCE)
        yield context
        context.close()


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.evaluate("companion.ready")
    return page


def press(page: Page, *buttons: str) -> None:
    for button in buttons:
        page.evaluate(f"companion.press('{button}')")
        page.wait_for_timeout(600)  # the guard against presses on an unread question


def games(page: Page) -> str:
    return str(page.evaluate("companion.export()"))


def test_a_game_goes_on_after_a_reload_and_without_a_network(
    site: str, context: BrowserContext
) -> None:
    page = opened(context, f"{site}?lang=en&mute")
    assert page.evaluate("companion.error") is None
    press(page, "ok", "ok", "ok", "ok")
    played = games(page)
    assert '"type":"game"' in played.replace(": ", ":")

    second = opened(context, f"{site}?lang=en&mute")
    assert "another tab" in second.evaluate("companion.error")
    second.close()

    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("caches.keys().then((names) => names.length)")
    context.set_offline(True)
    try:
        page.reload()
        page.evaluate("companion.ready")
        assert games(page) == played
    finally:
        context.set_offline(False)
    page.close()


def test_a_repeatable_box_keeps_nothing_and_speaks_the_language_it_is_given(
    site: str, context: BrowserContext
) -> None:
    page = opened(context, f"{site}?lang=fr&seed=c0ffee&mute")
    press(page, "ok", "ok", "ok", "ok")
    assert {said["language"] for said in page.evaluate("companion.said")} == {"fr"}
    assert page.evaluate("document.documentElement.lang") == "fr"
    page.close()


def test_the_program_shows_and_says_the_same_as_without_a_browser(
    site: str, context: BrowserContext
) -> None:
    space: dict[str, Any] = {}
    exec(PLAY, space)  # noqa: S102 - the same text runs in the browser
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
    assert found == [[*space["play"](seed, 200)] for seed in ("a1", "b2", "c3", "d4")]
    page.close()
