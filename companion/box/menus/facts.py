"""What the menus show of the record, gathered when one opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.box.menus.rules import Facts
from companion.games import registry
from companion.record.journal import JournalError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.play.session import Session
    from companion.record.journal import Journal, Summary

PAST: Final = 20
"""Past games in the menu's list; the command line lists all."""


def opened(
    journal: Journal, settings: Mapping[str, Any], now: int, session: Session | None
) -> Facts:
    """The facts for the first screen, or for the menu of a running game. `now` since 1970, in s."""
    if session is None:
        return Facts(
            games=registry.NAMES,
            settings=settings,
            unfinished=_readable(journal, journal.unfinished()),
            past=_readable(journal, journal.games()[:PAST]),
            now=now,
        )
    snapshot = session.snapshot
    return Facts(
        games=registry.NAMES,
        settings=settings,
        unfinished=(),
        past=(),
        now=now,
        playing=snapshot.game,
        secrets=session.secret_holders,
        undoable=snapshot.undoable,
        redoable=snapshot.redoable,
        anytime=tuple(question.name for question in session.anytime),
    )


def _readable(journal: Journal, numbers: list[int]) -> tuple[Summary, ...]:
    """The games of the record that can be listed: whole ones, of games that are in the box."""
    found = []
    for number in numbers:
        try:
            found.append(journal.summary(number))
        except JournalError:
            continue
    return tuple(summary for summary in found if summary.game in registry.NAMES)
