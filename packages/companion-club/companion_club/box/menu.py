"""The menu pages of an evening: find, open or join an evening, and see seats and standings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from companion.catalog.registry import find_game
from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, Number, Prompt, Spell
from companion.draw import phones
from companion.draw.canvas import Canvas, shorten_text, wrap_text
from companion.draw.parts import ROW_LETTERS, name_value_rows
from companion.menus import new_game
from companion.menus.commands import RefusePress, SendServiceRequest
from companion.menus.page import (
    MenuPage,
    MenuPageState,
    PageResult,
    chosen_game,
    list_question_function,
    menu_line_indices_as_text,
    no_special_drawing_or_speech,
    open_page,
    page_opening_handler,
)
from companion.menus.settings import MAX_SPELT_LETTERS
from companion.press.cursor import Cursor
from companion.say.words import Words
from companion_club.box import SERVICE_NAME
from companion_club.box.status import AWAY_STATUS, EveningStatus
from companion_club.codes import CODE_LENGTH, CODE_LETTERS

if TYPE_CHECKING:
    from companion_club.table import Request

LIST_POSITION_PREFIX: Final = "at "
"""Prefix of an answer that states a position in a list, such as `at 2`."""
PROPOSED_TITLES: Final = ("Club", "Evening")
BELL_CHOICES: Final = tuple(f"until {hour}" for hour in (20, 21, 22, 23, 0, 1))
"""Answers that choose the hour of the bell on the head table's clock, such as `until 22`."""
MAX_TABLES, MAX_GAMES = 200, 20
SEATS_AT_FULL_TABLE: Final = 4
"""Maximum number of seats at a table; a game for fewer players has fewer seats."""
HEAD_TABLE: Final = 1
"""Number of the table whose box can ring the bell that ends the evening."""
ROWS_BELOW_TITLE: Final = 6
"""Number of rows of text that fit on the display between title and button labels."""


# --- questions ------------------------------------------------------------------------------------


def _now(state: MenuPageState) -> EveningStatus:
    status = state.facts.services.get(SERVICE_NAME, AWAY_STATUS)
    assert isinstance(status, EveningStatus)
    return status


def _table_number(state: MenuPageState) -> Prompt:
    most = dict(state.chosen).get("tables") or MAX_TABLES
    return Number(state.page, None, 1, max(1, most), 1)


def _hub(state: MenuPageState) -> tuple[str, ...]:
    now = _now(state)
    if now.state not in ("on", "over"):
        return (*(f"{LIST_POSITION_PREFIX}{n}" for n, _ in enumerate(now.found)), "code", "open")
    free = state.facts.playing is None
    lines = {
        "play": free and now.has_game_to_play,
        "seats": now.state == "on" and bool(now.seats),
        "standings": bool(now.places),
        "slip": bool(now.slip),
        "sign": free and now.state == "on",
        "invite": now.state == "on" and bool(now.code),
        "bell": now.state == "on" and now.table == HEAD_TABLE and now.round > 0,
        "leave": free,
    }
    return tuple(line for line, there in lines.items() if there) or ("seats",)


def _unsigned(state: MenuPageState) -> tuple[str, ...]:
    names = dict.fromkeys(state.facts.settings["names"])
    return tuple(name for name in names if name not in _now(state).signed)


# --- answers --------------------------------------------------------------------------------------


def _request(wish: Request) -> SendServiceRequest:
    return SendServiceRequest(SERVICE_NAME, wish)


def _with(state: MenuPageState, name: str, value: Answer) -> MenuPageState:
    return state._replace(chosen=(*(p for p in state.chosen if p[0] != name), (name, value)))


def _kept(name: str, after: str) -> Callable[[MenuPageState, Answer], PageResult]:
    return lambda state, value: open_page(_with(state, name, value), after)


