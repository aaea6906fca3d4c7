"""The commands `companion history`, `people`, `show`, `note` and `verify`, about recorded games."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import click

from companion.box.finished_game import load_recorded_game_sentences, public_frame_of_snapshot
from companion.catalog import registry
from companion.cmd import places, record_owner, repair_screens
from companion.cmd.arguments import lang_option
from companion.cmd.i18n import (
    command_sentence,
    command_sentence_for_count,
    localised_error_text,
    unknown_name_message,
)
from companion.cmd.page import PAGE_NICE_VALUE
from companion.core.chance import Chance
from companion.core.game import Cue
from companion.core.prompts import is_answered_by_box
from companion.figures import export_formats, game_review, names, recorded, sentences
from companion.figures.game_review import RecordedStep
from companion.figures.game_statistics import GameStatistics, ReplayStatistics
from companion.figures.people import PersonStatistics
from companion.figures.statistics_cache import StatisticsCache
from companion.play import verify
from companion.play.answer_history import RulesChangedError
from companion.play.record_header import package_from_record_header
from companion.record.journal import Journal, JournalError
from companion.say.decimals import format_decimal
from companion.say.words import Words
from companion.seat.turning_point import describe_turning_point_and_mistake
from companion.seat.turning_point import find_turning_point_and_mistake as turning_of
from hardware.display.frame_conversions import frame_as_braille_lines

json_option = click.option(
    "--json", "as_json", is_flag=True, help=("Print the output as JSON, for programs.")
)
journal_option = click.option(
    "--journal", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE", help="The record to use instead of this machine's record.",
)  # fmt: skip
GAMES_PER_PAGE: Final = 20
MAX_NOTE_LETTERS: Final = 200
"""Maximum number of letters in a note about a game."""


@contextmanager
def open_record_for_reading(path: Path | None = None) -> Iterator[Journal]:
    """Yield a record for reading: the record of this box, or the record at `path`.

    The command opens the record with the rights of the record's owner, even while a box uses the
    record. If the record must be repaired, the repair is reported first. If the
    record is missing, yield an empty record in memory.
    """
    with (
        record_owner.act_as_record_owner(path) as file,
        closing(_open_record(path, file)) as journal,
    ):
        if journal.repair_result is not None:
            text = Words(places.system_language()).fact_text(
                Cue("damaged", journal.repair_result._asdict())
            )
            click.echo(command_sentence("record.repaired", text=text.replace("|", " ")), err=True)
        yield journal


def _open_record(path: Path | None, file: Path) -> Journal:
    if not file.exists():
        return Journal(None)
    try:
        return repair_screens.open_or_repair_record(path=path)
    except JournalError as error:
        if error.code != "in_use":
            raise
        return Journal(file, beside=True)


@contextmanager
def open_statistics_cache(journal: Journal, path: Path | None = None) -> Iterator[StatisticsCache]:
    """Yield the statistics cache beside a record: this box's record, or the record at `path`."""
    file = path or places.record_file()
    cache_file = places.statistics_file_of_record(file) if file.exists() else None
    with closing(StatisticsCache(journal, cache_file)) as statistics:
        yield statistics


@click.command()
@json_option
@click.option(
    "--csv",
    "as_csv",
    is_flag=True,
    help=("Print CSV for a spreadsheet, with a row for each player of each game."),
)
@click.option(
    "--all", "every", is_flag=True, help=("List all games instead of only the newest games.")
)
@lang_option
def history(as_json: bool, as_csv: bool, every: bool, lang: str | None) -> None:
    """List the recorded games, newest first."""
    words = Words(lang or places.system_language())
    with open_record_for_reading() as journal:
        if as_json or as_csv:
            with open_statistics_cache(journal) as figures:
                games = (
                    [*reversed(figures.all_game_statistics())]
                    if every or as_csv
                    else figures.history_statistics_page()
                )
            text = (
                export_formats.game_results_as_csv(games)
                if as_csv
                else export_formats.game_statistics_as_json(games)
            )
            click.echo(text, nl=False)
            return
        numbers = journal.game_numbers()
        shown = numbers if every else numbers[:GAMES_PER_PAGE]
        for number in shown:
            click.echo(_line(journal, number, words))
    if not numbers:
        click.echo(words("box.figures.none"))
    if len(shown) < len(numbers):
        click.echo(words("box.figures.more", n=len(numbers) - len(shown)))


