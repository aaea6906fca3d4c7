"""Tests of the box of a page without a browser: frames, sounds, the record and the messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.core.prompts import Choose
from companion.play import begin
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from hardware.ports import HardwareError
from tests.helpers import NOW_SECONDS
from tests.web.taps import SEED, games_of_the_site, recorded
from tests.web.test_record import Disk
from web.box import (
    SteppedBox,
    SteppedClock,
    WebBox,
    make_seed_source,
    messages_as_json,
    restore_record,
)
from web.record import AlternatingFiles, unpack_commit
from web.scenes import SCENES, UnknownScene


class Page:
    """A page that stores all messages, with a simulated clock."""

    def __init__(
        self, folder: Path, *, stores: bool = True, language: str = "en", scene: str = ""
    ) -> None:
        self.now, self.told, self.stored = 100.0, list[dict[str, Any]](), list[bytes]()
        self.box = WebBox(
            str(folder), language, lambda: self.now, lambda: NOW_SECONDS, self.told.extend,
            self.stored.append if stores else None, scene,
        )  # fmt: skip

    def press(self, button: str) -> None:
        for down in (True, False):
            self.now += 0.5
            self.box.handle_button_edge(button, down)

    def begin_game(self) -> None:
        """Press OK through the menus and the pages until a game has begun."""
        for _ in range(20):
            self.press("ok")
            if self.box.journal.game_numbers():
                return
        raise AssertionError("No game has begun.")

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
    page.begin_game()
    begun = order.index("stored")
    assert order[begun + 1] == "shown"


def test_a_stored_record_is_a_record(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.begin_game()
    (tmp_path / "again").mkdir()
    restore_record(tmp_path / "again", page.stored[-1])
    again = Page(tmp_path / "again").box
    assert again.loop._services.stands.table.overlays.front_overlay is None, "the record is valid"
    assert again.journal.repair_result is None
    assert len(again.journal.game_numbers()) == 1


def test_an_export_can_be_loaded_into_another_box(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    page, other = Page(tmp_path), Page(tmp_path / "other")
    page.begin_game()
    text = page.box.export_games()
    assert json.loads(text.splitlines()[0])["type"] == "export"
    assert other.box.import_games(text) == 1


def test_erasing_leaves_no_game_in_either_file(tmp_path: Path) -> None:
    page, disk = Page(tmp_path), Disk()
    page.box._store = AlternatingFiles(disk.read, disk.write).replace_older_file
    page.begin_game()
    assert any(games_in(file, tmp_path / f"{n}.db") for n, file in enumerate(disk.files))
    page.box.erase_games_and_settings()
    for n, file in enumerate(disk.files):
        assert games_in(file, tmp_path / f"{n} again.db") == []


def games_in(file: bytes, path: Path) -> list[int]:
    stored = unpack_commit(file)
    if stored is None:
        return []
    path.write_bytes(stored[1])
    journal = Journal(path)
    numbers = journal.game_numbers()
    journal.close()
    return numbers


def test_a_seed_makes_the_seeds_of_games_repeatable() -> None:
    one, two = make_seed_source("c0ffee"), make_seed_source("c0ffee")
    assert [one(), one()] == [two(), two()]
    assert make_seed_source("c0ffee")() != make_seed_source("decaf")()


def test_an_unknown_button_is_refused_and_a_repeated_edge_does_nothing(tmp_path: Path) -> None:
    page = Page(tmp_path)
    with pytest.raises(HardwareError, match="up, down, ok, back"):
        page.box.handle_button_edge("fire", True)
    page.box.handle_button_edge("ok", True)
    shown = len(page.told)
    page.box.handle_button_edge("ok", True)
    assert len(page.told) == shown


def test_messages_compare_as_text() -> None:
    assert (
        messages_as_json([{"kind": "frame", "frame": b"\x01"}])
        == '[{"kind": "frame", "frame": "01"}]'
    )


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scene_begins_in_its_situation_and_in_no_other_record(
    tmp_path: Path, language: str
) -> None:
    for name, scene in SCENES.items():
        shown = []
        for folder in (tmp_path / f"{name} 1", tmp_path / f"{name} 2"):
            folder.mkdir()
            page = Page(folder, language=language, scene=name)
            session = page.box.loop.running_session
            assert session is not None
            assert scene.is_there(session.standing), name
            shown.append(page.kinds("frame")[-1]["frame"])
        assert shown[0] == shown[1], name


def test_an_unknown_scene_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownScene, match="nowhere is no scene: barney-miller, baretta"):
        Page(tmp_path, scene="nowhere")


def test_a_scene_that_never_comes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = SCENES["kojak"]._replace(is_there=lambda _: False)
    monkeypatch.setattr("web.scenes.SCENES", {"kojak": never})
    with pytest.raises(UnknownScene, match="does not come about"):
        Page(tmp_path, scene="kojak")


@pytest.mark.long
def test_a_stepped_box_makes_the_same_game_of_the_same_edges(tmp_path: Path) -> None:
    played = recorded("fr", "barney-miller")
    shown: list[bytes] = []
    with games_of_the_site(), pytest.MonkeyPatch.context() as patched:
        patched.setattr(begin, "fresh_seed", make_seed_source(SEED))
        box = SteppedBox(
            str(tmp_path),
            "fr",
            SteppedClock(),
            lambda: NOW_SECONDS,
            lambda got: shown.extend(line["frame"] for line in got if "frame" in line),
        )
        for do, what in played.edges[: played.frames[0][0]]:
            match do:
                case "wait":
                    box.advance_clock(what)
                case _:
                    box.handle_button_edge(what, do == "down")
    assert shown[-1] == played.frames[0][1]
    assert box.seconds_to_tick is None


def test_what_the_box_cannot_do_in_a_browser_is_not_offered(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.press("down")  # held until the cursor moves twice
    page.press("ok")
    prompt = page.box.loop._services.stands.table.menu_or_game_prompt
    assert isinstance(prompt, Choose)
    assert "language" in prompt.options
    assert "checkup" not in prompt.options


def test_games_that_are_loaded_are_offered_at_once(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    page, other = Page(tmp_path), Page(tmp_path / "other")
    page.begin_game()
    other.box.import_games(page.box.export_games())
    prompt = other.box.loop._services.stands.table.menu_or_game_prompt
    assert isinstance(prompt, Choose)
    assert "resume" in prompt.options


def test_a_mistake_of_a_game_ends_the_game_and_not_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(tmp_path)
    for _ in range(6):
        page.press("ok")
    assert page.box.loop.running_session is not None

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(page.box.loop._runner, "handle_button_edge", broken)
    page.press("ok")
    assert page.box.loop._services.stands.table.menus.current_page is not None
