"""Functions that choose the sounds and sentences that announce facts.

The input of the functions is facts and settings. The output of the functions is steps for the
speakers. A newer fact cancels older sentences that no speaker has begun. The box never speaks
secrets to the room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from companion.core.game import Cue
from companion.core.prompts import THROW_QUESTION, JsonValues, Prompt
from companion.say.facts import Fact
from companion.say.words import Words
from hardware.ports import COMMON_RANK, FIRST_RANK, LAST_RANK

MISTAKES_LEVEL, SCORES_LEVEL, EVERYTHING_LEVEL = 1, 2, 3
SPEECH_LEVEL_NUMBERS: Final = {
    "nothing": 0,
    "mistakes": MISTAKES_LEVEL,
    "scores": SCORES_LEVEL,
    "everything": EVERYTHING_LEVEL,
}
MISTAKE_FACTS: Final = frozenset(
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
"""Names of facts about mistakes, which the box announces from the level "mistakes".

The box announces other facts from the level "scores", and confirmations at the level "everything".
"""
TURN_SOUND: Final = "your_turn"
"""Name of the sound before a question to one player."""
DEFAULT_SPEED: Final = 160
"""Default speaking speed in words a minute."""
SECONDS_A_LETTER: Final = 0.07
"""Estimated time in seconds that the voice needs for one letter."""
SECONDS_BETWEEN_SENTENCES: Final = 0.3
"""Estimated pause between two sentences in seconds."""
SECONDS_A_SOUND: Final = 1.3
"""Estimated length of a sound in seconds."""
MAX_SECONDS: Final = 12.0
"""Maximum length in seconds of the speech after one answer."""
VOLUME_STEP: Final = 10
"""Percentage of the full volume for one step of the volume setting."""


class DropSentences(NamedTuple):
    """A step that drops all sentences that the speaker has not begun.

    keep: whether to keep sentences of the first rank.
    """

    keep: bool = False


class DropUntrueSentences(NamedTuple):
    """A step that drops the sentences `texts`, whose facts are no longer true."""

    texts: tuple[str, ...]


class TemporaryFact(NamedTuple):
    """A spoken fact that stays true until one of the facts in `Fact.until` happens."""

    cue: Cue
    fact: Fact
    text: str

    def is_ended_by(self, cue: Cue) -> bool:
        """Return True if `cue` makes the fact untrue or undoes the answer that caused the fact."""
        if cue.name == "undone":
            return True
        topic, now = (each.facts.get(self.fact.about or "") for each in (self.cue, cue))
        return cue.name in (self.fact.until or ()) and now in (None, topic)


class AnnouncedFact(NamedTuple):
    """A fact that the box will announce.

    - `text`: the fact's sentence; "" for a fact without a sentence.
    - `words`: the words in the sentence's language.
    - `sounds`: whether the box also plays the fact's sound.
    """

    cue: Cue
    fact: Fact
    text: str
    words: Words
    sounds: bool = True


class SetVolume(NamedTuple):
    """A step that sets the volume of all later steps, from 0 to 100 percent."""

    percent: int


class PlaySound(NamedTuple):
    """A step that plays the file `name` of the sounds."""

    name: str
    rank: int = COMMON_RANK


class SpeakSentence(NamedTuple):
    """A step that speaks a sentence."""

    text: str
    language: str
    rank: int = COMMON_RANK


Step: TypeAlias = DropSentences | DropUntrueSentences | SetVolume | PlaySound | SpeakSentence


class AlreadySpokenFacts(NamedTuple):
    """The facts that the box has already spoken in this game, and the answered questions.

    - `facts`: names of the facts (`Words.variant`).
    - `asked`: names of the questions, each with the player who answered.
    """

    facts: frozenset[str] = frozenset()
    asked: frozenset[tuple[str, str | None]] = frozenset()


NOTHING_SPOKEN: Final = AlreadySpokenFacts()
"""Value of SpokenBefore at the start of a game, when the box speaks only complete sentences."""


class AudioRules(NamedTuple):
    """The settings for sounds and speech at one hour of the day.

    - `level`: the highest level of facts that the box announces.
    - `verbosity`: the value of the setting *speech*, such as "short" or "teaching".
    - `speaks`: whether the box speaks sentences.
    - `percent`: the volume in percent.
    - `muted`: the reason why the box is mute: "silent", "nothing" (the level), "night", or "".
    - `known`: the facts that the box has already spoken.
    - `effects`: whether the box plays sounds.
    - `sounds`: the folder of the sounds; None means the default sounds.
    - `longest`: maximum length in seconds of the speech after one answer; None means no limit.
    - `ear`: whether the box speaks the sentences for audio mode.
    """

    level: int
    verbosity: str
    speaks: bool
    percent: int
    muted: str
    known: AlreadySpokenFacts = NOTHING_SPOKEN
    effects: bool = True
    sounds: Path | None = None
    longest: float | None = None
    ear: bool = False


def audio_rules_at_hour(settings: Mapping[str, Any], hour: int | None) -> AudioRules:
    """Return the audio rules at the local `hour` (0 to 23; None if the hour is unknown).

    - Silence mutes all sounds and sentences.
    - In quiet hours the box speaks no sentence and plays sounds at half the volume.
    - In audio mode the box also speaks in quiet hours, and speaks questions at every level except
      silence.
    """
    silent = settings["silent"] or settings["heard"] == "nothing"
    why = "silent" if settings["silent"] else "nothing" if silent else ""
    ear = settings["ear"]
    night = is_quiet_hour(settings["quiet_from"], settings["quiet_to"], hour)
    lo, hi = settings["quietest"] * VOLUME_STEP, settings["loudest"] * VOLUME_STEP
    percent = min(max(settings["volume"] * VOLUME_STEP, lo), hi)
    return AudioRules(
        level=0 if silent else EVERYTHING_LEVEL if ear else SPEECH_LEVEL_NUMBERS[settings["heard"]],
        verbosity=settings["speech"],
        speaks=(ear or (settings["voice"] and not night)) and not silent,
        percent=max(percent // 2, lo) if night else percent,
        muted=why or ("night" if night and not ear else ""),
        effects=settings["effects"],
        longest=None if ear or settings["speech"] == "teaching" else MAX_SECONDS,
        ear=ear,
    )


class AudioModePlayers(NamedTuple):
    """The players in audio mode.

    - `everybody`: whether all players are in audio mode.
    - `players`: names of the players in audio mode.
    - `alone`: whether a second loudspeaker or headphone speaks to only one player.
    - `detail`: the value of the setting *speech*.
    """

    everybody: bool = False
    players: frozenset[str] = frozenset()
    alone: bool = False
    detail: str = "normal"

    @property
    def has_players(self) -> bool:
        """Return True if at least one player is in audio mode."""
        return self.everybody or bool(self.players)

    def hears_questions(self, who: str | None) -> bool:
        """Return True if the box reads a question to `who` aloud as the cursor moves.

        who: the asked player; None if the box asks all players.
        """
        return self.has_players if who is None else self.everybody or who in self.players

    def hears_secrets_privately(self, who: str) -> bool:
        """Return True if the box speaks the secrets of `who` privately."""
        return self.alone and self.hears_questions(who)


def voice_and_speed(settings: Mapping[str, Any], language: str) -> tuple[str, int]:
    """Return the voice for a language, and its speed in words a minute.

    The voice "" means the default voice.
    """
    return settings["voices"].get(language, ""), settings["speeds"].get(language, DEFAULT_SPEED)


def is_quiet_hour(begins: int | None, ends: int, hour: int | None) -> bool:
    """Return True if `hour` is in the quiet hours, which may include midnight.

    begins: the first quiet hour; None if there are no quiet hours. If `hour` is None, return False.
    """
    if begins is None or hour is None:
        return False
    return (hour - begins) % 24 < (ends - begins) % 24


def announcement_steps(
    cues: Iterable[Cue], words: Callable[[str | None], Words], now: AudioRules, receipt: str | None
) -> tuple[Step, ...]:
    """Return the steps that announce facts, in order.

    - `words`: returns the words in a player's language, or for None in the box's language.
    - `receipt`: the sound of the press that caused the facts; omitted before an alarm or an equal
      sound.
    """
    heard = select_announced_facts(cues, words, now)
    steps = tuple(_steps(heard, words(None), now))
    alarm = _alarms(heard)
    # only an alarm, an answer to a spoken question, or new sentences drop old sentences
    answered = receipt is not None and now.speaks and now.level >= EVERYTHING_LEVEL
    stale = (
        alarm
        or answered
        or (bool(heard) and (not now.speaks or bool(sentences_among_steps(steps))))
    )
    sounds = {step.name for step in steps if isinstance(step, PlaySound)}
    begun = () if alarm or receipt in sounds else sound_step(receipt, now)
    return (DropSentences(keep=now.speaks), *begun, *steps) if stale else (*begun, *steps)


def fact_sentence(cue: Cue, words: Words, now: AudioRules) -> str:
    """Return a fact's sentence: complete when the box first speaks the fact, and shorter later.

    With verbosity "teaching", every sentence is complete and ends with its clause.
    """
    is_short = now.verbosity == "normal" and words.name_with_variant(cue) in now.known.facts
    return words.fact_speech(
        cue,
        "short" if is_short else now.verbosity,
        ear=now.ear and now.verbosity != "short",
    )


def facts_that_may_become_untrue(
    cues: Iterable[Cue], words: Callable[[str | None], Words], now: AudioRules
) -> tuple[TemporaryFact, ...]:
    """Return the announced facts that may become untrue before the box speaks their sentences."""
    every = select_announced_facts(cues, words, now._replace(level=EVERYTHING_LEVEL))
    return tuple(
        [TemporaryFact(fact.cue, fact.fact, fact.text) for fact in every if fact.fact.until]
    )


def select_announced_facts(
    cues: Iterable[Cue], words: Callable[[str | None], Words], now: AudioRules
) -> tuple[AnnouncedFact, ...]:
    """Return the public facts that the box announces after one answer, with their sentences.

    A skippable fact before a priority fact has no sentence. A fact that a later fact makes untrue
    has no sentence. If the speech takes longer than `now.longest`, sentences are shortened or
    removed.
    """
    box_words = words(None)
    facts = [
        (cue, box_words.row_of_fact(cue))
        for cue in cues
        if cue.to is None and _level(cue) <= now.level
    ]
    last = max([n for n, (_, fact) in enumerate(facts) if _rank(fact) == FIRST_RANK], default=-1)
    every = []
    for n, (cue, fact) in enumerate(facts):
        text, theirs = "", words(box_words.addressee(cue))
        is_passed = _rank(fact) == LAST_RANK and n < last
        if not is_passed and not _is_ended(cue, fact, [later for later, _ in facts[n + 1 :]]):
            text = fact_sentence(cue, theirs, now)
        every.append(AnnouncedFact(cue, fact, text, theirs))
    return _within(every, now)


def _rank(fact: Fact) -> int:
    return LAST_RANK if fact.skippable else FIRST_RANK if fact.priority else COMMON_RANK


def _is_ended(cue: Cue, fact: Fact, later: Iterable[Cue]) -> bool:
    held = TemporaryFact(cue, fact, "")
    return fact.until is not None and any(map(held.is_ended_by, later))


def _within(every: Sequence[AnnouncedFact], now: AudioRules) -> tuple[AnnouncedFact, ...]:
    """Return the facts with sentences that fit into the allowed time.

    The function first shortens all sentences. If the speech is still too long, the function removes
    the oldest sentences, but leaves at least one sentence.
    """
    longest = now.longest
    if longest is None or _seconds(every) <= longest:
        return tuple(every)
    short = [
        fact._replace(text=fact.text and fact.words.fact_speech(fact.cue, "short"))
        for fact in every
    ]
    spoken = [n for n, fact in enumerate(short) if fact.text]
    for rank in (LAST_RANK, COMMON_RANK):
        for n, fact in enumerate(short):
            if _seconds(short) <= longest:
                break
            if _rank(fact.fact) == rank and [n] != spoken:
                short[n] = fact._replace(text="", sounds=False)
                spoken = [other for other in spoken if other != n]
    return tuple(short)


def _alarms(every: Iterable[AnnouncedFact]) -> bool:
    return any(fact.fact.alarming for fact in every)


def _seconds(every: Iterable[AnnouncedFact]) -> float:
    seconds = 0.0
    for fact in every:
        if fact.text:
            seconds += len(fact.text) * SECONDS_A_LETTER + SECONDS_BETWEEN_SENTENCES
        if fact.sounds and fact.fact.sound:
            seconds += SECONDS_A_SOUND
    return seconds


def was_asked_before(prompt: Prompt, now: AudioRules, people: Sequence[str] = ()) -> bool:
    """Return True if players know the question, so that a short sentence is enough.

    people: the players whom the box asks at once on their phones. All players in `people` must have
    answered the question before. In audio mode, one player who has answered the question before is
    enough.
    """
    name = prompt.facts["roll"] if prompt.name == THROW_QUESTION else prompt.name
    answered = now.known.asked
    if people or not now.ear:
        was_asked = all((name, who) in answered for who in people or (prompt.who,))
    else:
        was_asked = name in {other for other, _ in answered}
    return now.verbosity != "teaching" and was_asked


def sentences_among_steps(steps: Iterable[Step]) -> tuple[SpeakSentence, ...]:
    """Return only the sentences among the steps."""
    return tuple([step for step in steps if isinstance(step, SpeakSentence)])


def _steps(heard: Sequence[AnnouncedFact], own: Words, now: AudioRules) -> Iterator[Step]:
    """Yield the sounds and sentences of facts.

    The sound of a skippable fact after a priority fact is dropped. An alarm replaces the sound of
    the fact before the alarm.
    """
    ranks = [_rank(fact.fact) for fact in heard]
    first = ranks.index(FIRST_RANK) if FIRST_RANK in ranks else len(ranks)
    for n, (fact, rank) in enumerate(zip(heard, ranks, strict=True)):
        is_alarm = fact.fact.headline and not fact.text and _alarms(heard[n + 1 : n + 2])
        if fact.sounds and not is_alarm and (rank != LAST_RANK or n < first):
            weight = FIRST_RANK if fact.fact.alarming else max(rank, COMMON_RANK)
            yield from sound_step(own.sound_name(fact.cue), now, _level(fact.cue), weight)
        yield from _sentence(fact.text, fact.words, now, rank)


def question_steps(
    prompt: Prompt,
    facts: JsonValues,
    words: Words,
    now: AudioRules,
    *,
    phones: Sequence[str] = (),
) -> tuple[Step, ...]:
    """Return the steps that speak a question in the asked player's language.

    phones: the players who answer the question on their phones.
    """
    if now.level < EVERYTHING_LEVEL:
        return ()
    short = was_asked_before(prompt, now, phones)
    named = prompt._replace(who=", ".join(phones)) if phones else prompt
    sentence = words.spoken_question(named, facts, short=short, phone=bool(phones))
    question = _sentence(sentence, words, now)
    return (
        (*sound_step(TURN_SOUND, now), *question)
        if question and prompt.who is not None
        else question
    )


def sound_step(
    name: str | None, now: AudioRules, level: int = EVERYTHING_LEVEL, rank: int = COMMON_RANK
) -> tuple[PlaySound, ...]:
    """Return a tuple with the step that plays a sound.

    Return an empty tuple if `name` is None or the settings mute the sound.
    """
    is_heard = now.effects and level <= now.level
    return (PlaySound(name, rank),) if name is not None and is_heard else ()


def _sentence(
    text: str, words: Words, now: AudioRules, rank: int = COMMON_RANK
) -> tuple[Step, ...]:
    return (SpeakSentence(text, words.language, rank),) if text and now.speaks else ()


def _level(cue: Cue) -> int:
    return MISTAKES_LEVEL if cue.name in MISTAKE_FACTS else SCORES_LEVEL