def _clock(at: int) -> str:
    return places.format_local_time(at) if at else command_sentence("history.undated")


def _line(journal: Journal, number: int, words: Words) -> str:
    try:
        summary = journal.game_summary(number)
    except JournalError as error:
        return f"{number:5d}  {localised_error_text(error)}"
    renames = names.load_current_names_table(journal.all_settings())
    now = {who: names.current_player_name(renames, who, number) for who in summary.players}
    when = _clock(summary.started)
    won = summary.winners and [now[who] for who in summary.winners]
    end = sentences.game_winners_text(words, won)
    players = sentences.names_text(words, now.values())
    return f"{number:5d}  {when}  {summary.game}  {players}: {end}"


@click.command()
@click.argument("number", type=int, metavar="N")
@json_option
@click.option("--bgstats", is_flag=True, help="Print a link that opens the game in BG Stats.")
@click.option("--bgg", is_flag=True, help="Print the game as JSON with BoardGameGeek's fields.")
@click.option("--moves", is_flag=True, help="Print the facts of each move with their rule numbers.")
@click.option("--frames", is_flag=True, help="Print each move's facts and the display's picture.")
@click.option("--turning", is_flag=True, help="Print only the answer that decided the game.")
@journal_option
@lang_option
def show(
    number: int, as_json: bool, bgstats: bool, bgg: bool,
    moves: bool, frames: bool, turning: bool, file: Path | None, lang: str | None,
) -> None:  # fmt: skip
    """Show the scores, the statistics and the chance of one recorded game.

    N is the number of the game in `companion history`.
    """
    words = Words(lang or places.system_language())
    with open_record_for_reading(file) as journal, open_statistics_cache(journal, file) as figures:
        if number not in journal.game_numbers():
            raise JournalError("no_game", n=number)
        if moves or frames:
            _again(journal, number, lang or places.system_language(), frames=frames)
            return
        if turning:
            _turning(journal, number, lang or places.system_language(), as_json=as_json)
            return
        played, detail = figures.compute_game_statistics(number)
        chance = export_formats.check_game_chance(journal, number)
        note = recorded.load_game_note(journal, number)
    if as_json:
        details = export_formats.game_details_as_dict(played, detail) | chance | {"note": note}
        click.echo(json.dumps(details, indent=2))
    elif bgstats:
        click.echo(export_formats.bgstats_link(played, words.game_title(played.game)))
    elif bgg:
        click.echo(json.dumps(export_formats.boardgamegeek_fields(played), indent=2))
    else:
        _figures(words, played, detail, chance, note)


@click.command()
@click.argument("number", type=int, metavar="N")
@click.argument("text", metavar="[TEXT]", default="")
def note(number: int, text: str) -> None:
    """Write the note TEXT about game N. Without TEXT, delete the note.

    N is the number of the game in `companion history`. `companion show` and the web page of the
    game show the note.
    """
    if len(text) > MAX_NOTE_LETTERS or not text.isprintable():
        raise click.UsageError(command_sentence("note.no_note", n=MAX_NOTE_LETTERS))
    with (
        record_owner.act_as_record_owner(None),
        closing(repair_screens.open_or_repair_record()) as journal,
    ):
        if number not in journal.game_numbers():
            raise JournalError("no_game", n=number)
        recorded.save_game_note(journal, number, text, places.wall_time())


def _figures(
    words: Words,
    played: GameStatistics,
    detail: ReplayStatistics,
    chance: Mapping[str, Any],
    note: str,
) -> None:
    click.echo(f"{words.game_title(played.game)}, {_clock(played.begun)}")
    chance_texts = sentences.chance_check_sentences(words, played, **chance)
    for text in (*sentences.game_statistics_sentences(words, played, detail), *chance_texts):
        click.echo(text)
    for name, bars in sentences.score_curve_bars(played, detail):
        click.echo(f"{sentences.person_name_or_somebody(words, name):<12.12} {bars}")
    if note:
        click.echo(words("box.figures.note", text=note))


