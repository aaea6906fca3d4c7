"""The face of a game: its pictures, its table of facts and its lamps.

A game's `face.py` defines `FACE`. Every part is optional: `plain` draws a game without a face.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.catalog import registry
from companion.core.errors import CompanionError
from companion.core.game import Cue, Cues, Secret
from companion.core.prompts import LEAVES_QUESTION, Answer, Prompt
from companion.core.snapshot import Snapshot, View
from companion.draw import plain
from companion.draw.canvas import Canvas
from companion.press.cursor import Cursor
from companion.say.facts import Facts
from companion.say.words import BOX_WORDING, Wording, Words

if TYPE_CHECKING:
    from companion.say.words import Glossary, Label


class NoFace(CompanionError, TypeError):
    """The attribute `FACE` of a game's `face.py` is missing or is not a `Face`."""


class Picture(NamedTuple):
    """A picture of a fact, which a game draws itself on rows 0 to 6.

    - `draw(canvas, cues, words, step)`: draw the first of the `cues`; the other cues are details.
      `step` is the number of the picture in the animation, from 0.
    - `steps(cue)`: return the number of pictures of the animation; 1 for a still picture.
    - `about(cues)`: return the fact whose clause *Why?* explains first.
    """

    draw: Callable[[Canvas, Cues, Words, int], None] = plain.draw_moment
    steps: Callable[[Cue], int] = plain.count_one_picture
    about: Callable[[Cues], Cue] = plain.first_fact


class StandingPages(NamedTuple):
    """A standing that takes several pages.

    - `count(snapshot)`: return the number of pages.
    - `draw(canvas, snapshot, words, page)`: draw rows 0 to 6 of a page, counted from 0, and return
      the text of row 7.
    """

    count: Callable[[Snapshot], int] = plain.count_one_page
    draw: Callable[[Canvas, Snapshot, Words, int], str] = plain.draw_page


ONE_PAGE: Final = StandingPages()
"""The pages of a standing that fits on one page."""


@dataclass(frozen=True, kw_only=True)
class Face(Wording):
    """The pictures, sentences and lamps of a game. Every argument is optional and has a default.

    Most arguments are functions, given here with their arguments. `canvas` is the `Canvas` to draw
    on, `snapshot` the state of the game, `view` its public fields, and `words` the sentences in the
    reader's language.

    Sentences: the fields of `Wording`, above all the table of `facts`.

    Pictures:

    - `body(canvas, snapshot, prompt, cursor, words)`: draw rows 0 to 5 of a question.
    - `secret(canvas, snapshot, secret, cursor, words)`: draw rows 1 to 6 of a player's secret, with
      the private question if one is asked.
    - `standing(canvas, snapshot, words)`: draw rows 0 to 6 of the score, also after the end.
    - `pages`: a `StandingPages`, if the score needs several pages.
    - `pictures`: a `Picture` for each fact that the game draws itself, by the fact's name.
    - `on_wheel`: names of the questions whose answers are shown on row 6, like numbers, not in a
      list.
    - `retell(canvas, snapshot, who, text, words)`: draw rows 0 to 6 of a past answer of a finished
      game. `text` states the answer, and `snapshot` is the game after it, with its facts. The right
      third of row 0 stays free.
    - `total(view)`: return a running total for the largest letters (*Large*), "" for none.

    Confirmation:

    - `grave(question, value)`: return True if the answer must be confirmed. The sentence
      `<game>.sure.<question>` states its price.

    Audio mode:

    - `survey(words, view, players)`: return the whole public state, one sentence for each item.
    - `whisper(words, seen, view)`: return a player's secret as sentences; `seen` are its fields.
    - `breath(words, view, players)`: return the active player and the scores as one short text.
    - `board(words)`: return the printed board, one text for each paragraph.

    Lamps:

    - `to_act(view)`: return the player whose lamp blinks, or None.
    """

    facts: Facts = field(default_factory=dict)
    fields: Callable[[Words, View], dict[str, Any]] = BOX_WORDING.fields
    label: Label = BOX_WORDING.label
    aloud: Label = BOX_WORDING.aloud
    printed_names: Callable[[Words, View], Mapping[str, str]] = BOX_WORDING.printed_names
    glossary: Glossary = BOX_WORDING.glossary
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    body: Callable[[Canvas, Snapshot, Prompt, Cursor, Words], None] = plain.draw_question
    secret: Callable[[Canvas, Snapshot, Secret, Cursor, Words], None] = plain.draw_secret
    standing: Callable[[Canvas, Snapshot, Words], None] = plain.draw_standing
    retell: Callable[[Canvas, Snapshot, str, str, Words], None] = plain.draw_past_answer
    pages: StandingPages = ONE_PAGE
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    on_wheel: frozenset[str] = frozenset()
    grave: Callable[[str, Answer], bool] = plain.needs_confirmation
    survey: Callable[[Words, View, Sequence[str]], Sequence[str]] = plain.describe_state
    whisper: Callable[[Words, View, View], Sequence[str]] = plain.describe_secret
    breath: Callable[[Words, View, Sequence[str]], str] = plain.summarise_state
    board: Callable[[Words], Sequence[str]] = plain.describe_board
    total: Callable[[View], str] = plain.running_total
    to_act: Callable[[View], str | None] = plain.active_player

    def needs_confirmation(self, question: str, value: Answer) -> bool:
        """Return True if the answer must be confirmed: a grave answer, or leaving the game."""
        return question == LEAVES_QUESTION or self.grave(question, value)


PLAIN_FACE: Final = Face()
"""The face whose parts are all defaults."""


@cache
def load_face(game: str) -> Face:
    """Import and return the face of a game; PLAIN_FACE if the game has no `face.py`.

    Raise UnknownGame if the game is not installed, or NoFace if `FACE` is not a `Face`.
    """
    module = registry.import_part(game, "face")
    if module is None:
        return PLAIN_FACE
    face: object = vars(module).get("FACE")
    if not isinstance(face, Face):
        raise NoFace(f"{module.__name__} gives no FACE, a companion.draw.face.Face.")
    return face
