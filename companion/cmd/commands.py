"""`companion …`: every command but the box itself. click does the reading and the help."""

from __future__ import annotations

import io
import os
import random
import re
import sys
import traceback
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import click

from companion.box.slips import safe
from companion.cmd import (
    carried,
    door,
    evening,
    looked,
    mending,
    places,
    played,
    start,
    stick,
    telling,
)
from companion.cmd.arguments import (
    Way,
    edition_of,
    game_argument,
    options_of,
    players_of,
    players_option,
    set_option,
    socket_option,
    way_in,
)
from companion.cmd.paged import page
from companion.core.chance import Chance, fresh_seed
from companion.core.errors import Outgrown, UnknownGame
from companion.core.game import Cue, Game
from companion.door.stdio import Stdio
from companion.draw.face import face_of
from companion.games import editions, registry
from companion.play import simulate
from companion.play.header import setup_of
from companion.play.session import Session, Setup, recorded
from companion.record.journal import Journal, JournalError
from companion.say import phrases
from companion.say.dictionary import PACKAGES, Dictionary
from companion.say.words import LANGUAGES, Words

HEX: Final = re.compile(r"[0-9a-fA-F]{1,256}")


def run(arguments: list[str], *, debug: bool) -> int:
    """Do a command; its exit status. What is wrong with it is one line on standard error."""
    try:
        status: int | None = cli.main(arguments, "companion", standalone_mode=False)
    except click.ClickException as error:
        if debug:
            traceback.print_exc()
        else:
            click.echo(f"companion: {' '.join(error.format_message().split())}", err=True)
        return error.exit_code
    except click.Abort:  # Ctrl-C
        return 130
    return status or 0


@click.group()
@click.version_option(version("tabletop-companion"), prog_name="companion")
def cli() -> None:
    """A companion for the table. Without a command: the box itself, on its hardware.

    --debug, anywhere, shows the whole traceback of an error.
    """
    registry.keep_in(places.package_file())


@cli.command()
@click.option("--face", type=click.Choice(start.FACES), default="terminal", show_default=True)
@click.option("--journal", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The record to play with, instead of this machine's own.")  # fmt: skip
@socket_option
def play(face: str, file: Path | None, socket: Path | None) -> None:
    """Play on the buttons: in this terminal, in a window, or on a Pi's pins.

    A headless box has lines for buttons (docs/protocol.md).
    """
    if face == "terminal" and not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo("There is no terminal here: this is a random game instead.\n")
        _tell_a_game()
        return
    start.play(face, file, socket)


def _tell_a_game() -> None:
    """One random game as text, with its last frame."""
    from companion.draw.screens import standing  # noqa: PLC0415 - only here
    from companion.press.cursor import Cursor  # noqa: PLC0415 - only here
    from hardware.pixels import half_blocks  # noqa: PLC0415 - only here

    game = random.choice(registry.every())  # noqa: S311 - no cryptography
    chance = Chance(fresh_seed())
    options = options_of(game, ())
    setup = Setup(game, game.names[:3], options, editions.load(game.name), chance, mixing=False)
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, setup, 0)
        face, book = safe(setup)
        words = book.words(places.language())
        click.echo(f"{words(f'{game.name}.name')}\n{words('box.mix.title')}: {chance.code}\n")

        chosen = random.Random(chance.seed)  # noqa: S311 - likewise
        telling.tell(session, words, chosen, click.echo)
    click.echo("\n" + "\n".join(half_blocks(standing(session.snapshot, words, Cursor(), face))))


