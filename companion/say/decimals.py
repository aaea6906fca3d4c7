"""Numbers with a point in English, with a comma in French; programs read a point everywhere."""

from __future__ import annotations

from typing import Final

POINTS: Final = {"en": ".", "fr": ","}


def decimal(value: float, language: str, form: str = ".1f") -> str:
    """A number as people write it in a language; `form` as `format` takes it."""
    return format(value, form).replace(".", POINTS[language])
