"""A small sign on the frame that shows why the box is silent."""

from __future__ import annotations

from typing import Final

from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

MUTE_SIGN: Final = (
    "...#......",
    "..##.#...#",
    "####..#.#.",
    "####...#..",
    "####..#.#.",
    "..##.#...#",
    "...#......",
)
"""A crossed-out loudspeaker."""
MOON_SIGN: Final = (
    "..###..",
    ".##....",
    "##.....",
    "##.....",
    "##....#",
    ".######",
    "..####.",
)
"""A moon, for the quiet hours."""
SIGN_MARGIN: Final = 2
"""Empty columns on both sides of a sign."""
SEARCHED_ROWS: Final = (0, DISPLAY_PAGES - 1, *range(1, DISPLAY_PAGES - 1))
"""The rows to search for room: the title's, the legend's, then all others."""


def _columns(art: tuple[str, ...]) -> bytes:
    """Return a sign as display memory: one byte per column, bit 0 on top."""
    return bytes(sum((row[x] == "#") << y for y, row in enumerate(art)) for x in range(len(art[0])))


SIGNS: Final = {
    "silent": _columns(MUTE_SIGN),
    "nothing": _columns(MUTE_SIGN),
    "night": _columns(MOON_SIGN),
}
"""The sign for each value of `policy.AudioRules.muted`."""


def add_sign(frame: bytes, muted: str) -> bytes:
    """Return the frame with the sign that shows why the box is mute; `""` adds no sign.

    The sign is as far right as an empty field allows, else in the corner on top of the picture.
    """
    if muted not in SIGNS:
        return frame
    for ground in (0x00, 0xFF):  # on a light ground the sign is dark
        sign = bytes(column ^ ground for column in SIGNS[muted])
        edge = bytes([ground] * SIGN_MARGIN)
        for page in SEARCHED_ROWS:
            start = page * DISPLAY_WIDTH
            row = edge + frame[start : start + DISPLAY_WIDTH] + edge
            x = row.rfind(edge + bytes([ground] * len(sign)) + edge)
            if x >= 0:
                return frame[: start + x] + sign + frame[start + x + len(sign) :]
    corner = bytes(SIGN_MARGIN) + SIGNS[muted]
    return frame[: DISPLAY_WIDTH - len(corner)] + corner + frame[DISPLAY_WIDTH:]
