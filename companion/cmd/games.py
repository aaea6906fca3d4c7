"""The commands `companion games`, `play`, `simulate` and `edition`."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import click

from companion.box.face_errors import guarded_face_and_words
from companion.catalog import editions, registry
from companion.catalog.packages import PackagedGame, load_packaged_game
from companion.cmd import places
from companion.cmd.arguments import (
    game_argument,
    lang_option,
    load_edition_in_use,
    parse_box_settings,
    parse_game_options,
    parse_player_names,
    players_option,
    set_box_option,
    set_option,
    socket_option,
)
from companion.cmd.i18n import (
    command_sentence,
    describe_file_mistake,
    english_error_text,
    localised_error_text,
)
from companion.core.chance import Chance, fresh_seed
from companion.core.errors import ExcludedGame
from companion.core.game import Cue, Game
from companion.core.version import installed_version
from companion.draw.face import load_face
from companion.draw.screens import standing_frame
from companion.play import simulate
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.simulate import SimulationStatistics, random_answer
from companion.press.cursor import Cursor
from companion.record.journal import Journal
from companion.say.decimals import format_decimal
from companion.say.words import Words
from hardware.display.frame_conversions import frame_as_half_block_lines

PACKAGE_NAME: Final = "tabletop-companion"


def game_list_rows(language: str) -> list[dict[str, Any]]:
    """Return one row of data for each built-in or packaged game; `--json` prints these rows.

    A row has `name`, `title`, `package`, `version`, `seats` (minimum and maximum of players),
    `api`, `ok` and `why`. If a game cannot be loaded, `ok` is False, `seats` and `api` are None,
    and `why` is the reason, a `TranslatedError`.
    """
    words, version = Words(language), installed_version()
    built_in = [
        _row(PackagedGame(name, "", PACKAGE_NAME, version), registry.find_game(name), words)
        for name in registry.BUILT_IN_GAMES
    ]
    return [*built_in, *(_of_package(game, words) for game in registry.packaged_games())]


def _of_package(game: PackagedGame, words: Words) -> dict[str, Any]:
    """Return the row of data about a package's game.

    Load the game again, because the files of the game may have changed.
    """
    try:
        return _row(
            game, load_packaged_game(game) if game.exclusion_reason is None else None, words
        )
    except ExcludedGame as error:
        return _row(game._replace(exclusion_reason=error.why), None, words)


def _row(packaged: PackagedGame, game: Game[Any] | None, words: Words) -> dict[str, Any]:
    return {
        "name": packaged.name,
        "title": words.game_title(packaged.name) if game else packaged.name,
        "version": packaged.version,
        "package": packaged.package,
        "seats": [game.seats[0], game.seats[-1]] if game else None,
        "api": game.api if game else None,
        "ok": game is not None,
        "why": packaged.exclusion_reason,
    }


def game_list_as_json(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows of games as JSON; the reasons why games are unusable are in English."""
    return json.dumps(rows, ensure_ascii=False, indent=2, default=english_error_text)


def format_game_line(game: dict[str, Any]) -> str:
    """Return a row of `game_list_rows` as a line of text."""
    origin = f"{game['package']} {game['version']}"
    if not game["ok"]:
        text = command_sentence(
            "games.left_out", why=localised_error_text(game["why"]), origin=origin
        )
    else:
        few, most = game["seats"]
        text = command_sentence(
            "games.line", title=game["title"], few=few, most=most, origin=origin
        )
    return f"{game['name']:<16}{text}"


FACE_OPTION_VALUES: Final = ("terminal", "pi", "headless")


def narrate_random_game(
    session: Session, words: Words, chosen: random.Random, say: Callable[[str], None]
) -> None:
    """Play one random game to its end; pass every public event as a sentence to `say`."""
    while True:
        for cue in session.standing.snapshot.cues:
            if cue.to is None and (text := _sentence(words, cue)):
                say(text)
        if (prompt := session.standing.pending_prompt) is None:
            break
        session.answer(random_answer(prompt, chosen), 0)
        session.commit()


