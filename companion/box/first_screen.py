"""The first screen: what lies on the table while nobody plays, as a frame, and what it asks.

It is drawn before the rest of the box is imported, so this needs the menus and no more.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from companion.core.prompts import choices
from companion.draw.signs import signed
from companion.hear import policy
from companion.menus.facts import opened
from companion.menus.page import Phones
from companion.menus.settings import illegal, legal
from companion.menus.words import of_the_box
from companion.table import frames
from companion.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.menus.page import MenuFacts
    from companion.record.journal import Journal


def home(facts: MenuFacts, *, rows: bool) -> Table:
    """The first screen with these facts; `rows` as a `Table` has it."""
    return Table(rows=rows).home(facts)._replace(large=facts.settings["large"])


def frame(table: Table) -> bytes:
    """The frame of a first screen, without the sign of what mutes the box."""
    words = of_the_box(_facts(table).settings["language"])
    return frames.frame(table, lambda _: words, _no_secret)


def asks(table: Table) -> str:
    """What a first screen asks, in a word: another language or game is another one."""
    assert table.prompt is not None  # noqa: S101 - every page asks something
    facts = _facts(table)
    games = [(of.id, of.game, of.players, of.started) for of in facts.unfinished + facts.past]
    text = repr((facts.settings["language"], choices(table.prompt), games))
    return sha256(text.encode()).hexdigest()


def at_start(
    journal: Journal, *, language: str, now: int, hour: int | None, rows: bool
) -> tuple[bytes, str] | None:
    """The first screen of a box that starts, and what it asks; None if something is told before it.

    `language` is the machine's, `now` in seconds since 1970, `hour` that of the room. The door is
    taken to open.
    """
    kept = journal.settings()
    if journal.untold is not None or journal.read_only or illegal(kept):
        return None
    settings = legal(kept, language)
    facts = opened(journal, settings, now, None, {})._replace(phones=Phones(), everybody=0)
    table = home(facts, rows=rows)
    muted = policy.rules(settings, hour).muted
    return (signed(frame(table), muted) if muted else frame(table)), asks(table)


def _facts(table: Table) -> MenuFacts:
    assert table.menus.page is not None  # noqa: S101 - the first screen is a page
    return table.menus.page.facts


def _no_secret(_player: str) -> Mapping[str, Any]:
    return {}
