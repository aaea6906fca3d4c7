"""Moments of games for pictures: the messages for everybody and for one seat."""

from __future__ import annotations

import base64
import random
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from companion.catalog.registry import find_game
from companion.core.prompts import legal_answers
from companion.door.lines import Message
from companion.say.words import LANGUAGES
from hardware.display.frame_conversions import encode_frame_as_png
from tests.door.callers import House
from tests.helpers import begin_game, setup_for
from tests.page.door import beside, page

PLAYERS: Final = ("Ann", "Bob", "Cyd")
GAMES: Final[Mapping[str, tuple[dict[str, str], int]]] = {
    "barney-miller": ({"deck": "virtual"}, 19),
    "baretta": ({}, 7),
    "kojak": ({}, 41),
    "probe": ({"words": "secret"}, 26),
}
"""Each game's options, and the number of answers before its moment."""


def stands(game: str) -> dict[str | None, tuple[Message, ...]]:
    """Return the messages for everybody and for Ann at her question, by language."""
    given, steps = GAMES[game]
    options = {option.name: option.values[0] for option in find_game(game).options} | given
    house = House(begin_game(setup_for(options, game=game, players=PLAYERS)))
    house.drive.resume()
    seats = {name: house.phone(name) for name in PLAYERS}
    told = {language: house.caller() for language in LANGUAGES}
    for language in LANGUAGES:
        told[f"Ann {language}"] = again = house.caller()
        again.say(join="Ann", token=seats["Ann"].token)
    for name, caller in told.items():
        caller.say(watch=True, lang=name[-2:])
    chosen = random.Random(game)
    while (
        steps > 0
        or (prompt := house.drive.session.standing.pending_prompt) is None
        or prompt.who != "Ann"
    ):
        prompt = house.drive.session.standing.pending_prompt
        assert prompt is not None, "the game ends before this moment"
        answers = sorted(legal_answers(prompt), key=str)  # the order of the offers does not matter
        seats[prompt.who or "Ann"].say(answer=chosen.choice(answers))
        steps -= 1
    house.drive.skip()
    frame = {
        "type": "frame",
        "png": base64.b64encode(encode_frame_as_png(house.drive.frame)).decode(),
    }
    found: dict[str | None, tuple[Message, ...]] = {
        name: (*_last(caller.heard), frame) for name, caller in told.items()
    }
    return {None: found["en"], **found}


def _last(heard: list[Message]) -> Iterator[Message]:
    """Yield the latest messages of each kind, as a new client receives them."""
    for kind, most in (("hello", 1), ("tell", 6), ("state", 1), ("ask", 1), ("offers", 1)):
        yield from [line for line in heard if line["type"] == kind][-most:]


@contextmanager
def tables(folder: Path) -> Iterator[dict[str, str]]:
    """Yield a table from each game to the address of a page that shows a moment of the game."""

    @asynccontextmanager
    async def serve() -> AsyncIterator[dict[str, str]]:
        async with AsyncExitStack() as stack:
            found: dict[str, str] = {}
            for game in GAMES:
                own = folder / game
                own.mkdir()
                web = await stack.enter_async_context(page(own, stands(game)))
                found[game] = web.url
            yield found

    with beside(serve) as (found, _):
        yield found
