"""A club's evening on a phone, a television, paper or in a file: `/evening`."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final

from tornado.escape import xhtml_escape as esc
from tornado.web import HTTPError

from companion.page.desk import Desk
from companion.page.lines import Away
from companion.page.records import Reading
from companion.page.sheet import cell, page, table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from companion.page.lines import Message
    from companion.page.told import Telling
    from companion.say.words import Words

    Ask = Callable[..., Awaitable[Message | None]]
    """Asks whoever looks after the evening; see docs/evening.md."""

PLACES, TABLES = 8, 6
"""Places of the standings, and tables, that a projector shows at a time."""
COLUMNS: Final = ("round", "table", "player", "points", "source")
SOURCES: Final = (
    ("box", "evening_by_box"),
    ("typed", "evening_typed"),
    ("code", "evening_by_code"),
)
"""Where a result comes from, and the words for it."""
TURNING: Final = {"back": "evening_back", "pause": "evening_pause", "next": "evening_next"}
"""The buttons under a page that turns, and their words."""
FORMULAS: Final = ("=", "+", "-", "@", "\t")
"""A cell that begins so is a formula to a spreadsheet, whoever is called so."""


async def rows(ask: Ask, do: str, n: int = 0) -> list[Any]:
    """All rows of one of the evening's lists; it tells as many at a time as fit into a line."""
    told: list[Any] = []
    found = await ask(do=do, n=n)
    while found is not None and found["rows"]:
        told += found["rows"]
        more = len(told) < found["of"]
        found = await ask(do=do, n=n, **{"from": len(told)}) if more else None
    return told


async def whole(ask: Ask) -> Message | None:
    """How it stands, with all its lists; None if there is no evening."""
    found = await ask(do="status")
    if found is None or found["rules"] is None:
        return None
    lists = {name: await rows(ask, name) for name in ("tables", "leaders", "conflicts")}
    return {**found, **lists, "totals": dict(await rows(ask, "totals"))}


class Club(Reading):
    """How the evening stands; with `?view=board` for a projector, which turns the pages."""

    async def wished(self, **wish: Any) -> Message | None:
        """What the evening's process answers; None if there is no evening. Raises HTTPError."""
        try:
            reply = await self.house.visitors.everybody.ask({"wish": wish}, {"evening"})
        except Away:
            raise HTTPError(503) from None
        return None if reply["type"] == "error" or "error" in reply else reply

    async def get(self) -> None:
        """Show it."""
        told = self.telling()
        words, found = told.words, await whole(self.wished)
        if found is None:
            self.show(words("page.evening"), f"<p>{esc(words('page.evening_none'))}</p>", told)
            return
        board = self.get_query_argument("view", "") == "board"
        main = _board(found, words) if board else _whole(found, words, seated=self.seat is not None)
        self._show(_title(found), main, told, board=board)

    def _show(self, title: str, main: str, told: Telling, *, board: bool = False) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        inside = f'<main id="main"><h1>{esc(title)}</h1>{main}</main>'
        view = "board" if board else "read"
        self.finish(page(title, inside, told, view=view, script="evening"))


class Round(Club):
    """What was played in one round, and where the results come from."""

    async def get(self, number: str) -> None:  # type: ignore[override]
        """Show it."""
        told = self.telling()
        words, results = told.words, await rows(self.wished, "round", int(number))
        if not results:
            raise HTTPError(404)
        heads = [words(f"page.{key}") for key in ("table", "name", "points", "evening_source")]
        lines = [_result(row, words) for row in results]
        title = words("page.evening_round", n=number)
        back = f'<p><a href="/evening">{esc(words("page.evening"))}</a></p>'
        self._show(title, table(heads, lines, title) + back, told)


class Export(Club):
    """The whole evening as a file: `evening.csv` or `evening.json`."""

    async def get(self, kind: str) -> None:  # type: ignore[override]
        """Send it."""
        found = await whole(self.wished)
        if found is None:
            raise HTTPError(404)
        rounds = range(1, found["round"] + 1)
        results = [row for n in rounds for row in await rows(self.wished, "round", n)]
        self.set_header("Content-Disposition", f'attachment; filename="evening.{kind}"')
        if kind == "json":
            self.answer({**found, "results": results})
            return
        self.set_header("Content-Type", "text/csv; charset=utf-8")
        self.finish(_csv(results))


class Slip(Desk):
    """A result that a box shows as a code, from a phone with a seat here."""

    needs_seat = True

    async def post(self) -> None:
        """Hand it to the evening, and say whether it was taken."""
        text = self.body().get("text")
        if not isinstance(text, str) or len(text) > 200:  # noqa: PLR2004 - more than any code
            raise HTTPError(400)
        assert self.seat is not None  # noqa: S101 - needs_seat
        try:
            reply = await self.seat.ask({"wish": {"do": "slip", "text": text}}, {"evening"})
        except Away:
            raise HTTPError(503) from None
        self.answer({"ok": reply.get("ok") is True, "why": str(reply.get("message", ""))})


def _title(found: Message) -> str:
    return str(found["rules"]["title"])


