"""Functions that choose the sounds and sentences with which the box announces game events.

The functions receive events (cues) and settings, and return steps for the speakers. A newer event
cancels older sentences that no speaker has begun. The steps never contain secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from companion.core.game import Cue
from companion.core.prompts import PRESSED_ROLL_QUESTION, JsonValues, Prompt
from companion.say.facts import FactPresentation
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
"""Names of events about mistakes, which the box announces at the speech level "mistakes".

Higher levels announce more: "scores" adds other events, and "everything" adds questions and the
sounds that confirm presses.
"""
TURN_SOUND: Final = "your_turn"
"""The name of the sound that the box plays before a question to one player."""
DEFAULT_SPEED: Final = 160
"""The default speed of the voice in words a minute."""
SECONDS_A_LETTER: Final = 0.07
"""The estimated time in seconds that the voice needs for one character of a sentence."""
SECONDS_BETWEEN_SENTENCES: Final = 0.3
"""The estimated pause in seconds between two spoken sentences."""
SECONDS_A_SOUND: Final = 1.3
"""The estimated length in seconds of a sound."""
MAX_ANNOUNCEMENT_SECONDS: Final = 12.0
"""The maximum length in seconds of the sounds and sentences after one answer."""
VOLUME_STEP: Final = 10
"""The percentage of the full volume that one step of the volume setting adds."""


class DropPendingSentences(NamedTuple):
    """A step that empties a speaker's queue, and interrupts a long sentence.

    `keep`: whether sentences and sounds with the rank `FIRST_RANK` stay in the queue and play on.
    """

    keep: bool = False


class DropUntrueSentences(NamedTuple):
    """A step that removes the sentences `texts`, which are no longer true, from a speaker's queue.

    If a speaker is speaking one of these sentences, the speaker stops.
    """

    texts: tuple[str, ...]


class TemporaryFact(NamedTuple):
    """An announced event that stays true until one of the events in `fact.until` happens.

    An undo also makes the event untrue.
    """

    cue: Cue
    fact: FactPresentation
    text: str

    def is_ended_by(self, cue: Cue) -> bool:
        """Return True if the event `cue` makes this event untrue.

        An undo makes every event untrue. A later event about another subject has no effect.
        """
        if cue.name == "undone":
            return True
        topic, now = (each.facts.get(self.fact.about or "") for each in (self.cue, cue))
        return cue.name in (self.fact.until or ()) and now in (None, topic)


class FactToAnnounce(NamedTuple):
    """A game event that the box will announce.

    - `cue`: the event.
    - `fact`: the table row that describes how the box announces the event.
    - `text`: the event's sentence; "" if the box speaks none.
    - `words`: the catalogue in the sentence's language.
    - `sounds`: whether the box also plays the event's sound.
    """

    cue: Cue
    fact: FactPresentation
    text: str
    words: Words
    sounds: bool = True


class SetVolume(NamedTuple):
    """A step that sets the volume of all later steps, from 0 to 100 percent."""

    percent: int


class PlayRankedSound(NamedTuple):
    """A step that plays the sound `name`.

    `rank`: the priority of the sound in a speaker's queue, such as `FIRST_RANK`.
    """

    name: str
    rank: int = COMMON_RANK


class SpeakSentence(NamedTuple):
    """A step that speaks a sentence.

    `rank`: the priority of the sentence in a speaker's queue, such as `FIRST_RANK`.
    """

    text: str
    language: str
    rank: int = COMMON_RANK


Step: TypeAlias = (
    DropPendingSentences | DropUntrueSentences | SetVolume | PlayRankedSound | SpeakSentence
)


class AlreadySpokenFacts(NamedTuple):
    """The kinds of events that the box has announced in this game, and the answered questions.

    - `facts`: the names of the kinds, which `Words.fact_name_with_variant` returns.
    - `asked`: the names of the answered questions, each with the player who answered.
    """

    facts: frozenset[str] = frozenset()
    asked: frozenset[tuple[str, str | None]] = frozenset()


NOTHING_SPOKEN: Final = AlreadySpokenFacts()
"""The `AlreadySpokenFacts` at the start of a game: the box has announced no event or question yet.
"""


class AudioSettingsAtHour(NamedTuple):
    """The settings for sounds and speech that are valid at one hour of the day.

    - `level`: the speech level, from 0 (nothing) to `EVERYTHING_LEVEL`.
    - `verbosity`: the value of the setting *speech*: "short", "normal" or "teaching".
    - `speaks`: whether the box speaks sentences.
    - `percent`: the volume in percent.
    - `muted`: the reason why the box speaks no sentence: "silent", "nothing" (the level) or
      "night"; "" if the box is not muted.
    - `known`: the events that the box has already announced.
    - `effects`: whether the box plays sounds.
    - `sounds`: the folder with the sound files; None means the default sounds.
    - `longest`: the maximum length in seconds of the speech after one answer; None means no limit.
    - `ear`: whether the box speaks the more detailed sentences for audio mode (players who listen).
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


