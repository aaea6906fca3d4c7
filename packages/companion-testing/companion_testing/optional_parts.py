"""Checks of a game's optional parts: rule book, statistics, and labels of view fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from companion.catalog import clauses, registry
from companion.core.game import Cue
from companion.draw import default_face
from companion.draw.face import ONE_PAGE, load_face
from companion.say.rows import labelled_rows_of_view
from companion.say.words import LANGUAGES, Words
from companion_testing.observed_games import ObservedGames
from companion_testing.playing import Playout
from companion_testing.table import ExceptionCatcher, Faults, GameFault

STATISTIC_ENTRY_LENGTH: Final = 3
"""Number of values in an entry of the statistics; the values are player, name and amount."""


def check_view_labels(met: ObservedGames, words: Words) -> Faults:
    """Every field of the view that a standard frame or the web page shows has a label."""
    face, named = load_face(words.game), set[str]()
    stands = face.standing is default_face.draw_state_or_result and face.pages is ONE_PAGE
    on_page = not (registry.game_file_path(words.game, "page.js")).is_file()
    of_all = face.body is default_face.draw_question or stands or on_page
    for asked in met.asked.values():
        view, own_view = asked.snapshot.view, asked.own
        shown = {
            **(view if of_all else {}),
            **(own_view if face.secret is default_face.draw_secret else {}),
        }
        labelled = named if of_all else named | {*view}
        unnamed = {name: fact for name, fact in shown.items() if name not in labelled}
        for row in labelled_rows_of_view(unnamed, asked.snapshot.players, words):
            name = row["name"]
            named.add(name)
            if not any(words.has_sentence(f"{owner}.view.{name}") for owner in (words.game, "box")):
                yield GameFault(f"{name} has no sentence: {words.game}.view.{name}", asked.at)


def check_cited_clauses_exist(met: ObservedGames, words: Words) -> Iterator[str]:
    """The rule book contains each cited clause in each language, with a valid mark."""
    if words.language != LANGUAGES[0] or not clauses.has_rule_sheet(words.game):
        return
    try:
        headings = clauses.read_rule_sheet_sections(words.game)
    except clauses.InvalidClausesError as error:
        yield str(error)
        return
    book_clauses = [clause for heading in headings for clause in heading.clauses]
    for clause in book_clauses:
        if clause.mark not in clauses.AUTHORITY_MARKS:
            marks = ", ".join(clauses.AUTHORITY_MARKS)
            yield f"{clause.number} is marked {clause.mark}, and not {marks}"
    for number, text in (
        *((clause.number, clause.text) for clause in book_clauses),
        *(("a heading", heading.title) for heading in headings),
    ):
        for language in LANGUAGES:
            if not text.get(language, "").strip():
                yield f"{number} has no text in {language} in clauses.toml"
    cited = {cue.clause for cue in met.cues.values() if cue.clause}
    for number in sorted(cited - {clause.number for clause in book_clauses}):
        yield f"{number} is cited, and does not stand in clauses.toml"


def check_statistics_shape(playout: Playout) -> Faults:
    """`figures.py` returns one score for each seat. Each counted event belongs to a player."""
    counting = registry.import_game_submodule(playout.table.game.name, "figures")
    if counting is None:
        return
    players = playout.table.players
    states = (playout.start, *(move.after for move in playout.moves))
    with ExceptionCatcher() as net:
        for n, state in enumerate(states):
            scores = [*counting.scores(state)]
            if len(scores) != len(players) or any(type(score) is not int for score in scores):
                scores_text = (
                    f"`scores` gives {scores!r}, and not a number for each of {len(players)}"
                )
                yield GameFault(scores_text, playout.place_of_move(max(0, n - 1)))
                break
        for n, move in enumerate(playout.moves):
            for cue in move.cues:
                for fault_text in _odd(counting, cue, players):
                    yield GameFault(fault_text, playout.place_of_move(n))
    yield from net.caught_exception_as_fault()


def _odd(counting: Any, cue: Cue, players: tuple[str, ...]) -> Iterator[str]:
    for entry in counting.count(cue):
        fits = (
            isinstance(entry, tuple)
            and len(entry) == STATISTIC_ENTRY_LENGTH
            and type(entry[2]) is int
        )
        if not fits or entry[0] not in {"", *players} or not isinstance(entry[1], str):
            yield f"`count` of {cue.name} gives {entry!r}, and not (player, name, how many)"


def check_every_statistic_has_label(met: ObservedGames, words: Words) -> Iterator[str]:
    """Every statistic of a game has a label."""
    counting = registry.import_game_submodule(words.game, "figures")
    counts = (
        {}
        if counting is None
        else dict.fromkeys(
            figure for cue in met.cues.values() for _, figure, *_ in _count_cue(counting, cue)
        )
    )
    for figure in counts:
        if not words.has_sentence(f"{words.game}.figure.{figure.partition(':')[0]}"):
            yield f"{figure} has no sentence: {words.game}.figure.{figure.partition(':')[0]}"


def _count_cue(counting: Any, cue: Cue) -> list[Any]:
    """Return an event's entries in the statistics, or [] if `figures.py` raises an exception.

    The check `check_statistics_shape` reports the exception.
    """
    with ExceptionCatcher():
        return [*counting.count(cue)]
    return []
