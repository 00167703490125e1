"""Sends the outbox to Discord: a file for each kind of letter; `sender` sends them in their order."""
from __future__ import annotations

from bot.discord.outbox.sender import Outbox
