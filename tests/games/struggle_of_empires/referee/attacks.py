"""Checks of attacks and raids."""
from __future__ import annotations

from collections import Counter
from typing import Any

from engine.games.struggle_of_empires import events as fact
from engine.games.struggle_of_empires.state import State
from tests.games.struggle_of_empires.referee.record import Record, number, of, some

# --- attacks -------------------------------------------------------------------------------------------------------

def declared(h: Record) -> Any:
    """How the attack under way began, if it is no raid."""
    return h.battle[0] if h.battle and isinstance(h.battle[0], fact.AttackDeclared) else None


@of(fact.AttackDeclared)
def SOE_9_1_3_SOE_9_1_4_without_an_army_an_attack_is_naval_only(s, e, h):
    army = s.count(e.attacker, "army", e.area) > 0
    yield
    assert e.naval_only or army
    if e.naval_only:
        assert s.navies(e.attacker, e.sea)
        assert not army or s.options.attack.naval_only_with_army or s.beaten_at_sea(e.defender), "SOE-14.4.13, AMB-28"


@of(fact.AttackEnded)
def SOE_9_1_3_SOE_9_1_4_stages_of_a_naval_only_and_of_a_full_attack(s, e, h):
    if declared(h) is None:
        return
    yield
    stages = [stage.stage for stage in some(h.battle, fact.StageBegun)]
    assert stages in (["sea"], []) if declared(h).naval_only else stages in (["land"], ["sea", "land"])


@of(fact.UnitLost, fact.UnitWithdrawn)
def SOE_9_2_7_SOE_9_10_16_only_who_takes_part_loses_what_took_part(s, e, h):
    b = s.battle
    assert b is not None
    kind = "navy" if b.stage == "sea" or (isinstance(h.battle[0], fact.RaidBegun) and h.battle[0].token == "pirates") else "army"
    sent = b.sent.get(e.owner)
    committed = 0 if sent is None else sent.army if kind == "army" else sent.navy
    there = s.count(e.owner, e.unit, e.area)
    yield
    assert there > 0 and e.unit in (kind, *(("fort",) if kind == "army" else ()))
    assert e.owner in (b.attacker, b.defender) or committed > 0
    assert e.unit != "fort" or e.owner == b.defender


@of(fact.AttackEnded)
def SOE_9_3_3_SOE_9_3_4_SOE_14_4_5_every_attack_costs_2_gold_whatever_comes_of_it(s, e, h):
    attack = declared(h)
    if attack is None:
        return
    yield
    paid = [(event.power, event.gold) for event in some(h.battle, fact.GoldPaid) if event.gold]       # 0 is taxed for a gift
    assert paid == ([] if attack.war_office else [(attack.attacker, 2)])


@of(fact.HelpSent)
def SOE_9_4_1_SOE_9_4_2_SOE_9_4_8_SOE_9_4_16_allies_help_once_the_attackers_first_before_any_dice(s, e, h):
    b = s.battle
    yield
    before = [sent for sent in some(h.battle, fact.HelpSent) if sent.ally not in s.npps]
    assert e.ally in s.allies(e.principal) and e.principal in (b.attacker, b.defender)
    assert e.ally not in [sent.ally for sent in before]
    assert e.principal == b.defender or e.ally in s.npps or all(sent.principal == b.attacker for sent in before)
    assert not number(h.battle, fact.DiceRolled, fact.StageBegun, fact.SupportGained)


@of(fact.HelpSent)
def SOE_19_2_1_SOE_19_2_2_SOE_12_19_4_a_non_player_sends_all_that_it_has_there_at_once(s, e, h):
    if e.ally not in s.npps:
        return
    attack = declared(h)
    yield
    assert (e.armies, e.navies) == (s.count(e.ally, "army", attack.area), 0) != (0, 0) and h.verb == "attack"
    assert attack.defender in (*s.powers, *s.npps) and e.principal != (attack.defender if attack.surprise else "")
    assert e.principal in s.powers, "nobody helps a marker of a non-player (SOE-19.2.6)"


