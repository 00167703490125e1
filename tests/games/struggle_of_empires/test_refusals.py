"""Every reason that the rules of Struggle of Empires give for saying no: its sentence, its number, and that nothing changes."""
from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME, actions
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
    Decline,
    End,
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
from engine.games.struggle_of_empires.components import Tile
from engine.games.struggle_of_empires.rules import local_alliances, movement, special_actions
from engine.kernel import Action, Seat, parse_action
from engine.refusals import Illegal, NotAsked, Refusal, Stale
from engine.text import English, say
from tests.scene import FAIR, Scene, scene

PARTS = components(GAME, "first").parts
READER = English(GAME.words.names(PARTS))
A, B, C, D = "austria", "britain", "france", "prussia"
THREE, FOUR = (A, B, C), (A, B, C, D)
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


def choosing(seats: int = 2) -> Scene:
    """A new game in which powers are chosen."""
    names = tuple(Seat(f"seat_{number}") for number in range(1, seats + 1))
    return Scene(PARTS, GAME.rules.setup(names, GAME.rules.options("first", {}), PARTS), FAIR)


def redrawing() -> Scene:
    """A new game in which the first player may put back markers: it has drawn the first ones of the data, none of Africa."""
    options = GAME.rules.options("first", {"setup.redraw": True})
    new = Scene(PARTS, GAME.rules.setup((Seat("seat_1"), Seat("seat_2")), options, PARTS), first_markers)
    for _ in range(2):
        seat = new.table.waiting()[0].seat
        new.say(seat, Choose(power=A if seat == "seat_1" else B))
    return new


def first_markers(epoch: int, throw: int, sides: tuple[int, ...], purpose: str = "") -> tuple[int, ...]:
    """Dice that always show a 1: the first seat begins, and the first markers of the bag are drawn."""
    return tuple(1 for _ in sides)


def first_chosen(power: str) -> Callable[[], Scene]:
    def made() -> Scene:
        new = choosing()
        new.say(new.table.waiting()[0].seat, Choose(power=power))
        return new
    return made


# Where the same few things stand in many cases.
OVERSEAS = {"units": {A: {"navy": {"india": 1}}}}
GARRISON = {"units": {A: {"army": {"india": 1}}}}
FREE_TILE = {"tiles": {A: {"levant_company": 1}}, "markers": {A: {"mediterranean": 1}}}
BATTLE = {"powers": FOUR, "rows": ((A, C), (B, D)), "units": {A: {"army": {"baltic": 2}}, B: {"army": {"baltic": 1}},
                                                              C: {"army": {"baltic": 1}}, D: {"army": {"baltic": 1}}}}
MILITIA = {"tiles": {A: {"militia": 1, "mercenaries": 1}}, "units": {A: {"army": {"baltic": 1}}}}
HELP_ASKED = {**BATTLE, "options": {"help.auto_call": False}}
TWO_LOSSES = {"units": {A: {"army": {"baltic": 3}}, B: {"army": {"baltic": 1}, "fort": {"baltic": 1}}}, "dice": [(6, 1, 1, 1)]}
ONE_SPECIAL = ("You have done a special action in this turn already; the other action is a regular one: build, move, attack or "
               "pass.")

TOKENS = {"edition": "deluxe"}
BY_CHOICE = {"options": {"attack.naval_only_with_army": True}}
AT_ONCE = {"options": {"reactions.parallel": True}}
SEA_ALONE = Attack(area="india", target=B, naval_only=True)
FLEETS = {"units": {power: {"army": {"baltic": 1}, "navy": {"baltic": 1}} for power in (A, B)},
          "tiles": {A: {"alliance_denmark": 1}}}
SINKING = {"edition": "deluxe", "options": {"unrest.model": "count"}, "dice": [(6,)]}

