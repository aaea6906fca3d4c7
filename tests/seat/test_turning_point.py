"""Tests of the turning point, in a constructed game where it is obvious."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from random import Random
from typing import Any, Final

import pytest

from companion.core.chance import Chance
from companion.core.game import ComputerPlayer, Cue, Game, Outcome, SeatMemory
from companion.core.prompts import Choose
from companion.draw.canvas import wrap_text
from companion.draw.parts import ROW_LETTERS
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from companion.seat.turning_point import (
    RatedAnswer,
    TurningPointAndMistake,
    describe_turning_point_and_mistake,
    session_turning_point_and_mistake,
)
from tests.helpers import words_for

PLAYERS: Final = ("Ann", "Bob")
TURNS: Final = 8
ROWS: Final = 7
"""Rows of a page above the labels of its buttons."""
KNOWN: list[SeatMemory] = []
"""Arguments of `imagine`, question by question."""


def ask(state: tuple[str, ...]) -> Choose | None:
    """Ask the players in turn to stay or jump. Only a jump in a player's third turn wins."""
    if "jump" in state or len(state) == TURNS:
        return None
    return Choose("leap", PLAYERS[len(state) % 2], ("stay", "jump"))


def outcome(state: tuple[str, ...]) -> Outcome | None:
    if ask(state) is not None:
        return None
    if "jump" not in state:
        return Outcome(PLAYERS, {})
    who, third = (len(state) - 1) % 2, (len(state) - 1) // 2 == 2
    return Outcome((PLAYERS[who if third else 1 - who],), {})


def on_leap(state: tuple[str, ...], value: str) -> Any:
    return (*state, value), (Cue("leapt", {"n": len(state)}),)


def imagine(view: Mapping[str, Any], told: SeatMemory, _player: str, _rng: Random) -> Any:
    KNOWN.append(told)
    return tuple(view["leaps"])


LEAPS: Final[Game[tuple[str, ...]]] = Game(
    name="leaps",
    seats=range(2, 3),
    options=(),
    setup=lambda *_: (),
    ask=ask,
    on={"leap": on_leap},
    view=lambda state, _: {"leaps": [*state]},
    outcome=outcome,
    computer=ComputerPlayer(imagine),
)


def found(*answers: str, undone: int = 0, game: Any = LEAPS) -> TurningPointAndMistake | None:
    """Return the turning point of a game with these answers. Answer number `undone` is undone."""
    with closing(Journal(None)) as journal:
        setup = GameSetup(game, PLAYERS, {}, {}, Chance("leaps"), mixing=False)
        session = Session.begin(journal, setup, 0)
        for n, answer in enumerate(answers, start=1):
            session.answer(answer, 0)
            if n == undone:
                session.undo(0)
            session.commit()
        return session_turning_point_and_mistake(
            Session(journal, 1, setup), journal.read_game_header_and_lines(1)[1]
        )


WON: Final = ("stay", "stay", "stay", "stay", "stay", "jump")
"""Ann stays in her third turn, although a jump would win. Bob's jump in his third turn wins."""


def test_where_a_road_has_led_nobody_has_decided_anything() -> None:
    assert found(*WON) != TurningPointAndMistake()
    assert found(
        *WON, game=LEAPS._replace(computer=ComputerPlayer(imagine, wishes=frozenset({"leap"})))
    ) == TurningPointAndMistake(before=0.5)


def test_the_turning_point_is_the_winners_third_question_and_the_best_move_missed_the_losers() -> (
    None
):
    turned = found(*WON)
    assert turned is not None
    assert turned.point is not None
    assert (turned.point.player, turned.point.nth, turned.point.given) == ("Bob", 3, "jump")
    assert turned.point.share == 1.0
    assert turned.missed is not None
    assert (turned.missed.player, turned.missed.nth) == ("Ann", 3)
    assert (turned.missed.given, turned.missed.best, turned.missed.could) == ("stay", "jump", 1.0)
    assert turned.missed.share < 0.5


def test_each_answer_is_weighed_by_what_its_player_had_been_told_then() -> None:
    KNOWN.clear()
    found(*WON)
    assert {len(told.facts) for told in KNOWN} == {0, 1, 2, 3, 4, 5}
    for told in KNOWN:
        assert [cue.facts["n"] for cue in told.facts] == [*range(len(told.facts))]
        assert told.who == PLAYERS[len(told.facts) % 2]


def test_an_answer_that_was_taken_back_decides_nothing() -> None:
    assert found(*WON[:5], "stay", "jump", undone=6) == found(*WON)


def test_a_game_that_is_not_over_has_no_turning_point_and_one_without_chances_names_none() -> None:
    assert found("stay") is None
    words = words_for("barney-miller", "en")
    assert describe_turning_point_and_mistake(TurningPointAndMistake(), words) == {}


def test_it_is_told_in_sentences_of_the_game() -> None:
    point = RatedAnswer("Ann", 3, "play_card", 4, 0.71, 4, 0.71)
    missed = RatedAnswer("Bob", 5, "play_card", 0, 0.08, 6, 0.82)
    turned = TurningPointAndMistake(point, 0.36, missed)
    assert describe_turning_point_and_mistake(turned, words_for("barney-miller", "en")) == {
        "point": "Turning point: Ann’s question 3. Ann played 4: chances from 36 to 71 %.",
        "missed": "Best move missed: Bob’s question 5. Bob played 0: 8 % to win. 6: 82 %.",
    }
    assert describe_turning_point_and_mistake(turned, words_for("barney-miller", "fr"))[
        "point"
    ] == ("Tournant\u00a0: la question 3 d’Ann. Ann a joué 4\u00a0: de 36 à 71\u00a0% de chances.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_that_it_can_be_fits_a_page(language: str) -> None:
    moved = RatedAnswer("Alexandrie", 99, "move_to", "apartment", 0.41, "apartment", 1.0)
    landed = RatedAnswer("Alexandrie", 99, "happened", "mission", 0.41, "nothing", 1.0)
    for game, one in (("baretta", moved), ("kojak", landed)):
        told = describe_turning_point_and_mistake(
            TurningPointAndMistake(one, 0.36, one), words_for(game, language)
        )
        assert all(len(wrap_text(text, ROW_LETTERS)) <= ROWS for text in told.values()), told
