"""Which letters of a game come one after the other: a letter that fails holds up those of its own thread alone."""
from __future__ import annotations

from bot.core.mailbox import in_channel
from bot.domain import letters
from bot.store import OutboxRow

ALL = "all"                     # the thread of everything that a game has to say
CHANNEL = "channel"             # of everything that goes to its channel


def _kinds(*classes: type[letters.Letter]) -> tuple[str, ...]:
    return tuple(one.kind for one in classes)


NEWS = _kinds(letters.Log, letters.Notice, letters.Final)               # told in their order
SECRETS = _kinds(letters.Private, letters.Farewell)                     # one direct message, written and emptied


def thread(letter: OutboxRow) -> str:
    """The thread of a letter: what tells of the same, or tells the same person, keeps its order."""
    if letter.kind in NEWS:
        return f"{NEWS[0]}/{letter.audience}"
    if letter.kind in SECRETS:
        return f"{SECRETS[0]}/{letter.audience}"
    return f"{letter.kind}/{letter.key or letter.payload.get('user') or letter.audience}"


def threads(letter: OutboxRow) -> tuple[str, ...]:
    return (ALL, CHANNEL, thread(letter)) if in_channel(letter) else (ALL, thread(letter))
