"""Checks of Barney Miller's file `edition.toml`: its track and its posters (BM-1, BM-9)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

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
    table,
    text,
)
from checked_input.mistakes import quote_value
from companion.catalog.editions import BoardTourPlan, Place
from companion.core.game import Edition
from companion.core.prompts import Choose
from companion.games.barney_miller.rules.board import (
    GANG,
    IDENTIFICATION,
    INSUFFICIENT_EVIDENCE,
    START,
    SUSPECTS_PER_POSTER,
    UNKNOWN_SPACE_OR_GANG,
    WARRANT,
    assign_detectives,
)

GANG_COUNT: Final = 5
POSTER_COUNT: Final = 4
MIN_TRACK_SPACES: Final = 7
"""Minimum number of spaces of a track: one more than the highest roll of a die."""


def _id(ident: str, where: ValuePlace) -> Iterator[ValueMistake]:
    if not re.fullmatch(r"[a-z0-9-]{1,16}", ident):
        yield where.bad_value(ident, "1-16_letters_a-z_digits_or_hyphens")


def _suspect(gang: str, where: ValuePlace) -> Iterator[ValueMistake]:
    """Check that a suspect of this gang can be captured on at least one space (BM-9).

    Such a space belongs to this gang, or allows the capture of a suspect of any gang.
    """
    gangs, track = column_values(where, "gang", "id"), where.whole.get("track")
    ways = (f"{GANG}:{gang}", IDENTIFICATION, WARRANT)
    if gang == UNKNOWN_SPACE_OR_GANG:
        return
    if gangs and gang not in gangs:
        yield from known_word("gang", gangs)(gang, where)
    elif (
        isinstance(track, list)
        and track
        and UNKNOWN_SPACE_OR_GANG not in track
        and not any(way in track for way in ways)
    ):
        yield where.bad_value(gang, "a_gang_on_the_track")


def _space(kind: str, where: ValuePlace) -> Iterable[ValueMistake]:
    gangs = [f"{GANG}:{gang}" for gang in column_values(where, "gang", "id")]
    if not gangs and kind.startswith(f"{GANG}:"):
        return ()
    kinds = (START, IDENTIFICATION, WARRANT, INSUFFICIENT_EVIDENCE, UNKNOWN_SPACE_OR_GANG)
    return known_word("space", (*kinds, *gangs))(kind, where)


def _track(track: list[Any], where: ValuePlace) -> Iterator[ValueMistake]:
    if track and len(track) < MIN_TRACK_SPACES:
        yield where.wrong_count(len(track), f"0, {MIN_TRACK_SPACES}+")
    if track and track[0] != START:
        yield where.at(0).bad_value(track[0], quote_value(START))


_gang = table(
    id=text(_id, distinct),
    name=text(line_of_text(1, 14), distinct),
    french=OptionalKey(text(line_of_text(1, 18), distinct)),
)
"""Schema of a gang: its id, its English name (`name`), and optionally its French name (`french`).
"""
_poster = table(
    detective=text(line_of_text(1, 10), distinct),
    suspects=exact_list(SUSPECTS_PER_POSTER, text(_suspect)),
)
"""Schema of a Wanted poster: its detective's name, and the gangs of its four suspects."""

EDITION = table(
    track=list_of(text(_space), _track),
    gang=exact_list(GANG_COUNT, _gang),
    poster=exact_list(POSTER_COUNT, _poster),
)
"""Schema of edition.toml: the track, the gangs, and the posters."""


def _places(data: Edition, players: tuple[str, ...]) -> tuple[Place, ...]:
    """Return the paths (keys and indices) of suspects in the edition's data, poster by poster.

    `players`: the players on whose posters the suspects are. If `players` is empty, include the
    suspects of all posters.
    """
    printed = [poster["detective"] for poster in data["poster"]]
    hung = [printed.index(name) for name in assign_detectives(players or printed, printed)]
    return tuple(("poster", at, "suspects", n) for at in hung for n in range(SUSPECTS_PER_POSTER))


def _asks(data: Edition, place: Place, last: bool) -> Choose:  # noqa: FBT001
    """Ask for the kind of a space of the track, or for the gang of a suspect (BM-14).

    If `last` is True, also offer the answer START: the track is complete.
    """
    gangs = tuple(gang["id"] for gang in data["gang"])
    what, at, *rest = place
    if what == "track":
        start = (START,) if last else ()
        kinds = (IDENTIFICATION, WARRANT, INSUFFICIENT_EVIDENCE)
        options = (*(f"{GANG}:{gang}" for gang in gangs), *kinds, *start)
        return Choose("space", None, options, facts={"nth": int(at) + 1})
    detective, nth = data["poster"][at]["detective"], int(rest[-1]) + 1
    return Choose("suspect_gang", None, gangs, facts={"detective": detective, "nth": nth})


TEACHABLE: Final = BoardTourPlan(
    ("spaces",), MIN_TRACK_SPACES, 60, 28, lambda _: (("track",),), _places, _asks
)
"""Plan of the questions with which players enter the track's spaces and the suspects' gangs
(BM-14).
"""


def blank(data: Edition, spaces: tuple[int, ...]) -> dict[str, Any]:
    """Return a copy of `data` with unknown spaces after the start, and unknown gangs of suspects.

    `spaces`: a tuple of one number, the number of spaces of the track.
    """
    (n,) = spaces
    posters = [
        {**poster, "suspects": [UNKNOWN_SPACE_OR_GANG] * SUSPECTS_PER_POSTER}
        for poster in data["poster"]
    ]
    return {**data, "track": [START, *[UNKNOWN_SPACE_OR_GANG] * (n - 1)], "poster": posters}
