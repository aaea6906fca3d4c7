"""Tests of corrections in every game: public, undoable, recorded and verified."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, Final

import pytest

from companion.catalog import registry
from companion.core.errors import Refused
from companion.core.fold import apply_answer
from companion.core.game import Cue, Game
from companion.core.prompts import PRESSED_ROLL_QUESTION, Form
from companion.draw import screens
from companion.draw.face import load_face
from companion.games.barney_miller.rules.board import CARD_COUNTS, parse_poster_suspects
from companion.play import verify
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from tests.games.barney_miller import test_rules as barney
from tests.games.kojak import test_rules as kojak
from tests.helpers import Drive, printed_edition, session_words, setup_for, words_for

BARNEY, KOJAK = registry.find_game("barney-miller"), registry.find_game("kojak")
RED, YELLOW, BLUE, GREEN = kojak.RED, kojak.YELLOW, kojak.BLUE, kojak.GREEN
UNNAMED: Final = {**barney.BOARD, "track": [*barney.BOARD["track"][:5], "unknown", "unknown"]}
"""A track whose last two spaces are unknown."""
OPTIONS: Final = {
    "barney-miller": {"deck": "own", "die": "real"},
    "baretta": {"deck": "own"},
    "kojak": {"deck": "own", "die": "none"},
    "probe": {"words": "racks", "deck": "own"},
}
CORRECTIONS: Final[dict[str, dict[str, Any]]] = {
    "barney-miller": {"what": "reserve", "who": "Ann", "n": 2},
    "baretta": {"what": "baretta", "space": "9"},
    "kojak": {"what": "arrest", "colour": "red", "who": "Bob"},
    "probe": {"who": "Ann", "points": 15},
}
every_game = pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)


def setup(game: str) -> GameSetup:
    options = {option.name: option.values[0] for option in registry.find_game(game).options}
    return setup_for(options | OPTIONS[game], game=game, players=("Ann", "Bob"))


def at_a_turn(game: str, journal: Journal) -> Session:
    """Return a game at the first moment when a correction is possible."""
    session, rng = Session.begin(journal, setup(game), 0), random.Random(5)
    while not any(
        question.name == "correct" for question in session.standing.out_of_turn_questions
    ):
        assert session.standing.pending_prompt is not None
        session.answer(random_answer(session.standing.pending_prompt, rng), 0)
    return session


@every_game
def test_a_correction_is_seen_by_all_taken_back_and_named_by_verify(game: str) -> None:
    journal = Journal(None)
    session = at_a_turn(game, journal)
    before = session.standing.snapshot.view
    session.answer(CORRECTIONS[game], 0, "correct")
    (told, *_) = session.standing.snapshot.cues
    assert (told.name, told.to) == ("corrected", None)
    assert told.clause
    assert session.standing.snapshot.view != before
    session.undo(0)
    assert session.standing.snapshot.view == before
    session.redo(0)
    session.commit()
    found = verify.verify_game_against_seed(journal, session.number)
    assert (found.problem, found.corrected) == (None, 1)


@pytest.mark.sampled(1)
@every_game
def test_the_games_menu_leads_to_a_correction_question_by_question(game: str) -> None:
    journal = Journal(None)
    at_a_turn(game, journal).commit()
    drive = Drive(journal)
    drive.resume()
    drive.press("back")
    drive.choose("correct")
    for value in CORRECTIONS[game].values():
        drive.choose(value)
    assert drive.front.name == "corrected"
    (entry, *_) = [e for e in journal.read_game_header_and_lines(1)[1] if e.question == "correct"]
    assert entry.value == CORRECTIONS[game]


BEFORE: Final = {("kojak", "en"): "the black dot", ("kojak", "fr"): "le point noir"}
"""Words for the number before a correction, if it is not in digits."""
NUMBERS: Final[dict[str, tuple[tuple[Any, ...], str]]] = {
    "barney-miller": (("reserve", "Ann", 2), "0 → 2"),
    "baretta": (("pile", "Ann", 9), "11 → 9"),
    "kojak": (("criminal", "red", 3), "0→3"),
    "probe": (("Ann", 55), "0 → 55"),
}
"""Answers that lead to a corrected number, and the text with the old and the new number."""


@pytest.mark.sampled(1)
@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_that_is_put_right_stands_beside_what_it_was(game: str, language: str) -> None:
    journal = Journal(None)
    at_a_turn(game, journal).commit()
    drive = Drive(journal, language)
    drive.resume()
    drive.press("back")
    drive.choose("correct")
    (*way, n), both = NUMBERS[game]
    for value in way:
        drive.choose(value)
    drive.turn_to(n)
    prompt, words = drive.table.menu_or_game_prompt, session_words(drive.session, language)
    assert prompt is not None
    with draw_frames_on_recording_canvas():
        screens.question_frame(
            drive.session.standing.snapshot, prompt, drive.table.cursor, words, load_face(game)
        )
    assert both in [text for _, _, text, _ in RecordingCanvas.last.texts]
    was = BEFORE.get((game, language), str(prompt.facts["was"]))
    assert was in words.full_question(prompt, drive.session.standing.snapshot.view)


ROLLED: Final = ("barney-miller", "baretta", "kojak")


@pytest.mark.parametrize("game", ROLLED)
def test_bm13_ba18_ko21_nothing_is_put_right_at_the_high_roll_and_it_is_before_a_press_to_roll(
    game: str,
) -> None:
    its = registry.find_game(game)
    pressed = {option.name: "press" for option in its.options if "press" in option.values}
    options = {option.name: option.values[0] for option in its.options} | pressed
    own = setup_for(options, game=game, players=("Ann", "Bob"))
    session = Session.begin(Journal(None), own, 0)
    assert session.standing.pending_prompt is not None
    while "begins" not in {cue.name for cue in session.standing.snapshot.cues}:
        assert session.standing.pending_prompt.name == PRESSED_ROLL_QUESTION
        assert session.standing.out_of_turn_questions == ()
        with pytest.raises(Refused, match="not_asked"):
            session.answer(CORRECTIONS[game], 0, "correct")
        session.answer(PRESSED_ROLL_QUESTION, 0)
    assert session.standing.pending_prompt.name == PRESSED_ROLL_QUESTION
    session.answer(CORRECTIONS[game], 0, "correct")
    assert session.standing.snapshot.cues[0].name == "corrected"


# --- corrections of single games ------------------------------------------------------------------


def correct(game: Game[Any], state: Any, **given: Any) -> tuple[Any, list[str]]:
    state, cues = apply_answer(game, state, given, "correct")
    return state, [cue.name for cue in cues]


def offered(game: Game[Any], state: Any, **given: Any) -> Any:
    form = game.anytime(state)[0]
    assert isinstance(form, Form)
    return form.ask(given)


def blank_poster(state: Any) -> Any:
    """Return the state with unknown suspects on Yemana's poster."""
    *others, last = state.table.printed
    blank = last._replace(
        suspects=parse_poster_suspects({"detective": "Yemana", "suspects": ["unknown"] * 4})
    )
    return replace(state, table=replace(state.table, printed=(*others, blank)))


