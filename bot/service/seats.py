"""Who holds which seat of a running game, who is away, and whether it goes on."""
from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from bot.core.incidents import operation
from bot.core.live_table import LiveTable
from bot.core.requirements import PLAYED, held_by, holder_of, plays_on, require, require_seat
from bot.core.service import Service
from bot.domain.announcements import member, notice, when
from bot.domain.letters import Application, Farewell, LastPlayer, Letter, StandInOffer
from bot.domain.timestamps import timestamp
from bot.service.alarms import alone
from bot.service.interests import spread_word
from bot.service.pause_votes import closed
from bot.service.replacement_updates import reseated, stranded
from bot.service.seat_sentences import meanwhile, played_automatically, plays_again, relieved, replaced, until_taken_over
from bot.service.undo_request_updates import left
from bot.store import Holder, Ledger, Owner, Status, Stored
from engine.kernel import Seat
from engine.refusals import Refusal, Stale
from engine.text import Fact, Text, printed, say, text, verbatim

NOBODY = text("There is nobody left to move, so the game is paused.")
ON = text("The game goes on.")

log = logging.getLogger(__name__)


class Seats(Service):
    # -- seats that change hands
    @operation
    async def resign(self, game: int, user: int) -> None:
        """Give up a seat of a running game: it is answered for until it is handed over. A stand-in gives it back to its owner."""
        async with self.session.locked(game):
            stored = await self.session.played(game)
            holder = holder_of(stored.holders, held_by(stored.holders, user))
            if holder.owner is not None:
                await self._give_back(stored, holder, holder.owner)
                return
            news = text("{member} gives up {seat:the}. The seat is free now.", member=member(user), seat=holder.seat)
            await self.vacate(stored, holder, news, by=user, audit=f"gave up {holder.seat}",
                              farewell=text("You gave up your seat."))

    async def vacate(self, stored: Stored, holder: Holder, news: Text, *, by: int | None, audit: str, farewell: Text,
                     also: Callable[[Ledger], None] | None = None) -> None:
        """Free a seat that nobody plays any more: it is answered for as the game says. A stand-in's goes back to its owner."""
        follows, now = None, _at_home(stored, holder)
        if holder.owner is None:
            caring, level = stored.row.caring, stored.row.successor
            now = Holder(seat=holder.seat, user=None, private=True, caretaker=caring and not level, level=level)
            follows = played_automatically(level) if level else until_taken_over(caretaker=caring)
        await self._reseat(stored, now, news, follows=follows, by=by, audit=audit, farewell=farewell, also=also)

    @operation
    async def stand_down(self, game: int, user: int) -> Owner:
        """Give a seat back to the member for whom this one stands in, who it is. Raises Refusal: this one does not."""
        async with self.session.locked(game):
            stored = await self.session.played(game)
            holder = next((holder for holder in stored.holders if holder.user == user), None)
            if holder is None or holder.owner is None:
                raise Refusal("You don't stand in for anybody in this game.")
            await self._give_back(stored, holder, holder.owner)
            return holder.owner

    @operation
    async def relieve(self, game: int, seat: Seat, by: int) -> None:
        """End a stand-in as game master: whoever holds the seat plays it again."""
        async with self.session.locked(game):
            stored = await self.session.played(game)
            require_seat(stored.holders, seat)
            holder = holder_of(stored.holders, seat)
            if holder.owner is None:
                raise Refusal("Nobody stands in for {seat}.", seat=seat)
            news = text("Game master {master} ends this: {member} no longer stands in for {owner}, who plays {seat} again.",
                        master=member(by), member=member(holder.user or 0), owner=member(holder.owner.user), seat=seat)
            now = _at_home(stored, holder)
            await self._reseat(stored, now, news, by=by, audit=f"took {seat} back from its stand-in",
                               farewell=relieved(holder.owner))

    async def _give_back(self, stored: Stored, holder: Holder, owner: Owner) -> None:
        now = _at_home(stored, holder)
        await self._reseat(stored, now, plays_again(holder, owner), by=holder.user, audit=f"gave {holder.seat} back",
                           farewell=relieved(owner))

    def require_receivable(self, stored: Stored, kind: Literal["hand", "standin"], seat: Seat, user: int) -> None:
        """Raise Refusal if a member cannot get a seat, for good or as a stand-in, whoever agrees."""
        holder = holder_of(stored.holders, seat)
        _require_newcomer(stored.holders, seat, user)
        if kind == "standin" and holder.user is None:
            raise Refusal("Nobody plays {seat}, so nobody can stand in. `/gm hand` gives it to a member.", seat=seat)
        if kind == "standin" and holder.owner is not None and holder.owner.user == user:
            raise Refusal("This is {member:possessive} own seat. `/my back` takes it back.", member=member(user))

    async def give(self, stored: Stored, seat: Seat, user: int, by: int, *, name: str, also: Callable[[Ledger], None]) -> None:
        """Give a seat to a member for good; who held it before has none any more, nor whose stand-in that was."""
        self.require_receivable(stored, "hand", seat, user)
        holder, facts = holder_of(stored.holders, seat), {"member": member(user), "master": member(by)}
        whose = holder.whose
        news = (text("Game master {master} gives {seat}, which was free, to {member}.", seat=seat, **facts)
                if whose is None else
                text("Game master {master} takes {seat:the} from {loser} and gives it to {member}.", seat=seat,
                     loser=member(whose), **facts))
        await self._reseat(stored, Holder(seat=seat, user=user, private=True, name=name), news, by=by,
                           audit=f"handed {seat} to <@{user}>" if whose is None else
                           f"handed {seat} from <@{whose}> to <@{user}>",
                           farewell=text("The game master has given your seat to somebody else."), also=also)

    async def take(self, stored: Stored, seat: Seat, user: int, *, name: str) -> None:
        """Give a free seat to the member who takes it over; a game that waited because nobody was there goes on."""
        self.require_receivable(stored, "hand", seat, user)
        news = text("{member} takes over {seat}, which was free.", member=member(user), seat=seat)
        await self._reseat(stored, Holder(seat=seat, user=user, private=True, name=name), news, by=user,
                           audit=f"took over {seat}", waking=True)

    async def let_stand_in(self, stored: Stored, seat: Seat, user: int, by: int, *, name: str,
                        also: Callable[[Ledger], None]) -> None:
        """Have a member play a seat for its holder, who still sees what it sees and can take it back at any time."""
        self.require_receivable(stored, "standin", seat, user)
        holder = holder_of(stored.holders, seat)
        assert holder.user is not None, "somebody holds it, or nobody could stand in"
        owner = holder.owner or Owner(user=holder.user, private=holder.private, name=holder.name)
        news = text("Game master {master} lets {member} stand in for {owner} and play {seat} until {owner} is back.",
                    member=member(user), owner=member(owner.user), seat=seat, master=member(by))
        await self._reseat(stored, _lent(holder, owner, user, name, holder.until), news, by=by,
                           audit=f"let <@{user}> stand in for {seat}",
                           farewell=replaced(user) if holder.owner is None else relieved(owner), also=also)

    async def lend(self, stored: Stored, seat: Seat, user: int, until: str | None, *, name: str,
                   also: Callable[[Ledger], None]) -> None:
        """Have a member play a seat for its holder, who has asked for it, until a moment or until the holder is back [P-43]."""
        self.require_receivable(stored, "standin", seat, user)
        holder = holder_of(stored.holders, seat)
        assert holder.user is not None and holder.owner is None, "its holder has asked"
        owner = Owner(user=holder.user, private=holder.private, name=holder.name)
        facts: dict[str, Fact] = {"member": member(user), "owner": member(owner.user), "seat": seat}
        news = (text("{member} stands in for {owner} and plays {seat} until {owner} is back.", **facts) if until is None else
                text("{member} stands in for {owner} and plays {seat} until {moment}.", moment=when(until), **facts))
        await self._reseat(stored, _lent(holder, owner, user, name, until or holder.until), news, by=user,
                           audit=f"agreed to stand in for {seat}", farewell=replaced(user), waking=True, also=also)

    @operation
    async def care(self, game: int, seat: Seat, by: int, *, wanted: bool = True, held: int | None = None) -> None:
        """Have a neutral caretaker play a seat from now on, or leave it free, to its default answers.

        `held` is the member from whom it is taken. Raises Stale if somebody else plays it now.
        """
        async with self.session.locked(game):
            stored = await self.session.played(game)
            require_seat(stored.holders, seat)
            self._require_caretaker(stored)
            holder = holder_of(stored.holders, seat)
            if held is not None and holder.user != held:
                raise Stale("Somebody else has that seat now. Type /gm seats again.")
            if holder.caretaker == wanted:
                raise Refusal("A caretaker already plays {seat}." if wanted else "No caretaker plays {seat}.", seat=seat)
            free = Holder(seat=seat, user=None, private=True, caretaker=wanted)
            whose = holder.whose
            news = (text("Game master {master} takes {seat} from its caretaker.", seat=seat, master=member(by))
                    if not wanted else
                    text("Game master {master} no longer leaves {seat} free.", seat=seat, master=member(by))
                    if whose is None else
                    text("Game master {master} takes {seat} from {loser}.", seat=seat, master=member(by),
                         loser=member(whose)))
            await self._reseat(stored, free, news, follows=until_taken_over(caretaker=wanted), by=by,
                               audit=f"gave {seat} to a caretaker" if wanted else f"took {seat} from its caretaker",
                               farewell=text("The game master has given your seat to a caretaker."))

    async def automate_for_good(self, stored: Stored, held: Holder, level: str, news: Text, *, by: int, audit: str) -> None:
        """Have an automatic player of this strength play a seat from now on; "": its default moves are played."""
        await self._reseat(stored, Holder(seat=held.seat, user=None, private=True, level=level), news, by=by, audit=audit,
                           follows=played_automatically(level) if level else until_taken_over(caretaker=False),
                           farewell=text("The game master has given your seat to an automatic player."))

    async def automate_meanwhile(self, stored: Stored, held: Holder, level: str, news: Text, *, by: int, audit: str) -> None:
        """Have an automatic player of this strength play a seat until its player is back; "": default moves are played."""
        await self._reseat(stored, replace(_home(held), away=True, level=level), news, by=by, audit=audit,
                           follows=meanwhile(held.seat, level),
                           farewell=None if held.owner is None else relieved(held.owner))

    @operation
    async def care_for_free_seats(self, game: int, by: int, *, wanted: bool) -> None:
        """Say whether seats that are given up from now on go to a caretaker by themselves."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, ("open", *PLAYED))
            self._require_caretaker(stored)
            audit = f"decided that seats given up later {'go to a caretaker' if wanted else 'get default moves'}"
            news = text("Game master {master} decides: a caretaker plays seats that are given up later."
                        if wanted else
                        "Game master {master} decides: seats that are given up later stay free, with default moves.",
                        master=member(by))
            await self.change(game, by, lambda ledger: ledger.seats.set_caring(game, wanted), audit=audit, letters=[notice(news)])

    # -- absence

    @operation
    async def away(self, game: int, user: int, until: datetime | None = None, *, automatic: bool = True) -> None:
        """Declare an absence: the questions of a member's seat get their default answers at once, or those of an automatic player
        where the game has been opened so [P-16].

        It lasts until this moment, or until the member comes back. When everybody is away, the game is paused.
        """
        async with self.session.locked(game):
            stored = await self.session.played(game)
            holder = holder_of(stored.holders, held_by(stored.holders, user))
            if holder.owner is not None:
                raise Refusal("You stand in for {owner}. `/game resign` gives the seat back.", owner=member(holder.owner.user))
            if until is not None and until <= self.session.now():
                raise Refusal("That time is past. Choose a later one.")
            ends = None if until is None else timestamp(until)
            news = (text("{member} is away.", member=member(user)) if ends is None else
                    text("{member} is away until {moment}.", member=member(user), moment=when(ends)))
            level = holder.level or stored.row.successor if automatic else ""
            away = replace(holder, away=True, until=ends, lapsed=False, level=level)
            if away == holder:
                return                                          # the same button again: everybody has been told
            await self._reseat(stored, away, news, by=user,
                               audit=f"declared an absence for {holder.seat}", follows=meanwhile(holder.seat, level))

    @operation
    async def back(self, game: int, user: int) -> Seat:
        """End a member's absence, and take the seat back from who stood in; the seat."""
        async with self.session.locked(game):
            stored = await self.session.played(game)
            holder = next((holder for holder in stored.holders if holder.known_to(user)), None)
            if holder is None:
                raise Refusal("You have no seat in this game.")
            if holder.owner is not None and holder.user == user:
                raise Refusal("You stand in for {owner}. `/game resign` gives the seat back.", owner=member(holder.owner.user))
            if not holder.away and holder.owner is None:
                raise Refusal("You aren't away.")
            await self._come_back(stored, holder, by=user)
            return holder.seat

    @operation
    async def acts_again(self, game: int, user: int) -> bool:
        """End the absence of a member who acts for the own seat; whether there was one."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            away = next((holder for holder in stored.holders if holder.user == user and holder.away and not holder.owner), None)
            if away is None or stored.row.status not in PLAYED:
                return False
            await self._come_back(stored, away, by=user)
            return True

    @operation
    async def returned(self, game: int) -> None:
        """End the absences of a game that are over by now."""
        at = self.session.time()
        async with self.session.locked(game):
            try:
                await self._end_absences(game, at)
            except Refusal as why:
                log.warning("game %s: an absence could not be ended (%s)", game, why)
                await self._leave_open(await self.session.stored(game), at)

    async def _end_absences(self, game: int, at: str) -> None:
        while (stored := await self.session.stored(game)).row.status in PLAYED:
            over = next((holder for holder in stored.holders if holder.until and holder.until <= at), None)
            if over is None:
                break
            await self._come_back(stored, over)
        else:
            await self._leave_open(stored, at)

    async def _come_back(self, stored: Stored, holder: Holder, by: int | None = None) -> None:
        whose = holder.whose
        assert whose is not None, "a free seat is not away"
        news = (text("{member} is back and plays {seat} again.", member=member(whose), seat=holder.seat)
                if by is not None or holder.owner is None else plays_again(holder, holder.owner))
        newest = await self.store.read(lambda ledger: ledger.log.newest(stored.row.id))
        await self._reseat(stored, replace(_home(holder), away=False, until=None, lapsed=False, back=newest, level=""),
                           news, by=by, waking=True, audit=f"ended the absence of {holder.seat}",
                           farewell=None if holder.owner is None else relieved(holder.owner))

    async def _leave_open(self, stored: Stored, at: str) -> None:
        """In a game that cannot go on: the absences that are over have no end in sight, so that nobody waits for it."""
        holders = [replace(holder, until=None) if holder.until and holder.until <= at else holder for holder in stored.holders]
        await self.store.write(lambda ledger: ledger.games.seat_all(stored.row.id, holders))

    # -- whether the game goes on

    @operation
    async def close(self, game: int, by: int, why: str) -> None:
        """End a game without a result; `why` is told to everybody."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, ("open", *PLAYED))
            reason = text(" {why}", why=verbatim(why.strip())) if why.strip() else text("")
            news = notice(text("Game master {master} has closed the game.{reason}", reason=reason, master=member(by)))
            await self.session.declare(stored, "closed", news, by, "closed the game")

    @operation
    async def pause(self, game: int, by: int) -> None:
        """Take no answers until the game goes on; nobody is asked, and no seat gets its default."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            if stored.row.status == "paused":
                raise Refusal("The game is already paused.")
            require(stored.row, ("running",))
            news = notice(text("Game master {master} has paused the game.", master=member(by)))
            at = self.session.time()
            await self.session.declare(stored, "paused", news, by, "paused the game",
                                       lambda ledger: closed(ledger, game, text("The game is paused."), at))

    @operation
    async def go_on(self, game: int, by: int | None) -> None:
        """End a pause; all who are awaited are asked again. `by`: None for the bot itself."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            if stored.row.status == "running":
                raise Refusal("The game isn't paused.")
            require(stored.row, ("paused",))
            alone = plays_on(stored.row, stored.holders)
            if all(holder.user is None for holder in stored.holders) and not alone:
                raise Refusal("Nobody has a seat in this game. Give one to somebody first, with `/gm hand`.")
            if all(holder.unattended for holder in stored.holders) and not alone:
                raise Refusal("Everybody is away. The game resumes when the first player is back.")
            live = await self.session.replay(replace(stored, row=replace(stored.row, status="running")))
            ask_again(live, [holder.seat for holder in live.holders])
            at = self.session.time()

            def resumed(ledger: Ledger) -> None:
                ledger.audit.note(game, by, "let the game go on", at)
                closed(ledger, game, text("The game has gone on."), at)

            await self.session.commit(live, first=[notice(ON)], also=resumed)
            self.session.remember(live)

    @operation
    async def set_private(self, game: int, user: int, wanted: bool) -> None:
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            seat = held_by(stored.holders, user)
            holders = tuple([replace(holder, private=wanted) if holder.seat == seat else holder for holder in stored.holders])
            why = text("You switched this message off.")
            off = [] if wanted else [Farewell(audience=seat, user=user, sentence=why)]

            def save(ledger: Ledger) -> None:
                ledger.games.seat_all(game, holders)
                ledger.outbox.add_letters(game, ledger.log.newest(game), off, self.session.time())

            if stored.row.status not in PLAYED:
                await self.store.write(save)
                return
            live = await self.session.loaded(game)
            live.holders = holders
            await self.session.commit(live, again=[seat], also=save)

    # -- the works

    async def _reseat(self, stored: Stored, now: Holder, news: Text, *, by: int | None, audit: str, follows: Text | None = None,
                      farewell: Text | None = None, waking: bool = False,
                      also: Callable[[Ledger], None] | None = None) -> None:
        """Change who is at one seat, in one transaction with all that follows from it.

        A new player is sent what the seat knows and is asked again; who played it before loses everything, with `farewell` in
        place of its secrets. `follows` is told unless the game pauses because nobody is there, or goes on because somebody is
        (only if `waking`).
        """
        game, seat, at = stored.row.id, now.seat, self.session.time()
        before = holder_of(stored.holders, seat)
        moved = before.user != now.user
        holders = tuple([now if holder.seat == seat else holder for holder in stored.holders])
        status = await self._status(stored, holders, waking=waking)
        live = await self.session.replay(replace(stored, row=replace(stored.row, status=status), holders=holders))
        if moved:
            private = {other: told for other, told in live.told.private.items() if other != seat}
            live.told = live.told.model_copy(update={"private": private})
        if status != stored.row.status:
            follows = NOBODY if status == "paused" else ON
        told = news if follows is None else text("{news} {follows}", news=news, follows=follows)
        letters = [_given_up(live, told) if moved and now.user is None else notice(told, live.reader())]
        if moved or status != stored.row.status:
            ask_again(live, [seat] if status == stored.row.status else [one.seat for one in holders])
        if moved and before.user is not None and farewell is not None:
            letters.append(Farewell(audience=seat, user=before.user, sentence=farewell))

        def save(ledger: Ledger) -> None:
            if also is not None:
                also(ledger)
            if moved or by in before.users:
                reseated(ledger, game, seat, at, moved=moved)
            ledger.games.seat_all(game, holders)
            ledger.audit.note(game, by, audit, at)
            if now.free and not before.free:
                spread_word(ledger, game, self.session.now(), but=before.users)
            if status == "paused" != stored.row.status:
                ledger.seats.desert(game)
            loser = before.whose
            if moved and loser is not None and by not in (None, loser, before.user) and loser != now.whose:
                ledger.seats.set_invited(game, loser, False)          # whoever is taken out comes back only if invited
            if moved:
                if before.whose != now.whose:
                    left(ledger, game, seat, at, free=now.user is None)
                stranded(ledger, game, [one.user for one in holders if one.user is not None], at)
                ledger.outbox.add_letters(game, ledger.log.newest(game), [
                    StandInOffer(offer=offer) for offer in ledger.stand_ins.end_offers_for(game, seat)], at)
                ledger.seats.set_tenure(game, seat, ledger.log.newest(game), at)
                ledger.outbox.add_letters(game, ledger.log.newest(game),
                                          [Application(user=user, seat=seat) for user in ledger.seats.applicants(game, seat)], at)
                ledger.outbox.forget_message(game, f"private:{seat}")
                ledger.orders.drop_orders(game, seat, at)
                ledger.plans.drop_plan(game, seat)
                if now.user is not None and not before.known_to(now.user):
                    ledger.seats.forget_visit(game, now.user)

        await self.session.commit(live, first=letters, again=[seat] if moved else (), also=save)
        self.session.remember(live)

    async def _status(self, stored: Stored, holders: Sequence[Holder], *, waking: bool) -> Status:
        """How the game stands with these holders: it never runs on by itself to its end because nobody is there."""
        game, status = stored.row.id, stored.row.status
        if all(holder.unattended for holder in holders) and not plays_on(stored.row, holders):
            return "paused"
        if waking and status == "paused" and await self.store.read(lambda ledger: ledger.seats.deserted(game)):
            return "running"
        return status

    def _require_caretaker(self, stored: Stored) -> None:
        spec = self.session.spec(stored.row.key)
        if spec.rules.caretaker is None:
            raise Refusal("{game} has no caretaker. Default moves are played for free seats.", game=printed(spec.name))


