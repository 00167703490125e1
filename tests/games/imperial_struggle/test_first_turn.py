"""The whole first turn and war of the playbook, row by row (20.5, IS-T41 to T55)."""
from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from engine.dice import Dice
from engine.games.imperial_struggle.actions.advantages import UseAdvantage
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose, ChooseSecretly
from engine.games.imperial_struggle.actions.ministries import Reveal, UseAbility
from engine.games.imperial_struggle.actions.rounds import EndRound, TakeTile
from engine.games.imperial_struggle.actions.tiles import Upgrade
from engine.games.imperial_struggle.actions.wars import Conquer
from engine.games.imperial_struggle.components import SIDES
from engine.games.imperial_struggle.events.money import Scored
from engine.games.imperial_struggle.rules.control import flag_count
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.nouns import tile_face
from engine.kernel import Action
from tests.games.imperial_struggle.purchases import build, buy_tile, deploy, fort, market, paid, politics
from tests.games.imperial_struggle.scene import FAIR, PARTS, Scene, scene

TILES = ("3 DP / 2 MP, event", "2 DP / 2 MP, event, upgrade", "3 EP / 2 DP, event", "4 MP / 2 EP", "4 EP / 2 MP", "4 DP / 2 MP",
         "4 DP / 2 MP", "4 EP / 2 DP", "4 EP / 2 DP")


def tiles(faces: Iterable[str]) -> list[str]:
    """A different tile for each of these faces."""
    found: list[str] = []
    for face in faces:
        found.append(next(tile.id for tile in PARTS.investment_tiles if tile_face(tile) == face and tile.id not in found))
    return sorted(found)


def told() -> Dice:
    """Dice that draw the war tiles of the playbook: +2, de Villars, d'Artagnan."""
    left = {"upgrade": [1], "bonus_tile": [2, 6]}

    def dice(epoch: int, throw: int, sides: tuple[int, ...], purpose: str) -> tuple[int, ...]:
        values = left.get(purpose.partition(" ")[0])
        return (values.pop(0),) if values else FAIR(epoch, throw, sides, purpose)

    return dice


def start() -> Scene:
    """IS-T41."""
    return scene(
        active="france", dice=told(), available=tiles(TILES), demand=("fish", "tobacco", "sugar"),
        awards={"europe": "award_5", "north_america": "award_2", "caribbean": "award_7", "india": "award_6"},
        ministries={"france": ["M-1", "M-3"], "britain": ["M-7", "M-10"]},
        own={"france": {"hand": ["ev_03", "ev_08", "ev_12"],
                        "tiles": [["basic_fr_08", "bonus_wss_fr_08"], ["basic_fr_04"], ["basic_fr_01"], ["basic_fr_14"]]},
             "britain": {"hand": ["ev_01", "ev_06", "ev_15"],
                         "tiles": [["basic_br_04"], ["basic_br_05"], ["basic_br_08"], ["basic_br_14"]]}})


def take(at: Scene, face: str) -> None:
    side = at.state.current.side
    at.say(side, TakeTile(tile=next(tile for tile in at.state.available if tile_face(PARTS.investment[tile]) == face)))


event, mark = PlayEvent.of, UseAdvantage.of
ROUNDS: tuple[tuple[str, str, tuple[Action, ...]], ...] = (
    ("france", "3 DP / 2 MP, event", (                                                              # T42
        event("ev_03", "M-3", ""), Choose(target="st_lucia"), Choose(target="martinique"),
        politics("spain_prestige_3"), politics("savoy", debt=2), fort("louisbourg", "minor", debt=1))),
    ("britain", "2 DP / 2 MP, event, upgrade", (                                                    # T43
        event("ev_06", "M-7", ""), Choose(target="iroquois"), Choose(target="albany"),
        Upgrade(theater="wss_queen_annes_war"), ChooseSecretly(target="basic_br_01"), ChooseSecretly(target="gone"),
        politics("sardinia"), deploy("balearic", action="minor"), Reveal(card="M-10"), UseAbility(ability="M-10.2"),
        ChooseSecretly(target="ev_01"))),
    ("france", "4 MP / 2 EP", (                                                                     # T44
        deploy("biscay"), build(debt=1), market("georges_bank", "minor"))),
    ("britain", "4 EP / 2 MP", (                                                                    # T45
        market("georgia"), market("st_lucia"), market("santiago", debt=1, trp=1), market("albany", debt=2),
        deploy("antilles_channel", action="minor"))),
    ("france", "4 DP / 2 MP", (                                                                     # T46
        Reveal(card="M-1"), UseAbility(ability="M-1.1"), mark("mediterranean_intrigue", "austria_alliance_2"),
        politics("german_states_alliance_3"), politics("german_states_alliance_3"), politics("austria_alliance_2"),
        mark("algonquin_raids", "albany"), buy_tile("minor"), Choose(target="wss_jacobite_rebellion"))),
    ("britain", "3 EP / 2 DP, event", (                                                             # T47
        event("ev_15", "", ""), market("west_bengal"), politics("austria_prestige_silesia", "minor", debt=1))),
    ("france", "4 DP / 2 MP", (                                                                     # T48
        mark("central_europe_conflict", "sardinia"), buy_tile("minor"), Choose(target="wss_central_europe"),
        politics("denmark_norway"), politics("sweden"))),
    ("britain", "4 EP / 2 DP", (                                                                    # T49
        market("georges_bank"), market("georges_bank", debt=1), politics("austria_alliance_2", "minor"))))


