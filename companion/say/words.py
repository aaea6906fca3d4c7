"""Sentences for questions and events, as text and as speech, in English and French.

A key such as `barney-miller.cue.captured.text` identifies a sentence in a catalogue. A game's
catalogue is in `locale/` of the game's folder. The box's catalogue is in `locale/` beside this
file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.core.game import Cue, Cues
from companion.core.prompts import Answer, JsonValues, Prompt, Question, is_action_prompt
from companion.say import catalogues, recap
from companion.say.clause_names import default_citation_of_fact, sort_clauses_for_explanation
from companion.say.facts import Facts, FactTable, fact_row_or_default
from companion.say.sentences import MissingSentenceError, Sentences

if TYPE_CHECKING:
    from companion.core.snapshot import View

    class Label(Protocol):
        """A function that returns the text of an answer; None means the catalogue's sentence."""

        def __call__(self, words: Words, *, question: str, value: Answer, view: View) -> str | None:
            """Return the text of `value` as an answer to `question`.

            Return None to use the sentence in the catalogue. `view`: the view of the game in which
            the answer is offered.
            """

    class AnswerClauses(Protocol):
        """A function that returns the clauses about an answer's effect, the most specific first."""

        def __call__(
            self, words: Words, *, question: str, value: Answer, view: View
        ) -> tuple[str, ...]:
            """Return the names of the clauses about `value` as an answer to `question`.

            `view`: the view of the game in which the answer is offered.
            """


LANGUAGES: Final = ("en", "fr")
VERBOSITIES: Final = ("short", "normal", "teaching")
MAX_NAME_LETTERS: Final = 10
"""Maximum number of letters of a player's name that fit into every frame."""


def _no_fields(words: Words, given: View) -> dict[str, Any]:
    del words, given
    return {}


def _no_names(words: Words, view: View) -> Mapping[str, str]:
    del words, view
    return {}


def _no_label(words: Words, *, question: str, value: Answer, view: View) -> str | None:
    del words, question, value, view
    return None


def _no_glossary(words: Words, *, question: str, value: Answer, view: View) -> tuple[str, ...]:
    del words, question, value, view
    return ()


def _is_joinable(value: list[Any] | tuple[Any, ...] | dict[Any, Any]) -> bool:
    values = value.values() if isinstance(value, dict) else value
    return all(type(v) in (str, int) for v in values)


