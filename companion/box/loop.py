"""The loop of the box, which runs in one thread.

The loop takes one event at a time from the inbox, and does work that is due. `Runner` applies
presses to the table. This module handles the dimmed display, the lock, chords of two buttons, and
the end of the box.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

from companion.box.events import (
    BoxQuitRequested,
    DoctorFindingsReady,
    GameFaceFailed,
    HardwareTrouble,
    HintReady,
    PhonesPageRequested,
    StatisticsReported,
    TurningPointReady,
)
from companion.box.farewell import BoxShutdown
from companion.box.reader import ScreenReader
from companion.box.runner import Runner
from companion.box.services import Services
from companion.box.system import Machine, WatchdogHeartbeat
from companion.box.timers import TurnReminder, TurnTimer
from companion.core.game import Cue, Cues
from companion.menus import menu_stack
from companion.menus.commands import Command
from companion.play.session import Session
from companion.record.journal import Journal, JournalError
from companion.say.errors import error_text
from companion.say.words import Words
from hardware.ports import SEATS, Box, Edge

if TYPE_CHECKING:
    from companion.box.connections import Connections
    from companion.box.events import Inbox, InboxEvent

    Connect: TypeAlias = Callable[[Services, Runner], Connections]


class Loop:
    """The running box. `run` does all work in one thread; tests call `handle_event` instead.

    - `inbox`: a queue that can already contain events from the hardware, or None for a new queue.
    - `connect`: opens the box's connections to programs and phones, or None for a box without
      connections.
    """

    def __init__(
        self,
        box: Box,
        journal: Journal,
        machine: Machine,
        inbox: Inbox | None = None,
        connect: Connect | None = None,
    ) -> None:
        self.inbox: Inbox = inbox or SimpleQueue()
        self.is_over = self._explained = False
        self._services = services = Services(box, journal, machine, self.inbox)
        self._stands, self._guard, self._buttons = services.stands, services.guard, box.buttons
        self._machine, self._journal, self._clock = machine, journal, machine.clock
        self._connect = connect
        self._pulse = machine.pulse or WatchdogHeartbeat(machine.clock)
        self._runner = Runner(services)
        self._reader = ScreenReader(services)
        self._left, self._deaf = box.shown_screen, float("-inf")
        parts = services.basics, services.turn, services.speech, services.guard
        self._nudge, self._timer = TurnReminder(*parts), TurnTimer(*parts)
        self._farewell = BoxShutdown(services.basics, services.turn, services.screen)

    # --- properties ---

    @property
    def running_session(self) -> Session | None:
        """Return the session of the running game, or None if no game is running."""
        return self._stands.running_session

    def shown_screen_words(self, player: str | None = None) -> Words:
        """Return the sentences for the shown screen, in the language of `player`.

        If `player` is None or has chosen no language, use the language of the box.
        """
        return self._services.wording.front_screen_words(player)

    # --- events and time ---

    def start(self) -> None:
        """Show the first screen, listen to the buttons, and announce problems of the record.

        Then search for packages and open the connections. This search is a second change, because
        the box must show the first frame before the search.
        """
        services = self._services
        with services.turn.change():
            services.games.return_to_first_screen()
            notices = self._notices_at_start()
            for cue in notices:
                services.turn.show_facts_in_overlay(cue)
            services.turn.run_effects_after_commit(
                self._listen,
                self._add_loudspeaker,
                partial(self._announce_at_start, notices),
                services.turn.announce_record_problems,
                lambda: services.voice.play_sound("ready"),
            )
        with services.turn.change():
            services.home.add_packages_to_menus()
            self._open_door()
            if self._left is not None:
                self._take_over(*self._left)
        self._settle(pressed=False)

    def _notices_at_start(self) -> Cues:
        """Return the notices about the record and the settings. Replace invalid settings."""
        services, damage = self._services, self._journal.unannounced_repair
        damaged = None if damage is None else Cue("damaged", damage._asdict())
        fixed = services.turn.failed_write_fact("read_only") if self._journal.read_only else None
        notices = damaged, fixed, services.home.replace_invalid_settings()
        return tuple(cue for cue in notices if cue is not None)

    def _listen(self) -> None:
        self._buttons.listen(self.inbox.put)
        self._guard.forget_held_buttons(self._clock())

    def _add_loudspeaker(self) -> None:
        services = self._services
        if self._machine.loudspeaker is not None:
            services.faces.add_speaker(self._machine.loudspeaker(self.inbox.put))
        services.voice.send_settings_to_speakers()

    def _announce_at_start(self, notices: Cues) -> None:
        if notices:
            self._services.voice.announce_facts(notices, self.shown_screen_words)
        if self._journal.unannounced_repair is not None:
            # if the notice cannot be cleared, the next start repeats the notice
            with suppress(JournalError):
                self._journal.delete_shown_repair_notice()

    def _take_over(self, asks: str, since: float, *_: object) -> None:
        """Apply the presses that players made after the saved frame was shown at `since` (s).

        `asks` identifies the question of the saved frame. If the first screen asks another
        question, ignore the early presses.
        """
        services = self._services
        if (
            self._stands.table.overlays.front_overlay is not None
            or services.home.first_screen_question_id() != asks
        ):
            since = self._clock()
        self._deaf = since
        cursor = self._stands.table.cursor._replace(shown=since)
        services.turn.replace_table(self._stands.table._replace(cursor=cursor))

    def _open_door(self) -> None:
        if self._connect is None:
            return
        services = self._services
        try:
            services.callers = self._connect(services, self._runner)
        except OSError as error:
            services.turn.announce_facts(
                Cue("door_shut", {"message": error_text(error, self.shown_screen_words())})
            )
        else:
            services.home.show_first_screen()

    def _open_phones(self) -> None:
        services, table = self._services, self._stands.table
        shut = (
            services.callers.phone_data_for_menus is None
            or self._guard.locked
            or self._guard.brightness_percent == 0
        )
        if not shut and not table.cursor.has_begun_spelling and not table.menus.has_page("phones"):
            facts = services.home.menu_facts()
            (phones,) = menu_stack.open_menus(facts, "phones").pages
            menus = (table.menus if table.menus.pages else menu_stack.open_menus(facts)).with_page(
                phones
            )
            with services.turn.change():
                services.turn.replace_table(
                    table._replace(menus=menus).with_cursor_on_likeliest_answer()
                )

    def run(self) -> None:
        """Handle events until the box ends.

        The process sleeps while no event arrives and no work is due. If a game raises an exception,
        the box closes the game and opens the first screen. If the first screen raises an exception
        too, `run` raises this exception.
        """
        while not self.is_over:
            self._pulse.send_if_due()
            self._turn()

    def handle_waiting_events(self) -> None:
        """Handle all events that are waiting in the inbox, and return."""
        while not self.is_over and not self.inbox.empty():
            self._turn()

    def _turn(self) -> None:
        try:
            event: InboxEvent | None = None
            with suppress(Empty):
                event = self.inbox.get(timeout=self.seconds_until_due)
            if event is None:
                self.tick(self._clock())
            else:
                self.handle_event(event)
            self.draw_postponed_frame()
        except Exception as error:  # noqa: BLE001 - third-party game code may raise anything
            self._services.games.leave_failed_game(error)

    def handle_event(self, event: InboxEvent) -> None:
        """Handle one event completely, including frame, record and sound.

        After the last frame, ignore all events.
        """
        match event:
            case _ if self._farewell.until is not None:
                self.tick(self._clock())
            case Edge():
                self._edge(event)
            case PhonesPageRequested():
                self._open_phones()
            case HardwareTrouble():
                self._services.turn.report_output_failure(event.error)
            case GameFaceFailed():
                self._services.turn.announce_facts(Cue("slip"))
            case StatisticsReported() | DoctorFindingsReady() | HintReady() | TurningPointReady():
                self._services.handle_background_result(event)
            case BoxQuitRequested():
                self.is_over = not self._farewell.show_last_frame()
            case _:  # any other event comes from a program or a phone
                self._services.callers.handle_connection_event(event)
        self._nudge.restart(pressed=isinstance(event, Edge))
        if self._farewell.until is None:
            self._timer.update_remaining_turn_time(self._clock())
        self._settle(pressed=isinstance(event, Edge))

    def _settle(self, *, pressed: bool) -> None:
        if self._farewell.until is None:
            self._services.home.save_first_screen()
            self._services.callers.do_due_work()
            self._services.home.update_players_with_phones()
            front = self._stands.table.overlays.front_overlay
            explains = front is not None and front.is_ruling_explanation
            if self._stands.table.ears.has_players or explains or self._explained:
                self._reader.speak_screen_changes(pressed=pressed)
            self._explained = explains

    def show_first_screen(self) -> None:
        """Show the first screen with the choices that exist now."""
        self._services.home.show_first_screen()

    def execute_commands(self, *asked: Command) -> None:
        """Execute commands that do not come from a button.

        Raise the exceptions of `Runner.execute_commands`.
        """
        self._runner.execute_commands(*asked)
        self._settle(pressed=False)

    def tick(self, now: float) -> None:
        """Do the work that is due at `now` (seconds on the clock of the button edges)."""
        guarded = self._guard.due_at(looking=self._stands.table.cursor.looking)
        if self._farewell.until is None and guarded is not None and guarded <= now:
            self._watch(now)
            self._services.screen.show_frame()
        if self._farewell.until is not None:
            self.is_over = self._farewell.until <= now
            return
        self._runner.tick(now)
        self._let_hang(now)
        self._nudge.tick(now)
        self._timer.update_remaining_turn_time(now)
        if self._reader.due_at is not None:
            self._reader.tick(now)
        self._settle(pressed=False)

    @property
    def seconds_until_due(self) -> float | None:
        """Return the seconds until work is due, or None if no work is planned."""
        times: tuple[float | None, ...] = (self._farewell.until,)
        if self._farewell.until is None:
            due_by_guard = self._guard.due_at(looking=self._stands.table.cursor.looking)
            held = self._runner.overlay_and_hold_due_times
            timers = (
                self._reader.due_at,
                self._nudge.due_at,
                self._timer.due_at,
            )
            times = due_by_guard, *held, *timers, self._services.callers.due_at
        due = [time for time in (self._pulse.due, *times) if time is not None]
        return max(0.0, min(due) - self._clock()) if due else None

    def close(self) -> None:
        """Show the last frame and close the hardware. The caller closes the record afterwards."""
        self._services.callers.close()
        self._farewell.close()

    # --- button edges ---

    def _edge(self, edge: Edge) -> None:
        # ignore a press that was made before the display showed the first screen's question
        if edge.down and edge.time < self._deaf:
            return
        self._watch(edge.time)
        if self._farewell.until is not None:
            return
        self._runner.execute_due_button_holds(edge.time)
        self._let_hang(edge.time)
        heard = self._stands.table.ears.has_players
        if self._guard.is_edge_allowed(
            edge, looking=self._stands.table.cursor.looking, heard=heard
        ):
            self._runner.handle_button_edge(edge)
            if (gesture := self._guard.completed_gesture) is not None:
                self._runner.execute_two_button_action(gesture)
        else:
            self._runner.ignore_held_buttons()
            if self._guard.locked and heard:
                words = self.shown_screen_words()
                locked = (words("box.say.ear.locked"),)
                self._services.voice.speak_texts_in_audio_mode(
                    locked, words.language, None, cuts=True
                )

    def _let_hang(self, now: float) -> None:
        """Treat each stuck button as released, and announce the button.

        The box then ignores the button until the button is pressed or released.
        """
        while (up := self._guard.take_stuck_release(now)) is not None:
            self._runner.ignore_held_buttons()
            self._runner.handle_button_edge(up)
            self._services.turn.announce_facts(
                Cue("stuck", {"button": "seat" if up.button in SEATS else up.button})
            )

    def _watch(self, now: float) -> None:
        match self._guard.tick(now, looking=self._stands.table.cursor.looking):
            case "lock":
                self._services.voice.play_sound("accepted")
            case "detail":
                self._services.speech.switch_speech_detail()
            case "off":
                self._farewell.switch_off_machine()

    def draw_postponed_frame(self) -> None:
        """Draw the frame that was postponed because another event was waiting."""
        if self._services.screen.is_stale and self.inbox.empty():
            self._services.screen.show_frame()
