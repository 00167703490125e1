"""Cards in words: events made from their effects for menus, and the full page of any card or advantage."""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.games.imperial_struggle.components import KIND_OF, SIDES, Side, effects as fx
from engine.games.imperial_struggle.components.cards import EventCard
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.events.money import victory_points
from engine.games.imperial_struggle.words.short import ABILITIES, ADVANTAGES
from engine.text import Fact, OneOf, Text, count, printed, text

MINISTRY = re.compile(r"\b(M-\d+)\b")          # how earlier data cites one


# --- where --------------------------------------------------------------------------------------------------------

def _or(ids: Sequence[str]) -> Text:
    return text("{places:the}", places=OneOf(ids))


def _where(wanted: fx.Filter) -> Text:
    """Which spaces a filter means: "a market in India", "in Spain or Austria"."""
    place = wanted.region or wanted.subregion
    countries = wanted.countries or ((wanted.country,) if wanted.country else ())
    if wanted.spaces:
        return _or(wanted.spaces)
    if wanted.commodity:
        return text("{good:a} market", good=wanted.commodity)
    if countries:
        if wanted.alliance:
            return text("an Alliance space in {country}", country=_or(countries))
        return text("a space in {country}", country=_or(countries))
    what = text("a space")
    if wanted.local_alliance:
        what = text("a local alliance")
    elif wanted.types == ("market",):
        what = text("a British market") if wanted.flag == "britain" else text("a market")
    elif wanted.types == ("political",):
        what = text("a political space")
    elif wanted.protected is False:
        what = text("an unprotected space")
    if not place:
        return what
    if wanted.exclude_countries:
        return text("{what} in {place:the}, not in {others}", what=what, place=place, others=_or(wanted.exclude_countries))
    return text("{what} in {place:the}", what=what, place=place)


# --- conditions ---------------------------------------------------------------------------------------------------

def condition(wanted: fx.Condition) -> Text:
    """A condition as the player reads it: "Style", "2 more available debt than the other side"."""
    match wanted:
        case fx.Keyword():
            return text("{keyword}", keyword=wanted.keyword)
        case fx.DebtLead():
            return text("more available debt") if wanted.at_least == 1 else text(
                "{n} more available debt", n=wanted.at_least)
        case fx.MoreSpaces():
            return text("more Prestige in {countries:the}",
                        countries=tuple(space.removesuffix("_prestige") for space in wanted.of))
        case fx.MoreFlags():
            return text("more flags in {region:the}", region=wanted.region)
        case fx.MoreOf():
            return text("more squadrons, forts and local alliances in {region:the}", region=wanted.region)
        case fx.MoreBonusTiles():
            return text("more bonus tiles")
        case fx.HoldsAdvantage():
            return text("holding {advantage:the}", advantage=wanted.advantage)
        case fx.Controls():
            return text("{space:the} is yours", space=wanted.space)
        case fx.ControlsAll():
            if len({space.partition("_alliance")[0] for space in wanted.spaces}) == 1:
                return text("both are yours")
            return text("{spaces:the} are yours", spaces=wanted.spaces)
        case fx.ControlsAny():
            return text("a space in {country:the} is yours", country=wanted.country)
        case fx.NoFlags():
            return text("{side} has no flag in {countries:the}", side=wanted.side or "", countries=wanted.countries)
        case fx.NoSquadrons():
            return text("{side:the} has no squadron in {region:the}", side=wanted.side or "", region=wanted.region)
        case fx.WasAtDebtLimit():
            return text("its debt was at the limit")
        case fx.PreviousStepDone():
            return text("that is done")
    raise AssertionError(f"no card has the condition {wanted.kind}")


# --- effects ------------------------------------------------------------------------------------------------------

def _points(step: fx.GrantPoints) -> Text:
    match step.number:
        case fx.BuiltSquadrons():
            return text("1 {kind} per 2 squadrons", kind=step.kind)
        case fx.ControlledSpaces(country=country):
            return text("1 {kind} per space in {country:the}", kind=step.kind, country=country)
        case int() as n:
            limit = step.only_for
            return text("{n} {kind}", n=n, kind=step.kind) if limit is None else text(
                "{n} {kind} for {what:the}", n=n, kind=step.kind, what=_limit(limit))
    raise AssertionError(f"no card gives points for {step.number}")


def _limit(limit: fx.PointsLimit) -> Fact:
    if limit.adjacent_to_market_of:
        return text("flagging next to your markets")
    if limit.action == "unflag":
        return text("unflagging in {region:the}", region=limit.region) if limit.region else text("unflagging markets")
    return limit.region or limit.countries


