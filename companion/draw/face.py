"""The face of a game as a value: what it draws, how it tells its facts, what the lamps follow.

A game's `face.py` gives its `FACE`. All of it may be left out: a game of rules and sentences alone
is shown by `plain`, and can be played.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.catalog import registry
from companion.core.errors import CompanionError
from companion.core.prompts import LEAVES
from companion.draw import plain
from companion.say.words import BOX, Wording

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.game import Cue, Cues
    from companion.core.prompts import Answer, Prompt
    from companion.core.snapshot import Snapshot
    from companion.draw.canvas import Canvas
    from companion.press.cursor import Cursor
    from companion.say.facts import Facts
    from companion.say.words import Glossary, Label, View, Words


class NoFace(CompanionError, TypeError):
    """A game's `face.py` gives something else than a Face."""


class Picture(NamedTuple):
    """A moment that a game draws itself, on rows 0 to 6.

    `draw(canvas, cues, words, step)`: the first of the `cues` is the fact that it is drawn for, the
    others stand under it. `steps(cue)` is how many pictures its movement has; `about(cues)` the
    fact whose clause it shows, which *Why?* explains first.
    """

    draw: Callable[[Canvas, Cues, Words, int], None] = plain.moment
    steps: Callable[[Cue], int] = plain.one_step
    about: Callable[[Cues], Cue] = plain.first


class Pages(NamedTuple):
    """Standings that are turned like pages.

    `count(snapshot)` is how many there are; `draw(canvas, snapshot, words, page)` draws rows 0 to 6
    of one, from 0, and gives what row 7 says.
    """

    count: Callable[[Snapshot], int] = plain.one_page
    draw: Callable[[Canvas, Snapshot, Words, int], str] = plain.page


ONE_PAGE: Final = Pages()
"""Nothing to turn."""


@dataclass(frozen=True, kw_only=True)
class Face(Wording):
    """All that a game adds to what the box shows, says and lights; every part has a default.

    Told: what `Wording` has, the table of `facts` first of all.

    Drawn: `body`, rows 0 to 5 of a question; `secret`, rows 1 to 6 of what one player alone may
    see (`seen`), with the private prompt if one is asked; `standing`, rows 0 to 6 of how the game
    stands, or ended; `pages`, if it stands on several; `pictures`, moments by their fact. The
    answers of the questions in `on_wheel` turn on row 6, as numbers do, and not in a list.

    `retell(canvas, snapshot, who, text, words)` draws rows 0 to 6 of a past answer in a finished
    game: `text` states the answer, and `snapshot` is the game after the answer, with its facts.
    The right third of row 0 stays free.

    Asked once more, with the harmless answer under the thumb: what is `grave(question, value)`.
    The sentence `<game>.sure.<question>` says what it may cost.

    Heard by those who play by ear: `survey(words, view, players)`, the whole public state sentence
    by sentence; `whisper(words, seen, view)`, what one player alone sees (`seen`);
    `breath(words, view, players)`, whose turn it is and who has how much, in one breath.

    Looked at, paragraph by paragraph: `board(words)`, what `words.edition` has of a printed board.

    Shown in the largest letters, where *Large* is set: `total(view)`, a running total, "" for none.

    Lit: `to_act(view)` is the player whose lamp blinks because it is his or her turn.
    """

    facts: Facts = field(default_factory=dict)
    fields: Callable[[Words, View], dict[str, Any]] = BOX.fields
    label: Label = BOX.label
    aloud: Label = BOX.aloud
    named: Callable[[Words, View], Mapping[str, str]] = BOX.named
    glossary: Glossary = BOX.glossary
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    body: Callable[[Canvas, Snapshot, Prompt, Cursor, Words], None] = plain.body
    secret: Callable[[Canvas, Snapshot, Prompt | None, View, Cursor, Words], None] = plain.secret
    standing: Callable[[Canvas, Snapshot, Words], None] = plain.standing
    retell: Callable[[Canvas, Snapshot, str, str, Words], None] = plain.retell
    pages: Pages = ONE_PAGE
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    on_wheel: frozenset[str] = frozenset()
    grave: Callable[[str, Answer], bool] = plain.grave
    survey: Callable[[Words, View, Sequence[str]], Sequence[str]] = plain.survey
    whisper: Callable[[Words, View, View], Sequence[str]] = plain.whisper
    breath: Callable[[Words, View, Sequence[str]], str] = plain.breath
    board: Callable[[Words], Sequence[str]] = plain.board
    total: Callable[[View], str] = plain.total
    to_act: Callable[[View], str | None] = plain.to_act

    def needs_confirmation(self, question: str, value: Answer) -> bool:
        """Return whether *are you sure* is asked: of a grave answer, and of leaving the game."""
        return question == LEAVES or self.grave(question, value)


PLAIN: Final = Face()
"""A face of defaults alone."""


@cache
def face_of(game: str) -> Face:
    """The face of that game, imported now; PLAIN if it has none. Raises UnknownGame, NoFace."""
    module = registry.part(game, "face")
    if module is None:
        return PLAIN
    face: object = vars(module).get("FACE")
    if not isinstance(face, Face):
        raise NoFace(f"{module.__name__} gives no FACE, a companion.draw.face.Face.")
    return face
