"""What a game is: a pure fold of answers over prompts.

A `Game` says what the table must answer next (`ask`), and folds each answer into the next state
(`on`). Nothing here draws, speaks, stores or knows the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

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
    - `values`: what it can be; the first is our ruling, and what a recorded game that lacks the
      option was played with.
    - `at_table`: the value that the box proposes for a game on its buttons, if not the first.
    - `by_seat`: there is a value for each seat, in their order, and when the same people play again
      it is the next one's.
    """

    name: str
    values: tuple[str, ...]
    at_table: str = ""
    by_seat: bool = False

    @property
    def proposed_value(self) -> str:
        """The value of a game that is begun on the buttons, until somebody chooses another."""
        return self.at_table or self.values[0]

    def next_value(self, value: str, players: int) -> str:
        """The value after this one, and after the last the first; at a table of so many."""
        values = self.values[:players] if self.by_seat else self.values
        return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


class Outcome(NamedTuple):
    """How a game ended: `winners` tie for the win, none if all lose; `scores` by player."""

    winners: tuple[str, ...]
    scores: Mapping[str, int]


class Said(NamedTuple):
    """What players said of their own board: a `value` at its `path` in the edition, `by` whom."""

    path: tuple[str | int, ...]
    value: str
    by: tuple[str, ...]


class Memory(NamedTuple):
    """What one seat has been told of a running game, beside the state that all see.

    It is as JSON has it: lists and no tuples, also where a game's own facts have tuples.

    - `players`, `settings` (the options by name) and `edition`: as `setup` is given them.
    - `facts`: what all were told and what this seat alone was told, in order, and after a covert
      answer of its own (`Game.covert`) its secrets as they stand. The first may be missing: a
      program that comes while a game is on is told only its own secrets as they stand.
    - `question`, `who`, `choices`, `about`: the question that stands, who is asked, its answers and
      its facts. A private question of somebody else has no choices. None if none stands.
    - `called`: what this seat has said out of turn itself, in order.
    - `span`: how many of the last facts of a kind this seat remembers of what does not lie on the
      table any more; None for all. What can be looked at all the time, an own hand or word, is not
      forgotten.
    """

    players: tuple[str, ...]
    settings: Mapping[str, str]
    edition: Mapping[str, Any]
    facts: Cues = ()
    question: str | None = None
    who: str | None = None
    choices: tuple[Answer, ...] = ()
    about: Mapping[str, Any] = {}
    called: tuple[Answer, ...] = ()
    span: int | None = None

    def recent(self, *names: str) -> Cues:
        """The facts of these names, which are one kind, that this seat remembers."""
        facts = tuple(cue for cue in self.facts if cue.name in names)
        if self.span is None:
            return facts
        return facts[-self.span :] if self.span else ()


def _says_nothing(_state: Any) -> tuple[Said, ...]:
    return ()


def _nothing(_state: Any) -> tuple[Question, ...]:
    return ()


def _no_facts(_state: Any) -> Cues:
    return ()


def _no_decks(_edition: Any) -> Mapping[str, int]:
    return {}


def all_fields(_state: object, cue: Cue) -> object:
    """Return all fields of a fact: for `Game.discloses`, the fact may show a whole secret."""
    return cue.facts


class ComputerPlayer(NamedTuple, Generic[S]):
    """The functions and data with which the box plays a seat of a game. S is the game's state.

    `imagine`, `instinct` and `call` receive the public view of the running game (as JSON has it),
    what the seat was told, and the seat's player. They never receive the state.

    - `imagine(view, told, player, rng)`: a state that could be the one that is played. What is
      hidden from the player is drawn by `rng`, as likely as it is from there. Its views (of all,
      and the player's), the player's secrets, and its question with its answers are as they are in
      the game; only the answers to a private question of somebody else may be others. The same
      numbers draw the same state. It raises nothing, whatever facts are missing or forgotten.
    - `estimate(state)`: by seat, how likely it wins, where a game is too long to be played out;
      None while something is on its way that has to be seen first.
    - `solve(state, seat)`: how likely a seat wins after each answer to its question, worked out for
      a state whose hidden cards are known; None where it has to be played on to see.
    - `ahead`: after how many answers a strong seat asks for that estimate; 0 for the first.
    - `habit(state, question, rng)`: what whoever is asked there would do offhand, by what that
      player knows; None for any answer. Imagined games are played on so.
    - `instinct(view, told, player, rng)`: of the answers to the player's question those that a
      person would think of, the best first; empty for all. One alone is given without thinking on.
    - `call(view, told, player, rng)`: the answer to the form `interrupt` with which the seat speaks
      out of turn, as soon as the view changes; None to be silent.
    - `needs_hands`: by option the values with which people would have to do things for such a seat
      (hold its cards), so that the box cannot play one.
    - `needs_eyes`: the questions about what only people see, on their board: at a table they answer
      them for such a seat, too.
    - `wishes`: of those questions the ones by which a player chooses, too: there such a seat says
      what it would like, and people answer what came of it on their board.
    """

    imagine: Callable[[Mapping[str, Any], Memory, str, Random], S]
    estimate: Callable[[S], tuple[float, ...] | None] | None = None
    solve: Callable[[S, int], Mapping[Answer, float] | None] | None = None
    habit: Callable[[S, Question, Random], Answer | None] | None = None
    instinct: Callable[[Mapping[str, Any], Memory, str, Random], tuple[Answer, ...]] | None = None
    call: Callable[[Mapping[str, Any], Memory, str, Random], Answer | None] | None = None
    needs_hands: Mapping[str, tuple[str, ...]] = {}
    needs_eyes: frozenset[str] = frozenset()
    ahead: int = 0
    wishes: frozenset[str] = frozenset()


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
    - `discloses`: public facts that may tell something about a secret, by name. The value is a
      function of the state after the answer and of the fact. It returns what the fact may tell: the
      number of pegs, hit or miss. `all_fields` allows all fields of the fact, as of a card that is
      drawn or played from a hand. An undo past these facts needs nobody's consent.
    - `api`: the API that it was written for.
    - `said(state)`: what was said in this game of a board that the edition does not know.
    - `opening(state)`: what is told of the first state, before the first question.
    - `computer`: the functions and data with which the box plays a seat; None if it cannot.
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
    said: Callable[[S], tuple[Said, ...]] = _says_nothing
    opening: Callable[[S], Cues] = _no_facts
    computer: ComputerPlayer[S] | None = None

    def playable(self, settings: Mapping[str, str]) -> bool:
        """Whether the box can play a seat of this game with these options."""
        if self.computer is None:
            return False
        return all(settings.get(name) not in values for name, values in self.needs_hands.items())

    @property
    def needs_hands(self) -> Mapping[str, tuple[str, ...]]:
        """Return by option the values with which no computer can play; empty if none ever can."""
        return {} if self.computer is None else self.computer.needs_hands

    @property
    def needs_eyes(self) -> frozenset[str]:
        """Return the questions that people answer for a computer player; empty if there is none."""
        return frozenset() if self.computer is None else self.computer.needs_eyes

    @property
    def wishes(self) -> frozenset[str]:
        """Return the questions at which a computer player announces a choice; empty if none."""
        return frozenset() if self.computer is None else self.computer.wishes

    def public(self, question: str | None, value: Answer) -> Answer:
        """What all may know of an answer later; of a form's answers those that are not covert."""
        if isinstance(value, dict):
            value = {name: given for name, given in value.items() if name not in self.covert}
        return None if question in self.covert else value
