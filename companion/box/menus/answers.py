"""What an answer to a page of the menus does: the next page, and what is wished for.

Nothing here stores or starts anything: the table grants wishes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.box.menus import boards, settings
from companion.box.menus.boards import ASSUMED, SETTLED, TAUGHT
from companion.box.menus.pages import Menus
from companion.box.menus.rules import FORBIDDEN, OF, ask, evening_of, game_of, last_over, these
from companion.catalog.registry import find
from companion.press.commands import (
    About,
    Admit,
    Again,
    Begin,
    Close,
    Count,
    Forget,
    Learn,
    Leave,
    OutOfTurn,
    Past,
    Peep,
    Practise,
    Redo,
    Refuse,
    Resume,
    Set,
    Standings,
    Undo,
    Why,
    Wish,
    Wishes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.box.menus.rules import State
    from companion.core.prompts import Answer

_MENU: Final[Mapping[str, Wish]] = {
    "go_on": Close(),
    "standing": Standings(),
    "again": Again(),
    "undo": Undo(),
    "redo": Redo(),
    "why": Why(),
    "leave": Leave(),
}
"""Lines of a game's menu that lead to no other page."""
SPELT: Final = ("spell", "evening_name", "evening_code")
"""Pages whose word is taken at once: BACK does not lead there again."""


def answered(menus: Menus, value: Answer) -> tuple[Menus, Wishes]:
    """An answer to the open page: the page that follows, and what is wished for.

    A page that is there already is found again. A spelt name is taken from its page: BACK does not
    lead there again.
    """
    page = menus.pages[-1]
    if page.page == "joining":  # it lies in front of anything
        return Menus(menus.pages[:-1]), (Admit(page.who),) if value == "yes" else ()
    state, wishes = on(page, value)
    if state.page == "setup" and menus.pages[-1].page in ("players", "name", "spell", "evening"):
        menus = _on_top(menus, state._replace(page="options"))
    return _on_top(menus, state), wishes


def _on_top(menus: Menus, state: State) -> Menus:
    """The pages with this one on top; one that is there already keeps the line that led on."""
    for n, page in enumerate(menus.pages):
        if is_same(page, state):
            return Menus((*menus.pages[:n], state._replace(at=page.at)))
    kept = (page for page in menus.pages if page.page not in SPELT)
    return Menus((*kept, state._replace(at=None)))


def is_same(page: State, other: State) -> bool:
    """Whether two states are of one page: each name, and each count, has a page of its own."""
    one, two = ((of.page, of.players, of.counted) for of in (page, other))
    return one == two


def on(state: State, value: Answer) -> tuple[State, Wishes]:
    """The next page, and what is wished for."""
    if state.page == "evening" and value == "play":
        return _sit_down(state)
    if state.page.startswith("evening"):
        from companion.box.menus import club  # noqa: PLC0415 - only where there is an evening

        after, wishes = club.on(evening_of(state), value)
        return state._replace(page=after.page, evening=after.chosen), wishes
    if state.page in settings.TABLE and state.page not in _ON:
        return _on_setting(state, value)
    return _ON[ask(state).name](state, value)


def _go(state: State, page: str) -> tuple[State, Wishes]:
    return state._replace(page=page), ()


def _on_home(state: State, value: str) -> tuple[State, Wishes]:
    if value == "rematch":
        return state, (_rematch(state),)
    if value == "resume":
        if len(state.facts.unfinished) > 1:
            return _go(state, "unfinished")
        return state, (Resume(state.facts.unfinished[0].id),)
    if value == "new":
        games = state.facts.games
        return _go(state, "game") if len(games) > 1 else _on_game(state, games[0])
    return state._replace(page=value), (Count(),) if value == "people" else ()


def _rematch(state: State) -> Begin:
    """The last game once more: the same people, in the same seats, as far as the rules have it."""
    last = last_over(state.facts)
    assert last is not None  # noqa: S101 - it was offered
    options = {}
    for option in find(last.game).options:
        chosen = last.options.get(option.name)
        kept = chosen if chosen in option.values else option.values[0]
        options[option.name] = option.after(kept, len(last.players)) if option.by_seat else kept
    return Begin(last.game, last.players, options, again=True)


def _on_menu(state: State, value: str) -> tuple[State, Wishes]:
    if value in ("settings", "look", "phones", "evening", "setup", "there", "said"):
        return _go(state, value)
    if value == "rules":
        return _on_rules(state, str(state.facts.playing))
    if value in state.facts.anytime:
        return state, (OutOfTurn(value),)
    return state, (_MENU[value],)


def _on_rules(state: State, value: str) -> tuple[State, Wishes]:
    return state._replace(page="headings", book=value), ()


def _on_headings(state: State, value: str) -> tuple[State, Wishes]:
    return state._replace(page="leaf", heading=int(value)), ()


def _on_leaf(state: State, _: str) -> tuple[State, Wishes]:
    return _go(state, "headings")


