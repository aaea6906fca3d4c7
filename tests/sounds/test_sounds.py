from __future__ import annotations

import importlib
import math
import re
import sys
import wave
from array import array
from collections import Counter
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

import sounds
from companion.catalog import registry
from companion.cmd import start
from sounds.compose import SoundFamilyFolder
from sounds.scores import Score, SoundFamily, SoundRank, hit

np = pytest.importorskip("numpy", reason="the cues are composed and analysed with numpy")
compose = pytest.importorskip("sounds.compose")
measure = pytest.importorskip("sounds.measure")

FULL = 32_767
FAMILIES = tuple(map(compose.load_sound_scores_and_folder, compose.SOUND_PACKAGES))
BOX, *GAMES = FAMILIES
CUES = {name: score for kept in FAMILIES for name, score in kept.family.cues.items()}
FILES = {name: kept.sound_file_path(name) for kept in FAMILIES for name in kept.family.cues}
LONGER = {name: most for kept in FAMILIES for name, most in kept.family.max_seconds_by_name.items()}
BELLS = compose.load_sound_scores_and_folder("sounds.bells")
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda kept: kept.folder.parents[1].name)


@cache
def samples(file: Path) -> array[int]:
    with wave.open(str(file), "rb") as wav:
        return array("h", wav.readframes(wav.getnframes()))


@cache
def heard() -> dict[str, Any]:
    """Return the samples of every cue, within -1.0 and 1.0."""
    return {name: compose.read_wav(file) / FULL for name, file in FILES.items()}


def seconds(name: str) -> float:
    return len(samples(FILES[name])) / 44_100


def test_every_cue_has_a_score_and_a_file() -> None:
    assert sum(len(kept.family.cues) for kept in FAMILIES) == len(CUES)
    for kept in FAMILIES:
        assert {file.stem for file in kept.folder.glob("*.wav")} == set(kept.family.cues)


def test_a_game_with_sounds_has_their_scores() -> None:
    folders = {registry.game_file_path(game, "sounds") for game in registry.BUILT_IN_GAMES}
    assert {kept.folder for kept in GAMES} == {folder for folder in folders if folder.exists()}


def test_a_name_leads_to_its_file() -> None:
    assert sounds.find_sound_file("accepted") == FILES["accepted"]


def test_a_name_leads_to_the_file_of_a_game_whose_folder_is_searched_too() -> None:
    folders = [kept.folder for kept in GAMES]
    for name, file in FILES.items():
        assert sounds.find_sound_file(name, *folders) == file
    assert set(sounds.sound_names(*folders)) == set(CUES)
    with pytest.raises(FileNotFoundError, match="no sound 'alarm'"):
        sounds.find_sound_file("alarm")


def test_the_box_searches_the_folders_of_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, list[Path]] = {}
    monkeypatch.setattr("companion.cmd.start.Loudspeaker", lambda *_, **ways: given.update(ways))
    monkeypatch.setattr("companion.cmd.start.VoiceSynthesiser", lambda *_, **_given: None)
    start._loudspeaker(lambda _: None)
    for name, file in FILES.items():
        assert sounds.find_sound_file(name, *given["folders"]) == file


@pytest.mark.parametrize("name", ["", "nothing", "../sounds/accepted", "accepted.wav"])
def test_an_unknown_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(FileNotFoundError, match="accepted, dealt"):
        sounds.find_sound_file(name)


def test_every_file_is_16_bit_mono_at_44100() -> None:
    formats = {}
    for name, file in FILES.items():
        with wave.open(str(file), "rb") as wav:
            formats[name] = (wav.getnchannels(), wav.getsampwidth(), wav.getframerate())
    assert formats == dict.fromkeys(CUES, (1, 2, 44_100))


def differs(kept: SoundFamilyFolder, name: str) -> bool:
    return not compose.has_nearly_equal_samples(
        compose.compose_sound(name, kept.family), compose.read_wav(kept.sound_file_path(name))
    )


@pytest.mark.long
def test_the_first_file_of_each_family_is_what_its_score_composes() -> None:
    first = [(kept, next(iter(kept.family.cues))) for kept in (*FAMILIES, BELLS)]
    assert [name for kept, name in first if differs(kept, name)] == []


@pytest.mark.long
def test_every_file_is_what_its_score_composes() -> None:
    families = (*FAMILIES, BELLS)
    every = [(kept, name) for kept in families for name in kept.family.cues]
    assert [(kept.folder.name, name) for kept, name in every if differs(kept, name)] == []


def test_every_cue_is_as_short_as_its_rank() -> None:
    longest = {name: LONGER.get(name, score.rank.max_seconds) for name, score in CUES.items()}
    assert {name: seconds(name) for name in CUES if seconds(name) > longest[name] + 1e-4} == {}


def test_only_dice_and_deals_last_longer_than_their_rank() -> None:
    ranks = {rank.name: rank.max_seconds for rank in SoundRank}
    assert LONGER == {"rolled": 0.8, "dealt": 0.45, "trap": 1.0, "hunch": 2.0}
    assert ranks == {
        "PRESS": 0.06,
        "TURN": 0.3,
        "VERDICT": 1.35,
        "GREAT": 1.4,
        "VICTORY": 2.8,
        "ALARM": 1.35,
        "BELL": 3.0,
    }


