from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sounds
from hardware.ports import (
    FIRST_RANK,
    MAX_QUEUED_ITEMS,
    MAX_UNSTOPPED_REMAINDER_SECONDS,
    HardwareError,
)
from hardware.sound.playback_queue import (
    DEVICE_CHECK_SECONDS,
    IDLE_SECONDS,
    SENTENCE_PAUSE_SECONDS,
    SOUND_GAP_SECONDS,
    PlaybackQueue,
    QueuedSound,
    SoundDeviceNotReadyError,
    SpeakerCommand,
)
from hardware.sound.speaker import (
    SOUND_CARD_TIMEOUT_SECONDS,
    Loudspeaker,
    PygameSoundDevice,
    _level,
    has_usable_sound_device,
    make_sound_device_opener,
)
from hardware.sound.synthesis_queue import (
    LATE_SENTENCE_SECONDS,
    RETRY_SECONDS,
    QueuedSentence,
    SentenceSynthesis,
    SynthesisJob,
    SynthesisQueue,
)
from tests.english import english_error, raises_english
from tests.hardware.quick import Quick
from tests.helpers import long_lane_params

DING = QueuedSound(sounds.find_sound_file("your_turn"), 1.0)
DONG = QueuedSound(sounds.find_sound_file("refused"), 0.5)
HELLO = QueuedSentence("Hello.", "en", 1.0)
AGAIN = QueuedSentence("Once more.", "en", 1.0)
LENGTH = 1.0
ENOUGH = 60.0  # seconds to wait for another thread


class Heard(NamedTuple):
    what: str
    at: float


class Table(Quick):
    """A playback queue with a fake device, a fake voice and a simulated clock."""

    def __init__(self) -> None:
        self.now = 100.0
        self.heard: list[Heard] = []
        self.volumes: list[float] = []
        self.reports: list[str] = []
        self.synthesised: list[str] = []
        self.openings = 0
        self.open = False
        self.device_works = self.voice_works = True
        self.voice_closed = False
        self.slow: list[SynthesisJob] | None = None
        self.queue = SynthesisQueue(self.report, self, lambda: None, lambda: self.now)
        self.player = PlaybackQueue(
            self.report, self.make, self.close, self.open_mixer, lambda: self.now
        )

    def report(self, error: HardwareError) -> None:
        self.reports.append(english_error(error))

    def open_mixer(self) -> FakeMixer:
        self.openings += 1
        if not self.device_works:
            raise HardwareError("no device")
        assert not self.open
        self.open = True
        return FakeMixer(self)

    def make(self, sentence: QueuedSentence) -> SentenceSynthesis:
        synthesis = SentenceSynthesis()
        if self.slow is None:
            self.queue.quick.make(SynthesisJob(sentence, synthesis))
        else:
            self.slow.append(SynthesisJob(sentence, synthesis))
        return synthesis

    def finish(self) -> None:
        """Finish all sentences that the slow engine was asked for."""
        for job in self.slow or ():
            self.queue.quick.make(job)
        self.slow = []

    def make_quick_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        self.synthesised.append(text)
        if not self.voice_works:
            raise HardwareError("no engine")
        return f"{language}{name}:{text}".encode()

    def close(self) -> None:
        self.voice_closed = True

    def order(self, *orders: QueuedSound | QueuedSentence | SpeakerCommand) -> None:
        self.player.accept_items_and_commands(orders)

    def settle(self) -> float | None:
        """Run the player until nothing is due. Return the seconds until the next event, or None."""
        for _ in range(100):
            wait = self.player.begin_or_prepare_due_item()
            if wait is None or wait > 0:
                return wait
        pytest.fail("the player always has a due item")

    def run(self, seconds: float = 3600.0) -> None:
        """Advance the clock by up to `seconds`, until the player has nothing left to do."""
        until = self.now + seconds
        while (wait := self.settle()) is not None and self.now + wait <= until:
            self.now += max(wait, 1e-6)  # a float that is too small to add would stop the clock
        self.now = max(until, self.now)

    def names(self) -> list[str]:
        return [heard.what for heard in self.heard]


