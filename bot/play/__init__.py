"""One move through the layers: load, answer, save, announce; one lock for each game. Knows no Discord."""
from __future__ import annotations

from bot.play.alarms import Telling
from bot.play.asking import Asked, Plan
from bot.play.checking import Checking, Finding
from bot.play.clock import Clocking, Vote
from bot.play.consent import Consenting
from bot.play.digest import Digesting
from bot.play.lobby import Lobbying
from bot.play.looking import Waiting
from bot.play.mail import Mailing
from bot.play.moves import Moving
from bot.play.orders import Commanding, Kept
from bot.play.place import Access, Placing
from bot.play.records import Recording
from bot.play.recovery import Recovering
from bot.play.returns import Preview
from bot.play.secrets import Disclosing
from bot.play.settings import Choosing
from bot.play.talk import Talking
from bot.play.teach import Teaching
from bot.play.works import Done
from bot.store import GameRow, Holder, OutboxRow, Status, Theme

__all__ = ["Access", "Asked", "Done", "Finding", "GameRow", "Holder", "Kept", "OutboxRow", "Plan", "Play", "Preview", "Status",
           "Theme", "Vote", "Waiting"]


class Play(Consenting, Clocking, Choosing, Lobbying, Recording, Moving, Commanding, Recovering, Mailing, Placing,
           Talking, Teaching, Digesting, Checking, Disclosing, Telling):
    """All that the bot can do with games. Every method is one transaction, or a Refusal and no change.

    Discord's part of the bot calls these and nothing below; it sends the outbox by `pending` and `sent`. Set `wake` to be
    called, in the event loop, whenever there is something new to send.
    """
