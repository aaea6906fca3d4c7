"""Tests of a phone's event stream: the whole state, missed events, and no other seat's secrets."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from companion.page import address, box_connections
from companion.page import streams as open_streams
from companion.page.event_store import MAX_STORED_EVENTS, SeatEventStore
from companion.page.handlers import current_state_message
from companion.page.streams import MAX_STREAMS_OF_ADDRESS, MAX_STREAMS_OF_SEAT
from tests.page.door import ASK, CODE, COOKIE, HELLO, STATE, TOKEN, Web, page, settle

TELL = {"type": "tell", "event": "rolled", "who": "Ann", "dice": [5], "text": "Ann rolls 5.",
        "speech": "", "cue": None, "clause": "KO-5"}  # fmt: skip


class Stream:
    """An event stream of a browser."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.marks: list[str] = []

    @classmethod
    async def open(
        cls, web: Web, query: str = "", own: str = "127.0.0.1", limit: int = 1 << 22, **headers: str
    ) -> Stream:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", web.pages.port, limit=limit, local_addr=(own, 0)
        )
        lines = [f"GET /events{query} HTTP/1.1", f"Host: {web.host}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        return cls(reader, writer)

    async def status(self) -> int:
        return int((await self._reader.readline()).split()[1])

    async def next(self, kind: str) -> dict[str, Any]:
        while True:
            line = (await asyncio.wait_for(self._reader.readline(), 10)).decode().strip()
            if line.startswith("id: "):
                self.marks.append(line.removeprefix("id: "))
            if line.startswith("data: {"):
                event = json.loads(line.removeprefix("data: "))
                if event["type"] == kind:
                    return dict(event)

    async def is_replaced(self) -> bool:
        """Return True if the page has ended this stream for a newer one."""
        return b"event: replaced" in await asyncio.wait_for(self._reader.read(), 10)

    def close(self) -> None:
        self._writer.close()


async def whole(web: Web, query: str = "", own: str = "127.0.0.1", **headers: str) -> Stream:
    """Open a stream and wait for the whole state."""
    stream = await Stream.open(web, query, own, 1 << 22, **headers)
    await stream.next("whole")
    return stream


def test_a_page_that_begins_is_told_all_that_stands(tmp_path: Path) -> None:
    async def scenario() -> dict[str, Any]:
        async with page(tmp_path) as web:
            stream = await Stream.open(web)
            whole = await stream.next("whole")
            stream.close()
            return whole

    whole = asyncio.run(scenario())
    assert whole["hello"]["players"] == HELLO["players"]
    assert whole["state"]["named"]["red"] == "Red"
    assert whole["ask"]["id"] == ASK["id"]
    assert whole["awake"]


def test_a_phone_that_slept_is_told_what_it_missed(tmp_path: Path) -> None:
    async def scenario() -> tuple[list[str], list[str]]:
        async with page(tmp_path) as web:
            stream = await Stream.open(web)
            await stream.next("whole")
            mark = stream.marks[-1]
            stream.close()
            other = await Stream.open(web)
            await other.next("whole")
            for n in (1, 2):
                web.door.tell({**TELL, "text": f"Ann rolls {n}."})
            await other.next("tell")
            await other.next("tell")
            again = await Stream.open(web, Last_Event_ID=mark)
            found = [(await again.next("tell"))["text"] for _ in range(2)]
            marks = other.marks[-2:], again.marks[-2:]
            other.close()
            again.close()
            assert marks[0] == marks[1]
            return found, marks[0]

    assert asyncio.run(scenario())[0] == ["Ann rolls 1.", "Ann rolls 2."]


def test_a_mark_that_nobody_knows_any_more_gets_all_that_stands() -> None:
    watch = SeatEventStore()
    for n in range(MAX_STORED_EVENTS + 5):
        watch.store_message({**TELL, "event_id": n})
    assert watch.events_after(watch.event_id(2)) is None
    assert watch.events_after("other-3") is None
    assert watch.events_after("") is None
    assert watch.events_after(watch.event_id(10**9)) is None
    assert [
        event.n for event in watch.events_after(watch.event_id(MAX_STORED_EVENTS + 3)) or ()
    ] == [
        MAX_STORED_EVENTS + 4,
        MAX_STORED_EVENTS + 5,
    ]


def test_a_phone_that_comes_back_gets_the_newest_frame_in_its_place() -> None:
    watch = SeatEventStore()
    watch.store_message({**TELL, "event_id": 1})
    for png in ("old", "new"):
        watch.store_message({"type": "frame", "png": png})
    watch.store_message({**TELL, "event_id": 2})
    missed = watch.events_after(watch.event_id(1)) or ()
    assert [(event.n, event.message.get("png")) for event in missed] == [(3, "new"), (4, None)]
    assert [event.n for event in watch.events_after(watch.event_id(3)) or ()] == [4]


def test_the_first_page_holds_no_choice_of_a_private_question(tmp_path: Path) -> None:
    async def scenario() -> tuple[str, dict[str, Any]]:
        async with page(tmp_path) as web:
            text = (await web.ask("/", Cookie=COOKIE)).body.decode()
            stream = await Stream.open(web, "?seat=1", Cookie=COOKIE)
            whole = await stream.next("whole")
            stream.close()
            return text, whole

    text, whole = asyncio.run(scenario())
    model = json.loads(text.partition('id="model">')[2].partition("</script>")[0])
    assert model["me"] == "Ann"
    assert model["ask"]["choices"] == []
    assert whole["ask"]["choices"] != []


def test_the_first_page_shows_no_field_about_the_choices_of_a_private_question() -> None:
    watch = SeatEventStore()
    for message in (HELLO, {**ASK, "spell": {"longest": 12, "open": ""}, "pattern": "^A$"}):
        watch.store_message(message)
    shown = current_state_message(watch, "en", private=False)["ask"]
    assert (shown["hidden"], shown.keys() & {"spell", "pattern"}) == (True, set())
    assert current_state_message(watch, "en", private=True)["ask"] == watch.ask


def test_a_secret_is_sent_to_nobody_who_does_not_ask_for_it(tmp_path: Path) -> None:
    async def scenario() -> tuple[dict[str, Any], dict[str, Any]]:
        async with page(tmp_path) as web:
            stream = await Stream.open(web, "?seat=1", Cookie=COOKIE)
            await stream.next("whole")
            web.door.tell({"type": "secret", "who": "Ann", "event": "hand", "text": "Ace."})
            news = await stream.next("news")
            looked = json.loads((await web.ask("/do", "POST", {"look": True}, Cookie=COOKIE)).body)
            stream.close()
            return news, looked

    news, looked = asyncio.run(scenario())
    assert news == {"type": "news", "event": "hand"}
    assert looked["said"][0]["text"] == "A card."


def test_a_seat_is_told_to_its_own_phone_alone(tmp_path: Path) -> None:
    async def scenario() -> list[int]:
        async with page(tmp_path) as web:
            found = []
            for cookie in ("", f"companion=QW5u.{'0' * 32}", f"companion=Qm9i.{TOKEN}"):
                stream = await Stream.open(web, "?seat=1", Cookie=cookie)
                found.append(await stream.status())
                stream.close()
            return found

    assert asyncio.run(scenario()) == [401, 401, 401]


def test_a_stolen_cookie_is_worth_nothing_once_the_box_has_removed_the_phone(
    tmp_path: Path,
) -> None:
    async def scenario() -> list[int]:
        async with page(tmp_path) as web:
            before = await web.status("/do", "POST", {"undo": True}, Cookie=COOKIE)
            web.door.tokens.clear()
            web.door.drop()
            await asyncio.wait([asyncio.ensure_future(web.ask("/rules"))])
            return [before, await web.status("/do", "POST", {"undo": True}, Cookie=COOKIE)]

    assert asyncio.run(scenario()) == [200, 401]


def test_a_removed_phone_learns_that_it_was_removed(tmp_path: Path) -> None:
    async def scenario() -> tuple[dict[str, Any], bool]:
        async with page(tmp_path) as web:
            stream = await whole(web, "?seat=1", Cookie=COOKIE)
            (seat,) = (s for s in web.pages.visitors.all_connections() if s.who)
            events = list[dict[str, Any]]()
            seat.watch.listeners.add(lambda event: events.append(event.message))
            web.door.remove("Ann")
            gone = await stream.next("gone")
            await settle()
            stream.close()
            return gone, any(event["type"] == "box" for event in events)

    gone, is_box_away = asyncio.run(scenario())
    assert gone == {"type": "gone", "why": "removed"}
    assert not is_box_away


def test_an_answer_that_came_late_says_so_as_the_box_does(tmp_path: Path) -> None:
    async def scenario() -> str:
        async with page(tmp_path) as web:
            cookie = f"{COOKIE}; companion_language=fr"
            answer = await web.ask("/do", "POST", {"answer": "late", "id": 7}, Cookie=cookie)
            return str(json.loads(answer.body)["error"]["message"])

    assert asyncio.run(scenario()) == "Late."


def test_a_box_that_goes_away_is_told_and_found_again(tmp_path: Path) -> None:
    async def scenario() -> list[bool]:
        async with page(tmp_path) as web:
            stream = await Stream.open(web)
            await stream.next("whole")
            web.door.drop()
            found = [(await stream.next("box"))["awake"]]
            found.append((await stream.next("box"))["awake"])
            stream.close()
            return found

    assert asyncio.run(scenario()) == [False, True]


def test_two_pages_of_one_phone_share_its_seat(tmp_path: Path) -> None:
    async def scenario() -> tuple[int, list[str]]:
        async with page(tmp_path) as web:
            streams = [await Stream.open(web, "?seat=1", Cookie=COOKIE) for _ in range(2)]
            for stream in streams:
                await stream.next("whole")
            web.door.tell(TELL)
            texts = [(await stream.next("tell"))["text"] for stream in streams]
            joins = len([line for line in web.door.told if "join" in line])
            for stream in streams:
                stream.close()
            return joins, texts

    assert asyncio.run(scenario()) == (1, ["Ann rolls 5."] * 2)


def test_a_phone_that_reads_nothing_is_dropped_and_nobody_waits_for_it(tmp_path: Path) -> None:
    async def scenario() -> int:
        async with page(tmp_path) as web:
            slow, quick = await Stream.open(web, limit=1 << 16), await Stream.open(web)
            await quick.next("whole")
            await slow.next("whole")
            long = {**TELL, "event": "odd", "text": "x" * 100_000}
            for _ in range(200):
                web.door.tell(long)
                await quick.next("tell")
                if len(web.pages.house.streams) == 1:
                    break
            left = len(web.pages.house.streams)
            quick.close()
            slow.close()
            return left

    assert asyncio.run(scenario()) == 1


def test_a_phone_that_gives_its_seat_back_is_forgotten(tmp_path: Path) -> None:
    async def scenario() -> bool:
        async with page(tmp_path) as web:
            joined = await web.ask("/join", "POST", {"name": "Ann", "code": CODE})
            left = await web.ask("/leave", "POST", {}, Cookie=COOKIE)
            assert (joined.code, left.code) == (200, 200)
            assert {"leave": True} in web.door.told
            assert await web.status("/do", "POST", {"look": True}, Cookie=COOKIE) == 401
            return any(seat.who for seat in web.pages.visitors.all_connections())

    assert not asyncio.run(scenario())


def test_only_a_token_that_the_box_disowns_loses_its_cookie(tmp_path: Path) -> None:
    async def scenario() -> dict[str, tuple[int, bool]]:
        found = {}
        codes = ("full", "slow_down", "failed", "not_so", "wrong_token", "no_seat", "removed")
        for code in codes:
            (tmp_path / code).mkdir()
            async with page(tmp_path / code) as web:
                web.door.refuses = code
                answer = await web.ask("/", Cookie=COOKIE)
                found[code] = answer.code, "companion=" in answer.headers.get("Set-Cookie", "")
        return found

    found = asyncio.run(scenario())
    lost = {code for code, (_, has_lost) in found.items() if has_lost}
    assert lost == {"wrong_token", "no_seat", "removed"}
    assert {found[code][0] for code in found.keys() - lost} == {503}


def test_a_phone_that_looks_at_the_board_keeps_its_seat(tmp_path: Path) -> None:
    async def scenario() -> dict[str, str]:
        async with page(tmp_path) as web:
            paths = ("/board", "/rules", "/history", "/evening", "/nothing", "/")
            found = {path: await web.ask(path, Cookie=COOKIE) for path in paths}
            return {path: answer.headers.get("Set-Cookie", "") for path, answer in found.items()}

    assert {path: given for path, given in asyncio.run(scenario()).items() if given} == {}


def test_where_all_phones_are_held_another_keeps_its_cookie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_connections, "MAX_PHONES", 1)

    async def scenario() -> tuple[int, str]:
        async with page(tmp_path) as web:
            web.door.tokens["Bob"] = "f" * 32
            stream = await whole(web, "?seat=1", Cookie=COOKIE)
            answer = await web.ask("/", Cookie=f"companion=Qm9i.{'f' * 32}")
            stream.close()
            return answer.code, answer.headers.get("Set-Cookie", "")

    assert asyncio.run(scenario()) == (503, "")


