"""The first war, guided: a turn and the War of the Spanish Succession, seen by France. Britain follows a script."""
from __future__ import annotations

from collections.abc import Mapping

from engine.dice import Dice, SecretDice
from engine.games.imperial_struggle.actions.advantages import UseAdvantage
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose
from engine.games.imperial_struggle.actions.military import BuildSquadron, BuyTile, Deploy, Fortify
from engine.games.imperial_struggle.actions.ministries import Keep, Reveal
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, TakeTile
from engine.games.imperial_struggle.actions.shifts import ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.actions.turns import Appoint, NameFirst
from engine.games.imperial_struggle.actions.wars import Conquer, Forgo
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.options import FIRST_GAME
from engine.games.imperial_struggle.state import ActionName, State
from engine.kernel import Seat
from engine.kernel.lesson import Lesson, Step
from engine.lessons import astray, lead, said_by
from engine.text import Fact, text

BRITAIN, YOU = Seat("seat_1"), Seat("seat_2")
DP4_MP2, DP4_EP2, MP4_EP2, MP4_DP2 = "inv_11", "inv_09", "inv_17", "inv_20"
EP3, DP2, MP3_DP2, MP3_EP2 = "inv_05", "inv_15", "inv_22", "inv_21"                     # with the event symbol
MAJOR: ActionName = "major"
MINOR: ActionName = "minor"


def dice(parts: Parts) -> Dice:
    """Every draw of the lesson: the same one each time."""
    return SecretDice(f"{3:064x}", by_decision=True)


def politics(space: str, action: ActionName = MAJOR, debt: int = 0) -> ShiftPolitical:
    return ShiftPolitical.of(space, action, "", debt, 0)


def market(space: str, action: ActionName = MINOR) -> ShiftMarket:
    return ShiftMarket.of(space, action, "", "", 0, 0)


def deploy(to: str) -> Deploy:
    return Deploy.of("navy_box", to, MAJOR, 0, 0)


def counter(s: State) -> Mapping[str, Fact]:
    return {"vp": s.vp}


ROUND_2 = said_by(BRITAIN, TakeTile.of(DP4_EP2), politics("german_states_alliance_2"), politics("dutch_alliance"),
                  market("georges_bank"), EndRound.of())
ROUND_4 = said_by(BRITAIN, TakeTile.of(MP4_DP2), deploy("balearic"), deploy("antilles_channel"), BuyTile.of(MAJOR, 0, 0),
                  Choose.of("wss_queen_annes_war"), politics("austria_prestige_silesia", MINOR, debt=1), EndRound.of())
ROUND_6 = said_by(BRITAIN, TakeTile.of(DP2), PlayEvent.of("ev_06", "", ""), Choose.of("iroquois"), politics("spain_prestige_2"),
                  market("santiago"), EndRound.of())
ROUND_8 = said_by(BRITAIN, TakeTile.of(MP3_EP2), BuyTile.of(MAJOR, 0, 0), Choose.of("wss_jacobite_rebellion"), market("vellore"),
                  EndRound.of(), Keep.of())

BEGINNING = (
    Step(
        say=text("Welcome! You are France, and Britain is your opponent. One counter serves both: it stands at {vp}, you push "
                 "it up and Britain pushes it down. A first game ends after the first war: above 15, you win."),
        rule="IS-16.1", facts=counter, picture="board", brief=True),
    Step(
        say=text("Each of you picks two ministries and lays them face down. They do nothing until you turn them up in one of "
                 "your rounds. You hold the event Alberoni's Ambition, whose bonus asks for Governance: the Cardinal Ministers "
                 "supply it."),
        rule="IS-4.7.1", private=True, brief=True,
        choices=(
            astray(Appoint.of(("M-2", "M-4"), False), "neither of them supplies Governance. Take the Cardinal Ministers and the "
                                                      "Court of the Sun King."),
            lead(Appoint.of(("M-1", "M-3"), False)))),
    Step(
        say=text("You have the initiative, so you say who takes the first action round. There are eight, by turns, and each "
                 "begins with the choice of a tile. Whoever chooses first gets the best one."),
        rule="IS-4.8", brief=True, before=said_by(BRITAIN, Appoint.of(("M-7", "M-10"), False)),
        choices=(
            lead(NameFirst.of("france")),
            astray(NameFirst.of("britain"), "Britain would choose its tile before you. Begin yourself."))),
)

