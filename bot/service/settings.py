"""What servers and members choose for themselves."""
from __future__ import annotations

from datetime import UTC

from bot.domain.deadlines import Clock, read
from bot.domain.letters import STATUS
from bot.domain.waking_hours import Hours
from bot.service.session import Works
from bot.store import Ledger, MemberRow


class Choosing(Works):
    """What servers and members choose for themselves."""

    async def member(self, user: int) -> MemberRow:
        """What a member has chosen."""
        return await self._store.read(lambda ledger: ledger.member(user))

    async def set_member(self, user: int, row: MemberRow) -> None:
        """A member chooses this, all in all; deadlines move with the waking hours from now on, and what has run has run."""
        now, at = self._now().astimezone(UTC).replace(microsecond=0), self._time()

        def choose(ledger: Ledger) -> None:
            own = ledger.deadlines_of(user)
            before = {one.game: ledger.hours(one.game, user) for one in own}
            ledger.set_member(user, row)
            if all(_same(hours, ledger.hours(game, user)) for game, hours in before.items()):
                return
            ledger.put_deadlines([one.moved(now, before[one.game], ledger.hours(one.game, user)) for one in own])
            for game in before:
                ledger.add_letters(game, ledger.newest(game), [STATUS], at)

        await self._store.write(choose)

    async def server_clock(self, guild: int | None) -> Clock:
        """The clock that new games of a server get."""
        return read(await self._store.read(lambda ledger: ledger.server_clock(guild)))

    async def set_server_clock(self, guild: int, clock: Clock) -> None:
        """New games of a server get this clock."""
        await self._store.write(lambda ledger: ledger.set_server_clock(guild, clock.written()))


def _same(one: Hours, other: Hours) -> bool:
    return (one.zone, one.wake, one.sleep) == (other.zone, other.wake, other.sleep)
