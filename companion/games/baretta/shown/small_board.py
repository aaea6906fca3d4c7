"""Drawing of Baretta's board as a small square, with an arrow that points at the selected space."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from companion.core.snapshot import Snapshot
from companion.draw.canvas import Canvas, Sprite, parse_sprite, unaccented_capital
from companion.games.baretta.rules.board import SIDE_LENGTH
from companion.games.baretta.shown.art import ARROWS, LETTERS, SPACE_PICTURES

PASS_ANSWER: Final = "pass"  # noqa: S105 - no password
SPACE_PIXELS: Final = 6
"""Distance (pixels) between neighbouring spaces of the small board."""


@cache
def space_sprite(name: str) -> Sprite:
    """Return the picture `name` of SPACE_PICTURES as a sprite."""
    return parse_sprite(SPACE_PICTURES[name])


@cache
def marker_letter_sprite(name: str) -> Sprite:
    """Return the picture of `name`, the letter or digit that is drawn for a player's markers."""
    return parse_sprite(LETTERS[name])


@cache
def marker_letter_by_player(players: tuple[str, ...]) -> dict[str, str]:
    """Return a table from each player to the letter that is drawn for this player's markers.

    The letter is the first letter of the player's name. If several players have the same first
    letter, these players get other letters of their names, or the numbers of their seats.
    """
    firsts = [unaccented_capital(name[:1]) for name in players]
    initials = zip(players, firsts, strict=True)
    chosen = {
        name: first for name, first in initials if firsts.count(first) == 1 and first in LETTERS
    }
    for seat, name in enumerate(players, start=1):
        others = (letter for letter in map(unaccented_capital, name) if letter in LETTERS)
        free = (letter for letter in others if letter not in chosen.values())
        chosen.setdefault(name, next(free, str(seat)))
    return chosen


def space_content_sprite(space_id: str, snapshot: Snapshot) -> Sprite:
    """Return the picture of a space's content, such as Baretta, a marker's letter, or a card.

    If a corner, the Hideout or a shortcut space is empty, return the picture of this space.
    """
    space = snapshot.view["spaces"][space_id]
    if space_id == snapshot.view["baretta"]:
        return space_sprite("baretta")
    if space["marker"] is not None:
        return marker_letter_sprite(marker_letter_by_player(snapshot.players)[space["marker"]])
    if space["kind"] != "outside":
        return space_sprite(space["kind"])
    return space_sprite({None: "empty", "down": "down"}.get(space["card"], "up"))


def draw_small_board(
    canvas: Canvas, snapshot: Snapshot, ends: Sequence[str] = (), under: str = PASS_ANSWER
) -> None:
    """Draw the small board in the display's rows 0 to 5.

    `ends`: ids of the spaces that get a tick, such as the possible ends of a move.

    `under`: id of the space under the cursor, which gets an arrow instead of a tick.
    """
    spaces = snapshot.view["spaces"]
    for space_id, space in spaces.items():
        draw_sprite_centred_in_cell(
            canvas, *_corner_of(space["at"]), space_content_sprite(space_id, snapshot)
        )
    for space_id in ends:
        if space_id != PASS_ANSWER:
            _point(canvas, "arrow" if space_id == under else "tick", spaces[space_id]["at"])
    here = snapshot.view["baretta"]
    draw_sprite_centred_in_cell(
        canvas, *_corner_of(spaces[here]["at"]), space_content_sprite(here, snapshot)
    )


def draw_sprite_centred_in_cell(canvas: Canvas, x: int, y: int, drawing: Sprite) -> None:
    """Draw a picture in the middle of a cell of 5 x 5 pixels.

    If the picture is larger than the cell, first erase the pixels that the picture will cover.
    """
    inset = (5 - len(drawing)) // 2
    if inset < 0:
        canvas.erase_rectangle(x + inset, y + inset, len(drawing), len(drawing))
    canvas.draw_sprite(x + inset, y + inset, drawing)


def _corner_of(at: Sequence[float]) -> tuple[int, int]:
    """Return the pixel (x, y) at the top left of a space on the small board."""
    below = (at[1] > SIDE_LENGTH / 2) / 3
    return round(1 + SPACE_PIXELS * at[0]), round(SPACE_PIXELS * at[1] + below)


def _point(canvas: Canvas, sign: str, at: Sequence[float]) -> None:
    """Draw an arrow or a tick beside a space: inside the path, or along a shortcut."""
    x, y = _corner_of(at)
    way, inner = _way(*at), min(at) > 0 and max(at) < SIDE_LENGTH
    match way:
        case "up":
            _mark(canvas, sign, way, x, y + (7 if inner else 8))
        case "down":
            _mark(canvas, sign, way, x, y - 5)
        case "left":
            _mark(canvas, sign, way, x + 7, y)
        case _:
            _mark(canvas, sign, way, x - 5, y)


def _way(column: float, row: float) -> str:
    if row in (0, SIDE_LENGTH):
        return "up" if row == 0 else "down"
    if column in (0, SIDE_LENGTH):
        return "left" if column == 0 else "right"
    if abs(column - SIDE_LENGTH / 2) < abs(row - SIDE_LENGTH / 2):
        return "right" if column < SIDE_LENGTH / 2 else "left"
    return "down" if row < SIDE_LENGTH / 2 else "up"


def _mark(canvas: Canvas, sign: str, way: str, x: int, y: int) -> None:
    drawing = parse_sprite(ARROWS[way])
    if sign == "arrow":
        canvas.erase_rectangle(x - 1, y - 1, len(drawing) + 2, 10 - len(drawing))
        canvas.draw_sprite(x, y, drawing)
    elif way in ("up", "down"):
        canvas.draw_sprite(x + 1, y + (way == "down") * 2, (1, 1, 1))
    else:
        canvas.draw_sprite(x + (way == "right") * 2, y + 1, (7,))