def clicks(sound: array[int]) -> bool:
    begins, ends = max(map(abs, sound[:10])), max(map(abs, sound[-10:]))
    return any((sound[0], sound[-1])) or begins >= 0.02 * FULL or ends >= 0.01 * FULL


def test_no_cue_begins_or_ends_with_a_click() -> None:
    assert [name for name in CUES if clicks(samples(FILES[name]))] == []


@pytest.mark.long
def test_every_cue_is_as_loud_as_its_rank() -> None:
    levels = {name: measure.loudest_k_weighted_level(sound) for name, sound in heard().items()}
    wanted = {name: score.rank.level_dbfs for name, score in CUES.items()}
    assert levels == pytest.approx(wanted, abs=1.0)
    ranks = {rank.name: rank.level_dbfs for rank in SoundRank if rank is not SoundRank.BELL}
    assert ranks == {
        "PRESS": -30,
        "TURN": -25,
        "VERDICT": -20,
        "GREAT": -16,
        "VICTORY": -16,
        "ALARM": -14,
    }


def test_the_ranks_of_press_alarm_and_great_moments_are_given_sparingly() -> None:
    ranks = Counter(score.rank.name for score in CUES.values())
    assert (ranks["PRESS"], ranks["ALARM"], ranks["VICTORY"]) == (1, 1, 4)
    assert {name for name, score in CUES.items() if score.rank is SoundRank.GREAT} == {
        "total_reached", "trap", "kojak", "handcuffs", "hunch", "arrest", "word_open",
    }  # fmt: skip


@pytest.mark.long
def test_no_cue_peaks_above_minus_three() -> None:
    peaks = {name: measure.true_peak(sound) for name, sound in heard().items()}
    assert {name: peak for name, peak in peaks.items() if peak > -3.0} == {}


@pytest.mark.long
def test_most_cues_have_highs_and_many_have_noise() -> None:
    highs = [measure.energy_share_above(sound, 2000.0) for sound in heard().values()]
    flatness = [measure.mean_spectral_flatness(sound) for sound in heard().values()]
    assert sum(share > 0.1 for share in highs) >= 30
    assert sum(share > 0.4 for share in highs) >= 8
    assert sum(flat > 0.1 for flat in flatness) >= 10
    assert sum(0.01 <= flat <= 0.1 for flat in flatness) >= 20


@pytest.mark.long
def test_a_small_speaker_loses_little_of_any_cue() -> None:
    for lowest, highest, most in ((350.0, 8000.0, 1.5), (700.0, 6000.0, 2.5)):
        lost = {
            name: measure.decibels_lost_on_speaker(sound, lowest, highest)
            for name, sound in heard().items()
        }
        assert {name: dB for name, dB in lost.items() if dB > most} == {}


@pytest.mark.long
def test_no_two_cues_are_alike_least_of_all_across_ranks() -> None:
    def wanted(one: str, other: str) -> float:
        return 0.25 if CUES[one].rank is CUES[other].rank else 0.40

    apart = measure.sound_pair_distances(heard())
    assert {pair: far for pair, far in apart.items() if far < wanted(*pair)} == {}


@pytest.mark.long
def test_a_cue_is_known_from_its_first_300_ms_across_a_room() -> None:
    share, wrong = measure.measure_sound_recognition(heard(), 1)
    assert share >= 0.95, wrong


def test_all_cues_fit_in_four_and_a_half_megabytes() -> None:
    assert sum(file.stat().st_size for file in FILES.values()) <= 4_500_000


def test_measures_find_what_is_there() -> None:
    time = np.arange(44_100) / 44_100
    tone = 0.1 * np.sin(2 * np.pi * 997 * time)
    white = np.random.default_rng(1).random(44_100) - 0.5
    assert measure.loudest_k_weighted_level(tone) == pytest.approx(
        -22.31, abs=0.05
    )  # BS.1770: +0.69 dB at 997 Hz
    assert measure.true_peak(tone) == pytest.approx(-20.0, abs=0.05)
    assert measure.mean_spectral_flatness(tone) < 1e-4
    assert measure.mean_spectral_flatness(white) == pytest.approx(0.56, abs=0.02)
    assert measure.energy_share_above(white, 2000.0) == pytest.approx(20.05 / 22.05, abs=0.02)
    assert measure.decibels_lost_on_speaker(tone, 997.0, 20_000.0) == pytest.approx(3.0, abs=0.1)


def instruments(kept: SoundFamilyFolder) -> set[str]:
    return {one.instrument for score in kept.family.cues.values() for one in score.hits}


def test_each_game_has_instruments_that_no_other_game_plays() -> None:
    common = {"flick", *instruments(BOX)}
    own = [instruments(game) - common for game in GAMES]
    for one, other in combinations(own, 2):
        assert one.isdisjoint(other)
    for game, kit in zip(GAMES, own, strict=True):
        cues = game.family.cues.items()
        assert [
            name for name, score in cues if kit.isdisjoint(h.instrument for h in score.hits)
        ] == []


