"""Tests of the rules, clause by clause (BM-1 to BM-12). Each test begins with a given state."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any, Final

import pytest

from companion.core.errors import Refused
from companion.core.fold import apply_answer
from companion.core.game import Cue, Cues
from companion.core.prompts import (
    Choose,
    Roll,
    Shuffle,
    cursor_start_answer_index,
    first_prompt_of_form,
    is_answered_by_box,
)
from companion.games.barney_miller import GAME
from companion.games.barney_miller.rules.board import (
    CARD_COUNTS,
    DECK,
    GANG,
    IDENTIFICATION,
    INSUFFICIENT_EVIDENCE,
    START,
    WARRANT,
    Hand,
    TrackSpace,
)
from companion.games.barney_miller.rules.state import State
from companion.press.wheel import count_presses_to_answer
from tests.games import steps
from tests.games.steps import cue_names, find_cue

play: Final = partial(steps.play_answers, GAME)
asked: Final = partial(steps.pending_question, GAME)

NAMES = ("Ann", "Bob", "Cy", "Dee")
GANGS = ("molls", "caps", "bears", "hoods", "fifth")
BOARD: dict[str, Any] = {
    "track": [
        START,
        "gang:molls",
        IDENTIFICATION,
        WARRANT,
        INSUFFICIENT_EVIDENCE,
        "gang:caps",
        "gang:bears",
    ],
    "gang": [{"id": gang, "name": gang} for gang in GANGS],
    "poster": [
        {"detective": "Fish", "suspects": ["caps", "bears", "hoods", "fifth"]},
        {"detective": "Harris", "suspects": ["molls", "bears", "hoods", "fifth"]},
        {"detective": "Wojehowicz", "suspects": ["molls", "caps", "hoods", "fifth"]},
        {"detective": "Yemana", "suspects": ["molls", "caps", "bears", "fifth"]},
    ],
}
CAPS, BEARS, *_ = FISH = ("fish-caps", "fish-bears", "fish-hoods", "fish-fifth")
HARRIS = ("harris-molls", "harris-bears", "harris-hoods", "harris-fifth")
ORDER = list(range(56))
both_decks = pytest.mark.parametrize("deck", ["own", "virtual"])


def fresh(players: tuple[str, ...], board: dict[str, Any] = BOARD, **options: str) -> State:
    chosen = {"deck": "virtual", "die": "companion", "track": "edition", **options}
    return GAME.setup(players, chosen, board)


def moment(*hands: Hand, deck: str = "virtual", die: str = "companion", **fields: Any) -> State:
    """Return the third round: Ann has moved the pawn to Start, and Bob is to play a card."""
    n = len(hands)
    track, board = fields.pop("taught", "edition"), fields.pop("board", BOARD)
    more = {name: fields.pop(name) for name in ("redeal",) if name in fields}
    state = fresh(NAMES[:n], board, deck=deck, die=die, track=track, **more)
    if deck == "own":
        hands = tuple((None,) * len(hand) for hand in hands)
    began: dict[str, Any] = {
        "step": "play_card", "hands": hands, "seconds": ((),) * n, "aside": (), "deals": 3,
        "rollers": (0,), "roller": 0, "round": 3, "turn": 1, "space": TrackSpace(START),
        "unseen": CARD_COUNTS,
    }  # fmt: skip
    return replace(state, **{**began, **fields})


def winning(space: TrackSpace, **fields: Any) -> State:
    """Return a state in which Bob can make ten and win the round. Ann has no card left."""
    hands = ((), (5,) * 5)
    return moment(*hands, space=space, total=5, played=((0, 5),), **fields)


def winner(cues: Cues) -> tuple[str, str]:
    won = find_cue(cues, "round_won")
    return won.facts["who"], won.facts["last"]


# --- BM-1, BM-2: the pieces -----------------------------------------------------------------------


def test_bm1_a_player_named_like_a_detective_gets_that_poster_and_the_rest_the_next() -> None:
    table = fresh(("Cy", "yemana", "Ann", "FISH")).table
    assert table.detectives_by_seat == ("Harris", "Yemana", "Wojehowicz", "Fish")


def test_bm1_two_spellings_of_one_detective_get_two_posters() -> None:
    table = fresh(("fish", "Fish", "Ann", "Bob")).table
    assert table.detectives_by_seat == ("Fish", "Harris", "Wojehowicz", "Yemana")


def test_bm1_players_who_want_to_choose_pick_a_desk_in_seat_order() -> None:
    state = fresh(("Ann", "yemana", "Cy"), posters="choose")
    assert asked(state) == ("detective", "Ann", ("Fish", "Harris", "Wojehowicz"))
    state, cues = play(state, "Harris")
    assert find_cue(cues, "seated") == Cue("seated", {"who": "Ann", "detective": "Harris"}, "BM-1")
    assert asked(state) == ("detective", "Cy", ("Fish", "Wojehowicz"))
    assert GAME.view(state, None)["to_act"] == "Cy"
    state, _ = play(state, "Wojehowicz")
    assert GAME.ask(state) == Shuffle("shuffle", 56)
    seen = GAME.view(state, None)
    assert seen["detectives"] == {"Ann": "Harris", "yemana": "Yemana", "Cy": "Wojehowicz"}
    assert [s["id"] for s in seen["posters"]["Ann"]] == list(HARRIS)


def test_bm1_the_cursor_stands_on_the_desk_that_nobody_has_to_choose() -> None:
    state = fresh(NAMES, posters="choose", deck="own")
    usual = [*state.table.detectives_by_seat]
    for _ in range(3):
        prompt = GAME.ask(state)
        assert isinstance(prompt, Choose)
        state, _ = play(state, prompt.options[cursor_start_answer_index(prompt)])
    assert [*state.table.detectives_by_seat] == usual
    assert state.step == "high_roll"


def test_bm1_who_has_the_name_of_a_detective_is_not_asked() -> None:
    assert fresh(("Fish", "Harris"), posters="choose").step == "shuffle"
    state = fresh(("Ann", "Harris", "Yemana", "Fish"), posters="choose", deck="own")
    assert (state.step, state.table.detectives_by_seat[0]) == ("high_roll", "Wojehowicz")


def test_bm1_the_last_of_four_gets_the_desk_that_is_left() -> None:
    state, _ = play(fresh(NAMES, posters="choose"), "Yemana", "Wojehowicz", "Harris")
    assert state.table.detectives_by_seat == ("Yemana", "Wojehowicz", "Harris", "Fish")
    assert state.step == "shuffle"


@pytest.mark.parametrize("n", [2, 3, 4])
def test_bm1_each_poster_has_four_suspects_that_nobody_else_has(
    n: int, edition: dict[str, Any]
) -> None:
    desks = fresh(NAMES[:n], edition).table.desks
    ids = [suspect.id for desk in desks for suspect in desk.suspects]
    assert [len(desk.suspects) for desk in desks] == [4] * n
    assert len(set(ids)) == 4 * n


def test_bm1_two_suspects_of_one_gang_on_a_poster_are_told_apart() -> None:
    twins = {"detective": "Fish", "suspects": ["caps", "caps", "hoods", "caps"]}
    board = {**BOARD, "poster": [twins, *BOARD["poster"][1:]]}
    (desk, _) = fresh(("Ann", "Bob"), board).table.desks
    ids = [suspect.id for suspect in desk.suspects]
    assert ids == ["fish-caps", "fish-caps-2", "fish-hoods", "fish-caps-3"]


def test_bm2_the_deck_is_the_printed_one() -> None:
    printed = {0: 4, 1: 10, 2: 10, 3: 8, 4: 6, 5: 4, 6: 4, 7: 4, 8: 2, 9: 2, 10: 2}
    assert Counter(DECK) == printed
    assert len(DECK) == 56
    assert dict(enumerate(CARD_COUNTS)) == printed


# --- BM-3: the deal -------------------------------------------------------------------------------

DEALS = pytest.mark.parametrize(("n", "size", "aside"), [(2, 7, 28), (3, 9, 2), (4, 7, 0)])


@both_decks
@DEALS
def test_bm3_each_player_gets_a_hand_and_a_second_hand_and_the_rest_is_put_aside(
    n: int, size: int, aside: int, deck: str
) -> None:
    state = fresh(NAMES[:n], deck=deck)
    if deck == "virtual":
        assert GAME.ask(state) == Shuffle("shuffle", 56)
        state, _ = play(state, ORDER)
    assert [len(hand) for hand in state.hands] == [size] * n
    assert [len(hand) for hand in state.seconds] == [size] * n
    assert len(state.aside) == aside
    prompt = GAME.ask(state)
    assert prompt is not None
    assert (prompt.name, prompt.who) == ("roll", "Ann")


@DEALS
def test_bm3_cards_are_dealt_one_at_a_time_into_twice_as_many_hands_as_players(
    n: int, size: int, aside: int
) -> None:
    order = ORDER[::-1]
    state, _ = play(fresh(NAMES[:n]), order)
    cards = [DECK[i] for i in order]
    piles = [tuple(cards[i : 2 * n * size : 2 * n]) for i in range(2 * n)]
    assert (*state.hands, *state.seconds) == tuple(piles)
    assert state.aside == tuple(cards[56 - aside :])


def test_bm3_a_dealt_hand_is_told_to_its_player_alone() -> None:
    state, cues = play(fresh(NAMES[:3]), ORDER)
    hands = [c for c in cues if c.name == "hand"]
    assert [c.to for c in hands] == ["Ann", "Bob", "Cy"]
    assert [c.facts["cards"] for c in hands] == [sorted(hand, key=repr) for hand in state.hands]
    assert find_cue(cues, "dealt").to is None
    assert find_cue(cues, "dealt").facts == {
        "how": "first", "cards": 9, "deal": 1, "own": False,
    }  # fmt: skip


def test_bm3_own_cards_are_known_to_nobody() -> None:
    state = fresh(NAMES[:2], deck="own")
    assert set(sum((*state.hands, *state.seconds, state.aside), ())) == {None}
    assert GAME.secrets(state) == ()
    assert "cards" not in GAME.view(state, "Ann")


# --- BM-4: who begins -----------------------------------------------------------------------------


def rolls(state: State, *faces: int) -> tuple[State, Cues]:
    real = state.table.real_die
    return play(state, *(face if real else [face] for face in faces))


@pytest.mark.parametrize("die", ["companion", "real"])
def test_bm4_the_highest_roller_begins(die: str) -> None:
    state, cues = rolls(fresh(NAMES[:3], deck="own", die=die), 2, 6, 5)
    assert find_cue(cues, "first_roll").facts == {
        "rolls": {"Ann": 2, "Bob": 6, "Cy": 5},
        "tied": False,
    }
    assert find_cue(cues, "begins").facts == {"who": "Bob"}
    assert GAME.ask(state) == Roll("roll", "Bob", real=die == "real")


def test_bm4_tied_highest_rollers_roll_again_among_themselves_until_one_is_highest() -> None:
    state, cues = rolls(fresh(NAMES, deck="own"), 5, 2, 5, 5)
    assert find_cue(cues, "first_roll").facts["tied"]
    assert GAME.ask(state) == Roll("roll", "Ann")
    state, cues = rolls(state, 3, 4)
    assert cues == ()
    assert GAME.ask(state) == Roll("roll", "Dee")
    state, cues = rolls(state, 4)
    assert find_cue(cues, "first_roll").facts == {
        "rolls": {"Ann": 3, "Cy": 4, "Dee": 4},
        "tied": True,
    }
    assert GAME.ask(state) == Roll("roll", "Cy")
    state, cues = rolls(state, 1, 6)
    assert find_cue(cues, "begins").facts == {"who": "Dee"}
    assert state.roller == 3


def test_bm4_nobody_is_the_roller_before_the_high_roll_is_decided() -> None:
    state, _ = rolls(fresh(NAMES[:2], deck="own"), 4)
    assert GAME.view(state, None)["roller"] is None
    assert GAME.view(state, None)["to_act"] == "Bob"


# --- BM-5, BM-6: rolling, moving, and who plays ---------------------------------------------------


def test_bm5_the_roller_moves_the_pawn_along_the_track_and_past_start() -> None:
    state = moment((1, 2), (1, 2), step="roll", pawn=4)
    state, cues = play(state, [5])
    assert state.pawn == 2
    assert state.space == TrackSpace(IDENTIFICATION)
    assert find_cue(cues, "rolled").facts == {"who": "Ann", "dice": [5]}
    facts = {"who": "Ann", "kind": IDENTIFICATION, "gang": None, "pips": 5}
    assert find_cue(cues, "moved").facts == facts


def test_bm5_who_played_the_last_card_rolls_next_and_not_the_winner() -> None:
    state = moment((3, 3), (9, 3), (4, 3), total=0, roller=0)
    state, cues = play(state, 9, 4)
    assert winner(cues) == ("Bob", "Cy")
    assert GAME.ask(state) == Roll("roll", "Cy")
    assert find_cue(cues, "next_roller").facts == {"who": "Cy"}
    assert (state.round, state.total, state.played) == (4, 0, ())


def test_bm5_a_real_die_is_asked_of_its_roller() -> None:
    state = moment((1,), (1,), die="real", step="roll", pawn=0)
    assert GAME.ask(state) == Roll("roll", "Ann", real=True)
    assert not is_answered_by_box(GAME.ask(state))
    assert play(state, 3)[0].space == TrackSpace(WARRANT)


@pytest.mark.parametrize(("die", "first"), [("companion", "roll"), ("real", "space")])
def test_bm5_without_a_track_people_say_the_space_and_a_real_die_is_not_asked(
    die: str, first: str
) -> None:
    state = moment((1, 2), (1, 2), die=die, taught="ask", step=first)
    if first == "roll":
        state, cues = play(state, [4])
        assert cue_names(cues) == ["rolled"]
    kinds = (
        *(f"gang:{gang}" for gang in GANGS),
        IDENTIFICATION,
        WARRANT,
        INSUFFICIENT_EVIDENCE,
        START,
    )
    assert asked(state) == ("space", None, kinds)
    state, cues = play(state, "gang:molls")
    assert state.space == TrackSpace(GANG, "molls")
    facts = {"who": "Ann", "kind": GANG, "gang": "molls", "pips": None}
    assert find_cue(cues, "moved").facts == facts
    assert asked(state)[:2] == ("play_card", "Bob")
    assert GAME.view(state, None)["track"] is None


@both_decks
@pytest.mark.parametrize("n", [2, 3, 4])
def test_bm6_the_left_neighbour_plays_first_then_to_the_left_announcing_the_total(
    n: int, deck: str
) -> None:
    state = moment(*((1, 1),) * n, deck=deck, step="roll", roller=n - 1, rollers=(n - 1,))
    state, _ = play(state, [2])
    heard = []
    for _ in range(n):
        state, cues = play(state, 1)
        heard.append((cues[0].facts["who"], cues[0].facts["total"]))
    assert heard == [(NAMES[seat], seat + 1) for seat in range(n)]


NONE_LAID: Final = {"by": None, "laid": None}
"""Fields of a question before the first card of a round."""
FIVE: Final = {"by": "Bob", "laid": 5}


def test_bm6_a_virtual_hand_is_offered_to_its_player_alone_each_value_once() -> None:
    state = moment((1,), (7, 3, 7, 0))
    assert GAME.ask(state) == Choose("play_card", "Bob", (0, 3, 7), private=True, facts=NONE_LAID)


def test_bm6_a_card_that_is_not_in_the_hand_is_refused() -> None:
    with pytest.raises(Refused, match="not_offered"):
        play(moment((1,), (7, 3)), 5)


# --- BM-7: who wins -------------------------------------------------------------------------------


@both_decks
def test_bm7_below_ten_every_card_may_be_played_even_one_that_goes_over(deck: str) -> None:
    state = moment((1,), (9, 10), deck=deck, total=9, played=((0, 9),))
    offered = asked(state)[2]
    assert offered == ((9, 10) if deck == "virtual" else tuple(range(11)))


@both_decks
def test_bm7_over_ten_the_last_card_below_ten_wins(deck: str) -> None:
    hands = ((6,), (4, 2), (3, 3), (5, 5))
    state, cues = play(moment(*hands, deck=deck), 4, 3, 5)
    assert winner(cues) == ("Cy", "Dee")
    won = find_cue(cues, "round_won")
    assert (won.facts["how"], won.facts["total"], won.clause) == ("over", 12, "BM-7")
    assert state.roller == 3


@both_decks
def test_bm7_exactly_ten_wins_for_the_card_that_made_it(deck: str) -> None:
    state, cues = play(moment((), (4, 2), (6, 6), deck=deck), 4, 6)
    assert winner(cues) == ("Cy", "Cy")
    assert find_cue(cues, "round_won").facts["how"] == "ten"
    assert state.roller == 2


def test_bm7_a_ten_may_be_made_with_one_card() -> None:
    state, cues = play(moment((), (10, 1)), 10)
    assert winner(cues) == ("Bob", "Bob")
    assert state.round == 4


# --- BM-8: zero at ten ----------------------------------------------------------------------------


@both_decks
def test_bm8_zeros_go_round_the_table_more_than_once(deck: str) -> None:
    state = moment((0, 0, 1), (5, 0, 0, 1), deck=deck, total=5, played=((0, 5),))
    state, cues = play(state, 5, *["play"] * 4, *["pass"] * (deck == "own"))
    assert [c.facts["who"] for c in cues if c.name == "zero_played"] == ["Ann", "Bob", "Ann", "Bob"]
    assert winner(cues) == ("Bob", "Bob")
    assert find_cue(cues, "round_won").clause == "BM-8"
    assert GAME.ask(state) == Roll("roll", "Bob")


@both_decks
def test_bm8_whoever_plays_the_last_zero_wins_and_rolls_next(deck: str) -> None:
    state = moment((1, 1), (5, 1), (0, 1), (0, 1), deck=deck, total=5, played=((0, 5),))
    state, cues = play(state, 5, "play", "pass")
    assert winner(cues) == ("Cy", "Cy")
    assert state.roller == 2
    won = find_cue(cues, "round_won")
    assert (won.facts["how"], won.clause) == ("zero", "BM-8")


@both_decks
def test_bm8_a_player_may_keep_the_zero_and_nobody_after_is_asked(deck: str) -> None:
    state = moment((0, 1), (5, 1), (0, 1), deck=deck, total=5, played=((0, 5),))
    state, _ = play(state, 5)
    assert asked(state) == ("zero", "Cy", ("play", "pass"))
    state, cues = play(state, "pass")
    assert winner(cues) == ("Bob", "Bob")
    assert state.step == "roll"


def ten_before(*hand: int) -> tuple[State, Cues]:
    """Return a state in which Bob has made ten and Cy has these cards."""
    return play(moment((0, 1), (5, 0), hand, total=5, played=((0, 5),)), 5)


def test_bm8_whether_the_next_player_holds_a_zero_shows_in_nothing_that_others_see() -> None:
    (holder, told), (other, same) = ten_before(0, 1), ten_before(2, 1)
    assert told == same
    for player in (None, "Ann", "Bob"):
        assert GAME.view(holder, player) == GAME.view(other, player)
    asked = [GAME.ask(state) for state in (holder, other)]
    assert asked == [
        Choose("zero", "Cy", ("play", "pass"), (0, 1), private=True, facts=FIVE),
        Choose("zero", "Cy", ("pass",), (1,), private=True, facts=FIVE),
    ]
    (passed, told), (could_not, same) = play(holder, "pass"), play(other, "pass")
    assert told == same
    assert GAME.view(passed, "Ann") == GAME.view(could_not, "Ann")


def test_bm8_to_pass_is_one_turn_and_one_press_with_a_zero_and_without() -> None:
    for hand in ((0, 1), (2, 1)):
        prompt = first_prompt_of_form(GAME.ask(ten_before(*hand)[0]))
        assert prompt is not None
        assert count_presses_to_answer(prompt, "pass") == 2


def test_bm8_nobody_is_asked_once_all_have_seen_the_four_zeros() -> None:
    unseen = (0, *CARD_COUNTS[1:])
    state = moment((3, 1), (5, 2), (2, 1), total=5, played=((0, 5),), unseen=unseen)
    state, cues = play(state, 5)
    assert winner(cues) == ("Bob", "Bob")
    assert state.step == "roll"


@pytest.mark.parametrize("zeros", [4, 1, 0, -1])
def test_bm8_own_cards_whoever_has_a_card_is_asked_however_many_zeros_were_told(zeros: int) -> None:
    unseen = (zeros, *CARD_COUNTS[1:])
    state = moment((1, 1), (1, 1), (1,), deck="own", unseen=unseen, total=5, played=((0, 5),))
    state, _ = play(state, 5)
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    assert prompt[:3] == ("zero", "Cy", ("play", "pass"))
    assert cursor_start_answer_index(prompt) == 1


@both_decks
def test_bm8_who_has_no_card_left_is_not_asked(deck: str) -> None:
    _, cues = play(moment((0,), (5, 0), (), deck=deck, total=5, played=((0, 5),)), 5)
    assert winner(cues) == ("Bob", "Bob")


def test_bm8_below_ten_a_zero_is_an_ordinary_card() -> None:
    state, cues = play(moment((1, 1), (0, 1), total=9, played=((0, 9),)), 0)
    assert cue_names(cues) == ["card_played"]
    assert (state.total, state.turn) == (9, 0)
    state, cues = play(state, 1, "pass")
    assert winner(cues) == ("Ann", "Ann")
    state, cues = play(moment((2, 1), (0, 1), total=9, played=((0, 9),)), 0, 2)
    assert winner(cues) == ("Bob", "Ann")


def test_bm8_ten_is_not_kept_by_a_card_of_another_value() -> None:
    state, _ = play(moment((1,), (5, 0), (0, 1), total=5, played=((0, 5),)), 5)
    with pytest.raises(Refused):
        play(state, 1)


# --- BM-9: what the winner does -------------------------------------------------------------------


@both_decks
def test_bm9_a_gang_gives_the_own_member_of_it(deck: str) -> None:
    state, cues = play(
        winning(TrackSpace(GANG, "molls"), deck=deck, unseen=(0, *CARD_COUNTS[1:])), 5
    )
    assert state.captured == ((), ("harris-molls",))
    captured = {"who": "Bob", "captured": 1, "reserve": 0, "suspect": "harris-molls"}
    assert find_cue(cues, "captured").facts == {**captured, "gang": "molls", "kind": GANG}
    assert find_cue(cues, "captured").clause == "BM-9"


@pytest.mark.parametrize(
    ("gang", "captured"), [("caps", ()), ("molls", ("harris-molls",))], ids=["absent", "captured"]
)
def test_bm9_a_gang_without_an_own_free_member_gives_nothing(
    gang: str, captured: tuple[str, ...]
) -> None:
    state, cues = play(winning(TrackSpace(GANG, gang), captured=((), captured)), 5)
    assert state.captured == ((), captured)
    assert find_cue(cues, "nothing").facts == {"who": "Bob", "kind": GANG, "gang": gang}
    assert state.step == "roll"


def test_bm9_of_two_own_members_of_a_gang_the_winner_chooses_one() -> None:
    twins = {"detective": "Harris", "suspects": ["caps", "caps", "hoods", "fifth"]}
    board = {**BOARD, "poster": [BOARD["poster"][0], twins]}
    table = fresh(("Ann", "Bob"), board).table
    state, _ = play(replace(winning(TrackSpace(GANG, "caps")), table=table), 5)
    assert asked(state) == ("commit_suspect", "Bob", ("harris-caps", "harris-caps-2"))
    assert play(state, "harris-caps-2")[0].captured == ((), ("harris-caps-2",))


def test_bm9_positive_identification_gives_a_reserve_chip_and_more_than_one_may_be_held() -> None:
    state, cues = play(winning(TrackSpace(IDENTIFICATION), reserve=(0, 1)), 5)
    assert state.reserve == (0, 2)
    assert state.captured == ((), ())
    assert find_cue(cues, "reserve").facts == {"who": "Bob", "captured": 0, "reserve": 2}


def test_bm9_an_arrest_warrant_is_committed_to_any_free_suspect_of_choice() -> None:
    state, _ = play(winning(TrackSpace(WARRANT), captured=((), ("harris-bears",))), 5)
    left = ("harris-molls", "harris-hoods", "harris-fifth")
    assert asked(state) == ("commit_suspect", "Bob", left)
    assert GAME.view(state, None)["to_act"] == "Bob"
    state, cues = play(state, "harris-fifth")
    assert state.captured == ((), ("harris-bears", "harris-fifth"))
    assert cue_names(cues) == ["captured", "next_roller"]


def test_bm9_an_arrest_warrant_with_one_suspect_left_is_not_asked() -> None:
    state, cues = play(winning(TrackSpace(WARRANT), captured=((), HARRIS[:3])), 5)
    assert state.captured[1] == HARRIS
    assert "game_won" in cue_names(cues)


def test_bm9_insufficient_evidence_frees_one_suspect_of_the_winners_choice() -> None:
    state, _ = play(
        winning(TrackSpace(INSUFFICIENT_EVIDENCE), captured=((), HARRIS[:3]), reserve=(0, 0)), 5
    )
    assert asked(state) == ("free_suspect", "Bob", HARRIS[:3])
    state, cues = play(state, HARRIS[1])
    assert state.captured == ((), (HARRIS[0], HARRIS[2]))
    assert find_cue(cues, "freed").facts["suspect"] == HARRIS[1]


def test_bm9_of_two_captured_suspects_the_winner_chooses_who_is_set_free() -> None:
    state, _ = play(winning(TrackSpace(INSUFFICIENT_EVIDENCE), captured=((), HARRIS[:2])), 5)
    assert asked(state) == ("free_suspect", "Bob", HARRIS[:2])
    assert play(state, HARRIS[1])[0].captured == ((), HARRIS[:1])


def test_bm9_insufficient_evidence_is_not_asked_with_one_captured_suspect() -> None:
    state, cues = play(
        winning(TrackSpace(INSUFFICIENT_EVIDENCE), captured=((), HARRIS[:1]), reserve=(0, 1)), 5
    )
    assert (state.captured, state.reserve) == (((), ()), (0, 1))
    assert cue_names(cues)[-2:] == ["freed", "next_roller"]


@pytest.mark.parametrize("reserve", [0, 2])
def test_bm9_insufficient_evidence_takes_no_reserve_chip(reserve: int) -> None:
    state, cues = play(winning(TrackSpace(INSUFFICIENT_EVIDENCE), reserve=(0, reserve)), 5)
    assert (state.captured, state.reserve) == (((), ()), (0, reserve))
    assert find_cue(cues, "nothing").facts["kind"] == INSUFFICIENT_EVIDENCE


def test_bm9_start_gives_nothing() -> None:
    state, cues = play(winning(TrackSpace(START), captured=((), HARRIS[:2])), 5)
    assert (state.captured, state.reserve) == (((), HARRIS[:2]), (0, 0))
    assert find_cue(cues, "nothing").facts["kind"] == START


def test_bm9_a_freed_suspect_can_be_captured_again() -> None:
    state, _ = play(winning(TrackSpace(INSUFFICIENT_EVIDENCE), captured=((), HARRIS[:1])), 5)
    state = replace(winning(TrackSpace(GANG, "molls")), captured=state.captured)
    assert play(state, 5)[0].captured == ((), HARRIS[:1])


# --- BM-10: unwanted gangs ------------------------------------------------------------------------


def test_bm10_past_an_unwanted_gang_the_same_player_rolls_again_from_there() -> None:
    state = moment((1, 2), (1, 2), step="roll", pawn=0, captured=((CAPS, BEARS), HARRIS[1:2]))
    state, cues = play(state, [5])
    assert find_cue(cues, "unwanted").facts == {"who": "Ann", "gang": "caps"}
    assert GAME.ask(state) == Roll("roll", "Ann")
    state, cues = play(state, [1])
    assert find_cue(cues, "unwanted").facts == {"who": "Ann", "gang": "bears"}
    assert GAME.ask(state) == Roll("roll", "Ann")
    state, cues = play(state, [1])
    assert cue_names(cues) == ["rolled", "moved"]
    assert asked(state)[:2] == ("play_card", "Bob")


@pytest.mark.parametrize("die", ["companion", "real"])
def test_bm10_unwanted_gangs_are_said_again_when_people_say_the_space(die: str) -> None:
    captured = ((CAPS, BEARS), HARRIS[1:2])
    state = moment((1, 2), (1, 2), die=die, taught="ask", step="space", captured=captured)
    for gang in ("gang:caps", "gang:bears", "gang:caps"):
        state, cues = play(state, gang)
        assert cue_names(cues) == ["unwanted"]
        if die == "companion":
            assert GAME.ask(state) == Roll("roll", "Ann")
            state, _ = play(state, [1])
        assert asked(state)[0] == "space"
    state, cues = play(state, "gang:hoods")
    assert cue_names(cues) == ["moved"]
    assert asked(state)[:2] == ("play_card", "Bob")


def test_bm10_a_gang_on_a_poster_that_nobody_plays_is_not_wanted() -> None:
    state = moment((1, 2), (1, 2), step="roll", pawn=0, captured=((CAPS,), ()))
    assert "unwanted" in cue_names(play(state, [5])[1])


def test_bm10_a_gang_that_any_player_still_wants_is_played_for() -> None:
    state = moment((1, 2), (1, 2), step="roll", pawn=0, captured=((BEARS,), ()))
    assert "moved" in cue_names(play(state, [6])[1])


def unnamed(*known: str, detective: str = "Fish") -> dict[str, Any]:
    """Return the board with only the `known` suspects on a detective's poster."""
    gangs = [*known, *["unknown"] * (4 - len(known))]
    posters = [
        {**poster, "suspects": gangs} if poster["detective"] == detective else poster
        for poster in BOARD["poster"]
    ]
    return {**BOARD, "poster": posters}


