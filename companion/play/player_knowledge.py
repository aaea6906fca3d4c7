"""A player's knowledge while a question is pending. Hints use only this knowledge."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from companion.core.game import Cue, Game, SeatMemory
from companion.core.prompts import PRESSED_ROLL_QUESTION, Choose, Number, legal_answers
from companion.core.snapshot import View
from companion.play.session import Session
from companion.play.standing import Standing


class PlayerKnowledge(NamedTuple):
    """The knowledge of `player`: the public view, and the player's memory of the game (`memory`).

    `number` identifies the game in the record. `position` is the number of answers so far,
    including rolls and shuffles by the box.
    """

    game: Game[Any]
    player: str
    view: View
    memory: SeatMemory
    number: int
    position: int


def hintable_question(standing: Standing) -> Choose | Number | None:
    """Return the pending question if a hint can answer this question, else None."""
    prompt, game = standing.pending_prompt, standing.setup.game
    if not isinstance(prompt, (Choose, Number)) or prompt.who in {
        None,
        *standing.present_computer_players,
    }:
        return None
    if prompt.name not in game.on or prompt.name in {
        *game.questions_people_answer_for_computer - game.questions_with_announced_choice,
        PRESSED_ROLL_QUESTION,
    }:
        return None
    return prompt if game.can_box_play_seat(standing.setup.options) else None


def active_player_knowledge(session: Session) -> PlayerKnowledge | None:
    """Return the active player's knowledge; None if the pending question has no hint."""
    standing = session.standing
    prompt = hintable_question(standing)
    if prompt is None or prompt.who is None:
        return None
    setup, player = standing.setup, prompt.who
    memory = SeatMemory(
        setup.players, setup.options, setup.edition, _plain(standing.facts_received_by(player)),
        prompt.name, player, tuple(_json([*legal_answers(prompt)])), _json(prompt.facts),
    )  # fmt: skip
    view, position = _json(standing.snapshot.view), standing.snapshot.position
    return PlayerKnowledge(setup.game, player, view, memory, session.number, position)


def _plain(cues: tuple[Cue, ...]) -> tuple[Cue, ...]:
    """Return the events with all their data converted to JSON values, as in the text protocol."""
    return tuple(cue._replace(facts=_json(cue.facts)) for cue in cues)


def _json(value: Any) -> Any:
    return json.loads(json.dumps(value))
