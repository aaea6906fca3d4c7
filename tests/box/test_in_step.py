"""Tests of speech and display together: behind curtains, with real cards, after a victory."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest

from companion.box.face_errors import guarded_face_and_words
from companion.catalog.registry import BUILT_IN_GAMES, find_game
from companion.core.fold import apply_answer_to_prompt
from companion.core.game import Cue
from companion.core.prompts import Form, first_prompt_of_form, is_answered_by_box
from companion.draw.face import load_face
from companion.hear.policy import announcement_steps, audio_settings_at_hour, sentences_among_steps
from companion.menus.settings import settings_with_defaults
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from companion.table.overlays import MIN_OVERLAY_SECONDS, SECONDS_PER_WORD, make_overlay
from companion_testing import play_random_game, tables_of_all_option_combinations
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from tests.helpers import (
    PLAYER_NAMES,
    VIRTUAL_PARTS_OPTIONS,
    Drive,
    begin_game,
    printed_edition,
    setup_for,
    words_for,
)
from tests.table.test_statistics_pages import last_press

ARREST = {"who": "Ann", "colour": "yellow", "place": "city_hall"}
HIDDEN = {
    "deck": "virtual",
    "dice": "companion",
    "wounded": "up",
    "criminals": "choose",
    "cutting": "yes",
}


def until(game: str, options: dict[str, str], stop: Callable[[Session], bool]) -> Drive:
    """Return a box on which the next answer makes `stop` true."""
    for seed in range(50):
        rng, given = Random(seed), []
        setup = setup_for(options, game=game, players=PLAYER_NAMES[:3], seed=str(seed))
        session = Session.begin(Journal(None), setup, 0)
        while (prompt := session.standing.pending_prompt) is not None:
            given.append(random_answer(prompt, rng))
            session.answer(given[-1], 0)
            if stop(session):
                drive = Drive(begin_game(setup, given[:-1]))
                drive.resume()
                drive.skip()
                drive.speaker.heard.clear()
                drive.choose(given[-1])
                return drive
    raise AssertionError(game)


def has_news(session: Session) -> bool:
    """Return True if a player has just placed a card and may look at it alone."""
    return any(
        cue.name == "placed" and cue.to is not None for cue in session.standing.snapshot.cues
    )


def spoken(drive: Drive) -> list[str]:
    return [what for what in drive.speaker.heard if what.startswith("en")]


def test_nothing_is_said_of_the_next_turn_before_somebody_has_looked_at_the_news() -> None:
    drive = until("baretta", HIDDEN, has_news)
    assert drive.session.standing.pending_prompt is not None
    asked = str(drive.session.standing.pending_prompt.who)
    drive.skip()
    assert drive.table.curtain is not None
    assert not any("where does Baretta go" in what for what in spoken(drive))
    drive.press("back")
    assert drive.table.curtain is None
    assert spoken(drive)[-1].startswith(f"en: {asked}")


def test_who_sits_down_is_called_by_the_first_question() -> None:
    options = {option.name: option.values[0] for option in find_game("barney-miller").options}
    drive = Drive(begin_game(setup_for({**options, "die": "real"}, players=PLAYER_NAMES[:2])))
    drive.resume()
    assert spoken(drive)[-1] == "en: Fish, roll the die."


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_whoever_is_asked_is_called_by_name_in_every_question(name: str, language: str) -> None:
    game, random, words = find_game(name), Random(1), words_for(name, language)
    for seats in (2, 3):
        options = {option.name: random.choice(option.values) for option in game.options}
        state = game.setup(PLAYER_NAMES[:seats], options, printed_edition(name))
        while (prompt := first_prompt_of_form(game.ask(state))) is not None:
            if not is_answered_by_box(prompt) and prompt.who is not None:
                assert prompt.who in words.spoken_question(prompt, game.view(state, None))
            state, _ = apply_answer_to_prompt(game, state, prompt, random_answer(prompt, random))


ORDER: Final[dict[str, Any]] = {"kind": "advance", "colour": "red", "steps": 2}
DRAWN: Final = (
    ("barney-miller", Cue("dealt", {"how": "begin", "cards": 5, "deal": 1, "own": False}, "BM-3")),
    ("baretta", Cue("wounded", {"who": "Ann", "card": "move:5"}, "BA-12")),
    ("kojak", Cue("trap", {"who": "Ann", "card": ORDER}, "KO-13")),
    (
        "probe",
        Cue("drawn", {"who": "Ann", "card": {"kind": "times", "n": 3}, "rack": None}, "PR-5"),
    ),
)
"""Events that happen only if the box deals and draws the cards."""


@pytest.mark.parametrize(("game", "fact"), DRAWN)
def test_with_real_cards_nothing_sounds_as_if_the_box_had_drawn(game: str, fact: Cue) -> None:
    options = {option.name: option.values[0] for option in find_game(game).options}
    for deck in ("own", "virtual"):
        _, words = guarded_face_and_words(
            setup_for({**options, "deck": deck}, game=game, players=PLAYER_NAMES[:2])
        )
        assert (words["en"].fact_sound_name(fact) is None) == (deck == "own")


RED: Final = {"colour": "red", "place": "bank", "already": False}
CORNER: Final = {
    "who": "Ann", "from": "17", "to": "station", "kind": "corner", "does": "roll_again",
    "by": "roll", "vain": False,
}  # fmt: skip
FIRST: Final = (
    ("barney-miller", Cue("moved", {"kind": "gang", "gang": "molls"}, "BM-5")),
    ("barney-miller", Cue("round_won", {"who": "Ann", "how": "over"}, "BM-7")),
    ("barney-miller", Cue("captured", {"who": "Ann"}, "BM-9")),
    ("barney-miller", Cue("game_won", {"who": "Ann", "how": "chips"}, "BM-12")),
    ("baretta", Cue("moved", CORNER, "BA-6")),
    ("baretta", Cue("turned", {"who": "Ann", "card": "move:5"}, "BA-7")),
    ("baretta", Cue("arrest", {"winner": "Ann"}, "BA-14")),
    ("baretta", Cue("game_won", {"who": "Ann", "how": "landed"}, "BA-14")),
    ("kojak", Cue("on_red", {**RED, "may_arrest": ["Ann"]}, "KO-15")),
    ("kojak", Cue("off_red", {**RED, "hunters": ["Ann"]}, "KO-15")),
    ("kojak", Cue("trap", {"card": {"kind": "kojak"}}, "KO-14")),
    ("kojak", Cue("game_won", {"who": "Ann", "how": "most"}, "KO-18")),
    ("probe", Cue("scored", {"who": "Ann", "points": -50, "why": "no_dot"}, "PR-10")),
    ("probe", Cue("drawn", {"card": {"kind": "times", "n": 3}, "rack": None}, "PR-5")),
    ("probe", Cue("game_over", {"winners": ["Ann"]}, "PR-14")),
)
"""Events that are never dropped: danger, scores, effects of spaces and cards, victory."""
LAST: Final = (
    ("barney-miller", Cue("rolled", {"who": "Ann", "dice": [3]}, "BM-5")),
    ("baretta", Cue("rolled", {"who": "Ann", "dice": [3, 4]}, "BA-6")),
    ("kojak", Cue("rolled", {"who": "Ann", "dice": [3]}, "KO-5")),
    ("kojak", Cue("six_rolled", {"who": "Ann", "car": "red"}, "KO-5")),
    ("probe", Cue("begins", {"who": "Ann"}, "PR-1")),
)
"""Events that the next question repeats, such as a roll or the first player."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("game", "fact"), FIRST)
def test_danger_points_and_what_a_space_does_are_never_dropped(game: str, fact: Cue) -> None:
    assert words_for(game, "en").variant_row_of_fact(fact).priority


