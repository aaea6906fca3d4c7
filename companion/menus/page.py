"""The definition of a menu page: its question, the texts of its lines, the effect of an answer.

A page works like a game whose state is the open page. Related pages share a module; `index` has all
pages by name. A page stores and starts nothing: it returns wishes, which the table executes.
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
from companion.record.journal import Summary
from companion.say.words import Words

if TYPE_CHECKING:
    from companion.figures.lookup import PeopleReport

    class ServiceStatus(Protocol):
        """The data that a service provides for its menu pages."""

        @property
        def is_busy(self) -> bool:
            """Return True if the menu of a game should show the service's page."""

    PageResult: TypeAlias = "tuple[OpenPage, Wishes]"
    """The page that follows an answer, and the requests of the page that was answered."""

PLAYER_PREFIX: Final = "of "
"""Prefix of a player's name in an answer that could otherwise be mistaken for another line."""


class WifiNetwork(NamedTuple):
    """The Wi-Fi network of the box."""

    name: str
    password: str


class PhoneFacts(NamedTuple):
    """The facts about phones that menus show.

    - `code`: the code that a phone enters to join.
    - `url`, `name`: the page's address and host name; None without a page.
    - `also`: a second address; None if the machine is in one network only.
    - `network`: the box's own Wi-Fi network, or None.
    - `here`: the players whose phones are connected.
    """

    code: str = ""
    url: str | None = None
    name: str | None = None
    network: WifiNetwork | None = None
    also: str | None = None
    here: frozenset[str] = frozenset()


class GameStanding(NamedTuple):
    """The state of a recorded game: scores by seat, number of answers, first player if known."""

    scores: tuple[int, ...] = ()
    answers: int | None = None
    first: str = ""


class Diagnosis(NamedTuple):
    """The doctor's finding about a part of the box.

    `text` and `cure` are shown to people; `cure` says how to fix a fault, None if there is none.
    `part` is a name for programs, or the name that people use.
    """

    part: str
    text: str
    cure: str | None = None


def unknown_standing(_: int) -> GameStanding:
    """Return an empty value, for a box that cannot look up games."""
    return GameStanding()


def no_board(_game: str) -> str:
    """Return "", for a box on which no board can be described."""
    return ""


def no_edition(_game: str) -> Mapping[str, Any]:
    """Return {}, for a box without editions."""
    return {}


class MenuFacts(NamedTuple):
    """The facts that menus show, read when a menu opens.

    - `now`: seconds since 1970. `told(number)`: the state of a recorded game.
    - `board(game)`: the state of a game's board, "" if it cannot or need not be described.
    - `printed(game)`: the edition of the running game, or of a new one.
    - Running game: its name (`playing`), options (`prepared`), number of players (`seated`),
      names (`seats`), those that the box plays (`programs`), whether a computer player can take
      over (`stand_in`), whether it goes on without a player (`goes_on`), and whether a `hint`
      exists.
    - `outputs`: sound cards. `sound_sets`: sets of sounds besides the default.
    - `has_clock`: the machine's clock is set. `up`: seconds on a monotonic clock.
    - `everybody`: all statistics, or the number of games still to be counted; None: not
      counted.
    - `findings`: the doctor's; None while it works. `examines`: there is a doctor.
    - `there`: the game's state as sentences; `said`: past sentences, newest first (audio mode).
    - `services`: services of packages that have reported, by name.
    """

    games: tuple[str, ...]
    settings: Mapping[str, Any]
    unfinished: tuple[Summary, ...]
    past: tuple[Summary, ...]
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
    told: Callable[[int], GameStanding] = unknown_standing
    phones: PhoneFacts | None = None
    services: Mapping[str, ServiceStatus] = MappingProxyType({})
    board: Callable[[str], str] = no_board
    printed: Callable[[str], Mapping[str, Any]] = no_edition
    everybody: PeopleReport | int | None = None
    findings: tuple[Diagnosis, ...] | None = None
    examines: bool = True
    there: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


class OpenPage(NamedTuple):
    """An open page, and the choices for a new game so far.

    - `at`: the line that opened the next page, to which BACK returns; None if there is none.
    - `shown`: the board as far as it was entered. `counted`: lengths of its loops so far.
    - `chosen`: choices on pages of a service.
    - `programs`: (computer player, level) pairs.
    - `starts`: the game begins after the questions about its board.
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


# --- shared parts of pages ------------------------------------------------------------------------


def fixed_label(_words: Words, _state: OpenPage, _value: Any) -> str | None:
    """Return None: the line's text is a fixed sentence of the catalogue."""
    return None


