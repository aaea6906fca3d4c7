"""The door of this machine: where its socket is, and what the box needs to open it."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.cmd import places

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

    from companion.box.audience import Doorway
    from companion.door.lines import Message
    from companion.door.peers import Event
    from companion.say.dictionary import Dictionary


SERVICE: Final = Path("/run/companion/door.sock")
"""Where the service has it."""
PATIENCE: Final = 10.0
"""Seconds in which a box hears what it is told."""
WAKING: Final = Path("/run/companion-page/wake.sock")
"""Whoever knocks here has systemd start the page."""
EVENING: Final = Path("/run/companion-evening/wake.sock")
"""Likewise, what looks after a club's evening."""


def beside(record: Path) -> Path:
    """The socket of a box that plays with that record."""
    service = os.environ.get("RUNTIME_DIRECTORY")
    return Path(service) / "door.sock" if service else record.with_suffix(".sock")


def wake_service(path: Path = WAKING, key: str = "") -> None:
    """Have systemd start what listens there, if it is installed, and give it a key.

    Returns at once.
    """
    import socket  # noqa: PLC0415 - not before somebody wants it

    with suppress(OSError), socket.socket(socket.AF_UNIX) as wire:
        wire.setblocking(False)
        wire.connect(str(path))
        wire.send(key.encode())


class Beside:
    """A command in a process of its own, for as long as somebody plays at `path`."""

    def __init__(self, path: Path, *arguments: str) -> None:
        self._path, self._arguments = path, arguments
        self._process: subprocess.Popen[bytes] | None = None

    def wake(self) -> None:
        """Start it, unless it runs."""
        import subprocess  # noqa: PLC0415 - not before somebody wants it
        import sys  # noqa: PLC0415 - likewise

        if self._process is None or self._process.poll() is not None:
            code = "from companion.cmd.cli import main; main()"
            command = [sys.executable, "-c", code, *self._arguments, "--socket", str(self._path)]
            nowhere = subprocess.DEVNULL
            self._process = subprocess.Popen(  # ours
                command, stdin=nowhere, stdout=nowhere, stderr=nowhere
            )

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def found() -> Path:
    """The socket of the box that runs here: beside the record of whoever asks, or the service's."""
    own = beside(places.record())
    return SERVICE if not own.exists() and SERVICE.exists() else own


def tell(message: Message) -> bool:
    """Tell the box that runs here something, and wait until it has heard; whether there is one."""
    from companion.door.client import Away, Client  # noqa: PLC0415 - not before the first frame

    try:
        with Client(found(), PATIENCE) as box, suppress(Away):  # it goes when it has heard all
            box.say(message)
            box.say({"quit": True})
            while True:
                box.hear()
    except OSError:
        return False
    return True


def opener(
    path: Path,
    record: Path | None = None,
    *,
    wake: Callable[[], None] = lambda: None,
    told: Callable[[str, str | None], None] = lambda _code, _url: None,
    attend: Callable[[str], None] = lambda _key: None,
) -> Callable[[Callable[[Event], None]], Doorway]:
    """What opens the door at `path` for a box that plays with that record. It raises DoorError."""

    def opened(put: Callable[[Event], None]) -> Doorway:
        from importlib.metadata import version  # noqa: PLC0415 - not before the first frame

        from companion.box.audience import Doorway  # noqa: PLC0415 - likewise
        from companion.box.verbs import ASIDES, VERBS  # noqa: PLC0415 - likewise
        from companion.door import messages  # noqa: PLC0415 - likewise
        from companion.door.lines import written  # noqa: PLC0415 - likewise
        from companion.door.server import Server  # noqa: PLC0415 - likewise
        from companion.say.words import Words  # noqa: PLC0415 - likewise

        words = Words(places.language())
        full = written(messages.error(words("stdio.full"), code="full"))
        asides = dict.fromkeys(ASIDES, partial(_looked_up, record or places.record()))
        server = Server(path, put, clock=time.monotonic, verbs=VERBS, full=full, asides=asides)
        return Doorway(server, version("tabletop-companion"), _picture, _known, wake, told, attend)

    return opened


def _looked_up(record: Path, message: Message) -> str:
    from companion.door.archive import Archive  # noqa: PLC0415 - not before somebody asks

    figures = places.figures_beside(record)
    return Archive(record, figures, places.day, places.wall).told(message)


def _picture(frame: bytes) -> str:
    import base64  # noqa: PLC0415 - likewise

    from hardware.pixels import png  # noqa: PLC0415 - likewise

    return base64.b64encode(png(frame)).decode()


@cache
def _dictionary() -> Dictionary:
    return places.dictionary()


def _known(word: str, language: str) -> bool | None:
    verdict = _dictionary().judge(word, language)
    return None if verdict is None else verdict.known