@pytest.mark.parametrize(("game", "fact"), LAST)
def test_what_the_next_question_says_too_is_dropped_first(game: str, fact: Cue) -> None:
    assert words_for(game, "en").variant_row_of_fact(fact).skippable


def heard(game: str, language: str, *facts: Cue) -> list[str]:
    """Return the sentences about events that happen together."""
    words, now = (
        words_for(game, language),
        audio_settings_at_hour(settings_with_defaults({}, "en"), 12),
    )
    return [
        step.text
        for step in sentences_among_steps(announcement_steps(facts, lambda _: words, now, None))
    ]


@pytest.mark.parametrize(("language", "told"), [("en", "ten"), ("fr", "dix")])
@pytest.mark.parametrize(("value", "own"), [(4, True), (4, False), (10, False)])
def test_that_ten_was_made_is_said_once(language: str, told: str, value: int, *, own: bool) -> None:
    card = {"who": "Ann", "value": value, "total": 10, "forced": False, "own": own}
    won = {"who": "Ann", "last": "Ann", "value": value, "total": 10, "round": 1, "how": "ten"}
    cards = Cue("card_played", card, "BM-6"), Cue("round_won", won, "BM-7")
    (once,) = heard("barney-miller", language, *cards)
    assert told in once.lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_rolls_next_is_said_only_by_the_question_whether_they_do(language: str) -> None:
    assert heard("barney-miller", language, Cue("next_roller", {"who": "Ann"}, "BM-5")) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", BUILT_IN_GAMES)