CASES = [
    # setup
    Case("SOE-1.1.1", "There is no power venice.", Choose(power="venice"), "seat_2", choosing),
    Case("SOE-2.1.5", "France is taken; choose another power.", Choose(power=C), "seat_1", first_chosen(C)),
    Case("SOE-2.2.7", "Starting units go to one of the eleven areas, and Austria is none.", Place(unit="army", area=A),
         at={"phase": "placing"}),
    Case("SOE-2.2.5", "German States never holds navies.", Place(unit="navy", area="german_states"), at={"phase": "placing"}),
    Case("SOE-1.1.8", "All your 2 forts are on the map.", Place(unit="fort", area="baltic"),
         at={"phase": "placing", "units": {A: {"fort": {"baltic": 2}}}}),
    # auction
    Case("SOE-5.2.3", "The bid must be at least 3 gold.", Bid(gold=2, a=A, b=B), B, {"phase": "auction", "powers": THREE},
         ((A, Bid(gold=2, a=A, b=B)),)),
    Case("SOE-5.3.1", "Russia is no power of this game.", Bid(gold=0, a=A, b="russia"), at={"phase": "auction"}),
    Case("SOE-5.3.1", "Propose two different powers, one for row A and one for row B.", Bid(gold=0, a=A, b=A),
         at={"phase": "auction"}),
    Case("SOE-5.3.1", "Propose two different powers, one for row A and one for row B.", Bid(gold=0, a=A),
         at={"phase": "auction"}),
    Case("SOE-5.3.4", "Britain has its place already; propose Austria and Prussia.", Bid(gold=0, a=A, b=B),
         at={"phase": "auction", "powers": FOUR, "rows": ((B,), (C,))}),
    Case("SOE-5.3.5", "Only Austria is left: propose it for row A or for row B.", Bid(gold=0),
         at={"phase": "auction", "powers": THREE, "rows": ((B,), (C,))}),
    Case("SOE-5.3.5", "Only Austria is left: propose it for row A or for row B.", Bid(gold=0, a=A, b=A),
         at={"phase": "auction", "powers": THREE, "rows": ((B,), (C,))}),
    # non-player powers
    Case("SOE-5.3.4", "Britain has its place already; propose Austria and Prussia.", Bid(gold=0, a=A, b=B),
         at={**NOBODYS, "phase": "auction", "powers": FOUR, "rows": ((B,), (C,))}),
    Case("SOE-5.3.7", "Non-player powers are sorted last: propose Austria first.", Bid(gold=0, a="russia", b="spain"),
         at={**NOBODYS, "phase": "auction", "powers": THREE, "rows": ((B,), (C,))}),
    Case("SOE-19.1.2", "Russia is a non-player power and has no gold.", Give(to="russia", gold=1), at=NOBODYS),
    Case("SOE-19.2.3", "Russia is a non-player power: only its control markers can be attacked, and it has none in India.",
         Attack(area="india", target="russia"),
         at={**NOBODYS, "units": {A: {"army": {"india": 1}}, "russia": {"army": {"india": 1}}}}),
    Case("SOE-19.2.6", "Surprise Attack has no use here: nobody helps a control marker of a non-player power.",
         Attack(area="india", target="russia", surprise=True),
         at={**NOBODYS, "units": {A: {"army": {"india": 1}}}, "markers": {"russia": {"india": 1}},
             "tiles": {A: {"surprise_attack": 1}}}),
    # the turn and its actions
    Case("SOE-6.2.1", "You have no action left in this turn; use a free tile, or end the turn.", Pass(),
         at={**FREE_TILE, "actions": 0}),
    Case("SOE-6.2.1", "You have no action left in this turn; use a free tile, or end the turn.", Build(unit="army", to=A),
         at={**FREE_TILE, "actions": 0}),
    Case("SOE-6.2.1", "You have no action left in this turn; use a free tile, or end the turn.",
         Attack(area="india", target=B), at={**FREE_TILE, **GARRISON, "actions": 0}),
    Case("SOE-7.1.2", "You have no population left to build with.", Build(unit="army", to=A), at={"population": 0}),
    Case("SOE-1.1.8", "All your 7 navies are on the map.", Build(unit="navy", to=A), at={"units": {A: {"navy": {A: 7}}}}),
    Case("SOE-12.8.4", "The extra unit of Militia is an army in this game.", Build(unit="navy", to=A),
         at={**MILITIA, "options": {"militia.types": "army"}}, after=((A, Build(unit="navy", to=A)),)),
    Case("SOE-12.8.3", "Militia builds with the build action, not with a tile.",
         Rebuild(unit="army", at="baltic", tile="mercenaries"), at=MILITIA, after=((A, Build(unit="army", to=A)),)),
    Case("SOE-12.5.3", "You have no Mercenaries ready that builds an army.", Rebuild(unit="army", at="india", tile="mercenaries"),
         at=GARRISON),
    Case("SOE-7.3.4", "You have no population left to build with.", Rebuild(unit="army", at="india"),
         at={**GARRISON, "population": 0}),
    Case("SOE-7.3.1", "You have no fort in Baltic.", Rebuild(unit="fort", at="baltic")),
    Case("SOE-12.7.6", "Without that army you have neither a control marker nor a unit in any colony.",
         Rebuild(unit="army", at="india", tile="trained_natives"), at={**GARRISON, "tiles": {A: {"trained_natives": 1}}}),
    Case("SOE-12.7.3", "Trained Natives puts an army into a colony where you have a control marker or a unit; Africa is no such "
         "colony.", Send(to="africa"), at={"units": {A: {"army": {A: 1}, "navy": {"india": 1, "caribbean": 1}}},
                                           "tiles": {A: {"trained_natives": 1}}},
         after=((A, Rebuild(unit="army", at=A, tile="trained_natives")),)),
    Case("SOE-8.1.1", "You have no army in India.", Move(unit="army", origin="india", to=A)),
    Case("SOE-7.2.2", "A fort that stands in an area never moves again.", Move(unit="fort", origin="baltic", to="german_states"),
         at={"units": {A: {"fort": {"baltic": 1}}}}),
    Case("SOE-8.1.5", "Each unit moves at most once in a move action, and 1 navy in Baltic moved already.",
         Move(unit="navy", origin="baltic", to=A), at={"units": {A: {"navy": {A: 2}}}},
         after=((A, Move(unit="navy", origin=A, to="baltic")),)),
    # where units may go
    Case("SOE-8.1.8", "A move goes to another place than India.", Move(unit="navy", origin="india", to="india"), at=OVERSEAS),
    Case("SOE-8.2.2", "No unit may go to a foreign home such as Britain.", Move(unit="navy", origin="india", to=B), at=OVERSEAS),
    Case("SOE-1.4.1", "There is no place atlantis.", Move(unit="navy", origin="india", to="atlantis"), at=OVERSEAS),
    Case("SOE-1.4.6", "Central Europe never holds navies.", Move(unit="navy", origin="india", to="central_europe"), at=OVERSEAS),
    Case("SOE-8.2.5", "To enter Baltic you need a control marker there or in a bordering area, a home that borders it, or a navy "
         "in Baltic; you have none of these.", Build(unit="army", to="baltic")),
    Case("SOE-8.2.5", "To enter Ottoman Empire you need a control marker there or in a bordering area, a home that borders it, "
         "or a navy in Mediterranean; you have none of these.", Build(unit="army", to="ottoman_empire"), who="spain",
         at={"powers": ("spain", B)}),
    Case("SOE-8.2.5", "To enter Central Europe you need a control marker there or in a bordering area, or a home that borders "
         "it; you have none of these.", Build(unit="army", to="central_europe"), who="spain",
         at={"powers": ("spain", B)}),
    Case("SOE-8.2.4", "You have no navy in Africa, and an army enters a colony only beside an own navy.",
         Build(unit="army", to="africa"), at=OVERSEAS),
    Case("SOE-12.20.2", "Britain blockades India with 2 navies; you need more navies there than that.",
         Build(unit="army", to="india"), at={"units": {A: {"navy": {"india": 2}}, B: {"navy": {"india": 2}}},
                                             "blockades": {"india": [B]}}),
    # attacks
    Case("SOE-12.4.1", "You have no War Office ready in this war.", Attack(area="india", target=B, war_office=True), at=GARRISON),
    Case("SOE-9.1.1", "Attacks take place in one of the eleven areas, and Britain is none.", Attack(area=B, target=B)),
    Case("SOE-14.4.14", "Surprise Attack works against a power only, since nobody could help the Pirates.",
         Attack(area="india", target="pirates", surprise=True),
         at={**GARRISON, "captives": {"pirates": ("india", B)}, "tiles": {A: {"surprise_attack": 1}}}),
    Case("SOE-12.19.1", "You have no Surprise Attack.", Attack(area="india", target=B, surprise=True),
         at={**GARRISON, "markers": {B: {"india": 1}}}),
    Case("SOE-1.1.15", "Russia is not in this game.", Attack(area="baltic", target="russia"), at=BATTLE),
    Case("SOE-1.1.15", "Russia is not in this game.", Attack(area="baltic", target="russia", surprise=True), at=BATTLE),
    Case("SOE-9.2.2", "France is no enemy of yours.", Attack(area="baltic", target=C), at=BATTLE),
    Case("SOE-9.2.2", "Austria is no enemy of yours.", Attack(area="baltic", target=A), at=BATTLE),
    Case("SOE-9.1.2", "You have no army in India, and a land attack needs one.", Attack(area="india", target=B),
         at={"units": {A: {"fort": {"india": 1}}, B: {"army": {"india": 1}}}}),
    Case("SOE-9.2.6", "You have only navies in India, and Britain has no navy there to attack.", Attack(area="india", target=B),
         at={**OVERSEAS, "markers": {B: {"india": 1}}}),
    Case("SOE-9.2.5", "Britain has neither a control marker nor a unit that could fight in India.",
         Attack(area="india", target=B), at=GARRISON),
    Case("SOE-9.2.5", "Britain has neither a control marker nor a unit that could fight in Ottoman Empire.",
         Attack(area="ottoman_empire", target=B),
         at={"units": {A: {"army": {"ottoman_empire": 1}}, B: {"navy": {"mediterranean": 1}}}}),
    Case("SOE-9.2.4", "A neutral marker without a defence number cannot be attacked.", Attack(area="india", target="pop"),
         at={**GARRISON, "neutrals": {"india": ["pop"]}}),
    Case("SOE-9.2.6", "You have only navies in India, and an attack on neutral marker 3 takes place on land.",
         Attack(area="india", target="neutral_3"), at={**OVERSEAS, "neutrals": {"india": ["neutral_3"]}}),
    Case("SOE-9.2.1", "There is no neutral marker 3 in India.", Attack(area="india", target="neutral_3"), at=GARRISON),
    Case("SOE-14.4.9", "Britain has neither a control marker nor a unit that could fight in India.",
         Attack(area="india", target=B), at={**GARRISON, "captives": {"pirates": ("india", B)}}),
    # colonising and enslaving
    Case("SOE-10.1.1", "You have no population left to colonise with.", Colonise(area="india"),
         at={"population": 0, "neutrals": {"india": ["pop"]}}),
    Case("SOE-10.1.1", "Africa has no colonist marker.", Colonise(area="africa"), at={"neutrals": {"africa": ["slaves"]}}),
    Case("SOE-10.1.2", "India has no slave marker.", Enslave(area="india"), at={"neutrals": {"india": ["pop"]}}),
    Case("SOE-10.1.2", "You have no navy in Africa, and enslaving needs one there.", Enslave(area="africa"),
         at={**OVERSEAS, "neutrals": {"africa": ["slaves"]}}),
    Case("SOE-6.2.3", "A turn has one colonising or enslaving, and you have done it already.", Colonise(area="india"),
         at={"neutrals": {"india": ["pop"], "caribbean": ["pop"]}}, after=((A, Colonise(area="caribbean")),)),
    Case("SOE-1.1.11", "You have no control marker left to put there.", Colonise(area="india"),
         at={"neutrals": {"india": ["pop"]}, "markers": {A: {"german_states": 9, "mediterranean": 8, "africa": 3}}}),
    # taking tiles
    Case("SOE-6.2.2", "You have taken a tile in this turn already; it is possible once.", Take(tile="reserves"),
         after=((A, Take(tile="banking")),)),
    Case("SOE-14.2.3", "Name a control marker of another power.", Take(tile="pirates", area="india", target=A),
         at={"markers": {A: {"india": 1}, B: {"india": 1}}}),
    Case("SOE-1.1.15", "Russia is not in this game.", Take(tile="pirates", area="india", target="russia"),
         at={"markers": {B: {"india": 1}}}),
    Case("SOE-14.2.2", "For the Pirates, name area and target: a control marker of another power in a colony.",
         Take(tile="pirates", area="baltic", target=B), at={"markers": {B: {"baltic": 1, "india": 1}}}),
    Case("SOE-14.3.1", "For the Slave Revolt, name area and target: a control marker of another power in an American colony.",
         Take(tile="slave_revolt", area="india", target=B), at={"markers": {B: {"india": 1}}}),
    Case("SOE-11.1.1", "Banking has no target.", Take(tile="banking", area="india", target=B), at={"markers": {B: {"india": 1}}}),
    Case("SOE-11.1.1", "There is no tile steam engine.", Take(tile="steam_engine")),
    Case("SOE-1.3.3", "Navigation is not in the stock.", Take(tile="navigation"), at={"tiles": {B: {"navigation": 1}}}),
    Case("SOE-11.2.5", "You used Blockade in this turn, so you cannot take it again before your next one.", Take(tile="blockade"),
         at={**OVERSEAS, "tiles": {A: {"blockade": 1}}, "dice": [(2,)]},
         after=((A, Use(tile="blockade", on="india")), (A, Move(unit="navy", origin="india", to="baltic")))),
    Case("SOE-11.1.4", "Militia costs 1 population and you have 0.", Take(tile="militia"), at={"population": 0}),
    Case("SOE-11.1.5", "You own as many Banking as a player may.", Take(tile="banking"),
         at={"tiles": {A: {"banking": 1}}, "pack": {"tiles": [{"id": "banking", "limit_per_player": 1}]}}),
    # moves, builds, tiles and gifts under an option
    Case("SOE-8.1.6", "In this game each unit moves at most once in a turn, and 1 navy in India moved already.",
         Move(unit="navy", origin="india", to="baltic"),
         at={**OVERSEAS, "options": {"move.same_unit_next_action": False}, "units": {A: {"navy": {"caribbean": 1}}},
             "dice": [(2,)]}, after=((A, Move(unit="navy", origin="caribbean", to="india")),)),
    Case("SOE-7.2.4", "In this game a fort that was left at home stays there; only one that a crossing turned back may move.",
         Move(unit="fort", origin=A, to="central_europe"),
         at={"options": {"build.home_fort_may_move": False}, "units": {A: {"fort": {A: 1}}}}),
    Case("SOE-8.2.4", "Neither you nor an ally has a navy in India, and an army enters a colony only beside one.",
         Build(unit="army", to="india"), at={"options": {"move.allied_navy_counts": True}}),
    Case("SOE-7.3.3", "You still have 1 fort in the supply; a unit is rebuilt only when none of its kind is left there.",
         Rebuild(unit="fort", at="baltic"), at={"edition": "deluxe", "units": {A: {"fort": {"baltic": 1}}}}),
    Case("SOE-12.5.1", "In this game a tile that builds for free takes an action, and you have none left in this turn.",
         Use(tile="mercenaries", on=A), at={"tiles": {A: {"mercenaries": 1, "levant_company": 1}}, "actions": 0,
                                            "markers": {A: {"baltic": 1, "mediterranean": 1}},
                                            "options": {"tiles.free_builds_use_action": True}}),
    Case("SOE-12.21.4", "With 2 players a player owns at most 3 companies.", Take(tile="baltic_company"),
         at={"options": {"tiles.company_cap": "three"}, "tiles": {A: {"levant_company": 2, "south_sea_company": 1}}}),
    Case("SOE-11.3.1", "Pressgangs is used up until the war ends.", Use(tile="pressgangs", on=A),
         at={"edition": "deluxe", "tiles": {A: {"pressgangs": 1}}, "used": {A: {"pressgangs": 1}}}),
    Case("SOE-16.1.4", "You have 10 gold, and with what you may tax for a gift it is at most 50 gold.", Give(to=B, gold=51),
         at={"options": {"tax.for_gifts": True}}),
    # crossings that gold can mend
    Case("SOE-8.4.5", "The crossing shows an orange arrow, which cannot be mended like that.", Mend(to="back", gold=2),
         at=SINKING | {"dice": [(5,)]}, after=((A, Build(unit="navy", to="india")),)),
    Case("SOE-8.4.4", "That costs 3 gold.", Mend(to="ok", gold=1), at=SINKING, after=((A, Build(unit="navy", to="india")),)),
    Case("SOE-8.4.3", "That costs 1 gold.", Mend(to="ok", gold=3), at=SINKING | {"dice": [(5,)]},
         after=((A, Build(unit="navy", to="india")),)),
    # the first draw
    Case("SOE-2.1.9", "You have drawn no slave marker of Africa, or have put it back already.",
         Redraw(area="africa", marker="slaves"), "seat_1", redrawing),
    # special actions, where a turn has one of them
    Case("SOE-6.3.2", ONE_SPECIAL, Colonise(area="india"), at={"edition": "deluxe", "neutrals": {"india": ["pop"]}},
         after=((A, Take(tile="reserves")),)),
    Case("SOE-6.3.2", ONE_SPECIAL, Take(tile="reserves"), at={"edition": "deluxe", "neutrals": {"india": ["pop"]}},
         after=((A, Colonise(area="india")),)),
    # local alliances and covert tokens
    Case("SOE-13.2.1", "Bavaria alliance is no place for a local alliance; free are Bavaria alliance, Saxony alliance, Denmark "
         "alliance, Sweden alliance, Poland alliance, Savoy alliance, Ottoman Empire alliance, Portugal alliance, Native "
         "Americans alliance, Gaucho alliance and Mysore alliance.", Ally(place="alliance_bavaria"), at=TOKENS),
    Case("SOE-13.2.2", "The Denmark alliance belongs to Britain until the war ends.", Ally(place="local_denmark"),
         at={**TOKENS, "local": {"local_denmark": B}}),
    Case("SOE-13.2.2", "An area has room for one local alliance in this game, and Britain has the Denmark alliance.",
         Ally(place="local_sweden"), at={"edition": "deluxe", "options": {"alliance.one_per": "area"},
                                         "local": {"local_denmark": B}}),
    Case("SOE-6.3.2", ONE_SPECIAL, Ally(place="local_sweden"), at=TOKENS, after=((A, Ally(place="local_denmark")),)),
    Case("SOE-6.2.2", "Of tiles and local alliances a turn has one, and you have had it already.", Ally(place="local_sweden"),
         at={"options": {"alliance.mode": "local"}}, after=((A, Ally(place="local_denmark")),)),
    Case("SOE-11.1.4", "The Sweden alliance costs 1 population and you have 0.", Ally(place="local_sweden"),
         at={"options": {"alliance.mode": "local"}, "population": 0,
             "pack": {"tiles": [{"id": "alliance_sweden", "cost": {"gold": 0, "population": 1, "unrest": 0}}]}}),
    Case("SOE-13.2.2", "The Denmark alliance belongs to Britain until the war ends.",
         Use(tile="diplomatic_service", on="local_denmark"),
         at={**TOKENS, "local": {"local_denmark": B}, "tiles": {A: {"diplomatic_service": 1}}}),
    Case("SOE-14.1.2", "There is no covert token Blockade; there are Pirates and Slave Revolt.",
         Covert(token="blockade", area="india", target=B), at=TOKENS),
    Case("SOE-14.1.4", "The token of the Pirates holds a captive in India, and can be used again once that is beaten.",
         Covert(token="pirates", area="africa", target=B), at={**TOKENS, "captives": {"pirates": ("india", B)}}),
    Case("SOE-14.2.10", "You have failed with the Pirates in this round; you can try again in the next one.",
         Covert(token="pirates", area="india", target=B), at={**TOKENS, "markers": {B: {"india": 1}}, "dice": [(1, 1, 1, 2)]},
         after=((A, Covert(token="pirates", area="india", target=B)),)),
    Case("SOE-14.2.3", "Name a control marker of another power.", Covert(token="pirates", area="india", target=A),
         at={**TOKENS, "markers": {A: {"india": 1}}}),
    Case("SOE-14.3.1", "For the Slave Revolt, name area and target: a control marker of another power in an American colony.",
         Covert(token="slave_revolt", area="india", target=B), at={**TOKENS, "markers": {B: {"india": 1}}}),
    # fights at sea alone, and Pirates at sea
    Case("SOE-9.1.4", "Whether an attack is at sea alone is no choice in this game: it is if you have no army there.",
         SEA_ALONE, at={"units": {A: {"army": {"india": 1}, "navy": {"india": 1}}, B: {"navy": {"india": 1}}}}),
    Case("SOE-9.1.3", "You have no army in India, so that this attack is at sea alone anyway.", SEA_ALONE,
         at={**BY_CHOICE, "units": {A: {"navy": {"india": 1}}, B: {"navy": {"india": 1}}}}),
    Case("SOE-9.2.6", "At sea alone you fight in India only with a navy of yours against one of Britain.", SEA_ALONE,
         at={**BY_CHOICE, "units": {A: {"army": {"india": 1}, "navy": {"india": 1}}, B: {"army": {"india": 1}}}}),
    Case("SOE-14.4.13", "You have no navy in India, and the captive of the Pirates is freed at sea.",
         Attack(area="india", target="pirates"), at={**TOKENS, **GARRISON, "captives": {"pirates": ("india", B)}}),
    Case("SOE-9.2.1", "There is no captive of the Pirates in India.", Attack(area="india", target="pirates"),
         at={**TOKENS, **OVERSEAS}),
    Case("SOE-9.2.6", "You have only navies in India, and an attack on the Pirates takes place on land.",
         Attack(area="india", target="pirates"), at={**OVERSEAS, "captives": {"pirates": ("india", B)}}),
    Case("SOE-13.3.3", "Only say that you fight; where your alliances help is asked after that.",
         Fight(alliances=("alliance_denmark",)), at=FLEETS, after=((A, Attack(area="baltic", target=B)),)),
    Case("SOE-13.3.11", "You have no alliance here that can help at sea and on land, so there is none to name.",
         Fight(alliances=("alliance_denmark",)), at={**FLEETS, **AT_ONCE, "tiles": {}},
         after=((A, Attack(area="baltic", target=B)),)),
    Case("SOE-13.3.2", "Of the alliances that can help at sea and on land, name those that help at sea, each once and in this "
         "order: Denmark alliance.", Fight(alliances=("alliance_sweden",)), at={**FLEETS, **AT_ONCE},
         after=((A, Attack(area="baltic", target=B)),)),
    # using tiles
    Case("SOE-11.1.1", "There is no tile steam engine.", Use(tile="steam_engine")),
    Case("SOE-6.4.1", "You do not own Pressgangs.", Use(tile="pressgangs", on=A)),
    Case("SOE-11.2.1", "Pressgangs is used up until the war ends.", Use(tile="pressgangs", on=A),
         at={"tiles": {A: {"pressgangs": 1}}, "used": {A: {"pressgangs": 1}}}),
    Case("SOE-12.21.1", "Levant Company simply brings its gold; name nothing with it.", Use(tile="levant_company", on="baltic"),
         at=FREE_TILE),
    Case("SOE-6.4.6", "Levant Company would bring no gold: you have no control marker in Mediterranean and Ottoman Empire.",
         Use(tile="levant_company"), at={"tiles": {A: {"levant_company": 1}}}),
    Case("SOE-12.12.1", "Diplomatic Service takes an alliance, and Banking is none.",
         Use(tile="diplomatic_service", on="banking"), at={"tiles": {A: {"diplomatic_service": 1}}}),
    Case("SOE-12.20.1", "A Blockade is put into a colony where you have a navy, and Africa is no such colony.",
         Use(tile="blockade", on="africa"), at={**OVERSEAS, "tiles": {A: {"blockade": 1}}}),
    Case("SOE-12.20.1", "A Blockade is put into a colony where you have a navy, and Baltic is no such colony.",
         Use(tile="blockade", on="baltic"), at={"units": {A: {"navy": {"baltic": 1}}}, "tiles": {A: {"blockade": 1}}}),
    Case("SOE-12.4.1", "War Office is used with an attack: attack, and choose War Office there.", Use(tile="war_office"),
         at={"tiles": {A: {"war_office": 1}}}),
    Case("SOE-6.4.3", "Reserves is no free action.", Use(tile="reserves"), at={"tiles": {A: {"reserves": 1}}}),
    Case("SOE-1.1.8", "All your 14 armies are on the map.", Use(tile="mercenaries", on=A),
         at={"units": {A: {"army": {A: 14}}}, "tiles": {A: {"mercenaries": 1}}}),
    Case("SOE-12.7.3", "Trained Natives puts an army into a colony where you have a control marker or a unit; Baltic is no such "
         "colony.", Use(tile="trained_natives", on="baltic"),
         at={"tiles": {A: {"trained_natives": 1}}, "markers": {A: {"baltic": 1}}}),
    Case("SOE-6.4.3", "Fighting Withdrawal cannot be used at this moment of the fight.", Use(tile="fighting_withdrawal"),
         at={**TWO_LOSSES, "tiles": {A: {"reserves": 1, "fighting_withdrawal": 1}}},
         after=((A, Attack(area="baltic", target=B)),)),
    # reactions
    Case("SOE-9.4.3", "Britain cannot help you here; you can call France.", Call(allies=(B,)), at=HELP_ASKED,
         after=((A, Attack(area="baltic", target=B)),)),
    Case("SOE-9.4.3", "Name each ally once, in the order France.", Call(allies=(C, C)), at=HELP_ASKED,
         after=((A, Attack(area="baltic", target=B)),)),
    Case("SOE-9.4.4", "You have 1 army there for this fight, so you cannot send 2.", Commit(armies=2, navies=0), C, BATTLE,
         ((A, Attack(area="baltic", target=B)),)),
    Case("SOE-9.4.4", "You have 0 navies there for this fight, so you cannot send 1.", Commit(armies=1, navies=1), C, BATTLE,
         ((A, Attack(area="baltic", target=B)),)),
    Case("SOE-9.10.3", "A navy of Britain cannot be lost here.", Lose(owner=B, unit="navy"), B, TWO_LOSSES,
         ((A, Attack(area="baltic", target=B)),)),
    # gifts
    Case("SOE-2.1.11", "You have no gold before you have chosen a power.", Give(to=C, gold=1), "seat_1", first_chosen(C)),
    Case("SOE-16.1.3", "In this game gold is given in the own turn only.", Give(to=A, gold=1), B,
         {"options": {"gifts.when": "own_turn"}}),
    Case("SOE-16.1.3", "Austria is no other power of this game.", Give(to=A, gold=1)),
    Case("SOE-16.1.3", "Russia is no other power of this game.", Give(to="russia", gold=1)),
    Case("SOE-16.1.4", "You have 10 gold, so you cannot give 11.", Give(to=B, gold=11)),
]


