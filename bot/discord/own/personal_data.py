"""/my data: what is kept about a member, as a file if wanted, and how it goes."""
from __future__ import annotations

import io

import discord
from discord import app_commands

from bot.discord.admission import charge
from bot.discord.components import Style, button, pressed, view
from bot.discord.context import Interaction
from bot.discord.responses import reply
from bot.service.backups import OLDEST
from bot.service.personal_data import Kept
from engine.text import Text, count, lines, text


def add_data(group: app_commands.Group) -> None:
    @group.command(name="data", description="Your data: see it, download it or have it erased")
    async def data(interaction: Interaction) -> None:
        await _show(interaction)


async def _show(interaction: Interaction) -> None:
    kept = await interaction.client.services.personal_data.kept_about(interaction.user.id)
    await reply(interaction, lines([summary(kept)]), view([
        button(text("Get it as a file"), on_export),
        button(text("Forget me …"), on_forget, 0, style=Style.danger)]))


def _days() -> Text:
    """How old a copy of the database can be."""
    return count(OLDEST.days, "{n} day", "{n} days")


def summary(kept: Kept) -> Text:
    if not kept.rows:
        return text("I keep nothing about you. Copies of my database still hold what was erased in the last {days}.",
                    days=_days())
    return lines([
        text("I keep {rows} about you, all in the database of this bot's operator:",
             rows=count(kept.rows, "{n} entry", "{n} entries")),
        text("- your seats in {games}, {running} still being played, with your moves and how long you took",
             games=count(kept.games, "{n} game", "{n} games"), running=count(kept.running, "{n} of them", "{n} of them")),
        text("- {mastered} that you run as game master", mastered=count(kept.mastered, "{n} game", "{n} games")),
        text("- {messages} that you sent through me, and {orders}", messages=count(kept.messages, "{n} message", "{n} messages"),
             orders=count(kept.orders, "{n} standing order", "{n} standing orders")),
        text("- your Discord ID, your name on the server, your settings, vacations, lessons, private notes, how "
             "your games ended, and what you have seen"),
        text("It stays until you have it erased. Copies of the database go after {days}.", days=_days())])


@pressed("myexport")
async def on_export(interaction: Interaction) -> None:
    charge(interaction, "files")
    data = await interaction.client.services.personal_data.export_own(interaction.user.id)
    file = discord.File(io.BytesIO(data.encode()), "my-data.json")
    await reply(interaction, text("This is everything that I keep about you. `/game export` has the moves of a finished game."),
                files=[file])


@pressed("myforget")
async def on_forget(interaction: Interaction, sure: int) -> None:
    services, user = interaction.client.services, interaction.user.id
    if not sure:
        kept = await services.personal_data.kept_about(user)
        await reply(interaction, lines([
            text("**This can't be undone.** You give up your seats in {running}, and I erase your ID, name, settings, orders and "
                 "messages.", running=count(kept.running, "{n} running game", "{n} running games")),
            text("- Your moves stay, under the name of the seat alone. What I posted in channels stays, too."),
            text("- If you've seen secrets of a running game, I keep that one fact until it ends, so that you can't take "
                 "another seat in it."),
            text("- If you're the game master, the owner of the server takes your place.")]),
            view([button(text("Forget me"), on_forget, 1, style=Style.danger)]))
        return
    games = await services.personal_data.forget_member(user)
    await reply(interaction, lines([
        text("I've erased your data and freed your seats in {games}. Backups that still have it are deleted after {days}.",
             games=count(games, "{n} game", "{n} games"), days=_days())]))
