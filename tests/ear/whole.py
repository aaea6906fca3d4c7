"""Whole games by listening alone, and their figures: words, words said again, talk, presses.

The listener of these games is in a hurry: it waits half a second after each press. At a curtain it
never turns; it does what it was told last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final, NamedTuple

import pytest

from companion.menus.words import menu_words
from companion.play import begin
from hardware.ports import BACK, DOWN, OK
from tests.ear.listener import MAX_PRESSES, Box, Heard, Listener, Lost, Table

PLAYERS: Final = 3
WAIT_SECONDS: Final = 0.5
"""Seconds that the hurried listener listens after a press."""
WORDS_PER_MINUTE: Final = 160
"""Words a minute."""
REMEMBERED_LINES: Final = 4
"""Lines in which a word that is said again counts as said twice."""
OPEN_OPTIONS: Final = (
    ("barney-miller.setting.deck.own", "barney-miller.setting.deck.virtual"),
    ("probe.setting.words.racks", "probe.setting.words.secret"),
)
"""Options without secrets, and what the listener changes them to."""
GAMES_WITH_SECRETS: Final = ("barney-miller", "probe")
"""Games that deal no secrets as they are proposed."""
PATIENCE_SECONDS: Final = 4.0
"""Seconds of silence after which the hurried listener presses OK."""
MIN_REPEATED_WORDS: Final = 3
"""Words in a row that make a repetition; shorter runs are the words of any sentence."""
WORD: Final = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")


class Hurried(Listener):
    """A listener that waits half a second, plays with three, and never asks what there is.

    `secrets`: it lets the box deal, so that secrets are heard in one ear.
    """

    def __init__(self, box: Box, rng: Random, language: str, *, secrets: bool = False) -> None:
        super().__init__(box, rng, language)
        self.look, self.patience, self.secrets = MAX_PRESSES, PATIENCE_SECONDS, secrets

    def listen(self) -> list[Heard]:
        """What is said now, and for half a second after it."""
        self.box.wait(WAIT_SECONDS)
        found = self.box.heard[self.read :]
        self.read = len(self.box.heard)
        return found

    def begin(self, title: str) -> list[Heard]:
        """From the first screen into a new game of three with the options that are proposed."""
        said = self.line("box.option.home.new", self.listen())
        said = self.settled(self.find(lambda what: what == title, said))
        said = self.settled(self.find(lambda what: what.startswith(str(PLAYERS)), said))
        titles = {self._title(page) for page in ("name", "options", "setup", "board")}
        while any(one.text in titles for one in said):
            own = any(one.text == self._title("setup") for one in said)
            if self.secrets and own and title in map(self._words.game_title, GAMES_WITH_SECRETS):
                return self._begin_with_secrets()
            said = self.settled(self.press(OK))
        return said

    def _begin_with_secrets(self) -> list[Heard]:
        """Back to the options; the box deals, or words are secret, and the game begins."""
        every = {self._words(key).rstrip(".") for pair in OPEN_OPTIONS for key in pair}
        said = self.settled(self.press(BACK))
        self.turn_to(lambda what: what in every, said)
        if self._at is not None and self._at.what in {self._words(key) for key, _ in OPEN_OPTIONS}:
            self.change()
        return self.line("box.option.options.start", self.press(DOWN))


class WholeGame(NamedTuple):
    """A game that was played by listening: its lines from the first question on, and presses."""

    lines: tuple[Heard, ...]
    presses: int

    @property
    def words(self) -> int:
        """Return how many words were said."""
        return sum(len(split(line.text)) for line in self.lines)


def split(text: str) -> list[str]:
    """Return the words of a line."""
    return WORD.findall(text)


def repeated(lines: Sequence[Heard]) -> Iterator[int]:
    """Yield for each line how many of its words are in a run of three said four lines ago or less.

    Names and answers of one word or two say who and what, and are no repetition. The room did not
    hear what one ear alone heard.
    """
    words = [(line.ear, [word.lower() for word in split(line.text)]) for line in lines]
    for n, (ear, now) in enumerate(words):
        heard = [
            old for whose, old in words[max(0, n - REMEMBERED_LINES) : n] if whose in (None, ear)
        ]
        before = {run for old in heard for run in _runs(old)}
        again = {
            at + k for at, run in enumerate(_runs(now)) if run in before for k in range(len(run))
        }
        yield len(again)


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [
        tuple(words[n : n + MIN_REPEATED_WORDS]) for n in range(len(words) - MIN_REPEATED_WORDS + 1)
    ]


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Let the next game have the chance of `seed`."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(begin, "fresh_seed", lambda: f"{seed:064x}")
        yield


def play(game: str, language: str, seed: int, *, secrets: bool = False) -> WholeGame:
    """Play one game by listening from the first screen to its end. Raise Lost if it gets lost."""
    listener = Hurried(Table(language), Random(seed), language, secrets=secrets)
    with seeded(seed):
        said = listener.begin(menu_words(language).game_title(game))
        begun, presses = len(listener.box.heard) - len(said), listener.presses
        listener.play(said)
    return WholeGame(tuple(listener.box.heard[begun:]), listener.presses - presses)


class Measured(NamedTuple):
    """The means of some games, and how many of them ended."""

    ended: int
    words: float
    minutes: float
    presses: float
    repeated: float


def measure(game: str, language: str, seeds: Iterable[int]) -> Measured:
    """Play games by listening; those of odd seeds have secrets that one ear hears."""
    games = []
    for seed in seeds:
        try:
            games.append(play(game, language, seed, secrets=seed % 2 == 1))
        except Lost as error:
            print(f"{game} {language} {seed}: {error}")  # noqa: T201 - the command is to tell
    count, words = max(1, len(games)), sum(one.words for one in games)
    again = sum(sum(repeated(one.lines)) for one in games)
    presses = sum(one.presses for one in games)
    talk = words / count / WORDS_PER_MINUTE
    return Measured(len(games), words / count, talk, presses / count, again / max(1, words))
