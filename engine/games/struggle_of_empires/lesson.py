"""The first war, guided: the learner is Britain, allied with France against Spain; the dice are known and the others follow."""
from __future__ import annotations

from collections.abc import Mapping

from engine.dice import Dice, LoadedDice
from engine.games.struggle_of_empires import actions as act
from engine.games.struggle_of_empires.components import Parts
from engine.games.struggle_of_empires.events.words import gold
from engine.games.struggle_of_empires.state import State
from engine.kernel import Seat
from engine.kernel.lesson import Lesson, Step
from engine.lessons import astray, drawn, lead, said_by, said_by_each
from engine.text import Fact, Text, text

YOU, FRANCE, SPAIN = (Seat(f"seat_{number}") for number in (1, 2, 3))

ON_MAP = ("caribbean_01", "north_america_01", "south_america_01", "german_states_05", "baltic_01", "india_01", "africa_02",
          "mediterranean_02", "ottoman_empire_01", "central_europe_01")
FIRST_MARKERS = (
    ("caribbean_02", "north_america_02", "german_states_01", "mediterranean_01", "india_02"),               # Britain
    ("german_states_02", "german_states_03", "mediterranean_03", "central_europe_02", "north_america_03"),  # France
    ("caribbean_03", "caribbean_04", "mediterranean_04", "mediterranean_05", "south_america_02"))           # Spain


def dice(parts: Parts) -> Dice:
    """Every roll of the lesson, in the order in which it comes."""
    bag = [marker.id for marker in parts.country_counters]
    return LoadedDice(
        drawn(bag, ON_MAP), (1,), *(drawn(bag, markers) for markers in FIRST_MARKERS),
        (4,),                               # your army crosses to the Caribbean
        (5, 4, 5, 3),                       # France against Spain in the Mediterranean
        (1,), (5,),                         # your second army crosses, and nearly sinks
        (5, 2, 4, 2),                       # you against Spain in the Caribbean
        drawn(bag, tuple(bag[:len(ON_MAP)])))       # the neutral markers of the second war


def purse(state: State) -> Mapping[str, Fact]:
    return {"gold": gold(state.gold["britain"]), "population": state.population["britain"]}


def reckoned(state: State) -> Mapping[str, Fact]:
    points = tuple(text("{power} {n}", power=power, n=state.points[power]) for power in state.powers)
    units = sum(sum(places.values()) for places in state.units["britain"].values())
    return {"points": points, "markers": sum(state.markers["britain"].values()), "units": units, **purse(state)}


