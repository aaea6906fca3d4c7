"""The replies to programs' requests about recorded games: `past`, `people` and `group`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from companion.door import messages
from companion.door.lines import (
    InvalidProtocolLineError,
    Message,
    ProtocolRequest,
    message_as_protocol_line,
)
from companion.figures import export_formats, recorded
from companion.figures.game_statistics import GameStatistics, ReplayStatistics
from companion.figures.group import Day
from companion.figures.statistics_cache import StatisticsCache
from companion.record.entry import DAMAGE_ERRORS
from companion.record.journal import Journal, JournalError
from companion.record.reading import ABOVE_EVERY_GAME_NUMBER
from companion.say.words import Words

MAX_GAMES_PER_REPLY: Final = 100
"""The maximum number of games that one reply to `past` lists."""


class RecordRequestHandler:
    """The handler of programs' requests about recorded games.

    - `path`: the record file (`games.db`), which the handler opens for each request.
    - `figures`: the path of the file with the saved statistics.
    - `day`: the function that returns the local date of a time in seconds since 1970.
    - `wall`: the function that returns the present time in seconds since 1970.
    """

    def __init__(
        self, path: Path, figures: Path, day: Callable[[int], Day], wall: Callable[[], int]
    ) -> None:
        self._path, self._figures, self._day, self._wall = path, figures, day, wall

    def reply_to_request(self, request: ProtocolRequest) -> str:
        """Return the reply to a request as one line of JSON: the data, or an error message."""
        language = "en"
        try:
            with self._open() as (shelf, journal):
                language = journal.all_settings().get("language", language)
                reply = self._made(shelf, journal, request)
        except (InvalidProtocolLineError, JournalError) as error:
            reply = messages.exception_message(error, Words(language))
        except (
            *DAMAGE_ERRORS,
            OSError,
        ) as error:  # an uncaught exception would end the thread
            reply = messages.error_message(str(error), code="unreadable")
        return message_as_protocol_line(reply)

    def _made(self, shelf: StatisticsCache, journal: Journal, request: ProtocolRequest) -> Message:
        match request.verb:
            case "past":
                return _past(shelf, journal, request.message["past"])
            case "people":
                return messages.people_message(_people(shelf))
            case _:
                return self._group(shelf)

    @contextmanager
    def _open(self) -> Iterator[tuple[StatisticsCache, Journal]]:
        with (
            closing(Journal(self._path, beside=True)) as journal,
            closing(StatisticsCache(journal, self._figures)) as shelf,
        ):
            yield shelf, journal

    def _group(self, shelf: StatisticsCache) -> Message:
        group = shelf.group_statistics(self._day)
        before = shelf.list_games_one_year_ago(self._wall(), self._day)
        return messages.group_message(
            years={str(year): of._asdict() for year, of in group.years.items()},
            records={
                game: {
                    name: game_result and export_formats.game_statistics_as_dict(game_result)
                    for name, game_result in best._asdict().items()
                }
                for game, best in group.records.items()
            },
            hardest=[{"word": word, "asked": n} for word, n in shelf.hardest_secret_words()],
            a_year_ago=[
                export_formats.game_statistics_as_dict(game_result) for game_result in before
            ],
            people=_people(shelf),
        )


def _people(shelf: StatisticsCache) -> list[Any]:
    return [
        export_formats.person_statistics_as_dict(
            person, shelf.game_specific_person_counts(person.name)
        )
        for person in shelf.people_statistics()
    ]


def _past(shelf: StatisticsCache, journal: Journal, wanted: Any) -> Message:
    numbers = journal.game_numbers()
    match wanted:
        case {"game": int(number), **rest} if not rest and type(number) is int:
            if number not in numbers:
                raise InvalidProtocolLineError("nothing_there")
            proof = {
                "proof": recorded.chance_verification_values(
                    recorded.load_recorded_game(journal, number)
                ),
                "note": recorded.load_game_note(journal, number),
            }
            shown = (
                _shown(*shelf.compute_game_statistics(number))
                | export_formats.check_game_chance(journal, number)
                | proof
            )
            return messages.recorded_game_message(shown)
        case {"from": int(first), "n": int(n), **rest} if (
            not rest
            and type(first) is type(n) is int
            and first >= 0
            and 0 < n <= MAX_GAMES_PER_REPLY
        ):
            games = [
                export_formats.game_statistics_as_dict(played)
                for played in _page(shelf, numbers, first, n)
            ]
            return messages.recorded_games_message(games, len(numbers))
        case _:
            raise InvalidProtocolLineError("not_so", name="past")


def _page(shelf: StatisticsCache, numbers: list[int], first: int, n: int) -> list[GameStatistics]:
    games: list[GameStatistics] = []
    before = numbers[first - 1] if 0 < first <= len(numbers) else ABOVE_EVERY_GAME_NUMBER
    while (
        first < len(numbers) and len(games) < n and (page := shelf.history_statistics_page(before))
    ):
        games += page
        before = page[-1].number
    return games[:n]


def _shown(played: GameStatistics, detail: ReplayStatistics) -> dict[str, Any]:
    if played.ended is None:
        detail = ReplayStatistics()
    return export_formats.game_details_as_dict(played, detail)
