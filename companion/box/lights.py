"""Which seat's lamp shines or blinks: who is asked, whose turn it is, who interrupts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware import OUT, QUICK, SEATS, SLOW, STEADY

if TYPE_CHECKING:
    from companion.box.table import Table

Lights = tuple[str, ...]
DARK: Lights = (OUT,) * len(SEATS)


def lights(table: Table) -> Lights:
    """The light of every seat: quick for an interruption, steady for whoever is asked or handed the
    box, slow for the turn. While the menus are open only the turn shines; none does at a table with
    more players than buttons.
    """  # noqa: D205 - one list
    if table.playing is None or not table.seats:
        return DARK
    snapshot, talk = table.playing.snapshot, table.talk
    quick = () if talk is None else talk.interrupting
    prompt = None if table.menus.page is not None else table.prompt
    asked = table.curtain or (prompt.who if prompt else None)
    turn = table.playing.face.to_act(snapshot.view)
    shine = {turn: SLOW, asked: STEADY} | dict.fromkeys(quick, QUICK)
    found = [shine.get(player, OUT) for player in table.seats]
    return (*found, *DARK)[: len(SEATS)]
