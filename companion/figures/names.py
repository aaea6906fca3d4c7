"""The table of players who were renamed, merged or forgotten after their games were recorded.

The record itself keeps the old names, because a game's random numbers depend on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from companion.figures.game_statistics import GameStatistics

NAMES_SETTING: Final = "people"
"""The key of the setting that stores the table of names."""
FORGOTTEN_NAME: Final = ""
"""The present name of every forgotten player.

In sentences, the word "somebody" replaces this name.
"""
Names: TypeAlias = "Mapping[str, str]"
"""The table from recorded names to present names of players.

A forgotten player has the present name FORGOTTEN_NAME. If a name changes in only one game, the key
of the name is "NUMBER:NAME", where NUMBER is the number of this game.
"""


def load_current_names_table(settings: Mapping[str, Any]) -> Names:
    """Return the table of names from the record's settings, without invalid entries."""
    saved = settings.get(NAMES_SETTING, {})
    pairs = saved.items() if isinstance(saved, dict) else ()
    return {k: v for k, v in pairs if isinstance(k, str) and isinstance(v, str)}


def name_table_after_rename(
    names: Names, old: str, new: str, game: int | None = None
) -> dict[str, str]:
    """Return the table of names with the player `old` renamed to `new`.

    If `new` is the name of another player, the table merges the two players. If `new` is
    FORGOTTEN_NAME, sentences no longer name the player.

    `game`: the number of the only game in which the name changes; None means all games.
    """
    if game is not None:
        return {**names, f"{game}:{old}": new}
    moved = {name: new if to == old else to for name, to in names.items()}
    return {name: to for name, to in {**moved, old: new}.items() if name != to}


def current_player_name(names: Names, name: str, game: int) -> str:
    """Return the present name of the player whose name in the game `game` (a number) is `name`."""
    return names.get(f"{game}:{name}", names.get(name, name))


def games_with_current_names(
    games: Iterable[GameStatistics], names: Names
) -> Iterator[GameStatistics]:
    """Yield the statistics of games with the players' present names instead of the recorded names.

    The name of a forgotten player is always replaced. If two other players of a game have the same
    present name, the game keeps the recorded names of all players who are not forgotten.
    """
    if not names:
        yield from games
        return
    for game in games:
        now = {who: current_player_name(names, who, game.number) for who in game.players}
        twice = [who for who in now.values() if who != FORGOTTEN_NAME]
        if len({*twice}) < len(twice):
            now = {who: to if to == FORGOTTEN_NAME else who for who, to in now.items()}
        yield game._replace(
            players=tuple(now.values()),
            winners=tuple(now[who] for who in game.winners),
            first=now[game.first],
        )