def question(state: State) -> Any:
    prompt = GAME.ask(state)
    assert prompt is not None
    return prompt


@both_decks
def test_bm14_no_suspect_is_asked_for_before_the_deal(deck: str) -> None:
    state = fresh(("Ann", "Bob"), unnamed(), deck=deck)
    assert not isinstance(question(state), Choose)


def test_bm14_a_landing_that_somebody_wants_asks_for_no_suspect() -> None:
    board = unnamed("hoods")
    state = moment((1, 2), (3, 4), board=board, step="roll", pawn=0)
    state, _ = play(state, [1])  # Molls, whom Bob wants
    assert question(state).name == "play_card"


def test_bm14_a_landing_asks_for_suspects_until_one_is_wanted() -> None:
    state = moment((1, 2), (3, 4), board=unnamed("hoods"), step="roll", pawn=4)
    state, cues = play(state, [1])  # Caps, whom Bob does not have
    assert (question(state).name, question(state).who) == ("suspect_gang", "Ann")
    assert question(state).facts == {"detective": "Fish", "nth": 2}
    assert (cue_names(cues), GAME.view(state, None)["to_act"]) == (["rolled"], "Ann")
    state, _ = play(state, "bears")
    state, cues = play(state, "caps")
    assert (cue_names(cues)[0], question(state).name) == ("moved", "play_card")


