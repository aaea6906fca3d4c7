"""Test kit: checks that every correct game passes, run on random games.

    from companion_testing import list_checks

    @pytest.mark.parametrize("check", list_checks(GAME), ids=str)
    def test_my_game_can_be_trusted(check):
        assert not check.run()

`companion check GAME` runs `run_all_checks`, which yields the findings of all checks. The kit plays
random games with every number of players. The kit plays all combinations of options, or enough
combinations to contain each pair of values. Each property in `PROPERTIES` is checked on these
games. Games without secrets, dice, board or clauses can also be checked.

A game can add `laws` of its own: a law is a function that receives a whole random game (a
`Playout`) and asserts a rule of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple, TypeAlias

from companion.catalog import editions
from companion.core.game import Edition, Game
from companion.say.words import LANGUAGES
from companion_testing import (
    answers,
    card_handling,
    complete_sentences,
    imagining,
    keys,
    leaving,
    mistakes,
    optional_parts,
    protocol,
    reserved,
    saying,
    secrecy,
    showing,
    undo_and_redo,
)
from companion_testing.bench import GameSpeed, measure_game_speeds
from companion_testing.face_recording import game_words_for_edition
from companion_testing.observed_games import ObservedGames, observe_random_games
from companion_testing.playing import Move, Playout, play_random_game
from companion_testing.table import (
    LONG_NAMES,
    CheckFinding,
    ExceptionCatcher,
    Faults,
    GameFault,
    GamePlace,
    GameTable,
    fault_text_without_names,
    faults_with_place,
    format_answer_for_finding,
    sample_evenly,
    tables_covering_options,
    tables_of_all_option_combinations,
)

Law: TypeAlias = Callable[[Playout], object]

__all__ = [
    "FACE_CHECKS",
    "LONG_NAMES",
    "PROPERTIES",
    "CheckFinding",
    "GameCheck",
    "GamePlace",
    "GameSpeed",
    "GameTable",
    "Move",
    "ObservedGames",
    "Playout",
    "default_games_per_table",
    "list_checks",
    "measure_game_speeds",
    "observe_random_games",
    "play_random_game",
    "run_all_checks",
    "tables_of_all_option_combinations",
]

GAMES_PER_TABLE: Final = 5
"""Number of random games for each combination of players and options.

If there are many combinations, each combination has fewer games (see MAX_GAMES).
"""
MAX_GAMES: Final = 100
"""Maximum number of random games for all combinations together.

Each combination has at least one game, even if the sum then exceeds the maximum.
"""
SAMPLED_GAME_INTERVAL: Final = 50
"""One random game out of this number of games also runs SAMPLED_GAME_CHECKS."""


def check_no_exceptions(playout: Playout) -> Faults:
    """The game raises no exception for any answer."""
    if playout.fault is not None:
        yield playout.fault


def check_text_protocol(playout: Playout) -> Faults:
    """The text protocol stays correct if a program without knowledge of the rules plays."""
    return protocol.find_protocol_faults(
        playout.table, playout.new_random_generator, playout.chance.seed, playout.seed
    )


QUICK_CHECKS: Final = {"plays": check_no_exceptions, "ends": answers.check_game_ends}
"""Checks that run on every random game: table from a property's name to the check."""
SAMPLED_GAME_CHECKS: Final = {
    "answers": answers.check_offered_answers,
    "values": answers.check_immutable_values,
    "secrecy": secrecy.check_secrets_stay_hidden,
    "clumsy table": mistakes.check_games_end_despite_mistakes,
    "taking back": undo_and_redo.check_undo_and_redo,
    "text protocol": check_text_protocol,
    "leaving": leaving.check_leaving_players,
    "imagining": imagining.check_imagined_games,
    "figures": optional_parts.check_statistics_shape,
}
"""Slower checks: table from a property's name to the check.

Only one of SAMPLED_GAME_INTERVAL random games runs these checks.
"""
PROTOCOL_TABLE_COUNT: Final = 5
"""Number of tables (combinations of players and options) at which the text protocol is checked."""
SLOW_CHECK_NAMES: Final = ("answers", "clumsy table", "taking back", "text protocol")
"""Names of slow checks, which by default run at only a few tables.

Together, the few tables contain each number of players and each value of an option.
"""
WHOLE_GAME_CHECK_NAMES: Final = ("taking back", "text protocol")
"""Names of checks that play a whole game again.

These checks skip a game that raises an exception.
"""
FACE_CHECKS: Final = {
    "settings": saying.check_name_and_options_fit,
    "questions": saying.check_questions_fit,
    "sentences": saying.check_fact_sentences,
    "titles": saying.check_picture_titles_fit,
    "orders": card_handling.check_card_handling_sentences,
    "complete sentences": complete_sentences.check_fact_texts_are_sentences,
    "sounds": saying.check_sounds_exist,
    "moments": showing.check_pictures_show_all_words,
    "explanations": showing.check_explanations_fit,
    "pictures": showing.check_animations_spare_button_labels,
    "frames": showing.check_question_frames_fit,
    "standings": showing.check_score_pages_fit,
    "lamps": showing.check_lamps_of_present_players,
    "keys": keys.check_sentence_keys,
    "names": reserved.check_seats_and_reserved_names,
    "headings": optional_parts.check_view_labels,
    "book": optional_parts.check_cited_clauses_exist,
    "tally": optional_parts.check_every_statistic_has_label,
}
"""Checks of a game's sentences and frames: table from a property's name to the check.

These checks use the questions and events of random games.
"""
PROPERTIES: Final[Mapping[str, str]] = {
    name: str(prove.__doc__).partition("\n")[0]
    for name, prove in (*QUICK_CHECKS.items(), *SAMPLED_GAME_CHECKS.items(), *FACE_CHECKS.items())
}
"""Table from a property's name to the sentence that describes the property."""