def test_nothing_is_told_after_the_victory(name: str) -> None:
    every = [*tables_of_all_option_combinations(find_game(name), printed_edition(name))]
    for table in every[:: len(every) // 4]:
        last = play_random_game(table, 1).moves[-1]
        assert load_face(name).facts[last.cues[-1].name].shown_in_final_score


CARD: dict[str, Any] = {"name": "own_dot", "kind": "own_dot", "n": 0}
WENT = {"who": "Ann", "from": "17", "to": "d3", "kind": "shortcut", "does": None, "by": "roll",
        "vain": False}  # fmt: skip
CHOSEN: tuple[tuple[str, Cue], ...] = (
    ("baretta", Cue("moved", WENT, "BA-6")),
    ("baretta", Cue("moved", {**WENT, "to": "13", "kind": "outside", "by": "guess"}, "BA-13")),
    ("baretta", Cue("kept_quiet", {"who": "Ann", "space": "9"}, "BA-13")),
    ("probe", Cue("drawn", {"who": "Ann", "card": {"kind": "normal"}, "rack": None}, "PR-5")),
)
"""Events that a player has just chosen, or that happen in every turn."""
NOTHING: tuple[tuple[str, Cue], ...] = (
    ("baretta", Cue("nothing", {"who": "Ann", "space": "9", "why": "empty"}, "BA-17")),
    ("kojak", Cue("no_criminal", {"who": "Ann", "colour": "red"}, "KO-20")),
    ("probe", Cue("card_idle", {"who": "Ann", "card": CARD, "rack": None}, "PR-5")),
    ("probe", Cue("nobody_to_ask", {"who": "Ann"}, "PR-4")),
    ("probe", Cue("shuffled", {"n": 36, "own": False}, "PR-5")),
)
"""Events without an effect."""
LEAD: Final = {
    "baretta": Cue("in_vain", {"who": "Bob"}),
    "kojak": Cue("trap", {"card": {"kind": "advance"}}),
    "probe": Cue("begins", {"who": "Ann"}),
}


@pytest.mark.parametrize(("game", "fact"), CHOSEN + NOTHING)
def test_no_frame_says_only_what_was_chosen_or_that_nothing_happened(game: str, fact: Cue) -> None:
    assert words_for(game, "en").group_facts_by_picture((fact,)) == []


@pytest.mark.parametrize(("game", "fact"), NOTHING)
def test_what_came_to_nothing_is_a_line_under_what_led_to_it(game: str, fact: Cue) -> None:
    assert words_for(game, "en").group_facts_by_picture((LEAD[game], fact)) == [(LEAD[game], fact)]


def test_a_new_game_begins_without_a_page_of_how_it_stands() -> None:
    drive = Drive()
    drive.walk("new", "these 2", "start")
    assert not drive.table.overlays.is_score_in_front


# --- the display ----------------------------------------------------------------------------------


def shown(drive: Drive) -> str:
    """Return the texts on the display, row by row."""
    with draw_frames_on_recording_canvas():
        drive.draw_table_frame()
    return " ".join(text for _, _, text, _ in sorted(RecordingCanvas.last.texts))


def test_a_curtain_says_what_the_box_is_wanted_for() -> None:
    drive = Drive(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, players=PLAYER_NAMES[:2])))
    drive.resume()
    drive.skip()
    prompt, words = drive.table.menu_or_game_prompt, drive.loop.shown_screen_words()
    assert prompt is not None
    assert prompt.private
    wanted = words.reason_for_private_question(prompt, drive.session.standing.snapshot.view)
    assert wanted
    assert wanted.replace(" ", "") in shown(drive).replace(" ", "")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["barney-miller", "probe"])
