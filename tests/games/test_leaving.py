"""Tests of players who leave a game: their hands, markers and turns, and the winner."""

from __future__ import annotations

from contextlib import closing
from random import Random
from typing import Any, Final

import pytest

from companion.catalog import registry
from companion.core.errors import Refused
from companion.core.fold import apply_answer, replace
from companion.core.game import Cues
from companion.core.prompts import AGREE_UNDO_QUESTION, LEAVING_PLAYER_QUESTION
from companion.draw.face import load_face
from companion.games.barney_miller.rules.board import TrackSpace
from companion.games.kojak.rules.board import HUNTING_STAGE, TO_MISSION_STAGE, TO_PLACE_STAGE
from companion.games.probe.rules.board import Rack
from companion.play import verify
from companion.play.session import Session
from companion.record.journal import Journal
from companion_testing.playing import play_random_game
from companion_testing.table import tables_of_all_option_combinations
from tests.games.baretta.moments import landed
from tests.games.baretta.moments import moment as baretta
from tests.games.barney_miller.test_rules import BOARD
from tests.games.barney_miller.test_rules import moment as barney
from tests.games.kojak.test_rules import BLUE, GREEN, HUNT, RED, YELLOW
from tests.games.kojak.test_rules import moment as kojak
from tests.games.probe.test_rules import left_in, rack
from tests.games.probe.test_rules import moment as probe
from tests.helpers import printed_edition, setup_for, words_for
from tests.play.test_leaving import answer

PLAYERS: Final = ("Ann", "Bob", "Cy")
WORDS_OPEN: Final = (Rack("BERRY"), Rack("C"))
FREE: Final = (None, TO_MISSION_STAGE)


def leaves(name: str, state: Any, who: str) -> tuple[Any, Cues]:
    return apply_answer(registry.find_game(name), state, who, LEAVING_PLAYER_QUESTION)


def asked(name: str, state: Any) -> tuple[str, str | None]:
    question = registry.find_game(name).ask(state)
    assert question is not None
    return question.name, question.who


def winners(name: str, state: Any) -> tuple[str, ...] | None:
    outcome = registry.find_game(name).outcome(state)
    return None if outcome is None else outcome.winners


def lies(state: Any, space: str) -> dict[str, Any]:
    """Return the public view of a space of Baretta."""
    found: dict[str, Any] = registry.find_game("baretta").view(state, None)["spaces"][space]
    return found


def told(cues: Cues) -> list[str]:
    return [cue.name for cue in cues]


# --- Barney Miller (BM-15) ------------------------------------------------------------------------


def test_bm15_the_cards_are_put_aside_unseen_and_the_left_neighbour_is_asked_instead() -> None:
    state = barney((1, 2), (3, 4), (5, 6), seconds=((7,), (8,), (9,)))
    after, cues = leaves("barney-miller", state, "Bob")
    assert after.hands == ((1, 2), (), (5, 6))
    assert after.seconds == ((7,), (), (9,))
    assert after.aside == (3, 4, 8)
    assert asked("barney-miller", after) == ("play_card", "Cy")
    assert (cues[0].facts, cues[0].clause, cues[0].to) == (
        {"who": "Bob", "own": False}, "BM-15", None,
    )  # fmt: skip
    assert told(cues) == ["left"]


def test_bm15_a_round_that_who_has_left_would_win_is_nobodys_and_the_next_one_rolls() -> None:
    state = barney((1, 2), (8, 8), (3, 9, 9), turn=2, total=9, played=((0, 1), (1, 8)))
    state, _ = leaves("barney-miller", state, "Bob")
    state, cues = apply_answer(registry.find_game("barney-miller"), state, 9)
    assert told(cues) == ["card_played", "nobody_won", "next_roller"]
    assert (state.round, state.total, state.played, state.roller) == (4, 0, (), 2)


