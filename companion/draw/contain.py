"""A guard around a game's face: a failing function is reported, and its default is used.

A face may be third-party code, and its mistakes must not end a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from companion.draw import plain
from companion.draw.face import PLAIN, Face, Pages, Picture, face_of
from companion.say.facts import Fact
from hardware.ports import PAGES, WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.draw.canvas import Canvas

P = ParamSpec("P")
T = TypeVar("T")
SAYS_NO_MORE: Final = Fact(way=lambda _: None, cites=lambda *_: ())
"""The default for a row of facts: one wording, cited by the fact's own clause."""
TEXT: Final = (str,)
PERHAPS_TEXT: Final = (str, type(None))


GIVES: Final[Mapping[Any, tuple[type, ...]]] = {
    plain.one_step: (int,),
    plain.one_page: (int,),
    plain.page: TEXT,
    plain.grave: (bool,),
    plain.to_act: PERHAPS_TEXT,
    plain.total: TEXT,
    plain.survey: (tuple, list),
    plain.whisper: (tuple, list),
    plain.board: (tuple, list),
    PLAIN.fields: (dict,),
    PLAIN.label: PERHAPS_TEXT,
    PLAIN.printed_names: (dict,),
    PLAIN.glossary: (tuple,),
    SAYS_NO_MORE.way: PERHAPS_TEXT,
    SAYS_NO_MORE.cites: (tuple,),
}
"""Types that the functions of a face must return, by their defaults."""
AFRESH: Final[Mapping[Any, int]] = {
    plain.body: 0,
    plain.secret: 1,
    plain.standing: 0,
    plain.retell: 0,
    plain.page: 0,
    plain.moment: 0,
}
"""The row from which the canvas is cleared before a default drawing replaces a failed one."""
ROWS: Final[Mapping[type, Any]] = {Fact: SAYS_NO_MORE, Picture: Picture()}
"""Defaults for values in a face's tables, by type."""


class Slipped(Protocol):
    """A listener for failures of a face."""

    def __call__(self, part: str, error: Exception) -> None:
        """Receive the failed part: a field of `Face`, or "face" if no face could be loaded."""


def contained_face(game: str, slipped: Slipped) -> Face:
    """Return a game's face with every function guarded; PLAIN if the face cannot be loaded."""

    def load(name: str) -> Face:
        return contain_face(face_of(name), slipped)

    return attempt("face", load, lambda name: PLAIN, (Face,), slipped)(game)  # noqa: ARG005


def contain_face(face: Face, slipped: Slipped) -> Face:
    """Return the face with every function guarded: a failure calls `slipped`, then the default."""
    guard = partial(_guarded, slipped=slipped)
    return replace(
        face,
        **{
            part.name: guard(part.name, getattr(face, part.name), getattr(PLAIN, part.name))
            for part in fields(face)
        },
    )


def _guarded(part: str, own: Any, plain: Any, *, slipped: Slipped) -> Any:
    """Return a part of a face with every function in it guarded; `plain` is its default."""
    guard = partial(_guarded, part, slipped=slipped)
    match own:
        case Pages(count, draw):
            return Pages(guard(count, plain.count), guard(draw, plain.draw))
        case Picture(draw, steps):
            return Picture(guard(draw, plain.draw), guard(steps, plain.steps))
        case Fact(way=way, cites=cites):
            way, cites = guard(way, plain.way), guard(cites, plain.cites)
            return own._replace(way=way, cites=cites)
        case Mapping():
            return {
                name: _guarded(f"{part}[{name!r}]", one, ROWS.get(type(one)), slipped=slipped)
                for name, one in own.items()
            }
        case _ if callable(own):
            instead = _afresh(plain, AFRESH[plain]) if plain in AFRESH else plain
            return attempt(part, own, instead, GIVES.get(plain, (object,)), slipped)
        case _:
            return own


def attempt(
    part: str,
    do: Callable[P, T],
    instead: Callable[P, T],
    kinds: tuple[type, ...],
    slipped: Slipped,
) -> Callable[P, T]:
    """Return a function that calls `do`, and `instead` if `do` fails.

    A result of a type other than `kinds` is a failure. A failure is reported to `slipped`.
    """

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
    """Return a drawing function that first clears the canvas from that row on."""

    def drawn(canvas: Canvas, /, *args: P.args, **kwargs: P.kwargs) -> T:
        canvas.erase(0, 8 * page, WIDTH, 8 * (PAGES - page))
        return draw(canvas, *args, **kwargs)

    return drawn