@dataclass(frozen=True)
class Obstacle:
    """A kind of answer of which there is none now, with the rule and the whole sentence."""

    rule: str
    sentence: str
    kind: type[Action]
    who: str = A
    at: Mapping[str, Any] | Callable[[], Scene] = field(default_factory=dict)
    after: tuple[tuple[str, Action], ...] = ()

    def found(self) -> Illegal:
        made = self.at() if callable(self.at) else scene(**self.at)
        for who, answer in self.after:
            made.say(who, answer)
        seat = made.state.seat(self.who) if self.who in made.state.powers else Seat(self.who)
        why = self.kind.obstacle(made.state, seat)
        assert why is not None, f"{self.kind.verb} is possible"
        return why


SPENT = {"actions": 0, "tiles": {A: {"mercenaries": 1}}}         # the free tile keeps the turn from ending
NO_ACTION = "You have no action left in this turn; use a free tile, or end the turn."
NO_PEOPLE = {"population": 0}


def none_of(tiles: Iterable[Tile]) -> dict[str, list[dict[str, Any]]]:
    """Components without these tiles."""
    return {"tiles": [{"id": tile.id, "count": 0} for tile in tiles]}


ALL_ON_MAP = {A: {"army": {A: 14}, "navy": {A: 7}, "fort": {A: 2}}}
OBSTACLES = [
    *(Obstacle("SOE-6.2.1", NO_ACTION, kind, at=SPENT) for kind in (Pass, Build, Move, Attack, Colonise, Enslave, Take)),
    Obstacle("SOE-6.2.1", NO_ACTION, Rebuild, at={**SPENT, "units": {A: {"fort": {A: 1}}}}),
    Obstacle("SOE-7.1.2", "You have no population left to build with.", Build, at=NO_PEOPLE),
    Obstacle("SOE-1.1.8", "All your 14 armies, 7 navies and 2 forts are on the map.", Build, at={"units": ALL_ON_MAP}),
    Obstacle("SOE-1.1.8", "All your 14 armies are on the map.", Build,
             at={"units": {A: {"army": {A: 13}}}, "tiles": {A: {"militia": 1}}, "options": {"militia.types": "army"}},
             after=((A, Build(unit="army", to=A)),)),
    Obstacle("SOE-7.3.1", "You have no unit on the map that could be built anew.", Rebuild),
    Obstacle("SOE-7.3.4", "You have no population left to build with.", Rebuild,
             at={**NO_PEOPLE, "units": {A: {"army": {A: 1}}}}),
    Obstacle("SOE-8.1.1", "You have no unit that could move; a fort moves only from your home.", Move,
             at={"units": {A: {"fort": {"india": 1}}}}),
    Obstacle("SOE-9.1.2", "You have neither an army nor a navy in any area, and an attack needs one there.", Attack),
    Obstacle("SOE-9.2.1", "Where you have an army or a navy (Baltic), there is nobody that it could attack: no enemy, no neutral "
             "marker with a defence number, no captive.", Attack, at={"units": {A: {"navy": {"baltic": 1}}}}),
    *(Obstacle("SOE-6.2.3", "A turn has one colonising or enslaving, and you have done it already.", kind,
               at={"neutrals": {"india": ["pop", "pop"]}}, after=((A, Colonise(area="india")),)) for kind in (Colonise, Enslave)),
    Obstacle("SOE-10.1.1", "No area has any colonist marker now.", Colonise),
    Obstacle("SOE-10.1.2", "No area has any slave marker now.", Enslave),
    Obstacle("SOE-10.1.1", "You have no population left to colonise with.", Colonise,
             at={**NO_PEOPLE, "neutrals": {"india": ["pop"]}}),
    Obstacle("SOE-10.1.2", "You have no navy in Africa, and enslaving needs one there.", Enslave,
             at={"neutrals": {"india": ["slaves"]}}),
    Obstacle("SOE-6.2.2", "You have taken a tile in this turn already; it is possible once.", Take,
             after=((A, Take(tile="banking")),)),
    Obstacle("SOE-11.1.4", "The stock has no tile that you may take now: what it has costs more population than you have, needs "
             "a target, or you own as many as a player may.", Take, at={"pack": none_of(PARTS.tiles)}),
    Obstacle("SOE-12.12.1", "Diplomatic Service takes an alliance, and the stock has none that you could take now.", Use,
             at={"tiles": {A: {"diplomatic_service": 1}}, "pack": none_of(PARTS.alliances)}),
    Obstacle("SOE-12.12.2", "Diplomatic Service places a local alliance, and no place is free.", Use,
             at={**TOKENS, "tiles": {A: {"diplomatic_service": 1}}, "local": dict.fromkeys(PARTS.local_alliance, B)}),
    Obstacle("SOE-13.2.1", "No place for a local alliance is free; the markers go when the war ends.", Ally,
             at={**TOKENS, "local": dict.fromkeys(PARTS.local_alliance, B)}),
    Obstacle("SOE-14.2.1", "No covert token has a target now: it needs a control marker of another power in a colony, and must "
             "not hold a captive.", Covert, at=TOKENS),
    Obstacle("SOE-7.3.3", "You still have 13 armies in the supply; a unit is rebuilt only when none of its kind is left there.",
             Rebuild, at={"edition": "deluxe", "units": {A: {"army": {"baltic": 1}}}}),
    Obstacle("SOE-6.4.1", "You own no tile that works as a free action.", Use, at={"tiles": {A: {"banking": 1}}}),
    Obstacle("SOE-11.2.1", "Used up until the war ends: Mercenaries.", Use,
             at={"tiles": {A: {"mercenaries": 1}}, "used": {A: {"mercenaries": 1}}}),
    Obstacle("SOE-1.1.8", "All your 14 armies are on the map.", Use,
             at={"tiles": {A: {"mercenaries": 1}}, "units": {A: {"army": {A: 14}}}}),
    Obstacle("SOE-12.7.3", "Trained Natives puts an army into a colony where you have a control marker or a unit; there is none.",
             Use, at={"tiles": {A: {"trained_natives": 1}}}),
    Obstacle("SOE-12.20.1", "A Blockade is put into a colony where you have a navy, and you have one in none.", Use,
             at={"tiles": {A: {"blockade": 1}}}),
    Obstacle("SOE-16.1.3", "In this game gold is given in the own turn only.", Give, B,
             {"options": {"gifts.when": "own_turn"}}),
    Obstacle("SOE-16.1.4", "You have no gold that you could give.", Give, at={"gold": 0}),
    Obstacle("SOE-2.1.11", "You have no gold before you have chosen a power.", Give, "seat_1", first_chosen(C)),
    Obstacle("SOE-16.1.3", "Nobody else has chosen a power yet.", Give, C, first_chosen(C)),
]


