"""Wrappers for a game's face (its drawing functions), which replace a failing function.

If a function of the face fails, its wrapper calls a default function, and reports the failure to a
listener. A face can be third-party code, and its errors must not end a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from companion.core.game import Cue
from companion.draw import default_face
from companion.draw.canvas import Canvas
from companion.draw.face import DEFAULT_FACE, Face, FactPicture, StandingPages, load_face
from companion.say.facts import FactPresentation
from hardware.ports import DISPLAY_PAGES, DISPLAY_WIDTH

P = ParamSpec("P")
T = TypeVar("T")
DEFAULT_FACT_PRESENTATION: Final = FactPresentation(variant=lambda _: None, cites=lambda *_: ())
"""The row whose functions replace failing functions of a row in a game's table of events.

With these functions, an event has no variants, and *Why?* shows no additional clauses.
"""
TEXT_TYPES: Final = (str,)
OPTIONAL_TEXT_TYPES: Final = (str, type(None))


RESULT_TYPES_BY_FUNCTION: Final[Mapping[Any, tuple[type, ...]]] = {
    default_face.one_picture_by_default: (int,),
    default_face.one_page_by_default: (int,),
    default_face.first_fact_of_picture: (Cue,),
    default_face.draw_standing_page: TEXT_TYPES,
    default_face.never_needs_confirmation: (bool,),
    default_face.read_active_player: OPTIONAL_TEXT_TYPES,
    default_face.running_total_text: TEXT_TYPES,
    default_face.spoken_state_sentences: (tuple, list),
    default_face.spoken_secret_sentences: (tuple, list),
    default_face.no_board_sentences: (tuple, list),
    DEFAULT_FACE.fields: (dict,),
    DEFAULT_FACE.label: OPTIONAL_TEXT_TYPES,
    DEFAULT_FACE.printed_names: (dict,),
    DEFAULT_FACE.glossary: (tuple,),
    DEFAULT_FACT_PRESENTATION.variant: OPTIONAL_TEXT_TYPES,
    DEFAULT_FACT_PRESENTATION.cites: (tuple,),
}
"""Table from a default function to the valid types of its result.

If a game's function returns a result of another type, the default replaces the game's function.
"""
CLEARED_ROW_BY_FUNCTION: Final[Mapping[Any, int]] = {
    default_face.draw_question: 0,
    default_face.draw_secret: 1,
    default_face.draw_state_or_result: 0,
    default_face.draw_past_answer: 0,
    default_face.draw_standing_page: 0,
    default_face.draw_facts_as_text: 0,
}
"""Table from a default drawing function to the first row (8 pixels high) to clear before its call.

Clearing removes the pixels that the game's failed drawing function has drawn.
"""
FACE_DEFAULT_BY_TYPE: Final[Mapping[type, Any]] = {
    FactPresentation: DEFAULT_FACT_PRESENTATION,
    FactPicture: FactPicture(),
}
"""Table from the type of a value in a face to the value with the default functions."""


class FaceFailureListener(Protocol):
    """A function that is called if a function of a face fails, or if the face cannot be loaded."""

    def __call__(self, part: str, error: Exception) -> None:
        """Receive the name of the failed function, and its error.

        `part`: the name of a field of `Face`, with the key if the field is a table, as in
        `pictures['captured']`; or "face" if the game's face could not be loaded.
        """


def load_face_with_fallbacks(game: str, slipped: FaceFailureListener) -> Face:
    """Return a game's face, in which a default replaces each function that fails.

    Return DEFAULT_FACE if the face cannot be loaded. `slipped` is called for each failure.
    """

    def load(name: str) -> Face:
        return face_with_fallbacks(load_face(name), slipped)

    return function_with_fallback("face", load, lambda name: DEFAULT_FACE, (Face,), slipped)(game)  # noqa: ARG005


def face_with_fallbacks(face: Face, slipped: FaceFailureListener) -> Face:
    """Return the face with every function wrapped by `function_with_fallback`."""
    guard = partial(_guarded, slipped=slipped)
    return replace(
        face,
        **{
            part.name: guard(part.name, getattr(face, part.name), getattr(DEFAULT_FACE, part.name))
            for part in fields(face)
        },
    )


def _guarded(part: str, own: Any, plain: Any, *, slipped: FaceFailureListener) -> Any:
    guard = partial(_guarded, part, slipped=slipped)
    match own:
        case StandingPages() | FactPicture():
            return type(own)(*map(guard, own, plain))
        case FactPresentation(variant=variant, cites=cites):
            variant, cites = guard(variant, plain.variant), guard(cites, plain.cites)
            return own._replace(variant=variant, cites=cites)
        case Mapping():
            return {
                name: _guarded(
                    f"{part}[{name!r}]", one, FACE_DEFAULT_BY_TYPE.get(type(one)), slipped=slipped
                )
                for name, one in own.items()
            }
        case _ if callable(own):
            instead = (
                _afresh(plain, CLEARED_ROW_BY_FUNCTION[plain])
                if plain in CLEARED_ROW_BY_FUNCTION
                else plain
            )
            return function_with_fallback(
                part, own, instead, RESULT_TYPES_BY_FUNCTION.get(plain, (object,)), slipped
            )
        case _:
            return own


def function_with_fallback(
    part: str,
    do: Callable[P, T],
    instead: Callable[P, T],
    kinds: tuple[type, ...],
    slipped: FaceFailureListener,
) -> Callable[P, T]:
    """Return a function that calls `do`. If `do` fails, the function calls `instead`.

    - `part`: the name of `do` in the report of a failure.
    - `kinds`: the valid types of a result. A result of another type is a failure too.
    - `slipped`: the listener that receives each failure.
    """

    def attempted(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            result = do(*args, **kwargs)
            if not isinstance(result, kinds):
                raise TypeError(f"{result!r} is none of {', '.join(k.__name__ for k in kinds)}")  # noqa: TRY301
        except Exception as error:  # noqa: BLE001 - a third-party face can raise any exception, and the game must continue
            slipped(part, error)
        else:
            return result
        return instead(*args, **kwargs)

    return attempted


def _afresh(
    draw: Callable[Concatenate[Canvas, P], T], page: int = 0
) -> Callable[Concatenate[Canvas, P], T]:
    def drawn(canvas: Canvas, /, *args: P.args, **kwargs: P.kwargs) -> T:
        canvas.erase_rectangle(0, 8 * page, DISPLAY_WIDTH, 8 * (DISPLAY_PAGES - page))
        return draw(canvas, *args, **kwargs)

    return drawn
