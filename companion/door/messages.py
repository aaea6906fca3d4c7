"""The messages that the box sends in the text protocol (docs/protocol.md).

A message is a dictionary that contains its `type`, its fields, and texts in one language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from secrets import randbelow
from typing import Any, Final, TypeGuard

from companion.core.errors import Refused, UnknownGame
from companion.core.game import Cue, Outcome
from companion.core.prompts import (
    INTERRUPT_FORM,
    MAX_LISTED_ANSWERS,
    PRESSED_ROLL_QUESTION,
    Answer,
    Choose,
    Form,
    Number,
    Prompt,
    Question,
    Roll,
    Spell,
    cursor_start_answer_index,
    first_prompt_of_form,
    is_action_prompt,
    legal_answers,
)
from companion.core.snapshot import Snapshot, View
from companion.door.lines import InvalidProtocolLineError, Message
from companion.play.answer_history import GameSetup
from companion.play.conversation import Conversation
from companion.play.standing import Standing
from companion.record.journal import JournalError
from companion.say.rows import labelled_rows_of_view
from companion.say.words import Words

PROTOCOL_VERSION: Final = 1
"""The version number of the text protocol, which the greeting (`hello`) contains."""


def greeting_message(setup: GameSetup | None, version: str, words: Words) -> Message:
    """Return the greeting (`hello`) with the running game's name, title, players and options.

    setup: the running game with its players and options; None if no game is running.
    """
    options = dict(setup.options) if setup else {}
    return {
        "type": "hello",
        "protocol": PROTOCOL_VERSION,
        "version": version,
        "game": setup and setup.game.name,
        "players": list(setup.players) if setup else [],
        "options": options,
        "edition": dict(setup.game.decks(setup.edition)) if setup else {},
        "commitment": setup and setup.chance.seed_commitment,
        "printed": dict(setup.edition) if setup else {},
        "lang": words.language,
        "title": words.game_title(setup.game.name) if setup else None,
        "settings": [_setting(words, *option) for option in options.items()],
    }


def _setting(words: Words, name: str, value: str) -> dict[str, str]:
    has_text = words.has_sentence(f"{words.game}.setting.{name}.{value}")
    text = words.game_option_value_label(words.game, name, value) if has_text else f"{name} {value}"
    return {"name": name, "value": value, "text": text}


def fact_message(cue: Cue, words: Words) -> Message:
    """Return the message that reports an event of the game (`cue`).

    The message of a public event has the type `tell`. The message of an event that only one player
    may know has the type `secret`.
    """
    text = _text(words.fact_text(cue))
    if cue.to is None:
        return {"type": "tell", **cue.facts, **_fact(cue, text, words)}
    return {"type": "secret", **cue.facts, "who": cue.to, "event": cue.name, "text": text}


def latest_ruling_message(standing: Standing, words: Words) -> Message:
    """Return the `tell` message with the ruling that explains the latest events.

    If no event of the game has a ruling, the message states that there is no ruling to explain.
    """
    try:
        cue = standing.explanation_of_latest_clause(words.fact_to_explain_first)
    except Refused as refused:
        cue = _refusal_fact(refused)
    fact_line = _fact(cue, _text(words.fact_text(cue)), words)
    return {"type": "tell", "of": cue.facts.get("of"), **fact_line, "event": "why"}


def look_message(standing: Standing, seat: str, words: Words) -> Message:
    """Return the `secret` message of the event `look`: all secrets of the player `seat`.

    The field `secrets` is a list with the event, the text and the facts of each secret.
    """
    secrets = [
        {**cue.facts, "event": cue.name, "text": _text(words.fact_text(cue))}
        for cue in standing.private_facts_of_all_players
        if cue.to == seat
    ]
    text = " ".join(str(secret["text"]) for secret in secrets)
    return {"type": "secret", "who": seat, "event": "look", "text": text, "secrets": secrets}


def _fact(cue: Cue, text: str, words: Words) -> dict[str, str | None]:
    speech, key = words.fact_speech(cue), f"{words.game}.rule.{cue.clause}"
    # for rulings and silent events, send the display's text: the spoken sentence is shorter
    shown = cue.name == "why" or words.variant_row_of_fact(cue).silent
    return {
        "event": cue.name,
        "text": text,
        "speech": speech,
        "cue": words.fact_sound_name(cue),
        "clause": cue.clause,
        "sentence": (shown and text) or speech or text,
        "ruling": words(key) if cue.clause and words.has_sentence(key) else None,
    }


def _text(text: str) -> str:
    return text.replace("|", " ")


def state_message(snapshot: Snapshot | None, words: Words, *, secrets: bool = False) -> Message:
    """Return the `state` message: the public state as data and as labelled rows, and printed names.

    secrets: True if players have secrets to look at.

    If `snapshot` is None (no game is running), the message contains only its `type`.
    """
    if snapshot is None:
        return {"type": "state"}
    view = snapshot.view
    return {
        "type": "state",
        **view,
        "facts": labelled_rows_of_view(view, snapshot.players, words),
        "named": dict(words.printed_names(view)),
        "secrets": secrets,
    }


def game_end_message(
    snapshot: Snapshot, outcome: Outcome, words: Words, *, secrets: bool = False
) -> Message:
    """Return the `over` message at the end of a game: winners, scores, state and seed.

    Players can compare the seed's hash with the commitment in the greeting.
    """
    ended = state_message(snapshot, words, secrets=secrets)
    return {
        "type": "over",
        "winners": list(outcome.winners),
        "state": {name: fact for name, fact in ended.items() if name != "type"},
        "seed": snapshot.seed,
        "scores": dict(outcome.scores),
    }


def pending_question_message(question: Question, view: View, words: Words, number: int) -> Message:
    """Return the `ask` message with the pending question.

    If the question is a form, the message contains all questions of the form, so that a program can
    answer the form with one line.
    """
    if isinstance(question, Form):
        return _ask(question, view, words, number) | {"ok": words("box.ok.answer"), "likely": None}
    return next_question_message(Conversation(question, is_pending=True), view, words, number)


def next_question_message(
    talk: Conversation, view: View, words: Words, number: int, seat: str | None = None
) -> Message:
    """Return the `ask` message with the next question of a conversation, such as a form.

    If an answer waits for a confirmation, the message asks for the confirmation.

    seat: the player whose phone receives the question; None if everybody receives the question. A
    phone with a seat cannot go back to the question that asks which player interrupts the game.
    """
    prompt, waiting = talk.next_prompt, talk.unconfirmed_answer
    assert prompt is not None
    if waiting is not None:
        prompt = _harmless_first(waiting.confirmation_prompt)
    message = _ask(prompt, view, words, number)
    message |= {
        "ok": words(f"box.ok.{talk.ok_label_key}"),
        "likely": None
        if prompt.private or "free" in message
        else cursor_start_answer_index(prompt),
        **_shape(prompt),
    }
    if is_action_prompt(prompt) and prompt.name != PRESSED_ROLL_QUESTION:
        message["ok"] = message["choices"][0]["label"]
    message |= {name: True for name in ("at_once", "look") if getattr(prompt, name, False)}
    if talk.form_or_interrupt_name is not None:
        message |= _part(talk, seat)
    if waiting is not None:
        asked = waiting.asked.name
        for repeated in ("value", "word"):  # the field `of` contains the answer
            message.pop(repeated, None)
        of = {"question": asked, "value": waiting.value}
        message |= {"question": prompt.name, "sure": True, "of": of}
        if (
            waiting.is_irreversible_or_costly
            and (sentence := words.find_game_or_shared_sentence(f"sure.{asked}")) is not None
        ):
            message["sentence"] = _text(sentence)
    return message


def _part(talk: Conversation, seat: str | None) -> Message:
    """Return the fields about a form: the form's name, the answers so far, and `back`.

    `back` contains the answers that remain after a press of BACK. If the client cannot go back,
    `back` is None.
    """
    before = talk.without_last_answer()
    fixed = before is None or (
        talk.form_or_interrupt_name == INTERRUPT_FORM and seat and not before.given
    )
    back = None if before is None or fixed else dict(before.given)
    return {"form": talk.form_or_interrupt_name, "given": dict(talk.given), "back": back}


def _ask(prompt: Question, view: View, words: Words, number: int) -> Message:
    first, offered = first_prompt_of_form(prompt), _offered(prompt)
    label = words.answer_parts_text if isinstance(prompt, Form) else words.answer_label
    message: Message = {
        "type": "ask",
        "id": number,
        "who": prompt.who,
        "question": prompt.name,
        "choices": [
            {"value": value, "label": label(prompt.name, value, view)} for value in offered
        ],
        "text": _text(words.question_row(prompt, view)),
        "private": first is not None and first.private,
        **prompt.facts,
    }
    message["sentence"] = (
        message["text"] if isinstance(prompt, Form) else words.full_question(prompt, view)
    )
    if isinstance(prompt, Spell):
        pattern = prompt.pattern or f"^.{{1,{prompt.longest}}}$"
        message |= {"free": True, "pattern": pattern}
    elif isinstance(prompt, Form) and len(offered) == MAX_LISTED_ANSWERS:
        message["free"] = True
    elif isinstance(prompt, Number) and (_is_wide(prompt) or prompt.by > 1):
        message |= {"free": True, "pattern": "^-?[0-9]+$" if prompt.lo < 0 else "^[0-9]+$"}
    return message


def _shape(prompt: Prompt) -> dict[str, Any]:
    match prompt:
        case Number(lo=lo, hi=hi, by=by):
            return {"number": {"from": lo, "to": hi, "by": by}}
        case Roll(dice=dice, sides=sides):
            return {"number": {"from": dice, "to": dice * sides, "by": 1}}
        case Spell(longest=longest, open=seen):
            return {"spell": {"longest": longest, "open": seen}}
        case _:
            return {}


def _harmless_first(prompt: Choose) -> Choose:
    pairs = sorted(zip(prompt.weights, prompt.options, strict=True), reverse=True)
    weights, options = zip(*pairs, strict=True)
    return prompt._replace(options=options, weights=weights)


def out_of_turn_questions_message(anytime: Iterable[Question], words: Words) -> Message:
    """Return the `offers` message: the questions that players can answer out of turn."""
    forms = [{"form": question.name, "text": _called(question, words)} for question in anytime]
    return {"type": "offers", "forms": forms}


def _called(question: Question, words: Words) -> str:
    return words.find_game_or_shared_sentence(f"menu.{question.name}") or question.name


def joined_message(seat: str, token: str) -> Message:
    """Return the `joined` message: the client has received the seat.

    token: the secret with which the client can reconnect to the seat.
    """
    return {"type": "joined", "seat": seat, "token": token}


def left_message(seat: str) -> Message:
    """Return the `left` message: the client no longer has the seat."""
    return {"type": "left", "seat": seat}


def checked_message(*, known: bool | None, flaw: str | None) -> Message:
    """Return the `checked` message with the result of a word's look-up.

    - `known`: True if a word list contains the word; None if no list was searched.
    - `flaw`: the reason why the game would refuse the word; None if the word is legal.
    """
    return {"type": "checked", "known": known, "flaw": flaw}


def frame_message(picture: str) -> Message:
    """Return the `frame` message.

    picture: a PNG picture of the display's frame, in base64.
    """
    return {"type": "frame", "png": picture}


def recorded_games_message(games: Sequence[Mapping[str, object]], total: int) -> Message:
    """Return the `past` message with a part of the list of the `total` recorded games.

    games: the statistics of each game (`figures.export_formats.game_statistics_as_dict`).
    """
    return {"type": "past", "games": games, "of": total}


def recorded_game_message(game: Mapping[str, object]) -> Message:
    """Return the `past` message about one recorded game.

    game: the game's details (`figures.export_formats.game_details_as_dict`), note and proof of
    chance.
    """
    return {"type": "past", "game": game}


def people_message(people: Sequence[Mapping[str, object]]) -> Message:
    """Return the `people` message.

    people: the statistics of each person (`figures.export_formats.person_statistics_as_dict`).
    """
    return {"type": "people", "people": people}


def group_message(
    *,
    years: Mapping[str, object],
    records: Mapping[str, object],
    hardest: Sequence[Mapping[str, object]],
    a_year_ago: Sequence[Mapping[str, object]],
    people: Sequence[Mapping[str, object]],
) -> Message:
    """Return the `group` message.

    - `years`: the group's statistics of each year.
    - `records`: for each game, the best results; None for a result that no game has.
    - `hardest`: the words for which players asked for the most letters, with the letters' number.
    - `a_year_ago`: the statistics of the games that were played on this day one year ago.
    - `people`: as in `people_message`.
    """
    return {
        "type": "group", "years": years, "records": records, "hardest": hardest,
        "a_year_ago": a_year_ago, "people": people,
    }  # fmt: skip


def error_message(message: str, **more: Any) -> Message:
    """Return an `error` message with the text `message` and the additional fields `more`."""
    return {"type": "error", "message": message, **more}


def exception_message(
    error: InvalidProtocolLineError | JournalError | UnknownGame | Refused, words: Words
) -> Message:
    """Return the `error` message about an exception that a program's line has caused."""
    match error:
        case InvalidProtocolLineError():
            text = words(f"stdio.{error.sentence}", **error.facts)
            return error_message(_text(text), code=error.code, **error.more)
        case JournalError():
            text = words(f"box.record.{error.code}")
        case UnknownGame():
            text = words.fact_text(unknown_game_fact(error))
        case Refused():
            text = words.fact_text(_refusal_fact(error))
    return error_message(_text(text), code=error.code)


def unknown_game_fact(error: UnknownGame) -> Cue:
    """Return the event which announces that a game cannot be played."""
    return Cue(error.code, error.faulty_package)


def _refusal_fact(refused: Refused) -> Cue:
    return Cue("refused", {"code": refused.code})


def _is_wide(prompt: Question) -> TypeGuard[Number]:
    return isinstance(prompt, Number) and prompt.hi - prompt.lo > MAX_LISTED_ANSWERS


def _offered(prompt: Question) -> Sequence[Answer]:
    """Return the answers that an `ask` message lists.

    If a number question has more than `MAX_LISTED_ANSWERS` values, return only one random value.
    """
    if _is_wide(prompt):
        return [prompt.lo + randbelow(prompt.hi - prompt.lo + 1)]
    return legal_answers(prompt)
