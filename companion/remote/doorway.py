"""The connections to a running box, and the callbacks that start helper processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from companion.door.peers import Event
from companion.say.dictionary import WordVerdict

if TYPE_CHECKING:

    class DoorTransport(Protocol):
        """The connections to a box, through a socket server or through a web page's worker."""

        def send(self, batch: Iterable[tuple[int, bytes]], *, done: bool = False) -> None:
            """Send lines to connections.

            - `batch`: pairs of a connection's number and the lines for this connection.
            - `done`: if True, the box has handled one event of a connection.
            """

        def close_connection(self, number: int) -> None:
            """Close the connection `number` after the connection's waiting lines were sent."""

        def close(self) -> None:
            """Close all connections."""

    Opener: TypeAlias = Callable[[Callable[[Event], None]], "DoorServerAndCallbacks"]


class DoorServerAndCallbacks(NamedTuple):
    """The server of the box's socket, and the callbacks that the box needs to serve its clients.

    - `server`: the connections to the door.
    - `version`: the version of the Companion software.
    - `picture`: returns a frame as a PNG image in a text encoding.
    - `look_up(word, language)`: returns the result of a word's look-up; None if the language has no
      word list.
    - `start_page`: starts the process of the web page for phones.
    - `report_join_code(code, url)`: receives each new join code with the web address; `url` is None
      without a network.
    - `start_service(service, key)`: starts the background program of an added service. The program
      sends the secret `key` to prove its identity.
    - `start_computer_players(line)`: starts the process of the computer players. The JSON text
      `line` lists the seats, the tokens and the levels of the computer players.
    - `admits_phones`: if True, phones can connect to the box.
    """

    server: DoorTransport
    version: str
    picture: Callable[[bytes], str]
    look_up: Callable[[str, str], WordVerdict | None] = lambda _word, _language: None
    start_page: Callable[[], None] = lambda: None
    report_join_code: Callable[[str, str | None], None] = lambda _code, _url: None
    start_service: Callable[[str, str], None] = lambda _service, _key: None
    start_computer_players: Callable[[str], None] = lambda _line: None
    admits_phones: bool = True