def simulation_statistics_rows(
    statistics: SimulationStatistics,
) -> Iterator[tuple[str, float, str]]:
    """Yield the name, the value and the number format of each statistic of random games."""
    yield "games_a_second", statistics.games / statistics.seconds, ".0f"
    yield "answers_a_second", statistics.answers / statistics.seconds, ".0f"
    yield "answers_a_game", statistics.answers / statistics.games, ".1f"
    if statistics.player_answers:
        yield "presses_a_game", statistics.presses / statistics.games, ".1f"
        yield "presses_an_answer", statistics.presses / statistics.player_answers, ".2f"


def _sentence(words: Words, cue: Cue) -> str:
    """Return the display's sentence for an event.

    If only the event's spoken sentence names the player, return the spoken sentence instead.
    """
    who = cue.facts.get("who") or next(iter(cue.facts.get("winners", ())), None)
    text, speech = words.fact_text(cue), words.fact_speech(cue)
    named = isinstance(who, str) and who not in text and who in speech
    return (speech if named else text).replace("|", " ")


@click.command(context_settings={"allow_extra_args": True})
@click.option("--face", type=click.Choice(FACE_OPTION_VALUES), default="terminal",
              show_default=True,
              help=(
                      "The display and the buttons: a terminal, the hardware of a Pi, or lines "
                      "of text."
                  ))  # fmt: skip
@click.option("--journal", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The record to use instead of this machine's record.")  # fmt: skip
@socket_option
@set_box_option
def play(face: str, file: Path | None, socket: Path | None, box: tuple[str, ...]) -> None:
    """Run the box in this terminal, or on the hardware of a Raspberry Pi.

    With `--face headless`, the command reads button presses as lines of text
    (docs/programmers/headless.md).
    """
    _refuse_arguments(click.get_current_context().args)
    if face == "terminal" and not (sys.stdin.isatty() and sys.stdout.isatty()):
        if file is not None:
            raise click.UsageError(command_sentence("play.no_terminal_for", file=file))
        click.echo(command_sentence("play.no_terminal") + "\n")
        _tell_a_game()
        return
    from companion.cmd import start  # noqa: PLC0415 - the whole box

    start.run_box_on_face(face, file, socket, parse_box_settings(box))


def _refuse_arguments(given: Sequence[str]) -> None:
    if not given:
        return
    game = given[0].casefold().replace("_", "-")
    if game in registry.playable_game_names():
        raise click.UsageError(command_sentence("play.no_game", game=game))
    raise click.UsageError(command_sentence("play.no_argument", found=" ".join(given)))


def _tell_a_game() -> None:
    game = random.choice(registry.playable_games())  # noqa: S311 - no cryptography
    chance = Chance(fresh_seed())
    options = parse_game_options(game, ())
    setup = GameSetup(
        game, game.names[:3], options, load_edition_in_use(game, None), chance, mixing=False
    )
    with closing(Journal(None)) as journal:
        session = Session.begin(journal, setup, 0)
        face, book = guarded_face_and_words(setup)
        words = book[places.system_language()]
        click.echo(
            f"{words(f'{game.name}.name')}\n{words('box.mix.title')}: {chance.commitment_code}\n"
        )

        chosen = random.Random(chance.seed)  # noqa: S311 - no cryptography
        narrate_random_game(session, words, chosen, click.echo)
    frame = standing_frame(session.standing.snapshot, words, Cursor(), face)
    click.echo("\n" + "\n".join(frame_as_half_block_lines(frame)))


@click.command("simulate")
@game_argument
@click.option("--games", "n", type=click.IntRange(1), default=1000, show_default=True,
              help="The number of games to play.")  # fmt: skip
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help=("The seed of all chance: the same seed gives the same games."),
)
@players_option
@set_option
@click.option(
    "--fast", is_flag=True, help="Do not count button presses; this count doubles the running time."
)
def simulate_command(
    game: Game[Any],
    n: int,
    seed: int,
    players: str | None,
    pairs: tuple[str, ...],
    fast: bool,
) -> None:
    """Run games with random players, and print statistics of the games."""
    names, options = parse_player_names(game, players), parse_game_options(game, pairs)
    first = game.setup(names, options, load_edition_in_use(game, places.record_folder()))
    statistics = simulate.simulate_random_games(game, first, games=n, seed=seed, count=not fast)
    ways = [option.name for option in game.options if len(option.values) > 1]
    settings = ", ".join(f"{name}={options[name]}" for name in ways)
    click.echo(
        command_sentence("simulate.games", n=statistics.games, game=game.name, options=settings)
    )
    for figure, value, form in simulation_statistics_rows(statistics):
        number = f"{format_decimal(value, places.system_language(), form):>10}"
        click.echo(f"  {command_sentence(f'simulate.{figure}', n=number)}")
    for name in names:
        share = f"{format_decimal(100 * statistics.wins[name] / n, places.system_language()):>8}"
        click.echo(f"  {command_sentence('simulate.wins', n=share, name=name)}")


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print the output as JSON, for programs.")
@lang_option
def games_command(as_json: bool, lang: str | None) -> None:
    """List the installed games, and explain why a game package cannot be used."""
    rows = game_list_rows(lang or places.system_language())
    click.echo(game_list_as_json(rows) if as_json else "\n".join(map(format_game_line, rows)))