class FakeMixer:
    def __init__(self, table: Table) -> None:
        self.table = table

    def play_wav(self, wav: bytes, volume: float) -> float:
        files = {cue.file.read_bytes(): cue.file.stem for cue in (DING, DONG)}
        if not self.table.device_works:
            raise HardwareError("device lost")
        self.table.heard.append(Heard(files.get(wav) or wav.decode(), self.table.now))
        self.table.volumes.append(volume)
        return LENGTH

    def stop(self) -> None:
        self.table.heard.append(Heard("stop", self.table.now))

    def close(self) -> None:
        self.table.open = False


@pytest.fixture
def table() -> Table:
    return Table()


def test_sounds_follow_one_another_and_never_overlap(table: Table) -> None:
    table.order(DING, HELLO, DONG)
    table.run()
    assert table.names() == ["your_turn", "en:Hello.", "refused"]
    starts = [heard.at for heard in table.heard]
    assert all(late - early >= LENGTH for early, late in pairwise(starts))


def test_a_sound_keeps_the_volume_it_was_asked_with(table: Table) -> None:
    table.order(DING, DONG)
    table.run()
    assert table.volumes == [1.0, 0.5]


def test_the_mixer_is_opened_for_the_first_sound_only(table: Table) -> None:
    assert table.settle() is None
    assert table.openings == 0
    table.order(DING, DONG)
    table.settle()
    assert table.openings == 1


def test_the_mixer_is_closed_two_seconds_after_the_last_sound(table: Table) -> None:
    table.order(DING)
    table.run(LENGTH + IDLE_SECONDS - 0.1)
    assert table.open
    table.run(0.2)
    assert not table.open


def test_an_idle_player_asks_for_no_wakeup(table: Table) -> None:
    table.order(DING)
    table.run()
    assert table.player.begin_or_prepare_due_item() is None


def test_a_sounding_player_wakes_only_when_the_sound_ends(table: Table) -> None:
    table.order(DING)
    assert table.settle() == pytest.approx(LENGTH, abs=0.1)


def test_a_sentence_is_made_while_the_cue_before_it_sounds(table: Table) -> None:
    table.order(DING, HELLO)
    table.settle()
    assert (table.names(), table.synthesised) == (["your_turn"], ["Hello."])


def test_hush_stops_a_sentence_and_forgets_the_rest(table: Table) -> None:
    table.order(HELLO, AGAIN, DING)
    table.run(LENGTH / 4)
    table.order(SpeakerCommand.HUSH)
    table.run()
    assert table.names() == ["en:Hello.", "stop"]


def test_hush_lets_the_last_words_of_a_sentence_be_said(table: Table) -> None:
    table.order(HELLO, AGAIN)
    table.run(LENGTH - MAX_UNSTOPPED_REMAINDER_SECONDS / 2)
    table.order(SpeakerCommand.HUSH, DING)
    table.run()
    assert table.names() == ["en:Hello.", "your_turn"]


def test_at_most_so_many_sounds_wait_and_the_oldest_are_forgotten(table: Table) -> None:
    table.order(HELLO)
    table.run(LENGTH / 4)
    table.order(*(QueuedSentence(f"{n}.", "en", 1.0) for n in range(3 * MAX_QUEUED_ITEMS)))
    table.run()
    assert table.names()[1:] == [
        f"en:{n}." for n in range(2 * MAX_QUEUED_ITEMS, 3 * MAX_QUEUED_ITEMS)
    ]


def test_what_two_hasty_answers_at_kojak_have_brought_about_is_heard_to_its_end(
    table: Table,
) -> None:
    table.order(HELLO)
    table.run(LENGTH / 4)
    weighty = [QueuedSentence(f"Alarm {n}.", "en", 1.0, rank=FIRST_RANK) for n in range(22)]
    others = [QueuedSentence(f"{n}.", "en", 1.0) for n in range(MAX_QUEUED_ITEMS)]
    table.order(*weighty[:11], *others, *weighty[11:])
    table.run()
    assert [name for name in table.names() if "Alarm" in name] == [
        f"en:{one.text}" for one in weighty
    ]


def test_hush_never_cuts_a_cue(table: Table) -> None:
    table.order(DING, HELLO)
    table.run(LENGTH / 2)
    table.order(SpeakerCommand.HUSH)
    table.run()
    assert table.names() == ["your_turn"]


