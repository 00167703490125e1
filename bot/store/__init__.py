"""Keeps everything in one SQLite file: the only package, with the migrations, that knows SQL."""
from __future__ import annotations

from bot.store.file import Ledger, Store
from bot.store.orders import OrderRow
from bot.store.records import GameRow, Holder, NotStored, OutboxRow, Owner, Status, Stored, Theme
from bot.store.talk import Allowed, Press, Promise

__all__ = ["Allowed", "GameRow", "Holder", "Ledger", "NotStored", "OrderRow", "OutboxRow",
           "Owner", "Press", "Promise", "Status", "Store", "Stored", "Theme"]
