"""The demonstration games: one of each title, each a few presses before something interesting."""
from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.service import Services
from engine import notation
from sandbox.guide import Try
from sandbox.world import GAME_MASTER, PLAYERS, World


@dataclass(frozen=True, kw_only=True)
class Demonstration:
    """A game that waits in the sandbox, at a table of its own."""

    table: str                          # the channel
    game: str
    edition: str
    title: str
    dice: str                           # the secret of its dice, so that everybody sees the same position
    answers: Mapping[str, Sequence[str]]        # what each says, question by question
    first: str                          # who is to move when the sandbox opens
    hint: str                           # and what to try
    players: Sequence[str] = PLAYERS    # seat by seat


def each(shape: str, values: str) -> list[str]:
    """An answer of this shape for each of these values, which are divided by commas."""
    return [shape.format(*one.split()) for one in values.split(",")]


STRUGGLE = Demonstration(
    table="struggle", game="struggle_of_empires", edition="first", title="The American question", dice=f"{3:064x}",
    first="Ada", hint="Try: Your move, then Attack, and Britain in North America.",
    answers={  # what each says, question by question
        "Ada": [
            "choose power=france",
            *each("place unit={} area={}",
                  "army north_america, army north_america, navy north_america, army german_states, navy india"),
            "bid gold=0 a=france b=britain", "pass", "tile tile=reserves", "build unit=navy to=north_america", "decline"],
        "Ben": [
            "choose power=spain",
            *each("place unit={} area={}",
                  "army north_america, navy north_america, navy caribbean, army south_america, army mediterranean"),
            "pass", "bid gold=0 a=spain b=united_provinces", "tile tile=army_training", "build unit=army to=north_america"],
        "Carla": [
            "choose power=britain",
            *each("place unit={} area={}",
                  "army north_america, navy north_america, fort north_america, army india, navy india"),
            "pass", "pass", "tile tile=reserves", "colonise area=north_america"],
        "Dov": [
            "choose power=united_provinces",
            *each("place unit={} area={}",
                  "army north_america, navy north_america, navy east_indies, army german_states, army baltic"),
            "pass", "pass", "tile tile=naval_training", "attack area=german_states target=france"],
    })

ATTACK = Demonstration(
    table="attack", game="attack", edition="message", title="The road to Rome", dice=f"{16:064x}",
    first="Ben", hint="Try: Your move, Movement, France to Italy, both tanks, and Confirm.",
    answers={
        "Ada": [
            *each("claim territory={}", "italy, balkans, turkey, ukraine"),
            *each("deploy unit={} territory={}", "tank balkans, artillery balkans, plane balkans, tank italy, plane balkans"),
            "capital territory=balkans", "begin action=movement", "move unit=plane origin=balkans to=germany number=2",
            "move unit=tank origin=balkans to=germany", "move unit=artillery origin=balkans to=germany", "confirm",
            "begin action=production", "buy kind=infantry number=2", "confirm",
            "deploy unit=infantry territory=balkans number=2", "end"],
        "Ben": [
            *each("claim territory={}", "france, iberia, morocco, algeria"),
            *each("deploy unit={} territory={}", "tank france, artillery france, plane france, tank france, plane iberia"),
            "capital territory=iberia"],
        "Carla": [
            *each("claim territory={}", "egypt, libya, syria, sudan"),
            *each("deploy unit={} territory={}", "tank libya, plane egypt, artillery libya, tank syria, infantry libya"),
            "capital territory=egypt", "begin action=production", "buy kind=infantry number=2", "confirm",
            "deploy unit=infantry territory=libya number=2", "diplomacy territory=nigeria", "end"],
        "Dov": [
            *each("claim territory={}", "great_britain, scandinavia, poland, russia"),
            *each("deploy unit={} territory={}",
                  "tank poland, plane great_britain, artillery russia, tank scandinavia, plane poland"),
            "capital territory=great_britain", "begin action=naval_battle", "begin action=production", "buy kind=tank",
            "confirm", "deploy unit=tank territory=poland", "end"],
    })

