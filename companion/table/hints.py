"""Hints: the answer that a computer player would choose with the active player's knowledge.

The box computes a hint outside its event loop. The cursor then moves to the hint's answer. For a
secret question, the cursor moves when the player looks at the secret.
"""

from __future__ import annotations

from companion.core.prompts import Answer, Prompt
from companion.press.wheel import wheel_answers_and_symbols
from companion.table.table import Table


def table_with_cursor_on_hint(table: Table, prompt: Prompt, answer: Answer) -> Table | None:
    """Return the table with the cursor on `answer`.

    Return None if the table does not ask `prompt` now, or if `prompt` has no answer `answer`.
    """
    if (
        table.menus.current_page is not None
        or table.talk is not None
        or table.menu_or_game_prompt != prompt
    ):
        return None
    places = [*wheel_answers_and_symbols(prompt)]
    if answer not in places:
        return None
    cursor = table.cursor._replace(at=places.index(answer))
    return table._replace(cursor=cursor)
