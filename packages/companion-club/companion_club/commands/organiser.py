"""The commands with which an organiser runs an evening at many tables (docs/evening.md)."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from companion.catalog import registry
from companion.cmd import places, record_owner
from companion.cmd.arguments import ask_yes_no
from companion.core.chance import Chance, fresh_seed
from companion.core.name_comparison import normalise_name
from companion.figures import recorded
from companion.figures.game_statistics import recorded_game_statistics
from companion.play.verify import verify_game_against_seed
from companion.record.journal import Journal, JournalError
from companion_club import evenings_on_broker, exporting, hosting, new_facts, slips, topics
from companion_club import folder as files
from companion_club.commands.evening import evening
from companion_club.commands.tables import (
    EditableEvening,
    EveningLocation,
    add_evening_location_options,
    attend,
    open_editable_evening,
    serve,
    unusable_broker_error,
)
from companion_club.commands.words import (
    localised_error,
    localised_plural_sentence,
    localised_sentence,
)
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import EveningConflict, EveningState, compute_evening_state
from companion_club.exporting import claim_text, result_sources
from companion_club.seating import facts
from companion_club.seating.facts import SEATING_RULES, TABLE_SEATS, TOTAL_KINDS
from companion_club.topics import Fact

MOSQUITTO_FOLDER: Final = Path("/etc/mosquitto")
AVAHI_SERVICES_FOLDER: Final = Path("/etc/avahi/services")
MAX_POINTS_DIGITS: Final = len(str(facts.MAX_POINTS))


@evening.command("open")
@click.argument("title", metavar="TITLE")
@click.option("--game", type=click.Choice(registry.BUILT_IN_GAMES), default="probe",
              show_default=True, help="The game that all tables play.")  # fmt: skip
@click.option("--rule", type=click.Choice(SEATING_RULES), default=SEATING_RULES[0],
              show_default=True,
              help="The rule by which players change tables after each round.")  # fmt: skip
@click.option("--games", type=click.IntRange(1, facts.MAX_ROUNDS), default=5, show_default=True,
              help="The number of games that every player plays.")  # fmt: skip
@click.option("--until-bell", is_flag=True,
              help="Play until `companion evening bell` ends the evening, without "
                   "a fixed number of games.")  # fmt: skip
@click.option("--total", "which_total", type=click.Choice(TOTAL_KINDS), default=TOTAL_KINDS[0],
              show_default=True,
              help="With the rule progressive: rank the players of a table by the points of "
                   "the last `game`, or by the points `carried` over all games.")  # fmt: skip
@click.option("--seats", type=click.IntRange(TABLE_SEATS[0], TABLE_SEATS[-1]), default=4,
              show_default=True,
              help="The number of seats at each table.")  # fmt: skip
@add_evening_location_options
def open_command(
    place: EveningLocation, title: str, until_bell: bool, games: int, **how: Any
) -> None:
    """Open an evening called TITLE, for which players can then sign up."""
    if not (title := topics.shorten_title_for_display(title)):
        raise click.UsageError(localised_sentence("evening.no_title"))
    with open_editable_evening(place) as desk:
        if "rules" in desk.known_claims.heads:
            raise click.ClickException(localised_sentence("evening.is_open", name=place.name))
        seed = fresh_seed()
        number = None if until_bell else games
        desk.save_and_publish_fact(
            "rules", new_facts.new_evening_rules(title, seed=seed, games=number, **how)
        )
    click.echo(localised_sentence("evening.opened", title=title, code=Chance(seed).commitment_code))


since_option = click.option(
    "--round", "number", type=click.IntRange(1, facts.MAX_ROUNDS),
    help="The first round of the change (default: the next round). If the players of this round "
         "are already seated, other players may get new seats.",
)  # fmt: skip
yes_option = click.option(
    "--yes", is_flag=True, help=("Change the seats of players without asking for confirmation.")
)


@evening.command("sign")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option(
    "--for",
    "plays_for",
    metavar="NAME",
    help=("Let the new player replace the player NAME, who leaves."),
)
@since_option
@yes_option
@add_evening_location_options
def sign(
    place: EveningLocation,
    names: tuple[str, ...],
    plays_for: str | None,
    number: int | None,
    yes: bool,
) -> None:
    """Sign up players for the next round.

    Before the first result, sign up players for the first round.
    """
    with open_editable_evening(place) as desk:
        since = _from_round(desk, number)
        for name in map(_usual, names):
            topic = topics.person_topic(name)
            if (
                other := new_facts.find_similar_signed_up_name(desk.known_claims, name)
            ) is not None:
                raise click.ClickException(
                    localised_sentence("evening.alike", name=name, other=other)
                )
            if topic in desk.known_claims.heads:
                fact = new_facts.rejoin_fact(_person(desk, name), since)
            else:
                fact = new_facts.person_plays_from_round_fact(
                    since, plays_for and _usual(plays_for)
                )
            if _say(desk, topic, fact, yes=yes, moves=number is not None):
                click.echo(localised_sentence("evening.signed", name=name, n=since))


@evening.command("leave")
@click.argument("name", metavar="NAME")
@since_option
@yes_option
@add_evening_location_options
def leave(place: EveningLocation, name: str, number: int | None, yes: bool) -> None:
    """Remove the player NAME after the current round.

    Before the first result, remove NAME at once.
    """
    with open_editable_evening(place) as desk:
        last = _from_round(desk, number) - 1
        person, topic = _person(desk, name), topics.person_topic(_usual(name))
        never = new_facts.person_first_round(person) > last
        if never:
            _not_begun(desk, _usual(name), new_facts.person_first_round(person))
        fact = new_facts.leave_fact(person, last)
        if _say(desk, topic, fact, yes=yes, moves=never or number is not None):
            click.echo(localised_sentence("evening.leaves", name=name, n=last + 1))


def _from_round(desk: EditableEvening, number: int | None) -> int:
    if number is not None and number < (now := len(desk.evening_state.rounds)):
        raise click.UsageError(localised_sentence("evening.round_over", n=number, now=now))
    return number or new_facts.next_round_number(desk.evening_state)


def _not_begun(desk: EditableEvening, name: str, first: int) -> None:
    if new_facts.has_results_from_round_on(desk.evening_state, first):
        raise click.ClickException(
            localised_sentence("evening.too_late", name=name, n=first, then=first + 1)
        )
    if (other := new_facts.find_stand_in(desk.known_claims, name)) is not None:
        raise click.ClickException(localised_sentence("evening.replaced", name=name, other=other))


@evening.command("stay")
@click.argument("name", metavar="NAME")
@since_option
@yes_option
@add_evening_location_options
def stay(place: EveningLocation, name: str, number: int | None, yes: bool) -> None:
    """Keep the player NAME at the same table from the next seating on."""
    with open_editable_evening(place) as desk:
        since = _from_round(desk, number)
        fact, topic = (
            new_facts.keep_table_fact(_person(desk, name), since),
            topics.person_topic(_usual(name)),
        )
        if _say(desk, topic, fact, yes=yes, moves=number is not None):
            click.echo(localised_sentence("evening.stays", name=name, n=since))


@evening.command("bell")
@add_evening_location_options
def bell(place: EveningLocation) -> None:
    """Make the current round the last round of the evening."""
    with open_editable_evening(place) as desk:
        state = desk.evening_state
        if state.rules is None:
            raise click.ClickException(localised_sentence("evening.not_open"))
        desk.save_and_publish_fact("rules", {**state.rules, "last": max(1, len(state.rounds))})
    click.echo(localised_sentence("evening.last"))


@evening.command("add")
@click.argument("number", metavar="ROUND", required=False,
                type=click.IntRange(1, facts.MAX_ROUNDS))  # fmt: skip
@click.argument("table", metavar="TABLE", required=False,
                type=click.IntRange(1, facts.MAX_PLAYERS))  # fmt: skip
@click.argument("points", metavar="NAME=POINTS…", nargs=-1)
@click.option("--code", metavar="TEXT", help="Enter the result code of a box instead of points.")
@click.option("--broken-off", is_flag=True,
              help="Record that the table broke off the game, with 0 points for all.")  # fmt: skip
@click.option("--seats-too", is_flag=True,
              help="Let a corrected result move players who are already seated.")  # fmt: skip
@yes_option
@add_evening_location_options
def add(
    place: EveningLocation,
    number: int | None,
    table: int | None,
    points: tuple[str, ...],
    code: str | None,
    broken_off: bool,
    seats_too: bool,
    yes: bool,
) -> None:
    """Enter or correct the result of a table, or choose between contradictory results."""
    if code is not None:
        _take(place, code)
        return
    if number is None or table is None:
        raise click.UsageError(localised_sentence("evening.which"))
    result = _points(points)
    if bool(result) == broken_off:
        raise click.UsageError(localised_sentence("evening.points"))
    with open_editable_evening(place) as desk:
        topic, claims = topics.result_topic(number, table), desk.known_claims
        fact = new_facts.points_correction_fact(claims, number, table, result, seats_too=seats_too)
        if not _say(desk, topic, fact, yes=yes):
            return
        for problem in map(conflict_text, desk.evening_state.conflicts):
            click.echo(problem, err=True)
    click.echo(localised_sentence("evening.result", n=number, table=table))


def _say(desk: EditableEvening, topic: str, fact: Fact, *, yes: bool, moves: bool = True) -> bool:
    """Save a fact, unless the user declines; return True if the fact was saved.

    If the fact moves seated players to other tables, print these moves. If there are such moves and
    `yes` is False, ask the user whether to save the fact. `moves` is False if the fact cannot move
    players.
    """
    moves_found = (
        new_facts.players_changing_tables(
            desk.known_claims, desk.known_claims.with_own_fact("x", topic, fact)
        )
        if moves
        else ()
    )
    for move in moves_found:
        click.echo(localised_sentence("evening.moves", who=move.who, of=move.origin, to=move.to))
    if moves_found and not yes and not ask_yes_no(localised_sentence("evening.change")):
        return False
    desk.save_and_publish_fact(topic, fact)
    return True


def _take(place: EveningLocation, text: str) -> None:
    with open_editable_evening(place) as desk:
        try:
            accepted = slips.parse_new_result_from_slip(
                text, place.name, desk.evening_state, desk.known_claims
            )
        except slips.InvalidSlip as error:
            raise click.ClickException(localised_error(error)) from error
        if accepted is not None:
            desk.save_and_publish_fact(accepted[0], accepted[1].result_fact)
    click.echo(localised_sentence("evening.taken"))


def _points(pairs: tuple[str, ...]) -> dict[str, int]:
    points: dict[str, int] = {}
    for pair in pairs:
        name, _, value = _usual(pair).rpartition("=")
        digits = value.removeprefix("-")
        if not name or name in points or not digits.isdecimal() or len(digits) > MAX_POINTS_DIGITS:
            raise click.UsageError(localised_sentence("evening.pair", pair=repr(pair)))
        points[name] = int(value)
    return points


@evening.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print the output as JSON, for programs.")
@add_evening_location_options
def status(place: EveningLocation, as_json: bool) -> None:
    """Show the current round, the seats at each table, and contradictory results."""
    with open_editable_evening(place) as desk:
        if as_json:
            click.echo(
                json.dumps(
                    exporting.evening_as_json_object(desk.evening_state, desk.known_claims),
                    ensure_ascii=False,
                )
            )
            return
        for line in (
            *evening_status_lines(desk.evening_state, desk.known_claims),
            *desk.invalid_message_error_texts,
        ):
            click.echo(line)


@evening.command("standings")
@add_evening_location_options
def standings(place: EveningLocation) -> None:
    """Show the total points of every player, highest first."""
    with open_editable_evening(place) as desk:
        for n, name, total in exporting.list_standings(desk.evening_state):
            click.echo(f"{n:4} {name:<20} {total:6}")


@evening.command("export")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for a spreadsheet instead of JSON.")
@add_evening_location_options
def export(place: EveningLocation, as_csv: bool) -> None:
    """Print every result of the evening as JSON or CSV."""
    with open_editable_evening(place) as desk:
        state, claims = desk.evening_state, desk.known_claims
    text = json.dumps(exporting.evening_as_json_object(state, claims), ensure_ascii=False, indent=1)
    click.echo(exporting.results_as_csv(state, claims) if as_csv else text, nl=not as_csv)


@evening.command("host")
@click.argument(
    "folder", metavar="[FOLDER]", required=False, type=click.Path(file_okay=False, path_type=Path)
)
@click.option("--port", type=click.IntRange(1, 65535),
              help="The port of the broker (default: 1883, or 8883 with TLS).")  # fmt: skip
@click.option("--cert", type=click.Path(exists=True, path_type=Path),
              help="The file with the certificate for TLS; needs --key.")  # fmt: skip
@click.option("--key", type=click.Path(exists=True, path_type=Path),
              help="The file with the private key of the certificate --cert.")  # fmt: skip
def host(folder: Path | None, port: int | None, cert: Path | None, key: Path | None) -> None:
    """Write the configuration of the MQTT broker Mosquitto into /etc/mosquitto, or into FOLDER.

    The passwords are in /etc/mosquitto/companion, or in FOLDER. Existing passwords stay valid.
    """
    if (cert is None) != (key is None):
        raise click.UsageError(localised_sentence("evening.cert"))
    here = (folder or MOSQUITTO_FOLDER / "companion").resolve()
    tls = hosting.TlsFiles(cert.resolve(), key.resolve()) if cert and key else None
    data, number = None if folder is None else here, port or (8883 if tls else 1883)
    try:
        here.mkdir(parents=True, exist_ok=True)
        (here / "acl").write_text(hosting.ACCESS_RULES, "utf-8")
        fresh = _passwords(here)
        target = (
            here / "mosquitto.conf" if folder else MOSQUITTO_FOLDER / "conf.d" / "companion.conf"
        )
        target.write_text(hosting.mosquitto_configuration(here, data, number, tls), "utf-8")
        service_file = _announce(here if folder else AVAHI_SERVICES_FOLDER, number)
    except OSError as error:
        raise click.ClickException(
            localised_sentence("evening.unwritable", why=localised_error(error))
        ) from error
    click.echo(localised_sentence("evening.configured", file=target))
    if service_file is not None:
        click.echo(localised_sentence("evening.announced", file=service_file))
    for user, password in fresh.items():
        click.echo(localised_sentence("evening.password", user=user, password=password))


def _announce(folder: Path, port: int) -> Path | None:
    if not folder.is_dir():
        return None
    target = folder / "companion-evening.service"
    target.write_text(hosting.avahi_service_text(hosting.AVAHI_SERVICE_TYPE, port), "utf-8")
    return target


def _passwords(here: Path) -> Mapping[str, str]:
    """Write the hashes of new passwords, and return the new passwords by user.

    If the file of passwords exists already, write nothing and return {}.
    """
    file = here / "passwords"
    if file.exists():
        return {}
    fresh = {user: secrets.token_urlsafe(12) for user in hosting.BROKER_USERS}
    file.touch(0o640)
    lines = (hosting.mosquitto_password_line(user, password) for user, password in fresh.items())
    file.write_text("\n".join([*lines, ""]), "ascii")
    # without a group `mosquitto`, the broker runs as the user of this command
    with suppress(LookupError, PermissionError):
        shutil.chown(file, group="mosquitto")
    return fresh


def _usual(name: str) -> str:
    stored_name = normalise_name(name)
    if not topics.is_valid_person_name(stored_name):
        raise click.UsageError(
            localised_sentence("evening.no_name", name=repr(name), n=facts.MAX_NAME_LETTERS)
        )
    return stored_name


def _person(desk: EditableEvening, name: str) -> Fact:
    heads = desk.known_claims.heads.get(topics.person_topic(_usual(name)))
    if not heads:
        raise click.ClickException(localised_sentence("evening.stranger", name=name))
    return heads[0].parsed_fact


def evening_status_lines(evening: EveningState, claims: CurrentClaims) -> Iterator[str]:
    """Yield lines of text about the evening: its round, seats, missing results, contradictions."""
    yield _where(evening)
    origin = result_sources(claims)
    for n, table in enumerate(evening.current_round_tables, 1):
        there = origin.get((len(evening.rounds), n), "box")
        way = "plays" if n in evening.tables_without_result else f"in.{there}"
        yield f"  {localised_sentence(f'evening.table.{way}', n=n, who=', '.join(table))}"
    if evening.problem:
        yield localised_sentence("evening.no_seating", why=localised_error(evening.problem))
    yield from map(conflict_text, evening.conflicts)


def _where(evening: EveningState) -> str:
    if evening.rules is None:
        return localised_sentence("evening.not_open")
    title, game, games = (evening.rules[name] for name in ("title", "game", "games"))
    played = len(evening.rounds)
    if evening.over:
        return localised_plural_sentence("evening.over", played, title=title)
    way = "open" if games is None else "of"
    return localised_sentence(f"evening.round.{way}", title=title, n=played, of=games, game=game)


def conflict_text(conflict: EveningConflict) -> str:
    """Return the text of a contradiction that people must resolve, with the claim of each box."""
    statements = "; ".join(
        localised_sentence("evening.claim", box=claim.box, n=claim.revision, fact=claim_text(claim))
        for claim in conflict.claims
    )
    return localised_sentence(
        f"evening.conflict.{conflict.why}", topic=conflict.topic, claims=statements
    )


@click.command("forget")
@click.option("--yes", is_flag=True, help="Remove the evening even if it is not over.")
@add_evening_location_options
def forget(place: EveningLocation, yes: bool) -> None:
    """Remove an evening from its MQTT broker. The folder of each box keeps the evening."""
    if place.address is None:
        raise click.UsageError(localised_sentence("evening.which_broker"))
    try:
        claims, _ = files.load_claims_and_errors(place.folder)
        count = evenings_on_broker.remove_evening_from_broker(
            place.address, place.name, places.monotonic_time, claims, anyway=yes
        )
    except evenings_on_broker.EveningNotOver as error:
        raise click.ClickException(
            localised_sentence("evening.not_over", title=place.name)
        ) from error
    except OSError as error:
        raise unusable_broker_error(error) from error
    click.echo(localised_plural_sentence("evening.forgotten", count, title=place.name))


class ReportedGame(NamedTuple):
    """A recorded game that a box has published: topic, points, and values to verify the game."""

    where: str
    points: Mapping[str, int]
    game: Fact


@click.command("verify")
@click.option("--journal", "records", multiple=True, metavar="FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help=(
                      "The record of a table, instead of this machine's record; repeatable."
                  ))  # fmt: skip
@add_evening_location_options
def verify(place: EveningLocation, records: tuple[Path, ...]) -> int:
    """Check every hash, every seed and every sum of points of an evening.

    The command replays the games in --journal from their seeds. The exit status is 1 if a check
    fails.
    """
    with open_editable_evening(place) as desk:
        evening, claims = compute_evening_state(desk.known_claims), desk.known_claims
        faults = [*desk.invalid_message_error_texts, *map(conflict_text, evening.conflicts)]
    faults += [localised_error(evening.problem)] if evening.problem else []
    reported = [*_reported_games(claims)]
    faults += [fault for each in reported for fault in _of_seed(each)]
    replayed = _again(reported, records or (None,))
    faults += [
        localised_sentence("evening.fault.game", where=reported[n].where, why=why)
        for n, why in replayed.items()
        if why
    ]
    for fault in faults:
        click.echo(fault)
    typed = sum(map(len, claims.heads.values()))
    rounds, again = len(evening.rounds), len(replayed)
    click.echo(localised_sentence("evening.facts", n=typed, rounds=rounds, faults=len(faults)))
    click.echo(localised_sentence("evening.games", n=len(reported), again=again))
    return 1 if faults else 0


def _reported_games(claims: CurrentClaims) -> Iterator[ReportedGame]:
    for topic, heads in sorted(claims.heads.items()):
        for head in heads if topics.round_and_table_in_topic(topic) else ():
            game = head.parsed_fact.get("game")
            if isinstance(game, dict) and "id" in game:
                yield ReportedGame(topic, head.parsed_fact["points"], game)


def _of_seed(report: ReportedGame) -> Iterator[str]:
    seed, promised = report.game.get("seed"), report.game.get("commitment")
    if isinstance(seed, str) and Chance(seed).seed_commitment != promised:
        yield localised_sentence("evening.fault.seed", where=report.where)


def _again(reported: Sequence[ReportedGame], records: Sequence[Path | None]) -> dict[int, str]:
    """Replay the published games that the records contain, and return the result of each game.

    The keys of the returned mapping are the positions of the games in `reported`. The values are
    the texts of the errors, or "" if the replay found no error. In `records`, None means the record
    of this machine, which may be missing.
    """
    replayed: dict[int, str] = {}
    for file in records:
        with record_owner.act_as_record_owner(file) as path:
            try:
                replayed |= _again_of(reported, path) if file or path.exists() else {}
            except JournalError as error:
                raise click.ClickException(f"{path}: {localised_error(error)}") from error
    return replayed


def _again_of(reported: Sequence[ReportedGame], path: Path) -> dict[int, str]:
    with closing(Journal(path, beside=True)) as journal:
        here = {recorded.read_game_id(journal, number): number for number in journal.game_numbers()}
        return {
            n: _wrong(journal, here[id_], each)
            for n, each in enumerate(reported)
            if (id_ := str(each.game["id"])) in here
        }


def _wrong(journal: Journal, number: int, report: ReportedGame) -> str:
    game = recorded.load_recorded_game(journal, number)
    proof = recorded.chance_verification_values(game) or {}
    if report.game.get("line") not in (None, proof.get("line")):
        return localised_sentence("evening.fault.lines")
    if (problem := verify_game_against_seed(journal, number).problem) is not None:
        return localised_sentence(
            "evening.fault.problem", what=localised_sentence(f"cmd.wrong.problem.{problem}")
        )
    played, _ = recorded_game_statistics(game, number)
    scores = dict(zip(played.players, played.scores, strict=False))
    return (
        ""
        if scores == dict(report.points)
        else localised_sentence("evening.fault.scores", scores=scores)
    )


for command in (serve, attend, verify, forget):
    evening.add_command(command)
