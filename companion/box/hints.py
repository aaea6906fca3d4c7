"""A hint: what the box would do for the player asked, by what that player may know and no more.

It is found beside the box's loop; then the cursor stands on it, behind the curtain if it is secret.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.game import Cue, Memory
from companion.core.prompts import THROW, Choose, Number, choices
from companion.press.wheel import wheel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.box.table import Table
    from companion.core.game import Game
    from companion.core.prompts import Answer, Prompt
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


def pointed(table: Table, prompt: Prompt, answer: Answer) -> Table | None:
    """The table with the cursor on an answer; None if that is not what is asked any more."""
    if table.menus.page is not None or table.talk is not None or table.prompt != prompt:
        return None
    places = [*wheel(prompt)]
    if answer not in places:
        return None
    cursor = table.cursor._replace(at=places.index(answer))
    return table._replace(cursor=cursor)


def _plain(cues: tuple[Cue, ...]) -> tuple[Cue, ...]:
    """Facts as the text protocol has them."""
    return tuple(cue._replace(facts=_json(cue.facts)) for cue in cues)


def _json(value: Any) -> Any:
    return json.loads(json.dumps(value))
