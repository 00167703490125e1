"""Non-interference: nothing that others are shown depends on one seat's secrets; and the search for leaks finds planted ones."""
from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import Any

import pytest

from bot.discord import visibility
from engine import catalog
from engine.catalog import GAMES
from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules.naval import Fight
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin
from engine.games.struggle_of_empires import GAME as SPEC
from engine.kernel import GameSpec, Seat
from engine.refusals import Faulty
from tests.bot.discord_world import World
from tests.checks import leak_clubs
from tests.checks.findings import Found, listening
from tests.checks.leak_pairs import Pairs
from tests.checks.leaks import measure, search
from tests.checks.mixtures import first_edition
from tests.checks.predictor import predicted, seeded_from_what_all_know
from tests.checks.secrets import SECRETS, Apart, deals
from tests.checks.seeded_leaks import CLUBS, LEAKS, TWINS, Leak
from tests.games.attack.scene import scene

STEPS = {TWINS: 60, CLUBS: 5}           # pairs in which a planted leak mostly shows
FIRST = 20                              # pairs of the first games, in which many planted leaks show: they are searched once
CALM = 40                               # pairs in which nothing must show at two tables
ALONE: dict[leak_clubs.Kind, int] = {"host": 1, "sealed": 3}        # where each is an evening of its own
TRIES = 20
SET_UP = ("an open deal", "a sealed line")                             # they show from positions of their own


CALMED: dict[tuple[Any, ...], Found] = {}           # the longest search of these games: a shorter one is its beginning


def calm(key: str, where: str, pairs: int, seed: int, edition: str = "",
         kinds: tuple[leak_clubs.Kind, ...] = leak_clubs.KINDS) -> Found:
    """What differs although nothing is planted, in at least as many pairs of the same games as a planted leak needed to show."""
    games = (key, where, seed, edition, kinds)
    if games not in CALMED or CALMED[games].pairs < pairs:
        CALMED[games] = search(catalog.find(key), where, pairs, seed, edition=edition, kinds=kinds)
    return CALMED[games]


@pytest.mark.parametrize("edition, seed", [("first", 0), pytest.param("deluxe", 1, marks=pytest.mark.slow)])
def test_SOE_21_1_1_nobody_is_shown_anything_that_depends_on_the_secrets_of_a_seat(edition: str, seed: int) -> None:
    found = calm(SPEC.key, TWINS, CALM, seed, edition)
    assert found.differences == []
    assert found.pairs >= CALM and found.outputs > 50 * found.pairs and found.painted > 0


def test_IS_17_1_IS_17_2_IS_17_3_nobody_is_shown_anything_of_a_hand_a_ministry_or_a_war_tile() -> None:
    found = calm("imperial_struggle", TWINS, FIRST, 0, first_edition(catalog.find("imperial_struggle")))
    assert found.differences == []
    assert found.pairs >= FIRST and found.outputs > 50 * found.pairs and found.painted > 0


def test_ATK_20_4_ATK_20_10_ATK_20_11_nobody_is_shown_anything_of_a_hand_a_deck_or_a_sealed_line() -> None:
    found = calm(ATTACK.key, TWINS, CALM, 1, "base")
    assert found.differences == []
    assert found.pairs >= CALM and found.outputs > 50 * found.pairs and found.painted > 0


@pytest.mark.slow
def test_ATK_20_4_on_discord_nobody_is_shown_anything_of_a_hand() -> None:
    found = calm(ATTACK.key, CLUBS, STEPS[CLUBS], 30, kinds=("state",))
    assert found.pairs >= STEPS[CLUBS] and found.differences == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in leak_clubs.KINDS if kind not in ("orders", "plan")])     # shown elsewhere
def test_on_discord_nobody_is_shown_anything_of_a_secret(kind: leak_clubs.Kind) -> None:
    (seed, *_) = [leak.seed for leak in LEAKS if leak.spec is SPEC and leak.kinds == (kind,) and leak.where == CLUBS]
    pairs = ALONE.get(kind, STEPS[CLUBS])
    found = calm(SPEC.key, CLUBS, pairs, seed, "first", (kind,))
    assert found.pairs >= pairs and found.differences == []


