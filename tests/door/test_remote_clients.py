"""Tests of programs at a running box: rights, received messages, and simultaneous answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest

from companion.catalog import services
from companion.core.prompts import Choose, legal_answers
from companion.door import stdio
from companion.door.line_history import LineHistory
from companion.door.lines import MAX_LINE_BYTES, Message
from companion.door.report import LazyLine
from companion.play.standing import Standing
from companion.record.journal import Journal
from companion.remote import remote_clients
from companion.remote.verbs import request_schemas
from companion.say.dictionary import WordVerdict
from tests import helpers
from tests.door.callers import Caller, House, kinds
from tests.helpers import (
    OWN_PARTS_OPTIONS,
    VIRTUAL_PARTS_OPTIONS,
    begin_game,
    called_documented_functions,
    documented_functions,
    raise_full_disk,
    setup_for,
    words_for,
)
from tests.protocol_page import field_rows
from tests.talks import ROOT

REAL: Final = OWN_PARTS_OPTIONS | {"die": "real"}
"""A real die: the first question is for the player who rolls."""
PROBE: Final = {"words": "secret", "deck": "virtual", "remember": "no"}


def playing(
    options: Mapping[str, str] = VIRTUAL_PARTS_OPTIONS,
    *,
    game: str = "barney-miller",
    players: tuple[str, ...] = ("Ann", "Bob"),
    language: str = "en",
    look_up: Any = None,
) -> House:
    setup = setup_for(options, game=game, players=players)
    house = House(begin_game(setup), language, *(() if look_up is None else (look_up,)))
    house.drive.resume()
    return house


def numbers(messages: list[Message]) -> list[int]:
    return [message["event_id"] for message in messages if "event_id" in message]


def code_of(messages: list[Message]) -> str:
    (error,) = messages
    assert error["type"] == "error"
    assert error["message"]
    return str(error["code"])


# --- joining --------------------------------------------------------------------------------------


def test_whoever_comes_in_is_told_which_game_is_played_or_that_none_is() -> None:
    (idle,) = House().caller().heard
    assert (idle["protocol"], idle["game"], idle["players"]) == (1, None, [])
    (hello,) = playing().caller().heard
    assert (hello["game"], hello["players"]) == ("barney-miller", ["Ann", "Bob"])


def test_without_a_game_only_what_needs_none_is_done() -> None:
    caller = House().caller(owner=True)
    assert caller.say(state=True) == [{"type": "state"}]
    assert kinds(caller.say(watch=True)) == ["hello"]
    verbs: tuple[Message, ...] = ({"answer": 1}, {"undo": True}, {"why": True}, {"look": True})
    for verb in (*verbs, {"interrupt": {}}):
        assert code_of(caller.say(**verb)) == "no_game"


def test_a_line_goes_the_way_that_the_remote_clients_tell() -> None:
    house, told = (
        House(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS | {"die": "real"}))),
        documented_functions(remote_clients),
    )
    house.drive.resume()
    caller = house.caller(owner=True)
    caller.say(watch=True)
    assert called_documented_functions(told, lambda: caller.say(answer=4)) == told


def test_each_line_that_can_not_be_taken_is_one_error_with_a_code() -> None:
    caller = playing().caller(owner=True)
    codes = {
        b"{": "not_json", b" " * (MAX_LINE_BYTES + 1): "too_long", b"{}": "one_verb",
        b'{"undo": true, "redo": true}': "one_verb", b'{"undo": 1}': "say_true",
        b'{"watch": true, "id": 1}': "stray_id", b'{"answer": 1, "id": "1"}': "other_id",
        b'{"watch": true, "after": "1"}': "not_so", b'{"watch": true, "frames": 1}': "not_so",
        b'{"join": "Ann"}': "not_so", b'{"join": "Ann", "code": "A", "token": "B"}': "not_so",
        b'{"join": 1, "code": "A"}': "not_so", b'{"address": "here"}': "not_so",
        b'{"check": "WORD"}': "not_yours", b'{"redo": true}': "nothing_to_redo",
        b'{"interrupt": {"stop": true}}': "not_asked", b'{"look": true}': "join_first",
    }  # fmt: skip
    assert {line: code_of(caller.line(line)) for line in codes} == codes


def test_errors_are_in_the_language_of_the_box() -> None:
    caller = playing(language="fr").caller(owner=True)
    (error,) = caller.say(redo=True)
    words = words_for("barney-miller", "fr")
    assert error["message"] == words("box.cue.refused.nothing_to_redo.text").replace("|", " ")


# --- watching -------------------------------------------------------------------------------------


def test_what_is_told_is_numbered_and_grows_by_one() -> None:
    house = playing()
    ann, bob, watcher = house.phone("Ann"), house.phone("Bob"), house.caller()
    for caller in (ann, bob, watcher):
        caller.say(watch=True)
    for _ in range(6):
        who = (
            house.drive.session.standing.pending_prompt.who
            if house.drive.session.standing.pending_prompt
            else None
        )
        caller = ann if who == "Ann" else bob
        caller.answer(caller.asked["choices"][0]["value"])
    for caller in (ann, bob, watcher):
        told = numbers(caller.heard)
        assert len(told) > 20
        assert all(after == before + 1 for before, after in pairwise(told))


def test_whoever_was_away_hears_what_was_missed_and_nothing_twice() -> None:
    house = playing(REAL)
    owner, sleeper, awake = house.caller(owner=True), house.caller(), house.caller()
    sleeper.say(watch=True)
    awake.say(watch=True)
    last, before = numbers(sleeper.heard)[-1], len(awake.heard)
    sleeper.go()
    for value in (3, 4):
        owner.say(answer=value)
    again = house.caller()
    assert again.say(watch=True, after=last) == awake.heard[before:]
    assert again.say(watch=True, after=numbers(again.heard)[-1]) == []


@pytest.mark.parametrize("away", [-1, 0, 10**15])
def test_whoever_was_away_for_too_long_is_told_how_things_stand(away: int) -> None:
    caller = playing(REAL).caller()
    assert kinds(caller.say(watch=True, after=away)) == ["hello", "state", "ask"]


def test_numbers_of_before_a_restart_are_too_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    before = playing(REAL)
    owner = before.caller(owner=True)
    owner.say(watch=True)
    owner.answer(3)
    monkeypatch.setattr(helpers, "NOW_SECONDS", helpers.NOW_SECONDS + 1)
    after = playing(REAL).caller(owner=True)
    last = numbers(owner.heard)[-1]
    told = after.say(watch=True, after=last)
    assert kinds(told) == ["hello", "state", "ask"]
    assert numbers(told)[0] > last
    assert after.asked["id"] > owner.asked["id"]


def test_a_secret_that_nobody_has_heard_is_not_kept_for_later() -> None:
    """A secret that is undone before a player looks must not make the undo need agreement."""
    stream = LineHistory(0)
    stream.number_and_add_lines([LazyLine(lambda: '{"a": 1}\n', own=False)], heard=False)
    assert stream.lines_after_number(0) == b'{"a": 1, "event_id": 1}\n'
    stream.number_and_add_lines([LazyLine(lambda: '{"b": 1}\n', own=True)], heard=True)
    assert stream.lines_after_number(1) == b'{"b": 1, "event_id": 2}\n'
    stream.number_and_add_lines(
        [LazyLine(lambda: '{"c": 1}\n', own=True), LazyLine(lambda: '{"d": 1}\n', own=False)],
        heard=False,
    )
    assert (
        stream.lines_after_number(2),
        stream.lines_after_number(1),
        stream.lines_after_number(4),
    ) == (
        None,
        None,
        b"",
    )
    assert stream.lines_after_number(3) == b'{"d": 1, "event_id": 4}\n'


def test_another_game_is_told_by_a_new_hello() -> None:
    house = playing(REAL)
    watcher = house.caller()
    watcher.say(watch=True)
    before = len(watcher.heard)
    house.drive.press("back")
    house.drive.choose("leave")
    (left,) = watcher.heard[before:]
    assert (left["type"], left["game"]) == ("hello", None)
    house.drive.resume()
    assert kinds(watcher.heard[before + 1 :]) == ["hello", "state", "ask"]


def test_who_does_not_watch_is_answered_and_told_nothing_else() -> None:
    house = playing(REAL)
    one, other = house.caller(owner=True), house.caller(owner=True)
    assert kinds(one.say(answer=3))[-2:] == ["state", "ask"]
    assert kinds(other.heard) == ["hello"]
    assert numbers(one.heard) == []


# --- simultaneous answers -------------------------------------------------------------------------


def test_a_button_that_was_first_makes_the_phone_late_and_shows_it_what_stands() -> None:
    house = playing(REAL)
    phone = house.caller(owner=True)
    phone.say(watch=True)
    asked = phone.asked["id"]
    house.drive.press("ok")
    (late,) = phone.say(answer=3, id=asked)
    assert late["code"] == "late"
    assert late["ask"]["id"] == house.caller(owner=True).say(watch=True)[-1]["id"] > asked


def test_a_phone_that_was_first_makes_the_press_that_was_on_its_way_mean_nothing() -> None:
    house = playing(REAL)
    phone = house.caller(owner=True)
    phone.say(watch=True)
    phone.answer(3)
    answered = house.drive.session.standing.snapshot.position
    house.drive.buttons.press("ok")  # the press began before the answer arrived
    house.drive.pump()
    assert house.drive.session.standing.snapshot.position == answered
    house.drive.skip()
    house.drive.press("ok")
    assert house.drive.session.standing.snapshot.position > answered


def test_a_button_that_is_held_when_a_phone_answers_does_nothing_when_it_comes_up() -> None:
    house = playing(REAL)
    phone = house.caller(owner=True)
    phone.say(watch=True)
    house.drive.down("ok")
    phone.answer(3)
    house.drive.skip()
    answered = house.drive.session.standing.snapshot.position
    house.drive.up("ok")
    assert house.drive.session.standing.snapshot.position == answered


def test_an_answer_that_comes_twice_is_taken_once() -> None:
    house = playing(REAL)
    phone = house.caller(owner=True)
    phone.say(watch=True)
    asked = phone.asked["id"]
    assert kinds(phone.say(answer=3, id=asked))[-1] == "ask"
    assert code_of(phone.say(answer=3, id=asked)) == "late"


def test_what_a_phone_answers_is_shown_and_heard_at_the_box() -> None:
    house = playing(REAL)
    frames, heard = len(house.drive.frames), len(house.drive.speaker.heard)
    house.caller(owner=True).say(answer=3)
    assert len(house.drive.frames) > frames
    assert "♪ accepted" in house.drive.speaker.heard[heard:]


def test_what_a_phone_brought_up_is_answered_by_no_press_that_was_on_its_way() -> None:
    house = playing(REAL)
    house.drive.wait(1)
    house.caller(owner=True).say(answer=3)
    before = house.drive.session.standing.snapshot.position, house.drive.moments
    house.drive.press("ok", gap=0)
    assert (house.drive.session.standing.snapshot.position, house.drive.moments) == before


def test_what_a_button_answers_is_told_after_it_is_written_down() -> None:
    house = playing(REAL)
    watcher = house.caller()
    watcher.say(watch=True)
    written: list[int] = []
    commit, session = house.drive.session.commit, house.drive.session

    def noting() -> None:
        commit()
        written.append(len(watcher.heard))

    session.commit = noting  # type: ignore[method-assign]
    before = len(watcher.heard)
    house.drive.press("ok")
    assert written == [before]
    assert kinds(watcher.heard[before:])[-2:] == ["state", "ask"]


# --- rights of seats ------------------------------------------------------------------------------


def test_a_guest_without_a_seat_only_watches() -> None:
    guest = playing(REAL).caller()
    verbs: tuple[Message, ...] = ({"answer": 1}, {"undo": True}, {"redo": True}, {"look": True})
    for verb in (*verbs, {"interrupt": {}}):
        assert code_of(guest.say(**verb)) == "join_first"
    assert kinds(guest.say(state=True)) == ["state"]
    assert kinds(guest.say(why=True)) == ["tell"]
    assert kinds(guest.say(watch=True)) == ["hello", "state", "ask"]


def test_a_seat_answers_its_own_questions_and_those_of_the_table() -> None:
    house = playing()
    ann, bob = house.phone("Ann"), house.phone("Bob")
    for caller in (ann, bob):
        caller.say(watch=True)
    asked = house.drive.session.standing.pending_prompt
    assert asked is not None
    mine, other = (ann, bob) if asked.who == "Ann" else (bob, ann)
    assert other.asked["choices"] == []
    assert other.asked["hidden"] is True
    value = mine.asked["choices"][0]["value"]
    assert code_of(other.answer(value)) == "not_yours"
    assert kinds(mine.answer(value))[-2:] == ["ask", "offers"]


def test_the_owner_answers_what_is_public_and_nothing_private() -> None:
    owner = playing(REAL).caller(owner=True)
    assert kinds(owner.say(answer=2))[-1] == "ask"
    assert code_of(playing().caller(owner=True).say(answer=2)) == "not_yours"


def test_nobody_interrupts_as_somebody_else() -> None:
    house = playing(PROBE, game="probe")
    ann = house.phone("Ann")
    assert code_of(ann.say(interrupt={"who": "Bob", "whom": "Ann", "guess": "WORD"})) == "not_yours"


# --- honest undo ----------------------------------------------------------------------------------


def seen(house: House) -> list[str | None]:
    session = house.drive.session
    _, lines = house.drive.journal.read_game_header_and_lines(session.number)
    return [line.who for line in lines if line.kind == "seen"]


def test_a_secret_that_reaches_a_phone_is_written_down_as_seen_before() -> None:
    house = playing()
    ann = house.phone("Ann")
    assert seen(house) == []
    ann.say(watch=True)
    assert seen(house) == ["Ann"]
    assert kinds(ann.heard).count("secret") == 1


def test_a_look_is_written_down_as_seen_and_tells_the_secret() -> None:
    house = playing()
    ann = house.phone("Ann")
    (look,) = ann.say(look=True)
    own = next(
        cue for cue in house.drive.session.standing.private_facts_of_all_players if cue.to == "Ann"
    )
    assert (look["event"], look["who"]) == ("look", "Ann")
    (secret,) = look["secrets"]
    assert (secret["event"], secret["cards"]) == ("hand", list(own.facts["cards"]))
    assert look["text"] == secret["text"]
    assert seen(house) == ["Ann"]


def until_the_table_is_asked(*phones: Caller) -> None:
    """Play and try to undo, until an undo needs everybody's agreement."""
    for _ in range(60):
        asked = next(phone for phone in phones if phone.asked["choices"])
        asked.answer(asked.asked["choices"][-1]["value"])
        if asked.say(undo=True)[0].get("question") == "agree_undo":
            return
        asked.say(redo=True)
    pytest.fail("no undo needed agreement")


