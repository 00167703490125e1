"""Chapters 9, 12 to 14: one attack, steps A1 to A14, and the raids of Pirates and the Slave Revolt."""
from __future__ import annotations

from engine.games.struggle_of_empires import events as ev
from engine.games.struggle_of_empires.actions import Assign, Attack, Decline, Fight, Lose, Use, fight_tile
from engine.games.struggle_of_empires.components import PIRATES
from engine.games.struggle_of_empires.odds import by_lead, percent
from engine.games.struggle_of_empires.rules.build import lift_blockades
from engine.games.struggle_of_empires.rules.money import pay, take_unrest
from engine.games.struggle_of_empires.rules.non_player_powers import automatic_help
from engine.games.struggle_of_empires.rules.reactions import (
    AtSea,
    asked_at_sea,
    battle_of,
    calls_and_help,
    sea_asked,
    sides,
    together,
)
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.kernel import Game, Script, Seat, ask, roll

MOST_BY_DICE = 5            # strength that two dice add at most, SOE-9.6.1


def attack(g: Game[State], attacker: str, order: Attack) -> Script[None]:
    """One attack on a power, a neutral marker or a captive. Rule: SOE-9, 14.4."""
    s = g.state
    area, target = order.area, order.target
    against_power = target in s.powers
    g.emit(order.declared(s, attacker))
    if order.war_office:
        g.emit(ev.TileUsed(power=attacker, tile=s.parts.by_effect["free_attack"]))
    else:
        g.emit(ev.ActionSpent())
    if order.surprise:
        g.emit(ev.TileReturned(power=attacker, tile=s.parts.by_effect["no_defender_helpers"]))
    if not order.war_office:
        pay(g, attacker, s.parts.numbers.attack_cost_gold)
    for help_ in automatic_help(s):
        g.emit(help_)

    said = yield from calls_and_help(g)
    if against_power:
        if battle_of(g).sea:
            yield from naval_stage(g, said)
    elif s.beaten_at_sea(target):
        yield from fight_at_sea(g, said)
    elif s.navies(attacker, s.sea_of(area)):
        g.emit(ev.SupportGained(side=attacker))
    if not battle_of(g).naval_only:
        yield from land_stage(g)
    g.emit(ev.AttackEnded(area=area))


# --- at sea ---------------------------------------------------------------------------------------------

def naval_stage(g: Game[State], said: AtSea) -> Script[None]:
    """Who has naval support on land: by default, by refusal or by a fight [SOE-9.5, 9.8]."""
    s, battle = g.state, battle_of(g)
    able = [side for side in sides(g) if s.can_fight_at_sea(side)]
    if len(able) == 1:
        g.emit(ev.SupportGained(side=able[0]))
    if len(able) < 2:
        return
    for side in sides(g):
        if not asked_at_sea(s, battle, side):
            continue
        if side in said:
            answer = said[side]
        else:
            (answer,) = yield from together([sea_asked(s, battle, side)])
        if isinstance(answer, Decline):
            g.emit(ev.SeaDeclined(side=side))
            if not battle.naval_only:
                g.emit(ev.SupportGained(side=battle.foe(side)))
            return
    yield from fight_at_sea(g, said)


def fight_at_sea(g: Game[State], said: AtSea) -> Script[None]:
    """Alliances, dice, support or a captive for the winner, losses [SOE-9.8, 13.3.2, 14.4.11]."""
    s, battle = g.state, battle_of(g)
    for side, point in zip(sides(g), ("DP-17", "DP-18")):
        yield from assign_alliances(g, side, said, point=point)
    g.emit(ev.StageBegun(stage="sea"))
    yield from fight(g, "sea")
    if battle.defender in TOKENS:
        if battle.winner == battle.attacker:
            take_marker(g)
    elif not battle.naval_only:
        in_a_tie = battle.defender if s.options.naval.tie_support == "defender" else ""
        if supported := battle.winner or in_a_tie:
            g.emit(ev.SupportGained(side=supported))
    yield from take_losses(g, "sea")