def test_bm15_a_ten_of_who_has_left_is_nobodys_and_no_zero_is_asked_of_an_empty_seat() -> None:
    state = barney((0, 2), (8, 8), (3, 9), step="zero", turn=2, total=10, played=((1, 2), (1, 8)))
    state, cues = leaves("barney-miller", state, "Cy")
    assert asked("barney-miller", state) == ("zero", "Ann")
    state, cues = leaves("barney-miller", state, "Bob")
    assert winners("barney-miller", state) == ("Ann",)
    assert cues[-1].facts["how"] == "last"


def test_bm15_the_winner_of_a_round_who_leaves_takes_no_suspect() -> None:
    fields: dict[str, Any] = {
        "space": TrackSpace("arrest_warrant"),
        "step": "commit_suspect",
        "turn": 1,
    }
    state = barney((1, 2), (8, 8), (3, 9), total=10, played=((0, 2), (1, 8)), **fields)
    state, cues = leaves("barney-miller", state, "Bob")
    assert told(cues) == ["left", "next_roller"]
    assert asked("barney-miller", state) == ("roll", "Cy")
    assert state.captured == ((), (), ())


def test_bm15_roller_who_leaves_after_the_roll_stays_the_roller() -> None:
    state = barney((1, 2), (3, 4), (5, 6), roller=0, turn=1)
    after, _ = leaves("barney-miller", state, "Ann")
    view = registry.find_game("barney-miller").view(after, None)
    assert (view["roller"], view["to_act"]) == ("Ann", "Bob")
    waits = barney((1, 2), (3, 4), (5, 6), roller=0, step="roll")
    view = registry.find_game("barney-miller").view(leaves("barney-miller", waits, "Ann")[0], None)
    assert (view["roller"], view["to_act"]) == ("Bob", "Bob")


def test_bm15_left_neighbour_of_a_roller_who_left_plays_the_first_card() -> None:
    game = registry.find_game("barney-miller")
    taught = {**BOARD, "track": [*BOARD["track"][:6], "unknown"]}
    state = barney((1, 2), (3, 4), (5, 6), roller=0, step="space", pawn=6, board=taught)
    state, _ = leaves("barney-miller", state, "Ann")
    assert game.view(state, None)["to_act"] == "Bob"
    landed_on, _ = apply_answer(game, state, "start")
    assert asked("barney-miller", landed_on) == ("play_card", "Bob")
    caught = replace(state, captured=(("fish-caps",), (), ("wojehowicz-caps",)))
    passed, cues = apply_answer(game, caught, "gang:caps")
    assert (cues[0].name, cues[0].facts["who"]) == ("unwanted", "Bob")
    assert asked("barney-miller", passed) == ("roll", "Bob")


def test_bm15_cards_of_who_leaves_are_dealt_in_their_order_under_those_aside() -> None:
    state = barney((1,), (3, 4), (), seconds=((), (8, 9), ()), redeal="aside", aside=(0, 2) * 5)
    state, cues = leaves("barney-miller", state, "Bob")
    assert told(cues)[:3] == ["left", "card_played", "dealt"]
    assert cues[2].facts["how"] == "rest"
    assert (state.hands[0], state.hands[2]) == ((0,) * 5 + (3, 8), (2,) * 5 + (4, 9))


def test_bm15_next_roller_after_the_last_cards_player_left_cites_it() -> None:
    fields: dict[str, Any] = {
        "space": TrackSpace("arrest_warrant"),
        "step": "commit_suspect",
        "turn": 1,
    }
    state = barney((1, 2), (8, 8), (3, 9), total=10, played=((0, 2), (1, 8)), **fields)
    _, cues = leaves("barney-miller", state, "Bob")
    assert [cue.clause for cue in cues] == ["BM-15", "BM-15"]


def test_bm15_a_gang_that_only_who_has_left_wanted_is_passed() -> None:
    game = registry.find_game("barney-miller")
    state = barney((1, 2), (3, 4), (5, 6), step="roll", roller=0, pawn=0)
    assert state.table.track is not None
    gang = state.table.track[1].gang
    taken = tuple(
        tuple(one.id for one in desk.suspects if one.gang == gang and seat != 1)
        for seat, desk in enumerate(state.table.desks)
    )
    state = replace(state, captured=taken)
    assert "moved" in told(apply_answer(game, state, [1])[1])
    assert "unwanted" in told(apply_answer(game, leaves("barney-miller", state, "Bob")[0], [1])[1])