STEPS = (
    Step(
        say=text("Welcome! You are Britain and play one war of Struggle of Empires against France and Spain, in a few "
                 "minutes. Control markers bring victory points: whoever has the most in an area scores its higher value. "
                 "Five of yours are already on the map."),
        rule="SOE-1.4.16", picture="board", brief=True,
        before=((YOU, act.Choose.of("britain")), (FRANCE, act.Choose.of("france")), (SPAIN, act.Choose.of("spain")))),
    Step(
        say=text("First everybody places five units, taking turns. Spain has two markers in the Caribbean and you have one. "
                 "In a colony begin with a navy: later, armies can only sail to where you have one."),
        rule="SOE-8.2.4",
        choices=(
            lead(act.Place.of("navy", "caribbean")),
            astray(act.Place.of("army", "india"),
                   "without a navy in India no second army could follow. Take the navy."),
            astray(act.Place.of("fort", "caribbean"),
                   "a fort only defends and never moves again. You want to attack, so take the navy."))),
    Step(
        say=text("Only an army can take a marker, so put one beside your navy. A navy on its own can only fight other navies."),
        rule="SOE-9.1.2",
        before=((FRANCE, act.Place.of("army", "mediterranean")), (SPAIN, act.Place.of("army", "caribbean"))),
        choices=(
            astray(act.Place.of("navy", "caribbean"),
                   "navies can't take markers, and Spain has none to sink. Take the army."),
            lead(act.Place.of("army", "caribbean")))),
    Step(
        say=text("All units are placed. Next an auction sorts the powers into two alliances: a bid names one power for row A "
                 "and one for row B. You open, so you must bid."),
        rule="SOE-5.2.1", picture="board", brief=True,
        before=((FRANCE, act.Place.of("army", "mediterranean")), (SPAIN, act.Place.of("fort", "caribbean")),
                (YOU, act.Place.of("army", "mediterranean")), (FRANCE, act.Place.of("army", "caribbean")),
                (SPAIN, act.Place.of("army", "mediterranean")), (YOU, act.Place.of("army", "german_states")),
                (FRANCE, act.Place.of("army", "german_states")), (SPAIN, act.Place.of("navy", "south_america")),
                (YOU, act.Place.of("army", "german_states")), (FRANCE, act.Place.of("army", "central_europe")),
                (SPAIN, act.Place.of("army", "south_america"))),
        choices=(
            astray(act.Bid.of(0, "france", "spain"),
                   "then others decide which side you're on. Put yourself against Spain, whose markers you want."),
            lead(act.Bid.of(0, "britain", "spain")),
            astray(act.Bid.of(5, "britain", "spain"), "nobody has bid yet, so 0 gold may be enough. Begin low."))),
    Step(
        say=text("Spain wants you to be France's enemy and bids 5 gold. You have {gold}. Only the winner pays. Raise, "
                 "proposing the same as before, or pass?"),
        rule="SOE-5.2.3", facts=purse,
        before=((FRANCE, act.Pass.of()), (SPAIN, act.Bid.of(5, "britain", "france"))),
        choices=(
            astray(act.Bid.of(9, "britain", "spain"), "1 gold more than Spain is enough, and you need the rest. Bid 6."),
            lead(act.Bid.of(6, "britain", "spain")),
            astray(act.Pass.of(),
                   "if France passes too, France is your enemy for the whole war. It is worth 6 gold here: raise."))),
    Step(
        say=text("You won and paid. Only France is left. It opens the last auction and puts itself in row A with you: allies "
                 "can't attack each other and may help each other. That suits you."),
        rule="SOE-5.4.3",
        before=((FRANCE, act.Pass.of()), (SPAIN, act.Pass.of()), (FRANCE, act.Bid.of(0, "france", "")), (SPAIN, act.Pass.of())),
        choices=(
            lead(act.Pass.of()),
            astray(act.Bid.of(1, "", "france"), "it would cost 1 gold and make France your enemy. Pass and keep your ally."))),
    Step(
        say=text("The war begins, and it's your turn: two actions. You have {gold} and {population} population. A unit costs "
                 "1 population and may go somewhere at once. For an ocean crossing you roll a die: on a 1 it may sink."),
        rule="SOE-7.1.1", facts=purse,
        choices=(
            astray(act.Build.of("fort", "german_states"),
                   "a fort only defends, and nobody threatens you there. Send an army to the Caribbean."),
            astray(act.Build.of("navy", "india"), "a navy alone can't take a marker. You need an army in the Caribbean."),
            lead(act.Build.of("army", "caribbean")))),
    Step(
        say=text("It arrived. Some neutral markers can simply be settled for 1 population, with no unit and no fight. One is "
                 "in the Caribbean. Settle it to draw level with Spain: in a tie both score in full."),
        rule="SOE-10.1.1",
        choices=(
            astray(act.Colonise.of("north_america"),
                   "the Caribbean is worth 5 points and is where you can overtake Spain. Colonise there."),
            lead(act.Colonise.of("caribbean")),
            astray(act.Pass.of(), "a passed action is gone, and you have population to spend. Colonise."))),
    Step(
        say=text("Now the others play. France attacks Spain in the Mediterranean and asks for your help: you may send armies "
                 "to the fight on land, or none. Each army adds 1. You gain no marker, but France will remember."),
        rule="SOE-9.4.4",
        before=(*said_by(SPAIN, act.Colonise.of("south_america"), act.End.of()),
                *said_by(FRANCE, act.Attack.of("mediterranean", "spain"))),
        choices=(
            lead(act.Commit.of(1, 0)),
            astray(act.Commit.of(0, 0),
                   "without your army France is much weaker, and soon you'll need help yourself. Send it."))),
    Step(
        say=text("Each side rolled two dice and added their difference: France won by 4 to 3, thanks to your army. Round 2, "
                 "your turn: bring another army to the Caribbean. A move action moves up to two units."),
        rule="SOE-9.7.1", before=said_by(FRANCE, act.End.of()), picture="closeup", subject="mediterranean",
        choices=(
            astray(act.Move.of("army", "german_states", "mediterranean"),
                   "the Mediterranean is for France now. The next fight is yours, in the Caribbean."),
            lead(act.Move.of("army", "german_states", "caribbean")))),
    Step(
        say=text("That was close: the die showed 1, so a second one was rolled. On 1 or 2 the army would have sunk, on 3 or 4 "
                 "turned back; with the 5 it arrived. You could move a second unit now."),
        rule="SOE-8.3.4",
        choices=(
            lead(act.Decline.of()),
            astray(act.Move.of("army", "german_states", "caribbean"),
                   "then nobody guards your marker in the German States. Stop here."))),
    Step(
        say=text("Attack! It costs 2 gold. Before the dice you count your armies, 1 for naval support (only you have a navy "
                 "there) and any helpers. Spain has 1 for its army and 2 for its fort."),
        rule="SOE-9.6.2",
        choices=(
            astray(act.Attack.of("german_states", "neutral_2_gold_2"),
                   "one army against a defence of 2 seldom wins. In the Caribbean you are stronger: attack there."),
            lead(act.Attack.of("caribbean", "spain")),
            astray(act.Pass.of(), "you'll hardly be stronger later, and Spain may be. Attack."))),
    Step(
        say=text("France sent its army, and you won by 8 to 5: one of Spain's markers is now yours. But your dice, 5 and 2, "
                 "total 7, and a 7 costs a unit even if you win. Each unit lost is 1 unrest, which only you can see."),
        rule="SOE-9.10.2", private=True, picture="closeup", subject="caribbean",
        before=((FRANCE, act.Commit.of(1, 0)), (SPAIN, act.Lose.of("spain", "army")))),
    Step(
        say=text("Round 3. Tiles help you in every war: War Office gives you one more attack in each. It costs 3 gold and you "
                 "have {gold}. Any shortfall is taxed automatically: 2 gold for 1 unrest."),
        rule="SOE-3.2.2", facts=purse, before=said_by_each(act.End.of(), SPAIN, FRANCE),
        choices=(
            astray(act.Take.of("industry"), "it costs 1 unrest at once, and makes you no stronger. For now take War Office."),
            astray(act.Take.of("banking"), "it only pays if you tax often, and you shouldn't. Take War Office."),
            astray(act.Take.of("army_training"),
                   "it adds 1 to your fights on land, but its 9 gold are 4 unrest. Take War Office."),
            lead(act.Take.of("war_office")))),
    Step(
        say=text("Paid, and you keep the change from your taxes. You have one action left: do what you like this time. At the "
                 "end of the war every unit costs 1 gold, and every population left brings 1."),
        rule="SOE-17.2.1", private=True,
        choices=(lead(act.Build.of("army", "german_states")), lead(act.Build.of("fort", "german_states")), lead(act.Pass.of()))),
    Step(
        say=text("Two quiet rounds pass, and now it's the last one. Industry brings 3 victory points at once, for 1 unrest. "
                 "Government Reform is almost the only thing that removes any, and it costs 6 gold."),
        rule="SOE-12.15.1", private=True, brief=True,
        before=3 * said_by_each(act.End.of(), YOU, SPAIN, FRANCE),
        choices=(
            astray(act.Pass.of(), "3 points for 1 unrest is a good bargain while you have so little of it. Take the tile."),
            lead(act.Take.of("industry")))),
    Step(
        say=text("The war is over. Everybody collected 1 gold for each population left and each control marker, then paid 1 "
                 "for each unit. You have {markers} markers, {units} units and now {gold}. Then population grew by 5, up to 9."),
        rule="SOE-17.1.1", facts=reckoned, private=True, brief=True, before=said_by_each(act.End.of(), YOU, SPAIN, FRANCE)),
    Step(
        say=text("Then every area was scored: the most markers get its higher value, the next most the lower. After this war: "
                 "{points}. Markers and units stay for the next war; the alliances don't."),
        rule="SOE-17.4.2", facts=reckoned, picture="board", brief=True),
    Step(
        say=text("One last thing loses games: unrest. After the third war everybody reveals it. The most unrest loses 7 "
                 "points, the next most 4, and with 20 or more a power collapses and can't win."),
        rule="SOE-18.1.2", private=True),
    Step(
        say=text("That was a whole war. Join a game with `/game join` or open one with `/game open`. `/game rules` finds "
                 "every rule, and `/game help` shows where things are. Good luck!")),
)

