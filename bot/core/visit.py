"""What a press or a command of a member knows of its game: read in one trip to the store, and handed on."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from bot.core.live_table import LiveTable
from bot.core.mailbox import Mailbox
from bot.core.own_undo import LastAnswer, last_answer, why_not_alone
from bot.core.requirements import BLIND, PLAYED
from bot.core.snapshot import GameSnapshot
from bot.domain.announcements import reader_of
from bot.store import GameRow, Holder, LastSeen, Ledger, MemberRow, Stored, Theme
from engine.kernel import Entry, GameSpec, Seat, Table, parse_events
from engine.refusals import NotAsked, Refusal
from engine.text import Reader, Text, template

PLAYED_FOR = template("Somebody stands in for you. `/my back` takes your seat back.")


@dataclass(frozen=True, kw_only=True, slots=True)
class MemberFacts:
    """What the file knows of a member with regard to a game."""

    chosen: MemberRow                   # by the member
    theme: Theme                        # of the pictures that the member sees
    last_seen: LastSeen | None          # None: has never been there
    public_newest: int                  # the last row of any kind that everybody may know of
    looked: int | None                  # the row of the member's last look at the board
    last_answer: LastAnswer | None      # None: the member plays no seat, or the game isn't under way
    tips: Collection[str] | None        # decision points on which the member has had one; None: wants none, or is no beginner


def read_facts(ledger: Ledger, spec: GameSpec, stored: Stored, user: int) -> MemberFacts:
    game = stored.row.id
    seat = next((holder.seat for holder in stored.holders if holder.played_by(user)), None)
    return MemberFacts(chosen=ledger.settings.member(user),
                       theme=ledger.settings.theme(stored.row.guild, user) or "dark", last_seen=ledger.seats.visit(game, user),
                       public_newest=ledger.log.public_newest(game), looked=ledger.seats.look(game, user),
                       last_answer=None if seat is None or stored.row.status not in PLAYED else
                       last_answer(ledger, spec, game, seat), tips=ledger.lessons.tips(user, spec.key))


@dataclass(frozen=True, kw_only=True)
class Visit:
    """A member at a game, as both were when the press or command came; after a change a new one is made."""

    user: int
    spec: GameSpec
    snapshot: GameSnapshot
    facts: MemberFacts
    live: LiveTable | None              # None: there is no position to show
    changes: int                        # that the store had been asked for when it was read
    why_none: Refusal | None = None
    parts: Any = None                   # its components; None: they can't be had

    @property
    def game(self) -> GameRow:
        return self.snapshot.stored.row

    @property
    def id(self) -> int:
        return self.snapshot.stored.row.id

    @property
    def holders(self) -> Sequence[Holder]:
        return self.snapshot.stored.holders

    @cached_property
    def seat(self) -> Seat | None:
        """The seat for which the member answers."""
        return next((holder.seat for holder in self.holders if holder.played_by(self.user)), None)

    @cached_property
    def sight(self) -> Seat | None:
        """The seat whose secrets the member may see: the one that is the member's own, or that the member plays for its owner."""
        return next((holder.seat for holder in self.holders if holder.known_to(self.user)), None)

    @property
    def lapsed(self) -> bool:
        """True if the member is away without having said so."""
        return any(holder.lapsed and holder.user == self.user for holder in self.holders)

    @property
    def away(self) -> bool:
        """True if the member is away from the own seat, which nobody else plays."""
        return any(holder.user == self.user and holder.away and not holder.owner for holder in self.holders)

    def marked_since(self, *, own: bool = True) -> int:
        """The row since which a picture is marked: that of the member's last look, or the one before the last turn. The last turn
        it is for who has not looked yet, or has looked and nothing has happened since; and if it isn't the member's `own`."""
        look = self.facts.looked if own else None
        return self.snapshot.stored.told.marked if look in (None, self.facts.public_newest) else look or 0

    def seen_within(self, span: timedelta, now: datetime) -> bool:
        """True if the member, who may have been here before, has been so recently; also if there is nothing to follow."""
        last = self.facts.last_seen
        return self.sight is None or self.game.status not in PLAYED or (last is not None and last.seen_within(span, now))

    def named_otherwise(self, name: str, guild: int | None) -> bool:
        """True if pictures would call the member something else than this name on the game's own server."""
        return self.game.guild == guild and any(holder.user == self.user and holder.name != name for holder in self.holders)

    @property
    def table(self) -> Table:
        """The table of a started game: to read, never to change. Raises Refusal: the game has not started."""
        if self.live is None:
            assert self.why_none is not None, "there is a reason for it"
            raise self.why_none
        return self.live.table

    @property
    def position(self) -> Table | None:
        """The table; None before the start, and for a game that cannot be played."""
        return None if self.live is None else self.live.table

    @property
    def asked_since(self) -> str:
        """When the present questions were asked: ISO 8601, UTC."""
        return self.snapshot.asked[1] or self.snapshot.stored.started_at or self.game.created_at

    @property
    def reader(self) -> Reader:
        """A reader who knows the game's names and how its seats are called now; works for every game, even a broken one."""
        if self.live is not None:
            return reader_of(self.live.table)
        return Reader() if self.parts is None else Reader(dict(self.spec.words.names(self.parts)))

    def own_seat(self) -> Seat:
        """The seat for which the member answers. Raises NotAsked."""
        if self.seat is not None:
            return self.seat
        for holder in self.holders:
            if self.user in holder.blind:
                raise NotAsked(BLIND, seat=holder.seat)
        if self.sight is not None:
            raise NotAsked(PLAYED_FOR)
        raise NotAsked("You have no seat in this game, but one is free. See it with /table seats."
                       if any(holder.free for holder in self.holders) and self.game.status in PLAYED
                       else "You have no seat in this game.")

    @cached_property
    def undoable(self) -> int | None:
        """The newest row, if the log lets the member's seat take back its own last answer; else None."""
        last, seat = self.facts.last_answer, self.seat
        if last is None or last.taken is None or seat is None or self.game.status != "running" or len(self.table.asks) > 1:
            return None
        events = [event for row in last.taken for event in parse_events(self.spec, row.events)]
        return last.newest if why_not_alone(self.table, seat, events) is None else None

    @cached_property
    def can_ask_to_undo(self) -> bool:
        """True if the member has a move that could be undone, and there is somebody to ask."""
        last = self.facts.last_answer
        return (last is not None and last.own and len(self.table.asks) <= 1 and any(
            not holder.unattended and holder.seat != self.seat for holder in self.holders))

    def holder(self, seat: Seat) -> Holder:
        return next(holder for holder in self.holders if holder.seat == seat)

    def held(self, seat: Seat) -> Holder | None:
        """Who holds a seat; None: the game has no such seat now."""
        return next((holder for holder in self.holders if holder.seat == seat), None)


@dataclass(frozen=True, kw_only=True)
class Onlooker(Visit):
    """Nobody in particular at a game, with what waits in its outbox."""

    mail: Mailbox


@dataclass(frozen=True, slots=True)
class Committed:
    """What has been stored."""

    entries: Sequence[Entry]
    visit: Visit | None             # of the member who is shown what came of it


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What an answer led to: the new rows, and for the short private reply what everybody and this seat may read of them.

    The entries hold secrets of all seats: show their sentences only. Everything public is in the outbox already.
    """

    entries: Sequence[Entry]
    over: bool
    lines: Sequence[Text]       # public sentences, oldest first
    private: Sequence[Text]     # what the seat that answered, and only it, learns: also which answers came by its own orders
    visit: Visit | None = None  # of the member who answered, as things stand now
