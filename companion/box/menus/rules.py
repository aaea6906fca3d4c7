"""The box itself: first screen, new game, settings, past games, and the menu during a game.

Built as a game is: here is its state, and what is asked; what an answer does is in `answers`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.box.menus import boards, settings
from companion.box.menus.settings import LEVELS, LONGEST_NAME, LOUDEST
from companion.core.prompts import Choose, Number, Prompt, Spell
from companion.hear.policy import spoken
from companion.say.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.box.menus.club import Open
    from companion.box.menus.evenings import Evening
    from companion.box.menus.phones import Phones
    from companion.core.game import Game
    from companion.core.prompts import Answer
    from companion.figures.lookup import Everybody
    from companion.record.journal import Summary

HOURS: Final = tuple(map(str, settings.HOURS))
REMEMBERED: Final = 12
FORBIDDEN: Final = ("open", "nobody")
"""Names that would be taken for an answer (docs/protocol.md)."""
OF: Final = "of "
"""Before the name of the player whose phone it is."""
THESE: Final = "these "
"""Before how many people are taken with one press."""


def _no_board(_game: str) -> str:
    return ""


class Told(NamedTuple):
    """How a game stands, or ended: the scores by seat and how many answers, if that is known."""

    scores: tuple[int, ...] = ()
    answers: int | None = None


def untold(_: int) -> Told:
    """Nothing is known of any game."""
    return Told()


class Facts(NamedTuple):
    """What the box knows when a menu opens. `now` is in seconds since 1970.

    `board` says how a game's board stands, "" if nobody can teach it, or need not.
    `told` looks a game up by its number. Of the game being played: its name, its options as it was
    `prepared`, and how many are `seated`. `everybody` has everybody's figures, or how many games
    are still to be counted for them; None if nobody counts. `there` is the game as it stands,
    sentence by sentence, and `said` what was said last, the newest first: where one plays by ear.
    """

    games: tuple[str, ...]
    settings: Mapping[str, Any]
    unfinished: tuple[Summary, ...]
    past: tuple[Summary, ...]
    now: int
    playing: str | None = None
    secrets: tuple[str, ...] = ()
    undoable: int = 0
    redoable: int = 0
    anytime: tuple[str, ...] = ()
    book: bool = False
    prepared: tuple[tuple[str, str], ...] = ()
    seated: int = 0
    voices: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    told: Callable[[int], Told] = untold
    phones: Phones | None = None
    evening: Evening | None = None
    board: Callable[[str], str] = _no_board
    everybody: Everybody | int | None = None
    there: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


class State(NamedTuple):
    """One page of the menus, and what has been chosen for a new game so far.

    `at` is the line that led on from it, to which BACK returns; None if none did. `counted` are the
    spaces of the board, or of its circles, so far; `evening` is what has been chosen for a club's.
    """

    facts: Facts
    page: str
    game: Game[Any] | None = None
    seats: int = 0
    players: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    who: str = ""
    book: str = ""
    heading: int = 0
    at: int | None = None
    number: str = ""
    board: str = ""
    evening: tuple[tuple[str, Answer], ...] = ()
    counted: tuple[int, ...] = ()


def setup(facts: Facts) -> State:
    """The first screen, or the menu of the game being played."""
    return State(facts, "menu" if facts.playing else "home")


def ask(state: State) -> Prompt:
    """The page's question."""
    match state.page:
        case "spaces":
            return _count(game_of(state).name, state.counted)
        case "spell":
            return Spell("spell", None, LONGEST_NAME, _names(state))
        case "volume":
            lo, hi = state.facts.settings["quietest"], state.facts.settings["loudest"]
            return Number("volume", None, lo, hi, min(max(state.facts.settings["volume"], lo), hi))
        case "quietest" | "loudest":
            return Number(state.page, None, 1, LOUDEST, state.facts.settings[state.page])
        case page if page.startswith("evening"):
            from companion.box.menus import club  # noqa: PLC0415 - only where there is an evening

            return club.ask(evening_of(state))
        case page if page in settings.TABLE and settings.TABLE[page].values:
            return _list(page, settings.TABLE[page].values, state.facts.settings[page])
        case page:
            return _list(page, _PAGES[page](state), _preselected(state))


def _count(game: str, counted: tuple[int, ...]) -> Number:
    """What is counted next of a board that is to be taught; it starts on the count before."""
    counts, lo, hi, start = boards.counted(game)
    asked = {"counted": f"{game}.count.{counts[len(counted)]}"}
    return Number("spaces", None, lo, hi, (start, *counted)[-1], facts=asked)


def _list(page: str, options: tuple[str | int, ...], likely: str | None) -> Choose:
    weights = tuple(2 if option == likely else 1 for option in options) if likely else ()
    return Choose(page, None, options, weights)


