"""All answers of a kind in one form, where they are asked one by one with others in between: each is given when it is due.

What is filled in becomes a standing order whose lines are used up one after the other; a line that is not legal in its turn is
left out, and its author is asked.
"""
from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from discord import SelectOption

from bot.core.visit import Visit
from bot.discord import components as ui
from bot.discord.context import Interaction
from bot.discord.errors import explain
from bot.discord.game.buttons import HOME
from bot.discord.lengths import CHOICES, NAME, capital, clip
from bot.discord.orders.buttons import SERIES, SERIES_AGAIN
from bot.discord.orders.overview import Place, place_of
from bot.discord.responses import reply
from bot.domain.announcements import choice_id, reader_of
from engine.kernel import Action
from engine.orders import Order, OrderLine, Point, Reply, Series, Wish, order_text
from engine.refusals import Illegal, Refusal
from engine.text import Text, count, lines, template, text

SENT = ui.Route[int, str, *tuple[str, ...]]("seriessent")           # game, question, what was chosen
NO_MORE = template("That's all you can place at once. I'll ask for the rest one at a time.")


def _open(place: Place, no: str) -> tuple[Point, Series]:
    """Return what the seat can give at once now. Raises Refusal: nothing of this kind."""
    found = place.ordering.series(place.table.state, place.seat)
    if found is None or found[0].no != no:
        raise Refusal(NO_MORE)
    return found


@ui.opening_in_game(SERIES)
async def on_series(interaction: Interaction, visit: Visit, no: str) -> ui.Form:
    """A form with a line for each answer that is still to come, as far as it has room; filled in with those that wait already."""
    place = await place_of(interaction, visit)
    point, series = _open(place, no)
    waiting = [line.then.among(series.answers) for order, left in _waiting(place, point)
               for line in order.lines[-left:] if left and line.then is not None]
    return _form(place, point, series, *(choice_id(answer) if answer is not None else "" for answer in waiting))


@ui.opening_in_game(SERIES_AGAIN)
async def on_series_again(interaction: Interaction, visit: Visit, no: str, *chosen: str) -> ui.Form:
    """The same form with what had been chosen, which could not all be given."""
    place = await place_of(interaction, visit)
    return _form(place, *_open(place, no), *chosen)


def _waiting(place: Place, point: Point) -> list[tuple[Order, int]]:
    """The order that gives these answers, if there is one, and how many of them are still to come."""
    return [(one.order, one.left or 0) for one in place.own.kept if one.order.points == (point.no,)]


def _form(place: Place, point: Point, series: Series, *chosen: str) -> ui.Form:
    offered = [SelectOption(label=clip(capital(place.say(answer.label())), NAME), value=choice_id(answer))
               for answer in series.answers]
    number = min(series.number, ui.FIELDS)
    lists = zip_longest(shared_out(offered, number), chosen[:number])
    fields: list[Any] = [ui.choice(text("{n} of {of}", n=n, of=number), preset(options, wanted), more=more)
                         for n, ((options, more), wanted) in enumerate(lists, 1)]
    return ui.Form(place.say(series.words), SENT, place.game.id, point.no, fields=fields)


def preset(options: Sequence[SelectOption], wanted: str | None) -> list[SelectOption]:
    return [SelectOption(label=option.label, value=option.value, default=option.value == wanted) for option in options]


def shared_out(offered: Sequence[SelectOption], number: int) -> list[tuple[Sequence[SelectOption], Text | str]]:
    """Return what each of so many lines offers, and what is said above it: of more answers than a list holds, the last lines
    offer those that the first ones don't; the first one says so, and how many are in none."""
    others, last = offered[CHOICES:], number // 2
    parts = [others[first:first + CHOICES] for first in range(0, len(others), CHOICES)][:last]
    missing = len(others) - sum(map(len, parts))
    told: Text | str = ""
    if missing:
        told = count(missing, "{n} more choice appears if you're asked one at a time",
                     "{n} more choices appear if you're asked one at a time")
    elif others:
        told = count(len(others), "{n} more choice is in the last lists", "{n} more choices are in the last lists")
    lists: list[tuple[Sequence[SelectOption], Text | str]] = [(offered[:CHOICES], "" if n else told) for n in range(number)]
    for n in range(last if parts else 0):
        part = parts[n % len(parts)]
        lists[number - last + n] = [*offered[:CHOICES - len(part)], *part], ""
    return lists


@ui.in_game(SENT)
async def on_series_sent(interaction: Interaction, visit: Visit, no: str, *choices: str) -> None:
    place = await place_of(interaction, visit)
    home = ui.button(text("Back to the game"), HOME, place.game.id)
    point, series = _open(place, no)
    known = {choice_id(answer): answer for answer in series.answers}
    if len(choices) > series.number or not set(choices) <= set(known):
        raise Refusal("Something has changed since this form was opened. Open it again.")
    answers = [known[wanted] for wanted in choices]
    try:
        series.check(answers)
    except Illegal as why:
        again = ui.button(text("Fill it in again"), SERIES_AGAIN, visit.id, no, *choices, style=ui.Style.primary)
        await reply(interaction, explain(why, reader_of(place.table)), ui.view([again, home]))
        return
    before = [one.order for one in place.own.kept]
    done = await interaction.client.services.orders.give_orders(
        visit.id, visit.user, [order_of(place, point, answers)], known=[one.id for one in before],
        replaces=[one.id for one in before if one.points == (point.no,)])
    kept = _waiting(await place_of(interaction, visit), point)
    given = sum(entry.order and entry.seat == place.seat for entry in done.entries)
    told, ways = [series.done(given) if given else text("Saved.")], [home]
    for waiting, left in kept:
        to_come = order_text(place.table.spec, waiting)[-left:] if left else ()         # the others have been given at once
        told.append(text("Nobody else sees this before its turn comes:"))
        told += [text("{n}. {line}", n=n, line=line) for n, line in enumerate(to_come, 1)]
        ways.insert(0, ui.button(text("Change it"), SERIES, visit.id, no))
    await reply(interaction, lines(told), ui.view(ways))
    interaction.client.outbox.answered(place.game.id)


def order_of(place: Place, point: Point, answers: Sequence[Action]) -> Order:
    """The order that gives these answers one after the other, each once."""
    return Order(seat=place.seat, points=(point.no,), lines=tuple(OrderLine(then=_reply(point, answer)) for answer in answers),
                 lasts=point.lasts[0], times=len(answers))


def _reply(point: Point, answer: Action) -> Reply:
    """An answer as a line of an order, in the words of the offer that it fills."""
    for offer in point.offers:
        blanks = {slot.field for slot in offer.slots}
        if offer.verb == answer.verb and blanks <= set(type(answer).model_fields) and offer.slots:
            filled: dict[str, Wish] = {slot.field: (value,) if slot.kind == "list" else value
                                       for slot in offer.slots for value in [getattr(answer, slot.field)]}
            return offer.reply(filled)
    return Reply(verb=answer.verb, fields=answer.model_dump())
