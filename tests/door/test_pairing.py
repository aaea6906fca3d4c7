"""Tests of pairing: how a phone gets a seat, reconnects to the seat, and loses the seat."""

from __future__ import annotations

import pytest

from companion.box.events import PhonesPageRequested
from companion.cmd.page import NETWORK_NAME
from companion.core.prompts import legal_answers
from companion.door.lines import Message
from companion.draw import phones as drawn
from companion.draw.parts import ROW_LETTERS
from companion.menus.settings import invalid_settings
from companion.record.journal import Journal
from companion.remote import join_codes
from companion.say.words import LANGUAGES, Words
from hardware.display.frame_conversions import frame_as_pixel_rows
from hardware.ports import OK
from tests import structure
from tests.door.callers import House, kinds
from tests.door.test_on_phone import has
from tests.door.test_remote_clients import PROBE, REAL, code_of, playing
from tests.helpers import raise_full_disk

WIFI = {"name": NETWORK_NAME, "password": "K7QM42XA"}
HERE = {"url": "HTTP://192.168.178.200:8080", "name": "companion.local"}


def joining(house: House, name: str = "Ann") -> list[Message]:
    """Send the right code from a new phone, and return the immediate replies."""
    house.open_phones()
    return house.caller().say(join=name, code=house.codes[-1][0])


def answered(house: House) -> Message:
    """Return the last message to the newest connection."""
    caller = max(house.wire.told)
    return next(reversed([*messages(house, caller)]))


def messages(house: House, caller: int) -> list[Message]:
    import json  # noqa: PLC0415 - only here

    return [json.loads(line) for line in b"".join(house.wire.told[caller]).splitlines()]


# --- the code -------------------------------------------------------------------------------------


def test_opening_the_page_wakes_what_phones_come_to_and_shows_a_code() -> None:
    house = playing(REAL)
    house.open_phones()
    ((code, address),) = house.codes
    assert (house.woken, len(code), address) == (1, 4, None)
    assert not {*code} - {*join_codes.CODE_LETTERS}
    assert not {*"01IO"} & {*join_codes.CODE_LETTERS}
    house.drive.press("back")
    house.open_phones()
    assert (house.woken, len(house.codes)) == (2, 2)


def test_a_code_dies_after_two_minutes_and_another_one_is_shown() -> None:
    house = playing(REAL)
    house.open_phones()
    old = house.codes[-1][0]
    house.drive.wait(join_codes.CODE_LIFE_SECONDS + 1)
    assert house.codes[-1][0] != old
    assert code_of(house.caller().say(join="Ann", code=old)) == "wrong_code"
    house.drive.press("back")
    house.drive.wait(join_codes.CODE_LIFE_SECONDS + 1)
    assert code_of(house.caller().say(join="Ann", code=house.codes[-1][0])) == "wrong_code"


def test_a_code_dies_when_it_is_used() -> None:
    house = playing(REAL)
    joining(house)
    assert code_of(house.caller().say(join="Bob", code=house.codes[0][0])) == "wrong_code"


def test_a_code_may_be_typed_in_small_letters() -> None:
    house = playing(REAL)
    house.open_phones()
    assert house.caller().say(join="Ann", code=house.codes[-1][0].lower()) == []
    assert house.drive.page == "joining"


def test_a_code_with_missing_letters_is_no_wrong_try() -> None:
    house = playing(REAL)
    house.open_phones()
    phone, code = house.caller(), house.codes[-1][0]
    for _ in range(join_codes.MAX_WRONG_CODES):
        (error,) = phone.say(join="Ann", code=code[:-1])
        assert error["message"] == "Type all 4 letters of the code."
    assert phone.say(join="Ann", code=code) == []


