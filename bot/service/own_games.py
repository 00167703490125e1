"""The games of one member, in the order in which they want the member, wherever they are played."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from bot.core.service import Service
from bot.domain.deadlines import Deadline
from bot.store import GameRow, Holder
from engine.kernel import Seat, Table
from engine.refusals import Refusal
from engine.text import Text

Standing = Literal["asked", "next", "other"]        # it is the member's move, the member's turn is next, neither
ORDER: Sequence[Standing] = ("asked", "next", "other")
Rank: TypeAlias = tuple[int, datetime, datetime, int]
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class OwnGame:
    """A game in which a member has a seat, or which the member opened or manages."""

    row: GameRow
    standing: Standing
    seat: Seat | None               # that the member plays now
    deadline: Deadline | None       # of the question to that seat

    @property
    def rank(self) -> Rank:
        due, since = (None, None) if self.deadline is None else (self.deadline.due_at, self.deadline.since)
        return rank(self.standing, due, since, self.row.id)


@dataclass(frozen=True, kw_only=True)
class OwnGameDetails:
    """What a member reads of one of these games."""

    holders: Sequence[Holder]
    table: Table | None             # None: it has not begun
    since: str | None               # since when somebody is asked, ISO 8601
    broken: Text | None = None      # why it cannot be shown


class OwnGames(Service):
    """The games of one member, in the order in which they want the member."""

    async def own_games(self, user: int) -> list[OwnGame]:
        """Those in which it is the member's move, the soonest deadline first and then the longest wait; those in which the member
        is next; all others, the newest first. Finished games are left out."""
        rows, deadlines = await self.store.read(lambda ledger: (ledger.games.own_games(user), ledger.clocks.open_deadlines(user)))
        asked = {deadline.game: deadline for deadline in deadlines}
        games = [await self._own(row, user, asked.get(row.id)) for row in rows]
        return sorted(games, key=lambda game: game.rank)

    async def several(self, user: int) -> bool:
        """True if a member has more than one game under way."""
        return len(await self.store.read(lambda ledger: ledger.games.own_games(user))) > 1

    async def _own(self, row: GameRow, user: int, deadline: Deadline | None) -> OwnGame:
        if row.status != "running":
            return OwnGame(row=row, standing="other", seat=None, deadline=None)
        holders = (await self.session.stored(row.id)).holders
        seat = next((holder.seat for holder in holders if holder.played_by(user)), None)
        if deadline is not None and deadline.seat == seat:
            return OwnGame(row=row, standing="asked", seat=seat, deadline=deadline)
        return OwnGame(row=row, standing="next" if await self._is_next(row.id, seat) else "other", seat=seat, deadline=None)

    async def _is_next(self, game: int, seat: Seat | None) -> bool:
        try:
            table = await self.session.table(game)
        except Refusal:
            return False
        return seat is not None and table.spec.rules.follows(table.state) == seat != table.spec.rules.active(table.state)

    async def own_game_details(self, game: int) -> OwnGameDetails:
        stored = await self.session.stored(game)
        if stored.row.status == "open":
            return OwnGameDetails(holders=stored.holders, table=None, since=None)
        try:
            table = await self.session.table(game)
            asked_at = table.asked_at
        except Refusal as broken:
            return OwnGameDetails(holders=stored.holders, table=None, since=None, broken=broken.text)
        since = await self.store.read(lambda ledger: ledger.log.time(game, asked_at))
        return OwnGameDetails(holders=stored.holders, table=table, since=since or stored.started_at or stored.row.created_at)


def rank(standing: Standing, due: datetime | None, since: datetime | None, number: int) -> Rank:
    """Sorts games: what is due soonest, and then what has waited longest; both last if nothing is asked."""
    return ORDER.index(standing), due or NEVER, since or NEVER, -number