def _on_hub(state: MenuPageState, value: str) -> PageResult:
    if value.startswith(LIST_POSITION_PREFIX):
        evening = _now(state).found[int(value.removeprefix(LIST_POSITION_PREFIX))]
        state = _with(_with(state._replace(chosen=()), "id", evening.id), "tables", evening.tables)
        return open_page(state, "evening_table")
    if value == "open":
        return open_page(state._replace(chosen=()), "evening_title")
    return _sit_down(state) if value == "play" else open_page(state, f"evening_{value}")


def _sit_down(state: MenuPageState) -> PageResult:
    now = _now(state)
    if now.game not in state.facts.games:
        return state, (RefusePress("evening_game"),)
    begun, _ = new_game.select_game(state, now.game)
    if len(now.players_at_own_table) not in chosen_game(begun).seats:
        return state, (RefusePress("evening_seats"),)
    begun = begun._replace(seats=len(now.players_at_own_table), players=now.players_at_own_table)
    return new_game.setup_text_or_options_page(begun), ()


def _on_length(state: MenuPageState, value: str) -> PageResult:
    if value == "games":
        return open_page(state, "evening_games")
    hour = int(value.removeprefix("until ")) if value != "bell" else None
    return open_page(_with(_with(state, "games", None), "hour", hour), "evening_table")


def _on_table(state: MenuPageState, value: int) -> PageResult:
    chosen = dict(state.chosen)
    wish = {"do": "join" if "id" in chosen else "open", **chosen, "table": value}
    if "game" in chosen:
        wish["seats"] = min(SEATS_AT_FULL_TABLE, find_game(chosen["game"]).seats[-1])
    return state._replace(page="evening", chosen=()), (_request(wish),)


def _on_code(state: MenuPageState, value: str) -> PageResult:
    return state._replace(page="evening"), (_request({"do": "code", "code": value}),)


def _on_sign(state: MenuPageState, value: str) -> PageResult:
    if value == "spell":
        return open_page(state, "evening_name")
    who = _unsigned(state)[int(value.removeprefix(LIST_POSITION_PREFIX))]
    return state, (_request({"do": "sign", "who": who}),)


def _on_name(state: MenuPageState, value: str) -> PageResult:
    if value in _now(state).signed:
        return state, (RefusePress("name_taken"),)
    return state._replace(page="evening_sign"), (_request({"do": "sign", "who": value}),)


def _on_sure(state: MenuPageState, value: str) -> PageResult:
    wish = _request({"do": state.page.removeprefix("evening_")})
    return state._replace(page="evening"), (wish,) if value == "yes" else ()


# --- words ----------------------------------------------------------------------------------------


def _label(words: Words, state: MenuPageState, value: str) -> str | None:
    if value.startswith(LIST_POSITION_PREFIX):
        return _now(state).found[int(value.removeprefix(LIST_POSITION_PREFIX))].title
    return words("box.option.evening.play", n=_now(state).table) if value == "play" else None


def _until(words: Words, _: MenuPageState, value: str) -> str | None:
    if value not in BELL_CHOICES:
        return None
    return words("box.option.evening_length.until", n=value.removeprefix("until "))


def _person(_: Words, state: MenuPageState, value: str) -> str | None:
    return (
        _unsigned(state)[int(value.removeprefix(LIST_POSITION_PREFIX))]
        if value.startswith(LIST_POSITION_PREFIX)
        else None
    )


def _signed(words: Words, state: MenuPageState, _: str) -> str:
    return words.sentence_for_count("box.evening.signed", len(_now(state).signed))


def _hint(words: Words, state: MenuPageState, value: str) -> str:
    now = _now(state)
    if value.startswith(LIST_POSITION_PREFIX):
        evening = now.found[int(value.removeprefix(LIST_POSITION_PREFIX))]
        return words("box.evening.found", game=words.game_title(evening.game), n=evening.tables)
    if value == "play":
        return shorten_text(", ".join(now.players_at_own_table), 2 * ROW_LETTERS)
    if value in ("code", "open"):
        looks = now.state == "looking" or (now.state == "away" and not now.found)
        return words("box.evening.looking" if looks else f"box.hint.evening.{value}")
    return _stands(words, now)


