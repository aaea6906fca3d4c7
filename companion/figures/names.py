"""Renamed, merged and forgotten players: a table from recorded names to present names.

The record keeps the name under which a game was played, because the game's chance depends on it.
All statistics use the present names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from companion.figures.played import GameStatistics

NAMES_SETTING: Final = "people"
"""Name of the setting that stores the table."""
FORGOTTEN_NAME: Final = ""
"""The present name of a forgotten player; sentences say "somebody"."""
Names: TypeAlias = "Mapping[str, str]"
"""Present names by recorded name; SOMEBODY if the player is forgotten.

A name in one game only has the key "NUMBER:NAME".
"""


def load_names(settings: Mapping[str, Any]) -> Names:
    """Return the saved table of names, without invalid entries."""
    saved = settings.get(NAMES_SETTING, {})
    pairs = saved.items() if isinstance(saved, dict) else ()
    return {k: v for k, v in pairs if isinstance(k, str) and isinstance(v, str)}


def with_rename(names: Names, old: str, new: str, game: int | None = None) -> dict[str, str]:
    """Return the table after `old` is renamed to `new`, in all games or in `game` only.

    If `new` is the name of another player, both players are merged. Names that stood for `old`
    stand for `new` afterwards. SOMEBODY as `new` forgets the player.
    """
    if game is not None:
        return {**names, f"{game}:{old}": new}
    moved = {name: new if to == old else to for name, to in names.items()}
    return {name: to for name, to in {**moved, old: new}.items() if name != to}


def current_name(names: Names, name: str, game: int) -> str:
    """Return the present name of a player, given a game and the recorded name."""
    return names.get(f"{game}:{name}", names.get(name, name))


def with_current_names(games: Iterable[GameStatistics], names: Names) -> Iterator[GameStatistics]:
    """Yield the games with the present names of players.

    If two players of a game would get the same name, both keep their recorded names.
    """
    if not names:
        yield from games
        return
    for game in games:
        now = {who: current_name(names, who, game.number) for who in game.players}
        twice = [who for who in now.values() if who != FORGOTTEN_NAME]
        if len({*twice}) < len(twice):
            now = {who: to if to == FORGOTTEN_NAME else who for who, to in now.items()}
        yield game._replace(
            players=tuple(now.values()),
            winners=tuple(now[who] for who in game.winners),
            first=now[game.first],
        )
