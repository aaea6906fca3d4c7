"""Random games for statistics and tests."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from companion.core.fold import apply_answer_to_prompt
from companion.core.game import Game, Outcome
from companion.core.prompts import (
    Answer,
    Choose,
    Form,
    Question,
    Roll,
    Shuffle,
    is_answered_by_box,
    legal_answers,
)
from companion.press.wheel import count_presses_to_answer


class RandomGameResult(NamedTuple):
    """The outcome of one random game, with statistics.

    - `answers`: the number of all answers, including the rolls and shuffles by the box.
    - `player_answers`: the number of answers that players give; 0 if presses are not counted.
    - `presses`: the number of button presses that the players' answers need.
    """

    outcome: Outcome
    answers: int
    player_answers: int
    presses: int


def random_answer(prompt: Question, random: Random) -> Answer:
    """Return a random answer. Use the prompt's weights as probabilities, if there are weights."""
    if isinstance(prompt, Choose):
        # choose by weight like `random.choices`, but in half the time
        if weights := prompt.weights:
            sums = _sums(weights)
            return prompt.options[bisect(sums, random.random() * sums[-1])]
        return _one_of(prompt.options, random)
    match prompt:
        case Roll(real=False):
            die = range(1, prompt.sides + 1)
            return [_one_of(die, random) for _ in range(prompt.dice)]
        case Form():
            given: dict[str, Answer] = {}
            while (part := prompt.ask(given)) is not None:
                given[part.name] = random_answer(part, random)
            return given
        case Shuffle():
            order = list(range(prompt.n))
            random.shuffle(order)
            return order
        case _:
            return _one_of(legal_answers(prompt), random)


def random_result_favouring_wish(prompt: Choose, wish: Answer, random: Random) -> Answer:
    """Return a random result of a move on a real board, where a computer player hopes for `wish`.

    Two random answers are drawn with the prompt's weights. Return `wish` if it is one of these
    answers, else the first drawn answer.
    """
    ways = random_answer(prompt, random), random_answer(prompt, random)
    return wish if wish in ways else ways[0]


def _one_of(values: Sequence[Answer], random: Random) -> Answer:
    """Return the value that `random.choice` would return, but in half the time.

    Raise IndexError if `values` is empty.
    """
    n = len(values)
    bits = n.bit_length()
    while (at := random.getrandbits(bits)) >= n > 0:
        pass
    return values[at]


@lru_cache(maxsize=4096)
def _sums(weights: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(accumulate(weights))


def simulate_random_game(
    game: Game[Any], state: Any, random: Random, *, count: bool = True
) -> RandomGameResult:
    """Play one game with random answers from `state` to its end.

    If `count` is True, also count the players' answers and presses, which doubles the running time.
    """
    answers = asked = pressed = 0
    while (prompt := game.ask(state)) is not None:
        value = random_answer(prompt, random)
        if count and not is_answered_by_box(prompt):
            asked += 1
            pressed += _pressed(prompt, value)
        state, _ = apply_answer_to_prompt(game, state, prompt, value)
        answers += 1
    outcome = game.outcome(state)
    assert outcome is not None  # a game that asks no question is over
    return RandomGameResult(outcome, answers, asked, pressed)


def _pressed(question: Question, value: Answer) -> int:
    if not isinstance(question, Form):
        return count_presses_to_answer(question, value)
    parts, given = 0, dict[str, Answer]()
    while (part := question.ask(given)) is not None:
        parts += count_presses_to_answer(part, value[part.name])
        given[part.name] = value[part.name]
    return parts


class SimulationStatistics(NamedTuple):
    """Statistics about `games` random games; the other numbers are sums over all games.

    `wins` holds the number of wins by seat; a tie counts as a win for each winner.
    """

    games: int
    answers: int
    player_answers: int
    presses: int
    seconds: float
    wins: Counter[str]


def simulate_random_games(
    game: Game[Any], first: Any, *, games: int, seed: int, count: bool = True
) -> SimulationStatistics:
    """Play `games` random games that start from the state `first`, and return their statistics.

    Calls with the same `seed` play the same games. If `count` is True, also count the players'
    answers and presses, which doubles the running time.
    """
    random, wins = Random(seed), Counter[str]()
    answers = asked = pressed = 0
    begun = perf_counter()
    for _ in range(games):
        playout = simulate_random_game(game, first, random, count=count)
        answers += playout.answers
        asked += playout.player_answers
        pressed += playout.presses
        wins.update(playout.outcome.winners)
    return SimulationStatistics(games, answers, asked, pressed, perf_counter() - begun, wins)
