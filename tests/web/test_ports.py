"""Tests of the ports of the box in a page."""

from __future__ import annotations

from typing import Any

from hardware.ports import COMMON_RANK, FIRST_RANK, LAST_RANK, MAX_QUEUED_ITEMS
from hardware.screens.browser import BrowserSpeaker


class Heard(BrowserSpeaker):
    """A speaker that records its messages to the page. `end` is the page's report."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        super().__init__(lambda kind, **fields: self.sent.append((kind, fields)))

    def end(self) -> None:
        self.send_next_item_after_end(self._number)

    @property
    def texts(self) -> list[str]:
        return [fields.get("name", fields.get("text", kind)) for kind, fields in self.sent]


def test_one_thing_sounds_after_another() -> None:
    speaker = Heard()
    speaker.play("dealt")
    speaker.say("Ann rolls.", "en")
    assert speaker.texts == ["dealt"]
    speaker.end()
    assert speaker.texts == ["dealt", "Ann rolls."]


def test_an_end_that_is_reported_late_starts_nothing() -> None:
    speaker = Heard()
    for sound in ("one", "two", "three"):
        speaker.play(sound)
    speaker.end()
    speaker.send_next_item_after_end(1)
    assert speaker.texts == ["one", "two"]


def test_hush_stops_a_sentence_and_lets_a_sound_end() -> None:
    speaker = Heard()
    speaker.say("Ann rolls.", "en")
    speaker.stop_and_clear()
    speaker.play("dealt")
    speaker.stop_and_clear()
    assert speaker.texts == ["Ann rolls.", "stop", "dealt"]


def test_hush_that_keeps_leaves_what_is_of_the_first_rank() -> None:
    speaker = Heard()
    speaker.say("Hunch!", "en", FIRST_RANK)
    speaker.say("Bob wins.", "en", FIRST_RANK)
    speaker.say("Ann rolls.", "en")
    speaker.stop_and_clear(keep=True)
    speaker.end()
    speaker.end()
    assert speaker.texts == ["Hunch!", "Bob wins."]


def test_a_sentence_that_became_untrue_is_not_said() -> None:
    speaker = Heard()
    speaker.say("Ann rolls.", "en")
    speaker.say("Bob rolls.", "en")
    speaker.drop_sentences(["Ann rolls.", "Bob rolls."])
    speaker.end()
    assert speaker.texts == ["Ann rolls.", "stop"]


def test_the_oldest_of_the_last_rank_is_forgotten_when_too_much_waits() -> None:
    speaker = Heard()
    speaker.play("sounding")
    speaker.play("step", LAST_RANK)
    for n in range(MAX_QUEUED_ITEMS):
        speaker.play(f"sound {n}", COMMON_RANK)
    for _ in range(MAX_QUEUED_ITEMS + 1):
        speaker.end()
    assert "step" not in speaker.texts
    assert speaker.texts[1:] == [f"sound {n}" for n in range(MAX_QUEUED_ITEMS)]


def test_names_are_said_as_they_are_respelled() -> None:
    speaker = Heard()
    speaker.use_respellings({"en": {"Kojak": "Koh-jack"}})
    speaker.say("Kojak wins.", "en")
    speaker.end()
    speaker.say("Kojak gagne.", "fr")
    assert speaker.texts == ["Koh-jack wins.", "Kojak gagne."]