def test_what_a_phone_has_seen_is_taken_back_only_if_the_table_agrees() -> None:
    house = playing()
    ann, bob = house.phone("Ann"), house.phone("Bob")
    ann.say(watch=True)
    bob.say(watch=True)
    until_the_table_is_asked(ann, bob)
    assert (bob.asked["question"], bob.asked["who"]) == ("agree_undo", None)
    again = ann.say(undo=True)  # the repeated request gets the question again
    assert (kinds(again), again[0]["id"]) == (["ask"], bob.asked["id"])
    assert kinds(bob.answer("no")) == ["state", "ask", "offers"]
    ann.say(undo=True)
    told = bob.answer("yes")
    assert (told[0]["event"], told[0]["agreed"]) == ("undone", True)


def test_the_seat_that_asked_for_an_undo_does_not_agree_to_it_alone_but_the_box_does() -> None:
    house = playing()
    ann, bob = house.phone("Ann"), house.phone("Bob")
    for phone in (ann, bob):
        phone.say(watch=True)
    until_the_table_is_asked(ann, bob)
    bob.answer("no")
    before = house.drive.session.standing.snapshot.position
    ann.say(undo=True)
    (refused,) = ann.answer("yes")
    assert refused["code"] == "another"
    assert house.drive.session.standing.snapshot.position == before
    house.drive.choose("yes")
    assert house.drive.session.standing.snapshot.position < before