def _stands(words: Words, now: EveningStatus) -> str:
    if now.state == "over":
        return words("box.evening.over", who=", ".join(now.leaders))
    if not now.seats:
        return words.sentence_for_count("box.evening.signed", len(now.signed))
    if now.table in now.waiting or not now.waiting:
        return words("box.evening.round", title=now.title, n=now.round)
    return words("box.evening.waits", n=now.round, tables=", ".join(map(str, now.waiting)))


def table_moves_text(words: Words, goes: Sequence[tuple[str, int]]) -> str:
    """Return the players' moves as text, such as "Ada goes to table 3, Émile to table 2"."""
    return ", ".join(
        words("box.evening.goes_too" if n else "box.evening.goes", who=who, n=to)
        for n, (who, to) in enumerate(goes)
    )


def join_names(words: Words, names: Sequence[str]) -> str:
    """Return names as one phrase, with "and" before the last name."""
    if len(names) < 2:  # noqa: PLR2004 - one name, or none
        return "".join(names)
    return words("box.evening.and", who=", ".join(names[:-1]), last=names[-1])


def round_announcement_cues(now: EveningStatus, words: Words) -> Cues:
    """Return the events (cues) that announce a new round, or the end of the evening."""
    if now.state == "over":
        most = max((total for _, _, total in now.places), default=0)
        return (Cue("evening_over", {"who": join_names(words, now.leaders), "n": most}),)
    here = Cue(
        "evening_here",
        {"n": now.round, "table": now.table, "who": join_names(words, now.players_at_own_table)},
    )
    if not now.goes:
        return (here,)
    return Cue("evening_goes", {"n": now.round, "moves": table_moves_text(words, now.goes)}), here


# --- frames ---------------------------------------------------------------------------------------


def _draw(words: Words, state: MenuPageState, _: Prompt, cursor: Cursor) -> bytes:
    pages = _sheets(state.page, _now(state), words)
    canvas, at = Canvas(), min(cursor.at, len(pages) - 1)
    canvas.draw_text(0, 0, words(f"box.page.{state.page}"))
    if len(pages) > 1:
        canvas.draw_right_aligned_text(0, f"{at + 1}/{len(pages)}")
    for row, text in enumerate(pages[at], start=1):
        canvas.draw_text(row, 0, text)
    canvas.draw_text(7, 0, words("box.legend.leaf" if len(pages) > 1 else "box.legend.read"))
    return canvas.frame


def _read(words: Words, state: MenuPageState, _: Prompt, cursor: Cursor) -> tuple[str, int, int]:
    pages = _sheets(state.page, _now(state), words)
    return ", ".join(pages[min(cursor.at, len(pages) - 1)]), 0, 0


def _slip(words: Words, state: MenuPageState, _prompt: Prompt, _cursor: Cursor) -> bytes:
    canvas, rows = Canvas(), phones.qr_modules((_now(state).slip,))
    phones.draw_qr_code(canvas, rows, 2 if 2 * len(rows) <= phones.SQUARE_SIDE - 2 else 1)
    for row, text in enumerate(wrap_text(words("box.evening.slip"), phones.BESIDE_LETTERS)[:6]):
        canvas.draw_text(row, phones.SQUARE_SIDE + 6, text)
    canvas.draw_right_aligned_text(7, "OK")
    return canvas.frame


def _sheets(page: str, now: EveningStatus, words: Words | None) -> tuple[tuple[str, ...], ...]:
    """Return a long text of a menu page as a tuple of screens, each a tuple of rows.

    If `words` is None, only the number of screens is correct, and the rows are placeholders.
    """
    if page == "evening_seats":
        return tuple(tuple(_table(now, n, words)) for n in _tables(now)) or ((),)
    if page == "evening_standings":
        rows = [_place(*each) for each in now.places]
        return tuple(
            tuple(rows[n : n + ROWS_BELOW_TITLE]) for n in range(0, len(rows), ROWS_BELOW_TITLE)
        ) or ((),)
    if page == "evening_invite" and words is not None:
        text = words("box.evening.invite", code=f"{now.code[:3]} {now.code[3:]}")
        return (tuple(wrap_text(text, ROW_LETTERS)[:ROWS_BELOW_TITLE]),)
    return ((),)


