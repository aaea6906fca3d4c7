"""Tests of boards with unknown spaces: the box states so, and players can teach the spaces."""

from __future__ import annotations

import random
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.catalog import editions, entered_boards, registry
from companion.catalog.board_tour import UNKNOWN_BOARD_VALUE
from companion.core.chance import Chance
from companion.core.fold import apply_answer
from companion.core.prompts import Roll, Shuffle, is_answered_by_box, legal_answers
from companion.menus import your_board
from companion.menus.words import menu_line_hint, menu_words
from companion.play.simulate import random_answer
from companion.press.cursor import selected_answer
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from tests.games.baretta.moments import moment
from tests.helpers import Drive, describe_board, words_for

GUESS = "This is a guess: your printed board will differ."
BOX = menu_words("en")
TEACHABLE = pytest.mark.parametrize(
    "game", [game for game in registry.BUILT_IN_GAMES if editions.board_tour_plan(game)]
)


def in_setup(
    folder: Path,
    game: str = "barney-miller",
    journal: Journal | None = None,
    language: str = "en",
) -> Drive:
    """Return a box that shows the setup page of a new game of two."""
    drive = Drive(journal, language, taught=folder)
    drive.new(game)
    drive.walk("these 2")
    assert drive.page == "setup"
    return drive


def in_options(
    folder: Path,
    game: str = "barney-miller",
    journal: Journal | None = None,
    language: str = "en",
) -> Drive:
    """Return a box that shows the options of a new game of two."""
    drive = in_setup(folder, game, journal, language)
    drive.press("back")
    assert drive.page == "options"
    return drive


def under_thumb(drive: Drive) -> Any:
    assert drive.table.menu_or_game_prompt is not None
    return selected_answer(drive.table.menu_or_game_prompt, drive.table.cursor)


def taught_by(drive: Drive, *spaces: int) -> None:
    """Begin a game in which the box asks for unknown spaces. `spaces` are the counts of spaces."""
    for value in ("start", "teach", "later", *spaces, "start"):
        drive.choose(value)
    drive.skip()


def answer(drive: Drive, question: str) -> Any:
    """Play until the game asks `question`."""
    while (prompt := drive.session.standing.pending_prompt) is not None and prompt.name != question:
        drive.skip()
        if prompt.private:
            drive.down("ok")
            drive.wait(0.5)
            drive.up("ok")
        drive.press("ok")
    drive.skip()
    return prompt


def land_on_hoods(drive: Drive) -> Any:
    """Play until the pawn is on an unknown space, and answer that the space shows the Hoods."""
    answer(drive, "space")
    drive.choose("gang:hoods")
    drive.skip()
    return drive.table.menu_or_game_prompt


@pytest.mark.sampled(1)
@TEACHABLE
def test_the_first_table_is_told_what_is_assumed_and_the_second_is_not(
    game: str, tmp_path: Path
) -> None:
    drive = in_setup(tmp_path, game)
    drive.choose("start")
    assert drive.page == "board"
    drive.choose("assumed")
    assert drive.page is None, "the game begins"
    assert drive.session.game_setup.edition == editions.load_edition(game)
    for reached in (in_setup, in_options):
        again = reached(tmp_path, game, drive.journal)
        again.choose("start")
        assert again.page is None


@pytest.mark.sampled(1)
@TEACHABLE
def test_start_is_pressed_once_though_the_table_says_that_the_board_is_its_own(
    game: str, tmp_path: Path
) -> None:
    drive = in_options(tmp_path, game)
    drive.choose("start")
    drive.choose("mine")
    assert drive.page is None, "the game begins"


@pytest.mark.sampled(1)
@TEACHABLE
def test_the_cursor_stands_on_the_guess_which_is_shown_and_said_to_be_one(
    game: str, tmp_path: Path
) -> None:
    drive = in_options(tmp_path, game)
    drive.choose("start")
    assert under_thumb(drive) == "assumed"
    assert f"en: {GUESS}" in drive.speaker.heard
    drive.choose("teach")
    assert any("You can stop at any time" in heard for heard in drive.speaker.heard)
    drive.press("back")
    for value in ("teach", "assumed"):
        assert menu_line_hint(BOX, drive.state, value) == "A guess: your printed|board will differ."