def _again(journal: Journal, number: int, language: str, *, frames: bool) -> None:
    game = recorded.load_recorded_game(journal, number)
    words = load_recorded_game_sentences(game, language)
    try:
        for move in game_review.recorded_steps(game):
            for line in recorded_step_lines(move, words):
                click.echo(line)
            if frames:
                click.echo("\n".join(display_frame_as_text(move, words)))
    except RulesChangedError as error:
        raise click.ClickException(
            command_sentence("record.outgrown", why=localised_error_text(error))
        ) from error


def _turning(journal: Journal, number: int, language: str, *, as_json: bool) -> None:
    os.nice(max(0, PAGE_NICE_VALUE - os.nice(0)))
    try:
        turning = turning_of(journal, number, perf_counter)
    except RulesChangedError as error:
        raise click.ClickException(
            command_sentence("record.outgrown", why=localised_error_text(error))
        ) from error
    if turning is None:
        raise click.ClickException(command_sentence("turning.no", n=number))
    words = load_recorded_game_sentences(recorded.load_recorded_game(journal, number), language)
    sentences_by_name = describe_turning_point_and_mistake(turning, words)
    if as_json:
        click.echo(json.dumps(sentences_by_name))
        return
    for text in sentences_by_name.values() or (words("box.turning.none"),):
        click.echo(text)


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.option(
    "--rename",
    "new",
    metavar="NEW",
    help=("Rename NAME to NEW. If NEW is already a player, merge the results of both players."),
)
@click.option("--forget", is_flag=True, help="Hide NAME in all statistics.")
@click.option(
    "--game",
    type=int,
    metavar="N",
    help=("With --rename or --forget: change NAME only in game number N, such as for a guest."),
)
@json_option
@lang_option
def people(
    name: str | None, new: str | None, forget: bool, game: int | None,
    as_json: bool, lang: str | None,
) -> None:  # fmt: skip
    """Show how many games each player played and won, or only the results of NAME."""
    if (new or forget or game is not None) and (not name or not (new or forget)):
        raise click.UsageError(command_sentence("people.whom"))
    words = Words(lang or places.system_language())
    if name and (new or forget):
        _rename(name, "" if forget else str(new), game)
        return
    with open_record_for_reading() as journal, open_statistics_cache(journal) as figures:
        persons = figures.people_statistics(_building)
        if name:
            _one(name, persons, figures.game_specific_person_counts(name), words, as_json=as_json)
        elif as_json:
            rows = [export_formats.person_statistics_as_dict(person) for person in persons]
            click.echo(json.dumps(rows, indent=2))
        else:
            _table(figures, persons, words)