class GameCheck(NamedTuple):
    """One check of one property of a game.

    The check runs on random games at a table, or on sentences and frames in a language.
    """

    id: str
    run: Callable[[], tuple[CheckFinding, ...]]

    def __str__(self) -> str:
        return self.id


def list_checks(
    game: Game[Any],
    *,
    games: int | None = None,
    laws: Iterable[Law] = (),
    edition: Edition | None = None,
    longest: Mapping[str, Any] | None = None,
    slowly: bool = False,
) -> tuple[GameCheck, ...]:
    """Return all checks of a game. Each check can run alone.

    - `games`: the number of random games at each table, or None to use `default_games_per_table`.
    - `laws`: the game's own checks; each check receives a `Playout`.
    - `edition`: the printed board and cards; if None, use the game's built-in edition.
    - `longest`: an edition with the longest possible names, for the checks of sentences.
    - `slowly`: if True, run all slow checks at every table, and compare twins after each answer.
    """
    printed = editions.load_edition(game.name) if edition is None else edition
    game_laws = tuple(laws)
    board = printed if longest is None else longest
    every = [*tables_of_all_option_combinations(game, printed)]
    n = default_games_per_table(every) if games is None else games
    met = cache(partial(observe_random_games, game, board, n))
    some = every if slowly else tables_covering_options(every)
    talks = every if slowly else sample_evenly(some, PROTOCOL_TABLE_COUNT)

    def tried(table: GameTable) -> tuple[str, ...]:
        silent = () if table in talks else ("text protocol",)
        omitted = silent if table in some else SLOW_CHECK_NAMES
        return tuple(name for name in SAMPLED_GAME_CHECKS if name not in omitted)

    played = partial(_at, games=n, laws=game_laws, thorough=slowly)
    return (
        *(GameCheck(table.id, partial(played, table, close=tried(table))) for table in every),
        *(
            GameCheck(f"{game.name}-{language}", partial(_face, game, language, board, met))
            for language in LANGUAGES
        ),
    )


def default_games_per_table(every: Sequence[GameTable]) -> int:
    """Return the default number of random games at each of the tables `every`."""
    return max(1, min(GAMES_PER_TABLE, MAX_GAMES // len(every)))


def run_all_checks(
    game: Game[Any],
    *,
    games: int | None = None,
    laws: Iterable[Law] = (),
    edition: Edition | None = None,
    slowly: bool = False,
) -> Iterator[CheckFinding]:
    """Run all checks of a game and yield the findings, without repetitions."""
    findings = (
        finding
        for check in list_checks(game, games=games, laws=laws, edition=edition, slowly=slowly)
        for finding in check.run()
    )
    return _once(findings)


def _once(findings: Iterable[CheckFinding]) -> Iterator[CheckFinding]:
    """Yield the findings, but only the first finding of each kind of fault."""
    kinds: set[str] = set()
    for finding in findings:
        if finding.kind not in kinds:
            yield finding
            kinds |= {finding.kind} - {""}


def _at(
    table: GameTable, games: int, laws: tuple[Law, ...], *, close: tuple[str, ...], thorough: bool
) -> tuple[CheckFinding, ...]:
    findings: list[CheckFinding] = []
    for seed in range(games):
        played = play_random_game(table, seed)._replace(thorough=thorough)
        tried = (
            QUICK_CHECKS
            if seed % SAMPLED_GAME_INTERVAL
            else QUICK_CHECKS | {name: SAMPLED_GAME_CHECKS[name] for name in close}
        )
        for name, property_ in tried.items():
            if played.fault is None or name not in WHOLE_GAME_CHECK_NAMES:
                findings += _findings(name, table.id, seed, partial(property_, played))
        if played.fault is None:
            for law in laws:
                findings += _findings(
                    law.__name__, table.id, seed, partial(_check_law, law, played)
                )
    return tuple(_once(findings))


def _check_law(law: Law, played: Playout) -> tuple[str, ...]:
    law(played)
    return ()


def _face(
    game: Game[Any], language: str, edition: Edition, met: Callable[[], ObservedGames]
) -> tuple[CheckFinding, ...]:
    words, findings, where = (
        game_words_for_edition(game.name, language, edition),
        [],
        f"{game.name}-{language}",
    )
    for name, property_ in FACE_CHECKS.items():
        findings += _findings(name, where, None, partial(property_, met(), words))
    return tuple(_once(findings))


def _findings(
    name: str, where: str, seed: int | None, tell: Callable[[], Iterable[str | GameFault]]
) -> list[CheckFinding]:
    """Return the findings of one property, without repetitions.

    An exception that the game raises is also a finding.
    """
    faults: dict[str, GameFault] = {}
    with ExceptionCatcher() as net:
        for fault in faults_with_place(None, tell()):
            faults.setdefault(fault.what, fault)
    for fault in net.caught_exception_as_fault():
        faults.setdefault(fault.what, fault)
    # report a fault in a sentence once per language
    kind = name if seed is not None else f"{name} {where}"
    return [
        CheckFinding(
            fault.check or name,
            where,
            seed,
            _whole(fault),
            fault.at,
            fault.kind or f"{kind}: {fault_text_without_names(fault.what)}",
        )
        for fault in faults.values()
    ]


def _whole(fault: GameFault) -> str:
    if fault.hidden is None:
        return fault.what
    instead = format_answer_for_finding(fault.instead)
    return f"{fault.what}; hidden at {fault.hidden}, and in its twin {instead}"
