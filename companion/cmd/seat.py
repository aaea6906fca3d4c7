"""The commands `companion seat` and `seats`: computer players for programs and for the box."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from select import select
from time import monotonic, perf_counter, thread_time
from typing import Any, Final, Self

import click

from checked_input import checks, source, strict_json
from checked_input.files import UnreadableFile, may_file_exist
from checked_input.mistakes import FileMistake
from checked_input.strict_json import InvalidJson
from companion.catalog import registry
from companion.cmd import places
from companion.cmd.arguments import game_argument, load_edition_in_use
from companion.cmd.i18n import command_sentence, describe_file_mistake
from companion.cmd.page import PAGE_NICE_VALUE, is_started_by_systemd_socket, systemd_sockets
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.door.lines import message_as_protocol_line
from companion.seat import seat_client
from companion.seat.engine import SeatEngine
from companion.seat.player import MAX_ANSWER_SECONDS, OFFERED_LEVELS, ComputerSeat, level_strength
from companion.seat.seat_client import SeatAssignment
from companion.seat.seat_program import SeatProgram

MAX_SEATS_LINE_BYTES: Final = 1 << 20
"""Maximum size in bytes of the line in which the box names the seats that the command plays."""
SEATS_LINE_TIMEOUT_SECONDS: Final = 2.0
"""Seconds to wait for the line in which the box names the seats."""

seconds_option = click.option(
    "--seconds", type=click.FloatRange(0, MAX_ANSWER_SECONDS), metavar="S",
    help="Seconds to think about an answer; 0: imagine a fixed number of games instead.",
)  # fmt: skip


@click.command("seat")
@game_argument
@click.option("--seat", "player", required=True, metavar="NAME",
              help="The player whose seat the command plays.")  # fmt: skip
@click.option("--level", type=click.Choice(OFFERED_LEVELS), default="strong", show_default=True,
              help="The strength of the computer player; a learner and a friend "
                   "remember less.")  # fmt: skip
@seconds_option
@click.option("--seed", default="", metavar="HEX",
              help="The seed of the computer player: the same seed gives the same "
                   "answers.")  # fmt: skip
def seat_command(
    game: Game[Any], player: str, level: str, seconds: float | None, seed: str
) -> None:
    """Play one seat of a game: read the lines for its player, and write the player's answers."""
    seat = make_computer_player(game, player, level, seconds, seed)
    for line in sys.stdin.buffer:
        try:
            message = strict_json.parse_json(line)
        except InvalidJson as error:
            raise CompanionError(command_sentence("seat.no_line")) from error
        if not isinstance(message, dict):
            raise CompanionError(command_sentence("seat.no_line"))
        if message.get("type") == "hello":
            if message["game"] != game.name:
                raise CompanionError(command_sentence("seat.other_game", game=message["game"]))
            if why := no_computer_player_reason(game, message["options"]):
                raise CompanionError(why)
        answer = seat.process_and_answer_line(message)
        if answer is not None:
            sys.stdout.write(message_as_protocol_line(answer))
            sys.stdout.flush()


def make_computer_player(
    game: Game[Any], player: str, level: str, seconds: float | None, seed: str
) -> ComputerSeat:
    """Return a computer player for a seat.

    `seconds`: the time for each answer in seconds; 0 for a fixed number of imagined games instead
    of a time. If `seconds` is None, the player's level decides the time.
    """
    how = level_strength(level)
    if seconds and how.effort is not None:
        how = how._replace(effort=how.effort._replace(seconds=seconds))
    effort = how.effort
    clock = None if seconds == 0 or effort is None else make_thinking_clock(effort.seconds)
    return ComputerSeat(
        game,
        player,
        how,
        edition=load_edition_in_use(game, places.record_folder()),
        seed=seed,
        clock=clock,
    )


def make_thinking_clock(seconds: float) -> Callable[[], float]:
    """Return a clock for the time limit of an answer. The clock measures mainly processor time.

    A computer player is therefore almost as strong on a busy machine as on an idle machine. The
    clock reaches `seconds` at the latest after `MAX_ANSWER_SECONDS` of real time.
    """
    share = seconds / MAX_ANSWER_SECONDS
    return lambda: share * perf_counter() + (1 - share) * thread_time()


