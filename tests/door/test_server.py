"""Tests of the socket: who may connect, who is disconnected, and that no client blocks the box."""

from __future__ import annotations

import json
import os
import socket
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pytest

from companion.door import server
from companion.door.lines import MAX_LINE_BYTES, InvalidProtocolLineError, ProtocolRequest
from companion.door.peers import Event, PeerConnected, PeerDisconnected, PeerLineReceived
from companion.door.server import (
    LINE_TIMEOUT_SECONDS,
    MAX_CONNECTIONS,
    MAX_WAITING_BYTES,
    DoorServer,
    DoorSocketError,
)
from companion.remote.verbs import BOX_REQUESTS
from tests.english import raises_english

if TYPE_CHECKING:
    Aside: TypeAlias = Callable[[ProtocolRequest], str]

FULL: Final = '{"type": "error", "code": "full"}\n'
TIMEOUT: Final = 20


class Desk:
    """A server and a fake box, which takes each event and answers as `answer` defines."""

    def __init__(self, folder: Path, asides: Mapping[str, Aside] | None = None) -> None:
        self.path = folder / "door.sock"
        self.wires: list[socket.socket] = []
        self.now = 0.0
        self.events: SimpleQueue[Event] = SimpleQueue()
        self.server = DoorServer(
            self.path, self.events.put, clock=lambda: self.now, schemas=BOX_REQUESTS, full=FULL,
            asides=asides,
        )  # fmt: skip

    def event(self) -> Event:
        """Return the next event of the box, and report it as handled."""
        event = self.events.get(timeout=TIMEOUT)
        if not isinstance(event, PeerDisconnected):
            self.server.send([], done=True)
        return event

    def caller(self) -> socket.socket:
        """Connect a client, and wait until the box knows the client."""
        wire = self.knock()
        assert isinstance(self.event(), PeerConnected)
        return wire

    def knock(self) -> socket.socket:
        wire = socket.socket(socket.AF_UNIX)
        self.wires.append(wire)
        wire.connect(str(self.path))
        wire.settimeout(TIMEOUT)
        return wire

    def close(self) -> None:
        self.server.close()
        for wire in self.wires:
            wire.close()

    def let(self, seconds: float) -> None:
        """Advance the clock, and wake the server's thread."""
        self.now += seconds
        self.server.send([(0, b"")])


def until_end(wire: socket.socket) -> bytes:
    found = b""
    try:
        while data := wire.recv(1 << 16):
            found += data
    except ConnectionResetError:
        pass
    return found


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder with a short path, because a socket's path is limited."""
    with TemporaryDirectory() as name:
        yield Path(name)


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    desk = Desk(folder)
    with closing(desk):
        yield desk


# --- the path -------------------------------------------------------------------------------------


def test_the_socket_is_for_the_user_and_the_group_alone(desk: Desk) -> None:
    mode = desk.path.stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o660
    assert [path.name for path in desk.path.parent.iterdir()] == ["door.sock"]


def test_the_socket_goes_when_the_box_does(folder: Path) -> None:
    with closing(Desk(folder)) as desk:
        wire = desk.caller()
        desk.server.close()
        assert until_end(wire) == b""
        assert not desk.path.exists()


def test_the_socket_of_a_box_that_has_died_is_replaced(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(folder / "door.sock"))
    with closing(Desk(folder)) as desk:
        desk.caller()


def test_the_socket_of_a_box_that_lives_is_not(desk: Desk) -> None:
    with raises_english(DoorSocketError, match="another box uses this socket"):
        Desk(desk.path.parent)
    assert (desk.caller(), None)[1] is None


def test_a_file_that_is_no_socket_is_left_as_it_is(folder: Path) -> None:
    (folder / "door.sock").write_text("mine")
    with raises_english(DoorSocketError, match="not a socket"):
        Desk(folder)
    assert (folder / "door.sock").read_text() == "mine"


def test_a_folder_that_is_not_there_is_told_in_one_line(folder: Path) -> None:
    with raises_english(DoorSocketError, match="cannot be opened"):
        Desk(folder / "nowhere")


def test_another_s_socket_is_not_taken_away_at_the_end(folder: Path) -> None:
    with closing(Desk(folder)) as before:
        before.path.unlink()
        with closing(Desk(folder)) as after:
            before.server.close()
            assert after.path.exists()


# --- connections ----------------------------------------------------------------------------------


def test_the_same_user_is_the_owner(desk: Desk) -> None:
    desk.knock()
    event = desk.event()
    assert isinstance(event, PeerConnected)
    assert event.peer.is_owner


@pytest.mark.parametrize("uid", [0, 12345])
def test_root_is_an_owner_and_any_other_user_a_guest(
    uid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 999)
    packed = (1).to_bytes(4, "little") + uid.to_bytes(4, "little") + bytes(4)

    class Wire(socket.socket):
        def getsockopt(self, *_: Any) -> Any:
            return packed

    with Wire(socket.AF_UNIX) as wire:
        assert server._is_owner(wire) == (uid == 0)


