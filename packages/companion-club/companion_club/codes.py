"""The alphabet of the code that players type to join an evening."""

from __future__ import annotations

from typing import Final

CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters that a code can contain, without I and O, because I and O look like digits."""
CODE_LENGTH: Final = 6