def audio_settings_at_hour(settings: Mapping[str, Any], hour: int | None) -> AudioSettingsAtHour:
    """Return the settings for sounds and speech that are valid at the local hour.

    - The setting *silent* and the speech level "nothing" mute all sounds and sentences, even in
      audio mode.
    - In audio mode, the box announces everything at every hour.
    - In quiet hours, the volume is halved, but is at least the minimum volume. If audio mode is
      off, the box speaks no sentence in quiet hours.

    `hour`: 0 to 23; None if the hour is unknown.
    """
    silent = settings["silent"] or settings["heard"] == "nothing"
    why = "silent" if settings["silent"] else "nothing" if silent else ""
    ear = settings["ear"]
    night = is_quiet_hour(settings["quiet_from"], settings["quiet_to"], hour)
    lo, hi = settings["quietest"] * VOLUME_STEP, settings["loudest"] * VOLUME_STEP
    percent = min(max(settings["volume"] * VOLUME_STEP, lo), hi)
    return AudioSettingsAtHour(
        level=0 if silent else EVERYTHING_LEVEL if ear else SPEECH_LEVEL_NUMBERS[settings["heard"]],
        verbosity=settings["speech"],
        speaks=(ear or (settings["voice"] and not night)) and not silent,
        percent=max(percent // 2, lo) if night else percent,
        muted=why or ("night" if night and not ear else ""),
        effects=settings["effects"],
        longest=None if ear or settings["speech"] == "teaching" else MAX_ANNOUNCEMENT_SECONDS,
        ear=ear,
    )


class AudioModePlayers(NamedTuple):
    """The players in audio mode, who listen instead of looking at the display.

    - `everybody`: whether all players are in audio mode.
    - `players`: the names of single players in audio mode.
    - `has_private_output`: whether the box has a second sound output, which only one player hears.
    - `verbosity`: the value of the setting *speech*.
    """

    everybody: bool = False
    players: frozenset[str] = frozenset()
    has_private_output: bool = False
    verbosity: str = "normal"

    @property
    def has_players(self) -> bool:
        """Return True if at least one player is in audio mode."""
        return self.everybody or bool(self.players)

    def should_read_answers_aloud(self, who: str | None) -> bool:
        """Return True if the box reads the answers to a question aloud while the cursor moves.

        `who`: the player whom the box asks; None if the box asks all players.
        """
        return self.has_players if who is None else self.everybody or who in self.players

    def hears_secrets_privately(self, who: str) -> bool:
        """Return True if the box speaks the secrets of `who` on the second sound output."""
        return self.has_private_output and self.should_read_answers_aloud(who)


def voice_and_speed_for_language(settings: Mapping[str, Any], language: str) -> tuple[str, int]:
    """Return the name of a language's voice, and the voice's speed in words a minute.

    The name "" means the default voice.
    """
    return settings["voices"].get(language, ""), settings["speeds"].get(language, DEFAULT_SPEED)


def is_quiet_hour(begins: int | None, ends: int, hour: int | None) -> bool:
    """Return True if `hour` is one of the quiet hours, which may include midnight.

    If `hour` is None, return False.

    - `begins`: the first quiet hour; None if there are no quiet hours.
    - `ends`: the first hour after the quiet hours.
    """
    if begins is None or hour is None:
        return False
    return (hour - begins) % 24 < (ends - begins) % 24


def announcement_steps(
    cues: Iterable[Cue],
    words: Callable[[str | None], Words],
    now: AudioSettingsAtHour,
    receipt: str | None,
) -> tuple[Step, ...]:
    """Return the speakers' steps that announce events, in order.

    - `words`: the function that returns the catalogue in a player's language; None means the box's
      language.
    - `now`: the settings for sounds and speech that are valid now.
    - `receipt`: the sound that confirms the button press. The box does not play this sound before
      an alarm, or if an event has the same sound.
    """
    heard = select_facts_to_announce(cues, words, now)
    steps = tuple(_steps(heard, words(None), now))
    alarm = _alarms(heard)
    # drop waiting sentences only for an alarm, an answer to a spoken question, or new speech
    answered = receipt is not None and now.speaks and now.level >= EVERYTHING_LEVEL
    stale = (
        alarm
        or answered
        or (bool(heard) and (not now.speaks or bool(sentences_among_steps(steps))))
    )
    sounds = {step.name for step in steps if isinstance(step, PlayRankedSound)}
    begun = () if alarm or receipt in sounds else sound_step(receipt, now)
    return (DropPendingSentences(keep=now.speaks), *begun, *steps) if stale else (*begun, *steps)


def fact_sentence(cue: Cue, words: Words, now: AudioSettingsAtHour) -> str:
    """Return an event's sentence.

    With verbosity "normal", the sentence is shorter if the box has announced an event of this kind
    before. With verbosity "teaching", the event's clause follows the complete sentence.
    """
    is_short = now.verbosity == "normal" and words.fact_name_with_variant(cue) in now.known.facts
    return words.fact_speech(
        cue,
        "short" if is_short else now.verbosity,
        ear=now.ear and now.verbosity != "short",
    )


def facts_that_may_become_untrue(
    cues: Iterable[Cue], words: Callable[[str | None], Words], now: AudioSettingsAtHour
) -> tuple[TemporaryFact, ...]:
    """Return the announced events that a later event can make untrue."""
    every = select_facts_to_announce(cues, words, now._replace(level=EVERYTHING_LEVEL))
    return tuple(
        [TemporaryFact(fact.cue, fact.fact, fact.text) for fact in every if fact.fact.until]
    )


def select_facts_to_announce(
    cues: Iterable[Cue], words: Callable[[str | None], Words], now: AudioSettingsAtHour
) -> tuple[FactToAnnounce, ...]:
    """Return the public events that the box announces after one answer, with their sentences.

    Some events get no sentence: a skippable event before a priority event, and an event that a
    later event makes untrue. If the speech takes longer than `now.longest`, the function shortens
    or removes sentences.
    """
    box_words = words(None)
    facts = [
        (cue, box_words.variant_row_of_fact(cue))
        for cue in cues
        if cue.to is None and _level(cue) <= now.level
    ]
    last = max([n for n, (_, fact) in enumerate(facts) if _rank(fact) == FIRST_RANK], default=-1)
    every = []
    for n, (cue, fact) in enumerate(facts):
        text, theirs = "", words(box_words.addressee_of_public_fact(cue))
        is_passed = _rank(fact) == LAST_RANK and n < last
        if not is_passed and not _is_ended(cue, fact, [later for later, _ in facts[n + 1 :]]):
            text = fact_sentence(cue, theirs, now)
        every.append(FactToAnnounce(cue, fact, text, theirs))
    return _within(every, now)


def _rank(fact: FactPresentation) -> int:
    return LAST_RANK if fact.skippable else FIRST_RANK if fact.priority else COMMON_RANK


def _is_ended(cue: Cue, fact: FactPresentation, later: Iterable[Cue]) -> bool:
    held = TemporaryFact(cue, fact, "")
    return fact.until is not None and any(map(held.is_ended_by, later))


def _within(
    every: Sequence[FactToAnnounce], now: AudioSettingsAtHour
) -> tuple[FactToAnnounce, ...]:
    """Return the events with as many sentences as fit into `now.longest` seconds.

    The function first shortens all sentences. If the speech is still too long, the function removes
    sentences: first skippable sentences, then ordinary sentences. Older sentences are removed
    first, and at least one sentence remains.
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


def _alarms(every: Iterable[FactToAnnounce]) -> bool:
    return any(fact.fact.alarming for fact in every)


def _seconds(every: Iterable[FactToAnnounce]) -> float:
    seconds = 0.0
    for fact in every:
        if fact.text:
            seconds += len(fact.text) * SECONDS_A_LETTER + SECONDS_BETWEEN_SENTENCES
        if fact.sounds and fact.fact.sound:
            seconds += SECONDS_A_SOUND
    return seconds


def can_ask_question_briefly(
    prompt: Prompt, now: AudioSettingsAtHour, people: Sequence[str] = ()
) -> bool:
    """Return True if a short text is enough, because players have answered this question before.

    - With verbosity "teaching", the result is always False.
    - If the box asks several players on their phones, all these players must have answered before.
    - If the box asks with its buttons in audio mode, at least one player must have answered before.
    - If the box asks with its buttons without audio mode, the asked player must have answered
      before.

    `people`: the players whom the box asks at the same time on their phones; empty if the box asks
    no phones.
    """
    name = prompt.facts["roll"] if prompt.name == PRESSED_ROLL_QUESTION else prompt.name
    answered = now.known.asked
    if people or not now.ear:
        was_asked = all((name, who) in answered for who in people or (prompt.who,))
    else:
        was_asked = name in {other for other, _ in answered}
    return now.verbosity != "teaching" and was_asked


def sentences_among_steps(steps: Iterable[Step]) -> tuple[SpeakSentence, ...]:
    """Return the steps that speak a sentence."""
    return tuple([step for step in steps if isinstance(step, SpeakSentence)])


def _steps(heard: Sequence[FactToAnnounce], own: Words, now: AudioSettingsAtHour) -> Iterator[Step]:
    """Yield the steps for the sounds and sentences of events.

    A skippable event after a priority event makes no sound. If an event begins a new picture
    (`headline`) but has no sentence, the event makes no sound before an alarm.
    """
    ranks = [_rank(fact.fact) for fact in heard]
    first = ranks.index(FIRST_RANK) if FIRST_RANK in ranks else len(ranks)
    for n, (fact, rank) in enumerate(zip(heard, ranks, strict=True)):
        is_alarm = fact.fact.headline and not fact.text and _alarms(heard[n + 1 : n + 2])
        if fact.sounds and not is_alarm and (rank != LAST_RANK or n < first):
            weight = FIRST_RANK if fact.fact.alarming else max(rank, COMMON_RANK)
            yield from sound_step(own.fact_sound_name(fact.cue), now, _level(fact.cue), weight)
        yield from _sentence(fact.text, fact.words, now, rank)


def question_speech_steps(
    prompt: Prompt,
    facts: JsonValues,
    words: Words,
    now: AudioSettingsAtHour,
    *,
    phones: Sequence[str] = (),
) -> tuple[Step, ...]:
    """Return the steps that speak a question. For a question to one player, put a sound first.

    Return an empty tuple if the speech level is lower than `EVERYTHING_LEVEL`.

    - `facts`: the values for placeholders.
    - `words`: the catalogue in the asked player's language.
    - `phones`: the players who answer the question on their phones; empty if the box's buttons
      answer the question.
    """
    if now.level < EVERYTHING_LEVEL:
        return ()
    short = can_ask_question_briefly(prompt, now, phones)
    named = prompt._replace(who=", ".join(phones)) if phones else prompt
    sentence = words.spoken_question(named, facts, short=short, phone=bool(phones))
    question = _sentence(sentence, words, now)
    return (
        (*sound_step(TURN_SOUND, now), *question)
        if question and prompt.who is not None
        else question
    )


def sound_step(
    name: str | None,
    now: AudioSettingsAtHour,
    level: int = EVERYTHING_LEVEL,
    rank: int = COMMON_RANK,
) -> tuple[PlayRankedSound, ...]:
    """Return a tuple with the step that plays the sound `name`.

    Return an empty tuple if `name` is None, or if the settings `now` mute the sound. `level`: the
    lowest speech level at which the sound is played.
    """
    is_heard = now.effects and level <= now.level
    return (PlayRankedSound(name, rank),) if name is not None and is_heard else ()


def _sentence(
    text: str, words: Words, now: AudioSettingsAtHour, rank: int = COMMON_RANK
) -> tuple[Step, ...]:
    return (SpeakSentence(text, words.language, rank),) if text and now.speaks else ()


def _level(cue: Cue) -> int:
    return MISTAKES_LEVEL if cue.name in MISTAKE_FACTS else SCORES_LEVEL
