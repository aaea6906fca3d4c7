"""`companion seat` and `arena`: a seat that the box plays, and games between such seats."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from select import select
from time import monotonic, perf_counter, thread_time
from typing import TYPE_CHECKING, Any, Final, Self

import click

from checked_input import checks, source, strict_json
from checked_input.files import Unreadable, is_there
from checked_input.mistakes import FileMistake
from checked_input.strict_json import NotJson
from companion.box.face_errors import safe
from companion.catalog import registry
from companion.cmd import places
from companion.cmd.arguments import edition_of, game_argument, options_of, set_option
from companion.cmd.i18n import mistaken, said
from companion.cmd.page import LATER, handed_over, started_by_systemd
from companion.core.chance import Chance
from companion.core.errors import CompanionError
from companion.core.plugins import Plugin, plugins
from companion.door.lines import written
from companion.play.line import Setup
from companion.say.decimals import decimal
from companion.seat import arena, sitting
from companion.seat.engine import Engine
from companion.seat.player import LEVELS, LONGEST, OFFERED, Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.game import Game
    from companion.seat.arena import Answering, Share
    from companion.seat.sitting import Place

LINE: Final = 1 << 20
"""The longest line in which the box says which seats are meant, in bytes."""
PLAYERS: Final = "companion.players"
"""The entry points by which packages add players to the arena.

Each is a function of the game's name, the player and a seed, which returns what plays the seat.
"""
SPEAKS: Final = 2.0
"""Seconds in which the box, which says its line at once, has said it."""

seconds_option = click.option(
    "--seconds", type=click.FloatRange(0, LONGEST), metavar="S",
    help="How long an answer is thought about; 0 for a fixed number of imagined games.",
)  # fmt: skip


@click.command("seat")
@game_argument
@click.option("--seat", "player", required=True, metavar="NAME", help="Whose seat it plays.")
@click.option("--level", type=click.Choice(OFFERED), default="strong", show_default=True,
              help="How well it plays: the others remember less and think less.")  # fmt: skip
@seconds_option
@click.option("--seed", default="", metavar="HEX", help="Makes its answers repeatable.")
def seat_command(
    game: Game[Any], player: str, level: str, seconds: float | None, seed: str
) -> None:
    """Play a seat: read the lines that its player is told, and write its answers."""
    seat = seat_of(game, player, level, seconds, seed)
    for line in sys.stdin.buffer:
        try:
            message = strict_json.read(line)
        except NotJson as error:
            raise CompanionError(said("seat.no_line")) from error
        if not isinstance(message, dict):
            raise CompanionError(said("seat.no_line"))
        if message.get("type") == "hello":
            if message["game"] != game.name:
                raise CompanionError(said("seat.other_game", game=message["game"]))
            if why := _hindrance(game, message["options"]):
                raise CompanionError(why)
        answer = seat.take(message)
        if answer is not None:
            sys.stdout.write(written(answer))
            sys.stdout.flush()


def seat_of(game: Game[Any], player: str, level: str, seconds: float | None, seed: str) -> Seat:
    """A seat of the box's own; without `seconds` it thinks as long as its level does."""
    how = LEVELS[level]
    if seconds and how.effort is not None:
        how = how._replace(effort=how.effort._replace(seconds=seconds))
    effort = how.effort
    clock = None if seconds == 0 or effort is None else thinking_clock(effort.seconds)
    return Seat(
        game, player, how, edition=edition_of(game, places.data_folder()), seed=seed, clock=clock
    )


def thinking_clock(seconds: float) -> Callable[[], float]:
    """A clock for thinking so long: it goes by the processor as far as that may take.

    On a busy machine a seat plays as well as on a quiet one, and answers after `LONGEST` at most.
    """
    share = seconds / LONGEST
    return lambda: share * perf_counter() + (1 - share) * thread_time()


def _hindrance(game: Game[Any], settings: Mapping[str, str]) -> str:
    """Why the box cannot play a seat of a game with these options; "" if it can."""
    if game.imagine is None:
        return said("seat.blind", game=game.name)
    return "" if game.playable(settings) else said("seat.needs_hands", game=game.name)


