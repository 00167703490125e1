"""What can be looked at, which changes nothing of a game."""
from __future__ import annotations

import asyncio
import logging
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.core.incidents import operation
from bot.core.requirements import PLAYED, require_row
from bot.core.row_sentences import sentences, unspoken
from bot.core.service import Service
from bot.domain.announcements import member, public_lines, reader_of, when
from bot.domain.pages import paged
from bot.store import GameRow, Holder, Ledger, NotStored, Status
from bot.store.statistics import Figures
from engine.kernel import Ask, Checkpoint, Preview, Row, Seat, Table
from engine.kernel.game_spec import Picture, Replay
from engine.outside import plain
from engine.players import NAMES, level_of
from engine.proxies import read
from engine.refusals import Drift, Refusal
from engine.text import Reader, Text, say, text
from engine.undo import REWIND, line

SEAT = re.compile(r"\bseat_\d+\b")

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class OpenQuestion:
    """A question that waits for a person."""

    seat: Seat
    user: int | None
    ask: Ask[Any]
    asked_at: int
    since: str                  # ISO 8601, UTC: when it was asked


class Queries(Service):
    async def game(self, game: int) -> GameRow:
        """One game. Raises Refusal: there is none with this number."""
        return (await self.session.snapshot(game)).stored.row

    async def games(self, *, channel: int | None = None, user: int | None = None, guild: int | None = None,
                    number: int | None = None, status: Sequence[Status] = ("open", "running", "paused"),
                    most: int = -1) -> list[GameRow]:
        """The games that fit all that is given, newest last; `user`: a member who holds a seat.

        Of each status at most so many, the newest (-1: all).
        """
        return await self.store.read(lambda ledger: ledger.games.games(channel=channel, user=user, guild=guild, number=number,
                                                                 status=status, most=most))

    async def within_reach(self, user: int, guild: int | None, *, number: int | None, status: Sequence[Status],
                           most: int) -> list[GameRow]:
        """The games of a member and those of a server, newest last; see `games`."""
        def find(ledger: Ledger) -> list[GameRow]:
            own = ledger.games.games(user=user, number=number, status=status, most=most)
            here = ledger.games.games(guild=guild, number=number, status=status, most=most) if guild is not None else []
            return sorted({game.id: game for game in (*own, *here)}.values(), key=lambda game: game.id)

        return await self.store.read(find)

    async def seated(self, user: int) -> set[int]:
        return await self.store.read(lambda ledger: ledger.games.seated(user))

    async def holders(self, game: int) -> list[Holder]:
        return list((await self.session.stored(game)).holders)

    async def seat_of(self, game: int, user: int) -> Seat | None:
        return next((holder.seat for holder in await self.holders(game) if holder.played_by(user)), None)

    async def sight_of(self, game: int, user: int) -> Seat | None:
        """The seat whose secrets a member may see: the one that is the member's own, or that the member plays for its owner."""
        return next((holder.seat for holder in await self.holders(game) if holder.known_to(user)), None)

    async def reader(self, game: int) -> Reader:
        """A reader who knows the game's names and how its seats are called now; works for every game, even a broken one."""
        stored = await self.session.stored(game)
        try:
            async with self.session.locked(game):
                return reader_of((await self.session.loaded(game)).table)
        except Refusal:
            pass
        except Exception as why:
            await self.session.incident(why, {"deed": "", "work": "names", "given": {}}, game)
        return Reader(dict(self.session.spec(stored.row.key).words.names((await self.session.components(stored.row)).parts)))

    async def waiting(self, game: int) -> list[OpenQuestion]:
        """The questions that wait for a person now; none if the game is not running or paused.

        In public, name all seats of `awaited` instead: which sealed answers are in already is nobody's business.
        """
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            if stored.row.status not in PLAYED:
                return []
            table = (await self.session.loaded(game)).table
            asked_at, since = (await self.session.snapshot(game)).asked
            if asked_at != table.asked_at:
                since = await self.store.read(lambda ledger: ledger.log.time(game, table.asked_at))
            users = {holder.seat: holder.user for holder in stored.holders}
            return [OpenQuestion(seat=question.seat, user=users[question.seat], ask=question, asked_at=table.asked_at,
                            since=since or stored.started_at or stored.row.created_at) for question in table.waiting()]

    async def awaited(self, game: int) -> list[Seat]:
        """The seats that may be named in public as awaited: all that are asked together, answered or not [P-28]."""
        table = await self.session.table(game)
        return [question.seat for question in table.asks]

    async def story(self, game: int, picture: Picture, *, seat: Seat | None = None, row: int | None = None,
                    since: int | None = None, since_own: bool = False, subject: str = "", ahead: Preview | None = None) -> Replay:
        """Return what a picture for this seat (None: for everybody) is made from, up to now or up to an earlier row of any kind.

        It is marked with what is new since a row, or `since_own` the seat's last answer (else not at all). `ahead`: it goes on
        to where the plan of this seat leads.
        Nothing is parsed here: what is made of a story belongs into a worker thread. Raises Refusal.
        """
        async with self.session.locked(game):
            asked = seat is not None and row is None
            table: Table | None = (await self.session.loaded(game)).table if asked else None
            stored = await self.session.stored(game)

            def read(ledger: Ledger) -> tuple[Checkpoint, list[Row], int]:
                rows = ledger.log.outline(game)
                if row is not None:
                    public = ledger.log.public_newest(game)
                    require_row([old for old in rows if old.no <= public], row)
                    rows = [old for old in rows if old.no <= row]
                here = line(rows)
                in_force, known = {old.no for old in here.rows}, here.head if since is None else since
                if since_own:
                    known = max((old.no for old in here.rows if old.seat == seat), default=0)
                start = ledger.log.checkpoint(game, () if picture.whole else {no for no in in_force if no <= known})
                if start is None:
                    raise Refusal("The game hasn't started yet.")
                return start, [old for old in ledger.log.rows(game, since=start.no) if old.no in in_force], known

            start, rows, known = await self.store.read(read)
            if ahead is not None:
                table, rows = ahead, [*rows, *(entry.row() for entry in ahead.fresh)]
            options = table.options(seat) if table is not None and seat is not None and stored.row.status == "running" else ()
            people = people_of(stored.holders)
            return Replay(spec=self.session.spec(stored.row.key), parts=(await self.session.components(stored.row)).parts,
                         start=start, rows=rows,
                         since=known, seat=seat, options=options, people=people, subject=subject)

    async def shown(self, game: int, picture: Picture, row: int | None = None) -> int | None:
        """The newest public row of which a picture tells, as of now or of an earlier row, and 0 if it waits for none; None while
        there is no such picture."""
        if not picture.there((await self.session.table(game)).state):
            return None
        if not picture.after:
            return 0

        def read(ledger: Ledger) -> int | None:
            told = ledger.log.telling(game, [kind.tag for kind in picture.after])
            last = min(ledger.log.public_newest(game), row or sys.maxsize)
            in_force = {row.no for row in line(ledger.log.outline(game)).rows} if told else set()
            return max((no for no in told if no in in_force and no <= last), default=None)

        return await self.store.read(read)

    async def pictured_before(self, game: int, row: int) -> int:
        """The row since which a picture of an earlier step is marked: the one before the last turn then."""
        return await self.store.read(lambda ledger: ledger.outbox.pictured_before(game, row))

    @operation
    async def looked(self, game: int, user: int, row: int) -> None:
        await self.store.write(lambda ledger: ledger.seats.looked(game, user, row))

    @operation
    async def met(self, game: int, user: int, name: str, guild: int | None) -> None:
        """A member who goes by this name on a server does something with a game; it is kept with all seats that the member has
        there, where pictures find it."""
        stored = await self.session.stored(game)
        misnamed = any(holder.user == user and holder.name != name for holder in stored.holders)
        try:
            if misnamed and stored.row.guild == guild:
                await self.store.write(lambda ledger: ledger.games.rename(user, name, guild))
        except NotStored as why:                        # no reason to hold up whatever the member wants
            log.warning("a player's new name: %s", why)

    async def history(self, game: int, *, page: int, size: int = 15) -> tuple[list[tuple[int, str, Text]], int]:
        """A page of the public record, oldest first, and how many pages there are; the last page is the newest.

        Each line is the row's number, "undone" or "", and its sentence. Pages count from 1; the nearest that exists is given.
        """
        lines = await self.public_record(game)
        return paged(lines, page, size)

    async def public_newest(self, game: int) -> int:
        """The number of the last row of any kind that everybody may know of: sealed answers count when all are in."""
        return await self.store.read(lambda ledger: ledger.log.public_newest(game))

    async def newest(self, game: int) -> int:
        """The number of the last row of any kind, in force or not; 0 before the first."""
        return await self.store.read(lambda ledger: ledger.log.newest(game))

    async def audit(self, game: int, *, page: int, size: int = 15) -> tuple[list[str], int]:
        """A page of who did what with a game, oldest first, and how many pages there are. Members stand in it as <@id>, seats by
        their names, moments as each reader's clock shows them; what went to one seat alone is not told."""
        notes, reader = await self.store.read(lambda ledger: ledger.audit.notes(game)), await self.reader(game)
        who = {user: say(text("The bot") if user is None else member(user)) for _, user, _ in notes}
        told = [f"{say(when(at), reader)} {who[user]} {audit}." for at, user, audit in notes]
        return paged([SEAT.sub(lambda seat: reader.name(seat[0]), line) for line in told], page, size)

    def lost(self) -> Path | None:
        """A file of the database that is not on the disk any more, so that nothing is stored."""
        return self.store.lost()

    async def figures(self) -> Figures:
        return await self.store.read(lambda ledger: ledger.statistics.figures())

    async def public_record(self, game: int) -> list[tuple[int, str, Text]]:
        """Every public sentence with its row; what is no longer in force is marked, and returns are told, and who answered in a
        seat's name. Of answers that are sealed still, nothing is told."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            if stored.row.commitment == "":
                return []
            rows = await self.store.read(lambda ledger: ledger.log.rows(game))
            hidden = await self._hidden(game, rows) if any(row.proxy for row in rows) else ()
            spec, in_force = self.session.spec(stored.row.key), {row.no for row in line(rows).rows}
            lines = [(0, "", sentence) for sentence in public_lines(await self.session.opening(stored))]
            told = await asyncio.to_thread(lambda: [sentences(spec, row) for row in rows])
            for row, said in zip(rows, told):
                mark = "" if row.no in in_force or row.verb == REWIND else "undone"
                lines += [(row.no, mark, sentence) for sentence in said]
                if (note := unspoken(spec, row)) is not None and row.no not in hidden:
                    lines.append((row.no, mark, note))
            return lines

    async def _hidden(self, game: int, rows: Sequence[Row]) -> Collection[int]:
        """The rows of answers that are sealed still; of a game that cannot be shown, all that were sealed together."""
        try:
            return (await self.session.loaded(game)).table.sealed
        except (Refusal, Drift):
            return [row.no for row in rows if row.proxy]


def in_names(rows: Sequence[Row], hidden: Collection[int]) -> list[tuple[int, Text]]:
    """The rows that somebody answered in a seat's name, oldest first, and who; not those of answers that are sealed still."""
    return [(row.no, proxy.note(row.seat)) for row in rows if row.no not in hidden and (proxy := read(row.proxy)) is not None]


def people_of(holders: Sequence[Holder]) -> dict[Seat, str]:
    """Return what pictures call the players, as far as their names are known."""
    people = {holder.seat: plain(holder.name) for holder in holders if holder.user is not None and holder.name}
    return people | {holder.seat: _automatic(holder.level) for holder in holders if holder.level}


def _automatic(level: str) -> str:
    return say(text("Automatic ({level})", level=NAMES[level_of(level)]))
