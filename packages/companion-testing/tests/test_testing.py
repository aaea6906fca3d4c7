"""Tests of the test kit: each property is broken in a copy of an included game, and found."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import click
import pytest
from click.testing import CliRunner

import companion_testing as testing
from companion.catalog import editions, registry
from companion.catalog.registry import find_game
from companion.cmd.commands import cli
from companion.core.errors import Refused
from companion.core.game import Cue, Cues, Game, Option, disclose_all_fields
from companion.core.prompts import PRESSED_ROLL_QUESTION, Choose, Number
from companion.core.snapshot import Snapshot
from companion.draw.default_face import MAX_DRAWN_PLAYERS
from companion.draw.face import Face, FactPicture, StandingPages, load_face
from companion.draw.parts import MAX_LIST_ANSWER_LETTERS, ROW_LETTERS
from companion.menus import menu_stack
from companion.menus.page import MenuFacts, PhoneFacts
from companion.menus.settings import DEFAULTS, SPEECH_LEVELS
from companion.play.standing import UNDO_AGREEMENT
from companion.press.cursor import CONFIRM_UNLISTED_WORD_QUESTION
from companion.say import catalogues, sentences
from companion.say.facts import FactPresentation
from companion.say.words import LANGUAGES, Words
from companion_testing import (
    PROPERTIES,
    ObservedGames,
    face_recording,
    keys,
    optional_parts,
    reserved,
    saying,
    showing,
)
from companion_testing import observed_games as testing_met
from companion_testing.commands.check import run_and_print_checks
from companion_testing.lines import clause_numbers_of_game
from companion_testing.reserved import RESERVED_NAMES
from companion_testing.table import fault_text_without_names
from tests.installed import PackageShop, shop


def small(name: str, **chosen: str) -> Game[Any]:
    """Return the game for two players, with the options `chosen` and defaults for other options."""
    game = find_game(name)
    options = (
        option._replace(values=(chosen.get(option.name, option.values[0]),))
        for option in game.options
    )
    return game._replace(seats=range(2, 3), options=tuple(options))


BARNEY, KOJAK, PROBE = (
    small("barney-miller", deck="virtual"),
    small("kojak", die="none"),
    small("probe", words="secret"),
)
SILENT = BARNEY._replace(anytime=lambda _: ())
"""Barney Miller without out-of-turn questions."""


def turning(game: Game[Any], change: Callable[[Any, Cues], tuple[Any, Cues]]) -> Game[Any]:
    """Return the game in which `change` changes the result of every answer."""
    on = {
        name: lambda state, value, rule=rule: change(*rule(state, value))
        for name, rule in game.on.items()
    }
    return game._replace(on=on)


def seeing(game: Game[Any], **more: Callable[[Any], Any]) -> Game[Any]:
    """Return the game with additional fields in the public view."""

    def view(state: Any, player: str | None) -> dict[str, Any]:
        return {**game.view(state, player), **{name: of(state) for name, of in more.items()}}

    return game._replace(view=view)


def asking(game: Game[Any], change: Callable[[Choose], Choose]) -> Game[Any]:
    """Return the game in which `change` changes every question with options."""

    def ask(state: Any) -> Any:
        prompt = game.ask(state)
        return change(prompt) if isinstance(prompt, Choose) else prompt

    return game._replace(ask=ask)


def hasty(game: Game[Any], question: str) -> Game[Any]:
    """Return the game that answers `question` at once if the question has only one option."""

    def change(state: Any, cues: Cues) -> tuple[Any, Cues]:
        prompt = game.ask(state)
        if not isinstance(prompt, Choose) or prompt.name != question or len(prompt.options) > 1:
            return state, cues
        after, more = game.on[question](state, prompt.options[0])
        return change(after, (*cues, *more))

    return turning(game, change)._replace(
        discloses={**game.discloses, "round_won": disclose_all_fields}
    )


def leaning(change: Callable[[Choose], Choose]) -> Game[Any]:
    """Return Barney Miller with other secret questions while the cards aside have an odd sum."""

    def ask(state: Any) -> Any:
        prompt = BARNEY.ask(state)
        if isinstance(prompt, Choose) and prompt.private and sum(state.aside) % 2:
            return change(prompt)
        return prompt

    return BARNEY._replace(ask=ask)


def refusing(_state: Any, _cues: Cues) -> tuple[Any, Cues]:
    raise Refused("never")


def raising(_state: Any, _cues: Cues) -> tuple[Any, Cues]:
    raise LookupError("no such card")


def forgetful() -> Game[Any]:
    """Return a game that stores data outside of its state."""
    times = [0]

    def change(state: Any, cues: Cues) -> tuple[Any, Cues]:
        times[0] += 1
        return state, (*cues, Cue("begins", {"who": "Ann", "times": times[0]}))

    return seeing(turning(KOJAK, change), times=lambda _: times[0])


def told_to_all(state: Any, cues: Cues) -> tuple[Any, Cues]:
    return state, tuple(cue._replace(to=None) for cue in cues)


def told_to_one(state: Any, cues: Cues) -> tuple[Any, Cues]:
    return state, tuple(cue._replace(to="Zed") if cue.to else cue for cue in cues)


def quiet(state: Any, cues: Cues) -> tuple[Any, Cues]:
    return state, tuple(cue._replace(reveals=False) for cue in cues)


def leaving(game: Game[Any], change: Callable[[Any, int], Any]) -> Game[Any]:
    """Return the game with another handler for a player who leaves."""

    def leave(state: Any, who: str) -> tuple[Any, Cues]:
        seat = state.table.players.index(who)
        return change(state, seat), (Cue("left", {"who": who, "mission": None}, "KO-23"),)

    return game._replace(on={**game.on, "leaves": leave})


BROKEN: Final[tuple[tuple[str, Game[Any]], ...]] = (
    ("plays", turning(KOJAK, raising)),
    ("plays", turning(KOJAK, refusing)),
    ("ends", KOJAK._replace(outcome=lambda _: None)),
    ("ends", asking(KOJAK, lambda prompt: prompt._replace(who="Zed"))),
    ("plays", asking(BARNEY, lambda prompt: prompt._replace(options=(*prompt.options, 10**9)))),
    ("answers", asking(KOJAK, lambda prompt: prompt._replace(options=prompt.options * 2))),
    ("answers", turning(KOJAK, lambda state, cues: (state, (Cue("nothing"), *cues)))),
    ("values", seeing(KOJAK, cards=lambda state: set(state.held))),
    ("values", turning(BARNEY, told_to_one)),
    ("secrecy", seeing(BARNEY, aside=lambda state: state.aside)),
    ("secrecy", seeing(KOJAK, pile=lambda state: state.traps[:1])),
    ("secrecy", seeing(PROBE, words=lambda state: [rack.word for rack in state.racks])),
    ("secrecy", turning(BARNEY, told_to_all)),
    ("secrecy", turning(KOJAK, quiet)),
    ("secrecy", asking(BARNEY, lambda prompt: prompt._replace(private=False))),
    ("secrecy", turning(PROBE, quiet)),
    ("secrecy", PROBE._replace(covert=frozenset())),
    ("secrecy", hasty(SILENT, "zero")),
    ("secrecy", hasty(SILENT, "play_card")),
    ("secrecy", hasty(PROBE, "uncover")),
    ("secrecy", leaning(lambda prompt: prompt._replace(options=prompt.options[::-1]))),
    ("secrecy", leaning(lambda prompt: prompt._replace(weights=(*range(len(prompt.options)),)))),
    ("secrecy", leaning(lambda prompt: prompt._replace(options=prompt.options[:1]))),
    ("secrecy", leaning(lambda prompt: prompt._replace(tap=prompt.options[0]))),
    ("leaving", leaving(KOJAK, lambda state, _: state)),
    ("leaving", leaving(KOJAK, lambda state, seat: replace(state, out=(seat,)))),  # never all
    (
        "leaving",
        KOJAK._replace(anytime=lambda s: find_game("kojak").anytime(s) if s.turn == 0 else ()),
    ),
    ("taking back", forgetful()),
    ("text protocol", asking(KOJAK, lambda prompt: prompt._replace(facts={"text": " "}))),
)


def only(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run only one close check, or only one check of the face."""
    for name in ("SAMPLED_GAME_CHECKS", "FACE_CHECKS"):
        every = getattr(testing, name)
        monkeypatch.setattr(testing, name, {one: every[one] for one in every if one == broken})


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("broken", "game"), BROKEN)
def test_a_property_that_a_game_does_not_keep_is_found(
    broken: str, game: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    only(broken, monkeypatch)
    (table, *_) = testing.list_checks(game, games=1)
    assert broken in {finding.property for finding in table.run()}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", [turning(KOJAK, raising), turning(KOJAK, refusing)])
def test_one_slip_of_the_rules_is_told_once_at_its_question(game: Game[Any]) -> None:
    game = game._replace(seats=range(2, 4))
    (finding,) = testing.run_all_checks(game, games=2)
    assert finding.property == "plays"
    assert "game 0, move 1 (shuffle_missions, asked of the table, answered [" in str(finding)


@pytest.mark.long
def test_one_leak_is_told_once_for_all_tables_and_players(monkeypatch: pytest.MonkeyPatch) -> None:
    only("secrecy", monkeypatch)
    game = seeing(BARNEY, aside=lambda state: state.aside)._replace(seats=range(2, 5))
    whose = [finding.what.partition(";")[0] for finding in testing.run_all_checks(game, games=1)]
    assert sorted(fault_text_without_names(what) for what in whose) == [
        "the view of all shows what is hidden in aside",
        "…'s view shows what is hidden in aside",
    ]


def test_a_question_without_a_handler_is_told_as_one() -> None:
    on = {name: rule for name, rule in KOJAK.on.items() if name != "happened"}
    found = testing.list_checks(KOJAK._replace(on=on), games=1)[0].run()
    assert [finding.what for finding in found] == ["happened is asked, and `on` does not know it"]
    assert "(happened, asked of " in str(found[0])


def test_what_may_be_said_out_of_turn_has_a_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    only("answers", monkeypatch)
    shout = Number("shout", "Ann", 1, 2, 1)
    found = testing.list_checks(KOJAK._replace(anytime=lambda _: (shout,)), games=1)[0].run()
    told = "shout may be said out of turn, and `on` does not know it"
    assert told in {finding.what for finding in found}


@pytest.mark.long
@pytest.mark.parametrize("game", [BARNEY, KOJAK, PROBE], ids=lambda game: game.name)
def test_nothing_is_found_in_a_game_that_is_whole(game: Game[Any]) -> None:
    assert not [*testing.run_all_checks(game, games=1)]


@pytest.mark.long
def test_a_law_of_the_games_own_that_is_broken_is_found_with_its_name() -> None:
    def nobody_wins(playout: testing.Playout) -> None:
        assert playout.table.game.outcome(playout.last_state) is None

    found = testing.list_checks(KOJAK, games=1, laws=[nobody_wins])[0].run()
    assert [finding.property for finding in found] == ["nobody_wins"]
    (table,) = testing.tables_of_all_option_combinations(KOJAK, editions.load_edition("kojak"))
    assert str(found[0]).startswith(f"nobody_wins: {table.id}, game 0: ")


def test_of_many_tables_so_few_are_played_that_each_two_values_meet_and_players_too() -> None:
    game = find_game("barney-miller")
    played = [
        {"players": len(table.players), **table.options}
        for table in testing.tables_of_all_option_combinations(game, {})
    ]
    pairs = {pair for values in played for pair in combinations(values.items(), 2)}
    assert len(played) < 15
    counts = combinations([len(game.seats), *(len(option.values) for option in game.options)], 2)
    assert len(pairs) == sum(one * two for one, two in counts)
    few = game._replace(options=(Option("one", ("a", "b")), Option("two", ("a", "b", "c"))))
    assert len([*testing.tables_of_all_option_combinations(few, {})]) == 3 * 2 * 3


# --- words and pictures ---------------------------------------------------------------------------


class Spoilt(gettext.NullTranslations):
    """A catalogue in which one sentence is replaced."""

    def __init__(self, of: Any, key: str, text: str) -> None:
        super().__init__()
        self.of, self.key, self.text = of, key, text

    def gettext(self, message: str) -> str:
        return self.text if message == self.key else str(self.of.gettext(message))


SPOILT: Final = (
    ("questions", "ask.first", "{who} " * 9),
    ("questions", "option.happened.nothing", ""),
    ("questions", "option.happened.nothing", "same"),
    ("questions", "option.happened.nothing", "x" * (MAX_LIST_ANSWER_LETTERS + 1)),
    ("questions", "did.happened.nothing", "Nothing!"),
    ("questions", "say.happened", "{who} happened"),
    ("questions", "say.happened", "What happened?"),
    ("settings", "name", "x" * (MAX_LIST_ANSWER_LETTERS + 1)),
    ("sentences", "cue.parked.text", "It has parked!. Here."),
    ("sentences", "cue.parked.text", "It has parked.||Here."),
    ("sentences", "cue.parked.speech", "no capital and no end"),
    ("sentences", "cue.parked.speech", "It has parked ■ here."),
    ("sentences", "cue.parked.short", f"A {'very ' * 20}long sentence."),
    ("sentences", "cue.parked.text", "It has parked: ['green', 'white']."),
    ("sentences", "cue.parked.text", "It has parked {{'who': 'Ann'}}."),
    ("questions", "ask.first", "None begins?"),
    ("sentences", "rule.KO-3", " "),
    ("titles", "cue.parked.title", "A TITLE OF MORE THAN TWO ROWS OF LETTERS"),
    ("moments", "cue.parked.alone", "A word too many. " * 9),
)


def findings(game: Game[Any]) -> set[str]:
    """Return the names of the properties that fail in the game's English face."""
    (*_, english, _) = testing.list_checks(game, games=1)
    return {finding.property for finding in english.run()}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("broken", "key", "text"), SPOILT)
