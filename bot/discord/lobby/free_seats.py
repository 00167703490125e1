"""Free seats of games under way: where there are any, how each stands and what is owed, and taking one over."""
from __future__ import annotations

from collections.abc import Sequence

from bot.core.snapshot import FreeSeat
from bot.core.visit import Visit
from bot.discord.admission import asker
from bot.discord.components import Persistent, Style, button, in_game, in_rows, view
from bot.discord.context import Interaction
from bot.discord.find_game import within_reach
from bot.discord.game.absence import whereabouts
from bot.discord.game.answering import on_mine, on_your_move
from bot.discord.game.status import since
from bot.discord.game_master.commands import require_gm
from bot.discord.lengths import clip
from bot.discord.lobby.buttons import SEAT, SEATS
from bot.discord.responses import reply, titled
from bot.discord.sanitize import known_as
from bot.discord.visits import again, number_of
from bot.domain.announcements import member
from bot.domain.pages import paged
from bot.service import Services
from engine.kernel import Seat
from engine.kernel.game_spec import pictures
from engine.refusals import Refusal
from engine.text import Fact, Text, count, lines, printed, say, text, verbatim

SHOWN = 5                   # free seats of a page
SHORT = 60                  # characters of a seat's name on a button
NOWHERE = 0                 # as a game: all that the member sees


async def show_free_seats(interaction: Interaction, visit: Visit | None, page: int = 1) -> None:
    """A page of the free seats of a game, or of all games that the caller sees, with a button for each."""
    if visit is not None:
        visits = [visit]
    else:
        services = interaction.client.services
        free = await services.free_seats.with_free_seats()
        visits = [await services.visits.visit(row.id, interaction.user.id)
                  for row in reversed(await within_reach(interaction)) if row.id in free]
    found = [(one, seat) for one in visits for seat in one.snapshot.free]
    if not found:
        await reply(interaction,
                    text("No seat is free in {title:.}", title=verbatim(titled(visit.game))) if visit is not None else
                    text("No running game here has a free seat. `/game list` shows the open games."))
        return
    shown, pages = paged(found, page, SHOWN)
    page, number = min(max(page, 1), pages), number_of(visit)
    told = [text("{seats}. Look at one first, then take it over.", seats=count(len(found), "{n} free seat", "{n} free seats"))]
    ways: list[Persistent] = []
    for one, seat in shown:
        row, reader = one.game, one.reader
        name = verbatim(say(seat.seat, reader))
        told.append(text("**{seat}** in **{title}** · game {game} · {channel}\n{stands}", seat=name, title=verbatim(titled(row)),
                         game=row.id, channel=verbatim(f"<#{row.channel}>"), stands=unplayed(seat)))
        ways.append(button(text("Look at {seat} ({game})", seat=verbatim(clip(say(seat.seat, reader), SHORT)), game=row.id),
                           SEAT, row.id, seat.seat, style=Style.primary))
    turns = [button(label, on_page, number, to)
             for label, to in ((text("Previous"), page - 1), (text("Next"), page + 1)) if 1 <= to <= pages]
    if turns:
        told.append(text("-# Page {page} of {pages}", page=page, pages=pages))
    await reply(interaction, lines(told), view(in_rows([ways, turns])))


def unplayed(seat: FreeSeat) -> Text:
    meanwhile = text("a caretaker plays it") if seat.caretaker else text("default moves are played for it")
    if seat.since is None:
        return text("Free: {meanwhile}.", meanwhile=meanwhile)
    return text("Became free {moment}: {meanwhile}.", meanwhile=meanwhile, moment=since(seat.since))


@in_game(SEATS)
async def on_seats(interaction: Interaction, visit: Visit) -> None:
    """The free seats of a game; if there is one, how it stands."""
    if len(visit.snapshot.free) == 1:
        await _show_seat(interaction, visit, visit.snapshot.free[0])
    else:
        await show_free_seats(interaction, visit)


@in_game("freepage")
async def on_page(interaction: Interaction, visit: Visit | None, page: int) -> None:
    """Another page of them, of one game or of all that the presser sees."""
    await show_free_seats(interaction, visit, page)


# --- one seat -------------------------------------------------------------------------------------------------

@in_game(SEAT)
async def on_seat(interaction: Interaction, visit: Visit, seat: str) -> None:
    await _show_seat(interaction, visit, _free(visit, seat))


async def _show_seat(interaction: Interaction, visit: Visit, free: FreeSeat) -> None:
    """How a free seat stands, as everybody may know it, with the board and the button that takes it over."""
    services, row = interaction.client.services, visit.game
    drawn = await interaction.client.gallery.picture(
        row.id, pictures(visit.spec)[0], visit.facts.theme, since=visit.marked_since(own=False), by=asker(interaction))
    words = say(lines(_position(visit, free)), visit.reader)
    asks = await services.free_seats.may_ask(row.id, interaction.user.id)
    label = text("Ask the game master for it") if asks else text("Take it over")
    beside = NOWHERE if interaction.guild_id is not None else row.id        # in direct messages only their own games are seen
    others = beside == NOWHERE or len(visit.snapshot.free) > 1
    items = view([button(label, on_take, row.id, free.seat, style=Style.success),
                  *([button(text("Other free seats"), on_page, beside, 1)] if others else [])])
    shown = "\n".join(filter(None, (words, "" if drawn is None else drawn.text())))
    await reply(interaction, shown, items, files=[] if drawn is None else drawn.files())