def test_a_phone_without_an_open_page_leaves_the_door_and_misses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_connections, "IDLE_SEAT_SECONDS", 0.0)

    async def scenario() -> tuple[list[Any], bool]:
        async with page(tmp_path) as web:
            first = await whole(web, "?seat=1", Cookie=COOKIE)
            web.door.tell(TELL)
            await first.next("tell")
            (seat,) = (one for one in web.pages.visitors.all_connections() if one.who)
            first.close()
            while seat.is_connected:
                await asyncio.wait([asyncio.ensure_future(web.ask("/rules"))])
            second = await Stream.open(web, f"?seat=1&after={first.marks[-1]}", Cookie=COOKIE)
            await second.next("box")
            second.close()
            watched = [line.get("after") for line in web.door.told if "watch" in line]
            return watched, seat.watch.hello["game"] == HELLO["game"]

    watched, same = asyncio.run(scenario())
    assert (watched[0], watched[-1], same) == (None, 11, True)


def test_a_seat_is_given_back_only_where_the_box_can_forget_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page(tmp_path) as web:
            await web.ask("/join", "POST", {"name": "Ann", "code": CODE})
            (tmp_path / "door.sock").unlink()
            web.door.drop()
            await settle()
            left = await web.ask("/leave", "POST", {}, Cookie=COOKIE)
            assert left.code in (200, 503)
            assert b"error" in left.body
            assert "Set-Cookie" not in left.headers

    asyncio.run(scenario())


