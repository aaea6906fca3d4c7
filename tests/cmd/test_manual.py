"""Tests of shell completion and of the page for `man`."""

from __future__ import annotations

import os
import shutil
import subprocess

import click
import pytest
from click.testing import CliRunner

from companion.catalog import registry
from companion.cmd import cli as process
from companion.cmd.commands import SHELL_COMPLETIONS, cli, manual_page_lines

PAGE = tuple(manual_page_lines(click.Context(cli, info_name="companion")))


def completed(words: str, monkeypatch: pytest.MonkeyPatch, said: pytest.CaptureFixture[str]) -> str:
    """Return the completions of the last word for bash."""
    monkeypatch.setenv(process.COMPLETION_VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    monkeypatch.setattr("sys.argv", ["companion"])
    with pytest.raises(SystemExit):
        process.main()
    return said.readouterr().out


def test_a_shell_completes_commands_options_and_games_and_starts_no_box(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "plain,simulate" in completed("companion sim", monkeypatch, capsys)
    assert "plain,--seed" in completed("companion simulate --se", monkeypatch, capsys)
    games = completed("companion simulate ", monkeypatch, capsys)
    assert games.split() == [f"plain,{name}" for name in registry.playable_game_names()]


@pytest.mark.parametrize("shell", SHELL_COMPLETIONS)
def test_each_shell_has_a_script_that_asks_the_command(shell: str) -> None:
    script = CliRunner().invoke(cli, ["completion", shell]).output
    assert f"{process.COMPLETION_VARIABLE}={shell}_complete" in script


def test_the_manual_has_every_command_with_its_options() -> None:
    text = "\n".join(PAGE).replace("\\-", "-")
    for name, command in cli.commands.items():
        assert f".SS {name}" in text, name
        for option in command.params:
            assert not option.opts[0].startswith("--") or option.opts[0] in text, option.opts


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff: apt install groff")
def test_the_manual_is_a_page_without_a_warning() -> None:
    groff = ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z"]
    env = {"PATH": os.environ["PATH"]}
    text = "\n".join(PAGE) + "\n"
    done = subprocess.run(
        groff, input=text, capture_output=True, encoding="utf-8", env=env, check=True
    )
    assert done.stderr == ""


def test_the_manual_ends_with_files_environment_and_exit_status() -> None:
    titles = [line[4:] for line in PAGE if line.startswith(".SH ")]
    assert titles[-3:] == ["FILES", "ENVIRONMENT", "EXIT STATUS"]
    assert f".B {process.INTERRUPTED_EXIT_STATUS}" in PAGE
