"""Small signs on a frame that show why the box is silent."""

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
"""Drawing of a crossed-out loudspeaker."""
MOON_SIGN: Final = (
    "..###..",
    ".##....",
    "##.....",
    "##.....",
    "##....#",
    ".######",
    "..####.",
)
"""Drawing of a moon, the sign for the quiet hours."""
SIGN_MARGIN: Final = 2
"""Number of empty columns (pixels) on both sides of a sign."""
SEARCHED_ROWS: Final = (0, DISPLAY_PAGES - 1, *range(1, DISPLAY_PAGES - 1))
"""Rows in the order in which a free place for the sign is searched: title, legend, other rows."""


def _columns(art: tuple[str, ...]) -> bytes:
    return bytes(sum((row[x] == "#") << y for y, row in enumerate(art)) for x in range(len(art[0])))


SIGNS: Final = {
    "silent": _columns(MUTE_SIGN),
    "nothing": _columns(MUTE_SIGN),
    "night": _columns(MOON_SIGN),
}
"""Table from a reason why the box is silent (`policy.AudioSettingsAtHour.muted`) to its sign."""


def frame_with_mute_sign(frame: bytes, muted: str) -> bytes:
    """Return the frame with a sign that shows why the box is silent.

    `muted`: the reason; "" adds no sign. The sign is drawn in the rightmost empty place that is
    wide enough. If no place is empty, the sign covers the upper right corner of the picture.
    """
    if muted not in SIGNS:
        return frame
    for ground in (0x00, 0xFF):  # draw the sign lit on dark pixels, or dark on lit pixels
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
