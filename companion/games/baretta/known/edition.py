"""Checks of Baretta's file `edition.toml`: its board and cards (BA-2, BA-10 to BA-12)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeGuard

from checked_input.checks import (
    OptionalKey,
    ValueMistake,
    ValuePlace,
    column_values,
    distinct,
    exact_list,
    known_word,
    line_of_text,
    list_of,
    mapping_of,
    number,
    table,
    text,
)
from checked_input.mistakes import quote_value
from companion.catalog.editions import BoardTourPlan, Place
from companion.core.game import Edition
from companion.core.prompts import Choose
from companion.games.baretta.rules.board import (
    ASSUMED_COUNTS,
    CARD_SPACE_COUNT,
    CORNER_COUNT,
    DECK_SIZE,
    GO_TO,
    HIDEOUT_ID,
    HUNCH,
    IN_TROUBLE,
    MAX_STEPS,
    MOVE,
    PRINTED_COUNTS,
    SPACE_EFFECTS,
    STAY_PUT,
    TO_EFFECT,
    UNKNOWN_EFFECT,
    WOUNDED,
    neighbours_by_space,
)

CARD_SPACE_IDS: Final = tuple(str(n) for n in range(1, CARD_SPACE_COUNT + 1))
PATH_LENGTH: Final = CARD_SPACE_COUNT + CORNER_COUNT
MIN_SHORTCUT_SPACES: Final = 2
"""Minimum number of spaces of a shortcut, including the two spaces at its ends."""
SHORTCUT_SPACE_ID_PATTERN: Final = r"[a-z][a-z0-9]{0,3}"


def _corner_id(ident: str, where: ValuePlace) -> Iterator[ValueMistake]:
    if not re.fullmatch(r"[a-z][a-z-]{0,11}", ident) or ident in (HIDEOUT_ID, "pass"):
        yield where.bad_value(ident, "1-12_letters_a-z_or_hyphens")


def _goals(start: str, where: ValuePlace) -> list[str]:
    corners, ways = column_values(where, "corner", "id"), where.whole.get("shortcuts")
    inner = [ident for way in ways for ident in way] if _are_ways(ways) else []
    ids = dict.fromkeys((*corners, HIDEOUT_ID, *CARD_SPACE_IDS, *inner))
    return [f"{start}:{ident}" for ident in ids] if corners else []


def _does(effect: str, where: ValuePlace) -> Iterator[ValueMistake]:
    """Check the effect of a corner or of the Hideout (BA-10, BA-11).

    If the effect is "to:SPACE", SPACE must not send Baretta to another space.
    """
    if effect == UNKNOWN_EFFECT:
        return
    goals, sends = _goals(TO_EFFECT, where), effect.startswith(f"{TO_EFFECT}:")
    if not goals and sends:
        return
    yield from known_word("board effect", (*SPACE_EFFECTS, *goals))(effect, where)
    there = _effect_of(effect.removeprefix(f"{TO_EFFECT}:"), where) if sends else None
    if isinstance(there, str) and there.startswith(f"{TO_EFFECT}:"):
        yield where.bad_value(effect, "a_place_that_leads_no_further")


def _effect_of(ident: str, where: ValuePlace) -> object:
    if ident == HIDEOUT_ID:
        return where.whole.get("hideout")
    ids, effects = column_values(where, "corner", "id"), column_values(where, "corner", "does")
    return dict(zip(ids, effects, strict=False)).get(ident)


# --- the board ------------------------------------------------------------------------------------


def _space(ident: str, where: ValuePlace) -> Iterable[ValueMistake]:
    corners = column_values(where, "corner", "id")
    if ident in CARD_SPACE_IDS or not corners:
        return ()
    return known_word("space", (*CARD_SPACE_IDS, *corners))(ident, where)


def _path(path: list[Any], where: ValuePlace) -> Iterator[ValueMistake]:
    """Check the outside path of the board (BA-3).

    The path must begin with a corner. The path must contain four corners, and the spaces 1 to 24 in
    order.
    """
    if len(path) != PATH_LENGTH:
        yield where.wrong_count(len(path), str(PATH_LENGTH))
    if path and path[0] in CARD_SPACE_IDS:
        yield where.at(0).bad_value(path[0], "a_corner")
    places = [i for i, ident in enumerate(path) if ident in CARD_SPACE_IDS]
    for i, expected in zip(places, CARD_SPACE_IDS, strict=False):
        if path[i] != expected:
            yield where.at(i).bad_value(path[i], quote_value(expected))
            break  # report only the first wrong number: this mistake shifts all later numbers


def _step(ident: str, where: ValuePlace) -> Iterable[ValueMistake]:
    corners = column_values(where, "corner", "id")
    if not corners or re.fullmatch(SHORTCUT_SPACE_ID_PATTERN, ident):
        return ()
    return known_word("space", (*CARD_SPACE_IDS, *corners, HIDEOUT_ID))(ident, where)


def _shortcuts(shortcuts: list[Any], where: ValuePlace) -> Iterator[ValueMistake]:
    """Check that shortcuts connect known spaces, and that Baretta can reach the Hideout (BA-6)."""
    corners = column_values(where, "corner", "id")
    if not corners or not _are_ways(shortcuts):
        return
    slips = [slip for i in range(len(shortcuts)) for slip in _way(shortcuts, i, where.at(i))]
    yield from slips
    if not slips and not _connected(shortcuts, corners):
        yield where.mistake(
            "bad_value", found=quote_value("shortcuts"), expected="a_way_to_the_hideout"
        )


def _are_ways(shortcuts: Any) -> TypeGuard[list[list[str]]]:
    return isinstance(shortcuts, list) and all(
        isinstance(way, list) and all(isinstance(ident, str) for ident in way) for way in shortcuts
    )


def _way(ways: list[list[str]], i: int, where: ValuePlace) -> Iterator[ValueMistake]:
    way = ways[i]
    space_ids = {*CARD_SPACE_IDS, HIDEOUT_ID, *column_values(where, "corner", "id")}
    space_ids |= {ident for other in (*ways[:i], *ways[i + 1 :]) for ident in other}
    for j, ident in enumerate(way):
        if ident in way[:j]:
            yield where.at(j).mistake("repeated", found=quote_value(ident))
        elif (
            j in (0, len(way) - 1)
            and ident not in space_ids
            and re.fullmatch(SHORTCUT_SPACE_ID_PATTERN, ident)
        ):
            yield where.at(j).bad_value(ident, "a_space_where_the_way_goes_on")
    if len(way) < MIN_SHORTCUT_SPACES:
        yield where.wrong_count(len(way), f"{MIN_SHORTCUT_SPACES}+")


def _connected(ways: list[list[str]], corners: list[str]) -> bool:
    """Return True if Baretta can reach every space of the board, including the Hideout."""
    ids = list(
        dict.fromkeys((*CARD_SPACE_IDS, *corners, HIDEOUT_ID, *(i for way in ways for i in way)))
    )
    links = neighbours_by_space(ids, ((*CARD_SPACE_IDS, *corners), *ways))
    reached, new = set[int](), {0}
    while new:
        reached |= new
        new = {to for space in new for to in links[space]} - reached
    return len(reached) == len(ids)


# --- the cards ------------------------------------------------------------------------------------


def _cards(counts_by_card: dict[str, Any], where: ValuePlace) -> Iterator[ValueMistake]:
    """Check that the edition has 44 cards of known kinds, and no Arrest card (BA-2, BA-12)."""
    counts = [count for count in counts_by_card.values() if type(count) is int]
    if len(counts) == len(counts_by_card) and sum(counts) != DECK_SIZE:
        yield where.wrong_count(sum(counts), str(DECK_SIZE))
    goals = _goals(GO_TO, where)
    moves = (f"{MOVE}:{n}" for n in range(1, MAX_STEPS + 1))
    a_card = known_word("card", (STAY_PUT, HUNCH, WOUNDED, IN_TROUBLE, *goals, *moves))
    for card in counts_by_card:
        if goals or not card.startswith(f"{GO_TO}:"):
            yield from a_card(card, where.at(card))


_corner = table(
    id=text(_corner_id, distinct),
    name=text(line_of_text(1, 10), distinct),
    french=OptionalKey(text(line_of_text(1, 13), distinct)),
    does=text(_does),
)
"""Schema of a corner: its id, its English and French names, and its effect (the key `does`)."""

EDITION = table(
    path=list_of(text(_space, distinct), _path),
    shortcuts=list_of(list_of(text(_step)), _shortcuts),
    hideout=text(_does),
    counts=OptionalKey(text(known_word("way to count", (ASSUMED_COUNTS, PRINTED_COUNTS)))),
    cards=mapping_of(number(1, DECK_SIZE), _cards),
    corner=exact_list(CORNER_COUNT, _corner),
)
"""Schema of edition.toml: path, shortcuts, the Hideout's effect, corners, and 44 cards.

