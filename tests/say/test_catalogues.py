"""A sentence that was changed is read at the next start, and nobody else pays for that."""

from __future__ import annotations

import gettext
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from companion.catalog import registry
from companion.say import catalogues, words
from companion.say.words import MissingWords

if TYPE_CHECKING:
    from pathlib import Path

HEADER: Final = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def written(folder: Path, text: str, age: int = 0) -> Path:
    """A catalogue of one sentence, written `age` seconds ago."""
    source = folder / "locale" / "en" / "LC_MESSAGES" / "hearts.po"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(f'{HEADER}msgid "hearts.name"\nmsgstr "{text}"\n', "utf-8")
    os.utime(source, (1_000_000 - age,) * 2)
    return source


def read(folder: Path) -> str:
    with catalogues.compiled(folder, "en", "hearts").open("rb") as file:
        return gettext.GNUTranslations(file).gettext("hearts.name")


def dated(made: Path, age: int) -> None:
    os.utime(made, (1_000_000 - age,) * 2)


def without_babel(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("babel.messages.mofile", "babel.messages.pofile"):
        monkeypatch.setitem(sys.modules, name, None)


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
    monkeypatch.setattr(catalogues, "write", None)
    assert read(tmp_path) == "Hearts"


def test_without_babel_what_was_compiled_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(written(tmp_path, "Hearts").parents[3])
    dated(written(tmp_path, "Black Maria").with_suffix(".mo"), age=1)
    without_babel(monkeypatch)
    assert read(tmp_path) == "Hearts"


def test_without_babel_and_without_its_compiled_form_a_catalogue_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "Hearts")
    without_babel(monkeypatch)
    with pytest.raises(FileNotFoundError, match=r"hearts\.mo is missing: install the package"):
        read(tmp_path)


def test_where_nothing_may_be_written_what_was_compiled_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(written(tmp_path, "Hearts").parents[3])
    dated(written(tmp_path, "Black Maria").with_suffix(".mo"), age=1)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert read(tmp_path) == "Hearts"


def test_a_broken_catalogue_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path, "Hearts")
    source.write_text("msgid hearts.name\n", "utf-8")
    monkeypatch.setattr(registry, "folder", lambda _: tmp_path)
    with pytest.raises(MissingWords, match=r"hearts\.po can not be read") as found:
        words.compiled("en", "hearts")
    assert "\n" not in str(found.value)


def test_a_game_from_outside_of_the_source_tree_brings_its_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path / "box_of_hearts", "Hearts")
    (tmp_path / "box_of_hearts" / "__init__.py").write_text("raise AssertionError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "NAMES", ("hearts",))
    monkeypatch.setattr(registry, "module", {"hearts": "box_of_hearts"}.__getitem__)
    assert registry.folder("hearts") == tmp_path / "box_of_hearts"
    assert words.compiled("en", "hearts") == source.with_suffix(".mo")


def test_reading_what_is_compiled_imports_neither_babel_nor_the_game() -> None:
    words.compiled("en", "kojak")
    code = (
        "import sys\n"
        "from companion.say.words import Words\n"
        "Words('en')('kojak.name')\n"
        "print('babel' in sys.modules, 'companion.games.kojak' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False False\n"
