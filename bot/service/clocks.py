"""Time: what is done when it is up, reminders, extensions, vacations, and pauses by vote."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from bot.core.incidents import operation
from bot.core.requirements import PLAYED, held_by, require, require_seat
from bot.core.service import Service
from bot.core.session import SHORTEST, Session
from bot.domain.announcements import member, notice
from bot.domain.deadlines import HOUR, NOTICED, Clock, Deadline, allowance, pace, stretch
from bot.domain.letters import STATUS, Escalation, LongWait, Reminder, ReplacementVote, RequestMessage
from bot.domain.waking_hours import Hours, Span
from bot.service.consent import SILENCE
from bot.service.inactivity import give_default
from bot.service.interests import tell_later
from bot.service.pause_votes import NOT, Choice, Votes, closed, read
from bot.service.plans import Plans
from bot.service.replacement_updates import reseated
from bot.service.seats import ask_again
from bot.store import ClockRow, Ledger, VacationRow
from engine.kernel import Row, Seat
from engine.refusals import NotAsked, Refusal
from engine.text import Text, count, say, text, verbatim
from engine.undo import REWIND, Rewind, line

MERGED = timedelta(hours=6)             # reminders that come within this time come together
REST = timedelta(minutes=15)            # without reminders for somebody who has just answered
STRETCHES = 2                           # extensions of one answer, each by half of its time
LONGEST_EXTENSION = 336                           # hours that a game master can give at once
AHEAD = 365                             # days to which a vacation can lie ahead
DAY = timedelta(days=1)


class Clocks(Service):
    def __init__(self, session: Session, plans: Plans) -> None:
        super().__init__(session)
        self.plans = plans

    # -- the clock of a game

    async def clock(self, game: int) -> ClockRow:
        return (await self.session.snapshot(game)).clock

    @operation
    async def set_clock(self, game: int, by: int, *, clock: Clock | None = None, vacation: int | None = None,
                        extensions: int | None = None) -> ClockRow:
        """Change how a game deals with time; what is left out stays. Open questions get the whole time of a new clock."""
        if vacation is not None and not 0 <= vacation <= AHEAD:
            raise Refusal("A game can allow 0 to {most} days of vacation.", most=AHEAD)
        if extensions is not None and not 0 <= extensions <= 20:
            raise Refusal("A game can allow 0 to 20 extensions.")
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, ("open", *PLAYED))
            before = await self.clock(game)
            ordering = self.session.spec(stored.row.key).orders
            now = replace(before, clock=(clock or before.clock).suited(ordering),
                          vacation=before.vacation if vacation is None else vacation,
                          extensions=before.extensions if extensions is None else extensions)
            at = self.session.time()
            news = notice(text("Game master {master} has set the clock: {clock}.", master=member(by),
                               clock=now.clock.text(ordering)))

            def change(ledger: Ledger) -> None:
                ledger.clocks.set_clock(game, now)
                ledger.audit.note(game, by, f"set the clock to {now.clock.written()}, with {now.vacation} days of vacation and "
                                  f"{now.extensions} extensions for each player", at)
                if clock is not None:
                    ledger.clocks.restart_deadlines(game)

            if stored.row.status in PLAYED:
                await self.session.commit(await self.session.loaded(game), first=[news] if clock is not None else (), also=change)
                return now

            def tell(ledger: Ledger) -> None:
                change(ledger)
                told = clock is not None and any(holder.user != by for holder in stored.holders)
                ledger.outbox.add_letters(game, 0, [*([news] if told else []), STATUS], at)

            await self.store.write(tell)
            return now

    async def deadlines(self, game: int) -> list[Deadline]:
        """The deadlines of those who are asked together, also of who has answered: which those are is nobody's business."""
        return list((await self.session.snapshot(game)).deadlines)

    async def banks(self, game: int) -> Mapping[Seat, timedelta]:
        """Return what each seat had left when the present questions were put; empty without banks."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            if stored.row.status not in PLAYED:
                return {}
            table = (await self.session.loaded(game)).table

            def read(ledger: Ledger) -> dict[Seat, timedelta]:
                clock = ledger.clocks.clock(game).clock.suited(table.spec.orders)
                if not clock.bank:
                    return {}
                in_force = {row.no for row in line(ledger.log.outline(game)).rows if row.no <= table.put_at}
                left = {holder.seat: allowance(
                    clock, [old for old in ledger.clocks.answered(game, holder.seat) if old.no in in_force],
                    stretch(table, holder.seat)) for holder in stored.holders}
                return {seat: time for seat, time in left.items() if time is not None}

            return await self.store.read(read)

    # -- what the clock does

    @operation
    async def beat(self) -> None:
        """Note that the bot is alive. If it was not for a while, nobody's time has run meanwhile.

        Nor has it if the wall clock was set; and if it was set back, nothing waits until it has made that up.
        """
        at, now = self.session.time(), self._moment()

        def alive(ledger: Ledger) -> None:
            last = ledger.presence.last_sign(now)
            if last is not None:
                running = ledger.clocks.running_deadlines()
                ledger.clocks.put_deadlines([one.forgiven(last, now, ledger.clocks.hours(one.game, one.user)) for one in running])
                for game in {one.game for one in running if one.due_at is not None}:
                    ledger.outbox.add_letters(game, ledger.log.newest(game), [STATUS], at)
                if now < last:
                    ledger.clocks.put_deadlines([replace(one, since=None).running(now, ledger.clocks.hours(one.game, one.user))
                                                 for one in ledger.clocks.deadlines_since(now)])
                    ledger.presence.bring_back(now, asking=SILENCE * HOUR, veil=timedelta(minutes=SHORTEST))
                else:
                    _postpone(ledger, last, now, at)
            ledger.presence.beat(at)

        await self.store.write(alive)

    @operation
    async def time_up(self, game: int, seat: Seat, asked_at: int) -> bool:
        """Answer for a seat whose time is up: as it has planned or ordered, else by default [P-11]; False if there is no need.

        A plan counts if nothing but the press was missing that makes it public.

        Who was never told of the question, because the channel could not be reached, gets the whole time again.
        """
        async with self.session.locked(game):
            stored, now = await self.session.stored(game), self._moment()
            if stored.row.status != "running":
                return False
            live = await self.session.loaded(game)
            found = {deadline.seat: deadline for deadline in await self.deadlines(game)}.get(seat)
            if found is None or found.asked_at != asked_at or found.due_at is None or found.due_at > now or found.given \
                    or live.table.asked(seat) is None:
                return False
            if await self.store.read(lambda ledger: ledger.outbox.unsent(game, f"question:{seat}")):
                again = replace(found, spent=timedelta(), extra=timedelta(), since=None)
                await self.store.write(
                    lambda ledger: ledger.clocks.put_deadlines([again.running(now, ledger.clocks.hours(game, again.user))]))
                return False
            if await self.plans.give_at_deadline(live, seat):
                pass
            elif live.table.answer_by_order(seat):
                await self.session.commit(live)
            else:
                await give_default(self.session, live, found)
            return True

    @operation
    async def remind(self, user: int) -> None:
        """Remind a member, once for all games, while awake."""
        now, at = self._moment(), self.session.time()
        await self.store.write(lambda ledger: _remind(ledger, user, ledger.clocks.running_duties(user), now, at))

    @operation
    async def escalate(self, game: int) -> None:
        """Tell the game master and the players of a game of a question that waits for long; no vacation counts as such."""
        now, at = self._moment(), self.session.time()

        def tell(ledger: Ledger) -> None:
            if not ledger.timers.timers(ledger.presence.presence(now), "long_wait", game=game):
                return
            asked = ledger.clocks.deadlines(game)                          # all who are asked together [P-13]
            seats = [deadline.seat for deadline in asked]
            for seat in seats:
                ledger.clocks.escalated(game, seat, at)
            away = [span for deadline in asked for span in ledger.clocks.hours(game, deadline.user).away]
            open_to_all = len(asked) == 1 or not any(gone <= now < back for gone, back in away)    # or it says who hasn't moved
            told = [LongWait(seats=seats)] if open_to_all and not ledger.gone_players.open_replacements(game) else []
            ledger.outbox.add_letters(game, ledger.log.newest(game), [Escalation(why="waits", seats=seats), *told], at)

        await self.store.write(tell)

    # -- more time

    @operation
    async def extend(self, game: int, user: int) -> timedelta:
        """Give a member half as much time again, for the open question or for its turn; how much that is. Raises Refusal."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            seat = held_by(stored.holders, user)
            require(stored.row, ("running",))
            table = (await self.session.loaded(game)).table
            found = {deadline.seat: deadline for deadline in await self.deadlines(game)}.get(seat)
            question = table.asked(seat)
            if question is None or found is None:
                raise NotAsked("You have nothing to do right now, so there is nothing to extend.")
            if found.allowed is None:
                raise Refusal("This game has no clock. Take all the time you need.")
            rules = await self.clock(game)
            taken = await self.store.read(
                lambda ledger: still_put(ledger.clocks.extensions(game, user), ledger.log.outline(game)))
            if taken.count(found.asked_at) >= STRETCHES:
                raise Refusal("This move already has twice its time. More isn't possible.")
            if len(taken) >= rules.extensions:
                raise Refusal("You've used all {extensions} that this game allows. The game master can give you more time.",
                              extensions=count(rules.extensions, "{n} extension", "{n} extensions"))
            whole = rules.clock.portion(pace(table, question)) if found.span and not rules.clock.bank else found.allowed
            more, at, now = whole / 2, self.session.time(), self._moment()
            news = [] if len(table.asks) > 1 else [       # of sealed answers nobody is told who hasn't given theirs yet
                text("{member} takes {time} more for this move.", member=member(user), time=spoken(more))]
            await self._move(game, seat, news, lambda deadline, hours: deadline.extended(more, now, hours),
                             also=lambda ledger: ledger.clocks.add_extension(game, user, found.asked_at, at))
            return more

    @operation
    async def extend_for(self, game: int, seat: Seat, hours: int, by: int) -> None:
        if not 1 <= hours <= LONGEST_EXTENSION:
            raise Refusal("A game master can give 1 to {most} hours at once.", most=LONGEST_EXTENSION)
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require_seat(stored.holders, seat)
            require(stored.row, PLAYED)
            live = await self.session.loaded(game)
            found = {deadline.seat: deadline for deadline in await self.deadlines(game)}.get(seat)
            if found is None:
                raise NotAsked("{seat} has nothing to do right now.", seat=seat)
            if found.allowed is None:
                raise Refusal("This game has no clock, so nobody can run out of time. `/gm clock` gives it one.")
            at, now, audit, more = self.session.time(), self._moment(), f"gave {seat} {hours} hours more", hours * HOUR
            news = text("Game master {master} gives {seat} {time} more for this move.", master=member(by),
                        seat=verbatim(say(seat, live.reader())), time=spoken(more))
            await self._move(game, seat, [news], lambda deadline, awake: deadline.extended(more, now, awake),
                             also=lambda ledger: ledger.audit.note(game, by, audit, at))

    # -- vacations

    async def vacations(self, game: int, user: int) -> list[VacationRow]:
        """The vacations of a member in a game, in order."""
        return await self.store.read(lambda ledger: ledger.clocks.vacations(game, user))

    async def today(self, user: int) -> date:
        chosen = (await self.store.read(lambda ledger: ledger.settings.member(user))).hours
        return (chosen or Hours()).day(self._moment())

    @operation
    async def take_vacation(self, game: int, user: int, first: date, last: date) -> tuple[Span, int]:
        """A member's clock stands still from one day to another, both included; from when to when, and the days left."""
        async with self.session.locked(game):
            stored, now = await self.session.stored(game), self._moment()
            seat = held_by(stored.holders, user)
            require(stored.row, ("open", *PLAYED))
            limit = (await self.clock(game)).vacation
            hours, known = await self.store.read(
                lambda ledger: (ledger.clocks.hours(game, user), ledger.clocks.vacations(game, user)))
            today = hours.day(now)
            if first < today:
                raise Refusal("That day is past. A vacation starts today, {today}, or later.", today=verbatim(today.isoformat()))
            if last < first:
                raise Refusal("A vacation can't end before it starts.")
            if (last - today).days > AHEAD:
                raise Refusal("That is more than a year ahead.")
            span = max(hours.midnight(first), now), hours.midnight(last + DAY)
            if any(span[0] < old.ends and old.starts < span[1] for old in known):
                raise Refusal("You're already on vacation then.")
            left = limit - sum(_days((old.starts, old.ends)) for old in known) - _days(span)
            if left < 0:
                raise Refusal("That is {wanted}, and you have {left} left of the {limit} this game allows.",
                              wanted=count(_days(span), "{n} day", "{n} days"), left=left + _days(span),
                              limit=count(limit, "{n} day", "{n} days"))
            news = text("{member} is on vacation from {first} to {last}. The clock stops for that time.", member=member(user),
                        first=day(span[0]), last=day(span[1] - timedelta(seconds=1)))
            after, at = replace(hours, away=tuple(sorted([*hours.away, span]))), self.session.time()

            def leave(ledger: Ledger) -> None:
                ledger.clocks.add_vacation(game, user, span)
                reseated(ledger, game, seat, at, moved=False)

            await self._move(game, seat, [news], lambda deadline, _: deadline.moved(now, hours, after), also=leave)
            return span, left

    @operation
    async def end_vacation(self, game: int, user: int) -> None:
        """End a member's vacation now, or call off the next one."""
        async with self.session.locked(game):
            stored, now = await self.session.stored(game), self._moment()
            seat = held_by(stored.holders, user)
            hours, known = await self.store.read(
                lambda ledger: (ledger.clocks.hours(game, user), ledger.clocks.vacations(game, user)))
            found = next((old for old in known if old.ends > now), None)
            if found is None:
                raise Refusal("You have no vacation to end in this game.")
            news = text("{member} is back from vacation.", member=member(user)) if found.starts <= now else \
                text("{member} cancels a vacation.", member=member(user))
            kept = [span for span in hours.away if span != (found.starts, found.ends)]
            after = replace(hours, away=tuple(sorted([*kept, (found.starts, now)] if found.starts < now else kept)))
            await self._move(game, seat, [news], lambda deadline, _: deadline.moved(now, hours, after),
                             also=lambda ledger: ledger.clocks.end_vacation(found.id, now))

    # -- pauses by vote

    @operation
    async def vote(self, game: int, user: int, choice: Choice, *, agrees: bool = True) -> Votes:
        """A player's vote to pause the game or to let it go on, or against that; it is so as soon as more than half want it."""
        async with self.session.locked(game):
            stored, at = await self.session.stored(game), self.session.time()
            held_by(stored.holders, user)
            rules = await self.clock(game)
            if choice == "pause" and stored.row.status == "paused":
                raise Refusal("The game is already paused.")
            if choice == "resume" and stored.row.status == "running":
                raise Refusal("The game isn't paused.")
            require(stored.row, PLAYED)
            players = [holder.user for holder in stored.holders if holder.user is not None]
            before = await self.store.read(lambda ledger: read(ledger, game, choice, players))
            if not (before.agreed or agrees):
                raise Refusal("There's no vote under way.")
            if choice == "resume" and not (rules.voted or before.agreed) and (     # a vote outlives the long pause's call
                    await self.store.read(lambda ledger: ledger.idle_games.long_pause(game)) is None):
                raise Refusal("This game wasn't paused by a vote. Its game master can resume it.")
            votes = before.after(user, agrees=agrees)
            if user in before.refused and not agrees:
                raise Refusal("You've already voted against that.")
            if user in before.agreed and agrees and not votes.carried:     # or enough have voted since others have left
                raise Refusal("You've already voted for that. {votes} of {needed} votes are in.", votes=len(votes.agreed),
                              needed=votes.needed)
            here = [holder.user for holder in stored.holders if holder.user is not None and not holder.absent]
            end = text("") if votes.carried else text("Not enough players want it.") if votes.hopeless else None

            def note(ledger: Ledger) -> None:
                ledger.clocks.vote(game, user, choice if agrees else NOT + choice, at)
                ledger.outbox.add_letters(game, ledger.log.newest(game), [votes.message(end, here=here)], at)

            if not votes.carried:
                await self.store.write(note)
            elif choice == "pause":
                def stand_still(ledger: Ledger) -> None:
                    note(ledger)
                    ledger.clocks.set_clock(game, replace(rules, voted=True))
                    ledger.clocks.forget_votes(game)

                news = notice(text("The players have voted to pause the game."))
                await self.session.declare(stored, "paused", news, user, "paused the game by vote", stand_still)
            else:
                def go_on(ledger: Ledger) -> None:
                    note(ledger)
                    ledger.audit.note(game, user, "let the game go on by vote", at)
                    ledger.clocks.forget_votes(game)

                live = await self.session.replay(replace(stored, row=replace(stored.row, status="running")))
                ask_again(live, [holder.seat for holder in live.holders])
                await self.session.commit(live, first=[notice(text("The players have voted to go on."))], also=go_on)
                self.session.remember(live)
            return votes

    @operation
    async def end_late_vote(self, game: int) -> None:
        """End a vote that has been under way for its day."""
        async with self.session.locked(game):
            at = self.session.time()
            await self.store.write(lambda ledger: closed(ledger, game, text("Not enough votes in time."), at))

    # -- the works

    async def _move(self, game: int, seat: Seat, news: Sequence[Text], how: Callable[[Deadline, Hours], Deadline],
                    *, also: Callable[[Ledger], None]) -> None:
        """Change the deadline of a seat, if it has one, with what is told of it, in one transaction."""
        at = self.session.time()

        def move(ledger: Ledger) -> None:
            ledger.clocks.put_deadlines([how(deadline, ledger.clocks.hours(game, deadline.user))
                                         for deadline in ledger.clocks.deadlines(game) if deadline.seat == seat])
            also(ledger)
            ledger.outbox.add_letters(game, ledger.log.newest(game),
                                      [*(notice(sentence) for sentence in news), STATUS], at)

        await self.store.write(move)

    def _moment(self) -> datetime:
        """Now, to the second, as it is stored."""
        return self.session.now().astimezone(UTC).replace(microsecond=0)


