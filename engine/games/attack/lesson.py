"""The first campaign, guided: three rounds of Red beside Blue and Green; the dice are known and the others follow a script."""
from __future__ import annotations

from collections.abc import Mapping

from engine.dice import Dice, LoadedDice
from engine.games.attack.components import BLANK, Parts
from engine.games.attack.options import BASE
from engine.games.attack.rules.battle import Bring
from engine.games.attack.rules.cards import production_points
from engine.games.attack.rules.crossings import Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.ending import Propose
from engine.games.attack.rules.line_up_policies import REST, Keep, Policy
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight
from engine.games.attack.rules.naval_lines import Formation
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.setup import RANDOM, Capital, Claim, Deploy
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.games.attack.state import State
from engine.games.attack.words.nouns import points
from engine.kernel import Seat
from engine.kernel.lesson import Lesson, Step
from engine.lessons import astray, drawn, lead, said_by, said_by_each
from engine.text import Fact, count, text

YOU, BLUE, GREEN = (Seat(f"seat_{number}") for number in (1, 2, 3))

HANDS = (("oil_05", "min_05", "fac_05", "pop_09"),              # yours: three types of a set
         ("pop_01", "oil_01", "min_01", "rail_01"),             # Blue's
         ("rail_05", "pop_02", "oil_02", "min_03"))             # Green's
DEFENDERS = "min_10"                                            # 3 infantry and 1 artillery
FREE = ("fac_01", "pop_05", "rail_02")                          # cards that Diplomacy brings, in their order
LETTERS = {"I": "infantry", "T": "tank", "A": "artillery", "P": "plane", "-": BLANK}


def dice(parts: Parts) -> Dice:
    """Every roll of the lesson, in the order in which it comes."""
    deck = [card.id for card in parts.cards]

    def battle(faces: str) -> tuple[int, ...]:
        return tuple(parts.faces.index(LETTERS[face]) + 1 for face in faces)

    return LoadedDice(
        drawn(deck, [card for hand in HANDS for card in hand]),
        (2, 3, 6, 5, 4, 2),                                     # you, Blue and Green for the first turn
        (5, 4), drawn(deck, FREE[:1]),                          # Green negotiates with Algeria
        drawn(deck, [DEFENDERS]),                               # the battle for Panama: the neutrals begin each round
        battle("IAP-"), battle("TAPP-"), battle("AP"), battle("-PTI"),
        (4, 3, 2, 2), (5, 2, 4, 4), (1, 2, 3, 4), (6, 3, 3, 1), (3, 3, 2, 2),           # five pairs of ships, yours and Blue's
        (4, 5), drawn(deck, FREE[1:2]),                         # you negotiate with Colombia
        (2, 4), (5, 5, 3, 2), drawn(deck, FREE[2:]))            # and once more, in vain: Blue rolls higher than Green


def order(unit: str, number: int) -> Move:
    """Units that go from Mexico to Panama."""
    return Move.of(unit, "mexico", "panama", number, "land", "ask")


def formation(head: str = REST) -> Formation:
    """A line with these ships at its head, the others in the default order."""
    return Formation.of(head, REST, REST)


# --- facts of the position --------------------------------------------------------------------------------------

def income(s: State) -> Mapping[str, Fact]:
    return {"points": points(production_points(s, "red"))}


def left_to_spend(s: State) -> Mapping[str, Fact]:
    return {"points": points(s.turn.points)}


def score(s: State) -> Mapping[str, Fact]:
    owned = sorted(((len(s.territories(power)), power) for power in s.powers), reverse=True)
    return {"score": tuple(text("{power} {n}", power=power, n=number) for number, power in owned)}


def result(s: State) -> Mapping[str, Fact]:
    """Red's part of the score."""
    return {**score(s), "own": count(len(s.territories("red")), "{n} territory", "{n} territories")}


# --- the steps --------------------------------------------------------------------------------------------------

