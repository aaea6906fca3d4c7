"""A change of the box as a transaction: table, record, frames, sounds and messages.

`Turn.change` orders the steps of a change, and rolls a failed change back. The box then restores
the table, the game and its session, runs no effect of the change, and sends no new state. Settings
are saved at once, and never rolled back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from companion.box.screen import Screen
from companion.box.state import Basics, GameOnTable
from companion.core.game import Cue
from companion.hear.policy import AudioModePlayers, fact_sentence
from companion.menus.menu_stack import Menus
from companion.record.journal import JournalError
from companion.say.errors import error_text
from companion.table.overlays import NOTE_SECONDS, make_overlay
from companion.table.table import Table
from hardware.ports import HardwareError

Effect: TypeAlias = Callable[[], object]


@dataclass
class _Pending:
    """The steps that the running change has requested.

    - `is_moved`: if True, commit the game.
    - `is_seen_first`: if True, show the frame before the commit.
    - `is_written`: if True, settings were saved in the record.
    - `is_told`: if True, publish the game's state.
    - `heard`, `last`: effects after the commit and the frame, and effects at the end.
    - `failures`: failures of outputs, to be reported after the change.
    """

    is_moved: bool = False
    is_seen_first: bool = False
    is_written: bool = False
    is_told: bool = False
    heard: list[Effect] = field(default_factory=list)
    last: list[Effect] = field(default_factory=list)
    failures: list[HardwareError] = field(default_factory=list)


class Turn:
    """The owner of the box's table and running game.

    Only `Turn` replaces the table and the running game, and only within a change.
    """

    def __init__(self, basics: Basics, screen: Screen, *, has_ear: bool) -> None:
        self._basics, self._screen, self._has_ear = basics, screen, has_ear
        self._stands, self._wording = basics.stands, basics.wording
        self._pending: _Pending | None = None

    @contextmanager
    def change(self) -> Iterator[None]:
        """Run the body of a `with` block as one change. A nested change joins the outer change.

        1. Run the body. If a service requested a frame before the commit, show the new frame.
        2. If a service requested a commit, commit the game. The first commit saves a new game.
        3. Report failures of outputs, and announce problems of the record.
        4. Show the frame, run the effects after the commit, publish the game's state, and run the
           effects at the end.

        If step 1 or 2 fails, restore the table and the game, and report only failures of outputs.
        If a later step fails, run the other steps, and then raise the error.
        """
        if self._pending is not None:
            yield
            return
        table, game, now = self._stands.table, self._stands.game, _Pending()
        self._pending = now
        steps: list[Effect] = []
        try:
            yield
            if now.is_seen_first:
                self._screen.show_frame()
            if now.is_moved:
                self._basics.remote().mark_remote_secrets_seen()
                self._stands.session.commit()
            news = [self.announce_record_problems] if now.is_moved or now.is_written else []
            sent = [self._basics.remote().publish_game_state] if now.is_told else []
            steps = [*news, self._screen.show_frame, *now.heard, *sent, *now.last]
        except BaseException:
            self._restore(table, game, seen=now.is_seen_first)
            raise
        finally:
            self._pending = None
            reports = [partial(self.report_output_failure, failure) for failure in now.failures]
            _each([*reports, *steps])

    def _restore(self, table: Table, game: GameOnTable | None, *, seen: bool) -> None:
        """Restore the table and the game after a failed change.

        If `seen` is True, also show the old frame again, because the failed change may have shown a
        new frame.
        """
        self.replace_table(table)
        self.set_running_game(game)
        if game is not None:
            game.session.discard_changes()
        self.apply_changed_settings()
        if seen:
            self._screen.show_frame()

    @property
    def _now(self) -> _Pending:
        assert self._pending is not None  # noqa: S101 - every caller is within a change
        return self._pending

    # --- within a change ---

    def replace_table(self, table: Table) -> None:
        """Replace the box's table. Call this method only within a change."""
        assert self._pending is not None  # noqa: S101 - only a change can be rolled back
        self._stands.table = table

    def set_running_game(self, game: GameOnTable | None) -> None:
        """Make `game` the running game, or leave the running game if `game` is None.

        Call this method only within a change.
        """
        assert self._pending is not None  # noqa: S101 - only a change can be rolled back
        self._stands.game = game

    def request_commit(self, *, seen_first: bool) -> None:
        """Request a commit of the game after the body of the change.

        If `seen_first` is True, show the frame before the commit, so that the players see the frame
        without delay (`Screen.show_frame`).
        """
        self._now.is_moved = True
        self._now.is_seen_first |= seen_first

    def request_state_publication(self) -> None:
        """Request that the connections that watch the game receive the new state after the commit.

        The connections receive the state after the effects of `run_effects_after_commit`.
        """
        self._now.is_told = True

    def run_effects_after_commit(self, *effects: Effect) -> None:
        """After the commit and the frame, run effects, such as sounds and sentences, in order."""
        self._now.heard.extend(effects)

    def run_effect_at_end(self, effect: Effect) -> None:
        """Run an effect after all other steps of the change."""
        self._now.last.append(effect)

    # --- changes that any service may make ---

    def save_settings(self, values: Mapping[str, Any]) -> None:
        """Save settings.

        If the settings cannot be saved, raise JournalError and change no setting.
        """
        with self.change():
            self._basics.settings.save_values(values)
            self._now.is_written = True
            self.apply_changed_settings()
            self._basics.faces.voice.send_settings_to_speakers()

    def apply_changed_settings(self) -> None:
        """Update the table after the settings have changed, or after a failed change.

        Call this method only within a change.
        """
        settings, running = self._basics.settings.now, self._stands.running_session
        players = running.game_setup.players if running is not None else ()
        ears = frozenset(settings["ears"]) & frozenset(players)
        heard = AudioModePlayers(settings["ear"], ears, self._has_ear, settings["speech"])
        table = self._stands.table.with_settings(settings, heard)
        self.replace_table(table if table.menus.current_page is None else self._turned(table))

    def replace_menus(self, menus: Menus) -> None:
        """Replace the table's menus after an event that is not a press.

        A press that began before this event cannot choose a line of the new menus.
        """
        with self.change():
            self.replace_table(self._turned(self._stands.table._replace(menus=menus)))

    def _turned(self, table: Table) -> Table:
        if table.menu_or_game_prompt == self._stands.table.menu_or_game_prompt:
            return table
        table = table.with_cursor_on_likeliest_answer()
        return table._replace(cursor=table.cursor._replace(shown=self._basics.machine.clock()))

    def update_computer_player_status(self) -> None:
        """Update the table after the computer players' process has started or stopped."""
        with self.change():
            playing = self._stands.running_game_description(
                away=self._basics.remote().has_unresponsive_computer_players
            )
            self.replace_table(self._turned(self._stands.table._replace(playing=playing)))

    def show_facts_in_overlay(
        self, *cues: Cue, seconds: float | None = None, whose: str | None = None
    ) -> None:
        """Show the events `cues` in an overlay.

        A press closes the overlay. If `seconds` is given, the overlay closes at the latest after
        this time. If `whose` is given, use the language of this player.
        """
        with self.change():
            until = None if seconds is None else self._basics.machine.clock() + seconds
            words, rules = (
                self._wording.words_of_fact(cues[0]),
                self._basics.faces.voice.current_audio_settings,
            )
            shown = make_overlay(cues, words, self._stands.running_game_face, rules)._replace(
                whose=whose
            )
            self.replace_table(self._stands.table.with_overlay(shown, until))

    def announce_facts(
        self, *cues: Cue, seconds: float | None = None, whose: str | None = None
    ) -> None:
        """Show the events `cues` in an overlay, and speak the events.

        A press closes the overlay. If `seconds` is given, the overlay closes at the latest after
        this time. If `whose` is given, use the language of this player. If this player looks at a
        secret that the box speaks privately, only this player hears the events.
        """
        with self.change():
            self.show_facts_in_overlay(*cues, seconds=seconds, whose=whose)
            self.run_effects_after_commit(partial(self._say, cues, whose))

    def _say(self, cues: tuple[Cue, ...], whose: str | None) -> None:
        voice = self._basics.faces.voice
        if whose is None or not self._stands.is_secret_spoken_privately(whose):
            voice.announce_facts(cues, lambda _: self._wording.words_of_fact(cues[0], whose))
            return
        sentences = (
            fact_sentence(
                cue, self._wording.words_of_fact(cue, whose), voice.current_audio_settings
            )
            for cue in cues
        )
        voice.speak_texts_in_audio_mode(
            tuple(filter(None, sentences)),
            self._wording.language_of_player_or_box(whose),
            whose,
            cuts=True,
        )

    # --- failures ---

    def announce_failed_commit(self, error: JournalError) -> None:
        """Announce why the record could not save a change or a draft of a secret word."""
        self.announce_facts(self.failed_write_fact(error.code))

    def failed_write_fact(self, code: str) -> Cue:
        """Return the event "refused", which states why the record cannot be read or written."""
        message = self._wording.front_screen_words()(f"box.record.{code}")
        return Cue("refused", {"code": "record", "message": message})

    def announce_record_problems(self) -> None:
        """Announce problems that the record has reported about the record's file."""
        for code in self._basics.journal.take_file_event_codes():
            self.announce_facts(Cue(code))

    def report_output_failure(self, error: HardwareError) -> None:
        """Report the failure of an output on the other outputs. Report each output only once.

        If a change is running, report the failure after the commit of the change.
        """
        if self._pending is not None:
            self._pending.failures.append(error)
            return
        faces = self._basics.faces
        if not faces.mark_failure_as_reported(error):
            return
        message = error_text(error, self._wording.front_screen_words())
        cue = Cue("hardware", {"part": error.part, "message": message})
        with self.change():
            if faces.can_show_error(error):
                self.show_facts_in_overlay(cue, seconds=NOTE_SECONDS)
            if error.part not in ("sound", "voice"):
                self.run_effects_after_commit(
                    partial(faces.voice.announce_facts, [cue], self._wording.front_screen_words)
                )


def _each(steps: Iterable[Effect]) -> None:
    """Run all steps in order. If steps fail, raise the last error after the last step."""
    with ExitStack() as stack:
        for step in reversed([*steps]):
            stack.callback(step)
