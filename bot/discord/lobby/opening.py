"""Opening a game: by a command with everything in it, or by a panel on which nothing has to be typed."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

import discord
from discord import SelectOption

from bot.discord.channels import ground, losses, new_channel, new_thread, require_member, threads_open
from bot.discord.components import Persistent, Style, button, pressed, select, view
from bot.discord.context import Interaction
from bot.discord.forums import forum_for, new_post
from bot.discord.game.position import position_of
from bot.discord.languages import means, of_server
from bot.discord.lengths import NAME, clip
from bot.discord.lobby.buttons import OPEN, OPEN_EDITION
from bot.discord.lobby.open_game import lobby_ways
from bot.discord.lobby.options import preset_changes
from bot.discord.responses import reply, titled, where_played
from bot.discord.sanitize import known_as
from bot.discord.visits import again
from bot.domain.deadlines import Clock, read
from bot.domain.titles import title_of
from bot.store import GameRow
from engine import components
from engine.data_packs import parsed
from engine.kernel import GameSpec
from engine.options import HINTS, ON, value_of
from engine.players import playable
from engine.refusals import Faulty, Refusal
from engine.text import LANGUAGE, Language, Text, count, lines, printed, say, sentences, text, verbatim

PACK = 256 * 1024           # bytes of a data pack
MOST = 4                    # at the table of whoever plays alone

Where: TypeAlias = Literal["this channel", "a new thread", "a new channel", "a forum post"]
HERE, THREAD, CHANNEL, POST = get_args(Where)


async def opened(interaction: Interaction, spec: GameSpec, *, edition: str, seats: int, title: str | None = None,
                 clock: str | None = None, options: dict[str, object] | None = None, pack: str | None = None,
                 place: Where = "this channel", level: str = "") -> None:
    """Open a game, and say what can be done with it. Raises Refusal before a place is made for it."""
    await require_member(interaction)
    services, changed = interaction.client.services, options or {}
    name = await services.lobby.title(title_of(title or "", spec), interaction.user.id, interaction.guild_id,
                                      interaction.channel_id or 0)
    limit = None if clock is None else read(clock)
    await services.lobby.checked(key=spec.key, edition=edition, seats=seats, options=changed, pack=pack)
    channel, starter = await _place(interaction, spec, name, place)
    row = await services.lobby.open(key=spec.key, edition=edition, seats=seats, options=changed, pack=pack, title=name,
                          guild=interaction.guild_id, channel=channel, owner=interaction.user.id, clock=limit,
                          beside=interaction.channel_id if place == THREAD else None,
                          starter=starter, language=_language(interaction).code)
    if level:
        await services.lobby.fill(row.id, level, interaction.user.id)
    found, visit = await ground(interaction.client, channel), await again(interaction, row.id)
    told = told_host(row, free=True)
    number = await reply(interaction, lines([told, *_timed(visit.snapshot.clock.clock, spec),
                                             *losses(found.lacking() if found else ())]), view(lobby_ways(visit)))
    interaction.client.hosts.note(number, row.id, interaction, say(told))


async def opened_alone(interaction: Interaction, spec: GameSpec, edition: str, seats: int) -> None:
    """Begin a game of the caller against automatic players, in a thread of its own where that can be, and show the first move."""
    await require_member(interaction)
    services, user = interaction.client.services, interaction.user
    name = await services.lobby.title(spec.name, user.id, interaction.guild_id, interaction.channel_id or 0)
    channel, _ = await _place(interaction, spec, name, THREAD if threads_open(interaction) else HERE)
    row = await services.lobby.open(key=spec.key, edition=edition, seats=seats or min(MOST, spec.seats[-1]), options={HINTS: ON},
                                    pack=None, title=name, guild=interaction.guild_id, channel=channel, owner=user.id,
                                    alone=known_as(user), language=_language(interaction).code)
    await services.lobby.start(row.id, user.id)
    visit = await again(interaction, row.id)
    begun = text("{title} has begun.", title=verbatim(titled(row))) if channel == interaction.channel_id else text(
        "{title} has begun in {channel}.", title=verbatim(titled(row)), channel=where_played(row))
    if visit.table.asked(visit.own_seat()) is None:
        await reply(interaction, text("{begun} Others move first; I'll ping you.", begun=begun))
    else:
        await (await position_of(interaction, visit)).show(above=say(begun))


def _language(interaction: Interaction) -> Language:
    """What a new game is written in: the language of its server, or in direct messages that of its host."""
    return LANGUAGE.get() if interaction.guild_id is None else of_server(interaction.client, interaction.guild_id)


async def _place(interaction: Interaction, spec: GameSpec, name: str, place: Where) -> tuple[int, int | None]:
    """Where a game is to be played, made if need be; and the message there that becomes its status. Raises Refusal."""
    if place == POST:
        return await new_post(interaction, name, printed(spec.name))
    if place == THREAD:
        return (await new_thread(interaction, name)).id, None
    return (await new_channel(interaction, name)).id if place == CHANNEL else interaction.channel_id or 0, None


def told_host(game: GameRow, *, free: bool) -> Text:
    """Return what the host of a game is told in private: where it is, and that a seat is free, or that none is."""
    return text("Game {game}, {title}, is open in {channel}. You're its host and game master. {seats}", game=game.id,
                title=verbatim(titled(game)), channel=where_played(game),
                seats=text("Want to play too? Join.") if free else text("All seats are taken."))


def _timed(clock: Clock, spec: GameSpec) -> list[Text]:
    """Return what a clock means for a game; nothing if there is none."""
    return [text("Its clock: {clock}.", clock=clock.text(spec.orders))] if clock.hours else []


# --- what was typed ------------------------------------------------------------------------------------------

def wanted(games: Sequence[GameSpec], name: str) -> GameSpec:
    """The game that was typed by key, name or command. Raises Faulty."""
    for spec in games:
        if name.casefold() in (spec.key.casefold(), spec.name.casefold(), spec.command):
            return spec
    raise Faulty("There is no game of that name. Choose among: {games}.", games=tuple(spec.name for spec in games))


def edition_of(spec: GameSpec, name: str | None) -> str:
    """The key of an edition that was typed by key or name, the first if none was; what is unknown is refused later."""
    for edition in spec.editions:
        named = name is not None and (name.casefold() == edition.key.casefold() or means(name, text(edition.name)))
        if named or (name is None and edition.available):
            return edition.key
    return name or ""


def options_in(spec: GameSpec, typed: str) -> dict[str, object]:
    """Changed options as they were typed: `key=value`, apart by blanks or commas. Raises Faulty; the game checks the values."""
    changed: dict[str, object] = {}
    for change in typed.replace(",", " ").split():
        key, equals, words = change.partition("=")
        if not equals:
            raise Faulty("I can't read the option {change}. Leave options out and choose them by "
                         "taps once the game is open, or write key=value.", change=verbatim(change))
        changed[key] = value_of(spec, key, words)
    return changed


async def text_of(file: discord.Attachment, most: int) -> str:
    """What a file says that was handed in, with so many bytes at most. Raises Faulty."""
    if file.size > most:
        raise Faulty("This file is {size} kB. It can be {most} kB at most.", size=file.size // 1024, most=most // 1024)
    try:
        return (await file.read()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Faulty("This file isn't text.") from None


async def named_in(pack: str) -> tuple[str | None, str | None]:
    """The game and the edition that a data pack says it is for. Raises Faulty: it is no pack."""
    body = await asyncio.to_thread(parsed, pack)
    game, edition = body.get("game"), body.get("edition")
    return game if isinstance(game, str) else None, edition if isinstance(edition, str) else None


# --- the panel -----------------------------------------------------------------------------------------------

async def ask(interaction: Interaction, games: Sequence[GameSpec], key: str | None = None, edition: str | None = None,
              seats: int = 0) -> None:
    """Ask what is missing: the game, its edition, for how many. What was chosen stands in the custom ids.

    Raises Faulty: there is no such game or edition; Refusal: no game can be opened here.
    """
    await require_member(interaction)
    spec = wanted(games, key) if key is not None else games[0] if len(games) == 1 else None
    rows: list[list[Persistent]] = []
    if len(games) > 1:
        rows.append([select([SelectOption(label=clip(one.name, NAME), value=one.key, default=one is spec) for one in games],
                            on_game, hint=text("Which game?"))])
    words = [text("Which game do you want to open?")]
    if spec is not None:
        edition = components.edition_of(spec, edition_of(spec, edition)).key
        known = [one for one in spec.editions if one.available]
        if len(known) > 1:
            rows.append([select([SelectOption(label=clip(say(text(one.name)), NAME), value=one.key, default=one.key == edition,
                                              description=clip(sentences(preset_changes(spec, one.key)), NAME) or None)
                                 for one in known], OPEN_EDITION, spec.key, seats, hint=text("Which edition?"))])
        numbers = [SelectOption(label=say(count(number, "{n} player", "{n} players")), value=str(number),
                                default=number == seats) for number in spec.seats]
        if numbers[1:]:
            rows.append([select(numbers, on_seats, spec.key, edition, hint=text("For how many players?"))])
        else:
            seats = spec.seats[0]               # there is nothing to choose
        places = [(text("Open it here"), HERE, Style.success),
                  *([(text("In its own thread"), THREAD, Style.secondary)] if threads_open(interaction) else []),
                  *([(text("In its own post"), POST, Style.secondary)] if await forum_for(interaction) is not None else [])]
        rows.append([button(label, on_open, spec.key, edition, seats, place, style=style, disabled=not seats)
                     for label, place, style in places])
        if playable(spec):
            rows[-1].append(button(text("Play against automatic players"), on_alone, spec.key, edition, seats))
        words = [text("Open a game of {game:.}", game=printed(spec.name)) if seats else
                 text("Open a game of {game}: for how many players?", game=printed(spec.name)),
                 *_timed((await interaction.client.services.settings.server(interaction.guild_id)).clock, spec),
                 text("You can still change options until the game starts.")]
    items: list[Persistent] = []
    for number, row in enumerate(rows):
        for item in row:
            item.row = number
            items.append(item)
    await reply(interaction, lines(words), view(items))


def _games(interaction: Interaction) -> tuple[GameSpec, ...]:
    return tuple(interaction.client.services.session.specs.values())


@pressed(OPEN)
async def on_open_game(interaction: Interaction) -> None:
    await ask(interaction, _games(interaction))


@pressed("opengame")
async def on_game(interaction: Interaction, key: str) -> None:
    await ask(interaction, _games(interaction), key)


@pressed(OPEN_EDITION)
async def on_edition(interaction: Interaction, key: str, seats: int, edition: str) -> None:
    await ask(interaction, _games(interaction), key, edition, seats)


@pressed("openseats")
async def on_seats(interaction: Interaction, key: str, edition: str, seats: int) -> None:
    await ask(interaction, _games(interaction), key, edition, seats)


@pressed("openalone")
async def on_alone(interaction: Interaction, key: str, edition: str, seats: int) -> None:
    await opened_alone(interaction, interaction.client.services.session.spec(key), edition, seats)


@pressed("openhere")
async def on_open(interaction: Interaction, key: str, edition: str, seats: int, place: Where) -> None:
    if not seats:
        raise Refusal("First choose for how many players.")
    await opened(interaction, interaction.client.services.session.spec(key), edition=edition, seats=seats, place=place)
