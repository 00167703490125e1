"""The store, the live tables, the lock of each game and the commit: what all services stand on."""
from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from bot.core.commit import Commit, CommitPart, Stop
from bot.core.incidents import Incidents, capsule, operation, tell_log, unheard, written
from bot.core.live_table import LiveTable, StoredGame, answered_for, proxy_of
from bot.core.requirements import PLAYED, require
from bot.core.row_sentences import by_order, place, sentences
from bot.core.snapshot import GameSnapshot, read_game
from bot.core.visit import Committed, MemberFacts, Outcome, Visit, read_facts
from bot.domain.alarms import due
from bot.domain.announcements import after, final, notice, public_lines, reader_of
from bot.domain.deadlines import just_moved
from bot.domain.letters import GM, STATUS, Letter, Private, without_ping
from bot.domain.limits import NO_LIMITS, Limits, Quotas
from bot.domain.timestamps import timestamp
from bot.domain.troubles import Troubles
from bot.store import GameRow, Holder, Ledger, OrderRow, Status, Store, Stored
from bot.store.orders import in_force
from engine.components import Components, bound, released
from engine.kernel import Action, By, Checkpoint, Entry, Event, GameSpec, Preview, Row, Seat, Table
from engine.options import dice, rules_of
from engine.orders import Orders
from engine.players import NAMES, level_of
from engine.proxies import Proxy
from engine.refusals import Drift, Faulty, Refusal, Unreadable
from engine.text import Reader, joined, text, verbatim
from engine.undo import Rewind, line

SHORTEST = 5                    # minutes that an answer by order takes at least, in a game that veils them
TABLES = 1024                   # live tables kept in memory, about 50 kB each; a cold one takes a few milliseconds
PACKS = 32                      # components kept in memory besides those of live tables, up to 450 kB each

T = TypeVar("T")

log = logging.getLogger(__name__)


def wall_clock() -> datetime:
    return datetime.now(UTC)


def draw_secret() -> str:
    """A new secret for the dice of one game: 64 hexadecimal digits."""
    return secrets.token_hex(32)


