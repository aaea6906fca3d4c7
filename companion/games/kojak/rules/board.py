"""Kojak's pieces, cards and printed board (KO-1 to KO-4).

In Kojak, a case file has a colour, a place, a criminal, and the circle on which the criminal walks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from companion.core.game import Edition

Seat: TypeAlias = int
Colour: TypeAlias = str
Card: TypeAlias = str
"""Name of a card.

A mission card has the name of its case file's colour. A trap card has the name `kojak`,
`lose_turn`, `advance:COLOUR:STEPS`, `back:COLOUR:STEPS`, `stay:COLOUR` or `to_red:COLOUR`. COLOUR
can also be `all`.
"""
Pile: TypeAlias = tuple[Card | None, ...]
"""Pile of face-down cards, top card first; None is a card that the box does not know."""

COLOURS: Final[tuple[Colour, ...]] = ("red", "yellow", "blue", "green")
PLACES: Final = ("bank", "city_hall", "club", "hotel")
MISSION_CARD_COUNT, TRAP_CARD_COUNT = 16, 20
MAX_TRAP_CARD_STEPS = 9
"""Maximum number of fields that a trap card can move a criminal."""
KOJAK, LOSE_TURN = "kojak", "lose_turn"
ADVANCE, BACK, STAY, TO_RED = "advance", "back", "stay", "to_red"
ALL_COLOURS = "all"
"""Word in place of a colour on a trap card that moves every criminal who is not arrested."""
UNKNOWN_FIELD: Final = "unknown"
"""Kind of a field if the box does not know whether the field is red (KO-22)."""
DOT_FIELD, PLAIN_FIELD, RED_FIELD = "dot", "plain", "red"
"""Kinds of a circle's fields; a criminal starts on the dot, which is field 0."""

Stage: TypeAlias = Literal["to_mission", "to_place", "to_station", "hunting"]
"""Stage of a detective. The detective drives to the mission space, to the crime's place or to the
station, or hunts the criminal.
"""
TO_MISSION_STAGE: Final[Stage] = "to_mission"
TO_PLACE_STAGE: Final[Stage] = "to_place"
TO_STATION_STAGE: Final[Stage] = "to_station"
HUNTING_STAGE: Final[Stage] = "hunting"
STAGES: Final = (TO_MISSION_STAGE, TO_PLACE_STAGE, TO_STATION_STAGE, HUNTING_STAGE)


@dataclass(frozen=True)
class TableSetup:
    """Setup of a game, which changes rarely or never: players, options, board and cards.

    - `places`, `sizes`, `reds`: for each case file, its place, its circle's number of fields, and
      the numbers of the red fields. Tuples about case files are in the order of COLOURS.
    - `missions`, `traps`: pairs of a card name and the number of cards with this name.
    - `cars`: the colour of each player's cars, by seat.
    - `at_once` is True if a detective posts a warrant instead of parking when another warrant is
      posted for the case file (KO-12).
    - `own` is True if the players use real cards.
    - `die`: value of the option `die`.
    - `short` is True if the first arrest wins (KO-19).
    - `picking` is True if the players choose their cars.
    - `unknown`: for each case file, the numbers of the fields whose kind the box does not know
      (KO-22).
    - `printed`: for each case file, its index in the edition file.
    """

    players: tuple[str, ...]
    places: tuple[str, ...]
    sizes: tuple[int, ...]
    reds: tuple[tuple[int, ...], ...]
    missions: tuple[tuple[Card, int], ...]
    traps: tuple[tuple[Card, int], ...]
    cars: tuple[Colour, ...]
    own: bool
    die: str
    short: bool
    at_once: bool
    picking: bool
    unknown: tuple[tuple[int, ...], ...]
    printed: tuple[int, ...]

    @property
    def all_seats(self) -> range:
        """Return the numbers of all seats, clockwise."""
        return range(len(self.players))

    def with_assigned_car_colour(self, seat: Seat, colour: Colour) -> TableSetup:
        """Return a copy of the setup in which `seat` drives the cars of `colour` (KO-3).

        If another player drove the cars of `colour`, this player gets the old cars of `seat`.
        """
        before = self.cars[seat]
        swapped = tuple(before if car == colour else car for car in self.cars)
        return replace(self, cars=(*swapped[:seat], colour, *swapped[seat + 1 :]))


