"""Letters on their way to Discord."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from bot.core.incidents import operation
from bot.core.mailbox import LETTERS, Note
from bot.core.service import Service
from bot.domain.announcements import notice
from bot.domain.letters import GM, Notice
from bot.domain.timestamps import timestamp
from bot.service.undo import STRUCK
from bot.store import Ledger, OutboxRow
from engine.text import text

ATTEMPTS = 8                    # to send one letter
SENT_KEPT = timedelta(days=1)        # letters that were sent: Discord's word on each has come long before


class Outbox(Service):
    _pruned = 0                 # the last letter that was looked at for being needed no more

    async def pending(self, limit: int = 20) -> list[OutboxRow]:
        """Letters to send: those of one game in their order, the oldest of each game first."""
        return await self.store.read(lambda ledger: ledger.outbox.pending(limit))

    async def pending_of(self, game: int, *, after: int = 0) -> list[OutboxRow]:
        """Letters of one game to send, oldest first, after a letter."""
        return await self.store.read(lambda ledger: ledger.outbox.pending_of(game, LETTERS, after))

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
    async def note(self, game: int, notes: Sequence[Note]) -> None:
        """What has become of letters of a game, in its order."""
        at = self.session.time()

        def mark(ledger: Ledger) -> None:
            for what, message in notes:
                if isinstance(what, int):
                    ledger.outbox.mark_sent(what, message, at)
                elif message is not None:
                    ledger.outbox.keep_message(game, what, message)
                else:
                    ledger.outbox.forget_message(game, what)

        await self.store.write(mark, delivers=True)

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
                    ledger.outbox.add_letters(letter.game, letter.no, [notice(news, audience=GM)], at)
            return lost

        return await self.store.write(fail)

    @operation
    async def prune(self) -> None:
        """Look at some more letters, and forget those that were sent a while ago and that nobody needs any more."""
        before = timestamp(self.session.now() - SENT_KEPT)
        self._pruned = await self.store.write(lambda ledger: ledger.outbox.prune(self._pruned, before, STRUCK))

    async def messages(self, game: int) -> dict[str, int]:
        """The messages that may have to be found again, by key: the last "question:seat_1", the standing "private:seat_1"."""
        return await self.store.read(lambda ledger: ledger.outbox.messages(game))

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
