"""The pages of a club's evening: open one, join one, sit down; who goes where, and who leads.

Imported when somebody opens them, or when an evening has news.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.box.menus.evenings import AWAY, Evening
from companion.box.menus.settings import LONGEST_NAME
from companion.catalog.registry import find
from companion.core.game import Cue
from companion.core.prompts import Choose, Number, Spell
from companion.draw import phones
from companion.draw.canvas import Canvas, short, wrap
from companion.draw.parts import COLUMNS, in_rows
from companion.press.commands import Attend, Refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from companion.core.game import Cues
    from companion.core.prompts import Answer, Prompt
    from companion.press.commands import Wishes
    from companion.press.cursor import Cursor
    from companion.say.words import Words

AT: Final = "at "
"""Before the place of an evening that was found, or of a name."""
LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Of the code that leads to an evening: none that is taken for a digit."""
CODE: Final = 6
TITLES: Final = ("Club", "Evening")
HOURS: Final = tuple(f"until {hour}" for hour in (20, 21, 22, 23, 0, 1))
"""Until when an evening may go, by the clock of its head table."""
MOST_TABLES, MOST_GAMES = 200, 20
FULL: Final = 4
"""Seats of a table, if the game has so many."""
HEAD: Final = 1
"""The table that rings the bell."""
ROWS: Final = 6
"""Of a page of text."""
READ: Final = ("evening_seats", "evening_standings", "evening_invite", "evening_slip")
"""Pages that ask nothing: OK leads back."""


class Open(NamedTuple):
    """The page that is open: the evening as it is `now`, what was `chosen` so far, the `names` that
    the box knows, its `games`, and whether it is `free` of one.
    """  # noqa: D205 - one list

    page: str
    now: Evening
    chosen: tuple[tuple[str, Answer], ...]
    names: tuple[str, ...]
    games: tuple[str, ...]
    free: bool


# --- what is asked --------------------------------------------------------------------------------


def ask(state: Open) -> Prompt:
    """The page's question."""
    match state.page:
        case "evening_title":
            return Spell(state.page, None, LONGEST_NAME, TITLES)
        case "evening_name":
            return Spell(state.page, None, LONGEST_NAME, _unsigned(state) or ("Ada",))
        case "evening_code":
            return Spell(state.page, None, CODE, ("ABCDEF",), letters=LETTERS)
        case "evening_tables":
            return Number(state.page, None, 2, MOST_TABLES, 3)
        case "evening_games":
            return Number(state.page, None, 1, MOST_GAMES, 5)
        case "evening_table":
            most = dict(state.chosen).get("tables") or MOST_TABLES
            return Number(state.page, None, 1, max(1, most), 1)
        case page if page in READ:
            return Choose(page, None, tuple(map(str, range(len(_sheets(page, state.now, None))))))
        case page:
            return Choose(page, None, _LISTS[page](state))


def _hub(state: Open) -> tuple[str, ...]:
    """Where an evening begins, or what it has to say."""
    now = state.now
    if now.state not in ("on", "over"):
        return (*(f"{AT}{n}" for n, _ in enumerate(now.found)), "code", "open")
    free = state.free
    lines = {
        "play": free and now.plays,
        "seats": now.state == "on" and bool(now.seats),
        "standings": bool(now.places),
        "slip": bool(now.slip),
        "sign": free and now.state == "on",
        "invite": now.state == "on" and bool(now.code),
        "bell": now.state == "on" and now.table == HEAD and now.round > 0,
        "leave": free,
    }
    return tuple(line for line, there in lines.items() if there) or ("seats",)


def _unsigned(state: Open) -> tuple[str, ...]:
    return unsigned(state.now, state.names)


def unsigned(now: Evening, names: Sequence[str]) -> tuple[str, ...]:
    """Who has played here, and not signed up."""
    return tuple(name for name in dict.fromkeys(names) if name not in now.signed)


_LISTS: Final[Mapping[str, Callable[[Open], tuple[str, ...]]]] = {
    "evening": _hub,
    "evening_game": lambda state: state.games,
    "evening_length": lambda _: ("games", "bell", *HOURS),
    "evening_sign": lambda state: ("spell", *(f"{AT}{n}" for n, _ in enumerate(_unsigned(state)))),
    "evening_bell": lambda _: ("no", "yes"),
    "evening_leave": lambda _: ("no", "yes"),
}


# --- what an answer does --------------------------------------------------------------------------


def on(state: Open, value: Answer) -> tuple[Open, Wishes]:
    """The next page, and what is wished for."""
    page = state.page
    if page in READ:
        return _go(state, "evening")
    if page in _FOLLOWS:
        name, after = _FOLLOWS[page]
        return _go(_with(state, name, value), after)
    return _ON[page](state, value)