def test_bm15_two_who_are_left_are_dealt_hands_of_seven_of_all_cards() -> None:
    game = registry.find_game("barney-miller")
    state, cues = leaves("barney-miller", barney((1,), (3, 4), ()), "Bob")
    assert told(cues) == ["left", "card_played"]  # Ann has no choice about her last card
    assert asked("barney-miller", state)[0] == "shuffle"
    state, cues = apply_answer(game, state, list(range(56)))
    assert [len(hand) for hand in state.hands] == [7, 0, 7]
    assert len(state.aside) == 42
    assert cues[0].facts["cards"] == 7


# --- Baretta (BA-20) ------------------------------------------------------------------------------


def test_ba20_who_leaves_is_out_with_markers_and_secrets_as_they_lie() -> None:
    state = baretta({"5": ("hunch", 1)}, ("hunch",), ("wounded",), ("stay_put",), at="4", roll=1)
    after, cues = leaves("baretta", state, "Bob")
    assert told(cues) == ["left"]
    assert (after.spots, after.piles) == (state.spots, state.piles)
    assert after.out == (1,)
    assert asked("baretta", after) == ("move_to", "Ann")


def test_ba20_a_hunch_of_who_leaves_lies_face_down_again_and_the_next_one_rolls() -> None:
    state, _ = landed("hunch", (), (), (), cards={"9": "stay_put"})
    after, cues = leaves("baretta", state, "Ann")
    assert told(cues) == ["left", "hunch_down", "next_turn"]
    assert words_for("baretta", "en").fact_text(cues[1]) == "The Hunch on 5 goes face down."
    assert asked("baretta", after) == ("roll", "Bob")
    here = lies(after, "5")
    assert (here["card"], here["cleared"]) == ("down", True)
    assert (after.hunch, after.moving) == (None, None)


def test_ba20_an_own_card_that_was_not_named_yet_stays_where_it_lies() -> None:
    state, _ = landed(None, (None,), (None,), (None,), deck="own")
    after, _ = leaves("baretta", state, "Ann")
    assert asked("baretta", after) == ("roll", "Bob")
    assert lies(after, "5")["card"] == "down"


def test_ba20_the_last_one_who_stays_wins() -> None:
    state, cues = leaves("baretta", baretta({}, (), ()), "Ann")
    assert winners("baretta", state) == ("Bob",)
    assert cues[-1].facts == {"who": "Bob", "how": "last"}


def test_ba20_game_that_ends_by_a_leaving_keeps_nothing_unfinished() -> None:
    state = replace(baretta({"5": ("hunch", 1)}, (), ()), step="swap_with", swapping=4, turn=0)
    over, _ = leaves("baretta", replace(state, cutting=(0,), mixing=(1,), hunch=4), "Bob")
    assert (over.step, over.winner) == ("over", 0)
    assert (over.swapping, over.mixing, over.cutting, over.hunch) == (None, (), (), None)


def test_ba20_view_names_the_next_player_and_no_dropped_move_after_a_leaving() -> None:
    game = registry.find_game("baretta")
    moving = baretta({}, (), (), (), at="4", roll=1)
    before = game.view(moving, None)
    assert (before["to_act"], before["moving"]["who"]) == ("Ann", "Ann")
    after, _ = leaves("baretta", moving, "Ann")
    view = game.view(after, None)
    assert (view["to_act"], view["moving"], view["asked"]) == ("Bob", None, None)


# --- Kojak (KO-23) --------------------------------------------------------------------------------


def test_ko23_the_mission_card_goes_under_the_pile_and_the_file_is_free_again() -> None:
    state = kojak((RED, HUNT), (RED, HUNT), (YELLOW, HUNT), red=(RED,))
    n = len(state.missions)
    after, cues = leaves("kojak", state, "Ann")
    assert (after.held[0], len(after.missions), after.missions[-1]) == (None, n + 1, RED)
    view = registry.find_game("kojak").view(after, None)
    assert (view["may_arrest"], view["out"], view["to_act"]) == (["Bob"], ["Ann"], "Bob")
    assert cues[0].facts == {
        "who": "Ann", "car": RED, "mission": RED, "warrant": True, "drawn": None, "own": False,
    }  # fmt: skip
    assert HUNTING_STAGE not in after.stages[:1]


