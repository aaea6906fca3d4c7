"""What stands in front of the question for a while: verdicts, rulings, notes, one after another.

Facts become such moments, in the words and pictures of the game, or of the box.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import sounds
from companion.catalog import registry
from companion.core.game import Cue
from companion.core.prompts import SIDES, THROW
from companion.draw import dice, screens
from companion.hear import policy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.core.game import Cues
    from companion.core.prompts import Prompt, Roll
    from companion.draw.face import Face
    from companion.hear.policy import Rules
    from companion.say.words import Words

STANDING: Final = Cue("standing")
"""The fact of a moment that shows how the game stands."""
SECONDS_A_WORD: Final = 0.25
"""How long it takes to read a verdict where nothing is said."""
SHORTEST: Final = 1.2
"""Seconds that a verdict stays, at least."""
STEP: Final = 0.35
"""Seconds between two pictures of a movement."""
NEWEST: Final = ("detail", "help", "sound")
"""Facts that replace the like of them."""
NOTE: Final = 6.0
"""Seconds that a note about the hardware stays; the game does not wait for it."""


class Paged(Protocol):
    """What is looked at page by page, as UP and DOWN turn them: a finished game, or figures."""

    @property
    def cue(self) -> Cue:
        """What it is, as a fact."""

    @property
    def count(self) -> int:
        """How many pages it has."""

    def draw(self, n: int, words: Words) -> bytes:
        """The frame of a page, counted from 0."""

    def said(self, n: int, words: Words) -> str:
        """The same page, to be heard."""


class Moment(NamedTuple):
    """Facts that are shown together, in so many pictures.

    `letters` and `sounding` seconds of sounds are heard of them; in silence `read` words are read.
    `whose`: the
    only player whom it concerns, if not all. `dice` are those that somebody has just rolled, which
    are seen turning, each with so many `sides`. A picture of a movement stays for `step` seconds,
    the last one for `rest`. `paged` has pages to turn instead of pictures.
    """

    cues: Cues
    pictures: int = 1
    letters: int = 0
    sounding: float = 0.0
    read: int = 0
    whose: str | None = None
    dice: tuple[int, ...] = ()
    sides: int = SIDES
    step: float = STEP
    rest: float = SHORTEST
    paged: Paged | None = None

    @property
    def lead(self) -> Cue:
        """The fact that it is about; what follows from it comes after."""
        return self.cues[0]

    @property
    def is_why(self) -> bool:
        """Whether it explains: a page a fact, which are turned."""
        return self.lead.name == "why"

    @property
    def seconds(self) -> float:
        """How long it stays: its movement, and the time that it takes to take it in."""
        moving = (self.pictures - 1) * self.step
        heard = self.letters * policy.SECONDS_A_LETTER + self.sounding
        return max(moving + self.rest, heard, self.read * SECONDS_A_WORD)


class Moments(NamedTuple):
    """A queue of moments, the front one shown.

    `until` is when it changes by itself, None: not before OK. `picture` is the one that it shows of
    its movement; the first press ends the movement, and only the next one goes past it. `over` is
    when it goes after that, None: not before OK.
    """

    queue: tuple[Moment, ...] = ()
    picture: int = 0
    until: float | None = None
    over: float | None = None

    @property
    def front(self) -> Moment | None:
        """The moment that is shown; None if the question is."""
        return self.queue[0] if self.queue else None

    @property
    def is_moving(self) -> bool:
        """Return True if the front moment has not shown its last picture, which is to be read.

        Dice that the next picture shows as well rest for one step only: they are not to be read.
        """
        front = self.front
        if front is None or front.rest <= front.step:
            return False
        return self.picture + 1 < front.pictures

    @property
    def is_standing(self) -> bool:
        """Whether the front one shows how the game stands."""
        return bool(self.queue) and self.queue[0].lead is STANDING


def push(moments: Moments, moment: Moment, until: float | None = None) -> Moments:
    """With a moment in front of all others; of some, only the newest stands there."""
    rest, name = moments.queue, moment.lead.name
    if rest and name in NEWEST and rest[0].lead.name == name:
        rest = rest[1:]
    return Moments((moment, *rest), until=until, over=until)


def start_front(moments: Moments, now: float, *, stays: bool) -> Moments:
    """With the front one beginning to move, if it does, to go when its time is over."""
    front = moments.front
    if front is None:
        return Moments()
    over = None if stays else now + front.seconds
    return Moments(moments.queue, until=now + front.step if front.pictures > 1 else over, over=over)


def pop(moments: Moments, now: float, *, stays: bool) -> Moments:
    """Without the front one."""
    return start_front(Moments(moments.queue[1:]), now, stays=stays)


def end_movement(moments: Moments) -> Moments:
    """Return the queue with the last picture of the front moment, which stays its whole time."""
    if moments.front is None:
        return moments
    return moments._replace(picture=moments.front.pictures - 1, until=moments.over)


def advance(moments: Moments, now: float, *, stays: bool) -> tuple[Moments, bool]:
    """When `until` has come: the next picture, or the next moment; and whether that is another."""
    front, picture = moments.front, moments.picture + 1
    if front is None or picture >= front.pictures:
        return pop(moments, now, stays=stays), True
    until = now + front.step if picture + 1 < front.pictures else moments.over
    return moments._replace(picture=picture, until=until), False


# --- facts become moments -------------------------------------------------------------------------


class Staged(NamedTuple):
    """What an answer brought about.

    Facts to tell now, as moments; who then looks alone, if anybody has news; and the facts that are
    `held` until after that look.
    """

    cues: Cues = ()
    moments: tuple[Moment, ...] = ()
    curtain: str | None = None
    held: Cues = ()


def moment(
    cues: Cues,
    words: Words,
    face: Face | None,
    now: Rules,
    whose: str | None = None,
    said: Mapping[int, str] | None = None,
) -> Moment:
    """Facts that are shown together, with their pictures, for as long as it takes to take them in.

    That is to hear them; in silence, or if they go unsaid, to read them. A movement ends with the
    sound of its fact, when the sentence begins. `said`: the sentence of each fact by its `id`, if
    they are told with others.
    """
    pictures = screens.steps(cues, face)
    if not now.speaks:
        return Moment(cues, pictures, read=sum(words.length(cue) for cue in cues), whose=whose)
    texts = [policy.speech(cue, words, now) for cue in cues]
    spoken = texts if said is None else [said.get(id(cue), "") for cue in cues]
    unsaid = (cue for cue, text, one in zip(cues, texts, spoken, strict=True) if text and not one)
    names = [words.sound(cue) for cue in cues] if now.effects else []
    lasting = [seconds(name, now.sounds) if name else 0.0 for name in names]
    return Moment(
        cues,
        pictures,
        sum(map(len, spoken)),
        sum(lasting),
        read=sum(map(words.length, unsaid)),
        whose=whose,
        step=_step(pictures, lasting[0] if lasting else 0.0),
    )


def _step(pictures: int, sounding: float) -> float:
    """Return how long a picture of a movement stays (s): the last one comes as the sound ends."""
    return sounding / (pictures - 1) if pictures > 1 and sounding else STEP


def seconds(sound: str, chosen: Path | None = None) -> float:
    """Return how long a sound of the chosen set is heard (s): 0 if no WAV file has it."""
    try:
        return sounds.seconds(_file(sound, chosen))
    except (OSError, ValueError):
        return 0.0


@cache
def _file(sound: str, chosen: Path | None) -> Path:
    """Return the file that the loudspeaker plays. Raises FileNotFoundError.

    Packages are looked up only for a sound that is not the box's: not before the first frame.
    """
    try:
        return sounds.path(sound, chosen=chosen)
    except FileNotFoundError:
        return sounds.path(sound, *registry.sound_folders())


def stage_cues(
    cues: Cues,
    words: Words,
    face: Face | None,
    now: Rules,
    phones: frozenset[str] = frozenset(),
) -> Staged:
    """Moment by moment, up to the first news for one player alone; or up to the end of the game.

    Those with `phones` look there.
    """
    looks = (n for n, cue in enumerate(cues) if cue.to not in phones and words.is_news(cue))
    news = next(looks, None)
    told, held = (cues, ()) if news is None else (cues[: news + 1], cues[news + 1 :])
    said = {id(one.cue): one.text for one in policy.told(told, lambda _: words, now)}
    moments = [
        moment(facts, words, face, now, said=said)
        for facts in words.moments(told)
        if not words.fact(facts[0]).ends
    ]
    return Staged(told, tuple(moments), None if news is None else cues[news].to, held)


def add_dice(staged: Staged, roll: Roll, faces: tuple[int, ...], then: Prompt | None) -> Staged:
    """With the dice first, for which somebody has pressed, as they turn and then lie.

    They stay where neither a moment nor the question `then` shows what was rolled.
    """
    shown = staged.moments or then is None or then.name != THROW
    rest = dice.TURN if shown else SHORTEST
    cues, sides = (Cue(THROW, {"who": roll.who}),), roll.sides
    rolled = Moment(cues, dice.TURNS, dice=faces, sides=sides, step=dice.TURN, rest=rest)
    return staged._replace(moments=(rolled, *staged.moments))


def whys_of(
    would: tuple[str, ...], facts: Cues, words: Words, face: Face | None
) -> tuple[Cue, ...]:
    """The pages of *Why?*: what an answer `would` do, then what stands behind facts.

    A page each, the most particular first. `face` draws the facts, if they lie in front; else
    people argue.
    """
    whys = (*map(_page, would), *_behind(facts, words, face))
    return tuple({why.facts["ruling"]: why for why in whys}.values())


def _behind(facts: Cues, words: Words, face: Face | None) -> list[Cue]:
    """A page each of what stands behind facts: first the clause of the fact that leads them.

    Its page has the fact's numbers, too.
    """
    if not facts:
        return []
    lead = words.argued(facts) if face is None else facts[0]
    picture = None if face is None else face.pictures.get(lead.name)
    lead = lead if picture is None else picture.about(facts)
    names = sorted(words.rulings(facts), key=lambda name: _clause(name) != lead.clause)
    first, *others = map(_page, names)
    return [first._replace(facts={**first.facts, "argued": lead}), *others]


def _clause(name: str) -> str:
    """The clause that a part of one belongs to."""
    return name.partition(".")[0]


def _page(name: str) -> Cue:
    """A page of *Why?*: a clause, or a part of one."""
    return Cue("why", {"ruling": name}, _clause(name))