def test_a_hundred_connections_leave_room_for_as_many_as_there_is(desk: Desk) -> None:
    wires = [desk.knock() for _ in range(100)]
    came = [desk.event() for _ in range(MAX_CONNECTIONS)]
    assert all(isinstance(event, PeerConnected) for event in came)
    refused = wires[MAX_CONNECTIONS:]
    assert [until_end(wire) for wire in refused] == [FULL.encode()] * len(refused)
    wires[0].close()
    assert isinstance(desk.event(), PeerDisconnected)
    desk.caller()


# --- received lines -------------------------------------------------------------------------------


def test_lines_come_one_at_a_time_and_everybody_s_turn_comes(desk: Desk) -> None:
    one, two = desk.caller(), desk.caller()
    one.sendall(b'{"undo": true}\n{"redo": true}\n{"why": true}\n')
    first = desk.events.get(timeout=TIMEOUT)
    two.sendall(b'{"look": true}\n')
    assert desk.events.empty()
    desk.server.send([], done=True)
    others = [desk.event() for _ in range(3)]
    said = [event.request for event in (first, *others) if isinstance(event, PeerLineReceived)]
    assert said[0] == ProtocolRequest("undo", {"undo": True})
    assert ProtocolRequest("look", {"look": True}) in said[1:3]
    assert said[-1] == ProtocolRequest("why", {"why": True})


def test_what_is_no_message_is_a_mistake_and_the_next_line_counts(desk: Desk) -> None:
    wire = desk.caller()
    lines = (
        b"\n",
        b"\xff\xfe\n",
        b"[1]\n",
        b"{}\n",
        b'{"answer": NaN}\n',
        b"x" * 3 * MAX_LINE_BYTES + b"\n",
    )
    sender = threading.Thread(target=wire.sendall, args=(b"".join(lines) + b'{"why": true}\n',))
    sender.start()
    codes = []
    for _ in lines:
        event = desk.event()
        assert isinstance(event, PeerLineReceived)
        assert isinstance(event.request, InvalidProtocolLineError)
        codes.append(event.request.code)
    sender.join()
    assert codes == ["not_json"] * 3 + ["one_verb", "not_json", "too_long"]
    last = desk.event()
    assert isinstance(last, PeerLineReceived)
    assert last.request == ProtocolRequest("why", {"why": True})


def test_half_a_line_is_waited_for_and_then_no_more(desk: Desk) -> None:
    slow, other = desk.caller(), desk.caller()
    slow.sendall(b'{"why"')
    other.sendall(b'{"why": true}\n')
    assert isinstance(desk.event(), PeerLineReceived)
    desk.let(LINE_TIMEOUT_SECONDS - 1)
    slow.sendall(b": tr")
    other.sendall(b'{"why": true}\n')
    assert isinstance(desk.event(), PeerLineReceived)
    desk.let(1)
    assert isinstance(desk.event(), PeerDisconnected)
    assert until_end(slow) == b""
    other.sendall(b'{"why": true}\n')
    assert isinstance(desk.event(), PeerLineReceived)


def test_whoever_says_nothing_may_stay(desk: Desk) -> None:
    wire = desk.caller()
    desk.let(1000 * LINE_TIMEOUT_SECONDS)
    wire.sendall(b'{"why": true}\n')
    assert isinstance(desk.event(), PeerLineReceived)


# --- sent lines -----------------------------------------------------------------------------------


def test_whoever_is_told_something_reads_it_whole(desk: Desk) -> None:
    wire = desk.caller()
    desk.server.send([(1, b"a" * MAX_WAITING_BYTES), (99, b"nobody")])
    desk.server.close_connection(1)
    assert len(until_end(wire)) == MAX_WAITING_BYTES


def test_a_reader_that_never_reads_is_dropped_and_the_others_are_told_all(desk: Desk) -> None:
    desk.caller()
    reader = desk.caller()
    line = b'{"type": "tell"}' + b" " * 1000 + b"\n"
    for _ in range(4000):
        desk.server.send([(1, line)])
    desk.server.send([(2, b"end\n")])
    assert isinstance(desk.event(), PeerDisconnected)
    assert reader.recv(100) == b"end\n"


def test_whoever_has_gone_is_heard_no_more(desk: Desk) -> None:
    wire = desk.caller()
    wire.close()
    gone = desk.event()
    assert isinstance(gone, PeerDisconnected)
    desk.server.send([(gone.peer.number, b"nobody\n")])
    assert (desk.caller(), None)[1] is None


def test_what_the_box_need_not_answer_is_answered_beside_it_and_in_order(folder: Path) -> None:
    asked = threading.Event()

    def past(request: ProtocolRequest) -> str:
        asked.wait(TIMEOUT)
        return json.dumps(request.message) + "\n"

    with closing(Desk(folder, {"past": past})) as desk:
        reader, other = desk.caller(), desk.caller()
        reader.sendall(b'{"past": 1}\n{"why": true}\n')
        other.sendall(b'{"undo": true}\n')
        event = desk.event()
        assert isinstance(event, PeerLineReceived)
        assert event.request == ProtocolRequest("undo", {"undo": True})
        asked.set()
        assert reader.recv(100) == b'{"past": 1}\n'
        event = desk.event()
        assert isinstance(event, PeerLineReceived)
        assert event.request == ProtocolRequest("why", {"why": True})