def test_bm13_a_chip_is_put_on_a_suspect_and_taken_off_again() -> None:
    state = barney.moment((1, 2), (3, 4))
    state, told = correct(BARNEY, state, what="chip", who="Ann", suspect="fish-caps")
    assert (state.captured[0], told) == (("fish-caps",), ["corrected"])
    state, _ = correct(BARNEY, state, what="chip", who="Ann", suspect="fish-caps")
    assert state.captured[0] == ()


def test_bm13_a_fourth_chip_wins_and_no_fifth_is_offered() -> None:
    state = barney.moment((1, 2), (3, 4), captured=(("fish-caps", "fish-bears"), ()))
    assert offered(BARNEY, state, what="reserve", who="Ann").hi == 2
    state, told = correct(BARNEY, state, what="reserve", who="Ann", n=2)
    assert told == ["corrected", "game_won"]
    assert BARNEY.outcome(state).winners == ("Ann",)  # type: ignore[union-attr]


def test_bm13_who_sits_at_the_wrong_desk_changes_with_the_other_and_the_chips_go_along() -> None:
    captured = (("fish-caps", "fish-bears"), ("harris-molls",))
    state = barney.moment((1, 2), (3, 4), captured=captured)
    assert offered(BARNEY, state, what="desk", who="Ann").options == (
        "Harris", "Wojehowicz", "Yemana",
    )  # fmt: skip
    moved, told = correct(BARNEY, state, what="desk", who="Ann", detective="Harris")
    assert (told, moved.step, moved.turn) == (["corrected"], state.step, state.turn)
    assert BARNEY.view(moved, None)["detectives"] == {"Ann": "Harris", "Bob": "Fish"}
    assert moved.captured == (("harris-bears", "harris-molls"), ("fish-caps",))
    free, _ = correct(BARNEY, state, what="desk", who="Bob", detective="Yemana")
    assert BARNEY.view(free, None)["detectives"] == {"Ann": "Fish", "Bob": "Yemana"}
    assert free.captured == (captured[0], ("yemana-molls",))


