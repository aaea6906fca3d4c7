"""What is hidden stays hidden: it is told and shown to those alone who may know it."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import Refused
from companion.core.fold import step
from companion.core.prompts import Form, Roll, Shuffle, by_box
from companion.testing.table import Told
from companion.testing.twins import other, twins

if TYPE_CHECKING:
    from companion.core.prompts import Prompt
    from companion.testing.playing import Move, Playout
    from companion.testing.table import Telling

FEW: Final = 6
"""So many answers of one question are tried."""


def secrecy(playout: Playout) -> Telling:
    """Nothing that is public, and nobody else's view, depends on what is hidden."""
    yield from _told_again(playout)
    yield from _kept(playout)
    yield from twins(playout)


def _told_again(playout: Playout) -> Telling:
    """What is told to one player alone is told again by a resumed game, unless all see it now."""
    game = playout.table.game
    for n, move in enumerate(playout.moves):
        private = [cue for cue in move.cues if cue.to is not None]
        secrets = [(cue.name, cue.facts, cue.to) for cue in game.secrets(move.after)]
        lost = [cue for cue in private if (cue.name, cue.facts, cue.to) not in secrets]
        public = json.dumps(game.view(move.after, None)) if lost else ""
        for cue in lost:
            if not all(str(fact) in public for fact in cue.facts.values()):
                what = f"{cue.name} is told to {cue.to}, and is none of the player's secrets"
                yield Told(what, playout.at(n))


def _kept(playout: Playout) -> Telling:
    """A secret answer is known to be one: else the record, or taking it back, tells it to all.

    An answer that nobody else can see is covert, and one that is shown to some alone is asked for
    in private. What the box itself rolls in private is exported to nobody, and taken back by no
    undo of its own.
    """
    game, rng, seen = playout.table.game, playout.rng, Counter[str]()
    for n, move in enumerate(playout.moves):
        prompt = move.prompt
        if isinstance(prompt, (Form, Shuffle)) or prompt.name in game.covert:
            continue
        if prompt.private and by_box(prompt):
            continue
        seen[prompt.name] += 1
        if seen[prompt.name] > FEW or (value := other(move, rng)) == move.value:
            continue
        try:
            after, cues = step(game, move.before, prompt, value)
        except Refused:
            continue
        public = tuple(cue for cue in cues if cue.to is None)
        if public != move.public or game.view(after, None) != game.view(move.after, None):
            continue
        if prompt.private:
            what = f"{prompt.name} is answered in secret, and is not in `covert`"
            yield Told(what, playout.at(n))
            return
        if who := _told_alone(playout, move, after):
            yield Told(_in_the_open(prompt, who), playout.at(n))
            return


def _told_alone(playout: Playout, move: Move, after: Any) -> str:
    """Who alone can see which of two answers it was; "" if nobody can."""
    view = playout.table.game.view
    players = playout.table.players
    return ", ".join(who for who in players if view(after, who) != view(move.after, who))


def _in_the_open(prompt: Prompt, who: str) -> str:
    kept = "`private`" if isinstance(prompt, Roll) else "`private`, and in `covert`"
    return f"{prompt.name} is asked of all, and {who} alone can see the answer: it must be {kept}"
