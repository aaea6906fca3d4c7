"""Tests of a computer player on the box: offered, announced, and hidden from other seats."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest

from companion.catalog import registry
from companion.core.game import Cue
from companion.core.prompts import COMPUTER_CHOOSING_QUESTION
from companion.door.lines import Message
from companion.figures.statistics_cache import StatisticsCache
from companion.menus import menu_stack
from companion.menus.commands import BeginGame
from companion.menus.words import menu_words
from companion.play import verify
from companion.play.adapting import ADAPTIVE_LEVEL
from companion.play.answer_history import ComputerPlayerProgram, GameSetup
from companion.play.record_header import record_header_from_setup
from companion.record.entry import Entry
from companion.remote.programs import (
    FIRST_RESTART_SECONDS,
    MAX_RESTART_SECONDS,
    MIN_QUESTION_SECONDS,
    SILENCE_TIMEOUT_SECONDS,
    STARTS_BEFORE_NOTICE,
)
from tests.door.callers import Caller, House, kinds
from tests.helpers import VIRTUAL_PARTS_OPTIONS, Drive, begin_game, session_words, setup_for

CHIP = ComputerPlayerProgram("friend", "1.0")


def against(game: str = "barney-miller", **options: str) -> GameSetup:
    """Return the setup of a game in which Ann plays against the box."""
    plain = VIRTUAL_PARTS_OPTIONS if game == "barney-miller" else options
    setup = setup_for(plain, game=game, players=("Ann", "Chip"))
    return setup._replace(programs={"Chip": CHIP})


class Brain:
    """A computer player that joins with its token. It answers only when a test calls `answer`."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.place = json.loads(house.seats[-1])["seats"][0]
        self.caller = house.caller()
        self.caller.say(join=self.place["seat"], token=self.place["token"])
        self.caller.say(watch=True)

    @property
    def is_asked(self) -> bool:
        """Return True if the question is for this computer player."""
        return self.house.drive.session.standing.computer_player_to_answer is not None

    def answer(self, value: Any = None) -> list[Message]:
        """Send `value`, or the first choice if `value` is None."""
        choices = [choice["value"] for choice in self.caller.asked["choices"]]
        return self.caller.answer(choices[0] if value is None else value)


def seated(setup: GameSetup | None = None) -> tuple[House, Brain]:
    """Return a game against the box, at a question for the box. Ann answers on her phone."""
    house = House(begin_game(setup or against()))
    house.drive.resume()
    brain, house.ann = Brain(house), house.phone("Ann")
    house.ann.say(watch=True)
    to_the_box(house, brain)
    return house, brain


def play(house: House, brain: Brain) -> None:
    """Give one more answer, by the computer player or on Ann's phone."""
    if brain.is_asked:
        brain.answer()
        house.drive.skip()
        house.drive.wait(MIN_QUESTION_SECONDS + 0.1)
    else:
        house.ann.answer(house.ann.asked["choices"][0]["value"])
    house.drive.skip()


def to_the_box(house: House, brain: Brain, question: str = "") -> None:
    """Play until the computer player gets `question`, or any question if ""."""
    for _ in range(200):
        if brain.is_asked and question in ("", brain.caller.asked["question"]):
            return
        play(house, brain)
    raise AssertionError(question)


def test_the_box_sits_down_as_one_of_the_players_and_never_as_all() -> None:
    house = House()
    drive = house.drive
    drive.new()
    drive.choose(2)
    drive.walk("box", "friend")
    assert "box" not in drive.table.menu_or_game_prompt.options  # type: ignore[union-attr]
    drive.choose("Fish")
    while drive.page is not None:
        drive.press("ok")
    setup = drive.session.game_setup
    assert setup.players == ("Chip", "Fish")
    assert setup.programs["Chip"].level == "friend"
    assert setup.options["deck"] == "virtual"
    assert drive.settings["names"] == ["Fish"]
    (header, _), told = drive.journal.read_game_header_and_lines(1), drive.journal.game_summary(1)
    assert header["programs"]["Chip"].keys() == {"level", "version"}
    assert told.programs == {"Chip": "friend"}


