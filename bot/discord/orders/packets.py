"""Answers in advance: all that may be asked soon, on one screen; and the tap that makes an order of an answer just given."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from discord import SelectOption
from pydantic import BaseModel, ValidationError

from bot.core.visit import Visit
from bot.discord import components as ui
from bot.discord.context import Interaction
from bot.discord.game.buttons import HOME
from bot.discord.game.position import position_of
from bot.discord.lengths import CHOICES, NAME, capital, clip
from bot.discord.orders.buttons import ALWAYS_SO, ORDERS, PACKET
from bot.discord.orders.overview import Place, came_of_it, place_of, tell, title_of
from bot.discord.orders.series import on_series
from bot.discord.responses import acknowledge, reply
from bot.domain.order_drafts import ASK
from bot.service.orders import in_advance, occasion, turn_of
from engine import orders as od
from engine.kernel import Action
from engine.refusals import Faulty, Refusal, Stale
from engine.text import Text, lines, text, verbatim

QUESTIONS = 4               # selects on a page of answers in advance: the fifth row is for buttons
FEW = 4                     # numbers for a blank in an answer in advance: 0 to 3
SHORT = range(2, 5)         # answers to a question that a form shows side by side
FILLED = ui.Route[int, str, *tuple[str, ...]]("packetform")         # game, questions, what was chosen for each
USUAL = "usual"             # in advance: what would be answered on silence
GROUP = "in "               # how a group of answers is carried, with its offer and its part of the map
SELECTS = ui.ROWS - 1          # of a group: the fifth row is for the way back
FURTHER = "further "        # how earlier versions carried the way to more answers
Ready: TypeAlias = tuple[str, od.OrderLine, Text]     # an answer in advance: how it is carried, the line that it means, its words


class Packet(BaseModel):
    """The answers to what may be asked, as far as they are chosen; the others are the usual ones."""

    span: str = ""
    given: dict[str, str] = {}


def _packet(place: Place) -> Packet:
    """Return what the caller has chosen for the present occasion; to begin with, what is ordered for it."""
    body = place.own.drafts.get("packet")
    span = occasion(place.table, place.seat) or turn_of(place.table, place.seat)
    try:
        packet = Packet() if body is None else Packet.model_validate_json(body)
    except ValidationError:
        packet = Packet()
    if packet.span == span:
        return packet
    ordered = {order.points[0]: _value(place, order) for order in _of_screen(place)}
    return Packet(span=span, given={no: value for no, value in ordered.items() if value is not None})


def _of_screen(place: Place) -> list[od.Order]:
    """Those of the caller's orders that are for this occasion alone, for one question each."""
    wanted = (*_scope(place), 1)
    return [one.order for one in place.own.kept if (one.order.kind, one.order.lasts, len(one.order.points)) == wanted]


def _scope(place: Place) -> tuple[od.Kind, str]:
    """Of what kind the orders of this screen are, and how long they last."""
    return ("packet", place.ordering.packet) if occasion(place.table, place.seat) else ("standing", od.TURN)


def _value(place: Place, order: od.Order) -> str | None:
    """How this screen carries what an order answers; None: it has no such choice."""
    point = place.ordering.point(order.points[0])
    if point is None:
        return None
    if point.usual_offer is not None and order.lines == (od.OrderLine(then=point.usual_offer.reply({})),):
        return USUAL                        # as it was offered beside silence by earlier versions
    return next((value for value, line, _ in ready_answers(place, point) if (line,) == order.lines), None)


def _chosen(point: od.Point, given: Mapping[str, str]) -> str:
    """Return what was chosen for a question; who has chosen nothing is asked."""
    value = given.get(point.no, ASK)
    return USUAL if point.usual_offer is not None and value == point.usual_offer.key else value