def test_bm14_a_gang_that_no_suspect_turns_out_to_be_of_is_rolled_past() -> None:
    state = moment((1, 2), (3, 4), board=unnamed("hoods", "fifth", "fifth"), step="roll", pawn=4)
    state, cues = play(play(state, [1])[0], "bears")
    assert (cue_names(cues), question(state).name) == (["unwanted"], "roll")


def test_bm14_a_won_gang_asks_for_the_winners_suspects_before_a_capture() -> None:
    board = unnamed("molls", "hoods", detective="Harris")
    state, cues = play(winning(TrackSpace(GANG, "caps"), board=board), 5)
    assert (cue_names(cues)[-1], question(state).name, question(state).who) == (
        "round_won", "suspect_gang", "Bob",
    )  # fmt: skip
    state, cues = play(state, "caps")
    assert (cue_names(cues), question(state).facts["nth"]) == ([], 4)
    state, cues = play(state, "bears")
    assert find_cue(cues, "captured").facts["suspect"] == "harris-caps"


def test_bm14_a_captured_suspect_that_nobody_has_named_is_asked_for_when_set_free() -> None:
    board, captured = unnamed(detective="Harris"), ((), ("harris-unknown-2",))
    state, _ = play(winning(TrackSpace(INSUFFICIENT_EVIDENCE), board=board, captured=captured), 5)
    assert question(state).facts["nth"] == 2
    state, cues = play(state, "caps")
    assert (find_cue(cues, "freed").facts["gang"], state.captured[1]) == ("caps", ())


