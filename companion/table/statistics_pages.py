"""Statistics of a person or of the group, as pages that UP and DOWN turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from companion.core.game import Cue
from companion.draw.canvas import Canvas, rectangle_outline, shorten_text, wrap_text
from companion.draw.parts import ROW_LETTERS
from companion.figures import sentences
from companion.figures.game_statistics import GameStatistics
from companion.figures.group import ExtremeGames, YearStatistics
from companion.figures.lookup import PeopleAndGroupStatistics
from companion.figures.people import PersonStatistics, PlayedAndWonCount
from companion.say.decimals import format_decimal
from companion.say.words import Words
from hardware.ports import DISPLAY_WIDTH

TEXT_ROWS: Final = 6
"""Number of text rows between a page's title and the button labels."""
BAR_COLUMN: Final = 64
"""Column in pixels at which a bar begins."""
BAR_HEIGHT: Final = 6
"""Height of a bar in pixels."""
MAX_YEARS_SHOWN: Final = 5
SECONDS_PER_HOUR: Final = 3600


_PEOPLE: Final = Cue("people")


class StatisticsRow(NamedTuple):
    """A row of statistics: a label, a figure, and a share (0 to 1, or None) that is drawn as a bar.

    If `figure` is empty, the label fills the whole row.
    """

    text: str
    figure: str = ""
    share: float | None = None


class StatisticsPage(NamedTuple):
    """A page of statistics: a title, rows, and an optional large figure."""

    title: str
    rows: tuple[StatisticsRow, ...]
    big: str = ""


@dataclass(frozen=True)
class StatisticsPages:
    """Statistics as pages that cover the whole display."""

    pages: tuple[StatisticsPage, ...]
    title_fact: Cue = _PEOPLE

    @property
    def page_count(self) -> int:
        """Return the number of statistics pages."""
        return len(self.pages)

    def frame_of_page(self, n: int, words: Words) -> bytes:
        """Return the frame of statistics page `n`, counted from 0."""
        canvas, now = Canvas(), self.pages[n]
        place = f"{n + 1}/{len(self.pages)}"
        canvas.draw_text(0, 0, shorten_text(now.title, ROW_LETTERS - len(place) - 1))
        canvas.draw_right_aligned_text(0, place)
        top = 1
        if now.big:
            canvas.draw_centred_text(1, now.big, "medium")
            top = 3
        for at, row in enumerate(now.rows, start=top):
            _row(canvas, at, row)
        canvas.draw_text(7, 0, words("box.legend.notice.pages"))
        return canvas.frame

    def spoken_page(self, n: int, words: Words) -> str:
        """Return the spoken form of statistics page `n`, counted from 0."""
        now = self.pages[n]
        rows = ", ".join(f"{row.text} {row.figure}".strip() for row in now.rows)
        return words("box.say.ear.page", title=f"{now.title} {now.big}".strip(), rows=rows)


def person_or_group_statistics_pages(
    everybody: PeopleAndGroupStatistics, who: str | None, words: Words
) -> StatisticsPages:
    """Return the pages about the person `who`, or about the whole group if `who` is None."""
    if who is None:
        return StatisticsPages(tuple(_together(everybody, words)))
    person = next(person for person in everybody.people if person.name == who)
    return StatisticsPages(tuple(_person(person, everybody.counted[who], words)))


