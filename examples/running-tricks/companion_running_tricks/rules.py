"""The rules of running tricks, clause by clause.

- RT-1: the players enter the winner of each trick, who leads to the next trick.
- RT-2: after the last trick of a deal, each trick is a point, and the next player leads.
- RT-3: after a deal, the player with the most points wins if these points reach the target. Tied
  players share the win.
- RT-4: players can correct points until the game is won.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from companion.core.game import Cue, Cues, Outcome
from companion.core.prompts import Answer, Choose, Form, JsonValues, Number, Prompt


@dataclass(frozen=True)
class State:
    """One moment of the game: `tricks` of this deal and `points` of earlier deals, for each seat.

    `size` is the number of tricks in a deal. `target` is the number of points that wins.
    """

    players: tuple[str, ...]
    size: int
    target: int
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    deal: int = 1
    leader: int = 0


def setup(players: tuple[str, ...], options: Mapping[str, str], _edition: Any) -> State:
    """Return the first state, in which no player has tricks or points."""
    none = (0,) * len(players)
    return State(players, int(options["tricks"]), int(options["target"]), none, none)


def ask(state: State) -> Choose | None:
    """Return the question which player has won the trick (RT-1); None after the end of the game."""
    return None if max(state.points) >= state.target else Choose("trick", None, state.players)


def on_trick(state: State, who: str) -> tuple[State, Cues]:
    """Add a trick to the player who won it (RT-1); the last trick ends the deal (RT-2)."""
    seat = state.players.index(who)
    tricks = tuple(n + (other == seat) for other, n in enumerate(state.tricks))
    state = replace(state, tricks=tricks, leader=seat)
    facts = {"who": who, "totals": _each(state, tricks), "left": state.size - sum(tricks)}
    taken = Cue("taken", facts, "RT-1")
    return (state, (taken,)) if facts["left"] else _count(state, taken)


def _count(state: State, taken: Cue) -> tuple[State, Cues]:
    """Turn tricks into points and change the leader (RT-2), or end the game (RT-3)."""
    points = tuple(map(sum, zip(state.points, state.tricks, strict=True)))
    counted = Cue("counted", {"deal": state.deal, "totals": _each(state, points)}, "RT-2")
    ended = replace(state, points=points)
    if (won := outcome(ended)) is not None:
        facts = {"winners": won.winners, "points": max(points)}
        return ended, (taken, counted, Cue("won", facts, "RT-3"))
    none, leader = (0,) * len(points), state.deal % len(points)
    return replace(ended, tricks=none, deal=state.deal + 1, leader=leader), (taken, counted)


def anytime(state: State) -> tuple[Form, ...]:
    """Return the questions that players may answer out of turn: a correction (RT-4)."""
    return () if ask(state) is None else (Form("correct", None, partial(_correction, state)),)


def _correction(state: State, given: Mapping[str, Answer]) -> Prompt | None:
    """Return the next question of a correction: which player, then how many points (RT-4)."""
    if "who" not in given:
        return Choose("who", None, state.players)
    now = state.points[state.players.index(str(given["who"]))]
    return None if "points" in given else Number("points", None, 0, state.target - 1, now)


def on_correct(state: State, given: JsonValues) -> tuple[State, Cues]:
    """Correct the points of a player (RT-4)."""
    points = _each(state, state.points) | {given["who"]: given["points"]}
    cue = Cue("corrected", {"who": given["who"], "points": given["points"]}, "RT-4")
    return replace(state, points=tuple(points.values())), (cue,)


def view(state: State, _player: str | None) -> dict[str, Any]:
    """Return the view of the state, which is equal for all players: this game has no secrets."""
    return {
        "tricks": _each(state, state.tricks),
        "points": _each(state, state.points),
        "left": state.size - sum(state.tricks),
        "deal": state.deal,
        "to_act": None if ask(state) is None else state.players[state.leader],
    }


def outcome(state: State) -> Outcome | None:
    """Return the winners and the points (RT-3); None before the end of the game."""
    points = _each(state, state.points)
    winners = tuple(who for who, n in points.items() if n == max(state.points))
    return Outcome(winners, points) if ask(state) is None else None


def _each(state: State, values: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(state.players, values, strict=True))
