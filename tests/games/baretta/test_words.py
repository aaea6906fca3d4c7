"""Tests of the words and pictures of Baretta alone: the board, the cards, the hunch."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from itertools import combinations, pairwise, product
from typing import Any, Final

import pytest

from companion.catalog.registry import find_game
from companion.core.fold import apply_answer
from companion.core.game import Cue, Cues, Secret
from companion.core.prompts import Choose, legal_answers
from companion.draw import screens
from companion.draw.canvas import Canvas, wrap_text
from companion.games.baretta.rules.board import deck_card_counts
from companion.games.baretta.shown import pictures, small_board, spaces
from companion.games.baretta.shown import words as baretta
from companion.games.baretta.shown.face import FACE, MAX_LETTERS_BESIDE_BOARD
from companion.games.baretta.shown.facts import FACTS, NO_EFFECT_REASONS, card_kind
from companion.games.baretta.shown.small_board import marker_letter_by_player
from companion.games.baretta.shown.words import SPACE_QUESTIONS
from companion.press.cursor import Cursor
from companion.press.wheel import wheel_answers_and_symbols
from companion.say.facts import fact_variant_name
from companion.say.words import LANGUAGES
from companion_testing import LONG_NAMES, GameTable, play_random_game
from companion_testing.face_recording import RecordingCanvas, draw_frames_on_recording_canvas
from hardware.display.frame_conversions import frame_as_pixel_rows
from tests.helpers import long_lane_params, printed_edition, words_for
from tests.met import longest_edition, observed_games, words_of_longest_edition
from tests.scenes.baretta import HUNCH, LONG, MARKED, MOVE, putting_down, question, standing

GAME: Final = "baretta"
BIG: Final = 11
"""Number of medium letters on a row of a title."""
CARDS: Final = tuple(deck_card_counts(printed_edition(GAME)))
UP: Final = sorted((f"up:{card}" for card in CARDS), key=len, reverse=True)
"""Face-up cards, longest names first."""
KINDS: Final = ("move", "stay_put", "wounded", "go_to", "in_trouble", "hunch", "arrest")


@pytest.mark.long
def test_random_games_meet_every_question_and_every_way_of_telling_a_fact() -> None:
    assert {prompt.name for prompt, *_ in observed_games(GAME).asked.values()} == {
        *("accused", "cut", "roll", "move_to", "card", "another", "by_hand", "hunch"),
        *("take_back", "unmark", "look", "draw", "swap", "swap_with"),
        *("what", "who", "space", "lies", "n", "who_won", "corner_does"),
        "leaves",
    }
    told = ("shortcut", "corner", "no_own", "empty_pile", "already", "empty", "card")
    whys = (*told, *(f"here.{why}" for why in NO_EFFECT_REASONS))
    assert {fact_variant_name(FACTS, cue) for cue in observed_games(GAME).cues.values()} == {
        *(
            "accused",
            "accused.forced",
            "accused.seated",
            "dealt",
            "dealt.aside",
            "cut",
            "cut.own",
            "first_roll",
            "begins",
        ),
        *("first_roll.tied", "rolled", "next_turn", "moved.outside", "moved.place", "moved.guess"),
        *("moved.shortcut", "moved.idle", "moved.sent", "moved.sent_idle", "moved.vain"),
        *(f"turned.{kind}" for kind in KINDS),
        *("guessed.arrest", "guessed.wrong", "marker_back", "discarded", "wounded", "taken_back"),
        "wounded.arrest",
        *("placed.marked", "placed.bare", "placed.secret", "unmarked", "roll_again"),
        *("placed.up", "placed.up_bare"),
        *("looked.public", "looked.secret", "swapped", "lose_turn", "missed_turn", "done_by_hand"),
        *("one_too_many", "turned.by_hand", "hunch_down"),
        *(f"corrected.{what}" for what in ("baretta", "turn", "out", "in", "card", "pile")),
        *(f"declined.{question}" for question in ("take_back", "unmark", "look", "draw", "swap")),
        *("not_arrest", "kept_quiet", "out", "in_vain", "left"),
        *(f"nothing.{why}" for why in whys),
        *("arrest", *(f"game_won.{how}" for how in ("landed", "second", "guess", "last", "table"))),
    }


def test_one_card_too_many_is_told_with_how_many_are_printed() -> None:
    cue = Cue("one_too_many", {"who": "Ann", "card": "move:5", "n": 2}, "BA-2")
    assert words_of_longest_edition(GAME, "en").fact_text(cue).startswith("Move 5: 2 printed.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_card_has_a_sound_and_a_sentence_of_its_own(language: str) -> None:
    words = words_of_longest_edition(GAME, language)
    facts = {"who": "Ann", "space": "3"}
    cards = {card_kind(name): Cue("turned", {**facts, "card": name}, "BA-7") for name in CARDS}
    assert {*cards} == {*KINDS}
    assert len({words.fact_sound_name(cue) for cue in cards.values()}) == len(KINDS)
    assert len({words.fact_speech(cue) for cue in cards.values()}) == len(KINDS)
    assert len({words.fact_title(cue) for cue in cards.values()}) == len(KINDS)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_title_fits_beside_its_card(language: str) -> None:
    words = words_of_longest_edition(GAME, language)
    for cues in observed_games(GAME).public_facts_grouped_by_picture(
        words_of_longest_edition(GAME, "en")
    ):
        if cues[0].name in pictures.PICTURES:
            lines = wrap_text(words.fact_title(cues[0]), BIG)
            assert len(lines) <= 2
            assert all(len(line) <= BIG for line in re.split(r"[ |]", words.fact_title(cues[0])))


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_beside_the_board_fits(language: str) -> None:
    words = words_of_longest_edition(GAME, language)
    asked = [
        pair for pair in observed_games(GAME).asked.values() if pair[0].name in SPACE_QUESTIONS
    ]
    for prompt, snapshot, *_ in asked[::60]:
        for at in range(len(wheel_answers_and_symbols(prompt))):
            with draw_frames_on_recording_canvas():
                screens.question_frame(snapshot, prompt, Cursor(at=at), words, FACE)
            beside = [text for _, x, text, _ in RecordingCanvas.last.texts if x > 0]
            assert beside
            assert not any(text.endswith("…") for text in beside)
            assert all(len(text) <= MAX_LETTERS_BESIDE_BOARD for text in beside)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("marker", [None, LONG[0]])
@pytest.mark.parametrize("card", [None, "down", UP[0], *long_lane_params(UP[1:])])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_space_fits_beside_each_question_whatever_lies_there(
    language: str, card: str | None, marker: str | None
) -> None:
    words, snapshot = (
        words_of_longest_edition(GAME, language),
        question(language, MOVE, 1).session.standing.snapshot,
    )
    vain = Cue("nothing", {"who": "Ann", "space": "24", "why": "card"}, "BA-17")
    view = deepcopy(dict(snapshot.view))
    view["spaces"]["24"] |= {"card": card, "marker": marker, "cleared": card == "down"}
    players = (LONG[0], "Bob")
    for name, who, cues in product(sorted(SPACE_QUESTIONS), (LONG[0], "Bob"), ((), (vain,))):
        prompt = Choose(name, who, ("24",), facts={"steps": 4})
        there = replace(snapshot, view=view, prompt=prompt, cues=cues, players=players)
        with draw_frames_on_recording_canvas():
            screens.question_frame(there, prompt, Cursor(), words, FACE)
        beside = [text for _, x, text, _ in RecordingCanvas.last.texts if x > 0]
        assert all(0 < len(text) <= MAX_LETTERS_BESIDE_BOARD for text in beside if text)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("why", ["card", "empty", "empty_pile"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_came_to_nothing_is_a_line_beside_the_next_question_and_no_frame(
    language: str, why: str
) -> None:
    vain = Cue("nothing", {"who": "Billy", "space": "24", "why": why}, "BA-17")
    snapshot = replace(question(language, MOVE, 1).session.standing.snapshot, cues=(vain,))
    words, prompt = words_for(GAME, language), snapshot.prompt
    assert words.group_facts_by_picture((vain,)) == []
    assert prompt is not None
    with draw_frames_on_recording_canvas():
        screens.question_frame(snapshot, prompt, Cursor(), words, FACE)
    line = words(f"baretta.line.{why}", space="24")
    assert line in {text for _, _, text, _ in RecordingCanvas.last.texts}
    assert len(line) <= MAX_LETTERS_BESIDE_BOARD


def test_what_stands_under_a_card_is_not_told_again_beside_the_next_question() -> None:
    turned = Cue("turned", {"who": "Billy", "space": "24", "card": "stay_put"}, "BA-7")
    vain = Cue("nothing", {"who": "Billy", "space": "24", "why": "empty_pile"}, "BA-17")
    snapshot = replace(question("en", MOVE, 1).session.standing.snapshot, cues=(turned, vain))
    words, prompt = words_for(GAME, "en"), snapshot.prompt
    assert prompt is not None
    with draw_frames_on_recording_canvas():
        screens.question_frame(snapshot, prompt, Cursor(), words, FACE)
    line = words("baretta.line.empty_pile")
    assert line not in {text for _, _, text, _ in RecordingCanvas.last.texts}


def test_a_card_that_names_a_corner_is_said_as_people_say_it() -> None:
    facts = {"who": "Billy", "space": "4", "card": "go_to:apartment"}
    for name in ("guessed", "wounded"):
        said = [words_for(GAME, of).fact_speech(Cue(name, facts, "BA-13")) for of in LANGUAGES]
        assert "Go to the Apartment" in said[0]
        assert "Aller à l’Appartement" in said[1]


def test_each_player_has_another_letter_the_first_of_the_name_if_that_is_free() -> None:
    assert marker_letter_by_player(("Ann", "Bob")) == {"Ann": "A", "Bob": "B"}
    found = marker_letter_by_player(("Billy", "Rooster", "Brubaker", "Fats"))
    assert found == {"Billy": "B", "Rooster": "R", "Brubaker": "U", "Fats": "F"}
    assert marker_letter_by_player(("Éva", "Edda")) == {"Éva": "E", "Edda": "D"}
    assert marker_letter_by_player(("李", "A", "a", "!")) == {
        "李": "1",
        "A": "A",
        "a": "3",
        "!": "4",
    }


# --- frames ---------------------------------------------------------------------------------------


def board(frame: bytes) -> list[list[bool]]:
    """Return the pixels of the small board."""
    return [row[:50] for row in frame_as_pixel_rows(frame)[:48]]


def test_the_cursor_walks_the_board() -> None:
    drive = question("en", HUNCH, 2, 4)
    boards = [board(drive.frame)]
    for _ in range(5):
        drive.press("down")
        boards.append(board(drive.frame))
    assert all(one != other for one, other in pairwise(boards))


def test_a_step_of_the_cursor_on_the_board_changes_few_bytes() -> None:
    drive = question("en", HUNCH, 2, 4, "down", "down")
    before = drive.frame
    drive.press("down")
    assert 0 < sum(a != b for a, b in zip(before, drive.frame, strict=True)) <= 40


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shortcut_stands_beside_the_board_as_a_number_does(language: str) -> None:
    """Between two shortcuts, only the last two letters and the card change."""
    words, snapshot = (
        words_of_longest_edition(GAME, language),
        question(language, MOVE, 1).session.standing.snapshot,
    )
    spots = snapshot.view["spaces"].items()
    ways = tuple(ident for ident, spot in spots if spot["kind"] == "shortcut")
    assert len(ways) == 12
    prompt = Choose("move_to", None, ways, facts={"steps": 4})
    for at, way in enumerate(ways):
        with draw_frames_on_recording_canvas():
            screens.question_frame(snapshot, prompt, Cursor(at=at), words, FACE)
        beside = {page: text for page, x, text, _ in RecordingCanvas.last.texts if x > 0}
        assert beside[2] == f"{words('baretta.space')} {way.upper()}"
        assert beside[4] == words("baretta.here.shortcut")


def test_what_points_at_a_shortcut_leaves_the_hideout_as_it_looks() -> None:
    snapshot = question("en", MOVE, 1).session.standing.snapshot
    spots = snapshot.view["spaces"].items()
    ways = [ident for ident, spot in spots if spot["kind"] == "shortcut"]
    drawn = []
    for way in (None, *ways):
        canvas = Canvas()
        small_board.draw_small_board(canvas, snapshot, [way] if way else [], way or "pass")
        drawn.append([row[21:28] for row in frame_as_pixel_rows(canvas.frame)[20:27]])
    assert any(map(any, drawn[0]))
    assert all(hideout == drawn[0] for hideout in drawn)


def test_ba10_a_corner_where_nothing_happens_is_said_and_takes_no_frame() -> None:
    facts = {"who": "Ann", "from": "18", "to": "poolhall", "kind": "corner", "by": "roll",
             "vain": False}  # fmt: skip
    idle = Cue("moved", {**facts, "does": "nothing"}, "BA-6")
    does = Cue("moved", {**facts, "to": "station", "does": "roll_again"}, "BA-6")
    words = words_for(GAME, "en")
    assert words.group_facts_by_picture((idle,)) == []
    assert words.fact_speech(idle) == "Poolhall."
    assert words.group_facts_by_picture((does,)) == [(does,)]
    assert words.fact_speech(does) == "Station. Ann rolls again."


def test_a_place_that_baretta_is_sent_to_is_named_once() -> None:
    """An earlier sentence has named the place already."""
    facts = {"who": "Ann", "from": "8", "to": "alley", "kind": "corner", "by": "go_to",
             "vain": False}  # fmt: skip
    words = words_for(GAME, "en")
    alley = Cue("moved", {**facts, "does": "to:hideout"}, "BA-12")
    assert words.fact_speech(alley) == "Baretta goes on to the Hideout."
    assert words.fact_title(alley) == "ALLEY"
    shortcut = Cue("moved", {**facts, "to": "b1", "kind": "shortcut", "does": None}, "BA-12")
    assert words.fact_speech(shortcut) == ""
    assert words.group_facts_by_picture((shortcut,)) == []


@pytest.mark.long
def test_what_lies_on_two_spaces_never_touches() -> None:
    """Baretta is an exception: he is drawn on a blank background."""
    snapshot = question("en", HUNCH, 2, 4).session.standing.snapshot
    lit: dict[str, set[tuple[int, int]]] = {}
    for ident, space in snapshot.view["spaces"].items():
        canvas = Canvas()
        small_board.draw_sprite_centred_in_cell(
            canvas,
            *small_board._corner_of(space["at"]),
            small_board.space_content_sprite(ident, snapshot),
        )
        lit[ident] = {
            (x, y)
            for y, row in enumerate(frame_as_pixel_rows(canvas.frame))
            for x, on in enumerate(row)
            if on
        }
    del lit[snapshot.view["baretta"]]
    for one, other in combinations(lit.values(), 2):
        around = {(x + i, y + j) for x, y in one for i in (-1, 0, 1) for j in (-1, 0, 1)}
        assert not around & other


def test_the_cursor_leaves_what_lies_on_a_space_as_it_looks() -> None:
    drive = question("en", HUNCH, 2, 4)
    ring = [row[1:6] for row in board(drive.frame)]  # the left side, which the wheel reaches last
    drive.press("up")
    assert [row[1:6] for row in board(drive.frame)] == ring


@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_just_put_down_is_called_by_its_whole_name(language: str) -> None:
    words, drive = words_of_longest_edition(GAME, language), putting_down(language)
    for card in CARDS:
        for known in ({"3": card}, {"3": card, "4": "move:5"}):
            cue = Cue("placed", {"space": "3", "card": card}, "BA-12", to="Billy")
            snapshot = replace(drive.session.standing.snapshot, cues=(cue,))
            with draw_frames_on_recording_canvas():
                secret = Secret("Billy", None, {"seen": known})
                screens.secret_frame(snapshot, secret, Cursor(), words, FACE)
            shown = " ".join(
                text for _, x, text, _ in RecordingCanvas.last.texts if x == pictures.TEXT_X
            )
            assert shown.upper().startswith(baretta.printed_card_name(words, card).upper())


def test_all_24_numbers_stand_in_the_frame_that_shows_how_the_game_stands() -> None:
    frame = frame_as_pixel_rows(standing("en", MARKED, 44, 2).frame)
    for at in range(1, 7):
        assert any(frame[y][16 * at + 4 + x] for y in range(5) for x in range(3))
        assert any(frame[49 + y][16 * at + 4 + x] for y in range(5) for x in range(3))
        assert any(frame[7 * at + y][4 + x] for y in range(5) for x in range(3))
        assert any(frame[7 * at + y][116 + x] for y in range(5) for x in range(3))


def pictures_of(cues: Cues, language: str) -> list[bytes]:
    words = words_of_longest_edition(GAME, language)
    steps = range(screens.count_animation_pictures(cues, FACE))
    return [screens.fact_frame(cues, words, Cursor(), FACE, step) for step in steps]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["turned", "guessed", "wounded"])
def test_a_card_turns_over_back_edge_face_and_tells_nothing_before(name: str) -> None:
    facts: dict[str, Any] = {"who": "Ann", "space": "3"}
    stories = [pictures_of((Cue(name, {**facts, "card": card}, "BA-7"),), "en") for card in CARDS]
    faces = {"turned": 2, "wounded": 2, "guessed": 3}[name]
    for place in range(faces):
        assert len({story[place] for story in stories}) == 1
    shared = 4 if name == "guessed" else 0  # five Go to cards share a picture
    assert len({story[faces] for story in stories}) == len(CARDS) - shared
    assert len({story[0] for story in stories} | {story[faces - 1] for story in stories}) == 2


def test_bars_come_down_before_whoever_is_arrested() -> None:
    cue = Cue("arrest", {"space": "3", "criminal": "killer", "winner": "Ann"}, "BA-14")
    story = pictures_of((cue,), "en")
    assert len(set(story)) == len(story) == 4


@pytest.mark.long
def test_the_hunch_rises_before_the_card_is_named() -> None:
    words = words_of_longest_edition(GAME, "en")
    cues = [cue for cue in observed_games(GAME).cues.values() if cue.name == "guessed"]
    assert {words.fact_sound_name(cue) for cue in cues} == {"guess"}
    asked = next(
        c
        for c in observed_games(GAME).cues.values()
        if fact_variant_name(FACTS, c) == "turned.hunch"
    )
    assert words.fact_sound_name(asked) == "hunch"


@pytest.mark.parametrize("language", LANGUAGES)
def test_spaces_and_cards_are_called_by_their_names(language: str) -> None:
    words = words_of_longest_edition(GAME, language)
    assert spaces.space_name(words, "14") == "14"
    assert spaces.space_name(words, "alley") == LONG_NAMES[2]
    assert spaces.space_name(words, "hideout") == words("baretta.hideout")
    assert spaces.space_name(words, "a2").endswith(" A2")
    assert LONG_NAMES[0] in baretta.printed_card_name(words, "go_to:apartment")
    assert "7" in baretta.printed_card_name(words, "move:7")
    assert len({baretta.printed_card_name(words, name) for name in CARDS}) == len(CARDS)
    assert longest_edition(GAME)["corner"][2]["name"] == LONG_NAMES[2]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("does", ["take_back", "unmark", "look", "draw", "swap"])
def test_the_wheel_promises_nothing_that_a_corner_can_not_do(does: str) -> None:
    """The Apartment is marked as unusable exactly if it has no effect on the active player."""
    game, edition = find_game(GAME), deepcopy(dict(printed_edition(GAME)))
    edition["corner"][0]["does"] = does
    told = set()
    for n in (2, 3):
        table = GameTable(
            game, LONG_NAMES[:n], {o.name: o.values[-1] for o in game.options}, edition
        )
        for move in play_random_game(table, n).moves:
            if move.prompt.name != "move_to" or "apartment" not in legal_answers(move.prompt):
                continue
            _, cues = apply_answer(game, move.before, "apartment")
            idle = baretta.is_space_effect_unusable(game.view(move.before, None), does)
            assert idle == any(cue.name == "nothing" for cue in cues[1:2]), cues
            told.add(idle)
    assert told