def test_bm13_a_chip_on_a_poster_that_nobody_has_named_stays_in_its_place() -> None:
    """BM-14: the box asks about the poster only when the game depends on it."""
    state = blank_poster(barney.moment((1, 2), (3, 4), captured=(("fish-caps",), ())))
    before = BARNEY.ask(state)
    state, _ = correct(BARNEY, state, what="desk", who="Ann", detective="Yemana")
    assert BARNEY.ask(state) == before
    assert state.captured[0] == (state.table.desks[0].suspects[0].id,)


def test_ko21_who_drives_the_wrong_cars_changes_with_the_other() -> None:
    state = kojak.moment((RED, "hunting"), (None, "to_mission"))
    assert offered(KOJAK, state, what="car", who="Ann").options == (YELLOW, BLUE, GREEN)
    swapped, told = correct(KOJAK, state, what="car", who="Ann", colour=YELLOW)
    assert (KOJAK.view(swapped, None)["cars"], told) == (
        {"Ann": YELLOW, "Bob": RED}, ["corrected"],
    )  # fmt: skip
    other, _ = correct(KOJAK, state, what="car", who="Ann", colour=GREEN)
    assert KOJAK.view(other, None)["cars"] == {"Ann": GREEN, "Bob": YELLOW}


def test_bm13_whose_turn_it_is_and_where_the_pawn_stands() -> None:
    state = barney.moment((1, 2), (3, 4), (5, 6))
    state, _ = correct(BARNEY, state, what="turn", who="Cy")
    assert BARNEY.view(state, None)["to_act"] == "Cy"
    state, _ = correct(BARNEY, state, what="pawn", n=3)
    assert BARNEY.view(state, None)["space"]["kind"] == "arrest_warrant"
    untaught = barney.moment((1, 2), (3, 4), taught="ask")
    assert "pawn" not in offered(BARNEY, untaught).options


def test_bm13_before_a_roll_what_counts_is_where_the_pawn_was_put() -> None:
    state = barney.moment((1, 2), (3, 4), die="real", step="roll", pawn=1)
    state, _ = correct(BARNEY, state, what="pawn", n=4)
    assert BARNEY.view(state, None)["space"] == {"kind": "insufficient_evidence", "gang": None}


def test_bm13_a_pawn_put_on_a_known_space_is_not_asked_for_and_play_goes_on_from_there() -> None:
    """BM-14: a printed space keeps its kind. BM-10: the pawn passes an unwanted gang."""
    unnamed = barney.moment((1, 2), (3, 4), board=UNNAMED, step="space", turn=0, pawn=5)
    state, told = correct(BARNEY, unnamed, what="pawn", n=3)
    view = BARNEY.view(state, None)
    assert (told, view["space"]["kind"]) == (["corrected", "moved"], "arrest_warrant")
    assert (BARNEY.ask(state).name, state.said) == ("play_card", ())  # type: ignore[union-attr]
    assert view["track"][3]["kind"] == "arrest_warrant"
    state, told = correct(BARNEY, replace(unnamed, captured=(("fish-molls",), ("harris-molls",))),
                          what="pawn", n=1)  # fmt: skip
    assert told == ["corrected", "unwanted"]


