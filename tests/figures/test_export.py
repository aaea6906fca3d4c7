"""Tests of export and import: a round trip changes nothing, and damage is reported, not saved."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.core.errors import OutdatedRecordedGame
from companion.core.prompts import legal_answers
from companion.figures import export, import_games, recorded
from companion.menus.facts import load_first_screen_facts
from companion.menus.settings import DEFAULTS
from companion.play import session
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.record.journal import Journal
from tests.english import english_error, raises_english
from tests.helpers import NOW_SECONDS

pytestmark = pytest.mark.long  # whole games are exported, damaged and imported again

NAMES: Final = ("Ann", "Zoé", "Cy")


def play(
    journal: Journal,
    game: str,
    seed: str,
    answers: int,
    *,
    players: tuple[str, ...] = NAMES,
    **chosen: str,
) -> int:
    """Play a random game and return its number. Options that are not in `chosen` are random."""
    rules, rng = registry.find_game(game), random.Random(seed)
    options = {option.name: rng.choice(option.values) for option in rules.options} | chosen
    setup = GameSetup(rules, players, options, editions.load_edition(game), Chance(seed))
    table = Session.begin(journal, setup, NOW_SECONDS)
    for at in range(NOW_SECONDS, NOW_SECONDS + answers):
        if (prompt := table.standing.pending_prompt) is None:
            break
        if prompt.name != "mix" and rng.random() < 0.05 and table.standing.snapshot.undoable:
            table.undo(at)
        else:
            table.answer(7 if prompt.name == "mix" else rng.choice(legal_answers(prompt)), at)
        table.mark_secrets_sent(at)
        table.commit()
    return table.number


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a record with a finished and an unfinished game of each kind."""
    path = tmp_path_factory.mktemp("box") / "games.db"
    with closing(Journal(path)) as journal:
        for game in registry.BUILT_IN_GAMES:
            play(journal, game, f"{game} over", 10**5)
            play(journal, game, f"{game} begun", 15)
    return path


@pytest.fixture(scope="module")
def lines(file: Path) -> tuple[str, ...]:
    """Return the export of `file` with all secrets."""
    return tuple(exported(file))


def exported(path: Path, *, whole: bool = True) -> list[str]:
    with closing(Journal(path, beside=True)) as journal:
        numbers = sorted(journal.game_numbers())
        games = (recorded.load_recorded_game(journal, number) for number in numbers)
        return [*export.export_lines(games, len(numbers), "0", whole=whole)]


def written(folder: Path, lines: list[str]) -> Path:
    path = folder / "games.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def taken(source: Path, to: Path) -> import_games.ImportCounts:
    with closing(Journal(to)) as journal:
        return import_games.import_games_from_file(journal, source)


@pytest.mark.parametrize("whole", [True, False])
def test_an_export_that_an_empty_box_takes_in_is_exported_as_the_same_bytes(
    file: Path, tmp_path: Path, *, whole: bool
) -> None:
    lines, box = exported(file, whole=whole), tmp_path / "other.db"
    n = 2 * len(registry.BUILT_IN_GAMES)
    assert taken(written(tmp_path, lines), box) == (n, 0, 0)
    assert exported(box, whole=whole) == lines
    before = box.read_bytes()
    assert taken(written(tmp_path, lines), box) == (0, n, 0)
    assert exported(box, whole=whole) == lines
    assert box.read_bytes() == before


def test_another_boxs_record_is_taken_in_whole_and_once(file: Path, tmp_path: Path) -> None:
    box, before = tmp_path / "other.db", file.read_bytes()
    n = 2 * len(registry.BUILT_IN_GAMES)
    assert taken(file, box) == (n, 0, 0)
    assert exported(box) == exported(file)
    assert taken(file, box) == (0, n, 0)
    assert taken(written(tmp_path, exported(file)), box) == (0, n, 0)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir() if path.name.endswith("-shm")] == []


def test_what_is_here_with_other_lines_is_left_as_it_is(file: Path, tmp_path: Path) -> None:
    box = tmp_path / "other.db"
    taken(written(tmp_path, exported(file, whole=False)), box)
    before = exported(box, whole=False)
    n = len(registry.BUILT_IN_GAMES)
    assert taken(written(tmp_path, exported(file)), box) == (0, n, n)
    assert exported(box, whole=False) == before


