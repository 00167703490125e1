"""Positions of Attack! made up for tests and for looking at pictures; nothing that runs a game imports this."""
from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Any, Literal

from engine.games.attack.pictures import scenes as sc
from engine.games.attack.view import FleetView, PowerView, TerritoryView, Units, View
from renderer.games.attack.common import POWERS

NAMES = ("Jacques", "Łucja", "Иван Петров", "Willem van der Meer tot Nederhemert", "רות כהן", "🎲 Müller 🎲")


@lru_cache(maxsize=1)
def _data() -> Any:
    return json.loads((files("data") / "attack" / "attack.json").read_bytes())


def sample(players: int = 4, *, seed: int = 1, share: float = 0.6, most: int = 5) -> View:
    """A position of the middle of a game: so large a share of the land is owned, by so many units of each type at most."""
    chance, powers = Random(seed), list(POWERS)[:players]
    lands = []
    for land in _data()["territories"]:
        owner = chance.choice(powers) if chance.random() < share else ""
        units = {kind: chance.randint(0, most) * (chance.random() < 0.55) for kind in ("tank", "artillery", "plane")}
        lands.append(TerritoryView(territory=land["id"], name=land["name"], continent=land["continent"], owner=owner,
                                   units=Units(infantry=chance.randint(1, most), **units) if owner else Units(), capital_of="",
                                   entering=Units()))
    for power in powers:
        at = next((n for n, land in enumerate(lands) if land.owner == power), 0)
        lands[at] = lands[at].model_copy(update={"capital_of": power})
    return View(
        title="Attack!", round=3, phase="turn", active=powers[1], action="", taken=("movement",), actions_left=2,
        controller=powers[0], territories=tuple(lands), crossings=(), battle=None, naval=None, deck=23, last_round=False,
        over=False, ranking=(), winners=(), seat=None, own_cards=(), own_points=None,
        powers=tuple([_power(power, n, lands, chance) for n, power in enumerate(powers)]))


def _power(power: str, n: int, lands: list[TerritoryView], chance: Random) -> PowerView:
    own = [land for land in lands if land.owner == power]
    return PowerView(
        power=power, name=power.capitalize(), seat=f"seat_{n + 1}", territories=len(own),
        land_units=sum(sum(land.units.model_dump().values()) for land in own), cards=chance.randint(2, 9),
        capitals=sum(land.capital_of != "" for land in own),
        fleet=FleetView(destroyers=chance.randint(0, 4), submarines=chance.randint(0, 3), battleships=1 + n % 2, damaged=n % 2,
                        carriers=chance.randint(0, 2)),
        controls_sea=n == 0, out=False)


def people(view: View) -> tuple[tuple[str, str], ...]:
    return tuple([(power.power, NAMES[n]) for n, power in enumerate(view.powers)])


def full() -> View:
    """Everything owned, with every type of units everywhere, in numbers of two digits."""
    view = sample(6, share=1)
    units = Units(infantry=12, tank=10, artillery=11, plane=14)
    return view.model_copy(update={"territories": tuple([land.model_copy(update={"units": units}) for land in view.territories])})


def own(view: View) -> View:
    """Return the same board as the active player sees it."""
    cards = ("factories_3", "minerals_2", "oil_1", "oil_4", "population_2", "population_2", "railroads_1", "railroads_3")
    return view.model_copy(update={"seat": view.powers[1].seat, "own_cards": cards, "own_points": 38})


def own_board() -> sc.Board:
    """The board of the active player, whose attackers stand in two territories, and who may do something in many."""
    six = sample(6)
    deeds: tuple[sc.Deed, ...] = ("attack", "diplomacy", "place")
    ways = [sc.Way(territory=land.territory, number=n + 1,
                   deeds=("move",) if land.owner == six.powers[1].power else (deeds[n % 3],))
            for n, land in enumerate(six.territories) if n % 3 == 0]
    return sc.Board(now=own(fighting(six)), ways=tuple(ways), people=people(six))


