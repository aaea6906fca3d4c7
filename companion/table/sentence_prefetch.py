"""The sentences that each answer to the pending question would cause.

A slow voice prepares these sentences while the players think. The module can try each answer,
because the rules have no side effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from companion.core.prompts import Answer, Choose, Number, Question
from companion.hear import policy
from companion.hear.policy import AudioSettingsAtHour, SpeakSentence
from companion.play.session import Session
from companion.say.words import Words

MAX_TRIED_ANSWERS: Final = 12
"""Maximum number of answers for which sentences are prepared."""


def sentences_to_prefetch(
    session: Session,
    words: Callable[[str | None], Words],
    now: AudioSettingsAtHour,
    phones: frozenset[str] = frozenset(),
) -> Iterator[SpeakSentence]:
    """For each possible answer, yield the sentences that the box would speak afterwards.

    The sentences announce the events that the answer causes, and the next question.

    - `now`: the settings that decide which sentences the voice speaks, such as mute and detail.
    - `phones`: the players who have joined with a phone.
    """
    question = session.standing.pending_question
    asked_before = (
        now.known.asked | {(question.name, question.who)} if question else now.known.asked
    )
    then = now._replace(known=now.known._replace(asked=asked_before))
    for answer in _answers(question):
        after = session.standing.snapshot_after_answer(answer)
        if after is None:
            continue
        yield from policy.sentences_among_steps(
            policy.announcement_steps(after.cues, words, now, None)
        )
        if after.prompt is not None:
            asked, whose = after.prompt, words(after.prompt.who)
            there = (str(asked.who),) if asked.who in phones else ()
            yield from policy.sentences_among_steps(
                policy.question_speech_steps(asked, after.view, whose, then, phones=there)
            )


def _answers(prompt: Question | None) -> tuple[Answer, ...]:
    """Return up to MAX_TRIED_ANSWERS answers to try, the most probable answers first.

    Return () for words, and for numbers with too many values.
    """
    match prompt:
        case Choose(options=options, weights=weights):
            places = sorted(range(len(options)), key=lambda n: -weights[n] if weights else 0)
            return tuple(options[n] for n in places[:MAX_TRIED_ANSWERS])
        case Number(lo=lo, hi=hi) if hi - lo < MAX_TRIED_ANSWERS:
            return tuple(range(lo, hi + 1))
        case _:
            return ()
