"""What stands on the boards, in words: names for the drawings of the page.

A game is imported when it is played, so that the page carries one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.say.words import Words

    View = Mapping[str, Any]

KINDS: Final = ("start", "positive_identification", "arrest_warrant", "insufficient_evidence")
CRIMINALS: Final = ("killer", "bank_robber", "safecracker", "hijacker")


def names(words: Words, view: View) -> dict[str, str]:
    """The names of a public state of the game whose `words` these are."""
    return NAMES[words.game](words, view)


def _barney_miller(words: Words, view: View) -> dict[str, str]:
    from companion.games.barney_miller import words as barney_miller  # noqa: PLC0415 - see above

    found = {kind: words(f"barney-miller.option.space.{kind}") for kind in KINDS}
    found["unknown"] = words("page.unknown_space")
    for posters in view["posters"].values():
        for suspect in posters:
            found[suspect["id"]] = barney_miller.suspect(words, suspect["id"], view)
    for gang in words.edition["gang"]:
        found[gang["id"]] = barney_miller.gang(words, gang["id"])
    return found


def _baretta(words: Words, view: View) -> dict[str, str]:
    from companion.games.baretta.spaces import space_name  # noqa: PLC0415 - see above
    from companion.games.baretta.words import card as card_name  # noqa: PLC0415 - see above

    found = {who: words(f"baretta.option.accused.{who}") for who in CRIMINALS}
    for ident, space in view["spaces"].items():
        found[ident] = space_name(words, ident)
        if space["does"]:
            effect, _, goal = space["does"].partition(":")
            does = words(f"baretta.brief.{effect}", goal=goal and space_name(words, goal))
            found[f"does:{ident}"] = does.replace("|", " ")
        if space["card"] not in (None, "down"):
            card = space["card"].partition(":")[2]
            found[space["card"]] = card_name(words, card)
    for card in filter(None, view["shown"].values()):
        found[card] = card_name(words, card)
    return found


def _kojak(words: Words, view: View) -> dict[str, str]:
    from companion.games.kojak import words as kojak  # noqa: PLC0415 - see above

    found = {}
    for colour, place in view["places"].items():
        found[colour] = words(f"kojak.colour.{colour}").capitalize()
        found[place] = words(f"kojak.place.{place}")
    for who in view["cars"]:
        found[f"duty:{who}"] = kojak.duty(words, view, who)
        found[f"car:{who}"] = words(f"kojak.colour.{view['cars'][who]}").capitalize()
    return found


def _probe(words: Words, view: View) -> dict[str, str]:
    from companion.games.probe import words as probe  # noqa: PLC0415 - see above

    found = {rack: probe.rack_name(words, rack) for rack in view["racks"]}
    if view["card"] is not None:
        kind, n = view["card"]["kind"], view["card"]["n"]
        shown = n if kind == "times" else f"{n or 0:+}"
        found["card"] = words(f"probe.card.{kind}", n=shown)
    return found


NAMES: Final[Mapping[str, Callable[[Words, View], dict[str, str]]]] = {
    "barney-miller": _barney_miller,
    "baretta": _baretta,
    "kojak": _kojak,
    "probe": _probe,
}
