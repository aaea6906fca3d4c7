"""The export of games as JSON Lines (docs/history.md describes the format).

The export of an unfinished game omits its secrets: the seed, the card orders and the secret
answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from companion.core.errors import UnknownGame
from companion.core.game import Game
from companion.core.prompts import Answer, Form, Question, Shuffle
from companion.figures import recorded
from companion.figures.recorded import RecordedGame
from companion.figures.times import format_utc_time
from companion.play.answer_history import AnswerHistory, RulesChangedError
from companion.play.record_header import setup_from_record_header
from companion.record.entry import Entry

EXPORT_VERSION: Final = 1
HEADER_FIELDS: Final = (
    *("id", "game", "players", "options", "edition", "commitment", "seed"),
    "mixing",
)
"""Names of the header fields that the first line of every exported game contains."""
ANSWER_ENTRY_KINDS: Final = ("answer", "box")


def export_lines(
    games: Iterable[RecordedGame], n: int, companion: str, *, whole: bool
) -> Iterator[str]:
    """Yield the lines of an export file with `n` games.

    `companion`: the version of the Companion software. `whole`: True to include the secrets of
    unfinished games.
    """
    yield export_first_line(n, companion)
    for game in games:
        yield from game_export_lines(game, open_=whole or game.is_over)


def export_first_line(n: int, companion: str) -> str:
    """Return the first line of an export file with `n` games.

    `companion`: the version of the Companion software.
    """
    return _line({"type": "export", "version": EXPORT_VERSION, "companion": companion, "games": n})


def game_export_lines(game: RecordedGame, *, open_: bool) -> Iterator[str]:
    """Yield the lines of an export file that describe one game.

    `open_`: True to include the game's secrets.
    """
    values, scores, replays = _looked_at(game, open_=open_)
    yield _line(_head(game, scores, replays=replays, open_=open_ and not game.is_without_seed))
    for n, (entry, value) in enumerate(zip(game.entries, values, strict=True), 1):
        yield _line(
            {"type": "entry", "game": game.id, "n": n, "kind": entry.kind,
             "question": entry.question, "who": entry.who, "value": value,
              "at": format_utc_time(entry.at)}
        )  # fmt: skip


def _head(
    game: RecordedGame, scores: Mapping[str, int], *, replays: bool | None, open_: bool
) -> dict[str, Any]:
    header, ended = game.header, game.end_time
    return {
        "type": "game",
        "id": game.id,
        "game": header["game"],
        "begun": format_utc_time(game.begun),
        "ended": None if ended is None else format_utc_time(ended),
        "players": header["players"],
        "options": header["options"],
        "edition": header["edition"],
        "commitment": header["commitment"],
        "seed": header["seed"] if open_ else None,
        "winners": game.winners,
        "scores": dict(scores),
        "entries": len(game.entries),
        "replays": replays,
        "mixing": header["mixing"],
        **{key: value for key, value in header.items() if key not in HEADER_FIELDS},
    }


def _looked_at(
    game: RecordedGame, *, open_: bool
) -> tuple[list[Answer], Mapping[str, int], bool | None]:
    """Return the values of a game's entries, the final scores, and the result of a replay.

    The result of the replay is True if the present rules accept all entries. The result is None if
    `open_` is False or the record lacks the game's secrets.

    `open_`: True to include secret values and the scores.
    """
    recorded_values = [entry.value for entry in game.entries]
    if game.is_without_seed:
        return recorded_values, {}, None
    public: dict[int, Answer] = {}
    last, fits = None, True
    try:
        rules = setup_from_record_header(game.header).game
        for entry, before, after in recorded.replayed_lines_with_states(game):
            last = after
            if not open_:
                public[id(entry)] = _public(rules, before, entry)
    except (RulesChangedError, UnknownGame):
        fits = False
    if not open_:
        return [_or_nothing(entry, public) for entry in game.entries], {}, None
    result = rules.outcome(last.last.state) if fits and last is not None else None
    return recorded_values, result.scores if result else {}, fits


def _or_nothing(entry: Entry, public: Mapping[int, Answer]) -> Answer:
    return public.get(id(entry)) if entry.kind in ANSWER_ENTRY_KINDS else entry.value


def _public(rules: Game[Any], before: AnswerHistory, entry: Entry) -> Answer:
    if entry.kind not in ANSWER_ENTRY_KINDS:
        return entry.value
    state = before.last.state
    asked: tuple[Question | None, ...] = (rules.ask(state), *rules.anytime(state))
    prompt = next((p for p in asked if p is not None and p.name == entry.question), None)
    if prompt is None or isinstance(prompt, Shuffle):
        return None
    if isinstance(prompt, Form):
        public = rules.public_answer(entry.question, entry.value)
        return public and {name: public.get(name) for name in entry.value}
    return None if prompt.private else rules.public_answer(entry.question, entry.value)


def _line(values: Mapping[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":"))
