"""Checks of the states that a computer player imagines.

`ComputerPlayer.imagine` receives no state, so the computer player knows only the secrets of one
seat. For this seat, an imagined state must have the real view, secrets, question and answers. The
checks include computer players that forget events or join a game late.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, Final

from companion.core.game import Cue, Cues, Game, SeatMemory
from companion.core.prompts import Question, is_legal_answer, is_private_question, legal_answers
from companion_testing.playing import Move, Playout
from companion_testing.table import Faults, GameFault, GameTable
from companion_testing.twins import questions_look_equal_to_player

MEMORY_SPANS: Final = (None, 3, 0)
"""Numbers of events that a tested computer player remembers; None means all events."""


def check_imagined_games(playout: Playout) -> Faults:
    """For the seat of a computer player, an imagined state looks like the real game."""
    table, game = playout.table, playout.table.game
    if not game.can_box_play_seat(table.options):
        return
    received = {
        player: cues_received_by_player(game.opening(playout.start), player)
        for player in table.players
    }
    late = received  # the events for players who join during the game
    for n, move in enumerate(playout.moves):
        if n == len(playout.moves) // 2:
            late = {player: _secrets(game, move.before, player) for player in table.players}
        for player in _imagining_players(playout, n) if move.is_answer_of_asked_person else ():
            facts = (late if n % 2 else received)[player]
            memory = player_memory(
                table, facts, move.prompt, player, span=MEMORY_SPANS[n % len(MEMORY_SPANS)]
            )
            for difference in _compare_state(game, move.before, memory, player):
                yield GameFault(difference, playout.place_of_move(n))
        received, late = _learn(game, received, move), _learn(game, late, move)


def _imagining_players(playout: Playout, n: int) -> tuple[str, ...]:
    """Return the players for whom a computer player imagines states at move `n`.

    The returned players are the player who is asked at the move, if any, and a second player. The
    second player changes with each move. If both players are the same, the player is returned
    once.
    """
    who, players = playout.moves[n].prompt.who, playout.table.players
    turn = players[n % len(players)]
    return (turn,) if who in (None, turn) else (who, turn)


def _learn(game: Game[Any], received: Mapping[str, Cues], move: Move) -> dict[str, Cues]:
    """Return the events that each player has received after a move.

    If the move answers a covert question, the asked player also receives the secrets after the
    answer.
    """
    facts_after = {
        player: (*facts, *cues_received_by_player(move.cues, player))
        for player, facts in received.items()
    }
    who = move.prompt.who
    if who is not None and move.prompt.name in game.covert:
        facts_after[who] += _secrets(game, move.after, who)
    return facts_after


def cues_received_by_player(cues: Iterable[Cue], player: str) -> Cues:
    """Return the events that a player receives, in the form of the text protocol."""
    return tuple(
        Cue(cue.name, json_round_trip(cue.facts), cue.clause, cue.to)
        for cue in cues
        if cue.to in (None, player)
    )


def json_round_trip(value: Any) -> Any:
    """Return a value after conversion to JSON and back."""
    return json.loads(json.dumps(value))


def player_memory(
    table: GameTable, facts: Cues, question: Question, player: str, *, span: int | None = None
) -> SeatMemory:
    """Return a player's memory of a game at the pending question.

    - `span`: the number of remembered events, or None for all events.
    """
    hidden = is_private_question(question) and question.who != player
    return SeatMemory(
        table.players,
        table.options,
        table.edition,
        facts,
        question.name,
        question.who,
        () if hidden else tuple(json_round_trip([*legal_answers(question)])),
        json_round_trip(question.facts),
        span=span,
    )


def _secrets(game: Game[Any], state: Any, player: str) -> Cues:
    """Return the player's secrets as a program receives them if the program joins during a game."""
    return cues_received_by_player((cue for cue in game.secrets(state) if cue.to == player), player)


def _compare_state(game: Game[Any], state: Any, memory: SeatMemory, player: str) -> Iterator[str]:
    assert game.computer is not None
    imagine, instinct = game.computer.imagine, game.computer.instinct
    seen, seed = json_round_trip(game.view(state, None)), repr((player, len(memory.facts)))
    made = imagine(seen, memory, player, Random(seed))
    if made != imagine(seen, memory, player, Random(seed)):
        yield "imagine draws another state from the same numbers"
    for who in (None, player):
        ours, theirs = json_round_trip(game.view(state, who)), json_round_trip(game.view(made, who))
        if ours != theirs:
            names = ", ".join(name for name in ours if ours[name] != theirs.get(name))
            yield f"what is imagined shows something else in {names}"
    if _secrets(game, state, player) != _secrets(game, made, player):
        yield "what is imagined has other secrets of the player's own"
    real, imagined = game.ask(state), game.ask(made)
    if not questions_look_equal_to_player(real, imagined, player):
        names = f"{imagined and imagined.name} for {real and real.name}"
        yield f"what is imagined asks otherwise: {names}"
    if instinct is not None and memory.who == player and real is not None:
        thought = instinct(seen, memory, player, Random(seed))
        strange = [answer for answer in thought if not is_legal_answer(real, answer)]
        if strange:
            yield f"instinct thinks of {strange[0]!r}, which is no answer"
