"""Tests of forms out of turn, and of all texts of a game, on phones at a running box."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.page.box import Phone

pytest.importorskip("tornado")

from companion.catalog import editions, registry
from companion.page import guard, page_html
from companion.page.files import sentences_of_game_by_kind
from companion.say.catalogues import SentenceCatalogue
from companion.say.dictionary import WordVerdict
from companion.say.sentences import load_compiled_catalogue
from companion.say.words import Words
from tests.door.callers import House
from tests.door.examples import example
from tests.helpers import begin_game, long_lane_params, setup_for
from tests.page.box import phones

NAMES: Final = ("Ann", "Bob")
OPTIONS: Final[dict[str, dict[str, str]]] = {
    "barney-miller": {"deck": "virtual"},
    "baretta": {},
    "kojak": {},
    "probe": {"words": "secret"},
    "running-tricks": {},
}
SHORT = "running-tricks"
MOST: Final = 900
"""Maximum number of answers in a game."""


@pytest.fixture(autouse=True)
def nobody_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard.RequestBudgets, "count_request_and_check_limit", lambda *_: True)


def playing(game: str, **options: str) -> House:
    """Return an English box with a game of Ann and Bob."""
    usual = {option.name: option.values[0] for option in registry.find_game(game).options}
    setup = setup_for(usual | OPTIONS.get(game, {}) | options, game=game, players=NAMES)
    house = House(begin_game(setup), "en")
    house.drive.resume()
    return house


async def answer(all_of_them: dict[str, Phone], chosen: random.Random) -> bool:
    """Answer once by a phone that is asked. Return False if the game is over."""
    for name, phone in all_of_them.items():
        ask = phone.seat.watch.ask
        if ask is not None and not ask.get("hidden") and ask["who"] in (None, name):
            value = chosen.choice(ask["choices"])["value"]
            await phone.mean(answer=value, id=ask["id"])
            return True
    return False


# --- corrections ----------------------------------------------------------------------------------


def forms(phone: Phone) -> set[str]:
    """Return the forms that this phone may open out of turn."""
    offers = phone.seat.watch.offers
    return set() if offers is None else {one["form"] for one in offers["forms"]}


async def until_offered(all_of_them: dict[str, Phone], form: str) -> None:
    chosen = random.Random(form)
    for _ in range(MOST):
        if form in forms(all_of_them["Ann"]):
            return
        assert await answer(all_of_them, chosen)
    pytest.fail(f"{form} was not offered")


async def corrected(phone: Phone, chosen: random.Random) -> dict[str, Any] | None:
    """Correct a value, step by step. Return None if the box refuses, because nothing changes."""
    said = await phone.do(fill="correct")
    while said and said[-1]["type"] == "ask":
        ask = said[-1]
        assert (ask["form"], ask["given"].keys() & {ask["question"]}) == ("correct", set())
        value = chosen.choice(ask["choices"])["value"]
        said = await phone.do(answer=value, id=ask["id"])
    if said:
        assert said[-1]["type"] == "error"
        return None
    return next(line for line in phone.heard[::-1] if line["type"] == "tell")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("game", OPTIONS)
def test_a_correction_is_made_on_a_phone_and_taken_back(game: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with phones(tmp_path, playing(game), NAMES, "en") as found:
            ann, chosen = found["Ann"], random.Random(game)
            await until_offered(found, "correct")
            before = ann.seat.watch.state
            while (told := await corrected(ann, chosen)) is None:
                pass  # nothing would change: try another correction
            assert told["sentence"]
            assert found["Bob"].seat.watch.told[-1]["sentence"] == told["sentence"]
            assert ann.seat.watch.state != before
            await ann.do(undo=True)
            assert "undone" in {line["event"] for line in ann.seat.watch.told}

    with example():
        asyncio.run(scenario())


def test_a_rack_that_was_reported_is_not_offered_again(tmp_path: Path) -> None:
    async def scenario() -> tuple[list[Any], list[Any]]:
        async with phones(tmp_path, playing("probe"), NAMES, "en") as found:
            ann = found["Ann"]
            await until_offered(found, "misspelled")
            (before,) = await ann.do(fill="misspelled")
            racks = [one["value"] for one in before["choices"]]
            await ann.mean(answer=racks[0], id=before["id"])
            after = await ann.do(fill="misspelled")
            left = [one["value"] for one in after[-1].get("choices", ())]
            return racks, left if forms(ann) else []

    racks, left = asyncio.run(scenario())
    assert len(racks) == 4
    assert racks[0] not in left


def test_a_pile_has_as_many_cards_as_the_rules_allow(tmp_path: Path) -> None:
    async def scenario() -> dict[str, int]:
        async with phones(tmp_path, playing("baretta", deck="own"), NAMES, "en") as found:
            await until_offered(found, "correct")
            (ask,) = await found["Ann"].do(fill="correct", given={"what": "pile", "who": "Bob"})
            return dict(ask["number"])

    assert asyncio.run(scenario()) == {"from": 0, "to": 48, "by": 1}


def test_a_word_is_looked_up_in_the_language_that_the_phone_says(tmp_path: Path) -> None:
    lists = {"en": "HOUSE", "fr": "MAISON"}
    usual = {option.name: option.values[0] for option in registry.find_game("probe").options}
    setup = setup_for(usual | {"words": "secret"}, game="probe", players=NAMES)
    house = House(
        begin_game(setup), "en",
        lambda word, language: WordVerdict(known=lists[language] == word, lists=("words",)),
    )  # fmt: skip
    house.drive.resume()

    async def scenario() -> list[bool]:
        async with phones(tmp_path, house, NAMES, "fr") as found:
            asked = found["Ann"].seat.watch.ask
            phone = found[str(asked and asked["who"])]
            tried = [{"check": "MAISON"}, *({"check": "HOUSE", "lang": lang} for lang in lists)]
            return [said["known"] for message in tried for said in await phone.do(**message)]

    assert asyncio.run(scenario()) == [True, True, False]


# --- the language of the phone --------------------------------------------------------------------


def vocabulary(language: str, game: str) -> set[str]:
    """Return all words of the catalogues in a language."""
    names = {"companion", "page", *registry.BUILT_IN_GAMES, game}
    texts = (
        text
        for name in names
        for _, text in SentenceCatalogue(load_compiled_catalogue(language, name)).items()
    )
    return words_in(" ".join(texts))


def words_in(text: str) -> set[str]:
    """Return the words of a text in lower case, without placeholders."""
    return set(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{\w+\}", " ", text).lower()))


def shown(line: dict[str, Any]) -> Iterator[str]:
    """Yield the texts of a message that a phone shows."""
    match line["type"]:
        case "tell":
            yield from (line["sentence"] or line["text"], line["ruling"] or "")
        case "ask":
            yield from (line["sentence"], line["ok"])
            yield from (one["label"] for one in line["choices"] if "spell" not in line)
        case "offers":
            yield from (one["text"] for one in line["forms"])
        case "state":
            yield from line["named"].values()
            yield from (one["label"] for one in line["facts"] if one["label"][0].isupper())
        case "secret":
            yield line["text"]
        case "error":
            yield line["message"]
        case "hello":
            yield line["title"]


@pytest.mark.long
@pytest.mark.parametrize(
    "game", [SHORT, *long_lane_params(game for game in OPTIONS if game != SHORT)]
)
def test_a_french_phone_at_an_english_box_reads_no_english_word_in_a_whole_game(
    game: str, tmp_path: Path
) -> None:
    with example():
        lines = asyncio.run(whole_game(game, tmp_path))
        known = words_in(f"{NAMES} {editions.load_edition(game)} {[*answers_of(lines)]}")
        english = vocabulary("en", game) - vocabulary("fr", game) - known
        own = sentences_of_game_by_kind(game, "fr").values()
    texts = {text for line in lines for text in shown(line)} | {*own}
    texts |= {
        Words("fr")(f"page.{key}", who="", package="", n=4)
        for key in page_html.SCRIPT_SENTENCE_KEYS
    }
    assert {"tell", "ask", "state", "offers", "error"} <= {line["type"] for line in lines}
    assert {text: found for text in texts if (found := words_in(text) & english)} == {}


async def whole_game(game: str, folder: Path) -> list[dict[str, Any]]:
    """Return all messages to two French phones. One phone tries all its requests now and then."""
    async with phones(folder, playing(game), NAMES, "fr") as found:
        ann, chosen = found["Ann"], random.Random(4)
        for n in range(MOST):
            if n % 40 == 3:
                await ann.do(why=True)
                await ann.do(look=True)
                await ann.do(answer="nothing like it")
                for form in sorted(forms(ann)):
                    await ann.do(fill=form)
            if not await answer(found, chosen):
                break
        assert ann.seat.watch.over is not None
        return [*ann.heard, *found["Bob"].heard]


def answers_of(lines: list[dict[str, Any]]) -> Iterator[Any]:
    """Yield the offered answers. Some values are shown unchanged, such as names."""
    for line in lines:
        if line["type"] == "ask" and "spell" not in line:
            yield from (one["value"] for one in line["choices"])
