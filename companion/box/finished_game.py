"""The review of a finished game: its result, score curve, answers and random seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from companion.core.chance import Chance
from companion.core.game import Cue
from companion.core.prompts import is_answered_by_box
from companion.core.snapshot import Snapshot
from companion.draw import screens
from companion.draw.canvas import (
    Canvas,
    load_font,
    shorten_names_distinctly,
    shorten_text,
    wrap_text,
)
from companion.draw.face import load_face
from companion.draw.parts import MAX_LIST_ANSWERS, ROW_LETTERS, draw_fact_text
from companion.draw.phones import qr_modules
from companion.figures import game_review, recorded
from companion.figures.game_review import RecordedStep
from companion.figures.game_statistics import Point, recorded_game_statistics
from companion.figures.recorded import RecordedGame
from companion.menus.game_summaries import format_scores
from companion.play.record_header import setup_from_record_header
from companion.play.verify import verify_game_against_seed
from companion.press.cursor import Cursor
from companion.record.journal import Journal
from companion.say.words import MAX_NAME_LETTERS, Words
from hardware.ports import DISPLAY_WIDTH

DISPLAY_ROWS, MIN_QUIET_ZONE = 64, 4
"""DISPLAY_ROWS: number of pixel rows of the display.

MIN_QUIET_ZONE: minimum width in pixels of the light margin around a QR code.
"""
CURVE_TOP, CURVE_BOTTOM, CURVE_RIGHT = 10, 54, 79
"""CURVE_TOP, CURVE_BOTTOM: first and last pixel row of the score curve.

CURVE_RIGHT: last pixel column of the score curve. Names are to the right of this column.
"""
NAME_ROWS: Final = range(1, 7)
"""Text rows for names beside the score curve.

If there are more names than rows, several names share a row.
"""
CLAUSE_ROW: Final = 6
"""Text row for the number of the clause on the page of an answer.

The page shows the number only if this row is free.
"""
SEED_CHARACTERS_PER_ROW: Final = 16
"""Number of characters of the seed in one text row."""
TURNING_POINT_PAGES: Final = {"point": "box.turning.no_point", "missed": "box.turning.no_missed"}
"""Table from the name of a turning-point page to a catalogue key.

The key names the text that the page shows if the analysis has no result.
"""


@dataclass(frozen=True)
class FinishedGameReview:
    """A finished game for review, page by page.

    The game is replayed when a player opens the first page of an answer.

    - `title_fact`: the event that states the players, the winner, and whether the check of the
      random draws succeeded.
    - `pages`: the names of the pages, in the order in which DOWN shows the pages. A number n is the
      page of answer n, counted from 0.
    - `curve`: the points of the score curve: scores after some of the answers.
    - `decided`: the sentences about the turning point, or None until the analysis ends.
    """

    title_fact: Cue
    game: RecordedGame
    names: tuple[str, ...]
    curve: tuple[Point, ...]
    pages: tuple[str | int, ...]
    number: int
    code: str
    seed: str
    language: str
    decided: Mapping[str, str] | None = None
    scores: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()

    @cached_property
    def answers_with_resulting_states(self) -> Sequence[RecordedStep]:
        """Return the answers, each with the state of the game after the answer."""
        return game_review.review_steps(self.game)

    @cached_property
    def catalogue_sentences(self) -> Words:
        """Return the catalogue sentences of the finished game."""
        return load_recorded_game_sentences(self.game, self.language)

    @property
    def page_count(self) -> int:
        """Return the number of pages in the review."""
        return len(self.pages)

    @property
    def is_turning_point_pending(self) -> bool:
        """Return True if the review has turning-point pages but no result of the analysis yet."""
        return self.decided is None and not {*TURNING_POINT_PAGES}.isdisjoint(self.pages)

    @property
    def verification_qr_text(self) -> str:
        """Return the text of the QR code: the game's number, the commitment code, and the seed."""
        return f"{self.number} {self.code} {self.seed.upper()}"

    def frame_of_page(self, n: int, words: Words) -> bytes:
        """Return the frame of page `n` of the review."""
        canvas = Canvas()
        match self.pages[n]:
            case "curve":
                canvas.draw_text(0, 0, self.title_fact.facts["GAME"])
                _curve(canvas, self.names, self.curve)
            case int(at):
                _move(canvas, self, at, words)
            case "code":
                _code(canvas, self, words)
                return canvas.frame
            case "seed":
                canvas.draw_text(0, 0, words("box.past.seed", n=self.number))
                canvas.draw_centred_text(1, f"{self.code[:4]} {self.code[4:]}", "medium")
                for row, at in enumerate(range(0, len(self.seed), SEED_CHARACTERS_PER_ROW), 3):
                    canvas.draw_centred_text(row, self.seed[at : at + SEED_CHARACTERS_PER_ROW])
            case "point" | "missed" as which:
                for row, text in enumerate(wrap_text(self._decided(which, words), ROW_LETTERS)):
                    canvas.draw_text(row, 0, text)
            case _ if len(self.names) <= MAX_LIST_ANSWERS:
                _result(canvas, self)
            case _:
                draw_fact_text(canvas, (self.title_fact,), words)
        canvas.draw_text(7, 0, words("box.legend.notice.pages"))
        return canvas.frame

    def spoken_page(self, n: int, words: Words) -> str:
        """Return the spoken text of page `n`, such as an answer and the events that it caused."""
        match self.pages[n]:
            case "curve":
                return format_scores(self.names, self.curve[-1][1])
            case int(at):
                move, game_words = self.answers_with_resulting_states[at], self.catalogue_sentences
                facts = (game_words.fact_speech(cue) for cue in move.cues if cue.to is None)
                return " ".join(filter(None, (_given(move, game_words, words), *facts)))
            case "code" | "seed" as which:
                chance = {"code": self.code, "seed": self.seed}[which]
                return words("box.say.ear.chance", code=" ".join(self.code), seed=chance)
            case "point" | "missed" as which:
                return self._decided(which, words)
            case _:
                return f"{words.fact_title(self.title_fact)}. {words.fact_text(self.title_fact)}"

    def _decided(self, which: str, words: Words) -> str:
        if self.decided is None:
            return words("box.turning.weighing")
        return self.decided.get(which) or words(TURNING_POINT_PAGES[which])


