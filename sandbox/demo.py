"""The demonstration game: four people in the first war of Struggle of Empires, two presses before a battle."""
from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Mapping

from bot.play import GameRow, Play
from engine import notation
from sandbox.world import GAME_MASTER, PLAYERS, World

GAME, EDITION, TITLE = "struggle_of_empires", "first", "The American question"
DICE = f"{363:064x}"      # the secret of this game's dice, so that everybody sees the same position

ANSWERS: Mapping[str, str] = {  # what each says, question by question
    "Ada": """
        choose power=france
        place unit=army area=north_america
        place unit=army area=north_america
        place unit=navy area=north_america
        place unit=army area=german_states
        place unit=navy area=india
        bid gold=0 a=france b=britain
        pass
        tile tile=reserves
        build unit=navy to=north_america
        decline""",
    "Ben": """
        choose power=spain
        place unit=army area=north_america
        place unit=navy area=north_america
        place unit=navy area=caribbean
        place unit=army area=south_america
        place unit=army area=mediterranean
        pass
        bid gold=0 a=spain b=united_provinces
        tile tile=army_training
        build unit=army to=north_america""",
    "Carla": """
        choose power=britain
        place unit=army area=north_america
        place unit=navy area=north_america
        place unit=fort area=north_america
        place unit=army area=india
        place unit=navy area=india
        pass
        pass
        tile tile=reserves
        colonise area=north_america""",
    "Dov": """
        choose power=united_provinces
        place unit=army area=north_america
        place unit=navy area=north_america
        place unit=navy area=east_indies
        place unit=army area=german_states
        place unit=army area=baltic
        pass
        pass
        tile tile=naval_training
        attack area=german_states target=france""",
}

HINTS = (
    "It is Ada's turn, and you act as Ada: press “Your move”, then Attack, and Britain in North America.",
    "Allies on both sides may help, and Reserves throw the dice again: act as whoever has a yellow mark, and answer.",
    "Or type / to see every command, /game teach for a lesson of your own, let time go by, or act as Gina, the game master, "
    "and take it back with /gm undo.",
)
GOING_ON = (
    "The games of this database go on where they stood; what was written before is not shown again.",
    "Type /struggle menu to see what you are asked, and /game status or /game map to see where a game stands.",
)


def dice() -> Callable[[], str]:
    """The secrets of the games to come: of the demonstration game, and then as chance has it."""
    known = deque([DICE])
    return lambda: known.popleft() if known else secrets.token_hex(32)


async def prepare(play: Play, world: World) -> GameRow:
    """Open the game and play it to where it becomes interesting. `play` has the secrets of `dice`."""
    gina = world.person(GAME_MASTER).id
    game = await play.open(key=GAME, edition=EDITION, seats=len(PLAYERS), options={}, pack=None, title=TITLE,
                           guild=world.guild.id, channel=world.table.id, owner=gina)
    names = {}
    for name in PLAYERS:
        names[await play.join(game.id, world.person(name).id, name=name)] = name
    await play.start(game.id, gina)
    spec = play.spec(GAME)
    answers = {name: deque(said.strip().splitlines()) for name, said in ANSWERS.items()}
    while any(answers.values()):
        for waiting in await play.waiting(game.id):
            name = names[waiting.seat]
            await play.answer(game.id, world.person(name).id, notation.read(spec, answers[name].popleft()))
    return await play.game(game.id)


async def recall(play: Play, world: World) -> None:
    """Show the boards of the games at the table: their messages are gone with the Discord of the last run."""
    for game in await play.games(channel=world.table.id, status=("running", "paused")):
        async with world.acting():
            await world.person(GAME_MASTER).actor.slash(world.table, "game map", share=True, game=str(game.id))
