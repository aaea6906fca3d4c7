"""The box of a page, driven without a browser: frames, sounds, the record and the messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from companion.record.journal import Journal
from hardware.ports import HardwareError
from tests.helpers import NOW
from web.box import RECORD, WebBox, message_text, repeatable

if TYPE_CHECKING:
    from pathlib import Path


class Page:
    """A page that keeps all messages, and a clock that is moved by hand."""

    def __init__(self, folder: Path, *, stores: bool = True) -> None:
        self.now, self.told, self.stored = 100.0, list[dict[str, Any]](), list[bytes]()
        self.box = WebBox(
            str(folder), "en", lambda: self.now, lambda: NOW, self.told.extend,
            self.stored.append if stores else None,
        )  # fmt: skip

    def press(self, button: str) -> None:
        for down in (True, False):
            self.now += 0.5
            self.box.edge(button, down)

    def kinds(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.told if message["kind"] == kind]


def test_the_first_frame_is_sent_at_the_start(tmp_path: Path) -> None:
    page = Page(tmp_path)
    assert len(page.kinds("frame")[0]["frame"]) == 1024
    assert page.kinds("play")[0]["name"] == "ready"


def test_what_a_press_changed_is_stored_before_it_is_shown(tmp_path: Path) -> None:
    page = Page(tmp_path)
    order: list[str] = []
    page.box._send = lambda _: order.append("shown")
    page.box._store = lambda _: order.append("stored")
    for _ in range(4):
        page.press("ok")
    begun = order.index("stored")
    assert order[begun + 1] == "shown"


def test_a_stored_record_is_a_record(tmp_path: Path) -> None:
    page = Page(tmp_path)
    for _ in range(4):
        page.press("ok")
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / RECORD).write_bytes(page.stored[-1])
    journal = Journal(tmp_path / "again" / RECORD)
    assert journal.damage is None
    assert len(journal.games()) == 1
    journal.close()


def test_an_export_can_be_loaded_into_another_box(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    page, other = Page(tmp_path), Page(tmp_path / "other")
    for _ in range(4):
        page.press("ok")
    text = page.box.export()
    assert json.loads(text.splitlines()[0])["type"] == "export"
    assert other.box.take_in(text) == 1


def test_erasing_leaves_an_empty_record(tmp_path: Path) -> None:
    page = Page(tmp_path)
    for _ in range(4):
        page.press("ok")
    page.box.erase()
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / RECORD).write_bytes(page.stored[-1])
    journal = Journal(tmp_path / "again" / RECORD)
    assert journal.games() == []
    journal.close()


def test_a_seed_makes_the_seeds_of_games_repeatable() -> None:
    one, two = repeatable("c0ffee"), repeatable("c0ffee")
    assert [one(), one()] == [two(), two()]
    assert repeatable("c0ffee")() != repeatable("decaf")()


def test_an_unknown_button_is_refused_and_a_repeated_edge_does_nothing(tmp_path: Path) -> None:
    page = Page(tmp_path)
    with pytest.raises(HardwareError, match="up, down, ok, back"):
        page.box.edge("fire", True)
    page.box.edge("ok", True)
    shown = len(page.told)
    page.box.edge("ok", True)
    assert len(page.told) == shown


def test_messages_compare_as_text() -> None:
    assert (
        message_text([{"kind": "frame", "frame": b"\x01"}]) == '[{"kind": "frame", "frame": "01"}]'
    )
