"""Section 21: the decision points, the answers and conditions that an order can name, and what each seat sees of them.

D-17 is asked as a part of D-04, D-19 is the answer to a counter-offer, and D-18 is rolled for everybody. The points of
battles are those of `battle_points`. Quiet points get their first standing order without a question (21.1).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from engine.games.attack.clock_shares import GONE_AFTER, OUT_OF_TURN, OWN_TURN, STRETCH
from engine.games.attack.orders import builders as build
from engine.games.attack.orders.battles import BATTLE_CONDITIONS, BATTLE_POINTS, battle_facts
from engine.games.attack.rules.crossings import each_crossing
from engine.games.attack.rules.setup import RANDOM, Deploy, deployed, first_units, require_together
from engine.games.attack.state import State
from engine.kernel import OVER, Ask, Seat
from engine.orders import ALWAYS, Offer, Ordering, Point, Series, Span, Value
from engine.orders.builders import choice, flag, number, pick, wishes
from engine.text import Text, count, text

# --- conditions -------------------------------------------------------------------------------------------

CONDITIONS = (
    number("round", "the round"),
    number("actions", "the number of your actions left", "you have {value} left", "{n} action", "{n} actions"),
    number("territories", "the number of your territories", "you own {value}", "{n} territory", "{n} territories"),
    number("cards", "the number of your cards", "you have {value}", "{n} card", "{n} cards"),
    choice("owned", "a territory that you own", build.territories, "you own {value}", "you don't own {value}"),
    choice("neutral", "a neutral territory", build.territories, "{value} is neutral", "{value} isn't neutral"),
    choice("controller", "who controls the sea lanes", build.players, "{value} controls the sea lanes",
           "{value} doesn't control the sea lanes"),
    choice("mover", "whose turn it is", build.others, "it's {value:possessive} turn", "it isn't {value:possessive} turn"),
    choice("origin", "where it begins", build.territories, "it begins in {value}", "it doesn't begin in {value}"),
    choice("to", "where it ends", build.territories, "it ends in {value}", "it doesn't end in {value}"),
    flag("on_me", "it ends on your territory", "it doesn't end on your territory"),
    choice("party", "a side of the deal", build.others, "{value} is part of it", "{value} isn't part of it"),
    flag("leading", "the attacker is ahead of every other player in territories",
         "the attacker isn't ahead of every other player in territories"),
    choice("place", "the territory", build.territories),
    *BATTLE_CONDITIONS,
)


# --- answers and points -------------------------------------------------------------------------------------

SETTING_UP = ("claiming", "deploying", "founding")
TO = wishes("territory", "Which territory?", build.territories)
ALLOW, REFUSE = build.offer("allow", "allow it", "permit", allow=True), build.offer("refuse", "refuse it", "permit", allow=False)
ACCEPT, DECLINE = build.offer("accept", "accept", "answer", accept=True), build.offer("decline", "decline", "answer",
                                                                                      accept=False)
CONFIRM, END = build.offer("confirm", "confirm", "confirm"), build.offer("end", "end the turn", "end")


def own_turn(no: str, title: str, usual: str, *offers: Offer, quiet: bool = False) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=build.TURN, conditions=(*build.ANYTIME, "actions"),
                 lasts=(ALWAYS, "turn"), quiet=quiet, pace=OWN_TURN)


def after(phase: str) -> Callable[[State, Seat], bool]:
    """Return a test that this part of the set-up is over (ATK-3)."""
    known = ("setup", *SETTING_UP)
    return lambda s, seat: s.phase not in known[:known.index(phase) + 1]


def to_deploy(s: State, seat: Seat) -> Series | None:
    """The first units that a seat has still to place [ATK-3.4.1]."""
    if s.phase != "deploying":
        return None
    left = first_units(s) - len(deployed(s, seat))
    return Series(number=left, answers=list(Deploy.options(s, seat)), check=partial(require_together, s, seat),
                  words=count(left, "Place your next unit", "Place your next {n} units"),
                  done=lambda n: count(n, "Placed {n} unit.", "Placed {n} units."))


POINTS = (
    Point(no="D-01", title="Claim a territory", usual="claim a random territory", group=build.SETUP, conditions=build.ANYTIME,
          pace=OUT_OF_TURN, past=after("claiming"), offers=(
              build.offer("claim", "claim {territory}", "claim", TO),
              build.offer("random", "claim a random territory", "claim", territory=RANDOM))),
    Point(no="D-02", title="Place a unit", usual="plane, tank, artillery, tank, plane, where you have the fewest",
          group=build.SETUP,
          conditions=build.ANYTIME, given=deployed, series=to_deploy, pace=OUT_OF_TURN, past=after("deploying"), offers=(
              build.offer("place", "place 1 {unit} in {territory:the}", "deploy", wishes("unit", "Which unit?", build.units), TO,
                          brief="place a unit", number=1),)),
    Point(no="D-03", title="Place your capital", usual="where you have the most units", group=build.SETUP,
          conditions=build.ANYTIME,
          pace=OUT_OF_TURN, past=after("founding"),
          offers=(build.offer("capital", "put the capital in {territory}", "capital", TO),)),
    own_turn("D-04", "An action", "end the turn",
             build.offer("begin", "begin {action}", "begin", pick("action", "Which action?", build.begun)),
             build.offer("diplomacy", "negotiate with {territory}", "diplomacy", TO), END),
    own_turn("D-05", "Movement orders", "end the turn",
             build.offer("move", "move {number} {unit} from {origin} to {to} {way}", "move",
                         pick("unit", "Which unit?", build.units),
                         pick("origin", "From where?", build.territories), wishes("to", "Where to?", build.territories),
                         pick("way", "By land or by sea?", build.ways), build.how_many("How many, at most?"), brief="move units",
                         planes="ask"),
             CONFIRM, END),
    own_turn("D-07", "Planes after a refused crossing", "go back", build.offer("on", "fly on", "fly", on=True),
             build.offer("back", "go back", "fly", on=False)),
    own_turn("D-08", "The next battle", "in the order you gave", build.offer("next", "fight for {territory}", "attack", TO),
             quiet=True),
    own_turn("D-22", "Purchases", "infantry",
             build.offer("buy", "buy {number} of {kind}", "buy", pick("kind", "What?", build.goods),
                                                          build.how_many("How many, at most?"), brief="buy units"), CONFIRM, END),
    own_turn("D-23", "Where new units go", "on your capital",
             build.offer("deploy", "place {number} of {unit} in {territory}", "deploy",
                         wishes("unit", "Which unit?", build.units), TO,
                         build.how_many("How many, at most?"), brief="place new units")),
    Point(no="D-06", title="Allow a crossing", usual="refuse what ends on your territories, allow the rest",
          offers=(ALLOW, REFUSE), group=build.SEA, conditions=(*build.ANYTIME, "mover", "origin", "to", "on_me"),
          lasts=(ALWAYS, "round"),
          pace=OUT_OF_TURN),
    Point(no="D-12", title="Offer to command neutrals", usual="decline", offers=(ACCEPT, DECLINE), quiet=True, group=build.TABLE,
          conditions=(*build.ANYTIME, "mover", "place", "leading"), lasts=(ALWAYS, "round"), pace=OUT_OF_TURN),
    Point(no="D-19", title="A counter-offer", usual="decline", offers=(DECLINE,), group=build.TRADING, conditions=build.ANYTIME,
          lasts=(ALWAYS, "round"), pace=OWN_TURN),
    Point(no="D-20", title="An offer of cards", usual="decline", offers=(DECLINE,), group=build.TRADING,
          conditions=(*build.ANYTIME, "mover"), lasts=(ALWAYS, "round"), pace=OUT_OF_TURN),
    Point(no="D-21", title="Block a deal", usual="allow it", offers=(ALLOW, REFUSE), group=build.TRADING,
          conditions=(*build.ANYTIME, "party"), lasts=(ALWAYS, "round"), pace=OUT_OF_TURN),
    Point(no="D-24", title="End by agreement", usual="decline", offers=(ACCEPT, DECLINE), group=build.TABLE,
          conditions=build.ANYTIME, lasts=(ALWAYS, "round"), pace=OUT_OF_TURN, vote=True),
    *BATTLE_POINTS,
)


# --- what a seat sees -----------------------------------------------------------------------------------------

def facts(s: State, seat: Seat, question: Ask[Any]) -> Mapping[str, Value]:
    """Return what a line can ask for, at this question of this seat; of secrets only its own [ATK-20.12]."""
    power = s.power(seat)
    seen: dict[str, Value] = {
        "round": s.round, "territories": len(s.territories(power)), "cards": len(s.hands[power]),
        "owned": tuple(s.territories(power)), "neutral": tuple(s.neutral()), "controller": s.controller}
    if s.active == power:
        seen["actions"] = s.parts.numbers.actions_per_turn - len(s.turn.taken)
    elif s.active:
        seen["mover"] = s.active
    for key in ("origin", "to"):
        if isinstance(named := question.about.get(key), str):
            seen[key] = named
    if "to" in seen:
        seen["on_me"] = s.owner.get(str(seen["to"])) == power
    if question.point == "D-21" and s.deal is not None:
        seen["party"] = (s.deal.maker, s.deal.partner)
    if s.battle is not None:
        attacker = s.battle.attacker.power
        most = max(len(s.territories(other)) for other in s.playing if other != attacker)
        seen |= {"place": s.battle.territory, "leading": len(s.territories(attacker)) > most}
    return seen | battle_facts(s, power, question.point)


OPENING = "attack"                      # the key with which packets for the setup are stored
DURATIONS = (Span("round", text("in this round")), Span(STRETCH, text("in this turn"), text("with each turn")),
             Span(OPENING, text("during setup")))


def spans(s: State, seat: Seat) -> Mapping[str, str]:
    """The round, and the turn of a seat: the present one, or the next."""
    power = s.power(seat)
    if s.phase == OVER or power in s.out:
        return {}
    found = {"round": str(s.round)}
    if s.phase in SETTING_UP:
        found[OPENING] = "setup"
    order = s.in_turn_order()
    passed = s.phase == "turn" and order.index(power) < order.index(s.active)
    return found | {"turn": str(s.round + passed)}


def foreseen(s: State) -> Mapping[Seat, tuple[str, ...]]:
    """Return what the setup will ask of each seat beside its territories: where units and capitals usually go suits most
    (21.1)."""
    if s.phase not in SETTING_UP:
        return {}
    points = ("D-03",) if s.phase == "founding" else ("D-02", "D-03")
    return {s.seat(power): points for power in s.in_turn_order() if power not in s.capitals.values()}


def occasion(s: State) -> Text:
    return text("First units and capitals")


def seats(s: State) -> list[Seat]:
    return [s.seat(power) for power in s.in_turn_order()]


ORDERING = Ordering(points=POINTS, conditions=CONDITIONS, facts=facts, parts=each_crossing, spans=spans, foreseen=foreseen,
                    occasion=occasion, seats=seats, durations=DURATIONS, packet=OPENING,
                    own_turn=("D-07", "D-08", "D-09", "D-11"),
                    written=("D-04", "D-05", "D-08", "D-22", "D-23"), between=("D-08", "D-23"), stretch=STRETCH,
                    gone_after=GONE_AFTER)
