"""Time on Discord: what is told of deadlines, reminders and pauses, and /clock."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord import lengths as ls, responses as rs
from bot.discord.components import Persistent, Style, button, in_game, view
from bot.discord.context import Context, Interaction
from bot.discord.dates import whole_day
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.absence import standing_in
from bot.discord.game.action_commands import CONTEXTS
from bot.discord.game.answering import on_your_move
from bot.discord.game.buttons import MY_GAMES
from bot.discord.heard import unsaid
from bot.discord.languages import of_member
from bot.discord.refusals import unreachable
from bot.discord.sanitize import tame
from bot.discord.visibility import readable_in
from bot.discord.visits import again
from bot.domain import deadlines, letters
from bot.domain.announcements import member, reader_of
from bot.domain.deadlines import Clock, Deadline
from bot.domain.waking_hours import Hours, city
from bot.service import Services
from bot.service.clocks import day, spoken
from bot.service.pause_votes import Choice as Choosing
from bot.store import GameRow, OutboxRow
from engine.kernel import Seat
from engine.orders import Ordering
from engine.refusals import Faulty, Refusal
from engine.text import Text, count, lines, say, text, verbatim
from engine.text.languages import speaking

MOVES = 24                      # games with a button below a reminder: one less than a message can have
OFFERED = ("none", "12h", "24h", "36h", "48h", "72h", "168h", "bank 48h+4h", "bank 72h+6h", "bank 96h+8h", "bank 168h",
           "bank 72h+24h/turn", "bank 168h+48h/turn")


# --- what is told -----------------------------------------------------------------------------------------------

def latest_of(deadlines: Iterable[Deadline]) -> Text | None:
    """Until when those who are asked now have to answer, as each reader's Discord tells it; None without a clock.

    Of several who are asked together it is the latest, so that it says nothing of a single one [P-13].
    """
    due = [deadline.due_at for deadline in deadlines if deadline.due_at is not None]
    return text("Deadline: {moment}.", moment=_moment(max(due))) if due else None


def _moment(moment: datetime) -> Text:
    return verbatim(f"{discord.utils.format_dt(moment, 'R')} ({discord.utils.format_dt(moment, 'f')})")


async def remind(bot: Context, row: OutboxRow, letter: letters.Reminder) -> int | None:
    """One message with all that a member has to answer: a direct one, or else one in a channel of each server, and in those of
    games of which nobody may read there.

    What has been answered meanwhile is left out. Of sealed answers nothing is said in a channel: who has answered already is
    nobody's business.
    """
    user, duties = letter.user, list[_Duty]()
    for game, seat, asked_at in letter.duties:
        duty = await _duty(bot.services, game, seat, asked_at, user)
        if duty is not None:
            duties.append(duty)
    if not duties:
        return None
    chosen = duties[0].chosen
    if chosen.direct or letter.notice:
        with speaking(of_member(bot, user)):
            told = [duty.words() for duty in duties]
        if len(duties) > MOVES:
            told.append(text("-# The first {most} have a button below. *My games* has them all.", most=MOVES))
        sent = await direct(bot, user, text("Your move:\n{duties}", duties=lines(told)),
                            _ways(duties), row=row)
        if sent is not None:
            return sent
    if chosen.pings == "none" or letter.notice:
        return None
    last: int | None = None
    for place, here in enumerate(await _together(bot, [duty for duty in duties if len(duty.table.asks) == 1])):
        with speaking(here[0].row.spoken):
            words = text("{member}, it's your move:\n{duties}", member=member(user),
                         duties=lines([duty.words(openly=True) for duty in here]))
        last = await call(bot, here[0].row, user, words, _ways(here), row=row, place=place)
    return last


async def _together(bot: Context, duties: Sequence[_Duty]) -> list[list[_Duty]]:
    """Those that may be told in one channel, that of the first of them."""
    found = list[list[_Duty]]()
    for duty in duties:
        guild = bot.get_guild(duty.row.guild or 0)
        for others in found:
            if guild is not None and await readable_in(bot, guild, others[0].row.channel, [duty.row]):
                others.append(duty)
                break
        else:
            found.append([duty])
    return found


class _Duty:
    """A question that waits for a member."""

    def __init__(self, visit: Visit, seat: Seat) -> None:
        self.row, self.table, self.seat, self.chosen = visit.game, visit.table, seat, visit.facts.chosen
        self.due = next((deadline.due_at for deadline in visit.snapshot.deadlines if deadline.seat == seat), None)

    def words(self, *, openly: bool = False) -> Text:
        """The game, the seat, the question (or what everybody may read of it), until when."""
        question, reader = self.table.asked(self.seat), reader_of(self.table)
        assert question is not None, "a duty is open"
        until = text("") if self.due is None else text(" Deadline: {moment}.", moment=_moment(self.due))
        return text("**{title}** in {channel}, {seat}: {question}{until}", title=verbatim(rs.titled(self.row)),
                    channel=rs.where_played(self.row), seat=verbatim(say(self.seat, reader)),
                    question=verbatim(say(question.told() if openly else question.text(), reader)), until=until)

    def move(self) -> Persistent:
        """The button that leads to it."""
        return button(text("Your move: {title}", title=verbatim(self.row.title)), on_your_move, self.row.id, self.seat,
                      style=Style.primary)


def _ways(duties: Sequence[_Duty]) -> list[Persistent]:
    """The buttons below a reminder: one for each question, as far as they fit, and one for all games of the member."""
    return [*(duty.move() for duty in duties[:MOVES]), button(text("My games"), MY_GAMES, 1)]


async def _duty(services: Services, game: int, seat: Seat, asked_at: int, user: int) -> _Duty | None:
    """A question that still waits for the same member."""
    visit = await services.visits.visit(game, user)
    if visit.game.status != "running" or visit.seat != seat:
        return None
    if visit.table.asked_at != asked_at or visit.table.asked(seat) is None:
        return None
    return _Duty(visit, seat)


async def tell_next(bot: Context, visit: Visit, row: OutboxRow, letter: letters.Upcoming) -> int | None:
    """Tell a member that their turn comes next, if it still does: directly, or else in the channel."""
    game, user, seat = visit.game, letter.user, letter.seat
    if game.status != "running" or not any(holder.played_by(user) for holder in visit.holders if holder.seat == seat):
        return None
    if visit.spec.rules.follows(visit.table.state) != seat:
        return None
    with speaking(of_member(bot, user)):
        name, chosen = verbatim(say(seat, visit.reader)), visit.snapshot.members[user]
    words = text("{title} in {channel}: you're next, {seat}.", title=verbatim(rs.titled(game)),
                 channel=rs.where_played(game), seat=name)
    sent = await direct(bot, user, words, [], row=row) if chosen.direct else None
    if sent is None and chosen.pings == "all":
        return await call(bot, game, user, text("{member}, you're next.", member=member(user)), [], row=row)
    return sent


async def direct(bot: Context, user: int, words: Text, items: Sequence[Persistent], *, row: OutboxRow) -> int | None:
    """A direct message, in the member's language; None if the member does not take any."""
    try:
        channel = await bot.directs.to(user)
        with speaking(of_member(bot, user)):
            (*earlier, last), below = ls.pieces(say(words)), _below(items)
        for place, piece in enumerate(earlier):
            await bot.outbox.put(channel, piece, row=row, part=f"d{place}")
        return await bot.outbox.put(channel, last, row=row, **below)
    except discord.HTTPException as shut:
        if not unreachable(shut):
            raise
        unsaid()
        return None


