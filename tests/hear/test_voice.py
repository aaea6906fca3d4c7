"""Tests of the order of speech: sounds first, only the newest facts, never a secret."""

from __future__ import annotations

import gc
from itertools import product
from typing import Any, Final

import pytest

import sounds
from companion.catalog.registry import BUILT_IN_GAMES
from companion.core.game import Cue
from companion.core.prompts import Choose
from companion.games.barney_miller import GAME
from companion.hear.policy import (
    MISTAKE_FACTS,
    SPEECH_LEVEL_NUMBERS,
    audio_settings_at_hour,
    is_quiet_hour,
)
from companion.hear.voice import Voice
from companion.menus.settings import DEFAULTS
from companion.say.words import Words
from hardware.mock import FakeSpeaker, TimedFakeSpeaker
from hardware.ports import MAX_QUEUED_ITEMS, MAX_UNSTOPPED_REMAINDER_SECONDS, OK, HardwareError
from tests.helpers import OWN_PARTS_OPTIONS, Drive, begin_game, setup_for, words_for
from tests.met import observed_games, words_of_longest_edition

WON: Final = Cue(
    "round_won",
    {"who": "Fish", "last": "Harris", "value": 5, "how": "over", "total": 12, "round": 1},
    "BM-7",
)
CARD: Final = Cue(
    "card_played", {"who": "Harris", "value": 5, "total": 12, "forced": False, "own": True}, "BM-6"
)
HAND: Final = Cue("hand", {"who": "Fish", "cards": [1, 2]}, "BM-3", to="Fish")
REFUSED: Final = Cue("refused", {"code": "over"})
PICKED: Final = Cue("picked_up", {"who": "Fish", "own": False}, "BM-11")
ROLLED: Final = Cue("rolled", {"who": "Fish", "dice": [3]}, "BM-5")
TAKEN_UP: Final = "Fish, your second hand is here."
OPEN: Final = Choose("zero", "Fish", ("play", "pass"))


class Talk:
    """A voice on fake speakers. The language of the players in `french` is French."""

    def __init__(
        self, n: int = 1, *, hour: int = 12, french: tuple[str, ...] = (), **settings: Any
    ) -> None:
        self.settings: dict[str, Any] = {**DEFAULTS, **settings}
        self.hour, self.french_speakers = hour, french
        self.speakers = [FakeSpeaker() for _ in range(n)]
        self.reported: list[HardwareError] = []
        self.voice = Voice(
            self.speakers, lambda: self.settings, lambda: self.hour, self.reported.append
        )
        self.english = words_for(GAME.name, "en")
        self.french = words_for(GAME.name, "fr")

    @property
    def heard(self) -> list[str]:
        return self.speakers[0].heard

    def words(self, player: str | None) -> Words:
        return self.french if player in self.french_speakers else self.english

    def tell(self, *cues: Cue, receipt: str | None = None) -> None:
        self.voice.announce_facts(cues, self.words, receipt)


def test_a_sound_comes_before_its_sentence_and_facts_in_their_order() -> None:
    talk = Talk()
    talk.tell(card(7), WON, receipt="accepted")
    assert talk.heard == [
        "hush", "♪ accepted", "en: Seven.", "♪ over_ten", "en: Over ten: Fish wins the round.",
    ]  # fmt: skip


def test_newer_facts_drop_what_is_not_yet_said_of_older_ones() -> None:
    talk = Talk()
    talk.tell(CARD)
    talk.tell(WON)
    assert talk.heard.count("hush") == 2
    assert talk.heard.index("hush", 1) < talk.heard.index("♪ over_ten")


def test_an_answer_that_brings_nothing_about_stops_its_question_all_the_same() -> None:
    talk, speaker = paced()
    talk.voice.speak_question(OPEN, {"total": 10}, talk.english)
    speaker.wait(1.0)
    talk.tell(receipt="accepted")
    assert speaker.cut == ["en: Fish, will you play a zero?"]


@pytest.mark.parametrize("heard", SPEECH_LEVEL_NUMBERS)
def test_a_secret_is_never_heard(heard: str) -> None:
    talk = Talk(heard=heard)
    talk.tell(HAND, WON._replace(to="Fish"), REFUSED._replace(to="Harris"))
    assert talk.heard == []


