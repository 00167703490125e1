"""Who may read a message: noted while it is put together (`heard`), and compared with its readers before it is sent.

`HEARD` collects the notes: a sentence for one seat alone adds its own (`engine.text.confided`), pictures, panels and whole
letters add theirs by `confide`, each game whose title is told by `tell_of`. Whoever sends first awaits `for_member`, `for_all`
or `for_seats`, which takes the notes and compares them with what these readers may know. What they may not read is not sent,
and becomes an incident.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence

import discord

from bot.discord.context import Context
from bot.discord.heard import Told, collected
from bot.discord.visibility import readable_in
from engine.kernel import Seat
from engine.refusals import Refusal


class Misdirected(Exception):
    """What only some may read was about to reach others: it was not sent."""


class Unseen(ConnectionError):
    """Discord doesn't say just now who may read where: this is to be tried again."""


async def for_member(bot: Context, user: int, game: int | None = None) -> None:
    """Compare what has been said since the last message with what a member may read who reads the next one alone; `game`: that
    about which the member has asked. Raises Misdirected."""
    heard = collected()
    private = {one for one in heard if not isinstance(one, Told)}
    compare(bot, private, await _known(bot, private, user, game) if private else set(), user=user, heard=heard)


async def for_all(bot: Context, place: int) -> None:
    """Compare it with what everybody may read who reads in a channel. Raises Misdirected; Unseen: that can't be told just now."""
    heard, services = collected(), bot.services
    games = [await services.queries.game(one.game) for one in heard if isinstance(one, Told)]
    known: set[object] = {Told(game.id) for game in games if game.channel == place or game.guild is None}
    for guild in {game.guild for game in games} - {None}:
        if (found := bot.get_guild(guild or 0)) is not None:
            others = [game for game in games if game.guild == guild and Told(game.id) not in known]
            if others and found.unavailable:
                raise Unseen
            known |= {Told(game.id) for game in await readable_in(bot, found, place, others)}
    compare(bot, heard, known, place=place, heard=heard)


async def for_seats(bot: Context, thread: object, place: int, game: int, seats: Sequence[Seat]) -> None:
    """Compare it with what these seats may read, for whom alone this thread is. Raises Misdirected."""
    if not seats:
        await for_all(bot, place)
        return
    heard, private = collected(), isinstance(thread, discord.Thread) and thread.is_private()
    known: set[object] = {*seats, *((game, seat) for seat in seats)} if private else set()
    compare(bot, {one for one in heard if not isinstance(one, Told)}, known, place=place, heard=heard)


def compare(bot: Context, wanted: Collection[object], known: Collection[object], *, heard: Collection[object],
            user: int | None = None, place: int | None = None) -> None:
    """Raises Misdirected unless a message's readers (a member, or a place) know all that is wanted; `heard`: all that it says."""
    if {*wanted} - {*known}:
        raise Misdirected


async def _known(bot: Context, heard: set[object], user: int, game: int | None) -> set[object]:
    queries = bot.services.queries
    known: set[object] = {one for one in heard if one == user}
    named = {one[0] for one in heard if isinstance(one, tuple)}
    mine = {game} if game is not None else await queries.seated(user)
    for number in {*named, *mine}:
        try:
            seats = [holder.seat for holder in await queries.holders(number) if holder.known_to(user)]
        except Refusal:                                         # there is no such game any more
            continue
        known |= {(number, seat) for seat in seats} | {*(seats if number in mine else ())}
    return known
