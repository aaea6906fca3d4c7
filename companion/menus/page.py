"""The definition of a menu page: its question, its menu lines, and the effect of an answer.

A menu page works like a game: the open page is the state, and answers change the state. For every
other change, a menu page returns requests, which the package `companion.table` translates into
commands. The module `index` finds every page by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from companion.catalog import services
from companion.core.game import Game
from companion.core.prompts import Answer, Choose, Prompt
from companion.menus.commands import Wishes
from companion.press.cursor import Cursor
from companion.record.journal import GameSummary
from companion.say.words import Words

if TYPE_CHECKING:
    from companion.figures.lookup import PeopleAndGroupStatistics

    class ServiceStatus(Protocol):
        """The status that a service provides for its menu pages."""

        @property
        def should_show_in_game_menu(self) -> bool:
            """Return True if the service is busy.

            The menu of a running game then shows the line that opens the service's page.
            """


PLAYER_ANSWER_PREFIX: Final = "of "
"""Prefix of a player's name in the answer of a menu line.

The prefix makes the answer different from the answers of all other menu lines.
"""


class WifiNetwork(NamedTuple):
    """Name and password of the box's Wi-Fi network."""

    name: str
    password: str


class PhoneFacts(NamedTuple):
    """The data about phones that menu pages show.

    - `code`: the code that a player types on a phone to join.
    - `url`, `name`: address and host name of the phones' web page, or None without a web page.
    - `also`: a second address of the web page, or None if the machine has only one network.
    - `network`: the Wi-Fi network that the box itself provides, or None.
    - `here`: the players whose phones are connected.
    """

    code: str = ""
    url: str | None = None
    name: str | None = None
    network: WifiNetwork | None = None
    also: str | None = None
    here: frozenset[str] = frozenset()


class RecordedGameSummary(NamedTuple):
    """Scores by seat, number of answers, and first player in a recorded game.

    The first player is "" if unknown.
    """

    scores: tuple[int, ...] = ()
    answers: int | None = None
    first: str = ""


class BoxPartDiagnosis(NamedTuple):
    """A finding of `companion doctor` about one part of the box.

    - `text`: the state of the part.
    - `cure`: how to fix a fault, or None if there is no fault.
    - `part`: the identifier or the name of the part.
    """

    part: str
    text: str
    cure: str | None = None


def unknown_game_state(_: int) -> RecordedGameSummary:
    """Return an empty game state, for a box that cannot look up recorded games."""
    return RecordedGameSummary()


def no_board_status(_game: str) -> str:
    """Return "" as the state of a printed board, for a box on which players cannot enter boards."""
    return ""


def empty_edition(_game: str) -> Mapping[str, Any]:
    """Return {} as the edition, for a box without editions."""
    return {}


class MenuFacts(NamedTuple):
    """The data that menu pages show. The box collects the data when a menu opens.

    - `games`: the names of the playable games.
    - `unfinished`: unfinished games, newest first. Hidden games are omitted.
    - `past`: recorded games, finished or not, newest first. Hidden games are omitted.
    - `now`: the present time in seconds since 1970.
    - `told(number)`: returns the state of a recorded game.
    - `board(game)`: returns the state of the data about a game's printed board, or "" if players
      cannot enter a board.
    - `printed(game)`: returns the edition of the running game or of a new game.
    - `playing`: the name of the running game, or None if no game is running.
    - `secrets`: the people who may have a secret in the running game.
    - `undoable`, `redoable`: numbers of answers that players can undo, and redo.
    - `anytime`: names of the questions that players can answer out of turn.
    - `book`: if True, the running game has a rule book.
    - `prepared`: the options of the running game.
    - `seated`: the number of players in the running game.
    - `seats`: the players in the running game.
    - `programs`: the computer players in the running game.
    - `stand_in`: if True, a computer player can take over a seat.
    - `goes_on`: if True, the game continues after a player leaves.
    - `hint`: if True, the box can give a hint for the pending question.
    - `outputs`: names of the available sound cards.
    - `sound_sets`: names of the sound sets, without the default set.
    - `has_clock`: if True, the machine's clock is set.
    - `up`: seconds since the machine started.
    - `everybody`: the statistics of all players, or the number of games that remain to be counted.
      If the box computes no statistics, `everybody` is None.
    - `findings`: the findings of `companion doctor`, or None while `companion doctor` is running.
    - `examines`: if True, the settings menu offers to run `companion doctor`.
    - `there`: for audio mode, the state of the game as sentences.
    - `said`: for audio mode, the spoken sentences from newest to oldest.
    - `can_seat_computer_players`: if True, computer players can connect to the box.
    - `services`: the status of each package service that has reported, by the service's name.
    """

    games: tuple[str, ...]
    settings: Mapping[str, Any]
    unfinished: tuple[GameSummary, ...]
    past: tuple[GameSummary, ...]
    now: int
    playing: str | None = None
    secrets: tuple[str, ...] = ()
    undoable: int = 0
    redoable: int = 0
    anytime: tuple[str, ...] = ()
    book: bool = False
    prepared: tuple[tuple[str, str], ...] = ()
    seated: int = 0
    seats: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    stand_in: bool = False
    goes_on: bool = False
    hint: bool = False
    voices: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    outputs: tuple[str, ...] = ()
    sound_sets: tuple[str, ...] = ()
    has_clock: bool = True
    up: int = 0
    told: Callable[[int], RecordedGameSummary] = unknown_game_state
    phones: PhoneFacts | None = None
    can_seat_computer_players: bool = False
    services: Mapping[str, ServiceStatus] = MappingProxyType({})
    board: Callable[[str], str] = no_board_status
    printed: Callable[[str], Mapping[str, Any]] = empty_edition
    everybody: PeopleAndGroupStatistics | int | None = None
    findings: tuple[BoxPartDiagnosis, ...] | None = None
    examines: bool = True
    there: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


