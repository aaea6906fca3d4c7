"""What was played: games, people, one game again, and the book of rulings, as pages to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tornado.escape import xhtml_escape as esc
from tornado.web import HTTPError

from companion.catalog import clauses, registry
from companion.page import curve
from companion.page.desk import Desk
from companion.page.lines import Away
from companion.page.sheet import cell, moment, page, table
from companion.say.decimals import decimal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.page.lines import Message
    from companion.page.told import Telling
    from companion.say.words import Words

PAGE: Final = 20
MANY: Final = 10**6
HOUR: Final = 3600
COLUMNS: Final = ("name", "games", "wins", "rate", "longest", "hours", "nemesis")
"""What is told of each person, in a row."""


class Reading(Desk):
    """A page that is read: it asks the door once, and is whole when it comes."""

    async def past(self, message: Message, kind: str) -> Message:
        """What the box knows of the past. Raises HTTPError: 503 if it is away, 404 if nothing."""
        try:
            reply = await self.house.visitors.everybody.ask(message, {kind})
        except Away:
            raise HTTPError(503) from None
        if reply["type"] == "error":
            raise HTTPError(404)
        return reply

    def show(self, title: str, main: str, told: Telling) -> None:
        """Send a page."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(page(title, f'<main id="main"><h1>{esc(title)}</h1>{main}</main>', told))

    def write_error(self, status_code: int, **_kwargs: Any) -> None:
        """Say the number on a page that leads back."""
        words = self.telling().words
        self.set_status(status_code)
        known = {404: "not_there", 503: "asleep"}.get(status_code, "refused")
        self.show(words("page.title"), f"<p>{esc(words(f'page.{known}'))}</p>", self.telling())


class History(Reading):
    """The games that were played, the newest first."""

    async def get(self) -> None:
        """Show a page of them."""
        told, start = self.telling(), self._start()
        reply = await self.past({"past": {"from": start, "n": PAGE}}, "past")
        games, total, words = reply["games"], int(reply["of"]), told.words
        heads = [
            words(f"page.{key}") for key in ("when", "game", "players", "winners_head", "minutes")
        ]
        rows = [_game_row(game, words) for game in games]
        main = table(heads, rows, words("page.history")) if rows else _p(words("page.none_yet"))
        self.show(words("page.history"), main + _turning(start, total, words), told)

    def _start(self) -> int:
        """From which game on. Raises HTTPError."""
        given = self.get_query_argument("from", "0")
        if not given.isdecimal() or len(given) > 6:  # noqa: PLR2004 - a million
            raise HTTPError(404)
        return int(given)


def _game_row(game: Message, words: Words) -> Iterator[str]:
    begun = game["begun"]
    link = f'<a href="/game/{int(game["number"])}">{moment(begun)}</a>'
    yield f'<td data-key="{esc(begun)}">{link}</td>'
    yield cell(words.called(game["game"]))
    yield cell(_everybody(game["players"], words))
    over = game["ended"] is not None
    yield cell(_everybody(game["winners"], words) if over else words("page.unfinished"))
    yield cell(round(game["seconds"] / 60), number=True)


def _everybody(names: list[str], words: Words) -> str:
    return ", ".join(name or words("box.figures.somebody") for name in names)


def _turning(start: int, total: int, words: Words) -> str:
    links = []
    if start > 0:
        links.append(f'<a rel="prev" href="/history?from={max(0, start - PAGE)}">'
                     f"{esc(words('page.newer'))}</a>")  # fmt: skip
    if start + PAGE < total:
        links.append(f'<a rel="next" href="/history?from={start + PAGE}">'
                     f"{esc(words('page.older'))}</a>")  # fmt: skip
    return f'<nav class="turn" aria-label="{esc(words("page.pages"))}">{"".join(links)}</nav>'


def _p(text: str) -> str:
    return f"<p>{esc(text)}</p>"


class People(Reading):
    """Who played, how often and how well."""

    async def get(self) -> None:
        """Show everybody."""
        told = self.telling()
        group, words = await self.past({"group": True}, "group"), told.words
        people = group["people"]
        heads = [words(f"page.{key}") for key in COLUMNS]
        rows = [_person_row(person, words) for person in people]
        main = table(heads, rows, words("page.people")) if rows else _p(words("box.figures.nobody"))
        main += "".join(_person(person, words) for person in people)
        main += _lines(_together(group, words))
        self.show(words("page.people"), main, told)


def _person_row(person: Message, words: Words) -> Iterator[str]:
    yield cell(person["name"])
    yield cell(person["games"], number=True)
    yield cell(person["wins"], number=True)
    rate = person["rate"]
    share = "" if rate is None else f"{round(100 * rate)}\N{NO-BREAK SPACE}%"
    yield cell(share, rate or 0, number=True)
    yield cell(person["longest"], number=True)
    hours = decimal(person["seconds"] / HOUR, words.language)
    yield cell(hours, person["seconds"], number=True)
    yield cell(person["nemesis"] or "")


def _person(person: Message, words: Words) -> str:
    """A person by game, and against everybody else."""
    lines = [
        words("box.figures.of", what=words.called(game), share=_share(count, words))
        for game, count in person["by_game"].items()
    ]
    lines += [
        words.counted("box.figures.against", a["games"], **a, who=who)
        for who, a in sorted(person["against"].items(), key=lambda item: -item[1]["games"])
    ]
    return f"<details><summary>{esc(person['name'])}</summary>{_lines(lines)}</details>"


def _lines(texts: Iterable[str]) -> str:
    """Sentences as a list."""
    return f"<ul>{''.join(f'<li>{esc(text)}</li>' for text in texts)}</ul>"


