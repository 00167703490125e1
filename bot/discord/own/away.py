"""/my away: one panel in which a member says for which games, until when, and what plays meanwhile."""
from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Literal

import discord
from discord import SelectOption, app_commands
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord.components import Style, button, in_game, in_rows, on_cancel, pressed, select, view
from bot.discord.context import Interaction
from bot.discord.dates import short_day
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.absence import EVERYWHERE, coming_back, in_each, standing_in, titles
from bot.discord.languages import as_typed, means
from bot.discord.lengths import CHOICES, NAME, clip
from bot.discord.responses import reply, suggestions, titled
from bot.discord.sanitize import tame
from bot.domain.announcements import when
from bot.domain.waking_hours import Hours
from engine.refusals import Refusal
from engine.text import Text, count, lines, say, text, verbatim

OFFERED = 14                # days that the list offers
LONGEST_ABSENCE = 90                # days that can be named
DAYS = re.compile(r"(?P<number>\d{1,3})\s*(?P<unit>d|days?|w|weeks?)?", re.IGNORECASE)
NUMBER = re.compile(r"\d{1,3}(?!\d)")
WEEK = 7                    # days
OPEN_END = 0                # in a custom id: until the member comes back
ALL = 0                     # in a custom id: all games of the member

How = Literal["orders", "automatic", "wait"]


def add_away(group: app_commands.Group) -> None:
    @group.command(name="away", description="Be away for a while: choose until when, and what plays for you")
    @about_a_game(until="How many days, or until which day? Blank: until you come back", everywhere=EVERYWHERE)
    @app_commands.autocomplete(until=suggest_days)
    async def away(interaction: Interaction, until: str = "", everywhere: bool = False, game: str | None = None) -> None:
        own = await _own(interaction)
        ends = ending(until, discord.utils.utcnow(), _hours(own))
        here = next((one.id for one in own if one.game.channel == interaction.channel_id), None)
        if everywhere or (game is None and here is None and len(own) > 1):
            chosen = ALL
        else:
            visit = await visit_meant(interaction, game)
            visit.own_seat()
            chosen = visit.id
        await _show(interaction, chosen, OPEN_END if ends is None else int(ends.timestamp()), "automatic")


async def _own(interaction: Interaction) -> list[Visit]:
    """The games under way in which the caller plays."""
    return [one for one in await interaction.client.services.visits.under_way(interaction.user.id) if one.seat is not None]


def _meant(own: Sequence[Visit], chosen: int) -> list[Visit]:
    """Those of them that are meant. Raises Refusal: there are none."""
    games = [one for one in own if chosen in (ALL, one.id)]
    if not games:
        raise Refusal("You aren't in any game that this would affect.")
    return games


def _to_move(visit: Visit) -> bool:
    return visit.seat is not None and visit.game.status == "running" and visit.table.asked(visit.seat) is not None


def _hours(own: Sequence[Visit]) -> Hours:
    return (own[0].facts.chosen.hours if own else None) or Hours()


async def _show(interaction: Interaction, chosen: int, until: int, how: How) -> None:
    """The panel: what is chosen now, and what it means."""
    own = await _own(interaction)
    games = _meant(own, chosen)
    how = "orders" if how == "automatic" and not any(one.game.successor for one in games) else how
    ends, now = _moment(until), discord.utils.utcnow()
    due = [one for one in games if _to_move(one)] if how != "wait" else []
    told = [text("**Away** from {games} {until}.", games=titles(games), until=_until(ends)), _played(games, how)]
    if due:
        told.append(text("It's your move in {games}: it would be played at once.", games=titles(due)))
    where = [SelectOption(label=say(text("All your games")), value=str(ALL), default=chosen == ALL), *(
        SelectOption(label=clip(titled(one.game), NAME), value=str(one.id), default=one.id == chosen)
        for one in own[:CHOICES - 1])]
    known = dict.fromkeys([until, OPEN_END, *(int((now + timedelta(days=days)).timestamp()) for days in range(1, OFFERED + 1))])
    days = [SelectOption(label=clip(_day(moment, now), NAME), value=str(moment), default=moment == until) for moment in known]
    ways: dict[How, Text] = {"orders": text("Your standing orders, else default moves")}
    if any(one.game.successor for one in games):
        ways["automatic"] = text("Your standing orders, else an automatic player")
    ways["wait"] = text("Nothing: the game waits, as on vacation")
    hows = [SelectOption(label=say(words), value=way, default=way == how) for way, words in ways.items()]
    await reply(interaction, lines(told), view(in_rows([
        [select(where, on_games, until, how, hint=text("For which games?"))] if len(own) > 1 else [],
        [select(days, on_until, chosen, how, hint=text("Until when?"))],
        [select(hows, on_how, chosen, until, hint=text("What plays meanwhile?"))],
        [button(text("Confirm"), on_confirm, chosen, until, how, style=Style.primary),
         button(text("Cancel"), on_cancel)]])))