class MenuPageState(NamedTuple):
    """An open menu page, with all choices for a new game that players have made so far.

    - `who`, `number`: the player and the recorded game that are the subject of the page, or "".
    - `book`, `heading`: the game of the open rule book, and the index of the open heading.
    - `at`: the index of the menu line to which BACK returns the cursor, or None.
    - `board`: the state of the printed board's data, as `MenuFacts.board` returns it.
    - `shown`: the board data that players have entered so far.
    - `counted`: the number of places on each closed path (loop) of the board, as entered so far.
    - `chosen`: the answers on pages of a service.
    - `programs`: pairs of a computer player's name and level.
    - `starts`: if True, the game begins after the questions about the game's printed board.
    """

    facts: MenuFacts
    page: str
    game: Game[Any] | None = None
    seats: int = 0
    players: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    who: str = ""
    book: str = ""
    heading: int = 0
    at: int | None = None
    number: str = ""
    board: str = ""
    chosen: tuple[tuple[str, Answer], ...] = ()
    shown: Mapping[str, Any] = MappingProxyType({})
    counted: tuple[int, ...] = ()
    programs: tuple[tuple[str, str], ...] = ()
    starts: bool = False


PageResult: TypeAlias = tuple[MenuPageState, Wishes]
"""Type of an answer's result: the next open page, and a tuple of requests.

The box executes the requests in order.
"""


# --- shared parts of pages ------------------------------------------------------------------------


def no_special_line_label(_words: Words, _state: MenuPageState, _value: Any) -> str | None:
    """Return None, so that the menu line shows its sentence from the catalogue."""
    return None


def catalogue_menu_line_hint(words: Words, state: MenuPageState, value: Any) -> str:
    """Return the catalogue's hint for a menu line, or "" if the catalogue has no such hint."""
    key = f"box.hint.{state.page}.{value}"
    return words.sentence_for_count(key, state.facts.undoable) if words.has_sentence(key) else ""


def no_spoken_text(_words: Words, _state: MenuPageState) -> str:
    """Return "", so that audio mode speaks no text before the page's question."""
    return ""


def without_game_summary(_state: MenuPageState, _value: Any) -> GameSummary | None:
    """Return None, for menu lines that belong to no recorded game."""
    return None


def no_special_drawing_or_speech(
    _words: Words, _state: MenuPageState, _prompt: Prompt, _cursor: Cursor
) -> None:
    """Return None, so that the box draws and speaks the menu page like any other list."""