def test_each_secret_question_has_a_curtain_of_its_own(name: str, language: str) -> None:
    words, every = (
        words_for(name, language),
        [*tables_of_all_option_combinations(find_game(name), printed_edition(name))],
    )
    own = [table for table in every if table.options.get("opens", "owner") == "owner"]
    moves = [move for table in own[:: len(own) // 4] for move in play_random_game(table, 1).moves]
    secret = [move for move in moves if not isinstance(move.prompt, Form) and move.prompt.private]
    assert len({move.prompt.name for move in secret}) == 2
    for move in secret:
        assert not isinstance(move.prompt, Form)
        wanted = words.reason_for_private_question(
            move.prompt, find_game(name).view(move.before, None)
        )
        assert wanted not in ("", words("box.curtain.any"))


def test_in_silence_a_frame_stays_by_its_words_and_else_by_what_is_heard() -> None:
    words, cue = words_for("kojak", "en"), Cue("no_arrest", ARREST, "KO-15")
    silent, spoken = (
        audio_settings_at_hour({**settings_with_defaults({}, "en"), "silent": silent}, 12)
        for silent in (True, False)
    )
    read, heard = (make_overlay((cue,), words, None, now) for now in (silent, spoken))
    assert (read.read, read.letters) == (words.fact_word_count(cue), 0)
    assert read.duration_seconds == max(
        MIN_OVERLAY_SECONDS, words.fact_word_count(cue) * SECONDS_PER_WORD
    )
    assert heard.letters == len(words.fact_speech(cue))


def test_who_has_won_stands_on_one_frame_with_the_game_and_all_scores_and_on_no_other() -> None:
    drive = last_press(None)
    assert not any(moment.lead_fact.name == "game_won" for moment in drive.moments)
    drive.skip()
    outcome, text = drive.session.standing.snapshot.outcome, shown(drive)
    assert outcome is not None
    assert outcome.winners[0].upper() in text
    assert "Kojak" in text
    assert all(who in text for who in outcome.scores)


def test_each_of_two_racks_is_called_by_its_own_name() -> None:
    options = {option.name: option.values[0] for option in find_game("probe").options}
    drive = Drive(begin_game(setup_for(options, game="probe")))
    drive.resume()
    called = [spoken(drive)[-1]]
    for _ in range(3):
        drive.press("ok")
        called.append(spoken(drive)[-1])
    assert len(set(called)) == len(called)
    assert all(
        who in heard for who, heard in zip(("Fish",) * 2 + ("Harris",) * 2, called, strict=True)
    )
