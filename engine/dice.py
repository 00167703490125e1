"""Rolls from a game's secret: nobody can predict them, and a return to an earlier row brings the same rolls.

A roll has a number, counted from 0 along the rows in force. In games that roll by decision it also has a purpose: what it is
rolled for, as the rules name it. So after a return the same decision brings the same dice, and another decision other dice. What
does not change what is at stake is no part of the purpose, so nobody gets other dice by it.
"""
from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import TypeAlias

Dice: TypeAlias = Callable[[int, int, "tuple[int, ...]", str], "tuple[int, ...]"]
"""(epoch, number of the roll, sides of each die, purpose) to the values, each from 1 to its sides."""

WORD = 8          # bytes; 2**64 is far above any number of sides, so a rejected word is very rare


class SecretDice:
    """HMAC-SHA256 of the roll's label, keyed by the game's secret, mapped to sides without bias.

    The label is "epoch.throw.block", and by decision "epoch.throw.block.purpose". The hash of the secret is published when the
    game starts, the secret when it ends, so that everybody can repeat every roll. A word that would favour low values is passed
    over.
    """

    def __init__(self, secret: str, *, by_decision: bool = False) -> None:
        self._key, self._by_decision = bytes.fromhex(secret), by_decision
        self.commitment = commitment(secret)

    def __call__(self, epoch: int, throw: int, sides: tuple[int, ...], purpose: str = "") -> tuple[int, ...]:
        values: list[int] = []
        block, why = 0, f".{purpose}" if self._by_decision else ""
        while True:
            digest = hmac.digest(self._key, f"{epoch}.{throw}.{block}{why}".encode(), "sha256")
            for start in range(0, len(digest), WORD):
                word, side = int.from_bytes(digest[start:start + WORD], "big"), sides[len(values)]
                if word < (1 << 8 * WORD) // side * side:
                    values.append(word % side + 1)
                    if len(values) == len(sides):
                        return tuple(values)
            block += 1


def commitment(secret: str) -> str:
    """Return what is published at the start: the SHA-256 of the secret's bytes, in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


class LoadedDice:
    """Rolls given beforehand, for tests and worked examples; rolls sixes never asked for remain."""

    def __init__(self, *rolls: tuple[int, ...]) -> None:
        self.rolls = list(rolls)

    def __call__(self, epoch: int, throw: int, sides: tuple[int, ...], purpose: str = "") -> tuple[int, ...]:
        assert self.rolls, f"no throw is left for {len(sides)} dice"
        values = self.rolls.pop(0)
        assert len(values) == len(sides) and all(1 <= v <= s for v, s in zip(values, sides)), f"{values} for dice of {sides}"
        return values