async def call(bot: Context, game: GameRow, user: int, words: Text, items: Sequence[Persistent], *, row: OutboxRow,
               place: int = 0) -> int:
    """A message in a game's channel, and in its language, that notifies one member; `place` tells several of one letter apart."""
    channel, called = bot.get_partial_messageable(game.channel), discord.AllowedMentions(users=[discord.Object(user)])
    with speaking(game.spoken):
        (first, *others), below = ls.pieces(say(words)), _below(items)
    number = await bot.outbox.put(channel, first, row=row, part=str(place), allowed_mentions=called,
                                  **(below if not others else {}))
    for more, piece in enumerate(others, 1):
        number = await bot.outbox.put(channel, piece, row=row, part=f"{place}.{more}", allowed_mentions=called,
                                      **(below if more == len(others) else {}))
    return number


def voting(game: GameRow, choice: Choosing) -> list[Persistent]:
    """The buttons below the message of a vote."""
    return [button(text("Agree"), on_vote, game.id, choice, style=Style.success),
            button(text("Refuse"), on_vote_against, game.id, choice, style=Style.danger)]


def voting_to_go_on(game: GameRow) -> list[Persistent]:
    """The button with which a player votes to end a pause; none unless the game is paused."""
    return [button(text("Vote to go on"), on_vote, game.id, "resume")] if game.status == "paused" else []