@of(fact.AttackEnded)
def SOE_19_2_1_all_that_stood_there_for_a_principal_has_helped(s, e, h):
    attack = declared(h)
    if attack is None or attack.defender not in (*s.powers, *s.npps) or attack.naval_only:
        return
    yield
    sides = [attack.attacker, *([attack.defender] if attack.defender in s.powers and not attack.surprise else [])]
    able = {power for power in s.npps if s.count(power, "army", attack.area) and any(power in s.allies(side) for side in sides)}
    assert able == {sent.ally for sent in some(h.battle, fact.HelpSent)} & set(s.npps)


@of(fact.HelpSent)
def SOE_9_4_5_help_at_sea_and_on_land_are_independent(s, e, h):
    if bool(e.armies) == bool(e.navies):
        return
    yield
    assert s.battle.sent[e.ally].army == e.armies and s.battle.sent[e.ally].navy == e.navies


def own_units(s: State, side: str, stage: str) -> int:
    """The units of a principal that fight in a stage, counted from the map."""
    b = s.battle
    if side not in s.powers:
        return 0
    if stage == "sea":
        return s.units[side]["navy"].get(b.sea, 0)
    forts = s.units[side]["fort"].get(b.area, 0) if side == b.defender else 0
    return s.units[side]["army"].get(b.area, 0) + forts


def helping(s: State, side: str, stage: str) -> int:
    return sum(sent.navy if stage == "sea" else sent.army for sent in s.battle.sent.values() if sent.principal == side)


@of(fact.DiceRolled)
def SOE_9_4_12_SOE_9_6_3_SOE_9_6_6_all_own_units_fight_and_what_helpers_sent(s, e, h):
    yield
    for side, parts in ((e.attacker, e.parts[0]), (e.defender, e.parts[1])):
        if side in s.powers:
            forts = s.units[side]["fort"].get(s.battle.area, 0) if e.stage == "land" and side == s.battle.defender else 0
            worth = s.parts.numbers.fort_defence - 1
            assert parts[0] == own_units(s, side, e.stage) + forts * worth + helping(s, side, e.stage)


@of(fact.DiceRolled)
def SOE_9_6_6_a_defender_without_units_throws_too(s, e, h):
    if e.defender not in s.powers or own_units(s, e.defender, e.stage) or helping(s, e.defender, e.stage):
        return
    yield
    assert e.parts[1][0] == 0 and e.parts[1][4] == abs(e.dice[2] - e.dice[3])


@of(fact.DiceRolled)
def SOE_12_1_1_SOE_12_1_5_SOE_12_1_7_SOE_12_2_2_SOE_12_2_3_SOE_12_19_2_training_is_for_the_principal_with_more_tiles(s, e, h):
    effect = {"sea": "training_sea", "land": "training_land"}[e.stage]
    tile = next(tile.id for tile in s.parts.tiles if tile.effect == effect)
    tiles = {side: s.tiles[side].get(tile, 0) if side in s.powers else 0 for side in (e.attacker, e.defender)}
    yield
    for side, foe, parts in ((e.attacker, e.defender, e.parts[0]), (e.defender, e.attacker, e.parts[1])):
        there = own_units(s, side, e.stage)
        if e.stage == "land" and s.options.training.land_unit == "army":
            there = s.count(side, "army", s.battle.area) if side in s.powers else 0
        has = side in s.powers and tiles[side] > tiles[foe] and there > 0
        assert parts[1] == int(has), "tiles of helpers count for nothing (SOE-9.4.9), a side hands nothing over (SOE-12.1.5)"


