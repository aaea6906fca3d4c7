"""Tests of statistics: they equal an outsider's counts over the export, and damage is recounted."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest

from companion.catalog import registry
from companion.core.chance import Chance
from companion.core.prompts import LEAVING_PLAYER_QUESTION, legal_answers
from companion.figures import (
    export,
    export_formats,
    group,
    luck,
    names,
    people,
    recorded,
    sentences,
    statistics_cache,
)
from companion.figures.game_statistics import GameStatistics, recorded_game_statistics
from companion.figures.names import FORGOTTEN_NAME
from companion.figures.people import PlayedAndWonCount
from companion.figures.statistics_cache import StatisticsCache
from companion.play import verify
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.session import resume_recorded_game as recorded_game
from companion.record.journal import Entry, Journal
from companion.say.words import LANGUAGES, Words
from tests.figures.test_export import play
from tests.helpers import NOW_SECONDS, begin_game, format_day, setup_for
from tests.installed import shop

OUTSIDER: Final = Path(__file__).with_name("outsider.py")
SEATS: Final = (("Ann", "Bob", "Cy"), ("Cy", "Ann"), ("Dee", "Bob", "Ann", "Cy"), ("Bob", "Cy"))


def record(folder: Path, games: int) -> Path:
    """Write a record with games of every kind and changing tables: the first four unfinished."""
    path = folder / "games.db"
    with closing(Journal(path)) as journal:
        for n in range(games):
            game = registry.BUILT_IN_GAMES[n % 4]
            players = SEATS[random.Random(n).randrange(4)]
            play(journal, game, f"{game} {n}", 10**5 if n > 3 else 30, players=players)
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("box"), 24)


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with closing(Journal(path, beside=True)) as journal:
        yield journal


@pytest.fixture(scope="module")
def made(path: Path) -> Iterator[StatisticsCache]:
    """Return the statistics of the 24 games, counted once and kept in memory."""
    with (
        closing(Journal(path, beside=True)) as journal,
        closing(StatisticsCache(journal, None)) as shelf,
    ):
        shelf.all_game_statistics()
        yield shelf


@pytest.fixture(scope="module")
def counted(path: Path) -> Any:
    """Return the counts of `outsider.py` over the export of the 24 games."""
    with closing(Journal(path, beside=True)) as journal:
        numbers = sorted(journal.game_numbers())
        games = (recorded.load_recorded_game(journal, number) for number in numbers)
        lines = [*export.export_lines(games, len(numbers), "0", whole=True)]
    file = path.with_name("games.jsonl")
    file.write_text("\n".join(lines), "utf-8")
    command = (sys.executable, "-I", str(OUTSIDER), str(file))
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def test_the_outsider_knows_nothing_of_the_project() -> None:
    assert "companion" not in OUTSIDER.read_text("utf-8")


@pytest.mark.long
def test_a_game_in_figures_is_what_an_outsider_counts(made: StatisticsCache, counted: Any) -> None:
    games = json.loads(export_formats.game_statistics_as_json(made.all_game_statistics()))
    assert len(games) == len(counted["games"]) == 24
    for game, found in zip(games, counted["games"], strict=True):
        assert {key: game[key] for key in found} == found
    assert sum(sum(found["faces"]) for found in counted["games"]) > 20
    assert any(found["undone"] for found in counted["games"])


@pytest.mark.long
def test_a_person_in_figures_is_what_an_outsider_counts(
    made: StatisticsCache, counted: Any
) -> None:
    everybody = made.people_statistics()
    assert {one.name for one in everybody} == counted["people"].keys()
    for one in everybody:
        found = counted["people"][one.name]
        assert (one.all.games, one.all.wins, one.all.win_rate) == (
            *(found["games"], found["wins"], found["rate"]),
        )
        assert {kind: [*n] for kind, n in one.by_game.items()} == found["by_game"]
        assert {str(n): [*count] for n, count in one.by_players.items()} == found["by_players"]
        assert {who: [*a] for who, a in one.against.items()} == found["against"]
        scores = {kind: [s.average_score, s.best] for kind, s in one.scores.items()}
        assert scores == found["scores"]
        assert (one.streak, one.longest, one.seconds) == (
            *(found["streak"], found["longest"], found["seconds"]),
        )


@pytest.mark.long
def test_the_curve_of_a_game_ends_with_its_scores(journal: Journal, made: StatisticsCache) -> None:
    for number in sorted(journal.game_numbers()):
        played, detail = made.compute_game_statistics(number)
        if played.ended is not None:
            assert detail.curve[-1][1] == played.scores
            assert {name for name, _ in detail.tally} <= {*played.players, ""}


@pytest.mark.long
@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("game", "seed", "what"), [("baretta", "b3", "own_arrest"), ("probe", "p4", "word")]
)
def test_what_was_secret_is_counted_of_games_that_are_over_alone(
    game: str, seed: str, what: str
) -> None:
    for answers, is_counted in ((10**5, True), (60, False)):
        journal = Journal(None)
        number = play(journal, game, seed, answers)
        _, detail = StatisticsCache(journal, None).compute_game_statistics(number)
        counted = {name.partition(":")[0] for _, name in detail.tally}
        assert len(counted) > is_counted
        assert (what in counted) == is_counted


@pytest.mark.long
def test_the_hardest_words_and_what_was_counted_of_a_person(
    journal: Journal, made: StatisticsCache
) -> None:
    everybody = made.people_statistics()
    tallies = {number: made.compute_game_statistics(number) for number in journal.game_numbers()}
    asked = Counter[str]()
    mine = Counter[tuple[str, str]]()
    for played, detail in tallies.values():
        for (who, what), n in detail.tally.items():
            if what.startswith("word:"):
                asked[what[5:]] = max(asked[what[5:]], n)
            elif who == everybody[0].name:
                mine[played.game, what] += n
    assert (
        made.hardest_secret_words() == sorted(asked.items(), key=lambda one: (-one[1], one[0]))[:3]
    )
    assert made.game_specific_person_counts(everybody[0].name) == mine


@pytest.mark.long
def test_a_pause_of_more_than_an_hour_is_no_time_at_the_table(journal: Journal) -> None:
    game = recorded.load_recorded_game(journal, 5)
    half = len(game.entries) // 2
    for pause, counts in ((3600, 3600), (3601, 0)):
        before = game.entries[half - 1].at
        moved = tuple(
            entry._replace(at=before + pause if n >= half else before)
            for n, entry in enumerate(game.entries)
        )
        paused = game._replace(begun=before, entries=moved)
        assert recorded_game_statistics(paused, 5)[0].seconds == counts


@pytest.mark.long
def test_every_figure_of_a_game_has_words_in_both_languages(
    journal: Journal, made: StatisticsCache
) -> None:
    games = [made.compute_game_statistics(number) for number in journal.game_numbers()]
    for language in LANGUAGES:
        words = Words(language)
        for played, detail in games:
            for _, what in detail.tally:
                name = what.partition(":")[0]
                assert words.has_sentence(f"{played.game}.figure.{name}"), (played.game, what)
            assert all(
                text[-1] == "."
                for text in sentences.game_statistics_sentences(words, played, detail)
            )
        for one in made.people_statistics():
            assert [*sentences.person_statistics_sentences(words, one)]


def a_game(
    number: int = 1, winners: str = "A", players: str = "AB", **changes: Any
) -> GameStatistics:
    """Return the statistics of a game whose players' names have one letter."""
    scores = tuple(int(who in winners) for who in players)
    played = GameStatistics(
        number,
        str(number),
        "kojak",
        (*players,),
        NOW_SECONDS,
        NOW_SECONDS + 60,
        (*winners,),
        scores,
        players[0],
        60,
        10,
        0,
        0,
        (0,) * 6,
        0,
        0,
    )
    return played._replace(**changes)


