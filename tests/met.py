"""The questions and facts of random games on boards with the longest names, for tests of words."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import companion_testing as testing
from companion.catalog.editions import board_tour_plan, built_in_edition_without_values
from companion.catalog.registry import find_game
from companion.core.game import Cue, Cues
from companion.core.prompts import Form, first_prompt_of_form
from companion.say.words import Words
from companion_testing import LONG_NAMES, ObservedGames
from companion_testing.playing import play_random_game
from companion_testing.table import tables_of_all_option_combinations
from tests.helpers import printed_edition, words_for

GANGS: Final = (
    "Shopping Molls",
    "Warehouse Gang",
    "Dockland Mafia",
    "Night Watchmen",
    "Fur Collectors",
)
"""Names of 14 characters, the maximum for a gang."""
GAMES_PER_TABLE: Final = {"barney-miller": 3, "baretta": 2, "kojak": 2, "probe": 5}
"""Random games at each table. The environment variable PLAYOUTS can raise the number."""


def _barney_miller(edition: Mapping[str, Any]) -> dict[str, Any]:
    gangs = [
        {**gang, "name": name, "french": f"les {name}"}
        for gang, name in zip(edition["gang"], GANGS, strict=True)
    ]
    return {**edition, "gang": gangs}


def _baretta(edition: Mapping[str, Any]) -> dict[str, Any]:
    names = LONG_NAMES[: len(edition["corner"])]
    corners = [
        {**corner, "name": name, "french": f"l’{name}"}
        for corner, name in zip(edition["corner"], names, strict=True)
    ]
    return {**edition, "corner": corners}


def _kojak(edition: Mapping[str, Any]) -> dict[str, Any]:
    """Return a board of Kojak with circles of 2 to 12 fields, all orders, and one easy file."""
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


def busy_edition(edition: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Baretta board with all effects that no printed space has."""
    corners = zip(edition["corner"], ("look", "draw", "swap", "lose_turn"), strict=True)
    cards = {**edition["cards"], "stay_put": 5, "go_to:7": 1, "go_to:a2": 1, "go_to:station": 2}
    return {
        **edition,
        "corner": [{**corner, "does": does} for corner, does in corners],
        "hideout": "to:12",
        "counts": "printed",
        "cards": cards,
    }


