"""What one player knows of a game at a question, and nothing else: what a hint is found by."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.game import Cue, Memory
from companion.core.prompts import THROW, Choose, Number, choices

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.game import Game
    from companion.play.session import Session


class Outlook(NamedTuple):
    """What `player` knows of a game: the view of all, and what that seat was told.

    `number` and `position` say of which moment of which game.
    """

    game: Game[Any]
    player: str
    view: Mapping[str, Any]
    told: Memory
    number: int
    position: int


def asked(session: Session) -> Choose | Number | None:
    """The question of which the box can say what it would do; None if it can not."""
    prompt, game = session.prompt, session.setup.game
    if not isinstance(prompt, (Choose, Number)) or prompt.who in {None, *session.programs}:
        return None
    if prompt.name not in game.on or prompt.name in {*game.needs_eyes - game.wishes, THROW}:
        return None
    return prompt if game.playable(session.setup.options) else None


def outlook(session: Session) -> Outlook | None:
    """What the player asked knows; None if there is nothing to give a hint on."""
    prompt = asked(session)
    if prompt is None or prompt.who is None:
        return None
    setup, player = session.setup, prompt.who
    told = Memory(
        setup.players, setup.options, setup.edition, _plain(session.told(player)),
        prompt.name, player, tuple(_json([*choices(prompt)])), _json(prompt.facts),
    )  # fmt: skip
    snapshot = session.snapshot
    return Outlook(
        setup.game, player, _json(snapshot.view), told, session.number, snapshot.position
    )


def _plain(cues: tuple[Cue, ...]) -> tuple[Cue, ...]:
    """Facts as the text protocol has them."""
    return tuple(cue._replace(facts=_json(cue.facts)) for cue in cues)


def _json(value: Any) -> Any:
    return json.loads(json.dumps(value))