def _marker(step: fx.PlaceConflict) -> Text:
    where = _where(step.filter)
    if step.count is None:
        return text("a marker on {where} per local alliance there", where=where)
    if step.removal_surcharge:
        return count(step.count, "+1 marker on {where}", "{n} +1 markers, each on {where}", where=where)
    if step.optional:
        return count(step.count, "up to {n} marker on {where}", "up to {n} markers, each on {where}", where=where)
    return count(step.count, "marker on {where}", "{n} markers, each on {where}", where=where)


def _unflag(step: fx.Unflag) -> Text:
    if step.constraint:
        return text("unflag {where}, if that cuts off no other", where=_where(step.filter))
    return text("unflag {where}", where=_where(step.filter))


def _removal(step: fx.RemoveFlag) -> Text:
    if step.count == "all":
        return text("these flags come off")
    if step.owner == "self":
        return text("so does one of yours")
    return text("an opposing flag comes off {where}", where=_where(step.filter))


def _score(step: fx.ScorePoints) -> Text:
    match step.number:
        case fx.DebtDifference(max=most):
            return text("1 VP per point of debt less than the other side, at most {most}", most=most)
        case fx.ControlledSpaces(times=times, country=country):
            return text("{n} VP per Alliance space in {country:the}", n=times, country=country)
        case int() as n:
            scored = victory_points(n)
        case _:
            raise AssertionError(f"no card scores {step.number}")
    if step.plus is not None:
        return text("{scored}, {n} more with {condition}", scored=scored, n=step.plus.points,
                    condition=condition(step.plus.condition))
    if step.condition is not None and not isinstance(step.condition, fx.PreviousStepDone):
        return text("{scored} if {condition}", scored=scored, condition=condition(step.condition))
    return scored


def _signed(number: int) -> Text:
    return text("+{n}", n=number) if number > 0 else text("−{n}", n=-number)


def _debt(step: fx.ChangeDebt) -> Text:
    if step.who == "opponent":
        return text("opposing debt {n}", n=_signed(step.amount))
    return text("debt {n}", n=_signed(step.amount))


def _either(step: fx.ChooseOne) -> Text:
    return text("{ways}", ways=OneOf(phrase((option,)) for option in step.options))


def _if(step: fx.If) -> Text:
    then = tuple(phrase((each,)) for each in step.then)
    if step.others:
        return text("if {condition}: {then}, else {others}", condition=condition(step.condition), then=then,
                    others=phrase(step.others))
    return text("if {condition}: {then}", condition=condition(step.condition), then=then)


def _activation(step: fx.ActivateAdvantage) -> Text:
    if step.filter.region:
        return text("use an advantage in {region:the}, even exhausted", region=step.filter.region)
    return text("use an advantage outside {region:the}, even exhausted", region=step.filter.not_region)


def _turned(step: fx.TurnAdvantages) -> Text:
    if step.op == "exhaust_advantage":
        return count(step.count, "exhaust up to {n} advantage", "exhaust up to {n} advantages")
    return count(step.count, "{n} advantage in {region:the} can be used again",
                 "{n} advantages in {region:the} can be used again", region=step.filter.region)


SENT = {"squadron_to_navy_box": text("to the Navy Box"), "squadron_to_turn_track": text("away until the next peace turn"),
        "squadron_remove_from_game": text("out of the game")}


def _modifier(step: fx.ModifyCost) -> Text:
    if step.action == "construct_squadron":
        return text("a squadron for {n} MP less", n=-step.amount)
    return text("unflag in {countries} for {n} DP less", countries=_or(step.filter.countries), n=-step.amount)


def _tiles(step: fx.DrawBonusTiles) -> Text:
    if step.theater_name is not None:
        return text("a bonus tile for the {theater} per Irish space", theater=printed(step.theater_name))
    return text("a bonus tile")


