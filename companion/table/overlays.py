"""Overlays: a queue of results, rulings and notes that cover the question on the display.

This module makes overlays from events (`Cue`). The game or the box supplies the sentences and
pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import sounds
from companion.catalog import registry
from companion.core.game import Cue, Cues
from companion.core.prompts import PRESSED_ROLL_QUESTION, Prompt, Roll
from companion.draw import dice, screens
from companion.hear import policy
from companion.hear.policy import AudioSettingsAtHour
from companion.say.words import Words

if TYPE_CHECKING:
    from companion.draw.face import Face

SCORE_CUE: Final = Cue("standing")
"""The `Cue` of an overlay that shows the score."""
SECONDS_PER_WORD: Final = 0.25
"""Seconds of display time for each word that players must read."""
MIN_OVERLAY_SECONDS: Final = 1.2
"""Minimum display time of an overlay, in seconds."""
ANIMATION_PICTURE_SECONDS: Final = 0.35
"""Seconds between two pictures of an animation that has no sound."""
REPLACING_NOTE_NAMES: Final = ("detail", "help", "sound")
"""Names of notes that replace an older note with the same name."""
NOTE_SECONDS: Final = 6.0
"""Seconds for which a note about the hardware or the sound is shown."""


class PagedText(Protocol):
    """The interface of a text with pages that UP and DOWN turn, such as statistics."""

    @property
    def title_fact(self) -> Cue:
        """The `Cue` that represents the text in an overlay."""

    @property
    def page_count(self) -> int:
        """The number of pages in the text."""

    def frame_of_page(self, n: int, words: Words) -> bytes:
        """Return the frame of page `n`, counted from 0."""

    def spoken_page(self, n: int, words: Words) -> str:
        """Return the spoken form of page `n`, counted from 0."""


class Overlay(NamedTuple):
    """An overlay: game events (`cues`) that are shown together, as one picture or as an animation.

    - `pictures`: the number of pictures in the animation; 1 means one still picture.
    - `letters`: the number of spoken letters.
    - `sounding`: the duration of the sounds in seconds.
    - `read`: the number of words to read, for events that are not spoken.
    - `whose`: the player in whose language the overlay is shown, or None for the box's language.
    - `throw`: the dice that roll on the display first, or None.
    - `step`, `rest`: seconds for each picture of an animation, and for the last picture.
    - `paged`: a text with pages that replaces the pictures, or None.
    """

    cues: Cues
    pictures: int = 1
    letters: int = 0
    sounding: float = 0.0
    read: int = 0
    whose: str | None = None
    throw: dice.RolledDice | None = None
    step: float = ANIMATION_PICTURE_SECONDS
    rest: float = MIN_OVERLAY_SECONDS
    paged: PagedText | None = None

    @property
    def lead_fact(self) -> Cue:
        """The first `Cue` of the overlay, which determines the picture."""
        return self.cues[0]

    @property
    def is_ruling_explanation(self) -> bool:
        """Return True if the overlay explains rulings, with one page for each ruling."""
        return self.lead_fact.name == "why"

    @property
    def duration_seconds(self) -> float:
        """Return the overlay's display time in seconds.

        The display time is the animation's duration, or the time to hear or read the overlay.
        """
        moving = (self.pictures - 1) * self.step
        heard = self.letters * policy.SECONDS_A_LETTER + self.sounding
        return max(moving + self.rest, heard, self.read * SECONDS_PER_WORD)


class OverlayQueue(NamedTuple):
    """A queue of overlays. The display shows the front overlay.

    - `until`: the time (s) at which the front overlay changes by itself. If `until` is None, only a
      press changes the overlay.
    - `picture`: the index of the shown picture in the front overlay's animation. The first press
      ends the animation, and the second press closes the overlay.
    - `over`: the time (s) at which the front overlay closes after its animation. If `over` is None,
      only a press closes the overlay.
    """

    queue: tuple[Overlay, ...] = ()
    picture: int = 0
    until: float | None = None
    over: float | None = None

    @property
    def front_overlay(self) -> Overlay | None:
        """Return the front overlay, or None if the question is shown."""
        return self.queue[0] if self.queue else None

    @property
    def is_animation_running(self) -> bool:
        """Return True while the front overlay's animation runs, so that a press ends the animation.

        Return False for rolling dice if the next overlay repeats the result of the dice.
        """
        front = self.front_overlay
        if front is None or front.rest <= front.step:
            return False
        return self.picture + 1 < front.pictures

    @property
    def is_score_in_front(self) -> bool:
        """Return True if the front overlay shows the score."""
        return bool(self.queue) and self.queue[0].lead_fact is SCORE_CUE

    @property
    def is_recap_in_front(self) -> bool:
        """Return True if the front overlay shows the last answer of a resumed game."""
        return bool(self.queue) and self.queue[0].lead_fact.name == "resumed"


def push_overlay(
    moments: OverlayQueue, moment: Overlay, until: float | None = None
) -> OverlayQueue:
    """Return the queue with the overlay `moment` in front.

    If the name of the overlay is in REPLACING_NOTE_NAMES, and the front overlay has this name,
    replace the front overlay. `until` is the time (s) at which the overlay closes. If `until` is
    None, only a press closes the overlay.
    """
    rest, name = moments.queue, moment.lead_fact.name
    if rest and name in REPLACING_NOTE_NAMES and rest[0].lead_fact.name == name:
        rest = rest[1:]
    return OverlayQueue((moment, *rest), until=until, over=until)


def start_front_overlay(moments: OverlayQueue, now: float, *, stays: bool) -> OverlayQueue:
    """Return the queue with the front overlay started at the time `now` (s).

    If `stays` is True, only a press closes the overlay.
    """
    front = moments.front_overlay
    if front is None:
        return OverlayQueue()
    over = None if stays else now + front.duration_seconds
    return OverlayQueue(
        moments.queue, until=now + front.step if front.pictures > 1 else over, over=over
    )


def queue_without_front_overlay(moments: OverlayQueue, now: float, *, stays: bool) -> OverlayQueue:
    """Return the queue without its front overlay. The next overlay starts at the time `now` (s)."""
    return start_front_overlay(OverlayQueue(moments.queue[1:]), now, stays=stays)


def queue_with_animation_ended(moments: OverlayQueue) -> OverlayQueue:
    """Return the queue, with the front overlay at the last picture of its animation.

    The closing time of the overlay does not change.
    """
    if moments.front_overlay is None:
        return moments
    return moments._replace(picture=moments.front_overlay.pictures - 1, until=moments.over)


def advance_overlay_queue(
    moments: OverlayQueue, now: float, *, stays: bool
) -> tuple[OverlayQueue, bool]:
    """Return the queue at the time `now` (s), and True if the front overlay has closed.

    The front overlay shows its next picture, or closes after its last picture.
    """
    front, picture = moments.front_overlay, moments.picture + 1
    if front is None or picture >= front.pictures:
        return queue_without_front_overlay(moments, now, stays=stays), True
    until = now + front.step if picture + 1 < front.pictures else moments.over
    return moments._replace(picture=picture, until=until), False


# --- overlays from events -------------------------------------------------------------------------


class StagedFacts(NamedTuple):
    """The events (`Cue`) that an answer caused: events to show now, and events to show later.

    - `cues`, `overlays`: the events to announce now, and their overlays.
    - `curtain`: the player who must then look at a secret alone, or None if there is no new secret.
    - `held`: the events to announce after the player has looked at the secret.
    """

    cues: Cues = ()
    overlays: tuple[Overlay, ...] = ()
    curtain: str | None = None
    held: Cues = ()


def make_overlay(
    cues: Cues,
    words: Words,
    face: Face | None,
    now: AudioSettingsAtHour,
    sentences: Mapping[int, str] | None = None,
) -> Overlay:
    """Return an overlay that shows the events `cues` for long enough to hear or read the text.

    The last picture of an animation appears when the sound ends and the sentence begins. If events
    share a sentence, `sentences` maps the `id` of each `Cue` to the sentence.
    """
    pictures = screens.count_animation_pictures(cues, face)
    if not now.speaks:
        return Overlay(cues, pictures, read=sum(words.fact_word_count(cue) for cue in cues))
    spoken = [
        policy.fact_sentence(cue, words, now) if sentences is None else sentences.get(id(cue), "")
        for cue in cues
    ]
    unsaid = (
        cue
        for cue, sentence in zip(cues, spoken, strict=True)
        if not sentence and policy.fact_sentence(cue, words, now)
    )
    names = [words.fact_sound_name(cue) for cue in cues] if now.effects else []
    lasting = [sound_duration_seconds(name, now.sounds) if name else 0.0 for name in names]
    return Overlay(
        cues,
        pictures,
        sum(map(len, spoken)),
        sum(lasting),
        read=sum(map(words.fact_word_count, unsaid)),
        step=_step(pictures, lasting[0] if lasting else 0.0),
    )


def _step(pictures: int, sounding: float) -> float:
    return sounding / (pictures - 1) if pictures > 1 and sounding else ANIMATION_PICTURE_SECONDS


def sound_duration_seconds(sound: str, chosen: Path | None = None) -> float:
    """Return the duration (s) of a sound in the sound set `chosen`; 0 without a valid WAV file."""
    try:
        return sounds.sound_length_in_seconds(_file(sound, chosen))
    except (OSError, ValueError):
        return 0.0


@cache
def _file(sound: str, chosen: Path | None) -> Path:
    """Return the path of the sound file that the loudspeaker plays.

    Search the folders of games only if the box lacks the sound. Raise FileNotFoundError if no
    folder has the sound.
    """
    try:
        return sounds.find_sound_file(sound, chosen=chosen)
    except FileNotFoundError:
        return sounds.find_sound_file(sound, *registry.game_sound_folders())


def stage_facts_as_overlays(
    cues: Cues,
    words: Words,
    face: Face | None,
    now: AudioSettingsAtHour,
    phones: frozenset[str] = frozenset(),
) -> StagedFacts:
    """Return the events `cues` as overlays, and the events to show later.

    The overlays end with the first secret of a player. Later events wait until the player has
    looked at the secret. Players in `phones` see their secrets on their phones instead.
    """
    looks = [
        n
        for n, cue in enumerate(cues)
        if cue.to not in phones and words.is_private_fact_shown_immediately(cue)
    ]
    news = looks[0] if looks else None
    first_cues, held = (cues, ()) if news is None else (cues[: news + 1], cues[news + 1 :])
    sentences = {
        id(spoken.cue): spoken.text
        for spoken in policy.select_facts_to_announce(first_cues, lambda _: words, now)
    }
    moments = [
        make_overlay(facts, words, face, now, sentences)
        for facts in words.group_facts_by_picture(first_cues)
        if not words.variant_row_of_fact(facts[0]).shown_in_final_score
    ]
    return StagedFacts(first_cues, tuple(moments), None if news is None else cues[news].to, held)


def prepend_rolling_dice(
    staged: StagedFacts, roll: Roll, faces: tuple[int, ...], then: Prompt | None
) -> StagedFacts:
    """Return `staged` with an overlay of rolling dice in front, for a player's roll.

    If no overlay shows the result and the next question (`then`) asks for another roll, show the
    dice longer.
    """
    shown = staged.overlays or then is None or then.name != PRESSED_ROLL_QUESTION
    rest = dice.PICTURE_SECONDS if shown else MIN_OVERLAY_SECONDS
    cues, throw = (
        (Cue(PRESSED_ROLL_QUESTION, {"who": roll.who}),),
        dice.RolledDice(str(roll.who), faces, roll.sides),
    )
    rolled = Overlay(
        cues, dice.ROLL_PICTURE_COUNT, throw=throw, step=dice.PICTURE_SECONDS, rest=rest
    )
    return staged._replace(overlays=(rolled, *staged.overlays))


def ruling_pages(
    would: tuple[str, ...], facts: Cues, words: Words, face: Face | None
) -> tuple[Cue, ...]:
    """Return the pages of *Why?*, the most specific page first.

    The first pages show the clauses `would`, which explain the effect of the selected answer. The
    next pages explain the game events `facts`, which `face` draws.
    """
    whys = (*map(_page, would), *_behind(facts, words, face))
    return tuple({why.facts["ruling"]: why for why in whys}.values())


def _behind(facts: Cues, words: Words, face: Face | None) -> list[Cue]:
    if not facts:
        return []
    lead = words.fact_to_explain_first(facts) if face is None else facts[0]
    picture = None if face is None else face.pictures.get(lead.name)
    lead = lead if picture is None else picture.explained_fact(facts)
    names = sorted(
        words.clauses_explaining_facts(facts), key=lambda name: _clause(name) != lead.clause
    )
    first, *others = map(_page, names)
    return [first._replace(facts={**first.facts, "argued": lead}), *others]


def _clause(name: str) -> str:
    return name.partition(".")[0]


def _page(name: str) -> Cue:
    return Cue("why", {"ruling": name}, _clause(name))
