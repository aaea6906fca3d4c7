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
"""Number of cards of each value from 0 to 10 in the deck (BM-2)."""
CARD_VALUES: Final = tuple(range(len(CARD_COUNTS)))
DECK: Final = tuple(value for value, count in enumerate(CARD_COUNTS) for _ in range(count))
HAND_SIZE_BY_PLAYER_COUNT: Final = {2: 7, 3: 9, 4: 7}
"""Table from the number of players to the number of cards that a player gets in one hand (BM-3)."""
SUSPECTS_PER_POSTER: Final = 4

START, GANG = "start", "gang"
IDENTIFICATION, WARRANT = "positive_identification", "arrest_warrant"
INSUFFICIENT_EVIDENCE = "insufficient_evidence"
UNKNOWN_SPACE_OR_GANG: Final = "unknown"
"""Kind of a space, or gang of a suspect, that the box does not know (BM-14)."""


class TrackSpace(NamedTuple):
    """A space of the track: its kind, and the id of its gang if the kind is GANG."""

    kind: str
    gang: str | None = None


class Suspect(NamedTuple):
    """A suspect on a Wanted poster: the suspect's id, and the id of the suspect's gang."""

    id: str
    gang: str


class WantedPoster(NamedTuple):
    """A Wanted poster of a detective, with four suspects."""

    detective: str
    suspects: tuple[Suspect, ...]


@dataclass(frozen=True)
class TableSetup:
    """Setup of a game, which changes rarely or never: players, options and board.

    - `printed`: all posters of the edition.
    - `desks`: for each seat, the poster at the desk of the seat's player.
    - `gangs`: the ids of the gangs.
    - `track`: the spaces of the track, or None if the box does not know the track.
    - `own` is True if the players use real cards.
    - `real_die` is True if the players use a real die.
    - `pressed` is True if a press of a button rolls the die.
    - `deals_on` is True if the cards that were set aside are dealt before a new shuffle (BM-11).
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
    def detectives_by_seat(self) -> tuple[str, ...]:
        """Return the name of each seat's detective."""
        return tuple([poster.detective for poster in self.desks])

    def next_seat_clockwise(self, seat: Seat) -> Seat:
        """Return the next seat clockwise, even if its player has left."""
        return (seat + 1) % len(self.players)

    def with_chosen_detectives(self, picked: Mapping[str, str]) -> TableSetup:
        """Return a copy of the setup with the detectives that players chose.

        `picked`: table from a player's name to the detective.

        Players without a choice get the remaining detectives.
        """
        return replace(self, desks=_desks(self.players, self.printed, picked))


def make_table_setup(
    players: tuple[str, ...], options: Mapping[str, str], edition: Edition
) -> TableSetup:
    """Return the setup of a new game, from its players, options and edition.

    `edition`: the parsed file `edition.toml`.
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
        track=tuple(parse_track_space(name) for name in edition["track"]) if taught else None,
        own=options["deck"] == "own",
        real_die=options["die"] == "real",
        pressed=options["die"] == "press",
        deals_on=options.get("redeal") == "aside",
    )


def _desks(
    players: tuple[str, ...], printed: tuple[WantedPoster, ...], picked: Mapping[str, str]
) -> tuple[WantedPoster, ...]:
    """Return each player's poster: the chosen detective's poster, or a remaining poster (BM-1)."""
    of = {poster.detective: poster for poster in printed}
    wanted = tuple(picked.get(player, player) for player in players)
    return tuple(of[detective] for detective in assign_detectives(wanted, tuple(of)))


def assign_detectives(picked: Sequence[str], printed: Sequence[str]) -> tuple[str, ...]:
    """Return each seat's detective (BM-1).

    `picked`: a name for each seat. A seat whose name is the name of a detective gets this
    detective. All other seats get the remaining detectives in order.
    """
    wanted = [name.casefold() for name in picked]
    of = {detective.casefold(): detective for detective in printed}
    free = iter([detective for name, detective in of.items() if name not in wanted])
    return tuple(of.pop(name) if name in of else next(free) for name in wanted)


def setup_with_suspect_gang(table: TableSetup, seat: Seat, n: int, gang: str) -> TableSetup:
    """Return a copy of the setup in which a suspect belongs to the gang `gang` (BM-14).

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
    """Return the names of the detectives among whom the player on `seat` can choose (BM-1).

    Return () if the player's name is the name of a detective.
    """
    names = [detective.casefold() for detective in table.detectives_by_seat]
    keeps = [i < seat or table.players[i].casefold() == name for i, name in enumerate(names)]
    if keeps[seat]:
        return ()
    taken = [name for name, is_kept in zip(names, keeps, strict=True) if is_kept]
    return tuple(p.detective for p in table.printed if p.detective.casefold() not in taken)


def parse_poster_suspects(poster: Mapping[str, Any]) -> tuple[Suspect, ...]:
    """Return the suspects on `poster`, a table of the edition.

    A suspect's id consists of the detective's name and the gang's id, such as `fish-caps`.
    """
    who, gangs = poster["detective"].casefold(), poster["suspects"]
    return tuple(
        Suspect(f"{who}-{gang}" + (f"-{n}" if (n := gangs[:i].count(gang) + 1) > 1 else ""), gang)
        for i, gang in enumerate(gangs)
    )


def parse_track_space(name: str) -> TrackSpace:
    """Return a track space from its text in the edition: a kind, or "gang:" and a gang's id."""
    kind, _, gang = name.partition(":")
    return TrackSpace(kind, gang or None)