def watched_from_afar(number: int) -> Found:
    """An evening with a noticeboard, a private thread and a stranger elsewhere, in two clubs that differ in a secret."""
    found = Found()
    with listening() as ear:
        one, other = [asyncio.run(leak_clubs.evening(ATTACK, SECRETS[ATTACK.key], "state", number, 2, ear, second=second,
                                                     named={})) for second in (False, True)]
    for looked, again in zip_longest(one, other):
        found.compare(f"clubs {number}", looked or [], again or [])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, len(leak_clubs.SIDES)), ids=leak_clubs.SIDES[1:])
def test_a_stranger_elsewhere_is_shown_nothing_of_a_secret(number: int) -> None:
    found = watched_from_afar(number)
    assert found.outputs > 50 and found.differences == []


def test_a_game_that_is_told_of_where_some_may_not_see_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visibility, "may_be_read", lambda *_: True)
    (found, *_) = watched_from_afar(leak_clubs.SIDES.index("a denied role")).differences
    assert "sent astray" in found and "game 1 to stranger" in found


@pytest.mark.parametrize("leak", [
    pytest.param(leak, id=f"{leak.spec.key}, {leak.name}", marks=[pytest.mark.slow] if leak.pairs else ())
    for leak in LEAKS if leak.where == TWINS and leak.name not in SET_UP])
def test_a_planted_leak_is_found(leak: Leak) -> None:
    shows(leak)


@pytest.mark.slow
@pytest.mark.parametrize("leak", [leak for leak in LEAKS if leak.where == CLUBS], ids=lambda leak: leak.name)
def test_a_planted_leak_of_the_bot_is_found(leak: Leak) -> None:
    shows(leak)


def shows(leak: Leak) -> None:
    """The leak shows, and without it nothing does: the search finds the leak and no accident."""
    step = ALONE["host"] if "host" in leak.kinds else leak.pairs or STEPS[leak.where]
    edition = leak.edition or first_edition(leak.spec)
    for seed in dict.fromkeys((leak.seed, *range(TRIES))):
        with leak.plant():
            found = search(leak.spec, leak.where, step, seed, edition=edition, kinds=leak.kinds, any_will_do=True)
        if found.differences:
            kinds, pairs = (leak.kinds, found.pairs) if leak.where == CLUBS else (
                leak_clubs.KINDS, max(found.pairs + 1, 0 if seed else FIRST))
            assert calm(leak.spec.key, leak.where, pairs, seed, edition, kinds).differences == []
            return
    pytest.fail(f"{leak.name} was not found in {TRIES * step} pairs")


SHORES = scene(powers=("red", "blue", "green", "brown", "tan"), hands={"red": ("oil_2", "oil_1", "minerals_3")},
               fleets={"green": "1D"}, land={"mexico": ("red", "2I"), "france": ("blue", "2I"), "mozambique": ("green", "2I"),
                                             "chile": ("brown", "2I"), "south_africa": ("tan", "2I")}).start


FLEETS = scene(powers=("red", "green", "gray"), fleets={"green": "1B 2D 1S", "gray": "2B 1D 1S"}, controller="gray",
               first="green", land={"mexico": ("red", "2I"), "france": ("green", "2I"), "mozambique": ("gray", "2I")})


def sealed(seed: int) -> Found:
    """What differs while Green and Gray line up their ships face down, and just after both have [ATK-13.2]."""
    with listening() as ear:
        pairs = Pairs(ATTACK, 3, seed, SECRETS["attack"], paint=False)
        pairs._differ(FLEETS.start)
        for seat, action in ((Seat("seat_2"), Begin(action="naval_battle")), (Seat("seat_3"), Fight(on=True))):
            for game in (pairs.one, pairs.other):
                game.answer(seat, action)
        for _ in range(2):
            pairs._step(ear)
    return pairs.found


def parted(seed: int) -> tuple[Apart, list[str]]:
    """What Red's turn begins with in two ways, and all differences that others see until somebody has answered twice."""
    apart = list[Apart]()

    def noted(state: Any, pick: Random) -> Apart | None:
        apart.extend(filter(None, [deals(state, pick)]))
        return apart[-1]

    with listening() as ear:
        pairs = Pairs(ATTACK, 5, seed, replace(SECRETS["attack"], apart=noted), paint=False)
        assert pairs._part(ear, SHORES)
        for _ in range(2):
            pairs._step(ear)
            if pairs.parted:
                break
            pairs._compare(ear, pairs.hidden)
    return apart[-1], pairs.found.differences


async def test_ATK_20_14_neither_who_deals_nor_what_is_offered_shows_to_anybody_else() -> None:
    runs = [parted(seed) for seed in range(6)]
    assert [found for _, found in runs] == [[]] * len(runs)
    differing = [{one.partner for one in apart.answers if isinstance(one, Offer)} for apart, _ in runs]
    assert {len(partners) for partners in differing} == {1, 2}, "what is offered, and to whom"


