"""Checks of a computer player's imagined states: to its player they look like the real game.

`ComputerPlayer.imagine` never receives a state, so it knows only the secrets it was sent. The
imagined states must have the player's view, secrets, question and answers, also for a player that
forgets or joined late.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, Final

from companion.core.game import Cue, Cues, Game, Memory
from companion.core.prompts import Question, accepts, is_private, legal_answers
from companion_testing.playing import Move, Playout
from companion_testing.table import Fault, Faults, Table
from companion_testing.twins import looks_equal

MEMORY_SPANS: Final = (None, 3, 0)
"""Numbers of remembered facts that are tested: all, few, and none."""


def check_imagining(playout: Playout) -> Faults:
    """A computer player imagines games that look to its player like this one."""
    table, game = playout.table, playout.table.game
    if not game.box_can_play(table.options):
        return
    received = {
        player: received_cues(game.opening(playout.start), player) for player in table.players
    }
    late = received  # the facts of a program that joins during the game
    for n, move in enumerate(playout.moves):
        if n == len(playout.moves) // 2:
            late = {player: _secrets(game, move.before, player) for player in table.players}
        for player in _imagining_players(playout, n) if move.asked else ():
            facts = (late if n % 2 else received)[player]
            memory = player_memory(
                table, facts, move.prompt, player, span=MEMORY_SPANS[n % len(MEMORY_SPANS)]
            )
            for difference in _compare_state(game, move.before, memory, player):
                yield Fault(difference, playout.at(n))
        received, late = _learn(game, received, move), _learn(game, late, move)


def _imagining_players(playout: Playout, n: int) -> tuple[str, ...]:
    """Return the players whose imagination is tested at a move: the asked one, or each in turn."""
    who, players = playout.moves[n].prompt.who, playout.table.players
    turn = players[n % len(players)]
    return (turn,) if who in (None, turn) else (who, turn)


def _learn(game: Game[Any], received: Mapping[str, Cues], move: Move) -> dict[str, Cues]:
    """Return each player's facts after a move, with the results of covert own answers."""
    facts_after = {
        player: (*facts, *received_cues(move.cues, player)) for player, facts in received.items()
    }
    who = move.prompt.who
    if who is not None and move.prompt.name in game.covert:
        facts_after[who] += _secrets(game, move.after, who)
    return facts_after


def received_cues(cues: Iterable[Cue], player: str) -> Cues:
    """Return the facts that a player receives, as the text protocol sends them."""
    return tuple(
        Cue(cue.name, as_json_value(cue.facts), cue.clause, cue.to)
        for cue in cues
        if cue.to in (None, player)
    )


def as_json_value(value: Any) -> Any:
    """Return a value as JSON gives it back."""
    return json.loads(json.dumps(value))


def player_memory(
    table: Table, facts: Cues, question: Question, player: str, *, span: int | None = None
) -> Memory:
    """Return the memory of a player at the pending question."""
    hidden = is_private(question) and question.who != player
    return Memory(
        table.players,
        table.options,
        table.edition,
        facts,
        question.name,
        question.who,
        () if hidden else tuple(as_json_value([*legal_answers(question)])),
        as_json_value(question.facts),
        span=span,
    )


def _secrets(game: Game[Any], state: Any, player: str) -> Cues:
    """Return the player's own secrets, as a program receives them that joins during a game."""
    return received_cues((cue for cue in game.secrets(state) if cue.to == player), player)


def _compare_state(game: Game[Any], state: Any, memory: Memory, player: str) -> Iterator[str]:
    """Yield how an imagined state differs from what its player sees."""
    assert game.computer is not None
    imagine, instinct = game.computer.imagine, game.computer.instinct
    seen, seed = as_json_value(game.view(state, None)), repr((player, len(memory.facts)))
    made = imagine(seen, memory, player, Random(seed))
    if made != imagine(seen, memory, player, Random(seed)):
        yield "imagine draws another state from the same numbers"
    for who in (None, player):
        ours, theirs = as_json_value(game.view(state, who)), as_json_value(game.view(made, who))
        if ours != theirs:
            names = ", ".join(name for name in ours if ours[name] != theirs.get(name))
            yield f"what is imagined shows something else in {names}"
    if _secrets(game, state, player) != _secrets(game, made, player):
        yield "what is imagined has other secrets of the player's own"
    real, imagined = game.ask(state), game.ask(made)
    if not looks_equal(real, imagined, player):
        names = f"{imagined and imagined.name} for {real and real.name}"
        yield f"what is imagined asks otherwise: {names}"
    if instinct is not None and memory.who == player and real is not None:
        thought = instinct(seen, memory, player, Random(seed))
        strange = [answer for answer in thought if not accepts(real, answer)]
        if strange:
            yield f"instinct thinks of {strange[0]!r}, which is no answer"
