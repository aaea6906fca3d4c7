"""The first screen, which the box shows while no game is running.

The box draws the first screen before it imports most modules. This module therefore imports only
the modules that the first screen needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from companion.catalog import services
from companion.core.prompts import legal_answers
from companion.draw.mute_signs import frame_with_mute_sign
from companion.hear import policy
from companion.menus.facts import load_first_screen_facts
from companion.menus.page import MenuFacts, PhoneFacts
from companion.menus.settings import invalid_settings, settings_with_defaults
from companion.menus.words import menu_words
from companion.record.journal import Journal
from companion.table import frames
from companion.table.table import Table


def first_screen_table(facts: MenuFacts, *, rows: bool) -> Table:
    """Return a `Table` that shows the first screen.

    - `facts`: the data for the menu.
    - `rows`: True if the box has seat buttons.
    """
    return Table(rows=rows).with_first_screen(facts)._replace(large=facts.settings["large"])


def first_screen_frame(table: Table) -> bytes:
    """Return the frame of the first screen, without the mute sign."""
    words = menu_words(_facts(table).settings["language"])
    return frames.table_frame(table, lambda _: words, _no_secret)


def first_screen_question_id(table: Table) -> str:
    """Return an identifier of the question on the first screen.

    The identifier depends on the language, the answers and the recorded games. While the box
    starts, the display already shows the saved first screen. The box applies the presses made
    during the start only if the saved screen and the present first screen have the same identifier.
    """
    assert table.menu_or_game_prompt is not None  # noqa: S101 - every page asks something
    facts = _facts(table)
    games = [(of.id, of.game, of.players, of.started) for of in facts.unfinished + facts.past]
    text = repr((facts.settings["language"], legal_answers(table.menu_or_game_prompt), games))
    return sha256(text.encode()).hexdigest()


def first_frame_and_question_id(
    journal: Journal, *, language: str, now: int, hour: int | None, rows: bool
) -> tuple[bytes, str] | None:
    """Return the first frame, and the identifier of the question that the frame shows.

    Return None if the box must first announce a problem, such as invalid settings. The frame
    already contains the menu line for phones, although the phone service starts later.

    - `language`: the language of the machine.
    - `now`: the time in seconds since 1970.
    - `hour`: the local hour from 0 to 23, or None if unknown.
    - `rows`: True if the box has seat buttons (`Table.rows`).
    """
    stored = journal.all_settings()
    if journal.unannounced_repair is not None or journal.read_only or invalid_settings(stored):
        return None
    settings = settings_with_defaults(stored, language)
    services.register_services_of_last_start(settings["services"])
    facts = load_first_screen_facts(journal, settings, now, {})._replace(
        phones=PhoneFacts(), everybody=0
    )
    table = first_screen_table(facts, rows=rows)
    muted = policy.audio_settings_at_hour(settings, hour).muted
    return (
        frame_with_mute_sign(first_screen_frame(table), muted)
        if muted
        else first_screen_frame(table)
    ), first_screen_question_id(table)


def _facts(table: Table) -> MenuFacts:
    assert table.menus.current_page is not None  # noqa: S101 - the first screen is a page
    return table.menus.current_page.facts


def _no_secret(_player: str) -> Mapping[str, Any]:
    return {}
