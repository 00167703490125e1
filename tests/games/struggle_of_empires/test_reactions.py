"""`reactions.parallel`: everybody who may have to answer before the dice is asked at the declaration (SOE-20.1.7, 20.1.8)."""
from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from bot.domain.announcements import choice_id
from engine import notation
from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Assign, Attack, Call, Commit, Decline, Fight
from engine.games.struggle_of_empires.events import AllianceUsedAtSea, DiceRolled, HelpSent, SeaDeclined, SupportGained
from engine.games.struggle_of_empires.orders import ORDERING
from engine.kernel import Action, Checkpoint, Seat, Table
from engine.orders import Order, OrderLine, Orders
from engine.selfplay import play_on
from engine.text import Reader, say
from tests.scene import FAIR, Scene, scene

A, B, C, D, E = "austria", "britain", "france", "prussia", "russia"
EVEN = (1, 1, 1, 1)
HERE = "india"
BOTH = {"army": {HERE: 1}, "navy": {HERE: 1}}
ATTACK = Attack(area=HERE, target=B)
NOTHING = Commit(armies=0, navies=0)


def war(*, parallel: bool = True, options: dict[str, Any] | None = None, **more: Any) -> Scene:
    """Austria with France against Britain with Prussia and Russia, an army and a navy each in India."""
    position = {"powers": (A, B, C, D, E), "rows": ((A, C), (B, D, E)), "units": {power: BOTH for power in (A, B, C, D, E)},
                "dice": [EVEN, EVEN]} | more
    return scene(options={"reactions.parallel": parallel, "alliance.mode": "local"} | (options or {}), **position)


def test_all_are_asked_at_once_and_the_answers_are_sealed():
    table = war()
    table.say(A, ATTACK)
    assert table.asked() == [(C, "DP-12"), (D, "DP-14"), (E, "DP-14"), (A, "DP-15"), (B, "DP-16")]
    told = len(table.lines())
    for power, answer in ((B, Fight()), (E, Commit(armies=0, navies=1)), (A, Fight()), (D, NOTHING)):
        table.say(power, answer)
        assert len(table.lines()) == told and table.state.battle is not None and table.state.battle.heard == []
    table.say(C, Commit(armies=1, navies=0))
    assert [event.ally for event in table.events(HelpSent)] == [C, D, E], "in the order of the steps, whoever answered first"
    assert table.strengths() == [(1, 2), (2, 2)] and table.events(SupportGained) == [SupportGained(side=B)]


@pytest.mark.parametrize("mine, theirs, declined, support", [
    (Decline(), Fight(), A, B), (Decline(), Decline(), A, B), (Fight(), Decline(), B, A)])
def test_what_turns_out_not_to_be_needed_is_dropped(mine, theirs, declined, support):
    table = war(powers=(A, B), rows=((A,), (B,)), units={A: BOTH, B: BOTH}, dice=[EVEN])
    table.say(A, ATTACK)
    assert table.asked() == [(A, "DP-15"), (B, "DP-16")]
    table.say(B, theirs)
    table.say(A, mine)
    assert table.events(SeaDeclined) == [SeaDeclined(side=declined)], "only the first refusal is told"
    assert table.events(SupportGained) == [SupportGained(side=support)]


def test_every_way_to_answer_leads_to_the_same_fight_as_one_after_the_other():
    """Answers of two helpers and all of both principals, in the order of the steps and all at once."""
    units = {A: BOTH, B: BOTH, C: BOTH, D: BOTH}
    at: dict[str, Any] = {"powers": (A, B, C, D), "rows": ((A, C), (B, D)), "units": units, "local": {"local_mysore": A}}
    stages: Any = ("sea", "land")
    for helps, defends, attacks, answers, stage in itertools.product(
            (NOTHING, Commit(armies=1, navies=1)), (Commit(armies=0, navies=1), Commit(armies=1, navies=0)),
            (Fight(), Decline()), (Fight(), Decline()), stages):
        one, other = war(parallel=False, **at), war(**at)
        for table in (one, other):
            table.say(A, ATTACK)
        one.say(C, helps)
        one.say(D, defends)
        for power, answer, point in ((A, attacks, "DP-15"), (B, answers, "DP-16"), (A, Assign(stage=stage), "DP-17")):
            if one.asked() == [(power, point)]:
                one.say(power, answer)
        at_sea = ("local_mysore",) if stage == "sea" else ()
        said: dict[str, Action] = {B: answers, D: defends, C: helps,
                                   A: Fight(alliances=at_sea) if isinstance(attacks, Fight) else attacks}
        for power, answer in said.items():
            other.say(power, answer)
        assert one.strengths() == other.strengths() and one.lines() == other.lines()
        assert one.state.model_dump(exclude={"options"}) == other.state.model_dump(exclude={"options"})