@pytest.mark.parametrize("step", ["roll", "play_card"])
def test_bm13_a_pawn_put_on_a_space_that_nobody_has_named_is_asked_for_and_the_game_goes_on(
    step: str,
) -> None:
    state = barney.moment((1, 2), (3, 4), board=UNNAMED, die="real", step=step, pawn=3)
    before = BARNEY.ask(state)
    state, told = correct(BARNEY, state, what="pawn", n=5)
    assert (told, BARNEY.ask(state).name) == (["corrected"], "space")  # type: ignore[union-attr]
    with pytest.raises(Refused, match="nothing_to_correct"):
        correct(BARNEY, state, what="pawn", n=5)
    state, _ = apply_answer(BARNEY, state, "positive_identification")
    view = BARNEY.view(state, None)
    assert (BARNEY.ask(state), view["space"]["kind"]) == (before, "positive_identification")
    assert [one.path for one in state.said] == [("track", 5)]


def test_bm13_a_pawn_that_was_put_on_the_wrong_space_goes_back_to_a_known_one_unasked() -> None:
    state = barney.moment((1, 2), (3, 4), board=UNNAMED, pawn=3)
    before = BARNEY.ask(state)
    state, _ = correct(BARNEY, state, what="pawn", n=5)
    state, told = correct(BARNEY, state, what="pawn", n=1)
    assert (told, BARNEY.ask(state)) == (["corrected"], before)
    assert BARNEY.view(state, None)["space"]["gang"] == "molls"


def test_bm13_while_the_space_is_asked_for_the_turn_is_still_that_of_a_card() -> None:
    state = barney.moment((1, 2), (3, 4), (5, 6), board=UNNAMED, pawn=3)
    state, _ = correct(BARNEY, state, what="pawn", n=5)
    state, told = correct(BARNEY, state, what="turn", who="Cy")
    assert (told, BARNEY.ask(state).name) == (["corrected"], "space")  # type: ignore[union-attr]
    state, _ = apply_answer(BARNEY, state, "start")
    assert (BARNEY.view(state, None)["to_act"], state.roller) == ("Cy", 0)


def test_bm13_to_act_while_a_corrected_board_is_asked_is_whose_turn_it_is() -> None:
    state = barney.moment((1, 2), (3, 4), (5, 6), board=UNNAMED, pawn=3)
    state, _ = correct(BARNEY, state, what="pawn", n=5)
    assert (BARNEY.ask(state).name, BARNEY.view(state, None)["to_act"]) == ("space", "Bob")  # type: ignore[union-attr]


def test_bm13_desk_while_a_corrected_pawns_space_is_asked_can_be_corrected() -> None:
    state = barney.moment((1, 2), (3, 4), board=UNNAMED, pawn=3)
    state, _ = correct(BARNEY, blank_poster(state), what="pawn", n=5)
    assert "desk" in offered(BARNEY, state).options
    state, _ = correct(BARNEY, state, what="desk", who="Ann", detective="Yemana")
    assert BARNEY.ask(state).name == "space"  # type: ignore[union-attr]
    state, _ = apply_answer(BARNEY, state, "start")
    assert BARNEY.ask(state)[:2] == ("play_card", "Bob")  # type: ignore[index]


def own_round(*values: int, **fields: Any) -> Any:
    """Return a round of own cards in which Ann, Bob and Cy have played `values`."""
    played = tuple((n % 3, value) for n, value in enumerate(values))
    total, turn = sum(values), len(values) % 3
    hands = ((1, 1),) * 3
    laid = [value for _, value in played]
    unseen = tuple(n - laid.count(value) for value, n in enumerate(CARD_COUNTS))
    of_round = {"unseen": unseen, "played": played, "total": total, "turn": turn}
    return barney.moment(*hands, deck="own", **{**of_round, **fields})


