"""Tests of the door's sentences: a language for each phone, forms, and confirmations."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

import pytest

from companion.catalog import editions, registry
from companion.core.chance import Chance
from companion.core.prompts import Form, legal_answers
from companion.door.lines import Message
from companion.play import begin
from companion.play.standing import UNDO_AGREEMENT
from companion.remote import join_codes as codes
from companion.say.dictionary import Dictionary, WordVerdict
from tests.door.callers import Caller, House, kinds
from tests.door.examples import GAMES, example, seated
from tests.helpers import OWN_PARTS_OPTIONS, begin_game, long_lane_params, setup_for, words_for
from tests.scenes.baretta import HUNCH

PROBE: Final = {"words": "secret", "deck": "virtual", "remember": "no"}
REAL: Final = OWN_PARTS_OPTIONS | {"die": "real"}
SPELT: Final = ("PROBE", "FLAP", "MANOEUVRE")


def playing(
    game: str, options: Mapping[str, str], *answers: Any, language: str = "en", look_up: Any = None
) -> House:
    """Return a box with a running game of three."""
    setup = setup_for(options, game=game, players=("Ann", "Bob", "Cy"))
    house = House(begin_game(setup, answers), language, *(() if look_up is None else (look_up,)))
    house.drive.resume()
    return house


def usual(game: str) -> dict[str, str]:
    """Return each option's first value."""
    return {option.name: option.values[0] for option in registry.find_game(game).options}


def watching(house: House, seat: str | None = None, **said: Any) -> Caller:
    """Connect a phone, or a program of the owner, that shows confirmations to a person."""
    caller = house.caller(owner=True) if seat is None else house.phone(seat)
    caller.say(watch=True, **({"confirm": True} | said))
    return caller


def last(caller: Caller, kind: str) -> Message:
    return next(message for message in caller.heard[::-1] if message["type"] == kind)


def only(messages: list[Message]) -> Message:
    (message,) = messages
    return message


def code_of(messages: list[Message]) -> str:
    error = only(messages)
    assert error["type"] == "error"
    return str(error["code"])


# --- version and language -------------------------------------------------------------------------


def test_every_connection_speaks_version_1_in_the_language_it_names() -> None:
    house = playing("barney-miller", REAL)
    for said in ({}, {"confirm": True}, {"lang": "en"}, {"lang": "fr", "confirm": False}):
        caller = house.caller()
        assert caller.heard[0]["protocol"] == 1
        hello = caller.say(watch=True, **said)[0]
        assert (hello["protocol"], hello["lang"]) == (1, said.get("lang", "en"))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("said", [{"lang": "de"}, {"lang": 1}, {"confirm": 1}, {"confirm": "yes"}])
def test_a_language_that_the_box_does_not_speak_is_not_so(said: dict[str, Any]) -> None:
    assert code_of(playing("barney-miller", REAL).caller().say(watch=True, **said)) == "not_so"


def test_each_connection_is_told_all_in_its_own_language() -> None:
    house = playing("barney-miller", REAL)
    english, french = watching(house, lang="en"), watching(house, lang="fr")
    for value in (3, 4, 5):
        english.answer(value)
    for caller, language in ((english, "en"), (french, "fr")):
        words = words_for("barney-miller", language)
        ask, tell = last(caller, "ask"), last(caller, "tell")
        assert ask["ok"] == words("box.ok.answer")
        assert tell["text"]
        assert last(caller, "hello")["title"] == words("barney-miller.name")
        assert only(caller.say(redo=True))["message"] == words(
            "box.cue.refused.nothing_to_redo.text"
        ).replace("|", " ")
    assert last(english, "tell")["sentence"] != last(french, "tell")["sentence"]
    assert last(english, "ask")["id"] == last(french, "ask")["id"]


def test_a_seats_own_phone_speaks_the_language_of_the_seat() -> None:
    house = playing("probe", PROBE)
    house.drive.services.turn.save_settings({"languages": {"Bob": "fr"}})
    ann, bob = watching(house, "Ann"), watching(house, "Bob")
    assert (last(ann, "hello")["lang"], last(bob, "hello")["lang"]) == ("en", "fr")
    asked = last(watching(house, "Cy", lang="fr"), "ask")["text"]
    assert asked.removeprefix("Cy") == last(bob, "ask")["text"].removeprefix("Bob")