class MenuPage(NamedTuple):
    """The functions and flags of a menu page.

    The catalogue has the page's title and fixed sentences.

    - `ask`: returns the page's question.
    - `on`: returns the next page and the requests after an answer.
    - `label`: returns the text of a menu line, or None to use the catalogue's sentence.
    - `hint`: returns up to two rows of text about the menu line under the cursor.
    - `game`: returns the recorded game of a menu line, or None. The game's description replaces the
      hint.
    - `draw`: returns the page's frame, or None to draw the page as a list.
    - `read`: returns the page's text in audio mode, the position of the text from 0, and the number
      of positions (0 for a page without positions), or None to speak the page as a list.
    - `said`: returns a text that is spoken before the page's question.
    - `hint_is_said`: if True, audio mode also speaks the hint.
    - `large`: if True, menu lines may use the largest letters.
    - `once`: if True, BACK never returns to the page, because the page leaves the stack when
      another page opens.
    - `in_front`: if True, the page may cover any other page. After an answer, the covered page is
      shown again.
    """

    ask: Callable[[MenuPageState], Prompt]
    on: Callable[[MenuPageState, Any], PageResult]
    label: Callable[[Words, MenuPageState, Any], str | None] = no_special_line_label
    hint: Callable[[Words, MenuPageState, Any], str] = catalogue_menu_line_hint
    game: Callable[[MenuPageState, Any], GameSummary | None] = without_game_summary
    draw: Callable[[Words, MenuPageState, Prompt, Cursor], bytes | None] = (
        no_special_drawing_or_speech
    )
    read: Callable[[Words, MenuPageState, Prompt, Cursor], tuple[str, int, int] | None] = (
        no_special_drawing_or_speech
    )
    said: Callable[[Words, MenuPageState], str] = no_spoken_text
    hint_is_said: bool = True
    large: bool = True
    once: bool = False
    in_front: bool = False


def list_question_function(
    lines: tuple[str, ...] | Callable[[MenuPageState], tuple[str | int, ...]],
    likely: Callable[[MenuPageState], str | None] = lambda _: None,
) -> Callable[[MenuPageState], Prompt]:
    """Return a function that returns a page's question: a choice among menu lines.

    The cursor starts on the menu line that `likely` returns, or on the first line for None.
    """

    def ask(state: MenuPageState) -> Prompt:
        options = lines if isinstance(lines, tuple) else lines(state)
        first = likely(state)
        weights = tuple(2 if option == first else 1 for option in options) if first else ()
        return Choose(state.page, None, options, weights)

    return ask


def page_opening_handler(page: str) -> Callable[[MenuPageState, Any], PageResult]:
    """Return a handler that opens the page `page` after any answer."""
    return lambda state, _: open_page(state, page)


def open_page(state: MenuPageState, page: str) -> PageResult:
    """Return `state` with the menu page `page` open, and an empty tuple of requests."""
    return state._replace(page=page), ()


def menu_line_indices_as_text(lines: tuple[object, ...]) -> tuple[str, ...]:
    """Return the index of each menu line in `lines`, as text."""
    return tuple(map(str, range(len(lines))))


def chosen_game(state: MenuPageState) -> Game[Any]:
    """Return the game that the players chose for the next game."""
    assert state.game is not None  # noqa: S101 - for the type checker
    return state.game


def recorded_options_or_defaults(last: GameSummary, game: Game[Any]) -> dict[str, str]:
    """Return a recorded game's options. Replace unknown values with the rules' defaults."""
    usual = {option.name: option.values[0] for option in game.options}
    values = {option.name: option.values for option in game.options}
    valid = {name: value for name, value in last.options.items() if value in values.get(name, ())}
    return usual | valid


def rematch_options(last: GameSummary, game: Game[Any]) -> dict[str, str]:
    """Return the options for the next game of the people who played the game `last`.

    If an option selects the first player by seat, select the seat after the first player of `last`.
    """
    options = recorded_options_or_defaults(last, game)
    for option in game.options:
        if option.by_seat:
            options[option.name] = option.next_value(options[option.name], len(last.players))
    return options


def phones_menu_lines(state: MenuPageState) -> tuple[str, ...]:
    """Return the menu line that opens the page about phones, or () if phones cannot connect."""
    return () if state.facts.phones is None else ("phones",)


def service_menu_lines(state: MenuPageState) -> tuple[str, ...]:
    """Return the menu lines that open pages of services, or () if no programs can connect.

    While a game is running, return only the lines of busy services.
    """
    facts = state.facts
    if facts.phones is None:
        return ()
    if facts.playing is None:
        return services.known_service_names()
    return tuple(name for name, status in facts.services.items() if status.should_show_in_game_menu)
