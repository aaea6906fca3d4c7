"""Secret words that are typed but not confirmed: they survive a curtain and a power cut.

Drafts are settings of the record. A draft belongs to one player, one game and one number of
answers, so that an old draft is never shown. Games have no drafts in their lines, and backups and
exports leave drafts out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core.snapshot import Snapshot
from companion.record.backup import DRAFTS_SETTING
from companion.record.journal import Journal

DRAFT_TYPES: Final = (int, str, str, str)
"""The types of a draft: number of answers, question, player, letters."""


def load_draft(journal: Journal, game: int, snapshot: Snapshot) -> str:
    """Return the draft for the pending question; "" if there is none."""
    draft = _drafts(journal.settings()).get(str(game))
    return draft[-1] if draft is not None and draft[:-1] == _of(snapshot) else ""


def save_draft(journal: Journal, game: int, snapshot: Snapshot, text: str, now: int) -> None:
    """Save the draft for the pending question, or delete it if `text` is "". Raise JournalError."""
    drafts = _drafts(journal.settings())
    remaining = {number: draft for number, draft in drafts.items() if number != str(game)}
    if text:
        remaining[str(game)] = [*_of(snapshot), text]
    if remaining != drafts:
        journal.set(DRAFTS_SETTING, remaining, now)


def _of(snapshot: Snapshot) -> list[Any]:
    """Return the key of a draft: number of answers, question, player."""
    prompt = snapshot.prompt
    return [snapshot.position, *((prompt.name, prompt.who) if prompt else (None, None))]


def _drafts(settings: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the drafts of all games, by number of the game. Malformed ones are left out."""
    drafts = settings.get(DRAFTS_SETTING)
    return {
        game: draft
        for game, draft in (drafts.items() if isinstance(drafts, dict) else ())
        if isinstance(draft, list) and tuple(map(type, draft)) == DRAFT_TYPES
    }
