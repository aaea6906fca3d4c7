"""The state of a running box: its table, game, settings and catalogue sentences.

Each service receives the state as one value of the class `Basics`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.box.outputs import Outputs
from companion.box.system import Machine
from companion.core.game import Cue
from companion.draw.face import Face
from companion.hear.policy import NOTHING_SPOKEN, AlreadySpokenFacts
from companion.menus.settings import hour_from_clock_setting, settings_with_defaults
from companion.menus.words import menu_words
from companion.play.session import Session
from companion.record.journal import Journal
from companion.say.facts import BOX_FACTS
from companion.say.phrasebook import WordsByLanguage
from companion.say.words import Words
from companion.table.already_spoken import AlreadySpokenKinds
from companion.table.table import RunningGame, Table

if TYPE_CHECKING:
    from companion.box.connections import Connections
    from companion.box.events import Inbox


class GameOnTable(NamedTuple):
    """The running game: its session, drawing functions (`Face`), sentences, and spoken events."""

    session: Session
    face: Face
    book: WordsByLanguage
    heard: AlreadySpokenKinds


@dataclass
class TableState:
    """The table and the running game of the box. Only the class `Turn` replaces these values."""

    table: Table
    game: GameOnTable | None = None

    @property
    def running_session(self) -> Session | None:
        """Return the session of the running game, or None if no game is running."""
        return None if self.game is None else self.game.session

    @property
    def session(self) -> Session:
        """Return the session of the running game. A game must be running."""
        assert self.game is not None  # noqa: S101 - for the type checker
        return self.game.session

    @property
    def running_game_face(self) -> Face | None:
        """Return the running game's `Face`. Return None if no game is running or a menu is open."""
        return (
            None
            if self.game is None or self.table.menus.current_page is not None
            else self.game.face
        )

    def running_game_description(self, *, away: bool) -> RunningGame:
        """Return the description of the running game, which the table stores as `Table.playing`.

        - `away`: if True, the process of the computer players does not respond.
        """
        assert self.game is not None  # noqa: S101 - for the type checker
        standing = self.game.session.standing
        return RunningGame(
            standing.snapshot,
            self.game.face,
            standing.out_of_turn_questions,
            standing.possible_secret_holders,
            frozenset(standing.present_computer_players),
            standing.computer_player_to_answer,
            away=away,
            at_once=tuple(standing.simultaneous_prompts),
        )

    def view_with_players_secrets(self, player: str) -> Mapping[str, Any]:
        """Return the part of the game that `player` may see, including this player's secrets."""
        return self.session.standing.view_with_player_secrets(player)

    def is_secret_spoken_privately(self, player: str) -> bool:
        """Return True if a secret of `player` is open and only this player hears the speech."""
        return self.table.cursor.looking == player and self.table.ears.hears_secrets_privately(
            player
        )

    def facts_spoken_before_snapshot(self) -> AlreadySpokenFacts:
        """Return the events and questions that were spoken before the present snapshot."""
        if self.game is None:
            return NOTHING_SPOKEN
        line, heard = self.game.session.standing.history, self.game.heard
        return AlreadySpokenFacts(
            heard.spoken_up_to_step(line.step_before_cues).facts,
            heard.spoken_up_to_step(line.last).asked,
        )


class BoxSettings:
    """The settings of the box: the recorded values, with a default for each invalid value."""

    def __init__(self, journal: Journal, machine: Machine) -> None:
        self._journal, self._machine = journal, machine
        self.now: Mapping[str, Any] = settings_with_defaults(
            journal.all_settings(), machine.language
        )
        # discard the setting `clock`, which is invalid after a restart of the machine
        if self.now["clock"].get("up", 0) > machine.clock():
            self.now = {**self.now, "clock": {}}

    def __getitem__(self, name: str) -> Any:
        return self.now[name]

    def save_values(self, values: Mapping[str, Any]) -> None:
        """Save settings.

        If the settings cannot be saved, raise JournalError and change no setting.
        """
        self._journal.save_settings(values, self._machine.wall())
        self.now = {**self.now, **values}

    def local_hour(self) -> int | None:
        """Return the local hour of the machine or of the setting `clock`, or None if unknown."""
        hour = self._machine.hour()
        return (
            hour_from_clock_setting(self["clock"], self._machine.clock()) if hour is None else hour
        )


class TableWords:
    """The catalogue sentences of the box and of the running game in each player's language."""

    def __init__(self, settings: BoxSettings, stands: TableState) -> None:
        self._settings, self._stands = settings, stands

    def front_screen_words(self, player: str | None = None) -> Words:
        """Return the sentences for the shown screen, in the language of `player`.

        If `player` is None or has chosen no language, use the language of the box.
        """
        front = self._stands.table.overlays.front_overlay
        return self.words_of_fact(front.lead_fact if front is not None else None, player)

    def words_of_fact(self, fact: Cue | None, player: str | None = None) -> Words:
        """Return the sentences for the event `fact`, or for the shown screen if `fact` is None."""
        table = self._stands.table
        is_the_games = table.playing is not None and fact and fact.name not in BOX_FACTS
        if table.menus.current_page is None or is_the_games:
            return self.game_words(player)
        return menu_words(self.language_of_player_or_box(player))

    def game_words(self, player: str | None = None) -> Words:
        """Return the sentences of the running game, or of the box if no game is running."""
        return self.words_in_language(self.language_of_player_or_box(player))

    def words_in_language(self, language: str) -> Words:
        """Return the sentences in `language`: of the running game, or of the box without a game."""
        game = self._stands.game
        return game.book[language] if game is not None else menu_words(language)

    def language_of_player_or_box(self, player: str | None = None) -> str:
        """Return the language that `player` has chosen, or else the language of the box."""
        language: str = self._settings["languages"].get(player) or self._settings["language"]
        return language


class Basics(NamedTuple):
    """The values that every service of the box can use.

    `remote` returns the connections to phones and programs.
    """

    stands: TableState
    settings: BoxSettings
    wording: TableWords
    faces: Outputs
    journal: Journal
    inbox: Inbox
    machine: Machine
    remote: Callable[[], Connections]
