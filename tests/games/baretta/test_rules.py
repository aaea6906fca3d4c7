"""Tests of the rules, clause by clause (BA-1 to BA-17). Each test begins with a given state."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Refused
from companion.core.game import Cue, Cues
from companion.core.prompts import (
    Answer,
    Choose,
    Roll,
    Shuffle,
    cursor_start_answer_index,
    first_prompt_of_form,
)
from companion.games.baretta import GAME
from companion.games.baretta.rules.board import (
    CRIMINALS,
    HIDEOUT,
    CardOnBoard,
    Links,
    Pile,
    deck_card_counts,
    make_board_from_edition,
    neighbours_by_space,
    spaces_reachable_in_steps,
)
from companion.games.baretta.rules.state import State
from companion.games.baretta.shown.words import SPACE_QUESTIONS
from companion.play.session import Session
from companion.record.journal import Journal
from tests.games.baretta.moments import (
    ANNS,
    ARRESTS,
    BOBS,
    CYS,
    NAMES,
    PRINTED,
    asked,
    both_decks,
    cue,
    fresh,
    landed,
    moment,
    play,
    seen,
    spot,
    to_act,
)
from tests.games.steps import cue_names
from tests.helpers import max_examples, setup_for, words_for
from tests.met import observed_games

# --- BA-1 to BA-5: setting up ---------------------------------------------------------------------


def test_ba1_each_player_picks_another_criminal_for_all_to_see() -> None:
    state, cues = play(fresh(3), "hijacker", "killer")
    assert asked(state) == ("accused", "Cy", {"bank_robber", "safecracker"})
    assert [(c.facts["who"], c.facts["criminal"]) for c in cues] == [
        ("Ann", "hijacker"),
        ("Bob", "killer"),
    ]
    assert GAME.view(state, None)["accused"] == {"Ann": "hijacker", "Bob": "killer", "Cy": None}
    with pytest.raises(Refused, match="not_offered"):
        play(state, "killer")


def test_ba1_the_last_of_four_has_no_choice_and_is_not_asked() -> None:
    state, cues = play(fresh(4), "hijacker", "killer", "safecracker")
    assert state.accused == ("hijacker", "killer", "safecracker", "bank_robber")
    facts = {"who": "Dee", "criminal": "bank_robber", "forced": True, "seated": False}
    assert cues[-1].facts == facts
    assert GAME.ask(state) == Shuffle("shuffle", 44)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_ba1_the_criminals_are_given_out_by_seat_and_told_before_the_first_roll(n: int) -> None:
    state = fresh(n, criminals="seats")
    assert GAME.ask(state) == Shuffle("shuffle", 44)
    told = {cue.facts["who"]: cue.facts["criminal"] for cue in GAME.opening(state)}
    assert told == dict(zip(NAMES[:n], CRIMINALS, strict=False))


@pytest.mark.parametrize("cutting", ["no", "yes"])
def test_ba1_ba3_own_cards_the_criminals_and_the_deal_are_told_before_the_first_question(
    cutting: str,
) -> None:
    options: dict[str, Any] = {
        "criminals": "seats",
        "deck": "own",
        "dice": "real",
        "cutting": cutting,
    }
    state = fresh(3, **options)
    told = GAME.opening(state)
    assert cue_names(told) == ["accused", "accused", "accused", "dealt"]
    assert told[-1] == Cue("dealt", {"spaces": 24, "pile": 7, "aside": 2}, "BA-3")
    _, cues = play(state, *(["no"] if cutting == "yes" else []), 5, 7, 7, 5, 9)
    assert cue_names(cues) == ["first_roll", "first_roll", "begins"]
    rest = {"wounded": "up"}
    setup = setup_for(options | rest, game="baretta", players=NAMES[:3])
    assert Session.begin(Journal(None), setup, 0).standing.snapshot.cues == told


def test_ba1_ba3_what_the_shuffle_or_a_choice_tells_is_not_told_before() -> None:
    assert cue_names(GAME.opening(fresh(2, criminals="seats"))) == ["accused", "accused"]
    assert cue_names(play(fresh(criminals="seats"), list(range(44)))[1]) == ["dealt"]
    assert GAME.opening(fresh(deck="own")) == ()
    _, cues = play(fresh(deck="own"), *CRIMINALS[:2])
    assert cue_names(cues) == ["accused", "accused", "dealt"]


def test_ba4_nobody_is_asked_to_cut_where_the_table_does_not_care() -> None:
    state = fresh(criminals="seats", cutting="no")
    state, _ = play(state, list(range(44)), list(range(11)), list(range(11)))
    assert isinstance(GAME.ask(state), Roll)


def test_ba2_there_are_48_cards_44_of_them_in_the_deck() -> None:
    state = fresh()
    assert Counter(state.table.deck) == PRINTED["cards"]
    assert len(state.table.deck) == 44
    counts = deck_card_counts(PRINTED)
    assert sum(counts.values()) == 48
    assert all(counts[card] == 1 for card in ARRESTS)


DEALS = pytest.mark.parametrize(("n", "each", "aside"), [(2, 10, 0), (3, 6, 2), (4, 5, 0)])


def shuffled(n: int) -> tuple[State, Cues]:
    """Return a game with all cards laid and dealt in order, before the piles are shuffled."""
    state, _ = play(fresh(n), *CRIMINALS[: min(n, 3)])
    return play(state, list(range(44)))


@DEALS
def test_ba3_a_card_lies_on_each_of_the_24_and_the_rest_is_dealt(
    n: int, each: int, aside: int
) -> None:
    state, cues = shuffled(n)
    deck = state.table.deck
    assert state.spots == tuple(CardOnBoard(card) for card in deck[:24])
    assert [len(pile) for pile in state.piles] == [each + 1] * n
    for seat, pile in enumerate(state.piles):
        assert pile == (*deck[24 + seat : 24 + n * each : n], ARRESTS[seat])
    unused = ARRESTS[n:]
    assert state.gone == (*deck[44 - aside : 44], *unused)
    assert cue(cues, "dealt").facts == {"spaces": 24, "pile": each + 1, "aside": aside}


@DEALS
def test_ba3_own_cards_lie_the_same_way_and_nobody_knows_them(
    n: int, each: int, aside: int
) -> None:
    state, cues = play(fresh(n, deck="own"), *CRIMINALS[: min(n, 3)])
    assert state.spots == (CardOnBoard(None),) * 24
    assert state.piles == ((None,) * (each + 1),) * n
    assert len(state.gone) == aside + 4 - n
    assert cue_names(cues)[-1] == "dealt"
    assert asked(state) == ("cut", None, {"yes", "no"})
    assert GAME.secrets(state) == ()


def test_ba4_each_pile_is_shuffled_with_its_arrest_card_in_it() -> None:
    state, _ = shuffled(3)
    for seat, who in enumerate(NAMES[:3]):
        assert GAME.ask(state) == Shuffle("shuffle_pile", 7, who)
        before = state.piles[seat]
        state, _ = play(state, [6, 0, 1, 2, 3, 4, 5])
        assert state.piles[seat] == (before[6], *before[:6])
    assert asked(state) == ("cut", None, {"yes", "no"})


def test_ba4_a_cut_shuffles_every_pile_again_and_is_asked_once() -> None:
    state, _ = shuffled(2)
    straight = list(range(11))
    state, _ = play(state, straight, straight)
    prompt = first_prompt_of_form(GAME.ask(state))
    assert prompt is not None
    assert prompt.options[cursor_start_answer_index(prompt)] == "no"  # type: ignore[union-attr]
    cut, cues = play(state, "yes")
    assert cue(cues, "cut").facts == {"piles": ["Ann", "Bob"], "own": False}
    cut, _ = play(cut, straight[::-1], straight)
    assert cut.piles == (state.piles[0][::-1], state.piles[1])
    for after in (cut, play(state, "no")[0]):
        assert GAME.ask(after) == Roll("roll", "Ann", dice=2)
        assert GAME.view(after, None)["phase"] == "opening"


@pytest.mark.parametrize("dice", ["companion", "real"])
def test_ba5_the_highest_roller_begins_in_the_hideout_and_ties_roll_again(dice: str) -> None:
    state, _ = play(fresh(3, deck="own", dice=dice), *CRIMINALS[:3], "no")

    def rolled(*sums: int) -> list[Any]:
        return [n if dice == "real" else [n - 1, 1] for n in sums]

    state, cues = play(state, *rolled(6, 7, 7))
    rolls = {"Ann": 6, "Bob": 7, "Cy": 7}
    assert cue(cues, "first_roll").facts == {"rolls": rolls, "tied": True}
    assert GAME.ask(state) == Roll("roll", "Bob", dice=2, real=dice == "real")
    state, cues = play(state, *rolled(2, 3))
    assert cue(cues, "begins").facts == {"who": "Cy"}
    view = GAME.view(state, None)
    assert (view["phase"], view["to_act"], view["baretta"]) == ("playing", "Cy", "hideout")


def test_ba5_turns_go_clockwise_past_those_who_are_out() -> None:
    state = moment({}, (), (), (), (), out=(1, 2), at="a1", roll=1)
    state, cues = play(state, "a2")
    assert to_act(state) == "Dee"
    assert cues[-1] == Cue("next_turn", {"who": "Dee"}, "BA-5")
    state, _ = play(replace(state, moving=(1, False), step="move_to"), "a1")
    assert to_act(state) == "Ann"


# --- BA-6: moving ---------------------------------------------------------------------------------


def ends(at: str, n: int) -> set[Answer]:
    return asked(moment({}, at=at, roll=n))[2]


def test_ba6_only_the_ends_of_exactly_that_many_steps_are_offered() -> None:
    assert ends("hideout", 2) == {"a2", "b2", "c2", "d2"}
    assert ends("hideout", 4) == {"3", "9", "15", "21"}
    assert ends("apartment", 2) == {"2", "23"}
    assert ends("24", 3) == {"2", "21"}


def test_ba6_moves_go_round_corners_and_into_shortcuts_and_out_of_them() -> None:
    assert ends("6", 3) == {"8", "3"}
    assert ends("6", 4) == {"9", "a1", "2"}
    assert ends("a2", 3) == {"2", "4", "b3", "c3", "d3"}


def test_ba6_a_move_never_steps_back_on_the_space_just_left() -> None:
    assert ends("a2", 2) == {"3", "hideout"}
    assert "a2" not in ends("a2", 2)
    assert "hideout" not in ends("hideout", 2)
    assert "hideout" not in ends("hideout", 8)


def test_ba6_a_place_out_of_reach_is_refused_and_the_roll_is_what_counts() -> None:
    state, cues = play(moment({}), [1, 1])
    assert cue(cues, "rolled").facts == {"who": "Ann", "dice": [1, 1]}
    assert GAME.view(state, None)["moving"] == {"who": "Ann", "n": 2, "second": False}
    with pytest.raises(Refused, match="not_offered"):
        play(state, "a3")
    state, cues = play(state, "a2")
    assert cue(cues, "moved").facts == {
        "who": "Ann",
        "from": "hideout",
        "to": "a2",
        "kind": "shortcut",
        "does": None,
        "by": "roll",
        "vain": False,
    }
    assert GAME.view(state, None)["moving"] is None


def test_ba6_real_dice_are_asked_of_the_player_as_a_sum() -> None:
    state = moment({}, dice="real")
    assert GAME.ask(state) == Roll("roll", "Ann", dice=2, real=True)
    assert asked(play(state, 4)[0])[2] == {"3", "9", "15", "21"}


def test_ba6_the_likeliest_end_comes_first_an_own_marker_before_all() -> None:
    prompt = GAME.ask(moment({"2": ("hunch", 0), "23": ("hunch", 1)}, at="apartment", roll=2))
    assert isinstance(prompt, Choose)
    assert prompt.options == ("2", "23")
    assert cursor_start_answer_index(prompt) == 0


def test_ba6_a_move_with_one_end_only_is_not_asked() -> None:
    one_way = {**PRINTED, "shortcuts": [["3", "a1", "a2", "a3", "hideout"]]}
    state, cues = play(moment({}, edition=one_way), [1, 2])
    assert cue_names(cues)[:2] == ["rolled", "moved"]
    assert to_act(state) == "Bob"


def walks(links: Links, path: tuple[int, ...], n: int) -> set[int]:
    """Return the ends of all walks of `n` steps."""
    if not n:
        return {path[-1]}
    ways = (to for to in links[path[-1]] if len(path) == 1 or to != path[-2])
    return set().union(*(walks(links, (*path, to), n - 1) for to in ways))


@st.composite
def shortcuts(draw: st.DrawFn) -> list[list[str]]:
    """Draw shortcuts between random spaces. The first shortcut leads to the Hideout."""
    outside = [*map(str, range(1, 25)), "apartment", "station", "alley", "poolhall"]
    ways: list[list[str]] = []
    for letter in "abcd"[: draw(st.integers(1, 4))]:
        inner = [f"{letter}{n}" for n in range(1, draw(st.integers(0, 4)) + 1)]
        start = draw(st.sampled_from(outside))
        goals = ["hideout", *outside] if ways else ["hideout"]
        goal = draw(st.sampled_from([other for other in goals if other != start]))
        ways.append([start, *inner, goal])
    return ways


@pytest.mark.long
@given(ways=shortcuts(), n=st.integers(1, 12), data=st.data())
@settings(max_examples=max_examples(60))
def test_ba6_what_can_be_reached_is_what_a_brute_walk_reaches(
    ways: list[list[str]], n: int, data: st.DataObject
) -> None:
    board = make_board_from_edition({**PRINTED, "shortcuts": ways})
    start = data.draw(st.integers(0, len(board.ids) - 1))
    found = walks(board.links, (start,), n)
    assert found == set(board.reach[start][n])
    assert found


def test_ba6_what_can_be_reached_on_the_printed_board_is_what_a_brute_walk_reaches() -> None:
    board = make_board_from_edition(PRINTED)
    for start in range(len(board.ids)):
        for n in range(2, 13):
            assert walks(board.links, (start,), n) == set(board.reach[start][n])


def test_ba6_a_triangle_lets_a_walk_turn_round_and_a_straight_way_does_not() -> None:
    triangle = neighbours_by_space("abcd", ("abca", "ad"))
    assert 3 in spaces_reachable_in_steps(triangle, 3, 5)
    assert spaces_reachable_in_steps(neighbours_by_space("abc", ("abc",)), 0, 3) == ()


# --- BA-7, BA-15: landing on a card ---------------------------------------------------------------


def test_ba7_a_card_is_turned_over_obeyed_and_leaves_the_game() -> None:
    state, cues = landed("wounded")
    turned = {"who": "Ann", "space": "5", "card": "wounded"}
    assert cue_names(cues) == ["moved", "turned", "discarded", "wounded", "next_turn"]
    assert cue(cues, "turned").facts == turned
    assert cue(cues, "discarded").facts == {"space": "5", "card": "wounded"}
    assert spot(state, "5") is None
    assert "wounded" in state.gone


def test_ba7_a_card_that_lies_face_up_is_obeyed_as_well() -> None:
    state = moment({"5": ("in_trouble", 0)}, at="4", roll=1, wounded="up")
    up = spot(state, "5")
    assert up is not None
    state = replace(state, spots=(*state.spots[:4], up._replace(up=True), *state.spots[5:]))
    state, cues = play(state, "5")
    assert cue_names(cues)[1:4] == ["turned", "marker_back", "discarded"]


def test_ba15_the_marker_of_a_card_that_is_turned_over_goes_back_to_its_owner() -> None:
    before = moment({"5": ("wounded", 1), "6": ("hunch", 1)}, at="4", roll=1)
    assert GAME.view(before, None)["markers"] == {"Ann": 6, "Bob": 4}
    state, cues = play(before, "5")
    assert cue(cues, "marker_back").facts == {"who": "Bob", "space": "5"}
    assert GAME.view(state, None)["markers"] == {"Ann": 6, "Bob": 5}


def test_ba7_own_cards_the_table_says_which_card_came_up() -> None:
    state, cues = landed(None, (None, None), (None, None), deck="own")
    assert cue_names(cues) == ["moved"]
    name, who, options = asked(state)
    assert (name, who, options) == ("card", "Ann", {*PRINTED["cards"], "another"})
    assert GAME.view(state, None)["asked"] == "landed"
    state, cues = play(state, "stay_put")
    assert cue_names(cues) == ["turned", "discarded", "placed", "next_turn"]
    assert GAME.secrets(state) == ()


# --- BA-8: an empty space -------------------------------------------------------------------------


@both_decks
def test_ba8_on_an_empty_space_the_own_top_card_goes_down_under_a_marker(deck: str) -> None:
    pile = ("stay_put", "wounded") if deck == "virtual" else (None, None)
    state, cues = play(moment({}, pile, ("hunch",), at="4", roll=1, deck=deck), "5")
    assert spot(state, "5") == CardOnBoard(pile[0], 0, marked=True)
    assert state.piles[0] == pile[1:]
    placed = {"who": "Ann", "space": "5", "marked": True, "left": 1, "up": False}
    assert cue(cues, "placed").facts == placed
    assert seen(state, "5")["card"] == "down"
    assert seen(state, "5")["marker"] == "Ann"
    assert to_act(state) == "Bob"


def test_ba12_a_card_that_lies_face_up_is_told_so_and_is_news_for_nobody() -> None:
    piles = (("move:3", "move:5"), ("move:4",))
    before = moment({}, *piles, at="4", roll=1, wounded="up", shown=(True, False))
    state, cues = play(before, "5")
    assert [(cue.to, cue.facts.get("up")) for cue in cues if cue.name == "placed"] == [(None, True)]
    assert GAME.view(state, None)["spaces"]["5"]["card"] == "up:move:3"


def test_ba8_only_its_player_sees_the_card_that_is_placed() -> None:
    state, cues = play(moment({}, (ANNS, "wounded"), ("hunch",), at="4", roll=1), "5")
    (secret,) = [c for c in cues if c.to is not None]
    assert secret == Cue("placed", {"space": "5", "card": ANNS}, "BA-8", "Ann")
    assert GAME.secrets(state) == (secret,)
    assert GAME.view(state, "Ann")["seen"] == {"5": ANNS}
    assert GAME.view(state, "Bob")["seen"] == {}
    assert ANNS not in str(GAME.view(state, None)) + str(GAME.view(state, "Bob"))


@both_decks
def test_ba8_a_pile_that_has_run_out_places_nothing(deck: str) -> None:
    state, cues = play(moment({}, (), ("hunch",), at="4", roll=1, deck=deck), "5")
    assert cue_names(cues) == ["moved", "nothing", "next_turn"]
    assert cue(cues, "nothing").facts["why"] == "empty_pile"
    assert spot(state, "5") is None


@both_decks
def test_ba8_with_six_markers_out_the_card_goes_down_unmarked(deck: str) -> None:
    six = {str(n): ("hunch" if deck == "virtual" else None, 0) for n in range(10, 16)}
    pile = ("wounded", ANNS) if deck == "virtual" else (None, None)
    state, cues = play(moment(six, pile, ("hunch",), at="4", roll=1, deck=deck), "5")
    assert cue(cues, "placed").facts["marked"] is False
    assert GAME.view(state, None)["markers"]["Ann"] == 0
    assert seen(state, "5")["marker"] is None
    assert ("5" in GAME.view(state, "Ann")["seen"]) == (deck == "virtual")


# --- BA-9 to BA-11: shortcuts, corners, the Hideout -----------------------------------------------


def test_ba9_on_a_shortcut_nothing_happens() -> None:
    state, cues = play(moment({}, at="hideout", roll=1), "a3")
    assert cue(cues, "nothing").facts == {"who": "Ann", "space": "a3", "why": "shortcut"}
    assert to_act(state) == "Bob"


def apartment(cards: dict[str, Any], *piles: Pile, **fields: Any) -> tuple[State, Cues]:
    return play(moment(cards, *piles, at="1", roll=1, **fields), "apartment")


def test_ba10_at_the_apartment_any_marked_card_may_be_taken_or_none() -> None:
    state, _ = apartment({"9": ("hunch", 0), "11": ("hunch", 1), "12": "wounded"})
    assert asked(state) == ("take_back", "Ann", {"9", "11", "pass"})
    after, cues = play(state, "pass")
    assert cue_names(cues) == ["declined", "next_turn"]
    assert after.spots == state.spots


def test_ba10_an_opponents_card_goes_back_into_its_owners_pile_which_is_shuffled() -> None:
    state, _ = apartment({"11": (BOBS, 1)}, ("hunch",), ("wounded", "stay_put"))
    state, cues = play(state, "11")
    assert cue(cues, "taken_back").facts == {"who": "Ann", "owner": "Bob", "space": "11"}
    assert seen(state, "11")["card"] is None
    assert GAME.view(state, None)["markers"]["Bob"] == 6
    assert GAME.ask(state) == Shuffle("shuffle_pile", 3, "Bob")
    state, _ = play(state, [2, 0, 1])
    assert state.piles[1] == (BOBS, "wounded", "stay_put")
    assert to_act(state) == "Bob"
    assert GAME.ask(state) == Roll("roll", "Bob", dice=2)  # no player is asked to cut the pile


def test_ba10_own_cards_the_table_shuffles_and_the_card_is_unknown_again() -> None:
    state, _ = apartment({"11": ("hunch", 1)}, (None,), (None,), deck="own")
    state, _ = play(state, "11")
    assert state.piles[1] == (None, None)
    assert GAME.ask(state) == Roll("roll", "Bob", dice=2)


def test_ba10_with_nothing_marked_the_apartment_does_nothing() -> None:
    _, cues = apartment({"9": "hunch"})
    assert cue(cues, "nothing").facts["why"] == "no_marked"


def test_ba10_the_other_corners_do_as_the_edition_says() -> None:
    state, cues = play(moment({}, at="6", roll=1), "station")
    assert cue(cues, "roll_again").facts == {"who": "Ann", "space": "station"}
    assert GAME.ask(state) == Roll("roll", "Ann", dice=2)
    state, cues = play(moment({"9": ("hunch", 0)}, at="12", roll=1), "alley")
    assert [c.facts["to"] for c in cues if c.name == "moved"] == ["alley", "hideout"]
    assert asked(state)[0] == "unmark"
    state, cues = play(moment({}, at="18", roll=1), "poolhall")
    assert cue(cues, "nothing").facts["why"] == "corner"


def hideout(cards: dict[str, Any]) -> tuple[State, Cues]:
    return play(moment(cards, at="a3", roll=1), "hideout")


def test_ba11_in_the_hideout_a_marker_may_come_off_an_own_card() -> None:
    state, _ = hideout({"9": (ANNS, 0), "10": ("hunch", 1), "11": ("hunch", 0)})
    assert asked(state) == ("unmark", "Ann", {"9", "11", "pass"})
    state, cues = play(state, "9")
    assert cue(cues, "unmarked").facts == {"who": "Ann", "space": "9"}
    assert seen(state, "9")["card"] == "down"
    assert seen(state, "9")["marker"] is None
    assert GAME.view(state, None)["markers"]["Ann"] == 5
    assert GAME.view(state, "Ann")["seen"]["9"] == ANNS


def test_ba11_without_an_own_marker_the_hideout_does_nothing_and_it_may_be_declined() -> None:
    _, cues = hideout({"10": ("hunch", 1)})
    assert cue(cues, "nothing").facts["why"] == "no_own"
    state, _ = hideout({"9": (ANNS, 0)})
    after, cues = play(state, "pass")
    assert after.spots == state.spots
    assert cue(cues, "declined").clause == "BA-17"


# --- BA-12: the cards -----------------------------------------------------------------------------


def test_ba12_move_n_moves_on_at_once_and_the_card_there_is_left_alone() -> None:
    state, cues = landed("move:3", cards={"8": "wounded", "2": "stay_put"})
    assert cue_names(cues) == ["moved", "turned", "discarded"]
    assert GAME.view(state, None)["moving"] == {"who": "Ann", "n": 3, "second": True}
    assert asked(state)[2] == {"7", "2", "a1"}
    state, cues = play(state, "2")
    assert cue_names(cues) == ["moved", "nothing", "next_turn"]
    assert cue(cues, "moved").facts["by"] == "move"
    assert spot(state, "2") == CardOnBoard("stay_put")


def test_ba12_move_n_onto_a_corner_does_as_the_corner_says() -> None:
    state, _ = landed("move:5", cards={"9": ("hunch", 1)})
    state, _ = play(state, "apartment")
    assert asked(state) == ("take_back", "Ann", {"9", "pass"})
    state, cues = play(landed("move:2")[0], "station")
    assert cue_names(cues) == ["moved", "roll_again"]


def test_ba17_move_n_onto_an_empty_space_places_nothing() -> None:
    state, cues = play(landed("move:3", ("hunch",), ("hunch",))[0], "7")
    assert cue(cues, "nothing").facts["why"] == "empty"
    assert spot(state, "7") is None
    assert state.piles[0] == ("hunch",)


def test_ba12_stay_put_is_replaced_by_the_own_top_card() -> None:
    state, cues = landed("stay_put", (ANNS, "hunch"), ("hunch",))
    assert cue_names(cues) == ["moved", "turned", "discarded", "placed", "placed", "next_turn"]
    assert spot(state, "5") == CardOnBoard(ANNS, 0, marked=True)
    assert cue(cues, "placed").clause == "BA-12"
    assert GAME.view(state, None)["baretta"] == "5"


@pytest.mark.parametrize("card", ["stay_put", "wounded"])
def test_ba17_with_an_empty_pile_stay_put_and_wounded_do_nothing(card: str) -> None:
    state, cues = landed(card, (), ("hunch",))
    assert cue(cues, "nothing").facts["why"] == "empty_pile"
    assert cue(cues, "nothing").clause == "BA-17"
    assert spot(state, "5") is None


def test_ba12_wounded_turns_the_own_top_card_up_until_it_is_placed() -> None:
    state, cues = landed("wounded", (ANNS, "hunch"), ("hunch",), wounded="down")
    assert cue(cues, "wounded").facts == {"who": "Ann", "card": ANNS}
    assert GAME.view(state, None)["shown"] == {"Ann": ANNS, "Bob": None}
    state = replace(state, turn=0, step="move_to", moving=(1, False))
    state, _ = play(state, "6")
    assert GAME.view(state, None)["shown"] == {"Ann": None, "Bob": None}
    assert spot(state, "6") == CardOnBoard(ANNS, 0, marked=True)
    assert seen(state, "6")["card"] == "down"


def test_ba17_a_second_wounded_turns_nothing_more() -> None:
    state, cues = landed("wounded", ("hunch", ANNS), ("hunch",), shown=(True, False))
    assert cue(cues, "nothing").facts["why"] == "already"
    assert GAME.view(state, None)["shown"]["Ann"] == "hunch"
    assert state.piles[0] == ("hunch", ANNS)


def test_ba17_a_card_turned_up_is_put_down_face_up_unless_the_table_plays_otherwise() -> None:
    shown = {"shown": (True, False)}
    assert GAME.options[2][:2] == ("wounded", ("up", "down"))
    state, cues = play(moment({}, (ANNS, "hunch"), ("hunch",), at="4", roll=1, **shown), "5")
    assert seen(state, "5")["card"] == f"up:{ANNS}"
    assert GAME.view(state, "Ann")["seen"] == {}
    assert ANNS not in str(cue(cues, "placed").facts)


def test_ba17_a_card_turned_up_stays_on_top_when_its_pile_is_shuffled() -> None:
    shown = {"shown": (False, True)}
    state, _ = apartment({"11": ("move:2", 1)}, (), ("wounded", BOBS), **shown)
    state, _ = play(state, "11")
    assert GAME.ask(state) == Shuffle("shuffle_pile", 2, "Bob")
    state, _ = play(state, [1, 0])
    assert state.piles[1] == ("wounded", "move:2", BOBS)


def test_ba12_own_cards_wounded_asks_which_card_the_table_sees() -> None:
    state, _ = landed(None, (None, None), (None, None), deck="own")
    state, cues = play(state, "wounded")
    assert cue_names(cues) == ["turned", "discarded"]
    assert asked(state)[2] == {*PRINTED["cards"], ANNS, "another"}
    assert GAME.view(state, None)["asked"] == "top"
    state, cues = play(state, "move:2")
    assert cue(cues, "wounded").facts == {"who": "Ann", "card": "move:2"}
    assert GAME.view(state, None)["shown"]["Ann"] == "move:2"


def test_ba12_go_to_sends_baretta_and_what_is_there_directs() -> None:
    state, cues = landed("go_to:apartment", cards={"9": ("hunch", 1)})
    assert cue_names(cues) == ["moved", "turned", "discarded", "moved"]
    assert cues[-1].facts == {
        "who": "Ann",
        "from": "5",
        "to": "apartment",
        "kind": "corner",
        "does": "take_back",
        "by": "go_to",
        "vain": False,
    }
    assert asked(state)[0] == "take_back"
    _, cues = landed("go_to:hideout")
    assert cue(cues, "nothing").clause == "BA-11"


def test_ba12_in_trouble_an_own_marked_card_must_go_back() -> None:
    cards = {"9": ("hunch", 0), "11": (ANNS, 0), "12": ("hunch", 1)}
    state, _ = landed("in_trouble", ("wounded",), ("hunch",), cards=cards)
    assert asked(state) == ("take_back", "Ann", {"9", "11"})
    state, cues = play(state, "11")
    assert cue(cues, "taken_back").clause == "BA-12"
    assert GAME.ask(state) == Shuffle("shuffle_pile", 2, "Ann")
    state, _ = play(state, [1, 0])
    assert asked(state) == ("cut", None, {"yes", "no"})
    state, cues = play(state, "yes", [1, 0])
    assert cue(cues, "cut").facts == {"piles": ["Ann"], "own": False}
    assert to_act(state) == "Bob"
    assert state.piles[0] == ("wounded", ANNS)


def test_ba12_in_trouble_with_one_marked_card_leaves_no_choice() -> None:
    state, cues = landed("in_trouble", ("wounded",), ("hunch",), cards={"9": ("hunch", 0)})
    assert cue(cues, "taken_back").facts["space"] == "9"
    assert GAME.ask(state) == Shuffle("shuffle_pile", 2, "Ann")


def test_ba17_in_trouble_with_nothing_marked_does_nothing() -> None:
    _, cues = landed("in_trouble", cards={"9": ("hunch", 1)})
    nothing = cue(cues, "nothing")
    assert (nothing.facts["who"], nothing.facts["why"]) == ("Ann", "no_own")
    words = words_for("baretta", "en")
    assert words.fact_text(nothing) == "Ann has no marker on the board."


def test_ba12_a_corner_that_move_n_reaches_and_says_to_roll_again_gives_one_more_roll() -> None:
    """BA-12: the player rolls, moves and obeys the space, and the turn ends."""
    state, cues = landed("move:2", cards={"9": "hunch"})
    assert "station" in asked(state)[2]
    state, cues = play(state, "station")
    assert cue_names(cues) == ["moved", "roll_again"]
    assert GAME.ask(state) == Roll("roll", "Ann", dice=2)
    state, _ = play(state, [1, 1])
    assert "8" in asked(state)[2]
    assert GAME.ask(play(state, "8")[0]) == Roll("roll", "Bob", dice=2)


@pytest.mark.parametrize(("corner", "said"), [
    ("hideout", "Hideout: Ann has no marker to take off."),
    ("apartment", "Apartment: no card is marked."),
])  # fmt: skip
def test_ba17_what_a_corner_can_not_do_is_said_once_and_not_offered(corner: str, said: str) -> None:
    _, cues = landed(f"go_to:{corner}", cards={"9": "hunch"})
    words = words_for("baretta", "en")
    told = [
        words.fact_speech(cue, "normal")
        for moment in words.group_facts_by_picture(cues)
        for cue in moment
    ]
    assert told[-1] == said
    assert not [text for text in told if "may" in text]


def test_ba12_a_card_back_in_an_empty_pile_needs_no_shuffle_and_no_cut() -> None:
    state, _ = landed("in_trouble", (), ("hunch",), cards={"9": (ANNS, 0)})
    assert state.piles[0] == (ANNS,)
    assert GAME.ask(state) == Roll("roll", "Bob", dice=2)


# --- BA-13: play your hunch -----------------------------------------------------------------------


def hunch(cards: dict[str, Any], *piles: Pile, **fields: Any) -> State:
    return landed("hunch", *piles, cards=cards, **fields)[0]


def winner(state: State) -> tuple[str, ...] | None:
    outcome = GAME.outcome(state)
    return None if outcome is None else outcome.winners


def test_ba13_a_hunch_may_point_at_every_card_but_its_own_or_at_none() -> None:
    state = hunch({"9": "wounded", "11": (BOBS, 1)})
    assert asked(state) == ("hunch", "Ann", {"pass", "9", "11"})
    assert seen(state, "5")["card"] == "up:hunch"
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    assert prompt.options[cursor_start_answer_index(prompt)] == "pass"


def test_ba13_a_hunch_that_is_kept_stays_face_down_without_its_marker() -> None:
    state, cues = landed(("hunch", 1), cards={"9": "wounded"})
    assert cue_names(cues) == ["moved", "turned", "marker_back"]
    state, cues = play(state, "pass")
    assert cue_names(cues) == ["kept_quiet", "next_turn"]
    assert seen(state, "5")["card"] == "down"
    assert seen(state, "5")["marker"] is None
    assert to_act(state) == "Bob"


def test_ba13_a_right_hunch_wins_the_game() -> None:
    state, cues = play(hunch({"9": (ANNS, 0)}), "9")
    assert cue_names(cues) == ["moved", "guessed", "marker_back", "discarded", "arrest", "game_won"]
    assert cue(cues, "guessed").facts == {"who": "Ann", "space": "9", "card": ANNS}
    arrest = {"space": "9", "criminal": "killer", "winner": "Ann"}
    assert cue(cues, "arrest").facts == arrest
    assert cue(cues, "game_won").facts == {"who": "Ann", "how": "guess"}
    assert winner(state) == ("Ann",)
    assert GAME.ask(state) is None
    assert seen(state, "9")["card"] == f"up:{ANNS}"


def test_ba13_a_hunch_onto_another_players_arrest_card_lets_that_player_win() -> None:
    state, _ = play(hunch({"9": BOBS, "10": (CYS, 2)}, (), (), ()), "10")
    assert winner(state) == ("Cy",)
    assert GAME.outcome(state).scores == {"Ann": 0, "Bob": 0, "Cy": 1}  # type: ignore[union-attr]


def test_ba13_a_wrong_hunch_of_three_puts_the_player_out_and_the_card_face_down() -> None:
    state, cues = play(hunch({"9": ("wounded", 1)}, (), (), ()), "9")
    assert cue_names(cues) == ["moved", "guessed", "marker_back", "discarded", "out", "next_turn"]
    assert cue(cues, "discarded").facts == {"space": "5", "card": "hunch"}
    assert GAME.view(state, None)["out"] == ["Ann"]
    assert seen(state, "9")["card"] == "down"
    assert seen(state, "9")["marker"] is None
    assert seen(state, "5")["card"] is None
    assert GAME.view(state, None)["baretta"] == "9"
    assert to_act(state) == "Bob"


def test_ba16_a_wrong_hunch_of_two_leaves_the_other_player_who_wins() -> None:
    state, cues = play(hunch({"9": ("wounded", 1)}), "9")
    assert cue_names(cues)[-2:] == ["out", "game_won"]
    assert cue(cues, "game_won").facts == {"who": "Bob", "how": "last"}
    assert winner(state) == ("Bob",)
    assert GAME.ask(state) is None


def test_ba13_a_hunch_with_no_other_card_on_the_board_is_kept_without_a_question() -> None:
    state, cues = landed("hunch")
    assert cue_names(cues)[-2:] == ["kept_quiet", "next_turn"]
    assert seen(state, "5")["card"] == "down"


def test_ba13_of_the_cards_that_lie_face_up_only_an_arrest_can_be_pointed_at() -> None:
    up = {"9": (ANNS, 0, True, True), "10": ("wounded", 1, True, True), "11": "wounded"}
    assert asked(hunch(up))[2] == {"pass", "9", "11"}


def test_ba13_own_cards_the_table_says_what_the_guessed_card_is() -> None:
    state, _ = landed(None, (None,), (None,), (), deck="own", cards={"9": (None, 1)})
    state, _ = play(state, "hunch")
    state, cues = play(state, "9")
    assert [c.facts["by"] for c in cues] == ["guess"]
    assert GAME.view(state, None)["asked"] == "guessed"
    assert asked(state)[2] == {*PRINTED["cards"], BOBS, "another"}
    assert winner(play(state, BOBS)[0]) == ("Bob",)
    state, cues = play(state, "wounded")
    assert "out" in cue_names(cues)
    assert spot(state, "9") == CardOnBoard("wounded", 1, cleared=True)


def test_ba13_own_cards_what_has_been_seen_is_not_asked_again() -> None:
    state, _ = landed("hunch", (None,), (None,), deck="own", cards={"9": (None, 1)})
    assert asked(state)[0] == "hunch"


# --- BA-14, BA-16: arrests ------------------------------------------------------------------------


@pytest.mark.parametrize("card", [ANNS, BOBS])
def test_ba14_landing_on_an_arrest_card_ends_the_game_for_its_player(card: str) -> None:
    state, cues = landed((card, 1))
    won = {ANNS: "Ann", BOBS: "Bob"}[card]
    assert cue_names(cues) == ["moved", "turned", "marker_back", "arrest", "game_won"]
    assert cue(cues, "game_won").facts == {"who": won, "how": "landed"}
    assert winner(state) == (won,)
    assert GAME.view(state, None)["phase"] == "over"
    assert to_act(state) is None


def test_ba14_move_n_onto_an_arrest_card_ends_the_game_too() -> None:
    state, cues = play(landed("move:3", cards={"2": (BOBS, 1)})[0], "2")
    assert cue_names(cues) == ["moved", "turned", "marker_back", "arrest", "game_won"]
    assert cue(cues, "game_won").facts == {"who": "Bob", "how": "second"}
    assert winner(state) == ("Bob",)


def test_ba14_move_n_onto_another_placed_card_tells_only_that_it_is_no_arrest() -> None:
    state, cues = play(landed("move:3", cards={"2": ("wounded", 1)})[0], "2")
    assert cue_names(cues) == ["moved", "not_arrest", "next_turn"]
    assert cue(cues, "not_arrest").reveals  # an undo past it needs agreement
    assert "wounded" not in str([c.facts for c in cues])
    assert spot(state, "2") == CardOnBoard("wounded", 1, marked=True, cleared=True)


def test_ba14_own_cards_after_move_n_the_table_says_only_whether_it_is_an_arrest() -> None:
    cards = {"2": (None, 1), "8": None}
    state, _ = landed(None, (None,), (None,), deck="own", cards=cards)
    state, _ = play(state, "move:3", "2")
    assert asked(state) == ("card", "Ann", {"other", BOBS})
    assert GAME.view(state, None)["asked"] == "second"
    assert winner(play(state, BOBS)[0]) == ("Bob",)
    state, cues = play(state, "other")
    assert cue_names(cues) == ["not_arrest", "next_turn"]
    assert not cue(cues, "not_arrest").reveals  # the players looked at the card, not the box
    assert spot(state, "2") == CardOnBoard(None, 1, marked=True, cleared=True)


def test_ba14_own_cards_a_card_laid_before_the_game_can_be_no_arrest() -> None:
    state, _ = landed(None, (None,), (None,), deck="own", cards={"2": None})
    state, cues = play(state, "move:3", "2")
    assert cue(cues, "nothing").facts["why"] == "card"


@pytest.mark.parametrize("how", ["landed", "second", "hunch"])
def test_ba16_the_arrest_card_of_a_player_who_is_out_is_discarded_and_play_goes_on(
    how: str,
) -> None:
    place: dict[str, Any] = {"9": (CYS, 2), "2": (CYS, 2)}
    if how == "landed":
        state, cues = landed((CYS, 2), (), (), (), out=(2,))
    elif how == "second":
        state, cues = play(landed("move:3", (), (), (), cards=place, out=(2,))[0], "2")
    else:
        state, cues = play(hunch(place, (), (), (), out=(2,)), "9")
    assert cue(cues, "in_vain").facts["who"] == "Cy"
    assert cues[-2].facts["card"] == CYS
    assert CYS in state.gone
    assert GAME.outcome(state) is None
    assert state.out == (2,)
    assert to_act(state) == "Bob"
    if how == "hunch":
        assert "hunch" in state.gone
        assert spot(state, "5") is None


def test_ba16_cards_and_markers_of_a_player_who_is_out_stay_where_they_are() -> None:
    cards = {"9": ("wounded", 1), "11": (ANNS, 0)}
    state, _ = play(hunch(cards, ("stay_put",), (), ()), "9")
    assert seen(state, "11")["marker"] == "Ann"
    view = GAME.view(state, None)
    assert (view["pile"]["Ann"], view["markers"]["Ann"]) == (1, 5)
    assert GAME.view(state, "Ann")["seen"] == {"11": ANNS}


# --- other data that the box needs ----------------------------------------------------------------


def test_the_board_has_24_card_spaces_4_corners_and_one_hideout() -> None:
    board = make_board_from_edition(PRINTED)
    kinds = Counter(map(board.kind_of_space, range(len(board.ids))))
    assert kinds == {"outside": 24, "corner": 4, "hideout": 1, "shortcut": 12}
    assert board.ids[HIDEOUT] == "hideout"
    for one, other in pairwise(PRINTED["path"]):
        assert board.ids.index(other) in board.links[board.ids.index(one)]


def test_every_space_has_a_place_of_its_own_to_be_drawn_in() -> None:
    board = make_board_from_edition(PRINTED)
    at = dict(zip(board.ids, board.at, strict=True))
    assert len(set(board.at)) == len(board.ids)
    assert (at["apartment"], at["station"], at["alley"]) == ((0, 0), (7, 0), (7, 7))
    assert at["3"] == (3, 0)
    assert at["hideout"] == (3.5, 3.5)
    assert all(0 <= x <= 7 and 0 <= y <= 7 for x, y in board.at)


def test_a_shortcut_is_drawn_square_to_its_side() -> None:
    board = make_board_from_edition(PRINTED)
    at = dict(zip(board.ids, board.at, strict=True))
    assert {at[ident][0] for ident in ("3", "a1", "a2", "a3")} == {3}
    assert {at[ident][1] for ident in ("21", "d1", "d2", "d3")} == {4}


@pytest.mark.long
def test_spaces_are_offered_as_they_lie_round_the_board_whatever_lies_on_them() -> None:
    board = make_board_from_edition(PRINTED)
    order = sorted(board.ids, key=lambda ident: board.listing_order[board.ids.index(ident)])
    assert order[:9] == ["apartment", "1", "2", "3", "a1", "a2", "a3", "4", "5"]
    assert order[-2:] == ["24", "hideout"]
    asked = [found.prompt for found in observed_games("baretta").asked.values()]
    for prompt in (prompt for prompt in asked if prompt.name in SPACE_QUESTIONS):
        assert isinstance(prompt, Choose)
        offered = [order.index(space) for space in prompt.options if space != "pass"]
        assert offered == sorted(offered)
