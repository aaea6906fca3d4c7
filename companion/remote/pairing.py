"""Pairing of phones with seats: by a join code and a button press on the box, or by a token."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from companion.box.state import Basics
from companion.box.turn import Turn
from companion.core.game import Cue
from companion.door import messages
from companion.door.lines import InvalidProtocolLineError, Message
from companion.menus.page import MenuFacts, MenuPageState, PhoneFacts, WifiNetwork
from companion.record.schema import JournalError
from companion.remote import join_codes
from companion.remote.audience import Audience, ConnectedClient
from companion.remote.doorway import DoorServerAndCallbacks
from companion.remote.join_codes import JoinCode
from companion.table.overlays import NOTE_SECONDS

ADDRESS_PATTERN: Final = re.compile(r"https?://[a-z0-9.:\[\]-]{1,48}", re.IGNORECASE)
HOST_NAME_PATTERN: Final = re.compile(r"[a-z0-9.-]{1,40}(:[0-9]{1,5})?", re.IGNORECASE)
NETWORK_NAME_PATTERN: Final = re.compile(r"[A-Z0-9]{1,9}")
PASSWORD_PATTERN: Final = re.compile(r"[A-Z0-9]{8}")
"""The pattern of the box's Wi-Fi password. A short password has a small QR code."""
ASKING_SECONDS: Final = 60.0
"""Seconds after which the box withdraws the question whether a phone may join."""
NEXT_PHONE_SECONDS: Final = 5
"""Seconds that other phones must wait for their next try while one phone waits for a decision."""


class WaitingPhone(NamedTuple):
    """A phone that has sent the right join code and waits until people at the box admit the phone.

    - `number`: the number of the phone's connection.
    - `name`: the player whose seat the phone requests.
    - `until`: the monotonic time (s) at which the request expires.
    - `asked`: whether the box shows the question whether the phone may join.
    """

    number: int
    name: str
    until: float
    asked: bool = False


