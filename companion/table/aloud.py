"""The spoken form of the screen, for players in audio mode.

This module builds the spoken form from the question and the labels on the screen. Menus, questions,
forms, letters and secrets therefore need no extra sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from companion.core.prompts import (
    COMPUTER_CHOOSING_QUESTION,
    Answer,
    Choose,
    Prompt,
    Spell,
    is_action_prompt,
)
from companion.core.snapshot import View
from companion.menus import menu_stack
from companion.menus.game_summaries import format_elapsed_time, format_scores
from companion.menus.page import MenuPageState
from companion.menus.words import menu_line_hint
from companion.press.cursor import (
    NO_SELECTION,
    Cursor,
    has_selected_answer,
    reachable_answers_and_symbols,
    selected_answer,
)
from companion.press.wheel import (
    CARET_TO_END_PLACE,
    COMMAND_PLACES,
    DONE_PLACE,
    closed_letter_row_text,
    letter_rows,
)
from companion.say.words import Words
from companion.table.overlays import Overlay
from companion.table.table import RunningGame, Table

if TYPE_CHECKING:
    from companion.table.frames import Languages, Secrets

    AskedAgain: TypeAlias = Callable[[Prompt, Sequence[str]], bool]

_SIGNS: Final = {
    "▲": "up",
    "▼": "down",
    "★": "won",
    "×": "times",
    "■": "on",
    "□": "off",
}
_SIGNED: Final = re.compile(r"(?<![\w.])([-−+])(?=\d)")
_DETAILS: Final = re.compile(r"\s*[:,] ")
"""Pattern of the comma or colon after an option's name, as in "13, past the Alley"."""
_ENDS: Final = (".", "?", "!", "…", ":")


class SpokenScreen(NamedTuple):
    """The spoken form of the screen, for all players or for one player.

    - `key`: identifies the screen; a moved cursor does not change the key.
    - `lead`: the sentences of a new screen. The box may have spoken these sentences already.
    - `secrets`: the asked player's secrets, which are spoken only if their content is new.
    - `option`: the text of the answer under the cursor.
    - `place`: the text of the answer with its position, or "" for a single answer.
    - `at`, `answers`: the index of the answer, and the number of answers.
    - `more`: details of the answer, or an instruction to the player.
    - `letter`: the letter under the cursor if the box may also speak the letter's code word
      ("Echo" for E), or "".
    - `to`: the only player who may hear the spoken form, or None for all players.
    """

    key: tuple[Any, ...]
    language: str
    lead: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    option: str = ""
    place: str = ""
    at: int = 0
    answers: int = 0
    more: tuple[str, ...] = ()
    letter: str = ""
    to: str | None = None

    @property
    def question_listener_and_name(self) -> tuple[Any, ...] | None:
        """Return the player who may hear the game's question, and the name of the question.

        The player is None if all players may hear the question. Return None if the screen does not
        ask a question of the game.
        """
        return (self.to, *self.key[-1:]) if self.key[0] == "game" else None

    def spoken_option(self, before: SpokenScreen | None, detail: str) -> str:
        """Return the spoken form of the option, with its position if `detail` requires it.

        - `before`: the screen with the previous option, or None in a new list.
        - `detail`: "teaching" includes the position at each step, and "short" never includes the
          position. With "normal", the position is included in a new list and when the cursor wraps
          around.
        """
        comes_round = before is None or abs(self.at - before.at) > 1
        placed = detail == "teaching" or (detail == "normal" and comes_round)
        return self.place if self.place and placed else self.option

    @property
    def option_repeated_after_early_press(self) -> str:
        """Return the option's text, which the box repeats after a press that came too early.

        For a game's question, return only the option's name, such as "13".
        """
        if self.question_listener_and_name is None or not self.answers:
            return self.option
        return _whole(_DETAILS.split(self.option, maxsplit=1)[0])

    @property
    def is_ruling_page(self) -> bool:
        """Return True if the screen is a page of *Why?*, which explains a ruling."""
        return bool(self.key[0] == "why")


