"""Visits: what a press or a command of a member needs to know of its game, read in one trip."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from bot.core.live_table import LiveTable
from bot.core.mailbox import Mailbox, read_mail
from bot.core.requirements import PLAYED
from bot.core.service import Service
from bot.core.snapshot import GameSnapshot
from bot.core.visit import MemberFacts, Onlooker, Visit, read_facts
from bot.store import GameRow, Ledger
from engine.refusals import Refusal

NOBODY = 0                      # the number of no member
NEAR = 3                        # games of one channel of which everything is read at once, since one of them is meant


@dataclass(frozen=True, slots=True)
class Read:
    """What the file says of a game and a member, and how many changes had been asked for by then."""

    snapshot: GameSnapshot
    facts: MemberFacts
    changes: int
    mail: Mailbox | None            # None: not read

    @property
    def game(self) -> GameRow:
        return self.snapshot.stored.row

    def seats(self, user: int) -> bool:
        """True if a member has a seat in the game, or has left it to somebody else for a while."""
        return any(user in holder.users for holder in self.snapshot.stored.holders)


class Visits(Service):
    async def visit(self, game: int, user: int) -> Visit:
        """Always reads: else a person could tell by its time whether anything was written since, such as a reminder to somebody
        who has not answered under seal. Raises Refusal: there is no game with this number."""
        return await self.enter(await self.read(game, user), user)

    async def onlooker(self, game: int) -> Onlooker:
        """The visit of nobody in particular. Raises Refusal: there is no game with this number."""
        visit = await self.visit(game, NOBODY)
        assert isinstance(visit, Onlooker), "its mail is read"
        return visit

    async def under_way(self, user: int) -> list[Visit]:
        """A member's visits to all games under way in which the member holds a seat, newest last."""
        read = await self._read(lambda ledger: [row.id for row in ledger.games.games(user=user, status=PLAYED)], user)
        return [await self.enter(one, user) for one in read]

    async def read(self, game: int, user: int) -> Read:
        """Return what a visit needs, before the game is looked at. Raises Refusal: there is none with this number."""
        return (await self._read(lambda ledger: [game], user))[0]

    async def games(self, user: int, find: Callable[[Ledger], Sequence[GameRow]]) -> tuple[Sequence[GameRow], Mapping[int, Read]]:
        """Find games, and read of each what a visit needs, if they are few."""
        found = list[GameRow]()

        def near(ledger: Ledger) -> Sequence[int]:
            found[:] = find(ledger)
            return [row.id for row in found] if len(found) <= NEAR else ()

        read = await self._read(near, user)
        return found, {one.game.id: one for one in read}

    async def enter(self, read: Read, user: int) -> Visit:
        """The game is looked at: its table is brought into memory, if it can be."""
        row = read.game
        live: LiveTable | None = None
        why: Refusal | None = None
        try:
            async with self.session.locked(row.id):
                live = await self.session.loaded(row.id)
                read = await self._as_of_now(read, user)
        except Refusal as refused:                      # it has not begun, or can't be shown
            why, read = refused, await self._as_of_now(read, user)
        except Exception as fault:                      # it can still be paused, rolled back and closed
            number = await self.session.incident(fault, {"deed": "", "work": "visit", "given": {}}, row.id)
            why, read = Refusal("I can't show where this game stands. The bot's operator can look this up as incident {number}.",
                                number=number), await self._as_of_now(read, user)
        try:
            parts = live.table.parts if live is not None else (await self.session.components(row)).parts
        except Refusal:
            parts = None
        made = Visit if read.mail is None else partial(Onlooker, mail=read.mail)
        return made(user=user, spec=self.session.spec(row.key), snapshot=read.snapshot, facts=read.facts, live=live,
                     changes=read.changes, why_none=why, parts=parts)

    async def _as_of_now(self, read: Read, user: int) -> Read:
        return read if read.changes == self.store.changes else await self.read(read.game.id, user)

    async def _read(self, games: Callable[[Ledger], Sequence[int]], user: int) -> list[Read]:
        changes, specs = self.store.changes, self.session.specs

        def made(ledger: Ledger, snapshot: GameSnapshot) -> Read:
            stored = snapshot.stored
            return Read(snapshot, read_facts(ledger, specs[stored.row.key], stored, user), changes,
                        read_mail(ledger, stored.row.id) if user == NOBODY else None)

        return await self.session.read_snapshots(games, made)
