"""The choice of the frame to show: a menu page, overlay, secret, curtain, or question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import is_
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.core.game import Cue, Secret
from companion.core.prompts import COMPUTER_CHOOSING_QUESTION, Choose, Prompt, Spell
from companion.draw import screens
from companion.menus import menu_stack
from companion.menus.page import MenuPageState, PhoneFacts
from companion.menus.words import menu_line_hint
from companion.press.cursor import NO_SELECTION, Cursor, selected_answer
from companion.say.words import Words
from companion.table.table import RunningGame, Table

if TYPE_CHECKING:
    from companion.core.snapshot import View

    Languages: TypeAlias = Callable[[str | None], Words]
    Secrets: TypeAlias = Callable[[str], Mapping[str, Any]]


def has_same_frame(table: Table, other: Table) -> bool:
    """Return True if both tables certainly have equal frames.

    Compare the fields of the tables by identity. Of the cursors, compare only the visible fields.
    """
    if (
        table.cursor is not other.cursor
        and table.cursor.with_visible_fields_only != other.cursor.with_visible_fields_only
    ):
        return False
    return all(map(is_, table._replace(cursor=other.cursor), other))


def table_without_open_secrets(table: Table) -> Table:
    """Return the `Table` with every open secret closed, so that all players may see the table."""
    if table.cursor.looking is None and not table.menus.has_page("phones"):
        return table
    phones = next((page.facts.phones for page in table.menus.pages), None) or PhoneFacts()
    # without a join code, the page about phones shows only whose phones are connected
    menus = table.menus.with_changed_facts(phones=phones._replace(code=""))
    at = NO_SELECTION if table.cursor.listening else table.cursor.at
    return table._replace(cursor=table.cursor._replace(looking=None, at=at), menus=menus)


def table_frame(table: Table, words: Languages, secret: Secrets) -> bytes:
    """Return the frame that shows `table`, with the turn timer below a game's question.

    - `words`: a function that returns the sentences in a player's language. For None, the function
      returns the sentences in the box's language.
    - `secret`: a function that returns a player's private view of the game.
    """
    drawn = _frame(table, words, secret)
    if (
        table.sand is None
        or table.menus.current_page is not None
        or table.overlays.front_overlay is not None
    ):
        return drawn
    return screens.frame_with_turn_timer(drawn, table.sand)


def _frame(table: Table, words: Languages, secret: Secrets) -> bytes:
    front, playing = table.overlays.front_overlay, table.playing
    if table.large and front is None and (frame := _large(table, words)) is not None:
        return frame
    if table.menus.current_page is not None and front is None:
        assert table.menu_or_game_prompt is not None  # noqa: S101 - every page asks something
        return menu_page_frame(
            table.menus.current_page, table.menu_or_game_prompt, table.cursor, words(None)
        )
    if front is not None and front.paged is not None:
        return front.paged.frame_of_page(table.cursor.page, words(None))
    if front is not None and front.throw is not None:
        return screens.rolling_dice_frame(
            front.throw, words(None), table.cursor, table.overlays.picture
        )
    stands = table.overlays.is_score_in_front or table.overlays.is_recap_in_front
    if front is not None and not stands:
        face = playing.face if playing is not None and table.menus.current_page is None else None
        picture = table.overlays.picture
        return screens.fact_frame(front.cues, words(front.whose), table.cursor, face, picture)
    assert playing is not None  # noqa: S101 - there is a menu or a game
    if front is not None:
        return _standing(table, front.lead_fact, playing, words(None))
    return _game(table, playing, words, secret)


def _standing(table: Table, lead: Cue, playing: RunningGame, words: Words) -> bytes:
    cursor, snapshot, face = table.cursor, playing.snapshot, playing.face
    if table.overlays.is_recap_in_front:
        page = cursor.page % table.press_context.pages
        if page == 0:
            return screens.resumed_game_frame(snapshot, lead, cursor, words, face)
        cursor = cursor._replace(page=page - 1)
    return screens.standing_frame(snapshot, words, cursor, face)


def _large(table: Table, words: Languages) -> bytes | None:
    open_, playing, cursor, prompt = (
        table.menus.current_page,
        table.playing,
        table.cursor,
        table.menu_or_game_prompt,
    )
    if prompt is None or cursor.at == NO_SELECTION:
        return None
    view: View
    if open_ is not None:
        if not menu_stack.load_menu_page(open_.page).large:
            return None
        reader_words, view, total = words(None), menu_stack.page_placeholder_values(open_), ""
        heading = reader_words(f"box.page.{open_.page}")
    elif prompt.name in ("mix", COMPUTER_CHOOSING_QUESTION):
        return None
    elif playing is not None and table.press_context.curtain in (None, cursor.looking):
        reader_words, view = words(prompt.who), playing.snapshot.view
        heading, total = (
            prompt.who or reader_words.game_title(playing.snapshot.game),
            playing.face.total(view),
        )
    else:
        return None
    if isinstance(prompt, Spell):
        heading = cursor.text or heading
    label = reader_words.answer_label(prompt.name, selected_answer(prompt, cursor), view)
    return screens.large_answer_frame(heading, label, total, cursor, reader_words)


def menu_page_frame(state: MenuPageState, prompt: Prompt, cursor: Cursor, words: Words) -> bytes:
    """Return the frame of a menu page, with the hint for the menu line under the cursor."""
    drawn = menu_stack.load_menu_page(state.page).draw(words, state, prompt, cursor)
    if drawn is not None:
        return drawn
    more = (
        menu_line_hint(words, state, selected_answer(prompt, cursor))
        if isinstance(prompt, Choose)
        else ""
    )
    return screens.menu_frame(
        prompt, cursor, words, menu_stack.page_placeholder_values(state), more
    )


def _game(table: Table, playing: RunningGame, words: Languages, secret: Secrets) -> bytes:
    snapshot, face, cursor, now = playing.snapshot, playing.face, table.cursor, table.press_context
    prompt, looking = now.prompt, cursor.looking
    if looking is not None:
        question = prompt if prompt and prompt.private and prompt.who == looking else None
        shown = Secret(looking, question, secret(looking))
        return screens.secret_frame(snapshot, shown, cursor, words(looking), face)
    if now.curtain is not None:
        language = words(now.curtain)
        if prompt is None:
            return screens.secret_curtain_frame(now.curtain, cursor, language)
        if there := table.players_asked_on_phones:
            return screens.asked_on_phones_frame(snapshot, there, prompt, cursor, language)
        return screens.hand_over_request_frame(snapshot, now.curtain, prompt, cursor, language)
    if prompt is None:
        return screens.standing_frame(snapshot, words(None), cursor, face)
    waiting = None if table.talk is None else table.talk.unconfirmed_answer
    if waiting is not None and waiting.is_irreversible_or_costly and isinstance(prompt, Choose):
        return screens.confirmation_frame(prompt, cursor, words(prompt.who))
    if prompt.name == COMPUTER_CHOOSING_QUESTION:
        return screens.computer_thinking_frame(snapshot, prompt, cursor, words(None), face)
    if prompt.name == "mix":
        return screens.joint_shuffle_frame(
            snapshot, prompt, words(prompt.who), together=table.together
        )
    return screens.question_frame(snapshot, prompt, cursor, words(prompt.who), face)
