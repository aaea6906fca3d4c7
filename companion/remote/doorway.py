"""The door of a running box: its socket, and the processes that it starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from companion.door.peers import Event
from companion.door.server import Server

if TYPE_CHECKING:
    Opener: TypeAlias = Callable[[Callable[[Event], None]], "Doorway"]


class Doorway(NamedTuple):
    """The parts that a box needs to serve programs.

    - `server`: the socket.
    - `version`: the version of the companion.
    - `picture`: returns a frame as a PNG.
    - `known`: returns True if a word is in a language's lists, None without a list.
    - `wake`: starts the page for phones.
    - `attend`: starts the background program of a service, given by name, with its key.
    - `seat`: starts the computer players, given as a line.
    - `told`: receives each new code, and the address.
    """

    server: Server
    version: str
    picture: Callable[[bytes], str]
    known: Callable[[str, str], bool | None] = lambda _word, _language: None
    wake: Callable[[], None] = lambda: None
    told: Callable[[str, str | None], None] = lambda _code, _url: None
    attend: Callable[[str, str], None] = lambda _service, _key: None
    seat: Callable[[str], None] = lambda _line: None