@of(fact.DiceRolled)
def SOE_9_4_9_SOE_13_3_7_SOE_13_3_9_alliances_help_their_owner_alone_against_anybody(s, e, h):
    yield
    places = {s.battle.area, s.battle.sea} if e.stage == "sea" else {s.battle.area}
    for side, parts in ((e.attacker, e.parts[0]), (e.defender, e.parts[1])):
        able: list[Any] = [tile for tile in s.parts.alliances
                           for _ in range(s.tiles[side].get(tile.id, 0) if side in s.powers else 0) if places & set(tile.areas)]
        able += [place for place in s.parts.local_alliances
                 if s.local_alliances.get(place.id) == side and places & set(place.areas)]
        at_sea = [tile for tile in some(h.battle, fact.AllianceUsedAtSea) if tile.side == side]
        if e.stage == "sea":
            assert parts[2] == len(at_sea) <= len(able)
        else:
            land = [tile for tile in able if tile.helps_on_land]
            assert parts[2] == len(land) - sum(any(used.tile == tile.id for used in at_sea) for tile in land)


@of(fact.DiceRolled)
def SOE_9_8_1_SOE_9_8_2_SOE_9_8_3_naval_support_counts_on_land_for_who_gained_it(s, e, h):
    if e.stage != "land":
        return
    gained = [event.side for event in some(h.battle, fact.SupportGained)]
    twice = bool(number(h.battle, fact.SupportDoubled))
    yield
    assert len(gained) <= 1
    for side, parts in ((e.attacker, e.parts[0]), (e.defender, e.parts[1])):
        assert parts[3] == (1 + twice if side in gained else 0)
    tied = [event for event in some(h.battle, fact.FightDecided) if event.stage == "sea" and not event.winner]
    assert not tied or gained == ([s.battle.defender] if s.options.naval.tie_support == "defender" else [])


@of(fact.StageBegun)
def SOE_9_5_7_to_9_5_13_who_has_naval_support(s, e, h):
    """SOE-9.5.7, SOE-9.5.8, SOE-9.5.9, SOE-9.5.10, SOE-9.5.11 and SOE-9.5.13, at the beginning of the land stage."""
    attack = declared(h)
    if e.stage != "land" or attack.defender not in s.powers or not attack.sea:
        return
    yield
    lost = Counter(event.owner for event in some(h.battle, fact.UnitLost) if event.unit == "navy")
    lost += Counter(event.owner for event in some(h.battle, fact.UnitWithdrawn) if event.unit == "navy" and event.goes_home)
    sides = {attack.attacker: s.allies(attack.attacker), attack.defender: s.allies(attack.defender)}
    sent = {help_.ally: help_.navies for help_ in some(h.battle, fact.HelpSent)}
    shared = not s.options.naval.own_navy_needed
    able = [side for side, allies in sides.items() if s.navies(side, attack.sea) + lost[side] > 0
            or (shared and any(sent.get(ally, 0) for ally in allies))]
    gained = [event.side for event in some(h.battle, fact.SupportGained)]
    declined = [event.side for event in some(h.battle, fact.SeaDeclined)]
    fought = [event for event in some(h.battle, fact.FightDecided) if event.stage == "sea"]
    if len(able) < 2:
        assert gained == able and not declined and not fought
    elif declined:
        (side,) = declined
        assert gained == [attack.defender if side == attack.attacker else attack.attacker] and not fought and not lost
    else:
        in_a_tie = [attack.defender] if s.options.naval.tie_support == "defender" else []
        assert len(fought) == 1 and gained == ([fought[0].winner] if fought[0].winner else in_a_tie)


@of(fact.FightDecided)
def SOE_9_7_2_SOE_9_7_4_SOE_12_3_2_the_higher_total_of_the_last_throw_wins(s, e, h):
    thrown = h.last(fact.DiceRolled)
    mine, theirs = (sum(parts) for parts in thrown.parts)
    yield
    assert e.winner == (thrown.attacker if mine > theirs else thrown.defender if theirs > mine else "")


