"""Sentences about the statistics of games and players, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from companion.core.game import Cue
from companion.figures import luck
from companion.figures.game_statistics import GameStatistics, ReplayStatistics
from companion.figures.names import FORGOTTEN_NAME
from companion.figures.people import PersonStatistics, PlayedAndWonCount
from companion.figures.rare import RareFact
from companion.say.decimals import format_decimal
from companion.say.words import Words

BAR_CHARACTERS: Final = "▁▂▃▄▅▆▇█"
CURVE_WIDTH: Final = 60
MINUTE_SECONDS: Final = 60
HOUR_SECONDS: Final = 3600
MAX_ONCE_IN: Final = 9_999
"""The highest number N in a sentence that a fact happens once in N games."""


def person_name_or_somebody(words: Words, name: str) -> str:
    """Return a player's name, or the word for "somebody" if the player was forgotten."""
    return words("box.figures.somebody") if name == FORGOTTEN_NAME else name


def names_text(words: Words, names: Iterable[str]) -> str:
    """Return players' names, separated by commas."""
    return ", ".join(person_name_or_somebody(words, name) for name in names)


def game_winners_text(words: Words, winners: Sequence[str] | None) -> str:
    """Return a short text with the winners of a game.

    `winners`: the winners' names; None for an unfinished game.
    """
    if winners is None:
        return words("box.figures.open")
    who = names_text(words, winners) or words("box.figures.by_nobody")
    return words("box.figures.won", who=who)


def game_statistics_sentences(
    words: Words, played: GameStatistics, detail: ReplayStatistics
) -> Iterator[str]:
    """Yield the sentences about the statistics of one game."""
    over = played.ended is not None
    yield words("box.figures.players", who=names_text(words, played.players))
    yield words("box.figures.began", who=person_name_or_somebody(words, played.first))
    minutes, answers = round(played.seconds / MINUTE_SECONDS), played.answers
    yield words("box.figures.length", minutes=minutes, answers=answers)
    yield from thinking_time_sentences(
        words, [person_name_or_somebody(words, name) for name in played.players], played.used
    )
    if over and played.winners:
        yield words("box.figures.won_by", who=names_text(words, played.winners))
    if over and not played.scores:
        yield words("box.figures.outgrown")
    if played.leads:
        yield words.sentence_for_count("box.figures.leads", played.leads)
    if over and 0 < played.decided < played.answers:
        leader = person_name_or_somebody(words, played.winners[0])
        yield words("box.figures.decided", who=leader, n=played.decided, of=played.answers)
    if played.undone or played.corrected:
        yield words("box.figures.mended", undone=played.undone, corrected=played.corrected)
    if any(played.faces):
        yield dice_verdict_sentence(words, played.faces)
    if played.shuffles[0]:
        yield shuffle_verdict_sentence(words, played.shuffles)
    yield from game_specific_statistic_sentences(words, played, detail.tally)


def thinking_time_sentences(
    words: Words, names: Sequence[str], used: Sequence[int]
) -> Iterator[str]:
    """Yield a sentence with each player's thinking time in minutes.

    If the sum of the thinking times is less than one minute, yield no sentence.

    `used`: the thinking times in seconds, in the order of `names`.
    """
    if sum(used) >= MINUTE_SECONDS:
        pairs = (f"{name} {round(n / MINUTE_SECONDS)}" for name, n in zip(names, used, strict=True))
        yield words("box.figures.used", times=", ".join(pairs))


def rarest_fact_announcement(fact: RareFact, words: Words) -> Cue:
    """Return the event with which the box announces a rare fact about a game."""
    facts = dict(fact.facts)
    if "game" in facts:
        facts["game"] = words.game_title(facts["game"])
    return Cue("rare", {**facts, "what": fact.name, "times": min(round(fact.once_in), MAX_ONCE_IN)})


def dice_verdict_sentence(words: Words, faces: Sequence[int]) -> str:
    """Return a sentence with the verdict on the fairness of the box's dice.

    `faces`: how often each face was rolled.
    """
    return words(f"box.figures.dice.{luck.dice_fairness_verdict(faces)}", n=sum(faces))


def chance_check_sentences(
    words: Words, played: GameStatistics, *, code: str, straight: bool | None
) -> Iterator[str]:
    """Yield a sentence on whether rolls and shuffles follow from the code shown before the game.

    `straight`: the result of the check; None if the box could not check the game.

    For an unfinished game, yield a sentence with the code. For a finished game with `straight`
    None, yield no sentence.
    """
    if played.ended is None:
        yield words("box.figures.sealed", code=code)
    elif straight is not None:
        key = "box.figures.verified" if straight else "box.figures.crooked"
        yield words(key, code=code, n=played.number)


