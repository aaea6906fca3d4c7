"""Tests of boxes with a real Mosquitto: `make evening-test`; skipped without Mosquitto."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cmd.commands import cli
from companion_club import broker as broker_module
from companion_club import evening_box as member_module
from companion_club import finding, new_facts, topics
from companion_club.commands.tables import EditableEvening, EveningLocation
from companion_club.evening_box import EveningBox
from companion_club.evening_state import compute_evening_state
from tests.evening import siege
from tests.evening.boxes import random_points
from tests.evening.chaos import night
from tests.evening.evenings import PLAYER_NAMES
from tests.evening.mosquitto import Mosquitto, needs_broker, wait_until

pytestmark = [needs_broker, pytest.mark.long]


def opened(member: EveningBox, names: tuple[str, ...] = PLAYER_NAMES) -> None:
    member.save_and_publish_fact("rules", new_facts.new_evening_rules("Club", "probe", "c0ffee"))
    for name in names:
        member.save_and_publish_fact(
            topics.person_topic(name), new_facts.person_plays_from_round_fact()
        )


def agree(members: list[EveningBox]) -> bool:
    first = members[0].known_claims
    return all(member.link.synced and member.known_claims == first for member in members)


def club(broker: Mosquitto, folder: Path, n: int = 3) -> list[EveningBox]:
    members = [broker.member(folder / f"box{n}", f"box{n}") for n in range(n)]
    opened(members[0])
    wait_until(
        members,
        lambda: (
            agree(members)
            and compute_evening_state(members[-1].known_claims).current_round_tables != ()
        ),
    )
    return members


def test_three_boxes_play_an_evening_over_a_real_broker(broker: Mosquitto, tmp_path: Path) -> None:
    members, rng = club(broker, tmp_path), random.Random(1)
    sums: dict[str, int] = dict.fromkeys(PLAYER_NAMES, 0)
    for number in range(1, 6):
        for table, member in enumerate(members, 1):
            found = random_points(compute_evening_state(member.known_claims), table, rng)
            sums = {name: total + found.get(name, 0) for name, total in sums.items()}
            member.save_and_publish_fact(
                topics.result_topic(number, table), new_facts.result_fact(found)
            )
        wait_until(members, lambda: agree(members))
        evenings = [compute_evening_state(member.known_claims) for member in members]
        assert evenings[0] == evenings[1] == evenings[2]
    assert evenings[0].over
    assert evenings[0].totals == sums


def test_a_broker_that_lost_all_is_told_again_and_nothing_is_lost(
    broker: Mosquitto, tmp_path: Path
) -> None:
    members = club(broker, tmp_path)
    before = members[0].known_claims
    broker.kill(forget=True)
    wait_until(members, lambda: not any(member.link.synced for member in members))
    broker.start()
    wait_until(members, lambda: agree(members))
    late = broker.member(tmp_path / "late", "late")
    wait_until([*members, late], lambda: late.link.synced)
    assert late.known_claims == before


def test_a_box_that_was_killed_goes_on_from_its_folder(broker: Mosquitto, tmp_path: Path) -> None:
    members = club(broker, tmp_path)
    found = random_points(compute_evening_state(members[1].known_claims), 2, random.Random(1))
    broker.kill()
    members[1].save_and_publish_fact(topics.result_topic(1, 2), new_facts.result_fact(found))
    members[1] = broker.member(tmp_path / "box1", "box1")  # only the folder is left
    broker.start()
    wait_until(members, lambda: agree(members))
    assert compute_evening_state(members[2].known_claims).tables_without_result == (1, 3)


def test_a_result_typed_without_a_broker_is_announced_by_the_running_service(
    broker: Mosquitto, tmp_path: Path
) -> None:
    """Another box states another result meanwhile: all boxes show both results as a conflict."""
    clock = [0.0]
    service = EveningBox(tmp_path / "one", broker.address(), "club",
                     lambda: time.monotonic() + clock[0], "one")  # fmt: skip
    opened(service, PLAYER_NAMES[:4])
    other = broker.member(tmp_path / "other", "other")
    wait_until(
        [service, other],
        lambda: (
            agree([service, other])
            and bool(compute_evening_state(other.known_claims).current_round_tables)
        ),
    )
    topic, table = (
        topics.result_topic(1, 1),
        compute_evening_state(service.known_claims).current_round_tables[0],
    )
    broker.kill()
    wait_until([service, other], lambda: not service.link.synced and not other.link.synced)
    facts = EditableEvening(EveningLocation("club", tmp_path / "one", None), None)
    facts.save_and_publish_fact(topic, new_facts.result_fact(dict.fromkeys(table, 10)))
    other.save_and_publish_fact(topic, new_facts.result_fact(dict.fromkeys(table, 20)))
    broker.start()
    wait_until(
        [service, other],
        lambda: (
            agree([service, other]) and bool(compute_evening_state(other.known_claims).conflicts)
        ),
    )
    facts = EditableEvening(EveningLocation("club", tmp_path / "one", None), None)
    facts.save_and_publish_fact(topic, new_facts.result_fact(dict.fromkeys(table, 30)))
    clock[0] += member_module.FOLDER_CHECK_SECONDS
    wait_until(
        [service, other],
        lambda: compute_evening_state(other.known_claims).totals == dict.fromkeys(table, 30),
    )
    assert compute_evening_state(service.known_claims).conflicts == ()


def test_nobody_is_let_in_without_the_password(broker: Mosquitto, tmp_path: Path) -> None:
    club(broker, tmp_path)
    for user, password in (("", ""), ("box", "wrong")):
        stranger = EveningBox(
            tmp_path / f"stranger{user}",
            broker.address(user, password),
            "club",
            time.monotonic,
            "x",
        )
        wait_until([stranger], lambda: stranger.broker.refused is not None)  # noqa: B023 - called in this turn of the loop
        assert stranger.known_claims.heads == {}


@pytest.mark.long
def test_a_guest_hears_and_says_nothing(broker: Mosquitto, tmp_path: Path) -> None:
    members = club(broker, tmp_path)
    guest = EveningBox(tmp_path / "guest", broker.address("guest"), "club", time.monotonic, "guest")
    wait_until([guest], lambda: guest.has_received_all_claims)
    assert guest.known_claims == members[0].known_claims
    for topic in (
        topics.person_topic("Mallory"),
        topics.presence_topic("guest"),
        topics.presence_topic("a.b"),
        "junk",
    ):
        guest.broker._client.publish(f"companion/club/{topic}", b"{}", 1, retain=True)
        wait_until([guest], lambda: guest.broker.socket is None)  # the broker closes the connection
        wait_until([guest], lambda: guest.broker.socket is not None)
    opened(members[0], ("Zoé",))
    wait_until(
        [*members, guest], lambda: topics.person_topic("Zoé") in members[1].known_claims.heads
    )
    assert members[1].link.problems == ()
    assert kept_by(broker) == {*members[0].known_claims.heads} | {
        f"box/box{n}/online" for n in range(3)
    }


def kept_by(broker: Mosquitto) -> set[str]:
    """Return the topics of the broker's retained messages."""
    look = broker_module.RetainedMessageReader(
        broker.address(), "companion/#", lambda *_: None, time.monotonic, 9.0
    )
    look.disconnect()
    return {topic.removeprefix("companion/club/") for topic in look.found_topics}


