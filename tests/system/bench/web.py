"""Measure the box in a web browser: bytes and time before the first frame, presses, memory."""

from __future__ import annotations

import gzip
import json
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from companion.catalog.registry import BUILT_IN_GAMES
from tests.system.bench.row import MissingTool, Row
from tests.web.duel import Duel, Opponent
from tests.web.site import CHROMIUM, FLAGS, NPM, TIMEOUT_MILLISECONDS, served
from web.build import BuildFailed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, BrowserType, Page

START_COUNT: Final = 3
PRESS_COUNT: Final = 200
MAX_BYTES: Final = 8_000_000
MAX_TIME_RATIO: Final = 1.3
MAX_MILLISECONDS: Final = 16
BARE: Final = """async () => {
    const begun = performance.now();
    const url = URL.createObjectURL(new Blob([`
        import { loadPyodide } from "${new URL("pyodide/pyodide.mjs", location)}";
        await loadPyodide({ indexURL: "${new URL("pyodide/", location)}" });
        postMessage("ready");`], { type: "text/javascript" }));
    await new Promise((ready) => (new Worker(url, { type: "module" }).onmessage = ready));
    return performance.now() - begun;
}"""
"""JavaScript: return the milliseconds until Python alone is ready in a worker."""
FIRST: Final = """() => companion.ready.then(() =>
    performance.now() - performance.getEntriesByType("navigation")[0].responseEnd)"""
"""JavaScript: return the milliseconds until the first frame."""
TIMED: Final = """
const take = self.onmessage, post = self.postMessage.bind(self);
let begun = null;
self.onmessage = async (event) => {
    begun = event.data.edge ? performance.now() : null;
    await take(event);
};
self.postMessage = (message) => {
    const shows = begun !== null && message.messages?.some((one) => one.kind === "frame");
    post(shows ? { ...message, took: performance.now() - begun } : message);
};"""
"""JavaScript for the worker: add to each frame the milliseconds since the edge."""
LISTENING: Final = """
window.took = [];
window.Worker = class extends Worker {
    constructor(...given) {
        super(...given);
        this.addEventListener("message", ({ data }) => "took" in data && took.push(data.took));
    }
};"""
PRESSED: Final = """async (buttons) => {
    for (const button of buttons) await companion.press(button, 40);
    return window.took;
}"""
"""JavaScript: press buttons; return the worker's milliseconds from each edge to its frame."""
BUTTONS: Final = ("ok", "up", "down", "back"), (6, 3, 3, 1)
"""The buttons of a running game, and their relative frequencies."""
BEGIN: Final = ("ok",) * 8
MAX_ANSWER_SECONDS: Final = 1.5
ANSWER_COUNT: Final = 40
"""Timed answers of the computer player in each game."""
SLOWDOWN: Final = 10
"""A telephone or a Raspberry Pi 3 is about this many times slower than a desktop computer."""
LOADED: Final = "const { ComputerPlayersInWorker } = (await loadProgram())"
SLOWED: Final = f"""const python = await loadProgram();
  python.runPython("import time, web.seats; "
    + "web.seats.perf_counter = lambda: {SLOWDOWN} * time.perf_counter()");
  const {{ ComputerPlayersInWorker }} = python"""
"""JavaScript: make the computer players' clock faster, as if the machine were slower."""
SEATS: Final = """
window.lines = [];
window.receive = () => {};
window.begin = async (first, line) => {
    window.thread?.terminate();
    lines.length = 0;
    const begun = performance.now();
    window.thread = new Worker("seats.js", { type: "module" });
    thread.onmessage = ({ data }) => { if (data.line) { lines.push(data); receive(data); } };
    thread.postMessage({ first, line });
    await new Promise((came) => (window.receive = came));
    return performance.now() - begun;
};
window.think = async (texts, answers) => {
    const begun = performance.now();
    const came = !answers || new Promise((done) => {
        window.receive = ({ line }) => line.includes('"answer"') && done();
    });
    for (const [number, text] of texts) thread.postMessage({ number, text });
    await came;
    return performance.now() - begun;
};
window.collect = () => lines.splice(0).map(({ number, line }) => [number, line]);
"""
"""JavaScript: start the computer players' worker on a page without a box, and send it lines."""


