"""A hint: what the box would do for the player asked, by what that player may know and no more.

It is found beside the box's loop; then the cursor stands on it, behind the curtain if it is secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.press.wheel import wheel

if TYPE_CHECKING:
    from companion.core.prompts import Answer, Prompt
    from companion.table.table import Table


def pointed(table: Table, prompt: Prompt, answer: Answer) -> Table | None:
    """The table with the cursor on an answer; None if that is not what is asked any more."""
    if table.menus.page is not None or table.talk is not None or table.prompt != prompt:
        return None
    places = [*wheel(prompt)]
    if answer not in places:
        return None
    cursor = table.cursor._replace(at=places.index(answer))
    return table._replace(cursor=cursor)
