"""Hints for Attack!: what an answer gains and what it risks, in words, by the judgement of the automatic player."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.games.attack import player
from engine.games.attack.rules.diplomacy import Diplomacy, target
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.production import Buy, cost
from engine.games.attack.rules.setup import RANDOM, Claim, Deploy
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.state import BLITZ, MOVEMENT, NAVAL, PRODUCTION, State, size
from engine.kernel import Action, Coach, Position, Rng
from engine.text import Text, count, text

# how good an answer is at first sight, best first; what lies between is told by how it compares with others of its kind
ATTACKING, PRODUCING, NEGOTIATING, SAILING, NOTHING_ELSE = 3.0, 2.0, 1.5, 1.0, -1.0
CLOSE = 1.6             # by how much an answer may look worse than the best and still be told
STEP = 0.1              # between two territories or targets


def considered(position: Position[State], rng: Rng) -> Mapping[Action, float]:
    """How good each answer is at first sight; empty if the default will do."""
    s, power, options = position.state, position.state.power(position.seat), position.options
    match position.question.point:
        case "D-01":
            return {option: player.beside(s, power, option.territory) for option in options
                    if isinstance(option, Claim) and option.territory != RANDOM}
        case "D-02" | "D-23":
            return {option: cost(s.parts, option.unit) / 4 + STEP * (size(s.units[option.territory]) + 2 * min(
                3, player.front(s, power, option.territory))) for option in options if isinstance(option, Deploy)}
        case "D-04":
            found = {option: _action(s, power, option, last=option == options[-1]) for option in options}
            return {option: good for option, good in found.items() if good}
        case "D-05":
            return _orders(s, power, options)
        case "D-22":
            return {option: -(s.turn.basket.get(option.kind, 0) + 1) / player.MIXED[option.kind] for option in options
                    if isinstance(option, Buy) and option.number == 1 and option.kind in player.MIXED} or {
                option: 0.0 for option in options if isinstance(option, Confirm)}
    return {}


def _action(s: State, power: str, option: Action, *, last: bool) -> float:
    if isinstance(option, Begin) and option.action in (MOVEMENT, BLITZ):
        return ATTACKING if any(True for _ in player.targets(s, power, player.fit_for(s, option.action))) else 0.0
    if isinstance(option, Begin) and option.action == PRODUCTION:
        return PRODUCING
    if isinstance(option, Diplomacy):
        near = target(s, power, option.territory) == s.parts.numbers.diplomacy_target_adjacent
        return NEGOTIATING + STEP * player.beside(s, power, option.territory) if near else 0.0
    if isinstance(option, Begin) and option.action == NAVAL and not s.controller:
        return SAILING
    return NOTHING_ELSE if last else 0.0


def _orders(s: State, power: str, options: Sequence[Action]) -> Mapping[Action, float]:
    """The orders to attack where that is worth it, the best target first; to confirm once there are none."""
    fit, found = player.fit_for(s, s.turn.action), dict[Action, float]()
    goals = [*dict.fromkeys((*s.turn.entering, *player.targets(s, power, fit)))]
    for place, goal in enumerate(goals):
        moves = [option for option in options if isinstance(option, Move) and option.to == goal and option.way == "land"
                 and option.number <= player.leaving(s, option.origin, fit).get(option.unit, 0)
                 and goal in s.parts.territory[option.origin].adjacent]
        if moves:
            found[max(moves, key=lambda option: (option.number, option.unit))] = 1.0 - STEP * place
    return found or {option: 1.0 for option in options if isinstance(option, Confirm) and s.turn.entering}


def reasons(position: Position[State], option: Action) -> Sequence[Text]:
    s, power = position.state, position.state.power(position.seat)
    if isinstance(option, Confirm) and s.turn.entering:
        return [text("Every unit worth sending already has its orders.")] if option in _orders(s, power, position.options) else []
    return [*_reasons(s, power, option)]


def _reasons(s: State, power: str, option: Action) -> Iterator[Text]:
    match option:
        case Claim() if option.territory != RANDOM:
            yield from _claim(s, power, option.territory)
        case Deploy():
            if front := player.front(s, power, option.territory):
                yield count(front, "From {territory:the} you can attack {n} neighbour.",
                            "From {territory:the} you can attack {n} neighbours.", territory=option.territory)
            if s.units[option.territory]:
                yield text("Together with what is there it makes a stronger force.")
        case Begin():
            yield from _begin(s, power, option.action)
        case Diplomacy():
            yield text("{territory:The} may join you without a fight, with {n} or more on two dice.", territory=option.territory,
                       n=target(s, power, option.territory))
            yield text("If it refuses, you have used the action.")
        case Move():
            yield _sent(s, power, option)
            left = size(s.units[option.origin]) - option.number
            yield count(left, "{n} unit stays in {origin}.", "{n} units stay in {origin}.", origin=option.origin)
        case Confirm() if s.turn.basket and s.turn.points < min(cost(s.parts, kind) for kind in player.MIXED):
            yield text("You can't afford another unit.")
        case Buy():
            so_far, others = s.turn.basket.get(option.kind, 0), [kind for kind in s.turn.basket if kind != option.kind]
            if not so_far and (others or option.number == 1):
                yield text("You aren't buying any of this type yet, and a mixed force fights best.")
            else:
                yield text("With {n} of them your purchase stays mixed, and a mixed force fights best.",
                           n=so_far + option.number) if others else text("You aren't buying any other type yet.")


def _claim(s: State, power: str, land: str) -> Iterator[Text]:
    owners = [s.owner.get(other, "") for other in s.parts.territory[land].adjacent]
    own, free = owners.count(power), owners.count("")
    if own:
        yield count(own, "It borders {n} of your territories.", "It borders {n} of your territories.")
    yield count(free, "{n} neighbour is still free, so there is room to grow.",
                "{n} neighbours are still free, so there is room to grow.") if free else text("It has no free neighbours.")
    if others := len(owners) - own - free:
        yield count(others, "{n} neighbour belongs to somebody else, who may attack it.",
                    "{n} neighbours belong to others, who may attack it.")


def _begin(s: State, power: str, action: str) -> Iterator[Text]:
    if action in (MOVEMENT, BLITZ):
        fit = player.fit_for(s, action)
        goal = next(iter(player.targets(s, power, fit)), None)
        yield _odds(s, power, goal, fit) if goal is not None else text("You have no force that is clearly stronger than what it "
                                                                       "would meet.")
        if goal is not None:
            yield text("Units that attack no longer defend the territory they left.")
    elif action == PRODUCTION:
        yield text("It brings new units, and nothing can go wrong.")
    elif action == NAVAL and not s.controller:
        yield text("Nobody controls the sea lanes yet.")


def _sent(s: State, power: str, move: Move) -> Text:
    if s.owner.get(move.to) == power:
        return count(size(s.units[move.to]) + move.number, "{n} unit would then be in {to}.", "{n} units would then be in {to}.",
                     to=move.to)
    beside = move.way == "land" and move.origin in s.parts.territory[move.to].adjacent
    return _odds(s, power, move.to, player.fit_for(s, s.turn.action), {} if beside else {move.unit: move.number})


def _odds(s: State, power: str, goal: str, fit: Sequence[str], more: Mapping[str, int] = {}) -> Text:
    """Return with what a territory can be attacked from beside it, and with what comes from farther off."""
    mine = player.worth(s, player.coming(s, power, goal, fit)) + player.worth(s, more)
    if goal not in s.owner:
        return text("You can attack neutral {goal} with units worth {mine} production points. About {needed} should do, though "
                    "a card decides who defends it.", goal=goal, mine=mine, needed=round(player.needed(s, goal)))
    return text("You can attack {goal} with units worth {mine} production points against {theirs}.", goal=goal, mine=mine,
                theirs=player.worth(s, s.units[goal]))


COACH = Coach[State](considered=considered, reasons=reasons, close=CLOSE)
