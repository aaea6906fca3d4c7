"""What decided a game that is over: its turning point, and the best answer that was missed.

Each answer is weighed by what its player had been told when it was given, and by nothing else: by
the same imagined games as a hint is.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core.game import Cue
from companion.play.header import of_other_rules, setup_of
from companion.play.outlook import outlook
from companion.play.session import Session
from companion.record.entry import kept
from companion.seat.player import LEVELS, Seat
from companion.seat.search import Effort

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from companion.core.prompts import Answer
    from companion.play.outlook import Outlook
    from companion.record.entry import Entry
    from companion.record.journal import Journal
    from companion.say.words import Words

LEVEL: Final = LEVELS["friend"]._replace(span=None, effort=Effort(24, 0.3, 0, sensible=True))
"""How hard each answer is thought about: as long as a friend does, who has forgotten nothing."""
FEWEST: Final = 8
"""Imagined games below which an answer is not weighed: of so few a share is chance."""
LEAST: Final = 0.2
"""A share of the games below which a difference is not worth a word."""


class Decision(NamedTuple):
    """An answer to a question that left a choice, and what it was worth to its player.

    - `nth`: which of that player's decisions, from 1.
    - `share`: the share of imagined games that are won after `given`.
    - `best`, `could`: the answer that wins most of them, and their share.
    """

    player: str
    nth: int
    question: str
    given: Answer
    share: float
    best: Answer
    could: float

    @property
    def lost(self) -> float:
        """How much of the games the best answer would have won besides."""
        return self.could - self.share


class Turning(NamedTuple):
    """The two moments of a game that are worth a word; None where there is none.

    - `point`: the winner's answer whose share of won games stands most above that of the one before
      (of the first: above an even chance, `before`).
    - `missed`: the answer that cost its player most.
    """

    point: Decision | None = None
    before: float = 0.0
    missed: Decision | None = None


def turning(
    journal: Journal, number: int, clock: Callable[[], float] | None = None
) -> Turning | None:
    """What decided a recorded game; None if it is not over, or the box cannot play it.

    `clock` in seconds bounds what is thought about each answer. Raises JournalError, UnknownGame or
    RulesChanged.
    """
    header, entries = journal.read(number)
    with of_other_rules():
        session = Session(journal, number, setup_of(header)._replace(programs={}))
    return decisive(session, entries, clock)


def decisive(
    session: Session, entries: Iterable[Entry], clock: Callable[[], float] | None = None
) -> Turning | None:
    """The same of a game at its beginning, and the lines of its record. Raises RulesChanged."""
    setup = session.setup
    known: dict[int, tuple[Outlook, Answer]] = {}
    for entry in kept(entries):
        if entry.kind == "program":  # whoever answered, the answer is weighed
            continue
        at, stands = session.standing.snapshot.position, outlook(session)
        session.replay(entry)
        if stands and _decides(entry, stands):
            known[at] = stands, entry.value
        known = {n: one for n, one in known.items() if n < session.standing.snapshot.position}
    outcome = session.standing.snapshot.outcome
    if outcome is None or not setup.game.playable(setup.options):
        return None
    decisions = [*_weighed(known, clock)]
    return _told(decisions, outcome.winners, 1 / len(setup.players))


def _decides(entry: Entry, stands: Outlook) -> bool:
    """Whether a line answers what stands, by a choice: not by what people saw come of a wish."""
    asked = stands.told.question
    return entry.kind == "answer" and entry.question == asked and asked not in stands.game.wishes


def _weighed(
    known: dict[int, tuple[Outlook, Answer]], clock: Callable[[], float] | None
) -> Iterator[Decision]:
    """Every decision that still counts, in order."""
    nth: Counter[str] = Counter()
    for at, (stands, given) in known.items():
        told = stands.told
        if len(told.choices) < 2 or given not in told.choices:  # noqa: PLR2004 - a choice
            continue
        nth[stands.player] += 1
        seat = Seat(
            stands.game, stands.player, LEVEL, edition=told.edition, seed=str(at), clock=clock
        )
        shares = seat.weighed(stands.view, told, given, FEWEST)
        if not shares:
            continue
        best = max(shares, key=lambda answer: (shares[answer], answer == given))
        yield Decision(
            stands.player, nth[stands.player], str(told.question),
            given, shares[given], best, shares[best],
        )  # fmt: skip


def _told(decisions: list[Decision], winners: tuple[str, ...], even: float) -> Turning:
    """The two that are worth a word."""
    own = [one for one in decisions if one.player == winners[0]] if len(winners) == 1 else []
    before = [even, *(one.share for one in own)]
    rises = [
        (one.share - share, n) for n, (one, share) in enumerate(zip(own, before, strict=False))
    ]
    rise, n = max(rises, default=(0.0, 0), key=lambda pair: pair[0])
    missed = max(decisions, default=None, key=lambda one: one.lost)
    return Turning(
        own[n] if rise >= LEAST else None,
        before[n],
        missed if missed is not None and missed.lost >= LEAST else None,
    )


def decided(found: Turning, words: Words) -> dict[str, str]:
    """The two moments in sentences, in the game's words, by their names; those that there are."""
    told = {}
    if (point := found.point) is not None:
        facts = {**_facts(point, words), "before": _percent(found.before)}
        told["point"] = words("box.turning.point", **facts)
    if (missed := found.missed) is not None:
        best = words.label(missed.question, missed.best)
        facts = {**_facts(missed, words), "best": best, "could": _percent(missed.could)}
        told["missed"] = words("box.turning.missed", **facts)
    return told


def _facts(one: Decision, words: Words) -> dict[str, Any]:
    given = {"who": one.player, "question": one.question, "value": one.given}
    told = words.text(Cue("redone", given)).rstrip(".")
    return {"who": one.player, "nth": one.nth, "told": told, "share": _percent(one.share)}


def _percent(share: float) -> int:
    return round(100 * share)
