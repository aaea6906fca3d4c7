from __future__ import annotations

import importlib
import math
import re
import sys
import wave
from array import array
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import sounds
from companion.catalog import registry
from companion.cmd import start
from hardware.sound.engines import loudness
from sounds.scores import LONGEST, PITCHES, Note

if TYPE_CHECKING:
    from pathlib import Path

    from sounds.compose import Kept

np = pytest.importorskip("numpy", reason="the cues are composed and analysed with numpy")
compose = pytest.importorskip("sounds.compose")

FULL = 32_767
PEAK = FULL * 10 ** (-1 / 20)
FAMILIES = tuple(map(compose.kept, compose.PACKAGES))
BOX, *GAMES = FAMILIES
CUES = {name: score for kept in FAMILIES for name, score in kept.family.cues.items()}
FILES = {name: kept.file(name) for kept in FAMILIES for name in kept.family.cues}
LONGER = {name: most for kept in FAMILIES for name, most in kept.family.longer.items()}
SOFTER = {name: by for kept in FAMILIES for name, by in kept.family.softer.items()}
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda kept: kept.folder.parent.name)


@cache
def samples(file: Path) -> array[int]:
    with wave.open(str(file), "rb") as wav:
        return array("h", wav.readframes(wav.getnframes()))


def seconds(name: str) -> float:
    return len(samples(FILES[name])) / 44_100


def signature(name: str) -> tuple[tuple[float, int], ...]:
    """Give the rhythm (steps of 0.1 s) and the contour (-1, 0, 1) of a score."""
    notes = sorted(CUES[name], key=lambda note: note.start)
    pitches = [(note.start, PITCHES[note.pitch]) for note in notes]
    pitches += [(note.start + note.length, PITCHES[note.to]) for note in notes if note.to]
    return tuple(
        (round(late - early, 1), (high > low) - (high < low))
        for (early, low), (late, high) in pairwise(pitches)
    )


def test_every_cue_has_a_score_and_a_file() -> None:
    assert sum(len(kept.family.cues) for kept in FAMILIES) == len(CUES)
    for kept in FAMILIES:
        assert {file.stem for file in kept.folder.glob("*.wav")} == set(kept.family.cues)


def test_a_game_with_sounds_has_their_scores() -> None:
    folders = {registry.folder(game) / "sounds" for game in registry.NAMES}
    assert {kept.folder for kept in GAMES} == {folder for folder in folders if folder.exists()}


def test_a_name_leads_to_its_file() -> None:
    assert sounds.path("accepted") == FILES["accepted"]


def test_a_name_leads_to_the_file_of_a_game_whose_folder_is_searched_too() -> None:
    folders = [kept.folder for kept in GAMES]
    for name, file in FILES.items():
        assert sounds.path(name, *folders) == file
    assert set(sounds.names(*folders)) == set(CUES)
    with pytest.raises(FileNotFoundError, match="no sound 'alarm'"):
        sounds.path("alarm")


def test_the_box_searches_the_folders_of_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, list[Path]] = {}
    monkeypatch.setattr("companion.cmd.start.Loudspeaker", lambda *_, **ways: given.update(ways))
    monkeypatch.setattr("companion.cmd.start.Speech", lambda *_, **_given: None)
    start._loudspeaker(lambda _: None)
    for name, file in FILES.items():
        assert sounds.path(name, *given["folders"]) == file


@pytest.mark.parametrize("name", ["", "nothing", "../sounds/accepted", "accepted.wav"])
def test_an_unknown_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(FileNotFoundError, match="accepted, dealt"):
        sounds.path(name)


def test_every_file_is_16_bit_mono_at_44100() -> None:
    formats = {}
    for name, file in FILES.items():
        with wave.open(str(file), "rb") as wav:
            formats[name] = (wav.getnchannels(), wav.getsampwidth(), wav.getframerate())
    assert formats == dict.fromkeys(CUES, (1, 2, 44_100))


def test_every_file_is_what_its_score_composes() -> None:
    def composed(name: str) -> Any:
        return compose.compose(name, CUES[name], SOFTER.get(name, 0.0))

    files = FILES.items()
    assert [
        name for name, file in files if not compose.same(composed(name), compose.read(file))
    ] == []


def test_every_cue_is_short() -> None:
    assert [name for name in CUES if seconds(name) > LONGER.get(name, LONGEST)] == []


def test_only_a_victory_and_a_hunch_may_last() -> None:
    assert {name for name in LONGER if name != "hunch"} == {
        name for name in CUES if name.startswith("won_")
    }
    assert (max(LONGER.values()), LONGEST) == (3.0, 1.5)


def test_the_receipt_of_a_press_is_a_tick() -> None:
    assert seconds("accepted") <= 0.09


def test_a_look_at_a_secret_costs_a_third_of_a_second() -> None:
    assert seconds("secret_hidden") < seconds("secret_shown") <= 0.33


def test_no_cue_clips() -> None:
    assert [name for name in CUES if max(map(abs, samples(FILES[name]))) > PEAK] == []


def clicks(sound: array[int]) -> bool:
    begins, ends = max(map(abs, sound[:10])), max(map(abs, sound[-10:]))
    return any((sound[0], sound[-1])) or begins >= 0.02 * FULL or ends >= 0.01 * FULL


def test_no_cue_begins_or_ends_with_a_click() -> None:
    assert [name for name in CUES if clicks(samples(FILES[name]))] == []


