"""The definition of a game: pure functions that compute states from answers.

`Game.ask` returns the next question, and `Game.on` returns the state after an answer. This module
draws, speaks and stores nothing, and reads no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from companion.core.prompts import Answer, Prompt, Question

S = TypeVar("S")
API_VERSION: Final = 1
"""Version number of the API (`companion.core` and the face) for authors of games."""


Edition: TypeAlias = "Mapping[str, Any]"
"""A game's printed material: the content of its edition file, by the name of each part."""


class Cue(NamedTuple):
    """A fact: an event in a game, in the past tense.

    - `name`: the name of the fact; the catalogue keys of its sentences begin with `cue.<name>.`.
    - `facts`: the JSON values for placeholders in the fact's sentences, by name.
    - `clause`: the number of the clause that caused the fact (`BM-7`), or None.
    - `to`: the only player who may see the fact; None for all players.
    - `reveals` is True if the fact shows a secret to all players. If an undo removes a revealing
      fact, all players must agree.
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

    - `name`: the key of the value in the `options` argument of `setup`.
    - `values`: the possible values; the first value is the default, also for older records.
    - `at_table`: the value that the box proposes on its buttons; "" for the first value.
    - `by_seat` is True if each value belongs to a seat, in seat order. If the same people play
      again, the box proposes the next value of a `by_seat` option.
    """

    name: str
    values: tuple[str, ...]
    at_table: str = ""
    by_seat: bool = False

    @property
    def proposed_value(self) -> str:
        """Return the value that the box proposes for this option of a new game."""
        return self.at_table or self.values[0]

    def next_value(self, value: str, players: int) -> str:
        """Return the value after `value` for `players` players; after the last value, the first."""
        values = self.values[:players] if self.by_seat else self.values
        return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


class Outcome(NamedTuple):
    """A game's result, with `winners` (all who tie, none if all lose) and `scores` by player."""

    winners: tuple[str, ...]
    scores: Mapping[str, int]


class Secret(NamedTuple):
    """A player's secret, for the frame that only this player may see.

    - `prompt`: the private question whose answers are drawn below the secret; None without a
      question.
    - `view`: the part of the game that `player` may see.
    """

    player: str
    prompt: Prompt | None
    view: Mapping[str, Any]


class EnteredValue(NamedTuple):
    """A `value` of the printed board at `path` in the edition, which the players `by` entered."""

    path: tuple[str | int, ...]
    value: str
    by: tuple[str, ...]


class Memory(NamedTuple):
    """The knowledge of one seat in a running game, in addition to the public view.

    All values have JSON types: lists instead of tuples.

    - `players`, `settings` (options by name) and `edition`: the arguments of `Game.setup`.
    - `facts`: the public facts and the seat's private facts, in order. After a covert answer of the
      seat (`Game.covert`), the seat's current secrets follow. A program that joins a running game
      receives only the current secrets.
    - `question`, `who`, `choices`, `about`: name, player, answers and facts of the pending
      question. Without a pending question, these fields are None or empty. `choices` is empty for a
      private question of another player.
    - `called`: the seat's own out-of-turn answers, in order.
    - `span`: the number of latest facts of a kind that the seat remembers; None for all facts. The
      seat never forgets its own hand or word.
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
        """Return the remembered facts with these names, which share the limit `span`."""
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
    """Return all fields of a fact in `Game.discloses` that can show a whole secret."""
    return cue.facts


class ComputerPlayer(NamedTuple, Generic[S]):
    """The functions with which the box plays a seat of a game. S is the type of the game's state.

    `imagine`, `instinct` and `call` receive the public view (as JSON), the seat's `Memory` and its
    player. `imagine`, `instinct` and `call` never receive the state of the real game.

    - `imagine(view, told, player, rng)`: return a complete state that is possible for this player.
      `rng` draws the hidden parts with the probabilities that this player must assume. The views,
      secrets and question of the player are equal in the imagined state and in the real game. Equal
      random numbers give equal states. `imagine` raises no exception, even if facts are missing.
    - `estimate(state)`: return each seat's chance to win, for a game that is too long to simulate
      to its end. `estimate` returns None while a pending event must be played first.
    - `close_estimate(state)`: return a better estimate for a strong computer player; None to use
      `estimate`.
    - `solve(state, seat)`: return the seat's chance to win after each of its answers, if all hidden
      cards are known. `solve` returns None if the state must be simulated further.
    - `ahead`: the number of answers that a strong computer player simulates before it estimates the
      outcome.
    - `habit(state, question, rng)`: return a plausible answer for simulated play, from the asked
      player's knowledge. `habit` returns None to allow any answer.
    - `instinct(view, told, player, rng)`: return the answers that are worth analysing, the best
      answer first; empty for all answers. If `instinct` returns a single answer, the computer
      player gives it at once.
    - `call(view, told, player, rng)`: return an answer to the form `interrupt` after a change of
      the view. `call` returns None to stay silent.
    - `needs_hands`: option values with which people would have to hold cards for the computer
      player. The box cannot play with these option values.
    - `needs_eyes`: questions about the printed board, which only people can see; people answer for
      the computer player.
    - `wishes`: questions in `needs_eyes` that contain a choice; the computer player announces its
      choice, and people enter the result.
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
    """A game: data and pure functions, without texts. S is the type of the game's immutable state.

    - `name`: lower-case letters, digits and hyphens; also the name of the package's entry point.
    - `seats`: the possible numbers of players, such as `range(2, 5)` for two to four.
    - `options`: the house rules of the game.
    - `setup(players, options, edition)`: return the first state. `players` are in seat order, and
      `options` maps names to values. `edition` is the printed board, empty if the game has none.
    - `ask(state)`: return the pending question; None after the end of the game.
    - `on[question](state, answer)`: return the next state, and the facts that the answer caused.
      The caller of `on` has checked that the answer is legal. The handler may raise Refused for
      another reason.
    - `view(state, player)`: return the view of a player as JSON values by name. If `player` is
      None, return the public view.
    - `outcome(state)`: return the result of the game; None before its end.
    - `secrets(state)`: return private facts with the current secrets of each player.
    - `anytime(state)`: return the questions that players can answer out of turn.
    - `names`: suggested names of players.
    - `decks(edition)`: return the number of cards by the card's name.
    - `covert`: names of the questions whose answers stay secret after an undo.
    - `discloses`: table from the name of a public fact that depends on a secret to a function of
      the state after the answer and of the fact. Each function in `discloses` returns the disclosed
      part of a secret, such as the number of pegs. `disclose_all_fields` discloses every field, as
      for a card that is played from a hand. An undo that removes a disclosing fact needs no
      agreement.
    - `api`: the API version for which the game was written.
    - `said(state)`: return the values of the printed board that players entered in this game.
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
        """Return the option values with which no computer player can play, by option name."""
        return {} if self.computer is None else self.computer.needs_hands

    @property
    def needs_eyes(self) -> frozenset[str]:
        """Return the names of questions that people answer for a computer player."""
        return frozenset() if self.computer is None else self.computer.needs_eyes

    @property
    def wishes(self) -> frozenset[str]:
        """Return the names of questions at which a computer player announces a choice."""
        return frozenset() if self.computer is None else self.computer.wishes

    def public_answer(self, question: str | None, value: Answer) -> Answer:
        """Return an answer without covert parts; None for a covert answer."""
        if isinstance(value, dict):
            value = {name: given for name, given in value.items() if name not in self.covert}
        return None if question in self.covert else value
