"""Hints for Struggle of Empires: what an answer gains and what it risks, in words.

The strong player's judgement chooses what is told, and says what tiles bring. The rest is told in the solid player's numbers: the
strong one counts a marker for more or less than its points, to play well by it.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from engine.games.struggle_of_empires import actions as act, odds
from engine.games.struggle_of_empires.judgement import RUIN, Mind
from engine.games.struggle_of_empires.orders import facts
from engine.games.struggle_of_empires.player import considered, lowest_bid
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.games.struggle_of_empires.strong_player import Strategist
from engine.kernel import Action, Coach, Position, Rng
from engine.text import Text, text
from engine.text.amounts import points

CLOSE = 2.5             # points by which an answer may look worse than the best and still be told
WORTH = 0.15            # points from which a gain is told
AT_SEA = ("DP-15", "DP-16")     # to fight at sea or not
IDLE = (act.Pass, act.End)
LIKELY = 0.25           # the chance from which a risk is told
WEAKER = 0.3            # points from which it is told that a place is left weaker


def reasons(position: Position[State], option: Action) -> Sequence[Text]:
    s = position.state
    if s.phase == "powers":
        return [text("No power is clearly better than the others, so leave it to chance.")]
    mind = (Strategist if isinstance(option, act.Take) else Mind)(s, s.power(position.seat))
    if s.phase == "auction":
        return [*_auction(position, mind, option)]
    if s.battle is not None:
        return [*_battle(position, mind, option)]
    return [*_turn(position, mind, option), *_costs(mind, option)]


def _turn(position: Position[State], mind: Mind, option: Action) -> Iterator[Text]:
    match option:
        case act.Attack():
            yield from _attack(mind, option)
        case act.Place():
            yield from _stands(mind, option.unit, option.area)
        case act.Build():
            yield from _stands(mind, option.unit, option.to)
            yield from _crossing(mind, mind.power, option.to)
            yield text("A unit costs upkeep at the end of each war.")
        case act.Send():
            yield from _stands(mind, mind.s.turn.sending or "army", option.to)
            yield from _crossing(mind, mind.power, option.to)
        case act.Move():
            yield from _stands(mind, option.unit, option.to)
            yield from _crossing(mind, option.origin, option.to)
            if mind.stands(option.unit, option.origin, -1) < -WEAKER:
                yield text("It leaves you weaker in {origin}.", origin=option.origin)
        case act.Colonise() | act.Enslave():
            yield _marker(mind, option.area)
        case act.Covert():
            yield from _raid(mind, option.token, option.area, option.target)
        case act.Ally():
            yield _alliance(mind, option.place)
        case act.Take():
            yield from _tile(mind, option)
        case act.Use():
            yield text("It brings gold and costs nothing.") if mind.use(option) >= RUIN else _worth(mind.use(option))
        case act.Pass() | act.End():
            if mind.own_turn(option) > 0:
                yield text("It lowers your unrest, and keeps your gold for the upkeep.")
            elif _best(position, option):
                yield text("It keeps your gold for the upkeep: nothing else is clearly worth its price.")
            else:
                yield text("It keeps your gold for the upkeep.")
        case act.Decline():
            yield text("It keeps what you have for later.")


def _marker(mind: Mind, area: str, loser: str = "") -> Text:
    return text("Another control marker in {area} is worth {points} over the wars that are left.", area=area,
                points=points(mind.prize(area, loser)))


def _attack(mind: Mind, order: act.Attack) -> Iterator[Text]:
    win, hurt, helpers = mind.expected_odds(order)
    yield text("Your chance to win is {chance}.", chance=_percent(win))
    rival = order.target in mind.s.powers or order.target in mind.s.npps
    if rival and order.area not in mind.s.markers[order.target]:
        yield text("It drives a unit of {target} out of {area}.", target=order.target, area=order.area)
    else:
        yield _marker(mind, order.area, order.target if rival else "")
    if hurt >= LIKELY:
        yield text("Risk of losing a unit: {chance}. Each loss adds unrest.", chance=_percent(hurt))
    if helpers:
        yield text("{target:Possessive} allies can send help.", target=order.target)


def _stands(mind: Mind, unit: str, place: str) -> Iterator[Text]:
    s = mind.s
    if place == mind.power:
        yield text("It waits at home, safe, until you send it somewhere.")
        return
    if unit == "navy":
        yield text("Another navy in {place} supports your armies there and lets new ones in." if s.navies(mind.power, place) else
                   "A navy in {place:the} lets your armies in and supports them.", place=place)
        return
    here = s.count(mind.power, "army", place)
    if unit == "army":
        best = max(((mind.stake(here + 1 - walls, prize), prize) for prize, walls in mind.prey(place)), default=(0.0, 0.0))
        if best[0] > WORTH:
            yield text("From {place:the} it can attack for a control marker worth {points}.", place=place, points=points(best[1]))
    guarded = mind.guarded(place, here + (2 if unit == "fort" else 1)) - mind.guarded(place, here)
    if guarded > WORTH:
        yield text("It guards your control markers in {place}.", place=place)
    elif unit == "army" and best[0] <= WORTH:
        yield text("It prepares an attack in {place}, but that attack wouldn't pay off yet.", place=place)


def _crossing(mind: Mind, origin: str, to: str) -> Iterator[Text]:
    s = mind.s
    if to != mind.power and s.parts.zone[origin] != s.parts.zone[to]:
        sinks, back = mind.crossing
        if sinks or back:
            yield text("Crossing: {lost} lost, {back} turned back.", lost=_percent(sinks),
                       back=_percent(back))


def _raid(mind: Mind, token: str, area: str, target: str) -> Iterator[Text]:
    if mind.raid(token, area, target) > WORTH:
        yield text("{target:The} loses a control marker in {area} if it succeeds, which helps you by {points} on average.",
                   target=target, area=area, points=points(mind.raid(token, area, target)))
    else:
        yield text("{target:The} loses a control marker in {area} if it succeeds, though that hardly helps you.", target=target,
                   area=area)


def _alliance(mind: Mind, id: str) -> Text:
    held = mind.s.alliance(id)
    if held.helps_on_land:
        return text("It makes you stronger on land in {areas}.", areas=tuple(held.areas))
    return text("It makes you stronger in {areas}.", areas=tuple(held.areas))


def _tile(mind: Mind, option: act.Take) -> Iterator[Text]:
    tile = mind.s.parts.tile[option.tile]
    if option.tile in TOKENS:
        yield from _raid(mind, option.tile, option.area, option.target)
    elif tile.kind == "alliance":
        yield _alliance(mind, tile.id)
    elif tile.effect == "training_land":
        yield _training(mind)
    else:
        yield _worth(mind.tile(option.tile))


def _training(mind: Mind) -> Text:
    """Whom it puts this power ahead of: what that brings hangs on whether they follow [SOE-12.1.1]."""
    owned, rivals = mind.s.with_effect(mind.power, "training_land"), [power for power in mind.s.powers if power != mind.power]
    passed = [power for power in rivals if mind.s.with_effect(power, "training_land") == owned]
    if passed == rivals:
        return text("You get +1 on land against everybody, until they buy it, too.")
    if passed:
        return text("You get +1 on land against {powers:the}, until they buy it, too.", powers=tuple(passed))
    drawn = [power for power in rivals if mind.s.with_effect(power, "training_land") == owned + 1]
    if drawn:
        return text("You draw level on land with {powers:the}.", powers=tuple(drawn))
    return text("It changes no fight yet.") if owned else text("You get +1 on land against neutral markers alone.")


def _worth(net: float) -> Text:
    """Say what something brings beside its price."""
    if net < WORTH:
        return text("By the end it will bring about what it costs.") if net > -WORTH else text(
            "By the end it will bring less than it costs.")
    return text("By the end it will bring {points} more than it costs.", points=points(net))


def _costs(mind: Mind, option: Action) -> Iterator[Text]:
    """Yield what an answer costs in the long run: gold that must be taxed for, and unrest."""
    s = mind.s
    gold = (s.parts.numbers.attack_cost_gold if isinstance(option, act.Attack) and not option.war_office else
            s.cost_of(option.tile).gold if isinstance(option, act.Take) else
            s.cost_of(option.place).gold if isinstance(option, act.Ally) else 0)
    if gold > max(0, mind.spare):
        yield text("You have no gold to spare for it: the next upkeep means more taxes, and taxes mean unrest.")
    if mind.unrest > mind.weights.near and (gold > max(0, mind.spare) or isinstance(option, act.Attack)):
        yield text("Your unrest is already high, and more would hurt.")


def _auction(position: Position[State], mind: Mind, option: Action) -> Iterator[Text]:
    """A bid: whom it makes your enemy, and whom your ally."""
    best = bool(mind.s.standing) and _best(position, option)
    if not isinstance(option, act.Bid):
        yield text("The current bid suits you well enough, and passing is free.") if best else text("Passing costs nothing.")
        return
    foe, ally = (option.b, option.a) if mind.power in (*mind.s.row_a, option.a) else (option.a, option.b)
    if mind.power not in (*mind.s.row_a, *mind.s.row_b, option.a, option.b):
        yield text("It replaces a bid that suits you less.") if best else text("It leaves open on which side you'll be.")
        return
    if best:
        yield text("It suits you better than the current bid.")
    if foe and foe != mind.power:
        gain = mind.liked.get(foe, 0.0)
        yield (text("{foe:The} would be your enemy: you could take {points} from it.", foe=foe, points=points(gain))
               if gain > WORTH else
               text("But {foe} would be your enemy, and threatens you more than you threaten it.", foe=foe) if gain < -WORTH else
               text("{foe:The} would be your enemy, with little to win or lose for either of you now.", foe=foe))
    if ally and ally != mind.power and mind.liked.get(ally, 0.0) < -WORTH:
        yield text("{ally:The} would be your ally, and couldn't attack you.", ally=ally)
    if option.gold:
        yield text("It costs gold that your upkeep may need.")


def _battle(position: Position[State], mind: Mind, option: Action) -> Iterator[Text]:
    s, seen = position.state, facts(position.state, position.seat, position.question)
    lead = seen["lead"]
    win = mind.chance(lead) if isinstance(lead, int) else None
    match option:
        case act.Fight():
            if win is not None:
                yield text("Your chance to win at sea is {chance}.", chance=_percent(win))
            yield text("Whoever wins at sea has naval support in the fight on land.")
        case act.Decline() if position.question.point in AT_SEA:
            yield text("You risk no navy, and so no unrest. But the other side gets naval support.")
        case act.Decline():
            yield text("The roll stands, and the tile is there for another time.")
        case act.Commit():
            if option.armies or option.navies:
                battle = odds.battle_of(s)
                stage = "sea" if battle.naval_only else "land"
                ahead = s.strength(battle.attacker, stage) - s.strength(battle.defender, stage)
                ahead = ahead if battle.attacker in s.allies(mind.power) else -ahead
                sent = option.navies if battle.naval_only else option.armies
                yield text("Your ally's chance to win goes from {before} to {after}.", before=_percent(mind.chance(ahead)),
                           after=_percent(mind.chance(ahead + sent)))
                yield text("Units that you send can be lost, which adds unrest.")
            else:
                yield text("Your units stay out of it, and can't be lost.")
        case act.Use():
            yield text("It can turn this fight for you.") if win is None else text(
                "Rolled again, your chance to win is {chance}.", chance=_percent(win))


def _percent(chance: float) -> Text:
    return odds.percent(Fraction(chance))


def thought_of(position: Position[State], rng: Rng) -> Mapping[Action, float]:
    """What each answer is worth by the strong player's judgement, of those that are better than to do nothing; else that."""
    found = considered(position, rng, Strategist)
    idle: dict[Action, float] = {option: worth for option, worth in found.items() if isinstance(option, IDLE)}
    return {option: worth for option, worth in found.items() if worth > max(idle.values())} or idle if idle else found


def _best(position: Position[State], option: Action) -> bool:
    """True if an answer is better than to do nothing, or, if it does nothing, if no other is better."""
    s = position.state
    mind = Strategist(s, s.power(position.seat))
    worth = mind.auction(lowest_bid(s)) if s.phase == "auction" else mind.own_turn
    idle = max(worth(one) for one in position.options if isinstance(one, IDLE))
    return worth(option) > idle or (isinstance(option, IDLE) and all(worth(one) <= idle for one in position.options))


COACH = Coach[State](considered=thought_of, reasons=reasons, close=CLOSE)
