"""Every refusal of Attack! outside battles: its rule and its sentence, and nothing changes."""
from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine.games.attack
from engine.games.attack import GAME
from engine.games.attack.rules.combat import Attack
from engine.games.attack.rules.crossings import Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.ending import Propose, Time
from engine.games.attack.rules.movement import Drop, Move
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.setup import Capital, Claim, Colour, Deploy
from engine.games.attack.rules.trade import Offer, Recall
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.kernel import Action, parse_action
from engine.refusals import Illegal
from engine.text import Reader, say
from tests.games.attack.scene import Scene, scene

FILES = ("replies", "combat", "diplomacy", "ending", "movement", "production", "setup", "trade", "turns")
LAND = {"mexico": ("red", "2I 1T 1A 1P"), "panama": ("red", "1I"), "france": ("blue", "1I"), "italy": ("blue", "1I")}
HANDS = {"red": ("oil_2",), "blue": ("minerals_1",)}


def begun(action: Any, **more: object) -> Scene:
    """Red has begun an action."""
    made = scene(**{"land": LAND, **more})          # type: ignore[arg-type]
    made.say("red", Begin(action=action))
    return made


def claiming(**more: object) -> Scene:
    return scene(phase="claiming", pools={"red": "12I", "blue": "12I"}, **more)     # type: ignore[arg-type]


def spread() -> Scene:
    return claiming(land={"mexico": ("red", "1I")}, options={"continent_spread": True})


def deploying() -> Scene:
    return scene(phase="deploying", land=LAND, pools={"red": "1T", "blue": "1T"})


def ordered() -> Scene:
    made = begun("movement")
    made.say("red", Move(unit="tank", origin="mexico", to="panama"))
    return made


def joined_by_others() -> Scene:
    made = begun("movement", land={**LAND, "mexico": ("red", "4I")})
    made.say("red", Move(unit="infantry", origin="mexico", to="panama", number=2))
    return made


def one_pair() -> Scene:
    made = begun("strategic_movement", land={**LAND, "southern_us": ("red", "1I")}, options={"strategic_scope": "one_pair"})
    made.say("red", Move(unit="tank", origin="mexico", to="panama"))
    return made


def two_battles() -> Scene:
    made = scene(land={**LAND, "southern_us": ("blue", "1I"), "colombia": ("blue", "1I")})
    made.say("red", Begin(action="movement"), Move(unit="infantry", origin="mexico", to="southern_us"),
             Move(unit="plane", origin="mexico", to="colombia"), Confirm())
    return made


def crossed(*answers: Permit, to: tuple[str, ...] = ("mexico", "panama")) -> Scene:
    made = scene(land={"cuba": ("red", "4I"), "france": ("blue", "1I")}, controller="blue")
    made.say("red", Begin(action="movement"), *(Move(unit="infantry", origin="cuba", to=goal, way="water") for goal in to),
             Confirm())
    made.say("blue", *answers)
    return made


def placing() -> Scene:
    made = begun("production", capitals={"mexico": "red"})
    made.say("red", Buy(kind="infantry", number=2), Confirm())
    return made


def offered(**more: object) -> Scene:
    made = scene(**{"land": LAND, "hands": HANDS, **more})          # type: ignore[arg-type]
    made.say("red", Offer(partner="blue", give=("oil_2",), take=("minerals_1",)))
    return made


def asked_for_too_much() -> Scene:
    made = scene(land=LAND, hands=HANDS)
    made.say("red", Offer(partner="blue", give=("oil_2",), take=("oil_4",)))
    return made


def countered() -> Scene:
    made = offered()
    made.say("blue", Offer(partner="red", give=(), take=("oil_2",)))
    return made


def recalled() -> Scene:
    """An offer that is withdrawn while its answer is looked at: the partner's open question is gone with it."""
    made = offered()
    made.state.deal.recalled = True  # the moment before the rule answers for him
    made.table._options.clear()
    return made


