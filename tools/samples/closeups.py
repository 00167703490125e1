"""Close-ups made up by hand, for tests and golden pictures: no rules engine is asked whether they could come about."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from engine.games.struggle_of_empires.pictures import scenes as sc
from engine.games.struggle_of_empires.view import AreaView, Captive, Garrison, Neutral
from tools.samples.boards import SEATING, sample

NAMES = {power.power: power.name for power in sample(7).powers}


def strength(one: int, two: int, *, units: int = 2, training: int = 0, alliances: int = 0, support: int = 0) -> sc.Strength:
    """A side's throw with these dice."""
    difference = abs(one - two)
    return sc.Strength(units=units, training=training, alliances=alliances, support=support, dice=(one, two),
                       difference=difference, total=units + training + alliances + support + difference)


def fighter(power: str, *helpers: sc.Helper) -> sc.Side:
    return sc.Side(kind="power", power=power, name=NAMES[power], strength=0, helpers=helpers)


def helper(power: str, armies: int, navies: int = 0) -> sc.Helper:
    """Return what a power sends to the fight of an ally."""
    return sc.Helper(power=power, name=NAMES[power], armies=armies, navies=navies)


def loss(power: str, unit: Literal["army", "navy", "fort"], fate: Literal["lost", "home", "kept"] = "lost") -> sc.Loss:
    return sc.Loss(power=power, name=NAMES[power], unit=unit, fate=fate)


def taken(winner: str, loser: str, *, gold: int = 0, points: int = 0) -> sc.Exchange:
    """A marker that one power takes from another."""
    return sc.Exchange(kind="taken", winner=winner, winner_name=NAMES[winner], loser=loser, loser_name=NAMES[loser], gold=gold,
                       points=points)


def closeup(area: str, battle: sc.Battle | None = None, *, before: AreaView | None = None, more: int = 0,
            people: tuple[tuple[str, str], ...] = (), **fields: object) -> sc.Closeup:
    """A close-up of an area of the sample board, with some of its fields changed."""
    view = sample(7)
    shown = next(one for one in view.areas if one.area == area).model_copy(update=fields)
    return sc.Closeup(title=view.title, moment=sc.Moment(war=view.war, round=view.round, rounds=view.rounds, phase=view.phase),
                      area=shown, before=before, powers=tuple([sc.Power(power=power, name=NAMES[power]) for power in SEATING]),
                      battle=battle, more=more, people=people)


LAND = sc.Fight(stage="land", winner="attacker", rolls=(
    sc.Roll(attacker=strength(6, 2, units=3, training=1), defender=strength(4, 3, units=2, support=1), again=""),))
HELPED = sc.Battle(
    attacker=fighter("france", helper("spain", 2), helper("prussia", 1)),
    defender=fighter("britain", helper("united_provinces", 1, 2), helper("russia", 0, 1)), sender="", surprise=False,
    war_office=False, declined="", support="Britain", over=True, fights=(
        sc.Fight(stage="sea", winner="defender", rolls=(
            sc.Roll(attacker=strength(2, 3, alliances=1), defender=strength(6, 4, units=4), again=""),)),
        sc.Fight(stage="land", winner="attacker", rolls=(
            sc.Roll(attacker=strength(5, 4, units=4, training=1), defender=strength(6, 2, support=1), again="france"),
            sc.Roll(attacker=strength(6, 1, units=4, training=1), defender=strength(3, 3, support=1), again="")))),
    exchanges=(taken("france", "britain"),), losses=(loss("spain", "navy"), loss("britain", "army")))
SIMPLE = sc.Battle(attacker=fighter("spain"), defender=fighter("britain"), sender="", surprise=True, war_office=True, declined="",
                   support="", fights=(LAND,), exchanges=(taken("spain", "britain"),), losses=(loss("britain", "army", "home"),),
                   over=True)
NEUTRAL = sc.Battle(
    attacker=fighter("russia"), defender=sc.Side(kind="neutral", power="", name="Neutral marker", strength=3, helpers=()),
    sender="", surprise=False, war_office=False, declined="", support="", over=True, losses=(), fights=(
        sc.Fight(stage="land", winner="attacker", rolls=(
            sc.Roll(attacker=strength(5, 1), defender=strength(4, 2, units=3), again=""),)),),
    exchanges=(sc.Exchange(kind="neutral", winner="russia", winner_name=NAMES["russia"], loser="", loser_name="Neutral marker 3",
                           gold=3, points=1),))
