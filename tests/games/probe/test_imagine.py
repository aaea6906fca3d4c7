"""Tests of the computer player of Probe: it finds words that fit the racks, and a letter to ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.catalog import editions
from companion.core.fold import state_after_answers
from companion.core.game import Cue, SeatMemory
from companion.core.letters import capitals_without_accents
from companion.core.prompts import COVERED_LETTER, Form, legal_answers
from companion.games.probe import GAME
from companion.games.probe.known import lexicon
from companion.games.probe.known.imagine import imagine, obvious_answers
from companion.games.probe.known.lexicon import (
    RackKnowledge,
    WordsOfOneLength,
    is_word_possible_on_rack,
    random_word_for_rack,
)
from companion.games.probe.known.words_to_hide import (
    ENGLISH_WORDS_TO_HIDE,
    FRENCH_WORDS_TO_HIDE,
    WordsToHide,
    choose_secret_word,
)
from companion.games.probe.rules.board import LETTERS, SAMPLE_WORDS, Rack, word_error_code
from companion.games.probe.rules.state import State
from companion.say.dictionary import LISTS_FOLDER
from companion_testing.imagining import check_imagined_games, json_round_trip
from companion_testing.playing import play_random_game
from companion_testing.table import GameTable, longest_player_names

EDITION = editions.load_edition("probe")
OPTIONS = {option.name: option.values[0] for option in GAME.options} | {"words": "secret"}
PLAYERS = ("Ann", "Bob", "Cy")
NORMAL = [*range(36)]


@pytest.fixture(params=["listed", "bare"])
def _lists(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run the test with a word list of the system, and without word lists."""
    found = ("small",) if request.param == "listed" else ()
    words = ("WORD", "WORK", "QUIZ", "PUZZLE", "LETTER", "LETTERS", "HOUSES", "HOUSE")
    blocks = tuple(
        WordsOfOneLength("".join(one for one in words if len(one) == n).encode(), n)
        for n in lexicon.WORD_LENGTHS
    )
    monkeypatch.setattr(lexicon, "installed_word_lists", lambda: found)
    monkeypatch.setattr(lexicon, "load_words_by_length", lambda _name: blocks)
    lexicon.installed_words_fitting_rack.cache_clear()
    yield
    lexicon.installed_words_fitting_rack.cache_clear()


def begun(*words: str) -> State:
    """Return a game of three with these words, at the first normal turn."""
    state = GAME.setup(PLAYERS, OPTIONS, EDITION)
    return state_after_answers(GAME, state, [*words, NORMAL])


def told_of(state: State, *facts: Cue, player: str = "Ann") -> SeatMemory:
    """Return a player's memory of a game, after these cues."""
    question = GAME.ask(state)
    assert question is not None
    own = [cue for cue in GAME.secrets(state) if cue.to == player]
    offered = () if isinstance(question, Form) else tuple(legal_answers(question))
    return SeatMemory(
        PLAYERS, OPTIONS, EDITION, (*own, *facts), question.name, question.who, offered
    )  # fmt: skip


def no(letter: str, whom: str = "Bob") -> Cue:
    """Return the cue of a refused letter."""
    return Cue("said_no", {"who": "Ann", "whom": whom, "asked": letter}, "PR-4")


def thought(state: State, told: SeatMemory, seed: int = 1) -> Any:
    """Return the answer that the active player would give."""
    view = json_round_trip(GAME.view(state, None))
    (answer,) = obvious_answers(view, told, told.who or "", Random(seed))
    return answer


@pytest.mark.long
@pytest.mark.usefixtures("_lists")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("remember", ["no", "yes"])
def test_what_is_imagined_looks_as_the_game_does_for_every_seat(
    players: int, remember: str
) -> None:
    table = GameTable(
        GAME, longest_player_names(players), {**OPTIONS, "remember": remember}, EDITION
    )
    assert not list(check_imagined_games(play_random_game(table, players)))