@cli.command()
@click.argument("name", metavar="[GAME]", required=False)
@players_option
@set_option
@click.option("--seed", metavar="HEX", help="Makes every shuffle and roll repeatable.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--journal", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Keep the game in this file, and go on from it.")  # fmt: skip
@way_in
def stdio(
    name: str | None,
    players: str | None,
    pairs: tuple[str, ...],
    seed: str | None,
    lang: str,
    file: Path | None,
    way: Way | None,
) -> None:
    """Play over standard input and output, one JSON object a line (docs/protocol.md)."""
    if way is not None:
        _connect(way, name)
        return
    if name is None:
        raise click.UsageError("Name a GAME, or --connect to the box that is running.")
    if seed is not None and not HEX.fullmatch(seed):
        raise click.UsageError("A seed is 1 to 256 hexadecimal digits.")
    try:
        game = _wanted(name, file)
        names, options = players_of(game, players), options_of(game, pairs)
        chance = Chance(seed or fresh_seed())
        setup = Setup(game, names, options, edition_of(game), chance, mixing=False)
        if str(file) == ":memory:":
            raise click.UsageError("Without --journal nothing is kept: `:memory:` is no file.")
        journal = Journal(file, places.wall(), mending.in_terminal(), named=True)
    except (JournalError, UnknownGame) as error:  # a wrong argument: FILE or GAME can not be had
        raise click.UsageError(str(error)) from error
    with closing(journal):
        _play(journal, setup, lang)
        for code in journal.news():
            click.echo(f"companion: {Words('en').text(Cue(code))}", err=True)


def _connect(way: Way, game: str | None) -> None:
    """Talk to the box that is running."""
    from companion.cmd.connect import connect  # noqa: PLC0415 - only here

    if game is not None or (way.seat is None) != (way.token is None):
        raise click.UsageError("--connect takes no GAME, and --seat goes with its --token.")
    connect(way.socket or door.found(), way.seat, way.token)


def _wanted(name: str, file: Path | None) -> Game[Any]:
    """The game of that name.

    Raises UnknownGame; NotInstalled if it stands unfinished in `file` and its package is missing.
    """
    try:
        return registry.find(name)
    except UnknownGame:
        if file is not None and file.exists():
            with closing(Journal(file, places.wall(), named=True)) as journal:
                for number in _unfinished(journal, name):
                    setup_of(journal.read(number)[0])
        raise


def _unfinished(journal: Journal, game: str) -> list[int]:
    """The unfinished games of that name, newest first."""
    summaries = map(journal.summary, journal.unfinished())
    return [summary.id for summary in summaries if summary.game == game and summary.whole]


def _open(journal: Journal, setup: Setup) -> tuple[Session, tuple[Cue, ...]]:
    """The unfinished game of that name in the file, or a new one; and what is to be said of it."""
    notices: tuple[Cue, ...] = ()
    if journal.damage is not None:
        notices = (Cue("damaged", journal.damage._asdict()),)
    notices = (*notices, *map(Cue, journal.news()))
    if journal.was_empty:
        click.echo("companion: the file was empty; a new record begins.", err=True)
    for number in _unfinished(journal, setup.game.name):
        try:
            session, changed = recorded(journal, number, places.wall())
        except Outgrown as error:
            notices = (*notices, Cue(error.code))
            continue
        if changed is not None:
            notices = (*notices, Cue("rules_changed", {"answer": changed.answer}))
        return session, notices
    return Session.begin(journal, setup, places.wall()), notices


def _play(journal: Journal, setup: Setup, language: str) -> None:
    try:
        session, notices = _open(journal, setup)
    except (JournalError, UnknownGame) as error:  # likewise
        raise click.UsageError(str(error)) from error
    _serve(session, language, notices)


def _serve(session: Session, language: str, notices: tuple[Cue, ...]) -> None:
    sink = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="replace", newline="\n")
    _, book = safe(session.setup)
    face = Stdio(
        session,
        book.words(language),
        source=sys.stdin.buffer,
        sink=sink,
        wall=places.wall,
        version=version("tabletop-companion"),
        dictionary=places.dictionary,
    )
    try:
        face.run(notices)
        sink.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        # Nobody reads any more: the record is whole. Keep Python from flushing into the void.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@cli.command("simulate")
