"""All different questions and events of random games, to check the game's sentences and frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from companion.core.game import Cue, Cues, Edition, Game
from companion.core.prompts import Form, Prompt, is_answered_by_box
from companion.core.snapshot import Snapshot
from companion.play.conversation import Conversation
from companion.say.words import Words
from companion_testing.mistakes import play_random_game_with_mistakes
from companion_testing.playing import Move, Playout, play_random_game
from companion_testing.table import (
    MAX_COMBINATIONS,
    ExceptionCatcher,
    GamePlace,
    sample_evenly,
    tables_covering_options,
    tables_of_all_option_combinations,
)

T = TypeVar("T")
STORED_OCCURRENCE_COUNT: Final = 60
"""Number of a question's first occurrences that are stored, even if they are equal."""
MAX_SAMPLED_VALUES: Final = 200
"""Maximum number of occurrences whose sentences and frames are checked for one event."""
MISTAKE_RATE: Final = 0.3
"""Probability of a mistake with the players' own cards and dice in an observed game."""


class ObservedQuestion(NamedTuple):
    """A question, with the snapshot and the player's view at that moment."""

    prompt: Prompt
    snapshot: Snapshot
    own: Mapping[str, Any]
    at: GamePlace | None = None


@dataclass
class ObservedGames:
    """All questions and events of some games, without repetitions.

    - `asked`: all questions.
    - `cues`: all events.
    - `facts_by_answer`: groups of events that one answer caused.
    - `anytime`: names of out-of-turn questions.
    - `ends`: snapshots of the final states.
    - `places`: the place in a game at which each event occurred first.
    - `_decks`: for each event, True if the event occurred with own cards, False with the box's
      cards.
    """

    game: Game[Any]

    asked: dict[Any, ObservedQuestion] = field(default_factory=dict)
    cues: dict[str, Cue] = field(default_factory=dict)
    facts_by_answer: dict[str, Cues] = field(default_factory=dict)
    anytime: set[str] = field(default_factory=set)
    ends: list[Snapshot] = field(default_factory=list)
    places: dict[str, GamePlace] = field(default_factory=dict)
    _decks: dict[str, set[bool]] = field(default_factory=dict)
    _heard: set[tuple[str, bool | None]] = field(default_factory=set)
    _moments: tuple[Cues, ...] | None = None
    _times: Counter[str] = field(default_factory=Counter)

    def add_playout(self, playout: Playout) -> None:
        """Store the questions and events of a random game."""
        game, own = playout.table.game, own_cards_setting(playout.table.options)
        if playout.start is not None:
            self.add_facts(game.opening(playout.start), own=own)
        for n, move in enumerate((*playout.moves, *playout.tried)):
            at = playout.place_of_move(n, None if n < len(playout.moves) else move.prompt)
            self.add_facts(move.cues, at, own=own)
            for prompt in prompts_answered_by_people(move):
                self.add_question(playout, move.before, prompt, at)
            if move.is_out_of_turn:
                self.anytime.add(move.prompt.name)
        self.add_facts(game.secrets(playout.last_state), own=own)
        if playout.fault is None:
            self.ends.append(make_snapshot_with_nine_undos(playout, playout.last_state, None))

    def public_facts_grouped_by_picture(self, words: Words) -> tuple[Cues, ...]:
        """Return all public events (facts) in groups. One picture shows the events of one group."""
        if self._moments is None:
            frames = {
                str([cue[:2] for cue in frame]): frame
                for cues in self.facts_by_answer.values()
                for frame in words.group_facts_by_picture(cues)
            }
            self._moments = tuple(frames.values())
        return self._moments

    def add_question(
        self, playout: Playout, state: Any, prompt: Prompt, at: GamePlace | None = None
    ) -> None:
        """Store a question unless an equal question is stored already.

        Always store the first STORED_OCCURRENCE_COUNT occurrences of a question.
        """
        key = (*map(str, prompt[:3]), str(prompt.facts))
        self._times[prompt.name] += 1
        if self._times[prompt.name] <= STORED_OCCURRENCE_COUNT:
            key = (*key, str(self._times[prompt.name]))
        if key not in self.asked:
            own_view = playout.table.game.view(state, prompt.who)
            self.asked[key] = ObservedQuestion(
                prompt, make_snapshot_with_nine_undos(playout, state, prompt), own_view, at
            )

    def add_facts(
        self, cues: Cues, at: GamePlace | None = None, *, own: bool | None = None
    ) -> None:
        """Store the events (facts) that an answer caused.

        - `own` is True for own cards, False for the box's cards, None if the game has no such
          option.
        """
        key = repr([(cue.name, cue.facts, cue.to) for cue in cues])
        if (key, own) in self._heard:
            return
        self._heard.add((key, own))
        if own is not None:
            for cue in cues:
                self._decks.setdefault(_key(cue), set()).add(own)
        if key in self.facts_by_answer:
            return
        self.facts_by_answer[key] = cues
        for cue in cues:
            self.cues[_key(cue)] = cue
            if at is not None:
                self.places.setdefault(_key(cue), at)

    def card_kinds_of_fact(self, cue: Cue) -> set[bool]:
        """Return the kinds of cards with which an event (fact) occurred.

        The set contains True for the players' own cards, and False for the box's cards.
        """
        return self._decks.get(_key(cue), set())

    def first_place_of_fact(self, cue: Cue) -> GamePlace | None:
        """Return the place in a game at which an event (fact) occurred first; None if unknown."""
        return self.places.get(_key(cue))


