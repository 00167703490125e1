"""Players who are gone: votes of the others to replace one [P-44, P-45], and what a game does, as its host chose, about one who
never makes a first move [P-46]: the seat is free, or the game is opened again without that player."""
from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.core.incidents import operation
from bot.core.requirements import PLAYED, held_by, holder_of, require, require_seat
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.absence import FIRST_MOVE, HEARING, VOTING, NoShow, ReplacementRules, carried, hopeless, silent_for
from bot.domain.announcements import member, notice
from bot.domain.letters import STATUS, ReplacementCall, ReplacementNotice
from bot.domain.presence import Presence
from bot.domain.timestamps import timestamp
from bot.service.interests import announced
from bot.service.replacement_updates import announce_vote, closed
from bot.service.seats import Seats
from bot.store import Holder, Ledger, Stored
from bot.store.gone_players import Replacement
from engine.kernel import Seat
from engine.refusals import NotAsked, Refusal
from engine.text import Fact, Text, count, template, text

OVER = template("This vote is over.")


@dataclass(frozen=True, kw_only=True)
class Silence:
    """A seat whose player the others could vote to replace, now or later."""

    seat: Seat
    user: int
    silent: timedelta           # how long the player has kept the others waiting
    needed: timedelta           # how long it must be before a vote can begin
    voters: int                 # others who are there to vote

    @property
    def enough(self) -> bool:
        return self.silent >= self.needed


@dataclass(frozen=True, kw_only=True)
class Poll:
    """How a vote stands."""

    vote: Replacement
    votes: Mapping[int, bool]   # of those who still play, but for the one concerned


