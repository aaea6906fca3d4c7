"""Keys and facts become sentences, for the eye and for the ear, in English and in French.

A key names a place in a catalogue: `barney-miller.cue.captured.text`. A game's catalogue is in the
`locale/` of its folder, the box's in the one beside this file. A sentence is always whole, with
named fields; nothing is ever joined from pieces. What is counted agrees with its number: `{n}
{n:card|cards}`. A key that is missing is an error, never a silent fallback.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.catalog import packages, registry
from companion.core.errors import CompanionError, UnknownGame
from companion.core.prompts import is_act
from companion.say import catalogues, french
from companion.say.facts import FACTS_OF_ANY_GAME, SHARED, Fact, Facts, own_row, row, variant
from companion.say.rulings import by_clause, particular

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Protocol

    from companion.core.game import Cue, Cues
    from companion.core.prompts import Answer, Prompt, Question

    View: TypeAlias = Mapping[str, Any]

    class Label(Protocol):
        """An answer as it stands in a list or on a wheel; None where a fixed sentence will do."""

        def __call__(self, words: Words, *, question: str, value: Answer, view: View) -> str | None:
            """`value` answers the question of that name; `view` is what is known by then."""

    class Glossary(Protocol):
        """The parts of the rules that say what an answer would do, the most particular first."""

        def __call__(
            self, words: Words, *, question: str, value: Answer, view: View
        ) -> tuple[str, ...]:
            """`value` answers the question of that name; `view` is what is known by then."""


LANGUAGES: Final = ("en", "fr")
VERBOSITIES: Final = ("short", "normal", "teaching")
OURS: Final = ("companion", "commands", "page")
"""The catalogues of the box, and of those who cost it nothing: the commands, and the page."""
OWNERS: Final = {
    **dict.fromkeys(packages.OWNERS, "companion"),
    "cmd": "commands",
    "page": "page",
}
"""The catalogue of a key that is no game's, by what it begins with."""
OF_ANY_GAME: Final = frozenset(
    {
        *("agree_undo", "any", "choose", "keep_word", "leaves", "mix", "mix_together", "peep"),
        *("points", "program", "scores", "sure", "throw", "to_act"),
    }
)
"""The questions, answers and facts of a view that the box words for a game without a sentence."""
COUNTED: Final = re.compile(r"\{(\w+):([^{}|]+)\|([^{}|]+)\}")
"""A word that agrees with a number, for one and for many: `{n} {n:card|cards}`."""
NAME: Final = 10
"""The longest name that the screen shows whole."""


class MissingWords(CompanionError, LookupError):
    """A sentence that some language does not have, or a field that it does not get."""


def compiled(language: str, name: str) -> bytes:
    """The compiled catalogue of a game, or one of OURS. Raises MissingWords."""
    try:
        folder = Path(__file__).parent if name in OURS else registry.path(name, "locale").parent
        return catalogues.read(folder, language, name)
    except (FileNotFoundError, UnknownGame, ValueError) as error:
        raise MissingWords(str(error)) from error


@cache
def _catalogue(language: str, name: str) -> catalogues.Catalogue:
    """The sentences of a game, or of the box: "companion"."""
    return catalogues.Catalogue(compiled(language, name))


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


def _is_joined(value: Any) -> bool:
    """Return True for a list of words or numbers, and for a number of each player."""
    values = value.values() if isinstance(value, dict) else value
    return isinstance(value, (list, tuple, dict)) and all(type(v) in (str, int) for v in values)


