"""The text of a menu line about a recorded game: players, scores and age."""

from __future__ import annotations

from collections.abc import Sequence

from companion.draw.canvas import ELLIPSIS, wrap_text
from companion.draw.parts import ROW_LETTERS, fit_names_in_rows
from companion.menus.page import MenuFacts
from companion.record.journal import GameSummary
from companion.say.words import Words

MINUTE_SECONDS, HOUR_SECONDS, DAY_SECONDS = 60, 3600, 86400


def recorded_game_line_text(words: Words, summary: GameSummary) -> str:
    """Return the text of a recorded game's menu line: the game's name, and the winner if any."""
    over = summary.winners is not None
    who = ", ".join(summary.winners or ()) or words("box.figures.by_nobody")
    return words(
        f"box.games.{'won' if over else 'open'}", game=words.game_title(summary.game), who=who
    )


def describe_recorded_game(words: Words, summary: GameSummary, facts: MenuFacts) -> str:
    """Return a text about a recorded game: its players, scores, age and progress."""
    standing = facts.told(summary.id)
    over = summary.winners is not None
    dated = facts.now and summary.last
    when = [
        format_elapsed_time(words, facts.now - summary.last) if dated else words("box.age.unknown")
    ]
    if over:
        when.append(words("box.far.over"))
    elif standing.answers is not None:
        when.append(words.sentence_for_count("box.far.answers", standing.answers))
    people = fit_scores_into_rows(summary.players, standing.scores, summary.winners or ())
    return words("box.hint.game", people=people, when=", ".join(when))


def describe_game_to_resume(words: Words, summary: GameSummary, facts: MenuFacts) -> str:
    """Return a text about the game to resume, in one or two rows.

    If the full names and the scores do not fit in one row, omit the game's age and progress.
    """
    scores, players = facts.told(summary.id).scores, summary.players
    if _has(fit_scores_into_rows(players, scores, summary.winners or ()), players):
        return describe_recorded_game(words, summary, facts)
    in_two = fit_scores_into_rows(players, scores, rows=2)
    return in_two if _has(in_two, players) else fit_names_in_rows(players, 2)


def _has(text: str, players: Sequence[str]) -> bool:
    return all(who in text for who in players)


def fit_scores_into_rows(
    players: Sequence[str], scores: Sequence[int], winners: Sequence[str] = (), rows: int = 1
) -> str:
    """Return the players with their scores in up to `rows` rows.

    A star precedes each winner. If the rows lack space, the winners come first, and an ellipsis
    replaces the last players.
    """
    texts = player_name_and_score_texts(
        [f"{'★' if who in winners else ''}{who}" for who in players], scores
    )
    first = sorted(texts, key=lambda text: not text.startswith("★"))
    several = [", ".join(texts), " ".join(texts)] if len(texts) > 1 else texts
    cut = (", ".join((*first[:n], ELLIPSIS)) for n in range(len(texts) - 1, 0, -1))
    fitting = (text for text in (*several, *cut) if len(wrap_text(text, ROW_LETTERS)) <= rows)
    return next(fitting, first[0])


def player_name_and_score_texts(players: Sequence[str], scores: Sequence[int]) -> list[str]:
    """Return a text for each player: the name, and the score if known."""
    if not scores:
        return [*players]
    return [f"{who} {n}" for who, n in zip(players, scores, strict=True)]


def format_scores(players: Sequence[str], scores: Sequence[int]) -> str:
    """Return one text with all players in seat order, each with the score if known."""
    return ", ".join(player_name_and_score_texts(players, scores))


def format_elapsed_time(words: Words, seconds: int) -> str:
    """Return the time since a past event as a text, in the largest unit that fits."""
    if seconds < MINUTE_SECONDS:
        return words("box.age.now")
    for unit, size in (("day", DAY_SECONDS), ("hour", HOUR_SECONDS), ("minute", MINUTE_SECONDS)):
        if seconds >= size:
            return words(f"box.age.{unit}", n=seconds // size)
    return words("box.age.now")