def test_a_sentence_that_will_not_do_is_found(
    broken: str, key: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(broken, monkeypatch)
    shipped = sentences._catalogue
    if text == "same":
        text = shipped("en", "kojak").gettext("kojak.option.happened.mission")
    monkeypatch.setattr(
        sentences, "_catalogue", lambda *of: Spoilt(shipped(*of), f"kojak.{key}", text)
    )
    assert broken in findings(KOJAK)


def written(
    change: Callable[[str, str], str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Write a changed copy of Kojak's catalogues below a folder, and use the copy."""
    for language in LANGUAGES:
        source = catalogues.catalogue_source_file(
            registry.game_file_path("kojak", "locale").parent, language, "kojak"
        )
        copy = folder / f"{language}.po"
        copy.write_text(change(language, source.read_text("utf-8")), "utf-8")
        catalogues.write_compiled_catalogue(copy)
    monkeypatch.setattr(
        keys, "load_compiled_catalogue", lambda lang, _: (folder / f"{lang}.mo").read_bytes()
    )
    monkeypatch.setattr(keys, "_source", lambda lang, _: folder / f"{lang}.po")


def in_english(key: str) -> Callable[[str, str], str]:
    """Return a function that adds one sentence to the English catalogue only."""
    more = f'\nmsgid "kojak.{key}"\nmsgstr "More."\n'
    return lambda language, text: text + more * (language == "en")


def in_both(key: str) -> Callable[[str, str], str]:
    """Return a function that adds one sentence to the catalogue of each language."""
    return lambda _, text: f'{text}\nmsgid "kojak.{key}"\nmsgstr "More."\n'


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (in_english("view.field"), ["kojak.view.field has a sentence in en, and none in fr"]),
        (in_both("ask.first"), ["kojak.ask.first stands 2 times in the catalogue"]),
        (in_both("ask.nonesuch"), ["kojak.ask.nonesuch is not used"]),
        (in_both("cue.parked.titel"), ["kojak.cue.parked.titel is not used"]),
        (in_both("rule.KO-99"), ["kojak.rule.KO-99 is not used"]),
        (
            lambda _, text: f'{text}\nmsgid "kojak.rule.KO-3.a"\nmsgstr "The car is parked."\n',
            ["kojak.rule.KO-3.a is English in the French catalogue: 'The car is parked.'"],
        ),
        (lambda _, text: text, []),
    ],
)
def test_a_key_that_is_missing_unused_or_taken_twice_is_found(
    change: Callable[[str, str], str],
    said: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written(change, tmp_path, monkeypatch)
    assert [
        *keys.check_sentence_keys(
            ObservedGames(KOJAK), face_recording.game_words_for_edition("kojak", "fr", {})
        )
    ] == said


def test_a_key_that_is_put_together_or_has_an_answer_of_the_game_in_it_is_looked_up(
    installed: PackageShop,
) -> None:
    folder = installed.install()
    with (folder / "__init__.py").open("a", encoding="utf-8") as source:
        source.write('SUIT = lambda words, card: words(f"sum-up.suit.{card[0]}")\n')
        source.write('PEGS = tuple(f"peg{n}" for n in range(4))\n')
    there_are = ("suit.H", "option.more.H8", "lot.H", "ask.peg2", "view.peg3")
    texts = (f'msgid "sum-up.{key}"\nmsgstr "A"\n' for key in there_are)
    text = "\n".join(texts)
    for language in LANGUAGES:
        there = folder / "locale" / language / "LC_MESSAGES"
        there.mkdir(parents=True)
        (there / "sum-up.po").write_text(text, "utf-8")
    met = shown(find_game("sum-up"), {})
    asked = testing_met.ObservedQuestion(
        Choose("more", "Ann", ("H8", "S1")), met.asked[""].snapshot, {}
    )
    found = keys.check_sentence_keys(replace(met, asked={"": asked}), Words("en", game="sum-up"))
    assert [*found] == ["sum-up.lot.H is not used"]


def test_a_sentence_of_page_js_that_a_catalogue_lacks_is_found(installed: PackageShop) -> None:
    folder = installed.install()
    (folder / "page.js").write_text("words('sum', { n: 1 }); words(`gone`); words(key);", "utf-8")
    for language in LANGUAGES:
        there = folder / "locale" / language / "LC_MESSAGES"
        there.mkdir(parents=True)
        (there / "sum-up.po").write_text('msgid "sum-up.web.sum"\nmsgstr "A"\n', "utf-8")
    for language in LANGUAGES:
        words = Words(language, game="sum-up")
        found = keys.check_sentence_keys(ObservedGames(find_game("sum-up")), words)
        assert [*found] == ["page.js needs the sentence sum-up.web.gone"]


def test_the_box_lends_a_game_no_sentence_but_those_of_its_list(installed: PackageShop) -> None:
    installed.install()
    missing: list[str] = []
    said = Words("en", game="sum-up", missing=lambda key, _: missing.append(key))
    assert said.question_row(Choose("call", "Ann", ("a", "b")), {}) == "sum-up.ask.call"
    assert said.answer_label("settings", "phones") == "phones"
    assert said.fact_title(Cue("home", {"n": 1})) == "sum-up.cue.home.title"
    assert {"sum-up.ask.call", "sum-up.cue.home.title"} <= {*missing}
    assert said.fact_title(Cue("left", {"who": "Ann"})) != "sum-up.cue.left.title"


def test_a_list_or_a_number_of_each_player_is_read_as_people_write_it() -> None:
    given = Words("en")._given({"who": "Ann", "of": ("green", "white"), "points": {"Ann": 3}})
    assert (given["of"], given["points"]) == ("green, white", "Ann 3")


@pytest.mark.parametrize("key", ["setting.short.no", "name"])
def test_an_option_that_the_menu_would_cut_is_found(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = ObservedGames(KOJAK._replace(options=(Option("short", ("no", "yes")),)))
    shipped = sentences._catalogue
    for n in (MAX_LIST_ANSWER_LETTERS, MAX_LIST_ANSWER_LETTERS + 1):
        spoilt = partial(Spoilt, key=f"kojak.{key}", text="x" * n)
        monkeypatch.setattr(sentences, "_catalogue", lambda *of, s=spoilt: s(shipped(*of)))
        said = face_recording.game_words_for_edition("kojak", "fr", {})
        found = [*saying.check_name_and_options_fit(met, said)]
        assert len(found) == n - MAX_LIST_ANSWER_LETTERS
        assert f"{MAX_LIST_ANSWER_LETTERS} letters" in str(found) or not found


def test_what_is_cut_around_a_question_is_found_with_its_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (asked,) = shown(KOJAK, {}).asked.values()
    prompt = Choose("happened", "Ann", ("nothing", "mission"), private=True)
    met = ObservedGames(KOJAK, asked={"": asked._replace(prompt=prompt)})
    shipped = sentences._catalogue

    def told() -> str:
        return "".join(
            map(
                str,
                saying.check_questions_fit(
                    met, face_recording.game_words_for_edition("kojak", "en", {})
                ),
            )
        )

    slips = {
        "curtain.peep": f"before a look has {ROW_LETTERS} letters",
        "curtain.happened": f"the {saying.MAX_CURTAIN_TEXT_ROWS} rows of its curtain",
        "legend.happened": f"the legend of happened has room for {ROW_LETTERS} letters",
        "status": f"the status has {ROW_LETTERS} letters",
    }
    whole = told()
    for key, slip in slips.items():
        spoilt = partial(Spoilt, key=f"kojak.{key}", text="A word too many. " * 4)
        monkeypatch.setattr(sentences, "_catalogue", lambda *of, s=spoilt: s(shipped(*of)))
        assert slip not in whole
        assert slip in told()


def test_two_values_of_an_option_that_read_the_same_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    met = ObservedGames(KOJAK._replace(options=(Option("short", ("no", "yes")),)))
    shipped, said = sentences._catalogue, face_recording.game_words_for_edition("kojak", "en", {})
    assert not [*saying.check_name_and_options_fit(met, said)]
    spoilt = partial(
        Spoilt,
        key="kojak.setting.short.no",
        text=said.game_option_value_label("kojak", "short", "yes"),
    )
    monkeypatch.setattr(sentences, "_catalogue", lambda *of: spoilt(shipped(*of)))
    said = face_recording.game_words_for_edition("kojak", "en", {})
    (found,) = saying.check_name_and_options_fit(met, said)
    assert "two values of short read the same" in str(found)


def test_an_answer_that_turns_has_less_room_than_one_in_a_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (asked,) = shown(KOJAK, {}).asked.values()
    shipped, key = sentences._catalogue, "kojak.option.happened.{}"
    for options, room in (
        ((1, 2), saying.MAX_INLINE_ANSWER_LETTERS),
        (("nothing", "mission"), MAX_LIST_ANSWER_LETTERS),
    ):
        prompt = Choose("happened", "Ann", options)
        met = ObservedGames(KOJAK, asked={"": asked._replace(prompt=prompt)})
        for n in (room, room + 1):
            spoilt = partial(Spoilt, key=key.format(options[0]), text="x" * n)
            monkeypatch.setattr(sentences, "_catalogue", lambda *of, s=spoilt: s(shipped(*of)))
            told = "".join(
                map(
                    str,
                    saying.check_questions_fit(
                        met, face_recording.game_words_for_edition("kojak", "en", {})
                    ),
                )
            )
            cut = f"happened has 1 to {room} letters of room for an answer, and offers"
            assert (f"{cut} {'x' * n!r}, which has {n}" in told) == (n > room), told


def test_what_an_option_does_fits_two_rows_and_is_told_of_each_value_or_of_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    met = ObservedGames(KOJAK._replace(options=(Option("short", ("no", "yes")),)))
    shipped = sentences._catalogue

    def told(text: str) -> str:
        spoilt = partial(Spoilt, key="kojak.about.short.no", text=text)
        monkeypatch.setattr(sentences, "_catalogue", lambda *of: spoilt(shipped(*of)))
        words = face_recording.game_words_for_edition("kojak", "en", {})
        return "".join(map(str, saying.check_name_and_options_fit(met, words)))

    assert not told("x" * ROW_LETTERS + "|" + "x" * ROW_LETTERS)
    assert f"short no does has {saying.MAX_HINT_ROWS} rows of {ROW_LETTERS} letters" in told(
        "x|x|x"
    )
    assert "short no does is not told" in told("")


CUT: Final = (
    ("moments", "cue.parked.alone", "A word too many. " * 9, r"rows of 21 letters under its title"),
    ("explanations", "rule.KO-3", "A word too many. " * 9, r"4 rows of 21 letters under its title"),
    ("questions", "ask.happened", "{who}: what happened?", r"happened has 21 letters of room"),
    ("titles", "cue.parked.title", "{WHO} HAS PARKED, AND THAT IS LONG", r"two rows of 16 letters"),
)


@pytest.mark.long
@pytest.mark.parametrize(("broken", "key", "text", "room"), CUT)
def test_what_is_cut_is_told_once_with_its_room(
    broken: str, key: str, text: str, room: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(broken, monkeypatch)
    shipped = sentences._catalogue
    monkeypatch.setattr(
        sentences, "_catalogue", lambda *of: Spoilt(shipped(*of), f"kojak.{key}", text)
    )
    (*_, english, _) = testing.list_checks(KOJAK._replace(seats=range(2, 4)), games=1)
    (finding,) = english.run()
    assert re.search(room, finding.what)


def test_a_fact_is_found_at_the_move_that_told_exactly_this() -> None:
    met = ObservedGames(KOJAK)
    places = [testing.GamePlace("a table", 0, n, "turn", None, None) for n in (1, 2)]
    cues = [Cue("parked", {"who": who}) for who in ("Ann", "Bob")]
    for cue, place in zip(cues, places, strict=True):
        met.add_facts((cue,), place)
        met.add_facts((cue,), places[-1])
    assert [*map(met.first_place_of_fact, cues)] == places


def test_rows_with_gaps_between_names_and_numbers_are_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    only("moments", monkeypatch)
    shipped, key = sentences._catalogue, "kojak.cue.parked.alone"
    monkeypatch.setattr(
        sentences, "_catalogue", lambda *of: Spoilt(shipped(*of), key, "Ann   5|Bob  12")
    )
    assert findings(KOJAK) == set()


def test_the_guide_tells_how_many_letters_there_are() -> None:
    docs = Path(testing.__file__).parents[3] / "docs"
    pages = ("a-game.md", "reference/game-package.md")
    guide = "".join((docs / page).read_text("utf-8") for page in pages)
    assert f"A row of the display has room for {ROW_LETTERS} small letters" in guide
    for key in ("setting.OPTION.VALUE", "option.QUESTION.VALUE"):
        (row,) = re.findall(rf"^\| `{key}` \|.+", guide, re.MULTILINE)
        assert f"up to {MAX_LIST_ANSWER_LETTERS} letters" in row
    assert f"{saying.MAX_INLINE_ANSWER_LETTERS} on a wheel" in guide


def told_of(game: Game[Any], met: ObservedGames | None = None) -> list[str]:
    """Return the findings about a game's seats and names."""
    told = reserved.check_seats_and_reserved_names(
        met or ObservedGames(game), face_recording.game_words_for_edition("kojak", "en", {})
    )
    return [one if isinstance(one, str) else one.what for one in told]


@pytest.mark.parametrize(
    "seats", [range(2), range(3, 3), range(2, 7, 2), range(1, MAX_DRAWN_PLAYERS + 2)]
)
def test_seats_for_which_the_box_has_no_room_are_found(seats: range) -> None:
    assert len(told_of(KOJAK._replace(seats=seats))) == 1
    assert told_of(KOJAK._replace(seats=range(1, MAX_DRAWN_PLAYERS + 1))) == []


def test_every_number_of_players_has_names_of_its_own() -> None:
    tables = testing.tables_of_all_option_combinations(KOJAK._replace(seats=range(7, 9)), {})
    assert [len({*table.players}) for table in tables] == [7, 8]


@pytest.mark.parametrize("kind", RESERVED_NAMES)
def test_a_name_that_the_box_has_taken_is_found(kind: str) -> None:
    for name in RESERVED_NAMES[kind]:
        game, met = KOJAK, ObservedGames(KOJAK)
        if kind == "question":
            game = KOJAK._replace(on={**KOJAK.on, name: KOJAK.on["correct"]})
        elif kind == "fact":
            met.add_facts((Cue(name, {"who": "Ann"}),))
        elif kind == "fact of the view":
            view = {name: 1}
            shown = Snapshot("kojak", ("Ann",), {}, None, view, (), 0, 0, 0, None, "", None)
            met.asked[name] = testing_met.ObservedQuestion(
                Choose("card", "Ann", ("a", "b")), shown, view
            )
        elif kind == "option":
            game = KOJAK._replace(options=(Option(name, ("yes", "no")),))
        else:
            met.anytime.add(name)
        assert [name in what for what in told_of(game, replace(met, game=game))] == [True], name


def test_a_reserved_name_in_the_view_of_one_player_is_found() -> None:
    met = shown(KOJAK, {})
    met.asked[""] = met.asked[""]._replace(own={"secrets": 3})
    (what,) = told_of(KOJAK, met)
    assert "called secrets" in what


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ({"prompt": Choose("card", "Ann", ("a", "b"), facts={"who": "Bob"})}, "card has a fact"),
        ({"view": {"points": 3}}, "`points` stands beside the names"),
        ({"view": {"scores": {"Ann": 3}}}, "`scores` stands beside the names"),
        ({"view": {"to_act": "Ann", "points": {"Ann": 3, "Bob": 4}}}, ""),
    ],
)
def test_a_name_that_means_something_in_every_game_means_it_in_this_one(
    slip: dict[str, Any], said: str
) -> None:
    prompt, view = Choose("card", "Ann", ("a", "b")), {"to_act": "Ann"}
    shown = Snapshot("kojak", ("Ann", "Bob"), {}, prompt, view, (), 0, 0, 0, None, "", None)
    changed = replace(shown, view=slip.get("view", view))
    met = ObservedGames(
        KOJAK, asked={"": testing_met.ObservedQuestion(slip.get("prompt", prompt), changed, view)}
    )
    assert [said in what for what in told_of(KOJAK, met)] == [True] * bool(said)


def test_who_begins_is_told_with_the_player() -> None:
    met = ObservedGames(KOJAK)
    met.add_facts((Cue("begins", {"who": "Ann"}),))
    assert told_of(KOJAK, met) == []
    met.add_facts((Cue("begins", {"seat": 1}),))
    assert told_of(KOJAK, met) == ["begins tells who plays first, and has no `who`"]


def test_the_names_that_the_box_has_taken_are_those_that_it_uses() -> None:
    lines = {"playing": "kojak", "secrets": ("Ann",), "undoable": 1, "redoable": 1, "book": True}
    settings = {**DEFAULTS, "heard": SPEECH_LEVELS[0]}
    facts = MenuFacts(("kojak",), settings, (), (), 0, seated=2, phones=PhoneFacts(), **lines)  # type: ignore[arg-type]
    known = facts._replace(
        prepared=tuple((o.name, o.values[0]) for o in find_game("kojak").options)
    )
    menu = menu_stack.page_question(menu_stack.first_menu_page(known))
    assert isinstance(menu, Choose)
    assert {*menu.options} <= RESERVED_NAMES["form"]
    assert {
        UNDO_AGREEMENT.name,
        PRESSED_ROLL_QUESTION,
        CONFIRM_UNLISTED_WORD_QUESTION,
    } <= RESERVED_NAMES["question"]
    guide = (Path(testing.__file__).parents[3] / "docs/reference/game-package.md").read_text(
        "utf-8"
    )
    for names in RESERVED_NAMES.values():
        assert [name for name in names if f"`{name}`" not in guide] == []


def over_the_last_row(canvas: Any, *_: Any) -> None:
    canvas.text(7, 0, "x" * 30)


def a_clause_below(canvas: Any, *_: Any) -> None:
    canvas.text(6, 0, "KO-10 parked")


def failing(*_: Any) -> Any:
    raise ZeroDivisionError("half a name")


OF: Final = load_face("kojak")
SLIPS: Final[tuple[tuple[str, Face], ...]] = (
    ("sounds", replace(OF, facts={**OF.facts, "parked": FactPresentation(sound="no_such_sound")})),
    ("frames", replace(OF, body=over_the_last_row)),
    ("frames", replace(OF, body=failing)),
    ("moments", replace(OF, pictures={**OF.pictures, "parked": FactPicture(failing)})),
    ("moments", replace(OF, pictures={**OF.pictures, "parked": FactPicture(a_clause_below)})),
    ("standings", replace(OF, pages=StandingPages(lambda _: 2, failing))),
    ("lamps", replace(OF, to_act=lambda _: "Zed")),
)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("broken", "face"), SLIPS)
def test_a_slip_in_a_face_is_found(
    broken: str, face: Face, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(broken, monkeypatch)
    for module in (face_recording, showing):
        monkeypatch.setattr(module, "load_face", lambda _: face)
    assert broken in findings(KOJAK)


# --- the command ----------------------------------------------------------------------------------


@pytest.mark.long
def test_the_command_prints_a_line_a_property_and_what_is_not_kept() -> None:
    said: list[str] = []
    leaking = seeing(BARNEY, aside=lambda state: state.aside)
    assert not run_and_print_checks(leaking, editions.load_edition("barney-miller"), 1, said.append)
    first, *lines = said
    assert first == "barney-miller: 1 random games at each of 1 tables."
    kept = [line for line in lines if not line.startswith("  ")]
    assert [line.partition(":")[0] for line in kept] == [*PROPERTIES]
    assert all(line.endswith((" passed.", " failed.")) for line in kept)
    assert any("secrecy" in line and line.endswith(" failed.") for line in kept)


def test_the_command_ends_with_1_if_something_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for well in (True, False):
        monkeypatch.setattr(
            "companion_testing.commands.check.run_and_print_checks",
            lambda *_, well=well, **_more: well,
        )
        done = CliRunner().invoke(cli, ["check", "kojak"], standalone_mode=False)
        assert done.return_value == int(not well)


def test_the_arena_names_simulate_for_a_game_without_computer_player(
    installed: PackageShop,
) -> None:
    installed.install()
    seats = ["arena", "sum-up", "--seats", "random,random"]
    with pytest.raises(click.UsageError, match="For this game, use `companion simulate`"):
        cli.main(seats, standalone_mode=False)


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[PackageShop]:
    yield from shop(tmp_path / "site")


def shown(game: Game[Any], view: dict[str, Any]) -> ObservedGames:
    """Return the observed games of a game with this public view."""
    prompt = Number("more", "Ann", 1, 3, 1)
    now = Snapshot(game.name, ("Ann", "Bob"), {}, prompt, view, (), 0, 0, 0, None, "", None)
    return ObservedGames(game, asked={"": testing_met.ObservedQuestion(prompt, now, view)})


def test_a_fact_that_the_plain_table_shows_by_its_raw_name_is_found(installed: PackageShop) -> None:
    folder = installed.install()
    there = folder / "locale" / "en" / "LC_MESSAGES"
    there.mkdir(parents=True)
    (there / "sum-up.po").write_text('msgid "sum-up.view.total"\nmsgstr "Sum"\n', "utf-8")
    game, said = find_game("sum-up"), Words("en", game="sum-up")
    named = {"total": 3, "to_act": "Ann", "points": {"Ann": 1, "Bob": 2}}
    assert not [*optional_parts.check_view_labels(shown(game, named), said)]
    (found,) = optional_parts.check_view_labels(shown(game, {**named, "pot_size": 4}), said)
    assert "pot_size has no sentence: sum-up.view.pot_size" in str(found)
    assert [said.view_field_label(name) for name in named] == ["Sum", "Turn", "Points"]


def test_a_game_that_draws_all_itself_need_not_name_its_facts() -> None:
    met, said = (
        shown(KOJAK, {"phase": "x"}),
        face_recording.game_words_for_edition("kojak", "en", {}),
    )
    assert not [*optional_parts.check_view_labels(met, said)]
    (asked,) = met.asked.values()
    met.asked[""] = asked._replace(own={"phase": "x", "hand": 3})
    (found,) = optional_parts.check_view_labels(met, said)
    assert "hand has no sentence" in str(found)


BOOK: Final = """
[[heading]]
en = "The sum"
fr = "La somme"

[[heading.clause]]
clause = "SU-1"
mark = "ruling"
en = "Numbers are added."
fr = "On additionne."
"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", ""),
        ('mark = "ruling"', 'mark = "rulng"', "SU-1 is marked rulng"),
        ('fr = "On additionne."', "", "SU-1 has no text in fr"),
        ('fr = "La somme"', "", "a heading has no text in fr"),
        ('clause = "SU-1"', "", "clauses.toml: clause 1 of heading 1 has no key `clause`"),
        ('mark = "ruling"', "", "clauses.toml: clause 1 of heading 1 has no key `mark`"),
        ("[[heading]]", "[[heading", "clauses.toml is no TOML: "),
        ("SU-1", "SU-2", "SU-1 is cited, and does not stand in clauses.toml"),
    ],
)
def test_a_slip_in_a_book_of_clauses_is_found(
    installed: PackageShop, old: str, new: str, said: str
) -> None:
    (installed.install() / "clauses.toml").write_text(BOOK.replace(old, new), "utf-8")
    met = ObservedGames(find_game("sum-up"))
    met.add_facts((Cue("added", {"who": "Ann"}, "SU-1"),))
    found = [*optional_parts.check_cited_clauses_exist(met, Words("en", game="sum-up"))]
    clause_numbers_of_game.__wrapped__("sum-up")  # raises no exception
    assert [said in what for what in found] == [True] * bool(said)
    assert [*optional_parts.check_cited_clauses_exist(met, Words("fr", game="sum-up"))] == []


FIGURES: Final = """
def scores(state):
    return SCORES

def count(cue):
    yield cue.facts["who"], "added", 1
"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("scores", "count", "said"),
    [
        ("(state[1],) * len(state[0])", "", ""),
        ("(state[1],)", "", "`scores` gives"),
        ("1 / 0", "", "ZeroDivisionError"),
        ("(1,) * len(state[0])", '"Zoë", "added", 1', "`count` of added gives ('Zoë', 'added', 1)"),
        ("(1,) * len(state[0])", '"", "added", 1.5', "`count` of added gives"),
    ],
)
def test_a_slip_in_what_a_package_counts_is_found(
    installed: PackageShop, scores: str, count: str, said: str
) -> None:
    text = FIGURES.replace("SCORES", scores)
    text = text.replace('cue.facts["who"], "added", 1', count) if count else text
    (installed.install() / "figures.py").write_text(text, "utf-8")
    (table, *_) = testing.tables_of_all_option_combinations(find_game("sum-up"), {})
    told = [*optional_parts.check_statistics_shape(testing.play_random_game(table, 0))]
    assert all(said in str(one) for one in told)
    assert bool(told) == bool(said)


def test_a_figure_without_a_sentence_is_found(installed: PackageShop) -> None:
    folder = installed.install()
    (folder / "figures.py").write_text(FIGURES, "utf-8")
    there = folder / "locale" / "en" / "LC_MESSAGES"
    there.mkdir(parents=True)
    (there / "sum-up.po").write_text('msgid "sum-up.name"\nmsgstr "Sum"\n', "utf-8")
    met = ObservedGames(find_game("sum-up"))
    met.add_facts((Cue("added", {"who": "Ann"}),))
    (found,) = optional_parts.check_every_statistic_has_label(met, Words("en", game="sum-up"))
    assert found == "added has no sentence: sum-up.figure.added"
