"""How a game stands, as everybody may know it: what /game status says, and the pinned message says all the time."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import discord

from bot.discord.components import Persistent, Style, button, pressed, view
from bot.discord.context import Interaction
from bot.discord.find_game import game_of_button
from bot.discord.game.absence import whereabouts
from bot.discord.game.answering import panel, press_mine, seat_in
from bot.discord.game.buttons import HAPPENED, HOME, MY_GAMES
from bot.discord.game.clock import deadline_of
from bot.discord.game.picture_commands import press_look
from bot.discord.lobby.buttons import GUESTS, rematching, seating, taking_over
from bot.discord.lobby.opening import about
from bot.discord.lobby.options import departures, edition_name
from bot.discord.responses import reply, titled, where_played
from bot.discord.results.routes import to_chronicle, to_ranking
from bot.domain.absence import no_show_sentence
from bot.domain.alarms import ahead
from bot.domain.announcements import member
from bot.service import Holder, Services
from bot.service.clocks import day
from bot.store import GameRow
from bot.store.seats import Newcomers
from engine.kernel import GameSpec
from engine.kernel.game_spec import pictures
from engine.players import NAMES, level_of
from engine.refusals import Refusal
from engine.text import Fact, Text, count, lines, text, verbatim

NAMED = 3                   # answers in somebody's name that the status lists
LATER: dict[Newcomers, Text] = {
    "free": text("-# A seat that is given up later goes to the first member who wants it, with its secrets."),
    "asked": text("-# The game master decides who takes over a seat that is given up later."),
    "none": text("-# Only the game master hands out a seat that is given up later.")}


async def standing(services: Services, game: GameRow) -> Text:
    """Where the game stands, who plays, and who is awaited since when."""
    spec = services.session.spec(game.key)
    edition = verbatim(edition_name(spec, game.edition))
    what = text("{spec}, {edition}", spec=verbatim(spec.name), edition=edition) if game.title != spec.name else edition
    head = text("**{title}** · game {game} · {what} · {channel}", title=verbatim(titled(game)), game=game.id, what=what,
                channel=where_played(game))
    holders = await services.queries.holders(game.id)
    rules = await services.clocks.clock(game.id)
    if game.status == "open":
        clock = text("No clock: the game waits for everybody.") if not rules.clock.hours else text(
            "Its clock: {clock}. After that a default move is played.", clock=rules.clock.text(spec.orders))
        return lines([head, *_open(spec, game, holders), clock, *departures(spec, game),
                      _trust(plays=any(holder.user == game.owner for holder in holders)),
                      LATER[await services.free_seats.newcomers(game.id)],
                      text("-# {rules}", rules=(await services.gone_players.replacement_rules(game.id)).sentence(game.seats)),
                      *await _first_moves(services, game, timed=bool(rules.clock.hours)),
                      *following(await services.seats.successor(game.id))])
    if game.status == "closed":
        return lines([head, text("This game is closed.")])
    try:
        table = await services.session.table(game.id)
    except Refusal as broken:
        return lines([head, broken.text])
    paused = [] if game.status != "paused" else [
        text("Paused: there is nobody left to move.") if all(holder.unattended for holder in holders) else
        text("Paused by a vote of its players. `/clock vote` resumes it.") if rules.voted else
        text("Paused by its game master. Nobody can move for now.")]
    players = [text("{seat}: {who}", seat=holder.seat, who=whereabouts(holder))
               for holder in holders]
    gone = [text("{member} is on vacation until {day}.", member=member(user), day=day(until))
            for user, until in (await services.clocks.on_vacation(game.id)).items()]
    stands = spec.words.result(table.state) if table.over else spec.words.moment(table.state)
    named = [text("Step {row}: {note}", row=no, note=note) for no, note in await services.queries.in_names(game.id, NAMED)]
    gone += [text("Moves in somebody's name: {rows}.", rows=tuple(named))] if named else []
    return lines([head, stands, *ahead(spec, table.state), *paused, _commas(players), *gone,
                  *await _awaited(services, game, holders)])


def _open(spec: GameSpec, game: GameRow, holders: list[Holder]) -> list[Text]:
    """Who has joined, who is still missing, and who is game master."""
    owner, free = member(game.owner), game.seats - len(holders)
    missing = list[Text]()
    if not free:
        missing.append(text("All seats are taken: {owner} can start the game.", owner=owner))
    elif len(holders) in spec.seats:
        missing.append(text("{free} free. {owner} can start without more players.", owner=owner,
                            free=count(free, "{n} seat is", "{n} seats are")))
    elif (least := spec.seats[0]) < game.seats:
        missing.append(text("The game can start with {least} players.", least=least))
    return [taken_seats(game, holders), *missing, text("Host and game master: {owner}.", owner=owner)]


def taken_seats(game: GameRow, holders: Sequence[Holder]) -> Text:
    levels = Counter(holder.level for holder in holders if holder.user is None and holder.level)
    joined = (*[member(holder.user) for holder in holders if holder.user is not None],
              *[count(n, "an automatic player ({level})", "{n} automatic players ({level})", level=NAMES[level_of(level)])
                for level, n in levels.items()])
    facts: dict[str, Fact] = {"taken": len(holders), "seats": game.seats}
    return (text("{taken} of {seats} seats taken: {joined}.", joined=joined, **facts) if joined else
            text("{taken} of {seats} seats taken.", **facts))


def following(level: str) -> list[Text]:
    """Who plays for players who are not there, if automatic players do."""
    if not level:
        return []
    return [text("-# An automatic player ({level}) plays for whoever resigns or is away.", level=NAMES[level_of(level)])]


async def _first_moves(services: Services, game: GameRow, *, timed: bool) -> list[Text]:
    """Return what is done about a player who never makes a first move; nothing where nothing is."""
    what = await services.gone_players.no_show(game.id)
    return [] if what == "wait" else [text("-# {does}", does=no_show_sentence(what, timed=timed))]


def _trust(*, plays: bool) -> Text:
    """Who can see what, beyond what the options say: told before anybody joins."""
    master = (text("The game master plays too, so a seat changes hands only if its player or everybody "
                   "agrees. The host can name a neutral one under *Options*.") if plays else
              text("The game master doesn't play, and can give a seat to a newcomer."))
    return text("-# Nobody sees the secrets of two seats unless the players agree. {master} Every move made in somebody else's "
                "name is announced here.", master=master)


async def _awaited(services: Services, game: GameRow, holders: list[Holder]) -> list[Text]:
    """All seats that were asked together, and not who of them has given a sealed answer already [P-28]."""
    waiting = await services.queries.waiting(game.id)
    if not waiting:
        return []
    users = {holder.seat: holder.user for holder in holders if not holder.level}
    asks = (await services.session.table(game.id)).asks
    due = await deadline_of(services, game.id)
    put = [text("{seat} ({member}): {question}", seat=asked.seat, member=member(user), question=asked.told())
           for asked in asks if (user := users.get(asked.seat))]
    if not put:
        return []                           # an automatic player thinks
    return [text("To move (asked {moment}):", moment=since(waiting[0].since)), *put, *([due] if due is not None else [])]


def since(moment: str) -> Text:
    """A moment as each reader's Discord tells it: "3 hours ago"."""
    return verbatim(discord.utils.format_dt(datetime.fromisoformat(moment), "R"))


