"""Web pages without live updates: past games, people, one past game, and a game's rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tornado.web import HTTPError

from companion.catalog import clauses, registry
from companion.door.client import Disconnected
from companion.door.lines import Message
from companion.page.base_handler import PageRequestHandler
from companion.page.files import sentences_of_game_by_kind
from companion.page.page_html import (
    SortableTable,
    TableCell,
    format_date_in_words,
    render_page_template,
)
from companion.page.score_curve import AllSeatScores, make_score_curve
from companion.say.decimals import format_decimal
from companion.say.words import Words

GAMES_PER_PAGE: Final = 20
MAX_GAME_NUMBER: Final = 10**6
SECONDS_PER_HOUR: Final = 3600
SECONDS_PER_MINUTE: Final = 60
PEOPLE_COLUMNS: Final = ("name", "games", "wins", "rate", "longest", "hours", "nemesis")
"""Names of the columns in the table of people; `page.<name>` is the catalogue key of a heading."""


class BaseNonLivePageHandler(PageRequestHandler):
    """The base class of handlers for pages without live updates.

    The box returns the data for a page in one reply.
    """

    async def request_record_data(self, message: Message, kind: str) -> Message:
        """Send the box the request `message` about recorded games, and return the reply.

        kind: the expected type of the reply.

        Raise HTTPError 503 if the box is not running. Raise HTTPError 404 if the box replies with
        an error.
        """
        try:
            reply = await self.house.visitors.box.request_first_matching_reply(message, {kind})
        except Disconnected:
            raise HTTPError(503) from None
        if reply["type"] == "error":
            raise HTTPError(404)
        return reply

    def send_rendered_template(self, template: str, title: str, words: Words, **facts: Any) -> None:
        """Fill a template with the values `facts`, and send the page to the browser."""
        self.send_page(render_page_template(template, words, title, **facts))

    def is_request_for_html_page(self) -> bool:
        """Return True: only browsers request these pages, so errors are also sent as HTML."""
        return True


class PastGamesHandler(BaseNonLivePageHandler):
    """The request handler for the list of past games, which starts with the newest game."""

    async def get(self) -> None:
        """Send a page that lists up to `GAMES_PER_PAGE` past games."""
        words, start = self.page_words(), self._start()
        reply = await self.request_record_data(
            {"past": {"from": start, "n": GAMES_PER_PAGE}}, "past"
        )
        columns = ("when", "game", "players", "winners_head", "minutes")
        title, rows = words("page.history"), [_game_row(game, words) for game in reply["games"]]
        self.send_rendered_template(
            "history.html", title, words,
            table=SortableTable(title, [words(f"page.{key}") for key in columns], rows),
            newer=max(0, start - GAMES_PER_PAGE) if start > 0 else None,
            older=start + GAMES_PER_PAGE if start + GAMES_PER_PAGE < int(reply["of"]) else None,
        )  # fmt: skip

    def _start(self) -> int:
        given = self.get_query_argument("from", "0")
        if not given.isdecimal() or len(given) > 6:  # noqa: PLR2004 - a million
            raise HTTPError(404)
        return int(given)


def _game_row(game: Message, words: Words) -> list[TableCell]:
    over = game["over"]
    return [
        TableCell(game["begun"], game["begun"] or "", game=int(game["number"])),
        TableCell(words.game_title(game["game"])),
        TableCell(_everybody(game["players"], words)),
        TableCell(_won_by(game, words) if over else words("page.unfinished")),
        TableCell(round(game["seconds"] / 60), number=True),
    ]


def _everybody(names: list[str], words: Words) -> str:
    return ", ".join(name or words("box.figures.somebody") for name in names)


class AllPlayersResultsHandler(BaseNonLivePageHandler):
    """The request handler for the page about all players and their results."""

    async def get(self) -> None:
        """Send the page with a table of all players and sentences about them."""
        words, group = self.page_words(), await self.request_record_data({"group": True}, "group")
        title, people = words("page.people"), group["people"]
        heads = [words(f"page.{key}") for key in PEOPLE_COLUMNS]
        self.send_rendered_template(
            "people.html", title, words,
            table=SortableTable(title, heads, [_person_row(person, words) for person in people]),
            persons=[(person["name"], _person(person, words)) for person in people],
            together=[*_together(group, words)],
        )  # fmt: skip


def _person_row(person: Message, words: Words) -> list[TableCell]:
    rate = person["rate"]
    share = "" if rate is None else f"{round(100 * rate)}\N{NO-BREAK SPACE}%"
    hours = format_decimal(person["seconds"] / SECONDS_PER_HOUR, words.language)
    return [
        TableCell(person["name"]),
        TableCell(person["games"], number=True),
        TableCell(person["wins"], number=True),
        TableCell(share, rate or 0, number=True),
        TableCell(person["longest"], number=True),
        TableCell(hours, person["seconds"], number=True),
        TableCell(person["nemesis"] or ""),
    ]


def _person(person: Message, words: Words) -> list[str]:
    by_game = [
        words("box.figures.of", what=words.game_title(game), share=_share(count, words))
        for game, count in person["by_game"].items()
    ]
    against = [
        words.sentence_for_count("box.figures.against", a["games"], **a, who=who)
        for who, a in sorted(person["against"].items(), key=lambda item: -item[1]["games"])
    ]
    return by_game + against


def _together(group: Message, words: Words) -> Iterator[str]:
    for game in group["a_year_ago"]:
        who, called = _everybody(game["players"], words), words.game_title(game["game"])
        yield words("box.figures.year_ago", game=called, who=who, number=game["number"])
    for year, of in sorted(group["years"].items(), reverse=True):
        best = sorted(of["wins"].items(), key=lambda item: (-item[1], item[0]))
        hours = format_decimal(of["seconds"] / SECONDS_PER_HOUR, words.language)
        facts = {"year": year, "hours": hours, "wins": ", ".join(f"{who} {n}" for who, n in best)}
        yield words.sentence_for_count("box.figures.year", of["games"], **facts)
    for name, best_of in sorted(group["records"].items()):
        longest = best_of["longest"]
        facts = {
            "n": longest["answers"],
            "number": longest["number"],
            "day": format_date_in_words(longest["begun"], words),
        }
        yield words("box.figures.record", game=words.game_title(name), **facts)
    if group["hardest"]:
        hard = ((hard_word["word"], hard_word["asked"]) for hard_word in group["hardest"])
        hard_words = ", ".join(words("box.figures.hard", word=word, n=n) for word, n in hard)
        yield words("box.figures.hardest", words=hard_words)


def _share(count: Message, words: Words) -> str:
    facts = {"wins": count["wins"], "games": count["games"]}
    if count["rate"] is None:
        return words("box.figures.few", **facts)
    return words("box.figures.rate", **facts, percent=round(100 * count["rate"]))


class RecordedGameHandler(BaseNonLivePageHandler):
    """The request handler for one past game: score curve, statistics and final scores."""

    async def get(self, number: str) -> None:
        """Send the page about the past game `number`.

        Raise HTTPError 404 if there is no such game.
        """
        words = self.page_words()
        if int(number) > MAX_GAME_NUMBER:
            raise HTTPError(404)
        game = (await self.request_record_data({"past": {"game": int(number)}}, "past"))["game"]
        points = [AllSeatScores(p["answers"], tuple(p["scores"])) for p in game["curve"]]
        self.send_rendered_template(
            "game.html", words.game_title(game["game"]), words,
            begun=game["begun"], curve=make_score_curve(points, game["players"]),
            lines=[*_sentences(game, words)], table=_scores(game, words),
        )  # fmt: skip


def _scores(game: Message, words: Words) -> SortableTable:
    rows = [
        (TableCell(name or words("box.figures.somebody")), TableCell(score, number=True))
        for name, score in zip(game["players"], game["scores"] or (), strict=False)
    ]
    return SortableTable(words("page.scores"), [words("page.name"), words("page.points")], rows)


def _won_by(game: Message, words: Words) -> str:
    return _everybody(game["winners"], words) or words("box.figures.by_nobody")


def _sentences(game: Message, words: Words) -> Iterator[str]:
    if game["over"] and game["winners"]:
        yield words("box.figures.won_by", who=_everybody(game["winners"], words))
    yield words("box.figures.began", who=game["first"] or words("box.figures.somebody"))
    minutes = round(game["seconds"] / 60)
    yield words("box.figures.length", minutes=minutes, answers=game["answers"])
    if sum(game["used"]) >= SECONDS_PER_MINUTE:
        players = (who or words("box.figures.somebody") for who in game["players"])
        pairs = zip(players, game["used"], strict=True)
        times = ", ".join(f"{who} {round(n / SECONDS_PER_MINUTE)}" for who, n in pairs)
        yield words("box.figures.used", times=times)
    if game["leads"]:
        yield words.sentence_for_count("box.figures.leads", game["leads"])
    if game["over"] and 0 < game["decided"] < game["answers"]:
        who = game["winners"][0] or words("box.figures.somebody")
        yield words("box.figures.decided", who=who, n=game["decided"], of=game["answers"])
    if game["undone"] or game["corrected"]:
        yield words("box.figures.mended", undone=game["undone"], corrected=game["corrected"])
    if game["dice"] != "none":
        yield words(f"box.figures.dice.{game['dice']}", n=sum(game["faces"]))
    if game["shuffled"] != "none":
        yield words(f"box.figures.shuffles.{game['shuffled']}", n=game["shuffles"][1])
    if not game["over"] or game["straight"] is not None:
        chance = {None: "sealed", True: "verified", False: "crooked"}[game["straight"]]
        yield words(f"box.figures.{chance}", code=game["code"], n=game["number"])
    yield from _tally(game, words)
    if game["note"]:
        yield words("box.figures.note", text=game["note"])


def _tally(game: Message, words: Words) -> Iterator[str]:
    for statistic in game["tally"]:
        key = f"{game['game']}.figure.{statistic['what']}"
        if not words.has_sentence(key):
            continue
        label = words(key)
        if statistic["who"]:
            yield words("box.figures.counted", who=statistic["who"], what=label, n=statistic["n"])
        else:
            yield words("box.figures.counted_all", what=label, n=statistic["n"])


def load_game_clauses(game: str, language: str) -> tuple[clauses.RuleSheetSection, ...]:
    """Return the clauses (numbered rules) of a game in sections with headings.

    If the game has no clauses, return the rule sentences of the game's catalogue in one section.
    """
    if clauses.has_rule_sheet(game):
        return clauses.read_rule_sheet_sections(game)
    texts = {
        name: text
        for name, text in sentences_of_game_by_kind(game, language, "rule").items()
        if "." not in name
    }
    rule_clauses = tuple(clauses.Clause(name, "", {language: text}) for name, text in texts.items())
    return (clauses.RuleSheetSection({language: ""}, rule_clauses),) if rule_clauses else ()


class RuleBookHandler(BaseNonLivePageHandler):
    """The request handler for the page with the clauses (numbered rules) of a game."""

    async def get(self) -> None:
        """Send the page for the game in the query argument `game`.

        Without this argument, send the page for the running game, or for the first game with
        clauses if no such game is running. Raise HTTPError 404 if the game does not exist or has no
        clauses.
        """
        words = self.page_words()
        playing, games = (
            (await self.find_seat_connection()).watch.hello.get("game"),
            tuple(
                name
                for name in registry.playable_game_names()
                if load_game_clauses(name, words.language)
            ),
        )
        standing = playing if playing in games else games[0]
        game = self.get_query_argument("game", standing)
        if game not in games:
            raise HTTPError(404)
        title = words("page.rules_of", game=words.game_title(game))
        parts = load_game_clauses(game, words.language)
        self.send_rendered_template("rules.html", title, words, game=game, games=games, parts=parts)
