"""Functions about Kojak's mission and trap piles, in which cards keep their cyclic order.

In a game with real cards, None in a pile stands for a card that the box does not know. The box
remembers each card that players have entered, because the card comes back to the top of its pile
(KO-8, KO-13).
"""

from __future__ import annotations

from companion.games.kojak.rules.board import Card, Pile


def top_card_weights(
    pile: Pile, held: Pile, cards: tuple[tuple[Card, int], ...]
) -> tuple[int, ...]:
    """Return the weight of each of `cards`: how likely this card is on top of the pile.

    If the box knows the top card, the top card has the weight 1, and each other card has the weight
    0. If the box does not know the top card, a card's weight is the number of its copies that are
    neither in `held` nor at a known place in the pile.

    - `held`: the mission cards that players hold.
    - `cards`: pairs (card name, number of copies).
    """
    top = pile[0]
    if top is not None:
        return tuple(int(name == top) for name, _ in cards)
    seen = (*pile, *held)
    return tuple(max(0, count - seen.count(name)) for name, count in cards)


def put_seen_card_on_top(pile: Pile, card: Card, *, expected: bool) -> Pile:
    """Return the pile after a player has turned up the real card `card` from its top.

    `expected` is False if the box expected another card on top. In this case, all other cards of
    the pile become unknown.
    """
    return (card, *pile[1:]) if expected else (card, *(None,) * (len(pile) - 1))


def move_top_card_to_bottom(pile: Pile) -> Pile:
    """Return the pile with its top card moved to the bottom."""
    return (*pile[1:], pile[0])


def remove_card_from_pile(pile: Pile, card: Card) -> Pile:
    """Return the pile without one card of the name `card`.

    If the box does not know where `card` is in the pile, remove an unknown card instead.
    """
    at = pile.index(card) if card in pile else pile.index(None)
    return (*pile[:at], *pile[at + 1 :])
