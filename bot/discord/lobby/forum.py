"""The forum of a server: where each game gets a post of its own, and where the players of these games talk in private."""
from __future__ import annotations

import discord

from bot.discord.components import button, channel_select, in_rows, pressed, view
from bot.discord.context import Interaction
from bot.discord.find_game import manages, server_of
from bot.discord.forums import forum_losses
from bot.discord.game.buttons import back_to_settings
from bot.discord.game_master.commands import NotGameMaster
from bot.discord.responses import reply
from engine.refusals import Refusal
from engine.text import Text, lines, say, template, text, verbatim

WHAT = text("In a forum each game can have its own post, tagged Open, Running, Seat free or Finished. If you can post "
            "there, choose *In its own post* when you open a game.")
NOT_A_FORUM = template("Games have posts in a forum, and {channel} isn't one.")
NOT_TEXT = template("Private threads need a text channel, and {channel} isn't one.")
TALK = text("A forum has no private threads. Players of its games open theirs in a text channel.")


async def show_forum(interaction: Interaction, note: Text | None = None) -> None:
    """Which forum games have posts in, and where their players talk in private; who manages the server chooses both."""
    guild, forums = server_of(interaction), interaction.client.services.forums
    forum, talk = await forums.forum(guild), await forums.talk_channel(guild)
    told = [*([note] if note is not None else []),
            text("Games can have posts in {forum}.", forum=verbatim(f"<#{forum}>")) if forum else
            text("No forum has been chosen for games."), WHAT, TALK,
            text("Private talk: {channel}.", channel=verbatim(f"<#{talk}>")) if talk else text("Private talk: no channel."),
            *await forum_losses(interaction.client, guild)]
    if not await manages(interaction):
        await reply(interaction, lines([*told, text("Members who can manage this server can change this.")]))
        return
    none = [*([button(text("No forum"), on_none, "forum")] if forum else []),
            *([button(text("No channel for talk"), on_none, "talk")] if talk else []), back_to_settings()]
    await reply(interaction, lines(told), view(in_rows([
        [channel_select(on_forum, kinds=(discord.ChannelType.forum,), hint=say(text("Forum for games")))],
        [channel_select(on_talk, kinds=(discord.ChannelType.text,), hint=say(text("Channel for private talk")))],
        none])))


@pressed("forum")
async def on_show_forum(interaction: Interaction) -> None:
    await show_forum(interaction)


@pressed("gamesforum")
async def on_forum(interaction: Interaction, channel: int) -> None:
    guild = await _managed(interaction)
    if not isinstance(_channel(interaction, channel), discord.ForumChannel):
        raise Refusal(NOT_A_FORUM, channel=verbatim(f"<#{channel}>"))
    await interaction.client.services.forums.set_forum(guild, channel)
    await show_forum(interaction, text("Saved."))


@pressed("talkchannel")
async def on_talk(interaction: Interaction, channel: int) -> None:
    guild = await _managed(interaction)
    if not isinstance(_channel(interaction, channel), discord.TextChannel):
        raise Refusal(NOT_TEXT, channel=verbatim(f"<#{channel}>"))
    await interaction.client.services.forums.set_talk_channel(guild, channel)
    await show_forum(interaction, text("Saved."))


@pressed("noforum")
async def on_none(interaction: Interaction, what: str) -> None:
    """No forum for games any more, or no channel for talk; what is there stays."""
    guild, forums = await _managed(interaction), interaction.client.services.forums
    if what == "talk":
        await forums.set_talk_channel(guild, None)
    else:
        await forums.set_forum(guild, None)
    await show_forum(interaction, text("Saved."))


def _channel(interaction: Interaction, number: int) -> object:
    return interaction.guild.get_channel(number) if interaction.guild is not None else None


async def _managed(interaction: Interaction) -> int:
    """The server, if the caller may manage it. Raises Refusal."""
    guild = server_of(interaction)
    if not await manages(interaction):
        raise NotGameMaster("Only members who can manage this server, or have its game master role, can choose its forum.")
    return guild