def make_table_setup(
    players: tuple[str, ...], options: Mapping[str, str], edition: Edition
) -> TableSetup:
    """Return the setup of a new game, from its players, options and edition.

    `edition`: the parsed file `edition.toml`.
    """
    files = sorted(edition["file"], key=lambda file: COLOURS.index(file["colour"]))
    return TableSetup(
        players=players,
        places=tuple(file["place"] for file in files),
        sizes=tuple(len(file["circle"]) for file in files),
        reds=tuple(field_numbers_of_kind(file["circle"]) for file in files),
        missions=mission_card_counts(edition),
        traps=trap_card_counts(edition),
        cars=tuple(edition.get("cars", COLOURS))[: len(players)],
        own=options["deck"] == "own",
        die=options["die"],
        short=options["short"] == "yes",
        at_once=options["beside"] == "at_once",
        picking=options.get("cars") == "choose",
        unknown=tuple(field_numbers_of_kind(file["circle"], UNKNOWN_FIELD) for file in files),
        printed=tuple(map(edition["file"].index, files)),
    )


def field_numbers_of_kind(circle: list[str], of: str = RED_FIELD) -> tuple[int, ...]:
    """Return the numbers of the fields of `circle` with the kind `of`, by default red fields."""
    return tuple(field for field, kind in enumerate(circle) if kind == of)


def mission_card_counts(edition: Edition) -> tuple[tuple[Card, int], ...]:
    """Return pairs (case file's colour, number of its mission cards)."""
    counts = {file["colour"]: file["missions"] for file in edition["file"]}
    return tuple((colour, counts[colour]) for colour in COLOURS)


def trap_card_counts(edition: Edition) -> tuple[tuple[Card, int], ...]:
    """Return pairs (trap card name, number of cards with this name), Kojak cards first."""
    orders = {file["colour"]: file["traps"] for file in edition["file"]}
    orders[ALL_COLOURS] = edition.get("all", [])
    ordinary = (
        (trap_card_name(colour, printed), orders[colour].count(printed))
        for colour in (*COLOURS, ALL_COLOURS)
        for printed in sorted(set(orders[colour]), key=lambda order: (order == RED_FIELD, order))
    )
    lost = edition.get("lose_turn", 0)
    return ((KOJAK, edition["kojak"]), *ordinary, *(((LOSE_TURN, lost),) if lost else ()))


def trap_card_name(colour: Colour, printed: int | str) -> Card:
    """Return the name of the trap card that gives the order `printed` to the criminal of `colour`.

    `printed`: number of fields (0: stay, negative: back), or "red": walk to the next red field.
    """
    if printed == RED_FIELD:
        return f"{TO_RED}:{colour}"
    steps = int(printed)
    if not steps:
        return f"{STAY}:{colour}"
    return f"{ADVANCE if steps > 0 else BACK}:{colour}:{abs(steps)}"


def unshuffled_deck(cards: tuple[tuple[Card, int], ...]) -> Pile:
    """Return all cards of a pile in the order of `cards`, which are pairs (card name, number)."""
    return tuple(name for name, count in cards for _ in range(count))


def colour_on_trap_card(card: Card) -> str:
    """Return the colour of the criminal whom a trap card names, or "all".

    For the cards "kojak" and "lose_turn", return the card's name.
    """
    _, _, names = card.partition(":")
    return names.partition(":")[0] or card


def parse_trap_card_name(name: Card) -> dict[str, Any]:
    """Return a table with the parts of a trap card's name.

    The keys are `kind`, and also `colour` and `steps` (number of fields) if the name has these
    parts.
    """
    kind, *rest = name.split(":")
    card: dict[str, Any] = {"kind": kind, **dict(zip(("colour", "steps"), rest, strict=False))}
    return {**card, "steps": int(card["steps"])} if "steps" in card else card