def test_a_stream_too_many_ends_the_oldest_of_its_seat_or_address(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with page(tmp_path) as web:
            guests = [await whole(web) for _ in range(MAX_STREAMS_OF_ADDRESS)]
            other = await whole(web, own="127.0.0.2")
            seats = [await whole(web, "?seat=1", Cookie=COOKIE) for _ in range(MAX_STREAMS_OF_SEAT)]
            seats.append(await whole(web, "?seat=1", Cookie=COOKIE))
            assert await seats[0].is_replaced()
            guests.append(await whole(web))
            assert await guests[0].is_replaced()
            web.door.tell(TELL)
            for stream in (*guests[1:], *seats[1:], other):
                assert (await stream.next("tell"))["text"] == TELL["text"]
            for stream in (*guests, *seats, other):
                stream.close()

    asyncio.run(scenario())


def test_where_every_place_is_taken_the_address_with_the_most_pages_gives_one_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_streams, "MAX_STREAMS", 4)

    async def scenario() -> tuple[int, int, list[str]]:
        async with page(tmp_path) as web:
            several = [await whole(web, own="127.0.0.2") for _ in range(3)]
            streams = [await whole(web, own=f"127.0.0.{n}") for n in (3, 4)]
            assert await several[0].is_replaced()
            refused = await Stream.open(web, own="127.0.0.2")
            statuses = [await refused.status()]
            streams.append(await whole(web, own="127.0.0.5"))
            late = await Stream.open(web, own="127.0.0.6")
            statuses.append(await late.status())
            left = sorted(one.client_address_or_network for one in web.pages.house.streams)
            for stream in (*several, *streams, refused, late):
                stream.close()
            return statuses[0], statuses[1], left

    expected = [f"127.0.0.{n}" for n in (2, 3, 4, 5)]
    assert asyncio.run(scenario()) == (429, 429, expected)


