"""The door of this machine: where its socket is, and what the box needs to open it."""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.cmd import places

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.box.audience import Doorway
    from companion.door.peers import Event
    from companion.say.dictionary import Dictionary


def beside(record: Path) -> Path:
    """The socket of a box that plays with that record."""
    service = os.environ.get("RUNTIME_DIRECTORY")
    return Path(service) / "door.sock" if service else record.with_suffix(".sock")


SERVICE: Final = Path("/run/companion/door.sock")
"""Where the service has it."""


def found() -> Path:
    """The socket of the box that runs here: beside the record of whoever asks, or the service's."""
    own = beside(places.record())
    return SERVICE if not own.exists() and SERVICE.exists() else own


def opener(
    path: Path,
    *,
    wake: Callable[[], None] = lambda: None,
    told: Callable[[str, str | None], None] = lambda _code, _url: None,
) -> Callable[[Callable[[Event], None]], Doorway]:
    """What opens the door at `path` for a box. It raises DoorError."""

    def opened(put: Callable[[Event], None]) -> Doorway:
        from importlib.metadata import version  # noqa: PLC0415 - not before the first frame

        from companion.box.audience import Doorway  # noqa: PLC0415 - likewise
        from companion.box.visitors import VERBS  # noqa: PLC0415 - likewise
        from companion.door import messages  # noqa: PLC0415 - likewise
        from companion.door.lines import written  # noqa: PLC0415 - likewise
        from companion.door.server import Server  # noqa: PLC0415 - likewise
        from companion.say.words import Words  # noqa: PLC0415 - likewise

        words = Words(places.language())
        full = written(messages.error(words("stdio.full"), code="full"))
        server = Server(path, put, clock=time.monotonic, verbs=VERBS, full=full)
        return Doorway(server, version("tabletop-companion"), _picture, _known, wake, told)

    return opened


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
