"""The first screen, and the data that menu pages show."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from companion.box import checkup, first_screen
from companion.box.state import Basics
from companion.box.statistics import Statistics, has_finished_game
from companion.box.turn import Turn
from companion.catalog import editions, entered_boards, services
from companion.core.game import Cue
from companion.menus import menu_stack
from companion.menus.facts import (
    game_menu_facts,
    load_first_screen_facts,
    packages_with_unplayable_games,
)
from companion.menus.page import MenuFacts
from companion.menus.recorded_games import RecordedGamesCache
from companion.menus.settings import invalid_settings
from companion.play import player_knowledge
from companion.record.journal import JournalError
from companion.table.aloud import spoken_game_state
from companion.table.table import Table


class FirstScreen:
    """The service that shows and saves the first screen, and collects the data for menus."""

    def __init__(self, basics: Basics, turn: Turn, statistics: Statistics) -> None:
        self._basics, self._stands, self._turn = basics, basics.stands, turn
        self._statistics, self._settings = statistics, basics.settings
        self.recorded = RecordedGamesCache(basics.journal)
        self._left: tuple[object, ...] = ()  # data that the saved first screen shows

    # --- facts for menus ---

    def menu_facts(self, *, playing: bool = True) -> MenuFacts:
        """Return the data for a menu that opens now.

        If `playing` is True, include the data about the running game.
        """
        session, voice = self._stands.running_session if playing else None, self._basics.faces.voice
        machine, remote = self._basics.machine, self._basics.remote()
        settings, wall, voices = self._settings.now, machine.wall(), voice.available_voices
        if session is None:
            standing = self.recorded.game_state
            facts = load_first_screen_facts(self._basics.journal, settings, wall, voices, standing)
        else:
            facts = game_menu_facts(session, settings, wall, voices)
        if session is not None and self._stands.table.ears.has_players:
            now = self._stands.running_game_description(
                away=remote.has_unresponsive_computer_players
            )
            there = spoken_game_state(now, self._basics.wording.game_words())
            facts = facts._replace(there=there, said=voice.recent_sentences)
        if session is not None and machine.advising is not None and self._settings["hints"]:
            facts = facts._replace(
                hint=player_knowledge.hintable_question(session.standing) is not None
            )
        return facts._replace(
            phones=remote.phone_data_for_menus,
            can_seat_computer_players=remote.can_seat_computer_players,
            services=remote.service_statuses,
            board=self._board,
            printed=self._printed,
            everybody=self._statistics.everybody,
            outputs=voice.available_sound_cards,
            sound_sets=tuple(voice.available_sound_sets),
            has_clock=machine.hour() is not None,
            examines=machine.examines,
            up=int(machine.clock()),
        )

    def _board(self, game: str) -> str:
        return entered_boards.board_entry_status(
            game, self._basics.machine.folder, self._basics.machine.taught
        )

    def _printed(self, game: str) -> Mapping[str, Any]:
        running, machine = self._stands.running_session, self._basics.machine
        if running is not None:
            return entered_boards.edition_with_entered_values(
                running.game_setup.edition, running.standing.entered_board_values
            )
        try:
            return editions.load_edition(game, machine.folder, machine.taught)
        except (
            editions.InvalidEditionError
        ):  # no report here: the start of a game reports this error
            return editions.load_edition(game)

    def start_doctor(self) -> None:
        """Start `companion doctor` outside the event loop, to examine the box."""
        table = self._stands.table
        self._turn.replace_table(
            table._replace(menus=table.menus.with_changed_facts(findings=None))
        )
        checkup.start_doctor_thread(self._settings["language"], self._basics.inbox.put)

    # --- the first screen ---

    def add_packages_to_menus(self) -> None:
        """Add the games and services of installed packages to the menus, after the first frame.

        If a package contains an unplayable game, report the package once.
        """
        self._remember_services()
        left, reported = packages_with_unplayable_games(), self._settings["left_out"]
        self.recorded.looks_up = True
        self.show_first_screen()
        for package in left:
            if str(package) not in reported:
                self._turn.announce_facts(Cue("left_out", package._asdict()))
        if [*map(str, left)] != reported:
            try:
                self._turn.save_settings({"left_out": [*map(str, left)]})
            except JournalError as error:
                self._turn.announce_failed_commit(error)

    def _remember_services(self) -> None:
        folders = {service.name: str(service.folder) for service in services.installed_services()}
        if folders != self._settings["services"]:
            # ignore a failure: the next start searches the packages again
            with suppress(JournalError):
                self._turn.save_settings({"services": folders})

    def show_first_screen(self) -> None:
        """Show the first screen with the choices that exist now."""
        with self._turn.change():
            menus = menu_stack.open_menus(self.menu_facts(playing=False))
            self._turn.replace_table(
                self._stands.table._replace(menus=menus).with_cursor_on_likeliest_answer()
            )

    def update_players_with_phones(self) -> None:
        """Update the table's list of players who answer secret questions on a phone."""
        running = self._stands.running_session
        programs = (
            frozenset() if running is None else frozenset(running.standing.present_computer_players)
        )
        phones = self._basics.remote().seats_receiving_secrets_remotely - programs
        if phones != self._stands.table.phones:
            with self._turn.change():
                self._turn.replace_table(self._stands.table._replace(phones=phones))

    def replace_invalid_settings(self) -> Cue | None:
        """Replace invalid settings with their defaults.

        Return the event that announces the replacement, or None if all settings are valid. If the
        defaults cannot be saved, the next start announces the replacement again.
        """
        wrong = invalid_settings(self._basics.journal.all_settings())
        if not wrong:
            return None
        with suppress(JournalError):
            self._turn.save_settings({key: self._settings[key] for key in wrong})
        return Cue("reset", {"n": len(wrong)})

    # --- the next start ---

    def save_first_screen(self) -> None:
        """Save the first screen's frame for the next start, if the screen may have changed."""
        running, phones = self._stands.running_session, self._basics.remote().phone_data_for_menus
        shows = (
            self._settings.now,
            running and running.number,
            has_finished_game(running),
            phones is None,
        )
        if self._basics.faces.can_show_frame_at_start and shows != self._left:
            self._left = shows
            home = self._next()
            self._basics.faces.save_frame_for_next_start(
                first_screen.first_screen_frame(home), first_screen.first_screen_question_id(home)
            )

    def first_screen_question_id(self) -> str:
        """Return an identifier of the question that the first screen asks now."""
        return first_screen.first_screen_question_id(self._next())

    def _next(self) -> Table:
        basics, remote = self._basics, self._basics.remote()
        wall, voices = basics.machine.wall(), basics.faces.voice.available_voices
        facts = load_first_screen_facts(basics.journal, self._settings.now, wall, voices)._replace(
            phones=remote.phone_data_for_menus,
            services=remote.service_statuses,
            everybody=self._statistics.everybody,
        )
        return first_screen.first_screen_table(facts, rows=self._stands.table.rows)
