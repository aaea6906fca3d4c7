"""Who is who: spellings that are one person, a guest's games given to a name, people forgotten.

The record keeps the name that a game was played with, because its chances are drawn by that name;
everything that is made of the record goes by what is said here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from companion.figures.played import Played

SETTING: Final = "people"
"""Where the record keeps it, among the settings."""
SOMEBODY: Final = ""
"""Whoever was forgotten; the words say it."""
Names: TypeAlias = "Mapping[str, str]"
"""What a name of the record is to be; SOMEBODY if it is forgotten. A name of one game alone stands
as its number, a colon and the name."""


def load_names(settings: Mapping[str, Any]) -> Names:
    """What was said of names, as far as it can be."""
    found = settings.get(SETTING, {})
    pairs = found.items() if isinstance(found, dict) else ()
    return {k: v for k, v in pairs if isinstance(k, str) and isinstance(v, str)}


def with_rename(names: Names, old: str, new: str, game: int | None = None) -> dict[str, str]:
    """From now on `old` is `new`: a rename, a merge, or a guest's one game given to somebody.

    Whoever was `old` by an earlier word is `new` now, too. SOMEBODY as `new` forgets.
    """
    if game is not None:
        return {**names, f"{game}:{old}": new}
    moved = {name: new if to == old else to for name, to in names.items()}
    return {name: to for name, to in {**moved, old: new}.items() if name != to}


def current_name(names: Names, name: str, game: int) -> str:
    """Who a name of a game is now."""
    return names.get(f"{game}:{name}", names.get(name, name))


def with_current_names(games: Iterable[Played], names: Names) -> Iterator[Played]:
    """The games with everybody as they are called now.

    Two players of one game that would have one name keep those that they played with.
    """
    if not names:
        yield from games
        return
    for game in games:
        now = {who: current_name(names, who, game.number) for who in game.players}
        twice = [who for who in now.values() if who != SOMEBODY]
        if len({*twice}) < len(twice):
            now = {who: to if to == SOMEBODY else who for who, to in now.items()}
        yield game._replace(
            players=tuple(now.values()),
            winners=tuple(now[who] for who in game.winners),
            first=now[game.first],
        )