def test_another_language_tells_all_anew_with_numbers_of_its_own() -> None:
    house = playing("barney-miller", REAL)
    caller = watching(house, lang="fr")
    before = caller.heard[-1]["event_id"]
    told = caller.say(watch=True, lang="en", after=before)
    assert kinds(told) == ["hello", "state", "ask"]
    numbers = [message["event_id"] for message in told]
    assert all(after == one + 1 for one, after in pairwise(numbers))
    assert before not in numbers
    assert caller.say(watch=True, after=numbers[-1]) == []


def test_a_phone_hears_what_it_missed_in_its_language() -> None:
    house = playing("barney-miller", REAL)
    owner, sleeper, awake = (watching(house, lang="fr") for _ in range(3))
    at, before = sleeper.heard[-1]["event_id"], len(awake.heard)
    sleeper.go()
    owner.answer(3)
    owner.answer(4)
    again = house.caller(owner=True)
    assert again.say(watch=True, lang="fr", confirm=True, after=at) == awake.heard[before:]
    guest = house.caller()  # a guest receives other lines than an owner, so the guest missed all
    told = guest.say(watch=True, lang="fr", confirm=True, after=at)
    assert kinds(told) == ["hello", "state", "ask"]


# --- other fields of lines ------------------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_all_that_can_be_read_of_the_table_is_there_in_words(game: str) -> None:
    caller = watching(playing(game, usual(game)), lang="fr")
    hello, state, ask = last(caller, "hello"), last(caller, "state"), last(caller, "ask")
    assert {one["name"]: one["value"] for one in hello["settings"]} == hello["options"]
    assert all(one["text"] for one in hello["settings"])
    assert {row["name"] for row in state["facts"]} <= state.keys()
    assert all(("text" in row) != ("by" in row) for row in state["facts"])
    assert {row["name"] for row in state["facts"]} >= {"to_act"} & state.keys()
    assert all(type(name) is str for name in state["named"].values())
    assert ask["sentence"]
    assert ask["likely"] is None or 0 <= ask["likely"] < len(ask["choices"])


def test_a_number_and_a_word_say_how_they_are_entered() -> None:
    owner = watching(playing("barney-miller", REAL), lang="en")
    assert last(owner, "ask")["number"] == {"from": 1, "to": 6, "by": 1}
    speller = watching(playing("probe", PROBE), "Ann")
    ask = last(speller, "ask")
    assert (ask["spell"], ask["likely"]) == ({"longest": 12, "open": ""}, None)


def test_a_private_question_says_nothing_of_its_choices_to_others() -> None:
    house = playing("probe", PROBE)
    other = last(watching(house), "ask")
    assert (other["choices"], other["hidden"], other["likely"]) == ([], True, None)
    assert not other.keys() & {"free", "pattern", "spell", "number"}


def test_the_end_says_what_each_had_and_what_may_still_be_put_right() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann, owner = watching(house, "Ann"), watching(house)
    ann.say(interrupt={"stop": True})
    assert kinds(ann.heard)[-2:] == ["over", "offers"]
    assert kinds(owner.heard)[-2:] == ["over", "offers"]
    assert last(ann, "over")["scores"].keys() == {"Ann", "Bob", "Cy"}
    ann.say(fill="correct", given={"who": "Bob", "points": 5})
    assert last(ann, "over")["scores"]["Bob"] == last(owner, "over")["scores"]["Bob"]
    assert last(ann, "tell")["event"] == "scored"


# --- a French phone on an English box -------------------------------------------------------------

TURNS: Final = 400
"""Maximum number of answers in a game."""


SHORT: Final = "barney-miller"
"""The game that the quick tests also play to its end."""


@pytest.mark.long
@pytest.mark.parametrize(
    "game", [SHORT, *long_lane_params(game for game in GAMES if game != SHORT)]
)
def test_a_french_phone_is_told_by_an_english_box_what_a_french_box_tells_it(game: str) -> None:
    """If all bytes are equal in a whole game, no line is in the language of the box."""
    with example(), patch.object(codes, "make_phone_token", lambda: "5ecret"):
        on_english, on_french = (whole_game(game, box, "fr") for box in ("en", "fr"))
        english = whole_game(game, "en", "en")
    assert on_english == on_french
    assert len(english) == len(on_french) > 20
    for one, other in zip(english, on_french, strict=True):
        if one["type"] in ("ask", "error"):  # an event may contain only names and numbers
            name = "sentence" if one["type"] == "ask" else "message"
            assert one[name] != other[name], one


