"""Tests of a crowd at the page: a phone with a seat always gets in."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from tests.page.door import Web

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from companion.page import connections, serve
from companion.page.connections import ConnectionOwner, OpenBrowserConnections
from tests.page.door import COOKIE, page
from tests.page.test_events import Stream

CROWD: Final = 200
"""Connections of other clients."""
MACHINES: Final = 8
"""Addresses of the other clients."""
TIMES: Final = 44
"""Number of times that the phone connects."""


class Pipe:
    """A stream that records its closing."""

    def __init__(self) -> None:
        self.closed = False

    def close(self) -> None:
        self.closed = True


def crowd(noted: OpenBrowserConnections, addresses: list[str], n: int) -> list[Any]:
    """Open connections from each of the addresses in turn."""
    pipes: list[Any] = [Pipe() for _ in range(n)]
    for i, pipe in enumerate(pipes):
        noted.add(pipe, addresses[i % len(addresses)])
    return pipes


def opened(pipes: list[Any]) -> int:
    return sum(not pipe.closed for pipe in pipes)


def test_a_full_page_closes_the_oldest_connection_of_the_fullest_address() -> None:
    noted, phone = OpenBrowserConnections(), Pipe()
    lone = crowd(noted, ["10.0.0.1"], 1)
    many = crowd(noted, [f"10.0.0.{n}" for n in range(2, 10)], connections.MAX_CONNECTIONS)
    noted.add(phone, "10.0.0.99")  # type: ignore[arg-type] # only close() is used
    assert (opened(lone), phone.closed) == (1, False)
    assert [pipe.closed for pipe in many[:3]] == [True, True, False]


@pytest.mark.long
def test_a_connection_with_a_seat_outlives_all_that_come_after_it() -> None:
    noted, phone = OpenBrowserConnections(), Pipe()
    noted.add(phone, "10.0.0.1")  # type: ignore[arg-type] # only close() is used
    noted.assign_connection_to_seat(phone, "Ann")  # type: ignore[arg-type] # only close() is used
    crowd(noted, [f"10.0.{n}.1" for n in range(500)], 2000)
    assert not phone.closed
    crowd(noted, ["10.0.0.1"], 200)
    assert not phone.closed


def test_one_seat_with_every_connection_keeps_no_other_out() -> None:
    noted, phone = OpenBrowserConnections(), Pipe()
    for who in (f"player {n}" for n in range(12)):
        for pipe in crowd(noted, ["10.0.0.1"], 30):
            noted.assign_connection_to_seat(pipe, who)
        assert (
            noted.count_connections_of_owner(ConnectionOwner(who, has_seat=True))
            == connections.MAX_CONNECTIONS_OF_SEAT
            or who[-1] in "0123"
        )
    noted.add(phone, "10.0.0.2")  # type: ignore[arg-type] # only close() is used
    noted.assign_connection_to_seat(phone, "Ann")  # type: ignore[arg-type] # only close() is used
    assert not phone.closed


def test_an_ipv6_machine_with_many_addresses_has_the_connections_of_one() -> None:
    noted = OpenBrowserConnections()
    pipes = crowd(noted, [f"2001:db8::{n:x}" for n in range(1, 400)], 400)
    assert opened(pipes) == connections.MAX_CONNECTIONS_OF_ADDRESS


async def comes_in(web: Web, cookie: str) -> bool:
    """Return True if a phone with this cookie receives the state of the game."""
    stream = await Stream.open(web, "?seat=1", Cookie=cookie)
    try:
        return bool(await stream.next("whole"))
    except (OSError, TimeoutError):
        return False
    finally:
        stream.close()


async def besieged(web: Web, crowd: int, times: int) -> int:
    """Return the number of times that a phone gets in while others hold and open connections."""
    held = [await half(web) for _ in range(crowd)]
    got_in = 0
    for n in range(times):
        held.append(await half(web))
        got_in += await comes_in(web, COOKIE)
        held.pop(n % len(held)).close()
    for writer in held:
        writer.close()
    return got_in


async def half(web: Web) -> asyncio.StreamWriter:
    """Open a connection and send half of a request."""
    _, writer = await asyncio.open_connection("127.0.0.1", web.pages.port)
    writer.write(b"GET / HTTP/1.1\r\nHost:")
    return writer


def from_others(monkeypatch: pytest.MonkeyPatch, addresses: Iterator[str]) -> None:
    """Make the server see the next connections from these addresses."""
    taken = serve.ConnectionLimitingHttpServer.handle_stream
    monkeypatch.setattr(
        serve.ConnectionLimitingHttpServer,
        "handle_stream",
        lambda self, stream, address: taken(self, stream, (next(addresses), address[1])),
    )


FOUR: Final = tuple(f"10.0.0.{n}" for n in range(1, MACHINES + 1))
OF_ONE: Final = tuple(f"2001:db8:0:1::{n:x}" for n in range(1, MACHINES + 1))
APART: Final = tuple(f"2001:db8:0:{n}::1" for n in range(1, MACHINES + 1))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("addresses", [FOUR, OF_ONE, APART], ids=["ipv4", "one /64", "eight /64"])
@pytest.mark.parametrize(("crowd", "times"), [
    (60, 3), pytest.param(CROWD, TIMES, marks=pytest.mark.long),
], ids=["few", "many"])  # fmt: skip
def test_a_phone_with_a_seat_gets_in_whatever_others_hold(
    addresses: tuple[str, ...], crowd: int, times: int, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if crowd < CROWD:
        monkeypatch.setattr(connections, "MAX_CONNECTIONS", 40)
        monkeypatch.setattr(connections, "MAX_CONNECTIONS_OF_ADDRESS", 12)
    from_others(monkeypatch, (addresses[n % MACHINES] for n in count()))

    async def scenario() -> int:
        async with page(tmp_path) as web:
            return await besieged(web, crowd, times)

    got_in = asyncio.run(scenario())
    figures = f"{crowd} connections from {len(addresses)} addresses: {got_in} of {times} got in"
    sys.stdout.write(figures + "\n")  # pytest -s shows it
    assert got_in == times
