"""A game as pure functions over answers.

`Game.ask` returns the next question, and `Game.on` returns the state after an answer. Nothing in
this module draws, speaks, stores or reads a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from companion.core.prompts import Answer, Prompt, Question

S = TypeVar("S")
API_VERSION: Final = 1
"""The version of the API for games: `companion.core` and the face."""


Edition: TypeAlias = "Mapping[str, Any]"
"""A game's printed material: the JSON of its edition file, by the name of each part."""


class Cue(NamedTuple):
    """A fact: an event of a game, in the past tense.

    - `name`: the name of the fact; its sentences have the keys `cue.<name>.…`.
    - `facts`: JSON values by name, which fill the fields of these sentences.
    - `clause`: the clause of the rules behind it (`BM-7`), or None.
    - `to`: the only player who may see it; None for everybody.
    - `reveals`: it shows a secret to everybody. An undo past it needs the table's consent.
    """

    name: str
    facts: Mapping[str, Any] = {}
    clause: str | None = None
    to: str | None = None
    reveals: bool = False


Cues: TypeAlias = tuple[Cue, ...]
"""The facts that an answer caused, in order."""


class Option(NamedTuple):
    """A house rule that the players choose before a game begins.

    - `name`: the key under which `setup` finds the value.
    - `values`: the possible values; the first is the default, also for older records.
    - `at_table`: the value that the box proposes on its buttons, if it is not the first.
    - `by_seat`: the values belong to the seats in order. If the same people play again, the next
      value is proposed.
    """

    name: str
    values: tuple[str, ...]
    at_table: str = ""
    by_seat: bool = False

    @property
    def proposed_value(self) -> str:
        """Return the value that the box proposes for a new game on its buttons."""
        return self.at_table or self.values[0]

    def next_value(self, value: str, players: int) -> str:
        """Return the value after `value`, or the first after the last, at a table of `players`."""
        values = self.values[:players] if self.by_seat else self.values
        return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


class Outcome(NamedTuple):
    """The result: `winners` (several if they tie, none if all lose) and `scores` by player."""

    winners: tuple[str, ...]
    scores: Mapping[str, int]


class Secret(NamedTuple):
    """A player's secret, as a face draws it for that player alone.

    - `prompt`: the private question whose answers are below the secret; None for none.
    - `view`: the part of the game that `player` may see.
    """

    player: str
    prompt: Prompt | None
    view: Mapping[str, Any]


class EnteredValue(NamedTuple):
    """A `value` of the printed board at its `path` in the edition, entered `by` these players."""

    path: tuple[str | int, ...]
    value: str
    by: tuple[str, ...]


class Memory(NamedTuple):
    """The knowledge of one seat in a running game, beside the public view.

    All values are as in JSON: lists instead of tuples.

    - `players`, `settings` (options by name) and `edition`: the arguments of `setup`.
    - `facts`: the public facts and this seat's private ones, in order. A covert answer of the seat
      (`Game.covert`) is followed by its current secrets. A program that joins a running game has
      only the current secrets.
    - `question`, `who`, `choices`, `about`: the pending question, its player, its answers and its
      facts; None and empty if there is none. Another player's private question has no choices.
    - `called`: the seat's own answers out of turn, in order.
    - `span`: the number of latest facts of a kind that this seat remembers; None for all. The seat
      never forgets its own hand or word.
    """

    players: tuple[str, ...]
    settings: Mapping[str, str]
    edition: Edition
    facts: Cues = ()
    question: str | None = None
    who: str | None = None
    choices: tuple[Answer, ...] = ()
    about: Mapping[str, Any] = {}
    called: tuple[Answer, ...] = ()
    span: int | None = None

    def recent_facts(self, *names: str) -> Cues:
        """Return the remembered facts of these names, which count as one kind."""
        facts = tuple(cue for cue in self.facts if cue.name in names)
        if self.span is None:
            return facts
        return facts[-self.span :] if self.span else ()


def _says_nothing(_state: Any) -> tuple[EnteredValue, ...]:
    return ()


def _nothing(_state: Any) -> tuple[Question, ...]:
    return ()


def _no_facts(_state: Any) -> Cues:
    return ()


def _no_decks(_edition: Any) -> Mapping[str, int]:
    return {}


def disclose_all_fields(_state: object, cue: Cue) -> object:
    """Return all fields of a fact, for a fact in `Game.discloses` that may show a whole secret."""
    return cue.facts


