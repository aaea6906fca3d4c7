"""Tests of a real deck (BM-11): the box knows only what players answer, even if it is wrong."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from companion.catalog import editions
from companion.core.fold import apply_answer
from companion.core.game import Cues
from companion.core.prompts import (
    Answer,
    Prompt,
    first_prompt_of_form,
    is_answered_by_box,
    is_legal_answer,
    legal_answers,
)
from companion.games.barney_miller import GAME
from companion.games.barney_miller.rules.board import DECK, HAND_SIZE_BY_PLAYER_COUNT
from companion.games.barney_miller.rules.state import State

USUAL: Final = {option.name: option.values[0] for option in GAME.options}
NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
WRONG: Final = 0.02
"""Probability of a wrong answer that no player notices."""


class Table:
    """Real cards in real hands, played at random, and the players' answers."""

    def __init__(self, n: int, rng: Random) -> None:
        self.n, self.rng = n, rng
        self.deal([*DECK], 2)

    def deal(self, deck: list[int], hands_each: int) -> None:
        self.rng.shuffle(deck)
        size = HAND_SIZE_BY_PLAYER_COUNT[self.n]
        hands = [deck[i * size : (i + 1) * size] for i in range(hands_each * self.n)]
        self.hands, self.seconds = hands[: self.n], hands[self.n :] or [[] for _ in range(self.n)]
        self.aside = deck[len(hands) * size :]

    def answer(self, prompt: Prompt, seat: int) -> Answer:
        hand = self.hands[seat]
        if prompt.name == "play_card":
            card = self.rng.choice(hand)
            hand.remove(card)
            return self.rng.choice(DECK) if self.rng.random() < WRONG else card
        if prompt.name == "zero":
            said = "play" if 0 in hand else "pass"
            hand[:] = [*(card for card in hand if card), *[0] * (hand.count(0) - (said == "play"))]
            return said
        return self.rng.choice(legal_answers(prompt))

    def follow(self, cues: Cues) -> None:
        """Do on the table what the cues announce: pick up a hand, or deal."""
        for cue in cues:
            if cue.name == "picked_up":
                seat = NAMES.index(cue.facts["who"])
                self.hands[seat], self.seconds[seat] = self.seconds[seat], []
            elif cue.name == "dealt":
                again = cue.facts["how"] == "again"
                self.deal([*DECK] if again else self.aside, 1 + (cue.facts["how"] == "half"))


@pytest.mark.parametrize("redeal", ["all", "aside"])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_bm11_every_card_that_people_play_can_be_told_whatever_was_told_wrongly_before(
    n: int, redeal: str
) -> None:
    impossible = 0
    for seed in range(10):
        rng = Random(seed)
        table = Table(n, rng)
        options = USUAL | {"redeal": redeal}
        state: State = GAME.setup(NAMES[:n], options, editions.load_edition(GAME.name))
        while (prompt := first_prompt_of_form(GAME.ask(state))) is not None:
            told = (
                [rng.randint(1, 6)]
                if is_answered_by_box(prompt)
                else table.answer(prompt, state.turn)
            )
            assert is_legal_answer(prompt, told)
            state, cues = apply_answer(GAME, state, told)
            table.follow(cues)
            assert [*map(len, table.hands)] == [*map(len, state.hands)]
            impossible += any(cue.name == "too_many" for cue in cues)
    assert impossible
