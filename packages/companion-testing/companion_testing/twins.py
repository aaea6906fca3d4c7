"""Checks with twin games, which differ only in hidden parts.

From one move of a random game on, a second game repeats the answers with one hidden difference. The
difference is two swapped cards in a shuffle, another side of a private die, or another answer to a
private question. A player without the secret must receive the same views, events and questions in
both games. The games are allowed to differ after both games have revealed the secret to all
players. Both games must reveal the secret at the same moment. The rules can publish a private
answer that is not in `Game.covert`, such as a bid. An event must then reveal the answer to all
players at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import zip_longest
from random import Random
from typing import Any, Final, assert_never

from companion.core.errors import Refused
from companion.core.fold import apply_answer_to_prompt
from companion.core.game import Cue, Cues, Game
from companion.core.prompts import (
    Answer,
    Choose,
    Form,
    Number,
    Question,
    Roll,
    Shuffle,
    Spell,
    first_prompt_of_form,
    is_answered_by_box,
    is_legal_answer,
    is_private_question,
    legal_answers,
)
from companion_testing.playing import Move, Playout
from companion_testing.table import Faults, GameFault, sample_evenly

ENOUGH_GAMES: Final = 8
"""Number of twin games after which a question with public answers is no longer tested.

Answers of a question are public if the rules showed every answer to all players in these games.
"""
MAX_TWIN_ANSWERS: Final = 1_000
"""Maximum number of answers in all twin games of one random game."""
COMPARED_ANSWERS: Final = 3
"""Number of answers that are tried for each part of a form when two forms are compared."""
EARLY_PART_DIVISOR: Final = 3
"""Divisor: of two swapped cards, one is in the first third (1/EARLY_PART_DIVISOR) of a shuffle.

Few games use the last cards of a shuffle.
"""


def check_twin_games_look_equal(playout: Playout) -> Faults:
    """Yield a fault if a public part, a view or a question depends on another player's secret."""
    game, rng, moves = playout.table.game, playout.new_random_generator, playout.moves
    places: dict[str, list[int]] = {}
    for at, move in enumerate(moves):
        if _hides(game, move):
            places.setdefault(move.prompt.name, []).append(at)
    shown = cache(lambda at, player: game.view(moves[at].after, player))
    left, tried, far = MAX_TWIN_ANSWERS, Counter[str](), dict.fromkeys(places, 0)
    while left >= 0 and far:
        for name in [*far]:
            at = rng.choice(places[name])
            value = find_answer_with_hidden_difference(moves[at], rng)
            twin = _Twins(playout, at, value, shown)
            for fault_text, n in twin.find_noticeable_differences():
                yield GameFault(
                    fault_text, playout.place_of_move(n), playout.place_of_move(at), value
                )
            left -= 1 + twin.played
            tried[name] += bool(twin.played)
            far[name] = max(far[name], twin.played)
            # stop testing a question whose answer the rules publish at once
            if tried[name] >= ENOUGH_GAMES and far[name] == 1:
                del far[name]


def _hides(game: Game[Any], move: Move) -> bool:
    if move.is_out_of_turn:
        return False
    match move.prompt:
        case Shuffle():
            return True
        case question:
            return is_private_question(question) or is_answer_secret_after_undo(
                game, question, move.value
            )


def is_answer_secret_after_undo(game: Game[Any], question: Question, value: Answer) -> bool:
    """Return True if an answer, or a part of an answer, stays secret after an undo."""
    parts = value if isinstance(question, Form) else ()
    return not game.covert.isdisjoint((question.name, *parts))


