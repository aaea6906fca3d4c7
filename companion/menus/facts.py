"""Functions that collect the data for a menu when the menu opens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from companion.catalog import clauses, registry
from companion.core.prompts import LEAVING_PLAYER_QUESTION
from companion.menus.page import MenuFacts, RecordedGameSummary, unknown_game_state
from companion.record.journal import GameSummary, Journal, JournalError

if TYPE_CHECKING:
    from companion.play.session import Session

MAX_PAST_GAMES: Final = 20
"""Maximum number of past games in the menu; the command line lists all past games."""


def load_first_screen_facts(
    journal: Journal,
    settings: Mapping[str, Any],
    now: int,
    voices: Mapping[str, tuple[str, ...]],
    told: Callable[[int], RecordedGameSummary] = unknown_game_state,
) -> MenuFacts:
    """Return the data for the menus of the first screen. Omit games that players have hidden.

    - `now`: the present time in seconds since 1970.
    - `voices`: names of the available voices by language.
    - `told`: a function that returns the state of a recorded game.
    """
    hidden = settings["hidden"]
    return MenuFacts(
        games=registry.already_found_game_names(),
        settings=settings,
        unfinished=tuple(
            s
            for s in _readable(journal, journal.recent_unfinished_game_numbers(), hidden)
            if s.has_seed
        ),
        past=_readable(journal, journal.game_numbers()[: MAX_PAST_GAMES + len(hidden)], hidden)[
            :MAX_PAST_GAMES
        ],
        now=now,
        voices=voices,
        told=told,
    )


def game_menu_facts(
    session: Session, settings: Mapping[str, Any], now: int, voices: Mapping[str, tuple[str, ...]]
) -> MenuFacts:
    """Return the data that the menu of a running game shows."""
    standing = session.standing
    snapshot, anytime = (
        standing.snapshot,
        [question.name for question in standing.out_of_turn_questions],
    )
    over = snapshot.prompt is None
    return MenuFacts(
        games=registry.already_found_game_names(),
        settings=settings,
        unfinished=(),
        past=(),
        now=now,
        playing=snapshot.game,
        secrets=standing.possible_secret_holders,
        undoable=snapshot.undoable,
        redoable=snapshot.redoable,
        anytime=tuple(name for name in anytime if name != LEAVING_PLAYER_QUESTION),
        book=clauses.has_rule_sheet(snapshot.game),
        prepared=tuple(snapshot.options.items()),
        seated=len(snapshot.players),
        seats=() if over else standing.present_players,
        programs=() if over else tuple(standing.present_computer_players),
        stand_in=standing.can_add_computer_player,
        goes_on=LEAVING_PLAYER_QUESTION in anytime,
        voices=voices,
    )


def _readable(
    journal: Journal, numbers: list[int], hidden: Sequence[int]
) -> tuple[GameSummary, ...]:
    """Return the recorded games that a menu can list.

    A game is listed even if its package is not installed. If players resume such a game, an
    error message names the package.
    """
    summaries = []
    for number in (n for n in numbers if n not in hidden):
        try:
            summaries.append(journal.game_summary(number))
        except JournalError:
            continue
    return tuple(s for s in summaries if s.package is not None or s.game in registry.BUILT_IN_GAMES)


def packages_with_unplayable_games() -> tuple[registry.PackageVersion, ...]:
    """Return the installed packages that contain a game which is unplayable because of an error."""
    packages = {
        registry.PackageVersion(g.package, g.version)
        for g in registry.packaged_games()
        if g.exclusion_reason is not None
    }
    return tuple(sorted(packages))