def _tables(now: EveningStatus) -> tuple[int, ...]:
    others = (n for n in range(1, len(now.seats) + 1) if n != now.table)
    return (*((now.table,) if now.players_at_own_table else ()), *others)


def _table(now: EveningStatus, n: int, words: Words | None) -> Iterator[str]:
    if words is None:
        return
    how = "plays" if n in now.waiting else "is_in"
    yield words(f"box.evening.table_{how}", n=n)
    names = now.seats[n - 1]
    beside = -(-len(names) // (ROWS_BELOW_TITLE - 1))
    if beside > 1:
        yield from name_value_rows(dict.fromkeys(names, ()), beside)
    else:
        yield from (shorten_text(f" {name}", ROW_LETTERS) for name in names)


def _place(place: int, who: str, total: int) -> str:
    points = str(total)
    room = ROW_LETTERS - 4 - len(points)
    return f"{place:>2} {shorten_text(who, room):<{room}} {points}"


# --- pages ----------------------------------------------------------------------------------------


def _text(
    draw: Callable[[Words, MenuPageState, Prompt, Cursor], bytes] = _draw,
    read: Callable[[Words, MenuPageState, Prompt, Cursor], tuple[str, int, int] | None] = _read,
) -> MenuPage:
    ask = list_question_function(
        lambda state: menu_line_indices_as_text(_sheets(state.page, _now(state), None))
    )
    return MenuPage(ask, page_opening_handler("evening"), draw=draw, read=read, large=False)


_SURE: Final = MenuPage(list_question_function(("no", "yes")), _on_sure, large=False)
MENU_PAGES: Final[Mapping[str, MenuPage]] = {
    "evening": MenuPage(list_question_function(_hub), _on_hub, _label, _hint, large=False),
    "evening_title": MenuPage(
        lambda state: Spell(state.page, None, MAX_SPELT_LETTERS, PROPOSED_TITLES),
        _kept("title", "evening_game"),
        large=False,
    ),
    "evening_game": MenuPage(
        list_question_function(lambda state: state.facts.games),
        _kept("game", "evening_tables"),
        lambda words, _, value: words.game_title(value),
        large=False,
    ),
    "evening_tables": MenuPage(
        lambda state: Number(state.page, None, 2, MAX_TABLES, 3),
        _kept("tables", "evening_length"),
        large=False,
    ),
    "evening_length": MenuPage(
        list_question_function(("games", "bell", *BELL_CHOICES)), _on_length, _until, large=False
    ),
    "evening_games": MenuPage(
        lambda state: Number(state.page, None, 1, MAX_GAMES, 5),
        _kept("games", "evening_table"),
        large=False,
    ),
    "evening_table": MenuPage(_table_number, _on_table, large=False),
    "evening_code": MenuPage(
        lambda state: Spell(state.page, None, CODE_LENGTH, ("ABCDEF",), letters=CODE_LETTERS),
        _on_code,
        once=True,
        large=False,
    ),
    "evening_sign": MenuPage(
        list_question_function(
            lambda state: (
                "spell",
                *(f"{LIST_POSITION_PREFIX}{n}" for n, _ in enumerate(_unsigned(state))),
            )
        ),
        _on_sign,
        _person,
        _signed,
        large=False,
    ),
    "evening_name": MenuPage(
        lambda state: Spell(
            state.page,
            None,
            MAX_SPELT_LETTERS,
            _unsigned(state) or ("Ada",),
            known=_unsigned(state),
        ),
        _on_name,
        once=True,
        large=False,
    ),
    "evening_seats": _text(),
    "evening_standings": _text(),
    "evening_invite": _text(),
    "evening_slip": _text(_slip, no_special_drawing_or_speech),
    "evening_bell": _SURE,
    "evening_leave": _SURE,
}
