"""Tests of explanations: a hold of OK explains the frame, or the effect of the selected answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from companion.catalog import registry
from companion.core.game import Cue
from companion.draw import screens
from companion.press.cursor import Cursor
from companion.say.facts import FactPresentation
from companion.say.words import LANGUAGES, WordingFunctions, Words
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from hardware.ports import DOWN, OK, UP
from tests.box.test_in_step import HIDDEN, has_news, until
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, setup_for, words_for

BARNEY = OWN_PARTS_OPTIONS | {"track": "ask"}
KOJAK = {"deck": "own", "die": "none", "short": "no", "beside": "fetched"}


def explained(drive: Drive) -> list[str]:
    """Return the rulings that a hold of OK shows, in the order of their pages."""
    drive.press(OK, seconds=1.1)
    (why, *_) = drive.moments
    assert {cue.name for cue in why.cues} == {"why"}
    return [str(cue.facts["ruling"]) for cue in why.cues]


def names(game: str, *cues: Cue) -> tuple[str, ...]:
    return words_for(game, "en").clauses_explaining_facts(cues)


def round_won() -> Drive:
    """Return a game of Barney Miller in which a round was just won on a gang's space."""
    setup = setup_for(BARNEY, players=("Fish", "Harris"))
    drive = Drive(begin_game(setup))
    drive.resume()
    while (
        drive.session.standing.pending_prompt is not None
        and drive.session.standing.pending_prompt.name != "space"
    ):
        drive.skip()
        drive.press(OK)
    drive.skip()
    drive.choose("insufficient_evidence")
    drive.skip()
    while drive.session.standing.snapshot.view["round"] == 1:
        drive.choose(9)
    return drive


def test_a_frame_explains_its_own_clause_first_and_then_the_most_particular() -> None:
    drive = round_won()
    while drive.front.name != "round_won":
        drive.press(OK)
    assert explained(drive) == ["BM-7", "BM-9.insufficient_evidence", "BM-5"]


def test_why_is_spoken_as_far_as_it_is_shown_and_hushes_when_it_is_left() -> None:
    drive = round_won()
    while drive.front.name != "round_won":
        drive.press(OK)
    before = len(drive.speaker.heard)
    drive.press(OK, seconds=1.1)
    first = drive.speaker.heard[before:]
    assert first[-1].startswith("en: Harris had ") or first[-1].startswith("en: Fish had ")
    assert "A total of ten wins" in first[-1]
    assert len([said for said in first if said.startswith("en: ")]) == 1
    drive.press(DOWN)
    assert "Insufficient Evidence" in drive.speaker.heard[-1]
    assert drive.speaker.heard[-2] == "hush"
    drive.press(OK)
    assert drive.speaker.heard[-1] == "hush"


def test_the_pages_of_why_are_turned_and_ok_leads_back_to_the_frame() -> None:
    drive = round_won()
    while drive.front.name != "round_won":
        drive.press(OK)
    before = drive.frame
    explained(drive)
    first = drive.frame
    drive.press(DOWN)
    second = drive.frame
    drive.press(UP)
    assert (drive.frame, drive.front.name) == (first, "why")
    drive.press(DOWN, DOWN, DOWN)
    assert drive.frame == first != second
    drive.press(OK)
    assert drive.front.name == "round_won"
    assert drive.frame == before


def test_a_question_explains_the_answer_under_the_cursor_before_the_last_rulings() -> None:
    setup = setup_for(BARNEY, players=("Fish", "Harris"))
    drive = Drive(begin_game(setup))
    drive.resume()
    while (
        drive.session.standing.pending_prompt is not None
        and drive.session.standing.pending_prompt.name != "space"
    ):
        drive.skip()
        drive.press(OK)
    drive.skip()
    for space in ("arrest_warrant", "positive_identification", "start", "gang:bears"):
        drive.turn_to(space)
        assert explained(drive)[0] == f"BM-9.{space.partition(':')[0]}"
        drive.press(OK)
        prompt = drive.session.standing.pending_prompt
        assert prompt is not None
        assert prompt.name == "space", "the explained space was chosen"


def test_what_is_under_the_cursor_of_a_question_out_of_turn_is_asked_about_likewise() -> None:
    drive = Drive(begin_game(setup_for(KOJAK, game="kojak", players=("Kojak", "Rizzo"))))
    drive.resume()
    drive.choose("Kojak")
    drive.skip()
    drive.turn_to("mission")
    assert explained(drive)[0] == "KO-7"
    drive.press(OK)
    drive.turn_to("blocked")
    assert explained(drive)[0] == "KO-6"


@pytest.mark.parametrize(
    ("game", "cue", "rulings"),
    [
        ("probe", Cue("scored", {"why": "no_dot"}, "PR-10"), ("PR-10",)),
        (
            "probe",
            Cue("drawn", {"card": {"kind": "times", "n": 3}, "rack": None}, "PR-5"),
            ("PR-5.times",),
        ),
        ("kojak", Cue("no_arrest", {}, "KO-15"), ("KO-15.no_arrest",)),
        (
            "kojak",
            Cue("trap", {"card": {"kind": "back", "colour": "red", "steps": 2}}, "KO-13"),
            ("KO-13.back",),
        ),
        ("kojak", Cue("trap", {"card": {"kind": "kojak"}}, "KO-14"), ("KO-14",)),
        ("baretta", Cue("turned", {"card": "move:5"}, "BA-7"), ("BA-12.move", "BA-7")),
        ("baretta", Cue("turned", {"card": "hunch"}, "BA-7"), ("BA-13", "BA-7")),
        (
            "baretta",
            Cue("nothing", {"why": "no_marked", "space": "hideout"}, "BA-11"),
            ("BA-17.no_marked", "BA-10.unmark", "BA-11"),
        ),
    ],
)
def test_each_card_corner_and_penalty_has_a_ruling_of_its_own(
    game: str, cue: Cue, rulings: tuple[str, ...]
) -> None:
    assert names(game, cue) == rulings


