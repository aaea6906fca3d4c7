"""The box itself: first screen, new game, settings, past games, and the menu during a game.

Built as a game is: a state, what is asked, and what an answer does. Nothing here stores or starts
anything: a cue tells `app` what was wished for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, Choose, Number, Prompt, Spell
from companion.games.registry import find

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.game import Game
    from companion.record.journal import Summary

LEVELS: Final = ("everything", "scores", "mistakes", "nothing")
"""What is heard, from all to silence."""
DEFAULTS: Final[Mapping[str, Any]] = {
    "language": "en",
    "languages": {},
    "volume": 7,
    "quietest": 1,
    "loudest": 10,
    "heard": "everything",
    "speech": "normal",
    "silent": False,
    "quiet_from": None,
    "quiet_to": 7,
    "names": [],
}
HOURS: Final = tuple(str(hour) for hour in range(24))
LOUDEST: Final = 10
LONGEST_NAME: Final = 10
REMEMBERED: Final = 12
FORBIDDEN: Final = ("open", "nobody")
"""Names that would be taken for an answer (docs/protocol.md)."""


class Facts(NamedTuple):
    """What the box knows when a menu opens. `now` is in seconds since 1970."""

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


class State(NamedTuple):
    """One page of the menus, and what has been chosen for a new game so far."""

    facts: Facts
    page: str
    game: Game[Any] | None = None
    seats: int = 0
    players: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    who: str = ""


def setup(facts: Facts) -> State:
    """The first screen, or the menu of the game being played."""
    return State(facts, "menu" if facts.playing else "home")


# --- What is asked --------------------------------------------------------------------------------


def ask(state: State) -> Prompt:
    """The page's question."""
    match state.page:
        case "players":
            seats = _game(state).seats
            return Number("players", None, seats.start, seats.stop - 1, seats.start)
        case "spell":
            return Spell("spell", None, LONGEST_NAME, _names(state))
        case "volume":
            lo, hi = state.facts.settings["quietest"], state.facts.settings["loudest"]
            return Number("volume", None, lo, hi, min(max(state.facts.settings["volume"], lo), hi))
        case "quietest" | "loudest":
            return Number(state.page, None, 1, LOUDEST, state.facts.settings[state.page])
        case page:
            return _list(page, _PAGES[page](state), _preselected(state))


def _list(page: str, options: tuple[str, ...], likely: str | None) -> Choose:
    weights = tuple(2 if option == likely else 1 for option in options) if likely else ()
    return Choose(page, None, options, weights)


def _preselected(state: State) -> str | None:
    settings = state.facts.settings
    begins = settings["quiet_from"]
    return {
        "heard": settings["heard"],
        "speech": settings["speech"],
        "quiet_from": "off" if begins is None else str(begins),
        "quiet_to": str(settings["quiet_to"]),
    }.get(state.page)


def _home(state: State) -> tuple[str, ...]:
    unfinished = ("resume",) if state.facts.unfinished else ()
    past = ("games",) if state.facts.past else ()
    return (*unfinished, "new", *past, "settings")


def _menu(state: State) -> tuple[str, ...]:
    facts = state.facts
    undo = ("undo",) if facts.undoable else ()
    redo = ("redo",) if facts.redoable else ()
    look = ("look",) if facts.secrets else ()
    spoken = facts.settings["heard"] in LEVELS[:2] and not facts.settings["silent"]
    again = ("again",) if spoken else ()
    game = (*facts.anytime, "standing", *again, *undo, *redo, "why", *look)
    return ("go_on", *game, "settings", "leave")


def _names(state: State) -> tuple[str, ...]:
    """Names to pick from: those who played last, then the game's own."""
    known = (*state.facts.settings["names"], *_game(state).names)
    taken = {name.casefold() for name in state.players}
    return tuple(name for name in dict.fromkeys(known) if name.casefold() not in taken)


def _numbers(summaries: tuple[Summary, ...]) -> tuple[str, ...]:
    return tuple(str(summary.id) for summary in summaries)


