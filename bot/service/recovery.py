"""Games that come back from a copy of the file."""
from __future__ import annotations

from bot.core.incidents import operation
from bot.core.row_sentences import MODERATOR, place
from bot.core.service import Service
from bot.core.session import Session
from bot.service.undo import Undo
from engine.kernel import Row
from engine.text import text
from engine.undo import REWIND, Rewind

OPENED = 1_000          # games that may have been opened after the copy was made
LOST = 5_000            # rows that a game may have had after the copy was made: more than any game has


class Recovery(Service):
    def __init__(self, session: Session, undo: Undo) -> None:
        super().__init__(session)
        self.undo = undo

    @operation
    async def pass_over(self) -> None:
        """Open no game under a number that one may have had that was opened after the copy was made."""
        await self.store.write(lambda ledger: ledger.numbers.pass_over(OPENED))

    @operation
    async def restored(self, game: int) -> None:
        """Go on from where a copy of the file has a game.

        The rows that came after the copy are gone, and Discord still shows their messages. So their numbers are passed over, as
        those of rows that were taken back: an old button can never be taken for one of the rows to come.

        Raises Refusal: the game has not started, has ended, or does not replay.
        """
        async with self.session.locked(game):
            stored = await self.session.played(game)
            rows = await self.store.read(lambda ledger: ledger.log.outline(game))
            newest = rows[-1].no if rows else 0
            turning = Row(newest + LOST, MODERATOR, MODERATOR, REWIND, Rewind(to=newest, kind="rollback").model_dump_json())
            news = text("This game was restored from a copy and is back at {place}. Anything posted here later no longer counts.",
                        place=place(newest))
            at = self.session.time()
            await self.undo.turn_to(stored, rows, turning, news=news, picture=True, also=lambda ledger: ledger.audit.note(
                game, None, f"came back from a copy of the database, after step {newest}", at))