def assign_alliances(g: Game[State], side: str, said: AtSea, *, point: str) -> Script[None]:
    """An alliance that can help in both fights of this attack helps in one [SOE-13.3.2 to 13.3.6, 13.3.11]."""
    s, battle, word = g.state, battle_of(g), said.get(side)
    either, named = s.two_way_alliances(side), list(word.alliances) if isinstance(word, Fight) else []
    for held in s.alliances_for(side, "sea"):
        if held in either and isinstance(word, Fight):
            if held not in named:
                continue
            named.remove(held)
        elif held in either:
            answer = yield from ask(s.seat(side), Assign, point=point, tile=held, area=battle.area,
                                    prompt="Use your {tile} at sea or on land in {area}?")
            if answer.stage == "land":
                continue
        g.emit(ev.AllianceUsedAtSea(side=side, tile=held))


# --- on land ----------------------------------------------------------------------------------------------

def land_stage(g: Game[State]) -> Script[None]:
    """The fight on land; a winning attacker takes a marker before losses are taken [SOE-9.9, 9.11, 14.4]."""
    g.emit(ev.StageBegun(stage="land"))
    for side in sides(g):
        yield from double_support(g, side)
    yield from fight(g, "land")
    if battle_of(g).winner == battle_of(g).attacker:
        take_marker(g)
    yield from take_losses(g, "land")


def double_support(g: Game[State], side: str) -> Script[None]:
    """A principal with naval support may make it 2 with Blockade, where that can matter [SOE-12.20.8 to 12.20.10]."""
    s = g.state
    lead = undiced(s, side, "land") - undiced(s, battle_of(g).foe(side), "land")
    if s.rules_version > 1 and not -MOST_BY_DICE - 1 <= lead <= MOST_BY_DICE:
        return
    used = yield from offer(g, side, point="DP-19",
                            prompt="It's {mine} against {theirs} in {area:the} before the dice. Use Blockade, so that your naval "
                                   "support counts 2? You then win {better} instead of {win}.", better=1)
    if used:
        g.emit(ev.TileReturned(power=side, tile=used))
        g.emit(ev.SupportDoubled(side=side))


def offer(g: Game[State], side: str, *, point: str, prompt: str, level: str = "", better: int = 0) -> Script[str]:
    """Offer a side the tile that it may use at this moment of the fight; the tile if it is used, or "". `level` is asked where
    both sides have equal strength; the odds are those of a roll to come, `better` with so much more strength."""
    s = g.state
    if not s.is_power(side) or not fight_tile(s, side):
        return ""
    battle = battle_of(g)
    foe = battle.foe(side)
    mine, theirs = s.strength(side, battle.stage), s.strength(foe, battle.stage)
    lead, seven = undiced(s, side, battle.stage) - undiced(s, foe, battle.stage), s.parts.numbers.extra_loss_on_dice_sum
    odds = by_lead(lead, seven)
    answer = yield from ask(s.seat(side), Use, Decline, point=point, prompt=(mine == theirs and level) or prompt,
                            default=Decline.of(), area=battle.area, mine=mine, theirs=theirs, win=percent(odds.win),
                            tie=percent(odds.tie), better=percent(by_lead(lead + better, seven).win))
    return answer.tile if isinstance(answer, Use) else ""


def take_marker(g: Game[State]) -> None:
    """The attacker has won on land: its control marker takes the place of what he beat [SOE-9.9.1-3, 9.11.5-9, 14.4.6-8]."""
    s, battle = g.state, battle_of(g)
    winner, loser, area = battle.attacker, battle.defender, battle.area
    supply = s.marker_supply(winner)
    if s.is_power(loser) or loser in s.npps:
        if supply > 0 and area in s.markers[loser]:
            g.emit(ev.MarkerTaken(winner=winner, loser=loser, area=area))
    elif loser in TOKENS:
        captive = s.captives[loser]
        if supply > 0 or captive.power == winner:
            g.emit(ev.CaptiveFreed(token=loser, winner=winner, owner=captive.power, area=area))
    elif supply > 0:
        neutral = s.face(area, loser)
        assert neutral is not None, "the neutral marker is still there"
        g.emit(ev.NeutralBeaten(winner=winner, area=area, marker=neutral.id, face=neutral.face))
        if neutral.gold:
            g.emit(ev.GoldTaken(power=winner, gold=neutral.gold))
        if neutral.vp:
            g.emit(ev.PointsGained(power=winner, points=neutral.vp))