@pytest.mark.parametrize("case", OBSTACLES, ids=[f"{case.rule}: {case.kind.verb}" for case in OBSTACLES])
def test_why_there_is_no_answer_of_a_kind(case):
    why = case.found()
    assert (say(why.text, READER), why.rule) == (case.sentence, case.rule)


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


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_refusal_has_a_case(module):
    reached = set()
    for why in (*(case.refusal() for case in CASES), *(case.found() for case in OBSTACLES)):
        step = why.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == module.__file__:
                reached.add(step.tb_lineno)
            step = step.tb_next
    missing = [span for span in raises(module) if not any(span[0] <= number <= span[1] for number in reached)]
    assert not missing


def test_a_gift_to_nobody_is_refused_while_powers_are_chosen():
    new = first_chosen(C)()
    giver = new.state.seat(C)
    with pytest.raises(Illegal, match=r"is no other power of this game\."):
        new.table.answer(giver, Give(to="", gold=1))
    assert new.state.gold == {C: 10}


# --- who may answer, and with what --------------------------------------------------------------------------------

def test_SOE_20_1_5_only_who_is_asked_may_answer():
    quiet = scene(units={A: {"army": {"baltic": 1}}})
    why = quiet.refusal(B, Pass())
    assert isinstance(why, NotAsked) and why.rule == "SOE-6.1.2"
    assert say(why.text, READER) == "Nothing is being asked of you just now. War 1, round 1 of 6: turn of Austria."
    quiet = scene(units={A: {"army": {"baltic": 1}}, B: {"army": {"baltic": 1}, "fort": {"baltic": 1}}}, dice=[(6, 1, 1, 1)])
    quiet.say(A, Attack(area="baltic", target=B))
    assert quiet.asked() == [(B, "DP-23")]
    why = quiet.refusal(A, Pass())
    assert say(why.text, READER) == "Nothing is being asked of you just now. Austria attacks Britain in Baltic."
    assert why.rule == "SOE-9.4.2"