def _row(canvas: Canvas, at: int, row: StatisticsRow) -> None:
    columns = ROW_LETTERS - len(row.figure) - 1 if row.figure else ROW_LETTERS
    width = DISPLAY_WIDTH - BAR_COLUMN - 6 * len(row.figure) - 6
    if row.share is None or width <= BAR_HEIGHT:
        canvas.draw_text(at, 0, shorten_text(row.text, columns))
    else:
        canvas.draw_text(at, 0, shorten_text(row.text, BAR_COLUMN // 6))
        canvas.draw_sprite(BAR_COLUMN, 8 * at + 1, rectangle_outline(width, BAR_HEIGHT))
        filled = round(row.share * (width - 4))
        canvas.draw_sprite(BAR_COLUMN + 2, 8 * at + 3, (3,) * filled)
    canvas.draw_right_aligned_text(at, row.figure)


# --- a person -------------------------------------------------------------------------------------


def _person(
    person: PersonStatistics, counted: Mapping[tuple[str, str], int], words: Words
) -> Iterator[StatisticsPage]:
    yield _first(person, words)
    games = [
        StatisticsRow(words.game_title(name), *_share(count))
        for name, count in person.by_game.items()
    ]
    yield from _sheets(person.name, games)
    yield from _sheets(person.name, _ways(person, words))
    yield from _sheets(person.name, _rivals(person, words))
    yield from _sheets(person.name, _scores(person, words))
    yield from _sheets(person.name, *_counted(counted, words))


def _first(person: PersonStatistics, words: Words) -> StatisticsPage:
    rate, hours = (
        person.all.win_rate,
        format_decimal(person.seconds / SECONDS_PER_HOUR, words.language),
    )
    few = StatisticsRow(words("box.people.few"))
    share = (
        few
        if rate is None
        else StatisticsRow(words("box.people.won"), f"{round(100 * rate)} %", rate)
    )
    rows = (
        share,
        StatisticsRow(
            words("box.people.streak"),
            words("box.people.best", n=person.streak, best=person.longest),
        ),
        StatisticsRow(words("box.people.hours"), hours),
    )
    return StatisticsPage(
        person.name, rows, words("box.people.of", wins=person.all.wins, games=person.all.games)
    )


def _share(count: PlayedAndWonCount) -> tuple[str, float | None]:
    return f"{count.wins}/{count.games}", count.win_rate


def _ways(person: PersonStatistics, words: Words) -> Iterator[StatisticsRow]:
    for n, count in sorted(person.by_players.items()):
        yield StatisticsRow(words("box.players", n=n), *_share(count))
    if person.first_turn_count.games:
        yield StatisticsRow(words("box.people.begins"), *_share(person.first_turn_count))
    if person.with_box.games:
        yield StatisticsRow(words("box.people.with_box"), *_share(person.with_box))


def _rivals(person: PersonStatistics, words: Words) -> Iterator[StatisticsRow]:
    if person.toughest_opponent:
        yield StatisticsRow(words("box.figures.nemesis", who=person.toughest_opponent))
    if person.easiest_opponent:
        yield StatisticsRow(words("box.people.favourite", who=person.easiest_opponent))
    for name, met in sorted(person.against.items(), key=lambda item: -item[1].games):
        both = met.ahead + met.behind
        yield StatisticsRow(name, f"{met.ahead}:{met.behind}", met.ahead / both if both else None)


def _scores(person: PersonStatistics, words: Words) -> Iterator[StatisticsRow]:
    if person.scores:
        yield StatisticsRow("", words("box.people.scores"))
    for name, scores in person.scores.items():
        average = format_decimal(scores.average_score, words.language)
        yield StatisticsRow(
            words.game_title(name), words("box.people.score", best=scores.best, average=average)
        )


def _counted(
    counted: Mapping[tuple[str, str], int], words: Words
) -> Iterator[Sequence[StatisticsRow]]:
    for game in dict.fromkeys(game for game, _ in sorted(counted)):
        yield (StatisticsRow(words.game_title(game).upper()),)
        for (name, statistic), n in sorted(counted.items()):
            if name == game:
                yield _wrapped(
                    f"{sentences.game_specific_statistic_label(words, game, statistic)}: {n}"
                )


def _wrapped(text: str) -> tuple[StatisticsRow, ...]:
    return tuple(map(StatisticsRow, wrap_text(text, ROW_LETTERS)))


def _sheets(title: str, *parts: Iterable[StatisticsRow]) -> Iterator[StatisticsPage]:
    """Yield pages that contain the groups of rows.

    Do not split a group of rows that fits on a page.
    """
    rows: tuple[StatisticsRow, ...] = ()
    for part in map(tuple, parts):
        if len(rows) + len(part) > TEXT_ROWS and rows:
            yield StatisticsPage(title, rows)
            rows = ()
        rows = (*rows, *part)
        while len(rows) > TEXT_ROWS:
            yield StatisticsPage(title, rows[:TEXT_ROWS])
            rows = rows[TEXT_ROWS:]
    if rows:
        yield StatisticsPage(title, rows)


# --- the table as a whole -------------------------------------------------------------------------


def _together(everybody: PeopleAndGroupStatistics, words: Words) -> Iterator[StatisticsPage]:
    title = words("box.option.people.together")
    before = (game for game in everybody.year_ago if game.winners)
    yield from (StatisticsPage(title, _ago(game, words)) for game in before)
    for year, of in sorted(everybody.group.years.items(), reverse=True)[:MAX_YEARS_SHOWN]:
        yield StatisticsPage(title, tuple(_year(of, words)), str(year))
    for name, best in sorted(everybody.group.records.items()):
        yield from _sheets(words.game_title(name), *_records(best, everybody, words))
    if everybody.hardest:
        heading = StatisticsRow(words("box.people.hardest"))
        rows = (StatisticsRow(word, str(n)) for word, n in everybody.hardest)
        yield StatisticsPage(title, (heading, *rows))


def _ago(game: GameStatistics, words: Words) -> tuple[StatisticsRow, ...]:
    who = sentences.names_text(words, game.players)
    won = words.winners_sentence(
        [sentences.person_name_or_somebody(words, name) for name in game.winners]
    )
    texts = words("box.people.ago"), words.game_title(game.game), who, won
    return tuple(row for text in texts for row in _wrapped(text))[:TEXT_ROWS]


def _year(of: YearStatistics, words: Words) -> Iterator[StatisticsRow]:
    hours = round(of.seconds / SECONDS_PER_HOUR)
    yield StatisticsRow(words.sentence_for_count("box.people.games", of.games, hours=hours))
    best = sorted(of.wins.items(), key=lambda item: (-item[1], item[0]))
    for name, n in best[: TEXT_ROWS - 3]:  # other rows show the year and the number of games
        yield StatisticsRow(name, str(n), n / of.games)


def _records(
    best: ExtremeGames, everybody: PeopleAndGroupStatistics, words: Words
) -> Iterator[Sequence[StatisticsRow]]:
    for name, game in best._asdict().items():
        if game is None or (name == "highest" and max(game.scores_of_remaining_players) <= 1):
            continue
        n = max(game.scores_of_remaining_players) if name == "highest" else game.answers
        undated = words("box.age.unknown")
        day = (
            "{}-{:02d}-{:02d}".format(*everybody.dates_of_best_games[game.number])
            if game.begun
            else undated
        )
        yield (
            StatisticsRow(words(f"box.people.{name}"), str(n)),
            StatisticsRow(words("box.people.day", day=day, number=game.number)),
        )