WAR: tuple[tuple[str, Action], ...] = (
    ("france", Conquer.of("san_agustin", "")), ("france", Conquer.of("gibraltar", "")),                    # T51, T52
    ("britain", Choose.of("ireland_alliance")), ("france", Choose.of("dutch_prestige")))                    # T54


@cache
def played() -> tuple[Scene, tuple[tuple[State, list[str]], ...]]:
    """The turn and the war to their end: after each action round the state and its purchases."""
    at, after, read = start(), [], 0
    for side, face, steps in ROUNDS:
        take(at, face)
        at.say(side, *steps)
        purchases = paid(at)
        state = State.model_validate_json(at.state.model_dump_json())
        state.parts = PARTS
        after.append((state, [purchase.removesuffix(".") for purchase in purchases[read:]]))
        read = len(purchases)
        at.say(side, EndRound())
    for side, step in WAR:
        at.say(side, step)
    return at, tuple(after)


def row(number: int) -> tuple[State, list[str]]:
    """The table at the end of an action round, and its purchases."""
    return played()[1][number - 1]


def flags(state: State, side: str, *spaces: str) -> bool:
    return all(state.flags.get(space) == side for space in spaces)


def test_IS_T42_round_1_of_france():
    state, cost = row(1)
    assert cost == ["France pays 3 DP", "France pays 2 DP", "France pays 3 MP"]
    assert not {"st_lucia", "martinique", "georgia"} & set(state.flags) and state.own["france"].debt == 3
    assert flags(state, "france", "spain_prestige_3", "savoy", "louisbourg")
    assert state.holders["mediterranean_intrigue"] == "france" and state.current.gained == ["mediterranean_intrigue"]


def test_IS_T43_round_1_of_britain():
    state, cost = row(2)
    assert cost == ["Britain pays 2 DP", "Britain pays 1 MP"]
    assert flags(state, "britain", "iroquois", "sardinia", "balearic") and "albany" in state.conflict
    assert state.own["britain"].tiles[2] == ["basic_br_01"]
    assert len(state.own["britain"].basic_pool) + 4 == 15 and "basic_br_08" not in state.own["britain"].basic_pool
    assert "iroquois_raids" not in state.exhausted and state.own["britain"].trp == 1 and state.discards == ["ev_01"]


def test_IS_T44_round_2_of_france():
    state, cost = row(3)
    assert cost == ["France pays 1 MP", "France pays 4 MP", "France pays 2 EP"]
    assert flags(state, "france", "biscay", "georges_bank")
    assert (state.own["france"].debt, state.own["france"].navy_box) == (4, 1)


def test_IS_T45_round_2_of_britain():
    state, cost = row(4)
    assert cost[2:4] == ["Britain pays 2 EP",
                         "Britain pays 2 EP: base 1 by the conflict marker and plus 1 for another region"]
    assert flags(state, "britain", "georgia", "st_lucia", "santiago", "albany", "antilles_channel")
    assert (state.own["britain"].debt, state.own["britain"].trp, state.conflict) == (3, 0, {})


def test_IS_T46_round_3_of_france():
    state, cost = row(5)
    assert state.own["france"].tiles[3] == ["basic_fr_14", "bonus_wss_fr_02"]
    assert cost[3] == "France pays 2 MP for a bonus tile"
    assert cost[:3] == ["France pays 3 DP", "France pays 3 DP", "France pays 1 DP: base 1 by the conflict marker"]
    assert flags(state, "france", "german_states_alliance_3") and "austria_alliance_2" not in state.flags
    assert state.holders["central_europe_conflict"] == "france" and state.conflict == {"albany": 0}


def test_IS_T47_round_3_of_britain():
    state, _ = row(6)
    assert (state.own["france"].limit, state.own["france"].debt, state.vp) == (5, 4, 15)
    assert flags(state, "britain", "west_bengal", "austria_prestige_silesia") and state.own["britain"].debt == 2
    assert {state.holders["silk"], state.holders["silesia_negotiations"]} == {"britain"}


def test_IS_T48_round_4_of_france():
    state, _ = row(7)
    assert state.own["france"].tiles[0] == ["basic_fr_08", "bonus_wss_fr_08", "bonus_wss_fr_07"]
    assert flags(state, "france", "denmark_norway", "sweden") and state.conflict == {"albany": 0, "sardinia": 0}


def test_IS_T49_round_4_of_britain():
    state, cost = row(8)
    assert cost == ["Britain pays 3 EP: base 2 and plus 1, protected by Louisbourg", "Britain pays 2 EP",
                    "Britain pays 2 DP"]
    assert flags(state, "britain", "georges_bank", "austria_alliance_2") and state.own["britain"].debt == 3