def test_bm15_a_winner_who_leaves_while_asked_for_suspects_leaves_the_next_round() -> None:
    hands = ((), (5,) * 5, ())
    state = moment(*hands, space=TrackSpace(GANG, "caps"), total=5, played=((0, 5),),
                   board=unnamed(detective="Harris"))  # fmt: skip
    state, _ = play(state, 5)
    state, cues = apply_answer(GAME, state, "Bob", "leaves")
    assert (cue_names(cues), question(state).name) == (["left", "next_roller"], "roll")


def test_bm15_a_player_who_leaves_at_a_landing_takes_the_asked_poster_along() -> None:
    captured = ((), (), ("wojehowicz-caps",))
    state = moment((1, 2), (3, 4), (5, 6), step="roll", pawn=4, roller=1, turn=1,
                   board=unnamed("hoods"), captured=captured)  # fmt: skip
    state, _ = play(state, [1])
    state, cues = apply_answer(GAME, state, "Ann", "leaves")
    assert (cue_names(cues), question(state).name) == (["left", "unwanted"], "roll")


def test_bm10_only_gangs_are_rolled_past() -> None:
    state = moment((1, 2), (1, 2), step="roll", pawn=0, captured=(FISH[:3], HARRIS[:3]))
    for face in (2, 3, 4):
        assert "moved" in cue_names(play(state, [face])[1])


