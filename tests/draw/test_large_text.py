"""Tests of large letters: the active player and the important number, each in its place."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.prompts import Choose
from companion.draw import large_text, screens
from companion.draw.canvas import Canvas
from companion.draw.face import load_face
from companion.games.barney_miller.shown import track
from companion.games.kojak.shown.pictures import CriminalCircle, filled_criminal_circle_pixels
from companion.games.probe.shown import racks
from companion.press.cursor import Cursor
from companion.press.wheel import wheel_answers_and_symbols
from companion.say.words import LANGUAGES
from companion_testing.face_recording import RecordingCanvas
from hardware.display.frame_conversions import frame_as_pixel_rows
from tests.helpers import Drive, session_words
from tests.scenes import SCENES, kojak
from tests.scenes.barney_miller import TOLD, at, hand


@pytest.fixture(autouse=True)
def _written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Record the texts of each frame."""
    monkeypatch.setattr(screens, "Canvas", RecordingCanvas)


def written(face: str) -> list[str]:
    """Return the texts of the last frame in one font, from the top."""
    return [text for *_, text, used in sorted(RecordingCanvas.last.texts) if used == face]


def read(name: str, width: int, pages: int) -> str:
    return large_text.largest_fitting_font_name(name, width, pages)


def test_a_name_is_as_large_as_it_fits() -> None:
    assert read("WOJEHOWICZ", 128, 3) == "tall"
    assert read("WOJEHOWICZ", 128, 2) == "wide"
    assert read("WOJEHOWICZ", 104, 3) == "medium"
    assert read("FISH", 104, 3) == "tall"
    assert read("FISH", 128, 1) == read("W" * 40, 128, 5) == "small"


def test_a_name_that_is_too_long_for_any_font_ends_with_an_ellipsis() -> None:
    canvas = RecordingCanvas()
    large_text.draw_player_name(canvas, "Maximilian Ferdinand von Hohenburg")
    assert written("small") == ["MAXIMILIAN FERDINAND…"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_total_is_the_large_figure_and_the_card_under_the_thumb_stands_in_the_sum(
    language: str,
) -> None:
    drive = at(language, "gang:molls", 1)
    for card, added in ((2, "+2=3"), (9, "+9=10 ★"), (10, "+10=11 ✗"), (0, "+0=1")):
        drive.turn_to(card)
        assert (written("large"), written("tall"), written("wide")) == (["1"], ["HARRIS"], [added])


def test_only_ok_changes_the_large_total() -> None:
    drive = at("en", "gang:molls", 1)
    drive.turn_to(4)
    drive.press("up", "down", "down")
    assert written("large") == ["1"]
    drive.choose(4)
    assert written("large") == ["5"]


def test_the_total_is_shown_after_an_undo_and_on_resuming() -> None:
    drive = at("en", "gang:molls", 1, 4)
    assert written("large") == ["5"]
    drive.press("back", seconds=1.0)
    drive.skip()
    assert written("large") == ["1"]


def test_at_ten_the_total_and_whose_zero_is_asked_for_stand_above_the_answers() -> None:
    at("en", "gang:molls", 8, 2)
    assert (written("large"), written("medium")) == (["10"], ["WOJEHOWICZ"])
    assert written("small")[2:5] == ["play a 0", "▸", "no"]


def test_a_curtain_before_a_card_shows_the_total_and_who_takes_the_box() -> None:
    hand("en")
    assert (written("large"), written("tall")) == (["0"], ["FISH"])


def test_a_player_who_picks_from_a_short_list_stands_above_it_in_large_letters() -> None:
    assert SCENES["free_list"]("en").frame
    assert (written("tall"), written("small")[2:5]) == (
        ["HARRIS"],
        ["▸", "Shopping Molls", "Riding Hoods"],
    )


def rolling(**options: str) -> Drive:
    return at("en", options={**TOLD, "track": "edition", **options})


def test_before_a_roll_the_track_runs_round_the_name_and_the_pawn_is_inverted() -> None:
    drive = rolling()
    assert written("tall") == ["YEMANA"]
    view = drive.session.standing.snapshot.view
    x, y = track.drawn_space_positions(len(view["track"]))[view["pawn"]]
    lit = frame_as_pixel_rows(drive.frame)
    assert all(
        lit[y + dy][x - 1] and lit[y + dy][x + track.SPACE_SIDE] for dy in range(track.SPACE_SIDE)
    )
    assert not any(lit[y][x : x + track.SPACE_SIDE])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("n", range(7, track.MAX_SPACES + 1))
def test_the_spaces_of_a_track_of_any_length_touch_neither_each_other_nor_the_name(n: int) -> None:
    places = track.drawn_space_positions(n)
    assert len({*places}) == n
    canvas = Canvas()
    large_text.draw_player_name(canvas, "W" * 9)
    for x, y in places:
        lit = frame_as_pixel_rows(canvas.frame)
        assert not any(
            lit[y + dy][x + dx] for dx in range(track.SPACE_SIDE) for dy in range(track.SPACE_SIDE)
        )
        canvas.invert_rectangle(x, y, track.SPACE_SIDE, track.SPACE_SIDE)


def test_a_track_that_is_not_known_or_too_long_leaves_the_name_alone() -> None:
    def ring(spaces: Any) -> bytes:
        canvas = Canvas()
        track.draw_track(canvas, {"track": spaces, "pawn": 0})
        return canvas.frame

    assert ring(None) == ring([]) == ring([{"kind": "start"}] * 99) == bytes(1024)
    assert ring([{"kind": "start"}] * 7) != bytes(1024)


# --- Kojak ----------------------------------------------------------------------------------------


def test_while_kojak_waits_for_a_roll_the_circles_stand_above_the_name() -> None:
    hunt = (3, "mission", "red", 3, "nothing", 3, "parked", 3, "nothing", 3, "station")
    drive = kojak.at("en", 6, 1, *hunt, 3, "nothing", options={"die": "real"})
    view = drive.session.standing.snapshot.view
    assert written("tall") == ["ANN"]
    assert [text for page, *_, text, _ in RecordingCanvas.last.texts if page < 3] == [
        "R", "A", "■", "Y", "B", "G",
    ]  # fmt: skip
    circles = Canvas()
    for i, colour in enumerate(("red", "yellow", "blue", "green")):
        of = CriminalCircle(11 + 32 * i, 11, 11, view["fields"][colour], tuple(view["red"][colour]))
        circles.set_pixels(filled_criminal_circle_pixels(of, view["circle"][colour]))
    for above, drawn_ in zip(
        frame_as_pixel_rows(circles.frame)[:24], frame_as_pixel_rows(drive.frame)[:24], strict=True
    ):
        assert all(above[x] == drawn_[x] for x in range(128) if x % 32 < 23)


def test_a_circle_is_light_only_while_its_criminal_stands_on_red() -> None:
    of = CriminalCircle(11, 11, 11, 4, (2,))
    light = [len(filled_criminal_circle_pixels(of, at)) for at in range(4)]
    assert light.index(max(light)) == 2
    assert max(light) > 1.9 * sorted(light)[-2]


def test_where_a_car_has_come_to_is_asked_below_the_name_and_above_what_is_to_be_done() -> None:
    assert SCENES["kojak_hunting"]("en").frame
    assert written("wide") == ["ANN"]
    assert "Red: on to traps" in written("small")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("language", "colour", "order"),
    [("en", "RED", "Advance red by 3"), ("fr", "ROUGE", "Avancez rouge de 3")],
)
def test_the_order_of_a_trap_card_is_large_with_the_colour_beside_it(
    language: str, colour: str, order: str
) -> None:
    assert SCENES["kojak_trap_card"](language).frame
    assert (written("large"), written("tall")) == (["+3"], [colour])
    assert order in written("small")


