"""The search for the best answer, which tries each answer in simulated games.

All answers are tried in the same simulated games with the same random numbers, so that only the
answer differs. The search then tries the better half of the answers in further games (successive
halving).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any, Final, NamedTuple

from companion.core.errors import Refused
from companion.core.fold import apply_answer_to_prompt
from companion.core.game import Game
from companion.core.prompts import Answer, Choose, Form, Question, is_answered_by_box
from companion.play.simulate import random_answer, random_result_favouring_wish

MAX_PLAYOUT_ANSWERS: Final = 4000
"""Number of answers after which the search abandons a simulated game."""


class SearchEffort(NamedTuple):
    """The effort of a computer player's search.

    - `worlds`: the number of simulated games.
    - `seconds`: the time limit of the search in seconds.
    - `ahead`: the number of answers in each simulated game. After these answers, the game's rules
      estimate the outcome. None: play each simulated game to its end.
    - `sensible` is True if the players in simulated games choose answers with the game's function
      `habit`. Otherwise, these players play at random.
    - `exact` is True to use the game's exact solution or more precise estimate, if the game has
      one.
    """

    worlds: int
    seconds: float
    ahead: int | None
    sensible: bool
    exact: bool = False


class AnswerSearch:
    """A search for the answer with which a seat wins the most simulated games.

    - `seat`: the index of the seat in `players`.
    - `imagine`: a function that returns a possible state of the game, given a random generator.
    - `clock`: a function that returns the time in seconds; None if the search has no time limit.
    """

    def __init__(
        self,
        game: Game[Any],
        imagine: Callable[[Random], Any],
        seat: int,
        players: tuple[str, ...],
        effort: SearchEffort,
        *,
        seed: str,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.game, self.imagine, self.seat = game, imagine, seat
        self.player, self.until = players[seat], 0.0
        self.effort, self.seed, self.clock = effort, seed, clock

    def find_best_answer(self, options: tuple[Answer, ...]) -> Answer:
        """Return the answer in `options` that wins most simulated games."""
        return self.rank_answers(options)[0]

    def rank_answers(self, options: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """Return the answers in `options`, sorted from best to worst."""
        rounds = max(1, (len(options) - 1).bit_length())
        left, out = [*range(len(options))], list[int]()
        sums = [0.0] * len(options)
        numbers = count()
        for turn in range(rounds):
            for number in self._numbers(numbers, rounds - turn, rounds):
                for n, worth in zip(left, self._tried(number, options, left), strict=True):
                    sums[n] += worth
            left.sort(key=lambda n: -sums[n])
            keep = 1 if turn == rounds - 1 else (len(left) + 1) // 2
            left, out = left[:keep], left[keep:] + out
        return tuple(options[n] for n in (*left, *out))

    def win_shares_by_answer(self, options: tuple[Answer, ...], fewest: int) -> dict[Answer, float]:
        """Return a table from each answer in `options` to the share of games that the seat wins.

        The games are simulated. The table is empty if there is no time for at least `fewest` games.
        """
        every = [*range(len(options))]
        games = [self._tried(n, options, every) for n in self._numbers(count(), 1, 1)]
        if len(games) < fewest:
            return {}
        shares = (sum(worths) / len(games) for worths in zip(*games, strict=True))
        return dict(zip(options, shares, strict=True))

    def _numbers(self, numbers: Iterator[int], to_come: int, rounds: int) -> Iterator[int]:
        """Yield the numbers of the simulated games in one round of the search.

        Each round has a share of the simulated games, and a share of the time. When one of these
        two shares is used up, the round ends.
        """
        clock = self.clock or _no_time
        now = clock()
        if to_come == rounds:
            self.until = now + self.effort.seconds
        end = now + (self.until - now) / to_come
        for n in range(max(1, self.effort.worlds // rounds)):
            if n and clock() >= end:
                return
            yield next(numbers)

    def _tried(self, number: int, options: tuple[Answer, ...], left: list[int]) -> list[float]:
        """Return the seat's share of the win in one simulated game, for each answer in `left`.

        `left`: indexes of the remaining answers in `options`.
        """
        state = self.imagine(_rng(f"{self.seed}|{number}"))
        question = self.game.ask(state)
        assert question is not None
        computer = self.game.computer
        if self.effort.exact and computer is not None and computer.solve is not None:
            solved = computer.solve(state, self.seat)
            if solved is not None:
                return [solved.get(options[n], -1.0) for n in left]
        return [self._worth(state, question, options[n], number) for n in left]

    def _worth(self, state: Any, question: Question, answer: Answer, number: int) -> float:
        """Return the seat's chance of winning after an answer.

        A negative chance means that the rules refuse the answer.
        """
        try:
            state, _ = apply_answer_to_prompt(self.game, state, question, answer)
        except Refused:
            return -1.0
        return self._played_on(state, _rng(f"{self.seed}/{number}"))

    def _played_on(self, state: Any, rng: Random) -> float:
        """Play a simulated game to its end, or until the game can estimate the outcome.

        Return the seat's share of the win.
        """
        game, ahead, computer = self.game, self.effort.ahead, self.game.computer
        habit = computer.habit if computer is not None and self.effort.sensible else None
        estimate = None if computer is None else computer.estimate
        if computer is not None and self.effort.exact:
            estimate = computer.close_estimate or estimate
        for n in range(MAX_PLAYOUT_ANSWERS):
            question = game.ask(state)
            if question is None:
                break
            if ahead is not None and n >= ahead and estimate is not None:
                shares = estimate(state)
                if shares is not None:
                    return shares[self.seat]
            answer = None
            if habit is not None and (
                isinstance(question, Form) or not is_answered_by_box(question)
            ):
                answer = habit(state, question, rng)
            if (
                answer is not None
                and isinstance(question, Choose)
                and question.name in game.questions_with_announced_choice
            ):
                answer = random_result_favouring_wish(question, answer, rng)
            state = self._on(
                state, question, random_answer(question, rng) if answer is None else answer
            )
        outcome = game.outcome(state)
        if outcome is None:
            return 0.0
        return (self.player in outcome.winners) / max(1, len(outcome.winners))

    def _on(self, state: Any, question: Question, answer: Answer) -> Any:
        """Return the state after an answer. If the rules refuse the answer, try a random answer."""
        try:
            return apply_answer_to_prompt(self.game, state, question, answer)[0]
        except Refused:
            return apply_answer_to_prompt(
                self.game, state, question, random_answer(question, _rng(self.seed))
            )[0]


def _no_time() -> float:
    return 0.0


def _rng(seed: str) -> Random:
    return Random(seed)  # noqa: S311 - not for cryptography
