"""What a Baretta edition must be (BA-2, BA-10 to BA-12): the check behind edition.toml."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from checked_input.checks import (
    May,
    Slip,
    Where,
    column,
    distinct,
    entries,
    label,
    listed,
    named,
    number,
    table,
    text,
    word,
)
from checked_input.mistakes import shown
from companion.catalog.editions import Teachable
from companion.core.prompts import Choose
from companion.games.baretta.rules.board import (
    ASSUMED,
    CARD_SPACES,
    CORNERS,
    DECK_SIZE,
    EFFECTS,
    GO_TO,
    HIDEOUT_ID,
    HUNCH,
    IN_TROUBLE,
    MAX_STEPS,
    MOVE,
    PRINTED,
    STAY_PUT,
    TO,
    UNKNOWN,
    WOUNDED,
    links_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from companion.catalog.editions import Place
    from companion.core.game import Edition

NUMBERS: Final = tuple(str(n) for n in range(1, CARD_SPACES + 1))
RING: Final = CARD_SPACES + CORNERS
MIN_SPACES: Final = 2
"""Spaces of a shortcut, its ends included."""
SHORTCUT_ID: Final = r"[a-z][a-z0-9]{0,3}"


def _corner_id(found: str, where: Where) -> Iterator[Slip]:
    if not re.fullmatch(r"[a-z][a-z-]{0,11}", found) or found in (HIDEOUT_ID, "pass"):
        yield where.bad(found, "1-12_letters_a-z_or_hyphens")


def _goals(start: str, where: Where) -> list[str]:
    """Where a card or a corner can send Baretta: to any space (BA-10, BA-12).

    Empty if the corners' ids are not all there.
    """
    corners, ways = column(where, "corner", "id"), where.whole.get("shortcuts")
    inner = [ident for way in ways for ident in way] if _are_ways(ways) else []
    ids = dict.fromkeys((*corners, HIDEOUT_ID, *NUMBERS, *inner))
    return [f"{start}:{ident}" for ident in ids] if corners else []


def _does(found: str, where: Where) -> Iterator[Slip]:
    """An effect of the set; a "to:" leads to where no other "to:" is (BA-10, BA-11)."""
    if found == UNKNOWN:
        return
    goals, sends = _goals(TO, where), found.startswith(f"{TO}:")
    if not goals and sends:
        return
    yield from word("board effect", (*EFFECTS, *goals))(found, where)
    there = _effect_of(found.removeprefix(f"{TO}:"), where) if sends else None
    if isinstance(there, str) and there.startswith(f"{TO}:"):
        yield where.bad(found, "a_place_that_leads_no_further")


def _effect_of(ident: str, where: Where) -> object:
    """What a corner or the Hideout does, as the file has it."""
    if ident == HIDEOUT_ID:
        return where.whole.get("hideout")
    ids, effects = column(where, "corner", "id"), column(where, "corner", "does")
    return dict(zip(ids, effects, strict=False)).get(ident)


# --- The board ------------------------------------------------------------------------------------


def _space(found: str, where: Where) -> Iterable[Slip]:
    """A space of the outside path: one of the 24, or a corner."""
    corners = column(where, "corner", "id")
    if found in NUMBERS or not corners:
        return ()
    return word("space", (*NUMBERS, *corners))(found, where)


def _path(found: list[Any], where: Where) -> Iterator[Slip]:
    """BA-3: a corner first, then the 24 in order with the other corners between them."""
    if len(found) != RING:
        yield where.miscounted(len(found), str(RING))
    if found and found[0] in NUMBERS:
        yield where.at(0).bad(found[0], "a_corner")
    places = [i for i, ident in enumerate(found) if ident in NUMBERS]
    for i, expected in zip(places, NUMBERS, strict=False):
        if found[i] != expected:
            yield where.at(i).bad(found[i], shown(expected))
            break  # all the rest is one too far


def _step(found: str, where: Where) -> Iterable[Slip]:
    """A space that a shortcut comes by: of the path, the Hideout, or one of its own."""
    corners = column(where, "corner", "id")
    if not corners or re.fullmatch(SHORTCUT_ID, found):
        return ()
    return word("space", (*NUMBERS, *corners, HIDEOUT_ID))(found, where)


def _shortcuts(found: list[Any], where: Where) -> Iterator[Slip]:
    """BA-6: every shortcut leads somewhere at both ends, and one of them to the Hideout."""
    corners = column(where, "corner", "id")
    if not corners or not _are_ways(found):
        return
    slips = [slip for i in range(len(found)) for slip in _way(found, i, where.at(i))]
    yield from slips
    if not slips and not _connected(found, corners):
        yield where.slip("bad_value", found=shown("shortcuts"), expected="a_way_to_the_hideout")


def _are_ways(found: Any) -> TypeGuard[list[list[str]]]:
    return isinstance(found, list) and all(
        isinstance(way, list) and all(isinstance(ident, str) for ident in way) for way in found
    )


def _way(ways: list[list[str]], i: int, where: Where) -> Iterator[Slip]:
    """The `i`th shortcut: nobody can walk it twice over a space, or to an end that is nowhere."""
    way = ways[i]
    known = {*NUMBERS, HIDEOUT_ID, *column(where, "corner", "id")}
    known |= {ident for other in (*ways[:i], *ways[i + 1 :]) for ident in other}
    for j, ident in enumerate(way):
        if ident in way[:j]:
            yield where.at(j).slip("repeated", found=shown(ident))
        elif j in (0, len(way) - 1) and ident not in known and re.fullmatch(SHORTCUT_ID, ident):
            yield where.at(j).bad(ident, "a_space_where_the_way_goes_on")
    if len(way) < MIN_SPACES:
        yield where.miscounted(len(way), f"{MIN_SPACES}+")


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


def _cards(found: dict[str, Any], where: Where) -> Iterator[Slip]:
    """BA-2, BA-12: 44 cards, each of a kind that there is."""
    counts = [count for count in found.values() if type(count) is int]
    if len(counts) == len(found) and sum(counts) != DECK_SIZE:
        yield where.miscounted(sum(counts), str(DECK_SIZE))
    goals = _goals(GO_TO, where)
    moves = (f"{MOVE}:{n}" for n in range(1, MAX_STEPS + 1))
    a_card = word("card", (STAY_PUT, HUNCH, WOUNDED, IN_TROUBLE, *goals, *moves))
    for card in found:
        if goals or not card.startswith(f"{GO_TO}:"):
            yield from a_card(card, where.at(card))


_corner = table(
    id=text(_corner_id, distinct),
    name=text(label(1, 10), distinct),
    french=May(text(label(1, 13), distinct)),
    does=text(_does),
)
"""A corner: its `id` in this file, the `name` that people see, in `french` too; what it `does`."""

EDITION = table(
    path=listed(text(_space, distinct), _path),
    shortcuts=listed(listed(text(_step)), _shortcuts),
    hideout=text(_does),
    counts=May(text(word("way to count", (ASSUMED, PRINTED)))),
    cards=named(number(1, DECK_SIZE), _cards),
    corner=entries(CORNERS, _corner),
)
"""A board: the outside path, the shortcuts, the Hideout and the corners; and the 44 cards.

