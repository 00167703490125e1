"""Free seats of games under way: where there are any, how each stands and what is owed, and taking one over."""
from __future__ import annotations

from collections.abc import Sequence

from bot.discord.admission import asker
from bot.discord.components import Persistent, Style, button, in_rows, pressed, view
from bot.discord.context import Interaction
from bot.discord.find_game import game_of_button, within_reach
from bot.discord.game.absence import whereabouts
from bot.discord.game.answering import press_mine, press_your_move
from bot.discord.game.status import since
from bot.discord.game_master.commands import mastered
from bot.discord.lengths import clip
from bot.discord.lobby.buttons import SEAT, SEATS
from bot.discord.responses import reply, titled
from bot.discord.sanitize import known_as
from bot.domain.announcements import member
from bot.domain.pages import paged
from bot.service import Services
from bot.service.free_seats import FreeSeat
from bot.store import GameRow
from engine.kernel import Seat, Table
from engine.kernel.game_spec import pictures
from engine.refusals import Refusal
from engine.text import Fact, Text, count, lines, say, text, verbatim

SHOWN = 5                   # free seats of a page
SHORT = 60                  # characters of a seat's name on a button
NOWHERE = 0                 # as a game: all that the member sees


async def show_free_seats(interaction: Interaction, game: GameRow | None, page: int = 1) -> None:
    """A page of the free seats of a game, or of all games that the caller sees, with a button for each."""
    services = interaction.client.services
    if game is not None:
        games = [game]
    else:
        free = await services.free_seats.with_free_seats()
        games = [row for row in reversed(await within_reach(interaction)) if row.id in free]
    found = [(row, seat) for row in games for seat in await services.free_seats.free_seats(row.id)]
    if not found:
        await reply(interaction, text("No seat is free in {title}.", title=verbatim(titled(game))) if game is not None else
                    text("No running game here has a free seat. `/game list` shows the open games."))
        return
    shown, pages = paged(found, page, SHOWN)
    page, number = min(max(page, 1), pages), NOWHERE if game is None else game.id
    told = [text("{seats}. Look at one first, then take it over.", seats=count(len(found), "{n} free seat", "{n} free seats"))]
    ways: list[Persistent] = []
    for row, seat in shown:
        reader = await services.queries.reader(row.id)
        name = verbatim(say(seat.seat, reader))
        told.append(text("**{seat}** in **{title}** · game {game} · {channel}\n{stands}", seat=name, title=verbatim(titled(row)),
                         game=row.id, channel=verbatim(f"<#{row.channel}>"), stands=unplayed(seat)))
        ways.append(button(text("Look at {seat} ({game})", seat=verbatim(clip(say(seat.seat, reader), SHORT)), game=row.id),
                           SEAT, row.id, seat.seat, style=Style.primary))
    turns = [button(label, press_page, number, to)
             for label, to in ((text("Previous"), page - 1), (text("Next"), page + 1)) if 1 <= to <= pages]
    if turns:
        told.append(text("-# Page {page} of {pages}", page=page, pages=pages))
    await reply(interaction, lines(told), view(in_rows([ways, turns])))


def unplayed(seat: FreeSeat) -> Text:
    meanwhile = text("a caretaker plays it") if seat.caretaker else text("default moves are played for it")
    if seat.since is None:
        return text("Free: {meanwhile}.", meanwhile=meanwhile)
    return text("Became free {moment}: {meanwhile}.", meanwhile=meanwhile, moment=since(seat.since))


@pressed(SEATS)
async def press_seats(interaction: Interaction, game: int) -> None:
    """The free seats of a game; if there is one, how it stands."""
    row = await game_of_button(interaction, game)
    free = await interaction.client.services.free_seats.free_seats(row.id)
    if len(free) == 1:
        await _show_seat(interaction, row, free[0])
    else:
        await show_free_seats(interaction, row)


@pressed("freepage")
async def press_page(interaction: Interaction, game: int, page: int) -> None:
    """Another page of them; 0 is no game, but all that the presser sees."""
    row = await interaction.client.services.queries.game(game) if game else None
    if row is not None:
        interaction.extras["game"] = row
    await show_free_seats(interaction, row, page)


# --- one seat -------------------------------------------------------------------------------------------------

@pressed(SEAT)
async def press_seat(interaction: Interaction, game: int, seat: str) -> None:
    row = await game_of_button(interaction, game)
    await _show_seat(interaction, row, await _free(interaction.client.services, row, seat))


async def _show_seat(interaction: Interaction, row: GameRow, free: FreeSeat) -> None:
    """How a free seat stands, as everybody may know it, with the board and the button that takes it over."""
    services = interaction.client.services
    board = pictures(services.session.spec(row.key))[0]
    drawn = await interaction.client.gallery.picture(
        row.id, board, await services.settings.theme(row.guild, interaction.user.id), since=await services.queries.known(row.id),
        by=asker(interaction))
    words = say(lines(await _position(services, row, free)), await services.queries.reader(row.id))
    asks = await services.free_seats.may_ask(row.id, interaction.user.id)
    label = text("Ask the game master for it") if asks else text("Take it over")
    beside = NOWHERE if interaction.guild_id is not None else row.id        # in direct messages only their own games are seen
    others = beside == NOWHERE or len(await services.free_seats.free_seats(row.id)) > 1
    items = view([button(label, press_take, row.id, free.seat, style=Style.success),
                  *([button(text("Other free seats"), press_page, beside, 1)] if others else [])])
    shown = "\n".join(filter(None, (words, "" if drawn is None else drawn.text())))
    await reply(interaction, shown, items, files=[] if drawn is None else drawn.files())


