"""The process in which automatic players think: `python -m bot.player_process` reads questions from its input, and writes
answers.

It knows nothing of the bot: neither its database nor Discord. Each message is its length in eight bytes, and what `pickle` makes
of it.
"""
from __future__ import annotations

import os
import pickle
import sys
import time
from collections.abc import Callable
from typing import Any, BinaryIO

from engine.players.tasks import answered

LENGTH = 8              # bytes
BUDGET = 1.8            # seconds of a core for looking ahead
POLITE = 10             # by how much the process steps back behind the bot


def packed(content: Any) -> bytes:
    body = pickle.dumps(content)
    return len(body).to_bytes(LENGTH, "big") + body


def deadline(seconds: float) -> Callable[[], bool]:
    """Return what says whether this process has worked for so long since now."""
    end = time.process_time() + seconds
    return lambda: time.process_time() > end


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until no more questions come. What a player raises is told by the name of its kind alone."""
    answers.write(packed("ready"))
    answers.flush()
    while len(length := questions.read(LENGTH)) == LENGTH:
        task = pickle.loads(questions.read(int.from_bytes(length, "big")))          # written by the bot itself
        try:
            told: Any = answered(task)
        except Exception as why:
            told = type(why).__name__
        answers.write(packed(told))
        answers.flush()


if __name__ == "__main__":
    os.nice(POLITE)
    serve(sys.stdin.buffer, sys.stdout.buffer)
