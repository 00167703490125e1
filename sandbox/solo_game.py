"""A game that one person plays alone against automatic players, each in a channel of its own."""
from __future__ import annotations

from bot.service import Services
from engine.options import HINTS, ON
from engine.players import playable
from engine.refusals import Faulty
from engine.text import verbatim
from sandbox.world import Conversation, Person, World

MOST = 4                # at the table


def titles(services: Services) -> dict[str, str]:
    """The games that can be played so: key to name."""
    return {spec.key: spec.name for spec in services.session.specs.values() if playable(spec)}


async def begin(services: Services, world: World, person: Person, key: str) -> Conversation:
    """Open a game for a person and automatic players, and start it; where it is played. Raises Faulty: there is no such game."""
    if key not in titles(services):
        raise Faulty("There is no game {key} for one person.", key=verbatim(key))
    spec = services.session.spec(key)
    async with world.acting():
        channel = world.open_channel(f"{spec.command}-alone")
        row = await services.lobby.open(
            key=key, edition=next(edition.key for edition in spec.editions if edition.available),
            seats=min(MOST, spec.seats[-1]), options={HINTS: ON}, pack=None, title=f"{person.name} against automatic players",
            guild=world.guild.id, channel=channel, owner=person.id, alone=person.name)
        await services.lobby.start(row.id, person.id)
    return next(one for one in world.conversations() if one.id == channel)