def _go(state: Open, page: str) -> tuple[Open, Wishes]:
    return state._replace(page=page), ()


def _with(state: Open, name: str, value: Answer) -> Open:
    return state._replace(chosen=(*(p for p in state.chosen if p[0] != name), (name, value)))


_FOLLOWS: Final = {
    "evening_title": ("title", "evening_game"),
    "evening_game": ("game", "evening_tables"),
    "evening_tables": ("tables", "evening_length"),
    "evening_games": ("games", "evening_table"),
}
"""Pages whose answer is kept, by its name, and the page after each."""


def _on_hub(state: Open, value: str) -> tuple[Open, Wishes]:
    if value.startswith(AT):
        found = state.now.found[int(value.removeprefix(AT))]
        state = _with(_with(state._replace(chosen=()), "id", found.id), "tables", found.tables)
        return _go(state, "evening_table")
    if value == "open":
        return _go(state._replace(chosen=()), "evening_title")
    return _go(state, f"evening_{value}")


def _on_length(state: Open, value: str) -> tuple[Open, Wishes]:
    if value == "games":
        return _go(state, "evening_games")
    hour = int(value.removeprefix("until ")) if value != "bell" else None
    return _go(_with(_with(state, "games", None), "hour", hour), "evening_table")


def _on_table(state: Open, value: int) -> tuple[Open, Wishes]:
    """All is known: it is opened, or joined."""
    chosen = dict(state.chosen)
    wish = {"do": "join" if "id" in chosen else "open", **chosen, "table": value}
    if "game" in chosen:
        wish["seats"] = min(FULL, find(chosen["game"]).seats[-1])
    return state._replace(page="evening", chosen=()), (Attend(wish),)


def _on_code(state: Open, value: str) -> tuple[Open, Wishes]:
    return state._replace(page="evening"), (Attend({"do": "code", "code": value}),)


def _on_sign(state: Open, value: str) -> tuple[Open, Wishes]:
    if value == "spell":
        return _go(state, "evening_name")
    who = _unsigned(state)[int(value.removeprefix(AT))]
    return state, (Attend({"do": "sign", "who": who}),)


def _on_name(state: Open, value: str) -> tuple[Open, Wishes]:
    if value in state.now.signed:
        return state, (Refuse("name_taken"),)
    return state._replace(page="evening_sign"), (Attend({"do": "sign", "who": value}),)


def _on_sure(state: Open, value: str) -> tuple[Open, Wishes]:
    """The bell, or to leave: asked once more."""
    wish = Attend({"do": state.page.removeprefix("evening_")})
    return state._replace(page="evening"), (wish,) if value == "yes" else ()


_ON: Final[Mapping[str, Callable[[Open, Any], tuple[Open, Wishes]]]] = {
    "evening": _on_hub,
    "evening_length": _on_length,
    "evening_table": _on_table,
    "evening_code": _on_code,
    "evening_sign": _on_sign,
    "evening_name": _on_name,
    "evening_bell": _on_sure,
    "evening_leave": _on_sure,
}


# --- in words -------------------------------------------------------------------------------------