def test_a_sentence_hushed_while_it_is_made_is_never_heard(table: Table) -> None:
    table.slow = []
    table.order(HELLO)
    table.settle()
    table.order(SpeakerCommand.HUSH, AGAIN)
    table.settle()
    table.finish()
    table.run()
    assert (table.synthesised, table.names()) == (["Hello.", "Once more."], ["en:Once more."])


def test_a_sentence_is_heard_as_soon_as_it_is_made(table: Table) -> None:
    table.slow = []
    table.order(HELLO)
    table.run(0.5)
    table.finish()
    table.settle()
    assert table.heard == [Heard("en:Hello.", table.now)]


def test_a_cue_does_not_wait_for_a_sentence_that_was_hushed(table: Table) -> None:
    table.slow = []
    table.order(HELLO)
    table.settle()
    table.order(SpeakerCommand.HUSH, DING)
    table.settle()
    assert table.heard == [Heard("your_turn", table.now)]


def test_a_hanging_engine_costs_the_others_a_second_or_two_once(table: Table) -> None:
    table.slow = []
    begun = table.now
    table.order(HELLO, DING)
    table.run(LATE_SENTENCE_SECONDS + 0.1)
    assert table.names() == ["your_turn"]
    assert table.heard[0].at - begun == pytest.approx(LATE_SENTENCE_SECONDS, abs=0.1)
    table.finish()
    table.run()
    assert table.names() == ["your_turn"]


def test_a_sentence_has_the_whole_cue_before_it_to_be_made_in(table: Table) -> None:
    table.slow = []
    table.order(DING, HELLO)
    table.run(LENGTH + LATE_SENTENCE_SECONDS - 0.1)
    table.finish()
    table.run()
    assert table.names() == ["your_turn", "en:Hello."]


def test_the_next_sentence_is_made_while_one_is_heard(table: Table) -> None:
    table.order(HELLO, AGAIN)
    table.settle()
    assert (table.names(), table.synthesised) == (["en:Hello."], ["Hello.", "Once more."])


def test_there_is_a_breath_between_two_sentences_and_none_before_a_cue(table: Table) -> None:
    table.order(HELLO, AGAIN, DING)
    table.run()
    starts = [heard.at for heard in table.heard]
    assert [b - a for a, b in pairwise(starts)] == pytest.approx(
        [LENGTH + SOUND_GAP_SECONDS + SENTENCE_PAUSE_SECONDS, LENGTH + SOUND_GAP_SECONDS], abs=0.01
    )


def test_what_is_said_before_the_sound_card_is_there_waits_for_it(table: Table) -> None:
    """The box starts before its card is found."""
    there = table.now + 3

    def opened() -> FakeMixer:
        if table.now < there:
            raise SoundDeviceNotReadyError("no sound device yet", "sound")
        return FakeMixer(table)

    table.player = PlaybackQueue(table.report, table.make, table.close, opened, lambda: table.now)
    table.order(DING, HELLO)

    table.run()

    assert table.names() == ["your_turn", "en:Hello."]
    assert there <= table.heard[0].at <= there + DEVICE_CHECK_SECONDS
    assert table.reports == []


def test_nobody_waits_at_the_end_for_a_sound_card_that_did_not_come(table: Table) -> None:
    def opened() -> FakeMixer:
        raise SoundDeviceNotReadyError("no sound device yet", "sound")

    table.player = PlaybackQueue(table.report, table.make, table.close, opened, lambda: table.now)
    table.order(DING)
    assert table.settle() == DEVICE_CHECK_SECONDS

    table.order(SpeakerCommand.CLOSE)

    assert table.settle() is None
    assert table.voice_closed


def test_a_sound_card_has_its_time_to_come_and_then_it_is_told_that_there_is_none(
    table: Table,
) -> None:
    there = [False]
    opener = make_sound_device_opener(table.open_mixer, lambda: table.now, lambda: there[0])
    with pytest.raises(SoundDeviceNotReadyError):
        opener()
    assert table.openings == 0
    there[0] = True
    opener().close()
    there[0], table.device_works = False, False
    table.now += SOUND_CARD_TIMEOUT_SECONDS
    with raises_english(HardwareError, match="no device"):
        opener()


