"""What the world outside tells a game: that an agreed moment has come, or that one player alone is left."""
from __future__ import annotations

from bot.core.incidents import operation
from bot.core.live_table import LiveTable
from bot.core.requirements import held_by, require
from bot.core.service import Service
from bot.core.visit import Outcome
from bot.domain import alarms
from engine.kernel import Decree, Seat
from engine.refusals import Refusal


class Alarms(Service):
    @operation
    async def ring(self, game: int) -> None:
        """Tell a game what it is to be told by now, as is done whenever it is touched; note when there will be more."""
        async with self.session.locked(game):
            table = (await self.session.loaded(game)).table
            await self.store.write(lambda ledger: ledger.timers.set_alarm(game, alarms.following(table.spec, table.state)))

    async def require_alone(self, game: int, user: int) -> None:
        """Raise Refusal unless a member can end a running game, since all others have given it up."""
        async with self.session.locked(game):
            _left_alone(await self.session.loaded(game), user)

    async def left_alone(self, game: int, user: int) -> bool:
        """True if a member can end a running game, since all others have given it up."""
        try:
            await self.require_alone(game, user)
        except Refusal:
            return False
        return True

    @operation
    async def end_alone(self, game: int, user: int) -> Outcome:
        """End a game for the member who alone has not given it up. Raises Refusal: there are others."""
        async with self.session.locked(game):
            live = await self.session.loaded(game)
            (seat, decree), at = _left_alone(live, user), self.session.time()
            live.table.decree(decree)
            committed = await self.session.commit(live, also=lambda ledger: ledger.audit.note(
                game, user, "ended the game as the last player left", at))
            return self.session.done(live, seat, committed.entries)


def _left_alone(live: LiveTable, user: int) -> tuple[Seat, Decree]:
    """A member's seat and what ends the game for it. Raises Refusal: others are there, or the game does not run."""
    seat = held_by(live.holders, user)
    require(live.row, ("running",))
    found = alone(live)
    if found is None or found[0] != seat:
        raise Refusal("You aren't the only player left, so the game goes on.")
    return found


def alone(live: LiveTable) -> tuple[Seat, Decree] | None:
    """The one seat of those still in the game that somebody holds, and what ends the game for it."""
    table = live.table
    held = [holder.seat for holder in live.holders if holder.user is not None or holder.level]
    return table.spec.outside.left_alone(table.state, held)
