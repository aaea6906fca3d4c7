"""A playthrough: a whole game as text, which a test replays line by line.

A playthrough contains each question with its possible answers and the given answer. A playthrough
contains each event (`Cue`) with its clause, its displayed text and its speech. A playthrough also
contains every change in the views of the table and the seats. `git diff` therefore shows the effect
of a changed rule or sentence.

    python -m companion_testing.playthrough kojak --players Ann,Bob --lang fr >game.txt
    python -m companion_testing.playthrough --write game.txt    # replay the answers
    python -m companion_testing.playthrough --new game.txt      # play another random game
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.core.errors import Refused, UnknownGame
from companion.core.fold import apply_answer
from companion.core.game import Cue, Game
from companion.core.prompts import (
    Form,
    Prompt,
    Question,
    Roll,
    Shuffle,
    Spell,
    is_answered_by_box,
    legal_answers,
)
from companion.core.snapshot import View
from companion.say.words import LANGUAGES, Words
from companion_testing.face_recording import game_words_for_edition
from companion_testing.playing import Move, Playout, play_random_game
from companion_testing.table import GameTable

MAX_WHOLE_LIST: Final = 8
"""Maximum length of a list that a playthrough writes as a whole.

Only the changes in a longer list are written.
"""
MAX_LISTED_ANSWERS: Final = 12
"""Maximum number of answers that a playthrough lists.

Above this number, only the number of answers is written.
"""
MAX_TRIED_SEEDS: Final = 100
"""Number of random games from which `--new` chooses the game with most questions and events."""
MOVE_PATTERN: Final = re.compile(r"^(\d+) (\S+) · (.*?)( \(out of turn\))?$")
"""Pattern of a move's first line: number, question, player, and OUT_OF_TURN_MARK or nothing."""
OUT_OF_TURN_MARK: Final = " (out of turn)"


class PlaythroughAnswer(NamedTuple):
    """An answer in a playthrough, with its question.

    - `spoken` is True if the answer is out of turn.
    - `by_box` is True if the box gave the answer.
    """

    question: str
    value: Any
    spoken: bool = False
    by_box: bool = False


class PlaythroughHeader(NamedTuple):
    """The first lines of a playthrough: all data that define a game, except its answers."""

    game: str
    language: str
    players: tuple[str, ...]
    options: dict[str, str]
    seed: int

    def make_game_table(self) -> GameTable:
        """Return the table with the game's built-in edition.

        Raise UnknownGame if no installed package has the game.
        """
        game = registry.find_game(self.game)
        return GameTable(game, self.players, self.options, editions.load_edition(game.name))

    def header_lines(self) -> Iterator[str]:
        """Yield the lines with game, language, players, options and seed."""
        yield f"game {self.game}"
        yield f"language {self.language}"
        yield f"players {', '.join(self.players)}"
        yield f"options {' '.join(f'{name}={value}' for name, value in self.options.items())}"
        yield f"seed {self.seed}"


def parse_playthrough_header(text: str) -> PlaythroughHeader:
    """Return the header of a playthrough.

    Raise ValueError if the text is not a playthrough.
    """
    fields = dict(line.partition(" ")[::2] for line in text.split("\n\n", 1)[0].splitlines())
    try:
        options = dict(pair.split("=") for pair in fields["options"].split())
        players = tuple(fields["players"].split(", "))
        return PlaythroughHeader(
            fields["game"], fields["language"], players, options, int(fields["seed"])
        )
    except KeyError as missing:
        raise ValueError(f"no playthrough: its first lines do not tell the {missing}") from None


def make_playthrough_header(
    game: str, language: str, players: tuple[str, ...], options: Mapping[str, str], seed: int
) -> PlaythroughHeader:
    """Return a header with `options`, and with the first value of every other option.

    Raise UnknownGame if no installed package has the game, and ValueError for an unknown option.
    """
    game_options = {option.name: option for option in registry.find_game(game).options}
    for name, value in options.items():
        if name not in game_options or value not in game_options[name].values:
            raise ValueError(f"{game} has no option {name}={value}")
    first = {name: option.values[0] for name, option in game_options.items()}
    return PlaythroughHeader(game, language, players, {**first, **options}, seed)


