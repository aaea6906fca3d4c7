"""The speech of the box: game events, the next question, rulings, and voice samples."""

from __future__ import annotations

from functools import partial

from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.errors import Refused
from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, Prompt
from companion.hear.policy import NOTHING_SPOKEN, AudioSettingsAtHour
from companion.menus.words import voice_sample_sentences
from companion.table.overlays import NOTE_SECONDS, ruling_pages
from companion.table.sentence_prefetch import sentences_to_prefetch


class Speech:
    """The service that speaks the result of a change, after the change is saved and shown."""

    def __init__(self, basics: Basics, turn: Turn) -> None:
        self._basics, self._stands, self._turn = basics, basics.stands, turn

    def play_sound(self, name: str) -> None:
        """Play the sound `name` after the change is saved and shown."""
        self._turn.run_effects_after_commit(lambda: self._basics.faces.voice.play_sound(name))

    def repeat_last_speech(self) -> None:
        """Repeat the sentences that were spoken last."""
        self._turn.run_effects_after_commit(self._basics.faces.voice.repeat_last_speech)

    def speak_fact_outside_game(self, cue: Cue) -> None:
        """Speak an event that is not part of the game.

        The answer *Say it again* does not repeat this event.
        """
        voice, words = self._basics.faces.voice, self._basics.wording.game_words
        self._turn.run_effects_after_commit(partial(voice.speak_fact_without_repeat, cue, words))

    def speak_facts(
        self, cues: Cues, receipt: str | None = None, asks: Prompt | None = None
    ) -> None:
        """Play the sound `receipt`, speak the events `cues`, and then speak the question `asks`."""
        self._turn.run_effects_after_commit(partial(self._say, cues, receipt, asks))

    def _say(self, cues: Cues, receipt: str | None, asks: Prompt | None) -> None:
        voice, words = self._basics.faces.voice, self._basics.wording.game_words
        voice.announce_facts(cues, words, receipt)
        if asks is not None:
            table, session = self._stands.table, self._stands.session
            phones, theirs, there = (
                table.phones,
                words(asks.who),
                table.players_answering_on_phones(asks),
            )
            voice.speak_question(asks, session.standing.snapshot.view, theirs, phones=there)
            voice.prepare_sentences_for_slow_voices(
                lambda: sentences_to_prefetch(session, words, self._rules_after(), phones)
            )

    def _rules_after(self) -> AudioSettingsAtHour:
        rules, game = self._basics.faces.voice.current_audio_settings, self._stands.game
        if game is None or rules.known == NOTHING_SPOKEN:
            return rules
        return rules._replace(
            known=game.heard.spoken_up_to_step(game.session.standing.history.last)
        )

    def show_rulings(
        self, cues: Cues, question: str | None, answer: Answer, whose: str | None
    ) -> None:
        """Show the rulings that explain the events `cues`, the most specific ruling first.

        Each ruling has its own page. If `cues` is (), explain the latest events that have a clause.
        If `question` is given, first explain the effect of the answer `answer`. Use the language of
        the player `whose`. Raise Refused if there is neither a ruling nor an answer to explain.
        """
        words, session = self._basics.wording.game_words(whose), self._stands.session
        view = session.standing.snapshot.view
        would = words.clauses_for_answer_effect(question, answer, view) if question else ()
        game = self._stands.game if cues else None
        whys = ruling_pages(
            would,
            cues or session.standing.history.latest_events_with_clause(),
            words,
            game and game.face,
        )
        if not whys:
            raise Refused("nothing_to_explain")
        self._turn.show_facts_in_overlay(*whys, whose=whose)
        self.play_sound("accepted")

    def speak_voice_sample(self, language: str, voice: str, lines: int) -> None:
        """Speak the first `lines` sample sentences for `language` with the voice `voice`."""
        samples = voice_sample_sentences(language)[:lines]
        self._turn.run_effects_after_commit(
            lambda: self._basics.faces.voice.speak_samples(samples, language, voice)
        )

    def switch_speech_detail(self) -> None:
        """Switch to the next level of spoken detail ("teaching", "normal", "short").

        Announce the new level.
        """
        levels = ("teaching", "normal", "short")
        now = levels.index(self._basics.settings["speech"])
        wanted = levels[(now + 1) % len(levels)]
        cue = Cue("detail", {"how": wanted})
        with self._turn.change():
            self._turn.save_settings({"speech": wanted})
            self._turn.announce_facts(cue, seconds=NOTE_SECONDS)

    def toggle_mute(self) -> None:
        """Mute the box, or end the muting.

        If the box stays mute for another reason, such as the quiet hours, show this reason.
        """
        self._turn.save_settings({"silent": not self._basics.settings["silent"]})
        cue = Cue("sound", {"how": self._basics.faces.voice.mute_reason or "on"})
        self._turn.announce_facts(cue, seconds=NOTE_SECONDS)