def _joined(value: Any) -> str:
    """Return a list as people read it: `Ann, Bob`; of numbers by name `Ann 3, Bob 2`."""
    pairs = (f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else map(str, value)
    return ", ".join(pairs)


def is_shared(name: str) -> bool:
    """Return True if the box has the sentence `name` for every game that has none of its own."""
    use, _, rest = name.partition(".")
    about = rest.partition(".")[0] or use
    return about in FACTS_OF_ANY_GAME if use == "cue" else about in OF_ANY_GAME


class Wording:
    """What a game adds to its catalogue, so that what happens becomes sentences.

    `facts` is the table of how its facts are told. `fields(words, given)` are fields of sentences
    beyond those that a fact or a question gives; `label` an answer where a fixed sentence will not
    do, and `aloud` the same as it is heard, where the label is drawn or cut for the display;
    `glossary` the parts of the rules that say what an answer would do. `named(words, view)` is
    what board and cards print, by the values of the public state. `names` respells names for the
    voice, by language. It is a plain class: dataclasses would cost the first frame more than a
    Python does.
    """

    def __init__(
        self,
        *,
        facts: Facts | None = None,
        fields: Callable[[Words, View], dict[str, Any]] = _no_fields,
        label: Label = _no_label,
        aloud: Label = _no_label,
        named: Callable[[Words, View], Mapping[str, str]] = _no_names,
        glossary: Glossary = _no_glossary,
        names: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.facts, self.fields = facts or {}, fields
        self.label, self.aloud = label, aloud
        self.named, self.glossary, self.names = named, glossary, names or {}


BOX: Final = Wording()
"""The box itself, which adds nothing; its menus say more of their lines."""


class Words:
    """The words of one language for one game, or for the box itself, "box".

    `edition` lends the names that are printed on the board. `missing` is told the key of a sentence
    that is not there, or can not be filled in, and why: the key then stands in its place. Without
    `missing` that is an error. `own`: the cards are the table's own, and the box deals none.
    """

    def __init__(
        self,
        language: str,
        wording: Wording = BOX,
        edition: View | None = None,
        missing: Callable[[str, MissingWords], None] | None = None,
        *,
        game: str = "box",
        own: bool = False,
    ) -> None:
        self.language = language
        self.game = game
        self.edition = edition or {}
        self._wording, self._missing, self._deals = wording, missing, not own
        self._facts: Facts = {**SHARED, **wording.facts}
        self._is_cited = any(fact.cites for fact in wording.facts.values())
        self._owners = {**OWNERS, game: game} if registry.has(game) else OWNERS
        self._rows: dict[str, Fact] = {}
        self._keys: dict[tuple[str, ...], str] = {}

    def has(self, key: str) -> bool:
        """Whether this language has the sentence."""
        return self._sentence(key) != key

    def _sentence(self, key: str) -> str:
        owner = key.partition(".")[0]
        name = self._owners.get(owner) or (owner if registry.has(owner) else "companion")
        try:
            return _catalogue(self.language, name).gettext(key)
        except MissingWords as error:
            return self._without(key, error)

    def __call__(self, key: str, **facts: object) -> str:
        """The sentence of `key` with its fields filled in. Raises MissingWords."""
        text = self._sentence(key)
        if text == key:
            return self._without(key, MissingWords(f"{self.language}: {key}"))
        try:
            return self._filled(text, facts)
        except KeyError as error:
            problem = f"needs {error}"
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            problem = f"can not be filled in: {error}"
        return self._without(key, MissingWords(f"{self.language}: {key} {problem}"))

    def _filled(self, text: str, facts: Mapping[str, object]) -> str:
        if ":" in text:
            text = COUNTED.sub(lambda found: found[2 + self._is_many(facts[found[1]])], text)
        if self.language != "fr":
            return text.format_map(facts)

        return french.filled(text, facts)

    def _is_many(self, n: object) -> bool:
        """Whether a noun beside the number stands in the plural: English has 0 cards."""
        number = abs(float(str(n).replace(",", ".")))
        return number >= 2 if self.language == "fr" else number != 1  # noqa: PLR2004

    def _without(self, key: str, error: MissingWords) -> str:
        if self._missing is None:
            raise error
        self._missing(key, error)
        return key

    def counted(self, key: str, n: int, **facts: object) -> str:
        """The sentence of `key` for so many of a thing: a number may have one of its own."""
        own = f"{key}.{n}"
        return self(own if self.has(own) else key, n=n, **facts)

    def called(self, game: str) -> str:
        """A game's title; its name, if its package has none or is not installed."""
        try:
            return self(f"{game}.name")
        except MissingWords:
            return game

    def either(self, name: str) -> str:
        """The game's own sentence of that name if it has one, else the box's."""
        return self(self._key(name))

    def lookup(self, name: str) -> str | None:
        """The game's own sentence of that name if it has one, else the box's; None without one."""
        key = self._key(name)
        return self(key) if self.has(key) else None

    def victory(self, winners: Sequence[str]) -> str:
        """Return the sentence that names the winners of a game, or states that nobody won."""
        who = ", ".join(winners)
        return self("box.past.won", who=who) if winners else self("box.past.nobody_won")

    def number(self, n: int) -> str:
        """A number as it is spoken, with a capital: "Seven". In digits above twenty."""
        key = f"number.{n}"
        return self(key) if self.has(key) else str(n)

    # --- questions ---

    def question(self, prompt: Question, facts: Mapping[str, Any]) -> str:
        """What is asked, as the screen's row 6 says it; of the table it may be worded otherwise."""
        of_all = () if prompt.who is not None else (f"ask.{prompt.name}.all",)
        return self(self._key(*of_all, f"ask.{prompt.name}"), **self._about(prompt, facts))

    def asked(
        self,
        prompt: Prompt,
        facts: Mapping[str, Any],
        *,
        short: bool = False,
        phone: bool = False,
    ) -> str:
        """What is asked, as it is spoken, of everybody; then it may not be worth a sentence, "".

        Whoever is asked is always called; in `short` that is all, if the question has no short
        sentence of its own. `facts` are those that everybody knows. `phone`: that player has one,
        and need not take the box for what is answered alone: that is said the first time.
        """
        way = ("phone" if phone else "alone") if prompt.private else "say"
        if prompt.who is not None and short:
            key = self._key(f"{way}.{prompt.name}.short", "say.any")
            return self(key, **self._about(prompt, facts))
        if prompt.who is not None:
            return self._own(prompt, facts, way)
        key = self._key(f"{way}.{prompt.name}.all", f"{way}.{prompt.name}")
        return self(key, **self._about(prompt, facts)) if self.has(key) else ""

    def wanted(self, prompt: Prompt, facts: Mapping[str, Any]) -> str:
        """What the box is wanted for by whoever is to answer alone, for all to read."""
        return self._own(prompt, facts, "curtain")

    def _own(self, prompt: Prompt, facts: Mapping[str, Any], way: str) -> str:
        """A sentence about somebody's question: one of its own, or the one for all of them."""
        return self(self._key(f"{way}.{prompt.name}", f"{way}.any"), **self._about(prompt, facts))

    def walked(self, prompt: Prompt) -> str:
        """What a walk round the board asks about a place of it, in two rows."""
        return self(f"{self.game}.walk.{prompt.name}", **self._about(prompt, {}))

    def label(self, question: str, value: Answer, facts: Mapping[str, Any] | None = None) -> str:
        """An answer as it stands in a list or on a wheel.

        One of several parts has the sentence `option.QUESTION`, with a field for each of them.
        """
        given = self._wording.label(self, question=question, value=value, view=facts or {})
        if given is not None:
            return given
        if isinstance(value, dict) and self.has(self._key(f"option.{question}")):
            return self.parts(question, value, facts)
        key = self._key(f"option.{question}.{value}")
        return self(key) if self.has(key) else str(value)

    def aloud(self, question: str, value: Answer, facts: Mapping[str, Any] | None = None) -> str:
        """An answer as it is heard under the thumb: its label, if the game says nothing else."""
        given = self._wording.aloud(self, question=question, value=value, view=facts or {})
        return self.label(question, value, facts) if given is None else given

    def parts(self, question: str, value: Mapping[str, Answer], facts: View | None) -> str:
        """An answer of several parts: in a sentence, or one after another if there is none."""
        parts = {name: self.label(name, part, facts) for name, part in value.items()}
        key = self._key(f"option.{question}")
        return self(key, **parts) if self.has(key) else ", ".join(parts.values())

    def setting(self, game: str, option: str, value: str) -> str:
        """A value of a game's option, as the page of a new game has it. Raises MissingWords.

        Its key is `GAME.setting.OPTION.VALUE`.
        """
        return self(f"{game}.setting.{option}.{value}")

    def about(self, game: str, option: str, value: str) -> str:
        """What a game's option does with that value, in two rows; "" if the game does not say.

        Its key is `about.OPTION.VALUE`, or `about.OPTION` for all of its values.
        """
        keys = (f"{game}.about.{option}.{value}", f"{game}.about.{option}")
        return next((self(key) for key in keys if self.has(key)), "")

    def legend(self, prompt: Prompt, kind: str) -> str:
        """What the buttons do, for row 7; `kind` is "wheel" or "list"."""
        look = ".look" if getattr(prompt, "look", False) else ""
        key = self._key(f"legend.{prompt.name}{look}")
        kind = "act" if is_act(prompt) else kind
        return self(key if self.has(key) else f"box.legend.{kind}{look}")

    def whole(self, prompt: Prompt, view: View) -> str:
        """What is asked, in a whole sentence to read; as the screen says it if there is none."""
        open_to_all = prompt._replace(private=False)
        own = any(self.has(f"{owner}.say.{prompt.name}") for owner in (self.game, "box"))
        said = self.asked(open_to_all, view) if own else ""
        return said or self.question(prompt, view).replace("|", " ")

    def heading(self, name: str) -> str:
        """What a fact of the public state is called; its own name if there is no sentence."""
        key = self._key(f"view.{name}")
        return self(key) if self.has(key) else name.replace("_", " ")

    def named(self, view: View) -> Mapping[str, str]:
        """What board and cards print, by the values of the public state."""
        return self._wording.named(self, view)

    def status(self, view: Mapping[str, Any]) -> str:
        """How the game stands, in a row; empty if the game has no such sentence."""
        key = f"{self.game}.status"
        plain = {name: fact for name, fact in view.items() if isinstance(fact, (str, int))}
        return self(key, **self._given(plain)) if self.has(key) else ""

    # --- facts ---

    def title(self, cue: Cue) -> str:
        """What a moment says in big letters."""
        return self(self._cue(cue, "title"), **self._fields(cue))

    def text(self, cue: Cue) -> str:
        """What happened, to read; empty if the screen shows it by itself."""
        key = self._cue(cue, "text")
        return self(key, **self._fields(cue)) if self.has(key) else ""

    def alone(self, cue: Cue) -> str:
        """What happened, to read under its own title, which it need not repeat."""
        key = self._cue(cue, "alone")
        return self(key, **self._fields(cue)) if self.has(key) else self.text(cue)

    def length(self, cue: Cue) -> int:
        """How many words there are to read of a fact."""
        return len(self.shown(cue).split())

    def shown(self, cue: Cue) -> str:
        """All that there is to read of a fact: its title, if it has one, and its text."""
        title = self._cue(cue, "title")
        read = f"{self(title, **self._fields(cue))} " if self.has(title) else ""
        return f"{read}{self.alone(cue) if read else self.text(cue)}"

    def speech(self, cue: Cue, verbosity: str = "normal") -> str:
        """What happened, to hear; empty if it is not worth a sentence at that verbosity."""
        keys = [self._cue(cue, "short")] if verbosity == "short" else []
        keys.append(self._cue(cue, "speech"))
        key = next((key for key in keys if self.has(key)), None)
        said = self(key, **self._fields(cue)) if key else ""
        if verbosity == "teaching" and cue.clause and said and cue.name != "why":
            return f"{said} {self.ruling(self.rulings((cue,))[0])}"
        return said

    def ruling(self, name: str) -> str:
        """A clause of the rules, or a part of one (`BM-9.gang`), in one or two sentences."""
        return self(f"{self.game}.rule.{name}")

    def rulings(self, cues: Cues) -> tuple[str, ...]:
        """What stands behind facts, the most particular first, or else what leads.

        A game that cites parts of its clauses says by them what is particular.
        """
        behind = {n: self._cited(cue) for n, cue in enumerate(cues) if cue.clause}
        names = (name for cited in behind.values() for name in cited)
        led = (name for n, cited in behind.items() if self._leads(cues[n]) for name in cited)
        return particular(names, () if self._is_cited else led)

    def argued(self, cues: Cues) -> Cue:
        """The fact that people argue about: the last that leads a frame, or else the last."""
        return next(filter(self._leads, reversed(cues)), cues[-1])

    def _leads(self, cue: Cue) -> bool:
        return bool(own_row(self._facts, cue.name).headline)

    def _cited(self, cue: Cue) -> tuple[str, ...]:
        cites = own_row(self._facts, cue.name).cites
        return (cites and cites(self, cue)) or by_clause(cue)

    def because(self, cue: Cue) -> str:
        """How a fact follows from its numbers, in a sentence; empty if there is none of it."""
        names = (self.variant(cue), cue.name)
        keys = (f"{self.game}.because.{name}" for name in names)
        key = next(filter(self.has, keys), None)
        return self(key, **self._fields(cue)) if key else ""

    def glossary(self, question: str, value: Answer, facts: View | None = None) -> tuple[str, ...]:
        """What says which things an answer would do; nothing if it explains itself."""
        return self._wording.glossary(self, question=question, value=value, view=facts or {})

    def moments(self, cues: Cues) -> list[Cues]:
        """The facts that everybody may read: each time one that leads, and what follows it."""
        moments: list[Cues] = []
        for cue in cues:
            fact = self.fact(cue)
            if cue.to is not None or fact.silent or (fact.inline and not moments):
                continue
            if not moments or fact.headline or fact.addressed:
                moments.append((cue,))
            else:
                moments[-1] = (*moments[-1], cue)
        return moments

    def variant(self, cue: Cue) -> str:
        """The name of a fact with the way in which it is told."""
        return variant(self._facts, cue)

    def fact(self, cue: Cue) -> Fact:
        """How a fact is told."""
        told = self.variant(cue)
        if told not in self._rows:
            self._rows[told] = row(self._facts, cue.name, told)
        return self._rows[told]

    def is_news(self, cue: Cue) -> bool:
        """Whether a private fact is one that its player wants to see at once."""
        return cue.to is not None and bool(self.fact(cue).news)

    def addressed(self, cue: Cue) -> str | None:
        """The player whom alone a public fact concerns; None if it is everybody's."""
        who: str | None = cue.facts.get("who") if self.fact(cue).addressed else None
        return who

    def sound(self, cue: Cue) -> str | None:
        """The name of the sound of a fact, if it has one.

        Where the table deals, a way of telling that sounds of dealing sounds as its fact does.
        """
        heard = (self.fact(cue), own_row(self._facts, cue.name))
        return next((fact.sound for fact in heard if self._deals or not fact.dealt), None)

    def _cue(self, cue: Cue, use: str) -> str:
        return self._key(f"cue.{self.variant(cue)}.{use}", f"cue.{cue.name}.{use}")

    def _key(self, *names: str) -> str:
        """The game's own key if it has one, else the box's; the game's if it lacks a sentence."""
        found = self._keys.get(names)
        if found is None:
            keys = [f"{self.game}.{name}" for name in names]
            keys += [f"box.{name}" for name in names if self.game == "box" or is_shared(name)]
            found = self._keys[names] = next(filter(self.has, keys), keys[0])
        return found

    def _about(self, prompt: Question, facts: Mapping[str, Any]) -> dict[str, Any]:
        plain = {name: fact for name, fact in facts.items() if isinstance(fact, (str, int))}
        return self._given({**plain, **prompt.facts, "who": prompt.who})

    def _fields(self, cue: Cue) -> dict[str, Any]:
        """The fields of a fact's sentences."""
        found = self._given(cue.facts)
        if cue.name == "why" and cue.clause:
            ruling = self.ruling(cue.facts.get("ruling", cue.clause))
            argued = self.because(cue.facts["argued"]) if "argued" in cue.facts else ""
            found["ruling"] = f"{argued} {ruling}".lstrip()
        if cue.name in ("undone", "redone"):
            found |= self._answer({**found, **cue.facts})
        if cue.name in ("program", "wish") and found["question"]:
            found |= self._program({**found, **cue.facts})
        return found

    def _answer(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Return the sentences for an answer that was taken back or given again.

        A game may have a sentence for one answer (`did.QUESTION.ANSWER`), or for all of them.
        """
        question, value = found["question"], found["value"]
        own = self._key(f"did.{question}.{value}", f"did.{question}")
        facts = {**found, "answer": self.label(question, value)}
        whose = "player" if found["who"] else "table"
        keys = {way: own if self.has(own) else f"box.{way}.{whose}" for way in ("told", "said")}
        told, said = (self(key, **facts) for key in keys.values())
        return {"told": told[:1].upper() + told[1:], "said": said}

    def _program(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """What a program was asked, and what it answered, to read and to hear."""
        question, value = found["question"], found["value"]
        asked = self(self._key(f"ask.{question}"), **found).replace("|", " ")
        said = self.aloud(question, value, found)
        said = self.number(value).lower() if type(value) is int and said == str(value) else said
        return {"asked": asked, "answer": self.label(question, value, found), "said": said}

    def _given(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        given = dict(facts)
        for name in ("who", "last"):
            if isinstance(given.get(name), str):
                given[name.upper()] = given[name].upper()
        if "lists" in given:  # of words
            given["lists"] = ", ".join(self(f"box.list.{name}") for name in given["lists"])
        joined = {name: _joined(value) for name, value in given.items() if _is_joined(value)}
        return {**given, **joined, **self._wording.fields(self, given)}


class PackageWords(Words):
    """The sentences of a package that is no game: those of the catalogue `name` in its `locale/`.

    Raises MissingWords if there is no such catalogue.
    """

    def __init__(self, language: str, folder: Path, name: str) -> None:
        super().__init__(language)
        try:
            self._sentences = catalogues.Catalogue(catalogues.read(folder, language, name))
        except (FileNotFoundError, ValueError) as error:
            raise MissingWords(str(error)) from error

    def _sentence(self, key: str) -> str:
        return self._sentences.gettext(key)
