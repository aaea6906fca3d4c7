"""Functions that build the box from hardware, record and loudspeaker, and run its event loop."""

from __future__ import annotations

import base64
import gc
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from functools import cache, partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from companion.box import system
from companion.box.events import (
    BoxQuitRequested,
    HardwareTrouble,
    HintReady,
    PhonesPageRequested,
    StatisticsReported,
    TurningPointReady,
)
from companion.box.loop import Loop
from companion.box.system import Machine
from companion.catalog import registry, services
from companion.cmd import opening, places, repair_screens
from companion.cmd.i18n import command_sentence, localised_error_text
from companion.cmd.opening import OpenedBox
from companion.core.subcommands import COMMAND_PREFIX, NoJsonFromCommandError, run_json_command
from companion.core.version import installed_version
from companion.door import messages
from companion.door.lines import ProtocolRequest, message_as_protocol_line
from companion.door.peers import Event
from companion.door.record_requests import RecordRequestHandler
from companion.door.server import DoorServer
from companion.figures.lookup import find_rarest_fact_about_game, look_up_people_and_group
from companion.figures.statistics_cache import StatisticsCache
from companion.menus import index  # noqa: F401 - the first press must not wait for this import
from companion.menus.settings import settings_with_defaults
from companion.play.player_knowledge import PlayerKnowledge
from companion.record.journal import Journal, JournalError
from companion.remote.doorway import DoorServerAndCallbacks
from companion.remote.remote_clients import make_clients_opener
from companion.remote.verbs import RECORD_REQUESTS, request_schemas
from companion.say import fixed_sentences
from companion.say.dictionary import Dictionary, WordVerdict
from companion.say.words import Words
from companion.seat.player import LEVELS, ComputerSeat
from hardware.boards.board_file import display_pin_labels
from hardware.boards.user_board import load_own_or_default_board
from hardware.display.bus import possible_display_i2c_addresses
from hardware.display.frame_conversions import encode_frame_as_png
from hardware.ports import Box, HardwareError
from hardware.screens.headless import HeadlessBox
from hardware.sound.aplay import AplaySoundDevice
from hardware.sound.speaker import Loudspeaker
from hardware.sound.speech import VoiceSynthesiser, split_into_sentences
from hardware.wiring import BoardFileError

if TYPE_CHECKING:
    from companion.box.events import Inbox, StatisticsJob, TurningPointJob
    from companion.remote.doorway import Opener
    from hardware.ports import Speaker


def run_box(opened: OpenedBox | HardwareError) -> None:
    """Run an opened box. If hardware is missing, print the wiring and offer to use the terminal."""
    if isinstance(opened, HardwareError):
        _without(opened)
    else:
        run_until_quit(*opened)


def _without(error: HardwareError) -> None:
    # the wiring of a board file with mistakes is unknown
    wiring = "" if isinstance(error, BoardFileError) else f"{_wiring()}\n\n"
    sys.stderr.write(f"{localised_error_text(error)}\n\n{wiring}")
    if not sys.stdin.isatty():
        sys.exit(command_sentence("start.without"))
    try:
        answer = input(f"{command_sentence('start.ask')} ")
    except EOFError:  # Ctrl-D was pressed
        answer = "n"
    if answer.strip().lower() in ("", "y", "yes", "o", "oui"):
        run_box_on_face("terminal")


def _wiring() -> str:
    board = load_own_or_default_board(places.config_folder())
    screen, buttons = board.display, board.buttons.items()
    display = screen.chip.upper()
    if screen.bus:
        display = command_sentence(
            f"start.wiring.{screen.bus}",
            chip=display,
            pins=", ".join(display_pin_labels(screen)),
            bus=screen.port,
            addresses=", ".join(map(hex, possible_display_i2c_addresses(screen))),
        )
    return command_sentence(
        "start.wiring",
        display=display,
        bus=screen.bus or "i2c",
        buttons=", ".join(f"{name.upper()} GPIO {'/'.join(map(str, p))}" for name, p in buttons),
    )