@click.command("seats")
@click.option("--socket", "path", type=click.Path(path_type=Path),
              help="The box's door, if it is not the one of this machine.")  # fmt: skip
def seats_command(path: Path | None) -> None:
    """Play the box's own seats at its table: the box starts it, and says which seats.

    It reads one line, from the socket that systemd opened or from its input, and ends when the box
    lets those seats go.
    """
    if not started_by_systemd():  # whose unit says the same
        os.nice(LATER)
    try:
        seats = sitting.places(strict_json.read(_first_line()))
    except (NotJson, sitting.NotPlaces) as error:
        raise CompanionError(said("seats.no_line")) from error

    engine = engine_in(places.config_folder())

    with Engines() as engines:

        def make(game: str, place: Place, door: int) -> Answering:
            if engine is not None:
                seed = hashlib.sha256(place.token.encode()).hexdigest()[:16]
                return engines.start(engine, game, place.seat, seed, stays=True, door=door)
            level = place.level if place.level in OFFERED else OFFERED[-1]
            return seat_of(registry.find(game), place.seat, level, None, place.token)

        sitting.play(path or places.socket(), seats, make)


class Engines:
    """The engines of one command: SIGTERM, SIGHUP and SIGINT end the block, which closes them all.

    An engine has a process group of its own, which no signal to this process reaches. A signal that
    arrives while an engine starts is raised once the engine can be closed.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._starts = False
        self._due: BaseException | None = None

    def __enter__(self) -> Self:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            before = signal.signal(number, self._end)
            self._stack.callback(signal.signal, number, before)
        return self

    def __exit__(self, *_: object) -> None:
        self._starts = True  # a second signal waits until all are closed
        self._stack.close()
        if self._due is not None:
            raise self._due

    def start(self, path: Path, game: str, player: str, seed: str, **named: Any) -> Engine:
        """Start an engine that ends with the block. Raises EngineError."""
        self._starts = True
        try:
            engine = Engine(path, game, player, seed, clock=monotonic, **named)
            self._stack.callback(engine.close)
        finally:
            self._starts = False
        if self._due is not None:
            raise self._due
        return engine

    def _end(self, number: int, _frame: object) -> None:
        due = KeyboardInterrupt() if number == signal.SIGINT else SystemExit()
        if not self._starts:
            raise due
        self._due = due


ENGINE: Final = checks.table(engine=checks.May(checks.text()))


def engine_in(folder: Path) -> Path | None:
    """The program that plays the box's seats instead of the box: `engine` in `seats.toml`.

    A relative path begins at that file. None where there is no such line. Raises CompanionError,
    with the line of what is wrong.
    """
    file = folder / "seats.toml"
    if not is_there(file):
        return None
    try:
        data, line_of = source.read(file)
    except Unreadable as error:
        mistake = FileMistake(file, error.line, error.code, error.facts)
        raise CompanionError(mistaken(mistake)) from error
    for at, code, facts in checks.slips(ENGINE, data):
        raise CompanionError(mistaken(FileMistake(file, line_of(at), code, facts)))
    return folder / data["engine"] if "engine" in data else None


def _first_line() -> bytes:
    """Return the line in which the box says which seats to play.

    Of several that wait, the newest counts: the box forgets the tokens of those before.
    """
    line = b""
    for waking in handed_over():
        while not line or select([waking], (), (), 0)[0]:
            with waking.accept()[0] as wire, wire.makefile("rb") as lines:
                wire.settimeout(SPEAKS)
                line = lines.readline(LINE) or line
        return line
    return sys.stdin.buffer.readline(LINE)


# --- The arena ------------------------------------------------------------------------------------


@click.command("arena")
@game_argument
@click.option(
    "--seats", required=True, metavar="A,B[,C[,D]]",
    help="Who plays: random, greedy, learner, friend, strong, rules, or a program.",
)  # fmt: skip
@click.option("--games", "n", type=click.IntRange(1), default=100, show_default=True,
              help="How many games are played.")  # fmt: skip
@click.option("--seed", default="00", show_default=True, metavar="HEX",
              help="Makes every game repeatable.")  # fmt: skip
@set_option
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
def arena_command(
    game: Game[Any],
    seats: str,
    n: int,
    seed: str,
    pairs: tuple[str, ...],
    seconds: float | None,
    as_json: bool,
) -> None:
    """Have seats play against each other, in turn from every chair, and say who wins how often.

    Without --seconds a fixed number of games is imagined for each answer, so that the same seed
    gives the same figures.
    """
    names, settings = _entrants(game, seats), options_of(game, _without_hands(game, pairs))
    if why := _hindrance(game, settings):
        raise click.UsageError(why)
    found = _fought(game, names, settings, n, seed, seconds or 0)
    click.echo(_as_json(game.name, n, names, found) if as_json else _as_text(names, found))


def _fought(
    game: Game[Any],
    names: Sequence[str],
    settings: Mapping[str, str],
    n: int,
    seed: str,
    seconds: float,
) -> tuple[Share, ...]:
    """Play so many games; what each seat had of them."""
    edition = edition_of(game, places.data_folder())
    _, book = safe(Setup(game, game.names[: len(names)], settings, edition, Chance(seed)))
    pitch = arena.Pitch(game, settings, edition, book["en"])
    others = _plugged_in()
    with Engines() as engines:

        def make(name: str, player: str, seed: str) -> Answering:
            if name in LEVELS:
                return seat_of(game, player, name, seconds, seed)
            if name in others:
                other: Answering = others[name].load()(game.name, player, seed)
                return other
            return engines.start(Path(name), game.name, player, seed)

        played = []
        for one in arena.games(pitch, names, n, seed, make, perf_counter):
            played.append(one)
            _progress(len(played), n)
    return arena.shares(played)


def _plugged_in() -> dict[str, Plugin]:
    """Return the players that installed packages add to the arena, by name."""
    return {plugin.name: plugin for plugin in plugins(PLAYERS)}


def _entrants(game: Game[Any], seats: str) -> list[str]:
    """The seats' names. Raises click.UsageError."""
    names = seats.split(",")
    if len(names) not in game.seats:
        lo, hi = game.seats.start, game.seats.stop - 1
        raise click.UsageError(said("given.seats", game=game.name, few=lo, most=hi, n=len(names)))
    known = (*LEVELS, *_plugged_in())
    for name in names:
        if name not in known and not Path(name).is_file():
            raise click.UsageError(said("arena.no_seat", name=name, seats=", ".join(known)))
    return names