def test_SOE_13_3_3_whoever_fights_says_at_once_which_alliances_help_there():
    fleet = {"army": {"baltic": 1}, "navy": {"baltic": 1}}
    table = war(powers=(A, B), rows=((A,), (B,)), units={A: fleet, B: fleet},
                local={"local_denmark": B, "local_sweden": B})
    table.say(A, Attack(area="baltic", target=B))
    assert {option.alliances for option in table.options(B) if isinstance(option, Fight)} == {
        (), ("local_denmark",), ("local_sweden",), ("local_denmark", "local_sweden")}
    table.say(B, Fight(alliances=("local_sweden",)))
    table.say(A, Fight())
    assert table.events(AllianceUsedAtSea) == [AllianceUsedAtSea(side=B, tile="local_sweden")]
    assert [thrown.parts[1][2] for thrown in table.events(DiceRolled)] == [1, 1], "the other one helps on land"


def test_of_two_copies_of_an_alliance_each_is_named_for_itself():
    fleet = {"army": {"baltic": 1}, "navy": {"baltic": 1}}
    table = war(powers=(A, B), rows=((A,), (B,)), units={A: fleet, B: fleet}, options={"alliance.mode": "tiles"},
                tiles={B: {"alliance_denmark": 2}}, pack={"tiles": [{"id": "alliance_denmark", "count": 2}]})
    table.say(A, Attack(area="baltic", target=B))
    assert {option.alliances for option in table.options(B) if isinstance(option, Fight)} == {
        (), ("alliance_denmark",), ("alliance_denmark",) * 2}
    table.say(B, Fight(alliances=("alliance_denmark",)))
    table.say(A, Fight())
    assert [thrown.parts[1][2] for thrown in table.events(DiceRolled)] == [1, 1]


def test_a_fight_with_alliances_has_a_button_of_its_own():
    told = Fight(alliances=("local_denmark", "local_sweden"))
    assert notation.read(GAME, notation.write(told)) == told and choice_id(told) != choice_id(Fight())
    table = war()
    names = GAME.words.names(table.parts, table.state)
    assert say(told.label(), Reader(names)) == "Fight at sea with the Denmark alliance and the Sweden alliance"


def test_SOE_9_5_5_the_fight_is_not_asked_of_sides_that_cannot_fight():
    table = war(units={A: {"army": {HERE: 1}}, B: BOTH, C: BOTH, D: BOTH})
    table.say(A, ATTACK)
    assert table.asked() == [(C, "DP-12"), (D, "DP-14")], "navies of France may not fight without one of Austria"


def test_SOE_9_5_6_it_is_asked_where_helpers_may_send_the_navies_and_dropped_if_they_do_not():
    at: dict[str, Any] = {"units": {A: {"army": {HERE: 1}}, B: BOTH, C: BOTH}, "options": {"naval.own_navy_needed": False}}
    for navies, support in ((0, B), (1, None)):
        table = war(**at)
        table.say(A, ATTACK)
        assert table.asked() == [(C, "DP-12"), (A, "DP-15"), (B, "DP-16")]
        table.say(A, Fight())
        table.say(B, Fight())
        table.say(C, Commit(armies=0, navies=navies))
        assert [thrown.stage for thrown in table.events(DiceRolled)] == (["sea", "land"] if navies else ["land"])
        assert table.events(SupportGained) == ([SupportGained(side=support)] if support else [])


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("edition, mine, theirs, asked", [
    ("first", 1, 1, {C, D}), ("first", 1, 0, set()), ("first", 0, 1, set()),       # both need a navy of their own
    ("deluxe_without_npp", 1, 1, {C, D}), ("deluxe_without_npp", 0, 0, {C, D}),             # ships would win support
    ("deluxe_without_npp", 1, 0, {C, D}), ("deluxe_without_npp", 0, 1, {C, D})])            # there may be a fight
