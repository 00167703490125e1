"""What everybody reads: the log, notices, requests, calls, votes, the result."""
from __future__ import annotations

import logging

import discord

from bot.core.visit import Onlooker
from bot.discord.components import Persistent, view
from bot.discord.game.absence import coming_back
from bot.discord.game.clock import on_vote, remind, tell_next, voting
from bot.discord.game.last_player import winning
from bot.discord.game.replacement import on_ballot, polling, still_to_vote, tell_replaced, tell_waiting
from bot.discord.game.undo import on_agree, posted
from bot.discord.game_master.clock import escalate
from bot.discord.game_master.idle_games import ask_host, still_open, tell_keepers, tell_long_pause
from bot.discord.game_master.succession import master_of, tell
from bot.discord.languages import of_server
from bot.discord.lengths import MESSAGE, pieces, shortened
from bot.discord.lobby.buttons import joining, recording, rematching, taking_over
from bot.discord.lobby.free_seats import applying, on_let_in
from bot.discord.outbox.arrivals import offers
from bot.discord.outbox.blocks import Block, blocks_view
from bot.discord.outbox.delivery import IN_NEED, sends
from bot.discord.outbox.log_messages import LogMessages
from bot.discord.outbox.weekly import tell_member, tell_server
from bot.discord.own.interests import tell_opened
from bot.discord.own.stand_in import offering, on_accept
from bot.discord.responses import titled
from bot.discord.results.routes import to_chronicle
from bot.domain import letters
from bot.domain.announcements import member, ranking
from bot.domain.letters import GM
from bot.store import OutboxRow
from engine.text import Text, count, lines, printed, say, text, verbatim
from engine.text.languages import speaking

log = logging.getLogger(__name__)


