"""`companion games`: what is in the box, and what is left out."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from companion.catalog import registry
from companion.catalog.packages import Outside, load
from companion.catalog.registry import NAMES
from companion.cmd.tongue import said, wrong
from companion.core.errors import LeftOut
from companion.say.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.game import Game

OURS: Final = "tabletop-companion"


def games(language: str) -> list[dict[str, Any]]:
    """Every game, built in or of a package, as `--json` shows it.

    `name`, `title`, `package`, `version`; `seats`, the fewest and the most players, and `api` are
    None for a game that is left out: `ok` is false then, and `why` is the reason, an Explained.
    """
    words, own = Words(language), version(OURS)
    built_in = [_row(Outside(name, "", OURS, own), registry.find(name), words) for name in NAMES]
    return [*built_in, *(_of_package(found, words) for found in registry.outside())]


def _of_package(found: Outside, words: Words) -> dict[str, Any]:
    """The row of a package's game, which is tried: it may have changed since the last look."""
    try:
        return _row(found, load(found) if found.why is None else None, words)
    except LeftOut as error:
        return _row(found._replace(why=error.why), None, words)


def _row(found: Outside, game: Game[Any] | None, words: Words) -> dict[str, Any]:
    return {
        "name": found.name,
        "title": words.called(found.name) if game else found.name,
        "version": found.version,
        "package": found.package,
        "seats": [game.seats[0], game.seats[-1]] if game else None,
        "api": game.api if game else None,
        "ok": game is not None,
        "why": found.why,
    }


def as_json(found: Sequence[dict[str, Any]]) -> str:
    """The list for programs, which are told a reason in English."""
    return json.dumps(found, ensure_ascii=False, indent=2, default=str)


def line(game: dict[str, Any]) -> str:
    """A game for people."""
    origin = f"{game['package']} {game['version']}"
    if not game["ok"]:
        text = said("games.left_out", why=wrong(game["why"]), origin=origin)
    else:
        few, most = game["seats"]
        text = said("games.line", title=game["title"], few=few, most=most, origin=origin)
    return f"{game['name']:<16}{text}"
