"""A club's evening on a phone, a television, paper or in a file: `/evening`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tornado.web import HTTPError

from companion.door.client import Disconnected
from companion.door.lines import Message
from companion.page.base_handler import PageRequestHandler
from companion.page.records import ReadingHandler
from companion.page.sheet import SortableTable, TableCell
from companion.say.words import Words
from companion_club.telling import rank_places, rows_as_csv

if TYPE_CHECKING:
    AskEvening = Callable[..., Awaitable[Message | None]]
    """Asks whoever looks after the evening; see docs/evening.md."""

PLACES_PER_PAGE, TABLES_PER_PAGE = 8, 6
"""Places of the standings, and tables, that a projector shows at once."""
SOURCE_SENTENCES: Final = (
    ("box", "evening_by_box"),
    ("typed", "evening_typed"),
    ("code", "evening_by_code"),
)
"""The sources of a result, with the keys of their sentences."""


async def fetch_rows(ask: AskEvening, do: str, n: int = 0) -> list[Any]:
    """Return all rows of one of the evening's lists; the process sends some of them per request."""
    rows: list[Any] = []
    reply = await ask(do=do, n=n)
    while reply is not None and reply["rows"]:
        rows += reply["rows"]
        more = len(rows) < reply["of"]
        reply = await ask(do=do, n=n, **{"from": len(rows)}) if more else None
    return rows


async def fetch_evening(ask: AskEvening) -> Message | None:
    """Return the evening's state with all its lists; None if there is no evening."""
    status = await ask(do="status")
    if status is None or status["rules"] is None:
        return None
    lists = {name: await fetch_rows(ask, name) for name in ("tables", "leaders", "conflicts")}
    return {**status, **lists, "totals": dict(await fetch_rows(ask, "totals"))}


class EveningHandler(ReadingHandler):
    """The state of the evening; `?view=board` is for a projector and turns its pages by itself."""

    async def ask_evening(self, **wish: Any) -> Message | None:
        """Return the reply of the evening's process; None without an evening. Raise HTTPError."""
        try:
            reply = await self.house.visitors.box.request_reply({"wish": wish}, {"evening"})
        except Disconnected:
            raise HTTPError(503) from None
        return None if reply["type"] == "error" or "error" in reply else reply

    async def get(self) -> None:
        """Respond with the page."""
        words, evening = self.words(), await fetch_evening(self.ask_evening)
        if evening is None:
            text = words("page.evening_none")
            self.send_template("note.html", words("page.evening"), words, text=text)
        elif self.get_query_argument("view", "") == "board":
            facts = board_fields(evening, words)
            self.send_template(
                "board.html", _title(evening), words, view="board", script="evening", **facts
            )
        else:
            facts = {**paper_fields(evening, words), "seated": self.seat is not None}
            self.send_template("evening.html", _title(evening), words, script="evening", **facts)


class RoundHandler(EveningHandler):
    """The results of one round, and their sources."""

    async def get(self, number: str) -> None:  # type: ignore[override]
        """Respond with the page."""
        words, results = self.words(), await fetch_rows(self.ask_evening, "round", int(number))
        if not results:
            raise HTTPError(404)
        heads = [words(f"page.{key}") for key in ("table", "name", "points", "evening_source")]
        title = words("page.evening_round", n=number)
        lines = SortableTable(title, heads, [_result(row, words) for row in results])
        self.send_template("round.html", title, words, script="evening", table=lines)


class ExportHandler(EveningHandler):
    """The whole evening as a file: `evening.csv` or `evening.json`."""

    async def get(self, kind: str) -> None:  # type: ignore[override]
        """Respond with the file."""
        evening = await fetch_evening(self.ask_evening)
        if evening is None:
            raise HTTPError(404)
        rounds = range(1, evening["round"] + 1)
        results = [row for n in rounds for row in await fetch_rows(self.ask_evening, "round", n)]
        self.set_header("Content-Disposition", f'attachment; filename="evening.{kind}"')
        if kind == "json":
            self.send_json({**evening, "results": results})
            return
        self.set_header("Content-Type", "text/csv; charset=utf-8")
        self.finish(rows_as_csv(results))


class SlipHandler(PageRequestHandler):
    """Receives a result that a phone with a seat here has scanned from a box's display."""

    needs_seat = True

    async def post(self) -> None:
        """Pass the result to the evening, and respond whether it was accepted."""
        text = self.posted_json().get("text")
        if not isinstance(text, str) or len(text) > 200:  # noqa: PLR2004 - more than any code
            raise HTTPError(400)
        assert self.seat is not None
        try:
            reply = await self.seat.request_reply(
                {"wish": {"do": "slip", "text": text}}, {"evening"}
            )
        except Disconnected:
            raise HTTPError(503) from None
        self.send_json({"ok": reply.get("ok") is True, "why": str(reply.get("message", ""))})


def _title(evening: Message) -> str:
    return str(evening["rules"]["title"])


def _stands(evening: Message, words: Words) -> str:
    """Return the progress of the evening as one line."""
    if evening["over"]:
        return words("page.evening_over", who=", ".join(evening["leaders"]))
    games = evening["rules"]["games"]
    key = "page.evening_round" if games is None else "page.evening_round_of"
    return words(key, n=evening["round"], of=games)


def _conflict(conflict: Message, words: Words) -> str:
    """Return a contradiction that people must resolve, with the statement of each box."""
    if conflict["round"] is not None:
        where = words("page.evening_where", n=conflict["round"], table=conflict["table"])
    else:
        where = conflict["name"] or words("page.evening_rules")
    claims = "; ".join(words("page.evening_claim", **claim) for claim in conflict["claims"])
    return words(f"page.evening_conflict.{conflict['why']}", where=where, claims=claims)


class EveningTable(NamedTuple):
    """A table of the evening, and whether it is still playing."""

    number: int
    names: Sequence[str]
    plays: bool


def paper_fields(evening: Message, words: Words) -> dict[str, Any]:
    """Return the fields of `evening.html`, for a phone or for paper."""
    return {
        "stands": _stands(evening, words),
        "conflicts": [_conflict(each, words) for each in evening["conflicts"]],
        "table": _standings(rank_places(evening["totals"]), words),
        "places": _tables(evening),
        "rounds": evening["round"],
    }


def board_fields(evening: Message, words: Words) -> dict[str, Any]:
    """Return the fields of `board.html`, for a projector that turns pages by itself."""
    return {
        "stands": _stands(evening, words),
        "standings": [
            _standings(part, words)
            for part in _parts(rank_places(evening["totals"]), PLACES_PER_PAGE)
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
    """Return the tables with their players, and whether they are still playing."""
    return [
        EveningTable(n, names, plays=n in evening["waiting"])
        for n, names in enumerate(evening["tables"], start=1)
    ]


def _result(row: Message, words: Words) -> list[TableCell]:
    key = dict(SOURCE_SENTENCES).get(row["source"], "evening_plays")
    return [
        TableCell(row["table"], number=True),
        TableCell(row["player"]),
        TableCell("" if row["points"] is None else row["points"], number=True),
        TableCell(words(f"page.{key}")),
    ]


ROUTES: Final = (
    (r"/evening", EveningHandler),
    (r"/evening/([1-9][0-9]{0,2})", RoundHandler),
    (r"/evening\.(csv|json)", ExportHandler),
    (r"/evening/slip", SlipHandler),
)
"""The addresses of the pages."""