FIRST_WAR = Lesson(key="first_war", title=text("Your first war"), edition="first", seats=(YOU, FRANCE, SPAIN), learner=YOU,
                   dice=dice, steps=STEPS)

TIPS: Mapping[str, Text] = {
    "DP-01": text("All powers play alike. They differ in where they can march without navies."),
    "DP-02": text("Think of defence. In a colony begin with a navy; a fort is best where you have two markers."),
    "DP-32": text("Put back markers far from the rest: neighbours are easier to defend."),
    "DP-03": text("Ally with those who could hurt you, and fight those who couldn't. Propose that with a low bid."),
    "DP-04": text("A pass isn't final: if somebody raises after you, you get another chance to bid."),
    "DP-05": text("Buy early what works once in every war: Diplomatic Service, Mercenaries, Pressgangs, Trained Natives, War "
                  "Office. Government Reform is for the end."),
    "DP-06": text("Using a tile costs no action. A once-a-war tile that you don't use is wasted; it's ready again next war."),
    "DP-07": text("An area has as many places as neutral markers belong to it. Build where places are left."),
    "DP-08": text("An army needs one of your own navies to enter a colony: move the navy first, then the army."),
    "DP-09": text("Losing a unit also costs unrest. Turning it back costs less gold than letting it arrive."),
    "DP-12": text("Help is binding, and you can lose the units you send. But those who help get helped."),
    "DP-14": text("Help is binding, and you can lose the units you send. But those who help get helped."),
    "DP-15": text("Winning at sea adds 1 on land. If you don't fight, you lose no navy, but the other side gets that 1."),
    "DP-16": text("If you don't fight, you lose no navy, but the attacker gets naval support (+1). A fight can cost you a navy."),
    "DP-20": text("Reserves rolls all four dice again, the other side's too. Keep it for a fight you would lose."),
    "DP-21": text("Reserves rolls all four dice again, the other side's too. Keep it for a fight you would lose."),
    "DP-22": text("Fighting Withdrawal saves your units and their unrest, but not the control marker."),
    "DP-23": text("A fort counts 2 in defence but never moves again; an army can also attack."),
}
