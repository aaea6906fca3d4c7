"""Tests that a start compiles the catalogues that were changed, and no others."""

from __future__ import annotations

import gettext
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from companion.catalog import registry
from companion.say import catalogues, sentences
from companion.say.sentences import MissingSentenceError

HEADER: Final = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def written(folder: Path, text: str, age: int = 0) -> Path:
    """Write a catalogue with one sentence, `age` seconds old. Return its file."""
    source = folder / "locale" / "en" / "LC_MESSAGES" / "hearts.po"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(f'{HEADER}msgid "hearts.name"\nmsgstr "{text}"\n', "utf-8")
    os.utime(source, (1_000_000 - age,) * 2)
    return source


def read(folder: Path) -> str:
    with catalogues.compile_catalogue_if_outdated(folder, "en", "hearts").open("rb") as file:
        return gettext.GNUTranslations(file).gettext("hearts.name")


def dated(made: Path, age: int) -> None:
    os.utime(made, (1_000_000 - age,) * 2)


def test_a_catalogue_without_its_compiled_form_is_compiled(tmp_path: Path) -> None:
    source = written(tmp_path, "Hearts")
    assert read(tmp_path) == "Hearts"
    assert {*source.parent.iterdir()} == {source, source.with_suffix(".mo")}


def test_a_sentence_that_was_changed_is_read(tmp_path: Path) -> None:
    read(written(tmp_path, "Hearts").parents[3])
    dated(written(tmp_path, "Black Maria").with_suffix(".mo"), age=1)
    assert read(tmp_path) == "Black Maria"


def test_a_catalogue_that_is_no_older_than_its_source_is_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(written(tmp_path, "Hearts").parents[3])
    dated(written(tmp_path, "Black Maria").with_suffix(".mo"), age=0)
    monkeypatch.setattr(catalogues, "write_compiled_catalogue", None)
    assert read(tmp_path) == "Hearts"


def test_a_catalogue_that_is_nowhere_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"hearts\.po is missing: install the package"):
        catalogues.read_catalogue(tmp_path, "en", "hearts")


def test_a_source_comes_to_what_gettext_reads(tmp_path: Path) -> None:
    source = written(tmp_path, "Hearts")
    source.write_text(
        'msgid ""\nmsgstr "Language: fr\\n"\n\n# said\n#: rules.py\nmsgid "a"\nmsgstr ""\n'
        '"é \\"x\\"\\n"\n"\\\\ y"\n\n#, fuzzy\nmsgid "b"\nmsgstr "B"\n\nmsgid "c"\nmsgstr ""\n\n'
        'msgid "one"\nmsgid_plural "many"\nmsgstr[0] "un"\nmsgstr[1] "deux"\n#~ msgid "old"\n',
        "utf-8",
    )
    content = catalogues.read_catalogue(tmp_path, "en", "hearts")
    found = gettext.GNUTranslations(BytesIO(content))
    assert found.gettext("a") == 'é "x"\n\\ y'
    assert [found.gettext(key) for key in ("b", "c", "old")] == ["b", "c", "old"]
    assert [found.ngettext("one", "many", n) for n in (1, 2)] == ["un", "deux"]
    assert catalogues.SentenceCatalogue(content).gettext("a") == 'é "x"\n\\ y'


def test_a_key_that_the_catalogue_lacks_is_searched_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "Hearts")
    catalogue = catalogues.SentenceCatalogue(catalogues.read_catalogue(tmp_path, "en", "hearts"))
    assert catalogue.gettext("missing") == "missing"
    monkeypatch.setattr(catalogue, "_key", lambda _at: pytest.fail("searched again"))
    assert catalogue.gettext("missing") == "missing"


@pytest.mark.long
def test_every_source_comes_to_what_babel_makes_of_it() -> None:
    for folder in (
        Path(catalogues.__file__).parent,
        registry.game_file_path("kojak", "locale").parent,
    ):
        for source in folder.rglob("*.po"):
            made = BytesIO()
            with source.open("rb") as file:
                write_mo(made, read_po(file))
            ours = catalogues.read_catalogue(folder, source.parts[-3], source.stem)
            kept, babels = (
                {key: found.gettext(key) for key in found._catalog if key}  # type: ignore[attr-defined]
                for found in (
                    gettext.GNUTranslations(BytesIO(content)) for content in (ours, made.getvalue())
                )
            )
            assert kept == babels, source


def test_where_nothing_may_be_written_the_source_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(written(tmp_path, "Hearts").parents[3])
    dated(written(tmp_path, "Black Maria").with_suffix(".mo"), age=1)
    monkeypatch.setattr(os, "access", lambda *_: False)
    content = catalogues.read_catalogue(tmp_path, "en", "hearts")
    assert catalogues.SentenceCatalogue(content).gettext("hearts.name") == "Black Maria"
    assert read(tmp_path) == "Hearts"


def test_a_broken_catalogue_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path, "Hearts")
    source.write_text("msgid hearts.name\n", "utf-8")
    monkeypatch.setattr(registry, "game_folder", lambda _: tmp_path)
    with pytest.raises(
        MissingSentenceError, match=r"hearts\.po cannot be read: line 1 is none"
    ) as found:
        sentences.load_compiled_catalogue("en", "hearts")
    assert "\n" not in str(found.value)


def test_a_game_from_outside_of_the_source_tree_brings_its_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path / "box_of_hearts", "Hearts")
    (tmp_path / "box_of_hearts" / "__init__.py").write_text("raise AssertionError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "BUILT_IN_GAMES", ("hearts",))
    monkeypatch.setattr(registry, "game_module_name", {"hearts": "box_of_hearts"}.__getitem__)
    assert registry.game_folder("hearts") == tmp_path / "box_of_hearts"
    content = sentences.load_compiled_catalogue("en", "hearts")
    assert content == source.with_suffix(".mo").read_bytes()


@pytest.mark.long
def test_reading_what_is_compiled_imports_neither_babel_nor_the_game() -> None:
    sentences.load_compiled_catalogue("en", "kojak")
    code = (
        "import sys\n"
        "from companion.say.words import Words\n"
        "Words('en')('kojak.name')\n"
        "print('babel' in sys.modules, 'companion.games.kojak' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False False\n"