def whole_game(game: str, box: str, lang: str) -> list[Message]:
    """Play a game with forms, undo and mistakes. Return the lines to Ann's phone after the join."""
    rng = Random(game)
    house = House(begin_game(seated(game, rng, own=False)), box)
    house.drive.resume()
    phone, session = house.phone("Ann"), house.drive.session
    owner, others = (
        house.caller(owner=True),
        [who for who in session.game_setup.players if who != "Ann"],
    )
    callers = {who: house.phone(who) for who in others} | {"Ann": phone}
    before = len(phone.heard)
    phone.say(watch=True, lang=lang)
    for turn in range(TURNS):
        if (prompt := session.standing.pending_prompt) is None:
            break
        caller = callers[prompt.who] if prompt.who else owner
        told = caller.say(answer=rng.choice([*legal_answers(prompt)]))
        if told and told[-1].get("sure"):
            caller.say(answer="yes", id=told[-1]["id"])
        if turn % 9 == 0:
            for line in ({"why": True}, {"redo": True}, {"look": True}, {"answer": [], "id": 1}):
                phone.say(**line)
        if session.standing.out_of_turn_questions and turn % 7 == 0:
            speak(phone, rng)
    phone.say(undo=True)
    return phone.heard[before:]


def speak(phone: Caller, rng: Random) -> None:
    """Send a random form that the phone is offered out of turn."""
    offered = [
        form["form"] for form in last_offers(phone) if form["form"] not in ("stop", "leaves")
    ]
    told = phone.say(fill=rng.choice(offered)) if offered else []
    while told and told[-1]["type"] == "ask" and ("form" in told[-1] or "sure" in told[-1]):
        told = phone.say(answer=rng.choice(told[-1]["choices"])["value"], id=told[-1]["id"])


# --- out of turn ----------------------------------------------------------------------------------


def test_who_may_act_is_offered_the_questions_out_of_turn_and_a_guest_is_not() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann, owner, guest = watching(house, "Ann", lang="fr"), watching(house), house.caller()
    guest.say(watch=True)
    words = words_for("probe", "fr")
    names = ("interrupt", "misspelled", "correct", "stop")
    forms = [{"form": name, "text": words(f"probe.menu.{name}")} for name in names]
    forms.append({"form": "leaves", "text": "Je dois partir"})
    assert kinds(ann.heard)[-2:] == ["ask", "offers"]
    assert last(ann, "offers")["forms"] == forms
    assert kinds(owner.heard)[-2:] == ["ask", "offers"]
    assert [form["form"] for form in last(owner, "offers")["forms"]] == [*names, "leaves"]
    assert "offers" not in kinds(guest.heard)
    owner.say(join="Ann", token=ann.token)
    owner.say(leave=True)
    owner.say(watch=True)
    assert kinds(owner.heard)[-2:] == ["ask", "offers"]
    before = playing("probe", PROBE)
    assert "offers" not in kinds(watching(before, "Ann").heard)


def test_a_form_is_asked_step_by_step_and_carried_out_when_nothing_is_missing() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann = watching(house, "Ann")
    who = only(ann.say(fill="correct"))
    assert (who["form"], who["given"], who["back"], who["question"]) == ("correct", {}, None, "who")
    assert "event_id" not in who
    points = only(ann.say(answer="Bob", id=who["id"]))
    assert (points["given"], points["back"]) == ({"who": "Bob"}, {})
    assert points["number"] == {"from": -500, "to": 500, "by": 5}
    assert ann.say(fill="correct", given={"who": "Bob"})[0] | {"id": 0} == points | {"id": 0}
    told = ann.say(answer=50, id=ann.heard[-1]["id"])
    assert [message.get("event") for message in told[:2]] == ["corrected", "scored"]
    assert house.drive.session.standing.snapshot.view["scores"]["Bob"] == 50


def test_all_answers_at_once_carry_a_form_out() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann = watching(house, "Ann")
    ann.say(fill="correct", given={"who": "Cy", "points": -20})
    assert house.drive.session.standing.snapshot.view["scores"]["Cy"] == -20


