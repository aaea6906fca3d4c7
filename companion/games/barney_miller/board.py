"""The pieces and the printed board (BM-1 to BM-3): what never changes in a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Seat: TypeAlias = int
Card: TypeAlias = int | None
Hand: TypeAlias = tuple[Card, ...]

TEN: Final = 10
COUNTS: Final = (4, 10, 10, 8, 6, 4, 4, 4, 2, 2, 2)
"""How many cards of each value, 0 to 10, are in the deck (BM-2)."""
DECK: Final = tuple(value for value, count in enumerate(COUNTS) for _ in range(count))
HAND_SIZE: Final = {2: 7, 3: 9, 4: 7}
"""Cards in a hand, by the number of players (BM-3)."""
SUSPECTS: Final = 4

START, GANG = "start", "gang"
IDENTIFICATION, WARRANT = "positive_identification", "arrest_warrant"
INSUFFICIENT = "insufficient_evidence"
KINDS: Final = (START, GANG, IDENTIFICATION, WARRANT, INSUFFICIENT)


class Space(NamedTuple):
    """A space of the track, or what people say of it; `gang` only if it shows one."""

    kind: str
    gang: str | None = None


class Suspect(NamedTuple):
    """A picture on a Wanted poster."""

    id: str
    gang: str


@dataclass(frozen=True)
class Table:
    """What never changes during a game: who plays, how, and on which board."""

    players: tuple[str, ...]
    detectives: tuple[str, ...]
    posters: tuple[tuple[Suspect, ...], ...]
    gangs: tuple[str, ...]
    track: tuple[Space, ...] | None
    own: bool
    real_die: bool

    def left_of(self, seat: Seat) -> Seat:
        """The seat to the left, clockwise."""
        return (seat + 1) % len(self.players)


def table_of(
    players: tuple[str, ...], options: Mapping[str, str], edition: Mapping[str, Any]
) -> Table:
    """The table that `players` sit down at; `edition` as in edition.toml."""
    posters = _posters(players, edition["poster"])
    taught = options["track"] == "edition" and edition["track"]
    return Table(
        players=players,
        detectives=tuple(poster["detective"] for poster in posters),
        posters=tuple(suspects(poster) for poster in posters),
        gangs=tuple(gang["id"] for gang in edition["gang"]),
        track=tuple(space_of(name) for name in edition["track"]) if taught else None,
        own=options["deck"] == "own",
        real_die=options["die"] == "real",
    )


def _posters(players: tuple[str, ...], printed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each player's poster: the own one if the player has a detective's name, else the next."""
    named = {poster["detective"].casefold(): poster for poster in printed}
    free = iter([p for p in printed if p["detective"].casefold() not in map(str.casefold, players)])
    return [named.pop(player.casefold(), {}) or next(free) for player in players]


def suspects(poster: Mapping[str, Any]) -> tuple[Suspect, ...]:
    """The pictures on a poster of the edition; ids are the detective's and the gang's names."""
    who, gangs = poster["detective"].casefold(), poster["suspects"]
    return tuple(
        Suspect(f"{who}-{gang}" + (f"-{n}" if (n := gangs[:i].count(gang) + 1) > 1 else ""), gang)
        for i, gang in enumerate(gangs)
    )


def space_of(name: str) -> Space:
    """A space by its name in the edition: a kind, or "gang:" and a gang's id."""
    kind, _, gang = name.partition(":")
    return Space(kind, gang or None)
