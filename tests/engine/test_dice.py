"""Throws: the same for the same label, fair, in range, and fixed by the secret whose hash is published."""
from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine.dice import LoadedDice, SecretDice, commitment

SECRET = "5e" * 32
THROWS = 200_000

# What fair dice exceed once in a thousand times: chi-squared from the NIST/SEMATECH e-Handbook of Statistical Methods, table
# 1.3.6.7.4, upper tail 0.001; a serial correlation times the root of the number of pairs is normal: 3.29 on both sides.
CHI_SQUARED = {1: 10.828, 5: 20.515, 9: 27.877, 35: 66.619}
FIVE_PERCENT = {35: 49.802}         # the same, upper tail 0.05
NORMAL = 3.29


def test_the_same_label_brings_the_same_throw_whatever_was_asked_before():
    dice = SecretDice(SECRET)
    first = dice(0, 7, (6, 6))
    for throw in range(20):
        dice(1, throw, (6,))
    assert dice(0, 7, (6, 6)) == first == SecretDice(SECRET)(0, 7, (6, 6))


def test_epoch_number_and_secret_each_make_another_throw():
    sides = (1000,) * 4
    throws = {SecretDice(secret)(epoch, throw, sides) for secret in (SECRET, "5f" * 32) for epoch in (0, 1) for throw in (0, 1)}
    assert len(throws) == 8


def test_a_throw_can_be_repeated_by_anybody_with_the_secret():
    """The rule in plain words: HMAC-SHA256 of "epoch.throw.block", read in words of eight bytes, remainder plus one."""
    digest = hmac.digest(bytes.fromhex(SECRET), b"2.31.0", "sha256")
    words = [int.from_bytes(digest[start:start + 8], "big") for start in range(0, 32, 8)]
    assert SecretDice(SECRET)(2, 31, (6, 6, 10)) == (words[0] % 6 + 1, words[1] % 6 + 1, words[2] % 10 + 1)


def test_the_commitment_is_the_hash_of_the_secrets_bytes():
    assert commitment(SECRET) == SecretDice(SECRET).commitment == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()


@pytest.mark.parametrize("sides", [(6,), (6, 6, 6, 6), (1,), tuple(range(65, 55, -1)), (2,) * 40])
def test_every_die_shows_1_to_its_sides(sides):
    dice = SecretDice(SECRET)
    for throw in range(50):
        values = dice(0, throw, sides)
        assert len(values) == len(sides) and all(1 <= value <= most for value, most in zip(values, sides))


def test_a_word_that_would_favour_low_values_is_passed_over():
    sides = (1 << 63) + 1                       # about every second word lies in the part that is not whole
    dice = SecretDice(SECRET)
    plain = []
    for throw in range(40):
        digest = hmac.digest(bytes.fromhex(SECRET), f"0.{throw}.0".encode(), "sha256")
        word = int.from_bytes(digest[:8], "big")
        (value,) = dice(0, throw, (sides,))
        plain.append(word < sides)
        assert (value == word + 1) == (word < sides)
    assert True in plain and False in plain


def test_loaded_dice_show_what_they_were_given_and_nothing_else():
    dice = LoadedDice((1, 2), (3,))
    assert dice(0, 0, (6, 6)) == (1, 2)
    with pytest.raises(AssertionError, match="for dice of"):
        dice(0, 1, (6, 6))
    with pytest.raises(AssertionError, match="no throw is left"):
        dice(0, 2, (6,))


def test_a_secret_is_hexadecimal():
    with pytest.raises(ValueError, match="hex"):
        SecretDice("no secret")


# --- fair dice ----------------------------------------------------------------------------------------

def chi_squared(shown: Counter[Any], outcomes: int) -> float:
    """How far numbers of outcomes that should be equally frequent are from being so."""
    expected = shown.total() / outcomes
    return sum((number - expected) ** 2 for number in shown.values()) / expected + (outcomes - len(shown)) * expected


def apart(values: Sequence[int], lag: int) -> Counter[tuple[int, int]]:
    """How often which value comes so many places after which, counted in pairs that do not overlap."""
    width = 2 * lag
    return Counter(pair for place in range(lag) for pair in zip(values[place::width], values[place + lag::width]))