def test_bm13_an_own_card_of_the_round_is_given_its_value_and_the_total_is_the_sum() -> None:
    state, cues = apply_answer(BARNEY, own_round(2, 3, 1), CARD_TWO, "correct")
    view = BARNEY.view(state, None)
    assert (view["played"], view["total"]) == ([["Ann", 2], ["Bob", 6], ["Cy", 1]], 9)
    assert view["to_act"] == "Ann"
    facts = cues[0].facts
    assert (facts["what"], facts["who"], facts["n"], facts["total"]) == ("card", "Bob", 6, 9)
    assert (state.unseen[3], state.unseen[6]) == (CARD_COUNTS[3], CARD_COUNTS[6] - 1)
    assert words_for("barney-miller", "en").fact_speech(cues[0]) == (
        "Corrected: Bob’s card is 6, which makes nine."
    )


CARD_TWO: Final = {"what": "card", "nth": "2", "n": 6}


@pytest.mark.parametrize(
    ("n", "told"), [(7, ["ten"]), (9, ["round_won", "nothing", "next_roller"])], ids=["ten", "over"]
)
def test_bm7_bm13_the_last_card_with_another_value_can_end_the_round(
    n: int, told: list[str]
) -> None:
    state, found = correct(BARNEY, own_round(3, 1), what="card", nth="2", n=n)
    assert found == ["corrected", *told]
    if n == 9:
        assert (state.round, state.roller, state.total) == (4, 1, 0)
    else:
        assert BARNEY.ask(state)[:2] == ("zero", "Cy")  # type: ignore[index]


def test_bm13_an_earlier_card_is_offered_no_value_that_would_have_ended_the_round() -> None:
    state = own_round(2, 3, 1)
    assert offered(BARNEY, state, what="card", nth="1").hi == 6
    assert offered(BARNEY, state, what="card", nth="3").hi == 10
    assert offered(BARNEY, own_round(9, 0, 0), what="card").options == ("1", "3")


def test_bm13_a_card_of_the_boxs_is_not_corrected() -> None:
    state = barney.moment((1, 2), (3, 4), played=((0, 2),), total=2)
    assert "card" not in offered(BARNEY, state).options
    assert "card" not in offered(BARNEY, own_round()).options


def test_bm11_bm13_a_fifth_zero_by_correction_is_one_too_many() -> None:
    state = own_round(2, 3, unseen=(0, *CARD_COUNTS[1:]))
    _, told = correct(BARNEY, state, what="card", nth="1", n=0)
    assert told == ["corrected", "too_many"]


