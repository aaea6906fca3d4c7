"""The voice never runs ahead of a curtain, in random games that are played on the buttons.

CURTAINS=1000 plays so many games of each kind to their end instead of a few presses of one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

import pytest

from companion.catalog import registry
from companion.core.game import Cues
from tests.helpers import PLAYER_NAMES, Drive, begin_game, setup_for
from tests.system.bench.bus import MAX_PRESSES, Thumb

GAMES: Final = int(os.environ.get("CURTAINS", "0"))
FEW: Final = 60
"""Presses of the one game that is begun without CURTAINS."""
SECRET: Final = {"deck": "virtual", "words": "secret"}
"""The box has the cards, and the words, so that somebody must look alone."""
ALONE: Final = frozenset({"baretta", "barney-miller", "probe"})
"""The games in which the box is handed on."""


class Listener:
    """Somebody who plays, and hears what has been said since the last answer.

    `curtains` counts the moments at which somebody is called to look alone.
    """

    def __init__(self, game: str, n: int) -> None:
        options = {option.name: option.values[0] for option in registry.find_game(game).options}
        options |= {name: value for name, value in SECRET.items() if name in options}
        setup = setup_for(options, game=game, players=PLAYER_NAMES[: 2 + n % 3], seed=str(n))
        self.drive = Drive(begin_game(setup))
        self.drive.resume()
        self.thumb = Thumb(self.drive)
        self.place, self.since = self._place(), 0
        self.curtains = 0

    def _place(self) -> tuple[int, int]:
        now = self.drive.session.standing.snapshot
        return now.position, now.redoable

    def play(self, presses: int) -> Iterator[str]:
        """What was said too early, in so many presses."""
        for _ in range(presses):
            if self.drive.session.standing.pending_prompt is None:
                return
            begins = len(self.drive.speaker.heard)
            self.thumb.press()
            if self._place() != self.place:
                self.place, self.since = self._place(), begins
            yield from self._early()

    def _early(self) -> Iterator[str]:
        """What has been heard of what comes after the curtain, if there is one."""
        table, prompt, words = (
            self.drive.table,
            self.drive.session.standing.pending_prompt,
            self.drive.loop.shown_screen_words(),
        )
        if prompt is None or table.menus.current_page is not None:
            return
        heard, now = self.drive.speaker.heard[self.since :], self.drive.session.standing.snapshot
        call = f"en: {words.spoken_question(prompt, now.view)}"
        if table.curtain is not None and table.held is not None:  # else only a look is asked for
            self.curtains += 1
            told = now.cues[: len(now.cues) - len(table.held)]
            assert told[-1].to == table.curtain, "the curtain comes with the news"
            later = {*self._of(table.held), call} - self._of(told)
            yield from (sound for sound in heard if sound in later)
        elif prompt.private and call in heard:
            self.curtains += 1
            yield from self._of(now.cues).intersection(heard[heard.index(call) + 1 :])

    def _of(self, cues: Cues) -> set[str]:
        """What is heard of facts: their sounds and sentences."""
        words = self.drive.loop.shown_screen_words()
        sentences = {f"en: {words.fact_speech(cue)}" for cue in cues}
        return {*sentences, *(f"♪ {words.fact_sound_name(cue)}" for cue in cues)} - {
            "en: ",
            "♪ None",
        }


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_nothing_that_follows_a_curtain_is_said_before_it_is_gone(game: str) -> None:
    curtains = 0
    for n in range(GAMES or 1):
        listener = Listener(game, n)
        presses = MAX_PRESSES if GAMES else FEW
        assert list(listener.play(presses)) == []
        curtains += listener.curtains
    assert (curtains > 0) == (game in ALONE)
