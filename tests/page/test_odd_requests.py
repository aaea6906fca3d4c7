"""Tests of requests that no browser sends: headers, paths and bodies that may have an effect."""

from __future__ import annotations

import asyncio
import os
from itertools import product
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from companion.page import serve
from tests.page.door import COOKIE, Web, page

PATHS: Final = {
    **dict.fromkeys(("/", "/board", "/history", "/people", "/game/1", "/rules"), "GET"),
    **dict.fromkeys(("/static/app.js", "/nothing"), "GET"),
    **dict.fromkeys(("/do", "/join", "/leave", "/language"), "POST"),
}
"""Each path, and its method."""
FEW: Final = ("/", "/static/app.js", "/do", "/join")
TRIED: Final = PATHS if os.environ.get("ODD") == "all" else {path: PATHS[path] for path in FEW}
"""Paths that are requested with each header. ODD=all uses every path."""
HEADERS: Final = (
    "Accept-Language: ,;q=x,fr;;", "Accept-Language: " + "x" * 3000, "Accept: */*;q=\xff",
    "Accept-Encoding: gzip;q=odd", "Authorization: Basic Og==", "Connection: upgrade, close",
    "Cookie: =; companion; ;;", "Cookie: companion_language=../../fr", 'Cookie: a="\\', "Date: x",
    "Expect: 100-continue", "Forwarded: for=127.0.0.1", "If-Modified-Since: yesterday",
    'If-None-Match: "\\', "If-Range: x", "Last-Event-ID: -1", "Last-Event-ID: \xff\xff-9e99",
    "Origin: null", "Range: bytes=9-1,-5,x", "Referer: javascript:alert(1)", "Sec-Fetch-Site: none",
    "Upgrade: websocket", "User-Agent: \x01", "Via: 1.0 x", "X-Forwarded-For: 127.0.0.1",
    "X-Forwarded-Host: evil.example", "X-Http-Method-Override: POST", "X-Original-Url: /do",
    "X-Rewrite-Url: /do", "X-Real-Ip: ::1", "X-Scheme: https", "X-Xsrftoken: 1",
)  # fmt: skip
QUERIES: Final = (
    "/history?from=x", "/history?from=-1", "/history?from=9999999", "/history?from=%ff",
    "/rules?game=../../etc/passwd", "/rules?game=%00", "/game/9999999", "/game/0", "/game/-1",
    "/game/1%00", "/static/%2e%2e/serve.py", "/static/..%2fserve.py", "/static/app.js%00",
    "/static/app.js/", "/?C=%00", "/board?" + "x" * 2000, "/events/", "/do/..", "/%ff", "/;/", "/.",
    "http://evil.example/", "*", "//evil.example/",
)  # fmt: skip
FINE: Final = {200, 206, 304, 400, 401, 403, 404, 405, 411, 413, 416, 417, 431, 503}
"""Permitted statuses. The fake door causes 503, because it lacks the requested data."""


async def said(web: Web, *lines: str, body: str = "") -> int:
    """Return the status of a raw request, or 0 if the connection ends without a response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", web.pages.port)
    writer.write("\r\n".join([*lines, "Connection: close", "", body]).encode("latin-1"))
    head = await asyncio.wait_for(reader.readline(), 10)
    writer.close()
    web.pages.house.requests._left.clear()
    web.pages.house.posts._left.clear()
    return int(head.split()[1]) if head else 0


def own(web: Web, *more: str) -> tuple[str, ...]:
    """Return the headers that the page's own scripts send."""
    mine = (f"Host: {web.host}", f"Origin: {web.url}", "Content-Type: application/json")
    return (*mine, *more)


@pytest.mark.long
def test_no_header_opens_or_breaks_anything(tmp_path: Path) -> None:
    async def scenario() -> dict[tuple[str, str], int]:
        async with page(tmp_path) as web:
            found = {}
            for header, (path, method) in product(HEADERS, TRIED.items()):
                lines = own(web, "Content-Length: 0", header)
                found[path, header] = await said(web, f"{method} {path} HTTP/1.1", *lines)
            assert not [line for line in web.door.told if "undo" in line or "join" in line]
            return found

    for (path, header), status in asyncio.run(scenario()).items():
        assert status in FINE | {0, 100}, (path, header, status)
        if path in {"/do", "/leave"}:
            assert status in {0, 100, 400, 401, 403}, (path, header, status)


def test_no_path_leads_out_or_breaks_anything(tmp_path: Path) -> None:
    async def scenario() -> dict[str, int]:
        async with page(tmp_path) as web:
            return {
                query: await said(web, f"GET {query} HTTP/1.1", f"Host: {web.host}")
                for query in QUERIES
            }

    found = asyncio.run(scenario())
    assert set(found.values()) <= FINE | {0}, found
    assert {found[query] for query in QUERIES if "static" in query} <= {400, 403, 404}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("lines", [
    ("Content-Length: 2", "Transfer-Encoding: chunked"), ("Content-Length: 2", "Content-Length: 3"),
    ("Content-Length: -2",), ("Content-Length: x",), ("Content-Length: 99999999999",),
    ("Transfer-Encoding: odd",), ("Host: evil.example",), ("Content-Length : 2",),
], ids=str)  # fmt: skip
def test_a_request_that_says_two_things_does_nothing(
    lines: tuple[str, ...], tmp_path: Path
) -> None:
    async def scenario() -> tuple[int, int]:
        async with page(tmp_path) as web:
            head = ("POST /do HTTP/1.1", *own(web, f"Cookie: {COOKIE}"), *lines)
            status = await said(web, *head, body='{"undo": true}')
            return status, len([line for line in web.door.told if "undo" in line])

    status, done = asyncio.run(scenario())
    assert (status in {0, 400, 403, 413}, done) == (True, 0)


BODIES: Final = (
    b'{"answer": "\\ud800"}', b'{"name": "\\ud800", "code": "A"}', b'{"language": "\\udfff"}',
    b'{"answer": ' + b"[" * 973 + b"]" * 973 + b"}", b'{"check": 1e999}', b'{"answer": NaN}',
    b'{"answer": 1, "answer": 2}', b"\xff", b"[]", b"",
)  # fmt: skip


@pytest.mark.long
def test_no_body_that_no_phone_sends_reaches_the_box_or_breaks_anything(tmp_path: Path) -> None:
    async def scenario() -> dict[tuple[str, bytes], int]:
        async with page(tmp_path) as web:
            found = {}
            for path, body in product(("/do", "/join", "/language", "/evening/slip"), BODIES):
                found[path, body] = await web.status(path, "POST", body, Cookie=COOKIE)
                web.pages.house.posts._left.clear()
            verbs = {verb for line in web.door.told for verb in line}
            assert verbs.isdisjoint({"answer", "check", "code", "wish"})
            return found

    assert set(asyncio.run(scenario()).values()) == {400}


def test_headers_without_end_are_refused(tmp_path: Path) -> None:
    async def scenario() -> int:
        async with page(tmp_path) as web:
            return await said(
                web, "GET / HTTP/1.1", f"Host: {web.host}", "X: " + "x" * serve.MAX_HEADER_BYTES
            )

    assert asyncio.run(scenario()) in {0, 400, 431}
