"""Tests that the page describes and draws the edition of the running game."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from companion.catalog import editions, registry
from companion.games.baretta.shown import spaces
from companion.page.event_store import SeatEventStore
from companion.say.words import LANGUAGES, Words
from tests.door.callers import House
from tests.helpers import OWN_PARTS_OPTIONS, begin_game, setup_for
from tests.page.door import ASK, HELLO, STATE, page


def usual(game: str) -> dict[str, str]:
    """Return the first value of each option."""
    return {option.name: option.values[0] for option in registry.find_game(game).options}


def taught_baretta() -> dict[str, Any]:
    """Return an edition whose Apartment loses a turn, and whose Hideout is unknown."""
    data = editions.load_edition("baretta")
    first, *others = data["corner"]
    return {**data, "corner": [{**first, "does": "lose_turn"}, *others], "hideout": "unknown"}


def test_the_door_tells_the_edition_that_is_played_with_and_nothing_else_of_the_box() -> None:
    edition = taught_baretta()
    house = House(begin_game(setup_for(usual("baretta"), game="baretta")._replace(edition=edition)))
    house.drive.resume()
    (hello,) = house.caller().heard
    assert hello["printed"] == edition
    assert (house.drive.loop.running_session is not None, hello["game"]) == (True, "baretta")
    (idle,) = House().caller().heard
    assert idle["printed"] == {}


def standing(language: str, game: str, edition: dict[str, Any], **options: str) -> dict[str, Any]:
    """Return the state of a new game, as the page receives it."""
    setup = setup_for(usual(game) | options, game=game)._replace(edition=edition)
    house = House(begin_game(setup))
    house.drive.resume()
    told = house.caller().say(watch=True, lang=language)
    return next(line for line in told if line["type"] == "state")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_corners_do_is_named_as_it_stands_and_not_as_it_was_assumed(language: str) -> None:
    edition = taught_baretta()
    named = standing(language, "baretta", edition)["named"]
    words = Words(language)
    assert named["does:apartment"] == words("baretta.brief.lose_turn").replace("|", " ")
    assert named["does:hideout"] == words("baretta.brief.unknown")
    goal = spaces.space_name(Words(language, edition=edition), "hideout")
    assert goal in named["does:alley"]
    assert "does:1" not in named


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_space_that_nobody_has_named_yet_has_a_name_in_the_language_of_the_phone(
    language: str,
) -> None:
    state = standing(
        language,
        "barney-miller",
        editions.built_in_edition_without_values("barney-miller", (30,)),
        **OWN_PARTS_OPTIONS,
    )
    assert state["track"][1]["kind"] == "unknown"
    assert state["named"]["unknown"] == Words(language)("barney-miller.unknown_space") != "unknown"


def test_a_phone_is_told_names_and_no_edition(tmp_path: Path) -> None:
    hello = {**HELLO, "printed": editions.load_edition("kojak")}

    async def scenario() -> str:
        async with page(tmp_path, {None: (hello, STATE, ASK)}) as web:
            return (await web.ask("/")).body.decode()

    assert "printed" not in asyncio.run(scenario())
    watch = SeatEventStore()
    watch.store_message(dict(hello))
    assert "printed" not in watch.hello
