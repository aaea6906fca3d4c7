"""Tests of finding an evening: address codes, avahi's output, and the file of `evening host`."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cmd.commands import cli
from companion.cmd.places import next_local_time_at_hour
from companion_club import finding, hosting
from companion_club.codes import CODE_LENGTH, CODE_LETTERS
from companion_club.finding import HOME_NETWORKS, InvalidAddressCode

PRINTED = """\
+;eth0;IPv4;Evenings\\032on\\032hall;_companion-evening._tcp;local
=;eth0;IPv4;Evenings\\032on\\032hall;_companion-evening._tcp;local;hall.local;192.168.1.20;1883;
=;eth0;IPv6;Evenings\\032on\\032hall;_companion-evening._tcp;local;hall.local;fe80::1;1883;
=;wlan0;IPv4;Evenings\\032on\\032hall;_companion-evening._tcp;local;hall.local;192.168.1.20;1883;
=;wlan0;IPv4;x;_companion-evening._tcp;local;x.local;10.0.0.9;port;
"""


def test_every_address_at_home_has_a_code_of_its_own() -> None:
    rng = random.Random(17)
    hosts = [
        str(home[rng.randrange(home.num_addresses)]) for home in HOME_NETWORKS for _ in range(200)
    ]
    hosts += [str(home[at]) for home in HOME_NETWORKS for at in (0, -1)]
    codes = {host: finding.address_code_of_private_ipv4(host) for host in hosts}
    assert len(set(codes.values())) == len(set(hosts))
    assert all(finding.parse_address_code(code.lower()) == host for host, code in codes.items())
    assert all(len(code) == CODE_LENGTH for code in codes.values())


def test_an_address_that_is_not_at_home_has_none() -> None:
    assert (
        finding.address_code_of_private_ipv4("8.8.8.8")
        == finding.address_code_of_private_ipv4("broker.local")
        == finding.address_code_of_private_ipv4("::1")
        == ""
    )


def test_most_slips_of_a_letter_are_seen() -> None:
    rng, seen = random.Random(5), 0
    for _ in range(300):
        right = finding.address_code_of_private_ipv4(
            str(IPv4Address("192.168.0.0") + rng.randrange(1 << 16))
        )
        at, letter = rng.randrange(CODE_LENGTH), rng.choice(CODE_LETTERS)
        try:
            finding.parse_address_code(right[:at] + letter + right[at + 1 :])
        except InvalidAddressCode:
            seen += 1
    assert seen > 200


@pytest.mark.parametrize("text", ["", "ABC", "ABCDE1", "ZZZZZZ", "ABCDEFG", "ÉABCDE"])
def test_a_code_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InvalidAddressCode):
        finding.parse_address_code(text)


def test_what_avahi_prints_is_read_once_a_broker() -> None:
    assert finding.parse_avahi_output(PRINTED) == (("192.168.1.20", 1883),)


def test_the_host_has_avahi_tell_the_boxes_where_it_is(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["evening", "host", str(tmp_path), "--port", "1999"])
    assert done.exit_code == 0
    told = ET.fromstring((tmp_path / "companion-evening.service").read_text())  # noqa: S314 - our own file
    assert (told.findtext(".//type"), told.findtext(".//port")) == (
        hosting.AVAHI_SERVICE_TYPE,
        "1999",
    )


def test_an_hour_of_the_clock_is_the_next_one() -> None:
    now = next_local_time_at_hour(-1)
    for hour in range(24):
        then = next_local_time_at_hour(hour)
        assert then[11:] == f"{hour:02}:00"
        assert then > now
