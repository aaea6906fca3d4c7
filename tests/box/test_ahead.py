"""Tests of speech and curtains: in random games, the voice never speaks before a curtain opens.

CURTAINS: number of whole games of each kind, instead of 60 presses of one game.
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
"""Number of presses in the one game that is played without CURTAINS."""
SECRET: Final = {"deck": "virtual", "words": "secret"}
"""Options with which the box deals the cards and words, so that players look alone."""
ALONE: Final = frozenset({"baretta", "barney-miller", "probe"})
"""The games with curtains."""


class Listener:
    """A player who presses random buttons and hears the speech since the last answer.

    `curtains` counts the curtains.
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
        """Press buttons. Yield each sound or sentence that was played too early."""
        for _ in range(presses):
            if self.drive.session.standing.pending_prompt is None:
                return
            begins = len(self.drive.speaker.heard)
            self.thumb.press()
            if self._place() != self.place:
                self.place, self.since = self._place(), begins
            yield from self._early()

    def _early(self) -> Iterator[str]:
        """Yield the sounds and sentences that were played but belong behind the curtain."""
        table, prompt, words = (
            self.drive.table,
            self.drive.session.standing.pending_prompt,
            self.drive.loop.shown_screen_words(),
        )
        if prompt is None or table.menus.current_page is not None:
            return
        heard, now = self.drive.speaker.heard[self.since :], self.drive.session.standing.snapshot
        call = f"en: {words.spoken_question(prompt, now.view)}"
        if table.curtain is not None and table.held is not None:  # else the curtain hides no event
            self.curtains += 1
            told = now.cues[: len(now.cues) - len(table.held)]
            assert told[-1].to == table.curtain, "the last event before a curtain is private"
            later = {*self._of(table.held), call} - self._of(told)
            yield from (sound for sound in heard if sound in later)
        elif prompt.private and call in heard:
            self.curtains += 1
            yield from self._of(now.cues).intersection(heard[heard.index(call) + 1 :])

    def _of(self, cues: Cues) -> set[str]:
        """Return the sounds and sentences of events."""
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