def test_what_it_is_called_can_be_changed_and_is_kept() -> None:
    house = House()
    drive = house.drive
    drive.new()
    drive.choose(2)
    drive.walk("box", "call", "A", "l")
    drive.press("ok", seconds=1.2)
    assert drive.page == "level"
    drive.choose("strong")
    (name,) = drive.state.players
    assert name == drive.settings["called"]
    assert name.upper() == "AL"


def test_a_player_that_adapts_says_in_one_line_how_strong_it_plays_this_time() -> None:
    house = House()
    drive = house.drive
    even = against()._replace(programs={"Chip": ComputerPlayerProgram(ADAPTIVE_LEVEL, "1.0")})
    for winners, step in ((), 5), (("Ann", "Ann"), 7), (("Chip",), 6):
        for winner in winners:
            over = Entry("over", value=[winner])
            drive.journal.save_new_game(record_header_from_setup(even), [over], 1)
        chip = {"Chip": ADAPTIVE_LEVEL}
        drive.carry_out(
            BeginGame("barney-miller", ("Ann", "Chip"), VIRTUAL_PARTS_OPTIONS, programs=chip)
        )
        said = Cue("program_even", {"who": "Chip", "step": step, "steps": 13})
        assert said in [moment.lead_fact for moment in drive.moments]
        (place,) = json.loads(house.seats[-1])["seats"]
        assert place["level"] == f"even{step - 1}"


def test_nobody_but_the_box_starts_what_plays_and_it_comes_in_with_the_token_it_was_given() -> None:
    house = House(begin_game(against()))
    assert house.seats == []
    house.drive.resume()
    (line,) = house.seats
    (place,) = json.loads(line)["seats"]
    assert (place["seat"], place["level"]) == ("Chip", "friend")
    stranger = house.caller()
    for wrong in ("0" * 32, "", "é"):
        assert stranger.say(join="Chip", token=wrong)[0]["code"] == "wrong_token"
    assert kinds(stranger.say(join="Chip", token=place["token"])) == ["joined"]
    assert line not in json.dumps(house.drive.journal.all_settings())


def test_its_answer_is_seen_after_people_could_read_the_question_and_said_with_its_name() -> None:
    house, brain = seated()
    drive = house.drive
    before = drive.session.standing.snapshot.position
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.menu_or_game_prompt.name == COMPUTER_CHOOSING_QUESTION
    brain.answer()
    assert drive.session.standing.snapshot.position == before
    drive.wait(MIN_QUESTION_SECONDS + 0.1)
    assert drive.session.standing.snapshot.position > before