def catalogue_hint(words: Words, state: OpenPage, value: Any) -> str:
    """Return the catalogue's hint for a line; "" if it has none."""
    key = f"box.hint.{state.page}.{value}"
    return words.for_count(key, state.facts.undoable) if words.has(key) else ""


def say_nothing(_words: Words, _state: OpenPage) -> str:
    """Return "": in audio mode the page begins with its question."""
    return ""


def no_game(_state: OpenPage, _value: Any) -> Summary | None:
    """Return None: no line is about a recorded game."""
    return None


def draw_as_list(_words: Words, _state: OpenPage, _prompt: Prompt, _cursor: Cursor) -> None:
    """Return None: the page is drawn and read like every list or wheel."""


class MenuPage(NamedTuple):
    """The functions and properties of a page; its title and fixed sentences are in the catalogue.

    - `ask`: return the question. `on`: return the next page and the wishes after an answer.
    - `label`: return the text of a line; None for the catalogue's fixed sentence.
    - `hint`: return up to two more rows about the line under the cursor.
    - `game`: return the recorded game that a line is about, which is described in place of a hint.
    - `draw`: return the frame of a page that is no list.
    - `read`: return its text in audio mode, its place from 0, and the number of places (0: none).
    - `said`: return a text that is spoken before the question.
    - `hint_is_said`: the hint is spoken too. `large`: lines may use the largest letters.
    - `once`: the word is accepted at once, and BACK does not return here.
    - `in_front`: the page may be in front of any other page, to which an answer returns.
    """

    ask: Callable[[OpenPage], Prompt]
    on: Callable[[OpenPage, Any], PageResult]
    label: Callable[[Words, OpenPage, Any], str | None] = fixed_label
    hint: Callable[[Words, OpenPage, Any], str] = catalogue_hint
    game: Callable[[OpenPage, Any], Summary | None] = no_game
    draw: Callable[[Words, OpenPage, Prompt, Cursor], bytes | None] = draw_as_list
    read: Callable[[Words, OpenPage, Prompt, Cursor], tuple[str, int, int] | None] = draw_as_list
    said: Callable[[Words, OpenPage], str] = say_nothing
    hint_is_said: bool = True
    large: bool = True
    once: bool = False
    in_front: bool = False


def list_question(
    lines: tuple[str, ...] | Callable[[OpenPage], tuple[str | int, ...]],
    likely: Callable[[OpenPage], str | None] = lambda _: None,
) -> Callable[[OpenPage], Prompt]:
    """Return the question of a page of lines.

    The cursor starts on the line that `likely` returns.
    """

    def ask(state: OpenPage) -> Prompt:
        options = lines if isinstance(lines, tuple) else lines(state)
        first = likely(state)
        weights = tuple(2 if option == first else 1 for option in options) if first else ()
        return Choose(state.page, None, options, weights)

    return ask


def page_opener(page: str) -> Callable[[OpenPage, Any], PageResult]:
    """Return a handler that opens the page with this name after any answer."""
    return lambda state, _: open_page(state, page)


def open_page(state: OpenPage, page: str) -> PageResult:
    """Open a page, without a wish."""
    return state._replace(page=page), ()


def line_indices(lines: tuple[object, ...]) -> tuple[str, ...]:
    """Return the indices of the elements of `lines`, which are the lines of a page."""
    return tuple(map(str, range(len(lines))))


def chosen_game(state: OpenPage) -> Game[Any]:
    """Return the game to be started."""
    assert state.game is not None  # noqa: S101 - for the type checker
    return state.game


def valid_options(last: Summary, game: Game[Any]) -> dict[str, str]:
    """Return a recorded game's options as far as the rules still have them, else the defaults."""
    usual = {option.name: option.values[0] for option in game.options}
    values = {option.name: option.values for option in game.options}
    valid = {name: value for name, value in last.options.items() if value in values.get(name, ())}
    return usual | valid


def next_options(last: Summary, game: Game[Any]) -> dict[str, str]:
    """Return the options for the next game of the people who played `last`.

    The next seat begins.
    """
    options = valid_options(last, game)
    for option in game.options:
        if option.by_seat:
            options[option.name] = option.next_value(options[option.name], len(last.players))
    return options


def phones_lines(state: OpenPage) -> tuple[str, ...]:
    """Return the line that opens the phones' page, if phones can connect."""
    return () if state.facts.phones is None else ("phones",)


def service_lines(state: OpenPage) -> tuple[str, ...]:
    """Return the lines of services, if there is a door. While a game is played, only busy ones."""
    facts = state.facts
    if facts.phones is None:
        return ()
    if facts.playing is None:
        return services.known_names()
    return tuple(name for name, status in facts.services.items() if status.is_busy)
