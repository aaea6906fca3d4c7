"""Tests of the box's menus: pages, answers, and requests."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.prompts import Spell, cursor_start_answer_index, is_legal_answer
from companion.games.barney_miller import GAME
from companion.menus import game_summaries, index, menu_stack, new_game
from companion.menus.commands import (
    BeginGame,
    ChangeSettings,
    HandOverBoxForSecret,
    MenuRequest,
    RefusePress,
    ResumeGame,
    ShowFinishedGameReview,
    UndoAnswer,
    Wishes,
)
from companion.menus.page import MenuFacts, MenuPage, MenuPageState, list_question_function
from companion.menus.settings import DEFAULTS
from companion.menus.words import menu_line_hint, menu_words
from companion.press.wheel import wheel_answers_and_symbols
from companion.record.journal import GameSummary
from companion.say.words import LANGUAGES, Words
from tests.helpers import NOW_SECONDS, max_examples

COLUMNS = 18
"""Number of letters that certainly fit on a line after the marker."""
GAMES = tuple(
    GameSummary(n, GAME.name, ("Fish", "Harris"), NOW_SECONDS - 100, NOW_SECONDS - 50, None)
    for n in (2, 1)
)


def facts(**changes: Any) -> MenuFacts:
    given: dict[str, Any] = {
        "games": (GAME.name,),
        "settings": {**DEFAULTS, **changes.pop("settings", {})},
        "unfinished": (),
        "past": (),
        "now": NOW_SECONDS,
    }
    return MenuFacts(**{**given, **changes})


def walk(state: MenuPageState, *values: Any) -> tuple[MenuPageState, Wishes]:
    wishes: Wishes = ()
    for value in values:
        assert is_legal_answer(menu_stack.page_question(state), value)
        state, wishes = menu_stack.page_after_answer(state, value)
    return state, wishes


def wished(state: MenuPageState, *values: Any) -> list[MenuRequest]:
    """Return the requests that follow from the last of the answers."""
    return [*walk(state, *values)[1]]


def at(*values: Any, **changes: Any) -> MenuPageState:
    return walk(menu_stack.first_menu_page(facts(**changes)), *values)[0]


def options(state: MenuPageState) -> Any:
    return menu_stack.page_question(state)[2]


def test_a_new_page_is_one_row_with_all_that_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    row = MenuPage(
        list_question_function(lambda _: ("hop", "home"), lambda _: "home"),
        lambda state, value: (state._replace(page=value), ()),
        lambda _words, _state, value: value.upper(),
        lambda _words, state, value: f"{value} from {state.page}",
    )
    monkeypatch.setattr(index, "PAGES", {**index.PAGES, "hop": row})
    words, state = menu_words("en"), at()._replace(page="hop")
    assert (
        wheel_answers_and_symbols(menu_stack.page_question(state))[
            cursor_start_answer_index(menu_stack.page_question(state))
        ]
        == "home"
    )
    assert words.answer_label("hop", "hop", menu_stack.page_placeholder_values(state)) == "HOP"
    assert menu_line_hint(words, state, "home") == "home from hop"
    menus, wishes = menu_stack.Menus((at(), state)).after_answer("home")
    assert ([page.page for page in menus.pages], wishes) == (["home"], ())


def test_the_first_screen_offers_only_what_there_is() -> None:
    assert options(at()) == ("new", "rules", "settings")
    assert options(at(unfinished=GAMES[:1], past=GAMES)) == (
        "resume", "rematch", "new", "games", "rules", "settings",
    )  # fmt: skip


def test_going_on_is_the_first_choice_but_never_made_by_itself() -> None:
    state = at(unfinished=GAMES[:1])
    assert cursor_start_answer_index(menu_stack.page_question(state)) == 0
    assert wished(state, "resume") == [ResumeGame(2)]


def test_of_several_unfinished_games_one_is_chosen() -> None:
    state, wishes = walk(menu_stack.first_menu_page(facts(unfinished=GAMES)), "resume")
    assert (state.page, wishes) == ("unfinished", ())
    assert wished(state, "1") == [ResumeGame(1)]


def test_a_new_game_asks_how_many_who_and_how() -> None:
    state = at("new", 3)
    assert options(state) == (*GAME.names, "spell")
    state = walk(state, "Harris", "Fish")[0]
    assert options(state) == ("Wojehowicz", "Yemana", "spell")
    state = walk(state, "Yemana")[0]
    assert (state.page, options(state)[-1]) == ("setup", "start")
    state = state._replace(page="options")
    assert options(state) == (
        "start", "own", "setup", "deck", "die", "track", "posters", "redeal",
    )  # fmt: skip
    assert wished(state, "deck", "start") == [
        BeginGame(
            GAME.name,
            ("Harris", "Fish", "Yemana"),
            {option.name: option.proposed_value for option in GAME.options} | {"deck": "virtual"},
        )
    ]


def test_one_line_takes_the_tables_own_cards_and_dice_and_gives_them_back() -> None:
    state = walk(at("new", 2, "Fish", "Harris")._replace(page="options"), "own")[0]
    assert {"deck": "own", "die": "real"}.items() <= dict(state.options).items()
    back = walk(state, "own")[0]
    assert {"deck": "virtual", "die": "press"}.items() <= dict(back.options).items()


def test_the_first_value_of_every_option_is_our_ruling_but_who_sits_there_presses_to_roll() -> None:
    state = at("new", 2, "Fish", "Harris")
    assert dict(state.options) == {o.name: o.values[0] for o in GAME.options} | {"die": "press"}


def test_a_new_game_proposes_how_this_game_was_played_last_and_nothing_that_there_is_no_more() -> (
    None
):
    own = {"deck": "virtual", "die": "real", "track": "of wood"}
    other = GameSummary(
        9, "kojak", ("Ann", "Bob"), NOW_SECONDS, NOW_SECONDS, None, options={"deck": "own"}
    )
    state = at("new", 2, past=(other, GAMES[0]._replace(options=own)))
    usual = {option.name: option.values[0] for option in GAME.options}
    assert dict(state.options) == usual | {"deck": "virtual", "die": "real"}


def test_an_option_turns_round() -> None:
    state = at("new", 2, "Fish", "Harris")._replace(page="options")
    assert walk(state, "die", "die", "die")[0].options == state.options


def test_with_several_games_one_is_chosen_first() -> None:
    state = at("new", games=(GAME.name, GAME.name))
    assert state.page == "game"
    assert walk(state, GAME.name)[0].page == "players"


@pytest.mark.parametrize(("language", "way"), [("en", "CLOCKWISE"), ("fr", "SENS HORAIRE")])
def test_names_are_asked_for_seat_by_seat_with_the_clock(language: str, way: str) -> None:
    words, state = Words(language), at("new", 2)
    assert words(f"box.page.{state.page}") == way
    for seat in "12":
        assert seat in words.question_row(
            menu_stack.page_question(state), menu_stack.page_placeholder_values(state)
        )
        state, _ = walk(state, menu_stack.page_question(state).options[0])  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["Fish", "fish", "FISH"])
def test_a_name_that_is_taken_is_refused(name: str) -> None:
    state = at("new", 2, "Fish", "spell")
    after, wishes = walk(state, name)
    assert [*wishes] == [RefusePress("name_taken")]
    assert after == state


@pytest.mark.parametrize("name", ["Open", "nobody", "NOBODY"])
def test_a_name_that_means_something_else_is_refused(name: str) -> None:
    assert wished(at("new", 2, "spell"), name) == [RefusePress("name_forbidden")]


def test_who_played_last_and_the_likeliest_of_each_number_are_one_press_each() -> None:
    last = GAMES[0]._replace(players=("Ann", "Bob", "Cyd"), winners=("Ann",))
    state = at("new", past=(last,), settings={"names": ["Ann", "Bob", "Cyd"]})
    assert options(state) == ("these 3", "these 2", "these 4", 2, 3, 4)
    assert walk(state, "these 3")[0].players == ("Ann", "Bob", "Cyd")
    assert walk(state, "these 2")[0].players == ("Ann", "Bob")
    assert walk(state, "these 4")[0].players == ("Ann", "Bob", "Cyd", "Fish")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_line_of_people_begins_with_how_many_and_all_their_names_stand_below(
    language: str,
) -> None:
    long = ["Wojehowicz", "Bartholomé", "Maximilien", "Alexandrie"]
    state = at("new", settings={"names": long})
    words, view = menu_words(language), menu_stack.page_placeholder_values(state)
    lines = [words.answer_label("players", value, view) for value in options(state)]
    assert len({line[:COLUMNS] for line in lines}) == len(lines)
    below = menu_line_hint(words, state, "these 4")
    # each name is shortened so that all names fit on two rows
    assert below == "Wojehowic, Bartholom, Maximilie, Alexandri"


def test_names_of_earlier_games_come_first() -> None:
    state = at("new", 2, settings={"names": ["Zoë", "Fish"]})
    assert options(state) == ("Zoë", "Fish", "Harris", "Wojehowicz", "Yemana", "spell")


def test_at_most_twelve_names_are_remembered_newest_first() -> None:
    names = [f"N{n}" for n in range(20)]
    kept = new_game.suggested_names_for_next_game(names, ("N5", "New"))
    assert kept[:3] == ["N5", "New", "N0"]
    assert len(kept) == new_game.MAX_REMEMBERED_NAMES == len(set(kept))


def test_the_menu_of_a_game_offers_only_what_is_possible() -> None:
    assert options(at(playing=True)) == ("go_on", "standing", "again", "why", "settings", "leave")
    for mute in ({"silent": True}, {"heard": "mistakes"}, {"heard": "nothing"}):
        assert "again" not in options(at(playing=True, settings=mute))
    state = at(playing=True, undoable=1, redoable=1, secrets=("Fish", "Harris"))
    assert options(state) == (
        *("go_on", "standing", "again", "undo", "redo", "why", "look", "settings", "leave"),
    )
    assert wished(state, "look", "Harris") == [HandOverBoxForSecret("Harris")]
    assert wished(state, "undo") == [UndoAnswer()]


def test_a_setting_is_wished_for_and_leads_back() -> None:
    state, wishes = walk(menu_stack.first_menu_page(facts()), "settings", "volume", 3)
    assert (state.page, [*wishes]) == ("settings", [ChangeSettings({"volume": 3})])
    assert state.facts.settings["volume"] == 3


def test_quiet_hours_are_two_hours_that_differ_or_none() -> None:
    state, wishes = walk(menu_stack.first_menu_page(facts()), "settings", "quiet_from", "22")
    assert (state.page, [*wishes]) == ("quiet_to", [ChangeSettings({"quiet_from": 22})])
    assert "22" not in options(state)
    assert (
        wheel_answers_and_symbols(menu_stack.page_question(state))[
            cursor_start_answer_index(menu_stack.page_question(state))
        ]
        == "7"
    )
    state, wishes = walk(state, "6")
    assert (state.page, [*wishes]) == ("settings", [ChangeSettings({"quiet_to": 6})])
    state, wishes = walk(state, "quiet_from", "off")
    assert (state.page, [*wishes]) == ("settings", [ChangeSettings({"quiet_from": None})])


def test_silence_turns_in_its_place() -> None:
    state, wishes = walk(menu_stack.first_menu_page(facts()), "settings", "silent")
    assert (state.page, [*wishes]) == ("settings", [ChangeSettings({"silent": True})])
    assert wished(state, "silent") == [ChangeSettings({"silent": False})]


def test_the_present_value_is_under_the_cursor() -> None:
    for page, value in (("heard", "mistakes"), ("speech", "teaching")):
        prompt = menu_stack.page_question(at("settings", page, settings={page: value}))
        assert wheel_answers_and_symbols(prompt)[cursor_start_answer_index(prompt)] == value
    for begins, line in ((None, "off"), (21, "21")):
        prompt = menu_stack.page_question(
            at("settings", "quiet_from", settings={"quiet_from": begins})
        )
        assert wheel_answers_and_symbols(prompt)[cursor_start_answer_index(prompt)] == line
    prompt = menu_stack.page_question(at("settings", "volume", settings={"volume": 4}))
    assert wheel_answers_and_symbols(prompt)[cursor_start_answer_index(prompt)] == 4


def test_the_floor_pushes_the_ceiling_and_the_ceiling_the_floor() -> None:
    state, wishes = walk(
        menu_stack.first_menu_page(facts(settings={"loudest": 5})), "settings", "quietest", 8
    )
    assert [*wishes] == [ChangeSettings({"quietest": 8, "loudest": 8})]
    assert state.facts.settings["loudest"] == 8
    state, _ = walk(state, "loudest", 2)
    assert state.facts.settings["quietest"] == 2


def test_the_volume_wheel_has_only_what_is_allowed() -> None:
    prompt = menu_stack.page_question(
        at("settings", "volume", settings={"quietest": 3, "loudest": 5, "volume": 9})
    )
    assert prompt[2:5] == (3, 5, 5)


def test_a_players_language_is_the_other_one_or_the_boxs() -> None:
    state = at("settings", "languages", settings={"names": ["Zoë", "Ann"]})
    state, wishes = walk(state, "Ann")
    assert [*wishes] == [ChangeSettings({"languages": {"Ann": "fr"}})]
    assert wished(state, "Zoë", "Ann") == [ChangeSettings({"languages": {"Zoë": "fr"}})]


def test_nobody_has_a_language_before_the_first_game() -> None:
    assert options(at("settings", "languages")) == ("nobody",)
    assert at("settings", "languages", "nobody").page == "settings"


def test_back_leads_through_the_pages_and_each_name_has_its_own() -> None:
    menus = menu_stack.open_menus(facts())
    for value in ("new", 3, "Fish", "spell", "Ann"):
        menus, _ = menus.after_answer(value)
    assert [(page.page, len(page.players)) for page in menus.pages] == [
        ("home", 0), ("players", 0), ("name", 0), ("name", 1), ("name", 2),
    ]  # fmt: skip
    menus = menus.after_back().after_back()
    menus, _ = menus.after_answer("Yemana")
    assert menus.pages[-1].players == ("Yemana",)


def test_back_leads_out_of_a_games_menu_and_nowhere_from_the_first_screen() -> None:
    first, menu = menu_stack.open_menus(facts()), menu_stack.open_menus(facts(playing=GAME.name))
    assert first.after_back() == first
    assert menu.after_back() == menu_stack.Menus()
    assert menu_stack.Menus().current_page is None


def test_all_pages_know_a_changed_setting() -> None:
    menus = menu_stack.Menus((at(), at("settings"))).with_changed_facts(
        settings={**DEFAULTS, "volume": 2}
    )
    assert [page.facts.settings["volume"] for page in menus.pages] == [2, 2]


@settings(max_examples=max_examples(60))
@given(
    st.lists(st.integers(0, 20), max_size=25),
    st.sampled_from(["home", "menu"]),
    st.sampled_from(LANGUAGES),
)
def test_any_walk_through_the_menus_has_words_for_every_line(
    walk_: list[int], menu: str, language: str
) -> None:
    words = menu_words(language)
    found = facts(
        unfinished=GAMES, past=GAMES, playing=menu == "menu", secrets=("Fish",), undoable=2
    )
    state = menu_stack.first_menu_page(found)
    for place in walk_:
        prompt, view = menu_stack.page_question(state), menu_stack.page_placeholder_values(state)
        offered = ["Zoë"] if isinstance(prompt, Spell) else list(wheel_answers_and_symbols(prompt))
        leaf = prompt.name == "leaf"  # a page of text asks no question
        assert leaf or words.question_row(prompt, view)
        for answer in offered:
            assert leaf or words.answer_label(prompt.name, answer, view)
            assert isinstance(menu_line_hint(words, state, answer), str)
        state, _ = menu_stack.page_after_answer(state, offered[place % len(offered)])


@pytest.mark.parametrize(
    ("seconds", "age"),
    [
        (0, "just now"),
        (59, "just now"),
        (60, "1 min"),
        (3599, "59 min"),
        (3600, "1 h"),
        (86400 * 3, "3 d"),
    ],
)
def test_an_age_is_told_in_the_largest_unit_that_fits(seconds: int, age: str) -> None:
    assert game_summaries.format_elapsed_time(Words("en"), seconds) == age


def test_a_clock_that_went_back_breaks_nothing() -> None:
    assert game_summaries.format_elapsed_time(Words("fr"), -5000) == Words("fr")("box.age.now")


def test_of_the_past_games_a_finished_one_is_told_and_an_unfinished_one_goes_on() -> None:
    won = GameSummary(7, GAME.name, ("Fish", "Harris"), NOW_SECONDS, NOW_SECONDS, ("Fish",))
    for game, wish in ((won, ShowFinishedGameReview(won.id)), (GAMES[0], ResumeGame(GAMES[0].id))):
        state = menu_stack.first_menu_page(facts(past=(game,)))
        assert wished(state, "games", str(game.id)) == [wish]


def test_a_past_game_is_listed_by_its_name_and_its_winner() -> None:
    words = Words("en")
    won = GAMES[0]._replace(winners=("Harris",))
    assert game_summaries.recorded_game_line_text(words, won) == "Barney Miller ★ Harris"
    assert game_summaries.recorded_game_line_text(words, GAMES[0]) == "Barney Miller"
