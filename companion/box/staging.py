"""Facts become moments, in the words and pictures of the game, or of the box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.box.moments import Moment
from companion.draw import screens

if TYPE_CHECKING:
    from companion.core.game import Cues
    from companion.draw.face import Face
    from companion.say.words import Words


def moment(cues: Cues, words: Words, face: Face | None, whose: str | None = None) -> Moment:
    """Facts that are shown together, with their pictures, and what is said of them."""
    letters = sum(len(words.speech(cue)) for cue in cues)
    return Moment(cues, screens.steps(cues, face), letters, whose)


def staged(
    cues: Cues, words: Words, face: Face | None, phones: frozenset[str] = frozenset()
) -> tuple[tuple[Moment, ...], str | None]:
    """What an answer brought about: moment by moment, and who has news to look at alone.

    Those with `phones` look there.
    """
    looks = (cue.to for cue in cues if words.is_looked_at(cue))
    curtain = next((who for who in looks if who not in phones), None)
    return tuple(moment(facts, words, face) for facts in words.moments(cues)), curtain