@pytest.mark.long
def test_every_game_shows_without_a_slip_that_the_box_thinks(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for game in registry.BUILT_IN_GAMES:
        proposed = {
            option.name: option.proposed_value for option in registry.find_game(game).options
        }
        if "deck" in proposed:
            proposed["deck"] = "virtual"
        setup = against(game, **proposed)._replace(players=("Chip", "Ann"))
        drive = seated(setup)[0].drive
        assert drive.table.menu_or_game_prompt is not None
        assert drive.table.menu_or_game_prompt.name == COMPUTER_CHOOSING_QUESTION
        assert caplog.records == [], game


def test_its_card_is_told_with_who_played_it() -> None:
    house, brain = seated()
    to_the_box(house, brain, "play_card")
    card = brain.caller.asked["choices"][0]["value"]
    brain.answer(card)
    house.drive.wait(MIN_QUESTION_SECONDS + 0.1)
    lead = house.drive.front
    assert lead.name == "program"
    words = session_words(house.drive.session, "en")
    assert words.fact_text(lead) == f"Chip plays {card}"
    assert words.fact_speech(lead).startswith("Chip plays ")


def test_no_press_answers_in_its_place() -> None:
    house, _ = seated()
    before = house.drive.session.standing.snapshot.position
    house.drive.press("ok", "down", "ok", "seat1", "seat2")
    house.drive.wait(2 * MIN_QUESTION_SECONDS)
    assert house.drive.session.standing.snapshot.position == before


def test_a_menu_or_a_moment_in_front_is_waited_for() -> None:
    house, brain = seated()
    before = house.drive.session.standing.snapshot.position
    brain.answer()
    house.drive.press("back")
    house.drive.wait(4 * MIN_QUESTION_SECONDS)
    assert house.drive.session.standing.snapshot.position == before
    house.drive.press("back")
    house.drive.wait(MIN_QUESTION_SECONDS + 0.1)
    assert house.drive.session.standing.snapshot.position > before


def test_nobody_can_look_at_what_it_holds() -> None:
    house, _ = seated()
    drive = house.drive
    drive.down("seat2")
    drive.wait(3)
    assert drive.table.cursor.looking is None
    drive.up("seat2")
    while drive.page != "menu":
        drive.press("back")
    drive.choose("look")
    assert drive.table.menu_or_game_prompt.options == ("Ann",)  # type: ignore[union-attr]
    house.open_phones()
    stranger = house.caller()
    told = stranger.say(join="Chip", code=house.codes[-1][0])
    assert told[0]["code"] == "no_seat"
    assert not any(
        entry.kind == "seen" and entry.who == "Chip"
        for entry in drive.journal.read_game_header_and_lines(1)[1]
    )


def test_who_dies_is_started_again_and_comes_back_to_the_same_question() -> None:
    house, brain = seated()
    asked = brain.caller.asked
    brain.caller.go()
    house.drive.wait(FIRST_RESTART_SECONDS + 0.1)
    assert len(house.seats) == 2
    again = Brain(house)
    assert again.place["token"] != brain.place["token"]
    assert again.caller.asked["question"] == asked["question"]
    assert again.caller.asked["choices"] == asked["choices"]
    again.answer()
    house.drive.wait(MIN_QUESTION_SECONDS + 0.1)
    assert house.drive.session.standing.snapshot.position > 0


def test_that_it_does_not_come_is_told_once() -> None:
    house = House(begin_game(against()))
    house.drive.resume()
    house.drive.wait(3 * FIRST_RESTART_SECONDS + MAX_RESTART_SECONDS)
    told = [moment.lead_fact.name for moment in house.drive.moments]
    assert told.count("program_away") == 1


def test_an_undo_takes_back_what_a_person_answered_and_all_that_came_of_it() -> None:
    house, brain = seated()
    to_the_box(house, brain, "play_card")
    play(house, brain)
    to_the_box(house, brain)
    session = house.drive.session
    own = [one for one in session.standing.history.steps_latest_first() if one.entry.who == "Ann"]
    session.undo(0)
    if (
        session.standing.pending_prompt is not None
        and session.standing.pending_prompt.name == "agree_undo"
    ):
        session.answer("yes", 0)
    assert session.standing.computer_player_to_answer is None
    assert session.standing.snapshot.position == own[0].n - 1


@pytest.mark.long
def test_its_games_are_straight_and_stand_apart_in_the_figures() -> None:
    house, brain = seated()
    for _ in range(2000):
        if house.drive.session.standing.snapshot.outcome is not None:
            break
        play(house, brain)
    journal = house.drive.journal
    assert verify.verify_game_against_seed(journal, 1).problem is None
    with closing(StatisticsCache(journal, None)) as shelf:
        (ann,) = shelf.people_statistics()
        assert ann.all.games == 0
        assert ann.with_box.games == 1
        (played,) = shelf.all_game_statistics()
        assert played.programs == ("Chip",)


# --- moves that people make on the board for the box ----------------------------------------------


def on_the_road() -> tuple[House, Brain]:
    """Return a game of Kojak in which the box has to move its car."""
    proposed = {
        option.name: option.proposed_value for option in registry.find_game("kojak").options
    }
    setup = against("kojak", **{**proposed, "die": "companion"})
    house = House(begin_game(setup._replace(players=("Chip", "Ann"))))
    house.drive.resume()
    brain, house.ann = Brain(house), house.phone("Ann")
    house.ann.say(watch=True)
    house.drive.skip()
    if house.drive.session.standing.computer_player_announcing_choice is None:
        play(house, brain)
    return house, brain


def test_ko_7_the_box_says_where_its_car_is_to_go_and_people_say_where_it_has_come_to() -> None:
    house, brain = on_the_road()
    drive = house.drive
    before = drive.session.standing.snapshot.position
    brain.answer("mission")
    assert drive.table.cursor.at == 0
    drive.wait(MIN_QUESTION_SECONDS + 0.1)
    assert drive.session.standing.snapshot.position == before
    lead = drive.front
    assert (lead.name, lead.facts["value"]) == ("wish", "mission")
    words = session_words(drive.session, "en")
    assert words.fact_text(lead) == "Drive a red car to the mission space."
    assert words.fact_speech(lead, "short") == "Chip: the mission space."
    drive.skip()
    assert drive.table.menu_or_game_prompt is not None
    assert drive.table.cursor.at == 1
    drive.press("down", "ok")
    assert drive.session.standing.snapshot.position > before
    assert [
        entry.value
        for entry in drive.journal.read_game_header_and_lines(1)[1]
        if entry.question == "happened"
    ] == ["blocked"]


def test_what_people_have_seen_for_the_box_is_taken_back_by_itself() -> None:
    house, brain = on_the_road()
    session = house.drive.session
    before = session.standing.snapshot
    session.answer("mission", 0)
    session.undo(0)
    while (
        session.standing.pending_prompt is not None
        and session.standing.pending_prompt.name == "agree_undo"
    ):
        session.answer("yes", 0)
    assert session.standing.pending_prompt == before.prompt
    assert session.standing.computer_player_announcing_choice == "Chip"
    assert brain.caller.asked["question"] == "happened"


def test_a_wish_that_comes_after_the_answer_is_not_told() -> None:
    house, brain = on_the_road()
    brain.answer("mission")
    house.drive.press("ok")
    house.drive.skip()
    house.drive.wait(MIN_QUESTION_SECONDS + 0.1)
    assert "wish" not in [moment.lead_fact.name for moment in house.drive.moments]


# --- a player leaves ------------------------------------------------------------------------------


def leaves(house: House, who: str, level: str = "friend") -> None:
    """Let the computer player replace a player who leaves."""
    drive = house.drive
    drive.skip()
    drive.press("back")
    drive.walk("seats", f"of {who}", level)
    drive.skip()


def last(caller: Caller, kind: str) -> Message:
    """Return the last received line of a kind."""
    return next(message for message in caller.heard[::-1] if message["type"] == kind)


def three() -> House:
    """Return a game of three people, in which Ann has to play a card."""
    house = House(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, players=("Ann", "Bob", "Eve"))))
    house.drive.resume()
    house.ann = house.phone("Ann")
    house.ann.say(watch=True)
    house.drive.skip()
    return house