class PhonePairing:
    """The pairing of phones with seats. A phone keeps its seat until its token is deleted.

    menu_facts: the function that returns the data for a menu page that opens now.
    """

    def __init__(
        self,
        basics: Basics,
        turn: Turn,
        audience: Audience,
        doorway: DoorServerAndCallbacks,
        menu_facts: Callable[[], MenuFacts],
    ) -> None:
        self._basics, self._turn, self._menu_facts = basics, turn, menu_facts
        self._all, self._door = audience, doorway
        self._phones = basics.settings["phones"]
        self._code: JoinCode | None = None
        self._waiting: WaitingPhone | None = None
        self._url: str | None = None
        self._name: str | None = None
        self._also: str | None = None
        self._network: WifiNetwork | None = None
        self._by: int | None = None
        self._known: str | None = None
        self._open = False

    @property
    def phone_data_for_menus(self) -> PhoneFacts:
        """Return the data about phones for the menus, such as the join code and the web address."""
        code = self._code.text if self._code else ""
        here = frozenset([seat for v in self._all.here.values() if (seat := v.joined_seat)])
        return PhoneFacts(code, self._url, self._name, self._network, self._also, here)

    # --- requests of phones ---

    def join_seat(self, visitor: ConnectedClient, message: Message) -> None:
        """Give a client a seat.

        A client that sends a seat's token receives the seat at once. If a client sends a join code,
        people at the box decide. Raise InvalidProtocolLineError if the token, the code or the seat
        is not valid.
        """
        name, number = message["join"], visitor.peer.number
        self._all.apply_language_and_confirmation(visitor, message)
        message = {key: message[key] for key in message.keys() - {"lang", "confirm"}}
        match message:
            case {"token": str(token), **rest} if isinstance(name, str) and "code" not in rest:
                has_token = join_codes.is_token_of_player(
                    self._basics.settings["phones"], name, token
                )
                if has_token and self._is_of_box(
                    name
                ):  # refuse the phone: a computer player has this seat
                    raise InvalidProtocolLineError("no_seat")
                if not has_token and not join_codes.is_token_of_player(
                    self._all.computer_player_tokens, name, token
                ):
                    raise InvalidProtocolLineError("wrong_token")
                self._all.give_seat(number, name, token)
            case {"code": str(code), **rest} if isinstance(name, str) and "token" not in rest:
                self._ask(number, name, code)
            case _:
                raise InvalidProtocolLineError("not_so", name="join")

    def leave_seat(self, visitor: ConnectedClient, _: Message) -> None:
        """Take the seat from a client that requests to leave, and delete the seat's token.

        Raise InvalidProtocolLineError if the client has no seat.
        """
        seat, number = visitor.joined_seat, visitor.peer.number
        if seat is None:
            raise InvalidProtocolLineError("join_first")
        others = {
            who: token for who, token in self._basics.settings["phones"].items() if who != seat
        }
        self._turn.save_settings({"phones": others})
        self._all.take_seat_away(number)
        self._all.queue_message(number, messages.left_message(seat))

    def _let_go(self) -> None:
        seated = self._basics.settings["phones"]
        if seated is self._phones:
            return
        lost, self._phones = self._phones.keys() - seated.keys(), seated
        for number, visitor in [*self._all.here.items()]:
            if visitor.joined_seat in lost:
                self._all.take_seat_away(number)
                self._all.queue_error(number, "removed")
                self._all.close_connection(number)

    def _ask(self, number: int, name: str, code: str) -> None:
        now = self._basics.machine.clock()
        if self._code is None or self._code.until <= now:
            raise InvalidProtocolLineError("wrong_code")
        if len(code) < join_codes.CODE_LENGTH:
            raise InvalidProtocolLineError(
                "not_so", sentence="short_code", n=join_codes.CODE_LENGTH
            )
        if now < self._code.after:
            self._pause(self._code.after - now)
        if not self._code.matches(code):
            self._code = self._code.with_wrong_try(now)
            raise InvalidProtocolLineError("wrong_code")
        if name not in self._seats:
            raise InvalidProtocolLineError("no_seat")
        if any(other.joined_seat == name for other in self._all.here.values()):
            raise InvalidProtocolLineError("taken", who=name)
        if self._waiting is not None:
            self._pause(NEXT_PHONE_SECONDS, "one_at_a_time")
        self._waiting = WaitingPhone(number, name, now + ASKING_SECONDS)
        self._code = None
        if self._open:
            self._show_code()

    def _is_of_box(self, name: str) -> bool:
        running = self._basics.stands.running_session
        return running is not None and name in running.standing.present_computer_players

    @property
    def _seats(self) -> tuple[str, ...]:
        """Return the names of the people in the running game.

        If no game is running, return the names in the settings.
        """
        running = self._basics.stands.running_session
        if running is None:
            return tuple(self._basics.settings["names"])
        return tuple(
            who
            for who in running.game_setup.players
            if who not in running.standing.present_computer_players
        )

    def _pause(self, seconds: float, sentence: str = "slow_down") -> None:
        n = max(1, round(seconds + 0.5))
        raise InvalidProtocolLineError("slow_down", {"seconds": n}, sentence=sentence, n=n)

    def forget_connection(self, number: int) -> None:
        """Delete the join request and the web address that the closed connection has sent."""
        if self._waiting is not None and self._waiting.number == number:
            self._waiting = None
        if self._by == number:
            self._by = self._url = self._name = self._also = None
            self._inform()

    def set_page_address(self, visitor: ConnectedClient, message: Message) -> None:
        """Store the address at which phones reach the web page; None means no network.

        Raise InvalidProtocolLineError if the address is not valid, or if the client has a player's
        seat.
        """
        if visitor.joined_seat is not None:
            raise InvalidProtocolLineError("not_yours")
        url, name, also = self._read_address(message["address"])
        lost = url is None and self._url is not None
        moved = url is not None and self._known not in (None, url)
        self._by, self._url, self._name, self._also = visitor.peer.number, url, name, also
        self._known = url or self._known
        self._inform()
        if self._open and url is not None and self._code is not None:
            self._door.report_join_code(self._code.text, url)
        if lost:
            self._note(Cue("no_network"))
        elif moved:
            self._note(Cue("new_address", {"url": str(url).lower().removeprefix("http://")}))

    @staticmethod
    def _read_address(address: object) -> tuple[str | None, str | None, str | None]:
        """Return the web page's URL, host name and second address, each None if unknown.

        Raise InvalidProtocolLineError if `address` is not valid.
        """
        match {"also": None, **address} if isinstance(address, dict) else address:
            case None:
                return None, None, None
            case {
                "url": str(url), "name": str() | None as name, "also": str() | None as also,
            } if ADDRESS_PATTERN.fullmatch(url) and all(
                text is None or HOST_NAME_PATTERN.fullmatch(text) for text in (name, also)
            ):  # fmt: skip
                return url, name, also
        raise InvalidProtocolLineError("not_so", name="address")

    def store_phone_wifi_network(self, visitor: ConnectedClient, message: Message) -> None:
        """Store the name and password of the box's Wi-Fi network; None means no network.

        Raise InvalidProtocolLineError if the network is not valid, or if the client does not run as
        the box's user or root.
        """
        if not visitor.peer.is_owner:
            raise InvalidProtocolLineError("not_yours")
        match message["hotspot"]:
            case None:
                self._network = None
            case {"name": str(name), "password": str(password), **rest} if (
                NETWORK_NAME_PATTERN.fullmatch(name)
                and PASSWORD_PATTERN.fullmatch(password)
                and not rest
            ):
                self._network = WifiNetwork(name, password)
            case _:
                raise InvalidProtocolLineError("not_so", name="hotspot")
        self._inform()

    def _note(self, cue: Cue) -> None:
        if self._basics.settings["phones"]:
            self._turn.announce_facts(cue, seconds=NOTE_SECONDS)

    # --- the table's decision ---

    def admit_phone(self, name: str) -> None:
        """Give the waiting phone the seat of player `name`.

        If no phone waits for this seat, do nothing.

        If the token cannot be saved, raise JournalError, and the phone continues to wait.
        """
        waiting = self._waiting
        if waiting is None or waiting.name != name:
            return
        token = join_codes.make_phone_token()
        seated = join_codes.token_hashes_with_new_phone(
            self._basics.settings["phones"], name, token
        )
        with self._turn.change():
            self._turn.save_settings({"phones": seated})
            self._turn.run_effects_after_commit(partial(self._give_seat, waiting, token))

    def _give_seat(self, waiting: WaitingPhone, token: str) -> None:
        """Give a waiting phone its seat, after the change which saved the phone's token.

        Raise JournalError if the phone was subscribed, and the record cannot save that the seat has
        seen its secrets. The phone then has the seat, and must subscribe again.
        """
        self._waiting = None
        try:
            self._all.give_seat(waiting.number, waiting.name, token)
        except JournalError as error:
            words = self._all.words_for_recipient(self._all.here[waiting.number].reader)
            self._all.queue_message(waiting.number, messages.exception_message(error, words))
            raise
        finally:
            self._inform()

    # --- state of the table ---

    @property
    def due_at(self) -> float | None:
        """Return the earliest time (s) at which the shown code or a join request expires.

        Return None if the box shows no code and no phone waits.
        """
        times = [self._code.until] if self._open and self._code is not None else []
        times += [self._waiting.until] if self._waiting is not None else []
        return min(times, default=None)

    def do_due_work(self) -> None:
        """Disconnect phones whose token was deleted, renew the code, ask about a waiting phone."""
        self._let_go()
        self._look()
        self._decide()

    def _look(self) -> None:
        page, now = self._basics.stands.table.menus.current_page, self._basics.machine.clock()
        showing, was = page is not None and page.page == "phones", self._open
        self._open = showing
        if showing and not was:
            self._door.start_page()
        if page is not None and showing and was and page.facts.phones != self.phone_data_for_menus:
            self._inform()
        if showing and (not was or self._code is None or self._code.until <= now):
            self._show_code()

    def _show_code(self) -> None:
        now = self._basics.machine.clock()
        if self._code is None or self._code.until <= now:
            self._code = join_codes.make_join_code(now)
        self._inform()
        self._door.report_join_code(self._code.text, self._url)

    def _decide(self) -> None:
        waiting, asks = self._waiting, self._basics.stands.table.menus.has_page("joining")
        if waiting is None:
            if asks:
                self._withdraw()
        elif waiting.until <= self._basics.machine.clock() or (waiting.asked and not asks):
            self._waiting = None
            self._withdraw()
            self._all.queue_error(waiting.number)
        elif not waiting.asked:
            self._put(waiting)

    def _put(self, waiting: WaitingPhone) -> None:
        """Ask whether the phone may join, unless a player is spelling or reading a secret."""
        table = self._basics.stands.table
        if table.cursor.has_begun_spelling or table.cursor.looking is not None:
            return
        self._waiting = waiting._replace(asked=True)
        asks = MenuPageState(self._menu_facts(), "joining", who=waiting.name)
        self._turn.replace_menus(table.menus.with_page(asks))

    def _withdraw(self) -> None:
        self._turn.replace_menus(self._basics.stands.table.menus.without_page("joining"))

    def _inform(self) -> None:
        self._turn.replace_menus(
            self._basics.stands.table.menus.with_changed_facts(phones=self.phone_data_for_menus)
        )
