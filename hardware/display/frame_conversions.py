"""Conversions of a frame to lines of characters, rows of pixels, or a PNG file.

A frame has 1,024 bytes. A frame consists of eight pages, which are strips of eight pixel rows. A
page has 128 bytes, one for each column. Bit 0 of a byte is the top pixel of its column.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from itertools import chain, repeat
from typing import Final

from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

HEIGHT: Final = 8 * DISPLAY_PAGES
"""Number of pixel rows of the display."""
MIN_GREY_PANEL_SIZE: Final = (96, 48)
"""Width and height (pixels) of the smallest panel with greys on which a frame is legible."""
SMALLEST_PANELS: Final = {
    "least": f"{DISPLAY_WIDTH}x{HEIGHT}",
    "greys": "{}x{}".format(*MIN_GREY_PANEL_SIZE),
}
"""Sizes of the two smallest panels (one without greys, one with greys), for an error message."""

_HALF_BLOCK_TABLES: Final = tuple(
    "".join(" ▀▄█"[byte >> shift & 3] for byte in range(256)) for shift in range(0, 8, 2)
)
"""Four tables from a frame's byte to a half-block character.

A byte has eight pixels. The characters of the first table show the top two pixels, and the
characters of the last table show the bottom two pixels.
"""


def check_frame_size(frame: bytes) -> bytes:
    """Return `frame` unchanged. Raise ValueError if `frame` does not have a size of 1,024 bytes."""
    if len(frame) != DISPLAY_WIDTH * DISPLAY_PAGES:
        raise ValueError(f"a frame has {DISPLAY_WIDTH * DISPLAY_PAGES} bytes, not {len(frame)}")
    return frame


def _pages(frame: bytes) -> list[bytes]:
    return [
        check_frame_size(frame)[start : start + DISPLAY_WIDTH]
        for start in range(0, DISPLAY_WIDTH * DISPLAY_PAGES, DISPLAY_WIDTH)
    ]


def frame_as_half_block_lines(frame: bytes) -> list[str]:
    """Return `frame` as 32 lines of 128 half-block characters. A character shows two pixels.

    Raise ValueError if `frame` has a wrong size.
    """
    return [
        page.decode("latin-1").translate(half)
        for page in _pages(frame)
        for half in _HALF_BLOCK_TABLES
    ]


def frame_as_braille_lines(frame: bytes) -> list[str]:
    """Return `frame` as 16 lines of 64 braille characters. A character shows eight pixels.

    Raise ValueError if `frame` has a wrong size.
    """
    return [
        "".join(
            _dots(left >> shift, right >> shift)
            for left, right in zip(page[::2], page[1::2], strict=True)
        )
        for page in _pages(frame)
        for shift in (0, 4)
    ]


def _dots(left: int, right: int) -> str:
    """Return a braille character.

    The character's left column shows the low four bits of `left`, and the right column shows the
    low four bits of `right`.
    """
    return chr(0x2800 | left & 7 | (left & 8) << 3 | (right & 7) << 3 | (right & 8) << 4)


def frame_as_pixel_rows(frame: bytes) -> list[list[bool]]:
    """Return `frame` as 64 rows of 128 pixels. A lit pixel is True.

    Raise ValueError if `frame` has a wrong size.
    """
    return [[bool(byte >> bit & 1) for byte in page] for page in _pages(frame) for bit in range(8)]


def encode_frame_as_png(frame: bytes, scale: int = 1) -> bytes:
    """Return `frame` as the bytes of a PNG file, white on black, enlarged by the factor `scale`.

    Raise ValueError if `frame` has a wrong size or `scale` is not positive.
    """
    if scale < 1:
        raise ValueError(f"a pixel is at least 1 wide, not {scale}")
    header = struct.pack(">IIBBBBB", DISPLAY_WIDTH * scale, HEIGHT * scale, 1, 0, 0, 0, 0)
    lines = chain.from_iterable(
        repeat(_scanline(row, scale), scale) for row in frame_as_pixel_rows(frame)
    )
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(b"".join(lines), 9)),
            _chunk(b"IEND", b""),
        )
    )


def _scanline(row: Iterable[bool], scale: int) -> bytes:
    """Return one row of a PNG: the filter byte 0, and one byte for every eight pixels."""
    bits = "".join("01"[lit] * scale for lit in row)
    return b"\0" + int(bits, 2).to_bytes(len(bits) // 8)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