# --- Baretta --------------------------------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("language", "cry", "face", "silence"),
    [("en", "HUNCH!", "double", "Silence, please."), ("fr", "INTUITION", "tall", "Silence !")],
)
def test_a_hunch_that_comes_up_owns_the_frame(
    language: str, cry: str, face: str, silence: str
) -> None:
    assert SCENES["baretta_hunch"](language).frame
    assert written(face) == [cry]
    assert silence in [text.replace("\u00a0", " ") for text in written("small")]


def test_whose_move_it_is_stands_large_beside_the_board() -> None:
    assert SCENES["baretta_move_to"]("en").frame
    assert written("medium") == ["ROOSTER", "SPACE  6"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("question", ["take_back", "unmark", "look", "draw", "swap"])
def test_who_chooses_a_space_is_large_and_a_long_name_gives_way(question: str) -> None:
    drive = SCENES["baretta_move_to"]("en")
    snapshot, words = drive.session.standing.snapshot, session_words(drive.session, "en")
    for who, large in (("Rooster", "ROOSTER"), ("Wojehowicz", "SPACE 12")):
        prompt = Choose(question, who, ("12", "13"))
        screens.question_frame(snapshot, prompt, Cursor(), words, load_face(words.game))
        assert [text for *_, text, font in RecordingCanvas.last.texts if font != "small"] == [large]
        assert words(f"baretta.head.{question}") in written("small")


# --- Probe ----------------------------------------------------------------------------------------


def test_who_says_how_long_a_word_is_stands_large_above_the_rack() -> None:
    assert SCENES["probe_length"]("en").frame
    assert written("wide") == ["BARTHOLOMÉ"]
    assert SCENES["probe_length_of_two"]("en").frame
    assert written("wide") == ["ADA"]
    assert "At right, with dots" in written("small")


def test_who_has_drawn_a_card_stands_large_above_what_it_may_be() -> None:
    assert SCENES["probe_own_card"]("en").frame
    assert written("wide") == ["ADA"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_answers_for_two_racks_is_large_and_what_no_costs_is_whole(language: str) -> None:
    drive = SCENES["probe_answer_of_two"](language)
    assert written("medium") == ["BARTHOLOMÉ"]
    assert written("small").count("Bartholomé") == 0
    snapshot, prompt = drive.session.standing.snapshot, drive.session.standing.pending_prompt
    assert isinstance(prompt, Choose)
    cursor, words = (
        Cursor(at=wheel_answers_and_symbols(prompt).index("no_dot")),
        session_words(drive.session, language),
    )
    screens.question_frame(snapshot, prompt, cursor, words, load_face(words.game))
    assert written("medium") == ["BARTHOLOMÉ"]
    assert words("probe.no_dot") in " ".join(written("small"))


def test_who_asks_and_the_letter_under_the_thumb_stand_large_above_the_rack() -> None:
    assert SCENES["probe_asked_before"]("en").frame
    assert (written("wide"), written("tall")) == (["ADA"], [" X "])


@pytest.mark.parametrize(("value", "high"), [(5, 6), (10, 10), (15, 14)])
def test_a_flap_is_the_higher_the_more_its_place_is_worth(value: int, high: int) -> None:
    upper, lower = racks.closed_flap_sprite(value)
    assert upper[0].bit_count() + lower[0].bit_count() == high