def fullest() -> sc.Board:
    """Return the same with all armies in numbers of two digits, and attackers in some territories."""
    view, attackers = full(), Units(infantry=12, tank=10)
    lands = tuple([land.model_copy(update={"entering": attackers}) if land.territory in ("ukraine", "cuba", "peru") else land
                   for land in view.territories])
    return sc.Board(now=view.model_copy(update={"territories": lands}), people=people(view))


def marked(view: View, *, seed: int = 7) -> sc.Board:
    """Return the same board for a reader who last saw it some turns ago."""
    earlier = sample(len(view.powers), seed=seed)
    chance = Random(seed)
    lands = tuple([was if chance.random() < 0.2 else now for was, now in zip(earlier.territories, view.territories)])
    powers = tuple([power.model_copy(update={"territories": power.territories + chance.randint(-2, 2),
                                             "land_units": power.land_units + chance.randint(-5, 5)}) for power in view.powers])
    return sc.Board(now=view, before=view.model_copy(update={"territories": lands, "powers": powers}), people=people(view))


def fighting(view: View) -> View:
    """Return the same board with attackers in a territory."""
    return view.model_copy(update={"territories": tuple([
        land.model_copy(update={"entering": Units(infantry=3, tank=2)}) if land.territory in ("ukraine", "cuba") else land
        for land in view.territories])})


def golden() -> dict[str, Any]:
    """Return what is kept as golden pictures: every kind, full and empty, whole and under way, hidden and shown."""
    return {"board-own": own_board(), "board-marked": marked(sample(4)), "board-two": sc.Board(now=sample(2)),
            "board-fullest": fullest(), "battle": ukraine(), "battle-neutral": neutral(),
            "battle-long": ukraine(rounds=13, repeated=3), "naval": naval(), "naval-end": naval_end(),
            "naval-sealed": naval_sealed()}


# --- battles ----------------------------------------------------------------------------------------

LETTERS = {"I": "infantry", "T": "tank", "A": "artillery", "P": "plane", "-": "blank"}
SHIPS = {"B": "battleship", "C": "aircraft_carrier", "D": "destroyer", "S": "submarine"}


def army(words: str) -> Units:
    """"2I 1T" as units."""
    return Units(**{LETTERS[word[-1]]: int(word[:-1]) for word in words.split()})


def half(side: Literal["attacker", "defender"], brought: str, fighting: str, dice: str, losses: str) -> sc.Half:
    """One half of a round; a die with an exclamation mark scores."""
    thrown = dice.split()
    return sc.Half(side=side, brought=army(brought), fighting=army(fighting), dice=tuple([LETTERS[die[0]] for die in thrown]),
                   scored=tuple([die.endswith("!") for die in thrown]), hits=sum(die.endswith("!") for die in thrown),
                   losses=army(losses))


UKRAINE = (
    ("", "1I 1T 1A 1P", "I! A! A P! P", "3I", "2T 1P", "1I 2T 1P", "- T! A P! P P", "1I 1T"),
    ("1I 1T 1P", "1I 1T 1A 2P", "I! T! A! P! P! -", "1I 2T 1P", "1I 1T 2A 1P", "1I 1T 2A 1P", "A! A! P! P - -", "1I 1T 1A"),
    ("1I 1A", "1I 1A 2P", "P! P! T -", "1I 1T", "", "2A 1P", "A! P! -", "1I 1A"),
    ("", "2P", "I -", "", "", "2A 1P", "A! I T", "1P"),
    ("", "1P", "T -", "", "", "2A 1P", "P! P I", "1P"))


def ukraine(*, rounds: int = 5, repeated: int = 1) -> sc.Battle:
    told = [sc.Round(number=n, halves=(half("defender", *row[:4]), half("attacker", *row[4:])))
            for n, row in enumerate((UKRAINE * repeated)[:rounds], 1)]
    view, over = sample(6), rounds == len(UKRAINE)
    gray = sc.Fighter(power="gray", name="Gray", commander="", force=army("5I 3T 2A 2P"), line_up=army("4I"),
                      fighting=army("2A 1P"), reserve=Units(), lost=army("5I 3T 1P"))
    green = sc.Fighter(power="green", name="Green", commander="", force=army("3I 2T 2A 2P"), line_up=army("1I 1T 1A 1P"),
                       fighting=Units() if over else army("2P"), reserve=Units() if over else army("1I 1A"),
                       lost=army("3I 2T 2A 2P") if over else army("2I 2T 1A"))
    return sc.Battle(title="Attack!", when="Round 3", territory="ukraine", name="Ukraine", land=view.territories, attacker=gray,
                     defender=green, card="", rounds=tuple(told), winner="attacker" if over else "", spoils=over, more=0,
                     people=(("gray", "Łucja"), ("green", "Willem van der Meer tot Nederhemert")))


