"""All that random games ask and tell, on boards with the longest names: for the tests of words."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import companion_testing as testing
from companion.catalog.editions import blank_edition, enterable_board
from companion.catalog.registry import find_game
from companion.core.game import Cue
from companion.core.prompts import Form, first_prompt
from companion_testing import NAMES
from companion_testing.playing import playout
from companion_testing.table import tables
from tests.helpers import printed, words_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.game import Cues
    from companion.say.words import Words
    from companion_testing import Met

GANGS: Final = (
    "Shopping Molls",
    "Warehouse Gang",
    "Dockland Mafia",
    "Night Watchmen",
    "Fur Collectors",
)
"""Fourteen letters each: as long as a gang's name gets."""
PLAYOUTS: Final = {"barney-miller": 3, "baretta": 2, "kojak": 2, "probe": 5}
"""Random games at each table; PLAYOUTS=10, in the environment, plays that many."""


def _barney_miller(edition: Mapping[str, Any]) -> dict[str, Any]:
    gangs = [
        {**gang, "name": name, "french": f"les {name}"}
        for gang, name in zip(edition["gang"], GANGS, strict=True)
    ]
    return {**edition, "gang": gangs}


def _baretta(edition: Mapping[str, Any]) -> dict[str, Any]:
    names = NAMES[: len(edition["corner"])]
    corners = [
        {**corner, "name": name, "french": f"l’{name}"}
        for corner, name in zip(edition["corner"], names, strict=True)
    ]
    return {**edition, "corner": corners}


def _kojak(edition: Mapping[str, Any]) -> dict[str, Any]:
    """Circles of two to twelve fields, every order, and one file that everybody gets into."""
    circle = ["dot", *["plain"] * 8, "red", "red", "plain"]
    changed: dict[str, dict[str, Any]] = {
        "red": {"missions": 13, "circle": ["dot", "red"], "traps": [1, 9]},
        "yellow": {"missions": 1, "circle": circle, "traps": [9, 8, -9, -1]},
        "blue": {"traps": [0, 1, "red"]},
        "green": {"traps": [1]},
    }
    files = [{**file, "missions": 1, **changed.get(file["colour"], {})} for file in edition["file"]]
    others = {"kojak": 3, "all": [2, 1, 0, -1, -2, "red"], "lose_turn": 1}
    return {**edition, **others, "file": files}


def busy(edition: Mapping[str, Any]) -> dict[str, Any]:
    """A Baretta board with all that no printed space does, and cards that send to any space."""
    corners = zip(edition["corner"], ("look", "draw", "swap", "lose_turn"), strict=True)
    cards = {**edition["cards"], "stay_put": 5, "go_to:7": 1, "go_to:a2": 1, "go_to:station": 2}
    return {
        **edition,
        "corner": [{**corner, "does": does} for corner, does in corners],
        "hideout": "to:12",
        "counts": "printed",
        "cards": cards,
    }


