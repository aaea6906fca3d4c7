"""The chapters of the games against docs/protocol.md, and what is said when games are played."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import companion
from companion.catalog import registry
from companion.catalog.chapters import chapter
from companion.core.chance import Chance
from companion.play.session import Session, Setup
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from companion.testing.protocol import Exchange, Referee, plain_bot, restless_bot
from tests.helpers import printed
from tests.met import OTHERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from companion.catalog.chapters import Chapter, Message
    from companion.testing.protocol import Bot


ROOT: Final = Path(companion.__file__).parents[1]
CHAPTERS: Final = {game: found for game in registry.NAMES if (found := chapter(game))}
NAMES: Final = ("Ann", "Bob", "Cy", "Dee")
PLAIN: Final = 5
"""At one in so many tables a game is played in one go, too."""


def begin(
    game: str, options: Mapping[str, str], n: int = 3, seed: str = "5eed",
    journal: Journal | None = None, *, mixing: bool = False, other: bool = False,
) -> Session:  # fmt: skip
    """A game of the printed edition, or on another board that can be."""
    edition = OTHERS[game](printed(game)) if other and game in OTHERS else printed(game)
    setup = Setup(registry.find(game), NAMES[:n], options, edition, Chance(seed), mixing)
    return Session.begin(journal or Journal(None), setup, 0)


@cache
def said(game: str, n: int, at: int, *, restless: bool = True) -> tuple[Message, ...]:
    """All that is said in a game of random answers; `at` is a place in the chapter's tables."""
    its = CHAPTERS[game]
    rng = random.Random(f"{n} {at} {restless}")
    session = begin(game, its.tables[at], n, f"{n:x}{at:x}", other=restless and at % 2 == 1)
    table = seated(restless_bot(rng, session) if restless else plain_bot(rng), its)
    table.run(session, rng.choice(LANGUAGES))
    return tuple(table.referee.seen)


def all_said(game: str) -> Iterator[tuple[Message, ...]]:
    """Games at every table with all that may come between, and now and then one in one go."""
    its = CHAPTERS[game]
    for at in range(len(its.tables)):
        if at % PLAIN == 0:
            yield said(game, 4, at, restless=False)
        yield said(game, its.seats[at % len(its.seats)], at)


# --- docs/protocol.md -----------------------------------------------------------------------------


def rows(heading: str, game: str) -> dict[str, set[str]]:
    """The table under a heading of docs/protocol.md: first cell -> the names in the second.

    Of the games' own headings those of `game`.
    """
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    chapters = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    others = {f"## {name}\n" for name in registry.NAMES} - {f"## {game}\n"}
    text = "".join(part for part in chapters if not part.startswith(tuple(others)))
    section = rf"^#+ `?{re.escape(heading)}`?\n(.*?)(?=^#|\Z)"
    (found,) = re.findall(section, text, re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^\| `(\w+)` \| ([^|]*)\|", found, re.MULTILINE)
    return {name: set(re.findall(r"`([\w.]+)`", cell)) for name, cell in lines}


def events(messages: Iterable[Message]) -> list[str]:
    return [message["event"] for message in messages if message["type"] == "tell"]


def seated(bot: Bot, of: Chapter) -> Exchange:
    """A bot over the text protocol; every message is held against the chapter."""
    return Exchange(bot, Referee(of.check))