def _on_phones(state: State, value: str) -> tuple[State, Wishes]:
    if value.startswith(OF):
        return state._replace(page="phone", who=value.removeprefix(OF)), ()
    return _go(state, "home" if state.facts.playing is None else "menu")


def _on_phone(state: State, value: str) -> tuple[State, Wishes]:
    return state._replace(page="phones"), (Forget(state.who),) if value == "remove" else ()


def _on_number(state: State, value: str) -> tuple[State, Wishes]:
    if value == "delete":
        return _go(state, value)
    return state, (Resume(int(value)),)


def _on_games(state: State, value: str) -> tuple[State, Wishes]:
    """A finished game is looked back at; one that is not finished goes on, however old it is."""
    if value == "delete":
        return _go(state, value)
    game = next(summary for summary in state.facts.past if summary.id == int(value))
    return state, (Resume(game.id) if game.winners is None else Past(game.id),)


def _on_people(state: State, value: str) -> tuple[State, Wishes]:
    """A person, or the table as a whole; OK leads back while they are counted."""
    if value == "wait":
        return _go(state, "home")
    return state, (About(value.removeprefix(OF) if value.startswith(OF) else None),)


def _on_delete(state: State, value: str) -> tuple[State, Wishes]:
    return state._replace(page="deleting", number=value), ()


def _on_deleting(state: State, value: str) -> tuple[State, Wishes]:
    """A game is in no list any more; its lines stay in the record, which only grows."""
    if value == "no":
        return _go(state, "delete")
    hidden = [*state.facts.settings["hidden"], int(state.number)]
    state, wishes = _set(state, {"hidden": hidden})
    return state, (*wishes, Leave())


def _on_look(state: State, value: str) -> tuple[State, Wishes]:
    return state, (Peep(value),)


def _on_game(state: State, value: str) -> tuple[State, Wishes]:
    game = find(value)
    options = tuple((option.name, option.proposed) for option in game.options)
    board = state.facts.board(value)
    if board == ASSUMED and value in state.facts.settings["boards"]:
        board = SETTLED
    return state._replace(page="players", game=game, options=options, players=(), board=board), ()


def _on_players(state: State, value: str | int) -> tuple[State, Wishes]:
    if isinstance(value, int):
        return state._replace(page="name", seats=value), ()
    players = these(state)[value]
    return _seated(state._replace(seats=len(players), players=players)), ()


def _seated(state: State) -> State:
    """All players are known: how to set up, if the game says so; behind it how to play."""
    page = "setup" if "setup" in ask(state._replace(page="options")).options else "options"  # type: ignore[union-attr]
    return state._replace(page=page)


def _sit_down(state: State) -> tuple[State, Wishes]:
    """A club's game with those who sit at this table: only how to play it is left."""
    evening = state.facts.evening
    assert evening is not None  # noqa: S101 - it was offered
    if evening.game not in state.facts.games:
        return state, (Refuse("evening_game"),)
    begun, _ = _on_game(state, evening.game)
    if len(evening.here) not in game_of(begun).seats:
        return state, (Refuse("evening_seats"),)
    return _seated(begun._replace(seats=len(evening.here), players=evening.here)), ()


def _on_setup(state: State, _: str) -> tuple[State, Wishes]:
    if state.facts.playing is not None:
        return _go(state, "menu")
    return _on_options(state, "start")


def _on_name(state: State, value: str) -> tuple[State, Wishes]:
    if value == "spell":
        return _go(state, "spell")
    if value.casefold() in FORBIDDEN:
        return state, (Refuse("name_forbidden"),)
    if value.casefold() in map(str.casefold, state.players):
        return state, (Refuse("name_taken"),)
    players = (*state.players, value)
    state = state._replace(page="name", players=players)
    return (state if len(players) < state.seats else _seated(state)), ()


def _on_options(state: State, value: str) -> tuple[State, Wishes]:
    if value == "setup":
        return _go(state, value)
    if value == "board" or (value == "start" and state.board == ASSUMED):
        return _go(state, "board")
    if value == "start":
        return state, (Begin(game_of(state).name, state.players, dict(state.options)),)
    return state._replace(options=tuple(_next(state, *pair, value) for pair in state.options)), ()


def _on_board(state: State, value: str) -> tuple[State, Wishes]:
    """Whose board it is; the first answer is remembered, and then the game can begin."""
    game = game_of(state).name
    if value == "teach" and boards.counted(game).counts:
        return _go(state, "spaces")
    settled = state._replace(page="options", board=SETTLED)
    if value == "assumed":
        known = state.facts.settings["boards"]
        settled, wishes = _set(settled, {"boards": [*known, game]})
        return settled, wishes
    learn = Learn(game, value, state.players)
    return (settled if value == "forget" else settled._replace(board=TAUGHT)), (learn,)