def _given_up(live: LiveTable, told: Text) -> Letter:
    """The news that a seat is free; who is left alone by that, and can end the game, reads it there."""
    left, who = alone(live), live.reader()
    if left is None:
        return notice(told, who)
    user = holder_of(live.holders, left[0]).user
    return LastPlayer(user=user, text=say(
        text("{told} Only {seat:the} is left and can end the game as its winner.", told=told, seat=left[0]), who))


def _at_home(stored: Stored, holder: Holder) -> Holder:
    """A seat without its stand-in; if its player is away, with the automatic player who follows."""
    return replace(_home(holder), level=stored.row.successor if holder.away else "")


def _home(holder: Holder) -> Holder:
    if holder.owner is None:
        return holder
    return replace(holder, user=holder.owner.user, private=holder.owner.private, name=holder.owner.name, owner=None)


def _lent(holder: Holder, owner: Owner, user: int, name: str, until: str | None) -> Holder:
    return Holder(seat=holder.seat, user=user, private=True, name=name, owner=owner, away=holder.away, until=until,
                  lapsed=holder.lapsed, back=holder.back)


def _require_newcomer(holders: Sequence[Holder], seat: Seat, user: int) -> None:
    """Raise Refusal if a member has another seat of this game, or plays this one already."""
    if any(holder.user == user or (holder.seat != seat and user in holder.users) for holder in holders):
        raise Refusal("{member} already has a seat in this game.", member=member(user))


def ask_again(live: LiveTable, seats: Sequence[Seat]) -> None:
    live.told = live.told.model_copy(update={"asked": {seat: no for seat, no in live.told.asked.items() if seat not in seats}})
