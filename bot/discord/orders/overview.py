"""The orders of one's own seat as sentences, and what can be done with each; nobody but their author ever sees them."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discord import SelectOption

from bot.core.visit import Outcome, Visit
from bot.discord.components import Persistent, Style, button, in_game, select, view
from bot.discord.context import Interaction
from bot.discord.game.buttons import HOME
from bot.discord.game.history import NEWEST, turn
from bot.discord.lengths import CHOICES, NAME, clip
from bot.discord.orders.buttons import ADD, ADD_FOR, DESK, EDIT, ORDERS, PACKET
from bot.discord.responses import reply, titled
from bot.discord.visits import again
from bot.domain.order_drafts import desk_from, ordering_of
from bot.service.orders import OwnOrder, OwnOrders, in_advance, occasion
from bot.store import GameRow
from engine.kernel import Seat, Table
from engine.orders import Order, Ordering, Point, line_text, order_text
from engine.text import Fact, Reader, Text, count, lines, say, text, verbatim

MORE = "more"               # in place of a question: all of them, page by page
WHAT_FOR = text("-# A standing order decides the same thing each time it comes up. A written turn plays your next turn. "
                "*Decide in advance* is for what is going on now.")
PAGE = 6                    # orders on a page of the list
FIRST = 3                   # of each its first lines
LINES = 14                  # of one order on its own screen
RECORD = 15                 # answers on a page of what orders have answered


@dataclass(frozen=True)
class Place:
    """A game, and the seat of whoever writes."""

    game: GameRow
    table: Table
    seat: Seat
    ordering: Ordering
    reader: Reader
    own: OwnOrders

    def say(self, words: Fact) -> str:
        return say(words, self.reader)


async def place_of(interaction: Interaction, visit: Visit) -> Place:
    """The seat for which the caller can write orders, with what is ordered by now. Raises Refusal."""
    seat, ordering, table = visit.own_seat(), ordering_of(visit.spec), visit.table
    own = await interaction.client.services.orders.own(visit.id, visit.user)
    return Place(visit.game, table, seat, ordering, visit.reader, own)


async def show_orders(interaction: Interaction, place: Place, page: int = 0, *, above: Sequence[Text] = ()) -> None:
    game, kept = place.game.id, place.own.kept
    page = min(page, max(0, len(kept) - 1) // PAGE)
    shown = list(enumerate(kept, 1))[page * PAGE:(page + 1) * PAGE]
    told = [*above, text("Your standing orders in {title:.} Nobody else sees them.", title=verbatim(titled(place.game))),
            WHAT_FOR]
    for number, one in shown:
        told += [text("**{number}. {head}**", number=number, head=heading(place, one)), *quoted(place, one, FIRST)]
    if not kept:
        told.append(text("None yet."))
    items: list[Persistent] = []
    if shown:
        items.append(select([SelectOption(label=clip(f"{number}. {in_short(place, one.order)}", NAME), value=str(one.order.id))
                             for number, one in shown], on_pick, game, hint=text("Change, move, pause or drop one")))
    points = next_first(place)
    listed = [SelectOption(label=clip(place.say(text(point.title)), NAME), value=point.no,
                           description=clip(place.say(text(point.group)), NAME) or None)
              for point in points]
    if len(listed) > CHOICES:
        listed = [*listed[:CHOICES - 1], SelectOption(label="…", value=MORE)]
    items.append(select(listed, ADD_FOR, game, hint=text("New standing order: what for?")))
    if place.ordering.written:
        items.append(button(text("Write my turn"), ADD, game, "written"))
    now = place.table.question(place.seat)
    if set(in_advance(place.table, place.seat)) - {now.point if now is not None and occasion(place.table, place.seat) else ""}:
        items.append(button(text("Decide in advance"), PACKET, game))
    if desk_from(place.own.drafts.get("order")) is not None:
        items.append(button(text("Go on writing"), DESK, game))
    if len(kept) > 1:
        resting = all(one.paused for one in kept)
        items.append(button(text("Resume all") if resting else text("Pause all"), on_pause, game, 0, int(not resting)))
    if place.own.answered:
        items.append(button(text("Moves by order"), on_record, game, NEWEST))
    if page:
        items.append(button(text("Previous"), ORDERS, game, page - 1))
    if len(kept) > (page + 1) * PAGE:
        items.append(button(text("More"), ORDERS, game, page + 1))
    items.append(button(text("Back to the game"), HOME, game))
    await reply(interaction, lines(told), view(items))


async def show_order(interaction: Interaction, place: Place, id: int) -> None:
    one = next((one for one in place.own.kept if one.order.id == id), None)
    if one is None:
        await show_orders(interaction, place, above=[text("You no longer have an order {id}.", id=id)])
        return
    game = place.game.id
    await reply(interaction, lines([text("**{head}**", head=heading(place, one)), *quoted(place, one)]), view([
        button(text("Edit"), EDIT, game, id, style=Style.primary), button(text("Up"), on_move, game, id, 1),
        button(text("Down"), on_move, game, id, 0),
        button(text("Go on") if one.paused else text("Pause"), on_pause, game, id, int(not one.paused)),
        button(text("Drop"), on_drop, game, id, style=Style.danger), button(text("Back"), ORDERS, game, 0)]))


def title_of(place: Place, order: Order) -> Text:
    if order.kind == "written":
        return text("Your turn")
    titles = [text(point.title) for no in order.points if (point := place.ordering.point(no)) is not None]
    return text("{titles}", titles=tuple(titles))


def heading(place: Place, one: OwnOrder) -> Text:
    head = text("{title}, {lasts}", title=title_of(place, one.order), lasts=place.ordering.lasting(one.order.lasts))
    return text("{head} (paused)", head=head) if one.paused else head


def quoted(place: Place, one: OwnOrder, most: int = LINES) -> list[Text]:
    """An order as sentences, at most so many of them."""
    told = [text("> {line}", line=line) for line in order_text(place.table.spec, one.order, one.left)]
    more = len(told) - most
    return told if more <= 0 else [*told[:most], count(more, "> and {n} more line", "> and {n} more lines")]


def in_short(place: Place, order: Order) -> str:
    """An order in a select: its question and its first line."""
    return place.say(text("{title}: {line}", title=title_of(place, order),
                          line=line_text(place.table.spec, order.lines[0], order.kind, order.points)))


def next_first(place: Place) -> list[Point]:
    """The questions that this game can still put to the seat: the one that is open, what may be asked soon, then all others."""
    asked, soon = place.table.asked(place.seat), place.table.foreseen.get(place.seat, ())
    now = asked.point if asked is not None else ""
    able = [point for point in place.ordering.points if place.ordering.ahead(point.no, place.table.state, place.seat)]
    return sorted(able, key=lambda point: 0 if point.no == now else 1 if point.no in soon else 2)


def came_of_it(done: Outcome) -> list[Text]:
    return [text("Saved."), *done.lines, *done.private]


async def tell(interaction: Interaction, game: int, news: Sequence[Text]) -> None:
    """The list of orders, below what has just happened."""
    await show_orders(interaction, await place_of(interaction, await again(interaction, game)), above=news)
    interaction.client.outbox.answered(game)


# --- presses -----------------------------------------------------------------------------------------------------------------

@in_game(ORDERS)
async def on_orders(interaction: Interaction, visit: Visit, page: int) -> None:
    await show_orders(interaction, await place_of(interaction, visit), page)


@in_game("orderlog")
async def on_record(interaction: Interaction, visit: Visit, page: int) -> None:
    rows, pages = await interaction.client.services.orders.order_record(visit.id, visit.user, page=page, size=RECORD)
    told = [say(text("Step {row}: ~~{line}~~ (undone)" if mark else "Step {row}: {line}", row=no, line=line), visit.reader)
            for no, mark, line in rows]
    await turn(interaction, on_record, visit.game, page, pages, told)


@in_game("orderpick")
async def on_pick(interaction: Interaction, visit: Visit, id: int) -> None:
    await show_order(interaction, await place_of(interaction, visit), id)


@in_game("ordermove")
async def on_move(interaction: Interaction, visit: Visit, id: int, up: int) -> None:
    await interaction.client.services.orders.move_order(visit.id, visit.user, id, up=up == 1)
    await tell(interaction, visit.id, [])


@in_game("orderpause")
async def on_pause(interaction: Interaction, visit: Visit, id: int, paused: int) -> None:
    """Let an order rest, or all of them (0), or go on."""
    await interaction.client.services.orders.pause_orders(visit.id, visit.user, id or None, paused=paused == 1)
    await tell(interaction, visit.id, [])


@in_game("orderdrop")
async def on_drop(interaction: Interaction, visit: Visit, id: int) -> None:
    await interaction.client.services.orders.drop_order(visit.id, visit.user, id)
    await tell(interaction, visit.id, [text("The order is dropped.")])