def test_a_seat_interrupts_for_itself_and_what_has_one_answer_is_not_asked() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann = watching(house, "Ann")
    whom = only(ann.say(fill="interrupt"))
    assert (whom["question"], whom["given"], whom["back"]) == ("whom", {"who": "Ann"}, None)
    guess = only(ann.say(answer="Cy", id=whom["id"]))
    assert guess["given"] == {"who": "Ann", "whom": "Cy", "rack": "Cy"}
    assert guess["back"] == {"who": "Ann"}
    assert code_of(ann.say(fill="interrupt", given={"who": "Bob"})) == "not_yours"


def test_what_the_rules_refuse_of_a_form_is_refused_with_its_reason() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann, before = watching(house, "Ann"), house.drive.session.standing.snapshot.position
    assert code_of(ann.say(fill="interrupt", given={"whom": "Bob"})) == "too_few_covered"
    assert code_of(ann.say(fill="correct", given={"who": "Bob", "points": 501})) == "not_offered"
    assert code_of(ann.say(fill="correct", given={"who": "Bob", "right": 1})) == "not_offered"
    assert code_of(ann.say(fill="correct", given={"who": "Bob", "points": 0})) == (
        "nothing_to_correct"
    )
    assert code_of(ann.say(fill="nonsense")) == "not_asked"
    assert code_of(ann.say(fill=1)) == code_of(ann.say(fill="stop", given=[])) == "not_so"
    guess = {"whom": "Cy", "guess": "X"}
    assert code_of(ann.say(fill="interrupt", given=guess)) == "word_short"
    assert house.drive.session.standing.snapshot.position == before


def test_a_guest_without_a_seat_says_nothing_out_of_turn() -> None:
    guest = playing("probe", PROBE, *SPELT).caller()
    guest.say(watch=True, lang="en")
    assert code_of(guest.say(fill="correct")) == "join_first"


def test_a_form_goes_on_while_others_answer_as_long_as_the_rules_allow_it() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann, bob = watching(house, "Ann"), watching(house, "Bob")
    points = only(ann.say(fill="correct", given={"who": "Bob"}))
    bob.say(interrupt={"correct": {"who": "Cy", "points": 5}})
    ann.say(answer=50, id=points["id"])
    assert house.drive.session.standing.snapshot.view["scores"]["Bob"] == 50
    whom = only(ann.say(fill="misspelled"))
    bob.say(interrupt={"stop": True})
    sure = only(ann.say(answer="Bob", id=whom["id"]))
    assert (sure["sure"], sure["choices"][0]["value"]) == (True, "no")
    ann.say(answer="yes", id=sure["id"])
    assert last(ann, "tell")["event"] == "scored", "a form filled after the end must count"


def test_the_end_that_a_phone_wishes_for_is_asked_about_at_once_and_let_be() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann = watching(house, "Ann")
    stood = ann.asked["id"]
    sure = only(ann.say(fill="stop"))
    assert (sure["sure"], sure["back"], sure["choices"][0]["value"]) == (True, None, "no")
    assert only(ann.say(answer="no", id=sure["id"]))["id"] == stood
    assert house.drive.session.standing.snapshot.outcome is None


def test_who_interrupts_on_a_phone_is_its_own_seat() -> None:
    interrupting = only(watching(playing("probe", PROBE, *SPELT), "Cy").say(fill="interrupt"))
    assert interrupting["given"] == {"who": "Cy"}


def test_a_form_that_the_rules_have_closed_is_late() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann, bob = watching(house, "Ann"), watching(house, "Bob")
    whom = only(ann.say(fill="interrupt"))
    bob.say(interrupt={"stop": True})
    late = only(ann.say(answer="Cy", id=whom["id"]))
    assert (late["code"], late["ask"]) == ("late", None)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", GAMES)
def test_a_correction_is_made_on_a_phone_by_the_last_answer_to_each_question(game: str) -> None:
    """The choices must be those of the rules, for a program that knows no rules."""
    with example():
        correct(game)


