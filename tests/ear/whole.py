"""Whole games in audio mode, and their figures: words, repeated words, minutes, presses.

The listener of these games is in a hurry: it waits half a second after each press. At a curtain, it
never turns, but follows the last instruction.
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
REMEMBERED_LINES: Final = 4
"""Number of earlier lines in which a word must occur to count as repeated."""
OPEN_OPTIONS: Final = (
    ("barney-miller.setting.deck.own", "barney-miller.setting.deck.virtual"),
    ("probe.setting.words.racks", "probe.setting.words.secret"),
)
"""Options without secrets, and the options to which the listener changes them."""
GAMES_WITH_SECRETS: Final = ("barney-miller", "probe")
"""Games without secrets in their default options."""
PATIENCE_SECONDS: Final = 4.0
"""Seconds of silence after which the hurried listener presses OK."""
MIN_REPEATED_WORDS: Final = 3
"""Words in a row that make a repetition. Shorter runs occur in any sentence."""
WORD: Final = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")


class Hurried(Listener):
    """A listener that waits half a second, plays with three players, and never reads the survey.

    `secrets`: choose virtual cards or secret words, so that one ear hears secrets.
    """

    def __init__(self, box: Box, rng: Random, language: str, *, secrets: bool = False) -> None:
        super().__init__(box, rng, language)
        self.look, self.patience, self.secrets = MAX_PRESSES, PATIENCE_SECONDS, secrets

    def listen(self) -> list[Heard]:
        """Wait half a second. Return all new sentences."""
        self.box.wait(WAIT_SECONDS)
        found = self.box.heard[self.read :]
        self.read = len(self.box.heard)
        return found

    def begin(self, title: str) -> list[Heard]:
        """Begin a new game of three players from the first screen, with the proposed options."""
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
        """Go back to the options, choose virtual cards or secret words, and begin the game."""
        every = {self._words(key).rstrip(".") for pair in OPEN_OPTIONS for key in pair}
        said = self.settled(self.press(BACK))
        self.turn_to(lambda what: what in every, said)
        if self._at is not None and self._at.what in {self._words(key) for key, _ in OPEN_OPTIONS}:
            self.change()
        return self.line("box.option.options.start", self.press(DOWN))


class WholeGame(NamedTuple):
    """A game in audio mode: its lines from the first question on, and its presses."""

    lines: tuple[Heard, ...]
    presses: int

    @property
    def words(self) -> int:
        return sum(len(split(line.text)) for line in self.lines)


def split(text: str) -> list[str]:
    return WORD.findall(text)


def repeated(lines: Sequence[Heard]) -> Iterator[int]:
    """Yield for each line the number of its words in runs of three that earlier lines have, too.

    Only the last four lines count. Names and answers of one or two words are no repetition. The
    room does not hear the lines for one ear.
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
    """Play a game in audio mode from the first screen to its end. Raise Lost if it gets lost."""
    listener = Hurried(Table(language), Random(seed), language, secrets=secrets)
    with seeded(seed):
        said = listener.begin(menu_words(language).game_title(game))
        begun, presses = len(listener.box.heard) - len(said), listener.presses
        listener.play(said)
    return WholeGame(tuple(listener.box.heard[begun:]), listener.presses - presses)


class Measured(NamedTuple):
    """The mean values of some games, and the number of games that ended."""

    ended: int
    words: float
    minutes: float
    presses: float
    repeated: float


def measure(game: str, language: str, seeds: Iterable[int]) -> Measured:
    """Play games in audio mode. Games with odd seeds have secrets for one ear."""
    games = []
    for seed in seeds:
        try:
            games.append(play(game, language, seed, secrets=seed % 2 == 1))
        except Lost as error:
            print(f"{game} {language} {seed}: {error}")  # noqa: T201 - output of the command
    count, words = max(1, len(games)), sum(one.words for one in games)
    again = sum(sum(repeated(one.lines)) for one in games)
    presses = sum(one.presses for one in games)
    talk = words / count / WORDS_PER_MINUTE
    return Measured(len(games), words / count, talk, presses / count, again / max(1, words))