FIRST_ROUND = (
    Step(
        say=text("A tile has a major action, of up to 4 points, and a minor one of 2. EP are for markets, DP for political "
                 "spaces, MP for forts, squadrons and war tiles. You want allies in Italy: take diplomatic points."),
        rule="IS-5.6.1", picture="board", brief=True,
        choices=(
            lead(TakeTile.of(DP4_MP2)),
            astray(TakeTile.of(DP2), "2 points aren't much; such tiles are for their symbols. Take 4 DP / 2 MP."),
            astray(TakeTile.of(MP4_EP2), "military points place no flags in Italy. Take 4 DP / 2 MP."))),
    Step(
        say=text("An empty political space costs its number in DP and gets your flag; an opposing one would first lose its "
                 "flag for the same price. Alberoni's Ambition brings 3 VP if both Savoy and Sardinia are yours. Begin with "
                 "Sardinia."),
        rule="IS-7.1",
        choices=(
            lead(politics("sardinia")),
            astray(politics("russia"), "Italy comes first: Britain may take Sardinia next."))),
    Step(
        say=text("2 DP are left, just enough for Savoy. If you were short, debt or treaty points (TRP) could make up the rest."),
        rule="IS-5.9.1",
        choices=(
            lead(politics("savoy")),
            astray(politics("spain_prestige_3", debt=1), "it costs debt, and Savoy is what you need. Take Savoy."))),
    Step(
        say=text("The minor action is one purchase. A fort at Louisbourg costs 3 MP and you have 2, so 1 debt makes up the "
                 "rest. It protects markets beside it and is worth strength in the war."),
        rule="IS-5.7.1",
        choices=(
            lead(Fortify.of("louisbourg", MINOR, 1, 0)),
            astray(EndRound.of(), "2 MP would lapse. Build the fort."))),
    Step(
        say=text("You have nothing left to spend, so end the round. In a real game you plan a round like this in private, undo "
                 "steps as you like, and publish it with one press."),
        rule="IS-5.11", brief=True,
        choices=(lead(EndRound.of()),)),
)

SECOND_ROUND = (
    Step(
        say=text("Britain has answered in Germany, the Netherlands and off Newfoundland. You have taken 4 MP / 2 EP. A "
                 "squadron controls its naval space. From there it protects markets, opens the way to others, and fights in "
                 "wars nearby."),
        rule="IS-8.6", before=(*ROUND_2, *said_by(YOU, TakeTile.of(MP4_EP2))),
        choices=(
            lead(deploy("biscay")),
            astray(deploy("malabar_coast"), "India is far from the coming war. Biscay counts in its theater of Spain and is "
                                            "worth Prestige, too."))),
    Step(
        say=text("You have built another squadron, with 1 debt. Now the minor action: 2 EP for a market. A market needs a line "
                 "from something of yours, here from St. Domingue. Sugar is in demand this turn, so markets with Sugar score."),
        rule="IS-6.2", picture="closeup", subject="caribbean", brief=True,
        before=said_by(YOU, BuildSquadron.of("", MAJOR, 1, 0)),
        choices=(
            astray(market("caicos"), "Caicos yields Tobacco, which isn't in demand. Take Puerto Principe."),
            lead(market("puerto_principe")))),
)

THIRD_ROUND = (
    Step(
        say=text("Your third round, with the tile 3 EP / 2 DP. Its symbol lets you play one event, before anything else. Turn "
                 "up the Cardinal Ministers with it: Governance brings the bonus."),
        rule="IS-13.5", private=True,
        before=(*said_by(YOU, EndRound.of()), *ROUND_4, *said_by(YOU, TakeTile.of(EP3))),
        choices=(
            astray(PlayEvent.of("ev_13", "", ""), "without Governance there is no bonus. Turn up the Cardinal Ministers."),
            lead(PlayEvent.of("ev_13", "M-1", "")),
            astray(Pass.of(), "passing lowers your debt by 2 and wastes everything else."))),
    Step(
        say=text("The event shifts an Alliance space, and then its bonus counts Savoy and Sardinia. Alliance spaces lend "
                 "strength in wars; this one, in Spain, counts in the next."),
        rule="IS-14.5.1", brief=True,
        choices=(
            lead(Choose.of("spain_alliance_south")),
            astray(Choose.of("dutch_alliance"), "that only takes off a British flag. Place one of your own in Spain."))),
    Step(
        say=text("3 VP: the counter stands at {vp}. You hold an advantage, Algonquin Raids, since Algonquin is yours. It puts "
                 "a conflict marker on a Furs market: the flag there stops counting, and it could be taken off for 1 EP."),
        rule="IS-11.3", facts=counter,
        choices=(
            lead(UseAdvantage.of("algonquin_raids", "hudson_valley")),
            astray(UseAdvantage.of("algonquin_raids", "york_factory"), "nobody is there. Mark a British market."))),
    Step(
        say=text("Britain's flag on Georges Bank counts for Fish, which is in demand, and your fort at Louisbourg is connected "
                 "to it. Take the flag off. Placing your own there would be a second purchase."),
        rule="IS-6.4",
        choices=(
            lead(market("georges_bank", MAJOR)),
            astray(market("niagara", MAJOR), "it helps less: Furs aren't in demand."))),
)

