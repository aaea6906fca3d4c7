"""Probe's spoken summary of the game for audio mode: scores, the turn, and each rack's places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.core.prompts import Answer
from companion.core.snapshot import View
from companion.games.probe.rules.board import DOT
from companion.games.probe.shown.words import printed_names, rack_name, spoken_letter
from companion.say.words import Words


def spoken_state_sentences(words: Words, view: View, players: Sequence[str]) -> tuple[str, ...]:
    """Return sentences to speak about the turn, the scores, and all racks letter by letter."""
    scores = ", ".join(f"{who} {view['scores'][who]}" for who in players)
    return (
        *_turn(words, view),
        words("probe.there.scores", scores=scores),
        *(words("box.there.out", who=who) for who in view["out"]),
        *(text for rack in view["racks"] for text in _rack(words, view, rack)),
        *_asked(words, view),
        *_rest(words, view),
    )


def spoken_state_summary(words: Words, view: View, players: Sequence[str]) -> str:
    """Return one text to speak: the active player, the points of the turn, and all totals."""
    scores = ", ".join(f"{who} {view['scores'][who]}" for who in players)
    return " ".join((*_turn(words, view), words("probe.there.scores", scores=scores)))


def spoken_secret_sentences(words: Words, seen: View, view: View) -> tuple[str, ...]:
    """Return sentences to speak with the player's own words, letter by letter with dots."""
    del view
    return tuple(
        words("probe.there.own", rack=rack_name(words, rack), letters=_letters(words, word))
        for rack, word in seen.get("words", {}).items()
    )


def spoken_answer(words: Words, *, question: str, value: Answer, view: View) -> str | None:
    """Return the text to speak for an answer, or None if the box speaks the displayed label."""
    if question == "ask_for":
        return spoken_letter(words, value)
    if question == "answer" and value == "no_dot":
        return words("probe.there.no_dot")
    if question == "uncover" and str(value)[-1:].isdigit():
        rack, _, place = str(value).rpartition(":")
        n = words.capitalised_number_word(int(place)).lower()
        side = rack.partition(":")[2] or "only"
        rack = rack or view.get("whom") or ""
        return _opened(words, view, rack, int(place)) or words(f"probe.place_said.{side}", n=n)
    return None


def active_player_score_text(view: View) -> str:
    """Return the active player's total as text, or "" if no player is active."""
    return "" if view["to_act"] is None else str(view["scores"][view["to_act"]])


def _opened(words: Words, view: View, rack: str, place: int) -> str:
    if rack not in view.get("racks", {}):
        return ""
    spot = view["racks"][rack][place - 1]
    side = rack.partition(":")[2] or "only"
    named_ = words(f"probe.place_said.{side}", n=words.capitalised_number_word(place).lower())
    return words("probe.there.worth", place=named_, n=spot["value"])


def _letters(words: Words, word: str) -> str:
    return ", ".join(spoken_letter(words, letter) for letter in word)


def _turn(words: Words, view: View) -> Iterator[str]:
    if view["to_act"] is None:
        return
    yield words("probe.there.turn", who=view["to_act"])
    if view["turn_points"]:
        yield words("probe.there.earned", n=view["turn_points"])
    if view["times"] > 1:
        yield words("probe.there.times", n=view["times"])
    if view["card"] is not None:
        yield words("probe.there.card", card=printed_names(words, view)["card"])
    if view["whom"] is not None and view["letter"]:
        letter = spoken_letter(words, view["letter"])
        yield words("probe.there.asks", whom=view["whom"], letter=letter)


def _rack(words: Words, view: View, rack: str) -> Iterator[str]:
    places = [place for place in view["racks"][rack] if place["used"]]
    name = rack_name(words, rack)
    if not places:
        yield words("probe.there.no_word", rack=name)
        return
    shown = ", ".join(f"{n} {_place(words, place)}" for n, place in enumerate(places, start=1))
    covered = sum(place["covered"] for place in places)
    yield words("probe.there.rack", rack=name, places=shown)
    yield words.sentence_for_count("probe.there.covered", covered, all=len(places))


def _place(words: Words, place: Mapping[str, Any]) -> str:
    if place["covered"]:
        return words("probe.there.hidden")
    letter = place["letter"]
    if letter is None:
        return words("probe.there.open")
    return words("probe.dot") if letter == DOT else str(letter)


def _asked(words: Words, view: View) -> Iterator[str]:
    for who, letters in view.get("asked", {}).items():
        if letters:
            named_ = ", ".join(spoken_letter(words, letter) for letter in letters)
            yield words("probe.there.asked", who=who, letters=named_)


def _rest(words: Words, view: View) -> Iterator[str]:
    yield words("probe.pile", n=view["pile"])
    if view["last_rounds"] is not None:
        yield words("probe.last", left=view["last_rounds"])