def open_finished_game_review(
    journal: Journal, number: int, words: Words, *, weighs: bool = False
) -> FinishedGameReview:
    """Return the review of a finished game.

    If `weighs` is True and the box can play the game, add pages for the turning-point analysis.
    Raise JournalError if the record of the game cannot be read.
    """
    summary = journal.game_summary(number)
    straight = verify_game_against_seed(journal, number).problem is None
    chance = Chance(journal.read_first_line_of_game(number).value["seed"])
    game = recorded.load_recorded_game(journal, number)
    played, detail = recorded_game_statistics(game, number)
    moves = range(game_review.count_review_steps(game)) if played.scores else ()
    curve = tuple(detail.curve) if len(detail.curve) > 1 else ()
    facts = {
        "GAME": words.game_title(summary.game).upper(),
        "players": format_scores(summary.players, played.scores),
        "result": words.winners_sentence(summary.winners or ()),
        "chance": words("box.past.straight" if straight else "box.past.crooked"),
    }
    setup = setup_from_record_header(game.header)
    decided = TURNING_POINT_PAGES if weighs and setup.game.can_box_play_seat(setup.options) else ()
    pages = ("told", *(("curve",) if curve else ()), *decided, *moves, "code", "seed")
    past = FinishedGameReview(
        Cue("past", facts), game, summary.players, curve, pages, number,
        chance.commitment_code, chance.seed, words.language,
    )  # fmt: skip
    return replace(past, scores=tuple(played.scores), winners=summary.winners or ())


def load_recorded_game_sentences(game: RecordedGame, language: str) -> Words:
    """Return a recorded game's catalogue sentences, with the names of the game's printed parts."""
    name = str(game.header["game"])
    return Words(
        language, load_face(name), setup_from_record_header(game.header).edition, game=name
    )


def public_frame_of_snapshot(snapshot: Snapshot, words: Words) -> bytes:
    """Return a frame without secrets: the question that the box asks, or the score.

    The frame shows the score if the question is private, if there is no question, or if the box
    answers the question.
    """
    face, prompt = load_face(snapshot.game), snapshot.prompt
    if prompt is None or prompt.private or is_answered_by_box(prompt):
        return screens.standing_frame(snapshot, words, Cursor(), face)
    return screens.question_frame(snapshot, prompt, Cursor(), words, face)


def _result(canvas: Canvas, past: FinishedGameReview) -> None:
    facts = past.title_fact.facts
    canvas.draw_centred_text(0, facts["GAME"])
    for row, who in enumerate(past.names, start=1):
        canvas.draw_text(row, 0, "★" if who in past.winners else "")
        canvas.draw_text(row, 2 * load_font("small").width, shorten_text(who, MAX_NAME_LETTERS))
    for row, score in enumerate(past.scores, start=1):
        canvas.draw_right_aligned_text(row, str(score))
    canvas.draw_text(5, 0, shorten_text(facts["result"], ROW_LETTERS))
    canvas.draw_text(6, 0, shorten_text(facts["chance"], ROW_LETTERS))


