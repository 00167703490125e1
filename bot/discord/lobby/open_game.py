"""A game that has not begun: in a few lines for everybody, who can join and see in private, and what can be pressed."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.discord.components import Persistent, button
from bot.discord.lobby.buttons import GUESTS, seating
from bot.discord.lobby.options import changes, press_options
from bot.domain.absence import no_show_sentence
from bot.domain.announcements import member
from bot.domain.datetime_options import sentence
from bot.service import Holder, Services
from bot.store import GameRow
from bot.store.seats import Newcomers
from engine import options as opt
from engine.players import NAMES, level_of
from engine.text import English, Fact, Text, count, sentences, text, verbatim

EVERYBODY, INVITED = text("Everybody who sees the game can join."), text("Only invited members can join.")
LATER: dict[Newcomers, Text] = {
    "free": text("A seat that is given up later goes to the first member who wants it, with its secrets."),
    "asked": text("The game master decides who takes over a seat that is given up later."),
    "none": text("Only the game master hands out a seat that is given up later.")}


async def seats_and_clock(services: Services, game: GameRow) -> list[Text]:
    """Who has joined, the host, the clock in brief, whether others can join, and what differs from the edition."""
    spec, holders = services.session.spec(game.key), await services.queries.holders(game.id)
    clock = (await services.clocks.clock(game.id)).clock
    facts: dict[str, Fact] = {"owner": member(game.owner), "clock": clock.brief()}
    return [taken_seats(game, holders), text("By invitation of {owner}. {clock}", **facts)
            if await services.lobby.invite_only(game.id) else text("Host: {owner}. {clock}", **facts), *changes(spec, game)]


def taken_seats(game: GameRow, holders: Sequence[Holder]) -> Text:
    levels = Counter(holder.level for holder in holders if holder.user is None and holder.level)
    joined = (*[member(holder.user) for holder in holders if holder.user is not None],
              *[count(n, "an automatic player ({level})", "{n} automatic players ({level})", level=NAMES[level_of(level)])
                for level, n in levels.items()])
    facts: dict[str, Fact] = {"taken": len(holders), "seats": game.seats}
    return (text("{taken} of {seats} seats taken: {joined}.", joined=joined, **facts) if joined else
            text("{taken} of {seats} seats taken.", **facts))


async def in_brief(services: Services, game: GameRow) -> list[Text]:
    """Who can see what, and what becomes of seats: three lines for whoever has joined."""
    spec, holders = services.session.spec(game.key), await services.queries.holders(game.id)
    own = opt.chosen(spec, game.edition, game.options)
    told = [sentence(choice, own[choice.key]) for choice in opt.every(spec) if choice.told]
    plays = any(holder.user == game.owner for holder in holders)
    return [text("Nobody sees the secrets of two seats unless the players agree. {told}",
                 told=verbatim(sentences(told, English()))) if told else
            text("Nobody sees the secrets of two seats unless the players agree."),
            text("The game master plays too, so a seat changes hands only if its player or everybody agrees.") if plays else
            text("The game master doesn't play, and can give a seat to a newcomer."),
            LATER[await services.free_seats.newcomers(game.id)]]


async def rights(services: Services, game: GameRow) -> list[Text]:
    """Who can join and see, what becomes of seats, and what is done about players who are gone, in full."""
    gone, timed = services.gone_players, bool((await services.clocks.clock(game.id)).clock.hours)
    what = await gone.no_show(game.id)
    told = [*await in_brief(services, game), text("Every move made in somebody else's name is announced here."),
            (await gone.replacement_rules(game.id)).sentence(game.seats),
            *([no_show_sentence(what, timed=timed)] if what != "wait" else []),
            *following(await services.seats.successor(game.id))]
    return [INVITED if await services.lobby.invite_only(game.id) else EVERYBODY, *told]


def following(level: str) -> list[Text]:
    """Who plays for players who are not there, if automatic players do."""
    return [text("An automatic player ({level}) plays for whoever resigns or is away.", level=NAMES[level_of(level)])
            ] if level else []


async def lobby_ways(services: Services, game: GameRow, reader: int | None = None) -> list[Persistent]:
    """The buttons below an open game. `reader`: the member who reads it alone."""
    holders = await services.queries.holders(game.id)
    inside = None if reader is None else reader in [holder.user for holder in holders]
    return [*seating(game, services.session.spec(game.key), holders, inside=inside), about(game.id),
            button(text("Who can join and see"), GUESTS, game.id)]


def about(game: int) -> Persistent:
    return button(text("Options"), press_options, game)
