"""`companion evening …`: many tables, each with its own box (docs/evening.md)."""

from __future__ import annotations

import json
import secrets
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from companion.catalog import registry
from companion.cmd import seated
from companion.cmd.asking import agreed
from companion.cmd.desk import Desk, Place, at_place, opened
from companion.cmd.forgetting import forget
from companion.cmd.proving import verify
from companion.cmd.serving import attend, serve
from companion.cmd.tongue import said, wrong
from companion.core.chance import Chance, fresh_seed
from companion.core.names import usual
from companion.evening import facts, hosting, plan, sayings, slips, telling, topics
from companion.evening.facts import RULES, SEATS, TOTALS

if TYPE_CHECKING:
    from collections.abc import Mapping

DEBIAN: Final = Path("/etc/mosquitto")
AVAHI: Final = Path("/etc/avahi/services")
MOST_DIGITS: Final = len(str(facts.MOST_POINTS))


class Evening(click.Group):
    """The commands of an evening, of which those that need a broker need paho."""

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out a command. Raises click.ClickException with what to install."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] != "paho":
                raise
            raise click.ClickException(said("evening.no_paho")) from error


@click.group(cls=Evening)
def evening() -> None:
    """Play an evening at many tables: who sits where, and who leads."""


@evening.command("plan")
def plan_command() -> int:
    """Read the facts of an evening as JSON, and print the next seating; exit status 1 without one.

    docs/evening.md says what is read, and how the next seating follows from it.
    """
    text = sys.stdin.buffer.read(facts.LONGEST + 1)
    try:
        found = plan.plan(facts.read(text)).data()
    except facts.PlanError as error:
        found = {"error": error.code, "message": str(error)}
    click.echo(json.dumps(found, ensure_ascii=False))
    return 1 if "error" in found else 0


@evening.command("open")
@click.argument("title", metavar="TITLE")
@click.option("--game", type=click.Choice(registry.NAMES), default="probe", show_default=True)
@click.option("--rule", type=click.Choice(RULES), default=RULES[0], show_default=True)
@click.option("--games", type=click.IntRange(1, facts.MOST_ROUNDS), default=5, show_default=True)
@click.option("--until-bell", is_flag=True, help="No number of games: until `evening bell`.")
@click.option("--total", "which_total", type=click.Choice(TOTALS), default=TOTALS[0],
              show_default=True, help="Which points send a player on.")  # fmt: skip
@click.option("--seats", type=click.IntRange(SEATS[0], SEATS[-1]), default=4, show_default=True)
@at_place
def open_command(place: Place, title: str, until_bell: bool, games: int, **how: Any) -> None:  # noqa: FBT001 - click gives it by name
    """Open an evening called TITLE; people sign up after that."""
    if not (title := topics.shown(title)):
        raise click.UsageError(said("evening.no_title"))
    with opened(place) as desk:
        if "rules" in desk.known.heads:
            raise click.ClickException(said("evening.is_open", name=place.name))
        seed = fresh_seed()
        number = None if until_bell else games
        desk.say("rules", sayings.rules(title, seed=seed, games=number, **how))
    click.echo(said("evening.opened", title=title, code=Chance(seed).code))


since_option = click.option(
    "--round", "number", type=click.IntRange(1, facts.MOST_ROUNDS),
    help="From which round on, also one that is seated: then others move too.",
)  # fmt: skip
yes_option = click.option("--yes", is_flag=True, help="Do not ask before seats change.")


@evening.command("sign")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--for", "plays_for", metavar="NAME", help="Play on for somebody who goes.")
@since_option
@yes_option
@at_place
def sign(
    place: Place,
    names: tuple[str, ...],
    plays_for: str | None,
    number: int | None,
    yes: bool,  # noqa: FBT001 - click gives it by name
) -> None:
    """Sign people up: before the first result for the first round, after that for the next one."""
    with opened(place) as desk:
        since = _from_round(desk, number)
        for name in map(_usual, names):
            topic = topics.people(name)
            if (other := sayings.like(desk.known, name)) is not None:
                raise click.ClickException(said("evening.alike", name=name, other=other))
            if topic in desk.known.heads:
                fact = sayings.back(_person(desk, name), since)
            else:
                fact = sayings.person(since, plays_for and _usual(plays_for))
            if _say(desk, topic, fact, yes=yes, moves=number is not None):
                click.echo(said("evening.signed", name=name, n=since))


@evening.command("leave")
@click.argument("name", metavar="NAME")
@since_option
@yes_option
@at_place
def leave(place: Place, name: str, number: int | None, yes: bool) -> None:  # noqa: FBT001 - likewise
    """NAME goes home after the round that is played; before the first result, at once."""
    with opened(place) as desk:
        last = _from_round(desk, number) - 1
        person, topic = _person(desk, name), topics.people(_usual(name))
        never = sayings.since(person) > last
        if never:
            _not_begun(desk, _usual(name), sayings.since(person))
        fact = sayings.gone(person, last)
        if _say(desk, topic, fact, yes=yes, moves=never or number is not None):
            click.echo(said("evening.leaves", name=name, n=last + 1))


