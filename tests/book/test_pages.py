"""Tests of the pages of the book: all shown items exist, and every command runs."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner
from PIL import Image, ImageSequence

import companion
from book import at_table, catalogues, film, fronts, lists, live
from companion.catalog import registry
from companion.cmd.commands import cli, commands_of_group
from companion.menus.words import menu_words
from companion.record.journal import Journal
from hardware.boards import board_file
from hardware.display.frame_conversions import frame_as_pixel_rows
from tests.helpers import OWN_PARTS_OPTIONS, begin_game, setup_for
from tests.scenes import SCENES
from web.scenes import SCENES as SITUATIONS

ROOT: Final = Path(companion.__file__).parents[1]
DOCS: Final = ROOT / "docs"
PAGES: Final = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))

ONLY_READ: Final = {"play", "page", "doctor", "hotspot on", "hotspot off", "evening host", "check"}
"""Commands that do not end, need root, or need a package of the page: parsed but not run."""
OTHERS: Final = {
    *("apt", "raspi-config", "reboot", "systemctl", "journalctl", "pip", "python3"),
    *("cd", "scp", "ssh", "tar", "./systemd/install.sh", "companion-root", "install", "echo"),
}
"""Programs other than `companion`."""
FIRST: Final = ("README.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages outside docs/."""


def blocks_of(kind: str) -> list[str]:
    """Return the arguments of all blocks of a kind on all pages."""
    text = "".join((DOCS / page).read_text("utf-8") for page in PAGES)
    return re.findall(rf"^ *<!-- {kind} (.*) -->$", text, re.MULTILINE)


