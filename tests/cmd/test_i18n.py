"""Tests of the commands in the language of the machine. JSON for programs stays in English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import companion.cmd
from companion.catalog import editions, registry
from companion.cmd import doctor, games, i18n, places
from companion.cmd.commands import run_companion_command
from companion.cmd.doctor import format_diagnosis
from companion.menus.page import BoxPartDiagnosis
from companion.say.words import LANGUAGES
from tests.source import syntax_nodes

FOLDER: Final = Path(companion.cmd.__file__).parent
FRENCH: Final = "fr_FR.UTF-8"
PIECES: Final = ("expected.", "kind.", "beware.", "wrong.", "errno.", "mistake.", "unreadable.",
                 "doctor.sound.louder",
                 "doctor.service.install", "doctor.door.cure")  # fmt: skip
"""Keys that are composed from data or stored in a constant."""


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)


def speaking(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", FRENCH if language == "fr" else "C.UTF-8")


def catalogue(language: str) -> dict[str, str]:
    """Return the commands' sentences by key, as written in the catalogue."""
    file = FOLDER.parent / "say/locale" / language / "LC_MESSAGES/commands.po"
    pairs = re.findall(r'^msgid "cmd\.(.+)"\nmsgstr "(.*)"$', file.read_text("utf-8"), re.MULTILINE)
    return dict(pairs)


def looked_up() -> Iterator[str]:
    """Yield the keys, or beginnings of keys, that the commands look up."""
    for file in FOLDER.glob("*.py"):
        for node in syntax_nodes(file):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func).removeprefix("tongue.")
            match name, node.args[0]:
                case "command_sentence" | "command_sentence_for_count", ast.Constant(
                    value=str(key)
                ):
                    yield key
                case "command_sentence" | "command_sentence_for_count", ast.JoinedStr(
                    values=[ast.Constant(value=str(key)), *_]
                ):
                    yield f"{key}*"
                case "unknown_name_message", ast.Constant(value=str(kind)):
                    yield from (f"given.no_{kind}", f"given.near_{kind}")
                case _:
                    pass


@pytest.mark.long
def test_every_sentence_that_a_command_looks_up_is_there_and_no_other() -> None:
    names = catalogue("en").keys()
    assert names == catalogue("fr").keys()
    used = set[str]()
    for key in looked_up():
        found = {n for n in names if n == key or (key[-1] == "*" and n.startswith(key[:-1]))}
        assert found, key
        used |= found | {f"{n}.1" for n in found} & names
    assert {name for name in names - used if not name.startswith(PIECES)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_commands_can_be_filled_in(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaking(monkeypatch, language)
    for name, sentence in catalogue(language).items():
        facts = dict.fromkeys(re.findall(r"{(\w+)}", sentence), "Ada")
        told = i18n.command_sentence(name, **facts)
        assert told
        assert not re.search(r"[{}]", told)
        assert "  " not in told or name == "doctor.buttons.head", told


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "french"),
    [
        (("verify", "7"), "Il n’y a pas de partie 7"),
        (("show", "7"), "Il n’y a pas de partie 7"),
        (("export", "--game", "7"), "Il n’y a pas de partie 7"),
        (("backup", "x.db"), "Il n’y a pas encore de journal"),
        (("people", "Ada"), "Personne n’a encore fini de partie."),
        (("simulate", "kojack"), "vouliez-vous dire kojak ?"),
        (("simulate", "kojak", "--players", "Ann"), "kojak se joue de 2 à 4, pas à 1."),
        (("simulate", "kojak", "--set", "dye=real"), "vouliez-vous dire die ?"),
        (("edition", "probe", "--sheet"), "probe n’a pas de feuille à imprimer."),
    ],
)
def test_what_is_wrong_is_said_in_the_language_of_the_machine(
    arguments: tuple[str, ...],
    french: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said: dict[str, str] = {}
    for language in LANGUAGES:
        speaking(monkeypatch, language)
        try:
            assert run_companion_command([*arguments], debug=False) != 0
            said[language] = capsys.readouterr().err
        except Exception as error:  # noqa: BLE001 - the command would show it in one line
            said[language] = i18n.localised_error_text(error)
    assert french in said["fr"].replace("\u00a0", " ")
    assert said["en"] != said["fr"]


def test_the_games_are_listed_in_the_language_of_the_machine_and_for_programs_as_ever(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    speaking(monkeypatch, "fr")
    assert run_companion_command(["games"], debug=True) == 0
    assert "Kojak, de 2 à 4 joueurs" in capsys.readouterr().out
    rows = games.game_list_rows("en")
    assert {*rows[0]} == {"name", "title", "version", "package", "seats", "api", "ok", "why"}


def test_every_part_that_the_doctor_looks_at_has_a_name_in_french(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    speaking(monkeypatch, "fr")
    source = (FOLDER / "doctor.py").read_text("utf-8")
    parts = {*re.findall(r'Diagnosis\(\s*"(\w+)"', source)}
    assert len(parts) == 17
    for part in parts:
        assert format_diagnosis(BoxPartDiagnosis(part, "x")).startswith("OK    ")
        assert format_diagnosis(BoxPartDiagnosis(part, "x", "y")).startswith("NON   ")
    assert (
        doctor.check_disk_and_record(2**30, lambda: None).text
        == "1024 Mo libres, les parties se lisent"
    )


def test_the_mistakes_of_an_edition_are_told_in_the_language_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = editions.write_user_edition_template("kojak", places.config_folder(), "fr")
    file.write_text(file.read_text("utf-8").replace('"bank"', '"banque"'), "utf-8")
    speaking(monkeypatch, "fr")
    with pytest.raises(SystemExit):
        run_companion_command(["edition", "kojak", "--check", str(file)], debug=True)
    assert "n’est pas un lieu" in capsys.readouterr().out
    assert run_companion_command(["simulate", "kojak", "--games", "1"], debug=False) == 1
    assert "pour la liste entière" in capsys.readouterr().err


def test_every_kind_and_expectation_of_an_edition_has_words() -> None:
    sources = [registry.game_file_path(name, "edition.py") for name in registry.BUILT_IN_GAMES]
    sources.append(FOLDER.parents[1] / "checked_input/checks.py")
    names = catalogue("fr")
    for source in sources:
        text = source.read_text("utf-8")
        for kind in re.findall(r'\bword\("([a-z ]+)"', text):
            assert f"kind.{kind.replace(' ', '_')}" in names
        for key in re.findall(r'(?:bad\([^"\n]*|expected=)"([\w-]+)"', text):
            assert f"expected.{key}" in names
        for key in re.findall(r'_wrong_type\([^"\n]*"(\w+)"', text):
            assert f"expected.{key}" in names
