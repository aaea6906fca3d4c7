"""The box's own menus in words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from companion.box.menus import settings
from companion.box.menus.rules import OF
from companion.catalog import registry
from companion.draw.canvas import apart, wrap
from companion.draw.parts import people
from companion.hear.policy import spoken
from companion.say.decimals import decimal
from companion.say.words import Wording, Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.prompts import Answer
    from companion.figures.lookup import Everybody
    from companion.record.journal import Summary
    from companion.say.words import MissingWords

COLUMNS: Final = 21
"""Small letters in a row."""
MINUTE, HOUR, DAY = 60, 3600, 86400


@cache
def of_the_box(language: str) -> Words:
    """The words of the menus."""
    return Words(language, Wording(label=label, fields=fields), missing=_without)


def _without(key: str, error: MissingWords) -> None:
    """A game in a list may lack its name; the box lacks no sentence of its own."""
    game = key.partition(".")[0]
    if game not in registry.NAMES:
        raise error
    from companion.draw.errors import unseen  # noqa: PLC0415 - nothing heavy before the first frame

    unseen(game).missing(key, error)


def practice(language: str) -> tuple[str, ...]:
    """What every voice says, to be told from the others: a name, a number and an ordinal."""
    words = of_the_box(language)
    _, two, one, *_ = registry.NAMES
    return (
        words("box.say.practice.name", one=words.called(one), two=words.called(two)),
        words("box.say.practice.number"),
        words("box.say.practice.ordinal"),
    )


def label(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str | None:
    """A menu line that shows a name, a value or an age; None where a fixed sentence will do."""
    if question.startswith("evening"):
        from companion.box.menus import club  # noqa: PLC0415 - only where there is an evening

        return club.label(words, question, value, view)
    return _line(words, question, value, view)


def fields(words: Words, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is counted of a board stands in the catalogue of its game."""
    return {"counted": words(given["counted"])} if "counted" in given else {}


