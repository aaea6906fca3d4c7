"""What a game is: a pure fold of answers over prompts.

A `Game` says what the table must answer next (`ask`), and folds each answer into the next state
(`on`). Nothing here draws, speaks, stores or knows the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.prompts import Answer, Question

S = TypeVar("S")
API: Final = 1
"""The version of what a game may rely on: this room, and what a face is made of."""


class Cue(NamedTuple):
    """A past-tense fact worth hearing.

    - `name`: which fact it is; its sentences have the keys `cue.<name>.…`.
    - `facts`: JSON values by name, which fill in those sentences.
    - `clause`: the clause of the rules behind it (`BM-7`), None if there is none.
    - `to`: the only player who may know it, None for everybody.
    - `reveals`: it turns a secret over for all, past which an undo must be agreed to.
    """

    name: str
    facts: Mapping[str, Any] = {}
    clause: str | None = None
    to: str | None = None
    reveals: bool = False


Cues: TypeAlias = tuple[Cue, ...]
"""What an answer brought about, in the order in which it happened."""


class Option(NamedTuple):
    """Something that tables play differently, asked before a game begins.

    - `name`: what `setup` finds its value by.
    - `values`: what it can be; the first is our ruling. Of one value nobody is asked.
    - `before`: what was played before there was this option: a game recorded then goes on with it.
      Empty is the first value. It need not be one of `values`: an option with one value is how we
      play now, and `before` how we did.
    - `at_table`: the value that the box proposes for a game on its buttons, if not the first.
    - `by_seat`: there is a value for each seat, in their order, and when the same people play again
      it is the next one's.
    """

    name: str
    values: tuple[str, ...]
    before: str = ""
    at_table: str = ""
    by_seat: bool = False

    @property
    def of_old(self) -> str:
        """The value of a game whose record does not know the option."""
        return self.before or self.values[0]

    @property
    def proposed(self) -> str:
        """The value of a game that is begun on the buttons, until somebody chooses another."""
        return self.at_table or self.values[0]

    def after(self, value: str, players: int) -> str:
        """The value after this one, and after the last the first; at a table of so many."""
        values = self.values[:players] if self.by_seat else self.values
        return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


class Outcome(NamedTuple):
    """How a game ended: `winners` are all who tie for the win, `scores` what each player had."""

    winners: tuple[str, ...]
    scores: Mapping[str, int]


class Said(NamedTuple):
    """What players said of their own board: a `value` at its `path` in the edition, `by` whom."""

    path: tuple[str | int, ...]
    value: str
    by: tuple[str, ...]


def _says_nothing(_state: Any) -> tuple[Said, ...]:
    return ()


def _nothing(_state: Any) -> tuple[Question, ...]:
    return ()


def _no_facts(_state: Any) -> Cues:
    return ()


def _no_decks(_edition: Any) -> Mapping[str, int]:
    return {}


class Game(NamedTuple, Generic[S]):
    """One game as a value: data and pure functions, no text. S is its state, which never changes.

    - `name`: small letters, digits and hyphens, as the entry point of its package has it.
    - `seats`: how many can play: `range(2, 5)` is two to four.
    - `options`: what tables play differently.
    - `setup(players, options, edition)`: the first state. `players` are in seat order, `options`
      the value of each by its name, `edition` what is printed on the board, empty without one.
    - `ask(state)`: the question that stands, None when the game is over.
    - `on[question](state, answer)`: the next state and what happened, for an answer that is legal
      already. It may raise Refused; then nothing has changed.
    - `view(state, player)`: what that player may see, as JSON by name; of None what all may see.
    - `outcome(state)`: how it ended, None until then.
    - `secrets(state)`: private cues that tell each player what only he or she may know now.
    - `anytime(state)`: what may be answered out of turn.
    - `names`: the players that the game itself suggests.
    - `decks(edition)`: how many cards of each name the game is played with.
    - `covert`: the questions whose answers stay secret even when they are taken back.
    - `discloses`: the facts that show all what was hidden though an undo past them needs nobody's
      consent: a card that is drawn, or played from a hand.
    - `api`: the API that it was written for.
    - `said(state)`: what was said in this game of a board that the edition does not know.
    - `opening(state)`: what is told of the first state, before the first question.
    """

    name: str
    seats: range
    options: tuple[Option, ...]
    setup: Callable[[tuple[str, ...], Mapping[str, str], Mapping[str, Any]], S]
    ask: Callable[[S], Question | None]
    on: Mapping[str, Callable[[S, Answer], tuple[S, Cues]]]
    view: Callable[[S, str | None], dict[str, Any]]
    outcome: Callable[[S], Outcome | None]
    secrets: Callable[[S], Cues] = _no_facts
    anytime: Callable[[S], tuple[Question, ...]] = _nothing
    names: tuple[str, ...] = ()
    decks: Callable[[Mapping[str, Any]], Mapping[str, int]] = _no_decks
    covert: frozenset[str] = frozenset()
    discloses: frozenset[str] = frozenset()
    api: int = 1
    said: Callable[[S], tuple[Said, ...]] = _says_nothing
    opening: Callable[[S], Cues] = _no_facts

    def public(self, question: str | None, value: Answer) -> Answer:
        """What all may know of an answer later; of a form's answers those that are not covert."""
        if isinstance(value, dict):
            value = {name: given for name, given in value.items() if name not in self.covert}
        return None if question in self.covert else value