def test_bm11_bm13_a_card_laid_before_all_were_shuffled_again_is_counted_no_more() -> None:
    """Two of three cards were played before the deal in mid-round, and are among the 56 again."""
    after_deal = tuple(n - (value == 1) for value, n in enumerate(CARD_COUNTS))
    state = own_round(2, 3, 1, unseen=after_deal)
    corrected, _ = apply_answer(BARNEY, state, CARD_TWO, "correct")
    assert corrected.unseen == after_deal
    last, _ = apply_answer(BARNEY, state, {"what": "card", "nth": "3", "n": 4}, "correct")
    assert (last.unseen[1], last.unseen[4]) == (CARD_COUNTS[1], CARD_COUNTS[4] - 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_bm13_a_corrected_pawn_is_announced_with_its_space(language: str) -> None:
    words = words_for("barney-miller", language)
    state = barney.moment((1, 2), (3, 4), board=printed_edition("barney-miller"))
    said = {
        "en": ("the pawn is on the Cap Burglars.", "the pawn is on Start."),
        "fr": ("le pion est sur les Cap Burglars.", "le pion est sur Départ."),
    }
    for n, sentence in zip((3, 0), said[language], strict=True):
        moved = replace(state, pawn=1)
        _, cues = apply_answer(BARNEY, moved, {"what": "pawn", "n": n}, "correct")
        assert words.fact_speech(cues[0]).endswith(sentence)


def test_bm7_the_last_virtual_card_of_who_has_the_turn_by_correction_is_played() -> None:
    state = barney.moment((1, 2), (3, 4), (5,))
    state, told = correct(BARNEY, state, what="turn", who="Cy")
    assert (told, state.total) == (["corrected", "card_played"], 5)
    own = barney.moment((1, 2), (3, 4), (5,), deck="own")
    _, told = correct(BARNEY, own, what="turn", who="Cy")
    assert told == ["corrected"]


def test_ko21_an_arrest_closes_a_file_and_can_be_taken_from_the_table() -> None:
    state = kojak.moment((RED, kojak.HUNT), (RED, kojak.HUNT))
    state, told = correct(KOJAK, state, what="arrest", colour=RED, who="Bob")
    view = KOJAK.view(state, None)
    assert (view["files"][RED], view["circle"][RED], told) == ("Bob", None, ["corrected"])
    assert view["mission"] == {"Ann": None, "Bob": None}
    state, _ = correct(KOJAK, state, what="arrest", colour=RED, who="nobody")
    view = KOJAK.view(state, None)
    assert (view["files"][RED], view["circle"][RED]) == ("open", 0)


def test_ko21_the_last_arrest_that_was_overlooked_ends_the_game() -> None:
    closed = {RED: 0, YELLOW: 0, BLUE: 1}
    state = kojak.moment((GREEN, kojak.HUNT), (None, kojak.FIRST), closed=closed)
    state, told = correct(KOJAK, state, what="arrest", colour=GREEN, who="Ann")
    assert told == ["corrected", "game_won"]
    assert KOJAK.outcome(state).winners == ("Ann",)  # type: ignore[union-attr]


def test_ko20_ko21_the_race_begins_left_of_who_was_put_right_as_the_last_to_arrest() -> None:
    state = kojak.moment(*3 * [(None, kojak.FIRST)], closed={RED: 0, YELLOW: 1, BLUE: 0})
    assert KOJAK.view(state, None)["to_act"] == "Ann"
    state, told = correct(KOJAK, state, what="arrest", colour=GREEN, who="Bob")
    assert (KOJAK.view(state, None)["race"], told) == (["Ann", "Bob"], ["corrected", "tied"])
    assert KOJAK.view(state, None)["to_act"] == "Ann"


@pytest.mark.parametrize("n", [3, 1], ids=["on red", "off red"])
def test_ko15_ko21_a_criminal_put_on_red_or_off_it_raises_the_alarm(n: int) -> None:
    red = () if n == 3 else (RED,)
    state = kojak.moment((RED, kojak.HUNT), (RED, kojak.SECOND), red=red)
    _, cues = apply_answer(KOJAK, state, {"what": "criminal", "colour": RED, "n": n}, "correct")
    at = {"colour": RED, "place": "bank"}
    raised = (
        Cue("on_red", {**at, "may_arrest": ["Ann"], "already": False}, "KO-15")
        if n == 3
        else Cue("off_red", {**at, "hunters": ["Ann"]}, "KO-15")
    )
    assert cues[1:] == (raised,)


def test_ko15_ko21_a_file_that_is_open_again_raises_the_alarm_if_its_dot_is_red() -> None:
    files = [{**file, "circle": ["red", "plain"]} for file in kojak.PRINTED["file"]]
    printed = {**kojak.PRINTED, "file": files}
    state = kojak.moment(*2 * [(None, kojak.FIRST)], closed={RED: 0}, printed=printed)
    _, told = correct(KOJAK, state, what="arrest", colour=RED, who="nobody")
    assert told == ["corrected", "on_red"]
    _, told = correct(KOJAK, state, what="arrest", colour=RED, who="Bob")
    assert told == ["corrected"]


def test_ko21_to_whom_the_turn_is_given_who_has_it_is_told_that_it_is_so() -> None:
    state = kojak.moment(*2 * [(None, kojak.FIRST)])
    with pytest.raises(Refused, match="nothing_to_correct"):
        correct(KOJAK, state, what="turn", who="Ann")
    with pytest.raises(Refused, match="not_offered"):
        correct(KOJAK, state, what="turn", who="Zoe")


def test_ko21_who_is_to_lose_a_turn_and_is_given_one_plays_it_and_loses_the_next() -> None:
    state = kojak.moment(*2 * [(None, kojak.FIRST)], options={"die": "none"}, missing=(1,))
    state, _ = correct(KOJAK, state, what="turn", who="Bob")
    state, cues = apply_answer(KOJAK, state, "nothing")
    assert (KOJAK.view(state, None)["to_act"], KOJAK.view(state, None)["lose_turn"]) == (
        "Ann", ["Bob"],
    )  # fmt: skip
    state, cues = apply_answer(KOJAK, state, "nothing")
    assert [cue.name for cue in cues] == ["turn_lost"]


@pytest.mark.parametrize("game", ["baretta", "kojak"])
def test_ba18_ko21_nothing_is_put_right_at_the_high_roll_but_before_the_box_rolls_on_a_press(
    game: str,
) -> None:
    options = {option.name: option.values[0] for option in registry.find_game(game).options}
    pressed = {"die" if game == "kojak" else "dice": "press"}
    session = Session.begin(Journal(None), setup_for(options | pressed, game=game), 0)
    while session.standing.snapshot.view["phase"] == "opening":
        assert session.standing.out_of_turn_questions == ()
        with pytest.raises(Refused, match="not_asked"):
            session.answer({"what": "turn", "who": "Ann"}, 0, "correct")
        assert session.standing.pending_prompt is not None
        session.answer(random_answer(session.standing.pending_prompt, random.Random(1)), 0)
    assert session.standing.pending_prompt is not None
    before = session.standing.pending_prompt.name, session.standing.pending_prompt.who
    other = next(who for who in session.game_setup.players if who != before[1])
    session.answer({"what": "turn", "who": other}, 0, "correct")
    assert (
        before[0],
        session.standing.pending_prompt.name,
        session.standing.pending_prompt.who,
    ) == (
        "throw",
        "throw",
        other,
    )


def test_ko21_a_criminal_a_stage_and_the_turn_are_as_the_table_says() -> None:
    state = kojak.moment((RED, kojak.SECOND), (None, kojak.FIRST))
    state, _ = correct(KOJAK, state, what="criminal", colour=RED, n=3)
    assert KOJAK.view(state, None)["circle"][RED] == 3
    state, _ = correct(KOJAK, state, what="stage", who="Ann", stage="hunting")
    assert KOJAK.view(state, None)["may_arrest"] == ["Ann"]
    state, _ = correct(KOJAK, state, what="turn", who="Bob")
    assert KOJAK.view(state, None)["to_act"] == "Bob"


def test_ko21_who_has_which_own_card_is_believed_and_the_pile_follows() -> None:
    state = kojak.moment((RED, kojak.HUNT), (None, kojak.FIRST), options={"deck": "own"})
    state, _ = correct(KOJAK, state, what="file", who="Ann", colour=BLUE)
    assert (state.held[0], state.stages[0], len(state.missions)) == (BLUE, kojak.SECOND, 15)
    state, _ = correct(KOJAK, state, what="file", who="Ann", colour="none")
    assert (state.held[0], state.stages[0], len(state.missions)) == (None, kojak.FIRST, 16)
    virtual = kojak.moment((RED, kojak.HUNT), (None, kojak.FIRST))
    assert "file" not in offered(KOJAK, virtual).options


def test_what_stands_so_already_is_refused() -> None:
    with pytest.raises(Refused, match="nothing_to_correct"):
        correct(BARNEY, barney.moment((1,), (2,)), what="reserve", who="Ann", n=0)
    state = kojak.moment((RED, kojak.HUNT), (None, kojak.FIRST))
    with pytest.raises(Refused, match="nothing_to_correct"):
        correct(KOJAK, state, what="arrest", colour=RED, who="nobody")


def test_nothing_is_put_right_while_a_zero_may_be_played_or_in_the_race() -> None:
    zero = barney.moment((0, 2), (3, 4), step="zero")
    assert [question.name for question in BARNEY.anytime(zero)] == ["leaves"]
    race = kojak.moment((None, kojak.FIRST), (None, kojak.FIRST), race=(0, 1), step="roll")
    assert [question.name for question in KOJAK.anytime(race)] == ["leaves"]
