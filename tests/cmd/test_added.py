"""Tests of packages that add commands and services by entry points, and of a bare box."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree, rmtree
from typing import Final

import click
import pytest
from click.testing import CliRunner

import companion
from companion.box import first_screen
from companion.catalog import services
from companion.cmd import commands
from companion.core.plugins import installed_plugins
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from tests.door.callers import House, unvisited
from tests.helpers import NOW_SECONDS, Drive

ROOT: Final = Path(companion.__file__).parents[1]
ALONE: Final = """
import sys
sys.path[:0] = [{root!r}, {site!r}]
sys.argv[0] = "companion"
"""
"""Code that sets the paths without the paths of the editable install, so without `packages/`."""
COMMAND: Final = "from companion.cmd.cli import main; main()"
PLAY: Final = """
from companion.play import begin
from companion.record.journal import Journal
from tests.door.callers import unvisited
from tests.helpers import Drive
begin.fresh_seed = lambda: "0" * 64
drive = Drive(Journal(None), door=unvisited)
drive.choose("new")
drive.choose("barney-miller")
for _ in range(1000):
    drive.press("ok")
    for number in drive.journal.game_numbers():
        if winners := drive.journal.game_summary(number).winners:
            print(*winners)
            sys.exit()
"""
"""Code that plays a game in a box. Each press of OK accepts the preselected answer."""
SOURCE: Final = '''
import click

@click.command()
def greet() -> None:
    """Greet the table."""
    click.echo("Good evening.")
'''


def alone(*arguments: str, code: str = COMMAND) -> str:
    """Return the output of a command, or of `code`, in a Companion without added packages."""
    paths = ALONE.format(root=str(ROOT), site=str(Path(click.__file__).parents[1]))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", paths + code, *arguments],
        input="", capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert not done.stderr
    return done.stdout


def test_the_companion_starts_and_plays_without_the_packages_beside_it(
    tmp_path: Path,
) -> None:
    listed = alone("--help")
    assert "  simulate " in listed
    assert commands.find_package_commands().keys() >= {"check", "new-game"}
    assert not [name for name in commands.find_package_commands() if f"  {name} " in listed]
    assert "2 games of kojak" in alone("simulate", "kojak", "--games", "2", "--fast")
    told = alone("stdio", "kojak", "--players", "Ann,Bob", "--seed", "ab").splitlines()
    assert '"hello"' in told[0]
    assert any('"ask"' in line for line in told)
    record = str(tmp_path / "games.db")
    assert '"type": "ready"' in alone("play", "--face", "headless", "--journal", record)
    with closing(Journal(Path(record))) as journal:
        assert "services" not in journal.all_settings()


def test_a_box_without_the_packages_plays_a_game_to_the_end() -> None:
    assert alone(code=PLAY).strip() in {"Fish", "Harris", "Fish Harris"}


def test_a_package_adds_a_command_without_a_change_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "greeting").mkdir()
    (tmp_path / "greeting" / "__init__.py").write_text("raise SystemExit\n", "utf-8")
    (tmp_path / "greeting" / "table.py").write_text(SOURCE, "utf-8")
    info = tmp_path / "greeting-1.0.dist-info"
    info.mkdir()
    points = "greet = greeting.table:greet\nplay = greeting.table:greet\ngone = nowhere:greet\n"
    text = f"[console_scripts]\na = b:c\n\n[companion.commands]\n{points}\n[other]\nd = e:f\n"
    (info / "entry_points.txt").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    commands.find_package_commands.cache_clear()
    try:
        assert "greet" in commands.CommandNames()
        assert commands.find_package_commands().keys().isdisjoint({"a", "d", "gone", "play"})
        assert (
            commands.help_only_command_from_bytecode("greet").help == "Greet the table."
        )  # the command's module is not imported
        listed = (
            CliRunner()
            .invoke(commands.cli, ["--help"])
            .stdout.split(f"{commands.ADDED_COMMANDS_HEADING}:\n")
        )
        assert [line.split()[0] for line in listed[1].splitlines()] == ["greet"]
    finally:
        commands.find_package_commands.cache_clear()


def test_a_built_in_command_reads_no_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    commands.find_package_commands.cache_clear()
    monkeypatch.setattr(commands, "installed_plugins", lambda _: 1 / 0)
    assert "simulate" in commands.CommandNames()
    assert commands.cli.commands["simulate"].name == "simulate"


@pytest.mark.parametrize("group", [commands.ENTRY_POINT_GROUP, services.ENTRY_POINT_GROUP])
def test_the_modules_of_our_entry_points_are_installed(group: str) -> None:
    assert installed_plugins(group)
    assert all(plugin.source_file for plugin in installed_plugins(group))


SERVICE: Final = """
from pathlib import Path
from companion.catalog.services import PackageService

