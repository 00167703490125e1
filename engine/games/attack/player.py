"""An automatic player of Attack!: quick and without plans.

It claims land beside its own, gathers mixed forces at the border, attacks where its force is worth clearly more than what
defends, spends the rest of its actions on Production and on Diplomacy next door, and buys a mixed force. Of secrets it reads its
own hand alone, and that only through what it can buy; all other questions get their defaults.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.games.attack.components import UNITS
from engine.games.attack.rules.diplomacy import Diplomacy, target
from engine.games.attack.rules.movement import Drop, Move
from engine.games.attack.rules.production import Buy, cost
from engine.games.attack.rules.setup import RANDOM, Claim, Deploy
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.state import BLITZ, MOVEMENT, NAVAL, PRODUCTION, Force, State, join, size
from engine.kernel import Action, Players, Position, Rng, Seat

NEUTRALS = 38           # production points that a force must be worth against a card that nobody has seen
AHEAD = 1.4             # times what a rival has in a territory
MIXED: Mapping[str, int] = {"infantry": 3, "tank": 2, "artillery": 1, "plane": 2}      # what it would like to have, in parts
NOISE = 0.5


PUBLIC = frozenset({
    "phase", "parts", "options", "seats", "powers", "first", "place", "round", "owner", "units", "capitals", "pools", "fleets",
    "damaged", "controller", "out", "battle", "naval", "battles", "proposals", "proposal", "closing", "time", "ranking",
    "winners", "rules_version"})
"""The fields of a state that everybody knows; any other holds a secret."""
SECRET = frozenset({"hands", "deck", "deal", "turn"})


def known(s: State, seat: Seat) -> State:
    """The table as a seat knows it: its own hand; the other cards, in the hands of others and in the deck, are dealt anew from
    those that it has not seen, in the order of the data [ATK-20.4, 20.11]."""
    own = s.power(seat)
    unseen = sorted([*s.deck, *(card for power, hand in s.hands.items() if power != own for card in hand)])
    hands = {power: list(hand) if power == own else [unseen.pop(0) for _ in hand] for power, hand in s.hands.items()}
    deal = s.deal if s.deal is not None and (own in (s.deal.maker, s.deal.partner) or (s.deal.agreed and own == s.controller)) \
        else None
    turn = s.turn if s.active == own else s.turn.model_copy(update={"points": 0, "basket": {}})
    return State.model_construct(hands=hands, deck=unseen, deal=deal, turn=turn, **{name: getattr(s, name) for name in PUBLIC})


def imagined(s: State, seat: Seat, rng: Rng) -> None:
    """Deal the cards that a seat has not seen anew."""
    own = s.power(seat)
    unseen = [*s.deck, *(card for power, hand in s.hands.items() if power != own for card in hand)]
    unseen = rng.sample(unseen, len(unseen))
    for power, hand in s.hands.items():
        if power != own:
            hand[:] = [unseen.pop() for _ in hand]
    s.deck[:] = unseen


def solid(position: Position[State], rng: Rng) -> Action:
    """Return what gathers forces, takes what is weaker, and grows."""
    s, options = position.state, position.options
    if len(options) == 1:
        return options[0]
    power = s.power(position.seat)
    match position.question.point:
        case "D-01":
            return max((option for option in options if isinstance(option, Claim) and option.territory != RANDOM),
                       key=lambda option: beside(s, power, option.territory) + rng.random() * NOISE)
        case "D-02" | "D-23":
            return _placed(s, power, [option for option in options if isinstance(option, Deploy)], rng)
        case "D-04":
            return _action(s, power, options, rng)
        case "D-05":
            return _orders(s, power, options)
        case "D-22":
            return _purchase(s, options)
    return position.default


def beside(s: State, power: str, land: str) -> float:
    """How well a territory lies: beside the own ones, with room to grow, far from others."""
    owners = [s.owner.get(other, "") for other in s.parts.territory[land].adjacent]
    return 2 * owners.count(power) + 0.3 * owners.count("") - sum(owner not in ("", power) for owner in owners)


def front(s: State, power: str, land: str) -> int:
    return sum(s.owner.get(other) != power for other in s.parts.territory[land].adjacent)


def _placed(s: State, power: str, options: Sequence[Deploy], rng: Rng) -> Action:
    """Forces grow where they are largest and can attack, the dearest units first."""
    def liked(option: Deploy) -> tuple[int, float, int]:
        there = size(s.units[option.territory]) + 2 * min(3, front(s, power, option.territory))
        return cost(s.parts, option.unit), there + rng.random() * NOISE, option.number
    return max(options, key=liked)


# --- actions ----------------------------------------------------------------------------------------------

def _action(s: State, power: str, options: Sequence[Action], rng: Rng) -> Action:
    """Attack if it can, produce always, negotiate next door, take the sea lanes if nobody has them; else the last answer: end."""
    begun = {option.action: option for option in options if isinstance(option, Begin)}
    for action in (MOVEMENT, BLITZ):
        if action in begun and any(True for _ in targets(s, power, fit_for(s, action))):
            return begun[action]
    if PRODUCTION in begun:
        return begun[PRODUCTION]
    near = [option for option in options if isinstance(option, Diplomacy)
            and target(s, power, option.territory) == s.parts.numbers.diplomacy_target_adjacent]
    if near:
        return max(near, key=lambda option: beside(s, power, option.territory) + rng.random() * NOISE)
    if NAVAL in begun and not s.controller:
        return begun[NAVAL]
    return options[-1]


def fit_for(s: State, action: str) -> Sequence[str]:
    return [unit for unit in UNITS if action != BLITZ or s.parts.unit[unit].may_blitz]


def targets(s: State, power: str, fit: Sequence[str]) -> Iterable[str]:
    """The territories worth an attack with all that can come from beside them."""
    goals = dict.fromkeys(goal for land in s.territories(power) for goal in s.parts.territory[land].adjacent
                          if s.owner.get(goal) != power)
    return (goal for goal in goals if worth(s, coming(s, power, goal, fit)) >= needed(s, goal))


def needed(s: State, goal: str) -> float:
    return AHEAD * worth(s, s.units[goal]) if goal in s.owner else NEUTRALS


def worth(s: State, force: Mapping[str, int]) -> int:
    return sum(number * cost(s.parts, unit) for unit, number in force.items())


def coming(s: State, power: str, goal: str, fit: Sequence[str]) -> Force:
    """Return what can enter a territory from beside it, with what has entered it already; one unit stays behind each time."""
    force: Force = dict(s.turn.entering.get(goal, {}))
    for land in s.parts.territory[goal].adjacent:
        if s.owner.get(land) == power:
            join(force, leaving(s, land, fit))
    return force


def leaving(s: State, land: str, fit: Sequence[str]) -> Force:
    """Return what can leave a territory: all that has not moved, but for its cheapest unit if nothing else stays."""
    here, moved = s.units[land], s.turn.arrived.get(land, {})
    force: Force = {unit: here[unit] - moved.get(unit, 0) for unit in fit if here.get(unit, 0) > moved.get(unit, 0)}
    if force and size(force) == size(here):
        guard = min(force, key=lambda unit: cost(s.parts, unit))
        join(force, {guard: 1}, -1)
    return force


def _orders(s: State, power: str, options: Sequence[Action]) -> Action:
    """One target after the other, with all that can come; then confirm."""
    fit = fit_for(s, s.turn.action)
    for goal in (*s.turn.entering, *targets(s, power, fit)):
        moves = [option for option in options if isinstance(option, Move) and option.to == goal and option.way == "land"
                  and option.number <= leaving(s, option.origin, fit).get(option.unit, 0)
                  and goal in s.parts.territory[option.origin].adjacent]
        if moves:
            return max(moves, key=lambda option: (option.number, option.unit))
    wanted: type[Action] = Confirm if s.turn.entering else Drop
    return next(option for option in options if isinstance(option, wanted))


def _purchase(s: State, options: Sequence[Action]) -> Action:
    """One unit after the other, so that the parts come close to those that it would like."""
    one = [option for option in options if isinstance(option, Buy) and option.number == 1 and option.kind in MIXED]
    if one:
        return min(one, key=lambda option: (s.turn.basket.get(option.kind, 0) + 1) / MIXED[option.kind])
    return next(option for option in options if isinstance(option, Confirm))


PLAYERS = Players[State](known=known, secret=SECRET, imagined=imagined, solid=solid)
