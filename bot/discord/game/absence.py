"""/my away and /my back: who is not there for a while, and who comes back to the own seat."""
from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, press_cancel, pressed, view
from bot.discord.context import Interaction
from bot.discord.errors import helping, note
from bot.discord.find_game import suggest_games, visit_meant
from bot.discord.game.action_commands import GAME_HELP
from bot.discord.game.answering import press_your_move
from bot.discord.game.buttons import HERE, STAND_IN
from bot.discord.game.extras import extra
from bot.discord.lengths import NAME, clip
from bot.discord.responses import add, reply, suggestions, titled
from bot.discord.sanitize import tame
from bot.discord.visits import BACK, again
from bot.domain.announcements import member, when
from bot.domain.waking_hours import Hours
from bot.store import GameRow, Holder
from engine.kernel import Seat, Table
from engine.players import NAMES, level_of
from engine.refusals import Refusal
from engine.text import English, Text, count, lines, say, text, verbatim

OFFERED = 14                # days that the list offers
LONGEST_ABSENCE = 90                # days that can be named
DAYS = re.compile(r"(?P<number>\d{1,3})\s*(?P<unit>d|days?|w|weeks?)?", re.IGNORECASE)
WEEK = 7                    # days
OPEN_END = 0                # in a custom id: until the member comes back
EVERYWHERE = locale_str("In all your games at once")


