"""What adds up in every position of Imperial Struggle."""
from __future__ import annotations

from typing import get_args

from engine.games.imperial_struggle.components import REGIONS, SIDES, SPAIN, USA, Points
from engine.games.imperial_struggle.events.points import ActionOpened
from engine.games.imperial_struggle.rules.control import is_protected, protected
from engine.games.imperial_struggle.rules.points import actions_of, serves
from engine.games.imperial_struggle.state import State


def adds_up(s: State) -> None:
    """Flags, markers, squadrons, advantages, cards, tiles, debt and treaty points, and the round under way."""
    board_adds_up(s)
    for side in SIDES:
        side_adds_up(s, side)
    cards_add_up(s)
    tiles_add_up(s)
    if s.round is not None:
        round_adds_up(s)


def board_adds_up(s: State) -> None:
    """Flags are on spaces in play; markers, damage and advantages where they can be."""
    assert set(s.flags.values()) <= {*SIDES, SPAIN, USA}, "IS-2.4.1"
    assert all(s.is_open(space) for space in s.flags), "IS-2.3.1"
    for space, flag in s.flags.items():
        assert s.space(space).type != "naval" or flag in SIDES, "IS-2.4.1"
        assert flag != USA or s.space(space).type == "territory", "IS-15.1"
        assert flag != SPAIN or s.options.spanish_empire, "IS-19.1"
    for space, surcharge in s.conflict.items():
        assert s.space(space).type in ("market", "political") and s.is_open(space) and surcharge in (0, 1), "IS-2.6.1"
    assert len(set(s.damaged)) == len(s.damaged), "IS-2.8.2"
    assert all(s.space(fort).type == "fort" and fort in s.flags for fort in s.damaged), "IS-2.8.4"
    assert protected(s) == {space for space in s.flags if is_protected(s, space)}, "IS-2.5"
    for tile in s.parts.advantages:
        holders = {s.flags.get(space) for space in tile.connected_spaces}
        assert s.holders.get(tile.id) == next((side for side in SIDES if holders == {side}), None), "IS-11.1"
    assert len(set(s.exhausted)) == len(s.exhausted), "IS-11.3"
    assert all(s.flags.get(space) == "france" for space in s.huguenots), "M-9"
    assert s.huguenots_left >= 0 and len(s.huguenots) + s.huguenots_left <= 2, "M-9"


def side_adds_up(s: State, side: str) -> None:
    """Eight squadrons, debt at most what it may be, ministries of the era in their places."""
    assert side in SIDES
    own = s.own[side]
    squadrons = [own.unbuilt, own.navy_box, own.away, own.gone, len(s.squadrons(side))]
    assert min(squadrons) >= 0 and sum(squadrons) == s.parts.start.squadron_supply_per_side, "IS-2.8.5"
    assert own.debt >= 0 and own.trp >= 0, "IS-0.7"
    cards = [minister.card for minister in own.ministries]
    places = s.parts.ministry_places
    assert len(set(cards)) == len(cards), "IS-4.7.1"
    usual = [minister for minister in own.ministries if not minister.third]
    assert len(usual) <= getattr(places, side), "IS-4.7.2"
    assert [minister.card for minister in own.ministries if minister.third] in ([], ["M-4"]), "IS-14.9.4"
    assert all(s.parts.ministry[card].side == side for card in cards), "IS-12.1"
    assert not (s.jacobite_defeat and "M-4" in cards), "IS-14.9.2"
    used = {ability.rpartition(".")[0] for ability in own.exhausted}
    assert s.round is None or used <= {*own.up, *(["M-4"] if s.jacobite_defeat else [])}, "IS-12.4"


def cards_add_up(s: State) -> None:
    """Each event is in one place, and none before its era."""
    places = [*s.deck, *s.discards, *s.played, *s.own["britain"].hand, *s.own["france"].hand]
    assert len(set(places)) == len(places) and set(places) <= set(s.parts.event), "IS-13.8"
    eras = [deck.era for deck in s.parts.deck_by_era]
    assert all(eras.index(s.parts.event[card].era) <= eras.index(s.era) for card in places), "IS-4.1"
    assert len(s.demand) == len(set(s.demand)) <= 4, "IS-4.4"
    assert set(s.awards) <= set(REGIONS) and not set(s.awards.values()) & set(s.award_pool), "IS-4.3"


def tiles_add_up(s: State) -> None:
    """Each investment tile is in one place; war tiles stand where there is room."""
    tiles = [*s.stack, *s.available, *s.taken, *s.used_tiles]
    assert sorted(tiles) == sorted(s.parts.investment), "IS-3.5"
    war = s.next_war
    for side in SIDES:
        own = s.own[side]
        standing = [*own.drawn, *(tile for there in own.tiles for tile in there)]
        basic = [*own.basic_pool, *(tile for tile in standing if s.parts.war_tile[tile].basic)]
        assert len(set(basic)) == len(basic) and set(basic) <= set(s.parts.basic_of(side)), "IS-3.6"
        bonus = [*own.bonus_pool, *(tile for tile in standing if not s.parts.war_tile[tile].basic)]
        assert len(set(bonus)) == len(bonus), "IS-14.10.2"
        if war is not None and s.phase == "round":
            assert set(bonus) == set(s.parts.bonus_of(side, war.id)), "IS-14.10.1"
            assert len(own.tiles) == len(war.theaters), "IS-14.12"
            for theater, there in enumerate(own.tiles, 1):
                assert sum(s.parts.war_tile[tile].basic for tile in there) == 1, "IS-14.12"
                assert len(s.bonus_tiles(side, theater)) <= s.parts.war_limits.bonus_tiles_per_theater_per_side, "IS-8.1.3"
    if s.war is not None:
        war_adds_up(s)


def war_adds_up(s: State) -> None:
    """Nothing is spent twice; who may be asked can be."""
    now = s.fought
    assert now.cp >= 0 and now.unflag >= 0 and now.losses >= 0, "IS-14.7"
    assert all(s.space(space).type == "naval" and s.flags.get(space) in SIDES for space in now.landed), "IS-14.8.6"
    assert all(own.refusals <= s.parts.war_limits.refusals_per_player_per_war for own in s.own.values()), "IS-14.8.8"
    assert not now.asked or s.flags.get(now.asked) in SIDES, "IS-14.8.8"


def round_adds_up(s: State) -> None:
    """Points are not below nothing; what is remembered of the round's beginning is still there."""
    now = s.current
    assert all(pool.points >= 0 for pool in now.pools), "IS-5.6"
    assert len(set(now.closed)) == len(now.closed) and now.open not in now.closed, "IS-5.5.5"
    assert all(s.flags.get(space) == now.side for space in now.held), "IS-6.2.4"
    assert all(space in s.flags for space in now.isolated), "IS-2.7.3"
    for kind in get_args(Points):
        for action in actions_of(s, kind):
            opened = s.model_copy(update={"round": now.model_copy(deep=True)})
            if now.open not in ("", action):
                ActionOpened(side=now.side, action=action, kind=kind).apply(opened)
            lost = [pool.id for pool, left in zip(now.pools, opened.current.pools) if pool.points > left.points]
            counted = [pool.id for pool in now.pools if pool.kind == kind and serves(s, pool, action)]
            assert not {*lost} & {*counted}, f"IS-5.6.8: {action} counts points that lapse as it opens"
    assert now.tiles_bought <= 2 and len(now.used) <= s.parts.advantage_limits.max_per_action_round, "IS-8.1.1, 11.5"
    regions = [s.parts.advantage[advantage].region for advantage in now.used]
    assert len(set(regions)) == len(regions), "IS-11.5"