def test_time_used_is_what_passed_before_the_answers_of_a_player() -> None:
    with closing(Journal(None)) as journal:
        options = {option.name: option.values[0] for option in registry.find_game("probe").options}
        setup = setup_for(options, game="probe", players=("Ann", "Bob", "Cy"))
        session = Session.begin(journal, setup._replace(mixing=False), 0)
        session.answer(5, 90)
        session.answer(5, 120)
        session.undo(130)
        session.answer(4, 170)
        session.commit()
        found, detail = recorded_game_statistics(
            recorded.load_recorded_game(journal, session.number), session.number
        )
    assert found.used == (90, 70, 0)
    assert found.seconds == 170
    said = [*sentences.game_statistics_sentences(Words("en"), found, detail)]
    assert "Minutes before answers: Ann 2, Bob 1, Cy 0." in said


def test_time_used_has_no_pause_of_more_than_an_hour() -> None:
    with closing(Journal(None)) as journal:
        options = {option.name: option.values[0] for option in registry.find_game("probe").options}
        setup = setup_for(options, game="probe", players=("Ann", "Bob"))
        session = Session.begin(journal, setup._replace(mixing=False), 0)
        session.answer(5, 4000)
        session.commit()
        found, detail = recorded_game_statistics(
            recorded.load_recorded_game(journal, session.number), session.number
        )
    assert found.used == (0, 0)
    assert not any(
        "before answers" in text
        for text in sentences.game_statistics_sentences(Words("en"), found, detail)
    )