class GonePlayers(Service):
    """Players who are gone."""

    def __init__(self, session: Session, seats: Seats) -> None:
        super().__init__(session)
        self.seats = seats

    @operation
    async def set_replacement_rules(self, game: int, rules: ReplacementRules, by: int) -> None:
        """Say when they can; everybody who plays is told. A vote that is under way goes on as it began."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, ("open", *PLAYED))
            others = any(holder.user not in (None, by) for holder in stored.holders)
            news = text("New rule from game master {master}: {rules}", master=member(by), rules=rules.sentence(stored.row.seats))
            await self.change(game, by, lambda ledger: ledger.gone_players.set_replacement_rules(game, rules),
                              audit=f"set votes to replace a player to {rules.days} days, {rules.agreement}",
                              letters=[*([notice(news)] if others else []), STATUS])

    async def silences(self, game: int, by: int) -> list[Silence]:
        """The players who keep the others waiting, the most silent first, for this player; none where nobody can vote."""
        stored = await self.session.played(game)
        return await self.store.read(lambda ledger: self._silences(ledger, stored, by))

    @operation
    async def begin_vote(self, game: int, seat: Seat, by: int) -> Replacement:
        """Begin a vote to replace the player of a seat; whoever begins it agrees. Raises Refusal."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            held_by(stored.holders, by)
            require(stored.row, ("running",))
            require_seat(stored.holders, seat)
            holder = holder_of(stored.holders, seat)
            silences, under_way = await self.store.read(lambda ledger: (
                self._silences(ledger, stored, by), ledger.gone_players.open_replacements(game)))
            if not stored.row.replacement.days:
                raise Refusal("In this game players can't vote to replace anybody. The game master can, with `/gm hand`.")
            if holder.user is None:
                raise Refusal("Nobody plays {seat}.", seat=seat)
            if holder.user == by:
                raise Refusal("That's your own seat. `/game resign` gives it up.")
            if any(vote.seat == seat for vote in under_way):
                raise Refusal("A vote about {seat} is already under way.", seat=seat)
            found = next((one for one in silences if one.seat == seat), None)
            if found is None or not found.enough:
                needed = stored.row.replacement.silence(0) if found is None else found.needed
                raise Refusal("{member} hasn't kept you waiting long enough. A vote can begin after {days} without a move.",
                              rule="P-44", member=member(holder.user), days=count(needed.days, "{n} day", "{n} days"))
            needed_votes, user = stored.row.replacement.needed(found.voters), holder.user
            now, at = self.session.now(), self.session.time()

            def begin(ledger: Ledger) -> Replacement:
                id = ledger.gone_players.add_replacement(game, seat, user, by, ledger.log.public_newest(game), at,
                                                         timestamp(now + HEARING), timestamp(now + VOTING), needed_votes)
                ledger.audit.note(game, by, f"began a vote to replace <@{user}> in {seat}", at)
                made = ledger.gone_players.replacement(game, id)
                assert made is not None, "it has just been added"
                announce_vote(ledger, made, at)
                ledger.outbox.add_letters(game, ledger.log.newest(game), [ReplacementNotice(user=user, replacement=id)], at)
                return made

            return await self.store.write(begin)

    @operation
    async def cast_ballot(self, game: int, id: int, user: int, *, agrees: bool) -> Poll:
        """A player votes, or votes otherwise than before; how the vote stands then. Raises Refusal."""
        async with self.session.locked(game):
            stored, vote = await self._open(game, id)
            held_by(stored.holders, user)
            if user == vote.user:
                raise Refusal("This vote is about you. Make your move, or press *I'm here*, and it's over.")
            at = self.session.time()
            ballots = await self.store.read(lambda ledger: ledger.gone_players.ballots(id))
            if ballots.get(user) == agrees:
                raise Refusal("You've already voted for that." if agrees else "You've already voted against that.")
            ballots[user] = agrees
            players = _players(stored.holders, vote)

            def cast(ledger: Ledger) -> None:
                ledger.gone_players.cast_ballot(game, id, user, agrees=agrees)

            if carried(ballots, players, vote.needed) and vote.heard and stored.row.status == "running":
                await self._carry(stored, vote, also=cast)
            else:
                lost = hopeless(ballots, players, vote.needed)

                def note(ledger: Ledger) -> None:
                    cast(ledger)
                    if lost:
                        closed(ledger, vote, "kept", at)
                    else:
                        announce_vote(ledger, vote, at)

                await self.store.write(note)
        poll = await self.poll(game, id)
        assert poll is not None, "votes stay"
        return poll

    @operation
    async def here(self, game: int, id: int, user: int) -> None:
        """Whoever the vote is about says so: it is over. Raises Refusal."""
        async with self.session.locked(game):
            stored, vote = await self._open(game, id)
            if user not in holder_of(stored.holders, vote.seat).users:
                raise NotAsked("This vote is about {member}, not about you.", member=member(vote.user))
            at = self.session.time()

            def end(ledger: Ledger) -> None:
                closed(ledger, vote, "here", at)
                ledger.audit.note(game, user, f"ended the vote about {vote.seat}", at)

            await self.store.write(end)

    async def poll(self, game: int, id: int) -> Poll | None:
        """How a vote stands, or ended; None: there is no such one."""
        stored = await self.session.stored(game)

        def read(ledger: Ledger) -> Poll | None:
            vote = ledger.gone_players.replacement(game, id)
            if vote is None:
                return None
            players, ballots = _players(stored.holders, vote), ledger.gone_players.ballots(id)
            return Poll(vote=vote, votes={user: ballots[user] for user in ballots if user in players or vote.ended is not None})

        return await self.store.read(read)

    @operation
    async def settle_vote(self, game: int, id: int) -> None:
        """Carry a vote with enough agreement whose day of hearing is over, or call those who have not voted, or end it."""
        async with self.session.locked(game):
            stored, at = await self.session.stored(game), self.session.time()
            vote, ballots = await self.store.read(
                lambda ledger: (ledger.gone_players.replacement(game, id), ledger.gone_players.ballots(id)))
            if vote is None or vote.ended is not None or (stored.row.status in PLAYED and at < vote.look_at):
                return
            if stored.row.status == "running" and carried(ballots, _players(stored.holders, vote), vote.needed):
                await self._carry(stored, vote)
                return

            def settle(ledger: Ledger) -> None:
                if stored.row.status not in PLAYED:
                    closed(ledger, vote, "over", at)
                elif at >= vote.due_at:
                    closed(ledger, vote, "late", at)
                else:
                    ledger.gone_players.look_later(id, vote.due_at)
                    ledger.outbox.add_letters(game, ledger.log.newest(game), [ReplacementCall(replacement=id)], at)

            await self.store.write(settle)

    # -- first moves

    @operation
    async def set_no_show(self, game: int, what: NoShow, by: int) -> None:
        async with self.session.locked(game):
            require((await self.session.stored(game)).row, ("open",))
            await self.change(game, by, lambda ledger: ledger.gone_players.set_no_show(game, what), letters=[STATUS],
                              audit=f"chose what is done about a player who makes no first move: {what}")

    @operation
    async def deal_with_no_shows(self, game: int) -> None:
        """Do what a game has chosen about players whose first move is late by now; nobody on vacation is late, nor who could not
        be asked."""
        def late(ledger: Ledger) -> list[Seat]:
            presence = ledger.presence.presence(self.session.now())
            return [timer.whom for timer in ledger.timers.timers(presence, "first_move", game=game)
                    if self._is_late(ledger, presence, game, timer.whom)]

        async with self.session.locked(game):
            if gone := await self.store.read(late):
                await self._deal(game, gone)

    # -- the works

    async def _carry(self, stored: Stored, vote: Replacement, also: Callable[[Ledger], None] | None = None) -> None:
        """The seat is free, as if its player had given it up."""
        holder, at, user = holder_of(stored.holders, vote.seat), self.session.time(), member(vote.user)

        def done(ledger: Ledger) -> None:
            if also is not None:
                also(ledger)
            closed(ledger, vote, "done", at)

        news = (text("The players have voted to replace {member}: {seat} is free now.", member=user, seat=vote.seat)
                if holder.owner is None else
                text("The players have voted to replace {member}, who stood in for {owner}: {owner} plays {seat} again.",
                     member=user, owner=member(holder.owner.user), seat=vote.seat))
        await self.seats.vacate(stored, holder, news, by=None, audit=f"freed {vote.seat}, as the players voted", also=done,
                                farewell=text("The players have voted to replace you. While your seat is free, you can take it "
                                              "over again: `/table seats`."))

    async def _open(self, game: int, id: int) -> tuple[Stored, Replacement]:
        stored = await self.session.played(game)
        vote = await self.store.read(lambda ledger: ledger.gone_players.replacement(game, id))
        if vote is None or vote.ended is not None:
            raise Refusal(OVER)
        return stored, vote

    def _silences(self, ledger: Ledger, stored: Stored, by: int) -> list[Silence]:
        """The players who keep the others waiting, as everybody may know it [P-28].

        Whoever is away, or plainly silent too, is not counted among those who can vote; of several who decide at the same time
        nobody can say who is, so all are counted.
        """
        game, presence = stored.row.id, ledger.presence.presence(self.session.now())
        rules = stored.row.replacement
        if not rules.days or stored.row.status != "running":
            return []
        public, put = ledger.log.public_newest(game), {one.seat: one for one in ledger.clocks.deadlines(game)}
        found, plain = dict[Seat, timedelta](), set[Seat]()
        for holder in stored.holders:
            if holder.user is None or holder.level or (holder.absent and not holder.lapsed):
                continue
            tenure, deadline = ledger.seats.tenure(game, holder.seat), put.get(holder.seat)
            missed = ledger.gone_players.missed_since(game, holder.seat, holder.user, 0 if tenure is None else tenure.row, public)
            wanted = [datetime.fromisoformat(max(missed, stored.started_at or missed))] if missed is not None else []
            if deadline is not None and deadline.allowed is None and deadline.since is not None:
                wanted.append(deadline.since)
            heard = ledger.gone_players.last_replacement(game, holder.seat, holder.user)
            silent = silent_for(presence, wanted=min(wanted, default=None), away=ledger.clocks.hours(game, holder.user).away,
                                heard=None if heard is None else datetime.fromisoformat(heard))
            if silent is not None:
                found[holder.seat] = silent
                plain |= {holder.seat} if missed is not None or len(put) == 1 else set()
        gone = {seat for seat in plain if found[seat] >= rules.silence(0)}
        there = [holder.seat for holder in stored.holders
                 if holder.user == by or not (holder.unattended or holder.seat in gone)]
        out = list[Silence]()
        for holder in stored.holders:
            if holder.user is not None and holder.seat in found:
                voters = sum(seat != holder.seat for seat in there)
                out.append(Silence(seat=holder.seat, user=holder.user, silent=found[holder.seat], voters=voters,
                                   needed=rules.silence(voters)))
        return sorted(out, key=lambda one: -one.silent)

    def _is_late(self, ledger: Ledger, presence: Presence, game: int, seat: Seat) -> bool:
        found = next(one for one in ledger.clocks.deadlines(game) if one.seat == seat)
        if ledger.outbox.unsent(game, f"question:{seat}"):
            return False
        waited = silent_for(presence, wanted=found.since, heard=None, away=ledger.clocks.hours(game, found.user).away)
        return waited is not None and (found.allowed is not None or waited >= FIRST_MOVE)

    async def _deal(self, game: int, gone: Sequence[Seat]) -> None:
        stored = await self.session.played(game)
        if stored.row.no_show == "drop" and await self.store.read(
                lambda ledger: ledger.gone_players.untouched(game, ledger.log.public_newest(game))):
            await self._reopen(stored, gone)
            return
        for seat in gone:
            stored = await self.session.played(game)
            holder = next(holder for holder in stored.holders if holder.seat == seat)
            news = text("{member} has made no first move, so {seat} is free now.", member=member(holder.user or 0), seat=seat)
            await self.seats.vacate(stored, holder, news, by=None, audit=f"freed {seat}, as no first move was made",
                                    farewell=text("You made no first move, so your seat is free now. While it is, you can take "
                                                  "it over again: `/table seats`."))

    async def _reopen(self, stored: Stored, gone: Sequence[Seat]) -> None:
        """Open the game again, for everybody but those who made no first move; the one that began is closed."""
        old, at = stored.row, self.session.time()
        found = await self.session.components(old)
        kept = [_again(holder) for holder in stored.holders if holder.seat not in gone and (holder.whose or holder.level)]
        staying = [replace(holder, seat=Seat(f"seat_{place}")) for place, holder in enumerate(kept, 1)]
        missing = tuple([member(holder.user or 0) for holder in stored.holders if holder.seat in gone])
        values = {"key": old.key, "edition": old.edition, "options": dict(old.options), "title": old.title, "owner": old.owner,
                  "guild": old.guild, "channel": old.channel, "seats": old.seats, "pack_hash": found.hash, "created_at": at}

        def reopen(ledger: Ledger) -> None:
            number = ledger.games.add_game(values, found.raw)
            ledger.clocks.set_clock(number, replace(ledger.clocks.clock(old.id), voted=False))
            ledger.gone_players.copy_choices(old.id, number)
            ledger.games.seat_all(number, staying)
            ledger.audit.note(number, None, f"opened the game again, in place of game {old.id}", at)
            ledger.outbox.add_letters(number, 0, [STATUS, notice(_opened(old.owner, staying, number)),
                                                  *announced(ledger, number, self.session.now())], at)

        news = notice(text("{members} never made a first move, so I've closed this game and opened it "
                           "again without them.", members=missing))
        await self.session.declare(stored, "closed", news, None, "closed the game, as somebody made no first move", reopen)


def _players(holders: Sequence[Holder], vote: Replacement) -> Collection[int]:
    return [holder.user for holder in holders if holder.user is not None and holder.seat != vote.seat]


def _again(holder: Holder) -> Holder:
    """Whose seat it is, without anybody who plays it for a while."""
    owner = holder.owner or holder
    return Holder(seat=holder.seat, user=owner.user, private=owner.private, name=owner.name,
                  level="" if owner.user is not None else holder.level)


def _opened(owner: int, staying: Sequence[Holder], number: int) -> Text:
    """Return what the one who opens games and those who stay read of the new one."""
    players = tuple([member(holder.user) for holder in staying if holder.user is not None])
    facts: dict[str, Fact] = {"game": number, "owner": member(owner)}
    if not players:
        return text("Game {game} takes its place. {owner} can start it once enough have joined.", **facts)
    return text("Game {game} takes its place, with {players} so far. {owner} can start it once enough people have joined.",
                players=players, **facts)