def _move(canvas: Canvas, past: FinishedGameReview, at: int, words: Words) -> None:
    move, game_words = past.answers_with_resulting_states[at], past.catalogue_sentences
    lead = _draw_fact(canvas, move, _given(move, game_words, words), game_words)
    clause = "" if lead is None or lead.clause is None else lead.clause
    place = f"{at + 1}/{len(past.answers_with_resulting_states)}"
    if _fills(canvas, 0, place) or not _fills(canvas, CLAUSE_ROW, place):
        _fills(canvas, CLAUSE_ROW, clause)


def _draw_fact(canvas: Canvas, move: RecordedStep, text: str, game_words: Words) -> Cue | None:
    face, facts = load_face(move.after.game), move.own
    lead, *others = next(iter(game_words.group_facts_by_picture(facts)), (None,))
    if lead is not None and game_words.variant_row_of_fact(lead).shown_in_final_score:
        face.standing(canvas, move.after, game_words)
        return lead
    if lead is not None and (game_words.variant_row_of_fact(lead).headline or lead is facts[0]):
        drawn = (lead._replace(clause=None), *filter(None, others))
        screens.draw_facts(
            canvas, drawn, game_words, face, screens.count_animation_pictures(drawn, face) - 1
        )
        return lead
    whose = (str(cue.facts["who"]) for cue in facts if "who" in cue.facts)
    who = move.entry.who or next(whose, "")
    face.past_answer(canvas, replace(move.after, cues=facts), who, text, game_words)
    return next(iter(facts), None)


def _fills(canvas: Canvas, row: int, text: str) -> bool:
    width = (len(text) + 1) * load_font("small").width
    end = (row + 1) * DISPLAY_WIDTH
    is_free = not any(canvas.frame[end - width : end])
    if is_free:
        canvas.draw_right_aligned_text(row, text)
    return is_free


def _given(move: RecordedStep, game_words: Words, words: Words) -> str:
    entry = move.entry
    if entry.kind != "answer":
        return words("box.past.redo") if entry.kind == "redo" else ""
    given = {"who": entry.who, "question": entry.question, "value": entry.value}
    return game_words.fact_text(Cue("redone", given))


def _code(canvas: Canvas, past: FinishedGameReview, words: Words) -> None:
    rows = qr_modules((past.verification_qr_text,))
    size = (DISPLAY_ROWS - MIN_QUIET_ZONE) // len(rows)
    margin = (DISPLAY_ROWS - size * len(rows)) // 2
    canvas.invert_rectangle(0, 0, DISPLAY_ROWS, DISPLAY_ROWS)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                canvas.erase_rectangle(margin + size * x, margin + size * y, size, size)
    canvas.draw_text(1, DISPLAY_ROWS + 8, words("box.past.number", n=past.number))
    canvas.draw_text(3, DISPLAY_ROWS + 8, past.code[:4], "medium")
    canvas.draw_text(5, DISPLAY_ROWS + 8, past.code[4:], "medium")
    canvas.draw_right_aligned_text(7, words("box.past.on"))


def _curve(canvas: Canvas, names: Sequence[str], points: Sequence[Point]) -> None:
    scores = [n for _, all_ in points for n in all_]
    low, high, last = min(0, *scores), max(*scores, 1), max(points[-1][0], 1)
    letters = (DISPLAY_WIDTH - CURVE_RIGHT - 2) // 6
    wide = 6 * letters
    behind = -(-len(names) // len(NAME_ROWS))  # names per row, rounded up
    right_end = CURVE_RIGHT - (behind - 1) * wide

    def y(score: int) -> int:
        return CURVE_BOTTOM - (score - low) * (CURVE_BOTTOM - CURVE_TOP) // (high - low)

    places = {(row, n) for row in NAME_ROWS for n in range(behind)}
    for seat, name in enumerate(shorten_names_distinctly(names, letters)):
        ends = [(at * right_end // last, y(all_[seat])) for at, all_ in points]
        # draw a step, because a score is constant between two answers
        for (x, above), (right, below) in pairwise(ends):
            canvas.set_pixels((column, above) for column in range(x, right, 1 + seat))
            canvas.set_pixels(
                (right, row) for row in range(min(above, below), max(above, below) + 1)
            )
        row = min(6, max(1, ends[-1][1] // 8))
        free = min(places, key=lambda place: (abs(place[0] - row), place))
        places.remove(free)
        canvas.draw_text(free[0], right_end + 2 + free[1] * wide, name)