def test_whoever_guesses_has_to_wait_longer_and_longer() -> None:
    house = playing(REAL)
    house.open_phones()
    guesser = house.caller()
    codes = [
        code_of(guesser.say(join="Ann", code="????")) for _ in range(join_codes.MAX_WRONG_CODES)
    ]
    assert codes == ["wrong_code"] * join_codes.MAX_WRONG_CODES
    (slow,) = guesser.say(join="Ann", code=house.codes[-1][0])
    assert slow["code"] == "slow_down"
    assert 1 <= slow["seconds"] <= join_codes.FIRST_PAUSE_SECONDS + 1
    n = slow["seconds"]
    assert slow["message"] == f"Phones typed too many wrong codes. Try again in {n} seconds."
    house.drive.wait(join_codes.FIRST_PAUSE_SECONDS)
    assert code_of(guesser.say(join="Ann", code="????")) == "wrong_code"
    (slower,) = guesser.say(join="Ann", code="????")
    assert slower["seconds"] > slow["seconds"]


def test_a_code_that_was_guessed_at_keeps_nobody_out_who_sees_the_next() -> None:
    house = playing(REAL)
    house.open_phones()
    for _ in range(20):
        house.caller().say(join="Ann", code="????")
    house.drive.wait(join_codes.CODE_LIFE_SECONDS + 1)
    assert house.caller().say(join="Ann", code=house.codes[-1][0]) == []


def test_without_a_page_that_shows_it_no_code_is_good() -> None:
    house = playing(REAL)
    assert code_of(house.caller().say(join="Ann", code="")) == "wrong_code"


def test_only_who_plays_has_a_seat() -> None:
    house = playing(REAL)
    assert code_of(joining(house, "Zoé")) == "no_seat"


# --- the press ------------------------------------------------------------------------------------


def test_a_press_on_the_box_seats_a_phone_and_only_a_hash_is_kept() -> None:
    house = playing(REAL)
    assert joining(house) == []
    assert (house.drive.page, house.drive.state.who) == ("joining", "Ann")
    house.drive.wait(1)
    house.drive.press("ok")
    joined = answered(house)
    assert (joined["type"], joined["seat"], len(joined["token"])) == ("joined", "Ann", 32)
    kept = house.drive.journal.all_settings()["phones"]
    assert kept == {"Ann": join_codes.hash_token(joined["token"])}
    assert joined["token"] not in str(house.drive.journal.all_settings())
    assert house.drive.page == "phones"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("how", ["back", "no", "time"])
def test_without_that_press_nobody_comes_in(how: str) -> None:
    house = playing(REAL)
    joining(house)
    house.drive.wait(1)
    if how == "time":
        house.drive.wait(61)
    elif how == "no":
        house.drive.choose("no")
    else:
        house.drive.press("back")
    refused = answered(house)
    assert (refused["type"], refused["code"]) == ("error", "refused")
    assert house.drive.page == "phones"
    assert house.drive.settings["phones"] == {}


def test_a_press_that_was_on_its_way_lets_nobody_in() -> None:
    house = playing(REAL)
    joining(house)
    house.drive.buttons.press("ok")
    house.drive.pump()
    assert house.drive.page == "joining"


@pytest.mark.parametrize("how", ["gone", "time"])
def test_a_press_that_was_meant_for_that_question_answers_nothing_behind_it(how: str) -> None:
    house = playing(REAL)
    house.open_phones()
    house.drive.press("back", "back")
    caller = house.caller()
    caller.say(join="Ann", code=house.codes[-1][0])
    before = house.drive.session.standing.snapshot.position
    house.drive.wait(1)
    if how == "gone":
        caller.go()
    else:
        house.drive.wait(60 - 1)
    assert house.drive.page is None
    house.drive.press("ok", gap=0)
    assert house.drive.session.standing.snapshot.position == before
    house.drive.press("ok")
    assert house.drive.session.standing.snapshot.position > before


def test_one_who_goes_while_the_box_asks_is_asked_about_no_more() -> None:
    house = playing(REAL)
    house.open_phones()
    caller = house.caller()
    caller.say(join="Ann", code=house.codes[-1][0])
    caller.go()
    assert house.drive.page == "phones"


def test_the_box_asks_in_front_of_the_game_and_gives_it_back() -> None:
    house = playing(REAL)
    house.open_phones()
    house.drive.press("back", "back")
    assert house.drive.page is None
    house.caller().say(join="Ann", code=house.codes[-1][0])
    assert house.drive.page == "joining"
    house.drive.wait(1)
    house.drive.press("ok")
    assert house.drive.page is None
    assert answered(house)["type"] == "joined"


