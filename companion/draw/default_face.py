"""The defaults of `Face`: the state is drawn as a small table, the answers as lists.

The table shows the fields of the game's view in the view's order. The label of a field is the
sentence `<game>.view.<field>`, or the field's name if this sentence is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from companion.core.game import Cue, Cues, Secret
from companion.core.prompts import Answer, Prompt, Spell
from companion.draw import large_text
from companion.draw.canvas import Canvas, shorten_names_distinctly, shorten_text
from companion.draw.letters import transliterate_uncomposable_letters
from companion.draw.parts import (
    MAX_LIST_ANSWERS,
    MEDIUM_ROW_LETTERS,
    ROW_LETTERS,
    draw_answer_list,
    draw_fact_text,
    draw_word_entry,
    fit_names_in_rows,
    letters_per_column,
    name_value_rows,
)
from companion.press.cursor import Cursor
from companion.press.wheel import is_drawn_as_wheel
from companion.say.rows import labelled_rows_of_view
from companion.say.words import MAX_NAME_LETTERS, Words

if TYPE_CHECKING:
    from companion.core.snapshot import Snapshot, View

BODY_ROWS: Final = 6
"""Number of rows (8 pixels high) of a question's frame that the game can draw."""
LETTERS_FOR_PLAYER_COLUMNS: Final = 12
"""Number of letters in a table row that are divided equally among the players' columns.

A column has at least MIN_COLUMN_LETTERS letters.
"""
MIN_COLUMN_LETTERS: Final = 4
MAX_COLUMN_PLAYERS: Final = (ROW_LETTERS - MIN_COLUMN_LETTERS) // MIN_COLUMN_LETTERS
"""Maximum number of players in a table with a column for each player.

A table for more players has a row for each player.
"""
MAX_DRAWN_PLAYERS: Final = 8
"""Maximum number of players in the table."""
PLAYERS_PER_SHARED_ROW: Final = 2
"""Number of players who share a row of the table if a row for each player does not fit.

If the table still has too few rows, more players share a row.
"""
MIN_NAME_LETTERS: Final = 4
"""Minimum number of letters of a name that precedes several values in a table row."""


def draw_question(
    canvas: Canvas, snapshot: Snapshot, prompt: Prompt, cursor: Cursor, words: Words
) -> None:
    """Draw rows 0 to 5 of a question: the game's state, and the answers if they form a list."""
    if isinstance(prompt, Spell):
        draw_word_entry(canvas, prompt, cursor)
    elif is_drawn_as_wheel(prompt):
        _table(canvas, snapshot, words, 0, BODY_ROWS)
    else:
        _table(canvas, snapshot, words, 0, BODY_ROWS - MAX_LIST_ANSWERS)
        draw_answer_list(
            canvas, prompt, cursor, words, snapshot.view, page=BODY_ROWS - MAX_LIST_ANSWERS
        )


def draw_secret(
    canvas: Canvas, snapshot: Snapshot, secret: Secret, cursor: Cursor, words: Words
) -> None:
    """Draw a player's secret and the answers to a private question on rows 1 to 6."""
    prompt = secret.prompt
    if isinstance(prompt, Spell):
        draw_word_entry(canvas, prompt, cursor)
        return
    secret_facts = {
        name: fact for name, fact in secret.view.items() if fact != snapshot.view.get(name)
    }
    page, last = 1, BODY_ROWS - MAX_LIST_ANSWERS if prompt else BODY_ROWS
    for name, fact in secret_facts.items():
        if page <= last:
            page += canvas.draw_wrapped_text(
                page, f"{words.view_field_label(name)}: {_whole(fact)}", last + 1 - page
            )
    if prompt is not None:
        draw_answer_list(canvas, prompt, cursor, words, snapshot.view, page=last + 1)