def ready_answers(place: Place, point: od.Point) -> list[Ready]:
    usual = text("{usual} (default)", usual=text(point.usual)) if point.usual else text("the default move")
    silent = point.usual_offer
    out: list[Ready] = [(USUAL, od.OrderLine(then=od.Reply(verb=od.DEFAULT)), usual), (ASK, od.OrderLine(), text("ask me then"))]
    possible = _possible(place, point)
    meant = set[Action | None]() if silent is None else {silent.reply({}).among(possible)}
    for offer in point.offers:
        if offer == silent or not offer.applies(place.table.state):
            continue
        for key, filled in _fillings(place, offer):
            line = od.OrderLine(then=offer.reply(filled))
            action = line.then.among(possible) if possible and line.then is not None else None
            if possible and (action is None or action in meant):
                continue                    # the seat cannot do it now, or it comes to the same as one above
            meant.add(action)
            out.append((key, line, od.answer_text(place.table.spec, line, (point.no,))))
    return out


def _possible(place: Place, point: od.Point) -> tuple[Action, ...]:
    """Return what the seat could answer if a question for numbers came now; nothing if that is not known before."""
    verbs = {offer.verb for offer in point.offers if any(slot.kind == "number" for slot in offer.slots)}
    kinds = [place.table.spec.verb(verb) for verb in verbs if {offer.verb for offer in point.offers} == verbs]
    if not occasion(place.table, place.seat):
        return ()
    return tuple(option for kind in kinds if kind is not None for option in kind.options(place.table.state, place.seat))


def _fillings(place: Place, offer: od.Offer) -> Iterator[tuple[str, dict[str, od.Wish]]]:
    """All ways to fill an offer's blanks with small numbers or single values."""
    if offer.capped:
        return
    fillings: list[dict[str, od.Wish]] = [{}]
    for slot in offer.slots:
        fillings = [{**filled, slot.field: value} for filled in fillings for value in _values(place, slot, filled)]
    for filled in fillings:
        carried = [value[0] if isinstance(value, tuple) else value for value in filled.values()]
        yield ";".join([offer.key, *map(str, carried)]), filled


def _values(place: Place, slot: od.Slot, filled: Mapping[str, od.Wish]) -> list[od.Wish]:
    """Return what can fill a blank beside those that are filled: small numbers or single values."""
    if slot.kind in ("number", "amount"):
        return list(range(FEW))
    able = slot.reached if occasion(place.table, place.seat) else slot.choices
    left = able(place.table.state, place.seat, filled)
    return [(value,) if slot.kind == "list" else value for value in left]


def _questions(place: Place) -> tuple[list[od.Point], tuple[od.Point, od.Series] | None]:
    """Return what can be decided in advance, one by one, and what in a form of its own. Raises Refusal: nothing."""
    points = [point for no in in_advance(place.table, place.seat) if (point := place.ordering.point(no)) is not None]
    series = place.ordering.series(place.table.state, place.seat)
    points = [point for point in points if series is None or point is not series[0]]
    if not points and series is None:
        raise Refusal("There is nothing to decide in advance right now.")
    return points, series


def _ahead(place: Place, points: Sequence[od.Point]) -> list[od.Point]:
    """Those of these questions that are still to come: in an occasion, all but the one that the seat has to answer now."""
    now = place.table.question(place.seat)
    return [point for point in points if now is None or point.no != now.point or not occasion(place.table, place.seat)]


def grouped(answers: Sequence[Ready], areas: Mapping[str, str]) -> dict[str, list[Ready]]:
    """The answers to a question that has more than a list shows, by what is done and in which of these parts of the map.

    What has no blank, or is alone in its part, is in no group.
    """
    groups = dict[str, list[Ready]]()
    for answer in answers if len(answers) > CHOICES else ():
        offer, *filled = answer[0].split(";")
        if filled:
            groups.setdefault(f"{offer};{next((areas[value] for value in filled if value in areas), '')}", []).append(answer)
    return {key: group for key, group in groups.items() if len(group) > 1}


def _groups(place: Place, answers: Sequence[Ready]) -> dict[str, list[Ready]]:
    return grouped(answers, place.table.spec.views.areas(place.table.parts))