def test_a_sound_card_is_there_when_it_can_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "alsa")
    assert not has_usable_sound_device(tmp_path / "none")
    (tmp_path / "pcmC0D0c").touch()  # a microphone
    assert not has_usable_sound_device(tmp_path)
    (tmp_path / "pcmC0D0p").touch()
    assert has_usable_sound_device(tmp_path)
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    assert has_usable_sound_device(tmp_path / "none")


def test_a_cue_that_waits_already_is_not_heard_twice(table: Table) -> None:
    table.order(DING, *[DONG] * 100)
    table.run()
    assert table.names() == ["your_turn", "refused"]


def test_the_same_cue_is_heard_again_once_it_has_begun(table: Table) -> None:
    for _ in range(3):
        table.order(DING)
        table.settle()
    table.run()
    assert table.names() == ["your_turn"] * 2
    table.order(DING)
    table.run()
    assert table.names() == ["your_turn"] * 3


def test_what_follows_a_hush_is_heard_at_once(table: Table) -> None:
    table.order(HELLO)
    table.run(LENGTH / 4)
    table.order(SpeakerCommand.HUSH, DING)
    table.settle()
    assert table.heard[-1] == Heard("your_turn", table.now)


def test_closing_drops_sentences_but_plays_the_goodbye(table: Table) -> None:
    table.order(HELLO)
    table.run(LENGTH / 2)
    table.order(AGAIN, DING, SpeakerCommand.CLOSE)
    table.run(IDLE_SECONDS)
    assert table.names() == ["en:Hello.", "stop", "your_turn"]
    assert (table.open, table.voice_closed) == (False, True)


def test_a_dead_device_is_told_once(table: Table) -> None:
    table.device_works = False
    for _ in range(5):
        table.order(DING, HELLO)
        table.run(RETRY_SECONDS)
    assert table.reports == ["no device"]


def test_a_dead_device_is_left_in_peace_for_ten_seconds(table: Table) -> None:
    table.device_works = False
    for _ in range(10):
        table.order(DING)
        table.run(RETRY_SECONDS / 10 - 0.01)
    assert table.openings == 1


def test_a_dead_device_is_never_tried_without_a_sound(table: Table) -> None:
    table.device_works = False
    table.order(DING)
    table.run(10 * RETRY_SECONDS)
    assert (table.openings, table.player.begin_or_prepare_due_item()) == (1, None)


def test_no_sentence_is_made_for_a_dead_device(table: Table) -> None:
    table.device_works = False
    table.order(DING, HELLO)
    table.run()
    assert table.synthesised == []


def test_a_device_that_comes_back_is_heard_again(table: Table) -> None:
    table.device_works = False
    table.order(DING)
    table.run(RETRY_SECONDS)
    table.device_works = True
    table.order(DING)
    table.run()
    assert table.names() == ["your_turn"]


def test_a_device_that_fails_a_second_time_is_told_again(table: Table) -> None:
    table.order(DING)
    for works in (False, True, False):
        table.run(RETRY_SECONDS)
        table.device_works = works
        table.order(DING)
    table.run()
    assert table.reports == ["no device", "no device"]


def test_a_device_lost_in_the_middle_is_let_go(table: Table) -> None:
    table.order(DING)
    table.settle()
    table.device_works = False
    table.order(DING)
    table.run(LENGTH * 2)
    assert (table.reports, table.open) == (["device lost"], False)


def test_cues_do_without_a_voice(table: Table) -> None:
    table.voice_works = False
    table.order(HELLO, DING, AGAIN, DONG)
    table.run()
    assert table.names() == ["your_turn", "refused"]
    assert table.reports == ["no engine"]


def test_a_dead_voice_is_tried_again_after_ten_seconds(table: Table) -> None:
    table.voice_works = False
    table.order(HELLO, AGAIN)
    table.run(RETRY_SECONDS)
    table.voice_works = True
    table.order(AGAIN)
    table.run()
    assert (table.synthesised, table.names()) == (["Hello.", "Once more."], ["en:Once more."])
    assert table.reports == ["no engine"]


def test_a_cue_whose_file_is_gone_does_not_stop_the_others(table: Table, tmp_path: Path) -> None:
    table.order(QueuedSound(tmp_path / "gone.wav", 1.0), HELLO)
    table.run(RETRY_SECONDS)
    table.order(DING)
    table.run()
    assert "gone cannot be read" in table.reports[0]
    assert table.names() == ["your_turn"]