def draw_state_or_result(canvas: Canvas, snapshot: Snapshot, words: Words) -> None:
    """Draw the game's state as a table, or the winners and the scores after the end of the game."""
    if snapshot.outcome is None:
        _table(canvas, snapshot, words, 0, BODY_ROWS + 1)
        return
    winners = transliterate_uncomposable_letters(", ".join(snapshot.outcome.winners))
    canvas.draw_centred_text(
        0 if winners else 1, words("box.winner" if winners else "box.past.nobody_won")
    )
    if len(winners) <= MEDIUM_ROW_LETTERS:
        canvas.draw_centred_text(1, winners.upper(), "medium")
    else:
        canvas.draw_wrapped_text(1, fit_names_in_rows(snapshot.outcome.winners, 2), 2, centred=True)
    scores = {who: str(score) for who, score in snapshot.outcome.scores.items()}
    if len(scores) > MAX_COLUMN_PLAYERS:
        _write(
            canvas,
            3,
            name_value_rows(
                {who: (score,) for who, score in scores.items()}, PLAYERS_PER_SHARED_ROW
            ),
        )
        return
    for row, (who, score) in enumerate(scores.items(), start=3):
        canvas.draw_text(row, 0, shorten_text(who, MAX_NAME_LETTERS))
        canvas.draw_right_aligned_text(row, score)


def one_page_by_default(snapshot: Snapshot) -> int:
    """Return 1, the default number of pages of a score."""
    del snapshot
    return 1


def draw_standing_page(canvas: Canvas, snapshot: Snapshot, words: Words, n: int) -> str:
    """Draw the score of a game, and return the text of row 7 (the button labels)."""
    del n
    draw_state_or_result(canvas, snapshot, words)
    return words("box.legend.notice" if snapshot.outcome is None else "box.legend.over")


def draw_facts_as_text(canvas: Canvas, cues: Cues, words: Words, step: int) -> None:
    """Draw the text of the events `cues` as a still picture."""
    del step
    draw_fact_text(canvas, cues, words)


def one_picture_by_default(cue: Cue) -> int:
    """Return 1: by default an event is drawn as one still picture."""
    del cue
    return 1


def first_fact_of_picture(cues: Cues) -> Cue:
    """Return the first event of a picture.

    By default, *Why?* explains the clause of this event first.
    """
    return cues[0]


def draw_past_answer(canvas: Canvas, snapshot: Snapshot, who: str, text: str, words: Words) -> None:
    """Draw a past answer: the player `who` in large letters, and the sentence `text`."""
    del snapshot, words
    large_text.draw_player_name(canvas, who, 1)
    canvas.draw_text_above_legend(text, rows=3)


def never_needs_confirmation(question: str, value: Answer) -> bool:
    """Return False: by default a player need not confirm an answer."""
    del question, value
    return False


