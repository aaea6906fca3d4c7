"""Tests of the order of an important event: its sound, its picture, its sentence.

One answer causes few sounds, and no sentence that its own facts have made untrue.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from companion.catalog.registry import BUILT_IN_GAMES
from companion.core.game import Cue
from companion.draw.face import load_face
from companion.hear import policy
from companion.hear.policy import MAX_ANNOUNCEMENT_SECONDS, PlayRankedSound, SpeakSentence
from companion.menus.settings import DEFAULTS
from companion.menus.words import menu_words
from companion.say.words import LANGUAGES, Words
from companion.table.overlays import (
    ANIMATION_PICTURE_SECONDS,
    Overlay,
    make_overlay,
    sound_duration_seconds,
    stage_facts_as_overlays,
)
from hardware.sound.playback_queue import SOUND_GAP_SECONDS
from tests.hear.paced import SECONDS_PER_LETTER, Evening
from tests.helpers import long_lane_params, words_for

RULES: Final = policy.audio_settings_at_hour(DEFAULTS, None)
ORDERED: Final = 3.0
"""Maximum time (s) from a trap card to the end of its instruction."""
COLOURS: Final = ("red", "yellow", "blue", "green")
CARDS: Final[tuple[dict[str, Any], ...]] = (
    *({"kind": "advance", "steps": n} for n in (1, 2, 3)),
    *({"kind": "back", "steps": n} for n in (1, 3)),
    *({"kind": kind, "steps": None} for kind in ("stay", "to_red")),
)
"""Trap cards without their colours."""


def heard(words: Words, *cues: Cue) -> list[Any]:
    return [*policy.announcement_steps(cues, lambda _: words, RULES, "accepted")][1:]


def traps() -> list[Cue]:
    cards: list[dict[str, Any]] = [
        {**card, "colour": colour} for card in CARDS for colour in (*COLOURS, "all")
    ]
    cards += [{"kind": "kojak"}, {"kind": "lose_turn"}]
    facts = {"who": "Wojehowicz", "mission": "yellow"}
    return [Cue("trap", {**facts, "card": card}, "KO-13") for card in cards]


def on_red(colour: str = "yellow") -> Cue:
    facts = {"colour": colour, "place": "bank", "may_arrest": ["Ann"], "already": False}
    return Cue("on_red", facts, "KO-15")


def advanced(colour: str = "yellow") -> Cue:
    way = {"from": 0, "to": 3, "steps": 3, "fields": 4, "red": [3], "how": "advance"}
    return Cue("advanced", {"colour": colour, "place": "bank", **way}, "KO-13")


def scored(points: int, total: int) -> Cue:
    return Cue("scored", {"who": "Bob", "points": points, "total": total, "why": "hit"}, "PR-7")


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
@pytest.mark.parametrize("games", [2, *long_lane_params([20])])
def test_one_answer_is_told_within_twelve_seconds(game: str, language: str, games: int) -> None:
    table = Evening(game, 1, language=language)
    for _ in range(games):
        table.play()
    assert max(asked.talk for asked in table.asked) <= MAX_ANNOUNCEMENT_SECONDS


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_order_of_a_trap_card_is_spoken_within_three_seconds(language: str) -> None:
    words = words_for("kojak", language)
    for trap in traps():
        press, sound, sentence = heard(words, trap)
        assert press.name == "accepted"
        assert isinstance(sound, PlayRankedSound)
        assert isinstance(sentence, SpeakSentence)
        took = (
            sound_duration_seconds("accepted")
            + sound_duration_seconds(sound.name)
            + 2 * SOUND_GAP_SECONDS
            + SECONDS_PER_LETTER * len(sentence.text)
        )
        assert took <= ORDERED, (sentence.text, took)


def test_an_alarm_follows_the_order_that_causes_it_at_once() -> None:
    trap = traps()[11]
    drum, order, alarm, cry = heard(words_for("kojak", "en"), trap, advanced(), on_red())
    assert (drum.name, order.text) == ("drum_roll", "Move yellow three spaces.")
    assert (alarm.name, cry.text[:6]) == ("alarm", "Alarm!")


def test_without_an_alarm_a_criminal_who_walks_is_heard() -> None:
    steps = heard(words_for("kojak", "en"), advanced())
    assert [step.name for step in steps] == ["accepted", "trap"]


def test_a_total_that_grows_twice_in_one_answer_is_said_once() -> None:
    said = policy.sentences_among_steps(
        heard(words_for("probe", "en"), scored(10, 185), scored(50, 235))
    )
    assert [step.text for step in said] == ["50 for Bob: 235 in all."]


def test_say_again_tells_all_of_an_answer_whose_story_was_shortened() -> None:
    words = words_for("probe", "en")
    cues = [Cue("stopped", {}, "PR-14")] * 12
    whole = policy.announcement_steps(cues, lambda _: words, RULES._replace(longest=None), None)
    told = policy.announcement_steps(cues, lambda _: words, RULES, None)
    assert {step.text for step in policy.sentences_among_steps(told)} == {"The game ends."}
    assert {step.text for step in policy.sentences_among_steps(whole)} == {
        "The table ends the game."
    }


def test_the_last_fact_is_told_even_if_it_takes_longer_than_an_answer_may() -> None:
    words = menu_words("en")
    cues = [Cue("walk", {"walks": "kojak"})] * 2
    steps = policy.announcement_steps(cues, lambda _: words, RULES._replace(longest=0.1), None)
    assert len(policy.sentences_among_steps(steps)) == 1


def test_audio_mode_and_teaching_leave_nothing_out() -> None:
    for other in ({"ear": True}, {"speech": "teaching"}):
        assert policy.audio_settings_at_hour({**DEFAULTS, **other}, None).longest is None
    assert RULES.longest == MAX_ANNOUNCEMENT_SECONDS


def test_the_last_picture_of_a_movement_comes_as_its_sound_ends() -> None:
    shown = _moment(traps()[11])
    assert shown.pictures > 1
    assert shown.step * (shown.pictures - 1) == pytest.approx(sound_duration_seconds("drum_roll"))
    assert _moment(traps()[11], effects=False).step == ANIMATION_PICTURE_SECONDS


def test_a_fact_that_goes_unsaid_stays_until_it_is_read() -> None:
    words, face = words_for("probe", "en"), load_face("probe")
    cues = tuple(Cue("moot", {"who": "Bob"}, "PR-15") for _ in range(20))
    first, *_, last = stage_facts_as_overlays(cues, words, face, RULES).overlays[0], cues[-1]
    assert first.read > 0
    assert last.name == "moot"


def test_a_round_over_ten_that_nobody_wins_has_the_sound_of_over_ten() -> None:
    assert (
        words_for("barney-miller", "en").fact_sound_name(Cue("nobody_won", {}, "BM-7"))
        == "over_ten"
    )


def _moment(cue: Cue, *, effects: bool = True) -> Overlay:
    now = RULES._replace(effects=effects)
    return make_overlay((cue,), words_for("kojak", "en"), load_face("kojak"), now)