LAST_ROUND = (
    Step(
        say=text("Your last round of the turn, with 3 MP / 2 DP. The Court of the Sun King makes the award for Europe worth 1 "
                 "VP more to you, but only face up. This is the last moment for it."),
        rule="IS-12.3", private=True, brief=True,
        before=(*said_by(YOU, politics("denmark_norway", MINOR), EndRound.of()), *ROUND_6, *said_by(YOU, TakeTile.of(MP3_DP2))),
        choices=(
            lead(Reveal.of("M-3")),
            astray(EndRound.of(), "face down, it does nothing when the turn is scored. Turn it up."))),
    Step(
        say=text("War tiles are the armies of the next war. A bonus tile costs 2 MP: it's drawn at random and goes face down "
                 "to a theater of your choice."),
        rule="IS-8.1.2",
        choices=(
            lead(BuyTile.of(MAJOR, 0, 0)),
            astray(deploy("cuba_passage"), "a squadron there doesn't fight in Europe. Buy a tile."))),
    Step(
        say=text("Only you see what you have drawn. Spain pays conquest points for a wide margin, so make it wide there."),
        rule="IS-14.7.1", private=True, picture="war",
        choices=(
            lead(Choose.of("wss_spain")),
            astray(Choose.of("wss_jacobite_rebellion"), "it pays victory points alone. Choose Spain."))),
)

WAR = (
    Step(
        say=text("The turn has been scored: awards by the flags in each region, Prestige, and the goods in demand. Then the "
                 "war began with Central Europe. You won it by 3, for 2 VP and 1 conquest point (CP), and the counter "
                 "stands at {vp}. San Agustin is joined to your St. Domingue by a conquest line: take it."),
        rule="IS-14.8.5", facts=counter, picture="war",
        before=(*said_by(YOU, politics("sweden", MINOR), EndRound.of()), *ROUND_8, *said_by(BRITAIN, Choose.of("biscay"))),
        choices=(
            lead(Conquer.of("san_agustin", "")),
            astray(Forgo.of(), "what you don't use now is lost. Take San Agustin."))),
    Step(
        say=text("It also brings you the advantage Fruit. You won Spain by 8, for 2 CP. Gibraltar needs no line, and Naval "
                 "Bastion comes with it."),
        rule="IS-14.8.5",
        choices=(
            lead(Conquer.of("gibraltar", "")),
            astray(Conquer.of("biscay", "navy_box"), "your squadron can return there with the second point. Gibraltar first."))),
    Step(
        say=text("The last point is for you to choose: bring the squadron that Britain drove off back to Biscay, or take "
                 "Asiento, which brings the advantage Slaving Contracts."),
        rule="IS-14.8.6",
        choices=(lead(Conquer.of("biscay", "navy_box")), lead(Conquer.of("asiento", "")))),
    Step(
        say=text("Britain won Queen Anne's War by 1, and you the Jacobite Rebellion. The counter stands at {vp}, so France "
                 "wins. A whole game goes on for five more turns and three more wars. You know all that you need for your "
                 "first one: open a game with the preset For a first game!"),
        facts=counter, picture="board", brief=True),
)

LESSON = Lesson(
    key="first_war", title=text("Your first turn and war"), edition=FIRST_GAME, seats=(BRITAIN, YOU), learner=YOU, dice=dice,
    steps=(*BEGINNING, *FIRST_ROUND, *SECOND_ROUND, *THIRD_ROUND, *LAST_ROUND, *WAR))