def _commas(parts: list[Text]) -> Text:
    return Text(", ".join(f"{{s{number}}}" for number in range(len(parts))),
                {f"s{number}": part for number, part in enumerate(parts)})


async def ways(services: Services, game: GameRow, reader: int | None = None) -> list[Persistent]:
    """The buttons below it: join and start while it is open; later one's own move, the board, what only the presser may see.

    `reader`: the member who reads it alone.
    """
    if game.status == "open":
        spec, holders = services.session.spec(game.key), await services.queries.holders(game.id)
        inside = None if reader is None else reader in [holder.user for holder in holders]
        automatic = sum(bool(holder.level) for holder in holders)
        return [*seating(game, spec, len(holders), automatic, inside=inside), *about(spec, game.id),
                button(text("Who can join"), GUESTS, game.id)]
    if game.status == "closed":
        return []
    board = button(text("Board"), press_look, game.id, pictures(services.session.spec(game.key))[0].key)
    own = button(text("My games"), MY_GAMES, 1)
    if game.status == "over":
        course = [to_chronicle(game.id)] if services.session.spec(game.key).course is not None else []
        return [board, *course, own, rematching(game.id), to_ranking()]
    free = [taking_over(game.id)] if await services.free_seats.free_seats(game.id) else []
    return [button(text("Your move"), press_turn, game.id, style=Style.primary), board,
            button(text("Your secrets"), press_mine, game.id), button(text("What happened?"), HAPPENED, game.id), own, *free]


@pressed(HOME)
async def press_home(interaction: Interaction, game: int) -> None:
    row = await game_of_button(interaction, game)
    services = interaction.client.services
    seat = await services.queries.seat_of(game, interaction.user.id)
    if seat is not None and row.status == "running":
        await panel(interaction, row, seat)
    else:
        await reply(interaction, await standing(services, row), view(await ways(services, row, interaction.user.id)))


@pressed("turn")
async def press_turn(interaction: Interaction, game: int) -> None:
    row = await game_of_button(interaction, game)
    seat = await seat_in(interaction, row)
    await panel(interaction, row, seat)
