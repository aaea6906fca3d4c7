"""The command `companion stdio`: a game on standard input and output, or a relay to the box."""

from __future__ import annotations

import io
import os
import re
import socket
import sys
import threading
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final

import click

from companion.box.face_errors import guarded_face_and_words
from companion.catalog import entered_boards, registry
from companion.cmd import places, repair_screens
from companion.cmd.arguments import (
    BoxConnectionOptions,
    add_box_connection_options,
    load_edition_in_use,
    parse_game_options,
    parse_player_names,
    players_option,
    set_option,
)
from companion.cmd.i18n import command_sentence, localised_error_text, os_error_reason
from companion.core.chance import Chance, fresh_seed
from companion.core.errors import CompanionError, OutdatedRecordedGame, UnknownGame
from companion.core.game import Cue, EnteredBoardValue, Game
from companion.core.version import installed_version
from companion.door.answer_steps import NO_CONFIRMATIONS, Confirmations
from companion.door.client import CHUNK_BYTES, connect_to_box
from companion.door.lines import message_as_protocol_line
from companion.door.stdio import StdioGame
from companion.figures.times import format_utc_date
from companion.play.answer_history import GameSetup
from companion.play.record_header import setup_from_record_header
from companion.play.session import Session, resume_recorded_game
from companion.record.journal import Journal, JournalError
from companion.say.dictionary import Dictionary, WordVerdict
from companion.say.words import LANGUAGES, Words
from companion.table.word_lookup import WordLookup

SEED_PATTERN: Final = re.compile(r"[0-9a-fA-F]{1,256}")


lang_option: Final = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=places.system_language,
    help="The language of all texts (default: this machine's language).",
)


@click.command()
@click.argument("name", metavar="[GAME]", required=False)
@players_option
@set_option
@click.option("--seed", metavar="HEX",
              help="The seed of all shuffles and rolls: the same seed gives the same results."
              )  # fmt: skip
@lang_option
@click.option("--journal", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Save the game in FILE. If FILE contains an unfinished game, continue that game."
              )  # fmt: skip
@click.option("--confirm", is_flag=True,
              help="Ask for confirmation before an answer that costs the player much.")  # fmt: skip
@add_box_connection_options
def stdio(
    name: str | None,
    players: str | None,
    pairs: tuple[str, ...],
    seed: str | None,
    lang: str,
    file: Path | None,
    way: BoxConnectionOptions | None,
    *,
    confirm: bool,
) -> None:
    """Play a game over standard input and output, one JSON object a line (docs/protocol.md)."""
    if way is not None:
        _connect(way, name)
        return
    if name is None:
        raise click.UsageError(command_sentence("stdio.no_game"))
    journal, setup = _open_game(name, players, pairs, seed, file)
    with closing(journal):
        _play(journal, setup, lang, _taught_beside(file), confirm=confirm)
        for code in journal.take_file_event_codes():
            click.echo(
                f"companion: {Words(places.system_language()).fact_text(Cue(code))}", err=True
            )


def _open_game(
    name: str, players: str | None, pairs: tuple[str, ...], seed: str | None, file: Path | None
) -> tuple[Journal, GameSetup]:
    if seed is not None and not SEED_PATTERN.fullmatch(seed):
        raise click.UsageError(command_sentence("stdio.no_seed"))
    try:
        game, chance = _find_game(name, file), Chance(seed or fresh_seed())
        setup = GameSetup(
            game, parse_player_names(game, players), parse_game_options(game, pairs),
            load_edition_in_use(game, _taught_beside(file)), chance, mixing=False,
        )  # fmt: skip
        if str(file) == ":memory:":
            raise click.UsageError(command_sentence("stdio.no_file"))
        journal = Journal(
            file, places.wall_time(), repair_screens.repair_reporter_for_terminal(), named=True
        )
    # the argument FILE or GAME is wrong
    except (JournalError, UnknownGame) as error:
        raise click.UsageError(localised_error_text(error)) from error
    return journal, setup


def _taught_beside(file: Path | None) -> Path | None:
    return None if file is None else places.entered_boards_folder(file)


def _connect(way: BoxConnectionOptions, game: str | None) -> None:
    if game is not None or (way.seat is None) != (way.token is None):
        raise click.UsageError(command_sentence("stdio.connect"))
    relay_stdio_to_box(way.socket or places.box_socket(), way.seat, way.token)


def _find_game(name: str, file: Path | None) -> Game[Any]:
    """Return the game with the name `name`.

    Raise UnknownGame if the game is not installed. Raise GameNotInstalled if the record `file` has
    an unfinished game of this name whose package is missing.
    """
    try:
        return registry.find_game(name)
    except UnknownGame:
        if file is not None and file.exists():
            with closing(Journal(file, places.wall_time(), named=True)) as journal:
                for number in _unfinished_games(journal, name):
                    setup_from_record_header(journal.read_game_header_and_lines(number)[0])
        raise


