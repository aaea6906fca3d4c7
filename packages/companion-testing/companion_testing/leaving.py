"""Checks of random games in which a player leaves the game."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from companion.core.game import Game
from companion.core.prompts import (
    LEAVING_PLAYER_QUESTION,
    Form,
    Question,
    is_answered_by_box,
    legal_answers,
)
from companion_testing.playing import Playout, move_from_answer, random_moves
from companion_testing.table import Faults, GameFault, faults_with_place, sample_evenly

MAX_TRIED_MOMENTS: Final = 3
"""Maximum number of moves in a random game at which the check lets a player leave."""
MAX_MOVES_AFTER_LEAVING: Final = 2_000
"""Maximum number of moves that are checked after a player has left."""


def check_leaving_players(playout: Playout) -> Faults:
    """A player who has left is asked nothing and cannot win; the last remaining player wins."""
    game, rng = playout.table.game, playout.new_random_generator
    asked = [n for n, move in enumerate(playout.moves) if not move.is_answered_by_box]
    offered = [n for n in asked if _leaves(game, playout.moves[n].before) is not None]
    for n in asked:
        if offered and n > offered[0] and n not in offered:
            yield GameFault("nobody can leave any more, and could before", playout.place_of_move(n))
    for n in sample_evenly(offered, MAX_TRIED_MOMENTS):
        state = playout.moves[n].before
        who = rng.choice([*_stay(game, state)])
        yield from faults_with_place(playout.place_of_move(n), _without(playout, n, who))


def _without(playout: Playout, n: int, who: str) -> Faults:
    game, state = playout.table.game, playout.moves[n].before
    question = _leaves(game, state)
    assert question is not None
    left = move_from_answer(game, state, question, who)
    if left.fault is not None:
        yield left.fault
        return
    stay = _stay(game, left.after)
    if who in stay:
        yield f"{who} has left, and can leave again"
    yield from _goes_on(
        game, left.after, stay or tuple(other for other in _stay(game, state) if other != who)
    )
    goes_on = random_moves(game, left.after, playout.chance, playout.seed + n)
    for move in islice(goes_on, MAX_MOVES_AFTER_LEAVING):
        if move.fault is not None:
            yield move.fault
            return
        if move.followed:
            yield from _goes_on(game, move.after, stay)
            stay = _stay(game, move.after) or stay


def _goes_on(game: Game[Any], state: Any, stay: tuple[str, ...]) -> Faults:
    """Yield a fault if a player who left wins or is asked, or if the last player goes on alone."""
    outcome = game.outcome(state)
    if outcome is not None:
        if not {*outcome.winners} <= {*stay}:
            yield f"{outcome.winners} win, and only {stay} are in the game"
        return
    there = _stay(game, state)
    question, acts = game.ask(state), game.view(state, None).get("to_act")
    if len(there) == 1:
        yield f"the game goes on with {there[0]} alone"
    if question is not None and not _by_box(question) and question.who not in (None, *there):
        yield f"{question.name} is asked of {question.who}, who has left"
    if acts not in (None, *there):
        yield f"it is the turn of {acts}, who has left"


def _by_box(question: Question) -> bool:
    return not isinstance(question, Form) and is_answered_by_box(question)


def _leaves(game: Game[Any], state: Any) -> Question | None:
    return next(
        (question for question in game.anytime(state) if question.name == LEAVING_PLAYER_QUESTION),
        None,
    )


def _stay(game: Game[Any], state: Any) -> tuple[str, ...]:
    question = _leaves(game, state)
    return () if question is None else tuple(legal_answers(question))