@of(fact.StageBegun, fact.AttackEnded)
def SOE_9_7_3_SOE_9_10_1_SOE_9_10_2_who_loses_how_many_units(s, e, h):
    decided = some(h.battle, fact.FightDecided)
    if not decided:
        return
    after, thrown = h.battle[h.battle.index(decided[-1]):], h.last(fact.DiceRolled)
    yield
    for side, dice in ((thrown.attacker, thrown.dice[:2]), (thrown.defender, thrown.dice[2:])):
        due = [loss for loss in some(after, fact.LossDue) if loss.side == side]
        wanted = (side != decided[-1].winner) + (sum(dice) == 7)
        assert len(due) == (wanted if side in s.powers else 0)
        outcomes = number(after, fact.UnitLost, fact.UnitWithdrawn, fact.NothingToLose)
        assert outcomes == number(after, fact.LossDue), "one unit for each, or nothing that could be lost"


@of(fact.StageBegun)
def SOE_9_8_4_a_naval_fight_exchanges_no_marker(s, e, h):
    if e.stage != "land" or not number(h.battle, fact.StageBegun):
        return
    yield
    assert not number(h.battle, fact.MarkerTaken, fact.NeutralBeaten, fact.CaptiveFreed)


@of(fact.MarkerTaken, fact.NeutralBeaten, fact.CaptiveFreed)
def SOE_9_4_10_SOE_9_9_3_SOE_9_9_4_SOE_9_9_7_the_attacker_alone_takes_a_marker_at_once(s, e, h):
    attack, decided = declared(h), h.last(fact.FightDecided)
    yield
    at_sea = attack.defender == "pirates" and s.options.covert.pirates_beaten_by == "sea"
    assert e.winner == attack.attacker == s.active == decided.winner and decided.stage == ("sea" if at_sea else "land")
    assert decided in h.row, "nobody is asked"
    after = h.all[h.all.index(decided):] if h.all.count(decided) == 1 else h.row[h.row.index(decided):]
    assert not number(after, fact.LossDue), "before any loss is taken"


@of(fact.AttackEnded)
def SOE_9_9_2_SOE_9_9_5_SOE_9_9_6_the_marker_goes_exactly_when_the_attacker_wins_and_there_is_one(s, e, h):
    attack = declared(h)
    if attack is None or attack.defender not in (*s.powers, *s.npps) or attack.naval_only:
        return
    decided, taken = h.last(fact.FightDecided), some(h.battle, fact.MarkerTaken)
    yield
    if decided.winner != attack.attacker:
        assert not taken
    elif not taken:
        assert s.marker_supply(attack.attacker) == 0 or not s.markers[attack.defender].get(attack.area)


@of(fact.DiceRolled)
def SOE_9_11_1_a_neutral_marker_has_its_number_and_two_dice(s, e, h):
    attack = declared(h)
    if attack is None or e.defender in s.powers or e.defender in ("pirates", "slave_revolt"):
        return
    strength = 3 if e.defender in s.npps else s.face(attack.area, e.defender).strength      # SOE-19.2.4
    yield
    assert e.parts[1] == (strength, 0, 0, 0, abs(e.dice[2] - e.dice[3]))


@of(fact.AttackEnded)
def SOE_9_11_2_SOE_9_11_7_SOE_14_4_3_SOE_14_4_4_attacks_on_neutrals_and_captives_are_on_land_but_for_pirates(s, e, h):
    attack = declared(h)
    if attack is None or attack.defender in s.powers:
        return
    yield
    at_sea = attack.defender == "pirates" and s.options.covert.pirates_beaten_by == "sea"
    assert [stage.stage for stage in some(h.battle, fact.StageBegun)] == ["sea" if at_sea else "land"]
    assert not number(h.battle, fact.SeaDeclined) and s.powers.count(attack.attacker) == 1
    (won,) = [event.winner == attack.attacker for event in some(h.battle, fact.FightDecided)]
    beaten = number(h.battle, fact.NeutralBeaten, fact.CaptiveFreed, fact.MarkerTaken)
    assert won or not beaten
    assert won or any(loss.side == attack.attacker for loss in some(h.battle, fact.LossDue))


@of(fact.NeutralBeaten)
def SOE_9_11_5_a_beaten_neutral_leaves_the_game(s, e, h):
    before = s.markers[e.winner].get(e.area, 0)
    yield
    assert s.markers[e.winner][e.area] == before + 1
    assert e.marker not in s.neutrals[e.area] and e.marker not in s.bag


