"""Tests of word lists: a list is prepared once, then searched on disk. The lists here are small."""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cmd import commands
from companion.say.dictionary import LISTS_FOLDER, Dictionary, WordVerdict, _has

ENGLISH = "apple\nApril\napple's\nbanana\nwell-off\ncafé\ncafés\n"
BRITISH = "colour\ncafé\n"
FRENCH = "manœuvre\nÉtats\nété\nœuf\naujourd'hui\naïeul\nzoo\n"


@pytest.fixture
def words(tmp_path: Path) -> Dictionary:
    folder = tmp_path / "dict"
    folder.mkdir()
    for name, text in (
        ("american-english", ENGLISH), ("british-english", BRITISH), ("french", FRENCH),
    ):  # fmt: skip
        (folder / name).write_text(text, encoding="utf-8")
    return Dictionary(tmp_path / "cache", folder)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("word", "language", "verdict"),
    [
        ("APPLE", "en", WordVerdict(known=True, lists=("american-english",))),
        ("..apple.", "en", WordVerdict(known=True, lists=("american-english",))),
        ("cafe", "en", WordVerdict(known=True, lists=("american-english",))),
        ("COLOUR", "en", WordVerdict(known=True, lists=("british-english",))),
        ("MANOEUVRE", "fr", WordVerdict(known=True, lists=("french",))),
        ("manœuvre", "fr", WordVerdict(known=True, lists=("french",))),
        ("OEUF", "fr", WordVerdict(known=True, lists=("french",))),
        ("ETE", "fr", WordVerdict(known=True, lists=("french",))),
        ("Aïeul", "fr", WordVerdict(known=True, lists=("french",))),
        ("ZOO", "fr", WordVerdict(known=True, lists=("french",))),
        ("APPL", "en", WordVerdict(known=False, lists=("american-english", "british-english"))),
        ("APPLES", "en", WordVerdict(known=False, lists=("american-english", "british-english"))),
        ("", "fr", WordVerdict(known=False, lists=("french",))),
        ("APPLE", "fr", WordVerdict(known=False, lists=("french",))),
    ],
)
def test_a_word_is_judged_by_its_languages_lists_whatever_its_accents_and_dots(
    words: Dictionary, word: str, language: str, verdict: WordVerdict
) -> None:
    assert words.look_up(word, language) == verdict


@pytest.mark.parametrize("word", ["APRIL", "APPLES", "WELLOFF", "WELL", "ETATS", "AUJOURDHUI"])
def test_pr1_names_and_shortened_and_joined_forms_are_no_words(
    words: Dictionary, word: str
) -> None:
    assert [words.look_up(word, language).known for language in ("en", "fr")] == [False, False]  # type: ignore[union-attr]


def test_pr1_what_a_list_has_with_a_capital_only_is_a_name(words: Dictionary) -> None:
    april = WordVerdict(known=False, lists=("american-english",), is_proper_name=True)
    assert words.look_up("..april", "en") == april
    assert words.look_up("ETATS", "fr") == WordVerdict(
        known=False, lists=("french",), is_proper_name=True
    )
    verdict = words.look_up("aple", "en")
    assert verdict is not None
    assert not verdict.is_proper_name


def test_without_a_list_there_is_no_verdict(tmp_path: Path, words: Dictionary) -> None:
    assert Dictionary(tmp_path / "cache", tmp_path / "nowhere").look_up("APPLE", "en") is None
    assert words.look_up("APFEL", "de") is None


def test_where_nothing_can_be_kept_there_is_no_verdict(tmp_path: Path, words: Dictionary) -> None:
    (tmp_path / "cache").write_text("in the way")
    assert words.look_up("APPLE", "en") is None


def test_a_list_is_folded_once_and_anew_when_it_changes(tmp_path: Path, words: Dictionary) -> None:
    words.look_up("APPLE", "fr")
    kept = [*(tmp_path / "cache").iterdir()]
    assert len(kept) == 2
    before = [file.stat().st_mtime_ns for file in kept]
    words.look_up("ZOO", "fr")
    assert [file.stat().st_mtime_ns for file in kept] == before
    source = tmp_path / "dict" / "french"
    source.write_text("pomme\n")
    os.utime(source, ns=(1, 1))
    assert words.look_up("POMME", "fr") == WordVerdict(known=True, lists=("french",))
    assert words.look_up("ZOO", "fr") == WordVerdict(known=False, lists=("french",))
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_an_empty_list_knows_no_word(tmp_path: Path, words: Dictionary) -> None:
    (tmp_path / "dict" / "french").write_text("")
    assert words.look_up("ZOO", "fr") == WordVerdict(known=False, lists=("french",))


@pytest.mark.long
@given(st.sets(st.text("ABC", min_size=1, max_size=6), max_size=40), st.text("ABC", max_size=6))
def test_the_search_finds_what_is_there_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, there: set[str], wanted: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "sorted.words"
    path.write_text("".join(f"{word}\n" for word in sorted(there)))
    assert all(_has(path, word) for word in there)
    assert _has(path, wanted) == (wanted in there)


@pytest.mark.long
def test_a_word_is_found_in_a_long_list_by_as_many_looks_as_it_can_be_halved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0

    class Text(mmap.mmap):
        def rfind(self, *where: Any) -> int:
            nonlocal looks
            looks += 1
            return super().rfind(*where)

    monkeypatch.setattr(mmap, "mmap", Text)
    path = tmp_path / "long.words"
    path.write_text("".join(f"{n:09d}\n" for n in range(0, 800_000, 2)))
    assert sum(_has(path, f"{n:09d}") for n in range(0, 800_000, 8_000)) == 100
    assert 100 < looks <= 100 * path.stat().st_size.bit_length()


@pytest.mark.long
@pytest.mark.skipif(
    not (LISTS_FOLDER / "french").exists(), reason="no French words: apt install wfrench"
)
def test_the_systems_own_list_is_read(tmp_path: Path) -> None:
    found = Dictionary(tmp_path).look_up("MANOEUVRE", "fr")
    assert found == WordVerdict(known=True, lists=("french",))


# --- The command ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "word", "status", "said"),
    [
        ("fr", "manoeuvre", 0, "manoeuvre is a word: French has it."),
        ("en", "aple", 1, "aple is not in American, British."),
        ("en", "April", 1, "April is a proper name, not a word: American."),
        ("de", "apfel", 2, "'de' is not one of 'en', 'fr'"),
    ],
)
def test_the_command_says_whether_a_word_is_one_and_who_judged(
    words: Dictionary,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
    word: str,
    status: int,
    said: str,
) -> None:
    monkeypatch.setattr("companion.cmd.words.Dictionary", lambda _cache: words)
    assert commands.run_companion_command(["words", language, word], debug=False) == status
    captured = capsys.readouterr()
    assert said in captured.out + captured.err


def test_the_command_takes_many_words_and_names_packages_if_asked(
    words: Dictionary, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cmd.words.Dictionary", lambda _cache: words)
    asked = ["words", "fr", "manoeuvre", "zzz", "--verbose"]
    assert commands.run_companion_command(asked, debug=False) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["manoeuvre", "zzz", "Packages:"]
    assert "wfrench" in lines[-1]


def test_the_command_says_what_to_install_where_there_is_no_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.cmd.words.Dictionary", lambda cache: Dictionary(cache, tmp_path))
    assert commands.run_companion_command(["words", "fr", "zoo"], debug=False) == 1
    assert "apt install wfrench" in capsys.readouterr().err
