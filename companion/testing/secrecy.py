"""What is hidden stays hidden: it is told and shown to those alone who may know it."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Final

from companion.core.fold import step
from companion.core.prompts import Form, Shuffle, choices
from companion.testing.twins import twins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.testing.playing import Playout

FEW: Final = 6
"""So many answers of one question are tried."""


def secrecy(playout: Playout) -> Iterator[str]:
    """Nothing that is public, and nobody else's view, depends on what is hidden."""
    yield from _told_again(playout)
    yield from _kept(playout)
    yield from twins(playout)


def _told_again(playout: Playout) -> Iterator[str]:
    """What is told to one player alone is told again by a resumed game, unless all see it now."""
    game = playout.table.game
    for move in playout.moves:
        private = [cue for cue in move.cues if cue.to is not None]
        secrets = [(cue.name, cue.facts, cue.to) for cue in game.secrets(move.after)]
        lost = [cue for cue in private if (cue.name, cue.facts, cue.to) not in secrets]
        public = json.dumps(game.view(move.after, None)) if lost else ""
        for cue in lost:
            if not all(str(fact) in public for fact in cue.facts.values()):
                yield f"{cue.name} is told to {cue.to}, and is none of the player's secrets"


def _kept(playout: Playout) -> Iterator[str]:
    """An answer that nobody else can see is covert: else taking it back would tell it to all."""
    game, seen = playout.table.game, Counter[str]()
    for move in playout.moves:
        prompt = move.prompt
        if isinstance(prompt, (Form, Shuffle)) or not prompt.private or prompt.name in game.covert:
            continue
        seen[prompt.name] += 1
        other = next((value for value in choices(prompt) if value != move.value), None)
        if other is None or seen[prompt.name] > FEW:
            continue
        after, cues = step(game, move.before, prompt, other)
        public = tuple(cue for cue in cues if cue.to is None)
        if public == move.public and game.view(after, None) == game.view(move.after, None):
            yield f"{prompt.name} is answered in secret, and is not in `covert`"
            return
