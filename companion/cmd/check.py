"""`companion check GAME`: what the kit that proves a game finds, a line a property.

The lines are in the language of the machine. What is found under one is a programmer's, about names
in the code, and stands in English, as the game's own tests print it.
"""

from __future__ import annotations

from collections import defaultdict
from gettext import gettext
from typing import TYPE_CHECKING, Any, Final

from companion import testing
from companion.cmd.tongue import said

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.game import Game
    from companion.testing import Finding

SHOWN: Final = 5
"""So many findings of a property are shown; the others are mostly the same again."""


def check(
    game: Game[Any], edition: Mapping[str, Any], games: int, say: Callable[[str], None]
) -> bool:
    """Try every property of a game, and say what is found; whether all are kept."""
    found: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in testing.prove(game, games=games, edition=edition):
        found[finding.property].append(finding)
    tables = len([*testing.tables(game, edition)])
    say(said("check.games", game=game.name, n=games, tables=tables))
    for name, sentence in testing.PROPERTIES.items():
        what = gettext(sentence).removesuffix(".")
        say(said(f"check.property.{'not_' * bool(found[name])}kept", name=name, what=what))
        for finding in found[name][:SHOWN]:
            say(f"  {finding}.")
        if len(found[name]) > SHOWN:
            say(f"  {said('check.more', n=len(found[name]) - SHOWN)}")
    return not any(found.values())