def _unfinished_games(journal: Journal, game: str) -> list[int]:
    summaries = map(journal.game_summary, journal.recent_unfinished_game_numbers())
    return [summary.id for summary in summaries if summary.game == game and summary.has_seed]


def _open(journal: Journal, setup: GameSetup) -> tuple[Session, tuple[Cue, ...]]:
    """Return the session of the record's unfinished game, or of a new game.

    Also return the first events of the session.
    """
    notices: tuple[Cue, ...] = ()
    if journal.repair_result is not None:
        notices = (Cue("damaged", journal.repair_result._asdict()),)
    notices = (*notices, *map(Cue, journal.take_file_event_codes()))
    if journal.was_empty:
        click.echo(command_sentence("stdio.empty"), err=True)
    for number in _unfinished_games(journal, setup.game.name):
        try:
            session, changed = resume_recorded_game(journal, number, places.wall_time())
        except OutdatedRecordedGame as error:
            notices = (*notices, Cue(error.code))
            continue
        if changed is not None:
            notices = (*notices, Cue("rules_changed", {"answer": changed.answer}))
        return session, notices
    return Session.begin(journal, setup, places.wall_time()), notices


def _play(
    journal: Journal, setup: GameSetup, language: str, taught_in: Path | None, *, confirm: bool
) -> None:
    try:
        session, notices = _open(journal, setup)
    except (JournalError, UnknownGame) as error:  # the argument FILE or GAME is wrong
        raise click.UsageError(localised_error_text(error)) from error
    lessons = None if taught_in is None else _Lessons(session, taught_in)
    _serve(session, language, notices, lessons, confirm=confirm)


class _Lessons:
    """A listener that saves the entered values of a printed board for later games (BM-14)."""

    def __init__(self, session: Session, folder: Path) -> None:
        self._game, self._folder = session.game_setup.game.name, folder
        self._said = session.standing.entered_board_values

    def __call__(self, values: tuple[EnteredBoardValue, ...]) -> None:
        before, self._said = self._said, values
        try:
            entered_boards.save_entered_values(
                self._game, self._folder, before, values, format_utc_date(places.wall_time())
            )
        except OSError:
            refused = Cue("refused", {"code": "untaught"})
            click.echo(f"companion: {Words(places.system_language()).fact_text(refused)}", err=True)


def _serve(
    session: Session,
    language: str,
    notices: tuple[Cue, ...],
    lessons: _Lessons | None,
    *,
    confirm: bool,
) -> None:
    sink = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="replace", newline="\n")
    face, book = guarded_face_and_words(session.game_setup)
    dictionary = cache(lambda: Dictionary(places.word_list_cache_folder()))

    def look_up(word: str) -> WordVerdict | None:
        return dictionary().look_up(word, language)

    def lists_without_word(word: str) -> tuple[str, ...]:
        return WordLookup(dictionary).word_lists_without_word(word, language)

    program = StdioGame(
        session,
        book[language],
        source=sys.stdin.buffer,
        sink=sink,
        wall=places.wall_time,
        version=installed_version(),
        learn=lessons,
        confirmations=Confirmations(face.should_confirm_answer, lists_without_word)
        if confirm
        else NO_CONFIRMATIONS,
        look_up=look_up,
    )
    try:
        program.run(notices)
        sink.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        # the reader has closed the pipe: discard the output that Python still has in its buffer
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def relay_stdio_to_box(path: Path, seat: str | None, token: str | None) -> None:
    """Copy standard input to the box, and the box's output to standard output.

    Return when the box or the reader of standard output closes its connection.

    Raise CompanionError if no box is running.
    """
    try:
        wire = connect_to_box(path, None)
    except OSError as error:
        why = os_error_reason(error)
        raise CompanionError(command_sentence("stdio.no_box", path=path, why=why)) from error
    with wire:
        if seat is not None:
            wire.sendall(message_as_protocol_line({"join": seat, "token": token}).encode())
        threading.Thread(target=_talk, args=(wire,), daemon=True).start()
        try:
            while data := wire.recv(CHUNK_BYTES):
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
        except ConnectionResetError:
            pass
        except BrokenPipeError:  # the reader has closed the pipe
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _talk(wire: socket.socket) -> None:
    try:
        for line in sys.stdin.buffer:
            wire.sendall(line if line.endswith(b"\n") else line + b"\n")
        wire.sendall(b'{"quit": true}\n')
    except OSError:  # the box has closed the connection
        return
