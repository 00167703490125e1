"""Letters on their way to Discord."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.core.incidents import operation
from bot.core.service import Service
from bot.domain.announcements import notice
from bot.domain.letters import ELSEWHERE, GM, Notice
from bot.domain.timestamps import timestamp
from bot.domain.turns import Turn
from bot.service.undo import STRUCK
from bot.store import Ledger, OutboxRow
from bot.store.outbox import turns_of
from engine.kernel import Seat
from engine.text import English, text

ATTEMPTS = 8                    # to send one letter
SENT_KEPT = timedelta(days=1)        # letters that were sent: Discord's word on each has come long before


@dataclass(frozen=True)
class LogMessage:
    """A message of a game's log."""

    number: int
    lines: Sequence[str]                            # nothing in it is struck out, or a notice of that comes after it
    turns: Sequence[Turn]                           # of which they tell
    pictured: bool                                  # it carries the pictures of what it tells, and is complete
    questions: Mapping[Seat, tuple[int, int]]       # seat -> the message of its last question, and the row that led to that


class Outbox(Service):
    """Letters on their way to Discord."""

    _pruned = 0                 # the last letter that was looked at for being needed no more

    async def pending(self, limit: int = 20) -> list[OutboxRow]:
        """Letters to send: those of one game in their order, the oldest of each game first."""
        return await self.store.read(lambda ledger: ledger.outbox.pending(limit))

    async def pending_of(self, game: int, limit: int, *, after: int = 0) -> list[OutboxRow]:
        """The letters of one game to send, oldest first, after a letter."""
        mail = self.session.mail(game) if not after else None
        if mail is not None and mail.pending is not None:
            return list(mail.pending[:limit])
        return await self.store.read(lambda ledger: ledger.outbox.pending_of(game, limit, after))

    async def direct_channel(self, bot: int, user: int) -> int | None:
        """Where direct messages of this bot to a member go, if they have been opened."""
        return await self.store.read(lambda ledger: ledger.outbox.direct_channel(bot, user))

    @operation
    async def direct_opened(self, bot: int, user: int, channel: int) -> None:
        """Direct messages of this bot to a member go there from now on; of one who has been forgotten that is not noted."""
        if user in self.session.forgotten:
            return
        await self.store.write(lambda ledger: ledger.outbox.direct_opened(bot, user, channel))

    async def addressed(self) -> dict[int, int]:
        """The games that have letters to send, and the newest of these."""
        return await self.store.read(lambda ledger: ledger.outbox.addressed())

    @operation
    async def sent(self, id: int, message: int | None, *others: int) -> None:
        """A letter has become this message, together with others (None: there was nothing to post)."""
        at = self.session.time()

        def mark(ledger: Ledger) -> None:
            for letter in (id, *others):
                ledger.outbox.mark_sent(letter, message, at)

        await self.session.deliver(id, mark)

    @operation
    async def failed(self, id: int, why: str, *, give_up: bool = False) -> bool:
        """A letter could not be sent; True if it is not tried again, after many attempts or because that is hopeless.

        `why` goes to the audit, so it must hold nothing of the letter's content.
        """
        at = self.session.time()

        def fail(ledger: Ledger) -> bool:
            letter = ledger.outbox.letter(id)
            lost = give_up or letter.attempts + 1 >= ATTEMPTS
            ledger.outbox.mark_failed(id, why, at if lost else None)
            if lost:
                ledger.audit.note(letter.game, None, f"could not deliver a {letter.kind} for {letter.audience}: {why}", at)
                if letter.kind != Notice.kind:
                    news = text("I couldn't deliver a message of this game. `/gm audit` says which and why.")
                    ledger.outbox.add_letters(letter.game, letter.no, [notice(news, English(), GM)], at)
            return lost

        return await self.store.write(fail)

    @operation
    async def prune(self) -> None:
        """Look at some more letters, and forget those that were sent a while ago and that nobody needs any more."""
        before = timestamp(self.session.now() - SENT_KEPT)
        self._pruned = await self.store.write(lambda ledger: ledger.outbox.prune(self._pruned, before, STRUCK))

    async def messages(self, game: int) -> dict[str, int]:
        """The messages that may have to be found again, by key: the last "question:seat_1", the standing "private:seat_1"."""
        mail = self.session.mail(game)
        if mail is not None:
            return dict(mail.messages)
        return await self.store.read(lambda ledger: ledger.outbox.messages(game))

    async def last_log(self, game: int) -> LogMessage | None:
        """The newest message of a game's log, with all that it says, and the messages of the last questions."""
        def read(ledger: Ledger) -> LogMessage | None:
            told = ledger.outbox.log_message(game)
            if not told or (number := told[0].message) is None:
                return None
            return LogMessage(number, [line for one in told for line in one.lines], turns_of(told),
                              ledger.outbox.pictured(game, number, told[0].letter), ledger.outbox.last_questions(game))

        return await self.store.read(read)

    async def newest_post(self, game: int) -> int | None:
        """The newest message in a game's channel among those that its letters have become."""
        mail = self.session.mail(game)
        if mail is not None:
            return mail.newest_post
        return await self.store.read(lambda ledger: ledger.outbox.newest_post(game, ELSEWHERE))

    @operation
    async def keep_message(self, game: int, key: str, message: int) -> None:
        """The message of a key is another one now."""
        await self.store.write(lambda ledger: ledger.outbox.keep_message(game, key, message), delivers=True)

    @operation
    async def forget_message(self, game: int, key: str) -> None:
        """The message of a key is gone, or said all that it will ever say."""
        await self.store.write(lambda ledger: ledger.outbox.forget_message(game, key), delivers=True)

    async def lately_told(self, letters: int) -> set[int]:
        """The games of the newest letters, sent or not."""
        return await self.store.read(lambda ledger: ledger.outbox.lately_told(letters))

    async def waiting_since(self, game: int) -> str | None:
        """When the oldest unsent letter of a game was written; None: nobody knows."""
        return await self.store.read(lambda ledger: ledger.outbox.waiting_since(game))

    async def known_messages(self, among: Iterable[int]) -> set[int]:
        return await self.store.read(lambda ledger: ledger.outbox.known_messages(among))

    def fresh(self, letter: OutboxRow) -> bool:
        """True if a letter was written since this process has opened the file."""
        return letter.nonce.startswith(self.store.origin)