BEGINNING = (
    Step(
        say=text("Welcome! You are Red and play against Blue and Green. Attack! is about territories: whoever owns the most "
                 "at the end wins. At the start they are all neutral, and there are far more than you three can hold."),
        rule="ATK-19.4.1", picture="board", brief=True),
    Step(
        say=text("First everybody claims four neutral territories, taking turns, with one infantry on each. Begin with "
                 "Mexico: it has few borders, and by way of the Caribbean its units can reach every other coast there."),
        rule="ATK-3.3.1",
        before=((BLUE, Claim.of("great_britain")), (GREEN, Claim.of("eastern_us"))),
        choices=(
            lead(Claim.of("mexico")),
            astray(Claim.of("central_africa"), "six neighbours can attack it, and nothing of yours is near. Take Mexico."),
            astray(Claim.of(RANDOM), "it may lie anywhere, and territories side by side are easier to hold. Take Mexico."))),
    Step(
        say=text("You have Mexico, Southern US, Western US and Cuba. Now everybody places five more units of any type. The "
                 "battle die shows infantry, tank and artillery once each, and the plane twice, so planes hit most often."),
        rule="ATK-3.4.1", picture="board", brief=True,
        before=((BLUE, Claim.of("france")), (GREEN, Claim.of("quebec")), (YOU, Claim.of("southern_us")),
                (BLUE, Claim.of("iberia")), (GREEN, Claim.of("ontario")), (YOU, Claim.of("cuba")),
                (BLUE, Claim.of("germany")), (GREEN, Claim.of("morocco")), (YOU, Claim.of("western_us")),
                (BLUE, Deploy.of("tank", "france", 1)), (GREEN, Deploy.of("tank", "eastern_us", 1))),
        choices=(
            astray(Deploy.of("infantry", "mexico", 1), "you can buy infantry cheaply later. Begin with a plane."),
            lead(Deploy.of("plane", "mexico", 1)),
            astray(Deploy.of("plane", "cuba", 1), "you will attack from Mexico, and one strong force is better than two weak "
                                                  "ones. Place it there."))),
    Step(
        say=text("All nine units are placed. Now your capital. It gives 10 production points to the owner of its territory "
                 "and never moves, so keep it safe."),
        rule="ATK-16.1.2", brief=True,
        before=((BLUE, Deploy.of("plane", "france", 1)), (GREEN, Deploy.of("plane", "eastern_us", 1)),
                (YOU, Deploy.of("tank", "mexico", 1)),
                (BLUE, Deploy.of("artillery", "france", 1)), (GREEN, Deploy.of("artillery", "eastern_us", 1)),
                (YOU, Deploy.of("artillery", "mexico", 1)),
                (BLUE, Deploy.of("tank", "germany", 1)), (GREEN, Deploy.of("infantry", "eastern_us", 1)),
                (YOU, Deploy.of("infantry", "mexico", 1)),
                (BLUE, Deploy.of("infantry", "france", 1)), (GREEN, Deploy.of("infantry", "morocco", 1)),
                (YOU, Deploy.of("infantry", "mexico", 1)),
                (BLUE, Capital.of("france")), (GREEN, Capital.of("eastern_us"))),
        choices=(
            astray(Capital.of("cuba"), "one infantry holds it, and units can cross to it from eight coasts. Choose Mexico."),
            lead(Capital.of("mexico")),
            astray(Capital.of("southern_us"), "Green stands next to it, in Eastern US. Choose Mexico."))),
)