@pytest.mark.long
def test_all_that_is_assumed_can_be_looked_at_page_by_page_in_both_languages(
    tmp_path: Path,
) -> None:
    wanted = {
        "barney-miller": ("28", "Cap Burglars", "Wojehowicz"),
        "baretta": ("A1", "A3", "24 "),
        "kojak": ("3.", "4 "),
    }
    for language in LANGUAGES:
        for game, texts in wanted.items():
            drive = in_options(tmp_path, game, language=language)
            drive.choose("start")
            drive.choose("see")
            pages = your_board.printed_board_pages(drive.state, language)
            shown = " ".join(" ".join(page) for page in pages)
            assert [text for text in texts if text not in shown] == []
            assert all(len(page) <= 6 and max(map(len, page)) <= 21 for page in pages)
            assert " ".join(pages[0]) == words_for(game, language)("box.board.guess")
            drive.press(*["down"] * (len(pages) - 1), "ok")
            assert drive.page == "board"


def test_the_board_can_be_looked_at_while_one_plays_with_what_was_said_of_it(
    tmp_path: Path,
) -> None:
    drive = in_options(tmp_path, "kojak")
    taught_by(drive, 4, 4, 4, 4)
    drive.press("back")
    drive.choose("printed")
    assert "not said yet." in your_board.printed_board_pages(drive.state, "en")[0]
    drive.press("ok")
    assert drive.page is None


TRACK = ("gang:molls", "gang:caps", "arrest_warrant", "gang:bears", "gang:hoods", "gang:fifth",
         "positive_identification", "insufficient_evidence")  # fmt: skip


@pytest.mark.long
def test_a_walk_round_the_track_ends_where_the_pawn_is_back_and_nobody_counts(
    tmp_path: Path,
) -> None:
    drive = in_options(tmp_path)
    for value in ("start", "teach", *TRACK, "start"):
        drive.choose(value)
    for gang in ("molls", "caps", "bears", "hoods") * 2:
        drive.choose(gang)
    assert drive.page == "options"
    found = editions.load_edition("barney-miller", None, tmp_path)
    assert found["track"] == ["start", *TRACK]
    file = editions.user_edition_file("barney-miller", tmp_path)
    assert editions.find_edition_file_mistakes("barney-miller", file) == []
    assert "# track.8 = insufficient_evidence: Fish, Harris, 2025-11-21" in file.read_text("utf-8")
    drive.choose("start")
    drive.skip()
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.name == "throw"


def test_a_board_as_assumed_is_walked_with_ok_alone(tmp_path: Path) -> None:
    drive = in_options(tmp_path)
    for value in ("start", "teach"):
        drive.choose(value)
    assumed = editions.load_edition("barney-miller")["track"]
    for space in assumed[1:]:
        assert under_thumb(drive) == space
        drive.press("ok")


def test_a_run_that_is_not_as_assumed_takes_ok_alone_after_its_first_place(tmp_path: Path) -> None:
    drive = in_options(tmp_path)
    assumed = editions.load_edition("barney-miller")["track"]
    other = next(space for space in TRACK if space not in assumed[1:4])
    for value in ("start", "teach", other):
        drive.choose(value)
    for _ in range(2):
        assert under_thumb(drive) == other
        drive.press("ok")
    assert editions.load_edition("barney-miller", None, tmp_path)["track"][1:4] == [other] * 3


@pytest.mark.long
def test_a_longer_track_than_assumed_is_walked_to_its_end(tmp_path: Path) -> None:
    drive = in_options(tmp_path)
    for value in ("start", "teach", *TRACK * 4, "start", "later", "start"):
        drive.choose(value)
    assert drive.session.game_setup.edition["track"] == ["start", *TRACK * 4]


@pytest.mark.long
def test_the_walk_stops_anywhere_and_keeps_what_was_said(tmp_path: Path) -> None:
    """The line "later", BACK or a power cut ends it. The next start continues there."""
    drive = in_options(tmp_path)
    for value in ("start", "teach", *TRACK[:3]):
        drive.choose(value)
    known = editions.load_edition("barney-miller", None, tmp_path)["track"]
    assert known[:5] == ["start", *TRACK[:3], UNKNOWN_BOARD_VALUE]
    drive.choose("later")
    assert drive.page == "spaces"
    drive.choose(9)
    assert editions.load_edition("barney-miller", None, tmp_path)["track"] == [
        *known[:4],
        *[UNKNOWN_BOARD_VALUE] * 5,
    ]
    again = in_options(tmp_path, journal=drive.journal)
    again.choose("board")
    assert under_thumb(again) == "go_on"
    for value in ("go_on", *TRACK[3:], "start"):
        again.choose(value)
    assert editions.load_edition("barney-miller", None, tmp_path)["track"] == ["start", *TRACK]


