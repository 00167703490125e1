"""What cards and tiles do, above choices of several of them together: beside each choice there is no room for it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.discord.lengths import capital
from engine.kernel import Action
from engine.text import Reader

ROOM = 900                      # characters: with the question, a briefing and a tip they find room in one message


def effects_of_several(options: Sequence[Action], effect: Callable[[Any], str], reader: Reader) -> list[str]:
    """A line for each single thing among those that answers of one kind name together, as far as it has an effect.

    Only what these answers name is told. Nothing is told if there is not room for all.
    """
    told = []
    for name in type(options[0]).model_fields:
        values = [getattr(option, name) for option in options]
        among = dict.fromkeys(id for value in values if isinstance(value, tuple) for id in value if isinstance(id, str))
        told += [f"-# {capital(reader.name(id))}: {words}" for id in among if (words := effect(id))]
    return told if sum(len(line) + 1 for line in told) <= ROOM else []