def test_whoever_is_to_answer_alone_is_called_by_name() -> None:
    talk = Talk()
    talk.voice.speak_question(OPEN._replace(private=True), {"total": 10}, talk.english)
    talk.voice.speak_question(Choose("other", "Harris", (1, 2), private=True), {}, talk.english)
    assert talk.heard[1::2] == [
        "en: Fish, take the box: will you play a zero?", "en: Harris, take the box.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("heard", "expected"),
    {
        "nothing": (False, False, False, False),
        "mistakes": (True, False, False, False),
        "scores": (True, True, False, False),
        "everything": (True, True, True, True),
    }.items(),
)
def test_a_level_hears_all_that_the_levels_below_it_hear(
    heard: str, expected: tuple[bool, ...]
) -> None:
    found = []
    for act in ("refuse", "win", "receipt", "ask"):
        talk = Talk(heard=heard)
        match act:
            case "refuse":
                talk.tell(REFUSED)
            case "win":
                talk.tell(WON)
            case "receipt":
                talk.voice.play_sound("accepted")
            case _:
                talk.voice.speak_question(OPEN, {"total": 10}, talk.english)
        found.append(bool(talk.heard))
    assert tuple(found) == expected


def test_mistakes_are_those_of_the_box_and_of_the_table() -> None:
    of_the_box = {"damaged", "rules_changed", "hardware", "edition", "slip", "broken", "stuck"}
    of_the_box |= {"outgrown", "reset"}
    assert {"refused", *of_the_box} == MISTAKE_FACTS


def test_verbosity_makes_sentences_shorter_or_adds_the_rule() -> None:
    said = {}
    for speech in ("short", "normal", "teaching"):
        talk = Talk(speech=speech)
        talk.tell(WON)
        said[speech] = talk.heard[-1]
    assert said == {
        "short": "en: Fish wins.",
        "normal": "en: Over ten: Fish wins the round.",
        "teaching": "en: Over ten: Fish wins the round. "
        "A total of ten wins. If a card goes over ten, the previous card wins.",
    }


def test_a_question_is_spoken_in_its_players_language() -> None:
    talk = Talk()
    talk.voice.speak_question(OPEN, {"total": 10}, talk.french)
    assert talk.heard == ["♪ your_turn", "fr: Fish, jouez-vous un zéro\u00a0?"]


def test_a_question_that_needs_no_sentence_is_not_spoken() -> None:
    talk = Talk()
    talk.voice.speak_question(Choose("other", None, (1, 2)), {"total": 3}, talk.english)
    assert talk.heard == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("volume", "quietest", "loudest"), list(product((1, 5, 10), repeat=3)))
def test_the_volume_never_leaves_its_floor_and_ceiling(
    volume: int, quietest: int, loudest: int
) -> None:
    if quietest > loudest:
        return
    talk = Talk(volume=volume, quietest=quietest, loudest=loudest)
    talk.voice.send_settings_to_speakers()
    assert quietest * 10 <= talk.speakers[0].volume <= loudest * 10


def test_settings_are_followed_at_once() -> None:
    talk = Talk()
    talk.settings["heard"] = "nothing"
    talk.voice.play_sound("ready")
    talk.settings["heard"] = "everything"
    talk.voice.play_sound("accepted")
    assert talk.heard == ["♪ accepted"]


def test_a_speaker_that_fails_is_reported_and_the_others_go_on() -> None:
    talk = Talk(n=2)
    talk.speakers[0].failing = True
    talk.tell(WON)
    assert talk.heard == []
    assert talk.speakers[1].heard[-1].startswith("en: Over ten")
    assert {type(error) for error in talk.reported} == {HardwareError}


def test_only_hardware_may_fail_quietly() -> None:
    talk = Talk()

    def broken(sound: str, rank: int = 0) -> None:
        del rank
        raise RuntimeError(sound)

    talk.speakers[0].play = broken  # type: ignore[method-assign]
    with pytest.raises(RuntimeError):
        talk.voice.play_sound("ready")


# --- the queue of sentences -----------------------------------------------------------------------


def test_a_sound_by_itself_never_stops_a_sentence() -> None:
    talk = Talk()
    talk.tell(Cue("ten", {"who": "Fish", "total": 10}, "BM-7"))
    talk.voice.play_sound("accepted")
    assert talk.heard == ["♪ total_reached", "♪ accepted"]