ORDERS = st.sampled_from([DING, DONG, HELLO, AGAIN, SpeakerCommand.HUSH])


@given(st.lists(st.tuples(ORDERS, st.floats(0, 12), st.booleans(), st.booleans())))
def test_whatever_is_ordered_the_player_comes_to_rest_in_silence(
    script: list[tuple[QueuedSound | QueuedSentence | SpeakerCommand, float, bool, bool]],
) -> None:
    table = Table()
    for order, pause, device_works, voice_works in script:
        table.device_works, table.voice_works = device_works, voice_works
        table.order(order)
        table.run(pause)
    table.order(SpeakerCommand.CLOSE)
    table.run()
    assert (table.player.begin_or_prepare_due_item(), table.open, table.voice_closed) == (
        None,
        False,
        True,
    )
    sounded = [heard for heard in table.heard if heard.what != "stop"]
    assert len(sounded) <= len(script)
    ends = -1.0
    for heard in table.heard:
        assert heard.what == "stop" or heard.at >= ends
        ends = heard.at if heard.what == "stop" else heard.at + LENGTH


# The port, with its real thread.


class Room(Quick):
    """A device that signals each sound and ends it at once."""

    def __init__(self) -> None:
        self.played = threading.Semaphore(0)
        self.threads: set[str] = set()
        self.volumes: list[float] = []
        self.reports: list[HardwareError] = []
        self.saved = False
        self.heard: list[bytes] = []

    def play_wav(self, wav: bytes, volume: float) -> float:
        assert wav
        self.heard.append(wav)
        self.threads.add(threading.current_thread().name)
        self.volumes.append(volume)
        self.played.release()
        return 0.0

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass

    def save_new_sentences_to_cache(self) -> None:
        self.saved = True


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.fixture
def speaker(room: Room, monkeypatch: pytest.MonkeyPatch) -> Loudspeaker:
    """Return a loudspeaker whose voice may be late, as on a busy machine."""
    monkeypatch.setattr(SentenceSynthesis.__init__, "__defaults__", (ENOUGH,))
    return Loudspeaker(room.reports.append, room, open_mixer=lambda: room)


def finish(speaker: Loudspeaker) -> None:
    thread = speaker._thread
    speaker.close()
    if thread is not None:
        thread.join(ENOUGH)
        assert not thread.is_alive()


def test_the_caller_never_plays_anything_itself(room: Room, speaker: Loudspeaker) -> None:
    speaker.play("accepted")
    speaker.say("Hello.", "en")
    assert room.played.acquire(timeout=ENOUGH)
    assert room.played.acquire(timeout=ENOUGH)
    finish(speaker)
    join("voice")
    assert (room.threads, room.reports, room.saved) == ({"speaker"}, [], True)


@pytest.mark.long
def test_what_is_said_in_one_call_is_heard_sentence_by_sentence(
    room: Room, speaker: Loudspeaker
) -> None:
    speaker.say("Harris went over. Fish wins the round.", "en")
    for _ in range(2):
        assert room.played.acquire(timeout=ENOUGH)
    finish(speaker)
    assert room.heard == [b"en:Harris went over.", b"en:Fish wins the round."]


def test_a_speaker_that_was_never_used_has_no_thread(speaker: Loudspeaker) -> None:
    assert speaker._thread is None


def test_an_unknown_sound_is_refused_at_once(speaker: Loudspeaker) -> None:
    with raises_english(HardwareError, match="no sound 'applause'"):
        speaker.play("applause")


def test_a_sound_is_found_in_a_folder_of_a_game(room: Room, tmp_path: Path) -> None:
    shutil.copy(sounds.find_sound_file("accepted"), tmp_path / "applause.wav")
    speaker = Loudspeaker(room.reports.append, room, folders=(tmp_path,), open_mixer=lambda: room)
    for name in ("applause", "accepted"):
        speaker.play(name)
        assert room.played.acquire(timeout=ENOUGH)
    finish(speaker)
    assert not room.reports


def test_an_unknown_language_is_refused_at_once(speaker: Loudspeaker) -> None:
    with raises_english(HardwareError, match="no voice speaks 'tlh'"):
        speaker.say("nuqneH", "tlh")


