"""What a press is about: whatever lies in front on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.press.cursor import Scene

if TYPE_CHECKING:
    from companion.box.table import Table

INTERRUPT: Final = "interrupt"
"""The question that a player's button, held, answers out of turn: who interrupts."""


def scene(table: Table) -> Scene:
    """The scene for what the table asks."""
    moments, prompt, playing = table.moments, table.prompt, table.playing
    if table.menus.page is not None or playing is None:
        front = moments.front
        turned = 1 if front is None else len(front.lead.facts.get("pages", ("all",)))
        return Scene(prompt, moment=front is not None, holds=False, pages=turned)
    holds, pages = table.curtain is None, playing.face.pages.count(playing.snapshot)
    if moments.front is not None:
        return Scene(prompt, moment=True, holds=holds, pages=pages if moments.is_standing else 1)
    over = prompt is None and table.curtain is None
    curtain = table.curtain or (prompt.who if prompt and prompt.private else None)
    free = table.form is None and curtain is None and not table.is_over
    return Scene(
        prompt,
        playing.holders,
        curtain=curtain,
        holds=holds,
        seats=playing.snapshot.players,
        interrupts=free and any(question.name == INTERRUPT for question in playing.anytime),
        pages=pages if over else 1,
    )