def test_where_nothing_is_spoken_a_newer_sound_drops_those_that_wait() -> None:
    talk = Talk(hour=23, quiet_from=22)
    talk.tell(WON)
    assert talk.heard == ["hush", "♪ over_ten"]


def alarmed(quiet_from: int | None) -> list[str]:
    """Return the sounds and sentences after a roll that brings a criminal to red (KO-9)."""
    talk, words = Talk(hour=1, quiet_from=quiet_from), words_of_longest_edition("kojak", "en")
    cues = observed_games("kojak").cues.values()
    rolled, red = (next(c for c in cues if c.name == name) for name in ("rolled", "on_red"))
    talk.voice.announce_facts([rolled, red], lambda _: words, "accepted")
    return talk.heard


def test_an_alarm_interrupts_without_a_receipt_and_its_story_is_told_in_order() -> None:
    for begins in (None, 0):
        heard = [what for what in alarmed(begins) if not what.startswith("en")]
        assert heard == ["hush", "♪ rolled", "♪ alarm"]


@pytest.mark.long
def test_an_alarm_has_a_sound_of_its_own() -> None:
    facts = [
        (words_of_longest_edition(game, "en"), cue)
        for game in BUILT_IN_GAMES
        for cue in observed_games(game).cues.values()
    ]
    alarms = {
        words.fact_sound_name(cue)
        for words, cue in facts
        if words.variant_row_of_fact(cue).alarming
    }
    others = {
        words.fact_sound_name(cue)
        for words, cue in facts
        if not words.variant_row_of_fact(cue).alarming
    }
    assert alarms == {"alarm"}
    assert not alarms & others


def paced(**settings: Any) -> tuple[Talk, TimedFakeSpeaker]:
    talk, speaker = Talk(**settings), TimedFakeSpeaker()
    talk.speakers[0] = speaker  # type: ignore[call-overload]
    return talk, speaker


def card(total: int) -> Cue:
    return CARD._replace(facts={**CARD.facts, "total": total})


@pytest.mark.sampled(1)
@pytest.mark.parametrize("speech", ["short", "normal", "teaching"])
def test_of_500_facts_in_two_seconds_the_last_is_spoken_and_nothing_older_after_it(
    speech: str,
) -> None:
    talk, speaker = paced(speech=speech)
    for n in range(500):
        talk.tell(card(n + 21), receipt="accepted")
        talk.voice.speak_question(OPEN, {"total": n}, talk.english)
        speaker.wait(2 / 500)
    speaker.wait(60)
    began = [what for _, what in speaker.log]
    last = next(i for i, what in enumerate(began) if what.startswith("en: 520."))
    assert began[last + 1 :] == ["♪ your_turn", "en: Fish, will you play a zero?"]
    assert (
        speaker.log[last][0] < 2.0 + MAX_UNSTOPPED_REMAINDER_SECONDS + 2 * speaker.SECONDS_PER_SOUND
    )
    assert speaker.most <= 4


@pytest.mark.long
def test_however_many_facts_come_the_voice_keeps_no_more_of_them() -> None:
    gc.freeze()  # exclude the objects of other tests
    talk = Talk()

    def tell(facts: int) -> int:
        for n in range(facts):
            talk.tell(card(n + 21), receipt="accepted")
            talk.voice.speak_question(OPEN, {"total": n}, talk.english)
            talk.heard.clear()
        gc.collect()
        return len(gc.get_objects())

    first, *others = [tell(500) for _ in range(4)]
    assert max(others) <= first + 10


def test_a_fact_that_comes_in_the_last_words_of_another_lets_them_end() -> None:
    talk, speaker = paced()
    talk.tell(PICKED)
    length = len(f"en: {TAKEN_UP}") - 4
    speaker.wait(length * speaker.SECONDS_PER_LETTER - MAX_UNSTOPPED_REMAINDER_SECONDS + 0.01)
    talk.tell(CARD)
    speaker.wait(10)
    assert speaker.cut == []
    assert [what for _, what in speaker.log][-1] == "en: Twelve."


def test_a_fact_that_comes_earlier_stops_the_older_sentence() -> None:
    talk, speaker = paced()
    talk.tell(PICKED)
    speaker.wait(1.0)
    talk.tell(CARD)
    assert speaker.cut == [f"en: {TAKEN_UP}"]
    assert speaker.log[-1] == (1.0, "en: Twelve.")


