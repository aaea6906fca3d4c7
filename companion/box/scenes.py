"""What a press is about: whatever lies in front on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.prompts import INTERRUPT
from companion.press.cursor import Scene

if TYPE_CHECKING:
    from companion.box.table import Table


def scene(table: Table) -> Scene:
    """The scene for what the table asks."""
    moments, prompt, playing = table.moments, table.prompt, table.playing
    if table.menus.page is not None or playing is None:
        front = moments.front
        turned = 1 if front is None else len(front.lead.facts.get("pages", ("all",)))
        return Scene(prompt, moment=front is not None, holds=False, pages=turned)
    pages = playing.face.pages.count(playing.snapshot)
    if moments.front is not None:
        told = len(moments.front.cues) if moments.front.is_why else 1
        return Scene(prompt, moment=True, pages=pages if moments.is_standing else told)
    over = prompt is None and table.curtain is None
    curtain = table.curtain or (prompt.who if prompt and prompt.private else None)
    free = table.talk is None and curtain is None and not table.is_over
    return Scene(
        prompt,
        playing.holders,
        curtain=curtain,
        holds=table.curtain is None,
        seats=playing.snapshot.players,
        interrupts=free and any(question.name == INTERRUPT for question in playing.anytime),
        pages=pages if over else 1,
    )