async def test_ATK_20_10_nobody_is_shown_the_line_of_ships_that_lies_face_down() -> None:
    runs = [sealed(seed) for seed in range(6)]
    assert [found.differences for found in runs] == [[]] * len(runs) and all(found.outputs for found in runs)


def planted(name: str) -> AbstractContextManager[Any]:
    """One of the leaks, for a while."""
    return next(leak for leak in LEAKS if leak.name == name).plant()


async def test_a_planted_leak_of_a_sealed_line_is_found() -> None:
    with planted("a sealed line"):
        assert any(sealed(seed).differences for seed in range(6))


async def test_a_planted_leak_of_an_open_deal_is_found() -> None:
    with planted("an open deal"):
        assert any(parted(seed)[1] for seed in range(6))


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_nobody_can_tell_an_automatic_players_secrets_by_its_whims(spec: GameSpec) -> None:
    """Who knows all that is public does no better than chance; were the whims made from that, it would."""
    found = predicted(spec, 60)
    assert found.named and not found.better_than_chance
    with seeded_from_what_all_know():
        assert predicted(spec, 60).better_than_chance


def test_every_game_and_every_kind_of_secret_of_the_bot_has_a_planted_leak() -> None:
    assert {leak.spec.key for leak in LEAKS if leak.where == TWINS} == {spec.key for spec in GAMES}
    assert {kind for leak in LEAKS for kind in leak.kinds} == set(leak_clubs.KINDS)
    assert len({leak.name for leak in LEAKS}) == len(LEAKS)


async def test_the_two_games_do_differ() -> None:
    """The seat itself sees its other unrest, or has the orders: pairs of equal games would compare nothing."""
    with listening() as ear:
        pairs = Pairs(SPEC, 4, 3, SECRETS[SPEC.key], paint=False)
        pairs.run(ear, 4)
    (seat,) = pairs.hidden
    views = [SPEC.views.view(game.table.state, seat) for game in (pairs.one, pairs.other)]
    deputy: Any = pairs.other.table.deputy
    assert views[0].own_unrest < views[1].own_unrest or (deputy is not None and deputy.of(seat))


def test_a_difference_is_told_with_the_place_where_it_begins() -> None:
    found = Found()
    found.compare("seat_1", [("a", "same"), ("b", "x" * 500 + "left")], [("a", "same"), ("b", "x" * 500 + "right")])
    (told,) = found.differences
    assert told.startswith("seat_1:") and "left" in told and "right" in told and len(told) < 600
    found.compare("seat_2", [("a", 1)], [])
    assert len(found.differences) == 2 and found.outputs == 3


def test_a_game_of_which_nobody_has_said_what_is_secret_is_refused() -> None:
    with pytest.raises(Faulty):
        measure("backgammon")


# --- what was found by it ---------------------------------------------------------------------------------------------

async def looks(world: World) -> list[object]:
    """What the others are shown, of which nothing may change when a sealed answer comes in."""
    shown: list[object] = []
    for person in (world.bob, world.carol):
        for name in ("game map row:99", "game map", "my since", "my move", "game status"):
            command, _, row = name.partition(" row:")
            result = await person.slash(world.table, command, **({"row": int(row)} if row else {}))
            said = result.response or result.followups[-1]
            rows = [row if isinstance(row, dict) else row.to_dict() for row in said.components]
            shown.append((person.name, name, said.content, [item.get("custom_id") for row in rows for item in row["components"]]))
    return [*shown, world.posts()]


async def test_SOE_21_1_8_row_numbers_do_not_tell_that_a_sealed_answer_is_in(world: World) -> None:
    """The last row, "what is new" and a menu went by the newest row of all, sealed ones too."""
    await world.started()
    await looks(world)
    before = await looks(world)
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    assert await world.newest() == 1
    assert await looks(world) == before
    await world.bob.slash(world.table, "pebbles guess", pebbles=4)
    assert await looks(world) != before


def test_SOE_22_1_1_giving_an_order_posts_nothing() -> None:
    """News that waited while somebody else went on alone were posted when an order was given."""
    found = calm(SPEC.key, CLUBS, STEPS[CLUBS], 56, "first", ("orders",))
    assert found.pairs >= STEPS[CLUBS] and found.differences == []