@of(fact.CaptiveFreed)
def SOE_14_4_6_SOE_14_4_8_a_captive_is_freed_and_the_token_can_be_used_again(s, e, h):
    stock, mine, area = s.stock.get(e.token, 0), s.markers[e.winner].get(e.area, 0), s.captives[e.token].area
    yield
    assert s.stock.get(e.token, 0) == stock + (s.options.covert.mode == "tiles")
    assert e.token not in s.captives and area == e.area
    assert s.markers[e.winner][e.area] == mine + 1


@of(fact.Withdrawn)
def SOE_12_18_6_the_tile_is_back_in_the_stock_before_any_loss(s, e, h):
    yield
    assert isinstance(h.all[-1], fact.TileReturned) and h.all[-1].power == e.side and s.stock[h.all[-1].tile] > 0
    assert e.side == s.battle.defender


@of(fact.UnitLost, fact.UnrestChanged)
def SOE_12_18_1_SOE_12_18_3_who_withdraws_loses_no_unit_and_takes_no_unrest(s, e, h):
    if not number(h.battle, fact.Withdrawn) or number(h.battle, fact.AttackEnded) or s.battle is None:
        return
    b = s.battle
    side = {b.defender, *(power for power, sent in b.sent.items() if sent.principal == b.defender)}
    yield
    whose = e.owner if isinstance(e, fact.UnitLost) else e.power
    assert whose not in side or (isinstance(e, fact.UnrestChanged) and e.cause != "loss")


@of(fact.TileReturned)
def SOE_12_19_5_surprise_attack_is_back_in_the_stock_at_once(s, e, h):
    if s.parts.tile[e.tile].effect != "no_defender_helpers":
        return
    before = s.stock.get(e.tile, 0)
    yield
    assert s.stock[e.tile] == before + 1 and declared(h).surprise and declared(h).defender in s.powers
    assert not number(h.battle, fact.HelpSent)


# --- raids ---------------------------------------------------------------------------------------------------------

def raid(h: Record) -> Any:
    return h.battle[0] if h.battle and isinstance(h.battle[0], fact.RaidBegun) else None


@of(fact.DiceRolled)
def SOE_14_2_4_SOE_14_2_6_SOE_14_2_8_SOE_14_3_2_SOE_14_3_5_strengths_of_a_raid(s, e, h):
    begun = raid(h)
    if begun is None:
        return
    yield
    strength = {"pirates": 1, "slave_revolt": 3}[begun.token]
    assert e.parts[0] == (strength, 0, 0, 0, abs(e.dice[0] - e.dice[1])), "nothing of the sender's own (SOE-14.2.8)"
    assert (e.attacker, e.defender) == (begun.token, begun.target)
    assert e.stage == {"pirates": "sea", "slave_revolt": "land"}[begun.token]
    if begun.target in s.npps:
        assert e.parts[1] == (3, 0, 0, 0, abs(e.dice[2] - e.dice[3])), "SOE-19.2.8"
    elif begun.token == "pirates":
        assert e.parts[1][0] == s.navies(begun.target, begun.area)


@of(fact.AttackEnded)
def SOE_14_1_3_SOE_14_1_5_SOE_14_2_5_SOE_14_2_13_a_raid_is_one_fight_in_a_fixed_order_without_a_price(s, e, h):
    begun = raid(h)
    if begun is None:
        return
    yield
    steps = (fact.RaidBegun, fact.AllianceUsedAtSea, fact.SupportGained, fact.SupportDoubled, fact.DiceRolled, fact.FightDecided,
             fact.Captured, fact.Withdrawn, fact.LossDue)
    order = [steps.index(type(event)) for event in h.battle if type(event) in steps and not isinstance(event, fact.DiceRolled)]
    assert order == sorted(order)
    assert number(h.battle, fact.FightDecided) == 1 and not number(h.battle, fact.GoldPaid, fact.ActionSpent, fact.SeaDeclined)
    assert not number(h.battle, fact.StageBegun)
