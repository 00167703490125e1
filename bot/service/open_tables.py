"""Open games that nobody joins: their channel is reminded of them, then their host decides, and in the end they are closed."""
from __future__ import annotations

from bot.domain.absence import CLOSED, REMINDED, Step, step
from bot.domain.announcements import notice
from bot.domain.letters import GM, QuietTable, StillOpen
from bot.domain.waking_hours import Hours
from bot.service.requirements import require
from bot.service.service import Service
from bot.store import Ledger
from engine.text import English, text


class OpenTables(Service):
    """Open games that nobody joins."""

    async def look_after_open_games(self, channel: int) -> None:
        """Do what is due for open games of a channel in which nothing has happened for days; one message for all of them."""
        now, at = self.session.now(), self.session.time()

        def steps(ledger: Ledger) -> list[tuple[int, Step | None]]:
            presence = ledger.presence(now)
            return [(table.game, step(table, presence, ledger.member(table.host).hours or Hours()))
                    for table in ledger.open_games(presence.ago(REMINDED[0]), channel)]

        def tell(ledger: Ledger) -> None:
            due = steps(ledger)
            for game in (asked := [game for game, what in due if what == "ask"]):
                ledger.add_letters(game, 0, [QuietTable()], at)
            if reminded := [game for game, what in due if what == "remind"]:
                ledger.add_letters(reminded[0], 0, [StillOpen(channel=channel, games=reminded)], at)
            for game in (*asked, *reminded):
                ledger.told_still_open(game, at)

        due = await self.store.read(steps)
        if {"ask", "remind"} & {what for _, what in due}:
            await self.store.write(tell)
        for game in [game for game, what in due if what == "close"]:
            async with self.apart(game, "open_games"):
                stored = await self.session.stored(game)
                if (game, "close") in await self.store.read(steps):
                    news = text("nothing has happened in this open game for {weeks} weeks, so it's closed. `/game open` opens "
                                "another one.", weeks=CLOSED.days // 7)
                    await self.session.declare(stored, "closed", notice(news, English(), GM), None,
                                               "closed the game, as nobody had joined for weeks")

    async def keep_open(self, game: int, by: int) -> None:
        """Keep an open game, for as long again."""
        async with self.session.locked(game):
            require((await self.session.stored(game)).row, ("open",))
            at = self.session.time()
            await self.store.write(lambda ledger: ledger.note(game, by, "keeps the game open", at))