# --- BM-11: when cards run out --------------------------------------------------------------------


@both_decks
def test_bm11_after_the_last_card_the_second_hand_is_picked_up_at_once(deck: str) -> None:
    second: Hand = (4, 8) if deck == "virtual" else (None, None)
    state = moment((1, 1), (3,), deck=deck, seconds=((), second))
    state, cues = play(state, 3)
    assert state.hands[1] == second
    assert state.seconds[1] == ()
    assert find_cue(cues, "picked_up").facts == {"who": "Bob", "own": deck == "own"}
    told = [(c.to, c.facts["cards"]) for c in cues if c.name == "hand"]
    assert told == ([("Bob", [4, 8])] if deck == "virtual" else [])


def test_bm11_a_zero_that_was_the_last_card_picks_the_second_hand_up_too() -> None:
    state = moment((0,), (5, 1), total=5, played=((0, 5),), seconds=((7,), ()))
    state, cues = play(state, 5, "play")
    assert state.hands == ((7,), (1,))
    assert "picked_up" in cue_names(cues)


def test_bm11_the_end_of_a_round_is_told_before_the_second_hand_that_is_picked_up() -> None:
    state = moment((1, 1), (9,), total=5, played=((0, 5),), seconds=((), (4, 8)), turn=1)
    _, cues = play(state, 9)
    assert cue_names(cues).index("round_won") < cue_names(cues).index("picked_up")
    assert [c.name for c in cues if c.to is not None] == ["hand"]