def tried_six_times() -> Scene:
    made = scene(land=LAND, hands=HANDS)
    for _ in range(6):
        made.say("red", Offer(partner="blue", give=("oil_2",)))
        made.say("blue", Answer(accept=False))
    return made


def proposed(again: bool = False) -> Scene:
    made = scene(land=LAND)
    made.say("red", Propose())
    if again:
        made.say("red", End())
        made.say("blue", Answer(accept=False))
    return made


def agreed() -> Scene:
    made = proposed()
    made.say("red", End())
    made.say("blue", Answer(accept=True))
    return made


def timed(*told: str) -> Scene:
    made = scene(land=LAND, options={"end_mode": "timed", "end_time": "2027-01-31T18:00"}, hands=HANDS)
    time: Any
    for time in told:
        made.tell(Time(time=time))
    return made


CASES: list[tuple[Callable[[], Scene], str, Action, str, str]] = [
    # setup
    (lambda: claiming(land={"france": ("blue", "1I")}), "red", Claim(territory="france"), "ATK-3.3.1",
     "France belongs to Blue. Choose a neutral territory."),
    (claiming, "red", Claim(territory="iceland"), "ATK-2.1.1", "There is no territory iceland on the board."),
    (spread, "red", Claim(territory="cuba"), "ATK-3.3.2",
     "In this game your first four territories lie on four continents, and you already have one in North America."),
    (lambda: claiming(land={"france": ("blue", "1I")}), "red", Colour(colour="green"), "ATK-3.1.4",
     "It's too late to change colours: the first territory has been claimed."),
    (claiming, "red", Colour(colour="purple"), "ATK-1.1.2",
     "There is no colour purple in this game. Choose among Red, Blue, Green, Brown, Tan and Gray."),
    (claiming, "red", Colour(colour="blue"), "ATK-3.1.4", "Blue is taken. Choose another colour."),
    (deploying, "red", Deploy(unit="plane", territory="mexico"), "ATK-3.4.1", "You have no plane left to place."),
    (deploying, "red", Deploy(unit="tank", territory="mexico", number=2), "ATK-3.4.1",
     "During setup you place one unit at a time."),
    (deploying, "red", Deploy(unit="tank", territory="france"), "ATK-3.4.1", "France isn't yours. Choose one of your "
                                                                             "territories."),
    (lambda: scene(phase="founding", land=LAND), "red", Capital(territory="france"), "ATK-3.5.1", "France isn't yours. Choose "
                                                                                                  "one of your territories."),
    # the turn
    (lambda: scene(land=LAND, taken=("movement",)), "red", Begin(action="movement"), "ATK-4.1.3",
     "You've already taken Movement this turn. Your actions in a turn must differ."),
    (lambda: scene(land=LAND), "red", Begin(action="blitz"), "ATK-10.1.1", "Blitz needs a Movement earlier this turn."),
    (lambda: scene(land=LAND, taken=("movement", "diplomacy"), options={"blitz_immediate": True}), "red", Begin(action="blitz"),
     "ATK-4.1.5", "In this game Blitz must be the very next action after Movement."),
    (lambda: scene(land=LAND), "red", Begin(action="naval_battle"), "ATK-12.3.3", "You have no ships."),
    (lambda: scene(land=LAND, fleets={"red": "1D"}, controller="red"), "red", Begin(action="naval_battle"), "ATK-12.3.3",
     "You already control the sea lanes."),
    (lambda: scene(land=LAND, hands=HANDS, taken=("movement", "diplomacy", "trade")), "red", Begin(action="production"),
     "ATK-4.1.1",
     "You've taken all your actions this turn. End your turn."),
    # movement
    (lambda: begun("movement"), "red", Move(unit="infantry", origin="france", to="italy"), "ATK-5.1.1", "France isn't yours. "
                                                                                                        "Choose one of your "
                                                                                                        "territories."),
    (lambda: begun("movement"), "red", Move(unit="infantry", origin="mexico", to="atlantis"), "ATK-2.1.1",
     "There is no territory atlantis on the board."),
    (lambda: begun("movement"), "red", Move(unit="tank", origin="panama", to="mexico"), "ATK-5.1.1",
     "You have no tank in Panama."),
    (lambda: begun("movement"), "red", Move(unit="infantry", origin="mexico", to="mexico"), "ATK-5.1.1",
     "The units are already in Mexico. Choose another goal."),
    (lambda: begun("movement"), "red", Drop(order=1), "ATK-4.1.12", "There is no order 1 in this action."),
    (lambda: begun("movement"), "red", Move(unit="infantry", origin="panama", to="mexico"), "ATK-4.1.7",
     "The last unit in Panama must stay there."),
    (ordered, "red", Move(unit="tank", origin="panama", to="colombia"), "ATK-5.1.12",
     "No tank in Panama can move again this action."),
    (joined_by_others, "red", Move(unit="infantry", origin="panama", to="colombia", number=3), "ATK-5.1.12",
     "Only 1 infantry in Panama can still move this action."),
    (lambda: begun("movement"), "red", Move(unit="infantry", origin="mexico", to="panama", number=3), "ATK-5.1.1",
     "You have only 2 infantry in Mexico."),
    (lambda: begun("movement"), "red", Move(unit="infantry", origin="atlantis", to="panama"), "ATK-2.1.1",
     "There is no territory atlantis on the board."),
    (lambda: begun("movement"), "red", Move(unit="infantry", origin="mexico", to="colombia"), "ATK-5.1.10",
     'Mexico and Colombia are joined only by sea. Choose "by sea".'),
    (lambda: begun("movement"), "red", Move(unit="infantry", origin="mexico", to="midwest"), "ATK-5.1.2",
     "The Midwest is too far from Mexico for infantry."),
    (lambda: begun("movement"), "red", Move(unit="plane", origin="mexico", to="france"), "ATK-5.1.2",
     "France is too far from Mexico for planes."),
    (lambda: begun("movement"), "red", Move(unit="tank", origin="mexico", to="midwest"), "ATK-5.1.4",
     "A tank passes only through your own territories, and you have none between Mexico and the Midwest."),
    (lambda: begun("movement"), "red", Move(unit="infantry", origin="mexico", to="france", way="water"), "ATK-6.1.3",
     "Mexico and France aren't joined by a sea route or an anchor zone."),
    (lambda: begun("movement"), "red", Move(unit="plane", origin="mexico", to="panama", planes="on"), "ATK-6.2.13",
     "Only planes crossing the sea can be told to fly on or go back."),
    (lambda: begun("blitz", taken=("movement",)), "red", Move(unit="infantry", origin="mexico", to="panama"), "ATK-10.1.2",
     "Only tanks and planes can move in a Blitz."),
    (lambda: begun("blitz", taken=("movement",)), "red", Move(unit="tank", origin="mexico", to="cuba", way="water"), "ATK-10.1.3",
     "Nothing can cross the sea in a Blitz."),
    (lambda: begun("strategic_movement"), "red", Move(unit="infantry", origin="mexico", to="southern_us"), "ATK-11.1.1",
     "Mexico and the Southern US aren't joined by a chain of your own territories."),
    (lambda: begun("strategic_movement"), "red", Move(unit="infantry", origin="mexico", to="panama", way="water"), "ATK-11.1.5",
     "From Mexico to Panama they can only go by land."),
    (one_pair, "red", Move(unit="infantry", origin="mexico", to="southern_us"), "ATK-11.1.2",
     "In this game a strategic movement joins just one pair of territories."),
    (two_battles, "red", Attack(territory="france"), "ATK-5.2.3",
     "There is no battle to fight in France. Choose among the Southern US and Colombia."),
    # diplomacy
    (lambda: scene(land=LAND), "red", Diplomacy(territory="france"), "ATK-14.4.3",
     "France belongs to Blue. Choose a neutral territory."),
    # production
    (lambda: begun("production", hands=HANDS), "red", Buy(kind="infantry"), "ATK-18.2.3",
     "1 infantry would cost 5 production points, and you have 2 production points left."),
    (lambda: begun("production"), "red", Buy(kind="castle"), "ATK-18.2.3",
     "You can buy infantry, tank, artillery, plane, destroyer, submarine, battleship and aircraft carrier."),
    (placing, "red", Deploy(unit="infantry", territory="mexico", number=3), "ATK-18.3.1",
     "You have only 2 infantry left to place."),
    (placing, "red", Deploy(unit="infantry", territory="france"), "ATK-18.3.1", "France isn't yours. Choose one of your "
                                                                                "territories."),
    # trade
    (lambda: scene(land=LAND, hands=HANDS), "red", Offer(partner="red", give=("oil_2",)), "ATK-17.1.2",
     "You can deal with Blue now."),
    (lambda: scene(land=LAND, hands=HANDS), "red", Offer(partner="blue", give=("oil_5",)), "ATK-17.1.1",
     "There is no card oil 5. Name a type and a number, such as oil 3."),
    (lambda: scene(land=LAND, hands=HANDS), "red", Offer(partner="blue", give=("oil_2", "oil_2", "oil_4")), "ATK-17.1.1",
     "You don't have Oil 2 and Oil 4."),
    (lambda: scene(land=LAND, hands=HANDS), "red", Offer(partner="blue", take=("oil_2", "oil_1")), "ATK-17.1.1",
     "Blue has only 1 card."),
    (lambda: scene(land=LAND, hands=HANDS), "red", Offer(partner="blue"), "ATK-17.1.4", "At least one card must change hands."),
    (lambda: scene(land=LAND, hands=HANDS, options={"trade_gifts": False}), "red", Offer(partner="blue", give=("oil_2",)),
     "ATK-17.1.4", "In this game each side must give at least one card."),
    (asked_for_too_much, "blue", Answer(accept=True), "ATK-17.1.1", "You don't have Oil 4."),
    (recalled, "blue", Answer(accept=True), "ATK-17.2.3", "The offer has been withdrawn."),
    (recalled, "blue", Offer(partner="red", give=("minerals_1",)), "ATK-17.2.3", "The offer has been withdrawn."),
    (tried_six_times, "red", Offer(partner="blue", give=("oil_2",)), "ATK-17.2.3",
     "6 of your offers led to no deal this turn. You can't make another."),
    (lambda: scene(land=LAND, hands=HANDS, round=8, options={"end_mode": "round_limit"}), "red",
     Offer(partner="blue", give=("oil_2",)), "ATK-17.4.1",
     "There are no deals in the last round, nor in the last half hour of a timed game."),
    (lambda: timed("late"), "red", Offer(partner="blue", give=("oil_2",)), "ATK-17.4.1",
     "There are no deals in the last round, nor in the last half hour of a timed game."),
    (lambda: scene(land=LAND), "red", Recall(), "ATK-17.2.3", "You have no open offer."),
    (offered, "blue", Recall(), "ATK-17.2.3", "You have no open offer."),
    # the controller
    (crossed, "blue", Permit(allow=True), "ATK-6.2.12",
     "There are several crossings: cuba to mexico and cuba to panama. Choose one, or every crossing."),
    (lambda: crossed(Permit(allow=True, crossing="cuba_to_mexico")), "blue", Permit(allow=False, crossing="cuba_to_mexico"),
     "ATK-6.2.12", "You've already decided about cuba to mexico."),
    (lambda: crossed(to=("mexico",)), "blue", Permit(allow=True, crossing="cuba_to_mexico"), "ATK-6.2.2",
     "There's only one crossing to decide about, so don't name it."),
    # the end
    (lambda: scene(phase="founding", land=LAND), "red", Propose(), "ATK-19.3.6",
     "You can propose the end only during the turns, while you are in the game."),
    (proposed, "blue", Propose(), "ATK-19.3.6", "Red's proposal must be answered first."),
    (lambda: proposed(again=True), "red", Propose(), "ATK-19.3.6", "You've already proposed it this round. You can again next "
                                                                   "round."),
    (agreed, "blue", Propose(), "ATK-19.3.6", "The game already ends after this round."),
    (timed, "red", Time(time="up"), "ATK-4.1.11", "That isn't a move players make."),
]