def browser(_: Path) -> Iterator[Row]:
    """Yield the start times of the box and of bare Python, in turns, and the times of presses."""
    if CHROMIUM is None:
        raise MissingTool("chromium", "chromium")
    if NPM is None:
        raise MissingTool("npm", "npm")
    try:
        with served() as (address, site), _opened() as opened:
            yield from _figures(opened, address, site)
    except BuildFailed as error:
        raise MissingTool(str(error), None) from error


@contextmanager
def _opened() -> Iterator[tuple[Browser, BrowserType]]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened, playwright.chromium
        opened.close()


def _figures(opened: tuple[Browser, BrowserType], address: str, site: Path) -> Iterator[Row]:
    chromium, kind = opened
    box = f"{address}?seed=c0ffee&step&mute"
    sent = _sent(chromium, box, site)
    megabytes = f"{sent / 1e6:.1f} MB"
    yield Row("web: sent before the first frame, compressed", megabytes, "8 MB", sent <= MAX_BYTES)

    bare, first = [], []
    for _ in range(START_COUNT):
        with _page(chromium, f"{address}LICENCES.txt") as page:
            bare.append(page.evaluate(BARE))
        with _page(chromium, box) as page:
            first.append(page.evaluate(FIRST))
    times = statistics.median(first) / statistics.median(bare)
    figure = f"{times:.2f} times ({statistics.median(first) / 1000:.1f} s)"
    yield Row("web: first frame, to Python alone", figure, "1.3", times <= MAX_TIME_RATIO)

    with _timed(kind, f"{address}?lang=en&mute", site) as page:
        figures = statistics.quantiles(page.evaluate(PRESSED, _buttons()), n=20)
    half, slow = figures[9], figures[-1]
    row = f"{slow:.1f} ms (half: {half:.1f} ms)"
    yield Row("web: a press to its frame in the worker, 95 of 100", row, "16 ms",
              slow <= MAX_MILLISECONDS)  # fmt: skip

    with _page(chromium, box) as page:
        page.evaluate("companion.ready")
        page.evaluate(PRESSED, _buttons())
        yield Row(f"web: memory of the page after {PRESS_COUNT} presses", f"{_memory(page)} MB")


class _ThreadOpponent(Opponent):
    """A computer player that thinks in a worker of Chromium; its box is in this process."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page, self._texts = page, list[tuple[int, str]]()
        self.starts_milliseconds, self.milliseconds = list[float](), list[float]()

    def has_answered_enough(self) -> bool:
        return len(self.milliseconds) >= ANSWER_COUNT

    def take(self, message: dict[str, Any]) -> None:
        match message:
            case {"kind": "seats", "line": line, "first": first}:
                began = self._page.evaluate("([first, line]) => begin(first, line)", [first, line])
                self.starts_milliseconds.append(began)
            case {"kind": "seat_lines", "number": number, "text": text}:
                self._texts.append((number, text))

    def think(self) -> list[tuple[int, str]]:
        texts, self._texts = self._texts, []
        if texts:
            asked = _is_asked("".join(text for _, text in texts))
            took = self._page.evaluate("([texts, asked]) => think(texts, asked)", [texts, asked])
            self.milliseconds += [took] * asked
        lines: list[tuple[int, str]] = self._page.evaluate("collect()")
        return lines


def _is_asked(text: str) -> bool:
    """Return True if the last question in the lines is a question to the computer player."""
    asks = [line for line in map(json.loads, text.splitlines()) if line.get("type") == "ask"]
    return bool(asks) and asks[-1]["who"] == "Chip"


def computer_players(folder: Path) -> Iterator[Row]:
    """Yield the times of the strongest computer player's answers in its worker, in each game."""
    if CHROMIUM is None:
        raise MissingTool("chromium", "chromium")
    if NPM is None:
        raise MissingTool("npm", "npm")
    try:
        with served() as (address, site), _opened() as (chromium, _):
            yield from _thinking(chromium, address, site, folder)
            yield _second_load(chromium, address)
    except BuildFailed as error:
        raise MissingTool(str(error), None) from error


