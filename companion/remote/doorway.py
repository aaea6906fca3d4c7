"""The door of a running box: its socket, and callbacks that start the box's helper processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from companion.door.peers import Event
from companion.door.server import DoorServer

if TYPE_CHECKING:
    Opener: TypeAlias = Callable[[Callable[[Event], None]], "DoorParts"]


class DoorParts(NamedTuple):
    """The socket of the door, and the callbacks that the box needs to serve programs.

    - `server`: the server of the socket.
    - `version`: the version of the companion.
    - `picture`: returns a frame as a PNG image in a text encoding.
    - `known(word, language)`: returns True if a list of the language has the word; None without a
      list.
    - `wake`: starts the process of the web page for phones.
    - `told(code, url)`: receives each new join code, and the address of the web page.
    - `attend(service, key)`: starts the background program of a service.
    - `seat(line)`: starts the process of the computer players; `line` lists their seats as JSON.
    """

    server: DoorServer
    version: str
    picture: Callable[[bytes], str]
    known: Callable[[str, str], bool | None] = lambda _word, _language: None
    wake: Callable[[], None] = lambda: None
    told: Callable[[str, str | None], None] = lambda _code, _url: None
    attend: Callable[[str, str], None] = lambda _service, _key: None
    seat: Callable[[str], None] = lambda _line: None
