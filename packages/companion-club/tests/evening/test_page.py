"""Tests of an evening on the page: on a television, on paper, and in exported files."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from contextlib import closing
from html import escape
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

import pytest

from companion.door.lines import MAX_LINE_BYTES
from companion.page.page_html import render_page_template
from companion.say.words import LANGUAGES, Words
from companion_club import exporting, new_facts, table
from companion_club import folder as files
from companion_club.box import page
from companion_club.commands.organiser import evening_status_lines
from companion_club.current_claims import CurrentClaims
from companion_club.evening_state import compute_evening_state
from companion_club.exporting import rows_as_formula_safe_csv
from tests.evening.boxes import make_evening, open_facts, state_round
from tests.page.browsers import chromium
from tests.page.house import Box, Lines, Page
from tests.page.test_browsers import accessible

NAMES: Final = tuple(f"{name}{n}" for n in (1, 2, 3) for name in ("Ada", "<Bob>", "=Cy", "Émile"))


def played() -> CurrentClaims:
    """Return the claims of two rounds at three tables, and one typed result of the third round."""
    rng = random.Random(3)
    known = state_round(state_round(open_facts(NAMES, games=5), rng), rng)
    third = compute_evening_state(known).current_round_tables[0]
    return known.with_own_fact("a", "result/3/1", new_facts.result_fact(dict.fromkeys(third, 7)))


def answers(known: CurrentClaims) -> Callable[..., Any]:
    """Return a function that answers requests of the page, as the attendant does."""
    evening = compute_evening_state(known)

    async def ask(**wish: Any) -> dict[str, Any]:
        line = json.dumps({"evening": table.answer_page_request(evening, known, wish), "to": 31})
        assert len(line) < MAX_LINE_BYTES
        return dict(json.loads(line)["evening"])

    return ask


def model(known: CurrentClaims) -> dict[str, Any]:
    """Return the evening as the page receives it."""
    found = asyncio.run(page.fetch_evening_with_lists(answers(known)))
    assert found is not None
    return found


def on_paper(found: dict[str, Any], words: Words, *, seated: bool) -> str:
    return render_page_template(
        "evening.html", words, "", seated=seated, **page.evening_page_template_values(found, words)
    ).decode()


def on_board(found: dict[str, Any], words: Words) -> str:
    return render_page_template(
        "board.html", words, "", view="board", **page.projector_page_template_values(found, words)
    ).decode()


def results(known: CurrentClaims, number: int) -> list[dict[str, Any]]:
    return asyncio.run(page.fetch_evening_list_rows(answers(known), "round", number))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_stands_on_the_page_once_and_nobody_is_markup(language: str) -> None:
    words, found = Words(language), model(played())
    whole, board = on_paper(found, words, seated=True), on_board(found, words)
    for text in (whole, board):
        assert "<Bob>" not in text
        assert all(text.count(f">{name}<") == 2 for name in NAMES if name.startswith("Ada"))
    assert board.count('class="leaf"') == 3
    assert 'id="slip"' in whole
    assert 'id="slip"' not in on_paper(found, words, seated=False)
    assert words("page.evening_plays") in whole
    assert words("page.evening_in") in whole


def test_what_is_typed_in_says_so_on_the_page_and_in_files() -> None:
    known = played()
    rows = results(known, 3)
    assert {row["source"] for row in rows if row["table"] == 1} == {"typed"}
    text = rows_as_formula_safe_csv(rows)
    assert text.splitlines()[0] == "round,table,player,points,source"
    assert all(row["player"] in text for row in rows)
    assert "'=Cy" in text
    assert ",7,typed" in text
    assert "(typed in)" in "\n".join(evening_status_lines(compute_evening_state(known), known))
    assert results(known, 9) == []


@pytest.mark.parametrize(
    ("language", "where", "decide"),
    [
        ("en", "Round 3, table 1:", "People must decide which is right"),
        ("fr", "Manche 3, table 1 :", "Il faut décider laquelle est la bonne"),
    ],
)
def test_what_people_must_decide_is_said_in_their_language_with_what_each_box_says(
    language: str, where: str, decide: str
) -> None:
    one, third = played(), "result/3/1"
    names = compute_evening_state(one).current_round_tables[0]
    other = state_round(state_round(open_facts(NAMES, games=5), rng := random.Random(3)), rng)
    other = other.with_own_fact("b", third, new_facts.result_fact(dict.fromkeys(names, 8)))
    found = model(one.with_topic_claims(third, other.heads[third]))
    text = on_paper(found, Words(language), seated=False)
    assert where in text
    assert decide in text
    assert all(f"{escape(names[0])} {points}" in text for points in (7, 8))


def test_a_conflict_of_rules_or_of_a_person_says_so() -> None:
    row: dict[str, Any] = {
        "why": "claims",
        "round": None,
        "table": None,
        "name": None,
        "claims": [],
    }
    assert page._conflict(row, Words("en")).startswith("The rules: ")
    assert page._conflict({**row, "name": "Ada"}, Words("fr")).startswith("Ada : ")


def test_an_evening_that_is_over_says_who_won() -> None:
    known, rng = open_facts(NAMES[:4], games=1), random.Random(1)
    found = model(state_round(known, rng))
    assert found["over"]
    assert found["leaders"][0] in page._stands(found, Words("en"))
    assert page._tables(found) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["Player {:03}", "{:03}" + 37 * "é"], ids=["short", "long"])
def test_everybody_of_200_tables_comes_through_the_door(name: str) -> None:
    known = make_evening(200, name)
    found, evening = model(known), compute_evening_state(known)
    assert found["totals"] == evening.totals
    assert len(found["totals"]) == 800
    assert [tuple(names) for names in found["tables"]] == [*evening.current_round_tables]
    for number in (1, 2):
        assert results(known, number) == [
            row
            for row in exporting.result_rows_of_players(evening, known)
            if row["round"] == number
        ]


@pytest.mark.long
def test_the_evening_is_shown_printed_and_exported_by_real_processes(tmp_path: Path) -> None:
    known, home = played(), tmp_path / "evenings" / "club-1"
    for topic, heads in known.heads.items():
        files.merge_claims_into_file(home, topic, heads, durable=False)
    joined = {"evening": "club-1", "table": 2, "host": "127.0.0.1", "port": 9}
    (home.parent / "joined.json").write_text(json.dumps(joined))
    door = tmp_path / "door.sock"
    box = Box(tmp_path / "games.db", door)
    attend = Lines("evening", "attend", f"--socket={door}", f"--folder={home.parent / 'any'}")
    page = Page(door)
    try:
        with chromium() as (browser, _):
            tab = browser.new_context(bypass_csp=True).new_page()
            slips: list[str] = []
            tab.on("pageerror", lambda error: slips.append(str(error)))
            found = {}
            for path in ("/evening", "/evening?view=board", "/evening/1"):
                for scheme in ("light", "dark"):
                    tab.emulate_media(color_scheme=scheme)
                    tab.goto(page.url + path)
                    tab.wait_for_selector("table")
                    found[path, scheme] = accessible(tab)
            assert {key: wrong for key, wrong in found.items() if wrong} == {}
            tab.goto(page.url + "/evening?view=board")
            assert tab.locator(".leaf:visible").count() == 1
            first = tab.locator(".leaf:visible").inner_text()
            tab.click("[data-do=next]")
            assert tab.locator(".leaf:visible").inner_text() != first
            tab.emulate_media(reduced_motion="reduce")
            tab.reload()
            assert tab.get_attribute("[data-do=pause]", "aria-pressed") == "true"
            assert slips == []
        with closing(HTTPConnection("127.0.0.1", page.port)) as wire:
            wire.request("GET", "/evening.csv")
            assert wire.getresponse().read().decode().count("\n") == 1 + 3 * len(NAMES)
            wire.request("GET", "/evening.json")
            assert (
                json.loads(wire.getresponse().read())["totals"]
                == compute_evening_state(known).totals
            )
    finally:
        page.end()
        attend.end()
        box.end()
