"""The public state of a game after one recorded entry, for the display and for all clients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.core.game import Cues, Outcome
from companion.core.prompts import Form, Prompt, Question

View: TypeAlias = "Mapping[str, Any]"
"""The part of a game that one player or everybody may see, as JSON values by name."""


@dataclass(frozen=True)
class Snapshot:
    """The public state of a game, without its hidden cards.

    `cues` are the events that the last answer caused, including private events. A display shows a
    private event only to the player in the field `Cue.to`.

    If a form is pending, `form` is this form and `prompt` is its first question. If `prompt` is
    private, its options are a secret of the asked player.

    `position` is the number of all answers, including rolls and shuffles by the box. `undoable` is
    the number of players' answers, and `redoable` is the number of undone answers. `code` is the
    short code of the seed's commitment. `seed` is None until the end of the game.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    prompt: Prompt | None
    view: View
    cues: Cues
    position: int
    undoable: int
    redoable: int
    outcome: Outcome | None
    code: str
    seed: str | None
    form: Form | None = None

    @property
    def pending_question(self) -> Question | None:
        """Return the pending form if there is one, or else the pending prompt."""
        return self.form or self.prompt