def test_SOE_5_2_1_the_opener_who_passes_hears_that_he_must_bid():
    table = scene(phase="auction", powers=(A, B, C))
    why = table.refusal(A, Pass())
    assert (why.rule, say(why.text, READER)) == (
        "SOE-5.2.1", "You open the auction, so you cannot pass: bid 0 gold or more, and propose.")
    assert table.refusal(A, End()).rule == "SOE-5.2.2" == table.refusal(B, Pass()).rule
    table.say(A, Bid(gold=0, a=A, b=B))
    assert table.allows(B, Pass())


@pytest.mark.parametrize("phase", ["auction", "placing", "turn", "reckoning"])
def test_SOE_20_1_5_whatever_the_table_refuses_names_a_rule(phase):
    """Every kind of answer, from a seat that is asked and from one that is not; also of the world, and late."""
    table = scene(phase=phase, powers=(A, B, C))
    for power in (A, B, C):
        for kind in (Pass, End, Decline, Fight, Call):
            with contextlib.suppress(Refusal):
                table.table.examine(table.state.seat(power), kind())
                continue
            assert table.refusal(power, kind()).rule.startswith("SOE-")
        if table.table.asked(table.state.seat(power)) is not None:
            with pytest.raises(Stale) as late:
                table.table.examine(table.state.seat(power), End(), asked_at=99)
            assert late.value.rule == "SOE-20.1.5"


