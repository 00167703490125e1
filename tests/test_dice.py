"""Throws: the same for the same label, fair, in range, and fixed by the secret whose hash is published."""
from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from engine.dice import LoadedDice, SecretDice, commitment

SECRET = "5e" * 32


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


def test_dice_are_fair():
    dice = SecretDice(SECRET)
    shown = Counter(value for throw in range(3000) for value in dice(0, throw, (6, 6)))
    assert set(shown) == {1, 2, 3, 4, 5, 6}
    assert sum((number - 1000) ** 2 / 1000 for number in shown.values()) < 20.5         # chi-squared, 5 degrees, 1 in 1000


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
