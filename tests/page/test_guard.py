"""Tests of access to the page: hosts, origins, tokens and rate limits."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from companion.page import serve
from companion.page.box_connections import MAX_OPENING_CONNECTIONS, decode_seat_cookie
from companion.page.connections import MAX_CONNECTIONS_OF_ADDRESS, ConnectionOwner
from companion.page.guard import (
    RateLimit,
    RequestBudgets,
    WrongCodeLimiter,
    is_own_host,
    network_for_rate_limit,
    normalise_address,
)
from companion.say.words import LANGUAGES, Words
from tests.page.door import CODE, COOKIE, TOKEN, Web, page
from tests.page.test_events import TELL, Stream

LOCAL: Final = "192.168.1.20"
PATHS: Final = (
    "/", "/board", "/events", "/do", "/join", "/leave", "/language", "/history", "/people",
    "/game/1", "/rules", "/static/app.js", "/static/../page.py", "/nothing", "/game/x", "//",
    "/%00", "/events/..", "/static/", "/DO",
)  # fmt: skip
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "ODD")
COOKIES: Final = (
    "", COOKIE[:-1], COOKIE + "0", f"companion=QW5u.{'0' * 32}", f"companion=Qm9i.{TOKEN}",
    "companion=", "companion=.", f"companion=.{TOKEN}", f"companion=%%%.{TOKEN}",
    f"companion=QW5u.{TOKEN.upper()}", f"companion={'A' * 3000}.{TOKEN}",
)  # fmt: skip


def test_our_own_names_are_ours() -> None:
    names = [
        *("box", "BOX.local", "box.local.", "box-2.local", "box-13.local.", "box.lan", "box.home"),
        *("box.home.arpa", "box.internal", "box.fritz.box", "box.localdomain", LOCAL),
    ]
    hosts = [f"{name}:8080" for name in names]
    assert [host for host in hosts if not is_own_host(host, LOCAL, "box.local", 8080)] == []
    assert [name for name in names if not is_own_host(name, LOCAL, "box.local", 80)] == []
    for host in ("[::1]", "[::1]:80", "localhost"):
        assert is_own_host(host, "::1", "box.local", 80), host


@pytest.mark.sampled(4)
@pytest.mark.parametrize("host", [
    "", "evil.example", "evil.example:8080", f"{LOCAL}.evil.example:8080", f"{LOCAL}:80", LOCAL,
    "192.168.1.21:8080", "localhost:8080", "box.local", "box.local:8080:8080", f"{LOCAL}:", ":8080",
    "box.local..:8080", f"{LOCAL}:8080@evil.example", f"{LOCAL}:٨٠٨٠", "box.example:8080",
    "box.com:8080", "box.local.evil.example:8080", "evil.box.local:8080", "other.local:8080",
    "boxlocal:8080", "box-.local:8080", "box-2.lan:8080", "box-٢.local:8080", "box.box:8080",
    "lan:8080", "fritz.box:8080", "boxy:8080", "box-2:8080", "box.lan.com:8080", ".local:8080",
    "box.local\n:8080",
])  # fmt: skip
def test_a_name_that_dns_could_be_made_to_lead_here_is_not_ours(host: str) -> None:
    assert not is_own_host(host, LOCAL, "box.local", 8080)


def test_a_host_name_with_signs_of_a_pattern_is_taken_as_it_is() -> None:
    assert not is_own_host("boxx:80", LOCAL, "bo.x.local", 80)


def test_a_wrong_host_is_shown_the_address_to_type_in_every_language(tmp_path: Path) -> None:
    async def scenario() -> tuple[int, str, str]:
        async with page(tmp_path) as web:
            found = await web.ask("/history", Host=f"box.example:{web.pages.port}", Cookie=COOKIE)
            return found.code, found.body.decode(), web.url

    status, text, url = asyncio.run(scenario())
    assert status == 403
    for sentence in (Words(language)("page.wrong_host") for language in LANGUAGES):
        assert sentence in text
    assert f'<a href="{url}">{url}</a>' in text


def test_a_wrong_host_posts_nothing_and_reads_no_script(tmp_path: Path) -> None:
    async def scenario() -> tuple[int, int, bytes]:
        async with page(tmp_path) as web:
            host = f"box.example:{web.pages.port}"
            given = {"Host": host, "Origin": f"http://{host}", "Cookie": COOKIE}
            posted = await web.status("/do", "POST", {"undo": True}, **given)
            script = await web.ask("/static/app.js", Host=host)
            assert not [line for line in web.door.told if "undo" in line]
            return posted, script.code, script.body

    posted, status, text = asyncio.run(scenario())
    assert (posted, status) == (403, 403)
    assert b"import" not in text


def test_a_browser_that_is_refused_is_shown_a_sentence(tmp_path: Path) -> None:
    async def scenario() -> list[tuple[int, bool]]:
        async with page(tmp_path) as web:
            web.pages.house.requests._pace = RateLimit(1, 0)
            accepts = {"Accept": "text/html,*/*", "Accept_Language": "fr"}
            found = [await web.ask("/nothing", **accepts) for _ in range(2)]
            keys = ("not_there", "too_many")
            return [
                (one.code, Words("fr")(f"page.{key}") in one.body.decode())
                for one, key in zip(found, keys, strict=True)
            ]

    assert asyncio.run(scenario()) == [(404, True), (429, True)]


def test_ipv6_addresses_count_by_their_64_and_ipv4_ones_one_by_one() -> None:
    assert (
        network_for_rate_limit("2001:db8:1:2:3::4")
        == network_for_rate_limit("2001:db8:1:2:ffff::1")
        == "2001:db8:1:2::/64"
    )
    assert network_for_rate_limit("2001:db8:1:3::4") != network_for_rate_limit("2001:db8:1:2::4")
    assert (
        network_for_rate_limit("::ffff:192.168.1.20")
        == network_for_rate_limit("192.168.1.20")
        == "192.168.1.20"
    )
    assert network_for_rate_limit("fe80::1%eth0") == "fe80::/64"


def test_an_address_is_the_same_however_it_came_in() -> None:
    assert normalise_address("::ffff:192.168.1.20") == normalise_address("192.168.1.20")
    assert normalise_address("fe80::1%eth0") == "fe80::1"


def test_a_pace_lets_in_a_burst_and_then_so_many_a_second() -> None:
    buckets = RequestBudgets(RateLimit(3, 2))
    assert [buckets.count_request_and_check_limit("a", 0.0) for _ in range(4)] == [
        True,
        True,
        True,
        False,
    ]
    assert buckets.count_request_and_check_limit("b", 0.0)
    assert buckets.count_request_and_check_limit("a", 0.5)
    assert not buckets.count_request_and_check_limit("a", 0.5)


def test_a_flood_of_addresses_takes_no_memory() -> None:
    buckets, tries = RequestBudgets(RateLimit(3, 2)), WrongCodeLimiter()
    for n in range(2000):
        buckets.count_request_and_check_limit(str(n), 0.0)
        tries.count_wrong_code(str(n), 0.0)
    assert len(buckets._left) == RequestBudgets.MAX_ADDRESSES
    assert len(tries._tried) == WrongCodeLimiter.MAX_ADDRESSES


def test_codes_can_be_tried_five_times_and_then_ever_more_slowly() -> None:
    tries = WrongCodeLimiter()
    waits = []
    for _ in range(8):
        waits.append(tries.seconds_to_wait("a", 0.0))
        tries.count_wrong_code("a", 0.0)
    assert waits == [0, 0, 0, 0, 0, 60, 120, 240]
    assert tries.seconds_to_wait("b", 0.0) == 0
    tries.forget_wrong_codes("a")
    assert tries.seconds_to_wait("a", 0.0) == 0


def test_a_minute_later_there_are_five_tries_again() -> None:
    tries = WrongCodeLimiter()
    for _ in range(5):
        tries.count_wrong_code("a", 0.0)
    assert tries.seconds_to_wait("a", 59.0) > 0
    assert tries.seconds_to_wait("a", 60.0) == 0


@pytest.mark.parametrize("cookie", [one.partition("=")[2] for one in COOKIES[5:]])
def test_a_cookie_that_is_none_of_ours_is_nobody(cookie: str) -> None:
    assert decode_seat_cookie(cookie) in {("", ""), ("Ann", TOKEN)} - {("Ann", TOKEN)}


@pytest.mark.parametrize("wrong", [
    COOKIES[1:3], pytest.param(COOKIES[3:], marks=pytest.mark.long),
], ids=["hardly", "entirely"])  # fmt: skip
def test_every_path_and_method_with_each_wrong_token_is_refused_and_never_fails(
    wrong: tuple[str, ...], tmp_path: Path
) -> None:
    async def scenario() -> dict[tuple[str, str, str], int]:
        found = {}
        async with page(tmp_path) as web:
            for path, method, cookie in (
                *product(PATHS, METHODS, COOKIES[:1]),
                *product(PATHS, ("GET", "POST"), wrong),
            ):
                web.pages.house.requests._left.clear()
                web.pages.house.posts._left.clear()
                if (path, method) == ("/events", "GET"):
                    continue  # an endless stream, which has its own test
                found[path, method, cookie] = await web.status(
                    path, method, {} if method == "POST" else None, Cookie=cookie
                )
        return found

    found = asyncio.run(scenario())
    reading = {"/", "/board", "/rules", "/static/app.js", "//"}
    for (path, method, cookie), status in found.items():
        at_most = {200, 304} if path in reading and method in ("GET", "HEAD") else set()
        assert status in {400, 401, 403, 404, 405} | at_most, (path, method, cookie, status)
    assert {found["/do", "POST", cookie] for cookie in ("", *wrong)} == {401}
    assert {found["/leave", "POST", cookie] for cookie in ("", *wrong)} == {401}


WRONG: Final = (
    ({"Host": "evil.example"}, 403),
    ({"Host": "127.0.0.1"}, 403),
    ({"Origin": "http://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": ""}, 403),
    ({"Origin": "https://127.0.0.1"}, 403),
    ({"Content_Type": "text/plain"}, 415),
    ({"Content_Type": ""}, 415),
    ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
    ({"Cookie": ""}, 401),
)


def test_a_request_with_one_wrong_header_does_nothing_at_the_door(tmp_path: Path) -> None:
    async def scenario() -> tuple[list[int], list[int], int]:
        async with page(tmp_path) as web:
            right = await web.status("/do", "POST", {"undo": True}, Cookie=COOKIE)
            before = len([line for line in web.door.told if "undo" in line])
            found = [
                await web.status("/do", "POST", {"undo": True}, **({"Cookie": COOKIE} | headers))
                for headers, _ in WRONG
            ]
            after = len([line for line in web.door.told if "undo" in line])
            return [right, before], found, after

    right, found, after = asyncio.run(scenario())
    assert right == [200, 1]
    assert found == [status for _, status in WRONG]
    assert after == 1


BODIES: Final = (
    "", "no", "[]", "{}", "null", '{"join": "Ann", "token": "x"}', '{"address": null}',
    '{"watch": true}', '{"answer": 1, "undo": true}', '{"answer": 1, "odd": 1}', "\xff", "[" * 2000,
    '{"past": {"from": 0}}', '{"quit": true}',
)  # fmt: skip


def test_a_phone_says_at_the_door_what_phones_may_say_and_nothing_else(tmp_path: Path) -> None:
    async def scenario() -> tuple[set[int], int]:
        async with page(tmp_path) as web:
            await web.ask("/do", "POST", {"undo": True}, Cookie=COOKIE)
            before = len(web.door.told)
            found = {await web.status("/do", "POST", body, Cookie=COOKIE) for body in BODIES}
            return found, len(web.door.told) - before

    assert asyncio.run(scenario()) == ({400}, 0)


def test_a_body_that_is_too_large_is_refused(tmp_path: Path) -> None:
    async def scenario() -> int:
        async with page(tmp_path) as web:
            body = json.dumps({"answer": "A" * 8000})
            return await web.status("/do", "POST", body, Cookie=COOKIE)

    assert asyncio.run(scenario()) in {400, 413, 599}


def test_every_answer_forbids_to_keep_it_and_to_run_what_is_not_ours(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page(tmp_path) as web:
            for path in ("/", "/board", "/rules", "/nothing", "/do"):
                answer = await web.ask(path)
                assert answer.headers["Cache-Control"] == "no-store", path
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                policy = answer.headers["Content-Security-Policy"]
                assert policy.startswith("default-src 'none'")
                assert "unsafe" not in policy
                assert "Server" not in answer.headers
                assert "Etag" not in answer.headers

    asyncio.run(scenario())


def test_head_says_what_would_be_sent_and_sends_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page(tmp_path) as web:
            for path in ("/", "/board", "/rules", "/history", "/static/app.js"):
                got, head = await web.ask(path), await web.ask(path, "HEAD")
                assert (head.code, head.body) == (got.code, b""), path
                assert head.headers["Content-Length"] == str(len(got.body)), path
            assert await web.status("/events", "HEAD") == 405

    asyncio.run(scenario())


def test_an_error_tells_nothing_but_its_number(tmp_path: Path) -> None:
    async def scenario() -> list[bytes]:
        async with page(tmp_path) as web:
            return [(await web.ask(path)).body for path in ("/nothing", "/do", "/static/no.js")]

    assert asyncio.run(scenario()) == [b'{"error":404}', b'{"error":401}', b'{"error":404}']


def test_a_phone_that_joins_gets_a_cookie_that_no_script_and_no_other_site_has(
    tmp_path: Path,
) -> None:
    async def scenario() -> str:
        async with page(tmp_path) as web:
            answer = await web.ask("/join", "POST", {"name": "Ann", "code": CODE.lower()})
            assert json.loads(answer.body) == {"ok": True, "seat": "Ann"}
            return str(answer.headers["Set-Cookie"])

    cookie = asyncio.run(scenario())
    assert cookie.startswith(COOKIE)
    for mark in ("HttpOnly", "SameSite=Strict", "Path=/"):
        assert mark in cookie


def test_wrong_codes_are_slowed_down_before_they_reach_the_box(tmp_path: Path) -> None:
    async def scenario() -> tuple[list[str], int]:
        async with page(tmp_path) as web:
            codes = []
            for _ in range(8):
                answer = await web.ask("/join", "POST", {"name": "Ann", "code": "ZZZZ"})
                codes.append(json.loads(answer.body)["error"]["code"])
            return codes, len([line for line in web.door.told if "join" in line])

    codes, asked = asyncio.run(scenario())
    assert codes == ["wrong_code"] * 5 + ["slow_down"] * 3
    assert asked == 5


def test_a_flood_is_refused_and_somebody_else_is_still_let_in(tmp_path: Path) -> None:
    async def scenario() -> tuple[list[int], bool]:
        async with page(tmp_path) as web:
            requests = web.pages.house.requests
            requests._pace = RateLimit(5, 0)
            found = [await web.status("/rules") for _ in range(8)]
            return found, requests.count_request_and_check_limit("10.0.0.9", 1e9)

    assert asyncio.run(scenario()) == ([200] * 5 + [429] * 3, True)


SLOW: Final = int(os.environ.get("SLOW", "60"))
"""Connections that send half of a request."""


@pytest.mark.long
def test_slow_connections_leave_room_for_another_address(tmp_path: Path) -> None:
    async def scenario() -> tuple[int, int]:
        async with page(tmp_path) as web:
            slow = [await half(web) for _ in range(SLOW)]
            status = await lone(web, "127.0.0.2")
            for _, writer in slow:
                writer.close()
            return web.pages.house.connections.count_connections_of_owner(
                ConnectionOwner("127.0.0.1")
            ), status

    assert asyncio.run(scenario()) == (min(SLOW, MAX_CONNECTIONS_OF_ADDRESS), 200)


def test_a_slow_connection_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "REQUEST_TIMEOUT_SECONDS", 0.05)

    async def scenario() -> tuple[bytes, int]:
        async with page(tmp_path) as web:
            reader, writer = await half(web)
            said = await reader.read()  # until the server closes the connection
            writer.close()
            return said, web.pages.house.connections.count_connections_of_owner(
                ConnectionOwner("127.0.0.1")
            )

    assert asyncio.run(scenario()) == (b"", 0)


async def half(web: Web) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a connection and send half of a request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", web.pages.port)
    writer.write(b"GET / HTTP/1.1\r\nHost:")
    return reader, writer


async def lone(web: Web, address: str) -> int:
    """Return the status of a request from an address."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", web.pages.port, local_addr=(address, 0)
    )
    writer.write(f"GET /rules HTTP/1.1\r\nHost: {web.host}\r\n\r\n".encode())
    status = (await reader.readline()).split()[1]
    writer.close()
    return int(status)


