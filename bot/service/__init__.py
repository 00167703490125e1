"""What can be done with games: a service for each subject, on one session. Knows no Discord."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable
from datetime import datetime
from typing import Any

from bot.core.session import TABLES, Session, draw_secret, wall_clock
from bot.domain.limits import NO_LIMITS, Limits
from bot.service.alarms import Alarms
from bot.service.answers import Answers
from bot.service.automatic_players import AutomaticPlayers
from bot.service.automatic_seats import AutomaticSeats
from bot.service.bookmarks import Bookmarks
from bot.service.branching import Branching
from bot.service.channels import Channels
from bot.service.chronicles import Chronicles
from bot.service.clocks import Clocks
from bot.service.coaching import Coaching
from bot.service.consent import Consent
from bot.service.deadline_updates import keep_deadlines, stop
from bot.service.digest import Digests
from bot.service.forums import Forums
from bot.service.free_seats import FreeSeats
from bot.service.gone_players import GonePlayers
from bot.service.idle_games import IdleGames
from bot.service.interests import Interests
from bot.service.lessons import Lessons
from bot.service.lobby import Lobby
from bot.service.look_back import LookBack
from bot.service.masters import GameMasters
from bot.service.noticeboards import Noticeboards
from bot.service.orders import StandingOrders, note_orders
from bot.service.outbox import Outbox
from bot.service.own_games import OwnGames
from bot.service.personal_data import PersonalData
from bot.service.plan_updates import drop_outdated
from bot.service.plans import Plans
from bot.service.queries import Queries
from bot.service.records import Records
from bot.service.recovery import Recovery
from bot.service.rehearsals import Rehearsals
from bot.service.replay_check import ReplayCheck
from bot.service.results import Results, note_result
from bot.service.retention import Retention
from bot.service.seats import Seats
from bot.service.secrets import Secrets
from bot.service.settings import Settings
from bot.service.stand_ins import StandIns
from bot.service.talk import Talk
from bot.service.timers import Timers, handlers
from bot.service.trouble_reports import TroubleReports
from bot.service.undo import Undo
from bot.service.undo_requests import UndoRequests
from bot.service.visits import Visits
from bot.service.weekly import Weekly
from bot.store import Store
from engine import catalog
from engine.kernel import GameSpec


class Services:
    """All that the bot can do with games. Every operation of a service is one transaction, or a Refusal and no change.

    Discord's part of the bot calls these and nothing below; it sends the outbox and notes that by `outbox.note`.
    """

    def __init__(self, store: Store, games: Iterable[GameSpec] = catalog.GAMES, *, now: Callable[[], datetime] = wall_clock,
                 secret: Callable[[], str] = draw_secret, tables: int = TABLES, limits: Limits = NO_LIMITS) -> None:
        """All services on one session; see `Session` for what it is given."""
        self.session = session = Session(
            store, games, now=now, secret=secret, tables=tables, limits=limits,
            parts=(note_orders, keep_deadlines, drop_outdated, note_result), stop=stop)
        self.alarms = Alarms(session)
        self.answers = Answers(session)
        self.automatic = AutomaticPlayers(session)
        self.seats = Seats(session)
        self.automatic_seats = AutomaticSeats(session, self.seats)
        self.bookmarks = Bookmarks(session)
        self.branching = Branching(session)
        self.channels = Channels(session)
        self.queries = Queries(session)
        self.chronicles = Chronicles(session, self.queries)
        self.plans = Plans(session)
        self.clocks = Clocks(session, self.plans)
        self.coaching = Coaching(session, self.plans, self.automatic)
        self.consent = Consent(session, self.seats, self.branching)
        self.digests = Digests(session)
        self.forums = Forums(session)
        self.free_seats = FreeSeats(session, self.seats, self.consent)
        self.gone_players = GonePlayers(session, self.seats)
        self.idle_games = IdleGames(session, self.seats)
        self.interests = Interests(session)
        self.lessons = Lessons(session)
        self.lobby = Lobby(session)
        self.look_back = LookBack(session)
        self.masters = GameMasters(session)
        self.noticeboards = Noticeboards(session)
        self.orders = StandingOrders(session)
        self.outbox = Outbox(session)
        self.own_games = OwnGames(session)
        self.personal_data = PersonalData(session, self.lobby, self.seats)
        self.records = Records(session, self.queries)
        self.undo = Undo(session)
        self.recovery = Recovery(session, self.undo)
        self.rehearsals = Rehearsals(session, self.plans)
        self.replay_check = ReplayCheck(session)
        self.results = Results(session)
        self.retention = Retention(session)
        self.secrets = Secrets(session)
        self.settings = Settings(session)
        self.stand_ins = StandIns(session, self.seats)
        self.talk = Talk(session)
        self.trouble_reports = TroubleReports(session)
        self.undo_requests = UndoRequests(session, self.undo, self.consent)
        self.visits = Visits(session)
        self.weekly = Weekly(session, self.queries)
        self.timers = Timers(session, handlers(
            self.alarms, self.clocks, self.gone_players, self.idle_games, self.interests, self.lobby, self.orders, self.seats,
            self.stand_ins, self.undo_requests))

    def method(self, name: str) -> Callable[..., Coroutine[Any, Any, object]] | None:
        """The method of this name, without what makes an incident of its faults, as a capsule names it; None: there is none."""
        for service in vars(self).values():
            found: Any = getattr(type(service), name, None)
            if inspect.iscoroutinefunction(found) and not name.startswith("_"):
                bound: Callable[..., Coroutine[Any, Any, object]] = inspect.unwrap(found).__get__(service)
                return bound
        return None
