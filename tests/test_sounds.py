from __future__ import annotations

import wave
from array import array
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import sounds
from hardware.speech import loudness

if TYPE_CHECKING:
    from pathlib import Path

np = pytest.importorskip("numpy", reason="the cues are composed and analysed with numpy")
compose = pytest.importorskip("sounds.compose")

NAMES = (
    "accepted", "refused", "your_turn", "total_reached", "zero_played", "round_won", "captured",
    "freed", "game_won", "undo", "redo", "secret_shown", "secret_hidden", "dealt", "rolled",
    "drum_roll", "kojak", "alarm", "mission", "race", "ready", "goodbye", "move_on", "go_to",
    "stay_put", "wounded", "in_trouble", "hunch", "guess", "arrest", "out", "placed",
    "card_drawn", "said_no", "uncovered", "word_open", "last_rounds",
)  # fmt: skip
FULL = 32_767
PEAK = FULL * 10 ** (-1 / 20)
each = pytest.mark.parametrize("name", sounds.names())


def samples(file: Path) -> array[int]:
    with wave.open(str(file), "rb") as wav:
        return array("h", wav.readframes(wav.getnframes()))


def seconds(name: str) -> float:
    return len(samples(sounds.path(name))) / 44_100


def signature(name: str) -> tuple[tuple[float, int], ...]:
    """Give the rhythm (steps of 0.1 s) and the contour (-1, 0, 1) of a score."""
    notes = sorted(compose.CUES[name], key=lambda note: note.start)
    pitches = [(note.start, compose.PITCHES[note.pitch]) for note in notes]
    pitches += [(note.start + note.length, compose.PITCHES[note.to]) for note in notes if note.to]
    return tuple(
        (round(late - early, 1), (high > low) - (high < low))
        for (early, low), (late, high) in pairwise(pitches)
    )


def test_every_cue_has_a_score_and_a_file() -> None:
    assert set(sounds.names()) == set(compose.CUES) == set(NAMES)


def test_a_name_leads_to_its_file() -> None:
    assert sounds.path("accepted").name == "accepted.wav"


@pytest.mark.parametrize("name", ["", "nothing", "../sounds/accepted", "accepted.wav"])
def test_an_unknown_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(FileNotFoundError, match=r"accepted, .*captured"):
        sounds.path(name)


@each
def test_a_file_is_16_bit_mono_at_44100(name: str) -> None:
    with wave.open(str(sounds.path(name)), "rb") as wav:
        assert (wav.getnchannels(), wav.getsampwidth(), wav.getframerate()) == (1, 2, 44_100)


@each
def test_a_file_is_what_its_score_composes(name: str) -> None:
    assert compose.same(compose.compose(name), compose.read(sounds.path(name)))


@each
def test_a_cue_is_short(name: str) -> None:
    assert seconds(name) <= {"accepted": 0.09, "game_won": 3.0}.get(name, 1.5)


@each
def test_a_cue_never_clips(name: str) -> None:
    assert max(map(abs, samples(sounds.path(name)))) <= PEAK


@each
def test_a_cue_neither_begins_nor_ends_with_a_click(name: str) -> None:
    sound = samples(sounds.path(name))
    assert (sound[0], sound[-1]) == (0, 0)
    assert max(map(abs, sound[:10])) < 0.02 * FULL
    assert max(map(abs, sound[-10:])) < 0.01 * FULL


@each
def test_all_cues_are_equally_loud(name: str) -> None:
    assert loudness(samples(sounds.path(name)), 44_100) == pytest.approx(sounds.LOUDNESS, abs=0.5)


def test_the_program_measures_loudness_as_the_composer_does() -> None:
    assert sounds.LOUDNESS == compose.LOUDNESS
    for name in sounds.names():
        sound = samples(sounds.path(name))
        measured = compose.loudness(np.array(sound) / FULL)
        assert loudness(sound, 44_100) == pytest.approx(measured, abs=0.01)


@each
def test_a_small_speaker_can_play_every_strong_partial(name: str) -> None:
    sound = np.array(samples(sounds.path(name)), dtype=float)
    strength = np.abs(np.fft.rfft(sound))
    frequency = np.fft.rfftfreq(sound.size, 1 / 44_100)
    below = strength[frequency < 350].max()
    assert 20 * np.log10(below / strength.max()) < -25
    assert (strength[frequency < 350] ** 2).sum() < 0.01 * (strength**2).sum()


def test_no_two_cues_share_rhythm_and_contour() -> None:
    shared = {key: count for key, count in Counter(map(signature, NAMES)).items() if count > 1}
    assert not shared


def test_the_check_finds_a_file_that_differs() -> None:
    good = compose.compose("accepted")
    assert compose.same(good, good + np.int16(1))
    assert not compose.same(good, good + np.int16(2))
    assert not compose.same(good, good[:-1])


def test_a_score_that_would_clip_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(compose.CUES, "accepted", (compose.Note(0.0, "G5", 0.02),))
    with pytest.raises(ValueError, match="accepted: the peak is"):
        compose.compose("accepted")
