"""My interests: the games of which a member would like to hear when they are opened or a seat comes free, by title and number of
seats."""
from __future__ import annotations

from collections.abc import Sequence

from discord import SelectOption

from bot.core.visit import Visit
from bot.discord.components import Persistent, button, in_rows, pressed, select, view
from bot.discord.context import Context, Interaction
from bot.discord.find_game import server_of
from bot.discord.game.buttons import NOWHERE, SETTINGS
from bot.discord.game.clock import call, direct
from bot.discord.heard import unsaid
from bot.discord.lengths import NAME, clip
from bot.discord.lobby.buttons import joining_named, taking_over_named
from bot.discord.responses import reply, titled
from bot.discord.visibility import member_of, member_sees
from bot.domain import letters
from bot.domain.announcements import member
from bot.service import Services
from bot.store import GameRow, OutboxRow
from bot.store.interests import ANY, ANY_SEATS
from engine.refusals import Refusal
from engine.text import Fact, Text, count, lines, printed, say, text, verbatim

NONE = "-"                      # in a custom id: any game
SHOWN = 20                      # games with a button below a message


async def show_interests(interaction: Interaction, note: Text | None = None, key: str | None = None) -> None:
    """What the caller would like to hear of on this server; a game is chosen first, then the number of seats."""
    guild, services = server_of(interaction), interaction.client.services
    wishes = await services.interests.interests(guild, interaction.user.id)
    told = [*([note] if note is not None else []),
            text("I tell you once when somebody opens a game like these here or a seat comes free in one, while you're awake:")
            if wishes else
            text("Choose a game, and I'll tell you once when somebody opens one here or a seat comes free in one, while you're "
                 "awake."),
            *(text("- {wish}", wish=_wish(services, wish.key, wish.seats)) for wish in wishes)]
    games = [SelectOption(label=say(text("Any game")), value=NONE, default=key == ANY),
             *(SelectOption(label=clip(spec.name, NAME), value=spec.key, default=key == spec.key)
               for spec in services.session.specs.values())]
    rows: list[list[Persistent]] = [[select(games, on_key, hint=text("Which game?"))]]
    if key is not None:
        known = sorted({number for spec in services.session.specs.values() if key in (ANY, spec.key) for number in spec.seats})
        seats = [SelectOption(label=say(text("Any number of players")), value=str(ANY_SEATS)),
                 *(SelectOption(label=say(text("For {n} players", n=number)), value=str(number)) for number in known)]
        rows.append([select(seats, on_seats, key or NONE, hint=text("For how many?"))])
    if wishes:
        listed = [SelectOption(label=clip(say(_wish(services, wish.key, wish.seats)), NAME),
                               value=f"{wish.key or NONE} {wish.seats}") for wish in wishes]
        rows.append([select(listed, on_drop, hint=text("Remove one"))])
    rows.append([button(text("Back"), SETTINGS, "me", NOWHERE)])
    await reply(interaction, lines(told), view(in_rows(rows)))


def _wish(services: Services, key: str, seats: int) -> Text:
    name = text("any game") if key == ANY else printed(services.session.spec(key).name)
    return text("{game} for {seats}", game=name, seats=count(seats, "{n} player", "{n} players")) if seats else \
        text("{game} for any number of players", game=name)


@pressed("wishes")
async def on_interests(interaction: Interaction) -> None:
    await show_interests(interaction)


@pressed("wishgame")
async def on_key(interaction: Interaction, key: str) -> None:
    """The game that was chosen; now for how many."""
    chosen = _key(interaction, key)
    await show_interests(interaction, key=chosen)


@pressed("wishseats")
async def on_seats(interaction: Interaction, key: str, seats: int) -> None:
    guild, chosen = server_of(interaction), _key(interaction, key)
    if seats < 0:
        raise Refusal("That game isn't for that many players.")
    await interaction.client.services.interests.add_interest(guild, interaction.user.id, chosen, seats)
    await show_interests(interaction, text("Noted."))


@pressed("wishdrop")
async def on_drop(interaction: Interaction, wish: str) -> None:
    key, _, seats = wish.partition(" ")
    if not seats.isdecimal() or len(seats) > 2:
        raise Refusal("That isn't on your list.")
    await interaction.client.services.interests.drop_interest(server_of(interaction), interaction.user.id,
                                                              _key(interaction, key), int(seats))
    await show_interests(interaction, text("Removed."))


def _key(interaction: Interaction, key: str) -> str:
    """The key of a game that there is, or ANY. Raises Faulty."""
    return ANY if key == NONE else interaction.client.services.session.spec(key).key


# --- what is told ---------------------------------------------------------------------------------------------------

async def tell_opened(bot: Context, row: OutboxRow, letter: letters.Opened) -> int | None:
    """Tell a member of the games that have been opened or have a free seat, if the member can still enter them and sees where
    they are played: directly, or else in the channel of the first."""
    found = [one for number in letter.games if (one := await _enterable(bot, number, letter.user)) is not None]
    if not found:
        return None
    games, chosen, facts = [visit.game for visit, _ in found], found[0][0].facts.chosen, [_offered(*one) for one in found]
    items = [_entering(game) for game in games[:SHOWN]]
    if chosen.direct:
        words = lines([_head(games), *facts, text("-# You asked for this in `/settings`")])
        sent = await direct(bot, letter.user, words, items, row=row)
        if sent is not None:
            return sent
    if chosen.pings != "all":
        return None
    unsaid()
    called = (text("{member}, a game that you might like is open:", member=member(letter.user)) if games[0].status == "open" else
              text("{member}, a seat is free in a game that you might like:", member=member(letter.user)))
    return await call(bot, games[0], letter.user, lines([called, facts[0]]), items[:1],
                      row=row)


def _head(games: Sequence[GameRow]) -> Text:
    opened = [game.status == "open" for game in games]
    if all(opened):
        return text("Somebody has opened a game that you might like:")
    return text("You might like these games, which have room for you:") if any(opened) else \
        text("A seat is free in a game that you might like:")


def _offered(visit: Visit, free: int) -> Text:
    game, spec = visit.game, visit.spec
    facts: dict[str, Fact] = {"title": verbatim(titled(game)), "game": game.id, "channel": verbatim(f"<#{game.channel}>")}
    seats = count(game.seats, "{n} player", "{n} players")
    if game.status == "open":
        return text("**{title}** · game {game} · {channel} · {spec} for {seats}", spec=printed(spec.name), seats=seats, **facts)
    return text("**{title}** · game {game} · {channel} · {spec} for {seats}, under way · {free}", spec=printed(spec.name),
                seats=seats, free=count(free, "{n} free seat", "{n} free seats"), **facts)


def _entering(game: GameRow) -> Persistent:
    return joining_named(game) if game.status == "open" else taking_over_named(game)


async def _enterable(bot: Context, number: int, user: int) -> tuple[Visit, int] | None:
    """A game that a member sees, and can join or get a free seat of; and how many of those there are."""
    visit = await bot.services.visits.visit(number, user)
    game, free = visit.game, 0
    if game.status == "open":
        people = [holder.user for holder in visit.holders if holder.user is not None]
        if user in people or len(people) >= game.seats or game.invite_only:
            return None
    elif not (free := await bot.services.free_seats.takeable(number, user)):
        return None
    found = await member_of(bot, game.guild or 0, user)
    return (visit, free) if found is not None and await member_sees(bot, found, game.channel) else None