def test_for_somebody_who_leaves_the_box_plays_on_with_what_that_seat_knew() -> None:
    house = three()
    held = house.drive.session.standing.view_with_player_secrets("Ann")
    leaves(house, "Ann")
    assert house.drive.session.standing.present_computer_players["Ann"].level == "friend"
    brain = Brain(house)
    assert brain.place["seat"] == "Ann"
    assert last(brain.caller, "secret")["cards"] == held["cards"]
    entries = house.drive.journal.read_game_header_and_lines(1)[1]
    assert [(one.who, one.value[0]) for one in entries if one.kind == "program"] == [
        ("Ann", "friend")
    ]
    assert verify.verify_game_against_seed(house.drive.journal, 1).problem is None


def test_the_phone_of_whoever_left_is_shown_no_secret_until_a_person_plays_again() -> None:
    house = three()
    token = house.ann.token
    leaves(house, "Ann")
    assert last(house.ann, "left")["seat"] == "Ann"
    again = house.caller()
    assert again.say(join="Ann", token=token)[0]["code"] == "no_seat"
    house.drive.press("back")
    house.drive.walk("seats", "of Ann", "person")
    house.drive.skip()
    assert house.drive.session.standing.present_computer_players == {}
    assert kinds(again.say(join="Ann", token=token)) == ["joined"]