def spoken_state_sentences(words: Words, view: View, players: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences about the public state.

    Each field has one sentence. A field with a value for each player has one sentence for each
    player.
    """
    return tuple(_sentences(labelled_rows_of_view(view, players, words), words))


def spoken_state_summary(words: Words, view: View, players: Sequence[str]) -> str:
    """Return the first two sentences about the public state as one text."""
    return " ".join(spoken_state_sentences(words, view, players)[:2])


def spoken_secret_sentences(words: Words, seen: View, view: View) -> tuple[str, ...]:
    """Return sentences about the fields of a player's view `seen` that differ from `view`.

    Each field has one sentence. Nested fields are omitted, unless all these fields are nested.

    `view`: the public view.
    """
    secret_facts = {name: fact for name, fact in seen.items() if fact != view.get(name)}
    sentences = tuple(_sentences(labelled_rows_of_view(secret_facts, (), words), words))
    return sentences or tuple(
        f"{words.view_field_label(name)}: {_whole(fact)}" for name, fact in secret_facts.items()
    )


def no_board_sentences(words: Words) -> tuple[str, ...]:
    """Return an empty tuple: by default a game has no printed board."""
    del words
    return ()


def _sentences(rows: Sequence[Mapping[str, Any]], words: Words) -> Iterator[str]:
    for row in rows:
        for who, text in row.get("by", {}).items():
            yield words("box.say.ear.each", what=row["label"], who=who, text=_said(text, words))
        if "text" in row:
            yield words("box.say.ear.fact", what=row["label"], text=_said(row["text"], words))


def _said(text: str, words: Words) -> str:
    return text if text not in ("", words("box.fact.None")) else words("box.say.ear.none")


def running_total_text(view: View) -> str:
    """Return the field `total` of the public state as text, or "" if the field is missing."""
    total = view.get("total")
    return str(total) if isinstance(total, int) else ""


def read_active_player(view: View) -> str | None:
    """Return the player in the field `to_act` of the view, or None if the field is missing."""
    who = view.get("to_act")
    return who if isinstance(who, str) else None


# --- the state as a table -------------------------------------------------------------------------


def _table(canvas: Canvas, snapshot: Snapshot, words: Words, page: int, rows: int) -> None:
    many = len(snapshot.players) > MAX_COLUMN_PLAYERS
    lines = _by_player(snapshot, words, rows) if many else _by_fact(snapshot, words, rows)
    _write(canvas, page, lines[:rows])


def _write(canvas: Canvas, page: int, lines: Iterable[str]) -> None:
    for row, line in enumerate(lines, start=page):
        canvas.draw_text(row, 0, line)


def _by_fact(snapshot: Snapshot, words: Words, rows: int) -> list[str]:
    players, view = snapshot.players, snapshot.view
    wide = max(MIN_COLUMN_LETTERS, LETTERS_FOR_PLAYER_COLUMNS // len(players))
    each = {name for name, fact in view.items() if _is_by_player(fact, players)}
    facts = [name for name in view if name in each or _is_plain(view[name])]
    lines = [_line(words.view_field_label(name), view[name], players, wide) for name in facts]
    if each and rows > 1:
        names = "".join(f"{who:>{wide}}" for who in shorten_names_distinctly(players, wide - 1))
        lines.insert(0, f"{names:>{ROW_LETTERS}}")
    return lines


def _by_player(snapshot: Snapshot, words: Words, rows: int) -> list[str]:
    """Return the rows of a table with the players' values.

    If there is a free row, the first row contains headings. Each player has one row, or shares a
    row with other players. Below the players, each value that does not belong to a player has a
    row.
    """
    players, view = snapshot.players, snapshot.view
    each = [name for name, fact in view.items() if _is_by_player(fact, players)]
    rest = [name for name, fact in view.items() if name not in each and _is_plain(fact)]
    lines = [_line(words.view_field_label(name), view[name], players, ROW_LETTERS) for name in rest]
    if not each:
        return lines
    head = int(rows > PLAYERS_PER_SHARED_ROW)
    beside = _beside(len(players), rows - head, len(lines))
    names = _that_fit(view, each, players, letters_per_column(beside) - MIN_NAME_LETTERS)
    values = {who: tuple(_brief(view[name][who]) for name in names) for who in players}
    heading = [shorten_text(", ".join(map(words.view_field_label, names)), ROW_LETTERS)] * head
    return [*heading, *name_value_rows(values, beside), *lines]


def _beside(players: int, rows: int, facts: int) -> int:
    if players + min(2, facts) <= rows:
        return 1
    return max(PLAYERS_PER_SHARED_ROW, -(-players // rows))


def _that_fit(view: View, each: Sequence[str], players: Sequence[str], room: int) -> Sequence[str]:
    used = 0
    for n, name in enumerate(each):
        used += 1 + max(len(_brief(view[name][who])) for who in players)
        if used > room and n:
            return each[:n]
    return each


def _line(name: str, fact: Any, players: Sequence[str], wide: int) -> str:
    if isinstance(fact, Mapping):
        values = "".join(f"{shorten_text(_brief(fact[who]), wide - 1):>{wide}}" for who in players)
        room = ROW_LETTERS - len(values)
        return f"{shorten_text(name, room):<{room}}{values}"
    value = shorten_text(_brief(fact), ROW_LETTERS // 2)
    return f"{shorten_text(name, ROW_LETTERS - 1 - len(value)):<{ROW_LETTERS - len(value)}}{value}"


def _is_plain(fact: Any) -> bool:
    return fact is None or isinstance(fact, str | int | list | tuple)


def _is_by_player(fact: Any, players: Sequence[str]) -> bool:
    if not isinstance(fact, Mapping) or {*fact} != {*players}:
        return False
    return all(map(_is_plain, fact.values()))


def _brief(fact: Any) -> str:
    match fact:
        case None:
            return "-"
        case bool():
            return "■" if fact else "□"
        case list() | tuple():
            return str(len(fact))
        case _:
            return str(fact)


def _whole(fact: Any) -> str:
    match fact:
        case list() | tuple():
            return " ".join(map(_whole, fact))
        case Mapping():
            return " ".join(f"{name} {_whole(part)}" for name, part in fact.items())
        case _:
            return _brief(fact)
