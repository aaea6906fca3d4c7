"""Two games for the tests of faces: `tiny` without a face, `broken` with a faulty one."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import pytest

from companion.catalog import registry
from companion.say import sentences as lookup

TINY: Final = {
    "name": "Tiny",
    "ask.colour": "{who}: which colour?",
    "ask.hide": "{who}: hide one",
    "ask.add": "{who} adds",
    "option.colour.red": "red",
    "option.colour.blue": "blue",
    "cue.added.title": "{total}",
    "cue.added.speech": "{who} adds {n}.",
    "cue.won.title": "{WHO} WINS",
    "rule.TI-1": "Whoever reaches ten wins.",
    "view.to_act": "turn",
}
"""All the sentences of the tiny game."""


class Catalogue(gettext.NullTranslations):
    """A catalogue with the sentences of a test."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__()
        self._sentences = sentences

    def gettext(self, message: str) -> str:
        """Return the sentence of a key, or the key."""
        return self._sentences.get(message, message)


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    own, module, shipped = ("tiny", "broken"), registry.game_module_name, lookup._catalogue
    sentences = {f"{game}.{key}": text for game in own for key, text in TINY.items()}
    for missing in ("name", "ask.colour"):
        del sentences[f"broken.{missing}"]
    monkeypatch.setattr(registry, "BUILT_IN_GAMES", (*registry.BUILT_IN_GAMES, *own))
    monkeypatch.setattr(
        registry,
        "game_module_name",
        lambda game: f"tests.faces.{game}" if game in own else module(game),
    )

    @cache
    def catalogue(language: str, name: str) -> Any:
        return Catalogue(sentences) if name in own else shipped(language, name)

    monkeypatch.setattr(lookup, "_catalogue", catalogue)