def _without_hands(game: Game[Any], pairs: tuple[str, ...]) -> tuple[str, ...]:
    """The options, first those with which a seat needs no hands."""
    free = [
        f"{option.name}={value}"
        for option in game.options
        for value in option.values[::-1]
        if option.name in game.needs_hands and value not in game.needs_hands[option.name]
    ]
    return (*free, *pairs)


def _progress(n: int, whole: int) -> None:
    """How far it is, in a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{n} / {whole} " if n < whole else "\r\033[K")
        sys.stderr.flush()


def _as_json(game: str, n: int, names: Sequence[str], found: Sequence[Share]) -> str:
    """The figures for programs; each seat by its place in the list and its name."""

    def each(value: Callable[[Share], float]) -> dict[str, float]:
        return {f"{i}:{names[i]}": round(value(share), 4) for i, share in enumerate(found)}

    return json.dumps({
        "game": game,
        "games": n,
        "shares": each(lambda share: share.share),
        "low": each(lambda share: share.low),
        "high": each(lambda share: share.high),
        "seconds_a_move": each(lambda share: share.seconds_a_move),
    })  # fmt: skip


def _as_text(names: Sequence[str], found: Sequence[Share]) -> str:
    """A line a seat: how often it won, between which ends that lies, and how long it thought."""
    language = places.language()
    rows = []
    for name, one in zip(names, found, strict=True):
        share, low, high = (decimal(100 * x, language) for x in (one.share, one.low, one.high))
        seconds = decimal(one.seconds_a_move, language, ".3f")
        rows.append(said("arena.row", name=name, share=share, low=low, high=high, seconds=seconds))
    return "\n".join(rows)