@click.command()
@game_argument
@click.option("--check", "file", type=click.Path(dir_okay=False, path_type=Path),
              help="List every mistake in the edition file FILE.")  # fmt: skip
@click.option("--new", is_flag=True,
              help="Copy the edition into the configuration folder, so that you "
                   "can change the copy.")  # fmt: skip
@click.option("--sheet", is_flag=True,
              help="Draw the game's board as SVG for printing, if the game has a "
                   "drawing.")  # fmt: skip
@lang_option
def edition(
    game: Game[Any],
    file: Path | None,
    new: bool,
    sheet: bool,
    lang: str | None,
) -> None:
    """Show a game's edition, check an edition file, or write a new edition file."""
    lang = lang or places.system_language()
    if not sheet:
        _require_edition(game)
    if file is not None:
        _check(game, file)
    elif new:
        try:
            written = editions.write_user_edition_template(game.name, places.config_folder(), lang)
        except editions.EditionExistsError as error:
            taken = editions.user_edition_file(game.name, places.config_folder())
            raise click.ClickException(command_sentence("edition.exists", file=taken)) from error
        click.echo(command_sentence("edition.written", file=written))
        click.echo(f"companion edition {game.name} --check {written}")
    elif sheet:
        click.echo(_sheet(game, lang), nl=False)
    else:
        folders = places.config_folder(), places.record_folder()
        click.echo(editions.active_edition_text(game.name, *folders, lang), nl=False)


def _check(game: Game[Any], file: Path) -> None:
    mistakes = editions.find_edition_file_mistakes(game.name, file)
    for mistake in mistakes:
        click.echo(describe_file_mistake(mistake))
    if mistakes:
        sys.exit(1)
    for warning in editions.unusual_edition_value_warnings(game.name, file):
        click.echo(command_sentence("edition.beware", what=describe_file_mistake(warning)))
    click.echo(command_sentence("edition.fine", file=file))


def _require_edition(game: Game[Any]) -> None:
    try:
        editions.built_in_edition_file(game.name)
    except editions.NoEditionError as error:
        raise click.ClickException(command_sentence("edition.none", game=game.name)) from error


def _sheet(game: Game[Any], language: str) -> str:
    sheet = registry.import_game_submodule(game.name, "sheet")
    if sheet is None:
        raise click.UsageError(command_sentence("edition.no_sheet", game=game.name))
    edition = load_edition_in_use(game, places.record_folder())
    words = Words(language, load_face(game.name), edition, game=game.name)
    return str(sheet.draw(edition, words))
