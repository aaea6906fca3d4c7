"""Tests of sentences about cards: only players with their own cards must handle cards."""

from __future__ import annotations

import pytest

from companion_testing.card_handling import find_card_handling_fault

ORDERS = "orders what the box does"
DONE = "states as done what people have to do"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Deal the half deck: two hands of 7 each."),
        ("en", "Bob leaves. Take the red cars off the board, and put the card under the pile."),
        ("en", "It goes under the pile, and draw again."),
        ("en", "Bob, take up your second hand."),
        ("fr", "Donnez l’autre moitié\xa0: deux mains de 7 par personne."),
        ("fr", "Le dossier rouge est déjà fermé. Remettez la carte sous la pile et repiochez."),
    ],
)
def test_an_order_about_cards_is_a_slip_for_a_deck_of_the_boxs_only(
    language: str, sentence: str
) -> None:
    assert find_card_handling_fault(sentence, language, own=False) == ORDERS
    assert find_card_handling_fault(sentence, language, own=True) is None


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "All cards are shuffled: 7 each."),
        ("en", "Bob leaves. The cards are put aside, unseen."),
        ("fr", "Toutes les cartes sont battues\xa0: 7 par personne."),
        ("fr", "Ses cartes sont mises de côté, face cachée."),
    ],
)
def test_cards_stated_as_handled_are_a_slip_for_own_cards_only(
    language: str, sentence: str
) -> None:
    assert find_card_handling_fault(sentence, language, own=True) == DONE
    assert find_card_handling_fault(sentence, language, own=False) is None


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Bob leaves. Take the red cars off the board."),
        ("en", "Ann draws. The red file: the bank."),
        ("en", "Cut."),
        ("en", "The top card goes on 5, marker on it."),
        ("fr", "Ann tire une carte."),
        ("fr", "Retirez les voitures rouges du plateau."),
    ],
)
def test_what_both_decks_may_hear_is_no_slip(language: str, sentence: str) -> None:
    assert find_card_handling_fault(sentence, language, own=False) is None
    assert find_card_handling_fault(sentence, language, own=True) is None
