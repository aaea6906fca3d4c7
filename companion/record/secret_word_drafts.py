"""Drafts: secret words that a player has begun to type but not yet confirmed.

The record stores drafts in a setting, so that drafts survive a power cut. A draft also contains the
player, the question and the number of answers, so that the box never shows the draft at another
question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.snapshot import Snapshot
from companion.record.backup import DRAFTS_SETTING
from companion.record.journal import Journal

DRAFT_FIELD_TYPES: Final = (int, str, str, str)
"""The types of the values in a draft: number of answers, question, player, typed letters."""


def load_word_draft(journal: Journal, game: int, snapshot: Snapshot) -> str:
    """Return the draft (the typed letters) for the pending question of a game; "" if none.

    snapshot: the public state of the game, which contains the pending question.
    """
    draft = _drafts(journal.all_settings()).get(str(game))
    return draft[-1] if draft is not None and draft[:-1] == _of(snapshot) else ""


def save_word_draft(journal: Journal, game: int, snapshot: Snapshot, text: str, now: int) -> None:
    """Save the typed letters `text` as the draft for the pending question of a game.

    If `text` is "", delete the saved draft.

    Raise JournalError if saving fails.
    """
    drafts = _drafts(journal.all_settings())
    remaining = {number: draft for number, draft in drafts.items() if number != str(game)}
    if text:
        remaining[str(game)] = [*_of(snapshot), text]
    if remaining != drafts:
        journal.save_setting(DRAFTS_SETTING, remaining, now)


def _of(snapshot: Snapshot) -> list[Any]:
    """Return the values that a draft must match: number of answers, question, player."""
    prompt = snapshot.prompt
    return [snapshot.position, *((prompt.name, prompt.who) if prompt else (None, None))]


def _drafts(settings: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the valid drafts in the record's settings, by the game's number as text."""
    drafts = settings.get(DRAFTS_SETTING)
    return {
        game: draft
        for game, draft in (drafts.items() if isinstance(drafts, dict) else ())
        if isinstance(draft, list) and tuple(map(type, draft)) == DRAFT_FIELD_TYPES
    }
