"""The options that name an evening's folder and broker, and the commands for a box's table."""

from __future__ import annotations

import functools
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

import sounds
from companion.catalog import registry
from companion.cmd import places
from companion.cmd.page import systemd_sockets
from companion.core.version import installed_version
from companion.figures.times import format_utc_time_or_none
from companion_club import folder as files
from companion_club.attendant import AttendantEnvironment, EveningAttendant, JoinedEvening
from companion_club.broker import BrokerAddress, BrokerError, new_mqtt_client
from companion_club.commands.words import localised_error, localised_sentence
from companion_club.current_claims import CurrentClaims, InvalidClaim
from companion_club.evening_box import EveningBox
from companion_club.evening_state import EveningState, compute_evening_state
from companion_club.finding import find_announced_brokers
from companion_club.home import HomeAssistantDevice
from companion_club.service import ResultPublisher
from companion_club.topics import EVENING_NAME_PATTERN

BROKER_TIMEOUT_SECONDS: Final = 10.0
"""Seconds for which a command waits for the broker's answer."""
CHECK_INTERVAL_SECONDS: Final = 0.2
"""Seconds between two checks of a condition while a command waits for the broker."""


class BrokerLogin(NamedTuple):
    """The login for a broker: user, password file, and file with trusted certificates (`ca`)."""

    user: str = ""
    password_file: Path | None = None
    ca: Path | None = None


class EveningLocation(NamedTuple):
    """The evening that the options of a command name, with its folder and broker.

    `address` is the broker's address with the login, or None if the options name no broker. `login`
    is the login alone, for brokers that are found later.
    """

    name: str
    folder: Path
    address: BrokerAddress | None
    login: BrokerLogin = BrokerLogin()


class EditableEvening:
    """An evening whose claims a command reads, and to which a command adds facts.

    The claims come from the broker if the broker answers, otherwise from the folder.
    """

    def __init__(self, place: EveningLocation, member: EveningBox | None) -> None:
        self._place, self._member = place, member
        self._known, self.unread = files.load_claims_and_errors(place.folder)

    @property
    def known_claims(self) -> CurrentClaims:
        """Return the current claims by topic: all claims that no newer claim replaces."""
        return self._known if self._member is None else self._member.known_claims

    @property
    def evening_state(self) -> EveningState:
        """Return the state of the evening, computed from the known claims."""
        return compute_evening_state(self.known_claims)

    @property
    def invalid_message_error_texts(self) -> tuple[str, ...]:
        """Return the texts of errors in invalid messages, in the language of this machine."""
        heard = self._member.link.problems if self._member else ()
        return tuple(map(localised_error, (*self.unread, *heard)))

    def save_and_publish_fact(self, topic: str, fact: Mapping[str, object]) -> None:
        """Save a fact to the folder, and publish the fact if a broker is named.

        Raise click.ClickException if the fact is not valid, or if the broker is read-only.
        """
        try:
            if self._member is None:
                claims = self._known.with_own_fact(
                    files.load_or_create_box_name(self._place.folder), topic, fact
                )
                stored = files.merge_claims_into_file(
                    self._place.folder, topic, claims.heads[topic]
                )
                self._known = claims.with_topic_claims(topic, stored)
                return
            if not self._member.link.synced:
                raise unusable_broker_error(BrokerError("read_only"))
            self._member.save_and_publish_fact(topic, fact)
        except InvalidClaim as error:
            raise click.ClickException(localised_error(error)) from error
        try:
            _until(self._member, lambda member: not member.link.claims_missing_from_broker(topic))
        except BrokerUnreachable as error:
            click.echo(error.stored, err=True)


@contextmanager
def open_editable_evening(place: EveningLocation) -> Iterator[EditableEvening]:
    """Open the evening that a command's options name, and close the broker connection at the end.

    If the broker does not answer, the evening is read from the folder, and a note is printed. Raise
    click.ClickException if the broker does not answer and the folder has no evening, or if the
    broker refuses the login.
    """
    place.folder.mkdir(parents=True, exist_ok=True)
    if place.address is None:
        yield EditableEvening(place, None)
        return

    try:
        member = EveningBox(place.folder, place.address, place.name, places.monotonic_time)
    except OSError as error:  # raised if --ca names a file without certificates
        raise unusable_broker_error(error) from error
    try:
        try:
            _until(member, lambda member: member.has_received_all_claims)
            facts = EditableEvening(place, member)
        except BrokerUnreachable as error:
            if "rules" not in member.known_claims.heads:
                raise
            click.echo(error.stored, err=True)
            facts = EditableEvening(place, None)
        yield facts
    finally:
        member.close()
        if member.broker.socket is not None:
            member.handle_messages(0.1)