@both_decks
def test_bm11_two_players_are_dealt_the_half_deck_as_it_lies_without_a_shuffle(deck: str) -> None:
    aside: Hand = tuple(DECK[::2]) if deck == "virtual" else (None,) * 28
    state = moment((), (3,), deck=deck, aside=aside, deals=1, roller=1, turn=1)
    state, cues = play(state, 3)
    assert (state.step, state.turn, state.total) == ("play_card", 0, 3)
    assert (*state.hands, *state.seconds) == tuple(aside[i::4] for i in range(4))
    assert [len(hand) for hand in (*state.hands, *state.seconds)] == [7] * 4
    assert (state.aside, state.deals) == ((), 2)
    own = deck == "own"
    assert find_cue(cues, "dealt").facts == {"how": "half", "cards": 7, "deal": 2, "own": own}
    assert find_cue(cues, "dealt").clause == "BM-11"


def test_bm11_own_cards_what_was_played_before_the_half_deck_stands_behind_what_can_come() -> None:
    unseen = (0, 0, 0, 8, 6, 4, 4, 2, 2, 2, 0)
    state = moment((), (3,), deck="own", aside=(None,) * 28, deals=1, unseen=unseen)
    state, _ = play(state, 3)
    assert asked(state)[2] == (3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 10)


@both_decks
@pytest.mark.parametrize(("n", "size"), [(2, 7), (3, 9), (4, 7)])
def test_bm11_when_all_cards_are_used_all_56_are_shuffled_and_one_hand_each_is_dealt(
    n: int, size: int, deck: str
) -> None:
    hands: tuple[Hand, ...] = ((), (3,), (), ())
    state = moment(*hands[:n], deck=deck, deals=2, unseen=(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0))
    state, cues = play(state, 3)
    if deck == "virtual":
        assert GAME.ask(state) == Shuffle("shuffle", 56)
        state, cues = play(state, ORDER)
    assert [len(hand) for hand in state.hands] == [size] * n
    assert state.seconds == ((),) * n
    assert len(state.aside) == 56 - n * size
    assert state.unseen == CARD_COUNTS
    own = deck == "own"
    assert find_cue(cues, "dealt").facts == {"how": "again", "cards": size, "deal": 3, "own": own}


