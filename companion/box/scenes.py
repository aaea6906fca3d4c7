"""What a press is about: whatever lies in front on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.prompts import INTERRUPT, Shuffle
from companion.press.cursor import Scene

if TYPE_CHECKING:
    from companion.box.table import Table


def scene(table: Table) -> Scene:
    """The scene for what the table asks."""
    moments, prompt, playing = table.moments, table.prompt, table.playing
    if table.menus.page is not None or playing is None:
        front = moments.front
        turned = 1 if front is None else len(front.lead.facts.get("pages", ("all",)))
        page = table.menus.page
        home = page is not None and page.page == "home"
        return Scene(prompt, moment=front is not None, holds=False, pages=turned, home=home)
    pages = playing.face.pages.count(playing.snapshot)
    if moments.front is not None:
        told = len(moments.front.cues) if moments.front.is_why else 1
        return Scene(prompt, moment=True, pages=pages if moments.is_standing else told)
    over = prompt is None and table.curtain is None
    curtain = table.curtain or (prompt.who if prompt and prompt.private else None)
    open_ = None if curtain is not None or isinstance(prompt, Shuffle) else prompt
    looks = open_.who if open_ is not None and open_.look else None
    free = table.talk is None and curtain is None and not table.is_over
    return Scene(
        prompt,
        playing.holders if table.seats else (),
        curtain=curtain,
        holds=table.curtain is None,
        looks=looks if looks in playing.holders else None,
        seats=table.seats,
        interrupts=free and any(question.name == INTERRUPT for question in playing.anytime),
        pages=pages if over else 1,
        alone=frozenset(filter(table.ears.hears_alone, playing.snapshot.players)),
    )