async def _free(services: Services, game: GameRow, seat: str) -> FreeSeat:
    """A free seat of a game. Raises Refusal."""
    found = next((one for one in await services.free_seats.free_seats(game.id) if one.seat == seat), None)
    if found is None:
        raise Refusal("That seat is no longer free. `/table seats` shows those that are.")
    return found


async def _position(services: Services, game: GameRow, free: FreeSeat) -> list[Text]:
    """Return what somebody wants to know who thinks of taking a seat over: what waits for it, who the others are, the clock."""
    spec, details = services.session.spec(game.key), await services.own_games.own_game_details(game.id)
    clock = (await services.clocks.clock(game.id)).clock
    head = text("**{seat}** in **{title}**, game {game} ({spec}).", seat=free.seat, title=verbatim(titled(game)), game=game.id,
                spec=verbatim(spec.name))
    others = tuple([text("{seat}: {who}", seat=holder.seat, who=whereabouts(holder)) for holder in details.holders
                    if holder.seat != free.seat])
    timed = text("No clock: the game waits for everybody.") if not clock.hours else text("Its clock: {clock}.",
                                                                                        clock=clock.text(spec.orders))
    stands = [details.broken] if details.broken is not None else [] if details.table is None else [
        spec.words.moment(details.table.state), _owed(details.table, free.seat, details.since, paused=game.status == "paused")]
    return [head, unplayed(free), *stands, text("The others: {others}.", others=others), timed,
            text("-# Once it's yours you see this seat's secrets, and no other seat's.")]


def _owed(table: Table, seat: Seat, asked: str | None, *, paused: bool) -> Text:
    """Return what waits for a seat, as everybody may know it, and since when; or for whom the game waits."""
    put, facts = next((one for one in table.asks if one.seat == seat), None), dict[str, Fact]()
    moment = text("") if asked is None else text(" (asked {moment})", moment=since(asked))
    if put is not None:
        return text("Waiting for this seat{moment}: {question}", moment=moment, question=put.told(), **facts)
    if paused or not table.asks:
        return text("Nothing waits for this seat now.")
    return text("Nothing waits for this seat now. To move{moment}: {seats}.", moment=moment,
                seats=tuple(one.seat for one in table.asks))


@pressed("takeover")
async def press_take(interaction: Interaction, game: int, seat: str) -> None:
    services, user = interaction.client.services, interaction.user
    row = await game_of_button(interaction, game)
    await _free(services, row, seat)
    taken = await services.free_seats.take_over(row.id, Seat(seat), user.id, name=known_as(user))
    if not taken:
        await reply(interaction, text("You asked {master} for {seat} in {title}. I'll tell everybody when it's decided.",
                                      master=member(row.owner), seat=Seat(seat), title=verbatim(titled(row))))
        return
    reached = await interaction.client.outbox.open_private(row.id, Seat(seat))
    paused = (await services.queries.game(row.id)).status == "paused"
    await reply(interaction, lines([
        text("You play {seat} in {title} now.", seat=Seat(seat), title=verbatim(titled(row))),
        text("I'll send your secrets by DM.") if reached else
        text("I can't send you DMs. Use `/my move` to see your secrets, or allow DMs from members of this server."),
        *([text("The game is paused. Its game master can resume it.")] if paused else [])]), view([
            button(text("Your move"), press_your_move, row.id, seat, style=Style.primary),
            button(text("Your secrets"), press_mine, row.id)]))
    interaction.client.outbox.answered(row.id)


# --- the game master's say ------------------------------------------------------------------------------------

async def applying(services: Services, game: GameRow, user: int, seat: Seat) -> tuple[Text, Sequence[Persistent]]:
    """Return what is told of a member who wants a free seat, and the buttons of the game master as long as nothing is decided."""
    facts: dict[str, Fact] = {"member": member(user), "seat": seat}
    holder = next((one for one in await services.queries.holders(game.id) if one.seat == seat), None)
    if holder is not None and user in holder.users:
        return text("{member} asked for {seat} and plays it now.", **facts), []
    if seat not in [one.seat for one in await services.free_seats.free_seats(game.id)]:
        return text("{member} asked for {seat}, which is no longer free.", **facts), []
    if (await services.free_seats.application(game.id, user)).declined:
        return text("{member} asked for {seat}. The game master has declined.", **facts), []
    return text("{member} would like to take over {seat}, which is free. You decide.", **facts), [
        button(text("Let them in"), press_let_in, game.id, user, style=Style.success),
        button(text("Decline"), press_decline, game.id, user)]


@pressed("letin")
async def press_let_in(interaction: Interaction, game: int, user: int) -> None:
    row = await mastered(interaction, game)
    request = await interaction.client.services.free_seats.accept(row.id, user, interaction.user.id)
    if request is not None:
        await reply(interaction, text("You aren't a neutral game master here, so I've asked the players to agree: {seats}. "
                                      "Silence counts as no.", seats=tuple(request.agreed)))
        return
    await reply(interaction, text("{member} plays the seat now.", member=member(user)))
    interaction.client.outbox.answered(row.id)


@pressed("turndown")
async def press_decline(interaction: Interaction, game: int, user: int) -> None:
    row = await mastered(interaction, game)
    await interaction.client.services.free_seats.decline(row.id, user, interaction.user.id)
    await reply(interaction, text("Declined. You can still invite {member} with `/gm guests`.", member=member(user)))
