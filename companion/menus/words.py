"""The box's own menus in words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from companion.catalog import registry
from companion.draw.errors import unseen
from companion.menus.pages import page_of
from companion.menus.summaries import alone, described
from companion.say.words import Wording, Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.prompts import Answer
    from companion.menus.page import OpenPage
    from companion.say.sentences import MissingWords


@cache
def of_the_box(language: str) -> Words:
    """The words of the menus."""
    return Words(language, Wording(label=label, fields=fields), missing=_without)


def _without(key: str, error: MissingWords) -> None:
    """A game in a list may lack its name; the box lacks no sentence of its own."""
    game = key.partition(".")[0]
    if game not in registry.NAMES:
        raise error

    unseen(game).missing(key, error)


def practice(language: str) -> tuple[str, ...]:
    """What every voice says, to be told from the others: a name, a number and an ordinal."""
    words = of_the_box(language)
    _, two, one, *_ = registry.NAMES
    return (
        words("box.say.practice.name", one=words.called(one), two=words.called(two)),
        words("box.say.practice.number"),
        words("box.say.practice.ordinal"),
    )


def label(words: Words, question: str, value: Answer, view: Mapping[str, Any]) -> str | None:
    """A menu line that shows a name, a value or an age; None where a fixed sentence will do."""
    state: OpenPage | None = view.get("open")
    return None if state is None else page_of(question).label(words, state, value)


def fields(words: Words, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is counted of a board, and asked of its places, is worded by its game."""
    if "walked" in given:
        return {"asked": hint(words, given["walked"], "")}
    if "walks" in given:
        key = f"{given['walks']}.walk"
        return {"how": words(key if words.has(key) else "box.walk")}
    return {"counted": words(given["counted"])} if "counted" in given else {}


def hint(words: Words, state: OpenPage, value: Answer) -> str:
    """One or two rows that say more of the line under the cursor; empty if there is no more."""
    page = page_of(state.page)
    summary = page.game(state, value)
    if summary is None:
        return page.hint(words, state, value)
    tell = alone if state.page == "home" else described
    return tell(words, summary, state.facts)
