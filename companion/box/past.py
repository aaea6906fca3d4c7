"""A finished game, looked at again: its end, its scores, move by move, and its chance to check."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from companion.core.chance import Chance
from companion.core.game import Cue
from companion.core.prompts import by_box
from companion.draw import screens
from companion.draw.canvas import Canvas, apart, short, wrap
from companion.draw.face import face_of
from companion.draw.parts import COLUMNS, verdict
from companion.draw.phones import modules
from companion.figures import recorded, story
from companion.figures.played import figures
from companion.menus.summaries import fitted, scored
from companion.play.header import setup_of
from companion.play.verify import check
from companion.press.cursor import Cursor
from companion.say.words import Words
from hardware.ports import WIDTH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.snapshot import Snapshot
    from companion.figures.played import Point
    from companion.figures.recorded import Recorded
    from companion.figures.story import StoryLine
    from companion.record.journal import Journal

HEIGHT, LIGHT = 64, 4
"""Rows of the display, and columns of a QR code with the light around it, at least so much."""
NAME: Final = 7
"""Letters of a name beside its score."""
TOP, BOTTOM, LAST = 10, 54, 103
"""The first and the last row of a curve, and its last column; names stand behind it."""
PLACES: Final = range(1, 7)
"""Rows in which a name can stand there; of more names, some stand behind others."""
TOLD: Final = 2
"""Rows that tell everybody's score."""
ROW: Final = 6
"""The row under a move that says what was answered."""
LEAST: Final = 3
"""Letters of a name beside a long answer."""
WHOLE: Final = 1000
"""Room for all that is heard."""
BLOCK: Final = 16
"""Digits of a seed in a row."""
DECIDED: Final = {"point": "box.turning.no_point", "missed": "box.turning.no_missed"}
"""The pages that say what decided a game, its turning point and the best move missed; and what
stands there of a game that has none.
"""


@dataclass(frozen=True)
class PastGame:
    """A finished game: who played, who won, and whether the chance was straight, in `cue`.

    `pages` are those that the wheel turns; a number is one of its answers. `curve` has the scores
    after some of them. The game is played again when the first of them is looked at. `decided` has
    the sentences of what decided it; None while that is being found out.
    """

    cue: Cue
    game: Recorded
    names: tuple[str, ...]
    curve: tuple[Point, ...]
    pages: tuple[str | int, ...]
    number: int
    code: str
    seed: str
    language: str
    decided: Mapping[str, str] | None = None

    @cached_property
    def moves(self) -> Sequence[StoryLine]:
        """Its answers, each with the game after it."""
        return story.answers(self.game)

    @cached_property
    def words(self) -> Words:
        """Its own words."""
        return words_of(self.game, self.language)

    @property
    def count(self) -> int:
        """How many pages the wheel turns."""
        return len(self.pages)

    @property
    def awaits(self) -> bool:
        """Whether it has pages that say what decided it, and that is not known yet."""
        return self.decided is None and not {*DECIDED}.isdisjoint(self.pages)

    @property
    def text(self) -> str:
        """What its QR code says: its number, the code that was promised, and the seed."""
        return f"{self.number} {self.code} {self.seed.upper()}"

    def draw(self, n: int, words: Words) -> bytes:
        """The frame of a page."""
        canvas = Canvas()
        match self.pages[n]:
            case "curve":
                canvas.text(0, 0, self.cue.facts["GAME"])
                _curve(canvas, self.names, self.curve)
            case int(at):
                _move(canvas, self, at, words)
            case "code":
                _code(canvas, self, words)
                return canvas.frame
            case "seed":
                canvas.text(0, 0, words("box.past.seed", n=self.number))
                canvas.centre(1, f"{self.code[:4]} {self.code[4:]}", "medium")
                for row, at in enumerate(range(0, len(self.seed), BLOCK), 3):
                    canvas.centre(row, self.seed[at : at + BLOCK])
            case "point" | "missed" as which:
                for row, text in enumerate(wrap(self._decided(which, words), COLUMNS)):
                    canvas.text(row, 0, text)
            case _:
                verdict(canvas, (self.cue,), words)
        canvas.text(7, 0, words("box.legend.notice.pages"))
        return canvas.frame

    def said(self, n: int, words: Words) -> str:
        """A page, to be heard: a move with what came of it, the chance letter by letter."""
        match self.pages[n]:
            case "curve":
                return scored(self.names, self.curve[-1][1])
            case int(at):
                move, own = self.moves[at], self.words
                told = (own.speech(cue) for cue in move.cues if cue.to is None)
                return " ".join((f"{_given(move, own, words)}.", *filter(None, told)))
            case "code" | "seed" as which:
                chance = {"code": self.code, "seed": self.seed}[which]
                return words("box.say.ear.chance", code=" ".join(self.code), seed=chance)
            case "point" | "missed" as which:
                return self._decided(which, words)
            case _:
                return f"{words.title(self.cue)}. {words.text(self.cue)}"

    def _decided(self, which: str, words: Words) -> str:
        if self.decided is None:
            return words("box.turning.weighing")
        return self.decided.get(which) or words(DECIDED[which])


