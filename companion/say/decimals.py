"""Decimal numbers as text: with a decimal point in English, with a comma in French."""

from __future__ import annotations

from typing import Final

DECIMAL_POINTS: Final = {"en": ".", "fr": ","}


def format_decimal(value: float, language: str, form: str = ".1f") -> str:
    """Return a number as people write numbers in a language.

    - `form`: a format specification of Python, such as ".1f".
    """
    return format(value, form).replace(".", DECIMAL_POINTS[language])
