"""Menu pages with text: the rule book and the set-up of a game.

The buttons UP and DOWN turn the pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from companion.catalog import clauses, registry
from companion.catalog.clauses import RuleSheetSection
from companion.core.prompts import Prompt
from companion.draw import screens
from companion.draw.canvas import wrap_text
from companion.draw.parts import ROW_LETTERS
from companion.menus.page import (
    MenuPage,
    MenuPageState,
    PageResult,
    list_question_function,
    menu_line_indices_as_text,
    page_opening_handler,
)
from companion.press.cursor import Cursor
from companion.say.sentences import MissingSentenceError
from companion.say.words import Words

_MARKS: Final = re.compile(r" (?=[:;?!»])|(?<=«) ")
"""Pattern of spaces at which no row may end: before French punctuation and inside « »."""
_SENTENCE: Final = re.compile(r"\S.*?(?:[.?!…][»”\"’)]*(?=[\s|]|$)|$)", re.DOTALL)
MAX_RULE_ROWS: Final = 5
"""Number of text rows on a page of the rule book, below the title and the clause number."""
MAX_SETUP_ROWS: Final = 6
"""Number of text rows on a set-up page, below the title."""


class RuleBookPage(NamedTuple):
    """A page of the rule book.

    - `title`: the heading in the rule book.
    - `number`, `mark`: the number and the mark (such as *ruling*) of the clause.
    - `rows`: the rows of text.
    - `pages`: the number of pages below the heading.
    - `page`: the number of this page among the pages below the heading, counted from 1.
    """

    title: str
    number: str
    mark: str
    rows: tuple[str, ...]
    page: int = 1
    pages: int = 1


def games_with_rule_book() -> tuple[str, ...]:
    """Return the names of games that have a rule book with clauses."""
    return tuple(filter(_has_book, registry.playable_game_names()))


@lru_cache(maxsize=32)
def _has_book(game: str) -> bool:
    return clauses.has_rule_sheet(game)


@lru_cache(maxsize=8)
def rule_book_headings(game: str, language: str) -> tuple[str, ...]:
    """Return the headings in the rule book of a game."""
    return tuple(heading.title[language] for heading in clauses.read_rule_sheet_sections(game))


@lru_cache(maxsize=4)
def rule_book_pages(game: str, language: str) -> tuple[RuleBookPage, ...]:
    """Return all pages in the rule book of a game, in one language."""
    return tuple(
        leaf
        for heading in clauses.read_rule_sheet_sections(game)
        for leaf in _under(heading, language)
    )


@lru_cache(maxsize=4)
def page_number_of_heading(game: str, heading: int, language: str) -> int:
    """Return the number of the first rule-book page below a heading.

    Pages and headings are counted from 0.
    """
    titles = [leaf.title for leaf in rule_book_pages(game, language)]
    return titles.index(rule_book_headings(game, language)[heading])


def _under(heading: RuleSheetSection, language: str) -> tuple[RuleBookPage, ...]:
    leaves = [
        RuleBookPage(
            heading.title[language], clause.number, clause.mark, rows[at : at + MAX_RULE_ROWS]
        )
        for clause in heading.clauses
        for rows in [tuple(wrap_text(_set(clause.text[language]), ROW_LETTERS))]
        for at in range(0, len(rows), MAX_RULE_ROWS)
    ]
    return tuple(leaf._replace(page=n, pages=len(leaves)) for n, leaf in enumerate(leaves, start=1))


@lru_cache(maxsize=8)
def setup_text_pages(
    game: str, options: tuple[tuple[str, str], ...], players: int, language: str
) -> tuple[tuple[str, ...], ...]:
    """Return the pages of a game's set-up text, or () if the game has no such text.

    Each page is a tuple of rows. The set-up text consists of the general text, and the texts of the
    chosen options. An option can have a further text for the number of players.
    """
    words = Words(language)
    chosen = [f"{name}.{value}" for name, value in options]
    keys = ["table", *(key for option in chosen for key in (option, f"{option}.{players}"))]
    try:
        texts = [
            words(key) for key in (f"{game}.setup.{key}" for key in keys) if words.has_sentence(key)
        ]
    except MissingSentenceError:  # a package's game may lack a catalogue
        return ()
    return tuple(page for text in texts for page in split_text_into_pages(_set(text)))


def split_text_into_pages(text: str) -> tuple[tuple[str, ...], ...]:
    """Divide a text into pages of up to `MAX_SETUP_ROWS` rows.

    Every page ends at the end of a sentence, unless the sentence is longer than a page.
    """
    pages: list[str] = []
    for sentence in _SENTENCE.findall(text):
        gap = "" if sentence.startswith("|") else " "  # the sign | begins a new row
        joined = f"{pages[-1]}{gap}{sentence}" if pages else sentence
        if pages and len(wrap_text(joined, ROW_LETTERS)) <= MAX_SETUP_ROWS:
            pages[-1] = joined
        else:
            pages.append(sentence.lstrip("|"))
    rows = (wrap_text(page, ROW_LETTERS) for page in pages)
    return tuple(
        tuple(of[at : at + MAX_SETUP_ROWS])
        for of in rows
        for at in range(0, len(of), MAX_SETUP_ROWS)
    )


def _set(text: str) -> str:
    return _MARKS.sub("\u00a0", text.replace("*", ""))


def spoken_text_by_page(pages: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the text to speak for each page: all sentences that begin on the page.

    If no sentence begins on a page, return the sentence that continues on this page. The voice thus
    speaks whole sentences, even if a sentence continues on the next page.
    """
    texts = [" ".join(rows) for rows in pages]
    begins = [0, *accumulate(len(text) + 1 for text in texts)]
    sentences = [(match.start(), match[0]) for match in _SENTENCE.finditer(" ".join(texts))]
    return tuple(
        " ".join(text for at, text in sentences if first <= at < after)
        or next((text for at, text in reversed(sentences) if at < first), "")
        for first, after in pairwise(begins)
    )


