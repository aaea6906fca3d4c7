"""Kojak's spoken summary of the game for audio mode: tasks, circles, case files and piles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.snapshot import View
from companion.say.words import Words


def spoken_state_sentences(words: Words, view: View, players: Sequence[str]) -> tuple[str, ...]:
    """Return sentences to speak about the turn, detectives' tasks, case files and piles."""
    return (
        *_turn(words, view),
        *_detectives(words, view, players),
        *_files(words, view),
        words("kojak.there.piles", traps=view["trap_pile"], missions=view["mission_pile"]),
    )


def spoken_state_summary(words: Words, view: View, players: Sequence[str]) -> str:
    """Return one text to speak: the active player, this player's task, and all players' arrests."""
    who, made = view["to_act"], ", ".join(f"{who} {view['arrests'][who]}" for who in players)
    does = () if who is None else (_does(words, view, who),)
    return " ".join((*_turn(words, view), *does, words("kojak.breath", made=made)))


def _turn(words: Words, view: View) -> Iterator[str]:
    if view["to_act"] is not None:
        yield words("kojak.there.turn", who=view["to_act"])
    if view["roll"] is not None:
        yield words("kojak.there.roll", n=words.capitalised_number_word(view["roll"]).lower())


def _detectives(words: Words, view: View, players: Sequence[str]) -> Iterator[str]:
    for who in players:
        if who in view["out"]:
            yield words("box.there.out", who=who)
            continue
        cars = words(f"kojak.cars.{view['cars'][who]}") if who in view["cars"] else ""
        arrests = words.sentence_for_count("kojak.there.arrests", view["arrests"][who])
        named = words("kojak.there.cars", who=who, cars=cars) if cars else who
        yield f"{named}. {arrests}. {_does(words, view, who)}"
        if who in view["lose_turn"]:
            yield words("kojak.there.misses", who=who)


def _does(words: Words, view: View, who: str) -> str:
    mission, stage, at = view["mission"][who], view["stage"][who], ""
    if mission is not None:
        at = words(f"kojak.at.{view['places'][mission]}")
    if view["race"]:
        stage = "race" if who in view["race"] else "watch"
    elif who in view["may_arrest"]:
        stage = "arrest"
    return words(f"kojak.there.do.{stage}", at=at)


def _files(words: Words, view: View) -> Iterator[str]:
    for colour, holder in view["files"].items():
        name = words(f"kojak.colour.{colour}").capitalize()
        place = words(f"kojak.place.{view['places'][colour]}")
        how = "open" if holder == "open" else "closed"
        yield words(f"kojak.there.file.{how}", colour=name, place=place, who=holder)
        if holder == "open":
            yield _criminal(words, view, colour)


def _criminal(words: Words, view: View, colour: str) -> str:
    at, reds = view["circle"][colour], view["red"][colour]
    named = words(f"kojak.the_one.{colour}")
    where = "red" if at in reds else "dot" if at == 0 else "field"
    all_red = ", ".join(map(str, reds))
    fields = {"colour": named, "n": at, "all": view["fields"][colour], "reds": all_red}
    return words(f"kojak.there.on.{where}", **fields)
