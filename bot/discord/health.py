"""/chancery: how the bot fares, and a copy of the database now; for whoever runs the bot, on Discord's word."""
from __future__ import annotations

import platform
import resource
import statistics
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import isfinite
from pathlib import Path

import discord
from discord import app_commands
from discord.utils import utcnow

from bot.discord.context import Interaction
from bot.discord.game.action_commands import CONTEXTS
from bot.discord.responses import reply
from bot.domain.versions import version
from bot.service.response_times import MOST, ResponseTimes
from bot.store.statistics import Figures
from engine.refusals import Refusal
from engine.text import Text, count, lines, text, verbatim

MEGABYTE = 1024 * 1024


class Operator(app_commands.Group):
    """For whoever runs the bot."""

    def __init__(self) -> None:
        super().__init__(name="chancery", description="For whoever runs this bot", allowed_contexts=CONTEXTS,
                         default_permissions=discord.Permissions())          # administrators alone see it; others can't use it

    @app_commands.command(description="How the bot is doing: response times, messages, games, copies, memory, versions")
    async def health(self, interaction: Interaction) -> None:
        await require_operator(interaction)
        client = interaction.client
        copied = client.backups.newest() if client.backups is not None else None
        await reply(interaction, lines([
            summary(client.health, await client.services.queries.figures(), copied, utcnow(), client.services.queries.lost()),
            gateway({number: None if shard.is_closed() else shard.latency for number, shard in client.shards.items()})]))

    @app_commands.command(description="Copy the database now")
    async def backup(self, interaction: Interaction) -> None:
        await require_operator(interaction)
        if interaction.client.backups is None:
            raise Refusal("This bot has no folder for copies of its database. CHANCERY_BACKUPS names one.")
        made = await interaction.client.backups.make()
        await reply(interaction, text("I copied the database to {file}.", file=verbatim(f"`{made.name}`")))


async def require_operator(interaction: Interaction) -> None:
    """Raise Refusal unless Discord says that the application belongs to the caller, or to a team of the caller's."""
    application = await interaction.client.application_info()
    team = application.team.members if application.team is not None else [application.owner]
    if interaction.user.id not in {member.id for member in team}:
        raise Refusal("This is for whoever runs this bot.")


def summary(health: ResponseTimes, figures: Figures, copied: datetime | None, now: datetime, lost: Path | None = None) -> Text:
    """Everything that an operator wants to see at a glance; `lost`: a file of the database that is not on the disk any more."""
    games = figures.games
    return lines([
        *([text("**{file} was deleted or replaced: nothing is saved now.**", file=verbatim(lost.name))] if lost else []),
        text("Chancery {version}, discord.py {library}, Python {python}; running since {since}.",
             version=verbatim(version("chancery-moderator")), library=verbatim(discord.__version__),
             python=verbatim(platform.python_version()), since=_moment(health.since)),
        _paced(text("Acknowledged"), health.acknowledged.lately()),
        _paced(text("Answered"), health.answered.lately()),
        text("{letters} not sent yet{since}.", letters=count(figures.letters, "{n} message", "{n} messages"),
             since=text(", the oldest for {n} s", n=_age(figures.since, now)) if figures.since and figures.letters else text("")),
        text("Games: {running} running, {paused} paused, {open} open, {over} finished.",
             running=games.get("running", 0), paused=games.get("paused", 0), open=games.get("open", 0),
             over=games.get("over", 0) + games.get("closed", 0)),
        text("The database is {size} MB. Last copy: {copied}.", size=figures.bytes / MEGABYTE,
             copied=_moment(copied) if copied is not None else text("none")),
        text("Memory: {memory} MB at most so far.", memory=_memory() / MEGABYTE)])


def gateway(latencies: Mapping[int, float | None]) -> Text:
    """How each connection to Discord's gateway stands: by shard, seconds until a heartbeat is answered; None: it is closed."""
    one = [text("{n} ms", n=round(1000 * seconds)) if seconds is not None and isfinite(seconds) else text("waiting")
           if seconds is not None else text("closed") for _, seconds in sorted(latencies.items())]
    if len(one) == 1:
        return text("Discord's gateway: {state}.", state=one[0])
    return text("Discord's gateway, {shards}: {states}.", shards=count(len(one), "{n} shard", "{n} shards"), states=tuple([
        text("{number}: {state}", number=number, state=state) for number, state in zip(sorted(latencies), one)]))


def _paced(what: Text, took: Sequence[float]) -> Text:
    if len(took) < 2:
        return text("{what}, last hour: none.", what=what)
    parts = statistics.quantiles(took, n=20, method="inclusive")
    median, most = round(1000 * parts[9]), round(1000 * parts[18])
    if len(took) >= MOST:
        return text("{what}, last {n}: half within {median} ms, 19 of 20 within {most} ms.", n=len(took), what=what,
                    median=median, most=most)
    return text("{what}, last hour, {n}: half within {median} ms, 19 of 20 within {most} ms.", n=len(took), what=what,
                median=median, most=most)


def _age(since: str, now: datetime) -> int:
    return max(round((now - datetime.fromisoformat(since)).total_seconds()), 0)


def _moment(moment: datetime) -> Text:
    """A moment that each reader's Discord shows in the reader's own time."""
    return verbatim(f"<t:{int(moment.timestamp())}:R>")


def _memory() -> int:
    """The most memory that the process has had, in bytes; macOS counts in bytes, others in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
