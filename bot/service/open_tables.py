"""Open games that nobody joins: their channel is reminded of them, then their host decides, and in the end they are closed."""
from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Literal

from bot.domain.announcements import notice
from bot.domain.letters import GM, QuietTable, StillOpen
from bot.domain.presence import Presence
from bot.domain.timestamps import timestamp
from bot.domain.waking_hours import Hours
from bot.service.requirements import require
from bot.service.service import Service
from bot.store import Ledger
from bot.store.open_tables import QuietTable as Quiet
from engine.text import English, text

REMINDED = (timedelta(days=3), timedelta(days=10))      # without anything new: when the channel reads that a game is still open
ASKED = timedelta(days=21)                              # when its host is asked, once awake
CLOSED = timedelta(days=28)                             # when it is closed, and not before the host has had a week
WEEKS = CLOSED.days // 7

Step = Literal["remind", "ask", "close"]


class OpenTables(Service):
    """Open games that nobody joins."""

    async def look_after_open_tables(self) -> None:
        """Do what is due for open games in which nothing has happened for days; one message for all games of a channel."""
        now, at = self.session.now(), self.session.time()

        def tell(ledger: Ledger) -> None:
            reminded = defaultdict[int, list[int]](list)
            for table, step in _steps(ledger, now):
                if step == "ask":
                    ledger.add_letters(table.game, 0, [QuietTable()], at)
                elif step == "remind":
                    reminded[table.channel].append(table.game)
                if step != "close":
                    ledger.told_still_open(table.game, at)
            for channel, games in reminded.items():
                ledger.add_letters(games[0], 0, [StillOpen(channel=channel, games=games)], at)

        steps = {table.game: step for table, step in await self.store.read(lambda ledger: _steps(ledger, now))}
        if set(steps.values()) & {"ask", "remind"}:
            await self.store.write(tell)
        for game in [game for game, step in steps.items() if step == "close"]:
            async with self.apart(game, "open_games"):
                stored = await self.session.stored(game)
                still = await self.store.read(lambda ledger: _steps(ledger, now))
                if any(table.game == game and step == "close" for table, step in still):
                    news = text("nothing has happened in this open game for {weeks} weeks, so it's closed. `/game open` opens "
                                "another one.", weeks=WEEKS)
                    await self.session.declare(stored, "closed", notice(news, English(), GM), None,
                                               "closed the game, as nobody had joined for weeks")

    async def keep_open(self, game: int, by: int) -> None:
        """Keep an open game, for as long again."""
        async with self.session.locked(game):
            require((await self.session.stored(game)).row, ("open",))
            at = self.session.time()
            await self.store.write(lambda ledger: ledger.note(game, by, "keeps the game open", at))


def _steps(ledger: Ledger, now: datetime) -> list[tuple[Quiet, Step]]:
    """What is due now, for each open game; a host who is asleep is asked later."""
    presence = ledger.presence(now)
    due = [(table, _due(table, presence)) for table in ledger.quiet_tables(timestamp(presence.ago(REMINDED[0])))]
    return [(table, step) for table, step in due if step is not None
            and (step != "ask" or (ledger.member(table.host).hours or Hours()).awake(now))]


def _due(table: Quiet, presence: Presence) -> Step | None:
    """What is due for an open game now; of what was missed, the last."""
    quiet = presence.since(datetime.fromisoformat(table.since))
    unheard = None if table.told is None or table.told < table.since else presence.since(datetime.fromisoformat(table.told))
    told = None if unheard is None else quiet - unheard         # after how long without anything new
    if told is not None and told >= ASKED:
        return "close" if quiet - told >= CLOSED - ASKED else None
    if quiet >= ASKED:
        return "ask"
    passed = max((step for step in REMINDED if quiet >= step), default=None)
    if passed is None or table.closed_circle or table.listed or (told is not None and told >= passed):
        return None
    return "remind"