def test_nothing_cuts_what_is_weighty_and_what_is_slight_goes_unsaid_behind_it() -> None:
    talk, speaker = paced()
    talk.tell(WON)
    speaker.wait(1.0)
    talk.tell(ROLLED, receipt="accepted")
    talk.tell(PICKED, receipt="accepted")
    speaker.wait(10)
    assert speaker.cut == []
    assert [what for _, what in speaker.log if what.startswith("en")] == [
        "en: Over ten: Fish wins the round.", f"en: {TAKEN_UP}",
    ]  # fmt: skip


def test_what_is_slight_is_not_told_before_something_weighty_nor_sounds_after_it() -> None:
    talk = Talk()
    talk.tell(ROLLED, WON, ROLLED)
    assert talk.heard == [
        "hush", "♪ rolled", "♪ over_ten", "en: Over ten: Fish wins the round.", "en: Fish rolls 3.",
    ]  # fmt: skip


def test_a_thousand_receipts_keep_a_speaker_waiting_for_a_few_only() -> None:
    talk, speaker = paced()
    talk.tell(WON)
    for _ in range(1000):
        talk.voice.play_sound("accepted")
    assert speaker.most <= MAX_QUEUED_ITEMS
    assert speaker.cut == []


# --- again ----------------------------------------------------------------------------------------


def test_again_says_the_facts_and_the_question_after_them_without_their_sounds() -> None:
    talk = Talk()
    talk.tell(CARD, WON, receipt="accepted")
    talk.voice.speak_question(OPEN, {"total": 10}, talk.french)
    said = [what for what in talk.heard if not what.startswith("♪")]
    talk.heard.clear()
    talk.voice.repeat_last_speech()
    talk.voice.repeat_last_speech()
    assert talk.heard == said * 2


def test_again_says_the_newest_facts_only() -> None:
    talk = Talk()
    talk.tell(CARD)
    talk.voice.speak_question(OPEN, {"total": 10}, talk.french)
    talk.tell(WON)
    talk.tell(HAND, receipt="accepted")
    talk.heard.clear()
    talk.voice.repeat_last_speech()
    assert talk.heard == ["hush", "en: Over ten: Fish wins the round."]


def test_nothing_of_another_game_is_said_again() -> None:
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS)))
    drive.resume()
    drive.press(OK)
    assert drive.services.voice._last is not tuple
    with drive.services.turn.change():
        drive.services.games.set_running_game(drive.session)
    heard = len(drive.speaker.heard)
    drive.services.voice.repeat_last_speech()
    assert drive.speaker.heard[heard:] == ["hush"]


@pytest.mark.parametrize("quiet", [{"silent": True}, {"heard": "nothing"}, {"quiet_from": 10}])
def test_nothing_is_said_again_that_may_not_be_said_now(quiet: dict[str, Any]) -> None:
    talk = Talk()
    talk.tell(CARD)
    talk.heard.clear()
    talk.settings.update(quiet)
    talk.voice.repeat_last_speech()
    assert talk.heard == []


# --- the language of a message --------------------------------------------------------------------


def test_what_concerns_one_player_alone_is_said_in_that_players_language() -> None:
    talk = Talk(french=("Fish", "Harris"))
    talk.tell(PICKED, WON)
    assert [what for what in talk.heard if what[:2] in ("en", "fr")] == [
        "fr: Fish, voici votre deuxième main.",
        "en: Over ten: Fish wins the round.",
    ]


# --- silence and quiet hours ----------------------------------------------------------------------


def test_silence_is_total_whatever_the_level() -> None:
    for level in SPEECH_LEVEL_NUMBERS:
        talk = Talk(heard=level, silent=True)
        talk.tell(REFUSED, WON, receipt="accepted")
        talk.voice.speak_question(OPEN, {"total": 10}, talk.english)
        for name in ("ready", "goodbye"):
            talk.voice.play_sound(name)
        assert talk.heard == []


def test_silence_stops_a_sentence() -> None:
    talk, speaker = paced()
    talk.tell(WON)
    speaker.wait(1.0)
    talk.settings["silent"] = True
    talk.voice.send_settings_to_speakers()
    assert speaker.cut == ["en: Over ten: Fish wins the round."]