def _preselected(state: State) -> str | None:
    if state.page == "leaf":
        return _opened(state)
    now = state.facts.settings
    begins = now["quiet_from"]
    past = state.facts.past[:1]
    return {
        "game": past[0].game if past else None,
        "quiet_from": "off" if begins is None else str(begins),
        "quiet_to": str(now["quiet_to"]),
        **{f"voice_{language}": voice for language, voice in now["voices"].items()},
        **{f"speed_{lang}": str(spoken(now, lang)[1]) for lang in LANGUAGES},
    }.get(state.page)


def _home(state: State) -> tuple[str, ...]:
    unfinished = ("resume",) if state.facts.unfinished else ()
    past = ("games",) if state.facts.past else ()
    again = ("rematch",) if last_over(state.facts) else ()
    people = ("people",) if _has_people(state.facts) else ()
    others = (*_phones_line(state), *_evening_line(state))
    lines = (*unfinished, "new", *past, *people, "rules", *others, "settings")
    return (*lines[:1], *again, *lines[1:])  # a thumb that ends a game twice begins no other


def _has_people(facts: Facts) -> bool:
    """Whether anybody has won anything, as far as the newest games tell."""
    over = any(summary.winners is not None for summary in facts.past)
    return over and facts.everybody is not None


def _people(state: State) -> tuple[str, ...]:
    """Everybody, and the table as a whole; while they are counted only a way back."""
    found = state.facts.everybody
    if found is None or isinstance(found, int):
        return ("wait",)
    return (*(f"{OF}{one.name}" for one in found.people), "together")


def _phones_line(state: State) -> tuple[str, ...]:
    """The line that leads to the phones' page, where there is a door for them."""
    return () if state.facts.phones is None else ("phones",)


def _evening_line(state: State) -> tuple[str, ...]:
    """The line that leads to a club's evening: while a game is played, only to one that runs."""
    facts = state.facts
    runs = facts.evening is not None and facts.evening.state in ("on", "over")
    there = facts.phones is not None and (facts.playing is None or runs)
    return ("evening",) if there else ()


def evening_of(state: State) -> Open:
    """What the pages of a club's evening are about."""
    from companion.box.menus import club, evenings  # noqa: PLC0415 - only where there is an evening

    facts = state.facts
    names = tuple(facts.settings["names"])
    now = facts.evening or evenings.AWAY
    return club.Open(state.page, now, state.evening, names, facts.games, facts.playing is None)


def _phones(state: State) -> tuple[str, ...]:
    known = state.facts.phones
    first = ("network",) if known and known.network else ()
    return (*first, "scan", "typed", *(f"{OF}{name}" for name in (known.names if known else ())))


def last_over(facts: Facts) -> Summary | None:
    """The game that was played last, if it is over: the same people may want another."""
    newest = facts.past[:1]
    return newest[0] if newest and newest[0].winners is not None else None


def _menu(state: State) -> tuple[str, ...]:
    facts = state.facts
    undo = ("undo",) if facts.undoable else ()
    redo = ("redo",) if facts.redoable else ()
    look = ("look",) if facts.secrets else ()
    spoken = facts.settings["heard"] in LEVELS[:2] and not facts.settings["silent"]
    ear = facts.settings["ear"] or bool(facts.there)
    again = ("said",) if ear else ("again",) if spoken else ()
    there = ("there",) if ear else ()
    book = ("rules",) if facts.book else ()
    book = ("setup", *book) if _preparing(state) else book
    game = (*facts.anytime, *there, "standing", *again, *undo, *redo, "why", *book, *look)
    others = (*_phones_line(state), *_evening_line(state))
    return ("go_on", *game, *others, "settings", "leave")


def these(state: State) -> dict[str, tuple[str, ...]]:
    """Whom to offer with one press: who played last, and the likeliest of each other number."""
    seats, names = game_of(state).seats, _names(state._replace(players=()))
    past = [game.players for game in state.facts.past[:1] if len(game.players) in seats]
    others = (names[:n] for n in seats if n <= len(names) and n not in map(len, past))
    return {f"{THESE}{len(players)}": players for players in (*past, *others)}


def _players(state: State) -> tuple[str | int, ...]:
    return (*these(state), *game_of(state).seats)


def _name(state: State) -> tuple[str, ...]:
    return (*_names(state), "spell")


def prepares(state: State) -> tuple[str, tuple[tuple[str, str], ...], int]:
    """The game to be set up, or the one being played; its options, and how many play."""
    facts = state.facts
    if facts.playing is not None:
        return facts.playing, facts.prepared, facts.seated
    return game_of(state).name, state.options, len(state.players)


def _preparing(state: State) -> tuple[str, ...]:
    """The pages of how to set up; the first one is named for what its answer does."""
    from companion.box.menus import book  # noqa: PLC0415 - nobody reads before the first frame

    found = book.preparing(*prepares(state), state.facts.settings["language"])
    return ("start", *_places(found)[1:]) if found else ()


def _names(state: State) -> tuple[str, ...]:
    """Names to pick from: those who played last, then the game's own."""
    known = (*state.facts.settings["names"], *game_of(state).names)
    taken = {name.casefold() for name in state.players}
    return tuple(name for name in dict.fromkeys(known) if name.casefold() not in taken)


