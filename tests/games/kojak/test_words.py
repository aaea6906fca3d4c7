"""Tests of the words and pictures of Kojak alone: facts, alarms, the board."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import pytest

from companion.catalog.registry import find_game
from companion.core.fold import apply_answer_to_prompt, state_after_answers
from companion.core.game import Cue
from companion.core.prompts import first_prompt_of_form
from companion.core.snapshot import Snapshot
from companion.draw import screens
from companion.draw.canvas import wrap_text
from companion.games.kojak.rules.board import COLOURS, STAGES
from companion.games.kojak.rules.questions import ANSWERS_OF_STAGE
from companion.games.kojak.shown import pictures
from companion.games.kojak.shown.face import FACE, GAME_HEIGHT, _team
from companion.games.kojak.shown.facts import FACTS
from companion.games.kojak.shown.words import current_detective_task_text
from companion.play.simulate import random_answer
from companion.press.cursor import Cursor
from companion.say.facts import fact_variant_name
from companion.say.words import LANGUAGES
from companion_testing import LONG_NAMES
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from hardware.display.frame_conversions import frame_as_pixel_rows
from tests.helpers import printed_edition
from tests.met import longest_edition, observed_games, words_of_longest_edition
from tests.scenes.kojak import TOLD

GAME: Final = "kojak"
COLUMNS: Final = 21
WHY: Final = ("free", "joined", "deadlock", "taken", "closed")
WALKS: Final = ("one", "many", "back.one", "back.many", "to_red")
YELLOW: Final = {"colour": "yellow", "place": "city_hall"}
WALK: Final[dict[str, Any]] = {
    **YELLOW,
    "from": 1,
    "to": 0,
    "steps": 3,
    "fields": 4,
    "red": [3],
    "how": "advance",
}


CORRECTED: Final = ("turn", "criminal", "criminal.dot", "arrest", "open", "file", "no_file", "car")
LEFT: Final = ("", ".card", ".cards", ".warrant", ".warrant.card", ".warrant.cards")


@pytest.mark.long
def test_random_games_meet_every_question_and_every_way_of_telling_a_fact() -> None:
    assert {prompt.name for prompt, *_ in observed_games(GAME).asked.values()} == {
        *("car", "first", "roll", "happened", "card", "criminal", "order", "parked_first"),
        *("what", "who", "colour", "n", "stage", "field", "leaves"),
    }
    met_ways = {fact_variant_name(FACTS, cue) for cue in observed_games(GAME).cues.values()}
    people = ("nobody", "one", "many")
    assert met_ways == {
        *("accused.last", "accused.open", "arrest", "begins", "blocked", "cars", "drawn"),
        "drives",
        *("advanced.kojak", "file_lost.many", "file_lost.one"),
        *(f"corrected.{what}" for what in CORRECTED),
        *(f"corrected.stage.{stage}" for stage in STAGES[1:]),
        *(f"advanced.{way}" for way in WALKS),
        *(
            "first_roll",
            "first_roll.tied",
            "game_won.most",
            "game_won.race",
            "game_won.short",
            "game_won.last",
            "game_won.alone",
            "joined",
        ),
        *(f"mission.{why}{own}" for why in WHY for own in ("", ".own")),
        *("no_arrest", "no_criminal", "no_mission", "no_traps", "off_red.nobody", "off_red.some"),
        *(f"on_red.{able}" for able in people),
        *(f"on_red.already.{able}" for able in people),
        *("parked", "posted.beside", "posted.beside_red", "posted.first", "posted.first_red"),
        *(f"left{way}" for way in LEFT),
        *("rolled", "six_rolled", "tied", "trap.kojak", "trap.lose_turn", "turn_lost"),
        *(f"trap.{whom}{way}" for whom in ("", "all.") for way in (*WALKS, "stay")),
    }


def after(*answers: Any, n: int = 2, **options: str) -> Snapshot:
    """Return a snapshot after these answers, with real cards and no die unless `options` differ."""
    game, players = find_game(GAME), LONG_NAMES[:n]
    state = game.setup(players, {**TOLD, **options}, printed_edition(GAME))
    state = state_after_answers(game, state, answers)
    prompt, view = first_prompt_of_form(game.ask(state)), game.view(state, None)
    return Snapshot(GAME, players, TOLD, prompt, view, (), 9, 9, 0, None, "ABCDEFGH", None)


FIRST: Final = LONG_NAMES[0]
QUIET: Final = "nothing"
POSTED: Final = (FIRST, "mission", "red", QUIET, "parked", QUIET, "station", QUIET)
RED: Final = ("trap", "red", "advance:red:3")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_detective_has_to_do_now_is_another_sentence_at_each_stage(language: str) -> None:
    words = words_of_longest_edition(GAME, language)
    stages = [after(*POSTED[:n]) for n in (1, 4, 6, 8)]
    told = [
        current_detective_task_text(words, stage.view, FIRST)
        for stage in (*stages, after(*POSTED, *RED))
    ]
    race = {**stages[0].view, "race": [FIRST]}
    told += [current_detective_task_text(words, race, who) for who in LONG_NAMES[:2]]
    for place in ("bank", "city_hall", "club", "hotel"):
        view = {**stages[1].view, "places": {"red": place}}
        told.append(current_detective_task_text(words, view, FIRST))
    assert len(set(told)) == len(told) - 1  # the sentence about the bank occurs twice
    assert all(len(sentence) <= COLUMNS for sentence in told), told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_of_the_board_names_the_longest_detective_apart_from_the_button(
    language: str,
) -> None:
    for who in LONG_NAMES:
        legend = words_of_longest_edition(GAME, language)("kojak.legend.standing", who=who)
        assert len(legend) <= COLUMNS
        assert f"{who} " in legend


@pytest.mark.long
def test_an_answer_beside_the_die_keeps_clear_of_it() -> None:
    for language in LANGUAGES:
        words = words_of_longest_edition(GAME, language)
        for prompt, snapshot, *_ in observed_games(GAME).asked.values():
            if prompt.name in ("happened", "parked_first"):
                labels = [
                    words.answer_label(prompt.name, v, snapshot.view) for v in _options(prompt)
                ]
                assert max(map(len, labels)) <= 13, labels


def _options(prompt: Any) -> tuple[Any, ...]:
    return tuple(prompt.options)


# --- sound ----------------------------------------------------------------------------------------


def test_a_trap_card_is_announced_by_a_drum_roll_and_said_as_the_card_says_it() -> None:
    card = {"kind": "advance", "colour": "yellow", "steps": 3}
    cue = Cue("trap", {"who": "Ann", "mission": "red", "card": card}, "KO-13")
    words = words_of_longest_edition(GAME, "en")
    assert words.fact_sound_name(cue) == "drum_roll"
    assert words.fact_speech(cue) == "Move yellow three spaces."
    assert words_of_longest_edition(GAME, "fr").fact_speech(cue) == "Le jaune avance de trois."


def test_a_kojak_card_has_a_cue_and_a_line_of_its_own() -> None:
    cue = Cue("trap", {"who": "Ann", "mission": "green", "card": {"kind": "kojak"}}, "KO-14")
    words = words_of_longest_edition(GAME, "en")
    assert words.fact_sound_name(cue) == "kojak"
    assert words.fact_speech(cue) == "Kojak! Green to red!"


@pytest.mark.parametrize("name", ["on_red", "off_red"])
def test_red_is_an_alarm_that_names_who_is_concerned(name: str) -> None:
    people = {"may_arrest": ["Ann", "Bob"], "hunters": ["Ann", "Bob"], "already": False}
    cue = Cue(name, {**YELLOW, **people}, "KO-15")
    for language, both in (("en", "Ann and Bob"), ("fr", "Ann et Bob")):
        words = words_of_longest_edition(GAME, language)
        assert words.fact_sound_name(cue) == "alarm"
        assert both in words.fact_speech(cue)


def test_a_mission_is_said_with_its_file_and_its_place() -> None:
    facts = {"who": "Harris", "colour": "red", "place": "bank", "kept": True, "why": "free"}
    cue = Cue("mission", {**facts, "others": [], "own": False}, "KO-7")
    assert (
        words_of_longest_edition(GAME, "en").fact_speech(cue) == "Harris… the red file: the bank."
    )
    assert (
        words_of_longest_edition(GAME, "fr").fact_speech(cue)
        == "Harris… le dossier rouge\u00a0: la banque."
    )


def test_of_a_card_that_people_turned_it_says_keep_or_draw_again_and_why() -> None:
    facts = {"who": "Ann", "colour": "red", "place": "bank", "others": ["Bob"], "own": True}
    words = words_of_longest_edition(GAME, "en")

    def said(why: str, *, kept: bool) -> str:
        return words.fact_speech(Cue("mission", {**facts, "kept": kept, "why": why}, "KO-8"))

    taken, closed = said("taken", kept=False), said("closed", kept=False)
    assert "Bob" in taken
    assert "no warrant" in taken
    assert "closed" in closed
    assert all(sentence.endswith("draw another.") for sentence in (taken, closed))
    assert said("free", kept=True) == "Keep it, Ann… the red file: the bank."
    assert "warrant" in said("joined", kept=True)
    assert "no file is free" in said("deadlock", kept=True)


def test_the_question_says_whose_turn_it_is_and_the_roll_if_there_is_one() -> None:
    words = words_of_longest_edition(GAME, "en")
    told, rolled = after(FIRST), after(6, 1, 4, die="real")
    assert told.prompt is not None
    assert rolled.prompt is not None
    assert rolled.prompt.name == told.prompt.name == "happened"
    assert (
        words.spoken_question(told.prompt, told.view)
        == f"{FIRST}, with the red cars: where do you land?"
    )
    assert words.spoken_question(rolled.prompt, rolled.view).endswith(", four: where do you land?")


# --- frames ---------------------------------------------------------------------------------------


def shown(step: int, *cues: Cue, language: str = "en") -> list[list[bool]]:
    """Return the rows 0 to 6 of an overlay."""
    frame = screens.fact_frame(cues, words_of_longest_edition(GAME, language), Cursor(), FACE, step)
    return frame_as_pixel_rows(frame)[:GAME_HEIGHT]


def lit(pixels: list[list[bool]]) -> int:
    return sum(map(sum, pixels))


def test_a_walk_has_a_picture_for_each_field_and_ends_where_the_criminal_stands() -> None:
    cue = Cue("advanced", WALK, "KO-13")
    assert screens.count_animation_pictures((cue,), FACE) == 4
    seen = [shown(step, cue) for step in range(4)]
    assert all(one != other for one, other in pairwise(seen))
    already = Cue("advanced", {**WALK, "from": 0}, "KO-13")
    assert seen[-1] == shown(0, already)


def test_a_red_space_lights_up_when_the_criminal_stands_on_it() -> None:
    of = pictures.CriminalCircle(27, 28, 27, 4, (3,))
    off, on = pictures.criminal_circle_pixels(of, 1), pictures.criminal_circle_pixels(of, 3)
    assert off < on | pictures.rectangle_pixels(26, 9, 2, 2)
    assert len(on - off) > 200


def test_the_alarm_lights_the_display_and_goes_out_when_he_leaves() -> None:
    on = Cue("on_red", {**YELLOW, "may_arrest": ["Ann"], "already": False}, "KO-15")
    off = Cue("off_red", {**YELLOW, "hunters": ["Ann"]}, "KO-15")
    half = 128 * GAME_HEIGHT // 2
    bright = [
        lit(shown(step, on)) > half for step in range(screens.count_animation_pictures((on,), FACE))
    ]
    fading = [
        lit(shown(step, off)) > half
        for step in range(screens.count_animation_pictures((off,), FACE))
    ]
    assert bright == [False, True, False, True]
    assert fading == [True, False]


def test_a_trap_card_is_face_down_until_it_is_turned_over() -> None:
    def trap(colour: str) -> Cue:
        card = {"kind": "advance", "colour": colour, "steps": 1}
        walk = {"colour": colour, "from": 0, "to": 1, "fields": 4, "red": [3]}
        return Cue("trap", {"who": "Ann", "mission": "red", "card": card, "walks": [walk]}, "KO-13")

    last = screens.count_animation_pictures((trap("red"),), FACE) - 1
    for turned in range(last):
        assert shown(turned, trap("red")) == shown(turned, trap("green"))
    assert shown(last, trap("red")) != shown(last, trap("green"))


@pytest.mark.long
def test_every_fact_has_a_frame_of_its_own_but_a_reminder_and_what_comes_to_nothing() -> None:
    words = words_of_longest_edition(GAME, "en")
    before = Cue("no_arrest", {"who": "Ann", **YELLOW}, "KO-15")
    for cue in observed_games(GAME).cues.values():
        frames = words.group_facts_by_picture((before, cue))
        if cue.name in ("rolled", "drawn"):
            assert frames == [(before,)]
        elif cue.name in ("no_traps", "no_criminal"):
            assert frames == [(before, cue)]
        else:
            assert frames == [(before,), (cue,)], cue.name


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_of_every_movement_keeps_to_its_rows(language: str) -> None:
    words = words_of_longest_edition(GAME, language)
    seen = set()
    for cues in observed_games(GAME).public_facts_grouped_by_picture(
        words_of_longest_edition(GAME, "en")
    ):
        way = fact_variant_name(FACTS, cues[0])
        if way in seen:
            continue
        seen.add(way)
        legends = {
            screens.fact_frame(cues, words, Cursor(), FACE, step)[7 * 128 :]
            for step in range(screens.count_animation_pictures(cues, FACE))
        }
        assert len(legends) == 1
    assert len(seen) > 30


def test_the_bars_come_down() -> None:
    cue = Cue("arrest", {"who": "Ann", **YELLOW, "lost": [], "arrests": 1}, "KO-15")
    steps = screens.count_animation_pictures((cue,), FACE)
    ends = [
        max(y for y, row in enumerate(shown(step, cue)) if all(row[1:54])) for step in range(steps)
    ]
    assert ends == sorted(set(ends))
    assert ends[-1] == GAME_HEIGHT - 1


def tied(players: Sequence[str]) -> Cue:
    """Return the cue of a tie of these players, with the colours of the first seats."""
    cars = dict(zip(players, COLOURS, strict=False))
    return Cue("tied", {"players": [*players], "cars": cars, "arrests": 1}, "KO-18")


def test_everybody_in_the_race_has_a_lane() -> None:
    for n in (2, 3, 4):
        cue = tied(LONG_NAMES[:n])
        early, late = shown(0, cue), shown(6, cue)
        moved = [y for y in range(GAME_HEIGHT) if early[y] != late[y]]
        gaps = [b - a for a, b in pairwise(moved) if b - a > 1]
        assert len(gaps) == n - 1


# --- the board ------------------------------------------------------------------------------------


def board(snapshot: Snapshot, page: int = 0) -> list[list[bool]]:
    return frame_as_pixel_rows(
        screens.standing_frame(
            snapshot, words_of_longest_edition(GAME, "en"), Cursor(page=page), FACE
        )
    )


def test_each_page_of_the_board_tells_another_detective_what_to_do() -> None:
    snapshot = after(*POSTED)
    first, second = board(snapshot), board(snapshot, 1)
    assert FACE.pages.count(snapshot) == 2
    assert first[:48] == second[:48]
    assert first[48:56] != second[48:56]
    assert first[56:] != second[56:]
    assert board(snapshot, 2) == first


def test_the_first_page_of_the_board_is_that_of_whoever_acts() -> None:
    ann, bob = after(*POSTED), after(*POSTED, QUIET)
    assert board(ann) == board(bob, 1)
    assert board(ann, 1) == board(bob)


def test_the_board_shows_who_hunts_whom_a_warrant_a_criminal_and_an_arrest() -> None:
    moves = (
        POSTED[:2],
        POSTED[:4],
        POSTED,
        (*POSTED, "trap", "red", "advance:red:1"),
        (*POSTED, *RED),
        (*POSTED, *RED, QUIET, "entrance"),
        (*POSTED[:3], "mission", "yellow"),
        (*POSTED[:3], "mission", "blue"),
    )
    seen = [board(after(*answers))[:48] for answers in moves]
    assert all(one != two for i, one in enumerate(seen) for two in seen[:i])


def test_of_four_detectives_on_one_file_each_is_named_on_a_page_and_the_others_are_counted() -> (
    None
):
    view = dict(after(FIRST, n=4).view)
    view["mission"] = dict.fromkeys(LONG_NAMES[:4], "red")
    four = replace(after(FIRST, n=4), view=view)
    first = LONG_NAMES.index(view["to_act"])
    for page in range(4):
        with draw_frames_on_recording_canvas():
            screens.standing_frame(
                four, words_of_longest_edition(GAME, "en"), Cursor(page=page), FACE
            )
        beside = [text for row, _, text, _ in RecordingCanvas.last.texts if row in (1, 2)]
        assert beside == [LONG_NAMES[(first + page) % 4][:5], "+3"]


def test_the_board_has_no_name_of_two_letters() -> None:
    names = ("Crocker", "Rizzo", "Saperstein", "Stavros")
    view = dict(after(FIRST, n=4).view)
    view["mission"] = dict(zip(names, ("red", "red", "red", "blue"), strict=True))
    view["warrant"], view["may_arrest"] = dict.fromkeys(names, True), ["Saperstein"]
    assert _team(view, "red", "Stavros") == ["Saper!", "+2"]
    assert _team(view, "red", "Crocker") == ["Crock■", "+2"]
    assert _team(view, "blue", "Crocker") == ["Stavr■"]


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_title_of_the_alarm_leaves_room_for_the_clause(language: str) -> None:
    words = words_of_longest_edition(GAME, language)
    for cue in observed_games(GAME).cues.values():
        if cue.name in ("on_red", "off_red", "trap", "tied"):
            first, *_ = wrap_text(words.fact_title(cue), 16)
            assert len(first) + 1 + len(cue.clause or "") <= COLUMNS
        if cue.name == "mission" and cue.facts["kept"]:
            assert len(words.fact_text_below_title(cue)) + 1 + len(cue.clause or "") <= COLUMNS
        if cue.name in ("advanced", "arrest", "six_rolled"):
            assert all(len(row) <= 11 for row in re.split(r"\|", words.fact_text_below_title(cue)))
            assert len(words.fact_title(cue)) <= 8


@pytest.mark.long
def test_a_long_name_or_a_foreign_letter_never_breaks_a_frame() -> None:
    """A record of another program may contain such names."""
    players = ("Ärger Über-Łódź 李明 " * 2, "x" * 40, "a|b|c|d", "Y " * 20)
    game, words, rng = find_game(GAME), words_of_longest_edition(GAME, "fr"), random.Random(3)
    state = game.setup(players, {**TOLD, "short": "yes"}, longest_edition(GAME))
    while (prompt := first_prompt_of_form(game.ask(state))) is not None:
        view = game.view(state, None)
        table = Snapshot(GAME, players, TOLD, prompt, view, (), 9, 9, 0, None, "A", None)
        assert screens.question_frame(table, prompt, Cursor(), words, FACE)
        assert screens.standing_frame(table, words, Cursor(page=rng.randrange(4)), FACE)
        state, cues = apply_answer_to_prompt(game, state, prompt, random_answer(prompt, rng))
        for moment in words.group_facts_by_picture(cues):
            assert screens.fact_frame(
                moment, words, Cursor(), FACE, screens.count_animation_pictures(moment, FACE) - 1
            )
    over = replace(table, prompt=None, outcome=game.outcome(state), view=game.view(state, None))
    assert screens.standing_frame(over, words, Cursor(), FACE)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_lane_of_the_race_holds_even_a_name_that_is_too_long(n: int) -> None:
    for names in (["x" * 40] * n, ["a|b|c"] * n, ["Y " * 20] * n):
        red = Cue("on_red", {**YELLOW, "may_arrest": names, "already": False}, "KO-15")
        assert lit(shown(0, tied(names))) > 0
        assert lit(shown(1, red)) > 0


def test_where_a_car_of_the_box_s_is_to_be_driven_is_said_of_every_space_in_four_rows() -> None:
    for language in LANGUAGES:
        words = words_of_longest_edition(GAME, language)
        for value in {value for reached in ANSWERS_OF_STAGE.values() for value in reached} - {
            "blocked"
        }:
            for who in LONG_NAMES[:2]:
                given = {"who": who, "car": "yellow", "question": "happened", "value": value}
                wish = Cue("wish", given)
                assert len(wrap_text(words.fact_text(wish), COLUMNS)) <= 4
                assert who not in words.fact_text(wish)  # the player's name is the title
                assert (
                    words.fact_speech(wish).count(who)
                    == words.fact_speech(wish, "short").count(who)
                    == 1
                )
