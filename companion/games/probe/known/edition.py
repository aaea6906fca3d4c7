"""Checks of Probe's file `edition.toml`: its activity cards (PR-5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from checked_input.checks import (
    ValueMistake,
    ValuePlace,
    distinct,
    known_word,
    list_of,
    number,
    table,
    text,
)
from companion.games.probe.rules.board import AGAIN, CARDS_WITHOUT_POINTS, POINTS

MAX_CARDS_PER_KIND: Final = 99
"""Maximum number of activity cards of one kind in a deck."""

_known = known_word("card", (*CARDS_WITHOUT_POINTS, f"{POINTS} 20"))


def _name(name: str, where: ValuePlace) -> Iterable[ValueMistake]:
    """Check an activity card's name: the card's points are a multiple of 5, and not 0 (PR-5)."""
    if not re.fullmatch(rf"{POINTS} -?[1-9][0-9]{{0,2}}", name):
        return _known(name, where)
    off = int(name.split()[1]) % 5
    return (where.bad_value(name, "points_in_steps_of_5"),) if off else ()


def _deck(deck: list[Any], where: ValuePlace) -> Iterator[ValueMistake]:
    """Check that the deck has a card other than "additional turn", so that turns can end (PR-4)."""
    if not any(_passes(entry) for entry in deck):
        yield where.bad_value(deck, "a_card_that_ends_a_turn")


def _passes(entry: Any) -> bool:
    return not isinstance(entry, dict) or (entry.get("name") != AGAIN and entry.get("count") != 0)


EDITION = table(
    card=list_of(table(name=text(_name, distinct), count=number(0, MAX_CARDS_PER_KIND)), _deck)
)
"""Schema of edition.toml: the name of each activity card, and the number of cards of this name."""
