"""The menu page with the findings of `companion doctor`.

The page shows the state of each part of the box, and how to fix each fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.core.prompts import Prompt
from companion.draw import screens
from companion.draw.canvas import wrap_text
from companion.draw.parts import ROW_LETTERS
from companion.menus.page import (
    BoxPartDiagnosis,
    MenuPage,
    MenuPageState,
    list_question_function,
    menu_line_indices_as_text,
    page_opening_handler,
)
from companion.press.cursor import Cursor
from companion.say.words import Words

MAX_TEXT_ROWS: Final = 5
"""Number of text rows on a page of findings, below the title and the name of the box's part."""


def _sheets(findings: tuple[BoxPartDiagnosis, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (finding.part, *rows[at : at + MAX_TEXT_ROWS])
        for finding in findings
        for rows in [wrap_text(" ".join(filter(None, (finding.text, finding.cure))), ROW_LETTERS)]
        for at in range(0, len(rows), MAX_TEXT_ROWS)
    )


def _lines(state: MenuPageState) -> tuple[str, ...]:
    return menu_line_indices_as_text(_sheets(state.facts.findings or ())) or ("wait",)


def _shown(words: Words, state: MenuPageState) -> tuple[tuple[str, ...], ...]:
    findings = state.facts.findings
    if findings:
        return _sheets(findings)
    way = "looking" if findings is None else "failed"
    return (tuple(wrap_text(words(f"box.checkup.{way}"), ROW_LETTERS)),)


def _draw(words: Words, state: MenuPageState, _: Prompt, cursor: Cursor) -> bytes:
    title, legend = words("box.page.checkup"), words("box.legend.back")
    return screens.text_page_frame(title, _shown(words, state), cursor, legend)


def _read(words: Words, state: MenuPageState, _: Prompt, cursor: Cursor) -> tuple[str, int, int]:
    part, *rows = _shown(words, state)[cursor.at]
    if not state.facts.findings:
        return " ".join((part, *rows)), 0, 1
    return f"{part}: {' '.join(rows)}", cursor.at, len(_sheets(state.facts.findings))


PAGES: Final[Mapping[str, MenuPage]] = {
    "checkup": MenuPage(
        list_question_function(_lines),
        page_opening_handler("settings"),
        draw=_draw,
        read=_read,
        large=False,
    ),
}
