"""The pieces, the cards and the printed board of Kojak (KO-1 to KO-4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from companion.core.game import Edition

Seat: TypeAlias = int
Colour: TypeAlias = str
Card: TypeAlias = str
"""A mission card is its file's colour; a trap card is `kojak`, `lose_turn`, or an order with a
colour or `all`: `advance:COLOUR:STEPS`, `back:COLOUR:STEPS`, `stay:COLOUR`, `to_red:COLOUR`."""
Pile: TypeAlias = tuple[Card | None, ...]
"""Face-down cards, top card first; None: a card that the box does not know yet."""

COLOURS: Final[tuple[Colour, ...]] = ("red", "yellow", "blue", "green")
PLACES: Final = ("bank", "city_hall", "club", "hotel")
MISSION_CARD_COUNT, TRAP_CARD_COUNT = 16, 20
MAX_STEPS = 9
"""Highest number of fields that a trap card moves a criminal."""
KOJAK, LOSE_TURN = "kojak", "lose_turn"
ADVANCE, BACK, STAY, TO_RED = "advance", "back", "stay", "to_red"
ALL_CRIMINALS = "all"
"""Value for a trap card that moves every free criminal, instead of a colour."""
UNKNOWN: Final = "unknown"
"""Kind of a field that no player has described yet as red or not (KO-22)."""
DOT_FIELD, PLAIN_FIELD, RED_FIELD = "dot", "plain", "red"
"""Kinds of the fields of a circle; field 0 is the dot, where the criminal starts."""

Stage: TypeAlias = Literal["to_mission", "to_place", "to_station", "hunting"]
"""A detective's stage: going to a mission, to the file's place, to the station, or hunting."""
TO_MISSION: Final[Stage] = "to_mission"
TO_PLACE: Final[Stage] = "to_place"
TO_STATION: Final[Stage] = "to_station"
HUNTING: Final[Stage] = "hunting"
STAGES: Final = (TO_MISSION, TO_PLACE, TO_STATION, HUNTING)


@dataclass(frozen=True)
class Table:
    """The data that rarely change during a game: players, options, board and cards.

    Tuples about files are in the order of COLOURS. `missions` and `traps`: the number of cards of
    each name. `cars`: the colours of the players' cars, by seat. `at_once`: a parked car posts its
    warrant at once if the file has a posted warrant (KO-12). `picking`: True if the players choose
    their cars. `unknown`: fields that no player has described yet (KO-22). `printed`: index of each
    file in the edition.
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
    def seats(self) -> range:
        """Return all seats, clockwise."""
        return range(len(self.players))

    def driving(self, seat: Seat, colour: Colour) -> Table:
        """Return the table where `seat` drives the cars of `colour`.

        The player who drove these cars gets the cars of `seat`. Source: KO-3.
        """
        before = self.cars[seat]
        swapped = tuple(before if car == colour else car for car in self.cars)
        return replace(self, cars=(*swapped[:seat], colour, *swapped[seat + 1 :]))


def make_table(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> Table:
    """Return the players, options, board and cards of a new game as a Table.

    `edition`: the parsed file edition.toml.
    """
    files = sorted(edition["file"], key=lambda file: COLOURS.index(file["colour"]))
    return Table(
        players=players,
        places=tuple(file["place"] for file in files),
        sizes=tuple(len(file["circle"]) for file in files),
        reds=tuple(red_fields(file["circle"]) for file in files),
        missions=mission_cards(edition),
        traps=trap_cards(edition),
        cars=tuple(edition.get("cars", COLOURS))[: len(players)],
        own=options["deck"] == "own",
        die=options["die"],
        short=options["short"] == "yes",
        at_once=options["beside"] == "at_once",
        picking=options.get("cars") == "choose",
        unknown=tuple(red_fields(file["circle"], UNKNOWN) for file in files),
        printed=tuple(map(edition["file"].index, files)),
    )


def red_fields(circle: list[str], of: str = RED_FIELD) -> tuple[int, ...]:
    """Return the fields of a circle that are red, or that are of the kind `of`.

    The dot of a circle is field 0 (KO-4).
    """
    return tuple(field for field, kind in enumerate(circle) if kind == of)


def mission_cards(edition: Edition) -> tuple[tuple[Card, int], ...]:
    """Return the number of mission cards of each colour."""
    counts = {file["colour"]: file["missions"] for file in edition["file"]}
    return tuple((colour, counts[colour]) for colour in COLOURS)


def trap_cards(edition: Edition) -> tuple[tuple[Card, int], ...]:
    """Return the number of trap cards of each name, Kojak cards first."""
    orders = {file["colour"]: file["traps"] for file in edition["file"]}
    orders[ALL_CRIMINALS] = edition.get("all", [])
    ordinary = (
        (order_card(colour, printed), orders[colour].count(printed))
        for colour in (*COLOURS, ALL_CRIMINALS)
        for printed in sorted(set(orders[colour]), key=lambda order: (order == RED_FIELD, order))
    )
    lost = edition.get("lose_turn", 0)
    return ((KOJAK, edition["kojak"]), *ordinary, *(((LOSE_TURN, lost),) if lost else ()))


def order_card(colour: Colour, printed: int | str) -> Card:
    """Return the name of a trap card. `printed`: fields (0: stay, negative: back), or "red"."""
    if printed == RED_FIELD:
        return f"{TO_RED}:{colour}"
    steps = int(printed)
    if not steps:
        return f"{STAY}:{colour}"
    return f"{ADVANCE if steps > 0 else BACK}:{colour}:{abs(steps)}"


def unshuffled_deck(cards: tuple[tuple[Card, int], ...]) -> Pile:
    """Return every card of a pile, unshuffled."""
    return tuple(name for name, count in cards for _ in range(count))


def named_colour(card: Card) -> str:
    """Return the colour that a trap card names, or "all".

    For the cards "kojak" and "lose_turn", which name no colour, return the card's name.
    """
    _, _, names = card.partition(":")
    return names.partition(":")[0] or card


def parse_trap_card(name: Card) -> dict[str, Any]:
    """Return the parts of a trap card: its kind, its colour, and the number of fields."""
    kind, *rest = name.split(":")
    card: dict[str, Any] = {"kind": kind, **dict(zip(("colour", "steps"), rest, strict=False))}
    return {**card, "steps": int(card["steps"])} if "steps" in card else card
