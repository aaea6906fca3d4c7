"""The table puts the box right in every game: for all to see, undone, recorded and verified."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.catalog import registry
from companion.core.errors import Refused
from companion.core.fold import advance
from companion.core.prompts import Form
from companion.play import verify
from companion.play.session import Session
from companion.play.simulate import pick
from companion.record.journal import Journal
from tests.games.barney_miller import test_rules as barney
from tests.games.kojak import test_rules as kojak
from tests.helpers import Drive, setup_for

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.play.line import Setup

BARNEY, KOJAK = registry.find("barney-miller"), registry.find("kojak")
RED, YELLOW, BLUE, GREEN = kojak.RED, kojak.YELLOW, kojak.BLUE, kojak.GREEN
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
every_game = pytest.mark.parametrize("game", registry.NAMES)


def setup(game: str) -> Setup:
    options = {option.name: option.values[0] for option in registry.find(game).options}
    return setup_for(options | OPTIONS[game], game=game, players=("Ann", "Bob"))


def at_a_turn(game: str, journal: Journal) -> Session:
    """A game, as soon as something can be corrected."""
    session, rng = Session.begin(journal, setup(game), 0), random.Random(5)
    while not any(question.name == "correct" for question in session.anytime):
        assert session.prompt is not None
        session.answer(pick(session.prompt, rng), 0)
    return session


@every_game
def test_a_correction_is_seen_by_all_taken_back_and_named_by_verify(game: str) -> None:
    journal = Journal(None)
    session = at_a_turn(game, journal)
    before = session.snapshot.view
    session.answer(CORRECTIONS[game], 0, "correct")
    (told, *_) = session.snapshot.cues
    assert (told.name, told.to) == ("corrected", None)
    assert told.clause
    assert session.snapshot.view != before
    session.undo(0)
    assert session.snapshot.view == before
    session.redo(0)
    session.commit()
    found = verify.check(journal, session.number)
    assert (found.problem, found.corrected) == (None, 1)


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
    (entry, *_) = [e for e in journal.read(1)[1] if e.question == "correct"]
    assert entry.value == CORRECTIONS[game]


# --- each game's own ------------------------------------------------------------------------------


def correct(game: Game[Any], state: Any, **given: Any) -> tuple[Any, list[str]]:
    state, cues = advance(game, state, given, "correct")
    return state, [cue.name for cue in cues]


def offered(game: Game[Any], state: Any, **given: Any) -> Any:
    (form,) = game.anytime(state)
    assert isinstance(form, Form)
    return form.ask(given)


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


def test_bm13_whose_turn_it_is_and_where_the_pawn_stands() -> None:
    state = barney.moment((1, 2), (3, 4), (5,))
    state, _ = correct(BARNEY, state, what="turn", who="Cy")
    assert BARNEY.view(state, None)["to_act"] == "Cy"
    state, _ = correct(BARNEY, state, what="pawn", n=3)
    assert BARNEY.view(state, None)["space"]["kind"] == "arrest_warrant"
    untaught = barney.moment((1, 2), (3, 4), taught="ask")
    assert "pawn" not in offered(BARNEY, untaught).options


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
    assert BARNEY.anytime(zero) == ()
    race = kojak.moment((None, kojak.FIRST), (None, kojak.FIRST), race=(0, 1), step="roll")
    assert KOJAK.anytime(race) == ()
