"""The call to whoever looks after a server, when a game stands still and nobody of its players and game masters is seen."""
from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from discord.utils import format_dt

from bot.discord.components import Persistent, Style, button, press_cancel, pressed, view
from bot.discord.context import Context, Interaction
from bot.discord.game_master.commands import mastered, press_close
from bot.discord.responses import LABEL, clip, reply, titled
from bot.domain import letters
from bot.domain.announcements import member
from bot.store import GameRow
from engine.kernel import Seat
from engine.text import Text, lines, say, text, verbatim

SEATS = 4                   # of the call that have a button
SHORT = LABEL - 10          # characters of a seat's name on it


Call: TypeAlias = tuple[Text, list[Persistent], list[int]]


async def tell_keepers(bot: Context, game: GameRow, letter: letters.Standstill) -> Call | None:
    """What they read, the buttons below it, and whom it calls; None once the game has gone on."""
    services = bot.services
    if game.status not in ("open", "running", "paused") or not await services.standstills.still_stands(game.id):
        return None
    users = {holder.seat: holder.user for holder in await services.queries.holders(game.id)}
    silent = [(seat, user) for seat in letter.seats if (user := users.get(seat)) is not None]
    keepers = await keepers_of(bot, game, {*users.values(), game.owner})
    if not keepers or (game.status != "open" and not silent):
        return None
    since = datetime.fromisoformat(await services.standstills.stood_since(game.id))
    head = text("{keepers}: {title} has stood still since {moment}, and none of its players has been seen lately. You look after "
                "this server, so you can decide what happens to it.", keepers=tuple(map(member, keepers)),
                title=verbatim(titled(game)), moment=verbatim(format_dt(since, "D")))
    reader = await services.queries.reader(game.id)
    closing = button(text("Close the game …"), press_ask_close, game.id)
    if not silent:
        hosted = text("It hasn't started, and {host} is its host.", host=member(game.owner))
        return lines([head, hosted]), [closing], keepers
    named = tuple([text("{seat} ({member})", seat=seat, member=member(user)) for seat, user in silent])
    waits = (text("It waits for {seats}.", seats=named) if len(silent) == 1 or game.status == "paused" else
             text("It waits for some of {seats}.", seats=named))
    ways = [button(text("Free {seat}", seat=verbatim(clip(say(seat, reader), SHORT))), press_free, game.id, seat, user,
                   style=Style.danger) for seat, user in silent[:SEATS]]
    return lines([head, text("{waits} Others can take over a seat that is free.", waits=waits)]), [*ways, closing], keepers


async def keepers_of(bot: Context, game: GameRow, people: set[int | None]) -> list[int]:
    """Who has hung up the noticeboard of the game's server, and its owner; whoever has not just been called in the game, if there
    is such a one."""
    guild, board = bot.get_guild(game.guild or 0), await bot.services.noticeboards.noticeboard(game.guild or 0)
    known = [*([board.user] if board is not None and board.user else []), *([guild.owner_id] if guild and guild.owner_id else [])]
    keepers = list(dict.fromkeys(known))
    return [user for user in keepers if user not in people] or keepers


@pressed("freeup")
async def press_free(interaction: Interaction, game: int, seat: str, user: int) -> None:
    """Free the seat of a player who is gone."""
    row = await mastered(interaction, game)
    await interaction.client.services.standstills.free_seat(row.id, Seat(seat), user, interaction.user.id)
    await reply(interaction, text("{seat} is free now.", seat=Seat(seat)))
    interaction.client.outbox.answered(row.id)


@pressed("askclose")
async def press_ask_close(interaction: Interaction, game: int) -> None:
    """Whether the game is to be closed."""
    row = await mastered(interaction, game)
    await reply(interaction, text("Close {title} without a result, for everybody and for good?", title=verbatim(titled(row))),
                view([button(text("Close the game"), press_close, row.id, "", style=Style.danger),
                      button(text("Cancel"), press_cancel)]))