@pytest.mark.sampled(8)
@pytest.mark.usefixtures("_lists")
@pytest.mark.parametrize("seed", range(30))
def test_pr_1_a_word_that_is_imagined_fits_what_is_seen_and_nothing_that_was_refused(
    seed: int,
) -> None:
    rng = Random(seed)
    text = rng.choice((*SAMPLE_WORDS, "QXZK", "...HOUSES.", "JJJJJJ....."))
    covered = {place for place in range(len(text)) if rng.random() < 0.6}
    hidden = {text[place] for place in covered}
    seen = RackKnowledge(
        "".join(
            COVERED_LETTER if place in covered else letter for place, letter in enumerate(text)
        ),
        "".join(c for c in (*LETTERS, ".") if c not in hidden and rng.random() < 0.5),
    )
    for _ in range(20):
        found = random_word_for_rack(seen, rng)
        assert is_word_possible_on_rack(seen, found)
        assert word_error_code(found) is None


@pytest.mark.usefixtures("_lists")
def test_a_rack_that_nothing_fits_any_more_has_some_word_all_the_same() -> None:
    found = random_word_for_rack(RackKnowledge("____", f"{LETTERS}."), Random(1))
    assert word_error_code(found) is None


@pytest.mark.parametrize("words", [ENGLISH_WORDS_TO_HIDE, FRENCH_WORDS_TO_HIDE])
def test_pr_1_every_word_to_hide_is_legal(words: WordsToHide) -> None:
    assert not [word for kind in words for word in kind if word_error_code(word)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "name"),
    [(ENGLISH_WORDS_TO_HIDE, "american-english"), (FRENCH_WORDS_TO_HIDE, "french")],
)
def test_pr_11_every_word_to_hide_is_spelled_as_in_the_list_of_the_system(
    words: WordsToHide, name: str
) -> None:
    if not (LISTS_FOLDER / name).exists():
        pytest.skip("no list of words: apt install wamerican wfrench")
    text = (LISTS_FOLDER / name).read_text("utf-8").replace("œ", "oe")
    listed = {
        capitals_without_accents(word).upper() for word in text.split() if word == word.lower()
    }
    assert not {*words.everyday, *words.hard} - listed


@pytest.mark.parametrize("words", [ENGLISH_WORDS_TO_HIDE, FRENCH_WORDS_TO_HIDE])
def test_a_hard_word_is_short_and_sometimes_has_a_dot(words: WordsToHide) -> None:
    hard = [choose_secret_word(words, Random(n), hard=True) for n in range(40)]
    assert {word.strip(".") for word in hard} <= {*words.hard}
    assert {word.count(".") for word in hard} == {0, 1}
    assert max(map(len, words.hard)) <= 6


@pytest.mark.parametrize(
    ("there", "words"),
    [
        ((), ENGLISH_WORDS_TO_HIDE), (("american-english",), ENGLISH_WORDS_TO_HIDE),
        (("french",), FRENCH_WORDS_TO_HIDE),
        (("american-english", "french"), ENGLISH_WORDS_TO_HIDE),
    ],
)  # fmt: skip
def test_french_words_are_hidden_where_only_a_french_list_is(
    there: tuple[str, ...], words: WordsToHide, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexicon, "installed_word_lists", lambda: there)
    assert lexicon.available_secret_words() is words


def test_words_of_a_list_are_found_by_their_letters_as_one_would_by_reading_it() -> None:
    rng = Random(5)
    words = ["".join(rng.choices("ABCD", k=5)) for _ in range(300)]
    block = WordsOfOneLength("".join(words).encode(), 5)
    for _ in range(50):
        seen = "".join(rng.choice("AB____") for _ in range(5))
        refused = rng.choice(("", "C", "CD", "A"))
        found = block.bitmask_of_fitting_words(seen, refused)
        assert [words[n] for n in range(300) if found >> n & 1] == [
            text for text in words if is_word_possible_on_rack(RackKnowledge(seen, refused), text)
        ]
        if found:
            assert is_word_possible_on_rack(
                RackKnowledge(seen, refused),
                block.word_by_number(block.random_word_number(found, rng)),
            )