@pytest.mark.parametrize(("spelt", "back"), [((OK,), 2), ((OK, OK), 3)])
def test_nobody_is_disturbed_who_spells_at_the_box(spelt: tuple[str, ...], back: int) -> None:
    house = playing(PROBE, game="probe")
    house.open_phones()
    code = house.codes[-1][0]
    house.drive.press("back", "back")
    house.drive.down("ok")
    house.drive.wait(0.7)
    house.drive.up("ok")
    house.drive.press(*spelt)
    assert house.drive.table.cursor.has_begun_spelling
    house.caller().say(join="Bob", code=code)
    assert house.drive.page is None
    house.drive.press(*["back"] * back)
    assert house.drive.page == "joining"


def test_only_one_is_asked_about_at_a_time() -> None:
    house = playing(REAL)
    joining(house)
    house.drive.press("back") if house.drive.page != "joining" else None
    code = house.codes[-1][0]
    (slow,) = house.caller().say(join="Bob", code=code)
    assert (slow["code"], slow["seconds"]) == ("slow_down", 6)
    assert slow["message"] == "The box asks about another phone first. Try again in 6 seconds."


def test_a_phone_whose_seat_can_not_be_written_down_is_asked_about_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing(REAL)
    joining(house)
    house.drive.wait(1)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "save_settings", raise_full_disk)
        house.drive.press("ok")
    house.drive.skip()
    assert house.drive.page == "joining"
    house.drive.press("ok")
    assert answered(house)["type"] == "joined"


# --- a phone that reconnects ----------------------------------------------------------------------


def test_a_phone_comes_back_with_its_token_and_without_a_press() -> None:
    house = playing(REAL)
    ann = house.phone("Ann")
    ann.go()
    again = house.caller()
    (joined,) = again.say(join="Ann", token=ann.token)
    assert joined == {"type": "joined", "seat": "Ann", "token": ann.token}
    twice = house.caller()
    assert kinds(twice.say(join="Ann", token=ann.token)) == ["joined"]


def test_no_other_token_is_good_and_none_for_another_seat() -> None:
    house = playing(REAL)
    ann, bob = house.phone("Ann"), house.phone("Bob")
    for name, token in (("Bob", ann.token), ("Ann", bob.token), ("Ann", ""), ("Zoé", ann.token)):
        assert code_of(house.caller().say(join=name, token=token)) == "wrong_token"