def test_SOE_9_4_3_ships_are_asked_for_only_if_they_can_change_something(edition, mine, theirs, asked, parallel):
    """France and Prussia have ships alone; the principals have an army and perhaps a navy each."""
    units = {A: {"army": {HERE: 1}, "navy": {HERE: mine}}, B: {"army": {HERE: 1}, "navy": {HERE: theirs}},
             C: {"navy": {HERE: 1}}, D: {"navy": {HERE: 1}}}
    table = war(parallel=parallel, options={"alliance.mode": "tiles"}, edition=edition, powers=(A, B, C, D),
                rows=((A, C), (B, D)), units=units)
    table.say(A, ATTACK)
    heard = set[str]()
    while table.asked()[0][1] != "DP-05":
        power, point = next((asked for asked in table.asked() if asked[1] in ("DP-12", "DP-14")), table.asked()[0])
        if point in ("DP-12", "DP-14"):
            heard.add(power)
            table.say(power, Commit(armies=0, navies=1))
        else:
            table.say(power, Fight() if Fight() in table.options(power) else table.default(power))
    assert heard == asked


def test_SOE_9_4_3_the_defenders_ally_is_not_asked_for_ships_once_the_attacker_has_none():
    """Deluxe: Austria has no ship and France sends none, so that Britain has support whatever Prussia sends."""
    units = {A: {"army": {HERE: 1}}, B: BOTH, C: {"navy": {HERE: 1}}, D: {"navy": {HERE: 1}}}
    for options, first in (({}, [(C, "DP-12")]), ({"help.auto_call": False}, [(A, "DP-11")])):
        table = war(parallel=False, edition="deluxe_without_npp", powers=(A, B, C, D), rows=((A, C), (B, D)), units=units,
                    options=options)
        table.say(A, ATTACK)
        assert table.asked() == first
        table.say(first[0][0], NOTHING if not options else Call(allies=()))
        assert table.asked() == [(A, "DP-05")] and table.events(SupportGained) == [SupportGained(side=B)]


def test_SOE_9_4_3_whom_the_other_side_does_not_call_does_not_count_either():
    """All at once: Britain calls nobody, so that no ship meets those of Austria, and those of France change nothing."""
    units = {A: BOTH, B: {"army": {HERE: 1}}, C: {"navy": {HERE: 1}}, D: {"navy": {HERE: 1}}}
    table = war(edition="deluxe_without_npp", powers=(A, B, C, D), rows=((A, C), (B, D)), units=units,
                options={"help.auto_call": False})
    table.say(A, ATTACK)
    table.say(A, Call(allies=(C,)))
    table.say(B, Call(allies=()))
    assert table.asked() == [(A, "DP-05")] and table.events(SupportGained) == [SupportGained(side=A)]


def idle(table: Table) -> int:
    """How many of the questions that wait ask for help that can change nothing, by the words of SOE-9.4.3."""
    s = table.state
    battle, found = s.battle, 0
    for question in table.waiting():
        if question.point not in ("DP-12", "DP-14"):
            continue
        ally, principal = s.power(question.seat), str(question.about["principal"])
        if not battle.naval_only and s.count(ally, "army", battle.area):
            continue
        foe = battle.attacker if principal == battle.defender else battle.defender
        ships = {side: s.navies(side, battle.sea) + sum(sent.navy for sent in battle.sent.values() if sent.principal == side)
                 for side in (principal, foe) if side in s.powers}
        if foe not in ships or not ships[principal]:
            continue
        still = {s.power(other.seat) for other in table.asks if other.about.get("principal") == foe}
        if foe == battle.defender and not (s.options.reactions.parallel or battle.surprise):
            still = set(s.allies(foe)) & set(s.powers)                       # it calls after the attacker
        own_needed = s.options.naval.own_navy_needed and not s.navies(foe, battle.sea)
        found += not ships[foe] and (own_needed or not any(s.navies(other, battle.sea) for other in still))
    return found


@pytest.mark.parametrize("edition, options", [
    ("first", {}), ("deluxe", {"reactions.parallel": True, "help.auto_call": False})])
