"""What the table needs from outside itself: a closed set of values that the loop carries out.

They are carried out in their order. So whoever makes them says what comes first: the frame, the
record, the sound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from companion.box.menus.wishes import (
    About,
    Admit,
    Attend,
    Begin,
    Count,
    Forget,
    Learn,
    Leave,
    Past,
    Practise,
    Redo,
    Resume,
    Set,
)
from companion.press.actions import Again, Give, Look, Refuse, Silence, Undo

if TYPE_CHECKING:
    from companion.core.game import Cue, Cues
    from companion.core.prompts import Answer, Prompt


@dataclass(frozen=True, slots=True)
class Show:
    """The frame is shown as things are now."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The record is written down."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound by itself is heard, such as the receipt of a press."""

    name: str


@dataclass(frozen=True, slots=True)
class Say:
    """Facts are heard, after the receipt of the press behind them."""

    cues: Cues
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """The question is heard, by whoever is asked."""

    prompt: Prompt


@dataclass(frozen=True, slots=True)
class TellOn:
    """Facts that were held back while somebody looked alone are told now, and the question."""

    cues: Cues


@dataclass(frozen=True, slots=True)
class Tell:
    """A fact stands in front of everything until OK, and is said; in the language of `whose`."""

    cue: Cue
    whose: str | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """A word is judged by the lists of the language of `whose` it is, before it counts."""

    word: str
    whose: str | None = None


@dataclass(frozen=True, slots=True)
class Publish:
    """What has happened is told to whoever is connected."""


@dataclass(frozen=True, slots=True)
class Explain:
    """Whatever stands behind these facts is explained, or, without any, behind the last ones.

    First of all what `answer` would do, if it is the one under the thumb of `whose`, to `question`.
    """

    cues: Cues = ()
    question: str | None = None
    answer: Answer = None
    whose: str | None = None


@dataclass(frozen=True, slots=True)
class OpenMenu:
    """The menu is opened, with what the record has to say; or one page of it alone."""

    page: str = "menu"


Heard: TypeAlias = Sound | Say | Ask | Again | Practise
"""For the voice."""
Kept: TypeAlias = Set | Silence | Admit | Attend | Forget | Learn
"""For the box itself: how it is set, whose phones it knows, its evening, what boards are like."""
Played: TypeAlias = Give | Undo | Redo | Look | Explain | Commit | Publish | TellOn
"""For the running game."""
Changed: TypeAlias = Begin | Resume | Past | Count | About | Leave | OpenMenu
"""For another game, or none; and for what was played."""
Effect: TypeAlias = Show | Tell | Judge | Refuse | Kept | Heard | Played | Changed
Effects: TypeAlias = tuple[Effect, ...]