def test_a_moment_in_front_of_a_curtain_is_explained_as_its_legend_says() -> None:
    drive = until("baretta", HIDDEN, has_news)
    assert drive.table.curtain is not None
    with draw_frames_on_recording_canvas():
        drive.draw_table_frame()
    assert "hold: why?" in " ".join(
        text for row, _, text, _ in RecordingCanvas.last.texts if row == 7
    )
    assert explained(drive)


EVERY: Final = {
    "barney-miller": [
        ("space", kind)
        for kind in (
            *("gang:bears", "positive_identification", "arrest_warrant"),
            *("insufficient_evidence", "start"),
        )
    ],
    "baretta": [
        *(("card", f"{kind}:5") for kind in ("move", "go_to", "arrest")),
        *(("card", kind) for kind in ("stay_put", "wounded", "in_trouble", "hunch")),
    ],
    "kojak": [
        *(("order", f"{way}:red:2") for way in ("advance", "back")),
        *(("order", f"{way}:red") for way in ("stay", "to_red")),
        *(("card", card) for card in ("kojak", "lose_turn")),
    ],
    "probe": [
        *(("card", "normal"), ("card", "times 3"), ("card", "points 20"), ("card", "own_dot")),
        *(("card", "additional"), ("card", "left_uncovers"), ("ask_for", ".")),
    ],
}
"""Answers that are each kind of space, card and order, and the dot that costs points."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", EVERY)
def test_each_kind_of_space_card_and_order_has_a_sentence_of_its_own(
    game: str, language: str
) -> None:
    words = words_for(game, language)
    told = [
        words.clause_text(words.clauses_for_answer_effect(*what, {})[0]) for what in EVERY[game]
    ]
    assert len({*told}) == len(told)


def test_a_waiting_car_in_kojak_is_told_that_it_must_arrive_anew() -> None:
    (ruling,) = names("kojak", Cue("no_arrest", {}, "KO-15"))
    assert "must leave and come back" in words_for("kojak", "en").clause_text(ruling)


def test_a_dot_asked_in_vain_is_explained_by_its_price_before_the_no() -> None:
    said, scored = Cue("said_no", {}, "PR-4"), Cue("scored", {"why": "no_dot"}, "PR-10")
    assert names("probe", said, scored) == ("PR-10", "PR-4")


@pytest.mark.parametrize(
    ("game", "question", "value", "ruling"),
    [
        ("baretta", "move_to", "hideout", "BA-10.unmark"),
        ("baretta", "move_to", "apartment", "BA-10.take_back"),
        ("baretta", "card", "wounded", "BA-12.wounded"),
        ("baretta", "card", "go_to:apartment", "BA-12.go_to"),
        ("baretta", "hunch", "pass", "BA-13.pass"),
        ("kojak", "order", "advance:red:2", "KO-13.advance"),
        ("kojak", "card", "kojak", "KO-14"),
        ("kojak", "happened", "entrance", "KO-15.no_arrest"),
        ("probe", "card", "times 3", "PR-5.times"),
        ("probe", "card", "points -20", "PR-5.points"),
        ("probe", "ask_for", ".", "PR-10"),
        ("barney-miller", "zero", "play", "BM-8"),
    ],
)
def test_the_glossary_says_what_a_card_or_a_space_does(
    game: str, question: str, value: str, ruling: str
) -> None:
    assert words_for(game, "en").clauses_for_answer_effect(question, value, {})[0] == ruling


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_every_ruling_of_the_catalogue_is_whole_on_its_page(game: str, language: str) -> None:
    words = words_for(game, language)
    catalogue = registry.game_file_path(game, "locale") / language / "LC_MESSAGES" / f"{game}.po"
    found = re.findall(rf'msgid "{game}\.rule\.(\S+)"', Path(catalogue).read_text("utf-8"))
    assert len(found) > 10
    for name in found:
        whys = (Cue("why", {"ruling": name}, name.partition(".")[0]),) * 2
        with draw_frames_on_recording_canvas():
            screens.fact_frame(whys, words, Cursor(), None)
        shown = " ".join(RecordingCanvas.last.words_above_bottom_row)
        assert words.clause_text(name).replace("\u00a0", " ") in shown.replace("\u00a0", " "), name


def test_the_fact_that_people_argue_about_is_explained_and_not_the_last_with_a_clause() -> None:
    told = (Cue("doubted", {}, "LD-4"), Cue("lost", {}, "LD-6"), Cue("next", {}, "LD-7"))
    led = Words("en", WordingFunctions(facts={"doubted": FactPresentation(headline=True)}))
    assert led.fact_to_explain_first(told) == told[0]
    assert led.clauses_explaining_facts(told) == ("LD-4", "LD-7", "LD-6")
    assert Words("en").fact_to_explain_first(told) == told[-1]
    assert Words("en").clauses_explaining_facts(told) == ("LD-7", "LD-6", "LD-4")
    cited = {
        "doubted": FactPresentation(headline=True),
        "lost": FactPresentation(cites=lambda *_: ("LD-6.die",)),
    }
    assert Words("en", WordingFunctions(facts=cited)).clauses_explaining_facts(told) == (
        "LD-6.die",
        "LD-7",
        "LD-4",
    )