def test_SOE_20_1_5_another_kind_of_answer_is_refused_with_the_question():
    why = scene().refusal(A, Commit(armies=0, navies=0))
    assert say(why.text, READER) == (
        "You are asked something else now: Your turn: what do you do? Actions left: 2. Possible answers: move, build, attack, "
        "tile, colonise, enslave, rebuild, use, pass and end.")


def test_SOE_20_1_5_after_the_end_nothing_is_taken_any_more():
    over = scene(phase="reckoning")
    for answer in (Pass(), Give(to=B, gold=1), End(), Decline()):
        why = over.refusal(A, answer)
        assert isinstance(why, NotAsked) and str(why) == "The game is over."


@pytest.mark.parametrize("verb, fields, sentence", [
    ("commit", {"armies": -1, "navies": 0}, "The value of armies cannot be used: Input should be greater than or equal to 0."),
    ("give", {"to": B, "gold": 0}, "The value of gold cannot be used: Input should be greater than or equal to 1."),
    ("build", {"unit": "galleon", "to": A}, "The value of unit cannot be used: Input should be 'army', 'navy' or 'fort'."),
    ("bid", {"gold": 2_000_000_000}, "The value of gold cannot be used: Input should be less than or equal to 1000000000."),
    ("move", {"unit": "army"}, "The value of origin cannot be used: Field required."),
    ("pass", {"loudly": True}, "The value of loudly cannot be used: Extra inputs are not permitted."),
    ("dance", {}, "There is no command dance in this game."),
])
def test_what_cannot_be_read_is_refused_with_a_sentence(verb, fields, sentence):
    with pytest.raises(Illegal) as refused:
        parse_action(GAME, verb, fields)
    assert (str(refused.value), refused.value.rule) == (sentence, "SOE-20.1.5")


def test_SOE_21_1_5_no_refusal_depends_on_unrest():
    def sentences(unrest: int) -> list[str]:
        out = []
        for case in CASES:
            if not callable(case.at):
                made = scene(**case.at, unrest=unrest)
                for who, answer in case.after:
                    made.say(who, answer)
                out.append(say(made.refusal(case.who, case.answer).text, READER))
        return out

    assert sentences(0) == sentences(17)