OTHERS: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {"baretta": busy}
"""Another board that can be, with what no printed one says."""
CORRECTED: Final = dict.fromkeys(("what", "who", "space", "lies", "n", "card", "marker"))
"""The fields of a correction in Baretta."""
RARE: Final[dict[str, Cues]] = {
    "barney-miller": (
        Cue("dealt", {"how": "rest", "cards": 7, "deal": 3, "own": False}, "BM-11"),
        Cue("desks", {"desks": {name: name for name in NAMES[:2]}}, "BM-1"),
        Cue(
            "nobody_won",
            {"who": NAMES[0], "last": NAMES[1], "value": 7, "how": "over", "total": 16, "round": 9},
            "BM-15",
        ),
    ),
    "probe": (
        Cue(
            "drawn", {"who": NAMES[0], "card": {"kind": "by_hand", "n": None}, "rack": None}, "PR-5"
        ),
    ),
    "baretta": (
        *(
            Cue("placed", {"who": NAMES[0], "space": "24", **lies, "left": 10}, "BA-8")
            for lies in (
                {"marked": False, "up": False},
                {"marked": True, "up": True},
                {"marked": False, "up": True},
            )
        ),
        *(
            Cue("corrected", {**CORRECTED, "what": what, "who": NAMES[0], "n": n}, "BA-18")
            for what, n in (("in", None), ("pile", 10))
        ),
        Cue("in_vain", {"who": NAMES[0], "space": "24", "criminal": "safecracker"}, "BA-16"),
        *(
            Cue("nothing", {"who": NAMES[0], "space": "station", "why": why}, "BA-10")
            for why in ("full", "no_card", "empty_pile", "no_marked")
        ),
        Cue("turned", {"who": NAMES[0], "space": "24", "card": "by_hand"}, "BA-7"),
        Cue("game_won", {"who": NAMES[0], "how": "table"}, "BA-18"),
        Cue("done_by_hand", {"who": NAMES[0], "space": "hideout"}, "BA-2"),
        Cue("declined", {"who": NAMES[0], "question": "look"}, "BA-17"),
        Cue("declined", {"who": NAMES[0], "question": "swap"}, "BA-17"),
    ),
    "kojak": (
        *(
            Cue(
                "left",
                {
                    "who": NAMES[0],
                    "car": "yellow",
                    "mission": mission,
                    "warrant": warrant,
                    "drawn": drawn,
                    "own": True,
                },
                "KO-23",
            )
            for warrant in (False, True)
            for mission, drawn in ((None, None), ("red", None), ("red", "trap"))
        ),
        Cue("game_won", {"who": NAMES[0], "arrests": 1, "how": "alone"}, "KO-23"),
        *(
            Cue(
                "mission",
                {
                    "who": NAMES[0],
                    "colour": "red",
                    "place": "bank",
                    "kept": True,
                    "why": "deadlock",
                    "others": [NAMES[1]],
                    "own": own,
                },
                "KO-8",
            )
            for own in (False, True)
        ),
        Cue("corrected", {"what": "file", "who": NAMES[0], "colour": "red"}, "KO-21"),
        Cue("file_lost", {"players": [*NAMES[1:4]], "colour": "yellow"}, "KO-17"),
    ),
}
"""Facts that so few games come to that they are met here."""
BLANK: Final = {"barney-miller": (12,), "baretta": (), "kojak": (12, 4, 2, 7)}
"""How many spaces a board has of which nobody has named any."""
SELDOM: Final = {"baretta": ("another", "by_hand", "who_won")}
"""Questions that so few games come to that they are asked here of a game that stands elsewhere."""
PARTS: Final = {"baretta": ({"what": "pile", "who": NAMES[0]},)}
"""Beginnings of a correction whose next question few games come to."""
LONGEST: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "barney-miller": _barney_miller,
    "baretta": _baretta,
    "kojak": _kojak,
    "probe": dict,
}
"""An edition with the longest names that a board may have."""


@cache
def longest(game: str) -> Mapping[str, Any]:
    """The printed edition with the longest names that a board may have."""
    return LONGEST[game](printed(game))


@cache
def met(name: str) -> Met:
    """A hundred whole games: every number of players with every option."""
    games = max(PLAYOUTS[name], int(os.environ.get("PLAYOUTS", "1")))
    found = testing.meet(find_game(name), longest(name), games)
    if name in OTHERS:
        other = testing.meet(find_game(name), OTHERS[name](longest(name)), 1)
        found.asked.update(other.asked)
        for cues in other.told.values():
            found.tell(cues)
    if enterable_board(name) is not None:  # a board that nobody has named yet
        for table in [*testing.tables(find_game(name), blank_edition(name, BLANK[name]))][
            3 :: len(NAMES) + 3
        ]:
            found.take(testing.playout(table, 0))
    for step in SELDOM.get(name, ()):
        *_, table = tables(find_game(name), longest(name))
        played = playout(table, 0)
        state = replace(played.moves[-2].after, step=step)
        asked = first_prompt(find_game(name).ask(state))
        assert asked is not None
        found.ask(played, state, asked)
    for given in PARTS.get(name, ()):
        _ask_part(found, name, given)
    for cue in RARE.get(name, ()):
        found.tell((cue,))
    return found


def _ask_part(found: Met, name: str, given: Mapping[str, Any]) -> None:
    """Add the question of a correction that follows on the parts that are given."""
    *_, table = tables(find_game(name), longest(name))
    played = playout(table, 0)
    state, form = next(
        (move.before, question)
        for move in played.moves
        for question in find_game(name).anytime(move.before)
        if isinstance(question, Form)
    )
    part = form.ask(given)
    assert part is not None
    found.ask(played, state, part)


@cache
def every(game: str, language: str) -> Words:
    """The words of a game on its longest-named board."""
    return words_for(game, language, longest(game))
