"""Who would like to hear of games that are opened and of seats that come free: members by title and number of seats, and a role
of the server."""
from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from bot.core.incidents import operation
from bot.core.requirements import PLAYED
from bot.core.service import Service
from bot.domain.letters import Called, Letter, Opened
from bot.domain.timestamps import timestamp
from bot.domain.waking_hours import Hours
from bot.store import Ledger
from bot.store.interests import Interest
from engine.refusals import Refusal

GRACE = timedelta(minutes=2)    # in which a host can choose who may join, before anybody is told
REGULARS = timedelta(days=1)    # in which the players of the last game can join its rematch, before anybody else is told
AGAIN = timedelta(days=7)       # until a member is told again that a seat of the same game is free
MOST = 10                       # wishes of one member on one server


class Interests(Service):
    """Who would like to hear of games that are opened and of seats that come free."""

    async def interests(self, guild: int, user: int) -> list[Interest]:
        return await self.store.read(lambda ledger: ledger.interests.interests(guild, user))

    @operation
    async def add_interest(self, guild: int, user: int, key: str, seats: int) -> None:
        """A member would like to hear of such games on a server. Raises Refusal: there are none such, or too many wishes."""
        if key:
            spec = self.session.spec(key)
            if seats and seats not in spec.seats:
                raise Refusal("That game isn't for that many players.")

        def add(ledger: Ledger) -> None:
            if len(ledger.interests.interests(guild, user)) >= MOST:
                raise Refusal("You have {most} wishes on this server. Remove one first.", most=MOST)
            ledger.interests.add_interest(guild, user, Interest(key, seats))

        await self.store.write(add)

    @operation
    async def drop_interest(self, guild: int, user: int, key: str, seats: int) -> None:
        await self.store.write(lambda ledger: ledger.interests.drop_interest(guild, user, Interest(key, seats)))

    async def call_role(self, guild: int) -> int | None:
        """The role that is pinged once when a game is opened on a server."""
        return await self.store.read(lambda ledger: ledger.interests.call_role(guild))

    @operation
    async def set_call_role(self, guild: int, role: int | None) -> None:
        """Choose that role, or none. Raises Refusal: everybody has it."""
        if role == guild:
            raise Refusal("I never ping everybody. Choose a role that members have asked for.")
        await self.store.write(lambda ledger: ledger.interests.set_call_role(guild, role))

    @operation
    async def tell_openings(self, user: int) -> None:
        """Tell a member of the games that have been opened for them or have a free seat: one message for all, once for each game,
        and once for each time that a seat of it comes free."""
        at = self.session.time()

        def tell(ledger: Ledger) -> None:
            games = ledger.interests.openings_due(user, at)
            ledger.interests.opening_told(user, games)
            still = [game for game in games if _can_be_entered(ledger, game)]
            ledger.interests.seat_told(user, [game for game in still if ledger.games.game(game).row.status in PLAYED], at)
            ledger.interests.opening_untold(user, [game for game in games if ledger.games.game(game).row.invite_only])
            if still:
                ledger.outbox.add_letters(still[0], ledger.log.newest(still[0]), [Opened(user=user, games=still)], at)

        await self.store.write(tell)


def announced(ledger: Ledger, game: int, now: datetime) -> list[Letter]:
    """Note whom a game that has just been opened is told; and the call of the server's role."""
    row = ledger.games.game(game).row
    if row.guild is None:
        return []
    spread_word(ledger, game, now)
    role = ledger.interests.call_role(row.guild)
    return [] if role is None else [Called(role=role)]


def spread_word(ledger: Ledger, game: int, now: datetime, *, but: Collection[int] = (), grace: timedelta = GRACE) -> None:
    """Note whom a game is told that strangers can enter, each while awake and after some time of `grace`: that it is open, once;
    that a seat of it is free, and then not again for a while. Nobody is told as long as the game master hands out seats; nor are
    its people, or those in `but`."""
    stored = ledger.games.game(game)
    row, inside = stored.row, {user for holder in stored.holders for user in holder.users}
    if row.guild is None or not _can_be_entered(ledger, game):
        return
    wanted = [user for user in ledger.interests.interested(row.guild, row.key, row.seats)
              if user not in {row.owner, *inside, *but}]
    told = [(user, _awake(ledger.settings.member(user).hours, now + grace)) for user in wanted]
    if row.status in PLAYED:
        ledger.interests.will_tell_of_seat(game, told, timestamp(now - AGAIN))
    else:
        ledger.interests.will_tell(game, told)


def tell_later(ledger: Ledger, off: datetime, by: timedelta) -> None:
    """The bot was off: whoever was to be told of a game after that began is told so much later, and while awake."""
    ledger.interests.put_off_openings([(game, user, _awake(ledger.settings.member(user).hours, datetime.fromisoformat(due) + by))
                                       for game, user, due in ledger.interests.openings_after(timestamp(off))])


def _can_be_entered(ledger: Ledger, game: int) -> bool:
    """True if a member who is not invited may join a game or get a free seat of it."""
    stored = ledger.games.game(game)
    if stored.row.invite_only or stored.row.status not in PLAYED:
        return stored.row.status == "open" and not stored.row.invite_only
    return any(holder.free for holder in stored.holders) and stored.row.newcomers != "none"


def _awake(hours: Hours | None, at: datetime) -> str:
    return timestamp((hours or Hours()).after(at, timedelta()))
