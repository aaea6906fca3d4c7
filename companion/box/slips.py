"""What goes wrong in a game's face or words: all of it is logged, the first of it is told."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from companion.box.events import Slip
from companion.draw.contain import contained_face
from companion.say.phrasebook import Phrasebook

if TYPE_CHECKING:
    from companion.box.events import Inbox
    from companion.draw.face import Face
    from companion.play.session import Setup
    from companion.say.words import MissingWords


class Slips:
    """The slips of one game, each logged once; the first of them goes into the inbox."""

    def __init__(self, game: str, inbox: Inbox | None) -> None:
        self._game, self._inbox = game, inbox
        self._known: set[tuple[str, str]] = set()

    def __call__(self, part: str, error: Exception) -> None:
        """A part of the face has failed; its default does instead."""
        self._note(part, type(error).__name__, error)

    def missing(self, key: str, error: MissingWords) -> None:
        """A sentence is not there; its key stands in its place."""
        self._note("words", key, error)

    def _note(self, part: str, kind: str, error: Exception) -> None:
        if (part, kind) in self._known:
            return
        if self._inbox is not None and not self._known:
            self._inbox.put(Slip())
        self._known.add((part, kind))
        import logging  # noqa: PLC0415 - it takes as long as many other files

        log = logging.getLogger("companion.games")
        log.error("%s: %s: %s", self._game, part, error, exc_info=error)


@cache
def unseen(game: str) -> Slips:
    """The slips of a game that is not on the table, but in a list: they are logged."""
    return Slips(game, None)


def safe(setup: Setup, inbox: Inbox | None = None) -> tuple[Face, Phrasebook]:
    """A game's face and its words, neither of which can stop the box."""
    game = setup.game.name
    slips = Slips(game, inbox)
    face = contained_face(game, slips)
    wording = face.wording(game, own=setup.options.get("deck") == "own")
    return face, Phrasebook(wording, setup.edition, slips.missing)
