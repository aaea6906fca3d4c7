"""Search for evenings that a box can join.

The program avahi finds MQTT brokers in the local network. Players can type a code of six letters
that encodes a broker's address. The broker's retained messages contain the names of its evenings.
"""

from __future__ import annotations

import ipaddress
import shutil
import subprocess
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from companion.core.errors import CompanionError
from companion_club import topics
from companion_club.broker import BrokerAddress
from companion_club.codes import CODE_LENGTH, CODE_LETTERS
from companion_club.evenings_on_broker import rules_claims_by_evening
from companion_club.hosting import AVAHI_SERVICE_TYPE

AVAHI_TIMEOUT_SECONDS: Final = 3.0
"""Seconds after which a search with avahi is stopped."""
MAX_EVENINGS: Final = 20
"""Maximum number of evenings in a list of search results."""
HOME_NETWORKS: Final = tuple(
    map(
        ipaddress.IPv4Network,
        ("192.168.0.0/16", "172.16.0.0/12", "10.0.0.0/8", "169.254.0.0/16", "127.0.0.0/8"),
    )
)
"""The private IPv4 networks whose addresses can be encoded as an address code."""
ADDRESS_CODE_NUMBER_STEP: Final = 5
"""Difference between the numbers that two neighbouring valid codes encode.

The numbers in between are not valid, so the box detects most typing errors.
"""


class InvalidAddressCode(CompanionError):
    """The letters that a player typed are not a valid address code."""


class FoundEvening(NamedTuple):
    """An evening that was found on a broker: its name in topics (`id`), its rules, the address."""

    id: str
    rules: Any
    address: BrokerAddress


def address_code_of_private_ipv4(host: str) -> str:
    """Return the six-letter code of a private IPv4 address; "" for any other address."""
    try:
        address, before = ipaddress.IPv4Address(host), 0
    except ValueError:
        return ""
    for home in HOME_NETWORKS:
        if address in home:
            number = (before + int(address) - int(home.network_address)) * ADDRESS_CODE_NUMBER_STEP
            base = len(CODE_LETTERS)
            digits = [number // base**n % base for n in range(CODE_LENGTH)]
            return "".join(CODE_LETTERS[digit] for digit in reversed(digits))
        before += home.num_addresses
    return ""


def parse_address_code(text: str) -> str:
    """Return the IPv4 address of a six-letter code.

    Raise InvalidAddressCode if the letters are not a valid code.
    """
    number = 0
    for letter in text.upper():
        if letter not in CODE_LETTERS:
            raise InvalidAddressCode(f"{text}: no code has the letter {letter}.")
        number = number * len(CODE_LETTERS) + CODE_LETTERS.index(letter)
    place, wrong = divmod(number, ADDRESS_CODE_NUMBER_STEP)
    for home in HOME_NETWORKS:
        if place < home.num_addresses and not wrong and len(text) == CODE_LENGTH:
            return str(home.network_address + place)
        place -= home.num_addresses
    raise InvalidAddressCode(f"{text}: no address has this code.")


def find_announced_brokers() -> tuple[tuple[str, int], ...]:
    """Return host and port of each broker that avahi finds.

    Return () if avahi is not installed, or if the search takes longer than AVAHI_TIMEOUT_SECONDS.
    """
    program = shutil.which("avahi-browse")
    if program is None:
        return ()
    command = [program, "--resolve", "--terminate", "--parsable", AVAHI_SERVICE_TYPE]
    try:
        listing = subprocess.run(  # safe: the arguments are constants, and no shell is used
            command, capture_output=True, timeout=AVAHI_TIMEOUT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return parse_avahi_output(listing.stdout.decode(errors="replace"))


def parse_avahi_output(lines: str) -> tuple[tuple[str, int], ...]:
    """Return the distinct IPv4 hosts and ports in the output of `avahi-browse --parsable`."""
    rows = (line.split(";") for line in lines.splitlines() if line.startswith("="))
    return tuple(
        dict.fromkeys(
            (row[7], int(row[8]))
            for row in rows
            if len(row) > 8 and row[2] == "IPv4" and row[8].isdecimal()  # noqa: PLR2004 - its form
        )
    )


def find_evenings_on_broker(
    address: BrokerAddress, now: Callable[[], float]
) -> tuple[FoundEvening, ...]:
    """Return the evenings on a broker.

    Raise OSError if the broker cannot be reached or refuses the login.
    """
    return tuple(
        FoundEvening(name, topics.rules_with_short_titles(heads[0].parsed_fact), address)
        for name, heads in rules_claims_by_evening(address, now).items()
    )
