"""Has automatic players answer as soon as they are asked: one task for each game, and none while nothing is to be done.

They make way for people: one answer at a time is prepared or given, and none while anybody is being served, for a moment at most.
"""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.discord.context import Context
from bot.discord.errors import note
from engine.refusals import Refusal

REST = 60.0             # seconds that a game rests in which something went wrong
CALM = 0.03             # seconds in which nobody has been served before an automatic player takes its turn
COURTESY = 0.6          # seconds for which an automatic player makes way at most, however many people come one after the other


class AutomaticTurns:
    """Runs the automatic players of all games."""

    def __init__(self, bot: Context) -> None:
        self.bot, self.services = bot, bot.services
        self._running: dict[int, asyncio.Task[None]] = {}
        self._resting: dict[int, asyncio.Event] = {}            # games of automatic players alone, between two turns
        self._starting: asyncio.Task[None] | None = None
        self._way = asyncio.Lock()

    def start(self) -> None:
        """Begin; games in which a player was thinking when the bot was stopped go on."""
        self.services.session.think = self.poke
        self.services.automatic.way = self._after_people
        self._starting = asyncio.create_task(self._start())

    async def _start(self) -> None:
        await self.bot.wait_until_ready()
        try:
            await self.services.automatic.settle_levels()
        except Exception as error:
            await note(self.services, error, "automatic players")
        for game in await self.services.automatic.automatic_games():
            self.poke(game)

    @asynccontextmanager
    async def _after_people(self) -> AsyncIterator[None]:
        """No other automatic player is at it while the block lasts; it begins when no person is being served, or soon."""
        async with self._way:
            with suppress(TimeoutError):
                async with asyncio.timeout(COURTESY):
                    await self.bot.nobody_served(CALM)
            yield

    def poke(self, game: int) -> None:
        if game in self._resting:
            self._resting[game].set()
        if game not in self._running:
            self._running[game] = asyncio.create_task(self._run(game))

    async def _run(self, game: int) -> None:
        again = False
        try:
            while await self.services.automatic.think_and_answer(game):
                await self._rest(game)
            self.bot.outbox.answered(game)
        except Refusal:                                 # the game has ended, or can't be shown
            pass
        except Exception as error:
            await note(self.services, error, "automatic players", game)
            again = True
            await asyncio.sleep(REST)
        finally:
            del self._running[game]
        if again:
            self.poke(game)

    async def _rest(self, game: int) -> None:
        """Wait for the next turn of automatic players who are alone, or until anything happens in the game."""
        seconds = await self.services.automatic.rest(game)
        if seconds:
            self._resting[game] = asyncio.Event()
            try:
                await asyncio.wait_for(self._resting[game].wait(), seconds)
            except TimeoutError:
                pass
            finally:
                del self._resting[game]

    async def settled(self) -> None:
        """Wait until no automatic player is thinking; for tests."""
        while self._running:
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def stop(self) -> None:
        """End; what was being thought of is thought of again after the start."""
        self.services.session.think = None
        under_way = [*self._running.values(), *([self._starting] if self._starting is not None else [])]
        for task in under_way:
            task.cancel()
        await self.services.automatic.thinker.stop()
        await asyncio.gather(*under_way, return_exceptions=True)        # nothing is written any more once it has ended
