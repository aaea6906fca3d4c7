"""Tests of errors: people get a sentence in the language of the machine, programs get English."""

from __future__ import annotations

import ast
import errno
import io
import os
import re
import socket
import string
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Final

import click
import pytest
from click.testing import CliRunner

import hardware
from checked_input import files
from checked_input.mistakes import FileMistake
from companion.cmd import arguments, i18n, page, places, start
from companion.core.errors import GameNotInstalled
from companion.play.answer_history import RulesChangedError
from companion.record import schema
from companion.record.journal import Journal
from companion.record.schema import connect_to_database, lock_record
from companion.say import catalogues
from companion.say.sentences import load_compiled_catalogue
from companion.say.words import LANGUAGES, Words
from companion_club import broker
from hardware.boards import board_file, user_board
from hardware.boards.board_file import read_board_file
from hardware.display.bus import hardware_error_for_display
from hardware.pins import pi
from hardware.ports import HardwareError
from hardware.sound import voices
from hardware.wiring import DEFAULT_BOARD, BoardFileError
from tests.source import syntax_nodes
from tests.typed import run_companion

ROOT: Final = Path(hardware.__file__).parents[1]
CLUB: Final = "packages/companion-club/companion_club"
OURS: Final = ("companion", "hardware", "checked_input", CLUB)
RAISED: Final[Mapping[str, tuple[str, int]]] = {
    "HardwareError.from_reason": ("hardware", 0),
    "JournalError": ("record", 0),
    "UnknownGame": ("game", 0),
    "Outgrown": ("game", 0),
    "InvalidClaim": ("claim", 0),
    "SeatingError": ("seating", 1),
    "InvalidSlip": ("slip", 0),
    "BrokerError": ("broker", 0),
    "DoorSocketError": ("door", 0),
    "UnfitTests": ("unfit", 0),
}
"""Calls that create an error: first part of the sentence's key, and position of the reason."""
CHIP: Final = ("no_chip", "other_chips", "shut_chip")
GIVEN: Final = {"file", "fields", "facts", "reason", "topic", "size", "least", "greys", "chip"}
"""Fields that a call does not pass by name."""
ENGLISH: Final = re.compile(r"\b(the|is|are|was|not|no|can|there|with|of|and|has)\b", re.IGNORECASE)


