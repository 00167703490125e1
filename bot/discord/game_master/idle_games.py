"""What is told of games in which nothing happens: those that stand still while nobody of theirs is seen, those paused by a game
master who isn't seen, and open ones that nobody joins."""
from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from discord.utils import format_dt

from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, on_cancel, view
from bot.discord.context import Context, Interaction
from bot.discord.game.clock import call, direct, voting_to_go_on
from bot.discord.game_master.commands import on_close, require_gm
from bot.discord.lengths import LABEL, clip
from bot.discord.lobby.buttons import joining_named, seating
from bot.discord.responses import reply, titled, where_played
from bot.discord.visibility import readable_in
from bot.domain import letters
from bot.domain.absence import ASKED, CLOSED
from bot.domain.announcements import member
from bot.store import GameRow, OutboxRow
from engine.kernel import Seat
from engine.refusals import Stale
from engine.text import Text, count, lines, printed, say, text, verbatim

SEATS = 4                   # of a call that have a button
SHORT = LABEL - 10          # characters of a seat's name on it
SHOWN = 20                  # open games with a line and a button

Call: TypeAlias = tuple[Text, list[Persistent], list[int]]      # what is read, the buttons below it, and whom it calls


# --- games that stand still ---------------------------------------------------------------------------------------------

async def tell_keepers(bot: Context, visit: Visit, letter: letters.Standstill) -> Call | None:
    """Return what they read, the buttons below it, and whom it calls; None once the game has gone on."""
    game, since = visit.game, await bot.services.idle_games.stood_since(visit.id)
    if game.status not in ("open", "running", "paused") or since is None:
        return None
    users = {holder.seat: holder.user for holder in visit.holders}
    silent = [(seat, user) for seat in letter.seats if (user := users.get(seat)) is not None]
    keepers = await keepers_of(bot, game, {*users.values(), game.owner})
    if not keepers or (game.status != "open" and not silent):
        return None
    head = text("{keepers}: {title} has stood still since {moment}, and none of its players has been seen lately. You look after "
                "this server, so you can decide what happens to it.", keepers=tuple(map(member, keepers)),
                title=verbatim(titled(game)), moment=verbatim(format_dt(datetime.fromisoformat(since), "D")))
    reader = visit.reader
    closing = button(text("Close the game …"), on_ask_close, game.id)
    if not silent:
        hosted = text("It hasn't started, and {host} is its host.", host=member(game.owner))
        return lines([head, hosted]), [closing], keepers
    named = tuple([text("{seat} ({member})", seat=seat, member=member(user)) for seat, user in silent])
    waits = (text("It waits for {seats}.", seats=named) if len(silent) == 1 or game.status == "paused" else
             text("It waits for some of {seats}.", seats=named))
    ways = [button(text("Free {seat}", seat=verbatim(clip(say(seat, reader), SHORT))), on_free, game.id, seat, user,
                   style=Style.danger) for seat, user in silent[:SEATS]]
    return lines([head, text("{waits} Others can take over a seat that is free.", waits=waits)]), [*ways, closing], keepers


async def keepers_of(bot: Context, game: GameRow, people: set[int | None]) -> list[int]:
    """Who has hung up the noticeboard of the game's server, and its owner; whoever has not just been called in the game, if there
    is such a one."""
    guild, board = bot.get_guild(game.guild or 0), await bot.services.noticeboards.noticeboard(game.guild or 0)
    known = [*([board.user] if board is not None and board.user else []), *([guild.owner_id] if guild and guild.owner_id else [])]
    keepers = list(dict.fromkeys(known))
    return [user for user in keepers if user not in people] or keepers


@in_game("freeup")
async def on_free(interaction: Interaction, visit: Visit, seat: str, user: int) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.idle_games.free_seat(visit.id, Seat(seat), user, visit.user)
    await reply(interaction, text("{seat} is free now.", seat=Seat(seat)))
    interaction.client.outbox.answered(visit.id)


@in_game("askclose")
async def on_ask_close(interaction: Interaction, visit: Visit) -> None:
    """Whether the game is to be closed."""
    await require_gm(interaction, visit)
    await reply(interaction, text("Close {title} without a result, for everybody and for good?",
                                  title=verbatim(titled(visit.game))),
                view([button(text("Close the game"), on_close, visit.id, "", style=Style.danger),
                      button(text("Cancel"), on_cancel)]))