class ComputerPlayer(NamedTuple, Generic[S]):
    """The functions with which the box plays a seat of a game. S is the game's state.

    `imagine`, `instinct` and `call` receive the public view (as JSON), the seat's `Memory` and its
    player, and never the state.

    - `imagine(view, told, player, rng)`: return a state that is possible for this player. `rng`
      draws the hidden parts with their probabilities for this player. The views, the player's
      secrets and the player's question are those of the real game. Equal random numbers give equal
      states. The function raises nothing, even if facts are missing.
    - `estimate(state)`: return the chance of each seat to win, for a game that is too long to play
      out; None while a pending event must be played first.
    - `close_estimate(state)`: return a better estimate for a strong seat; None to use `estimate`.
    - `solve(state, seat)`: return the seat's chance to win after each of its answers, if all hidden
      cards are known; None if the state must be played on.
    - `ahead`: the number of answers that a strong seat plays before it estimates the outcome.
    - `habit(state, question, rng)`: return a plausible answer for imagined play, from the
      knowledge of the player who is asked; None for any answer.
    - `instinct(view, told, player, rng)`: return the answers that are worth thinking about, the
      best first; empty for all. A single answer is given at once.
    - `call(view, told, player, rng)`: return an answer to the form `interrupt` after each change of
      the view; None for silence.
    - `needs_hands`: values of options with which people would have to hold cards for the seat; the
      box cannot play with them.
    - `needs_eyes`: questions about the board that only people can see; they answer for the seat.
    - `wishes`: those of these questions that contain a choice: the seat announces its choice, and
      people enter the result.
    """

    imagine: Callable[[Mapping[str, Any], Memory, str, Random], S]
    estimate: Callable[[S], tuple[float, ...] | None] | None = None
    close_estimate: Callable[[S], tuple[float, ...] | None] | None = None
    solve: Callable[[S, int], Mapping[Answer, float] | None] | None = None
    habit: Callable[[S, Question, Random], Answer | None] | None = None
    instinct: Callable[[Mapping[str, Any], Memory, str, Random], tuple[Answer, ...]] | None = None
    call: Callable[[Mapping[str, Any], Memory, str, Random], Answer | None] | None = None
    needs_hands: Mapping[str, tuple[str, ...]] = {}
    needs_eyes: frozenset[str] = frozenset()
    ahead: int = 0
    wishes: frozenset[str] = frozenset()


class Game(NamedTuple, Generic[S]):
    """One game: data and pure functions, without texts. S is its immutable state.

    - `name`: lower-case letters, digits and hyphens; the name of the package's entry point.
    - `seats`: the possible numbers of players: `range(2, 5)` is two to four.
    - `options`: the house rules.
    - `setup(players, options, edition)`: return the first state. `players` are in seat order,
      `options` are values by name, `edition` is the printed board (empty if there is none).
    - `ask(state)`: return the pending question; None after the end.
    - `on[question](state, answer)`: return the next state and the facts. The answer is legal
      already. It may raise Refused.
    - `view(state, player)`: return the view of a player as JSON by name; for None the public view.
    - `outcome(state)`: return the result; None before the end.
    - `secrets(state)`: return private cues with the current secrets of each player.
    - `anytime(state)`: return the questions that may be answered out of turn.
    - `names`: the suggested names of players.
    - `decks(edition)`: return the number of cards of each name.
    - `covert`: the questions whose answers stay secret after an undo.
    - `discloses`: public facts that depend on a secret, by name, each with a function of the state
      after the answer and of the fact. It returns the disclosed part, such as the number of pegs.
      `disclose_all_fields` discloses every field, as for a card that is played from a hand. An
      undo past such a fact needs no consent.
    - `api`: the API version for which the game was written.
    - `said(state)`: return the parts of the board that players entered in this game.
    - `opening(state)`: return the facts before the first question.
    - `computer`: the functions of computer players; None if the box cannot play a seat.
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
    discloses: Mapping[str, Callable[[S, Cue], object]] = {}
    api: int = 1
    said: Callable[[S], tuple[EnteredValue, ...]] = _says_nothing
    opening: Callable[[S], Cues] = _no_facts
    computer: ComputerPlayer[S] | None = None

    def box_can_play(self, settings: Mapping[str, str]) -> bool:
        """Return True if the box can play a seat of this game with these options."""
        if self.computer is None:
            return False
        return all(settings.get(name) not in values for name, values in self.needs_hands.items())

    @property
    def needs_hands(self) -> Mapping[str, tuple[str, ...]]:
        """Return the values of options with which no computer player can play."""
        return {} if self.computer is None else self.computer.needs_hands

    @property
    def needs_eyes(self) -> frozenset[str]:
        """Return the questions that people answer for a computer player; empty if there is none."""
        return frozenset() if self.computer is None else self.computer.needs_eyes

    @property
    def wishes(self) -> frozenset[str]:
        """Return the questions at which a computer player announces a choice; empty if none."""
        return frozenset() if self.computer is None else self.computer.wishes

    def public_answer(self, question: str | None, value: Answer) -> Answer:
        """Return the public part of an answer: None if it is covert, a form without such parts."""
        if isinstance(value, dict):
            value = {name: given for name, given in value.items() if name not in self.covert}
        return None if question in self.covert else value