IMPERIAL = Demonstration(
    table="imperial", game="imperial_struggle", edition="published", title="The Spanish succession", dice=f"{3:064x}",
    players=PLAYERS[:2], first="Ada",
    hint="Try: Your move, the tile 2 DP / 2 EP, then Play an event, and Native American Alliances with East India Company.",
    answers={
        "Ada": [
            "appoint cards=M-7,M-10 third=no", "take tile=inv_09",
            "politics space=sardinia action=major advantage='' debt=0 trp=0",
            "politics space=german_states_alliance_2 action=major advantage='' debt=0 trp=0",
            "market space=georges_bank action=minor advantage='' huguenots='' debt=0 trp=0", "end", "take tile=inv_20",
            "deploy origin=navy_box to=balearic action=major debt=0 trp=0",
            "deploy origin=navy_box to=antilles_channel action=major debt=0 trp=0", "tile action=major debt=0 trp=0",
            "choose target=wss_queen_annes_war",
            "politics space=austria_prestige_silesia action=minor advantage='' debt=1 trp=0", "end"],
        "Ben": [
            "appoint cards=M-1,M-3 third=no", "first side=france", "take tile=inv_11",
            "politics space=spain_prestige_3 action=major advantage='' debt=0 trp=0",
            "politics space=savoy action=major advantage='' debt=1 trp=0", "fort space=louisbourg action=minor debt=1 trp=0",
            "end", "take tile=inv_17", "deploy origin=navy_box to=biscay action=major debt=0 trp=0",
            "build aid='' action=major debt=1 trp=0",
            "market space=puerto_principe action=minor advantage='' huguenots='' debt=0 trp=0", "end", "take tile=inv_05",
            "event event=ev_13 reveal='' waiver=''", "choose target=spain_alliance_south",
            "advantage advantage=mediterranean_intrigue target=sardinia", "advantage advantage=algonquin_raids target=albany",
            "market space=georges_bank action=major advantage='' huguenots='' debt=0 trp=0",
            "politics space=sardinia action=minor advantage='' debt=0 trp=0", "end"],
    })

DEMONSTRATIONS = (STRUGGLE, ATTACK, IMPERIAL)
HELP = (
    "You play everybody here. Tap a name to act as that person; a yellow mark shows whose move it is.",
    "Direct messages are what the bot tells that person alone.",
    "Type / for all commands; /game teach is a short practice game.",
    "Gina is the game master: she can undo a move with /gm undo.",
    "+1 hour and +1 day make time pass, so that you can see reminders and deadlines.",
)
GOING_ON = ("The games of this database go on where they were. Earlier messages are gone; boards and questions are "
             "posted again.",)


def dice() -> Callable[[], str]:
    """The secrets of the games to come: of the demonstration games, and then as chance has it."""
    known = deque(shown.dice for shown in DEMONSTRATIONS)
    return lambda: known.popleft() if known else secrets.token_hex(32)


async def prepare(services: Services, world: World) -> list[Try]:
    """Open the games and play them to where they become interesting, and say what to try there. The services have `dice`."""
    await services.forums.set_forum(world.guild.id, world.forum.id)
    return [await _played(shown, services, world) for shown in DEMONSTRATIONS]


async def _played(shown: Demonstration, services: Services, world: World) -> Try:
    gina = world.person(GAME_MASTER).id
    game = await services.lobby.open(key=shown.game, edition=shown.edition, seats=len(shown.players), options={}, pack=None,
                                     title=shown.title, guild=world.guild.id, channel=world.tables[shown.table].id,
                                     owner=gina)
    names = {}
    for name in shown.players:
        names[await services.lobby.join(game.id, world.person(name).id, name=name)] = name
    await services.lobby.start(game.id, gina)
    spec = services.session.spec(shown.game)
    answers = {name: deque(said) for name, said in shown.answers.items()}
    while ready := [names[waiting.seat] for waiting in await services.queries.waiting(game.id) if answers[names[waiting.seat]]]:
        for name in ready:
            await services.answers.answer(game.id, world.person(name).id, notation.read(spec, answers[name].popleft()))
    steps = (await services.session.table(game.id)).public_no
    return Try(game=game.id, steps=steps, person=shown.first, words=shown.hint)


async def recall(services: Services, world: World) -> None:
    """Have it posted how the games stand, with boards and questions: all messages are gone with the Discord of the last run. A
    game whose channel is gone with it gets a new one."""
    there = {one.id for one in world.conversations()}
    for game in await services.queries.games(status=("open", "running", "paused", "over")):
        if game.channel in there:
            await services.channels.post_again(game.id)
        else:
            channel = world.open_channel(f"{services.session.spec(game.key).command}-game-{game.id}")
            await services.channels.move(game.id, channel, world.person(GAME_MASTER).id)