def _group_words(place: Place, point: od.Point, key: str) -> Text:
    no, _, area = key.partition(";")
    offer = point.offer(no)
    done = od.offer_text(place.table.spec, offer, listed=True) if offer is not None else text("…")
    return text("{done} in {area:the}", done=done, area=area) if area else done


def _listed(place: Place, point: od.Point, now: str) -> list[tuple[str, Text]]:
    """Return what the select of a question shows: its answers, or groups of them and the chosen one."""
    answers = ready_answers(place, point)
    groups = _groups(place, answers)
    inside = {value for group in groups.values() for value, _, _ in group}
    return [*((value, words) for value, _, words in answers if value not in inside or value == now),
            *((f"{GROUP}{key}", _group_entry(place, point, key)) for key in groups)]


def _group_entry(place: Place, point: od.Point, key: str) -> Text:
    """Return what a group of answers is called in the list of a question, which names it already: that more is to be chosen."""
    what = place.say(_group_words(place, point, key))
    if what.casefold() == place.say(text(point.title)).casefold():
        return text("choose which …")
    return verbatim(what if "…" in what else f"{what} …")


async def _show_group(interaction: Interaction, place: Place, page: int, no: str, key: str) -> None:
    """The answers of one group, in as many selects as they need."""
    point = place.ordering.point(no)
    answers = [] if point is None else _groups(place, ready_answers(place, point)).get(key, [])
    if point is None or not answers:
        await show_packet(interaction, place, page)
        return
    now = _chosen(point, _packet(place).given)
    what = _group_words(place, point, key)
    options = [SelectOption(label=clip(capital(place.say(words)), NAME), value=value, default=value == now,
                            description=_effect(place, value)) for value, _, words in answers]
    starts = range(0, min(len(options), SELECTS * CHOICES), CHOICES)
    selects = [ui.select(options[first:] if first == starts[-1] else options[first:first + CHOICES],
                         on_in_group, place.game.id, page, no, first,
                         hint=capital(place.say(text("{what}, more", what=what) if first else what)))
               for first in starts]
    await reply(interaction, lines([text("**{title}**", title=text(point.title)), verbatim(capital(place.say(what)))]),
                ui.view([*selects, ui.button(text("Back"), on_packet_page, place.game.id, page)]))


def _effect(place: Place, value: str) -> str | None:
    """Return what stands below an answer: what is known of the last value in its blanks."""
    more = place.table.spec.words.summary(place.table.state, place.seat, value.rpartition(";")[2])
    return clip(place.say(more), NAME) if more is not None else None


async def show_packet(interaction: Interaction, place: Place, page: int = 0, *, above: Sequence[Text] = ()) -> None:
    points, series = _questions(place)
    points = _ahead(place, points)
    packet, game = _packet(place), place.game.id
    head, counts = text("What will you do in your turn?"), text("-# Only you see this. It counts in that turn alone.")
    if occasion(place.table, place.seat):
        head = text("{occasion}: what will you do?", occasion=place.ordering.occasion(place.table.state))
        counts = text("-# Only you see this. It counts once, for what is under way now.")
    items, told = list[ui.Persistent](), [*above, head]
    for point in points[page * QUESTIONS:(page + 1) * QUESTIONS]:
        now = _chosen(point, packet.given)
        title = place.say(text(point.title))
        listed = [SelectOption(label=clip(f"{title}: {place.say(words)}", NAME), value=value, default=value == now)
                  for value, words in _listed(place, point, now)]
        items.append(ui.select(listed, on_packet_pick, game, page, point.no, hint=title))
    if series is not None:
        items.append(ui.button(series[1].words, on_series, game, series[0].no, style=ui.Style.primary))
    items.append(ui.button(text("Save these choices"), on_packet_send, game, style=ui.Style.success))
    if page:
        items.append(ui.button(text("Previous"), on_packet_page, game, page - 1))
    if len(points) > (page + 1) * QUESTIONS:
        items.append(ui.button(text("More"), on_packet_page, game, page + 1, style=ui.Style.primary))
    items.append(ui.button(text("Back to the game"), HOME, game))
    told.append(counts)
    await reply(interaction, lines(told), ui.view(items))


