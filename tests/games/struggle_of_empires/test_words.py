"""What buttons, headings and log lines of Struggle of Empires say, word for word."""
from __future__ import annotations

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import (
    Ally,
    Assign,
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
from engine.games.struggle_of_empires.events import (
    AllianceFormed,
    AllianceUsedAtSea,
    AreaScored,
    BidPlaced,
    CaptiveFreed,
    Captured,
    CrossingRolled,
    DiceRolled,
    FarLandsRolled,
    FightDecided,
    GameEnded,
    GoldPaid,
    GoldTaken,
    HelpSent,
    MarkerPutBack,
    MendingDone,
    NeutralBeaten,
    Passed,
    Penalised,
    RaidBegun,
    StartDrawn,
    SupportDoubled,
    TileUsed,
    TokenBack,
    UnitBuilt,
    UnitMoved,
    UnitSunk,
    UnitTurnedBack,
    UnitWithdrawn,
    UnrestChanged,
    UnrestRevealed,
)
from engine.games.struggle_of_empires.words.menus import MENUS
from engine.kernel import Action, Event
from engine.kernel.events import told
from engine.text import Reader, say
from tests.scene import FAIR, scene

READER = Reader(GAME.words.names(components(GAME, "first").parts))
A, B, C = "austria", "britain", "france"

LABELS: list[tuple[Action, str]] = [
    (Choose(power="united_provinces"), "United Provinces"), (Choose(power="random"), "a random power"),
    (Place(unit="army", area="india"), "Place an army in India"),
    (Bid(gold=0, a=A, b=B), "0 gold: Austria in row A, Britain in row B"), (Bid(gold=2, b=B), "2 gold: Britain in row B"),
    (Pass(), "Pass"), (End(), "End turn"), (Decline(), "No"), (Fight(), "Fight at sea"),
    (Build(unit="fort", to="baltic"), "Build a fort in the Baltic"),
    (Rebuild(unit="army", at="india"), "Rebuild the army from India"),
    (Rebuild(unit="navy", at="india", tile="pressgangs"), "Rebuild the navy from India with Pressgangs"),
    (Send(to=A), "Austria"), (Move(unit="navy", origin=A, to="india"), "Move a navy from Austria to India"),
    (Attack(area="india", target="neutral_3"), "Attack neutral marker 3 in India"),
    (Attack(area="africa", target="neutral_2_gold_2"), "Attack neutral marker 2 (+2 gold) in Africa"),
    (Attack(area="india", target=B, surprise=True, war_office=True),
     "Attack Britain in India with Surprise Attack and War Office"),
    (Attack(area="india", target=B, naval_only=True), "Attack Britain in India at sea only"),
    (Attack(area="india", target=B, war_office=True, naval_only=True), "Attack Britain in India at sea only with War Office"),
    (Fight(alliances=("local_denmark",)), "Fight at sea with the Denmark alliance"),
    (Ally(place="local_denmark"), "Form the Denmark alliance"),
    (Covert(token="pirates", area="india", target=B), "Pirates against Britain in India"),
    (Colonise(area="india"), "Colonise India"), (Enslave(area="africa"), "Enslave in Africa"),
    (Take(tile="alliance_denmark"), "Buy the Denmark alliance"),
    (Take(tile="pirates", area="india", target=B), "Buy Pirates against Britain in India"),
    (Use(tile="reserves"), "Use Reserves"), (Use(tile="blockade", on="india"), "Use Blockade in India"),
    (Use(tile="pressgangs", on="baltic"), "Build a navy in the Baltic with Pressgangs"),
    (Use(tile="diplomatic_service", on="alliance_denmark"), "Use Diplomatic Service for the Denmark alliance"),
    (Call(allies=(B, C)), "Call Britain and France"), (Call(), "Call nobody"),
    (Commit(armies=1, navies=2), "Send 1 army and 2 navies"), (Commit(armies=0, navies=0), "Send nothing"),
    (Assign(stage="sea"), "At sea"), (Assign(stage="land"), "On land"), (Lose(owner=B, unit="fort"), "Britain's fort"),
    (Give(to=B, gold=1), "Give Britain 1 gold"),
    (Mend(to="ok", gold=3), "Pay: it arrives"), (Mend(to="back", gold=2), "Pay: it turns back unharmed"),
    (Redraw(area="india", marker="neutral_3"), "Put back India: neutral marker 3"),
]


@pytest.mark.parametrize("action, label", LABELS, ids=[label for _, label in LABELS])
def test_what_a_button_says(action, label):
    assert say(action.label(), READER) == label


def test_every_kind_of_answer_has_a_label_here():
    assert {type(action) for action, _ in LABELS} == {*GAME.rules.actions, *GAME.rules.asides}


LINES: list[tuple[Event, str]] = [
    (BidPlaced(bidder=C, gold=4, a=B, b=A), "France bids 4 gold: Britain in row A, Austria in row B."),
    (Passed(power=A, actions=1), "Austria passes an action."), (Passed(power=A, actions=2), "Austria passes 2 actions."),
    (HelpSent(ally=C, principal=A, armies=1, navies=2), "France sends Austria 1 army and 2 navies."),
    (HelpSent(ally=C, principal=A, armies=0, navies=0), "France sends Austria no help."),
    (HelpSent(ally=C, principal="united_provinces", armies=1, navies=0), "France sends the United Provinces 1 army."),
    (AllianceFormed(power=A, place="local_denmark"), "Austria forms the Denmark alliance."),
    (AllianceUsedAtSea(side=A, tile="alliance_denmark"), "The Denmark alliance helps Austria at sea."),
    (TokenBack(power=A, token="pirates"), "The Pirates token goes back to the display."),
    (GoldPaid(power=A, gold=2, taxed=2), "Austria pays 2 gold."),
    (UnitBuilt(power=A, unit="army"), "Austria builds an army."),
    (UnitBuilt(power=A, unit="army", tile="trained_natives", place="india"),
     "Austria builds an army in India with Trained Natives."),
    (MarkerPutBack(power=A, marker="india_02", area="india", face="neutral_3"),
     "Austria puts back neutral marker 3 from India."),
    (FarLandsRolled(power=A, face="orange_arrow"), "Austria rolls an orange arrow on the Far Lands die."),
    (MendingDone(power=A, before="back", result="ok"), "Austria pays to mend the crossing: the unit arrives."),
    (MendingDone(power=A, before="lost", result="back"), "Austria pays to save the unit: it turns back."),
    (CrossingRolled(power=A, dice=(1, 4)), "Austria rolls 1 and 4 for the crossing."),
    (DiceRolled(stage="land", attacker=A, defender="neutral_3", dice=(2, 5, 1, 1), parts=((2, 0, 1, 0, 3), (3, 0, 0, 0, 0))),
     "On land: Austria: 2 armies + alliance 1 + dice 5−2 = **6**; neutral marker 3: strength 3 + dice 1−1 = **3**."),
    (DiceRolled(stage="sea", attacker=A, defender=B, dice=(1, 1, 1, 1), parts=((1, 0, 0, 0, 0), (0, 0, 0, 0, 0))),
     "At sea: Austria: 1 navy + dice 1−1 = **1**; Britain: dice 1−1 = **0**."),
    (FightDecided(stage="land", winner="neutral_3"), "Neutral marker 3 wins on land."),
    (FightDecided(stage="sea", winner=""), "It's a tie at sea."),
    (RaidBegun(sender=A, token="slave_revolt", target=B, area="africa", strength=3),
     "Austria sends the Slave Revolt against Britain in Africa."),
    (DiceRolled(stage="sea", attacker="pirates", defender=B, dice=(5, 2, 1, 1), parts=((1, 0, 0, 0, 3), (0, 0, 0, 0, 0))),
     "At sea: the Pirates: strength 1 + dice 5−2 = **4**; Britain: dice 1−1 = **0**."),
    (FightDecided(stage="sea", winner="pirates"), "Victory at sea for the Pirates."),
    (Captured(token="slave_revolt", power=B, area="africa", sender=A),
     "Britain's control marker in Africa is captured by the Slave Revolt."),
    (SupportDoubled(side=A), "Austria's naval support counts double: 2."),
    (UnitWithdrawn(owner=B, unit="army", area="india", goes_home=True), "Britain's army withdraws from India to its home."),
    (UnitWithdrawn(owner=B, unit="fort", area="india", goes_home=False), "Britain's fort in India isn't lost."),
    (NeutralBeaten(winner=A, area="india", marker="india_02", face="neutral_3"),
     "Austria beats neutral marker 3 and gains a control marker in India."),
    (CaptiveFreed(token="pirates", winner=A, owner=B, area="india"),
     "Austria beats the Pirates in India and replaces Britain's captive marker with its own."),
    (AreaScored(area="india", points={A: 5, B: 3}), "Points in India: Austria 5 and Britain 3."),
    (UnrestRevealed(unrest={A: 5, B: 0}), "Unrest is revealed: Austria 5 and Britain 0."),
    (Penalised(power=A, points=7), "Austria loses 7 victory points for unrest."),
    (GameEnded(ranking=(A, B), winners=(A,)), "Austria wins the game."),
    (GameEnded(ranking=(A, B), winners=(A, B)), "Austria and Britain share the victory."),
    (GameEnded(ranking=(A, B), winners=()), "Every power has collapsed: nobody wins."),
]


@pytest.mark.parametrize("event, line", LINES, ids=[line for _, line in LINES])
def test_what_the_log_says(event, line):
    told = event.line()
    assert told is not None and say(told, READER) == line


@pytest.mark.parametrize("event", [UnrestChanged(power=A, by=2, total=5, cause="taxation"), AreaScored(area="india", points={}),
                                   GoldPaid(power=A, gold=0, taxed=0), MendingDone(power=A, before="lost", result="lost")])
def test_what_the_log_keeps_to_itself(event):
    assert event.line() is None


@pytest.mark.parametrize("position, words", [
    ({"phase": "placing"}, "Setup: starting units"),
    ({"phase": "auction", "war": 2}, "War 2: auction for alliances"),
    ({"war": 2, "round": 3, "active": B}, "War 2, round 3 of 6: Britain's turn"),
    ({"phase": "reckoning"}, "The game is over"),
    ({"phase": "war_end", "dice": FAIR}, "War 2: auction for alliances"),
])
def test_where_the_game_stands_in_a_few_words(position, words):
    assert say(GAME.words.moment(scene(**position).state), READER) == words


def test_SOE_21_1_2_a_seat_reads_its_unrest_and_no_other():
    table = scene(unrest={A: 4, B: 9})
    own = GAME.views.private(table.state, table.state.seat(A))
    assert own is not None and say(own, READER) == "Your unrest: 4."


@pytest.mark.parametrize("number", range(2, 8))
def test_every_seat_is_called_by_its_power(number):
    powers = (A, B, C, "prussia", "russia", "spain", "united_provinces")[:number]
    state = scene(powers=powers).state
    assert [GAME.words.seat_name(state, state.seat(power)) for power in powers] == list(powers)
    assert GAME.rules.active(state) == "seat_1"


@pytest.mark.parametrize("areas, said", [
    (("india", "baltic"), "Spain has control markers in India and the Baltic."),
    (("central_europe", "central_europe"), "Spain has 2 control markers in Central Europe."),
    (("central_europe", "india", "central_europe"), "Spain has 2 control markers in Central Europe and 1 in India.")])
def test_two_markers_in_an_area_are_told_as_two(areas, said):
    line = StartDrawn(power="spain", markers=("",) * len(areas), areas=areas).line()
    assert say(line, READER) == said


MOVED = {"power": A, "unit": "navy", "origin": A, "to": "india"}


@pytest.mark.parametrize("events, sentences", [
    ((UnitBuilt(power=A, unit="army"), UnitMoved(power=A, unit="army", origin=A, to="baltic")),
     ["Austria builds an army and moves it to the Baltic."]),
    ((TileUsed(power=A, tile="mercenaries"), UnitBuilt(power=A, unit="army", tile="mercenaries"),
      UnitMoved(power=A, unit="army", origin=A, to="baltic")),
     ["Austria builds an army with Mercenaries and moves it to the Baltic."]),
    ((TileUsed(power=A, tile="baltic_company"), GoldTaken(power=A, gold=3, tile="baltic_company")),
     ["Austria collects 3 gold with the Baltic Company."]),
    ((TileUsed(power=A, tile="reserves"),), ["Austria uses Reserves."]),
    ((CrossingRolled(power=A, dice=(6,)), UnitMoved(**MOVED)), ["Austria rolls 6: its navy crosses from Austria to India."]),
    ((CrossingRolled(power=A, dice=(1, 2)), UnitSunk(**MOVED)), ["Austria rolls 1 and 2: its navy sinks on its way to India."]),
    ((CrossingRolled(power=A, dice=(1, 3)), UnitTurnedBack(**MOVED)),
     ["Austria rolls 1 and 3: its navy is turned back on its way to India and stays in Austria."]),
    ((FarLandsRolled(power=A, face="green_check"), UnitMoved(**MOVED)),
     ["Austria rolls a green tick: its navy crosses from Austria to India."]),
    ((CrossingRolled(power=A, dice=(1,)),), ["Austria rolls 1 for the crossing."]),
], ids=lambda given: given[0] if isinstance(given, list) else "")
def test_what_belongs_together_is_one_sentence(events, sentences):
    assert [say(line, READER) for line in told(events)] == sentences


def test_a_kind_of_action_is_called_by_what_is_done():
    titles = [MENUS[verb].title for verb in ("ally", "covert", "tile", "use")]
    assert titles == ["form an alliance", "covert action", "buy a tile", "use a tile"]