def random_playthrough_text(head: PlaythroughHeader) -> str:
    """Return a random game as a playthrough. `head.seed` determines all random choices."""
    played = play_random_game(head.make_game_table(), head.seed)
    return _text(head, played.moves, "" if played.fault is None else f"! {played.fault.what}")


def other_random_playthrough_text(text: str) -> str:
    """Return another random game with the players, options and language of the playthrough `text`.

    The function plays `MAX_TRIED_SEEDS` games and chooses the game with the most kinds of questions
    and events. Among several such games, the function chooses the shortest game. Omit options that
    the game no longer has. Give new options their first value.
    """
    old = parse_playthrough_header(text)
    names = {option.name for option in registry.find_game(old.game).options}
    options = {name: value for name, value in old.options.items() if name in names}
    head = make_playthrough_header(old.game, old.language, old.players, options, 0)
    seed = max(
        range(MAX_TRIED_SEEDS),
        key=lambda seed: _richness(play_random_game(head.make_game_table(), seed)),
    )
    return random_playthrough_text(head._replace(seed=seed))


def _richness(played: Playout) -> tuple[bool, int, int]:
    """Return a sort key, greatest for the game with the most kinds of questions and events.

    Among equally rich games, the shortest game has the greatest key. A game that raised an
    exception has a lower key than all other games.
    """
    questions = {move.prompt.name for move in played.moves}
    facts = {cue.name for move in played.moves for cue in move.cues}
    return played.fault is None, len(questions) + len(facts), -len(played.moves)


def replay_playthrough(text: str) -> str:
    """Play the answers of a playthrough again and return the new playthrough.

    If the game now refuses an answer, or asks more questions than the playthrough has answers, the
    new playthrough ends with the reason.
    """
    head = parse_playthrough_header(text)
    refused: list[str] = []
    moves = _again(head.make_game_table(), head.seed, deque(_parse_answers(text)), refused)
    return _text(head, moves, refused)


def cut_playthrough_after_first_round(text: str) -> str:
    """Return a playthrough up to the point at which the first player is asked again.

    Before this point, each player must have been asked. Return the whole text if there is no such
    point.
    """
    players, (top, *blocks) = parse_playthrough_header(text).players, text.split("\n\n")
    asked: list[str] = []
    for n, block in enumerate(blocks):
        match = MOVE_PATTERN.match(block.partition("\n")[0])
        who = match[3] if match and match[3] in players else None
        if who is not None and asked[-1:] != [who]:
            if set(asked) == {*players} and who == asked[0]:
                return "\n\n".join((top, *blocks[:n])) + "\n"
            asked.append(who)
    return text


def _parse_answers(text: str) -> Iterator[PlaythroughAnswer]:
    match: re.Match[str] | None = None
    for line in text.splitlines():
        match = MOVE_PATTERN.match(line) or match
        if line.startswith(("  > ", "  = ")) and match:
            spoken = match[4] is not None
            yield PlaythroughAnswer(match[2], json.loads(line[4:]), spoken, line.startswith("  = "))