def run_box_on_face(
    face: str,
    record: Path | None = None,
    socket: Path | None = None,
    settings: Mapping[str, Any] = {},
) -> None:
    """Run the box in a terminal, on a Pi's hardware ("pi"), or with lines of text ("headless").

    - `face`: "terminal", "pi" or "headless".
    - `record`: the record's path; None for the default record.
    - `socket`: the path of the box's socket; None for the default path.
    - `settings`: settings of the box to save in the record first.

    Raise HardwareError if hardware is missing. Raise CompanionError if the box cannot start.
    """
    inbox: Inbox = SimpleQueue()
    if face == "pi":
        _on_pins(inbox, record, socket, settings)
        return
    journal = repair_screens.open_or_repair_record(path=record)
    if settings:
        journal.save_settings(settings, places.wall_time())
    socket = (socket or places.socket_of_record(record or places.record_file())).absolute()
    try:
        if face == "headless":
            _headless(journal, inbox, socket, record)
        else:
            _on_terminal(journal, inbox, socket, record)
    finally:
        journal.close()


def _on_terminal(journal: Journal, inbox: Inbox, socket: Path, record: Path | None) -> None:
    played = record or places.record_file()
    shown = _open_terminal(_labels(journal.all_settings()), inbox)
    with (
        closing(BackgroundProgram(socket, "page")) as page,
        closing(ServicePrograms(socket, played)) as programs,
        closing(BackgroundProgram(socket, "seats")) as seats,
    ):
        opener = make_door_opener(
            socket,
            record,
            wake=page.start_if_stopped,
            attend=lambda service, _key: programs.start_if_stopped(service),
            seat=seats.restart_with_input,
        )

        def is_game_running_at_end() -> bool:
            loop = make_box_loop(shown.box, journal, inbox, None, opener, played=played)
            run_box_loop(loop)
            return loop.running_session is not None

        shown.run(is_game_running_at_end)


def _on_pins(
    inbox: Inbox, record: Path | None, socket: Path | None, settings: Mapping[str, Any]
) -> None:
    box = opening.open_hardware(inbox, first=_first_file(record))
    journal = repair_screens.open_or_repair_record(box.displays, record)
    if settings:
        journal.save_settings(settings, places.wall_time())
    run_until_quit(box, journal, inbox, record, socket)


def _first_file(record: Path | None) -> Path | None:
    """Return the file that stores the first screen for the next start.

    Return None if `record` is not the default record.
    """
    return (
        places.saved_first_screen_file()
        if record is None or places.is_default_record(record)
        else None
    )


def _headless(journal: Journal, inbox: Inbox, socket: Path, record: Path | None) -> None:
    face = HeadlessBox(sys.stdin, sys.stdout, lambda: inbox.put(BoxQuitRequested()))

    def report_code(code: str, url: str | None) -> None:
        face.write_output_line("code", code=code, address=url)

    def open_door(put: Callable[[Event], None]) -> DoorServerAndCallbacks:
        try:
            return opener(put)
        except OSError as error:
            shut.append(error)
            raise

    def ready() -> None:
        if shut:  # the box's socket is not open
            raise shut[0]
        face.write_output_line("ready", socket=str(socket))
        begun.set()

    begun, shut = threading.Event(), list[OSError]()
    played = record or places.record_file()
    with closing(BackgroundProgram(socket, "seats")) as seats:
        opener = make_door_opener(socket, record, told=report_code, seat=seats.restart_with_input)
        loop = make_box_loop(face.box, journal, inbox, None, open_door, played=played, sounds=False)
        face.run(lambda: run_box_loop(loop, ready), begun)


def _open_terminal(labels: Mapping[str, str], inbox: Inbox) -> Any:
    def leave() -> None:
        inbox.put(BoxQuitRequested())

    def phones() -> None:
        inbox.put(PhonesPageRequested())

    try:
        from hardware.screens.terminal import TerminalBox, terminal_unfit_error  # noqa: PLC0415 - textual is an extra
    except ImportError as error:
        raise HardwareError.from_reason("no_textual") from error
    if (flaw := terminal_unfit_error(os.environ, sys.stdout.encoding)) is not None:
        raise flaw
    return TerminalBox(labels, leave, on_phones=phones)


