"""Private notes: steps of games that members mark for themselves, with what they note there. Nobody else learns of them."""
from __future__ import annotations

from bot.core.incidents import operation
from bot.core.requirements import require_row
from bot.core.service import Service
from bot.store import Ledger
from bot.store.bookmarks import Bookmark
from engine.outside import one_line
from engine.refusals import Refusal

LONGEST = 300                   # characters of a note
MOST = 200                      # notes of one member


class Bookmarks(Service):
    """Private notes on steps of games."""

    async def bookmarks(self, user: int) -> list[Bookmark]:
        """Return what a member has marked, the newest game first, and of each game the steps in their order."""
        return await self.store.read(lambda ledger: ledger.bookmarks.bookmarks(user))

    async def bookmark(self, game: int, user: int, row: int) -> str | None:
        """Return what a member has noted at a step; None: the member has not marked it."""
        return await self.store.read(lambda ledger: ledger.bookmarks.bookmark(game, user, row))

    @operation
    async def set_bookmark(self, game: int, user: int, row: int, words: str) -> None:
        """Mark a step of a game, with a note or without. Raises Refusal: there is no such step, or there are too many notes."""
        at = self.session.time()

        def mark(ledger: Ledger) -> None:
            public = ledger.log.public_newest(game)
            require_row([old for old in ledger.log.outline(game) if old.no <= public], row)
            if ledger.bookmarks.bookmark(game, user, row) is None and len(ledger.bookmarks.bookmarks(user)) >= MOST:
                raise Refusal("You have {most} notes. Remove one first: `/my notes`.", most=MOST)
            ledger.bookmarks.set_bookmark(game, user, row, one_line(words)[:LONGEST].rstrip(), at)

        await self.store.write(mark)

    @operation
    async def drop_bookmark(self, game: int, user: int, row: int) -> None:
        await self.store.write(lambda ledger: ledger.bookmarks.drop_bookmark(game, user, row))
