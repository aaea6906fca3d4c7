"""The screen reader, which in audio mode speaks each new screen and each move of the cursor.

Without audio mode, the screen reader speaks only the pages of *Why?*. After an answer, `Speech`
speaks the events and the next question. Then the screen reader speaks the selected answer. If a
press interrupted the speech of the events, the screen reader speaks the whole screen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from companion.box.services import Services
from companion.core.prompts import Prompt
from companion.hear.policy import can_ask_question_briefly
from companion.table.aloud import SpokenScreen, letter_code_word, spoken_screen

WORD_PATTERN: Final = re.compile(r"\w+")
CODE_WORD_DELAY_SECONDS: Final = 1.2
"""Seconds from a cursor move to a letter until the letter's code word ("Echo" for E) is spoken."""


class ScreenReader:
    """The service that speaks the screen after each event and when work is due."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._last: SpokenScreen | None = None
        self._spent: tuple[str, ...] = ()
        self._advice = frozenset[str]()  # advice spoken since the game or the menu page opened
        self._counts: dict[tuple[Any, ...], int] = {}  # number of selectable answers, by question
        self._secrets: dict[str, tuple[str, ...]] = {}  # the secrets that each player has heard
        self._told = False  # True if the voice has already announced the screen
        self._due: float | None = None

    @property
    def due_at(self) -> float | None:
        """Return the time (s) at which the letter's code word ("Echo" for E) is due, or None."""
        return self._due if self._services.stands.table.ears.has_players else None

    def speak_screen_changes(self, *, pressed: bool) -> None:
        """Speak the differences between the present screen and the last spoken screen.

        A moved cursor or a new screen interrupts earlier speech. If the box refused a press as too
        early, speak the selected answer again.
        """
        services, last = self._services, self._last
        spoke = services.voice.has_spoken_since_last_call()
        now = self._last = spoken_screen(
            services.stands.table,
            services.wording.front_screen_words,
            services.stands.view_with_players_secrets,
            self._is_asked_again,
        )
        self._told = self._told or spoke
        if now is None and last is not None and not spoke:
            services.voice.speak_texts_in_audio_mode((), last.language, last.to, cuts=True)
        spent, self._spent = self._spent, services.stands.table.cursor.spent
        unread = pressed and len(self._spent) > len(spent)
        if now is None or (now == last and not (unread and now.option)):
            return
        self._due = None
        turned = last is not None and now.key == last.key
        brought = pressed and not spoke and not self._goes_on(last, now)
        cuts = turned or now.to is not None or now.is_ruling_page or brought
        if cuts and now != last:
            self._told = False
        lead = () if turned or (self._told and now.to is None) else now.lead
        option = (
            now.option_repeated_after_early_press
            if now == last
            else self._option(now, last if turned else None)
        )
        secrets = () if turned else self._new_secrets(now)
        texts = (*lead, *secrets, option, *self._unspent(now, turned=turned))
        services.voice.speak_texts_in_audio_mode(
            tuple(filter(None, texts)), now.language, now.to, cuts=cuts
        )
        if now.letter and turned:
            self._due = services.clock() + CODE_WORD_DELAY_SECONDS

    def _is_asked_again(self, prompt: Prompt, phones: Sequence[str]) -> bool:
        return can_ask_question_briefly(prompt, self._services.voice.current_audio_settings, phones)

    def _goes_on(self, last: SpokenScreen | None, now: SpokenScreen) -> bool:
        was_moment = last is not None and last.key[0] == "moment"
        is_next = now.key[0] == "game" or (now.key[0] == "moment" and not now.option)
        return self._told and was_moment and is_next

    def _option(self, now: SpokenScreen, before: SpokenScreen | None) -> str:
        detail, asked = self._services.stands.table.ears.verbosity, now.question_listener_and_name
        if before is None and asked is not None:
            last, self._counts[asked] = self._counts.get(asked), now.answers
            if detail == "normal" and last == now.answers:
                return now.option
        return now.spoken_option(before, detail)

    def _unspent(self, now: SpokenScreen, *, turned: bool) -> tuple[str, ...]:
        """Return the sentences of `now.more` that were not spoken since the game or page opened."""
        if now.key[0] == "page" and not turned:
            self._advice, self._counts = frozenset(), {}
        new = tuple([text for text in now.more if text not in self._advice])
        self._advice |= {*new}
        return new

    def _new_secrets(self, now: SpokenScreen) -> tuple[str, ...]:
        """Return the secrets that the player has not heard yet.

        A hand that has only lost cards contains nothing new.
        """
        if now.to is None or not now.secrets:
            return ()
        before, self._secrets[now.to] = self._secrets.get(now.to, ()), now.secrets
        if self._services.stands.table.ears.verbosity == "teaching":
            return now.secrets
        return tuple(text for text in now.secrets if not any(_holds(old, text) for old in before))

    def tick(self, now: float) -> None:
        """Speak the code word of a letter ("Echo" for E) if the code word is due at `now` (s)."""
        if self._due is None or now < self._due:
            return
        self._due, last = None, self._last
        if last is None:
            return
        if word := letter_code_word(
            last.letter, self._services.wording.words_in_language(last.language)
        ):
            self._services.voice.speak_texts_in_audio_mode(
                (word,), last.language, last.to, cuts=False
            )


def _holds(old: str, new: str) -> bool:
    """Return True if the text `old` contains the words of the text `new` in their order."""
    words = iter(WORD_PATTERN.findall(old))
    return all(word in words for word in WORD_PATTERN.findall(new))