def _thinking(chromium: Browser, address: str, site: Path, folder: Path) -> Iterator[Row]:
    script = (site / "seats.js").read_text("utf-8")
    assert LOADED in script
    for game in BUILT_IN_GAMES:
        with _page(chromium, f"{address}LICENCES.txt") as page:
            page.route("**/seats.js", lambda route: route.fulfill(
                body=script.replace(LOADED, SLOWED), content_type="text/javascript"
            ))  # fmt: skip
            page.evaluate(SEATS)
            before, opponent = _memory(page), _ThreadOpponent(page)
            (folder / game).mkdir()
            duel = Duel(str(folder / game), opponent=opponent)
            duel.begin(game, "strong")
            duel.play(Random(49), opponent.has_answered_enough)
            memory = _memory(page) - before
        quantiles = statistics.quantiles(opponent.milliseconds, n=20)
        half, slow = (quantiles[n] * SLOWDOWN / 1000 for n in (9, -1))
        figure = f"{slow:.2f} s (half: {half:.2f} s)"
        yield Row(f"web: a strong answer in {game}, {SLOWDOWN} times slower", figure, "1.5 s",
                  slow <= MAX_ANSWER_SECONDS)  # fmt: skip
        start = f"{opponent.starts_milliseconds[0] / 1000:.1f} s, {memory} MB"
        yield Row("  start and memory of its worker", start)


def _second_load(chromium: Browser, address: str) -> Row:
    """Return a row with the files that the worker loads although the service worker has them."""
    context = chromium.new_context()
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    page, files = context.new_page(), list[str]()
    page.goto(f"{address}?seed=c0ffee&step&mute")
    page.evaluate("companion.ready")
    page.wait_for_function("navigator.serviceWorker.controller")
    page.evaluate(SEATS)
    context.set_offline(True)
    page.on("requestfailed", lambda request: files.append(request.url))
    page.evaluate("begin(100, '{\"seats\": [{\"seat\": \"Chip\", \"token\": \"a\", "
                  "\"level\": \"friend\"}]}')")  # fmt: skip
    context.close()
    return Row("web: files that a computer player loads", str(len(files)), "0", not files)


def _buttons() -> list[str]:
    """Return buttons that begin a game and play it at random."""
    names, shares = BUTTONS
    return [*BEGIN, *Random(49).choices(names, shares, k=PRESS_COUNT)]


def _sent(chromium: Browser, box: str, site: Path) -> int:
    """Return the bytes of all files for a first frame, compressed if a host can compress them."""
    with _context(chromium) as context:
        page, files = context.new_page(), list[str]()
        context.on("request", lambda request: files.append(urlsplit(request.url).path))
        page.goto(box)
        page.evaluate("companion.ready")
    return sum(_least(site / (name.lstrip("/") or "index.html")) for name in files)


def _least(file: Path) -> int:
    compressed = file.with_name(f"{file.name}.gz")
    whole = file.read_bytes() if file.exists() else b""
    return compressed.stat().st_size if compressed.exists() else min(
        len(whole), len(gzip.compress(whole))
    )  # fmt: skip


@contextmanager
def _context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(service_workers="block")
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    yield context
    context.close()


@contextmanager
def _page(chromium: Browser, address: str) -> Iterator[Page]:
    with _context(chromium) as context:
        page = context.new_page()
        page.goto(address)
        yield page


@contextmanager
def _timed(kind: BrowserType, address: str, site: Path) -> Iterator[Page]:
    """Yield the page of a box with a record on the disk, whose worker measures times."""
    script = (site / "worker.js").read_text("utf-8")
    with TemporaryDirectory() as profile:
        context = kind.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=FLAGS, service_workers="block"
        )
        context.set_default_timeout(TIMEOUT_MILLISECONDS)
        page = context.new_page()
        page.route("**/worker.js", lambda route: route.fulfill(
            body=script + TIMED, content_type="text/javascript"
        ))  # fmt: skip
        page.add_init_script(LISTENING)
        page.goto(address)
        page.evaluate("companion.ready")
        yield page
        context.close()


def _memory(page: Page) -> int:
    """Return the memory (MB) of the process that draws the page and runs its worker."""
    browser = page.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()
    found: list[dict[str, Any]] = session.send("SystemInfo.getProcessInfo")["processInfo"]
    own = [int(one["id"]) for one in found if one["type"] == "renderer"]
    return max(_private(process) for process in own) // 1024


def _private(process: int) -> int:
    """Return the private memory of a process (kB)."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
