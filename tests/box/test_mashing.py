"""Tests of a player who mashes OK: every game ends, and no unread question is answered."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

import pytest

from companion.catalog import registry
from companion.press.controls import LOOK_HOLD_SECONDS, UNREAD_SECONDS
from companion.press.cursor import has_selected_answer
from hardware.ports import DOWN, OK, UP
from tests.helpers import Drive, begin_game, setup_for

PRESSED: Final = 0.05
"""Seconds that a press of the thumb lasts."""
TIRED: Final = (0.04, 0.4)
"""Shortest and longest time (s) of a tap by a tired player, and of the pause after it."""
PLAYERS: Final = ("Ann", "Bob", "Cy")
OTHERS: Final[Mapping[str, Mapping[str, str]]] = {
    "barney-miller": {"deck": "virtual"},
    "baretta": {"deck": "own"},
    "probe": {"words": "secret"},
}
"""Options that add or remove the secrets of a game."""
WORDS: Final = "PROBE", "WORD", "LETTER"
"""The secret words, because a mashing player spells none."""
MOST_PRESSES: Final = 6_000
MOST_TURNS: Final = 4


class MashingThumb:
    """A player who presses OK `rate` times a second. Note each answer that came too early.

    The player also turns the wheel at random, so that no game repeats for ever. If OK needs an
    uncovered secret and a choice, the player uncovers the secret and chooses first.
    """

    def __init__(self, drive: Drive, rate: float, seed: str) -> None:
        self.drive, self.rate, self.random = drive, rate, Random(seed)
        self.early: list[tuple[str, float]] = []
        self.repeats, self.asked = 0, 1
        self._question, self._since = self._lies_in_front(), drive.buttons.now - UNREAD_SECONDS
        host = drive.services
        self._show, self._again = host.screen.show_frame, host.voice.repeat_last_speech
        host.screen.show_frame = self._watch  # type: ignore[method-assign]
        host.voice.repeat_last_speech = self._count  # type: ignore[method-assign]

    def _watch(self) -> None:
        question = self._lies_in_front()
        if not question[0] and question != self._question:
            self._since = self.drive.buttons.now
            self.asked += 1
        self._question = question
        self._show()

    def _lies_in_front(self) -> tuple[object, ...]:
        table = self.drive.table
        return bool(table.overlays.queue), table.menu_or_game_prompt, self._position

    def _count(self) -> None:
        self.repeats += 1
        self._again()

    def press(self) -> None:
        """Press OK once, or first do what OK needs."""
        prompt = None if self.drive.moments else self.drive.table.menu_or_game_prompt
        if self._is_covered():
            self.drive.down(OK)
            self.drive.wait(LOOK_HOLD_SECONDS)
            self._tap(self.random.choice((UP, DOWN)))
            self.drive.up(OK)
        elif prompt is not None:
            for _ in range(self.random.randrange(MOST_TURNS)):
                self._tap(self.random.choice((UP, DOWN)))
        self._mash()

    def _is_covered(self) -> bool:
        """Return True if OK answers nothing before its player has looked and chosen."""
        scene, cursor = self.drive.table.press_context, self.drive.table.cursor
        if scene.overlay or scene.curtain is None or cursor.looking is not None:
            return False
        return scene.prompt is None or not has_selected_answer(scene.prompt, cursor)

    def _tap(self, button: str) -> None:
        self.drive.down(button)
        self.drive.wait(PRESSED)
        self.drive.up(button)

    def _mash(self) -> None:
        before, pressed, prompt = (
            self._position,
            self.drive.buttons.now,
            self.drive.table.menu_or_game_prompt,
        )
        since = self._since
        self._tap(OK)
        if self._position > before and prompt is not None and pressed < since + UNREAD_SECONDS:
            self.early.append((prompt.name, pressed - since))
        self.drive.wait(1 / self.rate - PRESSED)

    @property
    def _position(self) -> int:
        session = self.drive.loop.running_session
        return 0 if session is None else session.standing.snapshot.position


class TiredThumb(MashingThumb):
    """A player whose taps and pauses last 40 to 400 ms each."""

    def _tap(self, button: str) -> None:
        self.drive.down(button)
        self.drive.wait(self.random.uniform(*TIRED))
        self.drive.up(button)

    def _mash(self) -> None:
        self.rate = 1 / (PRESSED + self.random.uniform(*TIRED))
        super()._mash()


def mashed(
    game: str, options: Mapping[str, str], rate: float, kind: type[MashingThumb] = MashingThumb
) -> MashingThumb:
    """Let a player mash through a whole game. Return the player."""
    usual = {option.name: option.values[0] for option in registry.find_game(game).options}
    setup = setup_for(usual | dict(options), game=game, players=PLAYERS)
    drive = Drive(begin_game(setup, WORDS if options.get("words") == "secret" else ()))
    drive.resume()
    thumb = kind(drive, rate, f"{game} {rate}")
    for _ in range(MOST_PRESSES):
        if drive.session.standing.snapshot.outcome is not None:
            break
        thumb.press()
    return thumb


def check(
    game: str, options: Mapping[str, str], rate: float, kind: type[MashingThumb] = MashingThumb
) -> None:
    """Check that a mashed game ends, without early answers and with few repeated questions."""
    thumb = mashed(game, options, rate, kind)
    assert thumb.drive.session.standing.snapshot.outcome is not None
    assert thumb.early == []
    assert thumb.repeats <= thumb.asked


@pytest.mark.long
def test_a_thumb_that_mashes_ok_finishes_kojak_and_answers_nothing_unread() -> None:
    check("kojak", {}, 4)


@pytest.mark.long
@pytest.mark.parametrize("rate", range(2, 9))
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_a_thumb_that_mashes_ok_finishes_a_game_and_answers_nothing_unread(
    game: str, rate: float
) -> None:
    for options in ({}, OTHERS.get(game)):
        if options is not None:
            check(game, options, rate)


@pytest.mark.long
def test_random_taps_of_40_to_400_ms_finish_baretta_and_answer_nothing_unread() -> None:
    check("baretta", {}, 1, TiredThumb)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_random_taps_of_40_to_400_ms_finish_a_game_and_answer_nothing_unread(
    game: str, seed: int
) -> None:
    for options in ({}, OTHERS.get(game)):
        if options is not None:
            check(game, options, 1 + seed, TiredThumb)
