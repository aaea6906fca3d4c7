"""Tests of a slow voice: order and stand-ins. No sentence is late or said twice.

On a small computer, Piper takes longer to synthesise a sentence than to say it. All times are on a
simulated clock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.ports import HardwareError
from hardware.sound.speaker import Loudspeaker
from hardware.sound.synthesis_queue import (
    MAX_EXPECTED_SENTENCES,
    SLOW_RETRY_SECONDS,
    SLOW_VOICE_WAIT_SECONDS,
    VOICE_SAMPLE_TIMEOUT_SECONDS,
    CircuitBreaker,
    QueuedSentence,
    SentenceSynthesis,
    SynthesisQueue,
    SynthesisWorker,
)
from tests.hardware.quick import Quick
from tests.hardware.slow import TAKES, SlowTable
from tests.helpers import max_examples


def said(text: str) -> QueuedSentence:
    return QueuedSentence(text, "en", 1.0)


def lane(always: Callable[[], Iterable[QueuedSentence]] = tuple) -> SynthesisWorker:
    """Return the worker of a slow voice, without a thread."""
    breaker = CircuitBreaker(lambda _: None)
    return SynthesisWorker(
        "ahead",
        lambda *_: None,
        lambda _: None,
        breaker,
        lambda: 0.0,
        most=MAX_EXPECTED_SENTENCES,
        always=always,
    )


def heard(table: SlowTable) -> list[tuple[str, str]]:
    return [(began.voice, began.text) for began in table.began]


def test_what_is_not_ready_in_a_quarter_of_a_second_is_said_by_the_quick_voice() -> None:
    table = SlowTable()
    table.say("Hello.", "en")
    table.wait(SLOW_VOICE_WAIT_SECONDS - 0.01)
    assert table.began == []
    table.wait(60)
    assert heard(table) == [("quick", "Hello.")]
    assert table.began[0].late == pytest.approx(SLOW_VOICE_WAIT_SECONDS, abs=1e-3)
    assert SLOW_VOICE_WAIT_SECONDS == 0.25


def test_what_was_late_is_made_all_the_same_and_is_there_the_next_time() -> None:
    table = SlowTable()
    table.say("Hello.", "en")
    table.wait(60)
    table.say("Hello.", "en")
    table.wait(60)
    assert heard(table) == [("quick", "Hello."), ("slow", "Hello.")]
    assert table.began[1].late == 0.0
    assert table.room.read_texts == ["Hello."]


def test_the_time_of_a_sentence_before_it_is_time_to_make_it() -> None:
    table = SlowTable()
    table.say("This is a sentence that takes more than seven seconds to be said aloud" * 2, "en")
    table.say("Short.", "en")
    table.wait(60)
    assert [voice for voice, _ in heard(table)] == ["quick", "slow"]


def test_what_was_expected_is_said_by_the_slow_voice_at_once() -> None:
    table = SlowTable()
    table.prepare_slow_sentences([("Four. Your turn.", "en"), ("Five.", "en"), ("Six.", "fr")])
    table.wait(3 * TAKES + 0.1)
    for text in ("Four.", "Five."):
        table.say(text, "en")
        table.wait(5)
    assert heard(table) == [("slow", "Four."), ("slow", "Five.")]
    assert all(began.late == 0.0 for began in table.began)
    assert table.room.read_texts == ["Four.", "Your turn.", "Five."], "the French voice is quick"


def test_what_is_waited_for_goes_before_what_is_expected() -> None:
    queue = lane(lambda: [said("always")])
    due, later = SentenceSynthesis(), SentenceSynthesis()
    queue.set_expected_sentences([said("soon")])
    queue.queue_due_sentence(said("due"), due)
    queue.queue_due_sentence(said("newer"), later)
    order = [queue.take_next_job() for _ in range(5)]
    assert [job and job.sentence.text for job in order] == ["newer", "soon", "due", "always", None]
    assert order[0] is not None
    assert order[0].synthesis is later


def test_what_was_expected_of_an_older_question_is_forgotten() -> None:
    queue = lane()
    queue.set_expected_sentences([said(str(n)) for n in range(500)])
    assert len(queue._expected) == MAX_EXPECTED_SENTENCES
    queue.set_expected_sentences([said("new")])
    assert [job.sentence.text for job in iter(queue.take_next_job, None) if job] == ["new"]


def test_what_is_always_said_is_made_when_there_is_nothing_else_and_once() -> None:
    asked: list[int] = []

    def always() -> list[QueuedSentence]:
        asked.append(1)
        return [said(f"Rule {n}.") for n in range(5)]

    table = SlowTable(always)
    table.wait(60)
    assert table.room.read_texts == [], "nothing is made before the first sentence"
    table.prepare_slow_sentences([("Next.", "en")])
    table.wait(6 * TAKES + 1)
    assert table.room.read_texts == ["Next.", *(f"Rule {n}." for n in range(5))]
    table.prepare_slow_sentences([("Rule 1.", "en")])
    table.wait(100)
    assert (len(table.room.read_texts), len(asked)) == (6, 1)


def test_somebody_who_practises_hears_the_voice_itself_however_slow() -> None:
    table = SlowTable()
    table.say("A sentence that is stopped, for it is long enough for that.", "en")
    table.wait(1)
    table.speak_with_voice(("One.", "Two."), "en", "slow")
    table.wait(VOICE_SAMPLE_TIMEOUT_SECONDS)
    table.speak_with_voice(("One.",), "en", "espeak-ng")
    table.wait(5)
    assert heard(table)[1:] == [("slow", "One."), ("slow", "Two."), ("quick", "One.")]


def test_a_voice_that_fails_is_told_once_and_the_quick_one_goes_on() -> None:
    table = SlowTable()
    table.room.broken = True
    for n in range(20):
        table.say(f"Sentence {n}.", "en")
        table.wait(20)
    assert [voice for voice, _ in heard(table)] == ["quick"] * 20
    assert [str(error) for error in table.room.reports] == ["half a file"]
    assert table.room.read_texts == ["Sentence 0."], "the failed voice is not used again yet"
    assert table.began[1].late == 0.0, "no sentence waits for the failed voice"
    table.room.broken = False
    table.wait(SLOW_RETRY_SECONDS)
    table.say("It works.", "en")
    table.wait(60)
    table.say("It works.", "en")
    table.wait(60)
    assert heard(table)[-1] == ("slow", "It works.")


def test_another_voice_is_tried_at_once_after_one_that_failed() -> None:
    table = SlowTable()
    table.room.broken = True
    table.say("Hello.", "en")
    table.wait(20)
    table.room.broken = False
    table.queue.reset_for_new_voice()
    table.prepare_slow_sentences([("Hello.", "en")])
    table.wait(20)
    assert table.room.made


@pytest.mark.long
@settings(max_examples=max_examples(300))
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["say", "expect", "hush", "cue"]),
            st.integers(0, 6),
            st.sampled_from([0.0, 0.1, 0.5, 2.0, 7.0]),
        ),
        max_size=40,
    )
)
def test_whatever_is_said_and_hushed_nothing_is_late_or_heard_twice(
    events: list[tuple[str, int, float]],
) -> None:
    table = SlowTable()
    for kind, n, pause in events:
        match kind:
            case "say":
                table.say(f"Sentence number {n}.", "en")
            case "expect":
                table.prepare_slow_sentences([(f"Sentence number {m}.", "en") for m in range(n)])
            case "hush":
                table.stop_and_clear()
            case _:
                table.play("accepted")
        table.wait(pause)
    table.wait(600)
    assert all(began.late <= SLOW_VOICE_WAIT_SECONDS + 1e-3 for began in table.began)
    for text, times in table.orders.items():
        assert sum(began.text == text for began in table.began) <= times
    assert table.job is None


# --- the real thread ---


class Patient(Quick):
    """A slow voice that hangs until `go_on` is set or its process is ended."""

    def __init__(self) -> None:
        self.go_on, self.asked = threading.Event(), threading.Event()
        self.texts: list[str] = []
        self.stopped = False

    def is_slow_voice(self, language: str, name: str = "") -> bool:
        return language == "en" and not name

    def make_slow_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        self.asked.set()
        assert self.go_on.wait(20)
        if self.stopped:
            raise HardwareError("stopped", "own_voice")
        self.texts.append(text)
        return f"{language}{name}".encode()

    def end_slow_voice_process(self) -> None:
        self.stopped = True
        self.go_on.set()


def queue_of(voice: Patient, report: Callable[[HardwareError], None]) -> SynthesisQueue:
    return SynthesisQueue(report, voice, lambda: None, lambda: 0.0)


def begin(queue: SynthesisQueue, text: str) -> SentenceSynthesis:
    """Begin to synthesise `text`. Return the slow voice's synthesis if there is one."""
    synthesis = queue.begin_synthesis(said(text))
    return synthesis.better or synthesis


