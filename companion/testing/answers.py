"""What holds of every question, answer and state of a game, whatever its rules are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import Refused
from companion.core.fold import advance, step
from companion.core.prompts import Choose, Form, Number, Roll, accepts, by_box, choices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.game import Cue, Game
    from companion.core.prompts import Answer, Prompt, Question
    from companion.testing.playing import Playout

STRANGE: Final[tuple[Any, ...]] = (
    None, True, False, "", "nobody", "?", -1, 10**9, 1.0, float("nan"), [], [7], [1.0], {},
    {"who": "nobody"}, [0] * 44,
)  # fmt: skip
"""What no question of any game asks for."""
EVERY: Final = 10
"""What may be said out of turn is looked at after each so-manyth answer."""
FEW: Final = 40
"""So many answers of one question are tried."""


def ends(playout: Playout) -> Iterator[str]:
    """A game asks until it is over, and has an outcome then and not before.

    The same answers make the same game, and whoever is asked is a player.
    """
    game, players = playout.table.game, {*playout.table.players}
    state = playout.start
    for move in playout.moves:
        if game.outcome(state) is not None and not move.spoken:
            yield f"{move.prompt.name} is asked after the end"
        if move.prompt.name not in game.on:
            yield f"{move.prompt.name} is asked, and `on` does not know it"
        state = step(game, state, move.prompt, move.value)[0]
    if state != playout.end:
        yield "the same answers do not lead to the same state"
    for shown in [*map(game.ask, _states(playout))]:
        if shown is not None and shown.who not in {None, *players}:
            yield f"{shown.name} is asked of {shown.who}, who is no player"
    if not playout.slip:
        yield from _over(playout)


def _states(playout: Playout) -> list[Any]:
    return [playout.start, *(move.after for move in playout.moves)]


def _over(playout: Playout) -> Iterator[str]:
    game, players = playout.table.game, playout.table.players
    outcome = game.outcome(playout.end)
    if game.ask(playout.end) is not None:
        yield f"after {len(playout.moves)} answers there is still no end"
    elif outcome is None:
        yield "nothing is asked any more, and there is no outcome"
    elif not outcome.winners or not {*outcome.winners} <= {*players}:
        yield f"the winners are {outcome.winners}"
    elif {*outcome.scores} != {*players}:
        yield f"the scores are those of {', '.join(outcome.scores)}"


# --- every answer that is offered, and no other ---------------------------------------------------


def answers(playout: Playout) -> Iterator[str]:
    """Every answer that is offered is taken and does something; no other one is."""
    game = playout.table.game
    for n, state in enumerate(_states(playout)):
        prompt = game.ask(state)
        if prompt is not None:
            yield from _offered(game, state, prompt)
            yield from _strange(game, state, prompt)
        for question in () if n % EVERY else game.anytime(state):
            yield from _out_of_turn(game, state, question)


def _offered(game: Game[Any], state: Any, prompt: Prompt) -> Iterator[str]:
    if by_box(prompt):
        return
    offered = choices(prompt)
    if len({*map(repr, offered)}) != len(offered):
        yield f"{prompt.name} offers an answer twice"
    if len(offered) < (1 if prompt.private else 2):
        yield f"{prompt.name} is asked, with nothing to choose"
    if isinstance(prompt, Choose) and len(prompt.weights or offered) != len(offered):
        yield f"{prompt.name} has {len(prompt.weights)} weights for {len(offered)} answers"
    for value in offered[:: max(1, len(offered) // FEW)]:
        if not accepts(prompt, value):
            yield f"{prompt.name} offers {value!r}, and refuses it"
            continue
        after, cues = advance(game, state, value)
        if after == state and not cues:
            yield f"{prompt.name}, answered with {value!r}, does nothing"
        if cues and cues[0].name == "nothing":
            yield f"{prompt.name} offers {value!r}, and nothing can be done of it"


def strange_for(prompt: Prompt) -> list[Answer]:
    """What is no answer to `prompt`, though it may look like one."""
    offered = [] if by_box(prompt) else [*choices(prompt)]
    near: list[Answer] = [*STRANGE]
    for value in (*offered[:2], *offered[-2:]):
        near += [f"{value} ", [value], {"answer": value}]
        near += [float(value), str(value)] if type(value) is int else [f"{value}x"]
    if isinstance(prompt, Number):
        near += [prompt.lo - 1, prompt.hi + 1]
    if isinstance(prompt, Roll):
        near += [[0] * prompt.dice, [7] * prompt.dice, [1] * (prompt.dice + 1)]
    free = [value for value in near if type(value) is not str or isinstance(prompt, Choose)]
    kept = {(type(value), repr(value)) for value in offered}
    return [value for value in free if (type(value), repr(value)) not in kept]


def _strange(game: Game[Any], state: Any, prompt: Prompt) -> Iterator[str]:
    for value in strange_for(prompt):
        if accepts(prompt, value):
            yield f"{prompt.name} takes {value!r}"
    yield from _taken(game, state, None, None)
    yield from _taken(game, state, 0, "no such question")


def _out_of_turn(game: Game[Any], state: Any, question: Question) -> Iterator[str]:
    """A question out of turn has a handler, something to choose, and takes nothing strange."""
    if question.name not in game.on:
        yield f"{question.name} may be said out of turn, and `on` does not know it"
    first = question.ask({}) if isinstance(question, Form) else question
    if first is None or not choices(first):
        yield f"{question.name} may be said out of turn, with nothing to choose"
    odd: tuple[Answer, ...] = (None, True, "", [], {"nobody": 1}, 1.5)
    for value in odd:
        if value is not True or not accepts(question, True):
            yield from _taken(game, state, value, question.name)


def _taken(game: Game[Any], state: Any, value: Answer, question: str | None) -> Iterator[str]:
    """Whether something is taken that must be refused."""
    try:
        advance(game, state, value, question)
    except Refused:
        return
    yield f"{value!r} is taken as an answer to {question or 'the question'}"


# --- values ---------------------------------------------------------------------------------------


def values(playout: Playout) -> Iterator[str]:
    """A state never changes and can be hashed; what is shown and told can be written as JSON."""
    game = playout.table.game
    for player in (None, *playout.table.players):
        shown = game.view(playout.start, player)
        if json.dumps(shown) != json.dumps(game.view(playout.start, player)):
            yield "two looks at one state differ"
    for state in _states(playout):
        hash(state)
        json.dumps(game.view(state, None))
    for move in playout.moves:
        for cue in move.cues:
            json.dumps(cue.facts)
            yield from _addressed(cue, playout)


def _addressed(cue: Cue, playout: Playout) -> Iterator[str]:
    if cue.to not in {None, *playout.table.players}:
        yield f"{cue.name} is told to {cue.to}, who is no player"
    if cue.to is not None and cue.facts.get("who", cue.to) != cue.to:
        yield f"{cue.name}, which is about {cue.facts['who']} alone, is told to {cue.to}"
