"""A faulty face: drawing is incomplete, other functions raise or return nonsense."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from companion.draw.canvas import Canvas
from companion.draw.face import Face, FactPicture, StandingPages
from companion.say.facts import FactPresentation


def half(canvas: Canvas, *_: Any) -> NoReturn:
    """Draw an incomplete frame."""
    canvas.draw_text(3, 0, "HALF DRAWN", "medium")
    canvas.draw_text(8, 0, "below the display")
    raise AssertionError


def nothing(*_: Any, **__: Any) -> NoReturn:
    """Raise an unexpected exception."""
    raise RecursionError("no end of it")


def nonsense(*_: Any, **__: Any) -> Any:
    """Return a value of a wrong type."""
    return 1977.5


FACE: Final = Face(
    body=half,
    secret=half,
    standing=half,
    pages=StandingPages(nonsense, half),
    pictures={"added": FactPicture(half, nonsense)},
    facts={
        "added": FactPresentation(sound="accepted", addressed=True, variant=nothing, cites=nonsense)
    },
    fields=nonsense,
    label=nonsense,
    printed_names=nothing,
    to_act=nothing,
)
