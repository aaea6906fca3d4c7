"""The HTML of the pages. It is complete before scripts run, and without them.

The templates in `templates/` escape every text. This module fills them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tornado.template import Loader, Template

from companion.catalog import services
from companion.say.words import LANGUAGES, Words

PAGE_FOLDER: Final = Path(__file__).parent / "templates"
SCRIPT_SENTENCES: Final = (
    "another", "asleep", "back", "board", "box", "cancel", "close", "code", "cover", "covered",
    "doubt", "earlier", "error_busy", "error_offline", "error_refused", "frame_alt", "full", "gone",
    "happened", "hold", "in_list", "join", "join_again", "join_help", "keep_open", "kept", "leave",
    "let_go", "mine", "news", "no_game", "no_winner", "nothing_secret", "offline", "pick",
    "press_help", "press_ok", "redo", "replaced", "scores", "since", "sleeps", "sleeps_board",
    "sleeps_help", "spelt_in", "stranger", "table", "table_asks", "tools", "touch", "turn",
    "turn_sound", "type_code", "type_rest", "type_word", "undo", "undo_no", "undo_sure",
    "undo_yes", "unknown", "waits", "why", "winner", "winners", "you", "your_turn",
)  # fmt: skip
"""The sentences that the scripts need."""
LINKS: Final = (("/", "table"), ("/board", "board"), ("/history", "history"), ("/people", "people"),
                ("/rules", "rules"))  # fmt: skip
LANGUAGE_NAMES: Final = {"en": "English", "fr": "Français"}
"""The name of each language in that language."""
SCRIPT_ESCAPES: Final = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


SCRIPT_FIELDS: Final = ("who", "package")
"""The fields that scripts fill in."""


def _template(words: Words, key: str) -> str:
    """Return a sentence whose fields a script fills in."""
    return words(f"page.{key}", **{field: f"{{{field}}}" for field in SCRIPT_FIELDS})


def render_live_page(model: dict[str, Any], words: Words) -> bytes:
    """Return the page of a phone or television, with the present state as text and as data."""
    texts = {key: _template(words, key) for key in SCRIPT_SENTENCES}
    page_facts = {"words": texts, "language": words.language, "languages": LANGUAGE_NAMES}
    data = json.dumps({**model, **page_facts}, ensure_ascii=False)
    title = model["hello"].get("title") or words("page.title")
    return render_page(
        "live.html", words, title, view=model["view"], script="app",
        model=model, data=data.translate(SCRIPT_ESCAPES),
    )  # fmt: skip


def render_page(
    template: str,
    words: Words,
    title: str,
    *,
    view: str = "read",
    script: str = "pages",
    **facts: Any,
) -> bytes:
    """Return a page of a template, filled with `facts`."""
    other = "fr" if words.language == "en" else "en"
    return TEMPLATES.load(template).generate(
        words=words,
        title=title,
        view=view,
        script=script,
        links=(*LINKS, *((f"/{name}", name) for name in services.known_names())),
        other=other,
        names=LANGUAGE_NAMES,
        **facts,
    )


def wrong_host_page(url: str) -> bytes:
    """Return the page for a wrong host name: the address to type, in every language."""
    every = [Words(language) for language in LANGUAGES]
    template = TEMPLATES.load("wrong_host.html")
    return template.generate(every=every, title=every[0]("page.title"), url=url)


class TableCell(NamedTuple):
    """A cell of a table. `key` is its sort key if that differs from its text.

    `game`: number of the game to which the cell links; the text is then the time at which the game
    began, None if unknown.
    """

    text: object
    key: object = None
    number: bool = False
    game: int | None = None


class SortableTable(NamedTuple):
    """A table that can be sorted by its columns."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[TableCell]]


def format_day(stamp: str | None, words: Words) -> str:
    """Return a day as text: 22 Nov 2026.

    If `stamp` is None, return the words for an unknown date.
    """
    if stamp is None:
        return words("page.undated")
    year, month, date = stamp[:10].split("-")
    return f"{int(date)} {words('page.months').split()[int(month) - 1]} {year}"


def time_element(stamp: str | None, words: Words) -> str:
    """Return a time as an HTML element, whose text a script replaces with the local time."""
    return (
        format_day(stamp, words) if stamp is None else f"{format_day(stamp, words)}, {stamp[11:16]}"
    )


class TemplateLoader(Loader):
    """Loads templates of the page, then those of known services."""

    def _create_template(self, name: str) -> Template:
        folders = (
            PAGE_FOLDER,
            *(folder / "templates" for folder in services.KNOWN_FOLDERS.values()),
        )
        file = next((folder / name for folder in folders if (folder / name).is_file()), None)
        return super()._create_template(name if file is None else str(file))


TEMPLATES: Final = TemplateLoader(str(PAGE_FOLDER), namespace={"moment": time_element})
"""The compiled templates; each is compiled at its first use."""
