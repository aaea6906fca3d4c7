"""The states, questions and forms of sample games, from which the protocol's reference is written.

In the sample games, programs without knowledge of the rules prefer answers that were rare so far.
Each game is played with many combinations of options, also on a board that the box does not know.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from companion.catalog import registry
from companion.catalog.editions import built_in_edition_without_values
from companion.core.chance import Chance
from companion.core.prompts import Answer, Form, Prompt, Question, legal_answers
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.standing import Standing
from companion.record.journal import Journal
from companion_testing.table import tables_of_all_option_combinations
from tests.helpers import printed_edition
from tests.met import BLANK_CARDS, OTHER_EDITIONS
from tests.talks import PLAYER_NAMES, questions

MAX_ANSWERS: Final = 300
"""Maximum number of answers in a sample game."""
MIN_SHARE: Final = 0.5
"""Share of an option value's games that must have a question, so that the question needs the value.

A question that is rarer can be missing in the games with other values by chance.
"""


class ObservedGame:
    """All that the sample games of one game showed.

    - `state_values`: table from a field of the state to its values, in order.
    - `prompts`: table from the name of a question to its prompts.
    - `parts`: table from an out-of-turn question to the names of its parts. A correction has one
      entry for each corrected thing, such as `correct.chip`.
    - `open_at`: the pending questions during which a correction is possible.
    - `asked`: all pending questions during which a question out of turn is possible.
    """

    def __init__(self, game: str) -> None:
        self.state_values: dict[str, list[Any]] = {}
        self.prompts: dict[str, list[Prompt]] = {}
        self.parts: dict[str, dict[tuple[str, ...], None]] = {}
        self.open_at: set[str] = set()
        self.asked: set[str] = set()
        self._options: list[Mapping[str, str]] = []
        self._games_of: dict[str, set[int]] = {}
        self._answers = defaultdict[str, Counter[Answer]](Counter)
        self._names = questions(game)
        for setup in _sample_setups(game):
            self._options.append(setup.options)
            rng = random.Random(len(self._options))  # noqa: S311 - a sample game
            self._play(Session.begin(Journal(None), setup, 0), rng)

    def needed_options(self, name: str) -> list[str]:
        """Return the option values, such as `deck=own`, that a question or correction needs."""
        games = self._games_of[name]
        needed = []
        for option in self._options[0]:
            values = {self._options[n][option] for n in games}
            every = [n for n, has in enumerate(self._options) if has[option] in values]
            is_always = len(every) == len(self._options)
            if len(values) == 1 and not is_always and len(games) >= MIN_SHARE * len(every):
                needed.append(f"{option}={values.pop()}")
        return needed

    def _play(self, session: Session, rng: random.Random) -> None:
        for _ in range(MAX_ANSWERS):
            question = session.standing.pending_question
            for field, value in session.standing.snapshot.view.items():
                self.state_values.setdefault(field, []).append(value)
            self._observe_forms(session.standing, rng)
            if question is None:
                return
            assert not isinstance(question, Form)  # no built-in game asks for a form in turn
            self._observe(question)
            session.answer(self._rare_answer(question, rng), 0)
            session.commit()

    def _observe_forms(self, standing: Standing, rng: random.Random) -> None:
        pending = standing.pending_question
        for question in standing.out_of_turn_questions:
            parts = [*_parts(question, rng)] if isinstance(question, Form) else [(question, None)]
            for prompt, _ in parts:
                self._observe(prompt)
            thing = next((value for prompt, value in parts if prompt.name == "what"), None)
            name = question.name if thing is None else f"{question.name}.{thing}"
            self._see(name)
            self.parts.setdefault(name, {})[tuple(prompt.name for prompt, _ in parts)] = None
            if pending is not None:
                self.asked.add(pending.name)
                if question.name == "correct":
                    self.open_at.add(pending.name)

    def _observe(self, prompt: Prompt) -> None:
        self._see(prompt.name)
        self.prompts.setdefault(prompt.name, []).append(prompt)

    def _see(self, name: str) -> None:
        self._games_of.setdefault(name, set()).add(len(self._options) - 1)

    def _rare_answer(self, question: Question, rng: random.Random) -> Answer:
        """Return the rarest answer so far. Among equally rare answers, prefer a question's name."""
        answers = [*legal_answers(question)]
        rng.shuffle(answers)
        given = self._answers[question.name]
        rarest = min(answers, key=lambda answer: (given[answer], answer not in self._names))
        given[rarest] += 1
        return rarest


def _parts(form: Form, rng: random.Random) -> Iterator[tuple[Prompt, Answer]]:
    given: dict[str, Answer] = {}
    while (prompt := form.ask(given)) is not None:
        given[prompt.name] = rng.choice(legal_answers(prompt))
        yield prompt, given[prompt.name]


def _sample_setups(name: str) -> Iterator[GameSetup]:
    game, printed = registry.find_game(name), printed_edition(name)
    boards = [printed]
    if name in OTHER_EDITIONS:
        boards.append(OTHER_EDITIONS[name](printed))
    if name in BLANK_CARDS:
        boards.append(built_in_edition_without_values(name, BLANK_CARDS[name]))
    for table in tables_of_all_option_combinations(game, printed):
        players = PLAYER_NAMES[: len(table.players)]
        for board in boards:
            yield GameSetup(game, players, table.options, board, Chance("5eed"), mixing=False)


@cache
def observe_sample_games(game: str) -> ObservedGame:
    """Return all that the sample games of `game` showed."""
    return ObservedGame(game)
