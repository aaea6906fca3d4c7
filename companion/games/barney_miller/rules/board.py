"""The cards, the posters and the printed board of Barney Miller (BM-1 to BM-3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias

from companion.core.game import Edition

Seat: TypeAlias = int
Card: TypeAlias = int | None
Hand: TypeAlias = tuple[Card, ...]

TARGET_TOTAL: Final = 10
CARD_COUNTS: Final = (4, 10, 10, 8, 6, 4, 4, 4, 2, 2, 2)
"""Number of cards of each value, 0 to 10, in the deck (BM-2)."""
CARD_VALUES: Final = tuple(range(len(CARD_COUNTS)))
DECK: Final = tuple(value for value, count in enumerate(CARD_COUNTS) for _ in range(count))
HAND_SIZE: Final = {2: 7, 3: 9, 4: 7}
"""Table from the number of players to the number of cards in a hand (BM-3)."""
SUSPECTS_PER_POSTER: Final = 4

START, GANG = "start", "gang"
IDENTIFICATION, WARRANT = "positive_identification", "arrest_warrant"
INSUFFICIENT_EVIDENCE = "insufficient_evidence"
UNKNOWN: Final = "unknown"
"""Value for a space or a suspect's gang that no player has entered yet (BM-14)."""


class Space(NamedTuple):
    """A space of the track: its kind, and its gang if the kind is GANG."""

    kind: str
    gang: str | None = None


class Suspect(NamedTuple):
    """A suspect on a Wanted poster: its id and its gang."""

    id: str
    gang: str


class Poster(NamedTuple):
    """A Wanted poster: its detective, and the four suspects on it."""

    detective: str
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True)
class Table:
    """The data that rarely change during a game: players, options and board.

    `desks`: the players' posters, by seat. `printed`: all posters of the edition. `deals_on`: True
    if cards that were put aside are dealt before all cards are shuffled again (BM-11).
    """

    players: tuple[str, ...]
    printed: tuple[Poster, ...]
    desks: tuple[Poster, ...]
    gangs: tuple[str, ...]
    track: tuple[Space, ...] | None
    own: bool
    real_die: bool
    pressed: bool
    deals_on: bool

    @property
    def detectives(self) -> tuple[str, ...]:
        """Return the detectives by seat."""
        return tuple([poster.detective for poster in self.desks])

    def left_of(self, seat: Seat) -> Seat:
        """Return the next seat clockwise."""
        return (seat + 1) % len(self.players)

    def with_detectives(self, picked: Mapping[str, str]) -> Table:
        """Return the table with the chosen detectives.

        Players who did not choose get the remaining detectives.
        """
        return replace(self, desks=_desks(self.players, self.printed, picked))


def make_table(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> Table:
    """Return the players, options and board of a new game as a Table.

    `edition`: the parsed file edition.toml.
    """
    printed = tuple(Poster(p["detective"], poster_suspects(p)) for p in edition["poster"])
    taught = options["track"] == "edition" and edition["track"]
    return Table(
        players=players,
        printed=printed,
        desks=_desks(players, printed, {}),
        gangs=tuple(gang["id"] for gang in edition["gang"]),
        track=tuple(parse_space(name) for name in edition["track"]) if taught else None,
        own=options["deck"] == "own",
        real_die=options["die"] == "real",
        pressed=options["die"] == "press",
        deals_on=options.get("redeal") == "aside",
    )


def _desks(
    players: tuple[str, ...], printed: tuple[Poster, ...], picked: Mapping[str, str]
) -> tuple[Poster, ...]:
    """Return each player's poster: the chosen one, or the one dealt to the seat (BM-1)."""
    of = {poster.detective: poster for poster in printed}
    wanted = tuple(picked.get(player, player) for player in players)
    return tuple(of[detective] for detective in choose_desks(wanted, tuple(of)))


def choose_desks(picked: Sequence[str], printed: Sequence[str]) -> tuple[str, ...]:
    """Return each seat's detective: the chosen one if it exists, else the next free one (BM-1)."""
    wanted = [name.casefold() for name in picked]
    of = {detective.casefold(): detective for detective in printed}
    free = iter([detective for name, detective in of.items() if name not in wanted])
    return tuple(of.pop(name) if name in of else next(free) for name in wanted)


def with_suspect_gang(table: Table, seat: Seat, n: int, gang: str) -> Table:
    """Return the table with the gang of a player's suspect number `n`, from 0 (BM-14)."""
    before = table.desks[seat]
    gangs = [suspect.gang for suspect in before.suspects]
    gangs[n] = gang
    desk = before._replace(
        suspects=poster_suspects({"detective": before.detective, "suspects": gangs})
    )
    printed = tuple(desk if poster == before else poster for poster in table.printed)
    desks = tuple(desk if poster == before else poster for poster in table.desks)
    return replace(table, printed=printed, desks=desks)


def free_posters(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return the detectives that a seat can choose.

    Return () if the player has the name of a detective (BM-1).
    """
    names = [detective.casefold() for detective in table.detectives]
    keeps = [i < seat or table.players[i].casefold() == name for i, name in enumerate(names)]
    if keeps[seat]:
        return ()
    taken = [name for name, is_kept in zip(names, keeps, strict=True) if is_kept]
    return tuple(p.detective for p in table.printed if p.detective.casefold() not in taken)


def poster_suspects(poster: Mapping[str, Any]) -> tuple[Suspect, ...]:
    """Return the suspects on a poster of the edition; an id consists of detective and gang."""
    who, gangs = poster["detective"].casefold(), poster["suspects"]
    return tuple(
        Suspect(f"{who}-{gang}" + (f"-{n}" if (n := gangs[:i].count(gang) + 1) > 1 else ""), gang)
        for i, gang in enumerate(gangs)
    )


def parse_space(name: str) -> Space:
    """Return a space from its name in the edition: a kind, or "gang:" and a gang's id."""
    kind, _, gang = name.partition(":")
    return Space(kind, gang or None)
