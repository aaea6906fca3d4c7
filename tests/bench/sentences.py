"""Every sentence of so many games, each once, to be read.

    python -m tests.bench.sentences kojak fr

A third argument is how many games are played, 1,000 without it. Names of players, numbers, letters
and secret words are folded: a sentence that differs in nothing else stands here once, with the
first that was met. What is shown and what is said stand apart; a `|` is a row of the display.
"""

from __future__ import annotations

import re
import sys
from itertools import islice
from typing import TYPE_CHECKING, Final

from companion.core.prompts import Choose
from companion.games import testing
from companion.games.editions import load
from companion.games.registry import find
from companion.games.testing.playing import playout
from companion.games.testing.table import tables
from companion.say.words import VERBOSITIES
from tests.helpers import words_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.testing.met import Asked, Met
    from companion.say.words import Words

GAMES: Final = 1000
ALIKE: Final = re.compile(r"\d+|\b[A-Z]\b")


def met(game: str, games: int) -> Met:
    """What so many random games ask and tell, at all their tables in turn."""
    found, every = testing.Met(), [*tables(find(game), load(game))]
    for n in range(games):
        found.take(playout(every[n % len(every)], n // len(every)))
    return found


def sentences(words: Words, found: Met) -> Iterator[tuple[str, str]]:
    """What is shown or said, and where."""
    for cue in found.cues.values():
        yield f"{cue.name} shown", words.text(cue)
        if words.moments((cue,)) and words.has(f"{words.game}.cue.{cue.name}.title"):
            yield f"{cue.name} title", words.title(cue)
        for verbosity in VERBOSITIES[:2]:
            yield f"{cue.name} said, {verbosity}", words.speech(cue, verbosity)
    for asked in found.asked.values():
        yield from questions(words, asked)
    for end in found.ends:
        yield "status", words.status(end.view)


def questions(words: Words, asked: Asked) -> Iterator[tuple[str, str]]:
    """A question as row 6 has it, as it is said, on the curtain, and its answers."""
    prompt, view = asked.prompt, asked.snapshot.view
    yield f"{prompt.name} asked", words.question(prompt, view)
    yield f"{prompt.name} said", words.asked(prompt, view)
    if prompt.private:
        yield f"{prompt.name} curtain", words.wanted(prompt, view)
    if isinstance(prompt, Choose):
        for value in prompt.options:
            yield f"{prompt.name} answer", words.label(prompt.name, value, view)


def folded(sentence: str, names: tuple[str, ...]) -> str:
    """A sentence without what differs from table to table."""
    for name in names:
        sentence = re.sub(name, "N", sentence, flags=re.IGNORECASE)
    return ALIKE.sub("0", sentence)


def spelt(found: Met) -> Iterator[str]:
    """The words that were guessed, or seen at the end."""
    for cue in found.cues.values():
        if isinstance(word := cue.facts.get("word"), str) and word.strip("."):
            yield re.escape(word.strip("."))


def main(game: str, language: str, games: int) -> None:
    """Print them, in order of where they stand."""
    words, seen = words_for(game, language), dict[tuple[str, str], str]()
    found = met(game, games)
    names = tuple(sorted({*testing.NAMES, *spelt(found)}, key=len, reverse=True))
    for where, sentence in sentences(words, found):
        if sentence:
            seen.setdefault((where, folded(sentence, names)), sentence)
    for (where, _), sentence in sorted(seen.items()):
        sys.stdout.write(f"{where:<32} {sentence}\n")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(given[0], given[1], int(next(islice(given, 2, None), GAMES)))
