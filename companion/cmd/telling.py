"""A random game told as text, for somebody who sees no screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.play.simulate import pick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from companion.core.game import Cue
    from companion.play.session import Session
    from companion.play.simulate import Figures
    from companion.say.words import Words


def tell(session: Session, words: Words, random: Random, say: Callable[[str], None]) -> None:
    """Play one random game to its end, telling every public fact as a sentence."""
    while True:
        for cue in session.snapshot.cues:
            if cue.to is None and (text := _sentence(words, cue)):
                say(text)
        if (prompt := session.prompt) is None:
            break
        session.answer(pick(prompt, random), 0)
        session.commit()


def figures(found: Figures) -> Iterator[tuple[str, float, str]]:
    """What random games came to: a figure's name, its value, and how exactly it is told."""
    yield "games_a_second", found.games / found.seconds, ".0f"
    yield "answers_a_second", found.answers / found.seconds, ".0f"
    yield "answers_a_game", found.answers / found.games, ".1f"
    if found.asked:
        yield "presses_a_game", found.presses / found.games, ".1f"
        yield "presses_an_answer", found.presses / found.asked, ".2f"


def _sentence(words: Words, cue: Cue) -> str:
    """A fact for somebody who sees no screen: as it is spoken, where only that says who it is."""
    who = cue.facts.get("who") or next(iter(cue.facts.get("winners", ())), None)
    text, speech = words.text(cue), words.speech(cue)
    named = isinstance(who, str) and who not in text and who in speech
    return (speech if named else text).replace("|", " ")