def _joined(value: Any) -> str:
    """Return a list as text (`Ann, Bob`), or a table of numbers as text (`Ann 3, Bob 2`)."""
    pairs = (f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else map(str, value)
    return ", ".join(pairs)


class WordingFunctions:
    """The functions that a game adds to its catalogue of sentences.

    - `facts`: the game's table of facts.
    - `fields(words, given)`: returns placeholder values in addition to the fields `given` of an
      event or question.
    - `label`: returns the text of an answer, or None to use the sentence in the catalogue.
    - `aloud`: returns the spoken form of an answer whose label is a drawing or is shortened; None
      to speak the label.
    - `glossary`: returns the clauses that describe the effect of an answer.
    - `printed_names(words, view)`: returns a table from values in the view to the texts that are
      printed on board and cards.
    - `names`: table from a language to spellings of names that the voice pronounces correctly.

    This class is not a dataclass, because the import of `dataclasses` would delay the first picture
    after the start of the box.
    """

    def __init__(
        self,
        *,
        facts: Facts | None = None,
        fields: Callable[[Words, View], dict[str, Any]] = _no_fields,
        label: Label = _no_label,
        aloud: Label = _no_label,
        printed_names: Callable[[Words, View], Mapping[str, str]] = _no_names,
        glossary: AnswerClauses = _no_glossary,
        names: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.facts, self.fields = facts or {}, fields
        self.label, self.aloud = label, aloud
        self.printed_names, self.glossary, self.names = printed_names, glossary, names or {}


BOX_WORDING: Final = WordingFunctions()
"""The wording functions of the box itself: none, because the box's catalogue is sufficient."""


class Words(Sentences, FactTable):
    """The sentences in one language for one game, or for the box itself (game "box").

    - `edition`: the description of the printed board, whose names are filled into sentences.
    - `missing`: function that receives the key of a missing sentence, and the reason. The key is
      returned instead of the sentence. If `missing` is None, a missing sentence raises
      MissingSentenceError.
    - `own`: if True, the players use their own cards.
    """

    def __init__(
        self,
        language: str,
        wording: WordingFunctions = BOX_WORDING,
        edition: View | None = None,
        missing: Callable[[str, MissingSentenceError], None] | None = None,
        *,
        game: str = "box",
        own: bool = False,
    ) -> None:
        Sentences.__init__(self, language, game, missing)
        FactTable.__init__(self, wording.facts, deals=not own)
        self.edition, self._wording = edition or {}, wording
        self._is_cited = any(fact.cites for fact in wording.facts.values())

    # --- questions ---

    def question_row(self, prompt: Question, facts: JsonValues) -> str:
        """Return the text of a question for row 6 of the display.

        If a question is put to all players, the catalogue can have a separate sentence for this
        case.
        """
        of_all = () if prompt.who is not None else (f"ask.{prompt.name}.all",)
        return self(self._key(*of_all, f"ask.{prompt.name}"), **self._about(prompt, facts))

    def spoken_question(
        self,
        prompt: Prompt,
        facts: JsonValues,
        *,
        short: bool = False,
        phone: bool = False,
    ) -> str:
        """Return a question as it is spoken.

        Return "" for a question to all players that has no spoken sentence.

        - `facts`: the public data of the question, which are filled into the sentence.
        - `short`: if True, return the short sentence. If the question has no short sentence, return
          only the player's name.
        - `phone` is True if the player can answer a private question on a phone.
        """
        way = ("phone" if phone else "alone") if prompt.private else "say"
        if prompt.who is not None and short:
            key = self._key(f"{way}.{prompt.name}.short", "say.any")
            return self(key, **self._about(prompt, facts))
        if prompt.who is not None:
            return self._own(prompt, facts, way)
        key = self._key(f"{way}.{prompt.name}.all", f"{way}.{prompt.name}")
        return self(key, **self._about(prompt, facts)) if self.has_sentence(key) else ""

    def reason_for_private_question(self, prompt: Prompt, facts: JsonValues) -> str:
        """Return the public sentence about the reason why a player gets a private question."""
        return self._own(prompt, facts, "curtain")

    def _own(self, prompt: Prompt, facts: JsonValues, way: str) -> str:
        return self(self._key(f"{way}.{prompt.name}", f"{way}.any"), **self._about(prompt, facts))

    def board_tour_question(self, prompt: Prompt) -> str:
        """Return the text of a question about a place on the printed board, in two rows.

        The box asks these questions when players describe their board.
        """
        return self(f"{self.game}.walk.{prompt.name}", **self._about(prompt, {}))

    def answer_label(self, question: str, value: Answer, facts: JsonValues | None = None) -> str:
        """Return the text of an answer for a list or a wheel.

        If the answer has several parts, the sentence `option.<question>` has a placeholder for each
        part of the answer.
        """
        given = self._wording.label(self, question=question, value=value, view=facts or {})
        if given is not None:
            return given
        if isinstance(value, dict) and self.has_sentence(self._key(f"option.{question}")):
            return self.answer_parts_text(question, value, facts)
        key = self._key(f"option.{question}.{value}")
        return self(key) if self.has_sentence(key) else str(value)

    def spoken_answer(self, question: str, value: Answer, facts: JsonValues | None = None) -> str:
        """Return the text that the box speaks for a selected answer: by default, the label."""
        given = self._wording.aloud(self, question=question, value=value, view=facts or {})
        return self.answer_label(question, value, facts) if given is None else given

    def answer_parts_text(
        self, question: str, value: Mapping[str, Answer], facts: View | None
    ) -> str:
        """Return an answer with several parts as a sentence, or as a list of its parts."""
        parts = {name: self.answer_label(name, part, facts) for name, part in value.items()}
        key = self._key(f"option.{question}")
        return self(key, **parts) if self.has_sentence(key) else ", ".join(parts.values())

    def button_legend(self, prompt: Prompt, kind: str) -> str:
        """Return the button labels in row 7 for a question.

        `kind`: "list" if the display shows a list of answers, "wheel" if the display shows one
        answer at a time.
        """
        look = ".look" if getattr(prompt, "look", False) else ""
        key = self._key(f"legend.{prompt.name}{look}")
        kind = "act" if is_action_prompt(prompt) else kind
        return self(key if self.has_sentence(key) else f"box.legend.{kind}{look}")

    def full_question(self, prompt: Prompt, view: View) -> str:
        """Return a question as a complete sentence, or else the question's text for row 6."""
        open_to_all = prompt._replace(private=False)
        has_speech = any(
            self.has_sentence(f"{owner}.say.{prompt.name}") for owner in (self.game, "box")
        )
        speech = self.spoken_question(open_to_all, view) if has_speech else ""
        return speech or self.question_row(prompt, view).replace("|", " ")

    def printed_names(self, view: View) -> Mapping[str, str]:
        """Return a table from values in the view to the names printed on board and cards."""
        return self._wording.printed_names(self, view)

    def score_row(self, view: View) -> str:
        """Return the score as one row, or "" if the game has no sentence for the score."""
        key = f"{self.game}.status"
        plain = {name: fact for name, fact in view.items() if isinstance(fact, (str, int))}
        return self(key, **self._given(plain)) if self.has_sentence(key) else ""

    # --- facts ---

    def fact_title(self, cue: Cue) -> str:
        """Return the title of the picture that shows an event of the game."""
        return self(self._cue(cue, "title"), **self._fields(cue))

    def fact_text(self, cue: Cue) -> str:
        """Return the sentence that the display shows for an event, or "" if the event has none."""
        key = self._cue(cue, "text")
        return self(key, **self._fields(cue)) if self.has_sentence(key) else ""

    def fact_text_below_title(self, cue: Cue) -> str:
        """Return an event's sentence for a picture that also shows the event's title."""
        key = self._cue(cue, "alone")
        return self(key, **self._fields(cue)) if self.has_sentence(key) else self.fact_text(cue)

    def fact_word_count(self, cue: Cue) -> int:
        """Return the number of words in the title and the sentence of an event."""
        return len(self.fact_title_and_text(cue).split())

    def fact_title_and_text(self, cue: Cue) -> str:
        """Return the title and the sentence of an event; omit a missing title or sentence."""
        title = self._cue(cue, "title")
        read = f"{self(title, **self._fields(cue))} " if self.has_sentence(title) else ""
        return f"{read}{self.fact_text_below_title(cue) if read else self.fact_text(cue)}"

    def fact_speech(self, cue: Cue, verbosity: str = "normal", *, ear: bool = False) -> str:
        """Return the spoken sentence of an event, or "" if the event is silent at this verbosity.

        At the verbosity "teaching", the text of the event's clause follows the sentence. `ear` is
        True to prefer the sentence for players who listen instead of looking (audio mode).
        """
        keys = [self._cue(cue, "ear")] if ear else []
        keys += [self._cue(cue, "short")] if verbosity == "short" else []
        keys.append(self._cue(cue, "speech"))
        key = next((key for key in keys if self.has_sentence(key)), None)
        sentence = self(key, **self._fields(cue)) if key else ""
        if verbosity == "teaching" and cue.clause and sentence and cue.name != "why":
            return f"{sentence} {self.clause_text(self.clauses_explaining_facts((cue,))[0])}"
        return sentence

    def clauses_explaining_facts(self, cues: Cues) -> tuple[str, ...]:
        """Return the clauses that explain the events `cues`, the most specific clause first.

        If no row of the game has a function `cites`, the clauses of events that begin a picture
        come first.
        """
        behind = {n: self._cited(cue) for n, cue in enumerate(cues) if cue.clause}
        names = (name for cited in behind.values() for name in cited)
        led = (name for n, cited in behind.items() if self._leads(cues[n]) for name in cited)
        return sort_clauses_for_explanation(names, () if self._is_cited else led)

    def _cited(self, cue: Cue) -> tuple[str, ...]:
        cites = fact_row_or_default(self._facts, cue.name).cites
        return (cites and cites(self, cue)) or default_citation_of_fact(cue)

    def fact_calculation_sentence(self, cue: Cue) -> str:
        """Return the sentence that explains an event by numbers; "" if the event has none."""
        names = (self.fact_name_with_variant(cue), cue.name)
        keys = (f"{self.game}.because.{name}" for name in names)
        key = next(filter(self.has_sentence, keys), None)
        return self(key, **self._fields(cue)) if key else ""

    def clauses_for_answer_effect(
        self, question: str, value: Answer, facts: View | None = None
    ) -> tuple[str, ...]:
        """Return the clauses that describe the effect of an answer, or () if no clause does so."""
        return self._wording.glossary(self, question=question, value=value, view=facts or {})

    def _cue(self, cue: Cue, use: str) -> str:
        return self._key(f"cue.{self.fact_name_with_variant(cue)}.{use}", f"cue.{cue.name}.{use}")

    def _about(self, prompt: Question, facts: JsonValues) -> dict[str, Any]:
        plain = {name: fact for name, fact in facts.items() if isinstance(fact, (str, int))}
        return self._given({**plain, **prompt.facts, "who": prompt.who})

    def _fields(self, cue: Cue) -> dict[str, Any]:
        found = self._given(cue.facts)
        if cue.name == "why" and cue.clause:
            ruling = self.clause_text(cue.facts.get("ruling", cue.clause))
            argued = (
                self.fact_calculation_sentence(cue.facts["argued"]) if "argued" in cue.facts else ""
            )
            found["ruling"] = f"{argued} {ruling}".lstrip()
        if cue.name in ("undone", "redone"):
            found |= self._answer({**found, **cue.facts})
        if cue.name == "resumed":
            found["told"] = recap.recap_sentence(self, cue.facts["steps"])
            total = (
                self.capitalised_number_word(cue.facts["total"]).lower()
                if "total" in cue.facts
                else ""
            )
            total = self("box.total", total=total) if total else ""
            found["said"] = f"{found['told']} {total}".strip()
        if cue.name in ("program", "wish", "hint") and found.get("question"):
            found |= self._program({**found, **cue.facts})
        return found

    def _answer(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Return the sentences about an answer that was undone or redone.

        A game can have a sentence for one answer (`did.<question>.<answer>`) or for all answers to
        a question (`did.<question>`). The box's sentence about a covert answer has no `{answer}`.
        """
        question, value = found["question"], found["value"]
        own = self._key(f"did.{question}.{value}", f"did.{question}")
        facts = {**found, "answer": self.answer_label(question, value)}
        whose = "player" if found["who"] else "table"
        ways = ("covert", "covert") if value in (None, {}) else ("told", "said")
        keys = [own if self.has_sentence(own) else f"box.{way}.{whose}" for way in ways]
        told, said = (self(key, **facts) for key in keys)
        return {"told": told[:1].upper() + told[1:], "said": said}

    def _program(self, found: Mapping[str, Any]) -> dict[str, Any]:
        question, value = found["question"], found["value"]
        asked = self(self._key(f"ask.{question}"), **found).replace("|", " ")
        said = self.spoken_answer(question, value, found)
        said = (
            self.capitalised_number_word(value).lower()
            if type(value) is int and said == str(value)
            else said
        )
        return {"asked": asked, "answer": self.answer_label(question, value, found), "said": said}

    def _given(self, facts: JsonValues) -> dict[str, Any]:
        given = dict(facts)
        for name in ("who", "last"):
            if isinstance(given.get(name), str):
                given[name.upper()] = given[name].upper()
        if "lists" in given:
            given["lists"] = ", ".join(self(f"box.list.{name}") for name in given["lists"])
        joined = {
            name: _joined(value)
            for name, value in given.items()
            if isinstance(value, (list, tuple, dict)) and _is_joinable(value)
        }
        return {**given, **joined, **self._wording.fields(self, given)}


class ServiceWords(Words):
    """The sentences of a package that is not a game, from the catalogue `name` in its `locale/`.

    A sentence that this catalogue lacks is looked up in the box's catalogue. Raise
    MissingSentenceError if the package has no catalogue `name`.
    """

    def __init__(self, language: str, folder: Path, name: str) -> None:
        super().__init__(language)
        try:
            self._sentences = catalogues.SentenceCatalogue(
                catalogues.read_catalogue(folder, language, name)
            )
        except (FileNotFoundError, ValueError) as error:
            raise MissingSentenceError(str(error)) from error

    def _look_up(self, key: str) -> str:
        sentence = self._sentences.gettext(key)
        return super()._look_up(key) if sentence == key else sentence