def test_a_seat_whose_phone_is_here_is_taken_and_one_whose_phone_is_away_is_not() -> None:
    house = playing(REAL)
    ann = house.phone("Ann")
    house.open_phones()
    assert code_of(house.caller().say(join="Ann", code=house.codes[-1][0])) == "taken"
    ann.go()
    new = house.phone("Ann")
    assert code_of(house.caller().say(join="Ann", token=ann.token)) == "wrong_token"
    assert kinds(house.caller().say(join="Ann", token=new.token)) == ["joined"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_that_is_gone_is_shown_as_gone_until_it_returns(language: str) -> None:
    house, words = playing(REAL, language=language), Words(language)
    ann = house.phone("Ann")
    house.open_phones()
    known, gone = (
        drawn.phone_status_frame("Ann", 2, 3, words, is_here=here) for here in (True, False)
    )
    house.drive.press("down", "down")
    assert house.drive.frame == known
    ann.go()
    assert house.drive.frame == gone
    house.caller().say(join="Ann", token=ann.token)
    assert house.drive.frame == known


@pytest.mark.parametrize("network", [None, WIFI])
def test_viewers_see_which_phones_are_here(network: Message | None) -> None:
    house, words = playing(REAL), Words("en")
    house.caller(owner=True).say(hotspot=network)
    ann, viewer = house.phone("Ann"), house.caller()
    viewer.say(watch=True, frames=True)
    house.open_phones()
    first = ["scan", "typed"] if network is None else ["network", "scan", "typed"]
    shown = (len(first), len(first) + 1, words)
    for _ in first:
        assert viewer.heard[-1]["png"] == drawn.hidden_qr_code_frame(words).hex()
        house.drive.press("down")
    here = drawn.phone_status_frame("Ann", *shown, is_here=True)
    assert (house.drive.frame, viewer.heard[-1]["png"]) == (here, here.hex())
    ann.go()
    assert viewer.heard[-1]["png"] == drawn.phone_status_frame("Ann", *shown, is_here=False).hex()


def test_a_phone_that_is_removed_at_the_box_has_to_go_and_can_not_come_back() -> None:
    house = playing(REAL)
    ann = house.phone("Ann")
    house.open_phones()
    house.drive.choose("of Ann")
    assert (house.drive.page, house.drive.state.who) == ("phone", "Ann")
    assert has(house.drive.frame, 7, Words("en")("box.legend.list"))
    house.drive.choose("remove")
    assert house.drive.page == "phones"
    assert ann.heard[-1]["code"] == "removed"
    assert house.wire.dropped == [ann.peer.number]
    assert code_of(house.caller().say(join="Ann", token=ann.token)) == "wrong_token"
    assert house.drive.journal.all_settings()["phones"] == {}


def test_a_phone_is_told_that_it_is_removed_before_its_connection_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing(REAL)
    ann, told = house.phone("Ann"), list[str]()
    monkeypatch.setattr(
        house.wire, "close_connection", lambda _: told.append(ann.heard[-1]["code"])
    )
    house.open_phones()
    house.drive.choose("of Ann")
    house.drive.choose("remove")
    assert told == ["removed"]


def test_forgetting_a_phone_takes_five_functions_in_four_files_at_most() -> None:
    functions, files = structure.hops_of_a_forgotten_phone()
    assert functions <= 5
    assert files <= 4


def test_a_phone_that_gives_its_seat_back_has_a_token_that_is_good_for_nothing() -> None:
    house = playing()
    ann, watcher = house.phone("Ann"), house.caller()
    ann.say(watch=True)
    again = house.caller()
    again.say(join="Ann", token=ann.token)
    assert again.say(leave=True)[0] == {"type": "left", "seat": "Ann"}
    assert house.drive.settings["phones"] == {}
    assert ann.heard[-1]["code"] == "removed"
    assert house.wire.dropped == [ann.peer.number]
    for caller in (watcher, again):
        assert code_of(caller.say(join="Ann", token=ann.token)) == "wrong_token"
        assert code_of(caller.say(leave=True)) == "join_first"


def test_a_seat_that_can_not_be_given_back_on_a_full_disk_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing()
    ann = house.phone("Ann")

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "save_settings", raise_full_disk)
        patched.setattr(Journal, "save_setting", raise_full_disk)
        assert code_of(ann.say(leave=True)[:1]) == "full"
    assert kinds(ann.say(look=True)) == ["secret"]


def test_a_watcher_who_joins_is_told_its_secrets_from_then_on() -> None:
    house = playing()
    watcher = house.caller()
    watcher.say(watch=True)
    house.open_phones()
    watcher.say(join="Ann", code=house.codes[-1][0])
    house.drive.wait(1)
    house.drive.press("ok")
    assert kinds(watcher.heard)[-6:] == [
        *("joined", "hello", "secret", "state", "ask", "offers"),
    ]


def test_a_watcher_who_joins_while_the_disk_is_full_is_told_no_secret_before_it_watches_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = playing()
    watcher, other = house.caller(), house.caller()
    for caller in (watcher, other):
        caller.say(watch=True)
    house.open_phones()
    watcher.say(join="Ann", code=house.codes[-1][0])
    house.drive.wait(1)

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append_entries_to_game", raise_full_disk)
        house.drive.press("ok")
    assert [*kinds(watcher.heard)[-2:], watcher.heard[-1]["code"]] == ["joined", "error", "full"]
    assert house.drive.front.name == "refused"
    told = len(other.heard)
    prompt = house.drive.session.standing.pending_prompt
    assert prompt is not None
    assert "error" not in kinds(watcher.answer(legal_answers(prompt)[0]))
    assert kinds(other.heard[told:])[-1] == "ask"
    assert "secret" in kinds(watcher.say(watch=True))


