"""A command that may mean several games: they are offered as buttons, and a tap does what was typed in the game that is meant."""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

from discord import AppCommandOptionType, app_commands

from bot.core.visit import Visit
from bot.discord.components import BUTTONS, Persistent, button, in_game, view
from bot.discord.context import Interaction
from bot.discord.find_game import SeveralGames
from bot.discord.lengths import CUSTOM_ID
from bot.discord.responses import reply, titled
from engine.refusals import Refusal
from engine.text import text, verbatim

PLAIN: Mapping[AppCommandOptionType, type] = {          # kinds of options that a button can carry
    AppCommandOptionType.string: str, AppCommandOptionType.integer: int, AppCommandOptionType.boolean: bool}


async def offer_games(interaction: Interaction, several: SeveralGames) -> bool:
    """Offer the games as buttons; False if they are too many, or if what was typed is more than a button can carry."""
    command = interaction.command
    if not isinstance(command, app_commands.Command) or len(several.games) > BUTTONS:
        return False
    given = {name: value for name, value in vars(interaction.namespace).items() if value is not None}
    typed = quote(json.dumps(given, separators=(",", ":"), default=str), safe="")
    words = f"meant:{several.games[-1].id}:{command.qualified_name}:{typed}"
    if _arguments(command, given) is None or len(words) > CUSTOM_ID:
        return False
    await reply(interaction, text("Which game?"), view(_ways(several.games, command.qualified_name, typed)))
    return True


def _ways(games: Sequence[Any], command: str, typed: str) -> list[Persistent]:
    return [button(text("{title} · game {game}", title=verbatim(titled(game)), game=game.id), on_meant, game.id, command, typed)
            for game in games]


@in_game("meant")
async def on_meant(interaction: Interaction, visit: Visit, command: str, typed: str) -> None:
    """Do what was typed, in this game: once, since what was typed does not say at which moment it was meant."""
    found: Any = interaction.client.tree
    for name in command.split(" "):
        found = found.get_command(name) if found is not None else None
    try:
        given = _arguments(found, json.loads(unquote(typed))) if isinstance(found, app_commands.Command) else None
    except ValueError:                      # it is no JSON
        given = None
    if given is None:
        raise Refusal("This button is from an earlier version of the bot. Type /game status to go on.")
    chosen, asked = interaction.client.chosen, (interaction.message or interaction).id
    if not chosen.note(asked):
        return                              # a second tap, while the first one is answered in the same message
    bound = () if found.binding is None else (found.binding,)
    try:
        await found.callback(*bound, interaction, **{**given, "game": str(visit.id)})
    except Exception:
        chosen.forget(asked)
        raise


def _arguments(command: app_commands.Command[Any, ..., Any], given: Any) -> dict[str, Any] | None:
    """Return what was typed for the options of a command, by the names of its parameters; None: it takes no game, or nothing of
    that."""
    known = {option.display_name: (name, option) for name, option in command._params.items()}
    if "game" not in known or not isinstance(given, dict) or not given.keys() <= known.keys():
        return None
    named = dict[str, Any]()
    for shown, value in given.items():
        name, option = known[shown]
        if type(value) is not PLAIN.get(option.type) or (option.choices and value not in [one.value for one in option.choices]):
            return None
        named[name] = value
    return None if any(option.required and name not in named for name, option in command._params.items()) else named
