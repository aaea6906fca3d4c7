"""The rules of the score pad, clause by clause.

- SP-1: in each round every player, in seat order, enters the points of the round, plus or minus.
- SP-2: after the last player of a round, the box announces the totals.
- SP-3: the game ends after the agreed round, or after a round in which a total reaches the target.
- SP-4: the player with the highest total wins, or with the lowest total, as agreed. Tied players
  share the win.
- SP-5: players can correct the points of any round until the game is over.
- SP-6: players may end the game after any round. After round 50 the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from companion.core.game import Cue, Cues, Outcome
from companion.core.prompts import Answer, Choose, Form, Number, Prompt, Question, action_prompt

STEPS: Final = {"ones": (1,), "tens": (10, 1), "hundreds": (100, 10, 1)}
"""Steps of the wheels with which a player chooses a number, by the value of the option `size`."""
LIMITS: Final = {"ones": 20, "tens": 200, "hundreds": 2000}
"""Maximum number of points in a round, plus or minus, by the value of the option `size`."""
NAMES: Final = {100: "hundreds", 10: "tens", 1: "points"}
"""Name of the question that asks for a wheel, by the wheel's step."""
MAX_ROUNDS: Final = 50


@dataclass(frozen=True)
class State:
    """One moment of the game.

    `rounds` has the points of each seat in each round; the last round may be incomplete.
    """

    players: tuple[str, ...]
    wins: str
    ends: str
    size: str
    rounds: tuple[tuple[int, ...], ...] = ()
    finished: bool = False

    @property
    def complete(self) -> tuple[tuple[int, ...], ...]:
        """Return the rounds in which every player has entered points."""
        return tuple(points for points in self.rounds if len(points) == len(self.players))

    @property
    def totals(self) -> dict[str, int]:
        """Return the sum of the points of each player."""
        points = {who: self.of(seat) for seat, who in enumerate(self.players)}
        return {who: sum(numbers) for who, numbers in points.items()}

    @property
    def who(self) -> str:
        """Return the player who enters points next."""
        return self.players[sum(map(len, self.rounds)) % len(self.players)]

    @property
    def is_over(self) -> bool:
        """Return True if the game is over (SP-3, SP-6)."""
        played, target = len(self.complete), int(self.ends.removeprefix("to").replace("open", "0"))
        if played < len(self.rounds) or not played:
            return False
        if self.ends.startswith("to"):
            return self.finished or max(self.totals.values()) >= target or played >= MAX_ROUNDS
        return self.finished or played >= (target or MAX_ROUNDS)

    def of(self, seat: int) -> tuple[int, ...]:
        """Return the points of a seat in each round."""
        return tuple(points[seat] for points in self.rounds if seat < len(points))


def setup(players: tuple[str, ...], options: Mapping[str, str], _edition: Any) -> State:
    """Return the first state: a pad without points."""
    return State(players, options["wins"], options["ends"], options["size"])


def ask(state: State) -> Question | None:
    """Return the question for the next player's points (SP-1); None after the end of the game."""
    who = state.who
    return None if state.is_over else Form("score", who, partial(_points, state.size, who, 0))


def _points(size: str, who: str | None, now: int, given: Mapping[str, Answer]) -> Prompt | None:
    """Return the question for the next wheel; None after the last wheel.

    The first wheel has the largest step. Each later wheel chooses a number within the step of the
    wheel before. On a phone, a player may type the whole number at the first wheel. `now` is the
    number with which the first wheel begins.
    """
    chosen = width = 0
    for step in STEPS[size]:
        if NAMES[step] not in given:
            lo, hi = _within(chosen, width - step) if width else (-LIMITS[size], LIMITS[size])
            return Number(NAMES[step], who, lo, hi, chosen if width else now - now % step, by=step)
        chosen, width = given[NAMES[step]], step
        if chosen % step or abs(chosen) == LIMITS[size]:
            return None
    return None


def _within(chosen: int, more: int) -> tuple[int, int]:
    """Return the smallest and the largest number that the next wheel can choose."""
    return chosen - more * (chosen <= 0), chosen + more * (chosen >= 0)


def _number(given: Mapping[str, Answer]) -> int:
    """Return the number that the last wheel has chosen."""
    return next(int(given[NAMES[step]]) for step in (1, 10, 100) if NAMES[step] in given)


def on_score(state: State, given: Mapping[str, Answer]) -> tuple[State, Cues]:
    """Enter the points of a player (SP-1); the last player completes the round (SP-2)."""
    who, *before = state.who, *state.rounds
    begun = before.pop() if len(state.complete) < len(before) else ()
    state = replace(state, rounds=(*before, (*begun, _number(given))))
    facts = {"who": who, "points": _number(given), "total": state.totals[who]}
    scored = Cue("scored", facts, "SP-1")
    if len(state.complete) < len(state.rounds):
        return state, (scored,)
    counted = Cue("counted", {"round": len(state.rounds), "totals": state.totals}, "SP-2")
    return state, (scored, counted, *_won(state))


def _won(state: State) -> Cues:
    """Return the fact about the winners (SP-4) if the game is over (SP-3); otherwise no fact."""
    if (won := outcome(state)) is None:
        return ()
    facts = {"winners": won.winners, "points": won.scores[won.winners[0]]}
    return (Cue("won", facts, "SP-4"),)


def anytime(state: State) -> tuple[Question, ...]:
    """Return the questions that players may answer out of turn (SP-5, SP-6)."""
    if state.is_over or not state.rounds:
        return ()
    correct = Form("correct", None, partial(_correction, state))
    is_complete = len(state.complete) == len(state.rounds)
    return (correct, action_prompt("finish")) if is_complete else (correct,)


def _correction(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """Return the next question of a correction: which player, which round, which number (SP-5)."""
    if "who" not in given:
        return Choose("who", None, state.players[: len(state.rounds[0])])
    points = state.of(state.players.index(given["who"]))
    if "round" not in given and len(points) > 1:
        return Number("round", None, 1, len(points), len(points))
    return _points(state.size, None, points[given.get("round", 1) - 1], given)


def on_correct(state: State, given: Mapping[str, Answer]) -> tuple[State, Cues]:
    """Correct the points of a player in one round (SP-5)."""
    who, at, points = given["who"], given.get("round", 1) - 1, _number(given)
    numbers = [*state.rounds[at]]
    numbers[state.players.index(who)] = points
    state = replace(state, rounds=(*state.rounds[:at], tuple(numbers), *state.rounds[at + 1 :]))
    facts = {"who": who, "round": at + 1, "points": points, "total": state.totals[who]}
    return state, (Cue("corrected", facts, "SP-5"), *_won(state))


def on_finish(state: State, _value: Answer) -> tuple[State, Cues]:
    """End the game after this round (SP-6)."""
    state = replace(state, finished=True)
    return state, _won(state)


def view(state: State, _player: str | None) -> dict[str, Any]:
    """Return the view of the state, which is equal for all players: this game has no secrets."""
    return {
        "scores": state.totals,
        "rounds": {who: [*state.of(seat)] for seat, who in enumerate(state.players)},
        "round": max(1, len(state.complete) + (not state.is_over)),
        "ends": state.ends,
        "to_act": None if state.is_over else state.who,
    }


def outcome(state: State) -> Outcome | None:
    """Return the winners and the totals (SP-4); None before the end of the game."""
    if not state.is_over:
        return None
    best = (min if state.wins == "lowest" else max)(state.totals.values())
    winners = tuple(who for who, total in state.totals.items() if total == best)
    return Outcome(winners, state.totals)