_FACE: Final = ("keys", "title", "quit", "too_small", "too_small_poor", "every_key", "kept")
"""Names of the texts of a terminal. The catalogue key of a text is `face.<name>`."""


def _labels(settings: Mapping[str, Any]) -> dict[str, str]:
    words = Words(settings_with_defaults(settings, places.system_language())["language"])
    return {n: words(f"face.{n}") for n in _FACE}


def run_until_quit(
    box: Box,
    journal: Journal,
    inbox: Inbox,
    record: Path | None = None,
    socket: Path | None = None,
) -> None:
    """Run a box until the inbox receives the request to quit. Then close the record."""
    box = _with_ear(box, inbox)
    path = socket or places.socket_of_record(record or places.record_file())
    seat = partial(start_service_by_socket, SEATS_WAKE_SOCKET)
    opener = make_door_opener(
        path, record, wake=start_service_by_socket, attend=_wake_program, seat=seat
    )
    try:
        played = record or places.record_file()
        run_box_loop(make_box_loop(box, journal, inbox, system.power_off, opener, played=played))
    finally:
        journal.close()


def _with_ear(box: Box, inbox: Inbox) -> Box:
    if not box.ear_device:
        return box

    @cache
    def make_speaker() -> Speaker:
        mixer = partial(AplaySoundDevice, box.ear_device)
        return Loudspeaker(
            lambda error: inbox.put(HardwareTrouble(error)), _speech(), open_mixer=mixer
        )

    return box._replace(ear=lambda _who: make_speaker())


def make_box_loop(
    box: Box,
    journal: Journal,
    inbox: Inbox | None = None,
    power_off: Callable[[], None] | None = None,
    opener: Opener | None = None,
    *,
    played: Path | None = None,
    sounds: bool = True,
) -> Loop:
    """Return the event loop of a box.

    - `power_off`: function that switches the machine off; None to leave the machine on.
    - `opener`: function that opens the box's socket for programs; None for a box without a socket.
    - `played`: the path of the record. Statistics, and boards that players entered, are stored
      beside the record. If `played` is None, the statistics and the boards are not stored.
    - `sounds` is True if the box has a loudspeaker.
    """
    registry.set_packaged_games_cache_file(places.packaged_games_cache_file())
    machine = Machine(
        clock=time.monotonic,
        wall=places.wall_time,
        folder=places.config_folder(),
        taught=None if played is None else places.entered_boards_folder(played),
        loudspeaker=partial(_loudspeaker, device=box.sound_device) if sounds else None,
        language=places.system_language(),
        dictionary=_dictionary,
        pulse=system.WatchdogHeartbeat(time.monotonic, system.watchdog_heartbeat_interval()),
        power_off=power_off,
        hour=places.current_local_hour,
        counting=None if played is None else make_statistics_job(played),
        advising=compute_hint_in_thread,
        weighing=None if played is None else make_turning_point_job(played),
    )
    return Loop(
        box, journal, machine, inbox, None if opener is None else make_clients_opener(opener)
    )


def _loudspeaker(put: Callable[[HardwareTrouble], None], device: str = "") -> Speaker:
    return Loudspeaker(
        lambda error: put(HardwareTrouble(error)),
        _speech(),
        folders=registry.game_sound_folders(),
        sets=places.sound_sets_folder(),
        device=device,
        always=_always,
    )


def _speech() -> VoiceSynthesiser:
    return VoiceSynthesiser(places.speech_cache_folder(), voices=places.owner_voices_folder())


def _always(language: str) -> Iterator[str]:
    yield from fixed_sentences.spoken_sentences_without_placeholders(language, split_into_sentences)


def run_box_loop(loop: Loop, ready: Callable[[], None] = lambda: None) -> None:
    """Show the first frame, then handle events until the box quits or receives SIGTERM.

    `ready`: function that is called after the first frame. An exception in `ready` ends the loop.
    """
    # Python allows only the main thread to set a signal handler
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: loop.inbox.put(BoxQuitRequested()))
    loop.start()
    gc.enable()  # `cli` disabled the garbage collector until the first frame
    system.notify_systemd("READY=1")
    try:
        ready()
        loop.run()
    finally:
        system.notify_systemd("STOPPING=1")
        loop.close()


