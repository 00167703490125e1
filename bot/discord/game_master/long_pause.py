"""The call about a game that has been paused for long, whose game master isn't seen: who can let it go on, or look after it."""
from __future__ import annotations

from datetime import datetime

from discord.utils import format_dt

from bot.discord.components import Persistent, Style, button, pressed
from bot.discord.context import Context, Interaction
from bot.discord.game.clock import voting_to_go_on
from bot.discord.game_master.commands import mastered
from bot.discord.game_master.standstill import Call, keepers_of, press_ask_close
from bot.discord.responses import reply, titled
from bot.domain.announcements import member
from bot.store import GameRow
from engine.refusals import Stale
from engine.text import lines, text, verbatim


async def tell_long_pause(bot: Context, game: GameRow) -> Call | None:
    """What its players, its game master and those who look after its server read, the buttons below it, and whom it calls; None
    once the game has gone on or somebody has looked after it."""
    since = await bot.services.standstills.long_pause(game.id)
    if since is None:
        return None
    players = list(dict.fromkeys(user for holder in await bot.services.queries.holders(game.id)
                                 if (user := holder.whose) is not None))
    keepers = await keepers_of(bot, game, {*players, game.owner})
    told = [text("{title} was paused {moment}, and its game master, {master}, hasn't been seen lately.",
                 title=verbatim(titled(game)), moment=verbatim(format_dt(datetime.fromisoformat(since), "R")),
                 master=member(game.owner))]
    ways: list[Persistent] = []
    if players:
        told.append(text("{players}: if more than half of you vote for it within a day, the game goes on.",
                         players=tuple(map(member, players))))
        ways += voting_to_go_on(game)
    if keepers:
        told.append(text("{keepers}: you look after this server, so you can resume the game, become its game master or close it.",
                         keepers=tuple(map(member, keepers))))
    ways += [resuming(game), button(text("Become game master"), press_become, game.id),
             button(text("Close the game …"), press_ask_close, game.id)]
    return lines(told), ways, list(dict.fromkeys([*players, game.owner, *keepers]))


def resuming(game: GameRow) -> Persistent:
    """The button with which whoever has a game master's rights ends a pause."""
    return button(text("Resume the game"), press_resume, game.id, style=Style.primary)


@pressed("goon")
async def press_resume(interaction: Interaction, game: int) -> None:
    """End a pause."""
    row = await mastered(interaction, game)
    await interaction.client.services.seats.go_on(row.id, interaction.user.id)
    await reply(interaction, text("{title} goes on.", title=verbatim(titled(row))))
    interaction.client.outbox.answered(row.id)


@pressed("become")
async def press_become(interaction: Interaction, game: int) -> None:
    """Become the game master of a game, as somebody who looks after its server."""
    row, user = await mastered(interaction, game), interaction.user.id
    if row.owner != user and await interaction.client.services.standstills.long_pause(row.id) is None:
        raise Stale("The game has gone on since then, or somebody looks after it. `/gm master` can make you its game master.")
    await interaction.client.services.masters.name_master(row.id, user, user)
    await reply(interaction, text("You're now the game master of {title}.", title=verbatim(titled(row))))
    interaction.client.outbox.answered(row.id)