def _stands(found: Message, words: Words) -> str:
    """One line: how far it is."""
    if found["over"]:
        return words("page.evening_over", who=", ".join(found["leaders"]))
    games = found["rules"]["games"]
    key = "page.evening_round" if games is None else "page.evening_round_of"
    return words(key, n=found["round"], of=games)


def _conflict(found: Message, words: Words) -> str:
    """What people must decide, with what each box says."""
    if found["round"] is not None:
        where = words("page.evening_where", n=found["round"], table=found["table"])
    else:
        where = found["name"] or words("page.evening_rules")
    claims = "; ".join(words("page.evening_claim", **claim) for claim in found["claims"])
    return words(f"page.evening_conflict.{found['why']}", where=where, claims=claims)


def _whole(found: Message, words: Words, *, seated: bool) -> str:
    """All of it, for a phone or for paper."""
    parts = [f'<div id="live"><p class="big">{esc(_stands(found, words))}</p>']
    parts += [f'<p class="bad">{esc(_conflict(each, words))}</p>' for each in found["conflicts"]]
    parts.append(_standings(_places(found), words))
    parts.append(f"<h2>{esc(words('page.evening_seats'))}</h2>" if found["tables"] else "")
    parts.append(f'<div class="posters">{"".join(_tables(found, words))}</div>')
    parts.append(
        f"<h2>{esc(words('page.evening_rounds'))}</h2><p>{_rounds(found, words)}</p></div>"
    )
    parts.append(_form(words) if seated else "")
    links = (("/evening?view=board", "evening_board"), ("/evening.csv", "evening_csv"),
             ("/evening.json", "evening_json"))  # fmt: skip
    told = " ".join(f'<a href="{path}">{esc(words(f"page.{key}"))}</a>' for path, key in links)
    button = f'<button type="button" data-do="print">{esc(words("page.evening_print"))}</button>'
    return "".join((*parts, f'<p class="turn">{told} {button}</p>'))


def _board(found: Message, words: Words) -> str:
    """Pages that turn by themselves; without scripts they all stand below each other."""
    places, tables = _places(found), [*_tables(found, words)]
    leaves = [_standings(part, words) for part in _parts(places, PLACES)]
    leaves += [f'<div class="posters">{"".join(part)}</div>' for part in _parts(tables, TABLES)]
    shown = "".join(f'<section class="leaf">{leaf}</section>' for leaf in leaves)
    buttons = "".join(
        f'<button type="button" data-do="{do}">{esc(words(f"page.{key}"))}</button>'
        for do, key in TURNING.items()
    )
    return (
        f'<div id="live"><p class="big">{esc(_stands(found, words))}</p>{shown}</div>'
        f'<p class="row" data-seconds="10">{buttons}</p>'
    )


def _parts(whole: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (whole[n : n + size] for n in range(0, len(whole), size))


def _places(found: Message) -> list[tuple[int, str, int]]:
    """Place, name and total, the highest first; equals share a place."""
    order = sorted(found["totals"].items(), key=lambda item: -item[1])
    values = [total for _, total in order]
    return [(values.index(total) + 1, name, total) for name, total in order]


def _standings(places: Sequence[tuple[int, str, int]], words: Words) -> str:
    heads = [words(f"page.{key}") for key in ("evening_place", "name", "points")]
    rows = [(cell(place), cell(who), cell(total, number=True)) for place, who, total in places]
    return table(heads, rows, words("page.evening_standings")) if rows else ""


def _tables(found: Message, words: Words) -> Iterator[str]:
    """Each table: who sits there, and whether they still play."""
    for n, names in enumerate(found["tables"], start=1):
        how = words("page.evening_plays" if n in found["waiting"] else "page.evening_in")
        people = "".join(f"<li>{esc(name)}</li>" for name in names)
        head, tag = esc(words("page.evening_table", n=n)), f'<p class="tag">{esc(how)}</p>'
        yield f'<section class="poster"><h3>{head}</h3>{tag}<ul>{people}</ul></section>'


def _rounds(found: Message, words: Words) -> str:
    return " ".join(
        f'<a href="/evening/{n}">{esc(words("page.evening_round", n=n))}</a>'
        for n in range(1, found["round"] + 1)
    )


def _result(row: Message, words: Words) -> Iterator[str]:
    yield cell(row["table"], number=True)
    yield cell(row["player"])
    yield cell("" if row["points"] is None else row["points"], number=True)
    key = dict(SOURCES).get(row["source"], "evening_plays")
    yield cell(words(f"page.{key}"))


def _form(words: Words) -> str:
    taken, wrong = esc(words("page.evening_taken")), esc(words("page.evening_wrong"))
    return (
        f'<form class="card" id="slip" data-taken="{taken}" data-wrong="{wrong}">'
        f'<label for="text">{esc(words("page.evening_code"))}</label>'
        '<input type="text" id="text" name="text" autocomplete="off" autocapitalize="characters">'
        f'<p><button class="strong">{esc(words("page.send"))}</button></p>'
        '<p class="verdict" role="status"></p></form>'
    )


def _csv(rows: Sequence[Message]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        told = {**row, "player": f"'{row['player']}" if row["player"].startswith(FORMULAS)
                else row["player"]}  # fmt: skip
        writer.writerow(["" if told[key] is None else told[key] for key in COLUMNS])
    return out.getvalue()