def _postpone(ledger: Ledger, off: datetime, now: datetime, at: str) -> None:
    """The bot was off: what ends by itself after some days ends that much later, and what is said of it says so."""
    requests, votes = ledger.presence.was_off(off, now)
    for game, request in requests:
        ledger.outbox.add_letters(game, ledger.log.newest(game), [RequestMessage(request=request)], at)
    for game, vote in votes:
        ledger.outbox.add_letters(game, ledger.log.newest(game), [ReplacementVote(replacement=vote)], at)
    tell_later(ledger, off, now - off)


def _remind(ledger: Ledger, user: int, duties: Sequence[Deadline], now: datetime, at: str) -> None:
    """One letter with all that a member is to be reminded of about now; none at night, nor to somebody who has just answered."""
    answered = ledger.clocks.last_answer(user)
    earliest = now if answered is None or answered > now else max(now, answered + REST)     # the clock may have been set back
    hours = {duty.game: ledger.clocks.hours(duty.game, user) for duty in duties}
    held = [replace(duty, remind_at=awake) for duty in duties if duty.reminds(now)
            and (awake := hours[duty.game].after(earliest, timedelta())) > now]
    ledger.clocks.put_deadlines(held)
    later = {(duty.game, duty.seat) for duty in held}
    ready = [duty for duty in duties if (duty.game, duty.seat) not in later]
    if not any(duty.reminds(now) for duty in ready):
        return
    told = [duty for duty in ready if duty.reminds(now + MERGED) and hours[duty.game].awake(now)]
    ledger.clocks.put_deadlines([duty.after_reminder(now, hours[duty.game]) for duty in told])
    chosen, (first, *_) = ledger.settings.member(user), told
    notice = all(duty.reminded == NOTICED for duty in told)
    if chosen.direct or chosen.pings != "none" or notice:
        open_to = [(duty.game, duty.seat, duty.asked_at) for duty in told]
        ledger.outbox.add_letters(first.game, ledger.log.newest(first.game), [
            Reminder(audience=first.seat, user=user, duties=open_to, notice=notice or None)], at)