def test_ko23_the_arrests_of_who_has_left_stay_made_and_win_nothing() -> None:
    closed = {YELLOW: 1, BLUE: 1, GREEN: 1}
    state = kojak((RED, HUNT), FREE, FREE, red=(RED,), closed=closed)
    state, _ = leaves("kojak", state, "Bob")
    state, _ = apply_answer(registry.find_game("kojak"), state, "entrance")
    assert winners("kojak", state) == ("Ann",)


def test_ko23_the_race_goes_on_among_those_who_stay_and_the_last_of_it_wins() -> None:
    state = kojak(FREE, FREE, FREE, FREE, race=(0, 1, 3), step="parked_first", turn=0)
    state, _ = leaves("kojak", state, "Ann")
    assert state.race == (1, 3)
    assert registry.find_game("kojak").view(state, None)["to_act"] == "Bob"
    state, cues = leaves("kojak", state, "Bob")
    assert winners("kojak", state) == ("Dee",)
    assert (cues[-1].facts["how"], cues[-1].clause) == ("alone", "KO-23")


def test_ko23_a_field_that_was_asked_about_is_let_be_and_the_trap_card_goes_under() -> None:
    state = kojak((RED, TO_PLACE_STAGE), FREE, FREE)
    state = replace(state, step="field", unsure=(RED, 2))
    after, _ = leaves("kojak", state, "Ann")
    assert (after.unsure, after.traps) == (None, (*state.traps[1:], state.traps[0]))


@pytest.mark.parametrize("step", ["criminal", "order", "field"])
def test_ko23_an_own_trap_card_goes_under_at_whatever_step_its_player_leaves(step: Any) -> None:
    unsure, named = (RED, 2) if step == "field" else None, RED if step == "order" else None
    state = kojak((RED, HUNT), FREE, FREE, options={"deck": "own"})
    known = ("kojak", *(None,) * 19)
    state = replace(state, step=step, unsure=unsure, named=named, traps=known)
    after, cues = leaves("kojak", state, "Ann")
    assert (after.named, after.traps) == (None, (*known[1:], "kojak"))
    assert (cues[0].facts["mission"], cues[0].facts["drawn"]) == (RED, "trap")
    assert words_for("kojak", "en").fact_speech(cues[0]).endswith("both cards under their piles.")


def test_ko23_an_own_mission_card_goes_under_if_its_player_leaves_meanwhile() -> None:
    known = (BLUE, *(None,) * 15)
    state = replace(kojak(FREE, FREE, FREE, options={"deck": "own"}), step="card", missions=known)
    after, cues = leaves("kojak", state, "Ann")
    assert (after.missions, after.traps) == ((*known[1:], BLUE), state.traps)
    assert (
        words_for("kojak", "en").fact_speech(cues[0]).endswith("the mission card under its pile.")
    )
    bystander, _ = leaves("kojak", state, "Bob")
    assert (bystander.missions, bystander.step) == (known, "card")


def test_ko23_a_warrant_is_taken_off_the_board_and_no_card_of_the_boxs() -> None:
    state = kojak((RED, HUNT), (YELLOW, TO_PLACE_STAGE), FREE)
    words = words_for("kojak", "en")
    assert words.fact_speech(leaves("kojak", state, "Ann")[1][0]) == (
        "Ann leaves. Take the red cars off the board, and put the red warrant back at the station."
    )
    assert words.fact_speech(leaves("kojak", state, "Bob")[1][0]) == (
        "Bob leaves. Take the yellow cars off the board."
    )