def test_the_game_goes_on_without_who_leaves_if_nobody_plays_on_and_that_is_taken_back() -> None:
    house = three()
    drive = house.drive
    leaves(house, "Ann", "nobody")
    assert [*drive.session.standing.present_players] == ["Bob", "Eve"]
    assert drive.session.standing.present_computer_players == {}
    drive.press("back")
    drive.choose("seats")
    assert drive.table.menu_or_game_prompt.options == ("of Bob", "of Eve")  # type: ignore[union-attr]
    drive.press("back")
    drive.choose("undo")
    drive.skip()
    assert [*drive.session.standing.present_players] == ["Ann", "Bob", "Eve"]


def test_without_a_door_a_game_goes_on_without_who_leaves_all_the_same() -> None:
    drive = Drive(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, players=("Ann", "Bob"))))
    drive.resume()
    drive.skip()
    drive.press("back")
    drive.walk("seats", "of Bob", "yes")
    assert drive.session.standing.snapshot.outcome.winners == ("Ann",)  # type: ignore[union-attr]


def test_who_leaves_a_game_of_two_is_asked_once_more_and_no_is_under_the_thumb() -> None:
    drive = Drive(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, players=("Ann", "Bob"))))
    drive.resume()
    drive.skip()
    drive.press("back")
    drive.walk("seats", "of Bob")
    assert drive.page == "gone"
    drive.press("ok")
    assert drive.session.standing.snapshot.outcome is None
    assert not drive.table.menus.pages


def test_who_would_leave_is_told_before_whether_the_game_goes_on() -> None:
    told = []
    for players in (("Ann", "Bob"), ("Ann", "Bob", "Eve")):
        drive = Drive(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS, players=players)))
        drive.resume()
        drive.skip()
        drive.press("back")
        drive.choose("seats")
        page = drive.table.menus.current_page
        assert page is not None
        told.append(menu_stack.load_menu_page("seats").hint(menu_words("en"), page, "of Bob"))
    assert told == ["The game is over:|Ann wins.", "The game goes on|without Bob."]


def test_the_last_person_cannot_leave_and_the_seat_of_the_box_can_be_given_to_a_person() -> None:
    house, _ = seated()
    house.drive.press("back")
    house.drive.choose("seats")
    assert house.drive.table.menu_or_game_prompt.options == ("of Chip",)  # type: ignore[union-attr]
    house.drive.choose("of Chip")
    house.drive.choose("person")
    house.drive.skip()
    assert house.drive.session.standing.computer_player_to_answer is None
    assert house.drive.table.menu_or_game_prompt == house.drive.table.playing.snapshot.prompt  # type: ignore[union-attr]


def test_where_no_door_opens_it_is_said_and_a_person_can_play() -> None:
    drive = Drive(begin_game(against()))
    drive.choose("resume")
    assert drive.front.name == "program_shut"
    drive.skip()
    assert drive.page == "seats"
    drive.choose("of Chip")
    drive.choose("person")
    drive.skip()
    assert drive.session.standing.present_computer_players == {}


def test_what_comes_again_and_again_without_an_answer_is_away_until_it_answers() -> None:
    house, brain = seated()
    drive = house.drive
    thinks = drive.frame
    for _ in range(STARTS_BEFORE_NOTICE):
        brain.caller.go()
        drive.wait(MAX_RESTART_SECONDS + 0.1)
        brain = Brain(house)
    drive.skip()
    assert drive.frame != thinks  # the frame shows "Chip is not here"
    brain.answer()
    assert drive.frame == thinks


