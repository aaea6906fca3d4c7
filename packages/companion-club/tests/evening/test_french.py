"""Tests of the commands `companion evening …` and their errors in French."""

from __future__ import annotations

import errno
import json
import os
import socket
from pathlib import Path

import pytest

from companion.cmd.commands import run_companion_command
from companion_club import broker
from companion_club.commands import tables
from tests.cmd.test_help import ENGLISH
from tests.cmd.test_wrong import French, speaking


@pytest.fixture
def french(tmp_path: Path) -> French:
    return French(tmp_path)


@pytest.fixture
def club(french: French) -> French:
    """Return the French commands of an evening of three people."""
    french.does("evening", "open", "Club")
    french.does("evening", "sign", "Ann", "Bob", "Zoé")
    return french


def test_who_leaves_a_round_that_has_a_result_is_told_what_to_do_instead(club: French) -> None:
    club.does("evening", "sign", "Cy", "Di")
    one, other = json.loads(club.does("evening", "status", "--json"))["tables"]
    club.does("evening", "add", "1", "1", *(f"{name}=1" for name in one))
    who = other[0]
    told = club.wrong("evening", "leave", who, "--round", "1")
    assert "La manche 1 a déjà un résultat. Pour donner la place à quelqu’un d’autre :" in told
    assert f"`sign NOM --for {who}`" in told
    assert f"Pour partir après cette manche : `leave {who} --round 2`." in told
    club.does("evening", "leave", who, "--round", "2")


def test_who_is_replaced_already_is_not_taken_off(club: French) -> None:
    club.does("evening", "sign", "Cy", "--for", "Ann")
    assert "Cy joue déjà à la place d’Ann." in club.wrong("evening", "leave", "Ann")


def test_what_is_no_name_is_said_in_french(club: French) -> None:
    told = club.wrong("evening", "sign", "A" * 41)
    assert "n’est pas un nom : de 1 à 40 lettres." in told


def test_why_there_are_no_seats_is_said_in_french(french: French) -> None:
    french.does("evening", "open", "Club")
    french.does("evening", "sign", "Ann")
    told = french.does("evening", "status")
    assert (
        "La manche suivante n’a pas de places : Il n’y a pas assez de joueurs pour une table : 1."
        in told
    )
    told = json.loads(french.does("evening", "status", "--json"))
    assert told["problem"] == "There are too few players for a table: 1."


def test_a_fact_that_was_changed_on_disk_is_said_in_french(club: French) -> None:
    file = club.folder / "DATA/companion/evenings/evening/rules.json"
    file.write_text(file.read_text("utf-8").replace('"games":5', '"games":9'), "utf-8")
    told = club.does("evening", "status")
    assert "rules : l’empreinte ne correspond pas au fait de la boîte" in told


def test_a_broker_that_is_of_no_use_is_said_in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    speaking(monkeypatch, "fr")
    gone = ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
    for error, why in (
        (gone, "personne ne répond"),
        (broker._refusal("Not authorized"), "accès refusé"),
        (broker._refusal("Banned"), "« Banned »"),
        (socket.gaierror(-2, "Name or service not known"), "nom inconnu sur le réseau"),
    ):
        told = tables.unusable_broker_error(error).message.replace("\u00a0", " ")
        assert told == f"Le broker ne peut pas servir : {why}."


def test_certificates_that_are_none_are_said_in_one_line(club: French) -> None:
    told = club.wrong("evening", "status", "--broker", "localhost", "--ca", "nothing.pem")
    assert "ne peut pas servir : pas de fichier ni de dossier de ce nom." in told


def test_a_code_that_is_none_is_said_in_french(club: French) -> None:
    assert "Ce n’est pas le résultat d’une boîte." in club.wrong("evening", "add", "--code", "X")


def test_an_evening_is_told_in_french_from_its_first_line_to_its_last(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    speaking(monkeypatch, "fr")
    place = ["--folder", str(tmp_path)]
    for command in (
        ["status"],
        ["open", "Soirée", "--game", "kojak", "--games", "1"],
        ["sign", "Ann", "Bob", "Cy", "Di"],
        ["status"],
        ["leave", "Cy", "--round", "2"],
        ["stay", "Bob"],
        ["add", "1", "1", "Ann=2", "Bob=1", "Cy=0", "Di=0"],
        ["bell"],
        ["status"],
        ["verify"],
    ):
        assert run_companion_command(["evening", *command, *place], debug=True) == 0
    lines = capsys.readouterr().out
    assert "est ouverte" in lines
    assert "est finie, après une manche" in lines
    assert not ENGLISH.findall(lines), lines