`counts` tells whether somebody has counted the cards; without it their number is assumed.
"""


def _places(_data: Mapping[str, Any], _players: tuple[str, ...]) -> tuple[Place, ...]:
    """The corners, as one passes them, and the Hideout."""
    return (*(("corner", n, "does") for n in range(CORNERS)), (HIDEOUT_ID,))


def _asks(data: Edition, place: Place, _last: bool) -> Choose:  # noqa: FBT001
    """BA-19: what a corner or the Hideout says; a way on leads to where no other does."""
    here = HIDEOUT_ID if place == (HIDEOUT_ID,) else data["corner"][place[1]]["id"]
    does = {HIDEOUT_ID: data["hideout"], **{c["id"]: c["does"] for c in data["corner"]}}
    sent = {effect.removeprefix(f"{TO}:") for effect in does.values() if effect.startswith(TO)}
    goals = [
        f"{TO}:{ident}"
        for ident in does
        if ident != here and here not in sent and not does[ident].startswith(f"{TO}:")
    ]
    return Choose("corner_does", None, (*EFFECTS, *goals), facts={"space": here})


TEACHABLE: Final = Teachable(places=_places, asks=_asks)
"""What its corners and the Hideout do, as the players read them out (BA-19)."""


def blank(data: Edition, _: tuple[int, ...]) -> dict[str, Any]:
    """A board of which nobody has read the corners out."""
    corners = [{**corner, "does": UNKNOWN} for corner in data["corner"]]
    return {**data, "corner": corners, "hideout": UNKNOWN}
