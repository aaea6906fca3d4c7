"""What a Probe edition must be (PR-5): the model behind edition.toml."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationInfo, WrapValidator

from companion.games.editions import Handler, Slip, distinct, shown, slip, together, word
from companion.games.probe.board import AGAIN, LEFT, NORMAL, OWN_DOT, POINTS, RIGHT, TIMES

PLAIN: Final = (NORMAL, AGAIN, LEFT, RIGHT, OWN_DOT, *(f"{TIMES} {n}" for n in (3, 4, 5)))
MOST: Final = 99
"""Cards of one kind."""


def _name(found: str) -> str:
    """A card by its name; any points but 0, in steps of 5."""
    if re.fullmatch(rf"{POINTS} -?[1-9][0-9]{{0,2}}", found):
        if int(found.split()[1]) % 5:
            raise slip("bad_value", found=shown(found), expected="points_in_steps_of_5")
        return found
    return word(found, "card", (*PLAIN, f"{POINTS} 20"))


def _count(found: int) -> int:
    if not 0 <= found <= MOST:
        raise slip("bad_value", found=shown(found), expected=f"0-{MOST}")
    return found


def _deck(found: Any, handler: Handler, _: ValidationInfo) -> Any:
    """A deck that lets the turn pass: with nothing but additional turns it never would (PR-4)."""
    slips: list[Slip] = []
    if isinstance(found, list) and not any(_passes(entry) for entry in found):
        slips.append(((), slip("bad_value", found="[...]", expected="a_card_that_ends_a_turn")))
    return together(found, handler, slips)


def _passes(entry: Any) -> bool:
    """Whether a card's turn ends at a "no"; what is wrong in other ways is told elsewhere."""
    return not isinstance(entry, dict) or (entry.get("name") != AGAIN and entry.get("count") != 0)


Name: TypeAlias = Annotated[str, AfterValidator(_name), AfterValidator(distinct)]


class Table(BaseModel):
    """Nothing but its keys, each of exactly its type."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Entry(Table):
    """An activity card: its `name`, as in answers, and how many there are of it."""

    name: Name
    count: Annotated[int, AfterValidator(_count)]


class Edition(Table):
    """A deck of activity cards."""

    card: Annotated[list[Entry], WrapValidator(_deck)]