The key `counts` is PRINTED_COUNTS if a person has counted the printed cards, else ASSUMED_COUNTS
(BA-2).
"""


def _places(_data: Mapping[str, Any], _players: tuple[str, ...]) -> tuple[Place, ...]:
    return (*(("corner", n, "does") for n in range(CORNER_COUNT)), (HIDEOUT_ID,))


def _asks(data: Edition, place: Place, _last: bool) -> Choose:  # noqa: FBT001
    """Ask for the effect of a corner or of the Hideout (BA-19).

    Offer the answer "to:SPACE" only for a SPACE that does not send Baretta to another space. Offer
    no such answer if another space sends Baretta to the space that the question is about.
    """
    here = HIDEOUT_ID if place == (HIDEOUT_ID,) else data["corner"][place[1]]["id"]
    does = {HIDEOUT_ID: data["hideout"], **{c["id"]: c["does"] for c in data["corner"]}}
    sent = {
        effect.removeprefix(f"{TO_EFFECT}:")
        for effect in does.values()
        if effect.startswith(TO_EFFECT)
    }
    goals = [
        f"{TO_EFFECT}:{ident}"
        for ident in does
        if ident != here and here not in sent and not does[ident].startswith(f"{TO_EFFECT}:")
    ]
    return Choose("corner_does", None, (*SPACE_EFFECTS, *goals), facts={"space": here})


TEACHABLE: Final = BoardTourPlan(places=_places, asks=_asks)
"""Plan of the questions with which players enter the effects of the corners and the Hideout
(BA-19).
"""


def blank(data: Edition, _: tuple[int, ...]) -> dict[str, Any]:
    """Return a copy of `data` in which the effects of the corners and the Hideout are unknown."""
    corners = [{**corner, "does": UNKNOWN_EFFECT} for corner in data["corner"]]
    return {**data, "corner": corners, "hideout": UNKNOWN_EFFECT}