def test_ties_are_wins_and_games_that_are_not_over_do_not_count() -> None:
    games = [a_game(winners="AB"), a_game(winners="", ended=None), a_game(winners="B")]
    ann, bob = people.people_statistics(games)
    assert (ann.all, bob.all) == (PlayedAndWonCount(2, 1), PlayedAndWonCount(2, 2))
    assert ann.against["B"] == (2, 0, 1)
    assert (ann.streak, bob.streak, bob.longest) == (0, 2, 2)


def test_who_has_left_has_no_best_score_and_sets_no_record_of_the_table() -> None:
    game = a_game(winners="A", scores=(40, 200), left=(1,))
    ann, bob = people.people_statistics([game])
    assert (ann.scores["kojak"].best, bob.scores) == (40, {})
    assert bob.all == PlayedAndWonCount(1, 0)
    higher = game._replace(scores=(50, 0), left=())
    best = group.group_statistics([game, higher], lambda _: (2026, 1, 1)).records["kojak"].highest
    assert best == higher


def test_pr18_a_recorded_game_knows_who_left_it_and_who_led_of_those_who_stayed() -> None:
    with closing(Journal(None)) as journal:
        options = {option.name: option.values[0] for option in registry.find_game("probe").options}
        setup = setup_for(options, game="probe", players=("Ann", "Bob", "Cy"))
        session = Session.begin(journal, setup._replace(mixing=False), 0)
        for _ in setup.players:
            session.answer(5, 0)
        session.answer({"who": "Bob", "points": 300}, 0, "correct")
        session.answer({"who": "Cy", "points": 5}, 0, "correct")
        session.answer("Bob", 0, LEAVING_PLAYER_QUESTION)
        session.answer(True, 0, "stop")
        session.commit()
        found, _ = recorded_game_statistics(
            recorded.load_recorded_game(journal, session.number), session.number
        )
    assert (found.left, found.scores_of_remaining_players, found.scores[1]) == ((1,), (0, 5), 300)
    assert (found.winners, found.decided) == (("Cy",), 5)
    assert export_formats.game_statistics_as_dict(found)["left"] == ["Bob"]


def test_a_rate_needs_three_games() -> None:
    games = [a_game() for _ in range(2)]
    assert people.people_statistics(games)[0].all.win_rate is None
    assert people.people_statistics([*games, a_game(winners="B")])[0].all.win_rate == 2 / 3


def test_a_nemesis_wins_more_often_and_a_favourite_loses_more_often() -> None:
    games = [a_game(winners="B"), a_game(winners="B"), a_game()]
    ann, bob = people.people_statistics(games)
    assert (ann.toughest_opponent, ann.easiest_opponent) == ("B", None)
    assert (bob.toughest_opponent, bob.easiest_opponent) == (None, "A")
    assert people.people_statistics(games[:2])[0].toughest_opponent is None


def test_two_spellings_become_one_person_and_a_guest_gets_the_game() -> None:
    games = [a_game(1, "A", "AB"), a_game(2, "a", "aG"), a_game(3, "G", "GB")]
    known = names.name_table_after_rename({}, "a", "A")
    known = names.name_table_after_rename(known, "G", "C", game=2)
    found = {
        one.name: one.all
        for one in people.people_statistics(names.games_with_current_names(games, known))
    }
    assert found == {"A": (2, 2), "B": (2, 0), "C": (1, 0), "G": (1, 1)}
    again = names.name_table_after_rename(known, "A", "Z")
    assert {
        one.name for one in people.people_statistics(names.games_with_current_names(games, again))
    } == {
        "Z",
        "B",
        "C",
        "G",
    }