def _again(
    table: GameTable, seed: int, answers: deque[PlaythroughAnswer], refused: list[str]
) -> Iterator[Move]:
    """Yield the moves of a playthrough's answers, played by the present rules.

    If the game refuses an answer, or if an answer is missing, append the reason to `refused` and
    stop.
    """
    game, chance = table.game, Chance(f"{table.id} {seed}")
    draws, state = Counter[str](), table.first_state()
    while (prompt := game.ask(state)) is not None:
        question: Question = prompt
        spoken = bool(answers) and answers[0].spoken
        is_draw = is_answered_by_box(prompt) and not spoken
        while answers and answers[0].by_box:  # skip: `chance` gives the box's answers
            answers.popleft()
            if is_draw:
                break
        if is_draw and isinstance(prompt, (Roll, Shuffle)):
            draw = chance.name_of_draw(prompt.name, prompt.who)
            value = chance.drawn_answer_to_prompt(prompt, draws[draw])
            draws[draw] += 1
        elif answers:
            name, value, *_ = answers.popleft()
            questions = (q for q in game.anytime(state) if spoken and q.name == name)
            question = next(questions, prompt)
        else:
            refused.append("! here the answers end, and the game does not")
            return
        try:
            after, cues = apply_answer(game, state, value, question.name)
        except Refused as error:
            refused.append(f"! {question.name} does not take {json.dumps(value)}: {error.code}")
            return
        yield Move(state, question, value, after, cues, is_out_of_turn=spoken)
        state = after


# --- writing --------------------------------------------------------------------------------------


def _text(head: PlaythroughHeader, moves: Iterable[Move], last: str | list[str]) -> str:
    table = head.make_game_table()
    words = game_words_for_edition(head.game, head.language, table.edition)
    blocks = ["\n".join(head.header_lines())]
    sees = _Sights(table)
    end: Any = table.first_state()
    opening = (line for cue in table.game.opening(end) for line in _format_cue(cue, words))
    blocks.append("\n".join(("0 the table is set", *opening, *sees.describe_view_changes(end))))
    for n, move in enumerate(moves, 1):
        blocks.append(
            "\n".join(
                (*_format_move(n, move, table.game, words), *sees.describe_view_changes(move.after))
            )
        )
        end = move.after
    if outcome := table.game.outcome(end):
        blocks.append(f"winners {', '.join(outcome.winners)}")
    ended = [last] if isinstance(last, str) else last
    return "\n\n".join((*blocks, *(line for line in ended if line))) + "\n"


def _format_move(n: int, move: Move, game: Game[Any], words: Words) -> Iterator[str]:
    prompt, who = (
        move.prompt,
        "the box" if move.is_answered_by_box else move.prompt.who or "the table",
    )
    yield f"{n} {prompt.name} · {who}{OUT_OF_TURN_MARK * move.is_out_of_turn}"
    if not isinstance(prompt, Form):
        seat = prompt.who if prompt.private else None
        view = game.view(move.before, seat)
        if not move.is_answered_by_box:
            yield f"  ? {_plain(words.question_row(prompt, view))}"
            yield f"    {_format_options(prompt, view, words)}"
    sign = "=" if move.is_answered_by_box else ">"
    yield f"  {sign} {json.dumps(move.value, ensure_ascii=False)}"
    for cue in move.cues:
        yield from _format_cue(cue, words)


def _format_options(prompt: Prompt, view: View, words: Words) -> str:
    if isinstance(prompt, Spell):
        return f"(up to {prompt.longest} letters)"
    values = legal_answers(prompt)
    if len(values) > MAX_LISTED_ANSWERS:
        return f"({len(values)} answers)"
    return " | ".join(_plain(words.answer_label(prompt.name, value, view)) for value in values)


def _format_cue(cue: Cue, words: Words) -> Iterator[str]:
    facts = " ".join(f"{name}={_value(value)}" for name, value in cue.facts.items())
    whom = f" to {cue.to}" if cue.to else ""
    yield f"  * {cue.name}{whom}{f' [{cue.clause}]' if cue.clause else ''} {facts}".rstrip()
    text, speech, sound = (
        _plain(words.fact_text(cue)),
        words.fact_speech(cue),
        words.fact_sound_name(cue),
    )
    if shown := [part for part in (text, speech, sound and f"♪ {sound}") if part]:
        yield f"    {' / '.join(shown)}"


