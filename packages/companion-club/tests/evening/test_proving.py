"""Tests of `companion evening verify` and `add --code`: the box replays reported games."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from companion.cmd.commands import cli
from companion.door.lines import ProtocolRequest
from companion.door.record_requests import RecordRequestHandler
from companion.figures import export_formats, recorded
from companion.figures.game_statistics import recorded_game_statistics
from companion.record.journal import Journal
from companion_club import folder as files
from companion_club import new_facts, slips
from companion_club.commands import organiser as verifying
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state
from companion_club.outbox import finished_games, next_unpublished_result
from tests.evening.boxes import open_facts
from tests.system.bench.pressed import over


def record() -> Journal:
    """A record with one finished game of Probe."""
    return over("probe")


def evening() -> tuple[CurrentClaims, dict[str, Any]]:
    """Return an evening with the result of the recorded game, and the game's proof."""
    played, _ = recorded_game_statistics(recorded.load_recorded_game(record(), 1), 1)
    known = open_facts(played.players, games=1)
    proof = recorded.chance_verification_values(recorded.load_recorded_game(record(), 1))
    assert proof is not None
    games = finished_games([export_formats.game_statistics_as_dict(played)])
    said = next_unpublished_result(known, 1, games, {(games[0].id, games[0].ended): proof})
    assert said is not None
    topic, fact = said
    return known.with_own_fact("box", topic, fact), fact["game"]


def wrong(known: CurrentClaims, **change: Any) -> str:
    (told,) = verifying._reported_games(known)
    return verifying._wrong(record(), 1, told._replace(**change))


def test_a_game_in_the_record_is_played_again_and_is_as_it_was_told() -> None:
    known, game = evening()
    assert game.keys() == {"id", "game", "commitment", "seed", "line"}
    assert wrong(known) == ""
    assert compute_evening_state(known).over


def test_other_points_other_lines_and_another_seed_are_seen() -> None:
    known, game = evening()
    (told,) = verifying._reported_games(known)
    other = {name: points + 1 for name, points in told.points.items()}
    assert "the record has" in wrong(known, points=other)
    assert "other lines" in wrong(known, game={**game, "line": "0" * 64})
    assert [*verifying._of_seed(told)] == []
    forged = told._replace(game={**game, "seed": "ff"})
    assert "not the one that was promised" in next(verifying._of_seed(forged))


def test_the_line_of_a_game_is_that_of_its_last_end() -> None:
    game = recorded.load_recorded_game(record(), 1)
    seen = game.entries[-1]._replace(kind="seen", who=game.header["players"][0], value=None)
    assert recorded.chance_verification_values(
        game._replace(entries=(*game.entries, seen))
    ) == recorded.chance_verification_values(game)
    last = game.entries[-1]._replace(at=game.entries[-1].at + 1)
    changed = recorded.chance_verification_values(game._replace(entries=(*game.entries[:-1], last)))
    assert changed != recorded.chance_verification_values(game)
    assert recorded.chance_verification_values(game._replace(entries=game.entries[:3])) is None


def test_a_code_is_taken_in_by_the_command(tmp_path: Path) -> None:
    names = ("Ann", "Bob", "Cy")
    known = open_facts(names, games=1)
    for topic, heads in known.heads.items():
        files.merge_claims_into_file(tmp_path, topic, heads, durable=False)
    scores = {name: n for n, name in enumerate(names)}
    said = known.with_own_fact("9f2c11aa", "result/1/1", new_facts.result_fact(scores, {"id": "x"}))
    text = slips.format_result_slip("club-1", compute_evening_state(said), 1, 1, "9f2c11aa")
    place = ["--folder", str(tmp_path), "--evening", "club-1"]
    run = CliRunner().invoke
    assert run(cli, ["evening", "add", "--code", "E/1", *place]).exit_code == 1
    assert run(cli, ["evening", "add", "--code", text, *place]).output == "The result is saved.\n"
    assert "over, after one" in run(cli, ["evening", "status", *place]).output
    assert ",code" in run(cli, ["evening", "export", "--csv", *place]).output
    assert "Faults: 0." in run(cli, ["evening", "verify", *place]).output
    assert run(cli, ["evening", "add", *place]).exit_code == 2


def test_the_door_tells_what_a_finished_game_is_checked_with(tmp_path: Path) -> None:
    from companion.record.journal import Journal  # noqa: PLC0415 - a class, for once

    header, entries = record().read_game_header_and_lines(1)
    with closing(Journal(tmp_path / "games.db", 0)) as journal:
        journal.save_new_game(header, entries, 0)
    archive = RecordRequestHandler(
        tmp_path / "games.db", tmp_path / "f.db", lambda _: (2026, 1, 1), lambda: 0
    )
    assert '"line"' in archive.reply_to_request(ProtocolRequest("past", {"past": {"game": 1}}))
