"""Which frame is shown: a page of the menus, a moment, a secret, a curtain, or the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.box.menus import rules as home
from companion.box.menus.words import hint
from companion.box.moments import STANDING
from companion.core.prompts import Choose
from companion.draw import screens
from companion.press.controls import chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.box.moments import Moments
    from companion.draw.face import Face
    from companion.play.session import Session
    from companion.press.controls import Cursor, Scene
    from companion.say.words import Words


def frame(
    menu: Sequence[home.State],
    moments: Moments,
    session: Session | None,
    scene: Scene,
    cursor: Cursor,
    words: Callable[[str | None], Words],
    face: Face | None,
) -> bytes:
    """The frame for the moment. `words` gives the words in a player's language, or the box's.

    `face` is that of the game that is played, if one is.
    """
    if menu and not moments:
        state = menu[-1]
        return page(state, cursor, words(None))
    if moments and moments[0][0] is not STANDING:
        drawn_by = None if menu else face
        return screens.moment(moments[0], words(moments.whose), cursor, drawn_by, moments.step)
    assert session is not None  # noqa: S101 - there is a menu or a game
    assert face is not None  # noqa: S101 - likewise
    if moments:
        return screens.standing(session.snapshot, words(None), cursor, face)
    return _table(session, scene, cursor, words, face)


def page(state: home.State, cursor: Cursor, words: Words) -> bytes:
    """A page of the menus, with what there is to say of the line under the cursor."""
    prompt, view = home.ask(state), home.view(state)
    more = ""
    if isinstance(prompt, Choose):
        more = hint(words, prompt.name, chosen(prompt, cursor), view)
    return screens.menu(prompt, cursor, words, view, more)


def _table(
    session: Session,
    scene: Scene,
    cursor: Cursor,
    words: Callable[[str | None], Words],
    face: Face,
) -> bytes:
    """The game itself: a secret, a curtain, the question, or how it ended."""
    snapshot, prompt, looking = session.snapshot, scene.prompt, cursor.looking
    if looking is not None:
        own = prompt if prompt and prompt.private and prompt.who == looking else None
        seen = session.secret(looking)
        return screens.secret(snapshot, looking, own, seen, cursor, words(looking), face)
    if scene.curtain is not None:
        language = words(scene.curtain)
        if prompt is None:
            return screens.peep(scene.curtain, cursor, language)
        return screens.curtain(snapshot, scene.curtain, prompt, cursor, language)
    if prompt is None:
        return screens.standing(snapshot, words(None), cursor, face)
    if prompt.name == "mix":
        return screens.mixing(snapshot, prompt, words(prompt.who))
    return screens.question(snapshot, prompt, cursor, words(prompt.who), face)
