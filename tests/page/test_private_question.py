"""Tests of a private question on a phone, whose answers appear when the player looks."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from companion.page.files import STATIC_FOLDER

MODEL: Final = {
    "view": "phone", "me": "Ann", "words": {}, "told": [], "lang": "en",
    "hello": {"players": ["Ann", "Bob"], "options": {}},
    "state": {"facts": [], "secrets": False},
    "ask": {"id": 1, "who": "Ann", "question": "hide", "choices": [], "private": True},
}  # fmt: skip
SCRIPT: Final = """
const element = (tag) => ({ tag, dataset: {}, children: [], attributes: {},
  setAttribute(name, value) { this.attributes[name] = value; },
  append(...all) { this.children.push(...all); } });
globalThis.document = { getElementById: () => ({ textContent: process.argv[1] }),
  createElement: element, createTextNode: (text) => text, hidden: false };
globalThis.addEventListener = () => {};
globalThis.localStorage = { getItem: () => null };
const { hand } = await import(process.argv[2]);
console.log(JSON.stringify(hand(null)));
"""


def drawn_hand(who: str, folder: Path) -> str:
    """Return the card *Your hand* of Ann's phone at a private question to `who`, as JSON."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node: apt-get install nodejs")
    shutil.copytree(STATIC_FOLDER, folder / "static")
    (folder / "package.json").write_text('{"type": "module"}')
    model = json.dumps({**MODEL, "ask": {**MODEL["ask"], "who": who}})  # type: ignore[dict-item]
    views = str(folder / "static" / "views.js")
    command = [node, "--input-type=module", "--eval", SCRIPT, model, views]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout


def test_a_private_question_without_page_js_offers_a_look(tmp_path: Path) -> None:
    assert '"hold"' in drawn_hand("Ann", tmp_path)


def test_a_private_question_to_another_player_offers_no_look(tmp_path: Path) -> None:
    assert drawn_hand("Bob", tmp_path) == "null\n"