def test_an_answer_that_can_not_be_written_has_not_happened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing(REAL)
    owner, watcher = house.caller(owner=True), house.caller()
    watcher.say(watch=True)
    before, table = watcher.raw, house.drive.session.standing.snapshot.position

    monkeypatch.setattr(Journal, "append_entries_to_game", raise_full_disk)
    assert code_of(owner.say(answer=3)) == "full"
    assert house.drive.session.standing.snapshot.position == table
    assert watcher.raw == before
    assert house.drive.front.name == "refused"


def test_a_secret_is_not_told_where_it_can_not_be_written_down_as_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing()
    ann = house.phone("Ann")

    monkeypatch.setattr(Journal, "append_entries_to_game", raise_full_disk)
    assert code_of(ann.say(watch=True)) == "full"
    assert code_of(ann.say(look=True)) == "full"
    assert "secret" not in kinds(ann.heard)


def test_a_game_that_raises_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    house = playing(REAL)
    owner = house.caller(owner=True)
    done = house.wire.done

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(house.drive.session), "answer", broken)
    assert code_of(owner.say(answer=3)) == "failed"
    assert house.wire.done == done + 1


def test_a_game_that_raises_at_an_answer_goes_on_from_where_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing(REAL)
    owner, before = house.caller(owner=True), house.drive.session.standing.snapshot

    def broken(_session: object, _now: int) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(type(house.drive.session), "_settle", broken)
        assert code_of(owner.say(answer=3)) == "failed"
        assert house.drive.session.standing.snapshot == before
    assert kinds(owner.say(answer=3)) == ["state", "ask"]