def _from_round(desk: Desk, number: int | None) -> int:
    """The round that is meant, or the next one; none that is over. Raises click.UsageError."""
    if number is not None and number < (now := len(desk.evening.rounds)):
        raise click.UsageError(said("evening.round_over", n=number, now=now))
    return number or sayings.next_round(desk.evening)


def _not_begun(desk: Desk, name: str, first: int) -> None:
    """Whether somebody can be taken off before the own first round. Raises click.ClickException."""
    if sayings.begun(desk.evening, first):
        raise click.ClickException(said("evening.too_late", name=name, n=first, then=first + 1))
    if (other := sayings.deputy(desk.known, name)) is not None:
        raise click.ClickException(said("evening.replaced", name=name, other=other))


@evening.command("stay")
@click.argument("name", metavar="NAME")
@since_option
@yes_option
@at_place
def stay(place: Place, name: str, number: int | None, yes: bool) -> None:  # noqa: FBT001 - likewise
    """NAME can not walk, and keeps the table from the next seating on."""
    with opened(place) as desk:
        since = _from_round(desk, number)
        fact, topic = sayings.staying(_person(desk, name), since), topics.people(_usual(name))
        if _say(desk, topic, fact, yes=yes, moves=number is not None):
            click.echo(said("evening.stays", name=name, n=since))


@evening.command("bell")
@at_place
def bell(place: Place) -> None:
    """The round that is played is the last one."""
    with opened(place) as desk:
        found = desk.evening
        if found.rules is None:
            raise click.ClickException(said("evening.not_open"))
        desk.say("rules", {**found.rules, "last": max(1, len(found.rounds))})
    click.echo(said("evening.last"))


@evening.command("add")
@click.argument("number", metavar="ROUND", required=False,
                type=click.IntRange(1, facts.MOST_ROUNDS))  # fmt: skip
@click.argument("table", metavar="TABLE", required=False,
                type=click.IntRange(1, facts.MOST_PLAYERS))  # fmt: skip
@click.argument("points", metavar="NAME=POINTS…", nargs=-1)
@click.option("--code", metavar="TEXT", help="Take in the code that a box shows, and nothing else.")
@click.option("--broken-off", is_flag=True, help="The table stopped, and nobody scores.")
@click.option("--seats-too", is_flag=True, help="A correction moves people who are seated already.")
@yes_option
@at_place
def add(
    place: Place,
    number: int | None,
    table: int | None,
    points: tuple[str, ...],
    code: str | None,
    broken_off: bool,  # noqa: FBT001 - click gives them by name
    seats_too: bool,  # noqa: FBT001
    yes: bool,  # noqa: FBT001
) -> None:
    """Type a table's result in, correct one, or decide between several that were told."""
    if code is not None:
        _take(place, code)
        return
    if number is None or table is None:
        raise click.UsageError(said("evening.which"))
    told = _points(points)
    if bool(told) == broken_off:
        raise click.UsageError(said("evening.points"))
    _typed(place, number, table, told, seats_too=seats_too, yes=yes)


def _typed(
    place: Place, number: int, table: int, told: dict[str, int], *, seats_too: bool, yes: bool
) -> None:
    """A result as somebody types it; who would move is shown before it is said."""
    with opened(place) as desk:
        topic = topics.result(number, table)
        fact = sayings.correction(desk.known, number, table, told, seats_too=seats_too)
        if not _say(desk, topic, fact, yes=yes):
            return
        for problem in map(seated.conflict, desk.evening.conflicts):
            click.echo(problem, err=True)
    click.echo(said("evening.result", n=number, table=table))


def _say(desk: Desk, topic: str, fact: Mapping[str, Any], *, yes: bool, moves: bool = True) -> bool:
    """Say a fact; who `moves` in the round that is seated is shown before, and asked about."""
    found = sayings.changed(desk.known, desk.known.said("x", topic, fact)) if moves else ()
    for move in found:
        click.echo(said("evening.moves", who=move.who, of=move.origin, to=move.to))
    if found and not yes and not agreed(said("evening.change")):
        return False
    desk.say(topic, fact)
    return True


def _take(place: Place, text: str) -> None:
    """The result on another box's display. Raises click.ClickException."""
    with opened(place) as desk:
        try:
            found = slips.taken(text, place.name, desk.evening, desk.known)
        except slips.NotASlip as error:
            raise click.ClickException(wrong(error)) from error
        if found is not None:
            desk.say(found[0], found[1].fact)
    click.echo(said("evening.taken"))