class French:
    """A home on a French machine. `wrong` is the only error line of a command."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        places = {f"XDG_{name}_HOME": str(folder / name) for name in ("DATA", "CONFIG", "CACHE")}
        self.env = {**os.environ, **places, "HOME": str(folder), "LC_ALL": "fr_FR.UTF-8"}
        for name in ("LANGUAGE", "STATE_DIRECTORY"):
            self.env.pop(name, None)
        self.record = folder / "DATA/companion/games.db"

    def does(self, *arguments: str) -> str:
        """Return the output of a command. Fail unless the command succeeds."""
        done = run_companion(*arguments, env=self.env)
        assert done.returncode == 0, done.stderr
        return done.stdout.decode().replace("\u00a0", " ")

    def wrong(self, *arguments: str) -> str:
        done = run_companion(*arguments, env=self.env)
        assert done.returncode != 0
        line = done.stderr.decode().replace("\u00a0", " ")
        assert line.count("\n") == 1
        assert not ENGLISH.search(line.replace(str(self.folder), ""))
        return line


@pytest.fixture
def french(tmp_path: Path) -> French:
    return French(tmp_path)


def speaking(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8" if language == "fr" else "C.UTF-8")


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


# --- every reason ---------------------------------------------------------------------------------


def sentences(language: str) -> dict[str, str]:
    """Return the sentences about errors, by `kind.reason`."""
    begin = "cmd.wrong."
    return {
        key.removeprefix(begin): text
        for content in (load_compiled_catalogue(language, "commands"), of_the_club(language))
        for key, text in catalogues.SentenceCatalogue(content).items()
        if key.startswith(begin)
    }


def of_the_club(language: str) -> bytes:
    return catalogues.read_catalogue(ROOT / CLUB, language, "commands")


def ours() -> Iterator[tuple[Path, ast.AST]]:
    """Yield each syntax node of our code with its file."""
    files = (file for folder in OURS for file in sorted((ROOT / folder).rglob("*.py")))
    return ((file, node) for file in files for node in syntax_nodes(file))


def called(call: ast.Call) -> str:
    """Return the name of the called function with its owner: `HardwareError.from_reason`."""
    match call.func:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=of), attr=name):
            return f"{of}.{name}"
        case _:
            return ""


def raised() -> Iterator[tuple[str, set[str], Path]]:
    """Yield each error with a literal reason: its key, its fields, and the file."""
    for file, node in ours():
        if not isinstance(node, ast.Call):
            continue
        name = called(node)
        kind, place = RAISED.get(name, ("", 0))
        if name == "_why" and file.name == "packages.py":
            kind = "package"
        if not kind or len(node.args) <= place:
            continue
        given = {each.arg or "*" for each in node.keywords}
        for part in ast.walk(node.args[place]):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield f"{kind}.{part.value}", given, file


@pytest.mark.long
def test_every_error_that_is_raised_has_a_sentence_and_gives_it_all_its_facts() -> None:
    english, seen = sentences("en"), set[str]()
    for key, given, file in raised():
        if key in ("unfit.must_", "hardware.no_", "package.reason"):
            continue  # only the beginning of a key
        seen.add(key)
        needed = fields(english[key]) - GIVEN
        assert "*" in given or needed <= given, (file, key)
    assert len(seen) > 100


def test_every_reason_is_said_in_every_language_with_the_same_facts() -> None:
    english, french = sentences("en"), sentences("fr")
    assert english.keys() == french.keys()
    assert [key for key in english if fields(english[key]) != fields(french[key])] == []
    assert [key for key, text in french.items() if ENGLISH.search(text)] == []


def test_no_sentence_waits_for_a_reason_that_is_not_there() -> None:
    files = [file for folder in OURS for file in (ROOT / folder).rglob("*.py")]
    text = "".join(file.read_text("utf-8") for file in files)
    keys = {key for key in sentences("en") if key != "file" and "unfit.must_" not in key}
    text += "".join(f'"no_{engine}"' for engine in (voices.ESPEAK, voices.PIPER))
    text += "".join(f'"{reason}"' for reason in CHIP)  # reasons that the pin factory gives
    assert [key for key in keys if f'"{key.partition(".")[2]}"' not in text] == []


@pytest.mark.long
def test_no_error_has_its_english_in_the_code() -> None:
    """`str` of an error for people is a key with fields."""
    english = {text for text in sentences("en").values() if len(text) > 20} - {
        *broker.REFUSAL_REASONS
    }
    for file, node in ours():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert node.value not in english, (file, node.lineno)


def test_the_box_has_few_words_for_every_reason_of_the_record() -> None:
    codes = {"unwritable", *schema.REASON_CODES.values()}
    for language in LANGUAGES:
        words = Words(language)
        assert all(words.has_sentence(f"box.record.{code}") for code in codes)


def test_what_is_wrong_in_an_export_is_said_in_french_with_its_line(french: French) -> None:
    bad = french.folder / "bad.jsonl"
    for text, said in (
        ("", "ligne 1 : le fichier est vide."),
        ("[]\n", "ligne 1 : la ligne n’est pas un objet JSON."),
        ('{"type": "export", "version": 1, "games": 2}\n', "la fin : 2 parties étaient exportées"),
    ):
        bad.write_text(text, "utf-8")
        done = run_companion("import", str(bad), env=french.env)
        assert done.returncode == 1
        assert said in done.stderr.decode().replace("\u00a0", " ")


# --- errors of the operating system ---------------------------------------------------------------


def test_what_the_system_says_is_said_in_the_language_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    denied = PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/etc/x")
    speaking(monkeypatch, "en")
    assert i18n.localised_error_text(denied) == "/etc/x: Permission denied"
    assert (
        i18n.localised_error_text(OSError(errno.EIO, "Input/output error")) == "Input/output error"
    )
    assert (
        i18n.localised_error_text(OSError(errno.ESTALE, "Stale file handle")) == "Stale file handle"
    )
    speaking(monkeypatch, "fr")
    assert i18n.localised_error_text(denied) == "/etc/x\u00a0: accès refusé"
    assert i18n.localised_error_text(ValueError("a programmer's")) == "a programmer's"


def test_what_was_wrong_inside_of_another_reason_is_said_in_the_language_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    speaking(monkeypatch, "fr")
    denied = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    shut = HardwareError.from_reason("shut_chip", file="/dev/gpiochip0", why=denied)
    told = i18n.localised_error_text(HardwareError.from_reason("buttons", why=shut)).replace(
        "\u00a0", " "
    )
    assert told.endswith("(/dev/gpiochip0 ne peut pas être ouvert : accès refusé).")


@pytest.mark.parametrize("why", ["no_file", "too_large", "no_utf8", "long_line"])
def test_why_a_file_is_not_read_is_said_in_every_language_with_the_same_facts(
    why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = files._refused(why, n=32)
    mistake = FileMistake(Path("own.toml"), 0, error.code, error.facts)
    speaking(monkeypatch, "en")
    english = i18n.describe_file_mistake(mistake)
    assert english.startswith("own.toml: cannot be read: ")
    speaking(monkeypatch, "fr")
    told = i18n.describe_file_mistake(mistake).replace("\u00a0", " ")
    assert told.startswith("own.toml : lecture impossible : ")
    assert ("32" in told) == ("32" in english)
    assert not ENGLISH.search(told)


def test_a_file_that_is_not_there_is_said_in_french(french: French) -> None:
    done = run_companion(
        "edition", "kojak", "--check", str(french.folder / "x.toml"), env=french.env
    )
    told = done.stdout.decode().replace("\u00a0", " ")
    assert told == "x.toml : lecture impossible : pas de fichier ni de dossier de ce nom\n"


# --- questions to a person ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "answers", "yes"),
    [
        ("fr", "o", True), ("fr", "Oui", True), ("fr", "y", True), ("fr", "n", False),
        ("fr", "", False), ("fr", "si\no", True), ("en", "y", True), ("en", "o\nno", False),
    ],
)  # fmt: skip
def test_a_question_is_answered_in_the_language_of_the_machine(
    language: str, answers: str, *, yes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaking(monkeypatch, language)
    with CliRunner().isolation(f"{answers}\n") as (out, *_):
        assert arguments.ask_yes_no("?") is yes
    asked = out.getvalue().decode().replace("\u00a0", " ")
    assert asked.startswith("? [o/N] : " if language == "fr" else "? [y/N]: ")
    assert ("Répondez o ou n." in asked) == (answers == "si\no")


# --- the record -----------------------------------------------------------------------------------


def _a_list(french: French) -> str:
    """Write a file that is not a record."""
    file = french.folder / "notes.txt"
    file.write_text("Lait, œufs, farine.")
    return str(file)


def _played(french: French) -> None:
    french.record.parent.mkdir(parents=True)
    Journal(french.record).close()


def test_a_game_that_is_not_there_is_said_in_french(french: French) -> None:
    for command in ("verify", "show"):
        assert "Il n’y a pas de partie 7 : `companion history`" in french.wrong(command, "7")


def test_a_file_that_is_no_record_is_said_in_french(french: French) -> None:
    _played(french)
    notes = _a_list(french)
    told = french.wrong("play", "--face", "headless", "--journal", notes)
    assert f"{notes} n’est pas un journal de compagnon : nommez un autre fichier." in told
    assert "n’est pas un journal entier de compagnon." in french.wrong("restore", notes)
    assert "existe, et n’est pas un journal" in french.wrong("backup", notes)
    told = french.wrong("stdio", "kojak", "--journal", notes)
    assert "n’est pas un journal de compagnon : nommez un autre fichier." in told


def test_a_record_that_another_box_has_is_said_in_french(french: French) -> None:
    lock = lock_record(french.record)
    try:
        told = french.wrong("play", "--face", "headless")
    finally:
        os.close(lock)
    assert f"Une autre boîte (processus {os.getpid()}) utilise" in told


def test_a_record_of_a_newer_box_is_said_in_french(french: French) -> None:
    _played(french)
    with closing(connect_to_database(str(french.record))) as db:
        db.execute("PRAGMA user_version = 2")
    told = french.wrong("play", "--face", "headless")
    assert "(format 2 ; cette version lit jusqu’au 1) : mettez ce compagnon à jour." in told


def test_a_record_that_can_not_be_opened_is_said_in_french_with_what_the_system_says(
    french: French,
) -> None:
    (french.folder / "DATA").write_text("")
    told = french.wrong("play", "--face", "headless")
    assert "games.db ne peut pas être ouvert : ce n’est pas un dossier." in told


# --- the games ------------------------------------------------------------------------------------


def test_a_game_that_is_not_in_the_box_is_said_in_french(french: French) -> None:
    told = french.wrong("stdio", "kojack")
    assert "Il n’y a pas de jeu 'kojack' : vouliez-vous dire kojak ?" in told
    told = french.wrong("stdio", "zzz")
    assert "la boîte a barney-miller, " in told


def test_a_game_whose_package_is_gone_is_said_in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    speaking(monkeypatch, "fr")
    told = i18n.localised_error_text(GameNotInstalled("sum-up", "companion-sum-up", "1.0"))
    assert "qui n’est pas installé\u00a0: pip install companion-sum-up==1.0" in told


def test_rules_that_have_changed_are_said_in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    speaking(monkeypatch, "fr")
    assert "demandent maintenant 'act' à cet" in i18n.localised_error_text(
        RulesChangedError(4, "move", "act")
    )
    assert "n’ont plus de place pour elle." in i18n.localised_error_text(
        RulesChangedError(4, "move", None)
    )


def test_whoever_asks_for_a_player_before_anybody_played_is_told_so_in_french(
    french: French,
) -> None:
    assert "Personne n’a encore fini de partie." in french.wrong("people", "Ann")


# --- the hardware ---------------------------------------------------------------------------------


def test_what_to_wire_is_said_in_french_where_there_are_no_pins(french: French) -> None:
    if pi.is_raspberry_pi():
        pytest.skip("this machine is a Raspberry Pi")
    french.env.pop("GPIOZERO_PIN_FACTORY", None)
    done = run_companion(env=french.env)
    told = done.stderr.decode().replace("\u00a0", " ")
    assert done.returncode == 1
    assert "Cette machine n’a pas les broches d’un Raspberry Pi.\n" in told
    assert "Boutons, vers la masse : UP GPIO 5" in told
    for name, (pin,) in DEFAULT_BOARD.buttons.items():
        assert f"{name.upper()} GPIO {pin}" in told
    assert not ENGLISH.search(told)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EREMOTEIO, "Remote I/O error"), "L’écran ne répond pas : vérifiez ses"),
        (FileNotFoundError(errno.ENOENT, "-", "/dev/i2c-1"), "/dev/i2c-1 est absent : activez le"),
        (PermissionError(errno.EACCES, "-", "/dev/i2c-1"), "mettez cet utilisateur dans les"),
    ],
)
def test_a_display_that_is_wired_badly_is_said_in_french(
    error: OSError, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaking(monkeypatch, "fr")
    assert said in i18n.localised_error_text(hardware_error_for_display(error)).replace(
        "\u00a0", " "
    )


@pytest.mark.parametrize(
    ("board", "wiring"),
    [
        (
            'like = "waveshare-oled-2in42"',
            (
                "Display: SSD1309, SPI, DIN GPIO 10, CLK GPIO 11, CS GPIO 8, "
                "DC GPIO 25, RST GPIO 27.\n"
                "Buttons, to ground: UP GPIO 5, DOWN GPIO 6, OK GPIO 13, BACK GPIO 19, "
            ),
        ),
        (
            'like = "adafruit-oled-bonnet"',
            (
                "Display: SSD1306, I2C, SDA GPIO 2, SCL GPIO 3 (bus 1, address 0x3c).\n"
                "Buttons, to ground: UP GPIO 17, DOWN GPIO 22, OK GPIO 4/6/23, BACK GPIO 27/5."
            ),
        ),
        ('like = "no-board"', None),
    ],
)
def test_a_start_without_pins_prints_the_wiring_of_its_board(
    board: str,
    wiring: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = user_board.own_board_path(tmp_path)
    file.write_text(board)
    monkeypatch.setattr(places, "config_folder", lambda: tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    error = HardwareError.from_reason("no_pins")
    if wiring is None:
        with pytest.raises(BoardFileError) as caught:
            read_board_file(file)
        error = caught.value

    with pytest.raises(SystemExit, match="--face terminal"):
        start.run_box(error)

    printed = capsys.readouterr().err
    assert wiring in printed if wiring is not None else "Display" not in printed


@pytest.mark.parametrize("host", ["192.0.2.1", "no..name", "fe80::1%none"])
def test_a_page_at_an_unknown_host_names_the_host(host: str) -> None:
    done = run_companion("page", "--port", "0", "--host", host)

    assert f"--host {host} is not an address of this machine." in done.stderr.decode()


def test_a_page_at_a_used_port_names_another_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        done = run_companion("page", "--port", f"{port}", "--host", "127.0.0.1")

    other = port + 1 if port < page.MAX_PORT else port - 1
    assert f"Port {port} is in use. Choose another port: --port {other}." in done.stderr.decode()


def test_a_face_that_lacks_its_library_is_said_in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    speaking(monkeypatch, "fr")
    monkeypatch.setitem(sys.modules, "hardware.screens.terminal", None)
    with pytest.raises(HardwareError) as caught:
        start._open_terminal({}, SimpleQueue())
    assert "il faut textual\u00a0: pip install" in i18n.localised_error_text(caught.value)


def test_a_board_that_is_written_badly_is_said_in_french_with_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaking(monkeypatch, "fr")
    text = '[display]\nchip = "sh1106"\nbus = "i2c"\n[buttons]\nup = 31\ndown = 2\nokk = 5\n'
    text += "back = 6\n"
    file = tmp_path / "board.toml"
    file.write_text(text)
    with pytest.raises(BoardFileError) as caught:
        read_board_file(file)
    assert i18n.localised_error_text(caught.value).replace("\u00a0", " ").split("\n") == [
        (
            "board.toml, ligne 5 : buttons.up = 31 n’est pas valable ; "
            "attendu : un numéro de GPIO de 2 à 27, ou plusieurs entre [ ]. Les places du "
            "connecteur ne sont pas des numéros de GPIO : la place 31 est GPIO 6."
        ),
        ('board.toml, ligne 7 : la clé buttons.okk n’existe pas ici ; vouliez-vous dire "ok" ?'),
    ]
    file.write_text(text.replace("31", "26").replace("okk", "ok"))
    with pytest.raises(BoardFileError) as caught:
        read_board_file(file)
    assert "buttons.down = 2 est déjà utilisé par I2C (SDA)" in i18n.localised_error_text(
        caught.value
    )


def test_a_setting_that_can_not_be_is_said_with_what_can(monkeypatch: pytest.MonkeyPatch) -> None:
    for language, volume, heard in (
        (
            "en",
            "volume = 11 is not valid; expected: 1-10",
            'heard = "x" is not valid; expected: "ev',
        ),
        (
            "fr",
            "volume = 11 n’est pas valable ; attendu : 1-10",
            'heard = "x" n’est pas valable ; attendu : "ev',
        ),
    ):
        speaking(monkeypatch, language)
        for pair, said in (("volume=11", volume), ("heard=x", heard)):
            with pytest.raises(click.UsageError) as caught:
                arguments.parse_box_settings((pair,))
            assert caught.value.message.replace("\u00a0", " ").startswith(said)


def test_why_a_panel_does_not_fit_is_said_in_french_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("luma.oled")
    speaking(monkeypatch, "fr")
    file = tmp_path / "board.toml"
    panel = '[display]\ndriver = "luma"\ndevice = "ssd1305"\ninterface = "i2c"\n'
    file.write_text(f"{panel}[buttons]\nup = 17\ndown = 27\nok = 22\nback = 23\n")
    with pytest.raises(BoardFileError) as caught:
        read_board_file(file)
    assert i18n.localised_error_text(caught.value).replace("\u00a0", " ") == (
        "board.toml, ligne 3 : display.device n’est pas valable : ssd1305 a 128x32 pixels. "
        "Il en faut 128x64 à la boîte, ou 96x48 avec des gris."
    )


def test_all_that_a_board_can_be_expected_to_say_is_said_in_french() -> None:
    source = Path(board_file.__file__).read_text("utf-8")
    judged = re.findall(r'"([^"\n]*_[^"\n]*_[^"\n]*)"', source)
    assert len({*judged}) == 13
    names = dict(catalogues.SentenceCatalogue(load_compiled_catalogue("fr", "commands")).items())
    assert [key for key in judged if f"cmd.expected.{key}" not in names] == []


def test_what_nobody_wrote_a_sentence_for_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    speaking(monkeypatch, "fr")
    assert i18n.localised_error_text(HardwareError("It is odd.")) == "It is odd."