def test_an_answer_that_fails_half_way_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    house = playing(REAL)
    owner, before = house.caller(owner=True), house.drive.session.standing

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr("companion.table.moves.table_after_answer", broken)
        assert code_of(owner.say(answer=3)) == "failed"
    assert house.drive.session.standing is before
    assert kinds(owner.say(answer=3)) == ["state", "ask"]


def test_a_failure_after_the_commit_of_an_answer_is_for_the_box(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing(REAL)
    owner, before = house.caller(owner=True), house.drive.session.standing

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("companion.box.speech.Speech._say", broken)
    with pytest.raises(ZeroDivisionError):
        owner.say(answer=3)
    assert house.drive.session.standing is not before


@pytest.mark.long
@pytest.mark.parametrize("line", [
    b'{"join": "Ann", "token": "\\ud800"}', b'{"join": "\\udfff", "code": "A"}',
    b'{"answer": 1e999}', b'{"wish": ' + b"[" * 973 + b"]" * 973 + b"}",
])  # fmt: skip
def test_what_no_program_can_mean_is_no_line_at_all(line: bytes) -> None:
    assert code_of(playing().caller(owner=True).line(line)) == "not_json"


def test_a_verb_that_raises_is_an_error_to_its_asker_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing(REAL)
    caller, other, owner = house.caller(), house.caller(), house.caller(owner=True)
    other.say(watch=True)
    before, frame = len(other.heard), house.drive.frame

    def broken(*_: object) -> None:
        raise UnicodeError

    monkeypatch.setattr("companion.remote.join_codes.hash_token", broken)
    assert code_of(caller.say(join="Ann", token="0" * 32)) == "failed"
    assert (len(other.heard), house.drive.frame) == (before, frame)
    assert kinds(owner.say(answer=3)) == ["state", "ask"]


# --- the display ----------------------------------------------------------------------------------


def test_the_frame_is_the_display_s_and_covers_an_open_secret() -> None:
    house = playing()
    caller = house.caller()
    (frame,) = caller.say(frame=True)
    assert frame["png"] == house.drive.frame.hex()
    curtain = house.drive.frame
    house.drive.down("ok")
    house.drive.wait(0.7)
    assert house.drive.frame != curtain
    (covered,) = caller.say(frame=True)
    assert covered["png"] != house.drive.frame.hex()


def test_frames_come_as_they_are_shown_to_whoever_asked_for_them() -> None:
    house = playing(REAL)
    plain, watcher = house.caller(), house.caller()
    plain.say(watch=True)
    assert kinds(watcher.say(watch=True, frames=True))[-1] == "frame"
    before = len(watcher.heard)
    house.drive.press("up")
    (frame,) = watcher.heard[before:]
    assert frame["png"] == house.drive.frame.hex()
    assert frame["event_id"] == numbers(plain.heard)[-1]
    assert "frame" not in kinds(plain.heard)


def test_a_phone_that_sees_its_secret_for_the_first_time_may_ask_for_frames_at_once() -> None:
    house = House(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS)))
    house.drive.resume()
    phone = house.phone("Fish")
    assert house.drive.session.standing.history.has_unseen_secret("Fish")
    phone.say(watch=True, frames=True)
    assert phone.heard[-1]["type"] == "frame"
    assert not house.drive.session.standing.history.has_unseen_secret("Fish")


