"""The noticeboard of a server: whoever manages the server says in which channel it hangs."""
from __future__ import annotations

import discord

from bot.discord.channels import Named, board_losses, ground, reaches, require_usable
from bot.discord.components import Style, button, press_cancel, pressed, view
from bot.discord.context import Interaction
from bot.discord.find_game import manages, server_of
from bot.discord.game_master.commands import NotGameMaster
from bot.discord.responses import reply
from engine.refusals import Refusal
from engine.text import Text, lines, template, text, verbatim

WHAT = text("It is one message, kept up to date: open games, free seats, and whom each running game waits for. Games in channels "
            "that not everybody there sees are left out.")
WEEKLY = text("Once a week I post a summary there: each running game, its points, and how they have changed.")
PLACE = template("A noticeboard hangs in a text channel of this server.")
KINDS = (discord.ChannelType.text, discord.ChannelType.news)


async def show_noticeboard(interaction: Interaction) -> None:
    """Where the noticeboard hangs and what it lacks; who manages the server can take it down."""
    guild = server_of(interaction)
    board, free = await interaction.client.services.noticeboards.noticeboard(guild), await manages(interaction)
    if board is None:
        how = (text("To hang it up in another channel, type `/table noticeboard channel:`.") if free else
               text("Members who can manage this server can hang one up."))
        here = free and interaction.channel is not None and interaction.channel.type in KINDS
        ways = [button(text("Hang it up here"), press_hang, style=Style.primary), button(text("Cancel"), press_cancel)]
        await reply(interaction, lines([text("This server has no noticeboard."), WHAT, how]), view(ways if here else []))
        return
    lost = await board_losses(interaction.client, board.channel)
    interaction.client.outbox.boards.retry(guild)
    week = (button(text("No weekly summary"), press_weekly, 0) if board.weekly is not None else
            button(text("Weekly summary"), press_weekly, 1))
    ways = [week, button(text("Take it down"), press_take_down, style=Style.danger), button(text("Cancel"), press_cancel)]
    told = [WEEKLY] if board.weekly is not None else []
    await reply(interaction, lines([
        text("The noticeboard hangs in {channel}.", channel=verbatim(f"<#{board.channel}>")), WHAT, *told, *lost]),
        view(ways if free else []))


async def hang(interaction: Interaction, channel: Named) -> None:
    """Hang the noticeboard up in a channel. Raises Refusal unless the caller manages the server and the bot can post there."""
    guild = server_of(interaction)
    await _require_manager(interaction)
    if channel.type not in KINDS or channel.guild_id != guild:
        raise Refusal(PLACE)
    require_usable(channel)
    await _hang(interaction, guild, channel.id)


@pressed("boardhere")
async def press_hang(interaction: Interaction) -> None:
    """Hang the noticeboard up in the present channel."""
    guild = server_of(interaction)
    await _require_manager(interaction)
    if interaction.channel is None or interaction.channel.type not in KINDS:
        raise Refusal(PLACE)
    await _hang(interaction, guild, interaction.channel.id)


async def _hang(interaction: Interaction, guild: int, channel: int) -> None:
    found = await ground(interaction.client, channel)
    if found is None or not (found.permissions.view_channel and found.permissions.send_messages):
        raise Refusal("I can't post in {channel}. Give me *View Channel* and *Send Messages* there, or choose another one.",
                      channel=verbatim(f"<#{channel}>"))
    await interaction.client.services.noticeboards.hang_noticeboard(guild, channel, interaction.user.id)
    interaction.client.outbox.boards.retry(guild)
    where: Text = text("The noticeboard hangs in {channel} now.", channel=verbatim(f"<#{channel}>"))
    await reply(interaction, lines([where, WHAT, *await board_losses(interaction.client, channel)]))


async def choose_call_role(interaction: Interaction, role: discord.Role | None) -> None:
    """Say which role is called when a game is opened. Raises Refusal unless the caller can manage the server."""
    guild, services = server_of(interaction), interaction.client.services
    if not interaction.permissions.manage_guild:
        raise NotGameMaster("Only members who can manage this server can choose the role that is pinged.")
    await services.interests.set_call_role(guild, None if role is None else role.id)
    if role is None:
        await reply(interaction, text("No role is pinged any more when somebody opens a game."))
        return
    reached = [] if reaches(role.guild, role) else [
        text("Discord doesn't let me ping it yet. In its settings, let anyone mention this role, or give me *Mention @everyone, "
             "@here, and All Roles*. I never ping everybody.")]
    await reply(interaction, lines([
        text("I'll ping {role} once whenever somebody opens a game here.", role=verbatim(role.mention)), *reached]))


@pressed("boarddown")
async def press_take_down(interaction: Interaction) -> None:
    """Take the noticeboard of the present server down."""
    guild = server_of(interaction)
    await _require_manager(interaction)
    await interaction.client.services.noticeboards.take_down_noticeboard(guild)
    interaction.client.outbox.boards.retry(guild)
    await reply(interaction, text("The noticeboard is taken down."))


@pressed("boardweek")
async def press_weekly(interaction: Interaction, wanted: int) -> None:
    """Have a weekly summary in the noticeboard's channel, or none."""
    guild = server_of(interaction)
    await _require_manager(interaction)
    await interaction.client.services.weekly.want_weekly(guild, wanted=bool(wanted))
    await show_noticeboard(interaction)


async def _require_manager(interaction: Interaction) -> None:
    if not await manages(interaction):
        raise NotGameMaster("Only members who can manage this server, or have its game master role, can hang up its noticeboard.")
