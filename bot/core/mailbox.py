"""What waits in a game's outbox, and the messages that its letters have become."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.domain.letters import ELSEWHERE, PUBLIC, Log, Picture, Question, TalkMessage, read
from bot.domain.turns import Turn, all_turns, in_turns
from bot.store import Ledger, OutboxRow
from bot.store.outbox import turns_of
from engine.kernel import Seat

LETTERS = 100                   # read at once, the oldest

Note: TypeAlias = tuple[int | str, int | None]          # a letter and the message that it has become, or a key and its message


@dataclass(frozen=True)
class LogMessage:
    """A message of a game's log."""

    number: int
    lines: Sequence[str]                            # nothing in it is struck out, or a notice of that comes after it
    turns: Sequence[Turn]                           # of which they tell
    pictured: bool = False                          # it carries the pictures of what it tells, and is complete


@dataclass(slots=True)
class Mailbox:
    """What becomes of letters while they are sent is known here at once; `notes` are what the file doesn't know yet."""

    pending: list[OutboxRow]                        # not yet sent, the oldest first, as many as are read at once
    messages: dict[str, int]                        # the message that stands for a key, such as "question:seat_1"
    newest_post: int                                # the newest of these messages in the game's channel; 0: there is none
    last_log: LogMessage | None                     # the newest message of the game's log
    questions: Mapping[Seat, tuple[int, int]]       # the message of each seat's last question, and the row that led to that
    whole: bool                                     # nothing else waits
    notes: list[Note] = field(default_factory=list)

    def became(self, letter: OutboxRow, message: int | None) -> None:
        """A letter has become a message, or an end of it, or nothing; see `OutboxStatements.mark_sent`."""
        self.notes.append((letter.id, message))
        self.pending = [other for other in self.pending if other.id != letter.id]
        if message is None:
            return
        self.messages = {key: number for key, number in self.messages.items() if number != message}
        if letter.key is not None:
            self.messages[letter.key] = message
        if in_channel(letter):
            self.newest_post = max(self.newest_post, message)
        told = read(letter.kind, letter.audience, letter.payload)
        if isinstance(told, Log):
            self._logged(told, message)
        elif isinstance(told, Picture) and self.last_log is not None and self.last_log.number == message:
            self.last_log = replace(self.last_log, pictured=True)
        elif isinstance(told, Question):
            self.questions = {seat: last for seat, last in self.questions.items() if last[0] != message} | {
                told.seat: (message, told.asked_at)}

    def _logged(self, letter: Log, message: int) -> None:
        before, turns = self.last_log, all_turns(letter.turns, letter.lines)
        if before is None or before.number != message:
            self.last_log = LogMessage(message, letter.lines, in_turns(turns))
        else:
            self.last_log = replace(before, lines=[*before.lines, *letter.lines], turns=in_turns([*before.turns, *turns]))

    def keep(self, key: str, message: int) -> None:
        """The message of a key is another one now."""
        self.messages[key] = message
        self.notes.append((key, message))

    def forget(self, key: str) -> None:
        """The message of a key is gone, or has said all that it will ever say."""
        self.messages.pop(key, None)
        self.notes.append((key, None))


def in_channel(letter: OutboxRow) -> bool:
    """True if a letter goes to its game's channel: talk between two seats does not."""
    return letter.kind not in ELSEWHERE and (letter.kind != TalkMessage.kind or letter.audience == PUBLIC)


def read_mail(ledger: Ledger, game: int) -> Mailbox:
    outbox, pending = ledger.outbox, ledger.outbox.pending_of(game, LETTERS, 0)
    return Mailbox(pending, outbox.messages(game), outbox.newest_post(game), _last_log(ledger, game), outbox.last_questions(game),
                   whole=len(pending) < LETTERS)


def _last_log(ledger: Ledger, game: int) -> LogMessage | None:
    told = ledger.outbox.log_message(game)
    if not told or (number := told[0].message) is None:
        return None
    return LogMessage(number, [line for one in told for line in one.lines], turns_of(told),
                      ledger.outbox.pictured(game, number, told[0].letter))