def label(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str | None:
    """A line that shows a name or a number; None where a fixed sentence will do."""
    now: Evening = view["evening"] or AWAY
    match question:
        case "evening" if value.startswith(AT):
            return now.found[int(value.removeprefix(AT))].title
        case "evening" if value == "play":
            return words("box.option.evening.play", n=now.table)
        case "evening_game":
            return words.called(value)
        case "evening_length" if value in HOURS:
            return words("box.option.evening_length.until", n=value.removeprefix("until "))
        case "evening_sign" if value.startswith(AT):
            return unsigned(now, view["settings"]["names"])[int(value.removeprefix(AT))]
        case _:
            return None


def hint(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str:
    """One or two rows that say more of the line under the cursor."""
    now: Evening = view["evening"] or AWAY
    if question == "evening_sign":
        return words.counted("box.evening.signed", len(now.signed))
    if question != "evening":
        return ""
    if value.startswith(AT):
        found = now.found[int(value.removeprefix(AT))]
        return words("box.evening.found", game=words.called(found.game), n=found.tables)
    if value == "play":
        return short(", ".join(now.here), 2 * COLUMNS)
    if value in ("code", "open"):
        looks = now.state == "looking" or (now.state == "away" and not now.found)
        return words("box.evening.looking" if looks else f"box.hint.evening.{value}")
    return _stands(words, now)


def _stands(words: Words, now: Evening) -> str:
    """How far the evening is."""
    if now.state == "over":
        return words("box.evening.over", who=", ".join(now.leaders))
    if not now.seats:
        return words.counted("box.evening.signed", len(now.signed))
    if now.table in now.waiting or not now.waiting:
        return words("box.evening.round", title=now.title, n=now.round)
    return words("box.evening.waits", n=now.round, tables=", ".join(map(str, now.waiting)))


def went(words: Words, goes: Sequence[tuple[str, int]]) -> str:
    """Who goes where: "Ada goes to table 3, Émile to table 2"."""
    return ", ".join(
        words("box.evening.goes_too" if n else "box.evening.goes", who=who, n=to)
        for n, (who, to) in enumerate(goes)
    )


def listed(words: Words, names: Sequence[str]) -> str:
    """Names as people say them, with "and" before the last."""
    if len(names) < 2:  # noqa: PLR2004 - one name, or none
        return "".join(names)
    return words("box.evening.and", who=", ".join(names[:-1]), last=names[-1])


def news(now: Evening, words: Words) -> Cues:
    """What the table is told when a round begins, or the evening is over."""
    if now.state == "over":
        most = max((total for _, _, total in now.places), default=0)
        return (Cue("evening_over", {"who": listed(words, now.leaders), "n": most}),)
    here = Cue("evening_here", {"n": now.round, "table": now.table, "who": listed(words, now.here)})
    if not now.goes:
        return (here,)
    return Cue("evening_goes", {"n": now.round, "moves": went(words, now.goes)}), here


# --- what is shown --------------------------------------------------------------------------------


def draw(now: Evening, prompt: Prompt, cursor: Cursor, words: Words) -> bytes | None:
    """A page that is read; None for one that is a list."""
    if prompt.name not in READ:
        return None
    if prompt.name == "evening_slip":
        return _slip(now, words)
    pages = _sheets(prompt.name, now, words)
    canvas, at = Canvas(), min(cursor.at, len(pages) - 1)
    canvas.text(0, 0, words(f"box.page.{prompt.name}"))
    if len(pages) > 1:
        canvas.right(0, f"{at + 1}/{len(pages)}")
    for row, text in enumerate(pages[at], start=1):
        canvas.text(row, 0, text)
    canvas.text(7, 0, words("box.legend.leaf" if len(pages) > 1 else "box.legend.read"))
    return canvas.frame


def said(now: Evening, prompt: Prompt, cursor: Cursor, words: Words) -> str | None:
    """A page that is read, as it is heard; None for a list."""
    if prompt.name not in READ or prompt.name == "evening_slip":
        return None
    pages = _sheets(prompt.name, now, words)
    return ", ".join(pages[min(cursor.at, len(pages) - 1)])


def _slip(now: Evening, words: Words) -> bytes:
    """Our result as a code, for a phone that reads it to another box's page."""
    canvas, rows = Canvas(), phones.modules((now.slip,))
    phones.square(canvas, rows, 2 if 2 * len(rows) <= phones.SIDE - 2 else 1)
    for row, text in enumerate(wrap(words("box.evening.slip"), phones.BESIDE)[:6]):
        canvas.text(row, phones.SIDE + 6, text)
    canvas.right(7, "OK")
    return canvas.frame


def _sheets(page: str, now: Evening, words: Words | None) -> tuple[tuple[str, ...], ...]:
    """The pages of a text, in rows; without words their number is right, not what is in them."""
    if page == "evening_seats":
        return tuple(tuple(_table(now, n, words)) for n in _tables(now)) or ((),)
    if page == "evening_standings":
        rows = [_place(*each) for each in now.places]
        return tuple(tuple(rows[n : n + ROWS]) for n in range(0, len(rows), ROWS)) or ((),)
    if page == "evening_invite" and words is not None:
        text = words("box.evening.invite", code=f"{now.code[:3]} {now.code[3:]}")
        return (tuple(wrap(text, COLUMNS)[:ROWS]),)
    return ((),)


def _tables(now: Evening) -> tuple[int, ...]:
    """All tables, ours first."""
    others = (n for n in range(1, len(now.seats) + 1) if n != now.table)
    return (*((now.table,) if now.here else ()), *others)


def _table(now: Evening, n: int, words: Words | None) -> Iterator[str]:
    if words is None:
        return
    how = "plays" if n in now.waiting else "is_in"
    yield words(f"box.evening.table_{how}", n=n)
    names = now.seats[n - 1]
    beside = -(-len(names) // (ROWS - 1))
    if beside > 1:
        yield from in_rows(dict.fromkeys(names, ()), beside)
    else:
        yield from (short(f" {name}", COLUMNS) for name in names)


def _place(place: int, who: str, total: int) -> str:
    points = str(total)
    return (
        f"{place:>2} {short(who, COLUMNS - 4 - len(points)):<{COLUMNS - 4 - len(points)}} {points}"
    )
