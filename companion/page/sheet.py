"""The HTML of the pages: what stands in them before any script has run, or where none does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tornado.escape import xhtml_escape as esc

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.page.told import Telling
    from companion.say.words import Words

KEYS: Final = (
    "arrested", "asleep", "board", "box", "cards_left", "cars", "cleared", "close", "closed_by",
    "code", "covered", "dot", "doubt", "down", "earlier", "empty", "error_offline",
    "error_refused", "field", "form_correct", "form_guess", "form_interrupt", "form_lies",
    "form_misspelled", "form_n", "form_points", "form_rack", "form_right", "form_space",
    "form_stop", "form_what", "form_who", "form_whom", "frame_alt", "guess", "happened", "hold",
    "in_list", "interrupt", "join", "join_help", "keep_open", "leave", "let_go", "marker",
    "may_arrest", "mine", "no_game", "nothing_secret", "of_ten", "offline", "on_red", "open",
    "open_file", "out", "pick", "pile", "press_help", "press_ok", "redo", "reserve", "right",
    "rolled", "scores", "send", "sitting", "table", "table_asks", "tools", "total", "turn",
    "type_word", "undo", "unknown", "waits", "warrant", "what_baretta", "what_card", "what_in",
    "what_out", "what_pile", "what_turn", "where", "why", "winner", "winners", "wrong", "you",
    "your_turn",
)  # fmt: skip
"""The sentences that the scripts need."""
LINKS: Final = (("/", "table"), ("/board", "board"), ("/history", "history"), ("/people", "people"),
                ("/rules", "rules"), ("/evening", "evening"))  # fmt: skip
SAFE: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


FIELDS: Final = ("who", "n", "of", "space", "colour")
"""What a script fills in itself."""


def _template(words: Words, key: str) -> str:
    """A sentence whose fields a script fills in; French joins nothing to them."""
    return words(f"page.{key}", **{field: f"{{{field}}}" for field in FIELDS})


def live(model: dict[str, Any], told: Telling) -> str:
    """The table, for a phone or for a television: what stands, as text and as data."""
    words = {key: _template(told.words, key) for key in KEYS}
    data = json.dumps({**model, "words": words, "language": told.language}, ensure_ascii=False)
    main = (
        f'<main id="main" data-view="{esc(model["view"])}">{_standing(model, told)}</main>'
        f'<script type="application/json" id="model">{data.translate(SAFE)}</script>'
    )
    title = told.title(model["hello"].get("game"))
    return page(title, main, told, view=str(model["view"]), script="app")


def _standing(model: dict[str, Any], told: Telling) -> str:
    """How the game stands, in a few lines: what a reader sees first, and without scripts all."""
    lines = [f"<h1>{esc(told.title(model['hello'].get('game')))}</h1>"]
    if model["ask"]:
        lines.append(f'<p class="question">{esc(model["ask"]["text"])}</p>')
    elif not model["hello"].get("game"):
        lines.append(f"<p>{esc(told.words('page.no_game'))}</p>")
    lines += [f"<p>{esc(line['text'])}</p>" for line in model["told"][-4:]]
    return "".join(lines)


def page(title: str, main: str, told: Telling, *, view: str = "read", script: str = "pages") -> str:
    """A whole page."""
    words = told.words
    return (
        f'<!doctype html><html lang="{told.language}"><head><meta charset="utf-8">'
        f"<title>{esc(title)}</title>"
        '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">'
        '<meta name="color-scheme" content="light dark">'
        '<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/page.css">'
        f'<script type="module" src="/static/{script}.js"></script></head>'
        f'<body class="{esc(view)}"><a class="skip" href="#main">{esc(words("page.skip"))}</a>'
        f"{_top(words, view)}{main}</body></html>"
    )


def _top(words: Words, view: str) -> str:
    if view == "board":
        return ""
    links = "".join(f'<a href="{path}">{esc(words(f"page.{key}"))}</a>' for path, key in LINKS)
    other = "fr" if words.language == "en" else "en"
    return (
        f'<header class="top"><nav aria-label="{esc(words("page.menu"))}">{links}</nav>'
        f'<button type="button" class="quiet" data-do="language" data-value="{other}" '
        f'lang="{other}">{esc(words("page.other_language"))}</button></header>'
    )


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], caption: str) -> str:
    """A table that can be sorted by its columns; cells are HTML, heads and caption are text."""
    head = "".join(f'<th scope="col">{esc(one)}</th>' for one in heads)
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{esc(caption)}">'
        f'<table class="sorts"><caption class="hush">{esc(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def cell(text: object, key: object = None, *, number: bool = False) -> str:
    """A cell with its text, and what it is sorted by if that is another."""
    by = "" if key is None else f' data-key="{esc(str(key))}"'
    kind = ' class="n"' if number else ""
    return f"<td{kind}{by}>{esc(str(text))}</td>"


def moment(stamp: str) -> str:
    """A time that the browser writes as people do where they are."""
    return f'<time datetime="{esc(stamp)}">{esc(stamp[:16].replace("T", " "))}</time>'
