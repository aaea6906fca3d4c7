"""`companion evening verify`: do the facts hold, and the games behind them?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from companion.cmd import places, seated
from companion.cmd.desk import Place, at_place, opened
from companion.cmd.tongue import said, wrong
from companion.core.chance import Chance
from companion.evening import topics
from companion.evening.fold import fold
from companion.record.journal import Journal, JournalError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from companion.evening.known import Known


class Told(NamedTuple):
    """What the evening was told of a game that a box has recorded."""

    where: str
    points: Mapping[str, int]
    game: Mapping[str, Any]


@click.command("verify")
@click.option("--journal", "records", multiple=True, metavar="FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="The record of a table; may be given again. Else this machine's.")  # fmt: skip
@at_place
def verify(place: Place, records: tuple[Path, ...]) -> int:
    """Check every hash and seed, what the tables said, and that it adds up.

    Games that stand in a record are played again from their seeds. Exit status 1 if something is
    not as it was told.
    """
    with opened(place) as desk:
        found, known = fold(desk.known), desk.known
        faults = [*desk.problems, *map(seated.conflict, found.conflicts)]
    faults += [wrong(found.problem)] if found.problem else []
    told = [*_told(known)]
    faults += [fault for each in told for fault in _of_seed(each)]
    own = places.record()
    replayed = _again(told, records or ((own,) if own.exists() else ()))
    faults += [
        said("evening.fault.game", where=told[n].where, why=why)
        for n, why in replayed.items()
        if why
    ]
    for fault in faults:
        click.echo(fault)
    typed = sum(map(len, known.heads.values()))
    rounds, again = len(found.rounds), len(replayed)
    click.echo(said("evening.facts", n=typed, rounds=rounds, faults=len(faults)))
    click.echo(said("evening.games", n=len(told), again=again))
    return 1 if faults else 0


def _told(known: Known) -> Iterator[Told]:
    for topic, heads in sorted(known.heads.items()):
        for head in heads if topics.place_in(topic) else ():
            game = head.value.get("game")
            if isinstance(game, dict) and "id" in game:
                yield Told(topic, head.value["points"], game)


def _of_seed(told: Told) -> Iterator[str]:
    """What is wrong with the seed, if there is one."""
    seed, promised = told.game.get("seed"), told.game.get("commitment")
    if isinstance(seed, str) and Chance(seed).commitment != promised:
        yield said("evening.fault.seed", where=told.where)


def _again(told: Sequence[Told], records: Sequence[Path]) -> dict[int, str]:
    """Which games were found and played again, and what is wrong with each; "" if nothing."""
    from companion.figures import recorded  # noqa: PLC0415 - the games are slow to import

    found: dict[int, str] = {}
    for path in records:
        journal = Journal(path, beside=True)
        try:
            here = {recorded.id_at(journal, number): number for number in journal.games()}
            for n, each in enumerate(told):
                if (number := here.get(str(each.game["id"]))) is not None:
                    found[n] = _wrong(journal, number, each)
        except JournalError as error:
            raise click.ClickException(f"{path}: {wrong(error)}") from error
        finally:
            journal.close()
    return found


def _wrong(journal: Journal, number: int, told: Told) -> str:
    """What is wrong with a game as it was told; "" if nothing. Raises JournalError."""
    from companion.figures import recorded  # noqa: PLC0415 - likewise
    from companion.figures.played import figures  # noqa: PLC0415 - likewise
    from companion.play.verify import check  # noqa: PLC0415 - likewise

    game = recorded.of(journal, number)
    proof = recorded.proof(game) or {}
    if told.game.get("line") not in (None, proof.get("line")):
        return said("evening.fault.lines")
    if (problem := check(journal, number).problem) is not None:
        return said("evening.fault.problem", what=said(f"wrong.problem.{problem}"))
    played, _ = figures(game, number)
    scores = dict(zip(played.players, played.scores, strict=False))
    return "" if scores == dict(told.points) else said("evening.fault.scores", scores=scores)
