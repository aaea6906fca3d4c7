"""What was played, for whoever is connected: read beside the box, so that no press waits for it."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Final

from companion.door import messages
from companion.door.lines import Mistake, insist, written
from companion.figures import outside, recorded
from companion.figures.played import Detail
from companion.figures.shelf import Shelf
from companion.record.entry import ODD
from companion.record.journal import Journal, JournalError
from companion.record.reading import FAR
from companion.say.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.door.lines import Message
    from companion.figures.group import Day
    from companion.figures.played import Played

MOST: Final = 100
"""Games that are told at once."""


class Archive:
    """The record at `path`, and its figures at `figures`; it is opened anew for each question.

    `day` says on which day a time is, where the box stands; `wall` gives the time.
    """

    def __init__(
        self, path: Path, figures: Path, day: Callable[[int], Day], wall: Callable[[], int]
    ) -> None:
        self._path, self._figures, self._day, self._wall = path, figures, day, wall

    def told(self, message: Message) -> str:
        """A line: what is asked for, or why it cannot be told."""
        language = "en"
        try:
            with self._open() as (shelf, journal):
                language = journal.settings().get("language", language)
                return written(self._made(shelf, journal, message))
        except Mistake as mistake:
            code, text = mistake.code, Words(language)(f"stdio.{mistake.code}", **mistake.facts)
        except JournalError as error:
            code, text = error.code, Words(language)(f"box.record.{error.code}")
        except (*ODD, OSError) as error:  # the next question is asked in the same thread
            code, text = "unreadable", str(error)
        return written(messages.error(text, code=code))

    def _made(self, shelf: Shelf, journal: Journal, message: Message) -> Message:
        """Raises Mistake or JournalError."""
        if "past" in message:
            return _past(shelf, journal, message["past"])
        if "people" in message:
            insist(message, "people")
            return {"type": "people", "people": _people(shelf)}
        insist(message, "group")
        return self._group(shelf)

    @contextmanager
    def _open(self) -> Iterator[tuple[Shelf, Journal]]:
        with (
            closing(Journal(self._path, beside=True)) as journal,
            closing(Shelf(journal, self._figures)) as shelf,
        ):
            yield shelf, journal

    def _group(self, shelf: Shelf) -> Message:
        """The years of the table, its records, what was played today a year ago, and who plays."""
        found = shelf.group(self._day)
        before = shelf.a_year_before(self._wall(), self._day)
        return {
            "type": "group",
            "years": {str(year): of._asdict() for year, of in found.years.items()},
            "records": {
                game: {name: one and outside.one(one) for name, one in best._asdict().items()}
                for game, best in found.records.items()
            },
            "hardest": [{"word": word, "asked": n} for word, n in shelf.hardest()],
            "a_year_ago": [outside.one(one) for one in before],
            "people": _people(shelf),
        }


def _people(shelf: Shelf) -> list[Any]:
    return [outside.person(one, shelf.counted(one.name)) for one in shelf.people()]


def _past(shelf: Shelf, journal: Journal, wanted: Any) -> Message:
    """A page of the games, the newest first, or one of them. Raises Mistake."""
    numbers = journal.games()
    match wanted:
        case {"game": int(number), **rest} if not rest and type(number) is int:
            if number not in numbers:
                raise Mistake("nothing_there")
            proof = {"proof": recorded.proof(recorded.of(journal, number))}
            shown = _shown(*shelf.of(number)) | outside.chance(journal, number) | proof
            return {"type": "past", "game": shown}
        case {"from": int(first), "n": int(n), **rest} if (
            not rest and type(first) is type(n) is int and first >= 0 and 0 < n <= MOST
        ):
            games = [outside.one(played) for played in _page(shelf, numbers, first, n)]
            return {"type": "past", "games": games, "of": len(numbers)}
        case _:
            raise Mistake("not_so", name="past")


def _page(shelf: Shelf, numbers: list[int], first: int, n: int) -> list[Played]:
    """So many games behind the newest ones."""
    found: list[Played] = []
    before = numbers[first - 1] if 0 < first <= len(numbers) else FAR
    while first < len(numbers) and len(found) < n and (page := shelf.page(before)):
        found += page
        before = page[-1].number
    return found[:n]


def _shown(played: Played, detail: Detail) -> dict[str, Any]:
    """A game in figures; while it is played, no more of it than its place in the list tells."""
    if played.ended is None:
        detail = Detail()
    return outside.shown(played, detail)
