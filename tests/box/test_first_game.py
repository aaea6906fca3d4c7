"""Tests of the questions about the board in a first game, with and without the board tour."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from companion.catalog import board_tour, editions
from companion.catalog.registry import find_game
from companion.core.chance import Chance
from companion.core.fold import apply_answer
from companion.core.prompts import Choose, Roll, Shuffle, is_answered_by_box
from companion.play.simulate import random_answer
from companion.press.wheel import count_presses_to_answer

PLAYERS = ("Ann", "Bob")
OF_THE_BOARD = frozenset({"space", "suspect_gang", "field", "corner_does"})
SECONDS = 1.2
"""Seconds in which a person reads out a space of the board. Each press needs 0.35 s more."""


class Cost(NamedTuple):
    """Number of questions about the board, and number of presses that answer them."""

    questions: int = 0
    presses: int = 0

    @property
    def seconds(self) -> float:
        return self.questions * SECONDS + self.presses * 0.35


def walked(game: str) -> tuple[Cost, Mapping[str, Any]]:
    """Return the cost of the tour of a board like ours, and the edition that results."""
    cost, printed, data = (
        Cost(),
        editions.load_edition(game),
        board_tour.edition_with_blank_board(game),
    )
    while (step := board_tour.next_step_for_unknown_values(game, data, PLAYERS)) is not None:
        *way, last = step.place
        fields = board_tour.edition_value_at_path(printed, way)
        is_back = step.open and last == len(fields)
        value = fields[0] if is_back else fields[last]
        prompt = step.question._replace(options=(*step.question.options, "later"))
        cost = Cost(cost.questions + 1, cost.presses + count_presses_to_answer(prompt, value))
        data = board_tour.edition_with_tour_answer(game, data, step, value)
    return cost, data


def played(game: str, edition: Mapping[str, Any], seed: int) -> Cost:
    """Return the cost of the questions about the board in a random game."""
    found, rng, chance, draws = find_game(game), Random(seed), Chance(f"{seed}"), 0
    options = {option.name: option.values[0] for option in found.options}
    state, cost = found.setup(PLAYERS, options, edition), Cost()
    while (prompt := found.ask(state)) is not None:
        if isinstance(prompt, (Roll, Shuffle)) and is_answered_by_box(prompt):
            value, draws = chance.drawn_answer_to_prompt(prompt, draws), draws + 1
        else:
            value = random_answer(prompt, rng)
            if isinstance(prompt, Choose) and prompt.name in OF_THE_BOARD:
                cost = Cost(
                    cost.questions + 1, cost.presses + count_presses_to_answer(prompt, value)
                )
        state, _ = apply_answer(found, state, value)
    return cost


def test_after_a_walk_of_three_minutes_no_game_asks_about_the_board() -> None:
    for game in ("barney-miller", "kojak", "baretta"):
        cost, data = walked(game)
        assert cost.seconds <= 180
        assert played(game, data, 1).questions == 0
        assert played(game, board_tour.edition_with_blank_board(game), 1).questions > 0
