"""The definition of a game: pure functions that compute states from answers.

`Game.ask` returns the next question, and `Game.on` returns the state after an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from companion.core.prompts import Answer, Prompt, Question

S = TypeVar("S")
API_VERSION: Final = 1
"""Version number of the programming interface for authors of games."""


Edition: TypeAlias = "Mapping[str, Any]"
"""Type of the contents of a game's edition file (the data of its printed material), by name."""


class Cue(NamedTuple):
    """An event in a game.

    - `name`: the name of the event. The catalogue keys of its sentences begin with `cue.<name>.`.
    - `facts`: JSON values for placeholders in the event's sentences, by name.
    - `clause`: the number of the rule to which the event belongs, such as "BM-7", or None.
    - `to`: the only player who may see the event, or None if all players may see it.
    - `reveals`: if True, the event shows a secret to all players. An undo of the event then needs
      the consent of all players.

    For example, `Cue("captured", {"who": "Ann"}, "BM-7")` states that Ann has captured a
    suspect, under the clause BM-7.
    """

    name: str
    facts: Mapping[str, Any] = {}
    clause: str | None = None
    to: str | None = None
    reveals: bool = False


Cues: TypeAlias = tuple[Cue, ...]
"""Type of a series of events, such as the events that an answer caused, in order."""


class Option(NamedTuple):
    """A house rule that the players choose before a game begins.

    - `name`: the key of the chosen value in the `options` argument of `Game.setup`.
    - `values`: the possible values. The first value is the default. The default also applies to
      older records without this option.
    - `at_table`: the value that the box proposes when players set up a game on the box's display,
      or "" for the first value.
    - `by_seat`: if True, `values` has one value for each seat, in seat order. If the same people
      play again, the box proposes the next value.

    For example, `Option("deck", ("virtual", "own"))` lets the players choose virtual or real cards.
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
        """Return the value that follows `value` in `values`.

        After the last value or an unknown value, return the first value.

        - `players`: the number of players, which limits the values of a `by_seat` option.
        """
        values = self.values[:players] if self.by_seat else self.values
        return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


class Outcome(NamedTuple):
    """A game's result.

    - `winners`: all players who win or tie, or () if all players lose.
    - `scores`: the score of every player, by name.
    """

    winners: tuple[str, ...]
    scores: Mapping[str, int]


class Secret(NamedTuple):
    """A player's secret, for the frame that only this player may see.

    - `player`: the owner of the secret.
    - `prompt`: the private question whose answers are drawn below the secret, or None.
    - `view`: the part of the game that `player` may see.
    """

    player: str
    prompt: Prompt | None
    view: Mapping[str, Any]


class EnteredBoardValue(NamedTuple):
    """A value of the printed board that players entered.

    - `path`: the keys and indices under which the edition stores the value.
    - `value`: the entered value.
    - `by`: the players who entered the value.
    """

    path: tuple[str | int, ...]
    value: str
    by: tuple[str, ...]


class SeatMemory(NamedTuple):
    """The knowledge of one player in a running game, in addition to the public view.

    All values have JSON types, such as lists instead of tuples.

    - `players`, `settings`, `edition`: the arguments of `Game.setup`.
    - `facts`: the public events and the player's private events, in order. After the player's
      covert answers (`Game.covert`), `facts` also contains the events with the player's current
      secrets. A program that joins a running game receives only the events with the current
      secrets.
    - `question`, `who`: the name of the pending question, and the player who is asked. Both are
      None if no question is pending.
    - `choices`: the answers to the pending question. `choices` is empty if no question is pending,
      and for a private question to another player.
    - `about`: the JSON values for the placeholders of the pending question.
    - `called`: the player's out-of-turn answers, in order.
    - `span`: the number of recent events that the player remembers, or None for all events. The
      player never forgets the cards of a hand or a secret word.
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

    def recent_facts_with_names(self, *names: str) -> Cues:
        """Return the remembered events whose names are in `names`.

        If `span` is not None, return only the last `span` of these events.
        """
        facts = tuple(cue for cue in self.facts if cue.name in names)
        if self.span is None:
            return facts
        return facts[-self.span :] if self.span else ()


def _says_nothing(_state: Any) -> tuple[EnteredBoardValue, ...]:
    return ()


def _nothing(_state: Any) -> tuple[Question, ...]:
    return ()


def _no_facts(_state: Any) -> Cues:
    return ()


def _no_decks(_edition: Any) -> Mapping[str, int]:
    return {}


def disclose_all_fields(_state: object, cue: Cue) -> object:
    """Return all fields of the event `cue`.

    Games use this function as a value in `Game.discloses`.
    """
    return cue.facts


