"""The noticeboard of a server: whoever manages the server says in which channel it hangs."""
from __future__ import annotations

import discord

from bot.discord.channels import board_losses, ground, reaches
from bot.discord.components import Persistent, Style, button, channel_select, in_rows, pressed, role_select, view
from bot.discord.context import Interaction
from bot.discord.find_game import manages, server_of
from bot.discord.game.buttons import back_to_settings
from bot.discord.game_master.commands import NotGameMaster
from bot.discord.responses import reply
from engine.refusals import Refusal
from engine.text import lines, template, text, verbatim

WHAT = text("One message with all open games, free seats and whose move it is, always up to date. Games that some readers "
            "can't see are left out.")
WEEKLY = text("Once a week I post a summary there: each running game, its points, and how they have changed.")
PLACE = template("A noticeboard hangs in a text channel of this server.")
KINDS = (discord.ChannelType.text, discord.ChannelType.news)


async def show_noticeboard(interaction: Interaction) -> None:
    """Where the noticeboard hangs and what it lacks; who manages the server can hang it up, or take it down."""
    guild = server_of(interaction)
    board, free = await interaction.client.services.noticeboards.noticeboard(guild), await manages(interaction)
    if board is None:
        told = [text("This server has no noticeboard."), WHAT,
                *([] if free else [text("Members who can manage this server can hang one up.")])]
        here = interaction.channel is not None and interaction.channel.type in KINDS
        ways = [button(text("Put it here"), on_hang, style=Style.primary)] if here else []
    else:
        interaction.client.outbox.boards.retry(guild)
        told = [text("The noticeboard is in {channel}.", channel=verbatim(f"<#{board.channel}>")), WHAT,
                *([WEEKLY] if board.weekly is not None else []), *await board_losses(interaction.client, board.channel)]
        week = (button(text("No weekly summary"), on_weekly, 0) if board.weekly is not None else
                button(text("Weekly summary"), on_weekly, 1))
        ways = [week, button(text("Take it down"), on_take_down, style=Style.danger)]
    await reply(interaction, lines(told), view(in_rows([[_channels()], [*ways, back_to_settings()]] if free else
                                                       [[back_to_settings()]])))


def _channels() -> Persistent:
    return channel_select(on_channel, kinds=KINDS, hint=text("Hang it up in a channel"))


@pressed("noticeboard")
async def on_show_noticeboard(interaction: Interaction) -> None:
    await show_noticeboard(interaction)


@pressed("boardin")
async def on_channel(interaction: Interaction, channel: int) -> None:
    guild = server_of(interaction)
    await _require_manager(interaction)
    chosen = None if interaction.guild is None else interaction.guild.get_channel(channel)
    if chosen is None or chosen.type not in KINDS:
        raise Refusal(PLACE)
    await _hang(interaction, guild, channel)


@pressed("boardhere")
async def on_hang(interaction: Interaction) -> None:
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
    await show_noticeboard(interaction)


@pressed("callrole")
async def on_call_role(interaction: Interaction) -> None:
    await _show_call_role(interaction)


async def _show_call_role(interaction: Interaction) -> None:
    known = await interaction.client.services.interests.call_role(server_of(interaction))
    role = None if known is None or interaction.guild is None else interaction.guild.get_role(known)
    told = [text("{role} is pinged once whenever somebody opens a game here.", role=verbatim(f"<@&{known}>")) if known else
            text("No role is pinged when somebody opens a game.")]
    if role is not None and not reaches(role.guild, role):
        told.append(text("Discord doesn't let me ping it yet. In its settings, let anyone mention this role, or give me *Mention "
                         "@everyone, @here, and All Roles*. I never ping everybody."))
    none = [button(text("No role"), on_no_role)] if known else []
    await reply(interaction, lines(told), view(in_rows([
        [role_select(on_role, hint=text("Role that is pinged"))], [*none, back_to_settings()]])))


@pressed("callrolepick")
async def on_role(interaction: Interaction, role: int) -> None:
    chosen = None if interaction.guild is None else interaction.guild.get_role(role)
    if chosen is None:
        raise Refusal("This role no longer exists. Choose another one.")
    await _call(interaction, chosen)


@pressed("callrolenone")
async def on_no_role(interaction: Interaction) -> None:
    await _call(interaction, None)


async def _call(interaction: Interaction, role: discord.Role | None) -> None:
    """Have a role pinged when a game is opened. Raises Refusal unless the caller can manage the server."""
    guild = server_of(interaction)
    if not interaction.permissions.manage_guild:
        raise NotGameMaster("Only members who can manage this server can choose the role that is pinged.")
    await interaction.client.services.interests.set_call_role(guild, None if role is None else role.id)
    await _show_call_role(interaction)


@pressed("boarddown")
async def on_take_down(interaction: Interaction) -> None:
    guild = server_of(interaction)
    await _require_manager(interaction)
    await interaction.client.services.noticeboards.take_down_noticeboard(guild)
    interaction.client.outbox.boards.retry(guild)
    await show_noticeboard(interaction)


@pressed("boardweek")
async def on_weekly(interaction: Interaction, wanted: int) -> None:
    guild = server_of(interaction)
    await _require_manager(interaction)
    await interaction.client.services.weekly.want_weekly(guild, wanted=bool(wanted))
    await show_noticeboard(interaction)


async def _require_manager(interaction: Interaction) -> None:
    if not await manages(interaction):
        raise NotGameMaster("Only members who can manage this server, or have its game master role, can hang up its noticeboard.")