def still_put(questions: Sequence[int], log: Sequence[Row]) -> list[int]:
    """Of questions, each by the row that put it, those that have not been taken back: it is in force, or returned to one that is.

    So more time that was taken for a question is given back with it, and spent again if a redo brings the question back.
    """
    in_force = {0, *(row.no for row in line(log).rows)}
    returned = {row.no: Rewind.model_validate_json(row.answer).to for row in log if row.verb == REWIND}
    return [no for no in questions if returned.get(no, no) in in_force]


def spoken(span: timedelta) -> Text:
    """A time in hours, or in minutes if it is short."""
    minutes = round(span.total_seconds() / 60)
    if minutes < 120 and minutes % 60:
        return count(minutes, "{n} minute", "{n} minutes")
    return count(round(minutes / 60), "{n} hour", "{n} hours")


def day(moment: datetime) -> Text:
    return verbatim(f"<t:{int(moment.timestamp())}:D>")


def _days(span: Span) -> int:
    """Days that a vacation counts: each that has begun."""
    return -int((span[0] - span[1]) // DAY)


def on_vacation(known: Mapping[int, Sequence[VacationRow]], now: datetime) -> Mapping[int, datetime]:
    """The members who are on vacation now, and the last moment of it."""
    return {user: vacation.ends - timedelta(seconds=1) for user, vacations in known.items() for vacation in vacations
            if vacation.starts <= now < vacation.ends}
