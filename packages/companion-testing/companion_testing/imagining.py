"""What a seat of the box's own imagines could be: to that seat it looks as the game does.

`ComputerPlayer.imagine` never receives a state, so it can know no secret but those that it was
told. The states that it returns have the same view, secrets, question and answers for the player,
also for a seat that forgets, or came late.
"""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.core.game import Cue, Memory
from companion.core.prompts import accepts, choices, is_private
from companion_testing.table import Told
from companion_testing.twins import looks_the_same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from companion.core.game import Cues, Game
    from companion.core.prompts import Question
    from companion_testing.playing import Move, Playout
    from companion_testing.table import Table, Telling

SPANS: Final = (None, 3, 0)
"""How many facts those remember who are tried: all, few, and none."""


def imagining(playout: Playout) -> Telling:
    """A seat that the box plays imagines games that look to it as this one does."""
    table, game = playout.table, playout.table.game
    if not game.playable(table.options):
        return
    told = {player: received_cues(game.opening(playout.start), player) for player in table.players}
    late = told  # what a program is told that comes in the middle
    for n, move in enumerate(playout.moves):
        if n == len(playout.moves) // 2:
            late = {player: _secrets(game, move.before, player) for player in table.players}
        for player in _imagining_players(playout, n) if move.asked else ():
            facts = (late if n % 2 else told)[player]
            known = memory(table, facts, move.prompt, player, span=SPANS[n % len(SPANS)])
            for what in _compare_state(game, move.before, known, player):
                yield Told(what, playout.at(n))
        told, late = _learn(game, told, move), _learn(game, late, move)


def _imagining_players(playout: Playout, n: int) -> tuple[str, ...]:
    """Who imagines what could be at a move: whoever is asked, and another seat in turn."""
    who, players = playout.moves[n].prompt.who, playout.table.players
    turn = players[n % len(players)]
    return (turn,) if who in (None, turn) else (who, turn)


def _learn(game: Game[Any], told: Mapping[str, Cues], move: Move) -> dict[str, Cues]:
    """What each player knows after a move: the facts, and of an own covert answer what it was."""
    known = {player: (*facts, *received_cues(move.cues, player)) for player, facts in told.items()}
    who = move.prompt.who
    if who is not None and move.prompt.name in game.covert:
        known[who] += _secrets(game, move.after, who)
    return known


def received_cues(cues: Iterable[Cue], player: str) -> Cues:
    """The facts that a player is told of some, as a line of text has them."""
    return tuple(
        Cue(cue.name, plain(cue.facts), cue.clause, cue.to)
        for cue in cues
        if cue.to in (None, player)
    )


def plain(value: Any) -> Any:
    """A value as JSON gives it back."""
    return json.loads(json.dumps(value))


def memory(
    table: Table, facts: Cues, question: Question, player: str, *, span: int | None = None
) -> Memory:
    """What a player has been told, with the question that stands."""
    hidden = is_private(question) and question.who != player
    return Memory(
        table.players,
        table.options,
        table.edition,
        facts,
        question.name,
        question.who,
        () if hidden else tuple(plain([*choices(question)])),
        plain(question.facts),
        span=span,
    )


def _secrets(game: Game[Any], state: Any, player: str) -> Cues:
    """What a program is told that comes while a game is on: the player's own secrets."""
    return received_cues((cue for cue in game.secrets(state) if cue.to == player), player)


def _compare_state(game: Game[Any], state: Any, told: Memory, player: str) -> Iterator[str]:
    """What of an imagined state tells that player that it is none."""
    assert game.computer is not None
    imagine, instinct = game.computer.imagine, game.computer.instinct
    seen, seed = plain(game.view(state, None)), repr((player, len(told.facts)))
    made = imagine(seen, told, player, Random(seed))
    if made != imagine(seen, told, player, Random(seed)):
        yield "imagine draws another state from the same numbers"
    for who in (None, player):
        ours, theirs = plain(game.view(state, who)), plain(game.view(made, who))
        if ours != theirs:
            names = ", ".join(name for name in ours if ours[name] != theirs.get(name))
            yield f"what is imagined shows something else in {names}"
    if _secrets(game, state, player) != _secrets(game, made, player):
        yield "what is imagined has other secrets of the player's own"
    one, two = game.ask(state), game.ask(made)
    if not looks_the_same(one, two, player):
        yield f"what is imagined asks otherwise: {two and two.name} for {one and one.name}"
    if instinct is not None and told.who == player and one is not None:
        thought = instinct(seen, told, player, Random(seed))
        strange = [answer for answer in thought if not accepts(one, answer)]
        if strange:
            yield f"instinct thinks of {strange[0]!r}, which is no answer"