def test_a_closed_speaker_refuses_sounds_and_closes_twice(speaker: Loudspeaker) -> None:
    finish(speaker)
    finish(speaker)
    speaker.stop_and_clear()
    with raises_english(HardwareError, match="closed"):
        speaker.play("accepted")


@pytest.mark.parametrize("percent", [-1, 101])
def test_a_volume_beyond_its_range_is_refused(speaker: Loudspeaker, percent: int) -> None:
    with pytest.raises(ValueError, match="0 to 100"):
        speaker.set_volume(percent)


def test_volume_zero_opens_no_device(room: Room, speaker: Loudspeaker) -> None:
    speaker.set_volume(0)
    speaker.play("accepted")
    assert (speaker._thread, room.volumes) == (None, [])


def test_volume_steps_are_equal_to_the_ear(room: Room, speaker: Loudspeaker) -> None:
    for percent in (100, 50, 40):
        speaker.set_volume(percent)
        speaker.play("accepted")
        assert room.played.acquire(timeout=ENOUGH)
    finish(speaker)
    assert room.volumes == pytest.approx([1.0, 10 ** (-15 / 20), 10 ** (-18 / 20)])


@pytest.mark.parametrize(("percent", "share"), [(40, 1.0), (30, 0.5), (10, 0.5)])
def test_below_volume_4_the_distances_between_cues_are_halved(
    room: Room, speaker: Loudspeaker, percent: int, share: float
) -> None:
    speaker.set_volume(percent)
    levels = []
    for cue in ("accepted", "your_turn", "ready"):
        speaker.play(cue)
        assert room.played.acquire(timeout=ENOUGH)
        levels.append(_level(sounds.find_sound_file(cue)))
    finish(speaker)
    heard = [
        level + 20 * math.log10(gain) for level, gain in zip(levels, room.volumes, strict=True)
    ]
    steps = [late - early for early, late in pairwise(levels)]
    assert min(steps) > 3
    assert [late - early for early, late in pairwise(heard)] == pytest.approx(
        [share * step for step in steps]
    )


