"""A standing order or a written turn while it is written, by taps; what is half written lies in the file.

Every screen says in its custom ids to which step it belongs, so an earlier one changes nothing (see `bot.domain.order_drafts`).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from discord import SelectOption

from bot.core.visit import Visit
from bot.discord import components as ui
from bot.discord.context import Interaction
from bot.discord.lengths import CHOICES, NAME, capital, clip
from bot.discord.orders.buttons import ADD, ADD_FOR, DESK, EDIT, ORDERS
from bot.discord.orders.overview import MORE, Place, came_of_it, next_first, place_of, show_orders, tell, title_of
from bot.discord.responses import reply
from bot.domain import order_drafts
from bot.domain.order_drafts import ASK, Draft, DraftHistory, Stage, desk_from
from bot.service.orders import rehearsed
from engine.kernel import Action
from engine.orders import DEFAULT, Condition, Order, Ordering, line_text, offer_text
from engine.refusals import Faulty, Refusal, Stale
from engine.text import Text, count, lines, text, verbatim

NUMBERS = 24                # numbers that a select offers; a larger one is typed
SHOWN = 8                   # lines of an order on the screen at a time
STEPS = 1_000_000_000       # numbers of a first step
WORDS = 6                   # digits of a number that is typed
OPS = {"number": (("at_least", text("at least")), ("at_most", text("at most")), ("is", text("exactly")), ("is_not", text("not"))),
       "choice": (("is", text("is")), ("is_not", text("isn't"))), "flag": (("is", text("yes")), ("is_not", text("no")))}
GONE = text("Your draft is gone. Please start again.")
EARLIER = text("That was an earlier step. Here is the current one.")
PART = "in "                # how a part of the map is carried, in which the value is looked for
PARTS = ui.ROWS - 1            # lists for it: the fifth row is for buttons
Value: TypeAlias = tuple[str, Text, Text | None]        # how it is carried, what it is called, and a word more


async def begin(interaction: Interaction, place: Place, draft: Draft) -> None:
    """Begin to write; what was half written before is forgotten."""
    desk = DraftHistory(now=draft, step=interaction.id % STEPS)     # a screen of an earlier draft has another number
    await interaction.client.services.orders.keep_draft(place.game.id, interaction.user.id, "order", desk.model_dump_json())
    await show_desk(interaction, place, desk)


async def show_desk(interaction: Interaction, place: Place, desk: DraftHistory, *, page: int = 0, area: str = "",
                    above: Sequence[Text] = ()) -> None:
    """What is written so far, and what is to be chosen next, perhaps in one part of the map."""
    told, items = written_out(place, desk, page, area)
    await reply(interaction, lines([*above, *told]), ui.view(items))


def written_out(place: Place, desk: DraftHistory, page: int = 0, area: str = "") -> tuple[list[Text], list[ui.Persistent]]:
    """The words and the items of the screen for what comes next."""
    draft, facts = desk.now, (place.game.id, desk.step)
    now = order_drafts.stage(place.ordering, draft)
    told = [text("**{title}**", title=title_of(place, _order(place, draft))) if draft.point else text("**A standing order**")]
    told += _lines_so_far(place, draft, chosen=now == "lines")
    if now == "lines":
        return [*told, *_what_it_means(place, draft)], _finishing(place, draft, facts)
    told += _being_written(place, draft)
    told.append(_prompt(place, draft, now))
    offered = _choices(place, draft, now)
    parts = by_part(offered, place.table.spec.views.areas(place.table.parts))
    if area in parts:
        found = [parts[area][at:at + CHOICES] for at in range(0, len(parts[area]), CHOICES)][:PARTS]
        items = [_list_of(place, part, on_in_part, *facts, number, hint=text("{area}, more", area=area) if number else
                          text("{area}", area=area)) for number, part in enumerate(found)]
        items.append(ui.button(text("Elsewhere"), on_page, *facts, 0))
        return [*told, text("{area}:", area=area)], [*items, *_leaving(desk, facts)]
    inside = {value for part in parts.values() for value, _, _ in part}
    offered = [*(one for one in offered if one[0] not in inside),
               *((f"{PART}{key}", text("{area}", area=key), count(len(part), "{n} place", "{n} places"))
                 for key, part in parts.items())]
    shown = offered[page * CHOICES:(page + 1) * CHOICES] or offered[:CHOICES]
    items = [_list_of(place, shown, on_choose, *facts, hint=text("Choose …"))] if shown else []
    if _counts(place, draft, now):
        items.append(ui.button(text("Another number"), open_form, *facts, "number"))
    if draft.part is not None and draft.part.wished:
        items.append(ui.button(text("That's all"), on_do, *facts, "wished", style=ui.Style.primary))
    if page:
        items.append(ui.button(text("Previous"), on_page, *facts, page - 1))
    if len(offered) > (page + 1) * CHOICES:
        items.append(ui.button(text("More"), on_page, *facts, page + 1))
    return told, [*items, *_leaving(desk, facts)]


def by_part(offered: Sequence[Value], areas: Mapping[str, str]) -> dict[str, list[Value]]:
    """The values of a list that is too long, by the part of the map in which they are; what is alone in its part is in none."""
    parts = dict[str, list[Value]]()
    for one in offered if len(offered) > CHOICES else ():
        if one[0] in areas:
            parts.setdefault(areas[one[0]], []).append(one)
    return {area: part for area, part in parts.items() if len(part) > 1}


def _list_of(place: Place, values: Sequence[Value], route: ui.AnyRoute, *facts: int, hint: Text) -> ui.Persistent:
    return ui.select([SelectOption(label=clip(capital(place.say(words)), NAME), value=value,
                                   description=clip(place.say(more), NAME) if more is not None else None)
                      for value, words, more in values], route, *facts, hint=capital(place.say(hint)))


def _order(place: Place, draft: Draft) -> Order:
    return order_drafts.finished(place.ordering, draft, place.seat)


def _lines_so_far(place: Place, draft: Draft, *, chosen: bool) -> list[Text]:
    """The lines around the one that is spoken of, which is marked."""
    several = len(draft.lines) > 1
    first = max(0, min(draft.at - SHOWN // 2, len(draft.lines) - SHOWN))
    points = order_drafts.points_of(place.ordering, draft)
    told = [text("{mark}`{number}` {line}", mark=verbatim("▸ " if chosen and several and at == draft.at else ""), number=at + 1,
                 line=line_text(place.table.spec, line, draft.kind, points)) for at, line in enumerate(draft.lines)]
    hidden = [text("-# {n} lines in all", n=len(told))] if len(told) > SHOWN else []
    return [*told[first:first + SHOWN], *hidden]


def _being_written(place: Place, draft: Draft) -> list[Text]:
    """Return what has been chosen of the line, or of the condition, that is being written."""
    told: list[Text] = []
    offer = order_drafts.offered(place.ordering, draft)
    if offer is not None and draft.part is not None:
        said = place.say(offer_text(place.table.spec, offer, draft.part.filled, listed=not draft.part.filled))
        told.append(text("> {answer}", answer=verbatim(capital(said))))
        if draft.part.wished:
            told.append(text("> in this order: {list}", list=draft.part.wished))
    return told


def _prompt(place: Place, draft: Draft, now: Stage) -> Text:
    match now:
        case "point":
            return text("What is it for?")
        case "offer":
            return text("What do you do next?") if draft.kind == "written" else text("What do you do?")
        case "slot":
            slot = order_drafts.blank(place.ordering, draft)
            assert slot is not None, "a blank is being filled"
            return text("{words} Choose one or several, your first choice first.", words=slot.asked) if slot.kind == "list" \
                else slot.asked
        case "most":
            return text("Up to what amount?")
        case "fact":
            return text("On what does it depend?")
        case _:
            condition = _condition(place, draft)
            return text("If {condition} …", condition=condition.said)


def _condition(place: Place, draft: Draft) -> Condition:
    condition = place.ordering.condition(draft.fact or "")
    if condition is None:
        raise Faulty("That condition no longer exists.")
    return condition


def _counts(place: Place, draft: Draft, now: Stage) -> bool:
    if now == "slot":
        slot = order_drafts.blank(place.ordering, draft)
        return slot is not None and slot.kind in ("number", "amount")
    return now == "most" or (now == "value" and _condition(place, draft).kind == "number")


def _choices(place: Place, draft: Draft, now: Stage) -> list[Value]:
    state, seat, ordering = place.table.state, place.seat, place.ordering
    if _counts(place, draft, now):
        return [(str(number), text("{number}", number=number), None) for number in range(NUMBERS)]
    match now:
        case "point":
            return [(point.no, text(point.title), text(point.group) if point.group else None)
                    for point in next_first(place)]
        case "offer":
            point, usual = order_drafts.question(ordering, draft), text("the default move")
            told = draft.kind != "written"
            found = [(f"{no};{offer.key}", offer_text(place.table.spec, offer, listed=True),
                      usual if told and offer == point.usual_offer else offer.slots[0].asked if offer.slots else None)
                     for no, offer in order_drafts.offers(ordering, draft) if offer.applies(state)]
            silent = [(DEFAULT, usual, text(point.usual))] if told and point.usual and point.usual_offer is None else []
            return [*found, *silent, (ASK, text("ask me"), None)]
        case "slot":
            slot = order_drafts.blank(ordering, draft)
            assert slot is not None and draft.part is not None, "a blank is being filled"
            effect = place.table.spec.words.summary
            return [(id, text("{id}", id=id), effect(state, seat, id)) for id in slot.choices(state, seat, draft.part.filled)
                    if id not in draft.part.wished]
        case "fact":
            return [(key, condition.said, None) for key in order_drafts.condition_keys(ordering, draft)
                    if (condition := ordering.condition(key)) is not None]
        case "op":
            return [(op, words, None) for op, words in OPS[_condition(place, draft).kind]]
        case _:
            return [(id, text("{id}", id=id), None) for id in _condition(place, draft).values(state, seat)]


def _what_it_means(place: Place, draft: Draft) -> list[Text]:
    """How long it lasts, how often it answers, and what it would answer now."""
    order = _order(place, draft)
    told = [] if _lasting(place, draft) else [text("It applies {lasts}.", lasts=place.ordering.lasting(draft.lasts))]
    if draft.times is not None:
        told.append(count(draft.times, "{n} use at most.", "{n} uses at most."))
    question = place.table.asked(place.seat)
    if question is None or question.point not in order.points or place.game.status != "running":
        return told
    action = rehearsed(place.table, place.seat, order)
    if action is not None:
        told.append(text("It's your move, so if you save this I play it at once: {answer}.", answer=action.label()))
    elif draft.kind == "written":
        told.append(text("It's your turn, but the first line isn't possible now."))
    return told


def _finishing(place: Place, draft: Draft, facts: tuple[int, int]) -> list[ui.Persistent]:
    items: list[ui.Persistent] = []
    if len(draft.lines) > 1:
        points = order_drafts.points_of(place.ordering, draft)
        said = [place.say(line_text(place.table.spec, line, draft.kind, points)) for line in draft.lines]
        items.append(ui.select([SelectOption(label=clip(f"{at + 1}. {line}", NAME), value=str(at), default=at == draft.at)
                                for at, line in enumerate(said)], on_choose, *facts, hint=text("Which line?")))
    if lasting := _lasting(place, draft):
        counts = {lasts: text("counts {lasts}", lasts=place.ordering.lasting(lasts)) for lasts in lasting}
        items.append(ui.select(
            [SelectOption(label=clip(capital(place.say(words)), NAME), value=lasts, default=lasts == draft.lasts)
             for lasts, words in counts.items()], on_lasts, *facts, hint=text("How long?")))
    line = draft.lines[draft.at]
    items += [ui.button(text("Save"), on_do, *facts, "save", style=ui.Style.success)]
    if order_drafts.condition_keys(place.ordering, draft):
        items.append(ui.button(text("Add a condition"), on_do, *facts, "condition", style=ui.Style.primary))
    if line.when:
        items.append(ui.button(text("Without conditions"), on_do, *facts, "bare"))
    kind = None if line.then is None else place.table.spec.verb(line.then.verb)
    if line.then is not None and (kind is None or kind.consequence is not Action.consequence):
        other = text("Only if it costs nothing") if line.costly else text("Whatever it costs")
        items.append(ui.button(other, on_do, *facts, "cost"))
        items.append(ui.button(text("Up to a cost of …"), open_form, *facts, "toll"))
    items.append(ui.button(text("Another line below"), on_do, *facts, "line"))
    if draft.kind == "written":
        items.append(ui.button(text("If not possible …"), on_do, *facts, "instead"))
    else:
        items.append(ui.button(text("How often"), open_form, *facts, "times"))
    return [*items, ui.button(text("Drop this line"), on_do, *facts, "unline"), *_leaving(None, facts)]


def _lasting(place: Place, draft: Draft) -> tuple[str, ...]:
    """How long the order can count, if that is a choice: it is a list on the screen."""
    point = place.ordering.point(draft.point)
    return point.lasts if draft.kind == "standing" and point is not None and len(point.lasts) > 1 else ()


def _leaving(desk: DraftHistory | None, facts: tuple[int, int]) -> list[ui.Persistent]:
    """The way back: to the step before, or from the first one to the overview, with what is written kept."""
    back = (ui.button(text("Back"), on_do, *facts, "back") if desk is None or desk.before else
            ui.button(text("Back"), ORDERS, facts[0], 0))
    return [back, ui.button(text("Drop"), on_do, *facts, "discard")]


async def _take_step(interaction: Interaction, visit: Visit, step: int,
                     change: Callable[[Place, DraftHistory], DraftHistory]) -> None:
    """One tap on what is being written; an earlier screen changes nothing, and what is refused says why."""
    place = await place_of(interaction, visit)
    above, before = list[Text](), place.own.drafts.get("order")
    desk = desk_from(before)
    if desk is not None and desk.step != step:
        above.append(EARLIER)
    elif desk is not None:
        try:
            desk = change(place, desk)
            await interaction.client.services.orders.keep_draft(visit.id, visit.user, "order", desk.model_dump_json(),
                                                                before=before)
        except Stale:                                       # another tap at the same moment
            await _take_step(interaction, visit, step, change)
            return
        except Refusal as why:
            above.append(why.text)
    if desk is None:
        await show_orders(interaction, place, above=[GONE])
    else:
        await show_desk(interaction, place, desk, above=above)


async def _save(interaction: Interaction, visit: Visit, step: int) -> None:
    """Store what is written; two presses at once store it once."""
    place = await place_of(interaction, visit)
    draft = place.own.drafts.get("order")
    desk = desk_from(draft)
    try:
        if desk is not None and desk.step == step:
            old = [desk.now.replaces] if desk.now.replaces else ()
            done = await interaction.client.services.orders.give_orders(
                visit.id, visit.user, [_order(place, desk.now)], replaces=old, finished="order", draft=draft)
            news = came_of_it(done)
            desk = None
        else:
            news = [EARLIER if desk is not None else GONE]
    except Stale:
        await _save(interaction, visit, step)
        return
    except Refusal as why:
        news = [why.text]
    if desk is None:
        await tell(interaction, visit.id, news)
    else:
        await show_desk(interaction, place, desk, above=news)


# --- presses -----------------------------------------------------------------------------------------------------------------

@ui.in_game(ADD)
async def on_add(interaction: Interaction, visit: Visit, kind: str) -> None:
    place = await place_of(interaction, visit)
    await begin(interaction, place, order_drafts.turn(place.ordering) if kind == "written" else Draft())


@ui.in_game(ADD_FOR)
async def on_add_for(interaction: Interaction, visit: Visit, no: str) -> None:
    place = await place_of(interaction, visit)
    await begin(interaction, place, Draft() if no == MORE else order_drafts.for_point(place.ordering, no))


@ui.in_game(EDIT)
async def on_edit(interaction: Interaction, visit: Visit, id: int) -> None:
    place = await place_of(interaction, visit)
    one = next((one for one in place.own.kept if one.order.id == id), None)
    if one is None:
        raise Refusal("You no longer have an order {id}.", id=id)
    await begin(interaction, place, order_drafts.of_order(one.order))


@ui.in_game(DESK)
async def on_desk(interaction: Interaction, visit: Visit) -> None:
    place = await place_of(interaction, visit)
    desk = desk_from(place.own.drafts.get("order"))
    if desk is None:
        await show_orders(interaction, place, above=[GONE])
    else:
        await show_desk(interaction, place, desk)


@ui.in_game("deskpage")
async def on_page(interaction: Interaction, visit: Visit, step: int, page: int) -> None:
    await _show_now(interaction, visit, step, page=page)


async def _show_now(interaction: Interaction, visit: Visit, step: int, *, page: int = 0, area: str = "") -> None:
    """What is half written, with a page or a part of the map of the choice that belongs to this step."""
    place = await place_of(interaction, visit)
    desk = desk_from(place.own.drafts.get("order"))
    if desk is None:
        await show_orders(interaction, place, above=[GONE])
    elif desk.step != step:
        await show_desk(interaction, place, desk)
    else:
        await show_desk(interaction, place, desk, page=page, area=area)


@ui.in_game("deskpart")
async def on_in_part(interaction: Interaction, visit: Visit, step: int, number: int, value: str) -> None:
    await on_choose(interaction, visit.id, step, value)


@ui.in_game("deskchoose")
async def on_choose(interaction: Interaction, visit: Visit, step: int, value: str) -> None:
    """A value for what comes next, or the part of the map in which to look for it."""
    if value.startswith(PART):
        await _show_now(interaction, visit, step, area=value.removeprefix(PART))
        return
    await _take_step(interaction, visit, step,
                     lambda place, desk: desk.next(order_drafts.chosen(place.ordering, desk.now, value)))


@ui.in_game("desklasts")
async def on_lasts(interaction: Interaction, visit: Visit, step: int, lasts: str) -> None:
    await _take_step(interaction, visit, step, lambda place, desk: desk.next(desk.now.model_copy(update={"lasts": lasts})))


@ui.in_game("deskdo")
async def on_do(interaction: Interaction, visit: Visit, step: int, what: str) -> None:
    if what == "save":
        await _save(interaction, visit, step)
    elif what == "discard":
        await interaction.client.services.orders.keep_draft(visit.id, visit.user, "order", None)
        await show_orders(interaction, await place_of(interaction, visit), above=[text("Dropped.")])
    else:
        await _take_step(interaction, visit, step, lambda place, desk: _done(place, desk, what))


def _done(place: Place, desk: DraftHistory, what: str) -> DraftHistory:
    draft = desk.now
    if what == "back":
        return desk.back()
    if what == "wished":
        return desk.next(order_drafts.wished(place.ordering, draft))
    if not draft.lines:
        raise Refusal("Write a line first.")
    match what:
        case "condition":
            return desk.next(draft.model_copy(update={"fact": ""}))
        case "bare":
            return desk.next(order_drafts.changed(draft, when=()))
        case "cost":
            return desk.next(order_drafts.changed(draft, costly=not draft.lines[draft.at].costly, toll=None))
        case "line" | "instead":
            return desk.next(order_drafts.another_line(draft, instead=what == "instead"))
        case "unline":
            return desk.next(order_drafts.without_line(draft))
    raise Refusal("This button is from an earlier version of the bot. `/orders list` goes on.")


Typed = Literal["number", "times", "toll"]


def _form(what: Typed, ordering: Ordering) -> tuple[Text, Text]:
    """The heading of a window for a number, and what it asks."""
    match what:
        case "number":
            return text("A number"), text("Which number?")
        case "times":
            return text("How often"), text("How many times? (blank = no limit)")
        case "toll":
            return text("What it may cost"), ordering.toll_asked


@ui.opening_in_game("deskform")
async def open_form(interaction: Interaction, visit: Visit, step: int, what: Typed) -> ui.Form:
    heading, label = _form(what, order_drafts.ordering_of(visit.spec))
    return ui.Form(heading, on_typed, visit.id, step, what, fields=(ui.field(label, most=WORDS, needed=what != "times"),))


@ui.in_game("desktype")
async def on_typed(interaction: Interaction, visit: Visit, step: int, what: Typed, typed: str) -> None:
    def change(place: Place, desk: DraftHistory) -> DraftHistory:
        if what == "number":
            return desk.next(order_drafts.chosen(place.ordering, desk.now, typed))
        if what == "toll":
            return desk.next(order_drafts.changed(desk.now, costly=False, toll=order_drafts.number(typed)))
        return desk.next(desk.now.model_copy(update={"times": order_drafts.number(typed) if typed.strip() else None}))

    await _take_step(interaction, visit, step, change)