def _until(ends: datetime | None) -> Text:
    return text("until you come back") if ends is None else text("until {moment}", moment=when(ends.isoformat()))


def _day(moment: int, now: datetime) -> str:
    """A moment as the list of ends calls it."""
    if moment == OPEN_END:
        return say(text("Until you come back"))
    ends = datetime.fromtimestamp(moment, UTC)
    return say(text("{days}: until {date}", days=count(max(1, round((ends - now) / timedelta(days=1))), "{n} day", "{n} days"),
                    date=verbatim(short_day(ends))))


def _played(games: Sequence[Visit], how: How) -> Text:
    """Who plays while somebody is away from these games."""
    automatic = [bool(one.game.successor) and how == "automatic" for one in games]
    if how == "wait":
        return text("Your clock stops, nobody moves for you, and these are days of your vacation.")
    if all(automatic):
        return text("Your standing orders play for you. Where you have none, an automatic player plays.")
    if any(automatic):
        return text("Your standing orders play for you. Otherwise an automatic player does, or the default move is played "
                    "in games without one.")
    return text("Your standing orders play for you. Where you have none, the default move is played.")


@pressed("awaygames")
async def on_games(interaction: Interaction, until: int, how: How, chosen: int) -> None:
    await _show(interaction, chosen, until, how)


@pressed("awayuntil")
async def on_until(interaction: Interaction, chosen: int, how: How, until: int) -> None:
    await _show(interaction, chosen, until, how)


@pressed("awayhow")
async def on_how(interaction: Interaction, chosen: int, until: int, how: How) -> None:
    await _show(interaction, chosen, until, how)


@pressed("awaynow")
async def on_confirm(interaction: Interaction, chosen: int, until: int, how: How) -> None:
    services, user = interaction.client.services, interaction.user.id
    games, ends = _meant(await _own(interaction), chosen), _moment(until)
    if how == "wait":
        if ends is None:
            raise Refusal("A game waits for you only until a day that you name. Choose until when.")
        hours = _hours(games)
        first = hours.day(discord.utils.utcnow())
        last = max(first, hours.day(ends) - timedelta(days=1))
        await in_each(games, lambda one: services.clocks.take_vacation(one.id, user, first, last))
    else:
        await in_each(games, lambda one: services.seats.away(one.id, user, ends, automatic=how == "automatic"))
    await reply(interaction, lines([
        text("You're away from {games} {until}.", games=titles(games), until=_until(ends)), _played(games, how),
        *([] if how == "wait" else [text("If you make a move yourself, you're back.")])]),
        view([] if len(games) > 1 or how == "wait" else [coming_back(games[0].game), *standing_in(games[0].game)]))
    for one in games:
        interaction.client.outbox.answered(one.id)


@in_game("awayhere")
async def on_away(interaction: Interaction, visit: Visit, until: int) -> None:
    """Below a question of earlier versions."""
    await _show(interaction, visit.id, until, "automatic")


@pressed("awayall")
async def on_away_everywhere(interaction: Interaction, until: int) -> None:
    await _show(interaction, ALL, until, "automatic")


def _moment(seconds: int) -> datetime | None:
    """The end of an absence, as a button carries it. Raises Refusal: that moment has passed, or is none."""
    if seconds == OPEN_END:
        return None
    now = discord.utils.utcnow()
    if not 0 < seconds - now.timestamp() <= LONGEST_ABSENCE * timedelta(days=1).total_seconds():
        raise Refusal("This button is too old. Type /my away again.")
    return datetime.fromtimestamp(seconds, UTC)


# --- until when ---------------------------------------------------------------------------------------------

def ending(words: str, now: datetime, hours: Hours) -> datetime | None:
    """The moment that was meant by "3", "3 days", "2 weeks", "tomorrow" or "2026-12-24"; None for no words. Raises Refusal.

    A day begins at midnight in the time zone of these hours.
    """
    wanted = as_typed(words)
    if not wanted:
        return None
    if (days := NUMBER.match(wanted)) and means(wanted, count(int(days[0]), "{n} day", "{n} days")):     # as the list shows them
        wanted = days[0]
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
                       date=verbatim(short_day(today + timedelta(days=number))))), number)
             for number in range(1, OFFERED + 1)]
    return suggestions([Choice(name=name, value=str(number)) for name, number in known
            if typed.strip().casefold() in name.casefold()])