def test_SOE_9_4_3_in_random_games_nobody_is_asked_for_help_that_can_change_nothing(edition, options):
    """Played by the rules of now, there is no such question; by those of earlier games there are some, so they would be seen."""
    parts, counts = components(GAME, edition).parts, []
    for version in (GAME.rules.version, 0):
        state = GAME.first_state(tuple(Seat(f"seat_{n}") for n in range(1, 8)), GAME.rules.options(edition, options), parts,
                                 version=version)
        table = Table(GAME, parts, Checkpoint(0, 0, state.model_dump_json()), dice=FAIR, checkpoints=False)
        counts.append(sum(idle(table) for _ in play_on(table, random.Random(947).randrange)))
    assert counts[0] == 0 < counts[1]


def test_SOE_12_19_1_after_a_surprise_attack_the_allies_of_the_defender_are_not_asked():
    table = war(tiles={A: {"surprise_attack": 1}})
    table.say(A, Attack(area=HERE, target=B, surprise=True))
    assert table.asked() == [(C, "DP-12"), (A, "DP-15"), (B, "DP-16")]


def test_SOE_9_5_14_in_a_naval_only_attack_the_defender_alone_says_whether_he_fights():
    fleets = {A: {"navy": {HERE: 2}}, B: {"navy": {HERE: 1}}, D: {"navy": {HERE: 1}}}
    for declinable in (True, False):
        table = war(units=fleets, options={"attack.naval_only_declinable": declinable}, local={"local_mysore": B})
        table.say(A, ATTACK)
        assert table.asked() == [(D, "DP-14"), *([(B, "DP-16")] if declinable else [])]
        if declinable:
            assert set(table.options(B)) == {Fight(), Decline()}, "an alliance has no other fight to help in"
            table.say(B, Fight())
        table.say(D, Commit(armies=0, navies=1))
        assert table.strengths() == [(2, 3)]


def test_DP_11_and_DP_13_principals_who_call_by_name_do_so_together_and_then_the_rest_is_asked():
    table = war(options={"help.auto_call": False})
    table.say(A, ATTACK)
    assert table.asked() == [(A, "DP-11"), (B, "DP-13")]
    table.say(B, Call(allies=(E,)))
    table.say(A, Call(allies=()))
    assert table.asked() == [(E, "DP-14"), (A, "DP-15"), (B, "DP-16")]


def test_against_a_neutral_marker_only_allies_are_asked():
    table = war(neutrals={HERE: ["neutral_3"]}, dice=[EVEN])
    table.say(A, Attack(area=HERE, target="neutral_3"))
    assert table.asked() == [(C, "DP-12")]


def test_SOE_20_1_6_where_nobody_can_help_and_no_fleet_meets_another_nobody_is_asked():
    table = war(powers=(A, B), rows=((A,), (B,)), units={A: BOTH, B: {"army": {HERE: 1}}}, dice=[EVEN])
    table.say(A, ATTACK)
    assert table.asked() == [(A, "DP-05")] and table.strengths() == [(2, 1)]


def test_the_defaults_of_silence_are_those_of_single_questions():
    table = war()
    table.say(A, ATTACK)
    assert [table.default(power) for power in (A, B, C)] == [Decline(), Decline(), NOTHING]


def test_an_order_to_fight_answers_and_one_for_alliances_is_not_offered():
    table = war(local={"local_mysore": B})
    point = ORDERING.point("DP-16")
    assert point is not None and [offer.key for offer in point.offers if offer.applies(table.state)] == [
        "fight", "fight_all", "no_fight"]
    single = ORDERING.point("DP-18")
    assert single is not None and not any(offer.applies(table.state) for offer in single.offers)
    for key, alliances in (("fight", ()), ("fight_all", ("local_mysore",))):
        table = war(local={"local_mysore": B})
        offer = point.offer(key)
        assert offer is not None
        seat = Seat(table.state.seat(B))
        table.table.deputy = Orders(GAME, [Order(id=1, seat=seat, points=("DP-16",), lines=(OrderLine(then=offer.reply({})),))])
        table.say(A, ATTACK)
        assert (B, "DP-16") not in table.asked()
        given = next(entry for entry in table.table.fresh if entry.seat == seat)
        assert given.answer == Fight(alliances=alliances) and given.by == "order"


def test_only_what_can_still_be_asked_is_foreseen():
    table = war(local={"local_mysore": B}, tiles={B: {"reserves": 1}})
    table.say(A, ATTACK)
    foreseen = ORDERING.foreseen(table.state)
    assert set(foreseen[table.state.seat(B)]) == {"DP-16", "DP-21", "DP-24"}, "where its alliance helps is part of DP-16"