def test_a_mark_of_thousands_of_digits_is_one_that_nobody_knows() -> None:
    watch = SeatEventStore()
    for n in ("9" * 5000, "１", "-1", ""):
        assert watch.events_after(f"{watch.epoch}-{n}") is None


def test_each_is_told_in_a_language_of_its_own_and_a_phone_that_changes_it_anew(
    tmp_path: Path,
) -> None:
    french = {**HELLO, "lang": "fr"}
    asked = {**ASK, "sentence": "Ann, cinq : où arrivez-vous ?"}
    stands = {None: (HELLO, STATE, ASK), "fr": (french, STATE, asked)}

    async def scenario() -> list[str]:
        async with page(tmp_path, stands) as web:
            found = []
            for cookie in ("", COOKIE):
                for language in ("fr", "en", "fr"):
                    query, asked_for = "?seat=1" if cookie else "", f"{language}-CA,{language};q=1"
                    stream = await Stream.open(web, query, Cookie=cookie, Accept_Language=asked_for)
                    found.append((await stream.next("whole"))["ask"]["sentence"])
                    stream.close()
            return found

    sentences = [asked["sentence"], ASK["sentence"], asked["sentence"]]
    assert asyncio.run(scenario()) == [*sentences, *sentences]


def test_what_is_heard_before_a_language_was_asked_for_is_told_to_nobody() -> None:
    watch = SeatEventStore()
    assert watch.hello["game"] is None
    watch.store_message(dict(HELLO))
    watch.store_message({**TELL, "event_id": 1})
    watch.store_message({**HELLO, "lang": "fr"})
    assert [*watch.told] == []


