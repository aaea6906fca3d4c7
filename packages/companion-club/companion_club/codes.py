"""The alphabet of an evening's code, which players type to join."""

from __future__ import annotations

from typing import Final

CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of a code, without those that look like digits."""
CODE_LENGTH: Final = 6