# --- pages ----------------------------------------------------------------------------------------


def open_rule_book_headings(state: MenuPageState, value: str) -> PageResult:
    """Open the page that lists the headings in a game's rule book."""
    return state._replace(page="headings", book=value), ()


def _language(state: MenuPageState) -> str:
    return str(state.facts.settings["language"])


def _headings(state: MenuPageState) -> tuple[str, ...]:
    return menu_line_indices_as_text(rule_book_headings(state.book, _language(state)))


def _leaves(state: MenuPageState) -> tuple[str, ...]:
    return menu_line_indices_as_text(rule_book_pages(state.book, _language(state)))


def _first(state: MenuPageState) -> str:
    return str(page_number_of_heading(state.book, state.heading, _language(state)))


def _draw_leaf(words: Words, state: MenuPageState, _: Prompt, cursor: Cursor) -> bytes:
    return screens.rule_page_frame(rule_book_pages(state.book, words.language)[cursor.at], words)


def _read_leaf(
    words: Words, state: MenuPageState, _: Prompt, cursor: Cursor
) -> tuple[str, int, int]:
    pages = rule_book_pages(state.book, words.language)
    leaf = pages[cursor.at]
    clause = [page for page in pages if page.number == leaf.number]
    text = spoken_text_by_page([page.rows for page in clause])[clause.index(leaf)]
    text = text if leaf != clause[0] else f"{leaf.number}. {text}"
    return text, leaf.page - 1, leaf.pages


PAGES: Final[Mapping[str, MenuPage]] = {
    "rules": MenuPage(
        list_question_function(lambda _: games_with_rule_book()),
        open_rule_book_headings,
        lambda words, _, value: words.game_title(value),
    ),
    "headings": MenuPage(
        list_question_function(_headings),
        lambda state, value: (state._replace(page="leaf", heading=int(value)), ()),
        lambda words, state, value: rule_book_headings(state.book, words.language)[int(value)],
    ),
    "leaf": MenuPage(
        list_question_function(_leaves, _first),
        page_opening_handler("headings"),
        draw=_draw_leaf,
        read=_read_leaf,
        large=False,
    ),
}
