"""Tests of the rules, clause by clause (KO-1 to KO-20). Each test begins with a given state."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Final

import pytest

from companion.core.errors import Refused
from companion.core.fold import apply_answer
from companion.core.game import Cue, Cues, Outcome
from companion.core.prompts import (
    Choose,
    Roll,
    Shuffle,
    cursor_start_answer_index,
    is_answered_by_box,
)
from companion.games.kojak import GAME
from companion.games.kojak.rules.board import COLOURS, STAGES, Pile, Stage, unshuffled_deck
from companion.games.kojak.rules.state import State
from companion.games.kojak.rules.views import phase
from companion.press.wheel import count_presses_to_answer
from tests.games import steps
from tests.games.kojak.own import said
from tests.games.steps import find_cue

play: Final = partial(steps.play_answers, GAME)
asked: Final = partial(steps.pending_question, GAME)

NAMES = ("Ann", "Bob", "Cy", "Dee")
RED, YELLOW, BLUE, GREEN = COLOURS
CIRCLE = ["dot", "plain", "plain", "red"]
STEPS = {RED: [1, 1, 2, 3], YELLOW: [1, 1, 2, 2, 3], BLUE: [1, 1, 2, 3], GREEN: [1, 1, 2, 3]}
PLACES = {RED: "bank", YELLOW: "city_hall", BLUE: "club", GREEN: "hotel"}
PRINTED: dict[str, Any] = {
    "kojak": 3,
    "file": [
        {"colour": c, "place": PLACES[c], "circle": CIRCLE, "missions": 4, "traps": STEPS[c]}
        for c in COLOURS
    ],
}
CITY_HALL = {"colour": YELLOW, "place": PLACES[YELLOW]}
HOTEL = {"colour": GREEN, "place": PLACES[GREEN]}
FIRST, SECOND, WARRANT, HUNT = STAGES
both_decks = pytest.mark.parametrize("deck", ["own", "virtual"])


def fresh(n: int = 2, printed: dict[str, Any] = PRINTED, **options: str) -> State:
    chosen = {"deck": "virtual", "die": "none", "short": "no", "beside": "fetched", **options}
    return GAME.setup(NAMES[:n], chosen, printed)


def pile(all_cards: Iterable[str | None], *top: str, held: Iterable[str | None] = ()) -> Any:
    """Return a pile of all cards that no player holds, with the cards `top` first."""
    rest = list(all_cards)
    for card in (*top, *filter(None, held)):
        rest.remove(card)
    return (*top, *rest)


def moment(
    *detectives: tuple[str | None, Stage],
    missions: tuple[str, ...] = (),
    traps: tuple[str, ...] = (),
    red: tuple[str, ...] = (),
    closed: dict[str, int] | None = None,
    printed: dict[str, Any] = PRINTED,
    options: dict[str, str] | None = None,
    **fields: Any,
) -> State:
    """Return a state after Ann's car has moved. Each detective has a mission or None, and a stage.

    `missions` and `traps` are on top. `red` are the criminals on red fields. The other criminals
    are on their dots.
    """
    state = fresh(len(detectives), printed, **(options or {}))
    held = tuple(colour for colour, _ in detectives)
    by, table = closed or {}, state.table
    if not table.own:
        cards = unshuffled_deck(table.missions), unshuffled_deck(table.traps)
        fields = {
            "missions": pile(cards[0], *missions, held=held),
            "traps": pile(cards[1], *traps),
            **fields,
        }
    else:
        fields = {"missions": (None,) * (16 - sum(map(bool, held))), **fields}
    return replace(
        state,
        step=fields.pop("step", "happened"),
        held=held,
        stages=tuple(stage for _, stage in detectives),
        closed=tuple(by.get(colour) for colour in COLOURS),
        circle=tuple(None if colour in by else 3 if colour in red else 0 for colour in COLOURS),
        **fields,
    )


def heard(cues: Cues) -> list[str]:
    """Return the names of the cues, without the silent `drawn`."""
    return [cue.name for cue in cues if cue.name != "drawn"]


def seen(state: State) -> dict[str, Any]:
    return GAME.view(state, None)


def turned(cues: Cues) -> list[tuple[str, str]]:
    """Return the colour and the reason (`why`) of each turned mission card."""
    return [(c.facts["colour"], c.facts["why"]) for c in cues if c.name == "mission"]


def ended(state: State) -> Outcome:
    assert GAME.ask(state) is None
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome


# --- KO-1, KO-2, KO-4: the pieces and the board ---------------------------------------------------


def test_ko1_ko2_there_are_four_files_each_with_its_place() -> None:
    view = seen(fresh())
    assert view["files"] == dict.fromkeys(COLOURS, "open")
    assert view["places"] == PLACES


def test_ko4_every_criminal_begins_on_the_dot_of_a_circle_with_a_red_part() -> None:
    view = seen(fresh())
    assert view["circle"] == dict.fromkeys(COLOURS, 0)
    assert view["fields"] == dict.fromkeys(COLOURS, 4)
    assert view["red"] == {colour: [3] for colour in COLOURS}


def test_ko4_a_circle_may_be_larger_and_the_files_in_another_order() -> None:
    big = {**PRINTED["file"][0], "circle": ["dot", "red", "plain", "red", "plain"]}
    view = seen(fresh(printed={**PRINTED, "file": [*PRINTED["file"][:0:-1], big]}))
    assert view["fields"] == {**dict.fromkeys(COLOURS, 4), RED: 5}
    assert view["red"] == {colour: [1, 3] if colour == RED else [3] for colour in COLOURS}
    assert list(view["places"].values()) == list(PLACES.values())


def test_the_cards_are_counted_by_the_names_by_which_people_say_them() -> None:
    counts = GAME.decks(PRINTED)
    assert sum(counts.values()) == 16 + 20
    assert counts["kojak"] == 3
    assert counts["advance:yellow:2"] == 2
    assert [counts[colour] for colour in COLOURS] == [4] * 4


# --- KO-3: shuffling, and who begins --------------------------------------------------------------


def test_ko3_both_decks_are_shuffled_apart() -> None:
    state = fresh(die="companion")
    assert GAME.ask(state) == Shuffle("shuffle_missions", 16)
    state, _ = play(state, list(range(16))[::-1])
    assert GAME.ask(state) == Shuffle("shuffle_traps", 20)
    state, cues = play(state, list(range(20))[::-1])
    assert cues == ()
    assert state.missions[0] == GREEN
    assert (state.traps[0], state.traps[-1]) == ("advance:green:3", "kojak")
    assert Counter(state.traps) == Counter(unshuffled_deck(state.table.traps))


def test_ko3_own_cards_are_known_to_nobody() -> None:
    state = fresh(deck="own")
    assert (state.missions, state.traps) == ((None,) * 16, (None,) * 20)
    assert asked(state) == ("first", None, ("Ann", "Bob"))


@pytest.mark.parametrize("die", ["companion", "real"])
def test_ko3_the_highest_begins_and_only_those_who_tie_roll_again(die: str) -> None:
    state = fresh(3, deck="own", die=die)
    rolls = [[n] if die == "companion" else n for n in (5, 2, 5, 1, 6)]
    assert is_answered_by_box(GAME.ask(state)) == (die == "companion")
    state, cues = play(state, *rolls)
    assert [c.name for c in cues] == ["first_roll", "first_roll", "begins", "no_traps"]
    assert cues[0].facts == {"rolls": {"Ann": 5, "Bob": 2, "Cy": 5}, "tied": True}
    assert cues[1].facts == {"rolls": {"Ann": 1, "Cy": 6}, "tied": False}
    assert find_cue(cues, "begins").facts == {"who": "Cy", "car": BLUE}
    assert GAME.ask(state) == Roll("roll", "Cy", real=die == "real")


def test_ko3_without_a_die_the_table_says_who_begins_and_then_it_goes_clockwise() -> None:
    state, cues = play(fresh(3, deck="own"), "Bob")
    assert heard(cues) == ["begins", "no_traps"]
    for who in ("Bob", "Cy", "Ann", "Bob"):
        assert asked(state)[1] == seen(state)["to_act"] == who
        state, cues = play(state, "nothing")
        assert cues == ()


def test_nobody_is_to_act_before_it_is_known_who_begins() -> None:
    assert seen(fresh())["to_act"] is None
    assert seen(fresh(deck="own"))["to_act"] is None
    assert seen(play(fresh(deck="own", die="real"), 3)[0])["to_act"] == "Bob"


# --- KO-5, KO-6: driving --------------------------------------------------------------------------


@pytest.mark.parametrize("die", ["companion", "real"])
def test_ko5_a_six_brings_up_the_reverse_rule_and_no_other_roll_does(die: str) -> None:
    state = moment((None, FIRST), (None, FIRST), options={"die": die}, step="roll")
    for n in range(1, 7):
        after, cues = play(state, [n] if die == "companion" else n)
        assert find_cue(cues, "rolled").facts == {"who": "Ann", "dice": [n]}
        six = [c.facts for c in cues if c.name == "six_rolled"]
        assert six == [{"who": "Ann", "car": RED}] * (n == 6)
        assert {c.clause for c in cues} == {"KO-5"}
        assert seen(after)["roll"] == n
        assert asked(after)[:2] == ("happened", "Ann")


def test_ko5_with_an_untold_die_a_six_is_offered_once_where_the_count_must_be_exact() -> None:
    state = moment((None, FIRST), (RED, SECOND), options={"die": "none"})
    reachable = ("nothing", "mission", "blocked")
    assert asked(state) == ("happened", "Ann", ("nothing", "mission", "six", "blocked"))
    after, cues = play(state, "six")
    assert cues == (Cue("six_rolled", {"who": "Ann", "car": RED}, "KO-5"),)
    assert (seen(after)["roll"], asked(after)) == (6, ("happened", "Ann", reachable))
    after, _ = play(after, "nothing")
    assert asked(after) == ("happened", "Bob", ("nothing", "trap", "parked", "blocked"))
    after, _ = play(after, "nothing")
    assert (seen(after)["roll"], asked(after)) == (None, ("happened", "Ann", reachable))
    for die in ("companion", "press", "real"):
        told = moment((None, FIRST), (None, FIRST), options={"die": die})
        assert asked(told) == ("happened", "Ann", reachable), die


@pytest.mark.parametrize("stage", [FIRST, SECOND, WARRANT, HUNT])
def test_ko6_a_car_that_must_wait_has_reached_nothing_at_any_stage(stage: Stage) -> None:
    state = moment((None if stage == FIRST else RED, stage), (None, FIRST))
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    assert prompt.options[cursor_start_answer_index(prompt)] == "nothing"
    after, cues = play(state, "nothing")
    assert cues == ()
    assert replace(after, turn=0) == state


@pytest.mark.parametrize("stage", [FIRST, SECOND, WARRANT, HUNT])
def test_ko6_who_says_that_a_car_could_not_pass_hears_the_rule_and_has_reached_nothing(
    stage: Stage,
) -> None:
    state = moment((None, FIRST), (None if stage == FIRST else RED, stage), turn=1)
    after, cues = play(state, "blocked")
    assert cues == (Cue("blocked", {"who": "Bob", "car": YELLOW}, "KO-6"),)
    assert after == play(state, "nothing")[0]


# --- KO-3: the players' cars ----------------------------------------------------------------------


def test_ko3_everybody_has_two_cars_of_one_colour_that_is_told_and_seen() -> None:
    state, cues = play(fresh(3, deck="own"), "Bob")
    cars = {"Ann": RED, "Bob": YELLOW, "Cy": BLUE}
    assert GAME.opening(fresh(3, deck="own")) == (Cue("cars", {"cars": cars}, "KO-3"),)
    assert find_cue(cues, "begins").facts["car"] == YELLOW
    assert seen(state)["cars"] == cars


def test_ko3_each_picks_cars_that_nobody_has_before_anything_else_and_the_last_is_not_asked() -> (
    None
):
    state = fresh(4, deck="virtual", cars="choose")
    assert GAME.opening(state) == ()
    for who, free, colour in (
        ("Ann", (RED, YELLOW, BLUE, GREEN), BLUE),
        ("Bob", (YELLOW, RED, GREEN), RED),
        ("Cy", (YELLOW, GREEN), GREEN),
    ):
        assert asked(state) == ("car", who, free)
        state, cues = play(state, colour)
        assert cues[0] == Cue("drives", {"who": who, "car": colour}, "KO-3")
    cars = {"Ann": BLUE, "Bob": RED, "Cy": GREEN, "Dee": YELLOW}
    assert cues[1:] == (Cue("cars", {"cars": cars}, "KO-3"),)
    assert GAME.ask(state) == Shuffle("shuffle_missions", 16)
    assert fresh(4, deck="virtual").step == "shuffle_missions"


def test_ko3_the_colours_of_the_cars_are_those_of_the_edition() -> None:
    printed = {**PRINTED, "cars": [GREEN, BLUE, RED, YELLOW]}
    assert seen(fresh(2, printed))["cars"] == {"Ann": GREEN, "Bob": BLUE}


@pytest.mark.parametrize(
    ("stage", "reached", "told"),
    [(SECOND, "parked", "parked"), (WARRANT, "station", "posted"), (HUNT, "entrance", "arrest")],
)
def test_ko3_what_a_car_does_names_its_colour(stage: Stage, reached: str, told: str) -> None:
    state = moment((None, FIRST), (GREEN, stage), red=(GREEN,), turn=1)
    _, cues = play(state, reached)
    assert find_cue(cues, told).facts["car"] == YELLOW


# --- KO-7, KO-8, KO-9: missions -------------------------------------------------------------------


def test_ko7_the_mission_space_gives_the_top_mission_card() -> None:
    state, cues = play(moment((None, FIRST), (None, FIRST), missions=(BLUE,)), "mission")
    told = find_cue(cues, "mission")
    assert told.clause == "KO-7"
    assert told.facts == {
        "who": "Ann", "colour": BLUE, "place": "club", "kept": True, "why": "free", "others": [],
        "own": False,
    }  # fmt: skip
    assert find_cue(cues, "drawn").facts == {"who": "Ann", "pile": "mission", "card": BLUE}
    assert seen(state)["mission"] == {"Ann": BLUE, "Bob": None}
    assert seen(state)["stage"] == {"Ann": SECOND, "Bob": FIRST}
    assert asked(state) == ("happened", "Bob", ("nothing", "mission", "six", "blocked"))


@pytest.mark.parametrize("stage", [SECOND, WARRANT])
def test_ko8_a_file_that_another_has_without_a_warrant_goes_under_the_pile(stage: Stage) -> None:
    state = moment((None, FIRST), (RED, stage), missions=(RED, RED, GREEN))
    after, cues = play(state, "mission")
    assert turned(cues) == [(RED, "taken"), (RED, "taken"), (GREEN, "free")]
    assert [c.facts["others"] for c in cues if c.name == "mission"] == [["Bob"], ["Bob"], []]
    assert after.missions == (*state.missions[3:], RED, RED)
    assert [c.clause for c in cues if c.name == "mission"] == ["KO-8", "KO-8", "KO-7"]


def test_ko8_a_closed_file_goes_under_the_pile_and_another_is_drawn() -> None:
    state = moment((None, FIRST), (None, FIRST), missions=(RED, BLUE), closed={RED: 1})
    after, cues = play(state, "mission")
    assert turned(cues) == [(RED, "closed"), (BLUE, "free")]
    assert cues[1].facts["others"] == ["Bob"]
    assert after.missions == (*state.missions[2:], RED)
    assert after.held == (BLUE, None)


def test_ko8_a_file_with_a_warrant_posted_is_joined() -> None:
    state = moment((None, FIRST), (RED, SECOND), (RED, HUNT), missions=(RED,))
    after, cues = play(state, "mission")
    assert turned(cues) == [(RED, "joined")]
    assert find_cue(cues, "joined").facts == {"who": "Ann", "colour": RED, "with": ["Bob", "Cy"]}
    assert after.held == (RED, RED, RED)
    assert after.missions == state.missions[1:]
    assert after.stages[0] == SECOND


def test_ko8_if_no_card_could_be_kept_the_open_file_drawn_first_is_joined() -> None:
    state = moment(
        (None, FIRST), (RED, SECOND), (GREEN, WARRANT),
        missions=(BLUE, YELLOW, GREEN, RED), closed={BLUE: 1, YELLOW: 2},
    )  # fmt: skip
    after, cues = play(state, "mission")
    assert turned(cues) == [(BLUE, "closed"), (YELLOW, "closed"), (GREEN, "deadlock")]
    assert find_cue(cues, "joined").facts == {"who": "Ann", "colour": GREEN, "with": ["Cy"]}
    assert after.missions == (*state.missions[3:], BLUE, YELLOW)
    assert after.held == (GREEN, RED, GREEN)


def test_ko8_one_file_that_could_be_kept_is_found_however_deep_it_lies() -> None:
    state = moment((None, FIRST), (RED, SECOND), (GREEN, HUNT), closed={BLUE: 1, YELLOW: 2})
    deep = (RED, RED, RED, *(BLUE, YELLOW) * 4, GREEN, GREEN, GREEN)
    after, cues = play(replace(state, missions=deep), "mission")
    assert len(turned(cues)) == 12
    assert turned(cues)[-1] == (GREEN, "joined")
    assert after.missions == (GREEN, GREEN, *deep[:11])


def literally(cards: Pile, open_files: tuple[str, ...]) -> tuple[str | None, Pile]:
    """Apply the clause literally: turn over every card, then turn the pile to the right card."""
    pack = [*cards]
    for _ in cards:
        pack.append(pack.pop(0))
    joined = next(card for card in cards if card in open_files)
    while pack[0] != joined:
        pack.append(pack.pop(0))
    return joined, tuple(pack[1:])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(20))
def test_ko8_joining_the_first_open_file_at_once_is_turning_the_whole_pile_first(seed: int) -> None:
    state = moment((None, FIRST), (RED, SECOND), (YELLOW, WARRANT), closed={BLUE: 1, GREEN: 2})
    cards = tuple(random.Random(seed).sample(state.missions, 14))
    after, _ = play(replace(state, missions=cards), "mission")
    assert (after.held[0], after.missions) == literally(cards, (RED, YELLOW))


def test_ko8_with_too_few_cards_of_a_file_there_may_be_no_mission_to_draw() -> None:
    few = [{**file, "missions": n} for file, n in zip(PRINTED["file"], (1, 5, 5, 5), strict=True)]
    others = {YELLOW: 0, BLUE: 0, GREEN: 1}
    state = moment((None, FIRST), (RED, HUNT), printed={**PRINTED, "file": few}, closed=others)
    after, cues = play(state, "mission")
    assert heard(cues) == ["no_mission"]
    assert replace(after, turn=0) == state


def test_ko9_a_mission_card_is_kept_until_the_arrest() -> None:
    state = moment((None, FIRST), (None, FIRST), missions=(RED,), traps=("kojak",))
    state, _ = play(state, "mission", "nothing")
    assert seen(state)["mission_pile"] == 15
    state, _ = play(state, "parked", "nothing", "station", "nothing", "trap", "nothing")
    assert seen(state)["mission_pile"] == 15
    state, _ = play(state, "entrance")
    assert seen(state)["mission_pile"] == 16
    assert state.missions[-1] == RED


def test_ko8_own_cards_are_kept_or_drawn_again_as_the_box_says_and_why() -> None:
    state = moment(
        (None, FIRST), (RED, SECOND), (GREEN, HUNT), options={"deck": "own"}, closed={BLUE: 1}
    )
    state, cues = play(state, "mission")
    assert (cues, asked(state)) == ((), ("card", "Ann", COLOURS))
    for card, why in ((RED, "taken"), (BLUE, "closed")):
        state, cues = play(state, card)
        assert turned(cues) == [(card, why)]
        assert not find_cue(cues, "mission").facts["kept"]
        assert asked(state)[:2] == ("card", "Ann")
    state, cues = play(state, GREEN)
    assert heard(cues) == ["mission", "joined"]
    assert asked(state)[:2] == ("happened", "Bob")
    assert "drawn" not in [c.name for c in cues]
    assert state.missions == (*(None,) * 11, RED, BLUE)


def test_ko8_own_cards_settle_the_deadlock_with_the_first_open_file() -> None:
    state = moment((None, FIRST), (RED, SECOND), options={"deck": "own"}, closed={
        YELLOW: 0, BLUE: 1, GREEN: 1,
    })  # fmt: skip
    state, cues = play(state, "mission", YELLOW, RED)
    assert turned(cues) == [(YELLOW, "closed"), (RED, "deadlock")]
    assert state.held == (RED, RED)


# --- KO-10, KO-11, KO-12: to the place, to the station --------------------------------------------


def test_ko10_the_first_car_drives_to_the_place_and_parks() -> None:
    state = moment((YELLOW, SECOND), (None, FIRST))
    assert asked(state) == ("happened", "Ann", ("nothing", "trap", "parked", "blocked"))
    state, cues = play(state, "parked")
    (parked,) = cues
    assert parked == Cue("parked", {"who": "Ann", "car": RED, **CITY_HALL}, "KO-10")
    assert state.stages == (WARRANT, FIRST)
    assert not seen(state)["warrant"]["Ann"]


def test_ko11_the_second_car_fetches_the_warrant_which_makes_a_hunter() -> None:
    state = moment((YELLOW, WARRANT), (None, FIRST))
    assert asked(state) == ("happened", "Ann", ("nothing", "trap", "station", "blocked"))
    state, cues = play(state, "station")
    (posted,) = cues
    assert (posted.name, posted.clause) == ("posted", "KO-11")
    assert posted.facts == {
        "who": "Ann", "car": RED, **CITY_HALL, "with": [], "on_red": False,
    }  # fmt: skip
    assert seen(state)["warrant"] == {"Ann": True, "Bob": False}
    state, _ = play(state, "nothing")
    assert asked(state) == ("happened", "Ann", ("nothing", "trap", "blocked", "entrance"))


@pytest.mark.parametrize(
    ("red", "last"), [((), "entrance"), ((BLUE,), "entrance"), ((GREEN,), "blocked")]
)
def test_ko15_the_entrance_lies_last_unless_the_own_criminal_stands_on_red(
    red: tuple[Any, ...], last: str
) -> None:
    state = moment((GREEN, HUNT), (BLUE, HUNT), red=red)
    prompt = GAME.ask(state)
    assert isinstance(prompt, Choose)
    assert prompt.options[-1] == last
    assert prompt.options[cursor_start_answer_index(prompt)] == "nothing"


def test_ko12_a_second_warrant_is_posted_beside_the_first() -> None:
    state, cues = play(moment((RED, WARRANT), (RED, HUNT), (RED, SECOND)), "station")
    posted = find_cue(cues, "posted")
    assert (posted.clause, posted.facts["with"]) == ("KO-12", ["Bob"])
    assert state.stages == (HUNT, HUNT, SECOND)


@pytest.mark.parametrize(("beside", "stage"), [("fetched", WARRANT), ("at_once", HUNT)])
def test_ko12_on_arriving_at_a_posted_warrant_the_own_one_is_fetched_or_goes_up_at_once(
    beside: str, stage: Stage
) -> None:
    state = moment((RED, SECOND), (RED, HUNT), red=(RED,), options={"beside": beside})
    state, cues = play(state, "parked")
    assert state.stages == (stage, HUNT)
    assert seen(state)["may_arrest"] == (["Ann", "Bob"] if stage == HUNT else ["Bob"])
    (told,) = cues
    assert told.name == ("posted" if stage == HUNT else "parked")
    if stage == HUNT:
        assert (told.clause, told.facts["with"], told.facts["on_red"]) == ("KO-12", ["Bob"], True)


@pytest.mark.parametrize("other", [SECOND, WARRANT])
def test_ko12_where_no_warrant_is_posted_every_table_fetches_the_own_one(other: Stage) -> None:
    state = moment((RED, SECOND), (RED, other), options={"beside": "at_once"})
    state, cues = play(state, "parked")
    assert (cues[0].name, state.stages[0]) == ("parked", WARRANT)


def test_ko12_fetching_is_what_was_played_before_there_was_a_choice() -> None:
    option = next(option for option in GAME.options if option.name == "beside")
    assert option.values[0] == "fetched"


# --- KO-13, KO-14: trap cards ---------------------------------------------------------------------


def test_ko13_without_a_mission_trap_spaces_are_not_even_asked_about() -> None:
    state = moment((None, FIRST), (None, FIRST))
    assert "trap" not in asked(state)[2]
    with pytest.raises(Refused, match="not_offered"):
        apply_answer(GAME, state, "trap")


def test_ko13_the_box_says_at_the_start_and_once_only_that_traps_do_nothing() -> None:
    _, cues = play(fresh(3, deck="own"), "Bob")
    assert find_cue(cues, "no_traps") == Cue("no_traps", {"players": ["Ann", "Bob", "Cy"]}, "KO-13")
    _, cues = play(moment((RED, HUNT), (BLUE, HUNT), (RED, SECOND), red=(RED,)), "entrance")
    assert heard(cues) == ["arrest", "accused", "file_lost"]


@pytest.mark.parametrize("stage", [SECOND, WARRANT, HUNT])
def test_ko13_a_trap_card_is_obeyed_whichever_criminal_it_names_and_goes_under(
    stage: Stage,
) -> None:
    state = moment((RED, stage), (None, FIRST), traps=("advance:yellow:2", "kojak"))
    after, cues = play(state, "trap")
    card = {"kind": "advance", "colour": YELLOW, "steps": 2}
    assert heard(cues) == ["trap", "advanced"]
    walk = {"colour": YELLOW, "from": 0, "to": 2, "fields": 4, "red": [3]}
    facts = {"who": "Ann", "mission": RED, "card": card, "walks": [walk]}
    assert find_cue(cues, "trap") == Cue("trap", facts, "KO-13")
    assert find_cue(cues, "drawn").facts == {"who": "Ann", "pile": "trap", "card": card}
    assert find_cue(cues, "advanced").facts == {
        "colour": YELLOW, "place": "city_hall", "from": 0, "to": 2, "steps": 2, "how": "advance",
        "fields": 4, "red": [3],
    }  # fmt: skip
    assert seen(after)["circle"] == {RED: 0, YELLOW: 2, BLUE: 0, GREEN: 0}
    assert after.traps == (*state.traps[1:], state.traps[0])


@pytest.mark.parametrize(("stage", "reached"), [(FIRST, "mission"), (HUNT, "trap")])
def test_ko13_a_card_that_the_box_drew_can_not_be_unseen(stage: Stage, reached: str) -> None:
    state = moment((None if stage == FIRST else RED, stage), (None, FIRST))
    _, cues = play(state, reached)
    assert find_cue(cues, "drawn").reveals


def test_ko13_a_criminal_goes_round_his_circle() -> None:
    state = moment((RED, HUNT), (None, FIRST), traps=("advance:red:3",))
    after, cues = play(replace(state, circle=(2, 0, 0, 0)), "trap")
    assert (find_cue(cues, "advanced").facts["from"], find_cue(cues, "advanced").facts["to"]) == (
        2,
        1,
    )
    assert heard(cues) == ["trap", "advanced"]
    assert after.circle == (1, 0, 0, 0)


def test_ko14_a_kojak_card_puts_the_drawers_own_criminal_straight_onto_red() -> None:
    state = moment((RED, HUNT), (BLUE, HUNT), traps=("kojak",))
    after, cues = play(replace(state, circle=(1, 1, 1, 1)), "trap")
    assert heard(cues) == ["trap", "advanced", "on_red"]
    assert find_cue(cues, "trap").facts["card"] == {"kind": "kojak"}
    assert {find_cue(cues, name).clause for name in ("trap", "advanced")} == {"KO-14"}
    assert find_cue(cues, "advanced").facts["how"] == "kojak"
    assert after.circle == (3, 1, 1, 1)
    assert after.traps[-1] == "kojak"


def test_ko14_of_several_red_fields_it_is_the_next_one() -> None:
    red = {**PRINTED["file"][0], "circle": ["dot", "red", "plain", "red", "red", "plain"]}
    printed = {**PRINTED, "file": [red, *PRINTED["file"][1:]]}
    for start, to in enumerate((1, 1, 3, 3, 4, 1)):
        state = moment((RED, HUNT), (None, FIRST), traps=("kojak",), printed=printed)
        after, cues = play(replace(state, circle=(start, 0, 0, 0)), "trap")
        assert after.circle[0] == to
        assert find_cue(cues, "on_red").facts["already"] == (start == to)


def test_ko13_own_trap_cards_are_told_to_the_box() -> None:
    state = moment((RED, SECOND), (None, FIRST), options={"deck": "own"})
    state, cues = play(state, "trap")
    assert (cues, *asked(state)) == (
        (), "criminal", "Ann", ("kojak", "red", "yellow", "blue", "green", "all", "lose_turn")
    )  # fmt: skip
    state, cues = play(state, "red")
    name, who, orders = asked(state)
    assert (cues, name, who) == ((), "order", "Ann")
    assert orders[:3] == ("advance:red:1", "advance:red:2", "advance:red:3")
    state, cues = play(state, "advance:red:3")
    assert heard(cues) == ["trap", "advanced", "on_red"]
    assert "drawn" not in [c.name for c in cues]
    assert state.traps == (*(None,) * 19, "advance:red:3")
    assert asked(state)[:2] == ("happened", "Bob")


def test_ko13_the_order_never_changes_so_own_cards_come_back_under_the_cursor() -> None:
    order = tuple(filter(None, unshuffled_deck(fresh().table.traps)))
    state = moment((RED, SECOND), (RED, SECOND), options={"deck": "own"})
    state, _ = play(state, *(value for card in order for value in ("trap", *said(card))))
    assert state.traps == order
    for card in order:
        state, _ = play(state, "trap")
        for value in said(card):
            prompt = GAME.ask(state)
            assert isinstance(prompt, Choose)
            assert prompt.options[cursor_start_answer_index(prompt)] == value
            state, _ = play(state, value)


def test_ko13_an_own_trap_card_of_the_edition_is_said_in_two_short_wheels() -> None:
    """One wheel needs up to three turns to a detective, the other up to two turns to an order."""
    state = moment((RED, SECOND), (None, FIRST), options={"deck": "own"})
    for card in {*filter(None, unshuffled_deck(state.table.traps))}:
        asked_of, _ = play(state, "trap")
        for value, turns in zip(said(card), (3, 2), strict=False):
            prompt = GAME.ask(asked_of)
            assert isinstance(prompt, Choose)
            assert count_presses_to_answer(prompt, value) <= turns + 1
            asked_of, _ = play(asked_of, value)
        assert asked(asked_of)[0] == "happened"


def test_ko13_an_own_card_that_nobody_expected_is_believed_and_the_order_forgotten() -> None:
    order = tuple(filter(None, unshuffled_deck(fresh().table.traps)))
    state = moment((RED, SECOND), (None, FIRST), options={"deck": "own"})
    known = replace(state, traps=order)
    after, cues = play(known, "trap", *said("advance:green:3"))
    assert find_cue(cues, "trap").facts["card"]["colour"] == GREEN
    assert after.traps == (*(None,) * 19, "advance:green:3")


# --- KO-15: red, and arrests ----------------------------------------------------------------------


def test_ko15_stepping_on_red_names_who_may_arrest() -> None:
    state = moment((BLUE, SECOND), (RED, HUNT), (RED, WARRANT), (RED, HUNT),
                   traps=("advance:red:3",))  # fmt: skip
    after, cues = play(state, "trap")
    assert find_cue(cues, "on_red") == Cue(
        "on_red",
        {"colour": RED, "place": "bank", "may_arrest": ["Bob", "Dee"], "already": False},
        "KO-15",
    )
    assert seen(after)["may_arrest"] == ["Bob", "Dee"]


def test_ko15_stepping_off_red_is_told_too_with_those_who_missed_it() -> None:
    state = moment((BLUE, SECOND), (RED, HUNT), traps=("advance:red:1",), red=(RED,))
    assert seen(state)["may_arrest"] == ["Bob"]
    after, cues = play(state, "trap")
    assert heard(cues) == ["trap", "advanced", "off_red"]
    assert find_cue(cues, "off_red").facts == {"colour": RED, "place": "bank", "hunters": ["Bob"]}
    assert seen(after)["may_arrest"] == []


def test_ko15_a_criminal_on_red_is_arrested_at_the_entrance() -> None:
    state, cues = play(moment((GREEN, HUNT), (None, FIRST), red=(GREEN,)), "entrance")
    assert find_cue(cues, "arrest") == Cue(
        "arrest",
        {"who": "Ann", "car": RED, **HOTEL, "lost": [], "arrests": 1},
        "KO-15",
    )
    assert seen(state)["arrests"] == {"Ann": 1, "Bob": 0}


def test_ko15_a_criminal_who_is_not_on_red_is_not() -> None:
    state = moment((GREEN, HUNT), (None, FIRST), red=(RED, YELLOW, BLUE))
    after, cues = play(state, "entrance")
    facts = {"who": "Ann", "car": RED, **HOTEL}
    assert cues == (Cue("no_arrest", facts, "KO-15"),)
    assert replace(after, turn=0) == state


def test_ko15_a_criminal_pushed_off_red_just_before_the_arrest_goes_free() -> None:
    state = moment((BLUE, HUNT), (RED, HUNT), red=(RED,), traps=("advance:red:1",))
    state, cues = play(state, "trap", "entrance")
    assert heard(cues) == ["trap", "advanced", "off_red", "no_arrest"]
    assert seen(state)["arrests"] == {"Ann": 0, "Bob": 0}


@pytest.mark.parametrize("stage", [SECOND, WARRANT])
def test_ko15_without_the_own_warrant_nobody_is_asked_about_the_entrance(stage: Stage) -> None:
    state = moment((RED, stage), (RED, HUNT), red=(RED,))
    assert "entrance" not in asked(state)[2]
    assert seen(state)["may_arrest"] == ["Bob"]


# --- KO-16, KO-17: what an arrest does ------------------------------------------------------------


def test_ko16_the_criminal_the_warrant_and_the_card_go_and_the_file_is_closed() -> None:
    state = moment((GREEN, HUNT), (RED, HUNT), red=(GREEN,))
    after, cues = play(state, "entrance")
    assert heard(cues) == ["arrest", "accused"]
    accused = find_cue(cues, "accused")
    assert (accused.clause, accused.facts["open"]) == ("KO-16", [RED, YELLOW, BLUE])
    view = seen(after)
    assert view["files"][GREEN] == "Ann"
    assert view["circle"] == {RED: 0, YELLOW: 0, BLUE: 0, GREEN: None}
    assert view["warrant"] == {"Ann": False, "Bob": True}
    assert view["mission"] == {"Ann": None, "Bob": RED}
    assert view["stage"] == {"Ann": FIRST, "Bob": HUNT}
    assert after.missions == (*state.missions, GREEN)


def test_ko17_two_hunt_and_one_arrests_and_the_other_loses_the_file_likewise() -> None:
    state = moment((RED, HUNT), (RED, HUNT), (BLUE, HUNT), (RED, SECOND), red=(RED, BLUE), turn=1)
    after, cues = play(state, "entrance")
    assert heard(cues) == ["arrest", "accused", "file_lost"]
    assert find_cue(cues, "arrest").facts["lost"] == ["Dee", "Ann"]
    lost = Cue("file_lost", {"players": ["Dee", "Ann"], "colour": RED}, "KO-17")
    assert find_cue(cues, "file_lost") == lost
    assert after.held == (None, None, BLUE, None)
    assert after.stages == (FIRST, FIRST, HUNT, FIRST)
    assert after.missions == (*state.missions, RED, RED, RED)
    assert seen(after)["may_arrest"] == ["Cy"]
    assert asked(after)[:2] == ("happened", "Cy")


# --- KO-18, KO-19: the end ------------------------------------------------------------------------


def test_ko18_four_arrests_end_the_game_and_the_most_win() -> None:
    state = moment((GREEN, HUNT), (None, FIRST), red=(GREEN,), closed={RED: 0, YELLOW: 0, BLUE: 1})
    state, cues = play(state, "entrance")
    assert heard(cues) == ["arrest", "game_won"]
    assert find_cue(cues, "game_won") == Cue(
        "game_won", {"who": "Ann", "arrests": 3, "how": "most"}, "KO-18"
    )
    assert ended(state) == (("Ann",), {"Ann": 3, "Bob": 1})
    assert (seen(state)["to_act"], phase(state)) == (None, "over")


def test_ko18_the_most_arrests_win_even_if_another_made_the_last() -> None:
    state = moment((GREEN, HUNT), (None, FIRST), red=(GREEN,), closed={RED: 1, YELLOW: 1, BLUE: 1})
    assert ended(play(state, "entrance")[0]).winners == ("Bob",)


def tie(n: int, closed: dict[str, int], **fields: Any) -> tuple[State, Cues]:
    """Let the active player close the last file, green."""
    others: list[tuple[str | None, Stage]] = [(None, FIRST)] * n
    others[fields.get("turn", 0)] = (GREEN, HUNT)
    return play(moment(*others, red=(GREEN,), closed=closed, **fields), "entrance")


@pytest.mark.parametrize("die", ["companion", "real", "none"])
def test_ko18_those_who_tie_race_home_from_the_left_of_the_last_arrester(die: str) -> None:
    closed = {RED: 1, YELLOW: 3, BLUE: 3}
    state, cues = tie(4, closed, turn=1, options={"die": die})
    assert heard(cues) == ["arrest", "accused", "tied"]
    cars = {"Dee": GREEN, "Bob": YELLOW}
    facts = {"players": ["Dee", "Bob"], "cars": cars, "arrests": 2}
    assert find_cue(cues, "tied") == Cue("tied", facts, "KO-18")
    assert (seen(state)["phase"], seen(state)["race"]) == ("race", ["Dee", "Bob"])
    for n, (who, other) in enumerate((("Dee", "Bob"), ("Bob", "Dee"), ("Dee", "Bob"))):
        assert seen(state)["to_act"] == who
        if die != "none":
            state, cues = play(state, [6] if die == "companion" else 6)
            assert heard(cues) == ["rolled", "six_rolled"][: 2 if n < 2 else 1]
        assert asked(state) == ("parked_first", who, ("nobody", who, other))
        state, cues = play(state, "nobody")
        assert cues == ()


def test_ko18_the_first_with_both_cars_home_wins_the_race() -> None:
    state, _ = tie(2, {RED: 0, YELLOW: 1, BLUE: 1})
    state, cues = play(state, "nobody", "nobody", "nobody", "Ann")
    assert cues == (Cue("game_won", {"who": "Ann", "arrests": 2, "how": "race"}, "KO-18"),)
    assert ended(state) == (("Ann",), {"Ann": 2, "Bob": 2})


def test_ko18_one_whose_homecoming_was_forgotten_can_still_be_named() -> None:
    state, _ = tie(2, {RED: 0, YELLOW: 1, BLUE: 1})
    assert asked(state)[1] == "Bob"
    assert ended(play(state, "Ann")[0]).winners == ("Ann",)


def test_ko18_all_four_may_tie() -> None:
    state, _ = tie(4, {RED: 1, YELLOW: 2, BLUE: 3})
    assert seen(state)["race"] == ["Bob", "Cy", "Dee", "Ann"]


def test_ko18_a_tie_of_three_races_too() -> None:
    """Four arrests never tie three players, but the race supports three players."""
    state, _ = tie(4, {RED: 1, YELLOW: 3, BLUE: 3}, turn=1)
    state = replace(state, race=(3, 0, 1), turn=3)
    for who in ("Dee", "Ann", "Bob", "Dee"):
        assert asked(state)[1] == who
        assert set(asked(state)[2]) == {"nobody", "Ann", "Bob", "Dee"}
        state, _ = play(state, "nobody")
    assert ended(play(state, "Ann")[0]).winners == ("Ann",)


def test_ko18_four_files_tie_two_players_or_four() -> None:
    ties = set()
    for n in (2, 3, 4):
        for by in (divmod(i, n) for i in range(n**3)):
            closers = (by[1], by[0] % n, by[0] // n % n)
            state, _ = tie(n, dict(zip((RED, YELLOW, BLUE), closers, strict=True)))
            ties.add(len(state.race))
            assert (GAME.outcome(state) is None) == bool(state.race)
    assert ties == {0, 2, 4}


def test_ko19_in_the_short_game_the_first_arrest_wins() -> None:
    state = moment((GREEN, HUNT), (GREEN, HUNT), red=(GREEN,), options={"short": "yes"}, turn=1)
    state, cues = play(state, "entrance")
    assert heard(cues) == ["arrest", "game_won"]
    assert find_cue(cues, "game_won") == Cue(
        "game_won", {"who": "Bob", "arrests": 1, "how": "short"}, "KO-19"
    )
    assert ended(state) == (("Bob",), {"Ann": 0, "Bob": 1})


# --- KO-20: small print ---------------------------------------------------------------------------


def test_ko20_a_trap_card_for_a_closed_file_is_announced_and_does_nothing() -> None:
    state = moment((RED, HUNT), (None, FIRST), traps=("advance:blue:2",), closed={BLUE: 1})
    after, cues = play(state, "trap")
    assert heard(cues) == ["trap", "no_criminal"]
    assert find_cue(cues, "no_criminal") == Cue(
        "no_criminal", {"who": "Ann", "colour": BLUE}, "KO-20"
    )
    assert after.circle == state.circle
    assert after.traps == (*state.traps[1:], "advance:blue:2")


def test_ko20_an_open_file_that_nobody_has_is_moved_all_the_same() -> None:
    after, cues = play(moment((RED, HUNT), (None, FIRST), traps=("advance:blue:3",)), "trap")
    assert heard(cues) == ["trap", "advanced", "on_red"]
    assert find_cue(cues, "on_red").facts["may_arrest"] == []
    assert after.circle == (0, 0, 3, 0)


def test_ko20_a_kojak_card_for_a_criminal_on_red_already_is_spent() -> None:
    state = moment((RED, HUNT), (None, FIRST), traps=("kojak",), red=(RED,))
    after, cues = play(state, "trap")
    assert heard(cues) == ["trap", "on_red"]
    assert find_cue(cues, "on_red").facts["already"]
    assert after.circle == state.circle
    assert after.traps == (*state.traps[1:], "kojak")


@pytest.mark.parametrize("stage", [SECOND, WARRANT])
def test_ko20_a_kojak_card_before_the_own_warrant_works(stage: Stage) -> None:
    state, cues = play(moment((RED, stage), (None, FIRST), traps=("kojak",)), "trap")
    assert find_cue(cues, "on_red").facts["may_arrest"] == []
    assert state.circle[0] == 3


def test_ko20_a_joiner_fetches_the_own_warrant_too() -> None:
    state = moment((None, FIRST), (RED, HUNT), missions=(RED,), red=(RED,))
    state, _ = play(state, "mission", "nothing")
    assert seen(state)["may_arrest"] == ["Bob"]
    state, _ = play(state, "parked", "nothing", "station")
    assert seen(state)["may_arrest"] == ["Ann", "Bob"]


def test_ko20_a_criminal_on_red_when_the_warrant_goes_up_is_arrested_by_a_later_move() -> None:
    state, cues = play(moment((RED, WARRANT), (None, FIRST), red=(RED,)), "station")
    assert find_cue(cues, "posted").facts["on_red"]
    assert seen(state)["arrests"]["Ann"] == 0
    state, cues = play(state, "nothing", "entrance")
    assert "arrest" in heard(cues)


def test_ko20_a_car_at_the_entrance_when_red_is_reached_must_arrive_anew() -> None:
    state = moment((RED, HUNT), (BLUE, SECOND), traps=("advance:red:3",))
    state, cues = play(state, "entrance", "trap")
    assert heard(cues) == ["no_arrest", "trap", "advanced", "on_red"]
    assert seen(state)["files"][RED] == "open"
    assert asked(state) == ("happened", "Ann", ("nothing", "trap", "entrance", "blocked"))


# --- public and secret data -----------------------------------------------------------------------


@both_decks
def test_everybody_sees_the_same_and_it_goes_into_json(deck: str) -> None:
    state = moment((RED, HUNT), (None, FIRST), options={"deck": deck})
    view = seen(state)
    assert GAME.view(state, "Ann") == GAME.view(state, "Bob") == view
    assert json.loads(json.dumps(view)) == view
    assert GAME.secrets(state) == ()
    assert (view["trap_pile"], view["mission_pile"]) == (20, 15)


def test_the_suggested_names_fit_the_screen() -> None:
    assert all(len(name) <= 10 for name in GAME.names)
