"""The analysis of a finished game: its turning point, and its most costly mistake.

The analysis rates each answer with the search that also gives hints. The search uses only the
knowledge that the player had when the player answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from companion.core.game import Cue
from companion.core.prompts import Answer
from companion.play.player_knowledge import PlayerKnowledge, active_player_knowledge
from companion.play.record_header import rule_errors_as_outdated_game, setup_from_record_header
from companion.play.session import Session
from companion.record.entry import Entry, drop_cut_entries
from companion.record.journal import Journal
from companion.say.words import Words
from companion.seat.player import LEVELS, ComputerSeat
from companion.seat.search import SearchEffort

ANALYSIS_STRENGTH: Final = LEVELS["friend"]._replace(
    span=None, effort=SearchEffort(24, 0.3, 0, sensible=True)
)
"""The strength with which the analysis rates each answer: level "friend" with full memory."""
MIN_GAMES: Final = 8
"""Minimum number of simulated games for each answer; results of fewer games are too random."""
MIN_DIFFERENCE: Final = 0.2
"""Smallest difference between two shares of won games that the analysis reports."""


class RatedAnswer(NamedTuple):
    """A player's answer to a question with several possible answers, with shares of won games.

    - `nth`: the number of this answer among the player's decisions, from 1.
    - `share`: the share of simulated games that the player wins after the answer `given`.
    - `best`: the answer that wins most simulated games.
    - `could`: the share of simulated games that the player wins after `best`.
    """

    player: str
    nth: int
    question: str
    given: Answer
    share: float
    best: Answer
    could: float

    @property
    def win_share_lost(self) -> float:
        """Return the share of won games that the player lost by not giving the best answer."""
        return self.could - self.share


class TurningPointAndMistake(NamedTuple):
    """The two notable decisions of a game. A field is None if the game has no such decision.

    - `point`: the winner's answer that raised the winner's share of won games most.
    - `before`: the winner's share of won games after the winner's previous answer. For the winner's
      first answer, `before` is 1 divided by the number of players.
    - `missed`: the answer with which a player missed the best answer by the largest share of won
      games.
    """

    point: RatedAnswer | None = None
    before: float = 0.0
    missed: RatedAnswer | None = None


def find_turning_point_and_mistake(
    journal: Journal, number: int, clock: Callable[[], float] | None = None
) -> TurningPointAndMistake | None:
    """Return the turning point and the most costly mistake of a recorded game.

    Return None if the game is not finished, or if the box cannot play the game with its options.

    `clock`: a function that returns the time in seconds. If `clock` is None, the search for each
    answer has no time limit.

    Raise JournalError if the record cannot be read. Raise UnknownGame if the game is not installed.
    Raise RulesChangedError if the record does not fit the present rules.
    """
    header, entries = journal.read_game_header_and_lines(number)
    with rule_errors_as_outdated_game():
        session = Session(journal, number, setup_from_record_header(header)._replace(programs={}))
    return session_turning_point_and_mistake(session, entries, clock)


def session_turning_point_and_mistake(
    session: Session, entries: Iterable[Entry], clock: Callable[[], float] | None = None
) -> TurningPointAndMistake | None:
    """Return the turning point and the most costly mistake of a game from its recorded entries.

    Return None if the game is not finished, or if the box cannot play the game with its options.
    The session must be at the start of the game. Raise RulesChangedError if the entries do not fit
    the present rules.
    """
    setup = session.game_setup
    choices: dict[int, tuple[PlayerKnowledge, Answer]] = {}
    for entry in drop_cut_entries(entries):
        if entry.kind == "program":  # skip this entry, which only changes who plays a seat
            continue
        at, stands = session.standing.snapshot.position, active_player_knowledge(session)
        session.replay_entry(entry)
        if stands and _decides(entry, stands):
            choices[at] = stands, entry.value
        choices = {
            n: choice for n, choice in choices.items() if n < session.standing.snapshot.position
        }
    outcome = session.standing.snapshot.outcome
    if outcome is None or not setup.game.can_box_play_seat(setup.options):
        return None
    decisions = [*_weighed(choices, clock)]
    return _told(decisions, outcome.winners, 1 / len(setup.players))


def _decides(entry: Entry, stands: PlayerKnowledge) -> bool:
    """Return True if an entry is a player's choice, not a result that players entered."""
    asked = stands.memory.question
    return (
        entry.kind == "answer"
        and entry.question == asked
        and asked not in stands.game.questions_with_announced_choice
    )


def _weighed(
    choices: dict[int, tuple[PlayerKnowledge, Answer]], clock: Callable[[], float] | None
) -> Iterator[RatedAnswer]:
    """Yield the rating of every decision that was not undone, in the order of the game."""
    nth: Counter[str] = Counter()
    for at, (stands, given) in choices.items():
        memory = stands.memory
        if len(memory.choices) < 2 or given not in memory.choices:  # noqa: PLR2004 - a choice
            continue
        nth[stands.player] += 1
        seat = ComputerSeat(
            stands.game,
            stands.player,
            ANALYSIS_STRENGTH,
            edition=memory.edition,
            seed=str(at),
            clock=clock,
        )
        shares = seat.win_shares_by_answer(stands.view, memory, given, MIN_GAMES)
        if not shares:
            continue
        best = max(shares, key=lambda answer: (shares[answer], answer == given))
        yield RatedAnswer(
            stands.player, nth[stands.player], str(memory.question),
            given, shares[given], best, shares[best],
        )  # fmt: skip


def _told(
    decisions: list[RatedAnswer], winners: tuple[str, ...], even: float
) -> TurningPointAndMistake:
    winner_decisions = (
        [decision for decision in decisions if decision.player == winners[0]]
        if len(winners) == 1
        else []
    )
    before = [even, *(decision.share for decision in winner_decisions)]
    rises = [
        (decision.share - share, n)
        for n, (decision, share) in enumerate(zip(winner_decisions, before, strict=False))
    ]
    rise, n = max(rises, default=(0.0, 0), key=lambda pair: pair[0])
    missed = max(decisions, default=None, key=lambda decision: decision.win_share_lost)
    return TurningPointAndMistake(
        winner_decisions[n] if rise >= MIN_DIFFERENCE else None,
        before[n],
        missed if missed is not None and missed.win_share_lost >= MIN_DIFFERENCE else None,
    )


def describe_turning_point_and_mistake(
    turning: TurningPointAndMistake, words: Words
) -> dict[str, str]:
    """Return the sentences about the turning point and the worst mistake.

    The key of the turning point is "point". The key of the worst mistake is "missed".
    """
    sentences = {}
    if (point := turning.point) is not None:
        facts = {**_facts(point, words), "before": _percent(turning.before)}
        sentences["point"] = words("box.turning.point", **facts)
    if (missed := turning.missed) is not None:
        best = words.answer_label(missed.question, missed.best)
        facts = {**_facts(missed, words), "best": best, "could": _percent(missed.could)}
        sentences["missed"] = words("box.turning.missed", **facts)
    return sentences


def _facts(decision: RatedAnswer, words: Words) -> dict[str, Any]:
    given = {"who": decision.player, "question": decision.question, "value": decision.given}
    answer_text = words.fact_text(Cue("redone", given)).rstrip(".")
    return {
        "who": decision.player,
        "nth": decision.nth,
        "told": answer_text,
        "share": _percent(decision.share),
    }


def _percent(share: float) -> int:
    return round(100 * share)