@pytest.mark.parametrize("hour", range(24))
def test_in_the_quiet_hours_nothing_is_said_and_sounds_are_half_as_loud(hour: int) -> None:
    talk = Talk(hour=hour, quiet_from=22, quiet_to=7, volume=8)
    talk.voice.play_sound("ready")
    talk.tell(WON)
    talk.voice.speak_question(OPEN, {"total": 10}, talk.english)
    talk.voice.play_sound("goodbye")
    night = hour >= 22 or hour < 7
    assert talk.speakers[0].volume == (40 if night else 80)
    assert any(what.startswith("en") for what in talk.heard) != night
    assert {"♪ ready", "♪ over_ten", "♪ goodbye"} <= {*talk.heard}


def test_the_volume_changes_with_the_hour_and_only_then() -> None:
    talk = Talk(quiet_from=22, quiet_to=7)
    volumes: list[int] = []
    talk.speakers[0].set_volume = volumes.append  # type: ignore[method-assign, assignment]
    for talk.hour in (21, 21, 22, 23, 6, 7, 8):
        talk.voice.play_sound("accepted")
    assert volumes == [70, 35, 70]


def test_the_quiet_hours_never_go_below_the_floor() -> None:
    assert (
        audio_settings_at_hour({**DEFAULTS, "quiet_from": 0, "quietest": 4, "volume": 5}, 1).percent
        == 40
    )


@pytest.mark.parametrize("begins", range(24))
def test_the_quiet_hours_are_as_many_as_their_ends_say(begins: int) -> None:
    for ends in range(24):
        night = [hour for hour in range(24) if is_quiet_hour(begins, ends, hour)]
        assert len(night) == (ends - begins) % 24
        assert ends not in night
        assert begins in night or begins == ends
    assert not any(is_quiet_hour(None, 7, hour) for hour in range(24))


@pytest.mark.parametrize(
    ("settings", "hour", "muted"),
    [
        ({}, 23, ""),
        ({"heard": "mistakes"}, 12, ""),
        ({"heard": "nothing"}, 12, "nothing"),
        ({"silent": True}, 12, "silent"),
        ({"silent": True, "heard": "nothing", "quiet_from": 22}, 23, "silent"),
        ({"quiet_from": 22}, 23, "night"),
        ({"quiet_from": 22}, 12, ""),
    ],
)
def test_what_mutes_the_box_has_a_name(settings: dict[str, Any], hour: int, muted: str) -> None:
    found = audio_settings_at_hour({**DEFAULTS, **settings}, hour)
    assert found.muted == muted
    assert found.speaks == (not muted)


def test_without_effects_only_sentences_are_heard() -> None:
    talk = Talk(effects=False)
    talk.voice.play_sound("ready")
    talk.tell(WON)
    talk.voice.speak_question(OPEN, {"total": 10}, talk.english)
    assert [what for what in talk.heard if what.startswith("♪")] == []
    assert any(what.startswith("en: ") for what in talk.heard)


def test_without_the_voice_only_effects_are_heard() -> None:
    talk = Talk(voice=False)
    talk.tell(WON)
    assert "♪ over_ten" in talk.heard
    assert [what for what in talk.heard if what.startswith("en: ")] == []


def test_who_plays_by_ear_hears_sentences_without_the_voice() -> None:
    talk = Talk(voice=False, ear=True)
    talk.tell(WON)
    assert any(what.startswith("en: ") for what in talk.heard)


def test_a_volume_is_tried_out_though_effects_are_off() -> None:
    talk = Talk(effects=False)
    talk.voice.play_volume_sample(3)
    assert "♪ accepted" in talk.heard


def test_the_chosen_set_of_sounds_is_played_and_its_lengths_count() -> None:
    talk = Talk()
    talk.speakers[0].sets = {"bells": sounds.BELLS_FOLDER}
    talk.settings["sounds"] = "bells"
    talk.voice.send_settings_to_speakers()
    assert (
        talk.speakers[0].sounds == talk.voice.current_audio_settings.sounds == sounds.BELLS_FOLDER
    )
    talk.settings["sounds"] = ""
    talk.voice.send_settings_to_speakers()
    assert talk.speakers[0].sounds is talk.voice.current_audio_settings.sounds is None


def test_a_set_of_sounds_that_is_gone_gives_way_to_the_usual_one() -> None:
    talk = Talk(sounds="tubas")
    talk.voice.send_settings_to_speakers()
    assert talk.speakers[0].sounds is None
