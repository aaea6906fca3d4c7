"""The box in a web browser: bytes and time before the first frame, a press, memory."""

from __future__ import annotations

import gzip
import statistics
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from tests.system.bench.row import MissingTool, Row
from tests.web.site import CHROMIUM, FLAGS, NPM, PATIENCE, served
from web.build import BuildFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

STARTS: Final = 3
PRESSES: Final = 200
MOST_BYTES: Final = 8_000_000
MOST_TIMES: Final = 1.3
MOST_SECONDS: Final = 0.016
BARE: Final = """async () => {
    const begun = performance.now();
    const url = URL.createObjectURL(new Blob([`
        import { loadPyodide } from "${new URL("pyodide/pyodide.mjs", location)}";
        await loadPyodide({ indexURL: "${new URL("pyodide/", location)}" });
        postMessage("ready");`], { type: "text/javascript" }));
    await new Promise((ready) => (new Worker(url, { type: "module" }).onmessage = ready));
    return performance.now() - begun;
}"""
"""Milliseconds until Python alone is ready in a worker."""
FIRST: Final = """() => companion.ready.then(() =>
    performance.now() - performance.getEntriesByType("navigation")[0].responseEnd)"""
"""Milliseconds until the first frame."""
PRESSED: Final = """async (presses) => {
    const times = [];
    for (let n = 0; n < presses; n++)
        for (const move of [companion.down, companion.up]) {
            const begun = performance.now();
            await move(n % 3 ? "ok" : "down");
            times.push(performance.now() - begun);
        }
    return times;
}"""
"""Milliseconds from an edge to its frame."""


def browser(_: Path) -> Iterator[Row]:
    """Start the box and bare Python in turn; then press."""
    if CHROMIUM is None:
        raise MissingTool("chromium", "chromium")
    if NPM is None:
        raise MissingTool("npm", "npm")
    try:
        with served() as (address, site), _opened() as chromium:
            yield from _figures(chromium, address, site)
    except BuildFailed as error:
        raise MissingTool(str(error), None) from error


@contextmanager
def _opened() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


def _figures(chromium: Browser, address: str, site: Path) -> Iterator[Row]:
    box = f"{address}?seed=c0ffee&step&mute"
    sent = _sent(chromium, box, site)
    megabytes = f"{sent / 1e6:.1f} MB"
    yield Row("web: sent before the first frame, compressed", megabytes, "8 MB", sent <= MOST_BYTES)

    bare, first = [], []
    for _ in range(STARTS):
        with _page(chromium, f"{address}LICENCES.txt") as page:
            bare.append(page.evaluate(BARE))
        with _page(chromium, box) as page:
            first.append(page.evaluate(FIRST))
    times = statistics.median(first) / statistics.median(bare)
    figure = f"{times:.2f} times ({statistics.median(first) / 1000:.1f} s)"
    yield Row("web: first frame, to Python alone", figure, "1.3", times <= MOST_TIMES)

    with _page(chromium, box) as page:
        page.evaluate("companion.ready")
        slow = statistics.quantiles(page.evaluate(PRESSED, PRESSES), n=20)[-1] / 1000
        yield Row("web: a press to its frame, 95 of 100", f"{slow * 1000:.1f} ms", "16 ms",
                  slow <= MOST_SECONDS)  # fmt: skip
        yield Row("web: memory of the page after 200 presses", f"{_memory(page)} MB")


def _sent(chromium: Browser, box: str, site: Path) -> int:
    """Return the bytes of all files that a first frame needs, compressed where a host can do it."""
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
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@contextmanager
def _page(chromium: Browser, address: str) -> Iterator[Page]:
    with _context(chromium) as context:
        page = context.new_page()
        page.goto(address)
        yield page


def _memory(page: Page) -> int:
    """Return the memory (MB) of the process that draws the page and runs its worker."""
    browser = page.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()
    found: list[dict[str, Any]] = session.send("SystemInfo.getProcessInfo")["processInfo"]
    own = [int(one["id"]) for one in found if one["type"] == "renderer"]
    return max(_private(process) for process in own) // 1024


def _private(process: int) -> int:
    """Return the memory (kB) that a process has for itself."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
