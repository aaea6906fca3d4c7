"""The web pages at `/evening`: an evening on a phone, on a projector, on paper and as a file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from tornado.web import HTTPError

from companion.door.client import Disconnected
from companion.door.lines import Message
from companion.page.base_handler import PageRequestHandler
from companion.page.non_live_pages import BaseNonLivePageHandler
from companion.page.page_html import SortableTable, TableCell
from companion.say.words import Words
from companion_club.exporting import rank_players, rows_as_formula_safe_csv

AskEvening: TypeAlias = "Callable[..., Awaitable[Message | None]]"
"""Type of a function that sends a request to the attendant, and returns the reply or None."""

PLACES_PER_PAGE, TABLES_PER_PAGE = 8, 6
"""Limits for one screen of a projector.

PLACES_PER_PAGE: rows of the standings. TABLES_PER_PAGE: tables.
"""
SOURCE_SENTENCE_KEYS: Final = (
    ("box", "evening_by_box"),
    ("typed", "evening_typed"),
    ("code", "evening_by_code"),
)
"""Pairs: a source of results, and the catalogue key of the sentence that describes the source."""


async def fetch_evening_list_rows(ask: AskEvening, do: str, n: int = 0) -> list[Any]:
    """Return all rows of one list of the evening.

    The function sends requests to the attendant until all rows are received.

    `do`: name of the list.

    `n`: number of the round, for the list `round`.
    """
    rows: list[Any] = []
    reply = await ask(do=do, n=n)
    while reply is not None and reply["rows"]:
        rows += reply["rows"]
        more = len(rows) < reply["of"]
        reply = await ask(do=do, n=n, **{"from": len(rows)}) if more else None
    return rows


async def fetch_evening_with_lists(ask: AskEvening) -> Message | None:
    """Return the evening's state with its tables, leaders, conflicts and totals.

    Return None if no evening is joined, or if the joined evening has no rules yet.
    """
    status = await ask(do="status")
    if status is None or status["rules"] is None:
        return None
    lists = {
        name: await fetch_evening_list_rows(ask, name)
        for name in ("tables", "leaders", "conflicts")
    }
    return {**status, **lists, "totals": dict(await fetch_evening_list_rows(ask, "totals"))}


class EveningPageHandler(BaseNonLivePageHandler):
    """The web page with the evening's state; `?view=board` shows the state on a projector."""

    async def request_from_attendant(self, **wish: Any) -> Message | None:
        """Send a request to the attendant and return its reply.

        Return None if the reply is an error, for example because no evening is joined. Raise
        HTTPError 503 if the box cannot be reached.
        """
        try:
            reply = await self.house.visitors.box.request_first_matching_reply(
                {"wish": wish}, {"evening"}
            )
        except Disconnected:
            raise HTTPError(503) from None
        return None if reply["type"] == "error" or "error" in reply else reply

    async def get(self) -> None:
        """Respond with the HTML page of the evening."""
        words, evening = (
            self.page_words(),
            await fetch_evening_with_lists(self.request_from_attendant),
        )
        if evening is None:
            text = words("page.evening_none")
            self.send_rendered_template("note.html", words("page.evening"), words, text=text)
        elif self.get_query_argument("view", "") == "board":
            facts = projector_page_template_values(evening, words)
            self.send_rendered_template(
                "board.html", _title(evening), words, view="board", script="evening", **facts
            )
        else:
            facts = {
                **evening_page_template_values(evening, words),
                "seated": self.seat is not None,
            }
            self.send_rendered_template(
                "evening.html", _title(evening), words, script="evening", **facts
            )


class RoundResultsHandler(EveningPageHandler):
    """The web page with all results of one round, and the source of each result."""

    async def get(self, number: str) -> None:  # type: ignore[override]
        """Respond with the HTML page of the round `number`."""
        words, results = (
            self.page_words(),
            await fetch_evening_list_rows(self.request_from_attendant, "round", int(number)),
        )
        if not results:
            raise HTTPError(404)
        heads = [words(f"page.{key}") for key in ("table", "name", "points", "evening_source")]
        title = words("page.evening_round", n=number)
        lines = SortableTable(title, heads, [_result(row, words) for row in results])
        self.send_rendered_template("round.html", title, words, script="evening", table=lines)