def compute_hint_in_thread(knowledge: PlayerKnowledge, put: Callable[[HintReady], None]) -> None:
    """Compute a hint for the active player in a thread, and pass the hint to `put`."""
    threading.Thread(target=_advise, args=(knowledge, put), name="hint", daemon=True).start()


def _advise(knowledge: PlayerKnowledge, put: Callable[[HintReady], None]) -> None:
    level, memory = LEVELS["strong"], knowledge.memory
    seed = f"{knowledge.number} {knowledge.position}"
    seat = ComputerSeat(
        knowledge.game,
        knowledge.player,
        level,
        edition=memory.edition,
        seed=seed,
        clock=time.monotonic,
    )
    put(HintReady(knowledge.number, knowledge.position, seat.choose_answer(knowledge.view, memory)))


ANALYSIS_TIMEOUT_SECONDS: Final = 600
"""Time limit in seconds for the analysis of a game's turning point, which has the lowest priority.
"""


def make_turning_point_job(record: Path) -> TurningPointJob:
    """Return the function that analyses a game's turning point in another process."""

    def begin(number: int, language: str, put: Callable[[TurningPointReady], None]) -> None:
        work = partial(_weigh, record, number, language, put)
        threading.Thread(target=work, name="weighing", daemon=True).start()

    return begin


def _weigh(
    record: Path, number: int, language: str, put: Callable[[TurningPointReady], None]
) -> None:
    asked = ("show", str(number), "--turning", "--json", "--journal", str(record))
    try:
        *_, sentences = run_json_command(language, ANALYSIS_TIMEOUT_SECONDS, *asked)
    except NoJsonFromCommandError:
        sentences = None
    put(TurningPointReady(number, sentences))


def make_statistics_job(record: Path) -> StatisticsJob:
    """Return the function that computes statistics in a thread, one request after another."""
    one_by_one = threading.Lock()

    def begin(number: int | None, put: Callable[[StatisticsReported], None]) -> None:
        work = partial(_count, record, one_by_one, number, put)
        threading.Thread(target=work, name="figures", daemon=True).start()

    return begin


def _count(
    record: Path,
    one_by_one: threading.Lock,
    number: int | None,
    put: Callable[[StatisticsReported], None],
) -> None:
    """Put the statistics of a game into the inbox.

    If `number` is None, put the statistics of all players into the inbox.
    """
    try:
        with (
            one_by_one,
            closing(Journal(record, beside=True)) as journal,
            closing(StatisticsCache(journal, places.statistics_file_of_record(record))) as shelf,
        ):
            if number is not None:
                put(StatisticsReported(find_rarest_fact_about_game(shelf, number)))
                return
            put(
                StatisticsReported(
                    look_up_people_and_group(
                        shelf,
                        places.wall_time(),
                        places.local_date,
                        lambda n: put(StatisticsReported(n)),
                    )
                )
            )
    except (OSError, sqlite3.Error) as error:  # OSError includes JournalError
        if number is None:  # a player is waiting for these statistics: report the failure
            put(StatisticsReported(error.code if isinstance(error, JournalError) else _code(error)))


def _code(error: OSError | sqlite3.Error) -> str:
    return "busy" if "locked" in str(error) else "figures"


# --- the box's socket and background programs -----------------------------------------------------


PAGE_WAKE_SOCKET: Final = Path("/run/companion-page/wake.sock")
"""The socket through which systemd starts the process of the web page."""
SEATS_WAKE_SOCKET: Final = Path("/run/companion-seats/wake.sock")
"""The socket through which systemd starts the process of the computer players."""


def start_service_by_socket(path: Path = PAGE_WAKE_SOCKET, key: str = "") -> None:
    """Connect to the socket `path`, so that systemd starts the service of this socket.

    Send `key` to the service. Return without waiting for the service. If the service is not
    installed, do nothing.
    """
    with suppress(OSError), socket.socket(socket.AF_UNIX) as wire:
        wire.setblocking(False)
        wire.connect(str(path))
        wire.send(key.encode())