def test_IS_T50_the_scoring():
    before, _ = row(8)
    assert [flag_count(before, side, "north_america") for side in SIDES] == [6, 5]
    at, _ = played()
    lines = at.lines()
    first = next(number for number, line in enumerate(lines) if line.startswith("Europe: Britain"))
    assert lines[first:first + 9] == [
        "Europe: Britain 4, France 10. France scores 2 VP and gains 1 TRP.",
        "North America: Britain 6, France 5. Nobody wins the award.",
        "Caribbean: Britain 7, France 4. Britain gains 1 TRP.",
        "India: Britain 5, France 4. Britain scores 1 VP and gains 1 TRP.",
        "Prestige: Britain 3, France 4. France scores 2 VP.",
        "Fish: Britain 2, France 0. Britain scores 2 VP and takes 1 debt.",
        "Tobacco: Britain 1, France 0. Britain scores 3 VP and takes 1 debt.",
        "Sugar: Britain 2, France 1. Britain scores 2 VP.", "Britain scores 1 VP (East India Company)."]
    moved = at.events(Scored)[:7]
    assert 15 + sum(event.vp if event.side == "france" else -event.vp for event in moved) == 10


# --- the war ----------------------------------------------------------------------------------------------------------

def theater(name: str) -> list[str]:
    """What everybody reads of a theater, and of what follows it up to the next one."""
    lines = played()[0].lines()
    first = next(number for number, line in enumerate(lines) if line.startswith(f"{name}: Britain turns up"))
    following = [number for number, line in enumerate(lines) if number > first and " turns up " in line]
    return lines[first:following[0] if following else len(lines)]


def test_IS_T51_central_europe():
    assert theater("Central Europe") == [
        "Central Europe: Britain turns up +1; France turns up 0 (debt), Maison du Roi +1 and d'Artagnan +1.",
        "France applies its tile 0 (debt).", "Britain's debt rises by 1 (Central Europe).",
        "Britain: 2 (tiles 1 and Austria 1).",
        "France: 6 (tiles 2, Bavaria 1, Denmark-Norway 1, German States 1 and Savoy 1).",
        "France wins Central Europe by 4.", "Britain gains 2 TRP (Central Europe).", "France scores 2 VP (Central Europe).",
        "France pays 1 CP for San Agustin.", "France flags San Agustin.", "France gains Fruit."]
    assert played()[0].state.own["britain"].debt == 6


def test_IS_T52_spain():
    assert theater("Theater of Spain") == [
        "Theater of Spain: Britain turns up +1; France turns up +1.", "Britain: 2 (tiles 1 and squadrons 1).",
        "France: 4 (tiles 1, Governance 1, Spain 1 and squadrons 1).", "France wins the Theater of Spain by 2.",
        "Britain gains 2 TRP (Theater of Spain).", "France scores 1 VP (Theater of Spain).",
        "France pays 1 CP for Gibraltar.", "France flags Gibraltar.", "France gains Naval Bastion."]


def test_IS_T53_queen_annes_war():
    assert theater("Queen Anne's War") == [
        "Queen Anne's War: Britain turns up +2; France turns up +2.", "Britain: 2 (tiles 2).",
        "France: 4 (tiles 2, conflict markers 1 and forts 1).", "France wins Queen Anne's War by 2.",
        "France scores 1 VP (Queen Anne's War)."]


def test_IS_T54_jacobite_rebellion():
    assert theater("Jacobite Rebellion")[:11] == [
        "Jacobite Rebellion: Britain turns up −1 (unflag); France turns up −1 (unflag) and de Villars +3.",
        "Britain applies its tile −1 (unflag).", "France loses its flag in Ireland (Alliance 2).",
        "France applies its tile −1 (unflag).", "Britain loses its flag in the Dutch Republic (Prestige 3).",
        "Britain: −1 (tiles −1).", "France: 4 (tiles 2, Style 1 and conflict markers 1).",
        "France wins the Jacobite Rebellion by 5.", "Britain gains 2 TRP (Jacobite Rebellion).",
        "France scores 4 VP (Jacobite Rebellion).", "France gains a Jacobite Victory marker."]
    state = played()[0].state
    assert (state.vp, state.own["britain"].trp, state.jacobite_victories) == (18, 8, 1)


def test_IS_T55_after_the_war():
    state = played()[0].state
    assert (state.winner, state.turn, state.conflict, state.next_war.id) == ("", "T2", {}, "WAS")
    assert theater("Jacobite Rebellion")[11] == "The conflict markers leave Albany and Sardinia."
    for side, basic in zip(SIDES, (15, 16), strict=True):
        own = state.own[side]
        assert len(own.basic_pool) + 4 == basic and [len(there) for there in own.tiles] == [1, 1, 1, 1]
        assert own.bonus_pool == PARTS.bonus_of(side, "WAS")


def test_IS_T41_the_start_of_the_turn():
    at = start()
    assert at.asked() == [("france", "IS-18.6")] and len(at.state.available) == 9
    assert at.state.holders == {"wheat": "britain", "algonquin_raids": "france"}
    assert at.game.words.names(PARTS)[at.state.awards["north_america"]] == "2 VP (lead of 2)"
