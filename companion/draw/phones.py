"""Frames that help to connect a phone: a QR code, its text, and the connected phones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from companion.draw.canvas import Canvas, Point, wrap_text
from companion.draw.parts import ROW_LETTERS
from companion.say.words import Words
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

SQUARE_SIDE: Final = 8 * DISPLAY_PAGES
"""Side of the lit square behind a QR code, in pixels."""
MODULE_SIDE: Final = 2
"""Side of a module (one small square of a QR code) in pixels."""
BESIDE_LETTERS: Final = (DISPLAY_WIDTH - SQUARE_SIDE) // 6 - 1
"""Number of small letters in a row beside the QR code's square."""


def link_qr_text_parts(url: str, code: str) -> tuple[str, ...]:
    """Return the text of a link's QR code in three parts: `url` in capitals, "?C=" and `code`.

    In a QR code, a part with only capitals and digits needs about two thirds of the space of a part
    with other characters. If the parts are encoded separately, the QR code has only 25 modules
    (small squares) a side.
    """
    return f"{url.upper()}/", "?C=", code


def wifi_qr_text_parts(name: str, password: str) -> tuple[str, ...]:
    """Return the text of a QR code that joins a Wi-Fi network, split to make the QR code small.

    The name of the network can have up to nine letters, the password up to eight.
    """
    return f"WIFI:S:{name}", ";T:WPA;P:", password, ";;"


@lru_cache(maxsize=2)
def qr_modules(parts: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return a QR code as rows of modules; a dark module is 1."""
    import segno  # noqa: PLC0415 - the library is imported only if a QR code is shown

    # pass a list, so that segno encodes each part separately; its type hints allow only a text
    content: Any = [*parts]
    return tuple(map(bytes, segno.make(content, error="l", boost_error=False, micro=False).matrix))


def wifi_qr_frame(name: str, password: str, at: int, of: int, words: Words) -> bytes:
    """Return the frame with the name, the password and the QR code of the box's Wi-Fi network.

    - `at`: the number of this frame among the frames about phones, from 0.
    - `of`: the number of frames about phones.
    """
    canvas = Canvas()
    draw_qr_code(canvas, qr_modules(wifi_qr_text_parts(name, password)))
    left = SQUARE_SIDE + 6
    for row, text in enumerate(wrap_text(words("box.phones.network"), BESIDE_LETTERS)[:3]):
        canvas.draw_text(row, left, text)
    canvas.draw_text(3, left, name)
    canvas.draw_text(5, left, password)
    canvas.draw_text(7, left, f"{at + 1}/{of}")
    canvas.draw_right_aligned_text(7, "▲▼")
    return canvas.frame


def link_qr_frame(url: str | None, code: str, at: int, of: int, words: Words) -> bytes:
    """Return the frame with the QR code of the phone page's address, and with the join code.

    - `url`: the address. If `url` is None, the frame states that there is no page yet.
    - `code`: the join code.
    - `at`: the number of this frame among the frames about phones, from 0.
    - `of`: the number of frames about phones.
    """
    canvas = Canvas()
    if url is None:
        canvas.draw_text(0, 0, words("box.page.phones"))
        canvas.draw_wrapped_text(2, words("box.phones.waiting"), 3)
        canvas.draw_text(6, 0, words("box.phones.code", code=code))
        canvas.draw_text(7, 0, words("box.legend.phones"))
    else:
        draw_qr_code(canvas, qr_modules(link_qr_text_parts(url, code)))
        left = SQUARE_SIDE + 6
        for row, text in enumerate(wrap_text(words("box.phones.scan"), BESIDE_LETTERS)[:4]):
            canvas.draw_text(row, left, text)
        canvas.draw_text(4, left, code, "medium")
        canvas.draw_text(7, left, f"{at + 1}/{of}")
        canvas.draw_right_aligned_text(7, "▲▼")
    return canvas.frame


def typed_address_frame(links: tuple[str | None, ...], code: str, words: Words) -> bytes:
    """Return the frame for a phone that cannot scan: the box's addresses, and the code to type."""
    canvas = Canvas()
    canvas.draw_text(0, 0, words("box.page.phones"))
    here = [link.lower().removeprefix("http://") for link in links if link]
    used = 1 + canvas.draw_wrapped_text(
        1, words("box.phones.type" if here else "box.phones.waiting"), 2
    )
    for text in here:
        for row in wrap_text(text, ROW_LETTERS)[: 6 - used]:
            canvas.draw_centred_text(used, row)
            used += 1
    canvas.draw_text(6, 0, words("box.phones.code", code=code))
    canvas.draw_text(7, 0, words("box.legend.phones"))
    return canvas.frame


def phone_status_frame(name: str, at: int, of: int, words: Words, *, is_here: bool) -> bytes:
    """Return the frame that shows whether a player's phone is connected.

    - `name`: the player's name.
    - `at`: the number of this frame among the frames about phones, from 0.
    - `of`: the number of frames about phones.
    """
    canvas = Canvas()
    canvas.draw_text(0, 0, words("box.page.phones"))
    canvas.draw_right_aligned_text(0, f"{at + 1}/{of}")
    canvas.draw_centred_text(2, name[:16], "medium")
    canvas.draw_wrapped_text(
        4, words("box.phones.known" if is_here else "box.phones.gone"), 2, centred=True
    )
    canvas.draw_text(7, 0, words("box.legend.known_phone"))
    return canvas.frame


def hidden_qr_code_frame(words: Words) -> bytes:
    """Return the frame that viewers outside the room see instead of the QR code."""
    canvas = Canvas()
    canvas.draw_text(0, 0, words("box.page.phones"))
    canvas.draw_wrapped_text(3, words("box.phones.covered"), 3, centred=True)
    return canvas.frame


def draw_qr_code(canvas: Canvas, rows: tuple[bytes, ...], module: int = MODULE_SIDE) -> None:
    """Draw a dark QR code on a lit square.

    Each module of the code is `module` pixels wide and high.
    """
    margin = (SQUARE_SIDE - module * len(rows)) // 2
    for page in range(DISPLAY_PAGES):
        canvas.copy_columns(page, 0, b"\xff" * SQUARE_SIDE)
    dark: list[Point] = [
        (margin + module * x + dx, margin + module * y + dy)
        for y, row in enumerate(rows)
        for x, lit in enumerate(row)
        if lit
        for dx in range(module)
        for dy in range(module)
    ]
    canvas.set_pixels(dark, lit=False)
