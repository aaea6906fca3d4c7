"""What docs/protocol.md says of each game, a module a game; and what is said when they are played.

Each module has its `CHAPTER`.
"""

from __future__ import annotations

import random
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from companion.core.chance import Chance
from companion.games import registry
from companion.games.testing.protocol import plain_bot, restless_bot
from companion.play.session import Session, Setup
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from tests.helpers import printed
from tests.protocol import seated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.games.testing.protocol import Message
    from tests.protocol import Chapter


def _chapter(game: str) -> Chapter:
    module = import_module(registry.module(game).replace("companion.games", "tests.chapters"))
    found: Chapter = module.CHAPTER
    return found


CHAPTERS: Final = {game: _chapter(game) for game in registry.NAMES}
NAMES: Final = ("Ann", "Bob", "Cy", "Dee")


def begin(
    game: str, options: Mapping[str, str], n: int = 3, seed: str = "5eed",
    journal: Journal | None = None, *, mixing: bool = False,
) -> Session:  # fmt: skip
    """A game of the printed edition."""
    setup = Setup(registry.find(game), NAMES[:n], options, printed(game), Chance(seed), mixing)
    return Session.begin(journal or Journal(None), setup, 0)


@cache
def said(game: str, n: int, at: int, *, restless: bool = True) -> tuple[Message, ...]:
    """All that is said in a game of random answers; `at` is a place in the chapter's tables."""
    chapter = CHAPTERS[game]
    rng = random.Random(f"{n} {at} {restless}")
    session = begin(game, chapter.tables[at], n, f"{n:x}{at:x}")
    table = seated(restless_bot(rng, session) if restless else plain_bot(rng), chapter)
    table.run(session, rng.choice(LANGUAGES))
    return tuple(table.referee.seen)


def all_said(game: str) -> Iterator[tuple[Message, ...]]:
    """Games at every table: some in one go, some with all that may come between."""
    chapter = CHAPTERS[game]
    for at in range(len(chapter.tables)):
        yield said(game, 4, at, restless=False)
        yield said(game, chapter.seats[at % len(chapter.seats)], at)
