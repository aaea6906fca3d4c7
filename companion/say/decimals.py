"""Numbers with a decimal point in English and a comma in French; programs always read a point."""

from __future__ import annotations

from typing import Final

POINTS: Final = {"en": ".", "fr": ","}


def decimal(value: float, language: str, form: str = ".1f") -> str:
    """Return a number as people write it in a language; `form` is a format specification."""
    return format(value, form).replace(".", POINTS[language])