def correct(game: str) -> None:
    """Correct a value on a phone as soon as the phone is offered a correction."""
    setup = begin.new_game_setup(
        game, ("Ann", "Bob", "Cy"), usual(game), editions.load_edition(game)
    )
    house = House(begin_game(setup._replace(chance=Chance("seed"), mixing=False)))
    house.drive.resume()
    phone = watching(house, "Ann")
    for _ in range(80):
        if any(form["form"] == "correct" for form in last_offers(phone)):
            break
        answer_any(house)
    else:
        pytest.fail("no correction was offered in 80 answers")
    asked = phone.say(fill="correct")
    while asked[-1]["type"] == "ask" and "form" in asked[-1]:
        form = next(
            one
            for one in house.drive.session.standing.out_of_turn_questions
            if one.name == "correct"
        )
        assert isinstance(form, Form)
        prompt = form.ask(asked[-1]["given"])
        assert prompt is not None
        offered = [choice["value"] for choice in asked[-1]["choices"]]
        assert offered == [*legal_answers(prompt)]
        assert all(choice["label"] for choice in asked[-1]["choices"])
        asked = phone.say(answer=offered[-1], id=asked[-1]["id"])
    assert kinds(asked)[-1] in ("offers", "ask", "error")
    told = [message.get("event", message.get("code")) for message in asked]
    assert {"corrected", "nothing_to_correct"} & {*told}


def last_offers(phone: Caller) -> list[Message]:
    """Return the forms that the phone is offered now."""
    for message in phone.heard[::-1]:
        if message["type"] == "offers":
            return list(message["forms"])
        if message["type"] == "ask":
            return []
    return []


def answer_any(house: House) -> None:
    prompt = house.drive.session.standing.pending_prompt
    assert prompt is not None
    session = house.drive.session
    session.answer(legal_answers(prompt)[0], 0)
    session.commit()
    house.drive.services.callers.publish_game_state()


# --- confirmations --------------------------------------------------------------------------------


def test_a_grave_answer_is_asked_of_its_player_alone_and_counts_after_a_yes() -> None:
    house = hunch()
    who = (
        house.drive.session.standing.pending_prompt.who
        if house.drive.session.standing.pending_prompt
        else None
    )
    phone, other = watching(house, who, lang="fr"), watching(house, lang="fr")
    before, heard = house.drive.session.standing.snapshot.position, len(other.heard)
    card = phone.asked["choices"][1]["value"]
    sure = only(phone.answer(card))
    assert (sure["sure"], sure["of"]) == (True, {"question": "hunch", "value": card})
    assert [choice["value"] for choice in sure["choices"]] == ["no", "yes"]
    assert (sure["likely"], sure["ok"]) == (0, "Confirmer")
    assert sure["sentence"] == words_for("baretta", "fr")("baretta.sure.hunch").replace("|", " ")
    assert len(other.heard) == heard
    stands = only(phone.say(answer="no", id=sure["id"]))
    assert (stands["question"], stands["id"]) == ("hunch", last(other, "ask")["id"])
    sure = only(phone.answer(card))
    phone.say(answer="yes", id=sure["id"])
    assert house.drive.session.standing.snapshot.position > before
    assert len(other.heard) > heard


def hunch() -> House:
    """Return a game in which a player has played the Hunch and may point at a card."""
    from tests.scenes import baretta  # noqa: PLC0415 - one scene of many

    journal = baretta.question("en", HUNCH, 2, 4).journal
    house = House(journal)
    house.drive.resume()
    return house


def test_what_is_asked_again_is_gone_when_the_table_has_gone_on() -> None:
    house = hunch()
    prompt = house.drive.session.standing.pending_prompt
    assert prompt is not None
    phone = watching(house, prompt.who)
    sure = only(phone.answer(phone.asked["choices"][1]["value"]))
    house.caller(owner=True).say(undo=True)
    late = only(phone.say(answer="yes", id=sure["id"]))
    assert late["code"] == "late"
    assert late["ask"]["id"] == house.caller(owner=True).say(watch=True, confirm=True)[-1]["id"]


def test_a_guess_of_a_whole_word_is_asked_about_as_the_last_of_its_form() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann = watching(house, "Ann")
    given = {"whom": "Cy", "guess": "MANOEUVRA"}
    sure = only(ann.say(fill="interrupt", given=given))
    assert (sure["sure"], sure["form"]) == (True, "interrupt")
    assert sure["given"] == sure["back"] == {"who": "Ann", "whom": "Cy", "rack": "Cy"}
    again = only(ann.say(answer="no", id=sure["id"]))
    assert (again["question"], again["given"]) == ("guess", sure["given"])
    sure = only(ann.say(answer="MANOEUVRE", id=again["id"]))
    ann.say(answer="yes", id=sure["id"])
    assert last(ann, "state")["solved"] == ["Cy"]


