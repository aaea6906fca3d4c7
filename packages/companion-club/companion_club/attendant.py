"""The attendant: the process that executes requests about evenings for one box.

The requests come from the box's menus and from the web page on phones. The attendant reports the
state of the evening to the box. The attendant has two connections to the box's socket: one
connection for requests, and one connection of `ResultPublisher`, which publishes results. An idle
attendant waits in one `select` call for the box's two connections and for the MQTT broker.
"""

from __future__ import annotations

import json
import re
import secrets
import select
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.name_comparison import normalise_name
from companion.door.client import BlockingClient
from companion.door.lines import Message
from companion_club import ageing, claims, finding, new_facts, slips, table, topics
from companion_club import folder as files
from companion_club.broker import BrokerAddress
from companion_club.claims import InvalidClaim
from companion_club.current_claims import CurrentClaims
from companion_club.evening_box import EveningBox
from companion_club.evening_state import EveningState, compute_evening_state
from companion_club.home import HomeAssistantDevice
from companion_club.service import ResultPublisher
from companion_club.table import Request
from companion_club.words import english_error_text

RETRY_SECONDS: Final = 2.0
"""Seconds until the next attempt to connect to a box that does not answer."""
IDLE_SECONDS: Final = 600.0
"""Seconds after which the attendant exits if no evening is joined and no request arrives."""
MAX_STATUS_MESSAGE_BYTES: Final = 60_000
"""Maximum size of a status message (bytes); the box accepts lines of up to 64 KiB."""
JOINED_FILE_NAME: Final = "joined.json"
BOX_NAME_FILE: Final = "box.txt"
"""Name of the file that stores the box's name for all evenings and for Home Assistant."""
HEAD_TABLE: Final = 1
"""Number of the head table, whose box rings the bell that ends the evening."""
SECONDS_PER_HOUR: Final = 3600.0
UNNAMED_GAME_TEXT: Final = "?"
"""Text that is shown as the game's name if an evening's rules do not name a game."""


class JoinedEvening(NamedTuple):
    """The evening that this box has joined: its name, the table, and the broker's host and port."""

    evening: str
    table: int
    host: str
    port: int


class AttendantEnvironment(NamedTuple):
    """The paths, clocks and functions that the attendant uses.

    - `door`: the path of the box's socket.
    - `base`: the folder that contains a folder for each evening.
    - `broker_login`: the login for every broker, without a host; the attendant adds the host of
      each broker.
    - `brokers`: a function that returns the host and port of each broker in the local network.
    - `now`: a function that returns the monotonic time (s).
    - `wall`: a function that returns the date and time, "" if the clock is not set.
    - `next_local_time_at_hour`: a function that receives an hour, such as 22, and returns the next
      local time with this full hour, such as `2026-11-21T22:00`. `next_local_time_at_hour(-1)`
      returns the present local time.
    - `home`: a function that receives the names of the evening and of the box, and the number of
      the table. The function returns the box's device for Home Assistant, or None if Home Assistant
      is not used.
    - `epoch`: a function that returns the seconds since 1970.
    """

    door: Path
    base: Path
    broker_login: BrokerAddress
    brokers: Callable[[], Sequence[tuple[str, int]]]
    now: Callable[[], float]
    wall: Callable[[], str]
    next_local_time_at_hour: Callable[[int], str]
    home: Callable[[str, str, int], HomeAssistantDevice | None]
    epoch: Callable[[], float]


