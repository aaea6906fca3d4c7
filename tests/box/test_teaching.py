"""A board that is only assumed says so, and a table can teach the box its own."""

from __future__ import annotations

import random
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from companion.catalog import editions, registry, taught
from companion.core.chance import Chance
from companion.core.fold import advance
from companion.core.prompts import Roll, Shuffle, by_box
from companion.play.simulate import pick
from tests.games.baretta.moments import moment
from tests.helpers import Drive

if TYPE_CHECKING:
    from pathlib import Path

    from companion.record.journal import Journal

TEACHABLE = pytest.mark.parametrize(
    "game", [game for game in registry.NAMES if editions.teachable(game)]
)


def in_setup(folder: Path, game: str = "barney-miller", journal: Journal | None = None) -> Drive:
    """A new game of two, as far as how it is set up."""
    drive = Drive(journal, taught=folder)
    drive.new(game)
    drive.walk("these 2")
    assert drive.page == "setup"
    return drive


def in_options(folder: Path, game: str = "barney-miller", journal: Journal | None = None) -> Drive:
    """Likewise, as far as its options."""
    drive = in_setup(folder, game, journal)
    drive.press("back")
    assert drive.page == "options"
    return drive


def taught_by(drive: Drive, *spaces: int) -> None:
    """The table wants to teach its board, and begins."""
    drive.choose("start")
    drive.choose("teach")
    for n in spaces:
        drive.choose(n)
    drive.choose("start")
    drive.skip()


def answer(drive: Drive, question: str) -> Any:
    """Play on until a question is asked."""
    while (prompt := drive.session.prompt) is not None and prompt.name != question:
        drive.skip()
        if prompt.private:
            drive.down("ok")
            drive.wait(0.5)
            drive.up("ok")
        drive.press("ok")
    drive.skip()
    return prompt


@TEACHABLE
def test_the_first_table_is_told_what_is_assumed_and_the_second_is_not(
    game: str, tmp_path: Path
) -> None:
    drive = in_setup(tmp_path, game)
    drive.press("ok")
    assert drive.page == "board"
    drive.choose("assumed")
    assert drive.page == "options"
    drive.choose("start")
    assert drive.session.setup.edition == editions.load(game)
    for reached in (in_setup, in_options):
        again = reached(tmp_path, game, drive.journal)
        again.choose("start")
        assert again.page is None


def test_a_board_that_is_said_to_be_as_assumed_is_written_down_with_who_said_so(
    tmp_path: Path,
) -> None:
    drive = in_options(tmp_path)
    drive.choose("start")
    drive.choose("mine")
    file = editions.own_file("barney-miller", tmp_path)
    assert tomllib.loads(file.read_text("utf-8")) == editions.load("barney-miller")
    assert "as assumed: Fish, Harris, 2025-11-21" in file.read_text("utf-8")
    assert editions.check("barney-miller", file) == []


def test_an_own_edition_is_nobodys_assumption(tmp_path: Path) -> None:
    editions.write_new("barney-miller", tmp_path / "own", "en")
    assert taught.status("barney-miller", tmp_path / "own", tmp_path) == ""
    taught.begin("barney-miller", tmp_path, (8,))
    assert UNKNOWN not in editions.load("barney-miller", tmp_path / "own", tmp_path)["track"]
    assert UNKNOWN in editions.load("barney-miller", None, tmp_path)["track"]


UNKNOWN = taught.UNKNOWN


def test_the_pawns_space_is_asked_and_remembered_round_by_round(tmp_path: Path) -> None:
    drive = in_options(tmp_path)
    taught_by(drive, 8)
    for gang in ("molls", "caps", "bears", "hoods") * 2:  # the posters of both
        assert drive.table.prompt is not None
        assert drive.table.prompt.name == "suspect_gang"
        drive.choose(gang)
        drive.skip()
    answer(drive, "space")
    drive.choose("arrest_warrant")
    pawn = drive.session.snapshot.view["pawn"]
    found = editions.load("barney-miller", None, tmp_path)
    assert found["track"][pawn] == "arrest_warrant"
    assert found["track"].count(UNKNOWN) == 6
    assert found["poster"][0]["suspects"] == ["molls", "caps", "bears", "hoods"]
    text = editions.own_file("barney-miller", tmp_path).read_text("utf-8")
    assert f"# track.{pawn} = arrest_warrant: Fish, Harris, 2025-11-21" in text
    assert "# poster.0.suspects.1 = caps: Fish, 2025-11-21" in text
    assert editions.check("barney-miller", editions.own_file("barney-miller", tmp_path)) == []


def test_what_is_taken_back_is_not_remembered_and_the_next_game_knows_the_rest(
    tmp_path: Path,
) -> None:
    drive = in_options(tmp_path)
    taught_by(drive, 8)
    drive.choose("molls")
    drive.skip()
    drive.choose("caps")
    drive.skip()
    drive.press("back", seconds=1.1)
    drive.skip()
    suspects = editions.load("barney-miller", None, tmp_path)["poster"][0]["suspects"]
    assert suspects == ["molls", UNKNOWN, UNKNOWN, UNKNOWN]
    again = in_options(tmp_path, journal=drive.journal)
    again.choose("start")
    again.skip()
    assert again.table.prompt is not None
    assert again.table.prompt.facts["nth"] == 2


def test_a_game_that_goes_on_after_a_restart_writes_what_is_said_since(tmp_path: Path) -> None:
    drive = in_options(tmp_path)
    taught_by(drive, 8)
    drive.choose("molls")
    again = Drive(drive.journal, taught=tmp_path)
    again.resume()
    again.choose("caps")
    suspects = editions.load("barney-miller", None, tmp_path)["poster"][0]["suspects"]
    assert suspects[:2] == ["molls", "caps"]


