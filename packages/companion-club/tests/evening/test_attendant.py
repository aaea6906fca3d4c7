"""Tests of the attendant (the process of an evening beside the box), with a real Mosquitto."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from companion.cmd.start import start_service_by_socket
from companion_club import ageing, evenings_on_broker, new_facts, slips
from companion_club import attendant as attending
from companion_club.attendant import AttendantEnvironment, EveningAttendant, JoinedEvening
from companion_club.box.status import parse_evening_status
from companion_club.broker import BrokerAddress
from companion_club.commands import tables
from tests.evening.mosquitto import TIMEOUT_SECONDS, Mosquitto, free_port, needs_broker

pytestmark = pytest.mark.long  # starts a real broker

NAMES: Final = ("Ada", "Bob", "Cy", "Di", "Émile", "Flo")
HOURS: Final = ["2026-11-21T21:00"]
"""The local time of all boxes, which a test can change."""
EPOCH: Final = 1_795_291_200.0
"""The time of all boxes in seconds since 1970: 20:00 UTC."""


class Door:
    """The box's end of the door: `told` is the last status, `replies` are answers to requests."""

    def __init__(self, folder: Path, brokers: list[tuple[str, int]], access: BrokerAddress) -> None:
        folder.mkdir(exist_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(folder / "games.sock"))
        self.listener.listen()
        self.listener.setblocking(False)
        self.wires: list[socket.socket] = []
        self.came = b""
        self.told: dict[str, Any] = {}
        self.replies: list[dict[str, Any]] = []
        self.now, self.key = 0.0, ""
        world = AttendantEnvironment(
            folder / "games.sock", folder / "evenings", access, lambda: brokers,
            lambda: time.monotonic() + self.now, lambda: "2026-11-21T20:00:00Z",
            lambda hour: HOURS[0] if hour < 0 else f"2026-11-21T{hour:02}:00", lambda *_: None,
            lambda: EPOCH,
        )  # fmt: skip
        self.world = world
        self.attendant = EveningAttendant(world)

    def wish(self, whose: int | None = None, seat: str | None = None, **wish: Any) -> None:
        line = json.dumps({"type": "wish", "wish": wish, "from": whose, "seat": seat})
        self.wires[0].sendall(line.encode() + b"\n")

    def turn(self) -> None:
        self.attendant.handle_messages(0.005)
        try:
            self.wires.append(self.listener.accept()[0])
            self.wires[-1].setblocking(False)
        except BlockingIOError:
            pass
        for wire in self.wires:
            self._hear(wire)

    def _hear(self, wire: socket.socket) -> None:
        try:
            self.came += wire.recv(1 << 16)
        except BlockingIOError:
            return
        *lines, self.came = self.came.split(b"\n")
        for line in map(json.loads, lines):
            if "evening" in line and "to" in line:
                self.replies.append(line)
            elif "evening" in line:
                self.key = line["key"]
                parse_evening_status(line["evening"])  # the box accepts the status
                self.told = line["evening"]

    def close(self) -> None:
        self.attendant.close()
        for each in (self.listener, *self.wires):
            each.close()


