"""Tests that the search finds the best answer in imagined games. Its seed decides the games."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.errors import Refused
from companion.core.game import ComputerPlayer, Game, Outcome
from companion.core.prompts import Choose, Roll
from companion.seat.search import AnswerSearch, SearchEffort

PLAYERS = ("Ann", "Bob")


def outcome(state: Any) -> Outcome | None:
    """Let Ann win if her number is higher than a die that is rolled later."""
    if len(state) < 2:
        return None
    return Outcome((PLAYERS[state[0] <= state[1]],), {})


def ask(state: Any) -> Choose | Roll | None:
    """Ann names a number, then the box rolls."""
    asked = (Choose("number", "Ann", (1, 6, 3, 2, 5, 4)), Roll("roll", None))
    return asked[len(state)] if len(state) < len(asked) else None


def on_number(state: Any, value: int) -> tuple[Any, tuple[()]]:
    if value == 6:
        raise Refused("too_much")
    return (*state, value), ()


GAME: Game[Any] = Game(
    name="higher",
    seats=range(2, 3),
    options=(),
    setup=lambda *_: (),
    ask=ask,
    on={"number": on_number, "roll": lambda state, value: ((*state, value[0]), ())},
    view=lambda *_: {},
    outcome=outcome,
)


def search(worlds: int, seed: str = "1", seat: int = 0, **more: Any) -> AnswerSearch:
    effort = SearchEffort(worlds, 1.0, None, sensible=True)
    return AnswerSearch(GAME, lambda _: (), seat, PLAYERS, effort, seed=seed, **more)


@pytest.mark.long
def test_the_answer_that_wins_most_is_found_and_one_that_is_refused_never() -> None:
    assert search(300).find_best_answer((1, 6, 3, 2, 5, 4)) == 5
    assert search(300, seat=1).find_best_answer((1, 6, 3, 2, 5, 4)) == 1
    assert search(300).rank_answers((1, 6, 3, 2, 5, 4))[-1] in (1, 6)
    assert search(30).find_best_answer((6, 1)) == 1


def test_the_same_seed_finds_the_same_and_another_one_something_else() -> None:
    ranked = {seed: search(3, seed).rank_answers((1, 3, 2, 5, 4)) for seed in "123456789"}
    assert ranked == {seed: search(3, seed).rank_answers((1, 3, 2, 5, 4)) for seed in "123456789"}
    assert len({*ranked.values()}) > 1


def test_all_answers_are_tried_on_the_same_games_with_the_same_chance() -> None:
    """Common random numbers: equal answers get equal values, even in few games."""
    worlds: list[float] = []

    def imagine(rng: Random) -> Any:
        worlds.append(rng.random())
        return ()

    thought = AnswerSearch(
        GAME, imagine, 0, PLAYERS, SearchEffort(8, 1, None, sensible=True), seed="1"
    )
    assert thought.rank_answers((2, 2, 2, 2)) == (2, 2, 2, 2)
    assert thought.find_best_answer((4, 4, 4, 5)) == 5
    assert len({*worlds}) == 8  # and both searches had these games
    assert len(worlds) == 16


@pytest.mark.parametrize("step", [0.01, 0.3, 5.0])
def test_a_clock_ends_the_search_in_time_after_a_game_a_round_at_least(step: float) -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += step
        return now[0]

    search(1, clock=clock).find_best_answer((1, 3, 2, 5))
    assert now[0] <= 1.0 + 6 * step


@pytest.mark.parametrize(("exact", "best"), [(False, 1), (True, 5)])
def test_only_an_exact_search_uses_the_closer_estimate(*, exact: bool, best: int) -> None:
    computer: ComputerPlayer[Any] = ComputerPlayer(
        imagine=lambda *_: (),
        estimate=lambda state: (1 / state[0], 0),
        close_estimate=lambda state: (state[0] / 6, 0),
    )
    effort = SearchEffort(2, 1, 0, sensible=True, exact=exact)
    game = GAME._replace(computer=computer)
    assert (
        AnswerSearch(game, lambda _: (), 0, PLAYERS, effort, seed="1").find_best_answer((1, 3, 5))
        == best
    )