def join() -> None:
    for thread in threading.enumerate():
        if thread.name in {"ahead", "voice"}:
            thread.join(20)
            assert not thread.is_alive()


def test_the_thread_lives_only_while_there_is_something_to_make() -> None:
    voice = Patient()
    queue = queue_of(voice, lambda _: None)
    queue.prepare_sentences_with_slow_voice([said("One."), said("Two.")])
    assert voice.asked.wait(20)
    synthesis = begin(queue, "Now.")
    assert not synthesis.done
    voice.go_on.set()
    join()
    assert voice.texts == ["One.", "Now.", "Two."]
    assert synthesis.content == b"en"
    begin(queue, "Later.")
    join()
    assert voice.texts[-1] == "Later."


def test_an_end_in_the_middle_of_a_sentence_is_at_once_and_nobody_s_fault() -> None:
    voice, reports = Patient(), list[HardwareError]()
    queue = queue_of(voice, reports.append)
    synthesis = begin(queue, "Now.")
    assert voice.asked.wait(20)
    queue.close()
    join()
    assert (synthesis.done, synthesis.content, reports) == (True, None, [])
    after = queue.begin_synthesis(said("After the end."))
    assert after.better is not None
    assert (after.done, after.better.done) == (True, True)


def test_a_report_that_fails_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def fail(error: HardwareError) -> None:
        raise error

    voice = Patient()
    voice.stopped = True
    voice.go_on.set()
    queue = queue_of(voice, fail)
    begin(queue, "One.")
    join()
    assert not queue.slow._busy


def test_a_box_whose_voices_are_quick_starts_no_thread_for_a_slow_one() -> None:
    speaker = Loudspeaker(lambda _: None, Quick())
    assert not speaker.has_slow_voice
    speaker.prepare_slow_sentences([("Hello.", "en")])
    assert not any(thread.name == "ahead" for thread in threading.enumerate())
