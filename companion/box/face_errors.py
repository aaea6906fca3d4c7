"""Guards that log each exception from a game's pictures and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.box.events import GameFaceFailed
from companion.draw.contain import load_face_with_fallbacks
from companion.draw.errors import FaceErrorLogger
from companion.draw.face import Face
from companion.play.answer_history import GameSetup
from companion.say.phrasebook import WordsByLanguage

if TYPE_CHECKING:
    from companion.box.events import Inbox


def guarded_face_and_words(
    setup: GameSetup, inbox: Inbox | None = None
) -> tuple[Face, WordsByLanguage]:
    """Return a game's drawing functions (`Face`) and sentences, guarded against exceptions.

    At the first exception, the guard puts a GameFaceFailed event into the inbox.
    """
    game = setup.game.name
    slips = FaceErrorLogger(game, None if inbox is None else lambda: inbox.put(GameFaceFailed()))
    face = load_face_with_fallbacks(game, slips)
    own_cards = setup.options.get("deck") == "own"
    return face, WordsByLanguage(
        face, setup.edition, slips.log_missing_sentence, game=game, own=own_cards
    )
