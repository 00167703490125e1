"""What is told of open games that nobody joins: to their channel, and to their host, who keeps or closes them."""
from __future__ import annotations

from bot.discord.components import Persistent, Style, button, pressed
from bot.discord.context import Context, Interaction
from bot.discord.game.clock import call, direct
from bot.discord.game_master.commands import mastered
from bot.discord.game_master.standstill import press_ask_close
from bot.discord.lobby.buttons import joining_named, seating
from bot.discord.responses import reply, titled, where_played
from bot.discord.visibility import readable_in
from bot.domain import letters
from bot.domain.absence import ASKED, CLOSED
from bot.domain.announcements import member
from bot.store import GameRow, OutboxRow
from engine.text import Text, count, lines, text, verbatim

SHOWN = 20                      # games with a line and a button


async def still_open(bot: Context, letter: letters.StillOpen) -> tuple[Text, list[Persistent]] | None:
    """The games of a channel that can still be joined, with a button for each; None: there is none any more."""
    told, ways = list[Text](), list[Persistent]()
    for number in letter.games:
        game, holders = await bot.services.queries.game(number), await bot.services.queries.holders(number)
        free = game.seats - sum(holder.user is not None for holder in holders)
        guild = bot.get_guild(game.guild or 0)
        if (game.status == "open" and free and guild is not None and not await bot.services.lobby.invite_only(number)
                and await readable_in(bot, guild, letter.channel, [game])):         # it may have moved meanwhile
            told.append(text("**{title}** · {spec} for {seats} · {free} to go", title=verbatim(titled(game)),
                             spec=verbatim(bot.services.session.spec(game.key).name),
                             seats=count(game.seats, "{n} player", "{n} players"), free=count(free, "{n} player", "{n} players")))
            ways.append(joining_named(game))
    return (lines([text("Who would like to play? Still open:"), *told[:SHOWN]]), ways[:SHOWN]) if told else None


async def ask_host(bot: Context, game: GameRow, row: OutboxRow) -> int | None:
    """Ask the host of an open game whether to keep it, directly or else in its channel; nothing once it has begun."""
    if game.status != "open":
        return None
    holders, host, spec = await bot.services.queries.holders(game.id), game.owner, bot.services.session.spec(game.key)
    words = text("{title} (game {game}) in {channel} has been open for {weeks} weeks without anything new. It closes in a week, "
                 "unless you keep it open, start it or somebody joins.", title=verbatim(titled(game)), game=game.id,
                 channel=where_played(game), weeks=ASKED.days // 7)
    ways = [button(text("Keep it open"), press_keep_open, game.id, style=Style.primary),
            *(way for way in seating(game, spec, len(holders), sum(bool(holder.level) for holder in holders))),
            button(text("Close the game …"), press_ask_close, game.id)]
    sent = await direct(bot, host, words, ways, row=row)
    if sent is not None:
        return sent
    return await call(bot, game, host, text("{member} {words}", member=member(host), words=words), ways, row=row)


@pressed("keepopen")
async def press_keep_open(interaction: Interaction, game: int) -> None:
    """Keep an open game."""
    row = await mastered(interaction, game)
    await interaction.client.services.open_tables.keep_open(row.id, interaction.user.id)
    await reply(interaction, text("{title} stays open for {weeks} more weeks at least.", title=verbatim(titled(row)),
                                  weeks=CLOSED.days // 7))
