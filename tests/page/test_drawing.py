"""Tests of games that draw themselves on the page, with files of their own folders only."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

pytest.importorskip("tornado", reason="no tornado: pip install '.[page]'")

from companion.catalog import registry
from companion.page import guard
from companion.page.files import GAME_FILES, STATIC_FOLDER
from tests.installed import PackageShop, shop
from tests.page.browsers import chromium
from tests.page.door import HELLO, beside, page

if TYPE_CHECKING:
    from tornado.httpclient import HTTPResponse

OTHERS: Final = {**HELLO, "game": "sum-up", "commitment": "11"}
SUM: Final = {
    "type": "state", "total": 3, "to_act": "Ann", "named": {},
    "facts": [{"name": "total", "label": "Summe", "text": "drei"},
              {"name": "points", "label": "Points", "by": {"Ann": "7", "Bob": "9"}}],
}  # fmt: skip
DRAWN: Final = """
import { h, players, words } from '/static/game.js';
export const board = (state) => h('p', { class: 'sum' }, words('sum', { n: state.total }));
export const score = (state, who) => [state.nothing.there, players().length];
"""
"""A script with an error: the state has no `nothing`."""


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[PackageShop]:
    yield from shop(tmp_path / "site")


def drawn(installed: PackageShop, script: str = DRAWN) -> Path:
    """Install a package with a game that draws itself. Return its folder."""
    folder = installed.install()
    (folder / GAME_FILES["script"]).write_text(script, "utf-8")
    for language, text in (("en", "Sum {n}"), ("fr", "Somme {n}")):
        there = folder / "locale" / language / "LC_MESSAGES"
        there.mkdir(parents=True)
        (there / "sum-up.po").write_text(f'msgid "sum-up.web.sum"\nmsgstr "{text}"\n', "utf-8")
    return folder


def asked(
    folder: Path, *paths: str, stands: tuple[dict[str, Any], ...] = (OTHERS, SUM)
) -> list[HTTPResponse]:
    """Return the page's French responses while the door sends `stands`."""

    async def scenario() -> list[HTTPResponse]:
        async with page(folder, {None: stands}) as web:
            return [await web.ask(path, Accept_Language="fr") for path in paths]

    return asyncio.run(scenario())


