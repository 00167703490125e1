"""What is due in all games is done, one thing after the other and each on its own: what goes wrong with one holds up no other."""
from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta

from bot.core.service import Service
from bot.core.session import Session
from bot.domain.absence import Kind, Timer
from bot.service.alarms import Alarms
from bot.service.clocks import Clocks
from bot.service.gone_players import GonePlayers
from bot.service.idle_games import IdleGames
from bot.service.interests import Interests
from bot.service.lobby import Lobby
from bot.service.orders import StandingOrders
from bot.service.seats import Seats
from bot.service.stand_ins import StandIns
from bot.service.undo_requests import UndoRequests
from bot.store import Ledger
from engine.refusals import Refusal

REST = timedelta(minutes=15)            # until what could not be done is tried again
ANSWERS = ("alarm", "order", "time_up")         # with which the message of a question may have to go

Handlers = Mapping[Kind, Callable[[Timer], Awaitable[object]]]

log = logging.getLogger(__name__)


def handlers(alarms: Alarms, clocks: Clocks, gone_players: GonePlayers, idle_games: IdleGames, interests: Interests, lobby: Lobby,
             orders: StandingOrders, seats: Seats, stand_ins: StandIns, undo_requests: UndoRequests) -> Handlers:
    """Return what is done about each kind of thing that waits."""
    return {
        "alarm": lambda due: alarms.ring(due.game),
        "first_move": lambda due: gone_players.deal_with_no_shows(due.game),
        "order": lambda due: orders.order_due(due.game, due.whom, due.row),
        "time_up": lambda due: clocks.time_up(due.game, due.whom, due.row),
        "reminder": lambda due: clocks.remind(due.whom),
        "long_wait": lambda due: clocks.escalate(due.game),
        "back": lambda due: seats.returned(due.game),
        "request": lambda due: undo_requests.end_late_request(due.game, due.whom),
        "opening": lambda due: interests.tell_openings(due.whom),
        "late_start": lambda due: lobby.call_late_start(due.game),
        "offer": lambda due: stand_ins.end_late_offer(due.game, due.whom),
        "vote": lambda due: gone_players.settle_vote(due.game, due.whom),
        "pause_vote": lambda due: clocks.end_late_vote(due.game),
        "standstill": lambda due: idle_games.call_server(due.game),
        "long_pause": lambda due: idle_games.call_about_pause(due.game),
        "open_game": lambda due: idle_games.look_after_open_games(due.whom)}


class Timers(Service):
    """What is due in all games."""

    def __init__(self, session: Session, handlers: Handlers) -> None:
        super().__init__(session)
        self.handlers = handlers
        self._rests: dict[tuple[Kind, object], datetime] = {}       # kind, and game or member

    async def look(self, *kinds: Kind, answered: Callable[[int], object] = lambda game: None) -> datetime | None:
        """Do what is due by now, of these kinds or of all, and what becomes due by that; the next moment at which there will be
        something. `answered` is called with each game in which a question may have been answered. Raises NotStored."""
        now, done = self.session.now(), set[tuple[object, ...]]()
        self._rests = {key: until for key, until in self._rests.items() if now < until <= now + REST}
        while True:
            due, following = await self.store.read(lambda ledger: self._due(ledger, kinds))
            left = {timer.key: timer for timer in due if timer.key not in done}
            if not left:
                return following
            for timer in left.values():
                if (timer.kind, timer.game or timer.whom) not in self._rests:
                    await self._do(timer)
                if timer.kind in ANSWERS:
                    answered(timer.game)
            done |= left.keys()

    async def due(self, *kinds: Kind) -> list[Timer]:
        """Return what there is to do by now, of these kinds or of all."""
        return (await self.store.read(lambda ledger: self._due(ledger, kinds)))[0]

    async def following(self, *kinds: Kind) -> datetime | None:
        """When something of these kinds will be due next."""
        return await self.store.read(
            lambda ledger: ledger.timers.next_timer(ledger.presence.presence(self.session.now()), *kinds))

    def _due(self, ledger: Ledger, kinds: tuple[Kind, ...]) -> tuple[list[Timer], datetime | None]:
        presence = ledger.presence.presence(self.session.now().replace(microsecond=0))
        return ledger.timers.timers(presence, *kinds), ledger.timers.next_timer(presence)

    async def _do(self, timer: Timer) -> None:
        try:
            await self.handlers[timer.kind](timer)
        except Refusal as why:                          # the operation has left a capsule of what it did not expect
            log.warning("game %s: %s could not be dealt with (%s)", timer.game, timer.kind, type(why).__name__)
            self._rests[timer.kind, timer.game or timer.whom] = self.session.now() + REST