def commands(page: str) -> Iterator[str]:
    """Yield the lines with a prompt in the console blocks of a page."""
    text = (DOCS / page).read_text("utf-8")
    for block in re.findall(r"^ *```console\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            assert line.strip().startswith("$ "), line
            yield line.strip()[2:]


def test_every_frame_that_is_shown_is_a_scene() -> None:
    shown = {scene for names in blocks_of("frame") for scene in names.split()}
    assert len(shown) > 50
    assert shown <= {*SCENES}


def test_the_page_of_each_game_has_a_live_box() -> None:
    assert sorted(blocks_of("box")) == sorted(SITUATIONS)
    for game in registry.BUILT_IN_GAMES:
        assert f"<!-- box {game} -->\n" in (DOCS / "players" / f"{game}.md").read_text("utf-8")


def test_a_live_box_is_a_picture_that_leads_to_the_box() -> None:
    still = live.live_figure_html_start(
        "data:,", live.live_box_address("kojak", "fr"), "Un criminel."
    )
    assert still.startswith('<figure class="live"><a href="https://')
    assert '/box/?scene=kojak&amp;lang=fr">' in still
    assert live.scene_first_frame("kojak", "en") != live.scene_first_frame("kojak", "fr")


def test_every_board_is_drawn() -> None:
    assert sorted(blocks_of("wiring")) == board_file.known_board_names()
    shown = [name for names in blocks_of("front") for name in names.split()]
    assert sorted(shown) == sorted(fronts.FRONTS)


def test_every_command_and_every_game_has_its_list() -> None:
    assert blocks_of("command") == list(lists.full_command_names())
    assert sorted(blocks_of("options")) == sorted(registry.BUILT_IN_GAMES)


def test_a_flag_in_the_help_of_a_command_stays_two_hyphens() -> None:
    assert "`--broker` and the" in lists.format_command_help("evening attend")


def test_what_is_listed_of_a_command_is_its_usage_and_its_help() -> None:
    for name in lists.full_command_names():
        text = lists.format_command_help(name)
        assert text.startswith(f"```text\ncompanion {name}")
        assert (lists.find_command(name).help or "").split("\n")[0] in text


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up a machine with one game in its record."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "STATE_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    monkeypatch.chdir(tmp_path)
    with closing(Journal(tmp_path / "games.db")) as journal:
        begin_game(setup_for(OWN_PARTS_OPTIONS), (), journal)
    return tmp_path


def read(words: list[str]) -> tuple[str, list[str]]:
    """Return the command in the words of a line, and its arguments. Raise click.UsageError."""
    command: click.Command = cli
    path: list[str] = []
    while isinstance(command, click.Group) and words and words[0][0] != "-":
        inner = commands_of_group(command)
        path, command, words = [*path, words[0]], inner[words[0]], words[1:]
    return " ".join(path), words


def commands_and_groups() -> set[str]:
    return {" ".join(name.split()[:n]) for name in lists.full_command_names() for n in range(3)}


def flags(name: str) -> set[str]:
    """Return the flags of a command, with the flags of every command."""
    return {"--debug", "--help"} | {
        flag for its in lists.find_command(name).params for flag in its.opts
    }


def try_ours(line: str, page: str, home: Path) -> None:
    """Run a line with `companion`. If the command would not end, only parse the line."""
    line, _, given = line.partition(" < ")
    name, arguments = read([word.replace("~", str(home)) for word in shlex.split(line)[1:]])
    if name in ONLY_READ or not name:
        assert {word for word in arguments if word.startswith("--")} <= flags(name)
        return
    text = (DOCS / page).read_text("utf-8")
    facts = re.findall(r"^```json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[0] if given else ""
    done = CliRunner().invoke(cli, [*name.split(), *arguments], input=facts)
    assert done.exit_code == 0, (line, done.output, done.exception)


def in_sentences(begin: str) -> list[tuple[str, str]]:
    """Return the code in sentences that begins with `begin`, each with the name of its page."""
    paths = [*(DOCS / page for page in PAGES), *(ROOT / page for page in FIRST)]
    blocks = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
    texts = [(path.name, blocks.sub("", path.read_text("utf-8"))) for path in paths]
    return [
        (page, " ".join(line.split()))
        for page, text in texts
        for line in re.findall(rf"`{begin}([^`…]+)`", text)
    ]


def test_every_command_in_a_sentence_is_there_with_its_flags() -> None:
    found = in_sentences("companion ")
    assert len(found) > 80
    for page, line in found:
        name, rest = read(line.split())
        assert name in commands_and_groups(), (page, line)
        assert {*re.findall(r"--[a-z-]+", " ".join(rest))} <= flags(name), (page, line)


def test_whatever_else_a_sentence_tells_to_run_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = {*re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)}
    made = {line.split()[0] for _, line in in_sentences("make ")}
    assert len(made) > 10
    assert made <= targets
    run = {line.split()[0] for _, line in in_sentences("[^`]*python3? -m ")}
    assert len(run) > 5
    assert {module for module in run if not find_spec(module)} == set()


def test_every_file_of_ours_that_a_sentence_names_is_there() -> None:
    houses = "book|companion|docs|examples|checked_input|hardware|sounds|systemd|tests"
    named = {
        word
        for _, line in in_sentences("")
        for word in re.findall(rf"(?<!\S)(?:{houses})/[a-z\d_./-]*(?!\S)", line)
    }
    assert len(named) > 20
    assert {name for name in named if not (ROOT / name).exists()} == set()


@pytest.mark.parametrize("page", [page for page in PAGES if [*commands(page)]])
def test_every_command_on_a_page_is_run(page: str, home: Path) -> None:
    for line in commands(page):
        words = re.sub(r"^(sudo |\w+=\S+ )*(\.venv/bin/)?", "", line)
        program = words.split()[0]
        if program == "companion":
            try_ours(words, page, home)
        elif program == "make":
            assert re.search(
                rf"^{words.split()[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE
            )
        else:
            assert program in OTHERS, line


def test_what_administrators_type_is_shell_and_what_the_packages_are_tried_with() -> None:
    page = (DOCS / "builders" / "packages.md").read_text("utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    only_read = ["bash", "-n"]
    for block in blocks:
        subprocess.run(only_read, input=block, text=True, check=True)
    tried = (ROOT / "tests" / "system" / "packages" / "test_debian.py").read_text("utf-8")
    typed = r"deb \[signed-by=\S+\]|companion companion/\S+ boolean true|/usr/local/lib/companion"
    found = re.findall(typed, "".join(blocks))
    assert len(found) == len(blocks)
    assert [words for words in found if words not in tried] == []


def test_a_page_that_is_translated_is_translated_whole() -> None:
    for page in catalogues.translated_page_names():
        assert (DOCS / f"{page}.md").exists()
        assert catalogues.untranslated_sentences(page) == []


def test_the_readme_fits_on_one_screen() -> None:
    page = (ROOT / "README.md").read_text("utf-8")
    assert len(page.splitlines()) <= 65
    assert len(re.findall(r"!\[|<img", page)) == 1
    assert "    make play\n    make test\n" in page


@pytest.mark.parametrize("file", FIRST)
def test_every_link_of_the_first_pages_leads_somewhere(file: str) -> None:
    links = re.findall(r"\]\((?!https://)([^)#]+)", (ROOT / file).read_text("utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_pages_show_the_box_and_a_phone_as_they_are_drawn_today() -> None:
    again = "draw them again: python -m book.at_table"
    assert at_table.TABLE_FILE.read_text("utf-8") == at_table.box_beside_board_svg(), again
    with Image.open(at_table.PHONE_FILE) as kept:
        assert (
            kept.convert("RGB").tobytes()
            == at_table.upper_phone_page_picture().convert("RGB").tobytes()
        ), again
    assert "](table.svg)" in (DOCS / "index.md").read_text("utf-8")
    assert "](phone.png)" in (DOCS / "phones.md").read_text("utf-8")


PHONE_REFUSALS: Final = (
    *("page.error.slow_down", "page.full", "page.replaced", "page.wrong_host", "page.too_many"),
    *("page.error_busy", "page.refused", "stdio.wrong_code", "stdio.wrong_token", "stdio.no_seat"),
    *("stdio.taken", "stdio.slow_down", "stdio.refused", "stdio.failed", "stdio.removed"),
    *("stdio.full", "stdio.one_at_a_time"),
)
"""Keys of the sentences that refuse a phone."""


def test_the_page_about_phones_explains_every_refusal_of_a_phone() -> None:
    words, page = menu_words("en"), (DOCS / "phones.md").read_text("utf-8")
    texts = [words(key, seconds="…", who="…", n=2) for key in PHONE_REFUSALS]
    first = [re.split(r" 2 |[.:]", text)[0] for text in texts]
    assert [text for text in first if text not in page] == []


@pytest.mark.long
def test_the_moving_picture_is_what_the_display_shows_today() -> None:
    with Image.open(film.ANIMATION_FILE) as picture:
        small = [
            shown.convert("L").resize((128, 64), Image.Resampling.NEAREST).tobytes()
            for shown in ImageSequence.Iterator(picture)
        ]
    drawn = [[byte > 99 for byte in frame] for frame in small]
    frames = [
        [lit for row in frame_as_pixel_rows(frame) for lit in row]
        for frame, _ in film.animation_frames_with_durations()
    ]
    assert drawn == [frame for n, frame in enumerate(frames) if frame not in frames[n - 1 : n]]
