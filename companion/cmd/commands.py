"""`companion …`: every command but the box itself. click does the reading and the help."""

from __future__ import annotations

import random
import sys
from contextlib import closing, suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.box.slips import safe
from companion.catalog import editions, registry
from companion.cmd import (
    carried,
    evening,
    looked,
    manual,
    places,
    played,
    start,
    stdio,
    stick,
    telling,
    worded,
)
from companion.cmd.arguments import (
    edition_of,
    game_argument,
    options_of,
    players_of,
    players_option,
    set_option,
    socket_option,
)
from companion.cmd.call import call
from companion.cmd.hotspot import hotspot
from companion.cmd.looked import lang_option
from companion.cmd.paged import page
from companion.cmd.tongue import mistaken, said
from companion.core.chance import Chance, fresh_seed
from companion.draw.face import face_of
from companion.play import simulate
from companion.play.session import Session, Setup
from companion.record.journal import Journal
from companion.say import phrases
from companion.say.decimals import decimal
from companion.say.words import LANGUAGES, Words

if TYPE_CHECKING:
    from companion.core.game import Game


def run(arguments: list[str], *, debug: bool) -> int:
    """Do a command; its exit status. What is wrong with it is one line on standard error."""
    return call(cli, "companion", arguments, debug=debug)


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
        click.echo(said("play.no_terminal") + "\n")
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
    setup = Setup(game, game.names[:3], options, edition_of(game), chance, mixing=False)
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, setup, 0)
        face, book = safe(setup)
        words = book.words(places.language())
        click.echo(f"{words(f'{game.name}.name')}\n{words('box.mix.title')}: {chance.code}\n")

        chosen = random.Random(chance.seed)  # noqa: S311 - likewise
        telling.tell(session, words, chosen, click.echo)
    click.echo("\n" + "\n".join(half_blocks(standing(session.snapshot, words, Cursor(), face))))


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
    click.echo(said("simulate.games", n=found.games, game=game.name, options=settings))
    for figure, value, form in telling.figures(found):
        told = f"{decimal(value, places.language(), form):>10}"
        click.echo(f"  {said(f'simulate.{figure}', n=told)}")
    for name in names:
        share = f"{decimal(100 * found.wins[name] / n, places.language()):>8}"
        click.echo(f"  {said('simulate.wins', n=share, name=name)}")


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
@lang_option
def games_command(as_json: bool, lang: str | None) -> None:  # noqa: FBT001 - click gives it by name
    """List the games in the box, and what is wrong with those of packages that are left out."""
    from companion.cmd import shelf  # noqa: PLC0415 - only here

    games = shelf.games(lang or places.language())
    click.echo(shelf.as_json(games) if as_json else "\n".join(map(shelf.line, games)))


cli.add_command(carried.export_command)
cli.add_command(carried.import_command)
cli.add_command(carried.backup)
cli.add_command(carried.restore)
cli.add_command(manual.completion)
cli.add_command(manual.manual)
cli.add_command(stick.stick)
cli.add_command(stdio.stdio)
cli.add_command(evening.evening)
cli.add_command(looked.history)
cli.add_command(looked.people)
cli.add_command(looked.show)
cli.add_command(hotspot)
cli.add_command(page)
cli.add_command(worded.words_command)
cli.add_command(played.verify_command)


@cli.command("new-game")
@click.argument("name", metavar="NAME")
@click.option("--package", is_flag=True, help="Laid out for others, as a package of an index is.")
def new_game_command(name: str, package: bool) -> None:  # noqa: FBT001 - click gives it by name
    """Write a game of two minutes into a new folder here, to make one's own of."""
    from companion.cmd import new_game  # noqa: PLC0415 - only here

    written = new_game.write(name, Path(), package=package)
    click.echo(said("new_game.written", folder=written))
    click.echo(f"pip install -e ./{written}")
    click.echo("companion play")


@cli.command()
@game_argument
@click.option("--check", "file", type=click.Path(dir_okay=False, path_type=Path),
              help="List every mistake in a file.")  # fmt: skip