class Slow(Room):
    """A device, or an engine, that hangs until `go_on` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go_on = threading.Event(), threading.Event()
        self.said: list[str] = []

    def opened(self) -> Slow:
        assert self.go_on.wait(ENOUGH)
        return self

    def make_quick_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        self.asked.set()
        assert self.go_on.wait(ENOUGH)
        self.said.append(text)
        return super().make_quick_voice_wav(text, language, name)


def test_a_device_that_hangs_delays_nobody_and_keeps_nothing_of_what_is_hushed() -> None:
    slow = Slow()
    speaker = Loudspeaker(slow.reports.append, slow, open_mixer=slow.opened)
    for number in range(500):
        speaker.stop_and_clear()
        speaker.play("accepted")
        speaker.say(f"Fact {number}.", "en")
    assert len(speaker._inbox) <= 3
    slow.go_on.set()
    for _ in range(2):
        assert slow.played.acquire(timeout=ENOUGH)
    finish(speaker)
    assert slow.said[-1] == "Fact 499."
    assert (len(slow.said) <= 2, slow.reports) == (True, [])


@pytest.mark.long
def test_an_engine_that_hangs_delays_no_cue_and_no_caller() -> None:
    slow = Slow()
    speaker = Loudspeaker(slow.reports.append, slow, open_mixer=lambda: slow)
    for number in range(50):
        speaker.stop_and_clear()
        speaker.play("accepted")
        speaker.say(f"Fact {number}.", "en")
        assert slow.played.acquire(timeout=ENOUGH)
    slow.go_on.set()
    assert slow.played.acquire(timeout=ENOUGH)
    finish(speaker)
    assert slow.said[-1] == "Fact 49."
    assert len(slow.said) <= 2
    assert [thread.name for thread in threading.enumerate() if thread.name == "voice"] == []


def test_a_voice_in_use_is_closed_when_it_is_done() -> None:
    slow = Slow()
    closed = threading.Event()
    slow.close = closed.set  # type: ignore[method-assign]
    speaker = Loudspeaker(slow.reports.append, slow, open_mixer=Room)
    speaker.say("Hello.", "en")
    assert slow.asked.wait(ENOUGH)
    finish(speaker)
    assert not closed.is_set()
    slow.go_on.set()
    assert closed.wait(ENOUGH)


class Broken(Room):
    """A voice that always fails."""

    def make_quick_voice_wav(self, text: str, language: str, name: str = "") -> bytes:
        raise HardwareError(f"no engine for {text!r} in {language}{name}")


def test_a_report_that_fails_leaves_the_voice_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    calls: list[HardwareError] = []

    def report(error: HardwareError) -> None:
        calls.append(error)
        raise RuntimeError

    queue = SynthesisQueue(report, Broken(), lambda: None, lambda: 0.0)
    queue.begin_synthesis(HELLO)
    join("voice")
    synthesis = queue.begin_synthesis(AGAIN)
    join("voice")
    assert (synthesis.done, synthesis.content, len(calls)) == (True, None, 1)


def join(name: str) -> None:
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(ENOUGH)


DRIVERS = ["alsa", *long_lane_params(["pulseaudio", "pipewire", "no-such-driver"])]


def needs_pygame() -> None:
    """Skip the test if pygame cannot play."""
    pytest.importorskip("pygame", reason="no pygame: pip install '.[sound]'")
    why = "pygame lacks a library: apt install libglib2.0-0"
    pytest.importorskip("pygame.mixer", reason=why, exc_type=ImportError)


@pytest.mark.long
@pytest.mark.parametrize("driver", DRIVERS)
def test_a_system_without_a_sound_device_costs_one_message(driver: str) -> None:
    needs_pygame()
    code = (  # each call of its clock adds a whole timeout: no wait for a card
        "from itertools import count\n"
        "from hardware.sound.speaker import SOUND_CARD_TIMEOUT_SECONDS as wait, Loudspeaker\n"
        "said = []\n"
        "speaker = Loudspeaker(said.append, None, clock=count(0, wait).__next__)\n"
        "for _ in range(3):\n"
        "    speaker.play('accepted'); speaker._thread and speaker._thread.join()\n"
        "speaker.close()\n"
        "[error] = said\n"
        "print(error.part, error)\n"
    )
    nowhere = {
        "SDL_AUDIODRIVER": driver, "ALSA_CONFIG_PATH": "/dev/null",
        "PULSE_SERVER": "/nonexistent", "PIPEWIRE_REMOTE": "nonexistent",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **nowhere},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.startswith("sound no_card (why: ")


def test_pygame_plays_a_cue_on_the_dummy_device(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_pygame()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    mixer = PygameSoundDevice()
    assert mixer.play_wav(sounds.find_sound_file("accepted").read_bytes(), 0.5) == pytest.approx(
        0.06, abs=0.001
    )
    mixer.stop()
    with raises_english(HardwareError, match="does not play"):
        mixer.play_wav(b"no WAV", 1.0)
    mixer.close()


def test_a_missing_device_is_a_hardware_error(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_pygame()
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    with raises_english(HardwareError, match="no sound device"):
        PygameSoundDevice()


def test_a_missing_pygame_is_a_hardware_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame.mixer", None)
    monkeypatch.setitem(sys.modules, "pygame", None)
    with raises_english(HardwareError, match="pip install pygame"):
        PygameSoundDevice()


def test_a_pygame_that_lacks_a_library_is_a_hardware_error_that_says_which(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("pygame", "pygame.mixer"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    package = tmp_path / "pygame"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "mixer.py").write_text("raise ImportError('libgthread-2.0.so.0: no such file')")
    monkeypatch.syspath_prepend(tmp_path)
    with raises_english(HardwareError, match="apt install.*libgthread"):
        PygameSoundDevice()
    monkeypatch.delitem(sys.modules, "pygame")


def test_a_cue_of_the_chosen_set_is_played(room: Room, speaker: Loudspeaker) -> None:
    speaker.use_sound_set(sounds.BELLS_FOLDER)
    speaker.play("accepted")
    assert room.played.acquire(timeout=ENOUGH)
    speaker.use_sound_set(None)
    speaker.play("accepted")
    assert room.played.acquire(timeout=ENOUGH)
    finish(speaker)
    assert room.heard == [
        (sounds.BELLS_FOLDER / "accepted.wav").read_bytes(),
        sounds.find_sound_file("accepted").read_bytes(),
    ]