@pytest.mark.long
@pytest.mark.usefixtures("word_list")
def test_pr_3_a_letter_that_was_refused_is_on_no_covered_place_of_that_player() -> None:
    state = begun("LETTER", "HOUSES", "PUZZLE")
    told = told_of(state, no("E"), no("S", "Cy"))
    view = json_round_trip(GAME.view(state, None))
    for seed in range(10):
        mine, bob, cy = (rack.word for rack in imagine(view, told, "Ann", Random(seed)).racks)
        assert mine == "LETTER"
        assert "E" not in bob
        assert "S" not in cy
    forgot = told._replace(span=0)
    words = [imagine(view, forgot, "Ann", Random(seed)).racks[1].word for seed in range(20)]
    assert any("E" in text for text in words)


@pytest.mark.long
@pytest.mark.usefixtures("word_list")
def test_pr_3_who_remembers_three_refused_letters_remembers_them_of_each_player() -> None:
    state = begun("LETTER", "HOUSES", "PUZZLE")
    lost, kept = "OUT", "HES"
    noes = (*(no(letter) for letter in lost + kept), *(no(letter, "Cy") for letter in "LAB"))
    told = told_of(state, *noes)._replace(span=3)
    view = json_round_trip(GAME.view(state, None))
    words = [imagine(view, told, "Ann", Random(seed)).racks[1].word for seed in range(40)]
    assert not {*kept} & {*"".join(words)}
    assert {*lost} & {*"".join(words)}


@pytest.mark.long
def test_pr_4_twin_games_whose_words_differ_are_imagined_and_played_alike() -> None:
    state = begun("LETTER", "HOUSES", "PUZZLE")
    twin = replace(state, racks=(state.racks[0], Rack("BOTTLE", state.racks[1].covered),
                                 Rack("WISDOM", state.racks[2].covered)))  # fmt: skip
    told, other = told_of(state), told_of(twin)
    assert told == other
    view = json_round_trip(GAME.view(state, None))
    assert view == json_round_trip(GAME.view(twin, None))
    for seed in range(5):
        assert imagine(view, told, "Ann", Random(seed)) == imagine(view, other, "Ann", Random(seed))
        assert thought(state, told, seed) == thought(twin, other, seed)


@pytest.mark.long
@pytest.mark.usefixtures("word_list")
def test_pr_3_no_letter_is_asked_for_again_that_was_refused_while_it_is_remembered() -> None:
    state = state_after_answers(GAME, begun("LETTER", "HOUSES", "PUZZLE"), ["Bob"])
    asked: list[str] = []
    for _ in range(10):
        letter = thought(state, told_of(state, *(no(one) for one in asked)))
        assert letter not in asked
        asked.append(letter)
    assert "." not in asked[:5]


@pytest.mark.long
def test_pr_10_a_dot_is_asked_for_where_it_must_be_one() -> None:
    state = state_after_answers(GAME, begun("LETTER", "..WORD", "PUZZLE"), ["Bob"])
    rack = Rack("..WORD", (1, 2))
    state = replace(state, racks=(state.racks[0], rack, state.racks[2]))
    everything = tuple(no(letter) for letter in LETTERS)
    assert thought(state, told_of(state, *everything)) == "."


def test_pr_2_the_cheapest_place_is_uncovered_and_pr_8_the_dearest_dot() -> None:
    told = SeatMemory(PLAYERS, OPTIONS, EDITION, (), "uncover", "Ann", (3, 5, 7))
    assert obvious_answers({"because": "hit"}, told, "Ann", Random(1)) == (7,)
    assert obvious_answers({"because": "own_dot"}, told, "Ann", Random(1)) == (3,)
    two = told._replace(choices=("Ann:left:3", "Ann:right:12"))
    assert obvious_answers({"because": "forced"}, two, "Ann", Random(1)) == ("Ann:right:12",)
    none = told._replace(choices=("none",))
    assert obvious_answers({"because": "own_dot"}, none, "Ann", Random(1)) == ("none",)


def test_real_racks_and_cards_need_hands_that_the_box_does_not_have() -> None:
    assert GAME.can_box_play_seat(OPTIONS)
    assert not GAME.can_box_play_seat({**OPTIONS, "words": "racks"})
    assert not GAME.can_box_play_seat({**OPTIONS, "deck": "own"})