def _together(group: Message, words: Words) -> Iterator[str]:
    """The table as a whole: what was played today a year ago, its years and its records."""
    for game in group["a_year_ago"]:
        who, called = _everybody(game["players"], words), words.called(game["game"])
        yield words("box.figures.year_ago", game=called, who=who, number=game["number"])
    for year, of in sorted(group["years"].items(), reverse=True):
        best = sorted(of["wins"].items(), key=lambda item: (-item[1], item[0]))
        hours = decimal(of["seconds"] / HOUR, words.language)
        facts = {"year": year, "hours": hours, "wins": ", ".join(f"{who} {n}" for who, n in best)}
        yield words.counted("box.figures.year", of["games"], **facts)
    for name, best_of in sorted(group["records"].items()):
        longest = best_of["longest"]
        facts = {"n": longest["answers"], "number": longest["number"], "day": longest["begun"][:10]}
        yield words("box.figures.record", game=words.called(name), **facts)
    if group["hardest"]:
        hard = ((one["word"], one["asked"]) for one in group["hardest"])
        told = ", ".join(words("box.figures.hard", word=word, n=n) for word, n in hard)
        yield words("box.figures.hardest", words=told)


def _share(count: Message, words: Words) -> str:
    facts = {"wins": count["wins"], "games": count["games"]}
    if count["rate"] is None:
        return words("box.figures.few", **facts)
    return words("box.figures.rate", **facts, percent=round(100 * count["rate"]))


class Game(Reading):
    """A game again: its scores, what turned it, what was counted in it."""

    async def get(self, number: str) -> None:
        """Show the game of that number."""
        told = self.telling()
        if int(number) > MANY:
            raise HTTPError(404)
        game = (await self.past({"past": {"game": int(number)}}, "past"))["game"]
        words = told.words
        title = f"{words.called(game['game'])}"
        curves = [curve.Point(p["answers"], tuple(p["scores"])) for p in game["curve"]]
        drawn = curve.svg(curves, game["players"], words("page.curve"))
        lines = _lines(_sentences(game, words))
        main = f"<p>{moment(game['begun'])}</p>{drawn}{lines}{_scores(game, words)}"
        main += f'<p><a href="/history">{esc(words("page.history"))}</a></p>'
        self.show(title, main, told)


def _scores(game: Message, words: Words) -> str:
    if not game["scores"]:
        return ""
    rows = [
        (cell(name or words("box.figures.somebody")), cell(score, number=True))
        for name, score in zip(game["players"], game["scores"], strict=False)
    ]
    return table([words("page.name"), words("page.points")], rows, words("page.scores"))


def _sentences(game: Message, words: Words) -> Iterator[str]:
    """A game in sentences."""
    if game["ended"] is not None and game["winners"]:
        yield words("box.figures.won_by", who=_everybody(game["winners"], words))
    yield words("box.figures.began", who=game["first"] or words("box.figures.somebody"))
    minutes = round(game["seconds"] / 60)
    yield words("box.figures.length", minutes=minutes, answers=game["answers"])
    if game["leads"]:
        yield words.counted("box.figures.leads", game["leads"])
    if game["ended"] is not None and game["decided"]:
        who = game["winners"][0] or words("box.figures.somebody")
        yield words("box.figures.decided", who=who, n=game["decided"], of=game["answers"])
    if game["undone"] or game["corrected"]:
        yield words("box.figures.mended", undone=game["undone"], corrected=game["corrected"])
    yield words(f"box.figures.dice.{game['dice']}", n=sum(game["faces"]))
    if game["shuffled"] != "none":
        yield words(f"box.figures.shuffles.{game['shuffled']}", n=game["shuffles"][1])
    if game["ended"] is None or game["straight"] is not None:
        chance = {None: "sealed", True: "verified", False: "crooked"}[game["straight"]]
        yield words(f"box.figures.{chance}", code=game["code"], n=game["number"])
    for one in game["tally"]:
        key = f"{game['game']}.figure.{one['what']}"
        if not words.has(key):  # for other figures, not for people
            continue
        what = words(key)
        if one["who"]:
            yield words("box.figures.counted", who=one["who"], what=what, n=one["n"])
        else:
            yield words("box.figures.counted_all", what=what, n=one["n"])


class Rules(Reading):
    """The book of rulings of a game: what holds, and how firmly."""

    async def get(self) -> None:
        """Show a game's clauses; without one, those of the game that is played."""
        told = self.telling()
        playing = self.watched().watch.hello.get("game")
        game = self.get_query_argument("game", playing or registry.NAMES[0])
        if game not in registry.NAMES:
            raise HTTPError(404)
        words = told.words
        links = "".join(
            f'<a href="/rules?game={name}"{_current(name == game)}>{esc(words.called(name))}</a>'
            for name in registry.NAMES
        )
        main = f'<nav class="tabs" aria-label="{esc(words("page.rules"))}">{links}</nav>'
        main += "".join(_heading(part, words) for part in clauses.read(game))
        title = f"{words('page.rules')}: {words.called(game)}"
        self.show(title, main, told)


def _current(is_it: bool) -> str:  # noqa: FBT001 - a fact
    return ' aria-current="page"' if is_it else ""


def _heading(part: clauses.Heading, words: Words) -> str:
    language = words.language
    rows = "".join(
        f'<li id="{esc(clause.number)}"><b>{esc(clause.number)}</b> '
        f"{esc(clause.text[language])} "
        f'<small class="mark">{esc(words(f"box.mark.{clause.mark}"))}</small></li>'
        for clause in part.clauses
    )
    return f'<section><h2>{esc(part.title[language])}</h2><ul class="clauses">{rows}</ul></section>'
