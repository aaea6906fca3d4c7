"""What a press is about: the game as it stands, and whatever stands in front of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.box.moments import STANDING
from companion.press.controls import Scene

if TYPE_CHECKING:
    from companion.box.moments import Moments
    from companion.core.prompts import Prompt
    from companion.draw.face import Face
    from companion.play.session import Session

INTERRUPT: Final = "interrupt"
"""The question that a player's button, held, answers out of turn: who interrupts."""


def scene(
    session: Session | None,
    face: Face | None,
    prompt: Prompt | None,
    moments: Moments,
    curtain: str | None,
    *,
    filling: bool,
) -> Scene:
    """The scene for `prompt`; `session` is None while the menus are open.

    `face` is that of its game; `curtain` is whom the box is handed to for a look; `filling`: an
    answer out of turn is begun.
    """
    holds = curtain is None and session is not None
    if session is None:
        return Scene(prompt, moment=bool(moments), holds=holds)
    pages = face.pages.count(session.snapshot) if face else 1
    if moments:
        standing = moments[0][0] is STANDING
        return Scene(prompt, moment=True, holds=holds, pages=pages if standing else 1)
    over = prompt is None and curtain is None
    curtain = curtain or (prompt.who if prompt and prompt.private else None)
    free = not filling and curtain is None and session.prompt is not None
    return Scene(
        prompt,
        session.secret_holders,
        curtain=curtain,
        holds=holds,
        seats=session.setup.players,
        interrupts=free and any(question.name == INTERRUPT for question in session.anytime),
        pages=pages if over else 1,
    )
