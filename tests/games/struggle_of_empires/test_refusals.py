"""Every reason that the rules of Struggle of Empires give for saying no: its sentence, its number, and that nothing changes."""
from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from engine.games.struggle_of_empires import actions
from engine.games.struggle_of_empires.actions import (
    Ally,
    Attack,
    Bid,
    Build,
    Call,
    Choose,
    Colonise,
    Commit,
    Covert,
    Enslave,
    Fight,
    Give,
    Lose,
    Mend,
    Move,
    Pass,
    Place,
    Rebuild,
    Redraw,
    Send,
    Take,
    Use,
)
from engine.games.struggle_of_empires.rules import local_alliances, movement, special_actions
from engine.kernel import Action
from engine.refusals import Illegal, Refusal
from engine.text import say
from tests.games.struggle_of_empires.refusal_scenes import (
    FOUR,
    READER,
    THREE,
    TOKENS,
    A,
    B,
    C,
    D,
    choosing,
    first_chosen,
    redrawing,
)
from tests.games.struggle_of_empires.test_obstacles import OBSTACLES
from tests.scene import Scene, scene

NOBODYS = {"npps": ("russia", "spain"), "rows": ((A, "spain"), (B, "russia")), "options": {"npp.mode": "all_counts"}}


@dataclass(frozen=True)
class Case:
    """An answer that is refused, with the rule and the whole sentence."""

    rule: str
    sentence: str
    answer: Action
    who: str = A
    at: Mapping[str, Any] | Callable[[], Scene] = field(default_factory=dict)
    after: tuple[tuple[str, Action], ...] = ()

    def refusal(self) -> Refusal:
        made = self.at() if callable(self.at) else scene(**self.at)
        for who, answer in self.after:
            made.say(who, answer)
        return made.refusal(self.who, self.answer)


# Where the same few things stand in many cases.
OVERSEAS = {"units": {A: {"navy": {"india": 1}}}}
GARRISON = {"units": {A: {"army": {"india": 1}}}}
FREE_TILE = {"tiles": {A: {"levant_company": 1}}, "markers": {A: {"mediterranean": 1}}}
BATTLE = {"powers": FOUR, "rows": ((A, C), (B, D)), "units": {A: {"army": {"baltic": 2}}, B: {"army": {"baltic": 1}},
                                                              C: {"army": {"baltic": 1}}, D: {"army": {"baltic": 1}}}}
MILITIA = {"tiles": {A: {"militia": 1, "mercenaries": 1}}, "units": {A: {"army": {"baltic": 1}}}}
HELP_ASKED = {**BATTLE, "options": {"help.auto_call": False}}
TWO_LOSSES = {"units": {A: {"army": {"baltic": 3}}, B: {"army": {"baltic": 1}, "fort": {"baltic": 1}}}, "dice": [(6, 1, 1, 1)]}
ONE_SPECIAL = ("You've already done a special action this turn. Your other action must be a build, move, attack or pass.")

BY_CHOICE = {"options": {"attack.naval_only_with_army": True}}
AT_ONCE = {"options": {"reactions.parallel": True}}
SEA_ALONE = Attack(area="india", target=B, naval_only=True)
FLEETS = {"units": {power: {"army": {"baltic": 1}, "navy": {"baltic": 1}} for power in (A, B)},
          "tiles": {A: {"alliance_denmark": 1}}}
SINKING = {"edition": "deluxe", "options": {"unrest.model": "count"}, "dice": [(6,)]}