def _plain(text: str) -> str:
    return text.replace("|", " ").replace("\n", " ")


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class _Sights:
    """The views of the table and of each seat, compared with the previous state."""

    def __init__(self, table: GameTable) -> None:
        self._game = table.game
        self._seats = table.players
        self._told: dict[str, dict[str, str]] = {}

    def describe_view_changes(self, state: Any) -> Iterator[str]:
        """Yield a line for each view that has changed since the previous call."""
        public = dict(_flat(self._game.view(state, None)))
        yield from self._line("table", public)
        for who in self._seats:
            seat_view = dict(_flat(self._game.view(state, who)))
            yield from self._line(who, {k: v for k, v in seat_view.items() if public.get(k) != v})

    def _line(self, eyes: str, seen: dict[str, str]) -> Iterator[str]:
        before = self._told.get(eyes, {})
        now = [(name, value) for name, value in seen.items() if before.get(name) != value]
        changed = [f"{name} {value}" for name, value in _runs(now)]
        gone = [f"{name} –" for name in before if name not in seen]
        self._told[eyes] = seen
        if changed or gone:
            yield f"  @ {eyes}: {'; '.join((*changed, *gone))}"


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the fields of a view as (name, value).

    Dots join nested names and indices, as in `rack.3`.
    """
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _flat(part, f"{name}.{key}" if name else str(key))
    elif isinstance(value, (list, tuple)) and len(value) > MAX_WHOLE_LIST:
        for place, part in enumerate(value):
            yield f"{name}.{place}", _fields(part) if isinstance(part, dict) else _value(part)
    else:
        yield name, _value(value)


def _fields(place: Mapping[str, Any]) -> str:
    held = {name: value for name, value in place.items() if value not in (None, False)}
    words = (name if value is True else f"{name}={_value(value)}" for name, value in held.items())
    return " ".join(words) or "–"


def _runs(fields: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the fields of a view.

    Neighbouring fields with equal values are joined, as in `rack.3-7`.
    """
    for value, group in groupby(fields, lambda field: (field[0].rpartition(".")[0], field[1])):
        names = [name for name, _ in group]
        numbers = [name.rpartition(".")[2] for name in names]
        if len(names) > 1 and all(number.isdigit() for number in numbers):
            yield f"{names[0]}-{numbers[-1]}", value[1]
        else:
            yield from ((name, value[1]) for name in names)


def rewrite_playthrough_file(file: Path, again: Callable[[str], str] = replay_playthrough) -> None:
    """Replace the playthrough in `file` with the playthrough that `again` makes from the old text.

    If the new playthrough ends with a refusal, do not change `file`, and raise ValueError.
    """
    now = again(file.read_text("utf-8"))
    if (last := now.splitlines()[-1]).startswith("!"):
        raise ValueError(f"{file} is left as it is: {last[2:]}")
    file.write_text(now, "utf-8")


def main() -> None:
    """Print a random game, or rewrite files. Exit with a message if an error occurs."""
    parser = argparse.ArgumentParser(prog="python -m companion_testing.playthrough")
    parser.add_argument("game", nargs="+", help="a game's name; with --write or --new, files")
    parser.add_argument("--write", action="store_true", help="play the files' answers again")
    parser.add_argument("--new", action="store_true", help="write other random games to the files")
    parser.add_argument("--players", default="Ann,Bob", help="their names, with commas")
    parser.add_argument("--lang", default="en", choices=LANGUAGES)
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    parser.add_argument("--seed", type=int, default=0, help="which random game")
    asked = parser.parse_args()
    try:
        if asked.write or asked.new:
            for name in asked.game:
                rewrite_playthrough_file(
                    Path(name), other_random_playthrough_text if asked.new else replay_playthrough
                )
            return
        players, options = tuple(asked.players.split(",")), dict(o.split("=") for o in asked.set)
        head = make_playthrough_header(asked.game[0], asked.lang, players, options, asked.seed)
        sys.stdout.write(random_playthrough_text(head))
    except UnknownGame:
        sys.exit(
            f"There is no game called {asked.game[0]!r}. "
            f"Games: {', '.join(registry.playable_game_names())}."
        )
    except (LookupError, OSError, ValueError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