@both_decks
def test_bm11_a_deal_in_the_middle_of_a_round_keeps_the_running_total(deck: str) -> None:
    state = moment(
        (), (3,), (), deck=deck, total=4, played=((0, 4),), space=TrackSpace(IDENTIFICATION)
    )
    state, _ = play(state, 3)
    if deck == "virtual":
        state, _ = play(state, ORDER)
    assert (state.total, state.played, state.round) == (7, ((0, 4), (1, 3)), 3)
    assert asked(state)[:2] == ("play_card", "Cy")
    state, cues = play(state, min(asked(state)[2], key=lambda value: abs(value - 3)))
    assert state.total == 10 or "round_won" in cue_names(cues) or state.total < 10
    assert cues[0].facts["who"] == "Cy"


def test_bm11_all_cards_are_shuffled_again_as_often_as_needed() -> None:
    state = moment((), (3,), deals=7)
    state, _ = play(state, 3, ORDER)
    assert state.deals == 8
    assert [len(hand) for hand in state.hands] == [7, 7]


def test_bm6_the_last_card_of_a_hand_is_played_without_a_question() -> None:
    state = moment((2, 5), (3, 4), (1,), total=0)
    state, cues = play(state, 3)
    assert [cue.facts["forced"] for cue in cues if cue.name == "card_played"] == [False, True]
    assert state.played == ((1, 3), (2, 1))
    assert asked(state)[:2] == ("play_card", "Ann")


def test_bm6_several_cards_of_one_value_are_asked_for_lest_they_be_told() -> None:
    state, _ = play(moment((2, 2), (3, 4)), 3)
    assert asked(state) == ("play_card", "Ann", (2,))


def test_bm11_own_cards_are_asked_for_even_if_only_one_value_can_be_left() -> None:
    state = moment((4,), (3, 4), deck="own", unseen=(0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0))
    state, cues = play(state, 3)
    assert cue_names(cues) == ["card_played"]
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    assert (prompt.who, prompt.options[cursor_start_answer_index(prompt)], len(prompt.options)) == (
        "Ann",
        4,
        11,
    )


@pytest.mark.parametrize(("total", "tens", "starts"), [(0, 2, 10), (7, 2, 3), (0, 0, 2), (9, 2, 1)])
def test_bm7_the_wheel_starts_on_the_card_that_makes_ten_if_it_can_be_there(
    total: int, tens: int, starts: int
) -> None:
    unseen = (*CARD_COUNTS[:10], tens)
    prompt = GAME.ask(moment((1,), (3, 4), deck="own", unseen=unseen, total=total))
    assert isinstance(prompt, Choose)
    assert prompt.options[cursor_start_answer_index(prompt)] == starts
    assert prompt.weights == (unseen if tens else (*CARD_COUNTS[:10], 0))


@both_decks
def test_bm11_a_player_without_cards_is_passed_over_while_others_hold_some(deck: str) -> None:
    state = moment((2, 2), (3, 1), (), (), deck=deck)
    state, _ = play(state, 3)
    assert asked(state)[:2] == ("play_card", "Ann")
    state = moment((2,), (3, 1), (), (1, 4), deck=deck, step="roll", roller=1, pawn=0)
    state, _ = play(state, [2])
    assert asked(state)[:2] == ("play_card", "Dee")


@both_decks
def test_bm11_a_ten_made_with_the_very_last_card_ends_the_round_before_the_deal(deck: str) -> None:
    state = moment((), (6,), deck=deck, total=4, played=((0, 4),), space=TrackSpace(IDENTIFICATION))
    state, cues = play(state, 6)
    assert winner(cues) == ("Bob", "Bob")
    assert "dealt" not in cue_names(cues)
    assert state.reserve == (0, 1)
    assert GAME.ask(state) == Roll("roll", "Bob")
    state, cues = play(state, [2])
    question = GAME.ask(state)
    assert question is not None
    assert question.name == ("shuffle" if deck == "virtual" else "play_card")


def test_bm11_a_round_won_over_ten_with_the_very_last_card_ends_before_the_deal() -> None:
    state, cues = play(moment((), (7,), total=4, played=((0, 4),)), 7)
    assert winner(cues) == ("Ann", "Bob")
    assert state.step == "roll"


def test_bm11_own_cards_all_values_are_offered_those_that_can_still_be_in_play_first() -> None:
    unseen = (1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1)
    state = moment((1, 1), (1, 1), deck="own", unseen=unseen)
    impossible = (1, 3, 4, 5, 6, 7, 8, 9)
    prompt = GAME.ask(state)
    assert prompt == Choose(
        "play_card",
        "Bob",
        (0, 2, 10, *impossible),
        (1, 2, 1, *[0] * 8),
        facts=NONE_LAID,
        start=10,
    )
    state, cues = play(state, 0)
    assert cue_names(cues) == ["card_played"]
    assert asked(state)[2] == (2, 10, 0, *impossible)


def test_bm11_own_cards_a_card_that_cannot_be_is_believed_and_told_once() -> None:
    state = moment((1, 1), (1, 1), deck="own", unseen=(0, *CARD_COUNTS[1:]))
    state, cues = play(state, 0)
    assert cue_names(cues) == ["card_played", "too_many"]
    told = find_cue(cues, "too_many")
    assert told.facts == {"who": "Bob", "value": 0, "n": 5, "count": 4}
    assert (told.clause, told.to) == ("BM-11", None)
    assert (state.total, state.turn, len(state.hands[1])) == (0, 0, 1)
    assert cue_names(play(state, 3)[1]) == ["card_played"]
    for _ in range(2):
        state, cues = play(replace(state, total=0), 0)
        assert cue_names(cues) == ["card_played"]


def test_bm11_own_cards_a_value_is_too_many_anew_once_all_have_been_shuffled() -> None:
    state = moment((), (1,), deck="own", unseen=(-1, *CARD_COUNTS[1:]), deals=3)
    state, cues = play(state, 0)
    assert cue_names(cues) == ["card_played", "dealt"]
    _, cues = play(replace(state, unseen=(0, *CARD_COUNTS[1:])), 0)
    assert find_cue(cues, "too_many").facts["n"] == 5


