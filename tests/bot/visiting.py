"""Visits of members to games: made by hand, without a store, or read and asked what can be undone and what coming by does."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.core.snapshot import GameSnapshot
from bot.core.visit import MemberFacts, Visit
from bot.domain.announcements import Announced
from bot.domain.deadlines import NONE, Clock
from bot.service import Services
from bot.store import ClockRow, GameRow, Holder, MemberRow, Stored
from engine.kernel import GameSpec, Seat
from engine.refusals import NotAsked


def lobby(spec: GameSpec, *joined: int, user: int = 0, clock: Clock = NONE, free: Sequence[Any] = (), **changed: Any) -> Visit:
    """A visit to a game that has not begun, whose host is 900 and which these members have joined."""
    row = GameRow(**{"id": 1, "key": spec.key, "edition": spec.editions[0].key, "options": {}, "title": spec.name, "guild": 7,
                     "channel": 5, "owner": 900, "seats": spec.seats[-1], "status": "open", "pack_hash": "", "commitment": "",
                     "created_at": "2026-03-01T12:00:00+00:00", **changed})
    holders = tuple([Holder(seat=Seat(f"seat_{place}"), user=one, private=True) for place, one in enumerate(joined, 1)])
    stored = Stored(row=row, secret="", started_at=None, told=Announced(), holders=holders)
    snapshot = GameSnapshot(stored=stored, clock=ClockRow(clock=clock), deadlines=(), vacations={}, members={}, theme=None,
                            gm_role=None, free=free, threads=(), in_names=(), plans=(), asked=(0, None))
    facts = MemberFacts(chosen=MemberRow(), theme="dark", last_seen=None, public_newest=0, looked=None, last_answer=None,
                        tips=None)
    return Visit(user=user, spec=spec, snapshot=snapshot, facts=facts, live=None, changes=0,
                 why_none=NotAsked("The game hasn't started yet."))


async def undoable(services: Services, game: int, seat: Seat) -> int | None:
    """The newest row, if the member who plays a seat may take back its last answer."""
    user = next(holder.user for holder in await services.queries.holders(game) if holder.seat == seat)
    return None if user is None else (await services.visits.visit(game, user)).undoable


async def can_ask(services: Services, game: int, user: int) -> bool:
    return (await services.visits.visit(game, user)).can_ask_to_undo


async def shows_up(services: Services, game: int, user: int) -> bool:
    """True if a visit has ended the absence of a member who had not declared it."""
    return (await services.visits.visit(game, user)).lapsed and await services.seats.acts_again(game, user)
