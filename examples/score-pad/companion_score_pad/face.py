"""The face of the score pad: a row for each player, with last points and total."""

from __future__ import annotations

from typing import Any, Final

from companion.core.prompts import Answer, Prompt
from companion.core.snapshot import Snapshot, View
from companion.draw import default_face
from companion.draw.canvas import Canvas, shorten_text
from companion.draw.face import Face
from companion.press.cursor import Cursor, selected_answer
from companion.say.facts import FactPresentation
from companion.say.words import Words

ROWS: Final = 5
"""Maximum number of players in one column; more players are drawn in two columns of four."""
LAST: Final = 98
"""The x (pixels) at which the points of the last round end."""


def body(canvas: Canvas, snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words) -> None:
    """Draw rows 0 to 5, with a mark before the active player or before the player to correct."""
    who = selected_answer(prompt, cursor) if prompt.name == "who" else snapshot.view["to_act"]
    _pad(canvas, snapshot, who, words)


def standing(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    """Draw rows 0 to 5 without a question; after the end of the game draw the winners."""
    if snapshot.outcome is None:
        _pad(canvas, snapshot, None, words)
    else:
        default_face.draw_state_or_result(canvas, snapshot, words)


def _pad(canvas: Canvas, snapshot: Snapshot, marked: Answer, words: Words) -> None:
    """Draw rows 0 to 5: the round, and the total of each player; `marked` gets a mark."""
    view = snapshot.view
    canvas.draw_text(0, 0, words("score-pad.round", round=view["round"]))
    canvas.draw_right_aligned_text(0, words(f"score-pad.until.{view['ends']}"))
    columns = 1 if len(snapshot.players) <= ROWS else 2
    for n, who in enumerate(snapshot.players):
        row, x = (1 + n, 0) if columns == 1 else (1 + n % 4, 66 * (n // 4))
        canvas.draw_text(row, x, "▸" if who == marked else " ")
        canvas.draw_text(row, x + 6, shorten_text(who, 10 if columns == 1 else 4))
        canvas.draw_right_aligned_text(
            row, str(view["scores"][who]), edge=128 if columns == 1 else x + 62
        )
        if columns == 1 and view["rounds"][who]:
            canvas.draw_right_aligned_text(row, f"{view['rounds'][who][-1]:+}", edge=LAST)


def label(words: Words, *, question: str, value: Answer, view: View) -> str | None:
    """Return a number of points as text with a sign, such as "+5".

    If a question has several wheels, use the number on the last wheel.
    """
    del words, view
    if question not in ("score", "hundreds", "tens", "points"):
        return None
    return f"{[*value.values()][-1] if isinstance(value, dict) else value:+}".replace("+0", "0")


def aloud(words: Words, *, question: str, value: Answer, view: View) -> str | None:
    """Return a number of points as the voice speaks it."""
    return _said(words, value) if label(words, question=question, value=value, view=view) else None


def fields(words: Words, given: View) -> dict[str, Any]:
    """Return the values of placeholders of the sentences: signed points, and spoken numbers."""
    numbers = {name: given[name] for name in ("points", "total") if name in given}
    said = {f"{name}_said": _said(words, n) for name, n in numbers.items()}
    each = (f"{who} {_said(words, n)}" for who, n in given.get("totals", {}).items())
    return {**said, "signed": f"{given.get('points', 0):+}", "totals_said": ", ".join(each)}


def _said(words: Words, value: Answer) -> str:
    n = [*value.values()][-1] if isinstance(value, dict) else value
    return words("score-pad.minus", n=-n) if n < 0 else str(n)


FACE: Final = Face(
    body=body,
    standing=standing,
    label=label,
    aloud=aloud,
    fields=fields,
    facts={
        "scored": FactPresentation(silent=True, skippable=True),  # the rows show the points
        "counted": FactPresentation(sound="dealt", silent=True),
        "won": FactPresentation(sound="ready", headline=True),
        "corrected": FactPresentation(sound="accepted", headline=True),
    },
)