def spoken_screen(
    table: Table, words: Languages, secret: Secrets, short: AskedAgain = lambda *_: False
) -> SpokenScreen | None:
    """Return the spoken form of the screen. Without audio mode, only rulings have a spoken form.

    - `words`, `secret`: the functions that `frames.table_frame` also receives.
    - `short`: a function that returns True if a question's short sentence is enough. The second
      argument of `short` lists the players who answer on their phones.
    """
    front, page = table.overlays.front_overlay, table.menus.current_page
    if not table.ears.has_players:
        why = front is not None and front.is_ruling_explanation
        return _ruling(table, front, words(front.whose)) if front and why else None
    if front is not None:
        screen = _moment(table, front, words(front.whose))
        whose = front.whose == table.cursor.looking and table.ears.hears_secrets_privately(
            str(front.whose)
        )
        return screen._replace(to=front.whose if whose else None)
    if page is not None:
        return _page(table, page, words(None)) if table.menu_or_game_prompt is not None else None
    return None if table.playing is None else _game(table, table.playing, words, secret, short)


def spoken_form_of_display_text(text: str, words: Words) -> str:
    """Return the spoken form of a display text: one line, with words instead of signs.

    If the whole text is in capitals, only the first letter stays a capital.
    """
    text = " ".join(text.replace("|", " ").split())
    if text.isupper() and len(text) > 1 and " " not in text[:2]:
        text = text.capitalize()
    for sign, name in _SIGNS.items():
        if sign in text:
            text = text.replace(sign, f" {words(f'box.say.ear.{name}')} ")
    text = _SIGNED.sub(lambda sign: f"{_sign(sign[1], words)} ", text)
    return " ".join(text.split())


def _sign(sign: str, words: Words) -> str:
    return words("box.say.ear.plus" if sign == "+" else "box.say.ear.minus")


def screen_with_option_position(
    screen: SpokenScreen, option: str, n: int, of: int, words: Words
) -> SpokenScreen:
    """Return `screen` with the answer under the cursor and its position: "Seven. 3 of 11"."""
    option = option[:1].upper() + option[1:]
    key = "box.say.ear.after" if option.endswith(_ENDS[1:]) else "box.say.ear.place"
    place = words(key, what=option.removesuffix("."), n=n + 1, all=of) if of > 1 else ""
    return screen._replace(option=_whole(option), place=place, at=n, answers=of)


