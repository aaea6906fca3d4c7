"""Tests of playthroughs: recorded games in both languages replay line by line without a change.

    .venv/bin/python -m companion_testing.playthrough --write tests/playthroughs/*.txt

After an intended change, this command records the playthroughs again. Read the difference. If the
answers are no longer valid, `--new` instead of `--write` records other games.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from companion.catalog import registry
from companion_testing import playthrough
from tests.helpers import long_lane_params

FOLDER: Final = Path(__file__).parents[1] / "playthroughs"
NAMES: Final = [
    f"{game}-{language}" for game, language in product(registry.BUILT_IN_GAMES, ("en", "fr"))
]


def text(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text("utf-8")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", [*NAMES[::2], *long_lane_params(NAMES[1::2])])
def test_a_recorded_game_goes_on_line_by_line_as_it_did(name: str) -> None:
    then, now = text(name).splitlines(), playthrough.replay_playthrough(text(name)).splitlines()
    other = [
        (n, *pair) for n, pair in enumerate(zip(then, now, strict=False), 1) if len({*pair}) > 1
    ]
    assert other[:1] == [], "if it is meant: python -m companion_testing.playthrough --write"
    assert len(now) == len(then)


def test_each_game_is_recorded_to_its_end_in_both_languages_with_the_same_answers() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(NAMES)
    for english, french in zip(NAMES[::2], NAMES[1::2], strict=True):
        answers = [
            re.findall(r"^  [>=] .*", text(name), re.MULTILINE) for name in (english, french)
        ]
        assert answers[0] == answers[1], english
        assert all(re.search(r"^winners ", text(name), re.MULTILINE) for name in (english, french))


def test_what_seats_see_alone_and_are_told_alone_stands_in_the_text() -> None:
    barney = text("barney-miller-en")
    assert "  * hand to Ann [BM-3]" in barney
    assert re.search(r"^  @ Ann: cards \[", barney, re.MULTILINE)


def test_an_answer_that_is_not_taken_any_more_ends_the_text_and_leaves_the_file(
    tmp_path: Path,
) -> None:
    spoilt = text("kojak-en").replace('  > "mission"', '  > "police station"', 1)
    assert (
        playthrough.replay_playthrough(spoilt)
        .splitlines()[-1]
        .startswith("! happened does not take")
    )
    file = tmp_path / "kojak.txt"
    file.write_text(spoilt, "utf-8")
    with pytest.raises(ValueError, match="is left as it is: happened does not take"):
        playthrough.rewrite_playthrough_file(file)
    assert file.read_text("utf-8") == spoilt


@pytest.mark.long
def test_a_new_game_is_recorded_at_the_same_table_with_the_options_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playthrough, "MAX_TRIED_SEEDS", 2)
    file = tmp_path / "kojak.txt"
    file.write_text(text("kojak-fr").replace("short=no", "short=yes gone=yes", 1), "utf-8")
    playthrough.rewrite_playthrough_file(file, playthrough.other_random_playthrough_text)
    new, old = (
        playthrough.parse_playthrough_header(file.read_text("utf-8")),
        playthrough.parse_playthrough_header(text("kojak-fr")),
    )
    assert new._replace(seed=0) == old._replace(seed=0, options={**old.options, "short": "yes"})
    assert playthrough.replay_playthrough(file.read_text("utf-8")) == file.read_text("utf-8")


def test_answers_that_end_before_the_game_are_told() -> None:
    half = text("kojak-en")[:9000].rpartition("\n\n")[0]
    assert (
        playthrough.replay_playthrough(half).splitlines()[-1]
        == "! here the answers end, and the game does not"
    )


@pytest.mark.long
def test_a_text_is_written_of_any_game_and_says_what_is_wrong_with_a_call() -> None:
    head = playthrough.make_playthrough_header("kojak", "fr", ("Zoé", "Bob"), {"short": "yes"}, 3)
    written = playthrough.random_playthrough_text(head)
    assert playthrough.parse_playthrough_header(written) == head
    assert playthrough.replay_playthrough(written) == written
    with pytest.raises(ValueError, match="kojak has no option short=perhaps"):
        playthrough.make_playthrough_header("kojak", "en", ("Ann", "Bob"), {"short": "perhaps"}, 0)
    with pytest.raises(ValueError, match="its first lines do not tell the 'options'"):
        playthrough.parse_playthrough_header("a letter to nobody\n")


def test_the_first_round_ends_where_the_first_player_is_asked_again() -> None:
    for name in NAMES[::2]:
        begins = playthrough.cut_playthrough_after_first_round(text(name))
        assert text(name).startswith(begins.rstrip()), name
        assert len(begins) < len(text(name)) / 2, name
