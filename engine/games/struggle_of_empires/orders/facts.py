"""What a seat sees of a question: the facts that conditions ask for."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games.struggle_of_empires.actions import fight_tile
from engine.games.struggle_of_empires.battle_state import Battle
from engine.games.struggle_of_empires.orders.values import LOST, NEUTRAL, TIED, WON
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.kernel import Ask, Seat
from engine.orders import Value


def facts(s: State, seat: Seat, question: Ask[Any]) -> Mapping[str, Value]:
    """Return what a line can ask for, at this question of this seat; of secrets only its own [SOE-22.1.3, 21.1.1]."""
    seen: dict[str, Value] = {"war": s.war, "round": s.round}
    power = s.power(seat)
    if power:
        seen |= {"gold": s.gold[power], "unrest": s.unrest[power], "population": s.population[power],
                 "army_in": tuple(s.units[power]["army"]), "navy_in": tuple(s.units[power]["navy"]),
                 "marker_in": tuple(s.markers[power]), "stock": tuple(s.stock), "ally": tuple(s.allies(power))}
    if s.phase == "auction":
        seen |= auction_facts(s, power)
    if power and s.active == power:
        seen["actions"] = s.turn.actions
    if s.turn.failed:
        seen |= {key: fact for key in ("unit", "to", "sinking") if isinstance(fact := question.about.get(key), bool | str)}
    if s.battle is not None:
        seen |= battle_facts(s, s.battle, power, question)
    return seen


def auction_facts(s: State, own: str) -> dict[str, Value]:
    """The standing bid, and whom its proposal would put against a power or beside it."""
    seen: dict[str, Value] = {"unplaced": tuple(s.unplaced()), "auction": 1 + len(s.row_a)}
    standing = s.standing
    if standing is None:
        return seen
    rows = ({*s.row_a, standing.a} - {""}, {*s.row_b, standing.b} - {""})
    new = {standing.a, standing.b} - {""}
    mine, theirs = rows if own in rows[0] else rows[::-1] if own in rows[1] else (set(), set())
    touched = mine | theirs if own in new else new            # a power in a row already meets only who is proposed
    return seen | {
        "bid": standing.gold, "bidder": standing.bidder, "for_a": standing.a, "for_b": standing.b, "proposed": own in new,
        "opposite": tuple(sorted(theirs & touched)), "beside": tuple(sorted(mine & touched - {own})),
        "unchanged": s.accepted.get(own) == standing.proposal}


def battle_facts(s: State, battle: Battle, power: str, question: Ask[Any]) -> dict[str, Value]:
    """The attack or raid under way, from the side of a power."""
    side = battle.attacker if power == battle.attacker or power in s.allies(battle.attacker) else battle.defender
    foe = battle.defender if side == battle.attacker else battle.attacker
    stage = "sea" if question.point in AT_SEA or (battle.naval_only and not battle.stage) else battle.stage or "land"
    lead = ready_strength(s, battle, side, stage) - ready_strength(s, battle, foe, stage)
    seen: dict[str, Value] = {
        "area": battle.area, "attacker": named(s, battle.attacker), "defender": named(s, battle.defender), "principal": side,
        "against": named(s, foe), "stage": stage,
        "own_armies": s.count(power, "army", battle.area), "own_navies": s.count(power, "navy", battle.sea),
        "own_forts": s.count(power, "fort", battle.area),
        "strength": ready_strength(s, battle, side, stage), "their_strength": ready_strength(s, battle, foe, stage), "lead": lead}
    if s.is_power(foe):
        seen |= {"their_armies": s.count(foe, "army", battle.area) + s.committed(foe, "army"),
                 "their_navies": s.count(foe, "navy", battle.sea) + s.committed(foe, "navy")}
    tile = question.about.get("tile")
    if question.point in ("DP-17", "DP-18") and isinstance(tile, str):
        seen |= {"alliance": tile, "lead_with_it": lead + s.alliance(tile).bonus}
    if power in (battle.attacker, battle.defender) and (offered := fight_tile(s, power)):
        seen["kept"] = s.ready(power, offered) - 1
    return seen | (dice_facts(s, battle, side, foe, power) if battle.dice else {})


AT_SEA = ("DP-15", "DP-16", "DP-17", "DP-18")


def named(s: State, side: str) -> str:
    return side if side in s.units or side in TOKENS else NEUTRAL


def ready_strength(s: State, battle: Battle, side: str, stage: str) -> int:
    """The strength of a side before the dice; at sea with the alliances that can help only there, decided or not."""
    if stage == "land" or battle.stage == "sea":
        return s.strength(side, stage) - s.difference(side)
    decided, either = battle.at_sea.get(side, []), s.two_way_alliances(side)
    certain = [held for held in s.alliances_for(side, "sea") if held not in either]
    chosen = [held for held in decided if held in either]
    return s.fighters(side, stage) + s.training(side, stage) + sum(s.alliance(held).bonus for held in certain + chosen)


def dice_facts(s: State, battle: Battle, side: str, foe: str, power: str) -> dict[str, Value]:
    """The fight as it was rolled, and what it would cost this side [SOE-9.10]."""
    margin = s.strength(side, battle.stage) - s.strength(foe, battle.stage)
    won = (battle.winner == side) - (battle.winner == foe) if battle.decided else margin
    seven = sum(battle.dice[side]) == s.parts.numbers.extra_loss_on_dice_sum
    kind, place = ("navy", battle.sea) if battle.stage == "sea" else ("army", battle.area)
    own = s.count(side, kind, place)
    forts = s.count(side, "fort", place) if battle.stage == "land" and side == battle.defender else 0
    by_seven_alone = forts if not won and seven and s.options.loss.fort_tie_seven else 0        # SOE-9.10.10
    own, all_own = own + (forts if won else 0), own + forts
    helping, own_lost, helpers_lost, by_seven = sum(s.expendable(side, kind).values()), 0, 0, False
    if won <= 0:
        own_lost, helpers_lost = (1, 0) if own else (0, min(1, helping))
    if seven:
        from_helpers = helping - helpers_lost if won <= 0 or own == 0 else 0
        if by_seven_alone and not own:
            from_helpers = 0
        by_seven = not from_helpers and own + by_seven_alone > own_lost
        own_lost, helpers_lost = own_lost + by_seven, helpers_lost + (from_helpers > 0)
    taken = side == battle.defender and won < 0 and s.markers[side].get(battle.area, 0) > 0 and (
        battle.raid or (battle.stage == "land" and s.marker_supply(foe) > 0))
    return {"result": WON if won > 0 else LOST if won < 0 else TIED, "margin": margin, "seven": seven,
            "seven_costs": by_seven, "losses": own_lost + helpers_lost, "last_unit": 0 < all_own == own_lost,
            "marker_lost": taken}