def until(doors: list[Door], done: Callable[[], object]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not done():
        assert time.monotonic() < end, [door.told for door in doors]
        for door in doors:
            door.turn()


def opened(folder: Path, broker: Mosquitto, **more: Any) -> Door:
    """Return the door of a box that has opened an evening with six people, as table 1."""
    door = Door(folder, [("127.0.0.1", broker.port)], broker.address())
    until([door], lambda: door.told)
    door.wish(do="open", title="Friday Club", game="probe", tables=2, games=2, table=1, seats=4,
              **more)  # fmt: skip
    until([door], lambda: door.told.get("state") == "on" and not door.told["trouble"])
    for name in NAMES:
        door.wish(do="sign", who=name)
    until([door], lambda: len(door.told["signed"]) == len(NAMES))
    return door


@needs_broker
def test_two_boxes_open_and_join_an_evening_and_are_told_who_goes_where(
    broker: Mosquitto, tmp_path: Path
) -> None:
    one = opened(tmp_path / "one", broker)
    assert one.told["code"]
    other = Door(tmp_path / "two", [], broker.address())
    until([other], lambda: other.told)
    other.wish(do="look")
    other.wish(do="code", code=one.told["code"])
    until([one, other], lambda: other.told.get("found"))
    (found,) = other.told["found"]
    assert (found["title"], found["game"], found["tables"]) == ("Friday Club", "probe", 2)
    other.wish(do="join", id=found["id"], tables=2, table=2)
    until([one, other], lambda: len(other.told.get("signed", ())) == len(NAMES))
    seats = one.told["seats"]
    assert other.told["seats"] == seats
    for number, door in enumerate((one, other), 1):
        member = door.attendant._member
        assert member is not None
        points = {name: n for n, name in enumerate(seats[number - 1])}
        member.save_and_publish_fact(
            f"result/1/{number}", {"points": points, "before": [], "game": None}
        )
    until([one, other], lambda: one.told["round"] == other.told["round"] == 2)
    for door in (one, other):
        for who, to in door.told["goes"]:
            assert who in door.told["seats"][to - 1]
            assert who in seats[door.told["table"] - 1]
        assert len(door.told["goes"]) == 2
    one.close()
    other.close()


@needs_broker
def test_a_result_goes_by_its_code_while_the_broker_is_away(
    broker: Mosquitto, tmp_path: Path
) -> None:
    one = opened(tmp_path / "one", broker)
    other = Door(tmp_path / "two", [("127.0.0.1", broker.port)], broker.address())
    until([other], lambda: other.told)
    other.wish(do="look")
    until([one, other], lambda: other.told.get("found"))
    other.wish(do="join", id=other.told["found"][0]["id"], tables=2, table=2)
    until([one, other], lambda: len(other.told.get("signed", ())) == len(NAMES))
    broker.kill()
    until([other], lambda: other.told["trouble"] == "unreachable")
    member = other.attendant._member
    assert member is not None
    points = {name: 10 * n - 5 for n, name in enumerate(other.told["seats"][1])}
    member.save_and_publish_fact(
        "result/1/2", {"points": points, "before": [], "game": {"id": "x"}}
    )
    until([other], lambda: other.told["slip"])
    slip = other.told["slip"]
    one.wish(7, None, do="slip", text=slip)
    until([one], lambda: one.replies)
    assert one.replies.pop() == {"evening": {"error": "join_first"}, "to": 7}
    assert one.told["waiting"] == [1, 2]
    one.wish(7, "Ada", do="slip", text=f"{slip[:-1]}X")
    until([one], lambda: one.replies)
    assert one.replies.pop()["evening"]["error"] == "wrong_slip"
    one.wish(7, "Ada", do="slip", text=slip.lower())
    until([one], lambda: one.replies)
    assert one.replies.pop() == {"evening": {"ok": True}, "to": 7}
    assert one.told["waiting"] == [1]
    broker.start()
    one.now = other.now = 100  # skip the pause before the next connection
    until([one, other], lambda: not one.told["trouble"] and not other.told["trouble"])
    until([one, other], lambda: other.told["waiting"] == one.told["waiting"] == [1])
    assert other.told["conflicts"] == one.told["conflicts"] == 0
    assert other.told["slip"] == ""
    one.close()
    other.close()


@needs_broker
def test_the_head_tables_clock_rings_the_bell(broker: Mosquitto, tmp_path: Path) -> None:
    HOURS[0] = "2026-11-21T21:00"
    door = opened(tmp_path / "one", broker, hour=22)
    assert door.attendant.joined_evening_state.rules is not None
    assert door.attendant.joined_evening_state.rules["until"] == "2026-11-21T22:00"
    door.turn()
    assert door.attendant.joined_evening_state.rules["last"] is None
    HOURS[0] = "2026-11-21T22:01"
    until([door], lambda: (door.attendant.joined_evening_state.rules or {})["last"] == 1)
    door.close()


def aged(folder: Path, seconds: float) -> None:
    """Set the time of all saved claims to `seconds` before `EPOCH`."""
    when = EPOCH - seconds
    for file in folder.glob("evenings/*/*.json"):
        os.utime(file, (when, when))


@needs_broker
def test_an_evening_that_was_over_for_a_day_is_left_and_taken_off_its_broker(
    broker: Mosquitto, tmp_path: Path
) -> None:
    one = opened(tmp_path / "one", broker)
    while not one.attendant.joined_evening_state.over:
        evening, member = one.attendant.joined_evening_state, one.attendant._member
        assert member is not None
        for number in evening.tables_without_result:
            points = dict.fromkeys(evening.current_round_tables[number - 1], 1)
            member.save_and_publish_fact(
                f"result/{len(evening.rounds)}/{number}", new_facts.result_fact(points)
            )
    until([one], lambda: one.told["state"] == "over")
    aged(tmp_path / "one", ageing.KEEP_FINISHED_SECONDS - 60)
    one.now += attending.SECONDS_PER_HOUR
    one.turn()
    assert one.told["state"] == "over"
    assert len(evenings_on_broker.rules_claims_by_evening(broker.address(), time.monotonic)) == 1
    aged(tmp_path / "one", ageing.KEEP_FINISHED_SECONDS)
    one.now += attending.SECONDS_PER_HOUR
    until([one], lambda: one.told["state"] == "none")
    assert evenings_on_broker.rules_claims_by_evening(broker.address(), time.monotonic) == {}
    one.close()


@needs_broker
@pytest.mark.long
@pytest.mark.parametrize(("days", "stays"), [(29, True), (30, False)])
def test_an_evening_that_nobody_ended_is_found_for_thirty_days(
    broker: Mosquitto, tmp_path: Path, days: int, *, stays: bool
) -> None:
    one = opened(tmp_path / "one", broker)
    one.wish(do="leave")
    until([one], lambda: one.told["state"] == "none")
    aged(tmp_path / "one", days * ageing.SECONDS_PER_DAY)
    one.attendant._look(one.world.brokers())
    assert bool(one.attendant.evening_status_message()["found"]) == stays
    assert (
        bool(evenings_on_broker.rules_claims_by_evening(broker.address(), time.monotonic)) == stays
    )
    one.close()


def test_a_box_is_called_the_same_in_all_its_evenings(tmp_path: Path) -> None:
    door = Door(tmp_path, [], BrokerAddress("127.0.0.1", free_port()))
    names = set()
    for evening in ("club-1", "club-2"):
        door.attendant._join(JoinedEvening(evening, 1, "127.0.0.1", 1))
        assert door.attendant._member is not None
        names.add(door.attendant._member.link.box)
    assert len(names) == 1
    door.close()


def test_it_goes_on_where_it_was_and_leaves(tmp_path: Path) -> None:
    nowhere = BrokerAddress("127.0.0.1", free_port())
    (tmp_path / "evenings").mkdir()
    kept = {"evening": "club-1", "table": 2, "host": nowhere.host, "port": nowhere.port}
    (tmp_path / "evenings" / attending.JOINED_FILE_NAME).write_text(json.dumps(kept))
    door = Door(tmp_path, [], nowhere)
    until([door], lambda: door.told)
    assert door.told["trouble"] == "unreachable"
    door.wish(do="leave")
    until([door], lambda: door.told["state"] == "none")
    assert not (tmp_path / "evenings" / attending.JOINED_FILE_NAME).exists()
    door.wish(do="open", title="x", game="probe", tables=2, games=2, table=1, seats=4)
    until([door], lambda: door.told["trouble"] == "no_broker")
    door.wish(do="code", code="ZZZZZZ")
    until([door], lambda: door.told["trouble"] == "wrong_code")
    door.close()


def test_it_ends_when_nobody_wants_an_evening(tmp_path: Path) -> None:
    door = Door(tmp_path, [], BrokerAddress(""))
    assert door.attendant.handle_messages(0) == []
    door.now = attending.IDLE_SECONDS + 1
    assert door.attendant.handle_messages(0) is None
    door.close()


def test_a_file_of_an_evening_that_can_not_be_is_none(tmp_path: Path) -> None:
    for text in ("", "[]", '{"evening": "../x", "table": 1, "host": "", "port": 1}', "{"):
        (tmp_path / attending.JOINED_FILE_NAME).write_text(text)
        assert attending._load_joined(tmp_path) is None


def test_names_of_evenings_are_topics() -> None:
    assert attending._name("Soirée d’été !").startswith("soiree-dete-")
    assert attending._name("李明").startswith("evening-")
    assert slips.SLIP_PATTERN.fullmatch("E/3/2/9F2C11AA/120.85.-5.0/A1B2C3D4E5")


def test_a_door_that_is_not_there_is_knocked_at_again(tmp_path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)):
        door = Door(tmp_path, [], BrokerAddress(""))
        door.listener.close()
        door.turn = lambda: None  # type: ignore[method-assign]
        assert door.attendant.handle_messages(0) == []
        assert door.attendant._patience <= attending.RETRY_SECONDS
        door.attendant.close()


def test_the_key_that_the_box_gives_when_it_wakes_is_said_at_its_door(tmp_path: Path) -> None:
    door = Door(tmp_path, [], BrokerAddress(""))
    until([door], lambda: door.told)
    assert door.key == ""
    with closing(socket.socket(socket.AF_UNIX)) as waking:
        waking.bind(str(tmp_path / "wake.sock"))
        waking.listen()
        with closing(socket.socket(socket.AF_UNIX)) as somebody:
            somebody.connect(str(tmp_path / "wake.sock"))
            assert tables._key(waking) == "", "the attendant waits for a client that sends no key"
        start_service_by_socket(tmp_path / "wake.sock", "c0ffee")
        door.attendant.set_box_key(tables._key(waking))
    until([door], lambda: door.key == "c0ffee")
    door.close()
