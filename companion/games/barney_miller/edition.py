"""What a Barney Miller edition must be (BM-1, BM-9): the model behind edition.toml."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    ValidationInfo,
    WrapValidator,
)

from companion.games.barney_miller.board import (
    GANG,
    IDENTIFICATION,
    INSUFFICIENT,
    START,
    SUSPECTS,
    WARRANT,
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

GANGS: Final = 5
POSTERS: Final = 4
SHORTEST_TRACK: Final = 7
"""Spaces: one more than a die has sides, so that no roll comes back to where it began."""


def _id(found: str) -> str:
    if not re.fullmatch(r"[a-z0-9-]{1,16}", found):
        raise slip("bad_value", found=shown(found), expected="1-16_letters_a-z_digits_or_hyphens")
    return found


def _suspect(found: str, info: ValidationInfo) -> str:
    """BM-9: a gang that can be captured, on its own space or with a chip for anybody."""
    if gangs := column(info, "gang", "id"):
        word(found, "gang", gangs)
    track = whole(info).data.get("track")
    ways = (f"{GANG}:{found}", IDENTIFICATION, WARRANT)
    if isinstance(track, list) and track and not any(way in track for way in ways):
        raise slip("bad_value", found=shown(found), expected="a_gang_on_the_track")
    return found


def _space(found: str, info: ValidationInfo) -> str:
    gangs = [f"{GANG}:{gang}" for gang in column(info, "gang", "id")]
    if not gangs and found.startswith(f"{GANG}:"):
        return found
    return word(found, "space", (START, IDENTIFICATION, WARRANT, INSUFFICIENT, *gangs))


def _track(found: Any, handler: Handler, info: ValidationInfo) -> Any:
    """An untaught track is empty; any other begins with Start and is long enough to go round."""
    slips: list[Slip] = []
    if isinstance(found, list) and found:
        if len(found) < SHORTEST_TRACK:
            slips.append(((), wrong_count(found, info, f"0, {SHORTEST_TRACK}+")))
        if found[0] != START:
            slips.append(((0,), slip("bad_value", found=shown(found[0]), expected=shown(START))))
    return together(found, handler, slips)


Id: TypeAlias = Annotated[str, AfterValidator(_id), AfterValidator(distinct)]
Suspect: TypeAlias = Annotated[str, AfterValidator(_suspect)]
Space: TypeAlias = Annotated[str, AfterValidator(_space)]


class Table(BaseModel):
    """Nothing but its keys, each of exactly its type."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Gang(Table):
    """A gang: its `id` in this file, and the `name` that the box shows and says."""

    id: Id
    name: Annotated[str, AfterValidator(label(1, 14)), AfterValidator(distinct)]


class Poster(Table):
    """A Wanted poster: whose it is, and the gangs of its four suspects."""

    detective: Annotated[str, AfterValidator(label(1, 10)), AfterValidator(distinct)]
    suspects: Annotated[list[Suspect], WrapValidator(entries(SUSPECTS))]


class Edition(Table):
    """A board: the track from Start on, the gangs that are on it, and the posters round it."""

    track: Annotated[list[Space], WrapValidator(_track)]
    gang: Annotated[list[Gang], WrapValidator(entries(GANGS))]
    poster: Annotated[list[Poster], WrapValidator(entries(POSTERS))]