def _line(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str | None:
    match question:
        case "game" | "rules":
            return words.called(value)
        case "players" | "name" if value != "spell":
            return _people(words, value, view)
        case "menu" if value in view["anytime"]:
            return words(f"{view['playing']}.menu.{value}")
        case "unfinished" | "games" | "delete" if value != "delete":
            return game(words, view["summaries"][value])
        case "options" if value == "board":
            return words(f"box.option.board.is.{view['board']}")
        case "options" if value not in ("start", "setup"):
            return words.setting(view["option_game"], value, view["options"][value])
        case "settings":
            return settings.label(words, str(value), view["settings"])
        case "languages" if value != "nobody":
            language = view["settings"]["languages"].get(value, view["settings"]["language"])
            return words("box.languages.line", who=value, language=language.upper())
        case "headings":
            return _heading(words, view["book"], int(value))
        case _:
            return _of_a_setting(words, question, str(value), view)


def _listener(words: Words, value: str, now: Mapping[str, Any]) -> str:
    """Whether everybody, or one player, plays by ear."""
    if value == "all":
        return words(f"box.option.ear.all.{now['ear']}")
    who = value.removeprefix(OF)
    return words(f"box.option.ear.one.{who in now['ears']}", who=who)


def _sentence(words: Words, question: str, n: int, view: Mapping[str, Any]) -> str:
    """One of the sentences that are walked through by ear."""
    found = view[question]
    return str(found[n]) if found else words("box.say.ear.nothing")


def _people(words: Words, value: Answer, view: Mapping[str, Any]) -> str:
    """So many players: all of those that are likely, or others; or one of them."""
    if isinstance(value, int):
        return words("box.others" if view["these"] else "box.players", n=value)
    if players := view["these"].get(value):
        return words("box.these", n=len(players), names=", ".join(players))
    return str(value)


def _of_a_setting(words: Words, question: str, value: str, view: Mapping[str, Any]) -> str | None:
    """An hour, how fast a voice is, or the voice: that is its own name."""
    kind, _, language = value.partition("_")
    match question, kind:
        case "ear", _:
            return _listener(words, value, view["settings"])
        case (("there" | "said"), _):
            return _sentence(words, question, int(value), view)
        case (("quiet_from" | "quiet_to"), _) if value != "off":
            return words("box.hour", n=value)
        case "people", _ if value.startswith(OF):
            return value.removeprefix(OF)
        case "voices", "voice":
            name = spoken(view["settings"], language)[0] or view["voices"][language][0]
            return words("box.option.voices.voice", language=language.upper(), name=name)
        case "voices", "speed":
            return words(f"box.option.voices.{value}", n=spoken(view["settings"], language)[1])
        case (("speed_en" | "speed_fr"), _):
            return words("box.speed", n=value)
        case (("voice_en" | "voice_fr" | "practice"), _):
            return value
        case _:
            return None


def _heading(words: Words, book: str, n: int) -> str:
    from companion.box.menus.book import headings  # noqa: PLC0415 - not before the first frame

    return headings(book, words.language)[n]


def game(words: Words, summary: Summary) -> str:
    """A game in a list: which one, and its winner if it is over."""
    who = ", ".join(summary.winners or ())
    return words(f"box.games.{'won' if who else 'open'}", game=words.called(summary.game), who=who)


def hint(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str:
    """One or two rows that say more of the line under the cursor; empty if there is no more."""
    if question.startswith("evening"):
        from companion.box.menus import club  # noqa: PLC0415 - only where there is an evening

        return club.hint(words, question, value, view)
    if question == "home" and value == "resume":
        return described(words, view["newest"], view)
    if question == "home" and value == "rematch":
        return described(words, view["over"], view)
    if players := view["these"].get(value):
        return people(players, 2)
    if question in ("unfinished", "games", "delete") and value != "delete":
        return described(words, view["summaries"][value], view)
    if question == "deleting":
        return described(words, view["summaries"][view["number"]], view)
    if question in ("voice_en", "voice_fr", "practice"):
        return _whole(str(value))
    if question == "people" and str(value).startswith(OF):
        return _person(words, str(value).removeprefix(OF), view["everybody"])
    key = f"box.hint.{question}.{value}"
    return words.counted(key, view["undoable"]) if words.has(key) else ""


def _person(words: Words, name: str, everybody: Everybody) -> str:
    """How much somebody won, and how long the person sat here."""
    one = next(one for one in everybody.people if one.name == name)
    won, hours = one.all, one.seconds / HOUR
    share = words("box.people.of", wins=won.wins, games=won.games)
    return words("box.hint.person", share=share, hours=decimal(hours, words.language))


def _whole(name: str) -> str:
    """A name that is too long for its line, in two; else nothing."""
    return f"{name[:COLUMNS]}|{name[COLUMNS:]}" if len(name) > COLUMNS - 2 else ""


def described(words: Words, summary: Summary, view: Mapping[str, Any]) -> str:
    """Who plays, with the scores; how old it is, and how far it came."""
    told = view["told"](summary.id)
    over = summary.winners is not None
    when = [age(words, view["now"] - summary.last)]
    if over:
        when.append(words("box.far.over"))
    elif told.answers is not None:
        when.append(words.counted("box.far.answers", told.answers))
    people = fitted(summary.players, told.scores, summary.winners or ())
    return words("box.hint.game", people=people, when=", ".join(when))


def fitted(
    players: Sequence[str], scores: Sequence[int], winners: Sequence[str] = (), rows: int = 1
) -> str:
    """The same in one row, or in more, with a star before who won: names are cut where they must,
    no score.
    """  # noqa: D205 - one list
    longest = max(map(len, players))
    for between, least in ((", ", 4), (" ", 2), (" ", 1))[: 1 + rows]:
        for letters in range(longest, least - 1, -1):
            cut = dict(zip(players, apart(players, letters), strict=True))
            names = [f"{'★' if who in winners else ''}{cut[who]}" for who in players]
            text = scored(names, scores, between)
            if len(wrap(text, COLUMNS)) <= rows:
                return text
    return people(players, rows, " ")


def scored(players: Sequence[str], scores: Sequence[int], between: str = ", ") -> str:
    """Players in their order, each with the score if there is one."""
    if not scores:
        return between.join(players)
    return between.join(f"{who} {n}" for who, n in zip(players, scores, strict=True))


def age(words: Words, seconds: int) -> str:
    """How long ago, in the largest unit that fits."""
    if seconds < MINUTE:
        return words("box.age.now")
    for unit, size in (("day", DAY), ("hour", HOUR), ("minute", MINUTE)):
        if seconds >= size:
            return words(f"box.age.{unit}", n=seconds // size)
    return words("box.age.now")