CASES = [
    # setup
    Case("SOE-1.1.1", "There is no power venice.", Choose(power="venice"), "seat_2", choosing),
    Case("SOE-2.1.5", "France is taken. Choose another power.", Choose(power=C), "seat_1", first_chosen(C)),
    Case("SOE-2.2.7", "You can't start in Austria. Starting units go to the eleven areas.", Place(unit="army", area=A),
         at={"phase": "placing"}),
    Case("SOE-2.2.5", "Navies can't enter the German States.", Place(unit="navy", area="german_states"), at={"phase": "placing"}),
    Case("SOE-1.1.8", "All your 2 forts are already on the map.", Place(unit="fort", area="baltic"),
         at={"phase": "placing", "units": {A: {"fort": {"baltic": 2}}}}),
    # auction
    Case("SOE-5.2.3", "The bid must be at least 3 gold.", Bid(gold=2, a=A, b=B), B, {"phase": "auction", "powers": THREE},
         ((A, Bid(gold=2, a=A, b=B)),)),
    Case("SOE-5.3.1", "Russia isn't in this game.", Bid(gold=0, a=A, b="russia"), at={"phase": "auction"}),
    Case("SOE-5.3.1", "Propose two different powers, one for row A and one for row B.", Bid(gold=0, a=A, b=A),
         at={"phase": "auction"}),
    Case("SOE-5.3.1", "Propose two different powers, one for row A and one for row B.", Bid(gold=0, a=A),
         at={"phase": "auction"}),
    Case("SOE-5.3.4", "Britain already has a place. You can propose Austria and Prussia.", Bid(gold=0, a=A, b=B),
         at={"phase": "auction", "powers": FOUR, "rows": ((B,), (C,))}),
    Case("SOE-5.3.5", "Only Austria is left: propose it for row A or for row B.", Bid(gold=0),
         at={"phase": "auction", "powers": THREE, "rows": ((B,), (C,))}),
    Case("SOE-5.3.5", "Only Austria is left: propose it for row A or for row B.", Bid(gold=0, a=A, b=A),
         at={"phase": "auction", "powers": THREE, "rows": ((B,), (C,))}),
    # non-player powers
    Case("SOE-5.3.4", "Britain already has a place. You can propose Austria and Prussia.", Bid(gold=0, a=A, b=B),
         at={**NOBODYS, "phase": "auction", "powers": FOUR, "rows": ((B,), (C,))}),
    Case("SOE-5.3.7", "Non-player powers come last. Propose Austria first.", Bid(gold=0, a="russia", b="spain"),
         at={**NOBODYS, "phase": "auction", "powers": THREE, "rows": ((B,), (C,))}),
    Case("SOE-19.1.2", "Russia is a non-player power and has no gold.", Give(to="russia", gold=1), at=NOBODYS),
    Case("SOE-19.2.3", "Russia has no control marker in India. Of a non-player power you can attack nothing else.",
         Attack(area="india", target="russia"),
         at={**NOBODYS, "units": {A: {"army": {"india": 1}}, "russia": {"army": {"india": 1}}}}),
    Case("SOE-19.2.6", "Surprise Attack is no use here: nobody helps a non-player power's control marker.",
         Attack(area="india", target="russia", surprise=True),
         at={**NOBODYS, "units": {A: {"army": {"india": 1}}}, "markers": {"russia": {"india": 1}},
             "tiles": {A: {"surprise_attack": 1}}}),
    # the turn and its actions
    Case("SOE-6.2.1", "You have no action left this turn. Use a tile that takes no action, or end your turn.", Pass(),
         at={**FREE_TILE, "actions": 0}),
    Case("SOE-6.2.1", "You have no action left this turn. Use a tile that takes no action, or end your turn.",
         Build(unit="army", to=A),
         at={**FREE_TILE, "actions": 0}),
    Case("SOE-6.2.1", "You have no action left this turn. Use a tile that takes no action, or end your turn.",
         Attack(area="india", target=B), at={**FREE_TILE, **GARRISON, "actions": 0}),
    Case("SOE-7.1.2", "You have no population left to build with; each unit takes 1.",
         Build(unit="army", to=A), at={"population": 0}),
    Case("SOE-1.1.8", "All your 7 navies are already on the map.", Build(unit="navy", to=A), at={"units": {A: {"navy": {A: 7}}}}),
    Case("SOE-12.8.4", "In this game Militia's extra unit is always an army.", Build(unit="navy", to=A),
         at={**MILITIA, "options": {"militia.types": "army"}}, after=((A, Build(unit="navy", to=A)),)),
    Case("SOE-12.8.3", "Militia adds a unit to a build action; it can't build on its own.",
         Rebuild(unit="army", at="baltic", tile="mercenaries"), at=MILITIA, after=((A, Build(unit="army", to=A)),)),
    Case("SOE-12.5.3", "You have no Mercenaries ready to build an army with.",
         Rebuild(unit="army", at="india", tile="mercenaries"),
         at=GARRISON),
    Case("SOE-7.3.4", "You have no population left to build with; each unit takes 1.", Rebuild(unit="army", at="india"),
         at={**GARRISON, "population": 0}),
    Case("SOE-7.3.1", "You have no fort in the Baltic.", Rebuild(unit="fort", at="baltic")),
    Case("SOE-12.7.6", "You can't destroy that army: without it there is no colony in which Trained Natives could build.",
         Rebuild(unit="army", at="india", tile="trained_natives"), at={**GARRISON, "tiles": {A: {"trained_natives": 1}}}),
    Case("SOE-12.7.3", "Trained Natives builds an army in a colony where you have a control marker or a unit. Africa isn't one.",
         Send(to="africa"), at={"units": {A: {"army": {A: 1}, "navy": {"india": 1, "caribbean": 1}}},
                                           "tiles": {A: {"trained_natives": 1}}},
         after=((A, Rebuild(unit="army", at=A, tile="trained_natives")),)),
    Case("SOE-8.1.1", "You have no army in India.", Move(unit="army", origin="india", to=A)),
    Case("SOE-7.2.2", "A fort in an area never moves again.", Move(unit="fort", origin="baltic", to="german_states"),
         at={"units": {A: {"fort": {"baltic": 1}}}}),
    Case("SOE-8.1.5", "A unit moves once in a move action, and 1 navy in the Baltic already moved.",
         Move(unit="navy", origin="baltic", to=A), at={"units": {A: {"navy": {A: 2}}}},
         after=((A, Move(unit="navy", origin=A, to="baltic")),)),
    # where units may go
    Case("SOE-8.1.8", "The unit is already in India. Choose another place.",
         Move(unit="navy", origin="india", to="india"), at=OVERSEAS),
    Case("SOE-8.2.2", "Units can't enter another power's home, such as Britain.",
         Move(unit="navy", origin="india", to=B), at=OVERSEAS),
    Case("SOE-1.4.1", "There is no place atlantis.", Move(unit="navy", origin="india", to="atlantis"), at=OVERSEAS),
    Case("SOE-1.4.6", "Navies can't enter Central Europe.", Move(unit="navy", origin="india", to="central_europe"), at=OVERSEAS),
    Case("SOE-8.2.5", "You can't enter the Baltic. You'd need a control marker there or next to it, a home that borders it, or a "
                      "navy in the Baltic.", Build(unit="army", to="baltic")),
    Case("SOE-8.2.5", "You can't enter the Ottoman Empire. You'd need a control marker there or next to it, a home that borders "
                      "it, or a navy in the Mediterranean.", Build(unit="army", to="ottoman_empire"), who="spain",
         at={"powers": ("spain", B)}),
    Case("SOE-8.2.5", "You can't enter Central Europe. You'd need a control marker there or next to it, or a home that "
                      "borders it.", Build(unit="army", to="central_europe"), who="spain",
         at={"powers": ("spain", B)}),
    Case("SOE-8.2.4", "An army needs one of your navies to enter a colony, and you have none in Africa.",
         Build(unit="army", to="africa"), at=OVERSEAS),
    Case("SOE-12.20.2", "Britain blockades India with 2 navies. You need more navies there than that.",
         Build(unit="army", to="india"), at={"units": {A: {"navy": {"india": 2}}, B: {"navy": {"india": 2}}},
                                             "blockades": {"india": [B]}}),
    # attacks
    Case("SOE-12.4.1", "You have no War Office ready. It works once a war.",
         Attack(area="india", target=B, war_office=True), at=GARRISON),
    Case("SOE-9.1.1", "You can't attack in Britain: attacks happen in the eleven areas only.", Attack(area=B, target=B)),
    Case("SOE-14.4.14", "Surprise Attack only works against a power: nobody could help the Pirates.",
         Attack(area="india", target="pirates", surprise=True),
         at={**GARRISON, "captives": {"pirates": ("india", B)}, "tiles": {A: {"surprise_attack": 1}}}),
    Case("SOE-12.19.1", "You don't have Surprise Attack.", Attack(area="india", target=B, surprise=True),
         at={**GARRISON, "markers": {B: {"india": 1}}}),
    Case("SOE-1.1.15", "Russia isn't in this game.", Attack(area="baltic", target="russia"), at=BATTLE),
    Case("SOE-1.1.15", "Russia isn't in this game.", Attack(area="baltic", target="russia", surprise=True), at=BATTLE),
    Case("SOE-9.2.2", "France isn't your enemy in this war.", Attack(area="baltic", target=C), at=BATTLE),
    Case("SOE-9.2.2", "Austria isn't your enemy in this war.", Attack(area="baltic", target=A), at=BATTLE),
    Case("SOE-9.1.2", "You have no army in India. A land attack needs one.", Attack(area="india", target=B),
         at={"units": {A: {"fort": {"india": 1}}, B: {"army": {"india": 1}}}}),
    Case("SOE-9.2.6", "You have only navies in India, and Britain has no navy there for them to attack.",
         Attack(area="india", target=B),
         at={**OVERSEAS, "markers": {B: {"india": 1}}}),
    Case("SOE-9.2.5", "Britain has no control marker and no unit to attack in India.",
         Attack(area="india", target=B), at=GARRISON),
    Case("SOE-9.2.5", "Britain has no control marker and no unit to attack in the Ottoman Empire.",
         Attack(area="ottoman_empire", target=B),
         at={"units": {A: {"army": {"ottoman_empire": 1}}, B: {"navy": {"mediterranean": 1}}}}),
    Case("SOE-9.2.4", "You can't attack a neutral marker without a defence number.", Attack(area="india", target="pop"),
         at={**GARRISON, "neutrals": {"india": ["pop"]}}),
    Case("SOE-9.2.6", "You have only navies in India. To attack neutral marker 3 you need an army there.",
         Attack(area="india", target="neutral_3"), at={**OVERSEAS, "neutrals": {"india": ["neutral_3"]}}),
    Case("SOE-9.2.1", "There is no neutral marker 3 in India.", Attack(area="india", target="neutral_3"), at=GARRISON),
    Case("SOE-14.4.9", "Britain has no control marker and no unit to attack in India.",
         Attack(area="india", target=B), at={**GARRISON, "captives": {"pirates": ("india", B)}}),
    # colonising and enslaving
    Case("SOE-10.1.1", "You have no population left to colonise with; it takes 1.", Colonise(area="india"),
         at={"population": 0, "neutrals": {"india": ["pop"]}}),
    Case("SOE-10.1.1", "Africa has no colonist marker.", Colonise(area="africa"), at={"neutrals": {"africa": ["slaves"]}}),
    Case("SOE-10.1.2", "India has no slave marker.", Enslave(area="india"), at={"neutrals": {"india": ["pop"]}}),
    Case("SOE-10.1.2", "You have no navy in Africa. You need one there for enslaving.", Enslave(area="africa"),
         at={**OVERSEAS, "neutrals": {"africa": ["slaves"]}}),
    Case("SOE-6.2.3", "You've already colonised or done enslaving this turn. Once a turn is the limit.", Colonise(area="india"),
         at={"neutrals": {"india": ["pop"], "caribbean": ["pop"]}}, after=((A, Colonise(area="caribbean")),)),
    Case("SOE-1.1.11", "You have no control marker left to place.", Colonise(area="india"),
         at={"neutrals": {"india": ["pop"]}, "markers": {A: {"german_states": 9, "mediterranean": 8, "africa": 3}}}),
    # taking tiles
    Case("SOE-6.2.2", "You've already bought a tile this turn. One a turn is the limit.", Take(tile="reserves"),
         after=((A, Take(tile="banking")),)),
    Case("SOE-14.2.3", "Choose another power's control marker.", Take(tile="pirates", area="india", target=A),
         at={"markers": {A: {"india": 1}, B: {"india": 1}}}),
    Case("SOE-1.1.15", "Russia isn't in this game.", Take(tile="pirates", area="india", target="russia"),
         at={"markers": {B: {"india": 1}}}),
    Case("SOE-14.2.2", "For the Pirates, choose an area and another power's control marker in a colony.",
         Take(tile="pirates", area="baltic", target=B), at={"markers": {B: {"baltic": 1, "india": 1}}}),
    Case("SOE-14.3.1", "For the Slave Revolt, choose an area and another power's control marker in an American colony.",
         Take(tile="slave_revolt", area="india", target=B), at={"markers": {B: {"india": 1}}}),
    Case("SOE-11.1.1", "Banking needs no target. Leave it out.",
         Take(tile="banking", area="india", target=B), at={"markers": {B: {"india": 1}}}),
    Case("SOE-11.1.1", "There is no tile steam engine.", Take(tile="steam_engine")),
    Case("SOE-1.3.3", "Navigation is no longer in the stock.", Take(tile="navigation"), at={"tiles": {B: {"navigation": 1}}}),
    Case("SOE-11.2.5", "You used Blockade this turn, so you can't buy it back before your next turn.", Take(tile="blockade"),
         at={**OVERSEAS, "tiles": {A: {"blockade": 1}}, "dice": [(2,)]},
         after=((A, Use(tile="blockade", on="india")), (A, Move(unit="navy", origin="india", to="baltic")))),
    Case("SOE-11.1.4", "Militia costs 1 population, and you have 0.", Take(tile="militia"), at={"population": 0}),
    Case("SOE-11.1.5", "You already own as many Banking tiles as allowed.", Take(tile="banking"),
         at={"tiles": {A: {"banking": 1}}, "pack": {"tiles": [{"id": "banking", "limit_per_player": 1}]}}),
    # moves, builds, tiles and gifts under an option
    Case("SOE-8.1.6", "In this game a unit moves once a turn, and 1 navy in India already moved.",
         Move(unit="navy", origin="india", to="baltic"),
         at={**OVERSEAS, "options": {"move.same_unit_next_action": False}, "units": {A: {"navy": {"caribbean": 1}}},
             "dice": [(2,)]}, after=((A, Move(unit="navy", origin="caribbean", to="india")),)),
    Case("SOE-7.2.4", "In this game a fort left at home stays there. Only a fort turned back on a crossing may move.",
         Move(unit="fort", origin=A, to="central_europe"),
         at={"options": {"build.home_fort_may_move": False}, "units": {A: {"fort": {A: 1}}}}),
    Case("SOE-8.2.4", "An army needs a navy to enter a colony, and neither you nor an ally has one in India.",
         Build(unit="army", to="india"), at={"options": {"move.allied_navy_counts": True}}),
    Case("SOE-7.3.3", "You still have 1 fort in the supply. Build those first: a unit can be rebuilt only when none of its "
                      "kind is left.",
         Rebuild(unit="fort", at="baltic"), at={"edition": "deluxe", "units": {A: {"fort": {"baltic": 1}}}}),
    Case("SOE-12.5.1", "In this game a free build still takes an action, and you have none left this turn.",
         Use(tile="mercenaries", on=A), at={"tiles": {A: {"mercenaries": 1, "levant_company": 1}}, "actions": 0,
                                            "markers": {A: {"baltic": 1, "mediterranean": 1}},
                                            "options": {"tiles.free_builds_use_action": True}}),
    Case("SOE-12.21.4", "With 2 players nobody may own more than 3 companies.", Take(tile="baltic_company"),
         at={"options": {"tiles.company_cap": "three"}, "tiles": {A: {"levant_company": 2, "south_sea_company": 1}}}),
    Case("SOE-11.3.1", "You have used Pressgangs already. It is ready again in the next war.", Use(tile="pressgangs", on=A),
         at={"edition": "deluxe", "tiles": {A: {"pressgangs": 1}}, "used": {A: {"pressgangs": 1}}}),
    Case("SOE-16.1.4", "You have 10 gold. With taxes you can give 50 gold at most.", Give(to=B, gold=51),
         at={"options": {"tax.for_gifts": True}}),
    # crossings that gold can mend
    Case("SOE-8.4.5", "The crossing shows an orange arrow. You can't mend it like that.", Mend(to="back", gold=2),
         at=SINKING | {"dice": [(5,)]}, after=((A, Build(unit="navy", to="india")),)),
    Case("SOE-8.4.4", "That costs 3 gold.", Mend(to="ok", gold=1), at=SINKING, after=((A, Build(unit="navy", to="india")),)),
    Case("SOE-8.4.3", "That costs 1 gold.", Mend(to="ok", gold=3), at=SINKING | {"dice": [(5,)]},
         after=((A, Build(unit="navy", to="india")),)),
    # the first draw
    Case("SOE-2.1.9", "You have no slave marker of Africa to put back.",
         Redraw(area="africa", marker="slaves"), "seat_1", redrawing),
    # special actions, where a turn has one of them
    Case("SOE-6.3.2", ONE_SPECIAL, Colonise(area="india"), at={"edition": "deluxe", "neutrals": {"india": ["pop"]}},
         after=((A, Take(tile="reserves")),)),
    Case("SOE-6.3.2", ONE_SPECIAL, Take(tile="reserves"), at={"edition": "deluxe", "neutrals": {"india": ["pop"]}},
         after=((A, Colonise(area="india")),)),
    # local alliances and covert tokens
    Case("SOE-13.2.1", "The Bavaria alliance isn't a local alliance. These are free: Bavaria alliance, Saxony alliance, Denmark "
                       "alliance, Sweden alliance, Poland alliance, Savoy alliance, Ottoman Empire alliance, Portugal "
                       "alliance, Native Americans alliance, Gaucho alliance and "
                       "Mysore alliance.", Ally(place="alliance_bavaria"), at=TOKENS),
    Case("SOE-13.2.2", "Britain has the Denmark alliance until the war ends.", Ally(place="local_denmark"),
         at={**TOKENS, "local": {"local_denmark": B}}),
    Case("SOE-13.2.2", "In this game an area holds one local alliance, and Britain has the Denmark alliance.",
         Ally(place="local_sweden"), at={"edition": "deluxe", "options": {"alliance.one_per": "area"},
                                         "local": {"local_denmark": B}}),
    Case("SOE-6.3.2", ONE_SPECIAL, Ally(place="local_sweden"), at=TOKENS, after=((A, Ally(place="local_denmark")),)),
    Case("SOE-6.2.2", "You've already had your one special action for tiles and local alliances this turn.",
         Ally(place="local_sweden"),
         at={"options": {"alliance.mode": "local"}}, after=((A, Ally(place="local_denmark")),)),
    Case("SOE-11.1.4", "The Sweden alliance costs 1 population, and you have 0.", Ally(place="local_sweden"),
         at={"options": {"alliance.mode": "local"}, "population": 0,
             "pack": {"tiles": [{"id": "alliance_sweden", "cost": {"gold": 0, "population": 1, "unrest": 0}}]}}),
    Case("SOE-13.2.2", "Britain has the Denmark alliance until the war ends.",
         Use(tile="diplomatic_service", on="local_denmark"),
         at={**TOKENS, "local": {"local_denmark": B}, "tiles": {A: {"diplomatic_service": 1}}}),
    Case("SOE-14.1.2", "There is no covert token Blockade. Choose among Pirates and Slave Revolt.",
         Covert(token="blockade", area="india", target=B), at=TOKENS),
    Case("SOE-14.1.4", "There is still a captive of the Pirates in India. Once it is freed, you can use this token again.",
         Covert(token="pirates", area="africa", target=B), at={**TOKENS, "captives": {"pirates": ("india", B)}}),
    Case("SOE-14.2.10", "You failed with the Pirates this round. You can try again next round.",
         Covert(token="pirates", area="india", target=B), at={**TOKENS, "markers": {B: {"india": 1}}, "dice": [(1, 1, 1, 2)]},
         after=((A, Covert(token="pirates", area="india", target=B)),)),
    Case("SOE-14.2.3", "Choose another power's control marker.", Covert(token="pirates", area="india", target=A),
         at={**TOKENS, "markers": {A: {"india": 1}}}),
    Case("SOE-14.3.1", "For the Slave Revolt, choose an area and another power's control marker in an American colony.",
         Covert(token="slave_revolt", area="india", target=B), at={**TOKENS, "markers": {B: {"india": 1}}}),
    # fights at sea alone, and Pirates at sea
    Case("SOE-9.1.4", "You can't choose to fight at sea only in this game. An attack stays at sea if you have no army there.",
         SEA_ALONE, at={"units": {A: {"army": {"india": 1}, "navy": {"india": 1}}, B: {"navy": {"india": 1}}}}),
    Case("SOE-9.1.3", "You have no army in India, so this attack stays at sea anyway.", SEA_ALONE,
         at={**BY_CHOICE, "units": {A: {"navy": {"india": 1}}, B: {"navy": {"india": 1}}}}),
    Case("SOE-9.2.6", "To fight at sea only, both you and Britain need a navy in India.", SEA_ALONE,
         at={**BY_CHOICE, "units": {A: {"army": {"india": 1}, "navy": {"india": 1}}, B: {"army": {"india": 1}}}}),
    Case("SOE-14.4.13", "You have no navy in India. You need one to free a captive from the Pirates.",
         Attack(area="india", target="pirates"), at={**TOKENS, **GARRISON, "captives": {"pirates": ("india", B)}}),
    Case("SOE-9.2.1", "There is no captive of the Pirates in India.", Attack(area="india", target="pirates"),
         at={**TOKENS, **OVERSEAS}),
    Case("SOE-9.2.6", "You have only navies in India. To attack the Pirates you need an army there.",
         Attack(area="india", target="pirates"), at={**OVERSEAS, "captives": {"pirates": ("india", B)}}),
    Case("SOE-13.3.3", "Just choose to fight. You'll be asked about your alliances next.",
         Fight(alliances=("alliance_denmark",)), at=FLEETS, after=((A, Attack(area="baltic", target=B)),)),
    Case("SOE-13.3.11", "None of your alliances here can help both at sea and on land, so name none.",
         Fight(alliances=("alliance_denmark",)), at={**FLEETS, **AT_ONCE, "tiles": {}},
         after=((A, Attack(area="baltic", target=B)),)),
    Case("SOE-13.3.2", "Name the alliances that help at sea instead of on land, each once and in this order: Denmark alliance.",
         Fight(alliances=("alliance_sweden",)), at={**FLEETS, **AT_ONCE},
         after=((A, Attack(area="baltic", target=B)),)),
    # using tiles
    Case("SOE-11.1.1", "There is no tile steam engine.", Use(tile="steam_engine")),
    Case("SOE-6.4.1", "You don't own Pressgangs.", Use(tile="pressgangs", on=A)),
    Case("SOE-11.2.1", "You have used Pressgangs already. It is ready again in the next war.", Use(tile="pressgangs", on=A),
         at={"tiles": {A: {"pressgangs": 1}}, "used": {A: {"pressgangs": 1}}}),
    Case("SOE-12.21.1", "The Levant Company only brings gold. Leave out the rest.", Use(tile="levant_company", on="baltic"),
         at=FREE_TILE),
    Case("SOE-6.4.6", "The Levant Company would bring no gold, since you have no control marker in the "
                        "Mediterranean and the Ottoman Empire.",
         Use(tile="levant_company"), at={"tiles": {A: {"levant_company": 1}}}),
    Case("SOE-12.12.1", "Diplomatic Service gets you an alliance, and Banking isn't one.",
         Use(tile="diplomatic_service", on="banking"), at={"tiles": {A: {"diplomatic_service": 1}}}),
    Case("SOE-12.20.1", "You need a navy in a colony to blockade it, and you have none in Africa.",
         Use(tile="blockade", on="africa"), at={**OVERSEAS, "tiles": {A: {"blockade": 1}}}),
    Case("SOE-12.20.1", "You need a navy in a colony to blockade it, and you have none in the Baltic.",
         Use(tile="blockade", on="baltic"), at={"units": {A: {"navy": {"baltic": 1}}}, "tiles": {A: {"blockade": 1}}}),
    Case("SOE-12.4.1", "War Office is part of an attack: choose Attack, then War Office.", Use(tile="war_office"),
         at={"tiles": {A: {"war_office": 1}}}),
    Case("SOE-6.4.3", "Reserves isn't a free action.", Use(tile="reserves"), at={"tiles": {A: {"reserves": 1}}}),
    Case("SOE-1.1.8", "All your 14 armies are already on the map.", Use(tile="mercenaries", on=A),
         at={"units": {A: {"army": {A: 14}}}, "tiles": {A: {"mercenaries": 1}}}),
    Case("SOE-12.7.3", "Trained Natives builds an army in a colony where you have a control marker or a unit. The "
                        "Baltic isn't one.",
         Use(tile="trained_natives", on="baltic"),
         at={"tiles": {A: {"trained_natives": 1}}, "markers": {A: {"baltic": 1}}}),
    Case("SOE-6.4.3", "You can't use Fighting Withdrawal at this point in the fight.", Use(tile="fighting_withdrawal"),
         at={**TWO_LOSSES, "tiles": {A: {"reserves": 1, "fighting_withdrawal": 1}}},
         after=((A, Attack(area="baltic", target=B)),)),
    # reactions
    Case("SOE-9.4.3", "Britain can't help you here. You can call France.", Call(allies=(B,)), at=HELP_ASKED,
         after=((A, Attack(area="baltic", target=B)),)),
    Case("SOE-9.4.3", "Name each ally once, in this order: France.", Call(allies=(C, C)), at=HELP_ASKED,
         after=((A, Attack(area="baltic", target=B)),)),
    Case("SOE-9.4.4", "You have 1 army there for this fight, so you can't send 2.", Commit(armies=2, navies=0), C, BATTLE,
         ((A, Attack(area="baltic", target=B)),)),
    Case("SOE-9.4.4", "You have 0 navies there for this fight, so you can't send 1.", Commit(armies=1, navies=1), C, BATTLE,
         ((A, Attack(area="baltic", target=B)),)),
    Case("SOE-9.10.3", "Britain's navy can't be lost here.", Lose(owner=B, unit="navy"), B, TWO_LOSSES,
         ((A, Attack(area="baltic", target=B)),)),
    # gifts
    Case("SOE-2.1.11", "You have no gold yet. Choose a power first.", Give(to=C, gold=1), "seat_1", first_chosen(C)),
    Case("SOE-16.1.3", "In this game you can give gold only on your own turn.", Give(to=A, gold=1), B,
         {"options": {"gifts.when": "own_turn"}}),
    Case("SOE-16.1.3", "Austria isn't another power in this game.", Give(to=A, gold=1)),
    Case("SOE-16.1.3", "Russia isn't another power in this game.", Give(to="russia", gold=1)),
    Case("SOE-16.1.4", "You have 10 gold, so you can't give 11.", Give(to=B, gold=11)),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}: {case.answer.verb}" for case in CASES])