def test_all_cues_are_equally_loud_but_for_the_receipt() -> None:
    found = {name: loudness(samples(FILES[name]), 44_100) for name in CUES}
    wanted = {name: sounds.LOUDNESS - SOFTER.get(name, 0.0) for name in CUES}
    assert found == pytest.approx(wanted, abs=0.1)


def test_the_sound_of_every_press_is_the_quietest_of_all() -> None:
    peaks = {name: max(map(abs, samples(FILES[name]))) for name in CUES}
    assert min(peaks, key=peaks.__getitem__) == "accepted"
    assert {*SOFTER} == {"accepted"}


def test_the_program_measures_loudness_as_the_composer_does() -> None:
    assert sounds.LOUDNESS == compose.LOUDNESS
    for name in CUES:
        sound = samples(FILES[name])
        measured = compose.loudness(np.array(sound) / FULL)
        assert loudness(sound, 44_100) == pytest.approx(measured, abs=0.01)


def is_for_a_small_speaker(sound: Any) -> bool:
    low, high = compose.partials(sound)
    power = np.abs(np.fft.rfft(sound)) ** 2
    frequency = np.fft.rfftfreq(sound.size, 1 / 44_100)
    is_low = power[frequency < 350].sum() >= 0.01 * power.sum()
    return 400 <= low < high <= 3_200 and not is_low


def test_a_small_speaker_can_play_every_strong_partial() -> None:
    found = {name: np.array(samples(file), dtype=float) for name, file in FILES.items()}
    assert [name for name, sound in found.items() if not is_for_a_small_speaker(sound)] == []


def test_strong_partials_are_found_where_they_are() -> None:
    time = np.arange(44_100) / 44_100
    tones = ((200, 0.05), (500, 0.5), (2_000, 1.0), (4_000, 0.2), (9_000, 0.08))
    sound = sum(strength * np.sin(2 * np.pi * hertz * time) for hertz, strength in tones)
    assert compose.partials(sound * np.hanning(44_100)) == pytest.approx((500, 4_000), abs=2)


def test_no_two_cues_share_rhythm_and_contour() -> None:
    shared = {key: count for key, count in Counter(map(signature, CUES)).items() if count > 1}
    assert not shared


def steps(name: str) -> list[int]:
    """Give the half-tones from note to note of a score; a chord is read from its top."""
    highest: dict[float, float] = {}
    for note in CUES[name]:
        highest[note.start] = max(PITCHES[note.pitch], highest.get(note.start, 0))
    pitches = [pitch for _, pitch in sorted(highest.items())]
    return [round(12 * math.log2(late / early)) for early, late in pairwise(pitches)]


def has(name: str, motif: tuple[int, int]) -> bool:
    return motif in pairwise(steps(name))


@every_game
def test_a_games_motif_is_in_each_of_its_own_cues_and_in_nobody_elses(game: Kept) -> None:
    assert game.family.motif
    assert {name for name in CUES if has(name, game.family.motif)} == set(game.family.cues)


@every_game
def test_a_game_can_be_begun_and_won_with_its_motif(game: Kept) -> None:
    name = game.folder.parent.name
    assert {f"begins_{name}", f"won_{name}"} <= set(game.family.cues)


def test_the_page_names_every_cue() -> None:
    page = (sounds.path("accepted").parent / "README.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z_]+)`", page))
    assert set(CUES) <= named


def test_making_the_cues_again_prints_their_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["compose.py", "--check"])
    assert compose.main() == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["cue", "length", "peak", "loudness", "lowest", "highest"]
    assert [row.split()[0] for row in rows] == list(CUES)
    assert "refused               0.41 s   -6.8 dBFS  -16.0 dBFS    419 Hz    879 Hz" in rows


def test_the_check_finds_a_file_that_differs() -> None:
    good = compose.compose("accepted", CUES["accepted"])
    assert compose.same(good, good + np.int16(1))
    assert not compose.same(good, good + np.int16(2))
    assert not compose.same(good, good[:-1])


def test_a_score_that_would_clip_is_refused() -> None:
    with pytest.raises(ValueError, match="tick: the peak is"):
        compose.compose("tick", (Note(0.0, "G5", 0.02),))


def test_the_cues_of_a_game_from_elsewhere_are_composed_beside_their_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "hearts_of_ours" / "sounds"
    folder.mkdir(parents=True)
    score = 'Family({"moon": (Note(0.0, "G5", 0.08),)}, softer={"moon": 12.0})'
    (folder / "scores.py").write_text(
        f"from sounds.scores import Family, Note\nFAMILY = {score}\n", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "argv", ["compose.py", "hearts_of_ours.sounds"])
    assert compose.main() == 0
    assert sounds.path("moon", folder) == folder / "moon.wav"
    assert (folder / "moon.wav").read_bytes() == FILES["accepted"].read_bytes()


@pytest.mark.long
def test_the_picture_shows_the_cues_as_they_are() -> None:
    image = pytest.importorskip("PIL.Image", reason="the picture is drawn with Pillow")
    picture = importlib.import_module("sounds.picture")
    file = sounds.path("accepted").parents[1] / "docs" / "sounds.png"
    drawn, kept = (np.array(one, dtype=int) for one in (picture.picture(), image.open(file)))
    assert drawn.shape == kept.shape
    assert (np.abs(drawn - kept) > 8).mean() < 0.001
