"""Kojak's two piles, whose order never changes, and the box's knowledge of them (KO-8).

With *own cards*, None stands for a card that the box does not know yet. It keeps its place under
the pile, so it is known at its return. If players name another card, the box believes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.kojak.rules.board import Card, Pile


def top_card_weights(
    pile: Pile, held: Pile, cards: tuple[tuple[Card, int], ...]
) -> tuple[int, ...]:
    """Return a weight for each of `cards` to be on top.

    1 if known, else the number of unseen ones.
    """
    top = pile[0]
    if top is not None:
        return tuple(int(name == top) for name, _ in cards)
    seen = (*pile, *held)
    return tuple(max(0, count - seen.count(name)) for name, count in cards)


def turn_up_top(pile: Pile, card: Card, *, expected: bool) -> Pile:
    """Return the pile with `card` on top; if it is not `expected`, forget all other cards."""
    return (card, *pile[1:]) if expected else (card, *(None,) * (len(pile) - 1))


def move_top_under(pile: Pile) -> Pile:
    """Return the pile with its top card moved to the bottom."""
    return (*pile[1:], pile[0])


def remove_card(pile: Pile, card: Card) -> Pile:
    """Return the pile without one `card`: the first known one, else one unknown card."""
    at = pile.index(card) if card in pile else pile.index(None)
    return (*pile[:at], *pile[at + 1 :])
