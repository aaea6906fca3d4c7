"""A phone without a browser: raw requests and responses of the page."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import closing
from http.client import HTTPConnection
from typing import Any, Final

from tests.page.house import Box

HERE: Final = "127.0.0.1"
UNREAD: Final = 1.2
"""Seconds in which the box ignores presses after a question appears by itself, with a margin."""


def post(port: int, path: str, body: Any, cookie: str = "") -> tuple[dict[str, Any], str]:
    """Send a POST request. Return the response and its cookie."""
    origin = f"{HERE}:{port}"
    headers = {"Origin": f"http://{origin}", "Content-Type": "application/json", "Cookie": cookie}
    with closing(HTTPConnection(HERE, port, timeout=60)) as connection:
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        given = (answer.getheader("Set-Cookie") or "").partition(";")[0]
        return json.loads(answer.read()), given


def join(port: int, box: Box, who: str) -> str:
    """Take a seat by the box's code and a press. Return the cookie."""
    code, given = box.code(), list[str]()

    def ask() -> None:
        given.append(post(port, "/join", {"name": who, "code": code})[1])

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(UNREAD)
    box.press("ok")
    asking.join()
    return given[0]


def asked(port: int, path: str, cookie: str = "") -> socket.socket:
    """Return a connection after a request for a path, before its response is read."""
    asking = socket.create_connection((HERE, port), timeout=60)
    lines = [f"GET {path} HTTP/1.1", f"Host: {HERE}:{port}"]
    lines += [f"Cookie: {cookie}"] if cookie else []
    asking.sendall("\r\n".join([*lines, "", ""]).encode())
    return asking


def whole(port: int, cookie: str) -> dict[str, Any]:
    """Return all events that a phone with a seat receives first."""
    with asked(port, "/events?seat=1", cookie) as stream, stream.makefile() as lines:
        found = next(line for line in lines if line.startswith("data: {"))
    return dict(json.loads(found.removeprefix("data: ")))