def _key(cue: Cue) -> str:
    return f"{cue.name} {cue.facts} {cue.to}"


def own_cards_setting(options: Mapping[str, str]) -> bool | None:
    """Return True if the players use their own cards, and False if the box has the cards.

    Return None if the game has no option for cards.
    """
    return options["deck"] == "own" if "deck" in options else None


def sample_values_per_name(values: Iterable[T], name: Callable[[T], str]) -> Iterator[T]:
    """Yield up to MAX_SAMPLED_VALUES values for each name.

    If a name has more values, sample these values evenly from the shortest text to the longest.
    """
    named: dict[str, list[T]] = {}
    for value in values:
        named.setdefault(name(value), []).append(value)
    for alike in named.values():
        if len(alike) > MAX_SAMPLED_VALUES:
            alike.sort(key=lambda value: len(str(value)))
        yield from sample_evenly(alike, MAX_SAMPLED_VALUES)


def prompts_answered_by_people(move: Move) -> Iterator[Prompt]:
    """Yield the questions that a person answers in a move.

    For a form, yield the question of each part.
    """
    if not isinstance(move.prompt, Form):
        if not is_answered_by_box(move.prompt):
            yield move.prompt
        return
    talk = Conversation(move.prompt)
    while (prompt := talk.next_prompt) is not None:
        yield prompt
        talk = talk.with_answer(move.value[prompt.name])


def make_snapshot_with_nine_undos(playout: Playout, state: Any, prompt: Prompt | None) -> Snapshot:
    """Return the snapshot of a state in which nine answers can be undone."""
    game, table = playout.table.game, playout.table
    return Snapshot(
        game=game.name,
        players=table.players,
        options=table.options,
        prompt=prompt,
        view=game.view(state, None),
        cues=(),
        position=9,
        undoable=9,
        redoable=0,
        outcome=game.outcome(state),
        code=playout.chance.commitment_code,
        seed=None,
    )


def observe_random_games(game: Game[Any], edition: Edition, games: int) -> ObservedGames:
    """Return the questions and events of `games` random games at each table.

    Also play one game with mistakes of the players at each of several tables. If a game raises an
    exception, use the moves before the exception.
    """
    observed, every = ObservedGames(game), [*tables_of_all_option_combinations(game, edition)]
    clumsy = every if len(every) <= MAX_COMBINATIONS else tables_covering_options(every)
    for table in every:
        for seed in range(games):
            with ExceptionCatcher():  # `check_no_exceptions` reports the exceptions
                observed.add_playout(play_random_game(table, seed))
    for table in clumsy:
        with ExceptionCatcher():
            observed.add_playout(play_random_game_with_mistakes(table, 0, MISTAKE_RATE))
    return observed
