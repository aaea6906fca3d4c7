"""Tests of every parameter of the page with random values: the page answers and never fails."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("tornado")

from tests.page.door import COOKIE, Web, page

ODD = st.text(max_size=12) | st.sampled_from(
    ["9" * 5000, "-1", "１", "\x00", "../..", "{who}", "%s", "1e999", "kojak", "board", "fr", "Ann"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ODD | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD, inner, max_size=3),
    max_leaves=8,
)
READ = ("/history?from=", "/rules?game=", "/evening?view=", "/?x=", "/board?x=", "/game/",
        "/evening/", "/static/", "/games/", "/events?seat=1&after=", "/events?after=")  # fmt: skip
POSTED = {"/do": ("answer", "fill", "given", "lang", "check", "id", "look", "undo", "redo", "why"),
          "/join": ("name", "code"), "/language": ("language",), "/leave": (),
          "/evening/slip": ("text",)}  # fmt: skip


async def status(web: Web, lines: list[str], body: bytes = b"") -> int:
    """Return the status of the response, or 0 if the connection was closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", web.pages.port)
    head = [*lines, f"Host: {web.host}", "Connection: close", "", ""]
    writer.write("\r\n".join(head).encode("utf-8", "replace") + body)
    first = await asyncio.wait_for(reader.readline(), 10)
    writer.close()
    for pace in (web.pages.house.requests, web.pages.house.posts):
        pace._left.clear()
    web.pages.house.tries._tried.clear()
    return int(first.split()[1]) if first else 0


def asked(data: st.DataObject, epoch: str) -> tuple[list[str], bytes]:
    """Draw a request and its body."""
    cookie = data.draw(st.sampled_from([COOKIE, "", "companion=QQ.00", "companion_language=x"]))
    headers = [f"Cookie: {cookie}"]
    if data.draw(st.booleans()):
        text = data.draw(ODD)
        mark = data.draw(st.sampled_from([f"{epoch}-", ""])) + text
        if "events" not in (path := data.draw(st.sampled_from(READ))):
            mark = text
        headers.append("Last-Event-ID: " + re.sub(r"[^ -~]", "?", mark)[:6000])
        return [f"GET {path}{quote(mark)[:7000]} HTTP/1.1", *headers], b""
    path = data.draw(st.sampled_from([*POSTED]))
    value: Any = {name: data.draw(VALUES) for name in POSTED[path] if data.draw(st.booleans())}
    body = json.dumps(data.draw(st.just(value) | VALUES)).encode()
    headers += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return [f"POST {path} HTTP/1.1", *headers], body


@pytest.mark.long
@given(data=st.data())
@settings(max_examples=10)
def test_whatever_the_page_is_asked_it_answers(data: st.DataObject) -> None:
    async def scenario(folder: Path) -> None:
        async with page(folder) as web:
            for _ in range(5):
                lines, body = asked(data, web.pages.visitors.public_connection("en").watch.epoch)
                if lines[0].startswith("POST"):
                    lines.append(f"Origin: {web.url}")
                found = await status(web, lines, body)
                assert found != 500, (lines, body)

    with TemporaryDirectory() as folder:
        asyncio.run(scenario(Path(folder)))