def pages():
    from companion.menus.page import MenuPage, list_question_function, open_page
    ask = list_question_function(("draw",))
    return {"raffle": MenuPage(ask, lambda state, _: open_page(state, "home"))}

class Client:
    should_show_in_game_menu = True

    def __init__(self, basics, turn, send, attend):
        self.status, self.send = self, send

    def handle_request(self, request, visitor, message):
        self.send(visitor.peer.number, {"type": "raffle", "won": message["raffle"]})

    def forget_connection(self, number): ...
    def do_due_work(self): ...

FOLDER = Path(__file__).parent
SERVICE = PackageService(
    "raffle", FOLDER, pages, Client, lambda: (), {"raffle": frozenset()},
    lambda record: (), FOLDER / "wake.sock", (),
)
"""
SENTENCES: Final = {
    "box.option.home.raffle": "Raffle", "box.option.menu.raffle": "Raffle",
    "box.page.raffle": "RAFFLE", "box.ask.raffle": "Draw?", "box.option.raffle.draw": "Draw a name",
}  # fmt: skip


@pytest.fixture
def raffle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder of an installed package with a service."""
    folder = tmp_path / "raffle"
    for language in LANGUAGES:
        locale = folder / "locale" / language / "LC_MESSAGES"
        locale.mkdir(parents=True)
        entries = [f'msgid "{key}"\nmsgstr "{text}"\n' for key, text in SENTENCES.items()]
        (locale / "companion.po").write_text("\n".join(entries), "utf-8")
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / "service.py").write_text(SERVICE, "utf-8")
    (folder / "broken.py").write_text("raise SystemExit\n", "utf-8")
    info = tmp_path / "raffle-1.0.dist-info"
    info.mkdir()
    points = "raffle = raffle.service:SERVICE\nbroken = raffle.broken:SERVICE\ngone = nowhere:X\n"
    (info / "entry_points.txt").write_text(f"[companion.services]\n{points}", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    services.installed_services.cache_clear()
    yield folder
    monkeypatch.undo()
    for name in [name for name in sys.modules if name.partition(".")[0] == "raffle"]:
        del sys.modules[name]
    services.installed_services.cache_clear()
    services.installed_services()


def test_a_package_adds_a_service_without_a_change_of_ours(
    raffle: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house = House()
    assert house.drive.settings["services"]["raffle"] == str(raffle)
    assert "raffle" in house.drive.table.menu_or_game_prompt.options  # type: ignore[union-attr]
    house.drive.choose("raffle")
    words = house.drive.loop.shown_screen_words()
    assert words("box.page.raffle") == "RAFFLE"
    assert words.answer_label("raffle", "draw") == "Draw a name"
    assert house.caller().say(raffle=7) == [{"type": "raffle", "won": 7}]
    assert "the service broken was left out" in caplog.text


def test_a_record_names_no_folder_whose_sentences_the_box_reads(
    raffle: Path, tmp_path: Path
) -> None:
    other = tmp_path / "stick" / "raffle"
    copytree(raffle, other)
    services.installed_services.cache_clear()
    services.SERVICE_FOLDERS.clear()
    services.register_services_of_last_start({"raffle": str(other)})
    assert services.SERVICE_FOLDERS == {}
    services.register_services_of_last_start({"raffle": str(raffle)})
    assert {"raffle": raffle} == services.SERVICE_FOLDERS


def test_the_first_frame_shows_known_services_and_reads_no_entry_point(
    raffle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(None)
    drive = Drive(journal, door=unvisited)
    services.installed_services.cache_clear()
    services.SERVICE_FOLDERS.clear()
    monkeypatch.setattr(services, "installed_plugins", lambda _: 1 / 0)
    first = first_screen.first_frame_and_question_id(
        journal, language="en", now=NOW_SECONDS, hour=12, rows=False
    )
    assert first is not None
    assert first[1] == drive.services.home.first_screen_question_id()
    assert [*services.SERVICE_FOLDERS] == [*drive.settings["services"]]
    services.SERVICE_FOLDERS.clear()
    rmtree(raffle)
    first_screen.first_frame_and_question_id(
        journal, language="en", now=NOW_SECONDS, hour=12, rows=False
    )
    assert "raffle" not in services.SERVICE_FOLDERS
