"""Cards in words: events made from their effects for menus, and the full page of any card or advantage."""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.games.imperial_struggle.components import KIND_OF, SIDES, Side, Step
from engine.games.imperial_struggle.components.cards import EventCard
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.words.short import ABILITIES, ADVANTAGES
from engine.text import Fact, Text, text, verbatim

Phrase = Callable[[Step], Text]
MINISTRY = re.compile(r"\b(M-\d+)\b")          # how the data cites one


# --- where --------------------------------------------------------------------------------------------------------

def _or(ids: Sequence[str]) -> Text:
    """"Spain or Austria"."""
    if len(ids) == 1:
        return text("{one}", one=ids[0])
    if len(ids) == 2:
        return text("{one} or {other}", one=ids[0], other=ids[1])
    return text("{one}, {other} or {last}", one=ids[0], other=ids[1], last=ids[2])


def _where(wanted: Mapping[str, Any]) -> Text:
    """Which spaces a filter means: "a market in India", "in Spain or Austria"."""
    place = wanted.get("region") or wanted.get("subregion")
    countries = wanted.get("countries") or ([wanted["country"]] if "country" in wanted else [])
    if "spaces" in wanted:
        return _or(wanted["spaces"])
    if "commodity" in wanted:
        return text("a {good} market", good=wanted["commodity"])
    if countries:
        if wanted.get("alliance"):
            return text("an Alliance space in {country}", country=_or(countries))
        return text("a space in {country}", country=_or(countries))
    what = text("a space")
    if wanted.get("local_alliance"):
        what = text("a local alliance")
    elif wanted.get("types") == ["market"]:
        what = text("a British market") if wanted.get("flag") == "britain" else text("a market")
    elif wanted.get("types") == ["political"]:
        what = text("a political space")
    elif wanted.get("protected") is False:
        what = text("an unprotected space")
    if place is None:
        return what
    if "exclude_countries" in wanted:
        return text("{what} in {place}, not in {others}", what=what, place=place, others=_or(wanted["exclude_countries"]))
    return text("{what} in {place}", what=what, place=place)


# --- conditions ---------------------------------------------------------------------------------------------------

def condition(wanted: Mapping[str, Any]) -> Text:
    """A condition as the player reads it: "Style", "2 more available debt than the other side"."""
    match wanted["kind"]:
        case "keyword" | "keyword_revealed":
            return text("{keyword}", keyword=wanted["keyword"])
        case "available_debt_lead":
            return text("more available debt") if wanted["at_least"] == 1 else text(
                "{n} more available debt", n=wanted["at_least"])
        case "more_spaces":
            return text("more Prestige in {countries}",
                        countries=tuple(space.removesuffix("_prestige") for space in wanted["of"]))
        case "more_flags":
            return text("more flags in {region}", region=wanted["region"])
        case "more_of":
            return text("more squadrons, forts and local alliances in {region}", region=wanted["region"])
        case "more_bonus_tiles_in_next_war":
            return text("more bonus tiles")
        case "holds_advantage":
            return text("holding {advantage}", advantage=wanted["advantage"])
        case "controls":
            return text("{space} is yours", space=wanted["space"])
        case "controls_all":
            if len({space.partition("_alliance")[0] for space in wanted["spaces"]}) == 1:
                return text("both are yours")
            return text("{spaces} are yours", spaces=tuple(wanted["spaces"]))
        case "controls_any":
            return text("a space in {country} is yours", country=wanted["country"])
        case "no_flags":
            return text("{side} has no flag in {countries}", side=wanted["side"], countries=tuple(wanted["countries"]))
        case "no_squadrons":
            return text("{side} has no squadron in {region}", side=wanted["side"], region=wanted["region"])
        case "was_at_debt_limit":
            return text("its debt was at the limit")
        case "previous_step_done":
            return text("that is done")
    raise AssertionError(f"no condition is called {wanted['kind']}")


# --- effects ------------------------------------------------------------------------------------------------------

def _points(step: Step) -> Text:
    kind = step["kind"]
    if step["points"] is None:
        if step["points_of"]["count"] == "built_squadrons":
            return text("1 {kind} per 2 squadrons", kind=kind)
        return text("1 {kind} per space in {country}", kind=kind, country=step["points_of"]["country"])
    limit = step.get("only_for")
    if limit is None:
        return text("{n} {kind}", n=step["points"], kind=kind)
    good_for = _limit(limit)
    return text("{n} {kind} for {what}", n=step["points"], kind=kind, what=good_for)


def _limit(limit: Mapping[str, Any]) -> Fact:
    """For what points are good."""
    if "adjacent_to_market_of" in limit:
        return text("flagging next to your markets")
    if limit.get("action") == "unflag":
        return text("unflagging in {region}", region=limit["region"]) if "region" in limit else text("unflagging markets")
    if "region" in limit:
        return str(limit["region"])
    return tuple(country for country in limit["countries"])


def _marker(step: Step) -> Text:
    where = _where(step["filter"])
    if step["count"] is None:
        return text("a marker on {where} per local alliance there", where=where)
    if "removal_surcharge" in step:
        return text("+1 marker on {where}", where=where) if step["count"] == 1 else text(
            "{n} +1 markers, each on {where}", n=step["count"], where=where)
    if step.get("optional"):
        return text("up to {n} markers, each on {where}", n=step["count"], where=where)
    return text("marker on {where}", where=where) if step["count"] == 1 else text(
        "{n} markers, each on {where}", n=step["count"], where=where)


def _unflag(step: Step) -> Text:
    if "constraint" in step:
        return text("unflag {where}, if that cuts off no other", where=_where(step["filter"]))
    return text("unflag {where}", where=_where(step["filter"]))


