"""What a game shows of itself: one moment, for every face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Cues, Outcome
    from companion.core.prompts import Form, Prompt, Question


@dataclass(frozen=True)
class Snapshot:
    """All that a face may know: no hidden card is in it.

    `cues` are what the last call brought about, the private ones too: a face shows those to their
    `to` alone. `prompt.options` of a private prompt are that player's secret likewise. Where a
    `form` stands, `prompt` is the first of its questions.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    prompt: Prompt | None
    view: Mapping[str, Any]
    cues: Cues
    position: int
    undoable: int
    redoable: int
    outcome: Outcome | None
    code: str
    seed: str | None
    form: Form | None = None

    @property
    def question(self) -> Question | None:
        """What stands to be answered, as one."""
        return self.form or self.prompt