def test_ko21_an_arrest_of_somebody_who_has_left_can_be_corrected() -> None:
    game = registry.find_game("kojak")
    state, _ = leaves("kojak", kojak((RED, HUNT), FREE, FREE), "Bob")
    given = {"what": "arrest", "colour": BLUE, "who": "Bob"}
    state, cues = apply_answer(game, state, given, "correct")
    view = game.view(state, None)
    assert (view["files"][BLUE], view["arrests"]["Bob"], told(cues)) == ("Bob", 1, ["corrected"])
    short, _ = leaves("kojak", kojak((RED, HUNT), FREE, FREE, options={"short": "yes"}), "Bob")
    with pytest.raises(Refused, match="not_offered"):
        apply_answer(game, short, given, "correct")


# --- Probe (PR-18) --------------------------------------------------------------------------------


def test_pr18_all_flaps_of_who_leaves_go_up_and_score_for_nobody() -> None:
    state = probe(rack("APPLE"), rack("BERRY", 1), rack("CHERRY"), turn=0)
    after, cues = leaves("probe", state, "Bob")
    assert told(cues) == ["left", "revealed"]
    assert (cues[1].facts["word"], cues[1].reveals) == ("BERRY", True)
    assert after.racks[1].covered == ()
    assert after.scores == (0, 0, 0)


def test_pr18_a_question_about_that_word_is_dropped_and_the_asker_asks_on() -> None:
    words = rack("APPLE"), rack("BERRY"), rack("CHERRY"), rack("DATES")
    state = probe(*words, step="ask_for", whom=1, times=5)
    after, cues = leaves("probe", state, "Bob")
    assert told(cues) == ["left", "revealed", "moot"]
    assert cues[-1].clause == "PR-18"
    assert (asked("probe", after), after.times) == (("ask_whom", "Ann"), 5)


def test_pr18_the_turns_of_who_leaves_are_struck_out_of_the_last_rounds() -> None:
    state = probe(rack("APPLE"), rack("B", 1), rack("C", 1), turn=1, last=5, counts=True)
    assert leaves("probe", state, "Cy")[0].last == 3
    assert leaves("probe", state, "Bob")[0].last == 3
    short = replace(state, turn=2, last=1)
    after, cues = leaves("probe", short, "Cy")
    assert "survived" in told(cues)
    assert winners("probe", after) == ("Ann",)
    survivor, _ = leaves("probe", state, "Ann")
    assert survivor.step == "over"


def test_pr18_the_last_rounds_begin_when_only_one_word_is_left_covered() -> None:
    state = probe(rack("APPLE"), rack("BERRY"), rack("C", 1), turn=2)
    after, cues = leaves("probe", state, "Bob")
    assert (after.last, after.counts) == (4, False)
    assert "last_rounds" in told(cues)
    after, _ = leaves("probe", replace(state, turn=1), "Bob")
    assert (after.last, after.counts, after.turn) == (4, True, 2)


def test_pr18_of_who_leaves_while_a_place_is_chosen_nothing_is_being_uncovered() -> None:
    words = rack("APPLE"), rack("BERRY"), rack("CHERRY")
    state = probe(*words, step="uncover", whom=1, letter="R", within=(1,), because="hit")
    after, _ = leaves("probe", state, "Ann")
    view = registry.find_game("probe").view(after, None)
    assert (view["to_act"], view["uncovering"], view["because"]) == ("Bob", [], None)


def test_pr18_pr13_the_last_one_left_scores_what_is_still_covered() -> None:
    state = probe(rack("APPLE"), rack("BERRY", 1), rack("C", 1), turn=0, scores=(200, 0, 0))
    state, _ = leaves("probe", state, "Cy")
    after, cues = leaves("probe", state, "Ann")
    assert told(cues)[2:] == ["survived", "scored", "scored", "revealed", "game_over"]
    assert [cue.clause for cue in cues[2:]] == ["PR-13", "PR-13", "PR-13", "PR-18", "PR-18"]
    assert (after.scores, winners("probe", after)) == ((200, 100, 0), ("Bob",))
    bare, cues = leaves("probe", replace(state, racks=(state.racks[0], *WORDS_OPEN)), "Ann")
    assert told(cues) == ["left", "revealed", "game_over"]
    assert (bare.scores, cues[-1].clause) == ((200, 0, 0), "PR-18")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_pr18_the_winners_own_points_are_announced_not_those_of_who_has_left(language: str) -> None:
    state = probe(rack("APPLE"), rack("B", 1), rack("C", 1), turn=0, scores=(200, 0, 0))
    _, cues = leaves("probe", state, "Ann")
    assert (cues[-1].name, cues[-1].facts["winners"]) == ("game_over", ["Bob", "Cy"])
    said = words_for("probe", language).fact_speech(cues[-1], "normal")
    assert "200" not in said


