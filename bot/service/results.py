"""How games have ended: worked out of their records where it is not noted yet, and who wants to be in no table of results."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence

from pydantic import ValidationError

from bot.core.commit import Commit
from bot.core.incidents import operation
from bot.core.service import Service
from bot.domain.results import GameResult, Standing, rated, standings
from bot.service.ratings import Rating, ratings
from bot.store import Ledger
from engine.refusals import Drift, Refusal
from engine.text import Text

AT_ONCE = 50                    # games at a look; one takes a replay, some tenths of a second at most

log = logging.getLogger(__name__)


def note_result(ledger: Ledger, commit: Commit) -> None:
    """How a game has ended, with the row that ended it."""
    if commit.ends:
        ledger.results.note_result(commit.live.row.id, standings(commit.live.table))


class Results(Service):
    """How games have ended, and who wants to be in no table of results."""

    async def results(self, guild: int) -> list[GameResult]:
        """How the games of a server have ended, the earliest end first."""
        return await self.store.read(lambda ledger: ledger.results.results(guild))

    async def ranked(self, results: Sequence[GameResult]) -> list[Rating]:
        """The ratings after these games, the best first; off the event loop, since a thousand games take a sixth of a second."""
        return await asyncio.to_thread(ratings, rated(results))

    async def names(self, guild: int, users: Sequence[int]) -> dict[int, str]:
        return await self.store.read(lambda ledger: ledger.results.names(guild, users))

    async def side_names(self, results: Iterable[GameResult]) -> dict[int, Mapping[str, str | Text]]:
        named: dict[tuple[str, str], Mapping[str, str | Text]] = {}
        found: dict[int, Mapping[str, str | Text]] = {}
        for result in results:
            played = result.key, result.pack
            if played not in named:
                named[played] = await self._names(result.game)
            found[result.game] = named[played]
        return found

    async def _names(self, game: int) -> Mapping[str, str | Text]:
        row = (await self.session.stored(game)).row
        try:
            return self.session.spec(row.key).words.names((await self.session.components(row)).parts)
        except Refusal as why:
            log.warning("game %s: no names (%s)", game, type(why).__name__)
            return {}

    @operation
    async def work_out_missing(self) -> int:
        """Note the results of games that ended before there were any, of some at a time; of how many."""
        games = await self.store.read(lambda ledger: ledger.results.without_result(AT_ONCE))
        for game in games:
            async with self.apart(game, "results"):
                await self.work_out(game)
        return len(games)

    @operation
    async def work_out(self, game: int) -> None:
        """Note how a finished game has ended, as its record tells. One that can't be replayed any more counts for nobody."""
        async with self.session.locked(game):
            found = await self._standings(game)
            await self.store.write(lambda ledger: ledger.results.note_result(game, found))

    async def _standings(self, game: int) -> Sequence[Standing]:
        stored = await self.session.stored(game)
        try:
            table = (await self.session.replay(stored)).table
            return await asyncio.to_thread(standings, table) if table.over else ()
        except (Refusal, Drift, KeyError, ValidationError) as why:
            log.warning("game %s: no result (%s)", game, type(why).__name__)
            return ()

    # -- who wants to be in no table

    async def unlisted(self, user: int) -> bool:
        return await self.store.read(lambda ledger: ledger.results.unlisted(user))

    @operation
    async def unlist(self, user: int) -> None:
        """Leave a member out of every table, on every server, of the past too."""
        await self.store.write(lambda ledger: ledger.results.unlist(user))

    @operation
    async def list_again(self, user: int) -> None:
        """Let a member be in the tables again, with the games of the past."""
        await self.store.write(lambda ledger: ledger.results.list_again(user))