RAID = sc.Battle(
    attacker=sc.Side(kind="pirates", power="", name="Pirates", strength=1, helpers=()), defender=fighter("united_provinces"),
    sender=NAMES["spain"], surprise=False, war_office=False, declined="", support="", over=True, losses=(), fights=(
        sc.Fight(stage="sea", winner="attacker", rolls=(
            sc.Roll(attacker=strength(6, 1, units=1), defender=strength(4, 3, alliances=1), again=""),)),),
    exchanges=(sc.Exchange(kind="captured", winner="pirates", winner_name="Pirates", loser="united_provinces",
                           loser_name=NAMES["united_provinces"]),))
UNDECIDED = HELPED.model_copy(update={
    "fights": (HELPED.fights[0], sc.Fight(stage="land", rolls=(), winner="")), "exchanges": (), "losses": HELPED.losses[:1],
    "over": False})


def _throws(armed: int) -> tuple[sc.Roll, ...]:
    """A fight in which Reserves are used twice; the defender has 14 units, the attacker so many."""
    return tuple([sc.Roll(attacker=strength(one, two, units=armed, training=2, alliances=3, support=2),
                        defender=strength(two, 7 - one, units=14, training=2, alliances=3, support=2), again=again)
                  for one, two, again in ((6, 1, "united_provinces"), (5, 2, "britain"), (6, 4, ""))])


WORST = sc.Battle(
    attacker=fighter("united_provinces", *[helper(power, 14, 7) for power in ("france", "spain", "russia")]),
    defender=fighter("britain", *[helper(power, 14, 7) for power in ("austria", "prussia", "united_provinces")]),
    sender="", surprise=True, war_office=True, declined="United Provinces", support="United Provinces", over=True,
    fights=(sc.Fight(stage="sea", winner="tie", rolls=_throws(15)), sc.Fight(stage="land", winner="attacker", rolls=_throws(18))),
    exchanges=tuple([taken("united_provinces", "britain", gold=12, points=3)] * 4),
    losses=(loss("united_provinces", "navy"), loss("britain", "navy", "home"), loss("austria", "army", "home"),
            loss("britain", "fort", "kept")))

_CAPTIVES = (Captive(power="spain", held_by="pirates"), Captive(power="united_provinces", held_by="slave_revolt"))
_CROWD = tuple([Garrison(power=power, markers=9 if n == 2 else n % 3, armies=14 - n, navies=7 - n, forts=n % 3)
                for n, power in enumerate(SEATING)])
_NEUTRALS = (Neutral(kind="slaves", strength=0, gold=0, points=0, number=2),
             Neutral(kind="strength", strength=2, gold=3, points=0, number=1),
             Neutral(kind="strength", strength=4, gold=0, points=1, number=2))


def _before(closer: sc.Closeup) -> AreaView:
    """Return the same area with a marker and an army less for the first power, and all its neutral markers."""
    first, *others = closer.area.garrisons
    fewer = first.model_copy(update={"markers": first.markers - 1, "armies": first.armies + 2})
    return closer.area.model_copy(update={"garrisons": (fewer, *others), "captives": (), "neutrals": _NEUTRALS[1:]})


def closeups() -> Mapping[str, sc.Closeup]:
    quiet, crowd = closeup("caribbean"), closeup("caribbean", garrisons=_CROWD, neutrals=_NEUTRALS, captives=_CAPTIVES,
                                                 blockades=("britain", "france"), people=tuple(
                                                     [(power, f"Player of {NAMES[power]}") for power in SEATING]))
    return {
        "helpers": closeup("german_states", HELPED, people=(("france", "Ada"), ("britain", "Bartholomäus der Große"))),
        "simple": closeup("india", SIMPLE, more=1), "neutral": closeup("baltic", NEUTRAL), "raid": closeup("east_indies", RAID),
        "undecided": closeup("german_states", UNDECIDED),
        "worst": closeup("german_states", WORST, more=3, garrisons=_CROWD, people=(("britain", "x" * 80),)),
        "quiet": quiet.model_copy(update={"before": _before(quiet)}),
        "captives": crowd.model_copy(update={"before": _before(crowd)}),
        "empty": closeup("africa", garrisons=(), neutrals=(), captives=())}