def test_players_of_one_game_stay_two_whatever_they_are_called() -> None:
    (game,) = names.games_with_current_names(
        [a_game(1, "A", "AB")], names.name_table_after_rename({}, "B", "A")
    )
    assert game.players == ("A", "B")


@pytest.mark.long
def test_a_forgotten_person_is_somebody_everywhere_and_chances_still_verify(
    path: Path, tmp_path: Path
) -> None:
    box = tmp_path / "games.db"
    box.write_bytes(path.read_bytes())
    with closing(Journal(box)) as journal:
        journal.save_setting(
            names.NAMES_SETTING,
            names.name_table_after_rename({}, "Ann", FORGOTTEN_NAME),
            NOW_SECONDS,
        )
        shelf = StatisticsCache(journal, None)
        games = shelf.all_game_statistics()
        assert not any("Ann" in game.players for game in games)
        assert sum(FORGOTTEN_NAME in game.players for game in games) > 5
        assert "Ann" not in {one.name for one in shelf.people_statistics()}
        assert not any("Ann" in one.against for one in shelf.people_statistics())
        words = Words("fr")
        for game in games:
            played, detail = shelf.compute_game_statistics(game.number)
            assert "Ann" not in " ".join(sentences.game_statistics_sentences(words, played, detail))
            assert "Ann" not in json.dumps(export_formats.game_details_as_dict(played, detail))
        assert "Ann" not in export_formats.game_results_as_csv(games)
        assert verify.verify_game_against_seed(journal, 5).problem is None


@pytest.mark.parametrize(
    ("faces", "verdict"),
    [
        ((0,) * 6, "none"),
        ((1, 2, 1, 0, 1, 2), "few"),
        ((10, 12, 9, 11, 10, 8), "ordinary"),
        ((5, 10, 10, 10, 10, 25), "uneven"),
        ((0, 10, 10, 10, 10, 60), "strange"),
    ],
)
def test_dice_are_judged_by_what_chance_allows(faces: tuple[int, ...], verdict: str) -> None:
    assert luck.dice_fairness_verdict(faces) == verdict


def test_fair_dice_are_seldom_called_uneven() -> None:
    rng = random.Random(1)
    rolls = (rng.choices(range(6), k=100) for _ in range(1000))
    told = [luck.dice_fairness_verdict([roll.count(face) for face in range(6)]) for roll in rolls]
    assert 20 < told.count("uneven") < 80
    assert told.count("strange") < 5


def test_shuffles_are_judged_by_what_chance_allows() -> None:
    sorted_, rng = luck.ShuffleCounts().with_shuffle(range(48)), random.Random(1)
    assert (
        sorted_.fairness_verdict
        == luck.ShuffleCounts().with_shuffle(range(48)[::-1]).fairness_verdict
        == "strange"
    )
    assert luck.ShuffleCounts().fairness_verdict == "none"
    assert luck.ShuffleCounts().with_shuffle((1, 0, 2)).fairness_verdict == "few"
    told = []
    for _ in range(1000):
        found = luck.ShuffleCounts()
        for _ in range(3):
            found = found.with_shuffle(rng.sample(range(40), 40))
        told.append(found.fairness_verdict)
    assert 20 < told.count("uneven") < 80
    assert told.count("strange") < 5


def test_the_table_of_a_year_and_its_records() -> None:
    games = [a_game(1), a_game(2, answers=61), a_game(3, "B", begun=NOW_SECONDS - 365 * 86_400)]

    def day(at: int) -> group.Day:
        return (2025, 11, 21) if at == NOW_SECONDS else (2024, 11, 21)

    found = group.group_statistics([*games, a_game(4, ended=None)], day)
    assert (found.years[2025].games, found.years[2025].wins) == (2, {"A": 2})
    assert (found.years[2024].games, found.years[2024].seconds) == (1, 60)
    assert found.records["kojak"].longest.number == 2
    assert [game.number for game in group.games_one_year_ago(games, (2025, 11, 21), day)] == [3]


# --- stored beside the record ---------------------------------------------------------------------


