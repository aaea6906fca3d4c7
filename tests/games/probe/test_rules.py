"""Tests of the rules, clause by clause (PR-1 to PR-16). Each test begins with a given state."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.catalog import editions
from companion.core.chance import Chance
from companion.core.errors import Refused
from companion.core.fold import apply_answer
from companion.core.game import Cues
from companion.core.prompts import (
    Answer,
    Choose,
    Shuffle,
    Spell,
    first_prompt_of_form,
    is_legal_answer,
    legal_answers,
)
from companion.games.probe import GAME
from companion.games.probe.rules.board import (
    PLACE_VALUES,
    SAMPLE_WORDS,
    WORD_PATTERN,
    ActivityCard,
    Rack,
    activity_card_name,
    parse_activity_card,
    word_error_code,
)
from companion.games.probe.rules.state import State, total_place_value
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.play.standing import UNDO_AGREEMENT
from companion.record.journal import Journal
from tests.games import steps
from tests.games.steps import cue_names, find_cue

play: Final = partial(steps.play_answers, GAME)
asked: Final = partial(steps.pending_question, GAME)

NAMES = ("Ann", "Bob", "Cy", "Dee")
EDITION = editions.load_edition("probe")
NORMAL, AGAIN, DOT = (
    ActivityCard("normal"),
    ActivityCard("additional_turn"),
    ActivityCard("own_dot"),
)
LEFT, RIGHT = ActivityCard("left_uncovers"), ActivityCard("right_uncovers")
ORDER = list(range(36))
both = pytest.mark.parametrize("words", ["racks", "secret"])


def fresh(n: int = 3, **options: str) -> State:
    chosen = {"words": "racks", "deck": "virtual", "remember": "no", **options}
    return GAME.setup(NAMES[:n], chosen, EDITION)


def rack(word: str, *shown: int) -> Rack:
    """Return a word whose places are covered, except `shown`."""
    return Rack(word, tuple(p for p in range(1, len(word) + 1) if p not in shown))


def left_in(word: str, *covered: int) -> Rack:
    """Return a word of which only these places are covered."""
    return Rack(word, covered)


def moment(
    *racks: Rack, n: int | None = None, cards: tuple[ActivityCard, ...] = (), **fields: Any
) -> State:
    """Return a state in which Ann has drawn a normal card and is about to ask.

    Two players have two racks each. A word with `?` is on a real rack. `cards` are the next cards,
    followed by normal cards.
    """
    secret = "?" not in racks[0].word
    n = n or (2 if len(racks) == 4 and fields.pop("two", False) else len(racks))
    state = fresh(n, words="secret" if secret else "racks", **fields.pop("options", {}))
    began: dict[str, Any] = {
        "step": "ask_whom", "racks": racks, "filling": len(racks), "card": NORMAL,
        "pile": (*cards, *(NORMAL,) * 20),
    }  # fmt: skip
    return replace(state, **{**began, **fields})


def drawing(state: State, card: ActivityCard) -> tuple[State, Cues]:
    """Let Ann, at seat 0, say no to the last player. Then Ann draws `card`."""
    last = len(state.scores) - 1
    before = replace(state, turn=last, whom=0, step="answer", pile=(card, *state.pile), letter=None)
    if before.table.secret:
        before = replace(before, step="ask_for")
        return play(before, "Z")
    return play(before, "no")


def call(state: State, question: str, value: Answer) -> tuple[State, Cues]:
    return apply_answer(GAME, state, value, question)


def interrupt(state: State, who: str, rack: str, verdict: Answer) -> tuple[State, Cues]:
    key = "guess" if isinstance(verdict, str) else "right"
    whom = rack.partition(":")[0]
    return call(state, "interrupt", {"who": who, "whom": whom, "rack": rack, key: verdict})


def refusal(state: State, question: str, value: Answer) -> str:
    with pytest.raises(Refused) as caught:
        call(state, question, value)
    return caught.value.code


def booked(cues: Cues) -> list[tuple[str, int, str, str | None]]:
    return [
        (c.facts["who"], c.facts["points"], c.facts["why"], c.clause)
        for c in cues
        if c.name == "scored"
    ]


PLAIN = (rack("????????"), rack("????????"), rack("????????"))
WORDS = (rack("..PROBE."), rack("LETTER"), rack(".SECRET"))


# --- PR-1: the words ------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("PROB", None), ("INTERRUPTION", None), (".....PROBE", None), ("PROBE.....", None),
        ("..PROBE...", None), ("...PROBE....", "word_dots"), ("......PROB", "word_dots"),
        ("PRO", "word_short"), ("..PRO..", "word_short"), (".....", "word_short"),
        ("PRO.BE", "word_dot_inside"), ("INTERRUPTION.", "word_long"),
        ("PROBABILISTIC", "word_long"),
        ("IT'S", "word_letters"), ("WELL-OFF", "word_letters"), ("PROBE 2", "word_letters"),
        ("été", "word_short"), ("école", None), ("ŒUVRE", None), ("ΛΟΓΟΣ", "word_letters"),
    ],
)  # fmt: skip
def test_pr1_a_word_has_4_to_12_letters_and_up_to_5_dots_before_and_after_it(
    text: str, code: str | None
) -> None:
    state = fresh(2, words="secret")
    assert word_error_code(text) == code
    prompt = GAME.ask(state)
    assert isinstance(prompt, Spell)
    assert is_legal_answer(prompt, text) == (code is None and len(text) <= 12)
    if code:
        with pytest.raises(Refused) as caught:
            play(state, text)
        assert caught.value.code == code


def test_pr1_accents_do_not_count() -> None:
    state, _ = play(fresh(3, words="secret"), "..éCôle", "cœur", "ÀÇÎÛ")
    assert [r.word for r in state.racks] == ["..ECOLE", "COEUR", "ACIU"]


@given(dots=st.tuples(*[st.integers(0, 7)] * 2), letters=st.text("ABCxyz.É", max_size=14))
def test_pr1_whatever_fits_the_pattern_is_a_legal_word(dots: tuple[int, int], letters: str) -> None:
    text = "." * dots[0] + letters + "." * dots[1]
    plain = not any(letter in text for letter in "É")
    assert (re.search(WORD_PATTERN, text) is not None) == (word_error_code(text) is None and plain)


def test_pr1_every_sample_is_a_legal_word() -> None:
    assert all(word_error_code(word) is None for word in SAMPLE_WORDS)


def test_pr1_each_player_types_a_word_in_private_and_seat_1_starts() -> None:
    state = fresh(3, words="secret")
    told: Cues = ()
    for who, word in zip(NAMES[:3], ("PROBE", "LETTER.", "SECRET"), strict=True):
        prompt = first_prompt_of_form(GAME.ask(state))
        assert prompt is not None
        assert (prompt.name, prompt.who, prompt.private) == ("word", who, True)
        assert prompt.facts == {"rack": who}
        state, cues = play(state, word)
        told = (*told, *cues)
    assert cue_names(told) == ["word_stands"] * 3 + ["begins"]
    assert [c.facts["n"] for c in told[:3]] == [5, 7, 6]
    assert find_cue(told, "begins").facts == {"who": "Ann"}
    assert GAME.ask(state) == Shuffle("shuffle", 36)
    state, cues = play(state, ORDER)
    assert cue_names(cues)[:2] == ["shuffled", "drawn"]
    assert GAME.view(state, None)["to_act"] == "Ann"


@pytest.mark.parametrize(("begins", "who"), [("1", "Ann"), ("3", "Cy"), ("4", "Ann")])
def test_pr1_the_seat_that_the_table_names_starts(begins: str, who: str) -> None:
    state, cues = play(fresh(3, begins=begins), 4, 5, 6)
    assert find_cue(cues, "begins").facts == {"who": who}
    state, _ = play(state, ORDER)
    assert state.turn == NAMES.index(who)


def test_pr1_of_a_real_rack_the_box_asks_how_many_places_are_used() -> None:
    state = fresh(3)
    assert asked(state) == ("length", "Ann", tuple(range(4, 13)))
    state, _ = play(state, 4, 12, 8)
    assert [len(r.covered) for r in state.racks] == [4, 12, 8]


# --- PR-2: the values -----------------------------------------------------------------------------

TABLE = {  # word with dots → values of its places, computed by hand
    "INTERRUPTION": [5, 10, 15, 15, 10, 5, 5, 10, 15, 15, 10, 5],
    "PROBE": [5, 10, 15, 15, 10],
    ".PROBE": [5, 10, 15, 15, 10, 5],
    "..PROBE": [5, 10, 15, 15, 10, 5, 5],
    "...PROBE": [5, 10, 15, 15, 10, 5, 5, 10],
    "....PROBE": [5, 10, 15, 15, 10, 5, 5, 10, 15],
    ".....PROBE": [5, 10, 15, 15, 10, 5, 5, 10, 15, 15],
    "PROBE.": [5, 10, 15, 15, 10, 5],
    "PROBE..": [5, 10, 15, 15, 10, 5, 5],
    "PROBE...": [5, 10, 15, 15, 10, 5, 5, 10],
    "PROBE....": [5, 10, 15, 15, 10, 5, 5, 10, 15],
    "PROBE.....": [5, 10, 15, 15, 10, 5, 5, 10, 15, 15],
    ".....LETTERS": [5, 10, 15, 15, 10, 5, 5, 10, 15, 15, 10, 5],
    "LETTERS.....": [5, 10, 15, 15, 10, 5, 5, 10, 15, 15, 10, 5],
    "..LETTERS...": [5, 10, 15, 15, 10, 5, 5, 10, 15, 15, 10, 5],
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("word", TABLE)
def test_pr2_the_word_begins_at_place_1_with_its_dots_and_each_place_has_its_value(
    word: str,
) -> None:
    state = moment(rack(word), *WORDS[1:])
    shown = GAME.view(state, None)["racks"]["Ann"]
    assert [p["value"] for p in shown] == [5, 10, 15, 15, 10, 5, 5, 10, 15, 15, 10, 5]
    assert [p["value"] for p in shown if p["covered"]] == TABLE[word]
    opened = GAME.view(replace(state, racks=(Rack(word), *WORDS[1:])), None)["racks"]["Ann"]
    assert "".join(p["letter"] or "" for p in opened) == word


@pytest.mark.parametrize("place", range(1, 13))
def test_pr2_a_hit_scores_the_value_of_its_place(place: int) -> None:
    racks = (rack("?" * 12), rack("?" * 12), rack("?" * 12))
    _, cues = play(moment(*racks), "Bob", "yes", place)
    assert booked(cues) == [("Ann", PLACE_VALUES[place - 1], "discovery", "PR-7")]


# --- PR-3, PR-4: a turn ---------------------------------------------------------------------------


def test_pr3_a_turn_draws_a_card_asks_whom_and_after_a_yes_the_owner_uncovers_one_place() -> None:
    state, cues = drawing(moment(*PLAIN), NORMAL)
    normal = {"kind": "normal", "n": None}
    assert find_cue(cues, "drawn").facts == {"who": "Ann", "card": normal, "rack": None}
    assert asked(state) == ("ask_whom", "Ann", ("Bob", "Cy"))
    state, _ = play(state, "Cy")
    assert asked(state) == ("answer", "Cy", ("yes", "no", "no_dot"))
    state, cues = play(state, "yes")
    assert find_cue(cues, "said_yes").facts == {"who": "Ann", "whom": "Cy", "asked": None}
    assert asked(state) == ("uncover", "Cy", tuple(range(1, 9)))
    state, cues = play(state, 3)
    assert find_cue(cues, "uncovered").facts == {
        "who": "Cy", "rack": "Cy", "place": 3, "letter": None, "points": 15, "to": "Ann",
        "times": 1, "because": "hit",
    }  # fmt: skip
    assert asked(state)[:2] == ("ask_whom", "Ann")
    assert 3 not in state.racks[2].covered
    assert GAME.view(state, None)["turn_points"] == 15


def test_pr3_after_a_hit_the_cursor_stands_on_the_same_opponent() -> None:
    state, _ = play(moment(*PLAIN), "Cy", "yes", 3)
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    assert prompt.weights == (1, 2)


def test_pr3_with_secret_words_the_box_answers_and_the_owner_uncovers() -> None:
    state, cues = play(moment(*WORDS), "Bob", "R", 6)
    assert cue_names(cues) == ["said_yes", "uncovered", "scored"]
    assert find_cue(cues, "uncovered").facts["letter"] == "R"
    assert state.racks[1].covered == (1, 2, 3, 4, 5)
    state, cues = play(state, "Bob", "Q")
    assert find_cue(cues, "said_no").facts == {"who": "Ann", "whom": "Bob", "asked": "Q"}
    assert state.turn == 1


def test_pr3_of_several_copies_the_owner_chooses_in_private() -> None:
    state, cues = play(moment(*WORDS), "Bob", "T")
    assert cue_names(cues) == ["said_yes"]
    prompt = GAME.ask(state)
    assert prompt == Choose("uncover", "Bob", (3, 4), private=True)
    state, cues = play(state, 4)
    assert booked(cues) == [("Ann", 15, "discovery", "PR-7")]
    assert state.racks[1].covered == (1, 2, 3, 5, 6)


@pytest.mark.parametrize("word", ["..LETTER", "GUESSING.", "BANANA"])
def test_pr3_nobody_learns_how_many_places_fit(word: str) -> None:
    """PR-3: for each letter, the owner answers behind a curtain, and the public cues are equal."""
    for letter in sorted(set(word)):
        fits = tuple(place for place, other in enumerate(word, start=1) if other == letter)
        state, cues = play(moment(WORDS[0], rack(word), WORDS[2]), "Bob", letter)
        assert cue_names(cues) == ["said_yes"]
        assert GAME.ask(state) == Choose("uncover", "Bob", fits, private=True)


def test_pr5_a_card_of_the_box_cannot_be_unseen() -> None:
    _, cues = drawing(moment(*PLAIN), NORMAL)
    assert find_cue(cues, "drawn").reveals


def test_pr3_on_a_real_rack_the_only_covered_place_is_not_asked_for() -> None:
    """PR-3: everybody sees that it is the only covered place."""
    _, cues = play(moment(PLAIN[0], left_in("????????", 2), PLAIN[2]), "Bob", "yes")
    assert find_cue(cues, "uncovered").facts["place"] == 2


def test_pr3_with_your_own_deck_the_box_is_told_the_card() -> None:
    state = replace(fresh(3, deck="own"), step="length")
    state, _ = play(state, 8, 8, 8)
    question, who, options = asked(state)
    assert (question, who) == ("card", "Ann")
    assert set(options) == {*(card["name"] for card in EDITION["card"]), "another"}
    state, cues = play(state, "points 25")
    assert booked(cues) == [("Ann", 25, "card", "PR-5")]
    state, _ = play(state, "Bob", "no")
    assert dict(zip(options, weights(state), strict=True))["points 25"] == 0
    assert GAME.view(state, None)["pile"] == 35


def test_pr4_the_first_no_ends_the_turn_and_the_player_to_the_left_goes_on() -> None:
    state, cues = play(moment(*PLAIN), "Bob", "yes", 1, "Bob", "no")
    assert cue_names(cues)[-2:] == ["said_no", "drawn"]
    assert find_cue(cues, "drawn").facts["who"] == "Bob"
    assert state.gained == 0


def test_pr4_an_open_word_is_not_offered_and_one_opponent_is_not_chosen() -> None:
    state, _ = drawing(moment(rack("?" * 5), Rack("?" * 5), rack("?" * 5), rack("?" * 5)), NORMAL)
    assert asked(state)[2] == ("Cy", "Dee")
    state, _ = drawing(moment(rack("?" * 5), Rack("?" * 5), rack("?" * 5)), NORMAL)
    assert asked(state)[:2] == ("answer", "Cy")


def test_pr4_with_nobody_left_to_ask_the_card_takes_effect_and_the_turn_ends() -> None:
    state = moment(rack("?" * 6), Rack("?" * 5), Rack("?" * 5), last=3)
    state, cues = drawing(state, ActivityCard("points", 20))
    drew = ["drawn", "scored", "nobody_to_ask"]
    assert cue_names(cues) == ["said_no", "last_rounds", *drew, "last_rounds", "drawn"]
    assert state.turn == 1
    assert state.last == 1


def test_pr4_letters_asked_are_not_shown_unless_the_table_wants_them_remembered() -> None:
    state, _ = play(moment(*WORDS), "Bob", "Q")
    assert "Q" not in json.dumps(GAME.view(state, None)["racks"])
    assert "asked" not in GAME.view(state, None)
    state = moment(*WORDS, options={"remember": "yes"})
    state, _ = play(state, "Bob", "Q")
    assert GAME.view(state, None)["asked"] == {"Ann": [], "Bob": ["Q"], "Cy": []}


def test_pr4_a_remembered_letter_is_not_where_the_cursor_starts() -> None:
    state = moment(*PLAIN, options={"remember": "yes"}, asked=("", "E", ""))
    state, _ = play(state, "Bob")
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    assert prompt.weights[prompt.options.index("E")] == 0
    state, cues = play(state, "A", "yes", 2)
    assert find_cue(cues, "uncovered").facts["letter"] == "A"
    assert state.asked == ("", "EA", "")


def test_pr4_when_every_letter_was_asked_all_are_offered_still() -> None:
    every = "".join(legal_answers(GAME.ask(play(moment(*WORDS), "Bob")[0])))  # type: ignore[arg-type]
    state = moment(*WORDS, options={"remember": "yes"}, asked=("", every, ""))
    prompt = GAME.ask(play(state, "Bob")[0])
    assert isinstance(prompt, Choose)
    assert (len(prompt.options), prompt.weights) == (27, ())


# --- PR-5: the cards ------------------------------------------------------------------------------


def test_pr5_the_deck_is_that_of_the_edition() -> None:
    assert GAME.decks(EDITION) == {
        "normal": 11, "additional_turn": 5, "left_uncovers": 4, "right_uncovers": 4, "own_dot": 5,
        "times 3": 1, "times 4": 1, "times 5": 1, "points 15": 1, "points 20": 1, "points 25": 1,
        "points -10": 1,
    }  # fmt: skip
    assert sum(GAME.decks(EDITION).values()) == 36


@pytest.mark.parametrize("name", ["normal", "times 3", "points -10"])
def test_pr5_a_card_has_one_name(name: str) -> None:
    assert activity_card_name(parse_activity_card(name)) == name


def test_pr5_an_additional_turn_draws_another_card_after_a_no_and_again_and_again() -> None:
    state = moment(*PLAIN, cards=(AGAIN, ActivityCard("times", 3)), card=AGAIN)
    state, cues = play(state, "Bob", "no")
    assert cue_names(cues) == ["said_no", "drawn"]
    assert (state.turn, state.card) == (0, AGAIN)
    state, _ = play(state, "Cy", "no")
    assert (state.turn, state.card, state.times) == (0, ActivityCard("times", 3), 3)
    state, _ = play(state, "Cy", "no")
    assert (state.turn, state.times) == (1, 1)


@pytest.mark.parametrize(("card", "owner"), [(LEFT, 1), (RIGHT, 3)])
def test_pr5_the_neighbour_uncovers_a_place_of_choice_before_the_question(
    card: ActivityCard, owner: int
) -> None:
    state, _ = drawing(moment(*(rack("????????"),) * 4), card)
    assert asked(state) == ("uncover", NAMES[owner], tuple(range(1, 9)))
    state, cues = play(state, 3)
    assert booked(cues) == [("Ann", 15, "forced", "PR-9")]
    assert state.racks[owner].covered == (1, 2, 4, 5, 6, 7, 8)
    assert asked(state)[:2] == ("ask_whom", "Ann")


def test_pr5_even_the_last_place_must_be_uncovered_and_pr9_gives_no_50_for_it() -> None:
    state = moment(rack("?" * 5), left_in("?????", 3), rack("?" * 5))
    state, cues = drawing(state, LEFT)
    assert cue_names(cues)[-3:] == ["uncovered", "scored", "word_open"]
    assert booked(cues) == [("Ann", 15, "forced", "PR-9")]
    assert find_cue(cues, "word_open").facts["who"] is None
    assert GAME.view(state, None)["solved"] == ["Bob"]


def test_pr5_a_dot_of_ones_own_is_uncovered_and_pr8_nobody_scores() -> None:
    state, _ = drawing(moment(rack(".PROBE"), *WORDS[1:]), DOT)
    assert GAME.ask(state) == Choose("uncover", "Ann", (1,), private=True)
    state, cues = play(state, 1)
    assert find_cue(cues, "uncovered").facts["to"] is None
    assert booked(cues) == []
    assert state.racks[0].covered == (2, 3, 4, 5, 6)
    state, cues = drawing(moment(rack("..PROBE."), *WORDS[1:]), DOT)
    assert GAME.ask(state) == Choose("uncover", "Ann", (1, 2, 8), private=True)


def test_pr5_on_a_real_rack_the_player_says_which_dot_or_that_there_is_none() -> None:
    state, _ = drawing(moment(*PLAIN), DOT)
    assert asked(state) == ("uncover", "Ann", ("none", *range(1, 9)))
    after, cues = play(state, "none")
    assert cue_names(cues) == ["card_idle"]
    assert after.racks == state.racks
    after, cues = play(state, 8)
    assert find_cue(cues, "uncovered").facts["letter"] == "."
    assert find_cue(cues, "uncovered").clause == "PR-8"


def test_pr5_the_only_covered_place_of_a_real_rack_need_not_be_a_dot() -> None:
    state, cues = drawing(moment(left_in("?????", 3), *PLAIN[1:]), DOT)
    assert cue_names(cues)[-1] == "drawn"
    assert asked(state) == ("uncover", "Ann", ("none", 3))
    after, _ = play(state, "none")
    assert after.racks == state.racks


@pytest.mark.parametrize("n", [3, 4, 5])
def test_pr5_a_multiplier_belongs_to_the_first_question_only(n: int) -> None:
    state, _ = drawing(moment(*PLAIN), ActivityCard("times", n))
    assert GAME.view(state, None)["times"] == n
    state, cues = play(state, "Bob", "yes", 1, "Bob", "yes", 2)
    assert [points for _, points, _, _ in booked(cues)] == [5 * n, 10]


def test_pr5_a_no_spends_the_multiplier_and_it_waits_for_nothing_else() -> None:
    state = moment(*PLAIN, cards=(NORMAL,), card=AGAIN, times=5)
    state, _ = play(state, "Bob", "no")
    assert (state.turn, state.times) == (0, 1)


def test_pr5_a_multiplier_drawn_after_the_no_of_an_additional_turn_counts() -> None:
    state = moment(*PLAIN, cards=(ActivityCard("times", 4),), card=AGAIN)
    state, cues = play(state, "Bob", "yes", 1, "Bob", "no")
    assert (state.turn, state.times) == (0, 4)
    state, cues = play(state, "Bob", "yes", 2, "Bob", "yes", 5)
    assert [points for _, points, _, _ in booked(cues)] == [40, 10]


def test_pr5_the_multiplier_does_not_touch_the_50_of_a_word_completed_by_it() -> None:
    state = moment(rack("?" * 5), left_in("?????", 4), rack("?" * 5), times=5)
    state, cues = play(state, "Bob", "yes")
    assert booked(cues) == [("Ann", 75, "discovery", "PR-7"), ("Ann", 50, "solved", "PR-7")]
    assert state.scores == (125, 0, 0)
    assert state.gained == 125


@pytest.mark.parametrize("n", [15, -10])
def test_pr5_points_count_at_once_and_totals_may_go_below_0(n: int) -> None:
    state, cues = drawing(moment(*PLAIN), ActivityCard("points", n))
    assert booked(cues) == [("Ann", n, "card", "PR-5")]
    assert state.scores[0] == n


def test_pr5_a_card_that_finds_nothing_to_do_does_nothing() -> None:
    state, cues = drawing(moment(rack("?" * 5), Rack("?" * 5), rack("?" * 5)), LEFT)
    assert cue_names(cues) == ["said_no", "drawn", "card_idle"]
    assert asked(state)[:2] == ("answer", "Cy")
    _, cues = drawing(moment(Rack("PROBE"), *WORDS[1:]), DOT)
    assert "card_idle" in cue_names(cues)


def test_pr5_without_an_own_dot_the_player_is_asked_all_the_same_and_says_so() -> None:
    """PR-3: this answer is new public information, so that an undo past it needs agreement."""
    state, cues = drawing(moment(rack("PROBE"), *WORDS[1:]), DOT)
    assert cue_names(cues) == ["said_no", "drawn"]
    assert GAME.ask(state) == Choose("uncover", "Ann", ("none",), private=True)
    after, _ = interrupt(state, "Bob", "Cy", ".SECRET")
    assert GAME.ask(after) == GAME.ask(state)
    state, cues = play(state, "none")
    assert [(c.name, c.reveals) for c in cues] == [("card_idle", True)]
    assert asked(state)[:2] == ("ask_whom", "Ann")


def test_pr15_an_own_dot_is_dropped_when_all_see_that_the_rack_is_open() -> None:
    for word in ("PROBE", ".PROBE"):
        state, _ = drawing(moment(rack(word), *WORDS[1:]), DOT)
        state, cues = interrupt(state, "Bob", "Ann", word)
        assert (cue_names(cues)[-1], asked(state)[0]) == ("moot", "ask_whom")


@pytest.mark.parametrize("deck", ["own", "virtual"])
def test_pr5_an_empty_pile_is_the_whole_deck_shuffled_again(deck: str) -> None:
    empty = {"pile": ()} if deck == "virtual" else {"left": (0,) * 12}
    state = moment(*PLAIN, options={"deck": deck}, **empty)
    state, cues = play(state, "Bob", "no")
    if deck == "virtual":
        assert GAME.ask(state) == Shuffle("shuffle", 36)
        state, cues = play(state, ORDER)
    assert find_cue(cues, "shuffled").facts == {"n": 36, "own": deck == "own"}
    assert GAME.view(state, None)["pile"] == (35 if deck == "virtual" else 36)


def weights(state: State) -> tuple[int, ...]:
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    return prompt.weights


def test_pr5_a_count_of_your_own_cards_puts_the_cursor_and_refuses_nothing() -> None:
    """PR-5: the first printing has 16 normal cards, the edition 11. More cards may follow."""
    state = moment(*PLAIN, options={"deck": "own"}, left=(0, 1, *(0,) * 10))
    state, _ = play(state, "Bob", "no")
    assert asked(state)[2][0] == "normal"
    assert weights(state) == (0, 1, *(0,) * 11)
    state, cues = play(state, "normal")
    assert cue_names(cues) == ["drawn"]
    assert state.left == (0, 1, *(0,) * 10)


def test_pr5_the_last_kind_left_of_your_own_deck_is_asked_all_the_same() -> None:
    state = moment(*PLAIN, options={"deck": "own"}, left=(1, *(0,) * 11))
    state, cues = play(state, "Bob", "no")
    assert "drawn" not in cue_names(cues)
    assert asked(state)[0] == "card"


def test_pr5_another_card_does_what_cards_can_do_or_is_done_by_hand() -> None:
    few = {"card": [{"name": "normal", "count": 12}, {"name": "times 3", "count": 1}]}
    options = {"words": "racks", "deck": "own", "remember": "no"}
    state, _ = play(GAME.setup(NAMES[:3], options, few), 8, 8, 8)
    assert asked(state)[2] == ("normal", "times 3", "another")
    state, cues = play(state, "another")
    assert cues == ()
    assert asked(state) == ("other_card", "Ann", (
        "points", "additional_turn", "left_uncovers", "right_uncovers", "own_dot", "times 4",
        "times 5", "by_hand",
    ))  # fmt: skip
    after, cues = play(state, "points", -15)
    assert booked(cues) == [("Ann", -15, "card", "PR-5")]
    after, _ = play(state, "left_uncovers")
    assert asked(after)[:2] == ("uncover", "Bob")
    after, cues = play(state, "by_hand")
    assert find_cue(cues, "drawn").facts["card"] == {"kind": "by_hand", "n": None}
    assert asked(after)[0] == "ask_whom"
    assert after.left == state.left


def test_pr5_a_card_leaves_the_own_pile_as_long_as_there_is_one_of_its_kind() -> None:
    few = {"card": [{"name": "normal", "count": 1}, {"name": "times 3", "count": 1}]}
    options = {"words": "racks", "deck": "own", "remember": "no"}
    state, _ = play(GAME.setup(NAMES[:3], options, few), 8, 8, 8)
    pile = [GAME.view(state, None)["pile"]]
    for card in (("normal",), ("normal",), ("another", "points", 5), ("times 3",)):
        state, cues = play(state, *card, "Bob" if state.turn != 1 else "Ann", "no")
        pile.append(GAME.view(state, None)["pile"])
    assert pile == [2, 1, 1, 1, 2]
    assert find_cue(cues, "shuffled").facts == {"n": 2, "own": True}


# --- PR-6 to PR-12: the score ---------------------------------------------------------------------


def test_pr6_every_booking_is_told_with_its_reason_and_the_new_total() -> None:
    state, cues = play(moment(*PLAIN, scores=(310, 0, 0)), "Bob", "yes", 3)
    assert find_cue(cues, "scored").facts == {
        "who": "Ann", "points": 15, "total": 325, "why": "discovery",
    }  # fmt: skip
    assert GAME.view(state, None)["items"]["Ann"] == {"discovery": 15}


def test_pr6_what_is_put_right_is_not_gained_in_the_turn() -> None:
    state, _ = play(moment(*PLAIN), "Bob", "yes", 3)
    state, _ = call(state, "correct", {"who": "Ann", "points": 25})
    state, _ = call(state, "misspelled", "Ann")
    assert (state.scores[0], GAME.view(state, None)["turn_points"]) == (-60, 15)
    state, _ = call(state, "stop", True)
    state, _ = call(state, "correct", {"who": "Ann", "points": 25})
    assert GAME.view(state, None)["turn_points"] == 15


def test_pr14_after_the_end_nothing_is_being_uncovered() -> None:
    state = moment(left_in("?????", 1), left_in("?????", 1), Rack("?????"))
    state, _ = drawing(state, DOT)
    assert GAME.view(state, None)["because"] == "own_dot"
    state, _ = call(state, "stop", True)
    view = GAME.view(state, None)
    assert (view["because"], view["uncovering"], view["whom"]) == (None, [], None)


def test_pr16_a_rack_that_is_all_open_is_none_of_those_being_uncovered() -> None:
    state = moment(*TWO[:2], Rack("LETTER"), TWO[3], two=True, step="ask_for", whom=1)
    state, _ = play(state, "R")
    assert GAME.view(state, None)["uncovering"] == ["Bob:right"]


def test_pr7_the_last_covered_place_guessed_is_50_more() -> None:
    state = moment(WORDS[0], left_in("LETTER", 6), WORDS[2])
    state, cues = play(state, "Bob", "R", 6)
    assert booked(cues) == [("Ann", 5, "discovery", "PR-7"), ("Ann", 50, "solved", "PR-7")]
    opened = find_cue(cues, "word_open").facts
    assert (opened["who"], opened["whom"], opened["word"]) == ("Ann", "Bob", "LETTER")


@both
def test_pr10_a_dot_asked_where_there_is_none_costs_50_and_is_a_no(words: str) -> None:
    state = moment(*(WORDS if words == "secret" else PLAIN))
    state, cues = play(state, "Bob", "." if words == "secret" else "no_dot")
    assert find_cue(cues, "said_no").facts["asked"] == "."
    assert booked(cues) == [("Ann", -50, "no_dot", "PR-10")]
    assert state.turn == 1


def test_pr10_a_dot_that_the_box_was_told_of_costs_50_after_a_plain_no() -> None:
    state = moment(*PLAIN, options={"remember": "yes"})
    state, _ = play(state, "Bob", ".")
    assert asked(state)[2] == ("yes", "no")
    _, cues = play(state, "no")
    assert booked(cues) == [("Ann", -50, "no_dot", "PR-10")]


def test_pr10_a_letter_asked_in_vain_costs_nothing() -> None:
    _, cues = play(moment(*PLAIN), "Bob", "no")
    assert booked(cues) == []


def test_pr11_a_misspelled_word_costs_its_owner_100_also_after_it_is_solved_and_once() -> None:
    state = moment(rack("?" * 5), left_in("?????", 1), rack("?" * 5))
    state, _ = play(state, "Bob", "yes")
    state, cues = call(state, "misspelled", "Bob")
    assert cue_names(cues) == ["misspelled", "scored"]
    assert booked(cues) == [("Bob", -100, "misspelled", "PR-11")]
    assert refusal(state, "misspelled", "Bob") == "not_offered"
    assert asked(state)[:2] == ("answer", "Cy")


def test_pr11_a_second_misspelled_word_does_not_make_the_first_one_cost_again() -> None:
    state, _ = call(moment(*PLAIN), "misspelled", "Bob")
    state, _ = call(state, "misspelled", "Cy")
    assert refusal(state, "misspelled", "Bob") == "not_offered"
    assert GAME.view(state, None)["misspelled"] == ["Bob", "Cy"]
    assert state.scores == (0, -100, -100)


def test_pr11_when_every_word_was_misspelled_there_is_nothing_more_to_find() -> None:
    state = moment(*PLAIN, misspelled=(0, 1, 2))
    assert refusal(state, "misspelled", "Bob") == "not_asked"


def test_pr6_a_total_can_be_put_right_at_any_time_and_after_the_end() -> None:
    state = moment(rack("?" * 5), left_in("?????", 1), Rack("?" * 5), last=1, step="answer", whom=0,
                   turn=2)  # fmt: skip
    for _ in range(2):
        state, cues = call(state, "correct", {"who": "Bob", "points": -15})
        assert booked(cues) == [("Bob", -15, "correction", "PR-6")]
        assert refusal(state, "correct", {"who": "Bob", "points": 0}) == "nothing_to_correct"
        state, _ = call(state, "stop", True) if state.step != "over" else (state, ())
    state, _ = call(state, "misspelled", "Ann")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == {"Ann": -100, "Bob": -30, "Cy": 0}
    assert outcome.winners == ("Cy",)
    assert refusal(state, "stop", True) == "not_asked"
    assert refusal(state, "interrupt", {}) == "not_asked"


def test_pr12_a_player_whose_word_is_open_plays_on_and_scores() -> None:
    state = moment(rack("?" * 5), Rack("?" * 5), rack("?" * 5), step="answer", whom=2)
    state, _ = play(state, "no")
    assert asked(state)[:2] == ("ask_whom", "Bob")
    state, _ = play(state, "Ann", "yes", 3)
    assert state.scores == (0, 15, 0)


# --- PR-13, PR-14: the end ------------------------------------------------------------------------


def alone(*covered: int, n: int = 3, **fields: Any) -> State:
    """Return the last rounds, in which only Bob has covered places."""
    racks = [Rack("?" * 12)] * n
    racks[1] = left_in("?" * 12, *covered)
    return moment(*racks, **{"step": "answer", "whom": 1, "last": 2 * n, **fields})


@pytest.mark.parametrize("brought", [1, 2])
def test_pr13_two_complete_rounds_follow_the_turn_that_brought_it_about(brought: int) -> None:
    """PR-13: each player, also the last one, has two more turns, beginning with the next player."""
    racks = left_in("????", 1), rack("?" * 6), Rack("????")
    state, told = play(moment(*racks, step="answer", whom=0, turn=brought), "yes")
    assert find_cue(told, "last_rounds").facts == {"who": "Bob", "left": 6, "begins": True}
    while GAME.ask(state):
        state, cues = play(state, "no")
        told += cues
    drawn = [NAMES.index(c.facts["who"]) for c in told if c.name == "drawn"]
    assert drawn == [(brought + n) % 3 for n in range(1, 7)]
    left = [c.facts["left"] for c in told if c.name == "last_rounds" and not c.facts["begins"]]
    assert left == [5, 4, 3, 2, 1]
    assert state.step == "over"


def test_pr13_the_turn_that_brought_it_about_does_not_count_and_goes_on() -> None:
    state = moment(rack("?" * 4), left_in("????", 1), Rack("????"), turn=2, step="answer", whom=1)
    state, _ = play(state, "yes")
    assert (state.turn, state.last, state.counts) == (2, 6, False)
    assert asked(state)[:2] == ("answer", "Ann")
    state, cues = play(state, "no")
    assert cue_names(cues) == ["said_no", "drawn", "nobody_to_ask", "last_rounds", "drawn"]
    assert (state.turn, state.last, state.counts) == (1, 5, True)


def test_pr13_an_additional_turn_is_part_of_the_same_turn() -> None:
    state = alone(1, 2, 3, card=AGAIN)
    state, _ = play(state, "no")
    assert (state.turn, state.last) == (0, 6)


@pytest.mark.parametrize(
    ("places", "bonus"),
    [((1, 2, 3, 4), [45, 50]), ((1, 2, 3, 4, 5), [55, 50, 100]), ((12,), [5, 50])],
)
def test_pr13_the_survivor_scores_the_values_50_and_100_for_at_least_five(
    places: tuple[int, ...], bonus: list[int]
) -> None:
    state, cues = play(alone(*places, last=1), "no")
    assert find_cue(cues, "survived").facts == {"who": "Bob", "covered": len(places)}
    whys = ["survivor_values", "survivor_secret", "survivor_five"]
    assert booked(cues) == [("Bob", n, why, "PR-13") for n, why in zip(bonus, whys, strict=False)]
    assert cue_names(cues)[-2:] == ["revealed", "game_over"]
    assert state.scores[1] == sum(bonus)


def test_pr13_the_survivor_draws_cards_too_and_must_uncover_for_others() -> None:
    state = alone(1, 2, 3, turn=2, whom=1, cards=(LEFT,))
    state, cues = play(state, "no")
    assert find_cue(cues, "drawn").facts == {
        "who": "Ann", "card": {"kind": "left_uncovers", "n": None}, "rack": "Bob",
    }  # fmt: skip
    assert asked(state) == ("uncover", "Bob", (1, 2, 3))
    state = alone(4, turn=2, whom=1, cards=(LEFT,))
    state, cues = play(state, "no")
    assert booked(cues) == [("Ann", 15, "forced", "PR-9")]
    assert state.step == "over"


def test_pr13_two_racks_count_together_for_the_survivor() -> None:
    racks = (Rack("????"), Rack("????"), left_in("????", 1, 2), left_in("????", 1, 2, 3))
    state = moment(*racks, two=True, step="answer", whom=1, last=1)
    state, cues = play(state, "no")
    assert [(points, why) for _, points, why, _ in booked(cues)] == [
        (45, "survivor_values"), (50, "survivor_secret"), (100, "survivor_five"),
    ]  # fmt: skip
    assert state.scores == (0, 195)


def test_pr14_when_all_is_uncovered_the_highest_total_wins_or_all_who_tie() -> None:
    state = moment(Rack("????"), left_in("????", 4), Rack("????"), step="answer", whom=1, last=4,
                   scores=(0, 65, 10))  # fmt: skip
    state, cues = play(state, "yes")
    assert GAME.ask(state) is None
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners == ("Ann", "Bob")
    assert find_cue(cues, "game_over").facts["scores"] == {"Ann": 65, "Bob": 65, "Cy": 10}
    assert GAME.view(state, None)["to_act"] is None


def test_pr14_the_table_can_end_the_game_and_then_covered_places_score_for_nobody() -> None:
    state, cues = call(moment(*WORDS, scores=(5, 0, 0)), "stop", True)
    assert cue_names(cues) == ["stopped", "revealed", "revealed", "revealed", "game_over"]
    assert state.scores == (5, 0, 0)
    assert GAME.outcome(state) == (("Ann",), {"Ann": 5, "Bob": 0, "Cy": 0})


# --- PR-15: interruptions -------------------------------------------------------------------------


def test_pr15_a_right_guess_scores_the_covered_values_and_100_and_opens_the_word() -> None:
    state = moment(WORDS[0], rack("LETTER", 1), WORDS[2])
    state, cues = interrupt(state, "Cy", "Bob", "letter")
    assert cue_names(cues) == ["interrupted", "revealed", "scored", "scored"]
    assert find_cue(cues, "interrupted").facts == {
        "who": "Cy", "whom": "Bob", "rack": "Bob", "right": True,
    }  # fmt: skip
    assert find_cue(cues, "revealed").facts == {
        "who": "Bob", "rack": "Bob", "places": [2, 3, 4, 5, 6], "word": "LETTER", "points": 55,
        "to": "Cy",
    }  # fmt: skip
    assert booked(cues) == [
        ("Cy", 55, "guess_values", "PR-15"),
        ("Cy", 100, "guess_right", "PR-15"),
    ]
    assert state.racks[1].covered == ()
    assert state.gained == 0


@pytest.mark.parametrize("guess", ["PROBE.", ".PROBE.", "..PROBE", "..PROBA."])
def test_pr15_a_guess_needs_every_letter_and_dot_and_a_wrong_one_costs_50(guess: str) -> None:
    state, cues = interrupt(moment(*WORDS), "Bob", "Ann", guess)
    assert booked(cues) == [("Bob", -50, "wrong_guess", "PR-15")]
    assert state.racks == WORDS
    assert asked(state)[:2] == ("ask_whom", "Ann")


def test_pr15_with_real_racks_the_table_says_whether_it_was_right() -> None:
    state, cues = interrupt(moment(*PLAIN), "Bob", "Ann", True)
    assert state.scores == (0, 175, 0)
    assert find_cue(cues, "revealed").facts["word"] is None
    state, _ = interrupt(moment(*PLAIN), "Bob", "Ann", False)
    assert state.scores == (0, -50, 0)


@pytest.mark.parametrize("guess", ["LETTER", "BETTER"])
def test_pr15_with_fewer_than_five_covered_there_is_no_answer_right_or_wrong(guess: str) -> None:
    state = moment(WORDS[0], left_in("LETTER", 1, 2, 3, 4), WORDS[2])
    with pytest.raises(Refused) as caught:
        interrupt(state, "Cy", "Bob", guess)
    assert caught.value.code == "too_few_covered"
    assert caught.value.facts == {"rack": "Bob", "n": 4}


def test_pr15_what_is_wrong_with_a_guess_is_said_before_it_is_judged() -> None:
    given = {"who": "Cy", "whom": "Bob", "guess": "LET.TER"}
    assert refusal(moment(*WORDS), "interrupt", given) == "word_dot_inside"
    assert refusal(moment(*WORDS), "interrupt", {"who": "Cy"}) == "not_offered"


def test_pr15_nobody_interrupts_against_the_own_word_nor_before_all_words_stand() -> None:
    own = {"who": "Ann", "whom": "Ann", "rack": "Ann", "right": True}
    assert refusal(moment(*PLAIN), "interrupt", own) == "not_offered"
    other = {"who": "Ann", "whom": "Bob", "rack": "Bob", "right": True}
    assert refusal(fresh(3), "interrupt", other) == "not_asked"


@pytest.mark.parametrize("step", ["answer", "ask_whom", "card"])
def test_pr15_play_goes_on_where_it_stopped(step: str) -> None:
    state = moment(*(rack("?" * 6),) * 4, step=step, whom=1, times=3, options={"deck": "own"})
    before = GAME.ask(state)
    state, _ = interrupt(state, "Dee", "Cy", True)
    after = GAME.ask(state)
    if step == "ask_whom":
        assert asked(state) == ("ask_whom", "Ann", ("Bob", "Dee"))
    else:
        assert after == before
    assert state.times == 3


@both
def test_pr15_a_question_that_became_moot_is_dropped_and_the_multiplier_stays(words: str) -> None:
    racks = WORDS if words == "secret" else PLAIN
    state, _ = play(moment(*racks, rack(racks[0].word), times=4), "Bob")
    state, cues = interrupt(state, "Cy", "Bob", "LETTER" if words == "secret" else True)
    assert cue_names(cues)[-1] == "moot"
    assert asked(state) == ("ask_whom", "Ann", ("Cy", "Dee"))
    assert state.times == 4


def test_pr15_during_a_forced_uncovering_of_that_word_it_is_dropped() -> None:
    state, _ = drawing(moment(*(rack("?" * 6),) * 4), LEFT)
    after, cues = interrupt(state, "Cy", "Bob", True)
    assert cue_names(cues)[-1] == "moot"
    assert asked(after) == ("ask_whom", "Ann", ("Cy", "Dee"))
    after, _ = interrupt(state, "Bob", "Cy", True)
    assert GAME.ask(after) == GAME.ask(state)
    after, _ = interrupt(state, "Bob", "Cy", False)
    assert GAME.ask(after) == GAME.ask(state)


def test_pr15_while_a_hit_is_being_uncovered_the_hit_is_dropped_with_the_word() -> None:
    state, _ = play(moment(*PLAIN, rack("?" * 6), times=3), "Bob", "yes")
    state, cues = interrupt(state, "Dee", "Bob", True)
    assert cue_names(cues)[-1] == "moot"
    assert asked(state) == ("ask_whom", "Ann", ("Cy", "Dee"))
    assert (state.scores[0], state.times) == (0, 3)


def test_pr15_a_hit_being_uncovered_stands_when_another_players_word_is_guessed() -> None:
    state, _ = play(moment(*PLAIN, rack("?" * 6), times=3), "Bob", "yes")
    after, cues = interrupt(state, "Bob", "Dee", True)
    assert "moot" not in cue_names(cues)
    assert GAME.ask(after) == GAME.ask(state)
    after, cues = play(after, 1)
    assert booked(cues) == [("Ann", 15, "discovery", "PR-7")]


def test_pr15_with_nobody_left_to_ask_after_it_the_turn_ends() -> None:
    state = moment(rack("?" * 6), rack("?" * 6), Rack("?" * 6), step="answer", whom=1)
    state, cues = interrupt(state, "Cy", "Bob", True)
    assert cue_names(cues)[-4:] == ["last_rounds", "moot", "nobody_to_ask", "drawn"]
    assert find_cue(cues, "moot").clause == "PR-15"
    assert state.turn == 1
    assert state.last == 6


def test_pr15_the_last_word_guessed_whole_ends_the_game() -> None:
    state, cues = interrupt(alone(1, 2, 3, 4, 5), "Cy", "Bob", True)
    assert cue_names(cues)[-1] == "game_over"
    assert state.step == "over"
    assert state.scores == (0, 0, 155)


def test_pr15_the_rack_need_not_be_named_where_each_has_one() -> None:
    given = {"who": "Cy", "whom": "Bob", "right": False}
    assert call(moment(*PLAIN), "interrupt", given)[0].scores == (0, 0, -50)


# --- PR-16: two players, two racks each -----------------------------------------------------------

FOUR = (rack("?" * 5), rack("?" * 6), rack("?" * 7), rack("?" * 8))
TWO = (rack("PROBE"), rack(".FLAP"), rack("LETTER"), rack("SECRET."))


def test_pr16_two_players_have_a_left_and_a_right_rack_each() -> None:
    state = fresh(2)
    ids = []
    for n in (4, 5, 6, 7):
        prompt = GAME.ask(state)
        assert prompt is not None
        ids.append((prompt.who, prompt.facts["rack"]))
        state, _ = play(state, n)
    assert ids == [
        ("Ann", "Ann:left"), ("Ann", "Ann:right"), ("Bob", "Bob:left"), ("Bob", "Bob:right"),
    ]  # fmt: skip
    assert list(GAME.view(state, None)["racks"]) == [rack for _, rack in ids]


@pytest.mark.parametrize(("card", "side", "i"), [(LEFT, "left", 2), (RIGHT, "right", 3)])
def test_pr16_left_and_right_on_a_card_mean_the_opponents_racks(
    card: ActivityCard, side: str, i: int
) -> None:
    state, cues = drawing(moment(*FOUR, two=True), card)
    question, who, options = asked(state)
    assert (question, who) == ("uncover", "Bob")
    assert options == tuple(f"Bob:{side}:{place}" for place in FOUR[i].covered)
    assert find_cue(cues, "drawn").facts["rack"] == f"Bob:{side}"
    state, cues = play(state, f"Bob:{side}:3")
    assert booked(cues) == [("Ann", 15, "forced", "PR-9")]
    assert state.racks[i].covered == tuple(p for p in FOUR[i].covered if p != 3)


def test_pr16_a_hit_in_both_racks_is_uncovered_in_the_one_that_the_opponent_chooses() -> None:
    state = moment(*TWO, two=True, step="ask_for", whom=1)
    state, _ = play(state, "R")
    assert GAME.ask(state) == Choose("uncover", "Bob", ("Bob:left:6", "Bob:right:4"), private=True)
    state, cues = play(state, "Bob:right:4")
    assert booked(cues) == [("Ann", 15, "discovery", "PR-7")]
    assert state.racks[2].covered == TWO[2].covered
    assert 4 not in state.racks[3].covered


def test_pr16_a_hit_in_one_rack_is_uncovered_there() -> None:
    state = moment(*TWO, two=True, step="ask_for", whom=1)
    state, _ = play(state, "L")
    assert GAME.ask(state) == Choose("uncover", "Bob", ("Bob:left:1",), private=True)


def test_pr16_with_real_racks_every_covered_place_of_both_is_offered() -> None:
    state = moment(*FOUR, two=True, step="answer", whom=1)
    state, _ = play(state, "yes")
    assert len(asked(state)[2]) == 15


def test_pr16_an_interruption_names_the_rack_and_the_other_stays() -> None:
    state = moment(*TWO, two=True, step="ask_for", whom=1, times=3)
    nameless = {"who": "Ann", "whom": "Bob", "guess": "LETTER"}
    assert refusal(state, "interrupt", nameless) == "not_offered"
    state, _ = interrupt(state, "Ann", "Bob:left", "LETTER")
    assert [bool(r.covered) for r in state.racks] == [True, True, False, True]
    assert asked(state)[:2] == ("ask_for", "Ann")
    assert state.times == 3
    assert state.last is None


def test_pr16_the_opponent_can_be_named_by_the_rack_alone() -> None:
    state = moment(*TWO, two=True, step="ask_for", whom=1)
    given = {"who": "Ann", "rack": "Bob:left", "guess": "LETTER"}
    assert call(state, "interrupt", given)[0].scores[0] > 100


def test_pr16_a_copy_in_the_other_rack_is_uncovered_after_an_interruption() -> None:
    state = moment(*TWO, two=True, step="ask_for", whom=1)
    state, _ = play(state, "R")
    state, _ = interrupt(state, "Ann", "Bob:left", "LETTER")
    assert GAME.ask(state) == Choose("uncover", "Bob", ("Bob:right:4",), private=True)
    state, cues = play(state, "Bob:right:4")
    assert find_cue(cues, "uncovered").facts["rack"] == "Bob:right"
    assert asked(state)[:2] == ("ask_for", "Ann")


def test_pr16_on_real_racks_the_hit_is_dropped_after_an_interruption_in_either() -> None:
    state = moment(*FOUR, two=True, step="answer", whom=1)
    state, _ = play(state, "yes")
    state, cues = interrupt(state, "Ann", "Bob:left", True)
    assert cue_names(cues)[-1] == "moot"
    assert asked(state)[:2] == ("answer", "Bob")


def test_pr16_the_last_rounds_begin_only_when_both_racks_of_a_player_are_open() -> None:
    racks = (rack("?" * 5), rack("?" * 5), left_in("????", 1), Rack("????"))
    state, cues = play(moment(*racks, two=True, step="answer", whom=1), "yes")
    assert find_cue(cues, "last_rounds").facts == {"who": "Ann", "left": 4, "begins": True}
    racks = (rack("?" * 5), rack("?" * 5), left_in("????", 1), rack("????"))
    state, cues = play(moment(*racks, two=True, step="answer", whom=1), "yes")
    state, cues = play(state, "Bob:left:1")
    assert "last_rounds" not in cue_names(cues)
    assert GAME.view(state, None)["solved"] == ["Bob:left"]


# --- Undo and secrets -----------------------------------------------------------------------------


def session(words: str, *answers: Answer, deck: str = "own") -> Session:
    options = {"words": words, "deck": deck, "remember": "no"}
    begun = GameSetup(GAME, NAMES[:3], options, EDITION, Chance("seed"), mixing=False)
    found = Session.begin(Journal(None), begun, 0)
    for value in answers:
        found.answer(value, 0)
        found.commit()
    return found


def test_an_undo_across_an_uncovering_needs_the_tables_yes_with_secret_words_only() -> None:
    racks = session("racks", 5, 6, 6, "normal", "Bob", "yes", 3)
    assert racks.undo(0).prompt != UNDO_AGREEMENT
    secret = session("secret", "PROBE", "LETTER", "SECRET", "normal", "Bob", "L", 1)
    assert secret.undo(0).prompt == UNDO_AGREEMENT
    secret = session("secret", "PROBE", "LETTER", "SECRET", "normal", "Bob")
    assert secret.undo(0).prompt != UNDO_AGREEMENT


@pytest.mark.parametrize(("deck", "asks"), [("virtual", True), ("own", False)])
def test_pr5_an_undo_past_a_card_that_the_box_has_drawn_needs_the_tables_yes(
    deck: str,
    asks: bool,  # noqa: FBT001 - given by parametrize
) -> None:
    game = session("racks", 5, 6, 6, deck=deck)
    if deck == "own":
        game.answer("normal", 0)
    assert (game.undo(0).prompt == UNDO_AGREEMENT) == asks


def test_a_word_taken_back_is_told_to_nobody() -> None:
    game = session("secret", "PROBE", "LETTER")
    told = game.undo(0).cues
    assert told[0].facts["question"] == "word"
    assert "LETTER" not in repr(told)
    assert "LETTER" not in repr(game.redo(0).cues)
    assert game.standing.view_with_player_secrets("Bob")["words"] == {"Bob": "LETTER"}


def test_each_player_sees_the_own_words_and_no_others() -> None:
    state = moment(*TWO, two=True)
    assert GAME.view(state, "Ann")["words"] == {"Ann:left": "PROBE", "Ann:right": ".FLAP"}
    assert "words" not in GAME.view(state, None)
    assert [(c.to, c.facts["words"]) for c in GAME.secrets(state)] == [
        ("Ann", {"Ann:left": "PROBE", "Ann:right": ".FLAP"}),
        ("Bob", {"Bob:left": "LETTER", "Bob:right": "SECRET."}),
    ]
    assert GAME.secrets(moment(*PLAIN)) == ()
    assert "words" not in GAME.view(moment(*PLAIN), "Ann")


@pytest.mark.parametrize("opens", ["cheapest", "chance"])
def test_pr3_the_box_opens_a_place_of_a_secret_word_where_its_owners_have_said_so(
    opens: str,
) -> None:
    state = moment(*WORDS, options={"opens": opens})
    letter = state.racks[1].word[0]
    state = replace(state, step="ask_for", whom=1)
    state, cues = play(state, letter)
    if opens == "chance":
        drawn = GAME.ask(state)
        assert drawn == Shuffle("places", 12 * len(state.within))
        state, cues = play(state, [*reversed(range(drawn.n))])
    place = find_cue(cues, "uncovered").facts["place"]
    fits = [n for n, each in enumerate(state.racks[1].word, 1) if each == letter]
    assert place in fits
    if opens == "cheapest":
        assert total_place_value((place,)) == min(total_place_value((n,)) for n in fits)
    assert asked(state)[0] != "uncover"