# --- a fight, its rolls and its losses -------------------------------------------------------------------------

def fight(g: Game[State], stage: str) -> Script[None]:
    """Roll until nobody uses Reserves; the higher strength wins [SOE-9.7, 12.3, 20.1.2]."""
    s = g.state
    attacker, defender = sides(g)
    while True:
        a, b, c, d = yield from roll(6, 6, 6, 6, why="fight", stage=stage, area=battle_of(g).area, attacker=attacker,
                                     defender=defender, mine=undiced(s, attacker, stage), theirs=undiced(s, defender, stage))
        before = tuple((s.fighters(side, stage), s.training(side, stage), s.alliance_bonus(side, stage),
                        s.support_bonus(side, stage), abs(one - two)) for side, one, two in ((attacker, a, b), (defender, c, d)))
        g.emit(ev.DiceRolled(stage=stage, attacker=attacker, defender=defender, dice=(a, b, c, d), parts=(before[0], before[1])))
        if not (yield from reserves_used(g)):
            break
    mine, theirs = s.strength(attacker, stage), s.strength(defender, stage)
    g.emit(ev.FightDecided(stage=stage, winner=attacker if mine > theirs else defender if theirs > mine else ""))


def undiced(s: State, side: str, stage: str) -> int:
    """The strength of a side without what the dice add [SOE-9.6.1 to 9.6.5]."""
    return s.strength(side, stage) - s.difference(side)


def reserves_used(g: Game[State]) -> Script[bool]:
    """Attacker, then defender, may have all four dice rolled again [SOE-12.3.1, 12.3.4]."""
    for side, point in zip(sides(g), ("DP-20", "DP-21")):
        if g.state.rules_version > 1 and not reserves_help(g.state, side):
            continue
        tile = yield from offer(g, side, point=point,
                                prompt="You have {mine} against {theirs} in {area:the}. Use Reserves to roll all four dice "
                                       "again? A new roll wins {win}, ties {tie}.",
                                level="It's {mine} against {theirs} in {area:the}: a tie, so nobody wins and you lose a unit. "
                                      "Use Reserves to roll all four dice again? A new roll wins {win}, ties {tie}.")
        if tile:
            g.emit(ev.ReservesUsed(side=side, tile=tile))
            return True
    return False


def reserves_help(s: State, side: str) -> bool:
    """True if another roll may serve this side: by another result, without a 7 of its own, or with one of the other side that
    costs it a unit more [SOE-12.3.4]."""
    battle = s.battle
    assert battle is not None, "no battle is fought"
    foe, stage = battle.foe(side), battle.stage
    lead = undiced(s, side, stage) - undiced(s, foe, stage)
    if abs(lead) <= MOST_BY_DICE or sum(battle.dice[side]) == s.parts.numbers.extra_loss_on_dice_sum:
        return True
    return s.is_power(foe) and s.fighters(foe, stage) > (lead > 0)          # a defeat costs one already


def take_losses(g: Game[State], stage: str) -> Script[None]:
    """Fighting Withdrawal first; then a unit for a defeat or tie, then one for a roll of 7 [SOE-9.10, 12.18]."""
    s, battle = g.state, battle_of(g)
    fighting = [side for side in sides(g) if s.is_power(side)]
    due = [ev.LossDue(side=side, own_first=True) for side in fighting if side != battle.winner]
    seven = s.parts.numbers.extra_loss_on_dice_sum
    fort_too = s.options.loss.fort_tie_seven and stage == "land" and not battle.winner
    due += [ev.LossDue(side=side, own_first=side == battle.winner or (fort_too and s.only_forts(side)), fort_too=fort_too)
            for side in fighting if sum(battle.dice[side]) == seven]
    threatened = any(loss.side == battle.defender and losses(s, loss) for loss in due)
    if threatened and not battle.withdrawn:
        tile = yield from offer(g, battle.defender, point="DP-22",
                                prompt="Use Fighting Withdrawal in {area:the}? Your side then loses no unit in this attack.")
        if tile:
            g.emit(ev.TileReturned(power=battle.defender, tile=tile))
            g.emit(ev.Withdrawn(side=battle.defender))
    beaten = set[str]()                             # a defeat or a tie costs a unit before the dice do
    for loss in due:
        by_dice = loss.side == battle.winner or loss.side in beaten
        yield from lose_unit(g, loss, dice=seven if by_dice else 0, also=loss.side in beaten)
        beaten.add(loss.side)


