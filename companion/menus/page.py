"""The definition of a menu page: its question, its lines in words, and the effect of an answer.

A page works like a game, with the open page as its state. Related pages share a module; `index` has
all pages by name. Pages store and start nothing: they return wishes, which the table executes.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.catalog import services
from companion.core.prompts import Choose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol, TypeAlias

    from companion.core.game import Game
    from companion.core.prompts import Answer, Prompt
    from companion.figures.lookup import PeopleReport
    from companion.menus.commands import Wishes
    from companion.press.cursor import Cursor
    from companion.record.journal import Summary
    from companion.say.words import Words

    class ServiceStatus(Protocol):
        """The data that a service reports for its menu pages."""

        @property
        def is_busy(self) -> bool:
            """Return True if the menu of a game shall lead to the service."""

    Answered: TypeAlias = "tuple[OpenPage, Wishes]"
    """The page that follows an answer, and what is wished for."""

OF: Final = "of "
"""The prefix of a player's name in an answer that would not be a name otherwise."""


class Network(NamedTuple):
    """The Wi-Fi network of the box."""

    name: str
    password: str


class Phones(NamedTuple):
    """The facts about phones that menus show.

    - `code`: the code to join.
    - `url`, `name`: the page's address and host name; None without a page.
    - `also`: a second address; None if the machine is in one network only.
    - `network`: the box's own network, or None.
    - `here`: the players whose phones are connected.
    """

    code: str = ""
    url: str | None = None
    name: str | None = None
    network: Network | None = None
    also: str | None = None
    here: frozenset[str] = frozenset()


class GameStands(NamedTuple):
    """The scores of a game by seat, and its number of answers, as far as known."""

    scores: tuple[int, ...] = ()
    answers: int | None = None


class Diagnosis(NamedTuple):
    """The doctor's finding about a part of the box; `cure` is what to do, None if all is well.

    `text` and `cure` are for people. `part` is a name for programs, or the name that people use.
    """

    part: str
    text: str
    cure: str | None = None


def untold(_: int) -> GameStands:
    """Return an empty value: no game can be looked up."""
    return GameStands()


def no_board(_game: str) -> str:
    """Return "": no board can be described."""
    return ""


def no_edition(_game: str) -> Mapping[str, Any]:
    """Return an empty mapping: no game has an edition."""
    return {}


class MenuFacts(NamedTuple):
    """What the box knows when a menu opens. `now` is in seconds since 1970.

    `board` says how a game's board stands, "" if nobody can teach it, or need not; `printed` gives
    the edition that a new game would be played with, or the one of the game that is being played.
    `told` looks a game up by its number. Of the game being played: its name, its options as it was
    `prepared`, and how many are `seated`; whose `seats` there are, of which the box plays those of
    the `programs`, whether it can play another one (`stand_in`) or the game goes on without one
    (`goes_on`), and whether it can give a `hint`. `outputs` are the sound cards,
    `sound_sets` the sets of sounds beside the usual one. `has_clock`:
    the machine's clock is set; `up` is on a clock that only grows, in seconds. `everybody`
    has everybody's figures, or how many games are still to be counted for them; None if nobody
    counts. `findings` are the doctor's, None while it looks; `examines`: there is a doctor. `there`
    is the game as it stands, sentence by sentence, and `said` what was said last, the newest first:
    where one plays by ear. `services` are the services of packages that have reported, by name.
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
    told: Callable[[int], GameStands] = untold
    phones: Phones | None = None
    services: Mapping[str, ServiceStatus] = MappingProxyType({})
    board: Callable[[str], str] = no_board
    printed: Callable[[str], Mapping[str, Any]] = no_edition
    everybody: PeopleReport | int | None = None
    findings: tuple[Diagnosis, ...] | None = None
    examines: bool = True
    there: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


class OpenPage(NamedTuple):
    """One page as it lies open, and what has been chosen for a new game so far.

    `at` is the line that led on from it, to which BACK returns; None if none did. `shown` is the
    board as far as the table has shown it, and `counted` the spaces of it, or of its circles, so
    far; `chosen` is what has been chosen on pages of a service.
    `programs` are the players whose seat the box plays, each with its level. `starts`: the game
    begins when what is asked of its board is answered.
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


# --- what most pages have in common ---------------------------------------------------------------


def fixed_label(_words: Words, _state: OpenPage, _value: Any) -> str | None:
    """Return None: the line has the catalogue's fixed sentence."""
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


def as_list(_words: Words, _state: OpenPage, _prompt: Prompt, _cursor: Cursor) -> None:
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
    on: Callable[[OpenPage, Any], Answered]
    label: Callable[[Words, OpenPage, Any], str | None] = fixed_label
    hint: Callable[[Words, OpenPage, Any], str] = catalogue_hint
    game: Callable[[OpenPage, Any], Summary | None] = no_game
    draw: Callable[[Words, OpenPage, Prompt, Cursor], bytes | None] = as_list
    read: Callable[[Words, OpenPage, Prompt, Cursor], tuple[str, int, int] | None] = as_list
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


def going(page: str) -> Callable[[OpenPage, Any], Answered]:
    """Return a handler that opens that page after any answer."""
    return lambda state, _: go(state, page)


def go(state: OpenPage, page: str) -> Answered:
    """Open a page, without a wish."""
    return state._replace(page=page), ()


def places(found: tuple[object, ...]) -> tuple[str, ...]:
    """Return the indices of `found`, from 0, as lines of a page."""
    return tuple(map(str, range(len(found))))


def game_of(state: OpenPage) -> Game[Any]:
    """Return the game to be started."""
    assert state.game is not None  # noqa: S101 - for the type checker
    return state.game


def chosen_in(last: Summary, game: Game[Any]) -> dict[str, str]:
    """Return the options of a recorded game that the rules still have, else the defaults."""
    usual = {option.name: option.values[0] for option in game.options}
    known = {option.name: option.values for option in game.options}
    kept = {name: value for name, value in last.options.items() if value in known.get(name, ())}
    return usual | kept


def phones_line(state: OpenPage) -> tuple[str, ...]:
    """Return the line that opens the phones' page, if phones can connect."""
    return () if state.facts.phones is None else ("phones",)


def service_lines(state: OpenPage) -> tuple[str, ...]:
    """Return the lines of services, if there is a door; while a game is played, of busy ones."""
    facts = state.facts
    if facts.phones is None:
        return ()
    if facts.playing is None:
        return services.names()
    return tuple(name for name, status in facts.services.items() if status.is_busy)