def _building(left: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{left} ", err=True, nl=False)


def _rename(name: str, new: str, game: int | None) -> None:
    if new and (not new.isprintable() or len(new) > 40 or ":" in new):  # noqa: PLR2004 - as of players
        raise click.UsageError(command_sentence("given.no_name", name=repr(new), n=40))
    with (
        record_owner.act_as_record_owner(None),
        closing(repair_screens.open_or_repair_record()) as journal,
    ):
        renames = names.load_current_names_table(journal.all_settings())
        journal.save_setting(
            names.NAMES_SETTING,
            names.name_table_after_rename(renames, name, new, game),
            places.wall_time(),
        )


def _one(
    name: str,
    persons: tuple[PersonStatistics, ...],
    counts: Mapping[tuple[str, str], int],
    words: Words,
    *,
    as_json: bool,
) -> None:
    person = next((other for other in persons if other.name == name), None)
    if not persons:
        raise click.UsageError(words("box.figures.nobody"))
    if person is None:
        raise click.UsageError(
            unknown_name_message("person", name, [other.name for other in persons])
        )
    if as_json:
        click.echo(json.dumps(export_formats.person_statistics_as_dict(person, counts), indent=2))
    else:
        for text in (name, *sentences.person_statistics_sentences(words, person, counts)):
            click.echo(text)


def _table(figures: StatisticsCache, persons: tuple[PersonStatistics, ...], words: Words) -> None:
    if not persons:
        click.echo(words("box.figures.nobody"))
    for person in persons:
        click.echo(f"{person.name:<20.20} {sentences.wins_and_games_text(words, person.all)}")
    group = figures.group_statistics(places.local_date)
    for year, of in group.years.items():
        wins = ", ".join(f"{who} {n}" for who, n in sorted(of.wins.items(), key=_most))
        hours = format_decimal(of.seconds / 3600, words.language)
        year_text = words.sentence_for_count(
            "box.figures.year", of.games, year=year, hours=hours, wins=wins
        )
        click.echo(year_text)
    for name, best in sorted(group.records.items()):
        longest = best.longest
        facts: dict[str, Any] = {"n": longest.answers, "number": longest.number}
        then = _clock(longest.begun)[:10] if longest.begun else command_sentence("history.undated")
        click.echo(words("box.figures.record", game=words.game_title(name), day=then, **facts))
    if hardest := figures.hardest_secret_words():
        click.echo(sentences.hardest_secret_words_sentence(words, hardest))
    for then_played in figures.list_games_one_year_ago(places.wall_time(), places.local_date):
        who = sentences.names_text(words, then_played.players)
        called = words.game_title(then_played.game)
        click.echo(words("box.figures.year_ago", game=called, who=who, number=then_played.number))


def _most(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


@click.command("verify")
@click.argument("number", type=int, metavar="N")
def verify_command(number: int) -> None:
    """Replay a finished game from its seed, and check every random result of the game.

    N is the number of the game in `companion history`.
    """
    with open_record_for_reading() as journal:
        if number not in journal.game_numbers():
            raise JournalError("no_game", n=number)
        if journal.game_summary(number).winners is None:
            raise click.ClickException(command_sentence("verify.open", n=number))
        report = verify.verify_game_against_seed(journal, number)
        header, entries = journal.read_game_header_and_lines(number)
    if other := _other_version(header):
        click.echo(other)
    seed = header["seed"]
    click.echo(
        command_sentence("verify.game", n=number, code=Chance(seed).commitment_code, seed=seed)
    )
    if presses := [str(entry.value) for entry in entries if entry.kind == "press"]:
        click.echo(command_sentence("verify.presses", presses=",".join(presses)))
    if report.problem is not None:
        problem = command_sentence(f"wrong.problem.{report.problem}")
        raise click.ClickException(
            command_sentence("verify.crooked", n=report.last_verified_entry, what=problem)
        )
    click.echo(command_sentence_for_count("verify.straight", report.draws))
    if report.agreed_undos:
        click.echo(command_sentence("verify.agreed", n=report.agreed_undos))
    if report.corrected:
        click.echo(command_sentence("verify.corrected", n=report.corrected))
    if report.reopened:
        click.echo(command_sentence("verify.reopened"))


def _other_version(header: Mapping[str, Any]) -> str:
    played, here = package_from_record_header(header), registry.game_package_version(header["game"])
    if played is None or here is None or played == here:
        return ""
    return command_sentence("verify.other_version", played=played, here=here.version)


def recorded_step_lines(move: RecordedStep, words: Words) -> Iterator[str]:
    """Yield the lines about a step of a game: events with clauses, an undo, or a redo."""
    when = _clock(move.at)
    if move.entry.kind in ("undo", "redo"):
        yield f"{move.n:4d}  {when}  {words(f'box.figures.{move.entry.kind}')}"
    for cue in () if move.entry.kind == "undo" else move.cues:
        if text := words.fact_text(cue).replace("|", " "):
            clause = f"  [{cue.clause}]" if cue.clause else ""
            yield f"{move.n:4d}  {when}  {text}{clause}"


def display_frame_as_text(move: RecordedStep, words: Words) -> list[str]:
    """Return the display's frame after a step of a game as lines of text.

    If the pending question is private, the frame shows the score instead. If the box itself answers
    the pending question with a roll or a shuffle, return an empty list.
    """
    return (
        []
        if is_answered_by_box(move.after.prompt)
        else frame_as_braille_lines(public_frame_of_snapshot(move.after, words))
    )
