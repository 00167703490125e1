"""Keeps everything in one SQLite file: the only package, with the migrations, that knows SQL."""
from __future__ import annotations

from bot.store.file import Ledger, Store
from bot.store.orders import OrderRow
from bot.store.records import GameRow, Holder, NotStored, OutboxRow, Owner, Status, Stored, Theme

__all__ = ["GameRow", "Holder", "Ledger", "NotStored", "OrderRow", "OutboxRow", "Owner", "Status", "Store", "Stored", "Theme"]
