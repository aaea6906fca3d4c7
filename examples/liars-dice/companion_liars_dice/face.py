"""The face of liar's dice: its frames and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from companion.core.game import Cues, Secret
from companion.core.prompts import Answer, Prompt
from companion.core.snapshot import Snapshot, View
from companion.draw import default_face
from companion.draw.canvas import Canvas, shorten_text
from companion.draw.dice import die_sprite
from companion.draw.face import Face, FactPicture
from companion.press.cursor import Cursor
from companion.say.facts import FactPresentation
from companion.say.words import MAX_NAME_LETTERS, Words

ROWS, HALF, LETTERS = 3, 66, 5
"""Number of players in a column, x of the second column (pixels), and number of letters of a name.
"""
SMALL, LARGE, GAP = 16, 22, 3
"""Side of a die beside the bid, side of a die in a hand, and gap between two dice (pixels)."""


def body(canvas: Canvas, snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words) -> None:
    """Draw rows 0 to 5, which show the table for every question; row 6 shows the question."""
    del prompt, cursor
    _table(canvas, snapshot, words)


def standing(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    """Draw the table without a question; after the end of the game draw the winners."""
    if snapshot.outcome is None:
        _table(canvas, snapshot, words)
    else:
        default_face.draw_state_or_result(canvas, snapshot, words)


def _table(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    """Draw rows 0 to 5: the round, the bid, and the number of dice of each player."""
    view, players = snapshot.view, snapshot.players
    canvas.draw_text(0, 0, words("liars-dice.round", round=view["round"]))
    canvas.draw_right_aligned_text(0, words("liars-dice.total", dice=sum(view["dice"].values())))
    _bid(canvas, view, words)
    for n, who in enumerate(players):
        column, row = divmod(n, ROWS)
        canvas.draw_text(3 + row, column * HALF, shorten_text(who, LETTERS))
        canvas.draw_text(3 + row, column * HALF + 6 * LETTERS, "■" * view["dice"][who])


def _bid(canvas: Canvas, view: View, words: Words) -> None:
    """Draw rows 1 and 2: the name of the bidder, and the bid as a large number and a die."""
    if view["count"] is None:
        canvas.draw_centred_text(
            1, words("liars-dice.palifico" if view["palifico"] else "liars-dice.none")
        )
        return
    said = f"{shorten_text(view['bidder'], MAX_NAME_LETTERS)} {view['count']}×"
    x = (128 - 8 * len(said) - SMALL) // 2
    canvas.draw_text(1, x, said, "medium")
    canvas.draw_sprite(x + 8 * len(said), 8, die_sprite(view["face"], SMALL))


def secret(
    canvas: Canvas, snapshot: Snapshot, secret: Secret, cursor: Cursor, words: Words
) -> None:
    """Draw rows 1 to 6: the player's hidden dice, and the bid below these dice."""
    del cursor
    _row(canvas, secret.view["own"], 12)
    if snapshot.view["count"] is not None:
        view = snapshot.view
        said = words.sentence_for_count(f"liars-dice.face.{view['face']}", view["count"])
        canvas.draw_centred_text(5, f"{shorten_text(view['bidder'], MAX_NAME_LETTERS)}: {said}")


def _row(canvas: Canvas, dice: Sequence[int], top: int) -> None:
    """Draw dice side by side in the middle, `top` pixels below the top."""
    x = (128 - len(dice) * (LARGE + GAP) + GAP) // 2
    for at, face in enumerate(dice):
        canvas.draw_sprite(x + at * (LARGE + GAP), top, die_sprite(face, LARGE))


def lifted(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw a lifted cup: its player and its dice, with a mark below each die that counts.

    The last row has the number of counting dice so far, and the bid.
    """
    del step
    cue = cues[0]
    facts, dice = cue.facts, cue.facts["dice"]
    canvas.draw_centred_text(0, words.fact_title(cue), "medium")
    _row(canvas, dice, 20)
    x = (128 - len(dice) * (LARGE + GAP) + GAP) // 2
    for at, face in enumerate(dice):
        if face == facts["face"] or (face == 1 and facts["wild"]):
            canvas.invert_rectangle(x + at * (LARGE + GAP), 44, LARGE, 3)
    bid = words.sentence_for_count(f"liars-dice.face.{facts['face']}", facts["count"])
    canvas.draw_centred_text(6, words("liars-dice.so_far", found=facts["found"], bid=bid))


def fields(words: Words, given: View) -> dict[str, Any]:
    """Return the values of placeholders of the sentences: bid, faces, and dice that are left."""
    found: dict[str, Any] = {}
    if "face" in given and given["face"] is not None:
        found["bid"] = words.sentence_for_count(f"liars-dice.face.{given['face']}", given["count"])
    if isinstance(given.get("dice"), list):
        found["faces"] = " ".join(map(str, given["dice"]))
    if "left" in given:
        found["dice"] = words.sentence_for_count("liars-dice.left", given["left"])
    return found


def label(words: Words, *, question: str, value: Answer, view: View) -> str | None:
    """Return the text of a turn for the list of answers to undo: the bid or the doubt."""
    del view
    if question != "turn":
        return None
    if "face" not in value:
        return words("liars-dice.option.call.doubt")
    return words.sentence_for_count(f"liars-dice.face.{value['face']}", value["count"])


FACE: Final = Face(
    body=body,
    secret=secret,
    standing=standing,
    pictures={"lifted": FactPicture(draw=lifted)},
    on_wheel=frozenset({"call"}),
    fields=fields,
    label=label,
    facts={
        "shaken": FactPresentation(sound="shaken", headline=True),
        "palifico": FactPresentation(sound="shaken", headline=True),
        "bid": FactPresentation(silent=True, sound="bid"),  # the rows show the bid
        "doubted": FactPresentation(sound="doubt", headline=True, priority=True),
        "lifted": FactPresentation(sound="lifted", headline=True),
        "true": FactPresentation(sound="true", headline=True, priority=True),
        "false": FactPresentation(sound="false", headline=True, priority=True),
        "out": FactPresentation(inline=True, priority=True),
        "won": FactPresentation(sound="won", headline=True, priority=True),
    },
)
