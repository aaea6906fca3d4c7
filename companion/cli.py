"""`companion`: the composition root. It picks the hardware, opens the record and runs the loop.

Called without arguments it is the box itself, and must show its first frame soon: nothing that the
frame does not need is imported before it. Every other call goes to `commands`.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from companion import system
from companion.app import App
from companion.core import CompanionError
from companion.events import Quit, Trouble
from companion.journal import Journal
from hardware import Box, HardwareError, Speaker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.dictionary import Dictionary
    from companion.events import Inbox
    from hardware.speech import Speech

FACES: Final = ("terminal", "window", "pi")


def folder(variable: str, default: str) -> Path:
    """The companion's folder under an XDG base directory."""
    return Path(os.environ.get(variable) or Path.home() / default) / "companion"


def data_folder() -> Path:
    """Where the games are: systemd's state directory, else the user's data."""
    state = os.environ.get("STATE_DIRECTORY")
    return Path(state) if state else folder("XDG_DATA_HOME", ".local/share")


def record() -> Path:
    """The file that holds every game."""
    return data_folder() / "games.db"


def config_folder() -> Path:
    """Where users keep what they write themselves, such as editions."""
    return folder("XDG_CONFIG_HOME", ".config")


def word_folder() -> Path:
    """Where the system's word lists are kept as the companion folds them."""
    return folder("XDG_CACHE_HOME", ".cache") / "words"


def dictionary() -> Dictionary:
    """The system's word lists."""
    from companion.dictionary import Dictionary  # noqa: PLC0415 - not before it is needed

    return Dictionary(word_folder())


def language() -> str:
    """The language of this machine, if the box speaks it; English otherwise."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "fr" if next(filter(None, names), "").startswith("fr") else "en"


def wall() -> int:
    """Seconds since 1970."""
    return int(time.time())


def hour() -> int:
    """The hour of this room's clock, 0 to 23."""
    return time.localtime().tm_hour


def main() -> None:
    """The command. A person sees one line and what to do; `--debug` shows the traceback."""
    debug = "--debug" in sys.argv[1:]
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    try:
        if arguments:
            from companion.commands import run  # noqa: PLC0415 - click is as slow as the first frame

            sys.exit(run(arguments, debug=debug))
        the_box()
    except (CompanionError, OSError) as error:  # HardwareError is an OSError
        if debug:
            raise
        sys.exit(f"companion: {' '.join(str(error).split())}")


def the_box() -> None:
    """Run on the hardware that is there; say what to wire, and offer the terminal, if none is."""
    from hardware import pi  # noqa: PLC0415 - not for other faces

    try:
        inbox: Inbox = SimpleQueue()
        box = _pi(inbox)
    except HardwareError as error:
        sys.stderr.write(f"{error}\n\n{pi.wiring()}\n\n")
        if not sys.stdin.isatty():
            sys.exit("To play without the box: companion play --face terminal")
        answer = input("Play in this terminal instead? [Y/n] ")
        if answer.strip().lower() in ("", "y", "yes", "o", "oui"):
            play("terminal")
        return
    run(box, inbox)


def _pi(inbox: Inbox) -> Box:
    """The box on a Pi, as the user's board says; a display that fails is told in the inbox."""
    from hardware import pi  # noqa: PLC0415 - each face brings its own library

    return pi.open_box(lambda error: inbox.put(Trouble(error)), config_folder())


def play(face: str) -> None:
    """Run on one face. Raises HardwareError or CompanionError."""
    if face == "pi":
        inbox: Inbox = SimpleQueue()
        run(_pi(inbox), inbox)
        return
    journal = Journal(record(), wall())
    app: list[App] = []

    def leave() -> None:
        for running in app:
            running.inbox.put(Quit())

    shown = _open_face(face, _labels(face, journal.settings()), leave)

    def work() -> None:
        app.append(make(shown.box, journal))
        serve(app[0])

    try:
        shown.run(work)
    finally:
        journal.close()


def _open_face(face: str, labels: Mapping[str, str], leave: Callable[[], None]) -> Any:
    if face == "terminal":
        try:
            from hardware.terminal import Terminal  # noqa: PLC0415 - textual is an extra
        except ImportError as error:
            raise HardwareError("The terminal face needs textual: pip install textual") from error
        return Terminal(labels, leave)
    from hardware.window import Window  # noqa: PLC0415 - pygame is an extra

    return Window(labels, leave)


def _labels(face: str, settings: Mapping[str, Any]) -> dict[str, str]:
    from companion.words import Words  # noqa: PLC0415

    words = Words(settings.get("language", language()))
    keys = words("face.window" if face == "window" else "face.keys")
    return {"keys": keys} | {n: words(f"face.{n}") for n in ("title", "quit", "too_small")}


def run(box: Box, inbox: Inbox) -> None:
    """Open the record and run a machine of its own until it is told to end."""
    journal = Journal(record(), wall())
    try:
        serve(make(box, journal, inbox, system.power_off))
    finally:
        journal.close()


def make(
    box: Box,
    journal: Journal,
    inbox: Inbox | None = None,
    power_off: Callable[[], None] | None = None,
) -> App:
    """The app on a box, with a loudspeaker added."""
    return App(
        box,
        journal,
        clock=time.monotonic,
        wall=wall,
        folder=config_folder(),
        loudspeaker=_loudspeaker,
        language=language(),
        dictionary=dictionary,
        pulse=system.Pulse(time.monotonic, system.interval()),
        inbox=inbox,
        power_off=power_off,
        hour=hour,
    )


def _loudspeaker(app: App) -> Speaker:
    """The sound device and the voice; imported after the first frame."""
    from hardware.speaker import Loudspeaker  # noqa: PLC0415

    return Loudspeaker(lambda error: app.inbox.put(Trouble(error)), speech())


def speech() -> Speech:
    """The voice, and what it has said before."""
    from companion.phrases import NAMES  # noqa: PLC0415
    from hardware.speech import Speech  # noqa: PLC0415

    return Speech(folder("XDG_CACHE_HOME", ".cache") / "voice", names=NAMES)


def serve(app: App) -> None:
    """Show the first frame, then take events until the end; SIGTERM ends it in good order."""
    if threading.current_thread() is threading.main_thread():  # else a face has it, and ends us
        signal.signal(signal.SIGTERM, lambda *_: app.inbox.put(Quit()))
    app.start()
    system.tell("READY=1")
    try:
        app.run()
    finally:
        system.tell("STOPPING=1")
        app.close()
