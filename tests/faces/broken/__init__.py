"""The tiny game with a faulty face."""

from __future__ import annotations

from tests.faces import tiny

GAME = tiny.GAME._replace(name="broken")
