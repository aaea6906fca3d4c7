"""What a Baretta edition must be (BA-2, BA-10 to BA-12): the model behind edition.toml."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationInfo, WrapValidator
from pydantic_core import PydanticCustomError

from companion.games.baretta.board import (
    CARD_SPACES,
    CORNERS,
    DECK_SIZE,
    EFFECTS,
    GO_TO,
    HIDEOUT_ID,
    HUNCH,
    IN_TROUBLE,
    MOST,
    MOVE,
    STAY_PUT,
    TO,
    WOUNDED,
    links_of,
)
from companion.games.editions import (
    Handler,
    Slip,
    column,
    distinct,
    entries,
    label,
    shown,
    slip,
    together,
    whole,
    word,
    wrong_count,
)

NUMBERS: Final = tuple(str(n) for n in range(1, CARD_SPACES + 1))
RING: Final = CARD_SPACES + CORNERS
SHORTEST: Final = 2
"""Spaces of a shortcut, its ends included."""
SHORTCUT_ID: Final = r"[a-z][a-z0-9]{0,3}"


def _corner_id(found: str) -> str:
    if not re.fullmatch(r"[a-z][a-z-]{0,11}", found) or found in (HIDEOUT_ID, "pass"):
        raise slip("bad_value", found=shown(found), expected="1-12_letters_a-z_or_hyphens")
    return found


def _goals(start: str, info: ValidationInfo) -> list[str]:
    """Where a card or a corner can send Baretta; empty if the corners' ids are not all there."""
    corners = column(info, "corner", "id")
    return [f"{start}:{ident}" for ident in (*corners, HIDEOUT_ID)] if corners else []


def _does(found: str, info: ValidationInfo) -> str:
    """An effect of the set; a "to:" leads to where it does not go on (BA-10, BA-11)."""
    goals, sends = _goals(TO, info), found.startswith(f"{TO}:")
    if not goals and sends:
        return found
    word(found, "board effect", (*EFFECTS, *goals))
    there = _effect_of(found.removeprefix(f"{TO}:"), info) if sends else None
    if isinstance(there, str) and there.startswith(f"{TO}:"):
        raise slip("bad_value", found=shown(found), expected="a_place_that_leads_no_further")
    return found


def _effect_of(ident: str, info: ValidationInfo) -> object:
    """What a corner or the Hideout does, as the file has it."""
    if ident == HIDEOUT_ID:
        return whole(info).data.get("hideout")
    ids, effects = column(info, "corner", "id"), column(info, "corner", "does")
    return dict(zip(ids, effects, strict=False)).get(ident)


# --- The board ------------------------------------------------------------------------------------


def _space(found: str, info: ValidationInfo) -> str:
    """A space of the outside path: one of the 24, or a corner."""
    corners = column(info, "corner", "id")
    return word(found, "space", (*NUMBERS, *corners)) if corners or found in NUMBERS else found


def _path(found: Any, handler: Handler, info: ValidationInfo) -> Any:
    """BA-3: a corner first, then the 24 in order with the other corners between them."""
    slips: list[Slip] = []
    if isinstance(found, list):
        if len(found) != RING:
            slips.append(((), wrong_count(found, info, str(RING))))
        if found and found[0] in NUMBERS:
            slips.append(((0,), slip("bad_value", found=shown(found[0]), expected="a_corner")))
        places = [i for i, ident in enumerate(found) if ident in NUMBERS]
        for i, number in zip(places, NUMBERS, strict=False):
            if found[i] != number:
                error = slip("bad_value", found=shown(found[i]), expected=shown(number))
                slips.append(((i,), error))
                break  # all the rest is one too far
    return together(found, handler, slips)


def _step(found: str, info: ValidationInfo) -> str:
    """A space that a shortcut comes by: of the path, the Hideout, or one of its own."""
    corners = column(info, "corner", "id")
    if not corners or re.fullmatch(SHORTCUT_ID, found):
        return found
    return word(found, "space", (*NUMBERS, *corners, HIDEOUT_ID))