# --- long pauses --------------------------------------------------------------------------------------------------------

async def tell_long_pause(bot: Context, visit: Visit) -> Call | None:
    """Return what its players, its game master and those who look after its server read, the buttons below it, and whom it calls;
    None once the game has gone on or somebody has looked after it."""
    game, since = visit.game, await bot.services.idle_games.long_pause(visit.id)
    if since is None:
        return None
    players = list(dict.fromkeys(user for holder in visit.holders if (user := holder.whose) is not None))
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
    ways += [resuming(game), button(text("Become game master"), on_become, game.id),
             button(text("Close the game …"), on_ask_close, game.id)]
    return lines(told), ways, list(dict.fromkeys([*players, game.owner, *keepers]))


def resuming(game: GameRow) -> Persistent:
    return button(text("Resume the game"), on_resume, game.id, style=Style.primary)


@in_game("goon")
async def on_resume(interaction: Interaction, visit: Visit) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.seats.go_on(visit.id, visit.user)
    await reply(interaction, text("{title} goes on.", title=verbatim(titled(visit.game))))
    interaction.client.outbox.answered(visit.id)


@in_game("become")
async def on_become(interaction: Interaction, visit: Visit) -> None:
    """Become the game master of a game, as somebody who looks after its server."""
    await require_gm(interaction, visit)
    user = visit.user
    if visit.game.owner != user and await interaction.client.services.idle_games.long_pause(visit.id) is None:
        raise Stale("The game has gone on since then, or somebody looks after it. `/gm master` can make you its game master.")
    await interaction.client.services.masters.name_master(visit.id, user, user)
    await reply(interaction, text("You're now the game master of {title:.}", title=verbatim(titled(visit.game))))
    interaction.client.outbox.answered(visit.id)


# --- open games that nobody joins ---------------------------------------------------------------------------------------

async def still_open(bot: Context, letter: letters.StillOpen) -> tuple[Text, list[Persistent]] | None:
    """The games of a channel that can still be joined, with a button for each; None: there is none any more."""
    told, ways = list[Text](), list[Persistent]()
    for number in letter.games:
        visit = await bot.services.visits.onlooker(number)
        game, free = visit.game, visit.game.seats - sum(holder.user is not None for holder in visit.holders)
        guild = bot.get_guild(game.guild or 0)
        if (game.status == "open" and free and guild is not None and not game.invite_only
                and await readable_in(bot, guild, letter.channel, [game])):         # it may have moved meanwhile
            told.append(text("**{title}** · {spec} for {seats} · {free} to go", title=verbatim(titled(game)),
                             spec=printed(visit.spec.name),
                             seats=count(game.seats, "{n} player", "{n} players"), free=count(free, "{n} player", "{n} players")))
            ways.append(joining_named(game))
    return (lines([text("Who would like to play? Still open:"), *told[:SHOWN]]), ways[:SHOWN]) if told else None


async def ask_host(bot: Context, visit: Visit, row: OutboxRow) -> int | None:
    """Ask the host of an open game whether to keep it, directly or else in its channel; nothing once it has begun."""
    game, host = visit.game, visit.game.owner
    if game.status != "open":
        return None
    words = text("Nothing has happened in {title} (game {game}) in {channel} for {weeks} weeks. I'll "
                 "close it in a week unless somebody joins, or you start it or keep it open.",
                 title=verbatim(titled(game)), game=game.id, channel=where_played(game), weeks=ASKED.days // 7)
    ways = [button(text("Keep it open"), on_keep_open, game.id, style=Style.primary),
            *seating(game, visit.spec, visit.holders),
            button(text("Close the game …"), on_ask_close, game.id)]
    sent = await direct(bot, host, words, ways, row=row)
    if sent is not None:
        return sent
    return await call(bot, game, host, text("{member} {words}", member=member(host), words=words), ways, row=row)


@in_game("keepopen")
async def on_keep_open(interaction: Interaction, visit: Visit) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.idle_games.keep_open(visit.id, visit.user)
    await reply(interaction, text("{title} stays open for {weeks} more weeks at least.", title=verbatim(titled(visit.game)),
                                  weeks=CLOSED.days // 7))
