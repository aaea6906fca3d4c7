"""Build and serve the site of the box in a browser, for tests and measurements."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from web import build

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
NPM: Final = shutil.which("npm")
FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--disable-quic")
TIMEOUT_MILLISECONDS: Final = 120_000
"""Time limit of a start on a machine with other work."""


class Quiet(SimpleHTTPRequestHandler):
    """A server of the site without a log."""

    def log_message(self, *_: Any) -> None: ...


@contextmanager
def served() -> Iterator[tuple[str, Path]]:
    """Build the site and serve it. Yield its address and its folder.

    Raise build.BuildFailed if npm cannot fetch Python for the browser.
    """
    with TemporaryDirectory() as folder:
        site = Path(folder) / "web"
        build.build_site(site, build.fetch_pyodide(Path(folder)))
        serve = partial(Quiet, directory=site)
        with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/", site
            finally:
                server.shutdown()
