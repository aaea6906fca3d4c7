"""How a phone gets a seat: by the code on the display and a press on the box, or as it had it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.box import phones
from companion.box.menus.page import Network, OpenPage, Phones
from companion.box.overlays import NOTE
from companion.core.game import Cue
from companion.door.lines import Mistake

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.box.host import Host
    from companion.box.phones import Code

ADDRESS: Final = re.compile(r"https?://[a-z0-9.:\[\]-]{1,48}", re.IGNORECASE)
NAME: Final = re.compile(r"[a-z0-9.-]{1,40}(:[0-9]{1,5})?", re.IGNORECASE)
NETWORK: Final = re.compile(r"[A-Z0-9]{1,9}")
PASSWORD: Final = re.compile(r"[A-Z0-9]{8}")
"""So short, and in capitals: then the code to scan has modules of two pixels."""
ASKING: Final = 60.0
"""Seconds that the box asks whether a phone may come in."""
SOON: Final = 5
"""Seconds after which somebody else may ask."""


class Waiting(NamedTuple):
    """Somebody with the right code, by the number of the connection, whom the box asks about."""

    number: int
    name: str
    until: float
    asked: bool = False


class Pairing:
    """Kept by the visitors. `wake` starts the page; `told` hears of a code and the address.

    `seat` seats a connection as a player, with a token; `refuse` tells one that it was not to be.
    """

    def __init__(
        self,
        host: Host,
        wake: Callable[[], None],
        told: Callable[[str, str | None], None],
        seat: Callable[[int, str, str], None],
        refuse: Callable[[int], None],
    ) -> None:
        self._host, self._wake, self._told = host, wake, told
        self._seat, self._refuse = seat, refuse
        self._code: Code | None = None
        self._waiting: Waiting | None = None
        self._url: str | None = None
        self._name: str | None = None
        self._network: Network | None = None
        self._by: int | None = None
        self._known: str | None = None
        self._open = False

    @property
    def shown(self) -> Phones:
        """What the menus show."""
        code = self._code.text if self._code else ""
        names = tuple(self._host.settings["phones"])
        return Phones(code, self._url, self._name, names, self._network)

    # --- what somebody outside wants ---

    def ask(self, number: int, name: str, code: str, *, taken: bool) -> None:
        """Somebody has a code, and wants a seat; `taken`: its phone is here. Raises Mistake."""
        now = self._host.clock()
        if self._code is None or self._code.until <= now:
            raise Mistake("wrong_code")
        if now < self._code.after:
            self._pause(self._code.after - now)
        if not self._code.fits(code):
            self._code = self._code.missed(now)
            raise Mistake("wrong_code")
        if name not in self._seats:
            raise Mistake("no_seat")
        if taken:
            raise Mistake("taken", who=name)
        if self._waiting is not None:
            self._pause(SOON)
        self._waiting = Waiting(number, name, now + ASKING)
        self._code = None
        if self._open:
            self._show_code()

    def knows(self, name: str, token: str) -> bool:
        """Whether a token is good for a seat."""
        return phones.is_of(self._host.settings["phones"], name, token)

    @property
    def _seats(self) -> tuple[str, ...]:
        """Who can have a phone: who plays now, or who has played lately."""
        running = self._host.running
        return running.setup.players if running else tuple(self._host.settings["names"])

    def _pause(self, seconds: float) -> None:
        n = max(1, round(seconds + 0.5))
        raise Mistake("slow_down", {"seconds": n}, n=n)

    def gone(self, number: int) -> None:
        """A connection has ended: it waits for nothing, and nobody comes to its address."""
        if self._waiting is not None and self._waiting.number == number:
            self._waiting = None
        if self._by == number:
            self._by = self._url = self._name = None
            self._inform()

    def move(self, number: int, value: Any) -> None:
        """The page says where phones come to it; None: nowhere any more. Raises Mistake."""
        match value:
            case None:
                url = name = None
            case {"url": str(url), "name": str() | None as name} if ADDRESS.fullmatch(url) and (
                name is None or NAME.fullmatch(name)
            ):
                pass
            case _:
                raise Mistake("not_so", name="address")
        lost = url is None and self._url is not None
        moved = url is not None and self._known not in (None, url)
        self._by, self._url, self._name = number, url, name
        self._known = url or self._known
        self._inform()
        if self._open and url is not None and self._code is not None:
            self._told(self._code.text, url)
        if lost:
            self._note(Cue("no_network"))
        elif moved:
            self._note(Cue("new_address", {"url": str(url).lower().removeprefix("http://")}))

    def offer(self, value: Any) -> None:
        """A network for phones to come in with; None: there is none any more. Raises Mistake."""
        match value:
            case None:
                self._network = None
            case {"name": str(name), "password": str(password), **rest} if (
                NETWORK.fullmatch(name) and PASSWORD.fullmatch(password) and not rest
            ):
                self._network = Network(name, password)
            case _:
                raise Mistake("not_so", name="hotspot")
        self._inform()

    def _note(self, cue: Cue) -> None:
        """Tell it, if it concerns a phone."""
        if self._host.settings["phones"]:
            self._host.note(cue, seconds=NOTE)
            self._host.show()
            self._host.voice.say([cue], self._host.words)

    # --- what somebody at the box wants ---

    def admit(self, name: str) -> None:
        """The box says yes. Raises JournalError: then nobody has come in."""
        waiting = self._waiting
        if waiting is None or waiting.name != name:
            return
        token = phones.fresh_token()
        kept = phones.with_phone(self._host.settings["phones"], name, token)
        self._host.set({"phones": kept})
        self._waiting = None
        self._seat(waiting.number, name, token)
        self._inform()

    def forget(self, name: str) -> None:
        """A phone has no seat any more. Raises JournalError: then it has."""
        kept = {who: token for who, token in self._host.settings["phones"].items() if who != name}
        self._host.set({"phones": kept})
        self._inform()

    # --- what lies on the table ---

    @property
    def due(self) -> float | None:
        """When time alone does something."""
        times = [self._code.until] if self._open and self._code is not None else []
        times += [self._waiting.until] if self._waiting is not None else []
        return min(times, default=None)

    def settle(self) -> None:
        """After whatever has happened: a code for the page of codes, an answer to who waits."""
        self._look()
        self._decide()

    def _look(self) -> None:
        page, now = self._host.table.menus.page, self._host.clock()
        showing, was = page is not None and page.page == "phones", self._open
        self._open = showing
        if showing and not was:
            self._wake()
        if showing and (not was or self._code is None or self._code.until <= now):
            self._show_code()

    def _show_code(self) -> None:
        """A code that is good from now on; one that is good for long still stays."""
        now = self._host.clock()
        if self._code is None or self._code.until <= now:
            self._code = phones.fresh_code(now)
        self._inform()
        self._told(self._code.text, self._url)

    def _decide(self) -> None:
        """Ask about who waits, or give up: nobody has said yes, or it has gone again."""
        waiting, asks = self._waiting, self._host.table.menus.has("joining")
        if waiting is None:
            if asks:
                self._withdraw()
        elif waiting.until <= self._host.clock() or (waiting.asked and not asks):
            self._waiting = None
            self._withdraw()
            self._refuse(waiting.number)
        elif not waiting.asked:
            self._put(waiting)

    def _put(self, waiting: Waiting) -> None:
        """Ask at the box, as soon as nobody spells or looks at a secret."""
        table, host = self._host.table, self._host
        if table.cursor.is_spelling or table.cursor.looking is not None:
            return
        self._waiting = waiting._replace(asked=True)
        asks = OpenPage(host.facts(host.running), "joining", who=waiting.name)
        host.turn_over(table.menus.under(asks))

    def _withdraw(self) -> None:
        self._host.turn_over(self._host.table.menus.without("joining"))

    def _inform(self) -> None:
        """The menus show what holds now."""
        self._host.turn_over(self._host.table.menus.knowing(phones=self.shown))
