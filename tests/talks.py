"""Random programs that play games over the protocol."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from babel.messages.pofile import read_po

import companion
from companion.catalog import registry
from companion.core.chance import Chance
from companion.door.lines import Message
from companion.draw.face import load_face
from companion.games.barney_miller.rules.board import SUSPECTS_PER_POSTER
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from companion_testing.protocol import RefereedBotGame, disruptive_random_bot, random_bot
from tests.helpers import printed_edition
from tests.met import OTHER_EDITIONS

if TYPE_CHECKING:
    from checked_input.checks import Check, OptionalKey


ROOT: Final = Path(companion.__file__).parents[1]
PLAYER_NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
PLAIN_GAMES: Final = 5
"""At one in N tables, an additional game has neither undo nor out-of-turn answers."""


class Talk(NamedTuple):
    """The rules by which random programs play one game over the protocol.

    `tables`: the options of each played game. `seats`: the numbers of players of restless games.
    `ends`: a condition for the last line of every game. `rare`: events that no random game reaches.
    `unsaid`: events that may have no sentence. `parts`: questions that are only parts of an out-of-
    turn answer.
    """

    tables: tuple[Mapping[str, str], ...]
    seats: tuple[int, ...]
    ends: Callable[[Message], bool]
    rare: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()


def _barney_miller_ends(over: Message) -> bool:
    (winner,) = over["winners"]
    state = over["state"]
    chips: int = len(state["captured"][winner]) + state["reserve"][winner]
    return chips == SUSPECTS_PER_POSTER or len(state["out"]) == len(state["hand"]) - 1


def _one_wins(over: Message) -> bool:
    return over["state"]["phase"] == "over" and len(over["winners"]) == 1


def _most_points_win(over: Message) -> bool:
    state = over["state"]
    scores = {who: n for who, n in state["scores"].items() if who not in state["out"]}
    return {scores[who] for who in over["winners"]} == {max(scores.values())}


TALKS: Final[Mapping[str, Talk]] = {
    "barney-miller": Talk(
        tables=tuple(
            {
                "deck": deck,
                "die": die,
                "track": track,
                "posters": "seats" if (die == "real") == (track == "ask") else "choose",
                "redeal": "aside" if die == "real" else "all",
            }
            for deck in ("own", "virtual")
            for die in ("companion", "real")
            for track in ("edition", "ask")
        ),
        seats=(2, 3, 4),
        ends=_barney_miller_ends,
        parts=frozenset({"what", "who", "suspect", "n", "nth"}),
    ),
    "baretta": Talk(
        tables=tuple(
            {
                "deck": deck,
                "dice": dice,
                "wounded": wounded,
                "criminals": "choose" if wounded == "up" else "seats",
                "cutting": "yes" if wounded == "up" else "no",
            }
            for deck in ("virtual", "own")
            for dice in ("companion", "real")
            for wounded in ("up", "down")
        ),
        seats=(2, 4),
        ends=_one_wins,
        parts=frozenset({"what", "who", "space", "lies", "n"}),
    ),
    "kojak": Talk(
        tables=tuple(
            {"deck": deck, "die": die, "short": short, "beside": beside}
            for deck in ("virtual", "own")
            for die in ("companion", "real", "none")
            for short in ("no", "yes")
            for beside in ("fetched", "at_once")
        ),
        seats=(2,),
        ends=_one_wins,
        parts=frozenset({"what", "who", "colour", "n", "stage"}),
        rare=frozenset({"no_mission"}),  # in editions with fewer than four missions of a file
    ),
    "probe": Talk(
        tables=tuple(
            {"words": words, "deck": deck, "remember": remember, "opens": opens}
            for words in ("racks", "secret")
            for deck in ("virtual", "own")
            for remember in ("no", "yes")
            for opens in ("owner", "cheapest", "chance")[: 3 if words == "secret" else 1]
        ),
        seats=(2, 3),
        ends=_most_points_win,
        parts=frozenset({"who", "whom", "rack", "right", "guess", "points", "misspelled", "stop"}),
        unsaid=frozenset({"word_stands", "said_yes", "said_no", "revealed"}),
    ),
}


def begin(
    game: str, options: Mapping[str, str], n: int = 3, seed: str = "5eed",
    journal: Journal | None = None, *, mixing: bool = False, other: bool = False,
) -> Session:  # fmt: skip
    """Return the session of a new game, on the printed edition or another one."""
    edition = (
        OTHER_EDITIONS[game](printed_edition(game))
        if other and game in OTHER_EDITIONS
        else printed_edition(game)
    )
    setup = GameSetup(
        registry.find_game(game), PLAYER_NAMES[:n], options, edition, Chance(seed), mixing
    )
    return Session.begin(journal or Journal(None), setup, 0)


@cache
def game_messages(game: str, n: int, at: int, *, restless: bool = True) -> tuple[Message, ...]:
    """Return all messages of a random game; `at` is the index of its table."""
    its = TALKS[game]
    rng = random.Random(f"{n} {at} {restless}")
    session = begin(game, its.tables[at], n, f"{n:x}{at:x}", other=restless and at % 2 == 1)
    table = RefereedBotGame(disruptive_random_bot(rng, session) if restless else random_bot(rng))
    table.run(session, rng.choice(LANGUAGES))
    return tuple(table.referee.seen)


def all_game_messages(game: str) -> Iterator[tuple[Message, ...]]:
    """Return the messages of games at every table, with undo, redo and out-of-turn answers."""
    its = TALKS[game]
    for at in range(len(its.tables)):
        if at % PLAIN_GAMES == 0:
            yield game_messages(game, 4, at, restless=False)
        yield game_messages(game, its.seats[at % len(its.seats)], at)


def questions(game: str) -> frozenset[str]:
    """Return the names of the game's questions: each has a sentence in its catalogue."""
    source = registry.game_file_path(game, "locale") / "en" / "LC_MESSAGES"
    (file,) = source.glob("*.po")
    keys = (str(message.id) for message in read_po(BytesIO(file.read_bytes())))
    asked = (key.removeprefix(f"{game}.ask.") for key in keys if key.startswith(f"{game}.ask."))
    return frozenset(name for name in asked if "." not in name)


def told_facts(game: str) -> dict[str, Mapping[str, Check | OptionalKey]]:
    """Return the fields of each of the game's public facts."""
    facts = load_face(game).facts.items()
    return {name: fact.fields for name, fact in facts if fact.fields is not None}


def events(messages: Iterable[Message]) -> list[str]:
    return [message["event"] for message in messages if message["type"] == "tell"]
