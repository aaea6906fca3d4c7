"""The face of running tricks: a row for each player, and sentences with all totals."""

from __future__ import annotations

from typing import Any, Final

from companion.core.prompts import Prompt
from companion.core.snapshot import Snapshot, View
from companion.draw.canvas import Canvas, shorten_text
from companion.draw.face import Face
from companion.press.cursor import Cursor, selected_answer
from companion.say.facts import FactPresentation
from companion.say.words import MAX_NAME_LETTERS, Words

TRICKS: Final = 96
"""The x (pixels) at which the number of tricks ends; the points end at the right edge."""


def body(canvas: Canvas, snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words) -> None:
    """Draw rows 0 to 5: tricks and points of each player, with a mark before the chosen player."""
    view = snapshot.view
    canvas.draw_text(0, 0, words("running-tricks.deal", deal=view["deal"], left=view["left"]))
    for row, who in enumerate(snapshot.players, start=1):
        canvas.draw_text(row, 0, "▸" if who == selected_answer(prompt, cursor) else " ")
        canvas.draw_text(row, 12, shorten_text(who, MAX_NAME_LETTERS))
        canvas.draw_right_aligned_text(row, str(view["tricks"][who]), edge=TRICKS)
        canvas.draw_right_aligned_text(row, str(view["points"][who]))


def fields(_words: Words, given: View) -> dict[str, Any]:
    """Return the values of placeholders of the sentences: totals and winners, each as one text."""
    totals = ", ".join(f"{who} {n}" for who, n in given.get("totals", {}).items())
    return {"totals": totals, "winners": ", ".join(given.get("winners", ()))}


FACE: Final = Face(
    body=body,
    facts={
        "taken": FactPresentation(silent=True),  # the rows show it
        "counted": FactPresentation(sound="dealt", headline=True),
        "won": FactPresentation(sound="ready", headline=True),
    },
    fields=fields,
)
