"""Tests of the kit's default selection of tables, forms and values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import companion_testing as testing
from companion.catalog.registry import find_game
from companion.core.errors import ExcludedGame, TranslatedError
from companion.core.game import Cue
from companion.core.prompts import Answer, Choose, Form, Number, Prompt, Spell
from companion.draw.face import Face
from companion.say.words import Words
from companion_testing import answers, face_recording, saying
from companion_testing.observed_games import ObservedGames, ObservedQuestion
from companion_testing.table import ExceptionCatcher, Faults, GameTable, longest_player_names

KOJAK = find_game("kojak")


def tables(n: int) -> list[GameTable]:
    """Return `n` tables of one game."""
    return [GameTable(KOJAK, longest_player_names(2), {}, {})] * n


@pytest.mark.parametrize(("many", "games"), [(1, 5), (20, 5), (33, 3), (63, 1), (500, 1)])
def test_many_tables_have_fewer_games_each_and_at_least_one(many: int, games: int) -> None:
    assert testing.default_games_per_table(tables(many)) == games


def wheels(*sizes: int, **more: Any) -> Form:
    """Return a form that asks for a number on each of several wheels."""

    def part(given: Mapping[str, Answer]) -> Prompt | None:
        at = len(given)
        return None if at == len(sizes) else Number(f"n{at}", "Ann", 1, sizes[at], 1, **more)

    return Form("wheels", "Ann", part)


def test_all_answers_of_a_small_form_are_tried() -> None:
    whole = [{"n0": one, "n1": two} for one in (1, 2) for two in (1, 2, 3)]
    assert [*answers.sample_answers(wheels(2, 3), 8)] == whole


def test_the_sample_of_a_large_form_differs_in_each_part_and_at_each_move() -> None:
    first, second = (answers.sample_answers(wheels(40, 40), 8, move) for move in (0, 8))
    assert len(first) == 8
    assert {answer["n0"] for answer in first} >= {1, 40}
    assert len({answer["n1"] for answer in first}) == 8
    assert not [answer for answer in first if answer in second]


def test_a_part_that_is_answered_at_once_is_refused_in_one_line() -> None:
    (what,) = answers._parts(wheels(3, private=True, at_once=True))
    assert what == "n0 has `at_once`, which no part of a form has: ask it alone"


def test_a_part_that_offers_an_answer_twice_is_found() -> None:
    form = Form("twice", "Ann", lambda given: None if given else Choose("n", "Ann", (1, 2, 2)))
    assert [*answers._parts(form)] == ["n offers an answer twice"]


def test_only_words_that_a_player_can_spell_are_drawn_on_the_wheel() -> None:
    assert saying.spellable_test_texts(Spell("code", "Ann", 3, ("ABC",))) == ("A", "?")
    assert saying.spellable_test_texts(Choose("code", "Ann", ("ABC", "D"))) == ()


def test_a_reason_to_refuse_a_word_without_a_sentence_is_found() -> None:
    words = Words("fr", Face(), {}, game="kojak")
    unworded = Spell("code", "Ann", 3, ("ABC",), flaw=lambda text: f"no_{len(text)}")
    (what,) = saying._flaws(unworded, words)
    assert what == "code has no sentence kojak.cue.refused.no_1.text"
    assert not [*saying._flaws(unworded._replace(flaw=lambda _: "not_offered"), words)]
    assert not [*saying._flaws(Choose("code", "Ann", ("ABC", "D")), words)]


@pytest.mark.parametrize(
    ("language", "facts", "fields", "found"),
    [
        ("fr", {"mission": "skull"}, {}, 1),
        ("fr", {"mission": "skull"}, {"mission": "crâne"}, 0),
        ("fr", {"mission": "rose"}, {"mission": "rose"}, 0),
        ("fr", {"mission": "ABC"}, {}, 0),
        ("fr", {"other": "skull"}, {}, 0),
        ("en", {"mission": "skull"}, {}, 0),
    ],
)
def test_a_value_that_the_french_box_shows_as_the_code_has_it_is_found(
    language: str,
    facts: dict[str, Any],
    fields: dict[str, str],
    found: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = Words(language, Face(fields=lambda *_: fields), {}, game="kojak")
    monkeypatch.setattr(face_recording, "sentence_template", lambda *_: "C'est {mission}.")
    findings = [what for what in saying._fact(Cue("x", facts), words) if "as the code" in what]
    assert len(findings) == found


def test_an_undone_covert_answer_with_a_value_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = KOJAK._replace(covert=frozenset({"hide"}))
    sentences = {"kojak.did.hide": "{who} hid {answer}"}
    words = Words("en", Face(), {}, game="kojak")
    find, has = words._sentence, words.has_sentence
    monkeypatch.setattr(words, "_sentence", lambda key: sentences.get(key) or find(key))
    monkeypatch.setattr(words, "has_sentence", lambda key: key in sentences or has(key))
    asked = ObservedQuestion(Number("hide", "Ann", 1, 2, 1), {}, {})  # type: ignore[arg-type]
    (what, *_) = saying._taken_back(asked, ObservedGames(game), words, set())
    assert what.startswith("did.hide shows a value of Python")


def test_a_long_sentence_without_short_form_names_the_missing_key() -> None:
    words, long = Words("en", Face(), {}, game="kojak"), "A car is parked in the street at noon."
    (what,) = saying._wordings(Cue("parked", {}), [long] * 3, words)
    assert what.startswith("parked needs the sentence kojak.cue.parked.short, with fewer words")


def test_an_exception_of_a_package_is_reported_as_companion_games_does() -> None:
    why = TranslatedError("package.raised_at", error="TypeError: odd", file="rules.py", line=3)
    with ExceptionCatcher() as net:
        raise ExcludedGame("sum-up", "companion-sum-up", "1.0", why)
    (fault,) = net.caught_exception_as_fault()
    assert fault.what == "TypeError: odd (rules.py, line 3)"


@pytest.mark.parametrize(
    ("key", "what"),
    [("kojak.nowhere", "the en catalogue lacks the sentence kojak.nowhere"),
     ("kojak.cue.parked.text", "en: kojak.cue.parked.text needs 'who'")],
)  # fmt: skip
def test_a_fault_of_a_catalogue_is_reported_as_a_fault_of_the_keys(key: str, what: str) -> None:
    def check() -> Faults:
        yield Words("en", game="kojak")(key)

    (finding,) = testing._findings("text protocol", "kojak-2", 0, check)
    assert (finding.property, finding.what) == ("keys", what)