def _removal(step: Step) -> Text:
    if step["count"] == "all":
        return text("these flags come off")
    if step["owner"] == "self":
        return text("so does one of yours")
    return text("an opposing flag comes off {where}", where=_where(step["filter"]))


def _score(step: Step) -> Text:
    if step["points"] is None:
        if step["points_of"]["count"] == "current_debt_difference":
            return text("1 VP per point of debt less than the other side, at most {most}", most=step["points_of"]["max"])
        return text("{n} VP per Alliance space in {country}", n=step["points_of"]["times"], country=step["points_of"]["country"])
    scored = text("{n} VP", n=step["points"])
    if "plus" in step:
        return text("{scored}, {n} more with {condition}", scored=scored, n=step["plus"]["points"],
                    condition=condition(step["plus"]["condition"]))
    if "condition" in step and step["condition"]["kind"] != "previous_step_done":
        return text("{scored} if {condition}", scored=scored, condition=condition(step["condition"]))
    return scored


def _signed(number: int) -> Text:
    return text("+{n}", n=number) if number > 0 else text("−{n}", n=-number)


def _debt(step: Step) -> Text:
    if step["who"] == "opponent":
        return text("opposing debt {n}", n=_signed(step["amount"]))
    return text("debt {n}", n=_signed(step["amount"]))


def _either(step: Step) -> Text:
    one, other = (phrase((option,)) for option in step["options"])
    return text("{one} or {other}", one=one, other=other)


def _if(step: Step) -> Text:
    then = tuple(phrase((each,)) for each in step["then"])
    if "else" in step:
        return text("if {condition}: {then}, else {others}", condition=condition(step["condition"]), then=then,
                    others=phrase(step["else"]))
    return text("if {condition}: {then}", condition=condition(step["condition"]), then=then)


def _activation(step: Step) -> Text:
    wanted = step["filter"]
    if "region" in wanted:
        return text("use an advantage in {region}, even exhausted", region=wanted["region"])
    return text("use an advantage outside {region}, even exhausted", region=wanted["not_region"])


def _squadron(step: Step, where: Text) -> Text:
    return text("one of {side}'s squadrons goes {where}", side=step["owner"], where=where)


def _modifier(step: Step) -> Text:
    if step["action"] == "construct_squadron":
        return text("a squadron for {n} MP less", n=-step["amount"])
    return text("unflag in {countries} for {n} DP less", countries=_or(step["filter"]["countries"]), n=-step["amount"])


def _tiles(step: Step) -> Text:
    if step["theater_name"] is not None:
        return text("a bonus tile for the {theater} per Irish space", theater=verbatim(step["theater_name"]))
    return text("a bonus tile")


PHRASES: Mapping[str, Phrase] = {
    "grant_ap": _points, "place_conflict": _marker, "unflag": _unflag, "remove_flag": _removal, "score_vp": _score,
    "shift": lambda step: text("shift {where}", where=_where(step["filter"])),
    "take_control": lambda step: text("take {where}", where=_where(step["filter"])),
    "damage_fort": lambda step: text("damage a fort in {region}", region=step["filter"]["region"]),
    "change_debt": _debt, "choose_one": _either, "if": _if, "cost_modifier": _modifier, "draw_bonus_tiles": _tiles,
    "change_debt_limit": lambda step: text("opposing debt limit {n}", n=_signed(step["amount"])),
    "change_trp": lambda step: text("{n} TRP", n=_signed(step["amount"])),
    "reduce_debt_or_ap": lambda step: text("debt −{n}, or {kind} for what you don't owe", n=step["amount"],
                                           kind=step["ap_kind"]),
    "activate_advantage": _activation,
    "refresh_advantage": lambda step: text("{n} advantages in {region} become fresh", n=step["count"],
                                           region=step["filter"]["region"]),
    "exhaust_advantage": lambda step: text("exhaust up to {n} advantages", n=step["count"]),
    "score_commodity": lambda step: text("you may score {good}", good=step["commodity"]),
    "add_global_demand": lambda step: text("you may add {goods} to the demand", goods=_or(step["options"])),
    "replace_global_demand": lambda step: text("draw a good for the demand in place of another"),
    "squadron_to_navy_box": lambda step: _squadron(step, text("to the Navy Box")),
    "squadron_to_turn_track": lambda step: _squadron(step, text("away until the next peace turn")),
    "squadron_remove_from_game": lambda step: _squadron(step, text("out of the game")),
    "construct_squadron": lambda step: text("build a squadron for free"),
    "remove_bonus_tile": lambda step: text("a bonus tile of {side} goes back", side=step["side"]),
    "place_byng": lambda step: text("Byng, +2, into a theater that counts squadrons"),
    "opponent_loses_one_of": lambda step: text("the other side loses a fort, squadron or bonus tile")}


def phrase(steps: Sequence[Step]) -> Text:
    """What some steps do, in few words."""
    said = [PHRASES[step["op"]](step) for step in steps]
    whole = said[0]
    for more in said[1:]:
        whole = text("{one}; {other}", one=whole, other=more)
    return whole


def _named(words: str) -> Text:
    """A sentence of the data, with the names of the ministries that it cites by number."""
    return Text(MINISTRY.sub(r"{\1}", verbatim(words).template), {id: id for id in MINISTRY.findall(words)})


# --- cards --------------------------------------------------------------------------------------------------------

def short_event(card: EventCard, side: Side) -> tuple[Text, Text | None]:
    """What a side's half of an event does, and what its bonus adds with its condition, each in few words."""
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
    lines = [text("{advantage}: for whoever controls {spaces}.", advantage=id, spaces=tuple(tile.connected_spaces))]
    if tile.ap_price is not None:
        lines.append(text("Costs {price}.", price=verbatim(tile.ap_price)))
    return (*lines, verbatim(tile.text))


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
