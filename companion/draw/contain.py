"""A game's face behind a guard: whatever fails in it is told, and its default does instead.

A face is anybody's code, and no slip of its author's may end an evening.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, Protocol, TypeVar

from companion.draw import plain
from companion.draw.face import PLAIN, Face, Pages, Picture, face_of
from hardware import PAGES, WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.draw.canvas import Canvas

P = ParamSpec("P")
T = TypeVar("T")
TEXT: Final = (str,)
PERHAPS_TEXT: Final = (str, type(None))


class Slipped(Protocol):
    """Is told which part of a face has failed, and how."""

    def __call__(self, part: str, error: Exception) -> None:
        """`part` is a field of `Face`, or "face" if there is none to be had."""


def contained_face(game: str, slipped: Slipped) -> Face:
    """That game's face, each function of it behind a guard; PLAIN if it can not be had."""

    def load(name: str) -> Face:
        return contained(face_of(name), slipped)

    return attempt("face", load, lambda name: PLAIN, (Face,), slipped)(game)  # noqa: ARG005


def contained(face: Face, slipped: Slipped) -> Face:
    """The same face, but where a function of it fails, `slipped` is told and its default does."""
    pictures = {
        fact: Picture(
            attempt(f"pictures[{fact!r}]", draw, _afresh(plain.moment), (object,), slipped),
            attempt(f"pictures[{fact!r}]", steps, plain.one_step, (int,), slipped),
        )
        for fact, (draw, steps) in face.pictures.items()
    }
    pages = Pages(
        attempt("pages", face.pages.count, plain.one_page, (int,), slipped),
        attempt("pages", face.pages.draw, _afresh(plain.page), TEXT, slipped),
    )
    return replace(
        face,
        body=attempt("body", face.body, _afresh(plain.body), (object,), slipped),
        secret=attempt("secret", face.secret, _afresh(plain.secret, 1), (object,), slipped),
        standing=attempt("standing", face.standing, _afresh(plain.standing), (object,), slipped),
        pages=pages,
        pictures=pictures,
        variant=attempt("variant", face.variant, PLAIN.variant, TEXT, slipped),
        facts=attempt("facts", face.facts, PLAIN.facts, (dict,), slipped),
        rulings=attempt("rulings", face.rulings, PLAIN.rulings, (tuple,), slipped),
        glossary=attempt("glossary", face.glossary, PLAIN.glossary, (tuple,), slipped),
        label=attempt("label", face.label, PLAIN.label, PERHAPS_TEXT, slipped),
        grave=attempt("grave", face.grave, PLAIN.grave, (bool,), slipped),
        to_act=attempt("to_act", face.to_act, PLAIN.to_act, PERHAPS_TEXT, slipped),
    )


def attempt(
    part: str,
    do: Callable[P, T],
    instead: Callable[P, T],
    kinds: tuple[type, ...],
    slipped: Slipped,
) -> Callable[P, T]:
    """Call `do`; if it fails, or gives nothing of these `kinds`, tell of it and call `instead`."""

    def attempted(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            found = do(*args, **kwargs)
            if not isinstance(found, kinds):
                raise TypeError(f"{found!r} is none of {', '.join(k.__name__ for k in kinds)}")  # noqa: TRY301
        except Exception as error:  # noqa: BLE001 - whatever others' code raises, the box goes on
            slipped(part, error)
        else:
            return found
        return instead(*args, **kwargs)

    return attempted


def _afresh(
    draw: Callable[Concatenate[Canvas, P], T], page: int = 0
) -> Callable[Concatenate[Canvas, P], T]:
    """Draw on a clean sheet from that row on: what was half drawn is gone."""

    def drawn(canvas: Canvas, /, *args: P.args, **kwargs: P.kwargs) -> T:
        canvas.erase(0, 8 * page, WIDTH, 8 * (PAGES - page))
        return draw(canvas, *args, **kwargs)

    return drawn
