"""A random player who mostly answers, and sometimes presses any button."""

from __future__ import annotations

from random import Random
from typing import Final

from companion.core.prompts import Prompt, Spell
from companion.play.simulate import random_answer
from companion.press.wheel import DONE_PLACE, wheel_answers_and_symbols
from hardware.ports import BACK, DOWN, OK, SEATS, UP
from tests.helpers import Drive

BUTTONS: Final = (OK, OK, OK, UP, DOWN, BACK, *SEATS)
SECONDS: Final = (0.08, 0.08, 0.08, 0.08, 0.4, 1.2, 2.3)
ANSWER_RATE: Final = 0.75
"""Probability of an answer, instead of any button."""
IDLE_RATE: Final = 0.05
"""Probability of a pause."""


def step(drive: Drive, chance: Random) -> None:
    """Do one random action."""
    prompt, looked = drive.table.menu_or_game_prompt, drive.table.cursor.looked
    if chance.random() < IDLE_RATE:
        drive.wait(chance.choice((0.3, 3, 30, 200, 1000)))
    elif chance.random() >= ANSWER_RATE or drive.is_locked:
        drive.press(chance.choice(BUTTONS), seconds=chance.choice(SECONDS))
    elif drive.moments:
        drive.press(OK)
    elif prompt is None:
        drive.press(OK, seconds=chance.choice((0.08, 1.0)))
    elif prompt.name == "mix":
        drive.press(chance.choice(BUTTONS))
    elif drive.table.press_context.curtain is not None and not looked:
        drive.press(OK, seconds=1.0)
    else:
        answer(drive, prompt, chance)


def answer(drive: Drive, prompt: Prompt, chance: Random) -> None:
    """Turn to an answer, or to a word's next letter, and choose it."""
    cursor = drive.table.cursor
    places = list(wheel_answers_and_symbols(prompt, cursor.text, cursor.row, cursor.back))
    value = _letter(drive, prompt, places, chance) if isinstance(prompt, Spell) else None
    value = random_answer(prompt, chance) if value is None else value
    if isinstance(prompt, Spell) and (ways := [place for place in places if value in place]):
        drive.choose(ways[0])  # a letter, or its row
    elif value in places:
        drive.choose(value)
    else:
        drive.press(OK)


def _letter(drive: Drive, prompt: Spell, places: list[str], chance: Random) -> str | None:
    """Return the next letter of an accepted word; DONE_PLACE after its last letter."""
    text = drive.table.cursor.text
    words = [word for word in prompt.samples if word.startswith(text)]
    if not words:
        return DONE_PLACE if DONE_PLACE in places else chance.choice(places)
    word = min(words, key=len)
    return word[len(text)] if len(word) > len(text) else DONE_PLACE
