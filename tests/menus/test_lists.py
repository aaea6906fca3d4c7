"""Tests of the lists of games, of deleting a game, and of the pages of a finished game."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.box import finished_game
from companion.box.events import TurningPointReady
from companion.box.loop import Loop
from companion.box.system import Machine
from companion.catalog import registry
from companion.core.chance import Chance
from companion.core.game import Cue
from companion.figures.recorded import RecordedGame
from companion.menus import menu_stack
from companion.menus.page import RecordedGameSummary
from companion.menus.recorded_games import RecordedGamesCache
from companion.menus.words import menu_line_hint
from companion.play.session import resume_recorded_game
from companion.play.simulate import random_answer
from companion.press.cursor import selected_answer
from companion.record.journal import Journal
from companion.say.words import LANGUAGES
from hardware.mock import FakeBox
from hardware.ports import BACK, DOWN, OK
from tests.helpers import NOW_SECONDS, OWN_PARTS_OPTIONS, Drive, begin_game, setup_for, words_for
from tests.system.bench import pressed


def both() -> Journal:
    """Return a record with a finished game and a newer, unfinished game."""
    return begin_game(setup_for(OWN_PARTS_OPTIONS), (3,), pressed.over("kojak"))


def line(drive: Drive) -> tuple[str, str]:
    prompt, words = drive.table.menu_or_game_prompt, drive.loop.shown_screen_words()
    assert prompt is not None
    value, view = (
        selected_answer(prompt, drive.table.cursor),
        menu_stack.page_placeholder_values(drive.state),
    )
    return words.answer_label(prompt.name, value, view), menu_line_hint(words, drive.state, value)


def test_a_finished_game_is_told_with_who_won_and_the_scores() -> None:
    drive = Drive(both())
    drive.choose("games")
    drive.turn_to("1")
    summary, outcome = drive.journal.game_summary(1), drive.services.home.recorded.game_state(1)
    label, more = line(drive)
    assert label == f"Kojak ★ {', '.join(summary.winners or ())}"
    people, state = more.split("|")
    scores = dict(zip(summary.players, outcome.scores, strict=True))
    assert people.startswith("★")
    for text in people.removesuffix(", …").split(", "):
        who, n = text.rsplit(" ", 1)
        assert scores[who.strip("★")] == int(n)
    assert state.endswith(", over")


def test_an_unfinished_game_is_told_with_how_it_stands_and_how_far_it_is() -> None:
    drive = Drive(both())
    drive.choose("games")
    label, more = line(drive)
    assert label == "Barney Miller"
    assert more == "Fish 0, Harris 0|1 min, 1 answer"


@pytest.mark.parametrize(("n", "told"), [(0, "just begun"), (1, "1 answer"), (2, "2 answers")])
def test_answers_are_counted_right_in_number(n: int, told: str) -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS), (1, 2)[:n]))
    assert told in line(drive)[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_left_to_take_back_is_counted_right_in_number(language: str) -> None:
    words = words_for("barney-miller", language)
    facts: dict[str, Any] = {"who": "Fish", "question": "play_card", "value": 4}
    none, some = (words.fact_text(Cue("undone", {**facts, "left": left})) for left in (0, 7))
    assert "0" not in none
    assert "7" in some
    assert words.fact_sound_name(Cue("undone", {**facts, "left": 0})) == "undo"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("language", "shown"), [("en", "Redo"), ("fr", "Rétablir")])
def test_what_was_taken_back_can_be_redone_by_that_name(language: str, shown: str) -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS), (1, 2)), language)
    drive.resume()
    drive.press(BACK, seconds=1.1)
    drive.skip()
    drive.press(BACK)
    prompt = drive.table.menu_or_game_prompt
    assert prompt is not None
    assert "redo" in prompt.options  # type: ignore[union-attr]
    assert (
        drive.loop.shown_screen_words().answer_label(
            "menu", "redo", menu_stack.page_placeholder_values(drive.state)
        )
        == shown
    )


def test_a_game_is_deleted_only_after_a_question_that_starts_on_no() -> None:
    drive = Drive(both())
    drive.walk("games", "delete", "1")
    assert drive.page == "deleting"
    drive.press(OK)
    assert drive.page == "delete"
    drive.walk("1", "yes")
    assert drive.page == "home"
    assert [summary.id for summary in drive.state.facts.past] == [2]
    assert drive.journal.game_numbers() == [2, 1]
    again = Drive(drive.journal)
    assert [summary.id for summary in again.state.facts.past] == [2]


def test_an_unfinished_game_that_is_deleted_is_not_offered_any_more() -> None:
    drive = Drive(both())
    drive.walk("games", "delete", "2", "yes")
    assert drive.state.facts.unfinished == ()
    assert drive.table.menu_or_game_prompt is not None
    assert "resume" not in drive.table.menu_or_game_prompt.options  # type: ignore[union-attr]


# --- a finished game, page by page ----------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_the_wheel_turns_the_pages_of_a_finished_game_and_ok_leaves_it(game: str) -> None:
    drive = Drive(pressed.over(game))
    drive.walk("games", "1")
    shown = [drive.frame]
    found = drive.moments[0].paged
    assert isinstance(found, finished_game.FinishedGameReview)
    for _ in found.pages:
        drive.press(DOWN)
        shown.append(drive.frame)
    pages = found.pages
    assert shown[0] == shown[-1]
    assert (pages[:2], pages[-2:]) == (("told", "curve"), ("code", "seed"))
    assert pages[2:-2] == tuple(range(len(found.answers_with_resulting_states)))
    drive.press(OK)
    assert drive.page == "games"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finished_game_is_seen_again_answer_by_answer_with_what_was_taken_back(
    language: str,
) -> None:
    journal = begin_game(setup_for(OWN_PARTS_OPTIONS), (1,))
    session, _ = resume_recorded_game(journal, 1, NOW_SECONDS)
    rng = Random(1)
    for n in range(1000):
        if n == 2:
            session.undo(NOW_SECONDS)
            session.redo(NOW_SECONDS)
            session.undo(NOW_SECONDS)
        if session.standing.pending_prompt is None:
            break
        session.answer(random_answer(session.standing.pending_prompt, rng), NOW_SECONDS)
    session.commit()
    words = words_for("barney-miller", language)
    game = finished_game.open_finished_game_review(journal, 1, words)
    moves = game.answers_with_resulting_states
    kinds = [
        entry.kind
        for entry in journal.read_lines_of_game(1)[1:]
        if entry.kind not in ("box", "over")
    ]
    assert [move.entry.kind for move in moves] == kinds
    assert kinds[3:7] == ["undo", "redo", "undo", "answer"]
    assert moves[-1].after.outcome is not None
    assert [cue.name for move in moves[3:7:2] for cue in move.cues[:1]] == ["undone"] * 2
    assert finished_game._given(moves[4], words, words) == words("box.past.redo")
    assert finished_game._given(moves[6], words, words).startswith("Fish")


def heard(drive: Drive) -> list[str]:
    """Return the spoken sentences."""
    return [text[4:] for text in drive.speaker.heard if text[2:4] == ": "]


def looks_back(game: str, language: str = "en", *, hints: bool = True, more: int = 0) -> Drive:
    """Return a box that shows the oldest finished game of a record with `more` copies of it."""
    journal = pressed.over(game)
    for _ in range(more):
        with journal.game_adder_with_single_commit() as add:
            add(journal.read_lines_of_game(1))
    journal.save_settings({"hints": hints, "language": language, "ear": True}, NOW_SECONDS)
    drive = Drive(journal)
    drive.walk("games", "1")
    return drive


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_decided_a_game_is_told_on_two_pages_once_it_is_known(language: str) -> None:
    drive = looks_back("kojak", language)
    assert drive.weighed == [(1, language)]
    words = words_for("kojak", language)
    drive.press(DOWN, DOWN)
    waiting = drive.frame
    assert heard(drive)[-1].startswith(words("box.turning.weighing"))
    for other in (2, 1):
        drive.loop.handle_event(TurningPointReady(other, {"point": f"Game {other} turned there."}))
    assert drive.frame != waiting
    assert heard(drive)[-1].startswith("Game 1 turned there.")
    drive.press(DOWN)
    assert heard(drive)[-1].startswith(words("box.turning.no_missed"))
    drive.loop.handle_event(TurningPointReady(1, None))
    assert heard(drive)[-1].startswith(words("box.turning.not"))


def test_what_decided_a_game_is_found_out_where_hints_are_wanted_and_the_box_can_play() -> None:
    plain, own = looks_back("kojak", hints=False), looks_back("barney-miller")
    assert plain.weighed == own.weighed == []
    for drive in (plain, own):
        found = drive.moments[0].paged
        assert isinstance(found, finished_game.FinishedGameReview)
        assert not {*finished_game.TURNING_POINT_PAGES} & {*found.pages}


def test_games_are_weighed_one_after_another_and_only_the_one_that_is_looked_at() -> None:
    drive = looks_back("kojak", more=1)
    drive.press(OK)
    drive.walk("2")
    assert drive.weighed == [(1, "en")]
    drive.loop.handle_event(TurningPointReady(1, {}))
    assert drive.weighed == [(1, "en"), (2, "en")]
    drive.press(OK)
    drive.loop.handle_event(TurningPointReady(2, {}))
    assert len(drive.weighed) == 2


def test_what_decided_a_game_is_heard_only_by_who_waits_for_it() -> None:
    drive = looks_back("kojak")
    before = len(heard(drive))
    drive.loop.handle_event(TurningPointReady(1, {}))
    assert len(heard(drive)) == before
    drive.press(OK)
    drive.loop.handle_event(TurningPointReady(1, {}))
    assert drive.page == "games"


def test_the_code_and_the_seed_are_those_of_the_game() -> None:
    drive = Drive(pressed.over("kojak"))
    drive.walk("games", "1")
    found, seed = drive.moments[0].paged, drive.journal.read_first_line_of_game(1).value["seed"]
    assert isinstance(found, finished_game.FinishedGameReview)
    assert found.verification_qr_text == f"1 {Chance(seed).commitment_code} {seed.upper()}"


def test_a_game_that_goes_on_shows_no_seed() -> None:
    drive = Drive(both())
    drive.walk("games", "2")
    assert drive.moments[0].paged is None
    drive.press(BACK)


@pytest.mark.parametrize("number", [1, 999])
def test_the_qr_code_says_it_all_in_modules_of_two_pixels(number: int) -> None:
    import segno  # noqa: PLC0415 - imported only here, as in the box

    seed = "0123456789abcdef" * 4
    code, cue = Chance(seed).commitment_code, Cue("past")
    game = finished_game.FinishedGameReview(
        cue, RecordedGame({}, 0, ()), (), (), ("code",), number, code, seed, "en"
    )
    frame = game.frame_of_page(0, words_for("kojak", "en"))
    rows = [
        *segno.make(game.verification_qr_text, error="l", micro=False, boost_error=False).matrix
    ]
    assert len(rows) == 29

    def lit(x: int, y: int) -> bool:
        return bool(frame[y // 8 * 128 + x] >> y % 8 & 1)

    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            square = {lit(3 + 2 * x + i, 3 + 2 * y + j) for i in (0, 1) for j in (0, 1)}
            assert square == {not dark}
    edge = [lit(x, y) for x in range(64) for y in range(64) if not (3 <= x < 61 and 3 <= y < 61)]
    assert all(edge)


def test_the_first_frame_plays_no_game_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up, fakes, shown = RecordedGamesCache._looked_up, FakeBox(), list[int]()

    def note(games: RecordedGamesCache, number: int) -> RecordedGameSummary:
        shown.append(len(fakes.display.frames))
        return looked_up(games, number)

    monkeypatch.setattr(RecordedGamesCache, "_looked_up", note)
    Loop(fakes.box, both(), Machine(lambda: 0.0, lambda: NOW_SECONDS)).start()
    assert shown
    assert min(shown) > 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_option_of_a_new_game_says_what_it_does_as_it_is_set(language: str) -> None:
    for name in registry.BUILT_IN_GAMES:
        game, words = registry.find_game(name), words_for(name, language)
        drive = Drive(None, language)
        drive.new(name)
        drive.walk(2, *game.names[:2])
        if drive.page == "setup":
            drive.press(BACK)
        for option in (option for option in game.options if len(option.values) > 1):
            drive.turn_to(option.name)
            told = {menu_line_hint(drive.loop.shown_screen_words(), drive.state, option.name)}
            drive.press(OK)
            told.add(menu_line_hint(drive.loop.shown_screen_words(), drive.state, option.name))
            assert "" not in told
            assert told <= {
                words.game_option_value_description(name, option.name, value)
                for value in option.values
            }


def test_a_game_that_does_not_say_what_its_options_do_shows_nothing() -> None:
    assert words_for("kojak", "en").game_option_value_description("kojak", "nothing", "of") == ""