class ComputerPlayer(NamedTuple, Generic[S]):
    """The functions with which the box plays a seat. S is the type of the game's state.

    `imagine`, `instinct` and `call` receive the public view as JSON, the player's `SeatMemory` and
    the player's name. These functions never receive the state of the real game.

    - `imagine(view, memory, player, rng)`: returns a complete state that agrees with this player's
      knowledge. The random generator `rng` draws the hidden parts, with the probabilities that this
      player must assume. The returned state has the real game's view, secrets and question for this
      player. The same random numbers always give the same state. `imagine` raises no exception,
      even if `memory` lacks events.
    - `estimate(state)`: returns each seat's probability of winning, for a game that is too long to
      simulate to its end. `estimate` returns None for a state that it cannot estimate, such as a
      state during a round.
    - `close_estimate(state)`: returns a better estimate for a strong computer player. If
      `close_estimate` is None, `estimate` is used.
    - `solve(state, seat)`: returns the seat's probability of winning after each answer, if all
      hidden cards are known. `solve` returns None if the state must be simulated further.
    - `ahead`: the number of answers that a strong computer player simulates before it estimates the
      outcome.
    - `habit(state, question, rng)`: returns a plausible answer for a simulated game. The answer
      uses only the knowledge of the asked player. If `habit` returns None, the simulation chooses
      any answer.
    - `instinct(view, memory, player, rng)`: returns the answers that are worth analysing, the best
      answer first. `instinct` returns () if all answers are worth analysing. If `instinct` returns
      a single answer, the computer player gives this answer without analysis.
    - `call(view, memory, player, rng)`: returns an answer to the form `interrupt` after a change of
      the view, or None to give no answer.
    - `needs_hands`: option values, by the option's name, with which people would hold cards for the
      computer player. The box cannot play with these option values.
    - `needs_eyes`: names of questions about the printed board. People answer these questions for
      the computer player, because only people can see the board.
    - `wishes`: names of the questions in `needs_eyes` at which the computer player must choose. The
      computer player announces its choice, and people enter the result.
    """

    imagine: Callable[[Mapping[str, Any], SeatMemory, str, Random], S]
    estimate: Callable[[S], tuple[float, ...] | None] | None = None
    close_estimate: Callable[[S], tuple[float, ...] | None] | None = None
    solve: Callable[[S, int], Mapping[Answer, float] | None] | None = None
    habit: Callable[[S, Question, Random], Answer | None] | None = None
    instinct: Callable[[Mapping[str, Any], SeatMemory, str, Random], tuple[Answer, ...]] | None = (
        None
    )
    call: Callable[[Mapping[str, Any], SeatMemory, str, Random], Answer | None] | None = None
    needs_hands: Mapping[str, tuple[str, ...]] = {}
    needs_eyes: frozenset[str] = frozenset()
    ahead: int = 0
    wishes: frozenset[str] = frozenset()


class Game(NamedTuple, Generic[S]):
    """A game: data and pure functions, without texts. S is the type of the game's immutable state.

    - `name`: lower-case letters, digits and hyphens; also the name of the package's entry point.
    - `seats`: the possible numbers of players, such as `range(2, 5)` for two to four players.
    - `options`: the house rules of the game.
    - `setup(players, options, edition)`: returns the first state. `players` are in seat order, and
      `options` maps names to values. `edition` is the printed board, or {} if the game has none.
    - `ask(state)`: returns the pending question, or None after the end of the game.
    - `on[question](state, answer)`: returns the next state, and the events that the answer caused.
      The function receives only answers that the prompt allows. If a rule forbids the answer, the
      function raises Refused.
    - `view(state, player)`: returns the view of a player as JSON values by name. If `player` is
      None, `view` returns the public view.
    - `outcome(state)`: returns the result of the game, or None before the end of the game.
    - `secrets(state)`: returns private events with the current secrets of each player.
    - `anytime(state)`: returns the questions that players can answer out of turn.
    - `names`: suggested names for players.
    - `decks(edition)`: returns the number of cards by the card's name.
    - `covert`: names of the questions whose answers stay secret after an undo.
    - `discloses`: functions by the name of a public event that depends on a secret. Each function
      receives the state after the answer, and the event. The function returns the disclosed part of
      the secret, such as the number of right letters in a guess. For a card that is played from a
      hand, use `disclose_all_fields`. An undo of an event in `discloses` needs no consent of the
      players.
    - `api`: the API version for which the game was written.
    - `entered_board_values(state)`: returns the values of the printed board that players entered in
      this game.
    - `opening(state)`: returns the events before the first question.
    - `computer`: the functions with which the box plays a seat; None if the box cannot play a seat.
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
    entered_board_values: Callable[[S], tuple[EnteredBoardValue, ...]] = _says_nothing
    opening: Callable[[S], Cues] = _no_facts
    computer: ComputerPlayer[S] | None = None

    def can_box_play_seat(self, settings: Mapping[str, str]) -> bool:
        """Return True if the box can play a seat of this game with the options `settings`."""
        if self.computer is None:
            return False
        return all(
            settings.get(name) not in values
            for name, values in self.options_without_computer_players.items()
        )

    @property
    def options_without_computer_players(self) -> Mapping[str, tuple[str, ...]]:
        """Return the option values with which no computer player can play, by the option's name."""
        return {} if self.computer is None else self.computer.needs_hands

    @property
    def questions_people_answer_for_computer(self) -> frozenset[str]:
        """Return the names of questions that people answer for a computer player."""
        return frozenset() if self.computer is None else self.computer.needs_eyes

    @property
    def questions_with_announced_choice(self) -> frozenset[str]:
        """Return the names of questions at which a computer player announces its choice.

        People then enter the result, because only people can see the printed board.
        """
        return frozenset() if self.computer is None else self.computer.wishes

    def public_answer(self, question: str | None, value: Answer) -> Answer:
        """Return the public part of an answer, without the parts named in `covert`.

        If `question` itself is in `covert`, return None.
        """
        if isinstance(value, dict):
            value = {name: given for name, given in value.items() if name not in self.covert}
        return None if question in self.covert else value