@pytest.mark.parametrize(("made", "power", "answer", "rule", "sentence"), CASES)
def test_what_the_rules_forbid_is_refused_with_its_rule(made, power, answer, rule, sentence):
    table = made()
    refused = table.refusal(power, answer)
    reader = Reader(engine.games.attack.GAME.words.names(table.parts))
    assert (refused.rule, say(refused.text, reader)) == (rule, sentence)


OBSTACLES: list[tuple[Callable[[], Scene], str, type[Action], str]] = [
    (lambda: scene(land=LAND, hands=HANDS, taken=("movement", "diplomacy", "trade")), "red", Begin, "ATK-4.1.1"),
    (lambda: scene(land=LAND, hands=HANDS, taken=("movement", "diplomacy", "trade")), "red", Diplomacy, "ATK-4.1.1"),
    (lambda: scene(land=LAND, hands=HANDS, taken=("trade", "diplomacy")), "red", Offer, "ATK-4.1.3"),
    (lambda: scene(land=LAND), "red", Offer, "ATK-17.1.1"),
    (countered, "red", Offer, "ATK-17.2.2"),
    (lambda: begun("movement", land={"mexico": ("red", "1I"), "france": ("blue", "1I")}), "red", Move, "ATK-4.1.7"),
    (lambda: begun("production"), "red", Buy, "ATK-18.2.3"),
    (lambda: claiming(powers=("red", "blue", "green", "brown", "tan", "gray")), "red", Colour, "ATK-3.1.4"),
    (lambda: claiming(land=LAND), "red", Colour, "ATK-3.1.4"),
    (lambda: scene(land=LAND), "red", Recall, "ATK-17.2.3"),
    (lambda: proposed(again=True), "red", Propose, "ATK-19.3.6"),
]


