"""Frames that connect a phone: a QR code, its text in letters, and the connected phones."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from companion.draw.canvas import Canvas, wrap
from companion.draw.parts import COLUMNS
from hardware.ports import PAGES, WIDTH

if TYPE_CHECKING:
    from companion.draw.canvas import Point
    from companion.say.words import Words

SIDE: Final = 8 * PAGES
"""The side of the lit square behind a QR code, in pixels."""
MODULE: Final = 2
"""The side of a module in pixels."""
BESIDE: Final = (WIDTH - SIDE) // 6 - 1
"""The small letters beside the square."""


def target(url: str, code: str) -> tuple[str, ...]:
    """Return the text of the QR code in the parts that take the fewest modules: 25 a side at most.

    Capitals and digits take half of the room of other characters; the question mark is another one.
    """
    return f"{url.upper()}/", "?C=", code


def wifi(name: str, password: str) -> tuple[str, ...]:
    """Return the text of the QR code that joins a network, in parts like `target`.

    The name may have nine letters, the password eight.
    """
    return f"WIFI:S:{name}", ";T:WPA;P:", password, ";;"


@lru_cache(maxsize=2)
def modules(parts: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return a QR code as rows of modules, 1 where dark."""
    import segno  # noqa: PLC0415 - only where one is shown

    # each part in its own mode, although the library's type hints require one text
    content: Any = [*parts]
    return tuple(map(bytes, segno.make(content, error="l", boost_error=False, micro=False).matrix))


def network(name: str, password: str, at: int, of: int, words: Words) -> bytes:
    """Return the frame with the QR code of the box's network, and its name and password."""
    canvas = Canvas()
    square(canvas, modules(wifi(name, password)))
    left = SIDE + 6
    for row, text in enumerate(wrap(words("box.phones.network"), BESIDE)[:3]):
        canvas.text(row, left, text)
    canvas.text(3, left, name)
    canvas.text(5, left, password)
    canvas.text(7, left, f"{at + 1}/{of}")
    canvas.right(7, "▲▼")
    return canvas.frame


def scan(url: str | None, code: str, at: int, of: int, words: Words) -> bytes:
    """Return the frame with the QR code and its text; without an address, what is missing."""
    canvas = Canvas()
    if url is None:
        canvas.text(0, 0, words("box.page.phones"))
        canvas.lines(2, words("box.phones.waiting"), 3)
        canvas.text(6, 0, words("box.phones.code", code=code))
        canvas.text(7, 0, words("box.legend.phones"))
    else:
        square(canvas, modules(target(url, code)))
        left = SIDE + 6
        for row, text in enumerate(wrap(words("box.phones.scan"), BESIDE)[:4]):
            canvas.text(row, left, text)
        canvas.text(4, left, code, "medium")
        canvas.text(7, left, f"{at + 1}/{of}")
        canvas.right(7, "▲▼")
    return canvas.frame


def typing_page(links: tuple[str | None, ...], code: str, words: Words) -> bytes:
    """Draw the page for a phone that cannot scan: the addresses and the code to type."""
    canvas = Canvas()
    canvas.text(0, 0, words("box.page.phones"))
    here = [link.lower().removeprefix("http://") for link in links if link]
    used = 1 + canvas.lines(1, words("box.phones.type" if here else "box.phones.waiting"), 2)
    for text in here:
        for row in wrap(text, COLUMNS)[: 6 - used]:
            canvas.centre(used, row)
            used += 1
    canvas.text(6, 0, words("box.phones.code", code=code))
    canvas.text(7, 0, words("box.legend.phones"))
    return canvas.frame


def phone(name: str, at: int, of: int, words: Words, *, is_here: bool) -> bytes:
    """Draw one of the phones that have a seat, and whether it is connected."""
    canvas = Canvas()
    canvas.text(0, 0, words("box.page.phones"))
    canvas.right(0, f"{at + 1}/{of}")
    canvas.centre(2, name[:16], "medium")
    canvas.lines(4, words("box.phones.known" if is_here else "box.phones.gone"), 2, centred=True)
    canvas.text(7, 0, words("box.legend.known_phone"))
    return canvas.frame


def covered_page(words: Words) -> bytes:
    """Return the frame without the code, for viewers outside the room."""
    canvas = Canvas()
    canvas.text(0, 0, words("box.page.phones"))
    canvas.lines(3, words("box.phones.covered"), 3, centred=True)
    return canvas.frame


def square(canvas: Canvas, rows: tuple[bytes, ...], module: int = MODULE) -> None:
    """Draw a lit square with the dark modules in its middle, `module` pixels each."""
    margin = (SIDE - module * len(rows)) // 2
    for page in range(PAGES):
        canvas.fill(page, 0, b"\xff" * SIDE)
    dark: list[Point] = [
        (margin + module * x + dx, margin + module * y + dy)
        for y, row in enumerate(rows)
        for x, lit in enumerate(row)
        if lit
        for dx in range(module)
        for dy in range(module)
    ]
    canvas.plot(dark, lit=False)
