"""An evening in lines for people: where it is, who sits where, and what is to be decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cmd.tongue import counted, said, wrong
from companion.evening.telling import fact, sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.evening.fold import Conflict, Evening
    from companion.evening.known import Known


def status(evening: Evening, known: Known) -> Iterator[str]:
    """Where the evening is: its round, who sits where, what is not in yet, what is unclear."""
    yield _where(evening)
    origin = sources(known)
    for n, table in enumerate(evening.tables, 1):
        there = origin.get((len(evening.rounds), n), "box")
        way = "plays" if n in evening.waiting else f"in.{there}"
        yield f"  {said(f'evening.table.{way}', n=n, who=', '.join(table))}"
    if evening.problem:
        yield said("evening.no_seating", why=wrong(evening.problem))
    yield from map(conflict, evening.conflicts)


def _where(evening: Evening) -> str:
    """Its title, and how far it is."""
    if evening.rules is None:
        return said("evening.not_open")
    title, game, games = (evening.rules[name] for name in ("title", "game", "games"))
    played = len(evening.rounds)
    if evening.over:
        return counted("evening.over", played, title=title)
    way = "open" if games is None else "of"
    return said(f"evening.round.{way}", title=title, n=played, of=games, game=game)


def conflict(found: Conflict) -> str:
    """What people must decide, with what each box says."""
    told = "; ".join(
        said("evening.claim", box=claim.box, n=claim.revision, fact=fact(claim))
        for claim in found.claims
    )
    return said(f"evening.conflict.{found.why}", topic=found.topic, claims=told)
