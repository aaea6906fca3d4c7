"""The face of a game: how the game looks, sounds and lights lamps.

The `face.py` of a game defines a `Face` with the name `FACE`. A game without `face.py` is drawn by
the defaults in `companion.draw.default_face`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.catalog import registry
from companion.core.errors import CompanionError
from companion.core.game import Cue, Cues, Secret
from companion.core.prompts import LEAVING_PLAYER_QUESTION, Answer, Prompt
from companion.core.snapshot import Snapshot, View
from companion.draw import default_face
from companion.draw.canvas import Canvas
from companion.press.cursor import Cursor
from companion.say.facts import Facts
from companion.say.words import BOX_WORDING, WordingFunctions, Words

if TYPE_CHECKING:
    from companion.say.words import AnswerClauses, Label


class InvalidFace(CompanionError, TypeError):
    """The error that a game's `face.py` has no `FACE`, or that its `FACE` is not a `Face`."""


class FactPicture(NamedTuple):
    """The drawing of an event of the game on rows 0 to 6 of the display, still or animated.

    - `draw(canvas, cues, words, step)`: draw the first event of `cues`, with details from the other
      events. `step` is the number of the animation's picture, counted from 0.
    - `steps(cue)`: return the number of pictures in the animation; 1 for a still picture.
    - `explained_fact(cues)`: return the event whose clause is explained first if a player chooses
      *Why?*.
    """

    draw: Callable[[Canvas, Cues, Words, int], None] = default_face.draw_facts_as_text
    steps: Callable[[Cue], int] = default_face.one_picture_by_default
    explained_fact: Callable[[Cues], Cue] = default_face.first_fact_of_picture


class StandingPages(NamedTuple):
    """The drawing of a score that is too long for one frame and therefore has several pages.

    - `count(snapshot)`: return the number of pages.
    - `draw(canvas, snapshot, words, page)`: draw rows 0 to 6 of page `page` (from 0), and return
      the text of row 7.
    """

    count: Callable[[Snapshot], int] = default_face.one_page_by_default
    draw: Callable[[Canvas, Snapshot, Words, int], str] = default_face.draw_standing_page


ONE_PAGE: Final = StandingPages()
"""The `StandingPages` of a score that fits on one page (frame)."""


@dataclass(frozen=True, kw_only=True)
class Face(WordingFunctions):
    """The appearance of a game: its drawings, its sentences, its lamps.

    Every field is optional. Most fields are functions and are listed with their arguments. The
    arguments below are common to several functions:

    - `canvas`: the `Canvas` to draw on.
    - `snapshot`: the `Snapshot` with the present state of the game.
    - `view`: the public fields of the game's state.
    - `words`: the sentences in the reader's language.
    - `players`: the names of the players.

    The sentences of the game are the fields of `WordingFunctions`. The most important field is
    `facts`, a table that defines how the box announces each event.

    Drawings:

    - `body(canvas, snapshot, prompt, cursor, words)`: draw rows 0 to 5 of a question.
    - `secret(canvas, snapshot, secret, cursor, words)`: draw rows 1 to 6 of a player's secret, and
      the answers of a private question below the secret.
    - `standing(canvas, snapshot, words)`: draw rows 0 to 6 of the score, during and after the game.
    - `pages`: a `StandingPages` if the score needs several pages.
    - `pictures`: table from the name of an event to its `FactPicture`.
    - `on_wheel`: names of the questions whose selected answer is drawn on row 6 instead of in a
      list.
    - `past_answer(canvas, snapshot, who, text, words)`: draw rows 0 to 6 of a past answer of a
      finished game. `who` gave the answer, `text` describes it, and `snapshot` is the game after
      this answer. `past_answer` must leave the right third of row 0 empty.
    - `total(view)`: return the running total that is drawn in the largest font, or "".

    Confirmation:

    - `needs_confirmation(question, value)`: return True if the player must confirm the answer
      `value`. The sentence `<game>.sure.<question>` states the cost of this answer.

    Audio mode:

    - `spoken_state(words, view, players)`: return the whole public state, one sentence for each
      item.
    - `spoken_secret(words, seen, view)`: return the sentences that speak a player's secret; `seen`
      has the fields of this secret.
    - `spoken_summary(words, view, players)`: return the active player and the scores as one short
      text.
    - `spoken_board(words)`: return the printed board as paragraphs of text.

    Lamps:

    - `to_act(view)`: return the player whose lamp blinks, or None.
    """

    facts: Facts = field(default_factory=dict)
    fields: Callable[[Words, View], dict[str, Any]] = BOX_WORDING.fields
    label: Label = BOX_WORDING.label
    aloud: Label = BOX_WORDING.aloud
    printed_names: Callable[[Words, View], Mapping[str, str]] = BOX_WORDING.printed_names
    glossary: AnswerClauses = BOX_WORDING.glossary
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    body: Callable[[Canvas, Snapshot, Prompt, Cursor, Words], None] = default_face.draw_question
    secret: Callable[[Canvas, Snapshot, Secret, Cursor, Words], None] = default_face.draw_secret
    standing: Callable[[Canvas, Snapshot, Words], None] = default_face.draw_state_or_result
    past_answer: Callable[[Canvas, Snapshot, str, str, Words], None] = default_face.draw_past_answer
    pages: StandingPages = ONE_PAGE
    pictures: Mapping[str, FactPicture] = field(default_factory=dict)
    on_wheel: frozenset[str] = frozenset()
    needs_confirmation: Callable[[str, Answer], bool] = default_face.never_needs_confirmation
    spoken_state: Callable[[Words, View, Sequence[str]], Sequence[str]] = (
        default_face.spoken_state_sentences
    )
    spoken_secret: Callable[[Words, View, View], Sequence[str]] = (
        default_face.spoken_secret_sentences
    )
    spoken_summary: Callable[[Words, View, Sequence[str]], str] = default_face.spoken_state_summary
    spoken_board: Callable[[Words], Sequence[str]] = default_face.no_board_sentences
    total: Callable[[View], str] = default_face.running_total_text
    to_act: Callable[[View], str | None] = default_face.read_active_player

    def should_confirm_answer(self, question: str, value: Answer) -> bool:
        """Return True if a player must confirm an answer.

        Players confirm costly answers, and the answer that a player leaves the game.
        """
        return question == LEAVING_PLAYER_QUESTION or self.needs_confirmation(question, value)


DEFAULT_FACE: Final = Face()
"""The face of a game without `face.py`: every field has its default value."""


@cache
def load_face(game: str) -> Face:
    """Import and return the face of a game; return DEFAULT_FACE if the game has no `face.py`.

    Raise UnknownGame if the game is not installed. Raise InvalidFace if `FACE` is not a `Face`.
    """
    module = registry.import_game_submodule(game, "face")
    if module is None:
        return DEFAULT_FACE
    face: object = vars(module).get("FACE")
    if not isinstance(face, Face):
        raise InvalidFace(f"{module.__name__} gives no FACE, a companion.draw.face.Face.")
    return face
