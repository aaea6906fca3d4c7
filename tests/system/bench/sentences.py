"""Print each sentence of many games once, to be read: `sentences kojak fr`.

A third argument is the number of games (default: 1,000). Names of players, numbers, letters and
secret words are folded: if sentences differ in nothing else, only the first one is printed. Shown
and spoken sentences are separate; a `|` is a row of the display. The program folds facts before
it words them, so that later games are as fast as the first.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

import companion_testing as testing
from companion.catalog.editions import load_edition
from companion.catalog.registry import find_game
from companion.core.game import Cue
from companion.core.prompts import Choose, Prompt
from companion.core.snapshot import View
from companion.say.words import VERBOSITIES, Words
from companion_testing.observed_games import (
    make_snapshot_with_nine_undos,
    prompts_answered_by_people,
)
from companion_testing.playing import Playout, play_random_game
from companion_testing.table import tables_of_all_option_combinations
from tests.helpers import words_for

if TYPE_CHECKING:
    Line = tuple[str, str]

GAMES: Final = 1000
WORDINGS_PER_QUESTION: Final = 5
"""Number of times that equal questions are worded, because the state of the game may differ."""
FOLDED_PATTERN: Final = re.compile(r"\d+|\b[A-Z]\b")
MAX_KEPT_NUMBER: Final = 20
"""Numbers up to this one are not folded: they may have a word or a sentence of their own."""
WORD: Final = re.compile(r"[^\W_]+")


class Reader:
    """The different sentences of one game in one language."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.seen: dict[Line, str] = {}
        self._names = {name.casefold() for name in testing.LONG_NAMES}
        self._times: Counter[str] = Counter()

    def read(self, played: Playout) -> None:
        """Add the new sentences of a game."""
        game, moves = played.table.game, (*played.moves, *played.tried)
        cues = [*game.secrets(played.last_state), *(cue for move in moves for cue in move.cues)]
        self._names |= spelt(cues)
        for cue in cues:
            if self._is_new(f"{cue.name} {cue.facts} {cue.to}"):
                self._take(told(self.words, cue))
        for move in moves:
            for prompt in prompts_answered_by_people(move):
                if self._is_new(f"{prompt}", WORDINGS_PER_QUESTION):
                    self._take(asked(self.words, prompt, game.view(move.before, None)))
        self._take(
            [
                (
                    "status",
                    self.words.score_row(
                        make_snapshot_with_nine_undos(played, played.last_state, None).view
                    ),
                )
            ]
        )

    def _is_new(self, facts: str, often: int = 1) -> bool:
        key = self.folded(facts, MAX_KEPT_NUMBER)
        self._times[key] += 1
        return self._times[key] <= often

    def _take(self, lines: Iterator[Line] | list[Line]) -> None:
        for where, sentence in lines:
            if sentence:
                self.seen.setdefault((where, self.folded(sentence)), sentence)

    def folded(self, sentence: str, few: int = -1) -> str:
        """Return a sentence without players' names, single letters, and numbers above `few`."""
        named = WORD.sub(lambda word: self._folded(word[0]), sentence)
        return FOLDED_PATTERN.sub(
            lambda one: one[0] if one[0].isdigit() and int(one[0]) <= few else "0", named
        )

    def _folded(self, word: str) -> str:
        return "N" if word.casefold() in self._names else word


def told(words: Words, cue: Cue) -> Iterator[Line]:
    """Yield the texts of a fact: shown, as a title, and spoken."""
    yield f"{cue.name} shown", words.fact_text(cue)
    if words.group_facts_by_picture((cue,)) and words.has_sentence(
        f"{words.game}.cue.{cue.name}.title"
    ):
        yield f"{cue.name} title", words.fact_title(cue)
    for verbosity in VERBOSITIES[:2]:
        yield f"{cue.name} said, {verbosity}", words.fact_speech(cue, verbosity)


def asked(words: Words, prompt: Prompt, view: View) -> Iterator[Line]:
    """Yield the texts of a question: in row 6, spoken, on the curtain, and its answers."""
    yield f"{prompt.name} asked", words.question_row(prompt, view)
    yield f"{prompt.name} said", words.spoken_question(prompt, view)
    if prompt.private:
        yield f"{prompt.name} curtain", words.reason_for_private_question(prompt, view)
    if isinstance(prompt, Choose):
        for value in prompt.options:
            yield f"{prompt.name} answer", words.answer_label(prompt.name, value, view)


def spelt(cues: list[Cue]) -> set[str]:
    """Return the words that were guessed, or revealed at the end."""
    found = (cue.facts.get("word") for cue in cues)
    return {word.strip(".").casefold() for word in found if isinstance(word, str)}


def main(game: str, language: str, games: int) -> None:
    """Print the sentences, sorted by their places."""
    reader, every = (
        Reader(words_for(game, language)),
        [*tables_of_all_option_combinations(find_game(game), load_edition(game))],
    )
    for n in range(games):
        reader.read(play_random_game(every[n % len(every)], n // len(every)))
    for (where, _), sentence in sorted(reader.seen.items()):
        sys.stdout.write(f"{where:<32} {sentence}\n")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(given[0], given[1], int(next(islice(given, 2, None), GAMES)))