def _wake_program(service: str, key: str) -> None:
    start_service_by_socket(services.find_service(service).socket, key)


PROCESS_END_TIMEOUT_SECONDS: Final = 3.0
"""Seconds that the box waits for the end of a background process before it kills the process."""


class BackgroundProgram:
    """A command that runs in another process while the box plays.

    The process connects to the box's socket `path`. `patience`: seconds to wait for the end of the
    process.
    """

    def __init__(
        self, path: Path, *arguments: str, patience: float = PROCESS_END_TIMEOUT_SECONDS
    ) -> None:
        self._path, self._arguments, self._patience = path, arguments, patience
        self._process: subprocess.Popen[bytes] | None = None

    def start_if_stopped(self) -> None:
        """Start the process if it is not running."""
        if self._process is None or self._process.poll() is not None:
            command = [*COMMAND_PREFIX, *self._arguments, "--socket", str(self._path)]
            nowhere = subprocess.DEVNULL
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere
            )

    def restart_with_input(self, line: str) -> None:
        """Restart the process and send `line` to its standard input."""
        self.close()
        self.start_if_stopped()
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(OSError):  # the process has ended: the next request starts the process again
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()

    def close(self) -> None:
        """End the process. If the process still runs after `patience` seconds, kill the process.

        Calling `close` a second time has no effect.
        """
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(self._patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdin is not None
        with suppress(OSError):  # closing fails if the process has not read its input
            process.stdin.close()


class ServicePrograms:
    """The background programs of added services, which the box starts when they are needed.

    - `path`: the socket of the box, to which these programs connect.
    - `record`: the path of the record.
    """

    def __init__(self, path: Path, record: Path) -> None:
        self._path, self._record = path, None if places.is_default_record(record) else record
        self._programs: dict[str, BackgroundProgram] = {}

    def start_if_stopped(self, service: str) -> None:
        """Start the program of a service if it is not running."""
        if service not in self._programs:
            command = services.find_service(service).program(self._record)
            self._programs[service] = BackgroundProgram(self._path, *command)
        self._programs[service].start_if_stopped()

    def close(self) -> None:
        """End all background programs."""
        for program in self._programs.values():
            program.close()


def make_door_opener(
    path: Path,
    record: Path | None = None,
    *,
    wake: Callable[[], None] = lambda: None,
    told: Callable[[str, str | None], None] = lambda _code, _url: None,
    attend: Callable[[str, str], None] = lambda _service, _key: None,
    seat: Callable[[str], None] = lambda _line: None,
) -> Opener:
    """Return a function that opens the socket `path` of a box with the record `record`.

    The returned function raises DoorSocketError if the socket cannot be opened.

    `wake`, `told`, `attend` and `seat` are described in `DoorServerAndCallbacks`.
    """

    def open_door(put: Callable[[Event], None]) -> DoorServerAndCallbacks:
        words = Words(places.system_language())
        full = message_as_protocol_line(messages.error_message(words("stdio.full"), code="full"))
        asides = dict.fromkeys(RECORD_REQUESTS, partial(_look_up, record or places.record_file()))
        schemas, clock = request_schemas(), time.monotonic
        server = DoorServer(path, put, clock=clock, schemas=schemas, full=full, asides=asides)
        here = installed_version()
        return DoorServerAndCallbacks(
            server, here, _picture, _look_up_word, wake, told, attend, seat
        )

    return open_door


def _look_up(record: Path, request: ProtocolRequest) -> str:
    figures = places.statistics_file_of_record(record)
    return RecordRequestHandler(
        record, figures, places.local_date, places.wall_time
    ).reply_to_request(request)


def _picture(frame: bytes) -> str:
    return base64.b64encode(encode_frame_as_png(frame)).decode()


@cache
def _dictionary() -> Dictionary:
    return Dictionary(places.word_list_cache_folder())


def _look_up_word(word: str, language: str) -> WordVerdict | None:
    return _dictionary().look_up(word, language)