def test_what_was_taught_can_be_forgotten(tmp_path: Path) -> None:
    taught.begin("kojak", tmp_path, (5,) * 4)
    drive = in_options(tmp_path, "kojak")
    drive.choose("board")
    drive.choose("forget")
    assert drive.page == "options"
    drive.choose("start")
    assert drive.session.setup.edition == editions.load("kojak")
    assert not editions.own_file("kojak", tmp_path).exists()


def test_each_circle_has_as_many_fields_as_the_table_says(tmp_path: Path) -> None:
    """KO-22: each next one is likeliest as large as the one before."""
    drive = in_options(tmp_path, "kojak")
    taught_by(drive, 4, 6, 6, 3)
    circles = [file["circle"] for file in editions.load("kojak", None, tmp_path)["file"]]
    assert [len(circle) for circle in circles] == [4, 6, 6, 3]
    assert all(circle == ["dot", *["unknown"] * (len(circle) - 1)] for circle in circles)


def test_back_goes_to_the_circle_before(tmp_path: Path) -> None:
    drive = in_options(tmp_path, "kojak")
    for value in ("start", "teach", 4, 6):
        drive.choose(value)
    drive.press("back")
    assert drive.table.prompt is not None
    assert drive.table.prompt.facts["counted"] == "kojak.count.yellow"
    drive.choose(5)
    assert drive.table.prompt.facts["counted"] == "kojak.count.blue"


def test_a_board_that_can_not_be_written_down_is_told_and_played(tmp_path: Path) -> None:
    (tmp_path / "editions").write_text("no folder")
    drive = in_options(tmp_path)
    drive.choose("start")
    drive.choose("mine")
    assert drive.front.facts["code"] == "untaught"
    drive.press("ok")
    drive.choose("start")
    assert drive.session.setup.edition == editions.load("barney-miller")


def test_without_a_folder_for_it_nobody_is_asked() -> None:
    drive = Drive()
    drive.walk("new", "these 2", "start")
    assert drive.page is None


@pytest.mark.parametrize(
    ("game", "spaces"),
    [("barney-miller", (28,)), ("baretta", ()), ("kojak", (2,) * 4), ("kojak", (12, 3, 4, 7))],
)
def test_whole_games_are_played_on_a_board_that_nobody_has_named(
    game: str, spaces: tuple[int, ...]
) -> None:
    found, rng = registry.find(game), random.Random(sum(spaces))
    for _ in range(3):
        options = {option.name: rng.choice(option.values) for option in found.options}
        state = found.setup(("Ann", "Bob", "Cy"), options, editions.blank(game, spaces))
        chance, draws = Chance(f"{spaces}"), 0
        while (prompt := found.ask(state)) is not None:
            if isinstance(prompt, (Roll, Shuffle)) and by_box(prompt):
                value, draws = chance.answer(prompt, draws), draws + 1
            else:
                value = pick(prompt, rng)
            state, _ = advance(found, state, value)
        said = found.said(state)
        assert len({one.path for one in said}) == len(said) > 0


def test_ko22_the_last_field_of_a_circle_without_red_is_red(tmp_path: Path) -> None:
    taught.begin("kojak", tmp_path, (2,) * 4)
    kojak = registry.find("kojak")
    options = {"deck": "own", "die": "none", "short": "no", "beside": "fetched"}
    state = kojak.setup(("Ann", "Bob"), options, editions.load("kojak", None, tmp_path))
    for value in ("Ann", "mission", "red", "nothing", "trap", "red"):
        state, _ = advance(kojak, state, value)
    state, cues = advance(kojak, state, "advance:red:1")
    assert [cue.name for cue in cues] == ["trap", "advanced", "on_red"]
    (said,) = kojak.said(state)
    assert (said.path, said.value) == (("file", 0, "circle", 1), "red")


def test_ko22_where_a_card_leads_is_asked_before_it_is_obeyed_and_once(tmp_path: Path) -> None:
    taught.begin("kojak", tmp_path, (4,) * 4)
    kojak = registry.find("kojak")
    options = {"deck": "own", "die": "none", "short": "no", "beside": "fetched"}
    state = kojak.setup(("Ann", "Bob"), options, editions.load("kojak", None, tmp_path))
    for value in ("Ann", "mission", "red", "nothing", "trap", "kojak"):
        state, _ = advance(kojak, state, value)
    for field in (1, 2):
        prompt = kojak.ask(state)
        assert prompt is not None
        assert (prompt.name, prompt.facts) == ("field", {"colour": "red", "field": field})
        state, cues = advance(kojak, state, "red" if field == 2 else "plain")
    assert [cue.name for cue in cues] == ["trap", "advanced", "on_red"]
    assert kojak.view(state, None)["circle"]["red"] == 2


def test_ba19_a_corner_is_read_out_obeyed_and_known_when_baretta_comes_again() -> None:
    baretta = registry.find("baretta")
    state = moment({}, (), (), (), at="4", roll=1)
    board = replace(
        state.table.board, does=tuple(UNKNOWN if d else d for d in state.table.board.does)
    )
    state = replace(state, table=replace(state.table, board=board), at=0, moving=(1, False))
    state, _ = advance(baretta, state, "apartment")
    prompt = baretta.ask(state)
    assert prompt is not None
    assert (prompt.name, prompt.who) == ("corner_does", "Ann")
    state, cues = advance(baretta, state, "roll_again")
    assert [cue.name for cue in cues] == ["roll_again"]
    (said,) = baretta.said(state)
    assert (said.value, said.by) == ("roll_again", ("Ann",))
    state = replace(state, at=0, moving=(1, False), step="move_to")
    _, cues = advance(baretta, state, "apartment")
    assert [cue.name for cue in cues] == ["moved", "roll_again"]