def _points(pairs: tuple[str, ...]) -> dict[str, int]:
    """Raises click.UsageError."""
    found: dict[str, int] = {}
    for pair in pairs:
        name, _, value = _usual(pair).rpartition("=")
        digits = value.removeprefix("-")
        if not name or name in found or not digits.isdecimal() or len(digits) > MOST_DIGITS:
            raise click.UsageError(said("evening.pair", pair=repr(pair)))
        found[name] = int(value)
    return found


@evening.command("status")
@click.option("--json", "as_json", is_flag=True, help="In JSON, for programs.")
@at_place
def status(place: Place, as_json: bool) -> None:  # noqa: FBT001 - click gives it by name
    """Say where the evening is, who sits where, and what people must decide."""
    with opened(place) as desk:
        if as_json:
            click.echo(json.dumps(telling.as_data(desk.evening, desk.known), ensure_ascii=False))
            return
        for line in (*seated.status(desk.evening, desk.known), *desk.problems):
            click.echo(line)


@evening.command("standings")
@at_place
def standings(place: Place) -> None:
    """Everybody's total, the highest first."""
    with opened(place) as desk:
        for n, name, total in telling.standings(desk.evening):
            click.echo(f"{n:4} {name:<20} {total:6}")


@evening.command("export")
@click.option("--csv", "as_csv", is_flag=True, help="For a spreadsheet, instead of JSON.")
@at_place
def export(place: Place, as_csv: bool) -> None:  # noqa: FBT001 - click gives it by name
    """Write every result, in JSON or CSV."""
    with opened(place) as desk:
        found, known = desk.evening, desk.known
    text = json.dumps(telling.as_data(found, known), ensure_ascii=False, indent=1)
    click.echo(telling.as_csv(found, known) if as_csv else text, nl=not as_csv)


@evening.command("host")
@click.argument(
    "folder", metavar="[FOLDER]", required=False, type=click.Path(file_okay=False, path_type=Path)
)
@click.option("--port", type=click.IntRange(1, 65535), help="1883, or 8883 with TLS.")
@click.option("--cert", type=click.Path(exists=True, path_type=Path), help="For TLS, with --key.")
@click.option("--key", type=click.Path(exists=True, path_type=Path))
def host(folder: Path | None, port: int | None, cert: Path | None, key: Path | None) -> None:
    """Write what Mosquitto needs into FOLDER, or into Debian's /etc/mosquitto without one.

    Passwords that are there already stay.
    """
    if (cert is None) != (key is None):
        raise click.UsageError(said("evening.cert"))
    here = (folder or DEBIAN / "companion").resolve()
    tls = hosting.Tls(cert.resolve(), key.resolve()) if cert and key else None
    data, number = None if folder is None else here, port or (8883 if tls else 1883)
    try:
        here.mkdir(parents=True, exist_ok=True)
        (here / "acl").write_text(hosting.ACL, "utf-8")
        fresh = _passwords(here)
        target = here / "mosquitto.conf" if folder else DEBIAN / "conf.d" / "companion.conf"
        target.write_text(hosting.configuration(here, data, number, tls), "utf-8")
        told = _announce(here if folder else AVAHI, number)
    except OSError as error:
        raise click.ClickException(said("evening.unwritable", why=wrong(error))) from error
    click.echo(said("evening.configured", file=target))
    if told is not None:
        click.echo(said("evening.announced", file=told))
    for user, password in fresh.items():
        click.echo(said("evening.password", user=user, password=password))


def _announce(folder: Path, port: int) -> Path | None:
    """Have avahi, if it is here, tell boxes where the broker is. Raises OSError."""
    if not folder.is_dir():
        return None
    target = folder / "companion-evening.service"
    target.write_text(hosting.announcement(hosting.SERVICE, port), "utf-8")
    return target


def _passwords(here: Path) -> Mapping[str, str]:
    """Those that are new: only their hashes are kept. Raises OSError."""
    file = here / "passwords"
    if file.exists():
        return {}
    fresh = {user: secrets.token_urlsafe(12) for user in hosting.USERS}
    file.touch(0o640)
    lines = (hosting.hashed(user, password) for user, password in fresh.items())
    file.write_text("\n".join([*lines, ""]), "ascii")
    with suppress(LookupError, PermissionError):  # elsewhere the broker is who writes this
        shutil.chown(file, group="mosquitto")
    return fresh


evening.add_command(serve)
evening.add_command(attend)
evening.add_command(verify)
evening.add_command(forget)


def _usual(name: str) -> str:
    """A name as it is kept, however it was typed.

    Raises click.UsageError.
    """
    kept = usual(name)
    if not topics.is_name(kept):
        raise click.UsageError(said("evening.no_name", name=repr(name), n=facts.LONGEST_NAME))
    return kept


def _person(desk: Desk, name: str) -> Mapping[str, Any]:
    """Raises click.ClickException."""
    heads = desk.known.heads.get(topics.people(_usual(name)))
    if not heads:
        raise click.ClickException(said("evening.stranger", name=name))
    return heads[0].value