PHRASES: Mapping[type[fx.Effect], Callable[[Any], Text]] = {
    fx.GrantPoints: _points, fx.PlaceConflict: _marker, fx.Unflag: _unflag, fx.RemoveFlag: _removal, fx.ScorePoints: _score,
    fx.ShiftOrTake: lambda step: text("shift {where}" if step.op == "shift" else "take {where}", where=_where(step.filter)),
    fx.DamageFort: lambda step: text("damage a fort in {region:the}", region=step.filter.region),
    fx.ChangeDebt: _debt, fx.ChooseOne: _either, fx.If: _if, fx.ModifyCost: _modifier, fx.DrawBonusTiles: _tiles,
    fx.ChangeDebtLimit: lambda step: text("opposing debt limit {n}", n=_signed(step.amount)),
    fx.ChangeTreatyPoints: lambda step: text("{signed} TRP", signed=_signed(step.amount)),
    fx.RepayOrPoints: lambda step: text("debt −{n}, or {kind} for what you don't owe", n=step.amount, kind=step.ap_kind),
    fx.ActivateAdvantage: _activation,
    fx.TurnAdvantages: _turned,
    fx.ScoreGood: lambda step: text("you may score {good}", good=step.commodity),
    fx.AddDemand: lambda step: text("you may add {goods} to the demand", goods=_or(step.options)),
    fx.ReplaceDemand: lambda step: text("draw a good for the demand in place of another"),
    fx.SendSquadron: lambda step: text("one of {side:possessive} squadrons goes {where}", side=step.owner, where=SENT[step.op]),
    fx.ConstructSquadron: lambda step: text("build a squadron for free"),
    fx.ReturnBonusTile: lambda step: text("a bonus tile of {side} goes back", side=step.side),
    fx.PlaceByng: lambda step: text("Byng, +2, into a theater that counts squadrons"),
    fx.OpponentLoses: lambda step: text("the other side loses a fort, squadron or bonus tile")}


def phrase(steps: Sequence[fx.Effect]) -> Text:
    said = [PHRASES[type(step)](step) for step in steps]
    whole = said[0]
    for more in said[1:]:
        whole = text("{one}; {other}", one=whole, other=more)
    return whole


def _named(words: str) -> Text:
    """A sentence of the data, with the names of the ministries that it may cite by number."""
    return Text(MINISTRY.sub(r"{\1}", printed(words).template), {id: id for id in MINISTRY.findall(words)})


# --- cards --------------------------------------------------------------------------------------------------------

def short_event(card: EventCard, side: Side) -> tuple[Text, Text | None]:
    """Return what a side's half of an event does, and what its bonus adds with its condition, each in few words."""
    half = card.half(side)
    if half.bonus is None or card.bonus_condition is None:
        return phrase(half.base), None
    return phrase(half.base), text("{condition}: {bonus}", condition=condition(card.bonus_condition), bonus=phrase(half.bonus))


def event_page(card: EventCard, side: Side) -> tuple[Text, ...]:
    """Everything about a side's half of an event, line by line: when it can be played, its effect, its bonus, its rulings."""
    half = card.half(side)
    lines = [text("{event}, {era} era", event=card.id, era=card.era)]
    if card.required_major is not None:
        lines.append(text("Needs a tile with {kind} as its major action.", kind=KIND_OF[card.required_major]))
    lines.append(_named(half.base_text))
    if half.bonus_text is not None and card.bonus_condition is not None:
        lines.append(text("Bonus with {condition}: {bonus}", condition=condition(card.bonus_condition),
                          bonus=_named(half.bonus_text)))
    return (*lines, *map(_named, card.rulings))


def ministry_page(parts: Parts, id: str) -> tuple[Text, ...]:
    """Everything about a ministry, line by line: its eras and keywords, each ability, its rulings."""
    card = parts.ministry[id]
    lines = [text("{card}, {side}: {eras}", card=id, side=card.side, eras=tuple(card.eras))]
    if card.keywords:
        lines.append(text("Keywords: {keywords}.", keywords=tuple(card.keywords)))
    return (*lines, *(_named(ability.text) for ability in card.abilities), *map(_named, card.rulings))


def advantage_page(parts: Parts, id: str) -> tuple[Text, ...]:
    """Everything about an advantage, line by line: which spaces it takes, its price, what it does."""
    tile = parts.advantage[id]
    lines = [text("{advantage}: for whoever controls {spaces:the}.", advantage=id, spaces=tuple(tile.connected_spaces))]
    if tile.ap_price is not None:
        lines.append(text("Costs {price}.", price=printed(tile.ap_price)))
    return (*lines, printed(tile.text))


def short(parts: Parts, id: str, side: Side) -> tuple[Text, ...]:
    """A card or advantage in few words, line by line, each of at most 100 characters."""
    if id in parts.event:
        base, bonus = short_event(parts.event[id], side)
        return (base,) if bonus is None else (base, bonus)
    if id in parts.ministry:
        return tuple(ABILITIES[ability.id] for ability in parts.ministry[id].abilities)
    return (ADVANTAGES[id],)


def page(parts: Parts, id: str, side: Side) -> tuple[Text, ...]:
    """The full page of a card or advantage, as a side reads it."""
    assert side in SIDES, side
    if id in parts.event:
        return event_page(parts.event[id], side)
    return ministry_page(parts, id) if id in parts.ministry else advantage_page(parts, id)