def looks(journal: Journal, kept: Path) -> list[GameStatistics]:
    with closing(StatisticsCache(journal, kept)) as shelf:
        return shelf.all_game_statistics()


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a record of six games, which is counted quickly."""
    return record(tmp_path_factory.mktemp("little"), 6)


@pytest.fixture
def few(little: Path) -> Iterator[Journal]:
    with closing(Journal(little, beside=True)) as journal:
        yield journal


@pytest.fixture(scope="module")
def fresh(little: Path) -> list[GameStatistics]:
    """Return the newly counted statistics of the little record."""
    with (
        closing(Journal(little, beside=True)) as journal,
        closing(StatisticsCache(journal, None)) as shelf,
    ):
        return shelf.all_game_statistics()


@pytest.fixture(scope="module")
def file(little: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file with the statistics of the little record."""
    kept = tmp_path_factory.mktemp("kept") / "figures.db"
    with closing(Journal(little, beside=True)) as journal:
        looks(journal, kept)
    return kept


@pytest.fixture
def kept(file: Path, tmp_path: Path) -> Path:
    """Copy the statistics file for one test."""
    return Path(shutil.copy(file, tmp_path / "figures.db"))


@pytest.mark.long
def test_kept_figures_are_those_that_are_made(
    journal: Journal, made: StatisticsCache, tmp_path: Path
) -> None:
    kept, games = tmp_path / "figures.db", made.all_game_statistics()
    assert looks(journal, kept) == looks(journal, kept) == games
    with closing(StatisticsCache(journal, kept)) as shelf:
        assert shelf.history_statistics_page() == games[::-1][:20]
        assert shelf.history_statistics_page(5) == games[3::-1]
        assert (
            shelf.people_statistics()
            == shelf.people_statistics()
            == people.people_statistics(games)
        )


@pytest.mark.long
@pytest.mark.parametrize(
    "harm",
    [
        "PRAGMA user_version = 99",
        "UPDATE kept SET checksum = '00000000', played = '[]'",
        "DELETE FROM kept WHERE game % 2",
        "INSERT INTO kept VALUES (99, 1, '00000000', 0, '[]')",
        "DROP TABLE kept",
        "DROP TABLE tally",
        "DELETE FROM kept; CREATE TRIGGER sum AFTER INSERT ON kept BEGIN DELETE FROM kept; END",
    ],
)
def test_figures_are_rebuilt_where_they_are_not_of_this_record(
    harm: str, few: Journal, fresh: list[GameStatistics], kept: Path
) -> None:
    with closing(sqlite3.connect(kept)) as db:
        db.executescript(harm)
    assert looks(few, kept) == fresh


@pytest.mark.long
def test_what_is_no_file_of_figures_is_replaced(
    few: Journal, fresh: list[GameStatistics], kept: Path
) -> None:
    kept.write_bytes(b"not a database" * 1000)
    assert looks(few, kept) == fresh


