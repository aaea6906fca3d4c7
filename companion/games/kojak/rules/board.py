"""The pieces and the printed board (KO-1 to KO-4): what never changes in a game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Edition

Seat: TypeAlias = int
Colour: TypeAlias = str
Card: TypeAlias = str
"""A mission card is its file's colour; a trap card is `kojak`, `lose_turn`, or an order with a
colour or `all`: `advance:COLOUR:STEPS`, `back:COLOUR:STEPS`, `stay:COLOUR`, `to_red:COLOUR`."""
Pile: TypeAlias = tuple[Card | None, ...]
"""Cards face down, the top one first; None is a card that the box has not seen yet."""

COLOURS: Final[tuple[Colour, ...]] = ("red", "yellow", "blue", "green")
PLACES: Final = ("bank", "city_hall", "club", "hotel")
MISSIONS, TRAPS = 16, 20
MAX_STEPS = 9
"""Fields that a trap card moves a criminal, at most."""
KOJAK, LOSE_TURN = "kojak", "lose_turn"
ADVANCE, BACK, STAY, TO_RED = "advance", "back", "stay", "to_red"
ALL = "all"
"""In the place of a colour: the card is for every criminal who is still free."""
UNKNOWN: Final = "unknown"
"""A field of a circle of which nobody has said yet whether it is red (KO-22)."""
DOT, PLAIN, RED = "dot", "plain", "red"
"""The fields of a circle; the dot is the first, and the criminals go on from there."""

Stage: TypeAlias = Literal["to_mission", "to_place", "to_station", "hunting"]
"""How far a detective is: on the way to a mission, to the place, to the station; hunting."""
TO_MISSION: Final[Stage] = "to_mission"
TO_PLACE: Final[Stage] = "to_place"
TO_STATION: Final[Stage] = "to_station"
HUNTING: Final[Stage] = "hunting"
STAGES: Final = (TO_MISSION, TO_PLACE, TO_STATION, HUNTING)


@dataclass(frozen=True)
class Table:
    """What only a correction changes in a game: who plays, how, and with which board and cards.

    What belongs to a file stands in the order of COLOURS; `missions` and `traps` say how many
    cards of each name there are; `cars` are the colours of the players' cars. `at_once`: a warrant
    goes beside a posted one without a way to the station (KO-12). `picking`: the players choose
    their cars. `unknown` are the fields of
    which nobody has said yet whether they are red (KO-22), `printed` where each file is in the
    edition.
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
        """All seats, clockwise."""
        return range(len(self.players))

    def driving(self, seat: Seat, colour: Colour) -> Table:
        """The table where a seat has these cars; whoever had them has the seat's (KO-3)."""
        before = self.cars[seat]
        swapped = tuple(before if car == colour else car for car in self.cars)
        return replace(self, cars=(*swapped[:seat], colour, *swapped[seat + 1 :]))


def table_of(players: tuple[str, ...], options: Mapping[str, str], edition: Edition) -> Table:
    """The table that `players` sit down at; `edition` as in edition.toml."""
    files = sorted(edition["file"], key=lambda file: COLOURS.index(file["colour"]))
    return Table(
        players=players,
        places=tuple(file["place"] for file in files),
        sizes=tuple(len(file["circle"]) for file in files),
        reds=tuple(reds(file["circle"]) for file in files),
        missions=mission_cards(edition),
        traps=trap_cards(edition),
        cars=tuple(edition.get("cars", COLOURS))[: len(players)],
        own=options["deck"] == "own",
        die=options["die"],
        short=options["short"] == "yes",
        at_once=options["beside"] == "at_once",
        picking=options.get("cars") == "choose",
        unknown=tuple(reds(file["circle"], UNKNOWN) for file in files),
        printed=tuple(map(edition["file"].index, files)),
    )


def reds(circle: list[str], of: str = RED) -> tuple[int, ...]:
    """The red fields of a circle, or those `of` a kind, counted from the dot, which is 0 (KO-4)."""
    return tuple(field for field, kind in enumerate(circle) if kind == of)


def mission_cards(edition: Edition) -> tuple[tuple[Card, int], ...]:
    """How many mission cards there are of each colour."""
    counts = {file["colour"]: file["missions"] for file in edition["file"]}
    return tuple((colour, counts[colour]) for colour in COLOURS)


def trap_cards(edition: Edition) -> tuple[tuple[Card, int], ...]:
    """How many trap cards there are of each name, Kojak's first."""
    orders = {file["colour"]: file["traps"] for file in edition["file"]}
    orders[ALL] = edition.get("all", [])
    ordinary = (
        (order_of(colour, printed), orders[colour].count(printed))
        for colour in (*COLOURS, ALL)
        for printed in sorted(set(orders[colour]), key=lambda order: (order == RED, order))
    )
    lost = edition.get("lose_turn", 0)
    return ((KOJAK, edition["kojak"]), *ordinary, *(((LOSE_TURN, lost),) if lost else ()))


def order_of(colour: Colour, printed: int | str) -> Card:
    """A trap card as an edition has it: so many fields on, or back below 0; 0 stays; or "red"."""
    if printed == RED:
        return f"{TO_RED}:{colour}"
    steps = int(printed)
    if not steps:
        return f"{STAY}:{colour}"
    return f"{ADVANCE if steps > 0 else BACK}:{colour}:{abs(steps)}"


def deck(cards: tuple[tuple[Card, int], ...]) -> Pile:
    """Every single card, unshuffled."""
    return tuple(name for name, count in cards for _ in range(count))


def whom(card: Card) -> str:
    """Whom a trap card names: a colour, or all; Kojak's and a lost turn stand for themselves."""
    _, _, names = card.partition(":")
    return names.partition(":")[0] or card


def trap_card(name: Card) -> dict[str, Any]:
    """A trap card by its parts: what it does, to whom, by how many fields."""
    kind, *rest = name.split(":")
    card: dict[str, Any] = {"kind": kind, **dict(zip(("colour", "steps"), rest, strict=False))}
    return {**card, "steps": int(card["steps"])} if "steps" in card else card
