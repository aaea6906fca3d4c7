from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.chance import CODE_ALPHABET, NUMBER_OF_32_BIT_VALUES, Chance, _below, fresh_seed
from companion.core.prompts import Roll, Shuffle, is_legal_answer

SEED = "00" * 32
DIE = Roll("roll", "Ann")
DICE = Roll("roll", "Ann", dice=2)
BOTH = ("Ann", "Bob")


# --- known answers: a recorded game must draw the same results on every box, for ever -------------


def test_the_commitment_and_its_code_are_the_hash_of_the_seeds_text() -> None:
    chance = Chance(SEED)
    assert chance.seed_commitment == hashlib.sha256(b"0" * 64).hexdigest()
    assert (
        chance.seed_commitment == "60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55"
    )
    assert chance.commitment_code == "C3G5QMDH"
    assert len(chance.commitment_code) == 8
    assert int.from_bytes(bytes.fromhex(chance.seed_commitment[:10])) == sum(
        CODE_ALPHABET.index(letter) << 5 * (7 - place)
        for place, letter in enumerate(chance.commitment_code)
    )


def test_known_rolls_of_each_player_are_rolled_again() -> None:
    chance = Chance(SEED, (1, 2))
    rolls = {
        who: [chance.drawn_answer_to_prompt(DICE._replace(who=who), n) for n in range(4)]
        for who in BOTH
    }
    assert rolls == {
        "Ann": [[3, 2], [6, 3], [2, 3], [6, 6]],
        "Bob": [[4, 1], [6, 6], [3, 2], [1, 2]],
    }


def test_a_known_shuffle_is_shuffled_again() -> None:
    assert Chance("seed", (7, 8, 9)).drawn_answer_to_prompt(Shuffle("shuffle", 12), 3) == [
        4,
        2,
        5,
        7,
        10,
        11,
        0,
        6,
        9,
        1,
        8,
        3,
    ]


# --- inputs that a draw depends on ----------------------------------------------------------------


def test_the_same_seed_presses_and_name_draw_the_same() -> None:
    assert Chance("a", (1,)).drawn_answer_to_prompt(DICE, 5) == Chance(
        "a", (1,)
    ).drawn_answer_to_prompt(DICE, 5)


@pytest.mark.parametrize(
    "other",
    [
        Chance("seed", (1, 3)),
        Chance("seed", (2, 1)),
        Chance("seed", (12,)),
        Chance("seed", ()),
        Chance("seed ", (1, 2)),
    ],
    ids=repr,
)
def test_another_seed_or_press_changes_the_draws(other: Chance) -> None:
    chance, shuffle = Chance("seed", (1, 2)), Shuffle("shuffle", 56)
    assert all(
        chance.drawn_answer_to_prompt(shuffle, n) != other.drawn_answer_to_prompt(shuffle, n)
        for n in range(20)
    )


OTHERS = (DICE._replace(who="Bob"), DICE._replace(who=None), DICE._replace(name="throw"))


@pytest.mark.parametrize("other", OTHERS, ids=repr)
def test_a_draw_of_another_name_is_another_draw(other: Roll) -> None:
    chance = Chance("seed")
    rolls = [
        [chance.drawn_answer_to_prompt(prompt, n) for n in range(20)] for prompt in (DICE, other)
    ]
    assert rolls[0] != rolls[1]
    assert len({tuple(map(tuple, each)) for each in rolls}) == 2


def test_no_players_name_makes_two_draws_the_same() -> None:
    chance, names = Chance("seed"), ("A", "A|1", "A|1|0", "", "|", "1|A")
    shuffles = [Shuffle("shuffle", 30, who) for who in names]
    draws = [
        chance.drawn_answer_to_prompt(shuffle, n) for shuffle in shuffles for n in (0, 1, 10, 11)
    ]
    assert len({*map(tuple, draws)}) == len(draws)


def test_each_draw_of_a_name_draws_anew() -> None:
    chance, shuffle = Chance("seed"), Shuffle("shuffle", 56)
    assert len({tuple(chance.drawn_answer_to_prompt(shuffle, n)) for n in range(200)}) == 200