class EveningExportHandler(EveningPageHandler):
    """The download of the whole evening as the file `evening.csv` or `evening.json`."""

    async def get(self, kind: str) -> None:  # type: ignore[override]
        """Respond with the evening as a CSV or JSON file."""
        evening = await fetch_evening_with_lists(self.request_from_attendant)
        if evening is None:
            raise HTTPError(404)
        rounds = range(1, evening["round"] + 1)
        results = [
            row
            for n in rounds
            for row in await fetch_evening_list_rows(self.request_from_attendant, "round", n)
        ]
        self.set_header("Content-Disposition", f'attachment; filename="evening.{kind}"')
        if kind == "json":
            self.send_json({**evening, "results": results})
            return
        self.set_header("Content-Type", "text/csv; charset=utf-8")
        self.finish(rows_as_formula_safe_csv(results))


class ResultSlipHandler(PageRequestHandler):
    """The handler for a result that a phone at this table has scanned from a box's display."""

    needs_seat = True

    async def post(self) -> None:
        """Send the scanned result to the attendant, and respond with success or an error."""
        text = self.parse_posted_json().get("text")
        if not isinstance(text, str) or len(text) > 200:  # noqa: PLR2004 - more than any code
            raise HTTPError(400)
        assert self.seat is not None
        try:
            reply = await self.seat.request_first_matching_reply(
                {"wish": {"do": "slip", "text": text}}, {"evening"}
            )
        except Disconnected:
            raise HTTPError(503) from None
        self.send_json({"ok": reply.get("ok") is True, "why": str(reply.get("message", ""))})


def _title(evening: Message) -> str:
    return str(evening["rules"]["title"])


def _stands(evening: Message, words: Words) -> str:
    if evening["over"]:
        return words("page.evening_over", who=", ".join(evening["leaders"]))
    games = evening["rules"]["games"]
    key = "page.evening_round" if games is None else "page.evening_round_of"
    return words(key, n=evening["round"], of=games)


def _conflict(conflict: Message, words: Words) -> str:
    if conflict["round"] is not None:
        where = words("page.evening_where", n=conflict["round"], table=conflict["table"])
    else:
        where = conflict["name"] or words("page.evening_rules")
    claims = "; ".join(words("page.evening_claim", **claim) for claim in conflict["claims"])
    return words(f"page.evening_conflict.{conflict['why']}", where=where, claims=claims)


class EveningTable(NamedTuple):
    """A table with its players; `plays` is True as long as the table has no result."""

    number: int
    names: Sequence[str]
    plays: bool


def evening_page_template_values(evening: Message, words: Words) -> dict[str, Any]:
    """Return the values for the template `evening.html`, for a phone or for printing."""
    return {
        "stands": _stands(evening, words),
        "conflicts": [_conflict(each, words) for each in evening["conflicts"]],
        "table": _standings(rank_players(evening["totals"]), words),
        "places": _tables(evening),
        "rounds": evening["round"],
    }


def projector_page_template_values(evening: Message, words: Words) -> dict[str, Any]:
    """Return the values for the template `board.html`, for a projector."""
    return {
        "stands": _stands(evening, words),
        "standings": [
            _standings(part, words)
            for part in _parts(rank_players(evening["totals"]), PLACES_PER_PAGE)
        ],
        "tables": [*_parts(_tables(evening), TABLES_PER_PAGE)],
    }


def _parts(whole: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (whole[n : n + size] for n in range(0, len(whole), size))


def _standings(places: Sequence[tuple[int, str, int]], words: Words) -> SortableTable:
    heads = [words(f"page.{key}") for key in ("evening_place", "name", "points")]
    rows = [
        [TableCell(place), TableCell(who), TableCell(total, number=True)]
        for place, who, total in places
    ]
    return SortableTable(words("page.evening_standings"), heads, rows)


def _tables(evening: Message) -> list[EveningTable]:
    return [
        EveningTable(n, names, plays=n in evening["waiting"])
        for n, names in enumerate(evening["tables"], start=1)
    ]


def _result(row: Message, words: Words) -> list[TableCell]:
    key = dict(SOURCE_SENTENCE_KEYS).get(row["source"], "evening_plays")
    return [
        TableCell(row["table"], number=True),
        TableCell(row["player"]),
        TableCell("" if row["points"] is None else row["points"], number=True),
        TableCell(words(f"page.{key}")),
    ]


ROUTES: Final = (
    (r"/evening", EveningPageHandler),
    (r"/evening/([1-9][0-9]{0,2})", RoundResultsHandler),
    (r"/evening\.(csv|json)", EveningExportHandler),
    (r"/evening/slip", ResultSlipHandler),
)
"""Pairs of a page's URL pattern and the class that handles requests for the page."""