def _game(state: State) -> Game[Any]:
    assert state.game is not None  # noqa: S101 - for the type checker
    return state.game


_PAGES: Final[Mapping[str, Callable[[State], tuple[str, ...]]]] = {
    "home": _home,
    "menu": _menu,
    "unfinished": lambda state: _numbers(state.facts.unfinished),
    "games": lambda state: _numbers(state.facts.past),
    "game": lambda state: state.facts.games,
    "name": lambda state: (*_names(state), "spell"),
    "options": lambda state: ("start", *(name for name, _ in state.options)),
    "look": lambda state: state.facts.secrets,
    "settings": lambda _: (
        *("volume", "heard", "speech", "silent", "quiet_from"),
        *("language", "languages", "quietest", "loudest"),
    ),
    "quiet_from": lambda _: ("off", *HOURS),
    "quiet_to": lambda state: tuple(
        hour for hour in HOURS if int(hour) != state.facts.settings["quiet_from"]
    ),
    "heard": lambda _: LEVELS,
    "speech": lambda _: ("normal", "short", "teaching"),
    "languages": lambda state: (*dict.fromkeys((*state.facts.settings["names"],)),) or ("nobody",),
}  # fmt: skip


# --- What an answer does --------------------------------------------------------------------------


def on(state: State, value: Answer) -> tuple[State, Cues]:
    """The next page, and what is wished for."""
    return _ON[ask(state).name](state, value)


def _go(state: State, page: str) -> tuple[State, Cues]:
    return state._replace(page=page), ()


def _on_home(state: State, value: str) -> tuple[State, Cues]:
    if value == "resume":
        if len(state.facts.unfinished) > 1:
            return _go(state, "unfinished")
        return state, (Cue("resume", {"number": state.facts.unfinished[0].id}),)
    if value == "new":
        games = state.facts.games
        return _go(state, "game") if len(games) > 1 else _on_game(state, games[0])
    return _go(state, value)


def _on_menu(state: State, value: str) -> tuple[State, Cues]:
    if value in ("settings", "look"):
        return _go(state, value)
    if value in state.facts.anytime:
        return state, (Cue("anytime", {"name": value}),)
    return state, (Cue(value),)


def _on_number(state: State, value: str) -> tuple[State, Cues]:
    return state, (Cue("resume", {"number": int(value)}),)


def _on_games(state: State, value: str) -> tuple[State, Cues]:
    """A finished game is told; one that is not finished goes on, however old it is."""
    game = next(summary for summary in state.facts.past if summary.id == int(value))
    wish = "resume" if game.winners is None else "past"
    return state, (Cue(wish, {"number": game.id}),)


def _on_look(state: State, value: str) -> tuple[State, Cues]:
    return state, (Cue("look", {"who": value}),)


def _on_game(state: State, value: str) -> tuple[State, Cues]:
    game = find(value)
    options = tuple((option.name, option.values[0]) for option in game.options)
    return state._replace(page="players", game=game, options=options, players=()), ()


def _on_players(state: State, value: int) -> tuple[State, Cues]:
    return state._replace(page="name", seats=value), ()


def _on_name(state: State, value: str) -> tuple[State, Cues]:
    if value == "spell":
        return _go(state, "spell")
    if value.casefold() in FORBIDDEN:
        return state, (Cue("refused", {"code": "name_forbidden"}),)
    if value.casefold() in map(str.casefold, state.players):
        return state, (Cue("refused", {"code": "name_taken"}),)
    players = (*state.players, value)
    page = "name" if len(players) < state.seats else "options"
    return state._replace(page=page, players=players), ()


def _on_options(state: State, value: str) -> tuple[State, Cues]:
    if value == "start":
        facts = {
            "game": _game(state).name,
            "players": state.players,
            "options": dict(state.options),
        }
        return state, (Cue("begin", facts),)
    return state._replace(options=tuple(_turned(state, *pair, value) for pair in state.options)), ()