def test_a_watcher_who_asks_for_a_seat_in_another_language_is_told_the_news_in_it() -> None:
    house = playing(REAL)
    watcher, other = house.caller(), house.caller()
    for caller in (watcher, other):
        caller.say(watch=True, frames=True)
    house.open_phones()
    watcher.say(join="Ann", code=house.codes[-1][0], lang="fr")
    house.caller(owner=True).say(answer=3)
    assert kinds(watcher.heard)[-2:] == kinds(other.heard)[-2:]
    asked = [[m["text"] for m in c.heard if m["type"] == "ask"][-1] for c in (watcher, other)]
    assert asked[0] != asked[1]


def test_a_box_knows_sixteen_phones_and_the_oldest_has_to_go() -> None:
    known: dict[str, str] = {}
    for n in range(17):
        known = join_codes.token_hashes_with_new_phone(known, f"P{n}", "token")
    assert [*known] == [f"P{n}" for n in range(1, 17)]
    assert invalid_settings({"phones": known}) == ()
    assert invalid_settings({"phones": {"Ann": "no hash"}}) == ("phones",)


# --- addresses for phones -------------------------------------------------------------------------


def test_the_page_says_where_it_is_until_it_goes() -> None:
    house = playing(REAL)
    page = house.caller()
    house.open_phones()
    assert page.say(address=HERE) == []
    assert house.codes[-1] == (house.codes[0][0], HERE["url"])
    page.go()
    house.drive.press("back")
    house.open_phones()
    assert house.codes[-1][1] is None


def test_a_new_address_and_a_lost_network_are_told_where_somebody_has_a_phone() -> None:
    house = playing(REAL)
    page = house.caller()
    page.say(address=HERE)
    page.say(address=None)
    assert house.drive.moments == ()
    house.phone("Ann")
    page.say(address=HERE)
    page.say(address=None)
    assert house.drive.front.name == "no_network"
    page.say(address={**HERE, "url": "http://10.0.0.7:8080"})
    assert house.drive.front.name == "new_address"
    assert house.drive.front.facts == {"url": "10.0.0.7:8080"}


def test_a_second_address_is_shown_below_the_first() -> None:
    house = playing(REAL)
    page = house.caller()
    also = "10.42.0.1:8080"
    assert page.say(address={**HERE, "also": also}) == []
    house.open_phones()
    house.drive.press("down")
    code, english = house.codes[-1][0], Words("en")
    both = drawn.typed_address_frame((HERE["url"], also, HERE["name"]), code, english)
    assert house.drive.frame == both
    assert both != drawn.typed_address_frame((HERE["url"], None, HERE["name"]), code, english)
    assert code_of(page.say(address={**HERE, "also": "no address!"})) == "not_so"
    assert code_of(page.say(address={**HERE, "also": 3})) == "not_so"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_two_long_addresses_and_a_name_fit_their_page(language: str) -> None:
    links = "HTTP://192.168.178.200:8080", "192.168.178.201:8080", "companion.local:8080"
    words = Words(language)
    frames = {drawn.typed_address_frame(links[:n], "AB12", words) for n in range(4)}
    assert len(frames) == 4, "an address is missing"


def test_a_page_that_has_gone_to_sleep_is_no_lost_network() -> None:
    house = playing(REAL)
    page = house.caller()
    page.say(address=HERE)
    house.phone("Ann")
    page.go()
    assert house.drive.moments == ()


def test_a_network_of_the_box_is_shown_before_the_page_until_it_ends() -> None:
    house = playing(REAL)
    owner, page = house.caller(owner=True), house.caller()
    page.say(address=HERE)
    assert owner.say(hotspot=WIFI) == []
    house.open_phones()
    first = house.drive.frame
    assert first == drawn.wifi_qr_frame(WIFI["name"], WIFI["password"], 0, 3, Words("en"))
    house.drive.press("down")
    assert house.drive.frame == drawn.link_qr_frame(
        HERE["url"], house.codes[-1][0], 1, 3, Words("en")
    )
    assert owner.say(hotspot=None) == []
    prompt = house.drive.table.menu_or_game_prompt
    assert prompt is not None
    assert "network" not in legal_answers(prompt)