def test_no_frame_outside_the_room_shows_the_code() -> None:
    house = playing(REAL)
    caller = house.caller()
    house.open_phones()
    (one,) = caller.say(frame=True)
    assert one["png"] != house.drive.frame.hex()
    house.drive.wait(130)
    (other,) = caller.say(frame=True)
    assert len({code for code, _ in house.codes}) == 2
    assert one == other


# --- the box continues ----------------------------------------------------------------------------


def test_a_menu_stays_open_while_a_phone_plays_on_and_shows_what_holds() -> None:
    house = playing(REAL)
    house.drive.press("back")
    facts = house.drive.state.facts
    assert (house.drive.page, facts.undoable) == ("menu", 0)
    house.caller(owner=True).say(answer=3)
    assert (house.drive.page, house.drive.state.facts.undoable) == ("menu", 1)
    assert house.drive.moments == ()
    house.drive.press("back")
    assert house.drive.page is None


def test_whoever_has_a_phone_is_not_handed_the_box_for_a_look() -> None:
    options = {**VIRTUAL_PARTS_OPTIONS, "die": "real"}
    alone, with_phones = playing(options), playing(options)
    for name in ("Ann", "Bob"):
        with_phones.phone(name).say(watch=True)
    for house in (alone, with_phones):
        house.drive.skip()
    assert with_phones.drive.table.curtain is None