FLOOD: Final = int(os.environ.get("FLOOD", "60"))
"""Number of requests in a row."""


@pytest.mark.long
def test_a_flood_reaches_neither_the_door_nor_whoever_is_told(tmp_path: Path) -> None:
    async def scenario() -> tuple[dict[int, int], int, str]:
        async with page(tmp_path) as web:
            web.pages.house.requests._pace = RateLimit(30, 0)
            stream = await Stream.open(web)
            await stream.next("whole")
            before = len(web.door.told)
            statuses = Counter(
                [await web.status("/", Cookie=f"companion=QW5u.{n:032x}") for n in range(FLOOD)]
            )
            reached = len([line for line in web.door.told[before:] if "join" in line])
            web.door.tell(TELL)
            told = (await stream.next("tell"))["text"]
            stream.close()
            return statuses, reached, told

    statuses, reached, told = asyncio.run(scenario())
    assert (statuses[200], statuses[429]) == (reached, FLOOD - reached)
    assert reached == 30 - 1
    assert told == "Ann rolls 5."


def test_tokens_that_nobody_knows_take_few_places_at_the_door(tmp_path: Path) -> None:
    async def scenario() -> tuple[list[int], int]:
        async with page(tmp_path) as web:
            wrong = (f"companion=QW5u.{n:032x}" for n in range(20))
            asked = [web.status("/do", "POST", {"undo": True}, Cookie=one) for one in wrong]
            return await asyncio.gather(*asked), web.door.most

    assert asyncio.run(scenario()) == ([401] * 20, 1 + MAX_OPENING_CONNECTIONS)
