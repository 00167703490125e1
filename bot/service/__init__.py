"""One move through the layers: load, answer, save, announce; one lock for each game. Knows no Discord."""
from __future__ import annotations

from bot.service.alarms import Telling
from bot.service.answers import Moving
from bot.service.channels import Access, Placing
from bot.service.clocks import Clocking, Vote
from bot.service.consent import Consenting
from bot.service.digest import Digesting
from bot.service.lessons import Teaching
from bot.service.lobby import Lobbying
from bot.service.masters import Mastering
from bot.service.orders import Commanding, Kept
from bot.service.outbox import Mailing
from bot.service.queries import Waiting
from bot.service.records import Recording
from bot.service.recovery import Recovering
from bot.service.replay_check import Checking, Finding
from bot.service.secrets import Disclosing
from bot.service.session import Done
from bot.service.settings import Choosing
from bot.service.talk import Talking
from bot.service.undo import Preview
from bot.service.undo_requests import Asked, Plan
from bot.store import GameRow, Holder, OutboxRow, Status, Theme

__all__ = ["Access", "Asked", "Done", "Finding", "GameRow", "Holder", "Kept", "OutboxRow", "Plan", "Play", "Preview", "Status",
           "Theme", "Vote", "Waiting"]


class Play(Consenting, Clocking, Choosing, Lobbying, Recording, Moving, Commanding, Recovering, Mailing, Placing,
           Talking, Teaching, Digesting, Checking, Disclosing, Telling, Mastering):
    """All that the bot can do with games. Every method is one transaction, or a Refusal and no change.

    Discord's part of the bot calls these and nothing below; it sends the outbox by `pending` and `sent`. Set `wake` to be
    called, in the event loop, whenever there is something new to send.
    """