def _shortcuts(found: Any, handler: Handler, info: ValidationInfo) -> Any:
    """BA-6: every shortcut leads somewhere at both ends, and one of them to the Hideout."""
    corners = column(info, "corner", "id")
    if not corners or not _are_ways(found):
        return handler(found)
    slips: list[Slip] = []
    known = {*NUMBERS, HIDEOUT_ID, *corners}
    for i, way in enumerate(found):
        others = {ident for other in (*found[:i], *found[i + 1 :]) for ident in other}
        slips += [
            ((i, j), broken) for j in range(len(way)) if (broken := _broken(way, j, known | others))
        ]
        if len(way) < SHORTEST:
            error = slip("wrong_count", found=shown("shortcuts"), count=len(way), expected="2+")
            slips.append(((i,), error))
    if not slips and not _connected(found, corners):
        error = slip("bad_value", found=shown("shortcuts"), expected="a_way_to_the_hideout")
        slips.append(((), error))
    return together(found, handler, slips)


def _are_ways(found: object) -> bool:
    return isinstance(found, list) and all(
        isinstance(way, list) and all(isinstance(ident, str) for ident in way) for way in found
    )


def _broken(way: list[str], j: int, known: set[str]) -> PydanticCustomError | None:
    """What is wrong with the `j`th space of a shortcut, so that nobody can walk it."""
    if way[j] in way[:j]:
        return slip("repeated", found=shown(way[j]))
    ends = j in (0, len(way) - 1)
    if ends and way[j] not in known and re.fullmatch(SHORTCUT_ID, way[j]):
        return slip("bad_value", found=shown(way[j]), expected="a_space_where_the_way_goes_on")
    return None


def _connected(ways: list[list[str]], corners: list[str]) -> bool:
    """Whether every space, the Hideout above all, can be reached from the path."""
    ids = list(dict.fromkeys((*NUMBERS, *corners, HIDEOUT_ID, *(i for way in ways for i in way))))
    links = links_of(ids, ((*NUMBERS, *corners), *ways))
    reached, new = set[int](), {0}
    while new:
        reached |= new
        new = {to for space in new for to in links[space]} - reached
    return len(reached) == len(ids)


# --- The cards ------------------------------------------------------------------------------------


def _cards(found: Any, handler: Handler, info: ValidationInfo) -> Any:
    """BA-2, BA-12: 44 cards, each of a kind that there is."""
    slips: list[Slip] = []
    if isinstance(found, dict):
        counts = [count for count in found.values() if type(count) is int]
        if len(counts) == len(found) and sum(counts) != DECK_SIZE:
            error = slip(
                "wrong_count", found=shown("cards"), count=sum(counts), expected=str(DECK_SIZE)
            )
            slips.append(((), error))
        goals = _goals(GO_TO, info)
        slips += [((card,), wrong) for card in found if (wrong := _no_card(card, goals))]
    return together(found, handler, slips)


def _no_card(found: str, goals: list[str]) -> PydanticCustomError | None:
    """The error for a card that there is not."""
    if not goals and found.startswith(f"{GO_TO}:"):
        return None
    moves = (f"{MOVE}:{n}" for n in range(1, MOST + 1))
    try:
        word(found, "card", (STAY_PUT, HUNCH, WOUNDED, IN_TROUBLE, *goals, *moves))
    except PydanticCustomError as error:
        return error
    return None


def _number(found: int) -> int:
    if not 1 <= found <= DECK_SIZE:
        raise slip("bad_value", found=shown(found), expected=f"1-{DECK_SIZE}")
    return found


Name: TypeAlias = Annotated[str, AfterValidator(label(1, 10)), AfterValidator(distinct)]
Effect: TypeAlias = Annotated[str, AfterValidator(_does)]
PathSpace: TypeAlias = Annotated[str, AfterValidator(_space), AfterValidator(distinct)]
Step: TypeAlias = Annotated[str, AfterValidator(_step)]
Number: TypeAlias = Annotated[int, AfterValidator(_number)]


class Table(BaseModel):
    """Nothing but its keys, each of exactly its type."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Corner(Table):
    """A corner: its `id` in this file, the `name` that people see, and what it `does`."""

    id: Annotated[str, AfterValidator(_corner_id), AfterValidator(distinct)]
    name: Name
    does: Effect


class Edition(Table):
    """A board: the outside path, the shortcuts, the Hideout and the corners; and the 44 cards."""

    path: Annotated[list[PathSpace], WrapValidator(_path)]
    shortcuts: Annotated[list[list[Step]], WrapValidator(_shortcuts)]
    hideout: Effect
    cards: Annotated[dict[str, Number], WrapValidator(_cards)]
    corner: Annotated[list[Corner], WrapValidator(entries(CORNERS))]