def test_the_word_lists_are_asked_before_a_word_counts() -> None:
    def look_up(word: str, _: str) -> WordVerdict:
        return WordVerdict(word == "COMPANION", ("words",), is_proper_name=word == "FLORIDA")

    house = playing(PROBE, game="probe", look_up=look_up)
    ann = house.phone("Ann")
    ann.say(watch=True)
    (known,) = ann.say(check="COMPANION")
    assert known == {"type": "checked", "known": True, "flaw": None}
    (unknown,) = ann.say(check="XQZVW")
    assert (unknown["known"], unknown["flaw"]) == (False, None)
    (name,) = ann.say(check="FLORIDA")
    refused = words_for("probe", "en")("box.cue.refused.word_name.text")
    assert (name["known"], name["flaw"]) == (None, refused)  # clause PR-1
    (short,) = ann.say(check="A")
    assert short["known"] is None
    assert short["flaw"]
    assert code_of(house.caller(owner=True).say(check="COMPANION")) == "not_yours"


def test_quit_ends_the_connection_and_nothing_else() -> None:
    house = playing(REAL)
    caller = house.caller()
    assert caller.say(quit=True) == []
    assert house.wire.dropped == [caller.peer.number]
    assert house.drive.session


def test_the_end_of_the_box_ends_the_door() -> None:
    house = playing(REAL)
    house.drive.loop.close()
    assert house.wire.closed


# --- docs/protocol.md -----------------------------------------------------------------------------


DOOR: Final = ("companion/door", "companion/remote")


def test_every_line_and_error_of_the_door_is_in_the_docs_and_no_other() -> None:
    documented = {*field_rows("Lines to the door", ""), *stdio.STDIO_REQUESTS}
    assert documented == {*request_schemas()}
    raised = {
        code
        for folder in (*map(ROOT.joinpath, DOOR), *services.SERVICE_FOLDERS.values())
        for path in folder.rglob("*.py")
        for code in re.findall(
            r'(?:ProtocolLineError\(|\bqueue_error\([\w.]+, |, code=)"(\w+)"',
            path.read_text("utf-8"),
        )
    }
    told = {*field_rows("Errors of the door", ""), "not_json", "too_long", "one_verb", "stray_id"}
    assert {*told, "say_true", "other_id"} == {*raised, "late", "refused", "full"}


# --- the backup to a USB stick --------------------------------------------------------------------


@pytest.mark.parametrize("how", ["kept", "failed"])
def test_how_a_backup_onto_a_stick_ended_is_told_on_the_display(how: str) -> None:
    house = playing()
    before = house.drive.frame
    assert not [message for message in house.caller(owner=True).say(stick=how) if "code" in message]
    assert house.drive.front.name == f"stick_{how}"
    assert house.drive.frame != before
    # the game's question waits behind the overlay
    assert house.drive.session.standing.pending_prompt is not None


def test_a_line_about_a_stick_is_taken_from_the_owner_alone_and_only_as_one_of_two() -> None:
    house = playing()
    shown = house.drive.frame
    assert code_of(house.caller().say(stick="kept")) == "not_so"
    owner = house.caller(owner=True)
    wrong: tuple[Any, ...] = ("", "full", True, None, {})
    for how in wrong:
        assert code_of(owner.say(stick=how)) == "not_so"
    assert (house.drive.frame, house.drive.moments) == (shown, ())


def test_a_form_that_is_cancelled_after_the_end_is_answered_with_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing(PROBE, game="probe")
    session, rng = house.drive.session, Random(1)
    while (prompt := session.standing.pending_prompt) is not None:
        session.answer(rng.choice(legal_answers(prompt)), 0)
    session.commit()
    only = Choose("misspelled", None, ("Ann",))
    monkeypatch.setattr(Standing, "out_of_turn_questions", (only,))
    owner = house.caller(owner=True)
    owner.say(watch=True, confirm=True)
    (sure,) = owner.say(fill="misspelled")
    assert sure["sure"]
    assert kinds(owner.say(answer="no", id=sure["id"])) == ["over"]
