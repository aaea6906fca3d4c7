"""What is heard, and in what order: facts and settings in, steps for the speakers out. Pure.

A fact's sound comes first and its sentence after it. What has been said once in a game is short
from then on, and what is no longer true is not said. A newer fact drops what is not yet spoken of
an older one, an alarm does so even without a sentence, a secret is never heard, and any other sound
without a sentence never stops one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from companion.core.prompts import THROW
from hardware.ports import COMMON, FIRST, LAST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from companion.core.game import Cue
    from companion.core.prompts import Prompt, Values
    from companion.say.facts import Fact
    from companion.say.words import Words

MISTAKES, SCORES, EVERYTHING = 1, 2, 3
LEVELS: Final = {"nothing": 0, "mistakes": MISTAKES, "scores": SCORES, "everything": EVERYTHING}
FAULTS: Final = frozenset(
    {
        "refused",
        "damaged",
        "rules_changed",
        "outgrown",
        "reset",
        "hardware",
        "edition",
        "slip",
        "broken",
        "stuck",
    }
)
"""Facts that tell of a mistake; all others are scores, and receipts are for those who hear all."""
TURN: Final = "your_turn"
"""The sound before a question that is spoken to a player."""
DEFAULT_SPEED: Final = 160
"""Words a minute, unless another speed is chosen: as a person speaks across a table."""
SECONDS_A_LETTER: Final = 0.07
"""How long a sentence takes, a letter."""
SECONDS_BETWEEN: Final = 0.3
"""Seconds from one sentence to the next."""
SECONDS_A_SOUND: Final = 1.3
"""How long a sound takes: only victories are much longer."""
MAX_SECONDS: Final = 12.0
"""Seconds that are heard of one answer, at most. *Say it again* says all of it."""
VOLUME_STEP: Final = 10
"""A step of volume, in percent."""


class Hush(NamedTuple):
    """Drop every sentence that has not begun; `keep`: but for those of the first rank."""

    keep: bool = False


class Retract(NamedTuple):
    """Drop these sentences, whatever their rank: they are true no longer."""

    texts: tuple[str, ...]


class HeldFact(NamedTuple):
    """A fact that was told and holds until others happen (`Fact.until`), as it was said."""

    cue: Cue
    fact: Fact
    text: str

    def is_ended_by(self, cue: Cue) -> bool:
        """Whether `cue` makes the fact untrue, or takes its answer back."""
        if cue.name == "undone":
            return True
        told, now = (one.facts.get(self.fact.about or "") for one in (self.cue, cue))
        return cue.name in (self.fact.until or ()) and now in (None, told)


class AnnouncedFact(NamedTuple):
    """A fact that is heard now: its sentence, "" for none, with the words it is made of.

    `sounds`: its sound is heard, if it has one.
    """

    cue: Cue
    fact: Fact
    text: str
    words: Words
    sounds: bool = True


class Volume(NamedTuple):
    """Set the volume of all that follows, 0 to 100 percent."""

    percent: int


class Sound(NamedTuple):
    """A file of `sounds/` to play."""

    name: str
    rank: int = COMMON


class Sentence(NamedTuple):
    """A sentence to speak."""

    text: str
    language: str
    rank: int = COMMON


Step: TypeAlias = Hush | Retract | Volume | Sound | Sentence


class SaidBefore(NamedTuple):
    """What has been said in this game already, and is short from then on.

    `facts` are facts as they are told, by `Words.variant`; `asked` are questions that a player has
    answered, by name and player.
    """

    facts: frozenset[str] = frozenset()
    asked: frozenset[tuple[str, str | None]] = frozenset()


NOTHING: Final = SaidBefore()
"""What is known before a game, or where all is told in whole sentences."""


class Rules(NamedTuple):
    """What the settings come to at one hour of the day, for what is `known`.

    `level` is the highest that is heard; `speaks`: whether there are sentences, worded as
    `verbosity` says, and for those who play by ear if `ear`; `effects`: whether there are sounds,
    and `sounds` the folder of the chosen set, None for the usual one; `percent` is the volume;
    `muted` what mutes the box and is shown: "silent", "nothing" (the level), "night" (the quiet
    hours), or "" for none. `longest` is how many seconds are heard of one answer at most; None: all
    is said.
    """

    level: int
    verbosity: str
    speaks: bool
    percent: int
    muted: str
    known: SaidBefore = NOTHING
    effects: bool = True
    sounds: Path | None = None
    longest: float | None = None
    ear: bool = False


def rules(settings: Mapping[str, Any], hour: int | None) -> Rules:
    """The rules at `hour`, 0 to 23, on the clock of the room; an unknown one (None) is never quiet.

    Silence is total. In the quiet hours nothing is said, at half the volume, but never below the
    floor: a box that is too low to hear seems broken. Who plays by ear could not play without
    sentences: then they are said by night too and without the voice's setting, and questions at
    any level but silence.
    """
    silent = settings["silent"] or settings["heard"] == "nothing"
    why = "silent" if settings["silent"] else "nothing" if silent else ""
    ear = settings["ear"]
    night = is_night(settings["quiet_from"], settings["quiet_to"], hour)
    lo, hi = settings["quietest"] * VOLUME_STEP, settings["loudest"] * VOLUME_STEP
    percent = min(max(settings["volume"] * VOLUME_STEP, lo), hi)
    return Rules(
        level=0 if silent else EVERYTHING if ear else LEVELS[settings["heard"]],
        verbosity=settings["speech"],
        speaks=(ear or (settings["voice"] and not night)) and not silent,
        percent=max(percent // 2, lo) if night else percent,
        muted=why or ("night" if night and not ear else ""),
        effects=settings["effects"],
        longest=None if ear or settings["speech"] == "teaching" else MAX_SECONDS,
        ear=ear,
    )


class Ears(NamedTuple):
    """Who plays by ear: `everybody`, or these `players`; `alone`: a second output speaks to one.

    `detail`: how much is said, as the setting *speech* has it.
    """

    everybody: bool = False
    players: frozenset[str] = frozenset()
    alone: bool = False
    detail: str = "normal"

    @property
    def open(self) -> bool:
        """Whether anybody plays by ear."""
        return self.everybody or bool(self.players)

    def hears(self, who: str | None) -> bool:
        """Whether what is asked of `who`, or of the table, is said as the thumb turns it."""
        return self.open if who is None else self.everybody or who in self.players

    def hears_alone(self, who: str) -> bool:
        """Whether a secret of `who` is spoken into one ear, and so need not be shown."""
        return self.alone and self.hears(who)


def voice_and_speed(settings: Mapping[str, Any], language: str) -> tuple[str, int]:
    """The voice of a language, "" for the usual one, and its words a minute."""
    return settings["voices"].get(language, ""), settings["speeds"].get(language, DEFAULT_SPEED)


def is_night(begins: int | None, ends: int, hour: int | None) -> bool:
    """Return True if `hour`, None if unknown, lies in the quiet hours, which may span midnight.

    begins: None if there are no quiet hours.
    """
    if begins is None or hour is None:
        return False
    return (hour - begins) % 24 < (ends - begins) % 24


def story(
    cues: Iterable[Cue], words: Callable[[str | None], Words], now: Rules, receipt: str | None
) -> tuple[Step, ...]:
    """Facts in their order.

    `receipt` is the sound of the press behind them, left out at an alarm, and where a fact has it.
    `words` gives the words in a player's language, or the box's: what concerns one player alone is
    said in that player's.
    """
    heard = select_facts(cues, words, now)
    steps = tuple(_steps(heard, words(None), now))
    alarm = _alarms(heard)
    # a sound by itself must not stop a sentence; where nothing is spoken there is none to stop; and
    # where questions are, an answer stops them
    answered = receipt is not None and now.speaks and now.level >= EVERYTHING
    stale = alarm or answered or (bool(heard) and (not now.speaks or bool(sentences_of(steps))))
    sounds = {step.name for step in steps if isinstance(step, Sound)}
    begun = () if alarm or receipt in sounds else sound(receipt, now)
    return (Hush(keep=now.speaks), *begun, *steps) if stale else (*begun, *steps)


def speech(cue: Cue, words: Words, now: Rules) -> str:
    """A fact as it is heard: in a whole sentence once a game, then in its short one.

    Who is taught hears every sentence whole, and its clause after it. Who plays by ear hears the
    sentence for the ear, if the fact has one, unless little is said.
    """
    is_short = now.verbosity == "normal" and words.variant(cue) in now.known.facts
    return words.speech(
        cue,
        "short" if is_short else now.verbosity,
        ear=now.ear and now.verbosity != "short",
    )


def claims(
    cues: Iterable[Cue], words: Callable[[str | None], Words], now: Rules
) -> tuple[HeldFact, ...]:
    """The facts that are told and may be true no longer before they are heard."""
    every = select_facts(cues, words, now._replace(level=EVERYTHING))
    return tuple(HeldFact(one.cue, one.fact, one.text) for one in every if one.fact.until)


def select_facts(
    cues: Iterable[Cue], words: Callable[[str | None], Words], now: Rules
) -> tuple[AnnouncedFact, ...]:
    """Return the public facts of one answer that are heard, each with its sentence.

    A skippable fact is not told before a priority one. What a later fact makes untrue is not told
    at all. If all takes longer than `now.longest`, sentences are short, and then facts left out.
    """
    own = words(None)
    facts = [(cue, own.fact(cue)) for cue in cues if cue.to is None and _level(cue) <= now.level]
    last = max((n for n, (_, fact) in enumerate(facts) if _rank(fact) == FIRST), default=-1)
    every = []
    for n, (cue, fact) in enumerate(facts):
        text, theirs = "", words(own.addressee(cue))
        is_passed = _rank(fact) == LAST and n < last
        if not is_passed and not _is_ended(cue, fact, (later for later, _ in facts[n + 1 :])):
            text = speech(cue, theirs, now)
        every.append(AnnouncedFact(cue, fact, text, theirs))
    return _within(every, now)


def _rank(fact: Fact) -> int:
    return LAST if fact.skippable else FIRST if fact.priority else COMMON


def _is_ended(cue: Cue, fact: Fact, later: Iterable[Cue]) -> bool:
    held = HeldFact(cue, fact, "")
    return fact.until is not None and any(map(held.is_ended_by, later))


def _within(every: Sequence[AnnouncedFact], now: Rules) -> tuple[AnnouncedFact, ...]:
    """Return facts that take no longer than allowed to tell; what has priority is always told.

    First all are told by their short sentences, then the oldest are left out. One
    sentence always remains: an answer is never silent because its sentence is long.
    """
    longest = now.longest
    if longest is None or _seconds(every) <= longest:
        return tuple(every)
    short = [one._replace(text=one.text and one.words.speech(one.cue, "short")) for one in every]
    spoken = [n for n, one in enumerate(short) if one.text]
    for rank in (LAST, COMMON):
        for n, one in enumerate(short):
            if _seconds(short) <= longest:
                break
            if _rank(one.fact) == rank and [n] != spoken:
                short[n] = one._replace(text="", sounds=False)
                spoken = [other for other in spoken if other != n]
    return tuple(short)


def _alarms(every: Iterable[AnnouncedFact]) -> bool:
    return any(one.fact.alarming for one in every)


def _seconds(every: Iterable[AnnouncedFact]) -> float:
    """Return how long it takes to tell facts."""
    texts = sum(len(one.text) * SECONDS_A_LETTER + SECONDS_BETWEEN for one in every if one.text)
    return texts + sum(SECONDS_A_SOUND for one in every if one.sounds and one.fact.sound)


def _is_short(prompt: Prompt, now: Rules) -> bool:
    """Whether a player has answered that question before, so that the name will do.

    Who plays by ear has heard it, whoever was asked.
    """
    name = prompt.facts["roll"] if prompt.name == THROW else prompt.name
    known = now.known.asked
    was_asked = name in {other for other, _ in known} if now.ear else (name, prompt.who) in known
    return now.verbosity != "teaching" and was_asked


def sentences_of(steps: Iterable[Step]) -> tuple[Sentence, ...]:
    """The sentences among the steps."""
    return tuple([step for step in steps if isinstance(step, Sentence)])


def _steps(heard: Sequence[AnnouncedFact], own: Words, now: Rules) -> Iterator[Step]:
    """Sounds and sentences; a skippable fact's sound is not heard after a priority one.

    A sound without its sentence tells nothing, but for an alarm's. An alarm does not wait for the
    sound of the fact that causes it: the alarm is that sound.
    """
    ranks = [_rank(one.fact) for one in heard]
    first = ranks.index(FIRST) if FIRST in ranks else len(ranks)
    for n, (one, rank) in enumerate(zip(heard, ranks, strict=True)):
        is_alarm = one.fact.headline and not one.text and _alarms(heard[n + 1 : n + 2])
        if one.sounds and not is_alarm and (rank != LAST or n < first):
            weight = FIRST if one.fact.alarming else max(rank, COMMON)
            yield from sound(own.sound(one.cue), now, _level(one.cue), weight)
        yield from _sentence(one.text, one.words, now, rank)


def question_steps(
    prompt: Prompt, facts: Values, words: Words, now: Rules, *, phone: bool = False
) -> tuple[Step, ...]:
    """The question, in the words of the player asked, after what is being said.

    `phone`: that player has one.
    """
    if now.level < EVERYTHING:
        return ()
    said = words.spoken_question(prompt, facts, short=_is_short(prompt, now), phone=phone)
    question = _sentence(said, words, now)
    return (*sound(TURN, now), *question) if question and prompt.who is not None else question


def sound(
    name: str | None, now: Rules, level: int = EVERYTHING, rank: int = COMMON
) -> tuple[Sound, ...]:
    """Return a sound, if there is one and such sounds are heard."""
    is_heard = now.effects and level <= now.level
    return (Sound(name, rank),) if name is not None and is_heard else ()


def _sentence(text: str, words: Words, now: Rules, rank: int = COMMON) -> tuple[Step, ...]:
    return (Sentence(text, words.language, rank),) if text and now.speaks else ()


def _level(cue: Cue) -> int:
    return MISTAKES if cue.name in FAULTS else SCORES
