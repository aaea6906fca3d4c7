"""What is said when: sounds first, the newest facts only, secrets never."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import pytest

from companion.core import Choose, Cue
from companion.games.barney_miller import GAME
from companion.voice import FAULTS, LEVELS, Voice
from companion.words import Words
from hardware import HardwareError
from hardware.mock import FakeSpeaker
from tests.helpers import printed

WON: Final = Cue(
    "round_won", {"who": "Fish", "last": "Harris", "how": "over", "total": 12, "round": 1}, "BM-7"
)
CARD: Final = Cue(
    "card_played", {"who": "Harris", "value": 5, "total": 12, "forced": False}, "BM-6"
)
HAND: Final = Cue("hand", {"who": "Fish", "cards": [1, 2]}, "BM-3", to="Fish")
REFUSED: Final = Cue("refused", {"code": "over"})
SETTINGS: Final = {
    "heard": "everything",
    "speech": "normal",
    "volume": 7,
    "quietest": 1,
    "loudest": 10,
}
OPEN: Final = Choose("zero", "Fish", ("play", "pass"))


class Talk:
    """A voice on fake speakers."""

    def __init__(self, n: int = 1, **settings: Any) -> None:
        self.settings: dict[str, Any] = {**SETTINGS, **settings}
        self.speakers = [FakeSpeaker() for _ in range(n)]
        self.reported: list[HardwareError] = []
        self.voice = Voice(self.speakers, lambda: self.settings, self.reported.append)
        self.english = Words("en", GAME.name, printed())
        self.french = Words("fr", GAME.name, printed())

    @property
    def heard(self) -> list[str]:
        return self.speakers[0].heard


def test_a_sound_comes_before_its_sentence_and_facts_in_their_order() -> None:
    talk = Talk()
    talk.voice.tell([CARD, WON], talk.english, receipt="accepted")
    assert talk.heard == [
        "hush", "♪ accepted", "en: Twelve.", "♪ round_won",
        "en: Harris went over. Fish wins the round.",
    ]  # fmt: skip


def test_newer_facts_drop_what_is_not_yet_said_of_older_ones() -> None:
    talk = Talk()
    talk.voice.tell([CARD], talk.english)
    talk.voice.tell([WON], talk.english)
    assert talk.heard.count("hush") == 2
    assert talk.heard.index("hush", 1) < talk.heard.index("♪ round_won")


def test_a_receipt_alone_drops_nothing() -> None:
    talk = Talk()
    talk.voice.tell([], talk.english, receipt="accepted")
    assert talk.heard == ["♪ accepted"]


@pytest.mark.parametrize("heard", LEVELS)
def test_a_secret_is_never_heard(heard: str) -> None:
    talk = Talk(heard=heard)
    talk.voice.tell([HAND], talk.english)
    talk.voice.ask(OPEN._replace(private=True), {"total": 10}, talk.english)
    assert talk.heard == []


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
                talk.voice.tell([REFUSED], talk.english)
            case "win":
                talk.voice.tell([WON], talk.english)
            case "receipt":
                talk.voice.sound("accepted")
            case _:
                talk.voice.ask(OPEN, {"total": 10}, talk.english)
        found.append(bool(talk.heard))
    assert tuple(found) == expected


def test_mistakes_are_those_of_the_box_and_of_the_table() -> None:
    assert {"refused", "damaged", "rules_changed", "hardware", "edition"} == FAULTS


def test_verbosity_makes_sentences_shorter_or_adds_the_rule() -> None:
    said = {}
    for speech in ("short", "normal", "teaching"):
        talk = Talk(speech=speech)
        talk.voice.tell([WON], talk.english)
        said[speech] = talk.heard[-1]
    assert said == {
        "short": "en: Fish wins.",
        "normal": "en: Harris went over. Fish wins the round.",
        "teaching": "en: Harris went over. Fish wins the round. "
        "Ten wins. Over ten: the last card that kept it below ten wins.",
    }


def test_a_question_is_spoken_in_its_players_language() -> None:
    talk = Talk()
    talk.voice.ask(OPEN, {"total": 10}, talk.french)
    assert talk.heard == ["fr: Fish, jouez-vous un zéro\u00a0?"]


def test_a_question_that_needs_no_sentence_is_not_spoken() -> None:
    talk = Talk()
    talk.voice.ask(Choose("play_card", "Fish", (1, 2)), {"total": 3}, talk.english)
    assert talk.heard == []


@pytest.mark.parametrize(("volume", "quietest", "loudest"), list(product((1, 5, 10), repeat=3)))
def test_the_volume_never_leaves_its_floor_and_ceiling(
    volume: int, quietest: int, loudest: int
) -> None:
    if quietest > loudest:
        return
    talk = Talk(volume=volume, quietest=quietest, loudest=loudest)
    talk.voice.set_volume()
    assert quietest * 10 <= talk.speakers[0].volume <= loudest * 10


def test_settings_are_followed_at_once() -> None:
    talk = Talk()
    talk.settings["heard"] = "nothing"
    talk.voice.sound("ready")
    talk.settings["heard"] = "everything"
    talk.voice.sound("accepted")
    assert talk.heard == ["♪ accepted"]


def test_a_speaker_that_fails_is_reported_and_the_others_go_on() -> None:
    talk = Talk(n=2)
    talk.speakers[0].failing = True
    talk.voice.tell([WON], talk.english)
    assert talk.heard == []
    assert talk.speakers[1].heard[-1].startswith("en: Harris went over")
    assert {type(error) for error in talk.reported} == {HardwareError}


def test_only_hardware_may_fail_quietly() -> None:
    talk = Talk()

    def broken(sound: str) -> None:
        raise RuntimeError(sound)

    talk.speakers[0].play = broken  # type: ignore[method-assign]
    with pytest.raises(RuntimeError):
        talk.voice.sound("ready")
