"""What people do in Attack! while the bot is killed: the setup and a first turn; a war by land, by sea and by trade; an end."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from engine.games.attack import GAME
from engine.games.attack.rules.crossings import Permit
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.attack.rules.line_up_policies import Policy
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight
from engine.games.attack.rules.naval_lines import Formation, Line
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.trade import Offer
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.kernel import Seat
from engine.orders import DEFAULT, Order, OrderLine as Answered, Reply
from tests.checks.scripted_actions import (
    ANSWER,
    Club,
    Play,
    Step,
    answered_for,
    asked,
    button,
    by,
    clocked,
    confirmed,
    later,
    learns,
    leaves,
    no_messages,
    ordered,
    requested,
    rolled_back,
    says,
    settled,
    usual,
)
from tests.games.attack.scene import scene
from tests.often_said import END_AS_WINNER

PEOPLE = ("alice", "bob", "carol", "max", "olga")
JOIN = tuple(by(name, "game join") for name in PEOPLE)
USUAL = Answered(then=Reply(verb=DEFAULT))
ASK_ME = Answered()


def orders(name: str, line: Answered, *points: str) -> Step:
    """A standing order of this line for each of these decision points."""
    seat = Seat(f"seat_{PEOPLE.index(name) + 1}")
    return ordered(name, *(Order(seat=seat, points=(point,), lines=(line,)) for point in points))


FROM_THE_START: Sequence[Step] = (
    *JOIN, by("olga", "game start"), no_messages("carol"), by("alice", "attack colour", colour="gray"),
    clocked(1), *[ANSWER] * 3, by("olga", "gm undo"), ANSWER, orders("alice", USUAL, "D-01", "D-02", "D-03"),
    leaves("carol"), leaves("max", until="30"), later(1.2), leaves("olga"),
    orders("bob", USUAL, "D-01", "D-02", "D-03"),
    asked(Begin(action="production")), asked(Buy(kind="infantry", number=1)), asked(Confirm()), rolled_back("olga", 2),
    usual("D-22", "D-23"), asked(End()), by("carol", "my back"), later(12), by("bob", "my back"), answered_for("olga"))
"""People who join, claim and build; some are away, some order, for some the clock answers, until nobody is left to be asked."""

FRONTS = scene(
    powers=("red", "blue", "green", "brown", "tan"), controller="green",
    land={"ukraine": ("red", "9I 2T 4A 4P"), "cuba": ("red", "3I 1P"), "balkans": ("blue", "4I 1T"), "poland": ("blue", "2I"),
          "egypt": ("blue", "1I"), "mexico": ("green", "2I"), "france": ("green", "2I"), "peru": ("brown", "2I"),
          "chile": ("brown", "1I"), "south_africa": ("tan", "2I")},
    capitals={"ukraine": "red", "poland": "blue", "france": "green", "peru": "brown", "south_africa": "tan"},
    hands={"red": ("oil_1", "minerals_2"), "blue": ("oil_3", "factories_1"), "green": ("railroads_2",),
           "brown": ("minerals_1", "population_2"), "tan": ("oil_2",)},
    fleets={"red": "1B 2D 1S", "blue": "1D", "green": "2B 2D 1S 1C", "brown": "1D 1S", "tan": "1S"}).state
WAR = GAME.changed(setup=lambda seats, options, parts: FRONTS.model_copy(deep=True))
"""The game from a position in which Red has neighbours to fight, and Green controls the sea lanes."""

BY_LAND: Sequence[Step] = (
    says("alice", Begin(action="movement")), says("alice", Move(unit="tank", origin="ukraine", to="caucasus", number=2)),
    by("alice", "my undo"), says("alice", Move(unit="tank", origin="ukraine", to="caucasus", number=2)),
    says("alice", Move(unit="infantry", origin="ukraine", to="balkans", number=8)),
    says("alice", Move(unit="plane", origin="ukraine", to="balkans", number=4)),
    says("alice", Move(unit="artillery", origin="ukraine", to="balkans", number=4)),
    says("alice", Move(unit="infantry", origin="cuba", to="mexico", number=2, way="water")), says("alice", Confirm()),
    says("carol", Permit(allow=False)), says("bob", Answer(accept=False)), says("max", Answer(accept=True)),
    says("alice", Policy(first="infantry")), usual("D-09", "D-10", "D-11"))
"""Orders that are taken back, a crossing that is refused, neutrals under command, and a battle in which everybody is asked."""

BY_SEA: Sequence[Step] = (
    says("alice", Begin(action="naval_battle")), says("carol", Fight(on=True)),
    says("alice", Line(ships=("destroyer", "battleship", "submarine", "destroyer"))),
    says("carol", Formation(first="submarine")), usual("D-15", "D-16"))
"""A challenge with sealed lines."""

BY_TRADE: Sequence[Step] = (
    says("alice", Offer(partner="blue", give=("oil_1",), take=("oil_3",))), by("alice", "attack recall"),
    says("alice", Offer(partner="blue", give=("oil_1",), take=("oil_3",))),
    says("bob", Offer(partner="red", give=("factories_1",), take=("minerals_2",))), says("alice", Answer(accept=True)),
    says("alice", Offer(partner="brown", give=("oil_1",), take=("minerals_1",))), says("max", Answer(accept=True)),
    says("carol", Permit(allow=True)), by("olga", "gm undo"), by("olga", "gm redo"), says("alice", End()))
"""An offer that is withdrawn, one that is countered, and one that the controller may block."""

AFTERWARDS: Sequence[Step] = (
    says("bob", Begin(action="production")), says("bob", Buy(kind="tank", number=1)), by("bob", "my undo"),
    says("bob", Buy(kind="infantry", number=1)), says("bob", Confirm()), usual("D-23"), says("bob", Diplomacy(territory="italy")),
    requested("bob"), button("alice", "Agree"), button("carol", "Refuse"), clocked(1), leaves("bob"),
    later(1.5), by("bob", "my back"), says("max", End()), rolled_back("olga", 5), *[ANSWER] * 3)
"""A turn of purchases, an answer that the others do not give back, an absence, silence, and a rollback."""

FRONTIERS: Sequence[Step] = (
    *JOIN, by("olga", "game start"), orders("alice", ASK_ME, "D-09", "D-11", "D-15", "D-16"),
    orders("bob", ASK_ME, "D-10", "D-11", "D-12"), orders("carol", ASK_ME, "D-15"), orders("max", ASK_ME, "D-12", "D-13"),
    *BY_LAND, *BY_SEA, *BY_TRADE, *AFTERWARDS)

AGREED = 1.2            # hours after the beginning: when a timed game ends; half an hour before it deals come to their end


async def agrees(club: Club) -> bool:
    """Olga opens the game until an agreed moment."""
    moment = (club.begun + timedelta(hours=AGREED)).strftime("%Y-%m-%dT%H:%M")
    with club.world.env.time_context():
        await club.world.services.lobby.set_options(1, club.world.olga.id, changes={"end_mode": "timed", "end_time": moment})
    return await settled(club)


BORDER = scene(powers=("red", "blue"), capitals={"ukraine": "red"}, hands={"red": ("oil_1",), "blue": ("oil_3",)},
               land={"ukraine": ("red", "2I"), "balkans": ("blue", "2I"), "egypt": ("blue", "1I")}).state
PEACE = GAME.changed(setup=lambda seats, options, parts: BORDER.model_copy(deep=True, update={"options": options}))
"""The game from a position in which two people can deal with each other, by the options that they have chosen."""

TO_THE_END: Sequence[Step] = (
    Step("an agreed end", agrees), by("alice", "game join"), by("bob", "game join"), by("olga", "game start"),
    learns("carol", GAME), says("alice", Offer(partner="blue", give=("oil_1",), take=("oil_3",))), learns("carol", GAME),
    later(0.8), says("alice", Begin(action="production")), later(1.3), usual("D-22", "D-23"), says("alice", End()),
    says("bob", End()))
"""An agreed moment: the last deals, the last round, the result; and a lesson beside it."""

LEFT_ALONE: Sequence[Step] = (
    by("alice", "game join"), by("bob", "game join"), by("olga", "game start"),
    says("alice", Offer(partner="blue", give=("oil_1",), take=("oil_3",))), confirmed("bob", "game resign", "Resign"),
    button("alice", END_AS_WINNER, "End the game"))
"""All others resign."""

PLAYS = (Play(GAME, "message", FROM_THE_START, seats=5), Play(WAR, "base", FRONTIERS, seats=5), Play(PEACE, "base", TO_THE_END),
         Play(PEACE, "base", LEFT_ALONE))
