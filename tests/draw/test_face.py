"""Tests of a game's face: the defaults for a part that is missing or fails."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any, Final

import pytest

from companion.catalog import layout, registry
from companion.core.chance import Chance
from companion.core.errors import UnknownGame
from companion.core.game import Cue, Cues, Secret
from companion.core.prompts import Prompt
from companion.core.snapshot import Snapshot, View
from companion.draw import screens
from companion.draw.canvas import Canvas
from companion.draw.contain import face_with_fallbacks, load_face_with_fallbacks
from companion.draw.face import (
    DEFAULT_FACE,
    Face,
    FactPicture,
    InvalidFace,
    StandingPages,
    load_face,
)
from companion.play.answer_history import GameSetup
from companion.play.session import Session
from companion.press.cursor import Cursor
from companion.record.journal import Journal
from companion.say.facts import fact_variant_name
from companion.say.words import Words
from companion_testing.face_recording import RecordingCanvas
from hardware.ports import BLANK_FRAME
from tests.faces import broken, install, tiny
from tests.faces.broken.face import FACE as BROKEN

FOUR: Final = ("Ann", "Bob", "Cy", "Maximilien")


class Slips(list[str]):
    """The names of the failed parts, in order."""

    def __call__(self, part: str, error: Exception) -> None:
        assert isinstance(error, Exception)
        self.append(part)


def playing(*answers: Any, players: tuple[str, ...] = FOUR[:2]) -> Session:
    """Return the tiny game after these answers."""
    setup = GameSetup(tiny.GAME, players, {}, {}, Chance("seed"), mixing=False)
    session = Session.begin(Journal(None), setup, 0)
    for answer in answers:
        session.answer(answer, 0)
    return session


def snapshot(*answers: Any, players: tuple[str, ...] = FOUR[:2]) -> Snapshot:
    return playing(*answers, players=players).standing.snapshot


def words() -> Words:
    return Words("en", game="tiny")


def written() -> list[str]:
    """Return the texts of the last frame, from the top."""
    return [
        text.rstrip()
        for _, _, text, _ in sorted(RecordingCanvas.last.texts, key=lambda one: one[:2])
    ]


@pytest.fixture(autouse=True)
def _box(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the two games, and record the texts of each frame."""
    install(monkeypatch)
    monkeypatch.setattr(screens, "Canvas", RecordingCanvas)


# --- defaults -------------------------------------------------------------------------------------


def test_a_game_without_a_face_has_one_of_defaults() -> None:
    assert load_face("tiny") is DEFAULT_FACE


@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_every_game_of_the_box_has_a_face(game: str) -> None:
    assert load_face(game) is not DEFAULT_FACE


def test_a_question_with_a_number_stands_under_a_table_of_the_state() -> None:
    table = snapshot("red", 2, 3, 1)
    assert table.prompt is not None
    screens.question_frame(table, table.prompt, Cursor(), words(), DEFAULT_FACE)
    assert written()[:6] == [
        "            Ann   Bob",
        "turn              Ann",
        "total               4",
        "added         3     1",
        "turns         1     1",
        "colour            red",
    ]


def test_a_question_with_a_list_leaves_its_answers_room() -> None:
    table = snapshot()
    assert table.prompt is not None
    screens.question_frame(table, table.prompt, Cursor(at=1), words(), DEFAULT_FACE)
    assert written()[:5] == [
        "            Ann   Bob", "turn              Ann", "red", "▸", "blue",
    ]  # fmt: skip


def test_four_players_with_long_names_fit_the_table() -> None:
    screens.standing_frame(snapshot("red", 2, 3, players=FOUR), words(), Cursor(), DEFAULT_FACE)
    assert written()[:1] == ["      Ann Bob  Cy Max"]


def test_what_one_player_alone_may_see_is_shown_with_what_is_in_it() -> None:
    game = playing("red", 2)
    seen = game.standing.view_with_player_secrets("Ann")
    screens.secret_frame(
        game.standing.snapshot, Secret("Ann", None, seen), Cursor(), words(), DEFAULT_FACE
    )
    assert "hidden: 2 7" in written()


def test_a_private_question_has_its_answers_below() -> None:
    game = playing("red")
    screens.secret_frame(
        game.standing.snapshot,
        Secret("Ann", game.standing.pending_prompt, game.standing.view_with_player_secrets("Ann")),
        Cursor(),
        words(),
        DEFAULT_FACE,
    )
    assert written()[-5:-1] == ["▸", "1", "2", "3"]


def test_the_end_names_the_winner_and_what_each_player_had() -> None:
    screens.standing_frame(snapshot("red", 2, 3, 3, 3, 1), words(), Cursor(), DEFAULT_FACE)
    assert written()[:-1] == ["The winner is", "BOB", "Ann", "6", "Bob", "4"]


def test_the_lamps_follow_whoever_is_to_act() -> None:
    assert DEFAULT_FACE.to_act({"to_act": "Ann"}) == "Ann"
    assert DEFAULT_FACE.to_act({"to_act": None}) is DEFAULT_FACE.to_act({}) is None


