"""Tests of frames against goldens/*.png, approved by eye and drawn with `pytest --draw-goldens`."""

from __future__ import annotations

import random

import pytest

from companion.core.game import Cue
from companion.core.prompts import Choose
from companion.draw import parts, screens
from companion.draw.canvas import Canvas
from companion.press.cursor import Cursor
from companion.say.words import LANGUAGES, Words
from hardware.display.frame_conversions import encode_frame_as_png, frame_as_pixel_rows
from tests import pictures
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, setup_for
from tests.scenes import (
    GOLDENS_FOLDER,
    SCENES,
    decode_picture,
    draw_scene,
    draw_scene_again,
    enlarge_scene,
)
from tests.scenes.barney_miller import at, hand, looking


@pytest.mark.parametrize("scene", SCENES)
def test_the_frames_are_the_pictures_that_were_looked_at(
    scene: str, request: pytest.FixtureRequest
) -> None:
    """Play each scene once. Play it again only in languages in which its frame differs."""
    if request.config.getoption("--draw-goldens"):
        GOLDENS_FOLDER.mkdir(exist_ok=True)
        for language in LANGUAGES:
            (GOLDENS_FOLDER / f"{scene}.{language}.png").write_bytes(
                encode_frame_as_png(draw_scene(scene, language))
            )
        pytest.fail("drawn: look at the pictures, then run again without --draw-goldens")
    again = [
        lang
        for lang, frame in draw_scene_again(scene).items()
        if frame != enlarge_scene(scene, lang)
    ]
    frames = {language: draw_scene(scene, language) for language in again}
    others = {lang: frame for lang, frame in frames.items() if frame != enlarge_scene(scene, lang)}
    for language, frame in others.items():
        name = f"{scene}.{language}"
        pictures.save_differences(name, GOLDENS_FOLDER / f"{name}.png", encode_frame_as_png(frame))
    assert not others, f"{scene} looks different: see {pictures.DIFFERENCES_FOLDER}/index.html"


@pytest.mark.long
def test_a_scene_that_is_played_in_its_language_leads_to_the_same_picture() -> None:
    every = [(scene, language) for scene in SCENES for language in LANGUAGES]
    assert [at for at in every if draw_scene(*at) != enlarge_scene(*at)] == []


def test_every_picture_belongs_to_a_scene() -> None:
    assert {picture.name for picture in GOLDENS_FOLDER.iterdir()} == {
        f"{scene}.{language}.png" for scene in SCENES for language in LANGUAGES
    }


def test_a_picture_is_decoded_as_it_was_written() -> None:
    frame = bytes(random.Random(1).randbytes(1024))
    assert decode_picture(encode_frame_as_png(frame)) == frame


def test_the_last_row_always_says_what_the_buttons_do() -> None:
    quiet = {scene for scene in SCENES if not any(enlarge_scene(scene, "en")[7 * 128 :])}
    assert quiet == {"large_card", "large_menu"}  # *large* shows only the choice


def changed(one: bytes, other: bytes) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("button", ["up", "down"])
def test_a_step_of_the_wheel_changes_few_bytes(button: str) -> None:
    drive = at("en", "gang:molls", 4)
    for _ in range(12):
        before = drive.frame
        drive.press(button)
        assert 0 < changed(before, drive.frame) <= 180  # the card is the large number


def test_a_step_in_a_list_moves_only_the_marker() -> None:
    drive = at("en", "gang:molls", 8, 2)
    before = drive.frame
    drive.press("up")
    assert 0 < changed(before, drive.frame) <= 12


def test_the_card_under_the_cursor_in_a_hand_changes_few_bytes() -> None:
    drive = looking(hand("en"))
    drive.press("up")
    before = drive.frame
    drive.press("up")
    assert 0 < changed(before, drive.frame) <= 32


def test_nine_cards_with_two_tens_stay_on_the_display() -> None:
    frame = looking(hand("en")).frame
    cards = [row[x] for row in frame_as_pixel_rows(frame)[16:32] for x in range(126, 128)]
    assert not any(cards)
    assert any(row[x] for row in frame_as_pixel_rows(frame)[16:32] for x in range(110, 126))


def test_an_arrow_of_a_list_that_goes_on_covers_no_letter() -> None:
    pictures = []
    for lines, place in ((4, 2), (9, 4)):
        canvas, prompt = Canvas(), Choose("of", None, tuple("M" * 19 for _ in range(lines)))
        parts.draw_answer_list(canvas, prompt, Cursor(at=place), Words("en"), {})
        pictures.append(frame_as_pixel_rows(canvas.frame))
    whole, scrolled = pictures
    assert [row[12:] for row in scrolled] == [row[12:] for row in whole]
    assert any(row[6:12] != other[6:12] for row, other in zip(scrolled, whole, strict=True))


def test_a_long_name_or_a_foreign_letter_never_breaks_a_frame() -> None:
    names = ("Ärger Über-Łódź 李明 " * 3, "x" * 40)
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS, players=names)))
    drive.resume()
    for _ in range(30):
        drive.press("ok")
    words = Words("en")
    assert screens.fact_frame((Cue("refused", {"code": "look_first"}),), words, Cursor(), None)


def test_a_moment_that_is_too_long_ends_with_an_ellipsis() -> None:
    words = Words("en")
    long = Cue("hardware", {"part": "box", "message": "word " * 40})
    longer = Cue("hardware", {"part": "box", "message": "word " * 50})
    short = Cue("hardware", {"part": "box", "message": "word"})
    frames = [screens.fact_frame((cue,), words, Cursor(), None) for cue in (long, longer, short)]
    assert frames[0] == frames[1] != frames[2]


def test_of_too_many_names_for_a_line_the_first_ones_stand_whole_before_an_ellipsis() -> None:
    names = ("Fish", "Harris", "Wojehowicz", "Yemana")
    assert parts.shorten_answer("3: Fish, Harris, Wojehowicz", 19) == "3: Fish, Harris, …"
    assert parts.shorten_answer(f"4: {', '.join(names)}", 19) == "4: Fish, Harris, …"
    assert parts.shorten_answer("2: Fish, Harris", 19) == "2: Fish, Harris"
    assert parts.shorten_answer("An answer that is long", 19) == "An answer that is …"