def test_the_commitment_does_not_depend_on_the_presses() -> None:
    assert Chance("seed").commitment_code == Chance("seed", (1, 2)).commitment_code


def test_fresh_seeds_are_64_hexadecimal_digits_and_differ() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(seed) == 64 and int(seed, 16) >= 0 for seed in seeds)


@given(
    seed=st.text(max_size=20),
    presses=st.lists(st.integers(0, NUMBER_OF_32_BIT_VALUES)),
    n=st.integers(0, 9999),
)
def test_every_draw_is_an_answer_that_its_prompt_accepts(
    seed: str, presses: list[int], n: int
) -> None:
    chance = Chance(seed.encode("utf-8", "replace").decode(), tuple(presses))
    for prompt in (DIE, DICE, Shuffle("shuffle", 56), Shuffle("shuffle", 1), Shuffle("shuffle", 0)):
        assert is_legal_answer(prompt, chance.drawn_answer_to_prompt(prompt, n))


# --- fairness -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "n", [2, 3, 6, 7, 56, NUMBER_OF_32_BIT_VALUES - 1, (NUMBER_OF_32_BIT_VALUES >> 1) + 1]
)
def test_words_that_would_favour_low_numbers_are_dropped(n: int) -> None:
    limit = NUMBER_OF_32_BIT_VALUES - NUMBER_OF_32_BIT_VALUES % n
    assert _below(n, iter([limit - 1])) == n - 1
    if limit < NUMBER_OF_32_BIT_VALUES:
        assert _below(n, iter([limit, NUMBER_OF_32_BIT_VALUES - 1, limit, n - 1])) == n - 1


def test_each_remainder_has_equally_many_words() -> None:
    for n in range(1, 60):
        assert (NUMBER_OF_32_BIT_VALUES - NUMBER_OF_32_BIT_VALUES % n) % n == 0


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in counts) + expected * (
        cells - len(counts)
    )


SEEDS = [f"fixed seed {n}" for n in range(4)]
"""By chance, one test in 10,000 fails the limits below. These fixed seeds pass."""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_faces_of_a_die_come_equally_often(seed: str) -> None:
    faces: Counter[object] = Counter()
    for position in range(6_000):
        faces.update(Chance(seed).drawn_answer_to_prompt(DICE, position))
    assert chi_square(faces, 6) < 25.7


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_order_of_four_cards_comes_equally_often(seed: str) -> None:
    shuffle = Shuffle("shuffle", 4)
    orders: Counter[object] = Counter(
        tuple(Chance(seed).drawn_answer_to_prompt(shuffle, position)) for position in range(6_000)
    )
    assert set(orders) == set(permutations(range(4)))
    assert chi_square(orders, 24) < 57.0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_comes_to_every_place_equally_often(seed: str) -> None:
    shuffle = Shuffle("shuffle", 20)
    places: Counter[object] = Counter()
    for position in range(1_500):
        places.update(enumerate(Chance(seed).drawn_answer_to_prompt(shuffle, position)))
    assert chi_square(places, 400) < 475


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_roll_says_nothing_of_the_next(seed: str) -> None:
    rolls = [Chance(seed).drawn_answer_to_prompt(DIE, position)[0] for position in range(6_000)]
    pairs: Counter[object] = Counter(pairwise(rolls))
    assert chi_square(pairs, 36) < 75


@pytest.mark.parametrize("sides", [2, 4, 10, 20, 100])
def test_dice_of_other_sides_show_each_of_their_faces_and_no_other(sides: int) -> None:
    roll = Roll("roll", "Ann", dice=20, sides=sides)
    drawn = [Chance("5eed").drawn_answer_to_prompt(roll, n) for n in range(sides)]
    assert all(is_legal_answer(roll, faces) for faces in drawn)
    assert {face for faces in drawn for face in faces} == {*range(1, sides + 1)}
    assert not is_legal_answer(roll, [sides + 1] * 20)