def _turned(state: State, name: str, value: str, which: str) -> tuple[str, str]:
    if name != which:
        return name, value
    values = next(option.values for option in _game(state).options if option.name == name)
    return name, values[(values.index(value) + 1) % len(values)]


def _on_settings(state: State, value: str) -> tuple[State, Cues]:
    if value == "language":
        other = "fr" if state.facts.settings["language"] == "en" else "en"
        return _set(state, "language", other)
    if value == "silent":
        return _set(state, "silent", not state.facts.settings["silent"])
    return _go(state, value)


def _on_quiet_from(state: State, value: str) -> tuple[State, Cues]:
    """The hour from which on it is quiet, and then until when; or never."""
    if value == "off":
        state, cues = _set(state, "quiet_from", None)
        return state._replace(page="settings"), cues
    state, cues = _set(state, "quiet_from", int(value))
    return state._replace(page="quiet_to"), cues


def _on_quiet_to(state: State, value: str) -> tuple[State, Cues]:
    state, cues = _set(state, "quiet_to", int(value))
    return state._replace(page="settings"), cues


def _on_languages(state: State, value: str) -> tuple[State, Cues]:
    """A player's own language: the box's, or the other one."""
    if value == "nobody":
        return _go(state, "settings")
    own = dict(state.facts.settings["languages"])
    if value in own:
        del own[value]
    else:
        own[value] = "fr" if state.facts.settings["language"] == "en" else "en"
    return _set(state, "languages", own)


def _on_setting(state: State, value: Answer) -> tuple[State, Cues]:
    page = state.page
    state, cues = _set(state, page, value)
    if page in ("quietest", "loudest"):
        other = "loudest" if page == "quietest" else "quietest"
        if state.facts.settings["quietest"] > state.facts.settings["loudest"]:
            state, more = _set(state, other, value)
            cues = (*cues, *more)
    return state._replace(page="settings"), cues


def _set(state: State, key: str, value: Answer) -> tuple[State, Cues]:
    facts = state.facts._replace(settings={**state.facts.settings, key: value})
    return state._replace(facts=facts), (Cue("set", {"key": key, "value": value}),)


_ON: Final[Mapping[str, Callable[[State, Any], tuple[State, Cues]]]] = {
    "home": _on_home,
    "menu": _on_menu,
    "unfinished": _on_number,
    "games": _on_games,
    "game": _on_game,
    "players": _on_players,
    "name": _on_name,
    "spell": _on_name,
    "options": _on_options,
    "look": _on_look,
    "settings": _on_settings,
    "languages": _on_languages,
    "heard": _on_setting,
    "speech": _on_setting,
    "quiet_from": _on_quiet_from,
    "quiet_to": _on_quiet_to,
    "volume": _on_setting,
    "quietest": _on_setting,
    "loudest": _on_setting,
}


def place(state: State) -> tuple[str, tuple[str, ...]]:
    """Where a page is: each name of a new game has a page of its own."""
    return state.page, state.players


def turned(pages: list[State], state: State) -> list[State]:
    """The pages that BACK leads through, with `state` on top; one that is there already is found.

    A spelt name is taken from its page: BACK does not lead there again.
    """
    where = [place(page) for page in pages]
    if place(state) in where:
        return [*pages[: where.index(place(state))], state]
    return [*(page for page in pages if page.page != "spell"), state]


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
        "options": dict(state.options),
        "option_game": state.game.name if state.game else None,
        "settings": facts.settings,
        "summaries": summaries,
        "newest": facts.unfinished[0] if facts.unfinished else None,
        "unfinished": len(facts.unfinished),
        "undoable": facts.undoable,
        "now": facts.now,
        "page": state.page,
        "playing": facts.playing,
        "anytime": facts.anytime,
    }


def remembered(names: list[str], players: tuple[str, ...]) -> list[str]:
    """The names to offer next time: those who play now first, in their order."""
    return list(dict.fromkeys((*players, *names)))[:REMEMBERED]
