"""The turns of which the log tells, and how much of them one message holds."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

BLOCKS = 4000           # characters of a message that shows blocks, all in all
TURNS = 10              # turns in it: each is a block
STRUCK = len("~~~~\n")  # characters that a line takes besides its own, once it is struck out
HEAD = 70               # characters that the head of a turn takes besides its own: a sign is one


class Turn(NamedTuple):
    """So many lines that tell of one turn, or of what is nobody's."""

    owner: str              # the id by which whoever's turn it is is called; ""
    head: str               # whose it is, and when that is: "France · War 1, round 2 of 6"; ""
    lines: int


def all_turns(turns: Sequence[Turn] | None, lines: Sequence[str]) -> list[Turn]:
    """The turns of these lines; of none, if they were told before there were turns."""
    return [Turn("", "", len(lines))] if turns is None else [*turns]


def in_turns(turns: Iterable[Turn]) -> list[Turn]:
    """Turns with those in a row told as one that are the same."""
    told = list[Turn]()
    for turn in turns:
        if told and told[-1][:2] == turn[:2]:
            told[-1] = told[-1]._replace(lines=told[-1].lines + turn.lines)
        else:
            told.append(turn)
    return told


def fits(lines: Sequence[str], turns: Sequence[Turn]) -> bool:
    """True if that is one message, also when every line in it is struck out."""
    heads = sum(len(turn.head) + HEAD for turn in turns)
    return len(turns) <= TURNS and heads + sum(len(line) + STRUCK for line in lines) <= BLOCKS
