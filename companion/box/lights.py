"""Which seat's lamp shines or blinks: who is asked, whose turn it is, who interrupts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.forms import Filling
from companion.core.prompts import Choose
from hardware import OUT, QUICK, SEATS, SLOW, STEADY

if TYPE_CHECKING:
    from companion.box.table import Table

Lights = tuple[str, ...]
DARK: Lights = (OUT,) * len(SEATS)


def lights(table: Table) -> Lights:
    """The light of every seat: quick for an interruption, steady for whoever is asked or handed the
    box, slow for the turn. While the menus are open only the turn shines.
    """  # noqa: D205 - one list
    if table.playing is None:
        return DARK
    snapshot, form = table.playing.snapshot, table.form
    quick = interrupting(form) if isinstance(form, Filling) else ()
    prompt = None if table.menus.page is not None else table.prompt
    asked = table.curtain or (prompt.who if prompt else None)
    shine = {table.playing.face.to_act(snapshot.view): SLOW, asked: STEADY} | dict.fromkeys(
        quick, QUICK
    )
    found = [shine.get(player, OUT) for player in snapshot.players]
    return (*found, *DARK)[: len(SEATS)]


def interrupting(form: Filling) -> tuple[str, ...]:
    """Who interrupts; while that is asked, all of whom it may be."""
    if form.given:
        return (str(form.given[0][1]),)
    return form.prompt.options if isinstance(form.prompt, Choose) else ()
