"""The table from recorded names to present names, for renamed, merged and forgotten players.

The record keeps the recorded name, because the game's chance depends on the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from companion.figures.played import GameStatistics

NAMES_SETTING: Final = "people"
"""Key of the setting that stores the table of names."""
FORGOTTEN_NAME: Final = ""
"""Present name of a forgotten player; sentences show the word "somebody" instead."""
Names: TypeAlias = "Mapping[str, str]"
"""Table from recorded names to present names.

A forgotten player has the present name FORGOTTEN_NAME. For a name that changes in one game only,
the key is "NUMBER:NAME" with the number of the game.
"""


def load_name_table(settings: Mapping[str, Any]) -> Names:
    """Return the saved table of names, without its invalid entries."""
    saved = settings.get(NAMES_SETTING, {})
    pairs = saved.items() if isinstance(saved, dict) else ()
    return {k: v for k, v in pairs if isinstance(k, str) and isinstance(v, str)}


def name_table_with_rename(
    names: Names, old: str, new: str, game: int | None = None
) -> dict[str, str]:
    """Return the table of names after renaming the player `old` to `new`.

    If `new` is the name of another player, the two players are merged. If `new` is FORGOTTEN_NAME,
    the player is forgotten.

    game: number of the only game to change; None means all games.
    """
    if game is not None:
        return {**names, f"{game}:{old}": new}
    moved = {name: new if to == old else to for name, to in names.items()}
    return {name: to for name, to in {**moved, old: new}.items() if name != to}


def current_name(names: Names, name: str, game: int) -> str:
    """Return the present name of the player whose recorded name in game `game` is `name`."""
    return names.get(f"{game}:{name}", names.get(name, name))


def games_with_current_names(
    games: Iterable[GameStatistics], names: Names
) -> Iterator[GameStatistics]:
    """Yield the games with the present names of their players.

    If two players of a game have equal present names, the players of this game keep their recorded
    names.
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
