"""Steps A3 to A6 of an attack: who is called, who helps, and whether there is a fight at sea.

They are asked one after the other, or by option all at once at the declaration. Then the answers are sealed, they are applied in
the order of the steps, and what turns out not to be needed is dropped [SOE-20.1.7, 20.1.8]. As nobody is asked twice at a time,
whoever fights at sea then says in the same answer which alliances help there (steps A7).
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from engine.games.struggle_of_empires.actions import Call, Commit, Decline, Fight
from engine.games.struggle_of_empires.battle_state import Battle
from engine.games.struggle_of_empires.events import CallClosed, HelpSent
from engine.games.struggle_of_empires.odds import at_sea, by_lead, expected, percent
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.words.names import the
from engine.kernel import Ask, Game, Script, Seat
from engine.text import template

AtSea: TypeAlias = Mapping[str, Fight | Decline]        # principal -> what it has said of a fight at sea


def battle_of(g: Game[State]) -> Battle:
    assert g.state.battle is not None, "no battle is fought"
    return g.state.battle


def sides(g: Game[State]) -> tuple[str, str]:
    battle = battle_of(g)
    return battle.attacker, battle.defender


def calls_and_help(g: Game[State]) -> Script[AtSea]:
    """Both sides call, the attacker first, and those called answer; what was said of a fight at sea, if it was asked already."""
    s, battle = g.state, battle_of(g)
    principals = [battle.attacker]
    if s.is_power(battle.defender) and not battle.surprise:
        principals.append(battle.defender)
    if s.options.reactions.parallel:
        return (yield from all_at_once(g, principals))
    for principal in principals:
        called = yield from whom_to_call(g, [principal])
        yield from help_for(g, principal, called[principal])
        close_calls(g, [principal])
    return {}


def close_calls(g: Game[State], principals: Sequence[str]) -> None:
    """Nobody else is called: what the others know now decides whose help can change something [SOE-9.4.3, 9.4.16]."""
    if g.state.rules_version:
        for principal in principals:
            g.emit(CallClosed(side=principal))


def whom_to_call(g: Game[State], principals: Sequence[str]) -> Script[dict[str, tuple[str, ...]]]:
    """Principal to the allies called: all who are able, or by option those whom it names [SOE-9.4.3]."""
    s, battle = g.state, battle_of(g)
    able = {principal: tuple(s.able_helpers(principal)) for principal in principals}
    asked = [] if s.options.help.auto_call else [principal for principal in principals if able[principal]]
    questions = [Ask(s.seat(principal), (Call,), point="DP-11" if principal == battle.attacker else "DP-13",
                     prompt="Which allies do you call against {against:the} in {area:the}?", default=Call.of(able[principal]),
                     about={"area": battle.area, "against": the(battle.foe(principal))}) for principal in asked]
    answers = yield from together(questions)
    return able | {principal: answer.allies for principal, answer in zip(asked, answers)}


def help_for(g: Game[State], principal: str, called: Sequence[str]) -> Script[None]:
    """Those called answer at once, each for itself [SOE-9.4.4]."""
    s, battle = g.state, battle_of(g)
    answers = yield from together([help_asked(s, battle, principal, ally) for ally in called])
    for ally, sent in zip(called, answers):
        g.emit(HelpSent(ally=ally, principal=principal, armies=sent.armies, navies=sent.navies))


def all_at_once(g: Game[State], principals: Sequence[str]) -> Script[AtSea]:
    """Everybody who may have to answer before the dice is asked at the declaration [SOE-20.1.8].

    Only who is called depends on an answer, so where the principals name their allies themselves, both do so first.
    """
    s, battle = g.state, battle_of(g)
    called = yield from whom_to_call(g, principals)
    helping = [(principal, ally) for principal in principals for ally in called[principal]
               if s.can_help(ally, principal, against=called.get(battle.foe(principal), ()))]
    at_sea = [side for side in sides(g) if asked_at_sea(s, battle, side)] if all(
        s.may_fight_at_sea(side, called.get(side, ())) for side in sides(g)) else []
    answers = yield from together([*(help_asked(s, battle, principal, ally) for principal, ally in helping),
                                   *(sea_asked(s, battle, side) for side in at_sea)])
    for (principal, ally), sent in zip(helping, answers):
        g.emit(HelpSent(ally=ally, principal=principal, armies=sent.armies, navies=sent.navies))
    close_calls(g, principals)
    return dict(zip(at_sea, answers[len(helping):]))


def asked_at_sea(s: State, battle: Battle, side: str) -> bool:
    """True if this side may refuse to fight at sea, if both could [SOE-9.5.12, 9.5.14]."""
    return not battle.naval_only or (side == battle.defender and s.options.attack.naval_only_declinable)


def help_asked(s: State, battle: Battle, principal: str, ally: str) -> Ask[Commit]:
    odds, attacking = expected(s), principal == battle.attacker
    return Ask(s.seat(ally), (Commit,), point="DP-12" if attacking else "DP-14", default=Commit.of(0, 0),
               about={"area": battle.area, "principal": principal, "against": the(battle.foe(principal)),
                      "win": percent(odds.win if attacking else odds.loss), "tie": percent(odds.tie)},
               prompt="{principal:The} asks for your help against {against:the} in {area:the}. Without help it wins {win}, "
                      "ties {tie}. What do you send?")


def sea_asked(s: State, battle: Battle, side: str) -> Ask[Any]:
    """The question to a principal whether it fights at sea."""
    attacking, foe = side == battle.attacker, battle.foe(side)
    prompt = template("Fight {against:the} at sea in {area:the}? Your navies: {mine}, theirs: {theirs}. You'd win "
                      "{win}, tie {tie}.")
    if s.options.reactions.parallel:
        prompt = template("Fight {against:the} at sea in {area:the}, if you both can? Navies, without allies: you {mine}, they "
                          "{theirs}. You'd win {win}, tie {tie}.")
    fought = at_sea(s)
    odds = by_lead(fought.strength(side, "sea") - fought.strength(foe, "sea"), s.parts.numbers.extra_loss_on_dice_sum)
    return Ask(s.seat(side), (Fight, Decline), prompt, "DP-15" if attacking else "DP-16",
               if_stronger if attacking else Decline.of(),
               {"area": battle.area, "against": foe, "mine": s.fighters(side, "sea"), "theirs": s.fighters(foe, "sea"),
                "win": percent(odds.win), "tie": percent(odds.tie)})


def if_stronger(s: State, seat: Seat) -> Fight | Decline:
    """The default of the attacker: fight with more navies than the other side [DP-15]."""
    assert s.battle is not None, "no battle is fought"
    more = s.fighters(s.battle.attacker, "sea") > s.fighters(s.battle.defender, "sea")
    return Fight.of() if more else Decline.of()


def together(questions: Sequence[Ask[Any]]) -> Script[tuple[Any, ...]]:
    """Put these questions at once; nobody sees an answer before the last one is in."""
    return (yield tuple(questions)) if questions else ()