def test_a_guest_can_not_take_over_the_connection_of_a_box(
    broker: Mosquitto, tmp_path: Path
) -> None:
    (member,) = club(broker, tmp_path, 1)
    mine = member.broker._client._client_id.decode()
    guest = broker_module.BrokerConnection(broker.address("guest"), "club", "box0", print, print)
    assert guest._client._client_id.decode() != mine
    assert "box0" not in mine
    again = broker.member(tmp_path / "box0", "box0")
    assert again.broker._client._client_id.decode() == mine, "a restarted box has another name"


@pytest.mark.long
@pytest.mark.parametrize("what", ["status", "standings", "export"])
def test_a_guest_is_told_and_says_nothing_by_commands(
    broker: Mosquitto, tmp_path: Path, what: str
) -> None:
    club(broker, tmp_path, 1)
    assert "Ann" in command(broker, tmp_path, what, user="guest").output
    found = command(broker, tmp_path, "sign", "Mallory", user="guest")
    assert (found.exit_code, "this user may not publish" in found.output) == (1, True)
    assert not [*(tmp_path / "me").glob("people*Mallory*")]


def test_an_evening_is_found_whatever_stands_beside_it(broker: Mosquitto, tmp_path: Path) -> None:
    (member,) = club(broker, tmp_path, 1)
    member.broker._client.publish("companion/evil/rules", b'{"v":1,"fact":{"a":1e999}}', 1, True)
    member.broker._client.publish("companion/deep/rules", b"[" * 987 + b"]" * 987, 1, True)
    wait_until([member], lambda: not member.broker.has_bytes_to_write())
    found = finding.find_evenings_on_broker(broker.address(), time.monotonic)
    assert [(each.id, each.rules["title"]) for each in found] == [("club", "Club")]


@pytest.mark.long
def test_a_flood_is_not_remembered_and_is_taken_off_the_broker(
    broker: Mosquitto, tmp_path: Path
) -> None:
    (member,) = club(broker, tmp_path, 1)
    wait_until(
        [member],
        lambda: not any(map(member.link.claims_missing_from_broker, member.known_claims.heads)),
    )
    member.close()
    broker.flooded(1, b"x" * 70_000)
    assert kept_by(broker) == {*member.known_claims.heads, "box/box0/online"}, "too long, but kept"
    broker.flooded(100, b"x" * 65_000)
    late = broker.member(tmp_path / "late", "late")
    wait_until([late], lambda: late.link.synced)
    assert late.known_claims == member.known_claims
    assert late.link.received_heads.keys() == late.known_claims.heads.keys()
    late.close()
    assert command(broker, tmp_path, "forget", "--yes").exit_code == 0
    assert kept_by(broker) == set()