class BrokerUnreachable(click.ClickException):
    """The broker does not answer.

    `stored` is a sentence for the user, which states that the facts are saved in the folder.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(unusable_broker_error(error).message)
        self.stored = localised_sentence("evening.stored", why=localised_error(error))


def unusable_broker_error(error: OSError) -> click.ClickException:
    """Return the command's error for a broker that cannot be used."""
    return click.ClickException(localised_sentence("evening.no_broker", why=localised_error(error)))


def _until(member: EveningBox, done: Callable[[EveningBox], bool]) -> None:
    end = places.monotonic_time() + BROKER_TIMEOUT_SECONDS
    while not done(member):
        left = end - places.monotonic_time()
        if member.broker.refused:
            raise unusable_broker_error(member.broker.refused)
        if left <= 0:
            raise BrokerUnreachable(member.trouble or BrokerError("silent"))
        member.handle_messages(min(left, CHECK_INTERVAL_SECONDS))


def _check_name(_ctx: object, _param: object, value: str) -> str:
    if not EVENING_NAME_PATTERN.fullmatch(value):
        raise click.BadParameter(localised_sentence("evening.name"))
    return value


PLACE_OPTIONS: Final = (
    click.option("--evening", "called", default="evening", callback=_check_name, show_default=True,
                 envvar="COMPANION_EVENING", help="The name of the evening on the MQTT broker."),
    click.option("--folder", type=click.Path(file_okay=False, path_type=Path),
                 envvar="COMPANION_EVENING_FOLDER", help=(
                         "The folder in which this machine saves the evening's facts."
                     )),
    click.option("--broker", metavar="HOST[:PORT]", envvar="COMPANION_EVENING_BROKER",
                 help=(
                         "The address of the MQTT broker; without a broker, the command uses only "
                         "the folder."
                     )),
    click.option("--user", default="", envvar="COMPANION_EVENING_USER",
                 help="The user name for the login at the MQTT broker."),
    click.option("--password-file", type=click.Path(dir_okay=False, path_type=Path),
                 envvar="COMPANION_EVENING_PASSWORD_FILE",
                 help="The file that contains the password for the MQTT broker."),
    click.option("--ca", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                 envvar="COMPANION_EVENING_CA", help=(
                         "Use TLS, and trust the certificates in FILE."
                     )),
)  # fmt: skip


def add_evening_location_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return `command` with options that name an evening, passed as an EveningLocation."""

    @functools.wraps(command)
    def placed(
        called: str,
        folder: Path | None,
        broker: str | None,
        user: str,
        password_file: Path | None,
        ca: Path | None,
        **more: Any,
    ) -> Any:
        there = folder or places.record_folder() / "evenings" / called
        key = BrokerLogin(user, password_file, ca)
        address = None if broker is None else _address(broker, key)
        return command(EveningLocation(called, there, address, key), **more)

    for option in reversed(PLACE_OPTIONS):
        placed = option(placed)
    return placed


def _address(broker: str, key: BrokerLogin) -> BrokerAddress:
    host, _, port = broker.rpartition(":") if ":" in broker else (broker, "", "")
    access = broker_address_without_host(key)
    number = port or str(access.port)
    if not host or not number.isdecimal() or not 0 < int(number) < 1 << 16:
        raise click.UsageError(localised_sentence("evening.no_host", found=repr(broker)))
    return access._replace(host=host, port=int(number))


def broker_address_without_host(key: BrokerLogin) -> BrokerAddress:
    """Return an address with the login in `key` and the default port, but without a host.

    Raise click.UsageError if the file with the password cannot be read.
    """
    try:
        password = key.password_file.read_text("utf-8").strip() if key.password_file else ""
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(
            localised_sentence("evening.no_password", why=localised_error(error))
        ) from error
    return BrokerAddress("", 8883 if key.ca else 1883, key.user, password, str(key.ca or ""))


MAX_WAIT_SECONDS = 3600.0
KEY_TIMEOUT_SECONDS = 0.1
"""Seconds for which the attendant waits for the box's key after a connection."""
MAX_KEY_LETTERS = 64


