"""Kojak's two piles, whose order never changes, and the box's knowledge of their cards (KO-8).

If the players use their own cards, None is a card that the box does not know yet. A named card
keeps its place in the order, so the box knows the card when it returns. If players name another
card, the box accepts the players' answer.
"""

from __future__ import annotations

from companion.games.kojak.rules.board import Card, Pile


def top_card_weights(
    pile: Pile, held: Pile, cards: tuple[tuple[Card, int], ...]
) -> tuple[int, ...]:
    """Return the weight of each of `cards` to be on top of the pile.

    If the top card is known, its weight is 1, and other cards have weight 0. Otherwise the weight
    of a card is the number of unseen cards of that name.
    """
    top = pile[0]
    if top is not None:
        return tuple(int(name == top) for name, _ in cards)
    seen = (*pile, *held)
    return tuple(max(0, count - seen.count(name)) for name, count in cards)


def turn_up_top(pile: Pile, card: Card, *, expected: bool) -> Pile:
    """Return the pile with `card` on top.

    If `card` is not `expected`, all other cards become unknown.
    """
    return (card, *pile[1:]) if expected else (card, *(None,) * (len(pile) - 1))


def move_top_under(pile: Pile) -> Pile:
    """Return the pile with its top card moved to the bottom."""
    return (*pile[1:], pile[0])


def remove_card(pile: Pile, card: Card) -> Pile:
    """Return the pile without the first `card`. If `card` is not known, remove an unknown card."""
    at = pile.index(card) if card in pile else pile.index(None)
    return (*pile[:at], *pile[at + 1 :])