def steps(score: Score, instrument: str) -> list[int]:
    """Return the half-tones between an instrument's notes. The top of a chord is its note."""
    highest: dict[float, float] = {}
    for one in score.hits:
        if one.instrument == instrument and "pitch" in one.parameters:
            pitch = one.parameters["pitch"]
            highest[one.start] = max(pitch, highest.get(one.start, 0))
    pitches = [pitch for _, pitch in sorted(highest.items())]
    return [round(12 * math.log2(late / early)) for early, late in pairwise(pitches)]


def has(score: Score, motif: tuple[int, int]) -> bool:
    played = {one.instrument for one in score.hits}
    return any(motif in pairwise(steps(score, instrument)) for instrument in played)


@every_game
def test_a_motif_is_in_a_games_beginning_victory_and_great_moments_alone(
    game: SoundFamilyFolder,
) -> None:
    name, motif = game.folder.parents[1].name, game.family.motif
    assert motif
    great = {cue for cue, score in game.family.cues.items() if score.rank is SoundRank.GREAT}
    assert {cue for cue, score in CUES.items() if has(score, motif)} == {
        f"begins_{name}",
        f"won_{name}",
        *great,
    }


def test_the_page_names_every_cue() -> None:
    page = (sounds.find_sound_file("accepted").parent / "README.md").read_text("utf-8")
    named = set(re.findall(r"`([a-z_]+)`", page))
    assert set(CUES) <= named


@pytest.mark.long
def test_checking_the_cues_prints_their_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["compose.py", "--check", "sounds"])
    assert compose.main() == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["cue", "length", "peak", "level", "over", "2", "kHz", "flatness"]
    assert [row.split()[0] for row in rows] == list(BOX.family.cues)


def test_the_check_finds_a_file_that_differs() -> None:
    good = compose.compose_sound("accepted", BOX.family)
    assert compose.has_nearly_equal_samples(good, good + np.int16(1))
    assert not compose.has_nearly_equal_samples(good, good + np.int16(2))
    assert not compose.has_nearly_equal_samples(good, good[:-1])


def test_a_score_that_would_clip_is_refused() -> None:
    loud = Score(SoundRank.ALARM, 0.02, (hit(0.0, "tick"),))
    with pytest.raises(ValueError, match="click: the peak is"):
        compose.compose_sound("click", SoundFamily({"click": loud}))


def test_the_bells_have_a_sound_for_every_cue() -> None:
    assert set(BELLS.family.cues) == set(CUES)
    assert {file.stem for file in BELLS.folder.glob("*.wav")} == set(CUES)


def test_the_cues_of_a_game_from_elsewhere_are_composed_beside_their_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "hearts_of_ours" / "sounds"
    folder.mkdir(parents=True)
    score = 'SoundFamily({"moon": Score(SoundRank.TURN, 0.2, (hit(0.0, "rhodes", "G5"),))})'
    (folder / "scores.py").write_text(
        f"from sounds.scores import Score, SoundFamily, SoundRank, hit\nFAMILY = {score}\n", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "argv", ["compose.py", "hearts_of_ours.sounds"])
    assert compose.main() == 0
    assert sounds.find_sound_file("moon", folder) == folder / "moon.wav"
    moon = compose.read_wav(folder / "moon.wav") / FULL
    assert measure.loudest_k_weighted_level(moon) == pytest.approx(
        SoundRank.TURN.level_dbfs, abs=0.1
    )


@pytest.mark.long
def test_the_picture_shows_the_cues_as_they_are() -> None:
    image = pytest.importorskip("PIL.Image", reason="the picture is drawn with Pillow")
    picture = importlib.import_module("sounds.picture")
    file = sounds.find_sound_file("accepted").parents[1] / "docs" / "sounds.png"
    drawn, kept = (
        np.array(one, dtype=int) for one in (picture.all_spectrograms_picture(), image.open(file))
    )
    assert drawn.shape == kept.shape
    assert (np.abs(drawn - kept) > 8).mean() < 0.001


def test_a_sound_of_the_chosen_set_takes_the_place_of_the_usual_one(tmp_path: Path) -> None:
    own = tmp_path / "tubas"
    own.mkdir()
    (own / "refused.wav").write_bytes(FILES["accepted"].read_bytes())
    (tmp_path / "empty").mkdir()
    assert sounds.sound_set_folders_by_name(tmp_path) == {
        "bells": sounds.BELLS_FOLDER,
        "tubas": own,
    }
    assert sounds.find_sound_file("refused", chosen=own) == own / "refused.wav"
    assert sounds.find_sound_file("accepted", chosen=own) == FILES["accepted"]


def test_without_a_folder_of_own_sets_there_are_the_bells(tmp_path: Path) -> None:
    assert sounds.sound_set_folders_by_name(tmp_path / "nothing") == {"bells": sounds.BELLS_FOLDER}