def _on_spaces(state: State, value: int) -> tuple[State, Wishes]:
    """So many spaces, or fields of the next circle; when all are counted, the board is taught."""
    counted, game = (*state.counted, value), game_of(state).name
    if len(counted) < len(boards.counted(game).counts):
        return state._replace(counted=counted), ()
    learn = Learn(game, "teach", state.players, counted)
    return state._replace(page="options", board=TAUGHT, counted=()), (learn,)


def _next(state: State, name: str, value: str, which: str) -> tuple[str, str]:
    if name != which:
        return name, value
    option = next(option for option in game_of(state).options if option.name == name)
    return name, option.after(value, len(state.players))


def _on_settings(state: State, value: str) -> tuple[State, Wishes]:
    """A press on a line gives its next value, or opens its page."""
    turned = settings.TABLE[value].turned
    if turned is None:
        return _go(state, value)
    return _set(state, {value: turned(state.facts.settings[value])})


def _on_quiet_from(state: State, value: str) -> tuple[State, Wishes]:
    """The hour from which on it is quiet, and then until when; or never."""
    if value == "off":
        state, wishes = _set(state, {"quiet_from": None})
        return state._replace(page="settings"), wishes
    state, wishes = _set(state, {"quiet_from": int(value)})
    return state._replace(page="quiet_to"), wishes


def _on_quiet_to(state: State, value: str) -> tuple[State, Wishes]:
    state, wishes = _set(state, {"quiet_to": int(value)})
    return state._replace(page="settings"), wishes


def _on_languages(state: State, value: str) -> tuple[State, Wishes]:
    """A player's own language: the box's, or the other one."""
    if value == "nobody":
        return _go(state, "settings")
    own = dict(state.facts.settings["languages"])
    if value in own:
        del own[value]
    else:
        own[value] = "fr" if state.facts.settings["language"] == "en" else "en"
    return _set(state, {"languages": own})


def _on_ear(state: State, value: str) -> tuple[State, Wishes]:
    """Everybody plays by ear, or one player does; or not any more."""
    if value == "all":
        return _set(state, {"ear": not state.facts.settings["ear"]})
    who, own = value.removeprefix(OF), state.facts.settings["ears"]
    ears = [name for name in own if name != who]
    return _set(state, {"ears": ears if who in own else [*own, who]})


def _on_read(state: State, _: str) -> tuple[State, Wishes]:
    """What was read by ear leads back to the game."""
    return state, (Close(),)


def _on_voice(state: State, value: str) -> tuple[State, Wishes]:
    """A language's voice, or how fast it is: one sentence of it is heard."""
    kind, _, language = state.page.partition("_")
    own = state.facts.settings[f"{kind}s"]
    chosen = value if kind == "voice" else int(value)
    voice = value if kind == "voice" else state.facts.settings["voices"].get(language, "")
    state, wishes = _set(state, {f"{kind}s": {**own, language: chosen}})
    return state._replace(page="voices"), (*wishes, Practise(language, voice, 1))


def _on_practice(state: State, value: str) -> tuple[State, Wishes]:
    """Every voice says the same."""
    language, _, voice = value.partition(" ")
    return state, (Practise(language, voice, 3),)


def _on_setting(state: State, value: Answer) -> tuple[State, Wishes]:
    page, values = state.page, {state.page: value}
    after = {**state.facts.settings, page: value}
    if page in ("quietest", "loudest") and after["quietest"] > after["loudest"]:
        values = {"quietest": value, "loudest": value}
    state, wishes = _set(state, values)
    return state._replace(page="settings"), wishes


def _set(state: State, values: Mapping[str, Answer]) -> tuple[State, Wishes]:
    facts = state.facts._replace(settings={**state.facts.settings, **values})
    return state._replace(facts=facts), (Set(values),)


_ON: Final[Mapping[str, Callable[[State, Any], tuple[State, Wishes]]]] = {
    "home": _on_home,
    "menu": _on_menu,
    "unfinished": _on_number,
    "games": _on_games,
    "people": _on_people,
    "delete": _on_delete,
    "deleting": _on_deleting,
    "game": _on_game,
    "players": _on_players,
    "name": _on_name,
    "spell": _on_name,
    "options": _on_options,
    "setup": _on_setup,
    "board": _on_board,
    "spaces": _on_spaces,
    "look": _on_look,
    "phones": _on_phones,
    "phone": _on_phone,
    "rules": _on_rules,
    "headings": _on_headings,
    "leaf": _on_leaf,
    "settings": _on_settings,
    "languages": _on_languages,
    "ear": _on_ear,
    "there": _on_read,
    "said": _on_read,
    "voices": _go,
    "voice_en": _on_voice,
    "voice_fr": _on_voice,
    "speed_en": _on_voice,
    "speed_fr": _on_voice,
    "practice": _on_practice,
    "quiet_from": _on_quiet_from,
    "quiet_to": _on_quiet_to,
}
