"""Two piles whose order is kept for ever, and what the box knows of one it cannot see (KO-8).

With *own cards* a card is None until somebody says what it was. It goes under the pile and stays in
its place, so it is known when it comes up again; people are believed all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.kojak.rules.board import Card, Pile


def top_card_weights(
    pile: Pile, held: Pile, cards: tuple[tuple[Card, int], ...]
) -> tuple[int, ...]:
    """How likely each of `cards` lies on top: certain if it is known, else as many are unseen."""
    top = pile[0]
    if top is not None:
        return tuple(int(name == top) for name, _ in cards)
    seen = (*pile, *held)
    return tuple(max(0, count - seen.count(name)) for name, count in cards)


def turn_up_top(pile: Pile, card: Card, *, expected: bool) -> Pile:
    """The pile with `card` turned up on top; if nobody expected it, nothing else is known."""
    return (card, *pile[1:]) if expected else (card, *(None,) * (len(pile) - 1))


def move_top_under(pile: Pile) -> Pile:
    """The pile with its top card put under it."""
    return (*pile[1:], pile[0])


def remove_card(pile: Pile, card: Card) -> Pile:
    """The pile without one card of that name: the first that is known, else one that is not."""
    at = pile.index(card) if card in pile else pile.index(None)
    return (*pile[:at], *pile[at + 1 :])