def correlation(pairs: Counter[tuple[int, int]]) -> float:
    """The serial correlation of counted pairs, in standard deviations of fair dice."""
    n = pairs.total()
    mean = [sum(pair[side] * number for pair, number in pairs.items()) / n for side in (0, 1)]
    both = sum((a - mean[0]) * (b - mean[1]) * number for (a, b), number in pairs.items())
    spread = [sum((pair[side] - mean[side]) ** 2 * number for pair, number in pairs.items()) for side in (0, 1)]
    return both / (spread[0] * spread[1]) ** 0.5 * n ** 0.5


def flaws(values: Sequence[int]) -> list[str]:
    """The tests that a series of dice with 6 sides fails: frequencies, pairs of neighbours and of dice further apart."""
    found = ["frequencies"] if chi_squared(Counter(values), 6) > CHI_SQUARED[5] else []
    for lag in (1, 2, 4):
        pairs = apart(values, lag)
        found += [f"pairs {lag} apart"] if chi_squared(pairs, 36) > CHI_SQUARED[35] else []
        found += [f"correlation {lag} apart"] if abs(correlation(pairs)) > NORMAL else []
    return found


def test_many_throws_are_fair_and_have_no_memory():
    dice = SecretDice(SECRET)
    assert flaws([dice(0, throw, (6,))[0] for throw in range(THROWS)]) == []


def test_the_dice_of_one_throw_know_nothing_of_each_other_whatever_the_secret():
    """Of a hundred secrets about five exceed what five of a hundred exceed; fourteen do once in five thousand times."""
    found: list[float] = []
    for number in range(100):
        dice = SecretDice(f"{number:064x}")
        pairs = Counter(pair for throw in range(1_000) for pair in [dice(0, throw, (6, 6, 6, 6))[1:3]])
        found.append(chi_squared(pairs, 36))
    assert sum(value > FIVE_PERCENT[35] for value in found) < 14
    assert 33 < sum(found) / len(found) < 37, "the mean is the degrees of freedom, 35, give or take 3 deviations of 0.84"


def test_throws_of_the_same_number_in_other_epochs_and_of_other_secrets_are_other_throws():
    one, other = SecretDice("01" * 32), SecretDice("02" * 32)
    thrown = 30_000
    for a, b in (((one, 0), (one, 1)), ((one, 1), (one, 11)), ((one, 0), (other, 0))):
        pairs = Counter((a[0](a[1], throw, (6,))[0], b[0](b[1], throw, (6,))[0]) for throw in range(thrown))
        assert chi_squared(pairs, 36) < CHI_SQUARED[35] and abs(correlation(pairs)) < NORMAL


@pytest.mark.parametrize("sides", [2, 10])
def test_other_numbers_of_sides_are_as_fair(sides):
    dice = SecretDice("3d" * 32)
    shown = Counter(value for throw in range(40_000) for value in dice(0, throw, (sides,) * 4))
    assert chi_squared(shown, sides) < CHI_SQUARED[sides - 1]


def test_draws_from_a_bag_that_gets_emptier_favour_no_place():
    """Neutral markers are drawn as dice with one side less each; the first has 60 sides here, the last 50."""
    dice = SecretDice("44" * 32)
    shown = Counter((dice(0, throw, tuple(range(60, 49, -1)))[place] - 1) * 10 // (60 - place)
                    for throw in range(10_000) for place in (0, 10))
    assert chi_squared(shown, 10) < CHI_SQUARED[9]


def of_bytes(secret: bytes) -> Callable[[int], int]:
    """Dice as they are often made: a byte's remainder, which favours 1 to 4."""
    return lambda throw: hashlib.sha256(secret + str(throw).encode()).digest()[0] % 6 + 1


def congruential() -> Callable[[int], int]:
    """The low bits of a linear congruential generator: they take turns."""
    state = 1

    def throw(_: int) -> int:
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return state % 6 + 1
    return throw


def sticky(secret: bytes) -> Callable[[int], int]:
    """Dice with a memory: now and then the last throw comes again."""
    fair, last = SecretDice(secret.hex()), 1

    def throw(number: int) -> int:
        nonlocal last
        value, again = fair(0, number, (6, 50))
        last = last if again == 1 else value
        return last
    return throw


@pytest.mark.parametrize("made", [of_bytes(b"x"), congruential(), sticky(b"y" * 32), lambda throw: throw % 6 + 1,
                                  lambda throw: (throw // 4) % 6 + 1],
                         ids=["a byte's remainder", "congruential", "sticky", "in turn", "four times in turn"])
def test_the_tests_of_fairness_find_bad_dice(made):
    assert flaws([made(throw) for throw in range(120_000)])