def test_pr18_who_has_left_does_not_win_and_the_last_one_who_stays_does() -> None:
    state = probe(rack("APPLE"), left_in("BERRY", 1), rack("C", 1), turn=0, scores=(5, 300, 9))
    state, _ = leaves("probe", state, "Bob")
    state, _ = apply_answer(registry.find_game("probe"), state, True, "stop")
    assert winners("probe", state) == ("Cy",)
    two = probe(*(rack(word) for word in ("APPLE", "AB", "BERRY", "BC")), two=True, scores=(0, 99))
    assert winners("probe", leaves("probe", two, "Bob")[0]) == ("Ann",)


# --- every game -----------------------------------------------------------------------------------


def can_leave(session: Session) -> bool:
    return any(
        question.name == LEAVING_PLAYER_QUESTION
        for question in session.standing.out_of_turn_questions
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", registry.BUILT_IN_GAMES)
def test_it_is_recorded_taken_back_given_again_and_verified(name: str) -> None:
    for seed in range(3):
        rng = Random(f"{name} {seed}")
        options = {one.name: rng.choice(one.values) for one in registry.find_game(name).options}
        setup = setup_for(options, game=name, players=PLAYERS)._replace(mixing=False)
        with closing(Journal(None)) as journal:
            session = Session.begin(journal, setup, 0)
            while not can_leave(session):
                answer(session, rng)
            for _ in range(rng.randrange(30)):
                if session.standing.snapshot.outcome is None:
                    answer(session, rng)
            if not can_leave(session):
                continue
            before, who = session.standing.snapshot, rng.choice(session.standing.present_players)
            session.answer(who, 0, LEAVING_PLAYER_QUESTION)
            session.commit()
            after = session.standing.snapshot
            assert who in after.view["out"]
            assert who not in session.standing.present_players or after.outcome is not None
            session.undo(0)
            if (
                session.standing.pending_prompt is not None
                and session.standing.pending_prompt.name == AGREE_UNDO_QUESTION
            ):
                session.answer("yes", 0)
            assert (session.standing.snapshot.view, session.standing.snapshot.prompt) == (
                before.view,
                before.prompt,
            )
            session.redo(0)
            session.commit()
            assert session.standing.snapshot.view == after.view
            again = Session.resume(journal, session.number, setup, 0)
            assert again.standing.snapshot.view == after.view
            assert verify.verify_game_against_seed(journal, session.number).problem is None


def test_nobody_leaves_before_somebody_has_begun_or_after_the_end() -> None:
    for name in registry.BUILT_IN_GAMES:
        game = registry.find_game(name)
        played = play_random_game(
            next(iter(tables_of_all_option_combinations(game, printed_edition(name)))), 1
        )
        for state in (played.start, played.last_state):
            assert LEAVING_PLAYER_QUESTION not in {
                question.name for question in game.anytime(state)
            }


def test_how_it_stands_says_to_the_ear_who_has_left() -> None:
    moments: dict[str, Any] = {
        "barney-miller": barney((1, 2), (3, 4), (5, 6)),
        "kojak": kojak((RED, HUNT), FREE, FREE),
        "probe": probe(rack("APPLE"), rack("BERRY"), rack("CHERRY")),
    }
    for name, state in moments.items():
        view = registry.find_game(name).view(leaves(name, state, "Bob")[0], None)
        heard = load_face(name).spoken_state(words_for(name, "en"), view, PLAYERS)
        assert "Bob has left the game." in heard