def game_specific_statistic_sentences(
    words: Words, played: GameStatistics, tally: Mapping[tuple[str, str], int]
) -> Iterator[str]:
    """Yield a sentence for each statistic that the game's rules define.

    `tally`: the numbers by player and name of the statistic. The player "" means all players.
    """
    for (name, what), n in sorted(tally.items(), key=lambda item: (item[0][1], item[0][0])):
        label = game_specific_statistic_label(words, played.game, what)
        if name and name in played.players:
            yield words("box.figures.counted", who=name, what=label, n=n)
        elif not name:
            yield words("box.figures.counted_all", what=label, n=n)


def shuffle_verdict_sentence(words: Words, found: luck.ShuffleCounts) -> str:
    """Return a sentence with the verdict on the fairness of the box's shuffles."""
    return words(f"box.figures.shuffles.{found.fairness_verdict}", n=found.cards)


def game_specific_statistic_label(words: Words, game: str, what: str) -> str:
    """Return the label of a statistic that a game's rules define.

    If the statistic has no label, return its name.
    """
    name, _, of = what.partition(":")
    key = f"{game}.figure.{name}"
    return words(key, of=of) if words.has_sentence(key) else what


def score_curve_bars(played: GameStatistics, detail: ReplayStatistics) -> Iterator[tuple[str, str]]:
    """Yield each player's name, and the player's scores during the game as bar characters."""
    points = detail.curve
    if len(points) < 2 or not (top := max(max(scores) for _, scores in points)):  # noqa: PLR2004
        return
    low = min(0, *(min(scores) for _, scores in points))
    last = points[-1][0]
    for seat, name in enumerate(played.players):
        row, at = [], 0
        for column in range(CURVE_WIDTH):
            while at + 1 < len(points) and points[at + 1][0] <= column * last // (CURVE_WIDTH - 1):
                at += 1
            share = (points[at][1][seat] - low) / (top - low)
            row.append(BAR_CHARACTERS[round(share * (len(BAR_CHARACTERS) - 1))])
        yield name, "".join(row)


def wins_and_games_text(words: Words, count: PlayedAndWonCount) -> str:
    """Return a short text with the number of wins and of games.

    For three or more games, the text also contains the percentage of wins.
    """
    if count.win_rate is None:
        return words("box.figures.few", wins=count.wins, games=count.games)
    percent = round(100 * count.win_rate)
    return words("box.figures.rate", wins=count.wins, games=count.games, percent=percent)


def hardest_secret_words_sentence(words: Words, found: Sequence[tuple[str, int]]) -> str:
    """Return a sentence with the hardest secret words.

    `found`: each word, with the number of letters that the other players asked for.
    """
    told = ", ".join(words("box.figures.hard", word=word, n=n) for word, n in found)
    return words("box.figures.hardest", words=told)


def person_statistics_sentences(
    words: Words,
    one: PersonStatistics,
    counts: Mapping[tuple[str, str], int] = MappingProxyType({}),
) -> Iterator[str]:
    """Yield the sentences about one person's statistics.

    `counts`: the person's statistics that the games' rules define.
    """
    yield wins_and_games_text(words, one.all)
    for name, count in sorted(one.by_game.items()):
        yield words(
            "box.figures.of", what=words.game_title(name), share=wins_and_games_text(words, count)
        )
    for n, count in sorted(one.by_players.items()):
        yield words("box.figures.at", n=n, share=wins_and_games_text(words, count))
    if one.first_turn_count.games:
        yield words("box.figures.first", share=wins_and_games_text(words, one.first_turn_count))
    for name, scores in sorted(one.scores.items()):
        average = format_decimal(scores.average_score, words.language)
        yield words(
            "box.figures.score", what=words.game_title(name), average=average, best=scores.best
        )
    yield words("box.figures.streak", now=one.streak, longest=one.longest)
    yield words(
        "box.figures.time", hours=format_decimal(one.seconds / HOUR_SECONDS, words.language)
    )
    if one.toughest_opponent:
        yield words("box.figures.nemesis", who=one.toughest_opponent)
    if one.easiest_opponent:
        yield words("box.figures.favourite", who=one.easiest_opponent)
    for name, a in sorted(one.against.items(), key=lambda item: -item[1].games):
        facts = {"who": name, "games": a.games, "ahead": a.ahead, "behind": a.behind}
        yield words.sentence_for_count("box.figures.against", a.games, **facts)
    for (name, what), n in sorted(counts.items()):
        label = game_specific_statistic_label(words, name, what)
        yield words("box.figures.counted", who=words.game_title(name), what=label, n=n)