# --- the quickest way to an order -------------------------------------------------------------------------------------------

def _standing(place: Place, no: str, key: str, lasts: str) -> od.Order:
    """The order that answers a question always so. Raises Faulty."""
    point = place.ordering.point(no)
    offer = point.offer(key) if point is not None else None
    if offer is None or offer.slots:
        raise Faulty("It's too late to decide that in advance.")
    return od.Order(seat=place.seat, points=(no,), lines=(od.OrderLine(then=offer.reply({})),), lasts=lasts)


# --- presses -----------------------------------------------------------------------------------------------------------------

@ui.opening_in_game(PACKET)
async def on_packet(interaction: Interaction, visit: Visit) -> ui.Form | None:
    """The questions that may be asked, to be answered now: in one form if it can show all their answers, else on a screen."""
    place = await place_of(interaction, visit)
    points, series = _questions(place)
    points = _ahead(place, points)
    if not points and series is None:               # all that is left is the question itself
        await acknowledge(interaction)
        await (await position_of(interaction, visit)).show()
        return None
    ready = [(point, ready_answers(place, point)) for point in points]
    if series is not None or len(points) not in range(1, ui.FIELDS + 1) or not all(len(answers) in SHORT for _, answers in ready):
        await acknowledge(interaction)
        await show_packet(interaction, place)
        return None
    packet = _packet(place)
    fields: list[Any] = []
    for point, answers in ready:
        now = _chosen(point, packet.given)
        fields.append(ui.radio(text(point.title), [SelectOption(
            label=clip(capital(place.say(words)), NAME), value=value, default=value == now) for value, _, words in answers]))
    what = place.ordering.occasion(place.table.state) if occasion(place.table, place.seat) else text("In your turn")
    return ui.Form(place.say(what), FILLED, visit.id, ".".join(point.no for point in points), fields=fields)


@ui.in_game(FILLED)
async def on_filled(interaction: Interaction, visit: Visit, asked: str, *values: str) -> None:
    """The form was sent: what was chosen counts at once."""
    place = await place_of(interaction, visit)
    points, _ = _questions(place)
    numbers = asked.split(".")
    if all(numbers != [point.no for point in those] for those in (points, _ahead(place, points))) or len(values) != len(numbers):
        raise Refusal("Something has changed since this form was opened. Open it again.")
    await _send(interaction, visit, {no: value for no, value in zip(numbers, values) if value})


@ui.in_game("packetpage")
async def on_packet_page(interaction: Interaction, visit: Visit, page: int) -> None:
    await show_packet(interaction, await place_of(interaction, visit), page)


@ui.in_game("packetpick")
async def on_packet_pick(interaction: Interaction, visit: Visit, page: int, no: str, value: str) -> None:
    place = await place_of(interaction, visit)
    if value.startswith(GROUP):
        await _show_group(interaction, place, page, no, value.removeprefix(GROUP))
    elif value.startswith(FURTHER):
        await show_packet(interaction, place, page)
    else:
        await _choose(interaction, visit, page, no, value)


@ui.in_game("packetgroup")
async def on_in_group(interaction: Interaction, visit: Visit, page: int, no: str, first: int, value: str) -> None:
    await _choose(interaction, visit, page, no, value)


async def _choose(interaction: Interaction, visit: Visit, page: int, no: str, value: str) -> None:
    kept = False
    while not kept:
        place = await place_of(interaction, visit)
        packet, before = _packet(place), place.own.drafts.get("packet")
        packet.given[no] = value
        with suppress(Stale):                               # two choices at once
            await interaction.client.services.orders.keep_draft(visit.id, visit.user, "packet", packet.model_dump_json(),
                                                                before=before)
            kept = True
    await show_packet(interaction, await place_of(interaction, visit), page)


