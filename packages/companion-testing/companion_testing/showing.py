"""Checks of a game's frames: the box can draw every frame, and no word is cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from companion.core.game import Cue, Cues, Secret
from companion.core.prompts import Answer, Choose, Prompt, Spell, legal_answers
from companion.draw import screens
from companion.draw.canvas import wrap_text
from companion.draw.face import load_face
from companion.draw.parts import MEDIUM_ROW_LETTERS, ROW_LETTERS
from companion.press.cursor import NO_SELECTION, Cursor
from companion.press.wheel import wheel_answers_and_symbols
from companion.say.words import Words
from companion_testing import face_recording
from companion_testing.observed_games import ObservedGames, ObservedQuestion, sample_values_per_name
from companion_testing.saying import spellable_test_texts
from companion_testing.table import Faults, GameFault

DRAWING_INTERVAL: Final = 7
"""Number of questions after which one question is drawn.

The first question of each kind is also drawn, at every cursor position.
"""
ROWS_BELOW_SHORT_TITLE: Final = 4
"""Number of text rows below a title that has one row.

Below a title of two rows, there are two text rows fewer.
"""
LEGEND_OFFSET: Final = 7 * 128
"""Offset of the last row in a frame (bytes)."""
CLAUSE_PATTERN: Final = re.compile(r"[A-Z]{2}-\d+")
STANDINGS_INTERVAL: Final = 5
"""Number of questions after which the score is drawn once."""


def check_pictures_show_all_words(met: ObservedGames, words: Words) -> Faults:
    """Every picture of facts shows all words of its title and text.

    The picture shows a clause number only in its header.
    """
    for cues in sample_values_per_name(
        met.public_facts_grouped_by_picture(words), lambda cues: cues[0].name
    ):
        last = screens.count_animation_pictures(cues, load_face(words.game)) - 1
        with face_recording.draw_frames_on_recording_canvas():
            screens.fact_frame(cues, words, Cursor(), load_face(words.game), last)
        written = face_recording.RecordingCanvas.last
        shown = [
            word for word in written.words_above_bottom_row if not CLAUSE_PATTERN.fullmatch(word)
        ]
        if face_recording.is_picture_drawn_by_game(
            cues, words
        ):  # a picture drawn by the game may omit words
            cut = any(word.endswith("…") for word in shown)
        else:
            cut = shown != _missing_pictures(cues, words)
        if cut or written.cut:
            fault_text = f"the moment of {cues[0].name} is cut off"
            room = (
                ""
                if face_recording.is_picture_drawn_by_game(cues, words)
                else f", {_rows(cues[0], words)}"
            )
            yield GameFault(
                f"{fault_text}{room}: {' '.join(shown)!r}",
                met.first_place_of_fact(cues[0]),
                kind=f"{words.language} {fault_text}",
            )
        if _clause_below():
            yield f"the moment of {cues[0].name} has a clause in a row of text, below the header"


def _clause_below() -> bool:
    """Return True if the last frame has a clause number outside of its header."""
    return any(
        row and CLAUSE_PATTERN.search(text)
        for row, _, text, _ in face_recording.RecordingCanvas.last.texts
    )


def _rows(lead: Cue, words: Words) -> str:
    wide = len(wrap_text(words.fact_title(lead), MEDIUM_ROW_LETTERS)) > 1
    rows = ROWS_BELOW_SHORT_TITLE - 2 * wide
    return f"which has {rows} rows of {ROW_LETTERS} letters under its title"


def _missing_pictures(cues: Cues, words: Words) -> list[str]:
    texts = [
        words.fact_title(cues[0]),
        words.fact_text_below_title(cues[0]),
        *map(words.fact_text, cues[1:]),
    ]
    return [word for text in texts for word in re.split(r"[ |]", text) if word]


def check_explanations_fit(met: ObservedGames, words: Words) -> Iterator[str]:
    """Every explanation of a fact or an answer fits on one page."""
    names = {
        name: None for cue in met.cues.values() for name in words.clauses_explaining_facts((cue,))
    }
    for prompt, snapshot, *_ in met.asked.values():
        if isinstance(prompt, Choose) and not prompt.private:
            for value in prompt.options:
                names |= dict.fromkeys(
                    words.clauses_for_answer_effect(prompt.name, value, snapshot.view)
                )
    for name in names:
        why = Cue("why", {"ruling": name}, name.partition(".")[0])
        with face_recording.draw_frames_on_recording_canvas():
            screens.fact_frame((why,), words, Cursor(), None)
        shown = [
            word
            for word in face_recording.RecordingCanvas.last.words_above_bottom_row
            if not CLAUSE_PATTERN.fullmatch(word)
        ]
        if shown != _missing_pictures((why,), words) or face_recording.RecordingCanvas.last.cut:
            text = words.clause_text(name)
            yield f"what explains {name} is cut off, {_rows(why, words)}: {text!r}"


def check_animations_spare_button_labels(met: ObservedGames, words: Words) -> Iterator[str]:
    """An animated picture leaves the last row free for the button labels."""
    seen, face = set(), load_face(words.game)
    for cues in met.public_facts_grouped_by_picture(words):
        steps = screens.count_animation_pictures(cues, face)
        if (cues[0].name, steps) in seen:
            continue
        seen.add((cues[0].name, steps))
        frames = [screens.fact_frame(cues, words, Cursor(), face, step) for step in range(steps)]
        if len({frame[LEGEND_OFFSET:] for frame in frames}) != 1 or not any(
            frames[0][LEGEND_OFFSET:]
        ):
            yield f"the picture of {cues[0].name} covers what the buttons do"


def check_question_frames_fit(met: ObservedGames, words: Words) -> Faults:
    """Every question, its curtain and the score during a game fit on the display."""
    seen = set()
    for i, asked in enumerate(met.asked.values()):
        kind = (asked.prompt.name, str(asked.prompt.facts))
        if i % DRAWING_INTERVAL and kind in seen:
            continue
        with face_recording.draw_frames_on_recording_canvas():
            for frame in _frames(asked, words, every_place=kind not in seen):
                name = asked.prompt.name
                if _clause_below():
                    yield GameFault(f"{name} has a clause in a row of text", asked.at)
                if not any(frame[LEGEND_OFFSET:]):
                    yield GameFault(f"{name} is drawn over what the buttons do", asked.at)
                if face_recording.RecordingCanvas.last.cut:
                    fault_text = f"{name} is cut off"
                    text, fault_kind = (
                        face_recording.RecordingCanvas.last.cut[0],
                        f"{words.language} {fault_text}",
                    )
                    yield GameFault(f"{fault_text}: {text!r}", asked.at, kind=fault_kind)
        seen.add(kind)


def _frames(asked: ObservedQuestion, words: Words, *, every_place: bool) -> Iterator[bytes]:
    prompt, snapshot, own_view, _ = asked
    face, secret = load_face(words.game), Secret(str(prompt.who), prompt, own_view)
    yield screens.standing_frame(snapshot, words, Cursor(), face)
    if own_view.keys() != snapshot.view.keys():
        yield screens.secret_frame(snapshot, secret._replace(prompt=None), Cursor(), words, face)
    for text in ("", *spellable_test_texts(prompt)):
        last = 0 if isinstance(prompt, Spell) else len(wheel_answers_and_symbols(prompt, text)) - 1
        start = NO_SELECTION if prompt.private and not isinstance(prompt, Spell) else 0
        for at in range(start if every_place else last, last + 1):
            cursor = Cursor(at=at, text=text)
            if prompt.private:
                yield screens.secret_frame(snapshot, secret, cursor, words, face)
                yield screens.hand_over_request_frame(
                    snapshot, str(prompt.who), prompt, cursor, words
                )
            else:
                yield screens.question_frame(snapshot, prompt, cursor, words, face)
    for value in [
        value for value in legal_answers(prompt) if face.needs_confirmation(prompt.name, value)
    ][:1]:
        yield screens.confirmation_frame(_once_more(prompt, value), Cursor(), words)


def _once_more(prompt: Prompt, value: Answer) -> Choose:
    facts = {"question": prompt.name, "value": value}
    return Choose("sure", prompt.who, ("no", "yes"), private=prompt.private, facts=facts)


def check_lamps_of_present_players(met: ObservedGames, words: Words) -> Faults:
    """A lamp is lit only for a player at the table, and for nobody after the end of the game."""
    to_act = load_face(words.game).to_act
    for asked in met.asked.values():
        if to_act(asked.snapshot.view) not in {None, *asked.snapshot.players}:
            fault_text = f"{to_act(asked.snapshot.view)} is to act, and is no player"
            yield GameFault(f"{asked.prompt.name}: {fault_text}", asked.at)
    for snapshot in met.ends:
        if to_act(snapshot.view) is not None:
            yield f"after the end {to_act(snapshot.view)} is still to act"


def check_score_pages_fit(met: ObservedGames, words: Words) -> Faults:
    """Every page of the score fits on the display, during a game and after the game."""
    face = load_face(words.game)
    before = (asked.snapshot for asked in [*met.asked.values()][::STANDINGS_INTERVAL])
    for snapshot in (*met.ends, *before):
        for page in range(face.pages.count(snapshot)):
            with face_recording.draw_frames_on_recording_canvas():
                screens.standing_frame(snapshot, words, Cursor(page=page), face)
            if face_recording.RecordingCanvas.last.cut:
                yield f"the last frame is cut off: {face_recording.RecordingCanvas.last.cut[0]!r}"