FIRST_TURN = (
    Step(
        say=text("Your turn: three different actions, in any order. Trade first. Oil, minerals, factories and railroads are a "
                 "set, and you lack railroads. Green has one to spare, and would like your population card."),
        rule="ATK-17.1.1", private=True,
        before=(*said_by(BLUE, Begin.of("naval_battle"), End.of()), *said_by(GREEN, Diplomacy.of("algeria"), End.of())),
        choices=(
            lead(Offer.of("green", ("population_3",), ("railroads_2",))),
            astray(Offer.of("green", ("oil_2",), ("railroads_2",)), "then you'd lack oil. Population isn't in any set: give "
                                                                    "that."),
            astray(Begin.of("production"), "with a set it brings more. Trade first."))),
    Step(
        say=text("Done, and nobody else saw the cards. Each card brings its number, twice that in a set, and your capital 10: "
                 "you'd get {points}. Production doesn't use your cards up, so take it now, before the attack."),
        rule="ATK-18.1.1", facts=income, private=True, before=((GREEN, Answer.of(True)),),
        choices=(
            astray(Begin.of("movement"), "you finish one action before the next. Buy first and attack with more."),
            lead(Begin.of("production")),
            astray(End.of(), "you have two actions left. Take Production."))),
    Step(
        say=text("You have {points} to spend, and what you don't spend is lost. Infantry cost 5, artillery 8, tanks 10, "
                 "planes 15, ships 5 to 20. A tank rolls two dice and moves two territories."),
        rule="ATK-18.2.1", facts=left_to_spend, private=True,
        choices=(
            lead(Buy.of("tank", 2)),
            astray(Buy.of("infantry", 5), "infantry hit on just one face of the die. Buy tanks."),
            astray(Buy.of("aircraft_carrier", 1), "ships can't take land, and you want Panama. Buy tanks."))),
    Step(
        say=text("Your two tanks and one more infantry are in Mexico. Last action: Movement. Panama is neutral, and nobody "
                 "knows yet which card defends it, so bring many units. One must stay behind. Infantry first."),
        rule="ATK-8.2.1", picture="board", brief=True,
        before=((YOU, Buy.of("infantry", 1)), (YOU, Confirm.of()), (YOU, Deploy.of("tank", "mexico", 2)),
                (YOU, Deploy.of("infantry", "mexico", 1)), (YOU, Begin.of("movement"))),
        choices=(
            astray(Move.of("plane", "mexico", "colombia", 1, "land", "ask"),
                   "planes alone would face all of Colombia's defenders. Send the infantry to Panama."),
            lead(order("infantry", 2)),
            astray(Confirm.of(), "then nothing moves and the action is wasted. Order units first."))),
    Step(
        say=text("You sent 2 infantry, 2 tanks, 1 artillery and 1 plane; the card sends 3 infantry and 1 artillery. Four "
                 "units a side fight first, the rest wait in reserve. In a real game this runs by itself unless you ask to "
                 "decide."),
        rule="ATK-7.1.3",
        before=((YOU, order("tank", 2)), (YOU, order("artillery", 1)), (YOU, order("plane", 1)), (YOU, Confirm.of()),
                (BLUE, Answer.of(False)), (GREEN, Answer.of(False))),
        choices=(
            lead(Policy.of(REST, REST, REST)),
            astray(Policy.of("tank", "infantry", REST), "each type hits on its own faces only, so two types hit less. Line up "
                                                        "mixed, one of each."))),
    Step(
        say=text("The defenders rolled first. A face hits if they have that unit in battle: infantry and artillery did, the "
                 "plane didn't. You lose infantry first, then tanks, artillery, planes. Two places are free: bring up your "
                 "reserve?"),
        rule="ATK-7.5.1",
        choices=(
            astray(Bring.of(0, 0, 0, 0), "a reserve rolls no dice, and every hit counts now. Bring up all that fit."),
            lead(Keep.of(())),
            astray(Keep.of(("tank",)), "that saves a tank but costs you two dice. Bring up all that fit."))),
    Step(
        say=text("Panama is yours, and so is the card that defended it. Your two plane faces made only one hit, since each "
                 "unit hits once a roll. Another player would have lost a card to you."),
        rule="ATK-8.4.1", picture="closeup", private=True),
)