class Session:
    """Holds the store, the live tables and the lock of each game, and commits what has happened at a table."""

    def __init__(self, store: Store, games: Iterable[GameSpec], *, now: Callable[[], datetime] = wall_clock,
                 secret: Callable[[], str] = draw_secret, tables: int = TABLES, limits: Limits = NO_LIMITS,
                 parts: Sequence[CommitPart] = (), stop: Stop = lambda *_: None) -> None:
        """`now` gives an aware time; `secret` gives 64 hexadecimal digits for the dice of one game; `parts` are what features add
        to each commit, one after the other, and `stop` is what follows where a game comes to a status without its table."""
        self.quotas = Quotas(limits)
        self.think: Callable[[int], None] | None = None         # an automatic player of this game is asked
        self.store, self.now, self.secret, self._most, self._parts, self._stop = store, now, secret, tables, parts, stop
        self.languages = store.languages
        self.specs = {spec.key: spec for spec in games}
        self.live: dict[int, LiveTable] = {}               # the least recently used first
        self.packs: dict[tuple[str, str], Components] = {}         # by game and hash, the least recently used first
        self._snapshots: dict[int, tuple[int, GameSnapshot]] = {}   # with how many changes had been asked for when it was read
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._holding: dict[int, asyncio.Task[Any] | None] = {}     # which task holds the lock of a game
        self.forgotten: set[int] = set()        # members who were erased since the start: a last message may be on its way
        self.incidents = Incidents(store.path.parent / "incidents")
        self.troubles = Troubles()

    def spec(self, key: str) -> GameSpec:
        """The game with this key. Raises Faulty."""
        if key not in self.specs:
            raise Faulty("There is no game {key}. Choose among: {games}.", key=verbatim(key),
                         games=tuple(verbatim(known) for known in self.specs))
        return self.specs[key]

    @operation
    async def table(self, game: int) -> Table:
        """The table of a started game: to read, never to change; what it is to be told by now is stored. Raises Refusal: it has
        not started, or can't be shown."""
        async with self.locked(game):
            return (await self.loaded(game)).table

    @asynccontextmanager
    async def locked(self, game: int) -> AsyncIterator[None]:
        """The game's one lock, for a read and the change that rests on it; never held while Discord is waited for.

        Whatever goes wrong inside leaves no doubtful table behind. Raises RuntimeError: this task holds it already.
        """
        if self._holding.get(game) is (task := asyncio.current_task()):
            raise RuntimeError("the lock of a game is taken twice")
        async with self._locks.setdefault(game, asyncio.Lock()):
            self._holding[game] = task
            try:
                yield
            except Refusal:
                raise
            except Drift as drift:
                self.forget(game)
                log.error("game %s: row %s no longer replays", game, drift.no)
                raise await self._broken(game, drift.no) from None
            except Exception:
                self.forget(game)
                raise
            finally:
                del self._holding[game]

    async def report(self, operation: Callable[..., Any], given: Mapping[str, Any], why: Exception) -> Refusal:
        """Keep a capsule of an operation that has gone wrong, and return the sentence for whoever wanted it."""
        game = given.get("game")
        number = await self.incident(why, written(operation, given), game if isinstance(game, int) else None)
        return Refusal("Something went wrong inside the bot. Nothing has changed. The bot's operator can look this up as "
                       "incident {number}.", number=number)

    async def incident(self, why: BaseException, attempt: Mapping[str, Any], game: int | None) -> int:
        """Keep a capsule of something unexpected, and give its number."""
        await asyncio.to_thread(self.incidents.recall)
        number, new = self.incidents.number(why, attempt.get("deed"), game)
        self.troubles.incident(number)
        tell_log(f"incident {number}, game {game}", why)
        if new:
            await asyncio.to_thread(self.incidents.keep, number, capsule(
                number, why, at=self.time(), attempt=attempt, game=game, captured=await self._captured(game)))
        return number

    async def _captured(self, game: int | None) -> Mapping[str, Any]:
        """Return what the file knows of a game; nothing, if that is what is unwell."""
        try:
            return {"tables": await self.store.read(lambda ledger: ledger.game_dump.capture(game)) if game is not None else {}}
        except Exception as unwell:
            tell_log("a capsule stays empty", unwell)
            return {"tables": {}}

    async def _broken(self, game: int, no: int) -> Refusal:
        """Pause a game whose log no longer replays, tell its game master once, and give the sentence that says so."""
        stored = await self.stored(game)
        if stored.row.status not in PLAYED or await self._sound(stored):
            return Refusal("I can't reproduce step {row}, so I can't show the position.", row=no)
        self.troubles.drifts[game] = no
        rows = await self.store.read(lambda ledger: ledger.log.outline(game))
        sound = max((row.no for row in line(rows).rows if row.no < no), default=0)
        why = Refusal("I can't reproduce step {row}, so I've paused this game. The game master can fix it with a rollback "
                      "to {place}.", row=no, place=place(sound))
        if stored.row.status == "running":
            await self.declare(stored, "paused", notice(why.text, audience=GM), None,
                                f"paused the game, since step {no} no longer replays")
        return why

    async def _sound(self, stored: Stored) -> bool:
        """True if the game stands where the file has it; an earlier position may be lost nonetheless."""
        try:
            await self.replay(stored)
        except Drift:
            return False
        return True

    async def stored(self, game: int) -> Stored:
        """A game with its seats, as the file has it. Raises Refusal: there is none with this number."""
        return (await self.snapshot(game)).stored

    async def snapshot(self, game: int) -> GameSnapshot:
        """Return what the file has of a game; read again only if something may have changed. Raises Refusal: there is no such
        game."""
        changes, found = self._snapshots.get(game, (-1, None))
        if found is not None and changes == self.store.changes:
            return found
        return (await self.read_snapshots(lambda ledger: [game], lambda ledger, snapshot: snapshot))[0]

    async def read_snapshots(self, games: Callable[[Ledger], Sequence[int]],
                             made: Callable[[Ledger, GameSnapshot], T]) -> list[T]:
        """What is made of the snapshots of some games, in the one trip to the store that reads them."""
        changes = self.store.changes

        def read(ledger: Ledger) -> list[tuple[T, GameSnapshot]]:
            found = [read_game(ledger, game, asked_at(game)) for game in games(ledger)]
            return [(made(ledger, snapshot), snapshot) for snapshot in found]

        def asked_at(game: int) -> int:         # in the store's thread: of a table that goes on meanwhile it is a row before
            live = self.live.get(game)
            return 0 if live is None else live.table.asked_at

        read_now = await self.store.read(read)
        for _, snapshot in read_now:
            self._keep_snapshot(snapshot, changes)
        return [result for result, _ in read_now]

    def _keep_snapshot(self, snapshot: GameSnapshot, changes: int) -> None:
        """Keep what was read when so many changes had been asked for."""
        self._snapshots.pop(snapshot.stored.row.id, None)
        while len(self._snapshots) >= self._most:
            del self._snapshots[next(iter(self._snapshots))]
        self._snapshots[snapshot.stored.row.id] = changes, snapshot

    async def played(self, game: int) -> Stored:
        """A game that has started and not ended. Raises Refusal."""
        stored = await self.stored(game)
        require(stored.row, PLAYED)
        return stored

    async def declare(self, stored: Stored, status: Status, news: Letter, by: int | None, audit: str,
                       also: Callable[[Ledger], None] | None = None) -> None:
        """A new status that needs no table: nobody is asked any more until the game goes on."""
        game, at = stored.row.id, self.time()

        def declare(ledger: Ledger) -> None:
            if also is not None:
                also(ledger)
            ledger.games.progress(game, status, stored.told.model_copy(update={"asked": {}}))
            ledger.outbox.withdraw(game, [f"question:{seat}" for seat in stored.told.asked])
            ledger.outbox.add_letters(game, ledger.log.newest(game), [news, STATUS], at)
            ledger.audit.note(game, by, audit, at)
            self._stop(ledger, game, status, at)

        self.forget(game)
        await self.store.write(declare)

    async def loaded(self, game: int) -> LiveTable:
        """The live table, from memory or from the file, told what it is to be told by now; rows that come of it are stored."""
        live = self.live.get(game)
        if live is None:
            live = await self.replay(await self.stored(game))
        elif live.row.status == "running":
            self.tell_moments(live.table)
        if live.table.fresh:
            with unheard():
                await self.commit(live)
        self.remember(live)
        return live

    def tell_moments(self, table: Table) -> None:
        """Tell a table that a moment has come on which its players had agreed: nothing that comes later counts before it."""
        decree = None if table.over else due(table.spec, table.state, self.now())
        if decree is not None:
            table.decree(decree)

    def forget(self, game: int) -> None:
        """Forget a live table; the next who needs it gets it from the file."""
        self.live.pop(game, None)

    def remember(self, live: LiveTable) -> None:
        self.forget(live.row.id)
        self.live[live.row.id] = live
        while len(self.live) > self._most:
            del self.live[next(iter(self.live))]

    async def replay(self, stored: Stored, returning: Row | None = None, orders: Sequence[OrderRow] | None = None, *,
                     before: int | None = None) -> LiveTable:
        """Replay a game from its last checkpoint, optionally with a row or with orders that are not yet stored.

        If these rules cannot read that checkpoint, the one before row `before` is taken, or, before 0, the set-up. Raises Drift
        if the log no longer fits the rules, and Refusal if the game has not started.
        """
        row = stored.row
        past, found = await self.past(stored, returning=returning, before=before), await self.components(row)
        absent = [holder.seat for holder in stored.holders if holder.absent] if row.status == "running" else ()
        spec = self.spec(row.key)
        kept = in_force(past.orders if orders is None else orders, {holder.seat: holder.user for holder in stored.holders})
        try:
            table = await asyncio.to_thread(                    # hundreds of rows may have to be replayed
                Table, spec, found.parts, past.start, [old for old in past.rows if old.no > past.start.no],
                dice=dice(stored.secret, stored.row.options), epoch=past.line.epoch, next_no=past.newest + 1,
                returned_at=past.line.returned_at, absent=absent, run_on=False,
                cared=[holder.seat for holder in stored.holders if holder.caretaker], veiled=row.veil > 0,
                deputy=Orders(spec, kept, past.used) if row.status == "running" else None,
                stirred=returning is not None and Rewind.model_validate_json(returning.answer).fresh)
        except Unreadable as why:
            if before == 0:
                raise
            return await self.replay(stored, returning, orders, before=why.no)
        if row.status == "running":
            self.tell_moments(table)
        if row.status in PLAYED:
            table.go_on()
        untold = [(sentence, table.turn) for old in past.rows if old.no > stored.told.row for sentence in sentences(spec, old)]
        return LiveTable(row, stored.secret, stored.holders, stored.told, table, untold)

    async def fork(self, live: LiveTable, seat: Seat, *, before: int | None = None) -> Callable[[], Preview]:
        """Return what makes previews for a seat from the position of now, to be called in a worker thread, from the last
        checkpoint or from one `before` a row. It raises Unreadable if these rules cannot read that one."""
        stored = await self.stored(live.row.id)
        past, found, spec = await self.past(stored, before=before), await self.components(stored.row), live.table.spec
        own = [order for order in in_force(past.orders, {holder.seat: holder.user for holder in stored.holders})
               if order.seat == seat]

        def made() -> Preview:
            return Preview(spec, found.parts, past.start, [old for old in past.rows if old.no > past.start.no], seat=seat,
                           epoch=past.line.epoch, next_no=past.newest + 1, returned_at=past.line.returned_at,
                           veiled=live.row.veil > 0, deputy=Orders(spec, own, past.used))

        return made

    async def opening(self, stored: Stored) -> Sequence[Event]:
        """Return what happened before anybody was asked anything: no row holds it."""
        start = await self.store.read(lambda ledger: ledger.log.checkpoint(stored.row.id, ()))
        assert start is not None, "a game that has begun has a first checkpoint"
        try:
            return await self._opened(stored, start)
        except Unreadable:
            return await self._opened(stored, await self._anew(stored))

    async def _opened(self, stored: Stored, start: Checkpoint) -> Sequence[Event]:
        found = await self.components(stored.row)
        return Table(self.spec(stored.row.key), found.parts, start, dice=dice(stored.secret, stored.row.options),
                     checkpoints=False, run_on=False).opening

    async def _anew(self, stored: Stored) -> Checkpoint:
        """The state before the first row, as these rules set it up for a game that began when this one did."""
        spec, found = self.spec(stored.row.key), await self.components(stored.row)
        kept = await self.store.read(lambda ledger: ledger.log.checkpoint(stored.row.id, ()))
        version = json.loads(kept.state).get("rules_version", 0) if kept is not None else spec.rules.version
        seats = tuple([holder.seat for holder in stored.holders])
        return Checkpoint(0, 0, spec.first_state(seats, rules_of(spec, stored.row.edition, stored.row.options), found.parts,
                                                 version=version).model_dump_json())

    async def past(self, stored: Stored, *, returning: Row | None = None, before: int | None = None) -> StoredGame:
        """Return what the file has, from the last state that was kept; from one `before` that row, or, before 0, from the
        set-up."""
        game, anew = stored.row.id, await self._anew(stored) if before == 0 else None

        def read(ledger: Ledger) -> StoredGame:
            rows = ledger.log.outline(game)
            if returning is not None:
                rows.append(returning)
            here = line(rows)
            valid = {row.no for row in here.rows}
            start = anew or ledger.log.checkpoint(game, valid, before=before)
            if start is None:
                raise Refusal("The game hasn't started yet.")
            since = min(start.no, stored.told.row)
            recent = [row for row in ledger.log.rows(game, since=since) if row.no in valid]
            return StoredGame(rows[-1].no if rows else 0, here, start, recent, ledger.orders.orders(game),
                              ledger.orders.order_uses(game, valid))

        return await self.store.read(read)

    async def components(self, row: GameRow) -> Components:
        found = self.packs.get((row.key, row.pack_hash)) or released(self.spec(row.key), row.pack_hash)
        if found is None:
            raw = await self.store.read(lambda ledger: ledger.games.components(row.pack_hash))
            found = await asyncio.to_thread(bound, self.spec(row.key), raw)
        return self.remember_components(row.key, found)

    def remember_components(self, key: str, found: Components) -> Components:
        """Keep components as the most recently used, and forget those that no game has needed for long."""
        self.packs.pop((key, found.hash), None)
        self.packs[key, found.hash] = found
        while len(self.packs) > PACKS:
            del self.packs[next(iter(self.packs))]
        return found

    async def give(self, live: LiveTable, seat: Seat, action: Action, by: By, also: Callable[[Ledger], None] | None = None, *,
                    proxy: Proxy | None = None, first: Sequence[Letter] = (), visitor: int | None = None) -> Outcome:
        """Give an answer that the table has examined, and store what follows; `proxy`: it is somebody else's than the seat's.
        `visitor`: the member who is shown what came of it."""
        try:
            live.table.answer(seat, action, by=by)
        except Refusal as why:
            raise RuntimeError("the table refuses what it examined, and may have changed") from why
        if proxy is not None:
            own = next(entry for entry in live.table.fresh if entry.seat == seat and entry.by == by)
            own.proxy = replace(proxy, sealed=own.together).written()
        committed = await self.commit(live, actor=seat, also=also, first=first, visitor=visitor)
        return self.done(live, seat, committed.entries, committed.visit)

    def done(self, live: LiveTable, seat: Seat, entries: Sequence[Entry], visit: Visit | None = None) -> Outcome:
        """Return what these rows tell everybody, and the seat besides."""
        return Outcome(entries=entries, over=live.table.over, visit=visit,
                    lines=[line for line, _ in joined(line for entry in entries for line in public_lines(entry.events))],
                    private=[*(by_order(entry.answer.label()) for entry in entries if entry.order and entry.seat == seat),
                             *(sentence for entry in entries for reached, sentence in entry.private if reached == seat)])

    async def commit(self, live: LiveTable, *, rows: Sequence[Row] = (), first: Sequence[Letter] = (), actor: Seat | None = None,
                      again: Iterable[Seat] = (), picture: bool = False, aloud: bool = False,
                      also: Callable[[Ledger], None] | None = None, visitor: int | None = None) -> Committed:
        """Store what is new at a table, with all that is told of it, in one transaction; if that fails, forget the table."""
        game, before, table, at = live.row.id, live.told, live.table, self.time()
        entries, checkpoint = table.take()
        ends = table.over and live.row.status in PLAYED
        status: Status = "over" if ends else live.row.status
        who = live.reader()
        listeners = {holder.seat: reader_of(table, self.languages.of_member(holder.reader, live.row.spoken))
                     for holder in live.holders if holder.reader is not None and holder.private}
        for entry in entries:
            entry.proxy = entry.proxy or proxy_of(live, entry)
        news = after(table, entries, live.untold, before, who, listeners=listeners, actor=actor, again=tuple(again),
                     picture=picture, aloud=aloud, asking=status == "running",
                     automatic=[holder.seat for holder in live.holders if holder.level], posting=live.row.posting)
        letters = [*first, *news.letters, *([self._final(live, who)] if ends else ())]
        if not all(isinstance(letter, Private) for letter in letters):         # a sealed answer leaves no trace at all
            letters.append(STATUS)
        letters += [letter for entry in entries if (letter := answered_for(live, entry, self.languages)) is not None]
        made = [*rows, *(entry.row() for entry in entries)]
        now = news.told.model_copy(update={"moved": news.told.moved | {
            entry.seat: at for entry in entries if entry.by in ("player", "order") and not entry.together}})
        quiet = just_moved(now.moved, at)
        commit = Commit(live=live, entries=entries, returned=bool(rows), status=status, ends=ends, who=who, at=at,
                        languages=self.languages, quiet=quiet - {actor},
                        expected=self._expected(live) if status == "running" else {})

        def save(ledger: Ledger) -> tuple[GameSnapshot, MemberFacts | None]:
            if also is not None:
                also(ledger)
            ledger.log.add_rows(game, made, at)
            if checkpoint is not None:
                ledger.log.add_checkpoint(game, checkpoint)
            for part in self._parts:
                part(ledger, commit)
            ledger.outbox.withdraw(game, news.outdated)
            ledger.outbox.add_letters(game, table.last_no, [without_ping(letter, quiet) for letter in letters], at)
            ledger.games.progress(game, status, now)
            snapshot = read_game(ledger, game, table.asked_at)
            return snapshot, None if visitor is None else read_facts(ledger, table.spec, snapshot.stored, visitor)

        changes = self.store.changes + 1
        try:
            snapshot, facts = await self.store.write(save)
        except BaseException:
            self.forget(game)      # memory never runs ahead of the file
            raise
        self._keep_snapshot(snapshot, changes)
        live.row, live.told, live.untold = replace(live.row, status=status), now, news.untold
        if self.think is not None and self.automatic_asked(live) is not None:
            self.think(game)
        return Committed(entries, None if visitor is None or facts is None else Visit(
            user=visitor, spec=table.spec, snapshot=snapshot, facts=facts, live=live, changes=changes, parts=table.parts))

    def _final(self, live: LiveTable, who: Reader) -> Letter:
        return final(live.table, who, live.secret, live.row.commitment, {
            holder.seat: text("automatic player ({level})", level=NAMES[level_of(holder.level)])
            for holder in live.holders if holder.level})

    def automatic_asked(self, live: LiveTable) -> Holder | None:
        if live.row.status != "running":
            return None
        asked = {question.seat for question in live.table.waiting()}
        asked -= self._expected(live).keys()                    # under a veil a standing order answers after a while
        return next((holder for holder in live.holders if holder.level and holder.seat in asked), None)

    def _expected(self, live: LiveTable) -> dict[Seat, str]:
        """The seats that will answer by order after a while, as long as a person might take, and when.

        The wait is drawn by lot, and not from the secret of the dice: everybody knows that one in the end (P-24).
        """
        table = live.table
        if not table.veiled or table.returned or table.deputy is None:
            return {}
        now, longest = self.now(), max(live.row.veil, SHORTEST)
        return {question.seat: timestamp(now + timedelta(
                    minutes=SHORTEST, seconds=int(self.secret(), 16) % (60 * (longest - SHORTEST) + 1)))
                for question in table.waiting() if question.seat not in table.absent
                and table.deputy.answer(table.state, question, table.options(question.seat)) is not None}

    def time(self) -> str:
        return timestamp(self.now())