# --- types ----------------------------------------------------------------------------------------


def test_two_arguments_that_are_swapped_are_an_error_of_mypy() -> None:
    """mypy reports an `ignore` that ignores no error, so it must report each of these errors."""

    def body(c: Canvas, p: Prompt, s: Snapshot, at: Cursor, w: Words) -> None:
        """Take the prompt before the snapshot."""

    def label(w: Words, value: str, name: str, view: View) -> str | None:
        """Use other parameter names than the contract."""

    def draw(c: Canvas, w: Words, cues: Cues, step: int) -> None:
        """Take the words before the facts."""

    Face(body=body)  # type: ignore[arg-type] # swapped
    Face(label=label)  # type: ignore[arg-type] # swapped
    FactPicture(draw)  # type: ignore[arg-type] # swapped


# --- the guard ------------------------------------------------------------------------------------


def test_a_part_that_fails_is_told_and_its_default_does_on_a_clean_sheet() -> None:
    slips = Slips()
    face, game = face_with_fallbacks(BROKEN, slips), playing("red", 2, 3)
    table, prompt, cursor = game.standing.snapshot, game.standing.pending_prompt, Cursor()
    assert prompt is not None
    secret = Secret("Ann", None, game.standing.view_with_player_secrets("Ann"))
    added = (Cue("added", {"total": 3}, "TI-1"),)
    for one, other in (
        (screens.question_frame(table, prompt, cursor, words(), face),
         screens.question_frame(table, prompt, cursor, words(), DEFAULT_FACE)),
        (screens.standing_frame(table, words(), cursor, face),
         screens.standing_frame(table, words(), cursor, DEFAULT_FACE)),
        (screens.secret_frame(table, secret, cursor, words(), face),
         screens.secret_frame(table, secret, cursor, words(), DEFAULT_FACE)),
        (screens.fact_frame(added, words(), cursor, face),
         screens.fact_frame(added, words(), cursor, None)),
        (face.pages.draw(RecordingCanvas(), table, words(), 1), words()("box.legend.notice")),
    ):  # fmt: skip
        assert one == other != BLANK_FRAME
    assert fact_variant_name(face.facts, added[0]) == "added"
    cites = face.facts["added"].cites
    assert cites is not None
    assert cites(words(), added[0]) == ()
    assert face.fields(words(), {}) == {}
    assert face.label(words(), question="add", value=1, view={}) is None
    assert face.printed_names(words(), {}) == {}
    assert face.to_act({"to_act": "Bob"}) == "Bob"
    assert screens.count_animation_pictures(added, face) == 1
    assert slips == [
        "body", "pages", "standing", "secret", "pictures['added']", "pages",
        "facts['added']", "facts['added']", "fields", "label", "printed_names", "to_act",
        "pictures['added']",
    ]  # fmt: skip


def test_a_face_that_works_is_not_changed_by_its_guard() -> None:
    slips = Slips()
    face = face_with_fallbacks(
        Face(
            label=lambda words, *, question, value, view: "one",  # noqa: ARG005
            pictures={
                "added": FactPicture(steps=lambda _: 3, explained_fact=lambda cues: cues[-1])
            },
            pages=StandingPages(lambda _: 2),
        ),
        slips,
    )
    first, last = Cue("added", {"total": 3}), Cue("over", {"total": 21})
    assert face.label(words(), question="add", value=1, view={}) == "one"
    assert face.pictures["added"].steps(first) == 3
    assert face.pictures["added"].explained_fact((first, last)) == last
    assert face.pages.count(playing("red").standing.snapshot) == 2
    assert not slips


def test_if_a_picture_cannot_say_what_it_is_about_its_first_fact_is_explained() -> None:
    slips = Slips()
    pictures = {"added": FactPicture(explained_fact=lambda cues: cues[9])}
    about = face_with_fallbacks(Face(pictures=pictures), slips).pictures["added"].explained_fact
    first = Cue("added", {"total": 3})
    assert about((first, Cue("over", {"total": 21}))) == first
    assert slips == ["pictures['added']"]


@pytest.mark.parametrize("value", [None, "FACE", Face])
def test_a_face_of_another_kind_is_named_and_left_alone(
    value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broken.face, "FACE", value)
    with pytest.raises(InvalidFace, match=r"tests\.faces\.broken\.face gives no FACE"):
        load_face.__wrapped__("broken")
    load_face.cache_clear()
    slips = Slips()
    assert load_face_with_fallbacks("broken", slips) is DEFAULT_FACE
    assert slips == ["face"]


def test_a_game_that_is_not_in_the_box_has_no_face() -> None:
    with pytest.raises(UnknownGame):
        load_face("chess")


def test_a_module_that_a_face_lacks_is_not_taken_for_a_game_without_a_face(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(module: str) -> ModuleType:
        if module.endswith(".face"):
            raise ModuleNotFoundError(name="numpy")
        return import_module(module)

    monkeypatch.setattr(layout, "import_module", missing)
    with pytest.raises(ModuleNotFoundError):
        registry.import_game_submodule("tiny", "face")