def entries(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def test_a_game_that_is_not_over_keeps_its_secrets_back(file: Path) -> None:
    games = [line for line in entries(exported(file, whole=False)) if line["type"] == "game"]
    assert [game["seed"] is None for game in games] == [game["ended"] is None for game in games]
    open_games = {game["id"]: game["game"] for game in games if game["ended"] is None}
    assert len(open_games) == len(registry.BUILT_IN_GAMES)
    told = {
        (line["game"], line["n"]): line["value"]
        for line in entries(exported(file, whole=False))
        if line["type"] == "entry"
    }
    for line in entries(exported(file)):
        if line["type"] == "entry" and line["game"] in open_games:
            value, known = line["value"], told[line["game"], line["n"]]
            covert = registry.find_game(open_games[line["game"]]).covert
            if line["question"] in covert or (line["kind"] == "box" and len(value) > 3):
                assert known is None
            assert known in (None, value) or isinstance(value, dict)


def test_a_game_whose_secrets_were_kept_back_is_not_offered_to_go_on(
    file: Path, tmp_path: Path
) -> None:
    box = tmp_path / "other.db"
    taken(written(tmp_path, exported(file, whole=False)), box)
    with closing(Journal(box)) as journal:
        assert len(journal.recent_unfinished_game_numbers()) == len(registry.BUILT_IN_GAMES)
        assert not load_first_screen_facts(journal, DEFAULTS, NOW_SECONDS, {}).unfinished
        with raises_english(OutdatedRecordedGame, match="left out its secrets"):
            session.resume_recorded_game(
                journal, journal.recent_unfinished_game_numbers()[0], NOW_SECONDS
            )


def test_a_file_by_others_needs_no_more_than_the_contract(file: Path, tmp_path: Path) -> None:
    own = ("entries", "replays", "mixing", "games")
    lines = [
        json.dumps({key: value for key, value in line.items() if key not in own})
        for line in entries(exported(file))
    ]
    assert taken(written(tmp_path, lines), tmp_path / "other.db").new == 2 * len(
        registry.BUILT_IN_GAMES
    )
    assert exported(tmp_path / "other.db") == exported(file)


def harm(n: int, /, **changes: Any) -> Callable[[list[str]], None]:
    """Return a function that changes values of line `n`."""

    def change(lines: list[str]) -> None:
        lines[n] = json.dumps(json.loads(lines[n]) | changes)

    return change


def value(n: int, text: str) -> Callable[[list[str]], None]:
    def change(lines: list[str]) -> None:
        lines[n] = text

    return change


def of_first(kind: str, make: Callable[[Any], Any]) -> Callable[[list[str]], None]:
    """Return a function that replaces the value of the first entry of a kind."""

    def change(lines: list[str]) -> None:
        n, line = next((n, x) for n, x in enumerate(entries(lines)) if x.get("kind") == kind)
        lines[n] = json.dumps(line | {"value": make(line["value"])})

    return change


def drop(n: int) -> Callable[[list[str]], None]:
    def change(lines: list[str]) -> None:
        del lines[n]

    return change


@pytest.mark.parametrize(
    ("change", "place", "text"),
    [
        (harm(0, version=2), "line 1", "the export does not have version 1: update this companion"),
        (harm(0, type="diary"), "line 1", "the file is not an export of a companion"),
        (harm(0, games=99), "end", "99 games were exported, but the file has 8"),
        (value(1, "{"), "line 2", "the line is not JSON"),
        (value(3, "[" * 100_000), "line 4", "the line is nested too deeply"),
        (value(3, '"' + "x" * (1 << 20) + '"'), "line 4", "the line has more than 1048576 bytes"),
        (value(3, '{"type":"entry","type":"game"}'), "line 4", "the line has a field twice"),
        (value(3, '{"type":"entry","n":NaN}'), "line 4", "NaN is not a number"),
        (value(3, "17"), "line 4", "the line is not a JSON object"),
        (harm(3, type="secret"), "line 4", "the line is neither a game nor an entry"),
        (harm(3, n=7), "line 4", "the line is not number 2 of its game"),
        (harm(3, kind="gift"), "line 4", "the line has an unknown kind"),
        (harm(3, who="Mallory"), "line 4", "the line names a person who did not play"),
        (harm(3, at="yesterday"), "line 4", "at must be a time in UTC"),
        (
            harm(3, game="another"),
            "line 4",
            "the line belongs to another game than the lines before",
        ),
        (harm(1, id="../../etc/passwd"), "line 2", "id must be a UUID"),
        (harm(1, players=["Ann", "Ann"]), "line 2", "players must be a list of different names"),
        (harm(1, seed="another"), "line 2", "the seed is not the one that was promised"),
        (
            harm(1, edition={"cards": 10**9}),
            "line 2",
            "edition must be an object: what is printed on board and cards",
        ),
        (harm(1, scores={"Ann": 10**6}), "line 2", "the scores do not follow from the answers"),
        (harm(1, winners=["Ann", "Zoé", "Cy"]), "line ", "the value is not valid"),
        (harm(1, winners=["Mallory"]), "line 2", "a person who did not play won or scored"),
        (harm(1, ended=None), "line 2", "one line ends the game, and a later line continues it"),
        (harm(1, game="chess"), "line 2", "chess is no longer in the box"),
        (of_first("box", lambda v: v[::-1]), "line ", "does not follow from the seed"),
        (of_first("answer", lambda _: "nonsense"), "line ", "an answer does not fit the rules"),
        (drop(5), "line 6", "the line is not number 4 of its game"),
        (drop(1), "line 2", "the line belongs to no game"),
        (drop(-1), "line ", "lines, "),
    ],
)
def test_a_harmed_line_is_named_and_nothing_is_taken_in(
    change: Callable[[list[str]], None],
    place: str,
    text: str,
    lines: tuple[str, ...],
    tmp_path: Path,
) -> None:
    harmed, box = [*lines], tmp_path / "other.db"
    change(harmed)
    with closing(Journal(box)) as journal:
        play(journal, "kojak", "a guest", 5)
    before = exported(box)
    with pytest.raises(import_games.ImportRefusedError) as caught:
        taken(written(tmp_path, harmed), box)
    found = caught.value.faults[0]
    assert f"{found.where} {found.n}".startswith(place)
    assert text in english_error(found.why)
    assert exported(box) == before


@pytest.mark.parametrize("content", [b"", b"\0" * 5000, b"\xff\xfe{}", b"SQLite format 3\0" * 300])
def test_a_foreign_file_is_named_and_left(content: bytes, tmp_path: Path) -> None:
    source = tmp_path / "strange"
    source.write_bytes(content)
    with pytest.raises(import_games.ImportRefusedError):
        taken(source, tmp_path / "other.db")
    assert source.read_bytes() == content
    assert exported(tmp_path / "other.db") == [export.export_first_line(0, "0")]


def test_a_database_that_brings_more_than_a_record_is_not_read(tmp_path: Path, file: Path) -> None:
    source = tmp_path / "trap.db"
    source.write_bytes(file.read_bytes())
    with closing(sqlite3.connect(source)) as db:
        db.execute("CREATE TRIGGER trap INSERT ON game BEGIN DELETE FROM entry; END")
        db.commit()
    with pytest.raises(import_games.ImportRefusedError) as caught:
        taken(source, tmp_path / "other.db")
    assert "not a complete record" in english_error(caught.value.faults[0].why)


def test_a_record_of_which_a_byte_is_harmed_is_named_by_its_game(
    tmp_path: Path, file: Path
) -> None:
    source = tmp_path / "harmed.db"
    source.write_bytes(file.read_bytes())
    with closing(sqlite3.connect(source)) as db:
        db.execute("UPDATE entry SET line = replace(line, 'answer', 'anwser') WHERE id >> 24 = 3")
        db.commit()
    with pytest.raises(import_games.ImportRefusedError) as caught:
        taken(source, tmp_path / "other.db")
    assert [(fault.where, fault.n, english_error(fault.why)) for fault in caught.value.faults] == [
        ("game", 3, "the file is damaged")
    ]
    assert exported(tmp_path / "other.db") == [export.export_first_line(0, "0")]
