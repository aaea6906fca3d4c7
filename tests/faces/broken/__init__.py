"""The tiny game with a face in which nothing works."""

from __future__ import annotations

from tests.faces import tiny

GAME = tiny.GAME._replace(name="broken")
