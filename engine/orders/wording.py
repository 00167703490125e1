"""Orders in words."""
from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import get_origin

from engine.kernel import GameSpec, order as od
from engine.kernel.decision_points import Noun, Offer
from engine.text import Fact, Text, count, text, verbatim


def line_text(spec: GameSpec, line: od.OrderLine, kind: od.Kind = "standing", points: Collection[str] = ()) -> Text:
    conditions, answer = tuple(_test_text(spec, test) for test in line.when), answer_text(spec, line, points)
    if kind == "written":
        if line.instead and conditions:
            return text("If that isn't possible and {conditions}: {answer}.", conditions=conditions, answer=answer)
        if line.instead:
            return text("If that isn't possible: {answer}.", answer=answer)
        if not conditions:
            return text("Then: {answer}.", answer=answer)
    if conditions:
        return text("If {conditions}: {answer}.", conditions=conditions, answer=answer)
    return text("{answer:Begin}.", answer=answer)


def answer_text(spec: GameSpec, line: od.OrderLine, points: Collection[str] = ()) -> Text:
    """Return what a line answers, as a part of a sentence; at these decision points, where several offer an answer of one
    name."""
    reply, ordering = line.then, spec.orders
    if reply is None or ordering is None:
        return text("ask me")
    if reply.verb == od.DEFAULT:
        return text("make the default move")
    found = [(point, offer) for point in ordering.points for offer in point.offers
             if offer.key == reply.offer and offer.verb == reply.verb]
    found = [one for one in found if one[0].no in points] or found
    point, offer = found[0] if found else (None, None)
    action = spec.verb(reply.verb)
    several = {name for name, part in (action.model_fields if action else {}).items() if get_origin(part.annotation) is tuple}
    nouns: Mapping[str, Noun] = offer.nouns if offer else {}
    fields = {name: _wish_text(wish, nouns.get(name), several=name in several) for name, wish in reply.fields.items()}
    verb = spec.words.menus[reply.verb].called(reply.verb) if action else verbatim(reply.verb)
    plain = text("{verb} {fields}", verb=verb, fields=tuple(fields.values())) if fields else verb
    words = Text(offer.words, {**offer.about, **fields}) if offer else plain
    if line.most is not None:
        noun = nouns.get(point.grows) if point else None
        words = text("{answer}, up to {most}", answer=words, most=count(line.most, noun.one, noun.many) if noun else line.most)
    at_any_cost, one, many = ordering.toll_words
    if line.costly:
        return Text(at_any_cost, {**ordering.toll_about, "answer": words})
    return words if line.toll is None else count(line.toll, one, many, **ordering.toll_about, answer=words)


def offer_text(spec: GameSpec, offer: Offer, filled: Mapping[str, od.Wish] = {}, *, listed: bool = False) -> Text:
    """An offered answer in words, with dots for the blanks that are not filled yet; `listed`: among others, with fewer dots."""
    action = spec.verb(offer.verb)
    several = {name for name, part in (action.model_fields if action else {}).items() if get_origin(part.annotation) is tuple}
    limits = {slot.field: f"{od.UP_TO}{filled[slot.field]}" for slot in offer.slots
              if slot.kind == "number" and slot.field in filled}
    facts = {name: _wish_text(wish, offer.nouns.get(name), several=name in several)
             for name, wish in {**offer.fields, **filled, **limits}.items()}
    words = offer.brief if listed and offer.brief else offer.words
    return Text(words, {**offer.about, **{slot.field: text("…") for slot in offer.slots}, **facts})


def _wish_text(wish: od.Wish, noun: Noun | None, *, several: bool) -> Fact:
    if isinstance(wish, bool):
        return text("yes") if wish else text("no")
    if isinstance(wish, tuple):
        if not wish:
            return text("nobody")
        return wish if several or len(wish) == 1 else text("the first possible of {list:the}", list=wish)
    if wish == od.MOST:
        return text(noun.all) if noun else text("as many as possible")
    if wish == od.LEAST:
        return text("as few as possible")
    number = wish if isinstance(wish, int) else od.limit_of(wish)
    if number is None:
        return wish
    if number == 0:
        return text(noun.none) if noun else text("none")
    counted: Fact = count(number, noun.one, noun.many) if noun else number
    return counted if number is wish else text("up to {n}", n=counted)


def _test_text(spec: GameSpec, test: od.Test) -> Text:
    condition = spec.orders.condition(test.fact) if spec.orders else None
    op = test.op if not isinstance(test.value, bool) else "is" if test.value == (test.op == "is") else "is_not"
    value: Fact = "" if isinstance(test.value, bool) else test.value
    words = condition.said if condition else text("{fact}", fact=test.fact)
    if condition and op in condition.says:
        return Text(condition.says[op], {**condition.about, "value": value})
    if isinstance(test.value, bool):
        return words if op == "is" else text("not: {fact}", fact=words)
    if condition and condition.counts and isinstance(test.value, int):
        clause, one, many = condition.counts
        return Text(clause, {"value": _amount(op, count(test.value, one, many))})
    match op:
        case "is":
            return text("{fact} is {value:the}", fact=words, value=value)
        case "is_not":
            return text("{fact} isn't {value:the}", fact=words, value=value)
        case "at_least":
            return text("{fact} is at least {value}", fact=words, value=value)
        case "at_most":
            return text("{fact} is at most {value}", fact=words, value=value)


def _amount(op: od.Op, counted: Text) -> Text:
    match op:
        case "is":
            return counted
        case "is_not":
            return text("any amount except {counted}", counted=counted)
        case "at_least":
            return text("at least {counted}", counted=counted)
        case "at_most":
            return text("at most {counted}", counted=counted)


def order_text(spec: GameSpec, order: od.Order, left: int | None = None) -> tuple[Text, ...]:
    """An order as sentences, one for each line; the last says how often it can still answer, if there is an end to it."""
    lines = [line_text(spec, line, order.kind, order.points) for line in order.lines]
    if left is not None and order.kind != "written":
        lines.append(count(left, "{n} use left.", "{n} uses left."))
    return tuple(lines)
