"""The HTML of the web pages, made from the templates in `templates/`, which escape all text.

A browser can show each page without running scripts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tornado.template import Loader, Template

from companion.catalog import services
from companion.say.words import LANGUAGES, Words

TEMPLATES_FOLDER: Final = Path(__file__).parent / "templates"
SCRIPT_SENTENCE_KEYS: Final = (
    "another", "asleep", "back", "board", "box", "cancel", "close", "code", "cover", "covered",
    "doubt", "earlier", "error_busy", "error_offline", "error_refused", "frame_alt", "full", "gone",
    "happened", "hold", "in_list", "join", "join_again", "join_help", "keep_open", "kept", "leave",
    "let_go", "lost", "mine", "news", "no_game", "no_winner", "nothing_secret", "offline", "pick",
    "press_help", "press_ok", "redo", "removed", "replaced", "scores", "since", "sleeps",
    "sleeps_board", "sleeps_help", "spelt_in", "stranger", "table", "table_asks", "tools",
    "touch", "turn", "turn_sound", "type_code", "type_rest", "type_word", "undo", "undo_no",
    "undo_sure", "undo_yes", "unknown", "waits", "why", "winner", "winners", "you", "your_turn",
)  # fmt: skip
"""Catalogue keys (after `page.`) of the sentences that a live page passes to its scripts."""
NAVIGATION_LINKS: Final = (
    ("/", "table"), ("/board", "board"), ("/history", "history"), ("/people", "people"),
    ("/rules", "rules"),
)  # fmt: skip
LANGUAGE_NAMES: Final = {"en": "English", "fr": "Français"}
"""The name of each language in the language itself, by language code."""
SCRIPT_ESCAPES: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


PLACEHOLDERS_FILLED_BY_SCRIPTS: Final = ("who", "package", "n")
"""Names of the placeholders that scripts, not the server, replace in sentences."""


def _template(words: Words, key: str) -> str:
    return words(
        f"page.{key}", **{field: f"{{{field}}}" for field in PLACEHOLDERS_FILLED_BY_SCRIPTS}
    )


def render_live_page(model: dict[str, Any], words: Words) -> bytes:
    """Return the HTML page of a phone or television.

    model: the present state, which the page contains as text and as JSON for its script.
    """
    texts = {key: _template(words, key) for key in SCRIPT_SENTENCE_KEYS}
    page_facts = {"words": texts, "language": words.language, "languages": LANGUAGE_NAMES}
    data = json.dumps({**model, **page_facts}, ensure_ascii=False)
    title = model["hello"].get("title") or words("page.title")
    return render_page_template(
        "live.html", words, title, view=model["view"], script="app",
        model=model, data=data.translate(SCRIPT_ESCAPES),
    )  # fmt: skip


def render_page_template(
    template: str,
    words: Words,
    title: str,
    *,
    view: str = "read",
    script: str = "pages",
    **facts: Any,
) -> bytes:
    """Return an HTML page: a template filled with the values `facts`.

    - `title`: the title of the page.
    - `view`: the kind of page.
    - `script`: the name of the script file.
    """
    other = "fr" if words.language == "en" else "en"
    return TEMPLATE_LOADER.load(template).generate(
        words=words,
        title=title,
        view=view,
        script=script,
        links=(*NAVIGATION_LINKS, *((f"/{name}", name) for name in services.known_service_names())),
        other=other,
        names=LANGUAGE_NAMES,
        **facts,
    )


def render_wrong_host_page(url: str) -> bytes:
    """Return the HTML page for a wrong host name. The page shows the right address `url`."""
    every = [Words(language) for language in LANGUAGES]
    template = TEMPLATE_LOADER.load("wrong_host.html")
    return template.generate(every=every, title=every[0]("page.title"), url=url)


class TableCell(NamedTuple):
    """A cell of a `SortableTable`.

    - `text`: the text of the cell.
    - `key`: the value by which readers sort the column; None means the text.
    - `number`: whether the cell contains a number.
    - `game`: the number of the past game to which the cell links; None if the cell has no link. In
      a cell with a link, `text` is the time at which the game began, or None if unknown.
    """

    text: object
    key: object = None
    number: bool = False
    game: int | None = None


class SortableTable(NamedTuple):
    """A table of a web page that readers can sort by column."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[TableCell]]


def format_date_in_words(stamp: str | None, words: Words) -> str:
    """Return the date of a time stamp in words, such as "22 Nov 2026".

    stamp: a time in ISO 8601.

    If `stamp` is None, return the sentence for an unknown date.
    """
    if stamp is None:
        return words("page.undated")
    year, month, date = stamp[:10].split("-")
    return f"{int(date)} {words('page.months').split()[int(month) - 1]} {year}"


def format_date_and_time(stamp: str | None, words: Words) -> str:
    """Return the date and time of a time stamp as text, such as "22 Nov 2026, 14:05".

    If `stamp` is None, return the sentence for an unknown date. A script of the web page replaces
    the text with the phone's local time.
    """
    return (
        format_date_in_words(stamp, words)
        if stamp is None
        else f"{format_date_in_words(stamp, words)}, {stamp[11:16]}"
    )


class TemplateLoader(Loader):
    """A loader that finds templates of the web page and of services."""

    def _create_template(self, name: str) -> Template:
        folders = (
            TEMPLATES_FOLDER,
            *(folder / "templates" for folder in services.SERVICE_FOLDERS.values()),
        )
        file = next((folder / name for folder in folders if (folder / name).is_file()), None)
        return super()._create_template(name if file is None else str(file))


TEMPLATE_LOADER: Final = TemplateLoader(
    str(TEMPLATES_FOLDER), namespace={"moment": format_date_and_time}
)
"""The loader of templates, which compiles each template at its first use."""