def no_computer_player_reason(game: Game[Any], settings: Mapping[str, str]) -> str:
    """Return the reason why a computer player cannot play a game with the chosen options.

    Return "" if a computer player can play.
    """
    if game.computer is None:
        return command_sentence("seat.blind", game=game.name)
    return (
        ""
        if game.can_box_play_seat(settings)
        else command_sentence("seat.needs_hands", game=game.name)
    )


@click.command("seats")
@click.option("--socket", "path", type=click.Path(path_type=Path),
              help=(
                      "The path of the box's socket (default: the socket of this machine's "
                      "box)."
                  ))  # fmt: skip
def seats_command(path: Path | None) -> None:
    """Play the seats of the box's computer players. The box starts `companion seats` by itself.

    The first line of standard input, or of the systemd socket, names the seats. The command ends
    when the box releases the seats.
    """
    if not is_started_by_systemd_socket():  # the systemd unit already sets the nice value
        os.nice(PAGE_NICE_VALUE)
    try:
        seats = seat_client.parse_seat_assignments(strict_json.parse_json(_first_line()))
    except (InvalidJson, seat_client.InvalidSeatAssignment) as error:
        raise CompanionError(command_sentence("seats.no_line")) from error

    engine = read_replacement_engine_path(places.config_folder())

    with RunningEngines() as engines:

        def make(game: str, place: SeatAssignment, door: int) -> SeatProgram:
            if engine is not None:
                seed = hashlib.sha256(place.token.encode()).hexdigest()[:16]
                return engines.start_engine(engine, game, place.seat, seed, stays=True, door=door)
            return make_computer_player(
                registry.find_game(game), place.seat, place.level, None, place.token
            )

        seat_client.play_assigned_seats(path or places.box_socket(), seats, make)


class RunningEngines:
    """The engines that one command has started.

    All engines are closed at the end of the `with` block.

    The signals SIGTERM, SIGHUP and SIGINT end the `with` block. If a signal arrives while an engine
    starts, the `with` block ends when the engine has started. Each engine has its own process
    group, so that the engine does not receive the signals to this process.
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
        self._starts = True  # let a second signal wait until all engines are closed
        self._stack.close()
        if self._due is not None:
            raise self._due

    def start_engine(
        self, path: Path, game: str, player: str, seed: str, **named: Any
    ) -> SeatEngine:
        """Start an engine. The end of the `with` block ends the engine.

        Raise SeatEngineError if the engine cannot start.
        """
        self._starts = True
        try:
            engine = SeatEngine(path, game, player, seed, clock=monotonic, **named)
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


ENGINE_FILE_CHECK: Final = checks.table(engine=checks.OptionalKey(checks.text()))


def read_replacement_engine_path(folder: Path) -> Path | None:
    """Return the path of the program that replaces the built-in computer player.

    The setting `engine` in `seats.toml` contains the path. A relative path begins at the folder of
    `seats.toml`. Return None if the setting is missing.

    Raise CompanionError with the line of the first mistake.
    """
    file = folder / "seats.toml"
    if not may_file_exist(file):
        return None
    try:
        data, line_of = source.read_toml(file)
    except UnreadableFile as error:
        mistake = FileMistake(file, error.line, error.code, error.facts)
        raise CompanionError(describe_file_mistake(mistake)) from error
    for at, code, facts in checks.find_mistakes(ENGINE_FILE_CHECK, data):
        raise CompanionError(describe_file_mistake(FileMistake(file, line_of(at), code, facts)))
    return folder / data["engine"] if "engine" in data else None


def _first_line() -> bytes:
    """Return the line in which the box names the seats to play.

    If several lines have arrived, only the newest line has valid tokens.
    """
    line = b""
    for waking in systemd_sockets():
        while not line or select([waking], (), (), 0)[0]:
            with waking.accept()[0] as wire, wire.makefile("rb") as lines:
                wire.settimeout(SEATS_LINE_TIMEOUT_SECONDS)
                line = lines.readline(MAX_SEATS_LINE_BYTES) or line
        return line
    return sys.stdin.buffer.readline(MAX_SEATS_LINE_BYTES)
