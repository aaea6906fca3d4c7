"""Tests of players with a phone: the box asks a player's own question there."""

from __future__ import annotations

import pytest

from companion.box.timers import REMINDER_SECONDS
from companion.core.prompts import Choose, legal_answers
from companion.draw.canvas import Canvas
from companion.say.words import LANGUAGES, Words
from tests.door.callers import House
from tests.door.test_worded import PROBE, last, playing, watching
from tests.helpers import VIRTUAL_PARTS_OPTIONS, begin_game, setup_for, words_for


def there(house: House) -> tuple[str, ...]:
    """Return the players who are asked on a phone now."""
    return house.drive.table.players_asked_on_phones


def has(frame: bytes, page: int, text: str) -> bool:
    """Return True if a row of a frame begins with a text."""
    canvas = Canvas()
    canvas.draw_text(page, 0, text)
    at, width = 128 * page, 6 * len(text)
    return canvas.frame[at : at + width] == frame[at : at + width]


def test_a_player_with_a_phone_is_told_to_use_it_and_nobody_hands_the_box_on() -> None:
    house = playing("barney-miller", VIRTUAL_PARTS_OPTIONS)
    watching(house, "Cy")
    house.drive.skip()
    assert there(house) == ("Cy",)
    assert has(house.drive.frame, 6, "CY: on the phone")
    assert has(house.drive.frame, 7, "hold OK: here instead")


def test_the_voice_sends_each_player_to_the_own_phone() -> None:
    house = playing("probe", PROBE)
    watching(house, "Bob")
    ann = watching(house, "Ann")
    house.drive.skip()
    ann.answer("PROBE")
    house.drive.skip()
    assert there(house) == ("Ann", "Bob"), "the order of answers must stay secret"
    assert has(house.drive.frame, 6, "on their phones")


def test_the_question_is_spoken_to_the_phone_and_not_to_the_box() -> None:
    house = playing("barney-miller", VIRTUAL_PARTS_OPTIONS)
    phones = {who: watching(house, who) for who in ("Ann", "Bob", "Cy")}
    house.drive.skip()
    house.drive.speaker.heard.clear()
    phones["Cy"].answer(0)
    assert "en: Ann, on your phone: play a card." in house.drive.speaker.heard
    assert not any("take the box" in line for line in house.drive.speaker.heard)


def test_a_question_on_the_phone_is_announced_in_full_once_a_player() -> None:
    house = playing("barney-miller", VIRTUAL_PARTS_OPTIONS)
    phones = {who: watching(house, who) for who in ("Ann", "Bob", "Cy")}
    house.drive.skip()
    asked = []
    for _ in range(12):
        prompt = house.drive.table.menu_or_game_prompt
        if prompt is None or prompt.name != "play_card":
            break
        asked.append(str(prompt.who))
        phones[str(prompt.who)].answer(legal_answers(prompt)[0])
        house.drive.skip()
    again = {who for who in asked if asked.count(who) > 1}
    assert again
    for who in again:
        full = f"en: {who}, on your phone: play a card."
        assert house.drive.speaker.heard.count(full) <= 1
        assert f"en: {who}." in house.drive.speaker.heard


def test_without_a_phone_or_when_it_goes_the_box_is_handed_on() -> None:
    house = playing("probe", PROBE)
    house.drive.skip()
    ann = watching(house, "Ann")
    assert there(house) == ("Ann",)
    ann.go()
    assert there(house) == ()
    assert has(house.drive.frame, 7, "hold OK to begin")


def test_who_looks_at_the_box_instead_answers_there() -> None:
    house = playing("probe", PROBE)
    house.drive.skip()
    watching(house, "Ann")
    house.drive.down("ok")
    house.drive.wait(0.5)
    assert house.drive.table.cursor.looking == "Ann"
    house.drive.up("ok")
    assert there(house) == ()


def test_a_question_for_a_phone_calls_its_player_in_each_language_and_names_no_box() -> None:
    for game in ("probe", "barney-miller"):
        for language in LANGUAGES:
            words = words_for(game, language)
            for name in ("word", "uncover", "play_card", "zero", "keep_word", "other"):
                if name in ("word", "uncover") and game != "probe":
                    continue
                prompt = Choose(name, "Bob", (1, 2), private=True, facts={"rack": "Bob"})
                said = words.spoken_question(prompt, {}, phone=True)
                assert said.startswith("Bob, ")
                assert not {"box", "boîte"} & {*said.split()}