def test_refused(case):
    why = case.refusal()
    assert isinstance(why, Illegal)
    assert say(why.text, READER) == case.sentence
    assert why.rule == RULE_OF.get(case.rule, case.rule)


RULE_OF = {"SOE-14.4.9": "SOE-9.2.5"}       # a captive is no marker of its owner, so he has none there


def raises(module: ModuleType) -> set[tuple[int, int]]:
    """First and last line of every refusal in a module."""
    with open(module.__file__ or "", encoding="utf-8") as file:
        tree = ast.parse(file.read())
    return {(node.lineno, node.end_lineno or 0) for node in ast.walk(tree) if isinstance(node, ast.Raise)}


MODULES = (*[module for module in vars(actions).values() if isinstance(module, ModuleType)], local_alliances,
           special_actions, movement)


@cache
def reached() -> frozenset[tuple[str, int]]:
    """File and line of every step on the way to the refusals of all cases."""
    steps = set[tuple[str, int]]()
    for why in (*(case.refusal() for case in CASES), *(case.found() for case in OBSTACLES)):
        step = why.__traceback__
        while step is not None:
            steps.add((step.tb_frame.f_code.co_filename, step.tb_lineno))
            step = step.tb_next
    return frozenset(steps)


@pytest.mark.slow
def test_every_refusal_has_a_case():
    missing = [(module.__name__, span) for module in MODULES for span in raises(module)
               if not any(file == module.__file__ and span[0] <= line <= span[1] for file, line in reached())]
    assert len(MODULES) > 10 and not missing


@pytest.mark.slow
def test_SOE_21_1_5_no_refusal_depends_on_unrest():
    for case in CASES:
        if callable(case.at):
            continue
        made = scene(**case.at)
        for who, answer in case.after:
            made.say(who, answer)
        before, state = say(made.refusal(case.who, case.answer).text, READER), made.state
        state.unrest.update({power: unrest + 17 for power, unrest in state.unrest.items()})
        assert say(made.refusal(case.who, case.answer).text, READER) == before, case
