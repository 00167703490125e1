"""Keeps everything in one SQLite file: the only package, with the migrations, that knows SQL."""
from __future__ import annotations

from bot.store.clocks import ClockRow, VacationRow
from bot.store.database import Ledger, Store
from bot.store.orders import OrderRow
from bot.store.plans import PlanRow
from bot.store.rows import Allowed, GameRow, Holder, Newcomers, NotStored, OutboxRow, Owner, Promise, Status, Stored, Theme
from bot.store.seats import LastSeen
from bot.store.settings import MemberRow, Pings
from bot.store.talk import TalkRow