def test_bm11_own_cards_a_zero_played_at_ten_is_seen_too() -> None:
    state = moment((1, 1), (1, 1), deck="own", unseen=(1, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0))
    state, cues = play(state, 5, 5, "play", "play")
    assert winner(cues) == ("Ann", "Ann")
    assert find_cue(cues, "too_many").facts["who"] == "Ann"
    assert state.unseen[0] == -1


@both_decks
@pytest.mark.parametrize(
    ("n", "aside", "left"), [(2, 42, 28), (3, 29, 2), (4, 28, 0)], ids=["two", "three", "four"]
)
def test_bm11_a_table_that_deals_on_takes_what_lies_aside_as_long_as_it_lasts(
    n: int, aside: int, left: int, deck: str
) -> None:
    hands: tuple[Hand, ...] = ((), (3,), (), ())
    pile = DECK[:aside] if deck == "virtual" else (None,) * aside
    unseen = (0, 0, 0, 10, 10, 10, 10, 0, 0, 0, 0)
    state = moment(
        *hands[:n], deck=deck, redeal="aside", deals=2, total=4, aside=pile, unseen=unseen
    )
    state, cues = play(state, 3)
    size = (aside - left) // n
    own = deck == "own"
    assert find_cue(cues, "dealt").facts == {"how": "rest", "cards": size, "deal": 3, "own": own}
    assert [len(hand) for hand in state.hands] == [size] * n
    assert (len(state.aside), state.seconds) == (left, ((),) * n)
    assert state.unseen == (0, 0, 0, 9, 10, 10, 10, 0, 0, 0, 0)
    assert len([c for c in cues if c.name == "hand"]) == (n if deck == "virtual" else 0)
    assert state.total == 7


@pytest.mark.parametrize("n", [3, 4])
def test_bm11_what_lies_aside_is_shuffled_in_if_it_is_not_a_hand_for_everybody(n: int) -> None:
    hands: tuple[Hand, ...] = ((), (3,), (), ())
    state = moment(*hands[:n], redeal="aside", deals=1, aside=(5, 5)[: 4 - n])
    state, _ = play(state, 3)
    assert GAME.ask(state) == Shuffle("shuffle", 56)
    state, cues = play(state, ORDER)
    assert find_cue(cues, "dealt").facts["how"] == "again"


# --- BM-12: the end -------------------------------------------------------------------------------


def test_bm12_four_captured_suspects_win_at_once() -> None:
    state, cues = play(winning(TrackSpace(GANG, "molls"), captured=((), HARRIS[1:])), 5)
    assert GAME.ask(state) is None
    assert cue_names(cues)[-2:] == ["captured", "game_won"]
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == (("Bob",), {"Ann": 0, "Bob": 4})
    with pytest.raises(Refused, match="over"):
        play(state, 5)


@pytest.mark.parametrize(("captured", "reserve"), [(3, 0), (2, 1), (1, 2), (0, 3)])
def test_bm12_a_reserve_chip_completes_the_fourth_capture(captured: int, reserve: int) -> None:
    fields = {"captured": ((), HARRIS[:captured]), "reserve": (0, reserve)}
    state, cues = play(winning(TrackSpace(IDENTIFICATION), **fields), 5)
    assert find_cue(cues, "game_won").facts == {
        "who": "Bob", "captured": captured, "reserve": reserve + 1, "how": "chips",
    }  # fmt: skip
    assert state.champion == 1


def test_bm12_a_committed_chip_counts_together_with_reserve_chips() -> None:
    fields = {"captured": ((), HARRIS[1:2]), "reserve": (0, 2)}
    state, _ = play(winning(TrackSpace(GANG, "molls"), **fields), 5)
    assert state.champion == 1
    state, _ = play(winning(TrackSpace(WARRANT), **fields), 5)
    state, cues = play(state, "harris-fifth")
    assert "game_won" in cue_names(cues)


def test_bm12_three_chips_are_not_enough() -> None:
    state, cues = play(winning(TrackSpace(IDENTIFICATION), captured=((), HARRIS[:2])), 5)
    assert "game_won" not in cue_names(cues)
    assert GAME.outcome(state) is None


def test_bm12_the_chips_of_another_player_do_not_win_the_round_winners_game() -> None:
    fields = {"captured": (FISH[:3], ()), "reserve": (0, 0)}
    state, _ = play(winning(TrackSpace(IDENTIFICATION), **fields), 5)
    assert state.champion is None


# --- public and secret data -----------------------------------------------------------------------


def test_the_view_after_a_settled_round_is_the_next_rounds() -> None:
    state, _ = play(moment((3, 3), (9, 3), (4, 3)), 9, 4)
    seen = GAME.view(state, None)
    assert (seen["round"], seen["played"], seen["total"]) == (4, [], 0)
    assert (seen["roller"], seen["to_act"]) == ("Cy", "Cy")


def test_the_public_view_shows_counts_and_only_a_players_own_view_shows_cards() -> None:
    state = moment((9, 3, 9), (8,), (4, 4), seconds=((7, 7), (), (6,)), aside=(5, 5))
    seen = GAME.view(state, None)
    assert seen["hand"] == {"Ann": 3, "Bob": 1, "Cy": 2}
    assert seen["second"] == {"Ann": 2, "Bob": 0, "Cy": 1}
    assert seen["deck_aside"] == 2
    assert "cards" not in seen
    assert GAME.view(state, "Ann") == {**seen, "cards": [3, 9, 9]}
    assert GAME.view(state, "Cy") == {**seen, "cards": [4, 4]}


def test_the_view_holds_every_field_of_the_protocol_and_is_json() -> None:
    seen = GAME.view(fresh(NAMES[:2]), None)
    fields = {
        "round", "roller", "to_act", "total", "played", "pawn", "track", "space", "posters",
        "captured", "reserve", "hand", "second", "deck_aside",
    }  # fmt: skip
    assert fields <= seen.keys()
    assert seen["posters"]["Ann"][0] == {"id": CAPS, "gang": "caps"}
    assert seen["space"] == {"kind": START, "gang": None}
    assert json.loads(json.dumps(seen)) == seen


def test_every_cue_of_a_rule_cites_a_clause() -> None:
    moments = (
        play(winning(TrackSpace(space)), 5)[1]
        for space in (START, IDENTIFICATION, WARRANT, INSUFFICIENT_EVIDENCE)
    )
    for cues in (*moments, play(fresh(NAMES[:2]), ORDER)[1]):
        assert all(c.clause and c.clause.startswith("BM-") for c in cues)
