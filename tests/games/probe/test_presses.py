"""Tests of the number of presses in a game with real racks: each answer, and each whole hit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest

from companion.core.fold import apply_answer_to_prompt
from companion.core.prompts import Answer, Choose, Prompt, first_prompt_of_form, is_answered_by_box
from companion.games.probe import GAME
from companion.play import simulate
from companion.play.simulate import random_answer
from companion.press.wheel import count_presses_to_answer, row_number_of_option
from tests.helpers import printed_edition

NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
OPTIONS: Final = {"words": "racks", "deck": "virtual", "remember": "no"}
GAMES: Final = 60
every_table = pytest.mark.parametrize("n", [2, 3, 4])


def hits(n: int) -> Iterator[list[tuple[Prompt, Answer]]]:
    """Yield the answers of each hit in random games: the player, yes, and the place."""
    rng = Random(n)
    for _ in range(GAMES):
        state = GAME.setup(NAMES[:n], OPTIONS, printed_edition("probe"))
        given: list[tuple[Prompt, Answer]] = []
        while (prompt := first_prompt_of_form(GAME.ask(state))) is not None:
            value = random_answer(prompt, rng)
            if not is_answered_by_box(prompt):
                asks = prompt.name == "ask_whom" or (
                    prompt.name == "answer" and [p.name for p, _ in given] != ["ask_whom"]
                )
                given = [*([] if asks else given), (prompt, value)]
                if given[-2:-1] and given[-2][1] == "yes" and prompt.name == "uncover":
                    yield given
            state, _ = apply_answer_to_prompt(GAME, state, prompt, value)


def held(prompt: Prompt, value: Answer) -> int:
    """Return the number of presses. A held wheel button counts as one press."""
    return min(count_presses_to_answer(prompt, value), 2)


def seated(prompt: Prompt, value: Answer) -> int:
    """Return the number of presses with seat buttons, where the wheel counts as in `held`.

    A tap chooses a player, or a place in the player's row. OK also takes the place under the
    cursor.
    """
    assert isinstance(prompt, Choose)
    if prompt.name == "ask_whom":
        return 1
    return min(held(prompt, value), taps(prompt, value) if prompt.cells else 2)


def taps(prompt: Choose, value: Answer) -> int:
    """Return the presses for a place with a seat button (see `count_presses_to_answer`)."""
    beside = [
        other
        for other in prompt.options
        if row_number_of_option(prompt, other) == row_number_of_option(prompt, value)
    ]
    return min(count_presses_to_answer(prompt, other) for other in beside)


def most(n: int, count: Callable[[Prompt, Any], int]) -> int:
    return max(sum(count(*answer) for answer in hit) for hit in hits(n))


@pytest.mark.long
@every_table
def test_a_hit_takes_at_most_five_presses_with_seat_buttons_and_seven_without(n: int) -> None:
    assert most(n, seated) <= 5
    assert most(n, held) <= 7


@pytest.mark.long
@every_table
def test_short_presses_alone_make_a_hit_nearly_as_fast_on_average(n: int) -> None:
    counted = [sum(count_presses_to_answer(*answer) for answer in hit) for hit in hits(n)]
    assert sum(counted) / len(counted) <= 5


@pytest.mark.sampled(1)
@every_table
def test_a_row_is_never_far_from_the_cursor(n: int) -> None:
    """The box has seat buttons, every press is short, and all racks are still full."""
    for hit in hits(n):
        prompt, value = hit[-1]
        assert isinstance(prompt, Choose)
        if len(prompt.options) == (24 if n == 2 else 12):
            assert taps(prompt, value) <= (4 if n == 2 else 2)


@pytest.mark.long
@every_table
def test_an_answer_takes_at_most_two_and_a_half_presses_on_average(n: int) -> None:
    """`companion simulate probe` plays 1,000 games. This test plays fewer."""
    first = GAME.setup(NAMES[:n], OPTIONS, printed_edition("probe"))
    found = simulate.simulate_random_games(GAME, first, games=GAMES, seed=n)
    assert found.presses / found.player_answers <= 2.5


def test_the_places_of_two_racks_lie_in_their_own_rows() -> None:
    """PR-16: the left rack uses the rows 0 to 2, and the right rack the rows below."""
    state = GAME.setup(NAMES[:2], {**OPTIONS, "deck": "own"}, printed_edition("probe"))
    for value in (12, 12, 12, 9, "normal", "yes"):
        asked = GAME.ask(state)
        assert asked is not None
        state, _ = apply_answer_to_prompt(GAME, state, asked, value)
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    lies = dict(zip(prompt.options, prompt.cells, strict=True))
    left = [lies[f"Bob:left:{place}"] for place in (1, 4, 5, 12)]
    right = [lies[f"Bob:right:{place}"] for place in (1, 4, 5, 9)]
    assert left == [(0, 0), (0, 3), (1, 0), (2, 3)]
    assert right == [(3, 0), (3, 3), (4, 0), (5, 0)]
    assert len(set(lies.values())) == len(prompt.options) == 12 + 9
