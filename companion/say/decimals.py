"""Numbers with a decimal point in English and a comma in French; programs always read a point."""

from __future__ import annotations

from typing import Final

DECIMAL_POINTS: Final = {"en": ".", "fr": ","}


def format_decimal(value: float, language: str, form: str = ".1f") -> str:
    """Return a number as people write it in a language; `form` is a format specification."""
    return format(value, form).replace(".", DECIMAL_POINTS[language])