@game_argument
@click.option("--games", "n", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Repeats the same games.")
@players_option
@set_option
@click.option("--fast", is_flag=True, help="Do not count presses: that takes as long as playing.")
def simulate_command(
    game: Game[Any],
    n: int,
    seed: int,
    players: str | None,
    pairs: tuple[str, ...],
    fast: bool,  # noqa: FBT001 - click gives it by name
) -> None:
    """Let random players play, and print figures."""
    names, options = players_of(game, players), options_of(game, pairs)
    edition = edition_of(game)
    found = simulate.many(game, names, options, edition, games=n, seed=seed, count=not fast)
    ways = [option.name for option in game.options if len(option.values) > 1]
    settings = ", ".join(f"{name}={options[name]}" for name in ways)
    click.echo(f"{found.games} games of {game.name}, {settings}")
    click.echo(f"  {found.games / found.seconds:10.0f} games a second")
    click.echo(f"  {found.answers / found.seconds:10.0f} answers a second")
    click.echo(f"  {found.answers / n:10.1f} answers a game")
    if found.asked:
        click.echo(f"  {found.presses / n:10.1f} presses a game")
        click.echo(f"  {found.presses / found.asked:10.2f} presses an answer")
    for name in names:
        click.echo(f"  {found.wins[name] / n:10.1%} won by {name}")


@cli.command("check")
@game_argument
@click.option("--games", "n", type=click.IntRange(1), default=5, show_default=True,
              help="Random games at each table: more find what is rare.")  # fmt: skip
def check_command(game: Game[Any], n: int) -> int:
    """Try what holds of every game that people can trust; exit status 1 if something does not."""
    from companion.cmd.check import check  # noqa: PLC0415 - only here

    return 0 if check(game, edition_of(game), n, click.echo) else 1


@cli.command("games")
@click.option("--json", "as_json", is_flag=True, help="As a list in JSON, for programs.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True)
def games_command(as_json: bool, lang: str) -> None:  # noqa: FBT001 - click gives it by name
    """List the games in the box, and what is wrong with those of packages that are left out."""
    from companion.cmd import shelf  # noqa: PLC0415 - only here

    games = shelf.games(lang)
    click.echo(shelf.as_json(games) if as_json else "\n".join(map(shelf.line, games)))


cli.add_command(carried.export_command)
cli.add_command(carried.import_command)
cli.add_command(carried.backup)
cli.add_command(carried.restore)
cli.add_command(stick.stick)
cli.add_command(evening.evening)
cli.add_command(looked.history)
cli.add_command(looked.people)
cli.add_command(looked.show)
cli.add_command(page)
cli.add_command(played.verify_command)


@cli.command("new-game")
@click.argument("name")
@click.option("--package", is_flag=True, help="Laid out for others, as a package of an index is.")
def new_game_command(name: str, package: bool) -> None:  # noqa: FBT001 - click gives it by name
    """Write a game of two minutes into a new folder here, to make one's own of."""
    from companion.cmd import new_game  # noqa: PLC0415 - only here

    written = new_game.write(name, Path(), package=package)
    click.echo(f"{written} is a game of two minutes, and yours to change. To play it:")
    click.echo(f"pip install -e ./{written}")
    click.echo("companion play")


@cli.command()
@game_argument
@click.option("--check", "file", type=click.Path(dir_okay=False, path_type=Path),
              help="List every mistake in a file.")  # fmt: skip
@click.option("--new", is_flag=True, help="Write a copy to change into the configuration folder.")
@click.option("--sheet", is_flag=True, help="Draw the board to print, as SVG, if a game has that.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True)
def edition(
    game: Game[Any],
    file: Path | None,
    new: bool,  # noqa: FBT001
    sheet: bool,  # noqa: FBT001
    lang: str,
) -> None:
    """Show what is printed on a game's board, check a file of yours, or begin one."""
    if file is not None:
        mistakes = editions.check(game.name, file)
        for mistake in mistakes:
            click.echo(str(mistake))
        if mistakes:
            sys.exit(1)
        for warning in editions.warnings(game.name, file):
            click.echo(f"Beware: {warning}.")
        click.echo(f"{file}: no mistakes.")
    elif new:
        written = editions.write_new(game.name, places.config_folder(), lang)
        click.echo(f"{written} is yours to change; check it with:")
        click.echo(f"companion edition {game.name} --check {written}")
    elif sheet:
        click.echo(_sheet(game, lang), nl=False)
    else:
        click.echo(editions.text(game.name, places.config_folder(), lang), nl=False)


def _sheet(game: Game[Any], language: str) -> str:
    """The board of the edition in force, to print, in a language. Raises click.UsageError."""
    sheet = registry.part(game.name, "sheet")
    if sheet is None:
        raise click.UsageError(f"{game.name} has no sheet to print.")
    edition = edition_of(game)
    words = Words(language, face_of(game.name).wording(game.name), edition)
    return str(sheet.draw(edition, words))


@cli.command("words")
@click.argument("language", type=click.Choice(LANGUAGES))
@click.argument("word")
def words_command(language: str, word: str) -> None:
    """Say whether a word is in the system's word list, as Probe asks with secret words."""
    found = Dictionary(places.word_folder()).judge(word, language)
    if found is None:
        package = PACKAGES[language]
        raise click.ClickException(f"There is no word list to ask: apt install {package}")
    lists = ", ".join(found.lists)
    if not found.known:
        click.echo(f"{word} is not in {lists}.")
        click.get_current_context().exit(1)
    click.echo(f"{word} is a word: {lists} has it.")


@cli.command()
@click.option("--render", is_flag=True, help="Speak what is always the same now, for the night.")
def voices(render: bool) -> None:  # noqa: FBT001 - click gives it by name
    """Say how many sentences are always the same, and have them spoken once, ahead."""
    from hardware.speech import parts  # noqa: PLC0415 - not for the other commands

    for language in LANGUAGES:
        sentences = phrases.fixed(language, parts)
        line = f"{language}: {len(sentences)} sentences are always the same"
        if render:
            with closing(places.speech()) as speech:
                speech.choose(language, "")
                for game in registry.NAMES:
                    speech.pronounce(face_of(game).names)
                size = speech.render((text, language) for text in sentences)
            line = f"{line}; all are spoken, {size / 2**20:.1f} MB"
        click.echo(f"{line}.")


@cli.command("doctor")
@click.option("--buttons", is_flag=True, help="Count each button's presses and bounces.")
@click.option("--seconds", type=float, help="End the count by itself.")
def doctor_command(buttons: bool, seconds: float | None) -> int:  # noqa: FBT001
    """Is every part of the box there? For each OK, or what to do; exit status 1 if one is not."""
    from companion.cmd import examine  # noqa: PLC0415 - only here

    return examine.try_buttons(seconds) if buttons else examine.examine()