def test_back_goes_to_the_space_before_and_what_is_said_then_counts(tmp_path: Path) -> None:
    drive = in_options(tmp_path)
    for value in ("start", "teach", *TRACK[:2]):
        drive.choose(value)
    drive.press("back")
    drive.choose("gang:fifth")
    assert editions.load_edition("barney-miller", None, tmp_path)["track"][:4] == [
        "start", TRACK[0], "gang:fifth", UNKNOWN_BOARD_VALUE,
    ]  # fmt: skip


@pytest.mark.long
def test_the_walk_asks_kojaks_circles_and_barettas_corners(tmp_path: Path) -> None:
    kojak = in_options(tmp_path, "kojak")
    for value in ("start", "teach", *("plain", "red", "plain", "plain", "dot") * 4):
        kojak.choose(value)
    found = editions.load_edition("kojak", None, tmp_path)
    assert [file["circle"] for file in found["file"]] == [
        ["dot", "plain", "red", "plain", "plain"]
    ] * 4
    baretta = in_options(tmp_path, "baretta")
    for value in ("start", "teach", "take_back", "to:hideout", "nothing", "look", "unmark"):
        baretta.choose(value)
    found = editions.load_edition("baretta", None, tmp_path)
    assert [corner["does"] for corner in found["corner"]] == [
        "take_back", "to:hideout", "nothing", "look",
    ]  # fmt: skip
    assert found["hideout"] == "unmark"
    for game in ("kojak", "baretta"):
        assert (
            editions.find_edition_file_mistakes(game, editions.user_edition_file(game, tmp_path))
            == []
        )


@pytest.mark.long
def test_what_the_walk_asks_fits_its_two_rows_in_both_languages(tmp_path: Path) -> None:
    for language in LANGUAGES:
        for game in ("barney-miller", "baretta", "kojak"):
            drive = in_options(tmp_path, game, language=language)
            drive.choose("start")
            drive.choose("teach")
            for _ in range(45):
                if drive.page != "walk":
                    break
                asked = your_board.next_board_tour_question(language, drive.state).split("|")
                assert [row for row in asked if len(row) > 21] == []
                assert len(asked) == 2
                assert drive.table.menu_or_game_prompt is not None
                options = legal_answers(drive.table.menu_or_game_prompt)
                drive.choose(next((o for o in ("start", "dot", "red") if o in options), options[0]))
            assert drive.page == "options"
            entered_boards.delete_entered_board(game, tmp_path)


def test_a_board_that_is_said_to_be_as_assumed_is_written_down_with_who_said_so(
    tmp_path: Path,
) -> None:
    drive = in_options(tmp_path)
    drive.choose("start")
    drive.choose("mine")
    file = editions.user_edition_file("barney-miller", tmp_path)
    assert tomllib.loads(file.read_text("utf-8")) == editions.load_edition("barney-miller")
    assert "as assumed: Fish, Harris, 2025-11-21" in file.read_text("utf-8")
    assert editions.find_edition_file_mistakes("barney-miller", file) == []


def test_an_own_edition_is_nobodys_assumption(tmp_path: Path) -> None:
    editions.write_user_edition_template("barney-miller", tmp_path / "own", "en")
    assert entered_boards.board_entry_status("barney-miller", tmp_path / "own", tmp_path) == ""
    describe_board("barney-miller", tmp_path, 8)
    assert (
        UNKNOWN_BOARD_VALUE
        not in editions.load_edition("barney-miller", tmp_path / "own", tmp_path)["track"]
    )
    assert UNKNOWN_BOARD_VALUE in editions.load_edition("barney-miller", None, tmp_path)["track"]