def _whole(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if not text or text.endswith(_ENDS) else f"{text}."


# --- overlays -------------------------------------------------------------------------------------


def _moment(table: Table, front: Overlay, words: Words) -> SpokenScreen:
    at = table.cursor.page
    key = ("moment", id(front.cues), len(table.overlays.queue))
    more = () if table.overlays.until is not None else (words("box.say.ear.go_on"),)
    if front.paged is not None:
        screen = SpokenScreen(key, words.language, more=more)
        return screen_with_option_position(
            screen,
            spoken_form_of_display_text(front.paged.spoken_page(at, words), words),
            at,
            front.paged.page_count,
            words,
        )
    if front.is_ruling_explanation:
        ruling, of = _ruling(table, front, words)._replace(more=more), len(front.cues)
        return screen_with_option_position(ruling, ruling.option, at % of, of, words)
    if table.overlays.is_score_in_front and table.playing is not None:
        held = words("box.say.ear.hold")
        return SpokenScreen(
            key, words.language, option=_stands(table.playing, words), more=(held, *more)
        )
    spoken = tuple(filter(None, (words.fact_speech(cue, ear=True) for cue in front.cues)))
    if table.overlays.is_recap_in_front and table.playing is not None:
        option, more = _stands(table.playing, words), (words("box.say.ear.hold"), *more)
        return SpokenScreen(key, words.language, spoken, option=option, more=more)
    return SpokenScreen(key, words.language, lead=spoken, more=more)


def _ruling(table: Table, front: Overlay, words: Words) -> SpokenScreen:
    cue = front.cues[table.cursor.page % len(front.cues)]
    key = ("why", id(front), len(table.overlays.queue))
    return SpokenScreen(key, words.language, option=words.fact_speech(cue))


def _stands(playing: RunningGame, words: Words) -> str:
    snapshot, outcome = playing.snapshot, playing.snapshot.outcome
    if outcome is None:
        score = playing.face.spoken_summary(words, snapshot.view, snapshot.players)
        return _whole(spoken_form_of_display_text(score, words))
    who = words.winners_sentence(outcome.winners)
    scores = format_scores(tuple(outcome.scores), tuple(outcome.scores.values()))
    return f"{_whole(who)} {_whole(scores)}"


def spoken_game_state(playing: RunningGame, words: Words) -> tuple[str, ...]:
    """Return sentences about a game's whole public state. The pending question comes first."""
    snapshot = playing.snapshot
    asked = () if snapshot.prompt is None else (_question(snapshot.prompt, snapshot.view, words),)
    texts = (*asked, *playing.face.spoken_state(words, snapshot.view, snapshot.players))
    return tuple(_whole(spoken_form_of_display_text(text, words)) for text in texts if text)


# --- menus ----------------------------------------------------------------------------------------


def _page(table: Table, page: MenuPageState, words: Words) -> SpokenScreen:
    prompt, cursor, view = (
        table.menu_or_game_prompt,
        table.cursor,
        menu_stack.page_placeholder_values(page),
    )
    assert prompt is not None  # noqa: S101 - every page asks something
    name = f"box.page.{page.page}"
    title = (
        (_whole(spoken_form_of_display_text(words(name), words)),)
        if words.has_sentence(name)
        else ()
    )
    key = ("page", page.page, page.players, page.shown, page.counted, page.number, page.book)
    before = filter(None, (menu_stack.load_menu_page(page.page).said(words, page),))
    screen = SpokenScreen(key, words.language, lead=(*title, *before, *_asks(prompt, view, words)))
    if isinstance(prompt, Spell):
        return _spelt(screen, prompt, cursor, words)
    if (read := menu_stack.load_menu_page(page.page).read(words, page, prompt, cursor)) is not None:
        text, at, of = read
        return screen_with_option_position(
            screen, spoken_form_of_display_text(text, words), at, of, words
        )
    value = selected_answer(prompt, cursor)
    more = _hinted(words, page, value) if isinstance(prompt, Choose) else ""
    screen = _option(screen, prompt, cursor, words, view)
    return screen._replace(more=(_whole(spoken_form_of_display_text(more, words)),) if more else ())


def _asks(prompt: Prompt, view: View, words: Words) -> tuple[str, ...]:
    if not words.has_sentence(f"box.ask.{prompt.name}"):
        return ()
    return (_whole(spoken_form_of_display_text(words.question_row(prompt, view), words)),)


def _hinted(words: Words, page: MenuPageState, value: Answer) -> str:
    row = menu_stack.load_menu_page(page.page)
    if not row.hint_is_said:
        return ""
    summary = row.game(page, value)
    if summary is None:
        return menu_line_hint(words, page, value)
    people = format_scores(summary.players, page.facts.told(summary.id).scores)
    return f"{people}. {format_elapsed_time(words, page.facts.now - summary.last)}"


# --- the game -------------------------------------------------------------------------------------


def _game(
    table: Table, playing: RunningGame, words: Languages, secret: Secrets, short: AskedAgain
) -> SpokenScreen | None:
    snapshot, now, cursor = playing.snapshot, table.press_context, table.cursor
    prompt, looking = now.prompt, cursor.looking
    who = looking or now.curtain or (prompt.who if prompt is not None else None)
    if not table.ears.should_read_answers_aloud(who):
        return None
    texts, view = words(who), snapshot.view
    key = ("game", snapshot.position, snapshot.undoable, table.talk, now.curtain, looking, who)
    screen = SpokenScreen((*key, prompt and prompt.name), texts.language)
    if looking is not None:
        return _open_secret(table, playing, screen, texts, secret(looking))
    if now.curtain is not None:
        if prompt is not None and (there := table.players_asked_on_phones):
            key, again = (*screen.key, "phone"), short(prompt, there)
            prompt = prompt._replace(who=", ".join(there))
            asked = _question(prompt, view, texts, short=again, phone=True)
            return screen._replace(key=key, lead=(asked,))
        public = prompt is not None and _question(prompt, view, texts, short=short(prompt, ()))
        return _curtain(table, screen, prompt, public or "", texts)
    if prompt is None:
        return screen._replace(option=_stands(playing, texts), more=(texts("box.say.ear.over"),))
    if prompt.name == "mix":  # short form: without options, because any button answers
        return screen._replace(
            lead=(_whole(spoken_form_of_display_text(texts.question_row(prompt, {}), texts)),)
        )
    if prompt.name == COMPUTER_CHOOSING_QUESTION:
        return screen._replace(lead=(_question(prompt, view, texts),))
    asked = _question(prompt, view, texts, short=short(prompt, ()))
    look = (texts("box.say.ear.look"),) if now.looks is not None else ()
    screen = screen._replace(lead=(asked,), more=look)
    if isinstance(prompt, Spell):
        return _spelt(screen, prompt, cursor, texts)
    return screen if is_action_prompt(prompt) else _option(screen, prompt, cursor, texts, view)


def _question(
    prompt: Prompt, view: View, words: Words, *, short: bool = False, phone: bool = False
) -> str:
    if prompt.name == "sure":
        return _whole(
            spoken_form_of_display_text(
                words.game_or_shared_sentence(f"sure.{prompt.facts['question']}"), words
            )
        )
    asked = words.spoken_question(prompt, view, short=short, phone=phone)
    asked = asked or words.question_row(prompt, view)
    return _whole(spoken_form_of_display_text(asked, words))


def _curtain(
    table: Table, screen: SpokenScreen, prompt: Prompt | None, asked: str, words: Words
) -> SpokenScreen:
    who = str(screen.key[6])
    way = "listen" if table.ears.hears_secrets_privately(who) else "shown"
    hint = words(f"box.say.ear.{way}", who=who)
    if prompt is None:
        return screen._replace(option=words("box.say.ear.news", who=who), more=(hint,))
    screen = screen._replace(lead=(asked,))
    if has_selected_answer(prompt, table.cursor):
        return screen._replace(option=words("box.say.ear.chosen"))
    return screen._replace(option=words("box.say.ear.curtain"), more=(hint,))


def _open_secret(
    table: Table, playing: RunningGame, screen: SpokenScreen, words: Words, seen: View
) -> SpokenScreen:
    """Return the spoken form of an open secret, for the player who looks at the secret.

    Without a private loudspeaker, return a sentence that refers the player to the display.
    """
    snapshot, cursor, prompt = playing.snapshot, table.cursor, table.press_context.prompt
    who = str(cursor.looking)
    if not table.ears.hears_secrets_privately(who):
        return screen._replace(option=words("box.say.ear.showing", who=who))
    screen = screen._replace(to=who)
    question = prompt if prompt is not None and prompt.private and prompt.who == who else None
    secrets = tuple(
        _whole(spoken_form_of_display_text(text, words))
        for text in playing.face.spoken_secret(words, seen, snapshot.view)
    )
    if question is None:
        secrets = secrets or (words("box.say.ear.no_secret"),)
        again = (*secrets, _stands(playing, words))
        turned = again[(cursor.page - 1) % len(again)] if cursor.page else ""
        if (
            table.press_context.curtain == who
        ):  # the box speaks `secrets` only if their content is new
            return screen._replace(
                secrets=secrets, option=turned, more=(words("box.say.ear.cover"),)
            )
        return screen._replace(lead=secrets, option=turned)
    # omit the question, which the box has already spoken to all players
    screen = screen._replace(secrets=secrets)
    if isinstance(question, Spell):
        return _spelt(screen, question, cursor, words)
    if cursor.at == NO_SELECTION:
        return screen._replace(more=(words("box.say.ear.turn"),))
    return _option(screen, question, cursor, words, snapshot.view)


# --- answers under the cursor ---------------------------------------------------------------------


def _option(
    screen: SpokenScreen, prompt: Prompt, cursor: Cursor, words: Words, view: View
) -> SpokenScreen:
    offered = reachable_answers_and_symbols(prompt, cursor)
    at = cursor.at % len(offered)
    label = spoken_form_of_display_text(_label(words, prompt.name, offered[at], view), words)
    return screen_with_option_position(screen, label, at, len(offered), words)


def _label(words: Words, question: str, value: Answer, view: View) -> str:
    label = words.spoken_answer(question, value, view)
    return (
        words.capitalised_number_word(value)
        if type(value) is int and label == str(value)
        else label
    )


def _spelt(screen: SpokenScreen, prompt: Spell, cursor: Cursor, words: Words) -> SpokenScreen:
    key = (*screen.key, cursor.text, cursor.row, (bool(cursor.row), cursor.back))
    offered = reachable_answers_and_symbols(prompt, cursor)
    at = cursor.at % len(offered)
    lead = screen.lead
    if cursor.row or cursor.text:
        lead = () if cursor.row else _caret(cursor, words)
    place = offered[at]
    letter = place if len(place) == 1 and place not in COMMAND_PLACES else ""
    option = _place(place, prompt, cursor, words)
    screen = screen_with_option_position(screen, option, at, len(offered), words)
    return screen._replace(key=key, lead=lead, letter=letter)


def _caret(cursor: Cursor, words: Words) -> tuple[str, ...]:
    if not cursor.back:
        return ()
    return (
        words(
            "box.say.ear.caret", letter=spoken_spelling_of_word(cursor.text[-cursor.back], words)
        ),
    )


def _place(place: str, prompt: Spell, cursor: Cursor, words: Words) -> str:
    if place == DONE_PLACE:
        return words("box.say.ear.done", letters=spoken_spelling_of_word(cursor.text, words))
    if place in COMMAND_PLACES:
        return words(f"box.say.ear.{'end' if place == CARET_TO_END_PLACE else 'erase'}")
    if place in letter_rows(prompt, cursor.text, cursor.back) and not cursor.row:
        row = closed_letter_row_text(place)
        ends = {
            "first": spoken_spelling_of_word(row[0], words),
            "last": spoken_spelling_of_word(row[-1], words),
        }
        continues = ".known" if cursor.text else ""
        return words(f"box.say.ear.row{continues}", **ends)
    if cursor.row or len(place) == 1:
        return spoken_spelling_of_word(closed_letter_row_text(place), words)
    return place


def spoken_spelling_of_word(text: str, words: Words) -> str:
    """Return the spoken form of a word, letter by letter."""
    return ", ".join(_letter(letter, words) for letter in text)


def _letter(letter: str, words: Words) -> str:
    names = {"-": "hyphen", "'": "apostrophe", ".": "dot", " ": "space"}
    return words(f"box.say.ear.{names[letter]}") if letter in names else letter.upper()


def letter_code_word(letter: str, words: Words) -> str:
    """Return the code word of a letter that is hard to hear ("Echo" for E), or ""."""
    plain = f"box.say.ear.letter.{letter.upper()}"
    return words(plain) if words.has_sentence(plain) else ""