def neutral() -> sc.Battle:
    """A neutral territory that another player's commands held, and many dice."""
    base = ukraine()
    side = sc.Fighter(power="neutral", name="Neutral defenders", commander="Tan", force=army("2I 1T 2A 1P"),
                      line_up=army("1I 1T 1A 1P"), fighting=army("1A 1P"), reserve=army("1A"), lost=army("2I 1T"))
    many = half("attacker", "6I 4T", "6I 4T 1P", "I! I! T! P! P P - - T! A I I! T P - I", "2I 1T")
    fight = sc.Round(number=1, halves=(half("defender", "", "1I 1T 1A 1P", "I! - T! P! A!", "4I"), many))
    return base.model_copy(update={
        "territory": "northwest_territories", "name": "Northwest Territories", "defender": side, "card": "oil_3",
        "rounds": (fight, sc.Round(number=2, halves=(half("defender", "1A", "2A 1P", "", ""),))), "winner": "defender",
        "spoils": False, "more": 2})


def line(words: str) -> tuple[sc.Vessel, ...]:
    """"B* S! D" as a line: a star is damage, an exclamation mark a ship that sank."""
    return tuple([sc.Vessel(ship=SHIPS[word[0]], hits=len(word) - 1, sunk="!" in word) for word in words.split()])


def pair(attacker: str, defender: str, hit: Literal["attacker", "defender", ""], ship: str = "", *,
         sunk: bool = False) -> sc.Pair:
    """"B 5 4 1": a ship with its dice and what it adds."""
    def shot(words: str) -> sc.Shot:
        kind, *numbers = words.split()
        a, b, modifier = map(int, numbers)
        return sc.Shot(ship=SHIPS[kind], dice=(a, b), modifier=modifier, total=a + b + modifier)

    return sc.Pair(attacker=shot(attacker), defender=shot(defender), hit=hit, position=1 if hit else 0, ship=SHIPS.get(ship, ""),
                   sunk=sunk)


def naval() -> sc.Naval:
    """The naval battle of the rules after its first round."""
    first = sc.NavalRound(number=1, attackers_line=line("B* C D D S"), defenders_line=line("S! B* D"), pairs=(
        pair("B 5 4 1", "S 3 4 2", "defender", "S", sunk=True), pair("C 4 4 1", "B 6 2 0", "defender", "B"),
        pair("D 2 3 1", "D 3 4 0", "attacker", "B")))
    return sc.Naval(title="Attack!", when="Round 4", attacker=sc.Navy(power="green", name="Green", fit=4, lying=0),
                    defender=sc.Navy(power="gray", name="Gray", fit=1, lying=0), rounds=(first,), winner="", retreat=False,
                    people=(("green", "Łucja"), ("gray", "רות כהן")))


def naval_end() -> sc.Naval:
    """Return the same after a second round, which one side retreats from; eight ships in a line."""
    begun = naval()
    second = sc.NavalRound(number=2, attackers_line=line("C D D S D S C D"), defenders_line=line("D! S D"), pairs=(
        pair("C 5 4 2", "D 3 4 0", "defender", "D", sunk=True), pair("D 4 4 4", "S 6 6 0", ""),
        pair("D 1 1 1", "D 1 2 0", "")))
    return begun.model_copy(update={"rounds": (*begun.rounds, second), "winner": "attacker", "retreat": True})


def naval_sealed() -> sc.Naval:
    """The lines still lie face down."""
    begun = naval()
    return begun.model_copy(update={"rounds": (), "attacker": begun.attacker.model_copy(update={"fit": 5, "lying": 5}),
                                    "defender": begun.defender.model_copy(update={"fit": 3, "lying": 3})})