def losses(s: State, due: ev.LossDue) -> list[tuple[str, str]]:
    """(owner, kind) of the units that may be lost as this loss."""
    return s.losses_of(due.side, own_first=due.own_first, fort_too=due.fort_too)


def lose_unit(g: Game[State], due: ev.LossDue, *, dice: int, also: bool) -> Script[None]:
    """One unit of a side is lost, by the choice of its principal [SOE-9.10.3 to 9.10.13, 12.18.5, 12.18.9].

    `dice` is what the side's dice total if they are the reason, else 0; `also`: it is not the first loss of this fight.
    """
    s, battle, side = g.state, battle_of(g), due.side
    g.emit(due)
    possible = losses(s, due)
    if not possible:
        g.emit(ev.NothingToLose(side=side))
        return
    own = possible[0][0] == side
    if s.rules_version and s.nothing_moves(side):
        loss = usual_loss(s, s.seat(side))          # no choice changes anything (SOE-12.18.5, 12.18.9)
    else:
        loss = yield from ask(s.seat(side), Lose, point="DP-23" if own else "DP-24", default=usual_loss, area=battle.area,
                              prompt="Which unit do you lose in {area:the}?" if own else "Which helper loses a unit in {area}?")
    place = battle.sea if loss.unit == "navy" else battle.area
    if side == battle.defender and battle.withdrawn:
        goes_home = loss.unit != "fort" and not s.nothing_moves(side)
        g.emit(ev.UnitWithdrawn(owner=loss.owner, unit=loss.unit, area=place, goes_home=goes_home))
    else:
        g.emit(ev.UnitLost(owner=loss.owner, unit=loss.unit, area=place, rolled_by=side if dice else "", dice=dice, also=also))
        take_unrest(g, loss.owner, s.parts.numbers.unrest_per_lost_unit, "loss")
    lift_blockades(g)


def usual_loss(s: State, seat: Seat) -> Lose:
    """The default: an army before a fort; of helpers the one with most units there, then the later in turn order [DP-23, 24]."""
    losses = Lose.options(s, seat)
    battle = s.battle
    assert battle is not None, "no battle is fought"

    def weight(loss: Lose) -> tuple[int, int]:
        sent = battle.sent.get(loss.owner)
        committed = 0 if sent is None else sent.army if loss.unit == "army" else sent.navy
        return committed, s.order.index(loss.owner)

    return losses[0] if losses[0].owner == s.power(seat) else max(losses, key=weight)


# --- raids ------------------------------------------------------------------------------------------------------

def raid(g: Game[State], sender: str, token: str, area: str, target: str) -> Script[None]:
    """Pirates fight once at sea, a Slave Revolt once on land, against the owner of the named marker [SOE-14.1 to 14.3]."""
    s = g.state
    stage = "sea" if token == PIRATES else "land"
    g.emit(ev.RaidBegun(sender=sender, token=token, target=target, area=area, strength=s.token_strength(token)))
    if stage == "sea":
        if s.navies(target, area):          # an alliance never makes up for a missing navy [SOE-13.3.8, 14.2.12]
            for tile in s.alliances_for(target, "sea"):
                g.emit(ev.AllianceUsedAtSea(side=target, tile=tile))
    elif s.options.covert.revolt_counts_naval_support and s.navies(target, area):
        g.emit(ev.SupportGained(side=target))
        yield from double_support(g, target)
    yield from fight(g, stage)
    if battle_of(g).winner == token:
        g.emit(ev.Captured(token=token, power=target, area=area, sender=sender))
    elif s.options.covert.mode == "tokens":
        g.emit(ev.TokenBack(power=sender, token=token))
    else:
        g.emit(ev.TileReturned(power=sender, tile=token, used=False))
    yield from take_losses(g, stage)
    g.emit(ev.AttackEnded(area=area))