def add_absence(group: app_commands.Group) -> None:
    @group.command(name="away", description="Be away for a while: your standing orders and default moves play for you")
    @app_commands.describe(until="How many days, or until which day? Blank: until you come back", everywhere=EVERYWHERE,
                           game=GAME_HELP)
    @app_commands.autocomplete(until=suggest_days, game=suggest_games)
    async def away(interaction: Interaction, until: str = "", everywhere: bool = False, game: str | None = None) -> None:
        games = await _own(interaction) if everywhere else [await visit_meant(interaction, game)]
        hours = games[0].facts.chosen.hours if games else None
        ends = ending(until, discord.utils.utcnow(), hours or Hours())
        if due := [one for one in games if _to_move(one)]:
            moment, leave = int(ends.timestamp()) if ends is not None else OPEN_END, text("I'm away")
            await reply(interaction, text("It's your move in {games}. Once you're away, it's played for you at once.",
                                          games=_titles(due)), view([
                button(leave, press_away_everywhere, moment, style=Style.danger) if everywhere else
                button(leave, press_away, games[0].id, moment, style=Style.danger), button(text("Cancel"), press_cancel)]))
            return
        await _leave(interaction, games, ends, everywhere=everywhere)

    @group.command(name="back", description="Come back: end your absence, or take your seat back")
    @app_commands.describe(everywhere=EVERYWHERE, game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def back(interaction: Interaction, everywhere: bool = False, game: str | None = None) -> None:
        if not everywhere:
            await come_back(interaction, (await visit_meant(interaction, game)).id)
            return
        services, user = interaction.client.services, interaction.user.id
        games = [one for one in await services.visits.under_way(user)
                 if one.sight is not None and (one.holder(one.sight).away or one.seat is None)]
        await _each(games, lambda one: services.seats.back(one.id, user))
        await reply(interaction, text("Welcome back to {games}.", games=_titles(games)))


async def _own(interaction: Interaction) -> list[Visit]:
    """The games under way in which the caller plays."""
    return [one for one in await interaction.client.services.visits.under_way(interaction.user.id) if one.seat is not None]


def _to_move(visit: Visit) -> bool:
    return visit.seat is not None and visit.game.status == "running" and visit.table.asked(visit.seat) is not None


async def _leave(interaction: Interaction, games: Sequence[Visit], ends: datetime | None, *, everywhere: bool) -> None:
    services, user = interaction.client.services, interaction.user.id
    await _each(games, lambda one: services.seats.away(one.id, user, ends))
    await reply(interaction, lines([
        text("You're away until {moment}.", moment=when(ends.isoformat())) if ends else
        text("You're away until you come back with `/my back`."),
        *([text("This applies to {games}.", games=_titles(games))] if everywhere else []),
        _played_meanwhile(games), text("If you make a move yourself, you're back.")]),
        view([] if everywhere else [coming_back(games[0].game), *standing_in(games[0].game)]))
    for one in games:
        interaction.client.outbox.answered(one.id)


@in_game("awayhere")
async def press_away(interaction: Interaction, visit: Visit, until: int) -> None:
    """Be away although it is the presser's move; `until`: seconds since 1970, UTC."""
    await _leave(interaction, [visit], _moment(until), everywhere=False)


@pressed("awayall")
async def press_away_everywhere(interaction: Interaction, until: int) -> None:
    """The same in all games of the presser's."""
    await _leave(interaction, await _own(interaction), _moment(until), everywhere=True)


def _moment(seconds: int) -> datetime | None:
    """The end of an absence, as a button carries it. Raises Refusal: that moment has passed, or is none."""
    if seconds == OPEN_END:
        return None
    now = discord.utils.utcnow()
    if not 0 < seconds - now.timestamp() <= LONGEST_ABSENCE * timedelta(days=1).total_seconds():
        raise Refusal("This button is too old. Type /my away again.")
    return datetime.fromtimestamp(seconds, UTC)


async def _each(games: Sequence[Visit], act: Callable[[Visit], Awaitable[object]]) -> None:
    """Do it in every game; what one of them refuses is said after all others. Raises Refusal, also if there is no game."""
    refused = None if games else Refusal("You aren't in any game that this would affect.")
    for game in games:
        try:
            await act(game)
        except Refusal as why:
            refused = why
    if refused is not None:
        raise refused


def _played_meanwhile(games: Sequence[Visit]) -> Text:
    """Who plays while somebody is away from these games."""
    automatic = [bool(visit.game.successor) for visit in games]
    if all(automatic):
        return text("Your standing orders play for you. Where you have none, an automatic player plays.")
    if any(automatic):
        return text("Your standing orders play for you. Otherwise an automatic player does, or the default move is played "
                    "in games without one.")
    return text("Your standing orders play for you. Where you have none, the default move is played.")


@extra(0)
def being_back(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if visit.holder(seat).level:
        yield button(text("I'm back"), HERE, visit.id)


def _titles(games: Sequence[Visit]) -> tuple[Text, ...]:
    return tuple([verbatim(titled(visit.game)) for visit in games])


@in_game(HERE)
async def come_back(interaction: Interaction, visit: Visit) -> None:
    """End the caller's absence, unless the command itself has done so, and say what is asked now."""
    seat = visit.seat if interaction.extras.pop(BACK, None) == visit.id else None
    seat = seat or await interaction.client.services.seats.back(visit.id, visit.user)
    words, items = _asked(await again(interaction, visit.id), seat)
    await reply(interaction, lines([text("Welcome back. You play {seat} again.", seat=seat), words]), view(items))


async def welcomed(interaction: Interaction) -> None:
    """Tell whoever was away without a word, and has done something with the game just now, that the absence is over."""
    game: int | None = interaction.extras.get(BACK)
    if game is None:
        return
    services = interaction.client.services
    try:
        visit = await services.visits.visit(game, interaction.user.id)
        seat = visit.seat
        if seat is None or visit.holder(seat).away:
            return                                      # what was done is to leave again
        words, items = _asked(visit, seat)
        welcome = text("Welcome back. The clock had ended your turns and marked you away. You play {seat} again.", seat=seat)
        await add(interaction, say(lines([welcome, words]), visit.reader), view(items))
        interaction.client.outbox.answered(game)
    except Exception as error:                          # what was asked for is done; this was a courtesy
        await note(services, error, "courtesy", game)


def _asked(visit: Visit, seat: Seat) -> tuple[Text, list[Persistent]]:
    """Return what is asked of somebody who is back, with a way to answer."""
    asked = visit.table.asked(seat)
    if visit.game.status == "paused":
        return text("The game is paused. Its game master can resume it."), []
    if asked is None:
        return visit.table.idle(seat), []
    return asked.text(), [button(text("Your move"), press_your_move, visit.id, seat, style=Style.primary)]


def standing_in(game: GameRow) -> list[Persistent]:
    """The button that leads to a stand-in: whom to ask, or who it is; none where nobody could be asked."""
    return [] if game.guild is None else [button(text("Ask for a stand-in"), STAND_IN, game.id)]


def coming_back(game: GameRow) -> Persistent:
    return button(text("I'm back"), HERE, game.id)


def giving_up(visit: Visit, seat: Seat) -> Text:
    """Return what it means to give up a seat: for a stand-in its owner plays it again, for all others it is free."""
    title, holder = verbatim(titled(visit.game)), visit.holder(seat)
    if holder.owner is not None:
        return text("Give {seat} in {title} back to {owner}?", seat=seat, title=title,
                    owner=member(holder.owner.user))
    if visit.game.successor:
        return text("Give up your seat in {title}? An automatic player will play it until the game master gives it to somebody "
                    "else.", title=title)
    if visit.game.caring:
        return text("Give up your seat in {title}? A caretaker will play it until somebody else takes it over.", title=title)
    return text("Give up your seat in {title}? It makes default moves until somebody takes it over, and you may not get it "
                "back.",
                title=title)


def automatic(holder: Holder) -> Text:
    """That an automatic player has a seat, and how strong it is."""
    return text("automatic player ({level})", level=NAMES[level_of(holder.level)])


def whereabouts(holder: Holder) -> Text:
    """Who plays a seat, and whether that is for a while only."""
    if holder.caretaker:
        return text("a caretaker")
    if holder.level and holder.user is None:
        return automatic(holder)
    if holder.user is None:
        return text("nobody")
    if holder.owner is not None and holder.until is not None:
        return text("{member} for {owner} until {moment}", member=member(holder.user), owner=member(holder.owner.user),
                    moment=when(holder.until))
    if holder.owner is not None:
        return text("{member} for {owner}", member=member(holder.user), owner=member(holder.owner.user))
    if holder.level and holder.until is not None:
        return text("{member} (away until {moment}; automatic player, {level})", member=member(holder.user),
                    moment=when(holder.until), level=NAMES[level_of(holder.level)])
    if holder.level:
        return text("{member} (away; automatic player, {level})", member=member(holder.user), level=NAMES[level_of(holder.level)])
    if holder.away and holder.until is not None:
        return text("{member} (away until {moment})", member=member(holder.user), moment=when(holder.until))
    return text("{member} (away)", member=member(holder.user)) if holder.away else member(holder.user)


# --- until when ---------------------------------------------------------------------------------------------

def ending(words: str, now: datetime, hours: Hours) -> datetime | None:
    """The moment that was meant by "3", "3 days", "2 weeks", "tomorrow" or "2026-12-24"; None for no words. Raises Refusal.

    A day begins at midnight in the time zone of these hours.
    """
    wanted = words.strip().casefold()
    if not wanted:
        return None
    found = DAYS.fullmatch("1" if wanted == "tomorrow" else wanted)
    if found is not None:
        number = int(found["number"]) * (WEEK if (found["unit"] or "d").startswith("w") else 1)
        ends = now + timedelta(days=number)
    else:
        try:
            ends = hours.midnight(date.fromisoformat(wanted))
        except ValueError:
            raise Refusal("I can't read \"{words}\" as a date. Say for how many days, such as 3, or until which day, such as "
                          "{example}.", words=verbatim(clip(tame(words), NAME)),
                          example=verbatim(f"{now + timedelta(days=3):%Y-%m-%d}")) from None
    if not now < ends <= now + timedelta(days=LONGEST_ABSENCE):
        raise Refusal("An absence lasts 1 to {days} days. Leave it blank to be away until you come back.", days=LONGEST_ABSENCE)
    return ends


@helping
async def suggest_days(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Autocomplete: the next two weeks, day by day."""
    today = discord.utils.utcnow()
    known = [(say(text("{days}: until {date}", days=count(number, "{n} day", "{n} days"),
                       date=verbatim(f"{today + timedelta(days=number):%a %d %b}")), English()), number)
             for number in range(1, OFFERED + 1)]
    return suggestions([Choice(name=name, value=str(number)) for name, number in known
            if typed.strip().casefold() in name.casefold()])
