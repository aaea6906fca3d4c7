"""Facts become moments, in the words and pictures of the game, or of the box."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.box.moments import SHORTEST, Moment
from companion.core.game import Cue
from companion.core.prompts import THROW
from companion.draw import dice, screens

if TYPE_CHECKING:
    from companion.core.game import Cues
    from companion.core.prompts import Prompt, Roll
    from companion.draw.face import Face
    from companion.hear.policy import Rules
    from companion.say.words import Words


class Staged(NamedTuple):
    """What an answer brought about: facts to tell now, as moments; who then looks alone, if anybody
    has news; and the facts that are `held` until after that look.
    """  # noqa: D205 - one list

    cues: Cues = ()
    moments: tuple[Moment, ...] = ()
    curtain: str | None = None
    held: Cues = ()


def moment(
    cues: Cues, words: Words, face: Face | None, now: Rules, whose: str | None = None
) -> Moment:
    """Facts that are shown together, with their pictures, for as long as it takes to take them in.

    That is to hear them; in silence, to read them.
    """
    pictures = screens.steps(cues, face)
    if not now.speaks:
        return Moment(cues, pictures, read=sum(words.length(cue) for cue in cues), whose=whose)
    letters = sum(len(words.speech(cue, now.verbosity)) for cue in cues)
    sounds = sum(words.sound(cue) is not None for cue in cues)
    return Moment(cues, pictures, letters, sounds, whose=whose)


def staged(
    cues: Cues,
    words: Words,
    face: Face | None,
    now: Rules,
    phones: frozenset[str] = frozenset(),
) -> Staged:
    """Moment by moment, up to the first news for one player alone; or up to the end of the game.

    Those with `phones` look there.
    """
    looks = (n for n, cue in enumerate(cues) if words.is_news(cue))
    news = next((n for n in looks if cues[n].to not in phones), None)
    told, held = (cues, ()) if news is None else (cues[: news + 1], cues[news + 1 :])
    shown = [facts for facts in words.moments(told) if not words.fact(facts[0]).ends]
    moments = tuple(moment(facts, words, face, now) for facts in shown)
    return Staged(told, moments, None if news is None else cues[news].to, held)


def thrown(staged: Staged, roll: Roll, faces: tuple[int, ...], then: Prompt | None) -> Staged:
    """With the dice first, for which somebody has pressed, as they turn and then lie.

    They stay where neither a moment nor the question `then` shows what was rolled.
    """
    shown = staged.moments or then is None or then.name != THROW
    rest = dice.TURN if shown else SHORTEST
    cues, sides = (Cue(THROW, {"who": roll.who}),), roll.sides
    rolled = Moment(cues, dice.TURNS, dice=faces, sides=sides, step=dice.TURN, rest=rest)
    return staged._replace(moments=(rolled, *staged.moments))
