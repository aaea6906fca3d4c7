"""The letters of a secret word that is not kept yet: they outlive a curtain and a power cut.

They stand among the settings of the record, for their owner alone: by the game and by how many
answers it has, so that an old one is nobody's. No line of a game has them: what reads games, checks
or exports them never sees a draft, and a backup leaves them out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.record.backup import DRAFTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.snapshot import Snapshot
    from companion.record.journal import Journal

PARTS: Final = (int, str, str, str)
"""A draft: how many answers its game has, the question, who is asked, and the letters."""


def found(journal: Journal, game: int, snapshot: Snapshot) -> str:
    """The letters of the word that stands to be spelt; "" if there are none."""
    draft = _drafts(journal.settings()).get(str(game))
    return draft[-1] if draft is not None and draft[:-1] == _of(snapshot) else ""


def keep(journal: Journal, game: int, snapshot: Snapshot, text: str, now: int) -> None:
    """Keep these letters, or none, if they are not kept already. Raises JournalError."""
    drafts = _drafts(journal.settings())
    kept = {number: draft for number, draft in drafts.items() if number != str(game)}
    if text:
        kept[str(game)] = [*_of(snapshot), text]
    if kept != drafts:
        journal.set(DRAFTS, kept, now)


def _of(snapshot: Snapshot) -> list[Any]:
    """What a draft belongs to."""
    prompt = snapshot.prompt
    return [snapshot.position, *((prompt.name, prompt.who) if prompt else (None, None))]


def _drafts(settings: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The drafts of all games, by their number; what cannot be one is left out."""
    drafts = settings.get(DRAFTS)
    return {
        game: draft
        for game, draft in (drafts.items() if isinstance(drafts, dict) else ())
        if isinstance(draft, list) and tuple(map(type, draft)) == PARTS
    }