def test_voice_curtain_and_phone_say_which_of_two_words_is_spelt() -> None:
    wanted = {
        "en": ("spell your left-hand word", "now your right-hand word"),
        "fr": ("épelez votre mot de gauche", "puis votre mot de droite"),
    }
    for language, spelt in wanted.items():
        setup = setup_for(PROBE, game="probe", players=("Ann", "Bob"))
        house = House(begin_game(setup), language)
        house.drive.resume()
        for at, own in enumerate(spelt):
            house.drive.skip()
            prompt, words = (
                house.drive.session.standing.pending_prompt,
                words_for("probe", language),
            )
            assert prompt is not None
            assert own in words.reason_for_private_question(prompt, {}).lower()
            for way in ({}, {"short": True}, {"phone": True}):
                assert own in words.spoken_question(prompt, {}, **way)
            if at == 0:
                phone = watching(house, "Ann")
            assert own in last(phone, "ask")["sentence"]
            phone.answer("PROBE")
            house.drive.skip()


def test_the_words_of_more_than_two_players_have_no_side() -> None:
    house = playing("probe", PROBE)
    assert last(watching(house, "Ann"), "ask")["sentence"] == "Ann, spell your word."


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_a_player_answers_on_a_phone_is_said_the_first_time_only(language: str) -> None:
    words = Words(language)
    prompt = Choose("play_card", "Ann", (1, 2), private=True)
    first = words.spoken_question(prompt, {}, phone=True)
    assert first == words("box.phone.any", who="Ann")
    assert words.spoken_question(prompt, {}, short=True, phone=True) == words(
        "box.say.any", who="Ann"
    )


def test_an_answer_on_a_phone_turns_the_sand_glass_which_the_phone_sees_run() -> None:
    house = playing("barney-miller", VIRTUAL_PARTS_OPTIONS)
    drive = house.drive
    drive.skip()
    drive.services.turn.save_settings({"timer": "60"})
    phones = {who: watching(house, who, frames=True) for who in ("Ann", "Bob", "Cy")}
    shown = len(phones["Ann"].heard)
    drive.wait(31)
    assert drive.table.sand == 8
    assert shown < len(phones["Ann"].heard)
    assert last(phones["Ann"], "frame")["png"] == drive.frame.hex()
    assert sand(drive.frame) == 64
    phones["Cy"].answer(0)
    drive.skip()
    assert drive.session.standing.snapshot.view["to_act"] != "Cy"
    assert (drive.table.sand, sand(drive.frame)) == (16, 128)
    assert last(phones["Ann"], "frame")["png"] == drive.frame.hex()


def test_an_answer_on_a_phone_ends_a_reminder_and_begins_the_minute_anew() -> None:
    house = playing("barney-miller", VIRTUAL_PARTS_OPTIONS)
    cy, drive = watching(house, "Cy"), house.drive
    drive.services.turn.save_settings({"nudge": True})
    drive.skip()
    drive.wait(REMINDER_SECONDS + 1)
    assert drive.table.nudged
    cy.answer(0)
    assert not drive.table.nudged
    drive.wait(REMINDER_SECONDS - 1)
    assert not drive.table.nudged
    drive.wait(2)
    assert drive.table.nudged


def test_a_program_that_only_watches_keeps_no_player_from_being_reminded() -> None:
    house = playing("barney-miller", VIRTUAL_PARTS_OPTIONS)
    drive, caller = house.drive, house.caller()
    drive.services.turn.save_settings({"nudge": True})
    drive.skip()
    caller.say(frame=True)
    drive.wait(REMINDER_SECONDS - 2)
    caller.say(frame=True)
    drive.wait(3)
    assert drive.table.nudged
    caller.say(frame=True)
    assert drive.table.nudged


def sand(frame: bytes) -> int:
    """Return the number of lit columns in the frame's lowest row."""
    return sum(column >> 7 for column in frame[-128:])