def test_what_may_be_said_out_of_turn_goes_with_its_question() -> None:
    watch = SeatEventStore()
    watch.store_message(dict(ASK))
    watch.store_message(
        {"type": "offers", "forms": [{"form": "correct", "text": "Put something right"}]}
    )
    assert watch.offers is not None
    watch.store_message({**ASK, "id": 8})
    assert watch.offers is None


def test_the_box_hears_where_phones_come_to_and_that_the_network_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> list[Any]:
        async with page(tmp_path) as web:
            for own, alone in (("10.0.0.7", None), (None, None), (None, address.LOOPBACK)):
                found = () if own is None else (own, "10.42.0.1")
                monkeypatch.setattr(
                    address, "own_reachable_addresses", lambda _="", found=found: found
                )
                web.pages._alone = alone
                web.pages._say_where()
                await web.ask("/rules")
                await web.pages.visitors.box.request_all_replies({"frame": True})
            where = [line["address"] for line in web.door.told if "address" in line]
            assert [place and place.get("also") for place in where[1:]] == [
                f"10.42.0.1:{web.pages.port}", None, None,
            ]  # fmt: skip
            return [place and place["url"].removesuffix(f":{web.pages.port}") for place in where]

    found = asyncio.run(scenario())
    assert found == ["HTTP://127.0.0.1", "HTTP://10.0.0.7", None, "HTTP://127.0.0.1"]