def test_the_pawns_space_is_asked_and_remembered_round_by_round(tmp_path: Path) -> None:
    drive = in_options(tmp_path)
    taught_by(drive, 8)
    land_on_hoods(drive)
    for gang in ("molls", "caps", "bears", "hoods"):  # up to the gang with a wanted suspect
        assert drive.table.menu_or_game_prompt is not None
        assert drive.table.menu_or_game_prompt.name == "suspect_gang"
        drive.choose(gang)
        drive.skip()
    assert drive.session.standing.pending_prompt.name == "play_card"  # type: ignore[union-attr]
    pawn = drive.session.standing.snapshot.view["pawn"]
    found = editions.load_edition("barney-miller", None, tmp_path)
    assert found["track"][pawn] == "gang:hoods"
    assert found["track"].count(UNKNOWN_BOARD_VALUE) == 6
    assert found["poster"][0]["suspects"] == ["molls", "caps", "bears", "hoods"]
    text = editions.user_edition_file("barney-miller", tmp_path).read_text("utf-8")
    assert f"# track.{pawn} = gang:hoods: Fish, Harris, 2025-11-21" in text
    assert "# poster.0.suspects.1 = caps: Fish, 2025-11-21" in text
    assert (
        editions.find_edition_file_mistakes(
            "barney-miller", editions.user_edition_file("barney-miller", tmp_path)
        )
        == []
    )


def test_what_is_taken_back_is_not_remembered_and_the_next_game_knows_the_rest(
    tmp_path: Path,
) -> None:
    drive = in_options(tmp_path)
    taught_by(drive, 8)
    land_on_hoods(drive)
    drive.choose("molls")
    drive.skip()
    drive.choose("caps")
    drive.skip()
    drive.press("back", seconds=1.1)
    drive.skip()
    suspects = editions.load_edition("barney-miller", None, tmp_path)["poster"][0]["suspects"]
    assert suspects == ["molls", UNKNOWN_BOARD_VALUE, UNKNOWN_BOARD_VALUE, UNKNOWN_BOARD_VALUE]
    again = in_options(tmp_path, journal=drive.journal)
    again.choose("start")
    again.skip()
    again_asked = land_on_hoods(again)
    assert again_asked.facts["nth"] == 2


def test_a_game_that_goes_on_after_a_restart_writes_what_is_said_since(tmp_path: Path) -> None:
    drive = in_options(tmp_path)
    taught_by(drive, 8)
    land_on_hoods(drive)
    drive.choose("molls")
    again = Drive(drive.journal, taught=tmp_path)
    again.resume()
    again.choose("caps")
    suspects = editions.load_edition("barney-miller", None, tmp_path)["poster"][0]["suspects"]
    assert suspects[:2] == ["molls", "caps"]


def test_what_was_taught_can_be_forgotten(tmp_path: Path) -> None:
    describe_board("kojak", tmp_path, *(5,) * 4)
    drive = in_options(tmp_path, "kojak")
    drive.choose("board")
    drive.choose("forget")
    assert drive.page == "options"
    drive.choose("start")
    assert drive.session.game_setup.edition == editions.load_edition("kojak")
    assert not editions.user_edition_file("kojak", tmp_path).exists()


def test_each_circle_has_as_many_fields_as_the_table_says(tmp_path: Path) -> None:
    """KO-22: the box proposes the size of the circle before."""
    drive = in_options(tmp_path, "kojak")
    taught_by(drive, 4, 6, 6, 3)
    circles = [file["circle"] for file in editions.load_edition("kojak", None, tmp_path)["file"]]
    assert [len(circle) for circle in circles] == [4, 6, 6, 3]
    assert all(circle == ["dot", *["unknown"] * (len(circle) - 1)] for circle in circles)


def test_back_goes_to_the_circle_before(tmp_path: Path) -> None:
    drive = in_options(tmp_path, "kojak")
    for value in ("start", "teach", "later", 4, 6):
        drive.choose(value)
    drive.press("back")
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.facts["counted"] == "kojak.count.yellow"
    drive.choose(5)
    assert drive.table.menu_or_game_prompt.facts["counted"] == "kojak.count.blue"


def test_a_board_that_can_not_be_written_down_is_told_and_played(tmp_path: Path) -> None:
    (tmp_path / "editions").write_text("no folder")
    drive = in_options(tmp_path)
    drive.choose("start")
    drive.choose("mine")
    assert drive.front.facts["code"] == "untaught"
    drive.press("ok")
    assert drive.page is None, "the game begins"
    assert drive.session.game_setup.edition == editions.load_edition("barney-miller")


