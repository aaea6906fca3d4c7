"""Animations of Baretta: turning over a card, and prison bars in front of an arrested criminal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from companion.core.game import Cues
from companion.draw.canvas import (
    Canvas,
    Sprite,
    enlarge_sprite,
    load_font,
    parse_sprite,
    rectangle_outline,
    shorten_text,
    wrap_text,
)
from companion.draw.face import FactPicture
from companion.draw.parts import ROW_LETTERS, draw_fact_text
from companion.games.baretta.rules.board import ARREST, HUNCH, MOVE
from companion.games.baretta.shown.art import DIGITS, ICONS
from companion.say.words import MAX_NAME_LETTERS, Words

WIDTH: Final = 128
CARD_SIZE: Final = (32, 46)
"""Width and height (pixels) of a card."""
CARD_TOP: Final = 9
"""Top edge (pixels) of a drawn card, below the number of the clause."""
ICON_SCALE: Final = 3
"""Factor by which a card's icon is enlarged."""
TEXT_X: Final = 38
"""Left edge (pixels) of the text to the right of a card."""
MAX_TEXT_ROWS: Final = 7
"""Maximum number of text rows to the right of a card."""
EDGE_ON_CARD_WIDTH: Final = 4
BAR_DISTANCE: Final = 8
"""Distance (pixels) between two prison bars."""


@cache
def card_or_criminal_icon_sprite(name: str, times: int = 1) -> Sprite:
    """Return the icon of a kind of card or of a criminal, enlarged by the factor `times`."""
    return enlarge_sprite(parse_sprite(ICONS[name]), times)


def draw_card_back(canvas: Canvas, x: int) -> None:
    """Draw a face-down card with a hatched back; `x` is its left edge (pixels)."""
    width, height = CARD_SIZE
    canvas.draw_sprite(x, CARD_TOP, rectangle_outline(width, height))
    inside = tuple(
        sum((column + row) % 4 == 0 and 1 << row for row in range(height - 6))
        for column in range(width - 6)
    )
    canvas.draw_sprite(x + 3, CARD_TOP + 3, inside)


def draw_card_edge(canvas: Canvas, x: int) -> None:
    """Draw a card that is being turned over, seen from its edge; `x` is its left edge (pixels)."""
    canvas.draw_sprite(
        x + (CARD_SIZE[0] - EDGE_ON_CARD_WIDTH) // 2,
        CARD_TOP,
        rectangle_outline(EDGE_ON_CARD_WIDTH, CARD_SIZE[1]),
    )


def draw_card_front(
    canvas: Canvas, card: str, x: int = 0, y: int = CARD_TOP, height: int = CARD_SIZE[1]
) -> None:
    """Draw a face-up card with its number or its icon."""
    width, (of, _, value) = CARD_SIZE[0], card.partition(":")
    if of == MOVE:
        _number(canvas, value, x + width // 2, y + height // 2)
    else:
        canvas.draw_sprite(
            x + 4,
            y + (height - 7 * ICON_SCALE) // 2,
            card_or_criminal_icon_sprite(value if of == ARREST else of, ICON_SCALE),
        )
    canvas.draw_sprite(x, y, rectangle_outline(width, height))


def _number(canvas: Canvas, n: str, x: int, y: int) -> None:
    for at, digit in enumerate(n):
        left = x - 7 * len(n) + 14 * at + 1
        canvas.draw_sprite(left, y - 16, enlarge_sprite(parse_sprite(DIGITS[digit]), 4))
    canvas.draw_sprite(x - 4, y + 7, card_or_criminal_icon_sprite("go_to"))


def _beside(canvas: Canvas, cues: Cues, words: Words) -> None:
    lead, used = cues[0], 0
    canvas.draw_text(0, 0, lead.clause or "")
    for row in wrap_text(words.fact_title(lead), (128 - TEXT_X) // load_font("medium").width)[:2]:
        canvas.draw_text(used, TEXT_X, row, "medium")
        used += 2
    for text in filter(None, (words.fact_text_below_title(lead), *map(words.fact_text, cues[1:]))):
        for row in wrap_text(text, (128 - TEXT_X) // load_font("small").width)[
            : MAX_TEXT_ROWS - used
        ]:
            canvas.draw_text(used, TEXT_X, row)
            used += 1


def draw_turning_card(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of a card that is turned over: its back, edge, or front with a text."""
    if step == 0:
        draw_card_back(canvas, 0)
    elif step == 1:
        draw_card_edge(canvas, 0)
    elif cues[0].facts["card"] == HUNCH:
        _hunch(canvas, cues, words)
    else:
        draw_card_front(canvas, cues[0].facts["card"])
        _beside(canvas, cues, words)


def _hunch(canvas: Canvas, cues: Cues, words: Words) -> None:
    lead = cues[0]
    canvas.draw_text(0, 0, shorten_text(lead.facts["who"], MAX_NAME_LETTERS))
    canvas.draw_right_aligned_text(0, lead.clause or "")
    cry = words("baretta.hunch")
    large = len(cry) * load_font("double").width <= WIDTH
    canvas.draw_centred_text(1, cry, "double" if large else "tall")
    more = " ".join(filter(None, map(words.fact_text, cues[1:])))
    canvas.draw_wrapped_text(5, more or words("baretta.silence"), 2, centred=True)


def draw_hunch_guess(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of a guess: a card is turned over before its text appears (BA-13)."""
    middle = (128 - CARD_SIZE[0]) // 2
    match step:
        case 0 | 1:
            draw_card_back(canvas, middle)
        case 2:
            draw_card_edge(canvas, middle)
        case 3:
            draw_card_front(canvas, cues[0].facts["card"], middle)
        case _:
            draw_turning_card(canvas, cues, words, step)


def draw_arrested_criminal(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame of an arrest: prison bars come down in front of the criminal (BA-14)."""
    width, height = CARD_SIZE
    canvas.draw_sprite(
        4, CARD_TOP + 11, card_or_criminal_icon_sprite(cues[0].facts["criminal"], ICON_SCALE)
    )
    down = height * step // 3
    for x in range(3, width, BAR_DISTANCE):
        canvas.erase_rectangle(x - 1, CARD_TOP, 3, down)
        canvas.draw_sprite(x, CARD_TOP, ((1 << down) - 1,))
    canvas.draw_sprite(0, CARD_TOP, rectangle_outline(width, height))
    _beside(canvas, cues, words)


def draw_assigned_criminals(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw one frame that shows, in a row for each player, the player's criminal (BA-1).

    If the players choose their criminals, draw only the text of the event.
    """
    if not cues[0].facts["seated"]:
        draw_fact_text(canvas, cues, words)
        return
    del step
    canvas.draw_centred_text(0, words.fact_title(cues[0]))
    for row, facts in enumerate((cue.facts for cue in cues), start=2):
        criminal = words(f"baretta.option.accused.{facts['criminal']}")
        canvas.draw_text(row, 0, shorten_text(facts["who"], ROW_LETTERS - len(criminal)))
        canvas.draw_right_aligned_text(row, criminal)


PICTURES: Final[Mapping[str, FactPicture]] = {
    "accused": FactPicture(draw_assigned_criminals),
    "turned": FactPicture(draw_turning_card, lambda _: 3),
    "wounded": FactPicture(draw_turning_card, lambda _: 3),
    "guessed": FactPicture(draw_hunch_guess, lambda _: 5),
    "arrest": FactPicture(draw_arrested_criminal, lambda _: 4),
}
"""Table from an event's name to the animation of this event."""
