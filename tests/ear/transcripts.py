"""Transcripts of audio mode: the first lines of three games of each kind, in both languages.

Run `python -m tests.ear.transcripts` to write the page of the docs again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from random import Random
from typing import Final

from companion.catalog import registry
from companion.menus.words import menu_words
from companion.say.words import LANGUAGES
from tests.ear.listener import Heard, Table
from tests.ear.whole import Hurried, seeded
from tests.rulings import DOCS_FOLDER

PAGE: Final = DOCS_FOLDER / "players" / "listening.md"
LINE_COUNT: Final = 40
"""Lines of each game in the book."""
GAMES: Final = 3
"""Games of each kind in each language. The second game has secrets for one ear."""
HEADS: Final = {"en": "in English", "fr": "in French"}
INTRO: Final = f"""# What you hear in audio mode

This page is for everybody who wants to read what the box says in audio mode. It has the first
{LINE_COUNT} lines of {GAMES} games of each kind, with three players, in two languages. A name in
brackets means that only this player hears the line. [Play by listening](ear.md) explains the
buttons.
"""


class _EnoughHeard(Exception):
    """All lines of a transcript have been spoken."""


class _Counting(Table):
    """A box that stops after a number of spoken lines."""

    def __init__(self, language: str) -> None:
        self.last: int | None = None
        super().__init__(language)

    def wait(self, seconds: float) -> None:
        """Let time pass. Raise _EnoughHeard after the last line."""
        super().wait(seconds)
        if self.last is not None and len(self.heard) >= self.last:
            raise _EnoughHeard


def heard(game: str, language: str, seed: int, lines: int = LINE_COUNT) -> tuple[Heard, ...]:
    """Return the first spoken lines of a game."""
    box = _Counting(language)
    listener = Hurried(box, Random(seed), language, secrets=seed % 2 == 1)
    with seeded(seed):
        said = listener.begin(menu_words(language).game_title(game))
        begun = len(box.heard) - len(said)
        box.last = begun + lines
        with contextlib.suppress(_EnoughHeard):
            listener.play(said)
    return tuple(box.heard[begun : begun + lines])


def shown(lines: tuple[Heard, ...]) -> str:
    """Return lines in the format of the page."""
    return "\n".join(
        line.text if line.ear is None else f"[{line.ear}] {line.text}" for line in lines
    )


def page() -> Iterator[str]:
    yield INTRO
    for game in registry.BUILT_IN_GAMES:
        for language in LANGUAGES:
            yield f"\n## {menu_words('en').game_title(game)}, {HEADS[language]}\n"
            for seed in range(GAMES):
                yield f"\n```text\n{shown(heard(game, language, seed))}\n```\n"


if __name__ == "__main__":
    PAGE.write_text("".join(page()), encoding="utf-8")