@pytest.mark.long
def test_a_file_that_another_is_busy_with_is_left_to_it(
    few: Journal, fresh: list[GameStatistics], kept: Path
) -> None:
    """Example: the box counts a game that has just ended while a phone asks for statistics."""
    with closing(sqlite3.connect(kept, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert looks(few, kept) == fresh
        other.execute("DELETE FROM kept")
        other.execute("COMMIT")  # the file was not replaced meanwhile
    assert looks(few, kept) == fresh


def test_two_who_make_the_file_at_once_make_one(
    little: Path, fresh: list[GameStatistics], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, is_ours, others = tmp_path / "figures.db", statistics_cache._is_ours, list[Thread]()

    def looked(db: sqlite3.Connection) -> bool:
        """Open the file in another thread before this thread creates it."""
        if not others:
            others.append(Thread(target=counted))
            others[0].start()
        return is_ours(db)

    def counted() -> None:
        with (
            closing(Journal(little, beside=True)) as journal,
            closing(StatisticsCache(journal, kept)) as other,
        ):
            found.append(other.all_game_statistics())

    found: list[list[GameStatistics]] = []
    monkeypatch.setattr(statistics_cache, "_is_ours", looked)
    with closing(Journal(little, beside=True)) as journal:
        with closing(StatisticsCache(journal, kept)) as one:
            others[0].join()
            found.append(one.all_game_statistics())
        assert found == [fresh] * 2


@pytest.mark.long
def test_a_game_that_goes_on_is_counted_again(little: Path, kept: Path) -> None:
    box = kept.with_name("games.db")
    box.write_bytes(little.read_bytes())
    with closing(Journal(box)) as journal:
        before, people_before = (
            looks(journal, kept),
            StatisticsCache(journal, kept).people_statistics(),
        )
        play(journal, "kojak", "new", 10**5, players=("Ann", "Bob"))
        journal.append_entries_to_game(
            1, [Entry("seen", None, journal.game_summary(1).players[0], None, NOW_SECONDS)]
        )
        assert len(looks(journal, kept)) == len(before) + 1
        with closing(StatisticsCache(journal, kept)) as shelf:
            assert shelf.people_statistics() != people_before
            assert shelf.people_statistics() == people.people_statistics(
                StatisticsCache(journal, None).all_game_statistics()
            )


@pytest.mark.long
def test_what_games_come_to_together_is_added_up_from_where_it_was_kept(
    little: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics_cache, "MIN_UNCACHED_GAMES", 2)
    box = kept.with_name("games.db")
    box.write_bytes(little.read_bytes())
    with closing(Journal(box)) as journal:

        def told() -> None:
            made = StatisticsCache(journal, None).all_game_statistics()
            with closing(StatisticsCache(journal, kept)) as here:
                assert here.people_statistics() == people.people_statistics(made)
                assert here.group_statistics(format_day) == group.group_statistics(made, format_day)

        told()
        with closing(sqlite3.connect(kept)) as db:
            assert db.execute("SELECT upto FROM sum").fetchall() == [(4,), (4,)]
        play(journal, "kojak", "new", 10**5, players=("Ann", "Bob"))
        told()  # one more game
        journal.save_setting(
            names.NAMES_SETTING, names.name_table_after_rename({}, "Ann", "Anna"), NOW_SECONDS
        )
        told()  # a player was renamed
        table, _ = recorded_game(journal, journal.recent_unfinished_game_numbers()[0], NOW_SECONDS)
        while (prompt := table.standing.pending_prompt) is not None:
            table.answer(legal_answers(prompt)[0], NOW_SECONDS)
        table.commit()
        told()  # an unfinished game has ended


@pytest.mark.long
def test_the_evening_of_a_year_ago_is_found_by_its_day(made: StatisticsCache) -> None:
    games = made.all_game_statistics()
    later = games[0].begun + 365 * 86_400
    assert made.list_games_one_year_ago(later, format_day) == [
        game for game in games if format_day(game.begun) == format_day(games[0].begun)
    ]
    assert made.list_games_one_year_ago(later + 86_400 * 2, format_day) == []


def test_a_spreadsheet_gets_no_formula_from_a_name() -> None:
    game = a_game()._replace(players=("=1+1", "B"), first="B", winners=("B",))
    row = export_formats.game_results_as_csv([game]).splitlines()[1]
    assert ",'=1+1," in row


def test_others_get_who_won_and_who_began() -> None:
    link = export_formats.bgstats_link(a_game(), "Kojak")
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    fields = export_formats.boardgamegeek_fields(a_game())
    assert [player["win"] for player in fields["players"]] == [1, 0]
    assert (fields["playdate"], fields["length"]) == ("2025-11-21", 1)


COUNTING: Final = """
def scores(state):
    return [state[1] * n for n, _ in enumerate(state[0])]

def count(cue):
    yield cue.facts["who"], "added", 1
"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("slip", ["", "    1 / 0\n", "    return [7]\n"])
def test_a_package_counts_what_only_it_can_and_its_slips_cost_no_game(
    tmp_path: Path, slip: str, caplog: pytest.LogCaptureFixture
) -> None:
    for installed in shop(tmp_path / "site"):
        text = COUNTING.replace("    return", f"{slip}    return")
        (installed.install(target=4) / "figures.py").write_text(text, "utf-8")
        setup = GameSetup(
            registry.find_game("sum-up"), ("Ann", "Bob"), {}, {}, Chance("a"), mixing=False
        )
        game = recorded.load_recorded_game(begin_game(setup, (3, 1)), 1)
        told, detail = recorded_game_statistics(game, 1)
        assert told.winners == ("Ann",)
        if slip:
            assert detail.curve == ()
            assert "sum-up: figures: " in caplog.text
        else:
            assert detail.curve == ((1, (0, 3)), (2, (0, 4)))
            assert detail.tally == {("Ann", "added"): 2}