def looked_at(journal: Journal, number: int, words: Words, *, weighs: bool = False) -> PastGame:
    """A finished game of the record; what decided it has pages if the box `weighs` that.

    Raises JournalError.
    """
    summary = journal.summary(number)
    straight = check(journal, number).problem is None
    chance = Chance(journal.first(number).value["seed"])
    game = recorded.of(journal, number)
    played, detail = figures(game, number)
    moves = range(story.count(game)) if played.scores else ()
    curve = tuple(detail.curve) if len(detail.curve) > 1 else ()
    told = {
        "GAME": words.called(summary.game).upper(),
        "players": _players(summary.players, played.scores),
        "result": words.victory(summary.winners or ()),
        "chance": words("box.past.straight" if straight else "box.past.crooked"),
    }
    setup = setup_of(game.header)
    decided = DECIDED if weighs and setup.game.playable(setup.options) else ()
    pages = ("told", *(("curve",) if curve else ()), *decided, *moves, "code", "seed")
    return PastGame(
        Cue("past", told), game, summary.players, curve, pages, number, chance.code, chance.seed,
        words.language,
    )  # fmt: skip


def _players(names: Sequence[str], scores: Sequence[int]) -> str:
    """Everybody with the score, in so many rows that there is room for what came of it."""
    told = scored([short(who, NAME) for who in names], scores)
    return told if len(wrap(told, COLUMNS)) <= TOLD else fitted(names, scores, rows=TOLD)


def words_of(game: Recorded, language: str) -> Words:
    """The words of a recorded game, with the names that were printed on its board."""
    name = str(game.header["game"])
    return Words(language, face_of(name), setup_of(game.header).edition, game=name)


def seen(snapshot: Snapshot, words: Words) -> bytes:
    """What the display showed then; where somebody alone was asked, how the game stood."""
    face, prompt = face_of(snapshot.game), snapshot.prompt
    if prompt is None or prompt.private or by_box(prompt):
        return screens.standing(snapshot, words, Cursor(), face)
    return screens.question(snapshot, prompt, Cursor(), words, face)


def _move(canvas: Canvas, past: PastGame, at: int, words: Words) -> None:
    """The game after an answer, who gave which, and the first rule that it brought up."""
    move, own = past.moves[at], past.words
    canvas.fill(0, 0, seen(move.after, own)[: ROW * WIDTH])
    clause = next((cue.clause for cue in move.cues if cue.clause), "") or ""
    room = COLUMNS - len(f"{at + 1} ") - len(clause) - bool(clause)
    canvas.text(ROW, 0, f"{at + 1} {_given(move, own, words, room)}")
    canvas.right(ROW, clause)


def _given(move: StoryLine, own: Words, words: Words, room: int = WHOLE) -> str:
    """What was answered; that it was taken back, given again, or put something right.

    Of a row that is too long the name is cut first.
    """
    entry = move.entry
    kind = "correct" if entry.question == "correct" else entry.kind
    if kind != "answer":
        return short(words(f"box.past.{kind}"), room)
    question, view = str(entry.question), move.after.view
    drawn = room < WHOLE
    answer = (own.label if drawn else own.aloud)(question, entry.value, view)
    if entry.who is None:
        return short(answer, room)
    over = len(words("box.told.player", who=entry.who, answer=answer)) - room
    who = short(entry.who, max(LEAST, len(entry.who) - max(0, over)))
    return short(words("box.told.player", who=who, answer=answer), room)


def _code(canvas: Canvas, past: PastGame, words: Words) -> None:
    """The code and the seed for a telephone, on the left; the code for people beside it."""
    rows = modules((past.text,))
    size = (HEIGHT - LIGHT) // len(rows)
    margin = (HEIGHT - size * len(rows)) // 2
    canvas.reverse(0, 0, HEIGHT, HEIGHT)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                canvas.erase(margin + size * x, margin + size * y, size, size)
    canvas.text(1, HEIGHT + 8, words("box.past.number", n=past.number))
    canvas.text(3, HEIGHT + 8, past.code[:4], "medium")
    canvas.text(5, HEIGHT + 8, past.code[4:], "medium")
    canvas.right(7, words("box.past.on"))


def _curve(canvas: Canvas, names: Sequence[str], points: Sequence[Point]) -> None:
    """Everybody's score over the answers of the game; each ends at its name."""
    scores = [n for _, all_ in points for n in all_]
    low, high, last = min(0, *scores), max(*scores, 1), max(points[-1][0], 1)
    letters = (WIDTH - LAST - 2) // 6
    wide = 6 * letters
    behind = -(-len(names) // len(PLACES))  # names in a row
    right_end = LAST - (behind - 1) * wide

    def y(score: int) -> int:
        return BOTTOM - (score - low) * (BOTTOM - TOP) // (high - low)

    places = {(row, n) for row in PLACES for n in range(behind)}
    for seat, name in enumerate(apart(names, letters)):
        ends = [(at * right_end // last, y(all_[seat])) for at, all_ in points]
        for (x, above), (right, below) in pairwise(ends):  # a score stands until it changes
            canvas.plot((column, above) for column in range(x, right, 1 + seat))
            canvas.plot((right, row) for row in range(min(above, below), max(above, below) + 1))
        row = min(6, max(1, ends[-1][1] // 8))
        free = min(places, key=lambda place: (abs(place[0] - row), place))
        places.remove(free)
        canvas.text(free[0], right_end + 2 + free[1] * wide, name)