@pytest.mark.parametrize(("made", "power", "kind", "rule"), OBSTACLES)
def test_a_kind_of_answer_that_is_impossible_says_why(made, power, kind, rule):
    table = made()
    why = kind.obstacle(table.state, table.state.seat(power))
    assert why is not None and why.rule == rule


def test_no_neutral_territory_is_left_for_diplomacy():
    parts = scene(land=LAND).parts
    full = scene(land={land.id: ("red" if land.id == "mexico" else "blue", "1I") for land in parts.territories})
    why = Diplomacy.obstacle(full.state, full.state.seat("red"))
    assert why is not None and why.rule == "ATK-14.1.1"


def test_no_capital_where_the_board_allows_none():
    made = scene(phase="founding", land=LAND, pack={"territories": [{"id": "mexico", "capital_allowed": False}]})
    assert Capital(territory="mexico") not in Capital.options(made.state, made.state.seat("red"))
    with pytest.raises(Illegal, match="Mexico can't hold a capital") as refused:
        Capital(territory="mexico").check(made.state, made.state.seat("red"))
    assert refused.value.rule == "ATK-3.5.1"


BY_DECREE = {"ATK-19.3.1", "ATK-21.2.6"}            # what the world outside says is tried in `test_world_outside`


def test_every_refusal_of_these_files_has_a_case():
    """By rule: a rule that the code cites in a refusal is cited by a case, so that a new refusal asks for one."""
    folder = Path(engine.games.attack.__file__).parent / "rules"
    cited = {rule for file in FILES for rule in re.findall(r'rule="(ATK-[\d.]+)"', (folder / f"{file}.py").read_text("utf-8"))}
    tested = {rule for *_, rule, _ in CASES} | {rule for *_, rule in OBSTACLES} | {"ATK-14.1.1", "ATK-3.5.1"} | BY_DECREE
    assert cited <= tested, sorted(cited - tested)


def test_an_order_of_types_that_is_no_words_at_all_is_refused() -> None:
    """What comes from outside may be anything, also twice something that is no type."""
    with pytest.raises(Illegal, match="Second must be one of these"):
        parse_action(GAME, "formation", {"first": "destroyer", "second": [], "third": "destroyer"})
