"""Checks of a game's sentences in a language: each sentence exists, is complete, and fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import sounds
from companion.catalog import registry
from companion.core.game import Cue, Option
from companion.core.prompts import Prompt, Spell
from companion.draw.canvas import wrap_text
from companion.draw.parts import (
    MAX_LIST_ANSWER_LETTERS,
    MEDIUM_ROW_LETTERS,
    ROW_LETTERS,
    answer_without_price,
)
from companion.press.wheel import wheel_answers_and_symbols
from companion.say.words import LANGUAGES, VERBOSITIES, Words
from companion_testing import face_recording
from companion_testing.observed_games import ObservedGames, ObservedQuestion, sample_values_per_name
from companion_testing.table import ExceptionCatcher, Faults, GameFault, faults_with_place

TWO_FINAL_MARKS_PATTERN: Final = re.compile(r"[!?]\.")
"""Pattern of a sentence that ends with two punctuation marks."""
PYTHON_NOTATION_PATTERN: Final = re.compile(
    r"""[\[({]['"\d]*['"][^'"]*['"]|\b(?:None|True|False)\b"""
)
"""Pattern of a list, dictionary or constant in Python notation, such as `['green', 'white']`."""
CODE_NAME_PATTERN: Final = re.compile("[a-z][a-z_]+")
"""Pattern of a value that is an internal identifier, such as `skull`, and not a text."""
FIELD_PATTERN: Final = re.compile(r"{(\w+)}")
"""Pattern of a sentence's placeholder `{name}`, whose value is filled in unchanged."""
SPELT_TEST_TEXTS: Final = ("A", "A-BC", "ABC.D", "...ABCD...", "?")
"""Texts that a player can spell as an answer; some texts are not valid words."""
MAX_INLINE_ANSWER_LETTERS: Final = 6
"""Maximum number of letters in an answer that the display's row 6 shows beside the question."""
MAX_CURTAIN_TEXT_ROWS: Final = 2
"""Maximum number of rows in the text of a curtain, the frame that hides a secret."""
MAX_HINT_ROWS: Final = 2
"""Maximum number of rows for the text about the selected menu line."""
EVENT_SENTENCE_KINDS: Final = ("title", "text", "speech", "short")
"""Kinds of sentences about an event of the game (a `Cue`)."""
MAX_NORMAL_SPEECH_WORDS: Final = 6
"""Number of words above which a spoken sentence needs a shorter variant."""


def check_questions_fit(met: ObservedGames, words: Words) -> Faults:
    """Questions and answers fit on the display, and a question's answers have different texts."""
    taken_back: set[tuple[str, str]] = set()
    if len(peep := words.game_or_shared_sentence("curtain.peep")) > ROW_LETTERS:
        yield f"the curtain before a look has {ROW_LETTERS} letters of room, and says {peep!r}"
    for asked in met.asked.values():
        with ExceptionCatcher() as net:
            yield from faults_with_place(asked.at, _question(asked, words))
            yield from faults_with_place(asked.at, _flaws(asked.prompt, words))
            is_form_part = asked.at is not None and asked.at.question != asked.prompt.name
            if asked.prompt.name in met.game.on and not is_form_part:
                yield from faults_with_place(asked.at, _taken_back(asked, met, words, taken_back))
        yield from net.caught_exception_as_fault(asked.at)


def _question(asked: ObservedQuestion, words: Words) -> Faults:
    prompt, view = asked.prompt, asked.snapshot.view
    labels = [
        words.answer_label(prompt.name, value, view) for value in wheel_answers_and_symbols(prompt)
    ]
    yield from _labels(asked, labels, words)
    yield from _check_audio(asked, words)
    room = ROW_LETTERS
    if not isinstance(prompt, Spell) and face_recording.is_answered_on_wheel(words.game, prompt):
        room -= 2 + max(2, *map(len, map(answer_without_price, labels)))
    yield from _python(prompt.name, (words.question_row(prompt, view), *labels))
    if len(question := words.question_row(prompt, view)) > room:
        fault_text = f"{prompt.name} has {room} letters of room, and asks"
        yield GameFault(f"{fault_text} {question!r}", kind=f"{words.language} {fault_text}")
    for kind in ("wheel", "list"):
        if len(legend := words.button_legend(prompt, kind)) > ROW_LETTERS:
            yield f"the legend of {prompt.name} has room for {ROW_LETTERS} letters: {legend!r}"
    for phone in (False, True):
        spoken = words.spoken_question(prompt, view, phone=phone)
        if spoken and not has_capital_and_one_end_mark(spoken):
            yield f"{prompt.name} is no whole sentence: {spoken!r}"
        if (prompt.who or "") not in spoken:
            yield f"{prompt.name} does not call {prompt.who}: {spoken!r}"
    yield from _again(asked, words.spoken_question(prompt, view), words)
    if (
        prompt.private
        and len(wrap_text(why := words.reason_for_private_question(prompt, view), ROW_LETTERS))
        > MAX_CURTAIN_TEXT_ROWS
    ):
        yield f"{prompt.name} does not fit the {MAX_CURTAIN_TEXT_ROWS} rows of its curtain: {why!r}"
    if len(status := words.score_row(view)) > ROW_LETTERS:
        yield f"the status has {ROW_LETTERS} letters of room, and is {status!r}"


def _python(name: str, sentences: Iterable[str]) -> Iterator[str]:
    for sentence in sentences:
        if PYTHON_NOTATION_PATTERN.search(sentence):
            yield f"{name} shows a value of Python: {sentence!r}"


def _again(asked: ObservedQuestion, spoken: str, words: Words) -> Iterator[str]:
    """Yield a fault in the short question that the box speaks when the box asks again.

    The short question must be a complete sentence, contain the player's name, and not be longer
    than `spoken`.
    """
    prompt = asked.prompt
    short = words.spoken_question(prompt, asked.snapshot.view, short=True)
    if short != spoken and not has_capital_and_one_end_mark(short):
        yield f"{prompt.name}, asked again, is no whole sentence: {short!r}"
    if (prompt.who or "") not in short:
        yield f"{prompt.name}, asked again, does not call {prompt.who}: {short!r}"
    if len(short) > len(spoken):
        yield f"{prompt.name}, asked again, is longer: {short!r}, {spoken!r}"


def _taken_back(
    asked: ObservedQuestion, met: ObservedGames, words: Words, checked: set[tuple[str, str]]
) -> Iterator[str]:
    prompt = asked.prompt
    for value in () if isinstance(prompt, Spell) else wheel_answers_and_symbols(prompt):
        if (prompt.name, str(value)) in checked:
            continue
        checked.add((prompt.name, str(value)))
        public_value = met.game.public_answer(prompt.name, value)
        facts = {"who": prompt.who, "question": prompt.name, "value": public_value, "left": 2}
        cue = Cue("undone", {**facts, "agreed": True})
        sentences = words.fact_text(cue), words.fact_speech(cue)
        yield from _python(f"did.{prompt.name}", sentences)
        for sentence in sentences:
            if TWO_FINAL_MARKS_PATTERN.search(sentence):
                yield f"an answer to {prompt.name} ends as a sentence does: {sentence!r}"


def check_name_and_options_fit(met: ObservedGames, words: Words) -> Faults:
    """The game's name and every option for a new game fit into their menu lines."""
    room = MAX_LIST_ANSWER_LETTERS
    if len(name := words.game_title(met.game.name)) > room:
        yield f"the menu has {room} letters of room for the game's name, {name!r} has {len(name)}"
    for option in met.game.options:
        labels = []
        for value in option.values if len(option.values) > 1 else ():
            with ExceptionCatcher() as net:
                labels.append(
                    label := words.game_option_value_label(met.game.name, option.name, value)
                )
                if not 0 < len(label) <= room:
                    fault_text = f"the options page has {room} letters of room for {option.name}"
                    yield f"{fault_text} {value}, {label!r} has {len(label)}"
            yield from net.caught_exception_as_fault()
        if len({*labels}) < len(labels):
            yield f"two values of {option.name} read the same: {', '.join(labels)}"
        yield from _about(met.game.name, option, words)


def _about(game: str, option: Option, words: Words) -> Faults:
    """Yield a fault for an option's description that is too long, or that some values lack."""
    texts = {
        value: words.game_option_value_description(game, option.name, value)
        for value in option.values
    }
    for value, text in texts.items():
        if len(wrap_text(text, ROW_LETTERS)) > MAX_HINT_ROWS:
            rows = f"{MAX_HINT_ROWS} rows of {ROW_LETTERS} letters"
            yield f"what {option.name} {value} does has {rows}: {text!r}"
        elif not text and any(texts.values()):
            yield f"what {option.name} {value} does is not told, as that of other values is"


def _labels(asked: ObservedQuestion, labels: list[str], words: Words) -> Iterator[str]:
    prompt = asked.prompt
    turned = face_recording.is_answered_on_wheel(words.game, prompt) and not isinstance(
        prompt, Spell
    )
    most = MAX_INLINE_ANSWER_LETTERS if turned else MAX_LIST_ANSWER_LETTERS
    for label in map(answer_without_price, labels) if turned else labels:
        if not 0 < len(label) <= most:
            fault_text = f"{prompt.name} has 1 to {most} letters of room for an answer, and offers"
            yield f"{fault_text} {label!r}, which has {len(label)}"
    if len({*labels}) < len(labels):
        yield f"{prompt.name} has two answers that read the same: {', '.join(labels)}"


def _flaws(prompt: Prompt, words: Words) -> Iterator[str]:
    flaw = prompt.flaw if isinstance(prompt, Spell) else lambda _: None
    for code in sorted({*filter(None, map(flaw, spellable_test_texts(prompt)))}):
        if not words.fact_text(Cue("refused", {"code": code})):
            yield f"{prompt.name} has no sentence {words.game}.cue.refused.{code}.text"


def spellable_test_texts(prompt: Prompt) -> tuple[str, ...]:
    """Return the texts in SPELT_TEST_TEXTS that a player can spell as an answer to `prompt`."""
    longest = prompt.longest if isinstance(prompt, Spell) else 0
    return tuple(text for text in SPELT_TEST_TEXTS if len(text) <= longest)


def _check_audio(asked: ObservedQuestion, words: Words) -> Iterator[str]:
    prompt, view = asked.prompt, asked.snapshot.view
    for value in wheel_answers_and_symbols(prompt):
        if not words.spoken_answer(prompt.name, value, view):
            yield f"{prompt.name} has an answer that is not heard: {value!r}"


def check_fact_sentences(met: ObservedGames, words: Words) -> Faults:
    """Every fact has a text, and speech for each verbosity; the short speech is the shortest.

    Every text is a complete sentence. A fact without text and speech is shown only by a picture.
    """
    for cue in sample_values_per_name(met.cues.values(), lambda cue: cue.name):
        at = met.first_place_of_fact(cue)
        with ExceptionCatcher() as net:
            yield from faults_with_place(at, _fact(cue, words))
        yield from net.caught_exception_as_fault(at)


def _fact(cue: Cue, words: Words) -> Iterator[str]:
    if "|" in (text := words.fact_text(cue)) and not all(text.split("|")):
        yield f"{cue.name} has an empty line: {text!r}"
    if TWO_FINAL_MARKS_PATTERN.search(text):
        yield f"{cue.name} has a sentence that ends twice: {text!r}"
    sentences = [words.fact_speech(cue, verbosity) for verbosity in VERBOSITIES]
    yield from _python(cue.name, (text, *sentences))
    if words.language != LANGUAGES[0]:
        yield from _unworded(cue, words)
    if any("|" in sentence or "■" in sentence for sentence in sentences):
        yield f"{cue.name} says a sign that only the eye reads: {sentences[1]!r}"
    if cue.to is None and any(sentences):
        yield from _wordings(cue, sentences, words)
    for name in (*filter(None, (cue.clause,)), *words.clauses_explaining_facts((cue,))):
        if not words.clause_text(name).strip():
            yield f"{name} says nothing"


def _unworded(cue: Cue, words: Words) -> Iterator[str]:
    """Yield a fault for each code name, such as "skull", that appears in a French sentence."""
    sentences = {
        field
        for use in EVENT_SENTENCE_KINDS
        for field in FIELD_PATTERN.findall(face_recording.sentence_template(cue, words, use))
    }
    for name in sorted(sentences - {*face_recording.placeholder_values_from_face(cue, words)}):
        value = cue.facts.get(name)
        if isinstance(value, str) and CODE_NAME_PATTERN.fullmatch(value):
            yield f"{cue.name} shows {value!r} as the code has it: `Face.fields` must word {name}"


def _wordings(cue: Cue, sentences: list[str], words: Words) -> Iterator[str]:
    short, normal, teaching = sentences
    for sentence in sentences:
        if not sentence or not has_capital_and_one_end_mark(sentence):
            yield f"{cue.name} is no whole sentence in each wording: {sentence!r}"
            return
    if not len(short) <= len(normal) <= len(teaching):
        yield f"{cue.name} has a short wording that is longer: {short!r}, {normal!r}"
    if face_recording.has_too_long_spoken_sentence(cue, words, MAX_NORMAL_SPEECH_WORDS) and len(
        short.split()
    ) >= len(normal.split()):
        key = f"{words.game}.cue.{cue.name}.short"
        yield f"{cue.name} needs the sentence {key}, with fewer words than {normal!r}"
    for name in words.clauses_explaining_facts((cue,))[:1]:
        if not teaching.endswith(words.clause_text(name)):
            yield f"{cue.name}, taught, does not end with {name}"


def has_capital_and_one_end_mark(sentence: str) -> bool:
    """Return True if a text begins with a capital or a digit, and ends with one final mark."""
    first = sentence.lstrip("«\u00a0“")[:1]
    whole = (first.isupper() or first.isdigit()) and sentence[-1] in ".!?»"
    return whole and not TWO_FINAL_MARKS_PATTERN.search(sentence)


def check_picture_titles_fit(met: ObservedGames, words: Words) -> Faults:
    """Every title of a picture fits into two rows without a broken word."""
    for lead, *_ in sample_values_per_name(
        met.public_facts_grouped_by_picture(words), lambda cues: cues[0].name
    ):
        title = words.fact_title(lead)
        yield from _python(lead.name, (title,))
        long = [word for word in re.split(r"[ |]", title) if len(word) > MEDIUM_ROW_LETTERS]
        if long or len(wrap_text(title, MEDIUM_ROW_LETTERS)) > 2:
            fault_text = (
                f"the title of {lead.name} does not fit two rows of {MEDIUM_ROW_LETTERS} letters"
            )
            kind = f"{words.language} {fault_text}"
            yield GameFault(f"{fault_text}: {title!r}", met.first_place_of_fact(lead), kind=kind)


def check_sounds_exist(met: ObservedGames, words: Words) -> Iterator[str]:
    """Every sound of a fact exists, and the game's own sounds have unique names."""
    folder = registry.game_file_path(words.game, "sounds")
    for name in sorted({*filter(None, map(words.fact_sound_name, met.cues.values()))}):
        try:
            sounds.find_sound_file(name, folder)
        except FileNotFoundError as error:
            yield f"there is {error}"
    for file in sorted(folder.glob("*.wav")):
        if (
            first := sounds.find_sound_file(file.stem, *registry.game_sound_folders(), folder)
        ) != file:
            yield f"another sound is called {file.stem}, and is heard in its place: {first}"