def command(broker: Mosquitto, folder: Path, *arguments: str, user: str = "box") -> Any:
    secret = folder / "secret"
    secret.write_text(broker.passwords[user])
    at = ["--evening", "club", "--broker", f"127.0.0.1:{broker.port}", "--user", user,
          "--folder", str(folder / "me"), "--password-file", str(secret)]  # fmt: skip
    return CliRunner().invoke(cli, ["evening", *arguments, *at], catch_exceptions=False)


def test_the_commands_add_to_an_evening_and_tell_it(broker: Mosquitto, tmp_path: Path) -> None:
    assert "is open" in command(broker, tmp_path, "open", "Club", "--games", "1").output
    assert command(broker, tmp_path, "sign", *PLAYER_NAMES[:4]).exit_code == 0
    assert "table 1 plays" in command(broker, tmp_path, "status").output
    other = broker.member(tmp_path / "other", "other")
    wait_until([other], lambda: len(other.known_claims.heads) == 5)
    told = [f"{name}={n}" for n, name in enumerate(PLAYER_NAMES[:4])]
    assert "is saved" in command(broker, tmp_path, "add", "1", "1", *told).output
    wait_until([other], lambda: compute_evening_state(other.known_claims).over)
    assert "1 Di                        3" in command(broker, tmp_path, "standings").output
    assert command(broker, tmp_path, "verify").exit_code == 0
    assert "1,1,Di,3" in command(broker, tmp_path, "export", "--csv").output


@pytest.mark.long
def test_an_evening_that_is_over_is_forgotten_by_the_broker_and_by_no_box(
    broker: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        broker_module, "CONNECT_OR_LIST_SECONDS", 0.5
    )  # a guest is kept waiting for so long
    member = broker.member(tmp_path / "box", "box")
    wait_until([member], lambda: member.link.synced)
    member.save_and_publish_fact(
        "rules", new_facts.new_evening_rules("Club", "probe", "c0ffee", games=1)
    )
    for name in PLAYER_NAMES[:4]:
        member.save_and_publish_fact(
            topics.person_topic(name), new_facts.person_plays_from_round_fact()
        )
    early = command(broker, tmp_path, "forget")
    assert (early.exit_code, "not over" in early.output) == (1, True)
    member.save_and_publish_fact(
        topics.result_topic(1, 1), new_facts.result_fact(dict.fromkeys(PLAYER_NAMES[:4], 1))
    )
    wait_until([member], lambda: not member.broker.has_bytes_to_write())
    assert "cannot be used" in command(broker, tmp_path, "forget", user="guest").output
    assert ": 7 messages" in command(broker, tmp_path, "forget").output
    wait_until([member], lambda: member.link.forgotten)
    member.close()
    late = broker.member(tmp_path / "late", "late")
    wait_until([late], lambda: late.link.synced)
    assert late.known_claims.heads == {}
    assert compute_evening_state(member.known_claims).over
    assert ": 2 messages" in command(broker, tmp_path, "forget", "--yes").output, (
        "only the presence of two boxes is left"
    )
    late.close()


@pytest.mark.long
@pytest.mark.parametrize("run", range(3))
def test_evenings_with_all_that_can_go_wrong_add_up(run: int) -> None:
    """`python -m tests.evening.chaos` plays 200 evenings."""
    assert sum(night(run).values()) > 0


def test_a_stranger_with_the_password_ends_no_box_and_takes_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m tests.evening.siege` sends 6,000 hostile messages."""
    monkeypatch.setattr(member_module, "FIRST_RETRY_SECONDS", 0.05)
    monkeypatch.setattr(member_module, "MAX_RETRY_SECONDS", 0.05)
    assert siege.besieged(1, tmp_path, 60)[0] < siege.MAX_MEMORY_BYTES


OPENSSL = shutil.which("openssl")


@pytest.mark.skipif(OPENSSL is None, reason="no openssl: apt install openssl")
def test_a_box_and_a_broker_speak_tls(tmp_path: Path) -> None:
    assert OPENSSL is not None
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    subject = ["-subj", "/CN=club", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(
        [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject,
         "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True,
    )  # fmt: skip
    broker = Mosquitto(tmp_path / "broker", (key, cert))
    broker.start()
    address = broker.address()._replace(authority=str(cert))
    box = EveningBox(tmp_path / "box", address, "club", time.monotonic, "box")
    plain = EveningBox(tmp_path / "plain", broker.address(), "club", time.monotonic, "plain")
    opened(box)
    wait_until([box, plain], lambda: box.link.synced and "rules" in box.link.received_heads)
    assert not plain.link.synced
    broker.stop()
