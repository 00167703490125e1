"""What can be done with games: a service for each kind of deed, on one session. Knows no Discord."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from bot.domain.limits import NO_LIMITS, Limits
from bot.service.alarms import Alarms
from bot.service.answers import Answers
from bot.service.automatic import AutomaticPlayers
from bot.service.automatic_seats import AutomaticSeats
from bot.service.bookmarks import Bookmarks
from bot.service.branching import Branching
from bot.service.channels import Access, Channels
from bot.service.chronicles import Chronicles
from bot.service.clocks import Clocks, Vote
from bot.service.coaching import Coaching
from bot.service.consent import Consent
from bot.service.digest import Digests
from bot.service.forums import Forums
from bot.service.free_seats import FreeSeats
from bot.service.gone_players import GonePlayers
from bot.service.idle_games import IdleGames
from bot.service.interests import Interests
from bot.service.lessons import Lessons
from bot.service.live_table import Done
from bot.service.lobby import Lobby
from bot.service.look_back import LookBack
from bot.service.masters import GameMasters
from bot.service.noticeboards import Noticeboards
from bot.service.orders import OwnOrder, StandingOrders
from bot.service.outbox import Outbox
from bot.service.own_games import OwnGames
from bot.service.personal_data import PersonalData
from bot.service.plans import Planned, Plans
from bot.service.queries import OpenQuestion, Queries
from bot.service.records import Records
from bot.service.recovery import Recovery
from bot.service.rehearsals import Rehearsals
from bot.service.replay_check import Finding, ReplayCheck
from bot.service.results import Results
from bot.service.retention import Retention
from bot.service.seats import Seats
from bot.service.secrets import Secrets
from bot.service.session import TABLES, Session, draw_secret, wall_clock
from bot.service.settings import Settings
from bot.service.stand_ins import StandIns
from bot.service.talk import Talk
from bot.service.timers import Timers, deeds
from bot.service.trouble_reports import TroubleReports
from bot.service.undo import Preview, Undo
from bot.service.undo_requests import Asked, Proposal, UndoRequests
from bot.service.weekly import Weekly
from bot.store import GameRow, Holder, OutboxRow, Status, Store, Theme
from engine import catalog
from engine.kernel import GameSpec

__all__ = [
    "Access",
    "Asked",
    "Done",
    "Finding",
    "GameRow",
    "Holder",
    "OpenQuestion",
    "OutboxRow",
    "OwnOrder",
    "Planned",
    "Preview",
    "Proposal",
    "Services",
    "Session",
    "Status",
    "Theme",
    "Vote",
]


@dataclass(frozen=True)
class Services:
    """All that the bot can do with games. Every method of a service is one transaction, or a Refusal and no change.

    Discord's part of the bot calls these and nothing below; it sends the outbox by `outbox.pending` and `outbox.sent`. Set
    `session.wake` to be called, in the event loop, whenever there is something new to send.
    """

    session: Session
    alarms: Alarms
    answers: Answers
    automatic: AutomaticPlayers
    automatic_seats: AutomaticSeats
    bookmarks: Bookmarks
    branching: Branching
    channels: Channels
    chronicles: Chronicles
    clocks: Clocks
    coaching: Coaching
    consent: Consent
    digests: Digests
    forums: Forums
    free_seats: FreeSeats
    gone_players: GonePlayers
    idle_games: IdleGames
    interests: Interests
    lessons: Lessons
    lobby: Lobby
    look_back: LookBack
    masters: GameMasters
    noticeboards: Noticeboards
    orders: StandingOrders
    outbox: Outbox
    own_games: OwnGames
    personal_data: PersonalData
    plans: Plans
    queries: Queries
    records: Records
    recovery: Recovery
    rehearsals: Rehearsals
    replay_check: ReplayCheck
    results: Results
    retention: Retention
    seats: Seats
    secrets: Secrets
    settings: Settings
    stand_ins: StandIns
    talk: Talk
    timers: Timers
    trouble_reports: TroubleReports
    undo: Undo
    undo_requests: UndoRequests
    weekly: Weekly

    @classmethod
    def on(cls, store: Store, games: Iterable[GameSpec] = catalog.GAMES, *, now: Callable[[], datetime] = wall_clock,
           secret: Callable[[], str] = draw_secret, tables: int = TABLES, limits: Limits = NO_LIMITS) -> Services:
        """All services on one session; see `Session` for what it is given."""
        session = Session(store, games, now=now, secret=secret, tables=tables, limits=limits)
        branching, queries, seats, undo = Branching(session), Queries(session), Seats(session), Undo(session)
        plans, lobby, alarms, interests = Plans(session), Lobby(session), Alarms(session), Interests(session)
        consent, clocks, orders = Consent(session, seats, branching), Clocks(session, plans), StandingOrders(session)
        automatic, gone_players, idle_games = AutomaticPlayers(session), GonePlayers(session, seats), IdleGames(session, seats)
        stand_ins, undo_requests = StandIns(session, seats), UndoRequests(session, undo, consent)
        timers = Timers(session, deeds(alarms, clocks, gone_players, idle_games, interests, lobby, orders, seats, stand_ins,
                                       undo_requests))
        return cls(session=session, alarms=alarms,
                   answers=Answers(session), automatic=automatic,
                   automatic_seats=AutomaticSeats(session, seats), bookmarks=Bookmarks(session),
                   branching=branching,
                   channels=Channels(session), chronicles=Chronicles(session, queries), clocks=clocks,
                   coaching=Coaching(session, plans, automatic), consent=consent, digests=Digests(session),
                   forums=Forums(session), free_seats=FreeSeats(session, seats, consent), gone_players=gone_players,
                   idle_games=idle_games, interests=interests,
                   lessons=Lessons(session), lobby=lobby, look_back=LookBack(session),
                   masters=GameMasters(session),
                   noticeboards=Noticeboards(session),
                   orders=orders,
                   outbox=Outbox(session), own_games=OwnGames(session),
                   personal_data=PersonalData(session, lobby, seats), plans=plans, queries=queries,
                   records=Records(session, queries), rehearsals=Rehearsals(session, plans),
                   recovery=Recovery(session, undo), replay_check=ReplayCheck(session),
                   results=Results(session), retention=Retention(session),
                   seats=seats, secrets=Secrets(session), settings=Settings(session),
                   stand_ins=stand_ins,
                   talk=Talk(session), timers=timers, trouble_reports=TroubleReports(session), undo=undo,
                   undo_requests=undo_requests,
                   weekly=Weekly(session, queries))

    def deed(self, name: str) -> Callable[..., Coroutine[Any, Any, object]] | None:
        """The deed of this name, without its guard, as an incident's capsule names it; None: no service has one."""
        for one in fields(self):
            service = getattr(self, one.name)
            found: Any = getattr(type(service), name, None)
            if inspect.iscoroutinefunction(found) and hasattr(found, "__wrapped__"):
                bound: Callable[..., Coroutine[Any, Any, object]] = inspect.unwrap(found).__get__(service)
                return bound
        return None
