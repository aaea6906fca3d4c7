"""Tests of the client of the door: bytes become messages, in chunks of any size."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.door.async_client import AsyncClient
from companion.door.client import MAX_LINE_BYTES, BlockingClient, Disconnected, MessageSplitter
from companion.door.lines import Message

SAID = b'{"type": "hello"}\n[1]\n7\n{"type": "tell", "text": "\xc3\x89va"}\n{"type": "ov'
HEARD = [{"type": "hello"}, {"type": "tell", "text": "Éva"}]


@given(st.lists(st.integers(1, len(SAID) - 1), unique=True))
def test_messages_are_whole_in_whatever_pieces_they_come(cuts: list[int]) -> None:
    ends = [*sorted(cuts), len(SAID)]
    pieces = [SAID[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    incoming = MessageSplitter()
    assert [m for piece in pieces for m in incoming.split_messages(piece)] == HEARD


@pytest.mark.parametrize(
    "data", [b"", b"no\n", b"NaN\n", b'{"a": 1, "a": 2}\n', b"[" * 100_000 + b"\n", b"\xff\n"]
)
def test_what_no_box_says_is_no_box(data: bytes) -> None:
    incoming = MessageSplitter()
    with pytest.raises(Disconnected):
        list(incoming.split_messages(data))


def test_a_line_without_end_is_given_up_when_it_is_too_long() -> None:
    incoming, piece = MessageSplitter(), b" " * (MAX_LINE_BYTES // 2)
    assert list(incoming.split_messages(piece)) == list(incoming.split_messages(piece)) == []
    with pytest.raises(Disconnected, match="without end"):
        list(incoming.split_messages(b" "))


def listening(path: Path) -> socket.socket:
    """Return a door that never sends a line."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    return listener


def test_both_faces_hear_the_same_and_that_the_box_has_gone(tmp_path: Path) -> None:
    path = tmp_path / "door.sock"
    with listening(path) as listener:
        with BlockingClient(path) as client:
            with listener.accept()[0] as wire:
                wire.sendall(SAID)
                assert client.receive_messages() == HEARD
            with pytest.raises(Disconnected):
                client.receive_messages()

        async def heard() -> list[Message]:
            found: list[Message] = []
            gone = asyncio.Event()
            line = AsyncClient(found.append, gone.set)
            await line.open(path)
            with listener.accept()[0] as wire:
                wire.sendall(SAID.replace(b'"text"', b'"event_id": 1, "text"'))
            await gone.wait()
            with pytest.raises(Disconnected):
                await line.request_all_replies({"look": True})
            return found

        assert asyncio.run(asyncio.wait_for(heard(), 10)) == [
            HEARD[0], HEARD[1] | {"event_id": 1}
        ]  # fmt: skip
