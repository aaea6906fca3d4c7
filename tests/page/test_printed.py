"""The page tells and draws the board that the box plays with, whoever printed or taught it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from companion.catalog import editions, registry
from companion.games.baretta import spaces
from companion.page.told import telling
from companion.page.watch import Watch
from companion.say.words import LANGUAGES, Words
from tests.door.callers import House
from tests.helpers import OWN, begun, setup_for
from tests.page.door import ASK, HELLO, STATE, page

if TYPE_CHECKING:
    from pathlib import Path

MOVED: Final = {
    "type": "tell", "event": "moved", "who": "Ann", "from": "1", "to": "apartment",
    "kind": "place", "does": "lose_turn", "by": "roll", "text": "", "speech": "", "clause": None,
}  # fmt: skip


def usual(game: str) -> dict[str, str]:
    """Every option as it is first."""
    return {option.name: option.values[0] for option in registry.find(game).options}


def taught_baretta() -> dict[str, Any]:
    """A board whose Apartment loses a turn, and whose Hideout nobody has read out."""
    data = editions.load("baretta")
    first, *others = data["corner"]
    return {**data, "corner": [{**first, "does": "lose_turn"}, *others], "hideout": "unknown"}


def test_the_door_tells_the_edition_that_is_played_with_and_nothing_else_of_the_box() -> None:
    edition = taught_baretta()
    house = House(begun(setup_for(usual("baretta"), game="baretta")._replace(edition=edition)))
    house.drive.resume()
    (hello,) = house.caller().heard
    assert hello["printed"] == edition
    assert (house.drive.loop.session is not None, hello["game"]) == (True, "baretta")
    (idle,) = House().caller().heard
    assert idle["printed"] == {}


@pytest.mark.parametrize(
    ("language", "taught", "assumed"),
    [("en", "misses the next turn", "marked card"), ("fr", "passe le prochain tour", "rendre")],
)
def test_a_corner_does_on_a_phone_what_the_table_taught(
    language: str, taught: str, assumed: str
) -> None:
    told = telling(language, "baretta", json.dumps(taught_baretta())).line(MOVED, {})["text"]
    before = telling(language, "baretta", "").line(MOVED, {})["text"]
    assert taught in told
    assert taught not in before
    assert assumed in before


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_corners_do_is_named_as_it_stands_and_not_as_it_was_assumed(language: str) -> None:
    edition = taught_baretta()
    setup = setup_for(usual("baretta"), game="baretta")._replace(edition=edition)
    state = setup.game.setup(setup.players, setup.options, setup.edition)
    view = {"type": "state", **setup.game.view(state, None)}
    named = telling(language, "baretta", json.dumps(edition)).line(view, view)["named"]
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
    edition = editions.blank("barney-miller", (30,))
    setup = setup_for(OWN, game="barney-miller")._replace(edition=edition)
    state = setup.game.setup(setup.players, setup.options, setup.edition)
    view = {"type": "state", **setup.game.view(state, None)}
    assert view["track"][1]["kind"] == "unknown"
    named = telling(language, "barney-miller", json.dumps(edition)).line(view, view)["named"]
    assert named["unknown"] == Words(language)("barney-miller.unknown_space") != "unknown"


def test_a_phone_is_told_names_and_no_edition(tmp_path: Path) -> None:
    printed = editions.load("kojak")
    hello = {**HELLO, "printed": printed}

    async def scenario() -> str:
        async with page(tmp_path, {None: (hello, STATE, ASK)}) as web:
            return (await web.ask("/")).body.decode()

    text = asyncio.run(scenario())
    assert "printed" not in text
    watch = Watch()
    watch.take(dict(hello))
    assert watch.printed == json.dumps(printed)
    assert "printed" not in watch.hello
    watch.take({**HELLO, "game": None, "commitment": None})
    assert watch.printed == ""