class ChannelMessages(LogMessages):
    """The letters that everybody reads in the channel."""

    @sends(letters.Notice)
    async def _notice(self, visit: Onlooker, row: OutboxRow, letter: letters.Notice) -> int:
        addressed = await master_of(self.bot, visit.game) if letter.audience == GM else None
        words = f"<@{addressed}> {letter.text}" if addressed else letter.text
        return await self._post(visit, row, words, ping=addressed)

    @sends(letters.Reminder)
    async def _reminder(self, visit: Onlooker, row: OutboxRow, letter: letters.Reminder) -> int | None:
        return await remind(self.bot, row, letter)

    @sends(letters.Escalation)
    async def _escalation(self, visit: Onlooker, row: OutboxRow, letter: letters.Escalation) -> int | None:
        return await escalate(self.bot, visit, row, letter)

    @sends(letters.Master)
    async def _master(self, visit: Onlooker, row: OutboxRow, letter: letters.Master) -> int | None:
        return await tell(self.bot, visit.game, row, letter)

    @sends(letters.Upcoming)
    async def _upcoming(self, visit: Onlooker, row: OutboxRow, letter: letters.Upcoming) -> int | None:
        return await tell_next(self.bot, visit, row, letter)

    @sends(letters.VoteMessage, mark=lambda game, letter, message: offers(message, on_vote, game, letter.choice))
    async def _vote(self, visit: Onlooker, row: OutboxRow, letter: letters.VoteMessage) -> int | None:
        """The one message of a vote to pause the game, or to go on: posted once, kept up to date, and closed."""
        items = [] if letter.ended else voting(visit.game, letter.choice)
        known = visit.mail.messages.get(letter.key)
        changed = known is not None and await self._changed(visit, known, letter.text, items) is not None
        if letter.ended:
            visit.mail.forget(letter.key)
            return None
        return known if changed else await self._post(visit, row, letter.text, view(items), ping=letter.waiting)

    @sends(letters.Lapse)
    async def _lapse(self, visit: Onlooker, row: OutboxRow, letter: letters.Lapse) -> int:
        return await self._post(visit, row, letter.text, view([coming_back(visit.game)]), ping=letter.user)

    @sends(letters.LastPlayer)
    async def _alone(self, visit: Onlooker, row: OutboxRow, letter: letters.LastPlayer) -> int:
        return await self._post(visit, row, letter.text, view([winning(visit.game)]), ping=letter.user)

    @sends(letters.RequestMessage, mark=lambda game, letter, message: offers(message, on_agree, game, letter.request))
    async def _request(self, visit: Onlooker, row: OutboxRow, letter: letters.RequestMessage) -> int:
        """The one message of a request to take something back: posted once, and kept up to date."""
        asked = await self.services.undo_requests.asked(letter.request)
        words, items, waiting = posted(visit, asked)
        words = shortened(words, MESSAGE, text("`/game history game:{game}`", game=visit.id))
        known = visit.mail.messages.get(letter.key)
        if known is not None and await self._changed(visit, known, words, items) is not None:
            return known
        return await self._post(visit, row, words, view(items), ping=waiting)

    @sends(letters.Final)
    async def _final(self, visit: Onlooker, row: OutboxRow, letter: letters.Final) -> int:
        users = {holder.seat: holder.user for holder in visit.holders if holder.user is not None and not holder.level}
        words = lines([text("### {title} is over", title=verbatim(titled(visit.game))),
                       text("**{result}**", result=verbatim(letter.result)), *ranking(letter, users)])
        won = [users[seat] for seat, _, place, _ in letter.standings if place == 1 and seat in users]
        course = [to_chronicle(visit.id)] if visit.spec.course is not None else []
        return await self._show(visit, row, blocks_view([Block(say(words))],
                                                        [rematching(visit.id), *course, recording(visit.id)]), ping=won)

    @sends(letters.Rematch)
    async def _rematch(self, visit: Onlooker, row: OutboxRow, letter: letters.Rematch) -> int:
        """The players of a finished game are called to play it again."""
        words = text("{host} wants a rematch of {title}: {players}, join in.", host=member(letter.host),
                     title=verbatim(titled(visit.game)), players=tuple([member(user) for user in letter.users]))
        return await self._post(visit, row, say(words), view([joining(visit.id)]), ping=letter.users)

    @sends(letters.Invited)
    async def _invited(self, visit: Onlooker, row: OutboxRow, letter: letters.Invited) -> int:
        words = text("{member}, {host} invites you to {title:.}", member=member(letter.user), host=member(letter.host),
                     title=verbatim(titled(visit.game)))
        way = joining(visit.id) if visit.game.status == "open" else taking_over(visit.id)
        return await self._post(visit, row, say(words), view([way]), ping=letter.user)

    @sends(letters.Opened)
    async def _opened(self, visit: Onlooker, row: OutboxRow, letter: letters.Opened) -> int | None:
        return await tell_opened(self.bot, row, letter)

    @sends(letters.StillOpen)
    async def _still_open(self, visit: Onlooker, row: OutboxRow, letter: letters.StillOpen) -> int | None:
        told = await still_open(self.bot, letter)
        if told is None:
            return None
        with speaking(of_server(self.bot, visit.game.guild)):
            shown, (*earlier, last) = view(told[1]), pieces(say(told[0]))
        assert shown is not None, "each game has a button"
        channel = self.bot.get_partial_messageable(letter.channel)
        for place, piece in enumerate(earlier):
            await self.put(channel, piece, row=row, part=str(place))
        return await self.put(channel, last, row=row, view=shown, allowed_mentions=discord.AllowedMentions.none())

    @sends(letters.QuietTable)
    async def _quiet(self, visit: Onlooker, row: OutboxRow, letter: letters.QuietTable) -> int | None:
        return await ask_host(self.bot, visit, row)

    @sends(letters.MemberWeek)
    async def _week_of_member(self, visit: Onlooker, row: OutboxRow, letter: letters.MemberWeek) -> int | None:
        return await tell_member(self.bot, row, letter)

    @sends(letters.ServerWeek)
    async def _week_of_server(self, visit: Onlooker, row: OutboxRow, letter: letters.ServerWeek) -> int | None:
        return await tell_server(self.bot, row, letter)

    @sends(letters.Called)
    async def _called(self, visit: Onlooker, row: OutboxRow, letter: letters.Called) -> int | None:
        """The members with a role of the server are called to an open game, once; never everybody."""
        if visit.game.status != "open" or letter.role == visit.game.guild or visit.game.invite_only:
            return None
        spec, items = visit.spec, view([joining(visit.id)])
        words = text("{role}: {title} is open, {spec} for {seats}.", role=verbatim(f"<@&{letter.role}>"),
                     spec=printed(spec.name), title=verbatim(titled(visit.game)),
                     seats=count(visit.game.seats, "{n} player", "{n} players"))
        assert items is not None, "there is a button"
        return await self.put(self.bot.get_partial_messageable(visit.game.channel), say(words), row=row, view=items,
                              allowed_mentions=discord.AllowedMentions(roles=[discord.Object(letter.role)]))

    @sends(letters.Application, mark=lambda game, letter, message: offers(message, on_let_in, game, letter.user))
    async def _application(self, visit: Onlooker, row: OutboxRow, letter: letters.Application) -> int | None:
        """The one message about a member who wants a free seat: the game master decides, and then it says what came of it."""
        told, items = await applying(self.services, visit, letter.user, letter.seat)
        words, known = say(told, visit.reader), visit.mail.messages.get(letter.key)
        if known is not None and await self._changed(visit, known, words, items) is not None:
            return known
        if not items:
            return None
        master = await master_of(self.bot, visit.game)
        return await self._summon(visit, row, text("{master} {told}", master=member(master), told=told), items, [master])

    @sends(letters.StandInOffer, mark=lambda game, letter, message: offers(message, on_accept, game, letter.offer))
    async def _stand_in(self, visit: Onlooker, row: OutboxRow, letter: letters.StandInOffer) -> int | None:
        """The one message of an offer to stand in: posted once, and then it says what came of it."""
        offer = await self.services.stand_ins.offer_made(visit.id, letter.offer)
        if offer is None:
            return None
        told, items = offering(visit.game, offer)
        words, known = say(told, visit.reader), visit.mail.messages.get(letter.key)
        if known is not None and await self._changed(visit, known, words, items) is not None:
            return known
        return await self._post(visit, row, words, view(items), ping=offer.user) if offer.ended is None else None

    @sends(letters.ReplacementVote, mark=lambda game, letter, message: offers(message, on_ballot, game, letter.replacement))
    async def _replacing(self, visit: Onlooker, row: OutboxRow, letter: letters.ReplacementVote) -> int | None:
        """The one message of a vote to replace a player: posted once, and kept up to date."""
        poll = await self.services.gone_players.poll(visit.id, letter.replacement)
        if poll is None:
            return None
        told, items = polling(visit, poll)
        words, known = say(told, visit.reader), visit.mail.messages.get(letter.key)
        if known is not None and await self._changed(visit, known, words, items) is not None:
            return known
        users = [poll.vote.user, *still_to_vote(visit, poll)]
        return await self._post(visit, row, words, view(items), ping=users, wanted=IN_NEED) if items else None

    @sends(letters.ReplacementCall, mark=lambda game, letter, message: offers(message, on_ballot, game, letter.replacement))
    async def _voters(self, visit: Onlooker, row: OutboxRow, letter: letters.ReplacementCall) -> None:
        """Whoever has not voted yet is called once more: the message is posted anew, and the earlier one goes."""
        poll = await self.services.gone_players.poll(visit.id, letter.replacement)
        if poll is None or poll.vote.ended is not None or not (missing := still_to_vote(visit, poll)):
            return
        key, (told, items) = letters.ReplacementVote(replacement=letter.replacement).key, polling(visit, poll)
        earlier = visit.mail.messages.get(key)
        visit.mail.keep(key, await self._summon(visit, row, told, items, missing))
        if earlier is not None:
            await self._deleted(visit, earlier)

    @sends(letters.LongWait)
    async def _waiting(self, visit: Onlooker, row: OutboxRow, letter: letters.LongWait) -> int | None:
        return await self._call_for_help(visit, row, await tell_waiting(self.bot, visit, letter))

    @sends(letters.Standstill)
    async def _stands(self, visit: Onlooker, row: OutboxRow, letter: letters.Standstill) -> int | None:
        return await self._call_for_help(visit, row, await tell_keepers(self.bot, visit, letter))

    @sends(letters.LongPause)
    async def _paused(self, visit: Onlooker, row: OutboxRow, letter: letters.LongPause) -> int | None:
        return await self._call_for_help(visit, row, await tell_long_pause(self.bot, visit))

    async def _call_for_help(self, visit: Onlooker, row: OutboxRow, call: tuple[Text, list[Persistent], list[int]] | None
                             ) -> int | None:
        """A call to members, with its words, its buttons and whom it calls; none if it is no longer due."""
        if call is None:
            return None
        words, items, users = call
        return await self._summon(visit, row, words, items, users)

    @sends(letters.ReplacementNotice)
    async def _replaced(self, visit: Onlooker, row: OutboxRow, letter: letters.ReplacementNotice) -> int | None:
        return await tell_replaced(self.bot, visit, row, letter)