def add_socket_and_home_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options --socket (path of the box's socket) and --home-assistant to a command."""
    for add in (
        click.option("--home-assistant", "house", is_flag=True, envvar="COMPANION_EVENING_HOME",
                     help=(
                             "Announce the table of this box to Home Assistant "
                             "(docs/home-assistant.md)."
                         )),
        click.option("--socket", "path", type=click.Path(path_type=Path),
                     help=(
                             "The path of the box's socket (default: the socket of this machine's "
                             "box)."
                         )),
    ):  # fmt: skip
        command = add(command)
    return command


@click.command("serve")
@click.option("--table", type=click.IntRange(1), required=True, envvar="COMPANION_EVENING_TABLE",
              help="The number of the table at which this box is used.")  # fmt: skip
@add_socket_and_home_options
@add_evening_location_options
def serve(place: EveningLocation, table: int, path: Path | None, house: bool) -> None:
    """Publish the results of this box's table, and save the results of other tables.

    SIGTERM or Ctrl-C ends the command.
    """
    if place.address is None:
        raise click.UsageError(localised_sentence("evening.which_broker"))
    member = EveningBox(place.folder, place.address, place.name, places.monotonic_time)
    box, begun = path or places.box_socket(), _wall()
    home = _home(place.name, member.link.box, table) if house else None
    service = ResultPublisher(member, table, box, place.folder, places.monotonic_time, begun, home)
    ended = _end_signal()
    reported = None
    while not service.handle_messages(MAX_WAIT_SECONDS, (ended,)):
        trouble = member.trouble
        connected = localised_sentence("evening.connected", name=place.name, n=table)
        now = connected if trouble is None else localised_error(trouble)
        if now != reported:
            reported = now
            click.echo(f"companion: {now}", err=True)
    service.close()


@click.command("attend")
@click.option("--table", type=click.IntRange(1), envvar="COMPANION_EVENING_TABLE",
              help="Join --evening as the table with this number at the start.")  # fmt: skip
@add_socket_and_home_options
@add_evening_location_options
def attend(place: EveningLocation, table: int | None, path: Path | None, house: bool) -> None:
    """Find, open and join evenings for the box's menu, and publish the results of the box's table.

    The box starts `companion evening attend` by itself. The command searches --broker and the
    brokers that avahi finds. The command logs in to every broker with --user, --password-file and
    --ca. The command ends ten minutes after the last request of the box.
    """
    new_mqtt_client()  # the attendant needs paho-mqtt, so fail now if paho-mqtt is missing
    address = place.address
    asked = () if address is None else ((address.host, address.port),)
    world = AttendantEnvironment(
        door=path or places.box_socket(),
        base=place.folder.parent,
        broker_login=broker_address_without_host(place.login),
        brokers=lambda: tuple(dict.fromkeys((*asked, *find_announced_brokers()))),
        now=places.monotonic_time,
        wall=_wall,
        next_local_time_at_hour=places.next_local_time_at_hour,
        home=_home if house else lambda *_: None,
        epoch=time.time,
    )
    joined = JoinedEvening(place.name, table, *asked[0]) if table is not None and asked else None
    attendant, ended, waking = EveningAttendant(world, joined), _end_signal(), systemd_sockets()
    ready = attendant.handle_messages(0, (ended, *(each.fileno() for each in waking)))
    while ready is not None and ended not in ready:
        for each in waking:
            if each.fileno() in ready and (key := _key(each)):
                attendant.set_box_key(key)
        ready = attendant.handle_messages(
            MAX_WAIT_SECONDS, (ended, *(each.fileno() for each in waking))
        )
    attendant.close()


def _wall() -> str:
    return format_utc_time_or_none(places.wall_time()) or ""


def _key(waking: socket.socket) -> str:
    with waking.accept()[0] as wire:
        wire.settimeout(KEY_TIMEOUT_SECONDS)
        try:
            return wire.recv(MAX_KEY_LETTERS).decode("ascii", "replace")
        except OSError:
            return ""


def _home(evening: str, box: str, table: int) -> HomeAssistantDevice:
    folders = [
        Path(sounds.__path__[0]),
        *(registry.game_file_path(game, "sounds") for game in registry.BUILT_IN_GAMES),
    ]
    moments = {file.stem for folder in folders for file in folder.glob("*.wav")}
    return HomeAssistantDevice(evening, box, table, installed_version(), tuple(sorted(moments)))


def _end_signal() -> int:
    """Return a file descriptor that becomes readable at SIGTERM or Ctrl-C."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    _KEPT.extend((ours, theirs))
    return ours.fileno()


_KEPT: list[socket.socket] = []
"""Sockets of `_end_signal`. This global reference prevents Python from closing the sockets."""
