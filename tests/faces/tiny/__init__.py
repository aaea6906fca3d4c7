"""A game with only rules and sentences: a colour, a hidden number, a race to ten."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from companion.core.game import Cue, Cues, Game, Outcome
from companion.core.prompts import Answer, Choose, Prompt

GOAL: Final = 10


class State(NamedTuple):
    """The answers so far."""

    players: tuple[str, ...]
    colour: str | None = None
    hidden: int | None = None
    added: tuple[int, ...] = ()


def setup(players: tuple[str, ...], _options: Any, _edition: Any) -> State:
    return State(players)


def turn(state: State) -> str:
    return state.players[len(state.added) % len(state.players)]


def ask(state: State) -> Prompt | None:
    if sum(state.added) >= GOAL:
        return None
    if state.colour is None:
        return Choose("colour", turn(state), ("red", "blue"))
    if state.hidden is None:
        return Choose("hide", turn(state), (1, 2, 3), private=True)
    return Choose("add", turn(state), (1, 2, 3))


def on_add(state: State, value: Answer) -> tuple[State, Cues]:
    who, after = turn(state), state._replace(added=(*state.added, value))
    total = sum(after.added)
    added = Cue("added", {"who": who, "n": value, "total": total}, "TI-1")
    return after, (added, Cue("won", {"who": who}, "TI-1")) if total >= GOAL else (added,)


def view(state: State, player: str | None) -> dict[str, Any]:
    each = {who: state.added[seat :: len(state.players)] for seat, who in enumerate(state.players)}
    seen = {
        "to_act": turn(state),
        "total": sum(state.added),
        "added": {who: sum(own) for who, own in each.items()},
        "turns": {who: list(own) for who, own in each.items()},
        "colour": state.colour,
        "secret_kept": state.hidden is not None,
        "board": {"not": {"plain": True}},
    }
    return seen | ({"hidden": [state.hidden, 7]} if player == state.players[0] else {})


def outcome(state: State) -> Outcome | None:
    if ask(state) is not None:
        return None
    winner = state.players[(len(state.added) - 1) % len(state.players)]
    return Outcome((winner,), view(state, None)["added"])


def secrets(state: State) -> Cues:
    return () if state.hidden is None else (Cue("kept", {}, to=state.players[0]),)


GAME: Final[Game[State]] = Game(
    name="tiny",
    seats=range(2, 5),
    options=(),
    setup=setup,
    ask=ask,
    on={
        "colour": lambda state, value: (state._replace(colour=value), ()),
        "hide": lambda state, value: (state._replace(hidden=value), ()),
        "add": on_add,
    },
    view=view,
    outcome=outcome,
    secrets=secrets,
)