def find_answer_with_hidden_difference(move: Move, rng: Random) -> Answer:
    """Return another legal answer to the move's question.

    If no other legal answer is found, return the move's answer.
    """
    value = move.value
    match move.prompt:
        case Shuffle(n=n):
            return _changed_places(value, n, rng) if n > 1 else value
        case Roll(real=False, sides=sides):
            faces = [*value]
            for at in _some_places(len(value), rng):
                faces[at] = (value[at] + rng.randrange(1, sides) - 1) % sides + 1
            return faces
        case Spell() as prompt:
            letters = rng.choice((value, prompt.letters or "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            spelt = [*value]
            for at in _some_places(len(value), rng):
                spelt[at] = rng.choice(letters)
            word = "".join(spelt)
            return word if is_legal_answer(prompt, word) else value
        case Choose() | Number() | Roll() as prompt:
            others = [answer for answer in legal_answers(prompt) if answer != value]
            return rng.choice(others) if others else value
        case Form() as form:
            return _other_parts(form, value, rng)
        case never:
            assert_never(never)


def _other_parts(form: Form, value: Answer, rng: Random) -> Answer:
    """Return a complete answer to a form, with new values in some parts.

    All remaining parts keep the old values if the form still offers the old values.
    """
    names = [*value]
    changed = {names[at] for at in _some_places(len(names), rng)}
    given: dict[str, Answer] = {}
    while (part := form.ask(given)) is not None:
        stays, others = value.get(part.name), [*legal_answers(part)]
        if part.name in changed and len(others) > 1:
            stays = rng.choice([answer for answer in others if answer != stays])
        given[part.name] = stays if is_legal_answer(part, stays) else rng.choice(others)
    return given


def _some_places(n: int, rng: Random) -> list[int]:
    """Return one or several of the positions 0 to `n` - 1, at random.

    Several positions are necessary if one changed position has no effect. For example, two codes
    that differ in one place can have the same numbers of pegs.
    """
    return rng.sample(range(n), rng.choice((1, 1, rng.randint(1, n))))


def _changed_places(order: Sequence[int], n: int, rng: Random) -> list[int]:
    here = rng.randrange(max(1, n // EARLY_PART_DIVISOR))
    there = rng.choice([place for place in range(n) if place != here])
    changed = [*order]
    changed[here], changed[there] = changed[there], changed[here]
    return changed


def _may_be_public(game: Game[Any], prompt: Question) -> bool:
    """Return True if the rules may publish the private answer to a question at once.

    The answer to a covert question always stays secret, so return False for a covert question.
    """
    match prompt:
        case Choose() | Number() | Spell() | Form():
            return prompt.name not in game.covert
        case Roll() | Shuffle():
            return False
        case never:
            assert_never(never)


class _Twins:
    """Two games, and the players who can distinguish these games.

    `played` is the number of answers in the second game.
    """

    def __init__(
        self,
        playout: Playout,
        at: int,
        other: Answer,
        shown: Callable[[int, str | None], dict[str, Any]],
    ) -> None:
        self.game, self.players = playout.table.game, playout.table.players
        self.thorough = playout.thorough
        self.at, self.moves, self.other, self.shown = at, playout.moves[at:], other, shown
        self.played = 0
        self.knows: set[str | None] = {self.moves[0].prompt.who}
        self.one = self.two = self.moves[0].before

    def find_noticeable_differences(self) -> Iterator[tuple[str, int]]:
        """Yield (text, move number) for each difference between the games that a player can notice.

        Players who know the secret do not count. Move numbers count from 0.
        """
        for i, move in enumerate(self.moves):
            outcome = self._compared(move, first=i == 0)
            differences = outcome if isinstance(outcome, list) else [*self._seen(self.at + i)]
            for difference in differences:
                yield difference, self.at + i
            if differences or isinstance(outcome, list):
                return

    def _compared(self, move: Move, *, first: bool) -> list[str] | None:
        """Play a move in both games, and return the faulty differences as texts.

        Return None if the caller must also compare the views and the questions after the move.
        Return [] if there is no fault, and the later moves need no comparison.
        """
        prompt = move.prompt if first else self._asked(move)
        if prompt is None:
            return [f"{move.prompt.name} can be said or not, depending on what is hidden"]
        try:
            after = apply_answer_to_prompt(
                self.game, self.two, prompt, self.other if first else move.value
            )
        except Refused:
            if is_private_question(prompt):
                return []
            return [f"{prompt.name} takes an answer or not, depending on what is hidden"]
        self.one, (self.two, cues) = move.after, after
        if self.one == self.two:
            return []
        self.played += 1
        ours, theirs = move.public_facts, tuple(cue for cue in cues if cue.to is None)
        if ours != theirs:
            by_the_rules = first and _may_be_public(self.game, prompt)
            return [] if by_the_rules else [*self._told(ours, theirs)]
        self._learn(move.cues, cues)
        return None

    def _asked(self, move: Move) -> Question | None:
        """Return the second game's question that has the name of the move's question.

        Return None if the second game asks no such question.
        """
        standing = self.game.ask(self.two)
        asked = (
            self.game.anytime(self.two) if move.is_out_of_turn else (standing,) if standing else ()
        )
        return next((question for question in asked if question.name == move.prompt.name), None)

    # --- facts ---

    def _told(self, ours: Cues, theirs: Cues) -> Iterator[str]:
        """Yield a fault if public events of two games differ, although no event reveals the secret.

        Also yield a fault if one game reports an event at once, but the other game first asks a
        question.
        """
        pairs = [
            (our_cue, their_cue)
            for our_cue, their_cue in zip_longest(ours, theirs)
            if our_cue != their_cue
        ]
        first = tuple(cue for cue in pairs[0] if cue is not None)
        if not any(cue.reveals or cue.name in self.game.discloses for cue in first):
            yield f"{first[0].name} depends on what is hidden, and is told to all"
        elif self._tells_too_much(*pairs[0]):
            yield f"{first[0].name} tells more of what is hidden than `discloses` allows"
        elif len(first) == 1:
            silent = self.two if pairs[0][0] else self.one
            prompt = self.game.ask(silent)
            if prompt is not None and self._comes_after(silent, prompt, first[0]):
                yield (
                    f"{first[0].name} is told at once or after {prompt.name} is asked, "
                    "depending on what is hidden"
                )

    def _tells_too_much(self, first: Cue | None, second: Cue | None) -> bool:
        """Return True if two events differ although `Game.discloses` allows no difference."""
        if first is None or second is None or first.name != second.name:
            return False
        allowed = self.game.discloses.get(first.name)
        return allowed is not None and allowed(self.one, first) == allowed(self.two, second)

    def _comes_after(self, state: Any, prompt: Question, fact: Cue) -> bool:
        if is_answered_by_box(prompt):
            return False
        steps = (
            apply_answer_to_prompt(self.game, state, prompt, value)[1]
            for value in legal_answers(prompt)
        )
        first = (next((cue for cue in cues if cue.to is None), None) for cues in steps)
        return any(cue and (cue.name, cue.clause) == (fact.name, fact.clause) for cue in first)

    def _learn(self, first: Cues, second: Cues) -> None:
        for player in self.players:
            ours, theirs = ([cue for cue in cues if cue.to == player] for cues in (first, second))
            if ours != theirs:
                self.knows.add(player)

    # --- views and questions ---

    def _secrets(self, state: Any) -> list[str]:
        return [repr(cue) for cue in self.game.secrets(state) if cue.to not in self.knows]

    def _seen(self, at: int) -> Iterator[str]:
        yield from self._asks(self.game.ask(self.one), self.game.ask(self.two))
        if self.game.outcome(self.one) != self.game.outcome(self.two):
            yield "the outcome depends on what is hidden, and nothing was turned over for all"
        if self._secrets(self.one) != self._secrets(self.two):
            yield "the secrets of who does not know of it depend on what is hidden"
        for player in self._watchers():
            if player is None or player not in self.knows:
                ours, theirs = self.shown(at, player), self.game.view(self.two, player)
                if ours != theirs:
                    names = [name for name in ours if ours[name] != theirs.get(name)]
                    whose = f"{player}'s view" if player else "the view of all"
                    yield f"{whose} shows what is hidden in {', '.join(names) or 'more facts'}"
        for first, second in zip_longest(self.game.anytime(self.one), self.game.anytime(self.two)):
            if _open(first) != _open(second):
                yield "what can be said out of turn depends on what is hidden"

    def _watchers(self) -> tuple[str | None, ...]:
        """Return the players whose views are compared, and None, which means the public view."""
        if self.thorough or self.played == 1:
            return (None, *self.players)
        return (None, self.players[self.played % len(self.players)])

    def _asks(self, first: Question | None, second: Question | None) -> Iterator[str]:
        """Yield a fault if a question depends on the secret.

        Public questions must be the same in both games. The answers of a private question are
        allowed to differ if the asked player knows the secret. If both games offer the same
        answers, order and cursor must be the same, because neighbours see how often a player
        presses.
        """
        if _same(first, second):
            return
        if (
            first is None
            or second is None
            or not is_private_question(first)
            or not is_private_question(second)
        ):
            name = (first or second).name  # type: ignore[union-attr] # they differ: one is there
            yield f"{name} is asked or not, or offers other answers, depending on what is hidden"
        elif _outside(first) != _outside(second):
            yield f"{first.name} asks {first.who} of other things, depending on what is hidden"
        elif sorted(map(repr, legal_answers(first))) == sorted(map(repr, legal_answers(second))):
            yield f"{first.name} has another order or start, depending on what is hidden"
        elif first.who not in self.knows:
            yield f"{first.name} asks {first.who}, who does not know of it, of what is hidden"


def questions_look_equal_to_player(
    first: Question | None, second: Question | None, player: str
) -> bool:
    """Return True if a player cannot distinguish two questions.

    A player sees only the public part of another player's private question.
    """
    if (
        first is None
        or second is None
        or not is_private_question(first)
        or player in (first.who, second.who)
    ):
        return _same(first, second)
    return is_private_question(second) and bool(_outside(first) == _outside(second))


def _same(first: Question | None, second: Question | None) -> bool:
    if isinstance(first, Form) and isinstance(second, Form):
        return (
            first[:2] == second[:2]
            and first.facts == second.facts
            and _same_parts(first, second, {})
        )
    return first == second


def _same_parts(first: Form, second: Form, given: dict[str, Answer]) -> bool:
    part = first.ask(given)
    if part != second.ask(given):
        return False
    some = () if part is None else sample_evenly(legal_answers(part), COMPARED_ANSWERS)
    return all(_same_parts(first, second, {**given, part.name: value}) for value in some if part)


def _outside(prompt: Question) -> Any:
    """Return the part of a private question that the asked player's neighbours can see.

    Neighbours see the kind of question and the dice, but no answers.
    """
    seen = type(prompt), prompt.name, prompt.who, prompt.facts
    match prompt:
        case Form():
            first = first_prompt_of_form(prompt)
            return *seen, first and _outside(first)
        case Choose(tap=tap):
            return *seen, tap
        case Roll(dice=dice, sides=sides):
            return *seen, dice, sides
        case Shuffle(n=n):
            return *seen, n
        case Number() | Spell():
            return seen
        case never:
            assert_never(never)


def _open(question: Question | None) -> Any:
    if isinstance(question, Form):
        first = question.ask({})
        return question.name, question.who, first and (first.name, tuple(legal_answers(first)))
    return question
