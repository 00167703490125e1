"""What the game master may see of the seats' secrets, where the group has said so when it opened the game (P-29)."""
from __future__ import annotations

from collections.abc import Sequence

from bot.core.incidents import operation
from bot.core.service import Service
from bot.domain.announcements import member, notice
from bot.domain.insights import may_be_shown, plays
from bot.store import Ledger
from engine.refusals import Refusal
from engine.text import Text, text


class Secrets(Service):
    """Secrets of the seats, for the game master alone."""

    @operation
    async def secrets(self, game: int, by: int) -> Sequence[Text]:
        """The secrets of all seats as they stand; everybody is told that somebody has looked at them.

        Raises Refusal: the group has not said so, the game is not under way, or whoever wants to look plays a seat, or has.
        """
        async with self.session.locked(game):
            stored = await self.session.played(game)
            table, at = (await self.session.loaded(game)).table, self.session.time()
            told = table.spec.views.secrets(table.state)
            if told is None:
                raise Refusal("In this game the game master can't see the players' secrets either. That can only be changed "
                              "before anybody joins.")
            seats, news = [holder.seat for holder in stored.holders], notice(text(
                "Game master {master} looked at the secrets of all seats.", master=member(by)))

            def look(ledger: Ledger) -> None:
                circle = ledger.insights.circle(game)
                if plays(circle, by) or not all(may_be_shown(circle, seat, by) for seat in seats):
                    raise Refusal("Players and former players don't see other seats' secrets, nor does a game master whom one "
                                  "of them named while the game was running (P-29). A neutral game master can look.")
                for seat in seats:
                    ledger.insights.agreed(game, seat, by, held=False)       # by the option with which the game was opened
                ledger.audit.note(game, by, "looked at the secrets of all seats", at)
                ledger.outbox.add_letters(game, ledger.log.newest(game), [news], at)

            await self.store.write(look)
            return told
