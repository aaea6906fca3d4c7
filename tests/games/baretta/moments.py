"""Helpers: given states of a game of Baretta, and the moves that follow."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

import pytest

from companion.catalog import editions
from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, Choose
from companion.games.baretta import GAME
from companion.games.baretta.rules.board import CARD_SPACE_COUNT, CRIMINALS, CardOnBoard, Pile
from companion.games.baretta.rules.state import State, number_of_space
from tests.games import steps

play: Final = partial(steps.play_answers, GAME)

NAMES = ("Ann", "Bob", "Cy", "Dee")
PRINTED = editions.load_edition("baretta")
ARRESTS = tuple(f"arrest:{criminal}" for criminal in CRIMINALS)
ANNS, BOBS, CYS, _ = ARRESTS
MARKED = 2
"""Number of fields of a card under a marker: the card and its player."""
both_decks = pytest.mark.parametrize("deck", ["virtual", "own"])


def fresh(n: int = 2, edition: dict[str, Any] = PRINTED, **options: Any) -> State:
    chosen = {
        "deck": "virtual",
        "dice": "companion",
        "wounded": "up",
        "criminals": "choose",
        "cutting": "yes",
        **options,
    }
    return GAME.setup(NAMES[:n], chosen, edition)


def moment(
    cards: dict[str, Any], *piles: Pile, at: str = "hideout", roll: int = 0, **fields: Any
) -> State:
    """Return a state in which Ann is to roll, or has rolled `roll`, with Baretta at `at`.

    `cards`: space → a card laid before the game, or (card, seat) under that player's marker, or all
    fields of a CardOnBoard.
    """
    options = {
        key: fields.pop(key) for key in ("deck", "dice", "wounded", "cutting") if key in fields
    }
    piles = piles or (("hunch",), ("hunch",))
    state = fresh(len(piles), fields.pop("edition", PRINTED), **options)
    spots: list[CardOnBoard | None] = [None] * CARD_SPACE_COUNT
    for space, card in cards.items():
        laid: tuple[Any, ...] = card if isinstance(card, tuple) else (card,)
        spots[int(space) - 1] = CardOnBoard(*((*laid, True) if len(laid) == MARKED else laid))
    began: dict[str, Any] = {
        "step": "move_to" if roll else "roll", "accused": CRIMINALS[: len(piles)], "piles": piles,
        "shown": (False,) * len(piles), "spots": tuple(spots), "opening": False,
        "at": number_of_space(state, at), "moving": (roll, False) if roll else None,
    }  # fmt: skip
    return replace(state, **{**began, **fields})


def landed(card: Any, *piles: Pile, **fields: Any) -> tuple[State, Cues]:
    """Return the state and the cues after Ann landed on `card` at space 5."""
    others = fields.pop("cards", {})
    return play(moment({"5": card, **others}, *piles, at="4", roll=1, **fields), "5")


def asked(state: State) -> tuple[str, str | None, set[Answer]]:
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    assert len(set(prompt.options)) == len(prompt.options)
    return prompt.name, prompt.who, set(prompt.options)


def cue(cues: Cues, name: str) -> Cue:
    (found,) = (c for c in cues if c.name == name and c.to is None)
    return found


def spot(state: State, space: str) -> CardOnBoard | None:
    return state.spots[int(space) - 1]


def seen(state: State, space: str) -> dict[str, Any]:
    found: dict[str, Any] = GAME.view(state, None)["spaces"][space]
    return found


def to_act(state: State) -> Any:
    return GAME.view(state, None)["to_act"]
