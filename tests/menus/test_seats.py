"""Tests of tables of two to eight players: all names fit, and four seat buttons serve eight."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

import pytest

from companion.core.game import Outcome
from companion.core.prompts import Choose, Number, Prompt
from companion.core.snapshot import Snapshot
from companion.draw import screens
from companion.draw.canvas import shorten_names_distinctly, wrap_text
from companion.draw.face import DEFAULT_FACE
from companion.draw.parts import ROW_LETTERS, fit_names_in_rows
from companion.menus.game_summaries import describe_game_to_resume, fit_scores_into_rows
from companion.press.actions import EnterAnswer
from companion.press.controls import (
    LOOK_HOLD_SECONDS,
    cursor_and_action_after_edge,
    process_due_action,
)
from companion.press.cursor import Cursor, PressContext
from companion.press.helps import button_explanation_fact
from companion.say.words import Words
from companion.table.table import ALL_LAMPS_OFF, RunningGame, Table
from companion_testing import face_recording
from companion_testing.table import longest_player_names
from hardware.ports import SEATS, Edge

EIGHT: Final = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus", "Hal")
MANY: Final = range(5, 9)


def shown(
    players: tuple[str, ...], prompt: Prompt | None, outcome: Outcome | None = None
) -> Snapshot:
    """Return a snapshot of a game without a face: points, tricks, the round and the turn."""
    points = {who: 10 + n for n, who in enumerate(players)}
    view = {"round": 3, "points": points, "tricks": dict.fromkeys(players, 2), "to_act": players[0]}
    return Snapshot("box", players, {}, prompt, view, (), 0, 0, 0, outcome, "", None)


def written(frame: Any, *arguments: Any) -> list[str]:
    """Return the words on rows 0 to 6 of a frame. Fail if a text is cut off."""
    with face_recording.draw_frames_on_recording_canvas():
        frame(*arguments)
    assert face_recording.RecordingCanvas.last.cut == []
    texts = face_recording.RecordingCanvas.last.texts
    return [word for row, _, text, _ in texts if row < 7 for word in text.split()]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("n", MANY)
@pytest.mark.parametrize("names", [EIGHT, longest_player_names(8)], ids=["short", "long"])
def test_every_player_stands_on_the_plain_table_with_points(n: int, names: tuple[str, ...]) -> None:
    players, words = names[:n], Words("en", missing=lambda *_: None)
    turned, listed = Number("play", players[0], 1, 9, 3), Choose("play", None, players)
    for prompt, places in ((turned, 1), (listed, 1)):
        found = " ".join(
            written(
                screens.question_frame,
                shown(players, prompt),
                prompt,
                Cursor(),
                words,
                DEFAULT_FACE,
            )
        )
        for seat, who in enumerate(players):
            assert who[:places] in found
            assert str(10 + seat) in found
    at = written(screens.standing_frame, shown(players, None), words, Cursor(), DEFAULT_FACE)
    beginnings = [word for word in at if any(word[:3] == who[:3] for who in players)]
    assert len({*beginnings}) >= n
    assert {str(10 + seat) for seat in range(n)} <= {*at}


@pytest.mark.parametrize("n", MANY)
def test_at_the_end_every_player_has_a_score_and_all_winners_are_named(n: int) -> None:
    players, words = longest_player_names(n), Words("en", missing=lambda *_: None)
    outcome = Outcome(players[:3], {who: 100 + seat for seat, who in enumerate(players)})
    at = written(
        screens.standing_frame, shown(players, None, outcome), words, Cursor(), DEFAULT_FACE
    )
    assert [word for word in at if word.isdigit()] == sorted(
        map(str, outcome.scores.values()), key=at.index
    )
    assert len([word for word in at if word[:3] == players[2][:3]]) == 2


def test_names_that_are_cut_can_still_be_told_apart() -> None:
    assert shorten_names_distinctly(("Ann", "Bob"), 3) == ["Ann", "Bob"]
    assert shorten_names_distinctly(("Maria", "Marie", "Max"), 3) == ["Maa", "Mae", "Max"]
    assert shorten_names_distinctly(("Clementi07", "Clementi08"), 4) == ["Cle7", "Cle8"]
    assert shorten_names_distinctly(("Anna", "Annabel"), 2) == ["A1", "A2"]
    for names in (
        EIGHT,
        longest_player_names(8),
        ("Jean", "Jeanne", "Jeannette", "Jeannot"),
    ):
        for columns in range(2, 11):
            assert len({*shorten_names_distinctly(names, columns)}) == len(names)
            assert max(map(len, shorten_names_distinctly(names, columns))) <= columns


@pytest.mark.parametrize("n", range(2, 9))
def test_all_who_play_are_named_under_a_line_of_the_menu(n: int) -> None:
    for names in (EIGHT[:n], longest_player_names(n)):
        for rows in (1, 2):
            text = fit_names_in_rows(names, rows)
            assert len(wrap_text(text, ROW_LETTERS)) <= rows
            assert len(text.split()) == n
        for rows in (1, 2):
            told = fit_scores_into_rows(names, [100] * n, names[1:2], rows)
            assert len(wrap_text(told, ROW_LETTERS)) <= rows
            shown = told.removesuffix(", …").replace("★", "").replace(" 100", "").split(", ")
            assert {*shown} <= {*names}
            assert f"★{names[1]}" in told
            assert ("…" in told) == (len(shown) < n)


def crowd(n: int, prompt: Prompt, **changes: Any) -> Table:
    """Return a table of `n` players who all have secrets."""
    players = EIGHT[:n]
    return Table(RunningGame(shown(players, prompt), DEFAULT_FACE, holders=players))._replace(
        **changes
    )


@pytest.mark.parametrize("button", SEATS)
def test_a_seats_button_answers_nothing_at_a_table_of_five(button: str) -> None:
    prompt = Choose("who", None, EIGHT[:5])
    for n, given in ((4, EnterAnswer(EIGHT[SEATS.index(button)])), (5, None)):
        now = crowd(n, prompt._replace(options=EIGHT[:n])).press_context
        cursor, _ = cursor_and_action_after_edge(Cursor(), Edge(button, True, 1.0), now)
        _, action = cursor_and_action_after_edge(cursor, Edge(button, False, 1.1), now)
        assert action == given
        cursor, action = process_due_action(cursor, 1.0 + LOOK_HOLD_SECONDS, now)
        assert (cursor.looking is not None) == (n == 4)


def test_a_seats_button_says_what_it_does() -> None:
    prompt = Choose("who", None, EIGHT)
    for n, does in ((4, "seat"), (5, "no_seat")):
        for curtain in (None, "Bob"):
            now = crowd(n, prompt, curtain=curtain).press_context
            assert button_explanation_fact(SEATS[0], now, Cursor(), back="menu").facts == {
                "does": does
            }


def test_a_seats_button_says_whether_there_is_anything_to_see() -> None:
    scene = PressContext(None, seats=EIGHT[:2])
    for players, does in (((), "bare_seat"), (EIGHT[:2], "seat")):
        cue = button_explanation_fact(
            SEATS[0], scene._replace(players=players), Cursor(), back="menu"
        )
        assert cue.facts == {"does": does}


def test_no_lamp_shines_where_there_are_more_players_than_buttons() -> None:
    prompt = Choose("who", EIGHT[0], EIGHT)
    assert crowd(4, prompt).lamp_states != ALL_LAMPS_OFF
    assert crowd(5, prompt).lamp_states == ALL_LAMPS_OFF


def test_answers_in_rows_stand_in_a_list_where_no_button_chooses_a_column() -> None:
    cells = ((0, 0), (0, 1), (1, 0), (1, 1))
    prompt = Choose("place", None, (1, 2, 3, 4), cells=cells)
    kept = {n: crowd(n, prompt).pending_game_question for n in (4, 5)}
    assert kept == {4: prompt, 5: prompt._replace(cells=())}


def test_no_name_in_a_list_of_games_is_cut() -> None:
    names = ("Crocker", "Rizzo", "Saperstein", "Stavros")
    assert fit_scores_into_rows(names, [0] * 4) == "Crocker 0, Rizzo 0, …"
    assert fit_scores_into_rows(names, [0, 1, 2, 9], ("Stavros",)) == "★Stavros 9, …"
    facts = SimpleNamespace(told=lambda _: SimpleNamespace(scores=[0] * 4))
    summary = SimpleNamespace(players=names, winners=None, id=0)
    told: Any = describe_game_to_resume(Words("en"), summary, facts)  # type: ignore[arg-type]
    assert told == ", ".join(names)
