"""Twin games: they differ in what is hidden alone, and so look the same to all who may not know it.

From one moment of a random game on, a second one is played with the same answers: two cards of a
shuffle have changed places there, or a secret answer is another. Whoever has not been told of it
must see, hear and be asked the same in both, until something is turned over for all; and that must
not come at once in one of them and after a question in the other.
"""

from __future__ import annotations

from functools import cache
from itertools import cycle, zip_longest
from typing import TYPE_CHECKING, Any, Final

from companion.core.errors import Refused
from companion.core.fold import step
from companion.core.prompts import Choose, Form, Shuffle, Spell, accepts, by_box, choices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from companion.core.game import Cue, Cues, Game
    from companion.core.prompts import Answer, Prompt, Question
    from companion.testing.playing import Move, Playout

CLOSELY: Final = 3
"""Of so many second games all views are looked at; of the others the first, and what is told."""
PATIENCE: Final = 1_500
"""Answers of second games, of all together, beside one game."""
EARLY: Final = 3
"""One of two cards that change places is in this part of the shuffle: few piles are used up."""


def twins(playout: Playout) -> Iterator[str]:
    """Nothing that is public, and nobody else's view or question, depends on what is hidden."""
    game, rng, moves = playout.table.game, playout.rng, playout.moves
    places: dict[str, list[int]] = {}
    for at, move in enumerate(moves):
        if _hides(game, move):
            places.setdefault(move.prompt.name, []).append(at)
    shown = cache(lambda at, player: game.view(moves[at].after, player))
    left, closely = PATIENCE, CLOSELY
    for name in cycle(places):
        at = rng.choice(places[name])
        twin = _Twins(playout, at, _other(moves[at], rng), shown, closely=closely > 0)
        yield from twin.compared()
        left, closely = left - 1 - twin.played, closely - bool(twin.played)
        if left < 0:
            return


def _hides(game: Game[Any], move: Move) -> bool:
    return isinstance(move.prompt, Shuffle) or (move.prompt.name in game.covert and not move.spoken)


def _other(move: Move, rng: Random) -> Answer:
    """An answer that differs in something hidden; the same if none is found."""
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
            letters = rng.choice((value, prompt.letters or "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            word = f"{value[:at]}{rng.choice(letters)}{value[at + 1 :]}"
            return word if accepts(prompt, word) else value
        case Choose() as prompt:
            return next((other for other in prompt.options if other != value), value)
        case _:
            return value


class _Twins:
    """Two games, and who can tell them apart. `played` counts the answers of the second one."""

    def __init__(
        self,
        playout: Playout,
        at: int,
        other: Answer,
        shown: Callable[[int, str | None], dict[str, Any]],
        *,
        closely: bool,
    ) -> None:
        self.game, self.players = playout.table.game, playout.table.players
        self.at, self.moves, self.other, self.shown = at, playout.moves[at:], other, shown
        self.closely, self.played = closely, 0
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
            if self.one == self.two:
                return
            self.played += 1
            ours, theirs = move.public, tuple(cue for cue in cues if cue.to is None)
            if ours != theirs:
                yield from self._told(ours, theirs)
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

    # --- what is told ---

    def _told(self, ours: Cues, theirs: Cues) -> Iterator[str]:
        """Facts differ: something was turned over for all; no question must have stood before."""
        pairs = [(one, two) for one, two in zip_longest(ours, theirs) if one != two]
        first = tuple(cue for cue in pairs[0] if cue is not None)
        if not any(cue.reveals or cue.name in self.game.discloses for cue in first):
            yield f"{first[0].name} depends on what is hidden, and is told to all"
        elif len(first) == 1:
            silent = self.two if pairs[0][0] else self.one
            prompt = self.game.ask(silent)
            if prompt is not None and self._comes_after(silent, prompt, first[0]):
                yield (
                    f"{first[0].name} is told at once or after {prompt.name} is asked, "
                    "depending on what is hidden"
                )

    def _comes_after(self, state: Any, prompt: Prompt, told: Cue) -> bool:
        """Whether an answer to the question brings the same about."""
        if by_box(prompt):
            return False
        steps = (step(self.game, state, prompt, value)[1] for value in choices(prompt))
        first = (next((cue for cue in cues if cue.to is None), None) for cues in steps)
        return any(cue and (cue.name, cue.clause) == (told.name, told.clause) for cue in first)

    def _learn(self, one: Cues, two: Cues) -> None:
        for player in self.players:
            ours, theirs = ([cue for cue in cues if cue.to == player] for cues in (one, two))
            if ours != theirs:
                self.knows.add(player)

    # --- what is seen and asked ---

    def _seen(self, at: int) -> Iterator[str]:
        """What is seen and asked after a move of the first game."""
        yield from self._asks(self.game.ask(self.one), self.game.ask(self.two))
        if not self.closely and self.played > 1:
            return
        for player in (None, *self.players):
            if player is None or player not in self.knows:
                ours, theirs = self.shown(at, player), self.game.view(self.two, player)
                if ours != theirs:
                    names = [name for name in ours if ours[name] != theirs.get(name)]
                    whose = f"{player}'s view" if player else "the view of all"
                    yield f"{whose} shows what is hidden in {', '.join(names)}"
        for first, second in zip_longest(self.game.anytime(self.one), self.game.anytime(self.two)):
            if _open(first) != _open(second):
                yield "what can be said out of turn depends on what is hidden"

    def _asks(self, one: Prompt | None, two: Prompt | None) -> Iterator[str]:
        """A question to all is the same; of a private one only the answers may differ.

        The same answers lie in the same order, and the cursor starts on the same one: its
        neighbours see how often a player presses. They differ only for who may know of it.
        """
        if one == two:
            return
        if one is None or two is None or not one.private or not two.private:
            name = (one or two).name  # type: ignore[union-attr] # they differ: one is there
            yield f"{name} is asked or not, or offers other answers, depending on what is hidden"
        elif _outside(one) != _outside(two):
            yield f"{one.name} asks {one.who} of other things, depending on what is hidden"
        elif sorted(map(repr, choices(one))) == sorted(map(repr, choices(two))):
            yield f"{one.name} has another order or start, depending on what is hidden"
        elif one.who not in self.knows:
            yield f"{one.name} asks {one.who}, who does not know of it, of what is hidden"


def _outside(prompt: Prompt) -> Any:
    """What neighbours see of a private question."""
    return type(prompt), prompt.name, prompt.who, prompt.facts, getattr(prompt, "tap", None)


def _open(question: Question | None) -> Any:
    """What all may see of a question out of turn: of a form its name, and its first question."""
    if isinstance(question, Form):
        first = question.ask({})
        return question.name, question.who, first and (first.name, tuple(choices(first)))
    return question