def _options(state: State) -> tuple[str, ...]:
    chosen = tuple(option.name for option in game_of(state).options if len(option.values) > 1)
    setup = ("setup",) if _preparing(state) else ()
    return ("start", *setup, *chosen, *(("board",) if state.board else ()))


def _books(_: State) -> tuple[str, ...]:
    from companion.box.menus import book  # noqa: PLC0415 - nobody reads before the first frame

    return book.games()


def _headings(state: State) -> tuple[str, ...]:
    from companion.box.menus import book  # noqa: PLC0415 - likewise

    return _places(book.headings(state.book, state.facts.settings["language"]))


def _leaves(state: State) -> tuple[str, ...]:
    from companion.box.menus import book  # noqa: PLC0415 - likewise

    return _places(book.leaves(state.book, state.facts.settings["language"]))


def _opened(state: State) -> str:
    from companion.box.menus import book  # noqa: PLC0415 - likewise

    return str(book.opened(state.book, state.heading, state.facts.settings["language"]))


def _places(found: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(map(str, range(len(found))))


def _numbers(summaries: tuple[Summary, ...]) -> tuple[str, ...]:
    return tuple(str(summary.id) for summary in summaries)


def game_of(state: State) -> Game[Any]:
    """The game that is to be begun."""
    assert state.game is not None  # noqa: S101 - for the type checker
    return state.game


_PAGES: Final[Mapping[str, Callable[[State], tuple[str | int, ...]]]] = {
    "home": _home,
    "menu": _menu,
    "unfinished": lambda state: (*_numbers(state.facts.unfinished), "delete"),
    "games": lambda state: (*_numbers(state.facts.past), "delete"),
    "delete": lambda state: _numbers(state.facts.past),
    "deleting": lambda _: ("no", "yes"),
    "game": lambda state: state.facts.games,
    "players": _players,
    "name": _name,
    "options": _options,
    "board": lambda state: boards.ANSWERS[state.board],
    "setup": _preparing,
    "rules": _books,
    "headings": _headings,
    "leaf": _leaves,
    "people": _people,
    "look": lambda state: state.facts.secrets,
    "phones": _phones,
    "phone": lambda _: ("keep", "remove"),
    "joining": lambda _: ("yes", "no"),
    "settings": lambda state: settings.lines(voices=bool(state.facts.voices)),
    "voices": lambda _: (
        *("practice", *(f"{kind}_{lang}" for lang in LANGUAGES for kind in ("voice", "speed"))),
    ),
    "practice": lambda state: (
        *(f"{lang} {name}" for lang in LANGUAGES for name in state.facts.voices[lang]),
    ),
    "voice_en": lambda state: state.facts.voices["en"],
    "voice_fr": lambda state: state.facts.voices["fr"],
    "speed_en": lambda _: tuple(map(str, settings.SPEEDS)),
    "speed_fr": lambda _: tuple(map(str, settings.SPEEDS)),
    "quiet_from": lambda _: ("off", *HOURS),
    "quiet_to": lambda state: tuple(
        hour for hour in HOURS if int(hour) != state.facts.settings["quiet_from"]
    ),
    "ear": lambda state: ("all", *(f"{OF}{name}" for name in state.facts.settings["names"])),
    "there": lambda state: _places(state.facts.there) or ("0",),
    "said": lambda state: _places(state.facts.said) or ("0",),
    "languages": lambda state: (*dict.fromkeys((*state.facts.settings["names"],)),) or ("nobody",),
}  # fmt: skip


def informed(state: State, settings: Mapping[str, Any]) -> State:
    """The page, with the settings as they are now."""
    return state._replace(facts=state.facts._replace(settings=settings))


def view(state: State) -> dict[str, Any]:
    """What the sentences and labels of a page need to know."""
    facts = state.facts
    summaries = {str(s.id): s for s in (*facts.unfinished, *facts.past)}
    return {
        "seat": len(state.players) + 1,
        "players": state.players,
        "these": these(state) if state.page == "players" else {},
        "prepares": prepares(state) if state.page == "setup" else None,
        "options": dict(state.options),
        "option_game": state.game.name if state.game else None,
        "settings": facts.settings,
        "summaries": summaries,
        "told": facts.told,
        "number": state.number,
        "newest": facts.unfinished[0] if facts.unfinished else None,
        "over": last_over(facts),
        "unfinished": len(facts.unfinished),
        "undoable": facts.undoable,
        "now": facts.now,
        "page": state.page,
        "playing": facts.playing,
        "anytime": facts.anytime,
        "book": state.book,
        "heading": state.heading,
        "voices": facts.voices,
        "phones": facts.phones,
        "evening": facts.evening,
        "whose": state.who,
        "who": state.who,
        "board": state.board,
        "everybody": facts.everybody,
        "there": facts.there,
        "said": facts.said,
    }


def remembered(names: list[str], players: tuple[str, ...]) -> list[str]:
    """The names to offer next time: those who play now first, in their order."""
    return list(dict.fromkeys((*players, *names)))[:REMEMBERED]