@click.option("--new", is_flag=True, help="Write a copy to change into the configuration folder.")
@click.option("--sheet", is_flag=True, help="Draw the board to print, as SVG, if a game has that.")
@lang_option
def edition(
    game: Game[Any],
    file: Path | None,
    new: bool,  # noqa: FBT001
    sheet: bool,  # noqa: FBT001
    lang: str | None,
) -> None:
    """Show what is printed on a game's board, check a file of yours, or begin one."""
    lang = lang or places.language()
    if not sheet:
        _printed(game)
    if file is not None:
        mistakes = editions.check(game.name, file)
        for mistake in mistakes:
            click.echo(mistaken(mistake))
        if mistakes:
            sys.exit(1)
        for warning in editions.warnings(game.name, file):
            click.echo(said("edition.beware", what=mistaken(warning)))
        click.echo(said("edition.fine", file=file))
    elif new:
        try:
            written = editions.write_new(game.name, places.config_folder(), lang)
        except editions.EditionExists as error:
            taken = editions.own_file(game.name, places.config_folder())
            raise click.ClickException(said("edition.exists", file=taken)) from error
        click.echo(said("edition.written", file=written))
        click.echo(f"companion edition {game.name} --check {written}")
    elif sheet:
        click.echo(_sheet(game, lang), nl=False)
    else:
        folders = places.config_folder(), places.data_folder()
        click.echo(editions.text(game.name, *folders, lang), nl=False)


def _printed(game: Game[Any]) -> None:
    """Raises click.ClickException if nothing is printed for a game."""
    try:
        editions.template(game.name)
    except editions.NoEdition as error:
        raise click.ClickException(said("edition.none", game=game.name)) from error


def _sheet(game: Game[Any], language: str) -> str:
    """The board of the edition in force, to print, in a language. Raises click.UsageError."""
    sheet = registry.part(game.name, "sheet")
    if sheet is None:
        raise click.UsageError(said("edition.no_sheet", game=game.name))
    edition = edition_of(game)
    words = Words(language, face_of(game.name), edition, game=game.name)
    return str(sheet.draw(edition, words))


@cli.command()
@click.option("--render", is_flag=True, help="Speak what is always the same now, for the night.")
def voices(render: bool) -> None:  # noqa: FBT001 - click gives it by name
    """Say how many sentences are always the same, and have them spoken once, ahead.

    That is with the voices, and as fast, as the settings of the box say.
    """
    from companion.box.menus.settings import legal  # noqa: PLC0415 - not for the other commands
    from companion.hear.policy import spoken  # noqa: PLC0415 - likewise
    from companion.record.scan import settings  # noqa: PLC0415 - likewise
    from hardware.speech import parts  # noqa: PLC0415 - likewise

    kept: dict[str, Any] = {}
    with suppress(FileNotFoundError):  # nobody has played yet
        kept = {str(entry.question): entry.value for entry in settings(places.record())}
    chosen = legal(kept, places.language())
    for language in LANGUAGES:
        sentences = phrases.fixed(language, parts)
        line = said("voices.fixed", language=language, n=len(sentences))
        if render:
            with closing(places.speech()) as speech:
                speech.choose(language, *spoken(chosen, language))
                for game in registry.NAMES:
                    speech.pronounce(face_of(game).names)
                size = speech.render((text, language) for text in sentences)
            told = {"n": len(sentences), "size": decimal(size / 2**20, places.language())}
            line = said("voices.rendered", language=language, **told)
        click.echo(line)


@cli.command("doctor")
@click.option("--buttons", is_flag=True, help="Count each button's presses and bounces.")
@click.option("--seconds", type=float, help="End the count by itself.")
def doctor_command(buttons: bool, seconds: float | None) -> int:  # noqa: FBT001
    """Is every part of the box there? For each OK, or what to do; exit status 1 if one is not."""
    from companion.cmd import examine  # noqa: PLC0415 - only here

    return examine.try_buttons(seconds) if buttons else examine.examine()