def _below(items: Sequence[Persistent]) -> dict[str, Any]:
    """Buttons as an argument of a message, which takes no view that is None."""
    shown = view(items)
    return {} if shown is None else {"view": shown}


# --- /clock --------------------------------------------------------------------------------------------------------

class Clocks(app_commands.Group):
    """What players do about time."""

    def __init__(self) -> None:
        super().__init__(name="clock", description="Deadlines, vacation, more time, a pause", allowed_contexts=CONTEXTS)

    @app_commands.command(description="How much time you have for your moves")
    @about_a_game()
    async def show(self, interaction: Interaction, game: str | None = None) -> None:
        await show(interaction, await visit_meant(interaction, game))

    @app_commands.command(description="Go on vacation: your clock stops and the game waits for you")
    @about_a_game(first="Your first day away", last="Your last day away", everywhere="On: in all your games at once")
    @app_commands.rename(first="from", last="until")
    async def vacation(self, interaction: Interaction, first: str, last: str, everywhere: bool = False,
                       game: str | None = None) -> None:
        services, user = interaction.client.services, interaction.user.id
        today = await services.clocks.today(user)
        days = a_day(first, today), a_day(last, today)
        if everywhere:
            await rs.reply(interaction,
                           lines([await _everywhere(services, row, user, days) for row in await services.queries.games(user=user)]
                                              or [text("You have no seat in any game. /game list shows the open ones.")]))
            return
        row = (await visit_meant(interaction, game)).game
        (starts, ends), left = await services.clocks.take_vacation(row.id, user, *days)
        await rs.reply(interaction, lines([
            text("You're on vacation from {first} to {last}. Your clock in {title} stops, and nobody reminds you.",
                 first=day(starts), last=day(ends - timedelta(seconds=1)), title=verbatim(rs.titled(row))),
            text("You have {left} left.", left=count(left, "{n} day", "{n} days"))]), view([_ending(row), *standing_in(row)]))

    @vacation.autocomplete("first")
    @vacation.autocomplete("last")
    @helping
    async def _days(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        today = await interaction.client.services.clocks.today(interaction.user.id)
        known = [today + timedelta(days=ahead) for ahead in range(ls.CHOICES)]
        names = [(whole_day(when), when.isoformat()) for when in known]
        return [Choice(name=name, value=value) for name, value in names
                if typed.strip().casefold() in f"{name} {value}".casefold()]

    @app_commands.command(description="Get 50% more time for your current move")
    @about_a_game()
    async def extend(self, interaction: Interaction, game: str | None = None) -> None:
        await extend(interaction, (await visit_meant(interaction, game)).id)

    @app_commands.command(description="Vote to pause the game, or to end such a pause")
    @about_a_game(what="What do you want?")
    async def vote(self, interaction: Interaction, what: Choosing, game: str | None = None) -> None:
        await vote(interaction, (await visit_meant(interaction, game)).game, what)


async def _everywhere(services: Services, game: GameRow, user: int, days: tuple[date, date]) -> Text:
    """Take the same vacation in one game of several; what came of it, which can be a refusal."""
    title = verbatim(rs.titled(game))
    try:
        (starts, ends), left = await services.clocks.take_vacation(game.id, user, *days)
    except Refusal as why:
        return text("**{title}**: {why}", title=title, why=why.text)
    return text("**{title}**: on vacation from {first} to {last}. You have {left} left.", title=title, first=day(starts),
                last=day(ends - timedelta(seconds=1)), left=count(left, "{n} day", "{n} days"))


def a_day(words: str, today: date) -> date:
    """The day that was meant by "2026-12-24", "today" or "tomorrow". Raises Refusal."""
    wanted = words.strip().casefold()
    if wanted in ("today", "tomorrow"):
        return today + timedelta(days=wanted == "tomorrow")
    try:
        return date.fromisoformat(wanted)
    except ValueError:
        raise Refusal("I can't read \"{words}\" as a date. Choose one from the list, or write it as {example}.",
                      words=verbatim(ls.clip(tame(words), ls.NAME)),
                      example=verbatim(today.isoformat())) from None


async def show(interaction: Interaction, visit: Visit) -> None:
    services, game, seat, rules = interaction.client.services, visit.game, visit.seat, visit.snapshot.clock
    words = [text("**{title}**: {clock}. Each player can take {vacation} off and {extensions}.", title=verbatim(rs.titled(game)),
                  clock=rules.clock.text(visit.spec.orders),
                  vacation=count(rules.vacation, "{n} day", "{n} days"),
                  extensions=count(rules.extensions, "{n} extension", "{n} extensions"))]
    banks = await services.clocks.banks(game.id)
    words += [text("{seat} has {time} left.", seat=whose, time=spoken(left)) for whose, left in banks.items()]
    due = latest_of(visit.snapshot.deadlines)
    words += [due] if due is not None else []
    items: list[Persistent] = []
    if seat is not None:
        hours = visit.facts.chosen.hours
        words += [awake(hours), *([text("`/settings` changes that.")] if hours is None else [])]
        now = discord.utils.utcnow()
        coming = [vacation for vacation in visit.snapshot.vacations[visit.user] if vacation.ends > now]
        words += [text("You're on vacation from {first} to {last}.", first=day(vacation.starts),
                       last=day(vacation.ends - timedelta(seconds=1))) for vacation in coming]
        if game.status == "running" and visit.table.asked(seat) is not None and rules.clock.hours:
            items.append(button(text("More time"), extend, game.id))
        if coming:
            items.append(_ending(game))
        if game.status == "running":
            items.append(button(text("Vote to pause"), on_vote, game.id, "pause"))
        if rules.voted or await services.idle_games.long_pause(game.id) is not None:
            items += voting_to_go_on(game)
    await rs.reply(interaction, lines(words), view(items))


def awake(hours: Hours | None) -> Text:
    if hours is None:
        return text("I don't know your waking hours, so your clock runs day and night.")
    if hours.wake == hours.sleep:
        return text("Your clock runs day and night, on {city} time.", city=verbatim(city(hours.zone)))
    return text("Your clock runs from {wake}:00 to {sleep}:00, {city} time.", wake=hours.wake, sleep=hours.sleep,
                city=verbatim(city(hours.zone)))


@in_game("extend")
async def extend(interaction: Interaction, visit: Visit) -> None:
    more = await interaction.client.services.clocks.extend(visit.id, visit.user)
    due = latest_of((await again(interaction, visit.id)).snapshot.deadlines)
    await rs.reply(interaction, lines([text("You get {time} more.", time=spoken(more)), *([due] if due is not None else [])]))


async def vote(interaction: Interaction, game: GameRow, what: Choosing, *, agrees: bool = True) -> None:
    stands = await interaction.client.services.clocks.vote(game.id, interaction.user.id, what, agrees=agrees)
    interaction.client.outbox.answered(game.id)
    if rs.in_public(interaction):                       # the message itself says what has come of it
        await rs.say_nothing(interaction)
        return
    if not stands.carried:
        words = text("Your vote is in: {votes} of {needed}. The others have a day to vote.",
                     votes=len(stands.agreed), needed=stands.needed)
    elif what == "pause":
        words = text("Your vote decided it: the game is paused.")
    else:
        words = text("Your vote decided it: the game goes on.")
    await rs.reply(interaction, words)


def _ending(game: GameRow) -> Persistent:
    return button(text("End my vacation"), on_resume, game.id)


# --- the clock of a game, as it is chosen -----------------------------------------------------------------------------

def usual(ordering: Ordering | None) -> list[Clock]:
    return list(dict.fromkeys(deadlines.read(words).suited(ordering) for words in OFFERED))


def suggested(typed: str, ordering: Ordering | None) -> list[Choice[str]]:
    """Usual clocks, in words as they are for a game, and the one that was typed if it can be read."""
    wanted = typed.strip().casefold()
    named = {clock: say(clock.text(ordering)) for clock in usual(ordering)}
    found = [clock for clock, words in named.items() if wanted in f"{clock.written()} {words}".casefold()]
    try:
        own = [deadlines.read(typed).suited(ordering)] if wanted else []
    except Faulty:
        own = []
    return rs.suggestions([Choice(name=ls.clip(ls.capital(say(clock.text(ordering))), ls.NAME), value=clock.written())
            for clock in dict.fromkeys([*own, *found])])


# --- presses ------------------------------------------------------------------------------------------------------------

@in_game("vote")
async def on_vote(interaction: Interaction, visit: Visit, what: Choosing) -> None:
    await vote(interaction, visit.game, what)


@in_game("voteagainst")
async def on_vote_against(interaction: Interaction, visit: Visit, what: Choosing) -> None:
    await vote(interaction, visit.game, what, agrees=False)


@in_game("resume")
async def on_resume(interaction: Interaction, visit: Visit) -> None:
    row = visit.game
    await interaction.client.services.clocks.end_vacation(row.id, interaction.user.id)
    await rs.reply(interaction, text("Your clock runs again."))
