"""The way to a running box: its socket, and what the box starts for those who come by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from companion.door.peers import Event
    from companion.door.server import Server

    Opener: TypeAlias = Callable[[Callable[[Event], None]], "Doorway"]


class Doorway(NamedTuple):
    """What a box needs to let programs in.

    `server` is the socket; `version` is the companion's; `picture` makes a PNG of a frame; `known`
    says whether a word is in a language's lists, None without a list; `wake` starts what phones
    come to, `attend` what looks after a club's evening, with the key to speak for it, `seat` what
    plays the box's seats, with a line that says which; `told` hears of each code that is shown, and
    of the address.
    """

    server: Server
    version: str
    picture: Callable[[bytes], str]
    known: Callable[[str, str], bool | None] = lambda _word, _language: None
    wake: Callable[[], None] = lambda: None
    told: Callable[[str, str | None], None] = lambda _code, _url: None
    attend: Callable[[str], None] = lambda _key: None
    seat: Callable[[str], None] = lambda _line: None