class EveningAttendant:
    """Attendant that executes the requests of one box about evenings.

    Raise OSError if the evening's folder cannot be written.
    """

    def __init__(self, world: AttendantEnvironment, joined: JoinedEvening | None = None) -> None:
        self._world = world
        self._caller: BlockingClient | None = None
        self._service: ResultPublisher | None = None
        self._member: EveningBox | None = None
        self._joined: JoinedEvening | None = None
        self._found: tuple[finding.FoundEvening, ...] = ()
        self._trouble, self._looks, self._told, self._key = "", False, b"", ""
        self._next_call = self._used = self._next_look = world.now()
        self._folded: tuple[CurrentClaims, EveningState] | None = None
        joined = joined or _load_joined(world.base)
        if joined is not None:
            self._join(joined)

    def set_box_key(self, key: str) -> None:
        """Store the key with which this attendant proves its identity to the box."""
        self._key, self._told = key, b""

    # --- events ---

    def handle_messages(self, most: float, others: tuple[int, ...] = ()) -> list[int] | None:
        """Handle messages from the box and the broker for up to `most` seconds.

        Return the file descriptors in `others` that are readable. Return None if the process should
        exit: no evening is joined, and no request arrived for IDLE_SECONDS.
        """
        self._call()
        mine = () if self._caller is None else (self._caller.fileno(),)
        watched = (*mine, *others)
        patience = min(most, self._patience)
        if self._service is not None:
            ready = self._service.handle_messages(patience, watched)
        else:
            ready = select.select(watched, (), (), patience)[0]
        if mine and mine[0] in ready:
            self._listen()
        self._ring()
        if self._service is None or not self._service.has_just_received_messages:
            self._retire()
            self._tell()
        if self._service is None and self._world.now() - self._used >= IDLE_SECONDS:
            return None
        return [each for each in ready if each not in mine]

    @property
    def _patience(self) -> float:
        """Return the maximum number of seconds to wait for an event."""
        now = self._world.now()
        due = [] if self._caller else [self._next_call]
        due += [] if self._service else [self._used + IDLE_SECONDS]
        # wake up every minute: a user can change the clock, so the time of the bell can come early
        due += [now + 60] if self._until else []
        return max(0.0, min(due, default=now + 3600) - now)

    def close(self) -> None:
        """Disconnect from the box and the broker, but do not leave the evening.

        When the attendant starts again, the attendant joins the same evening again.
        """
        if self._caller is not None:
            self._caller.close()
        if self._service is not None:
            self._service.close()

    def _call(self) -> None:
        if self._caller is None and self._world.now() >= self._next_call:
            self._next_call = self._world.now() + RETRY_SECONDS
            try:
                self._caller, self._told = BlockingClient(self._world.door), b""
            except OSError:
                return

    def _listen(self) -> None:
        assert self._caller is not None
        try:
            for line in self._caller.receive_messages():
                if line.get("type") == "wish" and isinstance(line.get("wish"), dict):
                    self._used = self._world.now()
                    self._grant(line["wish"], line.get("from"), line.get("seat"))
        except OSError:
            self._caller.close()
            self._caller = None

    # --- reports ---

    @property
    def joined_evening_state(self) -> EveningState:
        """Return the state of the joined evening, computed from the known claims and cached."""
        assert self._member is not None
        claims = self._member.known_claims
        if self._folded is None or self._folded[0] is not claims:
            self._folded = (claims, compute_evening_state(claims))
        return self._folded[1]

    def evening_status_message(self) -> Message:
        """Return the message for the box: the joined evening's state, or the evenings to join."""
        if self._joined is None or self._member is None:
            evenings = [_format_evening(each) for each in self._found]
            state = "looking" if self._looks else "none"
            return {"state": state, "found": evenings, "trouble": self._trouble}
        evening, member = self.joined_evening_state, self._member
        slip, trouble = "", self._trouble
        if not member.link.synced:
            trouble = trouble or ("refused" if member.broker.refused else "unreachable")
            slip = self._slip(evening)
        code = finding.address_code_of_private_ipv4(self._joined.host)
        status = table.evening_status_for_table(evening, self._joined.table)
        return {**status, "slip": slip, "code": code, "trouble": trouble}  # fmt: skip

    def _slip(self, evening: EveningState) -> str:
        assert self._joined is not None
        name, number = self._joined.evening, self._joined.table
        box = self._member.link.box if self._member else ""
        for n in range(len(evening.rounds), 0, -1):
            if number <= len(evening.rounds[n - 1].tables) and (
                text := slips.format_result_slip(name, evening, n, number, box)
            ):
                return text
        return ""

    def _tell(self) -> None:
        status = self.evening_status_message()
        text = json.dumps(status).encode()
        if len(text) > MAX_STATUS_MESSAGE_BYTES:
            text = json.dumps(
                table.shorten_evening_status(status, MAX_STATUS_MESSAGE_BYTES)
            ).encode()
        if self._caller is None or text == self._told:
            return
        try:
            self._caller.send({"evening": json.loads(text), "key": self._key})
        except OSError:
            self._caller.close()
            self._caller = None
            return
        self._told = text

    # --- requests ---

    def _grant(self, wish: Request, whose: object, seat: object) -> None:
        do = wish.get("do")
        if whose is None:
            self._trouble = ""
            try:
                self._do(wish)
            except finding.InvalidAddressCode:
                self._trouble = "wrong_code"
            except (LookupError, TypeError, ValueError, InvalidClaim):
                self._trouble = ""  # an invalid request causes no error message on the box
            except OSError:
                self._trouble = "folder"
            return
        answer: Message = {"error": "no_evening"}
        if self._member is not None:
            answer = {"error": "join_first"}
            if do == "slip" and seat is not None:
                answer = self._take_slip(wish)
            elif do != "slip":
                answer = table.answer_page_request(
                    self.joined_evening_state, self._member.known_claims, wish
                )
        assert self._caller is not None
        self._caller.send({"evening": answer, "to": whose})

    def _do(self, wish: Request) -> None:
        match wish["do"]:
            case "look":
                self._look(self._world.brokers())
            case "code":
                self._look(
                    [(finding.parse_address_code(str(wish["code"])), self._world.broker_login.port)]
                )
                self._trouble = self._trouble or ("" if self._found else "wrong_code")
            case "open":
                self._open(wish)
            case "join":
                evening = next(each for each in self._found if each.id == wish["id"])
                address = evening.address
                self._join(
                    JoinedEvening(evening.id, int(wish["table"]), address.host, address.port)
                )
            case "leave":
                self._leave()
            case "sign" if self._member is not None:
                self._sign(normalise_name(str(wish["who"])))
            case "bell" if self._member is not None:
                self._last_round()

    def _look(self, brokers: Sequence[tuple[str, int]]) -> None:
        if self._service is not None:
            return
        self._looks = True
        self._tell()
        self._looks, self._found = False, ()
        for host, port in brokers:
            address = self._world.broker_login._replace(host=host, port=port)
            try:
                evenings = finding.find_evenings_on_broker(address, self._world.now)
                self._found += tuple(each for each in evenings if not self._is_past(each))
            except PermissionError:
                self._trouble = "refused"
            except OSError:
                self._trouble = "unreachable"
        self._found = self._found[: finding.MAX_EVENINGS]

    def _is_past(self, evening: finding.FoundEvening) -> bool:
        world = self._world
        return ageing.remove_finished_or_abandoned_evening(
            evening, world.base / evening.id, world.epoch(), world.now
        )

    def _open(self, wish: Request) -> None:
        brokers = self._world.brokers()
        if not brokers:
            self._trouble = "no_broker"
            return
        title, hour = topics.shorten_title_for_display(str(wish["title"])), wish.get("hour")
        rules = new_facts.new_evening_rules(title, str(wish["game"]), secrets.token_hex(32),
                              games=wish["games"], seats=int(wish["seats"]))  # fmt: skip
        until = None if hour is None else self._world.next_local_time_at_hour(int(hour))
        rules |= {"tables": int(wish["tables"]), "until": until}
        claims.make_claim("rules", "box", rules)  # raises InvalidClaim if the rules are not valid
        self._join(JoinedEvening(_name(title), int(wish["table"]), *brokers[0]))
        assert self._member is not None
        self._member.save_and_publish_fact("rules", rules)

    def _join(self, joined: JoinedEvening) -> None:
        world, folder = self._world, self._world.base / joined.evening
        self._leave()
        box_name = files.load_or_create_box_name(world.base, BOX_NAME_FILE)
        member = EveningBox(folder, self._address(joined), joined.evening, world.now, box_name)
        home = world.home(joined.evening, member.link.box, joined.table)
        self._service = ResultPublisher(
            member, joined.table, world.door, folder, world.now, world.wall(), home
        )
        self._member, self._joined = member, joined
        (world.base / JOINED_FILE_NAME).write_text(json.dumps(joined._asdict()), "utf-8")

    def _address(self, joined: JoinedEvening) -> BrokerAddress:
        return self._world.broker_login._replace(host=joined.host, port=joined.port)

    def _leave(self) -> None:
        if self._service is not None:
            self._service.close()
        self._service = self._member = self._joined = None
        (self._world.base / JOINED_FILE_NAME).unlink(missing_ok=True)

    def _sign(self, who: str) -> None:
        assert self._member is not None
        who = new_facts.find_similar_signed_up_name(self._member.known_claims, who) or who
        topic, since = (
            topics.person_topic(who),
            new_facts.next_round_number(self.joined_evening_state),
        )
        heads = self._member.known_claims.heads.get(topic)
        self._member.save_and_publish_fact(
            topic,
            new_facts.rejoin_fact(heads[0].parsed_fact, since)
            if heads
            else new_facts.person_plays_from_round_fact(since),
        )

    def _take_slip(self, wish: Request) -> Message:
        assert self._member is not None
        assert self._joined is not None
        text = str(wish.get("text", ""))[:200]
        try:
            accepted = slips.parse_new_result_from_slip(
                text, self._joined.evening, self.joined_evening_state, self._member.known_claims
            )
            if accepted is not None:
                self._member.save_and_publish_fact(accepted[0], accepted[1].result_fact)
        except (slips.InvalidSlip, InvalidClaim) as error:
            return {"error": "wrong_slip", "message": english_error_text(error)}
        return {"ok": True}

    # --- the bell and the end ---

    @property
    def _until(self) -> str:
        if self._joined is None or self._joined.table != HEAD_TABLE or self._member is None:
            return ""
        heads = self._member.known_claims.heads.get("rules", ())
        rules = heads[0].parsed_fact if len(heads) == 1 else {}
        until = rules.get("until") if rules.get("last") is None else None
        return until if isinstance(until, str) else ""

    def _ring(self) -> None:
        """If this box is at table 1 and the bell is due, make the current round the last round."""
        if self._until and self._world.next_local_time_at_hour(-1) >= self._until:
            self._last_round()

    def _last_round(self) -> None:
        evening = self.joined_evening_state
        if evening.rules is not None and self._member is not None and not evening.over:
            last = max(1, len(evening.rounds))
            self._member.save_and_publish_fact("rules", {**evening.rules, "last": last})

    def _retire(self) -> None:
        """Leave a finished evening, and delete the evening from its broker.

        The attendant does this KEEP_FINISHED_SECONDS after the evening's last claim.
        """
        joined, now = self._joined, self._world.now()
        if joined is None or now < self._next_look or not self.joined_evening_state.over:
            return
        self._next_look = now + SECONDS_PER_HOUR
        folder, address = self._world.base / joined.evening, self._address(joined)
        if (
            ageing.seconds_since_last_claim(folder, self._world.epoch())
            >= ageing.KEEP_FINISHED_SECONDS
        ):
            self._leave()
            ageing.remove_evening_if_broker_answers(
                address, joined.evening, folder, self._world.now
            )


def _format_evening(evening: finding.FoundEvening) -> Message:
    tables = evening.rules.get("tables")
    return {
        "id": evening.id,
        "title": evening.rules["title"] or evening.id,
        "game": evening.rules["game"] or UNNAMED_GAME_TEXT,
        "tables": tables if type(tables) is int and tables > 0 else 0,
    }


def _name(title: str) -> str:
    bare = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name_part = re.sub(r"[^a-z0-9]+", "-", bare).strip("-")[:30]
    return f"{name_part or 'evening'}-{secrets.token_hex(2)}"


def _load_joined(base: Path) -> JoinedEvening | None:
    try:
        fields = json.loads((base / JOINED_FILE_NAME).read_text("utf-8"))
        return (
            JoinedEvening(**fields)
            if topics.EVENING_NAME_PATTERN.fullmatch(fields["evening"])
            else None
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None