def test_the_password_of_the_network_is_shown_on_the_box_alone() -> None:
    house = playing(REAL)
    house.caller(owner=True).say(hotspot=WIFI)
    watcher = house.caller()
    watcher.say(watch=True, frames=True)
    house.open_phones()
    frame = next(message for message in watcher.heard[::-1] if message["type"] == "frame")
    assert frame["png"] == drawn.hidden_qr_code_frame(Words("en")).hex()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("value", [
    "on", {}, {"name": "COMPANION"}, {**WIFI, "password": "short"}, {**WIFI, "name": "lower"},
    {**WIFI, "name": "TOOLONGNAME"}, {**WIFI, "password": "K7QM42;A"}, {**WIFI, "odd": 1},
])  # fmt: skip
def test_a_network_that_can_not_be_shown_is_refused(value: object) -> None:
    house = playing(REAL)
    assert code_of(house.caller(owner=True).say(hotspot=value)) == "not_so"
    assert code_of(house.caller().say(hotspot=WIFI)) == "not_yours"


# --- on the display -------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["http://10.0.0.7:8080", HERE["url"], "HTTP://192.168.100.200:80"])
def test_the_code_to_scan_has_25_modules_of_two_pixels_in_a_lit_square(url: str) -> None:
    modules = drawn.qr_modules(drawn.link_qr_text_parts(url, "AB12"))
    assert (len(modules), {*map(len, modules)}) == (25, {25})
    shown = frame_as_pixel_rows(drawn.link_qr_frame(url, "AB12", 0, 2, Words("en")))
    margin = (64 - 50) // 2
    for y in range(64):
        for x in range(64):
            inside = margin <= x < 64 - margin and margin <= y < 64 - margin
            dark = inside and modules[(y - margin) // 2][(x - margin) // 2]
            assert shown[y][x] == (not dark), (x, y)


def test_the_code_of_the_network_is_as_large_and_its_letters_stand_beside_it() -> None:
    modules = drawn.qr_modules(drawn.wifi_qr_text_parts(*WIFI.values()))
    assert (len(modules), {*map(len, modules)}) == (25, {25})
    assert max(map(len, WIFI.values())) <= drawn.BESIDE_LETTERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_of_the_phones_pages_fits_its_place(language: str) -> None:
    words = Words(language)
    for key in ("box.phones.type", "box.phones.waiting", "box.phones.known", "box.phones.gone",
                "box.phones.covered"):  # fmt: skip
        assert all(len(part) <= 2 * ROW_LETTERS for part in words(key).split("|")), key
    for row in (words("box.phones.scan") + "|" + words("box.phones.network")).split("|"):
        assert len(row) <= drawn.BESIDE_LETTERS, row
    for key in ("box.legend.phones", "box.legend.known_phone", "box.page.phones"):
        assert len(words(key)) <= ROW_LETTERS, key
    assert len(words("box.ask.joining", whose="Wojehowicz")) <= ROW_LETTERS
    assert len(words("box.phones.code", code="AB12")) <= ROW_LETTERS


def test_p_opens_the_page_from_the_game_and_from_the_first_screen() -> None:
    for house in (House(), playing(REAL)):
        house.drive.loop.inbox.put(PhonesPageRequested())
        house.drive.pump()
        assert house.drive.page == "phones"
        assert house.codes
        house.drive.press("back")
        assert house.drive.page in ("home", "menu")


def test_p_disturbs_nobody_who_has_opened_the_row_of_a_first_letter() -> None:
    house = House()
    house.drive.walk("new", 2, "spell")
    house.drive.press(OK)
    assert (house.drive.table.cursor.text, house.drive.table.cursor.has_begun_spelling) == (
        "",
        True,
    )
    house.drive.loop.inbox.put(PhonesPageRequested())
    house.drive.pump()
    assert house.drive.page == "spell"


def test_without_a_door_no_page_speaks_of_phones() -> None:
    from tests.helpers import Drive  # noqa: PLC0415 - only here

    drive = Drive()
    assert drive.table.menu_or_game_prompt is not None
    assert "phones" not in drive.table.menu_or_game_prompt.options  # type: ignore[union-attr]
    drive.loop.inbox.put(PhonesPageRequested())
    drive.pump()
    assert drive.page == "home"