def test_to_take_back_what_was_seen_asks_the_table_and_the_question_is_one_like_others() -> None:
    house = playing("probe", PROBE)
    ann, bob = watching(house, "Ann", lang="fr"), watching(house, "Bob")
    ann.answer("PROBE")
    bob.answer("FLAP")
    house.drive.services.turn.save_settings({"languages": {"Cy": "fr"}})
    watching(house, "Cy").answer("MANOEUVRE")
    bob.say(undo=True)
    asked = last(ann, "ask")
    if asked["question"] == UNDO_AGREEMENT.name:
        assert asked["choices"][1]["value"] == "no"
        assert asked["sentence"] == words_for("probe", "fr")("box.say.agree_undo")
    ann.say(watch=True)
    assert last(ann, "ask")["id"] >= asked["id"]


# --- words ----------------------------------------------------------------------------------------


def test_a_word_is_looked_up_in_the_language_in_which_it_is_spelt() -> None:
    asked: list[tuple[str, str]] = []

    def look_up(word: str, language: str) -> WordVerdict:
        asked.append((word, language))
        return WordVerdict(language == "fr", ("words",))

    house = playing("probe", PROBE, look_up=look_up)
    ann = watching(house, "Ann", lang="fr")
    assert only(ann.say(check="MAISON"))["known"] is True
    assert only(ann.say(check="MAISON", lang="en"))["known"] is False
    assert asked == [("MAISON", "fr"), ("MAISON", "en")]
    assert "lettre" in only(ann.say(check="A"))["flaw"]


def test_a_word_in_no_list_of_its_language_is_asked_about_and_a_name_is_refused(
    tmp_path: Path,
) -> None:
    (tmp_path / "american-english").write_text("probe\nflap\nFlorida\n", "utf-8")
    setup = setup_for(PROBE, game="probe", players=("Ann", "Bob", "Cy"))
    house = House(begin_game(setup), dictionary=lambda: Dictionary(tmp_path / "cache", tmp_path))
    house.drive.resume()
    ann, bob = watching(house, "Ann"), watching(house, "Bob")
    assert code_of(ann.answer("FLORIDA")) == "word_name"
    sure, heard = only(ann.answer("FLOP")), len(bob.heard)
    assert (sure["sure"], sure["question"], sure["private"]) == (True, "keep_word", True)
    assert [choice["value"] for choice in sure["choices"]] == ["no", "yes"]
    assert (sure["lists"], sure["of"]) == (
        ["american-english"], {"question": "word", "value": "FLOP"},
    )  # fmt: skip
    again = only(ann.say(answer="no", id=sure["id"]))
    assert (again["question"], len(bob.heard)) == ("word", heard)
    ann.say(answer="yes", id=only(ann.answer("FLOP"))["id"])
    assert house.drive.session.standing.view_with_player_secrets("Ann")["words"] == {}, (
        "it is kept until Bob has answered"
    )
    bob.say(answer="FLOPS", id=bob.asked["id"], lang="fr")
    assert house.drive.session.standing.view_with_player_secrets("Ann")["words"] == {"Ann": "FLOP"}
    assert house.drive.session.standing.view_with_player_secrets("Bob")["words"] == {
        "Bob": "FLOPS"
    }, "it is no English word"


# --- a player leaves ------------------------------------------------------------------------------


def test_a_seat_leaves_by_a_phone_of_its_own_alone_and_is_asked_whether_that_is_meant() -> None:
    house = playing("probe", PROBE, *SPELT)
    ann, bob = watching(house, "Ann"), watching(house, "Bob")
    assert code_of(ann.say(interrupt={"leaves": "Bob"})) == "not_yours"
    sure = only(ann.say(fill="leaves"))
    assert (sure["sure"], sure["of"]) == (True, {"question": "leaves", "value": "Ann"})
    assert (sure["question"], "value" in sure) == ("sure", False)
    assert sure["sentence"] == "That player is out of this game."
    ann.say(answer="yes", id=sure["id"])
    assert house.drive.session.standing.present_players == ("Bob", "Cy")
    assert last(bob, "tell")["event"] in ("left", "revealed", "moot", "drawn")
    assert any(message.get("event") == "left" for message in bob.heard)
    assert code_of(ann.say(fill="leaves")) == "not_asked"


def test_a_program_of_the_owner_says_of_anybody_that_they_leave() -> None:
    house = playing("probe", PROBE, *SPELT)
    watching(house).say(interrupt={"leaves": "Cy"})
    assert house.drive.session.standing.present_players == ("Ann", "Bob")