@ui.in_game("packetsend")
async def on_packet_send(interaction: Interaction, visit: Visit) -> None:
    """All answers at once; they count for this occasion, or for this turn, and nothing else."""
    await _send(interaction, visit, _packet(await place_of(interaction, visit)).given)


async def _send(interaction: Interaction, visit: Visit, given: Mapping[str, str]) -> None:
    """Make orders of what was chosen for each question. Raises Refusal: nothing was."""
    place = await place_of(interaction, visit)
    (kind, lasts), ordered = _scope(place), _of_screen(place)
    wanted, left = list[od.Order](), list[str]()               # what is answered, and what is left to be asked
    chosen = list[Text]()
    for no in in_advance(place.table, place.seat):
        point = place.ordering.point(no)
        meant = _chosen(point, given) if point is not None else ASK
        line, words = next(((line, words) for value, line, words in ready_answers(place, point) if value == meant),
                           (None, None)) if point else (None, None)
        if point is not None and words is not None:
            chosen.append(text("> **{title}:** {answer}", title=text(point.title), answer=words))
        if line is not None and (kind == "packet" or meant != ASK):
            wanted.append(od.Order(seat=place.seat, kind=kind, points=(no,), lines=(line,), lasts=lasts))
        else:
            left.append(no)
    new = [order for order in wanted if not any(_same(order, old) for old in ordered)]
    changed = {order.points for order in new}
    gone = [order.id for order in ordered
            if order.points in changed or (order.points[0] in left and _value(place, order) is not None)]
    if not wanted and not gone:
        raise Refusal("Choose at least one answer first. Until then I'll ask you each time.")
    try:
        done = await interaction.client.services.orders.give_orders(
            visit.id, visit.user, new, replaces=gone, known=[one.order.id for one in place.own.kept],
            finished="packet") if new or gone else None
    except Stale:                                           # another press at the same moment
        await _send(interaction, visit, given)
        return
    news = came_of_it(done) if done is not None else [text("You've already saved these choices.")]
    await reply(interaction, lines([*news, *chosen]), ui.view([
        ui.button(text("Decide in advance"), PACKET, place.game.id), ui.button(text("Orders"), ORDERS, place.game.id, 0),
        ui.button(text("Back to the game"), HOME, place.game.id)]))
    interaction.client.outbox.answered(place.game.id)


def _same(one: od.Order, other: od.Order) -> bool:
    return (one.points, one.lines) == (other.points, other.lines)


@ui.in_game(ALWAYS_SO)
async def on_always(interaction: Interaction, visit: Visit, no: str, key: str) -> None:
    place = await place_of(interaction, visit)
    point = place.ordering.point(no)
    order = _standing(place, no, key, od.ALWAYS)
    line = od.line_text(place.table.spec, order.lines[0], points=order.points)
    told = text("**{title}**: {line}", title=title_of(place, order), line=line)
    ways = [(lasts, capital(place.say(place.ordering.lasting(lasts)))) for lasts in (point.lasts if point is not None else ())]
    await reply(interaction, lines([told, text("For how long?")]), ui.view([
        *(ui.button(verbatim(words), on_always_do, visit.id, no, key, lasts, style=ui.Style.primary) for lasts, words in ways),
        ui.button(text("Cancel"), ui.on_cancel)]))


@ui.in_game("alwaysdo")
async def on_always_do(interaction: Interaction, visit: Visit, no: str, key: str, lasts: str) -> None:
    """Make it an order; the same one twice is one."""
    place = await place_of(interaction, visit)
    order, known = _standing(place, no, key, lasts), [one.order for one in place.own.kept]
    same = [one.id for one in known if (one.points, one.lines, one.lasts) == (order.points, order.lines, order.lasts)]
    done = await interaction.client.services.orders.give_orders(visit.id, visit.user, [order], replaces=same[:1],
                                                                known=[one.id for one in known])
    await tell(interaction, visit.id, came_of_it(done))
