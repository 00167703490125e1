"""How a game stands, as everybody may know it: what /game status says, and the pinned message says all the time."""
from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import discord

from bot.core.requirements import PLAYED
from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, view
from bot.discord.context import Interaction
from bot.discord.game.absence import whereabouts
from bot.discord.game.answering import on_mine
from bot.discord.game.buttons import HAPPENED, HOME, MY_GAMES
from bot.discord.game.clock import latest_of
from bot.discord.game.extras import extra
from bot.discord.game.picture_commands import on_look
from bot.discord.game.position import position_of
from bot.discord.lobby.buttons import recording, rematching, taking_over
from bot.discord.lobby.open_game import lobby_ways, seats_and_clock
from bot.discord.lobby.options import edition_name
from bot.discord.responses import reply, titled, where_played
from bot.discord.results.routes import to_chronicle
from bot.domain.alarms import ahead
from bot.domain.announcements import member
from bot.service.clocks import day, on_vacation
from bot.service.queries import in_names
from engine.kernel import Seat, Table
from engine.kernel.game_spec import pictures
from engine.refusals import Refusal
from engine.text import Text, lines, printed, text, verbatim

NAMED = 3                   # answers in somebody's name that the status lists


def standing(visit: Visit, now: datetime) -> Text:
    """Where the game stands, who plays, and who is awaited since when."""
    game, spec, snapshot = visit.game, visit.spec, visit.snapshot
    edition = edition_name(spec, game.edition)
    what = text("{spec}, {edition}", spec=printed(spec.name), edition=edition) if game.title != spec.name else edition
    called = text("**{title}** · game {game} · {what}", title=verbatim(titled(game)), game=game.id, what=what)
    if game.status == "open":
        return lines([called, *seats_and_clock(visit)])
    head = text("{called} · {channel}", called=called, channel=where_played(game))
    if game.status == "closed":
        return lines([head, text("This game is closed.")])
    try:
        table = visit.table
    except Refusal as broken:
        return lines([head, broken.text])
    paused = [] if game.status != "paused" else [
        text("Paused: there is nobody left to move.") if all(holder.unattended for holder in visit.holders) else
        text("Paused by a vote of its players. `/clock vote` resumes it.") if snapshot.clock.voted else
        text("Paused by its game master. Nobody can move for now.")]
    players = [text("{seat}: {who}", seat=holder.seat, who=whereabouts(holder)) for holder in visit.holders]
    gone = [text("{member} is on vacation until {day}.", member=member(user), day=day(until))
            for user, until in on_vacation(snapshot.vacations, now).items()]
    stands = spec.words.result(table.state) if table.over else spec.words.moment(table.state)
    named = [text("Step {row}: {note}", row=no, note=note) for no, note in in_names(snapshot.in_names, table.sealed)[-NAMED:]]
    gone += [text("Moves in somebody's name: {rows}.", rows=tuple(named))] if named else []
    return lines([head, stands, *ahead(spec, table.state), *paused, _commas(players), *gone, *_awaited(visit, table)])


def _awaited(visit: Visit, table: Table) -> list[Text]:
    """All seats that were asked together, and not who of them has given a sealed answer already [P-28]."""
    users = {holder.seat: holder.user for holder in visit.holders if not holder.level}
    put = [text("{seat} ({member}): {question}", seat=asked.seat, member=member(user), question=asked.told())
           for asked in table.asks if (user := users.get(asked.seat))]
    if not table.waiting() or not put or visit.game.status not in PLAYED:
        return []                           # nobody is asked, or an automatic player thinks
    due = latest_of(visit.snapshot.deadlines)
    return [text("To move (asked {moment}):", moment=since(visit.asked_since)), *put, *([due] if due is not None else [])]


def since(moment: str) -> Text:
    """A moment as each reader's Discord tells it: "3 hours ago"."""
    return verbatim(discord.utils.format_dt(datetime.fromisoformat(moment), "R"))


def _commas(parts: list[Text]) -> Text:
    return Text(", ".join(f"{{s{number}}}" for number in range(len(parts))),
                {f"s{number}": part for number, part in enumerate(parts)})


def ways(visit: Visit, reader: int | None = None) -> list[Persistent]:
    """The buttons below it: join and start while it is open; later one's own move, the board, what only the presser may see.

    `reader`: the member who reads it alone.
    """
    game = visit.game
    if game.status == "open":
        return lobby_ways(visit, reader)
    if game.status == "closed":
        return []
    board = button(text("Board"), on_look, game.id, pictures(visit.spec)[0].key)
    if game.status == "over":
        course = [to_chronicle(game.id)] if visit.spec.course is not None else []
        return [board, *course, recording(game.id), rematching(game.id)]
    free = [taking_over(game.id)] if visit.snapshot.free else []
    return [button(text("Your move"), on_turn, game.id, style=Style.primary), board,
            button(text("Your secrets"), on_mine, game.id), button(text("What happened?"), HAPPENED, game.id),
            button(text("My games"), MY_GAMES, 1), *free]


@in_game(HOME)
async def on_home(interaction: Interaction, visit: Visit) -> None:
    if visit.seat is not None and visit.game.status == "running":
        await (await position_of(interaction, visit)).show()
    else:
        await reply(interaction, standing(visit, interaction.client.services.session.now()), view(ways(visit, visit.user)))


@in_game("turn")
async def on_turn(interaction: Interaction, visit: Visit) -> None:
    await (await position_of(interaction, visit)).show()


@extra(60)
def other_games(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if table.asked(seat) is None:
        yield button(text("My games"), MY_GAMES, 1)