def _free(visit: Visit, seat: str) -> FreeSeat:
    """A free seat of a game. Raises Refusal."""
    found = next((one for one in visit.snapshot.free if one.seat == seat), None)
    if found is None:
        raise Refusal("That seat is no longer free. `/table seats` shows those that are.")
    return found


def _position(visit: Visit, free: FreeSeat) -> list[Text]:
    """Return what somebody wants to know who thinks of taking a seat over: what waits for it, who the others are, the clock."""
    game, spec, clock = visit.game, visit.spec, visit.snapshot.clock.clock
    head = text("**{seat}** in **{title}**, game {game} ({spec}).", seat=free.seat, title=verbatim(titled(game)), game=game.id,
                spec=printed(spec.name))
    others = tuple([text("{seat}: {who}", seat=holder.seat, who=whereabouts(holder)) for holder in visit.holders
                    if holder.seat != free.seat])
    timed = text("No clock: the game waits for everybody.") if not clock.hours else text("Its clock: {clock}.",
                                                                                        clock=clock.text(spec.orders))
    try:
        stands = [spec.words.moment(visit.table.state), _owed(visit, free.seat)]
    except Refusal as broken:
        stands = [broken.text]
    return [head, unplayed(free), *stands, text("The others: {others}.", others=others), timed,
            text("-# Once it's yours you see this seat's secrets, and no other seat's.")]


def _owed(visit: Visit, seat: Seat) -> Text:
    """Return what waits for a seat, as everybody may know it, and since when; or for whom the game waits."""
    asks, moment = visit.table.asks, text(" (asked {moment})", moment=since(visit.asked_since))
    put = next((one for one in asks if one.seat == seat), None)
    if put is not None:
        return text("Waiting for this seat{moment}: {question}", moment=moment, question=put.told())
    if visit.game.status == "paused" or not asks:
        return text("Nothing waits for this seat now.")
    return text("Nothing waits for this seat now. To move{moment}: {seats}.", moment=moment,
                seats=tuple(one.seat for one in asks))


@in_game("takeover")
async def on_take(interaction: Interaction, visit: Visit, seat: str) -> None:
    row = visit.game
    _free(visit, seat)
    name = known_as(interaction.user)
    if not await interaction.client.services.free_seats.take_over(row.id, Seat(seat), visit.user, name=name):
        await reply(interaction, text("You asked {master} for {seat} in {title:.} I'll tell everybody when it's decided.",
                                      master=member(row.owner), seat=Seat(seat), title=verbatim(titled(row))))
        return
    reached = await interaction.client.outbox.open_private(row.id, Seat(seat))
    paused = (await again(interaction, row.id)).game.status == "paused"
    await reply(interaction, lines([
        text("You play {seat} in {title} now.", seat=Seat(seat), title=verbatim(titled(row))),
        text("I'll send your secrets by DM.") if reached else
        text("I can't send you DMs. Use `/my move` to see your secrets, or allow DMs from members of this server."),
        *([text("The game is paused. Its game master can resume it.")] if paused else [])]), view([
            button(text("Your move"), on_your_move, row.id, seat, style=Style.primary),
            button(text("Your secrets"), on_mine, row.id)]))
    interaction.client.outbox.answered(row.id)


# --- the game master's say ------------------------------------------------------------------------------------

async def applying(services: Services, visit: Visit, user: int, seat: Seat) -> tuple[Text, Sequence[Persistent]]:
    """Return what is told of a member who wants a free seat, and the buttons of the game master as long as nothing is decided."""
    facts: dict[str, Fact] = {"member": member(user), "seat": seat}
    game, holder = visit.id, visit.held(seat)
    if holder is not None and user in holder.users:
        return text("{member} asked for {seat} and plays it now.", **facts), []
    if seat not in [one.seat for one in visit.snapshot.free]:
        return text("{member} asked for {seat}, which is no longer free.", **facts), []
    if (await services.free_seats.application(game, user)).declined:
        return text("{member} asked for {seat}. The game master has declined.", **facts), []
    return text("{member} would like to take over {seat}, which is free. You decide.", **facts), [
        button(text("Let them in"), on_let_in, game, user, style=Style.success),
        button(text("Decline"), on_decline, game, user)]


@in_game("letin")
async def on_let_in(interaction: Interaction, visit: Visit, user: int) -> None:
    await require_gm(interaction, visit)
    request = await interaction.client.services.free_seats.accept(visit.id, user, visit.user)
    if request is not None:
        await reply(interaction, text("You aren't a neutral game master here, so I've asked the players to agree: {seats}. "
                                      "Silence counts as no.", seats=tuple(request.agreed)))
        return
    await reply(interaction, text("{member} plays the seat now.", member=member(user)))
    interaction.client.outbox.answered(visit.id)


@in_game("turndown")
async def on_decline(interaction: Interaction, visit: Visit, user: int) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.free_seats.decline(visit.id, user, visit.user)
    await reply(interaction, text("Declined. You can still invite {member} with `/gm guests`.", member=member(user)))