# --- a silent seat --------------------------------------------------------------------------------


def test_a_seat_that_is_connected_and_silent_is_reported_with_who_can_play_on() -> None:
    house, brain = seated()
    drive = house.drive
    drive.wait(SILENCE_TIMEOUT_SECONDS - 1)
    assert (drive.moments, drive.page) == ((), None)

    drive.wait(1.1)

    assert drive.front.name == "program_silent"
    assert drive.front.facts["who"] == "Chip"
    drive.skip()
    assert drive.page == "stand_in"
    assert drive.table.menu_or_game_prompt.options == ("restart", "person", "nobody")  # type: ignore[union-attr]
    drive.wait(2 * SILENCE_TIMEOUT_SECONDS)
    assert [moment.lead_fact.name for moment in drive.moments] == []
    brain.answer()  # a late answer is still accepted
    assert drive.page is None
    before = drive.session.standing.snapshot.position
    drive.wait(MIN_QUESTION_SECONDS + 0.1)
    assert drive.session.standing.snapshot.position > before


def test_a_silent_seat_is_started_again_at_the_same_question() -> None:
    house, brain = seated()
    drive = house.drive
    drive.wait(SILENCE_TIMEOUT_SECONDS + 0.1)
    drive.skip()

    drive.choose("restart")

    assert brain.caller.peer.number in house.wire.dropped
    again = Brain(house)
    assert len(house.seats) == 2
    assert again.caller.asked["question"] == brain.caller.asked["question"]
    before = drive.session.standing.snapshot.position
    again.answer()
    drive.skip()
    drive.wait(MIN_QUESTION_SECONDS + 0.1)
    assert drive.session.standing.snapshot.position > before


def test_a_person_plays_on_for_a_silent_seat() -> None:
    house, _ = seated()
    house.drive.wait(SILENCE_TIMEOUT_SECONDS + 0.1)
    house.drive.skip()
    house.drive.choose("person")
    house.drive.skip()
    assert house.drive.session.standing.present_computer_players == {}
    assert house.drive.page is None


def test_a_seat_that_is_silent_while_a_menu_is_open_is_offered_after_it() -> None:
    house, _ = seated()
    house.drive.press("back")
    house.drive.wait(SILENCE_TIMEOUT_SECONDS + 0.1)
    assert house.drive.front.name == "program_silent"
    house.drive.skip()
    assert house.drive.page == "menu"
    house.drive.press("back")
    assert house.drive.page == "stand_in"
    house.drive.press("back")
    assert house.drive.page is None


def test_a_seat_whose_answer_waits_for_people_is_not_silent() -> None:
    house, brain = seated()
    brain.answer()
    house.drive.press("back")
    house.drive.wait(2 * SILENCE_TIMEOUT_SECONDS)
    assert house.drive.moments == ()


def test_a_press_just_after_the_offer_closed_by_itself_gives_no_answer() -> None:
    house, brain = on_the_road()
    drive = house.drive
    drive.wait(SILENCE_TIMEOUT_SECONDS + 0.1)
    drive.skip()
    assert drive.page == "stand_in"
    drive.wait(1)
    before = drive.session.standing.snapshot.position
    brain.answer("mission")
    assert drive.page is None

    drive.down("ok")
    drive.up("ok")

    assert drive.session.standing.snapshot.position == before


def test_the_offer_for_a_silent_seat_closes_with_its_question() -> None:
    house, brain = seated()
    to_the_box(house, brain, "play_card")
    play(house, brain)
    to_the_box(house, brain)
    house.drive.wait(SILENCE_TIMEOUT_SECONDS + 0.1)
    house.drive.skip()
    assert house.drive.page == "stand_in"
    house.ann.say(undo=True)
    house.drive.skip()
    assert house.drive.session.standing.computer_player_to_answer is None
    assert house.drive.page is None
