"""Barney Miller's cards, posters and printed board (BM-1 to BM-3)."""

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
"""Number of cards of each value in the deck, for the values 0 to 10 (BM-2)."""
CARD_VALUES: Final = tuple(range(len(CARD_COUNTS)))
DECK: Final = tuple(value for value, count in enumerate(CARD_COUNTS) for _ in range(count))
HAND_SIZE: Final = {2: 7, 3: 9, 4: 7}
"""Table from the number of players to the number of cards in a hand (BM-3)."""
SUSPECTS_PER_POSTER: Final = 4

START, GANG = "start", "gang"
IDENTIFICATION, WARRANT = "positive_identification", "arrest_warrant"
INSUFFICIENT_EVIDENCE = "insufficient_evidence"
UNKNOWN: Final = "unknown"
"""Kind of a space, or gang of a suspect, that the box does not know (BM-14)."""


class TrackSpace(NamedTuple):
    """A space of the track: its kind, and the gang's id if the kind is GANG."""

    kind: str
    gang: str | None = None


class Suspect(NamedTuple):
    """A suspect on a Wanted poster: the suspect's id, and the gang's id."""

    id: str
    gang: str


class WantedPoster(NamedTuple):
    """A Wanted poster of a detective, with four suspects."""

    detective: str
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True)
class TableSetup:
    """Data of a game that change rarely or never: players, options and board.

    - `printed`: all posters of the edition.
    - `desks`: the posters at the players' desks, by seat.
    - `deals_on` is True if cards that lie aside are dealt before all 56 cards are shuffled (BM-11).
    """

    players: tuple[str, ...]
    printed: tuple[WantedPoster, ...]
    desks: tuple[WantedPoster, ...]
    gangs: tuple[str, ...]
    track: tuple[TrackSpace, ...] | None
    own: bool
    real_die: bool
    pressed: bool
    deals_on: bool

    @property
    def detectives(self) -> tuple[str, ...]:
        """Return the names of the players' detectives, by seat."""
        return tuple([poster.detective for poster in self.desks])

    def next_seat_clockwise(self, seat: Seat) -> Seat:
        """Return the number of the next seat clockwise."""
        return (seat + 1) % len(self.players)

    def with_detectives(self, picked: Mapping[str, str]) -> TableSetup:
        """Return a copy of the table with the detectives that players chose.

        Players without a choice get the remaining detectives.
        """
        return replace(self, desks=_desks(self.players, self.printed, picked))


def make_table_setup(
    players: tuple[str, ...], options: Mapping[str, str], edition: Edition
) -> TableSetup:
    """Return the Table of a new game, with its players, options and board.

    `edition`: the parsed file edition.toml.
    """
    printed = tuple(
        WantedPoster(p["detective"], parse_poster_suspects(p)) for p in edition["poster"]
    )
    taught = options["track"] == "edition" and edition["track"]
    return TableSetup(
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
    players: tuple[str, ...], printed: tuple[WantedPoster, ...], picked: Mapping[str, str]
) -> tuple[WantedPoster, ...]:
    """Return each player's poster: the poster of the chosen detective, or a free poster (BM-1)."""
    of = {poster.detective: poster for poster in printed}
    wanted = tuple(picked.get(player, player) for player in players)
    return tuple(of[detective] for detective in assign_detectives(wanted, tuple(of)))


def assign_detectives(picked: Sequence[str], printed: Sequence[str]) -> tuple[str, ...]:
    """Return each seat's detective (BM-1).

    If the name in `picked` is a detective's name, the seat gets this detective. All other seats get
    the free detectives in order.
    """
    wanted = [name.casefold() for name in picked]
    of = {detective.casefold(): detective for detective in printed}
    free = iter([detective for name, detective in of.items() if name not in wanted])
    return tuple(of.pop(name) if name in of else next(free) for name in wanted)


def set_suspect_gang(table: TableSetup, seat: Seat, n: int, gang: str) -> TableSetup:
    """Return a copy of the table in which a suspect has another gang (BM-14).

    `n`: index of the suspect on the poster of `seat`.
    """
    before = table.desks[seat]
    gangs = [suspect.gang for suspect in before.suspects]
    gangs[n] = gang
    desk = before._replace(
        suspects=parse_poster_suspects({"detective": before.detective, "suspects": gangs})
    )
    printed = tuple(desk if poster == before else poster for poster in table.printed)
    desks = tuple(desk if poster == before else poster for poster in table.desks)
    return replace(table, printed=printed, desks=desks)


def available_detectives(table: TableSetup, seat: Seat) -> tuple[str, ...]:
    """Return the names of the detectives that a seat can choose.

    Return () if the player's name is a detective's name (BM-1).
    """
    names = [detective.casefold() for detective in table.detectives]
    keeps = [i < seat or table.players[i].casefold() == name for i, name in enumerate(names)]
    if keeps[seat]:
        return ()
    taken = [name for name, is_kept in zip(names, keeps, strict=True) if is_kept]
    return tuple(p.detective for p in table.printed if p.detective.casefold() not in taken)


def parse_poster_suspects(poster: Mapping[str, Any]) -> tuple[Suspect, ...]:
    """Return the suspects on a poster of the edition.

    A suspect's id consists of the detective's name and the gang's id, such as `fish-caps`.
    """
    who, gangs = poster["detective"].casefold(), poster["suspects"]
    return tuple(
        Suspect(f"{who}-{gang}" + (f"-{n}" if (n := gangs[:i].count(gang) + 1) > 1 else ""), gang)
        for i, gang in enumerate(gangs)
    )


def parse_space(name: str) -> TrackSpace:
    """Return a Space from its text in the edition: a kind, or "gang:" and a gang's id."""
    kind, _, gang = name.partition(":")
    return TrackSpace(kind, gang or None)