SECOND_TURN = (
    Step(
        say=text("Round 2. Blue has controlled the sea lanes since its first turn: nobody had them, so a Naval battle took "
                 "them without a fight. Their controller may refuse anything that crosses the sea, except planes. Challenge "
                 "Blue!"),
        rule="ATK-12.2.1", before=said_by_each(End.of(), BLUE, GREEN), brief=True,
        choices=(
            lead(Begin.of("naval_battle")),
            astray(Begin.of("strategic_movement"), "it only moves units between your own territories. Go for the sea lanes."),
            astray(End.of(), "you have three actions. Go for the sea lanes."))),
    Step(
        say=text("Blue fights and has lined up its five ships face down. Now you. Each pair of ships rolls two dice a side. "
                 "Whichever pair loses, its side's leading ship is hit, and a battleship there takes two hits."),
        rule="ATK-13.3.4",
        before=((BLUE, Fight.of(True)), (BLUE, formation("submarine"))),
        choices=(
            lead(formation()),
            astray(formation("submarine"), "a submarine sinks at the first hit. Put the battleship there."),
            astray(formation("destroyer"), "a destroyer sinks at the first hit. Put the battleship there."))),
    Step(
        say=text("Blue lost two submarines, and both battleships are damaged: they leave this battle and are repaired later. "
                 "Destroyers add 2 against submarines, submarines against battleships, battleships against destroyers."),
        rule="ATK-13.4.1", picture="naval",
        choices=(
            lead(Fight.of(True)),
            astray(Fight.of(False), "whoever withdraws loses, and you have four fit ships against two. Fight on."))),
    Step(
        say=text("Blue withdrew: the sea lanes are yours. Now Diplomacy, which wins neutral territories without a fight: you "
                 "need 8 or more on two dice next to your own, by land or by sea, and 9 or more elsewhere. Try Colombia."),
        rule="ATK-14.1.2", before=((BLUE, Fight.of(False)),),
        choices=(
            lead(Diplomacy.of("colombia")),
            astray(Diplomacy.of("iraq"), "it is far from yours and needs 9. Colombia, next to Panama, needs 8."),
            astray(Begin.of("production"), "you have enough units for now. Try Diplomacy."))),
    Step(
        say=text("A 9: Colombia is yours, with an infantry and a card. Only Diplomacy may be repeated in the same turn. But "
                 "if you fail, the others roll too, and the best of them gets the territory with 9 or more. Do as you like."),
        rule="ATK-14.3.1",
        choices=(lead(Diplomacy.of("venezuela")), lead(Diplomacy.of("peru")), lead(End.of()))),
)

END = (
    Step(
        say=text("Round 3. This game would end after eight rounds, or as soon as somebody has no land units left. Blue "
                 "proposes to end it after this round. All must agree, and Green does. You lead: {score}."),
        rule="ATK-19.3.6", facts=score,
        before=(*said_by(BLUE, Propose.of(), End.of()), *said_by(GREEN, Answer.of(True))),
        choices=(
            lead(Answer.of(True)),
            astray(Answer.of(False), "then you would play on to the eighth round, and this lesson is short. Accept."))),
    Step(
        say=text("Green's last turn. Its infantry wants to cross from Morocco to Southern US, which you hold with one "
                 "infantry. You control the sea lanes, so you decide. A standing order can do this for you."),
        rule="ATK-6.2.2",
        before=((GREEN, Begin.of("movement")), (GREEN, Move.of("infantry", "morocco", "southern_us", 1, "water", "ask")),
                (GREEN, Confirm.of())),
        choices=(
            astray(Permit.of(True), "it would attack you. Refuse."),
            lead(Permit.of(False)))),
    Step(
        say=text("Its infantry went back. Now your own last turn. What counts is how many territories you own when it ends; "
                 "land units only break ties."),
        rule="ATK-19.4.1", before=said_by(GREEN, End.of()),
        choices=(
            lead(End.of()),
            astray(Begin.of("production"), "units would change nothing now. End the turn."),
            astray(Begin.of("movement"), "you lead, and an attack can cost more than it brings. End the turn."))),
    Step(
        say=text("You win with {own}: {score}. Now you know the game. After a Movement there is also the Blitz, for tanks and "
                 "planes only. Join a game with `/game join` or open one with `/game open`. `/game rules` finds every rule. "
                 "Good luck!"),
        rule="ATK-10.1.2", facts=result, picture="board", brief=True),
)

FIRST_CAMPAIGN = Lesson(
    key="first_campaign", title=text("Your first campaign"), edition=BASE, options={"end_mode": "round_limit"},
    seats=(YOU, BLUE, GREEN), learner=YOU, dice=dice, steps=(*BEGINNING, *FIRST_TURN, *SECOND_TURN, *END))
