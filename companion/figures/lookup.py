"""What the box shows of its figures, looked up as a whole: everybody, or one game's rarest fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.figures.rare import rarest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.figures.group import Day, Group
    from companion.figures.people import Person
    from companion.figures.played import Played
    from companion.figures.rare import RareFact
    from companion.figures.shelf import Shelf


class PeopleReport(NamedTuple):
    """Whoever finished a game, who played most first, and the table as a whole.

    `counted` is by name, game and figure; `hardest` has words and the letters asked for them;
    `days` are those on which the records of the table were played, by the game's number.
    """

    people: tuple[Person, ...]
    counted: Mapping[str, Mapping[tuple[str, str], int]]
    group: Group
    hardest: tuple[tuple[str, int], ...]
    year_ago: tuple[Played, ...]
    days: Mapping[int, Day]


class Remark(NamedTuple):
    """What there is to say of the game of that number; None: nothing."""

    number: int
    fact: RareFact | None


def people_report(
    shelf: Shelf, now: int, day: Callable[[int], Day], tell: Callable[[int], None]
) -> PeopleReport:
    """All of it; `now` in seconds since 1970, the rest as for `Shelf`. Raises JournalError."""
    people = shelf.people(tell)
    group = shelf.group(day, tell)
    records = (one for best in group.records.values() for one in best if one is not None)
    return PeopleReport(
        people,
        {one.name: shelf.tally_of(one.name) for one in people},
        group,
        (*shelf.hardest(),),
        (*shelf.a_year_before(now, day),),
        {one.number: day(one.begun) for one in records},
    )


def rarest_fact_of(shelf: Shelf, number: int) -> Remark:
    """The rarest fact of a game that is over. Raises JournalError."""
    games = shelf.games()
    game = next(one for one in games if one.number == number)
    before = [one for one in games if one.number != number]
    return Remark(number, rarest(game, before))
