"""What is hidden stays hidden: two games that differ in it alone look the same to all others.

From one moment of a random game on, a second one is played with the same answers: two cards of a
shuffle have changed places there, or a secret answer is another. Whoever has not been told of it
must see, hear and be asked the same in both, until something is turned over for all.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import cycle, zip_longest
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import Refused
from companion.core.fold import step
from companion.core.prompts import Choose, Form, Shuffle, Spell, accepts, choices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from companion.core.game import Cue, Cues, Game
    from companion.core.prompts import Answer, Prompt, Question
    from companion.games.testing.playing import Move, Playout

TWINS: Final = 6
"""So many second games are played beside each."""
EARLY: Final = 3
"""One of two cards that change places is in this part of the shuffle: few piles are used up."""


def secrecy(playout: Playout) -> Iterator[str]:
    """Nothing that is public, and nobody else's view, depends on what is hidden."""
    game, rng = playout.table.game, playout.rng
    yield from _told_again(playout)
    yield from _kept(playout)
    moves = playout.moves
    places: dict[str, list[int]] = {}
    for at, move in enumerate(moves):
        if _hides(game, move):
            places.setdefault(move.prompt.name, []).append(at)
    shown = cache(lambda at, player: game.view(moves[at].after, player))
    for _, name in zip(range(TWINS), cycle(places), strict=False):
        at = rng.choice(places[name])
        if (other := _other(moves[at], rng)) is not None:
            yield from _Twins(playout, at, other, shown).compared()


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
        if other is None or seen[prompt.name] > TWINS:
            continue
        after, cues = step(game, move.before, prompt, other)
        public = tuple(cue for cue in cues if cue.to is None)
        if public == move.public and game.view(after, None) == game.view(move.after, None):
            yield f"{prompt.name} is answered in secret, and is not in `covert`"
            return


def _hides(game: Game[Any], move: Move) -> bool:
    return isinstance(move.prompt, Shuffle) or (move.prompt.name in game.covert and not move.spoken)


def _other(move: Move, rng: Random) -> Answer | None:
    """An answer that differs in something hidden; None if none is found."""
    value = move.value
    match move.prompt:
        case Shuffle(n=n) if n > 1:
            here = rng.randrange(max(1, n // EARLY))
            there = rng.choice([place for place in range(n) if place != here])
            order = [*value]
            order[here], order[there] = order[there], order[here]
            return order
        case Spell() as prompt:
            at = rng.randrange(len(value))
            letters = prompt.letters or "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            word = f"{value[:at]}{rng.choice(letters)}{value[at + 1 :]}"
            return word if word != value and accepts(prompt, word) else None
        case Choose() as prompt:
            return next((other for other in prompt.options if other != value), None)
        case _:
            return None


class _Twins:
    """Two games, and who can tell them apart."""

    def __init__(
        self,
        playout: Playout,
        at: int,
        other: Answer,
        shown: Callable[[int, str | None], dict[str, Any]],
    ) -> None:
        self.game, self.players = playout.table.game, playout.table.players
        self.at, self.moves, self.other, self.shown = at, playout.moves[at:], other, shown
        self.knows: set[str | None] = {self.moves[0].prompt.who}
        self.one = self.two = self.moves[0].before

    def compared(self) -> Iterator[str]:
        """What of the second game gives away that it is the second, to whoever should not know."""
        for i, move in enumerate(self.moves):
            prompt = self._asked(move) if i else move.prompt
            if prompt is None:
                yield f"{move.prompt.name} can be said or not, depending on what is hidden"
                return
            try:
                after = step(self.game, self.two, prompt, move.value if i else self.other)
            except Refused:
                if not getattr(prompt, "private", False):
                    yield f"{prompt.name} takes {move.value!r} or not, depending on what is hidden"
                return
            self.one, (self.two, cues) = move.after, after
            first = _first(move.public, tuple(cue for cue in cues if cue.to is None))
            if first:
                if not any(cue.reveals or cue.name in self.game.discloses for cue in first):
                    yield f"{first[0].name} depends on what is hidden, and is told to all"
                return
            self._learn(move.cues, cues)
            found = [*self._seen(self.at + i)]
            yield from found
            if found:
                return

    def _asked(self, move: Move) -> Question | None:
        """The second game's question, to which the first game's answer is given."""
        standing = self.game.ask(self.two)
        asked = self.game.anytime(self.two) if move.spoken else (standing,) if standing else ()
        return next((question for question in asked if question.name == move.prompt.name), None)

    def _learn(self, one: Cues, two: Cues) -> None:
        for player in self.players:
            ours, theirs = ([cue for cue in cues if cue.to == player] for cues in (one, two))
            if ours != theirs:
                self.knows.add(player)

    def _seen(self, at: int) -> Iterator[str]:
        """What is seen and asked after a move of the first game."""
        for player in (None, *self.players):
            if player is None or player not in self.knows:
                ours, theirs = self.shown(at, player), self.game.view(self.two, player)
                if ours != theirs:
                    names = [name for name in ours if ours[name] != theirs.get(name)]
                    whose = f"{player}'s view" if player else "the view of all"
                    yield f"{whose} shows what is hidden in {', '.join(names)}"
        yield from self._prompts(self.game.ask(self.one), self.game.ask(self.two))
        for first, second in zip_longest(self.game.anytime(self.one), self.game.anytime(self.two)):
            if _open(first) != _open(second):
                yield "what can be said out of turn depends on what is hidden"

    def _prompts(self, one: Prompt | None, two: Prompt | None) -> Iterator[str]:
        """A question to all is the same; of a private one only the answers may differ."""
        if one == two:
            return
        if one is None or two is None or not one.private or not two.private:
            name = (one or two).name  # type: ignore[union-attr] # they differ: one is there
            yield f"{name} is asked or not, or offers other answers, depending on what is hidden"
        elif (one.name, one.who, one.facts) != (two.name, two.who, two.facts):
            yield f"{one.name} asks {one.who} of other things, depending on what is hidden"
        else:
            self.knows.add(one.who)


def _first(ours: Cues, theirs: Cues) -> tuple[Cue, ...]:
    """The first facts that differ; none if all are the same."""
    for one, two in zip_longest(ours, theirs):
        if one != two:
            return tuple(cue for cue in (one, two) if cue is not None)
    return ()


def _open(question: Question | None) -> Any:
    """What all may see of a question out of turn: of a form its name, and its first question."""
    if isinstance(question, Form):
        first = question.ask({})
        return question.name, question.who, first and (first.name, tuple(choices(first)))
    return question
