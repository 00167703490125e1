"""Chapter 18: the decision points, the answers and conditions that an order can name, and what each seat sees of them.

A purchase of a round (IS-18.12) is one question with all that can be done between two purchases: IS-18.5, 18.8, 18.9, 18.13 to
18.15 and 18.19 are answers to it, and it ends by IS-18.20. What falls to the side that is not active can be answered in
advance (IS-18.33), and so can a whole action round.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.games.imperial_struggle.actions.choices import NONE
from engine.games.imperial_struggle.actions.wars import refusal_price
from engine.games.imperial_struggle.clock_shares import BEFORE, GONE_AFTER, OUT_OF_TURN, OWN_ROUND, STRETCH
from engine.games.imperial_struggle.components import foe
from engine.games.imperial_struggle.orders import builders as build
from engine.games.imperial_struggle.rules.track import ROUNDS
from engine.games.imperial_struggle.state import State
from engine.kernel import OVER, Ask, Seat
from engine.orders import ALWAYS, Offer, Ordering, Pace, Point, Span, Value
from engine.orders.builders import choice, number, pick
from engine.text import Text, text

# --- conditions ---------------------------------------------------------------------------------------------------

CONDITIONS = (
    choice("turn", "the turn or war", build.turns, "it's {value}", "it isn't {value}"),
    number("counter", "your victory points, counted from your own end of the track"),
    number("debt", "your available debt", "you have {value}", "{n} available debt", "{n} available debt"),
    number("treaty", "your treaty points", "you have {value}", "{n} TRP", "{n} TRP"),
    choice("mine", "a space that you control", build.spaces, "you control {value}", "you don't control {value}"),
    choice("theirs", "a space that your opponent controls", build.spaces, "your opponent controls {value}",
           "your opponent doesn't control {value}"),
    choice("demand", "a good in demand", build.goods, "{value} is in demand", "{value} isn't in demand"),
    number("round", "the number of the action round"),
    choice("left", "a tile that is left", build.tiles, "{value} is left", "{value} isn't left"),
    choice("theater", "the theater", build.all_theaters),
    choice("place", "the territory", build.spaces_of("territory")),
    number("price", "the VP that it costs to refuse"),
)


# --- answers and points -------------------------------------------------------------------------------------------

END, PASS = (replace(build.offer(verb, words, verb), meant=True) for verb, words in (("end", "end the round"), ("pass", "pass")))
SHIFTS = (
    build.bought("market", "flag or unflag {space}", "market", build.where("Which market?", build.markets),
                 brief="flag or unflag a market"),
    build.bought("politics", "flag or unflag {space}", "politics", build.where("Which political space?", build.politics),
                 brief="flag or unflag a political space"),
    build.bought("draw", "draw an event", "draw"))
ARMS = (
    build.bought("tile", "buy a bonus tile", "tile"),
    build.bought("clear", "remove the conflict marker at {space}", "clear",
                 build.where("Which space?", build.spaces_of("market", "political"))),
    build.bought("fort", "build, repair or take the fort at {space}", "fort", build.where("Which fort?", build.forts)),
    build.bought("build", "build a squadron", "build", aid=""),
    build.bought("deploy", "send a squadron from the Navy Box to {to}", "deploy", build.where("Where to?", build.seas, "to"),
                 origin="navy_box"),
    build.bought("move", "send the squadron at {origin} to {to}", "deploy", pick("origin", "Which squadron?", build.seas),
                 build.where("Where to?", build.seas, "to"), brief="send a squadron from one sea to another"))
BESIDES = (
    build.offer("upgrade", "upgrade in {theater}", "upgrade", build.where("In which theater?", build.theaters, "theater")),
    build.offer("event", "play {event}", "event", pick("event", "Which event?", build.events), reveal="", waiver=""),
    build.offer("reveal", "turn up {card}", "reveal", pick("card", "Which ministry?", build.ministries)),
    build.offer("advantage", "use {advantage} on {target}", "advantage", pick("advantage", "Which advantage?", build.markers),
                build.where("Where does the marker go?", build.spaces_of("market", "political"), "target"),
                brief="use an advantage"),
    build.offer("baltic", "use Baltic Trade", "advantage", advantage="baltic_trade", target=""))
TAKE = build.offer("take", "take {tile}", "take", build.where("Which tile?", build.tiles, "tile"))
REVEALS = (build.offer("reveal", "turn up {card}", "reveal", build.where("Which ministry?", build.ministries, "card")),
           build.offer("keep", "turn up nothing", "keep"))
CEDE, REFUSE = build.offer("cede", "cede it", "cede"), build.offer("refuse", "refuse", "refuse")
NOTHING = build.offer("nothing", "choose none", "choose", target=NONE)
NO_SHIFT = build.offer("nothing", "choose none", "choose", target=NONE, applies=build.with_spanish_empire)


def target(words: str, values: Any, verb: str = "choose", said: str = "choose {target:the}", key: str = "target",
           applies: Callable[[State], bool] = lambda s: True, reach: Any = None) -> Offer:
    return build.offer(key, said, verb, build.where(words, values, "target", reach), applies=applies)


def own_round(no: str, title: str, usual: str, *offers: Offer) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=build.TURN, conditions=(*build.ANYTIME, "round", "left"),
                 lasts=(ALWAYS, "turn", "round"), pace=OWN_ROUND)


def between(no: str, title: str, usual: str, *offers: Offer, group: str = build.BETWEEN, quiet: bool = False,
            pace: Pace = OUT_OF_TURN, past: Callable[[State, Seat], bool] = lambda s, seat: False) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=group, conditions=build.ANYTIME, lasts=(ALWAYS, "turn"),
                 quiet=quiet, pace=pace, past=past)


def peace_is_over(s: State, seat: Seat) -> bool:
    """True if the last peace turn is past the phases before its action rounds [IS-4]."""
    return s.phase not in ("setup", "sides", "layout", "peace") and not any(
        step.kind == "peace" for step in s.parts.turn_track[s.step + 1:])


def in_war(no: str, title: str, usual: str, *offers: Offer, more: tuple[str, ...] = ()) -> Point:
    return Point(no=no, title=title, usual=usual, offers=offers, group=build.WARS, conditions=(*build.ANYTIME, "theater", *more),
                 lasts=(ALWAYS, "war"), pace=OUT_OF_TURN)


POINTS = (
    own_round("IS-18.6", "Your tile", "the first one that is left", TAKE, *BESIDES),
    own_round("IS-18.7", "What you do with your tile", "pass", PASS, *SHIFTS, *ARMS, *BESIDES, END),
    own_round("IS-18.12", "What you do next", "end the round", *SHIFTS, *ARMS, *BESIDES, END),
    between("IS-18.1", "Events to discard", "those of the oldest era, the lowest numbers first", build.offer(
        "discard", "discard among {cards}", "discard", build.where("Which events may go?", build.all_events, "cards")),
            pace=BEFORE, past=peace_is_over),
    between("IS-18.2", "Your ministries", "keep your present ministries, else the lowest numbers", build.offer(
        "appoint", "choose among {cards}", "appoint", build.where("Which ministries?", build.ministries, "cards")),
            pace=BEFORE, past=peace_is_over),
    between("IS-18.3", "Who goes first", "whoever has the initiative",
            build.offer("first", "let {side} go first", "first", pick("side", "Which side?", build.sides)), pace=BEFORE,
            past=peace_is_over),
    between("IS-18.4", "Bonus tiles carried over", "the theater with the fewest of your bonus tiles",
            target("Which theater?", build.theaters, key="theater"), group=build.EVENTS),
    between("IS-18.16", "Where a bonus tile goes", "the theater with the fewest of your bonus tiles",
            target("Which theater?", build.theaters, key="theater"), group=build.EVENTS),
    between("IS-18.10", "What an event hits", "the first that is possible", target("Which space?", build.spaces), NOTHING,
            group=build.EVENTS),
    between("IS-18.11", "What you lose to an event", "your weakest bonus tile, else a squadron, else a fort",
            target("What do you give up? Name a squadron by its sea.", build.losses, "pick", "give up {target}"),
            group=build.EVENTS),
    between("IS-18.20", "Ministries at the end of your last round", "turn up nothing", *REVEALS, quiet=True),
    in_war("IS-18.21", "What your war tiles hit", "the first that is possible",
           target("Which space?", build.to_hit(build.spaces_of("fort", "naval", "market", "political")), said="hit {target:the}",
                  reach=build.within_war), NOTHING),
    in_war("IS-18.22", "Your spoils", "conquest first, then flags",
           build.offer("conquer", "take {space}", "conquer",
                       build.where("Which space?", build.to_conquer, reach=build.conquerable)),
           build.offer("unflag", "take the flag off {space}", "unflag",
                       build.where("Which space?", build.to_hit(build.spaces_of("market", "political")), reach=build.by_spoils)),
           build.offer("forgo", "give up the rest", "forgo")),
    in_war("IS-18.23", "A territory that the winner demands", "cede it", CEDE, REFUSE, more=("place", "price")),
    in_war("IS-18.24", "Squadrons to give up", "those in the Navy Box first", target(
        "Which squadron?", lambda s, seat: ("navy_box", *build.mine_first(build.seas)(s, seat)),
        said="give up the one at {target:the}")),
    in_war("IS-19.1", "A free shift in Spain", "choose none", target("Which space?", lambda s, seat: tuple(
        s.parts.country["spain"].spaces), said="shift {target}", applies=build.with_spanish_empire), NO_SHIFT),
    between("IS-19.4", "The side you want", "Britain for 0 TRP, or yield", build.offer(
        "bid", "bid for {side}", "bid", pick("side", "Which side?", build.sides), applies=build.in_bidding),
            build.offer("yield", "yield", "yield", applies=build.in_bidding), group=build.SETTING_UP, pace=BEFORE),
)


# --- what a seat sees ---------------------------------------------------------------------------------------------

def facts(s: State, seat: Seat, question: Ask[Any]) -> Mapping[str, Value]:
    """Return what a line can ask for, at this question of this seat; all of it is open to both sides."""
    side = s.power(seat)
    own = s.own[side]
    seen: dict[str, Value] = {
        "turn": s.turn, "counter": s.vp if side == "france" else 2 * s.parts.start.vp_start - s.vp, "debt": own.available,
        "treaty": own.trp, "mine": tuple(s.spaces_of(side)), "theirs": tuple(s.spaces_of(foe(side))), "demand": tuple(s.demand)}
    if s.round is not None:
        seen |= {"round": s.ar, "left": (*s.available, *(same for id in s.available for same in s.parts.same_face[id]))}
    if s.war is not None and s.war.theater:
        seen["theater"] = s.theater.id
        if s.war.asked and s.war.winner != side:
            seen |= {"place": s.war.asked, "price": refusal_price(s, side)}
    return seen


def spans(s: State, seat: Seat) -> Mapping[str, str]:
    """The turn of the track, the action round under way or to come, and the war under way or the next one."""
    if s.phase == OVER:
        return {}
    found = {"turn": s.turn, "round": f"{s.turn}.{s.ar}"}
    war = s.war.war if s.war is not None else s.next_war.id if s.next_war is not None else ""
    return found | ({"war": war} if war else {})


IN_WARS = ("IS-18.21", "IS-18.22", "IS-18.23", "IS-18.24")
LAST_ROUNDS = 2         # of a turn before a war: from then on both can say what they do in it


def foreseen(s: State) -> Mapping[Seat, tuple[str, ...]]:
    """Return what a war may ask of both sides, from the last rounds before it [IS-18.33]."""
    soon = s.round is not None and s.ar > ROUNDS - LAST_ROUNDS and s.parts.turn_track[min(
        s.step + 1, len(s.parts.turn_track) - 1)].kind == "war"
    if s.war is None and not soon:
        return {}
    war = s.parts.war[s.war.war] if s.war is not None else s.next_war
    points = tuple(no for no in IN_WARS if no != "IS-18.24" or (war is not None and war.costs_squadrons))
    return {s.seat(side): points for side in s.sides}


def occasion(s: State) -> Text:
    war = s.war.war if s.war is not None else s.next_war.id if s.next_war is not None else s.turn
    return text("{war}", war=war)


DURATIONS = (Span("turn", text("in this turn"), text("with each turn")),
             Span("round", text("in this action round"), text("with each action round")), Span("war", text("in this war")))

ORDERING = Ordering(
    points=POINTS, conditions=CONDITIONS, facts=facts, spans=spans, foreseen=foreseen, occasion=occasion,
    seats=lambda s: [s.seat(side) for side in s.sides], durations=DURATIONS, packet="war",
    alike=lambda s: s.parts.same_face, own_turn=("IS-18.10", "IS-18.16"),
    written=("IS-18.6", "IS-18.7", "IS-18.12", "IS-18.10", "IS-18.16", "IS-18.20"),
    between=("IS-18.10", "IS-18.16"), stretch=STRETCH, gone_after=GONE_AFTER)
