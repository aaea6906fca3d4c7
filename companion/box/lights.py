"""Which seat's lamp shines or blinks: who is asked, whose turn it is, who interrupts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.prompts import Choose
from hardware import OUT, QUICK, SEATS, SLOW, STEADY

if TYPE_CHECKING:
    from companion.core.forms import Filling
    from companion.core.prompts import Prompt
    from companion.draw.face import Face
    from companion.play.session import Session

Lights = tuple[str, ...]
DARK: Lights = (OUT,) * len(SEATS)


def lights(
    session: Session | None,
    face: Face | None,
    prompt: Prompt | None,
    curtain: str | None,
    form: Filling | None,
) -> Lights:
    """The light of every seat: quick for an interruption, steady for whoever is asked, slow for
    the turn. `face` is that of the game; `prompt` is what is asked of the players, if anything;
    `curtain` whom it names.
    """  # noqa: D205 - one list
    if session is None or face is None:
        return DARK
    quick = interrupting(form)
    asked = curtain or (prompt.who if prompt else None)
    turn = face.to_act(session.snapshot.view)
    shine = {turn: SLOW, asked: STEADY} | dict.fromkeys(quick, QUICK)
    found = [shine.get(player, OUT) for player in session.setup.players]
    return (*found, *DARK)[: len(SEATS)]


def interrupting(form: Filling | None) -> tuple[str, ...]:
    """Who interrupts; while that is asked, all of whom it may be."""
    if form is None:
        return ()
    if form.given:
        return (str(form.given[0][1]),)
    return form.prompt.options if isinstance(form.prompt, Choose) else ()