def test_without_a_folder_for_it_nobody_is_asked() -> None:
    drive = Drive()
    drive.walk("new", "these 2", "start")
    assert drive.page is None


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("game", "spaces"),
    [("barney-miller", (28,)), ("baretta", ()), ("kojak", (2,) * 4), ("kojak", (12, 3, 4, 7))],
)
def test_whole_games_are_played_on_a_board_that_nobody_has_named(
    game: str, spaces: tuple[int, ...]
) -> None:
    found, rng = registry.find_game(game), random.Random(sum(spaces))
    for _ in range(3):
        options = {option.name: rng.choice(option.values) for option in found.options}
        state = found.setup(
            ("Ann", "Bob", "Cy"), options, editions.built_in_edition_without_values(game, spaces)
        )
        chance, draws = Chance(f"{spaces}"), 0
        while (prompt := found.ask(state)) is not None:
            if isinstance(prompt, (Roll, Shuffle)) and is_answered_by_box(prompt):
                value, draws = chance.drawn_answer_to_prompt(prompt, draws), draws + 1
            else:
                value = random_answer(prompt, rng)
            state, _ = apply_answer(found, state, value)
        said = found.entered_board_values(state)
        assert len({one.path for one in said}) == len(said) > 0


def test_ko22_the_last_field_of_a_circle_without_red_is_red(tmp_path: Path) -> None:
    describe_board("kojak", tmp_path, *(2,) * 4)
    kojak = registry.find_game("kojak")
    options = {"deck": "own", "die": "none", "short": "no", "beside": "fetched"}
    state = kojak.setup(("Ann", "Bob"), options, editions.load_edition("kojak", None, tmp_path))
    for value in ("Ann", "mission", "red", "nothing", "trap", "red"):
        state, _ = apply_answer(kojak, state, value)
    state, cues = apply_answer(kojak, state, "advance:red:1")
    assert [cue.name for cue in cues] == ["trap", "advanced", "on_red"]
    (said,) = kojak.entered_board_values(state)
    assert (said.path, said.value) == (("file", 0, "circle", 1), "red")


def test_ko22_where_a_card_leads_is_asked_before_it_is_obeyed_and_once(tmp_path: Path) -> None:
    describe_board("kojak", tmp_path, *(4,) * 4)
    kojak = registry.find_game("kojak")
    options = {"deck": "own", "die": "none", "short": "no", "beside": "fetched"}
    state = kojak.setup(("Ann", "Bob"), options, editions.load_edition("kojak", None, tmp_path))
    for value in ("Ann", "mission", "red", "nothing", "trap", "kojak"):
        state, _ = apply_answer(kojak, state, value)
    for field in (1, 2):
        prompt = kojak.ask(state)
        assert prompt is not None
        assert (prompt.name, prompt.facts) == ("field", {"colour": "red", "field": field})
        state, cues = apply_answer(kojak, state, "red" if field == 2 else "plain")
    assert [cue.name for cue in cues] == ["trap", "advanced", "on_red"]
    assert kojak.view(state, None)["circle"]["red"] == 2


def test_ba19_a_corner_is_read_out_obeyed_and_known_when_baretta_comes_again() -> None:
    baretta = registry.find_game("baretta")
    state = moment({}, (), (), (), at="4", roll=1)
    board = replace(
        state.table.board,
        does=tuple(UNKNOWN_BOARD_VALUE if d else d for d in state.table.board.does),
    )
    state = replace(state, table=replace(state.table, board=board), at=0, moving=(1, False))
    state, _ = apply_answer(baretta, state, "apartment")
    prompt = baretta.ask(state)
    assert prompt is not None
    assert (prompt.name, prompt.who) == ("corner_does", "Ann")
    state, cues = apply_answer(baretta, state, "roll_again")
    assert [cue.name for cue in cues] == ["roll_again"]
    (said,) = baretta.entered_board_values(state)
    assert (said.value, said.by) == ("roll_again", ("Ann",))
    state = replace(state, at=0, moving=(1, False), step="move_to")
    _, cues = apply_answer(baretta, state, "apartment")
    assert [cue.name for cue in cues] == ["moved", "roll_again"]
