"""The strong player of Attack!: it plans all attacks of a movement together, and buys and places what makes the best plan.

It produces before it moves, so that new units fight at once, and knows what a turn is worth when the end of the game is near.
Where there is nothing to plan, it answers as the solid player does.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.games.attack.campaign import Campaign, worth_of
from engine.games.attack.player import beside, front, solid, worth as price
from engine.games.attack.rules.diplomacy import Diplomacy, target
from engine.games.attack.rules.movement import Drop, Move
from engine.games.attack.rules.production import Buy, cost
from engine.games.attack.rules.setup import Deploy
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.state import BLITZ, MOVEMENT, NAVAL, PRODUCTION, State, size
from engine.kernel import Action, Position, Rng

MIXES: Sequence[Mapping[str, int]] = (
    {"infantry": 1}, {"infantry": 3, "tank": 1}, {"infantry": 3, "artillery": 1}, {"infantry": 2, "tank": 1, "artillery": 1},
    {"infantry": 1, "plane": 1}, {"tank": 1}, {"infantry": 3, "tank": 1, "artillery": 1, "plane": 1})
SITES = 6               # territories where new units are tried, beside the own capital
PRICE_SHARE = 0.3       # of the price of what is bought, whatever it does at once
NOISE = 0.1
THROWS = [(one, other) for one in range(1, 7) for other in range(1, 7)]


def strong(position: Position[State], rng: Rng) -> Action:
    """Return what makes the best plan possible, or carries it out."""
    s, options = position.state, position.options
    if len(options) == 1:
        return options[0]
    power = s.power(position.seat)
    match position.question.point:
        case "D-04":
            return _action(s, power, options, rng)
        case "D-05" if s.turn.action in (MOVEMENT, BLITZ):
            return _order(s, power, options)
        case "D-22":
            return _purchase(position, power)
        case "D-23":
            return _placed(s, power, [option for option in options if isinstance(option, Deploy)])
    return solid(position, rng)


def _action(s: State, power: str, options: Sequence[Action], rng: Rng) -> Action:
    """Produce while there is an action left to use what it brings, then attack or negotiate, as it is worth more."""
    begun = {option.action: option for option in options if isinstance(option, Begin)}
    if PRODUCTION in begun and (MOVEMENT in begun or len(s.turn.taken) + 1 < s.parts.numbers.actions_per_turn):
        return begun[PRODUCTION]
    worth, talk = _negotiation(s, power, options, rng)
    for action in (MOVEMENT, BLITZ):
        if action in begun and worth_of(Campaign(s, power, action).plan()) > worth:
            return begun[action]
    if talk is not None:
        return talk
    if NAVAL in begun and not s.controller:
        return begun[NAVAL]
    return begun[PRODUCTION] if PRODUCTION in begun else options[-1]


def _negotiation(s: State, power: str, options: Sequence[Action], rng: Rng) -> tuple[float, Diplomacy | None]:
    """The best diplomacy, and what it is worth: what it may win, less what a rival may win after it failed [ATK-14.3]."""
    able = [option for option in options if isinstance(option, Diplomacy)]
    if not able:
        return 0.0, None
    campaign, infantry = Campaign(s, power, MOVEMENT), cost(s.parts, "infantry")

    def liked(option: Diplomacy) -> tuple[int, float]:
        risk = campaign.risk(option.territory, infantry)
        return -target(s, power, option.territory), beside(s, power, option.territory) / 2 - risk + NOISE * rng.random()
    best = max(able, key=liked)
    win, rival = reached(target(s, power, best.territory)), reached(s.parts.numbers.diplomacy_target_rivals)
    lost = (1 - win) * (1 - (1 - rival) ** campaign.rivals) * campaign.share
    prize = campaign.prize(best.territory)
    return win * (prize - campaign.risk(best.territory, infantry)) - lost * prize, best


def reached(number: int) -> float:
    """The chance to roll so much with two dice."""
    return sum(sum(throw) >= number for throw in THROWS) / len(THROWS)


def _order(s: State, power: str, options: Sequence[Action]) -> Action:
    """One order of the plan after the other; then confirm."""
    given = Counter[tuple[str, str, str, str]]()
    for order in s.turn.orders:
        given[order.origin, order.unit, order.way, order.to] += order.number
    for attack in Campaign(s, power, s.turn.action).plan():
        for (origin, unit, way), number in attack.force.items():
            left = number - given[origin, unit, way, attack.goal]
            orders = [option for option in options if isinstance(option, Move) and option.number <= left and option.unit == unit
                      and (option.origin, option.to, option.way) == (origin, attack.goal, way)]
            if orders:
                return max(orders, key=lambda option: (option.number, option.planes == "on"))
    wanted: type[Action] = Confirm if s.turn.orders else Drop
    return next(option for option in options if isinstance(option, wanted))


def _site(campaign: Campaign, units: Mapping[str, int]) -> tuple[float, str]:
    """The best territory for new units, all of them together, and what they make possible and guard there."""
    s, power = campaign.s, campaign.power
    own = sorted(s.territories(power), key=lambda land: (-size(s.units[land]), -front(s, power, land)))
    found = list[tuple[float, str]]()
    for place, land in enumerate(own):
        if place < SITES or s.capitals.get(land) == power:
            there = price(s, s.units[land])
            guarded = campaign.risk(land, there) - campaign.risk(land, there + price(s, units))
            plan = campaign.reinforced(land, units).plan()
            found.append((worth_of(plan) + guarded + 0.01 * front(s, power, land), land))
    return max(found)


def _next(s: State) -> str:
    return BLITZ if MOVEMENT in s.turn.taken and BLITZ not in s.turn.taken else MOVEMENT


def _basket(s: State, mix: Mapping[str, int], points: int) -> dict[str, int]:
    """Return what so many points buy of a mix; the rest is infantry."""
    bought = dict.fromkeys(mix, 0)
    while able := [unit for unit in mix if cost(s.parts, unit) <= points] or [
            unit for unit in ("infantry",) if cost(s.parts, unit) <= points]:
        unit = min(able, key=lambda unit: (bought.get(unit, 0) + 1) / mix.get(unit, 1))
        bought[unit] = bought.get(unit, 0) + 1
        points -= cost(s.parts, unit)
    return {unit: number for unit, number in bought.items() if number}


def _purchase(position: Position[State], power: str) -> Action:
    """The units with which the best plan is possible, one type after the other."""
    s, options = position.state, position.options
    points = s.turn.points + price(s, s.turn.basket)
    campaign, best, bought = Campaign(s, power, _next(s)), -1.0, dict[str, int]()
    campaign.plan()
    for mix in MIXES:
        basket = _basket(s, mix, points)
        worth = _site(campaign, basket)[0] + PRICE_SHARE * price(s, basket)
        if worth > best:
            best, bought = worth, basket
        if position.late():
            break
    for kind, number in bought.items():
        left = number - s.turn.basket.get(kind, 0)
        able = [option for option in options if isinstance(option, Buy) and option.kind == kind and option.number <= left]
        if able:
            return max(able, key=lambda option: option.number)
    return next(option for option in options if isinstance(option, Confirm))


def _placed(s: State, power: str, options: Sequence[Deploy]) -> Action:
    """All that is left together, where it makes the best plan possible."""
    land = _site(Campaign(s, power, _next(s)), s.turn.to_place)[1]
    return max((option for option in options if option.territory == land), key=lambda option: option.number)