OTHER_EDITIONS: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "baretta": busy_edition
}
"""Boards with effects that the printed board of the game does not have."""
CORRECTED: Final = dict.fromkeys(("what", "who", "space", "lies", "n", "card", "marker"))
"""The fields of a correction in Baretta."""
RARE_FACTS: Final[dict[str, Cues]] = {
    "barney-miller": (
        Cue("dealt", {"how": "rest", "cards": 7, "deal": 3, "own": False}, "BM-11"),
        Cue("desks", {"desks": {name: name for name in LONG_NAMES[:2]}}, "BM-1"),
        Cue(
            "nobody_won",
            {
                "who": LONG_NAMES[0],
                "last": LONG_NAMES[1],
                "value": 7,
                "how": "over",
                "total": 16,
                "round": 9,
            },
            "BM-15",
        ),
    ),
    "probe": (
        Cue(
            "drawn",
            {"who": LONG_NAMES[0], "card": {"kind": "by_hand", "n": None}, "rack": None},
            "PR-5",
        ),
    ),
    "baretta": (
        *(
            Cue("placed", {"who": LONG_NAMES[0], "space": "24", **lies, "left": 10}, "BA-8")
            for lies in (
                {"marked": False, "up": False},
                {"marked": True, "up": True},
                {"marked": False, "up": True},
            )
        ),
        *(
            Cue("corrected", {**CORRECTED, "what": what, "who": LONG_NAMES[0], "n": n}, "BA-18")
            for what, n in (("in", None), ("pile", 10))
        ),
        Cue("in_vain", {"who": LONG_NAMES[0], "space": "24", "criminal": "safecracker"}, "BA-16"),
        *(
            Cue("nothing", {"who": LONG_NAMES[0], "space": "station", "why": why}, "BA-10")
            for why in ("full", "no_card", "empty_pile", "no_marked")
        ),
        Cue("turned", {"who": LONG_NAMES[0], "space": "24", "card": "by_hand"}, "BA-7"),
        Cue("game_won", {"who": LONG_NAMES[0], "how": "table"}, "BA-18"),
        Cue("done_by_hand", {"who": LONG_NAMES[0], "space": "hideout"}, "BA-2"),
        Cue("declined", {"who": LONG_NAMES[0], "question": "look"}, "BA-17"),
        Cue("declined", {"who": LONG_NAMES[0], "question": "swap"}, "BA-17"),
    ),
    "kojak": (
        *(
            Cue(
                "left",
                {
                    "who": LONG_NAMES[0],
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
        Cue("game_won", {"who": LONG_NAMES[0], "arrests": 1, "how": "alone"}, "KO-23"),
        *(
            Cue(
                "mission",
                {
                    "who": LONG_NAMES[0],
                    "colour": "red",
                    "place": "bank",
                    "kept": True,
                    "why": "deadlock",
                    "others": [LONG_NAMES[1]],
                    "own": own,
                },
                "KO-8",
            )
            for own in (False, True)
        ),
        Cue("corrected", {"what": "file", "who": LONG_NAMES[0], "colour": "red"}, "KO-21"),
        Cue("file_lost", {"players": [*LONG_NAMES[1:4]], "colour": "yellow"}, "KO-17"),
    ),
}
"""Facts that random games rarely reach; `observed_games` adds them."""
BLANK_CARDS: Final = {"barney-miller": (12,), "baretta": (), "kojak": (12, 4, 2, 7)}
"""Numbers of spaces for a board without entered values."""
RARE_QUESTIONS: Final = {"baretta": ("another", "by_hand", "who_won")}
"""Questions that random games rarely reach; `observed_games` sets the step of a state to them."""
FACT_PARTS: Final = {"baretta": ({"what": "pile", "who": LONG_NAMES[0]},)}
"""First parts of a correction whose next question random games rarely reach."""
LONGEST_EDITIONS: Final[dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    "barney-miller": _barney_miller,
    "baretta": _baretta,
    "kojak": _kojak,
    "probe": dict,
}


@cache
def longest_edition(game: str) -> Mapping[str, Any]:
    """Return the printed edition with the longest names that a board may have."""
    return LONGEST_EDITIONS[game](printed_edition(game))


@cache
def observed_games(name: str) -> ObservedGames:
    """Return the questions and facts of random games with all numbers of players and options."""
    games = max(GAMES_PER_TABLE[name], int(os.environ.get("PLAYOUTS", "1")))
    found = testing.observe_random_games(find_game(name), longest_edition(name), games)
    if name in OTHER_EDITIONS:
        other = testing.observe_random_games(
            find_game(name), OTHER_EDITIONS[name](longest_edition(name)), 1
        )
        found.asked.update(other.asked)
        for cues in other.facts_by_answer.values():
            found.add_facts(cues)
    if board_tour_plan(name) is not None:  # a board without entered names
        for table in [
            *testing.tables_of_all_option_combinations(
                find_game(name), built_in_edition_without_values(name, BLANK_CARDS[name])
            )
        ][3 :: len(LONG_NAMES) + 3]:
            found.add_playout(testing.play_random_game(table, 0))
    for step in RARE_QUESTIONS.get(name, ()):
        *_, table = tables_of_all_option_combinations(find_game(name), longest_edition(name))
        played = play_random_game(table, 0)
        state = replace(played.moves[-2].after, step=step)
        asked = first_prompt_of_form(find_game(name).ask(state))
        assert asked is not None
        found.add_question(played, state, asked)
    for given in FACT_PARTS.get(name, ()):
        _ask_part(found, name, given)
    for cue in RARE_FACTS.get(name, ()):
        found.add_facts((cue,))
    return found


def _ask_part(found: ObservedGames, name: str, given: Mapping[str, Any]) -> None:
    """Add the next question of a correction whose first parts are given."""
    *_, table = tables_of_all_option_combinations(find_game(name), longest_edition(name))
    played = play_random_game(table, 0)
    state, form = next(
        (move.before, question)
        for move in played.moves
        for question in find_game(name).anytime(move.before)
        if isinstance(question, Form)
    )
    part = form.ask(given)
    assert part is not None
    found.add_question(played, state, part)


@cache
def words_of_longest_edition(game: str, language: str) -> Words:
    return words_for(game, language, longest_edition(game))