def model(answer: HTTPResponse) -> dict[str, Any]:
    """Return the data in a page."""
    found = re.search(r'id="model">(.*?)</script>', answer.body.decode(), re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_a_built_in_game_is_drawn_by_files_of_its_own_folder(game: str, tmp_path: Path) -> None:
    paths = [f"/games/{game}/{file}" for file in GAME_FILES.values()]
    front, *files = asked(tmp_path, "/", *paths, stands=({**HELLO, "game": game},))
    own = model(front)["hello"]["drawing"]
    assert [own["script"], own["style"], own["package"]] == [*paths, None]
    for answer, file in zip(files, GAME_FILES.values(), strict=True):
        assert answer.code == 200
        assert answer.body == (registry.game_file_path(game, file)).read_bytes()
        assert answer.headers["Cache-Control"] == "no-cache"


def test_a_packages_game_brings_its_drawing_under_the_same_policy_and_is_named(
    installed: PackageShop, tmp_path: Path
) -> None:
    folder = drawn(installed)
    front, script, style = asked(tmp_path, "/", "/games/sum-up/page.js", "/games/sum-up/page.css")
    assert model(front)["hello"]["drawing"] == {
        "script": "/games/sum-up/page.js", "style": None, "package": "companion-sum-up 1.0",
        "words": {"sum": "Somme {n}"}, "rules": None,
    }  # fmt: skip
    assert script.body == (folder / "page.js").read_bytes()
    policy = guard.SECURITY_HEADERS["Content-Security-Policy"]
    assert [script.headers["Content-Security-Policy"], policy.count("unsafe")] == [policy, 0]
    assert style.code == 404


RULES: Final = """
[[heading]]
en = "The sum"
fr = "La somme"

[[heading.clause]]
clause = "SU-1"
mark = "ruling"
en = "Numbers are added."
fr = "On additionne."
"""


@pytest.mark.long
def test_a_packages_game_has_its_rules_and_its_title_among_the_others(
    installed: PackageShop, tmp_path: Path
) -> None:
    folder = drawn(installed)
    (without,) = asked(tmp_path, "/rules?game=sum-up")
    (folder / "clauses.toml").write_text(RULES, "utf-8")
    there, own = asked(tmp_path, "/rules?game=kojak", "/rules")
    assert without.code == 404
    assert 'href="/rules?game=sum-up"' in there.body.decode()
    assert "La somme" in own.body.decode()  # this game is being played
    assert 'id="SU-1"' in own.body.decode()


def test_clauses_without_a_book_have_a_page_of_their_own_and_lead_to_no_other_game(
    installed: PackageShop, tmp_path: Path
) -> None:
    folder = drawn(installed)
    rules = {"SU-1": "On additionne.", "SU-1.two": "Deux."}.items()
    source = folder / "locale" / "fr" / "LC_MESSAGES" / "sum-up.po"
    more = (f'\nmsgid "sum-up.rule.{name}"\nmsgstr "{text}"\n' for name, text in rules)
    source.write_text(source.read_text("utf-8") + "".join(more), "utf-8")
    front, other, own = asked(tmp_path, "/", "/rules?game=kojak", "/rules?game=sum-up")
    assert model(front)["hello"]["drawing"]["rules"] == "/rules?game=sum-up"
    assert 'href="/rules?game=sum-up"' in other.body.decode()
    text = own.body.decode()
    assert '<li id="SU-1"><b>SU-1</b> On additionne. </li>' in text
    assert text.count("<li id=") == 1
    script = (STATIC_FOLDER / "views.js").read_text("utf-8")
    assert "`/rules#" not in script
    assert "drawing?.rules" in script


def test_nothing_else_of_a_games_folder_is_sent(installed: PackageShop, tmp_path: Path) -> None:
    drawn(installed)
    paths = ("sum-up/__init__.py", "sum-up/../page.js", "kojak/rules.py", "none/page.js",
             "box/page.js", "kojak/page.js/", "sum-up/locale/en/LC_MESSAGES/sum-up.po")  # fmt: skip
    answers = asked(tmp_path, *(f"/games/{path}" for path in paths))
    assert {answer.code for answer in answers} == {404}


def test_a_changed_drawing_is_sent_without_another_start(
    installed: PackageShop, tmp_path: Path
) -> None:
    folder = drawn(installed)

    async def scenario() -> list[int]:
        async with page(tmp_path, {None: (OTHERS, SUM)}) as web:
            path = "/games/sum-up/page.js"
            mark = (await web.ask(path)).headers["Etag"]
            same = await web.ask(path, If_None_Match=mark)
            (folder / "page.js").write_text("export const note = () => 1;", "utf-8")
            return [same.code, (await web.ask(path, If_None_Match=mark)).code]

    assert asyncio.run(scenario()) == [304, 200]


NOTHING_RUN: Final = """
import sys
from companion.catalog import registry
registry.disable_packaged_game_imports()
origin = registry.game_package_version("sum-up")
print(registry.playable_game_names()[-1], registry.game_folder("sum-up").name, origin)
print([name for name in sys.modules if "sum_up" in name])
"""


@pytest.mark.long
def test_a_process_that_only_shows_games_imports_none_of_them(installed: PackageShop) -> None:
    drawn(installed)
    run = [sys.executable, "-c", NOTHING_RUN]
    env = {"PYTHONPATH": f"{installed.folder}:{':'.join(filter(None, sys.path))}"}
    done = subprocess.run(run, capture_output=True, text=True, check=True, env=env)
    assert done.stdout.splitlines() == ["sum-up companion_sum_up companion-sum-up 1.0", "[]"]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the page of that game for a browser. Yield its address."""
    with beside(lambda: page(folder, {None: (OTHERS, SUM)})) as (web, _):
        yield web.url


@pytest.mark.long
def test_a_strangers_drawing_says_whose_it_is_and_what_fails_in_it_is_drawn_plainly(
    installed: PackageShop, tmp_path: Path
) -> None:
    drawn(installed)
    with chromium() as (browser, _), served(tmp_path) as url:
        tab = browser.new_context(locale="fr").new_page()
        slips: list[str] = []
        tab.on("console", lambda message: slips.append(message.text))
        tab.goto(url)
        tab.wait_for_selector(".sum")
        board = tab.locator("[data-key=board]").inner_text()
        scores = tab.locator(".scores").inner_text()
    assert "Somme 3" in board
    assert "companion-sum-up 1.0" in board
    assert "Ann" in scores
    assert any("/games/sum-up/page.js, score: TypeError" in slip for slip in slips)


@pytest.mark.long
@pytest.mark.parametrize("script", ["export const board = (", "throw new Error('odd');"])
def test_a_drawing_that_can_not_be_run_leaves_the_plain_table(
    script: str, installed: PackageShop, tmp_path: Path
) -> None:
    drawn(installed, script)
    with chromium() as (browser, _), served(tmp_path) as url:
        tab = browser.new_context().new_page()
        tab.goto(url)
        tab.wait_for_selector(".plain")
        assert [row.split() for row in tab.locator(".plain").all_inner_texts()] == [
            ["Summe", "drei"], ["Ann", "Bob", "Points", "7", "9"],
        ]  # fmt: skip
        assert tab.locator(".scores td").all_inner_texts() == ["7", "9"]


MANY: Final = ("Wojehowicz", "Bartholomé", "Maximilian", "Alexandra", "Montgomery")


@pytest.mark.long
def test_a_plain_table_of_many_players_scrolls_and_the_page_is_as_wide_as_a_phone(
    tmp_path: Path,
) -> None:
    facts = [{"name": "points", "label": "Points", "by": dict.fromkeys(MANY, "1200")}]
    stands = ({**OTHERS, "players": MANY}, {**SUM, "facts": facts})
    with chromium() as (browser, _), beside(lambda: page(tmp_path, {None: stands})) as (web, _):
        tab = browser.new_context(viewport={"width": 320, "height": 568}).new_page()
        tab.goto(web.url)
        tab.wait_for_selector(".plain")
        wide = "one => [one.scrollWidth > one.clientWidth, document.documentElement.scrollWidth]"
        assert tab.locator(".scroll:has(.plain)").evaluate(wide) == [True, 320]
